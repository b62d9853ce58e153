/* formats/binarymesh/binarymesh.h - what the files of this folder share. */
#ifndef FACET_BINARYMESH_BINARYMESH_H
#define FACET_BINARYMESH_BINARYMESH_H

#include "base/report.h"

#include <facet/binarymesh.h>
#include <facet/format.h>

#define FACET_BINARYMESH_SIGNATURE "BINARYMESH"
#define FACET_BINARYMESH_SIGNATURE_SIZE 10
#define FACET_BINARYMESH_HEADER_SIZE 12
#define FACET_BINARYMESH_BLOCK_HEADER 16 /* the sizes before each sub-block */
/* A slot number that means "no material" in the files of appleseed's writer. */
#define FACET_BINARYMESH_NO_SLOT 0xFFFF
/* A normal is taken as it is when its length differs from 1 by no more. */
#define FACET_BINARYMESH_UNIT_TOLERANCE 1e-3
/* A shorter one has no direction. */
#define FACET_BINARYMESH_ZERO_LENGTH 1e-12

static inline size_t facet_binarymesh_real_size(const facet_binarymesh *document)
{
    return document->double_precision ? sizeof(double) : sizeof(float);
}

/* No face of the document has more corners. */
static inline uint32_t facet_binarymesh_most_corners(const facet_binarymesh *document)
{
    uint32_t most = 3;
    for (uint32_t i = 0; i < document->object_count; i++) {
        uint32_t corners = document->objects[i].corner_count;
        most = corners > most ? corners : most;
    }
    return most < UINT16_MAX ? most : UINT16_MAX;
}

/* -- blocks.c: the data, in ---------------------------------------------- */

/* The data of a file as one run of bytes, decompressed as it is asked for. */
typedef struct facet_binarymesh_input {
    const uint8_t *at, *end; /* bytes at hand */
    uint64_t behind;         /* bytes of the data after those at hand */

    const uint8_t *file;
    const facet_binarymesh *document; /* version, blocks, arena */
    const facet_options *options;
    size_t next_block;
    size_t largest;                       /* bytes of a block */
    uint8_t *scratch;                     /* for one block */
    uint8_t joined[8];                    /* a field that straddles two blocks */
    facet_tally *straddles;               /* NULL: not counted */
    struct facet_binarymesh_ahead *ahead; /* NULL: this thread alone */
} facet_binarymesh_input;

/* Check the header, find the sub-blocks and make the document's list of them.
 * Nothing is decompressed yet. */
facet_status facet_binarymesh_scan(const uint8_t *file, size_t size, facet_binarymesh *document,
                                   facet_error *error);
/* Begin reading the data of a scanned file. */
void facet_binarymesh_input_open(facet_binarymesh_input *input, const uint8_t *file, size_t size,
                                 const facet_binarymesh *document, const facet_options *options);
void facet_binarymesh_input_close(facet_binarymesh_input *input);

static inline uint64_t facet_binarymesh_input_left(const facet_binarymesh_input *input)
{
    return (uint64_t)(input->end - input->at) + input->behind;
}
/* Where in the file the next byte comes from: exactly in version 1, in the
 * others the block it lies in. */
uint64_t facet_binarymesh_input_offset(const facet_binarymesh_input *input);
/* The next `size` (1 to 8) bytes in one piece at *at, valid until the next
 * call. BM-DATA-TRUNCATED when fewer are left. */
facet_status facet_binarymesh_input_field(facet_binarymesh_input *input, size_t size,
                                          const uint8_t **at, facet_error *error);
facet_status facet_binarymesh_input_u16(facet_binarymesh_input *input, uint32_t *value,
                                        facet_error *error);
/* A uint32 that counts `things` of `size` bytes each, at least; as many must be
 * left (BM-COUNT-IMPLAUSIBLE). */
facet_status facet_binarymesh_input_count(facet_binarymesh_input *input, const char *things,
                                          size_t size, uint32_t *count, facet_error *error);
/* Copy `size` bytes of fields of `unit` bytes; the caller knows that as many
 * are left. */
facet_status facet_binarymesh_input_copy(facet_binarymesh_input *input, void *to, size_t size,
                                         size_t unit, facet_error *error);

/* -- decompress.c ------------------------------------------------------- */

