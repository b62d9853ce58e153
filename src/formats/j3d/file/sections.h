/* formats/j3d/file/sections.h - what a file is, and the sections that it is made of: one
 * walk for all who read, check or describe it. */
#ifndef FACET_J3D_FILE_SECTIONS_H
#define FACET_J3D_FILE_SECTIONS_H

#include <facet/j3d.h>

/* What exporters fill space with: a run of k bytes holds the first k. */
#define FACET_J3D_PADDING "This is padding data to alignme"

/* The sections of a file, in the order in which they are written. */
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

/* "INF1" */
const char *facet_j3d_section_name(facet_j3d_section_kind kind);
/* The kind of the section that begins at these four bytes, or -1: it is unknown. */
int facet_j3d_section_kind_at(const uint8_t *bytes);

/* One section of the file; all zero when the file does not have it. */
typedef struct facet_j3d_section {
    const uint8_t *bytes; /* its head of 8 bytes first */
    size_t size;
    uint64_t offset; /* in the file */
} facet_j3d_section;

/* A file with more sections is nonsense. */
#define FACET_J3D_MAX_SECTIONS 64

/* What a file is made of. */
typedef struct facet_j3d_sections {
    facet_j3d_kind kind;                                /* 0: it is no J3D file */
    facet_j3d_section by_kind[FACET_J3D_SECTION_COUNT]; /* the first of each */
    facet_j3d_section all[FACET_J3D_MAX_SECTIONS];      /* in the order of the file, unknown
                                                            ones too */
    uint32_t count;
} facet_j3d_sections;

/* What a file says that it is. Errors: FACET_ERROR_UNSUPPORTED, with a sentence that
 * names it, for other formats that bear the same name; FACET_ERROR_MALFORMED. */
facet_status facet_j3d_find_kind(const uint8_t *data, size_t size, facet_j3d_kind *kind,
                                 facet_error *error);

/* What a walk does at a fault that keeps a document from being made. */
typedef enum facet_j3d_walk_mode {
    FACET_J3D_WALK_READ, /* it ends: the fault is its error */
    FACET_J3D_WALK_CHECK /* it goes on, and returns FACET_OK: the fault is a finding */
} facet_j3d_walk_mode;

/* Find out what the file is, where its sections lie, and whether it has those that
 * it needs. A fault has one rule, severity and place, whoever asks. Faults that do
 * not keep a document from being made are findings always; some of them are errors,
 * as games cannot use such a file. `report` and `error` may be NULL. */
facet_status facet_j3d_find_sections(const uint8_t *data, size_t size, facet_j3d_walk_mode mode,
                                     facet_report *report, facet_j3d_sections *sections,
                                     facet_error *error);

/* The hash that the runtime compares names by: h = h * 3 + c over signed bytes. */
uint16_t facet_j3d_hash(const char *bytes);

#endif
