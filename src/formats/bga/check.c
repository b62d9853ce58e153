/* formats/bga/check.c - all rules of the format. The parser reports errors of the header to a
 * listener; the rules for data are here. */
#include "formats/bga/check.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"
#include "base/threads.h"
#include "formats/bga/bga.h"
#include "formats/bga/document.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -- The header --------------------------------------------------------- */

static void hear(void *user, const char *rule, uint64_t offset, const char *format,
                 va_list arguments) FACET_PRINTF(4, 0);
static void hear(void *user, const char *rule, uint64_t offset, const char *format,
                 va_list arguments)
{
    char sentence[400];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    facet_report_add(user, rule, FACET_SEVERITY_ERROR, offset, "%s", sentence);
}

/* Report bytes that do not belong in a header. In comments, text of any language is only a note. */
static void check_header_bytes(const facet_bga *bga, facet_report *report)
{
    facet_tally odd = {0}, foreign = {0}, returns = {0};
    size_t size = (size_t)bga->header_size;
    bool in_comment = false;
    for (size_t i = 0; i < size; i++) {
        uint8_t c = bga->data[i];
        if (c == '\n')
            in_comment = false;
        else if (c == '/' && i + 1 < size && bga->data[i + 1] == '/')
            in_comment = true;
        if (c == '\r' && i + 1 < size && bga->data[i + 1] == '\n')
            facet_tally_hit(&returns, i);
        if ((c >= 0x20 && c < 0x7F) || c == '\t' || c == '\n' || c == '\r')
            continue;
        size_t taken = facet_utf8_sequence((const char *)bga->data + i, size - i);
        if (in_comment && taken > 1) {
            facet_tally_hit(&foreign, i);
            i += taken - 1;
        } else {
            facet_tally_hit(&odd, i);
        }
    }
    facet_report_add_tally(report, "BGA-HEADER-BYTES", FACET_SEVERITY_WARNING, odd.first, &odd,
                           "byte 0x%02X is in the header, which must be ASCII text",
                           odd.count ? bga->data[odd.first] : 0);
    facet_report_add_tally(report, "BGA-HEADER-BYTES", FACET_SEVERITY_NOTE, foreign.first, &foreign,
                           "a comment holds other characters than ASCII");
    facet_report_add_tally(report, "BGA-HEADER-CRLF", FACET_SEVERITY_ERROR, returns.first, &returns,
                           "a line of the header ends with CR LF instead of LF");
}

static bool is_reserved(const char *name, size_t length)
{
    return facet_bga_name_is(name, length, "__proto__") ||
           facet_bga_name_is(name, length, "constructor") ||
           facet_bga_name_is(name, length, "hasOwnProperty");
}

static void check_reserved(const char *name, size_t length, facet_report *report)
{
    if (is_reserved(name, length))
        facet_report_add(report, "BGA-NAME-RESERVED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the name '%.*s' breaks the JavaScript parser", (int)length, name);
}

static void check_attribute(const facet_bga *bga, const facet_bga_attribute *attribute,
                            facet_report *report)
{
    const facet_bga_buffer *buffer = &bga->buffers[attribute->buffer];
    size_t base_size = facet_bga_base_size(attribute->base);
    facet_quoted name;
    facet_quote(&name, attribute->name, attribute->name_length);
    check_reserved(attribute->name, attribute->name_length, report);
    if (attribute->base == FACET_BGA_BASE_INT8 || attribute->base == FACET_BGA_BASE_INT16 ||
        attribute->base == FACET_BGA_BASE_INT32)
        facet_report_add(report, "BGA-TYPE-SIGNED", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "attribute '%s' is of type %s, which the JavaScript parser cannot place",
                         name.text, facet_bga_type_name(attribute->type));
    if (attribute->offset % base_size != 0 || attribute->stride % base_size != 0)
        facet_report_add(report, "BGA-ALIGN-ATTR", FACET_SEVERITY_WARNING, attribute->offset,
                         "attribute '%s' has values of %zu bytes at offset %" PRIu64
                         " and stride %" PRIu64 ", which a GPU may refuse",
                         name.text, base_size, attribute->offset - buffer->offset,
                         attribute->stride);
}

