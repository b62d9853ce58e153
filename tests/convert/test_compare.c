/* Differences between two scenes: surfaces with known distances, attributes rotated or moved by
 * known amounts, and structure. */
#include "mesh/surface.h"
#include "support/mesh.h"

#include <facet/compare.h>
#include <math.h>

/* -- Scenes ------------------------------------------------------------- */

static facet_scene *scene_of(uint32_t points, const float *positions, uint32_t triangles,
                             const uint32_t *indices)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, triangles, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, points, positions, indices));
    return scene;
}

/* The unit square at height z, split along one diagonal or the other. */
static facet_scene *square(float z, bool other)
{
    const float positions[12] = {0, 0, z, 1, 0, z, 1, 1, z, 0, 1, z};
    static const uint32_t cuts[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 1, 3, 1, 2, 3}};
    return scene_of(4, positions, 2, cuts[other]);
}

/* The square with a pyramid of this height over all of it, without a base. */
static facet_scene *pyramid(float height)
{
    const float positions[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5F, 0.5F, height};
    static const uint32_t sides[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    return scene_of(5, positions, 4, sides);
}

static facet_report *compare(facet_scene *a, facet_scene *b, const facet_compare_options *with,
                             facet_comparison *result)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_compare_scenes(a, b, with, NULL, report, result, &error), &error);
    facet_scene_free(a);
    facet_scene_free(b);
    return report;
}

static size_t errors(const facet_report *report)
{
    return facet_report_severity_count(report, FACET_SEVERITY_ERROR);
}

static void assert_near(double value, double expected, double allowed)
{
    if (!(fabs(value - expected) <= allowed))
        fail_msg("%.17g is not within %g of %.17g", value, allowed, expected);
}

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

/* Two joints with exchanged names: the numbers differ, the weights do not. Later a quarter of the
 * weight moves to the other joint. */
static facet_scene *skinned(const char *first, const char *second, const float *weights)
{
    static const uint16_t joints[4] = {0, 1, 0, 0};
    static const uint32_t indices[6] = {0};
    facet_scene *scene = square(0, false);
    facet_mesh *mesh = scene->meshes[0];
    facet_node *node = NULL;
    facet_skin *skin = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_node(scene, first, &node, &error), &error);
    TEST_OK(facet_scene_add_node(scene, second, &node, &error), &error);
    TEST_OK(facet_scene_add_node(scene, "body", &node, &error), &error);
    TEST_OK(facet_scene_add_skin(scene, "", 2, &skin, &error), &error);
    skin->joints[0] = 0;
    skin->joints[1] = 1;
    node->mesh = 0;
    node->skin = 0;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 1, joints,
                                       indices, NULL, &error),
            &error);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, 1, weights,
                                       indices, NULL, &error),
            &error);
    return scene;
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

/* A square whose second triangle has another material, whose fronts are reversed, or whose tangents
 * have another w. */
