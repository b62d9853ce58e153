/* view/viewer.c - the state of the viewer between pictures. */
#include "view/state.h"

#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Milliseconds: per frame while something moves, until the view is at rest, for a message, for each
 * of two alternating pictures, between checks of files. */
static const double FRAME = 33, SETTLED = 120, MESSAGE = 4000, FLICKER = 500, LOOK = 250;

static double now_of(const facet_viewer *v)
{
    return v->host.now(v->host.user);
}

/* -- Making ------------------------------------------------------------- */

facet_status facet_viewer_create(const facet_view_host *host, const facet_view_settings *settings,
                                 const facet_options *options, facet_viewer **viewer,
                                 facet_error *error)
{
    facet_viewer *v = calloc(1, sizeof *v);
    if (!v)
        return facet_fail_memory(error, sizeof *v);
    v->host = *host;
    v->settings = *settings;
    v->options = *options;
    v->options.progress = NULL;
    v->render = settings->render;
    v->render.samples = 1;
    if (settings->render.light)
        memcpy(v->light, settings->render.light, sizeof v->light);
    if (settings->render.camera) {
        facet_orbit_set(&v->orbit, settings->render.camera);
        v->has_camera = true;
    }
    v->divisor = 1;
    v->speed = 1;
    v->clip = FACET_NONE;
    v->grid = false;
    v->ticked = v->walked = v->looked = now_of(v);
    *viewer = v;
    return FACET_OK;
}

static void free_panes(facet_viewer *v)
{
    for (int i = 0; i < 2; i++) {
        if (v->panes[i].has_picture)
            facet_picture_free(&v->panes[i].picture);
        v->panes[i].has_picture = false;
    }
}

void facet_viewer_free(facet_viewer *viewer)
{
    if (!viewer)
        return;
    free_panes(viewer);
    facet_view_model_free(viewer->difference);
    facet_view_free_entries(viewer);
    free(viewer);
}

void facet_viewer_set_interrupt(facet_viewer *viewer, bool (*interrupt)(void *user), void *user)
{
    viewer->interrupt = interrupt;
    viewer->interrupt_user = user;
}

bool facet_viewer_is_done(const facet_viewer *viewer)
{
    return viewer->is_done;
}

uint64_t facet_viewer_triangles(facet_viewer *viewer)
{
    facet_view_model *model = facet_view_model_of(viewer);
    return model ? model->triangles : 0;
}

void facet_viewer_title(facet_viewer *viewer, char *title, size_t space)
{
    const facet_view_entry *entry = facet_view_current(viewer);
    const char *path = entry ? entry->paths[0] : "facet view";
    const char *slash = strrchr(path, '/');
    if (viewer->entry_count > 1)
        snprintf(title, space, "%s (%zu of %zu) - Facet", slash ? slash + 1 : path,
                 viewer->current + 1, viewer->entry_count);
    else
        snprintf(title, space, "%s - Facet", slash ? slash + 1 : path);
}

/* -- Pictures ----------------------------------------------------------- */

static bool is_first_shown(const facet_viewer *v)
{
    return v->layout != FACET_LAYOUT_FLICKER || !v->flicker_second;
}

/* Assign models to panes. */
static void lay_out(facet_viewer *v)
{
    facet_view_model *first = v->entries[v->current].model, *second = NULL;
    if (facet_view_shows_both(v))
        second = v->entries[facet_view_second(v)].model;
    facet_view_pane *left = &v->panes[0], *right = &v->panes[1];
    v->pane_count = 1;
    left->x = 0;
    left->width = v->width;
    left->model = first;
    if (v->layout == FACET_LAYOUT_BOTH && second) {
        left->width = v->width / 2;
        right->x = left->width;
        right->width = v->width - right->x;
        right->model = second;
        v->pane_count = left->width > 0 ? 2 : 1;
    } else if (v->layout == FACET_LAYOUT_FLICKER && second && v->flicker_second) {
        left->model = second;
    } else if (v->layout == FACET_LAYOUT_DIFFERENCE && v->difference) {
        left->model = v->difference;
    }
}

static bool ask_interrupt(void *user, const char *step, double fraction)
{
    facet_viewer *v = user;
    (void)step;
    (void)fraction;
    return !v->interrupt(v->interrupt_user);
}

