/* Reading glTF: every expected number comes from the specification or from bytes that the test
 * writes. (Byte order: the host's, little.) */
#include "formats/gltf/format.h"
#include "support/gltf.h"

#include <math.h>

static void assert_floats(const float *values, const float *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_float_equal(values[i], expected[i], 1e-6F);
}

/* -- Primitives --------------------------------------------------------- */

#define SQUARE_OF_MODE(mode)                                                                   \
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"bufferViews\":[{\"buffer\":0,"        \
    "\"byteLength\":48}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4," \
    "\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[2,1,0]}],\"meshes\":[{\"name\":\"s\","         \
    "\"primitives\":[{\"mode\":" #mode ",\"attributes\":{\"POSITION\":0}}]}]}"

/* Specification 3.7.2.1: strips are {i, i + (1 + i%2), i + (2 - i%2)}, fans
 * {i + 1, i + 2, 0}. */
TEST(strips_and_fans_become_triangles)
{
    static const uint32_t strip[6] = {0, 1, 2, 1, 3, 2}, fan[6] = {1, 2, 0, 2, 3, 0};
    facet_scene *scene =
        test_gltf_read_text(SQUARE_OF_MODE(5), test_gltf_square, sizeof test_gltf_square, NULL);
    assert_int_equal(scene->meshes[0]->face_count, 2);
    assert_memory_equal(scene->meshes[0]->streams[0].indices, strip, sizeof strip);
    assert_string_equal(scene->meshes[0]->name, "s");
    facet_scene_free(scene);
    scene = test_gltf_read_text(SQUARE_OF_MODE(6), test_gltf_square, sizeof test_gltf_square, NULL);
    assert_memory_equal(scene->meshes[0]->streams[0].indices, fan, sizeof fan);
    assert_memory_equal(scene->meshes[0]->streams[0].data, test_gltf_square,
                        sizeof test_gltf_square);
    facet_scene_free(scene);
}

TEST(lines_and_points)
{
    static const uint32_t loop[8] = {0, 1, 1, 2, 2, 3, 3, 0};
    facet_scene *scene =
        test_gltf_read_text(SQUARE_OF_MODE(2), test_gltf_square, sizeof test_gltf_square, NULL);
    assert_int_equal(scene->meshes[0]->line_count, 4);
    assert_memory_equal(scene->meshes[0]->lines, loop, sizeof loop);
    facet_scene_free(scene);
    scene = test_gltf_read_text(SQUARE_OF_MODE(3), test_gltf_square, sizeof test_gltf_square, NULL);
    assert_int_equal(scene->meshes[0]->line_count, 3);
    assert_memory_equal(scene->meshes[0]->lines, loop, 6 * sizeof *loop);
    facet_scene_free(scene);
    static const uint32_t points[4] = {0, 1, 2, 3};
    scene = test_gltf_read_text(SQUARE_OF_MODE(0), test_gltf_square, sizeof test_gltf_square, NULL);
    assert_int_equal(scene->meshes[0]->face_count, 0);
    assert_int_equal(scene->meshes[0]->point_count, 4);
    assert_memory_equal(scene->meshes[0]->points, points, sizeof points);
    facet_scene_free(scene);
}

/* Each primitive has one material: two lines, four points, a line without a material. */
TEST(lines_and_points_have_materials)
{
    static const char *const json =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}],"
        "\"materials\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"meshes\":[{\"primitives\":["
        "{\"attributes\":{\"POSITION\":0},\"mode\":1,\"material\":1},"
        "{\"attributes\":{\"POSITION\":0},\"mode\":0,\"material\":0},"
        "{\"attributes\":{\"POSITION\":1},\"mode\":1}]}]}";
    static const uint32_t lines[3] = {1, 1, FACET_NONE}, points[4] = {0, 0, 0, 0};
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_scene *scene =
        test_gltf_read_text(json, test_gltf_square, sizeof test_gltf_square, report);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(mesh->line_count, 3);
    assert_memory_equal(mesh->line_materials, lines, sizeof lines);
    assert_int_equal(mesh->point_count, 4);
    assert_memory_equal(mesh->point_materials, points, sizeof points);
    assert_null(mesh->face_materials);
    assert_null(test_finding(report, "LOSS-MATERIALS"));
    facet_report_free(report);
    facet_scene_free(scene);
}

