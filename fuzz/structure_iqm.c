/* fuzz/structure_iqm.c - mutations of an IQM file: duplicate or remove a record, or change bytes of
 * a record or of a vertex array. File size, record counts and offsets stay correct. */
#include "structure.h"

#include "base/bytes.h"
#include "base/size.h"
#include "formats/iqm/view.h"

#include <string.h>

bool structure_is_iqm(const uint8_t *data, size_t size)
{
    return size >= FACET_IQM_HEADER_SIZE && memcmp(data, "INTERQUAKEMODEL", 16) == 0;
}

/* -- Offsets ------------------------------------------------------------ */

/* Add `delta` to all offsets from `from` on. A negative delta wraps around. */
typedef struct move {
    uint32_t from, delta;
} move;

static void move_offset(uint8_t *at, const move *m)
{
    uint32_t offset = facet_load_u32le(at);
    if (offset >= m->from)
        facet_store_u32le(at, offset + m->delta);
}

/* Update all offsets of the file, and its size to `size`. */
static void move_offsets(uint8_t *data, size_t size, const move *m)
{
    for (int i = 0; i < FACET_IQM_SECTION_COUNT; i++)
        move_offset(data + facet_iqm_section_infos[i].offset_at, m);
    facet_store_u32le(data + FACET_IQM_AT_FILE_SIZE, (uint32_t)size);
    facet_iqm_layout layout;
    if (facet_iqm_view(data, size, &layout, NULL))
        return;
    for (uint32_t i = 0; i < layout.count[FACET_IQM_ARRAYS]; i++)
        move_offset(data + facet_iqm_record_offset(&layout, FACET_IQM_ARRAYS, i) + 16, m);
    /* Follow at most as many extensions as fit into the file: the list may be a cycle. */
    size_t left = size / FACET_IQM_EXTENSION_SIZE;
    uint64_t at = layout.count[FACET_IQM_EXTENSIONS] ? layout.offset[FACET_IQM_EXTENSIONS] : 0;
    while (at >= FACET_IQM_HEADER_SIZE && at + FACET_IQM_EXTENSION_SIZE <= size && left-- > 0) {
        move_offset(data + at + 8, m);
        move_offset(data + at + 12, m);
        at = facet_load_u32le(data + at + 12);
    }
}

/* -- Changes ------------------------------------------------------------ */

/* True of sections whose number of records no other section depends on. */
static bool has_own_count(facet_iqm_section section)
{
    static const bool own[FACET_IQM_SECTION_COUNT] = {
        [FACET_IQM_TEXT] = true,   [FACET_IQM_MESHES] = true, [FACET_IQM_ARRAYS] = true,
        [FACET_IQM_JOINTS] = true, [FACET_IQM_POSES] = true,  [FACET_IQM_ANIMATIONS] = true,
        [FACET_IQM_COMMENT] = true};
    return own[section];
}

/* Duplicate or remove a record. Text changes by 4 bytes, so that offsets stay aligned. Returns the
 * new size, or 0 if nothing changed. */
static size_t change_count(uint8_t *data, size_t size, size_t most, const facet_iqm_layout *layout,
                           facet_iqm_section section, uint32_t *random)
{
    uint32_t step = layout->record_size[section] == 1 ? 4 : 1;
    uint32_t bytes = step * layout->record_size[section], count = layout->count[section] / step;
    bool more = structure_next(random) % 2;
    if (count == 0 || (more && size + bytes > most) || (!more && count == 1))
        return 0;
    uint32_t index = structure_next(random) % count;
    size_t at = layout->offset[section] + (size_t)index * bytes;
    size_t behind = at + bytes, changed = more ? size + bytes : size - bytes;
    if (more)
        memmove(data + behind + bytes, data + behind, size - behind);
    else
        memmove(data + at, data + behind, size - behind);
    if (more)
        memcpy(data + behind, data + at, bytes);
    facet_store_u32le(data + facet_iqm_section_infos[section].count_at,
                      layout->count[section] + (more ? step : 0 - step));
    move_offsets(data, changed, &(move){(uint32_t)behind, more ? bytes : 0 - bytes});
    return changed;
}

/* Change some bytes of a section, or of a vertex array that a record refers to. */
static void change_bytes(uint8_t *data, const facet_iqm_layout *layout, facet_iqm_section section,
                         uint32_t *random)
{
    size_t at = layout->offset[section], length = layout->record_size[section];
    if (section != FACET_IQM_EXTENSIONS)
        length *= layout->count[section];
    if (section == FACET_IQM_ARRAYS && structure_next(random) % 4) {
        facet_iqm_array array;
        facet_iqm_load_array(layout, structure_next(random) % layout->count[section], &array);
        uint64_t bytes =
            (uint64_t)layout->vertex_count * array.size * facet_iqm_component_size(array.format);
        if (array.data && bytes > 0 && facet_range_fits(array.offset, bytes, 1, layout->size)) {
            at = array.offset;
            length = (size_t)bytes;
        }
    }
    structure_change_window(data + at, length, random);
}

size_t structure_change_iqm(uint8_t *data, size_t size, size_t most, uint32_t *random)
{
    facet_iqm_layout layout;
    facet_iqm_section present[FACET_IQM_SECTION_COUNT];
    uint32_t count = 0;
    if (facet_iqm_view(data, size, &layout, NULL))
        return 0;
    for (int i = 0; i < FACET_IQM_SECTION_COUNT; i++) {
        if (layout.raw[i] && layout.count[i] > 0)
            present[count++] = (facet_iqm_section)i;
    }
    if (count == 0)
        return 0;
    facet_iqm_section section = present[structure_next(random) % count];
    size_t changed = has_own_count(section) && structure_next(random) % 4 == 0
                         ? change_count(data, size, most, &layout, section, random)
                         : 0;
    if (changed > 0)
        return changed;
    for (uint32_t i = structure_next(random) % 3 + 1; i > 0; i--)
        change_bytes(data, &layout, section, random);
    return size;
}
