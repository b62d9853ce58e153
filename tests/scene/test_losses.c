/* The function that reports what a scene loses in a format. */
#include "scene/losses.h"
#include "scene/scene.h"
#include "support/mesh.h"

#include <stdio.h>
#include <string.h>

/* One element of some kinds and two of others, so that counts identify the kind. */
static facet_scene *make_scene(void)
{
    facet_scene *scene = NULL;
    facet_mesh *mesh = NULL;
    facet_stream *stream = NULL;
    facet_node *node = NULL;
    facet_hull *hull = NULL;
    facet_material *material = NULL;
    facet_image *image = NULL;
    facet_skin *skin = NULL;
    facet_animation *animation = NULL;
    facet_camera *camera = NULL;
    facet_error error;
    static const struct {
        facet_semantic semantic;
        uint32_t set, components;
    } streams[] = {{FACET_TANGENT, 0, 4}, {FACET_JOINTS, 0, 4},   {FACET_WEIGHTS, 0, 4},
                   {FACET_CUSTOM, 0, 1},  {FACET_CUSTOM, 1, 1},   {FACET_COLOR, 0, 4},
                   {FACET_COLOR, 1, 4},   {FACET_TEXCOORD, 0, 2}, {FACET_TEXCOORD, 1, 2},
                   {FACET_TEXCOORD, 2, 3}};
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        facet_component component =
            streams[i].semantic == FACET_JOINTS ? FACET_UINT16 : FACET_FLOAT32;
        TEST_OK(facet_mesh_add_stream(mesh, streams[i].semantic, streams[i].set, "", component,
                                      streams[i].components, 0, &stream, &error),
                &error);
    }
    mesh->name = "mesh";
    mesh->extras = "{}";
    mesh->line_count = 3;
    mesh->billboard = FACET_BILLBOARD_Y;
    mesh->parts = facet_scene_allocate(scene, 3, sizeof *mesh->parts);
    assert_non_null(mesh->parts);
    mesh->parts[0] = (facet_part){.name = "part", .group = ""};
    mesh->parts[1] = (facet_part){.name = "", .group = ""};
    mesh->parts[2] = (facet_part){.name = "part", .group = "group"};
    mesh->part_count = 3;
    TEST_OK(facet_scene_add_hull(scene, "", 0, &hull, &error), &error);
    TEST_OK(facet_scene_add_hull(scene, "hull", 0, &hull, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "plain", &material, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "red", &material, &error), &error);
    material->base_color[1] = -1;
    material->clearcoat = 0.5F;
    material->ior = 1.25F; /* a material with two extensions */
    material->extensions = "{}";
    scene->asset = "{}";
    TEST_OK(facet_scene_add_image(scene, "image", &image, &error), &error);
    image->smaller_count = 1;
    TEST_OK(facet_scene_add_node(scene, "node", &node, &error), &error);
    TEST_OK(facet_scene_add_node(scene, "eye", &node, &error), &error);
    TEST_OK(facet_scene_add_camera(scene, "eye", &camera, &error), &error);
    node->camera = 0;
    TEST_OK(facet_scene_add_skin(scene, "skin", 1, &skin, &error), &error);
    TEST_OK(facet_scene_add_animation(scene, "walk", 0, &animation, &error), &error);
    TEST_OK(facet_scene_add_occluder(scene, &mesh, &error), &error);
    return scene;
}

