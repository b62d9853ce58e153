/* render/view.c - transforms of vertices from the model's axes to the screen, and the order of
 * drawing. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"

#include <stdlib.h>
#include <string.h>

/* -- Points ------------------------------------------------------------- */

/* Distance beyond the picture's sides where triangles are clipped, in samples. */
enum { GUARD = 4096 };

static int32_t to_fixed(float v)
{
    float most = 8.0e6f;
    v = v > most ? most : v > -most ? v : -most;
    float scaled = v * 256 + 0.5f;
    int32_t whole = (int32_t)scaled;
    return (float)whole > scaled ? whole - 1 : whole;
}

facet_render_point facet_render_project_point(const facet_render_view *view, const float place[3])
{
    facet_render_point p;
    float z = -place[2];
    float center_x = (float)(view->width * view->grid) / 2;
    float center_y = (float)(view->height * view->grid) / 2;
    p.reciprocal = 1;
    if (view->is_perspective) {
        float w = z > view->near_z / 2 ? z : view->near_z / 2; /* points beyond it are clipped */
        p.reciprocal = 1 / w;
        p.depth = view->near_z * (view->far_z - w) / ((view->far_z - view->near_z) * w);
    } else {
        p.depth = (view->far_z - z) / (view->far_z - view->near_z);
    }
    float k = view->scale * p.reciprocal;
    p.x = to_fixed(center_x + place[0] * k);
    p.y = to_fixed(center_y - place[1] * k);
    return p;
}

/* Bits for planes that may clip a triangle: near, and the guard planes. */
static uint8_t outside_of(const facet_render_view *view, const float place[3],
                          const facet_render_point *p)
{
    int32_t right = (int32_t)(view->width * view->grid + GUARD) * 256;
    int32_t bottom = (int32_t)(view->height * view->grid + GUARD) * 256, guard = GUARD * 256;
    uint8_t bits = 0;
    if (view->is_perspective && -place[2] < view->near_z)
        bits |= 1;
    bits |= p->x < -guard ? 2 : 0;
    bits |= p->x > right ? 4 : 0;
    bits |= p->y < -guard ? 8 : 0;
    bits |= p->y > bottom ? 16 : 0;
    return bits;
}

void facet_render_project_vertex(facet_render_view *view, uint32_t vertex)
{
    const float *place = view->places[vertex];
    view->points[vertex] = facet_render_project_point(view, place);
    view->outside[vertex] = outside_of(view, place, &view->points[vertex]);
}

static void project_some(void *argument, size_t task)
{
    facet_render_view *view = argument;
    uint32_t begin = (uint32_t)task * FACET_RENDER_VERTICES, end = begin + FACET_RENDER_VERTICES;
    end = end < view->renderer->vertex_count ? end : view->renderer->vertex_count;
    for (uint32_t i = begin; i < end; i++) {
        const float *p = view->positions[i];
        float *place = view->places[i];
        for (int k = 0; k < 3; k++)
            place[k] = view->camera[k][0] * p[0] + view->camera[k][1] * p[1] +
                       view->camera[k][2] * p[2] + view->camera[k][3];
        facet_render_project_vertex(view, i);
    }
}

void facet_render_project(facet_render_view *view)
{
    uint32_t count = view->renderer->vertex_count;
    facet_run(view->options, project_some, view,
              (count + FACET_RENDER_VERTICES - 1) / FACET_RENDER_VERTICES);
}

/* -- Drawing order ------------------------------------------------------ */

/* In modes that inspect data, everything is solid except hulls and occluders. */
static facet_render_kind kind_of(const facet_render_view *view, const facet_render_batch *batch,
                                 const facet_render_material *material)
{
    if (view->fill == FACET_RENDER_SHADED)
        return material->kind;
    return batch->modes ? FACET_RENDER_BLENDED : FACET_RENDER_SOLID;
}

/* Order: solid, console, blended. Translucent console draws are last, far before near. Otherwise
 * the order of the scene. */
