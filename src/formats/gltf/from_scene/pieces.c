/* formats/gltf/from_scene/pieces.c - the plan of the binary buffer, and its bytes on demand. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/json.h"
#include "base/size.h"
#include "formats/gltf/from_scene/writer.h"
#include "scene/scene.h"

#include <math.h>
#include <string.h>

/* -- Planning ----------------------------------------------------------- */

facet_gltf_piece *facet_gltf_add_piece(facet_gltf_writer *w, facet_gltf_piece_kind kind,
                                       uint64_t size)
{
    if (!FACET_GROW(w->arena, w->pieces, w->piece_count, w->piece_capacity)) {
        w->failed = true;
        return NULL;
    }
    facet_gltf_piece *piece = &w->pieces[w->piece_count++];
    memset(piece, 0, sizeof *piece);
    piece->kind = kind;
    piece->offset = (w->size + 3) & ~(uint64_t)3;
    piece->size = size;
    w->size = piece->offset + size;
    return piece;
}

uint32_t facet_gltf_add_view(facet_gltf_writer *w, uint64_t offset, uint64_t size, uint32_t stride,
                             int target)
{
    facet_json *view = facet_json_object_in(w->arena);
    facet_gltf_put(w, view, "buffer", facet_json_integer_in(w->arena, 0));
    if (offset > 0)
        facet_gltf_put(w, view, "byteOffset", facet_json_integer_in(w->arena, (int64_t)offset));
    facet_gltf_put(w, view, "byteLength", facet_json_integer_in(w->arena, (int64_t)size));
    if (stride > 0)
        facet_gltf_put(w, view, "byteStride", facet_json_integer_in(w->arena, stride));
    if (target > 0)
        facet_gltf_put(w, view, "target", facet_json_integer_in(w->arena, target));
    facet_gltf_append(w, w->views, view);
    return (uint32_t)facet_json_array_size(w->views) - 1;
}

uint32_t facet_gltf_share_view(facet_gltf_writer *w, const facet_gltf_piece *piece,
                               facet_gltf_view_use use, uint64_t *offset)
{
    uint64_t end = piece->offset + piece->size;
    if (!w->compress && w->shared_use == use &&
        ((w->shared_end + 3) & ~(uint64_t)3) == piece->offset) {
        facet_json *view = facet_json_array_get(w->views, w->shared_view);
        facet_gltf_put(w, view, "byteLength",
                       facet_json_integer_in(w->arena, (int64_t)(end - w->shared_offset)));
    } else {
        w->shared_view = facet_gltf_add_view(w, piece->offset, piece->size, 0,
                                             use == FACET_GLTF_USE_INDICES ? 34963 : 0);
        w->shared_use = use;
        w->shared_offset = piece->offset;
    }
    w->shared_end = end;
    *offset = piece->offset - w->shared_offset;
    return w->shared_view;
}

facet_json *facet_gltf_add_accessor(facet_gltf_writer *w, uint32_t view, uint64_t offset,
                                    uint32_t type, uint64_t count, const char *shape,
                                    uint32_t *index)
{
    facet_json *accessor = facet_json_object_in(w->arena);
    if (view != FACET_NONE)
        facet_gltf_put(w, accessor, "bufferView", facet_json_integer_in(w->arena, view));
    if (offset > 0)
        facet_gltf_put(w, accessor, "byteOffset", facet_json_integer_in(w->arena, (int64_t)offset));
    facet_gltf_put(w, accessor, "componentType", facet_json_integer_in(w->arena, type));
    facet_gltf_put(w, accessor, "count", facet_json_integer_in(w->arena, (int64_t)count));
    facet_gltf_put(w, accessor, "type", facet_json_string_in(w->arena, shape));
    facet_gltf_append(w, w->accessors, accessor);
    *index = (uint32_t)facet_json_array_size(w->accessors) - 1;
    return accessor;
}

