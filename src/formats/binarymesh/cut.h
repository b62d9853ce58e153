/* formats/binarymesh/cut.h - runs of faces of an object as separate objects. */
#ifndef FACET_BINARYMESH_CUT_H
#define FACET_BINARYMESH_CUT_H

#include "formats/binarymesh/binarymesh.h"

typedef struct facet_binarymesh_cutter {
    facet_arena *arena;
    facet_error *error;
    const facet_binarymesh_object *whole; /* its reals are float */
    const uint32_t *materials;            /* per face, or NULL */
    bool mirrored;                        /* reverse the winding of faces */
    bool compact;                         /* drop the elements that a run does not use */
    /* By position, normal, texcoord: */
    uint32_t *stamps[3]; /* number of the last run that used an element */
    uint32_t *places[3]; /* index of the element in that run */
    uint32_t run;
} facet_binarymesh_cutter;

/* Initialize the cutter. The caller sets the first five members, and 0 for the others. */
facet_status facet_binarymesh_cut_begin(facet_binarymesh_cutter *cut);

/* Fill *object with the given faces, without those of fewer than three corners, in new arrays.
 * *materials becomes their materials. Elements keep their order. Linear in the corners of the run;
 * elements that are far apart are sorted. */
facet_status facet_binarymesh_cut(facet_binarymesh_cutter *cut, uint32_t first_face,
                                  uint32_t face_count, facet_binarymesh_object *object,
                                  const uint32_t **materials, uint32_t *dropped);

#endif
