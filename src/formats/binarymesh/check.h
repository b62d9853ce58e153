/* formats/binarymesh/check.h - what the two files of the check share. A rule that is
 * broken a million times in a thousand objects is one finding: the first place
 * and how many there are. */
#ifndef FACET_BINARYMESH_CHECK_H
#define FACET_BINARYMESH_CHECK_H

#include "formats/binarymesh/binarymesh.h"

/* The rules that are counted; check.c has their ids and sentences in this order. */
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
    uint32_t object;       /* the one being checked */
    facet_arena *scratch;  /* as long as the object is */
    uint32_t most_corners; /* that a face can have */
    uint32_t *sizes;       /* by number of corners: faces of all objects */
    struct {
        facet_tally tally;
        uint32_t object; /* of the first occurrence */
    } hits[FACET_BINARYMESH_RULE_COUNT];
} facet_binarymesh_checker;

static inline void facet_binarymesh_hit(facet_binarymesh_checker *c, facet_binarymesh_rule rule,
                                        uint64_t index)
{
    if (c->hits[rule].tally.count == 0)
        c->hits[rule].object = c->object;
    facet_tally_hit(&c->hits[rule].tally, index);
}

/* Apply the rules for faces and for what they use to the object. Indices may be
 * out of range, corners too few. FACET_ERROR_MEMORY at worst. */
facet_status facet_binarymesh_check_faces(facet_binarymesh_checker *c, facet_error *error);

#endif