/* The finding of each bit and its count, for make_scene. */
static const struct {
    uint32_t bit;
    const char *rule;
    uint64_t count;
} losses[] = {{FACET_LACKS_TANGENTS, "LOSS-TANGENTS", 1},
              {FACET_LACKS_SKINS, "LOSS-SKIN", 1},
              {FACET_LACKS_JOINTS, "LOSS-SKIN", 1},
              {FACET_LACKS_CUSTOM, "LOSS-CUSTOM", 2},
              {FACET_LACKS_LINES, "LOSS-LINES", 3},
              {FACET_LACKS_PART_NAMES, "LOSS-NAMES", 2},
              {FACET_LACKS_GROUP_NAMES, "LOSS-NAMES", 1},
              {FACET_LACKS_MESH_NAMES, "LOSS-NAMES", 1},
              {FACET_LACKS_HULL_NAMES, "LOSS-NAMES", 1},
              {FACET_LACKS_MATERIAL_VALUES, "LOSS-MATERIALS", 1},
              {FACET_LACKS_NODES, "LOSS-NODES", 2},
              {FACET_LACKS_CAMERAS, "LOSS-CAMERA", 1},
              {FACET_LACKS_HULLS, "LOSS-HULLS", 2},
              {FACET_LACKS_OCCLUDER, "LOSS-OCCLUDER", 1},
              {FACET_LACKS_ANIMATIONS, "LOSS-ANIMATIONS", 1},
              {FACET_LACKS_IMAGES, "LOSS-IMAGES", 1},
              {FACET_LACKS_EXTRAS, "LOSS-EXTRAS", 1},
              {FACET_LACKS_LOOKS, "LOSS-LOOKS", 2},
              {FACET_LACKS_OTHER_LOOKS, NULL, 0}, /* neither clearcoat nor ior */
              {FACET_LACKS_ASSET, "LOSS-ASSET", 2},
              {FACET_LACKS_BILLBOARDS, "LOSS-BILLBOARDS", 1},
              {FACET_LACKS_FACTORS, "LOSS-MATERIALS", 1},
              {FACET_LACKS_LODS, NULL, 0},
              {FACET_LACKS_MIP_LEVELS, "LOSS-MIP-LEVELS", 1},
              {FACET_LACKS_SMOOTHING, NULL, 0}, /* the scene has no smoothing groups */
              {FACET_LACKS_MORPHS, NULL, 0},
              {FACET_LACKS_POINTS, NULL, 0},
              {FACET_LACKS_MORPH_WEIGHTS, NULL, 0},
              {FACET_LACKS_NORMALS, NULL, 0},
              {FACET_LACKS_COLOR_ALPHA, NULL, 0}, /* the colors have no elements */
              {FACET_LACKS_FACE_MATERIALS, NULL, 0}};

static facet_report *losses_of(const facet_scene *scene, facet_capacity capacity)
{
    facet_report *report = NULL;
    capacity.name = "this";
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_scene_report_losses(scene, &capacity, report);
    return report;
}

TEST(each_bit_reports_its_loss)
{
    facet_scene *scene = make_scene();
    uint32_t all = 0;
    for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
        facet_report *report = losses_of(scene, (facet_capacity){.lacks = losses[i].bit,
                                                                 .color_sets = 255,
                                                                 .texcoord_sets = 255,
                                                                 .texcoord_components = 4});
        assert_int_equal(facet_report_count(report), losses[i].rule != NULL);
        if (losses[i].rule) {
            assert_string_equal(facet_report_get(report, 0)->rule, losses[i].rule);
            assert_int_equal(facet_report_get(report, 0)->count, losses[i].count);
            assert_int_equal(facet_report_get(report, 0)->severity,
                             losses[i].bit == FACET_LACKS_MESH_NAMES ||
                                     losses[i].bit == FACET_LACKS_MIP_LEVELS
                                 ? FACET_SEVERITY_NOTE
                                 : FACET_SEVERITY_WARNING);
            assert_non_null(strstr(facet_report_get(report, 0)->message, "this cannot hold"));
        }
        facet_report_free(report);
        all |= losses[i].bit;
    }
    assert_int_equal(all, FACET_LACKS_GROUP_NAMES |
                              (FACET_LACKS_GROUP_NAMES - 1)); /* the table has every bit */
    facet_scene_free(scene);
}

/* A format that stores lines but no points loses the materials of the lines: two of three have one.
 */
