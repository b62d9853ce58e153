/* render/series.c - data that one picture keeps for the next. */
#include "render/series.h"
#include "render/render.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

struct facet_render_series {
    const facet_renderer *renderer;
    facet_arena *arena; /* holds the pose of the view; NULL: no pose */
    facet_render_view view;
    const bool *hidden;
    facet_picture bounds; /* bounds of the last picture */
    bool has_bounds;
    facet_arena *light; /* holds the surroundings; NULL: not computed */
    facet_render_surroundings *surroundings;
    facet_image environment; /* image that the surroundings are computed from */
};

facet_status facet_render_series_create(const facet_renderer *renderer,
                                        facet_render_series **series, facet_error *error)
{
    facet_render_series *made = calloc(1, sizeof *made);
    if (!made)
        return facet_fail_memory(error, sizeof *made);
    made->renderer = renderer;
    *series = made;
    return FACET_OK;
}

static void forget_pose(facet_render_series *s)
{
    facet_pose_free(&s->view.pose);
    facet_arena_free(s->arena);
    s->arena = NULL;
    s->has_bounds = false;
    memset(&s->view, 0, sizeof s->view);
}

static void forget_light(facet_render_series *s)
{
    facet_arena_free(s->light);
    s->light = NULL;
    s->surroundings = NULL;
}

void facet_render_series_free(facet_render_series *series)
{
    if (series) {
        forget_pose(series);
        forget_light(series);
    }
    free(series);
}

void facet_render_series_hide(facet_render_series *series, const bool *hidden)
{
    series->hidden = hidden;
    series->has_bounds = false;
}

/* Tangents exist only for modes that show them. */
static bool same_pose(const facet_render_options *a, const facet_render_options *b)
{
    const unsigned shaded = FACET_RENDER_SHADED;
    bool same_time = a->has_time == b->has_time &&
                     (!a->has_time || (a->animation == b->animation && a->time == b->time));
    return same_time && a->console == b->console && a->console == NULL &&
           (!a->modes || a->modes & shaded) == (!b->modes || b->modes & shaded);
}

static bool same_bounds(const facet_render_options *a, const facet_render_options *b)
{
    return a->modes == b->modes && a->file_order == b->file_order;
}

static facet_status pose(facet_render_series *s, facet_render_view *view,
                         const facet_options *options, facet_error *error)
{
    forget_pose(s);
    TRY(facet_arena_create(options, &s->arena, error));
    view->arena = s->arena;
    facet_status status = facet_render_move_materials(view);
    if (!status)
        status = facet_render_pose(view);
    s->view = *view;
    if (status)
        forget_pose(s);
    return status;
}

/* Compare addresses: series.h requires that the bytes do not change. */
static bool same_image(const facet_image *a, const facet_image *b)
{
    return a->data == b->data && a->size == b->size && a->pixels == b->pixels &&
           a->width == b->width && a->height == b->height && a->channels == b->channels &&
           a->is_float == b->is_float;
}

static facet_status surround(facet_render_series *s, facet_render_view *view,
                             const facet_options *options, facet_error *error)
{
    const facet_image *environment = view->how.environment;
    if (environment && !(s->light && same_image(&s->environment, environment))) {
        forget_light(s);
        TRY(facet_arena_create(options, &s->light, error));
        facet_status status = facet_render_make_surroundings(view, s->light);
        s->surroundings = view->surroundings;
        s->environment = *environment;
        if (status)
            forget_light(s);
        TRY(status);
    }
    view->surroundings = environment ? s->surroundings : NULL;
    return FACET_OK;
}

/* Keep the data of the last view that does not depend on the camera. */
static void take_pose(const facet_render_view *from, facet_render_view *to)
{
    to->materials = from->materials;
    to->pose = from->pose;
    to->positions = from->positions;
    memcpy(to->origin, from->origin, sizeof to->origin);
    to->normals = from->normals;
    to->tangents = from->tangents;
    to->mirrored = from->mirrored;
}

static facet_status draw(facet_render_series *s, facet_render_view *view,
                         const facet_options *options, facet_picture *picture, facet_error *error)
{
    TRY(facet_render_begin(view));
    bool is_kept = s->arena && same_pose(&s->view.how, &view->how);
    if (is_kept)
        take_pose(&s->view, view);
    else
        TRY(pose(s, view, options, error));
    bool knows_bounds = s->has_bounds && same_bounds(&s->view.how, &view->how);
    view->bounds = knows_bounds ? &s->bounds : NULL;
    view->hidden = s->hidden;
    s->view.how = view->how;
    view->arena = NULL;
    TRY(facet_arena_create(options, &view->arena, error));
    facet_status status = surround(s, view, options, error);
    if (!status)
        status = facet_render_draw_frame(view, picture);
    facet_arena_free(view->arena);
    if (status != FACET_OK && status != FACET_ERROR_CANCELED)
        return status;
    /* A stopped picture has bounds after its triangles are counted. */
    if (status == FACET_OK || picture->triangles > 0) {
        s->bounds = *picture;
        s->bounds.arena = NULL;
        s->has_bounds = true;
    }
    return status;
}

facet_status facet_render_series_draw(facet_render_series *series,
                                      const facet_render_options *render,
                                      const facet_options *options, facet_picture *picture,
                                      facet_error *error)
{
    facet_render_view view = {.renderer = series->renderer, .options = options, .error = error};
    memset(picture, 0, sizeof *picture);
    if (render)
        view.how = *render;
    TRY(facet_arena_create(options, &picture->arena, error));
    facet_status status = draw(series, &view, options, picture, error);
    if (status)
        facet_picture_free(picture);
    return status;
}

bool facet_render_series_triangle(const facet_render_series *series, uint32_t mesh, uint32_t face,
                                  double corners[3][3])
{
    const facet_renderer *r = series->renderer;
    if (!series->arena || mesh >= r->scene->mesh_count)
        return false;
    for (uint32_t i = 0; i < r->instance_count; i++) {
        const facet_render_instance *instance = &r->instances[i];
        if (instance->mesh != r->scene->meshes[mesh] || instance->ends ||
            face >= instance->mesh->face_count)
            continue;
        for (int c = 0; c < 3; c++) {
            uint32_t vertex = instance->corners[(size_t)face * 3 + c];
            if (vertex >= instance->vertex_count)
                return false;
            for (int k = 0; k < 3; k++)
                corners[c][k] = (double)series->view.positions[instance->first_vertex + vertex][k] +
                                (double)series->view.origin[k];
        }
        return true;
    }
    return false;
}

const uint8_t *facet_render_series_image(const facet_render_series *series, uint32_t image,
                                         uint32_t *width, uint32_t *height)
{
    const facet_renderer *r = series->renderer;
    if (image >= r->scene->image_count || r->images[image].level_count == 0)
        return NULL;
    *width = r->images[image].levels[0].width;
    *height = r->images[image].levels[0].height;
    return r->images[image].levels[0].pixels;
}
