/* binarymesh/check.h - what the two files of the check share. A rule that is
 * broken a million times in a thousand objects is one finding: the first place
 * and how many there are. */
#ifndef FACET_BINARYMESH_CHECK_H
#define FACET_BINARYMESH_CHECK_H

#include "binarymesh/binarymesh.h"

/* The rules that are counted; check.c has their ids and sentences in this order. */
typedef enum binarymesh_rule {
    RULE_NAME_EMPTY,
    RULE_NAME_REPEATED,
    RULE_TEXT_NUL,
    RULE_TEXT_UTF8,
    RULE_TEXT_CONTROL,
    RULE_SLOT_REPEATED,
    RULE_SLOT_EMPTY,
    RULE_SLOT_UNUSED,
    RULE_OBJECT_EMPTY,
    RULE_POSITION_NONFINITE,
    RULE_NORMAL_NONFINITE,
    RULE_TEXCOORD_NONFINITE,
    RULE_NORMAL_ZERO,
    RULE_NORMAL_LENGTH,
    RULE_FACE_CORNERS,
    RULE_FACE_NGON,
    RULE_FACE_POSITION,
    RULE_FACE_NORMAL,
    RULE_FACE_TEXCOORD,
    RULE_FACE_NORMAL_PSEUDO,
    RULE_FACE_TEXCOORD_PSEUDO,
    RULE_FACE_NORMAL_MIXED,
    RULE_FACE_TEXCOORD_MIXED,
    RULE_FACE_SLOT,
    RULE_FACE_NO_SLOT,
    RULE_FACE_REPEAT,
    RULE_FACE_ZERO_AREA,
    RULE_FACE_NONPLANAR,
    RULE_FACE_CONCAVE,
    RULE_FACE_WINDING,
    RULE_POSITION_UNUSED,
    RULE_NORMAL_UNUSED,
    RULE_TEXCOORD_UNUSED,
    RULE_PRECISION,
    RULE_COUNT
} binarymesh_rule;

#define BINARYMESH_MOST_CORNERS 65535

typedef struct checking {
    const facet_binarymesh *document;
    uint32_t object;      /* the one being checked */
    facet_arena *scratch; /* as long as the object is */
    uint32_t *sizes;      /* by number of corners: faces of all objects */
    struct {
        facet_tally tally;
        uint32_t object; /* of the first occurrence */
    } hits[RULE_COUNT];
} checking;

static inline void hit(checking *c, binarymesh_rule rule, uint64_t index)
{
    if (c->hits[rule].tally.count == 0)
        c->hits[rule].object = c->object;
    facet_tally_hit(&c->hits[rule].tally, index);
}

/* Apply the rules for faces and for what they use to the object. Indices may be
 * out of range, corners too few. FACET_ERROR_MEMORY at worst. */
facet_status binarymesh_check_faces(checking *c, facet_error *error);

#endif
