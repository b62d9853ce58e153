/* view/model.h - a file that was opened to be looked at: its scene, ready to be drawn, and what
 * moves in it. */
#ifndef FACET_VIEW_MODEL_H
#define FACET_VIEW_MODEL_H

#include "render/series.h"
#include "view/host.h"

/* An animation that can be played. */
typedef struct facet_view_clip {
    const char *name;
    uint32_t first;     /* animation of the scene that it begins with */
    uint32_t animation; /* the same with the channels of all of the name */
    double duration;    /* seconds */
    bool is_console;    /* console materials move, by its name */
} facet_view_clip;

typedef struct facet_view_model {
    facet_scene *scene;
    facet_renderer *renderer;
    facet_render_series *series;
    facet_view_clip *clips;
    uint32_t clip_count;
    bool *hidden;                     /* nodes; NULL: the scene has none */
    bool *below;                      /* of the node that is hidden or shown: while that is done */
    uint32_t *depth, *order;          /* of nodes: how deep they are, and parents before children */
    struct facet_gx_material *states; /* of console materials; NULL: there are none */
    uint64_t triangles;               /* of all meshes, each once */
    double load_milliseconds;
} facet_view_model;

facet_status facet_view_model_open(const facet_view_host *host, const facet_view_files *files,
                                   const facet_options *options, facet_view_model **model,
                                   facet_error *error);
/* The same of a scene, which then is the model's, also on failure. */
facet_status facet_view_model_create(facet_scene *scene, const facet_options *options,
                                     facet_view_model **model, facet_error *error);
/* NULL is fine. */
void facet_view_model_free(facet_view_model *model);

/* Set what `render` says of time: `clip` at `time` seconds; FACET_NONE: at rest. */
facet_status facet_view_model_pose(const facet_view_model *model, uint32_t clip, double time,
                                   const facet_options *options, facet_render_options *render,
                                   facet_error *error);

/* Hide or show a node with all below it. */
void facet_view_model_hide(facet_view_model *model, uint32_t node, bool hide);
/* Hide all but a node and what is below it. */
void facet_view_model_isolate(facet_view_model *model, uint32_t node);
void facet_view_model_show_all(facet_view_model *model);

#endif
