/* facet/j3d_geometry.h - what the shapes of a J3D document draw: display lists as
 * triangles over distinct vertices, ready for vertex buffers of today.
 *
 *     facet_j3d_meshes *meshes;
 *     if (facet_j3d_decode(document, NULL, &meshes, &error) == FACET_OK) {
 *         for (uint32_t i = 0; i < meshes->count; i++) {
 *             const facet_j3d_mesh *mesh = &meshes->items[i];
 *             for (uint32_t v = 0; v < mesh->vertex_count; v++) {
 *                 const float *m = meshes->matrices[mesh->draw_matrices[v]];
 *                 const float *p = mesh->positions + 3 * v;
 *                 float y = m[4] * p[0] + m[5] * p[1] + m[6] * p[2] + m[7];
 *                 ... in the model at rest, v is this high
 *             }
 *         }
 *         facet_j3d_meshes_free(meshes);
 *     }
 *
 * Nothing is converted but the way in which numbers are stored: +Y is up, v grows
 * from the top, and a float that is not finite stays so. facet_load gives the
 * same as a scene, with nodes, skins and materials.
 *
 * Stability: experimental. */
#ifndef FACET_J3D_GEOMETRY_H
#define FACET_J3D_GEOMETRY_H

#include <facet/j3d.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What one shape draws. Two vertices are one when all of their indices and their
 * draw matrix are the same. Each array has an element per vertex, without gaps,
 * and is NULL when the shape does not have it. */
typedef struct facet_j3d_mesh {
    uint32_t vertex_count;
    float *positions;    /* x y z, in the space of the vertex's draw matrix */
    float *normals;      /* x y z in that space, of unit length; 0 0 0 when it had no direction */
    float *tangents;     /* x y z of unit length, and w: the binormal is w * (normal x tangent) */
    uint8_t *colors[2];  /* red, green, blue, alpha, as stored: gamma-encoded */
    float *texcoords[8]; /* s t, before any texgen or texture matrix */
    uint16_t *draw_matrices; /* below the document's draw_matrices.count */

    uint32_t *triangles; /* three vertices each, counter-clockwise seen from the front, all
                            different; triangles in which a vertex came twice are left out */
    uint32_t triangle_count;
    uint32_t *lines; /* two vertices each */
    uint32_t line_count;
    uint64_t point_count; /* points that are drawn, which are left out */

    uint16_t material, joint; /* as in facet_j3d_shape */
} facet_j3d_mesh;

/* What all shapes draw. */
typedef struct facet_j3d_meshes {
    facet_arena *arena;    /* owner of all arrays */
    facet_j3d_mesh *items; /* one per shape, in their order */
    uint32_t count;
    float (*matrices)[12]; /* of each draw matrix, row-major 3x4: from its space to the model's,
                              every joint at rest */
    uint32_t matrix_count;
} facet_j3d_meshes;

/* Decode every shape of a document. The document may have been filled in or changed
 * by hand: it is checked as far as the arrays of shapes, vertices, joints and
 * matrices go. The result points to nothing in it, and is freed with
 * facet_j3d_meshes_free. options may be NULL; allocator and memory_limit are
 * taken. Expected linear in the display lists and matrices.
 * Errors: FACET_ERROR_ARGUMENT with the rule J3D-* that the document breaks;
 * FACET_ERROR_LIMIT when a shape draws more than 2^32 vertices;
 * FACET_ERROR_MEMORY. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_decode(const facet_j3d *document,
                                                     const facet_options *options,
                                                     facet_j3d_meshes **meshes, facet_error *error);
/* NULL is fine. */
FACET_EXPERIMENTAL_API void facet_j3d_meshes_free(facet_j3d_meshes *meshes);

#ifdef __cplusplus
}
#endif
#endif
