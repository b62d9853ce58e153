/* mesh/pack.c - vertex and index buffers of a mesh: the layout, the buffers, the draws. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "mesh/pack_values.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Number of vertices between two calls of the progress callback. */
#define STEP 65536

/* Most vertices for 16-bit indices: 65,535 is not a valid index. */
#define MAX_SHORT 65535

typedef struct packer {
    const facet_mesh *mesh;
    facet_pack_layout layout;
    const facet_options *options;
    facet_error *error;
    facet_packed *packed;
    const facet_stream **streams; /* stream of each attribute; NULL if it is missing */
    uint32_t alignment;
} packer;

/* -- The layout --------------------------------------------------------- */

static facet_status bad_layout(const packer *p, uint32_t attribute, const char *what)
{
    return facet_fail(p->error, FACET_ERROR_ARGUMENT, "PACK-LAYOUT", FACET_NO_OFFSET,
                      "attribute %" PRIu32 " of the layout %s", attribute, what);
}

static const facet_stream *find(const facet_mesh *mesh, const facet_pack_attribute *asked)
{
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        bool named = asked->semantic != FACET_CUSTOM || !asked->name ||
                     (stream->name && strcmp(stream->name, asked->name) == 0);
        if (stream->semantic == asked->semantic && stream->set == asked->set && named)
            return stream;
    }
    return NULL;
}

static facet_pack_format format_of(facet_component component)
{
    static const facet_pack_format formats[] = {
        [FACET_FLOAT32] = FACET_PACK_FLOAT32, [FACET_FLOAT64] = FACET_PACK_FLOAT32,
        [FACET_INT8] = FACET_PACK_SINT8,      [FACET_UINT8] = FACET_PACK_UINT8,
        [FACET_INT16] = FACET_PACK_SINT16,    [FACET_UINT16] = FACET_PACK_UINT16,
        [FACET_INT32] = FACET_PACK_SINT32,    [FACET_UINT32] = FACET_PACK_UINT32};
    return formats[component];
}

/* Make a layout of everything that the mesh has. */
static facet_status take_all(packer *p)
{
    const facet_mesh *mesh = p->mesh;
    facet_pack_attribute *all =
        facet_arena_allocate_zeroed(p->packed->arena, mesh->stream_count, sizeof *all);
    uint32_t count = 0;
    if (!all)
        return facet_fail_arena(p->packed->arena, p->error);
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        const facet_stream *stream = &mesh->streams[i];
        if (stream->components > 4) {
            facet_report_add(p->options ? p->options->report : NULL, "PACK-COMPONENTS",
                             FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "the stream '%s' has %" PRIu32 " components, more than the 4 of a "
                             "vertex attribute, and is left out",
                             stream->name ? stream->name : facet_semantic_name(stream->semantic),
                             stream->components);
            continue;
        }
        all[count] = (facet_pack_attribute){.semantic = stream->semantic,
                                            .set = stream->set,
                                            .name = stream->name,
                                            .format = format_of(stream->component),
                                            .buffer = p->layout.separate ? count : 0};
        count++;
    }
    p->layout.attributes = all;
    p->layout.attribute_count = count;
    return FACET_OK;
}

static facet_status check_attribute(const packer *p, uint32_t i, const facet_stream *stream)
{
    const facet_pack_attribute *asked = &p->layout.attributes[i];
    bool octahedral = facet_pack_is_octahedral(asked->format);
    if (facet_pack_format_size(asked->format) == 0)
        return bad_layout(p, i, "has an unknown format");
    if (asked->components > 4)
        return bad_layout(p, i, "has more than 4 components");
    if (asked->buffer >= FACET_PACK_MAX_BUFFERS)
        return bad_layout(p, i, "is in a buffer beyond the last one, 15");
    if (asked->fit && (facet_pack_max_value(asked->format) == 0 || octahedral))
        return bad_layout(p, i, "cannot be fitted: its format is not normalized");
    if (octahedral && asked->components == 1)
        return bad_layout(p, i, "is octahedral, and has one component");
    if (!stream)
        return asked->optional
                   ? FACET_OK
                   : facet_fail(p->error, FACET_ERROR_ARGUMENT, "PACK-STREAM", FACET_NO_OFFSET,
                                "the mesh has no %s %" PRIu32 ", which the layout asks for",
                                asked->semantic == FACET_CUSTOM && asked->name
                                    ? asked->name
                                    : facet_semantic_name(asked->semantic),
                                asked->set);
    if (octahedral && stream->components < 3)
        return bad_layout(p, i, "is octahedral, and its stream holds no directions");
    if (asked->components == 0 && stream->components > 4)
        return bad_layout(p, i, "is a stream of more than 4 components");
    return FACET_OK;
}