facet_json *facet_gltf_add_floats(facet_gltf_writer *w, const float *values, uint64_t count,
                                  uint32_t width, const char *shape, facet_gltf_view_use use,
                                  uint32_t *index)
{
    facet_gltf_piece *piece =
        facet_gltf_add_piece(w, FACET_GLTF_PIECE_BYTES, count * width * sizeof *values);
    uint64_t offset;
    if (!piece)
        return NULL;
    piece->bytes = values;
    piece->floats = true;
    if (use == FACET_GLTF_USE_KEYS) {
        piece->stride = width * (uint32_t)sizeof *values;
        piece->count = (uint32_t)count;
    }
    uint32_t view = facet_gltf_share_view(w, piece, use, &offset);
    return facet_gltf_add_accessor(w, view, offset, FACET_GLTF_FLOAT, count, shape, index);
}

/* -- Vertices ----------------------------------------------------------- */

/* Store a normalized vector. `otherwise` replaces a zero vector, which glTF does not allow. */
static void store_unit(const float *from, const float *otherwise, uint8_t *to)
{
    float length = sqrtf(from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    /* Keep a vector unchanged if its length is 1 within rounding. */
    float scale = length > 0 && fabsf(length - 1) > 5e-3F ? 1 / length : 1;
    for (uint32_t c = 0; c < 3; c++)
        facet_store_f32le(to + c * 4, length > 0 ? from[c] * scale : otherwise[c]);
}

static const float straight_up[3] = {0, 0, 1};

/* A unit vector perpendicular to the vertex's normal. */
static void any_tangent(const facet_gltf_slot *slot, uint32_t vertex, float *out)
{
    const facet_stream *normals = facet_mesh_find(slot->mesh, FACET_NORMAL, 0);
    const float *n = normals ? (const float *)normals->data + (size_t)vertex * 3 : straight_up;
    float axis[3] = {fabsf(n[0]) < 0.5F, fabsf(n[0]) >= 0.5F, 0};
    float length = 0;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = n[j] * axis[k] - n[k] * axis[j];
        length += out[i] * out[i];
    }
    for (int i = 0; i < 3; i++)
        out[i] = length > 0 ? out[i] / sqrtf(length) : (float)(i == 0);
}

static void store_tangent(const facet_gltf_slot *slot, uint32_t vertex, const float *from,
                          uint8_t *to)
{
    float w = from[3] < 0 ? -1.0F : 1.0F, otherwise[3];
    any_tangent(slot, vertex, otherwise);
    store_unit(from, otherwise, to);
    facet_store_f32le(to + 12, slot->negate_w ? -w : w);
}

static bool has_weight(const facet_gltf_slot *weights, uint32_t vertex, size_t component);

static void store_joints(const facet_gltf_slot *slot, uint32_t vertex, uint8_t *to)
{
    const uint16_t *joints = (const uint16_t *)slot->stream->data + (size_t)vertex * 4;
    for (size_t c = 0; c < 4; c++) {
        bool counts = !slot->weights || has_weight(slot->weights, vertex, c);
        uint16_t joint = counts ? joints[c] : 0;
        if (slot->type == FACET_GLTF_UINT8)
            to[c] = (uint8_t)joint;
        else
            facet_store_u16le(to + c * 2, joint);
    }
}

/* Store weights; glTF requires that all sets together sum to 1. Weights that do, within rounding,
 * stay unchanged. */
static void store_weights(const facet_gltf_slot *slot, uint32_t vertex, uint8_t *to)
{
    const float *weights = (const float *)slot->stream->data + (size_t)vertex * 4;
    double total = 0;
    uint32_t used = 0;
    for (uint32_t s = 0; s < slot->mesh->stream_count; s++) {
        const facet_stream *stream = &slot->mesh->streams[s];
        if (stream->semantic != FACET_WEIGHTS || stream->set >= slot->set_count)
            continue;
        for (size_t c = 0; c < 4; c++) {
            float weight = ((const float *)stream->data)[(size_t)vertex * 4 + c];
            total += (double)weight;
            used += weight > 0;
        }
    }
    /* Validators allow 2e-7 for each nonzero weight, and add in single precision. */
    bool fine = fabs(total - 1) <= 1e-7 * used;
    for (size_t c = 0; c < 4; c++) {
        float value = weights[c];
        if (!fine)
            value = total > 0 ? (float)(weights[c] / total) : 0;
        if (!(total > 0) && c == 0 && slot->stream->set == 0)
            value = 1; /* a vertex without weights follows the first joint */
        facet_store_f32le(to + c * 4, value);
    }
}

