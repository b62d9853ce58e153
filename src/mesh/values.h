/* mesh/values.h - elements of equal value. */
#ifndef FACET_MESH_VALUES_H
#define FACET_MESH_VALUES_H

#include "base/error.h"

#include <facet/scene.h>

/* One column of a table of elements: `components` numbers per element, tightly packed. */
typedef struct facet_column {
    const void *data;
    facet_component component;
    uint32_t components;
} facet_column;

/* Number `count` elements, whose values are in the columns, in their order. Elements that are
 * equal in every column get the same number. Equal means bit for bit, except that -0 equals 0.
 * numbers[i] is the number of element i, less than *distinct. Working memory comes from `arena`
 * and is released. `job` supplies the threads, and the step for progress if it has one; NULL:
 * neither. Expected linear, at most quasi-linear. */
facet_status facet_values_number(const facet_column *columns, uint32_t column_count, uint32_t count,
                                 facet_arena *arena, const facet_stretch *job, uint32_t *numbers,
                                 uint32_t *distinct, facet_error *error);

#endif
