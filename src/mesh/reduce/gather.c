/* mesh/reduce/gather.c - a mesh as wedges and places, and the ways in which each place may move. */
#include "mesh/reduce/reduce.h"

#include "base/arena.h"
#include "base/error.h"
#include "mesh/edges.h"
#include "mesh/values.h"

#include <math.h>
#include <string.h>

/* -- Wedges ------------------------------------------------------------- */

/* Group faces by material and part, stably. `order` lists the faces, `groups` has the group of
 * each face. Groups are numbered by first use. */
typedef struct grouping {
    uint32_t *groups, *order;
    uint32_t count;
} grouping;

typedef struct group_key {
    uint32_t material, part;
} group_key;

static facet_status group_faces(const facet_mesh *mesh, facet_arena *arena, grouping *g,
                                facet_error *error)
{
    uint32_t faces = mesh->face_count, part = 0;
    group_key *keys = facet_arena_allocate(arena, faces, sizeof *keys);
    g->groups = facet_arena_allocate(arena, faces, sizeof *g->groups);
    g->order = facet_arena_allocate(arena, faces, sizeof *g->order);
    if (!keys || !g->groups || !g->order)
        return facet_fail_arena(arena, error);
    for (uint32_t face = 0; face < faces; face++) {
        while (part < mesh->part_count &&
               face >= mesh->parts[part].first_face + mesh->parts[part].face_count)
            part++;
        bool inside = part < mesh->part_count && face >= mesh->parts[part].first_face;
        keys[face].material = mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
        keys[face].part = inside ? part : FACET_NONE;
    }
    const facet_column column = {keys, FACET_UINT32, 2};
    facet_status status =
        facet_values_number(&column, 1, faces, arena, NULL, g->groups, &g->count, error);
    uint32_t *starts =
        status ? NULL : facet_arena_allocate_zeroed(arena, (size_t)g->count + 1, sizeof *starts);
    if (!status && !starts)
        status = facet_fail_arena(arena, error);
    if (status)
        return status;
    for (uint32_t face = 0; face < faces; face++)
        starts[g->groups[face] + 1]++;
    for (uint32_t i = 0; i < g->count; i++)
        starts[i + 1] += starts[i];
    for (uint32_t face = 0; face < faces; face++)
        g->order[starts[g->groups[face]]++] = face;
    facet_arena_release(arena, starts, (size_t)g->count + 1, sizeof *starts);
    facet_arena_release(arena, keys, faces, sizeof *keys);
    return FACET_OK;
}

/* Number the wedges group by group, with triangles in the order of the mesh. */
static facet_status make_wedges(const facet_mesh *mesh, facet_reducer *r, facet_error *error)
{
    grouping g;
    TRY(group_faces(mesh, r->arena, &g, error));
    uint32_t vertices = mesh->streams[0].count;
    size_t corners = mesh->corner_count;
    const uint32_t *indices = mesh->streams[0].indices;
    uint32_t *seen_in = facet_arena_allocate(r->arena, vertices, sizeof *seen_in);
    uint32_t *wedges = facet_arena_allocate(r->arena, vertices, sizeof *wedges);
    r->vertices = facet_arena_allocate(r->arena, corners, sizeof *r->vertices);
    r->triangles = facet_arena_allocate(r->arena, corners, sizeof *r->triangles);
    r->faces = facet_arena_allocate(r->arena, mesh->face_count, sizeof *r->faces);
    if (!seen_in || !wedges || !r->vertices || !r->triangles || !r->faces)
        return facet_fail_arena(r->arena, error);
    memset(seen_in, 0xFF, vertices * sizeof *seen_in);
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        uint32_t face = g.order[i], group = g.groups[face];
        for (size_t corner = (size_t)face * 3; corner < (size_t)face * 3 + 3; corner++) {
            uint32_t vertex = indices[corner];
            if (seen_in[vertex] != group) {
                seen_in[vertex] = group;
                wedges[vertex] = r->wedge_count;
                r->vertices[r->wedge_count++] = vertex;
            }
            r->triangles[corner] = wedges[vertex];
        }
        r->faces[face] = face;
    }
    r->triangle_count = mesh->face_count;
    r->vertex_count = vertices;
    return FACET_OK;
}

/* -- Places ------------------------------------------------------------- */

static void scale_points(const facet_mesh *mesh, facet_reducer *r)
{
    const float *positions = mesh->streams[0].data;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double side = 0;
    for (uint32_t w = 0; w < r->wedge_count; w++) {
        for (size_t k = 0; k < 3; k++) {
            double value = (double)positions[(size_t)r->vertices[w] * 3 + k];
            low[k] = fmin(low[k], value);
            high[k] = fmax(high[k], value);
        }
    }
    for (int k = 0; k < 3 && r->wedge_count > 0; k++)
        side = fmax(side, high[k] - low[k]);
    r->scale = side > 0 ? 1 / side : 1;
    for (uint32_t w = 0; w < r->wedge_count; w++) {
        for (size_t k = 0; k < 3; k++) {
            double value = (double)positions[(size_t)r->vertices[w] * 3 + k];
            r->points[r->places[w]][k] = (float)((value - low[k]) * r->scale);
        }
    }
}

