/* formats/iqm/check_vertices.c - the rules for the values of vertices. */
#include "base/threads.h"
#include "formats/iqm/check.h"

#include <inttypes.h>
#include <math.h>

/* Sizes for reading: values per block, and minimum number of vertices per thread. */
enum { BLOCK_VALUES = 512, PART_VERTICES = 32768 };

typedef struct array_cursor {
    facet_iqm_array array;
    uint32_t component;
    const uint8_t *at;  /* the values after the block */
    uint64_t remaining; /* their number */
    double values[BLOCK_VALUES];
    size_t next, count; /* next value of the block, and their number */
} array_cursor;

/* Open a cursor for the vertices from `first` to `end` (exclusive). */
static array_cursor open_cursor(const facet_iqm_array *array, size_t first, size_t end)
{
    array_cursor cursor = {.array = *array, .component = facet_iqm_component_size(array->format)};
    cursor.at = (const uint8_t *)array->data + first * array->size * cursor.component;
    cursor.remaining = (uint64_t)(end - first) * array->size;
    return cursor;
}

/* Load a block of whole vertices, if one fits. */
static void load_block(array_cursor *cursor)
{
    size_t space = cursor->array.size < BLOCK_VALUES
                       ? BLOCK_VALUES - BLOCK_VALUES % cursor->array.size
                       : BLOCK_VALUES;
    cursor->next = 0;
    cursor->count = cursor->remaining < space ? (size_t)cursor->remaining : space;
    facet_iqm_components(cursor->at, cursor->array.format, true, cursor->values, cursor->count);
    cursor->at += cursor->count * cursor->component;
    cursor->remaining -= cursor->count;
}

/* True if the vertices of a block are certainly valid. Without a branch per vertex. */
typedef bool block_test(const double *values, uint32_t size, size_t count);

/* Skip all valid blocks from here. Returns the number of their vertices. */
static uint32_t pass_good(array_cursor *cursor, block_test *is_good)
{
    uint32_t passed = 0;
    while (cursor->next == cursor->count && cursor->remaining > 0) {
        load_block(cursor);
        if (!is_good(cursor->values, cursor->array.size, cursor->count))
            break;
        cursor->next = cursor->count;
        passed += (uint32_t)(cursor->count / cursor->array.size);
    }
    return passed;
}

static double next_value(array_cursor *cursor)
{
    if (cursor->next == cursor->count)
        load_block(cursor);
    return cursor->values[cursor->next++];
}

/* Squared length of the first three components of the next vertex. *last becomes the fourth, or
 * 1. */
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

/* True if all values are finite: an infinity or NaN makes the sum so. */
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

/* Unit vectors can be stored with 8 bits. */
#define LENGTH_TOLERANCE 1e-2

/* Bounds of squared lengths that are certainly within the tolerance. */
#define MIN_SQUARE 0.981
#define MAX_SQUARE 1.019

/* Check of the vertices of an array, with the findings of each part. */
typedef struct vertex_job {
    facet_iqm_array array;
    facet_tally found[FACET_MAX_PARTS][2]; /* counted by vertex */
} vertex_job;

/* Check all vertices of an array. found[0] becomes the total. */
static bool look_at(const facet_iqm_checker *c, uint32_t type, facet_part_task task,
                    vertex_job *job)
{
    if (!facet_iqm_find_array(&c->layout, type, &job->array))
        return false;
    size_t parts = facet_run_parts(c->options, task, job, c->layout.vertex_count, PART_VERTICES);
    for (size_t part = 1; part < parts; part++) {
        for (int k = 0; k < 2; k++)
            facet_tally_add(&job->found[0][k], &job->found[part][k]);
    }
    return true;
}

static bool are_directions(const double *values, uint32_t size, size_t count)
{
    unsigned bad = 0;
    if (size != 3 && size != 4)
        return false;
    for (size_t i = 0; i + 3 <= count; i += size) {
        const double *v = values + i;
        double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        bad |= (unsigned)!(square >= MIN_SQUARE) | (unsigned)!(square <= MAX_SQUARE);
        bad |= (unsigned)(fabs(size == 4 ? v[3] : 1) != 1);
    }
    return bad == 0;
}

