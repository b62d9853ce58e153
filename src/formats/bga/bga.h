/* formats/bga/bga.h - shared functions of this folder. */
#ifndef FACET_BGA_BGA_H
#define FACET_BGA_BGA_H

#include <facet/bga.h>
#include <stdarg.h>

/* Receives every error of a header. */
typedef struct facet_bga_listener {
    void (*hear)(void *user, const char *rule, uint64_t offset, const char *format,
                 va_list arguments);
    void *user;
} facet_bga_listener;

/* Like facet_bga_view, but with a listener (NULL: none). It receives the errors of the header, and
 * parsing continues to find the others. The status is that of the first error; *bga is complete
 * except for attributes that do not fit. */
facet_status facet_bga_parse(const uint8_t *data, size_t size,
                             const facet_bga_view_options *options,
                             const facet_bga_listener *listener, facet_bga *bga,
                             facet_error *error);

/* True for a buffer whose records are cells of `corners` vertex indices: 3 for "triangle" and
 * "triangle_X", and so on. *cell becomes its index attribute. */
bool facet_bga_is_cells(const facet_bga *bga, const facet_bga_buffer *buffer, uint32_t corners,
                        const facet_bga_attribute **cell);
/* Bytes that stay in the first-level cache between two steps. */
#define FACET_BGA_TILE 8192

/* Copy `count` elements of `size` bytes. Source elements are source_stride bytes apart, target
 * elements target_stride bytes. */
void facet_bga_copy_elements(void *target, size_t target_stride, const void *source,
                             size_t source_stride, size_t count, size_t size);

/* Reverse the bytes of `count` values of `size` bytes (1, 2 or 4). Source and target can be equal,
 * but must not overlap otherwise; any alignment is valid. Vectorized where the processor allows. */
void facet_bga_swap(void *target, const void *source, size_t count, size_t size);

/* True if a name of `length` bytes equals `text`. */
bool facet_bga_name_is(const char *name, size_t length, const char *text);

/* The base type of a type's components. */
facet_bga_base facet_bga_type_base(facet_bga_type type);
/* Name of a type in a header, such as "vec3". */
const char *facet_bga_type_name(facet_bga_type type);

/* Number of components of a type: 9 for a mat3. */
uint32_t facet_bga_type_components(facet_bga_type type);

/* The first index of a cell that is not below `limit`, as stored: it can be negative. The cell, of
 * at most four indices, must have one. */
int64_t facet_bga_bad_index(const facet_bga *bga, const facet_bga_attribute *cell, uint64_t record,
                            uint64_t limit);

/* Find a buffer by name; NULL if missing. */
const facet_bga_buffer *facet_bga_find_buffer(const facet_bga *bga, const char *buffer);

#endif
