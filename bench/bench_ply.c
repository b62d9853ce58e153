/* bench/bench_ply.c - benchmark of PLY and STL to an indexed mesh: Facet compared with assimp. It
 * uses FOLDER/mesh.obj, which bench/run generates.
 *
 *   bench_ply FOLDER FACET-PROGRAM */
#include "support/bench.h"

#include <facet/facet.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef HAVE_ASSIMP
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#endif

static long with_facet(void *user)
{
    facet_error error;
    facet_file *file;
    facet_scene *scene;
    if (facet_file_open(user, NULL, &file, &error))
        return -1;
    facet_source source = facet_file_source(file);
    if (facet_load(&source, NULL, NULL, NULL, &scene, &error))
        return -1;
    facet_file_close(file);
    long vertices = (long)scene->meshes[0]->streams[0].count;
    facet_scene_free(scene);
    return vertices;
}

#ifdef HAVE_ASSIMP
static long with_assimp(void *user)
{
    const struct aiScene *scene = aiImportFile(user, aiProcess_JoinIdenticalVertices);
    if (!scene)
        return -1;
    long vertices = (long)scene->mMeshes[0]->mNumVertices;
    aiReleaseImport(scene);
    return vertices;
}
#endif

/* Read every byte of the file, the minimum of any reader. */
static long with_read(void *user)
{
    FILE *file = fopen(user, "rb");
    static char buffer[1 << 16];
    long sum = 0;
    if (!file)
        return -1;
    for (size_t size; (size = fread(buffer, 1, sizeof buffer, file)) > 0;)
        sum += buffer[size / 2] & 1;
    fclose(file);
    return sum;
}

static double size_of(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return (double)size;
}

int main(int count, char **words)
{
    static const struct {
        const char *title, *name, *option;
    } files[] = {
        {"binary PLY to indexed mesh", "mesh.ply", ""},
        {"ASCII PLY to indexed mesh", "mesh.text.ply", "--ply-encoding ascii"},
        {"binary STL to joined mesh", "mesh.stl", ""},
        {"ASCII STL to joined mesh", "mesh.text.stl", "--stl-encoding ascii"},
    };
    if (count < 3) {
        fprintf(stderr, "usage: bench_ply FOLDER FACET-PROGRAM\n");
        return 2;
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char command[2048], path[1024];
        snprintf(path, sizeof path, "%s/%s", words[1], files[i].name);
        snprintf(command, sizeof command, "'%s' convert -q '%s/mesh.obj' '%s' %s 2> /dev/null",
                 words[2], words[1], path, files[i].option);
        if (system(command) != 0) {
            fprintf(stderr, "bench_ply: there is no mesh.obj in %s\n", words[1]);
            return 1;
        }
        bench_job jobs[] = {{.name = "facet", .run = with_facet, .user = path},
#ifdef HAVE_ASSIMP
                            {.name = "assimp, join vertices", .run = with_assimp, .user = path},
#endif
                            {.name = "reading the bytes", .run = with_read, .user = path}};
        bench_compare(files[i].title, jobs, sizeof jobs / sizeof *jobs, 3, size_of(path));
        remove(path);
    }
    return 0;
}
