/* formats/binarymesh/check.h - shared functions of the check. A rule broken many times, in many
 * objects, is one finding: the first position and the count. */
#ifndef FACET_BINARYMESH_CHECK_H
#define FACET_BINARYMESH_CHECK_H

#include "formats/binarymesh/binarymesh.h"

/* Rules that are counted; check.c has their ids and messages in this order. */
typedef enum facet_binarymesh_rule {
    FACET_BINARYMESH_RULE_NAME_EMPTY,
    FACET_BINARYMESH_RULE_NAME_REPEATED,
    FACET_BINARYMESH_RULE_TEXT_NUL,
    RULE_TEXT_UTF8,
    FACET_BINARYMESH_RULE_TEXT_CONTROL,
    FACET_BINARYMESH_RULE_SLOT_REPEATED,
    FACET_BINARYMESH_RULE_SLOT_EMPTY,
    FACET_BINARYMESH_RULE_SLOT_UNUSED,
    FACET_BINARYMESH_RULE_OBJECT_EMPTY,
    FACET_BINARYMESH_RULE_POSITION_NONFINITE,
    FACET_BINARYMESH_RULE_NORMAL_NONFINITE,
    FACET_BINARYMESH_RULE_TEXCOORD_NONFINITE,
    FACET_BINARYMESH_RULE_NORMAL_ZERO,
    FACET_BINARYMESH_RULE_NORMAL_LENGTH,
    FACET_BINARYMESH_RULE_FACE_CORNERS,
    FACET_BINARYMESH_RULE_FACE_NGON,
    FACET_BINARYMESH_RULE_FACE_POSITION,
    FACET_BINARYMESH_RULE_FACE_NORMAL,
    FACET_BINARYMESH_RULE_FACE_TEXCOORD,
    FACET_BINARYMESH_RULE_FACE_NORMAL_PSEUDO,
    FACET_BINARYMESH_RULE_FACE_TEXCOORD_PSEUDO,
    FACET_BINARYMESH_RULE_FACE_NORMAL_MIXED,
    FACET_BINARYMESH_RULE_FACE_TEXCOORD_MIXED,
    FACET_BINARYMESH_RULE_FACE_SLOT,
    FACET_BINARYMESH_RULE_FACE_NO_SLOT,
    FACET_BINARYMESH_RULE_FACE_REPEAT,
    FACET_BINARYMESH_RULE_FACE_ZERO_AREA,
    FACET_BINARYMESH_RULE_FACE_NONPLANAR,
    FACET_BINARYMESH_RULE_FACE_CONCAVE,
    FACET_BINARYMESH_RULE_FACE_WINDING,
    FACET_BINARYMESH_RULE_POSITION_UNUSED,
    FACET_BINARYMESH_RULE_NORMAL_UNUSED,
    FACET_BINARYMESH_RULE_TEXCOORD_UNUSED,
    FACET_BINARYMESH_RULE_PRECISION,
    FACET_BINARYMESH_RULE_COUNT
} facet_binarymesh_rule;

typedef struct facet_binarymesh_checker {
    const facet_binarymesh *document;
    uint32_t object;       /* current object */
    facet_arena *scratch;  /* freed after each object */
    uint32_t most_corners; /* maximum number of corners of a face */
    uint32_t *sizes;       /* number of faces of all objects, by number of corners */
    struct {
        facet_tally tally;
        uint32_t object; /* object of the first occurrence */
    } hits[FACET_BINARYMESH_RULE_COUNT];
} facet_binarymesh_checker;

static inline void facet_binarymesh_hit(facet_binarymesh_checker *c, facet_binarymesh_rule rule,
                                        uint64_t index)
{
    if (c->hits[rule].tally.count == 0)
        c->hits[rule].object = c->object;
    facet_tally_hit(&c->hits[rule].tally, index);
}

/* Check the faces of an object, and the elements that they use. Indices can be out of range,
 * corners too few. Fails only with FACET_ERROR_MEMORY. */
facet_status facet_binarymesh_check_faces(facet_binarymesh_checker *c, facet_error *error);

#endif
