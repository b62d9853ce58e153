/* facet/bsm.h - the Binary Static Mesh format, version 1 (draft of 2 April 2012).
 *
 * A BSM is a header of 132 bytes and ten arrays that it points to: positions,
 * texture coordinates, normals and tangents, one of each per vertex; triangles;
 * meshes, which are runs of triangles of one material; the points of convex
 * collision hulls, and the hulls, which are runs of points; positions and
 * triangles of an occluder. All numbers are 32 bits wide and little-endian.
 *
 * Two ways to read one:
 *  - facet_bsm_view looks at the bytes where they lie: nothing is copied,
 *    nothing allocated, a few microseconds whatever the size. For engines.
 *  - facet_bsm_read makes a document: checked throughout, in host byte order,
 *    owning its memory. For tools; facet_bsm_write writes one.
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
/* Bytes of the material name in a mesh record. */
#define FACET_BSM_NAME_SIZE 256

/* The ten arrays, and what one record is. */
typedef enum facet_bsm_array {
    FACET_BSM_POSITIONS = 0,          /* float x, y, z */
    FACET_BSM_TEXCOORDS = 1,          /* float u, v; v grows upwards */
    FACET_BSM_NORMALS = 2,            /* float x, y, z, unit length */
    FACET_BSM_TANGENTS = 3,           /* float x, y, z, unit length along +u, and handedness
                                         w, +1 or -1: bitangent = w * cross(normal, tangent) */
    FACET_BSM_TRIANGLES = 4,          /* three vertex indices, counter-clockwise from outside */
    FACET_BSM_MESHES = 5,             /* a facet_bsm_mesh */
    FACET_BSM_HULL_POINTS = 6,        /* float x, y, z */
    FACET_BSM_HULLS = 7,              /* a facet_bsm_hull */
    FACET_BSM_OCCLUDER_POSITIONS = 8, /* float x, y, z */
    FACET_BSM_OCCLUDER_TRIANGLES = 9  /* three indices of occluder positions */
} facet_bsm_array;

#define FACET_BSM_ARRAY_COUNT 10

/* A run of triangles of one material. */
typedef struct facet_bsm_mesh {
    uint32_t first_triangle;
    uint32_t triangle_count;
    char material[FACET_BSM_NAME_SIZE + 1]; /* name, UTF-8 as written; "" when it has none. One
                                               byte longer than in the file, since writers exist
                                               that fill all 256 bytes and leave out the NUL. */
} facet_bsm_mesh;

/* A convex collision body: the hull of a run of points. */
typedef struct facet_bsm_hull {
    uint32_t first_point;
    uint32_t point_count;
} facet_bsm_hull;

/* What facet_bsm_view finds: the header, and where each array lies. It points
 * into the bytes it was made from, and is valid as long as they are. */
typedef struct facet_bsm_layout {
    const uint8_t *data;
    size_t size;
    int32_t version;   /* 1 or more; a later version reads as version 1 */
    int32_t extension; /* 0 is the core format; others are supersets of it */
    float center[3], radius;
    float minimum[3], maximum[3];
    uint32_t count[FACET_BSM_ARRAY_COUNT];     /* records; the first four are equal */
    uint32_t offset[FACET_BSM_ARRAY_COUNT];    /* bytes from the start of the file */
    const uint8_t *raw[FACET_BSM_ARRAY_COUNT]; /* the records as they lie in the file: whole and
                                                  inside the file, but little-endian, at any
                                                  alignment, and with NOTHING INSIDE CHECKED: an
                                                  index may be any 32 bits. NULL when empty. */
    bool verified;                             /* set by facet_bsm_verify alone */
} facet_bsm_layout;

/* Look at the header and the ranges of the ten arrays. Constant time; nothing
 * is copied or allocated; `data` may have any alignment. Texture coordinates
 * and all other floats can be used at once (facet_bsm_floats). Whatever counts
 * or points to something (triangles, meshes, hulls) is kept back until
 * facet_bsm_verify has looked at every index.
 * Errors: FACET_ERROR_MALFORMED with one of BSM-SIZE-HEADER, BSM-MAGIC,
 * BSM-VERSION-INVALID, BSM-COUNT-NEGATIVE, BSM-OFFSET-NEGATIVE,
 * BSM-ARRAY-BOUNDS, BSM-ARRAY-IN-HEADER. */
FACET_API facet_status facet_bsm_view(const uint8_t *data, size_t size, facet_bsm_layout *layout,
                                      facet_error *error);

/* Check every triangle index, mesh range and hull range, at memory speed. It
 * holds for the bytes as they are now: who maps a file that others may change
 * meanwhile copies the indices first.
 * Errors: FACET_ERROR_MALFORMED with BSM-TRI-INDEX-RANGE, BSM-MESH-RANGE,
 * BSM-HULL-RANGE or BSM-OCC-INDEX-RANGE. */
FACET_API facet_status facet_bsm_verify(facet_bsm_layout *layout, facet_error *error);

