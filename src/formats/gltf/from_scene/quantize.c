/* formats/gltf/from_scene/quantize.c - small integers instead of floats: KHR_mesh_quantization.
 *
 * Positions are on a grid with equal steps along all axes. This way, a node can undo the grid
 * without shearing normals. A skin undoes it with its inverse bind matrices. Skinned meshes share
 * these, so they share one grid. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/json.h"
#include "formats/gltf/from_scene/writer.h"

#include <math.h>
#include <string.h>

/* -- Grids -------------------------------------------------------------- */

typedef struct extent {
    float low[3], high[3];
    float farthest; /* largest absolute offset of morph targets */
    bool any, morphs;
} extent;

static void extend(extent *e, const facet_mesh *mesh)
{
    for (uint32_t s = 0; s < mesh->stream_count; s++) {
        const facet_stream *stream = &mesh->streams[s];
        const float *values = stream->data;
        if (stream->semantic != FACET_POSITION && stream->semantic != FACET_MORPH_POSITION)
            continue;
        for (size_t i = 0; i < (size_t)stream->count * 3; i++) {
            size_t axis = i % 3;
            if (stream->semantic == FACET_MORPH_POSITION) {
                e->farthest = fmaxf(e->farthest, fabsf(values[i]));
                e->morphs = true;
                continue;
            }
            bool first = !e->any && i < 3;
            e->low[axis] = first ? values[i] : fminf(e->low[axis], values[i]);
            e->high[axis] = first ? values[i] : fmaxf(e->high[axis], values[i]);
        }
        e->any |= stream->semantic == FACET_POSITION && stream->count > 0;
    }
}

/* A grid over an extent. Morph offsets are signed, so they have one bit less. */
static facet_gltf_grid grid_over(const extent *e)
{
    facet_gltf_grid grid = {.most = e->morphs ? 32767 : 65535};
    double side = (double)e->farthest;
    for (int axis = 0; axis < 3; axis++) {
        side = fmax(side, (double)e->high[axis] - (double)e->low[axis]);
        grid.offset[axis] = e->low[axis];
    }
    grid.scale = (float)(side / grid.most);
    /* Round up, else the far side would be outside. A scale of 0 is not allowed. */
    if ((double)grid.scale * grid.most < side)
        grid.scale = nextafterf(grid.scale, INFINITY);
    if (!(grid.scale > 0))
        grid.scale = 1;
    return grid;
}

static bool is_skinned(const facet_mesh *mesh)
{
    return facet_mesh_find(mesh, FACET_JOINTS, 0) != NULL;
}

void facet_gltf_make_grids(facet_gltf_writer *w)
{
    const facet_scene *scene = w->scene;
    extent skinned = {0};
    w->grids = facet_arena_allocate(w->arena, scene->mesh_count, sizeof *w->grids);
    if (!w->grids) {
        w->failed = true;
        return;
    }
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        extent own = {0};
        extend(is_skinned(scene->meshes[i]) ? &skinned : &own, scene->meshes[i]);
        w->grids[i] = grid_over(&own);
    }
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (is_skinned(scene->meshes[i]))
            w->grids[i] = grid_over(&skinned);
    }
}

void facet_gltf_put_grid(facet_gltf_writer *w, facet_json *object, const facet_gltf_grid *grid)
{
    const float scale[3] = {grid->scale, grid->scale, grid->scale};
    facet_gltf_put(w, object, "translation", facet_gltf_floats(w, grid->offset, 3));
    facet_gltf_put(w, object, "scale", facet_gltf_floats(w, scale, 3));
}

/* matrix * translation(offset) * scale */
void facet_gltf_bind_grid(const facet_scene *scene, const facet_gltf_grid *grids, float *matrices,
                          uint32_t count)
{
    const facet_gltf_grid *grid = NULL;
    for (uint32_t i = 0; i < scene->mesh_count && !grid; i++)
        grid = is_skinned(scene->meshes[i]) ? &grids[i] : NULL;
    for (uint32_t i = 0; grid && i < count; i++) {
        float *m = matrices + (size_t)i * 16;
        for (size_t row = 0; row < 3; row++) {
            double moved = (double)m[12 + row];
            for (size_t axis = 0; axis < 3; axis++) {
                moved += (double)m[axis * 4 + row] * (double)grid->offset[axis];
                m[axis * 4 + row] *= grid->scale;
            }
            m[12 + row] = (float)moved;
        }
    }
}

