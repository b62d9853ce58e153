/* formats/bsm/layout.c - order of the arrays in a file, bytes between them, and names in fixed
 * fields. */
#include "formats/bsm/layout.h"

#include <string.h>

/* -- Bytes between the arrays ------------------------------------------- */

facet_bsm_span facet_bsm_array_span(const facet_bsm_layout *layout, facet_bsm_array array)
{
    facet_bsm_span span;
    span.begin = layout->offset[array];
    span.end =
        span.begin + (uint64_t)layout->count[array] * facet_bsm_array_infos[array].record_size;
    return span;
}

size_t facet_bsm_order(const facet_bsm_layout *layout, facet_bsm_array order[FACET_BSM_ARRAY_COUNT])
{
    size_t count = 0;
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT; array++) {
        if (layout->count[array] == 0)
            continue;
        size_t at = count++;
        for (; at > 0 && layout->offset[order[at - 1]] > layout->offset[array]; at--)
            order[at] = order[at - 1];
        order[at] = (facet_bsm_array)array;
    }
    return count;
}

size_t facet_bsm_find_gaps(const facet_bsm_layout *layout,
                           facet_bsm_span gaps[FACET_BSM_ARRAY_COUNT + 1])
{
    facet_bsm_array order[FACET_BSM_ARRAY_COUNT];
    size_t arrays = facet_bsm_order(layout, order), count = 0;
    uint64_t covered = FACET_BSM_HEADER_SIZE;
    for (size_t i = 0; i <= arrays; i++) {
        facet_bsm_span next = {layout->size, layout->size};
        if (i < arrays)
            next = facet_bsm_array_span(layout, order[i]);
        if (next.begin > covered) {
            gaps[count].begin = covered;
            gaps[count++].end = next.begin;
        }
        if (next.end > covered)
            covered = next.end;
    }
    return count;
}

/* -- Sorting ------------------------------------------------------------ */

static void sift_down(uint64_t *heap, size_t at, size_t count)
{
    uint64_t number = heap[at];
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && heap[child + 1] > heap[child];
        if (heap[child] <= number)
            break;
        heap[at] = heap[child];
    }
    heap[at] = number;
}

/* A heap sort: qsort can allocate, and some implementations are slow on crafted input. */
void facet_bsm_sort(uint64_t *numbers, size_t count)
{
    size_t sorted = 1;
    while (sorted < count && numbers[sorted - 1] <= numbers[sorted])
        sorted++;
    if (sorted >= count)
        return;
    for (size_t i = count / 2; i-- > 0;)
        sift_down(numbers, i, count);
    for (size_t end = count - 1; end > 0; end--) {
        uint64_t largest = numbers[0];
        numbers[0] = numbers[end];
        numbers[end] = largest;
        sift_down(numbers, 0, end);
    }
}

/* -- Names -------------------------------------------------------------- */

size_t facet_bsm_name_length(const char *name)
{
    const char *end = memchr(name, '\0', FACET_BSM_NAME_SIZE);
    return end ? (size_t)(end - name) : FACET_BSM_NAME_SIZE;
}

bool facet_bsm_name_has_tail(const char *name)
{
    for (size_t i = facet_bsm_name_length(name); i < FACET_BSM_NAME_SIZE; i++) {
        if (name[i] != '\0')
            return true;
    }
    return false;
}
