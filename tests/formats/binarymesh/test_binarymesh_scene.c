/* BinaryMesh: to and from a scene, through the format table. */
#include "formats/binarymesh/scene.h"
#include "support/binarymesh.h"

#include <facet/convert.h>
#include <math.h>
#include <stdio.h>

static const facet_format *format(void)
{
    const facet_format *found = facet_format_named("binarymesh");
    assert_non_null(found);
    return found;
}

static facet_report *make_report(void)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

static facet_scene *load(const uint8_t *data, size_t size, facet_report *report)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_options options = {.report = report};
    facet_source source = {.data = data, .size = size};
    TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

static facet_output *save(const facet_scene *scene, uint32_t version, facet_report *report)
{
    facet_error error;
    facet_output *output = NULL;
    facet_options options = {.report = report, .format_version = version};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, format(), &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* -- From files --------------------------------------------------------------- */

TEST(objects_become_meshes)
{
    for (uint32_t version = 1; version <= 4; version++) {
        bytes data = mixed_data(version), file = pack(version, data, 0);
        facet_scene *scene = load(file.data, file.size, NULL);
        assert_int_equal(scene->mesh_count, 2);
        assert_int_equal(scene->material_count, 2);
        assert_string_equal(scene->materials[0]->name, "red");
        assert_string_equal(scene->materials[1]->name, "blau \xC3\xBC");
        const facet_mesh *mesh = scene->meshes[0];
        static const uint32_t offsets[4] = {0, 4, 7, 12}, materials[3] = {1, 0, 1};
        static const float last[3] = {-0.5F, 1.25F, 0.125F};
        assert_string_equal(mesh->name, "mixed");
        assert_int_equal(mesh->face_count, 3);
        assert_memory_equal(mesh->face_offsets, offsets, sizeof offsets);
        assert_memory_equal(mesh->face_materials, materials, sizeof materials);
        assert_int_equal(mesh->stream_count, 3);
        const facet_stream *position = facet_mesh_find(mesh, FACET_POSITION, 0);
        const facet_stream *normal = facet_mesh_find(mesh, FACET_NORMAL, 0);
        const facet_stream *texcoord = facet_mesh_find(mesh, FACET_TEXCOORD, 0);
        assert_int_equal(position->count, 7);
        assert_memory_equal((const float *)position->data + 18, last, sizeof last);
        assert_int_equal(normal->count, 2);
        assert_int_equal(normal->indices[3], 1);
        assert_int_equal(normal->indices[4], FACET_NONE);
        assert_int_equal(texcoord->count, 4);
        assert_int_equal(texcoord->indices[7], FACET_NONE);
        assert_int_equal(scene->meshes[1]->stream_count, 1);
        assert_null(scene->meshes[1]->face_materials);
        assert_null(scene->meshes[1]->face_offsets);
        facet_scene_free(scene);
        free(data.data);
        free(file.data);
    }
}

/* A triangle with the given normals, slots and face slot. */
static bytes odd_file(uint32_t version, const double *normals, uint32_t slot)
{
    static const double positions[9] = {0.1, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t face[9] = {0, 0, 0, 1, 1, 0, 2, 2, 0};
    bytes data = {0};
    put_text(&data, "odd");
    put_reals(&data, version, 3, 3, positions);
    put_reals(&data, version, 3, 3, normals);
    put_u32(&data, 0);
    put_u16(&data, 2);
    put_text(&data, "");
    put_text(&data, "paint");
    put_u32(&data, 1);
    put_face(&data, 3, face, slot);
    bytes file = pack(version, data, 0);
    free(data.data);
    return file;
}

TEST(normals_are_made_unit)
{
    /* 3-4-5; zero; and a normal rounded to four digits, which is kept. */
    static const double normals[9] = {0, 3, 4, 0, 0, 0, 0.5774, 0.5774, 0.5774};
    for (uint32_t version = 3; version <= 4; version++) {
        bytes file = odd_file(version, normals, 1);
        facet_report *report = make_report();
        facet_scene *scene = load(file.data, file.size, report);
        const float *found = facet_mesh_find(scene->meshes[0], FACET_NORMAL, 0)->data;
        assert_true(found[0] == 0 && found[1] == 0.6F && found[2] == 0.8F);
        assert_true(found[3] == 1 && found[4] == 0 && found[5] == 0);
        assert_true(found[6] == 0.5774F && found[7] == 0.5774F && found[8] == 0.5774F);
        assert_int_equal(test_finding(report, "BM-NORMAL-LENGTH")->severity, FACET_SEVERITY_NOTE);
        assert_int_equal(test_finding(report, "BM-NORMAL-ZERO")->severity, FACET_SEVERITY_WARNING);
        /* 0.1 is rounded if it was a double before. */
        assert_int_equal(test_finding(report, "LOSS-PRECISION") != NULL, version == 3);
        facet_scene_free(scene);
        facet_report_free(report);
        free(file.data);
    }
}

TEST(slots_become_materials)
{
    static const double normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const struct {
        uint32_t slot, material;
        bool reported;
    } cases[] = {
        {1, 0, false}, {0, FACET_NONE, false}, {2, FACET_NONE, true}, {0xFFFF, FACET_NONE, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes file = odd_file(4, normals, cases[i].slot);
        facet_report *report = make_report();
        facet_scene *scene = load(file.data, file.size, report);
        assert_int_equal(scene->material_count, 1);
        assert_string_equal(scene->materials[0]->name, "paint");
        assert_int_equal(scene->meshes[0]->face_materials[0], cases[i].material);
        assert_int_equal(test_finding(report, "BM-FACE-MATERIAL-RANGE") != NULL, cases[i].reported);
        facet_scene_free(scene);
        facet_report_free(report);
        free(file.data);
    }
}

TEST(too_large_for_a_float)
{
    static const double normals[9] = {0, 0, 1, 0, 0, 1e300, 0, 0, 1};
    bytes file = odd_file(3, normals, 0);
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(
        facet_load(TEST_SOURCE(file.data, file.size), NULL, NULL, NULL, &scene, &error),
        FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "BM-FLOAT-RANGE");
    free(file.data);
}

/* Objects that share slot names share materials. */
TEST(materials_by_name)
{
    bytes data = mixed_data(4), again = mixed_data(4);
    put(&data, again.data, again.size);
    bytes file = pack(4, data, 0);
    facet_scene *scene = load(file.data, file.size, NULL);
    assert_int_equal(scene->mesh_count, 4);
    assert_int_equal(scene->material_count, 2);
    assert_int_equal(scene->meshes[2]->face_materials[0], 1);
    facet_scene_free(scene);
    free(again.data);
    free(data.data);
    free(file.data);
}

/* -- To files ------------------------------------------------------------------- */

/* A strip of quads, as in an OBJ: face i has positions 2i .. 2i + 3, every second face has a
 * separate normal, and all corners have texture coordinates. */
#define QUADS 6

static facet_mesh *add_strip(facet_scene *scene)
{
    facet_error error;
    facet_mesh *mesh = NULL;
    facet_stream *stream = NULL;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = QUADS;
    mesh->corner_count = QUADS * 4;
    mesh->face_offsets = facet_scene_allocate(scene, QUADS + 1, 4);
    mesh->face_materials = facet_scene_allocate(scene, QUADS, 4);
    for (uint32_t face = 0; face <= QUADS; face++)
        mesh->face_offsets[face] = face * 4;
    for (uint32_t face = 0; face < QUADS; face++)
        mesh->face_materials[face] = face % 3 == 2 ? FACET_NONE : face % 3;
    for (int kind = 0; kind < 3; kind++) {
        static const facet_semantic semantics[3] = {FACET_POSITION, FACET_NORMAL, FACET_TEXCOORD};
        uint32_t width = kind == 2 ? 2 : 3, count = kind == 1 ? QUADS : QUADS * 2 + 2;
        TEST_OK(facet_mesh_add_stream(mesh, semantics[kind], 0, NULL, FACET_FLOAT32, width, count,
                                      &stream, &error),
                &error);
        stream->indices = facet_scene_allocate(scene, mesh->corner_count, 4);
        for (uint32_t i = 0; i < count * width; i++)
            ((float *)stream->data)[i] = kind == 1 ? i % 3 == 2 : (float)i * 0.5F;
        for (uint32_t corner = 0; corner < mesh->corner_count; corner++) {
            static const uint32_t around[4] = {0, 1, 3, 2};
            uint32_t face = corner / 4;
            stream->indices[corner] =
                kind == 1 ? (face % 2 ? face : FACET_NONE) : face * 2 + around[corner % 4];
        }
    }
    return mesh;
}

static facet_scene *make_strip(void)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_material *material = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "wood", &material, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "stone", &material, &error), &error);
    add_strip(scene)->name = "strip";
    return scene;
}