/* Compute the vertices of shape i of `mode` when n are drawn (specification 3.7.2.1).
 * Modes: 1 lines {2i, 2i + 1}; 2 loops {i, (i + 1) mod n}; 3 strips {i, i + 1}.
 * 4 triangles {3i, 3i + 1, 3i + 2}; 5 strips {i, i + (1 + i mod 2), i + (2 - i mod 2)}.
 * 6 fans {i + 1, i + 2, 0}. */
static void shape_vertices(int mode, uint32_t i, uint32_t n, uint32_t vertices[3])
{
    const uint32_t all[7][3] = {{0},
                                {2 * i, 2 * i + 1},
                                {i, n ? (i + 1) % n : 0},
                                {i, i + 1},
                                {3 * i, 3 * i + 1, 3 * i + 2},
                                {i, i + 1 + i % 2, i + 2 - i % 2},
                                {i + 1, i + 2, 0}};
    memcpy(vertices, all[mode], sizeof all[mode]);
}

/* The primitive follows one of two lines, which it must not overwrite. A remaining vertex that
 * completes no shape is ignored; a loop of fewer than two vertices has no line. */
static void check_mode(int mode, uint32_t n, bool indexed)
{
    static const uint32_t shapes[7][6] = {{0, 0, 0, 0, 0, 0},  /* points are dropped */
                                          {0, 0, 1, 1, 2, 2},  /* n / 2 */
                                          {0, 0, 2, 3, 4, 5},  /* n, of at least 2 vertices */
                                          {0, 0, 1, 2, 3, 4},  /* n - 1 */
                                          {0, 0, 0, 1, 1, 1},  /* n / 3 */
                                          {0, 0, 0, 1, 2, 3},  /* n - 2 */
                                          {0, 0, 0, 1, 2, 3}}; /* n - 2 */
    static const uint32_t two_lines[4] = {0, 1, 2, 3};
    struct {
        float positions[15];
        uint32_t order[5], lines[4];
    } buffer = {{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0}, {4, 2, 0, 3, 1}, {0, 1, 2, 3}};
    char json[2048];
    snprintf(
        json, sizeof json,
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%%B],\"bufferViews\":["
        "{\"buffer\":0,\"byteLength\":60},{\"buffer\":0,\"byteOffset\":60,\"byteLength\":20},"
        "{\"buffer\":0,\"byteOffset\":80,\"byteLength\":16}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":5,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"},"
        "{\"bufferView\":2,\"componentType\":5125,\"count\":4,\"type\":\"SCALAR\"}],"
        "\"meshes\":[{\"primitives\":[{\"mode\":1,\"attributes\":{\"POSITION\":0},\"indices\":3},"
        "{\"mode\":%d,\"attributes\":{\"POSITION\":%d}%s}]}]}",
        (unsigned)n, (unsigned)n, mode, indexed ? 0 : 1, indexed ? ",\"indices\":2" : "");
    facet_scene *scene = test_gltf_read_text(json, &buffer, sizeof buffer, NULL);
    const facet_mesh *mesh = scene->meshes[0];
    bool lines = mode < 4;
    uint32_t count = shapes[mode][n], size = lines ? 2 : 3;
    assert_int_equal(mesh->line_count, 2 + (lines ? count : 0));
    assert_int_equal(mesh->face_count, lines ? 0 : count);
    assert_int_equal(mesh->corner_count, lines ? 0 : count * 3);
    assert_memory_equal(mesh->lines, two_lines, sizeof two_lines);
    const uint32_t *corners = lines ? mesh->lines + 4 : mesh->streams[0].indices;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t vertices[3];
        shape_vertices(mode, i, n, vertices);
        /* Without indices the vertices are those of another accessor, after the first five. */
        for (uint32_t c = 0; c < size; c++)
            assert_int_equal(corners[i * size + c],
                             indexed ? buffer.order[vertices[c]] : 5 + vertices[c]);
    }
    facet_scene_free(scene);
}

TEST(modes_have_the_shapes_of_the_specification)
{
    for (int mode = 0; mode <= 6; mode++) {
        for (uint32_t n = 0; n <= 5; n++) {
            check_mode(mode, n, false);
            check_mode(mode, n, true);
        }
    }
}

/* Three vertices of position, normal as int8 (normalized), texcoord as uint16
 * (normalized), tangent as float: interleaved, 44 bytes apart. */
typedef struct packed_vertex {
    float position[3];
    int8_t normal[4];
    uint16_t texcoord[2];
    float tangent[4];
    uint8_t color[4];
    uint32_t pad;
} packed_vertex;