/* -- Between the buffers ------------------------------------------------ */

static void check_padding(const facet_bga *bga, facet_report *report)
{
    uint64_t position = bga->header_size;
    facet_tally odd = {0};
    bool any = false;
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        const facet_bga_buffer *buffer = &bga->buffers[i];
        for (; position < buffer->offset && position < bga->size; position++) {
            if (bga->data[position] != 0)
                facet_tally_hit(&odd, position);
        }
        position = buffer->offset + buffer->count * buffer->stride;
        any |= buffer->count > 0 && buffer->attribute_count > 0;
    }
    facet_report_add_tally(report, "BGA-PAD-NONZERO", FACET_SEVERITY_WARNING, odd.first, &odd,
                           "a padding byte is not 0");
    if (bga->data_end < bga->size)
        facet_report_add(report, "BGA-DATA-TRAILING", FACET_SEVERITY_NOTE, bga->data_end,
                         "%" PRIu64 " byte%s the last record", bga->size - bga->data_end,
                         facet_plural(bga->size - bga->data_end, " follows", "s follow"));
    if (!any)
        facet_report_add(report, "BGA-EMPTY", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the file has no records");
}

/* -- Floats ------------------------------------------------------------- */

typedef struct float_check {
    const facet_bga_attribute *attribute;
    facet_tally nonfinite, length; /* counted by record */
    bool is_normal;
} float_check;

static bool is_unit(const uint8_t *vector, bool swapped)
{
    float n[3];
    if (swapped)
        facet_bga_swap(n, vector, 3, 4);
    else
        memcpy(n, vector, sizeof n);
    float square = n[0] * n[0] + (n[1] * n[1] + n[2] * n[2]);
    return square >= FACET_BGA_UNIT_LOW && square <= FACET_BGA_UNIT_HIGH; /* false for NaN */
}

/* Find records whose vector of three does not have length 1. */
static void check_lengths(float_check *check, uint64_t first, const uint8_t *values, size_t stride,
                          size_t count, bool swapped)
{
    for (size_t i = 0; i < count;) {
        i += facet_bga_unit_vectors(values + i * stride, stride, count - i, swapped);
        for (size_t end = i + 8; i < end && i < count; i++) {
            if (!is_unit(values + i * stride, swapped))
                facet_tally_hit(&check->length, first + i);
        }
    }
}

static void check_records(float_check *check, uint64_t first, const uint8_t *values, size_t stride,
                          size_t count)
{
    size_t components = check->attribute->components;
    for (size_t i = 0; i < count; i++) {
        if (facet_find_nonfinite_float(values + i * stride, components) < components)
            facet_tally_hit(&check->nonfinite, first + i);
    }
    if (check->is_normal)
        check_lengths(check, first, values, stride, count, false);
}

static void report_floats(const facet_bga *bga, const float_check *check, facet_report *report)
{
    const facet_bga_attribute *attribute = check->attribute;
    const facet_bga_buffer *buffer = &bga->buffers[attribute->buffer];
    bool position = facet_bga_name_is(buffer->name, buffer->name_length, "vertex") &&
                    facet_bga_name_is(attribute->name, attribute->name_length, "position");
    facet_quoted name;
    facet_quote(&name, attribute->name, attribute->name_length);
    facet_report_add_tally(
        report, "BGA-FLOAT-NONFINITE", position ? FACET_SEVERITY_ERROR : FACET_SEVERITY_WARNING,
        attribute->offset + check->nonfinite.first * attribute->stride, &check->nonfinite,
        "attribute '%s' of record %" PRIu64 " is infinite or not a number", name.text,
        check->nonfinite.first);
    facet_report_add_tally_where(
        report, "BGA-NORMAL-LENGTH", FACET_SEVERITY_WARNING,
        facet_where_vertex(attribute->offset + check->length.first * attribute->stride,
                           check->length.first),
        &check->length, "the normal of vertex %" PRIu64 " is not of length 1", check->length.first);
}

