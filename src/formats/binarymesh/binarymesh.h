/* formats/binarymesh/binarymesh.h - shared functions of this folder. */
#ifndef FACET_BINARYMESH_BINARYMESH_H
#define FACET_BINARYMESH_BINARYMESH_H

#include "base/report.h"

#include <facet/binarymesh.h>
#include <facet/format.h>

#define FACET_BINARYMESH_SIGNATURE "BINARYMESH"
#define FACET_BINARYMESH_SIGNATURE_SIZE 10
#define FACET_BINARYMESH_HEADER_SIZE 12
#define FACET_BINARYMESH_BLOCK_HEADER 16 /* the two sizes before each sub-block */
/* The slot number for "no material" in the files of appleseed's writer. */
#define FACET_BINARYMESH_NO_SLOT 0xFFFF
/* A normal is not changed if its length differs from 1 by at most this. */
#define FACET_BINARYMESH_UNIT_TOLERANCE 1e-3
/* A shorter normal has no direction. */
#define FACET_BINARYMESH_ZERO_LENGTH 1e-12

static inline size_t facet_binarymesh_real_size(const facet_binarymesh *document)
{
    return document->double_precision ? sizeof(double) : sizeof(float);
}

/* Upper bound of the number of corners of the document's faces. */
static inline uint32_t facet_binarymesh_max_corners(const facet_binarymesh *document)
{
    uint32_t most = 3;
    for (uint32_t i = 0; i < document->object_count; i++) {
        uint32_t corners = document->objects[i].corner_count;
        most = corners > most ? corners : most;
    }
    return most < UINT16_MAX ? most : UINT16_MAX;
}

/* -- blocks.c: input --------------------------------------------------- */

/* The data of a file as one stream of bytes, decompressed on demand. */
typedef struct facet_binarymesh_input {
    const uint8_t *at, *end; /* current bytes */
    uint64_t behind;         /* number of bytes after the current ones */

    const uint8_t *file;
    const facet_binarymesh *document; /* has version, blocks, arena */
    const facet_options *options;
    size_t next_block;
    size_t largest;                       /* size of the largest block in bytes */
    uint8_t *scratch;                     /* buffer for one block */
    uint8_t joined[8];                    /* a field that crosses two blocks */
    facet_tally *straddles;               /* fields that cross blocks; NULL: not counted */
    struct facet_binarymesh_ahead *ahead; /* NULL: this thread only */
} facet_binarymesh_input;

/* Check the header, find the sub-blocks and list them in the document. Decompresses nothing. */
facet_status facet_binarymesh_scan(const uint8_t *file, size_t size, facet_binarymesh *document,
                                   facet_error *error);
/* Start reading the data of a scanned file. */
void facet_binarymesh_input_open(facet_binarymesh_input *input, const uint8_t *file, size_t size,
                                 const facet_binarymesh *document, const facet_options *options);
void facet_binarymesh_input_close(facet_binarymesh_input *input);

static inline uint64_t facet_binarymesh_input_left(const facet_binarymesh_input *input)
{
    return (uint64_t)(input->end - input->at) + input->behind;
}
/* Offset of the next byte in the file: exact in version 1, else that of its block. */
uint64_t facet_binarymesh_input_offset(const facet_binarymesh_input *input);
/* Set *at to the next `size` (1 to 8) bytes, contiguous, valid until the next call.
 * BM-DATA-TRUNCATED if fewer are left. */
facet_status facet_binarymesh_input_field(facet_binarymesh_input *input, size_t size,
                                          const uint8_t **at, facet_error *error);
facet_status facet_binarymesh_input_u16(facet_binarymesh_input *input, uint32_t *value,
                                        facet_error *error);
/* Read a uint32 that counts `things` of at least `size` bytes each. BM-COUNT-IMPLAUSIBLE if fewer
 * bytes are left. */
facet_status facet_binarymesh_input_count(facet_binarymesh_input *input, const char *things,
                                          size_t size, uint32_t *count, facet_error *error);
/* Copy `size` bytes of fields with `unit` bytes each. The caller has checked that they are left. */
facet_status facet_binarymesh_input_copy(facet_binarymesh_input *input, void *to, size_t size,
                                         size_t unit, facet_error *error);

/* -- decompress.c ------------------------------------------------------- */

/* Decompress block `index`. False unless the result has exactly the block's size, and all
 * compressed bytes are used. */
