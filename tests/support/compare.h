/* tests/support/compare.h - scenes for the tests of facet_compare, and what it reports. */
#ifndef FACET_TESTS_COMPARE_H
#define FACET_TESTS_COMPARE_H

#include "mesh/surface.h"
#include "support/mesh.h"
#include <facet/compare.h>
#include <math.h>

/* -- Scenes ------------------------------------------------------------- */

static inline facet_scene *scene_of(uint32_t points, const float *positions, uint32_t triangles,
                                    const uint32_t *indices)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, triangles, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, points, positions, indices));
    return scene;
}

/* The unit square at height z, split along one diagonal or the other. */
static inline facet_scene *square(float z, bool other)
{
    const float positions[12] = {0, 0, z, 1, 0, z, 1, 1, z, 0, 1, z};
    static const uint32_t cuts[2][6] = {{0, 1, 2, 0, 2, 3}, {0, 1, 3, 1, 2, 3}};
    return scene_of(4, positions, 2, cuts[other]);
}

/* The square with a pyramid of this height over all of it, without a base. */
static inline facet_scene *pyramid(float height)
{
    const float positions[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5F, 0.5F, height};
    static const uint32_t sides[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    return scene_of(5, positions, 4, sides);
}

static inline facet_report *compare(facet_scene *a, facet_scene *b,
                                    const facet_compare_options *with, facet_comparison *result)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_compare_scenes(a, b, with, NULL, report, result, &error), &error);
    facet_scene_free(a);
    facet_scene_free(b);
    return report;
}

static inline size_t errors(const facet_report *report)
{
    return facet_report_severity_count(report, FACET_SEVERITY_ERROR);
}

static inline void assert_near(double value, double expected, double allowed)
{
    if (!(fabs(value - expected) <= allowed))
        fail_msg("%.17g is not within %g of %.17g", value, allowed, expected);
}

/* Two joints with exchanged names: the numbers differ, the weights do not. Later a quarter of the
 * weight moves to the other joint. */
static inline facet_scene *skinned(const char *first, const char *second, const float *weights)
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

/* A square whose second triangle has another material, whose fronts are reversed, or whose tangents
 * have another w. */
enum { SAME, OTHER_MATERIAL, REVERSED, MIRRORED_TANGENTS, LEFT_HANDED };
static inline facet_scene *faced(int change)
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

static inline void assert_says(const facet_report *report, const char *rule, const char *part)
{
    const facet_finding *finding = test_finding(report, rule);
    assert_non_null(finding);
    if (!strstr(finding->message, part))
        fail_msg("'%s' does not say '%s'", finding->message, part);
}

#endif
