/* Change the axes of a scene: the meaning of all its numbers stays. Expected values come from
 * facet_axes_turn, which converts any axes to +Y up and right-handed, and from poses before the
 * conversion. */
#include "scene/axes.h"
#include "support/gltf.h"
#include "support/mesh.h"

#include <math.h>

enum { POINTS = 4, CASES = 12 };

static facet_axes axes_of(int i)
{
    facet_axes axes = {0};
    axes.up = (facet_axis)(i % 3);
    axes.left_handed = i / 3 % 2 != 0;
    axes.uv_origin_top = i / 6 != 0;
    return axes;
}

/* -- A scene with every kind of directed data --------------------------- */

static void add_stream(facet_scene *scene, facet_mesh *mesh, facet_semantic semantic,
                       uint32_t components, const float *values)
{
    facet_stream *stream;
    facet_error error;
    TEST_OK(facet_mesh_add_stream_copy(mesh, semantic, 0, NULL, FACET_FLOAT32, components, POINTS,
                                       values, NULL, &stream, &error),
            &error);
    (void)scene;
}

static facet_mesh *add_pyramid(facet_scene *scene)
{
    static const float points[12] = {0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 5};
    static const float normals[12] = {-1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const float tangents[16] = {0, 1, 0, 1, 0, 0, 1, -1, 1, 0, 0, 1, 1, 0, 0, 1};
    static const float texcoords[8] = {0, 0, 1, 0.25F, 0.5F, 1, 0.75F, 0.5F};
    static const uint32_t corners[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    facet_mesh *mesh;
    facet_error error;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = 4;
    mesh->corner_count = 12;
    facet_stream *stream;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, POINTS,
                                       points, corners, &stream, &error),
            &error);
    add_stream(scene, mesh, FACET_NORMAL, 3, normals);
    add_stream(scene, mesh, FACET_TANGENT, 4, tangents);
    add_stream(scene, mesh, FACET_TEXCOORD, 2, texcoords);
    return mesh;
}

static facet_scene *make_scene(facet_axes axes)
{
    static float times[2] = {0, 1};
    static const float shear[16] = {1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 3, 0, 4, 5, 6, 1};
    facet_scene *scene = test_scene();
    facet_error error;
    facet_node *node;
    facet_animation *animation;
    facet_camera *camera;
    facet_hull *hull;
    facet_material *material;
    scene->axes = axes;
    add_pyramid(scene);
    TEST_OK(facet_scene_add_node(scene, "root", &node, &error), &error);
    node->has_matrix = true;
    memcpy(node->matrix, shear, sizeof shear);
    TEST_OK(facet_scene_add_node(scene, "arm", &node, &error), &error);
    node->parent = 0;
    node->mesh = 0;
    node->transform = (facet_transform){{1, 2, 3}, {0.5F, 0.5F, 0.5F, 0.5F}, {1, 2, 4}};
    TEST_OK(facet_scene_add_camera(scene, "eye", &camera, &error), &error);
    TEST_OK(facet_scene_add_node(scene, "eye", &node, &error), &error);
    node->parent = 1;
    node->camera = 0;
    node->transform = (facet_transform){{0, 0, 7}, {0.6F, 0, 0, 0.8F}, {1, 1, 1}};
    TEST_OK(facet_scene_add_animation(scene, "move", 3, &animation, &error), &error);
    static const float keys[3][8] = {
        {1, 2, 3, 5, 7, 11}, {0.5F, 0.5F, 0.5F, 0.5F, 0, 0.6F, 0, 0.8F}, {1, 2, 4, 3, 1, 2}};
    for (int i = 0; i < 3; i++) {
        uint32_t width = i == 1 ? 4 : 3;
        float *values = facet_scene_allocate(scene, 8, sizeof *values);
        memcpy(values, keys[i], sizeof keys[i]);
        animation->channels[i] = (facet_channel){.node = 1,
                                                 .target = (facet_channel_target)i,
                                                 .width = width,
                                                 .key_count = 2,
                                                 .times = times,
                                                 .values = values};
    }
    TEST_OK(facet_scene_add_hull(scene, "hull", 1, &hull, &error), &error);
    memcpy(hull->points, (float[]){1, 2, 3}, 12);
    TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
    facet_texture *map = test_map(scene, material, FACET_MAP_DIFFUSE);
    map->path = "a.png";
    map->has_transform = true;
    map->offset[1] = 0.25F;
    map->scale[1] = 2;
    return scene;
}

/* -- Meaning of the numbers --------------------------------------------- */

