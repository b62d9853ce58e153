/* facet_compare: nodes, materials, images, animations and extras. */
#include "support/compare.h"

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
    assert_says(report, "COMPARE-NAMES", "images that only the first file has: 'a'");
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

/* Two lines from the corners 0 and 1, with materials; `swapped`: in the other order. */
static facet_scene *two_lines(uint32_t first, uint32_t second, bool swapped)
{
    facet_scene *scene = drawn((const uint32_t[2]){0, 2}, 3);
    facet_mesh *mesh = scene->meshes[0];
    facet_material *material;
    facet_error error;
    for (int i = 0; i < 2; i++) {
        TEST_OK(facet_scene_add_material(scene, i ? "wire" : "rod", &material, &error), &error);
        material->base_color[i] = 0;
    }
    uint32_t base = scene->material_count - 2;
    const uint32_t lines[2][4] = {{0, 2, 1, 3}, {1, 3, 0, 2}};
    const uint32_t numbers[2] = {base + first, base + second};
    mesh->line_count = 2;
    mesh->lines = test_copy(scene, lines[swapped], 4);
    mesh->line_materials =
        test_copy(scene, (const uint32_t[2]){numbers[swapped], numbers[!swapped]}, 2);
    return scene;
}

/* The same line has the same material in both files, in any order of the lines. */
TEST(materials_of_lines_are_compared)
{
    for (int swapped = 0; swapped < 2; swapped++) {
        facet_report *report =
            compare(two_lines(0, 1, false), two_lines(0, 1, swapped), NULL, NULL);
        assert_int_equal(errors(report), 0);
        facet_report_free(report);
        report = compare(two_lines(0, 1, false), two_lines(1, 0, swapped), NULL, NULL);
        assert_int_equal(errors(report), 1);
        assert_says(report, "COMPARE-MATERIAL", "other materials of lines");
        facet_report_free(report);
    }
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
                 {5, "COMPARE-MATERIAL", "clearcoatFactor 0, in the second file 0.5"}};
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

/* Two nodes exchange their cameras or lights, one loses them, or has other levels of detail. The
 * objects, their counts and the transforms are the same. Cameras of equal values without names may
 * be in any order. */
TEST(nodes_that_carry_cameras_and_lights_are_compared)
{
    static const char *const says[] = {NULL,
                                       "node 'n0' has another camera in the second file",
                                       "node 'n0' has a camera in the first file only",
                                       "node 'n1' has a camera in the second file only",
                                       "node 'n0' has another light in the second file",
                                       "node 'n1' has a light in the first file only",
                                       "node 'n0' has other levels of detail in the second file",
                                       NULL};
    enum { CASES = sizeof says / sizeof *says };
    for (int change = 0; change < CASES; change++) {
        facet_scene *scenes[2] = {square(0, false), square(0, false)};
        for (int s = 0; s < 2; s++) {
            static const char *const names[3][2] = {{"n0", "n1"}, {"c0", "c1"}, {"l0", "l1"}};
            static uint32_t lods[2] = {2, 3};
            facet_camera *camera = NULL;
            facet_light *light = NULL;
            facet_node *nodes[4] = {NULL};
            facet_error error;
            int of = s == 1 ? change : 0;
            for (uint32_t i = 0; i < 2; i++) {
                bool unnamed = change == CASES - 1;
                TEST_OK(
                    facet_scene_add_camera(scenes[s], unnamed ? "" : names[1][i], &camera, &error),
                    &error);
                camera->field_of_view = i == 0 || unnamed ? 0.5F : 0.75F;
                TEST_OK(facet_scene_add_light(scenes[s], names[2][i], &light, &error), &error);
                TEST_OK(facet_scene_add_node(scenes[s], names[0][i], &nodes[i], &error), &error);
                nodes[i]->camera = of == 1 || of == CASES - 1 ? 1 - i : i;
                nodes[i]->light = of == 4 ? 1 - i : i;
            }
            TEST_OK(facet_scene_add_node(scenes[s], "low", &nodes[2], &error), &error);
            TEST_OK(facet_scene_add_node(scenes[s], "lower", &nodes[3], &error), &error);
            if (of == 2)
                nodes[0]->camera = FACET_NONE;
            if (change == 3 && s == 0)
                nodes[1]->camera = FACET_NONE;
            if (of == 5)
                nodes[1]->light = FACET_NONE;
            nodes[0]->lods = of == 6 ? &lods[1] : lods;
            nodes[0]->lod_count = 1;
        }
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        if (says[change])
            assert_says(report, "COMPARE-NODE", says[change]);
        else
            assert_int_equal(errors(report), 0);
        facet_report_free(report);
    }
}

/* Each of the two filters counts if both files state it. */
TEST(one_stated_filter_is_compared)
{
    for (int change = 0; change < 4; change++) {
        facet_scene *scenes[2];
        for (int s = 0; s < 2; s++) {
            scenes[s] = structured("red", 1, "a", 0, 0);
            facet_texture *t = test_map(scenes[s], scenes[s]->materials[0], FACET_MAP_DIFFUSE);
            *t = (facet_texture){.path = "", .strength = 1, .scale = {1, 1}};
            facet_filter filter = s == 1 ? FACET_FILTER_NEAREST : FACET_FILTER_LINEAR;
            if (change == 0 || (change == 2 && s == 0))
                t->minify = filter;
            if (change == 1 || (change == 2 && s == 1))
                t->magnify = filter;
        }
        facet_report *report = compare(scenes[0], scenes[1], NULL, NULL);
        assert_int_equal(errors(report), change < 2);
        if (change < 2)
            assert_says(report, "COMPARE-MATERIAL", "another filter");
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
        {"COMPARE-COUNT", "1 variant, 2 in the second file"},
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
    static const char *const texts[] = {"extras differ",
                                        "morph targets that only the first file has",
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

/* 3,000 nodes and 200 keys: not all times are compared, and a note reports it. */
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
