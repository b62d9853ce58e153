/* formats/bpx/bpx.h - what the files of this folder share. */
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
/* The head of FrameArray in the private profile, and a matrix. */
#define FACET_BPX_FRAMES_HEAD 8
#define FACET_BPX_MATRIX_SIZE 64
/* Names beyond this are no engine paths: offsets into one long string must not
 * become as many long names. */
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
/* Bytes of an assembly of a shader package. */
#define FACET_BPX_ASSEMBLY_SIZE 12

/* -- view.c ------------------------------------------------------------- */

/* What a section type is called in a file of this type, or NULL. */
const char *facet_bpx_section_name(facet_bpx_revision revision, char file_type, uint8_t type);

/* The view without refusing sections out of bounds: those come out empty. Only
 * what makes the table unreadable fails. */
facet_status facet_bpx_view_header(const uint8_t *data, size_t size, facet_bpx_layout *layout,
                                   facet_error *error);
/* What is wrong with the place of a section: a rule, and *error filled; or NULL. */
const char *facet_bpx_place_fault(const facet_bpx_layout *layout, uint32_t index,
                                  facet_error *error);

/* -- read.c ------------------------------------------------------------- */

/* A document of a layout's sections, without their contents. */
facet_status facet_bpx_begin(const facet_bpx_layout *layout, const facet_options *options,
                             facet_bpx **document, facet_error *error);
/* A document of a layout. */
facet_status facet_bpx_read_layout(const facet_bpx_layout *layout, const facet_options *options,
                                   facet_bpx **document, facet_error *error);
/* Data and size of one section, inflated into the arena. Plain ones are not
 * copied. *consumed, if not NULL: the stored bytes that they were made of. */
facet_status facet_bpx_inflate(facet_arena *arena, const facet_bpx_layout *layout,
                               const facet_bpx_section *section, facet_bpx_contents *contents,
                               size_t *consumed, facet_error *error);

/* The string at an offset for use as a name: "" when there is none, and cut
 * after FACET_BPX_MAX_NAME bytes, where *cut tells. Not NUL-terminated then. */
const char *facet_bpx_name(const facet_bpx_contents *strings, uint32_t offset, size_t *length,
                           bool *cut);

/* -- Documents ---------------------------------------------------------- */

/* A document's sections of one type: the first, and how many there are. */
static inline uint32_t facet_bpx_count(const facet_bpx *document, uint8_t type, uint32_t *first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < document->section_count; i++) {
        if (document->sections[i].type == type && count++ == 0)
            *first = i;
    }
    return count;
}

/* A document of version 0 with space for so many sections, none yet (document.c). */
facet_status facet_bpx_create(char type, uint32_t capacity, const facet_options *options,
                              facet_bpx **document, facet_error *error);
/* Add a section; there is space for it. */
void facet_bpx_add_section(facet_bpx *document, uint8_t type, bool plain, const void *data,
                           size_t size);
/* Every section of a document filled in by hand is there, or
 * FACET_ERROR_ARGUMENT with BPX-DOCUMENT. */
facet_status facet_bpx_check_sections(const facet_bpx *document, facet_error *error);

/* Three floats of unit length, within 1e-2 (model.c). */
bool facet_bpx_is_unit(const uint8_t *at);

/* -- view.c: checksums -------------------------------------------------- */

typedef enum facet_bpx_sum {
    FACET_BPX_SUM_WRONG = 0,
    FACET_BPX_SUM_RIGHT,
    FACET_BPX_SUM_ABSENT,  /* the field is 0 and not the true value */
    FACET_BPX_SUM_ZEROED,  /* 0-A: right when the field itself is taken as zeros */
    FACET_BPX_SUM_ONE_STEP /* a section's CRC by the table of the library of versions 1 and 2 */
} facet_bpx_sum;

/* The file's own checksum: in version 0 a CRC-32 of everything but the field, in
 * versions 1 and 2 a sum of the bytes of header and table. Reads the whole file
 * in version 0. */
facet_bpx_sum facet_bpx_file_sum(const facet_bpx_layout *layout);
/* The checksum of a section's contents, versions 1 and 2; RIGHT where there is none. */
facet_bpx_sum facet_bpx_section_sum(const facet_bpx_layout *layout,
                                    const facet_bpx_section *section, const uint8_t *contents,
                                    size_t size);

/* -- check_*.c: rules of the types ---------------------------------------- */

/* Contents of damaged sections are NULL. */
void facet_bpx_check_texture(const facet_bpx *document, facet_report *report);
facet_status facet_bpx_check_model(const facet_bpx *document, const facet_bpx_layout *layout,
                                   facet_report *report, facet_error *error);
/* The names of a model: the offsets into Strings, and what stands there. */
facet_status facet_bpx_check_strings(const facet_bpx *document, const facet_bpx_model *model,
                                     facet_report *report, facet_error *error);
void facet_bpx_check_shaders(const facet_bpx *document, facet_report *report);

/* -- describe.c, extract.c ---------------------------------------------- */

/* Apply every rule of docs/reference/formats/bpx.md to a file and add what is found to `report`.
 * FACET_OK also for a file full of errors. options may be NULL.
 * Errors: FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
facet_status facet_bpx_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_bpx_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);
/* What is in a document, as files: the shaders of a package, the files of a
 * package of version 1 or 2, else its sections as they are. */
facet_status facet_bpx_extract(const facet_bpx *document, const facet_extractor *extractor,
                               facet_error *error);

/* The files in a package of version 1 or 2. */
facet_status facet_bpx_extract_package(const facet_bpx *document, const facet_extractor *to,
                                       facet_error *error);

/* "0-A", "1", ... */
const char *facet_bpx_revision_name(facet_bpx_revision revision);

/* The string at a byte offset of a Strings section, or NULL when it does not
 * lie whole inside. */
const char *facet_bpx_string(const facet_bpx_contents *strings, uint32_t offset);

#endif
