/* glTF: variants of materials, and extensions that are only kept.
 *
 * Names, defaults and ranges are from the texts of the extensions in the glTF registry. */
#include "support/gltf_looks.h"

#include <facet/convert.h>
#include <facet/format.h>

/* -- Variants ----------------------------------------------------------- */

static const char *shown(const facet_scene *scene, uint32_t face)
{
    return scene->materials[scene->meshes[0]->face_materials[face]]->name;
}

TEST(a_variant_is_chosen_by_its_name)
{
    static const struct {
        const char *name, *faces[3];
    } expected[] = {{"day", {"c", "c", "a"}}, {"night", {"b", "c", "a"}}};
    for (size_t i = 0; i < 2; i++) {
        facet_error error;
        facet_scene *scene = read_text(variants, NULL);
        assert_int_equal(scene->variant_count, 2);
        for (uint32_t face = 0; face < 3; face++)
            assert_string_equal(shown(scene, face), "a");
        TEST_OK(facet_scene_choose_variant(scene, expected[i].name, &error), &error);
        for (uint32_t face = 0; face < 3; face++)
            assert_string_equal(shown(scene, face), expected[i].faces[face]);
        assert_int_equal(scene->variant_count, 0);
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        assert_int_equal(facet_scene_choose_variant(scene, "day", &error), FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, "SCENE-VARIANT");
        facet_scene_free(scene);
    }
}

TEST(lines_and_points_change_with_a_variant)
{
    facet_error error;
    facet_scene *scene = read_text(variants, NULL);
    facet_mesh *mesh = scene->meshes[0];
    uint32_t first = mesh->face_materials[0], ends[2] = {0, 1}, materials[1] = {first};
    uint32_t none[2] = {FACET_NONE, first};
    mesh->lines = mesh->points = ends;
    mesh->line_count = 1;
    mesh->point_count = 2;
    mesh->line_materials = materials;
    mesh->point_materials = none;
    TEST_OK(facet_scene_choose_variant(scene, "night", &error), &error);
    assert_string_equal(scene->materials[materials[0]]->name, "b");
    assert_int_equal(none[0], FACET_NONE);
    assert_string_equal(scene->materials[none[1]]->name, "b");
    facet_scene_free(scene);
}

/* The materials of a primitive in each variant, by name. */
TEST(variants_are_written_as_read)
{
    facet_error error;
    facet_scene *scene = read_text(variants, NULL), *copy = NULL;
    TEST_OK(facet_scene_copy(scene, NULL, &copy, &error), &error);
    facet_scene_free(scene);
    TEST_OK(facet_scene_check(copy, NULL, &error), &error);
    json_t *root = json_of(copy, NULL);
    expect_json(at(root, "extensions/KHR_materials_variants/variants"),
                "[{\"name\":\"day\"},{\"name\":\"night\"}]");
    expect_json(at(root, "meshes/0/primitives/0/extensions/KHR_materials_variants/mappings"),
                "[{\"material\":1,\"variants\":[1]},{\"material\":2,\"variants\":[0]}]");
    expect_json(at(root, "meshes/0/primitives/1/extensions/KHR_materials_variants/mappings"),
                "[{\"material\":2,\"variants\":[0,1]}]");
    assert_null(at(root, "meshes/0/primitives/2/extensions"));
    /* The second and third are copies of the first material. */
    expect_json(at(root, "materials/3/name"), "\"a\"");
    assert_int_equal(json_array_size(at(root, "materials")), 5);
    json_decref(root);
    facet_scene_free(copy);
}

