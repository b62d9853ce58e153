/* tests/support/models.h - models of the Debian package assimp-testmodels, and functions from bytes
 * and files to scenes and back. */
#ifndef FACET_TESTS_MODELS_H
#define FACET_TESTS_MODELS_H

#include "support/support.h"

#include <facet/facet.h>
#include <stdio.h>
#include <stdlib.h>

#define TEST_MODELS "/usr/share/assimp/models/"

/* First statement of a test that needs a model of the package. */
#define TEST_NEEDS_MODEL(name)                                          \
    do {                                                                \
        FILE *test_model_ = fopen(TEST_MODELS name, "rb");              \
        if (!test_model_) {                                             \
            print_message(TEST_MODELS name " is not there: skipped\n"); \
            skip();                                                     \
        }                                                               \
        fclose(test_model_);                                            \
    } while (0)

static inline facet_scene *load_bytes(const void *data, size_t size, const char *name,
                                      const facet_options *options)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_source source = {.data = data, .size = size, .name = name};
    TEST_OK(facet_load(&source, facet_format_from_path(name), NULL, options, &scene, &error),
            &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

/* Load a file. Its content and name give the format. */
static inline facet_scene *load_file(const char *path, const facet_options *options)
{
    facet_error error;
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    TEST_OK(facet_file_open(path, NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    TEST_OK(facet_load(&source, NULL, NULL, options, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_file_close(file);
    return scene;
}

/* Prepare and write to memory. Free with facet_output_free. */
static inline facet_output *save_scene(facet_scene *scene, const char *format,
                                       const facet_options *options)
{
    facet_error error;
    facet_output *output = NULL;
    const facet_format *to = facet_format_named(format);
    assert_non_null(to);
    TEST_OK(facet_prepare(scene, to, NULL, options, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, to, options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static inline facet_scene *load_output(const facet_output *output, const char *name,
                                       const facet_options *options)
{
    return load_bytes(facet_output_data(output), (size_t)facet_output_size(output), name, options);
}

static inline const float *corner_of(const facet_mesh *mesh, const facet_stream *stream,
                                     uint32_t corner)
{
    assert_true(corner < mesh->corner_count);
    return (const float *)stream->data + (size_t)stream->indices[corner] * stream->components;
}

static inline uint64_t count_faces(const facet_scene *scene)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        count += scene->meshes[i]->face_count;
    return count;
}

#endif
