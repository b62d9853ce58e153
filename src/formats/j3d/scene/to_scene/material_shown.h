/* formats/j3d/scene/to_scene/material_shown.h - a scene's view of a material whose state an
 * animation changes. */
#ifndef FACET_J3D_TO_SCENE_MATERIAL_SHOWN_H
#define FACET_J3D_TO_SCENE_MATERIAL_SHOWN_H

#include "formats/j3d/scene/to_scene/material_work.h"

/* A scene's material, derived from a state. */
typedef struct facet_j3d_shown {
    bool is_plain;    /* a color, times at most one unchanged texture; no computed image */
    int base;         /* number of the shown texture in the document, or -1 */
    uint32_t sharing; /* bits of the stages whose textures have the same mapping */
    uint8_t texcoord; /* texcoord of the document that the texture uses */
    float rows[2][3]; /* u' and v' from (u, v, 1) */
    float color[4];   /* linear base color */
    facet_alpha_mode alpha_mode; /* valid if it is transparent */
    float alpha_cutoff;
    facet_j3d_vertex_wants wants;
} facet_j3d_shown;

/* Derives materials of a scene from states of its model. */
typedef struct facet_j3d_viewer {
    j3d_painter painter;
} facet_j3d_viewer;

/* `scratch` must outlive the viewer. *usable is false if the scene's images are not those of the
 * model's textures. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_viewer_make(const facet_j3d *model, facet_scene *scene, facet_arena *scratch,
                                   facet_j3d_viewer *viewer, bool *usable, facet_error *error);

/* Derive the material of a slot from another state. Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_view_material(facet_j3d_viewer *viewer, uint32_t slot,
                                     const facet_gx_material *gx, facet_j3d_shown *shown,
                                     facet_error *error);

/* True if two are equal except for the color. The texture and its transform are compared only if
 * requested. */
bool facet_j3d_shown_alike(const facet_j3d_shown *a, const facet_j3d_shown *b, bool same_place,
                           bool same_texture);
bool facet_j3d_shown_same_color(const facet_j3d_shown *a, const facet_j3d_shown *b);

#endif
