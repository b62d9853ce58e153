/* formats/ply/binary.c - binary records.
 *
 * In nearly all elements, the records have one size. Then the properties point into the file's
 * bytes. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/ply/ply.h"

#include <inttypes.h>
#include <string.h>

typedef struct reader {
    facet_ply_body *body;
    facet_arena *arena;
    facet_ply_element *element;
    const uint8_t *start; /* first record */
    uint64_t left;        /* remaining bytes from there */
    bool big;
} reader;

static uint64_t count_at(const reader *r, const uint8_t *at, facet_ply_type type, bool *negative)
{
    switch (facet_ply_type_size(type)) {
    case 1:
        *negative = type == FACET_PLY_INT8 && *at >> 7;
        return *at;
    case 2: {
        uint16_t count = r->big ? facet_load_u16be(at) : facet_load_u16le(at);
        *negative = type == FACET_PLY_INT16 && count >> 15;
        return count;
    }
    default: {
        uint32_t count = r->big ? facet_load_u32be(at) : facet_load_u32le(at);
        *negative = type == FACET_PLY_INT32 && count >> 31;
        return count;
    }
    }
}

static facet_status fail_negative(const reader *r, const facet_ply_property *p, const uint8_t *at)
{
    facet_quoted quoted;
    return facet_fail(r->body->error, FACET_ERROR_MALFORMED, "PLY-LIST",
                      (uint64_t)(at - r->body->source->data), "a list '%s' has a negative length",
                      facet_quote(&quoted, p->name, strlen(p->name)));
}

/* -- Records of one size ------------------------------------------------ */

/* Compute the positions of properties from the first record. *size becomes its size. False if it
 * does not fit. */
static bool place_first(const reader *r, uint64_t *size)
{
    uint64_t at = 0;
    for (uint32_t i = 0; i < r->element->property_count; i++) {
        facet_ply_property *p = &r->element->properties[i];
        if (p->is_list) {
            size_t count_size = facet_ply_type_size(p->count_type);
            bool negative;
            if (!facet_range_fits(at, 1, count_size, r->left))
                return false;
            p->length = (uint32_t)count_at(r, r->start + at, p->count_type, &negative);
            if (negative)
                return false;
            at += count_size;
        }
        if (!facet_range_fits(at, p->length, facet_ply_type_size(p->type), r->left))
            return false;
        p->data = r->start + at;
        at += (uint64_t)p->length * facet_ply_type_size(p->type);
    }
    *size = at;
    return true;
}

/* True if every record has the list lengths of the first. */
static bool are_equal(const reader *r, uint64_t size)
{
    for (uint32_t i = 0; i < r->element->property_count; i++) {
        const facet_ply_property *p = &r->element->properties[i];
        if (!p->is_list)
            continue;
        size_t count_size = facet_ply_type_size(p->count_type);
        const uint8_t *first = p->data - count_size, *at = first + size;
        for (uint32_t k = 1; k < r->element->count; k++, at += size) {
            if (*at != *first || memcmp(at, first, count_size) != 0)
                return false;
        }
    }
    return true;
}

/* -- Records of many sizes ---------------------------------------------- */

/* Iterate over the records; the offsets of lists must be filled. */
/* Records between two progress calls. */
#define STEP 65536

/* Process the next record in one of two passes: `walk` is 0 or 1. */
static facet_status count_record(const reader *r, uint32_t record, int walk)
{
    if (record % STEP != 0)
        return FACET_OK;
    double share = ((double)record / r->element->count + walk) / 2;
    const facet_source *source = r->body->source;
    double begin = (double)r->body->position / (double)source->size;
    return facet_step(r->body->options, "read", begin + (1 - begin) * share, r->body->error);
}

static facet_status measure(const reader *r, uint32_t *const *offsets, uint64_t *size)
{
    const facet_ply_element *element = r->element;
    uint64_t at = 0;
    for (uint32_t record = 0; record < element->count; record++) {
        TRY(count_record(r, record, 0));
        for (uint32_t i = 0; i < element->property_count; i++) {
            const facet_ply_property *p = &element->properties[i];
            uint64_t length = 1;
            if (p->is_list) {
                bool negative = false;
                size_t count_size = facet_ply_type_size(p->count_type);
                if (!facet_range_fits(at, 1, count_size, r->left))
                    return facet_ply_too_short(r->body, element);
                length = count_at(r, r->start + at, p->count_type, &negative);
                if (negative)
                    return fail_negative(r, p, r->start + at);
                at += count_size;
            }
            if (!facet_range_fits(at, length, facet_ply_type_size(p->type), r->left))
                return facet_ply_too_short(r->body, element);
            at += length * facet_ply_type_size(p->type);
            if (!p->is_list)
                continue;
            if (length > UINT32_MAX - offsets[i][record])
                return facet_fail(r->body->error, FACET_ERROR_LIMIT, "PLY-LIMIT",
                                  (uint64_t)(r->start - r->body->source->data) + at,
                                  "lists have more than %" PRIu32 " values", UINT32_MAX);
            offsets[i][record + 1] = offsets[i][record] + (uint32_t)length;
        }
    }
    *size = at;
    return FACET_OK;
}

