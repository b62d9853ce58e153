/* batch/ids.c - the item with an id. The table stores only indices: the ids of a million items are
 * in memory anyway. */
#include "batch/batch.h"

#include <string.h>

static facet_name id_of(const cli_batch_items *items, uint32_t number)
{
    if (number == items->count)
        return items->wanted;
    const char *id = items->items[number].id;
    return (facet_name){id, strlen(id)};
}

static int compare_ids(const void *user, uint32_t a, uint32_t b)
{
    facet_name x = id_of(user, a), y = id_of(user, b);
    int order = memcmp(x.text, y.text, x.length < y.length ? x.length : y.length);
    return order != 0 ? order : (x.length > y.length) - (x.length < y.length);
}

uint32_t cli_batch_items_find(cli_batch_items *items, const char *id, size_t length)
{
    items->wanted = (facet_name){id, length};
    return facet_table_find(&items->ids, facet_hash_bytes(id, length), (uint32_t)items->count,
                            compare_ids, items);
}

uint32_t cli_batch_items_put(cli_batch_items *items, const char *id, size_t length)
{
    items->wanted = (facet_name){id, length};
    return facet_table_put(&items->ids, facet_hash_bytes(id, length), (uint32_t)items->count,
                           compare_ids, items);
}
