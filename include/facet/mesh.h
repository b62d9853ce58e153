/* facet/mesh.h - the passes: each changes a mesh so that it meets one need of a GPU or a format.
 *
 * A pass works on one mesh in place. It allocates from the mesh's arena and frees what it replaced.
 * If there is nothing to do, it returns quickly. Afterwards *changed is false if the mesh is bit
 * for bit the same, and true if anything was moved, replaced, added or dropped. `changed` may be
 * NULL. Passes do not depend on each other. facet_prepare (facet/convert.h) runs those that a
 * format needs, in this order:
 *
 * triangulate weld_distance normals facing index tangents split weld sort optimize bounds
 *
 * These are the seven steps that the BSM rationale asks of an importer, and four that only
 * facet_prepare has: weld_distance, facing, split and sort. On failure the mesh may have fewer
 * streams than before, but it is valid, and *changed is unchanged.
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

/* Cut every polygon into triangles: n corners become n - 2 triangles. Quads are cut along their
 * first diagonal, or along the second if the first one is outside. Convex polygons become a fan
 * from the first corner; concave ones are cut by ear clipping. The polygon is projected along the
 * longest axis of its Newell normal, where signs of areas are exact: a simple polygon is covered
 * exactly, without overlap or empty triangle. Polygons that cross themselves are cut as well, with
 * a warning MESH-FACE-CROSSING; polygons without area become a fan. Corners keep their indices in
 * every stream; winding, materials, smoothing groups and parts are kept. Faces of fewer than three
 * corners are dropped with a warning MESH-FACE-SMALL. A 65,535-gon takes well under a second. */
FACET_API facet_status facet_mesh_triangulate(facet_mesh *mesh, const facet_options *options,
                                              bool *changed, facet_error *error);

/* -- normals ------------------------------------------------------------ */

typedef struct facet_normals_options {
    uint32_t struct_size; /* sizeof(facet_normals_options), or 0: that of release 0.2 */
    bool replace;         /* compute all normals, even if the source has some */
    float crease_degrees; /* crease angle, used without smoothing groups: faces whose normals
                             differ by more are not smoothed across. 180: all smooth; 0: 40, but
                             flat if all groups are 0, as in a glTF without normals */
    bool flat;            /* one normal per face */
} facet_normals_options;

/* Give every corner a unit normal. Existing normals are kept bit for bit if their length is 1
   within a tolerance of 0.001. Others are scaled (note MESH-NORMAL-LENGTH); those without a
   direction count as missing (note MESH-NORMAL-ZERO).

   A missing normal is the sum of unit face normal times corner angle, over the faces around the
   vertex that are connected by smooth edges. A smooth edge has exactly two faces, which use it in
   opposite directions. Both faces have the same smoothing group, which is not 0. Without groups, or
   if all are zero, the crease angle decides. Positions of equal value count as one vertex. If no
   face around a corner has an area, the normal of another face at the vertex is used, and finally 0
   0 1.

   Works on polygons and triangles. The stream FACET_NORMAL exists afterwards, with its own index.
   normals may be NULL; a crease angle below 0 is FACET_ERROR_ARGUMENT. Expected linear time.
 */
FACET_API facet_status facet_mesh_normals(facet_mesh *mesh, const facet_normals_options *normals,
                                          const facet_options *options, bool *changed,
                                          facet_error *error);

/* -- index -------------------------------------------------------------- */

/* Make all streams share one index. Corners with equal index tuples become one vertex, numbered by
 * first use; elements that no corner uses are dropped. Elements are compared by index, not by
 * value, so elements that the source keeps separate stay separate. Corners without an element
 * (FACET_NONE) get zeros (color: ones), and a warning MESH-STREAM-HOLES names the stream. A mesh
 * that is indexed and has no unused element is unchanged. Lines follow their positions. If the mesh
 * was not indexed before, lines to a position without a corner are dropped (MESH-LINES-DROPPED).
 * Linear in the corners. Streams are replaced one at a time, so little memory is needed beyond the
 * new streams. */
FACET_API facet_status facet_mesh_index(facet_mesh *mesh, const facet_options *options,
                                        bool *changed, facet_error *error);

/* -- tangents ----------------------------------------------------------- */

