/* facet/stl.h - the STL format of stereolithography: triangles, and little else.
 *
 * A binary STL is a header of 80 bytes, a count, and 50 bytes for each triangle:
 * its normal, three corners, two bytes of attributes. An ASCII STL says the same
 * in words and may hold several solids with names. Neither knows a unit or which
 * axis points up. docs/reference/formats/stl.md has the rules and what is done about them.
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

/* What the attributes of triangles mean. */
typedef enum facet_stl_colors {
    FACET_STL_COLORS_NONE = 0,   /* nothing */
    FACET_STL_COLORS_VISCAM,     /* VisCAM, SolidView: with bit 15 a color, red in bits 10 to 14,
                                    green in 5 to 9, blue in 0 to 4 */
    FACET_STL_COLORS_MATERIALISE /* Magics: without bit 15 a color, red in bits 0 to 4, green in
                                    5 to 9, blue in 10 to 14; with it that of the object, which
                                    the header has after "COLOR=" */
} facet_stl_colors;

/* A run of triangles with a name. */
typedef struct facet_stl_solid {
    const char *name; /* UTF-8, "" when it has none */
    uint32_t first_triangle, triangle_count;
} facet_stl_solid;

typedef struct facet_stl {
    facet_arena *arena;          /* of a document that this library made; NULL otherwise */
    facet_stl_encoding encoding; /* as it was read */
    uint8_t header[FACET_STL_HEADER_SIZE]; /* of a binary file */
    facet_stl_colors colors;
    uint8_t object_color[4];  /* red, green, blue, alpha, for FACET_STL_COLORS_MATERIALISE */
    const uint8_t *triangles; /* records as a binary file has them, of an ASCII file too */
    uint32_t triangle_count;
    facet_stl_solid *solids; /* in the order of their triangles, without gap; NULL: all are one
                                without a name */
    uint32_t solid_count;
} facet_stl;

typedef struct facet_stl_triangle {
    float normal[3]; /* as written: of any length, or zero */
    float corners[3][3];
    uint16_t attributes;
} facet_stl_triangle;

/* The triangle with this index, which is below the count. */
FACET_API facet_stl_triangle facet_stl_get(const facet_stl *stl, uint32_t index);
/* The color that a triangle's attributes say, 0 to 1; false when they say none. */
FACET_API bool facet_stl_color(const facet_stl *stl, uint16_t attributes, float rgb[3]);

/* Read either encoding. A file is binary when its size is what its count says, ASCII
 * when it begins with "solid" and is not; so a binary header may begin with that
 * word. The triangles of a binary document lie in the source's bytes, which must
 * outlive it. What the file has to say short of errors is reported. Free with
 * facet_stl_free. Linear. Errors: FACET_ERROR_MALFORMED with a rule of
 * docs/reference/formats/stl.md and a line or an offset, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
FACET_API facet_status facet_stl_read(const facet_source *source, const facet_options *options,
                                      facet_stl **document, facet_error *error);
/* Free a document that was made by this library. NULL is fine. */
FACET_API void facet_stl_free(facet_stl *document);

/* -- Writing ------------------------------------------------------------ */

/* How STL is written (facet_options.stl). All zero: the defaults. */
typedef struct facet_stl_options {
    uint32_t struct_size;        /* sizeof(facet_stl_options), or 0: that of release 0.2 */
    facet_stl_encoding encoding; /* binary */
} facet_stl_options;

/* Write a document. Binary: the header as it is, or "facet" when it is empty;
 * names of solids are left out with a note LOSS-NAMES. ASCII: numbers as short as
 * they can be to read back as the same floats; attributes are left out with a
 * warning LOSS-STL-ATTRIBUTES. options may be NULL. The caller commits.
 * Errors: FACET_ERROR_ARGUMENT with STL-DOCUMENT when the document is not whole, and
 * in ASCII with STL-NONFINITE for a corner that is not finite. */
FACET_API facet_status facet_stl_write(const facet_stl *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
