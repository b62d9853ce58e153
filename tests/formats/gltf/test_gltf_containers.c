/* glTF: the container GLB, and buffers in other files. */
#include "support/gltf.h"

/* -- GLB ---------------------------------------------------------------- */

static const char square_json[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":48}],\"bufferViews\":[{"
    "\"buffer\":0,\"byteLength\":48}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
    "\"count\":4,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{\"mode\":6,\"attributes\":{"
    "\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}]}";

static void expect_glb_fault(const uint8_t *glb, size_t size, facet_status status, const char *rule)
{
    facet_scene *scene = NULL;
    facet_error error = {0};
    assert_int_equal(test_gltf_read(glb, size, NULL, &scene, &error), status);
    assert_string_equal(error.rule, rule);
}

TEST(glb_headers_are_verified)
{
    size_t size;
    uint8_t *glb = test_glb(square_json, test_gltf_square, sizeof test_gltf_square, &size);
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(test_gltf_read(glb, size, NULL, &scene, &error), &error);
    assert_memory_equal(scene->meshes[0]->streams[0].data, test_gltf_square,
                        sizeof test_gltf_square);
    facet_scene_free(scene);
    expect_glb_fault(glb, size - 1, FACET_ERROR_MALFORMED, "GLTF-GLB-LENGTH");
    expect_glb_fault(glb, 11, FACET_ERROR_MALFORMED, "GLTF-GLB-LENGTH");
    glb[4] = 3;
    expect_glb_fault(glb, size, FACET_ERROR_UNSUPPORTED, "GLTF-GLB-VERSION");
    glb[4] = 2;
    glb[12] = 0xFF; /* the JSON chunk's length, low byte */
    glb[13] = 0xFF;
    expect_glb_fault(glb, size, FACET_ERROR_MALFORMED, "GLTF-GLB-CHUNK");
    free(glb);
    glb = test_glb(square_json, test_gltf_square, 44, &size);
    expect_glb_fault(glb, size, FACET_ERROR_MALFORMED, "GLTF-BUFFER");
    free(glb);
}

/* The shortest GLB has 20 bytes: a chunk without bytes, which is not a JSON text. */
TEST(shortest_glb_has_a_chunk)
{
    static const uint8_t glb[20] = "glTF\2\0\0\0\x14\0\0\0\0\0\0\0JSON";
    expect_glb_fault(glb, 20, FACET_ERROR_MALFORMED, "GLTF-JSON");
    expect_glb_fault(glb, 19, FACET_ERROR_MALFORMED, "GLTF-GLB-LENGTH");
}

static void read_anything(const uint8_t *data, size_t size, void *user)
{
    facet_scene *scene = NULL;
    facet_error error = {0};
    (void)user;
    facet_status status = test_gltf_read(data, size, NULL, &scene, &error);
    if (status) {
        assert_true(error.message[0] != '\0');
        return;
    }
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_scene_free(scene);
}

TEST(glb_survives_any_byte_change)
{
    size_t size;
    uint8_t *glb = test_glb(square_json, test_gltf_square, sizeof test_gltf_square, &size);
    test_every_mutation(glb, size, read_anything, NULL);
    free(glb);
}

static facet_status read_with(const facet_allocator *allocator, void *user)
{
    size_t size;
    uint8_t *glb = test_glb(square_json, test_gltf_square, sizeof test_gltf_square, &size);
    facet_source source = {.data = glb, .size = size};
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    (void)user;
    facet_status status = facet_gltf_read(&source, NULL, &options, &scene, NULL);
    facet_scene_free(scene);
    free(glb);
    return status;
}

TEST(read_reports_failed_allocations)
{
    test_every_allocation(read_with, NULL);
}

/* -- Other files -------------------------------------------------------- */

static void write_file(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(test_temporary(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    fclose(file);
}

#define BUFFER_AT(uri)                                                                        \
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":48,\"uri\":\"" uri "\"}]," \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],\"accessors\":[{\"bufferView\":0,"    \
    "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}],\"meshes\":[{\"primitives\":[{"   \
    "\"mode\":6,\"attributes\":{\"POSITION\":0}}]}]}"

TEST(buffers_beside_the_file)
{
    static const char inside[] = BUFFER_AT("the%20bytes.bin"), above[] = BUFFER_AT("../x.bin"),
                      encoded[] = BUFFER_AT("%2E%2E/x.bin"), absolute[] = BUFFER_AT("/etc/passwd");
    static const char *const outside[] = {above, encoded, absolute};
    facet_scene *scene = NULL;
    facet_error error;
    write_file("the bytes.bin", test_gltf_square, sizeof test_gltf_square);
    write_file("a.gltf", inside, sizeof inside - 1);
    TEST_OK(test_gltf_read_path(test_temporary("a.gltf"), &scene, &error), &error);
    assert_memory_equal(scene->meshes[0]->streams[0].data, test_gltf_square,
                        sizeof test_gltf_square);
    facet_scene_free(scene);
    for (size_t i = 0; i < 3; i++) {
        write_file("b.gltf", outside[i], strlen(outside[i]));
        assert_int_equal(test_gltf_read_path(test_temporary("b.gltf"), &scene, &error),
                         FACET_ERROR_IO);
        assert_string_equal(error.rule, "FILE-EXTERNAL");
    }
}
