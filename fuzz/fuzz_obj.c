/* fuzz/fuzz_obj.c - harness for OBJ and MTL. An OBJ is rejected with a message, or gives a valid
 * scene that can be written and read again with the same number of faces. The same bytes are also
 * read as the MTL file of another OBJ. */
#include "base/tree.h"
#include "formats/obj/obj.h"
#include <facet/convert.h>

#include <stdlib.h>
#include <string.h>

static facet_status read_source(const facet_source *source, facet_scene **scene)
{
    facet_options options = {0};
    options.memory_limit = (uint64_t)1 << 28;
    facet_error error;
    facet_status status = facet_obj_read(source, NULL, &options, scene, &error);
    if (status == FACET_OK ? facet_scene_check(*scene, NULL, &error) != FACET_OK
                           : !error.message[0])
        abort();
    return status;
}

static uint64_t face_count(const facet_scene *scene)
{
    uint64_t faces = scene->occluder ? scene->occluder->face_count : 0;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        faces += scene->meshes[i]->face_count;
    return faces;
}

/* True if the faces are the same, or a name changed their purpose. The writer replaces characters
 * that a name cannot contain by '_'. A part can get the name of a hull or of the occluder this way,
 * and its faces move there. Hulls are not written. */
static bool same_faces(const facet_scene *a, const facet_scene *b)
{
    return b->hull_count > 0 || !a->occluder != !b->occluder || face_count(a) == face_count(b);
}

static void write_and_read(const facet_scene *scene)
{
    facet_output *output = NULL;
    if (facet_output_open_memory(NULL, &output, NULL) != FACET_OK)
        return;
    if (facet_obj_write(scene, NULL, output, NULL) != FACET_OK ||
        facet_output_commit(output, NULL) != FACET_OK)
        abort();
    facet_memory_file files[2] = {
        {"scene.obj", facet_output_data(output), (size_t)facet_output_size(output)}};
    facet_memory_folder folder = {files, 1};
    const facet_output *library = facet_output_next_sibling(output);
    if (library) {
        files[1].name = facet_output_name(library);
        files[1].data = facet_output_data(library);
        files[1].size = (size_t)facet_output_size(library);
        folder.count = 2;
    }
    facet_source source = facet_source_from_folder(&folder, 0);
    facet_scene *again = NULL;
    if (read_source(&source, &again) != FACET_OK || !same_faces(scene, again))
        abort();
    facet_scene_free(again);
    facet_output_free(output);
}

static void read_and_write(const facet_source *source)
{
    facet_scene *scene = NULL;
    if (read_source(source, &scene) == FACET_OK) {
        write_and_read(scene);
        facet_scene_free(scene);
    }
}

static void read_as_library(const uint8_t *data, size_t size)
{
    static const char obj[] = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                              "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\n";
    const facet_memory_file files[] = {{"o.obj", obj, sizeof obj - 1}, {"m.mtl", data, size}};
    const facet_memory_folder folder = {files, 2};
    facet_source source = facet_source_from_folder(&folder, 0);
    read_and_write(&source);
}

static void describe(const facet_source *source)
{
    facet_description *description = NULL;
    if (facet_description_make(source, NULL, facet_obj_fill_description, &description, NULL) ==
        FACET_OK)
        facet_description_free(description);
}

static void check(const facet_source *source)
{
    facet_report *report = NULL;
    if (facet_report_create(NULL, &report, NULL) != FACET_OK)
        return;
    if (facet_obj_check(source, NULL, report, NULL) != FACET_OK)
        abort();
    facet_report_free(report);
}

/* Faces of hulls and of the occluder are not part of the meshes. */
static bool has_collision(const facet_scene *scene)
{
    return scene->hull_count > 0 || scene->occluder;
}

/* In files of 64 KiB and more, lines are compared with earlier ones (shapes.c). The lines repeated
 * to that size give the same multiple of faces. */
static void read_often(const uint8_t *data, size_t size)
{
    size_t line = size + 2, times = ((size_t)64 << 10) / line + 1;
    uint8_t *all = malloc(times * line);
    if (!all)
        return;
    for (size_t i = 0; i < times; i++) {
        memcpy(all + i * line, data, size);
        memcpy(all + i * line + size, "\n\n", 2);
    }
    facet_source once = facet_source_from_memory(all, line, NULL);
    facet_source often = facet_source_from_memory(all, times * line, NULL);
    facet_scene *one = NULL, *many = NULL;
    if (read_source(&once, &one) == FACET_OK) {
        if (read_source(&often, &many) == FACET_OK && !has_collision(one) && !has_collision(many) &&
            face_count(many) != times * face_count(one))
            abort();
        facet_scene_free(many);
    }
    facet_scene_free(one);
    free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_source source = facet_source_from_memory(data, size, NULL);
    read_and_write(&source);
    read_as_library(data, size);
    if (size > 200 && size % 4 == 0)
        read_often(data, size);
    describe(&source);
    check(&source);
    return 0;
}
