/* facet/bga.h - the Binary GPU Attributes format, 2.0 and 1.0.
 *
 * A BGA file is a text header that names buffers of equal records, followed by the buffers in the
 * form that a GPU uses. To read one, only the header is parsed: a view points into the bytes and
 * copies nothing. View and document are one struct, facet_bga. You can write a viewed file, or one
 * that you filled in.
 *
 * Layout of the file: J. Halliday, "bga mesh format", version 2.0 (document 2.0.2).
 * docs/reference/formats/bga.md lists the decisions where it is silent. The part above the banner
 * "Documents" needs no other part of the library.
 *
 * Stability: stable. */
#ifndef FACET_BGA_H
#define FACET_BGA_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Content ------------------------------------------------------------- */

/* Limits. Files that exceed them are FACET_ERROR_LIMIT. */
#define FACET_BGA_MAX_BUFFERS 256
#define FACET_BGA_MAX_ATTRIBUTES 256
#define FACET_BGA_MAX_HEADER 65536

/* Types as a header writes them. Matrices are tightly packed in column order. */
typedef enum facet_bga_type {
    FACET_BGA_FLOAT,
    FACET_BGA_VEC2,
    FACET_BGA_VEC3,
    FACET_BGA_VEC4,
    FACET_BGA_MAT2,
    FACET_BGA_MAT3,
    FACET_BGA_MAT4,
    FACET_BGA_UINT8,
    FACET_BGA_INT8,
    FACET_BGA_UINT16,
    FACET_BGA_INT16,
    FACET_BGA_UINT32,
    FACET_BGA_INT32
} facet_bga_type;

/* Base types of the components. */
typedef enum facet_bga_base {
    FACET_BGA_BASE_FLOAT32,
    FACET_BGA_BASE_UINT8,
    FACET_BGA_BASE_INT8,
    FACET_BGA_BASE_UINT16,
    FACET_BGA_BASE_INT16,
    FACET_BGA_BASE_UINT32,
    FACET_BGA_BASE_INT32
} facet_bga_base;

/* One attribute of every record of a buffer. The value `component` of record `r` is at data + r *
 * stride + component * facet_bga_base_size(base). */
typedef struct facet_bga_attribute {
    const char *name; /* name_length bytes of A-Z a-z 0-9 _, not NUL-terminated */
    uint32_t name_length;
    facet_bga_type type; /* as declared */
    uint32_t repeat;     /* n of "TYPE buffer.name[n]", at least 1 */
    facet_bga_base base;
    uint32_t components; /* base values per record: those of the type times repeat */
    uint32_t buffer;     /* index of its buffer */
    uint64_t offset;     /* of the first record's value, in bytes from the start of the file */
    uint64_t stride;     /* bytes from one record to the next */
    uint64_t count;      /* number of records */
    const uint8_t *data; /* the first record's value: in the file's byte order, aligned like
                            `offset`; NULL: no records */
} facet_bga_attribute;

typedef struct facet_bga_buffer {
    const char *name; /* like facet_bga_attribute.name */
    uint32_t name_length;
    uint32_t alignment;       /* of its first record in the file, in bytes: 1, 2 or 4 */
    uint32_t first_attribute; /* its attributes are consecutive, in record order */
    uint32_t attribute_count;
    uint64_t offset; /* of the first record, in bytes from the start of the file */
    uint64_t stride; /* bytes of one record */
    uint64_t count;  /* number of records */
} facet_bga_buffer;

/* Content of a file, buffers in the order of their data. About 28 KiB. A view needs no release. It
 * points into the viewed bytes, which must outlive it. */
typedef struct facet_bga {
    struct facet_arena *arena; /* owner of the memory, freed by facet_bga_free; NULL: a view, or
                                  filled in by the caller */
    const uint8_t *data;       /* the viewed bytes; NULL: filled in by the caller */
    size_t size;
    const char *version; /* such as "2.0": version_length bytes, not NUL-terminated */
    uint32_t version_length;
    bool big_endian;             /* byte order of everything after the header */
    bool order_differs;          /* count lines and attribute lines order the buffers differently */
    bool declaration_order;      /* if order_differs: the data are read in the order of the
                                    attribute lines */
    uint64_t header_size;        /* in bytes, including the empty line */
    uint64_t data_end;           /* end of the last record, in bytes from the start of the file */
    const char *const *comments; /* for writing: lines that the header gets as "// comment";
                                    control characters become spaces. Empty in a view */
    size_t comment_count;
    uint32_t buffer_count;
    uint32_t attribute_count;
    facet_bga_buffer buffers[FACET_BGA_MAX_BUFFERS];
    facet_bga_attribute attributes[FACET_BGA_MAX_ATTRIBUTES];
} facet_bga;

/* -- Viewing ------------------------------------------------------------ */

/* Order of the buffers. The specification uses the order of the count lines, the JavaScript parser
 * that of the attribute lines. Writers make both equal; this option is for files where they differ.
 */
typedef enum facet_bga_order {
    FACET_BGA_ORDER_AUTO,       /* the specification's. The parser's, if only that fits into the
                                   file and has all cell indices in range. Reads indices only if
                                   the two orders differ */
    FACET_BGA_ORDER_COUNT,      /* the specification's order */
    FACET_BGA_ORDER_DECLARATION /* the parser's order */
} facet_bga_order;

typedef struct facet_bga_view_options {
    uint32_t struct_size; /* sizeof(facet_bga_view_options), or 0: that of release 0.2 */
    facet_bga_order order;
    bool tolerant; /* accept CR LF line ends; without an endianness line, assume little-endian */
} facet_bga_view_options;

