/* fuzz/fuzz_mesh.c - harness for all passes, in their order. The input becomes a mesh of polygons
 * with any indices and any floats. No pass fails, the scene is valid after each, and the mesh is
 * GPU-ready in the end. */
#include "bytes.h"
#include "mesh/passes.h"

#include <facet/facet.h>

#include <stdlib.h>
#include <string.h>

/* True if the scene is valid, except for numbers that are infinite or NaN. facet_scene_check checks
 * these last. */
static bool is_whole(const facet_scene *scene)
{
    facet_error error;
    return facet_scene_check(scene, NULL, &error) == FACET_OK ||
           strcmp(error.rule, "SCENE-NONFINITE") == 0;
}

/* Add a stream whose corners may lack a vertex, unless it holds positions. */
static void add_stream(facet_scene *scene, facet_mesh *mesh, facet_semantic semantic,
                       uint32_t components, bytes *b)
{
    uint32_t count = 1 + take(b) % 40;
    facet_stream *stream = NULL;
    must(facet_mesh_add_stream(mesh, semantic, 0, NULL, FACET_FLOAT32, components, count, &stream,
                               NULL) == FACET_OK);
    float *numbers = stream->data;
    for (uint32_t i = 0; i < count * components; i++) {
        uint8_t byte = take(b);
        numbers[i] = (float)((int)byte - 100);
        if (byte > 220) { /* any bits, including NaN */
            uint8_t bits[4] = {take(b), take(b), take(b), take(b)};
            memcpy(&numbers[i], bits, sizeof bits);
        }
    }
    stream->indices = facet_scene_allocate(scene, mesh->corner_count, sizeof(uint32_t));
    must(stream->indices != NULL);
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        uint8_t byte = take(b);
        stream->indices[i] = byte == 255 && semantic != FACET_POSITION ? FACET_NONE : byte % count;
    }
}

static uint32_t *add_values(facet_scene *scene, uint32_t count, bytes *b)
{
    uint32_t *values = facet_scene_allocate(scene, count, sizeof *values);
    must(values != NULL);
    for (uint32_t i = 0; i < count; i++)
        values[i] = take(b) % 3;
    return values;
}

/* Vertices of lines, two each, or of points. */
static uint32_t *add_ends(facet_scene *scene, const facet_mesh *mesh, uint32_t count, bytes *b)
{
    uint32_t *ends = facet_scene_allocate(scene, count, sizeof *ends);
    must(ends != NULL);
    for (uint32_t i = 0; i < count; i++)
        ends[i] = take(b) % mesh->streams[0].count;
    return ends;
}

static facet_mesh *make_mesh(facet_scene *scene, bytes *b, uint8_t flags)
{
    facet_mesh *mesh = NULL;
    facet_material *material = NULL;
    must(facet_scene_add_mesh(scene, &mesh, NULL) == FACET_OK);
    for (int i = 0; i < 3; i++)
        must(facet_scene_add_material(scene, "", &material, NULL) == FACET_OK);
    mesh->face_count = take(b);
    mesh->face_offsets =
        facet_scene_allocate(scene, (size_t)mesh->face_count + 1, sizeof(uint32_t));
    must(mesh->face_offsets != NULL);
    mesh->face_offsets[0] = 0;
    for (uint32_t i = 0; i < mesh->face_count; i++)
        mesh->face_offsets[i + 1] = mesh->face_offsets[i] + take(b) % 20;
    mesh->corner_count = mesh->face_offsets[mesh->face_count];
    add_stream(scene, mesh, FACET_POSITION, 3, b);
    if (flags & 1)
        add_stream(scene, mesh, FACET_TEXCOORD, 2, b);
    if (flags & 2)
        add_stream(scene, mesh, FACET_NORMAL, 3, b);
    if (flags & 4)
        mesh->face_materials = add_values(scene, mesh->face_count, b);
    if (flags & 8)
        mesh->face_smoothing = add_values(scene, mesh->face_count, b);
    if (flags & 128) {
        mesh->line_count = take(b) % 16;
        mesh->lines = add_ends(scene, mesh, mesh->line_count * 2, b);
        mesh->point_count = take(b) % 16;
        mesh->points = add_ends(scene, mesh, mesh->point_count, b);
        mesh->line_materials = add_values(scene, mesh->line_count, b);
        mesh->point_materials = add_values(scene, mesh->point_count, b);
    }
    return mesh;
}