/* Decompress block `index`; false unless exactly its size comes out, and all compressed bytes
 * are used up. */
bool facet_binarymesh_decompress(const facet_binarymesh_input *input, size_t index, uint8_t *to);

/* -- ahead.c: several threads -------------------------------------------- */

/* parse(argument), once, on this thread, while other threads of the caller decompress what it
 * will ask for; without others, or without memory for them, it is just called. */
void facet_binarymesh_read_ahead(facet_binarymesh_input *input, void (*parse)(void *argument),
                                 void *argument);
/* Block `block`, valid until the next one is taken; NULL when it is damaged. In order. */
const uint8_t *facet_binarymesh_ahead_take(struct facet_binarymesh_ahead *ahead, size_t block);

/* -- blocks.c: the data, out --------------------------------------------- */

/* Collects fields and puts them out as blocks. `used` is below
 * FACET_BINARYMESH_BLOCK_SIZE between two fields. */
typedef struct facet_binarymesh_sink {
    facet_output *output;
    facet_arena *arena;
    uint32_t version;
    uint8_t *buffer; /* a block and one field more */
    size_t used;
    uint8_t *compressed;
    const facet_options *options; /* progress is told at each block */
    uint64_t expected, written;   /* bytes before compression */
} facet_binarymesh_sink;

/* From this size on a block is complete. */
#define FACET_BINARYMESH_BLOCK_SIZE ((size_t)256 * 1024)

facet_status facet_binarymesh_sink_open(facet_binarymesh_sink *sink, uint32_t version,
                                        facet_output *output, const facet_options *options,
                                        facet_error *error);
/* Space for a field that may be up to 65,535 bytes long. */
static inline uint8_t *facet_binarymesh_sink_capacity(facet_binarymesh_sink *sink)
{
    return sink->buffer + sink->used;
}
/* The field in facet_binarymesh_sink_capacity is `size` bytes long. */
facet_status facet_binarymesh_sink_add(facet_binarymesh_sink *sink, size_t size,
                                       facet_error *error);
/* Put out what is left. */
facet_status facet_binarymesh_sink_flush(facet_binarymesh_sink *sink, facet_error *error);
void facet_binarymesh_sink_close(facet_binarymesh_sink *sink);

/* -- read.c --------------------------------------------------------------- */

/* What a check wants to know of the reading itself. */
typedef struct facet_binarymesh_notes {
    facet_tally straddles;
} facet_binarymesh_notes;

/* Read into an arena of the caller's, with everything in it; on failure the
 * arena holds leftovers. With notes only the structure is checked, and indices
 * and numbers are as the file has them, also those that point nowhere. */
facet_status facet_binarymesh_read_into(facet_arena *arena, const uint8_t *file, size_t size,
                                        const facet_options *options, facet_binarymesh_notes *notes,
                                        facet_binarymesh **document, facet_error *error);

/* -- document.c ----------------------------------------------------------- */

/* Hold a document filled in by hand against the rules of the format, and look
 * whether every array is there: FACET_ERROR_ARGUMENT, or FACET_ERROR_LIMIT where
 * the format has no space. */
facet_status facet_binarymesh_check_document(const facet_binarymesh *document, facet_error *error);
/* Index of the first of `count` reals that is infinite or not a number, or
 * `count`. */
size_t facet_binarymesh_first_nonfinite(const facet_binarymesh *document, const void *reals,
                                        size_t count);

/* -- faces.c ------------------------------------------------------------- */

/* Read the faces of an object whose arrays are there. Lenient: indices may be
 * out of range and corners too few, and index arrays are kept that say "none". */
facet_status facet_binarymesh_read_faces(facet_binarymesh_input *input, facet_arena *arena,
                                         facet_binarymesh_object *object, bool lenient,
                                         facet_error *error);

/* -- describe.c ------------------------------------------------------------ */

/* Hold a file against every rule of docs/reference/formats/binarymesh.md and add what is found
 * to report. FACET_OK also when the file is full of errors. */
facet_status facet_binarymesh_check(const facet_source *source, const facet_options *options,
                                    facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_binarymesh_fill_description(const facet_source *source,
                                               const facet_options *options,
                                               facet_description *description, facet_error *error);

#endif
