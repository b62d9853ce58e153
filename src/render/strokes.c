/* render/strokes.c - lines and points as faces toward the camera. Each is a square of four
 * vertices. They are at its ends until the camera is placed, and are then moved apart. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/threads.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

enum { LINES, POINTS };

/* -- Instances ---------------------------------------------------------- */

/* Copy the colors of the ends to each vertex. */
static facet_status widen_colors(facet_renderer *r, facet_render_instance *to, facet_error *error)
{
    const facet_stream *from = to->colors;
    if (!from)
        return FACET_OK;
    facet_stream *stream = facet_arena_allocate(r->arena, 1, sizeof *stream);
    float *values =
        facet_arena_allocate(r->arena, to->vertex_count, from->components * sizeof *values);
    if (!stream || !values)
        return facet_fail_arena(r->arena, error);
    for (uint32_t i = 0; i < to->vertex_count; i++)
        memcpy(values + (size_t)i * from->components,
               (const float *)from->data +
                   (size_t)facet_render_source_vertex(to, i) * from->components,
               from->components * sizeof *values);
    *stream = *from;
    stream->data = values;
    stream->count = to->vertex_count;
    to->colors = stream;
    return FACET_OK;
}

/* Create the faces of strokes, two for each, with its material. */
static facet_status set_faces(facet_renderer *r, facet_render_instance *to, int kind,
                              facet_error *error)
{
    const facet_material_uses uses = facet_mesh_material_uses(to->mesh, kind + 1);
    uint32_t count = uses.count;
    static const uint32_t square[6] = {0, 1, 2, 0, 2, 3};
    facet_mesh *mesh = facet_arena_allocate(r->arena, 1, sizeof *mesh);
    uint32_t *corners = facet_arena_allocate(r->arena, count, sizeof square);
    if (!mesh || !corners)
        return facet_fail_arena(r->arena, error);
    for (size_t i = 0; i < (size_t)count * 6; i++)
        corners[i] = (uint32_t)(i / 6 * 4) + square[i % 6];
    uint32_t *materials = NULL;
    if (uses.indices) {
        materials = facet_arena_allocate(r->arena, (size_t)count * 2, sizeof *materials);
        if (!materials)
            return facet_fail_arena(r->arena, error);
        for (size_t i = 0; i < (size_t)count * 2; i++)
            materials[i] = uses.indices[i / 2];
    }
    *mesh = *to->mesh;
    mesh->face_count = count * 2;
    mesh->corner_count = count * 6;
    mesh->face_materials = materials;
    to->mesh = mesh;
    to->corners = corners;
    to->vertex_count = count * 4;
    return FACET_OK;
}

/* Add the instance for lines or points of another instance, which is complete. */
static facet_status add(facet_renderer *r, uint32_t source, int kind, facet_error *error)
{
    enum { MAX_STROKES = INT32_MAX / 8 };
    const facet_render_instance *from = &r->instances[source];
    facet_ends ends = facet_mesh_ends(from->mesh, kind);
    uint32_t per_stroke = kind == LINES ? 2 : 1;
    if (ends.count == 0)
        return FACET_OK;
    if (ends.count / per_stroke > MAX_STROKES)
        return facet_fail(error, FACET_ERROR_LIMIT, "RENDER-COUNT", FACET_NO_OFFSET,
                          "more than 2^28 lines or points to draw");
    for (size_t i = 0; i < ends.count; i++) {
        if (ends.indices[i] >= from->vertex_count)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "RENDER-MESH", FACET_NO_OFFSET,
                              "a line or point names vertex %u of %u", (unsigned)ends.indices[i],
                              (unsigned)from->vertex_count);
    }
    facet_render_instance *to = &r->instances[r->instance_count];
    *to = *from;
    to->ends = ends.indices;
    to->ends_per_stroke = per_stroke;
    to->source = source;
    to->tangents = NULL;
    to->color1 = NULL;
    to->normal_lengths = NULL;
    memset(to->texture_matrices, 0, sizeof to->texture_matrices);
    memset(to->texcoords, 0, sizeof to->texcoords);
    memset(to->stored, 0, sizeof to->stored);
    facet_status status = set_faces(r, to, kind, error);
    if (!status)
        status = widen_colors(r, to, error);
    r->instance_count += !status;
    return status;
}

