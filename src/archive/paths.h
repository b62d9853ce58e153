/* archive/paths.h - the members of an archive that has whole paths, in any order (ZIP, tar): the
 * folders of a tree are put together from them, and then its members in the order of a walk. */
#ifndef FACET_ARCHIVE_PATHS_H
#define FACET_ARCHIVE_PATHS_H

#include "archive/archive.h"
#include "base/table.h"

typedef struct facet_path_node {
    const char *name;
    uint32_t length, parent; /* FACET_NONE: the root */
    uint32_t entry;          /* FACET_NONE: a folder that is only part of paths */
    bool folder;
    uint32_t first, last, next; /* children, and the next of the same parent */
} facet_path_node;

typedef struct facet_path_tree {
    facet_archive *archive;
    facet_path_node *nodes;
    uint32_t count, capacity;
    uint32_t root_first, root_last;
    facet_table names; /* of folders; with `last_counts` of files, too */
    bool last_counts;  /* a file takes the place of one of the same path before it */
} facet_path_tree;

facet_path_tree facet_path_tree_make(facet_archive *archive, bool last_counts);
/* Add a file, or a path that ends in "/". Paths outlive the tree. Parts that are "." are left
 * out. Errors: FACET_ERROR_LIMIT, FACET_ERROR_MALFORMED (AR34) for a folder that is a file. */
facet_status facet_path_tree_add(facet_path_tree *tree, const char *path, uint32_t entry,
                                 facet_error *error);
/* The entry of the file of a path; FACET_NONE: there is none (yet). Only with `last_counts`. */
uint32_t facet_path_tree_find(facet_path_tree *tree, const char *path);
/* Put the members into the archive; `fill` completes those that are files. */
facet_status facet_path_tree_push(facet_path_tree *tree,
                                  facet_status (*fill)(void *user, facet_archive_member *member),
                                  void *user, facet_error *error);
void facet_path_tree_free(facet_path_tree *tree);

#endif