static float cut_to_unit(float value)
{
    if (value < 0)
        return 0;
    return value > 1 ? 1 : value;
}

/* Store numbers of 1, 2 or 4 bytes, which are in host order. */
static void store_numbers(const uint8_t *from, size_t size, size_t unit, uint8_t *to)
{
    if (!FACET_HOST_IS_BIG_ENDIAN) {
        memcpy(to, from, size);
        return;
    }
    for (size_t i = 0; i < size; i++)
        to[i] = from[i - i % unit + unit - 1 - i % unit];
}

/* Store values that glTF has as floats, unless they are quantized. */
static void store_plain(const facet_gltf_slot *slot, uint32_t vertex, uint8_t *to)
{
    const facet_stream *stream = slot->stream;
    const float *values = (const float *)stream->data + (size_t)vertex * stream->components;
    switch (stream->semantic) {
    case FACET_NORMAL:
        store_unit(values, straight_up, to);
        break;
    case FACET_TANGENT:
        store_tangent(slot, vertex, values, to);
        break;
    case FACET_JOINTS:
        store_joints(slot, vertex, to);
        break;
    case FACET_WEIGHTS:
        store_weights(slot, vertex, to);
        break;
    case FACET_COLOR:
        for (uint32_t c = 0; c < stream->components; c++)
            facet_store_f32le(to + c * 4, cut_to_unit(values[c]));
        break;
    case FACET_TEXCOORD:
        facet_store_f32le(to, values[0]);
        facet_store_f32le(to + 4, slot->flip_v ? 1 - values[1] : values[1]);
        break;
    case FACET_CUSTOM:
        if (stream->component == FACET_FLOAT64) {
            const double *doubles = stream->data;
            for (size_t c = 0; c < stream->components; c++)
                facet_store_f32le(to + c * 4,
                                  (float)doubles[(size_t)vertex * stream->components + c]);
            break;
        }
        /* fall through */
    default:
        store_numbers((const uint8_t *)stream->data + (size_t)vertex * slot->size, slot->size,
                      facet_gltf_component_size(slot->type), to);
        break;
    }
}

static void store_vertex(const facet_gltf_slot *slot, uint32_t vertex, uint8_t *to)
{
    if (!slot->quantized) {
        store_plain(slot, vertex, to);
        return;
    }
    facet_gltf_slot plain = *slot;
    uint8_t bytes[16];
    float values[4] = {0};
    plain.quantized = false;
    plain.type = FACET_GLTF_FLOAT;
    plain.size = slot->stream->components * (uint32_t)sizeof(float);
    store_plain(&plain, vertex, bytes);
    for (uint32_t c = 0; c < slot->stream->components && c < 4; c++)
        values[c] = facet_load_f32le(bytes + c * 4);
    facet_gltf_store_quantized(slot, values, to);
}

static bool has_weight(const facet_gltf_slot *weights, uint32_t vertex, size_t component)
{
    uint8_t bytes[4];
    if (!weights->quantized)
        return ((const float *)weights->stream->data)[(size_t)vertex * 4 + component] != 0;
    store_vertex(weights, vertex, bytes);
    return bytes[component] != 0;
}

/* Output is written in blocks: they fit into the cache, and are large enough for fast writes. */
#define BLOCK_BYTES FACET_GLTF_BLOCK

typedef struct emitter {
    void (*emit)(void *user, const void *data, size_t size);
    void *user;
    uint8_t *block;
} emitter;

static void emit_vertices(const emitter *e, const facet_gltf_piece *piece)
{
    uint32_t per_block = (uint32_t)(BLOCK_BYTES / piece->stride);
    for (uint32_t first = 0; first < piece->count; first += per_block) {
        uint32_t count = piece->count - first < per_block ? piece->count - first : per_block;
        memset(e->block, 0, (size_t)count * piece->stride);
        for (uint32_t s = 0; s < piece->slot_count; s++) {
            const facet_gltf_slot *slot = &piece->slots[s];
            uint8_t *to = e->block + slot->offset;
            for (uint32_t i = 0; i < count; i++, to += piece->stride)
                store_vertex(slot, first + i, to);
        }
        e->emit(e->user, e->block, (size_t)count * piece->stride);
    }
}