/* Find vertex.NAME, or vertex_NAME.NAME with as many records: its name in files of separate
 * buffers. */
static const facet_bga_attribute *find_of_vertex(const facet_bga *bga, const char *name)
{
    const facet_bga_attribute *attribute = facet_bga_find(bga, "vertex", name);
    const facet_bga_buffer *vertex = facet_bga_find_buffer(bga, "vertex");
    if (attribute || !vertex)
        return attribute;
    char column[32];
    snprintf(column, sizeof column, "vertex_%s", name);
    attribute = facet_bga_find(bga, column, name);
    return attribute && attribute->count == vertex->count ? attribute : NULL;
}

/* True if the records have only floats and all are finite, the usual case; then lengths are checked
 * also. Copies nothing, in either byte order. */
static bool check_finite_records(float_check *checks, uint32_t check_count, uint64_t first,
                                 const uint8_t *records, const facet_bga_buffer *buffer,
                                 size_t count, bool swapped)
{
    size_t stride = (size_t)buffer->stride, floats = count * stride / 4;
    size_t finite = swapped ? facet_find_nonfinite_swapped_float(records, floats)
                            : facet_find_nonfinite_float(records, floats);
    if (finite < floats)
        return false;
    for (uint32_t i = 0; i < check_count; i++) {
        const uint8_t *values = records + (checks[i].attribute->offset - buffer->offset);
        if (checks[i].is_normal)
            check_lengths(&checks[i], first, values, stride, count, swapped);
    }
    return true;
}

/* Maximum number of tasks: few enough for small tallies, and many enough for threads of different
 * speed. */
#define MAX_PIECES 32
#define SMALLEST_PIECE 4096 /* records */

static uint64_t piece_size(uint64_t records)
{
    uint64_t size = records / MAX_PIECES + 1;
    return size > SMALLEST_PIECE ? size : SMALLEST_PIECE;
}

static size_t piece_count(uint64_t records)
{
    return (size_t)(records / piece_size(records) + (records % piece_size(records) > 0));
}

typedef struct float_job {
    const facet_bga *bga;
    const facet_bga_buffer *buffer;
    float_check *checks; /* per piece and attribute of floats */
    uint32_t check_count;
    bool only_floats;
} float_job;

/* Check one attribute of records that have other types also, or floats that are not finite. */
static void check_attribute_records(const float_job *job, float_check *check, uint64_t first,
                                    const uint8_t *records, size_t count, uint8_t *tile)
{
    const facet_bga_attribute *attribute = check->attribute;
    size_t size = (size_t)attribute->components * 4, stride = (size_t)job->buffer->stride;
    const uint8_t *values = records + (size_t)(attribute->offset - job->buffer->offset);
    if (facet_bga_is_host_order(job->bga)) {
        check_records(check, first, values, stride, count);
    } else if (size * count <= FACET_BGA_TILE) {
        facet_bga_read_values(job->bga, attribute, first, count, attribute->base, tile);
        check_records(check, first, tile, size, count);
    } else { /* one large record in the other byte order: check its bytes in pieces */
        for (size_t at = 0; at < size; at += 4) {
            facet_bga_swap(tile, values + at, 1, 4);
            if (facet_find_nonfinite_float(tile, 1) < 1) {
                facet_tally_hit(&check->nonfinite, first);
                break;
            }
        }
    }
}

