/* formats/bga/to_scene.c - a document to a scene, by the names of docs/reference/formats/bga.md. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "formats/bga/bga.h"
#include "formats/bga/document.h"
#include "scene/material.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of distinct materials; more are an error or an attack. */
#define MAX_MATERIALS 65536

typedef struct reading {
    const facet_bga *bga;
    facet_scene *scene;
    facet_mesh *mesh;
    const facet_bga_buffer *vertex;
    facet_report *report;
    facet_error *error;
} reading;

static const char *quote_name(facet_quoted *quoted, const char *name, uint32_t length)
{
    return facet_quote(quoted, name, length);
}

static facet_status no_memory(const reading *r)
{
    return facet_fail_arena(r->scene->arena, r->error);
}

/* -- Names -------------------------------------------------------------- */

/* The set number of "uv", "uv1" or "uv12"; false for other names. */
static bool is_numbered(const facet_bga_attribute *attribute, const char *stem, uint32_t *set)
{
    size_t length = strlen(stem);
    const char *name = attribute->name;
    size_t digits = attribute->name_length - length;
    if (attribute->name_length < length || memcmp(name, stem, length) != 0 || digits > 4 ||
        (digits > 0 && name[length] == '0' && digits > 1))
        return false;
    *set = 0;
    for (size_t i = length; i < attribute->name_length; i++) {
        if (name[i] < '0' || name[i] > '9')
            return false;
        *set = *set * 10 + (uint32_t)(name[i] - '0');
    }
    return true;
}

/* The meaning of an attribute in a scene, and the conversion of its values. */
typedef struct meaning {
    facet_semantic semantic;
    uint32_t set;
    facet_component component;
    uint32_t components;
} meaning;

static facet_component component_of(facet_bga_base base)
{
    static const facet_component components[] = {FACET_FLOAT32, FACET_UINT8, FACET_INT8,
                                                 FACET_UINT16,  FACET_INT16, FACET_UINT32,
                                                 FACET_INT32};
    return components[base];
}

static meaning meaning_of(const facet_bga_attribute *a)
{
    bool is_float = a->base == FACET_BGA_BASE_FLOAT32;
    bool is_narrow = a->base == FACET_BGA_BASE_UINT8 || a->base == FACET_BGA_BASE_UINT16;
    uint32_t n = a->components, set = 0;
    meaning custom = {FACET_CUSTOM, 0, component_of(a->base), n};
    if (is_float && (n == 2 || n == 3) && facet_bga_name_is(a->name, a->name_length, "position"))
        return (meaning){FACET_POSITION, 0, FACET_FLOAT32, 3};
    if (is_float && n == 3 && facet_bga_name_is(a->name, a->name_length, "normal"))
        return (meaning){FACET_NORMAL, 0, FACET_FLOAT32, 3};
    if (is_float && n == 4 && facet_bga_name_is(a->name, a->name_length, "tangent"))
        return (meaning){FACET_TANGENT, 0, FACET_FLOAT32, 4};
    if (is_float && (n == 2 || n == 3) &&
        (is_numbered(a, "uv", &set) || is_numbered(a, "texcoord", &set)))
        return (meaning){FACET_TEXCOORD, set, FACET_FLOAT32, n};
    if ((is_float || is_narrow) && (n == 3 || n == 4) && is_numbered(a, "color", &set))
        return (meaning){FACET_COLOR, set, FACET_FLOAT32, n};
    if (is_narrow && n == 4 && is_numbered(a, "joints", &set))
        return (meaning){FACET_JOINTS, set, FACET_UINT16, 4};
    if (is_float && n == 4 && is_numbered(a, "weights", &set))
        return (meaning){FACET_WEIGHTS, set, FACET_FLOAT32, 4};
    return custom;
}

/* -- Streams ------------------------------------------------------------ */

/* Widen values at the start of `data` to the stream's type. Goes backward, so that no value is
 * overwritten before its use. */
