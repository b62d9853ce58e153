/* tests/support/j3d_make_sections.h - what the files share that write the sections
 * of j3d_make.h. */
#ifndef FACET_TESTS_J3D_MAKE_SECTIONS_H
#define FACET_TESTS_J3D_MAKE_SECTIONS_H

#include "support/j3d_make.h"

/* -- j3d_make.c --------------------------------------------------------- */

/* Memory that was asked for, or the end of the program. */
void *test_must(void *memory);
/* The same word again and again. */
void test_bytes_words(test_bytes *bytes, uint32_t value, uint32_t count);
void test_bytes_floats(test_bytes *bytes, const float *values, uint32_t count);

/* -- j3d_make_sections.c ------------------------------------------------ */

/* Where the section begins; its size is known at the end. */
size_t test_j3d_begin_section(test_bytes *file, const char *magic);
void test_j3d_end_section(test_bytes *file, size_t at);
/* Store, at an offset of the section's head, where the file has come to. */
void test_j3d_mark(test_bytes *file, size_t section, size_t field);
void test_j3d_put_names(test_bytes *file, const char *const *names, uint32_t count);
/* 0, 1, 2 and so on, 16 bits each. */
void test_j3d_put_remap(test_bytes *file, uint32_t count);

/* -- j3d_make_materials.c ----------------------------------------------- */

void test_j3d_put_mat3(const test_j3d *model, test_bytes *file);
/* The packets as they are given, or one of empty packets. */
void test_j3d_put_mdl3(const test_j3d *model, test_bytes *file);

#endif
