/* view/panels.c - the overlay: a status line, a timeline, a panel on the left. */
#include "view/state.h"

#include "view/keys.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 50, MARGIN = 8 };

static const facet_color TEXT = 0xE6E9EDFF, DIM = 0xA4ACB6FF, SELECTED = 0xFFFFFFFF,
                         BACK = 0x101418CC, BAR = 0x2F6FD0FF, MARK = 0xFF3B30FF;

/* -- Sizes -------------------------------------------------------------- */

static facet_canvas measure_of(const facet_viewer *v)
{
    return (facet_canvas){NULL, v->width, v->height, facet_view_scale(v)};
}

static int panel_width(const facet_viewer *v, const facet_canvas *c)
{
    int wanted = COLUMNS * facet_canvas_letter_width(c) + 2 * MARGIN, half = v->width * 3 / 5;
    return wanted < half ? wanted : half;
}

static int panel_columns(const facet_viewer *v, const facet_canvas *c)
{
    return (panel_width(v, c) - 2 * MARGIN) / facet_canvas_letter_width(c);
}

static int status_top(const facet_canvas *c)
{
    return c->height - facet_canvas_line_height(c) - MARGIN;
}

static bool shows_timeline(facet_viewer *v)
{
    const facet_view_model *model = facet_view_model_of(v);
    return !v->hides_overlay && model && v->clip < model->clip_count &&
           model->clips[v->clip].duration > 0;
}

static int timeline_top(const facet_canvas *c)
{
    return status_top(c) - 3 * c->scale - MARGIN;
}

int facet_view_visible_items(const facet_viewer *viewer)
{
    facet_canvas c = measure_of(viewer);
    int line = facet_canvas_line_height(&c), rows = (timeline_top(&c) - 2 * MARGIN) / line - 2;
    return rows > 1 ? rows : 1;
}

int facet_view_item_count(facet_viewer *viewer)
{
    const facet_view_model *model = facet_view_model_of(viewer);
    const facet_view_entry *entry = facet_view_current(viewer);
    if (!model)
        return 0;
    switch (viewer->panel) {
    case FACET_PANEL_ANIMATIONS:
        return (int)model->clip_count + 1;
    case FACET_PANEL_NODES:
        return (int)model->scene->node_count;
    case FACET_PANEL_MATERIALS:
        return (int)model->scene->material_count;
    case FACET_PANEL_TEXTURES:
        return (int)model->scene->image_count;
    case FACET_PANEL_FINDINGS:
        return entry->findings ? (int)facet_report_count(entry->findings) : 0;
    default:
        return 0;
    }
}

int facet_view_item_at(facet_viewer *viewer, int x, int y)
{
    facet_canvas c = measure_of(viewer);
    int line = facet_canvas_line_height(&c);
    if (viewer->panel == FACET_PANEL_NONE || viewer->hides_overlay ||
        x >= panel_width(viewer, &c) || y < MARGIN + 2 * line || y >= timeline_top(&c))
        return -1;
    int row = (y - MARGIN - 2 * line) / line, at = viewer->scrolled[viewer->panel] + row;
    return row < facet_view_visible_items(viewer) && at < facet_view_item_count(viewer) ? at : -1;
}

double facet_view_timeline_at(facet_viewer *viewer, int x, int y)
{
    facet_canvas c = measure_of(viewer);
    int top = timeline_top(&c), width = viewer->width - 2 * MARGIN;
    if (!shows_timeline(viewer) || width < 1 || y < top - 2 || y > top + 4 * c.scale + 2)
        return -1;
    return fmin(fmax((double)(x - MARGIN) / width, 0), 1);
}

/* -- Items -------------------------------------------------------------- */

static void name_clip(facet_viewer *v, const facet_view_model *model, int i, char *text,
                      size_t space)
{
    if (i == 0) {
        snprintf(text, space, "%c at rest", v->clip == FACET_NONE ? '>' : ' ');
        return;
    }
    const facet_view_clip *clip = &model->clips[i - 1];
    snprintf(text, space, "%c %s  %.2f s", v->clip == (uint32_t)i - 1 ? '>' : ' ',
             *clip->name ? clip->name : "(without name)", clip->duration);
}

static void name_node(const facet_view_model *model, int i, char *text, size_t space)
{
    uint32_t node = model->order[i];
    const facet_node *n = model->scene->nodes[node];
    uint32_t depth = model->depth[node] < 12 ? model->depth[node] : 12;
    snprintf(text, space, "%*s%c %s%s", (int)depth * 2, "", model->hidden[node] ? '-' : '+',
             *n->name ? n->name : "(without name)", n->mesh != FACET_NONE ? "  #" : "");
}

