/* formats/j3d/animation/read.c - bytes to a document. */
#include "formats/j3d/animation/animation.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "formats/j3d/file/reader.h"

#include <inttypes.h>
#include <math.h>

#define SECTION_HEAD 8
#define SOUND_HEAD 8
#define SOUND_SIZE 32
/* Bytes of padding of the last array that BCA files announce but do not store. */
#define MAX_MISSING 31

typedef struct reader {
    const facet_source *source;
    const facet_j3d_animation_format *format;
    const uint8_t *section; /* up to the end of the file, because size fields are unreliable */
    size_t size, at;        /* size of the section, and its offset in the file */
    facet_j3d_animation *document;
    facet_report *report;
    facet_error *error;
} reader;

static facet_status fault(const reader *r, const char *rule, uint64_t at, const char *format, ...)
    FACET_PRINTF(4, 5);
static facet_status fault(const reader *r, const char *rule, uint64_t at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_status status =
        facet_fail_v(r->error, FACET_ERROR_MALFORMED, rule, r->at + at, 0, format, arguments);
    va_end(arguments);
    return status;
}

/* -- Blocks ------------------------------------------------------------- */

/* Allocate an array in the document's arena, never NULL. */
static facet_status make(const reader *r, size_t count, size_t size, void *pointer_to_array)
{
    void *array = facet_arena_allocate(r->document->arena, count, size);
    memcpy(pointer_to_array, &array, sizeof array);
    return array ? FACET_OK : facet_fail_arena(r->document->arena, r->error);
}

/* Set *at to the `count` records of a block; NULL if count is 0. */
static facet_status find(const reader *r, const facet_j3d_block *block, size_t count, size_t size,
                         const uint8_t **at)
{
    uint32_t offset = facet_load_u32be(r->section + block->offset_at);
    *at = NULL;
    if (count == 0)
        return FACET_OK;
    if (offset < SECTION_HEAD || !facet_range_fits(offset, count, size, r->size))
        return fault(r, "JA06", block->offset_at,
                     "%zu records of %zu bytes at 0x%" PRIX32 " are outside the file", count, size,
                     offset);
    *at = r->section + offset;
    return FACET_OK;
}

/* Count the entries of the table of cluster weights, because the file does not store it. The table
 * ends at the weights, except for padding. */
static uint32_t count_weights(const reader *r)
{
    const uint32_t entry = r->format->entry;
    uint32_t table = facet_load_u32be(r->section + 0x10);
    uint32_t weights = facet_load_u32be(r->section + 0x14);
    if (weights <= table || weights > r->size)
        return 0;
    uint32_t length = weights - table;
    for (uint32_t padding = 31; padding > 0; padding--) {
        if (padding <= length && (length - padding) % entry == 0 &&
            memcmp(r->section + weights - padding, FACET_J3D_PADDING, padding) == 0)
            return (length - padding) / entry;
    }
    return length / entry;
}

static facet_status read_tracks(const reader *r, const facet_j3d_block *block)
{
    const facet_j3d_animation_format *format = r->format;
    facet_j3d_animation_set *set = &r->document->sets[block->set];
    const uint32_t track_size = format->has_keys ? 6 : 4;
    const uint8_t *table;
    uint32_t count = block->count_at
                         ? facet_load_u16be(r->section + block->count_at) / format->count_factor
                         : count_weights(r);
    facet_status status = find(r, block, count, format->entry, &table);
    if (!status)
        status = make(r, (size_t)count * format->tracks, sizeof *set->tracks, &set->tracks);
    if (!status && format->slot_at)
        status = make(r, count, 1, &set->slots);
    if (status)
        return status;
    set->count = count;
    facet_j3d_track *track = set->tracks;
    for (uint32_t entry = 0; entry < count; entry++) {
        const uint8_t *at = table + (size_t)entry * format->entry;
        if (format->slot_at)
            set->slots[entry] = at[format->slot_at];
        for (uint32_t i = 0; i < format->tracks; i++, at += track_size, track++) {
            track->count = facet_load_u16be(at);
            track->first = facet_load_u16be(at + 2);
            track->type = format->has_keys ? facet_load_u16be(at + 4) : 0;
            if (!format->has_keys && track->count == 0)
                return fault(r, "JA17", (uint64_t)(at - r->section),
                             "track %" PRIu32 " of entry %" PRIu32 " has no values", i, entry);
        }
    }
    return FACET_OK;
}

