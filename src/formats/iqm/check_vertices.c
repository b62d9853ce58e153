/* formats/iqm/check_vertices.c - the rules of the values of vertices. */
#include "formats/iqm/check.h"

#include <inttypes.h>
#include <math.h>

/* An array whose vertices are read one after the other, by blocks. */
enum { BLOCK_VALUES = 512 };

typedef struct array_cursor {
    facet_iqm_array array;
    uint32_t component;
    const uint8_t *at;  /* the values after the block */
    uint64_t remaining; /* their number */
    uint64_t offset;    /* of the array in the file */
    double values[BLOCK_VALUES];
    size_t next, count; /* in the block */
} array_cursor;

static bool open_cursor(const facet_iqm_checker *c, uint32_t type, array_cursor *cursor)
{
    if (!facet_iqm_find_array(&c->layout, type, &cursor->array))
        return false;
    cursor->component = facet_iqm_component_size(cursor->array.format);
    cursor->at = cursor->array.data;
    cursor->remaining = (uint64_t)c->layout.vertex_count * cursor->array.size;
    cursor->offset = cursor->array.offset;
    cursor->next = cursor->count = 0;
    return true;
}

static void load_block(array_cursor *cursor)
{
    cursor->next = 0;
    cursor->count =
        cursor->remaining < BLOCK_VALUES ? (size_t)cursor->remaining : (size_t)BLOCK_VALUES;
    facet_iqm_components(cursor->at, cursor->array.format, true, cursor->values, cursor->count);
    cursor->at += cursor->count * cursor->component;
    cursor->remaining -= cursor->count;
}

static double next_value(array_cursor *cursor)
{
    if (cursor->next == cursor->count)
        load_block(cursor);
    return cursor->values[cursor->next++];
}

/* The square of the length of the first three components of the next vertex; *last is the fourth,
 * or 1. */
static double next_square(array_cursor *cursor, double *last)
{
    double sum = 0;
    *last = 1;
    for (uint32_t k = 0; k < cursor->array.size; k++) {
        double value = next_value(cursor);
        if (k < 3)
            sum += value * value;
        else if (k == 3)
            *last = value;
    }
    return sum;
}

/* True when a sum with a number that is not finite is not finite. */
static bool all_finite(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i] * 0;
    return sum == 0;
}

static void check_numbers(facet_iqm_checker *c, uint32_t index)
{
    facet_iqm_array array;
    facet_tally bad = {0, 0};
    facet_iqm_load_array(&c->layout, index, &array);
    if (array.format < FACET_IQM_FLOAT16)
        return;
    double values[BLOCK_VALUES];
    uint32_t component = facet_iqm_component_size(array.format);
    uint64_t total = (uint64_t)c->layout.vertex_count * array.size;
    for (uint64_t first = 0; first < total; first += BLOCK_VALUES) {
        size_t count = total - first < BLOCK_VALUES ? (size_t)(total - first) : BLOCK_VALUES;
        facet_iqm_components((const uint8_t *)array.data + first * component, array.format, false,
                             values, count);
        if (all_finite(values, count))
            continue;
        for (size_t i = 0; i < count; i++) {
            if (!isfinite(values[i]))
                facet_tally_hit(&bad, array.offset + (first + i) * component);
        }
    }
    facet_report_add_tally(c->report, "IQM-FLOAT-NONFINITE", FACET_SEVERITY_ERROR, bad.first, &bad,
                           "a number of vertex array %" PRIu32 " is infinite or NaN", index);
}

/* Unit vectors are stored with 8 bits or more. */
#define LENGTH_TOLERANCE 1e-2

static void check_directions(facet_iqm_checker *c, uint32_t type)
{
    array_cursor cursor;
    facet_tally lengths = {0, 0}, hands = {0, 0};
    bool tangents = type == FACET_IQM_TANGENT;
    if (!open_cursor(c, type, &cursor))
        return;
    for (uint32_t v = 0; v < c->layout.vertex_count; v++) {
        double hand, square = next_square(&cursor, &hand);
        if (!(fabs(sqrt(square) - 1) <= LENGTH_TOLERANCE))
            facet_tally_hit(&lengths, v);
        if (hand != 1 && hand != -1)
            facet_tally_hit(&hands, v);
    }
    facet_report_add_tally_where(c->report, tangents ? "IQM-TANGENT-LENGTH" : "IQM-NORMAL-LENGTH",
                                 FACET_SEVERITY_WARNING,
                                 facet_where_vertex(cursor.offset, lengths.first), &lengths,
                                 "the %s of vertex %" PRIu64 " does not have length 1",
                                 tangents ? "tangent" : "normal", lengths.first);
    if (tangents)
        facet_report_add_tally_where(c->report, "IQM-TANGENT-HAND", FACET_SEVERITY_WARNING,
                                     facet_where_vertex(cursor.offset, hands.first), &hands,
                                     "w of the tangent of vertex %" PRIu64 " is not 1 or -1",
                                     hands.first);
}

/* Integer weights have no rounding: 255 of 8 bits is the whole. */
static void check_weights(facet_iqm_checker *c)
{
    array_cursor cursor;
    facet_tally sums = {0, 0}, zeros = {0, 0};
    if (c->layout.count[FACET_IQM_JOINTS] == 0 || !open_cursor(c, FACET_IQM_BLEND_WEIGHTS, &cursor))
        return;
    double tolerance = cursor.array.format < FACET_IQM_FLOAT16 ? 1e-9 : 1e-3;
    for (uint32_t v = 0; v < c->layout.vertex_count; v++) {
        double sum = 0;
        for (uint32_t k = 0; k < cursor.array.size; k++)
            sum += next_value(&cursor);
        if (sum == 0)
            facet_tally_hit(&zeros, v);
        else if (!(fabs(sum - 1) <= tolerance))
            facet_tally_hit(&sums, v);
    }
    facet_report_add_tally_where(c->report, "IQM-WEIGHT-SUM", FACET_SEVERITY_WARNING,
                                 facet_where_vertex(cursor.offset, sums.first), &sums,
                                 "the weights of vertex %" PRIu64 " do not have the sum 1",
                                 sums.first);
    facet_report_add_tally_where(c->report, "IQM-WEIGHT-ZERO", FACET_SEVERITY_WARNING,
                                 facet_where_vertex(cursor.offset, zeros.first), &zeros,
                                 "the weights of vertex %" PRIu64 " are all 0", zeros.first);
}

facet_status facet_iqm_check_vertices(facet_iqm_checker *c)
{
    if (!c->whole[FACET_IQM_PART_ARRAYS])
        return FACET_OK;
    for (uint32_t i = 0; i < c->layout.count[FACET_IQM_ARRAYS]; i++)
        check_numbers(c, i);
    check_directions(c, FACET_IQM_NORMAL);
    check_directions(c, FACET_IQM_TANGENT);
    check_weights(c);
    return FACET_OK;
}