TEST(interleaved_and_normalized)
{
    static const packed_vertex vertices[3] = {
        {{0, 0, 0}, {0, 0, 127, 0}, {0, 65535}, {1, 0, 0, 1}, {255, 0, 51, 255}, 0},
        {{1, 0, 0}, {0, -128, 0, 0}, {65535, 0}, {1, 0, 0, -1}, {0, 255, 0, 0}, 0},
        {{0, 1, 0}, {127, 0, 0, 0}, {13107, 52428}, {0, 1, 0, 1}, {0, 0, 255, 255}, 0}};
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"KHR_mesh_quantization\"],"
        "\"extensionsRequired\":[\"KHR_mesh_quantization\"],\"buffers\":[%B],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":132,\"byteStride\":44}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5120,\"normalized\":true,"
        "\"count\":3,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"byteOffset\":16,\"componentType\":5123,\"normalized\":true,"
        "\"count\":3,\"type\":\"VEC2\"},"
        "{\"bufferView\":0,\"byteOffset\":20,\"componentType\":5126,\"count\":3,"
        "\"type\":\"VEC4\"},"
        "{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5121,\"normalized\":true,"
        "\"count\":3,\"type\":\"VEC4\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"NORMAL\":1,"
        "\"TEXCOORD_0\":2,\"TANGENT\":3,\"COLOR_0\":4}}]}]}";
    assert_int_equal(sizeof(packed_vertex), 44);
    facet_scene *scene = test_gltf_read_text(json, vertices, sizeof vertices, NULL);
    const facet_mesh *mesh = scene->meshes[0];
    assert_true(scene->axes.uv_origin_top);
    assert_true(facet_mesh_is_indexed(mesh));
    /* -128 of 127 is clamped to -1 (specification 3.11). */
    assert_floats(facet_mesh_find(mesh, FACET_NORMAL, 0)->data,
                  (const float[]){0, 0, 1, 0, -1, 0, 1, 0, 0}, 9);
    /* 13107 of 65535 is a fifth. */
    assert_floats(facet_mesh_find(mesh, FACET_TEXCOORD, 0)->data,
                  (const float[]){0, 1, 1, 0, 0.2F, 0.8F}, 6);
    /* The bitangent has the opposite direction: up there, along v here. */
    assert_floats(facet_mesh_find(mesh, FACET_TANGENT, 0)->data,
                  (const float[]){1, 0, 0, -1, 1, 0, 0, 1, 0, 1, 0, -1}, 12);
    assert_floats(facet_mesh_find(mesh, FACET_COLOR, 0)->data,
                  (const float[]){1, 0, 0.2F, 1, 0, 1, 0, 0, 0, 0, 1, 1}, 12);
    facet_scene_free(scene);
}

TEST(sparse_replaces_elements)
{
    struct {
        float positions[9];
        uint16_t indices[2];
        float values[3];
    } buffer = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {2, 0}, {5, 6, 7}};
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"bufferViews\":["
        "{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":2},"
        "{\"buffer\":0,\"byteOffset\":40,\"byteLength\":12}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{"
        "\"count\":1,\"indices\":{\"bufferView\":1,\"componentType\":5123},"
        "\"values\":{\"bufferView\":2}}},"
        "{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{\"count\":1,"
        "\"indices\":{\"bufferView\":1,\"componentType\":5123},\"values\":{\"bufferView\":2}}}],"
        "\"meshes\":[{\"weights\":[0.25],\"extras\":{\"targetNames\":[\"smile\"]},"
        "\"primitives\":[{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":1}]}]}]}";
    facet_scene *scene = test_gltf_read_text(json, &buffer, sizeof buffer, NULL);
    const facet_mesh *mesh = scene->meshes[0];
    assert_floats(mesh->streams[0].data, (const float[]){0, 0, 0, 1, 0, 0, 5, 6, 7}, 9);
    assert_int_equal(mesh->morph_count, 1);
    assert_string_equal(mesh->morphs[0].name, "smile");
    assert_float_equal(mesh->morphs[0].weight, 0.25F, 0);
    assert_floats(facet_mesh_find(mesh, FACET_MORPH_POSITION, 0)->data,
                  (const float[]){0, 0, 0, 0, 0, 0, 5, 6, 7}, 9);
    assert_string_equal(mesh->extras, "{\"targetNames\":[\"smile\"]}");
    facet_scene_free(scene);
}

/* A skin of two joints, whose accessor has a third matrix. Sparse values replace matrices 0 and 2
 * of zeros; a skin may have more matrices than joints (specification 3.7.3.3). The fourth rows are
 * read as 0 0 0 1. */
