/* facet check for glTF: the smallest file that breaks each rule, and files that break none.
 *
 * The cases correspond to those of the Khronos validator. The rules come from the specification
 * of glTF 2.0 and the validator's list of issues. */
#include "formats/gltf/format.h"
#include "support/support.h"

#include <facet/gltf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASSET "\"asset\":{\"version\":\"2.0\"}"
/* 36 bytes: the positions (0 0 0) (1 0 0) (0 1 0). */
#define BYTES                                                                         \
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64," \
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]"

/* The rule's first finding, or NULL. */
static const facet_finding *find(const facet_report *report, const char *rule)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (strcmp(finding->rule, rule) == 0 && finding->severity != FACET_SEVERITY_NOTE)
            return finding;
    }
    return NULL;
}

/* Write every file of these tests into the folder that FACET_TWINS names, for
 * `tools/gltf-beside-validator`. */
static void keep(const void *data, size_t size)
{
    static unsigned number;
    const char *folder = getenv("FACET_TWINS");
    char path[1000];
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/twin-%03u.%s", folder, number++,
             size >= 4 && memcmp(data, "glTF", 4) == 0 ? "glb" : "gltf");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static facet_report *check(const void *data, size_t size)
{
    keep(data, size);
    facet_report *report = NULL;
    facet_error error;
    facet_source source = facet_source_from_memory(data, size, "a.gltf");
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    assert_int_equal(facet_gltf_check(&source, NULL, report, &error), FACET_OK);
    return report;
}

/* A triangle with these positions. `accessors` are added (the first of them is 1); `attributes`
 * follow the positions in the primitive; `rest` follows the meshes. */
#define TRIANGLE(accessors, attributes, rest)                                               \
    "{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"              \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":"         \
    "\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}" accessors "],\"meshes\":[{\"primitives\":[" \
    "{\"attributes\":{\"POSITION\":0" attributes "}" rest "}"
#define ZEROS(component, type) \
    ",{\"componentType\":" component ",\"count\":3,\"type\":\"" type "\"}"
#define TIMES "{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\",\"min\":[0],\"max\":[0]}"
#define MOTION(nodes, accessors, sampler, path)                                        \
    "{" ASSET ",\"nodes\":[" nodes "],\"accessors\":[" accessors "],\"animations\":[{" \
    "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"" path "\"}}],"    \
    "\"samplers\":[{\"input\":0,\"output\":1" sampler "}]}]}"
#define MOVES "{\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}"

typedef struct twin {
    const char *json, *rule;
} twin;

