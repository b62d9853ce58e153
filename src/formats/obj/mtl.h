/* formats/obj/mtl.h - statements of material libraries, for their reader and writer. */
#ifndef FACET_OBJ_MTL_H
#define FACET_OBJ_MTL_H

#include <facet/scene.h>

/* A statement with numbers, for a member of facet_classic. */
typedef struct facet_mtl_value {
    const char *word;
    uint32_t stated;
    size_t offset;
    int count; /* 1, or 3 for a color */
} facet_mtl_value;

/* A statement with a texture. */
typedef struct facet_mtl_map {
    const char *word;
    facet_map map;
} facet_mtl_map;

/* Each ends with an entry whose word is NULL. The first spelling of each map is the one that is
 * written.
 */
extern const facet_mtl_value facet_mtl_values[];
extern const facet_mtl_map facet_mtl_maps[];

/* The end of a map's path in the rest of its line. Some programs write options or a comment after
 * it. */
const uint8_t *facet_obj_end_of_path(const uint8_t *at, const uint8_t *end);

#endif
