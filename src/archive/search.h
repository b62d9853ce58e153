/* archive/search.h - search for the items of Yaz0 and Yay0: literals, and copies of 3 to 273 bytes
 * from at most 4,096 bytes before. The search chooses the items; the streams only store them. */
#ifndef FACET_ARCHIVE_SEARCH_H
#define FACET_ARCHIVE_SEARCH_H

#include <facet/archive.h>

enum {
    FACET_COPY_LEAST = 3,
    FACET_COPY_SHORT = 17, /* longest copy that needs two bytes */
    FACET_COPY_MAX = 273,
    FACET_COPY_WINDOW = 4096
};

/* Receives the items in order. A literal has length 1 and distance 0. */
typedef struct facet_item_sink {
    void (*put)(void *user, size_t position, uint32_t length, uint32_t distance);
    void *user;
} facet_item_sink;

/* Split `size` bytes into items. */
facet_status facet_search_items(const uint8_t *data, size_t size, facet_compression_effort effort,
                                const facet_options *options, const facet_item_sink *sink,
                                facet_error *error);

#endif
