/* mesh/tangents/weld.c - the mesh as MikkTSpace defines it: vertices are equal if position,
 * normal and texture coordinate are equal. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/table.h"
#include "mesh/tangents/space.h"
#include "mesh/values.h"

#include <string.h>

/* -- Values ------------------------------------------------------------- */

/* The arrays that hold the values of each corner. */
typedef struct value_source {
    const facet_stream *streams[3];
} value_source;

typedef struct values {
    float of[8]; /* position, normal, texture coordinate */
} values;

static values load_values(const value_source *source, uint32_t corner)
{
    static const int widths[3] = {3, 3, 2};
    values loaded;
    float *at = loaded.of;
    for (int i = 0; i < 3; i++) {
        const facet_stream *stream = source->streams[i];
        uint32_t element = stream->indices[corner];
        const float *data = stream->data;
        for (int k = 0; k < widths[i]; k++)
            *at++ = element == FACET_NONE ? 0 : data[(size_t)element * stream->components + k];
    }
    /* -0 must equal 0. All other equal values have equal bits. */
    for (int k = 0; k < 8; k++)
        loaded.of[k] += 0.0f;
    return loaded;
}

static uint32_t hash_values(const values *v)
{
    uint64_t hash = 0;
    for (int k = 0; k < 4; k++) {
        uint64_t pair;
        memcpy(&pair, &v->of[2 * k], sizeof pair);
        hash = facet_hash_word(hash, pair);
    }
    return facet_hash_end(hash);
}

/* -- Distinct items ----------------------------------------------------- */

/* Number of items that are hashed ahead, so that their slots are being loaded before the search. */
#define RUN 32

typedef struct item_run {
    const value_source *source;
    uint32_t begin;
    values of[RUN];
} item_run;

static int compare_items(const void *user, uint32_t a, uint32_t b)
{
    const item_run *run = user;
    values one = load_values(run->source, a), other;
    if (b - run->begin < RUN)
        return memcmp(&one, &run->of[b - run->begin], sizeof one);
    other = load_values(run->source, b);
    return memcmp(&one, &other, sizeof one);
}

/* Find the first equal item: firsts[i] is the first item with the values of item i. *unique
 * becomes the number of items that are their own first. `expected` is an estimate of that. */
static bool weld_items(facet_arena *arena, const value_source *source, uint32_t count,
                       uint32_t expected, uint32_t *firsts, uint32_t *unique)
{
    facet_table table = facet_table_make(arena);
    item_run run = {.source = source};
    bool fits = facet_table_reserve(&table, expected, compare_items, &run);
    for (; run.begin < count && fits; run.begin += RUN) {
        uint32_t hashes[RUN];
        uint32_t length = count - run.begin < RUN ? count - run.begin : RUN;
        for (uint32_t i = 0; i < length; i++) {
            run.of[i] = load_values(source, run.begin + i);
            hashes[i] = hash_values(&run.of[i]);
            facet_table_prefetch(&table, hashes[i]);
        }
        for (uint32_t i = 0; i < length && fits; i++) {
            uint32_t item = run.begin + i;
            firsts[item] = facet_table_put(&table, hashes[i], item, compare_items, &run);
            fits = firsts[item] != UINT32_MAX;
        }
    }
    *unique = (uint32_t)table.count;
    facet_table_free(&table);
    return fits;
}

/* -- Welding ------------------------------------------------------------ */

/* Number the vertices by value; the depth of texture coordinates is ignored. */
static bool number_vertices(facet_tangent_mesh *mesh, const value_source *source,
                            const facet_options *options, uint32_t *numbers, uint32_t *distinct)
{
    const facet_stretch on_threads = {.options = options};
    uint32_t count = mesh->vertex_count;
    facet_column columns[3];
    for (int i = 0; i < 3; i++) {
        const facet_stream *stream = source->streams[i];
        columns[i] = (facet_column){stream->data, FACET_FLOAT32, stream->components};
    }
    float(*flat)[2] = NULL;
    if (mesh->texcoord_stride > 2) {
        flat = facet_arena_allocate(mesh->arena, count, sizeof *flat);
        for (uint32_t i = 0; flat && i < count; i++)
            memcpy(flat[i], mesh->texcoords + (size_t)i * mesh->texcoord_stride, sizeof *flat);
        columns[2] = (facet_column){flat, FACET_FLOAT32, 2};
    }
    bool fits = columns[2].data && facet_values_number(columns, 3, count, mesh->arena, &on_threads,
                                                       numbers, distinct, NULL) == FACET_OK;
    facet_arena_release(mesh->arena, flat, count, sizeof *flat);
    return fits;
}

/* Replace each vertex by the first vertex of its value. */
static bool share_ids(facet_tangent_mesh *mesh, const uint32_t *numbers, uint32_t distinct)
{
    uint32_t *firsts = facet_arena_allocate(mesh->arena, distinct, sizeof *firsts);
    mesh->own_ids = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *mesh->own_ids);
    bool fits = firsts && mesh->own_ids;
    for (uint32_t vertex = mesh->vertex_count; fits && vertex-- > 0;)
        firsts[numbers[vertex]] = vertex;
    for (uint32_t corner = 0; fits && corner < mesh->corner_count; corner++)
        mesh->own_ids[corner] = firsts[numbers[mesh->vertices[corner]]];
    mesh->ids = mesh->own_ids;
    facet_arena_release(mesh->arena, firsts, distinct, sizeof *firsts);
    return fits;
}

