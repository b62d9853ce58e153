/* formats/j3d/animation/image.c - a document as the bytes of a file. */
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/file/writer.h"

#include "base/arena.h"
#include "base/error.h"

/* -- Blocks ------------------------------------------------------------- */

/* Reserve space for `count` records at once. */
static uint8_t *extend(facet_j3d_writer *w, size_t count, size_t size)
{
    return count > 0 ? facet_j3d_extend(w, count * size) : NULL;
}

static void put_tracks(facet_j3d_writer *w, const facet_j3d_animation_format *format,
                       const facet_j3d_animation_set *set)
{
    const facet_j3d_track *track = set->tracks;
    uint8_t *at = extend(w, set->count, format->entry);
    for (uint32_t entry = 0; entry < set->count && at; entry++) {
        for (uint32_t i = 0; i < format->tracks; i++, track++) {
            facet_store_u16be(at, track->count);
            facet_store_u16be(at + 2, track->first);
            if (format->has_keys)
                facet_store_u16be(at + 4, track->type);
            at += format->has_keys ? 6 : 4;
        }
        if (format->slot_at) {
            memset(at, 0xFF, 4);
            at[0] = set->slots[entry];
            at += 4;
        }
    }
}

static void put_elements(facet_j3d_writer *w, facet_j3d_block_content content,
                         const facet_j3d_elements *elements)
{
    const size_t size = facet_j3d_animation_element_size(content);
    uint8_t *at = extend(w, elements->count, size);
    for (uint32_t i = 0; i < elements->count && at; i++, at += size) {
        if (content == FACET_J3D_BLOCK_REALS)
            facet_store_u32be(at, facet_bits_of_float(elements->reals[i]));
        else if (content == FACET_J3D_BLOCK_U8)
            *at = (uint8_t)elements->integers[i];
        else
            facet_store_u16be(at, (uint16_t)elements->integers[i]);
    }
}

static void put_remap(facet_j3d_writer *w, const facet_j3d_animation_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        facet_j3d_put_u16(w, set->remap ? set->remap[i] : (uint16_t)i);
}

static void put_runs(facet_j3d_writer *w, const facet_j3d_animation_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        facet_j3d_put_u16(w, set->color_runs[i].count);
        facet_j3d_put_u16(w, set->color_runs[i].unknown);
        facet_j3d_put_u32(w, set->color_runs[i].first);
    }
}

static facet_status put_block(facet_j3d_writer *w, const facet_j3d_animation_format *format,
                              const facet_j3d_block *block, const facet_j3d_animation_set *set)
{
    switch ((facet_j3d_block_content)block->content) {
    case FACET_J3D_BLOCK_TRACKS:
        put_tracks(w, format, set);
        return FACET_OK;
    case FACET_J3D_BLOCK_REMAP:
        put_remap(w, set);
        return FACET_OK;
    case FACET_J3D_BLOCK_NAMES:
        return facet_j3d_put_names(w, &set->names, block->offset_at);
    case FACET_J3D_BLOCK_SLOTS:
        facet_j3d_put(w, set->slots, set->count);
        return FACET_OK;
    case FACET_J3D_BLOCK_CENTERS:
        for (uint32_t i = 0; i < set->count; i++)
            facet_j3d_put_floats(w, set->centers[i], 3);
        return FACET_OK;
    case FACET_J3D_BLOCK_RUNS:
        put_runs(w, set);
        return FACET_OK;
    case FACET_J3D_BLOCK_INDICES:
        facet_j3d_put_u16s(w, set->color_indices, set->color_index_count);
        return FACET_OK;
    default:
        put_elements(w, block->content, &set->elements[block->component]);
        return FACET_OK;
    }
}

/* True if a block has no offset. Sets without entries have none, except the names of a BRK. The
 * elements of vertex colors belong to both sets. */
static bool is_absent(const facet_j3d_animation *document, const facet_j3d_animation_format *format,
                      const facet_j3d_block *block)
{
    if (format->sets == 1 || document->sets[block->set].count > 0)
        return false;
    bool kept = format->kind == FACET_J3D_BRK && block->content == FACET_J3D_BLOCK_NAMES;
    bool shared = (format->kind == FACET_J3D_BXK || format->kind == FACET_J3D_BXA) &&
                  facet_j3d_block_is_elements(block);
    bool main = format->kind == FACET_J3D_BTK && block->set == 0;
    return !kept && !shared && !main;
}

/* Store a count, which has 16 bits. */
static void patch_u16(facet_j3d_writer *w, size_t at, uint32_t value)
{
    if (!w->failed)
        facet_store_u16be(w->bytes + w->section + at, (uint16_t)value);
}

