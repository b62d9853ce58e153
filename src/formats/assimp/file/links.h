/* formats/assimp/file/links.h - objects of a file that refer to one another, as a graph. assimp
 * follows the references by recursion, and copies an object for each reference. */
#ifndef FACET_ASSIMP_FILE_LINKS_H
#define FACET_ASSIMP_FILE_LINKS_H

#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"

typedef struct facet_assimp_link {
    uint32_t from, to; /* numbers of keys */
    uint64_t line;     /* line or offset of the reference */
} facet_assimp_link;

typedef struct facet_assimp_links {
    facet_names keys; /* names of objects; number 0 is the root, with an empty name */
    facet_assimp_link *items;
    uint32_t count, capacity;
    facet_arena *scratch;
    bool by_offset;   /* `line` is an offset */
    bool is_counted;  /* limit the number of copies */
    bool has_no_root; /* a loop is an error even if no object outside refers to it */
} facet_assimp_links;

/* False if out of memory. */
bool facet_assimp_links_begin(facet_assimp_links *links, facet_arena *scratch);

/* Add a reference from an object to another. Keys are bytes, which are copied. False if out of
 * memory. */
bool facet_assimp_links_add(facet_assimp_links *links, const void *from, size_t from_size,
                            const void *to, size_t to_size, uint64_t line);
/* The same for objects with numbers; 0 is the root. */
bool facet_assimp_links_add_numbers(facet_assimp_links *links, uint64_t from, uint64_t to,
                                    uint64_t line);

/* Follow the references from the root, and from objects that no other refers to. Errors: a loop,
 * and more than FACET_ASSIMP_MAX_DEPTH levels. If `is_counted`, also more copies of objects than
 * FACET_ASSIMP_MAX_COPIES and one per reference. Linear. */
facet_status facet_assimp_links_check(facet_assimp_links *links, facet_error *error);

#endif
