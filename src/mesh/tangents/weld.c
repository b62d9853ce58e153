/* mesh/tangents/weld.c - the mesh as MikkTSpace sees it: vertices told apart by
 * the values of position, normal and texture coordinate alone. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "mesh/tangents/space.h"

#include <string.h>

/* -- Values ------------------------------------------------------------- */

/* Where the values of an item come from. An item is a vertex when the three
 * streams share one index, and a corner otherwise. */
typedef struct value_source {
    const facet_stream *streams[3];
    bool by_corner;
} value_source;

typedef struct values {
    float of[8]; /* position, normal, texture coordinate */
} values;

static values load_values(const value_source *source, uint32_t item)
{
    static const int widths[3] = {3, 3, 2};
    values loaded;
    float *at = loaded.of;
    for (int i = 0; i < 3; i++) {
        const facet_stream *stream = source->streams[i];
        uint32_t element = source->by_corner ? stream->indices[item] : item;
        const float *data = stream->data;
        for (int k = 0; k < widths[i]; k++)
            *at++ = element == FACET_NONE ? 0 : data[(size_t)element * stream->components + k];
    }
    /* Minus zero equals zero; nothing else that is equal differs in its bits. */
    for (int k = 0; k < 8; k++)
        loaded.of[k] += 0.0f;
    return loaded;
}

static uint32_t hash_values(const values *v)
{
    uint64_t hash = 0x243F6A8885A308D3u;
    for (int k = 0; k < 4; k++) {
        uint64_t pair;
        memcpy(&pair, &v->of[2 * k], sizeof pair);
        hash = (hash ^ pair) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* -- The table ---------------------------------------------------------- */

/* An open hash table of items. A slot holds the item's hash in its upper half
 * and 1 + the item in its lower. */
typedef struct value_table {
    facet_arena *arena;
    uint64_t *slots;
    size_t slot_count; /* a power of two, more than twice the items in it */
    size_t used;
} value_table;

/* An item that finds neither its like nor a free slot within so many stays
 * alone; no more than a file made for the purpose brings that about. */
#define MOST_PROBES 256

static bool grow_table(value_table *table, size_t slot_count)
{
    uint64_t *slots = facet_arena_allocate_zeroed(table->arena, slot_count, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < table->slot_count; i++) {
        uint64_t slot = table->slots[i];
        size_t at = (size_t)(slot >> 32) & (slot_count - 1);
        while (slot != 0 && slots[at] != 0)
            at = (at + 1) & (slot_count - 1);
        if (slot != 0)
            slots[at] = slot;
    }
    facet_arena_release(table->arena, table->slots, table->slot_count, sizeof *slots);
    table->slots = slots;
    table->slot_count = slot_count;
    return true;
}

/* The first item with the values of this one: an earlier one, or itself. */
static uint32_t find_or_add(value_table *table, const value_source *source, uint32_t item,
                            const values *v, uint32_t hash)
{
    size_t at = hash & (table->slot_count - 1);
    for (int probe = 0; probe < MOST_PROBES; probe++) {
        uint64_t slot = table->slots[at];
        if (slot == 0) {
            table->slots[at] = (uint64_t)hash << 32 | (item + 1);
            table->used++;
            return item;
        }
        if (slot >> 32 == hash) {
            values other = load_values(source, (uint32_t)slot - 1);
            if (memcmp(&other, v, sizeof other) == 0)
                return (uint32_t)slot - 1;
        }
        at = (at + 1) & (table->slot_count - 1);
    }
    return item;
}

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address, 1)
#else
#define PREFETCH(address) ((void)(address))
#endif

/* Items are taken in runs: hashed first, so that their slots are on the way
 * when they are looked at. */
#define RUN 32

/* firsts[i] = the first item with the values of item i; *unique = how many
 * items are their own first. */
static bool weld_items(facet_arena *arena, const value_source *source, uint32_t count,
                       size_t slot_count, uint32_t *firsts, uint32_t *unique)
{
    value_table table = {arena, NULL, 0, 0};
    uint32_t own = 0;
    bool fits = grow_table(&table, slot_count);
    for (uint32_t begin = 0; fits && begin < count; begin += RUN) {
        values run[RUN];
        uint32_t hashes[RUN];
        uint32_t length = count - begin < RUN ? count - begin : RUN;
        if ((table.used + RUN) * 2 > table.slot_count)
            fits = grow_table(&table, table.slot_count * 2);
        for (uint32_t i = 0; fits && i < length; i++) {
            run[i] = load_values(source, begin + i);
            hashes[i] = hash_values(&run[i]);
            PREFETCH(&table.slots[hashes[i] & (table.slot_count - 1)]);
        }
        for (uint32_t i = 0; fits && i < length; i++) {
            firsts[begin + i] = find_or_add(&table, source, begin + i, &run[i], hashes[i]);
            own += firsts[begin + i] == begin + i;
        }
    }
    facet_arena_release(arena, table.slots, table.slot_count, sizeof *table.slots);
    *unique = own;
    return fits;
}

static size_t table_size_for(size_t items)
{
    size_t slot_count = 128;
    while (slot_count / 2 < items + RUN)
        slot_count *= 2;
    return slot_count;
}

/* -- Welding ------------------------------------------------------------ */

/* One index: the vertices are there, and usually no two are equal. */
static bool weld_vertices(facet_tangent_mesh *mesh, const value_source *source)
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
    uint32_t unique = 0;
    uint32_t *firsts = facet_arena_allocate(mesh->arena, mesh->vertex_count, sizeof *firsts);
    bool fits = firsts && weld_items(mesh->arena, source, mesh->vertex_count,
                                     table_size_for(mesh->vertex_count), firsts, &unique);
    if (fits && unique < mesh->vertex_count) {
        mesh->own_ids =
            facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *mesh->own_ids);
        fits = mesh->own_ids != NULL;
        for (uint32_t corner = 0; fits && corner < mesh->corner_count; corner++)
            mesh->own_ids[corner] = firsts[mesh->vertices[corner]];
        mesh->ids = mesh->own_ids;
    }
    facet_arena_release(mesh->arena, firsts, mesh->vertex_count, sizeof *firsts);
    return fits;
}