/* Check a piece of a buffer, a tile of records at a time, so that memory is read once. */
static void check_float_piece(void *argument, size_t piece)
{
    const float_job *job = argument;
    const facet_bga_buffer *buffer = job->buffer;
    float_check *checks = job->checks + piece * job->check_count;
    uint8_t storage[16 + FACET_BGA_TILE], *tile = storage + 16; /* vectors are loaded from 4 bytes
                                                                 * before x */
    memset(storage, 0, 16);
    size_t stride = (size_t)buffer->stride,
           space = stride < FACET_BGA_TILE ? FACET_BGA_TILE / stride : 1;
    uint64_t size = piece_size(buffer->count), begin = piece * size,
             end = buffer->count - begin < size ? buffer->count : begin + size;
    bool swapped = !facet_bga_is_host_order(job->bga);
    for (uint64_t first = begin; first < end; first += space) {
        const uint8_t *records = job->bga->data + (size_t)buffer->offset + (size_t)first * stride;
        size_t count = end - first < space ? (size_t)(end - first) : space;
        if (job->only_floats &&
            check_finite_records(checks, job->check_count, first, records, buffer, count, swapped))
            continue;
        for (uint32_t i = 0; i < job->check_count; i++)
            check_attribute_records(job, &checks[i], first, records, count, tile);
    }
}

/* Check all float attributes of a buffer. */
static facet_status check_floats(const facet_bga *bga, const facet_bga_buffer *buffer,
                                 const facet_options *options, facet_arena *arena,
                                 facet_report *report, facet_error *error)
{
    float_job job = {.bga = bga, .buffer = buffer};
    uint64_t float_bytes = 0;
    size_t pieces = piece_count(buffer->count), space = pieces * buffer->attribute_count;
    if (space == 0)
        return FACET_OK;
    float_check *checks = facet_arena_allocate_zeroed(arena, space, sizeof *checks);
    if (!checks)
        return facet_fail_arena(arena, error);
    for (uint32_t i = 0; i < buffer->attribute_count; i++) {
        const facet_bga_attribute *attribute = &bga->attributes[buffer->first_attribute + i];
        if (attribute->base != FACET_BGA_BASE_FLOAT32 || attribute->count == 0)
            continue;
        checks[job.check_count].attribute = attribute;
        checks[job.check_count++].is_normal =
            attribute == find_of_vertex(bga, "normal") && attribute->components == 3;
        float_bytes += (uint64_t)attribute->components * 4;
    }
    job.checks = checks;
    job.only_floats = float_bytes == buffer->stride;
    for (size_t i = job.check_count; i < pieces * job.check_count; i++) {
        checks[i].attribute = checks[i % job.check_count].attribute;
        checks[i].is_normal = checks[i % job.check_count].is_normal;
    }
    if (job.check_count > 0)
        facet_run(options, check_float_piece, &job, pieces);
    for (uint32_t i = 0; i < job.check_count; i++) {
        for (size_t piece = 1; piece < pieces; piece++) {
            const float_check *later = &checks[piece * job.check_count + i];
            facet_tally_add(&checks[i].nonfinite, &later->nonfinite);
            facet_tally_add(&checks[i].length, &later->length);
        }
        report_floats(bga, &checks[i], report);
    }
    facet_arena_release(arena, checks, space, sizeof *checks);
    return FACET_OK;
}

/* -- Cells -------------------------------------------------------------- */

typedef struct cell_check {
    const facet_bga_attribute *cell;
    facet_tally range, degenerate, winding; /* counted by record */
} cell_check;

#if defined(__GNUC__)
typedef float vector4 __attribute__((vector_size(16)));

static inline vector4 load_vector(const facet_bga_vertices *v, const uint8_t *x)
{
    vector4 loaded;
    if (v->swapped)
        facet_bga_swap(&loaded, x - 4, 4, 4);
    else
        memcpy(&loaded, x - 4, sizeof loaded); /* lane 0 is not used */
    return loaded;
}

/* True if a triangle's normal, by its winding, points away from the sum of its vertices'
 * normals. */
