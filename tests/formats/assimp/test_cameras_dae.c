/* Cameras of a COLLADA. */
#include "support/dae.h"
#include "support/mesh.h"
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

#include <math.h>

/* COLLADA 1.4.1: the name of a camera is optional. */
TEST(camera_without_a_name_has_its_values)
{
    static const char *const names[] = {"", " name=\"n\"", " name=\"\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[1500];
        int size = snprintf(
            text, sizeof text,
            "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
            "<library_cameras><camera id=\"c\"%s><optics><technique_common><perspective><yfov>30"
            "</yfov><aspect_ratio>2</aspect_ratio><znear>0.5</znear><zfar>50</zfar></perspective>"
            "</technique_common></optics></camera></library_cameras><library_visual_scenes>"
            "<visual_scene id=\"w\"><node id=\"n\"><instance_camera url=\"#c\"/></node>"
            "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#w\"/>"
            "</scene></COLLADA>",
            names[i]);
        assert_true(size > 0 && (size_t)size < sizeof text);
        facet_scene *scene = load_bytes(text, (size_t)size, "a.dae", NULL);
        assert_int_equal(scene->camera_count, 1);
        const facet_camera *camera = scene->cameras[0];
        assert_float_equal((double)camera->field_of_view, acos(-1) / 6, 1e-6);
        assert_float_equal((double)camera->aspect_ratio, 2, 0);
        assert_float_equal((double)camera->near_distance, 0.5, 0);
        assert_float_equal((double)camera->far_distance, 50, 0);
        facet_scene_free(scene);
    }
}

/* COLLADA 1.4.1, perspective: xfov, yfov, xfov and yfov, or one of them and the aspect ratio. The
 * ratio is tan(xfov / 2) / tan(yfov / 2): of 90 and 60 degrees, 1 / (1 / sqrt(3)). With a ratio of
 * 2 and an xfov of 90 degrees, the yfov is 2 atan(1 / 2). */
