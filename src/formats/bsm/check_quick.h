/* formats/bsm/check_quick.h - triangles of which it is known at a glance that they break no rule.
 */
#ifndef FACET_BSM_CHECK_QUICK_H
#define FACET_BSM_CHECK_QUICK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is looked at of the vertices of a survey. */
typedef struct facet_bsm_corners {
    const uint8_t *positions, *normals, *texcoords;
    uint32_t count;
    _Atomic uint8_t *flags; /* gets FACET_BSM_USED, by several threads */
    float longest_normal;
} facet_bsm_corners;

/* Set bits of those of `count` triangles that surely break no rule, and mark the vertices of
 * all eight that are looked at together as used when their indices are in range. */
void facet_bsm_find_good(const facet_bsm_corners *corners, const uint8_t *triangles, uint32_t count,
                         uint8_t *good);

/* Hashes of triangles, which do not tell the order of the vertices. They are in the order of
 * the lowest one of each, which is nearly the order that triangles have, so that what is looked
 * up lies together; within it at random. */
void facet_bsm_hash_triangles(const uint8_t *triangles, uint32_t count, uint32_t vertices,
                              uint32_t *hashes);

#endif