static bool opposes(const facet_bga_vertices *v, const uint32_t *index)
{
    const uint8_t *p = v->positions, *n = v->normals;
    size_t ps = v->position_stride, ns = v->normal_stride;
    vector4 origin = load_vector(v, p + index[0] * ps);
    vector4 a = load_vector(v, p + index[1] * ps) - origin;
    vector4 b = load_vector(v, p + index[2] * ps) - origin;
    vector4 normal = load_vector(v, n + index[0] * ns) + load_vector(v, n + index[1] * ns) +
                     load_vector(v, n + index[2] * ns);
    vector4 a_turned = __builtin_shufflevector(a, a, 0, 2, 3, 1);
    vector4 b_turned = __builtin_shufflevector(b, b, 0, 2, 3, 1);
    /* The cross product, with lanes rotated by one: (z, x, y). */
    vector4 cross = a * b_turned - a_turned * b;
    vector4 product = cross * __builtin_shufflevector(normal, normal, 0, 3, 1, 2);
    return product[1] + (product[2] + product[3]) < 0; /* the order of the fast check */
}
#else
static void load_vector(const facet_bga_vertices *v, const uint8_t *x, float *vector)
{
    if (v->swapped)
        facet_bga_swap(vector, x, 3, 4);
    else
        memcpy(vector, x, 3 * sizeof *vector);
}

static bool opposes(const facet_bga_vertices *v, const uint32_t *index)
{
    float p[3][3], n[3][3], sum = 0;
    for (int i = 0; i < 3; i++) {
        load_vector(v, v->positions + index[i] * v->position_stride, p[i]);
        load_vector(v, v->normals + index[i] * v->normal_stride, n[i]);
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        float cross =
            (p[1][j] - p[0][j]) * (p[2][k] - p[0][k]) - (p[1][k] - p[0][k]) * (p[2][j] - p[0][j]);
        sum += cross * (n[0][i] + n[1][i] + n[2][i]);
    }
    return sum < 0;
}
#endif

static bool repeats(const uint32_t *index, uint32_t corners)
{
    for (uint32_t i = 1; i < corners; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (index[i] == index[k])
                return true;
        }
    }
    return false;
}

/* Check one cell exactly. */
static void check_cell(cell_check *check, const facet_bga_vertices *v, uint64_t record,
                       const uint32_t *index, uint32_t corners)
{
    for (uint32_t i = 0; i < corners; i++) {
        if (index[i] >= v->count) {
            facet_tally_hit(&check->range, record);
            return;
        }
    }
    for (uint32_t i = 0; v->used && i < corners; i++)
        facet_bga_use(v->used + index[i]);
    if (repeats(index, corners))
        facet_tally_hit(&check->degenerate, record);
    else if (corners == 3 && v->normals && opposes(v, index))
        facet_tally_hit(&check->winding, record);
}

static void report_cells(const facet_bga *bga, const cell_check *check, const facet_bga_vertices *v,
                         facet_report *report)
{
    const facet_bga_attribute *cell = check->cell;
    const facet_bga_buffer *buffer = &bga->buffers[cell->buffer];
    facet_quoted name;
    facet_quote(&name, buffer->name, buffer->name_length);
    facet_report_add_tally(
        report, "BGA-CELL-RANGE", FACET_SEVERITY_ERROR,
        cell->offset + check->range.first * cell->stride, &check->range,
        "%s %" PRIu64 " uses vertex %" PRId64 ", expected at least 0 and less than %" PRIu64,
        name.text, check->range.first,
        check->range.count ? facet_bga_bad_index(bga, cell, check->range.first, v->count) : 0,
        v->count);
    facet_report_add_tally(report, "BGA-CELL-DEGENERATE", FACET_SEVERITY_WARNING,
                           cell->offset + check->degenerate.first * cell->stride,
                           &check->degenerate, "%s %" PRIu64 " uses a vertex twice", name.text,
                           check->degenerate.first);
    facet_report_add_tally(report, "BGA-CELL-WINDING", FACET_SEVERITY_WARNING,
                           cell->offset + check->winding.first * cell->stride, &check->winding,
                           "%s %" PRIu64 " is wound against the normals of its vertices", name.text,
                           check->winding.first);
    if (buffer->attribute_count > 1)
        facet_report_add(report, "BGA-CELL-STRIDED", FACET_SEVERITY_WARNING, buffer->offset,
                         "buffer '%s' has other attributes next to its indices, which many readers "
                         "take for a tight array",
                         name.text);
    if (facet_bga_base_size(cell->base) == 2 && v->count > 65536)
        facet_report_add(report, "BGA-CELL-WIDTH", FACET_SEVERITY_NOTE, cell->offset,
                         "the indices of buffer '%s' have 16 bits, but there are %" PRIu64
                         " vertices",
                         name.text, v->count);
}

