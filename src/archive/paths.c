/* archive/paths.c - a tree of members from full paths. */
#include "archive/paths.h"
#include "base/arena.h"
#include "base/error.h"

#include <string.h>

facet_path_tree facet_path_tree_make(facet_archive *archive, bool last_counts)
{
    return (facet_path_tree){.archive = archive,
                             .root_first = FACET_NONE,
                             .root_last = FACET_NONE,
                             .names = facet_table_make(archive->arena),
                             .last_counts = last_counts};
}

void facet_path_tree_free(facet_path_tree *tree)
{
    facet_table_free(&tree->names);
    facet_arena_release(tree->archive->arena, tree->nodes, tree->capacity, sizeof *tree->nodes);
}

/* -- Nodes -------------------------------------------------------------- */

static int compare_nodes(const void *user, uint32_t a, uint32_t b)
{
    const facet_path_node *nodes = ((const facet_path_tree *)user)->nodes;
    const facet_path_node *x = &nodes[a], *y = &nodes[b];
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    return memcmp(x->name, y->name, x->length);
}

static bool add_node(facet_path_tree *tree, const char *name, size_t length, uint32_t parent)
{
    if (tree->count == tree->capacity) {
        size_t capacity = tree->capacity ? tree->capacity * (size_t)2 : 256;
        facet_path_node *grown = capacity < FACET_NONE
                                     ? facet_arena_resize(tree->archive->arena, tree->nodes,
                                                          tree->capacity, capacity, sizeof *grown)
                                     : NULL;
        if (!grown)
            return false;
        tree->nodes = grown;
        tree->capacity = (uint32_t)capacity;
    }
    tree->nodes[tree->count++] = (facet_path_node){.name = name,
                                                   .length = (uint32_t)length,
                                                   .parent = parent,
                                                   .entry = FACET_NONE,
                                                   .first = FACET_NONE,
                                                   .last = FACET_NONE,
                                                   .next = FACET_NONE};
    return true;
}

static void hang(facet_path_tree *tree, uint32_t index)
{
    uint32_t parent = tree->nodes[index].parent;
    uint32_t *first = parent == FACET_NONE ? &tree->root_first : &tree->nodes[parent].first;
    uint32_t *last = parent == FACET_NONE ? &tree->root_last : &tree->nodes[parent].last;
    if (*last == FACET_NONE)
        *first = index;
    else
        tree->nodes[*last].next = index;
    *last = index;
}

static uint32_t hash_node(const char *name, size_t length, uint32_t parent)
{
    return facet_hash_end(
        facet_hash_word(facet_hash_word(0, parent), facet_hash_bytes(name, length)));
}

/* Find the node of a name in a folder, or add it. False if out of memory. */
static bool enter(facet_path_tree *tree, const char *name, size_t length, uint32_t parent,
                  bool folder, uint32_t *node)
{
    if (!add_node(tree, name, length, parent))
        return false;
    uint32_t index = tree->count - 1;
    uint32_t found =
        facet_table_put(&tree->names, hash_node(name, length, parent), index, compare_nodes, tree);
    if (found == UINT32_MAX)
        return false;
    if (found == index) {
        tree->nodes[index].folder = folder;
        hang(tree, index);
    } else {
        tree->count--;
    }
    *node = found;
    return true;
}

/* Add a file. Without last_counts, each file of a name is a node; the table has the first. If a
 * folder has the name, *node is that folder. */
static bool add_file(facet_path_tree *tree, const char *name, size_t length, uint32_t parent,
                     uint32_t *node)
{
    uint32_t before = tree->count;
    if (!enter(tree, name, length, parent, false, node))
        return false;
    if (tree->last_counts || *node == before || tree->nodes[*node].folder)
        return true;
    if (!add_node(tree, name, length, parent))
        return false;
    *node = tree->count - 1;
    hang(tree, *node);
    return true;
}

/* -- Paths -------------------------------------------------------------- */

