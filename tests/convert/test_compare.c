/* Differences between two scenes: surfaces with known distances, attributes rotated or moved by
 * known amounts, and structure. */
#include "support/compare.h"

/* -- Distances ---------------------------------------------------------- */

TEST(distance_of_parallel_squares_is_known)
{
    facet_comparison r;
    facet_report *report = compare(square(0, false), square(0.25F, true), NULL, &r);
    assert_true(r.has_surfaces);
    assert_false(r.same_triangles);
    assert_near(r.diagonal, sqrt(2), 1e-12);
    const facet_distance *both[2] = {&r.forward, &r.backward};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(both[i]->samples, 20000);
        assert_near(both[i]->greatest, 0.25, 1e-12);
        assert_near(both[i]->greatest_bound, 0.25, 0.25 / 1000 + 1e-6);
        assert_true(both[i]->greatest_bound >= both[i]->greatest);
        assert_near(both[i]->mean, 0.25, 1e-12);
        assert_near(both[i]->rms, 0.25, 1e-12);
        assert_near(both[i]->median, 0.25, 1e-12);
        assert_near(both[i]->percentile99, 0.25, 1e-12);
    }
    assert_int_equal(errors(report), 2); /* the distance, in both directions */
    assert_non_null(test_finding(report, "COMPARE-DISTANCE"));
    facet_report_free(report);
}

/* The farthest point of the pyramid is its tip, at distance h. The farthest point of the square is
 * its middle. The sides rise by 2 h per unit (z = 2 h x), and the middle is 1/2 away from the edge.
 * Its distance from the nearest side is 1/2 sin(atan(2 h)) = h / sqrt(1 + 4 h h). */
TEST(distances_of_a_pyramid_are_known)
{
    static const float heights[] = {0.125F, 0.5F};
    for (size_t i = 0; i < 2; i++) {
        double h = heights[i], middle = h / sqrt(1 + 4 * h * h);
        facet_comparison r;
        facet_report *report = compare(square(0, false), pyramid(heights[i]), NULL, &r);
        assert_true(r.forward.greatest <= middle + 1e-12);
        assert_true(r.forward.greatest_bound >= middle - 1e-12);
        assert_true(r.forward.greatest_bound - r.forward.greatest <= middle / 100);
        assert_near(r.backward.greatest, h, 1e-12);
        assert_near(r.backward.greatest_bound, h, h / 100);
        /* Over the base, the mean height of the pyramid is a third of h. */
        assert_near(r.backward.mean, h / 3, h / 500);
        facet_report_free(report);
    }
}

/* The same square, with the other diagonal, another order of points and one triangle more: the
 * distance is 0. */
TEST(equal_surfaces_have_no_distance)
{
    facet_comparison r;
    facet_compare_options with = {.ignore = FACET_COMPARE_COUNTS};
    facet_report *report = compare(square(0, false), square(0, true), &with, &r);
    assert_near(r.forward.greatest, 0, 1e-15);
    assert_near(r.backward.greatest, 0, 1e-15);
    assert_true(r.forward.greatest_bound < 0.01);
    assert_int_equal(errors(report), 0);
    assert_false(r.same_triangles);
    facet_report_free(report);
}

TEST(rotated_triangles_are_the_same_triangles)
{
    static const float moved[12] = {1, 1, 0, 0, 1, 0, 0, 0, 0, 1, -0.0F, 0};
    static const uint32_t turned[6] = {0, 1, 2, 3, 0, 2}, mirrored[6] = {0, 1, 2, 0, 3, 2};
    facet_comparison r;
    facet_report *report = compare(square(0, false), scene_of(4, moved, 2, turned), NULL, &r);
    assert_true(r.same_triangles);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
    report = compare(square(0, false), scene_of(4, moved, 2, mirrored), NULL, &r);
    assert_false(r.same_triangles);
    facet_report_free(report);
}

/* A difference in only one corner, far away: the distance is measured, and the tolerance
 * decides. */
