/* view/actions.c - the effects of events on the viewer. */
#include "view/state.h"

#include "view/keys.h"

#include <facet/base.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* -- Panels ------------------------------------------------------------- */

/* Selected node; FACET_NONE if another panel is open. */
static uint32_t selected_node(facet_viewer *v)
{
    const facet_view_model *model = facet_view_model_of(v);
    int at = v->selected[FACET_PANEL_NODES];
    if (v->panel != FACET_PANEL_NODES || !model || at >= (int)model->scene->node_count)
        return FACET_NONE;
    return model->order[at];
}

void facet_view_select(facet_viewer *viewer, int by)
{
    facet_viewer *v = viewer;
    int count = facet_view_item_count(v), visible = facet_view_visible_items(v);
    if (count == 0)
        return;
    int at = v->selected[v->panel] + by;
    at = at < 0 ? 0 : at >= count ? count - 1 : at;
    v->selected[v->panel] = at;
    int *first = &v->scrolled[v->panel];
    *first = at < *first ? at : at >= *first + visible ? at - visible + 1 : *first;
    facet_view_touch_overlay(v);
}

static void set_clip(facet_viewer *v, uint32_t clip, bool plays)
{
    v->clip = clip;
    v->time = 0;
    v->is_playing = plays && clip != FACET_NONE;
    facet_view_touch(v);
}

static void hide(facet_viewer *v)
{
    uint32_t node = selected_node(v);
    facet_view_model *model = facet_view_model_of(v);
    if (node == FACET_NONE)
        return;
    facet_view_model_hide(model, node, !model->hidden[node]);
    facet_view_touch(v);
}

/* -- Modes -------------------------------------------------------------- */

static const unsigned fills[] = {FACET_RENDER_SHADED,   FACET_RENDER_CLAY,   FACET_RENDER_NORMALS,
                                 FACET_RENDER_TANGENTS, FACET_RENDER_UV,     FACET_RENDER_WEIGHTS,
                                 FACET_RENDER_JOINTS,   FACET_RENDER_FACING, FACET_RENDER_OVERDRAW,
                                 FACET_RENDER_MATERIAL};
enum { FILLS = sizeof fills / sizeof *fills };

static const unsigned OVER = FACET_RENDER_WIREFRAME | FACET_RENDER_HULLS | FACET_RENDER_OCCLUDER;

/* No mode at all means the default of `facet render` without --mode. */
static void set_modes(facet_viewer *v, unsigned modes)
{
    facet_view_entry *entry = facet_view_current(v);
    v->render.modes = modes == FACET_RENDER_SHADED ? 0 : modes;
    facet_view_touch(v);
    /* Console models are read without normals, which other modes show. */
    if (entry && entry->model && entry->model->states &&
        entry->with_normals != (v->render.modes != 0))
        facet_view_reload(v, entry);
}

static void next_mode(facet_viewer *v, int by)
{
    unsigned fill = v->render.modes & ~OVER, over = v->render.modes & OVER;
    int at = fill || !over ? 0 : 1;
    for (int i = 0; i < FILLS; i++) {
        if (fills[i] == fill)
            at = i;
    }
    set_modes(v, fills[(at + by + FILLS) % FILLS] | over);
}

static void toggle_over(facet_viewer *v, unsigned bit)
{
    unsigned modes = v->render.modes ? v->render.modes : (unsigned)FACET_RENDER_SHADED;
    set_modes(v, modes ^ bit);
}

static void show_texture(facet_viewer *v, uint32_t image)
{
    v->render.texture = image;
    set_modes(v, FACET_RENDER_TEXTURE | (v->render.modes & OVER));
}

