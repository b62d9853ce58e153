/* formats/j3d/gpu/geometry.h - display lists to triangles over unique vertices, and these vertices
 * to streams.
 *
 * Two vertices of a shape are merged if all their indices and their draw matrix are equal. Each
 * becomes a record: its display list bytes without matrix indices, zero padding, and its draw
 * matrix. Streams are decoded from records and vertex arrays directly into the output. */
#ifndef FACET_J3D_GPU_GEOMETRY_H
#define FACET_J3D_GPU_GEOMETRY_H

#include "base/table.h"
#include "formats/j3d/file/display_list.h"

/* Custom stream of a mesh with the results of facet_j3d_geometry_normal_lengths. */
#define FACET_J3D_NORMAL_LENGTH "J3D_NORMAL_LENGTH"

/* The geometry of one shape. */
typedef struct facet_j3d_geometry {
    const facet_j3d *document;
    facet_j3d_vertex_layout layout;
    uint32_t vertex_count;
    const uint8_t *records; /* owned by the decoder, valid until its next shape */
    uint32_t record_size;   /* bytes from one record to the next */
    uint32_t skipped;       /* bytes at the start of a vertex that are not in its record */
    uint32_t draw_offset;   /* offset of the draw matrix in a record: 32 bits in host order */

    uint32_t triangle_count;
    uint32_t *corners; /* three vertices per triangle, counter-clockwise seen from the front; owned
                          by the decoder */
    uint32_t line_count;
    uint32_t *lines;      /* two vertices per line; owned by the decoder */
    uint64_t points;      /* number of point vertices, which are dropped */
    uint64_t degenerate;  /* number of dropped triangles with equal vertices */
    uint64_t left_over;   /* number of vertices of incomplete primitives */
    uint64_t drawn;       /* number of vertices in display lists */
    uint32_t draw_matrix; /* draw matrix of all vertices; FACET_J3D_NONE if they differ */
} facet_j3d_geometry;

/* Scratch memory for decoding one shape after another. Set the first two members and zero the
 * rest. */
typedef struct facet_j3d_decoder {
    const facet_j3d *document;
    facet_arena *arena;

    uint32_t *heads; /* newest vertex of each position; numbers continue over shapes */
    uint32_t head_count;
    uint32_t base; /* number of the shape's first vertex */
    uint8_t *records;
    size_t record_capacity; /* in bytes */
    uint32_t *ids;          /* vertex numbers of one primitive */
    size_t id_capacity;
    uint32_t *corners, *lines;
    size_t corner_capacity, line_capacity;
    facet_table table; /* vertices, if too many share a position; empty between shapes */
} facet_j3d_decoder;

/* Decode a shape of a document that was read. Linear in its display lists. A shape without
 * positions draws nothing. */
facet_status facet_j3d_decode_shape(facet_j3d_decoder *decoder, uint32_t shape,
                                    facet_j3d_geometry *geometry, facet_error *error);
/* Free the scratch memory. */
void facet_j3d_decoder_free(facet_j3d_decoder *decoder);

/* -- Streams (geometry_streams.c) --------------------------------------- */

/* True if the vertices have an attribute and the document has its array. The attribute of normals
 * is FACET_J3D_NORMAL for every storage form. */
bool facet_j3d_geometry_has(const facet_j3d_geometry *geometry, uint32_t attribute);
/* True if normals are stored with binormals and tangents. */
bool facet_j3d_geometry_has_tangents(const facet_j3d_geometry *geometry);

/* The draw matrix of a vertex. */
static inline uint16_t facet_j3d_geometry_draw_matrix(const facet_j3d_geometry *geometry,
                                                      uint32_t vertex)
{
    uint32_t draw;
    memcpy(&draw,
           geometry->records + (size_t)vertex * geometry->record_size + geometry->draw_offset,
           sizeof draw);
    return (uint16_t)draw;
}

/* Each function writes one element per vertex to `out`. The attribute must exist. */
/* Three floats per vertex, as stored: in the space of the draw matrix. */
void facet_j3d_geometry_positions(const facet_j3d_geometry *geometry, float *out);
/* Three floats of unit length. Returns the number of normals without direction, which stay zero. */
uint32_t facet_j3d_geometry_normals(const facet_j3d_geometry *geometry, float *out);
/* The length of each normal as the chip decodes it, one float; 0 without direction. Lights
 * normalize normals, texture coordinates do not. False if all lengths are within 1 / 64 of 1, the
 * error of 8 bits. `out` can be NULL. */
bool facet_j3d_geometry_normal_lengths(const facet_j3d_geometry *geometry, float *out);
/* Four floats: unit tangent along s, and the handedness. `normals` is the output of
 * facet_j3d_geometry_normals. */
void facet_j3d_geometry_tangents(const facet_j3d_geometry *geometry, const float *normals,
                                 float *out);
/* Two floats. `matrix` is NULL or a row-major 2x4 matrix, applied to (s, t, 1, 1). */
void facet_j3d_geometry_texcoords(const facet_j3d_geometry *geometry, uint32_t texcoord,
                                  const float *matrix, float *out);
/* The number of the texture matrix of each vertex. False, with nothing written, if vertices choose
 * none. The same if they also choose position matrices: exporters then write the same numbers, and
 * the matrices that runtimes load there are unknown. `out` can be NULL. */
bool facet_j3d_geometry_texture_matrices(const facet_j3d_geometry *geometry, uint32_t texcoord,
                                         uint8_t *out);
/* Red, green, blue, alpha with 8 bits each. */
void facet_j3d_geometry_colors(const facet_j3d_geometry *geometry, uint32_t color, uint8_t *out);

#endif
