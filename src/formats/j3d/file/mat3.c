/* formats/j3d/file/mat3.c - materials: entries with indices into arrays of distinct values. */
#include "base/record.h"
#include "formats/j3d/file/mat3_tables.h"

#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/writer.h"

#include "base/error.h"

#include <inttypes.h>
#include <string.h>

#define HEAD3 0x84
#define HEAD2 0x78
#define FIRST_FIELD 0x0C

/* -- Layout of the section ---------------------------------------------- */

/* The two variants of the section. */
typedef struct variant {
    bool is_mat2;
    uint32_t head, entry_size;
} variant;

static uint32_t header_field(const variant *form, facet_j3d_value value)
{
    const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[value];
    return form->is_mat2 ? kind->header2 : kind->header3;
}

size_t facet_j3d_table_size(const facet_j3d_section *section, uint32_t head, uint32_t field)
{
    uint32_t offset = facet_load_u32be(section->bytes + field);
    size_t end = section->size;
    if (offset == 0 || offset > end)
        return 0;
    for (uint32_t other = FIRST_FIELD; other < head; other += 4) {
        uint32_t next = facet_load_u32be(section->bytes + other);
        if ((next > offset || (next == offset && other > field)) && next < end)
            end = next;
    }
    return end - offset;
}

/* True if exporters store an offset for an empty array. They do so for lights and texgen counts,
 * with the offset of the next array. */
static bool usually_has_offset(facet_j3d_value value)
{
    return value == FACET_J3D_LIGHTS || value == FACET_J3D_TEXGEN_COUNTS;
}

/* A bit of the layout's empty_material_arrays. */
#define NO_INDIRECT_OFFSET (1u << 31)

/* -- Entries ------------------------------------------------------------ */

static void load_entry(const uint8_t *at, const variant *form, facet_j3d_material_entry *entry)
{
    /* Fields that MAT2 lacks are absent. */
    memset(entry, 0xFF, sizeof *entry);
    for (uint32_t f = 0; f < FACET_J3D_ENTRY_FIELDS; f++) {
        const facet_j3d_entry_field *field = &facet_j3d_entry_fields[f];
        uint32_t from = form->is_mat2 ? field->at2 : field->at3;
        char *member = (char *)entry + field->member;
        if (from == FACET_J3D_NOT_IN_MAT2)
            continue;
        if (field->width == 1)
            memcpy(member, at + from, field->count);
        for (uint32_t i = 0; field->width == 2 && i < field->count; i++)
            ((uint16_t *)member)[i] = facet_load_u16be(at + from + 2 * i);
    }
}

static facet_status read_entries(facet_j3d_reader *reader, const variant *form)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_MAT3];
    facet_j3d_materials *materials = &reader->document->materials;
    size_t size = facet_j3d_table_size(section, form->head, 0x0C);
    uint32_t count = 0, most = (uint32_t)(size / form->entry_size);
    const uint8_t *table = section->bytes + facet_load_u32be(section->bytes + 0x0C);
    facet_status status = facet_j3d_read_remap(reader, FACET_J3D_MAT3, 0x10, materials->slot_count,
                                               most, "J3D-MAT3-REMAP", &materials->remap);
    if (status)
        return status;
    for (uint32_t i = 0; i < materials->slot_count; i++) {
        if (materials->remap[i] >= count)
            count = materials->remap[i] + 1u;
    }
    status = facet_j3d_make(reader, count, sizeof *materials->entries, &materials->entries);
    for (uint32_t i = 0; !status && i < count; i++)
        load_entry(table + (size_t)i * form->entry_size, form, &materials->entries[i]);
    if (!status)
        materials->entry_count = count;
    return status;
}

/* -- Values ------------------------------------------------------------- */

