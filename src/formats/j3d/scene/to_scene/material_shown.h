/* formats/j3d/scene/to_scene/material_shown.h - what a scene shows of a material whose state an
 * animation changes. */
#ifndef FACET_J3D_TO_SCENE_MATERIAL_SHOWN_H
#define FACET_J3D_TO_SCENE_MATERIAL_SHOWN_H

#include "formats/j3d/scene/to_scene/material_work.h"

/* A material of a scene as it follows from a state. */
typedef struct facet_j3d_shown {
    bool is_plain;    /* a color, times at most one texture as it is; no computed image */
    int base;         /* the texture that is shown, a number of the document, or -1 */
    uint32_t sharing; /* the stages whose textures lie as that one does: bits */
    uint8_t texcoord; /* of the document, that the texture lies on */
    float rows[2][3]; /* u' and v' of (u, v, 1) */
    float color[4];   /* the base color, linear */
    facet_alpha_mode alpha_mode; /* when something can be seen through */
    float alpha_cutoff;
    facet_j3d_vertex_wants wants;
} facet_j3d_shown;

/* Who looks at the materials of a model in the scene that was made of it. */
typedef struct facet_j3d_viewer {
    j3d_painter painter;
} facet_j3d_viewer;

/* `scratch` outlives the viewer. *usable is false when the scene's images are not those
 * that the model's textures became. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_viewer_make(const facet_j3d *model, facet_scene *scene, facet_arena *scratch,
                                   facet_j3d_viewer *viewer, bool *usable, facet_error *error);

/* The material of a slot with another state. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_view_material(facet_j3d_viewer *viewer, uint32_t slot,
                                     const facet_gx_material *gx, facet_j3d_shown *shown,
                                     facet_error *error);

/* Whether two are alike in all but the color; where the texture lies and which it is may be
 * let differ. */
bool facet_j3d_shown_alike(const facet_j3d_shown *a, const facet_j3d_shown *b, bool same_place,
                           bool same_texture);
bool facet_j3d_shown_same_color(const facet_j3d_shown *a, const facet_j3d_shown *b);

#endif
