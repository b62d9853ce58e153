/* Formats of several files (OBJ with its MTL, glTF with its buffer), read from and written to
 * callbacks and folders in memory. */
#include "formats/gltf/format.h"
#include "formats/obj/obj.h"
#include "support/support.h"

#include <facet/gltf.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* -- The caller's files ------------------------------------------------- */

#define MAX_FILES 8

typedef struct shelf_file {
    struct shelf *shelf;
    char name[64];
    uint8_t *data;
    size_t size;
    unsigned committed; /* 1: first of all */
    bool closed;
} shelf_file;

typedef struct shelf {
    shelf_file files[MAX_FILES];
    size_t count;
    unsigned commits;
    int open; /* siblings that were opened for reading and not closed */
} shelf;

static shelf_file *find_file(shelf *s, const char *name)
{
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->files[i].name, name) == 0)
            return &s->files[i];
    }
    return NULL;
}

static shelf_file *add_file(shelf *s, const char *name)
{
    assert_true(s->count < MAX_FILES);
    shelf_file *file = &s->files[s->count++];
    memset(file, 0, sizeof *file);
    file->shelf = s;
    snprintf(file->name, sizeof file->name, "%s", name);
    return file;
}

static facet_status append(void *user, const void *data, size_t size, facet_error *error)
{
    shelf_file *file = user;
    (void)error;
    file->data = realloc(file->data, file->size + size);
    assert_non_null(file->data);
    memcpy(file->data + file->size, data, size);
    file->size += size;
    return FACET_OK;
}

static facet_status put(shelf *s, const char *name, const void *data, size_t size)
{
    return append(add_file(s, name), data, size, NULL);
}

static void clear(shelf *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->files[i].data);
    assert_int_equal(s->open, 0);
    memset(s, 0, sizeof *s);
}

static void close_read(facet_source *source)
{
    ((shelf *)source->user)->open--;
}

static facet_source source_of(shelf *s, const char *name);

/* Names are relative to the folder of the file that contains them. */
static facet_status open_beside(const facet_source *source, const char *name, facet_source *sibling,
                                facet_error *error)
{
    char path[128];
    const char *slash = strrchr(source->name, '/');
    (void)error;
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - source->name) + 1 : 0, source->name,
             name);
    if (!find_file(source->user, path))
        return FACET_ERROR_IO;
    *sibling = source_of(source->user, path);
    sibling->close = close_read;
    ((shelf *)source->user)->open++;
    return FACET_OK;
}

static facet_source source_of(shelf *s, const char *name)
{
    const shelf_file *file = find_file(s, name);
    assert_non_null(file);
    facet_source source = facet_source_from_memory(file->data, file->size, file->name);
    source.open_sibling = open_beside;
    source.user = s;
    return source;
}

static facet_output_callbacks callbacks_of(shelf_file *file);

static facet_status open_output(void *user, const char *name, facet_output_callbacks *sibling,
                                facet_error *error)
{
    (void)error;
    *sibling = callbacks_of(add_file(((shelf_file *)user)->shelf, name));
    return FACET_OK;
}

static facet_status commit(void *user, facet_error *error)
{
    shelf_file *file = user;
    (void)error;
    file->committed = ++file->shelf->commits;
    return FACET_OK;
}

static void close_output(void *user)
{
    ((shelf_file *)user)->closed = true;
}

static facet_output_callbacks callbacks_of(shelf_file *file)
{
    return (facet_output_callbacks){append, open_output, commit, close_output, file};
}

static facet_output *output_to(shelf *s, const char *name, bool siblings)
{
    facet_output *output = NULL;
    facet_error error;
    facet_output_callbacks callbacks = callbacks_of(add_file(s, name));
    if (!siblings)
        callbacks.open_sibling = NULL;
    TEST_OK(facet_output_open_callbacks(&callbacks, name, &output, &error), &error);
    return output;
}

static facet_output *memory_output(const char *name)
{
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    if (name)
        TEST_OK(facet_output_set_name(output, name, &error), &error);
    return output;
}