static const char *alpha_of(const facet_material *m)
{
    return m->alpha_mode == FACET_ALPHA_BLEND  ? ", translucent"
           : m->alpha_mode == FACET_ALPHA_MASK ? ", masked"
                                               : "";
}

static void name_material(const facet_view_model *model, int i, char *text, size_t space)
{
    const facet_material *m = model->scene->materials[i];
    snprintf(text, space, "%s  %s%s%s", *m->name ? m->name : "(without name)",
             m->gx      ? "console"
             : m->unlit ? "unlit"
                        : "",
             m->gx || m->unlit ? "" : "lit", m->gx ? "" : alpha_of(m));
}

static void name_image(const facet_view_model *model, int i, char *text, size_t space)
{
    const facet_image *image = model->scene->images[i];
    uint32_t width = image->width, height = image->height;
    facet_render_series_image(model->series, (uint32_t)i, &width, &height);
    const char *name = *image->name ? image->name : image->path ? image->path : "(without name)";
    if (width > 0)
        snprintf(text, space, "%d %s  %u x %u", i, name, width, height);
    else
        snprintf(text, space, "%d %s", i, name);
}

static void name_item(facet_viewer *v, int i, char *text, size_t space)
{
    const facet_view_model *model = facet_view_model_of(v);
    const facet_view_entry *entry = facet_view_current(v);
    const facet_finding *finding;
    *text = '\0';
    switch (v->panel) {
    case FACET_PANEL_ANIMATIONS:
        name_clip(v, model, i, text, space);
        break;
    case FACET_PANEL_NODES:
        name_node(model, i, text, space);
        break;
    case FACET_PANEL_MATERIALS:
        name_material(model, i, text, space);
        break;
    case FACET_PANEL_TEXTURES:
        name_image(model, i, text, space);
        break;
    case FACET_PANEL_FINDINGS:
        finding = facet_report_get(entry->findings, (size_t)i);
        snprintf(text, space, "%s %s: %s", facet_severity_name(finding->severity), finding->rule,
                 finding->message);
        break;
    default:
        break;
    }
}

/* -- The panel ---------------------------------------------------------- */

static const char *const titles[FACET_PANEL_COUNT] = {
    "",
    "Keys (Esc closes)",
    "Animations (Enter plays)",
    "Nodes (Enter hides, i isolates, z shows all)",
    "Materials",
    "Textures (Enter shows it on the model)",
    "Findings of check (Enter jumps)",
    "Statistics"};

static void draw_lines(const facet_viewer *v, const facet_canvas *c, const char *const *lines,
                       int count)
{
    int line = facet_canvas_line_height(c);
    for (int i = 0; i < count; i++)
        facet_canvas_text(c, MARGIN, MARGIN + (2 + i) * line, panel_columns(v, c), TEXT, lines[i]);
}

/* Draw the help in two columns over the whole window. */
static void draw_help(const facet_canvas *given)
{
    static const char *const mouse[][2] = {{"drag", "turn"},
                                           {"right drag", "move; also Shift and drag"},
                                           {"wheel", "nearer, farther"},
                                           {"Ctrl drag", "move the light"},
                                           {"drop a file", "open it"}};
    facet_canvas c = *given;
    int mouse_rows = (int)(sizeof mouse / sizeof *mouse), rows = mouse_rows, row = 0;
    for (int i = 0; facet_view_keys[i].key; i++)
        rows += facet_view_keys[i].name != NULL;
    int half = (rows + 1) / 2, i = 0;
    /* The help must be visible at once: use smaller text in a small window. */
    while (c.scale > 1 && (MARGIN + (half + 2) * facet_canvas_line_height(&c) > c.height ||
                           COLUMNS * 2 * facet_canvas_letter_width(&c) > c.width))
        c.scale--;
    int line = facet_canvas_line_height(&c), letter = facet_canvas_letter_width(&c);
    for (; row < rows; row++) {
        int x = MARGIN + row / half * (c.width / 2), y = MARGIN + line * 2 + row % half * line;
        const char *name, *help;
        if (row < mouse_rows) {
            name = mouse[row][0];
            help = mouse[row][1];
        } else {
            while (!facet_view_keys[i].name)
                i++;
            name = facet_view_keys[i].name;
            help = facet_view_keys[i++].help;
        }
        facet_canvas_text(&c, x, y, 12, SELECTED, name);
        facet_canvas_text(&c, x + 13 * letter, y, 0, DIM, help);
    }
}

