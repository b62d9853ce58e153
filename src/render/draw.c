/* render/draw.c - one picture, from the options to its pixels. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/threads.h"

#include <facet/base.h>
#include <string.h>

enum { MAX_SIDE = 8192 };

/* -- Options ------------------------------------------------------------ */

static facet_status refuse(facet_error *error, const char *rule, const char *why)
{
    return facet_fail(error, FACET_ERROR_ARGUMENT, rule, FACET_NO_OFFSET, "%s", why);
}

static facet_status check_options(facet_render_view *view)
{
    facet_render_options *how = &view->how;
    const facet_scene *scene = view->renderer->scene;
    how->width = how->width ? how->width : 512;
    how->height = how->height ? how->height : 512;
    how->samples = how->samples ? how->samples : 4;
    how->line_width = how->line_width > 0 ? how->line_width : 1.5;
    if (how->width > MAX_SIDE || how->height > MAX_SIDE)
        return refuse(view->error, "RENDER-SIZE", "a picture has 1 to 8,192 pixels on a side");
    if (how->samples != 1 && how->samples != 4 && how->samples != 16)
        return refuse(view->error, "RENDER-SAMPLES", "a pixel has 1, 4 or 16 samples");
    if (!(how->line_width <= MAX_SIDE))
        return refuse(view->error, "RENDER-SIZE", "lines are at most 8,192 pixels wide");
    if (how->has_time && how->animation >= scene->animation_count)
        return refuse(view->error, "RENDER-ANIMATION", "the scene has no such animation");
    uint32_t side = how->width > how->height ? how->width : how->height;
    if (how->samples == 16 && side * 4 > FACET_RENDER_SAMPLES)
        return refuse(view->error, "RENDER-SAMPLES",
                      "a picture with 16 samples per pixel has 1 to 4,096 pixels on a side");
    /* Use the first mode that fills faces. Without one, draw overlays on clay. */
    unsigned fills = how->modes & 0xFFFF;
    view->fill = fills        ? fills & (~fills + 1)
                 : how->modes ? (unsigned)FACET_RENDER_CLAY
                              : (unsigned)FACET_RENDER_SHADED;
    if (view->fill == FACET_RENDER_TEXTURE &&
        (how->texture >= scene->image_count ||
         view->renderer->images[how->texture].level_count == 0))
        return refuse(view->error, "RENDER-TEXTURE",
                      "the image does not exist, or no material shows it");
    if (!(how->exposure >= -32 && how->exposure <= 32))
        return refuse(view->error, "RENDER-EXPOSURE", "an exposure has -32 to 32 stops");
    if (!(how->shadow >= 0 && how->shadow <= 1))
        return refuse(view->error, "RENDER-SHADOW", "the strength of a shadow is 0 to 1");
    if (!(how->environment_rotation >= -36000 && how->environment_rotation <= 36000))
        return refuse(view->error, "RENDER-ENVIRONMENT",
                      "an environment turns by -36000 to 36000 degrees");
    view->exposure = (float)facet_exact_exp2(how->exposure);
    view->key = how->environment && !how->light ? 0 : 0.6f;
    return FACET_OK;
}

static void set_size(facet_render_view *view)
{
    view->width = view->how.width;
    view->height = view->how.height;
    view->grid = view->how.samples == 16 ? 4 : view->how.samples == 4 ? 2 : 1;
    static const int32_t shifts[5][4] = {[2] = {64, -64, 64, -64}, [4] = {96, 32, -32, -96}};
    memcpy(view->shifts, shifts[view->grid], sizeof view->shifts);
    view->columns = view->width * view->grid;
    view->rows = view->height * view->grid;
    view->tiles_x = (view->columns + FACET_RENDER_TILE - 1) / FACET_RENDER_TILE;
    view->tiles_y = (view->rows + FACET_RENDER_TILE - 1) / FACET_RENDER_TILE;
    if (view->how.background)
        memcpy(view->background, view->how.background, 4);
}

/* -- Drawing ------------------------------------------------------------ */

