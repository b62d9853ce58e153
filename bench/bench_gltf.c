/* bench/bench_gltf.c - benchmark of glTF: read a GLB, compared with a copy of its buffer; convert
 * GLB to BSM, compared with assimp's export of the same file.
 *
 *   bench_gltf FOLDER [FACET-PROGRAM]
 *
 * The mesh is a wavy grid of a million triangles (TRIANGLES in the environment) with a normal and a
 * texture coordinate per vertex. */
#include "base/allocator.h"
#include "base/bytes.h"
#include "formats/gltf/format.h"
#include "support/bench.h"

#include <facet/facet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void stop_at(facet_status status, const facet_error *error)
{
    if (status == FACET_OK)
        return;
    fprintf(stderr, "bench_gltf: %s\n", error->message);
    exit(1);
}

/* -- The mesh ----------------------------------------------------------- */

static float *add_stream(facet_mesh *mesh, facet_semantic semantic, uint32_t width, uint32_t count,
                         uint32_t *indices)
{
    facet_stream *stream = NULL;
    facet_error error;
    stop_at(facet_mesh_add_stream(mesh, semantic, 0, NULL, FACET_FLOAT32, width, count, &stream,
                                  &error),
            &error);
    stream->indices = indices;
    return stream->data;
}

static facet_scene *make_grid(uint32_t triangles)
{
    facet_scene *scene = NULL;
    facet_mesh *mesh = NULL;
    facet_error error;
    uint32_t side = (uint32_t)sqrt(triangles / 2.0) + 1, count = side * side;
    stop_at(facet_scene_create(NULL, &scene, &error), &error);
    stop_at(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = (side - 1) * (side - 1) * 2;
    mesh->corner_count = mesh->face_count * 3;
    uint32_t *index = facet_scene_allocate(scene, mesh->corner_count, sizeof *index);
    if (!index)
        exit(1);
    float *position = add_stream(mesh, FACET_POSITION, 3, count, index);
    float *normal = add_stream(mesh, FACET_NORMAL, 3, count, index);
    float *texcoord = add_stream(mesh, FACET_TEXCOORD, 2, count, index);
    for (uint32_t i = 0; i < count; i++) {
        float u = (float)(i % side) / (float)side, v = (float)(i / side) / (float)side;
        *position++ = u, *position++ = 0.05F * sinf(40 * u) * cosf(31 * v), *position++ = v;
        *normal++ = 0, *normal++ = 1, *normal++ = 0;
        *texcoord++ = u, *texcoord++ = v;
    }
    for (uint32_t row = 0; row + 1 < side; row++) {
        for (uint32_t column = 0; column + 1 < side; column++) {
            uint32_t a = row * side + column, b = a + 1, c = a + side, d = c + 1;
            *index++ = a, *index++ = c, *index++ = b;
            *index++ = b, *index++ = c, *index++ = d;
        }
    }
    return scene;
}

static void write_file(const facet_scene *scene, const char *path)
{
    facet_output *output = NULL;
    facet_error error;
    stop_at(facet_output_open(path, &output, &error), &error);
    stop_at(facet_gltf_write_binary(scene, NULL, output, &error), &error);
    stop_at(facet_output_commit(output, &error), &error);
    facet_output_free(output);
}

/* -- Jobs --------------------------------------------------------------- */

typedef struct job {
    const uint8_t *data;
    size_t size, chunk; /* size of the file; offset of the binary chunk's data */
} job;

static long read_scene(void *user)
{
    const job *j = user;
    facet_source source = {.data = j->data, .size = j->size};
    facet_scene *scene = NULL;
    facet_error error;
    bench_start();
    facet_status status = facet_gltf_read(&source, NULL, NULL, &scene, &error);
    bench_stop();
    return status ? -1 : (long)scene->meshes[0]->face_count;
}

/* Copy into new memory, like the scene's. copy_plain uses pages of the C library, copy_huge uses
 * those of Facet's allocator. */
static long copy_into(const job *j, uint8_t *to)
{
    if (!to)
        return -1;
    bench_start();
    memcpy(to, j->data + j->chunk, j->size - j->chunk);
    bench_stop();
    return to[(j->size - j->chunk) / 2];
}

static long copy_plain(void *user)
{
    const job *j = user;
    return copy_into(j, malloc(j->size - j->chunk));
}

static long copy_huge(void *user)
{
    const job *j = user;
    const facet_allocator *allocator = facet_allocator_or_default(NULL);
    return copy_into(j, allocator->allocate(allocator->user, j->size - j->chunk));
}

int main(int count, char **arguments)
{
    const char *folder = count > 1 ? arguments[1] : "/tmp";
    const char *program = count > 2 ? arguments[2] : "facet";
    const char *wanted = getenv("TRIANGLES");
    char glb[4096], bsm[4096], obj[4096];
    snprintf(glb, sizeof glb, "%s/grid.glb", folder);
    snprintf(bsm, sizeof bsm, "%s/grid.bsm", folder);
    snprintf(obj, sizeof obj, "%s/grid.stl", folder);
    facet_scene *scene = make_grid(wanted ? (uint32_t)strtoul(wanted, NULL, 10) : 1000000);
    write_file(scene, glb);
    facet_scene_free(scene);

    facet_file *file = NULL;
    facet_error error;
    stop_at(facet_file_open(glb, NULL, &file, &error), &error);
    job j = {facet_file_source(file).data, facet_file_source(file).size, 0};
    j.chunk = 28 + facet_load_u32le(j.data + 12);
    bench_job reading[] = {{.name = "facet: GLB to scene", .run = read_scene, .user = &j},
                           {.name = "memcpy, plain pages", .run = copy_plain, .user = &j},
                           {.name = "memcpy, huge pages", .run = copy_huge, .user = &j}};
    bench_compare("GLB of a grid to a scene", reading, 3, 9, (double)j.size);

    const char *const facet[] = {program, "convert", "-q", glb, bsm, NULL};
    const char *const assimp[] = {"assimp", "export", glb, obj, "-fstlb", NULL};
    bench_job converting[] = {{.name = "facet convert GLB to BSM", .command = facet},
                              {.name = "assimp export GLB to STL", .command = assimp}};
    bench_compare("GLB to a file", converting, 2, 3, (double)j.size);
    facet_file_close(file);
    return 0;
}