bool facet_binarymesh_decompress(const facet_binarymesh_input *input, size_t index, uint8_t *to);

/* -- ahead.c: several threads -------------------------------------------- */

/* Call parse(argument) once on this thread, while the caller's other threads decompress its data.
 * Without other threads, or memory for them, parse is just called. */
void facet_binarymesh_read_ahead(facet_binarymesh_input *input, void (*parse)(void *argument),
                                 void *argument);
/* Block number `block`, valid until the next call; NULL if it is damaged. Blocks must be taken in
 * order. */
const uint8_t *facet_binarymesh_ahead_take(struct facet_binarymesh_ahead *ahead, size_t block);

/* -- blocks.c: output -------------------------------------------------- */

/* Collects fields and writes them as blocks. Between two fields, `used` is below
 * FACET_BINARYMESH_BLOCK_SIZE. */
typedef struct facet_binarymesh_sink {
    facet_output *output;
    facet_arena *arena;
    uint32_t version;
    uint8_t *buffer; /* space for a block and one field */
    size_t used;
    uint8_t *compressed;
    const facet_options *options; /* for progress, reported per block */
    uint64_t expected, written;   /* bytes before compression */
} facet_binarymesh_sink;

/* A block is complete from this size on. */
#define FACET_BINARYMESH_BLOCK_SIZE ((size_t)256 * 1024)

facet_status facet_binarymesh_sink_open(facet_binarymesh_sink *sink, uint32_t version,
                                        facet_output *output, const facet_options *options,
                                        facet_error *error);
/* Space for a field of at most 65,535 bytes. */
static inline uint8_t *facet_binarymesh_sink_capacity(facet_binarymesh_sink *sink)
{
    return sink->buffer + sink->used;
}
/* Append a field of `size` bytes, which was written to facet_binarymesh_sink_capacity. */
facet_status facet_binarymesh_sink_add(facet_binarymesh_sink *sink, size_t size,
                                       facet_error *error);
/* Write the rest. */
facet_status facet_binarymesh_sink_flush(facet_binarymesh_sink *sink, facet_error *error);
void facet_binarymesh_sink_close(facet_binarymesh_sink *sink);

/* -- read.c --------------------------------------------------------------- */

/* Findings of the reader for a check. */
typedef struct facet_binarymesh_notes {
    facet_tally straddles;
} facet_binarymesh_notes;

/* Read into a caller's arena; on failure, it has unused memory. With `notes`, only the structure is
 * checked. Indices and numbers stay as in the file, even if they are invalid. */
facet_status facet_binarymesh_read_into(facet_arena *arena, const uint8_t *file, size_t size,
                                        const facet_options *options, facet_binarymesh_notes *notes,
                                        facet_binarymesh **document, facet_error *error);

/* -- document.c ----------------------------------------------------------- */

/* Create an empty document with an arena. */
facet_status facet_binarymesh_create(bool double_precision, const facet_options *options,
                                     facet_binarymesh **document, facet_error *error);
/* Check a caller's document against the rules of the format, and that every array exists.
 * FACET_ERROR_ARGUMENT, or FACET_ERROR_LIMIT if the format cannot store it. */
facet_status facet_binarymesh_check_document(const facet_binarymesh *document, facet_error *error);
/* Index of the first of `count` reals that is infinite or NaN, or `count`. */
size_t facet_binarymesh_first_nonfinite(const facet_binarymesh *document, const void *reals,
                                        size_t count);

/* -- faces.c ------------------------------------------------------------- */

/* Read the faces of an object whose arrays are read. Lenient: accept indices out of range and too
 * few corners, and keep index arrays without a valid index. */
facet_status facet_binarymesh_read_faces(facet_binarymesh_input *input, facet_arena *arena,
                                         facet_binarymesh_object *object, bool lenient,
                                         facet_error *error);

/* -- describe.c ------------------------------------------------------------ */

/* Check all rules of docs/reference/formats/binarymesh.md, and add findings to report. Returns
 * FACET_OK also for a file with errors. */
facet_status facet_binarymesh_check(const facet_source *source, const facet_options *options,
                                    facet_report *report, facet_error *error);

/* Fill an existing description of a file. */
facet_status facet_binarymesh_fill_description(const facet_source *source,
                                               const facet_options *options,
                                               facet_description *description, facet_error *error);

#endif