TEST(inverse_bind_matrices_may_be_sparse)
{
    struct {
        uint8_t indices[4];
        float matrices[32];
    } buffer = {{0, 2}, {0}};
    float expected[32] = {0};
    for (int i = 0; i < 16; i++)
        buffer.matrices[i] = expected[i] = (float)i;
    expected[3] = expected[7] = expected[11] = 0;
    expected[15] = expected[31] = 1;
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"bufferViews\":["
        "{\"buffer\":0,\"byteLength\":2},{\"buffer\":0,\"byteOffset\":4,\"byteLength\":128}],"
        "\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"MAT4\",\"sparse\":{"
        "\"count\":2,\"indices\":{\"bufferView\":0,\"componentType\":5121},"
        "\"values\":{\"bufferView\":1}}}],\"nodes\":[{},{}],"
        "\"skins\":[{\"joints\":[0,1],\"inverseBindMatrices\":0}]}";
    facet_scene *scene = test_gltf_read_text(json, &buffer, sizeof buffer, NULL);
    assert_int_equal(scene->skins[0]->joint_count, 2);
    assert_floats(scene->skins[0]->inverse_bind, expected, 32);
    facet_scene_free(scene);
}

/* Two primitives: both use the square's vertices; only the second has normals. */
TEST(primitives_with_other_attributes)
{
    struct {
        float positions[12], normals[12];
        uint8_t indices[6];
    } buffer = {{0}, {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, {0, 1, 2, 0, 2, 3}};
    memcpy(buffer.positions, test_gltf_square, sizeof test_gltf_square);
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"bufferViews\":["
        "{\"buffer\":0,\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":48},"
        "{\"buffer\":0,\"byteOffset\":96,\"byteLength\":6}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
        "{\"bufferView\":2,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"},"
        "{\"bufferView\":2,\"byteOffset\":3,\"componentType\":5121,\"count\":3,"
        "\"type\":\"SCALAR\"}],"
        "\"materials\":[{\"name\":\"a\"},{\"name\":\"b\"}],\"meshes\":[{\"primitives\":["
        "{\"attributes\":{\"POSITION\":0},\"indices\":2,\"material\":1},"
        "{\"attributes\":{\"POSITION\":0,\"NORMAL\":1},\"indices\":3}]},{\"primitives\":["
        "{\"attributes\":{\"POSITION\":0},\"indices\":2},"
        "{\"attributes\":{\"POSITION\":0},\"indices\":3}]}]}";
    facet_scene *scene = test_gltf_read_text(json, &buffer, sizeof buffer, NULL);
    const facet_mesh *mesh = scene->meshes[0];
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    static const uint32_t corners[6] = {0, 1, 2, 4, 6, 7};
    static const uint32_t holes[6] = {FACET_NONE, FACET_NONE, FACET_NONE, 0, 2, 3};
    assert_memory_equal(mesh->streams[0].indices, corners, sizeof corners);
    assert_int_equal(mesh->streams[0].count, 8);
    assert_memory_equal(normals->indices, holes, sizeof holes);
    assert_int_equal(normals->count, 4);
    assert_int_equal(mesh->face_materials[0], 1);
    assert_int_equal(mesh->face_materials[1], FACET_NONE);
    /* With equal attributes the vertices are shared. */
    assert_int_equal(scene->meshes[1]->streams[0].count, 4);
    assert_null(scene->meshes[1]->face_materials);
    facet_scene_free(scene);
}

/* The bytes are what libdraco 1.5.5 writes for the square, sequentially and
 * without quantization. */