/* The cells in place, if they are usable there; else NULL. */
static const uint32_t *cells_in_place(const facet_bga *bga, const facet_bga_attribute *cell)
{
    bool fits = facet_bga_is_host_order(bga) && facet_bga_base_size(cell->base) == 4 &&
                cell->stride == (uint64_t)cell->components * 4 &&
                (uintptr_t)cell->data % sizeof(uint32_t) == 0;
    return fits ? (const uint32_t *)(const void *)cell->data : NULL;
}

typedef struct cell_job {
    const facet_bga *bga;
    const facet_bga_vertices *vertices;
    cell_check checks[MAX_PIECES];
} cell_job;

static void check_cell_piece(void *argument, size_t piece)
{
    cell_job *job = argument;
    cell_check *check = &job->checks[piece];
    const facet_bga_attribute *cell = check->cell;
    const facet_bga_vertices *v = job->vertices;
    uint32_t corners = cell->components;
    uint32_t tile[FACET_BGA_TILE / sizeof(uint32_t)];
    uint64_t space = sizeof tile / sizeof *tile / corners;
    uint64_t size = piece_size(cell->count), begin = piece * size,
             end = cell->count - begin < size ? cell->count : begin + size;
    const uint32_t *in_place = cells_in_place(job->bga, cell);
    for (uint64_t first = begin; first < end; first += space) {
        size_t count = (size_t)(end - first < space ? end - first : space);
        const uint32_t *cells = in_place ? in_place + first * corners : tile;
        if (!in_place)
            facet_bga_read_values(job->bga, cell, first, count, FACET_BGA_BASE_UINT32, tile);
        for (size_t i = 0; i < count;) {
            if (corners == 3 && v->normals)
                i += facet_bga_good_triangles(v, cells + i * 3, count - i);
            for (size_t few = i + 8; i < few && i < count; i++)
                check_cell(check, v, first + i, cells + i * corners, corners);
        }
    }
}

static void check_cells(const facet_bga *bga, const facet_bga_attribute *cell,
                        const facet_bga_vertices *v, const facet_options *options,
                        facet_report *report)
{
    cell_job job = {.bga = bga, .vertices = v};
    size_t pieces = piece_count(cell->count);
    for (size_t i = 0; i < MAX_PIECES; i++)
        job.checks[i].cell = cell;
    facet_run(options, check_cell_piece, &job, pieces);
    cell_check *all = &job.checks[0];
    for (size_t i = 1; i < pieces; i++) {
        const cell_check *later = &job.checks[i];
        facet_tally_add(&all->range, &later->range);
        facet_tally_add(&all->degenerate, &later->degenerate);
        facet_tally_add(&all->winding, &later->winding);
    }
    report_cells(bga, all, v, report);
}

/* -- Vertices and cells ------------------------------------------------ */

/* The values of an attribute with three floats per vertex; NULL for others. */
static const uint8_t *find_vectors(const facet_bga *bga, const char *name, size_t *stride)
{
    const facet_bga_attribute *attribute = find_of_vertex(bga, name);
    if (!attribute || attribute->base != FACET_BGA_BASE_FLOAT32 || attribute->components != 3 ||
        attribute->count == 0)
        return NULL;
    *stride = (size_t)attribute->stride;
    return attribute->data;
}

static facet_status find_vertices(const facet_bga *bga, facet_arena *arena, facet_bga_vertices *v,
                                  facet_error *error)
{
    const facet_bga_buffer *buffer = facet_bga_find_buffer(bga, "vertex");
    memset(v, 0, sizeof *v);
    v->count = buffer->count;
    if (buffer->attribute_count == 0 || buffer->count == 0)
        return FACET_OK;
    v->used = facet_arena_allocate_zeroed(arena, (size_t)buffer->count, sizeof *v->used);
    if (!v->used)
        return facet_fail_arena(arena, error);
    v->normals = find_vectors(bga, "normal", &v->normal_stride);
    if (v->normals)
        v->positions = find_vectors(bga, "position", &v->position_stride);
    if (!v->positions)
        v->normals = NULL;
    v->swapped = !facet_bga_is_host_order(bga);
    return FACET_OK;
}