enum { SAME, OTHER_MATERIAL, REVERSED, MIRRORED_TANGENTS, LEFT_HANDED };
static facet_scene *faced(int change)
{
    static const float positions[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    static const uint32_t fronts[6] = {0, 1, 2, 0, 2, 3}, backs[6] = {0, 2, 1, 0, 3, 2};
    float w = change == MIRRORED_TANGENTS || change == LEFT_HANDED ? -1 : 1;
    const float tangents[16] = {1, 0, 0, w, 1, 0, 0, w, 1, 0, 0, w, 1, 0, 0, w};
    bool reversed = change == REVERSED || change == LEFT_HANDED;
    facet_scene *scene = scene_of(4, positions, 2, reversed ? backs : fronts);
    scene->axes.left_handed = change == LEFT_HANDED;
    facet_material *red = NULL, *blue = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_material(scene, "red", &red, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "blue", &blue, &error), &error);
    red->base_color[1] = blue->base_color[0] = 0;
    uint32_t materials[2] = {0, change == OTHER_MATERIAL ? 0 : 1};
    scene->meshes[0]->face_materials = test_copy(scene, materials, 2);
    assert_true(test_stream(scene, scene->meshes[0], FACET_TANGENT, 4, 4, tangents,
                            reversed ? backs : fronts));
    return scene;
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

/* -- Structure ---------------------------------------------------------- */

static facet_scene *structured(const char *material, float red, const char *node, float x,
                               uint8_t pixel)
{
    facet_scene *scene = square(0, false);
    facet_material *m = NULL;
    facet_node *n = NULL;
    facet_image *i = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_material(scene, material, &m, &error), &error);
    m->base_color[0] = red;
    TEST_OK(facet_scene_add_node(scene, "mesh", &n, &error), &error);
    n->mesh = 0;
    TEST_OK(facet_scene_add_node(scene, node, &n, &error), &error);
    n->transform.translation[0] = x;
    TEST_OK(facet_scene_add_image(scene, node, &i, &error), &error);
    i->width = 2;
    i->height = i->channels = 1;
    i->pixels = facet_scene_allocate(scene, 2, 1);
    assert_non_null(i->pixels);
    ((uint8_t *)i->pixels)[0] = 100;
    ((uint8_t *)i->pixels)[1] = pixel;
    return scene;
}

/* A square with a diagonal line, and a point at (x, 1, 0). */
static facet_scene *drawn(const uint32_t *line, float x)
{
    facet_scene *scene = square(0, false);
    facet_mesh *mesh = scene->meshes[0];
    mesh->line_count = mesh->point_count = 1;
    mesh->lines = test_copy(scene, line, 2);
    mesh->points = test_copy(scene, &(uint32_t){4}, 1);
    facet_stream *positions = &mesh->streams[0];
    float *more = facet_scene_allocate(scene, 5, 12);
    assert_non_null(more);
    memcpy(more, positions->data, 48);
    memcpy(more + 12, (float[]){x, 1, 0}, 12);
    positions->data = more;
    positions->count = 5;
    return scene;
}

static void assert_says(const facet_report *report, const char *rule, const char *part)
{
    const facet_finding *finding = test_finding(report, rule);
    assert_non_null(finding);
    if (!strstr(finding->message, part))
        fail_msg("'%s' does not say '%s'", finding->message, part);
}

TEST(differences_of_structure_are_reported)
{
    facet_report *report =
        compare(structured("red", 1, "a", 0, 7), structured("red", 1, "a", 0, 7), NULL, NULL);
    assert_int_equal(facet_report_count(report), 0);
    facet_report_free(report);

    report =
        compare(structured("red", 1, "a", 0, 0), structured("red", 0.5F, "a", 3, 51), NULL, NULL);
    assert_int_equal(errors(report), 3);
    assert_says(report, "COMPARE-MATERIAL", "'red' has base color 1, in the second file 0.5");
    assert_says(report, "COMPARE-NODE", "'a' is 3 away");
    /* One of two gray pixels differs by 51 of 255, a fifth. Squared it is 0.04, in three of four
     * channels, in half of the pixels: 0.04 * 3/4 / 2 = 0.015. Then -10 log10 of it is 18.2 dB. */
    assert_says(report, "COMPARE-IMAGE", "18.2 dB");
    assert_says(report, "COMPARE-IMAGE", "at most 51 of 255");
    facet_report_free(report);

    report = compare(structured("red", 1, "a", 0, 0), structured("blue", 1, "b", 0, 0), NULL, NULL);
    assert_int_equal(errors(report), 6); /* material, node and image, in both directions */
    assert_says(report, "COMPARE-NAMES", "1 images of the first file are not in the second: 'a'");
    facet_report_free(report);
}

/* Objects with other names are still compared: with one of the same content, or else with the one
 * at the same index. */