/* In +Y up, right-handed: the corners of the posed mesh, and position and direction of the
 * camera. */
typedef struct meaning {
    float points[POINTS * 3], normal[3], tangent[4], view[3], eye[3], hull[3], v;
} meaning;

static meaning meaning_of(const facet_scene *scene, double time)
{
    meaning m;
    facet_pose pose = {0};
    facet_error error;
    const facet_mesh *mesh = scene->meshes[0];
    TEST_OK(facet_scene_pose(scene, time < 0 ? FACET_NONE : 0, time, NULL, &pose, &error), &error);
    TEST_OK(facet_pose_positions(scene, &pose, 1, NULL, m.points, &error), &error);
    for (int i = 0; i < POINTS; i++)
        facet_axes_turn(&scene->axes, m.points + i * 3);
    memcpy(m.normal, (float *)mesh->streams[1].data + 3, 12);
    memcpy(m.tangent, (float *)mesh->streams[2].data + 4, 16);
    facet_axes_turn(&scene->axes, m.normal);
    facet_axes_turn(&scene->axes, m.tangent);
    /* w in right-handed axes, with v upward. */
    m.tangent[3] *=
        (scene->axes.left_handed ? -1.0F : 1.0F) * (scene->axes.uv_origin_top ? -1.0F : 1.0F);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->camera != 0)
            continue;
        for (int k = 0; k < 3; k++) {
            m.view[k] = -pose.global[i * 16 + 8 + k];
            m.eye[k] = pose.global[i * 16 + 12 + k];
        }
    }
    facet_axes_turn(&scene->axes, m.view);
    facet_axes_turn(&scene->axes, m.eye);
    memcpy(m.hull, scene->hulls[0]->points, 12);
    facet_axes_turn(&scene->axes, m.hull);
    /* The looked-up texture coordinate, with v upward. */
    const facet_texture *map = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
    float v = ((float *)mesh->streams[3].data)[3];
    m.v = map->offset[1] + map->scale[1] * v;
    if (scene->axes.uv_origin_top)
        m.v = 1 - m.v;
    facet_pose_free(&pose);
    return m;
}

static void expect_same(const meaning *a, const meaning *b)
{
    const float *x = (const float *)a, *y = (const float *)b;
    for (size_t i = 0; i < sizeof *a / sizeof *x; i++)
        assert_float_equal(x[i], y[i], 1e-4F);
}

/* Component of face 2's outside along the normal of its first corner. */
static float facing(const facet_scene *scene)
{
    const facet_mesh *mesh = scene->meshes[0];
    const float *points = mesh->streams[0].data, *normals = mesh->streams[1].data;
    const uint32_t *corners = mesh->streams[0].indices + 6;
    float u[3], w[3], sum = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = points[corners[1] * 3 + i] - points[corners[0] * 3 + i];
        w[i] = points[corners[2] * 3 + i] - points[corners[0] * 3 + i];
    }
    for (int i = 0; i < 3; i++)
        sum += (u[(i + 1) % 3] * w[(i + 2) % 3] - u[(i + 2) % 3] * w[(i + 1) % 3]) *
               normals[corners[0] * 3 + i];
    return sum;
}

/* -- Tests -------------------------------------------------------------- */

TEST(set_axes_keeps_the_meaning)
{
    for (int pair = 0; pair < CASES * CASES; pair++) {
        facet_axes from = axes_of(pair / CASES), to = axes_of(pair % CASES);
        facet_scene *scene = make_scene(from);
        facet_error error;
        meaning before[3];
        float outside = facing(scene);
        assert_true(outside > 0);
        for (int i = 0; i < 3; i++)
            before[i] = meaning_of(scene, i - 1);
        TEST_OK(facet_scene_set_axes(scene, &to, &error), &error);
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
        assert_memory_equal(&scene->axes.up, &to.up, sizeof to.up);
        assert_int_equal(scene->axes.left_handed, to.left_handed);
        assert_int_equal(scene->axes.uv_origin_top, to.uv_origin_top);
        for (int i = 0; i < 3; i++) {
            meaning after = meaning_of(scene, i - 1);
            expect_same(&before[i], &after);
        }
        assert_float_equal(facing(scene), outside, 1e-4F);
        facet_scene_free(scene);
    }
}

