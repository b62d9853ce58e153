/* facet_compare: data that the readers leave out is reported, and such files are not equal. */
#include "support/support.h"
#include "support/test.h"

#include <facet/compare.h>

#include <stdio.h>
#include <string.h>

/* A glTF with a point, and other members of the file and of its scene. */
static facet_source point(char *text, size_t space, const char *file, const char *scene)
{
    snprintf(text, space,
             "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[{\"componentType\":5126,\"count\":1,"
             "\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[0,0,0]}],\"meshes\":[{\"primitives\":[{"
             "\"mode\":0,\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}],\"scene\":0,"
             "\"scenes\":[{\"nodes\":[0]%s}]%s}",
             scene, file);
    return facet_source_from_memory(text, strlen(text), "point.gltf");
}

#define CHANNEL                                                        \
    "{\"sampler\":0,\"target\":{\"path\":\"pointer\",\"extensions\":{" \
    "\"KHR_animation_pointer\":{\"pointer\":\"/cameras/0/perspective/yfov\"}}}}"
#define MOVED(channels)                                                                \
    ",\"extensionsUsed\":[\"KHR_animation_pointer\"],\"animations\":[{\"name\":\"a\"," \
    "\"samplers\":[{\"input\":0,\"output\":0}],\"channels\":[" channels "]}]"

TEST(unread_data_is_reported_and_not_equal)
{
    static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
                              "property float y\nproperty float z\nend_header\n0 0 0\n";
    static const struct {
        const char *files[2], *scenes[2];
        unsigned ignore;
        bool against_ply;
        size_t errors, warnings;
        const char *says;
    } cases[] = {
        {{"", ""},
         {",\"extras\":{\"a\":1}", ",\"extras\":{\"a\":2}"},
         0,
         false,
         0,
         1,
         "not compared, in both files: extras of scenes, accessors, textures and such are dropped: "
         "1"},
        {{"", ""},
         {"", ",\"extras\":{\"a\":2}"},
         0,
         false,
         1,
         0,
         "only in the second file: extras of scenes, accessors, textures and such are dropped: 1"},
        {{"", ""},
         {"", ",\"extras\":{\"a\":2}"},
         FACET_COMPARE_DOCUMENT,
         false,
         0,
         0,
         "only in the second file: extras of scenes, accessors, textures and such are dropped: 1"},
        {{MOVED(CHANNEL "," CHANNEL), MOVED(CHANNEL)},
         {"", ""},
         0,
         false,
         2,
         0,
         "only in the first file: animation 0 loses 2 channels"},
        {{"", ""},
         {",\"extras\":{\"a\":1}", ""},
         FACET_COMPARE_NODES | FACET_COMPARE_COUNTS | FACET_COMPARE_NAMES,
         true,
         0,
         1,
         "not compared, in the first file: extras of scenes, accessors, textures and such are "
         "dropped: 1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char texts[2][2000];
        facet_source a = point(texts[0], sizeof texts[0], cases[i].files[0], cases[i].scenes[0]);
        facet_source b = point(texts[1], sizeof texts[1], cases[i].files[1], cases[i].scenes[1]);
        if (cases[i].against_ply)
            b = facet_source_from_memory(ply, strlen(ply), "point.ply");
        facet_compare_options with = {.ignore = cases[i].ignore};
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_compare(&a, NULL, &b, NULL, &with, NULL, report, NULL, &error), &error);
        assert_non_null(test_finding_saying(report, "COMPARE-UNREAD", cases[i].says));
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR),
                         cases[i].errors);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_WARNING),
                         cases[i].warnings);
        facet_report_free(report);
    }
}

#define PLY(info)                                                         \
    "ply\nformat ascii 1.0\n" info "element vertex 1\nproperty float x\n" \
    "property float y\nproperty float z\nend_header\n0 0 0\n"
#define STL(normal)                                                                            \
    "solid a\nfacet normal " normal "\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n" \
    "endloop\nendfacet\nendsolid a\n"
#define TEXTURED(name)                                                                        \
    "{\"asset\":{\"version\":\"2.0\"},\"images\":[{\"uri\":\"data:image/png;base64,AAAA\"}]," \
    "\"textures\":[{\"source\":0" name "}],\"materials\":[{\"pbrMetallicRoughness\":{"        \
    "\"baseColorTexture\":{\"index\":0}}}]}"

/* Data that readers leave out with a note, or that only the rules of a format look at. In one of
 * two files of one family it is a difference; in both, they are not called equal. */
