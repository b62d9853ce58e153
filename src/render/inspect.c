/* render/inspect.c - colors that show the data of a mesh, and wireframes over any mode. */
#include "render/render.h"

#include <math.h>
#include <string.h>

/* -- Palettes ----------------------------------------------------------- */

/* Choose very different colors for consecutive numbers: the hue advances by the golden ratio. */
static void palette(uint32_t number, float out[3])
{
    uint32_t turn = number * 2654435769u; /* 2^32 divided by the golden ratio */
    float hue = (float)(turn >> 8) / 16777216 * 6;
    for (int c = 0; c < 3; c++) {
        float at = hue - (float)c * 2;
        at += at < -3 ? 6 : at > 3 ? -6 : 0;
        float distance = at < 0 ? -at : at;
        float value = 2 - distance;
        value = value > 1 ? 1 : value > 0 ? value : 0;
        out[c] = 0.08f + 0.7f * value;
    }
}

/* From blue through green and yellow to red. */
static void heat(float value, float out[3])
{
    static const float stops[4][3] = {
        {0.02f, 0.05f, 0.5f}, {0.02f, 0.55f, 0.35f}, {0.9f, 0.75f, 0.05f}, {0.8f, 0.03f, 0.02f}};
    value = value > 1 ? 1 : value > 0 ? value : 0;
    int i = value * 3 >= 2 ? 2 : value * 3 >= 1 ? 1 : 0;
    float part = value * 3 - (float)i;
    for (int c = 0; c < 3; c++)
        out[c] = stops[i][c] + part * (stops[i + 1][c] - stops[i][c]);
}

void facet_render_overdraw_color(uint32_t layers, float out[4])
{
    heat((float)(layers > 8 ? 8 : layers - 1) / 7, out);
    out[3] = 1;
}

/* -- Values of vertices ------------------------------------------------- */

/* Direction as a color in sRGB: -1 to 1 becomes 0 to 1. */
static void direction(const float v[3], float out[4])
{
    for (int c = 0; c < 3; c++) {
        float value = v[c] * 0.5f + 0.5f;
        out[c] = facet_render_linear[(int)((value > 1 ? 1 : value > 0 ? value : 0) * 255 + 0.5f)];
    }
}

static void show_tangent(const facet_render_sample_at *at, float out[4])
{
    const facet_render_view *view = at->view;
    const uint32_t *v = at->triangle->corners;
    float t[4];
    out[0] = out[2] = 0.8f, out[1] = 0;
    if (!at->triangle->draw->instance->tangents)
        return;
    facet_render_mix(at, view->tangents[v[0]], view->tangents[v[1]], view->tangents[v[2]], 4, t);
    direction(t, out);
}

static void show_uv(const facet_render_sample_at *at, float out[4])
{
    const facet_render_triangle *t = at->triangle;
    const facet_render_instance *instance = t->draw->instance;
    const float *c[3];
    float uv[2];
    if (!instance->texcoords[0]) {
        out[0] = out[1] = out[2] = 0.2f;
        return;
    }
    for (int i = 0; i < 3; i++)
        c[i] = instance->texcoords[0] +
               (size_t)(t->corners[i] - instance->first_vertex) * instance->texcoord_components[0];
    facet_render_mix(at, c[0], c[1], c[2], 2, uv);
    bool odd = false;
    for (int i = 0; i < 2; i++) {
        float whole = floorf(uv[i]), part = uv[i] - whole;
        out[i] = 0.1f + 0.8f * part;
        odd ^= (int)(part * 10) & 1;
    }
    out[2] = 0.15f;
    for (int i = 0; i < 3 && odd; i++)
        out[i] *= 0.6f;
}

/* -- Skins -------------------------------------------------------------- */

typedef struct influence {
    const uint16_t *joints; /* four per vertex */
    const float *weights;
} influence;

static bool influence_of(const facet_render_instance *instance, uint32_t vertex, influence *out)
{
    size_t at = (size_t)(vertex - instance->first_vertex) * 4;
    const facet_stream *j = instance->joints, *w = instance->weights;
    if (!j || !w || j->component != FACET_UINT16 || w->component != FACET_FLOAT32 ||
        j->components != 4 || w->components != 4)
        return false;
    out->joints = (const uint16_t *)j->data + at;
    out->weights = (const float *)w->data + at;
    return true;
}

