/* Addition of one scene to another: every index of the added items is shifted by the number of
 * items before. */
#include "support/mesh.h"
#include "support/support.h"

#include <facet/gx_material.h>
#include <facet/pose.h>
#include <string.h>

/* A triangle of the xy plane, at `x`. */
static facet_mesh *add_triangle(facet_scene *scene, float x, uint32_t material)
{
    const float corners[9] = {x, 0, 0, x + 1, 0, 0, x, 1, 0};
    facet_mesh *mesh = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->name = facet_scene_string(scene, "triangle");
    mesh->face_count = 1;
    mesh->corner_count = 3;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3, corners,
                                       NULL, NULL, &error),
            &error);
    mesh->face_materials = facet_scene_allocate(scene, 1, sizeof *mesh->face_materials);
    assert_non_null(mesh->face_materials);
    mesh->face_materials[0] = material;
    return mesh;
}

static const char **make_variants(facet_scene *scene, const char *a, const char *b)
{
    const char **names = facet_scene_allocate(scene, 2, sizeof *names);
    names[0] = facet_scene_string(scene, a);
    names[1] = facet_scene_string(scene, b);
    return names;
}

/* A scene with two of each kind of item, in which every index is 1. */
static facet_scene *make_full(void)
{
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    for (int i = 0; i < 2; i++) {
        facet_image *image = NULL;
        facet_material *material = NULL;
        facet_camera *camera = NULL;
        facet_light *light = NULL;
        facet_node *node = NULL;
        facet_hull *hull = NULL;
        TEST_OK(facet_scene_add_image(scene, "image", &image, &error), &error);
        image->path = facet_scene_string(scene, "a.png");
        TEST_OK(facet_scene_add_material(scene, "material", &material, &error), &error);
        add_triangle(scene, (float)i, 1);
        TEST_OK(facet_scene_add_camera(scene, "camera", &camera, &error), &error);
        TEST_OK(facet_scene_add_light(scene, "light", &light, &error), &error);
        TEST_OK(facet_scene_add_node(scene, "node", &node, &error), &error);
        TEST_OK(facet_scene_add_hull(scene, "hull", 1, &hull, &error), &error);
        memset(hull->points, 0, 3 * sizeof(float));
    }
    facet_texture *texture = NULL;
    TEST_OK(facet_scene_add_map(scene, scene->materials[1], FACET_MAP_DIFFUSE, &texture, &error),
            &error);
    texture->has_image = true;
    texture->image = 1;
    facet_gx_material *gx = facet_scene_allocate(scene, 1, sizeof *gx);
    memset(gx, 0, sizeof *gx);
    for (int i = 0; i < 8; i++)
        gx->textures[i] = i == 2 ? 1 : FACET_GX_NO_TEXTURE;
    scene->materials[1]->gx = gx;
    scene->variants = make_variants(scene, "summer", "winter");
    scene->variant_count = 2;
    facet_variant_use *use = facet_scene_allocate(scene, 1, sizeof *use);
    *use = (facet_variant_use){.variant = 1, .material = 1};
    scene->materials[0]->variants = use;
    scene->materials[0]->variant_count = 1;
    facet_node *node = scene->nodes[0];
    node->parent = node->mesh = node->camera = node->light = 1;
    facet_skin *skin = NULL;
    for (int i = 0; i < 2; i++) {
        TEST_OK(facet_scene_add_skin(scene, "skin", 1, &skin, &error), &error);
        skin->joints[0] = 1;
    }
    skin->skeleton = 1;
    facet_animation *animation = NULL;
    TEST_OK(facet_scene_add_animation(scene, "move", 2, &animation, &error), &error);
    for (int i = 0; i < 2; i++) {
        facet_channel *channel = &animation->channels[i];
        channel->target = i ? FACET_TARGET_TEXTURE_IMAGE : FACET_TARGET_TRANSLATION;
        channel->interpolation = FACET_INTERPOLATION_STEP;
        channel->node = i ? FACET_NONE : 1;
        channel->material = 1;
        channel->map = FACET_MAP_DIFFUSE;
        channel->width = i ? 1 : 3;
        channel->key_count = 1;
        channel->times = facet_scene_allocate(scene, 1, sizeof(float));
        channel->values = facet_scene_allocate(scene, 3, sizeof(float));
        channel->times[0] = 0;
        for (int k = 0; k < 3; k++)
            channel->values[k] = 1;
    }
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

TEST(indices_are_renumbered)
{
    facet_scene *scene = make_full(), *other = make_full();
    facet_error error;
    other->nodes[1]->lods = facet_scene_allocate(other, 1, sizeof(uint32_t));
    other->nodes[1]->lods[0] = 0;
    other->nodes[0]->parent = FACET_NONE;
    other->nodes[1]->lod_count = 1;
    facet_mesh *mesh = other->meshes[1];
    mesh->line_count = mesh->point_count = 1;
    mesh->lines = test_copy(other, (const uint32_t[2]){0, 1}, 2);
    mesh->points = test_copy(other, (const uint32_t[1]){2}, 1);
    mesh->line_materials = test_copy(other, (const uint32_t[1]){1}, 1);
    mesh->point_materials = test_copy(other, (const uint32_t[1]){FACET_NONE}, 1);
    TEST_OK(facet_scene_add_scene(scene, other, NULL, &error), &error);
    facet_scene_free(other); /* AddressSanitizer finds shared memory */
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(scene->mesh_count, 4);
    assert_int_equal(scene->material_count, 4);
    assert_int_equal(scene->image_count, 4);
    assert_int_equal(scene->hull_count, 4);
    /* Every index 1 of the added scene is 2 + 1. */
    assert_int_equal(scene->meshes[2]->face_materials[0], 3);
    assert_int_equal(scene->meshes[3]->line_materials[0], 3);
    assert_int_equal(scene->meshes[3]->point_materials[0], FACET_NONE);
    assert_int_equal(scene->materials[3]->maps[FACET_MAP_DIFFUSE]->image, 3);
    assert_int_equal(scene->materials[3]->gx->textures[2], 3);
    assert_int_equal(scene->materials[3]->gx->textures[0], FACET_GX_NO_TEXTURE);
    assert_int_equal(scene->materials[2]->variants[0].material, 3);
    const facet_node *node = scene->nodes[2];
    assert_int_equal(node->mesh, 3);
    assert_int_equal(node->camera, 3);
    assert_int_equal(node->light, 3);
    assert_int_equal(node->skin, FACET_NONE);
    assert_int_equal(scene->nodes[3]->lods[0], 2);
    assert_int_equal(scene->skins[3]->joints[0], 3);
    assert_int_equal(scene->skins[3]->skeleton, 3);
    assert_int_equal(scene->skins[2]->skeleton, FACET_NONE);
    assert_int_equal(scene->animations[1]->channels[0].node, 3);
    assert_int_equal(scene->animations[1]->channels[1].node, FACET_NONE);
    assert_int_equal(scene->animations[1]->channels[1].material, 3);
    assert_float_equal(scene->animations[1]->channels[1].values[0], 3, 0);
    /* The first scene is unchanged. */
    assert_int_equal(scene->nodes[0]->parent, 1);
    assert_int_equal(scene->meshes[0]->face_materials[0], 1);
    assert_float_equal(scene->animations[0]->channels[1].values[0], 1, 0);
    facet_scene_free(scene);
}

TEST(variants_of_one_name_become_one)
{
    facet_scene *scene = make_full(), *other = make_full();
    facet_error error;
    other->variants = make_variants(other, "autumn", "summer");
    TEST_OK(facet_scene_add_scene(scene, other, NULL, &error), &error);
    assert_int_equal(scene->variant_count, 3);
    assert_string_equal(scene->variants[2], "autumn");
    /* Variant 1 of the added scene is "summer", which is variant 0 of the first. */
    assert_int_equal(scene->materials[2]->variants[0].variant, 0);
    assert_int_equal(scene->materials[0]->variants[0].variant, 1);
    facet_scene_free(scene);
    scene = make_full();
    other->variants = make_variants(other, "summer", "summer");
    TEST_OK(facet_scene_add_scene(scene, other, NULL, &error), &error);
    assert_int_equal(scene->variant_count, 3); /* the second "summer" cannot be chosen by name */
    assert_int_equal(scene->materials[2]->variants[0].variant, 2);
    facet_scene_free(scene);
    facet_scene_free(other);
}

TEST(a_scene_can_be_added_to_itself)
{
    facet_scene *scene = make_full();
    facet_error error;
    for (int i = 0; i < 3; i++)
        TEST_OK(facet_scene_add_scene(scene, scene, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(scene->node_count, 16);
    assert_int_equal(scene->nodes[14]->mesh, 15);
    assert_int_equal(scene->variant_count, 2);
    facet_scene_free(scene);
}

/* Meshes of a scene without nodes stay visible next to nodes. */
TEST(meshes_without_nodes_get_nodes)
{
    facet_error error;
    for (int first = 0; first < 2; first++) {
        facet_scene *scene = NULL, *other = NULL;
        facet_node *node = NULL;
        TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
        TEST_OK(facet_scene_create(NULL, &other, &error), &error);
        facet_scene *with = first ? other : scene;
        add_triangle(scene, 0, FACET_NONE);
        add_triangle(other, 0, FACET_NONE);
        TEST_OK(facet_scene_add_node(with, "moved", &node, &error), &error);
        node->mesh = 0;
        node->transform.translation[0] = 5;
        with->roots = facet_scene_allocate(with, 1, sizeof *with->roots);
        with->roots[0] = 0;
        with->root_count = 1;
        TEST_OK(facet_scene_add_scene(scene, other, NULL, &error), &error);
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        assert_int_equal(scene->node_count, 2);
        assert_int_equal(scene->root_count, 2);
        double low[3], high[3];
        bool any = false;
        TEST_OK(facet_scene_bounds(scene, NULL, low, high, &any, &error), &error);
        assert_float_equal(low[0], 0, 0);  /* the triangle at the origin */
        assert_float_equal(high[0], 6, 0); /* 5 + 1: the moved one */
        facet_scene_free(scene);
        facet_scene_free(other);
    }
}

/* A point at 2 along z, which is up in centimeters, is at 0.02 along y, which is up in meters. */
TEST(axes_are_those_of_the_first_scene)
{
    facet_scene *scene = NULL, *other = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_create(NULL, &other, &error), &error);
    facet_hull *hull = NULL;
    TEST_OK(facet_scene_add_hull(other, "hull", 1, &hull, &error), &error);
    hull->points[0] = hull->points[1] = 0;
    hull->points[2] = 2;
    other->axes.up = FACET_AXIS_Z;
    other->axes.unit = 0.01;
    TEST_OK(facet_scene_add_scene(scene, other, NULL, &error), &error);
    assert_int_equal(scene->axes.up, FACET_AXIS_Y);
    assert_float_equal(scene->hulls[0]->points[1], 0.02F, 1e-8F);
    assert_float_equal(hull->points[2], 2, 0);
    facet_scene_free(scene);
    facet_scene_free(other);
}

/* The rules of a report, in order. */
static void assert_rules(const facet_report *report, const char *const *rules, size_t count)
{
    assert_int_equal(facet_report_count(report), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(facet_report_get(report, i)->rule, rules[i]);
}

TEST(data_of_the_whole_is_taken_or_reported)
{
    static const char *const all[] = {"LOSS-NAMES", "LOSS-EXTRAS", "LOSS-ASSET"};
    facet_scene *scene = NULL, *other = make_full();
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    const facet_options options = {.report = report};
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    other->name = facet_scene_string(other, "town");
    other->extras = facet_scene_string(other, "{\"a\":1}");
    other->asset = facet_scene_string(other, "{\"copyright\":\"b\"}");
    TEST_OK(facet_scene_add_scene(scene, other, &options, &error), &error);
    assert_string_equal(scene->name, "town");
    assert_string_equal(scene->extras, "{\"a\":1}");
    assert_string_equal(scene->asset, "{\"copyright\":\"b\"}");
    assert_rules(report, NULL, 0);
    other->name = facet_scene_string(other, "village");
    TEST_OK(facet_scene_add_scene(scene, other, &options, &error), &error);
    assert_string_equal(scene->name, "town");
    assert_rules(report, all, 3);
    facet_report_free(report);
    facet_scene_free(scene);
    facet_scene_free(other);
}

TEST(two_occluders_become_one)
{
    facet_scene *scene = make_full();
    facet_error error;
    facet_mesh *occluder = NULL;
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    TEST_OK(facet_scene_add_occluder(scene, &occluder, &error), &error);
    occluder->face_count = 1;
    occluder->corner_count = 3;
    TEST_OK(facet_mesh_add_stream_copy(occluder, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3,
                                       corners, NULL, NULL, &error),
            &error);
    TEST_OK(facet_scene_add_scene(scene, scene, NULL, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(scene->occluder->face_count, 2);
    assert_int_equal(scene->occluder->part_count, 0);
    assert_int_equal(occluder->stream_count, 1); /* the old one is unchanged */
    facet_scene_free(scene);
}

TEST(too_many_items_are_refused)
{
    facet_scene *scene = make_full(), *other = make_full();
    facet_error error;
    facet_gx_material *gx = (facet_gx_material *)(uintptr_t)other->materials[1]->gx;
    gx->textures[2] = 0xFFFD; /* with 2 images before: 0xFFFF, which means none */
    assert_int_equal(facet_scene_add_scene(scene, other, NULL, &error), FACET_ERROR_LIMIT);
    assert_int_equal(scene->mesh_count, 2);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_scene_free(scene);
    facet_scene_free(other);
}

/* -- Allocation and time ------------------------------------------------ */

static facet_status attempt(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    const facet_scene *other = user;
    facet_scene *scene = NULL;
    facet_mesh *mesh = NULL;
    facet_error error;
    facet_status status = facet_scene_create(&options, &scene, &error);
    if (!status)
        status = facet_scene_add_mesh(scene, &mesh, &error);
    if (!status) {
        status = facet_scene_add_scene(scene, other, &options, &error);
        /* After an error the mesh is still the only item, without a node. */
        assert_int_equal(scene->mesh_count, status ? 1 : 3);
        assert_int_equal(scene->node_count, status ? 0 : 3);
        assert_true(!status || !scene->roots);
    }
    facet_scene_free(scene);
    return status;
}

TEST(addition_reports_failed_allocations)
{
    facet_scene *other = make_full();
    test_every_allocation(attempt, other);
    facet_scene_free(other);
}

/* Many small scenes: the lists grow by doubling. 20,000 lists of up to 20,000 pointers would be
 * 1.6 GB. */
TEST(many_additions_take_linear_memory)
{
    facet_scene *scene = NULL, *other = NULL;
    const facet_options options = {.memory_limit = 64 << 20};
    facet_node *node = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(&options, &scene, &error), &error);
    TEST_OK(facet_scene_create(NULL, &other, &error), &error);
    TEST_OK(facet_scene_add_node(other, "node", &node, &error), &error);
    other->roots = facet_scene_allocate(other, 1, sizeof *other->roots);
    other->roots[0] = 0;
    other->root_count = 1;
    for (int i = 0; i < 20000; i++)
        TEST_OK(facet_scene_add_scene(scene, other, NULL, &error), &error);
    assert_int_equal(scene->node_count, 20000);
    assert_int_equal(scene->root_count, 20000);
    assert_int_equal(scene->roots[19999], 19999);
    facet_scene_free(scene);
    facet_scene_free(other);
}