/* Set the options for `facet render`, except size and samples. */
static facet_status set_render(facet_viewer *v, const facet_view_model *model,
                               facet_render_options *how, facet_error *error)
{
    *how = v->render;
    how->background = v->background == 0 ? v->settings.render.background : NULL;
    if (!how->background)
        how->background = facet_view_backgrounds[v->background].color;
    how->camera = NULL;
    if (v->has_camera) {
        v->camera = facet_orbit_camera(&v->orbit);
        how->camera = &v->camera;
    }
    how->light = v->light[0] != 0 || v->light[1] != 0 || v->light[2] != 0 ? v->light : NULL;
    if (model == v->difference) {
        how->modes = how->modes & FACET_RENDER_WIREFRAME
                         ? FACET_RENDER_SHADED | FACET_RENDER_WIREFRAME
                         : FACET_RENDER_SHADED;
        how->has_time = false;
        how->console = NULL;
        return FACET_OK;
    }
    if (how->modes & FACET_RENDER_TEXTURE && how->texture >= model->scene->image_count)
        how->modes = (how->modes & ~(unsigned)FACET_RENDER_TEXTURE) | FACET_RENDER_SHADED;
    return facet_view_model_pose(model, v->clip, v->time, &v->options, how, error);
}

static facet_status draw_pane(facet_viewer *v, facet_view_pane *pane, uint32_t samples, int divisor,
                              bool may_stop, facet_error *error)
{
    facet_render_options how;
    facet_options options = v->options;
    facet_picture picture;
    options.report = NULL;
    TRY(set_render(v, pane->model, &how, error));
    if (v->grid || how.background[3] != 255)
        how.background = NULL;
    how.width = (uint32_t)((pane->width + divisor - 1) / divisor);
    how.height = (uint32_t)((v->height + divisor - 1) / divisor);
    how.samples = samples;
    if (how.line_width > 0)
        how.line_width /= divisor;
    if (may_stop && v->interrupt) {
        options.progress = ask_interrupt;
        options.progress_user = v;
    }
    TRY(facet_render_series_draw(pane->model->series, &how, &options, &picture, error));
    if (pane->has_picture)
        facet_picture_free(&pane->picture);
    pane->picture = picture;
    pane->has_picture = true;
    if (!v->has_camera) {
        facet_orbit_set(&v->orbit, &picture.camera);
        v->has_camera = true;
    }
    return FACET_OK;
}

/* Draw both panes. False if drawing stopped or failed: then the old pictures stay. */
static bool draw_panes(facet_viewer *v, uint32_t samples, int divisor, bool may_stop)
{
    facet_error error;
    lay_out(v);
    for (int i = 0; i < v->pane_count; i++) {
        if (!v->panes[i].model)
            return false;
        facet_status status = draw_pane(v, &v->panes[i], samples, divisor, may_stop, &error);
        if (status && status != FACET_ERROR_CANCELED)
            facet_view_say(v, "%s", error.message);
        if (status)
            return false;
    }
    return true;
}

/* Lower the resolution if frames are slow, raise it if they are fast. If a change does not help,
 * undo it: the number of pixels matters only in some scenes. */
static void set_divisor(facet_viewer *v)
{
    if (v->frame_milliseconds > FRAME * 1.5 && v->divisor < 3)
        v->divisor++;
    else if (v->frame_milliseconds < FRAME * 0.4 && v->divisor > 1)
        v->divisor--;
}

static bool draw_moving(facet_viewer *v)
{
    double begin = now_of(v);
    bool is_first = v->quality == 0;
    int divisor = is_first ? 1 : v->divisor;
    bool drawn = draw_panes(v, 1, divisor, false);
    v->is_dirty = false;
    v->quality = divisor == 1 ? 1 : 0;
    v->frame_milliseconds = now_of(v) - begin;
    if (v->quality == 0)
        v->quality = 1;
    if (!is_first)
        set_divisor(v);
    return drawn;
}

/* Draw with 4 samples, then with 16 if this size permits. */
static bool refine(facet_viewer *v)
{
    bool is_last = v->quality >= 2;
    bool is_large = v->width > 4096 || v->height > 4096;
    if (is_last && is_large) {
        v->quality = 3;
        return false;
    }
    if (!draw_panes(v, is_last ? 16 : 4, 1, true)) {
        v->moved = now_of(v); /* try again after a pause */
        return false;
    }
    v->quality++;
    return true;
}

/* -- What lies under a transparent picture ------------------------------ */

