/* formats/j3d/patch/elements.h - elements of the vertices of shapes that changed. */
#ifndef FACET_J3D_PATCH_ELEMENTS_H
#define FACET_J3D_PATCH_ELEMENTS_H

#include "base/report.h"
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/patch/arrays.h"
#include "formats/j3d/patch/compare.h"
#include "formats/j3d/patch/display_lists.h"
#include "formats/j3d/patch/draws.h"

/* All triangles of one shape, with separate vertices. */
typedef struct facet_j3d_gathered {
    uint32_t shape; /* of the original, or FACET_NONE */
    uint32_t arrays;
    bool is_unweighted; /* the shape has weights, and the scene has none */
    uint32_t *triangles, triangle_count;
    uint32_t *vertices, vertex_count; /* of the builder */
    facet_j3d_scene_vertex *seen;
    float *normals, *texcoords;
    uint8_t *colors;
} facet_j3d_gathered;

typedef struct facet_j3d_merging {
    facet_j3d_builder *builder;
    facet_j3d_skeleton skeleton; /* of the builder's document */
    facet_j3d_arrays arrays;
    facet_j3d_draws draws;
    uint32_t *next_plan, *first_plan; /* plans of each shape, + 1 */
    uint32_t kept, changed, added, hidden;
    uint64_t kept_normals;     /* number of spoiled normals, next to triangles without area */
    facet_tally bare;          /* shapes whose faces have no material in the scene */
    facet_tally stiff;         /* redrawn shapes whose vertices no longer have different weights */
    bool lacks_weights;        /* the scene has no skinned mesh */
    facet_tally unweighted;    /* skinned shapes that keep their weights because of that */
    uint64_t lent_weights;     /* number of their vertices with the weights of a neighbor */
    facet_tally lacking[3];    /* shapes that keep normals, colors, texture coordinates: the scene
                                  has none */
    uint32_t scene_arrays;     /* bit i: a mesh of the scene has data for array i */
    uint32_t lost_arrays;      /* likewise for data that only some meshes lack */
    bool mixed_colors;         /* the colors of the scene are unusable */
    facet_tally three_indices; /* shapes that lose normals with three indices each */
    uint64_t kept_tangents;    /* number of changed normals that have tangents in the original */
    uint64_t kept_colors;      /* number of colors that the material cannot show as they are */
    uint8_t *shown_as_stored;  /* per shape, bit k: the scene shows the red, green and blue of color
                                  k as stored; bit k + 2: its alpha */
    /* the redrawn shapes */
    facet_j3d_redrawn redrawn;
} facet_j3d_merging;

/* Find the elements of a shape's vertices: those of the original where they are equal, else new
 * ones. Fills in *made. */
facet_status facet_j3d_resolve_elements(facet_j3d_merging *m, const facet_j3d_gathered *g,
                                        uint32_t arrays, facet_j3d_redrawn_shape *made);
/* Count the spoiled normals of a shape that is otherwise equal. */
facet_status facet_j3d_count_kept_normals(facet_j3d_merging *m, const facet_j3d_gathered *g);

#endif
