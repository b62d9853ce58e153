/* base/listing.h - a name of a folder that is written in another case of letters. */
#ifndef FACET_BASE_LISTING_H
#define FACET_BASE_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#define FACET_NAME_SPACE 256

/* Find a name of `length` bytes in any case of letters; of several the first. In a folder of many
 * names, one that appeared less than a second ago may not be found. */
bool facet_listing_find(const char *folder, const char *name, size_t length,
                        char found[FACET_NAME_SPACE]);

#endif
