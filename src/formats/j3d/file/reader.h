/* formats/j3d/file/reader.h - a file while it is read, section by section. */
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

/* A fault at `at`, from the section's beginning. */
facet_status facet_j3d_fault(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                             uint64_t at, const char *rule, const char *format, ...)
    FACET_PRINTF(5, 6);
/* Something odd that does not keep the file from being read. */
void facet_j3d_odd(const facet_j3d_reader *reader, facet_j3d_section_kind kind, uint64_t at,
                   const char *rule, const char *format, ...) FACET_PRINTF(5, 6);
/* The section is long enough for its head. */
facet_status facet_j3d_need_head(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                 size_t size, const char *rule);
/* *table = the `count` records of `size` bytes whose offset stands at `field` of
 * the section; NULL when count is 0. */
facet_status facet_j3d_find_table(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, uint64_t count, uint32_t size, const char *rule,
                                  const char *what, const uint8_t **table);
/* An array in the document's arena, or an error; NULL when count is 0. */
facet_status facet_j3d_make(const facet_j3d_reader *reader, size_t count, size_t size,
                            void *pointer_to_array);
/* The remap table of `count` slots whose offset stands at `field`: identity
 * when there is none. Every value is below `limit`. */
facet_status facet_j3d_read_remap(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, uint32_t count, uint32_t limit, const char *rule,
                                  uint16_t **remap);
/* Which rules a table of names breaks. */
typedef struct facet_j3d_name_rules {
    const char *table, *string;
} facet_j3d_name_rules;
/* The table of names that begins at `table`, `offset` bytes into the file, and has at
 * most `size` bytes; it points into these (names.c). */
facet_status facet_j3d_load_names(facet_arena *arena, const uint8_t *table, size_t size,
                                  uint64_t offset, const facet_j3d_name_rules *rules,
                                  facet_j3d_names *names, facet_error *error);
/* The name table whose offset stands at `field` (names.c). */
facet_status facet_j3d_read_names(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                                  uint32_t field, facet_j3d_names *names);
/* The data of a section ends at `end`: what follows is padding, whose text is
 * remembered in the document's layout when it is the longest so far. */
void facet_j3d_learn_padding(const facet_j3d_reader *reader, facet_j3d_section_kind kind,
                             size_t end);
/* True when the bytes are what the exporter fills space with. */
bool facet_j3d_is_padding(const facet_j3d_quirks *layout, const uint8_t *bytes, size_t size);
/* Once all sections are read: replace the beginning of a known text by the whole
 * text. The usual text is stored as none. */
void facet_j3d_complete_padding(facet_j3d_quirks *layout);

/* Each fills in its part of the document; the order is that of
 * facet_j3d_section_kind, but for VTX1, whose arrays end where display lists
 * say: facet_j3d_read_vtx1 finds the arrays, facet_j3d_read_shp1 scans the
 * lists, facet_j3d_size_arrays keeps what they say. */
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
/* What the hierarchy says of joints and shapes, once all of them are known. */
facet_status facet_j3d_bind(facet_j3d_reader *reader);
/* Rows of MAT3's texture numbers, once the textures are known. */
facet_status facet_j3d_check_textures(facet_j3d_reader *reader);

#endif
