/* tests/support/j3d_random.h - documents and materials of J3D made up for tests. */
#ifndef FACET_TESTS_J3D_RANDOM_H
#define FACET_TESTS_J3D_RANDOM_H

#include <facet/j3d.h>

/* An empty document with an arena; NULL without memory. */
facet_j3d *test_j3d_document(const facet_allocator *allocator);
/* Give it textures of these names, 8 x 8 texels of I4 each, 32 bytes of `texels`. */
bool test_j3d_textures(facet_j3d *document, const char *const *names, uint32_t count,
                       const uint8_t *texels);

typedef struct test_random {
    uint32_t state;
} test_random;
uint32_t test_random_below(test_random *random, uint32_t limit);
/* A material with anything in it, each part given or not, out of few values so
 * that some meet again; textures are below `texture_count`. */
void test_j3d_material(test_random *random, uint32_t texture_count, facet_j3d_material *material);
/* The small material of the smallest file there is: unlit, textured, opaque. */
void test_j3d_plain_material(facet_j3d_material *material, const char *name);
/* Both are the same, name apart. */
void test_j3d_same_material(const facet_j3d_material *a, const facet_j3d_material *b);

#endif
