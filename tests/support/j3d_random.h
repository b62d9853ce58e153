/* tests/support/j3d_random.h - random documents and materials of J3D. */
#ifndef FACET_TESTS_J3D_RANDOM_H
#define FACET_TESTS_J3D_RANDOM_H

#include <facet/j3d.h>

/* An empty document with an arena; NULL if out of memory. */
facet_j3d *test_j3d_document(const facet_allocator *allocator);
/* Add textures with these names, 8 x 8 texels of I4 each, 32 bytes of `texels`. */
bool test_j3d_textures(facet_j3d *document, const char *const *names, uint32_t count,
                       const uint8_t *texels);

typedef struct test_random {
    uint32_t state;
} test_random;
uint32_t test_random_below(test_random *random, uint32_t limit);
/* A material of random parts, each given or not, with few values so that some repeat. Textures are
 * below `texture_count`. */
void test_j3d_material(test_random *random, uint32_t texture_count, facet_j3d_material *material);
/* The material of the smallest valid file: unlit, textured, opaque. */
void test_j3d_plain_material(facet_j3d_material *material, const char *name);
/* Check that two materials are equal except for the name. */
void test_j3d_same_material(const facet_j3d_material *a, const facet_j3d_material *b);

#endif
