/* archive/paths.h - members of an archive with full paths in any order (ZIP, tar). They become a
 * tree of folders, and then members in depth-first order. */
#ifndef FACET_ARCHIVE_PATHS_H
#define FACET_ARCHIVE_PATHS_H

#include "archive/archive.h"
#include "base/table.h"

typedef struct facet_path_node {
    const char *name;
    uint32_t length, parent; /* FACET_NONE: the root */
    uint32_t entry;          /* FACET_NONE: a folder without an entry */
    bool folder;
    uint32_t first, last, next; /* children, and the next sibling */
} facet_path_node;

typedef struct facet_path_tree {
    facet_archive *archive;
    facet_path_node *nodes;
    uint32_t count, capacity;
    uint32_t root_first, root_last;
    facet_table names; /* of folders; with `last_counts` also of files */
    bool last_counts;  /* a file replaces an earlier one with the same path */
} facet_path_tree;

facet_path_tree facet_path_tree_make(facet_archive *archive, bool last_counts);
/* Add a file, or a folder if the path ends in "/". Paths must outlive the tree. Parts "." are
 * ignored. Errors: FACET_ERROR_LIMIT; FACET_ERROR_MALFORMED (AR34) for a folder that is also a
 * file. */
facet_status facet_path_tree_add(facet_path_tree *tree, const char *path, uint32_t entry,
                                 facet_error *error);
/* The entry of a path's file; FACET_NONE if it has none yet. Requires `last_counts`. */
uint32_t facet_path_tree_find(facet_path_tree *tree, const char *path);
/* Add the members to the archive; `fill` completes those that are files. */
facet_status facet_path_tree_push(facet_path_tree *tree,
                                  facet_status (*fill)(void *user, facet_archive_member *member),
                                  void *user, facet_error *error);
void facet_path_tree_free(facet_path_tree *tree);

#endif
