/* tests/support/j3d_character.h - a skinned model with what gets lost on the way
 * through other programs: 12 joints, two of them of one name, bound in another pose
 * than they rest in, one with a scale; seven textures, two of one name and three that
 * nothing shows, with a palette and mip levels; materials in another order than
 * shapes, two of many stages; a shape that is hidden, bounds that nobody computes. */
#ifndef FACET_TESTS_J3D_CHARACTER_H
#define FACET_TESTS_J3D_CHARACTER_H

#include "support/j3d_make.h"

/* How positions are stored. */
typedef struct test_j3d_kind_of_character {
    unsigned component,
        fraction; /* FACET_J3D_F32, or FACET_J3D_S16 and its bits behind the point */
} test_j3d_kind_of_character;

/* Shapes: hidden, body, hat, eye, sleeves. */
test_j3d *test_j3d_character(const test_j3d_kind_of_character *kind);

#endif
