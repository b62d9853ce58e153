/* tests/support/j3d_animation.h - a small animation file of every kind, byte by byte from the
 * description of the format, independent of the library. */
#ifndef FACET_TESTS_J3D_ANIMATION_H
#define FACET_TESTS_J3D_ANIMATION_H

#include <stddef.h>
#include <stdint.h>

#define TEST_ANIMATION_KINDS 12

/* "bck", "bca" ... in the order of facet_j3d_animation_kind, starting at 0. */
extern const char *const test_animation_names[TEST_ANIMATION_KINDS];
/* The file of a kind, in a static buffer. bck and btk are the examples of the description, whose
 * bytes are published. */
const uint8_t *test_animation(unsigned kind, size_t *size);
/* The same in a buffer of the caller, of 4 KiB. Returns its size. */
size_t test_animation_copy(unsigned kind, uint8_t *copy);

#endif