static void draw_statistics(facet_viewer *v, const facet_canvas *c)
{
    const facet_view_model *model = facet_view_model_of(v);
    const facet_scene *s = model->scene;
    const facet_picture *p = &v->panes[0].picture;
    char text[12][96];
    const char *lines[12];
    int n = 0;
    snprintf(text[n++], 96, "triangles  %" PRIu64, model->triangles);
    snprintf(text[n++], 96, "meshes     %u", s->mesh_count);
    snprintf(text[n++], 96, "materials  %u", s->material_count);
    snprintf(text[n++], 96, "images     %u", s->image_count);
    snprintf(text[n++], 96, "nodes      %u, skins %u", s->node_count, s->skin_count);
    snprintf(text[n++], 96, "animations %u", s->animation_count);
    snprintf(text[n++], 96, "hulls      %u%s", s->hull_count, s->occluder ? ", an occluder" : "");
    snprintf(text[n++], 96, "drawn      %" PRIu64 " triangles", p->triangles);
    snprintf(text[n++], 96, "           %" PRIu64 " vertices", p->vertices);
    snprintf(text[n++], 96, "size       %.4g x %.4g x %.4g", p->maximum[0] - p->minimum[0],
             p->maximum[1] - p->minimum[1], p->maximum[2] - p->minimum[2]);
    snprintf(text[n++], 96, "read in    %.0f ms", model->load_milliseconds);
    snprintf(text[n++], 96, "a frame    %.0f ms while moving", v->frame_milliseconds);
    for (int i = 0; i < n; i++)
        lines[i] = text[i];
    draw_lines(v, c, lines, n);
}

static void draw_items(facet_viewer *v, const facet_canvas *c)
{
    int line = facet_canvas_line_height(c), count = facet_view_item_count(v);
    int columns = panel_columns(v, c), first = v->scrolled[v->panel];
    if (count == 0) {
        const char *none = v->panel == FACET_PANEL_FINDINGS ? "no findings" : "none";
        draw_lines(v, c, &none, 1);
    }
    for (int i = 0; i < facet_view_visible_items(v) && first + i < count; i++) {
        char text[512];
        int y = MARGIN + (2 + i) * line;
        bool is_selected = first + i == v->selected[v->panel];
        name_item(v, first + i, text, sizeof text);
        if (is_selected)
            facet_canvas_fill(c, 0, y - c->scale, panel_width(v, c), line, BAR);
        facet_canvas_text(c, MARGIN, y, columns, is_selected ? SELECTED : TEXT, text);
    }
}

/* Draw the selected image to the right of the panel, as large as possible. */
static void draw_texture(facet_viewer *v, const facet_canvas *c)
{
    uint32_t width, height;
    const facet_view_model *model = facet_view_model_of(v);
    int at = v->selected[FACET_PANEL_TEXTURES], left = panel_width(v, c) + MARGIN;
    if (at >= (int)model->scene->image_count)
        return;
    const uint8_t *pixels = facet_render_series_image(model->series, (uint32_t)at, &width, &height);
    int space_x = c->width - left - MARGIN, space_y = timeline_top(c) - 2 * MARGIN;
    if (space_x < 16 || space_y < 16)
        return;
    if (!pixels) {
        facet_canvas_text(c, left, MARGIN, 0, TEXT, "no material shows this image");
        return;
    }
    double scale = fmin((double)space_x / width, (double)space_y / height);
    scale = scale >= 1 ? floor(fmin(scale, 8)) : scale;
    int shown_x = (int)(width * scale), shown_y = (int)(height * scale);
    shown_x = shown_x > 0 ? shown_x : 1;
    shown_y = shown_y > 0 ? shown_y : 1;
    facet_canvas_checks(c, left, MARGIN, shown_x, shown_y);
    facet_canvas_picture(c, left, MARGIN, shown_x, shown_y, pixels, width, height);
}

static void draw_panel(facet_viewer *v, const facet_canvas *c)
{
    int bottom = v->panel == FACET_PANEL_HELP ? c->height : timeline_top(c) - MARGIN;
    int width = v->panel == FACET_PANEL_HELP ? c->width : panel_width(v, c);
    facet_canvas_fill(c, 0, 0, width, bottom, BACK);
    facet_canvas_text(c, MARGIN, MARGIN, panel_columns(v, c), DIM, titles[v->panel]);
    if (v->panel == FACET_PANEL_HELP)
        draw_help(c);
    else if (!facet_view_model_of(v))
        return;
    else if (v->panel == FACET_PANEL_STATISTICS)
        draw_statistics(v, c);
    else
        draw_items(v, c);
    if (v->panel == FACET_PANEL_TEXTURES)
        draw_texture(v, c);
}

