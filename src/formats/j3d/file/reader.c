/* formats/j3d/file/reader.c - shared code of the section readers: errors, tables, and the padding
 * text. */
#include "formats/j3d/file/reader.h"

#include "base/arena.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- Errors and findings ------------------------------------------------ */

facet_status facet_j3d_fault(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                             uint64_t at, const char *rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_status status = facet_fail_v(reader->error, FACET_ERROR_MALFORMED, rule,
                                       reader->sections[kind].offset + at, 0, format, arguments);
    va_end(arguments);
    return status;
}

void facet_j3d_odd(const facet_j3d_reader *reader, facet_j3d_section_kind kind, uint64_t at,
                   const char *rule, const char *format, ...)
{
    char sentence[400];
    va_list arguments;
    if (!reader->report)
        return;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    facet_report_add(reader->report, rule, FACET_SEVERITY_WARNING,
                     reader->sections[kind].offset + at, "%s", sentence);
}

/* -- Tables ------------------------------------------------------------- */

facet_status facet_j3d_need_head(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                 size_t size, const char *rule)
{
    size_t has = reader->sections[kind].size;
    if (has >= size)
        return FACET_OK;
    return facet_j3d_fault(reader, kind, 0, rule,
                           "the section has %zu bytes, but its header needs %zu", has, size);
}

facet_status facet_j3d_find_table(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, uint64_t count, uint32_t size, const char *rule,
                                  const char *what, const uint8_t **table)
{
    const facet_j3d_section *section = &reader->sections[kind];
    uint32_t offset = facet_load_u32be(section->bytes + field);
    *table = NULL;
    if (count == 0)
        return FACET_OK;
    if (offset == 0)
        return facet_j3d_fault(reader, kind, field, rule,
                               "there are no %s, but %" PRIu64 " are needed", what, count);
    if (!facet_range_fits(offset, count, size, section->size))
        return facet_j3d_fault(reader, kind, field, rule,
                               "%" PRIu64 " %s at 0x%" PRIX32
                               " run over the end of the section of %zu bytes",
                               count, what, offset, section->size);
    *table = section->bytes + offset;
    return FACET_OK;
}

facet_status facet_j3d_make(const facet_j3d_reader *reader, size_t count, size_t size,
                            void *pointer_to_array)
{
    void *array = NULL;
    if (count > 0) {
        array = facet_arena_allocate_zeroed(reader->arena, count, size);
        if (!array)
            return facet_fail_arena(reader->arena, reader->error);
    }
    memcpy(pointer_to_array, &array, sizeof array);
    return FACET_OK;
}

facet_status facet_j3d_read_remap(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, uint32_t count, uint32_t limit, const char *rule,
                                  uint16_t **remap)
{
    const facet_j3d_section *section = &reader->sections[kind];
    bool stored = facet_load_u32be(section->bytes + field) != 0;
    const uint8_t *table = NULL;
    uint16_t *made = NULL;
    facet_status status = FACET_OK;
    if (stored)
        status = facet_j3d_find_table(reader, kind, field, count, 2, rule, "remap entries", &table);
    if (!status)
        status = facet_j3d_make(reader, count, sizeof *made, &made);
    for (uint32_t i = 0; !status && i < count; i++) {
        made[i] = stored ? facet_load_u16be(table + 2 * i) : (uint16_t)i;
        if (made[i] >= limit)
            status = facet_j3d_fault(
                reader, kind, stored ? (uint64_t)(table - section->bytes) + 2 * i : field, rule,
                "remap entry %" PRIu32 " is %u of %" PRIu32, i, (unsigned)made[i], limit);
    }
    if (!status)
        *remap = made;
    return status;
}

/* -- Padding ------------------------------------------------------------ */

void facet_j3d_learn_padding(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                             size_t end)
{
    const facet_j3d_section *section = &reader->sections[kind];
    facet_j3d_quirks *layout = &reader->document->layout;
    size_t size = end < section->size ? section->size - end : 0;
    if (size <= layout->padding_size || size > sizeof layout->padding)
        return;
    memcpy(layout->padding, section->bytes + end, size);
    layout->padding_size = (uint8_t)size;
}

bool facet_j3d_is_padding(const facet_j3d_quirks *layout, const uint8_t *bytes, size_t size)
{
    size_t known = layout->padding_size < size ? layout->padding_size : size;
    if (size < sizeof FACET_J3D_PADDING && memcmp(bytes, FACET_J3D_PADDING, size) == 0)
        return true;
    return known == size && memcmp(bytes, layout->padding, size) == 0;
}

/* Reduce a repeating padding text to one period. The writer repeats it. */
static void shorten_padding(facet_j3d_quirks *layout)
{
    size_t size = layout->padding_size, period = 1;
    while (period < size && memcmp(layout->padding, layout->padding + period, size - period) != 0)
        period++;
    if (period >= size)
        return;
    memset(layout->padding + period, 0, size - period);
    layout->padding_size = (uint8_t)period;
}

void facet_j3d_complete_padding(facet_j3d_quirks *layout)
{
    static const char known[][33] = {
        FACET_J3D_PADDING,
        "This is padding data to alignmen",
        "Model made with SuperBMD by Gamm",
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (memcmp(layout->padding, known[i], layout->padding_size) != 0)
            continue;
        memset(layout->padding, 0, sizeof layout->padding);
        layout->padding_size = 0;
        if (i > 0) {
            memcpy(layout->padding, known[i], strlen(known[i]));
            layout->padding_size = (uint8_t)strlen(known[i]);
        }
        return;
    }
    shorten_padding(layout);
}
