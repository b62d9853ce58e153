/* j3d/file/sections.h - what a file is, and the sections that it is made of. */
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

/* One section of the file; all zero when the file does not have it. */
typedef struct facet_j3d_section {
    const uint8_t *bytes; /* its head of 8 bytes first */
    size_t size;
    uint64_t offset; /* in the file */
} facet_j3d_section;

/* What a file says that it is. Errors: FACET_ERROR_UNSUPPORTED, with a sentence that
 * names it, for other formats that bear the same name. */
facet_status facet_j3d_find_kind(const uint8_t *data, size_t size, facet_j3d_kind *kind,
                                 facet_error *error);

#endif
