/* glTF: material extensions.
 *
 * Names, defaults and ranges are from the texts of the extensions in the glTF registry. */
#include "formats/gltf/format.h"
#include "support/gltf_looks.h"

#include <facet/convert.h>
#include <facet/format.h>

/* -- Material extensions ------------------------------------------------ */

/* Each extension as it is written again. Default values that the file gives explicitly are not
 * written. */
static const struct {
    const char *name, *given, *written;
} looks[] = {
    {"ior", "\"ior\":1.25", "\"ior\":1.25"},
    {"ior", "\"ior\":0", "\"ior\":0"},
    {"specular", "\"specularFactor\":0.5,\"specularColorFactor\":[2,0.5,0.25]",
     "\"specularColorFactor\":[2,0.5,0.25],\"specularFactor\":0.5"},
    {"clearcoat", "\"clearcoatFactor\":0.5,\"clearcoatRoughnessFactor\":0",
     "\"clearcoatFactor\":0.5"},
    {"sheen", "\"sheenColorFactor\":[0.5,0.25,1],\"sheenRoughnessFactor\":0.75",
     "\"sheenColorFactor\":[0.5,0.25,1],\"sheenRoughnessFactor\":0.75"},
    {"transmission", "\"transmissionFactor\":0.75", "\"transmissionFactor\":0.75"},
    {"volume", "\"thicknessFactor\":2,\"attenuationDistance\":0.5,\"attenuationColor\":[1,0.5,1]",
     "\"attenuationColor\":[1,0.5,1],\"attenuationDistance\":0.5,\"thicknessFactor\":2"},
    {"iridescence",
     "\"iridescenceFactor\":1,\"iridescenceIor\":1.5,"
     "\"iridescenceThicknessMinimum\":100,\"iridescenceThicknessMaximum\":500",
     "\"iridescenceFactor\":1,\"iridescenceIor\":1.5,\"iridescenceThicknessMaximum\":500"},
    {"anisotropy", "\"anisotropyStrength\":0.5,\"anisotropyRotation\":-4",
     "\"anisotropyRotation\":-4,\"anisotropyStrength\":0.5"},
    {"dispersion", "\"dispersion\":0.25", "\"dispersion\":0.25"},
    {"diffuse_transmission",
     "\"diffuseTransmissionFactor\":0.5,\"diffuseTransmissionColorFactor\":[1,0.5,1]",
     "\"diffuseTransmissionColorFactor\":[1,0.5,1],\"diffuseTransmissionFactor\":0.5"},
};