/* The number of elements that tracks use, if no field stores it. */
static uint32_t reach(const reader *r, uint32_t component)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < r->format->sets; s++) {
        const facet_j3d_animation_set *set = &r->document->sets[s];
        for (uint32_t i = component; i < set->count * r->format->tracks; i += r->format->tracks) {
            uint32_t end = set->tracks[i].first + facet_j3d_track_size(r->format, &set->tracks[i]);
            most = end > most ? end : most;
        }
    }
    return most;
}

static void load_integers(const uint8_t *at, facet_j3d_block_content content, uint32_t count,
                          int32_t *integers)
{
    for (uint32_t i = 0; i < count; i++) {
        if (content == FACET_J3D_BLOCK_U8)
            integers[i] = at[i];
        else if (content == FACET_J3D_BLOCK_U16)
            integers[i] = facet_load_u16be(at + 2 * (size_t)i);
        else
            integers[i] = (int16_t)facet_load_u16be(at + 2 * (size_t)i);
    }
}

static facet_status load_reals(const reader *r, const uint8_t *at, uint32_t count, float *reals)
{
    for (uint32_t i = 0; i < count; i++) {
        reals[i] = facet_load_f32be(at + 4 * (size_t)i);
        if (!isfinite(reals[i]))
            return fault(r, "JA11", (uint64_t)(at - r->section) + 4 * (uint64_t)i,
                         "a number is infinite or NaN");
    }
    return FACET_OK;
}

/* The last array of a BCA can lack some bytes, which count as 0. */
static uint32_t count_present(const reader *r, const facet_j3d_block *block, uint32_t count,
                              size_t size)
{
    uint32_t offset = facet_load_u32be(r->section + block->offset_at);
    if (r->format->kind != FACET_J3D_BCA || offset > r->size ||
        facet_range_fits(offset, count, size, r->size))
        return count;
    uint64_t missing = (uint64_t)count * size - (r->size - offset);
    if (missing > MAX_MISSING)
        return count;
    facet_report_add(r->report, "JA31", FACET_SEVERITY_WARNING, r->at + r->size,
                     "the last %" PRIu64 " bytes of an array are missing, and are read as 0",
                     missing);
    return (uint32_t)((r->size - offset) / size);
}

static facet_status read_elements(const reader *r, const facet_j3d_block *block)
{
    facet_j3d_elements *to = &r->document->sets[block->set].elements[block->component];
    bool real = block->content == FACET_J3D_BLOCK_REALS;
    size_t size = facet_j3d_animation_element_size(block->content);
    uint32_t count = block->count_at ? facet_load_u16be(r->section + block->count_at)
                                     : reach(r, block->component);
    uint32_t present = count_present(r, block, count, size);
    const uint8_t *at;
    TRY(find(r, block, present, size, &at));
    TRY(real ? make(r, count, sizeof *to->reals, &to->reals)
             : make(r, count, sizeof *to->integers, &to->integers));
    to->count = count;
    if (real) {
        memset(to->reals + present, 0, (count - present) * sizeof *to->reals);
        return load_reals(r, at, present, to->reals);
    }
    memset(to->integers + present, 0, (count - present) * sizeof *to->integers);
    load_integers(at, block->content, present, to->integers);
    return FACET_OK;
}