TEST(materials_of_stored_lines_are_a_loss)
{
    facet_scene *scene = make_scene();
    facet_mesh *mesh = scene->meshes[0];
    mesh->line_materials = test_copy(scene, (const uint32_t[3]){0, FACET_NONE, 0}, 3);
    mesh->point_materials = test_copy(scene, (const uint32_t[1]){0}, 1);
    mesh->points = test_copy(scene, (const uint32_t[1]){0}, 1);
    mesh->point_count = 1;
    for (int lacks = 0; lacks < 3; lacks++) {
        facet_capacity capacity = {.lacks = lacks == 1 ? FACET_LACKS_POINTS : 0,
                                   .color_sets = 255,
                                   .texcoord_sets = 255,
                                   .texcoord_components = 4,
                                   .lacks_end_materials = lacks > 0};
        facet_report *report = losses_of(scene, capacity);
        const facet_finding *found = test_finding(report, "LOSS-MATERIALS");
        assert_int_equal(found ? found->count : 0, lacks == 0 ? 0 : lacks == 1 ? 2 : 3);
        facet_report_free(report);
    }
    facet_scene_free(scene);
}

static size_t findings_of_factors(const facet_scene *scene, uint32_t lacks)
{
    facet_report *report = losses_of(scene, (facet_capacity){.lacks = FACET_LACKS_FACTORS | lacks,
                                                             .color_sets = 255,
                                                             .texcoord_sets = 255,
                                                             .texcoord_components = 4});
    size_t found = 0;
    for (size_t i = 0; i < facet_report_count(report); i++)
        found += strcmp(facet_report_get(report, i)->rule, "LOSS-MATERIALS") == 0;
    facet_report_free(report);
    return found;
}

/* Ranges: glTF 2.0, schema material.pbrMetallicRoughness, and those of KHR_materials_... */
TEST(values_outside_the_ranges_of_glTF_are_reported)
{
    facet_scene *scene = test_scene();
    facet_material *m;
    facet_error error;
    TEST_OK(facet_scene_add_material(scene, "m", &m, &error), &error);
    test_map(scene, m, FACET_MAP_OCCLUSION);
    const struct {
        float *value, least, most; /* most 0: none */
        bool look;
    } ranges[] = {{&m->base_color[0], 0, 1, false},
                  {&m->base_color[3], 0, 1, false},
                  {&m->metallic, 0, 1, false},
                  {&m->roughness, 0, 1, false},
                  {&m->emissive[2], 0, 0, false},
                  {&m->emissive_strength, 0, 0, false},
                  {&m->maps[FACET_MAP_OCCLUSION]->strength, 0, 1, false},
                  {&m->clearcoat, 0, 1, true},
                  {&m->sheen_color[1], 0, 1, true},
                  {&m->ior, 1, 0, true},
                  {&m->iridescence_ior, 1, 0, true},
                  {&m->thickness, 0, 0, true}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        float before = *ranges[i].value, above = ranges[i].most > 0 ? ranges[i].most : 1e9F;
        *ranges[i].value = ranges[i].least;
        assert_int_equal(findings_of_factors(scene, 0), 0);
        *ranges[i].value = above;
        assert_int_equal(findings_of_factors(scene, 0), 0);
        *ranges[i].value = ranges[i].least - 0.125F;
        assert_int_equal(findings_of_factors(scene, 0), 1);
        /* A format without extensions reports them as LOSS-LOOKS. */
        assert_int_equal(findings_of_factors(scene, FACET_LACKS_LOOKS), !ranges[i].look);
        *ranges[i].value = above * 1.125F;
        assert_int_equal(findings_of_factors(scene, 0), ranges[i].most > 0);
        *ranges[i].value = before;
    }
    m->ior = 0; /* reflects all light */
    assert_int_equal(findings_of_factors(scene, 0), 0);
    facet_scene_free(scene);
}

/* Usual values of programs are not losses. Blender: Ka 1, Ks 0.5, illum 2. Maya: Tf 1. 3ds Max: Ka
 * is Kd, Ks 0, whose roughness is 1 with any Ns. The implied specular color of a material that is
 * not metallic is 0.04. Colored reflections and filters are warnings. */
