/* base/listing.h - a name of a folder that is written in another case of letters. */
#ifndef FACET_BASE_LISTING_H
#define FACET_BASE_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#define FACET_NAME_SPACE 256
/* Folders of more names are not searched. */
#define FACET_LISTING_MOST 4096

/* Find a name of `length` bytes in any case of letters; of several the first in order. */
bool facet_listing_find(const char *folder, const char *name, size_t length,
                        char found[FACET_NAME_SPACE]);

#endif
