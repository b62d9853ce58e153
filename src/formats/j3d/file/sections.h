/* formats/j3d/file/sections.h - the kind of a file and its sections. Reading, checking and
 * describing share this code. */
#ifndef FACET_J3D_FILE_SECTIONS_H
#define FACET_J3D_FILE_SECTIONS_H

#include <facet/j3d.h>

/* The padding text of exporters: a run of k bytes has its first k bytes. */
#define FACET_J3D_PADDING "This is padding data to alignme"

/* The sections of a file, in the order of writing. */
typedef enum facet_j3d_section_kind {
    FACET_J3D_INF1,
    FACET_J3D_VTX1,
    FACET_J3D_EVP1,
    FACET_J3D_DRW1,
    FACET_J3D_JNT1,
    FACET_J3D_SHP1,
    FACET_J3D_MAT3, /* or MAT2 */
    FACET_J3D_MDL3,
    FACET_J3D_TEX1,
    FACET_J3D_SECTION_COUNT
} facet_j3d_section_kind;
_Static_assert(FACET_J3D_SECTION_COUNT == FACET_J3D_KNOWN_SECTIONS, "a document keeps all");

/* The name of a section, for example "INF1". */
const char *facet_j3d_section_name(facet_j3d_section_kind kind);
/* The kind of the section that begins with these four bytes; -1 if unknown. */
int facet_j3d_section_kind_at(const uint8_t *bytes);

/* One section of the file; all zero if the file lacks it. */
typedef struct facet_j3d_section {
    const uint8_t *bytes; /* begins with the header of 8 bytes */
    size_t size;
    uint64_t offset; /* offset in the file */
} facet_j3d_section;

/* The reader rejects files with more sections. */
#define FACET_J3D_MAX_SECTIONS 64

/* All sections of a file. */
typedef struct facet_j3d_sections {
    facet_j3d_kind kind;                                /* 0: not a J3D file */
    facet_j3d_section by_kind[FACET_J3D_SECTION_COUNT]; /* the first section of each kind */
    facet_j3d_section all[FACET_J3D_MAX_SECTIONS];      /* in the order of the file, with unknown
                                                           ones */
    uint32_t count;
} facet_j3d_sections;

/* Find the kind of a file. Errors: FACET_ERROR_UNSUPPORTED for other formats with the same file
 * extension, which the message names; FACET_ERROR_MALFORMED. */
facet_status facet_j3d_find_kind(const uint8_t *data, size_t size, facet_j3d_kind *kind,
                                 facet_error *error);

/* Behavior at an error that prevents a document. */
typedef enum facet_j3d_section_mode {
    FACET_J3D_SECTIONS_READ, /* stop with the error */
    FACET_J3D_SECTIONS_CHECK /* report it as a finding, go on, and return FACET_OK */
} facet_j3d_section_mode;

/* Find the kind of a file and its sections, and check that required sections exist. Rule, severity
 * and offset of a finding are the same in both modes. Errors that do not prevent a document are
 * always findings. Some have the severity error, because games cannot use such a file. `report` and
 * `error` can be NULL. */
facet_status facet_j3d_find_sections(const uint8_t *data, size_t size, facet_j3d_section_mode mode,
                                     facet_report *report, facet_j3d_sections *sections,
                                     facet_error *error);

/* The runtime's hash for names: h = h * 3 + c over signed bytes. */
uint16_t facet_j3d_hash(const char *bytes);

#endif
