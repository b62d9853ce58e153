/* formats/bsm/survey.h - one look at all vertices, a block at a time while it is in the cache: it
 * tells where the rules have to look, and keeps what the later steps of a check need. */
#ifndef FACET_BSM_SURVEY_H
#define FACET_BSM_SURVEY_H

#include "formats/bsm/layout.h"

struct facet_bsm_checker;

/* Vertices of a block. */
#define FACET_BSM_BLOCK 512

/* What may be wrong with a block's vertices. What a survey does not doubt is right. */
enum {
    FACET_BSM_DOUBT_NUMBERS = 1,   /* some number is subnormal or not finite */
    FACET_BSM_DOUBT_DIRECTIONS = 2 /* a normal or a tangent breaks a rule */
};

/* Unless its numbers are doubted, where the positions lie. */
typedef struct facet_bsm_block {
    float low[3], high[3];
    float farthest; /* the largest square of a distance from the header's center, rounded */
    uint32_t doubts;
} facet_bsm_block;

/* Of a vertex. */
enum {
    FACET_BSM_POSITIVE = 1, /* its handedness is not negative */
    FACET_BSM_USED = 16     /* it is in a triangle; three of them are still a byte */
};

/* More than rounding does to `farthest`. */
#define FACET_BSM_FARTHEST_ERROR 1e-5

typedef struct facet_bsm_survey {
    facet_bsm_block *blocks; /* NULL: there was no survey, and everything is doubted */
    uint32_t block_count;
    uint32_t *hashes; /* of all that a vertex has, bit for bit; or NULL */
    _Atomic uint8_t *flags;
} facet_bsm_survey;

/* Look at the vertices, if all their arrays are there. */
facet_status facet_bsm_survey_vertices(struct facet_bsm_checker *checker, facet_error *error);

typedef struct facet_bsm_range {
    uint32_t begin, end;
} facet_bsm_range;

/* Go from a range, at first {0, 0}, to the next one below `count` that holds what one of
 * `doubts` is about. False when there is none. */
bool facet_bsm_next_doubtful(const facet_bsm_survey *survey, uint32_t doubts, uint32_t count,
                             facet_bsm_range *range);

#endif