/* An array of floats in place: positions, texcoords, normals, tangents, hull
 * points or occluder positions. NULL when it is empty, is another array, or
 * cannot be used as it lies: not aligned to 4, or a big-endian host. Then
 * facet_bsm_copy helps. The values are as in the file: they may be NaN. */
FACET_API const float *facet_bsm_floats(const facet_bsm_layout *layout, facet_bsm_array array);

/* The indices of triangles or occluder triangles in place, three a record, all
 * in range. NULL as above, and always before facet_bsm_verify. */
FACET_API const uint32_t *facet_bsm_indices(const facet_bsm_layout *layout, facet_bsm_array array);

/* Copy `count` records from record `first` of an array of floats or of
 * triangles to `destination`, as host numbers; any alignment, any host.
 * Errors: FACET_ERROR_ARGUMENT when the records are not there, when the array
 * holds meshes or hulls, and for triangles before facet_bsm_verify. */
FACET_API facet_status facet_bsm_copy(const facet_bsm_layout *layout, facet_bsm_array array,
                                      uint32_t first, uint32_t count, void *destination,
                                      facet_error *error);

/* Mesh or hull `index`. Errors: FACET_ERROR_ARGUMENT when there is no such
 * record, and before facet_bsm_verify. */
FACET_API facet_status facet_bsm_get_mesh(const facet_bsm_layout *layout, uint32_t index,
                                          facet_bsm_mesh *mesh, facet_error *error);
FACET_API facet_status facet_bsm_get_hull(const facet_bsm_layout *layout, uint32_t index,
                                          facet_bsm_hull *hull, facet_error *error);

/* -- Document ----------------------------------------------------------- */

/* A whole BSM in host byte order. A plain struct: facet_bsm_read makes one that
 * owns what it points to; for writing, fill one in by hand and point it at
 * arrays of your own. */
typedef struct facet_bsm {
    facet_arena *arena; /* owner of what facet_bsm_free frees; NULL when filled in by hand */
    int32_t version;    /* 0 is written as 1 */
    int32_t extension;
    float center[3], radius; /* sphere and box around the positions */
    float minimum[3], maximum[3];

    uint32_t vertex_count;
    const float *positions; /* 3 a vertex */
    const float *texcoords; /* 2 a vertex; NULL is written as zeros */
    const float *normals;   /* 3 a vertex */
    const float *tangents;  /* 4 a vertex */
    uint32_t triangle_count;
    const uint32_t *triangles; /* 3 a triangle, each below vertex_count */
    uint32_t mesh_count;
    const facet_bsm_mesh *meshes; /* ranges inside the triangles */

    uint32_t hull_point_count;
    const float *hull_points; /* 3 a point */
    uint32_t hull_count;
    const facet_bsm_hull *hulls; /* ranges inside the hull points */
    uint32_t occluder_vertex_count;
    const float *occluder_positions; /* 3 a vertex */
    uint32_t occluder_triangle_count;
    const uint32_t *occluder_triangles; /* 3 a triangle */

    uint32_t offset[FACET_BSM_ARRAY_COUNT]; /* of the arrays in the file that was read, for
                                               messages; 0 when filled in by hand */
    size_t secondary_size; /* bytes between the header and the first array: the secondary
                              header of an extension or a later version, kept as it is */
    const uint8_t *secondary;
} facet_bsm;

/* Read a document. Every index and range is checked and every float is finite;
 * vectors are not changed. Bytes that the document cannot hold (outside the
 * arrays, after the end of a name) are reported as a warning LOSS-UNREAD, but for
 * zeros.
 * The document points to nothing in the source. options may be NULL.
 * Errors: those of facet_bsm_view and facet_bsm_verify, BSM-FLOAT-NONFINITE,
 * FACET_ERROR_MEMORY. */
FACET_API facet_status facet_bsm_read(const facet_source *source, const facet_options *options,
                                      facet_bsm **document, facet_error *error);
/* Free a document that was made by this library. NULL is fine. */
FACET_API void facet_bsm_free(facet_bsm *document);

/* Set a mesh's material name. A name of more than 255 bytes is cut before the
 * code point that does not fit, and false returned. */
FACET_API bool facet_bsm_set_material(facet_bsm_mesh *mesh, const char *name);

/* Write a document: header, secondary header, then the arrays in the order of
 * facet_bsm_array, without gaps; the offset of an empty array is 0. Numbers are
 * written bit for bit, -0.0 too. Little-endian hosts copy nothing. A name
 * without space for its NUL is cut and reported (LOSS-NAMES). options
 * may be NULL. Nothing is written unless the whole document is valid.
 * Errors: FACET_ERROR_ARGUMENT with the rule that the document would break (an
 * index out of range, a number not finite; BSM-DOCUMENT for an array that is
 * missing); FACET_ERROR_LIMIT when an array would begin beyond 2 GiB. Failures of
 * the output show when it is committed. */
FACET_API facet_status facet_bsm_write(const facet_bsm *document, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