static facet_status put_blocks(facet_j3d_writer *w, const facet_j3d_animation *document,
                               const facet_j3d_animation_format *format,
                               facet_j3d_animation_image *image)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < format->block_count && !status; i++) {
        const facet_j3d_block *block = &format->blocks[i];
        const facet_j3d_animation_set *set = &document->sets[block->set];
        facet_j3d_pad(w, block->alignment);
        if (is_absent(document, format, block))
            continue;
        facet_j3d_patch_to_position(w, block->offset_at);
        image->offsets[i] = (uint32_t)w->size;
        status = put_block(w, format, block, set);
        image->sizes[i] = (uint32_t)(w->size - image->offsets[i]);
        if (block->count_at && block->content == FACET_J3D_BLOCK_TRACKS)
            patch_u16(w, block->count_at, set->count * format->count_factor);
        else if (block->count_at)
            patch_u16(w, block->count_at, set->elements[block->component].count);
    }
    return status;
}

/* -- The section -------------------------------------------------------- */

/* Write the fields outside of blocks. */
static void put_head(facet_j3d_writer *w, const facet_j3d_animation *document,
                     const facet_j3d_animation_format *format)
{
    bool late = format->frames_at != 0x0A; /* position in material colors */
    facet_j3d_put(w, format->section, 4);
    facet_j3d_put_u32(w, 0);
    facet_j3d_put_u8(w, document->loop);
    facet_j3d_put_u8(w, document->rotation_shift);
    facet_j3d_put_u16(w, late ? 0xFFFF : (uint16_t)document->frames);
    facet_j3d_put_u16(w, (uint16_t)(late ? (uint16_t)document->frames : document->cluster_count));
    facet_j3d_put_zeros(w, format->header - facet_j3d_writer_position(w));
    switch (document->kind) {
    case FACET_J3D_BTK:
        facet_j3d_patch(w, 0x5C, document->convention);
        break;
    case FACET_J3D_BPA: /* unused by the runtime */
        for (uint32_t i = 0; i < 4; i++)
            patch_u16(w, 0x10 + 2 * i, document->sets[0].elements[i].count);
        break;
    case FACET_J3D_BXA:
        patch_u16(w, 0x10, document->sets[0].color_index_count);
        patch_u16(w, 0x12, document->sets[1].color_index_count);
        break;
    case FACET_J3D_BXK:
        facet_j3d_patch(w, 0x10, document->sets[0].color_index_count);
        facet_j3d_patch(w, 0x14, document->sets[1].color_index_count);
        break;
    default:
        break;
    }
}

/* Pad to the end, and store the sizes. */
static void end_section(facet_j3d_writer *w, const facet_j3d_animation_format *format)
{
    size_t end = facet_j3d_writer_position(w), size = facet_align_up(end, format->end);
    switch (format->kind) {
    case FACET_J3D_BCA: /* announced, but not stored */
        break;
    case FACET_J3D_BTK: /* post matrices: an empty table of names that no offset refers to */
        size = end + 4;
        if (end % format->end != 0) {
            facet_j3d_put_u32(w, 0x0000FFFF);
            facet_j3d_pad_zeros(w, format->end);
        }
        break;
    case FACET_J3D_BVA:
        facet_j3d_pad(w, 4);
        facet_j3d_pad(w, format->end);
        break;
    default:
        facet_j3d_pad(w, format->end);
    }
    facet_j3d_patch(w, 4, (uint32_t)size);
}

/* -- Sounds ------------------------------------------------------------- */

static void put_sounds(facet_j3d_writer *w, const facet_j3d_animation *document,
                       facet_j3d_animation_image *image, uint32_t block)
{
    if (!document->sounds)
        return;
    image->offsets[block] = (uint32_t)w->size;
    facet_j3d_put_u16(w, document->sound_count);
    facet_j3d_put_u16(w, document->sound_unknown);
    facet_j3d_put_u32(w, document->sound_unknown2);
    for (uint32_t i = 0; i < document->sound_count; i++) {
        const facet_j3d_sound *sound = &document->sounds[i];
        facet_j3d_put_u32(w, sound->id);
        facet_j3d_put_floats(w, &sound->start, 1);
        facet_j3d_put_floats(w, &sound->end, 1);
        facet_j3d_put_floats(w, &sound->pitch, 1);
        facet_j3d_put_u32(w, sound->flags);
        facet_j3d_put(w, sound->rest, sizeof sound->rest);
    }
    image->sizes[block] = (uint32_t)(w->size - image->offsets[block]);
    facet_j3d_pad_zeros(w, 0x20);
}

/* -- The file ----------------------------------------------------------- */

