/* formats/j3d/scene/from_scene/names.h - names of the original. Each is assigned once to an object
 * of the scene. Names match exactly, by number if several are equal. They also match as Blender
 * changes them: with ".001" after duplicates, and cut to 63 bytes. Facet's writer of FBX and
 * COLLADA appends "_3" to name 3 if it is a duplicate. */
#ifndef FACET_J3D_FROM_SCENE_NAMES_H
#define FACET_J3D_FROM_SCENE_NAMES_H

#include "base/table.h"
#include "formats/j3d/scene/from_scene/builder.h"

typedef struct facet_j3d_name_index {
    facet_names whole, cut; /* exact names, and names cut to 63 bytes */
    uint32_t count;
    uint32_t *next, *first; /* lists of exact names: the first unassigned one, + 1, and its
                               successors */
    uint32_t *cut_next, *cut_first;
    uint32_t *head;   /* the first of each exact name */
    uint32_t *number; /* number of each exact name in `whole` */
    bool *taken;
} facet_j3d_name_index;

/* `text(user, i)` is name i. Its address must stay valid; NULL counts as "". */
facet_status facet_j3d_index_names(const facet_j3d_builder *b, uint32_t count,
                                   const char *(*text)(const void *user, uint32_t i),
                                   const void *user, facet_j3d_name_index *names);
/* Find an unassigned object with this name, and assign it. FACET_NONE if missing. */
uint32_t facet_j3d_assign_name(facet_j3d_name_index *names, const char *name);
/* The same for a name as Blender or Facet's writer changes it. */
uint32_t facet_j3d_assign_changed_name(facet_j3d_name_index *names, const char *name);
/* Find the first object with this name, also without ".001", assigned or not. */
uint32_t facet_j3d_find_name(facet_j3d_name_index *names, const char *name);
/* The names of a section as text. */
const char **facet_j3d_name_texts(const facet_j3d_builder *b, const facet_j3d_names *names,
                                  uint32_t count);

#endif
