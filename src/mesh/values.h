/* mesh/values.h - elements of equal value. */
#ifndef FACET_MESH_VALUES_H
#define FACET_MESH_VALUES_H

#include "base/error.h"

#include <facet/scene.h>

/* One column of a table of elements: `components` numbers per element, tightly
 * packed. */
typedef struct facet_column {
    const void *data;
    facet_component component;
    uint32_t components;
} facet_column;

/* Number `count` elements, whose values stand in the columns, in the order they
 * come: those that are equal in every column get the number of the first. Equal
 * is bit for bit, but -0 equals 0. numbers[i] is that of element i, *distinct how
 * many there are, below which all numbers lie. Working memory comes from `arena`
 * and is given back. The threads of `job` are used, and progress is told as that of its step
 * if it has one; NULL: neither. Expected linear, at most quasi-linear. */
facet_status facet_values_number(const facet_column *columns, uint32_t column_count, uint32_t count,
                                 facet_arena *arena, const facet_stretch *job, uint32_t *numbers,
                                 uint32_t *distinct, facet_error *error);

#endif