static void run_passes(facet_scene *scene, facet_mesh *mesh, uint8_t flags)
{
    facet_normals_options normals = {0};
    normals.flat = flags & 16;
    normals.crease_degrees = flags & 32 ? 40 : 0;
    uint32_t lines = mesh->line_count, points = mesh->point_count;
    uint64_t triangles = 0;
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        uint32_t corners = facet_face_end(mesh, i) - facet_face_begin(mesh, i);
        triangles += corners > 2 ? corners - 2 : 0;
    }
    if (flags & 64) { /* works on polygons also */
        must(facet_mesh_normals(mesh, &normals, NULL, NULL, NULL) == FACET_OK);
        must(is_whole(scene));
    }
    must(facet_mesh_triangulate(mesh, NULL, NULL, NULL) == FACET_OK);
    must(is_whole(scene));
    must(mesh->face_count == triangles);
    must(facet_mesh_normals(mesh, &normals, NULL, NULL, NULL) == FACET_OK);
    must(is_whole(scene));
    must(facet_mesh_weld_distance(mesh, 0.001F, NULL, NULL, NULL) == FACET_OK);
    must(is_whole(scene));
    must(facet_mesh_index(mesh, NULL, NULL, NULL) == FACET_OK);
    must(is_whole(scene) && facet_mesh_is_indexed(mesh));
    must(facet_mesh_tangents(mesh, NULL, NULL, NULL) == FACET_OK);
    must(is_whole(scene));
    must(facet_mesh_split(mesh, NULL, NULL, NULL) == FACET_OK);
    must(is_whole(scene));
    must(facet_mesh_weld(mesh, NULL, NULL, NULL) == FACET_OK);
    must(is_whole(scene) && facet_mesh_is_indexed(mesh));
    must(facet_mesh_sort(mesh, NULL, NULL, NULL) == FACET_OK);
    must(is_whole(scene));
    must(facet_mesh_optimize(mesh, NULL, NULL, NULL) == FACET_OK);
    must(is_whole(scene));
    must(mesh->face_count == triangles && facet_mesh_is_indexed(mesh));
    must(mesh->line_count == lines && mesh->point_count == points);
}

/* All points are inside the box and the sphere, or the bounds fail with a message. */
static void run_bounds(const facet_stream *positions)
{
    facet_bounds bounds;
    facet_error error;
    const float *points = positions->data;
    if (facet_bounds_compute(points, positions->count, 0, NULL, &bounds, &error) != FACET_OK) {
        must(error.message[0] != '\0');
        return;
    }
    for (size_t i = 0; i < positions->count; i++) {
        double squared = 0;
        for (size_t k = 0; k < 3; k++) {
            double d = (double)points[i * 3 + k] - bounds.center[k];
            squared += d * d;
            must(points[i * 3 + k] >= bounds.minimum[k] && points[i * 3 + k] <= bounds.maximum[k]);
        }
        must(squared <= (double)bounds.radius * bounds.radius);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes b = {data, size};
    facet_scene *scene = NULL;
    must(facet_scene_create(NULL, &scene, NULL) == FACET_OK);
    uint8_t flags = take(&b);
    facet_mesh *mesh = make_mesh(scene, &b, flags);
    run_bounds(&mesh->streams[0]);
    run_passes(scene, mesh, flags);
    facet_scene_free(scene);
    return 0;
}