TEST(looks_are_written_as_read)
{
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        char json[3000], part[400];
        snprintf(json, sizeof json,
                 HEAD("") "\"extensionsUsed\":[\"KHR_materials_%s\"],\"materials\":[{"
                          "\"extensions\":{\"KHR_materials_%s\":{%s}}}],\"meshes\":[{"
                          "\"primitives\":[" PRIMITIVE(",\"material\":0") "]}]," TRIANGLE "}",
                 looks[i].name, looks[i].name, looks[i].given);
        facet_report *report = new_report();
        facet_scene *scene = read_text(json, report);
        json_t *root = json_of(scene, report);
        snprintf(part, sizeof part, "{\"KHR_materials_%s\":{%s}}", looks[i].name, looks[i].written);
        expect_json(at(root, "materials/0/extensions"), part);
        snprintf(part, sizeof part, "[\"KHR_materials_%s\"]", looks[i].name);
        expect_json(at(root, "extensionsUsed"), part);
        assert_int_equal(facet_report_count(report), 0);
        json_decref(root);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* Every texture slot with all properties of a texture: the values after a round trip, and their
 * map. */
static const struct {
    const char *name, *slot;
    facet_map map;
} slots[] = {
    {"specular", "specularTexture", FACET_MAP_SPECULAR_FACTOR},
    {"specular", "specularColorTexture", FACET_MAP_SPECULAR_COLOR},
    {"clearcoat", "clearcoatTexture", FACET_MAP_CLEARCOAT},
    {"clearcoat", "clearcoatRoughnessTexture", FACET_MAP_CLEARCOAT_ROUGHNESS},
    {"clearcoat", "clearcoatNormalTexture", FACET_MAP_CLEARCOAT_NORMAL},
    {"sheen", "sheenColorTexture", FACET_MAP_SHEEN_COLOR},
    {"sheen", "sheenRoughnessTexture", FACET_MAP_SHEEN_ROUGHNESS},
    {"transmission", "transmissionTexture", FACET_MAP_TRANSMISSION},
    {"volume", "thicknessTexture", FACET_MAP_THICKNESS},
    {"iridescence", "iridescenceTexture", FACET_MAP_IRIDESCENCE},
    {"iridescence", "iridescenceThicknessTexture", FACET_MAP_IRIDESCENCE_THICKNESS},
    {"anisotropy", "anisotropyTexture", FACET_MAP_ANISOTROPY},
    {"diffuse_transmission", "diffuseTransmissionTexture", FACET_MAP_DIFFUSE_TRANSMISSION},
    {"diffuse_transmission", "diffuseTransmissionColorTexture",
     FACET_MAP_DIFFUSE_TRANSMISSION_COLOR},
};

TEST(textures_of_looks_are_written_as_read)
{
    static const char info[] =
        "{\"index\":0,\"texCoord\":1,\"extensions\":{\"KHR_texture_transform\":{\"offset\":"
        "[0.25,0.5],\"rotation\":1,\"scale\":[2,4]}}}";
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++) {
        char json[3000], part[400];
        snprintf(
            json, sizeof json,
            HEAD("") "\"extensionsUsed\":[\"KHR_materials_%s\",\"KHR_texture_transform\"],"
                     "\"images\":[{\"uri\":\"a.png\"}],\"samplers\":[{\"wrapS\":33071,"
                     "\"wrapT\":33648,\"minFilter\":9985,\"magFilter\":9728}],\"textures\":[{"
                     "\"source\":0,\"sampler\":0}],\"materials\":[{\"extensions\":{"
                     "\"KHR_materials_%s\":{\"%s\":%s}}}],\"meshes\":[{\"primitives\":[" PRIMITIVE(
                         ",\"material\":0") "]}]," TRIANGLE "}",
            slots[i].name, slots[i].name, slots[i].slot, info);
        facet_scene *scene = read_text(json, NULL);
        const facet_texture *texture = scene->materials[0]->maps[slots[i].map];
        assert_non_null(texture->path);
        assert_int_equal(texture->uv_set, 1);
        json_t *root = json_of(scene, NULL);
        snprintf(part, sizeof part, "{\"KHR_materials_%s\":{\"%s\":%s}}", slots[i].name,
                 slots[i].slot, info);
        expect_json(at(root, "materials/0/extensions"), part);
        expect_json(at(root, "samplers/0"),
                    "{\"wrapS\":33071,\"wrapT\":33648,\"minFilter\":9985,\"magFilter\":9728}");
        expect_json(at(root, "images/0/uri"), "\"a.png\"");
        json_decref(root);
        facet_scene_free(scene);
    }
}

/* Invalid values of an extension are dropped. */
TEST(broken_looks_leave_the_geometry)
{
    facet_scene *scene = read_text(
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"extensionsUsed\":["
        "\"KHR_materials_sheen\",\"KHR_materials_ior\"],\"materials\":[{\"extensions\":{"
        "\"KHR_materials_sheen\":{\"sheenColorFactor\":[1,1],\"sheenRoughnessFactor\":0.5},"
        "\"KHR_materials_ior\":{\"ior\":\"glass\"}}}],\"meshes\":[{\"primitives\":[" PRIMITIVE(
            ",\"material\":0") "]}]," TRIANGLE "}",
        NULL);
    assert_float_equal(scene->materials[0]->sheen_color[0], 0, 0);
    assert_float_equal(scene->materials[0]->sheen_roughness, 0.5, 0);
    assert_float_equal(scene->materials[0]->ior, 1.5, 0);
    assert_int_equal(scene->meshes[0]->face_count, 1);
    facet_scene_free(scene);
}

