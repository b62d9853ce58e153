/* facet_compare: files of equal bytes that name other files. */
#include "support/support.h"
#include "support/test.h"

#include <facet/compare.h>

#include <string.h>

#define OBJ "mtllib c.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n"
#define GLTF                                                                                      \
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":36,\"uri\":\"b.bin\"}],"       \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"        \
    "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}],"     \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],\"nodes\":[{\"mesh\":0}]," \
    "\"scenes\":[{\"nodes\":[0]}]}"

/* A folder with a file, and one that it names; NULL: missing. */
static facet_source in_folder(facet_memory_file files[2], facet_memory_folder *folder,
                              const char *const names[2], const void *main, const void *side,
                              size_t side_size)
{
    files[0] = (facet_memory_file){names[0], main, strlen(main)};
    files[1] = (facet_memory_file){names[1], side, side_size};
    *folder = (facet_memory_folder){files, side ? 2 : 1};
    return facet_source_from_folder(folder, 0);
}

TEST(files_that_equal_bytes_name_are_compared)
{
    static const char red[] = "newmtl m\nKd 1 0 0\n", blue[] = "newmtl m\nKd 0 0 1\n",
                      pictured[] = "newmtl m\nKd 1 0 0\nmap_Kd C:\\x\\absent.png\n";
    static const float flat[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, deep[9] = {0, 0, 0, 1, 0, 0, 0, 1, 5};
    static const struct {
        const char *names[2], *main;
        const void *sides[2];
        size_t size;
        bool same, fails;
        size_t errors, warnings;
        const char *rule, *says;
    } cases[] = {
        {{"a.obj", "c.mtl"}, OBJ, {red, red}, sizeof red - 1, true, false, 0, 0, NULL, NULL},
        {{"a.obj", "c.mtl"},
         OBJ,
         {red, blue},
         sizeof red - 1,
         false,
         false,
         1,
         0,
         "COMPARE-MATERIAL",
         "base color"},
        {{"a.obj", "c.mtl"},
         OBJ,
         {NULL, NULL},
         0,
         true,
         false,
         0,
         1,
         "COMPARE-UNREAD",
         "not compared: 'c.mtl', which both files name, cannot be opened"},
        {{"a.obj", "c.mtl"},
         OBJ,
         {pictured, pictured},
         sizeof pictured - 1,
         true,
         false,
         0,
         1, /* its ends are not reported as well */
         "COMPARE-UNREAD",
         "absent.png"},
        {{"a.gltf", "b.bin"}, GLTF, {flat, flat}, sizeof flat, true, false, 0, 0, NULL, NULL},
        {{"a.gltf", "b.bin"},
         GLTF,
         {NULL, NULL},
         0,
         true,
         false,
         0,
         1,
         "COMPARE-UNREAD",
         "'b.bin'"},
        {{"a.gltf", "b.bin"}, GLTF, {flat, NULL}, sizeof flat, false, true, 0, 0, NULL, NULL},
        {{"a.gltf", "b.bin"},
         GLTF,
         {flat, deep},
         sizeof flat,
         false,
         false,
         1,
         0,
         "COMPARE-DISTANCE",
         "5 away"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_memory_file files[2][2];
        facet_memory_folder folders[2];
        facet_source sources[2];
        for (int s = 0; s < 2; s++)
            sources[s] = in_folder(files[s], &folders[s], cases[i].names, cases[i].main,
                                   cases[i].sides[s], cases[i].size);
        facet_report *report = NULL;
        facet_comparison result;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_status status = facet_compare(&sources[0], NULL, &sources[1], NULL, NULL, NULL,
                                            report, &result, &error);
        assert_int_equal(status, cases[i].fails ? FACET_ERROR_IO : FACET_OK);
        if (!status) {
            assert_int_equal(result.same_bytes, cases[i].same);
            assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_WARNING),
                             cases[i].warnings);
            assert_true((facet_report_severity_count(report, FACET_SEVERITY_ERROR) > 0) ==
                        (cases[i].errors > 0));
        }
        if (cases[i].says)
            assert_non_null(test_finding_saying(report, cases[i].rule, cases[i].says));
        facet_report_free(report);
    }
}

/* Bytes that Facet cannot read name no files: they are equal if they are the same. */
TEST(equal_bytes_of_unknown_files_are_equal)
{
    facet_source source = facet_source_from_memory("no known format", 15, "a.bin");
    facet_report *report = NULL;
    facet_comparison result;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_compare(&source, NULL, &source, NULL, NULL, NULL, report, &result, &error),
            &error);
    assert_true(result.same_bytes);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
}
