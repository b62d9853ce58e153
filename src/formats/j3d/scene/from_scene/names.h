/* formats/j3d/scene/from_scene/names.h - names of the original, each to be taken once by something
 * of the scene: as it is, by number where several are equal; or as Blender changes names, with
 * ".001" behind those that it has already, and without what is beyond 63 bytes. */
#ifndef FACET_J3D_FROM_SCENE_NAMES_H
#define FACET_J3D_FROM_SCENE_NAMES_H

#include "base/table.h"
#include "formats/j3d/scene/from_scene/builder.h"

typedef struct facet_j3d_known_names {
    facet_names whole, cut; /* as they are, and of 63 bytes */
    uint32_t count;
    uint32_t *next, *first; /* of whole names: the first that is not taken, + 1, and on */
    uint32_t *cut_next, *cut_first;
    uint32_t *head; /* of whole names: the first */
    bool *taken;
} facet_j3d_known_names;

/* `text(user, i)` is name i, which stays where it is; NULL counts as "". */
facet_status facet_j3d_know_names(const facet_j3d_builder *b, uint32_t count,
                                  const char *(*text)(const void *user, uint32_t i),
                                  const void *user, facet_j3d_known_names *names);
/* What has this name and is not taken: it is then. FACET_NONE: nothing. */
uint32_t facet_j3d_take_name(facet_j3d_known_names *names, const char *name);
/* The same for a name as Blender changed it. */
uint32_t facet_j3d_take_changed_name(facet_j3d_known_names *names, const char *name);
/* The first of this name, or of it without ".001", taken or not. */
uint32_t facet_j3d_find_name(facet_j3d_known_names *names, const char *name);
/* The names of a section as text. */
const char **facet_j3d_name_texts(const facet_j3d_builder *b, const facet_j3d_names *names,
                                  uint32_t count);

#endif
