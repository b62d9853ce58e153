/* tests/support/rich_scene.h - a scene in which every member of facet/scene.h has a value. */
#ifndef FACET_TESTS_RICH_SCENE_H
#define FACET_TESTS_RICH_SCENE_H

#include "support/mesh.h"

/* Nodes: a skeleton, a body with a skin and morph targets, two nodes that show a box, and two that
 * are not visible. */
enum { HIPS, ARM, BODY, BOX, TWIN, COARSE, HIDDEN, NODES };
enum { CHANNELS = 6 };

static const char *const node_names[NODES] = {"hips", "arm",    "body",  "box",
                                              "twin", "coarse", "hidden"};

static inline void rich_add_stream(facet_mesh *mesh, facet_semantic semantic, uint32_t set,
                                   const char *name, facet_component component, uint32_t components,
                                   uint32_t count, const void *data)
{
    facet_error error;
    TEST_OK(facet_mesh_add_stream_copy(mesh, semantic, set, name, component, components, count,
                                       data, NULL, NULL, &error),
            &error);
}

static inline void rich_add_body(facet_scene *scene)
{
    static const float positions[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 2, 2},
                       normals[15] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1},
                       tangents[20] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1},
                       places[10] = {0, 0, 1, 0, 1, 1, 0, 1, 0, 0},
                       layer[15] = {0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0, 1},
                       colors[20] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1},
                       weights[20] = {0.75F, 0.25F, 0, 0, 0.75F, 0.25F, 0, 0, 0.5F, 0.5F,
                                      0,     0,     1, 0, 0,     0,     1, 0, 0,    0},
                       heat[5] = {1, 2, 3, 4, 5}, moves[15] = {0, 0, 1, 0, 0, 1};
    static const uint16_t joints[20] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3}, materials[2] = {0, 1},
                          groups[2] = {1, 2}, lines[2] = {0, 4}, points[2] = {1, 4};
    facet_mesh *mesh = test_mesh(scene, 2, NULL);
    facet_error error;
    mesh->name = "body";
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 5,
                                       positions, triangles, NULL, &error),
            &error);
    rich_add_stream(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 5, normals);
    rich_add_stream(mesh, FACET_TANGENT, 0, NULL, FACET_FLOAT32, 4, 5, tangents);
    rich_add_stream(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, 5, places);
    rich_add_stream(mesh, FACET_TEXCOORD, 1, NULL, FACET_FLOAT32, 3, 5, layer);
    rich_add_stream(mesh, FACET_COLOR, 0, NULL, FACET_FLOAT32, 4, 5, colors);
    rich_add_stream(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 5, joints);
    rich_add_stream(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, 5, weights);
    rich_add_stream(mesh, FACET_MORPH_POSITION, 0, NULL, FACET_FLOAT32, 3, 5, moves);
    rich_add_stream(mesh, FACET_MORPH_NORMAL, 0, NULL, FACET_FLOAT32, 3, 5, moves);
    rich_add_stream(mesh, FACET_MORPH_TANGENT, 0, NULL, FACET_FLOAT32, 3, 5, moves);
    rich_add_stream(mesh, FACET_MORPH_POSITION, 1, NULL, FACET_FLOAT32, 3, 5, normals);
    rich_add_stream(mesh, FACET_CUSTOM, 0, "heat", FACET_FLOAT32, 1, 5, heat);
    mesh->face_materials = test_copy(scene, materials, 2);
    mesh->face_smoothing = test_copy(scene, groups, 2);
    mesh->parts = facet_scene_allocate(scene, 2, sizeof *mesh->parts);
    mesh->parts[0] = (facet_part){"left", "group", 0, 1};
    mesh->parts[1] = (facet_part){"right", "group", 1, 1};
    mesh->part_count = 2;
    mesh->lines = test_copy(scene, lines, 2);
    mesh->points = test_copy(scene, points, 2);
    mesh->line_count = 1;
    mesh->point_count = 2;
    mesh->line_materials = test_copy(scene, &materials[1], 1);
    mesh->point_materials = test_copy(scene, materials, 2);
    mesh->morphs = facet_scene_allocate(scene, 2, sizeof *mesh->morphs);
    mesh->morphs[0] = (facet_morph){"smile", 0.25F};
    mesh->morphs[1] = (facet_morph){"frown", 0};
    mesh->morph_count = 2;
    mesh->extras = mesh->extensions = "{}";
}