/* Programs write an unlimited distance as the largest double. */
TEST(a_look_that_no_float_holds_is_not_given)
{
    facet_report *report = new_report();
    facet_scene *scene = read_text(
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"extensionsUsed\":["
        "\"KHR_materials_volume\"],\"materials\":[{\"extensions\":{"
        "\"KHR_materials_volume\":{\"thicknessFactor\":2,\"attenuationDistance\":1.797e308,"
        "\"attenuationColor\":[1,-1e39,1]}}}],\"meshes\":[{\"primitives\":[" PRIMITIVE(
            ",\"material\":0") "]}]," TRIANGLE "}",
        report);
    assert_float_equal(scene->materials[0]->thickness, 2, 0);
    assert_float_equal(scene->materials[0]->attenuation_distance, 0, 0); /* unlimited */
    assert_float_equal(scene->materials[0]->attenuation_color[1], 1, 0);
    assert_int_equal(facet_report_count(report), 0);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* 0 means total reflection: no other invalid value is written as 0. */
TEST(an_invalid_ior_is_written_as_1)
{
    static const char *const given[] = {"-1", "0.5"};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char json[3000];
        snprintf(json, sizeof json,
                 HEAD("") "\"extensionsUsed\":[\"KHR_materials_ior\"],\"materials\":[{"
                          "\"extensions\":{\"KHR_materials_ior\":{\"ior\":%s}}}],\"meshes\":[{"
                          "\"primitives\":[" PRIMITIVE(",\"material\":0") "]}]," TRIANGLE "}",
                 given[i]);
        facet_scene *scene = read_text(json, NULL);
        json_t *root = json_of(scene, NULL);
        expect_json(at(root, "materials/0/extensions/KHR_materials_ior/ior"), "1");
        json_decref(root);
        facet_scene_free(scene);
    }
}

TEST(a_missing_texture_of_a_look_is_left_out)
{
    facet_report *report = new_report();
    facet_scene *scene = read_text(
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"extensionsUsed\":["
        "\"KHR_materials_clearcoat\"],\"materials\":[{\"extensions\":{"
        "\"KHR_materials_clearcoat\":{\"clearcoatFactor\":1,\"clearcoatTexture\":{\"index\":5},"
        "\"clearcoatNormalTexture\":{\"index\":6,\"scale\":1e39}}}}],"
        "\"meshes\":[{\"primitives\":[" PRIMITIVE(",\"material\":0") "]}]," TRIANGLE "}",
        report);
    const facet_finding *finding = test_finding(report, "GLTF-MATERIAL");
    assert_non_null(finding);
    assert_int_equal(finding->severity, FACET_SEVERITY_WARNING);
    assert_string_equal(finding->message, "material 0 uses texture 5 of 0 in "
                                          "KHR_materials_clearcoat: it is left out");
    assert_int_equal(facet_report_count(report), 2);
    assert_float_equal(scene->materials[0]->clearcoat, 1, 0);
    assert_null(scene->materials[0]->maps[FACET_MAP_CLEARCOAT]);
    assert_float_equal(facet_material_strength(scene->materials[0], FACET_MAP_CLEARCOAT_NORMAL), 1,
                       0);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* A distance that exceeds a float means no absorption. It is not written: the default is infinite,
 * and 0 is invalid in a file. */
TEST(a_distance_beyond_all_floats_is_unlimited)
{
    facet_scene *scene = read_text(
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"extensionsUsed\":["
        "\"KHR_materials_volume\"],\"materials\":[{\"extensions\":{\"KHR_materials_volume\":{"
        "\"thicknessFactor\":1,\"attenuationDistance\":3e38}}}],\"meshes\":[{\"primitives\":"
        "[" PRIMITIVE(",\"material\":0") "]}]," TRIANGLE "}",
        NULL);
    facet_scene_scale(scene, 100);
    json_t *root = json_of(scene, NULL);
    expect_json(at(root, "materials/0/extensions/KHR_materials_volume"),
                "{\"thicknessFactor\":100}");
    json_decref(root);
    facet_scene_free(scene);
}

/* Assert the check's finding for one property. The ranges are those of the extensions' schemas. */
static void expect_fault(const char *extension, const char *property, const char *part)
{
    char json[3000];
    snprintf(json, sizeof json,
             HEAD("") "\"extensionsUsed\":[\"KHR_materials_%s\"],\"materials\":[{\"extensions\":{"
                      "\"KHR_materials_%s\":{%s}}}],\"meshes\":[{\"primitives\":[" PRIMITIVE(
                          ",\"material\":0") "]}]," TRIANGLE "}",
             extension, extension, property);
    const char *text = test_gltf_text(json, triangle, sizeof triangle);
    facet_report *report = new_report();
    facet_error error;
    facet_source source = facet_source_from_memory(text, strlen(text), "a.gltf");
    TEST_OK(facet_gltf_check(&source, NULL, report, &error), &error);
    const facet_finding *finding = test_finding(report, "GLTF-PROPERTY");
    if (!part)
        assert_null(finding);
    else if (!finding || !strstr(finding->message, part))
        fail_msg("no '%s' of %s", part, property);
    facet_report_free(report);
}

TEST(the_check_knows_the_ranges_of_looks)
{
    expect_fault("ior", "\"ior\":0", NULL);
    expect_fault("ior", "\"ior\":0.5", "/materials/0/extensions/KHR_materials_ior/ior is not in");
    expect_fault("clearcoat", "\"clearcoatFactor\":1.5", "clearcoatFactor is not in the range");
    expect_fault("sheen", "\"sheenColorFactor\":[1,1]", "sheenColorFactor is not 3 numbers");
    expect_fault("sheen", "\"sheenColorFactor\":[1,1,2]", "sheenColorFactor is not in the range");
    expect_fault("specular", "\"specularColorFactor\":[1,1,2]", NULL);
    expect_fault("pbrSpecularGlossiness", "\"diffuseFactor\":[1,1,1]", "is not 4 numbers");
    expect_fault("pbrSpecularGlossiness", "\"glossinessFactor\":2", "is not in the range");
    expect_fault("pbrSpecularGlossiness", "\"diffuseTexture\":{}", "has no index of a texture");
    expect_fault("volume", "\"attenuationDistance\":0", "attenuationDistance is not in the range");
    expect_fault("iridescence", "\"iridescenceIor\":\"a\"", "iridescenceIor is not a number");
    expect_fault("anisotropy", "\"anisotropyRotation\":-9", NULL);
    expect_fault("transmission", "\"transmissionTexture\":{}", "transmissionTexture has no index");
}

/* Lengths of a volume are in units, the thickness of a film is in nanometers. */
TEST(volumes_scale_with_the_scene)
{
    facet_scene *scene = NULL;
    facet_material *material = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "glass", &material, &error), &error);
    material->thickness = 0.5F;
    material->attenuation_distance = 2;
    facet_scene_scale(scene, 100);
    assert_float_equal(material->thickness, 50, 0);
    assert_float_equal(material->attenuation_distance, 200, 0);
    assert_float_equal(material->iridescence_thickness[1], 400, 0);
    facet_scene_free(scene);
}

