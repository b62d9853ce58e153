/* tests/support/jumble.h - random meshes with unusual properties, for the tangents. */
#ifndef FACET_TESTS_JUMBLE_H
#define FACET_TESTS_JUMBLE_H

#include "support/mesh.h"

#include <math.h>
#include <stdlib.h>

/* A mesh with every special case. It has few different positions and texture coordinates, random
 * triangles, and some vertices with many triangles. */
static inline facet_mesh *test_jumble(facet_scene *scene, uint32_t vertex_count,
                                      uint32_t triangle_count, bool numbers_only, uint32_t seed)
{
    static const float strange[8] = {NAN, INFINITY, -INFINITY, 3e38f, 1e-38f, 1e-45f, -0.0f, 1e20f};
    uint32_t state = seed * 2654435761u | 1;
    size_t corners = (size_t)triangle_count * 3;
    float *values = malloc((size_t)vertex_count * 8 * sizeof *values);
    uint32_t *indices = malloc(corners * sizeof *indices);
    float *normals = values + 3 * (size_t)vertex_count, *uv = normals + 3 * (size_t)vertex_count;
    for (uint32_t i = 0; i < 8 * vertex_count; i++) {
        values[i] = (float)(test_random(&state) % 4) - 1;
        if (!numbers_only && test_random(&state) % 16 == 0)
            values[i] = strange[test_random(&state) % 8];
    }
    for (uint32_t i = 0; i < 3 * vertex_count && numbers_only; i++)
        normals[i] = i % 3 == 2;
    for (uint32_t i = 0; i < corners; i++) {
        bool among_few = test_random(&state) % 4 == 0;
        indices[i] = test_random(&state) % (among_few ? 3 : vertex_count);
        if (i % 3 != 0 && test_random(&state) % 3 != 0)
            indices[i] = (indices[i - 1] + i % 2) % vertex_count;
    }
    facet_mesh *mesh = test_mesh(scene, triangle_count, NULL);
    bool made = mesh &&
                test_stream(scene, mesh, FACET_POSITION, 3, vertex_count, values, indices) &&
                test_stream(scene, mesh, FACET_NORMAL, 3, vertex_count, normals, indices) &&
                test_stream(scene, mesh, FACET_TEXCOORD, 2, vertex_count, uv, indices);
    if (made)
        mesh->streams[1].indices = mesh->streams[2].indices = mesh->streams[0].indices;
    free(values);
    free(indices);
    return made ? mesh : NULL;
}

#endif