TEST(draco_is_decoded_or_refused_by_name)
{
    static const uint8_t draco[] = {
        0x44, 0x52, 0x41, 0x43, 0x4F, 2,    2, 1, 0, 0, 0, 2, 4, 1,    0,    1, 2, 0,    2,
        3,    1,    1,    0,    9,    3,    0, 0, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0,    0,
        0,    0,    0,    0,    0,    0x40, 0, 0, 0, 0, 0, 0, 0, 0,    0,    0, 0, 0x40, 0,
        0,    0x80, 0x3F, 0,    0,    0,    0, 0, 0, 0, 0, 0, 0, 0x80, 0x3F, 0, 0, 0,    0};
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},"
        "\"extensionsUsed\":[\"KHR_draco_mesh_compression\"],"
        "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],\"buffers\":[%B],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":76}],\"accessors\":["
        "{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"
        "{\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}],\"meshes\":[{\"primitives\":["
        "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"extensions\":{"
        "\"KHR_draco_mesh_compression\":{\"bufferView\":0,\"attributes\":{\"POSITION\":0}}}}]}]}";
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    assert_int_equal(sizeof draco, 76);
    facet_scene *scene = NULL;
    facet_error error = {0};
    const char *text = test_gltf_text(json, draco, sizeof draco);
    facet_status status = test_gltf_read(text, strlen(text), NULL, &scene, &error);
    if (status == FACET_ERROR_UNSUPPORTED) { /* built without it: refused by name */
        assert_non_null(strstr(error.message, "KHR_draco_mesh_compression"));
        return;
    }
    TEST_OK(status, &error);
    assert_memory_equal(scene->meshes[0]->streams[0].indices, corners, sizeof corners);
    assert_memory_equal(scene->meshes[0]->streams[0].data, test_gltf_square,
                        sizeof test_gltf_square);
    facet_scene_free(scene);
    /* A later version of Draco, and truncated data. */
    uint8_t damaged[sizeof draco];
    for (int way = 0; way < 2; way++) {
        memcpy(damaged, draco, sizeof draco);
        if (way)
            memset(damaged + 20, 0xFF, sizeof damaged - 20);
        else
            damaged[5] = 99;
        text = test_gltf_text(json, damaged, sizeof damaged);
        assert_int_equal(test_gltf_read(text, strlen(text), NULL, &scene, &error),
                         FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, "GLTF-DRACO");
    }
}

/* -- Nodes, materials, animations --------------------------------------- */

TEST(nodes_materials_and_extras)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"extras\":{\"who\":9007199254740993},"
        "\"extensionsUsed\":[\"KHR_texture_transform\",\"KHR_materials_unlit\","
        "\"KHR_lights_punctual\"],"
        "\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"point\","
        "\"name\":\"lamp\"}]}},\"cameras\":[{\"name\":\"eye\",\"type\":\"perspective\","
        "\"perspective\":{\"yfov\":1,\"znear\":0.1}}],"
        "\"scenes\":[{\"name\":\"stage\",\"nodes\":[2]}],\"nodes\":["
        "{\"name\":\"leaf\",\"translation\":[1,2,3],\"camera\":0},"
        "{\"name\":\"lost\",\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}},"
        "{\"name\":\"root\",\"children\":[0],\"matrix\":[2,0,0,0,0,2,0,0,0,0,2,0,5,6,7,1],"
        "\"extras\":[1,null]}],"
        "\"images\":[{\"uri\":\"a%20b.png\",\"name\":\"pic\"}],"
        "\"samplers\":[{\"wrapS\":33071,\"magFilter\":9728}],"
        "\"textures\":[{\"source\":0,\"sampler\":0}],"
        "\"materials\":[{\"name\":\"m\",\"alphaMode\":\"MASK\",\"alphaCutoff\":0.25,"
        "\"doubleSided\":true,\"emissiveFactor\":[0,0.5,1],\"pbrMetallicRoughness\":{"
        "\"baseColorFactor\":[0.5,0.25,1,0.75],\"roughnessFactor\":0.5,\"baseColorTexture\":{"
        "\"index\":0,\"texCoord\":1,\"extensions\":{\"KHR_texture_transform\":{"
        "\"offset\":[0.5,0],\"rotation\":1.5,\"scale\":[2,3],\"texCoord\":2}}}},"
        "\"extensions\":{\"KHR_materials_unlit\":{}}}]}";
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = test_gltf_read_text(json, "", 0, report);
    assert_string_equal(scene->name, "stage");
    assert_string_equal(scene->extras, "{\"who\":9007199254740993}"); /* exceeds a double */
    assert_int_equal(scene->nodes[0]->parent, 2);
    assert_float_equal(scene->nodes[0]->transform.translation[2], 3, 0);
    assert_int_equal(scene->nodes[0]->camera, 0);
    assert_int_equal(scene->nodes[1]->camera, FACET_NONE);
    assert_string_equal(scene->cameras[0]->name, "eye");
    assert_float_equal(scene->cameras[0]->field_of_view, 1, 0);
    assert_float_equal(scene->cameras[0]->near_distance, 0.1F, 0);
    assert_float_equal(scene->cameras[0]->far_distance, 0, 0);
    assert_int_equal(scene->nodes[1]->light, 0);
    assert_int_equal(scene->nodes[0]->light, FACET_NONE);
    assert_string_equal(scene->lights[0]->name, "lamp");
    assert_int_equal(scene->lights[0]->kind, FACET_LIGHT_POINT);
    assert_float_equal(scene->lights[0]->intensity, 1, 0); /* the default */
    assert_true(scene->nodes[2]->has_matrix);
    assert_float_equal(scene->nodes[2]->matrix[13], 6, 0);
    assert_string_equal(scene->nodes[2]->extras, "[1,null]");
    assert_int_equal(scene->root_count, 1); /* "lost" has no parent and is not shown */
    assert_int_equal(scene->roots[0], 2);
    const facet_material *m = scene->materials[0];
    const facet_texture *map = m->maps[FACET_MAP_DIFFUSE];
    assert_int_equal(m->alpha_mode, FACET_ALPHA_MASK);
    assert_true(m->double_sided && m->unlit);
    assert_floats(m->base_color, (const float[]){0.5F, 0.25F, 1, 0.75F}, 4);
    assert_null(m->classic);
    assert_float_equal(m->metallic, 1, 0); /* the default */
    assert_true(map->has_image && map->has_transform);
    assert_int_equal(map->uv_set, 2); /* the transform's set overrides the texture's */
    assert_string_equal(map->path, "a b.png");
    assert_int_equal(map->wrap_u, FACET_WRAP_CLAMP);
    assert_int_equal(map->wrap_v, FACET_WRAP_REPEAT);
    assert_int_equal(map->magnify, FACET_FILTER_NEAREST);
    assert_non_null(test_finding(report, "GLTF-IMAGE")); /* the file is missing */
    facet_scene_free(scene);
    facet_report_free(report);
}

