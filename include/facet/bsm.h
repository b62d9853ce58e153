/* facet/bsm.h - the Binary Static Mesh format, version 1 (draft of 2 April 2012).
 *
 * A BSM is a header of 132 bytes and ten arrays that it points to. Each vertex has a position,
 * texture coordinates, a normal and a tangent. Triangles follow, and meshes, which are runs of
 * triangles of one material. Then the points of convex collision hulls, and the hulls, which are
 * runs of points. Last are positions and triangles of an occluder. All numbers are 32 bits wide and
 * little-endian.
 *
 * There are two ways to read a file:
 *
 *  - facet_bsm_view returns pointers into the bytes: nothing is copied or allocated, and it takes a
 *    few microseconds for any size. For engines.
 *  - facet_bsm_read creates a document: fully checked, in host byte order, with its own memory. For
 *    tools; facet_bsm_write writes one.
 *
 * Stability: stable. */
#ifndef FACET_BSM_H
#define FACET_BSM_H

#include <facet/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- View --------------------------------------------------------------- */

#define FACET_BSM_HEADER_SIZE 132
/* Size in bytes of the material name in a mesh record. */
#define FACET_BSM_NAME_SIZE 256

/* The ten arrays, with the content of one record. */
typedef enum facet_bsm_array {
    FACET_BSM_POSITIONS = 0,          /* float x, y, z */
    FACET_BSM_TEXCOORDS = 1,          /* float u, v; v increases upward */
    FACET_BSM_NORMALS = 2,            /* float x, y, z, unit length */
    FACET_BSM_TANGENTS = 3,           /* float x, y, z, unit length along +u, and handedness
                                         w, +1 or -1: bitangent = w * cross(normal, tangent) */
    FACET_BSM_TRIANGLES = 4,          /* three vertex indices, counterclockwise from outside */
    FACET_BSM_MESHES = 5,             /* a facet_bsm_mesh */
    FACET_BSM_HULL_POINTS = 6,        /* float x, y, z */
    FACET_BSM_HULLS = 7,              /* a facet_bsm_hull */
    FACET_BSM_OCCLUDER_POSITIONS = 8, /* float x, y, z */
    FACET_BSM_OCCLUDER_TRIANGLES = 9  /* three indices into the occluder positions */
} facet_bsm_array;

#define FACET_BSM_ARRAY_COUNT 10

/* A run of triangles of one material. */
typedef struct facet_bsm_mesh {
    uint32_t first_triangle;
    uint32_t triangle_count;
    char material[FACET_BSM_NAME_SIZE + 1]; /* name, UTF-8 as written; "": no name. One byte
                                               longer than in the file, because some writers fill
                                               all 256 bytes and leave out the NUL. */
} facet_bsm_mesh;

/* A convex collision body: the convex hull of a run of points. */
typedef struct facet_bsm_hull {
    uint32_t first_point;
    uint32_t point_count;
} facet_bsm_hull;

/* Result of facet_bsm_view: the header, and the location of each array. It points into the viewed
 * bytes, which must outlive it. */
typedef struct facet_bsm_layout {
    const uint8_t *data;
    size_t size;
    int32_t version;   /* 1 or more; later versions are read as version 1 */
    int32_t extension; /* 0 is the core format; others are supersets of it */
    float center[3], radius;
    float minimum[3], maximum[3];
    uint32_t count[FACET_BSM_ARRAY_COUNT];     /* records; the first four are equal */
    uint32_t offset[FACET_BSM_ARRAY_COUNT];    /* in bytes, from the start of the file */
    const uint8_t *raw[FACET_BSM_ARRAY_COUNT]; /* the records in the file: complete and inside
                                                  the file, but little-endian, at any alignment,
                                                  and with CONTENT NOT CHECKED: an index may be
                                                  any 32 bits. NULL: empty */
    bool verified;                             /* set only by facet_bsm_verify */
} facet_bsm_layout;

/* Check the header and the ranges of the ten arrays. Constant time; nothing is copied or allocated;
 * `data` may have any alignment. Texture coordinates and all other floats can be used immediately
 * (facet_bsm_floats). Triangles, meshes and hulls are not accessible until facet_bsm_verify has
 * checked every index. Errors: FACET_ERROR_MALFORMED with one of BSM-SIZE-HEADER, BSM-MAGIC,
 * BSM-VERSION-INVALID, BSM-COUNT-NEGATIVE, BSM-OFFSET-NEGATIVE, BSM-ARRAY-BOUNDS,
 * BSM-ARRAY-IN-HEADER. */
FACET_API facet_status facet_bsm_view(const uint8_t *data, size_t size, facet_bsm_layout *layout,
                                      facet_error *error);