static facet_status make_places(const facet_mesh *mesh, facet_reducer *r,
                                const facet_options *options, facet_error *error)
{
    const facet_stretch numbering = {options, "reduce", {0.02, 0.04}};
    const facet_column column = {mesh->streams[0].data, FACET_FLOAT32, 3};
    uint32_t vertices = mesh->streams[0].count, distinct = 0;
    uint32_t *numbers = facet_arena_allocate(r->arena, vertices, sizeof *numbers);
    r->places = facet_arena_allocate(r->arena, r->wedge_count, sizeof *r->places);
    r->siblings = facet_arena_allocate(r->arena, r->wedge_count, sizeof *r->siblings);
    if (!numbers || !r->places || !r->siblings)
        return facet_fail_arena(r->arena, error);
    facet_status status =
        facet_values_number(&column, 1, vertices, r->arena, &numbering, numbers, &distinct, error);
    if (status)
        return status;
    r->place_count = distinct;
    r->first = facet_arena_allocate(r->arena, distinct, sizeof *r->first);
    r->points = facet_arena_allocate_zeroed(r->arena, distinct, sizeof *r->points);
    if (!r->first || !r->points)
        return facet_fail_arena(r->arena, error);
    memset(r->first, 0xFF, distinct * sizeof *r->first);
    for (uint32_t w = 0; w < r->wedge_count; w++) {
        uint32_t place = numbers[r->vertices[w]];
        r->places[w] = place;
        r->siblings[w] = w;
        if (r->first[place] == FACET_NONE) {
            r->first[place] = w;
        } else {
            r->siblings[w] = r->siblings[r->first[place]];
            r->siblings[r->first[place]] = w;
        }
    }
    facet_arena_release(r->arena, numbers, vertices, sizeof *numbers);
    scale_points(mesh, r);
    return FACET_OK;
}

/* Drop triangles that use a place twice, since they have no area. */
static void drop_degenerate(facet_reducer *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->triangle_count; i++) {
        const uint32_t *t = r->triangles + (size_t)i * 3;
        uint32_t a = r->places[t[0]], b = r->places[t[1]], c = r->places[t[2]];
        if (a == b || b == c || c == a)
            continue;
        memmove(r->triangles + (size_t)kept * 3, t, 3 * sizeof *t);
        r->faces[kept++] = r->faces[i];
    }
    r->triangle_count = kept;
}

/* -- Kinds -------------------------------------------------------------- */

static void note_open(uint32_t *ends, uint32_t wedge, uint32_t end)
{
    ends[wedge] = ends[wedge] == FACET_NONE ? end : wedge;
}

/* Number of corners that are processed between two calls of the progress callback. */
#define AT_ONCE 196608

/* Find the edges of wedges that no triangle uses in the opposite direction. */
static facet_status find_open_edges(facet_reducer *r, const facet_options *options,
                                    facet_error *error)
{
    const double looking[2] = {0.1, 0.15};
    size_t corners = (size_t)r->triangle_count * 3;
    const facet_stretch progress = {options, "reduce", {0.05, 0.1}};
    facet_edges edges;
    r->next = facet_arena_allocate(r->arena, r->wedge_count, sizeof *r->next);
    r->previous = facet_arena_allocate(r->arena, r->wedge_count, sizeof *r->previous);
    if (!r->next || !r->previous)
        return facet_fail_arena(r->arena, error);
    TRY(facet_edges_sort(r->triangles, r->triangle_count, r->wedge_count, &progress, r->arena,
                         &edges, error));
    facet_status status = FACET_OK;
    memset(r->next, 0xFF, r->wedge_count * sizeof *r->next);
    memset(r->previous, 0xFF, r->wedge_count * sizeof *r->previous);
    for (size_t i = 0; i < corners && !status; i++) {
        uint32_t from = r->triangles[i], to = r->triangles[i % 3 == 2 ? i - 2 : i + 1];
        if (i % AT_ONCE == 0)
            status = facet_step_within(options, "reduce", looking, i, corners, error);
        if (facet_edges_count(&edges, to, from) > 0)
            continue;
        note_open(r->next, from, to);
        note_open(r->previous, to, from);
    }
    facet_edges_free(r->arena, &edges);
    return status;
}

/* True if one open edge enters the wedge and one leaves it. */
static bool has_one_border(const facet_reducer *r, uint32_t wedge)
{
    return r->next[wedge] != FACET_NONE && r->previous[wedge] != FACET_NONE &&
           r->next[wedge] != wedge && r->previous[wedge] != wedge;
}