void facet_view_activate(facet_viewer *viewer)
{
    facet_viewer *v = viewer;
    int at = v->selected[v->panel];
    if (at >= facet_view_item_count(v))
        return;
    if (v->panel == FACET_PANEL_ANIMATIONS)
        set_clip(v, at == 0 ? FACET_NONE : (uint32_t)at - 1, true);
    else if (v->panel == FACET_PANEL_NODES)
        hide(v);
    else if (v->panel == FACET_PANEL_TEXTURES)
        show_texture(v, (uint32_t)at);
    else if (v->panel == FACET_PANEL_FINDINGS)
        facet_view_jump(v, (size_t)at);
}

static void open_panel(facet_viewer *v, facet_view_panel panel)
{
    v->panel = v->panel == panel ? FACET_PANEL_NONE : panel;
    v->hides_overlay = false;
    if (v->panel == FACET_PANEL_FINDINGS)
        facet_view_find(v);
    facet_view_select(v, 0);
    facet_view_touch_overlay(v);
}

/* -- The camera --------------------------------------------------------- */

/* Fit the camera again, from the same direction. */
static void fit(facet_viewer *v)
{
    v->render.has_direction = true;
    v->render.azimuth = v->orbit.azimuth;
    v->render.elevation = v->orbit.elevation;
    v->render.orthographic = v->orbit.orthographic;
    v->has_camera = false;
    facet_view_touch(v);
}

static void look_from(facet_viewer *v, facet_view_action action)
{
    static const double angles[][2] = {
        {0, 0}, {180, 0}, {90, 0}, {-90, 0}, {0, 90}, {0, -90}, {45, 35.264389682754654}};
    const double *a = angles[action - FACET_ACTION_FRONT];
    v->orbit.azimuth = a[0];
    v->orbit.elevation = a[1];
    fit(v);
}

/* -- Time --------------------------------------------------------------- */

static void play(facet_viewer *v)
{
    const facet_view_model *model = facet_view_model_of(v);
    if (!model || model->clip_count == 0) {
        facet_view_say(v, "no animation");
        return;
    }
    if (v->clip == FACET_NONE)
        set_clip(v, 0, false);
    v->is_playing = !v->is_playing;
    facet_view_touch(v);
}

static void step_frame(facet_viewer *v, double by)
{
    const facet_view_model *model = facet_view_model_of(v);
    if (!model || v->clip >= model->clip_count)
        return;
    double duration = model->clips[v->clip].duration, at = floor(v->time * 30 + 0.5) + by;
    v->is_playing = false;
    v->time = fmin(fmax(at / 30, 0), duration);
    facet_view_touch(v);
}

static void next_clip(facet_viewer *v, int by)
{
    const facet_view_model *model = facet_view_model_of(v);
    if (!model || model->clip_count == 0) {
        facet_view_say(v, "no animation");
        return;
    }
    int count = (int)model->clip_count + 1, at = v->clip == FACET_NONE ? 0 : (int)v->clip + 1;
    at = (at + by + count) % count;
    set_clip(v, at == 0 ? FACET_NONE : (uint32_t)at - 1, v->is_playing || v->clip == FACET_NONE);
}

static void change_speed(facet_viewer *v, double factor)
{
    v->speed = fmin(fmax(v->speed * factor, 1.0 / 16), 16);
    facet_view_say(v, "speed %g", v->speed);
}

/* -- Two files ---------------------------------------------------------- */

static void next_layout(facet_viewer *v)
{
    static const char *const names[] = {"one file", "side by side", "in turn",
                                        "distance from the other"};
    if (v->entry_count < 2) {
        facet_view_say(v, "no other file to compare with");
        return;
    }
    v->layout = (facet_view_layout)((v->layout + 1) % 4);
    v->flicker_second = false;
    if (facet_view_open_shown(v) || v->layout == FACET_LAYOUT_ONE)
        facet_view_say(v, "%s", names[v->layout]);
    v->quality = 0;
    facet_view_touch(v);
}