static uint32_t components_of(const facet_pack_attribute *asked, const facet_stream *stream)
{
    bool octahedral = facet_pack_is_octahedral(asked->format);
    if (asked->components > 0)
        return asked->components;
    if (octahedral)
        return (stream ? stream->components > 3 : asked->semantic == FACET_TANGENT) ? 4 : 2;
    if (stream)
        return stream->components;
    return asked->semantic == FACET_TEXCOORD                                      ? 2
           : asked->semantic == FACET_POSITION || asked->semantic == FACET_NORMAL ? 3
                                                                                  : 4;
}

/* Compute the offset of each attribute. */
static facet_status lay_out(packer *p)
{
    facet_packed *packed = p->packed;
    uint32_t sizes[FACET_PACK_MAX_BUFFERS] = {0};
    for (uint32_t i = 0; i < p->layout.attribute_count; i++) {
        const facet_pack_attribute *asked = &p->layout.attributes[i];
        const facet_stream *stream = p->streams[i] = find(p->mesh, asked);
        TRY(check_attribute(p, i, stream));
        facet_packed_attribute *made = &packed->attributes[i];
        *made = (facet_packed_attribute){.semantic = asked->semantic,
                                         .set = asked->set,
                                         .format = asked->format,
                                         .components = components_of(asked, stream),
                                         .buffer = asked->buffer,
                                         .missing = !stream,
                                         .scale = {1, 1, 1, 1}};
        const char *name = asked->name ? asked->name : stream ? stream->name : NULL;
        if (asked->semantic == FACET_CUSTOM && name) {
            made->name = facet_arena_string(packed->arena, name, strlen(name));
            if (!made->name)
                return facet_fail_arena(packed->arena, p->error);
        }
        uint32_t *size = &sizes[asked->buffer];
        *size = (uint32_t)facet_align_up(*size, p->alignment);
        made->offset = *size;
        *size += made->components * (uint32_t)facet_pack_format_size(asked->format);
        if (asked->buffer >= packed->buffer_count)
            packed->buffer_count = asked->buffer + 1;
    }
    for (uint32_t i = 0; i < packed->buffer_count; i++)
        packed->buffers[i].stride = (uint32_t)facet_align_up(sizes[i], p->alignment);
    return FACET_OK;
}

/* -- Vertices ----------------------------------------------------------- */

/* Store the range of each component as base and scale. */
static void fit(const facet_stream *stream, facet_packed_attribute *made)
{
    bool is_signed = facet_pack_is_signed(made->format);
    for (uint32_t c = 0; c < stream->components && c < made->components; c++) {
        double low = INFINITY, high = -INFINITY;
        for (uint32_t v = 0; v < stream->count; v++) {
            double value = facet_pack_load(stream, (size_t)v * stream->components + c);
            low = fmin(low, value);
            high = fmax(high, value);
        }
        if (stream->count == 0)
            continue;
        made->base[c] = (float)(is_signed ? low / 2 + high / 2 : low);
        made->scale[c] = (float)(is_signed ? high / 2 - low / 2 : high - low);
    }
}

/* A number as it is stored. Because base and scale are rounded, fitted values may slightly
 * exceed the range. */
static double fitted(const facet_packed_attribute *made, uint32_t c, double value)
{
    double scale = made->scale[c], least = facet_pack_is_signed(made->format) ? -1 : 0;
    value = scale != 0 ? (value - (double)made->base[c]) / scale : 0;
    return fmax(least, fmin(value, 1));
}

static bool put_direction(const facet_stream *stream, size_t vertex,
                          const facet_packed_attribute *made, uint8_t *to)
{
    double direction[3], last = 0;
    size_t size = facet_pack_format_size(made->format), first = vertex * stream->components;
    for (size_t c = 0; c < 3; c++)
        direction[c] = facet_pack_load(stream, first + c);
    facet_pack_store_direction(made->format, direction, to);
    if (made->components < 3)
        return true;
    if (stream->components > 3)
        last = facet_pack_load(stream, first + 3);
    if (made->components > 3)
        facet_pack_store(made->format, 0, to + 3 * size);
    return facet_pack_store(made->format, last, to + 2 * size);
}

static bool put_numbers(const facet_stream *stream, size_t vertex, bool is_fitted,
                        const facet_packed_attribute *made, uint8_t *to)
{
    size_t size = facet_pack_format_size(made->format);
    for (uint32_t c = 0; c < made->components; c++) {
        double value = c == 3;
        if (c < stream->components) {
            value = facet_pack_load(stream, vertex * stream->components + c);
            if (is_fitted)
                value = fitted(made, c, value);
        }
        if (!facet_pack_store(made->format, value, to + c * size))
            return false;
    }
    return true;
}