/* There and back: the same floats. */
TEST(turning_back_is_exact)
{
    for (int pair = 0; pair < 6 * 6; pair++) {
        facet_axes from = axes_of(pair / 6), to = axes_of(pair % 6);
        facet_scene *scene = make_scene(from), *same = make_scene(from);
        facet_error error;
        TEST_OK(facet_scene_set_axes(scene, &to, &error), &error);
        TEST_OK(facet_scene_set_axes(scene, &from, &error), &error);
        for (int s = 0; s < 4; s++) {
            const facet_stream *a = &scene->meshes[0]->streams[s];
            const facet_stream *b = &same->meshes[0]->streams[s];
            for (uint32_t i = 0; i < a->count * a->components; i++)
                assert_true(((float *)a->data)[i] == ((float *)b->data)[i]);
        }
        for (int i = 0; i < 16; i++)
            assert_true(scene->nodes[0]->matrix[i] == same->nodes[0]->matrix[i]);
        assert_memory_equal(scene->meshes[0]->streams[0].indices,
                            same->meshes[0]->streams[0].indices, 48);
        facet_scene_free(same);
        facet_scene_free(scene);
    }
}

/* Centimeters to meters: all lengths become a hundredth. */
TEST(set_axes_scales_lengths_to_the_unit)
{
    facet_scene *scene = make_scene(axes_of(0));
    facet_error error;
    scene->axes.unit = 0.01;
    facet_axes to = scene->axes;
    to.unit = 1;
    TEST_OK(facet_scene_set_axes(scene, &to, &error), &error);
    assert_float_equal(((float *)scene->meshes[0]->streams[0].data)[3], 0.02F, 1e-6F);
    assert_float_equal(scene->nodes[1]->transform.translation[2], 0.03F, 1e-6F);
    assert_float_equal(scene->nodes[1]->transform.scale[2], 4, 0);
    assert_float_equal(scene->animations[0]->channels[0].values[5], 0.11F, 1e-6F);
    assert_float_equal(scene->cameras[0]->near_distance, 0.001F, 1e-6F);
    assert_true(scene->axes.unit == 1);
    to.unit = 0; /* unchanged */
    TEST_OK(facet_scene_set_axes(scene, &to, &error), &error);
    assert_true(scene->axes.unit == 1);
    to.unit = -1;
    assert_int_equal(facet_scene_set_axes(scene, &to, &error), FACET_ERROR_ARGUMENT);
    facet_scene_free(scene);
}

/* v of an animated texture cannot be reversed; the scene is then unchanged. */
TEST(animated_textures_refuse_another_v)
{
    facet_scene *scene = make_scene(axes_of(0));
    facet_error error;
    scene->animations[0]->channels[0].target = FACET_TARGET_TEXTURE_OFFSET;
    facet_axes to = axes_of(7); /* Z up, v from the top */
    assert_int_equal(facet_scene_set_axes(scene, &to, &error), FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "SCENE-AXES");
    assert_int_equal(scene->axes.up, FACET_AXIS_Y);
    assert_true(((float *)scene->meshes[0]->streams[0].data)[11] == 5);
    facet_scene_free(scene);
}

/* A loader requests other axes: glTF, +Y up in meters, as +Z up in centimeters. (x, y, z) becomes
 * 100 (x, -z, y). No two sides of the box of this triangle are equal. */
TEST(load_converts_to_target_axes)
{
    static const facet_axes target = {.up = FACET_AXIS_Z, .uv_origin_top = true};
    static const float points[9] = {0, 0, 0, 1, 2, 4, 0, 3, 0};
    static const double expected[2][3] = {{0, -400, 0}, {100, 0, 300}};
    const char *path = test_temporary("triangle.gltf");
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
            "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":"
            "{\"POSITION\":0}}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
            "\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,3,4]}],"
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"buffers\":[{\"byteLength\":36,"
            "\"uri\":\"data:application/octet-stream;base64,%s\"}]}",
            test_base64(points, sizeof points));
    fclose(file);
    facet_scene *scene = NULL;
    facet_error error;
    facet_load_options load = {.target_axes = &target, .target_unit = 0.01};
    TEST_OK(facet_load_path(path, &load, NULL, &scene, &error), &error);
    assert_int_equal(scene->axes.up, FACET_AXIS_Z);
    assert_true(scene->axes.unit == 0.01);
    double bounds[2][3];
    bool any = false;
    TEST_OK(facet_scene_bounds(scene, NULL, bounds[0], bounds[1], &any, &error), &error);
    for (int i = 0; i < 3; i++) {
        assert_float_equal((float)bounds[0][i], (float)expected[0][i], 1e-3F);
        assert_float_equal((float)bounds[1][i], (float)expected[1][i], 1e-3F);
    }
    facet_scene_free(scene);
}