static void draw_grid(facet_viewer *v, const facet_canvas *canvas, const facet_view_pane *pane)
{
    const facet_picture *p = &pane->picture;
    double side = fmax(p->maximum[0] - p->minimum[0], p->maximum[2] - p->minimum[2]);
    if (!p->any || !(side > 0))
        return;
    double step = pow(10, floor(log10(side))), y = p->minimum[1];
    step = side / step < 3 ? step / 5 : side / step < 6 ? step / 2 : step;
    facet_canvas part = {canvas->pixels, canvas->width, canvas->height, canvas->scale};
    facet_render_camera camera = facet_orbit_camera(&v->orbit);
    double low_x = floor(p->minimum[0] / step - 1) * step,
           low_z = floor(p->minimum[2] / step - 1) * step;
    int count_x = (int)ceil((p->maximum[0] - low_x) / step + 1);
    int count_z = (int)ceil((p->maximum[2] - low_z) / step + 1);
    for (int i = 0; i <= count_x; i++) {
        double a[3] = {low_x + i * step, y, low_z}, b[3] = {a[0], y, low_z + count_z * step}, s[2],
               t[2];
        if (facet_orbit_project(&camera, a, pane->width, v->height, s) &&
            facet_orbit_project(&camera, b, pane->width, v->height, t))
            facet_canvas_line(&part, pane->x + s[0], s[1], pane->x + t[0], t[1], 1, 0x9AA4B066);
    }
    for (int i = 0; i <= count_z; i++) {
        double a[3] = {low_x, y, low_z + i * step}, b[3] = {low_x + count_x * step, y, a[2]}, s[2],
               t[2];
        if (facet_orbit_project(&camera, a, pane->width, v->height, s) &&
            facet_orbit_project(&camera, b, pane->width, v->height, t))
            facet_canvas_line(&part, pane->x + s[0], s[1], pane->x + t[0], t[1], 1, 0x9AA4B066);
    }
}

