/* gltf_minimal FILE [FILE...] - print the meshes, materials, skins and animations of a glTF, with
 * only the single header. The other files are those that a .gltf names:
 *
 *     make single-headers
 *     cc -I dist examples/gltf_minimal.c -o gltf_minimal -lm */
#define FACET_GLTF_IMPLEMENTATION
#include "facet_gltf.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_FILES = 64 };

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

static void print(const facet_scene *scene)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        printf("mesh '%s': %u triangles\n", mesh->name, (unsigned)mesh->face_count);
        /* An engine passes stream->data and stream->indices to the GPU. */
        for (uint32_t s = 0; s < mesh->stream_count; s++)
            printf("  %u of %s, %u components\n", (unsigned)mesh->streams[s].count,
                   facet_semantic_name(mesh->streams[s].semantic),
                   (unsigned)mesh->streams[s].components);
    }
    for (uint32_t i = 0; i < scene->material_count; i++)
        printf("material '%s'\n", scene->materials[i]->name);
    for (uint32_t i = 0; i < scene->image_count; i++)
        printf("image '%s': %lu bytes\n", scene->images[i]->name,
               (unsigned long)scene->images[i]->size);
    for (uint32_t i = 0; i < scene->skin_count; i++)
        printf("skin '%s': %u joints\n", scene->skins[i]->name,
               (unsigned)scene->skins[i]->joint_count);
}

/* Print the position of each joint in the middle of an animation. */
static facet_status print_pose(const facet_scene *scene, uint32_t animation, facet_error *error)
{
    facet_pose pose;
    double end = facet_animation_duration(scene->animations[animation]);
    memset(&pose, 0, sizeof pose);
    facet_status status = facet_scene_pose(scene, animation, end / 2, NULL, &pose, error);
    if (status)
        return status;
    printf("animation '%s': %g seconds\n", scene->animations[animation]->name, end);
    for (uint32_t i = 0; i < scene->node_count; i++)
        printf("  node '%s' at %.3f %.3f %.3f\n", scene->nodes[i]->name, pose.global[i * 16 + 12],
               pose.global[i * 16 + 13], pose.global[i * 16 + 14]);
    facet_pose_free(&pose);
    return FACET_OK;
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
        fprintf(stderr, "usage: gltf_minimal FILE [FILE...]\n");
        return 1;
    }
    facet_source source = facet_source_from_folder(&folder, 0);
    status = facet_gltf_read(&source, NULL, NULL, &scene, &error);
    if (!status)
        print(scene);
    for (uint32_t i = 0; !status && i < scene->animation_count; i++)
        status = print_pose(scene, i, &error);
    if (status)
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
    facet_scene_free(scene);
    for (size_t i = 0; i < folder.count; i++)
        free((void *)(uintptr_t)files[i].data);
    return status != FACET_OK;
}