TEST(tolerance_decides_about_distances)
{
    static const float lifted[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0.125F, 0, 1, 0};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    static const struct {
        double tolerance;
        size_t errors;
    } cases[] = {{0.1, 2}, {0.126, 0}};
    for (size_t i = 0; i < 2; i++) {
        facet_compare_options with = {.tolerance = cases[i].tolerance};
        facet_comparison r;
        facet_report *report =
            compare(square(0, false), scene_of(4, lifted, 2, indices), &with, &r);
        assert_near(r.backward.greatest, 0.125, 1e-12);
        assert_int_equal(errors(report), cases[i].errors);
        facet_report_free(report);
    }
}

/* Up axis, handedness and unit are conventions: the square in centimeters, with Z up. */
TEST(axes_and_units_are_not_differences)
{
    /* (x, y, z) with +Y up is (x, -z, y) with +Z up. */
    static const float turned[12] = {0, 0, 0, 100, 0, 0, 100, 0, 100, 0, 0, 100};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    facet_comparison r;
    facet_scene *a = square(0, false), *b = scene_of(4, turned, 2, indices);
    a->axes.unit = 1;
    b->axes.unit = 0.01;
    b->axes.up = FACET_AXIS_Z;
    facet_report *report = compare(a, b, NULL, &r);
    assert_int_equal(errors(report), 0);
    assert_near(r.forward.greatest, 0, 1e-7);
    facet_report_free(report);
}

/* -- Attributes --------------------------------------------------------- */

static void add(facet_scene *scene, facet_semantic semantic, uint32_t components,
                const float *values)
{
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    assert_true(test_stream(scene, scene->meshes[0], semantic, components, 4, values, indices));
}