static void show_influences(const facet_render_sample_at *at, bool weights, float out[4])
{
    const facet_render_triangle *t = at->triangle;
    float corners[3][3];
    for (int i = 0; i < 3; i++) {
        influence in;
        float *color = corners[i], most = 0;
        color[0] = color[1] = color[2] = weights ? 0 : 0.2f;
        if (!influence_of(t->draw->instance, t->corners[i], &in)) {
            if (weights)
                color[0] = color[1] = color[2] = 0.2f;
            continue;
        }
        if (!weights)
            color[0] = color[1] = color[2] = 0;
        for (int k = 0; k < 4; k++) {
            float mixed[3];
            most = in.weights[k] > most ? in.weights[k] : most;
            palette(in.joints[k], mixed);
            for (int c = 0; c < 3 && !weights; c++)
                color[c] += mixed[c] * in.weights[k];
        }
        if (weights)
            heat(most, color);
    }
    facet_render_mix(at, corners[0], corners[1], corners[2], 3, out);
}

/* -- The color ---------------------------------------------------------- */

static void show_texture(const facet_render_sample_at *at, float out[4])
{
    const facet_render_triangle *t = at->triangle;
    const facet_render_instance *instance = t->draw->instance;
    const facet_renderer *r = at->view->renderer;
    bool top = r->scene->axes.uv_origin_top;
    facet_render_map map = {.image = &r->images[at->view->how.texture],
                            .is_color = true,
                            .rows = {{1, 0, 0}, {0, top ? 1.0f : -1.0f, top ? 0.0f : 1.0f}}};
    float uv[2] = {0, 0};
    const float *c[3];
    for (int i = 0; i < 3 && instance->texcoords[0]; i++)
        c[i] = instance->texcoords[0] +
               (size_t)(t->corners[i] - instance->first_vertex) * instance->texcoord_components[0];
    if (instance->texcoords[0])
        facet_render_mix(at, c[0], c[1], c[2], 2, uv);
    facet_render_sample(&map, uv, 0, out);
}

void facet_render_inspect(const facet_render_sample_at *at, float out[4])
{
    static const float clay[3] = {0.6f, 0.6f, 0.6f}, front[3] = {0.12f, 0.3f, 0.7f},
                       back[3] = {0.75f, 0.06f, 0.04f};
    const facet_render_batch *batch = at->triangle->draw->batch;
    float normal[3], color[3];
    switch (at->view->fill) {
    case FACET_RENDER_NORMALS:
        out[0] = out[1] = out[2] = 0;
        if (facet_render_normal_at(at, normal))
            direction(normal, out);
        break;
    case FACET_RENDER_TANGENTS:
        show_tangent(at, out);
        break;
    case FACET_RENDER_UV:
        show_uv(at, out);
        break;
    case FACET_RENDER_WEIGHTS:
    case FACET_RENDER_JOINTS:
        show_influences(at, at->view->fill == FACET_RENDER_WEIGHTS, out);
        break;
    case FACET_RENDER_FACING:
        facet_render_shade_plain(at, at->triangle->is_back ? back : front, out);
        break;
    case FACET_RENDER_MATERIAL:
        palette(batch->scene_material == FACET_NONE ? 0 : batch->scene_material + 1, color);
        facet_render_shade_plain(at, color, out);
        break;
    case FACET_RENDER_TEXTURE:
        show_texture(at, out);
        break;
    default:
        facet_render_shade_plain(at, clay, out);
        break;
    }
    out[3] = 1;
}

/* -- Wireframe ---------------------------------------------------------- */

/* Distance in pixels to the edge where a share is 0. Shares are linear on the screen. */
static float distance_from(float share, float step_x, float step_y, float grid)
{
    float slope = sqrtf(step_x * step_x + step_y * step_y);
    return slope > 0 ? share / (slope * grid) : 1e9f;
}

void facet_render_lay_wires(const facet_render_sample_at *at, float color[4])
{
    static const float wire[3] = {0.006f, 0.008f, 0.012f};
    const facet_render_triangle *t = at->triangle;
    if (t->is_piece || t->draw->instance->ends) /* edges of clipped pieces are not drawn */
        return;
    float l1 = t->l1 + t->l1_x * at->x + t->l1_y * at->y;
    float l2 = t->l2 + t->l2_x * at->x + t->l2_y * at->y, grid = (float)at->view->grid;
    float nearest = distance_from(l1, t->l1_x, t->l1_y, grid);
    float other = distance_from(l2, t->l2_x, t->l2_y, grid);
    nearest = other < nearest ? other : nearest;
    other = distance_from(1 - l1 - l2, t->l1_x + t->l2_x, t->l1_y + t->l2_y, grid);
    nearest = other < nearest ? other : nearest;
    if (nearest > 0.6f)
        return;
    float part = 0.85f;
    for (int c = 0; c < 3; c++)
        color[c] = color[c] * (1 - part) + wire[c] * part * color[3];
}