static void widen(const facet_bga_attribute *a, const meaning *m, uint64_t count, void *data)
{
    float *floats = data;
    uint16_t *shorts = data;
    const uint8_t *bytes = data;
    size_t values = (size_t)count * a->components;
    if (m->semantic == FACET_POSITION && a->components == 2) {
        for (size_t i = (size_t)count; i-- > 0;) {
            float x = floats[i * 2], y = floats[i * 2 + 1];
            floats[i * 3] = x;
            floats[i * 3 + 1] = y;
            floats[i * 3 + 2] = 0;
        }
    } else if (m->semantic == FACET_COLOR && a->base == FACET_BGA_BASE_UINT8) {
        for (size_t i = values; i-- > 0;)
            floats[i] = (float)bytes[i] / 255.0F;
    } else if (m->semantic == FACET_COLOR && a->base == FACET_BGA_BASE_UINT16) {
        for (size_t i = values; i-- > 0;) {
            uint16_t value;
            memcpy(&value, bytes + i * 2, 2);
            floats[i] = (float)value / 65535.0F;
        }
    } else if (m->semantic == FACET_JOINTS && a->base == FACET_BGA_BASE_UINT8) {
        for (size_t i = values; i-- > 0;)
            shorts[i] = bytes[i];
    }
}

static facet_status read_stream(reading *r, const facet_bga_attribute *attribute)
{
    facet_quoted quoted;
    meaning m = meaning_of(attribute);
    if (m.semantic != FACET_CUSTOM && facet_mesh_find(r->mesh, m.semantic, m.set))
        m = (meaning){FACET_CUSTOM, 0, component_of(attribute->base), attribute->components};
    if (m.components > 16) {
        facet_report_add(r->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, attribute->offset,
                         "attribute '%s' has %" PRIu32 " values per vertex, more than a scene's 16",
                         quote_name(&quoted, attribute->name, attribute->name_length),
                         attribute->components);
        return FACET_OK;
    }
    char *name = NULL;
    if (m.semantic == FACET_CUSTOM) {
        name = facet_arena_string(r->scene->arena, attribute->name, attribute->name_length);
        if (!name)
            return no_memory(r);
    }
    facet_stream *stream;
    TRY(facet_mesh_add_stream(r->mesh, m.semantic, m.set, name, m.component, m.components,
                              (uint32_t)attribute->count, &stream, r->error));
    facet_bga_read_values(r->bga, attribute, 0, attribute->count, attribute->base, stream->data);
    widen(attribute, &m, attribute->count, stream->data);
    return FACET_OK;
}

/* True for a buffer "vertex_X" with one attribute X per vertex: some writers create it for
 * vertex.X. */
static bool is_vertex_column(const reading *r, const facet_bga_buffer *buffer)
{
    if (buffer->attribute_count != 1 || buffer->count != r->vertex->count)
        return false;
    const facet_bga_attribute *only = &r->bga->attributes[buffer->first_attribute];
    return buffer->name_length == 7 + only->name_length &&
           memcmp(buffer->name, "vertex_", 7) == 0 &&
           memcmp(buffer->name + 7, only->name, only->name_length) == 0;
}

static facet_status read_streams(reading *r)
{
    const facet_bga_attribute *position = facet_bga_find(r->bga, "vertex", "position");
    facet_status status = FACET_OK;
    if (!position || meaning_of(position).semantic != FACET_POSITION)
        return facet_fail(r->error, FACET_ERROR_UNSUPPORTED, "BGA-VERTEX-MISSING", FACET_NO_OFFSET,
                          "the file has no vec3 vertex.position, so there is no mesh in it");
    if (position->count >= FACET_NONE)
        return facet_fail(r->error, FACET_ERROR_LIMIT, "BGA-LIMIT", position->offset,
                          "%" PRIu64 " vertices are more than a mesh can index", position->count);
    status = read_stream(r, position);
    for (uint32_t i = 0; i < r->bga->attribute_count && !status; i++) {
        const facet_bga_attribute *attribute = &r->bga->attributes[i];
        const facet_bga_buffer *buffer = &r->bga->buffers[attribute->buffer];
        if (attribute != position && (buffer == r->vertex || is_vertex_column(r, buffer)))
            status = read_stream(r, attribute);
    }
    return status;
}