static int compare_draws(const void *left, const void *right)
{
    const facet_render_draw *a = left, *b = right;
    if (a->far_away != b->far_away)
        return a->far_away > b->far_away ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

/* Animations hide nodes; nodes hidden at rest have no instance. */
static bool is_hidden(const facet_render_view *view, const facet_render_batch *batch)
{
    uint32_t node = view->renderer->instances[batch->instance].node;
    return node != FACET_NONE && (!view->pose.seen[node] || (view->hidden && view->hidden[node]));
}

static uint32_t add_kind(facet_render_view *view, facet_render_kind kind, bool translucent)
{
    const facet_renderer *r = view->renderer;
    for (uint32_t i = 0; i < r->batch_count; i++) {
        const facet_render_batch *batch = &r->batches[i];
        const facet_render_material *material = &view->materials[batch->material];
        if ((batch->modes && !(batch->modes & view->how.modes)) ||
            (material->skipped && view->fill == FACET_RENDER_SHADED) || is_hidden(view, batch) ||
            kind_of(view, batch, material) != kind)
            continue;
        if (kind == FACET_RENDER_CONSOLE && !view->how.file_order &&
            (material->gx->translucent != 0) != translucent)
            continue;
        facet_render_draw *draw = &view->draws[view->draw_count++];
        draw->batch = batch;
        draw->instance = &r->instances[batch->instance];
        draw->material = material;
        draw->order = i;
        /* Culling on the chip ignores transforms. */
        draw->mirrored = view->mirrored[batch->instance] && !material->gx;
    }
    return view->draw_count;
}

/* Set the distance of the joint that a translucent mesh belongs to. */
static void sort_translucent(facet_render_view *view, uint32_t begin)
{
    const facet_scene *scene = view->renderer->scene;
    for (uint32_t d = begin; d < view->draw_count; d++) {
        facet_render_draw *draw = &view->draws[d];
        uint32_t node = draw->instance->node;
        float at[3] = {0, 0, 0};
        if (node != FACET_NONE && scene->nodes[node]->skin == FACET_NONE)
            memcpy(at, view->pose.global + (size_t)node * 16 + 12, sizeof at);
        const float *t = view->renderer->turn;
        float place = view->camera[2][3];
        for (int k = 0; k < 3; k++)
            place += view->camera[2][k] * (t[k] * at[0] + t[4 + k] * at[1] + t[8 + k] * at[2]);
        draw->far_away = -place;
    }
    if (view->draw_count > begin)
        qsort(view->draws + begin, view->draw_count - begin, sizeof *view->draws, compare_draws);
}

facet_status facet_render_order(facet_render_view *view)
{
    uint32_t count = view->renderer->batch_count;
    if (!view->draws)
        view->draws = facet_arena_allocate(view->arena, count, sizeof *view->draws);
    if (!view->draws)
        return facet_fail_arena(view->arena, view->error);
    memset(view->draws, 0, count * sizeof *view->draws);
    view->draw_count = 0;
    view->solid_end = add_kind(view, FACET_RENDER_SOLID, false);
    uint32_t translucent = add_kind(view, FACET_RENDER_CONSOLE, false);
    if (!view->how.file_order) {
        add_kind(view, FACET_RENDER_CONSOLE, true);
        sort_translucent(view, translucent);
    }
    view->console_end = view->draw_count;
    add_kind(view, FACET_RENDER_BLENDED, false);
    uint64_t triangles = 0;
    for (uint32_t d = 0; d < view->draw_count; d++) {
        view->draws[d].first_triangle = (uint32_t)triangles;
        triangles += view->draws[d].batch->face_count;
    }
    view->triangle_count = (uint32_t)triangles;
    return FACET_OK;
}

const facet_render_draw *facet_render_find_draw(const facet_render_view *view, uint32_t triangle,
                                                uint32_t *hint)
{
    const facet_render_draw *draws = view->draws;
    uint32_t low = 0, high = view->draw_count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (draws[middle].first_triangle <= triangle)
            low = middle;
        else
            high = middle;
    }
    *hint = low;
    return &draws[low];
}
