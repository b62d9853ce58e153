/* formats/j3d/animation/share.h - arrays of elements as exporters build them: tracks that
 * share what is equal. */
#ifndef FACET_J3D_ANIMATION_SHARE_H
#define FACET_J3D_ANIMATION_SHARE_H

#include "formats/j3d/animation/animation.h"

#include "base/table.h"

/* One array while it grows. */
typedef struct facet_j3d_sharing {
    facet_arena *arena; /* of the document */
    bool has_keys, is_real;
    bool is_plain;       /* nothing is shared: texture numbers */
    int32_t least, most; /* of integers */
    double unit;         /* what a stored 1 is called in messages; 1 unless set */
    uint32_t *bits;      /* the elements: floats by their bits */
    uint32_t count, capacity;
    facet_table values; /* elements that are values, not times or tangents */
    facet_table runs;   /* tracks with keys */
    facet_j3d_track *tracks;
    uint32_t track_count, track_capacity;
} facet_j3d_sharing;

/* For the elements of `component` of a kind; `scratch` holds tables. */
facet_j3d_sharing facet_j3d_sharing_make(facet_j3d_animation_kind kind, uint32_t component,
                                         facet_arena *arena, facet_arena *scratch);
/* Add a track. `count` and `type` are as in a facet_j3d_track, and `elements` has
 * as many as they say. A constant becomes the first equal value that there is, keys an
 * equal run of keys, where there are any; integers are rounded. Errors:
 * FACET_ERROR_LIMIT with J3D-LIMIT for a number that does not fit and for more than
 * 65,535 elements; FACET_ERROR_MEMORY. */
facet_status facet_j3d_sharing_put(facet_j3d_sharing *sharing, const double *elements,
                                   uint32_t count, uint16_t type, facet_j3d_track *track,
                                   facet_error *error);
/* Say whose number it is that did not fit, in front of the message. Returns `status`. */
facet_status facet_j3d_sharing_name(facet_status status, facet_error *error, const char *format,
                                    ...) FACET_PRINTF(3, 4);
/* Hand the array over to a document. */
facet_status facet_j3d_sharing_end(facet_j3d_sharing *sharing, facet_j3d_elements *elements,
                                   facet_error *error);

#endif
