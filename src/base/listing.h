/* base/listing.h - case-insensitive search for a name in a folder. */
#ifndef FACET_BASE_LISTING_H
#define FACET_BASE_LISTING_H

#include "base/arena.h"
#include "base/atomic.h"
#include "base/table.h"

#include <stdbool.h>
#include <stddef.h>

#define FACET_NAME_SPACE 256
/* Maximum number of names in a folder that is searched. */
#define FACET_LISTING_MAX 4096

/* Find a name of `length` bytes, ignoring case. If several match, the first in sort order is
 * returned. */
bool facet_listing_find(const char *folder, const char *name, size_t length,
                        char found[FACET_NAME_SPACE]);

/* Folders that one file has searched, so that each is read once, whatever number of missing files
 * it names. Zeroed: empty. */
typedef struct facet_listing facet_listing;
typedef struct facet_listings {
    atomic_flag is_used; /* by a thread; others then search without the cache */
    facet_arena *arena;  /* of all names; NULL: empty */
    facet_names folders;
    facet_listing *items; /* in the order of `folders` */
    uint32_t space;
    size_t stored; /* number of names */
} facet_listings;

/* Like facet_listing_find, with names from the cache. A folder that changes after its first search
 * is not read again. Without memory for the cache, the folder is searched directly. */
bool facet_listings_find(facet_listings *cache, const facet_allocator *allocator,
                         const char *folder, const char *name, size_t length,
                         char found[FACET_NAME_SPACE]);
/* Correct the parts of a path from `path + folder` on to the case on disk. False if a part does not
 * exist in any case; the path is then corrected in part. */
bool facet_listings_find_path(facet_listings *cache, const facet_allocator *allocator, char *path,
                              size_t folder);
/* Free the names; the cache is empty then. */
void facet_listings_clear(facet_listings *cache);

#endif
