/* facet/pack.h - a mesh as the vertex and index buffers of a graphics API.
 *
 *     static const facet_pack_attribute attributes[] = {
 *         {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT32, 3, 0, false, false},
 *         {FACET_NORMAL, 0, NULL, FACET_PACK_OCTAHEDRAL8, 2, 0, false, false},
 *         {FACET_TEXCOORD, 0, NULL, FACET_PACK_FLOAT16, 2, 0, false, true},
 *     };
 *     facet_pack_layout layout = {sizeof layout, attributes, 3, 0, 0, false};
 *     facet_packed *packed;
 *     facet_prepare(scene, NULL, NULL, NULL, NULL, &error);
 *     if (facet_mesh_pack(scene->meshes[0], &layout, NULL, &packed, &error) == FACET_OK) {
 *         upload(packed->buffers[0].data, packed->buffers[0].size);
 *         upload(packed->indices, packed->index_bytes);
 *         for (uint32_t i = 0; i < packed->draw_count; i++)
 *             draw(&packed->draws[i]);
 *         facet_packed_free(packed);
 *     }
 *
 * Stability: stable. */
#ifndef FACET_PACK_H
#define FACET_PACK_H

#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- What is asked for -------------------------------------------------- */

/* How a component lies in a buffer, in the host's byte order. */
typedef enum facet_pack_format {
    FACET_PACK_FLOAT32,
    FACET_PACK_FLOAT16, /* IEEE 754 binary16, rounded to the nearest, ties to even */
    /* Whole numbers. What is no whole number is not in their range. */
    FACET_PACK_UINT8,
    FACET_PACK_SINT8,
    FACET_PACK_UINT16,
    FACET_PACK_SINT16,
    FACET_PACK_UINT32,
    FACET_PACK_SINT32,
    /* Normalized: n stands for n / 255, n / 65535, n / 127 or n / 32767; the nearest n is
     * taken, of two the even one. -128 and -32768 are never written. */
    FACET_PACK_UNORM8,
    FACET_PACK_UNORM16,
    FACET_PACK_SNORM8,
    FACET_PACK_SNORM16,
    /* A direction in two numbers x and y as in SNORM8 and SNORM16: with z = 1 - |x| - |y|
     * the direction is (x, y, z) where z is at least 0, else ((1 - |y|) * sign(x),
     * (1 - |x|) * sign(y), z), where the sign of 0 is +1; it is to be normalized. Of the
     * four pairs around the exact one, that which comes nearest to the direction. A
     * stream of four (tangents) has its last number as the third: x, y, w. Directions of
     * length 0 become 0 0, which stands for +z.
     * Source: Q. Meyer, J. Suessmuth, G. Sussner, M. Stamminger, G. Greiner, "On
     * Floating-Point Normal Vectors", 2010; Z. Cigolle et al., "A Survey of Efficient
     * Representations for Independent Unit Vectors", 2014. */
    FACET_PACK_OCTAHEDRAL8,
    FACET_PACK_OCTAHEDRAL16
} facet_pack_format;

/* Bytes of one component: 1, 2 or 4; 0 when there is no such format. */
FACET_API size_t facet_pack_format_size(facet_pack_format format);

/* One attribute of the vertices. */
typedef struct facet_pack_attribute {
    facet_semantic semantic; /* which stream: semantic, set, and of a custom one its name */
    uint32_t set;
    const char *name; /* NULL but for custom streams; the first such when NULL there */
    facet_pack_format format;
    uint32_t components; /* in the buffer, 1 to 4: fewer than the stream has cut it off, further
                            ones are 0, the fourth 1 (of octahedral ones 0). 0: as the stream has
                            them; of octahedral normals 2, and of tangents 4 */
    uint32_t buffer;     /* which vertex buffer it lies in, below FACET_PACK_MAX_BUFFERS;
                            those of one buffer are interleaved in their order here */
    bool fit;      /* normalized formats: the values' range becomes the format's, by component;
                      facet_packed_attribute tells how to turn it back */
    bool optional; /* a mesh without the stream gets zeros (colors: ones) in place of an error */
} facet_pack_attribute;

