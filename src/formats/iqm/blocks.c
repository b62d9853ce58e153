/* formats/iqm/blocks.c - the byte ranges of a file with their content. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/iqm/file.h"

#include <stdlib.h>

static int by_offset(const void *a, const void *b)
{
    const facet_iqm_block *l = a, *r = b;
    if (l->begin != r->begin)
        return l->begin < r->begin ? -1 : 1;
    return l->end < r->end ? -1 : l->end > r->end;
}

typedef struct block_list {
    facet_iqm_block *blocks;
    size_t count;
} block_list;

static void add_block(block_list *list, uint64_t offset, uint64_t size, const char *name)
{
    if (size > 0)
        list->blocks[list->count++] = (facet_iqm_block){offset, offset + size, name};
}

static void add_arrays(block_list *list, const facet_iqm_layout *layout)
{
    for (uint32_t i = 0; i < layout->count[FACET_IQM_ARRAYS]; i++) {
        facet_iqm_array array;
        facet_iqm_load_array(layout, i, &array);
        if (array.data)
            add_block(list, array.offset,
                      (uint64_t)layout->vertex_count * array.size *
                          facet_iqm_component_size(array.format),
                      "vertex array");
    }
}

static void add_extensions(block_list *list, const facet_iqm_layout *layout, size_t capacity)
{
    uint32_t offset = layout->offset[FACET_IQM_EXTENSIONS];
    facet_iqm_extension extension;
    while (list->count + 2 <= capacity && facet_iqm_next_extension(layout, &offset, &extension)) {
        add_block(list, extension.offset, FACET_IQM_EXTENSION_SIZE, "extension");
        if (extension.data)
            add_block(list, extension.data_offset, extension.size, "data of an extension");
    }
}

facet_status facet_iqm_list_blocks(const facet_iqm_layout *layout, facet_arena *arena,
                                   facet_iqm_block **blocks, size_t *count, facet_error *error)
{
    /* The count in the header can exceed the space of the file. */
    uint64_t extensions = layout->count[FACET_IQM_EXTENSIONS];
    if (extensions > layout->size / FACET_IQM_EXTENSION_SIZE)
        extensions = layout->size / FACET_IQM_EXTENSION_SIZE;
    size_t most = FACET_IQM_SECTION_COUNT + layout->count[FACET_IQM_ARRAYS];
    block_list list = {
        facet_arena_allocate(arena, most + (size_t)extensions * 2, sizeof(facet_iqm_block)), 0};
    if (!list.blocks)
        return facet_fail_arena(arena, error);
    for (int section = 0; section < FACET_IQM_EXTENSIONS; section++) {
        if (layout->raw[section])
            add_block(&list, layout->offset[section],
                      (uint64_t)layout->count[section] * layout->record_size[section],
                      facet_iqm_section_infos[section].name);
    }
    add_arrays(&list, layout);
    if (extensions > 0)
        add_extensions(&list, layout, list.count + (size_t)extensions * 2);
    qsort(list.blocks, list.count, sizeof *list.blocks, by_offset);
    *blocks = list.blocks;
    *count = list.count;
    return FACET_OK;
}

uint64_t facet_iqm_find_nonzero(const uint8_t *bytes, uint64_t size)
{
    uint64_t i = 0;
    while (i < size && bytes[i] == 0)
        i++;
    return i;
}