static facet_status make_space(facet_render_view *view)
{
    uint32_t count = view->renderer->vertex_count;
    view->places = facet_arena_allocate(view->arena, count, sizeof *view->places);
    view->points = facet_arena_allocate(view->arena, count, sizeof *view->points);
    view->outside = facet_arena_allocate(view->arena, count, 1);
    if (!view->places || !view->points || !view->outside)
        return facet_fail_arena(view->arena, view->error);
    return FACET_OK;
}

/* Place the camera, and transform the vertices to its axes. */
static facet_status place(facet_render_view *view, facet_picture *picture)
{
    facet_status status = FACET_OK;
    if (!view->bounds || !view->how.camera)
        status = facet_render_order(view); /* visible batches; sorted after the camera is placed */
    if (!status)
        status = facet_render_place_camera(view, picture);
    bool turned = false;
    if (!status)
        status = facet_render_turn_billboards(view, &turned);
    if (!status && turned)
        status = facet_render_place_planes(view);
    if (!status)
        status = facet_render_order(view);
    if (!status)
        status = make_space(view);
    if (status)
        return status;
    TRY(facet_render_surround(view));
    TRY(facet_render_place_lamps(view));
    facet_render_project(view);
    facet_render_widen_strokes(view);
    return FACET_OK;
}

facet_status facet_render_draw_frame(facet_render_view *view, facet_picture *picture)
{
    view->pixels = facet_arena_allocate(picture->arena, (size_t)view->width * view->height, 4);
    if (!view->pixels)
        return facet_fail_arena(picture->arena, view->error);
    picture->image = (facet_image){.name = "",
                                   .media_type = "",
                                   .pixels = view->pixels,
                                   .width = view->width,
                                   .height = view->height,
                                   .channels = 4};
    TRY(place(view, picture));
    TRY(facet_render_light_vertices(view));
    TRY(facet_render_fill_bins(view));
    TRY(facet_render_place_ground(view));
    if (!facet_scratch_make(&view->tile_scratch, view->arena, view->options,
                            facet_render_tile_size))
        return facet_fail_arena(view->arena, view->error);
    for (uint32_t d = 0; d < view->draw_count; d++)
        picture->triangles += view->draws[d].instance->ends ? 0 : view->draws[d].batch->face_count;
    size_t tiles = (size_t)view->tiles_x * view->tiles_y;
    TRY(facet_run_steps(view->options, facet_render_tile, view, tiles, "draw",
                        (const double[2]){0, 1}, view->error));
    return facet_render_works_too_long(view) ? facet_render_fail_work(view) : FACET_OK;
}

facet_status facet_render_begin(facet_render_view *view)
{
    TRY(check_options(view));
    set_size(view);
    return FACET_OK;
}

static facet_status draw(facet_render_view *view, facet_picture *picture)
{
    TRY(facet_render_begin(view));
    TRY(facet_step(view->options, "draw", 0, view->error));
    TRY(facet_render_move_materials(view));
    TRY(facet_render_pose(view));
    return facet_render_draw_frame(view, picture);
}

facet_status facet_renderer_draw(const facet_renderer *renderer, const facet_render_options *render,
                                 const facet_options *options, facet_picture *picture,
                                 facet_error *error)
{
    facet_render_view view = {.renderer = renderer, .options = options, .error = error};
    memset(picture, 0, sizeof *picture);
    facet_status status = FACET_OK;
    TRY(FACET_CHECK_STRUCT(render, facet_render_options, error));
    if (render)
        view.how = *render;
    status = facet_arena_create(options, &picture->arena, error);
    if (!status)
        status = facet_arena_create(options, &view.arena, error);
    if (!status)
        status = draw(&view, picture);
    facet_pose_free(&view.pose);
    facet_arena_free(view.arena);
    if (status)
        facet_picture_free(picture);
    return status;
}

void facet_picture_free(facet_picture *picture)
{
    facet_arena_free(picture->arena);
    memset(picture, 0, sizeof *picture);
}