TEST(data_that_notes_name_is_not_called_equal)
{
    static const struct {
        const char *name, *with, *other, *without, *says;
    } cases[] = {
        {"a.ply", PLY("obj_info a\n"), PLY("obj_info b\n"), PLY(""), "a line of obj_info"},
        {"a.stl", STL("0 0 -1"), STL("0 1 0"), STL("0 0 1"), "has a normal that is more than"},
        {"a.gltf", TEXTURED(",\"name\":\"a\""), TEXTURED(",\"name\":\"b\""), TEXTURED(""),
         "names of textures and samplers"}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const char *with = cases[i / 2].with;
        const char *other = i % 2 == 0 ? cases[i / 2].other : cases[i / 2].without;
        facet_source a = facet_source_from_memory(with, strlen(with), cases[i / 2].name);
        facet_source b = facet_source_from_memory(other, strlen(other), cases[i / 2].name);
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_compare(&a, NULL, &b, NULL, NULL, NULL, report, NULL, &error), &error);
        const facet_finding *found =
            test_finding_saying(report, "COMPARE-UNREAD", cases[i / 2].says);
        assert_non_null(found);
        assert_int_equal(found->severity,
                         i % 2 == 0 ? FACET_SEVERITY_WARNING : FACET_SEVERITY_ERROR);
        facet_report_free(report);
    }
}

/* A material of a library that no face uses. */
TEST(unused_materials_of_one_library_are_a_difference)
{
    static const char obj[] = "mtllib c.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n",
                      one[] = "newmtl m\n", two[] = "newmtl m\nnewmtl n\n";
    facet_memory_file files[2][2];
    facet_memory_folder folders[2];
    facet_source sources[2];
    for (int s = 0; s < 2; s++) {
        files[s][0] = (facet_memory_file){"a.obj", obj, sizeof obj - 1};
        files[s][1] =
            (facet_memory_file){"c.mtl", s ? two : one, s ? sizeof two - 1 : sizeof one - 1};
        folders[s] = (facet_memory_folder){files[s], 2};
        sources[s] = facet_source_from_folder(&folders[s], 0);
    }
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_compare(&sources[0], NULL, &sources[1], NULL, NULL, NULL, report, NULL, &error),
            &error);
    assert_non_null(test_finding_saying(report, "COMPARE-UNREAD", "is used by no face"));
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR), 1);
    facet_report_free(report);
}

/* Facet does not read "sharpness": its value is not compared. */
TEST(unknown_statements_of_mtl_are_not_compared)
{
    static const char obj[] = "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n";
    static const char *const libraries[] = {"newmtl a\nsharpness 20\n", "newmtl a\nsharpness 90\n",
                                            "newmtl a\n"};
    static const struct {
        int second;
        facet_severity severity;
    } cases[] = {{1, FACET_SEVERITY_WARNING}, {2, FACET_SEVERITY_ERROR}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_memory_file files[2][2];
        facet_memory_folder folders[2];
        facet_source sources[2];
        for (int k = 0; k < 2; k++) {
            const char *library = libraries[k == 0 ? 0 : cases[i].second];
            files[k][0] = (facet_memory_file){"a.obj", (const uint8_t *)obj, sizeof obj - 1};
            files[k][1] = (facet_memory_file){"a.mtl", (const uint8_t *)library, strlen(library)};
            folders[k] = (facet_memory_folder){files[k], 2};
            sources[k] = facet_source_from_folder(&folders[k], 0);
        }
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(
            facet_compare(&sources[0], NULL, &sources[1], NULL, NULL, NULL, report, NULL, &error),
            &error);
        const facet_finding *found = test_finding_saying(report, "COMPARE-UNREAD", "'sharpness'");
        assert_non_null(found);
        assert_int_equal(found->severity, cases[i].severity);
        facet_report_free(report);
    }
}

/* glTF's lists of extensions are sets. */
TEST(order_of_extensions_is_no_difference)
{
    static const struct {
        const char *second;
        size_t errors;
    } cases[] = {{",\"extensionsUsed\":[\"KHR_materials_unlit\",\"KHR_texture_transform\"]", 0},
                 {",\"extensionsUsed\":[\"KHR_texture_transform\",\"KHR_materials_unlit\"]", 0},
                 {",\"extensionsUsed\":[\"KHR_texture_transform\"]", 1},
                 {",\"extensionsUsed\":[\"KHR_texture_transform\",\"KHR_materials_unlit\","
                  "\"KHR_materials_ior\"]",
                  1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char texts[2][1000];
        facet_source a = point(texts[0], sizeof texts[0], cases[0].second, "");
        facet_source b = point(texts[1], sizeof texts[1], cases[i].second, "");
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_compare(&a, NULL, &b, NULL, NULL, NULL, report, NULL, &error), &error);
        assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_ERROR),
                         cases[i].errors);
        assert_int_equal(test_finding_saying(report, "COMPARE-FIELD", "extensions: ") != NULL,
                         cases[i].errors > 0);
        facet_report_free(report);
    }
}
