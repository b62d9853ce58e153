/* facet/bga.h - the Binary GPU Attributes format, 2.0 and 1.0.
 *
 * A BGA file is a text header that names buffers of equal records, and after it
 * the buffers, as a GPU takes them. Reading one is parsing the header: a view
 * points into the bytes and copies nothing. View and document are one struct,
 * facet_bga: a viewed file can be written, and so can one filled in by hand.
 *
 * Layout of the file: J. Halliday, "bga mesh format", version 2.0 (document
 * 2.0.2). What is decided where it is silent stands in docs/reference/formats/bga.md. The part
 * above the banner "Documents" needs no other part of the library.
 *
 * Stability: stable. */
#ifndef FACET_BGA_H
#define FACET_BGA_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- What is in a file -------------------------------------------------- */

/* More buffers, attributes or header bytes than these are FACET_ERROR_LIMIT. */
#define FACET_BGA_MAX_BUFFERS 256
#define FACET_BGA_MAX_ATTRIBUTES 256
#define FACET_BGA_MAX_HEADER 65536

/* Types as a header writes them. Matrices are tight and column by column. */
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

/* What a type is made of. */
typedef enum facet_bga_base {
    FACET_BGA_BASE_FLOAT32,
    FACET_BGA_BASE_UINT8,
    FACET_BGA_BASE_INT8,
    FACET_BGA_BASE_UINT16,
    FACET_BGA_BASE_INT16,
    FACET_BGA_BASE_UINT32,
    FACET_BGA_BASE_INT32
} facet_bga_base;

/* One attribute of every record of a buffer. The value `component` of record
 * `r` lies at data + r * stride + component * facet_bga_base_size(base). */
typedef struct facet_bga_attribute {
    const char *name; /* name_length bytes of A-Z a-z 0-9 _, not NUL-terminated */
    uint32_t name_length;
    facet_bga_type type; /* as declared */
    uint32_t repeat;     /* n of "TYPE buffer.name[n]", at least 1 */
    facet_bga_base base;
    uint32_t components; /* base values in one record: those of the type times repeat */
    uint32_t buffer;     /* index of its buffer */
    uint64_t offset;     /* of the first record's value, from the start of the file */
    uint64_t stride;     /* bytes from one record to the next */
    uint64_t count;      /* records */
    const uint8_t *data; /* the first record's value: in the file's byte order, as aligned as
                            its offset is; NULL when there are no records */
} facet_bga_attribute;

typedef struct facet_bga_buffer {
    const char *name; /* as an attribute's */
    uint32_t name_length;
    uint32_t alignment;       /* of its first record in the file: 1, 2 or 4 */
    uint32_t first_attribute; /* its attributes stand together, in record order */
    uint32_t attribute_count;
    uint64_t offset; /* of the first record, from the start of the file */
    uint64_t stride; /* bytes of one record */
    uint64_t count;  /* records */
} facet_bga_buffer;

/* What a file holds, buffers in the order of their data. About 28 KiB. A view has
 * nothing to release: it points into the bytes that were viewed, which must
 * outlive it. */
typedef struct facet_bga {
    struct facet_arena *arena; /* owner of what facet_bga_free frees; NULL in a view, and by hand */
    const uint8_t *data;       /* the bytes that were viewed; NULL by hand */
    size_t size;
    const char *version; /* "2.0": version_length bytes, not NUL-terminated */
    uint32_t version_length;
    bool big_endian;             /* byte order of everything after the header */
    bool order_differs;          /* count lines and attribute lines order the buffers differently */
    bool declaration_order;      /* then: the data are taken in the order of the attribute lines */
    uint64_t header_size;        /* bytes up to and with the empty line */
    uint64_t data_end;           /* one past the last record */
    const char *const *comments; /* for writing: lines that the header gets as "// comment";
                                    control characters in them become spaces. A view has none */
    size_t comment_count;
    uint32_t buffer_count;
    uint32_t attribute_count;
    facet_bga_buffer buffers[FACET_BGA_MAX_BUFFERS];
    facet_bga_attribute attributes[FACET_BGA_MAX_ATTRIBUTES];
} facet_bga;

/* -- Viewing ------------------------------------------------------------ */

/* The specification puts the buffers in the order of the count lines, the
 * JavaScript parser in that of the attribute lines. Writers keep both equal;
 * this is for files where they differ. */
typedef enum facet_bga_order {
    FACET_BGA_ORDER_AUTO,       /* the specification's, unless only the parser's fits into the
                                   file and has all cell indices in range; looks at the indices,
                                   if (and only if) the two differ */
    FACET_BGA_ORDER_COUNT,      /* the specification's */
    FACET_BGA_ORDER_DECLARATION /* the parser's */
} facet_bga_order;

typedef struct facet_bga_view_options {
    uint32_t struct_size; /* sizeof(facet_bga_view_options), or 0: that of release 0.2 */
    facet_bga_order order;
    bool tolerant; /* accept CR LF line ends; without an endianness line assume little-endian */
} facet_bga_view_options;

/* View a BGA file of version 2.x or 1.x. On success *bga describes only what
 * lies inside the bytes: every attribute can be read at any of its records. A
 * 1.x file looks like one of 2.0, with the buffers "vertex", "edge" and
 * "triangle" and their attributes, the last two with one named "cell".
 * options may be NULL. Linear in the header, whatever the size of the file. On
 * failure *bga is empty. Errors carry the rule of docs/reference/formats/bga.md, the byte offset
 * and the header line.
 */