/* -- Specular-glossiness ------------------------------------------------ */

#define GLOSSY "KHR_materials_pbrSpecularGlossiness"

/* A scene with one material: `extension` is the content of the extension, `more` further
 * members. */
static facet_scene *read_glossy(const char *extension, const char *more, facet_report *report)
{
    char json[3000];
    snprintf(
        json, sizeof json,
        HEAD("") "\"extensionsUsed\":[\"" GLOSSY "\"],\"images\":[{\"uri\":\"a.png\"},{\"uri\":"
                 "\"b.png\"}],\"textures\":[{\"source\":0},{\"source\":1}],\"materials\":[{"
                 "\"extensions\":{\"" GLOSSY "\":{%s}}%s}],\"meshes\":[{\"primitives\":[" PRIMITIVE(
                     ",\"material\":0") "]}]," TRIANGLE "}",
        extension, more);
    return read_text(json, report);
}

static void expect_glossiness(const facet_report *report, const char *part)
{
    const facet_finding *finding = test_finding(report, "GLTF-GLOSSINESS");
    assert_non_null(finding);
    if (!strstr(finding->message, part))
        fail_msg("no '%s' in '%s'", part, finding->message);
}

/* KHR_materials_ior: with ior 0 the reflection from the front is the specular color. Roughness is
 * 1 - 0.25. */
