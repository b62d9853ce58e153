/* view/model.h - a file that was opened to be viewed: its scene, ready to be drawn, and its
 * animations. */
#ifndef FACET_VIEW_MODEL_H
#define FACET_VIEW_MODEL_H

#include "render/series.h"
#include "view/host.h"

/* An animation that can be played. */
typedef struct facet_view_clip {
    const char *name;
    uint32_t first;     /* first animation of the scene in this clip */
    uint32_t animation; /* merged animation, with the channels of all animations of the name */
    double duration;    /* seconds */
    bool is_console;    /* animates console materials, by name */
} facet_view_clip;

typedef struct facet_view_model {
    facet_scene *scene;
    facet_renderer *renderer;
    facet_render_series *series;
    facet_view_clip *clips;
    uint32_t clip_count;
    bool *hidden;                     /* per node; NULL: the scene has no nodes */
    bool *below;                      /* per node: its subtree is hidden or shown; temporary */
    uint32_t *depth, *order;          /* per node: its depth; nodes with parents before children */
    struct facet_gx_material *states; /* state of console materials; NULL: not a console model */
    uint64_t triangles;               /* total of all meshes, each counted once */
    double load_milliseconds;
} facet_view_model;

facet_status facet_view_model_open(const facet_view_host *host, const facet_view_files *files,
                                   const facet_options *options, facet_view_model **model,
                                   facet_error *error);
/* Do the same for a scene. The model becomes the owner, also on failure. */
facet_status facet_view_model_create(facet_scene *scene, const facet_options *options,
                                     facet_view_model **model, facet_error *error);
/* `model` may be NULL. */
void facet_view_model_free(facet_view_model *model);

/* Set the animation and time in `render`: `clip` at `time` seconds; FACET_NONE: at rest. */
facet_status facet_view_model_pose(const facet_view_model *model, uint32_t clip, double time,
                                   const facet_options *options, facet_render_options *render,
                                   facet_error *error);

/* Hide or show a node with its subtree. */
void facet_view_model_hide(facet_view_model *model, uint32_t node, bool hide);
/* Hide all nodes except a node and its subtree. */
void facet_view_model_isolate(facet_view_model *model, uint32_t node);
void facet_view_model_show_all(facet_view_model *model);

#endif
