/* fuzz/fuzz_batch.c - harness for the texts that `facet batch` reads: a manifest or a list of
 * names. The first byte selects the options. The items are read, or rejected with an exit status;
 * no item is run. */
#include "batch/batch.h"
#include "folder.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds)
        abort();
}

/* Check the items: each has an id that occurs once, an input, and an output if one is needed. */
static void look(const cli_batch_origin *origin, cli_batch_items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        const cli_batch_item *item = &items->items[i];
        require(item->id && item->in && *item->in);
        require(item->out || !origin->wants_out);
        require(cli_batch_items_find(items, item->id, strlen(item->id)) == i);
        const cli_batch_more *more = cli_batch_more_of(item);
        for (int k = 0; k < more->word_count; k++)
            require(more->words[k] != NULL);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const char *path = put_own_file("text", data + 1, size - 1);
    cli_batch_origin origin = {.shard = {0, 1}};
    cli_batch_items items = {0};
    *(data[0] & 1 ? &origin.list : &origin.manifest) = path;
    origin.null = data[0] & 2;
    origin.out = data[0] & 4 ? "out/{dir}/{stem}-{id}.{ext}" : NULL;
    origin.wants_out = data[0] & 8;
    origin.packs = data[0] & 16;
    if (data[0] & 32)
        origin.shard = (cli_batch_shard){1, 3};
    int result = cli_batch_items_read(&origin, &items);
    require(result == EXIT_DONE || result == EXIT_USAGE || result == EXIT_INPUT);
    if (result == EXIT_DONE)
        look(&origin, &items);
    cli_batch_items_free(&items);
    return 0;
}
