/* glTF: unknown or partly supported extensions do not prevent reading the geometry.
 *
 * Tested are images of other formats, KHR_meshopt_compression, instances, and data URIs of both
 * kinds. Expected values come from the specifications of glTF and its extensions, from RFC 2397,
 * and from arithmetic. */
#include "formats/gltf/format.h"
#include "support/gltf.h"
#include "support/models.h"

#define ASSET "\"asset\":{\"version\":\"2.0\"}"
/* The buffer begins with a square of corners (0 0 0) (1 0 0) (1 1 0) (0 1 0), two triangles. */
#define SQUARE_VIEWS                                    \
    "{\"buffer\":0,\"byteOffset\":0,\"byteLength\":48}" \
    ",{\"buffer\":0,\"byteOffset\":48,\"byteLength\":12}"
#define SQUARE_ACCESSORS                                                                      \
    "{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0]," \
    "\"max\":[1,1,0]},{\"bufferView\":1,\"componentType\":5123,\"count\":6,\"type\":\"SCALAR\"}"
/* Texture coordinates, all 0. */
#define SQUARE_TEXCOORDS ",{\"componentType\":5126,\"count\":4,\"type\":\"VEC2\"}"
#define TEXTURED_MESH                                                                 \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":2}," \
    "\"indices\":1,\"material\":0}]}],\"scenes\":[{\"nodes\":[0]}],\"scene\":0"
#define SQUARE_MESH(rest)                                                                      \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1" rest "}]}]," \
    "\"scenes\":[{\"nodes\":[0]}],\"scene\":0"