TEST(specular_glossiness_becomes_metallic_roughness)
{
    facet_report *report = new_report();
    facet_scene *scene = read_glossy("\"diffuseFactor\":[0.5,0.25,0.125,0.5],\"specularFactor\":"
                                     "[0.25,0.5,0.75],\"glossinessFactor\":0.25",
                                     ",\"alphaMode\":\"BLEND\"", report);
    json_t *root = json_of(scene, report);
    expect_json(at(root, "materials/0"),
                "{\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,"
                "0.125,0.5],\"metallicFactor\":0,\"roughnessFactor\":0.75},\"extensions\":{"
                "\"KHR_materials_ior\":{\"ior\":0},\"KHR_materials_specular\":{"
                "\"specularColorFactor\":[0.25,0.5,0.75]}}}");
    expect_json(at(root, "extensionsUsed"), "[\"KHR_materials_ior\",\"KHR_materials_specular\"]");
    expect_glossiness(report, "specular color is approximated");
    json_decref(root);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* The defaults of the extension: white, specular color 1, glossiness 1. */
TEST(specular_glossiness_has_its_own_defaults)
{
    facet_scene *scene = read_glossy("\"diffuseFactor\":[1,1]", "", NULL);
    const facet_material *material = scene->materials[0];
    assert_float_equal(material->base_color[1], 1, 0);
    assert_float_equal(material->metallic, 0, 0);
    assert_float_equal(material->roughness, 0, 0);
    assert_float_equal(material->ior, 0, 0);
    facet_scene_free(scene);
}

/* The colors of both textures are used. The glossiness in the alpha of the second is not: half of
 * the factor 0.5 leaves a roughness of 0.75. */
TEST(textures_of_specular_glossiness_become_maps)
{
    facet_report *report = new_report();
    facet_scene *scene =
        read_glossy("\"diffuseTexture\":{\"index\":1,\"texCoord\":1},\"glossinessFactor\":0.5,"
                    "\"specularGlossinessTexture\":{\"index\":0}",
                    "", report);
    json_t *root = json_of(scene, report);
    expect_json(at(root, "materials/0"),
                "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0,\"texCoord\":1},"
                "\"metallicFactor\":0,\"roughnessFactor\":0.75},\"extensions\":{"
                "\"KHR_materials_ior\":{\"ior\":0},\"KHR_materials_specular\":{"
                "\"specularColorTexture\":{\"index\":1}}}}");
    /* Textures are numbered in the order in which they are written. */
    expect_json(at(root, "textures"), "[{\"source\":1},{\"source\":0}]");
    expect_glossiness(report, "glossiness in the alpha of its texture is dropped");
    json_decref(root);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* Readers without the extension use these values, also after a copy. Default values next to a
 * diffuse texture are not used. */
TEST(metallic_roughness_next_to_specular_glossiness_is_kept)
{
    facet_report *report = new_report();
    facet_scene *scene =
        read_glossy("\"diffuseFactor\":[0,0,1,1],\"glossinessFactor\":0.5",
                    ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1],\"metallicFactor\":"
                    "0.5}",
                    report);
    json_t *root = json_of(scene, report);
    expect_json(
        at(root, "materials/0"),
        "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0,0,1],\"metallicFactor\":0.5}}");
    expect_glossiness(report, "is dropped: the file has metallic-roughness values");
    json_decref(root);
    facet_scene_free(scene);
    facet_report_free(report);
    scene = read_glossy("\"diffuseTexture\":{\"index\":0},\"glossinessFactor\":0.5",
                        ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,1,1,1]}", NULL);
    assert_non_null(scene->materials[0]->maps[FACET_MAP_DIFFUSE]);
    assert_float_equal(scene->materials[0]->roughness, 0.5, 0);
    facet_scene_free(scene);
}

TEST(a_missing_texture_of_specular_glossiness_is_left_out)
{
    facet_report *report = new_report();
    facet_scene *scene =
        read_glossy("\"diffuseFactor\":[0,1,0,1],\"diffuseTexture\":{\"index\":7}", "", report);
    assert_float_equal(scene->materials[0]->base_color[0], 0, 0);
    assert_null(scene->materials[0]->maps[FACET_MAP_DIFFUSE]);
    assert_non_null(test_finding(report, "GLTF-MATERIAL"));
    facet_scene_free(scene);
    facet_report_free(report);
}

/* -- Losses ------------------------------------------------------------- */

TEST(obj_names_the_looks_that_it_loses)
{
    facet_report *report = new_report();
    facet_output *output = NULL;
    facet_error error;
    facet_scene *scene = read_text(variants, NULL);
    scene->asset = "{\"copyright\":\"A\"}";
    scene->materials[1]->clearcoat = 1;
    scene->materials[2]->sheen_color[1] = 0.5F;
    const facet_options options = {.report = report};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named("obj"), &options, output, &error), &error);
    const facet_finding *finding = test_finding(report, "LOSS-LOOKS");
    assert_non_null(finding);
    /* MTL has a coat, and approximates sheen. */
    assert_non_null(strstr(finding->message, "cannot hold these material extensions: variants"));
    assert_non_null(test_finding(report, "LOSS-ASSET"));
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* -- Failed allocations ---------------------------------------------------- */

