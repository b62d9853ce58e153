/* batch/balance.c - shards of about equal bytes. Each item, the largest first, is added to the
 * shard with the fewest bytes. Every shard computes the same result from the same items. */
#include "base/system.h"
#include "batch/batch.h"

#include <stdlib.h>
#include <string.h>

/* Cost of an item in addition to its bytes. */
#define ITEM_COST 4096

typedef struct weighed {
    const char *id;
    uint64_t bytes;
    size_t index;
} weighed;

static int compare_weighed(const void *a, const void *b)
{
    const weighed *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return strcmp(x->id, y->id);
}

/* -- Shards, the lightest at the root of a heap --------------------------- */

typedef struct load {
    uint64_t bytes, shard;
} load;

static bool is_lighter(const load *a, const load *b)
{
    return a->bytes != b->bytes ? a->bytes < b->bytes : a->shard < b->shard;
}

/* Restore the order of a heap whose root grew. */
static void sink(load *heap, size_t count)
{
    for (size_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_lighter(&heap[child + 1], &heap[child]))
            child++;
        if (!is_lighter(&heap[child], &heap[at]))
            return;
        load moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
}

/* -- Choosing ----------------------------------------------------------- */

static uint64_t size_of(const cli_batch_item *item)
{
    facet_file_info place;
    if (item->bytes > 0)
        return item->bytes;
    return facet_system_get_file_info(item->in, &place) && place.is_file ? place.size : 0;
}

/* Keep the items whose value in `numbers` is not CLI_BATCH_ELSEWHERE; the value is the new index.
 * False if out of memory. */
static bool keep(cli_batch_items *items, uint32_t *numbers)
{
    size_t count = items->count;
    facet_table_free(&items->ids);
    items->ids = facet_table_make(items->arena);
    items->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] == CLI_BATCH_ELSEWHERE) {
            items->elsewhere++;
            continue;
        }
        numbers[i] = (uint32_t)items->count;
        const char *id = items->items[i].id;
        if (cli_batch_items_put(items, id, strlen(id)) == UINT32_MAX)
            return false;
        items->items[items->count++] = items->items[i];
    }
    for (size_t i = 0; i < items->paths.count; i++) {
        cli_batch_entry *entry = &items->paths.entries[i];
        if (entry->item != CLI_BATCH_ELSEWHERE)
            entry->item = numbers[entry->item];
    }
    return true;
}

int cli_batch_balance(cli_batch_items *items, const cli_batch_shard *shard)
{
    weighed *all = calloc(items->count + 1, sizeof *all);
    uint32_t *numbers = calloc(items->count + 1, sizeof *numbers);
    /* If there are more shards than items, the last shards are empty. */
    size_t count = shard->count < items->count ? (size_t)shard->count : items->count;
    load *heap = calloc(count + 1, sizeof *heap);
    bool balanced = all && numbers && heap;
    for (size_t i = 0; i < items->count && balanced; i++)
        all[i] = (weighed){items->items[i].id, size_of(&items->items[i]), i};
    if (balanced && items->count > 1)
        qsort(all, items->count, sizeof *all, compare_weighed);
    for (size_t i = 0; i < count && balanced; i++)
        heap[i].shard = i;
    for (size_t i = 0; i < items->count && balanced; i++) {
        numbers[all[i].index] =
            heap[0].shard == shard->index ? (uint32_t)all[i].index : CLI_BATCH_ELSEWHERE;
        heap[0].bytes += all[i].bytes + ITEM_COST;
        sink(heap, count);
    }
    balanced = balanced && keep(items, numbers);
    free(heap);
    free(numbers);
    free(all);
    if (!balanced)
        cli_complain_memory(NULL);
    return balanced ? EXIT_DONE : EXIT_SYSTEM;
}
