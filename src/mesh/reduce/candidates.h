/* mesh/reduce/candidates.h - the edges that a pass may collapse, sorted by their cost. */
#ifndef FACET_MESH_REDUCE_CANDIDATES_H
#define FACET_MESH_REDUCE_CANDIDATES_H

#include "mesh/reduce/reduce.h"

#include <string.h>

typedef struct facet_reduce_candidate {
    uint32_t from, to; /* wedges */
    float error, surface;
} facet_reduce_candidate;

/* Sort key: the bits of a candidate's error above its number. Errors are not negative, so their
 * bits are ordered like the errors. */
typedef uint64_t facet_reduce_rank;

/* Digits of the radix sort. */
enum { FACET_REDUCE_DIGITS = 2048 };

typedef struct facet_reduce_candidates {
    const facet_reducer *r;
    double limit; /* largest error of the surface */
    facet_reduce_candidate *items;
    uint32_t count;                          /* sorted ones, after facet_reduce_sort */
    bool all_sorted;                         /* sort the most expensive ones too */
    uint32_t *found;                         /* per task: number of its candidates */
    size_t *first;                           /* per task: index of its first candidate */
    facet_reduce_rank *order, *spare;        /* sort keys */
    uint32_t (*counts)[FACET_REDUCE_DIGITS]; /* for sorting */
} facet_reduce_candidates;

/* Allocate the arrays for all passes. False if out of memory. */
bool facet_reduce_allocate_candidates(facet_reduce_candidates *c, const facet_reducer *r);

/* Find the cheaper collapse of every edge that can collapse. `done` is the fraction for the
 * progress. */
facet_status facet_reduce_find(facet_reduce_candidates *c, double done,
                               const facet_options *options, facet_error *error);

/* Sort the candidates that a pass of about `enough` collapses may use by error; equal ones keep
 * their order. */
void facet_reduce_sort(facet_reduce_candidates *c, uint32_t enough);

/* The wedge at `place` to which the other wedge of a seam moves. */
uint32_t facet_reduce_partner(const facet_reducer *r, uint32_t wedge, uint32_t place);

static inline const facet_reduce_candidate *facet_reduce_ranked(const facet_reduce_candidates *c,
                                                                uint32_t at)
{
    return &c->items[(uint32_t)c->order[at]];
}

/* The error of that candidate, read from its sort key. */
static inline float facet_reduce_ranked_error(const facet_reduce_candidates *c, uint32_t at)
{
    uint32_t bits = (uint32_t)(c->order[at] >> 32);
    float error;
    memcpy(&error, &bits, sizeof error);
    return error;
}

#endif
