/* formats/j3d/file/writer.h - the bytes of a file while they are made. */
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
    size_t begin, size; /* from the section's beginning */
} facet_j3d_gap;

/* Space for a whole file. Puts that find no memory do nothing and set `failed`:
 * a section's writer puts all it has, and the caller asks once. */
typedef struct facet_j3d_writer {
    const facet_j3d *document;
    facet_report *report;
    facet_error *error;
    facet_arena *arena;
    uint8_t *bytes;
    size_t size, space;
    size_t section;      /* where the section begins that is being written */
    facet_j3d_gap *gaps; /* of this section */
    size_t gap_count, gap_space;
    bool is_as_read[FACET_J3D_SECTION_COUNT]; /* a section came out with the bytes it had */
    bool failed;
} facet_j3d_writer;

/* `size` more bytes, not set; NULL without memory. */
uint8_t *facet_j3d_extend(facet_j3d_writer *writer, size_t size);
void facet_j3d_put(facet_j3d_writer *writer, const void *bytes, size_t size);
void facet_j3d_put_zeros(facet_j3d_writer *writer, size_t size);
/* Padding up to a multiple of `alignment`, counted from the section; the
 * exporters' text, or zeros. */
void facet_j3d_pad(facet_j3d_writer *writer, size_t alignment);
void facet_j3d_pad_zeros(facet_j3d_writer *writer, size_t alignment);
/* The section's padding as it was read, when all else of the section is as it was: whether
 * that is so. */
bool facet_j3d_keep_padding(facet_j3d_writer *writer, const facet_j3d_stored_section *stored);
/* Set a number that was put before as 0, `at` bytes from the section's
 * beginning; the second sets it to the place reached. */
void facet_j3d_patch(facet_j3d_writer *writer, size_t at, uint32_t value);
void facet_j3d_patch_here(facet_j3d_writer *writer, size_t at);
/* The place reached, from the section's beginning. */
static inline size_t facet_j3d_place(const facet_j3d_writer *writer)
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
/* A u16 per item. */
static inline void facet_j3d_put_u16s(facet_j3d_writer *writer, const uint16_t *values,
                                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        facet_j3d_put_u16(writer, values[i]);
}

/* A count that its field of 16 bits must hold. */
facet_status facet_j3d_fits_u16(const facet_j3d_writer *writer, size_t count, const char *rule,
                                const char *what);
/* A table of names, whose offset goes to `field` (names.c). */
facet_status facet_j3d_put_names(facet_j3d_writer *writer, const facet_j3d_names *names,
                                 size_t field);

/* Every array that the document counts is there, and nothing points beyond one
 * (validate.c). Errors: FACET_ERROR_ARGUMENT. */
facet_status facet_j3d_validate(const facet_j3d *document, facet_error *error);

/* Set the counts of packets and vertices in INF1, which begins at `inf1` of the file, to
 * what shapes and vertices have. */
void facet_j3d_count_anew(facet_j3d_writer *writer, size_t inf1);

/* Each writes its section from after the magic number and size on. */
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