/* -- Collision ---------------------------------------------------------- */

TEST(collision_nodes_become_hulls)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":48}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
        "\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"mode\":6,\"attributes\":{"
        "\"POSITION\":0}}]},{\"name\":\"seen\",\"primitives\":[{\"mode\":6,\"attributes\":{"
        "\"POSITION\":0}}]}],\"nodes\":[{\"name\":\"collision_mesh.001\",\"mesh\":0,"
        "\"translation\":[10,0,0]},{\"mesh\":1}]}";
    facet_scene *scene = test_gltf_read_text(json, test_gltf_square, sizeof test_gltf_square, NULL);
    assert_int_equal(scene->hull_count, 1);
    assert_int_equal(scene->hulls[0]->point_count, 4);
    for (int i = 0; i < 4; i++) { /* in any order: x is 10 or 12, y 0 or 1 */
        const float *point = scene->hulls[0]->points + i * 3;
        assert_true(point[0] == 10 || point[0] == 12);
        assert_true(point[1] == 0 || point[1] == 1);
    }
    assert_int_equal(scene->mesh_count, 1);
    assert_string_equal(scene->meshes[0]->name, "seen");
    assert_int_equal(scene->nodes[0]->mesh, FACET_NONE);
    assert_int_equal(scene->nodes[1]->mesh, 0);
    facet_scene_free(scene);
}

/* Its node's position exceeds a float: refused, never a hull of infinities. */
TEST(collision_beyond_floats_is_refused)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":48}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
        "\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"mode\":6,\"attributes\":{"
        "\"POSITION\":0}}]}],\"nodes\":[{\"children\":[1],\"scale\":[1e30,1,1]},{\"name\":"
        "\"collision_mesh.001\",\"mesh\":0,\"scale\":[1e30,1,1]}],\"scenes\":[{\"nodes\":[0]}]}";
    facet_scene *scene = NULL;
    facet_error error;
    const char *text = test_gltf_text(json, test_gltf_square, sizeof test_gltf_square);
    assert_int_equal(test_gltf_read(text, strlen(text), NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "SCENE-NONFINITE");
}

/* -- Real files --------------------------------------------------------- */

typedef struct real_file {
    const char *name;
    uint32_t meshes, triangles, nodes, joints, animations, images, morphs;
} real_file;

/* Counts in the JSON of the files, read by another program. */
static const real_file real_files[] = {
    {"gltf/AnimatedMorphCube.gltf", 1, 12, 1, 0, 1, 0, 2},
    {"gltf/BoxInterleaved.glb", 1, 12, 2, 0, 0, 0, 0},
    {"gltf/BoxMeshopt.glb", 1, 12, 1, 0, 0, 0, 0},
    {"gltf/CesiumMan.glb", 1, 4672, 22, 19, 1, 1, 0},
    {"gltf/Fox.glb", 1, 576, 26, 24, 3, 1, 0},
    {"gltf/greenman.glb", 1, 356, 14, 12, 4, 1, 0},
    {"gltf/robot.glb", 14, 3238, 58, 43, 14, 0, 0},
    {"gltf/simple_skin.gltf", 1, 8, 3, 2, 1, 0, 0},
};

