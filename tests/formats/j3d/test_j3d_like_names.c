/* Joints in scenes that other formats changed without an edit (--like). */
#include "support/j3d_like.h"
#include "support/j3d_write.h"
#include "support/models.h"

static const test_j3d_kind_of_character floats = {FACET_J3D_F32, 0};

/* Facet's writers of FBX and COLLADA append the number of a node to the name of a duplicate. Joint
 * 8 has the name of joint 6, and joint 9 that of joint 7. */
TEST(numbers_of_duplicate_names_are_no_new_names)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_j3d *before = test_like_read(&original);
    facet_error error;
    facet_report *report;
    facet_scene *scene = test_like_through_glb(&original);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    const char *const names[2] = {before->joints.names.items[8].bytes,
                                  before->joints.names.items[9].bytes};
    assert_string_equal(names[0], before->joints.names.items[6].bytes);
    assert_string_equal(names[1], before->joints.names.items[7].bytes);
    for (int k = 0; k < 2; k++) {
        facet_node *last = NULL;
        for (uint32_t i = 0; i < scene->node_count; i++) {
            if (strcmp(scene->nodes[i]->name, names[k]) == 0)
                last = scene->nodes[i];
        }
        assert_non_null(last);
        last->name = k == 0 ? "arm_8" : "hand_9";
    }
    test_bytes made = test_like_save(scene, &original, "bdl", report);
    assert_null(test_finding(report, "J3D-LIKE-JOINT"));
    assert_null(test_finding(report, "J3D-LIKE-BONE-GONE"));
    test_like_assert_same(&original, &made);
    facet_report_free(report);
    facet_j3d_free(before);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* COLLADA of Blender is in meters. The root of a model in centimeters has the scale 0.01, below the
 * node of the scene. A root with the scale 0.02 is an edit. */
TEST(scale_of_a_root_that_is_the_unit_is_no_edit)
{
    facet_error error;
    facet_scene *scene = test_scene();
    uint32_t root = add_node(scene, "root", FACET_NONE, FACET_NONE);
    add_node(scene, "part", root, add_triangle(scene));
    scene->axes.unit = 0.01;
    facet_output *output = save_scene(scene, "bmd", NULL);
    test_bytes original = {.data = (uint8_t *)(uintptr_t)facet_output_data(output),
                           .size = facet_output_size(output)};
    for (int i = 0; i < 2; i++) {
        facet_report *report;
        facet_scene *again = load_bytes(original.data, original.size, "a.bmd", NULL);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_like_drop_extras(again);
        again->axes.unit = 1;
        again->nodes[0]->parent = add_node(again, "Scene", FACET_NONE, FACET_NONE);
        for (int k = 0; k < 3; k++)
            again->nodes[0]->transform.scale[k] = i == 0 ? 0.01F : 0.02F;
        test_bytes made = test_like_save(again, &original, "bmd", report);
        assert_int_equal(test_finding(report, "J3D-LIKE-BONE-PLACE") != NULL, i == 1);
        facet_report_free(report);
        test_bytes_free(&made);
    }
    facet_output_free(output);
    facet_scene_free(scene);
}