/* The index in the entry; FACET_J3D_NONE if it is absent. */
static uint32_t stored_index(const facet_j3d_material_entry *entry,
                             const facet_j3d_entry_field *field, uint32_t i)
{
    const char *member = (const char *)entry + field->member;
    if (field->width == 2)
        return ((const uint16_t *)member)[i];
    uint8_t index = ((const uint8_t *)member)[i];
    return index == 0xFF ? FACET_J3D_NONE : index;
}

/* The highest index + 1 below `limit` that entries have into an array. Count only active elements,
 * or all. */
static uint32_t used_count(const facet_j3d_materials *materials, facet_j3d_value value,
                           uint32_t limit, bool active_only)
{
    uint32_t used = 0;
    for (uint32_t f = 0; f < FACET_J3D_ENTRY_FIELDS; f++) {
        const facet_j3d_entry_field *field = &facet_j3d_entry_fields[f];
        if (field->value != value)
            continue;
        for (uint32_t e = 0; e < materials->entry_count; e++) {
            const facet_j3d_material_entry *entry = &materials->entries[e];
            facet_j3d_entry_counts counts = facet_j3d_count_entry(materials, entry);
            uint32_t count = active_only ? facet_j3d_used_indices(field, counts) : field->count;
            for (uint32_t i = 0; i < count; i++) {
                uint32_t index = stored_index(entry, field, i);
                if (index < limit && index >= used)
                    used = index + 1;
            }
        }
    }
    return used;
}

static bool is_count(facet_j3d_value value)
{
    return value == FACET_J3D_CHANNEL_COUNTS || value == FACET_J3D_TEXGEN_COUNTS ||
           value == FACET_J3D_STAGE_COUNTS;
}

/* True if all bytes are zero: some exporters write zeros instead of the padding text. */
static bool all_zeros(const uint8_t *bytes, size_t size)
{
    while (size > 0 && bytes[size - 1] == 0)
        size--;
    return size == 0;
}

/* Find the length of an array, which the file does not store; padding can follow it. Nintendo's
 * exporters have a known padding text. Else unused bytes that are shorter than the alignment are
 * padding. */
static uint32_t count_elements(const facet_j3d *document, facet_j3d_value value,
                               const uint8_t *bytes, size_t size, bool is_last)
{
    const facet_j3d_materials *materials = &document->materials;
    uint32_t element = facet_j3d_value_kinds[value].size;
    size_t most = size / element, alignment = is_last ? 32 : 4;
    uint32_t limit = most > UINT16_MAX ? UINT16_MAX : (uint32_t)most;
    uint32_t used = used_count(materials, value, limit, false);
    for (uint32_t count = used; count <= limit; count++) {
        size_t rest = size - (size_t)count * element;
        if (rest > 0 && rest < alignment &&
            facet_j3d_is_padding(&document->layout, bytes + (size_t)count * element, rest))
            return count;
    }
    return size - (size_t)used * element < alignment ? used : limit;
}

/* Extend an array beyond its end if an entry has a larger index and the section has bytes there.
 * The runtime does not check ends, so it reads these bytes. */
static uint32_t count_overlapping(const facet_j3d_reader *reader, facet_j3d_value value,
                                  uint32_t field, uint32_t count)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_MAT3];
    const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[value];
    size_t space = section->size - facet_load_u32be(section->bytes + field);
    size_t limit = space / kind->size;
    uint32_t used = used_count(&reader->document->materials, value,
                               limit > UINT16_MAX ? UINT16_MAX : (uint32_t)limit, true);
    if (used <= count)
        return count;
    facet_j3d_odd(reader, FACET_J3D_MAT3, field, "J3D-MAT3-OVERLAP",
                  "materials use %" PRIu32 " %s, but the next array begins after %" PRIu32, used,
                  kind->name, count);
    return used;
}