/* -- Cells -------------------------------------------------------------- */

/* Read the indices of a cell attribute to `indices`, and check them. */
static facet_status read_cells(reading *r, const facet_bga_attribute *cell, uint32_t *indices)
{
    const facet_bga_buffer *buffer = &r->bga->buffers[cell->buffer];
    size_t values = (size_t)cell->count * cell->components;
    facet_quoted quoted;
    facet_bga_read_values(r->bga, cell, 0, cell->count, FACET_BGA_BASE_UINT32, indices);
    uint32_t largest = 0;
    for (size_t i = 0; i < values; i++)
        largest = indices[i] > largest ? indices[i] : largest;
    if (values == 0 || largest < r->vertex->count)
        return FACET_OK;
    size_t at = 0;
    while (indices[at] < r->vertex->count)
        at++;
    return facet_fail(r->error, FACET_ERROR_MALFORMED, "BGA-CELL-RANGE",
                      cell->offset + at / cell->components * cell->stride,
                      "%s %zu uses vertex %" PRId64 ", expected at least 0 and less than %" PRIu64,
                      quote_name(&quoted, buffer->name, buffer->name_length), at / cell->components,
                      facet_bga_bad_index(r->bga, cell, at / cell->components, r->vertex->count),
                      r->vertex->count);
}

/* The X of a buffer "triangle_X"; "" for "triangle". */
static const char *group_name(reading *r, const facet_bga_buffer *buffer)
{
    const char *low = memchr(buffer->name, '_', buffer->name_length);
    size_t length = low ? buffer->name_length - (size_t)(low + 1 - buffer->name) : 0;
    return facet_arena_string(r->scene->arena, low ? low + 1 : "", length);
}

/* Add a part for a run of faces from one buffer; and a material if it has a name. */
static facet_status add_part(reading *r, const facet_bga_buffer *buffer, uint32_t first,
                             uint32_t count)
{
    const char *name = group_name(r, buffer);
    if (!name)
        return no_memory(r);
    facet_part *part = &r->mesh->parts[r->mesh->part_count++];
    part->name = name;
    part->group = "";
    part->first_face = first;
    part->face_count = count;
    if (!*name)
        return FACET_OK;
    facet_material *material;
    facet_status status = facet_scene_add_named_material(r->scene, name, &material, r->error);
    for (uint32_t i = 0; i < count && !status; i++)
        r->mesh->face_materials[first + i] = r->scene->material_count - 1;
    return status;
}

/* Totals of the faces in the file. */
typedef struct face_sum {
    uint64_t faces, corners, lines, points;
    uint32_t buffers;
    bool has_quads, has_names;
} face_sum;

static face_sum sum_faces(const reading *r)
{
    face_sum sum = {0};
    for (uint32_t i = 0; i < r->bga->buffer_count; i++) {
        const facet_bga_buffer *buffer = &r->bga->buffers[i];
        const facet_bga_attribute *cell;
        if (facet_bga_is_cells(r->bga, buffer, 1, &cell))
            sum.points += cell->count;
        if (facet_bga_is_cells(r->bga, buffer, 2, &cell))
            sum.lines += cell->count;
        for (uint32_t corners = 3; corners <= 4; corners++) {
            if (!facet_bga_is_cells(r->bga, buffer, corners, &cell))
                continue;
            sum.faces += cell->count;
            sum.corners += cell->count * corners;
            sum.buffers++;
            sum.has_quads |= corners == 4 && cell->count > 0;
            sum.has_names |= memchr(buffer->name, '_', buffer->name_length) != NULL;
        }
    }
    return sum;
}