uint32_t facet_render_count_strokes(const facet_mesh *mesh)
{
    return (mesh->line_count > 0) + (mesh->point_count > 0);
}

facet_status facet_render_add_strokes(facet_renderer *r, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0, count = r->instance_count; i < count && !status; i++) {
        for (int kind = LINES; kind <= POINTS && !status; kind++)
            status = add(r, i, kind, error);
    }
    return status;
}

/* -- On the screen ------------------------------------------------------ */

typedef struct widening {
    facet_render_view *view;
    const facet_render_instance *instance;
    float pixels; /* half of the width in pixels */
} widening;

/* Half of the width in the model's units, at a vertex. */
static float half_width(const widening *w, const float place[3])
{
    const facet_render_view *view = w->view;
    float distance = -place[2] > view->near_z ? -place[2] : view->near_z;
    return w->pixels * (float)view->grid / view->scale * (view->is_perspective ? distance : 1);
}

/* Directions along the line and across it on the screen. A line toward the viewer is a point. */
static void line_axes(const facet_render_view *view, const float from[3], const float to[3],
                      float along[3], float across[3])
{
    float toward[3] = {0, 0, 1}, length = 0, width = 0;
    for (int k = 0; k < 3; k++) {
        along[k] = to[k] - from[k];
        length += along[k] * along[k];
        if (view->is_perspective)
            toward[k] = -from[k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        across[k] = toward[i] * along[j] - toward[j] * along[i];
        width += across[k] * across[k];
    }
    bool degenerate = !(length > 1e-30f) || !(width > 1e-30f);
    for (int k = 0; k < 3; k++) {
        along[k] = degenerate ? (k == 0 ? 1.0f : 0.0f) : along[k] / sqrtf(length);
        across[k] = degenerate ? (k == 1 ? 1.0f : 0.0f) : across[k] / sqrtf(width);
    }
}

/* Distance that an end is moved toward the viewer, limited so that it stays visible. */
static float lift_of(const widening *w, const float end[3], float half)
{
    float space = -end[2] - w->view->near_z;
    return w->view->is_perspective && space >= 0 && space < half ? space : half;
}

/* Place a stroke's four vertices, counterclockwise for the viewer, slightly in front of its
 * surface. */
static void widen_one(const widening *w, uint32_t stroke)
{
    facet_render_view *view = w->view;
    size_t first = (size_t)w->instance->first_vertex + (size_t)stroke * 4;
    float along[3] = {1, 0, 0}, across[3] = {0, 1, 0}, ends[2][3];
    memcpy(ends[0], view->places[first], sizeof ends[0]);
    memcpy(ends[1], view->places[first + 2], sizeof ends[1]);
    if (w->instance->ends_per_stroke == 2)
        line_axes(view, ends[0], ends[1], along, across);
    for (int i = 0; i < 4; i++) {
        static const float signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
        /* Vertices 0 and 3 belong to the first end; 1 and 2 to the second. */
        const float *end = ends[i == 1 || i == 2];
        float half = half_width(w, end), lift = lift_of(w, end, half);
        for (int k = 0; k < 3; k++)
            view->places[first + i][k] = end[k] +
                                         half * (signs[i][0] * along[k] + signs[i][1] * across[k]) +
                                         (k == 2 ? lift : 0);
        facet_render_project_vertex(view, (uint32_t)(first + i));
    }
}

static void widen_some(void *argument, size_t task)
{
    const widening *w = argument;
    uint32_t count = w->instance->vertex_count / 4, begin = (uint32_t)task * FACET_RENDER_VERTICES;
    uint32_t end = begin + FACET_RENDER_VERTICES < count ? begin + FACET_RENDER_VERTICES : count;
    for (uint32_t i = begin; i < end; i++)
        widen_one(w, i);
}

void facet_render_widen_strokes(facet_render_view *view)
{
    const facet_renderer *r = view->renderer;
    for (uint32_t i = 0; i < r->instance_count; i++) {
        const facet_render_instance *instance = &r->instances[i];
        if (!instance->ends)
            continue;
        /* Points are twice as wide as lines. */
        widening w = {view, instance,
                      (float)view->how.line_width / (float)instance->ends_per_stroke};
        uint32_t count = instance->vertex_count / 4;
        facet_run(view->options, widen_some, &w,
                  (count + FACET_RENDER_VERTICES - 1) / FACET_RENDER_VERTICES);
    }
}
