/* tests/support/j3d_like.h - scenes saved like an original model (--like). */
#ifndef FACET_TESTS_J3D_LIKE_H
#define FACET_TESTS_J3D_LIKE_H

#include "support/j3d_character.h"

#include <facet/scene.h>

test_bytes test_like_character(const test_j3d_kind_of_character *kind, facet_j3d_kind file);
/* Copy a BMD as BDL, and free it. */
test_bytes test_like_bdl(test_bytes bytes);
facet_scene *test_like_load(const void *data, size_t size, const char *format);
/* Convert a model to GLB and load it, as another program would. */
facet_scene *test_like_through_glb(const test_bytes *model);
/* Save the scene like `original`, or without an original if it is NULL. */
test_bytes test_like_save(facet_scene *scene, const test_bytes *original, const char *format,
                          facet_report *report);
void test_like_assert_same(const test_bytes *a, const test_bytes *b);
facet_j3d *test_like_read(const test_bytes *bytes);
void test_like_assert_clean(const test_bytes *bytes);
/* Expect equal bytes of a section. */
void test_like_assert_same_section(const test_bytes *a, const test_bytes *b, const char *magic);
/* Expect that the display lists of all shapes except one are equal, byte for byte. */
void test_like_assert_same_shapes_but(const facet_j3d *a, const facet_j3d *b, uint32_t shape);
void test_like_drop_extras(facet_scene *scene);
facet_mesh *test_like_mesh(facet_scene *scene, const char *name);
facet_node *test_like_node(facet_scene *scene, const char *name);

#endif