static void assert_meshes(const facet_scene *a, const facet_mesh *x, const facet_scene *b,
                          const facet_mesh *y)
{
    assert_string_equal(x->name, y->name);
    assert_int_equal(x->face_count, y->face_count);
    assert_int_equal(x->corner_count, y->corner_count);
    for (uint32_t face = 0; face < x->face_count; face++) {
        assert_int_equal(facet_face_end(x, face), facet_face_end(y, face));
        uint32_t p = x->face_materials ? x->face_materials[face] : FACET_NONE;
        uint32_t q = y->face_materials ? y->face_materials[face] : FACET_NONE;
        assert_int_equal(p == FACET_NONE, q == FACET_NONE);
        if (p != FACET_NONE)
            assert_string_equal(a->materials[p]->name, b->materials[q]->name);
    }
    assert_int_equal(x->stream_count, y->stream_count);
    for (uint32_t i = 0; i < x->stream_count; i++) {
        const facet_stream *s = &x->streams[i], *t = &y->streams[i];
        assert_int_equal(s->semantic, t->semantic);
        assert_int_equal(s->count, t->count);
        assert_memory_equal(s->data, t->data, s->count * s->components * 4);
        assert_memory_equal(s->indices, t->indices, x->corner_count * 4);
    }
}

TEST(polygons_and_indices_survive)
{
    static const uint32_t versions[4] = {0, 1, 3, 4};
    facet_scene *scene = make_strip();
    for (size_t i = 0; i < 4; i++) {
        facet_report *report = make_report();
        facet_output *output = save(scene, versions[i], report);
        assert_int_equal(facet_report_count(report), 0);
        assert_int_equal(facet_output_data(output)[10], versions[i] ? versions[i] : 4);
        facet_scene *back =
            load(facet_output_data(output), (size_t)facet_output_size(output), report);
        assert_int_equal(facet_report_count(report), 0);
        assert_int_equal(back->mesh_count, 1);
        assert_meshes(scene, scene->meshes[0], back, back->meshes[0]);
        facet_scene_free(back);
        facet_output_free(output);
        facet_report_free(report);
    }
    facet_scene_free(scene);
}