static const twin wrong[] = {
    /* A missing value, or a value that is not an array or a number. These cases were found by
     * changing valid files. */
    {"{\"asset\":{\"version\":\"2.0\",\"generator\":2}}", "GLTF-PROPERTY"},
    {"{\"asset\":{\"version\":\"2.0\",\"minVersion\":\"\"}}", "GLTF-VERSION"},
    {"{" ASSET ",\"extensionsUsed\":5}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"scenes\":[{\"nodes\":{}}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"nodes\":[{\"matrix\":5126}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"nodes\":[{\"translation\":[1,2]}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"nodes\":[{\"rotation\":[0,0,0,2]}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"materials\":[{\"alphaCutoff\":\"\"}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"materials\":[{\"alphaCutoff\":-1}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"materials\":[{\"doubleSided\":1}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"materials\":[{\"emissiveTexture\":true}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"materials\":[{\"emissiveFactor\":[]}]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{}}}]}",
     "GLTF-PROPERTY"},
    {"{" ASSET ",\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,1,255]}}]}",
     "GLTF-PROPERTY"},
    {"{" ASSET ",\"samplers\":[{\"wrapS\":{}}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"samplers\":[{\"magFilter\":0.5}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"animations\":[{}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1,"
     "\"aspectRatio\":0}}]}",
     "GLTF-CAMERA"},
    {TRIANGLE("", "", ",\"targets\":[{}]}]}]"), "GLTF-EMPTY"},
    {"{" ASSET ",\"meshes\":[{}]}", "GLTF-PROPERTY"},
    {"{" ASSET ",\"meshes\":[{\"primitives\":5126}]}", "GLTF-PROPERTY"},
    {"{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":0}]}", "GLTF-VIEW"},
    {"{" ASSET ",\"buffers\":[{\"byteLength\":{}}]}", "GLTF-BUFFER"},
    {"{" ASSET
     ",\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"VEC3\",\"min\":255}]}",
     "GLTF-ACCESSOR"},
    {"{" ASSET ",\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"VEC2\",\"max\":[0,"
     "\"x\"]}]}",
     "GLTF-ACCESSOR"},
    /* Entries that are empty or exclude one another. */
    {"{" ASSET ",\"accessors\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"animations\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"buffers\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"bufferViews\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"cameras\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"images\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"materials\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"meshes\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"nodes\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"nodes\":[{\"children\":[]}]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"samplers\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"scenes\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"scenes\":[{\"nodes\":[]}]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"skins\":[]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"skins\":[{\"joints\":[]}]}", "GLTF-EMPTY"},
    {"{" ASSET ",\"textures\":[]}", "GLTF-EMPTY"},
    /* Bytes. */
    {"{" ASSET ",\"accessors\":[{\"byteOffset\":4,\"componentType\":5126,\"count\":1,"
     "\"type\":\"SCALAR\"}]}",
     "GLTF-ACCESSOR"},
    {"{" ASSET ",\"accessors\":[{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\","
     "\"normalized\":true}]}",
     "GLTF-ACCESSOR"},
    {"{" ASSET ",\"buffers\":[{\"byteLength\":0}]}", "GLTF-BUFFER"},
    {"{" ASSET ",\"buffers\":[{\"byteLength\":1,\"uri\":\"data:application/octet-stream;;base64,"
     "AA==\"}]}",
     "GLTF-URI"},
    {"{" ASSET ",\"buffers\":[{\"byteLength\":1,\"uri\":\"data:text/plain;base64,AA==\"}]}",
     "GLTF-URI"},
    {"{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"byteStride\":256}]}",
     "GLTF-VIEW"},
    {"{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":8,\"byteStride\":12}]}",
     "GLTF-VIEW"},
    {"{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":36,\"byteStride\":4,"
     "\"target\":34963}]}",
     "GLTF-VIEW"},
    /* The bytes of BYTES as integers: 1.0 is 00 00 80 3F. */
    {"{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":["
     "{\"bufferView\":0,\"componentType\":5121,\"count\":36,\"type\":\"SCALAR\",\"min\":[0],"
     "\"max\":[127]}]}",
     "GLTF-BOUNDS"},
    {"{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":["
     "{\"bufferView\":0,\"componentType\":5120,\"count\":36,\"type\":\"SCALAR\",\"min\":[0],"
     "\"max\":[127]}]}",
     "GLTF-BOUNDS"},
    /* Floats of a sparse accessor begin at byte 2. */
    {"{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":["
     "{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\",\"sparse\":{\"count\":1,\"indices\":"
     "{\"bufferView\":0,\"componentType\":5121},\"values\":{\"bufferView\":0,\"byteOffset\":2}}}]}",
     "GLTF-ALIGN"},
    /* Cameras, textures, images. */
    {"{" ASSET ",\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1},"
     "\"orthographic\":{\"znear\":0,\"zfar\":1,\"xmag\":1,\"ymag\":1}}]}",
     "GLTF-CAMERA"},
    {"{" ASSET ",\"cameras\":[{\"type\":\"orthographic\",\"orthographic\":{\"znear\":0,\"zfar\":1,"
     "\"xmag\":0,\"ymag\":1}}]}",
     "GLTF-CAMERA"},
    {"{" ASSET ",\"cameras\":[{\"type\":\"orthographic\",\"orthographic\":{\"znear\":1,\"zfar\":1,"
     "\"xmag\":1,\"ymag\":1}}]}",
     "GLTF-CAMERA"},
    {"{" ASSET ",\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":2,"
     "\"zfar\":1}}]}",
     "GLTF-CAMERA"},
    {"{" ASSET ",\"textures\":[{\"source\":0}]}", "GLTF-TEXTURE"},
    {"{" ASSET ",\"textures\":[{\"sampler\":0}]}", "GLTF-TEXTURE"},
    {"{" ASSET ",\"samplers\":[{}],\"textures\":[{\"sampler\":1e9}]}", "GLTF-TEXTURE"},
    {"{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"images\":["
     "{\"bufferView\":0}]}",
     "GLTF-IMAGE"},
    {"{" ASSET ",\"images\":[{\"uri\":\"data:image/gif;base64,AA==\"}]}", "GLTF-URI"},
    {"{" ASSET ",\"images\":[{\"uri\":\"data:image/png;base64,AAAA\"}]}", "GLTF-IMAGE"},
    /* A PNG of one gray texel with a wrong MIME type. */
    {"{" ASSET ",\"buffers\":[{\"byteLength\":67,\"uri\":\"data:application/octet-stream;base64,"
     "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mOo"
     "BwAAgQCAfhwpxwAAAABJRU5ErkJggg==\"}],\"bufferViews\":[{\"buffer\":0,"
     "\"byteLength\":67}],\"images\":[{\"bufferView\":0,\"mimeType\":\"image/jpeg\"}]}",
     "GLTF-IMAGE"},
    /* Nodes and skins. */
    {"{" ASSET ",\"nodes\":[{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"scale\":[1,1,1]}]}",
     "GLTF-NODE"},
    {"{" ASSET ",\"nodes\":[{\"matrix\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]}]}", "GLTF-NODE"},
    {"{" ASSET ",\"nodes\":[{\"rotation\":[0,0,0,2]}]}", "GLTF-NODE"},
    {"{" ASSET ",\"nodes\":[{\"skin\":0}],\"skins\":[{\"joints\":[0]}]}", "GLTF-NODE"},
    {"{" ASSET ",\"nodes\":[{},{}],\"skins\":[{\"joints\":[0,1]}]}", "GLTF-SKIN"},
    {"{" ASSET ",\"nodes\":[{\"children\":[1]},{},{}],\"skins\":[{\"joints\":[0,1],"
     "\"skeleton\":2}]}",
     "GLTF-SKIN"},
    {"{" ASSET ",\"nodes\":[{}],\"skins\":[{\"joints\":[0,0]}]}", "GLTF-SKIN"},
    /* Properties that primitives of a mesh share. */
    {TRIANGLE(ZEROS("5123", "VEC4") ZEROS("5123", "VEC4"), ",\"JOINTS_0\":1,\"WEIGHTS_0\":2",
              "}]}]"),
     "GLTF-PRIMITIVE"},
    {TRIANGLE(ZEROS("5122", "VEC4") ZEROS("5126", "VEC4"), ",\"JOINTS_0\":1,\"WEIGHTS_0\":2",
              "}]}]"),
     "GLTF-PRIMITIVE"},
    /* Types that only KHR_mesh_quantization allows, or nothing. */
    {TRIANGLE(ZEROS("5121", "VEC4"), ",\"COLOR_0\":1", "}]}]"), "GLTF-PRIMITIVE"},
    {TRIANGLE(ZEROS("5123", "VEC2"), ",\"TEXCOORD_0\":1", "}]}]"), "GLTF-PRIMITIVE"},
    {TRIANGLE(ZEROS("5122,\"normalized\":true", "VEC3"), ",\"NORMAL\":1", "}]}]"),
     "GLTF-PRIMITIVE"},
    {TRIANGLE(ZEROS("5123,\"normalized\":true", "SCALAR"), "", ",\"indices\":1}]}]"),
     "GLTF-PRIMITIVE"},
    {TRIANGLE(ZEROS("5123", "SCALAR"), "", ",\"indices\":1,\"mode\":1}]}]"), "GLTF-PRIMITIVE"},
    {TRIANGLE("", ",\"FOO\":0", "}]}]"), "GLTF-PRIMITIVE"},
    {TRIANGLE("", ",\"TEXCOORD_01\":0", "}]}]"), "GLTF-PRIMITIVE"},
    {TRIANGLE(ZEROS("5125", "SCALAR"), ",\"_A\":1", "}]}]"), "GLTF-PRIMITIVE"},
    {TRIANGLE(ZEROS("5123", "VEC4"), ",\"JOINTS_0\":1", "}]}]"), "GLTF-PRIMITIVE"},
    {TRIANGLE("", "", ",\"targets\":[{\"NORMAL\":0}]}]}]"), "GLTF-PRIMITIVE"},
    {TRIANGLE(ZEROS("5126", "VEC3"), "", ",\"targets\":[{\"POSITION\":1}]}]}]"), "GLTF-BOUNDS"},
    {TRIANGLE("", "", ",\"targets\":[{\"POSITION\":0}]},{\"attributes\":{\"POSITION\":0}}]}]"),
     "GLTF-PRIMITIVE"},
    {TRIANGLE("", "", ",\"targets\":[{\"POSITION\":0}]}],\"weights\":[0,0]}]"), "GLTF-PRIMITIVE"},
    /* A skin on a mesh without joints; joints that are not in a scene. */
    {TRIANGLE("", "", "}]}],\"nodes\":[{\"mesh\":0,\"skin\":0},{}],\"skins\":[{\"joints\":[1]}]"),
     "GLTF-NODE"},
    {"{" ASSET ",\"nodes\":[{\"skin\":0},{}],\"skins\":[{\"joints\":[1]}],\"scenes\":[{\"nodes\":["
     "0]}]}",
     "GLTF-SKIN"},
    /* Animations. */
    {MOTION("{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}", TIMES "," MOVES, "", "translation"),
     "GLTF-ANIMATION"},
    {MOTION("{}", "{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\"}," MOVES, "",
            "translation"),
     "GLTF-BOUNDS"},
    /* Extensions, and bytes before the JSON. */
    {"{" ASSET ",\"extensionsUsed\":[\"KHR_lights_punctual\",\"KHR_lights_punctual\"]}",
     "GLTF-EXTENSION"},
    {"{" ASSET ",\"extensions\":{\"EXT_nobody\":{}}}", "GLTF-EXTENSION"},
    {"\xEF\xBB\xBF{" ASSET "}", "GLTF-JSON"},
};

/* glTF 2.0, 2.4: keys of an object are unique. A reader uses the last value. */
TEST(repeated_keys_are_found)
{
    static const struct {
        const char *json;
        uint64_t count;
    } cases[] = {
        {"{" ASSET ",\"nodes\":[{\"name\":\"a\",\"name\":\"b\"},{\"name\":\"a\",\"name\":\"b\"}]}",
         2},
        {"{" ASSET ",\"nodes\":[{\"name\":\"a\",\"extras\":{\"name\":1}},{\"name\":\"b\"}]}", 0}};
    for (size_t i = 0; i < 2; i++) {
        facet_report *report = check(cases[i].json, strlen(cases[i].json));
        const facet_finding *finding = test_finding_saying(report, "GLTF-JSON", "'name'");
        assert_int_equal(finding ? finding->count : 0, cases[i].count);
        if (finding)
            assert_int_equal(finding->offset, 1 + strlen(ASSET ",\"nodes\":[{\"name\":\"a\","));
        facet_report_free(report);
    }
}

TEST(what_the_validator_calls_an_error_is_found)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        facet_report *report = check(wrong[i].json, strlen(wrong[i].json));
        if (!find(report, wrong[i].rule))
            fail_msg("%s: no finding %s", wrong[i].json, wrong[i].rule);
        facet_report_free(report);
    }
}