TEST(renamed_objects_pair_by_content)
{
    facet_compare_options names = {.ignore = FACET_COMPARE_NAMES};
    facet_report *report =
        compare(structured("red", 1, "a", 0, 0), structured("blue", 1, "b", 0, 0), &names, NULL);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
    report = compare(structured("red", 1, "a", 0, 0), structured("blue", 0.5F, "b", 3, 51), &names,
                     NULL);
    assert_int_equal(errors(report), 3);
    assert_says(report, "COMPARE-MATERIAL", "'red' has base color 1, in the second file 0.5");
    assert_says(report, "COMPARE-NODE", "'a' is 3 away");
    assert_says(report, "COMPARE-IMAGE", "18.2 dB");
    facet_report_free(report);

    /* Two images that exchanged their positions and names. Their content identifies them. */
    facet_scene *scenes[2];
    for (int s = 0; s < 2; s++) {
        static const char *const called[2][2] = {{"x", "y"}, {"p", "q"}};
        facet_image *image = NULL;
        scenes[s] = structured("red", 1, "a", 0, s ? 51 : 0);
        assert_int_equal(facet_scene_add_image(scenes[s], "more", &image, NULL), FACET_OK);
        *image = *scenes[s]->images[0];
        static uint8_t pixels[2][2] = {{100, 0}, {0, 51}};
        scenes[s]->images[0]->pixels = pixels[s];
        image->pixels = pixels[1 - s];
        scenes[s]->images[0]->name = called[s][0];
        image->name = called[s][1];
        test_map(scenes[s], scenes[s]->materials[0], FACET_MAP_DIFFUSE)->has_image = true;
    }
    report = compare(scenes[0], scenes[1], &names, NULL);
    assert_int_equal(errors(report), 1);
    assert_says(report, "COMPARE-MATERIAL", "another image for base color");
    facet_report_free(report);
}

static facet_scene *with_materials(uint32_t count, float red)
{
    static const char *const names[2][3] = {{"a", "b", "c"}, {"p", "q", "r"}};
    facet_scene *scene = structured("first", 1, "a", 0, 0);
    for (uint32_t i = 0; i < count; i++) {
        facet_material *material = NULL;
        assert_int_equal(facet_scene_add_material(scene, names[red < 1][i], &material, NULL),
                         FACET_OK);
        material->base_color[0] = red;
    }
    return scene;
}

/* The scenes have two and three equal materials, of different colors. No pair may come from unset
 * memory, which AddressSanitizer fills with other bytes. */
TEST(equal_materials_without_partner_pair_by_order)
{
    facet_compare_options names = {.ignore = FACET_COMPARE_NAMES};
    facet_report *report = compare(with_materials(2, 1), with_materials(3, 0.5F), &names, NULL);
    assert_says(report, "COMPARE-MATERIAL", "'a' has base color 1, in the second file 0.5");
    facet_report_free(report);
}

/* Images that neither file contains are not reported as equal. */
TEST(images_absent_from_both_files_are_reported)
{
    facet_scene *scenes[2];
    for (int s = 0; s < 2; s++) {
        scenes[s] = structured("red", 1, "a", 0, 0);
        scenes[s]->images[0]->pixels = NULL;
        scenes[s]->images[0]->path = "absent.png";
    }
    facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
    assert_int_equal(errors(report), 0);
    assert_says(report, "COMPARE-IMAGE-ABSENT", "image 'a' is in neither file");
    facet_report_free(report);
}