/* Report lights that SuperBMD wrote as colors, with four bytes each. Runtimes read beyond them. */
static void look_at_lights(const facet_j3d_reader *reader, const uint8_t *bytes, size_t size)
{
    facet_j3d_quirks *layout = &reader->document->layout;
    if (size == 0 || size % 4 != 0 || size >= facet_j3d_value_kinds[FACET_J3D_LIGHTS].size)
        return;
    layout->short_lights = bytes;
    layout->short_light_size = (uint32_t)size;
}

static facet_status read_values(facet_j3d_reader *reader, const variant *form,
                                facet_j3d_value value)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_MAT3];
    facet_j3d_materials *materials = &reader->document->materials;
    const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[value];
    uint32_t field = header_field(form, value);
    if (field == 0)
        return FACET_OK;
    uint32_t offset = facet_load_u32be(section->bytes + field);
    if (offset > section->size)
        return facet_j3d_fault(reader, FACET_J3D_MAT3, field, "J3D-MAT3-TABLE",
                               "the %s at 0x%" PRIX32 " are outside the section of %zu bytes",
                               kind->name, offset, section->size);
    size_t size = facet_j3d_table_size(section, form->head, field);
    const uint8_t *bytes = section->bytes + offset;
    uint32_t count = 0;
    if (size > 0)
        count =
            count_elements(reader->document, value, bytes, size, offset + size == section->size);
    /* Early exporters give ambient colors the offset of another array. */
    if (size > 0 || (offset != 0 && !usually_has_offset(value)))
        count = count_overlapping(reader, value, field, count);
    if (value == FACET_J3D_LIGHTS && !form->is_mat2)
        look_at_lights(reader, bytes, size);
    if (count == 0) {
        if (usually_has_offset(value) != (offset != 0) && !form->is_mat2)
            reader->document->layout.empty_material_arrays |= 1u << value;
        return FACET_OK;
    }
    size_t used = (size_t)count * kind->size;
    if (is_count(value) && used < size && size - used < 4 && all_zeros(bytes + used, size - used))
        reader->document->layout.zeros_between_materials = true;
    char *items = NULL;
    TRY(facet_j3d_make(reader, count, kind->size, &items));
    for (size_t i = 0; i < count; i++)
        facet_record_move(kind->layout, bytes + i * kind->size, items + i * kind->size);
    memcpy((char *)materials + kind->items, &items, sizeof items);
    *(uint32_t *)((char *)materials + kind->count) = count;
    return FACET_OK;
}

/* -- Hidden ambient colors --------------------------------------------- */

/* Ambient colors of the first exporters, which mix up element sizes: they advance by the size of
 * ambient colors over the channels, and vice versa. So the offsets of the ambient colors and of the
 * empty lights point into the channels. */
typedef struct hidden_ambient {
    uint32_t channels, offset; /* offsets of the channels, and of the supposed ambient colors */
    uint32_t channel_count, color_count;
} hidden_ambient;

static bool find_hidden_ambient(const facet_j3d_reader *reader, const variant *form,
                                hidden_ambient *hidden)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_MAT3];
    if (form->is_mat2)
        return false;
    uint32_t channels = facet_load_u32be(section->bytes + 0x28);
    uint32_t ambient = facet_load_u32be(section->bytes + 0x2C);
    uint32_t lights = facet_load_u32be(section->bytes + 0x30);
    uint32_t end = facet_load_u32be(section->bytes + 0x34);
    if (channels == 0 || ambient <= channels || lights != ambient || end <= lights ||
        end > section->size || (ambient - channels) % 4 != 0 || (end - lights) % 8 != 0)
        return false;
    hidden->channels = channels;
    hidden->offset = ambient;
    hidden->channel_count = (end - lights) / 8;
    hidden->color_count = (ambient - channels) / 4;
    uint32_t used =
        used_count(&reader->document->materials, FACET_J3D_CHANNELS, FACET_J3D_NONE, true);
    return used > (ambient - channels) / 8 && used <= hidden->channel_count;
}

