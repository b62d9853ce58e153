/* formats/j3d/patch/compare.h - the shapes of the original as vertices that are found by where
 * they are seen, and what of the scene is one of them. */
#ifndef FACET_J3D_LIKE_COMPARE_H
#define FACET_J3D_LIKE_COMPARE_H

#include "base/table.h"
#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/patch/like.h"

/* One shape of the original, decoded. Places are those of the model at rest. Vertices
 * at one place are a group, named by its first. */
struct facet_j3d_known_shape {
    uint32_t vertex_count;
    float *places;                 /* three each */
    float *normals;                /* three each; NULL: none */
    uint8_t *colors[2], *shown[2]; /* as stored, and as the scene shows them; NULL: none */
    float *texcoords[8];           /* two each; NULL: none */
    uint16_t *draws;               /* draw matrix of each */
    uint16_t *elements[FACET_J3D_ARRAY_COUNT]; /* index into each array; NULL: not drawn with it */
    uint32_t arrays;                           /* bit i: elements[i] */
    uint8_t texture_matrices;
    bool has_three_normals; /* normal, binormal and tangent have an index each */
    uint32_t *group, *next; /* its group; the next in it, or FACET_NONE */
    uint32_t *corners, triangle_count;
    uint32_t seen_count;                        /* triangles that have an area */
    uint32_t *cells, *next_in_cell, cell_count; /* first groups of cells, + 1, by hash */
};

/* Decode all shapes, and find what lengths are measured by. */
facet_status facet_j3d_like_know(facet_j3d_builder *b);
/* Turn a normal by a matrix with these cofactors, to unit length. */
void facet_j3d_like_turn_normal(const double m[12], const double c[9], const float in[3],
                                float out[3]);
/* The group of a shape that stands where a point is; FACET_NONE: none does. */
uint32_t facet_j3d_like_group(const facet_j3d_like *like, uint32_t shape, const double place[3]);

/* A vertex of the scene as it is compared. */
typedef struct facet_j3d_seen_vertex {
    double place[3];
    const float *normal;       /* NULL: none */
    const uint8_t *colors[2];  /* NULL: none */
    bool is_stored[2];         /* they are as stored, not as shown */
    const float *texcoords[8]; /* NULL: none */
    uint32_t blend;            /* its blend of joints as the original counts, or FACET_NONE */
} facet_j3d_seen_vertex;

/* True when a known vertex is the same as one of the scene, in what that has. */
bool facet_j3d_like_same_normal(const float *known, const float *seen);
bool facet_j3d_like_same_color(const uint8_t *known, const uint8_t *seen);
bool facet_j3d_like_same_texcoord(const float *known, const float *seen);

/* True when triangles (three of `vertices` each) are those of a shape, in any order. */
facet_status facet_j3d_like_same_shape(const facet_j3d_builder *b, uint32_t shape,
                                       const uint32_t *triangles, uint32_t count,
                                       const facet_j3d_seen_vertex *vertices, uint32_t vertex_count,
                                       bool *same);

#endif
