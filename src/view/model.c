/* view/model.c - a file that was opened to be viewed. */
#include "view/model.h"

#include "base/arena.h"
#include "base/error.h"
#include "scene/clips.h"
#include "scene/scene.h"

#include <facet/gx_material.h>
#include <facet/j3d_animation.h>
#include <facet/pose.h>
#include <stdlib.h>
#include <string.h>

/* -- Clips -------------------------------------------------------------- */

static bool has_clip(const facet_view_model *model, const char *name)
{
    for (uint32_t i = 0; i < model->clip_count; i++) {
        if (strcmp(model->clips[i].name, name) == 0)
            return true;
    }
    return false;
}

/* On the console, several kinds of files form one motion, and share its name. In files of other
 * programs, equal names are accidental. */
static facet_status add_clips(facet_view_model *model, facet_error *error)
{
    facet_scene *scene = model->scene;
    uint32_t count = scene->animation_count;
    bool console = facet_scene_is_console(scene);
    model->clips = facet_arena_allocate_zeroed(scene->arena, count, sizeof *model->clips);
    model->states = console ? facet_arena_allocate_zeroed(scene->arena, scene->material_count,
                                                          sizeof *model->states)
                            : NULL;
    if (!model->clips || (console && !model->states))
        return facet_fail_arena(scene->arena, error);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = scene->animations[i]->name;
        if (console && *name && has_clip(model, name))
            continue;
        facet_view_clip *clip = &model->clips[model->clip_count++];
        clip->name = name;
        clip->first = clip->animation = i;
        clip->is_console = console;
        if (console && *name)
            TRY(facet_scene_join_animations(scene, name, i, count, &clip->animation, error));
        clip->duration = facet_animation_duration(scene->animations[clip->animation]);
    }
    return FACET_OK;
}

/* -- Nodes -------------------------------------------------------------- */

/* Add each node before its children, which follow immediately. This is the order in which a tree is
 * displayed. first and next are the first child and the next sibling of each node. */
static void walk_tree(facet_view_model *model, uint32_t *first, uint32_t *next)
{
    const facet_scene *scene = model->scene;
    uint32_t root = FACET_NONE, done = 0;
    for (uint32_t i = 0; i < scene->node_count; i++)
        first[i] = FACET_NONE;
    for (uint32_t i = scene->node_count; i-- > 0;) {
        uint32_t parent = scene->nodes[i]->parent;
        uint32_t *head = parent == FACET_NONE ? &root : &first[parent];
        next[i] = *head;
        *head = i;
    }
    for (uint32_t at = root, depth = 0; at != FACET_NONE;) {
        model->order[done++] = at;
        model->depth[at] = depth;
        if (first[at] != FACET_NONE) {
            at = first[at];
            depth++;
            continue;
        }
        while (at != FACET_NONE && next[at] == FACET_NONE) {
            at = scene->nodes[at]->parent;
            depth--;
        }
        at = at == FACET_NONE ? at : next[at];
    }
}

static facet_status order_nodes(facet_view_model *model, facet_error *error)
{
    facet_scene *scene = model->scene;
    uint32_t count = scene->node_count;
    if (count == 0)
        return FACET_OK;
    model->hidden = facet_arena_allocate_zeroed(scene->arena, count, sizeof *model->hidden);
    model->below = facet_arena_allocate_zeroed(scene->arena, count, sizeof *model->below);
    model->depth = facet_arena_allocate_zeroed(scene->arena, count, sizeof *model->depth);
    model->order = facet_arena_allocate_zeroed(scene->arena, count, sizeof *model->order);
    uint32_t *first = facet_arena_allocate(scene->arena, count, sizeof *first);
    uint32_t *next = facet_arena_allocate(scene->arena, count, sizeof *next);
    if (!model->hidden || !model->below || !model->depth || !model->order || !first || !next)
        return facet_fail_arena(scene->arena, error);
    /* Fails for cyclic hierarchies. */
    TRY(facet_scene_order(scene, model->depth, model->order, error));
    walk_tree(model, first, next);
    facet_arena_release(scene->arena, first, count, sizeof *first);
    facet_arena_release(scene->arena, next, count, sizeof *next);
    return FACET_OK;
}

/* -- The model ---------------------------------------------------------- */

static facet_status prepare(facet_view_model *model, const facet_options *options,
                            facet_error *error)
{
    TRY(add_clips(model, error));
    TRY(order_nodes(model, error));
    for (uint32_t i = 0; i < model->scene->mesh_count; i++)
        model->triangles += model->scene->meshes[i]->face_count;
    TRY(facet_renderer_create(model->scene, options, &model->renderer, error));
    return facet_render_series_create(model->renderer, &model->series, error);
}

facet_status facet_view_model_create(facet_scene *scene, const facet_options *options,
                                     facet_view_model **model, facet_error *error)
{
    facet_view_model *made = calloc(1, sizeof *made);
    if (!made) {
        facet_scene_free(scene);
        return facet_fail_memory(error, sizeof *made);
    }
    made->scene = scene;
    facet_status status = prepare(made, options, error);
    if (status)
        facet_view_model_free(made);
    else
        *model = made;
    return status;
}

facet_status facet_view_model_open(const facet_view_host *host, const facet_view_files *files,
                                   const facet_options *options, facet_view_model **model,
                                   facet_error *error)
{
    facet_scene *scene = NULL;
    double begin = host->now(host->user);
    TRY(host->load(host->user, files, options, &scene, error));
    TRY(facet_view_model_create(scene, options, model, error));
    (*model)->load_milliseconds = host->now(host->user) - begin;
    return FACET_OK;
}

void facet_view_model_free(facet_view_model *model)
{
    if (!model)
        return;
    facet_render_series_free(model->series);
    facet_renderer_free(model->renderer);
    facet_scene_free(model->scene);
    free(model);
}

facet_status facet_view_model_pose(const facet_view_model *model, uint32_t clip, double time,
                                   const facet_options *options, facet_render_options *render,
                                   facet_error *error)
{
    render->has_time = clip < model->clip_count;
    render->console = NULL;
    if (!render->has_time)
        return FACET_OK;
    const facet_view_clip *c = &model->clips[clip];
    render->animation = c->animation;
    render->time = time;
    if (!c->is_console)
        return FACET_OK;
    uint32_t count = 0;
    memset(model->states, 0, model->scene->material_count * sizeof *model->states);
    TRY(facet_j3d_pose_materials(model->scene, c->name, time, options, model->states, &count,
                                 error));
    render->console = count > 0 ? model->states : NULL;
    return FACET_OK;
}

/* -- What is seen of it ------------------------------------------------- */

void facet_view_model_hide(facet_view_model *model, uint32_t node, bool hide)
{
    const facet_scene *scene = model->scene;
    if (node >= scene->node_count)
        return;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        uint32_t at = model->order[i], parent = scene->nodes[at]->parent;
        model->below[at] = at == node || (parent != FACET_NONE && model->below[parent]);
        if (model->below[at])
            model->hidden[at] = hide;
    }
    facet_render_series_hide(model->series, model->hidden);
}

void facet_view_model_isolate(facet_view_model *model, uint32_t node)
{
    if (node >= model->scene->node_count)
        return;
    memset(model->hidden, 1, model->scene->node_count);
    facet_view_model_hide(model, node, false);
}

void facet_view_model_show_all(facet_view_model *model)
{
    if (model->hidden)
        memset(model->hidden, 0, model->scene->node_count);
    facet_render_series_hide(model->series, model->hidden);
}