static void check_unused(const facet_bga *bga, const facet_bga_vertices *v, facet_report *report)
{
    facet_tally unused = {0};
    for (uint64_t i = 0, end; v->used && i < v->count; i = end) {
        uint32_t all = 1;
        end = v->count - i < 256 ? v->count : i + 256;
        for (uint64_t k = i; k < end; k++)
            all &= atomic_load_explicit(&v->used[k], memory_order_relaxed);
        for (uint64_t k = i; k < end && !all; k++) {
            if (!v->used[k])
                facet_tally_hit(&unused, k);
        }
    }
    const facet_bga_buffer *buffer = facet_bga_find_buffer(bga, "vertex");
    facet_report_add_tally_where(
        report, "BGA-VERTEX-UNUSED", FACET_SEVERITY_NOTE,
        facet_where_vertex(buffer->offset + unused.first * buffer->stride, unused.first), &unused,
        "vertex %" PRIu64 " is used by no cell", unused.first);
}

static facet_status check_all_cells(const facet_bga *bga, const facet_options *options,
                                    facet_arena *arena, facet_report *report, facet_error *error)
{
    const facet_bga_buffer *vertex = facet_bga_find_buffer(bga, "vertex");
    facet_bga_vertices v;
    facet_status status = vertex ? find_vertices(bga, arena, &v, error) : FACET_OK;
    bool any = false, any_surface = false;
    for (uint32_t i = 0; i < bga->buffer_count && !status; i++) {
        for (uint32_t corners = 1; corners <= 4; corners++) {
            const facet_bga_attribute *cell;
            if (!facet_bga_is_cells(bga, &bga->buffers[i], corners, &cell))
                continue;
            any |= cell->count > 0;
            any_surface |= corners > 1;
            if (vertex)
                check_cells(bga, cell, &v, options, report);
        }
    }
    if (status)
        return status;
    if (any && vertex)
        check_unused(bga, &v, report);
    const facet_bga_attribute *position = facet_bga_find(bga, "vertex", "position");
    if (!any && position && position->count > 0)
        facet_report_add(report, "BGA-CELL-MISSING", FACET_SEVERITY_NOTE, position->offset,
                         "the file has no cells: its %" PRIu64 " %s", position->count,
                         facet_plural(position->count, "vertex is a point", "vertices are points"));
    if (any_surface && !facet_bga_find(bga, "vertex", "position"))
        facet_report_add(report, "BGA-VERTEX-MISSING", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "there are cells, but no vertex.position");
    return FACET_OK;
}

/* -- All checks -------------------------------------------------------- */

facet_status facet_bga_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = FACET_OK;
    facet_bga *bga = facet_arena_allocate(arena, 1, sizeof *bga); /* 28 KB: too large for a stack */
    if (!bga)
        return facet_arena_abandon(arena, error);
    facet_bga_listener listener = {hear, report};
    facet_bga_parse(source->data, source->size, NULL, &listener, bga, NULL);
    if (bga->header_size > 0) {
        facet_bga_remark(bga, report);
        check_header_bytes(bga, report);
        for (uint32_t i = 0; i < bga->buffer_count; i++)
            check_reserved(bga->buffers[i].name, bga->buffers[i].name_length, report);
        for (uint32_t i = 0; i < bga->attribute_count; i++)
            check_attribute(bga, &bga->attributes[i], report);
        check_padding(bga, report);
        for (uint32_t i = 0; i < bga->buffer_count && !status; i++)
            status = check_floats(bga, &bga->buffers[i], options, arena, report, error);
        if (!status)
            status = facet_step(options, "check", 0.5, error);
        if (!status)
            status = check_all_cells(bga, options, arena, report, error);
    }
    facet_arena_free(arena);
    return status;
}
