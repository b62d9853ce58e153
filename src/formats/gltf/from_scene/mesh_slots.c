/* formats/gltf/from_scene/mesh_slots.c - streams of a mesh as attributes of interleaved vertices.
 */
#include "base/arena.h"
#include "base/error.h"
#include "formats/gltf/from_scene/mesh_writer.h"
#include "scene/axes.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TARGET_VERTICES 34962
#define MAX_STRIDE 252

static const char *shape_of(uint32_t components)
{
    static const char *const shapes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    return components >= 1 && components <= 4 ? shapes[components - 1] : NULL;
}

static uint32_t type_of(facet_component component)
{
    switch (component) {
    case FACET_INT8:
        return FACET_GLTF_INT8;
    case FACET_UINT8:
        return FACET_GLTF_UINT8;
    case FACET_INT16:
        return FACET_GLTF_INT16;
    case FACET_UINT16:
        return FACET_GLTF_UINT16;
    case FACET_FLOAT32:
    case FACET_FLOAT64: /* rounded */
        return FACET_GLTF_FLOAT;
    default: /* glTF does not allow other types */
        return 0;
    }
}

static uint32_t most_joint(const facet_stream *stream)
{
    const uint16_t *joints = stream->data;
    uint32_t most = 0;
    for (size_t i = 0; i < (size_t)stream->count * 4; i++)
        most = joints[i] > most ? joints[i] : most;
    return most;
}

/* Count the sets without a gap, from 0, of each semantic. Sets of joints and weights come in pairs.
 */
static void count_sets(facet_gltf_mesh_writer *m)
{
    const facet_mesh *mesh = m->mesh;
    const uint32_t skin = 1U << FACET_JOINTS | 1U << FACET_WEIGHTS;
    uint32_t *known = facet_arena_allocate_zeroed(m->w->arena, mesh->stream_count, sizeof *known);
    if (!known) {
        m->w->failed = true;
        return;
    }
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream->set < mesh->stream_count && stream->semantic <= FACET_CUSTOM)
            known[stream->set] |= 1U << stream->semantic;
    }
    for (uint32_t semantic = 0; semantic <= FACET_CUSTOM; semantic++) {
        uint32_t needed = 1U << semantic & skin ? skin : 1U << semantic;
        while (m->sets[semantic] < mesh->stream_count &&
               (known[m->sets[semantic]] & needed) == needed)
            m->sets[semantic]++;
    }
}

/* False for streams that glTF cannot store. */
static bool make_slot(facet_gltf_mesh_writer *m, const facet_stream *stream,
                      facet_gltf_placed_slot *placed)
{
    const facet_axes *axes = &m->w->scene->axes;
    const char *stem = NULL;
    facet_gltf_slot *slot = &placed->slot;
    uint32_t components = stream->components;
    memset(placed, 0, sizeof *placed);
    slot->stream = stream;
    slot->mesh = m->mesh;
    slot->type = FACET_GLTF_FLOAT;
    switch (stream->semantic) {
    case FACET_POSITION:
    case FACET_MORPH_POSITION:
        stem = "POSITION";
        break;
    case FACET_NORMAL:
    case FACET_MORPH_NORMAL:
        stem = "NORMAL";
        break;
    case FACET_TANGENT:
        slot->negate_w = axes->uv_origin_top;
        stem = "TANGENT";
        break;
    case FACET_MORPH_TANGENT:
        stem = "TANGENT";
        break;
    case FACET_TEXCOORD:
        slot->flip_v = facet_axes_flips_v(axes, true);
        components = 2;
        snprintf(placed->name, sizeof placed->name, "TEXCOORD_%" PRIu32, stream->set);
        break;
    case FACET_COLOR:
        snprintf(placed->name, sizeof placed->name, "COLOR_%" PRIu32, stream->set);
        break;
    case FACET_JOINTS:
        slot->type = most_joint(stream) < 256 ? FACET_GLTF_UINT8 : FACET_GLTF_UINT16;
        snprintf(placed->name, sizeof placed->name, "JOINTS_%" PRIu32, stream->set);
        break;
    case FACET_WEIGHTS:
        slot->set_count = m->sets[FACET_WEIGHTS];
        snprintf(placed->name, sizeof placed->name, "WEIGHTS_%" PRIu32, stream->set);
        break;
    case FACET_CUSTOM:
        slot->type = type_of(stream->component);
        break;
    }
    if (stem)
        snprintf(placed->name, sizeof placed->name, "%s", stem);
    placed->morph = stream->semantic > FACET_CUSTOM;
    placed->shape = shape_of(components);
    if (m->w->quantize)
        facet_gltf_quantize_slot(slot, &m->w->grids[m->number]);
    slot->size = components * (uint32_t)facet_gltf_component_size(slot->type);
    return placed->shape && slot->type != 0 && stream->count > 0;
}