static facet_status keep_hidden_ambient(facet_j3d_reader *reader, const hidden_ambient *hidden)
{
    facet_j3d_quirks *layout = &reader->document->layout;
    facet_gx_rgba8 *colors = NULL;
    const uint8_t *from = reader->sections[FACET_J3D_MAT3].bytes + hidden->channels +
                          (size_t)hidden->channel_count * 8;
    TRY(facet_j3d_make(reader, hidden->color_count, sizeof *colors, &colors));
    memcpy(colors, from, hidden->color_count * sizeof *colors);
    layout->hidden_ambient_colors = colors;
    layout->hidden_ambient_color_count = hidden->color_count;
    return FACET_OK;
}

/* Read one indirect record per slot, if any. As in the runtime, they exist if there is space
 * between the names and the records' offset. */
static facet_status read_indirects(facet_j3d_reader *reader, const variant *form)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_MAT3];
    facet_j3d_materials *materials = &reader->document->materials;
    uint32_t offset = facet_load_u32be(section->bytes + 0x18);
    uint32_t names = facet_load_u32be(section->bytes + 0x14);
    if (offset == 0 && !form->is_mat2)
        reader->document->layout.empty_material_arrays |= NO_INDIRECT_OFFSET;
    if (form->is_mat2 || offset == 0 || (offset > names && offset - names <= 4) || offset == names)
        return FACET_OK;
    if (offset > section->size) {
        facet_report_add(reader->report, "J3D-MAT3-TABLE", FACET_SEVERITY_ERROR,
                         section->offset + 0x18,
                         "the indirect textures at 0x%" PRIX32
                         " are outside the section of %zu bytes; they are left out",
                         offset, section->size);
        return FACET_OK;
    }
    size_t count = facet_j3d_table_size(section, form->head, 0x18) / FACET_J3D_INDIRECT_SIZE;
    if (count < materials->slot_count)
        facet_j3d_odd(reader, FACET_J3D_MAT3, 0x18, "J3D-MAT3-INDIRECT",
                      "there are %zu records of indirect textures for %" PRIu32 " materials", count,
                      materials->slot_count);
    TRY(facet_j3d_make(reader, count, sizeof *materials->indirects, &materials->indirects));
    for (size_t i = 0; i < count; i++)
        facet_j3d_load_indirect(section->bytes + offset + i * FACET_J3D_INDIRECT_SIZE,
                                &materials->indirects[i]);
    materials->indirect_count = (uint32_t)count;
    return FACET_OK;
}

/* -- Indices and counts -------------------------------------------------- */

static uint64_t entry_offset(const facet_j3d_reader *reader, const variant *form, uint32_t e)
{
    return facet_load_u32be(reader->sections[FACET_J3D_MAT3].bytes + 0x0C) +
           (uint64_t)e * form->entry_size;
}

static facet_status check_entry(const facet_j3d_reader *reader, const variant *form, uint32_t e)
{
    const facet_j3d_materials *materials = &reader->document->materials;
    facet_j3d_stray_index stray;
    if (!facet_j3d_find_stray_index(materials, &materials->entries[e], &stray))
        return FACET_OK;
    return facet_j3d_fault(
        reader, FACET_J3D_MAT3,
        entry_offset(reader, form, e) + (form->is_mat2 ? stray.field->at2 : stray.field->at3) +
            stray.i * stray.field->width,
        "J3D-MAT3-INDEX",
        "%s %" PRIu32 " of material entry %" PRIu32 " is number %" PRIu32 " of %" PRIu32,
        stray.field->name, stray.i, e, stray.index, stray.count);
}