/* Texture coordinates are compared with the same direction of v. */
TEST(differences_of_textures_are_reported)
{
    facet_scene *scenes[2];
    for (int round = 0; round < 6; round++) {
        static const char *const says[] = {NULL,
                                           NULL,
                                           "another set of texture coordinates",
                                           "another way to wrap",
                                           "another filter",
                                           "another transform"};
        for (int s = 0; s < 2; s++) {
            scenes[s] = structured("red", 1, "a", 0, 0);
            facet_texture *t = test_map(scenes[s], scenes[s]->materials[0], FACET_MAP_DIFFUSE);
            *t = (facet_texture){
                .path = "", .strength = 1, .scale = {1, 1}, .minify = 2, .magnify = 2};
            if (round == 1) { /* v = 1 - v': 0.25 + 2 v is 1 - (-1.25 + 2 v') */
                t->has_transform = true;
                t->scale[1] = 2;
                t->offset[1] = s ? -1.25F : 0.25F;
                scenes[s]->axes.uv_origin_top = s;
            }
        }
        facet_texture *t = scenes[1]->materials[0]->maps[FACET_MAP_DIFFUSE];
        t->uv_set = round == 2;
        t->wrap_v = round == 3 ? FACET_WRAP_MIRROR : FACET_WRAP_REPEAT;
        t->magnify = round == 4 ? FACET_FILTER_NEAREST : t->magnify;
        t->has_transform |= round == 5;
        t->rotation = round == 5 ? 0.5F : 0;
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        assert_int_equal(errors(report), says[round] != NULL);
        if (says[round])
            assert_says(report, "COMPARE-MATERIAL", says[round]);
        facet_report_free(report);
    }
}

/* Lines and points are compared. Either end of a line may be the first, and a point may move within
 * the tolerance. If only one file has them, the counts differ. */
TEST(lines_and_points_are_compared)
{
    static const uint32_t line[2] = {0, 2}, turned[2] = {2, 0}, other[2] = {1, 3};
    facet_compare_options with = {.tolerance = 0.01};
    facet_report *report = compare(drawn(line, 3), drawn(turned, 3), NULL, NULL);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
    report = compare(drawn(line, 3), drawn(other, 3), NULL, NULL);
    assert_int_equal(errors(report), 1);
    assert_non_null(strstr(test_finding(report, "COMPARE-DISTANCE")->message, "lines"));
    facet_report_free(report);
    report = compare(drawn(line, 3), drawn(line, 3.009F), &with, NULL);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
    report = compare(drawn(line, 3), drawn(line, 3.02F), &with, NULL);
    assert_int_equal(errors(report), 1);
    assert_non_null(strstr(test_finding(report, "COMPARE-DISTANCE")->message, "points"));
    facet_report_free(report);
    static const float gray[15] = {[12] = 0.5F}, light[15] = {[12] = 0.51F};
    for (int same = 0; same < 2; same++) {
        facet_scene *a = drawn(line, 3), *b = drawn(line, 3);
        facet_error error;
        TEST_OK(facet_mesh_add_stream_copy(a->meshes[0], FACET_COLOR, 0, NULL, FACET_FLOAT32, 3, 5,
                                           gray, NULL, NULL, &error),
                &error);
        TEST_OK(facet_mesh_add_stream_copy(b->meshes[0], FACET_COLOR, 0, NULL, FACET_FLOAT32, 3, 5,
                                           same ? gray : light, NULL, NULL, &error),
                &error);
        report = compare(a, b, NULL, NULL);
        assert_int_equal(errors(report), !same);
        assert_true(same || strstr(test_finding(report, "COMPARE-ATTRIBUTE")->message, "points"));
        facet_report_free(report);
    }
    report = compare(drawn(line, 3), square(0, false), NULL, NULL);
    assert_int_equal(test_finding(report, "COMPARE-COUNT")->severity, FACET_SEVERITY_ERROR);
    assert_int_equal(errors(report), 2);
    facet_report_free(report);
}