/* -- Indices ------------------------------------------------------------ */

static void store_index(const facet_gltf_piece *piece, uint32_t vertex, uint8_t **to)
{
    if (piece->narrow) {
        facet_store_u16le(*to, (uint16_t)(vertex - piece->base));
        *to += 2;
    } else {
        facet_store_u32le(*to, vertex - piece->base);
        *to += 4;
    }
}

static void emit_indices(const emitter *e, const facet_gltf_piece *piece)
{
    const uint32_t *vertices = facet_gltf_vertices_of(piece->mesh, piece->kind);
    uint32_t corners = facet_gltf_corners_of(piece->kind);
    uint32_t per_block = (uint32_t)(BLOCK_BYTES / 12);
    for (uint32_t first = 0; first < piece->count; first += per_block) {
        uint32_t count = piece->count - first < per_block ? piece->count - first : per_block;
        uint8_t *to = e->block;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t face = piece->faces ? piece->faces[first + i] : piece->first_face + first + i;
            for (uint32_t c = 0; c < corners; c++)
                store_index(piece, vertices[(size_t)face * corners + c], &to);
        }
        e->emit(e->user, e->block, (size_t)(to - e->block));
    }
}

/* -- The whole buffer --------------------------------------------------- */

static void emit_bytes(const emitter *e, const facet_gltf_piece *piece)
{
    const uint8_t *bytes = piece->bytes;
    if (!piece->floats || !FACET_HOST_IS_BIG_ENDIAN) {
        e->emit(e->user, bytes, (size_t)piece->size);
        return;
    }
    for (uint64_t at = 0; at < piece->size; at += BLOCK_BYTES) {
        size_t size = piece->size - at < BLOCK_BYTES ? (size_t)(piece->size - at) : BLOCK_BYTES;
        store_numbers(bytes + at, size, sizeof(float), e->block);
        e->emit(e->user, e->block, size);
    }
}

void facet_gltf_emit_piece(const facet_gltf_piece *piece, uint8_t *block,
                           void (*emit)(void *user, const void *data, size_t size), void *user)
{
    const emitter e = {emit, user, block};
    if (piece->kind == FACET_GLTF_PIECE_BYTES)
        emit_bytes(&e, piece);
    else if (piece->kind == FACET_GLTF_PIECE_VERTICES)
        emit_vertices(&e, piece);
    else
        emit_indices(&e, piece);
}

/* Passes bytes on to the output, and reports progress. */
typedef struct teller {
    void (*emit)(void *user, const void *data, size_t size);
    void *user;
    const facet_gltf_writer *w;
    uint64_t emitted, told;
    facet_status status;
    facet_error *error;
} teller;

/* Bytes between two progress calls. */
#define STEP ((uint64_t)1 << 20)

static void tell(void *user, const void *data, size_t size)
{
    teller *t = user;
    if (t->status)
        return;
    t->emit(t->user, data, size);
    t->emitted += size;
    if (t->emitted - t->told < STEP)
        return;
    t->told = t->emitted;
    t->status =
        facet_step(t->w->options, "write",
                   (double)t->emitted / (double)(t->w->size > 0 ? t->w->size : 1), t->error);
}

facet_status facet_gltf_emit_pieces(const facet_gltf_writer *w,
                                    void (*emit)(void *user, const void *data, size_t size),
                                    void *user, facet_error *error)
{
    static const uint8_t zeros[4] = {0};
    uint8_t *block = facet_arena_allocate(w->arena, BLOCK_BYTES, 1);
    if (!block)
        return facet_fail_arena(w->arena, error);
    uint64_t at = 0;
    teller t = {emit, user, w, 0, 0, FACET_OK, error};
    for (uint32_t i = 0; i < w->piece_count && !t.status; i++) {
        const facet_gltf_piece *piece = &w->pieces[i];
        tell(&t, zeros, (size_t)(piece->offset - at));
        facet_gltf_emit_piece(piece, block, tell, &t);
        at = piece->offset + piece->size;
    }
    facet_arena_release(w->arena, block, BLOCK_BYTES, 1);
    return t.status;
}
