/* facet/mesh.h - the passes: each brings a mesh one step nearer to what a GPU
 * or a format wants.
 *
 * A pass works on one mesh in place, takes what it needs from the mesh's arena
 * and gives back what it replaced. It does nothing, quickly, when there is
 * nothing to do, and says so: *changed becomes false when the mesh is as it was
 * to the last bit, and true when anything in it was moved, replaced, added or
 * dropped. `changed` may be NULL. Passes know nothing of each other;
 * facet_prepare (facet/convert.h) runs those that a format needs, in this order,
 * of which weld_distance, facing, split and sort are its own:
 *
 *   triangulate  weld_distance  normals  facing  index  tangents  split  weld  sort  optimize
 *   bounds
 *
 * which are the seven steps that the BSM rationale asks of an importer.
 * On failure the mesh may hold fewer streams than before, but it is whole, and
 * *changed is as it was.
 *
 * Stability: stable.
 */
#ifndef FACET_MESH_H
#define FACET_MESH_H

#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* -- triangulate -------------------------------------------------------- */

/* Cut every polygon into triangles: n - 2 of them for n corners, quads along
 * their first diagonal (the second where the first one lies outside), convex
 * polygons as a fan from the first corner, concave ones by ear clipping. The
 * polygon is looked at along the axis on which its Newell normal is longest,
 * where signs of areas are exact: a simple polygon is covered exactly, without
 * overlap or empty triangle. Polygons that cross themselves get triangles all
 * the same, and a warning MESH-FACE-CROSSING; without area they become a fan.
 * Corners keep their indices in every stream; winding, materials, smoothing
 * groups and parts carry over. Faces of fewer than three corners are dropped
 * with a warning MESH-FACE-SMALL. A 65,535-gon takes well under a second. */
FACET_API facet_status facet_mesh_triangulate(facet_mesh *mesh, const facet_options *options,
                                              bool *changed, facet_error *error);

/* -- normals ------------------------------------------------------------ */

typedef struct facet_normals_options {
    uint32_t struct_size; /* sizeof(facet_normals_options), or 0: that of release 0.2 */
    bool replace;         /* compute all, also where the source has normals */
    float crease_degrees; /* when there are no smoothing groups: faces whose normals differ by
                             more are not smoothed across; 180: all smooth; 0: 40, and flat
                             where all groups are 0, as in a glTF without normals */
    bool flat;            /* one normal per face */
} facet_normals_options;

/* Give every corner a unit normal. Normals that are there are kept, to the bit
 * when their length is within 0.001 of 1; others are scaled (a note
 * MESH-NORMAL-LENGTH), those without a direction count as missing (a note
 * MESH-NORMAL-ZERO). Corners without one get the sum over the faces around the
 * vertex, reached across smooth edges, of unit face normal times corner angle.
 * An edge is smooth when it has exactly two faces, which run along it in
 * opposite directions, and both have the same smoothing group and that is not
 * 0; without groups, or where all are 0, by the crease angle. Positions of equal value count as one
 * vertex. Where nothing has an area the normal is that of another face at the
 * vertex, at last 0 0 1. Works on polygons and triangles. The stream
 * FACET_NORMAL exists afterwards, with an index of its own. normals may be
 * NULL; a crease angle below 0 is FACET_ERROR_ARGUMENT. Expected linear time. */
FACET_API facet_status facet_mesh_normals(facet_mesh *mesh, const facet_normals_options *normals,
                                          const facet_options *options, bool *changed,
                                          facet_error *error);

/* -- index -------------------------------------------------------------- */

/* Make all streams share one index: corners with equal index tuples become one
 * vertex, numbered by first use; elements that no corner uses are dropped.
 * Elements are told apart by index, not by value, so nothing merges that the
 * source kept apart. Corners without an element (FACET_NONE) get zeros (color:
 * ones) and a warning MESH-STREAM-HOLES names the stream. A mesh that is indexed
 * and has no unused element is left as it is. Lines follow their positions;
 * those to a position without a corner are dropped from a mesh that was not
 * indexed before (MESH-LINES-DROPPED). Linear in the corners; needs
 * little memory beyond the new streams, of which one at a time lives beside the
 * one it replaces. */
FACET_API facet_status facet_mesh_index(facet_mesh *mesh, const facet_options *options,
                                        bool *changed, facet_error *error);

/* -- tangents ----------------------------------------------------------- */

