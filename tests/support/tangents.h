/* tests/support/tangents.h - meshes with normals and texture coordinates. */
#ifndef FACET_TESTS_SUPPORT_TANGENTS_H
#define FACET_TESTS_SUPPORT_TANGENTS_H

#include "mesh/passes.h"
#include "scene/scene.h"
#include "support/jumble.h"

#include <facet/mesh.h>
#include <math.h>

static const float up[3] = {0, 0, 1};

/* A welded mesh in the plane z = 0, normals +z, from x y u v per vertex. */
static inline facet_mesh *plane(facet_scene *scene, uint32_t vertex_count, const float (*xyuv)[4],
                                uint32_t triangle_count, const uint32_t *indices)
{
    float positions[64][3] = {0}, normals[64][3], texcoords[64][2];
    for (uint32_t i = 0; i < vertex_count; i++) {
        memcpy(positions[i], xyuv[i], 2 * sizeof(float));
        memcpy(normals[i], up, sizeof up);
        memcpy(texcoords[i], xyuv[i] + 2, 2 * sizeof(float));
    }
    facet_mesh *mesh = test_mesh(scene, triangle_count, NULL);
    if (!mesh ||
        !test_stream(scene, mesh, FACET_POSITION, 3, vertex_count, positions[0], indices) ||
        !test_stream(scene, mesh, FACET_NORMAL, 3, vertex_count, normals[0], indices) ||
        !test_stream(scene, mesh, FACET_TEXCOORD, 2, vertex_count, texcoords[0], indices))
        return NULL;
    mesh->streams[1].indices = mesh->streams[2].indices = mesh->streams[0].indices;
    return mesh;
}

static inline facet_scene *make_scene(const facet_options *options)
{
    facet_scene *scene = NULL;
    return facet_scene_create(options, &scene, NULL) == FACET_OK ? scene : NULL;
}

static inline void compute(facet_scene *scene, facet_mesh *mesh)
{
    facet_error error;
    TEST_OK(facet_mesh_tangents(mesh, NULL, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
}

/* u = |x|. Left of x = 0, u increases along -x, where z x -x = -y and v along +y give w = -1. Right
 * of it is the plain quad. Vertices 1 and 2 are on the edge between. */
static const float mirrored[6][4] = {{-1, 0, 1, 0}, {0, 0, 0, 0}, {0, 1, 0, 1},
                                     {-1, 1, 1, 1}, {1, 0, 1, 0}, {1, 1, 1, 1}};

#endif
