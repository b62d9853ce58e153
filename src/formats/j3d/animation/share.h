/* formats/j3d/animation/share.h - arrays of elements built like the exporters' arrays: tracks share
 * equal data. */
#ifndef FACET_J3D_ANIMATION_SHARE_H
#define FACET_J3D_ANIMATION_SHARE_H

#include "formats/j3d/animation/animation.h"

#include "base/table.h"

/* One growing array. */
typedef struct facet_j3d_sharing {
    facet_arena *arena; /* of the document */
    bool has_keys, is_real;
    bool is_plain;       /* nothing is shared: texture numbers */
    int32_t least, most; /* range of integers */
    double unit;         /* unit of a stored 1 in messages; 1 unless set */
    uint32_t *bits;      /* elements; floats as bits */
    uint32_t count, capacity;
    facet_table values; /* elements that are values, not times or tangents */
    facet_table runs;   /* tracks with keys */
    facet_j3d_track *tracks;
    uint32_t track_count, track_capacity;
} facet_j3d_sharing;

/* Start an array for `component` of a kind. `scratch` owns the tables. */
facet_j3d_sharing facet_j3d_sharing_make(facet_j3d_animation_kind kind, uint32_t component,
                                         facet_arena *arena, facet_arena *scratch);
/* Add a track. `count` and `type` are those of facet_j3d_track and determine the length of
 * `elements`. A constant uses the first equal value, and keys an equal run, if present; integers
 * are rounded. Errors: FACET_ERROR_LIMIT with J3D-LIMIT if a number does not fit or there are more
 * than 65,535 elements; FACET_ERROR_MEMORY. */
facet_status facet_j3d_sharing_put(facet_j3d_sharing *sharing, const double *elements,
                                   uint32_t count, uint16_t type, facet_j3d_track *track,
                                   facet_error *error);
/* Add the owner of the number that did not fit to the start of the message. Returns `status`. */
facet_status facet_j3d_sharing_name(facet_status status, facet_error *error, const char *format,
                                    ...) FACET_PRINTF(3, 4);
/* Move the array to a document. */
facet_status facet_j3d_sharing_end(facet_j3d_sharing *sharing, facet_j3d_elements *elements,
                                   facet_error *error);

#endif
