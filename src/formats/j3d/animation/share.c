/* formats/j3d/animation/share.c - arrays of elements built like the exporters' arrays. */
#include "formats/j3d/animation/share.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_ELEMENTS 65535u

facet_j3d_sharing facet_j3d_sharing_make(facet_j3d_animation_kind kind, uint32_t component,
                                         facet_arena *arena, facet_arena *scratch)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(kind);
    facet_j3d_sharing sharing = {
        .arena = arena, .has_keys = format->has_keys, .is_plain = kind == FACET_J3D_BTP};
    uint32_t i = 0;
    while (!facet_j3d_block_is_elements(&format->blocks[i]) ||
           format->blocks[i].component != component)
        i++;
    sharing.is_real = format->blocks[i].content == FACET_J3D_BLOCK_REALS;
    sharing.least = format->blocks[i].content == FACET_J3D_BLOCK_S16 ? INT16_MIN : 0;
    sharing.most = format->blocks[i].content == FACET_J3D_BLOCK_S16  ? INT16_MAX
                   : format->blocks[i].content == FACET_J3D_BLOCK_U8 ? UINT8_MAX
                                                                     : UINT16_MAX;
    sharing.unit = 1;
    sharing.values = facet_table_make(scratch);
    sharing.runs = facet_table_make(scratch);
    return sharing;
}

/* -- Equality ----------------------------------------------------------- */

static int order_values(const void *user, uint32_t a, uint32_t b)
{
    const uint32_t *bits = ((const facet_j3d_sharing *)user)->bits;
    return (bits[a] > bits[b]) - (bits[a] < bits[b]);
}

static uint32_t size_of(const facet_j3d_sharing *sharing, const facet_j3d_track *track)
{
    if (!sharing->has_keys || track->count <= 1)
        return track->count;
    return track->count * facet_j3d_key_size(track);
}

static int order_runs(const void *user, uint32_t a, uint32_t b)
{
    const facet_j3d_sharing *sharing = user;
    const facet_j3d_track *left = &sharing->tracks[a], *right = &sharing->tracks[b];
    uint32_t size = size_of(sharing, left), other = size_of(sharing, right);
    if (size != other || left->type != right->type)
        return size != other ? (size > other) - (size < other)
                             : (left->type > right->type) - (left->type < right->type);
    return memcmp(sharing->bits + left->first, sharing->bits + right->first,
                  size * sizeof *sharing->bits);
}

static uint32_t hash_of(const uint32_t *bits, uint32_t count)
{
    return facet_hash_bytes(bits, count * sizeof *bits);
}

/* -- Insertion ---------------------------------------------------------- */

static bool reserve(facet_j3d_sharing *sharing, uint32_t count)
{
    if (count > sharing->capacity) {
        uint32_t capacity = count > sharing->capacity * 2 ? count : sharing->capacity * 2;
        uint32_t *bits = facet_arena_resize(sharing->values.arena, sharing->bits, sharing->capacity,
                                            capacity, sizeof *bits);
        if (!bits)
            return false;
        sharing->bits = bits;
        sharing->capacity = capacity;
    }
    return FACET_GROW(sharing->values.arena, sharing->tracks, sharing->track_count,
                      sharing->track_capacity);
}

/* Append elements after the valid ones. */
static facet_status append(facet_j3d_sharing *sharing, const double *elements, uint32_t size,
                           facet_error *error)
{
    if (!reserve(sharing, sharing->count + size))
        return facet_fail_arena(sharing->values.arena, error);
    for (uint32_t i = 0; i < size; i++) {
        double value = sharing->is_real ? elements[i] : nearbyint(elements[i]);
        if (sharing->is_real) {
            sharing->bits[sharing->count + i] = facet_bits_of_float((float)value);
            if (isfinite((float)value))
                continue;
        } else if (value >= sharing->least && value <= sharing->most) {
            sharing->bits[sharing->count + i] = (uint32_t)(int32_t)value;
            continue;
        }
        if (sharing->is_real)
            return facet_fail(error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                              "the number %g does not fit where the format has floats", value);
        return facet_fail(error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                          "the number %.6g does not fit where the format has %.6g to %.6g",
                          value * sharing->unit, sharing->least * sharing->unit,
                          sharing->most * sharing->unit);
    }
    return FACET_OK;
}