/* -- Slots -------------------------------------------------------------- */

/* True if all texture coordinates are in low..1. */
static bool lie_within(const facet_gltf_slot *slot, float low)
{
    const float *values = slot->stream->data;
    uint32_t width = slot->stream->components;
    for (size_t i = 0; i < slot->stream->count; i++) {
        float u = values[i * width], v = values[i * width + 1];
        v = slot->flip_v ? 1 - v : v;
        if (!(u >= low && u <= 1 && v >= low && v <= 1))
            return false;
    }
    return true;
}

void facet_gltf_quantize_slot(facet_gltf_slot *slot, const facet_gltf_grid *grid)
{
    uint32_t type = slot->type;
    switch (slot->stream->semantic) {
    case FACET_POSITION:
        type = FACET_GLTF_UINT16;
        slot->grid = grid;
        break;
    case FACET_MORPH_POSITION:
        type = FACET_GLTF_INT16;
        slot->grid = grid;
        break;
    case FACET_NORMAL:
    case FACET_TANGENT:
        type = FACET_GLTF_INT8;
        break;
    case FACET_TEXCOORD:
        type = lie_within(slot, 0)    ? FACET_GLTF_UINT16
               : lie_within(slot, -1) ? FACET_GLTF_INT16
                                      : type;
        break;
    case FACET_COLOR:
        type = FACET_GLTF_UINT8;
        break;
    case FACET_WEIGHTS:
        if (!facet_mesh_find(slot->mesh, FACET_WEIGHTS, 1))
            type = FACET_GLTF_UINT8;
        break;
    default:
        break;
    }
    slot->quantized = type != slot->type;
    slot->type = type;
}

/* -- Values ------------------------------------------------------------- */

float facet_gltf_on_grid(const facet_gltf_slot *slot, uint32_t axis, float value)
{
    const facet_gltf_grid *grid = slot->grid;
    bool difference = slot->stream->semantic == FACET_MORPH_POSITION;
    double from = difference ? 0 : (double)grid->offset[axis];
    double steps = round(((double)value - from) / (double)grid->scale);
    return (float)fmin(fmax(steps, difference ? -(double)grid->most : 0), (double)grid->most);
}

/* Round weights to 8 bits so that they sum to 255: round the running sum, and store its
 * differences. */
static void store_weights(const float *values, uint8_t *to)
{
    double sum = 0;
    uint32_t so_far = 0;
    for (int c = 0; c < 4; c++) {
        sum += (double)values[c];
        uint32_t rounded = (uint32_t)fmin(fmax(round(sum * 255), (double)so_far), 255);
        to[c] = (uint8_t)(rounded - so_far);
        so_far = rounded;
    }
}

static double most_of(uint32_t type)
{
    return type == FACET_GLTF_INT8    ? 127
           : type == FACET_GLTF_UINT8 ? 255
           : type == FACET_GLTF_INT16 ? 32767
                                      : 65535;
}

void facet_gltf_store_quantized(const facet_gltf_slot *slot, const float *values, uint8_t *to)
{
    size_t size = facet_gltf_component_size(slot->type);
    if (slot->stream->semantic == FACET_WEIGHTS) {
        store_weights(values, to);
        return;
    }
    for (uint32_t c = 0; c < slot->size / size; c++) {
        double value = slot->grid ? (double)facet_gltf_on_grid(slot, c, values[c])
                                  : round((double)values[c] * most_of(slot->type));
        int32_t number = (int32_t)value;
        if (size == 1)
            to[c] = (uint8_t)number;
        else
            facet_store_u16le(to + (size_t)c * 2, (uint16_t)number);
    }
}

void *facet_gltf_quantize_morph(facet_gltf_writer *w, const facet_stream *stream,
                                const facet_gltf_grid *grid)
{
    const facet_gltf_slot slot = {
        .stream = stream, .grid = grid, .type = FACET_GLTF_INT16, .size = 6, .quantized = true};
    uint8_t *bytes = facet_arena_allocate_zeroed(w->arena, stream->count, 8);
    if (!bytes)
        w->failed = true;
    for (size_t i = 0; bytes && i < stream->count; i++)
        facet_gltf_store_quantized(&slot, (const float *)stream->data + i * 3, bytes + i * 8);
    return bytes;
}