TEST(version_2_is_not_written)
{
    facet_error error;
    facet_output *output = NULL;
    facet_scene *scene = make_strip();
    facet_options options = {.format_version = 2};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_save(scene, format(), &options, output, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "deprecated"));
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Faces 1 to 5 in three parts, 0 before them: four objects. */
TEST(parts_become_objects)
{
    facet_scene *scene = make_strip();
    facet_part parts[5] = {{"left", "", 1, 1},
                           {"left", "inner", 2, 1},
                           {"", "hinge", 3, 2},
                           {"never", "", 5, 0},
                           {"right", "", 5, 1}};
    scene->meshes[0]->parts = parts;
    scene->meshes[0]->part_count = 5;
    facet_report *report = make_report();
    facet_output *output = save(scene, 0, report);
    assert_non_null(test_finding(report, "LOSS-NAMES"));
    assert_int_equal(facet_report_count(report), 1);
    facet_binarymesh *document = read_output(output);
    static const struct {
        const char *name;
        uint32_t first, count;
    } expected[4] = {{"strip", 0, 1}, {"left", 1, 2}, {"hinge", 3, 2}, {"right", 5, 1}};
    assert_int_equal(document->object_count, 4);
    const facet_stream *streams = scene->meshes[0]->streams;
    for (uint32_t i = 0; i < 4; i++) {
        const facet_binarymesh_object *object = &document->objects[i];
        assert_text(object->name, expected[i].name);
        assert_int_equal(object->face_count, expected[i].count);
        /* n quads of a strip have 2n + 2 positions, in the original order. */
        assert_int_equal(object->position_count, expected[i].count * 2 + 2);
        assert_memory_equal(object->positions,
                            (const float *)streams[0].data + expected[i].first * 6,
                            object->position_count * 12);
        for (uint32_t corner = 0; corner < object->corner_count; corner++)
            assert_int_equal(object->position_indices[corner],
                             streams[0].indices[expected[i].first * 4 + corner] -
                                 expected[i].first * 2);
        /* One normal for each odd face. */
        uint32_t odd = (expected[i].first + expected[i].count) / 2 - expected[i].first / 2;
        assert_int_equal(object->normal_count, odd);
        assert_int_equal(object->texcoord_count, object->position_count);
    }
    /* Face 1 is stone, face 2 has no material; slots are in the order of use. */
    assert_int_equal(document->objects[1].slot_count, 2);
    assert_text(document->objects[1].slots[0], "stone");
    assert_text(document->objects[1].slots[1], "");
    facet_binarymesh_free(document);
    facet_output_free(output);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* Parts that are far apart in their arrays: elements keep their order. */
TEST(scattered_parts_keep_element_order)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_mesh *mesh = NULL;
    facet_stream *stream = NULL;
    enum { COUNT = 3000 };
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    TEST_OK(facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, COUNT, &stream,
                                  &error),
            &error);
    for (uint32_t i = 0; i < COUNT * 3; i++)
        ((float *)stream->data)[i] = (float)i;
    static uint32_t indices[6] = {2999, 7, 1500, 7, 0, 2999};
    facet_part parts[2] = {{"a", "", 0, 1}, {"b", "", 1, 1}};
    stream->indices = indices;
    mesh->face_count = 2;
    mesh->corner_count = 6;
    mesh->parts = parts;
    mesh->part_count = 2;
    facet_output *output = save(scene, 0, NULL);
    facet_binarymesh *document = read_output(output);
    static const uint32_t first[3] = {2, 0, 1}, second[3] = {1, 0, 2};
    static const float xs[6] = {7 * 3, 1500 * 3, 2999 * 3, 0, 7 * 3, 2999 * 3};
    assert_int_equal(document->object_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        const facet_binarymesh_object *object = &document->objects[i];
        assert_int_equal(object->position_count, 3);
        assert_memory_equal(object->position_indices, i ? second : first, sizeof first);
        for (uint32_t at = 0; at < 3; at++)
            assert_true(((float *)object->positions)[at * 3] == xs[i * 3 + at]);
    }
    facet_binarymesh_free(document);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(frame_is_converted)
{
    facet_scene *scene = make_strip();
    scene->axes.up = FACET_AXIS_Z;
    scene->axes.left_handed = true;
    scene->axes.unit = 0.5;
    scene->axes.uv_origin_top = true;
    facet_output *output = save(scene, 0, NULL);
    facet_binarymesh *document = read_output(output);
    const facet_binarymesh_object *object = &document->objects[0];
    const facet_stream *streams = scene->meshes[0]->streams;
    const float *from = (const float *)streams[0].data + 3, *to = (float *)object->positions + 3;
    /* (x, y, z) with z up, mirrored in the new z: (x, z, y) / 2. */
    assert_true(to[0] == from[0] / 2 && to[1] == from[2] / 2 && to[2] == from[1] / 2);
    const float *normal = object->normals; /* (0, 0, 1) is up */
    assert_true(normal[0] == 0 && normal[1] == 1 && normal[2] == 0);
    const float *texcoord = streams[2].data, *flipped = object->texcoords;
    assert_true(flipped[2] == texcoord[2] && flipped[3] == 1 - texcoord[3]);
    /* 0 1 3 2 reversed is 0 2 3 1. */
    static const uint32_t around[4] = {0, 2, 3, 1};
    assert_memory_equal(object->position_indices, around, sizeof around);
    facet_binarymesh_free(document);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(losses_are_named)
{
    static const struct {
        facet_semantic semantic;
        uint32_t set, components;
        facet_component component;
        const char *rule;
    } cases[] = {{FACET_COLOR, 0, 4, FACET_FLOAT32, "LOSS-COLORS"},
                 {FACET_TEXCOORD, 1, 2, FACET_FLOAT32, "LOSS-TEXCOORDS"},
                 {FACET_TANGENT, 0, 4, FACET_FLOAT32, "LOSS-TANGENTS"},
                 {FACET_JOINTS, 0, 4, FACET_UINT16, "LOSS-SKIN"},
                 {FACET_CUSTOM, 0, 1, FACET_FLOAT32, "LOSS-CUSTOM"}};
    facet_error error;
    facet_scene *scene = make_strip();
    facet_mesh *mesh = scene->meshes[0];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_stream *stream = NULL;
        TEST_OK(facet_mesh_add_stream(mesh, cases[i].semantic, cases[i].set,
                                      cases[i].semantic == FACET_CUSTOM ? "heat" : NULL,
                                      cases[i].component, cases[i].components, QUADS * 2 + 2,
                                      &stream, &error),
                &error);
        stream->indices = mesh->streams[0].indices;
    }
    facet_hull *hull = NULL;
    facet_mesh *occluder = NULL;
    TEST_OK(facet_scene_add_hull(scene, "hull", 0, &hull, &error), &error);
    TEST_OK(facet_scene_add_occluder(scene, &occluder, &error), &error);
    mesh->face_smoothing = facet_scene_allocate(scene, QUADS, 4);
    memset(mesh->face_smoothing, 1, QUADS * 4); /* all in group 0x01010101 */
    scene->materials[1]->base_color[0] = 0.5F;
    facet_node *node = NULL;
    TEST_OK(facet_scene_add_node(scene, "node", &node, &error), &error);
    TEST_OK(facet_scene_add_node(scene, "node", &node, &error), &error);
    node->transform.translation[1] = 2;
    facet_report *report = make_report();
    facet_output_free(save(scene, 0, report));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_non_null(test_finding(report, cases[i].rule));
    assert_non_null(test_finding(report, "LOSS-HULLS"));
    assert_non_null(test_finding(report, "LOSS-OCCLUDER"));
    assert_non_null(test_finding(report, "LOSS-SMOOTHING"));
    assert_non_null(test_finding(report, "LOSS-MATERIALS"));
    assert_int_equal(test_finding(report, "LOSS-NODES")->count, 2); /* the names of both */
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_WARNING), 10);
    facet_report_free(report);
    facet_scene_free(scene);
}

