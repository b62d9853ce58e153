/* cli/info_sizes.c - facet info --sizes: the sizes of a file's parts, from lists in the description
 * whose objects have "bytes". */
#include "cli/info_sizes.h"

#include "base/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 10 };

typedef struct part {
    const facet_tree *node;
    uint64_t bytes;
    size_t index;
} part;

typedef struct parts {
    part *items;
    size_t count;
    uint64_t bytes;
} parts;

static const facet_tree *bytes_of(const facet_tree *node)
{
    const facet_tree *bytes =
        node->kind == FACET_TREE_OBJECT ? facet_tree_find(node, "bytes") : NULL;
    return bytes && bytes->kind == FACET_TREE_INTEGER ? bytes : NULL;
}

/* Compare by size, largest first. */
static int compare_parts(const void *left, const void *right)
{
    const part *a = left, *b = right;
    if (a->bytes != b->bytes)
        return a->bytes > b->bytes ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static bool collect(const facet_tree *list, parts *found)
{
    size_t space = 0;
    *found = (parts){0};
    for (const facet_tree *node = list->first; node; node = node->next)
        space++;
    found->items = calloc(space + 1, sizeof *found->items);
    size_t index = 0;
    for (const facet_tree *node = list->first; node && found->items; node = node->next, index++) {
        const facet_tree *bytes = bytes_of(node);
        if (!bytes)
            continue;
        found->items[found->count++] = (part){node, (uint64_t)bytes->integer, index};
        found->bytes += (uint64_t)bytes->integer;
    }
    if (found->count > 0)
        qsort(found->items, found->count, sizeof *found->items, compare_parts);
    return found->items != NULL;
}

static const char *name_of(const facet_tree *node)
{
    const facet_tree *name = facet_tree_find(node, "name");
    if (!name)
        name = facet_tree_find(node, "section");
    return name && name->kind == FACET_TREE_STRING ? name->string : "";
}

static void print_parts(const char *key, const parts *p, uint64_t whole)
{
    printf("  %s: %zu, %" PRIu64 " bytes\n", key, p->count, p->bytes);
    for (size_t i = 0; i < p->count && i < MAX_SHOWN; i++) {
        double share = whole > 0 ? 100 * (double)p->items[i].bytes / (double)whole : 0;
        printf("    %10" PRIu64 "  %5.1f %%  [%zu] ", p->items[i].bytes, share, p->items[i].index);
        cli_put(stdout, name_of(p->items[i].node));
        putchar('\n');
    }
    if (p->count > MAX_SHOWN)
        printf("    and %zu smaller ones\n", p->count - MAX_SHOWN);
}

bool cli_print_sizes(const char *path, const facet_description *d)
{
    bool fits = true;
    cli_print_line(stdout, "%s: %s, %" PRIu64 " bytes", cli_input_name(path),
                   facet_format_title(d->format), d->bytes);
    for (const facet_tree *list = d->detail->first; list && fits; list = list->next) {
        parts p;
        if (list->kind != FACET_TREE_ARRAY || !list->key)
            continue;
        fits = collect(list, &p);
        if (fits && p.count > 0)
            print_parts(list->key, &p, d->bytes);
        free(p.items);
    }
    return fits;
}

bool cli_print_sizes_json(cli_record *record, const char *path, const facet_description *d)
{
    bool fits = true;
    facet_json *object = facet_json_object(), *sizes = facet_json_object();
    for (const facet_tree *list = d->detail->first; list && fits; list = list->next) {
        parts p;
        if (list->kind != FACET_TREE_ARRAY || !list->key)
            continue;
        fits = collect(list, &p);
        facet_json *array = p.count > 0 ? facet_json_array() : NULL;
        for (size_t i = 0; i < p.count; i++) {
            facet_json *one = facet_json_object();
            facet_json_set(one, "index", facet_json_integer((int64_t)p.items[i].index));
            facet_json_set(one, "name", cli_json_text(name_of(p.items[i].node)));
            facet_json_set(one, "bytes", facet_json_integer((int64_t)p.items[i].bytes));
            facet_json_append(array, one);
        }
        if (array)
            facet_json_set(sizes, list->key, array);
        free(p.items);
    }
    facet_json_set(object, "file", cli_json_text(path));
    facet_json_set(object, "format", cli_json_of_format(d->format));
    facet_json_set(object, "bytes", facet_json_integer((int64_t)d->bytes));
    facet_json_set(object, "sizes", sizes);
    cli_print_json(record, stdout, object);
    return fits;
}