static facet_status read_names(const reader *r, const facet_j3d_block *block)
{
    static const facet_j3d_name_rules rules = {"JA20", "JA20"};
    facet_j3d_animation_set *set = &r->document->sets[block->set];
    uint32_t offset = facet_load_u32be(r->section + block->offset_at);
    if (offset == 0 && set->count == 0)
        return FACET_OK;
    if (offset < SECTION_HEAD || offset > r->size)
        return fault(r, "JA06", block->offset_at,
                     "the table of names at 0x%" PRIX32 " is outside the file", offset);
    facet_status status =
        facet_j3d_load_names(r->document->arena, r->section + offset, r->size - offset,
                             r->at + offset, &rules, &set->names, r->error);
    if (!status && set->names.count != set->count)
        status = fault(r, "JA22", offset, "there are %" PRIu32 " names for %" PRIu32 " entries",
                       set->names.count, set->count);
    return status;
}

static facet_status read_u16s(const reader *r, const facet_j3d_block *block, uint32_t count,
                              uint16_t **to)
{
    const uint8_t *at;
    facet_status status = find(r, block, count, 2, &at);
    if (!status)
        status = make(r, count, sizeof **to, to);
    for (uint32_t i = 0; i < count && !status; i++)
        (*to)[i] = facet_load_u16be(at + 2 * (size_t)i);
    return status;
}

static facet_status read_centers(const reader *r, const facet_j3d_block *block)
{
    facet_j3d_animation_set *set = &r->document->sets[block->set];
    const uint8_t *at;
    TRY(find(r, block, set->count, 12, &at));
    TRY(make(r, set->count, sizeof *set->centers, &set->centers));
    return load_reals(r, at, set->count * 3, &set->centers[0][0]);
}

/* Read the runs. They come before the indices and define their count. */
static facet_status read_runs(const reader *r, const facet_j3d_block *block)
{
    facet_j3d_animation_set *set = &r->document->sets[block->set];
    const uint8_t *at;
    facet_status status = find(r, block, set->count, 8, &at);
    if (!status)
        status = make(r, set->count, sizeof *set->color_runs, &set->color_runs);
    for (uint32_t i = 0; i < set->count && !status; i++, at += 8) {
        facet_j3d_color_run *run = &set->color_runs[i];
        run->count = facet_load_u16be(at);
        run->unknown = facet_load_u16be(at + 2);
        run->first = facet_load_u32be(at + 4);
        if (run->first > r->size)
            return fault(r, "JA06", (uint64_t)(at - r->section),
                         "vertex colors from index %" PRIu32 " on are outside the file",
                         run->first);
        if (run->first + run->count > set->color_index_count)
            set->color_index_count = run->first + run->count;
    }
    return status;
}

static facet_status read_block(const reader *r, const facet_j3d_block *block)
{
    facet_j3d_animation_set *set = &r->document->sets[block->set];
    const uint8_t *at;
    facet_status status;
    switch ((facet_j3d_block_content)block->content) {
    case FACET_J3D_BLOCK_TRACKS:
        return read_tracks(r, block);
    case FACET_J3D_BLOCK_REMAP:
        return read_u16s(r, block, set->count, &set->remap);
    case FACET_J3D_BLOCK_NAMES:
        return read_names(r, block);
    case FACET_J3D_BLOCK_SLOTS:
        status = find(r, block, set->count, 1, &at);
        if (!status)
            status = make(r, set->count, 1, &set->slots);
        if (!status && set->count > 0)
            memcpy(set->slots, at, set->count);
        return status;
    case FACET_J3D_BLOCK_CENTERS:
        return read_centers(r, block);
    case FACET_J3D_BLOCK_RUNS:
        return read_runs(r, block);
    case FACET_J3D_BLOCK_INDICES:
        return read_u16s(r, block, set->color_index_count, &set->color_indices);
    default:
        return read_elements(r, block);
    }
}

/* -- The document ------------------------------------------------------- */