/* Give every corner of a triangle mesh a tangent: MikkTSpace's results, corner
 * for corner. Needs positions, normals and texcoord 0; without texture
 * coordinates every tangent is some unit vector orthogonal to the normal, and a
 * note MESH-TANGENT-NO-UV says so. The stream FACET_TANGENT has an index of
 * its own afterwards: corners that share a vertex may differ in tangent, where
 * texture space changes hand; where none do, it is the index of the vertices.
 * A tangent stream that is there is kept. w says where v increases: whoever
 * flips v later negates w.
 * Two things differ from MikkTSpace. Where texture space tells nothing (it has
 * no area, or directions cancel), and where the normal is not of unit length,
 * the tangent is a unit vector orthogonal to the normal all the same. And the
 * angular threshold does not cut groups of more than 1,024 corners at one
 * vertex. Linear in the corners, of which there may be 2^31 - 1
 * (FACET_ERROR_LIMIT).
 * Algorithm: M. S. Mikkelsen, "Simulation of Wrinkled Surfaces Revisited",
 * 2008, appendix; default angular threshold of 180 degrees. */
FACET_API facet_status facet_mesh_tangents(facet_mesh *mesh, const facet_options *options,
                                           bool *changed, facet_error *error);

/* -- weld --------------------------------------------------------------- */

/* Make one vertex of those that are equal in every stream, bit for bit, but that -0
 * equals 0; the first of them stays, and lines follow it. facet_mesh_index tells elements
 * apart by index and this by value: afterwards no two vertices of the mesh are equal. A
 * mesh without corners (points) is left as it is; one of several indices is
 * FACET_ERROR_ARGUMENT. Expected linear in the vertices. */
FACET_API facet_status facet_mesh_weld(facet_mesh *mesh, const facet_options *options,
                                       bool *changed, facet_error *error);

/* -- optimize ----------------------------------------------------------- */

/* Order triangles and vertices of a GPU-ready mesh (others are
 * FACET_ERROR_ARGUMENT) for the GPU, within each run of faces of one material
 * and one part: vertex cache (FIFO of 16), then overdraw (at most 5 % of cache
 * efficiency given up), then vertices by first use. Unused vertices are
 * dropped; smoothing groups too, with a note MESH-SMOOTHING-DROPPED. By
 * meshoptimizer, whose working memory (at most 14 bytes a corner and 16 a
 * vertex) comes from operator new; it is measured against the arena's limit
 * beforehand. */
FACET_API facet_status facet_mesh_optimize(facet_mesh *mesh, const facet_options *options,
                                           bool *changed, facet_error *error);

/* -- bounds ------------------------------------------------------------- */

typedef struct facet_bounds {
    float minimum[3], maximum[3]; /* exact */
    float center[3], radius;      /* smallest enclosing sphere; radius rounded up so that
                                     every point is inside */
} facet_bounds;

/* Box and smallest enclosing sphere of `count` points of three floats, `stride`
 * bytes apart (0: 12). All zero for no points; points that are not finite are
 * FACET_ERROR_ARGUMENT. Of options, which may be NULL, the threads are used. Expected
 * linear time.
 * Algorithm: E. Welzl, "Smallest enclosing disks (balls and ellipsoids)", 1991,
 * with the pivoting of B. Gaertner, "Fast and robust smallest enclosing balls", 1999. */
FACET_API facet_status facet_bounds_compute(const float *points, size_t count, size_t stride,
                                            const facet_options *options, facet_bounds *bounds,
                                            facet_error *error);

/* -- hulls -------------------------------------------------------------- */

typedef struct facet_hulls_options {
    uint32_t struct_size;  /* sizeof(facet_hulls_options), or 0: that of release 0.2 */
    uint32_t max_hulls;    /* 1 to 256; 0: 16 */
    uint32_t max_vertices; /* corners of a hull at most, 8 to 65,536; 0: 64 */
    uint32_t resolution;   /* voxels along the longest side, 8 to 256; 0: 64. They find the inside
                              of closed surfaces; the hulls do not grow by them */
    float tolerance;       /* volume that may be added to do with one hull fewer, as a share of
                              the least volume that was found; 0: 0.0005 */
} facet_hulls_options;

/* What facet_mesh_hulls made. */
typedef struct facet_hulls_summary {
    uint32_t hulls;  /* added to the scene */
    double volume;   /* of all of them, summed: what overlaps counts twice */
    double distance; /* of the vertex that lies farthest outside of all hulls, as a share of
                        the diagonal of the mesh's bounding box; at most 0.01 */
} facet_hulls_summary;

