/* formats/j3d/scene/from_scene/material.h - a scene's material as one of J3D. */
#ifndef FACET_J3D_FROM_SCENE_MATERIAL_H
#define FACET_J3D_FROM_SCENE_MATERIAL_H

#include <facet/j3d.h>
#include <facet/scene.h>

/* What the extras of a material say it is in J3D. */
typedef struct facet_j3d_told {
    const facet_gx_file_material *file; /* NULL: they say nothing */
    const facet_j3d_material *state;    /* NULL: nothing, or nothing right */
    const char *wrong;                  /* why they are not right, or NULL */
} facet_j3d_told;

/* A material of a scene, and what the document has for it. */
typedef struct facet_j3d_material_source {
    const facet_scene *scene;
    uint32_t material;           /* of the scene; FACET_NONE: faces without one */
    const facet_j3d_told *told;  /* NULL: from what it looks like, whatever the extras say */
    uint16_t texture;            /* of the base color, or FACET_J3D_NONE */
    uint8_t texcoord;            /* which of the document's the base color uses */
    bool has_normals, has_color; /* the vertices that are drawn with it have them */
    bool has_alpha;              /* the alpha of colors 0 is not 255 everywhere */
} facet_j3d_material_source;

/* Exactly the material that the extras describe when they speak of J3D; else
 * stages of the texture environment that look like it, with what is lost in
 * options->report. It gets no name: the caller makes distinct ones. */
void facet_j3d_material_from_scene(const facet_j3d_material_source *from,
                                   const facet_options *options, facet_j3d_material *material);

#endif
