/* formats/assimp/file/fbx_curves.h - animation curves of an FBX, before assimp reads it.
 *
 * assimp reads the keys of a curve, but not what is between them: it draws straight lines, and
 * turns by the shortest way between rotations. A curve whose keys mean something else gets more
 * keys. The steps:
 *
 *   - scan       the curves, and those that are angles           fbx_curve_scan.c
 *   - resample   one curve                                       fbx_curve.c
 *   - replace    its keys in the file                            fbx_curve_put.c */
#ifndef FACET_ASSIMP_FILE_FBX_CURVES_H
#define FACET_ASSIMP_FILE_FBX_CURVES_H

#include "base/arena.h"
#include "base/budget.h"

#include <facet/base.h>

/* Arrays of a curve: times in FACET_FBX_TICKS of a second; values; flags and attributes of runs of
 * keys, four per run; lengths of the runs. */
enum {
    FACET_FBX_TIMES,
    FACET_FBX_VALUES,
    FACET_FBX_FLAGS,
    FACET_FBX_ATTRIBUTES,
    FACET_FBX_RUNS,
    FACET_FBX_ARRAYS
};
#define FACET_FBX_TICKS 46186158000.0

/* Bytes of the file. */
typedef struct facet_fbx_span {
    size_t begin, end;
} facet_fbx_span;

typedef struct facet_fbx_curve_place {
    int64_t id;
    uint64_t where;                          /* offset, or line in a text */
    facet_fbx_span arrays[FACET_FBX_ARRAYS]; /* whole records; empty: none */
    bool is_angle;                           /* part of a rotation, in degrees */
    int64_t node;                            /* id of the rotation */
    char before,
        after; /* how the curve continues: 'C' for constant, otherwise repeated or sloped */
} facet_fbx_curve_place;

typedef struct facet_fbx_curves {
    const uint8_t *data;
    size_t size;
    bool is_binary, is_wide; /* is_wide: offsets have 64 bits */
    int64_t version;         /* of a text; 0: unknown */
    int64_t start, stop;     /* bounds of all animations; both 0: unknown */
    size_t stacks, layers;   /* numbers of animations, and of their layers with curves */
    facet_arena *arena;
    facet_fbx_curve_place *items;
    size_t count, space;
    bool failed; /* out of memory */
} facet_fbx_curves;

/* Find the curves of a file. Linear, except for n log n in the number of connections. */
void facet_fbx_find_curves(facet_fbx_curves *curves);

/* Read an array of integers, of numbers, or of attributes as bits of floats. `budget` limits its
 * size. NULL with *count 0 if it is missing or damaged, or out of memory. */
int64_t *facet_fbx_read_integers(const facet_fbx_curves *curves, facet_fbx_span span,
                                 facet_budget *budget, size_t *count);
double *facet_fbx_read_numbers(const facet_fbx_curves *curves, facet_fbx_span span,
                               facet_budget *budget, size_t *count);
int64_t *facet_fbx_read_attributes(const facet_fbx_curves *curves, facet_fbx_span span,
                                   facet_budget *budget, size_t *count);

/* The keys of a curve. */
typedef struct facet_fbx_keys {
    size_t count;
    int64_t *times; /* increasing */
    double *values;
    uint32_t *flags;
    float (*attributes)[4];
    bool is_angle;
    bool has_steps; /* set by facet_fbx_resample */
} facet_fbx_keys;

/* Add keys to a curve so that straight lines, and turns, stay close to it. `others` are the other
 * angles of its rotation. False if it stays unchanged: it is straight already, or out of memory or
 * of the budget (then *failed is true). */
bool facet_fbx_resample(facet_fbx_keys *keys, const facet_fbx_keys *const *others,
                        size_t other_count, facet_arena *arena, facet_budget *budget, bool *failed);

/* Resample all curves of a file, which is replaced by a copy in `scratch`. Reports curves that stay
 * unchanged, and steps. Files without curves, and damaged files, stay unchanged. */
facet_status facet_assimp_resample_fbx(const uint8_t **data, size_t *size, facet_arena *scratch,
                                       const facet_options *options, facet_report *report,
                                       facet_error *error);

#endif