/* Enclose a triangle mesh in convex hulls and add them to scene->hulls, points
 * sorted by x, y, z. Any triangle soup will do: open, non-manifold, several
 * bodies. Where the surface encloses space, the hulls fill that too.
 *  - Every vertex that a triangle uses lies in a hull, or at most 0.01 of the
 *    diagonal outside of one.
 *  - Every point of a hull is a corner of it, and every hull has volume: what
 *    is flat becomes a plate of 0.001 of the diagonal (note HULLS-FLAT).
 *  - With max_hulls 1, the hull is the convex hull; with more, as few hulls are
 *    used as the tolerance allows.
 * A mesh without triangles, or whose vertices coincide, gets none, and a
 * warning HULLS-NONE says so. The mesh stays as it is. Faces that are not
 * triangles, and options out of range, are FACET_ERROR_ARGUMENT; so are
 * positions that are not finite (rule HULLS-FINITE). hulls and summary may be
 * NULL. The result does not depend on the number of threads.
 * Method: cut by planes that leave least hull volume, into more parts than
 * wanted; then merge the pairs that add least. docs/how-to/collision.md tells more. */
FACET_API facet_status facet_mesh_hulls(const facet_mesh *mesh, const facet_hulls_options *hulls,
                                        const facet_options *options, facet_scene *scene,
                                        facet_hulls_summary *summary, facet_error *error);

/* -- simplify, reduce, occluder ------------------------------------------ */

typedef struct facet_simplify_options {
    uint32_t struct_size; /* sizeof(facet_simplify_options), or 0: that of release 0.2 */
    float ratio;     /* triangles to keep, as a share; 0: 0.02, above 1: 1. At least 4 are kept */
    float max_error; /* how far the surface may move, as a share of the longest side of its box;
                        0: 0.1 */
} facet_simplify_options;

typedef struct facet_reduce_options {
    uint32_t struct_size;   /* sizeof(facet_reduce_options), or 0: that of release 0.3 */
    float ratio;            /* reduce to this share of the triangles; 0: no share is asked for */
    uint32_t max_triangles; /* and to so many triangles; 0: any number */
    uint32_t max_vertices;  /* and to so many vertices; 0: any number */
    float max_error;        /* how far the surface may move, as a share of the diagonal of its box;
                               0: as far as it must */
} facet_reduce_options;

/* What facet_mesh_reduce left. */
typedef struct facet_reduce_summary {
    uint32_t triangles, vertices;
    double error; /* about how far the surface moved, in the mesh's unit: the root mean square
                     distance from the planes of the triangles that a vertex stands for, of the
                     vertex that has the largest */
} facet_reduce_summary;

/* Reduce a GPU-ready mesh of triangles (others are FACET_ERROR_ARGUMENT) in place, by
 * collapsing edges: each vertex of the result is one of the mesh's with all its
 * attributes, and faces keep their order, materials and parts. The error of normals,
 * texture coordinates and colors of set 0 counts beside that of the surface. Borders
 * move along themselves alone, and so do seams, where an attribute, the material or
 * the part changes; places where several of them meet, and edges of more than two
 * triangles, stay. No triangle turns over. So more may be left than was asked for, and
 * a note REDUCE-LEFT says so when it is a tenth. The result is to be optimized again.
 * reduce is needed; summary may be NULL. Linear in the triangles, times the number of
 * passes over them: a dozen, and at most 200.
 * Algorithms: M. Garland, P. Heckbert, "Surface Simplification Using Quadric Error
 * Metrics", 1997; H. Hoppe, "New Quadric Metric for Simplifying Meshes with Appearance
 * Attributes", 1999. */
FACET_API facet_status facet_mesh_reduce(facet_mesh *mesh, const facet_reduce_options *reduce,
                                         const facet_options *options, bool *changed,
                                         facet_reduce_summary *summary, facet_error *error);

/* How an occluder fits the mesh that it stands for. */
typedef struct facet_occluder_fit {
    uint32_t triangles;
    double outside; /* share of the occluder's area that sticks out of the mesh by more than
                       the tolerance; 0 is what an occluder is to have */
    double depth;   /* how far it does at most, as a share of the diagonal of the mesh's box;
                       measured on samples, and 0 when it does nowhere */
} facet_occluder_fit;

typedef struct facet_occluder_options {
    uint32_t struct_size; /* sizeof(facet_occluder_options), or 0: that of release 0.2 */
    const facet_simplify_options *simplify; /* NULL: their defaults */
    float tolerance; /* what may stick out, as a share of the diagonal; 0: 0.001 */
} facet_occluder_options;

/* Make scene->occluder from a triangle mesh: simplified, then pulled inwards
 * until what it covers is behind the mesh's surface, so that it never hides
 * what is visible. Triangles that cannot be pulled in are dropped with a note
 * OCCLUDER-CUT; when none is left the scene gets no occluder, and a warning
 * OCCLUDER-NONE says so. occluder and fit may be NULL. The result does not depend
 * on the number of threads. */
FACET_API facet_status facet_mesh_occluder(const facet_mesh *mesh,
                                           const facet_occluder_options *occluder,
                                           const facet_options *options, facet_scene *scene,
                                           facet_occluder_fit *fit, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