static facet_status check_counts(const facet_j3d_reader *reader, const variant *form)
{
    const facet_j3d_materials *materials = &reader->document->materials;
    for (uint32_t e = 0; e < materials->entry_count; e++) {
        facet_j3d_entry_counts counts = facet_j3d_count_entry(materials, &materials->entries[e]);
        if (counts.texgens > 8 || counts.stages > 16 || counts.stages == 0 || counts.channels > 2)
            return facet_j3d_fault(
                reader, FACET_J3D_MAT3, entry_offset(reader, form, e) + 2, "J3D-MAT3-COUNT",
                "material entry %" PRIu32 " has %" PRIu32 " texgens, %" PRIu32
                " TEV stages and %" PRIu32 " channels, expected 0 to 8, 1 to 16 and 0 to 2",
                e, counts.texgens, counts.stages, counts.channels);
    }
    return FACET_OK;
}

facet_status facet_j3d_check_textures(facet_j3d_reader *reader)
{
    const facet_j3d *document = reader->document;
    const facet_j3d_materials *materials = &document->materials;
    const facet_j3d_section *section = &reader->sections[FACET_J3D_MAT3];
    const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[FACET_J3D_TEXTURE_NUMBERS];
    uint32_t field = materials->is_mat2 ? kind->header2 : kind->header3;
    for (uint32_t e = 0; document->has_textures && e < materials->entry_count; e++) {
        for (uint32_t i = 0; i < 8; i++) {
            uint16_t index = materials->entries[e].textures[i];
            if (index >= materials->texture_number_count)
                continue;
            uint16_t number = materials->texture_numbers[index];
            if (number != FACET_J3D_NONE && number >= document->textures.count)
                return facet_j3d_fault(
                    reader, FACET_J3D_MAT3,
                    facet_load_u32be(section->bytes + field) + 2 * (uint64_t)index,
                    "J3D-MAT3-TEXTURE",
                    "texture %" PRIu32 " of material entry %" PRIu32 " is number %u of %" PRIu32, i,
                    e, (unsigned)number, document->textures.count);
        }
    }
    return FACET_OK;
}

/* -- Reading ------------------------------------------------------------ */

/* True if the data after the names begins four bytes later than necessary. */
static bool has_wide_names(const facet_j3d_reader *reader, const variant *form)
{
    const facet_j3d_section *section = &reader->sections[FACET_J3D_MAT3];
    const facet_j3d_names *names = &reader->document->materials.names;
    size_t begin = facet_load_u32be(section->bytes + 0x14), end = begin;
    for (uint32_t i = 0; i < names->count; i++) {
        const char *after = names->items[i].bytes + strlen(names->items[i].bytes) + 1;
        size_t at = (size_t)((const uint8_t *)after - section->bytes);
        end = at > end ? at : end;
    }
    size_t next = begin + facet_j3d_table_size(section, form->head, 0x14);
    return end > begin && next % 8 == 0 && facet_align_up(end, 4) + 4 == next;
}

facet_status facet_j3d_read_mat3(facet_j3d_reader *reader)
{
    static const variant mat3 = {false, HEAD3, FACET_J3D_ENTRY3_SIZE};
    static const variant mat2 = {true, HEAD2, FACET_J3D_ENTRY2_SIZE};
    const uint8_t *bytes = reader->sections[FACET_J3D_MAT3].bytes;
    facet_j3d_materials *materials = &reader->document->materials;
    const variant *form = memcmp(bytes, "MAT2", 4) == 0 ? &mat2 : &mat3;
    facet_status status = facet_j3d_need_head(reader, FACET_J3D_MAT3, form->head, "J3D-MAT3-SIZE");
    if (status)
        return status;
    materials->is_mat2 = form->is_mat2;
    materials->slot_count = facet_load_u16be(bytes + 0x08);
    reader->document->layout.unaligned_material_names = facet_load_u32be(bytes + 0x14) % 4 == 2;
    status = read_entries(reader, form);
    if (!status)
        status = facet_j3d_read_names(reader, FACET_J3D_MAT3, 0x14, &materials->names);
    if (!status) {
        reader->document->layout.wide_material_names = has_wide_names(reader, form);
        status = read_indirects(reader, form);
    }
    /* Counts first: they decide which other elements are in use. */
    for (int value = 0; !status && value < FACET_J3D_VALUE_COUNT; value++) {
        if (is_count((facet_j3d_value)value))
            status = read_values(reader, form, (facet_j3d_value)value);
    }
    for (int value = 0; !status && value < FACET_J3D_VALUE_COUNT; value++) {
        if (!is_count((facet_j3d_value)value))
            status = read_values(reader, form, (facet_j3d_value)value);
    }
    hidden_ambient hidden;
    if (!status && find_hidden_ambient(reader, form, &hidden) &&
        materials->channel_count == hidden.channel_count)
        status = keep_hidden_ambient(reader, &hidden);
    if (!status)
        status = check_counts(reader, form);
    for (uint32_t e = 0; !status && e < materials->entry_count; e++)
        status = check_entry(reader, form, e);
    return status;
}