/* Weld a mesh with one index: the vertices exist, and usually all differ. */
static bool weld_vertices(facet_tangent_mesh *mesh, const value_source *source, bool are_distinct,
                          const facet_options *options)
{
    const facet_stream *const *streams = source->streams;
    mesh->positions = streams[0]->data;
    mesh->normals = streams[1]->data;
    mesh->texcoords = streams[2]->data;
    mesh->texcoord_stride = streams[2]->components;
    mesh->vertices = mesh->ids = streams[0]->indices;
    mesh->vertex_count = streams[0]->count;
    for (int i = 1; i < 3; i++) {
        if (streams[i]->count < mesh->vertex_count)
            mesh->vertex_count = streams[i]->count;
    }
    if (are_distinct)
        return true;
    uint32_t distinct = 0;
    uint32_t *numbers = facet_arena_allocate(mesh->arena, mesh->vertex_count, sizeof *numbers);
    bool fits = numbers && number_vertices(mesh, source, options, numbers, &distinct);
    if (fits && distinct < mesh->vertex_count)
        fits = share_ids(mesh, numbers, distinct);
    facet_arena_release(mesh->arena, numbers, mesh->vertex_count, sizeof *numbers);
    return fits;
}

/* Weld a mesh whose streams have separate indices. The vertices are the distinct values,
 * numbered by first use. */
static bool weld_corners(facet_tangent_mesh *mesh, const value_source *source)
{
    uint32_t expected = 0;
    for (int i = 0; i < 3; i++) {
        if (source->streams[i]->count > expected)
            expected = source->streams[i]->count;
    }
    if (expected > mesh->corner_count)
        expected = mesh->corner_count;
    uint32_t *firsts = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *firsts);
    mesh->own_vertices = firsts;
    if (!firsts ||
        !weld_items(mesh->arena, source, mesh->corner_count, expected, firsts, &mesh->vertex_count))
        return false;
    size_t count = mesh->vertex_count;
    mesh->own_values = facet_arena_allocate(mesh->arena, count, sizeof(values));
    if (!mesh->own_values)
        return false;
    float *positions = mesh->own_values, *normals = positions + 3 * count;
    float *texcoords = normals + 3 * count;
    uint32_t number = 0;
    for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
        if (firsts[corner] != corner) {
            firsts[corner] = firsts[firsts[corner]]; /* it already has its number */
            continue;
        }
        values v = load_values(source, corner);
        memcpy(positions + 3 * (size_t)number, v.of, 3 * sizeof(float));
        memcpy(normals + 3 * (size_t)number, v.of + 3, 3 * sizeof(float));
        memcpy(texcoords + 2 * (size_t)number, v.of + 6, 2 * sizeof(float));
        firsts[corner] = number++;
    }
    mesh->positions = positions;
    mesh->normals = normals;
    mesh->texcoords = texcoords;
    mesh->texcoord_stride = 2;
    mesh->vertices = mesh->ids = firsts;
    return true;
}

facet_status facet_tangent_mesh_weld(facet_tangent_mesh *mesh, const facet_mesh *from,
                                     bool distinct, const facet_options *options,
                                     facet_error *error)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->arena = from->arena;
    mesh->triangle_count = from->face_count;
    mesh->corner_count = from->corner_count;
    value_source source = {{facet_mesh_find(from, FACET_POSITION, 0),
                            facet_mesh_find(from, FACET_NORMAL, 0),
                            facet_mesh_find(from, FACET_TEXCOORD, 0)}};
    const facet_stream *const *streams = source.streams;
    bool shared =
        streams[1]->indices == streams[0]->indices && streams[2]->indices == streams[0]->indices;
    if (shared ? weld_vertices(mesh, &source, distinct, options) : weld_corners(mesh, &source))
        return FACET_OK;
    return facet_fail_arena(mesh->arena, error);
}

void facet_tangent_mesh_release_sums(facet_tangent_mesh *mesh)
{
    while (mesh->part_count > 0) {
        facet_tangent_part *part = &mesh->parts[--mesh->part_count];
        facet_arena_release(mesh->arena, part->sums, part->count, sizeof *part->sums);
    }
}

void facet_tangent_mesh_free(facet_tangent_mesh *mesh)
{
    facet_arena *arena = mesh->arena;
    facet_arena_release(arena, mesh->corners, mesh->left, sizeof *mesh->corners);
    facet_tangent_mesh_release_sums(mesh);
    facet_arena_release(arena, mesh->ends, mesh->vertex_count, sizeof *mesh->ends);
    facet_arena_release(arena, mesh->directions, mesh->unsettled_count, sizeof *mesh->directions);
    facet_arena_release(arena, mesh->unsettled, mesh->unsettled_count, sizeof *mesh->unsettled);
    facet_arena_release(arena, mesh->flags, mesh->triangle_count, sizeof *mesh->flags);
    facet_arena_release(arena, mesh->own_values, mesh->vertex_count, sizeof(values));
    facet_arena_release(arena, mesh->own_ids, mesh->corner_count, sizeof *mesh->own_ids);
    facet_arena_release(arena, mesh->own_vertices, mesh->corner_count, sizeof *mesh->own_vertices);
}
