/* formats/bsm/survey.h - one pass over all vertices, by blocks that fit into the cache. It finds
 * blocks that the rules must check, and stores data for later steps. check_quick.h has the gain. */
#ifndef FACET_BSM_SURVEY_H
#define FACET_BSM_SURVEY_H

#include "base/atomic.h"
#include "formats/bsm/layout.h"

struct facet_bsm_checker;

/* Vertices per block. */
#define FACET_BSM_BLOCK 512

/* Possible errors of a block's vertices. A block without a bit is valid. */
enum {
    FACET_BSM_DOUBT_NUMBERS = 1,   /* a number is subnormal or not finite */
    FACET_BSM_DOUBT_DIRECTIONS = 2 /* a normal or a tangent may break a rule */
};

/* The bounds of a block's positions; invalid if its numbers are doubtful. */
typedef struct facet_bsm_block {
    float low[3], high[3];
    float farthest; /* largest squared distance from the header's center, rounded */
    uint32_t doubts;
} facet_bsm_block;

/* Flags of a vertex. */
enum {
    FACET_BSM_POSITIVE = 1, /* its handedness is not negative */
    FACET_BSM_USED = 16     /* a triangle uses it; the sum of three still fits a byte */
};

/* Upper bound of the rounding error of `farthest`. */
#define FACET_BSM_FARTHEST_ERROR 1e-5

typedef struct facet_bsm_survey {
    facet_bsm_block *blocks; /* NULL: without a survey, all blocks are doubtful */
    uint32_t block_count;
    uint32_t *hashes; /* of all data of a vertex, bit by bit; or NULL */
    FACET_ATOMIC(uint8_t) *flags;
} facet_bsm_survey;

/* Survey the vertices, if all their arrays exist. */
facet_status facet_bsm_survey_vertices(struct facet_bsm_checker *checker, facet_error *error);

typedef struct facet_bsm_range {
    uint32_t begin, end;
} facet_bsm_range;

/* Advance a range, initially {0, 0}, to the next one below `count` with one of `doubts`. False at
 * the end. */
bool facet_bsm_next_doubtful(const facet_bsm_survey *survey, uint32_t doubts, uint32_t count,
                             facet_bsm_range *range);

#endif
