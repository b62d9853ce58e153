/* base/listing.c - case-insensitive search for a name in a folder. Folders with very many names are
 * not searched: this limits the cost of a batch whose files all name a missing one. */
#include "base/listing.h"

#include "base/system.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct search {
    const char *name;
    char *found; /* the first match in sort order; empty: none yet */
    size_t count;
} search;

static bool look_at_name(void *user, const char *name)
{
    search *s = user;
    if (++s->count > FACET_LISTING_MAX)
        return false;
    bool is_it = strcasecmp(name, s->name) == 0 && (!*s->found || strcmp(name, s->found) < 0);
    if (is_it) /* has the length of s->name, so it fits */
        memcpy(s->found, name, strlen(name) + 1);
    return true;
}

bool facet_listing_find(const char *folder, const char *name, size_t length,
                        char found[FACET_NAME_SPACE])
{
    char text[FACET_NAME_SPACE];
    if (length >= sizeof text)
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    *found = '\0';
    search s = {text, found, 0};
    return facet_system_list(folder, look_at_name, &s) && s.count <= FACET_LISTING_MAX && *found;
}

/* -- Cache -------------------------------------------------------------- */

/* Names of all stored folders, after which the cache is emptied: some 4 MB at most. */
#define MAX_STORED 16384

/* A stored folder. Names are in order, first ignoring case. */
struct facet_listing {
    const char **names;
    uint32_t count, space;
    facet_arena *arena; /* NULL: out of memory */
};

static int compare_names(const void *a, const void *b)
{
    const char *first = *(const char *const *)a, *second = *(const char *const *)b;
    int order = strcasecmp(first, second);
    return order ? order : strcmp(first, second);
}

static bool store_name(void *user, const char *name)
{
    facet_listing *listing = user;
    bool is_short = strlen(name) < FACET_NAME_SPACE; /* otherwise the name cannot match */
    const char *copy = is_short ? facet_arena_string(listing->arena, name, strlen(name)) : "";
    if (!copy || !FACET_GROW(listing->arena, listing->names, listing->count, listing->space)) {
        listing->arena = NULL;
        return false;
    }
    listing->names[listing->count++] = copy;
    return listing->count <= FACET_LISTING_MAX;
}

/* Read a folder. One that cannot be searched is stored as empty. False if out of memory. */
static bool store_folder(facet_listings *cache, const char *folder)
{
    facet_listing listing = {.arena = cache->arena};
    bool is_read = facet_system_list(folder, store_name, &listing);
    if (!listing.arena ||
        !FACET_GROW(cache->arena, cache->items, cache->folders.count, cache->space))
        return false;
    if (!is_read || listing.count > FACET_LISTING_MAX)
        listing.count = 0;
    if (listing.count > 1)
        qsort(listing.names, listing.count, sizeof *listing.names, compare_names);
    uint32_t number = facet_names_put_copy(&cache->folders, folder, strlen(folder));
    if (number == UINT32_MAX)
        return false;
    cache->items[number] = listing;
    cache->stored += listing.count + 1;
    return true;
}

/* The stored names of a folder, read if necessary. NULL if out of memory. */
static const facet_listing *get_folder(facet_listings *cache, const facet_allocator *allocator,
                                       const char *folder)
{
    facet_options options = {.allocator = allocator};
    uint32_t number = UINT32_MAX;
    if (cache->arena)
        number = facet_names_find(&cache->folders, folder, strlen(folder));
    if (number != UINT32_MAX)
        return &cache->items[number];
    if (cache->stored > MAX_STORED)
        facet_listings_clear(cache);
    if (!cache->arena) {
        if (facet_arena_create(&options, &cache->arena, NULL))
            return NULL;
        cache->folders = facet_names_make(cache->arena);
    }
    if (store_folder(cache, folder))
        return &cache->items[cache->folders.count - 1];
    facet_listings_clear(cache);
    return NULL;
}

static bool find_in(const facet_listing *listing, const char *name, size_t length,
                    char found[FACET_NAME_SPACE])
{
    char text[FACET_NAME_SPACE];
    uint32_t low = 0, high = listing->count;
    if (length >= sizeof text)
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    while (low < high) { /* the first name that is not before it */
        uint32_t middle = low + (high - low) / 2;
        if (strcasecmp(listing->names[middle], text) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == listing->count || strcasecmp(listing->names[low], text) != 0)
        return false;
    memcpy(found, listing->names[low], length + 1);
    return true;
}

bool facet_listings_find(facet_listings *cache, const facet_allocator *allocator,
                         const char *folder, const char *name, size_t length,
                         char found[FACET_NAME_SPACE])
{
    if (atomic_flag_test_and_set(&cache->is_used))
        return facet_listing_find(folder, name, length, found);
    const facet_listing *listing = get_folder(cache, allocator, folder);
    bool is_there = listing ? find_in(listing, name, length, found)
                            : facet_listing_find(folder, name, length, found);
    atomic_flag_clear(&cache->is_used);
    return is_there;
}

bool facet_listings_find_path(facet_listings *cache, const facet_allocator *allocator, char *path,
                              size_t folder)
{
    char found[FACET_NAME_SPACE];
    for (char *part = path + folder; *part;) {
        size_t length = strcspn(part, "/");
        bool is_name = length > 0 && strspn(part, ".") < length;
        if (is_name) {
            char first = *part; /* the path up to here is the folder */
            *part = '\0';
            const char *place = *path ? path : ".";
            char name[FACET_NAME_SPACE];
            bool is_short = length < sizeof name;
            if (is_short)
                memcpy(name, part, length);
            name[0] = first;
            bool is_there =
                is_short && facet_listings_find(cache, allocator, place, name, length, found);
            *part = first;
            if (!is_there)
                return false;
            memcpy(part, found, length);
        }
        part += length + (part[length] == '/');
    }
    return true;
}

void facet_listings_clear(facet_listings *cache)
{
    facet_arena_free(cache->arena);
    cache->arena = NULL;
    cache->items = NULL;
    cache->space = 0;
    cache->stored = 0;
    cache->folders = facet_names_make(NULL);
}
