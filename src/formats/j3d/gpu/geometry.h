/* formats/j3d/gpu/geometry.h - display lists to triangles over unique vertices, and those
 * vertices to streams.
 *
 * Two vertices of a shape are one when all their indices and their draw matrix
 * are equal. Each becomes a record: its bytes of the display list without matrix
 * indices, then zeros, and its draw matrix. Streams are decoded from
 * records and vertex arrays straight to where they stay. */
#ifndef FACET_J3D_GPU_GEOMETRY_H
#define FACET_J3D_GPU_GEOMETRY_H

#include "base/table.h"
#include "formats/j3d/file/display_list.h"

/* The custom stream of a mesh with what facet_j3d_geometry_normal_lengths tells. */
#define FACET_J3D_NORMAL_LENGTH "J3D_NORMAL_LENGTH"

/* What a shape draws. */
typedef struct facet_j3d_geometry {
    const facet_j3d *document;
    facet_j3d_vertex_layout layout;
    uint32_t vertex_count;
    const uint8_t *records; /* belong to the decoder, valid until its next shape */
    uint32_t record_size;   /* bytes from one record to the next */
    uint32_t skipped;       /* bytes at the head of a vertex that its record is without */
    uint32_t draw_offset;   /* of the draw matrix in a record: 32 bits in host order */

    uint32_t triangle_count;
    uint32_t *corners; /* three vertices each, counter-clockwise when seen from the front;
                          belongs to the decoder */
    uint32_t line_count;
    uint32_t *lines;      /* two vertices each; belongs to the decoder */
    uint64_t points;      /* vertices drawn as points, which are dropped */
    uint64_t degenerate;  /* triangles dropped, as two of their vertices are one */
    uint64_t left_over;   /* vertices that are too few for a primitive */
    uint64_t drawn;       /* vertices in display lists */
    uint32_t draw_matrix; /* of all vertices, or FACET_J3D_NONE: they differ */
} facet_j3d_geometry;

/* Scratch memory that serves one shape after another. All zero but for the
 * first two members to begin with. */
typedef struct facet_j3d_decoder {
    const facet_j3d *document;
    facet_arena *arena;

    uint32_t *heads; /* newest vertex of each position, counted on from shape to shape */
    uint32_t head_count;
    uint32_t base; /* number of the shape's first vertex */
    uint8_t *records;
    size_t record_capacity; /* bytes */
    uint32_t *ids;          /* vertices of one primitive */
    size_t id_capacity;
    uint32_t *corners, *lines;
    size_t corner_capacity, line_capacity;
    facet_table table; /* vertices, where too many share a position; empty between shapes */
} facet_j3d_decoder;

/* Decode a shape of a document that was read. Linear in its display lists. A
 * shape without positions draws nothing. */
facet_status facet_j3d_decode_shape(facet_j3d_decoder *decoder, uint32_t shape,
                                    facet_j3d_geometry *geometry, facet_error *error);
/* Give the scratch memory back. */
void facet_j3d_decoder_free(facet_j3d_decoder *decoder);

/* -- Streams: geometry_streams.c ---------------------------------------- */

/* True when vertices have an attribute, and the document its array. Normals are
 * FACET_J3D_NORMAL however they are stored. */
bool facet_j3d_geometry_has(const facet_j3d_geometry *geometry, uint32_t attribute);
/* True when normals come with binormals and tangents. */
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

/* Each writes an element per vertex to `out`; the attribute is there. */
/* Three floats, as stored: in the space of the draw matrix. */
void facet_j3d_geometry_positions(const facet_j3d_geometry *geometry, float *out);
/* Three floats of unit length; returns how many have no direction and stay zero. */
uint32_t facet_j3d_geometry_normals(const facet_j3d_geometry *geometry, float *out);
/* How long normals are as the chip decodes them, one float each; 0 where they have no direction.
 * Lights make them of unit length, texture coordinates do not. False when none is off by more than
 * 8 bits round: 1 / 64. `out` may be NULL. */
bool facet_j3d_geometry_normal_lengths(const facet_j3d_geometry *geometry, float *out);
/* Four floats: unit tangent along s, and which hand. `normals` are what
 * facet_j3d_geometry_normals made. */
void facet_j3d_geometry_tangents(const facet_j3d_geometry *geometry, const float *normals,
                                 float *out);
/* Two floats. matrix, when not NULL, is a row-major 2x4 to turn (s, t, 1, 1) by. */
void facet_j3d_geometry_texcoords(const facet_j3d_geometry *geometry, uint32_t texcoord,
                                  const float *matrix, float *out);
/* The number of the texture matrix that each vertex chooses. False, and nothing is written, when
 * they choose none; also when they choose position matrices as well: the numbers that exporters
 * write then go with those, and what runtimes load there is not known. `out` may be NULL. */
bool facet_j3d_geometry_texture_matrices(const facet_j3d_geometry *geometry, uint32_t texcoord,
                                         uint8_t *out);
/* Red, green, blue, alpha of 8 bits. */
void facet_j3d_geometry_colors(const facet_j3d_geometry *geometry, uint32_t color, uint8_t *out);

#endif
