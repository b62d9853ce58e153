/* base/tree.c - ordered trees of strings and numbers, and descriptions, which contain one. */
#include "base/tree.h"

#include "base/arena.h"
#include "base/error.h"

#include <string.h>

const facet_tree *facet_tree_find(const facet_tree *object, const char *key)
{
    if (!object || object->kind != FACET_TREE_OBJECT)
        return NULL;
    for (const facet_tree *child = object->first; child; child = child->next) {
        if (strcmp(child->key, key) == 0)
            return child;
    }
    return NULL;
}

/* -- Building ----------------------------------------------------------- */

static facet_tree *make(facet_arena *arena, facet_tree_kind kind, const char *key)
{
    facet_tree *node = facet_arena_allocate_zeroed(arena, 1, sizeof *node);
    if (node) {
        node->kind = kind;
        node->key = key;
    }
    return node;
}

static facet_tree *add(facet_arena *arena, facet_tree *parent, facet_tree_kind kind,
                       const char *key)
{
    facet_tree *node = parent ? make(arena, kind, key) : NULL;
    if (!node)
        return NULL;
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    return node;
}

facet_tree *facet_tree_root(facet_arena *arena)
{
    return make(arena, FACET_TREE_OBJECT, NULL);
}

facet_tree *facet_tree_object(facet_arena *arena, facet_tree *parent, const char *key)
{
    return add(arena, parent, FACET_TREE_OBJECT, key);
}

facet_tree *facet_tree_array(facet_arena *arena, facet_tree *parent, const char *key)
{
    return add(arena, parent, FACET_TREE_ARRAY, key);
}

facet_tree *facet_tree_integer(facet_arena *arena, facet_tree *parent, const char *key,
                               int64_t value)
{
    facet_tree *node = add(arena, parent, FACET_TREE_INTEGER, key);
    if (node)
        node->integer = value;
    return node;
}

facet_tree *facet_tree_real(facet_arena *arena, facet_tree *parent, const char *key, double value)
{
    facet_tree *node = add(arena, parent, FACET_TREE_REAL, key);
    if (node)
        node->real = value;
    return node;
}

facet_tree *facet_tree_boolean(facet_arena *arena, facet_tree *parent, const char *key, bool value)
{
    facet_tree *node = add(arena, parent, FACET_TREE_BOOLEAN, key);
    if (node)
        node->integer = value;
    return node;
}

facet_tree *facet_tree_text(facet_arena *arena, facet_tree *parent, const char *key,
                            const char *text, size_t length)
{
    char *copy = facet_arena_utf8(arena, text, length);
    if (!copy)
        return NULL;
    facet_tree *node = add(arena, parent, FACET_TREE_STRING, key);
    if (node)
        node->string = copy;
    return node;
}

facet_tree *facet_tree_string(facet_arena *arena, facet_tree *parent, const char *key,
                              const char *text)
{
    return facet_tree_text(arena, parent, key, text, strlen(text));
}

/* -- Descriptions ------------------------------------------------------- */

facet_status facet_description_make(const facet_source *source, const facet_options *options,
                                    facet_describer *fill, facet_description **description,
                                    facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_description *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    facet_tree *detail = facet_tree_root(arena);
    if (!made || !detail)
        return facet_arena_abandon(arena, error);
    made->arena = arena;
    made->version = "";
    made->bytes = source->size;
    made->detail = detail;
    facet_status status = fill(source, options, made, error);
    if (!status)
        status = facet_arena_status(arena, error);
    if (status)
        facet_arena_free(arena);
    else
        *description = made;
    return status;
}

void facet_description_free(facet_description *description)
{
    if (description)
        facet_arena_free(description->arena);
}