/* View a BGA file of version 2.x or 1.x. On success, *bga describes only data inside the bytes:
 * every attribute can be read at any of its records. A 1.x file becomes one of 2.0, with the
 * buffers "vertex", "edge" and "triangle" and their attributes; the last two have one named "cell".
 * options may be NULL. Linear in the header, for any size of the file. On failure *bga is empty.
 * Errors have the rule of docs/reference/formats/bga.md, the byte offset and the header line.
 */
FACET_API facet_status facet_bga_view(const uint8_t *data, size_t size,
                                      const facet_bga_view_options *options, facet_bga *bga,
                                      facet_error *error);

/* Check every cell index, at memory speed. FACET_OK means that each is a record of the buffer
 * "vertex". Cells are the integer attributes "cell" of the buffers "point", "edge", "triangle" and
 * "quad" (also "triangle_X" and others with a suffix), with 1, 2, 3 and 4 values. Other attributes
 * may be indices as well (materials, joints), but a file does not define into what: they are not
 * checked. Errors: FACET_ERROR_MALFORMED with BGA-CELL-RANGE, or with BGA-VERTEX-MISSING for cells
 * without that buffer. */
FACET_API facet_status facet_bga_verify(const facet_bga *bga, facet_error *error);

/* Find an attribute by the names of its buffer and itself; NULL: none. */
FACET_API const facet_bga_attribute *facet_bga_find(const facet_bga *bga, const char *buffer,
                                                    const char *attribute);

/* -- Values ------------------------------------------------------------- */

/* Bytes of a base value: 1, 2 or 4. */
static inline size_t facet_bga_base_size(facet_bga_base base)
{
    static const uint8_t sizes[] = {4, 1, 1, 2, 2, 4, 4};
    return sizes[base];
}

/* True if the data is in the host's byte order and can be used in place. */
FACET_API bool facet_bga_is_host_order(const facet_bga *bga);
/* Copy `count` records of an attribute, beginning with record `first`, to `values`, tightly packed
 * and in the host's byte order. `values` must have space for count * components values of `base`:
 *  - the attribute's own base: no conversion;
 *  - FACET_BGA_BASE_FLOAT32: an integer becomes the float of the same value (255 is 255.0F), or the
 *    nearest one if it has more than 24 bits;
 *  - FACET_BGA_BASE_UINT32: floats are truncated. Values out of range (negative, too large, NaN)
 *    become UINT32_MAX, which is never a valid index.
 *
 * Returns the number of records copied, which is smaller at the end of the buffer, and 0 for other
 * conversions. Works for any byte order, stride and alignment. */
FACET_API uint64_t facet_bga_read_values(const facet_bga *bga, const facet_bga_attribute *attribute,
                                         uint64_t first, uint64_t count, facet_bga_base base,
                                         void *values);

/* -- Documents ---------------------------------------------------------- */

/* View a file as a new document with its comments. Findings about the header that are not errors
 * are reported. The document points into the source's bytes, which must outlive it. Free it with
 * facet_bga_free. Errors: those of facet_bga_view, FACET_ERROR_MEMORY. */
FACET_API facet_status facet_bga_read(const facet_source *source, const facet_options *options,
                                      facet_bga **document, facet_error *error);
/* Free a document created by this library. NULL is allowed. */
FACET_API void facet_bga_free(facet_bga *document);

/* Initialize an empty document in the host's byte order. Add to it with the two functions below. */
FACET_API void facet_bga_begin(facet_bga *bga);
/* Add a buffer of `count` records. Names consist of A-Z a-z 0-9 _ and must outlive the document. A
 * name that is already used is FACET_ERROR_ARGUMENT. */
FACET_API facet_status facet_bga_add_buffer(facet_bga *bga, const char *name, uint64_t count,
                                            facet_error *error);
/* Add an attribute to the last added buffer. data: one value per record, `stride` bytes apart (0:
 * tightly packed); it must outlive the document. repeat is at least 1. */
FACET_API facet_status facet_bga_add_attribute(facet_bga *bga, const char *name,
                                               facet_bga_type type, uint32_t repeat,
                                               const void *data, uint64_t stride,
                                               facet_error *error);

/* -- Writing ------------------------------------------------------------ */

/* Options for writing BGA (facet_options.bga). All zero: the defaults. */
typedef struct facet_bga_options {
    uint32_t struct_size;  /* sizeof(facet_bga_options), or 0: that of release 0.2 */
    bool big_endian;       /* byte order of the data; false: little-endian */
    bool separate_buffers; /* write one buffer per attribute instead of interleaved ones */
} facet_bga_options;

/* Write a document as BGA 2.0. The specification and the JavaScript parser read the result alike:
 * buffers are in the order of the document, each with its count. A viewed file may be written: its
 * records are converted to the requested byte order. options->bga sets the byte order. With
 * separate_buffers, the first attribute of buffer B stays there, and a later attribute X moves to
 * "B_X". Signed types are written with a warning BGA-TYPE-SIGNED: the JavaScript parser cannot read
 * them, nor the data after them. options may be NULL. Call facet_output_commit to finish. Errors:
 * FACET_ERROR_ARGUMENT if the document is incomplete (BGA-DOCUMENT) or has an invalid name
 * (BGA-NAME-CHARS, BGA-COUNT-DUP, BGA-ATTR-DUP); FACET_ERROR_LIMIT; FACET_ERROR_UNSUPPORTED with
 * BGA-NAMES. */
FACET_API facet_status facet_bga_write(const facet_bga *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