TEST(small_faces_are_left_out)
{
    facet_scene *scene = make_strip();
    facet_mesh *mesh = scene->meshes[0];
    /* 4, 2, 4, 6, 4, 4 corners. */
    mesh->face_offsets[2] = 6;
    mesh->face_offsets[3] = 10;
    facet_report *report = make_report();
    facet_output *output = save(scene, 0, report);
    assert_int_equal(test_finding(report, "LOSS-FACES")->count, 1);
    facet_binarymesh *document = read_output(output);
    const facet_binarymesh_object *object = &document->objects[0];
    static const uint32_t offsets[6] = {0, 4, 8, 14, 18, 22};
    assert_int_equal(object->face_count, 5);
    assert_memory_equal(object->face_offsets, offsets, sizeof offsets);
    assert_memory_equal(object->position_indices + 4, mesh->streams[0].indices + 6, 18 * 4);
    assert_int_equal(object->position_count, QUADS * 2 + 2);
    facet_binarymesh_free(document);
    facet_output_free(output);
    facet_report_free(report);
    facet_scene_free(scene);
}

TEST(scene_without_meshes)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_save(scene, format(), NULL, output, &error), FACET_ERROR_UNSUPPORTED);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- OBJ to BinaryMesh and back ---------------------------------------------------- */