static facet_status allocate_faces(reading *r, const face_sum *sum)
{
    facet_arena *arena = r->scene->arena;
    facet_mesh *mesh = r->mesh;
    if (sum->corners >= FACET_NONE || sum->lines >= FACET_NONE / 2 || sum->points >= FACET_NONE)
        return facet_fail(r->error, FACET_ERROR_LIMIT, "BGA-LIMIT", FACET_NO_OFFSET,
                          "%" PRIu64 " corners and %" PRIu64 " edges and %" PRIu64
                          " points are more than a mesh can count",
                          sum->corners, sum->lines, sum->points);
    mesh->face_count = (uint32_t)sum->faces;
    mesh->corner_count = (uint32_t)sum->corners;
    uint32_t *indices = facet_arena_allocate(arena, mesh->corner_count, sizeof *indices);
    if (!indices)
        return no_memory(r);
    for (uint32_t i = 0; i < mesh->stream_count; i++)
        mesh->streams[i].indices = indices;
    if (sum->has_quads) {
        mesh->face_offsets =
            facet_arena_allocate(arena, (size_t)mesh->face_count + 1, sizeof(uint32_t));
        if (!mesh->face_offsets)
            return no_memory(r);
    }
    if (sum->has_names) {
        mesh->parts = facet_arena_allocate(arena, sum->buffers, sizeof *mesh->parts);
        mesh->face_materials = facet_arena_allocate(arena, mesh->face_count, sizeof(uint32_t));
        if (!mesh->parts || !mesh->face_materials)
            return no_memory(r);
        memset(mesh->face_materials, 0xFF, mesh->face_count * sizeof(uint32_t));
    }
    if (sum->lines > 0) {
        mesh->lines = facet_arena_allocate(arena, (size_t)sum->lines * 2, sizeof(uint32_t));
        if (!mesh->lines)
            return no_memory(r);
    }
    if (sum->points > 0) {
        mesh->points = facet_arena_allocate(arena, (size_t)sum->points, sizeof(uint32_t));
        if (!mesh->points)
            return no_memory(r);
    }
    return FACET_OK;
}

/* Append the faces of one buffer. */
static facet_status read_faces(reading *r, const facet_bga_attribute *cell, uint32_t *face,
                               uint32_t *corner)
{
    facet_mesh *mesh = r->mesh;
    facet_status status = read_cells(r, cell, mesh->streams[0].indices + *corner);
    uint32_t count = (uint32_t)cell->count;
    for (uint32_t i = 0; mesh->face_offsets && i <= count; i++)
        mesh->face_offsets[*face + i] = *corner + i * cell->components;
    if (!status && mesh->parts)
        status = add_part(r, &r->bga->buffers[cell->buffer], *face, count);
    *face += count;
    *corner += count * cell->components;
    return status;
}

static facet_status read_all_cells(reading *r)
{
    face_sum sum = sum_faces(r);
    facet_status status = allocate_faces(r, &sum);
    uint32_t face = 0, corner = 0;
    for (uint32_t i = 0; i < r->bga->buffer_count && !status; i++) {
        const facet_bga_buffer *buffer = &r->bga->buffers[i];
        const facet_bga_attribute *cell;
        if (facet_bga_is_cells(r->bga, buffer, 3, &cell) ||
            facet_bga_is_cells(r->bga, buffer, 4, &cell)) {
            status = read_faces(r, cell, &face, &corner);
        } else if (facet_bga_is_cells(r->bga, buffer, 2, &cell) && cell->count > 0) {
            status = read_cells(r, cell, r->mesh->lines + (size_t)r->mesh->line_count * 2);
            r->mesh->line_count += (uint32_t)cell->count;
        } else if (facet_bga_is_cells(r->bga, buffer, 1, &cell) && cell->count > 0) {
            status = read_cells(r, cell, r->mesh->points + r->mesh->point_count);
            r->mesh->point_count += (uint32_t)cell->count;
        }
    }
    if (!status && sum.faces == 0 && sum.lines == 0 && sum.points == 0 &&
        r->mesh->stream_count > 0 && r->mesh->streams[0].count > 0)
        facet_report_add(r->report, "BGA-CELL-MISSING", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the file has no cells: its %" PRIu32 " %s", r->mesh->streams[0].count,
                         facet_plural(r->mesh->streams[0].count, "vertex becomes a point",
                                      "vertices become points"));
    return status ? status : facet_mesh_show_vertices(r->mesh, r->error);
}

