/* formats/j3d/patch/compare.h - shapes of the original, with vertices found by position, and their
 * comparison with the scene. */
#ifndef FACET_J3D_PATCH_COMPARE_H
#define FACET_J3D_PATCH_COMPARE_H

#include "base/table.h"
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/patch/like.h"

/* A decoded shape of the original. Positions are those at rest. Vertices at one position form a
 * group, identified by its first vertex. */
struct facet_j3d_known_shape {
    uint32_t vertex_count;
    float *places;                 /* three per vertex */
    float *normals;                /* three per vertex; NULL: missing */
    uint8_t *colors[2], *shown[2]; /* as stored, and as the scene shows them; NULL: missing */
    uint64_t *colorings[2];        /* each stored color << 32 | its shown color, sorted */
    uint32_t coloring_count[2];
    float *texcoords[8];                       /* two per vertex; NULL: missing */
    uint16_t *draws;                           /* draw matrix of each vertex */
    uint16_t *elements[FACET_J3D_ARRAY_COUNT]; /* index into each array; NULL: unused */
    uint32_t arrays;                           /* bit i: elements[i] is used */
    uint8_t texture_matrices;
    bool has_three_normals; /* normal, binormal and tangent have separate indices */
    uint32_t *group, *next; /* group of each vertex, and the next vertex in it or FACET_NONE */
    bool *is_flat;          /* per group: a triangle without area has a corner there */
    uint32_t *corners, triangle_count;
    uint32_t seen_count;                        /* number of triangles with an area */
    uint32_t *cells, *next_in_cell, cell_count; /* first groups of cells, + 1, by hash */
};

/* Decode all shapes, and compute the size of the model. */
facet_status facet_j3d_like_decode(facet_j3d_builder *b);
/* Set `colorings` of all shapes, after that (recolor.c). */
facet_status facet_j3d_like_decode_colors(const facet_j3d_builder *b);
/* Transform a normal by a matrix with these cofactors, and normalize it. */
void facet_j3d_like_turn_normal(const double m[12], const double c[9], const float in[3],
                                float out[3]);
/* The group of a shape at a position; FACET_NONE if missing. */
uint32_t facet_j3d_like_group(const facet_j3d_like *like, uint32_t shape, const double place[3]);

/* A vertex of the scene for a comparison. */
typedef struct facet_j3d_scene_vertex {
    double place[3];
    const float *normal;       /* NULL: missing */
    const uint8_t *colors[2];  /* NULL: missing */
    bool is_stored[2];         /* as stored instead of as shown */
    const float *texcoords[8]; /* NULL: missing */
    uint32_t blend;            /* its blend in the original, or FACET_NONE */
    bool is_unweighted;        /* the scene has no weights: any blend is equal */
} facet_j3d_scene_vertex;

/* True if a known vertex equals one of the scene, in the properties that the scene has. */
bool facet_j3d_like_same_normal(const float *known, const float *seen);
/* Find the triangles without area of a shape, for the next. */
facet_status facet_j3d_like_find_flat(const facet_j3d_builder *b, facet_j3d_known_shape *known);
/* True if vertex v of a shape is a corner of a triangle without area, or next to one. Blender
 * spoils normals there: they are compared by everything else. */
bool facet_j3d_like_is_flat(const facet_j3d_known_shape *known, uint32_t v);
/* True if two components of colors are equal. */
bool facet_j3d_like_same_byte(uint8_t known, uint8_t seen);
bool facet_j3d_like_same_color(const uint8_t *known, const uint8_t *seen);
bool facet_j3d_like_same_texcoord(const float *known, const float *seen);

/* True if the triangles (three `vertices` each) are those of a shape, in any order. Normals next to
 * triangles without area may differ. */
facet_status facet_j3d_like_same_shape(const facet_j3d_builder *b, uint32_t shape,
                                       const uint32_t *triangles, uint32_t count,
                                       const facet_j3d_scene_vertex *vertices,
                                       uint32_t vertex_count, bool *same);

#endif