TEST(fields_of_view_of_all_forms_are_read)
{
    static const struct {
        const char *angles;
        double vertical, ratio; /* vertical: in degrees */
        bool is_lost;
    } cases[] = {{"<yfov sid=\"y\">60</yfov>", 60, 0, false},
                 {"<xfov>90</xfov><yfov>60</yfov>", 60, 1.7320508, false},
                 {"<yfov>60</yfov><aspect_ratio>2</aspect_ratio>", 60, 2, false},
                 {"<xfov>90</xfov><aspect_ratio>2</aspect_ratio>", 53.130102, 2, false},
                 {"<xfov>90</xfov>", 90, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1500];
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        snprintf(text, sizeof text,
                 DAE_BEGIN
                 "<library_cameras><camera id=\"c\" name=\"n\"><optics><technique_common>"
                 "<perspective>%s<znear>0.5</znear><zfar>50</zfar></perspective></technique_common>"
                 "</optics></camera></library_cameras>" DAE_NODES
                 "<node id=\"n\"><instance_camera url=\"#c\"/></node>" DAE_END,
                 cases[i].angles);
        facet_scene *scene = load_bytes(text, strlen(text), "a.dae", &options);
        assert_int_equal(scene->camera_count, 1);
        const facet_camera *camera = scene->cameras[0];
        double vertical = cases[i].vertical * acos(-1) / 180;
        assert_float_equal(camera->field_of_view, (float)vertical, 1e-6F);
        assert_float_equal(camera->aspect_ratio, (float)cases[i].ratio, 1e-6F);
        assert_int_equal(test_finding(report, "LOSS-CAMERA") != NULL, cases[i].is_lost);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* COLLADA 1.4.1, orthographic: xmag, ymag, both, or one of them and the aspect ratio. They are half
 * of the visible size, as Blender 3.4 writes and reads them: it gives an xmag of 3 the scale 6. */
TEST(orthographic_cameras_have_their_size)
{
    static const struct {
        const char *sizes;
        float width, height;
    } cases[] = {{"<xmag sid=\"x\">3</xmag><ymag>2</ymag>", 3, 2},
                 {"<xmag>3</xmag>\n<aspect_ratio>1.5</aspect_ratio>", 3, 2},
                 {"<ymag> 200 </ymag><aspect_ratio>1.5</aspect_ratio>", 300, 200},
                 {"<xmag>0.125</xmag>", 0.125F, 0.125F},
                 {"<ymag>1e-3</ymag>", 1e-3F, 1e-3F}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1500];
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        snprintf(text, sizeof text,
                 DAE_BEGIN "<library_cameras><camera id=\"c\" name=\"n\"><optics><technique_common>"
                           "<orthographic>%s<znear>0.5</znear><zfar>50</zfar></orthographic>"
                           "</technique_common></optics></camera></library_cameras>" DAE_NODES
                           "<node id=\"n\"><instance_camera url=\"#c\"/></node>" DAE_END,
                 cases[i].sizes);
        facet_scene *scene = load_bytes(text, strlen(text), "a.dae", &options);
        assert_int_equal(scene->camera_count, 1);
        const facet_camera *camera = scene->cameras[0];
        assert_true(camera->is_orthographic);
        assert_float_equal(camera->width, cases[i].width, 0);
        assert_float_equal(camera->height, cases[i].height, cases[i].height * 1e-6F);
        assert_float_equal(camera->near_distance, 0.5F, 0);
        assert_float_equal(camera->far_distance, 50, 0);
        assert_null(test_finding(report, "LOSS-CAMERA"));
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* A perspective camera does not become an orthographic one, even if its numbers are invalid. */
TEST(invalid_fields_of_view_are_not_sizes)
{
    static const char *const angles[] = {"<xfov>-3</xfov><aspect_ratio>2</aspect_ratio>",
                                         "<yfov>-3</yfov><aspect_ratio>2</aspect_ratio>",
                                         "<yfov>200</yfov><aspect_ratio>2</aspect_ratio>",
                                         "<yfov>60</yfov><aspect_ratio>-2</aspect_ratio>",
                                         "<xfov>\n-3</xfov><yfov>40</yfov>"};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        char text[1500];
        snprintf(text, sizeof text,
                 DAE_BEGIN
                 "<library_cameras><camera id=\"c\" name=\"n\"><optics><technique_common>"
                 "<perspective>%s<znear>0.5</znear></perspective></technique_common></optics>"
                 "</camera></library_cameras>" DAE_NODES
                 "<node id=\"n\"><instance_camera url=\"#c\"/></node>" DAE_END,
                 angles[i]);
        facet_scene *scene = load_bytes(text, strlen(text), "a.dae", NULL);
        assert_int_equal(scene->camera_count, 1);
        assert_false(scene->cameras[0]->is_orthographic);
        assert_true(scene->cameras[0]->field_of_view > 0);
        facet_scene_free(scene);
    }
}

static facet_node *add_node(facet_scene *scene, const char *name)
{
    facet_error error;
    facet_node *node;
    TEST_OK(facet_scene_add_node(scene, name, &node, &error), &error);
    node->transform.translation[1] = (float)scene->node_count;
    return node;
}

static facet_light *add_light(facet_scene *scene, const char *name, facet_light_kind kind)
{
    facet_error error;
    facet_light *light;
    TEST_OK(facet_scene_add_light(scene, name, &light, &error), &error);
    light->kind = kind;
    add_node(scene, name)->light = scene->light_count - 1;
    return light;
}

/* A triangle, a camera, a light of each kind, and an orthographic camera. */
static facet_scene *make_lit(void)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    facet_camera *camera;
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    add_node(scene, "triangle")->mesh = 0;
    TEST_OK(facet_scene_add_camera(scene, "eye", &camera, &error), &error);
    camera->field_of_view = 0.6F;
    camera->aspect_ratio = 1.5F;
    camera->near_distance = 0.25F;
    camera->far_distance = 40;
    add_node(scene, "eye")->camera = 0;
    TEST_OK(facet_scene_add_camera(scene, "flat", &camera, &error), &error);
    camera->is_orthographic = true;
    camera->width = camera->height = 1;
    camera->far_distance = 10;
    add_node(scene, "flat")->camera = 1;
    add_light(scene, "sun", FACET_LIGHT_DIRECTIONAL)->intensity = 3;
    add_light(scene, "lamp", FACET_LIGHT_POINT)->color[1] = 0.5F;
    add_light(scene, "dim", FACET_LIGHT_POINT);
    for (int k = 0; k < 3; k++)
        scene->lights[2]->color[k] = 0.5F;
    facet_light *spot = add_light(scene, "spot", FACET_LIGHT_SPOT);
    spot->outer_cone_angle = 0.5F;
    spot->inner_cone_angle = 0.25F;
    spot->extras = "{\"a\": 1}";
    return scene;
}

/* COLLADA has no inner angle of a spot light, and assimp writes no orthographic camera. The rest
 * returns, at the nodes of the same names, without new losses. */
TEST(cameras_and_lights_are_written)
{
    facet_error error;
    facet_options options = {0}, reading = {0};
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_report_create(NULL, &reading.report, &error), &error);
    facet_scene *scene = make_lit();
    facet_output *output = save_scene(scene, "dae", &options);
    assert_non_null(test_finding_saying(options.report, "LOSS-CAMERA", "orthographic"));
    assert_non_null(test_finding_saying(options.report, "LOSS-CAMERA", "inner angle"));
    assert_non_null(test_finding_saying(options.report, "LOSS-CAMERA", "product"));
    assert_non_null(test_finding(options.report, "LOSS-EXTRAS"));
    facet_scene *again = load_output(output, "a.dae", &reading);
    assert_null(test_finding(reading.report, "LOSS-CAMERA"));
    assert_int_equal(again->camera_count, 1);
    assert_float_equal((double)again->cameras[0]->field_of_view, 0.6, 1e-6);
    assert_float_equal((double)again->cameras[0]->aspect_ratio, 1.5, 1e-6);
    assert_float_equal((double)again->cameras[0]->near_distance, 0.25, 0);
    assert_float_equal((double)again->cameras[0]->far_distance, 40, 0);
    assert_int_equal(again->light_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        const facet_light *light = again->lights[i], *from = scene->lights[i];
        assert_string_equal(light->name, from->name);
        assert_int_equal(light->kind, from->kind);
        for (int k = 0; k < 3; k++)
            assert_float_equal((double)(light->color[k] * light->intensity),
                               (double)(from->color[k] * from->intensity), 1e-6);
    }
    assert_float_equal((double)again->lights[3]->outer_cone_angle, 0.5, 1e-6);
    for (uint32_t i = 0; i < again->node_count; i++) {
        const facet_node *node = again->nodes[i];
        if (node->camera != FACET_NONE)
            assert_string_equal(node->name, "eye");
        if (node->light != FACET_NONE)
            assert_string_equal(node->name, again->lights[node->light]->name);
    }
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(options.report);
    facet_report_free(reading.report);
}

#endif