/* Give every corner of a triangle mesh a tangent, with MikkTSpace's result for each corner. Needs
 * positions, normals and texcoord 0. Without texture coordinates, every tangent is a unit vector
 * orthogonal to the normal (note MESH-TANGENT-NO-UV). Afterwards the stream FACET_TANGENT has its
 * own index: corners that share a vertex have different tangents where the handedness of texture
 * space changes. If none differ, it shares the index of the vertices. An existing tangent stream is
 * kept. w gives the direction in which v increases: if you flip v later, negate w.
 *
 * Two things differ from MikkTSpace:
 *  - The tangent is always a unit vector orthogonal to the normal. This includes texture space
 *    without a direction (no area, or directions that cancel) and normals that are not of unit
 *    length.
 *  - The angular threshold does not split groups of more than 1,024 corners at one vertex.
 *
 * Linear in the corners, of which there may be 2^31 - 1 (FACET_ERROR_LIMIT). Algorithm: M. S.
 * Mikkelsen, "Simulation of Wrinkled Surfaces Revisited", 2008, appendix; default angular threshold
 * of 180 degrees. */
FACET_API facet_status facet_mesh_tangents(facet_mesh *mesh, const facet_options *options,
                                           bool *changed, facet_error *error);

/* -- weld --------------------------------------------------------------- */

/* Merge vertices that are equal in every stream, bit for bit, except that -0 equals 0. The first of
 * them stays, and lines follow it. facet_mesh_index compares elements by index; this pass compares
 * them by value. Afterwards no two vertices of the mesh are equal. A mesh without corners (points)
 * is unchanged; a mesh with several indices is FACET_ERROR_ARGUMENT. Expected linear in the
 * vertices. */
FACET_API facet_status facet_mesh_weld(facet_mesh *mesh, const facet_options *options,
                                       bool *changed, facet_error *error);

/* -- optimize ----------------------------------------------------------- */

/* Order triangles and vertices of a GPU-ready mesh (others are FACET_ERROR_ARGUMENT) for the GPU,
 * within each run of faces of one material and one part. The order is optimized for the vertex
 * cache (FIFO of 16), then for overdraw (with a loss of cache efficiency of at most 5 %); vertices
 * are ordered by first use. Unused vertices are dropped, and also smoothing groups (note
 * MESH-SMOOTHING-DROPPED). Uses meshoptimizer, whose working memory (at most 14 bytes per corner
 * and 16 per vertex) comes from operator new. That amount is checked against the arena's limit
 * beforehand. */
FACET_API facet_status facet_mesh_optimize(facet_mesh *mesh, const facet_options *options,
                                           bool *changed, facet_error *error);

/* -- bounds ------------------------------------------------------------- */

typedef struct facet_bounds {
    float minimum[3], maximum[3]; /* exact */
    float center[3], radius;      /* smallest enclosing sphere; the radius is rounded up so that
                                     every point is inside */
} facet_bounds;

/* Compute box and smallest enclosing sphere of `count` points of three floats, `stride` bytes apart
 * (0: 12). All zero for no points; points that are not finite are FACET_ERROR_ARGUMENT. options may
 * be NULL; only its threads are used. Expected linear time. Algorithm: E. Welzl, "Smallest
 * enclosing disks (balls and ellipsoids)", 1991, with the pivoting of B. Gaertner, "Fast and robust
 * smallest enclosing balls", 1999. */
FACET_API facet_status facet_bounds_compute(const float *points, size_t count, size_t stride,
                                            const facet_options *options, facet_bounds *bounds,
                                            facet_error *error);

/* -- hulls -------------------------------------------------------------- */

typedef struct facet_hulls_options {
    uint32_t struct_size;  /* sizeof(facet_hulls_options), or 0: that of release 0.2 */
    uint32_t max_hulls;    /* 1 to 256; 0: 16 */
    uint32_t max_vertices; /* maximum corners of a hull, 8 to 65,536; 0: 64 */
    uint32_t resolution;   /* voxels along the longest side, 8 to 256; 0: 64. They detect the
                              inside of closed surfaces; they do not enlarge the hulls */
    float tolerance;       /* volume that may be added to save one hull, as a share of the
                              smallest volume found; 0: 0.0005 */
} facet_hulls_options;

/* Result of facet_mesh_hulls. */
typedef struct facet_hulls_summary {
    uint32_t hulls;  /* number of hulls added to the scene */
    double volume;   /* sum of their volumes; overlaps count twice */
    double distance; /* distance of the vertex that is farthest outside of all hulls, as a share
                        of the diagonal of the mesh's bounding box; at most 0.01 */
} facet_hulls_summary;

/* Enclose a triangle mesh in convex hulls and add them to scene->hulls, points sorted by x, y, z.
 * Any set of triangles is valid: open, non-manifold, several bodies. If the surface encloses space,
 * the hulls fill that as well.
 *
 *  - Every vertex that a triangle uses is inside a hull, or at most 0.01 of the diagonal outside.
 *  - Every point of a hull is a corner of it, and every hull has volume: flat parts become a plate
 *    of 0.001 of the diagonal (note HULLS-FLAT).
 *  - With max_hulls 1, the hull is the convex hull. With more, the number of hulls is as small as
 *    the tolerance allows.
 *
 * A mesh without triangles, or whose vertices coincide, gets no hulls (warning HULLS-NONE). The
 * mesh is unchanged. FACET_ERROR_ARGUMENT for faces that are not triangles, options out of range,
 * and positions that are not finite (rule HULLS-FINITE). hulls and summary may be NULL. The result
 * does not depend on the number of threads.
 *
 * Method: split the mesh by planes into more parts than requested; choose the planes that leave the
 * smallest hull volume. Then merge the pairs that add the least volume. See
 * docs/how-to/collision.md. */
