/* facet/binarymesh.h - the BinaryMesh format of the appleseed renderer, versions 1 to 4.
 *
 * A BinaryMesh file is a list of objects. An object has polygons of 3 to 65,535 corners, over three
 * separate arrays: positions, normals and texture coordinates. Each face has the index of a
 * material slot, which is a name. Version 1 is uncompressed, version 2 is compressed with LZO, 3
 * with LZ4, and 4 with LZ4 in single precision. Versions 1 to 4 are read; 1, 3 and 4 are written.
 *
 * The document has the complete content of a file. If it is read and written, it keeps its meaning
 * and precision. This format has no view, because most of its content is compressed.
 *
 * Stability: stable. */
#ifndef FACET_BINARYMESH_H
#define FACET_BINARYMESH_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- The document ------------------------------------------------------- */

/* A name in the file: `length` bytes, at most 65,535, usually UTF-8. In rare files it contains a
 * NUL. text[length] is also a NUL. */
typedef struct facet_binarymesh_text {
    const char *text;
    uint32_t length;
} facet_binarymesh_text;

/* One object. If an index array is NULL, no corner has such an element. FACET_NONE means that one
 * corner has none. Every corner has a position. */
typedef struct facet_binarymesh_object {
    facet_binarymesh_text name;

    uint32_t position_count;
    uint32_t normal_count;
    uint32_t texcoord_count;
    void *positions; /* 3 reals each: x, y, z */
    void *normals;   /* 3 reals each: of any length, but usually 1 */
    void *texcoords; /* 2 reals each: u, v; v = 0 at the lower edge */

    uint32_t slot_count; /* at most 65,535 */
    facet_binarymesh_text *slots;

    uint32_t face_count;
    uint32_t corner_count;
    uint32_t *face_offsets; /* first corner of each face; the last entry is corner_count; NULL:
                               every face is a triangle */
    uint16_t *face_slots;   /* material slot of each face, may be slot_count or more; NULL: all 0 */
    uint32_t *position_indices; /* one per corner */
    uint32_t *normal_indices;
    uint32_t *texcoord_indices;

    uint64_t offset; /* offset of the object in the file. Version 1: its first byte; others: its
                        sub-block */
} facet_binarymesh_object;

/* One compressed block of the file. */
typedef struct facet_binarymesh_block {
    uint64_t offset; /* of its header in the file */
    uint64_t start;  /* offset of its content in the concatenated data of all blocks */
    uint32_t size;   /* uncompressed bytes */
    uint32_t compressed_size;
} facet_binarymesh_block;

/* A file. A plain struct. facet_binarymesh_read creates one. To write one, fill it in and point it
 * at your own arrays. */
typedef struct facet_binarymesh {
    facet_arena *arena;    /* owner of the memory, freed by facet_binarymesh_free; NULL: filled in
                              by the caller */
    uint32_t version;      /* as read; options->format_version sets the version to write */
    bool double_precision; /* true: reals are double; false: float */
    facet_binarymesh_object *objects;
    uint32_t object_count;
    facet_binarymesh_block *blocks; /* as read; none for version 1 */
    size_t block_count;
    uint64_t data_size; /* bytes of uncompressed data */
} facet_binarymesh;

/* Free a document created by this library. NULL is allowed. */
FACET_API void facet_binarymesh_free(facet_binarymesh *document);

/* First corner of a face, and the end of its corners. */
static inline uint32_t facet_binarymesh_face_begin(const facet_binarymesh_object *object,
                                                   uint32_t face)
{
    return object->face_offsets ? object->face_offsets[face] : face * 3;
}
static inline uint32_t facet_binarymesh_face_end(const facet_binarymesh_object *object,
                                                 uint32_t face)
{
    return object->face_offsets ? object->face_offsets[face + 1] : face * 3 + 3;
}
/* The real at `index` of an array, counted in single reals. */
static inline double facet_binarymesh_real(const facet_binarymesh *document, const void *reals,
                                           size_t index)
{
#ifdef __cplusplus /* for programs that forbid casts of C */
    return document->double_precision
               ? static_cast<const double *>(reals)[index]
               : static_cast<double>(static_cast<const float *>(reals)[index]);
#else
    return document->double_precision ? ((const double *)reals)[index]
                                      : (double)((const float *)reals)[index];
#endif
}

/* -- Reading ------------------------------------------------------------ */

/* Read a file of any version. The result is range-checked: every index is below its count or
 * FACET_NONE, every real is finite, every face has at least three corners. Slot numbers are
 * unchanged. Nothing points into the source afterwards. Time: linear; options->threads decompress
 * sub-blocks in parallel. Memory: the document and one sub-block per thread. Before memory is
 * allocated for a count in the file, the count is checked against the bytes left (times 255 for
 * compressed data). Errors: FACET_ERROR_MALFORMED with the rule (BM-...) and the offset in the
 * file; for compressed data, the offset of the sub-block. */
FACET_API facet_status facet_binarymesh_read(const facet_source *source,
                                             const facet_options *options,
                                             facet_binarymesh **document, facet_error *error);

/* -- Writing ------------------------------------------------------------ */

/* Write a document. Call facet_output_commit to finish. options->format_version is 1, 3 or 4; 0
 * means version 4, and 2 is FACET_ERROR_UNSUPPORTED. Sub-blocks end after the field that fills them
 * to 256 KiB, never inside one: appleseed's own reader fails on a field that spans two sub-blocks.
 *
 * FACET_ERROR_ARGUMENT for a document that lacks an array (BM-DOCUMENT) or breaks a rule of the
 * format. Examples are a face of fewer than 3 corners, an index out of range, and a number that is
 * not finite. FACET_ERROR_LIMIT for data that the format cannot store. This is a face of more than
 * 65,535 corners, a name of more than 65,535 bytes, or a double beyond version 4's floats
 * (BM-FLOAT-RANGE). Numbers that version 4 rounds are reported as LOSS-PRECISION. Memory: two
 * blocks. */
FACET_API facet_status facet_binarymesh_write(const facet_binarymesh *document,
                                              const facet_options *options, facet_output *output,
                                              facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
