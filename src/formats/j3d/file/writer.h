/* formats/j3d/file/writer.h - buffer and shared functions for writing a file. */
#ifndef FACET_J3D_FILE_WRITER_H
#define FACET_J3D_FILE_WRITER_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "formats/j3d/file/sections.h"

/* A run of padding. */
typedef struct facet_j3d_gap {
    size_t begin, size; /* from the start of the section */
} facet_j3d_gap;

/* The bytes of a file being written. If memory runs out, put functions do nothing and set `failed`.
 * A section writer puts all of its data, and its caller checks once. */
typedef struct facet_j3d_writer {
    const facet_j3d *document;
    facet_report *report;
    facet_error *error;
    facet_arena *arena;
    uint8_t *bytes;
    size_t size, space;
    size_t section;      /* start of the current section */
    facet_j3d_gap *gaps; /* of the current section */
    size_t gap_count, gap_space;
    bool is_as_read[FACET_J3D_SECTION_COUNT]; /* true if a section has the same bytes as when it was
                                                 read */
    bool failed;
} facet_j3d_writer;

/* Append `size` uninitialized bytes; NULL if out of memory. */
uint8_t *facet_j3d_extend(facet_j3d_writer *writer, size_t size);
void facet_j3d_put(facet_j3d_writer *writer, const void *bytes, size_t size);
void facet_j3d_put_zeros(facet_j3d_writer *writer, size_t size);
/* Pad to a multiple of `alignment` from the start of the section, with the exporters' text or
 * zeros. */
void facet_j3d_pad(facet_j3d_writer *writer, size_t alignment);
void facet_j3d_pad_zeros(facet_j3d_writer *writer, size_t alignment);
/* Treat the offset of a table without elements like padding: exporters store 0, the end of the
 * header, or the offset of the next table. Call it for the fields in ascending order, after the
 * header and before everything else. */
void facet_j3d_free_offset(facet_j3d_writer *writer, size_t field, size_t count);
/* Restore the section's padding if the rest of the section is unchanged. True if so. */
bool facet_j3d_keep_padding(facet_j3d_writer *writer, const facet_j3d_stored_section *stored);
/* Set a number that was written as 0, `at` bytes after the start of the section.
 * facet_j3d_patch_to_position sets it to the current position. */
void facet_j3d_patch(facet_j3d_writer *writer, size_t at, uint32_t value);
void facet_j3d_patch_to_position(facet_j3d_writer *writer, size_t at);
/* The current position, from the start of the section. */
static inline size_t facet_j3d_writer_position(const facet_j3d_writer *writer)
{
    return writer->size - writer->section;
}

static inline void facet_j3d_put_u8(facet_j3d_writer *writer, uint8_t value)
{
    facet_j3d_put(writer, &value, 1);
}
static inline void facet_j3d_put_u16(facet_j3d_writer *writer, uint16_t value)
{
    uint8_t bytes[2];
    facet_store_u16be(bytes, value);
    facet_j3d_put(writer, bytes, sizeof bytes);
}
static inline void facet_j3d_put_u32(facet_j3d_writer *writer, uint32_t value)
{
    uint8_t bytes[4];
    facet_store_u32be(bytes, value);
    facet_j3d_put(writer, bytes, sizeof bytes);
}
static inline void facet_j3d_put_floats(facet_j3d_writer *writer, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        facet_j3d_put_u32(writer, facet_bits_of_float(values[i]));
}
/* Write one u16 per item. */
static inline void facet_j3d_put_u16s(facet_j3d_writer *writer, const uint16_t *values,
                                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        facet_j3d_put_u16(writer, values[i]);
}

/* Check that a count fits its field of 16 bits. */
facet_status facet_j3d_fits_u16(const facet_j3d_writer *writer, size_t count, const char *rule,
                                const char *what);
/* Write a name table and its offset at `field` (names.c). */
facet_status facet_j3d_put_names(facet_j3d_writer *writer, const facet_j3d_names *names,
                                 size_t field);

/* Check that every counted array exists and no index is beyond an array (validate.c). Errors:
 * FACET_ERROR_ARGUMENT. */
facet_status facet_j3d_validate(const facet_j3d *document, facet_error *error);

/* Set the counts of packets and vertices in INF1, which begins at `inf1` in the file. */
void facet_j3d_count_anew(facet_j3d_writer *writer, size_t inf1);

/* Each function writes its section, after the magic number and size. */
facet_status facet_j3d_write_inf1(facet_j3d_writer *writer);
facet_status facet_j3d_write_vtx1(facet_j3d_writer *writer);
facet_status facet_j3d_write_evp1(facet_j3d_writer *writer);
facet_status facet_j3d_write_drw1(facet_j3d_writer *writer);
facet_status facet_j3d_write_jnt1(facet_j3d_writer *writer);
facet_status facet_j3d_write_shp1(facet_j3d_writer *writer);
facet_status facet_j3d_write_mat3(facet_j3d_writer *writer);
facet_status facet_j3d_write_mdl3(facet_j3d_writer *writer);
facet_status facet_j3d_write_tex1(facet_j3d_writer *writer);

#endif