static facet_status beyond_range(const packer *p, uint32_t i, uint32_t vertex)
{
    const facet_packed_attribute *made = &p->packed->attributes[i];
    return facet_fail(p->error, FACET_ERROR_LIMIT, "PACK-RANGE", FACET_NO_OFFSET,
                      "%s %" PRIu32 " of vertex %" PRIu32 " is beyond the range of its format, "
                      "attribute %" PRIu32 " of the layout",
                      made->name ? made->name : facet_semantic_name(made->semantic), made->set,
                      vertex, i);
}

static void put_missing(const packer *p, const facet_packed_attribute *made, uint8_t *to,
                        uint32_t stride)
{
    size_t size = facet_pack_format_size(made->format);
    double value = made->semantic == FACET_COLOR && !facet_pack_is_octahedral(made->format);
    for (size_t v = 0; v < p->packed->vertex_count; v++) {
        for (uint32_t c = 0; c < made->components; c++)
            facet_pack_store(made->format, value, to + v * stride + c * size);
    }
}

static facet_status pack_attribute(const packer *p, uint32_t i)
{
    facet_packed_attribute *made = &p->packed->attributes[i];
    const facet_stream *stream = p->streams[i];
    const facet_packed_buffer *buffer = &p->packed->buffers[made->buffer];
    uint8_t *to = (uint8_t *)buffer->data + made->offset;
    uint32_t count = p->packed->vertex_count;
    bool is_fitted = p->layout.attributes[i].fit && stream;
    if (!stream) {
        put_missing(p, made, to, buffer->stride);
        return FACET_OK;
    }
    if (is_fitted)
        fit(stream, made);
    bool octahedral = facet_pack_is_octahedral(made->format);
    for (uint32_t v = 0; v < count; v++, to += buffer->stride) {
        if (v % STEP == 0) {
            facet_status status = facet_step(
                p->options, "pack", (i + (double)v / count) / p->packed->attribute_count, p->error);
            if (status)
                return status;
        }
        if (octahedral ? !put_direction(stream, v, made, to)
                       : !put_numbers(stream, v, is_fitted, made, to))
            return beyond_range(p, i, v);
    }
    return FACET_OK;
}

static facet_status pack_vertices(const packer *p)
{
    facet_packed *packed = p->packed;
    for (uint32_t i = 0; i < packed->buffer_count; i++) {
        facet_packed_buffer *buffer = &packed->buffers[i];
        buffer->data =
            facet_arena_allocate_zeroed(packed->arena, packed->vertex_count, buffer->stride);
        if (!buffer->data)
            return facet_fail_arena(packed->arena, p->error);
        buffer->size = (size_t)packed->vertex_count * buffer->stride;
    }
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < packed->attribute_count && !status; i++)
        status = pack_attribute(p, i);
    return status;
}

/* -- Triangles ---------------------------------------------------------- */

static uint32_t material_of(const facet_mesh *mesh, uint32_t face)
{
    return mesh->face_materials ? mesh->face_materials[face] : FACET_NONE;
}

static facet_status make_draws(const packer *p)
{
    const facet_mesh *mesh = p->mesh;
    facet_packed *packed = p->packed;
    const uint32_t *indices = mesh->face_count > 0 ? mesh->streams[0].indices : NULL;
    uint32_t count = 0;
    for (uint32_t f = 0; f < mesh->face_count; f++)
        count += f == 0 || material_of(mesh, f) != material_of(mesh, f - 1);
    packed->draws = facet_arena_allocate_zeroed(packed->arena, count, sizeof *packed->draws);
    if (!packed->draws)
        return facet_fail_arena(packed->arena, p->error);
    for (uint32_t f = 0; f < mesh->face_count;) {
        facet_packed_draw *draw = &packed->draws[packed->draw_count++];
        uint32_t lowest = UINT32_MAX, highest = 0, first = f, material = material_of(mesh, f);
        for (; f < mesh->face_count && material_of(mesh, f) == material; f++) {
            for (size_t corner = (size_t)f * 3; corner < (size_t)f * 3 + 3; corner++) {
                lowest = indices[corner] < lowest ? indices[corner] : lowest;
                highest = indices[corner] > highest ? indices[corner] : highest;
            }
        }
        if (highest >= packed->vertex_count)
            return facet_fail(p->error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                              "the mesh has an index %" PRIu32 ", and %" PRIu32 " vertices",
                              highest, packed->vertex_count);
        *draw = (facet_packed_draw){.material = material,
                                    .first_index = first * 3,
                                    .index_count = (f - first) * 3,
                                    .first_vertex = lowest,
                                    .vertex_count = highest - lowest + 1};
        if (packed->index_size == 4 || packed->vertex_count <= MAX_SHORT)
            continue;
        draw->base_vertex = lowest;
        if (draw->vertex_count > MAX_SHORT)
            return facet_fail(p->error, FACET_ERROR_LIMIT, "PACK-INDEX", FACET_NO_OFFSET,
                              "the draw of triangles %" PRIu32 " to %" PRIu32 " spans %" PRIu32
                              " vertices, but 16-bit indices reach %d",
                              first, f - 1, draw->vertex_count, MAX_SHORT);
    }
    return FACET_OK;
}