void facet_gltf_place_slots(facet_gltf_mesh_writer *m)
{
    facet_gltf_writer *w = m->w;
    uint32_t vertices = m->mesh->streams[0].count;
    for (uint32_t first = 0; first < m->slot_count && !m->slots[first].morph;) {
        uint32_t end = first, stride = 0;
        for (; end < m->slot_count && !m->slots[end].morph; end++) {
            uint32_t size = (m->slots[end].slot.size + 3) & ~3u;
            if (stride + size > MAX_STRIDE)
                break;
            m->slots[end].slot.offset = stride;
            stride += size;
        }
        facet_gltf_slot *slots = facet_arena_allocate(w->arena, end - first, sizeof *slots);
        facet_gltf_piece *piece =
            slots ? facet_gltf_add_piece(w, FACET_GLTF_PIECE_VERTICES, (uint64_t)vertices * stride)
                  : NULL;
        if (!piece) {
            w->failed = true;
            return;
        }
        uint32_t view = facet_gltf_add_view(w, piece->offset, piece->size, stride, TARGET_VERTICES);
        for (uint32_t i = first; i < end; i++) {
            slots[i - first] = m->slots[i].slot;
            m->slots[i].view = view;
            m->slots[i].stride = stride;
        }
        piece->slots = slots;
        piece->slot_count = end - first;
        piece->stride = stride;
        piece->count = vertices;
        first = end;
    }
}

void facet_gltf_place_morphs(facet_gltf_mesh_writer *m)
{
    for (uint32_t i = 0; i < m->slot_count; i++) {
        facet_gltf_placed_slot *placed = &m->slots[i];
        if (!placed->morph)
            continue;
        const facet_stream *stream = placed->slot.stream;
        uint32_t stride = (placed->slot.size + 3) & ~3u;
        facet_gltf_piece *piece =
            facet_gltf_add_piece(m->w, FACET_GLTF_PIECE_BYTES, (uint64_t)stream->count * stride);
        if (!piece)
            return;
        piece->floats = !placed->slot.quantized; /* not quantized: floats */
        piece->bytes = placed->slot.quantized
                           ? facet_gltf_quantize_morph(m->w, stream, placed->slot.grid)
                           : stream->data;
        piece->stride = stride;
        piece->count = stream->count;
        placed->stride = stride;
        placed->view =
            facet_gltf_add_view(m->w, piece->offset, piece->size, stride, TARGET_VERTICES);
    }
}

/* True if glTF accepts the stream: sets of joints and weights, texture coordinates and colors must
 * start at 0 without a gap. */
static bool is_welcome(const facet_gltf_mesh_writer *m, const facet_stream *stream)
{
    bool counted = stream->semantic == FACET_TEXCOORD || stream->semantic == FACET_COLOR ||
                   stream->semantic == FACET_JOINTS || stream->semantic == FACET_WEIGHTS;
    return !counted || stream->set < m->sets[stream->semantic];
}

/* Count the slot that was made last, and report another name or other numbers. */
static void add_slot(facet_gltf_mesh_writer *m, const facet_stream *stream, const char *custom)
{
    facet_gltf_writer *w = m->w;
    m->slots[m->slot_count++].custom = custom;
    if (custom && custom != stream->name) {
        if (!w->first_renamed)
            w->first_renamed = stream->name;
        facet_tally_hit(&w->renamed, m->number);
    }
    if (stream->component == FACET_FLOAT64) {
        facet_quoted quoted;
        facet_report_add(facet_gltf_writer_report(w), "LOSS-PRECISION", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "attribute '%s' is written with 32 bits instead of 64",
                         facet_quote(&quoted, custom, strlen(custom)));
    }
}

void facet_gltf_collect_slots(facet_gltf_mesh_writer *m)
{
    const facet_mesh *mesh = m->mesh;
    m->slots = facet_arena_allocate_zeroed(m->w->arena, mesh->stream_count, sizeof *m->slots);
    if (!m->slots) {
        m->w->failed = true;
        return;
    }
    const char **customs = facet_gltf_custom_names(m->w, mesh);
    count_sets(m);
    for (int morph = 0; morph < 2 && !m->w->failed; morph++) {
        for (uint32_t i = 0; i < mesh->stream_count; i++) {
            const facet_stream *stream = &mesh->streams[i];
            if ((stream->semantic > FACET_CUSTOM) != (morph == 1))
                continue;
            facet_gltf_placed_slot *slot = &m->slots[m->slot_count];
            if (is_welcome(m, stream) && make_slot(m, stream, slot))
                add_slot(m, stream, customs[i]);
            else if (stream->count > 0)
                facet_lost_streams_add(&m->w->lost_streams, stream);
        }
    }
    for (uint32_t i = 0; i < m->slot_count; i++) {
        facet_gltf_slot *slot = &m->slots[i].slot;
        for (uint32_t j = 0; slot->stream->semantic == FACET_JOINTS && j < m->slot_count; j++) {
            const facet_stream *other = m->slots[j].slot.stream;
            if (other->semantic == FACET_WEIGHTS && other->set == slot->stream->set)
                slot->weights = &m->slots[j].slot;
        }
    }
}
