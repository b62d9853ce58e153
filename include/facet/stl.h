/* facet/stl.h - the STL format of stereolithography: triangles and little other data.
 *
 * A binary STL is a header of 80 bytes, a count, and 50 bytes per triangle: its normal, three
 * corners, two bytes of attributes. An ASCII STL has the same data as text and may hold several
 * solids with names. Neither defines a unit or an up axis. docs/reference/formats/stl.md lists the
 * rules and how Facet handles them.
 *
 * Stability: stable.
 */
#ifndef FACET_STL_H
#define FACET_STL_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Documents ---------------------------------------------------------- */

#define FACET_STL_HEADER_SIZE 80
/* Bytes of a triangle in a binary file: twelve floats and the attributes. */
#define FACET_STL_RECORD_SIZE 50

typedef enum facet_stl_encoding { FACET_STL_BINARY = 0, FACET_STL_ASCII } facet_stl_encoding;

/* Meaning of the triangles' attributes. */
typedef enum facet_stl_colors {
    FACET_STL_COLORS_NONE = 0,   /* nothing */
    FACET_STL_COLORS_VISCAM,     /* VisCAM, SolidView: if bit 15 is set, a color: red in bits 10
                                    to 14, green in 5 to 9, blue in 0 to 4 */
    FACET_STL_COLORS_MATERIALISE /* Magics: red in bits 0 to 4, green in 5 to 9, blue in 10 to
                                    14, if bit 15 is clear. Otherwise the color of the object,
                                    which the header has after "COLOR=" */
} facet_stl_colors;

/* A run of triangles with a name. */
typedef struct facet_stl_solid {
    const char *name; /* UTF-8; "": no name */
    uint32_t first_triangle, triangle_count;
} facet_stl_solid;

typedef struct facet_stl {
    facet_arena *arena;          /* of a document created by this library; otherwise NULL */
    facet_stl_encoding encoding; /* as read */
    uint8_t header[FACET_STL_HEADER_SIZE]; /* of a binary file */
    facet_stl_colors colors;
    uint8_t object_color[4];  /* red, green, blue, alpha; for FACET_STL_COLORS_MATERIALISE: that
                               * of the material in the header, or of the object */
    const uint8_t *triangles; /* records in the form of a binary file, also for ASCII files */
    uint32_t triangle_count;
    facet_stl_solid *solids; /* in the order of their triangles, without gaps; NULL: all
                                triangles are one solid without a name */
    uint32_t solid_count;
} facet_stl;

typedef struct facet_stl_triangle {
    float normal[3]; /* as written: of any length, or zero */
    float corners[3][3];
    uint16_t attributes;
} facet_stl_triangle;

/* The triangle at `index`, which is below the count. */
FACET_API facet_stl_triangle facet_stl_get(const facet_stl *stl, uint32_t index);
/* The color stored in a triangle's attributes, 0 to 1. False if they store none. */
FACET_API bool facet_stl_color(const facet_stl *stl, uint16_t attributes, float rgb[3]);

/* Read either encoding. A file is binary if its size matches its count. Otherwise it is ASCII if it
 * begins with "solid"; a binary header may begin with that word as well. The triangles of a binary
 * document stay in the source's bytes, which must outlive it. Findings that are not errors are
 * reported. Free it with facet_stl_free. Linear. Errors: FACET_ERROR_MALFORMED with a rule of
 * docs/reference/formats/stl.md and a line or an offset, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
FACET_API facet_status facet_stl_read(const facet_source *source, const facet_options *options,
                                      facet_stl **document, facet_error *error);
/* Free a document created by this library. NULL is allowed. */
FACET_API void facet_stl_free(facet_stl *document);

/* -- Writing ------------------------------------------------------------ */

/* Options for writing STL (facet_options.stl). All zero: the defaults. */
typedef struct facet_stl_options {
    uint32_t struct_size;        /* sizeof(facet_stl_options), or 0: that of release 0.2 */
    facet_stl_encoding encoding; /* default: binary */
} facet_stl_options;

/* Write a document. Binary: the header as it is, or "facet" if it is empty; names of solids are
 * left out (note LOSS-NAMES). ASCII: numbers have the fewest digits that read back as the same
 * float; attributes are left out (warning LOSS-STL-ATTRIBUTES). options may be NULL. Call
 * facet_output_commit to finish. Errors: FACET_ERROR_ARGUMENT with STL-DOCUMENT if the document is
 * incomplete, and in ASCII with STL-NONFINITE for a corner that is not finite. */
FACET_API facet_status facet_stl_write(const facet_stl *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
