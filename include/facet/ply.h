/* facet/ply.h - the Stanford polygon format, PLY 1.0.
 *
 * A PLY is a text header that names elements (vertex, face, ...), how many of each
 * there are and what properties they have, and then their records: as text, or in
 * binary of either byte order. A property is a number or a list of numbers. The
 * format fixes the grammar alone; what names mean is custom. docs/reference/formats/ply.md has the
 * names that are known, the rules, and what is done about them.
 *
 * Stability: stable.
 */
#ifndef FACET_PLY_H
#define FACET_PLY_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Documents ---------------------------------------------------------- */

typedef enum facet_ply_encoding {
    FACET_PLY_LITTLE_ENDIAN = 0,
    FACET_PLY_BIG_ENDIAN,
    FACET_PLY_ASCII
} facet_ply_encoding;

typedef enum facet_ply_type {
    FACET_PLY_INT8 = 0, /* char, int8 */
    FACET_PLY_UINT8,    /* uchar, uint8 */
    FACET_PLY_INT16,    /* short, int16 */
    FACET_PLY_UINT16,   /* ushort, uint16 */
    FACET_PLY_INT32,    /* int, int32 */
    FACET_PLY_UINT32,   /* uint, uint32 */
    FACET_PLY_FLOAT32,  /* float, float32 */
    FACET_PLY_FLOAT64   /* double, float64 */
} facet_ply_type;

/* A property of an element, and its values in all records: `length` numbers in each,
 * or, where lists differ in length, offsets[i + 1] - offsets[i] in record i. */
typedef struct facet_ply_property {
    const char *name;
    facet_ply_type type;
    bool is_list;
    facet_ply_type count_type; /* of the length that stands before a list; a whole number */
    bool swapped;              /* the values are in the other byte order than the host's */
    uint32_t length;           /* 1 when it is no list */
    const uint32_t *offsets;   /* count + 1 of them, from 0; NULL: all lists have `length` */
    const uint8_t *data;       /* first value of the first record, at any address */
    uint64_t stride; /* bytes from a record's first value to the next's; with offsets all values
                        are tightly packed */
} facet_ply_property;

typedef struct facet_ply_element {
    const char *name;
    uint32_t count; /* records */
    uint32_t property_count;
    facet_ply_property *properties;
    uint64_t offset;   /* of the first record in the file; 0 when made by hand */
    uint64_t line;     /* of a text file: of the first record; 0 otherwise */
    bool one_per_line; /* of a text file: each record is a line */
} facet_ply_element;

typedef struct facet_ply {
    facet_arena *arena;          /* of a document that this library made; NULL otherwise */
    facet_ply_encoding encoding; /* as it was read */
    const char **comments;       /* without the word "comment" and the blank after it */
    uint32_t comment_count;
    const char **infos; /* the same for "obj_info" */
    uint32_t info_count;
    facet_ply_element *elements;
    uint32_t element_count;
} facet_ply;

/* The first of this name; NULL when there is none. */
FACET_API const facet_ply_element *facet_ply_find_element(const facet_ply *ply, const char *name);
FACET_API const facet_ply_property *facet_ply_find(const facet_ply_element *element,
                                                   const char *property);

/* -- Values ------------------------------------------------------------- */

/* Bytes of a number: 1, 2, 4 or 8. */
FACET_API size_t facet_ply_type_size(facet_ply_type type);

/* How many numbers a property of an element with `count` records has in all. They are
 * numbered: record i has those from i * length on, or from offsets[i] on. */
FACET_API uint64_t facet_ply_value_count(const facet_ply_property *property, uint32_t count);
/* Copy `count` numbers from the number `first` on, both within the value count: as the nearest
 * floats, or as indices, where what uint32 does not hold (negative, too large, NaN) becomes
 * UINT32_MAX. */
FACET_API void facet_ply_read_float(const facet_ply_property *property, uint64_t first,
                                    uint64_t count, float *values);
FACET_API void facet_ply_read_u32(const facet_ply_property *property, uint64_t first,
                                  uint64_t count, uint32_t *values);

/* -- Reading ------------------------------------------------------------ */

/* Read a PLY in any encoding. Records of equal size are looked at where they lie, so
 * that the document points into the source's bytes, which must outlive it; others,
 * and text, are copied. What the header has to say short of errors is reported. Free
 * with facet_ply_free. Linear. Memory: at most about five times the file's size.
 * Errors: FACET_ERROR_MALFORMED with a rule of docs/reference/formats/ply.md and a line or an
 * offset, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
FACET_API facet_status facet_ply_read(const facet_source *source, const facet_options *options,
                                      facet_ply **document, facet_error *error);
/* Free a document that was made by this library. NULL is fine. */
FACET_API void facet_ply_free(facet_ply *document);

/* -- Writing ------------------------------------------------------------ */

/* How PLY is written (facet_options.ply). All zero: the defaults. */
typedef struct facet_ply_options {
    uint32_t struct_size;        /* sizeof(facet_ply_options), or 0: that of release 0.2 */
    facet_ply_encoding encoding; /* little-endian */
} facet_ply_options;

/* Write a document. Types, names, comments and the order of everything are kept; as
 * text, numbers are as short as they can be to read back as the same. options may be
 * NULL. The caller commits. Errors: FACET_ERROR_ARGUMENT with PLY-DOCUMENT when the
 * document is not whole, or a list is longer than its count type can say. */
FACET_API facet_status facet_ply_write(const facet_ply *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
