/* tests/support/whole_scene.h - a scene with an element of every kind. */
#ifndef FACET_TESTS_SUPPORT_WHOLE_SCENE_H
#define FACET_TESTS_SUPPORT_WHOLE_SCENE_H

#include "support/mesh.h"

#include <math.h>

static uint32_t corners[6] = {0, 1, 2, 2, 1, 3};

static inline void add(facet_mesh *mesh, facet_semantic semantic, uint32_t set, const char *name,
                       facet_component component, uint32_t components, const void *data)
{
    facet_error error;
    TEST_OK(facet_mesh_add_stream_copy(mesh, semantic, set, name, component, components, 4, data,
                                       mesh->stream_count ? NULL : corners, NULL, &error),
            &error);
}

static inline void add_mesh(facet_scene *scene)
{
    static const float points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const float normals[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const float tangents[16] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    static const float weights[16] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5F, 0.5F, 0, 0, 0, 1, 0, 0};
    static const uint16_t joints[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
    static const double heat[4] = {1, 2, 3, 4};
    static const uint32_t materials[2] = {0, FACET_NONE}, groups[2] = {1, 1}, lines[2] = {0, 3};
    static const facet_part parts[2] = {{"first", "a", 0, 1}, {"second", "b", 1, 1}};
    static const facet_morph morph = {"bulge", 0.25F};
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    assert_non_null(mesh);
    mesh->name = "mesh";
    add(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, points);
    add(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, normals);
    add(mesh, FACET_TANGENT, 0, NULL, FACET_FLOAT32, 4, tangents);
    add(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, points);
    add(mesh, FACET_COLOR, 0, NULL, FACET_FLOAT32, 4, weights);
    add(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, joints);
    add(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, weights);
    add(mesh, FACET_CUSTOM, 0, "heat", FACET_FLOAT64, 1, heat);
    mesh->morph_count = 1;
    mesh->morphs = test_copy(scene, &morph, sizeof morph / 4);
    add(mesh, FACET_MORPH_POSITION, 0, NULL, FACET_FLOAT32, 3, normals);
    mesh->face_materials = test_copy(scene, materials, 2);
    mesh->face_smoothing = test_copy(scene, groups, 2);
    mesh->parts = test_copy(scene, parts, sizeof parts / 4);
    mesh->part_count = 2;
    mesh->lines = test_copy(scene, lines, 2);
    mesh->line_count = 1;
    mesh->line_materials = test_copy(scene, materials, 1);
}

static inline void add_materials(facet_scene *scene)
{
    static const uint8_t pixels[12] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9};
    facet_material *material;
    facet_image *image;
    facet_error error;
    TEST_OK(facet_scene_add_image(scene, "picture", &image, &error), &error);
    image->width = image->height = 2;
    image->channels = 3;
    image->pixels = test_copy(scene, pixels, 3);
    TEST_OK(facet_scene_add_material(scene, "red", &material, &error), &error);
    facet_texture *texture = test_map(scene, material, FACET_MAP_DIFFUSE);
    texture->has_image = true;
    texture->has_transform = true;
    texture->scale[0] = texture->scale[1] = 1;
}

static inline void add_motion(facet_scene *scene)
{
    static const uint32_t roots[2] = {0, 2};
    static float times[2] = {0, 1}, shifts[6] = {0, 0, 0, 1, 0, 0};
    static float turns[8] = {0, 0, 0, 1, 0, 0, 1, 0}, amounts[6] = {0, 0, 0, 1, 0, 0};
    facet_node *node;
    facet_skin *skin;
    facet_animation *animation;
    facet_error error;
    for (int i = 0; i < 3; i++)
        TEST_OK(facet_scene_add_node(scene, "node", &node, &error), &error);
    scene->nodes[1]->parent = 0;
    scene->nodes[1]->has_matrix = true;
    scene->nodes[2]->mesh = scene->nodes[2]->skin = 0;
    scene->nodes[2]->weights = test_copy(scene, amounts, 1);
    scene->roots = test_copy(scene, roots, 2);
    scene->root_count = 2;
    TEST_OK(facet_scene_add_skin(scene, "skin", 2, &skin, &error), &error);
    skin->joints[0] = 0;
    skin->joints[1] = 1;
    skin->skeleton = 0;
    TEST_OK(facet_scene_add_animation(scene, "wave", 3, &animation, &error), &error);
    animation->channels[0] = (facet_channel){.node = 0,
                                             .target = FACET_TARGET_TRANSLATION,
                                             .interpolation = FACET_INTERPOLATION_LINEAR,
                                             .width = 3,
                                             .key_count = 2,
                                             .times = times,
                                             .values = shifts};
    animation->channels[1] = (facet_channel){.node = 0,
                                             .target = FACET_TARGET_ROTATION,
                                             .interpolation = FACET_INTERPOLATION_STEP,
                                             .width = 4,
                                             .key_count = 2,
                                             .times = times,
                                             .values = turns};
    animation->channels[2] = (facet_channel){.node = 2,
                                             .target = FACET_TARGET_WEIGHTS,
                                             .interpolation = FACET_INTERPOLATION_CUBIC,
                                             .width = 1,
                                             .key_count = 2,
                                             .times = times,
                                             .values = amounts};
    /* Each scene has separate arrays, so that tests can change them. */
    for (int i = 0; i < 3; i++) {
        facet_channel *c = &animation->channels[i];
        c->times = test_copy(scene, c->times, 2);
        c->values = test_copy(scene, c->values, i == 1 ? 8 : 6);
    }
}

static inline facet_scene *make_scene(void)
{
    static const float points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    facet_scene *scene = test_scene();
    facet_hull *hull;
    facet_error error;
    add_mesh(scene);
    add_materials(scene);
    add_motion(scene);
    TEST_OK(facet_scene_add_hull(scene, "hull", 4, &hull, &error), &error);
    memcpy(hull->points, points, sizeof points);
    TEST_OK(facet_scene_add_occluder(scene, &scene->occluder, &error), &error);
    scene->occluder->face_count = 1;
    scene->occluder->corner_count = 3;
    TEST_OK(facet_mesh_add_stream_copy(scene->occluder, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3,
                                       4, points, corners, NULL, &error),
            &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

#endif
