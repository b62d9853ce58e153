/* formats/gltf/from_scene/compress.c - EXT_meshopt_compression: encode vertices, indices and key
 * frames with meshoptimizer.
 *
 * Each compressed view has two ranges. Its own range is in a second buffer without bytes, which has
 * the size of the uncompressed data. The range of the compressed bytes is in the first buffer. */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "formats/gltf/from_scene/writer.h"
#include "mesh/meshoptimizer.h"

#include <string.h>

typedef struct gathered {
    uint8_t *bytes;
    size_t used;
} gathered;

static void gather(void *user, const void *data, size_t size)
{
    gathered *g = user;
    memcpy(g->bytes + g->used, data, size);
    g->used += size;
}

static const char *mode_of(const facet_gltf_piece *piece)
{
    return piece->kind == FACET_GLTF_PIECE_INDICES ? "TRIANGLES"
           : facet_gltf_is_ends(piece->kind)       ? "INDICES"
                                                   : "ATTRIBUTES";
}

/* Indices as 32 bits: the encoder accepts no other size. */
static uint32_t *widen(facet_gltf_writer *w, const facet_gltf_piece *piece, const uint8_t *bytes,
                       size_t count)
{
    uint32_t *indices = facet_arena_allocate(w->arena, count, sizeof *indices);
    for (size_t i = 0; indices && i < count; i++) {
        const uint8_t *at = bytes + i * (piece->narrow ? 2 : 4);
        indices[i] = (uint32_t)at[0] | (uint32_t)at[1] << 8;
        if (!piece->narrow)
            indices[i] |= (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    }
    return indices;
}

static size_t encode_indices(facet_gltf_writer *w, const facet_meshoptimizer *meshoptimizer,
                             const facet_gltf_piece *piece, const uint8_t *bytes, uint8_t **made)
{
    size_t count = (size_t)(piece->size / (piece->narrow ? 2 : 4)), vertices = 0, space;
    bool ends = facet_gltf_is_ends(piece->kind);
    uint32_t *indices = widen(w, piece, bytes, count);
    for (size_t i = 0; indices && i < count; i++)
        vertices = indices[i] >= vertices ? (size_t)indices[i] + 1 : vertices;
    space = ends ? meshoptimizer->indices_bound(count, vertices)
                 : meshoptimizer->triangles_bound(count, vertices);
    *made = indices ? facet_arena_allocate(w->arena, space, 1) : NULL;
    if (!*made)
        return 0;
    size_t used = ends ? meshoptimizer->encode_indices(*made, space, indices, count)
                       : meshoptimizer->encode_triangles(*made, space, indices, count);
    facet_arena_release(w->arena, indices, count, sizeof *indices);
    return used;
}

static size_t encode(facet_gltf_writer *w, const facet_meshoptimizer *meshoptimizer,
                     const facet_gltf_piece *piece, const uint8_t *bytes, uint8_t **made)
{
    if (piece->kind == FACET_GLTF_PIECE_INDICES || facet_gltf_is_ends(piece->kind))
        return encode_indices(w, meshoptimizer, piece, bytes, made);
    size_t space = meshoptimizer->vertices_bound(piece->count, piece->stride);
    *made = facet_arena_allocate(w->arena, space, 1);
    return *made ? meshoptimizer->encode_vertices(*made, space, bytes, piece->count, piece->stride)
                 : 0;
}

static bool can_be_compressed(const facet_gltf_piece *piece)
{
    return piece->size > 0 && (piece->kind != FACET_GLTF_PIECE_BYTES ||
                               (piece->stride > 0 && piece->stride % 4 == 0 && piece->count > 0));
}

/* Write the view's range in the second buffer, and the extension with the compressed range. */
static void tell_of(facet_gltf_writer *w, facet_json *view, const facet_gltf_piece *was,
                    const facet_gltf_piece *is, uint64_t expanded)
{
    facet_json *extension = facet_json_object_in(w->arena),
               *extensions = facet_json_object_in(w->arena);
    bool indices = was->kind == FACET_GLTF_PIECE_INDICES || facet_gltf_is_ends(was->kind);
    uint32_t stride = indices ? (was->narrow ? 2 : 4) : was->stride;
    facet_gltf_put(w, extension, "buffer", facet_json_integer_in(w->arena, 0));
    facet_gltf_put(w, extension, "byteOffset",
                   facet_json_integer_in(w->arena, (int64_t)is->offset));
    facet_gltf_put(w, extension, "byteLength", facet_json_integer_in(w->arena, (int64_t)is->size));
    facet_gltf_put(w, extension, "byteStride", facet_json_integer_in(w->arena, stride));
    facet_gltf_put(w, extension, "count",
                   facet_json_integer_in(w->arena, (int64_t)(was->size / stride)));
    facet_gltf_put(w, extension, "mode", facet_json_string_in(w->arena, mode_of(was)));
    facet_gltf_put(w, extensions, "EXT_meshopt_compression", extension);
    facet_gltf_put(w, view, "extensions", extensions);
    facet_gltf_put(w, view, "buffer", facet_json_integer_in(w->arena, 1));
    facet_gltf_put(w, view, "byteOffset", facet_json_integer_in(w->arena, (int64_t)expanded));
}

/* Size of the largest piece that is compressed. */
static size_t largest_of(const facet_gltf_writer *w)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < w->piece_count; i++) {
        if (can_be_compressed(&w->pieces[i]) && w->pieces[i].size > largest)
            largest = w->pieces[i].size;
    }
    return (size_t)largest;
}