static facet_status pack_indices(const packer *p)
{
    const facet_mesh *mesh = p->mesh;
    facet_packed *packed = p->packed;
    packed->index_count = mesh->corner_count;
    packed->index_size = p->layout.index_size;
    if (packed->index_size == 0)
        packed->index_size = packed->vertex_count <= MAX_SHORT ? 2 : 4;
    TRY(make_draws(p));
    packed->indices = facet_arena_allocate(packed->arena, packed->index_count, packed->index_size);
    if (!packed->indices)
        return facet_fail_arena(packed->arena, p->error);
    packed->index_bytes = (size_t)packed->index_count * packed->index_size;
    for (uint32_t d = 0; d < packed->draw_count; d++) {
        const facet_packed_draw *draw = &packed->draws[d];
        const uint32_t *from = mesh->streams[0].indices + draw->first_index;
        uint16_t *shorts = (uint16_t *)packed->indices + draw->first_index;
        if (packed->index_size == 4)
            memcpy((uint32_t *)packed->indices + draw->first_index, from,
                   (size_t)draw->index_count * 4);
        for (uint32_t i = 0; i < draw->index_count && packed->index_size == 2; i++)
            shorts[i] = (uint16_t)(from[i] - draw->base_vertex);
    }
    return FACET_OK;
}

/* -- All ---------------------------------------------------------------- */

static facet_status check_call(const facet_mesh *mesh, const facet_pack_layout *layout,
                               facet_error *error)
{
    static const char *const wrong[] = {
        "indices of 2 or 4 bytes", "an alignment of 1, 2, 4, 8 or 16", "at most 64 attributes"};
    uint32_t a = layout->alignment;
    int which = layout->index_size != 0 && layout->index_size != 2 && layout->index_size != 4 ? 0
                : a > 16 || (a & (a - 1)) != 0                                                ? 1
                : layout->attributes && layout->attribute_count > FACET_PACK_MAX_ATTRIBUTES   ? 2
                                                                                              : -1;
    if (which >= 0)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "PACK-LAYOUT", FACET_NO_OFFSET,
                          "expected a layout with %s", wrong[which]);
    bool even = mesh->stream_count > 0 && facet_mesh_is_triangles(mesh) &&
                facet_mesh_is_indexed(mesh) && mesh->corner_count == (uint64_t)mesh->face_count * 3;
    if (!even)
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "the mesh has polygons or several index arrays, expected triangles "
                          "with one, as facet_prepare makes them");
    return FACET_OK;
}

static facet_status pack(packer *p)
{
    facet_packed *packed = p->packed;
    facet_status status = p->layout.attributes ? FACET_OK : take_all(p);
    if (status)
        return status;
    uint32_t count = packed->attribute_count = p->layout.attribute_count;
    packed->vertex_count = p->mesh->streams[0].count;
    packed->attributes = facet_arena_allocate(packed->arena, count, sizeof *packed->attributes);
    packed->buffers =
        facet_arena_allocate_zeroed(packed->arena, FACET_PACK_MAX_BUFFERS, sizeof *packed->buffers);
    p->streams = facet_arena_allocate(packed->arena, count, sizeof(const facet_stream *));
    if (!packed->attributes || !packed->buffers || !p->streams)
        return facet_fail_arena(packed->arena, p->error);
    status = lay_out(p);
    if (!status)
        status = pack_indices(p);
    return status ? status : pack_vertices(p);
}

facet_status facet_mesh_pack(const facet_mesh *mesh, const facet_pack_layout *layout,
                             const facet_options *options, facet_packed **packed,
                             facet_error *error)
{
    packer p = {.mesh = mesh, .options = options, .error = error};
    facet_arena *arena = NULL;
    facet_status status = FACET_OK;
    if (layout) {
        status = facet_check_struct_size(layout->struct_size, sizeof *layout, "facet_pack_layout",
                                         error);
        p.layout = *layout;
    }
    if (!status)
        status = check_call(mesh, &p.layout, error);
    if (!status)
        status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    p.alignment = p.layout.alignment ? p.layout.alignment : 4;
    p.packed = facet_arena_allocate_zeroed(arena, 1, sizeof *p.packed);
    if (p.packed) {
        p.packed->arena = arena;
        status = pack(&p);
    } else {
        status = facet_fail_arena(arena, error);
    }
    if (status)
        facet_arena_free(arena);
    else
        *packed = p.packed;
    return status;
}

void facet_packed_free(facet_packed *packed)
{
    if (packed)
        facet_arena_free(packed->arena);
}
