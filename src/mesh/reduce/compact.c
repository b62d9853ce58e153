/* mesh/reduce/compact.c - wedges and places of the remaining triangles move together, so that the
 * passes after the first ones read less memory. */
#include "mesh/reduce/reduce.h"

#include <string.h>

/* Number the places that triangles use, in their order. Returns their count. */
static uint32_t number_places(const facet_reducer *r, uint32_t *numbers)
{
    uint32_t count = 0;
    memset(numbers, 0xFF, r->place_count * sizeof *numbers);
    for (size_t i = 0; i < (size_t)r->triangle_count * 3; i++)
        numbers[r->places[r->triangles[i]]] = 0;
    for (uint32_t place = 0; place < r->place_count; place++) {
        if (numbers[place] != FACET_NONE)
            numbers[place] = count++;
    }
    return count;
}

/* Number the wedges of these places, so that a ring of siblings stays whole. */
static uint32_t number_wedges(const facet_reducer *r, const uint32_t *places, uint32_t *numbers)
{
    uint32_t count = 0;
    for (uint32_t wedge = 0; wedge < r->wedge_count; wedge++)
        numbers[wedge] = places[r->places[wedge]] == FACET_NONE ? FACET_NONE : count++;
    return count;
}

/* Move the elements that have a number to their places. Numbers grow with the index. */
static void move(void *elements, size_t size, const uint32_t *numbers, uint32_t count)
{
    unsigned char *bytes = elements;
    for (uint32_t i = 0; i < count; i++) {
        if (numbers[i] != FACET_NONE && numbers[i] != i)
            memcpy(bytes + numbers[i] * size, bytes + i * size, size);
    }
}

static uint32_t renamed(const uint32_t *numbers, uint32_t index)
{
    return index == FACET_NONE ? FACET_NONE : numbers[index];
}

void facet_reduce_compact(facet_reducer *r, uint32_t *numbers)
{
    uint32_t *wedges = numbers, *places = numbers + r->wedge_count;
    uint32_t place_count = number_places(r, places);
    uint32_t wedge_count = number_wedges(r, places, wedges);
    for (uint32_t w = 0; w < r->wedge_count; w++) {
        r->places[w] = places[r->places[w]];
        r->siblings[w] = wedges[r->siblings[w]];
        r->next[w] = renamed(wedges, r->next[w]);
        r->previous[w] = renamed(wedges, r->previous[w]);
    }
    for (size_t i = 0; i < (size_t)r->triangle_count * 3; i++)
        r->triangles[i] = wedges[r->triangles[i]];
    move(r->kinds, sizeof *r->kinds, places, r->place_count);
    move(r->points, sizeof *r->points, places, r->place_count);
    move(r->surfaces, sizeof *r->surfaces, places, r->place_count);
    move(r->vertices, sizeof *r->vertices, wedges, r->wedge_count);
    move(r->places, sizeof *r->places, wedges, r->wedge_count);
    move(r->siblings, sizeof *r->siblings, wedges, r->wedge_count);
    move(r->next, sizeof *r->next, wedges, r->wedge_count);
    move(r->previous, sizeof *r->previous, wedges, r->wedge_count);
    move(r->behaviors, sizeof *r->behaviors, wedges, r->wedge_count);
    if (r->attribute_count > 0) {
        size_t count = r->attribute_count;
        move(r->attributes, count * sizeof *r->attributes, wedges, r->wedge_count);
        move(r->gradients, count * sizeof *r->gradients, wedges, r->wedge_count);
    }
    r->place_count = place_count;
    r->wedge_count = wedge_count;
}