enum { SQUARE_SIZE = 60 };
static const float square[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
static const uint16_t square_indices[6] = {0, 1, 2, 0, 2, 3};

/* The square, and `more` after it. */
static size_t put_square(uint8_t *bytes, const void *more, size_t size)
{
    memcpy(bytes, square, sizeof square);
    memcpy(bytes + sizeof square, square_indices, sizeof square_indices);
    if (size > 0)
        memcpy(bytes + SQUARE_SIZE, more, size);
    return SQUARE_SIZE + size;
}

static facet_report *new_report(void)
{
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

static facet_scene *read_bytes(const char *json, const void *bytes, size_t size,
                               facet_report *report)
{
    facet_scene *scene = NULL;
    facet_error error;
    const char *text = test_gltf_text(json, bytes, size);
    TEST_OK(test_gltf_read(text, strlen(text), report, &scene, &error), &error);
    return scene;
}

/* Expect a file to be refused, with a rule and a part of the message. */
static void expect_error(const char *json, const void *bytes, size_t size, facet_status status,
                         const char *rule, const char *part)
{
    facet_scene *scene = NULL;
    facet_error error = {0};
    const char *text = test_gltf_text(json, bytes, size);
    assert_int_equal(test_gltf_read(text, strlen(text), NULL, &scene, &error), status);
    assert_string_equal(error.rule, rule);
    if (!strstr(error.message, part))
        fail_msg("'%s' does not contain '%s'", error.message, part);
}

static facet_mesh *flatten(facet_scene *scene)
{
    const facet_flatten_options together = {.merge = true};
    facet_error error;
    TEST_OK(facet_scene_flatten(scene, &together, NULL, &error), &error);
    assert_int_equal(scene->mesh_count, 1);
    return scene->meshes[0];
}

static void expect_square(const facet_scene *scene)
{
    assert_int_equal(scene->meshes[0]->face_count, 2);
    assert_memory_equal(scene->meshes[0]->streams[0].data, square, sizeof square);
}

/* -- Images ------------------------------------------------------------- */

/* First bytes of files by their specifications: RFC 9649 (WebP), ISO 14496-12 with the brand of
 * AVIF, KTX 2.0, and the headers of DDS. */
static const struct {
    const char *extension, *media_type, *bytes;
    size_t size;
} kinds[] = {
    {"EXT_texture_webp", "image/webp", "RIFF\x0C\0\0\0WEBPVP8L\0\0\0\0", 20},
    {"EXT_texture_avif", "image/avif",
     "\0\0\0\x14"
     "ftypavif\0\0\0\0mif1",
     20},
    {"KHR_texture_basisu", "image/ktx2", "\xABKTX 20\xBB\r\n\x1A\n\0\0\0\0\0\0\0\0", 20},
    {"MSFT_texture_dds", "image/vnd-ms.dds", "DDS |\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* 2 x 2 pixels, encoded without loss by libwebp 1.2.4: red, green of alpha 128, blue of alpha
 * 64, and (10 20 30). */
static const uint8_t webp[68] = {
    0x52, 0x49, 0x46, 0x46, 0x3C, 0x00, 0x00, 0x00, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50,
    0x38, 0x4C, 0x30, 0x00, 0x00, 0x00, 0x2F, 0x01, 0x40, 0x00, 0x10, 0x1F, 0x20, 0x10,
    0x48, 0x92, 0xD8, 0x1F, 0x75, 0x0D, 0x21, 0x01, 0x41, 0xF5, 0xFF, 0x2F, 0x81, 0x00,
    0xC1, 0x88, 0xFF, 0x4B, 0x02, 0x01, 0x62, 0x8D, 0x32, 0xE9, 0xC2, 0xCC, 0x1D, 0xA9,
    0x82, 0x9A, 0xB6, 0x0D, 0x58, 0xFC, 0x26, 0x1D, 0x11, 0xFD, 0x0F, 0x0E};

/* A square with one texture. Its image of type `type` is `size` bytes after the square. */
static const char *textured(const char *extension, const char *required, const char *type,
                            const char *source, const char *more_images, size_t size)
{
    static char json[4000];
    snprintf(json, sizeof json,
             "{" ASSET ",\"extensionsUsed\":[\"%s\"]%s,\"buffers\":[%%B],"
             "\"bufferViews\":[" SQUARE_VIEWS ",{\"buffer\":0,\"byteOffset\":60,\"byteLength\":"
             "%zu}],\"accessors\":[" SQUARE_ACCESSORS SQUARE_TEXCOORDS
             "],\"images\":[{\"bufferView\":2,"
             "\"mimeType\":\"%s\",\"name\":\"w\"}%s],\"textures\":[{\"extensions\":{\"%s\":{"
             "\"source\":0}}%s}],\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{"
             "\"index\":0}}}],\"nodes\":[{\"mesh\":0}]," TEXTURED_MESH "}",
             extension, required, size, type, more_images, extension, source);
    return json;
}

static bool text_has(const uint8_t *data, uint64_t size, const char *part)
{
    size_t length = strlen(part);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(data + i, part, length) == 0)
            return true;
    }
    return false;
}

static void expect_copy(facet_scene *scene, size_t kind)
{
    char used[64], required[64], source[64];
    facet_output *output = save_scene(scene, "gltf", NULL);
    const uint8_t *data = facet_output_data(output);
    uint64_t size = facet_output_size(output);
    snprintf(used, sizeof used, "\"extensionsUsed\":[\"%s\"]", kinds[kind].extension);
    snprintf(required, sizeof required, "\"extensionsRequired\":[\"%s\"]", kinds[kind].extension);
    snprintf(source, sizeof source, "\"extensions\":{\"%s\":{\"source\":0}}",
             kinds[kind].extension);
    assert_true(text_has(data, size, used));
    assert_true(text_has(data, size, required));
    assert_true(text_has(data, size, source));
    facet_scene *copy = load_bytes(data, (size_t)size, "a.gltf", NULL);
    assert_string_equal(copy->images[0]->media_type, kinds[kind].media_type);
    assert_int_equal(copy->images[0]->size, kinds[kind].size);
    assert_memory_equal(copy->images[0]->data, kinds[kind].bytes, kinds[kind].size);
    assert_int_equal(copy->materials[0]->maps[FACET_MAP_DIFFUSE]->image, 0);
    facet_scene_free(copy);
    facet_output_free(output);
}

/* An image of an extension is kept with its bytes, required or not. It is written with the
 * extension as required, because the texture has only this image. */
TEST(images_of_extensions_are_kept)
{
    for (size_t kind = 0; kind < KINDS; kind++) {
        for (int is_required = 0; is_required < 2; is_required++) {
            uint8_t bytes[200];
            char required[80] = "";
            if (is_required)
                snprintf(required, sizeof required, ",\"extensionsRequired\":[\"%s\"]",
                         kinds[kind].extension);
            size_t size = put_square(bytes, kinds[kind].bytes, kinds[kind].size);
            facet_report *report = new_report();
            facet_scene *scene =
                read_bytes(textured(kinds[kind].extension, required, kinds[kind].media_type, "", "",
                                    kinds[kind].size),
                           bytes, size, report);
            const facet_texture *texture = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
            expect_square(scene);
            assert_int_equal(facet_report_count(report), 0);
            assert_true(texture->has_image && texture->image == 0);
            assert_string_equal(scene->images[0]->media_type, kinds[kind].media_type);
            expect_copy(scene, kind);
            facet_scene_free(scene);
            facet_report_free(report);
        }
    }
}

/* The texture's standard image is PNG: it is used. */
TEST(a_texture_falls_back_on_its_own_image)
{
    uint8_t bytes[200];
    size_t size = put_square(bytes, kinds[0].bytes, kinds[0].size);
    facet_scene *scene = read_bytes(
        textured("EXT_texture_webp", "", "image/webp", ",\"source\":1",
                 ",{\"uri\":\"data:image/png;base64,iVBORw0KGgo=\",\"name\":\"p\"}", kinds[0].size),
        bytes, size, NULL);
    facet_report *report = new_report();
    const facet_options options = {.report = report};
    assert_int_equal(scene->materials[0]->maps[FACET_MAP_DIFFUSE]->image, 1);
    assert_string_equal(scene->images[1]->media_type, "image/png");
    facet_output *output = save_scene(scene, "gltf", &options);
    const uint8_t *data = facet_output_data(output);
    assert_false(text_has(data, facet_output_size(output), "webp"));
    const facet_finding *finding = test_finding(report, "LOSS-IMAGES");
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "'w'"));
    facet_output_free(output);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* The magic number gives the type of the bytes; if the file is missing, its name does. */
TEST(formats_of_images_are_found_without_names)
{
    uint8_t bytes[200];
    size_t size = put_square(bytes, kinds[0].bytes, kinds[0].size);
    facet_scene *scene = read_bytes(
        textured("EXT_texture_webp", "", "image/png", "", "", kinds[0].size), bytes, size, NULL);
    assert_string_equal(scene->images[0]->media_type, "image/webp");
    facet_scene_free(scene);
    static const char named[] =
        "{" ASSET ",\"images\":[{\"uri\":\"a.KTX2\"},{\"uri\":\"a.png\"}],\"extensionsUsed\":["
        "\"KHR_texture_basisu\"],\"textures\":[{\"source\":0,\"extensions\":{"
        "\"KHR_texture_basisu\":{\"source\":0}}},{\"source\":1,\"extensions\":{"
        "\"KHR_texture_basisu\":{\"source\":0}}}],\"materials\":[{\"normalTexture\":{\"index\":0}},"
        "{\"normalTexture\":{\"index\":1}}]}";
    scene = read_bytes(named, "", 0, NULL);
    assert_int_equal(scene->materials[0]->maps[FACET_MAP_NORMAL]->image, 0);
    assert_int_equal(scene->materials[1]->maps[FACET_MAP_NORMAL]->image, 1);
    facet_output *output = save_scene(scene, "gltf", NULL);
    assert_true(text_has(facet_output_data(output), facet_output_size(output),
                         "\"extensionsRequired\":[\"KHR_texture_basisu\"]"));
    facet_output_free(output);
    facet_scene_free(scene);
}

static facet_report *check_bytes(const char *json, const void *bytes, size_t size)
{
    const char *text = test_gltf_text(json, bytes, size);
    facet_source source = facet_source_from_memory(text, strlen(text), "a.gltf");
    facet_report *report = new_report();
    facet_error error;
    TEST_OK(facet_gltf_check(&source, NULL, report, &error), &error);
    return report;
}

/* A valid file has no errors in any build. An image that cannot be decoded is a warning with its
 * name and format. */
TEST(check_knows_images_of_extensions)
{
    static const char *const names[KINDS] = {"WebP", "AVIF", "KTX2", "DDS"};
    uint8_t bytes[200];
    size_t size = put_square(bytes, webp, sizeof webp);
    facet_report *report =
        check_bytes(textured("EXT_texture_webp", ",\"extensionsRequired\":[\"EXT_texture_webp\"]",
                             "image/webp", "", "", sizeof webp),
                    bytes, size);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
    facet_report_free(report);
    for (size_t kind = 1; kind < KINDS; kind++) {
        size = put_square(bytes, kinds[kind].bytes, kinds[kind].size);
        report = check_bytes(
            textured(kinds[kind].extension, "", kinds[kind].media_type, "", "", kinds[kind].size),
            bytes, size);
        const facet_finding *finding = test_finding(report, "IMAGE-UNSUPPORTED");
        assert_non_null(finding);
        assert_int_equal(finding->severity, FACET_SEVERITY_WARNING);
        assert_non_null(strstr(finding->message, "'w'"));
        assert_non_null(strstr(finding->message, names[kind]));
        assert_int_equal(facet_report_count(report), 1);
        facet_report_free(report);
    }
    /* Bytes of another type than declared, and a missing image. */
    size = put_square(bytes, webp, sizeof webp);
    report = check_bytes(textured("EXT_texture_webp", "", "image/png", "", "", sizeof webp), bytes,
                         size);
    assert_non_null(test_finding(report, "GLTF-IMAGE"));
    facet_report_free(report);
    report = check_bytes("{" ASSET ",\"extensionsUsed\":[\"EXT_texture_webp\"],\"textures\":[{"
                         "\"extensions\":{\"EXT_texture_webp\":{\"source\":3}}}]}",
                         "", 0);
    assert_non_null(test_finding(report, "GLTF-TEXTURE"));
    facet_report_free(report);
}

/* -- Names -------------------------------------------------------------- */

/* A required extension of materials does not change the geometry. Any other unknown required
 * extension may. */
TEST(extensions_of_materials_do_not_hide_geometry)
{
    /* The reader supports the first ones: only the others are reported. */
    static const char *const names[] = {"KHR_materials_transmission",
                                        "KHR_materials_variants",
                                        "KHR_materials_pbrSpecularGlossiness",
                                        "EXT_texture_astc",
                                        "EXT_lights_image_based",
                                        "ADOBE_materials_thin_transparency",
                                        "KHR_xmp_json_ld"};
    enum { READ = 3 };
    static const char format[] =
        "{" ASSET ",\"extensionsUsed\":[%s%s%s],\"extensionsRequired\":["
        "\"%s\"],\"buffers\":[%%B],\"bufferViews\":[" SQUARE_VIEWS
        "],\"accessors\":[" SQUARE_ACCESSORS "],\"nodes\":[{\"mesh\":0}]," SQUARE_MESH("") "}";
    uint8_t bytes[SQUARE_SIZE];
    char json[2000];
    put_square(bytes, NULL, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        for (int used = 0; used < 2; used++) {
            const char *quote = used ? "\"" : "";
            snprintf(json, sizeof json, format, quote, used ? names[i] : "\"A_b\"", quote,
                     names[i]);
            facet_report *report = new_report();
            facet_scene *scene = read_bytes(json, bytes, sizeof bytes, report);
            expect_square(scene);
            unsigned told = 0;
            for (size_t k = 0; k < facet_report_count(report); k++) {
                const facet_finding *finding = facet_report_get(report, k);
                assert_string_equal(finding->rule, "GLTF-EXTENSION");
                assert_int_equal(finding->severity, FACET_SEVERITY_WARNING);
                told += strstr(finding->message, names[i]) != NULL;
            }
            assert_int_equal(told, i >= READ);
            facet_scene_free(scene);
            facet_report_free(report);
        }
    }
    snprintf(json, sizeof json, format, "\"", "EXT_geometry", "\"", "EXT_geometry");
    expect_error(json, bytes, sizeof bytes, FACET_ERROR_UNSUPPORTED, "GLTF-EXTENSION",
                 "'EXT_geometry'");
}

/* -- Compression -------------------------------------------------------- */

static void replace(uint8_t *data, size_t size, const char *from, const char *to)
{
    size_t length = strlen(from);
    assert_int_equal(strlen(to), length);
    for (size_t i = 0; i + length <= size; i++) {
        if (memcmp(data + i, from, length) == 0)
            memcpy(data + i, to, length);
    }
}

/* The first byte of the first compressed attribute: 0xA0, after the header of the chunk. */
static uint8_t *first_head(uint8_t *data, size_t size)
{
    uint32_t json;
    memcpy(&json, data + 12, 4);
    for (size_t i = 28 + json; i < size; i++) {
        if (data[i] == 0xA0)
            return data + i;
    }
    return NULL;
}

/* "Existing assets that use the EXT variant can be losslessly converted to KHR, if needed, by
 * changing the extension strings" (KHR_meshopt_compression, content guidelines). */
TEST(khr_meshopt_is_ext_meshopt_by_another_name)
{
    static const char json[] =
        "{" ASSET ",\"buffers\":[%B],\"bufferViews\":[" SQUARE_VIEWS
        "],\"accessors\":[" SQUARE_ACCESSORS "],\"nodes\":[{\"mesh\":0}]," SQUARE_MESH("") "}";
    const facet_gltf_options how = {.compress = true};
    const facet_options options = {.gltf = &how};
    uint8_t bytes[SQUARE_SIZE];
    facet_error error = {0};
    if (!test_is_built("FACET_MESHOPT"))
        skip();
    put_square(bytes, NULL, 0);
    facet_scene *scene = read_bytes(json, bytes, sizeof bytes, NULL);
    facet_output *output = save_scene(scene, "glb", &options);
    size_t size = (size_t)facet_output_size(output);
    uint8_t *data = malloc(size);
    assert_non_null(data);
    memcpy(data, facet_output_data(output), size);
    facet_output_free(output);
    facet_scene_free(scene);

    replace(data, size, "EXT_meshopt_compression", "KHR_meshopt_compression");
    scene = load_bytes(data, size, "a.glb", NULL);
    expect_square(scene);
    facet_scene_free(scene);

    /* An unknown later version of the codec is named. */
    uint8_t *head = first_head(data, size);
    assert_non_null(head);
    *head = 0xAF;
    assert_int_equal(test_gltf_read(data, size, NULL, &scene, &error), FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "GLTF-MESHOPT");
    assert_non_null(strstr(error.message, "version 15 of the codec of vertices"));
    /* Bytes that are not from the codec are an error. */
    *head = 0x0F;
    assert_int_equal(test_gltf_read(data, size, NULL, &scene, &error), FACET_ERROR_MALFORMED);
    free(data);
}

#define COMPRESSED(extension, uri, filter)                                                     \
    "{" ASSET ",\"extensionsUsed\":[\"" extension "\"],\"buffers\":[%B,{\"byteLength\":16" uri \
    "}],\"bufferViews\":[{\"buffer\":1,\"byteLength\":16,\"byteStride\":4,\"extensions\":{"    \
    "\"" extension "\":{\"buffer\":0,\"byteLength\":36,\"byteStride\":4,\"count\":4,\"mode\":" \
    "\"ATTRIBUTES\",\"filter\":\"" filter "\"}}}],\"accessors\":[{\"bufferView\":0,"           \
    "\"componentType\":5121,\"normalized\":true,\"count\":4,\"type\":\"VEC4\"},{"              \
    "\"componentType\":5126,\"count\":4,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[0,0,0]}],"  \
    "\"meshes\":[{\"primitives\":[{\"mode\":0,\"attributes\":{\"POSITION\":1,\"COLOR_0\":0}}]}]}"

/* Only KHR_meshopt_compression has the filter COLOR. A build that cannot decode a view uses the
 * uncompressed bytes, if the file has them. */
TEST(meshopt_names_what_it_lacks_and_falls_back)
{
    uint8_t bytes[36] = {0xAF}; /* an unknown version */
    if (!test_is_built("FACET_MESHOPT"))
        skip();
    expect_error(COMPRESSED("EXT_meshopt_compression", "", "COLOR"), bytes, sizeof bytes,
                 FACET_ERROR_MALFORMED, "GLTF-MESHOPT", "filter");
    /* "/wAA/w..." is red four times, by RFC 4648. */
    facet_scene *scene = read_bytes(
        COMPRESSED("KHR_meshopt_compression",
                   ",\"uri\":\"data:application/octet-stream;base64,/wAA//8AAP//AAD//wAA/w==\"",
                   "NONE"),
        bytes, sizeof bytes, NULL);
    const facet_stream *colors = facet_mesh_find(scene->meshes[0], FACET_COLOR, 0);
    assert_non_null(colors);
    assert_float_equal(((const float *)colors->data)[0], 1, 0);
    assert_float_equal(((const float *)colors->data)[1], 0, 0);
    facet_scene_free(scene);
}

/* -- Instances ---------------------------------------------------------- */

#define INSTANCED(node, attributes, views, accessors)                                     \
    "{" ASSET ",\"extensionsUsed\":[\"EXT_mesh_gpu_instancing\"],\"buffers\":[%B],"       \
    "\"bufferViews\":[" SQUARE_VIEWS views "],\"accessors\":[" SQUARE_ACCESSORS accessors \
    "],\"nodes\":[{\"mesh\":0" node ",\"extensions\":{\"EXT_mesh_gpu_instancing\":{"      \
    "\"attributes\":{" attributes "}}}}]," SQUARE_MESH("") "}"
#define VIEW(offset, length) ",{\"buffer\":0,\"byteOffset\":" #offset ",\"byteLength\":" #length "}"
#define ACCESSOR(view, type, count, shape, more)                               \
    ",{\"bufferView\":" #view ",\"componentType\":" #type ",\"count\":" #count \
    ",\"type\":\"" shape "\"" more "}"

/* InstanceXform = Translation * Rotation * Scale, and the node's transform after it. The first
 * instance turns by a quarter around z, (x y) to (-y x), and scales by 2 x 3. Sine and cosine of
 * 45 degrees are about 23,170 / 32,767. The second instance only moves. */
TEST(instances_are_nodes)
{
    struct {
        float translations[2][3], scales[2][3];
        int16_t rotations[2][4];
    } more = {.translations = {{5, 0, 0}, {0, 0, 7}},
              .scales = {{2, 3, 1}, {1, 1, 1}},
              .rotations = {{0, 0, 23170, 23170}, {0, 0, 0, 32767}}};
    static const char json[] = INSTANCED(
        ",\"name\":\"tree\",\"translation\":[100,0,0]",
        "\"TRANSLATION\":2,\"ROTATION\":4,\"SCALE\":3", VIEW(60, 24) VIEW(84, 24) VIEW(108, 16),
        ACCESSOR(2, 5126, 2, "VEC3", "") ACCESSOR(3, 5126, 2, "VEC3", "")
            ACCESSOR(4, 5122, 2, "VEC4", ",\"normalized\":true"));
    uint8_t bytes[200];
    facet_report *report = new_report();
    size_t size = put_square(bytes, &more, sizeof more);
    facet_scene *scene = read_bytes(json, bytes, size, report);
    assert_int_equal(facet_report_count(report), 0);
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(scene->nodes[0]->mesh, FACET_NONE);
    for (uint32_t i = 1; i < 3; i++) {
        assert_int_equal(scene->nodes[i]->mesh, 0);
        assert_int_equal(scene->nodes[i]->parent, 0);
        assert_string_equal(scene->nodes[i]->name, "tree");
    }
    const facet_mesh *mesh = flatten(scene);
    const facet_stream *positions = facet_mesh_find(mesh, FACET_POSITION, 0);
    static const float expected[8][3] = {{105, 0, 0}, {105, 2, 0}, {102, 2, 0}, {102, 0, 0},
                                         {100, 0, 7}, {101, 0, 7}, {101, 1, 7}, {100, 1, 7}};
    assert_int_equal(mesh->face_count, 4);
    assert_int_equal(positions->count, 8);
    for (size_t i = 0; i < 8; i++) {
        for (size_t c = 0; c < 3; c++)
            assert_float_equal(((const float *)positions->data)[i * 3 + c], expected[i][c], 1e-4F);
    }
    facet_scene_free(scene);
    facet_report_free(report);
}

/* 750 instances of two triangles are 1,500; 5 are 10. */
TEST(instances_are_counted)
{
    uint8_t bytes[SQUARE_SIZE + 750 * 3];
    char json[2000];
    static const struct {
        unsigned count, triangles;
    } cases[] = {{750, 1500}, {5, 10}, {1, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(json, sizeof json,
                 "{" ASSET ",\"extensionsUsed\":[\"EXT_mesh_gpu_instancing\"],"
                 "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"],\"buffers\":[%%B],"
                 "\"bufferViews\":[" SQUARE_VIEWS "],\"accessors\":[" SQUARE_ACCESSORS
                 ",{\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}],\"nodes\":[{\"mesh\":0,"
                 "\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":2}}}"
                 "}]," SQUARE_MESH("") "}",
                 cases[i].count);
        put_square(bytes, NULL, 0);
        facet_scene *scene = read_bytes(json, bytes, SQUARE_SIZE, NULL);
        assert_int_equal(scene->node_count, 1 + cases[i].count);
        assert_int_equal(flatten(scene)->face_count, cases[i].triangles);
        facet_scene_free(scene);
    }
}