/* Files that the validator accepts and an earlier release refused. */
static const char *const right[] = {
    /* Accessors without a view are zeros. */
    "{" ASSET ",\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":"
    "[0,0,0],\"max\":[0,0,0]}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]}",
    /* Integers that are written as floats. */
    "{" ASSET ",\"buffers\":[{\"byteLength\":36.0,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}],\"bufferViews\":[{\"buffer\":0.0,"
    "\"byteLength\":3.6e1}]}",
    /* Integers of KHR_mesh_quantization. */
    TRIANGLE(ZEROS("5123", "VEC2"), ",\"TEXCOORD_0\":1",
             "}]}],\"extensionsUsed\":[\"KHR_mesh_quantization\"],"
             "\"extensionsRequired\":[\"KHR_mesh_quantization\"]"),
    /* Indices without a view. */
    "{" ASSET "," BYTES ",\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":["
    "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
    "\"max\":[1,1,0]},{\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"}],\"meshes\":["
    "{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]}",
};

TEST(what_the_validator_calls_clean_is_not_refused)
{
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        facet_report *report = check(right[i], strlen(right[i]));
        for (size_t k = 0; k < facet_report_count(report); k++) {
            const facet_finding *finding = facet_report_get(report, k);
            if (finding->severity == FACET_SEVERITY_ERROR)
                fail_msg("%s: %s: %s", right[i], finding->rule, finding->message);
        }
        facet_report_free(report);
    }
}