static void look_at_directions(void *argument, size_t part, size_t first, size_t end)
{
    vertex_job *job = argument;
    array_cursor cursor = open_cursor(&job->array, first, end);
    facet_tally lengths = {0, 0}, hands = {0, 0};
    for (size_t v = first; (v += pass_good(&cursor, are_directions)) < end; v++) {
        double hand, square = next_square(&cursor, &hand);
        if (!(fabs(sqrt(square) - 1) <= LENGTH_TOLERANCE))
            facet_tally_hit(&lengths, v);
        if (hand != 1 && hand != -1)
            facet_tally_hit(&hands, v);
    }
    job->found[part][0] = lengths;
    job->found[part][1] = hands;
}

static void check_directions(facet_iqm_checker *c, uint32_t type)
{
    bool tangents = type == FACET_IQM_TANGENT;
    vertex_job job = {.found = {{{0, 0}}}};
    if (!look_at(c, type, look_at_directions, &job))
        return;
    const facet_tally *lengths = &job.found[0][0], *hands = &job.found[0][1];
    facet_report_add_tally_where(c->report, tangents ? "IQM-TANGENT-LENGTH" : "IQM-NORMAL-LENGTH",
                                 FACET_SEVERITY_WARNING,
                                 facet_where_vertex(job.array.offset, lengths->first), lengths,
                                 "the %s of vertex %" PRIu64 " does not have length 1",
                                 tangents ? "tangent" : "normal", lengths->first);
    if (tangents)
        facet_report_add_tally_where(c->report, "IQM-TANGENT-HAND", FACET_SEVERITY_WARNING,
                                     facet_where_vertex(job.array.offset, hands->first), hands,
                                     "w of the tangent of vertex %" PRIu64 " is not 1 or -1",
                                     hands->first);
}

/* Tolerance for integers: they are exact, and the sum of 8-bit weights is 255. */
#define WHOLE_TOLERANCE 1e-9

static bool are_weights(const double *values, uint32_t size, size_t count)
{
    unsigned bad = 0;
    if (size != 4)
        return false;
    for (size_t i = 0; i + 4 <= count; i += 4) {
        double sum = values[i] + values[i + 1] + values[i + 2] + values[i + 3];
        bad |= (unsigned)!(fabs(sum - 1) <= WHOLE_TOLERANCE);
    }
    return bad == 0;
}

static void look_at_weights(void *argument, size_t part, size_t first, size_t end)
{
    vertex_job *job = argument;
    array_cursor cursor = open_cursor(&job->array, first, end);
    double tolerance = job->array.format < FACET_IQM_FLOAT16 ? WHOLE_TOLERANCE : 1e-3;
    facet_tally sums = {0, 0}, zeros = {0, 0};
    for (size_t v = first; (v += pass_good(&cursor, are_weights)) < end; v++) {
        double sum = 0;
        for (uint32_t k = 0; k < cursor.array.size; k++)
            sum += next_value(&cursor);
        if (sum == 0)
            facet_tally_hit(&zeros, v);
        else if (!(fabs(sum - 1) <= tolerance))
            facet_tally_hit(&sums, v);
    }
    job->found[part][0] = sums;
    job->found[part][1] = zeros;
}

static void check_weights(facet_iqm_checker *c)
{
    vertex_job job = {.found = {{{0, 0}}}};
    if (c->layout.count[FACET_IQM_JOINTS] == 0 ||
        !look_at(c, FACET_IQM_BLEND_WEIGHTS, look_at_weights, &job))
        return;
    const facet_tally *sums = &job.found[0][0], *zeros = &job.found[0][1];
    facet_report_add_tally_where(c->report, "IQM-WEIGHT-SUM", FACET_SEVERITY_WARNING,
                                 facet_where_vertex(job.array.offset, sums->first), sums,
                                 "the weights of vertex %" PRIu64 " do not have the sum 1",
                                 sums->first);
    facet_report_add_tally_where(c->report, "IQM-WEIGHT-ZERO", FACET_SEVERITY_WARNING,
                                 facet_where_vertex(job.array.offset, zeros->first), zeros,
                                 "the weights of vertex %" PRIu64 " are all 0", zeros->first);
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
