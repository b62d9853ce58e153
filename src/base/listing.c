/* base/listing.c - a name of a folder that is written in another case of letters. Each search
 * lists the folder. The names of the last large folder are kept: many files that name a missing
 * one would otherwise list it as many times. */
#include "base/listing.h"
#include "base/system.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

/* From so many names on they are kept. */
enum { LARGE = 512 };

/* -- A listing ----------------------------------------------------------- */

typedef struct listing {
    char folder[FACET_PATH_MAX];
    facet_place place; /* before the names were listed */
    time_t listed;
    char *text; /* the names, each with its NUL */
    size_t used, space;
    size_t count;
    const char **names; /* sorted; NULL: not yet */
} listing;

static void free_listing(listing *l)
{
    if (l) {
        free(l->text);
        free(l->names);
        free(l);
    }
}

static int compare_names(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    int order = strcasecmp(x, y);
    return order != 0 ? order : strcmp(x, y);
}

static bool append_name(void *user, const char *name)
{
    listing *l = user;
    size_t length = strlen(name) + 1;
    if (length > l->space - l->used) {
        size_t space = 2 * (l->space + length);
        char *grown = realloc(l->text, space);
        if (!grown)
            return false;
        l->text = grown;
        l->space = space;
    }
    memcpy(l->text + l->used, name, length);
    l->used += length;
    l->count++;
    return true;
}

static bool sort_names(listing *l)
{
    l->names = malloc((l->count + 1) * sizeof *l->names);
    const char *name = l->text;
    for (size_t i = 0; i < l->count && l->names; i++, name += strlen(name) + 1)
        l->names[i] = name;
    if (l->names && l->count > 0)
        qsort(l->names, l->count, sizeof *l->names, compare_names);
    return l->names != NULL;
}

/* NULL: the folder cannot be read, or without memory. */
static listing *list(const char *folder)
{
    listing *l = calloc(1, sizeof *l);
    size_t length = strlen(folder);
    if (!l || length >= sizeof l->folder) {
        free(l);
        return NULL;
    }
    memcpy(l->folder, folder, length + 1);
    l->listed = time(NULL);
    if (!facet_system_look(folder, &l->place) || !facet_system_list(folder, append_name, l) ||
        !sort_names(l)) {
        free_listing(l);
        return NULL;
    }
    return l;
}

static bool find_name(const listing *l, const char *name, char found[FACET_NAME_SPACE])
{
    size_t first = 0, end = l->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (strcasecmp(l->names[middle], name) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    bool is_there = first < l->count && strcasecmp(l->names[first], name) == 0;
    if (is_there)
        memcpy(found, l->names[first], strlen(name) + 1);
    return is_there;
}

/* -- The one that is kept -------------------------------------------------- */

static struct {
    atomic_flag busy;
    listing *listing;
} kept = {.busy = ATOMIC_FLAG_INIT};

static void lock_kept(void)
{
    while (atomic_flag_test_and_set(&kept.busy))
        continue;
}

static void unlock_kept(void)
{
    atomic_flag_clear(&kept.busy);
}

/* The time of a change says little about one right before the listing: clocks of file systems
 * are coarse. */
static bool is_current(const listing *l, const char *folder, const facet_place *now)
{
    if (!l || strcmp(l->folder, folder) != 0 || l->place.device != now->device ||
        l->place.number != now->number)
        return false;
    return l->listed == time(NULL) ||
           (l->place.changed == now->changed && now->changed / 1000000000 + 1 < (int64_t)l->listed);
}

bool facet_listing_find(const char *folder, const char *name, size_t length,
                        char found[FACET_NAME_SPACE])
{
    char text[FACET_NAME_SPACE];
    facet_place place;
    if (length >= sizeof text || !facet_system_look(folder, &place))
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    lock_kept();
    bool current = is_current(kept.listing, folder, &place);
    bool is_there = current && find_name(kept.listing, text, found);
    unlock_kept();
    if (current)
        return is_there;
    listing *fresh = list(folder);
    is_there = fresh && find_name(fresh, text, found);
    if (fresh && fresh->count >= LARGE) {
        lock_kept();
        listing *before = kept.listing;
        kept.listing = fresh;
        fresh = before;
        unlock_kept();
    }
    free_listing(fresh);
    return is_there;
}