static inline void rich_add_box(facet_scene *scene, const char *name, float height)
{
    const float positions[12] = {3, 0, height, 4, 0, height, 4, 1, height, 3, 1, height};
    static const uint32_t materials[1] = {2};
    facet_mesh *mesh = test_mesh(scene, 1, (const uint32_t[]){4});
    mesh->name = name;
    rich_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 4, positions);
    mesh->face_materials = test_copy(scene, materials, 1);
}

static inline void rich_add_images(facet_scene *scene)
{
    static const uint8_t pixels[3][4] = {{10, 20, 30, 40}, {50, 60, 70, 80}, {90, 1, 2, 3}};
    static const uint8_t bytes[4] = {1, 2, 3, 4};
    static const char *const names[3] = {"wood", "iron", "unknown"};
    for (int i = 0; i < 3; i++) {
        facet_image *image = NULL;
        facet_error error;
        TEST_OK(facet_scene_add_image(scene, names[i], &image, &error), &error);
        image->extras = i == 1 ? NULL : "{}";
        if (i == 2) { /* in a format that Facet does not decode */
            image->data = test_copy(scene, bytes, 1);
            image->size = 4;
            image->media_type = "image/unknown";
            continue;
        }
        image->pixels = test_copy(scene, pixels[i], 1);
        image->smaller = test_copy(scene, pixels[1], 2); /* 2 x 1 pixels of RGBA */
        image->smaller_count = 1;
        image->width = 4;
        image->height = image->channels = 1;
    }
}

static inline void rich_add_materials(facet_scene *scene)
{
    static const char *const names[3] = {"skin", "cloth", "box"};
    static facet_variant_use use[3][1] = {{{0, 1}}, {{0, 0}}, {{1, 0}}};
    facet_error error;
    for (int i = 0; i < 3; i++) {
        facet_material *m = NULL;
        facet_classic classic;
        TEST_OK(facet_scene_add_material(scene, names[i], &m, &error), &error);
        facet_classic_init(&classic);
        classic.stated = (1U << 16) - 1;
        classic.specular[0] = 0.5F;
        TEST_OK(facet_scene_set_classic(scene, m, &classic, &error), &error);
        m->extras = i == 1 ? NULL : "{}"; /* NULL: extras may come from gx_file */
        m->extensions = "{}";
        m->variants = facet_scene_allocate(scene, 1, sizeof *m->variants);
        m->variants[0] = use[i][0];
        m->variant_count = 1;
        m->alpha_mode = FACET_ALPHA_MASK;
        facet_texture *t = test_map(scene, m, FACET_MAP_DIFFUSE);
        t->path = i == 2 ? "absent.png" : "";
        t->has_image = i < 2;
        t->image = (uint32_t)i % 2;
        t->has_transform = true;
        t->scale[0] = t->scale[1] = 1;
        t->minify = t->magnify = FACET_FILTER_LINEAR;
    }
    static const char *variants[2] = {"day", "night"};
    scene->variants = facet_scene_allocate(scene, 2, sizeof *variants);
    memcpy(scene->variants, variants, sizeof variants);
    scene->variant_count = 2;
}

