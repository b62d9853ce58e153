/* formats/assimp/file/fbx_curves.h - animation curves of an FBX between their keys.
 *
 * assimp reads the keys of a curve, but not what is between them: it draws straight lines, and
 * turns by the shortest way between rotations. A curve whose keys mean something else gets more
 * keys:
 *
 *   - its keys, with flags and attributes                        fbx_keys.c
 *   - more keys                                                  fbx_curve.c
 *   - keys in the time range of its animation                    fbx_range.c
 *   - the objects that curves move, in each animation            fbx_movers.c
 *   - the curves of several layers as one                        fbx_blend.c
 *   - the curves of a file before assimp reads it                fbx_resample.c */
#ifndef FACET_ASSIMP_FILE_FBX_CURVES_H
#define FACET_ASSIMP_FILE_FBX_CURVES_H

#include "formats/assimp/file/fbx_edits.h"

/* Units of time in a second. */
#define FACET_FBX_TICKS 46186158000.0

/* Flags of keys: how the curve continues to the next key. Without the first two, in a straight
 * line. */
enum {
    FACET_FBX_CONSTANT = 0x2,
    FACET_FBX_CUBIC = 0x8,
    FACET_FBX_NEXT = 0x100, /* constant: the value of the next key */
};

/* The keys of a curve. */
typedef struct facet_fbx_keys {
    size_t count;
    double *times; /* in ticks, increasing */
    double *values;
    uint32_t *flags;
    float (*attributes)[4]; /* of the flags: slopes and weights */
    bool is_angle;          /* part of a rotation, in degrees */
    bool has_steps;         /* set by facet_fbx_resample */
} facet_fbx_keys;

/* Read the keys of an object AnimationCurve; without flags, straight lines are between them. False
 * if they are missing (then the count is 0) or damaged, or out of memory, which the arena of `fbx`
 * records. */
bool facet_fbx_read_keys(const facet_fbx *fbx, uint32_t object, facet_fbx_keys *keys);

/* Add keys to a curve so that straight lines, and turns, stay close to it. Its flags are then those
 * of straight lines, or constant. With `ramps`, steps become straight lines of a millisecond.
 * `others` are the other angles of its rotation. False if it stays unchanged: it is straight
 * already, or out of memory or of the budget of the file (then *failed is true). */
bool facet_fbx_resample(const facet_fbx *fbx, facet_fbx_keys *keys,
                        const facet_fbx_keys *const *others, size_t other_count, bool ramps,
                        bool *failed);

/* Slope of a curve per second at its first or last key. */
double facet_fbx_end_slope(const facet_fbx_keys *keys, bool last);
/* Value at a time from key `i` to the next. Curves between keys are straight, or constant. */
double facet_fbx_value_at(const facet_fbx_keys *keys, size_t i, double time);

/* Limit a curve to a range of time. It gets keys there for what it does before its first key and
 * after its last one: repeat, mirror, or follow a slope. Without a range (start >= stop), or with
 * all keys inside and constant ends, it stays unchanged. Otherwise its flags are those of straight
 * lines, or constant. False if out of memory, or of the budget of the file. */
bool facet_fbx_fit_range(const facet_fbx *fbx, uint32_t curve, double start, double stop,
                         facet_fbx_keys *keys);

/* Replace the curves that assimp reads by those with more keys. Reports damaged curves, steps,
 * curves that continue before or after their keys, and layers. */
facet_status facet_fbx_resample_curves(facet_fbx_edits *edits, facet_report *report,
                                       facet_error *error);

#endif
