/* Writing glTF: the file is read to the same scene, follows the specification, and is the same in
 * two runs. */
#include "formats/gltf/format.h"
#include "scene/scene.h"
#include "support/gltf.h"
#include "support/mesh.h"

#include <facet/pose.h>
#include <jansson.h>

/* -- Helpers ------------------------------------------------------------ */

static facet_scene *read_bytes(const void *data, size_t size)
{
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(test_gltf_read(data, size, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

static facet_output *write_scene(const facet_scene *scene, bool binary, facet_report *report)
{
    facet_output *output = NULL;
    facet_options options = {.report = report};
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    if (binary)
        TEST_OK(facet_gltf_write_binary(scene, &options, output, &error), &error);
    else
        TEST_OK(facet_gltf_write_text(scene, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static facet_scene *read_output(const facet_output *output)
{
    return read_bytes(facet_output_data(output), (size_t)facet_output_size(output));
}

static json_t *json_of(const facet_output *output)
{
    const uint8_t *data = facet_output_data(output);
    size_t size = (size_t)facet_output_size(output);
    uint32_t length;
    if (size > 20 && memcmp(data, "glTF", 4) == 0) {
        memcpy(&length, data + 12, 4);
        data += 20;
        size = length;
    }
    json_t *root = json_loadb((const char *)data, size, 0, NULL);
    assert_non_null(root);
    return root;
}

/* A mesh of `columns` x 2 vertices, in triangles of two alternating materials. */
static facet_scene *make_strip(uint32_t columns)
{
    facet_scene *scene = NULL;
    facet_mesh *mesh = NULL;
    facet_material *material = NULL;
    facet_stream *positions = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "red", &material, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "blue", &material, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = (columns - 1) * 2;
    mesh->corner_count = mesh->face_count * 3;
    uint32_t *indices = facet_scene_allocate(scene, mesh->corner_count, sizeof *indices);
    mesh->face_materials = facet_scene_allocate(scene, mesh->face_count, sizeof(uint32_t));
    TEST_OK(facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, columns * 2,
                                  &positions, &error),
            &error);
    positions->indices = indices;
    for (uint32_t i = 0; i < columns * 2; i++) {
        float *p = (float *)positions->data + (size_t)i * 3;
        p[0] = (float)(i / 2);
        p[1] = (float)(i % 2);
        p[2] = 0.1F;
    }
    for (uint32_t i = 0; i + 1 < columns; i++) {
        const uint32_t corners[6] = {i * 2, i * 2 + 2, i * 2 + 1, i * 2 + 1, i * 2 + 2, i * 2 + 3};
        memcpy(indices + (size_t)i * 6, corners, sizeof corners);
        mesh->face_materials[i * 2] = 0;
        mesh->face_materials[i * 2 + 1] = 1;
    }
    return scene;
}

static size_t count_of(const json_t *root, const char *key)
{
    return json_array_size(json_object_get(root, key));
}

/* -- Lines and points --------------------------------------------------- */

/* Three lines, red, blue, red, and two points, blue and without a material, become a primitive for
 * each kind and material, in the order of the first one. Vertices 0 to 7. */
TEST(lines_and_points_are_a_primitive_per_material)
{
    static const struct {
        int mode, material;
        size_t count;
    } expected[] = {{4, 0, 9}, {4, 1, 9}, {1, 0, 4}, {1, 1, 2}, {0, 1, 1}, {0, -1, 1}};
    static const uint32_t lines[6] = {0, 1, 2, 3, 4, 5}, points[2] = {6, 7};
    static const uint32_t of_lines[3] = {0, 1, 0}, of_points[2] = {1, FACET_NONE};
    static const uint32_t sorted[6] = {0, 1, 4, 5, 2, 3}, sorted_materials[3] = {0, 0, 1};
    facet_scene *scene = make_strip(4);
    facet_mesh *mesh = scene->meshes[0];
    mesh->lines = test_copy(scene, lines, 6);
    mesh->line_materials = test_copy(scene, of_lines, 3);
    mesh->line_count = 3;
    mesh->points = test_copy(scene, points, 2);
    mesh->point_materials = test_copy(scene, of_points, 2);
    mesh->point_count = 2;
    facet_output *output = write_scene(scene, true, NULL);
    json_t *root = json_of(output);
    json_t *primitives =
        json_object_get(json_array_get(json_object_get(root, "meshes"), 0), "primitives");
    assert_int_equal(json_array_size(primitives), 6);
    for (size_t i = 0; i < 6; i++) {
        json_t *primitive = json_array_get(primitives, i);
        json_t *mode = json_object_get(primitive, "mode");
        json_t *material = json_object_get(primitive, "material");
        json_int_t index = json_integer_value(json_object_get(primitive, "indices"));
        json_t *accessor = json_array_get(json_object_get(root, "accessors"), (size_t)index);
        assert_int_equal(mode ? json_integer_value(mode) : 4, expected[i].mode);
        assert_int_equal(material ? json_integer_value(material) : -1, expected[i].material);
        assert_int_equal(json_integer_value(json_object_get(accessor, "count")), expected[i].count);
    }
    json_decref(root);
    facet_scene *again = read_output(output);
    const facet_mesh *back = again->meshes[0];
    assert_int_equal(back->line_count, 3);
    assert_memory_equal(back->lines, sorted, sizeof sorted);
    assert_memory_equal(back->line_materials, sorted_materials, sizeof sorted_materials);
    assert_memory_equal(back->points, points, sizeof points);
    assert_memory_equal(back->point_materials, of_points, sizeof of_points);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- Layout ------------------------------------------------------------- */

static void expect_indices(const facet_output *output, int type)
{
    json_t *root = json_of(output);
    json_t *mesh = json_array_get(json_object_get(root, "meshes"), 0);
    json_t *primitives = json_object_get(mesh, "primitives");
    assert_int_equal(json_array_size(primitives), 2); /* one per material */
    for (size_t i = 0; i < 2; i++) {
        json_t *primitive = json_array_get(primitives, i);
        assert_int_equal(json_integer_value(json_object_get(primitive, "material")), i);
        json_int_t index = json_integer_value(json_object_get(primitive, "indices"));
        json_t *accessor = json_array_get(json_object_get(root, "accessors"), (size_t)index);
        assert_int_equal(json_integer_value(json_object_get(accessor, "componentType")), type);
    }
    json_decref(root);
}

/* 65535 restarts a primitive if restart is enabled: indices end at 65534. */
TEST(indices_are_narrow_where_they_fit)
{
    static const uint32_t columns[2] = {32767, 32769}; /* 65534 and 65538 vertices */
    for (int i = 0; i < 2; i++) {
        facet_scene *scene = make_strip(columns[i]);
        facet_output *output = write_scene(scene, true, NULL);
        expect_indices(output, i == 0 ? 5123 : 5125);
        facet_scene *again = read_output(output);
        const facet_mesh *a = scene->meshes[0], *b = again->meshes[0];
        assert_int_equal(b->face_count, a->face_count);
        /* First the red faces, then the blue ones, each in their order. */
        for (uint32_t f = 0; f < a->face_count; f++) {
            uint32_t to = f / 2 + f % 2 * (a->face_count / 2);
            assert_int_equal(b->face_materials[to], f % 2);
            for (uint32_t c = 0; c < 3; c++) {
                const float *p =
                    (const float *)a->streams[0].data + a->streams[0].indices[f * 3 + c] * 3;
                const float *q =
                    (const float *)b->streams[0].data + b->streams[0].indices[to * 3 + c] * 3;
                assert_memory_equal(p, q, 12);
            }
        }
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

TEST(the_container_is_as_specified)
{
    facet_scene *scene = make_strip(3);
    facet_output *output = write_scene(scene, true, NULL);
    const uint8_t *data = facet_output_data(output);
    size_t size = (size_t)facet_output_size(output);
    uint32_t words[5], chunk[2];
    memcpy(words, data, 20);
    assert_memory_equal(data, "glTF", 4);
    assert_int_equal(words[1], 2);
    assert_int_equal(words[2], size);
    assert_int_equal(words[3] % 4, 0);
    assert_memory_equal(data + 16, "JSON", 4);
    memcpy(chunk, data + 20 + words[3], 8);
    assert_memory_equal(data + 24 + words[3], "BIN", 4);
    assert_int_equal(chunk[0] % 4, 0);
    assert_int_equal(28 + words[3] + chunk[0], size);
    /* 6 vertices of 12 bytes; twice 2 triangles of 16-bit indices */
    assert_int_equal(chunk[0], 72 + 2 * 12);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(a_text_file_has_its_buffer_beside_it)
{
    facet_scene *scene = make_strip(3);
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open(test_temporary("my strip.gltf"), &output, &error), &error);
    TEST_OK(facet_gltf_write_text(scene, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    json_t *root = json_load_file(test_temporary("my strip.gltf"), 0, NULL);
    json_t *buffer = json_array_get(json_object_get(root, "buffers"), 0);
    assert_string_equal(json_string_value(json_object_get(buffer, "uri")), "my%20strip.bin");
    json_decref(root);
    FILE *bin = fopen(test_temporary("my strip.bin"), "rb");
    assert_non_null(bin);
    fseek(bin, 0, SEEK_END);
    assert_int_equal(ftell(bin), 72 + 2 * 12);
    fclose(bin);
    /* Without sibling files the JSON contains the buffer. */
    output = write_scene(scene, false, NULL);
    facet_scene *again = read_output(output);
    assert_int_equal(again->meshes[0]->face_count, 4);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- Conversions -------------------------------------------------------- */

/* v grows upwards in a scene, and downwards in glTF. The bitangent of a tangent with w = 1 is
 * along v in a scene, and upwards in glTF: the same direction, so w stays. */
TEST(v_is_turned_once)
{
    static const float texcoords[12] = {0, 0, 1, 0.25F, 0.5F, 1, 0, 0, 1, 1, 0, 1};
    for (int top = 0; top < 2; top++) {
        facet_scene *scene = make_strip(3);
        facet_mesh *mesh = scene->meshes[0];
        facet_error error;
        static const facet_semantic semantics[3] = {FACET_TEXCOORD, FACET_NORMAL, FACET_TANGENT};
        static const uint32_t widths[3] = {2, 3, 4};
        for (int s = 0; s < 3; s++) {
            facet_stream *stream = NULL;
            TEST_OK(facet_mesh_add_stream(mesh, semantics[s], 0, NULL, FACET_FLOAT32, widths[s], 6,
                                          &stream, &error),
                    &error);
            stream->indices = mesh->streams[0].indices;
            for (uint32_t i = 0; i < 6; i++) {
                float *v = (float *)stream->data + (size_t)i * widths[s];
                if (s == 0)
                    memcpy(v, texcoords + i * 2, 8);
                else
                    memcpy(v, s == 1 ? (float[]){0, 0, 1} : (float[]){1, 0, 0, 1},
                           widths[s] * sizeof *v);
            }
        }
        scene->axes.uv_origin_top = top == 1;
        facet_output *output = write_scene(scene, true, NULL);
        facet_scene *again = read_output(output);
        const float *uv = facet_mesh_find(again->meshes[0], FACET_TEXCOORD, 0)->data;
        const float *t = facet_mesh_find(again->meshes[0], FACET_TANGENT, 0)->data;
        for (int i = 0; i < 6; i++) {
            assert_float_equal(uv[i * 2], texcoords[i * 2], 0);
            assert_float_equal(uv[i * 2 + 1], top ? texcoords[i * 2 + 1] : 1 - texcoords[i * 2 + 1],
                               1e-7F);
            /* After reading, v grows downwards: w = 1 in the file would be -1 here. */
            assert_float_equal(t[i * 4 + 3], top ? 1 : -1, 0);
        }
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* +Z up, left-handed, centimeters: the position of (1, 2, 3). Up stays up: y' = 0.03. Right stays
 * right: x' = 0.01. Forward is +y in the scene; glTF looks along -z, and the mirror reverses it:
 * z' = 0.02. */
TEST(the_frame_becomes_a_node)
{
    facet_scene *scene = make_strip(2);
    facet_error error;
    scene->axes.up = FACET_AXIS_Z;
    scene->axes.left_handed = true;
    scene->axes.unit = 0.01;
    float *points = scene->meshes[0]->streams[0].data;
    for (int i = 0; i < 4; i++)
        memcpy(points + i * 3, (float[]){1, 2, 3}, 12);
    facet_output *output = write_scene(scene, true, NULL);
    facet_scene *again = read_output(output);
    double low[3], high[3];
    bool any;
    TEST_OK(facet_scene_bounds(again, NULL, low, high, &any, &error), &error);
    assert_float_equal((float)low[0], 0.01F, 1e-6F);
    assert_float_equal((float)low[1], 0.03F, 1e-6F);
    assert_float_equal((float)low[2], 0.02F, 1e-6F);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* MTL values become glTF values: Kd and d become the base color, Ns 250 of 1000 becomes roughness
 * 1 - sqrt(0.25). */
/* glTF does not allow a matrix that is not invertible; a scale may be 0. */
TEST(a_flat_matrix_becomes_a_scale)
{
    static const float gone[16] = {[12] = 1, [13] = 2, [14] = 3, [15] = 1};
    static const float flat[16] = {2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1};
    facet_scene *scene = NULL;
    assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
    for (int i = 0; i < 2; i++) {
        facet_node *node = NULL;
        assert_int_equal(facet_scene_add_node(scene, "", &node, NULL), FACET_OK);
        node->has_matrix = true;
        memcpy(node->matrix, i ? flat : gone, sizeof gone);
    }
    facet_output *output = write_scene(scene, true, NULL);
    json_t *root = json_of(output);
    static const double scales[2][3] = {{0, 0, 0}, {2, 0, 3}};
    for (size_t i = 0; i < 2; i++) {
        const json_t *node = json_array_get(json_object_get(root, "nodes"), i);
        assert_null(json_object_get(node, "matrix"));
        for (size_t k = 0; k < 3; k++)
            assert_float_equal(json_number_value(json_array_get(json_object_get(node, "scale"), k)),
                               scales[i][k], 0);
    }
    json_decref(root);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(mtl_words_become_pbr)
{
    facet_scene *scene = make_strip(2);
    facet_material *m = scene->materials[0];
    facet_classic classic;
    facet_classic_init(&classic);
    classic.stated = FACET_CLASSIC_DIFFUSE | FACET_CLASSIC_OPACITY | FACET_CLASSIC_SHININESS;
    memcpy(classic.diffuse, (float[]){0.5F, 0.25F, 0.125F}, 12);
    classic.opacity = 0.5F;
    classic.shininess = 250;
    test_map(scene, m, FACET_MAP_DIFFUSE)->path =
        "textures\\a b.png"; /* and no texture coordinates */
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_scene_set_classic(scene, m, &classic, &error), &error);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_output *output = write_scene(scene, true, report);
    facet_scene *again = read_output(output);
    const facet_material *back = again->materials[0];
    assert_float_equal(back->base_color[0], 0.5F, 0);
    assert_float_equal(back->base_color[3], 0.5F, 0);
    assert_float_equal(back->roughness, 0.5F, 1e-6F);
    assert_float_equal(back->metallic, 0, 0);
    assert_int_equal(back->alpha_mode, FACET_ALPHA_BLEND);
    assert_string_equal(back->maps[FACET_MAP_DIFFUSE]->path, "textures/a b.png");
    /* The primitive uses a copy of the material without the map, with a finding. */
    uint32_t used = again->meshes[0]->face_materials[0];
    assert_int_equal(used, 2);
    assert_null(again->materials[used]->maps[FACET_MAP_DIFFUSE]);
    assert_non_null(test_finding(report, "LOSS-TEXTURES"));
    facet_report_free(report);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Values that differ from glTF's defaults are written, and no others. */
TEST(transforms_of_textures_have_only_what_differs)
{
    static const struct {
        float offset[2], scale[2];
        const char *expected;
    } cases[] = {{{0.25F, 0}, {1, 1}, "{\"offset\":[0.25,0]}"},
                 {{0, 0.25F}, {1, 1}, "{\"offset\":[0,0.25]}"},
                 {{0, 0}, {2, 1}, "{\"scale\":[2,1]}"},
                 {{0, 0}, {1, 2}, "{\"scale\":[1,2]}"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = make_strip(2);
        scene->axes.uv_origin_top = true;
        facet_texture *map = test_map(scene, scene->materials[0], FACET_MAP_DIFFUSE);
        map->path = "a.png";
        map->has_transform = true;
        memcpy(map->offset, cases[i].offset, sizeof map->offset);
        memcpy(map->scale, cases[i].scale, sizeof map->scale);
        facet_output *output = write_scene(scene, true, NULL);
        json_t *root = json_of(output), *expected = json_loads(cases[i].expected, 0, NULL);
        json_t *material = json_array_get(json_object_get(root, "materials"), 0);
        json_t *base =
            json_object_get(json_object_get(material, "pbrMetallicRoughness"), "baseColorTexture");
        assert_true(json_equal(
            json_object_get(json_object_get(base, "extensions"), "KHR_texture_transform"),
            expected));
        json_decref(expected);
        json_decref(root);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* glTF requires an underscore. Two streams never get one name: the other would be lost. */
TEST(names_of_custom_attributes_differ_and_are_reported)
{
    static const char *const names[] = {"heat", "_heat", "__heat", "Wear"};
    static const char *const written[] = {"___heat", "_heat", "__heat", "_Wear"};
    facet_scene *scene = make_strip(2);
    facet_mesh *mesh = scene->meshes[0];
    facet_report *report = NULL;
    facet_error error;
    uint32_t count = mesh->streams[0].count;
    for (int i = 0; i < 4; i++) {
        facet_stream *stream = NULL;
        TEST_OK(facet_mesh_add_stream(mesh, FACET_CUSTOM, 0, names[i], FACET_FLOAT32, 1, count,
                                      &stream, &error),
                &error);
        stream->indices = mesh->streams[0].indices;
        for (uint32_t k = 0; k < count; k++)
            ((float *)stream->data)[k] = (float)i;
    }
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_output *output = write_scene(scene, true, report);
    facet_scene *again = read_output(output);
    for (int i = 0; i < 4; i++) {
        const facet_stream *found = NULL;
        for (uint32_t k = 0; k < again->meshes[0]->stream_count; k++) {
            const facet_stream *stream = &again->meshes[0]->streams[k];
            if (stream->semantic == FACET_CUSTOM && strcmp(stream->name, written[i]) == 0)
                found = stream;
        }
        assert_non_null(found);
        assert_float_equal(((const float *)found->data)[0], (float)i, 0);
    }
    const facet_finding *finding = test_finding(report, "LOSS-NAMES");
    assert_non_null(finding);
    assert_int_equal(finding->count, 2);
    assert_non_null(strstr(finding->message, "'heat'"));
    facet_report_free(report);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Doubles become floats: 0.1 is 0x3DCCCCCD as a float. 32-bit integers have no type in glTF, and
 * get no name that is reported. */
TEST(custom_doubles_are_rounded_to_floats)
{
    facet_scene *scene = make_strip(2);
    facet_mesh *mesh = scene->meshes[0];
    facet_stream *stream = NULL;
    facet_report *report = NULL;
    facet_error error;
    uint32_t count = mesh->streams[0].count;
    TEST_OK(facet_mesh_add_stream(mesh, FACET_CUSTOM, 0, "count", FACET_INT32, 1, count, &stream,
                                  &error),
            &error);
    stream->indices = mesh->streams[0].indices;
    memset(stream->data, 0, (size_t)count * 4);
    TEST_OK(facet_mesh_add_stream(mesh, FACET_CUSTOM, 0, "heat", FACET_FLOAT64, 2, count, &stream,
                                  &error),
            &error);
    stream->indices = mesh->streams[0].indices;
    for (uint32_t i = 0; i < count * 2; i++)
        ((double *)stream->data)[i] = i + 0.1;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_output *output = write_scene(scene, true, report);
    facet_scene *again = read_output(output);
    const facet_stream *found = facet_mesh_find(again->meshes[0], FACET_CUSTOM, 0);
    assert_non_null(found);
    assert_string_equal(found->name, "_heat");
    assert_int_equal(found->components, 2);
    assert_memory_equal(found->data, &(uint32_t){0x3DCCCCCD}, 4);
    assert_float_equal(((const float *)found->data)[3], 3.1F, 0);
    assert_non_null(test_finding(report, "LOSS-PRECISION"));
    const facet_finding *lost = test_finding(report, "LOSS-CUSTOM");
    assert_non_null(lost);
    assert_non_null(strstr(lost->message, "'count'"));
    assert_null(strstr(lost->message, "'heat'"));
    assert_int_equal(test_finding(report, "LOSS-NAMES")->count, 1);
    facet_report_free(report);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

static bool has_text(const facet_output *output, const char *text)
{
    size_t size = (size_t)facet_output_size(output), length = strlen(text);
    const uint8_t *data = facet_output_data(output);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(data + i, text, length) == 0)
            return true;
    }
    return false;
}

/* Every value of a camera, a light and a hidden node survives a round trip. */
TEST(cameras_lights_and_visibility)
{
    facet_scene *scene = make_strip(2);
    facet_camera *camera = NULL;
    facet_light *light = NULL;
    facet_node *node = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_camera(scene, "deep", &camera, &error), &error);
    camera->field_of_view = 0.5F;
    camera->aspect_ratio = 1.5F;
    camera->near_distance = 0.25F;
    camera->far_distance = 100;
    TEST_OK(facet_scene_add_camera(scene, "flat", &camera, &error), &error);
    camera->is_orthographic = true;
    camera->width = 3;
    camera->height = 2;
    camera->far_distance = 50;
    camera->extras = "{\"lens\":35}";
    for (int kind = 0; kind < 3; kind++) {
        TEST_OK(facet_scene_add_light(scene, "lamp", &light, &error), &error);
        light->kind = (facet_light_kind)kind;
        memcpy(light->color, (float[]){1, 0.5F, 0.25F}, 12);
        light->intensity = 40;
        light->range = 8;
        light->inner_cone_angle = 0.25F;
        light->outer_cone_angle = 0.5F;
    }
    for (uint32_t i = 0; i < 3; i++) {
        TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
        node->light = i;
        node->camera = i < 2 ? i : FACET_NONE;
        node->hidden = i == 1;
    }
    node->mesh = 0;
    facet_output *output = write_scene(scene, false, NULL);
    assert_true(has_text(output, "\"extensionsUsed\""));
    assert_true(has_text(output, "\"KHR_lights_punctual\""));
    assert_true(has_text(output, "\"xmag\""));
    facet_scene *again = read_output(output);
    assert_int_equal(again->camera_count, 2);
    assert_int_equal(again->light_count, 3);
    for (uint32_t i = 0; i < 2; i++) {
        const facet_camera *a = scene->cameras[i], *b = again->cameras[i];
        assert_string_equal(a->name, b->name);
        assert_int_equal(a->is_orthographic, b->is_orthographic);
        assert_true(a->near_distance == b->near_distance && a->far_distance == b->far_distance);
        assert_true(a->is_orthographic || a->field_of_view == b->field_of_view);
        assert_true(a->aspect_ratio == b->aspect_ratio);
        assert_true(a->width == b->width && a->height == b->height);
    }
    assert_string_equal(again->cameras[1]->extras, "{\"lens\":35}");
    for (uint32_t i = 0; i < 3; i++) {
        const facet_light *a = scene->lights[i], *b = again->lights[i];
        assert_int_equal(a->kind, b->kind);
        assert_memory_equal(a->color, b->color, sizeof a->color);
        assert_true(a->intensity == b->intensity);
        assert_true(a->kind == FACET_LIGHT_DIRECTIONAL || a->range == b->range);
        assert_true(a->kind != FACET_LIGHT_SPOT || (a->inner_cone_angle == b->inner_cone_angle &&
                                                    a->outer_cone_angle == b->outer_cone_angle));
        assert_int_equal(again->nodes[i]->light, i);
        assert_int_equal(again->nodes[i]->camera, i < 2 ? i : FACET_NONE);
        assert_int_equal(again->nodes[i]->hidden, i == 1);
    }
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(losses_are_told)
{
    facet_scene *scene = make_strip(2);
    facet_report *report = NULL;
    facet_hull *hull = NULL;
    facet_mesh *occluder = NULL;
    facet_node *node = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_scene_add_hull(scene, "h", 1, &hull, &error), &error);
    memset(hull->points, 0, 12);
    TEST_OK(facet_scene_add_occluder(scene, &occluder, &error), &error);
    TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
    node->mesh = 0;
    node->extras = "{broken";
    facet_output *output = write_scene(scene, true, report);
    static const char *const rules[] = {"LOSS-HULLS", "LOSS-OCCLUDER", "LOSS-EXTRAS"};
    for (size_t i = 0; i < 3; i++)
        assert_non_null(test_finding(report, rules[i]));
    assert_int_equal(facet_report_count(report), 3);
    facet_output_free(output);
    facet_report_free(report);
    facet_scene_free(scene);
}

static facet_status write_with(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_output *output = NULL;
    facet_status status = facet_output_open_memory(allocator, &output, NULL);
    if (!status)
        status = facet_gltf_write_text(user, &options, output, NULL);
    if (!status)
        status = facet_output_commit(output, NULL);
    facet_output_free(output);
    return status;
}

TEST(save_reports_failed_allocations)
{
    facet_scene *scene = make_strip(3);
    test_every_allocation(write_with, scene);
    facet_scene_free(scene);
}

/* -- Real files --------------------------------------------------------- */

static void same_streams(const facet_mesh *a, const facet_mesh *b)
{
    assert_int_equal(a->stream_count, b->stream_count);
    assert_int_equal(a->face_count, b->face_count);
    for (uint32_t s = 0; s < a->stream_count; s++) {
        const facet_stream *x = &a->streams[s];
        const facet_stream *y = facet_mesh_find(b, x->semantic, x->set);
        assert_non_null(y);
        /* Weights that did not sum to 1 are normalized. */
        if (x->semantic == FACET_WEIGHTS || x->semantic == FACET_JOINTS)
            continue;
        size_t size = facet_component_size(x->component) * x->components;
        for (uint32_t c = 0; c < a->corner_count; c++)
            assert_memory_equal((const uint8_t *)x->data + x->indices[c] * size,
                                (const uint8_t *)y->data + y->indices[c] * size, size);
    }
    for (uint32_t f = 0; a->face_materials && f < a->face_count; f++)
        assert_int_equal(a->face_materials[f], b->face_materials[f]);
}

static void same_animations(const facet_scene *a, const facet_scene *b)
{
    assert_int_equal(a->animation_count, b->animation_count);
    for (uint32_t i = 0; i < a->animation_count; i++) {
        const facet_animation *x = a->animations[i], *y = b->animations[i];
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->channel_count, y->channel_count);
        for (uint32_t c = 0; c < x->channel_count; c++) {
            const facet_channel *p = &x->channels[c], *q = &y->channels[c];
            assert_int_equal(p->key_count, q->key_count);
            assert_int_equal(p->target, q->target);
            assert_int_equal(p->interpolation, q->interpolation);
            assert_memory_equal(p->times, q->times, p->key_count * sizeof(float));
            assert_memory_equal(p->values, q->values, p->key_count * p->width * sizeof(float));
        }
    }
}

static void same_scenes(const facet_scene *a, const facet_scene *b)
{
    assert_int_equal(a->mesh_count, b->mesh_count);
    for (uint32_t i = 0; i < a->mesh_count; i++)
        same_streams(a->meshes[i], b->meshes[i]);
    assert_int_equal(a->material_count, b->material_count);
    for (uint32_t i = 0; i < a->material_count; i++) {
        assert_string_equal(a->materials[i]->name, b->materials[i]->name);
        assert_memory_equal(a->materials[i]->base_color, b->materials[i]->base_color, 16);
        assert_float_equal(a->materials[i]->roughness, b->materials[i]->roughness, 0);
    }
    assert_int_equal(a->image_count, b->image_count);
    for (uint32_t i = 0; i < a->image_count; i++) {
        assert_int_equal(a->images[i]->size, b->images[i]->size);
        assert_memory_equal(a->images[i]->data, b->images[i]->data, a->images[i]->size);
    }
    /* Skinned meshes may get a node at the root. */
    assert_true(b->node_count >= a->node_count);
    for (uint32_t i = 0; i < a->node_count; i++) {
        assert_string_equal(a->nodes[i]->name, b->nodes[i]->name);
        assert_int_equal(a->nodes[i]->parent, b->nodes[i]->parent);
    }
    assert_int_equal(a->skin_count, b->skin_count);
    for (uint32_t i = 0; i < a->skin_count; i++) {
        assert_int_equal(a->skins[i]->joint_count, b->skins[i]->joint_count);
        assert_memory_equal(a->skins[i]->joints, b->skins[i]->joints,
                            a->skins[i]->joint_count * sizeof(uint32_t));
        for (uint32_t m = 0; m < a->skins[i]->joint_count * 16; m++) /* -0 may be 0 */
            assert_true(a->skins[i]->inverse_bind[m] == b->skins[i]->inverse_bind[m]);
    }
    same_animations(a, b);
}

static const char *const real_files[] = {"gltf/AnimatedMorphCube.gltf",
                                         "gltf/BoxInterleaved.glb",
                                         "gltf/CesiumMan.glb",
                                         "gltf/Fox.glb",
                                         "gltf/cakeBirthday.glb",
                                         "gltf/greenman.glb",
                                         "gltf/robot.glb",
                                         "gltf/simple_skin.gltf"};

/* Round trips through both containers; a second one gives the same bytes. */
TEST(real_files_come_back)
{
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof real_files / sizeof *real_files; i++) {
        facet_scene *scene = test_gltf_load(test_corpus(real_files[i]));
        for (int binary = 0; binary < 2; binary++) {
            facet_output *first = write_scene(scene, binary == 1, NULL);
            facet_output *second = write_scene(scene, binary == 1, NULL);
            assert_int_equal(facet_output_size(first), facet_output_size(second));
            assert_memory_equal(facet_output_data(first), facet_output_data(second),
                                (size_t)facet_output_size(first));
            facet_scene *again = read_output(first);
            same_scenes(scene, again);
            facet_scene_free(again);
            facet_output_free(second);
            facet_output_free(first);
        }
        facet_scene_free(scene);
    }
}

/* Compact: no file of the corpus grows, except one with 8-bit indices or colors and weights (read
 * as floats). */
TEST(real_files_do_not_grow)
{
    TEST_NEEDS_CORPUS();
    static const char *const names[] = {"gltf/BoxInterleaved.glb", "gltf/CesiumMan.glb",
                                        "gltf/Fox.glb", "gltf/greenman.glb", "gltf/robot.glb"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        facet_file *file = NULL;
        facet_error error;
        TEST_OK(facet_file_open(test_corpus(names[i]), NULL, &file, &error), &error);
        size_t before = facet_file_source(file).size;
        facet_file_close(file);
        facet_scene *scene = test_gltf_load(test_corpus(names[i]));
        facet_output *output = write_scene(scene, true, NULL);
        assert_true(facet_output_size(output) <= before);
        json_t *root = json_of(output);
        assert_true(count_of(root, "bufferViews") <= count_of(root, "accessors") + 1);
        json_decref(root);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}