/* A buffer without a URI: the user supplies the bytes. Not refused, and not read. */
TEST(absent_bytes_are_a_warning)
{
    static const char json[] = "{" ASSET ",\"buffers\":[{\"byteLength\":4}],\"bufferViews\":["
                               "{\"buffer\":0,\"byteLength\":4}]}";
    facet_report *report = check(json, strlen(json));
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
    assert_non_null(find(report, "GLTF-BUFFER-ABSENT"));
    facet_report_free(report);
}

/* An error of the reader is reported once, together with other errors. */
TEST(refusals_stand_beside_other_errors)
{
    static const char lights[] = "{" ASSET ",\"nodes\":[],\"extensions\":{"
                                 "\"KHR_lights_punctual\":{\"lights\":[{}]}}}";
    facet_report *report = check(lights, strlen(lights));
    assert_non_null(find(report, "GLTF-EMPTY"));
    const facet_finding *refusal = find(report, "GLTF-PROPERTY");
    assert_non_null(refusal);
    assert_string_equal(refusal->message, "/extensions/KHR_lights_punctual/lights/0 has no type");
    facet_report_free(report);

    static const char views[] = "{" ASSET "," BYTES ",\"nodes\":[],\"bufferViews\":[{}]}";
    report = check(views, strlen(views));
    size_t properties = 0;
    for (size_t i = 0; i < facet_report_count(report); i++)
        properties += strcmp(facet_report_get(report, i)->rule, "GLTF-PROPERTY") == 0;
    assert_int_equal(properties, 2); /* of the check: neither buffer nor byteLength */
    facet_report_free(report);
}

