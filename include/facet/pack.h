/* facet/pack.h - a mesh as the vertex and index buffers of a graphics API.
 *
 * ```
 * static const facet_pack_attribute attributes[] = {
 *     {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT32, 3, 0, false, false},
 *     {FACET_NORMAL, 0, NULL, FACET_PACK_OCTAHEDRAL8, 2, 0, false, false},
 *     {FACET_TEXCOORD, 0, NULL, FACET_PACK_FLOAT16, 2, 0, false, true},
 * };
 * facet_pack_layout layout = {sizeof layout, attributes, 3, 0, 0, false};
 * facet_packed *packed;
 * facet_prepare(scene, NULL, NULL, NULL, NULL, &error);
 * if (facet_mesh_pack(scene->meshes[0], &layout, NULL, &packed, &error) == FACET_OK) {
 *     upload(packed->buffers[0].data, packed->buffers[0].size);
 *     upload(packed->indices, packed->index_bytes);
 *     for (uint32_t i = 0; i < packed->draw_count; i++)
 *         draw(&packed->draws[i]);
 *     facet_packed_free(packed);
 * }
 * ```
 *
 * Stability: stable. */
#ifndef FACET_PACK_H
#define FACET_PACK_H

#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- Layout -------------------------------------------------------------- */

/* Format of a component in a buffer, in the host's byte order. */
typedef enum facet_pack_format {
    FACET_PACK_FLOAT32,
    FACET_PACK_FLOAT16, /* IEEE 754 binary16, rounded to nearest, ties to even */
    /* Integers. A value that is not an integer is out of range. */
    FACET_PACK_UINT8,
    FACET_PACK_SINT8,
    FACET_PACK_UINT16,
    FACET_PACK_SINT16,
    FACET_PACK_UINT32,
    FACET_PACK_SINT32,
    /* Normalized integers: n means n / 255, n / 65535, n / 127 or n / 32767. Rounded to the nearest
     * n, ties to even. -128 and -32768 are never written. */
    FACET_PACK_UNORM8,
    FACET_PACK_UNORM16,
    FACET_PACK_SNORM8,
    FACET_PACK_SNORM16,
    /* A direction as two numbers x and y, encoded as in SNORM8 and SNORM16. With z = 1 - |x| - |y|,
     * the direction is (x, y, z) if z is at least 0. Otherwise it is ((1 - |y|) * sign(x), (1 -
     * |x|) * sign(y), z), where the sign of 0 is +1. Normalize it after decoding. Of the four pairs
     * around the exact one, the pair nearest to the direction is written. For a stream of four
     * components (tangents), the last one follows as the third: x, y, w. Directions of length 0
     * become 0 0, which means +z. Source: Q. Meyer, J. Suessmuth, G. Sussner, M. Stamminger, G.
     * Greiner, "On Floating-Point Normal Vectors", 2010; Z. Cigolle et al., "A Survey of Efficient
     * Representations for Independent Unit Vectors", 2014. */
    FACET_PACK_OCTAHEDRAL8,
    FACET_PACK_OCTAHEDRAL16
} facet_pack_format;

/* One attribute of the vertices. */
typedef struct facet_pack_attribute {
    facet_semantic semantic; /* the stream, identified by semantic, set, and for custom streams
                                by name */
    uint32_t set;
    const char *name; /* NULL except for custom streams; if NULL there, the first custom stream */
    facet_pack_format format;
    uint32_t components; /* in the buffer, 1 to 4. Components that the stream has beyond this are
                            cut off; those that it lacks are 0, the fourth 1 (octahedral: 0). 0:
                            as in the stream; octahedral normals have 2 and tangents 4 */
    uint32_t buffer;     /* index of the vertex buffer, below FACET_PACK_MAX_BUFFERS. Attributes
                            of one buffer are interleaved in their order here */
    bool fit;            /* normalized formats: scale the range of the values to that of the format,
                            per component; facet_packed_attribute has the inverse */
    bool optional; /* if a mesh lacks the stream, write zeros (colors: ones) instead of failing */
} facet_pack_attribute;

#define FACET_PACK_MAX_BUFFERS 16
#define FACET_PACK_MAX_ATTRIBUTES 64

