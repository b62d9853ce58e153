/* base/tree.h - functions that build descriptions, and the trees in them. */
#ifndef FACET_BASE_TREE_H
#define FACET_BASE_TREE_H

#include <facet/format.h>

/* Create a description of `source`. `fill` completes a description that has an arena, bytes and an
 * empty tree. The facet_X_describe of every family calls this with its `fill`. */
typedef facet_status facet_describer(const facet_source *source, const facet_options *options,
                                     facet_description *description, facet_error *error);
facet_status facet_description_make(const facet_source *source, const facet_options *options,
                                    facet_describer *fill, facet_description **description,
                                    facet_error *error);

/* Each function adds a child to `parent` and returns it, or NULL if out of memory. For an object,
 * pass a key, which is a literal or in the arena; for an array, pass NULL. If `parent` is NULL, the
 * result is NULL. A describer need not check any call: the arena records the failure, and
 * facet_description_make returns it. */
facet_tree *facet_tree_root(facet_arena *arena);
facet_tree *facet_tree_object(facet_arena *arena, facet_tree *parent, const char *key);
facet_tree *facet_tree_array(facet_arena *arena, facet_tree *parent, const char *key);
facet_tree *facet_tree_integer(facet_arena *arena, facet_tree *parent, const char *key,
                               int64_t value);
facet_tree *facet_tree_real(facet_arena *arena, facet_tree *parent, const char *key, double value);
facet_tree *facet_tree_boolean(facet_arena *arena, facet_tree *parent, const char *key, bool value);
/* The text is copied; bytes that are not valid UTF-8 become U+FFFD. */
facet_tree *facet_tree_text(facet_arena *arena, facet_tree *parent, const char *key,
                            const char *text, size_t length);
facet_tree *facet_tree_string(facet_arena *arena, facet_tree *parent, const char *key,
                              const char *text);

#endif
