/* facet/j3d_geometry.h - geometry of the shapes of a J3D document: display lists as triangles over
 * distinct vertices, ready for vertex buffers.
 *
 * ```
 * facet_j3d_meshes *meshes;
 * if (facet_j3d_decode(document, NULL, &meshes, &error) == FACET_OK) {
 *     for (uint32_t i = 0; i < meshes->count; i++) {
 *         const facet_j3d_mesh *mesh = &meshes->items[i];
 *         for (uint32_t v = 0; v < mesh->vertex_count; v++) {
 *             const float *m = meshes->matrices[mesh->draw_matrices[v]];
 *             const float *p = mesh->positions + 3 * v;
 *             float y = m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7];
 *             ... y is the height of v in the model at rest
 *         }
 *     }
 *     facet_j3d_meshes_free(meshes);
 * }
 * ```
 *
 * Only the storage of numbers is converted. The axis +Y is up, v increases downward from the top,
 * and floats that are not finite stay so. The function facet_load returns the same geometry as a
 * scene, with nodes, skins and materials.
 *
 * Stability: experimental. */
#ifndef FACET_J3D_GEOMETRY_H
#define FACET_J3D_GEOMETRY_H

#include <facet/j3d.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Geometry of one shape. Two vertices are merged if all of their indices and their draw matrix are
 * equal. Each array has one element per vertex, without gaps. It is NULL if the shape lacks the
 * attribute. */
typedef struct facet_j3d_mesh {
    uint32_t vertex_count;
    float *positions;    /* x, y, z in the space of the vertex's draw matrix */
    float *normals;      /* x, y, z in the same space, of unit length; 0 0 0: no direction */
    float *tangents;     /* x, y, z of unit length, and w: the binormal is w * (normal x tangent) */
    uint8_t *colors[2];  /* red, green, blue, alpha, as stored: gamma-encoded */
    float *texcoords[8]; /* s, t before any texgen or texture matrix */
    uint16_t *draw_matrices; /* index below the document's draw_matrices.count */

    uint32_t *triangles; /* three different vertices each, counterclockwise seen from the front;
                            triangles that use a vertex twice are left out */
    uint32_t triangle_count;
    uint32_t *lines; /* two vertices each */
    uint32_t line_count;
    uint64_t point_count; /* number of drawn points; the points themselves are left out */

    uint16_t material, joint; /* as in facet_j3d_shape */
} facet_j3d_mesh;

/* Geometry of all shapes. */
typedef struct facet_j3d_meshes {
    facet_arena *arena;    /* owner of all arrays */
    facet_j3d_mesh *items; /* one per shape, in the order of the shapes */
    uint32_t count;
    float (*matrices)[12]; /* one per draw matrix, row-major 3x4: from its space to that of the
                              model, with every joint at rest */
    uint32_t matrix_count;
} facet_j3d_meshes;

/* Decode every shape of a document. You may have filled in or changed the document: the arrays of
 * shapes, vertices, joints and matrices are checked. The result does not point into it. Free it
 * with facet_j3d_meshes_free. options may be NULL; allocator and memory_limit are used. Expected
 * linear in the display lists and matrices. Errors: FACET_ERROR_ARGUMENT with the rule J3D-* that
 * the document breaks; FACET_ERROR_LIMIT if a shape draws more than 2^32 vertices;
 * FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_decode(const facet_j3d *document,
                                                     const facet_options *options,
                                                     facet_j3d_meshes **meshes, facet_error *error);
/* Free the meshes. NULL is allowed. */
FACET_EXPERIMENTAL_API void facet_j3d_meshes_free(facet_j3d_meshes *meshes);

#ifdef __cplusplus
}
#endif
#endif