TEST(real_files_have_expected_counts)
{
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof real_files / sizeof *real_files; i++) {
        const real_file *expected = &real_files[i];
        facet_scene *scene = NULL;
        facet_error error;
        TEST_OK(test_gltf_read_path(test_corpus(expected->name), &scene, &error), &error);
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        uint32_t triangles = 0, joints = 0, morphs = 0;
        for (uint32_t m = 0; m < scene->mesh_count; m++) {
            triangles += scene->meshes[m]->face_count;
            morphs += scene->meshes[m]->morph_count;
        }
        for (uint32_t s = 0; s < scene->skin_count; s++)
            joints += scene->skins[s]->joint_count;
        assert_int_equal(scene->mesh_count, expected->meshes);
        assert_int_equal(triangles, expected->triangles);
        assert_int_equal(scene->node_count, expected->nodes);
        assert_int_equal(joints, expected->joints);
        assert_int_equal(scene->animation_count, expected->animations);
        assert_int_equal(scene->image_count, expected->images);
        assert_int_equal(morphs, expected->morphs);
        facet_scene_free(scene);
    }
}

/* The same box, compressed by gltfpack and uncompressed: equal bounds and number of triangles,
 * within its 14 bits of quantization. */
TEST(compressed_is_what_it_was)
{
    TEST_NEEDS_CORPUS();
    static const char *const names[] = {"gltf/BoxInterleaved.glb", "gltf/BoxMeshopt.glb"};
    double low[2][3], high[2][3];
    for (int i = 0; i < 2; i++) {
        facet_scene *scene = NULL;
        facet_error error;
        bool any = false;
        TEST_OK(test_gltf_read_path(test_corpus(names[i]), &scene, &error), &error);
        TEST_OK(facet_scene_bounds(scene, NULL, low[i], high[i], &any, &error), &error);
        assert_true(any);
        const facet_stream *normals = facet_mesh_find(scene->meshes[0], FACET_NORMAL, 0);
        for (uint32_t n = 0; n < normals->count; n++) { /* along the axes */
            const float *v = (const float *)normals->data + (size_t)n * 3;
            assert_float_equal(fabsf(v[0]) + fabsf(v[1]) + fabsf(v[2]), 1, 0.01F);
        }
        facet_scene_free(scene);
    }
    for (int c = 0; c < 3; c++) {
        assert_float_equal((float)low[0][c], (float)low[1][c], 1e-4F);
        assert_float_equal((float)high[0][c], (float)high[1][c], 1e-4F);
    }
}

TEST(broken_files_have_their_rule)
{
    TEST_NEEDS_CORPUS();
    static const struct {
        const char *name, *rule;
    } broken[] = {{"broken/BoxWithInfinites.glb", "GLTF-FLOAT"},
                  {"broken/IndexOutOfRange.gltf", "GLTF-INDEX"},
                  {"broken/RecursiveNodes.gltf", "GLTF-NODE-CYCLE"},
                  {"broken/glb_truncated_chunk_data.glb", "GLTF-GLB-LENGTH"}};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        facet_scene *scene = NULL;
        facet_error error = {0};
        assert_int_equal(test_gltf_read_path(test_corpus(broken[i].name), &scene, &error),
                         FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, broken[i].rule);
        facet_file *file = NULL;
        facet_report *report = NULL;
        TEST_OK(facet_file_open(test_corpus(broken[i].name), NULL, &file, &error), &error);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_source source = facet_file_source(file);
        TEST_OK(facet_gltf_check(&source, NULL, report, &error), &error);
        assert_non_null(test_finding(report, broken[i].rule));
        assert_true(facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0);
        facet_report_free(report);
        facet_file_close(file);
    }
}

/* Properties that a reader does not need and a check verifies. */
TEST(check_finds_more)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"bufferViews\":[{\"buffer\":0,"
        "\"byteOffset\":1,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,1]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}";
    uint8_t bytes[37] = {0};
    const char *text = test_gltf_text(json, bytes, sizeof bytes);
    facet_source source = {.data = (const uint8_t *)text, .size = strlen(text)};
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_gltf_check(&source, NULL, report, &error), &error);
    assert_non_null(test_finding(report, "GLTF-ALIGN"));
    assert_int_equal(test_finding(report, "GLTF-BOUNDS")->count, 3); /* max of x, y and z */
    assert_int_equal(facet_report_count(report), 2);
    facet_report_free(report);
}