static facet_status compress_piece(facet_gltf_writer *w, const facet_meshoptimizer *meshoptimizer,
                                   uint32_t index, uint8_t *block, uint8_t *plain,
                                   facet_error *error)
{
    facet_gltf_piece *piece = &w->pieces[index], was = *piece;
    facet_json *view = facet_json_array_get(w->views, index);
    gathered g = {plain, 0};
    uint8_t *made = NULL;
    facet_gltf_emit_piece(&was, block, gather, &g);
    size_t size = encode(w, meshoptimizer, &was, plain, &made);
    if (size == 0)
        return facet_fail_arena(w->arena, error);
    *piece = (facet_gltf_piece){.kind = FACET_GLTF_PIECE_BYTES, .bytes = made, .size = size};
    piece->offset = (w->size + 3) & ~(uint64_t)3;
    w->size = piece->offset + size;
    w->expanded_size = (w->expanded_size + 3) & ~(uint64_t)3;
    tell_of(w, view, &was, piece, w->expanded_size);
    w->expanded_size += was.size;
    return FACET_OK;
}

facet_status facet_gltf_compress(facet_gltf_writer *w, facet_error *error)
{
    const facet_meshoptimizer *meshoptimizer;
    TRY(facet_meshoptimizer_open(&meshoptimizer, error));
    facet_status status = FACET_OK;
    if (!meshoptimizer->encode_vertices)
        return facet_fail_absent(error, "EXT_meshopt_compression needs", "meshoptimizer",
                                 "FACET_MESHOPT");
    /* Views are not shared here: each piece has its own view, in the same order. */
    size_t largest = largest_of(w);
    if (largest == 0) {
        w->compress = false;
        return FACET_OK;
    }
    uint8_t *block = facet_arena_allocate(w->arena, FACET_GLTF_BLOCK, 1);
    uint8_t *plain = facet_arena_allocate(w->arena, largest, 1);
    if (!block || !plain)
        return facet_fail_arena(w->arena, error);
    w->size = 0;
    for (uint32_t i = 0; i < w->piece_count && !status; i++) {
        facet_gltf_piece *piece = &w->pieces[i];
        if (can_be_compressed(piece)) {
            status = compress_piece(w, meshoptimizer, i, block, plain, error);
            continue;
        }
        piece->offset = (w->size + 3) & ~(uint64_t)3;
        w->size = piece->offset + piece->size;
        facet_gltf_put(w, facet_json_array_get(w->views, i), "byteOffset",
                       facet_json_integer_in(w->arena, (int64_t)piece->offset));
    }
    facet_arena_release(w->arena, plain, largest, 1);
    facet_arena_release(w->arena, block, FACET_GLTF_BLOCK, 1);
    return status;
}
