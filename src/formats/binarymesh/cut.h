/* formats/binarymesh/cut.h - objects out of runs of faces of a larger one. */
#ifndef FACET_BINARYMESH_CUT_H
#define FACET_BINARYMESH_CUT_H

#include "formats/binarymesh/binarymesh.h"

typedef struct facet_binarymesh_cutter {
    facet_arena *arena;
    facet_error *error;
    const facet_binarymesh_object *whole; /* reals are float */
    const uint32_t *materials;            /* of its faces, or NULL */
    bool mirrored;                        /* turn the winding of the faces around */
    bool compact;                         /* leave out the elements that a run does not use */
    /* By position, normal, texcoord: */
    uint32_t *stamps[3]; /* the run that used an element last */
    uint32_t *places[3]; /* where that run has it */
    uint32_t run;
} facet_binarymesh_cutter;

/* The first five members are set, the others 0. */
facet_status facet_binarymesh_cut_begin(facet_binarymesh_cutter *cut);

/* Make *object hold the given faces, but for those of fewer than three corners,
 * with its own arrays; *materials becomes those of its faces. Elements keep
 * their order. Linear in the corners of the run, but for a sort of the elements
 * it uses where they lie far apart. */
facet_status facet_binarymesh_cut(facet_binarymesh_cutter *cut, uint32_t first_face,
                                  uint32_t face_count, facet_binarymesh_object *object,
                                  const uint32_t **materials, uint32_t *dropped);

#endif
