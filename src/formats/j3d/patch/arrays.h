/* formats/j3d/patch/arrays.h - the original's vertex arrays, extended by new elements. */
#ifndef FACET_J3D_PATCH_ARRAYS_H
#define FACET_J3D_PATCH_ARRAYS_H

#include "base/table.h"
#include "formats/j3d/scene/from_scene/builder.h"

typedef struct facet_j3d_growing {
    uint8_t *bytes;
    uint32_t count, capacity;
    facet_records distinct; /* elements by their bytes */
    uint32_t *index_of;     /* per element: the first equal one */
    uint32_t index_capacity;
    facet_j3d_vertex_format format;
    uint32_t stride;
    bool open;
} facet_j3d_growing;

typedef struct facet_j3d_arrays {
    facet_j3d_builder *builder;
    facet_j3d *document;
    facet_j3d_growing items[FACET_J3D_ARRAY_COUNT];
    bool widened[FACET_J3D_ARRAY_COUNT];
} facet_j3d_arrays;

/* Get the index of an element with these numbers; add it if missing. It is stored in the array's
 * format. If it does not fit, the whole array changes to floats. */
facet_status facet_j3d_arrays_put(facet_j3d_arrays *arrays, int array, const float *values,
                                  uint16_t *index);
/* The same for a color with four bytes. */
facet_status facet_j3d_arrays_put_color(facet_j3d_arrays *arrays, int array, const uint8_t color[4],
                                        uint16_t *index);
/* Store all opened arrays in the document. */
facet_status facet_j3d_arrays_close(facet_j3d_arrays *arrays);

#endif