TEST(cameras_lights_hidden_nodes_and_clearcoat_are_compared)
{
    static const struct {
        int change;
        const char *rule, *text;
    } cases[] = {{0, "COMPARE-NODE", "camera 0 has far distance 0, in the second file 9"},
                 {1, "COMPARE-NODE", "camera 0 has another projection"},
                 {2, "COMPARE-NODE", "light 0 has range 0, in the second file 4"},
                 {3, "COMPARE-NODE", "light 0 has another kind"},
                 {4, "COMPARE-NODE", "node 'n' is hidden in one file only"},
                 {5, "COMPARE-MATERIAL", "clearcoat 0, in the second file 0.5"}};
    for (size_t i = 0; i <= sizeof cases / sizeof *cases; i++) {
        facet_scene *scenes[2] = {square(0, false), square(0, false)};
        int change = i < sizeof cases / sizeof *cases ? cases[i].change : -1;
        for (int s = 0; s < 2; s++) {
            facet_camera *camera = NULL;
            facet_light *light = NULL;
            facet_node *node = NULL;
            facet_material *material = NULL;
            facet_classic classic;
            facet_error error;
            bool other = s == 1;
            TEST_OK(facet_scene_add_camera(scenes[s], "c", &camera, &error), &error);
            TEST_OK(facet_scene_add_light(scenes[s], "l", &light, &error), &error);
            TEST_OK(facet_scene_add_node(scenes[s], "n", &node, &error), &error);
            TEST_OK(facet_scene_add_material(scenes[s], "m", &material, &error), &error);
            facet_classic_init(&classic);
            camera->far_distance = other && change == 0 ? 9 : 0;
            camera->is_orthographic = other && change == 1;
            light->range = other && change == 2 ? 4 : 0;
            light->kind = other && change == 3 ? FACET_LIGHT_SPOT : FACET_LIGHT_POINT;
            node->hidden = other && change == 4;
            classic.clearcoat = other && change == 5 ? 0.5F : 0;
            classic.stated = FACET_CLASSIC_CLEARCOAT;
            TEST_OK(facet_scene_set_classic(scenes[s], material, &classic, &error), &error);
        }
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        if (change < 0)
            assert_int_equal(errors(report), 0);
        else
            assert_says(report, cases[i].rule, cases[i].text);
        facet_report_free(report);
    }
}

/* The same cameras, lights and materials: in centimeters and meters, in another order, and with a
 * classic value that is not stated. */
TEST(units_order_and_unstated_values_are_no_difference)
{
    facet_scene *scenes[2] = {square(0, false), square(0, false)};
    for (int s = 0; s < 2; s++) {
        facet_scene *scene = scenes[s];
        const double centimeters = s == 0 ? 1 : 100;
        facet_camera *camera = NULL;
        facet_material *material = NULL;
        facet_classic classic;
        facet_error error;
        scene->axes.unit = s == 0 ? 0.01 : 1;
        for (int i = 0; i < 12 && s == 1; i++)
            ((float *)scene->meshes[0]->streams[0].data)[i] *= 0.01F;
        TEST_OK(facet_scene_add_camera(scene, "c", &camera, &error), &error);
        camera->near_distance = (float)(10 / centimeters);
        camera->far_distance = (float)(1000 / centimeters);
        for (int i = 0; i < 2; i++) {
            facet_light *light = NULL;
            bool lamp = i == s;
            TEST_OK(facet_scene_add_light(scene, lamp ? "lamp" : "sun", &light, &error), &error);
            light->kind = lamp ? FACET_LIGHT_POINT : FACET_LIGHT_DIRECTIONAL;
            light->range = lamp ? (float)(500 / centimeters) : 0;
        }
        TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        facet_classic_init(&classic);
        classic.transmission[0] = s == 0 ? 0.05F : 0;
        TEST_OK(facet_scene_set_classic(scene, material, &classic, &error), &error);
        material->thickness = (float)(2 / centimeters);
    }
    facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
}