TEST(unusual_classic_values_are_reported)
{
    static const struct {
        facet_classic classic;
        const char *lost;
        facet_severity severity;
    } cases[] = {
        {{.stated = FACET_CLASSIC_AMBIENT, .ambient = {1, 1, 1}}, NULL, 0},
        {{.stated = FACET_CLASSIC_AMBIENT, .ambient = {0.2F, 0.2F, 0.2F}}, NULL, 0},
        {{.stated = FACET_CLASSIC_AMBIENT,
          .ambient = {0.5F, 0.25F, 0},
          .diffuse = {0.5F, 0.25F, 0}},
         NULL,
         0},
        {{.stated = FACET_CLASSIC_AMBIENT, .ambient = {0.5F, 0.25F, 0}},
         "ambient color",
         FACET_SEVERITY_NOTE},
        {{.stated = FACET_CLASSIC_SPECULAR, .specular = {0.5F, 0.5F, 0.5F}}, NULL, 0},
        {{.stated = FACET_CLASSIC_SPECULAR, .specular = {0.04F, 0.04F, 0.04F}}, NULL, 0},
        {{.stated = FACET_CLASSIC_SPECULAR | FACET_CLASSIC_SHININESS, .shininess = 10}, NULL, 0},
        {{.stated = FACET_CLASSIC_SPECULAR | FACET_CLASSIC_SHININESS, .shininess = 250}, NULL, 0},
        {{.stated = FACET_CLASSIC_SPECULAR, .specular = {0.75F, 0.75F, 0.75F}},
         "specular color",
         FACET_SEVERITY_NOTE},
        {{.stated = FACET_CLASSIC_SPECULAR, .specular = {1, 0, 0}},
         "specular color",
         FACET_SEVERITY_WARNING},
        {{.stated = FACET_CLASSIC_TRANSMISSION, .transmission = {1, 1, 1}}, NULL, 0},
        {{.stated = FACET_CLASSIC_TRANSMISSION, .transmission = {0, 0.5F, 0}},
         "transmission filter",
         FACET_SEVERITY_WARNING},
        {{.stated = FACET_CLASSIC_REFRACTION, .refraction_index = 1}, NULL, 0},
        {{.stated = FACET_CLASSIC_REFRACTION, .refraction_index = 0.75F},
         "index of refraction",
         FACET_SEVERITY_NOTE},
        {{.stated = FACET_CLASSIC_ILLUMINATION, .illumination = 0}, NULL, 0},
        {{.stated = FACET_CLASSIC_ILLUMINATION, .illumination = 2}, NULL, 0},
        {{.stated = FACET_CLASSIC_ILLUMINATION, .illumination = 5},
         "illumination model",
         FACET_SEVERITY_NOTE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = test_scene();
        facet_material *m;
        facet_error error;
        TEST_OK(facet_scene_add_material(scene, "m", &m, &error), &error);
        TEST_OK(facet_scene_set_classic(scene, m, &cases[i].classic, &error), &error);
        for (int holds = 0; holds < 2; holds++) {
            facet_report *report = losses_of(
                scene,
                (facet_capacity){.name = "X", .lacks_classic = holds ? 0 : FACET_CLASSIC_UNUSUAL});
            const facet_finding *found = test_finding(report, "LOSS-MATERIALS");
            assert_int_equal(found != NULL, cases[i].lost != NULL && !holds);
            if (found) {
                assert_non_null(strstr(found->message, cases[i].lost));
                assert_int_equal(found->severity, cases[i].severity);
            }
            facet_report_free(report);
        }
        facet_scene_free(scene);
    }
}

/* Without nodes, all meshes are shown. */
TEST(unused_meshes_and_materials_are_reported)
{
    for (int with_nodes = 0; with_nodes < 2; with_nodes++) {
        facet_scene *scene = test_scene();
        facet_material *material;
        facet_node *node;
        facet_error error;
        facet_mesh *mesh = test_mesh(scene, 1, NULL);
        test_mesh(scene, 1, NULL);
        test_mesh(scene, 1, NULL);
        for (int i = 0; i < 3; i++)
            TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        mesh->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
        mesh->face_materials[0] = 1;
        if (with_nodes) {
            TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
            node->mesh = 0;
        }
        facet_report *report = losses_of(
            scene, (facet_capacity){.name = "X",
                                    .lacks_unused = FACET_UNUSED_MESHES | FACET_UNUSED_MATERIALS});
        const facet_finding *found = test_finding(report, "LOSS-MATERIALS");
        assert_int_equal(found->count, 2);
        assert_int_equal(found->severity, FACET_SEVERITY_NOTE);
        found = test_finding(report, "LOSS-MESHES");
        assert_int_equal(found ? found->count : 0, with_nodes ? 2 : 0);
        facet_report_free(report);
        report = losses_of(scene, (facet_capacity){.name = "X"});
        assert_int_equal(facet_report_count(report), 0);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

/* Two of four color sets have an alpha other than 1; the format stores two sets, one of them. */
TEST(alpha_of_stored_colors_is_counted)
{
    static const float colors[4][8] = {{1, 0, 0, 1, 0, 1, 0, 0.5F},
                                       {1, 0, 0, 1, 0, 1, 0, 1},
                                       {1, 0, 0, 0.25F, 0, 1, 0, 1},
                                       {0, 0, 0.5F, 1, 1, 0.5F}}; /* of three components */
    static const uint32_t corners[3] = {0, 1, 0};
    for (uint8_t lacks = 0; lacks < 2; lacks++) {
        facet_scene *scene = test_scene();
        facet_mesh *mesh = test_mesh(scene, 1, NULL);
        facet_error error;
        for (uint32_t i = 0; i < 4; i++)
            TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_COLOR, i, NULL, FACET_FLOAT32,
                                               i == 3 ? 3 : 4, 2, colors[i], corners, NULL, &error),
                    &error);
        facet_report *report =
            losses_of(scene, (facet_capacity){.lacks = lacks ? FACET_LACKS_COLOR_ALPHA : 0,
                                              .color_sets = 2,
                                              .texcoord_sets = 255,
                                              .texcoord_components = 4});
        const facet_finding *alpha = test_finding_saying(report, "LOSS-COLORS", "the alpha of");
        assert_int_equal(alpha ? alpha->count : 0, lacks);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

/* Names of lost streams are listed once each, and end with "..." if there are too many. */
TEST(lost_streams_are_named)
{
    facet_lost_streams lost = {0};
    char names[20][4];
    const facet_stream streams[] = {{.semantic = FACET_COLOR, .set = 1},
                                    {.semantic = FACET_CUSTOM, .name = "_HEAT"},
                                    {.semantic = FACET_COLOR, .set = 1},
                                    {.semantic = FACET_COLOR, .set = 12},
                                    {.semantic = FACET_TANGENT}};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++)
        facet_lost_streams_add(&lost, &streams[i]);
    assert_string_equal(lost.names, "color 1, '_HEAT', color 12, tangent");
    assert_int_equal(lost.count, 5);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_lost_streams_report(&lost, "PLY", report);
    assert_int_equal(facet_report_get(report, 0)->count, 5);
    assert_non_null(test_finding_saying(report, "LOSS-CUSTOM",
                                        "PLY cannot hold these streams: "
                                        "color 1, '_HEAT', color 12, "
                                        "tangent"));
    facet_report_free(report);
    /* 35 characters, then ", 'n00'" of 7: 17 of them give 154, and 18 do not fit into 159. */
    for (int i = 0; i < 20; i++) {
        snprintf(names[i], sizeof names[i], "n%02d", i);
        facet_lost_streams_add(&lost, &(facet_stream){.semantic = FACET_CUSTOM, .name = names[i]});
    }
    assert_int_equal(lost.count, 25);
    assert_non_null(strstr(lost.names, "'n16', ..."));
    assert_int_equal(strlen(lost.names), 154 + 5);
}

/* One of three targets has a weight at rest. Without the targets the mesh has another shape. */
TEST(a_format_without_morphs_changes_the_shape_at_rest)
{
    facet_scene *scene = make_scene();
    facet_mesh *mesh = scene->meshes[0];
    mesh->morphs = facet_scene_allocate(scene, 3, sizeof *mesh->morphs);
    assert_non_null(mesh->morphs);
    for (int i = 0; i < 3; i++)
        mesh->morphs[i] = (facet_morph){"", i == 1 ? 0.5F : 0};
    mesh->morph_count = 3;
    facet_report *report = losses_of(scene, (facet_capacity){.lacks = FACET_LACKS_MORPHS,
                                                             .color_sets = 255,
                                                             .texcoord_sets = 255,
                                                             .texcoord_components = 4});
    assert_int_equal(facet_report_count(report), 2);
    assert_int_equal(test_finding_saying(report, "LOSS-MORPHS", "hold morph targets")->count, 3);
    assert_int_equal(test_finding_saying(report, "LOSS-MORPHS", "weights")->count, 1);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* Flattening and merging remove nodes and separate meshes. */
TEST(flattened_billboards_are_reported)
{
    for (int merges = 0; merges < 2; merges++) {
        facet_scene *scene = NULL;
        facet_mesh *mesh = NULL;
        facet_node *node = NULL;
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_options options = {.report = report};
        for (int i = 0; i <= merges; i++)
            TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
        mesh->billboard = FACET_BILLBOARD_ALL;
        if (merges) {
            TEST_OK(facet_scene_merge(scene, &options, &error), &error);
        } else {
            TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
            node->mesh = 0;
            TEST_OK(facet_scene_flatten(scene, NULL, &options, &error), &error);
        }
        assert_non_null(test_finding(report, "LOSS-BILLBOARDS"));
        for (uint32_t i = 0; i < scene->mesh_count; i++)
            assert_int_equal(scene->meshes[i]->billboard, FACET_BILLBOARD_NONE);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

TEST(lost_sets_and_components_are_counted)
{
    static const struct {
        uint8_t color_sets, texcoord_sets, texcoord_components;
        unsigned colors, texcoords; /* lost streams, of 2 and 3 */
    } cases[] = {
        {0, 0, 0, 2, 3}, {1, 1, 2, 1, 2}, {2, 3, 2, 0, 1}, {2, 2, 3, 0, 1}, {2, 3, 3, 0, 0}};
    facet_scene *scene = make_scene();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_report *report =
            losses_of(scene, (facet_capacity){.color_sets = cases[i].color_sets,
                                              .texcoord_sets = cases[i].texcoord_sets,
                                              .texcoord_components = cases[i].texcoord_components});
        const facet_finding *colors = test_finding(report, "LOSS-COLORS");
        const facet_finding *texcoords = test_finding(report, "LOSS-TEXCOORDS");
        assert_int_equal(colors ? colors->count : 0, cases[i].colors);
        assert_int_equal(texcoords ? texcoords->count : 0, cases[i].texcoords);
        facet_report_free(report);
    }
    facet_scene_free(scene);
}

/* Several threads may write a scene at once, so nothing is allocated in it. The arena asks the
 * allocator for each block of 64 KiB or more; a byte for each of 70,000 materials is larger. */
TEST(counting_unused_materials_leaves_the_memory_of_the_scene_alone)
{
    test_allocator own;
    facet_options options = {.struct_size = sizeof options, .allocator = &own.allocator};
    const facet_capacity capacity = {.name = "X", .lacks_unused = FACET_UNUSED_MATERIALS};
    facet_scene *scene = NULL;
    facet_material *material = NULL;
    facet_report *report = NULL;
    facet_error error;
    test_allocator_init(&own, 0);
    TEST_OK(facet_scene_create(&options, &scene, &error), &error);
    for (int i = 0; i < 70000; i++)
        TEST_OK(facet_scene_add_material(scene, "", &material, &error), &error);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    size_t before = own.allocations;
    facet_scene_report_losses(scene, &capacity, report);
    assert_int_equal(own.allocations, before);
    const facet_finding *lost = test_finding(report, "LOSS-MATERIALS");
    assert_non_null(lost);
    assert_non_null(strstr(lost->message, "materials that no face has (70000 times)"));
    facet_report_free(report);
    facet_scene_free(scene);
    assert_int_equal(own.live, 0);
}