static void draw_background(facet_viewer *v, const facet_canvas *canvas)
{
    const facet_view_background *b = &facet_view_backgrounds[v->background];
    const uint8_t *c = b->color;
    if (v->background == 0 && v->settings.render.background)
        c = v->settings.render.background;
    if (c[3] != 255)
        facet_canvas_checks(canvas, 0, 0, canvas->width, canvas->height);
    facet_canvas_fill(canvas, 0, 0, canvas->width, canvas->height,
                      (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | c[3]);
}

static void compose(facet_viewer *v, uint8_t *pixels)
{
    facet_canvas canvas = {pixels, v->width, v->height, facet_view_scale(v)};
    bool is_covered = !v->grid && v->panes[0].has_picture &&
                      facet_view_backgrounds[v->background].color[3] == 255 &&
                      (v->background > 0 || !v->settings.render.background ||
                       v->settings.render.background[3] == 255);
    if (!is_covered || !v->panes[0].model)
        draw_background(v, &canvas);
    for (int i = 0; i < v->pane_count; i++) {
        const facet_view_pane *pane = &v->panes[i];
        if (!pane->has_picture || !pane->model)
            continue;
        if (v->grid)
            draw_grid(v, &canvas, pane);
        const facet_image *image = &pane->picture.image;
        int divisor = (pane->width + (int)image->width - 1) / (int)image->width;
        facet_canvas_picture(&canvas, pane->x, 0, (int)image->width * divisor,
                             (int)image->height * divisor, image->pixels, image->width,
                             image->height);
    }
    facet_view_draw_overlay(v, &canvas);
    v->is_overlay_new = false;
}

/* -- Time --------------------------------------------------------------- */

static void play(facet_viewer *v, double now)
{
    facet_view_model *model = facet_view_model_of(v);
    double passed = now - v->ticked;
    v->ticked = now;
    if (!v->is_playing || !model || v->clip >= model->clip_count)
        return;
    double duration = model->clips[v->clip].duration;
    v->time += passed / 1000 * v->speed;
    v->time = duration > 0 ? fmod(v->time, duration) : 0;
    facet_view_touch(v);
}

static void walk(facet_viewer *v, double now)
{
    double passed = fmin(now - v->walked, 100) / 1000, along[3] = {0, 0, 0};
    bool any = false;
    v->walked = now;
    for (int i = 0; i < 6; i++) {
        any |= v->held[i];
        along[i / 2] += v->held[i] ? (i % 2 ? -passed : passed) : 0;
    }
    if (!any || !v->has_camera)
        return;
    facet_orbit_walk(&v->orbit, along[0], along[1], along[2]);
    facet_view_touch(v);
}

static void flicker(facet_viewer *v, double now)
{
    if (v->layout != FACET_LAYOUT_FLICKER || now - v->flickered < FLICKER)
        return;
    v->flickered = now;
    v->flicker_second = !v->flicker_second;
    facet_view_touch(v);
    v->moved = now - SETTLED; /* nothing moves: start to refine now */
}

static bool is_held(const facet_viewer *v)
{
    bool any = false;
    for (int i = 0; i < 6; i++)
        any |= v->held[i];
    return any;
}

static int wait_of(const facet_viewer *v, double now)
{
    double wait = 60000;
    bool runs = v->is_playing || is_held(v) || v->is_dirty;
    if (runs)
        return 1;
    if (v->quality < 3)
        wait = fmin(wait, v->moved + SETTLED - now);
    if (v->layout == FACET_LAYOUT_FLICKER)
        wait = fmin(wait, v->flickered + FLICKER - now);
    if (v->settings.watches)
        wait = fmin(wait, v->looked + LOOK - now);
    if (*v->message)
        wait = fmin(wait, v->message_time + MESSAGE - now);
    return wait < 1 ? 1 : (int)wait;
}

bool facet_viewer_step(facet_viewer *viewer, uint8_t *pixels, int width, int height, int *wait)
{
    facet_viewer *v = viewer;
    double now = now_of(v);
    bool is_new = false;
    if (width != v->width || height != v->height) {
        v->width = width;
        v->height = height;
        facet_view_touch(v);
        is_new = true;
    }
    if (v->settings.watches && now - v->looked >= LOOK)
        facet_view_watch(v, now);
    play(v, now);
    walk(v, now);
    flicker(v, now);
    if (*v->message && now - v->message_time >= MESSAGE) {
        *v->message = '\0';
        v->is_overlay_new = true;
    }
    if (facet_view_model_of(v)) {
        if (v->is_dirty)
            is_new |= draw_moving(v);
        else if (v->quality < 3 && now - v->moved >= SETTLED)
            is_new |= refine(v);
    } else if (v->is_dirty || v->quality < 3) {
        v->is_dirty = false;
        v->quality = 3;
        v->pane_count = 0;
        is_new = true;
    }
    is_new |= v->is_overlay_new;
    if (is_new)
        compose(v, pixels);
    *wait = wait_of(v, now_of(v));
    return is_new;
}

/* -- Pictures that are kept --------------------------------------------- */

/* Round to the printed digits: the printed command then draws the same picture. */
static void round_numbers(double numbers[3])
{
    for (int i = 0; i < 3; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.9g", numbers[i]);
        numbers[i] = strtod(text, NULL);
    }
}

static void round_camera(facet_render_camera *camera)
{
    double lens[3] = {camera->field_of_view, camera->height, 0};
    round_numbers(camera->position);
    round_numbers(camera->target);
    round_numbers(camera->up);
    round_numbers(lens);
    camera->field_of_view = lens[0];
    camera->height = lens[1];
}

facet_status facet_viewer_save(facet_viewer *viewer, const char *path, int width, int height,
                               facet_error *error)
{
    facet_viewer *v = viewer;
    facet_render_options how;
    facet_picture picture;
    const facet_view_entry *entry = facet_view_current(v);
    lay_out(v);
    facet_view_model *model = v->panes[0].model;
    if (!model)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET, "no file is open");
    TRY(set_render(v, model, &how, error));
    if (how.camera)
        round_camera(&v->camera);
    how.width = (uint32_t)width;
    how.height = (uint32_t)height;
    how.samples = v->settings.render.samples;
    TRY(facet_render_series_draw(model->series, &how, &v->options, &picture, error));
    v->camera = picture.camera;
    how.camera = &v->camera;
    char clip[32] = "";
    const char *named = NULL;
    if (how.has_time && v->clip < model->clip_count) {
        const facet_view_clip *c = &model->clips[v->clip];
        snprintf(clip, sizeof clip, "%u", c->first);
        named = c->is_console && *c->name ? c->name : clip;
    }
    if (!is_first_shown(v) && facet_view_shows_both(v))
        entry = &v->entries[facet_view_second(v)];
    facet_view_files files = {(const char *const *)entry->paths, entry->path_count,
                              entry->with_normals};
    facet_status status = v->host.save(v->host.user, &files, &picture, &how, named, path, error);
    facet_picture_free(&picture);
    return status;
}

facet_status facet_viewer_measure(facet_viewer *viewer, uint8_t *pixels, int width, int height,
                                  unsigned count, double *times, facet_error *error)
{
    facet_viewer *v = viewer;
    if (!facet_view_model_of(v))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET, "no file is open");
    for (unsigned i = 0; i < count; i++) {
        double begin = now_of(v);
        v->width = width;
        v->height = height;
        if (i > 0)
            facet_orbit_turn(&v->orbit, 360.0 / count, 0);
        lay_out(v);
        for (int k = 0; k < v->pane_count; k++)
            TRY(draw_pane(v, &v->panes[k], 1, 1, false, error));
        compose(v, pixels);
        times[i] = now_of(v) - begin;
    }
    return FACET_OK;
}
