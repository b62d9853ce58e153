/* formats/bpx/bpx.h - shared functions of this folder. */
#ifndef FACET_BPX_BPX_H
#define FACET_BPX_BPX_H

#include "base/bytes.h"
#include "base/report.h"
#include "base/tree.h"

#include <facet/bpx.h>
#include <facet/format.h>

#define FACET_BPX_HEADER_SIZE 24
#define FACET_BPX_ENTRY_SIZE 16
#define FACET_BPX_FLAG_COMPRESSED 0x02

#define FACET_BPX_BONE_SIZE 68
#define FACET_BPX_MAX_BONES 1024
/* Size of the head of FrameArray in the private profile, and of a matrix. */
#define FACET_BPX_FRAMES_HEAD 8
#define FACET_BPX_MATRIX_SIZE 64
/* Maximum length of a name. Longer ones are not engine paths; many offsets into one long string
 * must not become many long names. */
#define FACET_BPX_MAX_NAME 1024

/* Section types of version 0. */
enum { FACET_BPX_PIXELS = 0 };
enum {
    FACET_BPX_VERTEX_FORMAT = 0,
    FACET_BPX_VERTEX_ARRAY = 1,
    FACET_BPX_BONES = 2,
    FACET_BPX_FRAMES = 3,
    FACET_BPX_ANIMATIONS = 4,
    FACET_BPX_STRINGS = 5
};
enum {
    FACET_BPX_SHADER = 0,
    FACET_BPX_ASSEMBLY_DX = 1,
    FACET_BPX_ASSEMBLY_GL = 2,
    FACET_BPX_ASSEMBLY_LAST = 4
};

/* Flags of a texture: the upper half of byte 3 of its extension. */
enum { FACET_BPX_TEXTURE_ARRAY = 1, FACET_BPX_TEXTURE_GPU = 2, FACET_BPX_TEXTURE_CUBE = 4 };
/* Bytes per assembly of a shader package. */
#define FACET_BPX_ASSEMBLY_SIZE 12

/* -- view.c ------------------------------------------------------------- */

/* Name of a section type in a file of this type, or NULL. */
const char *facet_bpx_section_name(facet_bpx_revision revision, char file_type, uint8_t type);

/* Like the view, but sections out of bounds are not an error: they become empty. Fails only if the
 * table is unreadable. */
facet_status facet_bpx_view_header(const uint8_t *data, size_t size, facet_bpx_layout *layout,
                                   facet_error *error);
/* Check the position of a section. Returns the broken rule and fills *error, or NULL. */
const char *facet_bpx_place_fault(const facet_bpx_layout *layout, uint32_t index,
                                  facet_error *error);

/* -- read.c ------------------------------------------------------------- */

/* Create a document with a layout's sections, without their contents. */
facet_status facet_bpx_begin(const facet_bpx_layout *layout, const facet_options *options,
                             facet_bpx **document, facet_error *error);
/* Create a document from a layout. */
facet_status facet_bpx_read_layout(const facet_bpx_layout *layout, const facet_options *options,
                                   facet_bpx **document, facet_error *error);
/* Inflate one section into the arena: data and size. Uncompressed ones are not copied. *consumed,
 * if not NULL, is the number of stored bytes that were used. */
facet_status facet_bpx_inflate(facet_arena *arena, const facet_bpx_layout *layout,
                               const facet_bpx_section *section, facet_bpx_contents *contents,
                               size_t *consumed, facet_error *error);

/* The string at an offset, for use as a name: "" if it does not exist. Truncated after
 * FACET_BPX_MAX_NAME bytes: then *cut is true and it has no NUL. */
const char *facet_bpx_name(const facet_bpx_contents *strings, uint32_t offset, size_t *length,
                           bool *cut);

/* -- Documents ---------------------------------------------------------- */

/* A document's sections of one type: their number, and the first. */
static inline uint32_t facet_bpx_count(const facet_bpx *document, uint8_t type, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < document->section_count; i++) {
        if (document->sections[i].type == type && count++ == 0)
            *first = i;
    }
    return count;
}

/* Create an empty document of version 0 with space for `capacity` sections (document.c). */
facet_status facet_bpx_create(char type, uint32_t capacity, const facet_options *options,
                              facet_bpx **document, facet_error *error);
/* Add a section; the space must exist. */
void facet_bpx_add_section(facet_bpx *document, uint8_t type, bool plain, const void *data,
                           size_t size);
/* Check that every section of a caller's document has data. Else FACET_ERROR_ARGUMENT with
 * BPX-DOCUMENT. */
facet_status facet_bpx_check_sections(const facet_bpx *document, facet_error *error);

/* True if three floats have unit length, within 1e-2 (model.c). */
bool facet_bpx_is_unit(const uint8_t *at);

/* -- view.c: checksums -------------------------------------------------- */

typedef enum facet_bpx_sum {
    FACET_BPX_SUM_WRONG = 0,
    FACET_BPX_SUM_RIGHT,
    FACET_BPX_SUM_ABSENT,  /* the field is 0, which is not the correct value */
    FACET_BPX_SUM_ZEROED,  /* 0-A: correct if the field itself counts as zeros */
    FACET_BPX_SUM_ONE_STEP /* a section's CRC, computed with the table of the library of versions 1
                            * and 2 */
} facet_bpx_sum;

/* Check the file's own checksum. Version 0: a CRC-32 of everything except the field, so the whole
 * file is read. Versions 1 and 2: a sum of the bytes of header and table. */
facet_bpx_sum facet_bpx_file_sum(const facet_bpx_layout *layout);
/* Check the checksum of a section's contents in versions 1 and 2; RIGHT for version 0. */
facet_bpx_sum facet_bpx_section_sum(const facet_bpx_layout *layout,
                                    const facet_bpx_section *section, const uint8_t *contents,
                                    size_t size);

/* -- check_*.c: rules of the types ---------------------------------------- */

/* The contents of damaged sections are NULL. */
void facet_bpx_check_texture(const facet_bpx *document, facet_report *report);
facet_status facet_bpx_check_model(const facet_bpx *document, const facet_bpx_layout *layout,
                                   facet_report *report, facet_error *error);
/* Check the names of a model: offsets into Strings, and the strings. */
facet_status facet_bpx_check_strings(const facet_bpx *document, const facet_bpx_model *model,
                                     facet_report *report, facet_error *error);
void facet_bpx_check_shaders(const facet_bpx *document, facet_report *report);

/* -- describe.c, extract.c ---------------------------------------------- */

/* Check all rules of docs/reference/formats/bpx.md, and add findings to `report`. Returns FACET_OK
 * also for a file with errors. options can be NULL. Errors: FACET_ERROR_MEMORY,
 * FACET_ERROR_CANCELED. */
facet_status facet_bpx_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Fill an existing description of a file. */
facet_status facet_bpx_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);
/* Extract a document's files: the shaders of a package, or the files of a package of version 1 or
 * 2. For others, the sections unchanged. */
facet_status facet_bpx_extract(const facet_bpx *document, const facet_extractor *extractor,
                               facet_error *error);

/* Extract the files in a package of version 1 or 2. */
facet_status facet_bpx_extract_package(const facet_bpx *document, const facet_extractor *to,
                                       facet_error *error);

/* "0-A", "1", ... */
const char *facet_bpx_revision_name(facet_bpx_revision revision);

/* The string at an offset of a Strings section; NULL if it is not completely inside. */
const char *facet_bpx_string(const facet_bpx_contents *strings, uint32_t offset);

#endif