/* -- Writing ------------------------------------------------------------ */

static void put_entry(facet_j3d_writer *writer, const facet_j3d_material_entry *entry)
{
    const facet_j3d_materials *materials = &writer->document->materials;
    uint8_t *at = facet_j3d_extend(writer, FACET_J3D_ENTRY3_SIZE);
    for (uint32_t f = 0; at && f < FACET_J3D_ENTRY_FIELDS; f++) {
        const facet_j3d_entry_field *field = &facet_j3d_entry_fields[f];
        const char *member = (const char *)entry + field->member;
        if (field->width == 1)
            memcpy(at + field->at3, member, field->count);
        for (uint32_t i = 0; field->width == 2 && i < field->count; i++)
            facet_store_u16be(at + field->at3 + 2 * i, ((const uint16_t *)member)[i]);
    }
    /* Early exporters leave selections unset, but later runtimes need them. */
    for (uint32_t i = 0; at && materials->is_mat2 && i < 16; i++) {
        if (at[0x9C + i] == 0xFF)
            at[0x9C + i] = 0x0C;
        if (at[0xAC + i] == 0xFF)
            at[0xAC + i] = 0x1C;
    }
}

static void put_values(facet_j3d_writer *writer, facet_j3d_value value)
{
    const facet_j3d_materials *materials = &writer->document->materials;
    const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[value];
    const char *items = facet_j3d_value_items(materials, value);
    uint32_t count = facet_j3d_value_count(materials, value);
    uint8_t *at = facet_j3d_extend(writer, (size_t)count * kind->size);
    for (size_t i = 0; at && i < count; i++) {
        facet_record_move(kind->layout, items + i * kind->size, at + i * kind->size);
        /* The same for the ambient source. */
        if (materials->is_mat2 && value == FACET_J3D_CHANNELS && at[i * 8 + 5] == 0xFF)
            at[i * 8 + 5] = 0;
    }
}

static bool has_offset(const facet_j3d *document, facet_j3d_value value)
{
    bool unusual = document->layout.empty_material_arrays >> value & 1;
    return facet_j3d_value_count(&document->materials, value) > 0 ||
           usually_has_offset(value) != unusual;
}

/* Write the channels and the hidden ambient colors after them. False, with nothing written, if the
 * document has other data at their offset now. */
static bool put_hidden_ambient(facet_j3d_writer *writer)
{
    const facet_j3d_materials *materials = &writer->document->materials;
    const facet_j3d_quirks *layout = &writer->document->layout;
    size_t before = writer->size, channels = facet_j3d_writer_position(writer);
    size_t ambient = channels + (size_t)layout->hidden_ambient_color_count * 4;
    size_t seen = (size_t)materials->ambient_color_count * 4;
    put_values(writer, FACET_J3D_CHANNELS);
    facet_j3d_put(writer, layout->hidden_ambient_colors,
                  (size_t)layout->hidden_ambient_color_count * 4);
    if (writer->failed || ambient + seen > facet_j3d_writer_position(writer) ||
        (seen > 0 &&
         memcmp(writer->bytes + writer->section + ambient, materials->ambient_colors, seen) != 0)) {
        writer->size = before;
        return false;
    }
    facet_j3d_patch(writer, 0x28, (uint32_t)channels);
    facet_j3d_patch(writer, 0x2C, (uint32_t)ambient);
    facet_j3d_patch(writer, 0x30, (uint32_t)ambient);
    return true;
}