static facet_status put_file(facet_j3d_writer *w, const facet_j3d_animation *document,
                             const facet_j3d_animation_format *format,
                             facet_j3d_animation_image *image)
{
    facet_j3d_put(w, "J3D1", 4);
    facet_j3d_put(w, format->name, 3);
    facet_j3d_put_u8(w, '1');
    facet_j3d_put_u32(w, 0);
    facet_j3d_put_u32(w, 1);
    facet_j3d_put(w, document->signature, sizeof document->signature);
    facet_j3d_put_u32(w, UINT32_MAX);
    w->section = w->size;
    put_head(w, document, format);
    TRY(put_blocks(w, document, format, image));
    end_section(w, format);
    size_t sounds = w->size;
    put_sounds(w, document, image, format->block_count);
    w->section = 0;
    bool cut = format->kind == FACET_J3D_BCA;
    facet_j3d_patch(w, 0x08, (uint32_t)(cut ? facet_align_up(w->size, 0x20) : w->size));
    if (document->sounds)
        facet_j3d_patch(w, 0x1C, (uint32_t)sounds);
    return w->failed ? facet_fail_arena(w->arena, w->error) : FACET_OK;
}

/* Copy the fields of a section's header, except its offsets and size. */
static void copy_fields(const facet_j3d_animation_format *format, const uint8_t *from, uint8_t *to)
{
    memcpy(to + 0x08, from + 0x08, 2);
    memcpy(to + format->frames_at, from + format->frames_at, 2);
    for (uint32_t i = 0; i < format->block_count; i++) {
        uint32_t at = format->blocks[i].count_at;
        /* The count is stored times three; its remainder is kept. */
        if (at && facet_load_u16be(from + at) !=
                      facet_load_u16be(to + at) / format->count_factor * format->count_factor)
            memcpy(to + at, from + at, 2);
    }
    if (format->kind == FACET_J3D_BLK || format->kind == FACET_J3D_BLA)
        memcpy(to + 0x0C, from + 0x0C, 2);
}

/* Move the blocks to their positions in the source file. */
static facet_status apply_layout(const facet_j3d_animation *document,
                                 const facet_j3d_animation_format *format,
                                 facet_j3d_animation_image *image, facet_error *error)
{
    const facet_j3d_animation_layout *layout = &document->layout;
    uint8_t *bytes = facet_arena_allocate(image->arena, layout->size, 1);
    if (!bytes)
        return facet_fail_arena(image->arena, error);
    memcpy(bytes, layout->bytes, layout->size);
    memcpy(bytes + 0x10, document->signature, sizeof document->signature);
    size_t section = layout->section;
    copy_fields(format, image->bytes + FACET_J3D_ANIMATION_HEADER, bytes + section);
    if (format->kind == FACET_J3D_BTK && layout->offsets[0] >= section + 0x60)
        facet_store_u32be(bytes + section + 0x5C, document->convention);
    for (uint32_t i = 0; i <= format->block_count; i++) {
        memcpy(bytes + layout->offsets[i], image->bytes + image->offsets[i], image->sizes[i]);
        image->offsets[i] = layout->offsets[i];
    }
    image->bytes = bytes;
    image->size = layout->size;
    return FACET_OK;
}

static bool layout_fits(const facet_j3d_animation *document,
                        const facet_j3d_animation_format *format,
                        const facet_j3d_animation_image *image)
{
    const facet_j3d_animation_layout *layout = &document->layout;
    if (!layout->bytes || layout->section < FACET_J3D_ANIMATION_HEADER ||
        !facet_range_fits(layout->section, 1, format->header, layout->size))
        return false;
    for (uint32_t i = 0; i <= format->block_count; i++) {
        if (layout->sizes[i] != image->sizes[i] ||
            !facet_range_fits(layout->offsets[i], layout->sizes[i], 1, layout->size))
            return false;
    }
    return true;
}

facet_status facet_j3d_animation_image_make(const facet_j3d_animation *document,
                                            const facet_options *options,
                                            facet_j3d_animation_image *image, facet_error *error)
{
    const facet_j3d_animation_format *format = facet_j3d_animation_format_of(document->kind);
    const facet_j3d plain = {0}; /* the exporters' padding */
    facet_j3d_writer writer = {.document = &plain, .error = error, .space = 4096};
    memset(image, 0, sizeof *image);
    TRY(facet_arena_create(options, &image->arena, error));
    writer.arena = image->arena;
    writer.bytes = facet_arena_allocate(writer.arena, writer.space, 1);
    facet_status status = writer.bytes ? put_file(&writer, document, format, image)
                                       : facet_fail_arena(writer.arena, error);
    image->bytes = writer.bytes;
    image->size = writer.size;
    if (!status && layout_fits(document, format, image))
        status = apply_layout(document, format, image, error);
    if (status)
        facet_j3d_animation_image_free(image);
    return status;
}

void facet_j3d_animation_image_free(facet_j3d_animation_image *image)
{
    facet_arena_free(image->arena);
    memset(image, 0, sizeof *image);
}