static inline void rich_add_nodes(facet_scene *scene)
{
    static const uint32_t coarse[1] = {COARSE}, roots[4] = {HIPS, BOX, TWIN, HIDDEN};
    facet_error error;
    for (int i = 0; i < NODES; i++) {
        facet_node *node = NULL;
        TEST_OK(facet_scene_add_node(scene, node_names[i], &node, &error), &error);
        node->extras = i == COARSE ? NULL : "{}";
        node->extensions = "{}";
    }
    for (int i = 0; i < 2; i++) {
        facet_camera *camera = NULL;
        facet_light *light = NULL;
        TEST_OK(facet_scene_add_camera(scene, i ? "plan" : "view", &camera, &error), &error);
        TEST_OK(facet_scene_add_light(scene, i ? "sun" : "spot", &light, &error), &error);
        camera->is_orthographic = i == 1;
        camera->width = camera->height = (float)i;
        camera->extras = light->extras = "{}";
        light->kind = i ? FACET_LIGHT_DIRECTIONAL : FACET_LIGHT_SPOT;
        scene->nodes[i]->camera = scene->nodes[i]->light = (uint32_t)i;
    }
    scene->nodes[ARM]->parent = HIPS;
    scene->nodes[BODY]->parent = HIPS;
    scene->nodes[BODY]->mesh = 0;
    scene->nodes[BODY]->skin = 0;
    scene->nodes[BODY]->weights = test_copy(scene, (const float[]){0.5F, 0.25F}, 2);
    scene->nodes[BOX]->mesh = 1;
    scene->nodes[BOX]->lods = test_copy(scene, coarse, 1);
    scene->nodes[BOX]->lod_count = 1;
    scene->nodes[TWIN]->mesh = 1;
    scene->nodes[TWIN]->has_matrix = true;
    for (int i = 0; i < 16; i++)
        scene->nodes[TWIN]->matrix[i] = i % 5 == 0;
    scene->nodes[TWIN]->matrix[12] = 2;
    scene->nodes[COARSE]->mesh = 2;
    scene->nodes[HIDDEN]->mesh = 3;
    scene->nodes[HIDDEN]->hidden = true;
    scene->roots = test_copy(scene, roots, 4);
    scene->root_count = 4;
}

static inline void rich_add_skin(facet_scene *scene)
{
    facet_skin *skin = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_skin(scene, "rig", 2, &skin, &error), &error);
    skin->joints[0] = HIPS;
    skin->joints[1] = ARM;
    skin->skeleton = HIPS;
    skin->extras = "{}";
}

static inline void rich_add_animation(facet_scene *scene)
{
    static const float times[2] = {0, 1}, values[8] = {0, 0, 0, 0.25F, 0, 0, 0, 1};
    static const facet_channel channels[CHANNELS] = {
        {.node = ARM, .target = FACET_TARGET_TRANSLATION, .width = 3},
        {.node = BODY, .target = FACET_TARGET_WEIGHTS, .width = 2},
        {.node = BOX, .target = FACET_TARGET_VISIBILITY, .interpolation = 1, .width = 1},
        {.node = FACET_NONE, .target = FACET_TARGET_BASE_COLOR, .width = 4},
        {.node = FACET_NONE,
         .target = FACET_TARGET_TEXTURE_OFFSET,
         .width = 2,
         .map = FACET_MAP_DIFFUSE},
        {.node = BOX, .target = FACET_TARGET_SCALE, .width = 3}};
    facet_animation *animation = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_animation(scene, "walk", CHANNELS, &animation, &error), &error);
    for (int i = 0; i < CHANNELS; i++) {
        facet_channel *channel = &animation->channels[i];
        *channel = channels[i];
        channel->key_count = 2;
        channel->times = test_copy(scene, times, 2);
        channel->values = test_copy(scene, values, 8);
    }
    for (int i = 0; i < 6; i++)
        animation->channels[5].values[i] = i < 3 ? 1 : 2;
}

static inline facet_scene *rich_scene(void)
{
    facet_scene *scene = test_scene();
    facet_hull *hull = NULL;
    facet_mesh *occluder = NULL;
    facet_error error;
    rich_add_images(scene);
    rich_add_materials(scene);
    rich_add_body(scene);
    rich_add_box(scene, "box", 0);
    rich_add_box(scene, "coarse box", 0.5F);
    rich_add_box(scene, "hidden box", 0.75F);
    rich_add_nodes(scene);
    rich_add_skin(scene);
    rich_add_animation(scene);
    TEST_OK(facet_scene_add_hull(scene, "bound", 4, &hull, &error), &error);
    static const float points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(hull->points, points, sizeof points);
    TEST_OK(facet_scene_add_occluder(scene, &occluder, &error), &error);
    occluder->face_count = 1;
    occluder->corner_count = 3;
    rich_add_stream(occluder, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3, points);
    scene->axes.unit = 1;
    scene->name = "scene";
    scene->generator = "Facet";
    scene->asset = scene->extensions = "{}";
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

#endif