/* Load a file of one format and save it as another. */
static facet_output *convert(const uint8_t *data, size_t size, const char *name, const char *to)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_source source = {.data = data, .size = size, .name = name};
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named(to), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_scene_free(scene);
    return output;
}

static void assert_contains(const facet_output *output, const char *expected)
{
    size_t length = strlen(expected), size = (size_t)facet_output_size(output);
    const char *text = (const char *)facet_output_data(output);
    for (size_t at = 0; at + length <= size; at++) {
        if (memcmp(text + at, expected, length) == 0)
            return;
    }
    fail_msg("'%s' is not in '%.*s'", expected, (int)size, text);
}

/* Two objects with separate elements and polygons with every kind of index: every line about them
 * is written back unchanged. */
TEST(obj_comes_back)
{
    static const char first[] = "o Body\nusemtl red\nf 1/1/1 2/2/1 3/3/2 4/1/1\n"
                                "f 1//1 2//1 3//2\nusemtl blue\nf 1 2 3\n";
    static const char second[] = "o Head\nusemtl green\nf 5/4 7/5 8/6 6/4\n";
    static const char numbers[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.1\n";
    static const char directions[] = "vn 0 0 1\nvn 0.5774 0.5774 0.5774\n";
    static const char more_numbers[] = "v 2 0.1 0\nv 2 1.5 0.3333333\nv 3 0 1e-10\nv 3 1 0\n";
    char obj[1000];
    int size = snprintf(obj, sizeof obj,
                        "%svt 0 0\nvt 1 0\nvt 1 1\n%s%s%svt 0 0.5\nvt 1 0\n"
                        "vt 1 1\n%s",
                        numbers, directions, first, more_numbers, second);
    facet_output *mesh = convert((const uint8_t *)obj, (size_t)size, "a.obj", "binarymesh");
    facet_output *back =
        convert(facet_output_data(mesh), (size_t)facet_output_size(mesh), "a.binarymesh", "obj");
    assert_contains(back, numbers);
    assert_contains(back, "vt 0 0\nvt 1 0\nvt 1 1\n");
    assert_contains(back, directions);
    assert_contains(back, first);
    assert_contains(back, more_numbers);
    assert_contains(back, "vt 0 0.5\nvt 1 0\nvt 1 1\n");
    assert_contains(back, second);
    facet_output_free(back);
    facet_output_free(mesh);
}

/* -- Copies and descriptions -------------------------------------------------- */

TEST(copy_keeps_version_and_precision)
{
    static const uint32_t kept[5] = {0, 1, 3, 3, 4};
    for (uint32_t version = 1; version <= 4; version++) {
        facet_error error;
        facet_output *output = NULL;
        bytes data = mixed_data(version), file = pack(version, data, 0);
        facet_source source = {.data = file.data, .size = file.size};
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_copy(&source, NULL, NULL, output, &error), &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        facet_binarymesh *a = read_document(file.data, file.size, NULL), *b = read_output(output);
        assert_int_equal(b->version, kept[version]);
        assert_documents(a, b);
        facet_binarymesh_free(a);
        facet_binarymesh_free(b);
        facet_output_free(output);
        free(data.data);
        free(file.data);
    }
}

TEST(describe_lists_objects_and_blocks)
{
    facet_error error;
    facet_description *description = NULL;
    bytes data = mixed_data(4), file = pack(4, data, 100);
    facet_source source = {.data = file.data, .size = file.size};
    TEST_OK(facet_describe(&source, NULL, NULL, &description, &error), &error);
    assert_string_equal(description->version, "4");
    assert_int_equal(description->meshes, 2);
    assert_int_equal(description->vertices, 10);
    assert_int_equal(description->faces, 4);
    assert_int_equal(description->triangles, 2 + 1 + 3 + 1);
    assert_int_equal(description->materials, 2);
    assert_true(description->has_bounds);
    assert_true(description->minimum[0] == -0.5 && description->maximum[1] == 1.5);
    const facet_tree *blocks = facet_tree_find(description->detail, "blocks");
    assert_int_equal(facet_tree_find(blocks, "count")->integer, (data.size + 99) / 100);
    assert_int_equal(facet_tree_find(blocks, "bytes")->integer, data.size);
    assert_int_equal(facet_tree_find(blocks, "compressed")->integer,
                     file.size - 12 - (data.size + 99) / 100 * 16);
    const facet_tree *object = facet_tree_find(description->detail, "objects")->first;
    assert_string_equal(facet_tree_find(object, "name")->string, "mixed");
    const facet_tree *histogram = facet_tree_find(object, "corners_per_face");
    assert_int_equal(facet_tree_find(histogram, "3")->integer, 1);
    assert_int_equal(facet_tree_find(histogram, "4")->integer, 1);
    assert_int_equal(facet_tree_find(histogram, "5")->integer, 1);
    assert_null(facet_tree_find(facet_tree_find(object->next, "corners_per_face"), "4"));
    assert_string_equal(facet_tree_find(object, "slots")->first->string, "red");
    facet_description_free(description);
    free(data.data);
    free(file.data);
}

/* -- To a GPU -------------------------------------------------------------------- */

/* The largest possible face: it spans blocks, and becomes 65,533 triangles. */
TEST(largest_face_becomes_65533_triangles)
{
    facet_error error;
    enum { CORNERS = 65535 };
    bytes data = {0};
    put_text(&data, "disc");
    put_u32(&data, CORNERS);
    for (uint32_t i = 0; i < CORNERS; i++) {
        double angle = 2 * 3.14159265358979 * i / CORNERS;
        put_real(&data, 4, cos(angle));
        put_real(&data, 4, sin(angle));
        put_real(&data, 4, 0);
    }
    put_u32(&data, 0);
    put_u32(&data, 0);
    put_u16(&data, 0);
    put_u32(&data, 1);
    put_u16(&data, CORNERS);
    for (uint32_t i = 0; i < CORNERS; i++) {
        put_u32(&data, i);
        put_u32(&data, FACET_NONE);
        put_u32(&data, FACET_NONE);
    }
    put_u16(&data, 0);
    bytes file = pack(4, data, 262144);
    facet_scene *scene = load(file.data, file.size, NULL);
    assert_int_equal(scene->meshes[0]->corner_count, CORNERS);
    TEST_OK(facet_mesh_triangulate(scene->meshes[0], NULL, NULL, &error), &error);
    assert_int_equal(scene->meshes[0]->face_count, CORNERS - 2);
    TEST_OK(facet_mesh_index(scene->meshes[0], NULL, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_scene_free(scene);
    free(data.data);
    free(file.data);
}

TEST(corpus_to_gpu)
{
    TEST_NEEDS_CORPUS();
    static const char *const names[] = {"studio_teapot.v3", "archive_f36a07a9.v4", "juice_00.v2",
                                        "material_preview_ground.v1", "pPlaneShape3.v3"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        facet_error error;
        facet_file *file = open_corpus(names[i]);
        facet_scene *scene = load(facet_file_source(file).data, facet_file_source(file).size, NULL);
        uint64_t triangles = 0, expected = 0;
        for (uint32_t at = 0; at < scene->mesh_count; at++) {
            facet_mesh *mesh = scene->meshes[at];
            expected += mesh->corner_count - 2 * (uint64_t)mesh->face_count;
            TEST_OK(facet_mesh_triangulate(mesh, NULL, NULL, &error), &error);
            TEST_OK(facet_mesh_index(mesh, NULL, NULL, &error), &error);
            triangles += mesh->face_count;
        }
        assert_int_equal(triangles, expected);
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        facet_scene_free(scene);
        facet_file_close(file);
    }
}

/* -- Robustness -------------------------------------------------------------------- */

static facet_status convert_once(const facet_allocator *allocator, void *user)
{
    const bytes *file = user;
    facet_options options = {.allocator = allocator};
    facet_source source = {.data = file->data, .size = file->size};
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_description *description = NULL;
    facet_status status = facet_describe(&source, format(), &options, &description, NULL);
    if (status)
        return status;
    facet_description_free(description);
    status = facet_load(&source, format(), NULL, &options, &scene, NULL);
    if (status)
        return status;
    facet_part parts[2] = {{"a", "", 0, 1}, {"b", "", 1, 1}};
    scene->meshes[0]->parts = parts;
    scene->meshes[0]->part_count = 2;
    scene->axes.left_handed = true;
    status = facet_output_open_memory(allocator, &output, NULL);
    if (!status)
        status = facet_save(scene, format(), &options, output, NULL);
    if (!status)
        status = facet_output_commit(output, NULL);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

/* -- Documents and scenes ------------------------------------------------- */

static void expect_same(facet_output *one, facet_output *other)
{
    assert_int_equal(facet_output_size(one), facet_output_size(other));
    assert_memory_equal(facet_output_data(one), facet_output_data(other),
                        (size_t)facet_output_size(one));
    facet_output_free(one);
    facet_output_free(other);
}

/* A document becomes the scene of its file, and is not changed. A document converted from a scene
 * points into that scene. */
TEST(document_and_file_become_equal_scenes)
{
    for (uint32_t version = 3; version <= 4; version++) {
        bytes data = mixed_data(version), file = pack(version, data, 0);
        facet_binarymesh *document = read_document(file.data, file.size, NULL), *back = NULL;
        facet_output *before = write_document(document, version, NULL);
        facet_scene *scene = NULL, *loaded = load(file.data, file.size, NULL);
        facet_error error;
        TEST_OK(facet_binarymesh_to_scene(document, NULL, NULL, &scene, &error), &error);
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        expect_same(save(scene, 0, NULL), save(loaded, 0, NULL));
        expect_same(before, write_document(document, version, NULL));
        facet_binarymesh_free(document); /* the scene does not depend on the document */
        TEST_OK(facet_binarymesh_from_scene(scene, NULL, &back, &error), &error);
        assert_ptr_equal(back->objects[0].positions, scene->meshes[0]->streams[0].data);
        expect_same(save(loaded, 0, NULL), write_document(back, 0, NULL));
        facet_binarymesh_free(back);
        facet_scene_free(scene);
        facet_scene_free(loaded);
        free(data.data);
        free(file.data);
    }
}

static facet_status convert_documents(const facet_allocator *allocator, void *user)
{
    const bytes *file = user;
    facet_options options = {.allocator = allocator};
    facet_binarymesh *document = NULL, *back = NULL;
    facet_scene *scene = NULL;
    facet_status status =
        facet_binarymesh_read(TEST_SOURCE(file->data, file->size), &options, &document, NULL);
    if (!status)
        status = facet_binarymesh_to_scene(document, NULL, &options, &scene, NULL);
    if (!status)
        status = facet_binarymesh_from_scene(scene, &options, &back, NULL);
    facet_binarymesh_free(back);
    facet_binarymesh_free(document);
    facet_scene_free(scene);
    return status;
}

TEST(scene_reports_failed_allocations)
{
    for (uint32_t version = 3; version <= 4; version++) {
        bytes data = mixed_data(version), file = pack(version, data, 90);
        test_every_allocation(convert_once, &file);
        test_every_allocation(convert_documents, &file);
        free(data.data);
        free(file.data);
    }
}