#define FAULTY(attributes, accessors) INSTANCED("", attributes, VIEW(60, 24), accessors)
#define THREE ACCESSOR(2, 5126, 2, "VEC3", "")

TEST(wrong_instances_are_named)
{
    static const struct {
        const char *json, *part;
    } cases[] = {
        {FAULTY("\"TRANSLATION\":9", ""), "does not exist"},
        {FAULTY("\"TRANSLATION\":2,\"SCALE\":0", THREE), "SCALE that has another count"},
        {FAULTY("\"TRANSLATION\":2,\"_ID\":1", THREE), "custom attribute that has another count"},
        {FAULTY("\"TRANSLATION\":1", ""), "three floats"},
        {FAULTY("\"ROTATION\":2", THREE), "four floats"},
        {FAULTY("\"ROTATION\":2", ACCESSOR(2, 5122, 2, "VEC4", "")), "normalized"},
        {FAULTY("\"ROTATION\":2", ACCESSOR(2, 5121, 2, "VEC4", ",\"normalized\":true")), "signed"},
        {FAULTY("", ""), "is empty"},
        {FAULTY("\"SCALE\":2", ",{\"componentType\":5126,\"count\":70000,\"type\":\"VEC3\"}"),
         "no bytes"},
    };
    uint8_t bytes[100] = {0};
    put_square(bytes, NULL, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_error(cases[i].json, bytes, SQUARE_SIZE + 24, FACET_ERROR_MALFORMED,
                     "GLTF-INSTANCES", cases[i].part);
    expect_error("{" ASSET ",\"nodes\":[{\"extensions\":{\"EXT_mesh_gpu_instancing\":{}}}]}", "", 0,
                 FACET_ERROR_MALFORMED, "GLTF-PROPERTY", "attributes");
}

/* Eight nodes of 65,536 instances without bytes: a few hundred bytes would become 100 MB. They
 * are refused. */
TEST(instances_are_bounded_by_the_file)
{
#define MANY \
    "{\"mesh\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"SCALE\":2}}}}"
    static const char json[] = "{" ASSET ",\"buffers\":[%B],\"bufferViews\":[" SQUARE_VIEWS
                               "],\"accessors\":[" SQUARE_ACCESSORS
                               ",{\"componentType\":5126,\"count\":65536,\"type\":\"VEC3\"}],"
                               "\"nodes\":[" MANY "," MANY "," MANY "," MANY "," MANY "," MANY
                               "," MANY "," MANY "]," SQUARE_MESH("") "}";
    uint8_t bytes[SQUARE_SIZE];
    put_square(bytes, NULL, 0);
    expect_error(json, bytes, sizeof bytes, FACET_ERROR_LIMIT, "GROWTH-LIMIT",
                 "arrays of the scene");
}

/* A node without a mesh ignores its instances. Data that instances cannot have is dropped with a
 * warning: custom attributes, a skin, moving morph weights. The node numbers of animations are
 * those of the file. */
TEST(what_instances_lose_is_told)
{
    static const char custom[] = INSTANCED("", "\"TRANSLATION\":2,\"_ID\":2", VIEW(60, 24), THREE);
    static const char bare[] =
        "{" ASSET ",\"nodes\":[{\"extensions\":{\"EXT_mesh_gpu_instancing\":{\"attributes\":{"
        "\"SCALE\":7}}}}]}";
    static const char moved[] = "{" ASSET ",\"buffers\":[%B],\"bufferViews\":[" SQUARE_VIEWS VIEW(
        60,
        24) "],"
            "\"accessors\":[" SQUARE_ACCESSORS THREE
            ",{\"bufferView\":2,\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\",\"min\":[0],"
            "\"max\":[0]}],\"nodes\":[{\"mesh\":0,\"weights\":[0.5],\"extensions\":{"
            "\"EXT_mesh_gpu_instancing\":{\"attributes\":{\"TRANSLATION\":2}}}}],\"animations\":[{"
            "\"samplers\":[{\"input\":3,\"output\":3},{\"input\":3,\"output\":3}],\"channels\":[{"
            "\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}},{\"sampler\":1,\"target\":"
            "{"
            "\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":"
            "\"/nodes/1/scale\"}}}}]}]," SQUARE_MESH(",\"targets\":[{\"POSITION\":0}]") "}";
    uint8_t bytes[100] = {0};
    put_square(bytes, NULL, 0);
    facet_report *report = new_report();
    facet_scene *scene = read_bytes(custom, bytes, SQUARE_SIZE + 24, report);
    assert_int_equal(scene->node_count, 3);
    assert_int_equal(test_finding(report, "GLTF-INSTANCES")->severity, FACET_SEVERITY_WARNING);
    facet_scene_free(scene);
    facet_report_free(report);

    scene = read_bytes(bare, "", 0, NULL);
    assert_int_equal(scene->node_count, 1);
    facet_scene_free(scene);

    report = new_report();
    scene = read_bytes(moved, bytes, SQUARE_SIZE + 24, report);
    assert_int_equal(scene->node_count, 3);
    assert_float_equal(scene->nodes[2]->weights[0], 0.5F, 0);
    assert_int_equal(scene->animations[0]->channel_count, 0);
    assert_non_null(test_finding(report, "GLTF-ANIMATION"));
    facet_scene_free(scene);
    facet_report_free(report);
}

/* The instances of a skinned node would all be drawn at its joints. */
TEST(instances_of_a_skinned_node_are_dropped)
{
    static const char json[] = "{" ASSET ",\"buffers\":[%B],\"bufferViews\":[" SQUARE_VIEWS VIEW(
        60, 24) VIEW(84, 16) VIEW(100, 64) "],\"accessors\":[" SQUARE_ACCESSORS THREE
        ACCESSOR(3, 5121, 4, "VEC4", "") ACCESSOR(
            4, 5126, 4, "VEC4",
            "") "],\"nodes\":[{\"mesh\":0,\"skin\":0,\"extensions\":{\"EXT_mesh_gpu_instancing\":{"
                "\"attributes\":{\"TRANSLATION\":2}}}},{}],\"skins\":[{\"joints\":[1]}],"
                "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":3,"
                "\"WEIGHTS_0\":4},\"indices\":1}]}],\"scenes\":[{\"nodes\":[0,1]}],\"scene\":0}";
    uint8_t bytes[200] = {0};
    const float one = 1;
    put_square(bytes, NULL, 0);
    for (size_t i = 0; i < 4; i++)
        memcpy(bytes + 100 + i * 16, &one, sizeof one);
    facet_report *report = new_report();
    facet_scene *scene = read_bytes(json, bytes, 164, report);
    assert_int_equal(scene->node_count, 2);
    assert_int_equal(scene->nodes[0]->mesh, 0);
    assert_int_equal(test_finding(report, "GLTF-INSTANCES")->severity, FACET_SEVERITY_WARNING);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* -- Containers --------------------------------------------------------- */

/* A chunk of JSON ends with blanks; many tools write NUL. */
TEST(a_chunk_padded_with_nul_is_read)
{
    static const char json[] =
        "{" ASSET ",\"buffers\":[{\"byteLength\":60}],\"bufferViews\":[" SQUARE_VIEWS
        "],\"accessors\":[" SQUARE_ACCESSORS "],\"nodes\":[{\"mesh\":0}]," SQUARE_MESH("") "}";
    uint8_t bytes[SQUARE_SIZE];
    facet_scene *scene = NULL;
    facet_error error;
    put_square(bytes, NULL, 0);
    for (size_t blanks = 1; blanks < 5; blanks++) {
        char padded[sizeof json + 5];
        size_t size, length = strlen(json);
        memcpy(padded, json, length);
        memset(padded + length, ' ', blanks);
        padded[length + blanks] = '\0';
        uint8_t *glb = test_glb(padded, bytes, sizeof bytes, &size);
        for (size_t i = 20 + length; i < size && glb[i] == ' '; i++)
            glb[i] = 0;
        facet_report *report = new_report();
        TEST_OK(test_gltf_read(glb, size, report, &scene, &error), &error);
        expect_square(scene);
        assert_int_equal(facet_report_count(report), 1);
        assert_string_equal(facet_report_get(report, 0)->rule, "GLTF-GLB-CHUNK");
        assert_int_equal(facet_report_get(report, 0)->severity, FACET_SEVERITY_WARNING);
        facet_report_free(report);
        facet_scene_free(scene);
        facet_source source = facet_source_from_memory(glb, size, "a.glb");
        report = new_report();
        TEST_OK(facet_gltf_check(&source, NULL, report, &error), &error);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
        facet_report_free(report);
        /* Inside of the text NUL is an error. */
        glb[20 + 5] = 0;
        assert_int_equal(test_gltf_read(glb, size, NULL, &scene, &error), FACET_ERROR_MALFORMED);
        free(glb);
    }
}

/* RFC 2397: dataurl := "data:" [ mediatype ] [ ";base64" ] "," data. Without ";base64" the data
 * are octets, escaped by %XX. RFC 3986: the scheme is case-insensitive. glTF accepts data URIs of
 * that RFC. Each is one float: 1.0, little-endian, 00 00 80 3F. */
TEST(data_uris_are_those_of_rfc_2397)
{
    static const char *const uris[] = {
        "data:application/octet-stream,%00%00%80%3f",
        "data:application/octet-stream,%00%00%80%3F",
        "data:application/octet-stream,%00%00%80?",
        "data:,%00%00%80%3f",
        "data:application/gltf-buffer;charset=x,%00%00%80%3F",
        "data:application/octet-stream;base64,AACAPw==",
        "data:application/octet-stream;base64,AACAPw",
        "data:application/octet-stream;base64,AACAPw%3D%3D",
        "data:application/octet-stream;charset=x;base64,AACAPw==",
        "data:application/octet-stream;BASE64,AACAPw==",
        "DATA:application/octet-stream;base64,AACAPw==",
        "data:;base64,AACAPw==",
    };
    static const char format[] =
        "{" ASSET ",\"buffers\":[{\"byteLength\":4,\"uri\":\"%s\"}],\"bufferViews\":[{"
        "\"buffer\":0,\"byteLength\":4}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
        "\"count\":1,\"type\":\"SCALAR\"}],\"meshes\":[{\"primitives\":[{\"mode\":0,"
        "\"attributes\":{\"POSITION\":1,\"_X\":0}}]}]}";
    static const char accessors[] = "\"count\":1,\"type\":\"SCALAR\"}";
    char json[2000];
    facet_scene *scene = NULL;
    facet_error error;
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        char body[2000];
        snprintf(body, sizeof body, format, uris[i]);
        char *at = strstr(body, accessors);
        size_t head = (size_t)(at - body) + sizeof accessors - 1;
        snprintf(json, sizeof json,
                 "%.*s,{\"componentType\":5126,\"count\":1,\"type\":\"VEC3\",\"min\":[0,0,0],"
                 "\"max\":[0,0,0]}%s",
                 (int)head, body, body + head);
        TEST_OK(test_gltf_read(json, strlen(json), NULL, &scene, &error), &error);
        const facet_stream *stream = &scene->meshes[0]->streams[1];
        assert_float_equal(*(const float *)stream->data, 1, 0);
        facet_scene_free(scene);
    }
    snprintf(json, sizeof json, format, "data:application/octet-stream;base64");
    expect_error(json, "", 0, FACET_ERROR_MALFORMED, "GLTF-URI", "no comma");
    snprintf(json, sizeof json, format, "data:application/octet-stream,%00%00%80");
    expect_error(json, "", 0, FACET_ERROR_MALFORMED, "GLTF-BUFFER", "3 bytes");
    /* The media type is the only requirement of glTF in addition to the RFC. */
    static const char checked[] = "{" ASSET ",\"buffers\":[{\"byteLength\":4,\"uri\":\"data:"
                                  "%s,%%00%%00%%80%%3f\"}]}";
    snprintf(json, sizeof json, checked, "application/octet-stream");
    facet_report *report = check_bytes(json, "", 0);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
    snprintf(json, sizeof json, checked, "text/plain");
    report = check_bytes(json, "", 0);
    assert_non_null(test_finding(report, "GLTF-URI"));
    facet_report_free(report);
}