static facet_status check_tracks(const reader *r)
{
    const facet_j3d_animation *document = r->document;
    for (uint32_t s = 0; s < r->format->sets; s++) {
        const facet_j3d_animation_set *set = &document->sets[s];
        for (uint32_t i = 0; i < set->count * r->format->tracks; i++) {
            const facet_j3d_track *track = &set->tracks[i];
            uint32_t component = facet_j3d_component_of(r->format, i % r->format->tracks);
            uint32_t has = facet_j3d_elements_of(document, s, component)->count;
            if (!facet_range_fits(track->first, facet_j3d_track_size(r->format, track), 1, has))
                return fault(r, "JA07", 0,
                             "track %" PRIu32 " of entry %" PRIu32 " has %" PRIu32
                             " elements from %u on, but the array has %" PRIu32,
                             i % r->format->tracks, i / r->format->tracks,
                             facet_j3d_track_size(r->format, track), (unsigned)track->first, has);
        }
    }
    return FACET_OK;
}

/* Read the sounds. In some files the offset is text, so use it only if a table is there. */
static facet_status read_sounds(const reader *r)
{
    facet_j3d_animation *document = r->document;
    uint32_t offset = facet_load_u32be(r->source->data + 0x1C);
    if (document->kind != FACET_J3D_BCK || offset < FACET_J3D_ANIMATION_HEADER ||
        !facet_range_fits(offset, 1, SOUND_HEAD, r->source->size))
        return FACET_OK;
    const uint8_t *at = r->source->data + offset;
    uint16_t count = facet_load_u16be(at);
    if (!facet_range_fits((uint64_t)offset + SOUND_HEAD, count, SOUND_SIZE, r->source->size))
        return FACET_OK;
    TRY(make(r, count, sizeof *document->sounds, &document->sounds));
    document->sound_count = count;
    document->sound_unknown = facet_load_u16be(at + 2);
    document->sound_unknown2 = facet_load_u32be(at + 4);
    at += SOUND_HEAD;
    for (uint32_t i = 0; i < count; i++, at += SOUND_SIZE) {
        facet_j3d_sound *sound = &document->sounds[i];
        sound->id = facet_load_u32be(at);
        sound->start = facet_load_f32be(at + 4);
        sound->end = facet_load_f32be(at + 8);
        sound->pitch = facet_load_f32be(at + 12);
        sound->flags = facet_load_u32be(at + 16);
        memcpy(sound->rest, at + 20, sizeof sound->rest);
    }
    return FACET_OK;
}

static facet_status find_section(reader *r)
{
    const facet_source *source = r->source;
    if (source->size < FACET_J3D_ANIMATION_HEADER + SECTION_HEAD || !r->format)
        return fault(r, "JA01", 0, "the file of %zu bytes does not begin with a J3D1 animation",
                     source->size);
    for (size_t at = FACET_J3D_ANIMATION_HEADER; source->size - at >= SECTION_HEAD;) {
        uint32_t size = facet_load_u32be(source->data + at + 4);
        r->at = at;
        r->section = source->data + at;
        r->size = source->size - at;
        if (memcmp(r->section, r->format->section, 4) == 0)
            break;
        if (size < SECTION_HEAD || size > source->size - at - SECTION_HEAD)
            return fault(r, "JA02", 0, "section %s is missing in the %s", r->format->section,
                         r->format->name);
        at += size;
    }
    /* Old exporters omit the last word of a TTK1. */
    size_t needed = r->format->kind == FACET_J3D_BTK ? 0x5C : r->format->header;
    if (r->size < needed)
        return fault(r, "JA06", 0, "the section has %zu bytes, but its header needs %zu", r->size,
                     needed);
    return FACET_OK;
}