#define FACET_PACK_MAX_BUFFERS 16
#define FACET_PACK_MAX_ATTRIBUTES 64

typedef struct facet_pack_layout {
    uint32_t struct_size; /* sizeof(facet_pack_layout), or 0: that of release 0.2 */
    const facet_pack_attribute *attributes; /* NULL: all streams of the mesh in their order as
                                               they are, 64-bit floats as 32-bit ones; streams of
                                               more than four components are left out, with a
                                               warning PACK-COMPONENTS */
    uint32_t attribute_count;
    uint32_t index_size; /* bytes of an index: 2 or 4; 0: 2 where there are fewer than 65,536
                            vertices, else 4 */
    uint32_t alignment;  /* attributes begin at multiples of it, and strides are multiples: 1, 2,
                            4, 8 or 16; 0: 4, as graphics APIs want them. Gaps are zeros */
    bool separate;       /* attributes NULL: a buffer each (at most FACET_PACK_MAX_BUFFERS);
                            else all are in one */
} facet_pack_layout;

/* -- What there is ------------------------------------------------------ */

typedef struct facet_packed_buffer {
    void *data; /* vertex_count * stride bytes, aligned to 16 */
    size_t size;
    uint32_t stride; /* bytes from one vertex to the next */
} facet_packed_buffer;

typedef struct facet_packed_attribute {
    facet_semantic semantic;
    uint32_t set;
    const char *name; /* of a custom stream, else NULL; owned by the facet_packed */
    facet_pack_format format;
    uint32_t components;
    uint32_t buffer, offset; /* bytes from the start of a vertex */
    bool missing;            /* the mesh does not have it */
    /* Of what was fitted: value = base + scale * what the format stands for. Else 0 and 1. */
    float base[4], scale[4];
} facet_packed_attribute;

/* A run of triangles of one material. */
typedef struct facet_packed_draw {
    uint32_t material; /* index into the scene's materials, or FACET_NONE */
    uint32_t first_index, index_count;
    uint32_t base_vertex;  /* to be added to each index; 0 unless 16-bit indices do not reach */
    uint32_t first_vertex; /* the lowest that is drawn, base_vertex added */
    uint32_t vertex_count; /* from there to the highest one */
} facet_packed_draw;

typedef struct facet_packed {
    facet_arena *arena; /* owner of all that is here */
    uint32_t vertex_count, index_count;
    uint32_t index_size; /* 2 or 4 */
    void *indices;       /* index_count of them: three per triangle, in the order of the faces */
    size_t index_bytes;
    facet_packed_buffer *buffers; /* up to the highest number in use; those between that no
                                     attribute names have stride 0 */
    uint32_t buffer_count;
    facet_packed_attribute *attributes; /* as asked for, in that order */
    uint32_t attribute_count;
    facet_packed_draw *draws; /* in the order of the faces: one per material in a sorted mesh */
    uint32_t draw_count;
} facet_packed;

/* Pack a GPU-ready mesh. It stays as it is, and nothing in *packed points into it. Numbers
 * are those of the mesh, in its scene's frame; lines are not packed. With 16-bit indices
 * 65,535 is never one, because some APIs restart at it; a mesh of more vertices has a
 * base_vertex per draw. layout and options may be NULL; allocator, memory_limit, report and
 * progress are taken. Free with facet_packed_free. Linear.
 * Errors: FACET_ERROR_ARGUMENT for a mesh that is not GPU-ready, one that has no such stream
 * (rule PACK-STREAM), and a layout that cannot be (PACK-LAYOUT); FACET_ERROR_LIMIT for a value
 * beyond the range of its format, which names attribute and vertex (PACK-RANGE), and for
 * a draw whose vertices lie too far apart for 16-bit indices (PACK-INDEX);
 * FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
FACET_API facet_status facet_mesh_pack(const facet_mesh *mesh, const facet_pack_layout *layout,
                                       const facet_options *options, facet_packed **packed,
                                       facet_error *error);
/* NULL is fine. */
FACET_API void facet_packed_free(facet_packed *packed);

#ifdef __cplusplus
}
#endif
#endif
