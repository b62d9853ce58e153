/* facet/binarymesh.h - the BinaryMesh format of the appleseed renderer,
 * versions 1 to 4.
 *
 * A BinaryMesh file is a list of objects: polygons of 3 to 65,535 corners over
 * three separate arrays (positions, normals, texture coordinates), and for each
 * face the number of a material slot, which is a name. Version 1 is plain,
 * version 2 compressed with LZO, 3 with LZ4, and 4 with LZ4 in single
 * precision. Versions 1 to 4 are read, 1, 3 and 4 are written.
 *
 * The document is the file's contents, complete: what is read and written again
 * has the same meaning, in the same precision. There is no view: what matters is
 * compressed.
 *
 * Stability: stable. */
#ifndef FACET_BINARYMESH_H
#define FACET_BINARYMESH_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- The document ------------------------------------------------------- */

/* A name as the file has it: `length` bytes, at most 65,535, usually UTF-8, in
 * rare files with a NUL among them. text[length] is a NUL as well. */
typedef struct facet_binarymesh_text {
    const char *text;
    uint32_t length;
} facet_binarymesh_text;

/* One object. An index array that is NULL says that no corner has such an
 * element; so does FACET_NONE for one corner. Positions every corner has. */
typedef struct facet_binarymesh_object {
    facet_binarymesh_text name;

    uint32_t position_count;
    uint32_t normal_count;
    uint32_t texcoord_count;
    void *positions; /* 3 reals each: x y z */
    void *normals;   /* 3 reals each, of any length but usually 1 */
    void *texcoords; /* 2 reals each: u v, v = 0 at the lower edge */

    uint32_t slot_count; /* at most 65,535 */
    facet_binarymesh_text *slots;

    uint32_t face_count;
    uint32_t corner_count;
    uint32_t *face_offsets; /* first corner of each face, and corner_count as last entry;
                               NULL when every face is a triangle */
    uint16_t *face_slots;   /* material slot of each face, below slot_count or not; NULL: all 0 */
    uint32_t *position_indices; /* one per corner */
    uint32_t *normal_indices;
    uint32_t *texcoord_indices;

    uint64_t offset; /* where the object was read from: its first byte in a version 1 file, in
                        the others its sub-block */
} facet_binarymesh_object;

/* One compressed stretch of the file. */
typedef struct facet_binarymesh_block {
    uint64_t offset; /* of its header in the file */
    uint64_t start;  /* of its contents in the data that all blocks make together */
    uint32_t size;   /* uncompressed bytes */
    uint32_t compressed_size;
} facet_binarymesh_block;

typedef struct facet_binarymesh {
    facet_arena *arena;    /* owns everything here */
    uint32_t version;      /* as read; what to write is options->format_version */
    bool double_precision; /* reals are double; else they are float */
    facet_binarymesh_object *objects;
    uint32_t object_count;
    facet_binarymesh_block *blocks; /* as read; none in version 1 */
    size_t block_count;
    uint64_t data_size; /* bytes of the data, uncompressed */
} facet_binarymesh;

/* An empty document, to be filled in by hand with memory from
 * facet_binarymesh_allocate. Free with facet_binarymesh_free. */
FACET_API facet_status facet_binarymesh_create(bool double_precision, const facet_options *options,
                                               facet_binarymesh **document, facet_error *error);
/* Memory that lives as long as the document: 16-byte aligned, not cleared.
 * NULL when count * size overflows, or memory or the limit is used up. */
FACET_API void *facet_binarymesh_allocate(facet_binarymesh *document, size_t count, size_t size);
/* NULL is fine. */
FACET_API void facet_binarymesh_free(facet_binarymesh *document);

/* First corner of a face, and one past its last. */
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
/* Number `index` of an array of reals, counting single reals. */
static inline double facet_binarymesh_real(const facet_binarymesh *document, const void *reals,
                                           size_t index)
{
    return document->double_precision ? ((const double *)reals)[index]
                                      : (double)((const float *)reals)[index];
}

/* -- Reading ------------------------------------------------------------ */

/* Read a file of any version. What is returned is range-checked: every index
 * is below its count or FACET_NONE, every real is finite, every face has three
 * corners at least. Slot numbers are as the file has them. Nothing points into
 * the source afterwards.
 *
 * Time: linear; with options->threads sub-blocks are decompressed in parallel.
 * Memory: the document and one sub-block per thread. Before anything is
 * allocated for a number in the file, the number is held against the bytes that
 * are there, times 255 where they are compressed.
 * Errors: FACET_ERROR_MALFORMED with the rule (BM-...) and the offset in the
 * file; for what lies in a compressed sub-block, that of the sub-block. */
FACET_API facet_status facet_binarymesh_read(const facet_source *source,
                                             const facet_options *options,
                                             facet_binarymesh **document, facet_error *error);

/* -- Writing ------------------------------------------------------------ */

/* Write a document; the caller commits. options->format_version is 1, 3 or 4;
 * 0 is 4, and 2 FACET_ERROR_UNSUPPORTED. Sub-blocks end after the field that
 * fills them to 256 KiB, never inside one: appleseed's own reader breaks on a
 * field that straddles two of them.
 *
 * A document that breaks a rule of the format (a face of fewer than 3 corners,
 * an index out of range, a number that is not finite), or lacks an array that it
 * counts (BM-DOCUMENT), is FACET_ERROR_ARGUMENT. What the format has no space for
 * (a face of more than 65,535 corners, a name of more than 65,535 bytes, double
 * precision beyond version 4's floats: BM-FLOAT-RANGE) is FACET_ERROR_LIMIT.
 * Numbers that version 4 rounds are reported as LOSS-PRECISION. Memory: two
 * blocks. */
FACET_API facet_status facet_binarymesh_write(const facet_binarymesh *document,
                                              const facet_options *options, facet_output *output,
                                              facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
