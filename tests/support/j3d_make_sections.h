/* tests/support/j3d_make_sections.h - functions shared by the files that write the sections of
 * j3d_make.h. */
#ifndef FACET_TESTS_J3D_MAKE_SECTIONS_H
#define FACET_TESTS_J3D_MAKE_SECTIONS_H

#include "support/j3d_make.h"

/* -- j3d_make.c --------------------------------------------------------- */

/* Return allocated memory, or end the program if it is NULL. */
void *test_must(void *memory);
/* Append the same word several times. */
void test_bytes_words(test_bytes *bytes, uint32_t value, uint32_t count);
void test_bytes_floats(test_bytes *bytes, const float *values, uint32_t count);

/* -- j3d_make_sections.c ------------------------------------------------ */

/* Return the beginning of the section. Its size is stored at the end. */
size_t test_j3d_begin_section(test_bytes *file, const char *magic);
void test_j3d_end_section(test_bytes *file, size_t at);
/* Store the current position at an offset of the section's header. */
void test_j3d_mark(test_bytes *file, size_t section, size_t field);
void test_j3d_put_names(test_bytes *file, const char *const *names, uint32_t count);
/* 0, 1, 2 and so on, 16 bits each. */
void test_j3d_put_remap(test_bytes *file, uint32_t count);

/* -- j3d_make_materials.c ----------------------------------------------- */

void test_j3d_put_mat3(const test_j3d *model, test_bytes *file);
/* The given packets, or empty packets. */
void test_j3d_put_mdl3(const test_j3d *model, test_bytes *file);

#endif