/* -- Materials ---------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static facet_status add_material(reading *r, uint32_t number)
{
    if (r->scene->material_count == MAX_MATERIALS)
        return facet_fail(r->error, FACET_ERROR_LIMIT, "BGA-LIMIT", FACET_NO_OFFSET,
                          "face.material names more than %d materials", MAX_MATERIALS);
    char name[32];
    facet_material *material;
    snprintf(name, sizeof name, "material_%" PRIu32, number);
    return facet_scene_add_named_material(r->scene, name, &material, r->error);
}

/* Read the name of a material from a comment "material 3 NAME". */
static facet_status name_material(reading *r, const char *comment, const uint32_t *numbers)
{
    static const char lead[] = "material ";
    if (strncmp(comment, lead, sizeof lead - 1) != 0)
        return FACET_OK;
    const char *at = comment + sizeof lead - 1;
    char *after;
    unsigned long long number = *at >= '0' && *at <= '9' ? strtoull(at, &after, 10) : FACET_NONE;
    if (number >= FACET_NONE || *after != ' ' || !facet_utf8_valid(after, strlen(after)))
        return FACET_OK;
    uint32_t key = (uint32_t)number, count = r->scene->material_count;
    const uint32_t *found =
        numbers ? bsearch(&key, numbers, count, sizeof key, compare_numbers) : NULL;
    uint32_t index = found ? (uint32_t)(found - numbers) : key;
    if ((numbers && !found) || index >= count)
        return FACET_OK;
    const char *name = facet_arena_string(r->scene->arena, after + 1, strlen(after + 1));
    if (!name)
        return no_memory(r);
    r->scene->materials[index]->name = name;
    return FACET_OK;
}

/* `numbers` are those of the scene's materials, ascending. NULL: 0, 1, 2 ... */
static facet_status name_materials(reading *r, const uint32_t *numbers)
{
    const char *const *comments = r->bga->comments;
    size_t count = r->bga->comment_count;
    facet_status status = FACET_OK;
    if (!comments) /* a view */
        status = facet_bga_find_comments(r->bga, r->scene->arena, &comments, &count, r->error);
    for (size_t i = 0; i < count && !status; i++)
        status = name_material(r, comments[i], numbers);
    return status;
}

/* Renumber the used materials as 0, 1, 2 ... in order, if most numbers are not used. */
static facet_status compact_materials(reading *r, uint32_t *numbers, uint32_t count)
{
    facet_arena *arena = r->scene->arena;
    uint32_t *sorted = facet_arena_allocate(arena, count, sizeof *sorted);
    if (!sorted)
        return no_memory(r);
    memcpy(sorted, numbers, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    uint32_t distinct = 0;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        if (sorted[i] == FACET_NONE || (distinct > 0 && sorted[distinct - 1] == sorted[i]))
            continue;
        sorted[distinct++] = sorted[i];
        status = add_material(r, sorted[i]);
    }
    for (uint32_t i = 0; i < count && !status; i++) {
        const uint32_t *found = numbers[i] == FACET_NONE ? NULL
                                                         : bsearch(&numbers[i], sorted, distinct,
                                                                   sizeof *sorted, compare_numbers);
        numbers[i] = found ? (uint32_t)(found - sorted) : FACET_NONE;
    }
    if (!status)
        status = name_materials(r, sorted);
    facet_arena_release(arena, sorted, count, sizeof *sorted);
    return status;
}

