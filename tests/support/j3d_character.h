/* tests/support/j3d_character.h - a skinned model with data that other programs lose.
 * It has 12 joints, two of them with one name and one with a scale, bound in another pose than at
 * rest. It has seven textures: two with one name, three unused, with a palette and mip levels.
 * Materials are in another order than shapes; two have many stages. One shape is hidden, and no
 * program computes the bounds. */
#ifndef FACET_TESTS_J3D_CHARACTER_H
#define FACET_TESTS_J3D_CHARACTER_H

#include "support/j3d_make.h"

/* Format of the positions. */
typedef struct test_j3d_kind_of_character {
    unsigned component, fraction; /* FACET_J3D_F32, or FACET_J3D_S16 and its fraction bits */
} test_j3d_kind_of_character;

/* Shapes: hidden, body, hat, eye, sleeves. */
test_j3d *test_j3d_character(const test_j3d_kind_of_character *kind);

#endif
