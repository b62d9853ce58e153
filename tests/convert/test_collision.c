/* Objects that become hulls and the occluder by their names. */
#include "formats/obj/obj.h"
#include "scene/scene.h"
#include "support/support.h"

#include <facet/convert.h>

static facet_scene *read_with(const char *text, const facet_load_options *load)
{
    facet_source source = {0};
    source.data = (const uint8_t *)text;
    source.size = strlen(text);
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_obj_read(&source, load, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

#define POINTS                                                                                 \
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nvt 0 0\nvt 1 1\n" \
    "vn 0 0 1\n"

TEST(named_parts_become_hulls_and_occluder)
{
    facet_scene *scene = read_with(
        POINTS
        "f 1/1/1 2/1/1 3/1/1\no collision_mesh.001\ng x\nf 5 6 7\ng y\nf 5 7 8 6\n"
        "o seen\ng z\nusemtl m\ns 1\nf 2/2/1 3/1/1 4/2/1 1/1/1\no occlusion_mesh\nf 8 7 6 5\n"
        "o collision_mesh.002\nf 3 2 1\no seen too\nf 4 3 2\nf 4 2 1\n",
        NULL);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(mesh->face_count, 4);
    static const uint32_t offsets[5] = {0, 3, 7, 10, 13};
    static const uint32_t corners[13] = {0, 1, 2, 1, 2, 3, 0, 3, 2, 1, 3, 1, 0};
    const uint32_t n = FACET_NONE;
    const uint32_t texcoords[13] = {0, 0, 0, 1, 0, 1, 0, n, n, n, n, n, n};
    const uint32_t materials[4] = {n, 0, 0, 0};
    static const uint32_t smoothing[4] = {0, 1, 1, 1};
    assert_memory_equal(mesh->face_offsets, offsets, sizeof offsets);
    assert_memory_equal(mesh->streams[0].indices, corners, sizeof corners);
    assert_memory_equal(facet_mesh_find(mesh, FACET_TEXCOORD, 0)->indices, texcoords,
                        sizeof texcoords);
    assert_memory_equal(mesh->face_materials, materials, sizeof materials);
    assert_memory_equal(mesh->face_smoothing, smoothing, sizeof smoothing);
    assert_int_equal(mesh->part_count, 3);
    assert_string_equal(mesh->parts[0].name, "");
    assert_string_equal(mesh->parts[1].name, "seen");
    assert_int_equal(mesh->parts[1].first_face, 1);
    assert_string_equal(mesh->parts[2].name, "seen too");
    assert_int_equal(mesh->parts[2].first_face, 2);
    assert_int_equal(mesh->parts[2].face_count, 2);

    /* Both groups of the first hull are one hull, with the distinct points 5, 6, 7, 8. */
    assert_int_equal(scene->hull_count, 2);
    assert_string_equal(scene->hulls[0]->name, "collision_mesh.001");
    static const float points[12] = {0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1};
    assert_int_equal(scene->hulls[0]->point_count, 4);
    assert_memory_equal(scene->hulls[0]->points, points, sizeof points);
    assert_int_equal(scene->hulls[1]->point_count, 3);

    /* The occluder keeps its polygon and has its own points, in order of first use. */
    static const float occluder[12] = {0, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 1};
    static const uint32_t square[4] = {0, 1, 2, 3};
    assert_int_equal(scene->occluder->face_count, 1);
    assert_int_equal(scene->occluder->corner_count, 4);
    assert_int_equal(scene->occluder->streams[0].count, 4);
    assert_memory_equal(scene->occluder->streams[0].data, occluder, sizeof occluder);
    assert_memory_equal(scene->occluder->streams[0].indices, square, sizeof square);
    facet_scene_free(scene);
}

TEST(hull_and_occluder_names_can_be_chosen)
{
    static const char text[] = POINTS "g UCX_a b\nf 1 2 3\ng shade\nf 1 2 4\no collision_mesh\n"
                                      "g z\nf 1 2 4\n";
    static const facet_load_options load = {.hull_prefix = "UCX_", .occluder_name = "shade"};
    facet_scene *scene = read_with(text, &load);
    assert_int_equal(scene->hull_count, 1);
    assert_string_equal(scene->hulls[0]->name, "UCX_a b");
    assert_int_equal(scene->occluder->corner_count, 3);
    assert_int_equal(scene->meshes[0]->face_count, 1);
    facet_scene_free(scene);
    /* An empty prefix matches no name. */
    static const facet_load_options none = {.hull_prefix = "", .occluder_name = ""};
    scene = read_with("v 0 0 0\no a\nf 1 1 1\n", &none);
    assert_int_equal(scene->hull_count, 0);
    facet_scene_free(scene);
}

TEST(named_meshes_become_hulls)
{
    facet_scene *scene = read_with(POINTS "o collision_mesh\nf 1 2 3\n", NULL);
    assert_int_equal(scene->mesh_count, 0);
    assert_int_equal(scene->hull_count, 1);
    facet_scene_free(scene);

    /* A mesh without parts, between others that nodes name. */
    static const facet_load_options off = {.hull_prefix = "\n", .occluder_name = "\n"};
    scene = read_with(POINTS "f 1 2 3\n", &off);
    facet_error error;
    facet_mesh *box = scene->meshes[0], *empty;
    facet_node *node;
    TEST_OK(facet_scene_add_mesh(scene, &empty, &error), &error);
    empty->name = "other";
    box->name = "collision_mesh";
    for (uint32_t i = 0; i < 2; i++) {
        TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
        node->mesh = i;
    }
    TEST_OK(facet_scene_extract_collision(scene, NULL, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(scene->mesh_count, 1);
    assert_ptr_equal(scene->meshes[0], empty);
    assert_int_equal(scene->nodes[0]->mesh, FACET_NONE);
    assert_int_equal(scene->nodes[1]->mesh, 0);
    facet_scene_free(scene);
}

static facet_status attempt(const facet_allocator *allocator, void *user)
{
    facet_source source = {0};
    source.data = user;
    source.size = strlen(user);
    facet_options options = {0};
    options.allocator = allocator;
    facet_scene *scene = NULL;
    facet_status status = facet_obj_read(&source, NULL, &options, &scene, NULL);
    if (!status)
        facet_scene_free(scene);
    return status;
}

TEST(collision_reports_failed_allocations)
{
    static char text[] =
        POINTS "o collision_mesh\nf 1 2 3\no occlusion_mesh\nf 1 2 3\no x\nf 1 2 3\n";
    test_every_allocation(attempt, text);
}

/* -- Hulls and occluder of another scene -------------------------------- */

/* Check the points of one hull and of the occluder after facet_scene_take_... copies them between
 * scenes. The source's unit is `of` meters, the target's `to`. */
static void expect_taken(double of, double to, float factor, bool noted)
{
    facet_error error;
    facet_options options = {0};
    facet_scene *from = read_with("v 0 0 0\nv 250 0 0\nv 0 100 0\nv 0 0 30\n"
                                  "o collision_mesh\nf 1 2 3\nf 1 2 4\no box\nf 1 3 2\n",
                                  NULL);
    facet_scene *scene = read_with(POINTS "f 1 2 3\n", NULL);
    from->axes.unit = of;
    scene->axes.unit = to;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_scene_take_hulls(scene, from, &options, &error), &error);
    TEST_OK(facet_scene_take_occluder(scene, from, &options, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(scene->hull_count, 1);
    const float hull[12] = {0, 0, 0, 250 * factor, 0, 0, 0, 100 * factor, 0, 0, 0, 30 * factor};
    assert_int_equal(scene->hulls[0]->point_count, 4);
    for (int i = 0; i < 12; i++)
        assert_float_equal(scene->hulls[0]->points[i], hull[i], 1e-4F * factor);
    const float occluder[9] = {0, 0, 0, 0, 100 * factor, 0, 250 * factor, 0, 0};
    assert_int_equal(scene->occluder->streams[0].count, 3);
    for (int i = 0; i < 9; i++) {
        const float *points = scene->occluder->streams[0].data;
        const uint32_t *corners = scene->occluder->streams[0].indices;
        assert_float_equal(points[corners[i / 3] * 3 + i % 3], occluder[i], 1e-4F * factor);
    }
    const facet_finding *note = test_finding(options.report, "COLLISION-UNIT");
    assert_int_equal(note != NULL, noted);
    facet_report_free(options.report);
    facet_scene_free(scene);
    facet_scene_free(from);
}

/* 250 centimeters are 2.5 meters or 2500 millimeters. With an unknown unit the number stays 250. */
TEST(taken_hulls_are_scaled_to_the_unit)
{
    expect_taken(0.01, 1, 0.01F, true);
    expect_taken(0.01, 0.001, 10, true);
    expect_taken(0.01, 0.01, 1, false);
    expect_taken(0, 0.01, 1, false);
    expect_taken(0.01, 0, 1, false);
}

TEST(hulls_with_other_axes_are_refused)
{
    facet_error error;
    facet_scene *from = read_with(POINTS "o collision_mesh\nf 1 2 3\n", NULL);
    facet_scene *scene = read_with(POINTS "f 1 2 3\n", NULL);
    from->axes.up = FACET_AXIS_Z;
    assert_int_equal(facet_scene_take_hulls(scene, from, NULL, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "COLLISION-FRAME");
    from->axes.up = FACET_AXIS_Y;
    from->axes.left_handed = true;
    assert_int_equal(facet_scene_take_occluder(scene, from, NULL, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "COLLISION-FRAME");
    assert_int_equal(scene->hull_count, 0);
    facet_scene_free(scene);
    facet_scene_free(from);
}