/* Read face.material: one number per face of the buffer "triangle". */
static facet_status read_materials(reading *r)
{
    const facet_bga_attribute *material = facet_bga_find(r->bga, "face", "material");
    const facet_bga_buffer *triangle = facet_bga_find_buffer(r->bga, "triangle");
    uint32_t count = r->mesh->face_count;
    if (!material || material->count == 0)
        return FACET_OK;
    if (r->mesh->parts || r->mesh->face_offsets || !triangle || material->count != count ||
        material->components != 1 || material->base == FACET_BGA_BASE_FLOAT32) {
        facet_report_add(r->report, "LOSS-MATERIALS", FACET_SEVERITY_WARNING, material->offset,
                         "face.material is not one whole number for every triangle");
        return FACET_OK;
    }
    uint32_t *numbers = facet_arena_allocate(r->scene->arena, count, sizeof *numbers);
    if (!numbers)
        return no_memory(r);
    facet_bga_read_values(r->bga, material, 0, count, FACET_BGA_BASE_UINT32, numbers);
    r->mesh->face_materials = numbers;
    uint32_t largest = 0;
    for (uint32_t i = 0; i < count; i++)
        largest = numbers[i] != FACET_NONE && numbers[i] > largest ? numbers[i] : largest;
    if (largest >= count)
        return compact_materials(r, numbers, count);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i <= largest && !status; i++)
        status = add_material(r, i);
    return status ? status : name_materials(r, NULL);
}

/* -- Losses ------------------------------------------------------------ */

static void report_losses(const reading *r)
{
    for (uint32_t i = 0; i < r->bga->buffer_count; i++) {
        const facet_bga_buffer *buffer = &r->bga->buffers[i];
        const facet_bga_attribute *cell = NULL;
        bool cells = false;
        for (uint32_t corners = 1; corners <= 4 && !cells; corners++)
            cells = facet_bga_is_cells(r->bga, buffer, corners, &cell);
        bool known = cells || buffer == r->vertex || is_vertex_column(r, buffer);
        for (uint32_t k = 0; k < buffer->attribute_count && buffer->count > 0; k++) {
            const facet_bga_attribute *attribute = &r->bga->attributes[buffer->first_attribute + k];
            facet_quoted name, attribute_name;
            if ((known && (!cells || attribute == cell)) ||
                attribute == facet_bga_find(r->bga, "face", "material"))
                continue;
            facet_report_add(r->report, "LOSS-UNREAD", FACET_SEVERITY_WARNING, attribute->offset,
                             "a scene cannot hold attribute '%s' of buffer '%s'",
                             quote_name(&attribute_name, attribute->name, attribute->name_length),
                             quote_name(&name, buffer->name, buffer->name_length));
        }
    }
}

/* -- Reading ------------------------------------------------------------ */

static facet_status read_mesh(reading *r)
{
    TRY(facet_scene_add_mesh(r->scene, &r->mesh, r->error));
    r->vertex = facet_bga_find_buffer(r->bga, "vertex");
    facet_status status = read_streams(r);
    if (!status)
        status = read_all_cells(r);
    if (!status)
        status = read_materials(r);
    if (!status)
        report_losses(r);
    return status;
}

facet_status facet_bga_to_scene(const facet_bga *document, const facet_load_options *load,
                                const facet_options *options, facet_scene **scene,
                                facet_error *error)
{
    reading r;
    (void)load;
    memset(&r, 0, sizeof r);
    r.bga = document;
    r.report = options ? options->report : NULL;
    r.error = error;
    facet_status status = facet_bga_check_document(document, error);
    if (!status)
        status = facet_scene_create(options, &r.scene, error);
    if (status)
        return status;
    status = read_mesh(&r);
    if (!status)
        status = facet_scene_replace_nonfinite(r.scene, options, error);
    if (status)
        facet_scene_free(r.scene);
    else
        *scene = r.scene;
    return status;
}