TEST(differences_of_attributes_are_measured)
{
    const float c = cosf(0.1F), s = sinf(0.1F); /* 0.1 radians are 5.7296 degrees */
    const float straight[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    const float leaning[12] = {s, 0, c, s, 0, c, s, 0, c, s, 0, c};
    const float uvs[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    const float moved[8] = {0.03F, 0.04F, 1.03F, 0.04F, 1.03F, 1.04F, 0.03F, 1.04F};
    const float gray[12] = {0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F, 0.5F};
    const float same[16] = {0.5F, 0.5F, 0.5F, 1, 0.5F, 0.5F, 0.5F, 1,
                            0.5F, 0.5F, 0.5F, 1, 0.5F, 0.5F, 0.5F, 1};
    facet_scene *a = square(0, false), *b = square(0, false);
    add(a, FACET_NORMAL, 3, straight);
    add(b, FACET_NORMAL, 3, leaning);
    add(a, FACET_TEXCOORD, 2, uvs);
    add(b, FACET_TEXCOORD, 2, moved);
    add(a, FACET_COLOR, 3, gray); /* missing alpha is 1 */
    add(b, FACET_COLOR, 4, same);
    facet_comparison r;
    facet_report *report = compare(a, b, NULL, &r);
    assert_int_equal(r.normals.samples, 20000);
    assert_near(r.normals.mean, 5.729578, 1e-4);
    assert_near(r.normals.greatest, 5.729578, 1e-4);
    assert_int_equal(r.normals.beyond, 20000);
    assert_near(r.texcoords.mean, 0.05, 1e-6); /* 3 4 5 */
    assert_int_equal(r.colors.samples, 20000);
    assert_near(r.colors.greatest, 0, 1e-12);
    assert_int_equal(r.tangents.samples, 0);
    assert_int_equal(errors(report), 2);
    facet_report_free(report);
}

/* With the origin of textures at the top, v is 1 - v of a texture with its origin at the bottom. */
TEST(texcoords_are_compared_with_one_direction_of_v)
{
    const float below[8] = {0, 0, 1, 0, 1, 1, 0, 1}, top[8] = {0, 1, 1, 1, 1, 0, 0, 0};
    facet_scene *a = square(0, false), *b = square(0, false);
    add(a, FACET_TEXCOORD, 2, below);
    add(b, FACET_TEXCOORD, 2, top);
    b->axes.uv_origin_top = true;
    facet_comparison r;
    facet_report *report = compare(a, b, NULL, &r);
    assert_near(r.texcoords.greatest, 0, 1e-12);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
}

TEST(attributes_of_only_one_file_are_reported)
{
    const float straight[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    for (int ignored = 0; ignored < 2; ignored++) {
        facet_scene *a = square(0, false), *b = square(0, false);
        add(a, FACET_NORMAL, 3, straight);
        facet_compare_options with = {.ignore = ignored ? FACET_COMPARE_NORMALS : 0};
        facet_report *report = compare(a, b, &with, NULL);
        assert_int_equal(errors(report), ignored ? 0 : 1);
        assert_int_equal(facet_report_count(report), 1); /* a note even if ignored */
        assert_string_equal(facet_report_get(report, 0)->message,
                            "only the first file has normals");
        facet_report_free(report);
    }
}

TEST(weights_match_by_joint_names)
{
    static const float here[4] = {0.75F, 0.25F, 0, 0}, there[4] = {0.25F, 0.75F, 0, 0};
    static const float other[4] = {0.5F, 0.5F, 0, 0};
    facet_comparison r;
    facet_report *report =
        compare(skinned("arm", "leg", here), skinned("leg", "arm", there), NULL, &r);
    assert_int_equal(r.weights.samples, 20000);
    assert_near(r.weights.greatest, 0, 1e-12);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
    /* Joints without names match by their order. All nodes are searched, for any number of
     * nodes. */
    report = compare(skinned("", "", here), skinned("", "", here), NULL, &r);
    assert_near(r.weights.greatest, 0, 1e-12);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
    report = compare(skinned("", "", here), skinned("", "", there), NULL, &r);
    assert_near(r.weights.mean, 0.5, 1e-12);
    assert_int_equal(errors(report), 1);
    facet_report_free(report);
    report = compare(skinned("arm", "leg", here), skinned("leg", "arm", other), NULL, &r);
    assert_near(r.weights.mean, 0.25, 1e-12);
    assert_int_equal(errors(report), 1);
    facet_report_free(report);
}

TEST(materials_fronts_and_bitangents_of_faces)
{
    static const char *const texts[] = {NULL, "another material at 50 % of the samples",
                                        "faces the other way at 100 % of the samples",
                                        "tangents differ by more than 2 degrees at 100 %", NULL};
    for (int change = SAME; change <= LEFT_HANDED; change++) {
        facet_comparison r;
        facet_report *report = compare(faced(SAME), faced(change), NULL, &r);
        assert_int_equal(errors(report), texts[change] ? 1 : 0);
        assert_int_equal(r.same_triangles, texts[change] == NULL);
        for (size_t i = 0; i < facet_report_count(report) && texts[change]; i++)
            assert_non_null(strstr(facet_report_get(report, i)->message, texts[change]));
        facet_report_free(report);
    }
}

/* A duplicate of a material that another program merged is counted, but the faces have the same
 * material. */
TEST(merged_duplicates_of_materials)
{
    facet_scene *a = faced(SAME), *b = faced(OTHER_MATERIAL);
    a->materials[0]->base_color[0] = a->materials[1]->base_color[1] = 0;
    memcpy(a->materials[1]->base_color, a->materials[0]->base_color, 4 * sizeof(float));
    memcpy(b->materials[0]->base_color, a->materials[0]->base_color, 4 * sizeof(float));
    b->material_count = 1;
    facet_compare_options with = {.ignore = FACET_COMPARE_COUNTS | FACET_COMPARE_NAMES};
    facet_report *report = compare(a, b, &with, NULL);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
}

/* -- Edges -------------------------------------------------------------- */

TEST(empty_scenes_have_no_surfaces)
{
    facet_comparison r;
    facet_report *report = compare(test_scene(), square(0, false), NULL, &r);
    assert_false(r.has_surfaces);
    assert_true(errors(report) > 0);
    facet_report_free(report);
    report = compare(test_scene(), test_scene(), NULL, &r);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
}

TEST(compare_refuses_invalid_options)
{
    static const facet_compare_options wrong[] = {
        {.tolerance = -1}, {.tolerance = INFINITY}, {.samples = 10000001}, {.struct_size = 4}};
    static const char *const rules[] = {"COMPARE-TOLERANCE", "COMPARE-TOLERANCE", "COMPARE-SAMPLES",
                                        "STRUCT-SIZE"};
    facet_scene *a = square(0, false), *b = square(0, false);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        facet_error error;
        TEST_REFUSED(facet_compare_scenes(a, b, &wrong[i], NULL, NULL, NULL, &error),
                     FACET_ERROR_ARGUMENT, rules[i], &error);
    }
    facet_scene_free(a);
    facet_scene_free(b);
    assert_null(facet_compare_part_name((facet_compare_part)(1 << 13)));
    assert_string_equal(facet_compare_part_name(FACET_COMPARE_DOCUMENT), "document");
}

/* All triangles in one place: every search finds all of them equally near. */
TEST(triangles_in_one_place_are_compared)
{
    enum { TRIANGLES = 5000 };
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static uint32_t indices[3 * TRIANGLES];
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++)
        indices[i] = i % 3;
    facet_comparison r;
    facet_report *report = compare(scene_of(3, positions, TRIANGLES, indices),
                                   scene_of(3, positions, TRIANGLES, indices), NULL, &r);
    assert_true(r.same_triangles);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
}

/* The number of threads changes no result. */
TEST(comparison_is_the_same_for_any_thread_count)
{
    facet_comparison results[2];
    facet_error error;
    for (unsigned t = 0; t < 2; t++) {
        facet_options options = {0};
        facet_scene *a = square(0, false), *b = pyramid(0.3F);
        TEST_OK(facet_threads_create(1 + 3 * t, &options.threads, &error), &error);
        memset(&results[t], 0, sizeof results[t]);
        TEST_OK(facet_compare_scenes(a, b, NULL, &options, NULL, &results[t], &error), &error);
        facet_threads_free(options.threads);
        facet_scene_free(a);
        facet_scene_free(b);
    }
    assert_memory_equal(&results[0].forward, &results[1].forward, sizeof results[0].forward);
    assert_memory_equal(&results[0].backward, &results[1].backward, sizeof results[0].backward);
}

/* An image whose bytes are AVIF, which no build decodes. */
static facet_scene *with_bytes(const char *bytes, size_t size)
{
    facet_scene *scene = square(0, false);
    facet_image *image = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_image(scene, "a", &image, &error), &error);
    image->media_type = "image/avif";
    image->data = (const uint8_t *)bytes;
    image->size = size;
    return scene;
}

