/* Names of objects in written OBJ files: meshes of one name stay apart. */
#include "formats/obj/obj.h"
#include "support/mesh.h"
#include "support/support.h"

#include <stdio.h>

/* A mesh of equal triangles. */
static facet_mesh *add_triangles(facet_scene *scene, const char *name, uint32_t count)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const uint32_t indices[12] = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    facet_mesh *mesh = test_mesh(scene, count, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, indices));
    mesh->name = name;
    return mesh;
}

/* Write a scene and read it: the one mesh of an OBJ, whose parts are the objects. */
static facet_scene *written(const facet_scene *scene, facet_report *report)
{
    facet_error error;
    facet_output *output = NULL;
    facet_options options = {.report = report};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_obj_write(scene, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_source source = {.data = facet_output_data(output),
                           .size = (size_t)facet_output_size(output)};
    facet_scene *read = NULL;
    TEST_OK(facet_obj_read(&source, NULL, NULL, &read, &error), &error);
    facet_output_free(output);
    return read;
}

static void expect_parts(const facet_scene *scene, const char *const *names, uint32_t count)
{
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(mesh->part_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(mesh->parts[i].name, names[i]);
        assert_int_equal(mesh->parts[i].first_face, i);
        assert_int_equal(mesh->parts[i].face_count, 1);
    }
}

/* "A_1" is the name of the last mesh, so that no other gets it. */
TEST(meshes_of_one_name_stay_apart)
{
    static const char *const names[] = {"A", "A", "B", "A", "A_1"};
    static const char *const read[] = {"A", "A_2", "B", "A_3", "A_1"};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    for (int i = 0; i < 5; i++)
        add_triangles(scene, names[i], 1);
    facet_scene *again = written(scene, report);
    expect_parts(again, read, 5);
    const facet_finding *finding =
        test_finding_saying(report, "OBJ-NAME", "'A' is written as 'A_2'");
    assert_non_null(finding);
    /* --strict writes the file: the instances of one mesh need different names. */
    assert_int_equal(finding->severity, FACET_SEVERITY_NOTE);
    assert_int_equal(finding->count, 2);
    facet_scene_free(again);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* The first mesh needs no name, because no other is before it. */
TEST(meshes_without_names_stay_apart)
{
    static const char *const names[] = {"", "", "mesh_1", ""};
    static const char *const read[] = {"", "mesh_2", "mesh_1", "mesh_3"};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    for (int i = 0; i < 4; i++)
        add_triangles(scene, names[i], 1);
    facet_scene *again = written(scene, report);
    expect_parts(again, read, 4);
    assert_int_equal(test_finding_saying(report, "OBJ-NAME", "written as 'mesh_2'")->severity,
                     FACET_SEVERITY_NOTE);
    facet_scene_free(again);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* Parts of one mesh keep the name that they share, except direct neighbors. The same name in
 * another mesh is another object. */
TEST(neighboring_parts_of_one_name_stay_apart)
{
    static const char *const read[] = {"a", "b", "a", "a_1", "a_2"};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = add_triangles(scene, "", 4);
    facet_part parts[] = {{"a", "", 0, 1}, {"b", "", 1, 1}, {"a", "", 2, 1}, {"a", "", 3, 1}};
    mesh->parts = parts;
    mesh->part_count = 4;
    add_triangles(scene, "a", 1);
    facet_scene *again = written(scene, NULL);
    expect_parts(again, read, 5);
    facet_scene_free(again);
    facet_scene_free(scene);
}

/* A mesh with the occluder's name is renamed; else it would be read as the occluder. */
TEST(occluder_keeps_its_name)
{
    facet_scene *scene = test_scene();
    add_triangles(scene, "occlusion_mesh", 1);
    facet_mesh *occluder = add_triangles(scene, "", 1);
    scene->occluder = occluder;
    scene->mesh_count = 1;
    facet_scene *again = written(scene, NULL);
    assert_int_equal(again->mesh_count, 1);
    assert_int_equal(again->meshes[0]->face_count, 1);
    assert_string_equal(again->meshes[0]->parts[0].name, "occlusion_mesh_1");
    assert_non_null(again->occluder);
    facet_scene_free(again);
    facet_scene_free(scene);
}

/* Two names that become equal without their control characters. */
TEST(cleaned_names_stay_apart)
{
    static const char *const read[] = {"a_b", "a_b_1"};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    add_triangles(scene, "a\nb", 1);
    add_triangles(scene, "a\tb", 1);
    facet_scene *again = written(scene, report);
    expect_parts(again, read, 2);
    assert_non_null(test_finding_saying(report, "OBJ-NAME", "'a_b' is written as 'a_b_1'"));
    facet_scene_free(again);
    facet_report_free(report);
    facet_scene_free(scene);
}