typedef struct facet_pack_layout {
    uint32_t struct_size; /* sizeof(facet_pack_layout), or 0: that of release 0.2 */
    const facet_pack_attribute *attributes; /* NULL: all streams of the mesh in their order,
                                               unchanged, with 64-bit floats as 32-bit ones.
                                               Streams of more than four components are left out
                                               (warning PACK-COMPONENTS) */
    uint32_t attribute_count;
    uint32_t index_size; /* bytes of an index: 2 or 4; 0: 2 for fewer than 65,536 vertices,
                            otherwise 4 */
    uint32_t alignment;  /* offsets of attributes and strides are multiples of it: 1, 2, 4, 8 or
                            16; 0: 4, as graphics APIs require. Gaps are zeros */
    bool separate;       /* if attributes is NULL: one buffer per attribute (at most
                            FACET_PACK_MAX_BUFFERS); otherwise all are in one buffer */
} facet_pack_layout;

/* -- Result -------------------------------------------------------------- */

typedef struct facet_packed_buffer {
    void *data; /* vertex_count * stride bytes, aligned to 16 */
    size_t size;
    uint32_t stride; /* bytes from one vertex to the next */
} facet_packed_buffer;

typedef struct facet_packed_attribute {
    facet_semantic semantic;
    uint32_t set;
    const char *name; /* of a custom stream, otherwise NULL; owned by the facet_packed */
    facet_pack_format format;
    uint32_t components;
    uint32_t buffer, offset; /* `offset`: bytes from the start of a vertex */
    bool missing;            /* the mesh lacks the stream */
    /* Inverse of fitting: value = base + scale * decoded value. 0 and 1 if not fitted. */
    float base[4], scale[4];
} facet_packed_attribute;

/* A run of triangles of one material. */
typedef struct facet_packed_draw {
    uint32_t material; /* index into the scene's materials, or FACET_NONE */
    uint32_t first_index, index_count;
    uint32_t base_vertex;  /* add it to each index; 0 unless 16-bit indices are too small */
    uint32_t first_vertex; /* the lowest vertex that is drawn, including base_vertex */
    uint32_t vertex_count; /* number of vertices from the lowest to the highest one */
} facet_packed_draw;

typedef struct facet_packed {
    facet_arena *arena; /* owner of everything below */
    uint32_t vertex_count, index_count;
    uint32_t index_size; /* 2 or 4 */
    void *indices;       /* index_count indices: three per triangle, in the order of the faces */
    size_t index_bytes;
    facet_packed_buffer *buffers; /* up to the highest index in use; unused buffers between have
                                     stride 0 */
    uint32_t buffer_count;
    facet_packed_attribute *attributes; /* as requested, in that order */
    uint32_t attribute_count;
    facet_packed_draw *draws; /* in the order of the faces; in a sorted mesh, one per material */
    uint32_t draw_count;
} facet_packed;

/* Pack a GPU-ready mesh. It is unchanged, and nothing in *packed points into it. Coordinates are in
 * the frame of the mesh's scene; lines are not packed. With 16-bit indices, 65,535 is never an
 * index, because some APIs use it to restart a primitive. A mesh with more vertices has a
 * base_vertex per draw. layout and options may be NULL. The members allocator, memory_limit, report
 * and progress of options are used. Free the result with facet_packed_free. Linear.
 *
 * Errors: FACET_ERROR_ARGUMENT for a mesh that is not GPU-ready, a missing stream (rule
 * PACK-STREAM), and an invalid layout (PACK-LAYOUT). FACET_ERROR_LIMIT for a value beyond the range
 * of its format, with attribute and vertex (PACK-RANGE), and for a draw whose vertices are too far
 * apart for 16-bit indices (PACK-INDEX). FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
FACET_API facet_status facet_mesh_pack(const facet_mesh *mesh, const facet_pack_layout *layout,
                                       const facet_options *options, facet_packed **packed,
                                       facet_error *error);
/* Free a packed mesh. NULL is allowed. */
FACET_API void facet_packed_free(facet_packed *packed);

#ifdef __cplusplus
}
#endif
#endif