/* Let later tracks share the values just appended. */
static bool note_values(facet_j3d_sharing *sharing, const facet_j3d_track *track)
{
    bool keyed = sharing->has_keys && track->count > 1;
    uint32_t step = keyed ? facet_j3d_key_size(track) : 1;
    for (uint32_t i = 0; i < track->count; i++) {
        uint32_t at = track->first + i * step + keyed;
        if (facet_table_put(&sharing->values, hash_of(sharing->bits + at, 1), at, order_values,
                            sharing) == UINT32_MAX)
            return false;
    }
    return true;
}

/* The position of an equal constant or run, else of the one just appended; UINT32_MAX if out of
 * memory. */
static uint32_t place_of(facet_j3d_sharing *sharing, const facet_j3d_track *track, uint32_t size)
{
    uint32_t hash = hash_of(sharing->bits + track->first, size);
    if (sharing->is_plain)
        return track->first;
    if (track->count == 1) {
        uint32_t found =
            facet_table_find(&sharing->values, hash, track->first, order_values, sharing);
        return found == UINT32_MAX ? track->first : found;
    }
    uint32_t candidate = sharing->track_count;
    sharing->tracks[candidate] = *track;
    uint32_t run = facet_table_put(&sharing->runs, hash, candidate, order_runs, sharing);
    if (run == candidate)
        sharing->track_count++;
    return run == UINT32_MAX ? UINT32_MAX : sharing->tracks[run].first;
}

facet_status facet_j3d_sharing_put(facet_j3d_sharing *sharing, const double *elements,
                                   uint32_t count, uint16_t type, facet_j3d_track *track,
                                   facet_error *error)
{
    if (count > MAX_ELEMENTS)
        return facet_fail(error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                          "a track has more than 65,535 keys");
    *track = (facet_j3d_track){(uint16_t)count, 0, type};
    if (count == 0)
        return FACET_OK;
    facet_j3d_track tail = *track;
    uint32_t size = size_of(sharing, track), place;
    TRY(append(sharing, elements, size, error));
    /* Elements can begin beyond the last position that a track can store, if no track refers to
     * them. */
    uint32_t end = sharing->count;
    tail.first = (uint16_t)end;
    place = end <= UINT16_MAX ? place_of(sharing, &tail, size) : UINT32_MAX - 1;
    if (place == UINT32_MAX)
        return facet_fail_arena(sharing->values.arena, error);
    if (place == end && end + size <= MAX_ELEMENTS) {
        sharing->count += size;
        if (!note_values(sharing, &tail))
            return facet_fail_arena(sharing->values.arena, error);
    } else if (place >= end) {
        return facet_fail(error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                          "an array would have more than 65,535 elements");
    }
    track->first = (uint16_t)place;
    return FACET_OK;
}

facet_status facet_j3d_sharing_end(facet_j3d_sharing *sharing, facet_j3d_elements *elements,
                                   facet_error *error)
{
    uint32_t count = sharing->count;
    void *made = facet_arena_allocate(sharing->arena, count, sizeof *sharing->bits);
    if (!made)
        return facet_fail_arena(sharing->arena, error);
    if (count > 0)
        memcpy(made, sharing->bits, count * sizeof *sharing->bits);
    *elements = (facet_j3d_elements){.count = count};
    if (sharing->is_real)
        elements->reals = made;
    else
        elements->integers = made;
    return FACET_OK;
}

facet_status facet_j3d_sharing_name(facet_status status, facet_error *error, const char *format,
                                    ...)
{
    char whose[200];
    if (status != FACET_ERROR_LIMIT || !error || strcmp(error->rule, "J3D-LIMIT") != 0)
        return status;
    facet_error before = *error;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(whose, sizeof whose, format, arguments);
    va_end(arguments);
    return facet_fail(error, status, "J3D-LIMIT", FACET_NO_OFFSET, "%s: %s", whose, before.message);
}