static facet_status copy_records(const reader *r, uint32_t *const *offsets, uint8_t *const *columns)
{
    const facet_ply_element *element = r->element;
    const uint8_t *at = r->start;
    facet_status status = FACET_OK;
    for (uint32_t record = 0; record < element->count && !status; record++) {
        status = count_record(r, record, 1);
        for (uint32_t i = 0; i < element->property_count; i++) {
            const facet_ply_property *p = &element->properties[i];
            size_t size = facet_ply_type_size(p->type), first = record, length = 1;
            if (p->is_list) {
                at += facet_ply_type_size(p->count_type);
                first = offsets[i][record];
                length = offsets[i][record + 1] - first;
            }
            memcpy(columns[i] + first * size, at, length * size);
            at += length * size;
        }
    }
    return status;
}

static facet_status copy_columns(const reader *r, uint32_t **offsets, uint8_t **columns,
                                 uint64_t *size)
{
    facet_ply_element *element = r->element;
    for (uint32_t i = 0; i < element->property_count; i++) {
        if (!element->properties[i].is_list)
            continue;
        offsets[i] = facet_arena_allocate(r->arena, (size_t)element->count + 1, sizeof **offsets);
        if (!offsets[i])
            return facet_fail_arena(r->arena, r->body->error);
        offsets[i][0] = 0;
    }
    TRY(measure(r, offsets, size));
    for (uint32_t i = 0; i < element->property_count; i++) {
        facet_ply_property *p = &element->properties[i];
        size_t item = facet_ply_type_size(p->type);
        uint32_t count = offsets[i] ? offsets[i][element->count] : element->count;
        columns[i] = facet_arena_allocate(r->arena, count, item);
        if (!columns[i])
            return facet_fail_arena(r->arena, r->body->error);
        p->data = columns[i];
        p->offsets = offsets[i];
        p->length = p->is_list ? 0 : 1;
        p->stride = item;
    }
    return copy_records(r, offsets, columns);
}

static facet_status read_uneven(const reader *r, uint64_t *size)
{
    uint32_t count = r->element->property_count;
    uint32_t **offsets = facet_arena_allocate_zeroed(r->arena, count, sizeof *offsets);
    uint8_t **columns = facet_arena_allocate_zeroed(r->arena, count, sizeof *columns);
    if (!offsets || !columns)
        return facet_fail_arena(r->arena, r->body->error);
    return copy_columns(r, offsets, columns, size);
}

/* -- Elements ----------------------------------------------------------- */

facet_status facet_ply_read_binary(facet_ply_body *body, facet_ply *ply, facet_ply_element *element)
{
    reader r = {.body = body,
                .arena = ply->arena,
                .element = element,
                .start = body->source->data + body->position,
                .left = body->source->size - body->position,
                .big = ply->encoding == FACET_PLY_BIG_ENDIAN};
    element->offset = body->position;
    for (uint32_t i = 0; i < element->property_count; i++)
        element->properties[i].swapped = r.big != (bool)FACET_HOST_IS_BIG_ENDIAN;
    uint64_t size = 0;
    if (element->count == 0 || element->property_count == 0)
        return FACET_OK;
    bool lists = false;
    for (uint32_t i = 0; i < element->property_count; i++)
        lists |= element->properties[i].is_list;
    if (place_first(&r, &size) && facet_range_fits(0, element->count, size, r.left) &&
        are_equal(&r, size)) {
        for (uint32_t i = 0; i < element->property_count; i++)
            element->properties[i].stride = size;
        size *= element->count;
    } else {
        facet_status status = lists ? read_uneven(&r, &size) : facet_ply_too_short(body, element);
        if (status)
            return status;
    }
    body->position += (size_t)size;
    return FACET_OK;
}
