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

/* Both end with an entry without a word. The first spelling of each map is the one that is written.
 */
extern const facet_mtl_value facet_mtl_values[];
extern const facet_mtl_map facet_mtl_maps[];

#endif