/* Every value and map of the material extensions, variants, and data that is only preserved. */
TEST(material_extensions_variants_and_asset_are_compared)
{
    static const struct {
        const char *rule, *text;
    } cases[] = {
        {"COMPARE-MATERIAL", "material 'm' has ior 1.5, in the second file 1.25"},
        {"COMPARE-MATERIAL", "material 'm' has sheenColorFactor 0, in the second file 0.5"},
        {"COMPARE-MATERIAL", "material 'm' has attenuationDistance 0, in the second file 3"},
        {"COMPARE-MATERIAL",
         "material 'm' has no texture for clearcoat normal, in the second file one"},
        {"COMPARE-MATERIAL", "material 'm' has other materials in variants"},
        {"COMPARE-MATERIAL", "material 'm' has other extensions"},
        {"COMPARE-COUNT", "1 variants, 2 in the second file"},
        {"COMPARE-ASSET", "variant 0, 'day', has another name"},
        {"COMPARE-ASSET", "copyright and other data about the asset differ"},
        {"COMPARE-ASSET", "extensions of the file differ"},
        {"COMPARE-ASSET", "extensions of meshes differ"}};
    static const char *names[2][2] = {{"day", "night"}, {"dawn", "night"}};
    static facet_variant_use uses[2] = {{0, 0}, {0, 1}};
    const int count = sizeof cases / sizeof *cases;
    for (int change = 0; change <= count; change++) {
        facet_scene *scenes[2] = {square(0, false), square(0, false)};
        for (int s = 0; s < 2; s++) {
            facet_scene *scene = scenes[s];
            facet_material *m = NULL, *other = NULL;
            facet_error error;
            TEST_OK(facet_scene_add_material(scene, "m", &m, &error), &error);
            TEST_OK(facet_scene_add_material(scene, "n", &other, &error), &error);
            bool is = s == 1;
            m->ior = is && change == 0 ? 1.25F : 1.5F;
            m->sheen_color[2] = is && change == 1 ? 0.5F : 0;
            m->attenuation_distance = is && change == 2 ? 3 : 0;
            if (is && change == 3)
                test_map(scene, m, FACET_MAP_CLEARCOAT_NORMAL)->path = "a.png";
            m->variants = &uses[is && change == 4];
            m->variant_count = 1;
            m->extensions = is && change == 5 ? "{}" : NULL;
            scene->variants = names[is && change == 7];
            scene->variant_count = is && change == 6 ? 2 : 1;
            scene->asset = is && change == 8 ? "{\"copyright\":\"A\"}" : NULL;
            scene->extensions = is && change == 9 ? "{}" : NULL;
            scene->meshes[0]->extensions = is && change == 10 ? "{}" : NULL;
        }
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        if (change == count)
            assert_int_equal(errors(report), 0);
        else
            assert_says(report, cases[change].rule, cases[change].text);
        facet_report_free(report);
    }
}

/* Extras of a node, names of morph targets, and a skin that no node uses. */
TEST(kept_data_and_unused_skins)
{
    static const float weights[4] = {0.75F, 0.25F, 0, 0};
    static const char *const texts[] = {"extras differ", "1 morph targets of the first file",
                                        "only the first file has weights of joints"};
    static const char *const rules[] = {"COMPARE-ASSET", "COMPARE-NAMES", "COMPARE-ATTRIBUTE"};
    static facet_morph morphs[2] = {{"smile", 0}, {"frown", 0}};
    for (int change = 0; change <= 3; change++) {
        facet_scene *scenes[2] = {skinned("arm", "leg", weights), skinned("arm", "leg", weights)};
        for (int s = 0; s < 2; s++) {
            facet_node *body = scenes[s]->nodes[2];
            body->extras = s == 1 && change == 0 ? "{\"a\":1}" : NULL;
            scenes[s]->meshes[0]->morphs = &morphs[s == 1 && change == 1];
            scenes[s]->meshes[0]->morph_count = 1;
            if (s == 1 && change == 2)
                body->skin = FACET_NONE;
        }
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        if (change < 3)
            assert_says(report, rules[change], texts[change]);
        else
            assert_int_equal(errors(report), 0);
        facet_report_free(report);
    }
}