FACET_API facet_status facet_bga_view(const uint8_t *data, size_t size,
                                      const facet_bga_view_options *options, facet_bga *bga,
                                      facet_error *error);

/* Look at every cell index, at memory speed: FACET_OK means that each is that of a
 * record of the buffer "vertex". Cells are the integer attributes "cell" of the
 * buffers "point", "edge", "triangle" and "quad", and of "triangle_X" and the
 * like, with 1, 2, 3 and 4 values. What other attributes count (numbers of
 * materials or joints, indices by other names) a file does not say: they are not
 * looked at. Errors: FACET_ERROR_MALFORMED with BGA-CELL-RANGE, or with
 * BGA-VERTEX-MISSING where there are cells and no such buffer. */
FACET_API facet_status facet_bga_verify(const facet_bga *bga, facet_error *error);

/* By name; NULL when there is none. */
FACET_API const facet_bga_attribute *facet_bga_find(const facet_bga *bga, const char *buffer,
                                                    const char *attribute);

/* -- Values ------------------------------------------------------------- */

/* 1, 2 or 4 bytes. */
FACET_API size_t facet_bga_base_size(facet_bga_base base);
/* As a header writes it: "vec3". */
FACET_API const char *facet_bga_type_name(facet_bga_type type);

/* True when the data can be used as they are: they are in the host's order. */
FACET_API bool facet_bga_is_host_order(const facet_bga *bga);
/* Copy the attribute out of `count` records from `first` on, tightly packed and
 * in the host's byte order, to `values`, which has space for count * components
 * base values. Returns the number of records copied, fewer where the buffer
 * ends. Any order, stride and alignment. */
FACET_API uint64_t facet_bga_read_values(const facet_bga *bga, const facet_bga_attribute *attribute,
                                         uint64_t first, uint64_t count, void *values);
/* The same as floats, whatever the type: a whole number becomes the float of the
 * same value (255 is 255.0F), or the nearest one where it has more than 24 bits. */
FACET_API uint64_t facet_bga_read_float(const facet_bga *bga, const facet_bga_attribute *attribute,
                                        uint64_t first, uint64_t count, float *values);
/* The same as uint32, whatever the type: of a float the part before the point. A
 * number that uint32 does not hold (negative, too large, NaN) becomes UINT32_MAX,
 * which is no index of anything. */
FACET_API uint64_t facet_bga_read_u32(const facet_bga *bga, const facet_bga_attribute *attribute,
                                      uint64_t first, uint64_t count, uint32_t *values);

/* -- Documents ---------------------------------------------------------- */

/* View a file into a document of its own, with its comments; what its header has
 * to say short of errors is reported. The document points into the source's
 * bytes, which must outlive it. Free with facet_bga_free. Errors: those of
 * facet_bga_view, FACET_ERROR_MEMORY. */
FACET_API facet_status facet_bga_read(const facet_source *source, const facet_options *options,
                                      facet_bga **document, facet_error *error);
/* Free a document that was made by this library. NULL is fine. */
FACET_API void facet_bga_free(facet_bga *document);

/* An empty document in the host's byte order, to be filled by the two below. */
FACET_API void facet_bga_begin(facet_bga *bga);
/* Add a buffer of `count` records. Names are of A-Z a-z 0-9 _ and must outlive
 * the document; a name that is taken is FACET_ERROR_ARGUMENT. */
FACET_API facet_status facet_bga_add_buffer(facet_bga *bga, const char *name, uint64_t count,
                                            facet_error *error);
/* Add an attribute to the buffer that was added last. data: one value per
 * record, `stride` bytes apart (0: tightly packed); must outlive the document.
 * repeat is at least 1. */
FACET_API facet_status facet_bga_add_attribute(facet_bga *bga, const char *name,
                                               facet_bga_type type, uint32_t repeat,
                                               const void *data, uint64_t stride,
                                               facet_error *error);

/* -- Writing ------------------------------------------------------------ */

/* How BGA is written (facet_options.bga). All zero: the defaults. */
typedef struct facet_bga_options {
    uint32_t struct_size;  /* sizeof(facet_bga_options), or 0: that of release 0.2 */
    bool big_endian;       /* byte order of the data; false: little-endian */
    bool separate_buffers; /* a buffer for each attribute in place of interleaved ones */
} facet_bga_options;

/* Write a document as BGA 2.0, in a form that the specification and the
 * JavaScript parser read alike: buffers in the order of the document, every
 * one with its count. A viewed file may be written: its records are converted
 * from its byte order to the one asked for.
 *
 * options->bga chooses the byte order; with separate_buffers the first
 * attribute of buffer B stays there, an attribute X after it goes to "B_X". Signed
 * types are written, with a warning BGA-TYPE-SIGNED: the JavaScript parser cannot
 * read them, nor what follows. options may be NULL. The caller commits.
 * Errors: FACET_ERROR_ARGUMENT when the document is not whole (BGA-DOCUMENT) or
 * has a name that cannot be (BGA-NAME-CHARS, BGA-COUNT-DUP, BGA-ATTR-DUP);
 * FACET_ERROR_LIMIT, FACET_ERROR_UNSUPPORTED with BGA-NAMES. */
FACET_API facet_status facet_bga_write(const facet_bga *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
