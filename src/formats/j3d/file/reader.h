/* formats/j3d/file/reader.h - state and shared functions for reading a file section by section. */
#ifndef FACET_J3D_FILE_READER_H
#define FACET_J3D_FILE_READER_H

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "formats/j3d/file/sections.h"

typedef struct facet_j3d_reader {
    const uint8_t *data;
    size_t size;
    facet_report *report;
    facet_error *error;
    facet_arena *arena;
    facet_j3d *document;
    facet_j3d_section sections[FACET_J3D_SECTION_COUNT];
} facet_j3d_reader;

/* Fail with an error at `at`, counted from the start of the section. */
facet_status facet_j3d_fault(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                             uint64_t at, const char *rule, const char *format, ...)
    FACET_PRINTF(5, 6);
/* Report a finding that does not stop the reader. */
void facet_j3d_odd(const facet_j3d_reader *reader, facet_j3d_section_kind kind, uint64_t at,
                   const char *rule, const char *format, ...) FACET_PRINTF(5, 6);
/* Check that the section is long enough for its header. */
facet_status facet_j3d_need_head(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                 size_t size, const char *rule);
/* Set *table to the `count` records of `size` bytes whose offset is at `field` of the section; NULL
 * if count is 0. */
facet_status facet_j3d_find_table(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, uint64_t count, uint32_t size, const char *rule,
                                  const char *what, const uint8_t **table);
/* Allocate an array in the document's arena; NULL if count is 0. */
facet_status facet_j3d_make(const facet_j3d_reader *reader, size_t count, size_t size,
                            void *pointer_to_array);
/* Read the remap table of `count` slots whose offset is at `field`. Without a table, the result is
 * the identity. All values must be below `limit`. */
facet_status facet_j3d_read_remap(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, uint32_t count, uint32_t limit, const char *rule,
                                  uint16_t **remap);
/* Rule ids for the errors of a name table. */
typedef struct facet_j3d_name_rules {
    const char *table, *string;
} facet_j3d_name_rules;
/* Read a name table of at most `size` bytes at `table`. The names point into these bytes. `offset`
 * is its position in the file (names.c). */
facet_status facet_j3d_load_names(facet_arena *arena, const uint8_t *table, size_t size,
                                  uint64_t offset, const facet_j3d_name_rules *rules,
                                  facet_j3d_names *names, facet_error *error);
/* Read the name table whose offset is at `field` (names.c). */
facet_status facet_j3d_read_names(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, facet_j3d_names *names);
/* Record the padding after `end`, the end of the section's data. The layout of the document keeps
 * the longest padding text. */
void facet_j3d_learn_padding(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                             size_t end);
/* True if the bytes are the exporter's padding. */
bool facet_j3d_is_padding(const facet_j3d_quirks *layout, const uint8_t *bytes, size_t size);
/* Complete the padding text after all sections are read: if it is the start of a known text, store
 * that text. The usual text is stored as no text. */
void facet_j3d_complete_padding(facet_j3d_quirks *layout);

/* Each function reads its part of the document, in the order of facet_j3d_section_kind. VTX1 is an
 * exception, because display lists determine the ends of its arrays: facet_j3d_read_vtx1 finds the
 * arrays, facet_j3d_read_shp1 scans the lists, facet_j3d_size_arrays sets the sizes. */
facet_status facet_j3d_read_inf1(facet_j3d_reader *reader);
facet_status facet_j3d_read_vtx1(facet_j3d_reader *reader);
facet_status facet_j3d_read_evp1(facet_j3d_reader *reader);
facet_status facet_j3d_read_drw1(facet_j3d_reader *reader);
facet_status facet_j3d_read_jnt1(facet_j3d_reader *reader);
facet_status facet_j3d_read_shp1(facet_j3d_reader *reader);
void facet_j3d_size_arrays(facet_j3d_reader *reader, const uint32_t counts[FACET_J3D_ARRAY_COUNT]);
facet_status facet_j3d_read_mat3(facet_j3d_reader *reader);
facet_status facet_j3d_read_mdl3(facet_j3d_reader *reader);
facet_status facet_j3d_read_tex1(facet_j3d_reader *reader);
/* Apply the hierarchy to joints and shapes, after all of them are read. */
facet_status facet_j3d_bind(facet_j3d_reader *reader);
/* Check the texture numbers of MAT3 after the textures are read. */
facet_status facet_j3d_check_textures(facet_j3d_reader *reader);

#endif
