/* formats/bga/bga.h - what the files of this folder share. */
#ifndef FACET_BGA_BGA_H
#define FACET_BGA_BGA_H

#include <facet/bga.h>
#include <stdarg.h>

/* Hears of every error in a header. */
typedef struct facet_bga_listener {
    void (*hear)(void *user, const char *rule, uint64_t offset, const char *format,
                 va_list arguments);
    void *user;
} facet_bga_listener;

/* facet_bga_view with a listener (NULL: none). With one, an error of the header
 * is told to it and parsing goes on, so that it hears of the others too; the
 * status is that of the first error all the same, and *bga is whole but for
 * attributes that do not fit. */
facet_status facet_bga_parse(const uint8_t *data, size_t size,
                             const facet_bga_view_options *options,
                             const facet_bga_listener *listener, facet_bga *bga,
                             facet_error *error);

/* True for a buffer whose records are cells of `corners` vertex indices:
 * "triangle" and "triangle_X" for 3, and so on. *cell is its index attribute. */
bool facet_bga_is_cells(const facet_bga *bga, const facet_bga_buffer *buffer, uint32_t corners,
                        const facet_bga_attribute **cell);
/* Bytes that stay in the nearest cache from one step to the next. */
#define FACET_BGA_TILE 8192

/* Copy `count` elements of `size` bytes from where they stand source_stride
 * bytes apart to where they are to stand target_stride bytes apart. */
void facet_bga_copy_elements(void *target, size_t target_stride, const void *source,
                             size_t source_stride, size_t count, size_t size);

/* Reverse the bytes of each of `count` values of `size` bytes (1, 2 or 4).
 * Source and target may be the same, and of any alignment, but must not
 * overlap otherwise. Vectorized where the processor allows. */
void facet_bga_swap(void *target, const void *source, size_t count, size_t size);

/* True when a name of `length` bytes is `text`. */
bool facet_bga_name_is(const char *name, size_t length, const char *text);

/* The type of the numbers that a type is made of. */
facet_bga_base facet_bga_type_base(facet_bga_type type);

/* Base values of one such type: 9 for a mat3. */
uint32_t facet_bga_type_components(facet_bga_type type);

/* By name; NULL when there is none. */
const facet_bga_buffer *facet_bga_find_buffer(const facet_bga *bga, const char *buffer);

#endif