/* An index each: the vertices are the distinct values, numbered by first use. */
static bool weld_corners(facet_tangent_mesh *mesh, const value_source *source)
{
    size_t expected = 0;
    for (int i = 0; i < 3; i++) {
        if (source->streams[i]->count > expected)
            expected = source->streams[i]->count;
    }
    if (expected > mesh->corner_count)
        expected = mesh->corner_count;
    uint32_t *firsts = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof *firsts);
    mesh->own_vertices = firsts;
    if (!firsts || !weld_items(mesh->arena, source, mesh->corner_count, table_size_for(expected),
                               firsts, &mesh->vertex_count))
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
            firsts[corner] = firsts[firsts[corner]]; /* which has its number already */
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
                                     facet_error *error)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->arena = from->arena;
    mesh->triangle_count = from->face_count;
    mesh->corner_count = from->corner_count;
    value_source source = {{facet_mesh_find(from, FACET_POSITION, 0),
                            facet_mesh_find(from, FACET_NORMAL, 0),
                            facet_mesh_find(from, FACET_TEXCOORD, 0)},
                           false};
    const facet_stream *const *streams = source.streams;
    source.by_corner =
        streams[1]->indices != streams[0]->indices || streams[2]->indices != streams[0]->indices;
    if (source.by_corner ? weld_corners(mesh, &source) : weld_vertices(mesh, &source))
        return FACET_OK;
    return facet_fail_memory(error, (size_t)mesh->corner_count * sizeof(uint32_t));
}

void facet_tangent_mesh_release(facet_tangent_mesh *mesh)
{
    facet_arena *arena = mesh->arena;
    facet_arena_release(arena, mesh->corners, mesh->corner_count, sizeof *mesh->corners);
    facet_arena_release(arena, mesh->ends, mesh->vertex_count, sizeof *mesh->ends);
    facet_arena_release(arena, mesh->flags, mesh->triangle_count, sizeof *mesh->flags);
    facet_arena_release(arena, mesh->own_values, mesh->vertex_count, sizeof(values));
    facet_arena_release(arena, mesh->own_ids, mesh->corner_count, sizeof *mesh->own_ids);
    facet_arena_release(arena, mesh->own_vertices, mesh->corner_count, sizeof *mesh->own_vertices);
}