static void pad_array(facet_j3d_writer *writer)
{
    if (writer->document->layout.zeros_between_materials)
        facet_j3d_pad_zeros(writer, 4);
    else
        facet_j3d_pad(writer, 4);
}

static void put_arrays(facet_j3d_writer *writer)
{
    const facet_j3d *document = writer->document;
    bool may_hide =
        document->layout.hidden_ambient_color_count > 0 && document->materials.light_count == 0;
    for (int i = 0; i < FACET_J3D_VALUE_COUNT; i++) {
        facet_j3d_value value = (facet_j3d_value)i;
        if (value == FACET_J3D_CHANNELS && may_hide && put_hidden_ambient(writer)) {
            i = FACET_J3D_LIGHTS; /* all values up to the lights are written */
            continue;
        }
        bool is_short = value == FACET_J3D_LIGHTS && document->layout.short_lights;
        if (has_offset(document, value) || is_short)
            facet_j3d_patch_to_position(writer, facet_j3d_value_kinds[value].header3);
        if (is_short)
            facet_j3d_put(writer, document->layout.short_lights, document->layout.short_light_size);
        else
            put_values(writer, value);
        pad_array(writer);
    }
}

facet_status facet_j3d_write_mat3(facet_j3d_writer *writer)
{
    const facet_j3d_materials *materials = &writer->document->materials;
    TRY(facet_j3d_fits_u16(writer, materials->slot_count, "J3D-MAT3-REMAP", "materials"));
    facet_j3d_put_u16(writer, (uint16_t)materials->slot_count);
    facet_j3d_put_u16(writer, 0xFFFF);
    facet_j3d_put_zeros(writer, HEAD3 - 0x0C);
    facet_j3d_free_offset(writer, 0x18, materials->indirect_count);
    for (int i = 0; i < FACET_J3D_VALUE_COUNT; i++)
        facet_j3d_free_offset(writer, facet_j3d_value_kinds[i].header3,
                              facet_j3d_value_count(materials, (facet_j3d_value)i));
    facet_j3d_patch_to_position(writer, 0x0C);
    for (uint32_t i = 0; i < materials->entry_count; i++)
        put_entry(writer, &materials->entries[i]);
    facet_j3d_patch_to_position(writer, 0x10);
    facet_j3d_put_u16s(writer, materials->remap, materials->slot_count);
    if (!writer->document->layout.unaligned_material_names)
        facet_j3d_pad(writer, 4);
    size_t names = facet_j3d_writer_position(writer);
    TRY(facet_j3d_put_names(writer, &materials->names, 0x14));
    facet_j3d_pad(writer, writer->document->layout.wide_material_names ? 8 : 4);
    /* Without records, the offset is that of the names. */
    if (!(writer->document->layout.empty_material_arrays & NO_INDIRECT_OFFSET))
        facet_j3d_patch(writer, 0x18, (uint32_t)names);
    if (materials->indirect_count > 0) {
        /* Add padding: records directly after an empty name table would count as missing in the
         * runtime. */
        if (facet_j3d_writer_position(writer) - names <= 4)
            facet_j3d_put(writer, FACET_J3D_PADDING, 4);
        facet_j3d_patch_to_position(writer, 0x18);
    }
    for (uint32_t i = 0; i < materials->indirect_count; i++) {
        uint8_t *at = facet_j3d_extend(writer, FACET_J3D_INDIRECT_SIZE);
        if (at)
            facet_j3d_store_indirect(&materials->indirects[i], at);
    }
    put_arrays(writer);
    return FACET_OK;
}