/* -- The status line ---------------------------------------------------- */

static const char *mode_of(unsigned modes)
{
    static const char *const names[] = {"shaded",   "clay",     "normals", "tangents",
                                        "uv",       "weights",  "joints",  "facing",
                                        "overdraw", "material", "texture"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (modes & 1u << i)
            return names[i];
    }
    return modes ? "clay" : "shaded";
}

static void describe(facet_viewer *v, char *text, size_t space)
{
    static const char *const layouts[] = {"", " | side by side", " | in turn", " | distance"};
    facet_view_entry *entry = facet_view_current(v);
    const facet_view_model *model = facet_view_model_of(v);
    const char *path = entry ? entry->paths[0] : "no file";
    const char *slash = strrchr(path, '/');
    char number[40] = "";
    if (v->entry_count > 1)
        snprintf(number, sizeof number, " %zu/%zu", v->current + 1, v->entry_count);
    if (!model) {
        snprintf(text, space, "%s%s | %s", slash ? slash + 1 : path, number, v->error_text);
        return;
    }
    snprintf(text, space, "%s%s | %" PRIu64 " triangles | %s%s%s%s%s | F1 help",
             slash ? slash + 1 : path, number, model->triangles, mode_of(v->render.modes),
             v->render.modes & FACET_RENDER_WIREFRAME ? "+wireframe" : "",
             v->render.modes & FACET_RENDER_HULLS ? "+hulls" : "",
             v->render.modes & FACET_RENDER_OCCLUDER ? "+occluder" : "", layouts[v->layout]);
}

static void draw_status(facet_viewer *v, const facet_canvas *c)
{
    char text[768];
    int top = status_top(c), line = facet_canvas_line_height(c);
    bool has_message = *v->message != '\0';
    facet_canvas_fill(c, 0, top - MARGIN / 2, c->width, line + MARGIN, BACK);
    if (!has_message)
        describe(v, text, sizeof text);
    facet_canvas_text(c, MARGIN, top, 0, has_message ? SELECTED : TEXT,
                      has_message ? v->message : text);
}

static void draw_timeline(facet_viewer *v, const facet_canvas *c)
{
    char text[160];
    const facet_view_clip *clip = &facet_view_model_of(v)->clips[v->clip];
    int top = timeline_top(c), width = c->width - 2 * MARGIN, thick = 3 * c->scale;
    int at = (int)(v->time / clip->duration * width);
    facet_canvas_fill(c, MARGIN, top, width, thick, BACK);
    facet_canvas_fill(c, MARGIN, top, at, thick, BAR);
    facet_canvas_fill(c, MARGIN + at - thick / 2, top - thick / 2, thick, thick * 2, SELECTED);
    snprintf(text, sizeof text, "%s %.2f / %.2f s", clip->name, v->time, clip->duration);
    int length = (int)strlen(text) * facet_canvas_letter_width(c);
    facet_canvas_fill(c, c->width - length - 2 * MARGIN, top - facet_canvas_line_height(c) - MARGIN,
                      length + 2 * MARGIN, facet_canvas_line_height(c) + c->scale, BACK);
    facet_canvas_text(c, c->width - length - MARGIN,
                      top - facet_canvas_line_height(c) - MARGIN + c->scale, 0, TEXT, text);
}

/* -- In the model's space ----------------------------------------------- */

/* Draw axes in a corner, as the camera sees them: x red, y green, z blue. */
static void draw_axes(const facet_viewer *v, const facet_canvas *c)
{
    static const facet_color colors[3] = {0xE5484DFF, 0x46A758FF, 0x3E8BFFFF};
    static const char *const names[3] = {"x", "y", "z"};
    facet_render_camera camera = facet_orbit_camera(&v->orbit);
    double arm = 26.0 * c->scale, x = c->width - arm * 1.8, y = arm * 1.8, away[3], distance = 0;
    for (int i = 0; i < 3; i++) {
        away[i] = camera.position[i] - camera.target[i];
        distance += away[i] * away[i];
    }
    /* Show only directions, with an orthographic camera. */
    facet_render_camera flat = {.up = {camera.up[0], camera.up[1], camera.up[2]}, .height = 2};
    for (int i = 0; i < 3; i++)
        flat.position[i] = away[i] / sqrt(distance);
    for (int i = 0; i < 3; i++) {
        double point[3] = {i == 0, i == 1, i == 2}, screen[2];
        if (!facet_orbit_project(&flat, point, 2, 2, screen))
            return;
        double dx = (screen[0] - 1) * arm, dy = (screen[1] - 1) * arm;
        facet_canvas_line(c, x, y, x + dx, y + dy, c->scale, colors[i]);
        facet_canvas_text(c, (int)(x + dx * 1.2) - 2 * c->scale, (int)(y + dy * 1.2) - 3 * c->scale,
                          1, colors[i], names[i]);
    }
}