static void swap(facet_viewer *v)
{
    if (v->layout == FACET_LAYOUT_FLICKER) {
        v->flicker_second = !v->flicker_second;
        v->flickered = v->host.now(v->host.user);
    } else if (facet_view_shows_both(v)) {
        facet_view_show_entry(v, facet_view_second(v));
    } else if (v->entry_count > 1) {
        facet_view_show_entry(v, facet_view_second(v));
    }
    facet_view_touch(v);
}

static void save(facet_viewer *v)
{
    char path[64];
    facet_error error;
    const char *to = v->settings.screenshot;
    for (; !to && v->shots < 10000; v->shots++) {
        snprintf(path, sizeof path, "facet-%03u.png", v->shots);
        if (v->host.changed(v->host.user, path) == 0)
            to = path;
    }
    if (!to)
        facet_view_say(v, "the folder has 10,000 pictures");
    else if (facet_viewer_save(v, to, v->panes[0].width, v->height, &error))
        facet_view_say(v, "%s: %s", to, error.message);
    else
        facet_view_say(v, "saved %s", to);
}

/* -- Keys --------------------------------------------------------------- */

static bool act_on_look(facet_viewer *v, facet_view_action action)
{
    switch (action) {
    case FACET_ACTION_FIT:
        fit(v);
        return true;
    case FACET_ACTION_FRONT:
    case FACET_ACTION_BACK:
    case FACET_ACTION_LEFT:
    case FACET_ACTION_RIGHT:
    case FACET_ACTION_TOP:
    case FACET_ACTION_BOTTOM:
    case FACET_ACTION_ISO:
        look_from(v, action);
        return true;
    case FACET_ACTION_ORTHOGRAPHIC:
        facet_orbit_set_orthographic(&v->orbit, !v->orbit.orthographic);
        facet_view_touch(v);
        return true;
    case FACET_ACTION_MODE:
    case FACET_ACTION_MODE_BEFORE:
        next_mode(v, action == FACET_ACTION_MODE ? 1 : -1);
        return true;
    case FACET_ACTION_WIREFRAME:
        toggle_over(v, FACET_RENDER_WIREFRAME);
        return true;
    case FACET_ACTION_HULLS:
        toggle_over(v, FACET_RENDER_HULLS);
        return true;
    case FACET_ACTION_OCCLUDER:
        toggle_over(v, FACET_RENDER_OCCLUDER);
        return true;
    case FACET_ACTION_BACKGROUND:
        v->background = (v->background + 1) % FACET_VIEW_BACKGROUNDS;
        facet_view_touch(v);
        return true;
    case FACET_ACTION_GRID:
        v->grid = !v->grid;
        facet_view_touch(v);
        return true;
    case FACET_ACTION_LIGHT:
        memset(v->light, 0, sizeof v->light);
        facet_view_touch(v);
        return true;
    default:
        return false;
    }
}

static bool act_on_time(facet_viewer *v, facet_view_action action)
{
    switch (action) {
    case FACET_ACTION_PLAY:
        play(v);
        return true;
    case FACET_ACTION_FRAME_BACK:
    case FACET_ACTION_FRAME_ON:
        step_frame(v, action == FACET_ACTION_FRAME_ON ? 1 : -1);
        return true;
    case FACET_ACTION_SLOWER:
    case FACET_ACTION_FASTER:
        change_speed(v, action == FACET_ACTION_FASTER ? 2 : 0.5);
        return true;
    case FACET_ACTION_REWIND:
        v->time = 0;
        facet_view_touch(v);
        return true;
    case FACET_ACTION_CLIP:
    case FACET_ACTION_CLIP_BEFORE:
        next_clip(v, action == FACET_ACTION_CLIP ? 1 : -1);
        return true;
    default:
        return false;
    }
}

