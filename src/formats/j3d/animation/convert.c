/* formats/j3d/animation/convert.c - keys to values per frame, and back. */
#include "formats/j3d/animation/fit.h"
#include "formats/j3d/animation/share.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

typedef struct converter {
    const facet_j3d_animation *from;
    facet_j3d_animation *to;
    facet_arena *scratch;
    double tolerance;
    double *samples, *elements; /* one and four per frame */
    uint32_t capacity;
    uint32_t shift; /* shift of angles */
    facet_error *error;
} converter;

static facet_j3d_animation_kind other_kind(facet_j3d_animation_kind kind)
{
    switch (kind) {
    case FACET_J3D_BCK:
        return FACET_J3D_BCA;
    case FACET_J3D_BCA:
        return FACET_J3D_BCK;
    case FACET_J3D_BPK:
        return FACET_J3D_BPA;
    case FACET_J3D_BPA:
        return FACET_J3D_BPK;
    case FACET_J3D_BLK:
        return FACET_J3D_BLA;
    case FACET_J3D_BLA:
        return FACET_J3D_BLK;
    case FACET_J3D_BXK:
        return FACET_J3D_BXA;
    case FACET_J3D_BXA:
        return FACET_J3D_BXK;
    default:
        return kind;
    }
}

/* -- Samples ------------------------------------------------------------ */

static bool is_angle(const converter *c, uint32_t component)
{
    return component == 1 && (c->from->kind == FACET_J3D_BCK || c->from->kind == FACET_J3D_BCA);
}

/* Sample a track with keys at whole frames, rounded as on a console. */
static uint32_t sample_keys(const converter *c, uint32_t s, uint32_t index, uint32_t component)
{
    const facet_j3d_animation *from = c->from;
    const facet_j3d_track *track = &from->sets[s].tracks[index];
    uint32_t count = track->count <= 1 ? 1 : (uint32_t)(from->frames > 0 ? from->frames : 0) + 1;
    bool color = facet_j3d_animation_format_of(from->kind)->tracks == 4;
    for (uint32_t i = 0; i < count; i++) {
        double value = facet_j3d_animation_curve(from, s, index, i, NULL);
        if (color)
            value = value < 0 ? 0 : value > 255 ? 255 : trunc(value);
        if (is_angle(c, component)) { /* 16 bits, as on the console */
            uint32_t shift = from->rotation_shift > 15 ? 16 : from->rotation_shift;
            double whole = trunc(fmin(fmax(value, INT32_MIN), INT32_MAX));
            value = (int16_t)(uint16_t)(((uint32_t)(int32_t)whole << shift) & 0xFFFF);
        }
        c->samples[i] = value;
    }
    return count;
}

/* Copy the values per frame; angles use the shorter arc between frames. */
static uint32_t sample_values(const converter *c, uint32_t s, uint32_t index, uint32_t component)
{
    const facet_j3d_track *track = &c->from->sets[s].tracks[index];
    double before = 0, turns = 0;
    for (uint32_t i = 0; i < track->count; i++) {
        double value = facet_j3d_animation_curve(c->from, s, index, i, NULL);
        if (i > 0 && is_angle(c, component))
            turns += value - before > 0x8000 ? -0x10000 : value - before < -0x8000 ? 0x10000 : 0;
        before = value;
        c->samples[i] = value + turns;
    }
    return track->count;
}

static uint32_t sample(const converter *c, uint32_t s, uint32_t index, uint32_t component)
{
    return facet_j3d_animation_has_keys(c->from->kind) ? sample_keys(c, s, index, component)
                                                       : sample_values(c, s, index, component);
}

/* -- Tracks ------------------------------------------------------------- */

/* The number of bits that fits every angle. */
static uint32_t find_shift(const converter *c)
{
    const facet_j3d_animation_set *set = &c->from->sets[0];
    double most = 0;
    for (uint32_t i = 0; i < set->count * 9 && c->to->kind == FACET_J3D_BCK; i++) {
        uint32_t count = i % 3 == 1 ? sample(c, 0, i, 1) : 0;
        for (uint32_t k = 0; k < count; k++)
            most = fmax(most, fabs(c->samples[k]));
    }
    uint32_t shift = (uint32_t)most >> 15;
    return shift > 15 ? 15 : shift;
}

static facet_status convert_track(const converter *c, facet_j3d_sharing *sharing, uint32_t s,
                                  uint32_t index, uint32_t component)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(c->to->kind);
    facet_j3d_track *to = &c->to->sets[s].tracks[index];
    uint32_t count = sample(c, s, index, component);
    if (!format->has_keys)
        return facet_j3d_sharing_put(sharing, c->samples, count, 0, to, c->error);
    bool angle = is_angle(c, component);
    for (uint32_t i = 0; i < count && angle; i++)
        c->samples[i] = ldexp(c->samples[i], -(int)c->shift);
    uint16_t type;
    uint32_t keys = facet_j3d_fit_keys(c->samples, count, sharing->is_real ? c->tolerance : 0,
                                       !sharing->is_real, c->elements, &type);
    if (keys == 1)
        type = format->constant_type;
    return facet_j3d_sharing_put(sharing, c->elements, keys, type, to, c->error);
}