static facet_status read_section(reader *r)
{
    facet_j3d_animation *document = r->document;
    document->kind = r->format->kind;
    document->loop = r->section[0x08];
    document->rotation_shift = r->section[0x09];
    document->frames = (int16_t)facet_load_u16be(r->section + r->format->frames_at);
    memcpy(document->signature, r->source->data + 0x10, sizeof document->signature);
    if (document->kind == FACET_J3D_BTK && r->size >= 0x60)
        document->convention = facet_load_u32be(r->section + 0x5C);
    if (document->kind == FACET_J3D_BLK || document->kind == FACET_J3D_BLA)
        document->cluster_count = facet_load_u16be(r->section + 0x0C);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < r->format->block_count && !status; i++)
        status = read_block(r, &r->format->blocks[i]);
    if (!status)
        status = check_tracks(r);
    return status ? status : read_sounds(r);
}

/* True if blocks of the layout do not overlap, so that each can be changed separately. */
static bool are_apart(const facet_j3d_animation_layout *layout, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (layout->offsets[i] < layout->offsets[k] + (uint64_t)layout->sizes[k] &&
                layout->offsets[k] < layout->offsets[i] + (uint64_t)layout->sizes[i])
                return false;
        }
    }
    return true;
}

/* Set the layout: the positions of the blocks in the file. */
static void fill_layout(const reader *r, const facet_j3d_animation_image *image)
{
    facet_j3d_animation_layout *layout = &r->document->layout;
    uint32_t count = r->format->block_count;
    layout->bytes = r->source->data;
    layout->size = r->source->size;
    layout->section = r->at;
    memcpy(layout->sizes, image->sizes, sizeof layout->sizes);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t offset = facet_load_u32be(r->section + r->format->blocks[i].offset_at);
        layout->offsets[i] = image->sizes[i] > 0 ? (uint32_t)r->at + offset : 0;
    }
    if (r->document->sounds)
        layout->offsets[count] = facet_load_u32be(r->source->data + 0x1C);
}

static bool is_source(const reader *r, const facet_j3d_animation_image *image)
{
    return image->size == r->source->size &&
           memcmp(image->bytes, r->source->data, image->size) == 0;
}

/* Keep the file's layout if it differs from the exporters' and reproduces the file. It does not if
 * names share bytes, or a table is outside of all blocks. */
static facet_status keep_layout(const reader *r, const facet_options *options)
{
    facet_j3d_animation *document = r->document;
    facet_j3d_animation_image image;
    facet_status status = facet_j3d_animation_image_make(document, options, &image, r->error);
    if (status) /* names that share bytes can exceed the limit when stored separately */
        return status == FACET_ERROR_LIMIT ? FACET_OK : status;
    bool is_usual = is_source(r, &image);
    if (!is_usual)
        fill_layout(r, &image);
    facet_j3d_animation_image_free(&image);
    if (is_usual)
        return FACET_OK;
    TRY(facet_j3d_animation_image_make(document, options, &image, r->error));
    if (!is_source(r, &image) || !are_apart(&document->layout, r->format->block_count + 1u))
        memset(&document->layout, 0, sizeof document->layout);
    facet_j3d_animation_image_free(&image);
    return FACET_OK;
}

static facet_status read_file(reader *r, const facet_options *options)
{
    TRY(find_section(r));
    TRY(read_section(r));
    TRY(keep_layout(r, options));
    r->document->name = facet_arena_stem(r->document->arena, r->source->name);
    return r->document->name ? FACET_OK : facet_fail_arena(r->document->arena, r->error);
}

facet_status facet_j3d_animation_read(const facet_source *source, const facet_options *options,
                                      facet_j3d_animation **document, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = FACET_OK;
    reader r = {.source = source,
                .format = facet_j3d_animation_format_at(source->data, source->size),
                .report = options ? options->report : NULL,
                .error = error};
    r.document = facet_arena_allocate_zeroed(arena, 1, sizeof *r.document);
    if (r.document) {
        r.document->arena = arena;
        status = read_file(&r, options);
    } else {
        status = facet_fail_arena(arena, error);
    }
    if (status)
        facet_arena_free(arena);
    else
        *document = r.document;
    return status;
}

void facet_j3d_animation_free(facet_j3d_animation *document)
{
    if (document)
        facet_arena_free(document->arena);
}