/* All extensions of this test in one file. */
static const char everything[] =
    "{\"asset\":{\"version\":\"2.0\",\"copyright\":\"A\",\"extras\":1,\"extensions\":{\"A_b\":{}}},"
    "\"buffers\":[%B],\"extensionsUsed\":[\"A_b\",\"KHR_materials_variants\","
    "\"KHR_materials_clearcoat\",\"KHR_materials_sheen\"],\"extensions\":{\"A_b\":{\"c\":1},"
    "\"KHR_materials_variants\":{\"variants\":[{\"name\":\"day\"},{\"name\":\"night\"}]}},"
    "\"images\":[{\"uri\":\"a.png\"}],\"textures\":[{\"source\":0}],\"materials\":[{\"extensions\":"
    "{"
    "\"KHR_materials_clearcoat\":{\"clearcoatFactor\":1,\"clearcoatTexture\":{\"index\":0}},"
    "\"KHR_materials_sheen\":{\"sheenColorFactor\":[1,0.5,0]},\"A_b\":{}}},{\"name\":\"b\"}],"
    "\"meshes\":[{\"extensions\":{\"A_b\":{}},\"primitives\":[" PRIMITIVE(
        ",\"material\":0,\"extensions\":{\"KHR_materials_variants\":{\"mappings\":["
        "{\"material\":1,\"variants\":[1]}]}}") "," PRIMITIVE(",\"material\":0") "," PRIMITIVE("") "]}]," TRIANGLE
                                                                                                   "}";

static facet_status copy_with(const facet_allocator *allocator, void *user)
{
    const char *text = user;
    facet_source source = {.data = (const uint8_t *)text, .size = strlen(text)};
    const facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL, *copy = NULL;
    facet_output *output = NULL;
    facet_error error;
    facet_status status = facet_gltf_read(&source, NULL, &options, &scene, &error);
    if (!status)
        status = facet_scene_copy(scene, &options, &copy, &error);
    if (!status)
        status = facet_output_open_memory(allocator, &output, &error);
    if (!status)
        status = facet_gltf_write_binary(copy, &options, output, &error);
    if (!status)
        status = facet_scene_choose_variant(copy, "night", &error);
    facet_output_free(output);
    facet_scene_free(copy);
    facet_scene_free(scene);
    return status;
}

TEST(every_allocation_may_fail)
{
    static char text[20000];
    snprintf(text, sizeof text, "%s", test_gltf_text(everything, triangle, sizeof triangle));
    test_every_allocation(copy_with, text);
}

/* Any byte may change: the file is read or refused, and a scene that is read is written. */
TEST(every_byte_may_be_another)
{
    static const char others[] = "\"{}[],:-09aeZ";
    static char text[20000];
    snprintf(text, sizeof text, "%s", test_gltf_text(everything, triangle, sizeof triangle));
    size_t size = strlen(text);
    for (size_t i = 0; i < size; i++) {
        char before = text[i];
        text[i] = others[i % (sizeof others - 1)];
        facet_scene *scene = NULL;
        facet_error error;
        if (!test_gltf_read(text, size, NULL, &scene, &error)) {
            TEST_OK(facet_scene_check(scene, NULL, &error), &error);
            TEST_OK(facet_prepare(scene, facet_format_named("glb"), NULL, NULL, NULL, &error),
                    &error);
            json_decref(json_of(scene, NULL));
            facet_scene_free(scene);
        }
        text[i] = before;
    }
}

/* -- The validator ------------------------------------------------------ */

TEST(the_validator_accepts_looks_and_variants)
{
    char path[300], command[600] = "";
    if (!test_gltf_validator_is_there()) {
        print_message("FACET_NPM has no gltf-validator, or there is no node: skipped\n");
        skip();
    }
    snprintf(path, sizeof path, "%s", test_temporary("looks.gltf"));
    facet_scene *scene = read_text(variants, NULL);
    facet_material *m = scene->materials[0];
    m->ior = 1.25F;
    m->specular = m->clearcoat = m->sheen_color[0] = m->transmission = m->thickness = 0.5F;
    m->iridescence = m->dispersion = 0.25F;
    scene->asset = "{\"copyright\":\"A\"}";
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open(path, &output, &error), &error);
    TEST_OK(facet_gltf_write_text(scene, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_output_free(output);
    snprintf(command, sizeof command, " '%s'", path);
    test_gltf_expect_valid(command);
    facet_scene_free(scene);
}
