/* facet/ply.h - the Stanford polygon format, PLY 1.0.
 *
 * A PLY is a text header followed by records. The header names elements (vertex, face, ...), the
 * number of each, and their properties. Records are text, or binary in either byte order. A
 * property is a number or a list of numbers. The format defines only the grammar; the meaning of
 * names is a convention. docs/reference/formats/ply.md lists the known names, the rules, and how
 * Facet handles them.
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

/* A property of an element, and its values in all records. Each record has `length` numbers. If
 * lists differ in length, record i has offsets[i + 1] - offsets[i] numbers. */
typedef struct facet_ply_property {
    const char *name;
    facet_ply_type type;
    bool is_list;
    facet_ply_type count_type; /* type of the length before a list; an integer type */
    bool swapped;              /* the values are not in the host's byte order */
    uint32_t length;           /* 1 if it is not a list */
    const uint32_t *offsets;   /* count + 1 offsets, the first is 0; NULL: all lists have
                                  `length` */
    const uint8_t *data;       /* first value of the first record, at any alignment */
    uint64_t stride; /* bytes from a record's first value to the next record's; with offsets, all
                        values are tightly packed */
} facet_ply_property;

typedef struct facet_ply_element {
    const char *name;
    uint32_t count; /* number of records */
    uint32_t property_count;
    facet_ply_property *properties;
    uint64_t offset;   /* of the first record in the file; 0 if filled in by the caller */
    uint64_t line;     /* of a text file: line of the first record; otherwise 0 */
    bool one_per_line; /* of a text file: each record is one line */
} facet_ply_element;

typedef struct facet_ply {
    facet_arena *arena;          /* of a document created by this library; otherwise NULL */
    facet_ply_encoding encoding; /* as read */
    const char **comments;       /* without the word "comment" and the following space */
    uint32_t comment_count;
    const char **infos; /* likewise for "obj_info" */
    uint32_t info_count;
    facet_ply_element *elements;
    uint32_t element_count;
} facet_ply;

/* The first element or property with this name; NULL: none. */
FACET_API const facet_ply_element *facet_ply_find_element(const facet_ply *ply, const char *name);
FACET_API const facet_ply_property *facet_ply_find(const facet_ply_element *element,
                                                   const char *property);

/* -- Values ------------------------------------------------------------- */

/* Bytes of a number: 1, 2, 4 or 8. */
static inline size_t facet_ply_type_size(facet_ply_type type)
{
    static const uint8_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

/* Total number of values of a property of an element with `count` records. Record i has the values
 * from i * length, or from offsets[i]. */
static inline uint64_t facet_ply_value_count(const facet_ply_property *property, uint32_t count)
{
    const uint64_t length = property->length;
    return property->offsets ? property->offsets[count] : length * count;
}

/* Copy `count` values, beginning with value `first`, to `values`, tightly packed and in the host's
 * byte order. Both are within the value count. Types:
 *  - FACET_PLY_FLOAT32: they become the nearest floats;
 *  - FACET_PLY_UINT32: they become indices. Values out of range (negative, too large, NaN) become
 *    UINT32_MAX;
 *  - the property's own type: no conversion. Returns false for other types. */
FACET_API bool facet_ply_read_values(const facet_ply_property *property, uint64_t first,
                                     uint64_t count, facet_ply_type type, void *values);

/* -- Reading ------------------------------------------------------------ */

/* Read a PLY in any encoding. Records of equal size are used in place: the document points into the
 * source's bytes, which must outlive it. Other records, and text, are copied. Findings about the
 * header that are not errors are reported. Free it with facet_ply_free. Linear. Memory: at most
 * about five times the file's size. Errors: FACET_ERROR_MALFORMED with a rule of
 * docs/reference/formats/ply.md and a line or an offset, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
FACET_API facet_status facet_ply_read(const facet_source *source, const facet_options *options,
                                      facet_ply **document, facet_error *error);
/* Free a document created by this library. NULL is allowed. */
FACET_API void facet_ply_free(facet_ply *document);

/* -- Writing ------------------------------------------------------------ */

/* Options for writing PLY (facet_options.ply). All zero: the defaults. */
typedef struct facet_ply_options {
    uint32_t struct_size;        /* sizeof(facet_ply_options), or 0: that of release 0.2 */
    facet_ply_encoding encoding; /* default: little-endian */
} facet_ply_options;

/* Write a document. Types, names, comments and all orders are kept. In text, numbers have the
 * fewest digits that read back as the same value. options may be NULL. Call facet_output_commit to
 * finish. Errors: FACET_ERROR_ARGUMENT with PLY-DOCUMENT if the document is incomplete, or a list
 * is longer than its count type allows. */
FACET_API facet_status facet_ply_write(const facet_ply *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
