/* tests/support/mesh.h - small meshes, and random numbers that are the same on every machine. */
#ifndef FACET_TESTS_MESH_H
#define FACET_TESTS_MESH_H

#include "support/support.h"

#include <facet/scene.h>

/* An empty scene. */
static inline facet_scene *test_scene(void)
{
    facet_scene *scene = NULL;
    assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
    return scene;
}

/* A mesh of faces with sizes[i] corners each (NULL: all triangles), without streams. NULL if out of
 * memory. */
static inline facet_mesh *test_mesh(facet_scene *scene, uint32_t face_count, const uint32_t *sizes)
{
    facet_mesh *mesh = NULL;
    if (facet_scene_add_mesh(scene, &mesh, NULL) != FACET_OK)
        return NULL;
    mesh->face_count = face_count;
    mesh->corner_count = face_count * 3;
    if (!sizes)
        return mesh;
    mesh->face_offsets = facet_scene_allocate(scene, face_count + 1, sizeof(uint32_t));
    if (!mesh->face_offsets)
        return NULL;
    mesh->corner_count = 0;
    for (uint32_t i = 0; i < face_count; i++) {
        mesh->face_offsets[i] = mesh->corner_count;
        mesh->corner_count += sizes[i];
    }
    mesh->face_offsets[face_count] = mesh->corner_count;
    return mesh;
}

/* A map of a material of the scene, added if missing. */
static inline facet_texture *test_map(facet_scene *scene, facet_material *material, facet_map map)
{
    facet_texture *texture = material->maps[map];
    if (!texture)
        assert_int_equal(facet_scene_add_map(scene, material, map, &texture, NULL), FACET_OK);
    return texture;
}

/* A copy of `count` 32-bit numbers in the scene, or NULL. */
static inline void *test_copy(facet_scene *scene, const void *numbers, size_t count)
{
    void *copy = facet_scene_allocate(scene, count, 4);
    if (copy && count > 0)
        memcpy(copy, numbers, count * 4);
    return copy;
}

/* Add a stream of floats with copies of the data and the indices (NULL: corner i uses element i).
 * False if out of memory. */
static inline bool test_stream(facet_scene *scene, facet_mesh *mesh, facet_semantic semantic,
                               uint32_t components, uint32_t count, const float *data,
                               const uint32_t *indices)
{
    facet_stream *stream = NULL;
    if (facet_mesh_add_stream(mesh, semantic, 0, NULL, FACET_FLOAT32, components, count, &stream,
                              NULL) != FACET_OK)
        return false;
    if (count > 0)
        memcpy(stream->data, data, (size_t)count * components * sizeof *data);
    stream->indices = facet_scene_allocate(scene, mesh->corner_count, sizeof(uint32_t));
    for (uint32_t i = 0; stream->indices && i < mesh->corner_count; i++)
        stream->indices[i] = indices ? indices[i] : i;
    return stream->indices != NULL;
}

/* The element that a corner has in a stream. */
static inline const float *test_element(const facet_stream *stream, uint32_t corner)
{
    return (const float *)stream->data + (size_t)stream->indices[corner] * stream->components;
}

/* xorshift: *state must not be 0. */
static inline uint32_t test_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/* At least 0, below 1. */
static inline float test_random_float(uint32_t *state)
{
    return (float)(test_random(state) >> 8) * 0x1p-24f;
}

#endif