/* An invalid mapping is reported; the geometry is kept. */
TEST(mappings_to_nothing_are_reported)
{
    facet_report *report = new_report();
    facet_scene *scene = read_text(
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"extensionsUsed\":["
        "\"KHR_materials_variants\"],\"extensions\":{\"KHR_materials_variants\":{\"variants\":["
        "{\"name\":\"day\"}]}},\"materials\":[{\"name\":\"a\"}],\"meshes\":[{\"primitives\":"
        "[" PRIMITIVE(",\"extensions\":{\"KHR_materials_variants\":{\"mappings\":["
                      "{\"material\":0,\"variants\":[0,7]},{\"material\":9,\"variants\":[0]}]}"
                      "}") "]}]," TRIANGLE "}",
        report);
    const facet_finding *finding = test_finding(report, "GLTF-MATERIAL");
    assert_non_null(finding);
    assert_int_equal(finding->count, 2);
    /* A primitive without a material has the default one, which becomes a separate material. */
    facet_error error;
    TEST_OK(facet_scene_choose_variant(scene, "day", &error), &error);
    assert_string_equal(shown(scene, 0), "a");
    facet_scene_free(scene);
    facet_report_free(report);
}

/* An animation that names a material does not animate its copy: a finding. */
TEST(animations_of_copied_materials_are_reported)
{
    static const char animations[] =
        ",\"animations\":[{\"samplers\":[{\"input\":2,\"output\":3}],\"channels\":[{\"sampler\":0,"
        "\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":{\"pointer\":"
        "\"/materials/0/emissiveFactor\"}}}}]}]}";
    static const char more[] =
        ",{\"componentType\":5126,\"count\":1,\"type\":\"SCALAR\",\"min\":[0],"
        "\"max\":[0]},{\"componentType\":5126,\"count\":1,\"type\":\"VEC3\"}],"
        "\"nodes\"";
    char json[6000];
    const char *nodes = strstr(variants, "],\"nodes\"");
    snprintf(json, sizeof json, "%.*s%s%.*s%s", (int)(nodes - variants), variants, more,
             (int)(strlen(nodes) - 10), nodes + 9, animations);
    facet_report *report = new_report();
    facet_scene *scene = read_text(json, report);
    assert_int_equal(scene->animations[0]->channel_count, 1);
    assert_non_null(test_finding(report, "GLTF-ANIMATION"));
    facet_scene_free(scene);
    facet_report_free(report);
}

/* -- Extensions that are only kept ---------------------------------------- */

#define KEPT(extension, value)                                                              \
    HEAD(",\"copyright\":\"2024 A\",\"extras\":{\"by\":[1,2]},\"extensions\":{\"" extension \
         "\":{\"packet\":0}}")                                                              \
    "\"extensionsUsed\":[\"" extension "\"],\"extensions\":{\"" extension "\":" value       \
    "},\"materials\":[{\"extensions\":{\"" extension "\":" value "}}],\"meshes\":[{"        \
    "\"extensions\":{\"" extension "\":" value                                              \
    "},\"primitives\":[" PRIMITIVE(",\"material\":0") "]}]," TRIANGLE "}"

TEST(extensions_without_references_are_kept)
{
    static const char value[] = "{\"packets\":[{\"dc:title\":\"x\",\"n\":7}]}";
    char json[4000];
    snprintf(json, sizeof json,
             KEPT("KHR_xmp_json_ld", "{\"packets\":[{\"dc:title\":\"x\",\"n\":7}]}"));
    facet_report *report = new_report();
    facet_scene *scene = read_text(json, report);
    json_t *root = json_of(scene, report);
    assert_int_equal(facet_report_count(report), 0);
    expect_json(at(root, "asset/copyright"), "\"2024 A\"");
    expect_json(at(root, "asset/extras"), "{\"by\":[1,2]}");
    expect_json(at(root, "asset/generator"), "\"Facet\"");
    expect_json(at(root, "asset/extensions/KHR_xmp_json_ld"), "{\"packet\":0}");
    expect_json(at(root, "extensions/KHR_xmp_json_ld"), value);
    expect_json(at(root, "materials/0/extensions/KHR_xmp_json_ld"), value);
    expect_json(at(root, "meshes/0/extensions/KHR_xmp_json_ld"), value);
    expect_json(at(root, "extensionsUsed"), "[\"KHR_xmp_json_ld\"]");
    json_decref(root);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* Indices of nodes, textures and others change when a file is written. */
TEST(extensions_with_references_are_reported)
{
    static const char *const values[] = {
        "{\"node\":1}", "{\"meshNodes\":[0,1]}", "{\"a\":{\"texture\":{\"index\":0}}}",
        "{\"target\":\"/nodes/0/scale\"}", "{\"boneMap\":{\"a\":3}}",
        /* buffer views of EXT_structural_metadata */
        "{\"properties\":{\"age\":{\"values\":0}}}", "{\"stringOffsets\":1}"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char json[4000];
        snprintf(json, sizeof json,
                 HEAD("") "\"extensionsUsed\":[\"A_b\"],\"meshes\":[{\"extensions\":{\"A_b\":%s},"
                          "\"primitives\":[" PRIMITIVE("") "]}]," TRIANGLE "}",
                 values[i]);
        facet_report *report = new_report();
        facet_scene *scene = read_text(json, report);
        assert_null(scene->meshes[0]->extensions);
        assert_non_null(test_finding(report, "GLTF-EXTENSION"));
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* An extension that is kept at one object and dropped at another is reported. */
TEST(extensions_that_are_partly_kept_are_reported)
{
    facet_report *report = new_report();
    facet_scene *scene = read_text("{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],"
                                   "\"extensionsUsed\":[\"A_b\"],\"meshes\":["
                                   "{\"extensions\":{\"A_b\":{\"x\":1}},\"primitives\":[" PRIMITIVE(
                                       "") "]}],\"samplers\":[{"
                                           "\"extensions\":{\"A_b\":{\"x\":1}}}]," TRIANGLE "}",
                                   report);
    assert_string_equal(scene->meshes[0]->extensions, "{\"A_b\":{\"x\":1}}");
    assert_non_null(test_finding(report, "GLTF-EXTENSION"));
    facet_scene_free(scene);
    facet_report_free(report);
}

/* "emitter" is an index into a list of the root. The list refers to sources and is not kept. */
TEST(extensions_are_not_kept_without_their_lists)
{
    facet_report *report = new_report();
    facet_scene *scene = read_text(
        "{\"asset\":{\"version\":\"2.0\",\"extensions\":{\"A_b\":{\"emitter\":1}}},\"buffers\":[%B]"
        ","
        "\"extensionsUsed\":[\"A_b\"],\"extensions\":{\"A_b\":{\"emitters\":[{\"sources\":[0]}]}},"
        "\"meshes\":[{\"extensions\":{\"A_b\":{\"emitter\":0}},\"primitives\":[" PRIMITIVE(
            "") "]}]," TRIANGLE "}",
        report);
    assert_null(scene->extensions);
    assert_null(scene->asset);
    assert_null(scene->meshes[0]->extensions);
    assert_non_null(test_finding(report, "GLTF-EXTENSION"));
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(extras_without_a_place_are_reported)
{
    facet_report *report = new_report();
    facet_scene *scene = read_text(
        "{\"asset\":{\"version\":\"2.0\",\"extras\":1},\"buffers\":[%B],\"extras\":{},\"meshes\":["
        "{\"extras\":2,\"primitives\":[" PRIMITIVE(
            "") "]}],\"samplers\":[{\"extras\":[3]},{"
                "\"extras\":null}],\"textures\":[{\"sampler\":0,\"extras\":{\"a\":4}}]," TRIANGLE
                "}",
        report);
    const facet_finding *finding = test_finding(report, "GLTF-EXTRAS");
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "textures and such are dropped: 2"));
    facet_scene_free(scene);
    facet_report_free(report);
}

TEST(names_of_textures_and_samplers_are_reported)
{
    facet_report *report = new_report();
    facet_scene *scene = read_text(
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"meshes\":[{\"primitives\":[" PRIMITIVE(
            "") "]}],\"samplers\":[{\"name\":\"s\"},{\"name\":\"\"}],\"textures\":[{"
                "\"name\":\"t\"},{\"sampler\":0}]," TRIANGLE "}",
        report);
    const facet_finding *finding = test_finding(report, "LOSS-NAMES");
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "names of textures and samplers are dropped: 2"));
    facet_scene_free(scene);
    facet_report_free(report);
}