static bool holds(const void *data, size_t size, const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp((const char *)data + i, text, length) == 0)
            return true;
    }
    return false;
}

static bool file_holds(shelf *s, const char *name, const char *text)
{
    const shelf_file *file = find_file(s, name);
    assert_non_null(file);
    return holds(file->data, file->size, text);
}

/* -- Read --------------------------------------------------------------- */

static const char box_obj[] = "mtllib lib/paint.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                              "usemtl red\nf 1 2 3\n";
static const char paint_mtl[] = "newmtl red\nKd 1 0.25 0\n";

static void expect_paint(const facet_source *source)
{
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_obj_read(source, NULL, NULL, &scene, &error), &error);
    assert_int_equal(scene->material_count, 1);
    static const float paint[3] = {1, 0.25f, 0};
    assert_memory_equal(scene->materials[0]->base_color, paint, sizeof paint);
    facet_scene_free(scene);
}

TEST(obj_finds_its_library)
{
    const facet_memory_file files[] = {{"a/box.obj", box_obj, sizeof box_obj - 1},
                                       {"lib/paint.mtl", "newmtl red\nKd 0 0 0\n", 20},
                                       {"a/lib/paint.mtl", paint_mtl, sizeof paint_mtl - 1}};
    const facet_memory_folder folder = {files, 3};
    facet_source source = facet_source_from_folder(&folder, 0);
    expect_paint(&source);

    shelf s = {0};
    for (size_t i = 0; i < 3; i++)
        put(&s, files[i].name, files[i].data, files[i].size);
    source = source_of(&s, "a/box.obj");
    expect_paint(&source);
    clear(&s);
}

/* A triangle fan of four corners, and an image of which only the first bytes are read. */
static const float square[12] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 0};
static const uint8_t picture[8] = {0x89, 'P', 'N', 'G', 1, 2, 3, 4};
static const char square_gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":48,\"uri\":\"the%20bytes.bin\"}]"
    ","
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],\"accessors\":[{\"bufferView\":0,"
    "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],\"images\":[{\"uri\":\"p.png\"}],"
    "\"meshes\":[{\"primitives\":[{\"mode\":6,\"attributes\":{\"POSITION\":0}}]}]}";

static void expect_square(const facet_source *source, bool with_picture)
{
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_gltf_read(source, NULL, NULL, &scene, &error), &error);
    assert_int_equal(scene->meshes[0]->face_count, 2);
    assert_memory_equal(scene->meshes[0]->streams[0].data, square, sizeof square);
    if (with_picture) {
        assert_int_equal(scene->images[0]->size, sizeof picture);
        assert_memory_equal(scene->images[0]->data, picture, sizeof picture);
    }
    facet_scene_free(scene);
}

TEST(gltf_finds_its_buffer)
{
    const facet_memory_file files[] = {{"p.png", picture, sizeof picture},
                                       {"the bytes.bin", square, sizeof square},
                                       {"square.gltf", square_gltf, sizeof square_gltf - 1}};
    const facet_memory_folder folder = {files, 3};
    facet_source source = facet_source_from_folder(&folder, 2);
    expect_square(&source, true);

    shelf s = {0};
    for (size_t i = 0; i < 3; i++)
        put(&s, files[i].name, files[i].data, files[i].size);
    source = source_of(&s, "square.gltf");
    expect_square(&source, true);
    clear(&s);

    facet_scene *scene = NULL;
    facet_error error;
    source = facet_source_from_memory(square_gltf, sizeof square_gltf - 1, "square.gltf");
    assert_int_equal(facet_gltf_read(&source, NULL, NULL, &scene, &error), FACET_ERROR_IO);
}

/* -- Write -------------------------------------------------------------- */

static facet_scene *read_box(void)
{
    const facet_memory_file files[] = {{"box.obj", box_obj, sizeof box_obj - 1},
                                       {"lib/paint.mtl", paint_mtl, sizeof paint_mtl - 1}};
    const facet_memory_folder folder = {files, 2};
    facet_source source = facet_source_from_folder(&folder, 0);
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_obj_read(&source, NULL, NULL, &scene, &error), &error);
    return scene;
}