static bool act_on_files(facet_viewer *v, facet_view_action action)
{
    switch (action) {
    case FACET_ACTION_NEXT:
    case FACET_ACTION_PREVIOUS:
        facet_view_go(v, action == FACET_ACTION_NEXT ? 1 : -1);
        return true;
    case FACET_ACTION_RELOAD:
        if (facet_view_current(v))
            facet_view_reload(v, facet_view_current(v));
        return true;
    case FACET_ACTION_COMPARE:
        next_layout(v);
        return true;
    case FACET_ACTION_SWAP:
        swap(v);
        return true;
    case FACET_ACTION_SCREENSHOT:
        save(v);
        return true;
    default:
        return false;
    }
}

static void act_on_panel(facet_viewer *v, facet_view_action action)
{
    switch (action) {
    case FACET_ACTION_HELP:
        open_panel(v, FACET_PANEL_HELP);
        break;
    case FACET_ACTION_CLOSE:
        v->is_done = v->panel == FACET_PANEL_NONE;
        open_panel(v, FACET_PANEL_NONE);
        break;
    case FACET_ACTION_OVERLAY:
        v->hides_overlay = !v->hides_overlay;
        facet_view_touch_overlay(v);
        break;
    case FACET_ACTION_PANEL_ANIMATIONS:
    case FACET_ACTION_PANEL_NODES:
    case FACET_ACTION_PANEL_MATERIALS:
    case FACET_ACTION_PANEL_TEXTURES:
    case FACET_ACTION_PANEL_FINDINGS:
    case FACET_ACTION_PANEL_STATISTICS:
        open_panel(v, (facet_view_panel)(FACET_PANEL_ANIMATIONS +
                                         (action - FACET_ACTION_PANEL_ANIMATIONS)));
        break;
    case FACET_ACTION_SELECT_NEXT:
    case FACET_ACTION_SELECT_PREVIOUS:
        facet_view_select(v, action == FACET_ACTION_SELECT_NEXT ? 1 : -1);
        break;
    case FACET_ACTION_ACTIVATE:
        facet_view_activate(v);
        break;
    case FACET_ACTION_HIDE:
        hide(v);
        break;
    case FACET_ACTION_ISOLATE:
        if (selected_node(v) != FACET_NONE)
            facet_view_model_isolate(facet_view_model_of(v), selected_node(v));
        facet_view_touch(v);
        break;
    case FACET_ACTION_SHOW_ALL:
        if (facet_view_model_of(v))
            facet_view_model_show_all(facet_view_model_of(v));
        facet_view_touch(v);
        break;
    default:
        break;
    }
}

/* Direction in which a key moves: right, left, up, down, forward, backward; -1: none. */
static int direction_of(facet_view_action action)
{
    switch (action) {
    case FACET_ACTION_STEP_RIGHT:
        return 0;
    case FACET_ACTION_STEP_LEFT:
        return 1;
    case FACET_ACTION_UP:
        return 2;
    case FACET_ACTION_DOWN:
        return 3;
    case FACET_ACTION_FORWARD:
        return 4;
    case FACET_ACTION_BACKWARD:
        return 5;
    default:
        return -1;
    }
}

static void press_key(facet_viewer *v, const facet_window_event *event)
{
    facet_view_action action = facet_view_action_of(event);
    int direction = direction_of(action);
    bool repeats = action == FACET_ACTION_FRAME_BACK || action == FACET_ACTION_FRAME_ON ||
                   action == FACET_ACTION_SELECT_NEXT || action == FACET_ACTION_SELECT_PREVIOUS;
    if (event->repeated && !repeats)
        return;
    if (direction >= 0) {
        v->held[direction] = true;
        v->walked = v->host.now(v->host.user);
    } else if (!act_on_look(v, action) && !act_on_time(v, action) && !act_on_files(v, action)) {
        act_on_panel(v, action);
    }
    facet_view_touch_overlay(v);
}

static void release_key(facet_viewer *v, const facet_window_event *event)
{
    facet_window_event plain = *event;
    plain.shift = plain.control = false;
    int direction = direction_of(facet_view_action_of(&plain));
    if (direction >= 0)
        v->held[direction] = false;
}

