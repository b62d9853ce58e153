/* formats/j3d/animation/write.c - a complete document to bytes. */
#include "formats/j3d/animation/animation.h"

#include "base/error.h"
#include "base/size.h"

#include <inttypes.h>
#include <math.h>

/* -- Checks of a document ----------------------------------------------- */

static facet_status refuse(facet_error *error, const char *rule, const char *format, ...)
    FACET_PRINTF(3, 4);
static facet_status refuse(facet_error *error, const char *rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_status status =
        facet_fail_v(error, FACET_ERROR_ARGUMENT, rule, FACET_NO_OFFSET, 0, format, arguments);
    va_end(arguments);
    return status;
}

static facet_status is_missing(facet_error *error, const char *what)
{
    return refuse(error, "J3D-DOCUMENT", "the document counts %s, but their array is NULL", what);
}

static facet_status check_count(uint64_t count, const char *what, facet_error *error)
{
    if (count <= UINT16_MAX)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                      "there are %" PRIu64 " %s; the format holds 65,535", count, what);
}

static facet_status check_reals(const float *reals, uint32_t count, facet_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!isfinite(reals[i]))
            return refuse(error, "JA11", "element %" PRIu32 " of an array is not finite", i);
    }
    return FACET_OK;
}

static facet_status check_integers(const int32_t *integers, uint32_t count, int32_t least,
                                   int32_t most, facet_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        if (integers[i] < least || integers[i] > most)
            return facet_fail(error, FACET_ERROR_LIMIT, "J3D-LIMIT", FACET_NO_OFFSET,
                              "element %" PRIu32 " of an array is %" PRId32
                              "; its field holds %" PRId32 " to %" PRId32,
                              i, integers[i], least, most);
    }
    return FACET_OK;
}

static facet_status check_elements(const facet_j3d_block *block, const facet_j3d_elements *elements,
                                   facet_error *error)
{
    facet_status status = check_count(elements->count, "elements of an array", error);
    bool real = block->content == FACET_J3D_BLOCK_REALS;
    if (status || elements->count == 0)
        return status;
    if (real ? !elements->reals : !elements->integers)
        return is_missing(error, "elements");
    if (real)
        return check_reals(elements->reals, elements->count, error);
    bool byte = block->content == FACET_J3D_BLOCK_U8, word = block->content == FACET_J3D_BLOCK_U16;
    return check_integers(elements->integers, elements->count, byte || word ? 0 : INT16_MIN,
                          byte   ? UINT8_MAX
                          : word ? UINT16_MAX
                                 : INT16_MAX,
                          error);
}

static facet_status check_tracks(const facet_j3d_animation *document,
                                 const facet_j3d_animation_format *format, uint32_t s,
                                 facet_error *error)
{
    const facet_j3d_animation_set *set = &document->sets[s];
    for (uint32_t i = 0; i < set->count * format->tracks; i++) {
        const facet_j3d_track *track = &set->tracks[i];
        uint32_t component = facet_j3d_component_of(format, i % format->tracks);
        const facet_j3d_elements *elements = facet_j3d_elements_of(document, s, component);
        if (!facet_range_fits(track->first, facet_j3d_track_size(format, track), 1,
                              elements->count))
            return refuse(error, "JA07", "track %" PRIu32 " reaches beyond its array", i);
        if (!format->has_keys && track->count == 0)
            return refuse(error, "JA17", "track %" PRIu32 " has no values", i);
    }
    return FACET_OK;
}

static facet_status check_runs(const facet_j3d_animation_set *set, facet_error *error)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const facet_j3d_color_run *run = &set->color_runs[i];
        if (!facet_range_fits(run->first, run->count, 1, set->color_index_count))
            return refuse(error, "JA06", "vertex colors of entry %" PRIu32 " are missing", i);
    }
    return FACET_OK;
}

static facet_status check_names(const facet_j3d_animation_set *set, facet_error *error)
{
    if (set->names.count != set->count)
        return refuse(error, "JA22", "there are %" PRIu32 " names for %" PRIu32 " entries",
                      set->names.count, set->count);
    if (set->count > 0 && !set->names.items)
        return is_missing(error, "names");
    for (uint32_t i = 0; i < set->count; i++) {
        if (!set->names.items[i].bytes)
            return is_missing(error, "names");
    }
    return FACET_OK;
}

static facet_status check_block(const facet_j3d_animation *document,
                                const facet_j3d_animation_format *format,
                                const facet_j3d_block *block, facet_error *error)
{
    const facet_j3d_animation_set *set = &document->sets[block->set];
    facet_status status;
    switch ((facet_j3d_block_content)block->content) {
    case FACET_J3D_BLOCK_TRACKS:
        status = check_count((uint64_t)set->count * format->count_factor, "entries", error);
        if (!status && set->count > 0 && (!set->tracks || (format->slot_at && !set->slots)))
            status = is_missing(error, "tracks or slots");
        return status;
    case FACET_J3D_BLOCK_REMAP:
        return FACET_OK; /* NULL means identity */
    case FACET_J3D_BLOCK_NAMES:
        return check_names(set, error);
    case FACET_J3D_BLOCK_SLOTS:
        return set->count > 0 && !set->slots ? is_missing(error, "slots") : FACET_OK;
    case FACET_J3D_BLOCK_CENTERS:
        if (set->count > 0 && !set->centers)
            return is_missing(error, "centers");
        return set->count > 0 ? check_reals(set->centers[0], set->count * 3, error) : FACET_OK;
    case FACET_J3D_BLOCK_RUNS:
        if (set->count > 0 && !set->color_runs)
            return is_missing(error, "vertex colors");
        return check_runs(set, error);
    case FACET_J3D_BLOCK_INDICES:
        TRY(check_count(set->color_index_count, "indices of vertex colors", error));
        if (set->color_index_count > 0 && !set->color_indices)
            TRY(is_missing(error, "indices of vertex colors"));
        return FACET_OK;
    default:
        return check_elements(block, &set->elements[block->component], error);
    }
}

static facet_status check_document(const facet_j3d_animation *document, facet_error *error)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    facet_status status = FACET_OK;
    if (!format)
        return refuse(error, "J3D-KIND", "the kind of the document is unknown");
    for (uint32_t i = 0; i < format->block_count && !status; i++)
        status = check_block(document, format, &format->blocks[i], error);
    for (uint32_t s = 0; s < format->sets && !status; s++)
        status = check_tracks(document, format, s, error);
    if (!status && document->sound_count > 0 && !document->sounds)
        status = is_missing(error, "sounds");
    if (!status && document->sounds && document->kind != FACET_J3D_BCK)
        status = refuse(error, "J3D-DOCUMENT", "sounds belong to a bck, not to a %s", format->name);
    return status;
}

/* -- Write -------------------------------------------------------------- */

facet_status facet_j3d_animation_write(const facet_j3d_animation *document,
                                       const facet_options *options, facet_output *output,
                                       facet_error *error)
{
    facet_j3d_animation_image image;
    TRY(check_document(document, error));
    TRY(facet_j3d_animation_image_make(document, options, &image, error));
    facet_output_write(output, image.bytes, image.size);
    facet_j3d_animation_image_free(&image);
    return FACET_OK;
}