static facet_status convert_set(const converter *c, facet_j3d_sharing *sharing, uint32_t s)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(c->to->kind);
    const facet_j3d_animation_set *from = &c->from->sets[s];
    facet_j3d_animation_set *to = &c->to->sets[s];
    uint32_t count = from->count * format->tracks;
    facet_status status = FACET_OK;
    to->count = from->count;
    to->tracks = facet_arena_allocate_zeroed(c->to->arena, count, sizeof *to->tracks);
    if (!to->tracks)
        return facet_fail_arena(c->to->arena, c->error);
    for (uint32_t i = 0; i < count && !status; i++) {
        uint32_t component = facet_j3d_component_of(format, i % format->tracks);
        status = convert_track(c, &sharing[component], s, i, component);
    }
    return status;
}

/* -- Copied parts ------------------------------------------------------- */

static bool copy_set(facet_arena *arena, const facet_j3d_animation_set *from,
                     facet_j3d_animation_set *to)
{
    bool ok =
        facet_j3d_copy_array(arena, from->names.items, from->names.count, sizeof *from->names.items,
                             &to->names.items) &&
        facet_j3d_copy_array(arena, from->remap, from->count, sizeof *from->remap, &to->remap) &&
        facet_j3d_copy_array(arena, from->color_runs, from->count, sizeof *from->color_runs,
                             &to->color_runs) &&
        facet_j3d_copy_array(arena, from->color_indices, from->color_index_count,
                             sizeof *from->color_indices, &to->color_indices);
    to->names.count = from->names.count;
    to->color_index_count = from->color_index_count;
    for (uint32_t i = 0; i < to->names.count && ok; i++) {
        const char *bytes = to->names.items[i].bytes;
        to->names.items[i].bytes = facet_arena_string(arena, bytes, strlen(bytes));
        ok = to->names.items[i].bytes != NULL;
    }
    return ok;
}

/* -- Conversion --------------------------------------------------------- */

/* Number of frames of the longest track. */
static uint32_t longest(const facet_j3d_animation *from)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(from->kind);
    uint32_t most = from->frames > 0 ? (uint32_t)from->frames + 1 : 1;
    for (uint32_t s = 0; s < format->sets && !format->has_keys; s++) {
        for (uint32_t i = 0; i < from->sets[s].count * format->tracks; i++)
            most = from->sets[s].tracks[i].count > most ? from->sets[s].tracks[i].count : most;
    }
    return most;
}

static facet_status convert(converter *c)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(c->to->kind);
    facet_j3d_sharing sharing[4];
    uint32_t components = format->tracks == 9 ? 3 : format->tracks;
    c->capacity = longest(c->from);
    c->samples = facet_arena_allocate(c->scratch, c->capacity, sizeof *c->samples);
    c->elements = facet_arena_allocate(c->scratch, c->capacity + (size_t)1, 4 * sizeof(double));
    if (!c->samples || !c->elements)
        return facet_fail_arena(c->scratch, c->error);
    c->shift = find_shift(c);
    c->to->rotation_shift = c->to->kind == FACET_J3D_BCK ? (uint8_t)c->shift : 0xFF;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < components; i++)
        sharing[i] = facet_j3d_sharing_make(c->to->kind, i, c->to->arena, c->scratch);
    for (uint32_t s = 0; s < format->sets && !status; s++) {
        if (!copy_set(c->to->arena, &c->from->sets[s], &c->to->sets[s]))
            return facet_fail_arena(c->scratch, c->error);
        status = convert_set(c, sharing, s);
    }
    for (uint32_t i = 0; i < components && !status; i++)
        status = facet_j3d_sharing_end(&sharing[i], &c->to->sets[0].elements[i], c->error);
    return status;
}

facet_status facet_j3d_animation_convert(const facet_j3d_animation *from,
                                         facet_j3d_animation_kind kind, double tolerance,
                                         const facet_options *options,
                                         facet_j3d_animation **document, facet_error *error)
{
    converter c = {.from = from, .tolerance = tolerance, .error = error};
    const char *name = facet_j3d_animation_kind_name(kind);
    if (!name || other_kind(from->kind) != kind || from->kind == kind)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "J3D-KIND", FACET_NO_OFFSET,
                          "a %s cannot be converted to a %s",
                          facet_j3d_animation_kind_name(from->kind), name ? name : "file");
    facet_status status = facet_j3d_animation_check_sharing(from, error);
    if (!status)
        status = facet_j3d_animation_create(kind, from->name, options, &c.to, error);
    if (!status)
        status = facet_arena_create(options, &c.scratch, error);
    if (!status) {
        c.to->loop = from->loop;
        c.to->frames = from->frames;
        c.to->cluster_count = from->cluster_count;
        status = convert(&c);
    }
    if (!status && from->sounds)
        facet_report_add(options ? options->report : NULL, "LOSS-ANIMATIONS",
                         FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "%u sound%s of the bck left out: a bca has none",
                         (unsigned)from->sound_count, facet_plural(from->sound_count, "", "s"));
    facet_arena_free(c.scratch);
    if (status)
        facet_j3d_animation_free(c.to);
    else
        *document = c.to;
    return status;
}