/* -- The mouse ---------------------------------------------------------- */

static void move_time(facet_viewer *v, double share)
{
    const facet_view_model *model = facet_view_model_of(v);
    v->time = share * model->clips[v->clip].duration;
    v->is_playing = false;
    facet_view_touch(v);
}

/* The light follows the mouse: around the model, as seen from the camera. */
static void move_light(facet_viewer *v, int dx, int dy)
{
    static const double standard[3] = {-0.4, 0.7, 0.6};
    if (v->light[0] == 0 && v->light[1] == 0 && v->light[2] == 0)
        memcpy(v->light, standard, sizeof standard);
    double least = v->width < v->height ? v->width : v->height;
    double length = 0;
    v->light[0] += 2 * dx / least;
    v->light[1] -= 2 * dy / least;
    for (int i = 0; i < 3; i++)
        length += v->light[i] * v->light[i];
    length = sqrt(length);
    for (int i = 0; i < 3 && length > 1e-6; i++)
        v->light[i] /= length;
    facet_view_touch(v);
}

static void drag(facet_viewer *v, const facet_window_event *event)
{
    double least = v->width < v->height ? v->width : v->height;
    double share = event->buttons ? facet_view_timeline_at(v, event->x, event->y) : -1;
    if (event->buttons == 0 || !v->has_camera || least < 1)
        return;
    if (event->buttons & 1 && share >= 0)
        move_time(v, share);
    else if (event->buttons & 1 && event->control)
        move_light(v, event->dx, event->dy);
    else if (event->buttons & 1 && !event->shift)
        facet_orbit_turn(&v->orbit, -event->dx * 200 / least, event->dy * 200 / least);
    else
        facet_orbit_pan(&v->orbit, -event->dx / least, event->dy / least);
    facet_view_touch(v);
}

static void click(facet_viewer *v, const facet_window_event *event)
{
    int item = facet_view_item_at(v, event->x, event->y);
    double share = facet_view_timeline_at(v, event->x, event->y);
    if (event->buttons != 1)
        return;
    if (share >= 0) {
        move_time(v, share);
    } else if (item >= 0) {
        v->selected[v->panel] = item;
        facet_view_activate(v);
        facet_view_touch_overlay(v);
    }
}

static void turn_wheel(facet_viewer *v, const facet_window_event *event)
{
    if (facet_view_item_at(v, event->x, event->y) >= 0) {
        facet_view_select(v, event->wheel > 0 ? -3 : 3);
    } else if (v->has_camera) {
        facet_orbit_zoom(&v->orbit, pow(0.9, event->wheel));
        facet_view_touch(v);
    }
}

static void drop(facet_viewer *v, const char *path)
{
    facet_error error;
    const facet_view_files files = {&path, 1, false};
    if (facet_viewer_add(v, &files, &error))
        facet_view_say(v, "%s", error.message);
    else
        facet_view_show_entry(v, v->entry_count - 1);
}

void facet_viewer_handle(facet_viewer *viewer, const facet_window_event *event)
{
    switch (event->kind) {
    case FACET_WINDOW_QUIT:
        viewer->is_done = true;
        break;
    case FACET_WINDOW_CHANGED:
        facet_view_touch_overlay(viewer);
        break;
    case FACET_WINDOW_KEY_DOWN:
        press_key(viewer, event);
        break;
    case FACET_WINDOW_KEY_UP:
        release_key(viewer, event);
        break;
    case FACET_WINDOW_PRESS:
        click(viewer, event);
        break;
    case FACET_WINDOW_MOVE:
        drag(viewer, event);
        break;
    case FACET_WINDOW_WHEEL:
        turn_wheel(viewer, event);
        break;
    case FACET_WINDOW_DROP:
        drop(viewer, event->path);
        break;
    case FACET_WINDOW_NOTHING:
        break;
    }
}