/* An error that occurs many times is counted, not reported each time. */
TEST(wrong_properties_are_bounded)
{
    char json[2000] = "{" ASSET ",\"nodes\":[{\"children\":[true";
    for (int i = 1; i < 150; i++)
        strcat(json, ",true");
    facet_report *report = check(json, strlen(strcat(json, "]}]}")));
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 101);
    const facet_finding *last = facet_report_get(report, facet_report_count(report) - 1);
    assert_string_equal(last->message, "50 more properties are invalid");
    facet_report_free(report);
}

/* A few characters that stand for too many zeros are refused. */
TEST(many_zeros_are_refused)
{
    static const char json[] =
        "{" ASSET ",\"accessors\":[{\"componentType\":5126,\"count\":65537,\"type\":\"VEC3\","
        "\"min\":[0,0,0],\"max\":[0,0,0]}],\"meshes\":[{\"primitives\":[{\"attributes\":"
        "{\"POSITION\":0}}]}]}";
    facet_report *report = check(json, strlen(json));
    assert_non_null(find(report, "GLTF-PRIMITIVE"));
    facet_report_free(report);
}

/* -- Containers ----------------------------------------------------------- */

typedef struct glb {
    uint8_t bytes[256];
    size_t size;
} glb;

static void put_u32(glb *g, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        g->bytes[g->size++] = (uint8_t)(value >> 8 * i);
}

static void put_chunk(glb *g, const char *type, const char *text, size_t size)
{
    put_u32(g, (uint32_t)size);
    memcpy(g->bytes + g->size, type, 4);
    memcpy(g->bytes + g->size + 4, text, size);
    g->size += 4 + size;
}

static facet_report *check_glb(glb *g)
{
    glb head = {{0}, 0};
    memcpy(head.bytes, "glTF", 4);
    head.size = 4;
    put_u32(&head, 2);
    put_u32(&head, (uint32_t)g->size);
    memcpy(g->bytes, head.bytes, 12);
    return check(g->bytes, g->size);
}

