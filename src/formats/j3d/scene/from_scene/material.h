/* formats/j3d/scene/from_scene/material.h - a scene's material to a J3D material. */
#ifndef FACET_J3D_FROM_SCENE_MATERIAL_H
#define FACET_J3D_FROM_SCENE_MATERIAL_H

#include <facet/j3d.h>
#include <facet/scene.h>

/* J3D data in the extras of a material. */
typedef struct facet_j3d_extras_data {
    const facet_gx_file_material *file; /* NULL: no data */
    const facet_j3d_material *state;    /* NULL: no data, or invalid */
    const char *wrong;                  /* the error in the data, or NULL */
} facet_j3d_extras_data;

/* A material of a scene, and the document's data for it. */
typedef struct facet_j3d_material_source {
    const facet_scene *scene;
    uint32_t material;                        /* of the scene; FACET_NONE: faces without one */
    const facet_j3d_extras_data *extras_data; /* NULL: use the appearance and ignore the extras */
    uint16_t texture;                         /* for the base color, or FACET_J3D_NONE */
    uint8_t texcoord;                         /* texcoord of the document for the base color */
    bool has_normals, has_color;              /* the vertices of its shapes have them */
    bool has_alpha;                           /* the alpha of color 0 is not 255 everywhere */
} facet_j3d_material_source;

/* Convert a material. If the extras have J3D data, the result is exactly that material. Else it has
 * stages of the texture environment with the same appearance, and losses go to options->report. The
 * caller sets a unique name. */
void facet_j3d_material_from_scene(const facet_j3d_material_source *from,
                                   const facet_options *options, facet_j3d_material *material);

/* Get a texture's transform as rows of a 2 x 3 matrix, for v from the top. `flipped`: that of the
 * texture is for v from the bottom. */
void facet_j3d_texture_rows(const facet_texture *t, bool flipped, float rows[2][3]);

#endif