FACET_API facet_status facet_mesh_hulls(const facet_mesh *mesh, const facet_hulls_options *hulls,
                                        const facet_options *options, facet_scene *scene,
                                        facet_hulls_summary *summary, facet_error *error);

/* -- simplify, reduce, occluder ------------------------------------------ */

typedef struct facet_simplify_options {
    uint32_t struct_size; /* sizeof(facet_simplify_options), or 0: that of release 0.2 */
    float ratio;          /* share of triangles to keep; 0: 0.02, above 1: 1. At least 4 are kept */
    float max_error;      /* maximum distance that the surface may move, as a share of the longest
                             side of its box; 0: 0.1 */
} facet_simplify_options;

typedef struct facet_reduce_options {
    uint32_t struct_size;   /* sizeof(facet_reduce_options), or 0: that of release 0.3 */
    float ratio;            /* reduce to this share of the triangles; 0: no share is requested */
    uint32_t max_triangles; /* reduce to this number of triangles; 0: any number */
    uint32_t max_vertices;  /* reduce to this number of vertices; 0: any number */
    float max_error;        /* maximum distance that the surface may move, as a share of the
                               diagonal of its box; 0: unlimited */
} facet_reduce_options;

/* Result of facet_mesh_reduce. */
typedef struct facet_reduce_summary {
    uint32_t triangles, vertices;
    double error; /* approximate distance that the surface moved, in the mesh's unit. Per vertex:
                     root mean square distance from the planes of the triangles that the vertex
                     replaces; this is the maximum */
} facet_reduce_summary;

/* Reduce a GPU-ready mesh of triangles (others are FACET_ERROR_ARGUMENT) in place, by edge
 * collapses. Each vertex of the result is a vertex of the mesh with all its attributes. Faces keep
 * their order, materials and parts. The error includes normals, texture coordinates and colors of
 * set 0, in addition to the surface.
 *
 * Borders move only along themselves. So do seams, where an attribute, the material or the part
 * changes. Vertices where several borders or seams meet, and edges of more than two triangles, do
 * not move. No triangle flips. Because of this, more triangles may be left than requested; if it is
 * a tenth more, a note REDUCE-LEFT reports it. Run facet_mesh_optimize on the result.
 *
 * reduce must not be NULL; summary may be NULL. Linear in the triangles, times the number of passes
 * over them: a dozen, at most 200. Algorithms: M. Garland, P. Heckbert, "Surface Simplification
 * Using Quadric Error Metrics", 1997; H. Hoppe, "New Quadric Metric for Simplifying Meshes with
 * Appearance Attributes", 1999. */
FACET_API facet_status facet_mesh_reduce(facet_mesh *mesh, const facet_reduce_options *reduce,
                                         const facet_options *options, bool *changed,
                                         facet_reduce_summary *summary, facet_error *error);

/* Distances between an occluder and the mesh that it replaces. */
typedef struct facet_occluder_fit {
    uint32_t triangles;
    double outside; /* share of the occluder's area that is outside of the mesh by more than the
                       tolerance; the goal is 0 */
    double depth;   /* maximum distance of the occluder outside of the mesh, as a share of the
                       diagonal of the mesh's box; measured on samples; 0: nowhere outside */
} facet_occluder_fit;

typedef struct facet_occluder_options {
    uint32_t struct_size; /* sizeof(facet_occluder_options), or 0: that of release 0.2 */
    const facet_simplify_options *simplify; /* NULL: their defaults */
    float tolerance; /* distance that may be outside, as a share of the diagonal; 0: 0.001 */
} facet_occluder_options;

/* Create scene->occluder from a triangle mesh. The mesh is simplified, then moved inward until
 * everything that it hides is behind the mesh's surface, so that it never hides anything visible.
 * Triangles that cannot be moved are dropped with a note OCCLUDER-CUT. If none is left, the scene
 * gets no occluder (warning OCCLUDER-NONE). occluder and fit may be NULL. The result does not
 * depend on the number of threads. */
FACET_API facet_status facet_mesh_occluder(const facet_mesh *mesh,
                                           const facet_occluder_options *occluder,
                                           const facet_options *options, facet_scene *scene,
                                           facet_occluder_fit *fit, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