static void draw_mark(const facet_viewer *v, const facet_canvas *c)
{
    const facet_view_pane *pane = &v->panes[0];
    facet_render_camera camera = facet_orbit_camera(&v->orbit);
    uint32_t begin = v->mark.face, end = v->mark.face + 1;
    if (v->mark.face == FACET_NONE) /* a whole mesh is framed, not outlined */
        return;
    for (uint32_t f = begin; f < end; f++) {
        double corners[3][3], screen[3][2];
        bool seen = facet_render_series_triangle(pane->model->series, v->mark.mesh, f, corners);
        for (int i = 0; i < 3 && seen; i++)
            seen = facet_orbit_project(&camera, corners[i], pane->width, v->height, screen[i]);
        for (int i = 0; i < 3 && seen; i++)
            facet_canvas_line(c, screen[i][0], screen[i][1], screen[(i + 1) % 3][0],
                              screen[(i + 1) % 3][1], 2 * c->scale, MARK);
    }
}

/* Draw the colors of distances, with their numbers. */
static void draw_scale(const facet_viewer *v, const facet_canvas *c)
{
    enum { STEPS = 64 };
    int height = c->height / 2, left = c->width - 14 * c->scale - MARGIN, top = c->height / 5;
    for (int i = 0; i < STEPS; i++) {
        uint8_t rgb[3];
        int y = top + height - (i + 1) * height / STEPS;
        facet_view_difference_color((i + 0.5) / STEPS, rgb);
        facet_canvas_fill(c, left, y, 14 * c->scale, height / STEPS + 1,
                          (uint32_t)rgb[0] << 24 | (uint32_t)rgb[1] << 16 | (uint32_t)rgb[2] << 8 |
                              255);
    }
    for (int i = 0; i <= 4; i++) {
        char text[32];
        snprintf(text, sizeof text, "%s%.3g", v->distances.given_up > 0 ? "~" : "",
                 v->distances.greatest * i / 4);
        int length = (int)strlen(text) * facet_canvas_letter_width(c);
        int y = top + height - i * height / 4 - 4 * c->scale;
        facet_canvas_fill(c, left - length - MARGIN - c->scale, y - c->scale, length + 2 * c->scale,
                          11 * c->scale, BACK);
        facet_canvas_text(c, left - length - MARGIN, y, 0, TEXT, text);
    }
}

static void draw_names(const facet_viewer *v, const facet_canvas *c)
{
    const facet_view_entry *entries[2] = {&v->entries[v->current],
                                          &v->entries[facet_view_second(v)]};
    for (int i = 0; i < v->pane_count; i++) {
        bool is_second = i == 1 || (v->layout == FACET_LAYOUT_FLICKER && v->flicker_second);
        const char *path = entries[is_second]->paths[0], *slash = strrchr(path, '/');
        const char *name = slash ? slash + 1 : path;
        int x = v->panes[i].x + v->panes[i].width / 2 -
                (int)strlen(name) * facet_canvas_letter_width(c) / 2;
        facet_canvas_fill(c, x - MARGIN / 2, MARGIN / 2,
                          (int)strlen(name) * facet_canvas_letter_width(c) + MARGIN,
                          facet_canvas_line_height(c) + MARGIN / 2, BACK);
        facet_canvas_text(c, x, MARGIN, 0, TEXT, name);
    }
    if (v->pane_count == 2)
        facet_canvas_fill(c, v->panes[1].x - 1, 0, 2, c->height, BACK);
}

void facet_view_draw_overlay(facet_viewer *viewer, const facet_canvas *canvas)
{
    facet_viewer *v = viewer;
    bool has_model = facet_view_model_of(v) && v->pane_count > 0 && v->panes[0].model;
    if (has_model && v->mark.is_set)
        draw_mark(v, canvas);
    if (has_model && v->grid && v->has_camera)
        draw_axes(v, canvas);
    if (has_model && v->layout == FACET_LAYOUT_DIFFERENCE && v->difference)
        draw_scale(v, canvas);
    if (v->hides_overlay)
        return;
    if (has_model && facet_view_shows_both(v))
        draw_names(v, canvas);
    if (v->panel != FACET_PANEL_NONE)
        draw_panel(v, canvas);
    if (v->panel == FACET_PANEL_HELP)
        return;
    if (shows_timeline(v))
        draw_timeline(v, canvas);
    draw_status(v, canvas);
}
