/* mesh/cluster/cluster.h - reduce a mesh while it is read, for files that are larger than memory.
 *
 * Space is divided into equal cubes, the cells. All vertices of a cell become one vertex, and
 * triangles with corners in three cells remain. A cell stores only sums, so the memory depends on
 * the number of cells. The cells begin very small; whenever there are more than the limit, eight
 * neighbors are joined into one, and their sums are added.
 *
 * Method: Lindstrom, "Out-of-core simplification of large polygonal models" (SIGGRAPH 2000), which
 * places each vertex by the quadrics of its triangles. Borders follow Lindstrom and Silva, "A
 * memory insensitive technique for large model simplification" (IEEE Visualization 2001). A cell
 * adds the edges of its triangles. An inner edge is in two triangles, in opposite directions, so
 * only open edges remain in the sum. */
#ifndef FACET_MESH_CLUSTER_CLUSTER_H
#define FACET_MESH_CLUSTER_CLUSTER_H

#include "base/table.h"

#include <facet/scene.h>

/* Sums over the vertices and triangles of a cell. Positions are relative to the origin of the grid.
 * Triangles are weighted by their area. */
typedef struct facet_cell {
    double squares[6];    /* of normals: xx, xy, xz, yy, yz, zz */
    double linear[3];     /* normals times the distance of their plane from the origin */
    double positions[3];  /* of the vertices */
    double directions[3]; /* of edges, each as in its triangle */
    double moments[3];    /* cross products of a point of an edge with its direction */
    double colors[4];     /* of the vertices, linear */
    uint64_t count;       /* of vertices */
} facet_cell;

typedef struct facet_clusters {
    facet_arena *arena;
    uint32_t limit; /* of cells, when all is added */
    facet_error *error;

    double origin[3];
    double size; /* edge length of a cell; 0 before the first vertex */

    facet_table table; /* the cell with a key */
    uint64_t *keys;    /* per cell: its three coordinates */
    facet_cell *cells;
    uint32_t cell_count, cell_space, key_space;

    float (*points)[3]; /* per vertex that triangles can name */
    uint32_t *cell_of;
    uint32_t vertex_count, vertex_space;
    bool has_colors;
    uint32_t color_components; /* 3, or 4 if a vertex had an alpha */

    uint32_t (*triangles)[3]; /* cells */
    uint32_t *materials;      /* per triangle, or FACET_NONE */
    bool has_materials;       /* one is not FACET_NONE */
    uint32_t triangle_count, triangle_space, material_space;
    uint64_t triangle_limit; /* with so many, repeated ones are dropped */
    uint64_t triangles_read;
} facet_clusters;

#define FACET_LEAST_CLUSTERS 64

/* Begin without cells. `limit` is at least FACET_LEAST_CLUSTERS. All memory comes from `arena`. */
facet_clusters facet_clusters_make(facet_arena *arena, uint32_t limit, facet_error *error);

/* Make space for `count` vertices in total. Space also grows automatically, which takes memory for
 * a copy. */
facet_status facet_clusters_reserve(facet_clusters *c, uint32_t count);
/* Add vertices behind those that were added before. `colors` are linear, `components` per vertex (3
 * or 4); NULL: none. If others have colors, such a vertex is white. Positions that are not finite
 * are FACET_ERROR_MALFORMED (SCENE-NONFINITE). */
facet_status facet_clusters_add_vertices(facet_clusters *c, const float (*points)[3],
                                         const float *colors, uint32_t components, uint32_t count);
/* Add the triangle of three vertices; their numbers are below vertex_count. */
facet_status facet_clusters_add_triangle(facet_clusters *c, const uint32_t vertices[3],
                                         uint32_t material);
/* The next vertex has the number 0: no later triangle uses those before. */
void facet_clusters_forget_vertices(facet_clusters *c);

/* Join cells until the limit is met, after all is added. */
facet_status facet_clusters_finish(facet_clusters *c);
/* Least corner of a cell, relative to the origin. */
void facet_cluster_corner(const facet_clusters *c, uint32_t cell, double low[3]);
/* Finish, and fill an empty mesh with the triangles, and the vertices that they use (place.c). */
facet_status facet_clusters_to_mesh(facet_clusters *c, facet_mesh *mesh);
/* Add a mesh with the result to a scene, and report how much was clustered. Without triangles, no
 * mesh is added. */
facet_status facet_clusters_add_to_scene(facet_clusters *c, facet_scene *scene,
                                         const facet_options *options);

#endif
