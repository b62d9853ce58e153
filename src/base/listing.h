/* base/listing.h - case-insensitive search for a name in a folder. */
#ifndef FACET_BASE_LISTING_H
#define FACET_BASE_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#define FACET_NAME_SPACE 256
/* Maximum number of names in a folder that is searched. */
#define FACET_LISTING_MOST 4096

/* Find a name of `length` bytes, ignoring case. If several match, the first in sort order is
 * returned. */
bool facet_listing_find(const char *folder, const char *name, size_t length,
                        char found[FACET_NAME_SPACE]);

#endif