/* Specification 3.11: a normalized integer c means max(c / 32767, -1) as a short and c / 255 as an
 * unsigned byte. Integers that are not normalized keep their type. */
TEST(normalized_custom_attributes_become_floats)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"bufferViews\":[{\"buffer\":0,"
        "\"byteLength\":48},{\"buffer\":0,\"byteOffset\":48,\"byteLength\":16},{\"buffer\":0,"
        "\"byteOffset\":64,\"byteLength\":16}],\"accessors\":[{\"bufferView\":0,\"componentType\":"
        "5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[2,1,0]},{\"bufferView\":1,"
        "\"componentType\":5122,\"normalized\":true,\"count\":4,\"type\":\"VEC2\"},"
        "{\"bufferView\":2,\"componentType\":5121,\"normalized\":true,\"count\":4,\"type\":"
        "\"VEC4\"},{\"bufferView\":1,\"componentType\":5122,\"count\":4,\"type\":\"VEC2\"}],"
        "\"meshes\":[{\"primitives\":[{\"mode\":6,\"attributes\":{\"POSITION\":0,\"_A\":1,"
        "\"_B\":2,\"_C\":3}}]}]}";
    struct {
        float positions[12];
        int16_t shorts[8];
        uint8_t bytes[16];
    } buffer = {.shorts = {32767, -32767, -32768, 0, 1}, .bytes = {255, 51, 0, 1}};
    memcpy(buffer.positions, test_gltf_square, sizeof test_gltf_square);
    facet_scene *scene = test_gltf_read_text(json, &buffer, sizeof buffer, NULL);
    const facet_stream *streams = scene->meshes[0]->streams;
    assert_int_equal(scene->meshes[0]->stream_count, 4);
    assert_int_equal(streams[1].component, FACET_FLOAT32);
    assert_floats(streams[1].data, (float[]){1, -1, -1, 0, 1.0F / 32767}, 5);
    assert_int_equal(streams[2].component, FACET_FLOAT32);
    assert_floats(streams[2].data, (float[]){1, 0.2F, 0, 1.0F / 255}, 4);
    assert_int_equal(streams[3].component, FACET_INT16);
    assert_memory_equal(streams[3].data, buffer.shorts, sizeof buffer.shorts);
    facet_scene_free(scene);
}

TEST(describe_counts_triangles_and_nodes)
{
    const char *text = test_gltf_text(SQUARE_OF_MODE(6), test_gltf_square, sizeof test_gltf_square);
    facet_source source = facet_source_from_memory(text, strlen(text), "square.gltf");
    facet_description *d = NULL;
    facet_error error;
    TEST_OK(facet_describe(&source, facet_format_named("gltf"), NULL, &d, &error), &error);
    assert_string_equal(d->version, "2.0");
    assert_int_equal(d->bytes, strlen(text));
    assert_int_equal(d->meshes, 1);
    assert_int_equal(d->vertices, 4);
    assert_int_equal(d->triangles, 2); /* a fan of four corners */
    assert_true(d->has_bounds && d->maximum[0] == 2 && d->maximum[1] == 1);
    assert_string_equal(facet_tree_find(d->detail, "container")->string, "gltf");
    const facet_tree *mesh = facet_tree_find(d->detail, "meshes")->first;
    assert_string_equal(facet_tree_find(mesh, "name")->string, "s");
    facet_description_free(d);

    d = NULL;
    source = facet_source_from_memory("{}", 2, NULL);
    assert_int_equal(facet_describe(&source, facet_format_named("gltf"), NULL, &d, &error),
                     FACET_ERROR_MALFORMED);
    assert_null(d);
}

/* A projection is not written again: its fourth row, here 0 0 0.5 1, becomes 0 0 0 1. */
TEST(a_projection_is_reported_and_left_out)
{
    static const char json[] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":["
                               "{\"matrix\":[2,0,0,0,0,2,0,0,0,0,2,0.5,5,6,7,1]}]}";
    static const float expected[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 5, 6, 7, 1};
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_scene *scene = test_gltf_read_text(json, NULL, 0, report);
    assert_memory_equal(scene->nodes[0]->matrix, expected, sizeof expected);
    assert_non_null(test_finding(report, "GLTF-NODE"));
    facet_scene_free(scene);
    facet_report_free(report);
}