#define PLAIN "{" ASSET "} " /* 28 bytes */
TEST(wrong_chunk_orders_are_reported)
{
    static const struct {
        const char *types[3];
        size_t size; /* size of the last chunk, of 4 bytes */
        bool wrong;
    } cases[] = {{{"JSON", NULL}, 4, false},           {{"JSON", "JSON", NULL}, 4, true},
                 {{"JSON", "MORE", "BIN\0"}, 4, true}, {{"JSON", "BIN\0", "BIN\0"}, 4, true},
                 {{"JSON", "MORE", NULL}, 3, true},    {{"JSON", "MORE", NULL}, 4, false}};
    assert_int_equal(strlen(PLAIN) % 4, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        glb g = {{0}, 12};
        put_chunk(&g, "JSON", PLAIN, strlen(PLAIN));
        for (int k = 1; k < 3 && cases[i].types[k]; k++)
            put_chunk(&g, cases[i].types[k], "    ", cases[i].size);
        facet_report *report = check_glb(&g);
        if (!find(report, "GLTF-GLB-CHUNK") == cases[i].wrong)
            fail_msg("case %zu", i);
        facet_report_free(report);
    }
}

/* Every float component is checked, even the last one of the last vertex: 0, 0, 0, 1, 1, 1, 0, 1,
 * 2. The buffer has the nine floats of the positions, then those of the colors. */
TEST(the_last_color_is_looked_at)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":72,\"uri\":\"data:"
        "application/octet-stream;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAgD8AAIA/"
        "AAAAAAAAgD8AAABA"
        "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},"
        "{\"buffer\":0,\"byteOffset\":36,\"byteLength\":36}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
        "\"min\":[0,0,0],\"max\":[1,1,0]},"
        "{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":1}}]}]}";
    facet_report *report = check(json, sizeof json - 1);
    const facet_finding *finding = find(report, "GLTF-PRIMITIVE");
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "color 2 of accessor 1"));
    assert_int_equal(finding->count, 1);
    facet_report_free(report);
}

/* Programs add data to glTF with names that glTF uses elsewhere. Nodes have no "type", and a
 * "mesh" of an unknown object is not an index. Such files are read, with a warning for each
 * property. */
TEST(unknown_properties_are_warnings)
{
    static const char *const files[] = {
        "{" ASSET ",\"gameStuff\":{\"type\":3,\"mesh\":\"big\",\"nodes\":7}}",
        "{" ASSET ",\"nodes\":[{\"type\":3}],\"scene\":0,\"scenes\":[{\"nodes\":[0]}]}",
        "{" ASSET ",\"nodes\":[{\"path\":[],\"mesh_\":1}],\"scene\":0,"
        "\"scenes\":[{\"nodes\":[0]}]}",
        "{" ASSET ",\"materials\":[{\"index\":-1.5}]}",
    };
    static const uint64_t expected[] = {1, 1, 2, 1};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_source source = facet_source_from_memory(files[i], strlen(files[i]), "a.gltf");
        facet_report *report = NULL;
        facet_scene *scene = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_check(&source, facet_format_named("gltf"), NULL, report, &error), &error);
        const facet_finding *finding = test_finding(report, "GLTF-UNEXPECTED");
        assert_non_null(finding);
        assert_int_equal(finding->severity, FACET_SEVERITY_WARNING);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_WARNING), expected[i]);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 0);
        TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, &error), &error);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

TEST(many_unknown_properties_are_counted)
{
    char json[4000] = "{" ASSET;
    for (size_t i = 0; i < 103; i++) {
        size_t length = strlen(json);
        snprintf(json + length, sizeof json - length, ",\"own%zu\":0", i);
    }
    strcat(json, "}");
    facet_source source = facet_source_from_memory(json, strlen(json), "a.gltf");
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_check(&source, facet_format_named("gltf"), NULL, report, &error), &error);
    bool counted = false;
    for (size_t i = 0; i < facet_report_count(report); i++)
        counted |=
            strstr(facet_report_get(report, i)->message, "3 more names are left out") != NULL;
    assert_true(counted); /* at most a hundred are named */
    facet_report_free(report);
}
