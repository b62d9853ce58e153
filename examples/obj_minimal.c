/* obj_minimal FILE.obj [FILE.mtl]... - print the vertex and index buffers of an OBJ, with only the
 * single header:
 *
 *     make single-headers
 *     cc -I dist examples/obj_minimal.c -o obj_minimal -lm */
#define FACET_OBJ_IMPLEMENTATION
#include "facet_obj.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_FILES = 8 };

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    void *data = NULL;
    long length;
    if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0 && (data = malloc((size_t)length + 1)) != NULL)
        *size = fread(data, 1, (size_t)length, file);
    if (file)
        fclose(file);
    return data;
}

/* Triangles, normals, and one index for all attributes. */
static facet_status prepare(facet_mesh *mesh, facet_error *error)
{
    bool changed;
    facet_status status = facet_mesh_triangulate(mesh, NULL, &changed, error);
    if (!status)
        status = facet_mesh_normals(mesh, NULL, NULL, &changed, error);
    return status ? status : facet_mesh_index(mesh, NULL, &changed, error);
}

static void print(const facet_scene *scene, const facet_mesh *mesh)
{
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    /* An engine passes the arrays to the GPU. */
    const float *p = positions->data, *n = normals->data;
    printf("%u vertices, %u triangles\n", (unsigned)positions->count, (unsigned)mesh->face_count);
    for (uint32_t i = 0; i < positions->count && i < 4; i++, p += 3, n += 3)
        printf("position %g %g %g  normal %g %g %g\n", p[0], p[1], p[2], n[0], n[1], n[2]);
    for (uint32_t i = 0; i < mesh->face_count && i < 4; i++) {
        const uint32_t *t = positions->indices + i * 3;
        uint32_t material = mesh->face_materials ? mesh->face_materials[i] : FACET_NONE;
        printf("triangle %u %u %u, material %s\n", (unsigned)t[0], (unsigned)t[1], (unsigned)t[2],
               material == FACET_NONE ? "none" : scene->materials[material]->name);
    }
}

int main(int count, char **arguments)
{
    facet_memory_file files[MAX_FILES];
    facet_memory_folder folder = {files, 0};
    facet_scene *scene = NULL;
    facet_error error;
    facet_status status = FACET_OK;
    for (int i = 1; i < count && i <= MAX_FILES; i++, folder.count++) {
        const char *slash = strrchr(arguments[i], '/');
        files[i - 1].name = slash ? slash + 1 : arguments[i];
        if (!(files[i - 1].data = read_file(arguments[i], &files[i - 1].size))) {
            fprintf(stderr, "cannot read '%s'\n", arguments[i]);
            return 1;
        }
    }
    if (folder.count == 0) {
        fprintf(stderr, "usage: obj_minimal FILE.obj [FILE.mtl]...\n");
        return 1;
    }
    facet_source source = facet_source_from_folder(&folder, 0);
    status = facet_obj_read(&source, NULL, NULL, &scene, &error);
    for (uint32_t i = 0; !status && i < scene->mesh_count; i++) {
        status = prepare(scene->meshes[i], &error);
        if (!status)
            print(scene, scene->meshes[i]);
    }
    if (status)
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
    facet_scene_free(scene);
    for (size_t i = 0; i < folder.count; i++)
        free((void *)(uintptr_t)files[i].data);
    return status != FACET_OK;
}