facet_status facet_path_tree_add(facet_path_tree *tree, const char *path, uint32_t entry,
                                 facet_error *error)
{
    uint32_t node = FACET_NONE;
    unsigned depth = 0;
    for (const char *at = path;;) {
        size_t length = strcspn(at, "/");
        bool last = at[length] == '\0', dot = length == 1 && *at == '.';
        bool added = true;
        if (!last && length > 0 && !dot && depth++ == FACET_ARCHIVE_MAX_DEPTH)
            return facet_fail(error, FACET_ERROR_LIMIT, NULL, FACET_NO_OFFSET,
                              "folders are nested more than %d deep", FACET_ARCHIVE_MAX_DEPTH);
        if (length > 0 && !dot)
            added = last ? add_file(tree, at, length, node, &node)
                         : enter(tree, at, length, node, true, &node);
        if (!added)
            return facet_fail_arena(tree->archive->arena, error);
        facet_quoted quoted;
        if (length > 0 && !dot && tree->nodes[node].folder == last)
            return facet_fail(error, FACET_ERROR_MALFORMED, "AR34", FACET_NO_OFFSET,
                              "'%s': one part of the path is both a file and a folder",
                              facet_quote(&quoted, path, strlen(path)));
        if (last && length > 0 && !dot)
            tree->nodes[node].entry = entry;
        if (last)
            return FACET_OK;
        at += length + 1;
    }
}

uint32_t facet_path_tree_find(facet_path_tree *tree, const char *path)
{
    uint32_t node = FACET_NONE;
    for (const char *at = path; *at;) {
        size_t length = strcspn(at, "/");
        bool dot = length == 1 && *at == '.';
        if (length > 0 && !dot) {
            if (!add_node(tree, at, length, node))
                return FACET_NONE;
            tree->count--; /* it was only needed for the comparison */
            node = facet_table_find(&tree->names, hash_node(at, length, node), tree->count,
                                    compare_nodes, tree);
            if (node == UINT32_MAX)
                return FACET_NONE;
        }
        at += length + (at[length] == '/');
    }
    return node == FACET_NONE || tree->nodes[node].folder ? FACET_NONE : tree->nodes[node].entry;
}

/* -- Members ------------------------------------------------------------ */

static facet_status push_node(const facet_path_tree *tree, uint32_t index, uint32_t folder,
                              uint32_t *member, facet_error *error)
{
    const facet_path_node *n = &tree->nodes[index];
    facet_archive *archive = tree->archive;
    facet_archive_member *to = facet_archive_push(archive);
    const char *name = facet_arena_string(archive->arena, n->name, n->length);
    if (!to || !name)
        return facet_fail_arena(archive->arena, error);
    *member = archive->member_count - 1;
    to->name = name;
    to->folder = folder;
    to->entry = n->entry;
    to->flags = n->folder ? FACET_ARCHIVE_FOLDER : FACET_ARCHIVE_FILE;
    return FACET_OK;
}

facet_status facet_path_tree_push(facet_path_tree *tree,
                                  facet_status (*fill)(void *user, facet_archive_member *member),
                                  void *user, facet_error *error)
{
    uint32_t next[FACET_ARCHIVE_MAX_DEPTH + 2], folders[FACET_ARCHIVE_MAX_DEPTH + 2];
    unsigned depth = 0;
    next[0] = tree->root_first;
    folders[0] = FACET_NONE;
    for (;;) {
        uint32_t index = next[depth], member = 0;
        if (index == FACET_NONE) {
            if (depth == 0)
                return FACET_OK;
            depth--;
            continue;
        }
        next[depth] = tree->nodes[index].next;
        TRY(push_node(tree, index, folders[depth], &member, error));
        if (tree->nodes[index].folder) {
            depth++;
            next[depth] = tree->nodes[index].first;
            folders[depth] = member;
        } else if (fill(user, &tree->archive->members[member]) != FACET_OK) {
            return facet_fail_memory(error, SIZE_MAX);
        }
    }
}