/* Check every triangle index, mesh range and hull range, at memory speed. The result is valid only
 * for the current bytes: if others may change a mapped file, copy the indices first. Errors:
 * FACET_ERROR_MALFORMED with BSM-TRI-INDEX-RANGE, BSM-MESH-RANGE, BSM-HULL-RANGE or
 * BSM-OCC-INDEX-RANGE. */
FACET_API facet_status facet_bsm_verify(facet_bsm_layout *layout, facet_error *error);

/* An array of floats in place: positions, texcoords, normals, tangents, hull points or occluder
 * positions. NULL if it is empty, is another array, or cannot be used in place because it is not
 * aligned to 4 or the host is big-endian. Use facet_bsm_copy then. The values are not checked: they
 * may be NaN. */
FACET_API const float *facet_bsm_floats(const facet_bsm_layout *layout, facet_bsm_array array);

/* The indices of triangles or occluder triangles in place, three per record, all in range. NULL in
 * the cases of facet_bsm_floats, and always before facet_bsm_verify. */
FACET_API const uint32_t *facet_bsm_indices(const facet_bsm_layout *layout, facet_bsm_array array);

/* Copy `count` records, beginning with record `first`, of an array to `destination`, in host byte
 * order: floats, indices, facet_bsm_mesh or facet_bsm_hull. Works for any alignment and host.
 * Errors: FACET_ERROR_ARGUMENT if the records are out of range, and before facet_bsm_verify, except
 * for floats. */
FACET_API facet_status facet_bsm_copy(const facet_bsm_layout *layout, facet_bsm_array array,
                                      uint32_t first, uint32_t count, void *destination,
                                      facet_error *error);

/* -- Document ----------------------------------------------------------- */

/* A complete BSM in host byte order. A plain struct. facet_bsm_read creates one that owns what it
 * points to. To write one, fill it in and point it at your own arrays. */
typedef struct facet_bsm {
    facet_arena *arena; /* owner of the memory, freed by facet_bsm_free; NULL: filled in by the
                           caller */
    int32_t version;    /* 0 is written as 1 */
    int32_t extension;
    float center[3], radius; /* sphere and box around the positions */
    float minimum[3], maximum[3];

    uint32_t vertex_count;
    const float *positions; /* 3 per vertex */
    const float *texcoords; /* 2 per vertex; NULL is written as zeros */
    const float *normals;   /* 3 per vertex */
    const float *tangents;  /* 4 per vertex */
    uint32_t triangle_count;
    const uint32_t *triangles; /* 3 per triangle, each below vertex_count */
    uint32_t mesh_count;
    const facet_bsm_mesh *meshes; /* ranges inside the triangles */

    uint32_t hull_point_count;
    const float *hull_points; /* 3 per point */
    uint32_t hull_count;
    const facet_bsm_hull *hulls; /* ranges inside the hull points */
    uint32_t occluder_vertex_count;
    const float *occluder_positions; /* 3 per vertex */
    uint32_t occluder_triangle_count;
    const uint32_t *occluder_triangles; /* 3 per triangle */

    uint32_t offset[FACET_BSM_ARRAY_COUNT]; /* of the arrays in the file that was read, for
                                               messages; 0 if filled in by the caller */
    size_t secondary_size; /* bytes between the header and the first array: the secondary header
                              of an extension or a later version, kept unchanged */
    const uint8_t *secondary;
} facet_bsm;

/* Read a document. Every index and range is checked and every float is finite; vectors are not
 * changed. Bytes that the document cannot store (outside the arrays, after the end of a name) are
 * reported as a warning LOSS-UNREAD, unless they are zero. The document does not point into the
 * source. options may be NULL. Errors: those of facet_bsm_view and facet_bsm_verify,
 * BSM-FLOAT-NONFINITE, FACET_ERROR_MEMORY. */
FACET_API facet_status facet_bsm_read(const facet_source *source, const facet_options *options,
                                      facet_bsm **document, facet_error *error);
/* Free a document created by this library. NULL is allowed. */
FACET_API void facet_bsm_free(facet_bsm *document);

/* Write a document: header, secondary header, then the arrays in the order of facet_bsm_array,
 * without gaps; the offset of an empty array is 0. Numbers are written bit for bit, including -0.0.
 * Little-endian hosts copy nothing. A name without space for its NUL is cut and reported
 * (LOSS-NAMES). options may be NULL. Nothing is written unless the whole document is valid.
 * Failures of the output are reported by facet_output_commit. Errors:
 *  - FACET_ERROR_ARGUMENT with the rule that the document would break (an index out of range, a
 *    number that is not finite; BSM-DOCUMENT for a missing array);
 *  - FACET_ERROR_LIMIT if an array would begin beyond 2 GiB. */
FACET_API facet_status facet_bsm_write(const facet_bsm *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