/* With equal names, the second of one scene matches the second of the other. */
TEST(equal_names_pair_in_order)
{
    facet_scene *scenes[2] = {square(0, false), square(0, false)};
    for (int s = 0; s < 2; s++) {
        for (int m = 0; m < 3; m++) {
            facet_material *material = NULL;
            facet_error error;
            TEST_OK(facet_scene_add_material(scenes[s], "same", &material, &error), &error);
            material->metallic = s == 1 && m == 1 ? 0.5F : 0.25F;
        }
    }
    facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
    assert_int_equal(errors(report), 1);
    assert_says(report, "COMPARE-MATERIAL", "metallic 0.25, in the second file 0.5");
    facet_report_free(report);
}

/* A node that moves along x by `reach` in a second: 2 or 3. */
static facet_scene *moving(float reach)
{
    facet_scene *scene = square(0, false);
    facet_node *node = NULL;
    facet_animation *animation = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_node(scene, "cart", &node, &error), &error);
    node->mesh = 0;
    TEST_OK(facet_scene_add_animation(scene, "drive", 1, &animation, &error), &error);
    const float times[2] = {0, 1}, values[6] = {0, 0, 0, reach, 0, 0};
    facet_channel *channel = &animation->channels[0];
    channel->width = 3;
    channel->key_count = 2;
    channel->times = test_copy(scene, times, 2);
    channel->values = test_copy(scene, values, 6);
    assert_true(channel->times && channel->values);
    return scene;
}

TEST(differences_of_animations_are_reported)
{
    facet_report *report = compare(moving(2), moving(2), NULL, NULL);
    assert_int_equal(errors(report), 0);
    facet_report_free(report);
    report = compare(moving(2), moving(3), NULL, NULL);
    assert_int_equal(errors(report), 1);
    assert_says(report, "COMPARE-ANIMATION", "'drive' moves node 'cart' 1 away");
    assert_says(report, "COMPARE-ANIMATION", "at 1 s");
    facet_report_free(report);
}

/* A move that all 17 evenly spaced times miss: at 0.25 s of 16 s. */
TEST(animation_is_compared_at_all_keys)
{
    for (int change = 0; change < 2; change++) {
        facet_scene *scenes[2] = {moving(0), moving(0)};
        for (int s = 0; s < 2; s++) {
            const float times[4] = {0, 0.25F, 0.5F, 16};
            float values[12] = {0};
            values[3] = s == 1 && change ? 50 : 0;
            facet_channel *channel = &scenes[s]->animations[0]->channels[0];
            channel->key_count = 4;
            channel->times = test_copy(scenes[s], times, 4);
            channel->values = test_copy(scenes[s], values, 12);
        }
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        assert_int_equal(errors(report), change);
        if (change)
            assert_says(report, "COMPARE-ANIMATION",
                        "50 away from where the second file does, at "
                        "0.25 s");
        facet_report_free(report);
    }
}

/* A base color from 0 to 1 in a second: other values, steps, and no channel. */
TEST(animated_materials_are_compared)
{
    static const char *const texts[] = {NULL, "base color: another value in the second file at 1 s",
                                        "base color: another value in the second file at 0.5 s",
                                        "base color: only in the first file"};
    for (int change = 0; change < 4; change++) {
        facet_scene *scenes[2] = {faced(SAME), faced(SAME)};
        for (int s = 0; s < 2; s++) {
            bool other = s == 1;
            facet_animation *animation = NULL;
            facet_error error;
            TEST_OK(facet_scene_add_animation(scenes[s], "glow", other && change == 3 ? 0 : 1,
                                              &animation, &error),
                    &error);
            if (animation->channel_count == 0)
                continue;
            const float times[2] = {0, 1};
            const float values[8] = {0, 0, 0, 1, other && change == 1 ? 0.5F : 1, 0, 0, 1};
            facet_channel *channel = &animation->channels[0];
            *channel =
                (facet_channel){.node = FACET_NONE,
                                .target = FACET_TARGET_BASE_COLOR,
                                .interpolation = other && change == 2 ? FACET_INTERPOLATION_STEP
                                                                      : FACET_INTERPOLATION_LINEAR,
                                .width = 4,
                                .key_count = 2,
                                .material = 0};
            channel->times = test_copy(scenes[s], times, 2);
            channel->values = test_copy(scenes[s], values, 8);
        }
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        assert_int_equal(errors(report), change ? 1 : 0);
        if (change)
            assert_says(report, "COMPARE-ANIMATION", texts[change]);
        facet_report_free(report);
    }
}