/* 2^30 triangles exceed the limit of a surface by one. The check comes before any access. */
TEST(surfaces_have_less_than_2_30_triangles)
{
    facet_scene *scene = square(0, false);
    facet_surface surface = {0};
    facet_error error;
    const double range[2] = {0, 1};
    uint32_t faces = scene->meshes[0]->face_count;
    scene->meshes[0]->face_count = UINT32_MAX / 4 + 1;
    assert_int_equal(facet_surface_gather(scene, 1, NULL, range, scene->arena, &surface, &error),
                     FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "COMPARE-SIZE");
    scene->meshes[0]->face_count = faces;
    facet_scene_free(scene);
}

/* Images that are not decoded are equal only if their bytes are. */
TEST(images_that_are_not_decoded_are_compared_by_bytes)
{
    static const char one[] = "\0\0\0\x14"
                              "ftypavif1";
    static const char other[] = "\0\0\0\x14"
                                "ftypavif2";
    facet_report *report =
        compare(with_bytes(one, sizeof one), with_bytes(one, sizeof one), NULL, NULL);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);
    report = compare(with_bytes(one, sizeof one), with_bytes(other, sizeof other), NULL, NULL);
    assert_says(report, "COMPARE-IMAGE", "different bytes");
    facet_report_free(report);
}
