/* base/tree.h - building descriptions, and the trees in them. */
#ifndef FACET_BASE_TREE_H
#define FACET_BASE_TREE_H

#include <facet/format.h>

/* Make a description of `source`: `fill` adds to one that has its arena, bytes
 * and an empty tree. Any family's facet_X_describe is this and its `fill`. */
typedef facet_status facet_describer(const facet_source *source, const facet_options *options,
                                     facet_description *description, facet_error *error);
facet_status facet_description_make(const facet_source *source, const facet_options *options,
                                    facet_describer *fill, facet_description **description,
                                    facet_error *error);

/* Each adds a child to `parent` (an object: with a key, a literal or in the
 * arena; an array: key NULL) and returns it, or NULL without memory. For a NULL
 * parent it returns NULL, so that a describer need not test any call: the arena remembers, and
 * facet_description_make fails. */
facet_tree *facet_tree_root(facet_arena *arena);
facet_tree *facet_tree_object(facet_arena *arena, facet_tree *parent, const char *key);
facet_tree *facet_tree_array(facet_arena *arena, facet_tree *parent, const char *key);
facet_tree *facet_tree_integer(facet_arena *arena, facet_tree *parent, const char *key,
                               int64_t value);
facet_tree *facet_tree_real(facet_arena *arena, facet_tree *parent, const char *key, double value);
facet_tree *facet_tree_boolean(facet_arena *arena, facet_tree *parent, const char *key, bool value);
/* Copied; bytes that are not valid UTF-8 become U+FFFD. */
facet_tree *facet_tree_text(facet_arena *arena, facet_tree *parent, const char *key,
                            const char *text, size_t length);
facet_tree *facet_tree_string(facet_arena *arena, facet_tree *parent, const char *key,
                              const char *text);

#endif