static facet_reduce_kind kind_of(const facet_reducer *r, uint32_t place)
{
    uint32_t a = r->first[place];
    if (a == FACET_NONE)
        return FACET_REDUCE_LOCKED;
    uint32_t b = r->siblings[a];
    if (b == a) {
        if (r->next[a] == FACET_NONE && r->previous[a] == FACET_NONE)
            return FACET_REDUCE_INSIDE;
        return has_one_border(r, a) ? FACET_REDUCE_BORDER : FACET_REDUCE_LOCKED;
    }
    if (r->siblings[b] != a || !has_one_border(r, a) || !has_one_border(r, b))
        return FACET_REDUCE_LOCKED;
    bool along = r->places[r->next[a]] == r->places[r->previous[b]] &&
                 r->places[r->previous[a]] == r->places[r->next[b]];
    return along ? FACET_REDUCE_SEAM : FACET_REDUCE_LOCKED;
}

/* -- Attributes --------------------------------------------------------- */

/* Weight of a difference of 1, relative to the longest side of the box. */
#define NORMAL_WEIGHT 0.2F
#define TEXCOORD_WEIGHT 0.5F
#define COLOR_WEIGHT 0.3F
#define MAX_ATTRIBUTE 1e6F

/* Scale down texture coordinates that repeat many times, which would otherwise dominate the
 * error. */
static float texcoord_weight(const facet_stream *stream)
{
    const float *values = stream->data;
    float low[2] = {0, 0}, high[2] = {1, 1};
    for (size_t i = 0; i < stream->count; i++) {
        for (size_t k = 0; k < 2; k++) {
            low[k] = fminf(low[k], values[i * stream->components + k]);
            high[k] = fmaxf(high[k], values[i * stream->components + k]);
        }
    }
    return TEXCOORD_WEIGHT / fmaxf(high[0] - low[0], high[1] - low[1]);
}

/* Limit a value so that sums of its squares are finite; 0 for NaN. */
static float bounded(float value)
{
    return value >= -MAX_ATTRIBUTE ? fminf(value, MAX_ATTRIBUTE)
           : isnan(value)          ? 0
                                   : -MAX_ATTRIBUTE;
}

static facet_status gather_attributes(const facet_mesh *mesh, facet_reducer *r, facet_error *error)
{
    static const facet_semantic semantics[3] = {FACET_NORMAL, FACET_TEXCOORD, FACET_COLOR};
    static const uint32_t most[3] = {3, 2, 4};
    const facet_stream *streams[3];
    uint32_t widths[3];
    for (int i = 0; i < 3; i++) {
        streams[i] = facet_mesh_find(mesh, semantics[i], 0);
        widths[i] = !streams[i]                        ? 0
                    : streams[i]->components < most[i] ? streams[i]->components
                                                       : most[i];
        r->attribute_count += widths[i];
    }
    r->attributes = facet_arena_allocate(r->arena, r->wedge_count,
                                         (r->attribute_count + 1) * sizeof *r->attributes);
    if (!r->attributes)
        return facet_fail_arena(r->arena, error);
    uint32_t at = 0;
    for (int i = 0; i < 3; i++) {
        if (!streams[i])
            continue;
        const float *values = streams[i]->data;
        float weight = i == 0 ? NORMAL_WEIGHT : i == 1 ? texcoord_weight(streams[i]) : COLOR_WEIGHT;
        for (uint32_t w = 0; w < r->wedge_count; w++) {
            for (uint32_t k = 0; k < widths[i]; k++)
                r->attributes[(size_t)w * r->attribute_count + at + k] =
                    bounded(weight * values[(size_t)r->vertices[w] * streams[i]->components + k]);
        }
        at += widths[i];
    }
    return FACET_OK;
}

facet_status facet_reduce_gather(const facet_mesh *mesh, const facet_options *options,
                                 facet_reducer *r, facet_error *error)
{
    facet_status status;
    if ((status = make_wedges(mesh, r, error)) ||
        (status = facet_step(options, "reduce", 0.02, error)) ||
        (status = make_places(mesh, r, options, error)) ||
        (status = facet_step(options, "reduce", 0.05, error)))
        return status;
    drop_degenerate(r);
    if ((status = find_open_edges(r, options, error)) ||
        (status = facet_step(options, "reduce", 0.15, error)))
        return status;
    r->kinds = facet_arena_allocate(r->arena, r->place_count, sizeof *r->kinds);
    if (!r->kinds)
        return facet_fail_arena(r->arena, error);
    for (uint32_t place = 0; place < r->place_count; place++)
        r->kinds[place] = (uint8_t)kind_of(r, place);
    return gather_attributes(mesh, r, error);
}