/* A picture with a path of another machine is found by its name next to the file, else in the
 * folder of textures. Both are reported. */
TEST(pictures_are_found_by_base_name)
{
    static const char obj[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n";
    static const char mtl[] = "newmtl m\nmap_Kd C:\\Users\\me\\Desktop\\a.png\n";
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    for (int place = 0; place < 4; place++) { /* adjacent, in the folder, A.PNG, nowhere */
        const facet_memory_file files[] = {{"a.obj", obj, sizeof obj - 1},
                                           {"a.mtl", mtl, sizeof mtl - 1},
                                           {place == 0   ? "a.png"
                                            : place == 2 ? "A.PNG"
                                                         : "b.png",
                                            png, sizeof png}};
        const facet_memory_file others[] = {{"none", "", 0},
                                            {place == 1 ? "a.png" : "b.png", png, sizeof png}};
        const facet_memory_folder beside = {files, 3}, folder = {others, 2};
        facet_source source = facet_source_from_folder(&beside, 0);
        facet_source textures = facet_source_from_folder(&folder, 0);
        facet_scene *scene = NULL;
        facet_options options = {0};
        facet_error error;
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        facet_load_options load = {.image_files = true, .texture_folder = &textures};
        TEST_OK(facet_load(&source, NULL, &load, &options, &scene, &error), &error);
        assert_int_equal(scene->image_count, place < 3);
        if (place < 3)
            assert_memory_equal(scene->images[0]->data, png, sizeof png);
        const facet_finding *said =
            test_finding(options.report, place < 3 ? "IMAGE-PLACE" : "LOSS-IMAGES");
        assert_non_null(said);
        assert_non_null(strstr(said->message, place == 0   ? "'a.png' next to the file"
                                              : place == 2 ? "'A.PNG' next to the file"
                                              : place == 1 ? "in the folder of textures"
                                                           : "Desktop"));
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

/* A material library with a path of another machine is found by an end of that path. Two names in
 * one statement are both found. */
TEST(libraries_are_found_by_the_ends_of_their_paths)
{
    static const char *const names[] = {"C:\\Users\\me\\a.mtl", "/home/me/lib/a.mtl",
                                        "C:\\My Files\\a.mtl", "/x/b.mtl /y/a.mtl", "../a.mtl"};
    static const char a[] = "newmtl m\nKd 1 0 0\n", b[] = "newmtl n\nKd 0 1 0\n";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char obj[160];
        int length = snprintf(obj, sizeof obj,
                              "mtllib %s\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl n\nf 1 2 3\n"
                              "usemtl m\nf 1 2 3\n",
                              names[i]);
        const facet_memory_file files[] = {{"a.obj", obj, (size_t)length},
                                           {i == 1 ? "lib/a.mtl" : "a.mtl", a, sizeof a - 1},
                                           {"b.mtl", b, sizeof b - 1}};
        const facet_memory_folder beside = {files, 3};
        facet_source source = facet_source_from_folder(&beside, 0);
        facet_scene *scene = NULL;
        facet_options options = {0};
        facet_error error;
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
        assert_int_equal(scene->material_count, 2);
        assert_float_equal(scene->materials[1]->base_color[0], 1, 0);
        assert_float_equal(scene->materials[1]->base_color[1], 0, 0);
        if (i == 3) /* materials that no library has are white */
            assert_float_equal(scene->materials[0]->base_color[0], 0, 0);
        assert_non_null(test_finding(options.report, "OBJ-MTL-PLACE"));
        assert_null(test_finding(options.report, "OBJ-MTL-MISSING"));
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

/* Names in a glTF are URIs: a query or a fragment is not part of a file's name, unless a file has
 * that name. */
TEST(queries_of_uris_are_not_part_of_names)
{
    static const char *const uris[] = {"a.png?v=2", "a.png#top", "a.png?v=2", "tex/a.png?v=2"};
    static const char *const files[] = {"a.png", "a.png", "a.png?v=2", "a.png"};
    static const uint8_t png[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const uint8_t other[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 1};
    static const float points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        char gltf[900];
        int length = snprintf(
            gltf, sizeof gltf,
            "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"a.bin?%%"
            "20x#y\"}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
            "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}]"
            ","
            "\"images\":[{\"uri\":\"%s\"}],\"textures\":[{\"source\":0}],\"materials\":[{"
            "\"emissiveTexture\":{\"index\":0}}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
            "\"POSITION\":0},\"material\":0}]}],\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]"
            "}]}",
            uris[i]);
        const facet_memory_file all[] = {{"a.gltf", gltf, (size_t)length},
                                         {"a.bin", points, sizeof points},
                                         {files[i], png, sizeof png},
                                         {i == 2 ? "a.png" : "b.png", other, sizeof other}};
        const facet_memory_folder beside = {all, 4};
        facet_source source = facet_source_from_folder(&beside, 0);
        facet_scene *scene = NULL;
        facet_error error;
        facet_load_options load = {.image_files = true};
        TEST_OK(facet_load(&source, NULL, &load, NULL, &scene, &error), &error);
        assert_int_equal(scene->meshes[0]->face_count, 1);
        assert_int_equal(scene->image_count, 1);
        assert_int_equal(scene->images[0]->size, sizeof png);
        facet_scene_free(scene);
    }
}

/* Two pictures of another machine have the same base name. The ends of their paths are found in
 * folders next to the file. */
TEST(pictures_are_found_by_the_ends_of_their_paths)
{
    static const char obj[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n"
                              "usemtl n\nf 1 2 3\nusemtl o\nf 1 2 3\n";
    static const char mtl[] = "newmtl m\nmap_Kd C:\\work\\one\\t.png\nnewmtl n\n"
                              "map_Kd /home/me/two/t.png\nnewmtl o\nmap_Kd /a/b/c/d/e/t.png\n";
    static const uint8_t one[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 1};
    static const uint8_t two[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 2};
    const facet_memory_file files[] = {{"a.obj", obj, sizeof obj - 1},
                                       {"a.mtl", mtl, sizeof mtl - 1},
                                       {"one/t.png", one, sizeof one},
                                       {"two/t.png", two, sizeof two},
                                       {"a/b/c/d/e/t.png", two, sizeof two}};
    const facet_memory_folder beside = {files, 5};
    facet_source source = facet_source_from_folder(&beside, 0);
    facet_scene *scene = NULL;
    facet_options options = {0};
    facet_error error;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    facet_load_options load = {.image_files = true};
    TEST_OK(facet_load(&source, NULL, &load, &options, &scene, &error), &error);
    assert_int_equal(scene->image_count, 2); /* ends have at most three folders */
    assert_memory_equal(scene->images[0]->data, one, sizeof one);
    assert_memory_equal(scene->images[1]->data, two, sizeof two);
    facet_scene_free(scene);
    facet_report_free(options.report);
}

TEST(obj_and_library_are_written_by_callbacks)
{
    facet_scene *scene = read_box();
    facet_error error;
    shelf s = {0};
    facet_output *output = output_to(&s, "out/box.obj", true);
    TEST_OK(facet_obj_write(scene, NULL, output, &error), &error);
    assert_int_equal(s.commits, 0);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    assert_int_equal(s.count, 2);
    assert_true(file_holds(&s, "out/box.obj", "\nmtllib box.mtl\n"));
    assert_int_equal(find_file(&s, "out/box.mtl")->committed, 1); /* the main file is the last */
    assert_int_equal(find_file(&s, "out/box.obj")->committed, 2);
    assert_true(s.files[0].closed && s.files[1].closed);
    facet_source source = source_of(&s, "out/box.obj");
    expect_paint(&source);
    clear(&s);

    /* A stream of the caller that cannot open siblings. */
    facet_report *report = NULL;
    facet_options options = {0};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    options.report = report;
    output = output_to(&s, "box.obj", false);
    TEST_OK(facet_obj_write(scene, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    assert_int_equal(s.count, 1);
    assert_false(file_holds(&s, "box.obj", "mtllib"));
    assert_non_null(test_finding(report, "LOSS-MATERIALS"));
    facet_report_free(report);
    clear(&s);
    facet_scene_free(scene);
}

TEST(obj_and_library_are_written_to_memory)
{
    static const char *const names[][3] = {{"a/my box.obj", "my box.mtl", "mtllib my box.mtl\n"},
                                           {NULL, "scene.mtl", "mtllib scene.mtl\n"}};
    facet_scene *scene = read_box();
    for (size_t i = 0; i < 2; i++) {
        facet_error error;
        facet_output *output = memory_output(names[i][0]);
        TEST_OK(facet_obj_write(scene, NULL, output, &error), &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        const facet_output *library = facet_output_next_sibling(output);
        assert_string_equal(facet_output_name(library), names[i][1]);
        assert_true(
            holds(facet_output_data(output), (size_t)facet_output_size(output), names[i][2]));
        /* The written files form a folder that can be read. */
        const facet_memory_file files[] = {
            {"o.obj", facet_output_data(output), (size_t)facet_output_size(output)},
            {facet_output_name(library), facet_output_data(library),
             (size_t)facet_output_size(library)}};
        const facet_memory_folder folder = {files, 2};
        facet_source source = facet_source_from_folder(&folder, 0);
        expect_paint(&source);
        facet_output_free(output);
    }
    facet_scene_free(scene);
}

static facet_scene *read_square(void)
{
    const facet_memory_file files[] = {{"square.gltf", square_gltf, sizeof square_gltf - 1},
                                       {"the bytes.bin", square, sizeof square}};
    const facet_memory_folder folder = {files, 2};
    facet_source source = facet_source_from_folder(&folder, 0);
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_gltf_read(&source, NULL, NULL, &scene, &error), &error);
    return scene;
}

TEST(gltf_and_buffer_are_written_by_callbacks)
{
    facet_scene *scene = read_square();
    facet_error error;
    shelf s = {0};
    facet_output *output = output_to(&s, "out/my square.gltf", true);
    TEST_OK(facet_gltf_write_text(scene, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    assert_int_equal(s.count, 2);
    assert_true(file_holds(&s, "out/my square.gltf", "\"uri\":\"my%20square.bin\""));
    assert_int_equal(find_file(&s, "out/my square.bin")->committed, 1);
    facet_source source = source_of(&s, "out/my square.gltf");
    expect_square(&source, false);
    clear(&s);

    /* Without siblings the buffer is embedded. */
    output = output_to(&s, "square.gltf", false);
    TEST_OK(facet_gltf_write_text(scene, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    assert_int_equal(s.count, 1);
    assert_true(file_holds(&s, "square.gltf", "\"uri\":\"data:"));
    source = source_of(&s, "square.gltf");
    expect_square(&source, false);
    clear(&s);
    facet_scene_free(scene);
}

TEST(gltf_and_buffer_are_written_to_memory)
{
    facet_scene *scene = read_square();
    facet_error error;
    facet_output *output = memory_output("square.gltf");
    TEST_OK(facet_gltf_write_text(scene, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    const facet_output *buffer = facet_output_next_sibling(output);
    assert_string_equal(facet_output_name(buffer), "square.bin");
    const facet_memory_file files[] = {
        {"square.gltf", facet_output_data(output), (size_t)facet_output_size(output)},
        {"square.bin", facet_output_data(buffer), (size_t)facet_output_size(buffer)}};
    const facet_memory_folder folder = {files, 2};
    facet_source source = facet_source_from_folder(&folder, 0);
    expect_square(&source, false);
    facet_output_free(output);

    output = memory_output(NULL); /* no name to find it by */
    TEST_OK(facet_gltf_write_text(scene, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_null(facet_output_next_sibling(output));
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- Colliding names ---------------------------------------------------- */

static void expect_refused(const facet_scene *scene,
                           facet_status (*write)(const facet_scene *, const facet_options *,
                                                 facet_output *, facet_error *),
                           const char *name)
{
    facet_error error;
    shelf s = {0};
    facet_output *outputs[3] = {memory_output(name), output_to(&s, name, true), NULL};
    TEST_OK(facet_output_open(test_temporary(name), &outputs[2], &error), &error);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(write(scene, NULL, outputs[i], &error), FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "OUTPUT-NAMES");
        assert_non_null(strstr(error.message, name));
        assert_non_null(strstr(error.message, "another extension"));
        facet_output_free(outputs[i]);
    }
    assert_int_equal(access(test_temporary(name), F_OK), -1);
    assert_int_equal(s.commits, 0);
    clear(&s);
}

TEST(names_that_collide_are_refused)
{
    facet_scene *box = read_box(), *flat = read_square();
    expect_refused(box, facet_obj_write, "box.mtl");
    expect_refused(flat, facet_gltf_write_text, "square.bin");
    facet_scene_free(box);
    facet_scene_free(flat);
}

/* The OBJ refers to the link next to it, not to the target of the link. */
TEST(a_link_keeps_its_name)
{
    char link[4096];
    facet_scene *scene = read_box();
    facet_output *output = NULL;
    facet_error error;
    FILE *old = fopen(test_temporary("elsewhere.txt"), "wb");
    assert_non_null(old);
    fclose(old);
    snprintf(link, sizeof link, "%s", test_temporary("linked.mtl"));
    assert_int_equal(symlink("elsewhere.txt", link), 0);
    TEST_OK(facet_output_open(test_temporary("linked.obj"), &output, &error), &error);
    TEST_OK(facet_obj_write(scene, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    facet_file *file = NULL;
    TEST_OK(facet_file_open(test_temporary("linked.obj"), NULL, &file, &error), &error);
    assert_true(
        holds(facet_file_source(file).data, facet_file_source(file).size, "\nmtllib linked.mtl\n"));
    facet_source source = facet_file_source(file);
    expect_paint(&source);
    facet_file_close(file);
    facet_scene_free(scene);
}

/* -- Characters of names ------------------------------------------------ */

/* The name of the output, and that of the file next to it. Readers take "\\" for a separator, ":"
 * for the end of a drive or scheme, and skip the first blank. */
TEST(siblings_have_names_that_references_can_hold)
{
    static const struct {
        const char *name, *sibling;
    } cases[] = {{"a\\b", "a_b"},  {" lead", "_lead"}, {"a\nb", "a_b"},     {"12:30", "12_30"},
                 {"\"q\"", "_q_"}, {"a b ", "a b "},   {"a#b%20", "a#b%20"}};
    facet_scene *box = read_box(), *flat = read_square();
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        bool is_obj = i % 2 == 0;
        const char *name = cases[i / 2].name, *expected = cases[i / 2].sibling;
        char path[64], wanted[64];
        facet_error error;
        facet_report *report = NULL;
        facet_options options = {0};
        facet_output *output = NULL;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        options.report = report;
        snprintf(path, sizeof path, "%s.%s", name, is_obj ? "obj" : "gltf");
        snprintf(wanted, sizeof wanted, "%s.%s", expected, is_obj ? "mtl" : "bin");
        TEST_OK(facet_output_open(test_temporary(path), &output, &error), &error);
        TEST_OK(facet_save(is_obj ? box : flat, facet_format_named(is_obj ? "obj" : "gltf"),
                           &options, output, &error),
                &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        assert_string_equal(facet_output_name(output), path);
        assert_string_equal(facet_output_name(facet_output_next_sibling(output)), wanted);
        assert_int_equal(test_finding(report, "OUTPUT-SIBLING") != NULL,
                         strcmp(name, expected) != 0);
        facet_output_free(output);
        facet_file *file = NULL;
        TEST_OK(facet_file_open(test_temporary(path), NULL, &file, &error), &error);
        facet_source source = facet_file_source(file);
        if (is_obj)
            expect_paint(&source);
        else
            expect_square(&source, false);
        facet_file_close(file);
        facet_report_free(report);
    }
    facet_scene_free(box);
    facet_scene_free(flat);
}