/* Two squares at a right angle: smooth at their edge or not. The number of the group is of no
 * importance. */
TEST(smoothing_groups_are_compared_by_their_normals)
{
    static const float positions[18] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 1, -1, 0, 0, -1};
    static const uint32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5};
    static const uint32_t groups[3] = {1, 7, 0};
    for (int other = 1; other < 3; other++) {
        facet_scene *scenes[2];
        for (int s = 0; s < 2; s++) {
            uint32_t g = groups[s == 0 ? 0 : other], all[4] = {g, g, g, g};
            scenes[s] = scene_of(6, positions, 4, faces);
            scenes[s]->meshes[0]->face_smoothing = test_copy(scenes[s], all, 4);
        }
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        assert_int_equal(errors(report), other == 2);
        if (other == 2)
            assert_says(report, "COMPARE-ATTRIBUTE", "normals differ by more than 0.5 degrees");
        facet_report_free(report);
    }
}

/* Morph targets and custom attributes: values, but not the order of triangles or vertices. */
TEST(morph_targets_and_custom_attributes)
{
    static const float positions[2][12] = {{0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0},
                                           {0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0}};
    static const uint32_t triangles[2][6] = {{0, 1, 2, 0, 2, 3}, {1, 0, 3, 2, 1, 3}};
    static const char *const texts[] = {NULL, "morph targets are not equal",
                                        "custom attributes are not equal"};
    static facet_morph morph = {"smile", 0};
    for (int change = 0; change < 3; change++) {
        facet_scene *scenes[2];
        for (int s = 0; s < 2; s++) {
            float moves[12] = {0}, heat[4] = {1, 1, 1, 1};
            moves[s == 0 ? 0 : 9] = s == 1 && change == 1 ? 3 : 2;
            heat[s == 0 ? 1 : 2] = s == 1 && change == 2 ? 6 : 5;
            facet_scene *scene = scene_of(4, positions[s], 2, triangles[s]);
            facet_mesh *mesh = scene->meshes[0];
            facet_error error;
            mesh->morphs = &morph;
            mesh->morph_count = 1;
            assert_true(test_stream(scene, mesh, FACET_MORPH_POSITION, 3, 4, moves, triangles[s]));
            TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_CUSTOM, 0, "heat", FACET_FLOAT32, 1, 4,
                                               heat, triangles[s], NULL, &error),
                    &error);
            scenes[s] = scene;
        }
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        assert_int_equal(errors(report), change ? 1 : 0);
        if (change)
            assert_says(report, "COMPARE-ATTRIBUTE", texts[change]);
        facet_report_free(report);
    }
}

/* 3,000 nodes and 200 keys: not all times are compared, and a note says so. */
TEST(times_that_are_not_compared_are_reported)
{
    facet_scene *scenes[2] = {moving(0), moving(0)};
    for (int s = 0; s < 2; s++) {
        float times[200], values[600] = {0};
        facet_channel *channel = &scenes[s]->animations[0]->channels[0];
        for (int i = 0; i < 200; i++)
            times[i] = (float)i + 0.5F;
        for (int i = 0; i < 3000; i++) {
            facet_node *node = NULL;
            facet_error error;
            TEST_OK(facet_scene_add_node(scenes[s], "", &node, &error), &error);
        }
        channel->key_count = 200;
        channel->times = test_copy(scenes[s], times, 200);
        channel->values = test_copy(scenes[s], values, 600);
    }
    facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
    assert_int_equal(errors(report), 0);
    assert_says(report, "COMPARE-TIMES", "animation 'drive' is compared at ");
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
