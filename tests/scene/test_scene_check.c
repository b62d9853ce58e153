/* facet_scene_check refuses a scene with one error, for each kind of error. Passes and writers
 * survive every scene that it accepts. */
#include "support/mesh.h"

#include <facet/convert.h>
#include <facet/pose.h>
#include <math.h>

/* -- A scene with an element of every kind ------------------------------ */

static uint32_t corners[6] = {0, 1, 2, 2, 1, 3};

static void add(facet_mesh *mesh, facet_semantic semantic, uint32_t set, const char *name,
                facet_component component, uint32_t components, const void *data)
{
    facet_error error;
    TEST_OK(facet_mesh_add_stream_copy(mesh, semantic, set, name, component, components, 4, data,
                                       mesh->stream_count ? NULL : corners, NULL, &error),
            &error);
}

static void add_mesh(facet_scene *scene)
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
}

static void add_materials(facet_scene *scene)
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

static void add_motion(facet_scene *scene)
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

static facet_scene *make_scene(void)
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

/* -- One error each ----------------------------------------------------- */

static float *floats_of(facet_scene *scene, facet_semantic semantic)
{
    return facet_mesh_find(scene->meshes[0], semantic, 0)->data;
}

/* Put the error of this number into the scene. Returns a part of the expected message; NULL if the
 * number does not exist. */
static const char *spoil_mesh(facet_scene *s, int way)
{
    facet_mesh *m = s->meshes[0];
    switch (way) {
    case 0:
        s->meshes = NULL;
        return "1 meshes without an array";
    case 1:
        s->meshes[0] = NULL;
        return "item 0 of the meshes is NULL";
    case 2:
        m->name = NULL;
        return "no name";
    case 3:
        m->arena = NULL;
        return "no arena";
    case 4:
        m->face_count = 3;
        return "3 triangles with 6 corners";
    case 5:
        m->face_offsets = test_copy(s, (const uint32_t[3]){0, 3, 5}, 3);
        return "do not run from 0 to the 6 corners";
    case 6:
        m->face_offsets = test_copy(s, (const uint32_t[3]){0, 7, 6}, 3);
        return "face offset 1 is larger";
    case 7:
        m->streams = NULL;
        return "streams without an array";
    case 8:
        m->stream_count = 0;
        return "first stream of a mesh is not its positions";
    case 9:
        m->streams[0].semantic = FACET_NORMAL;
        return "first stream of a mesh is not its positions";
    case 10:
        m->streams[1].semantic = FACET_POSITION;
        return "stream 1 is a second one of positions";
    case 11:
        m->streams[1].components = 2;
        return "stream 1 has the wrong type";
    case 12:
        m->streams[1].component = FACET_FLOAT64;
        return "stream 1 has the wrong type";
    case 13:
        m->streams[7].component = (facet_component)99;
        return "stream 7 has the wrong type";
    case 14:
        m->streams[7].name = NULL;
        return "stream 7 has the wrong type";
    case 15:
        m->streams[7].components = 17;
        return "stream 7 has the wrong type";
    case 16:
        m->streams[7].semantic = (facet_semantic)99;
        return "stream 7 has the wrong type";
    case 17:
        m->streams[3].data = NULL;
        return "stream 3 lacks data";
    case 18:
        m->streams[3].indices = NULL;
        return "stream 3 lacks data or indices";
    case 19:
        m->streams[0].indices[5] = 4;
        return "corner 5 of stream 0 uses element 4 of 4";
    case 20:
        m->streams[0].indices[5] = FACET_NONE; /* every corner needs a position */
        return "corner 5 of stream 0";
    case 21:
        floats_of(s, FACET_POSITION)[11] = NAN;
        return "element 3 of stream 0 (position) is infinite";
    case 22:
        floats_of(s, FACET_NORMAL)[0] = INFINITY;
        return "element 0 of stream 1 (normal) is infinite";
    case 23:
        ((double *)m->streams[7].data)[3] = (double)-INFINITY;
        return "of stream 7 (custom) is infinite";
    case 24:
        floats_of(s, FACET_MORPH_POSITION)[5] = NAN;
        return "element 1 of stream 8 (morph position) is infinite";
    case 25:
        m->streams[8].set = 1;
        return "stream 8 is of morph target 1 of 1";
    case 26:
        m->face_materials[0] = 1;
        return "face 0 has material 1 of 1";
    case 27:
        m->parts = NULL;
        return "2 parts without an array";
    case 28:
        m->parts[1].face_count = 2;
        return "part 1 is not a run";
    case 29:
        m->parts[1].first_face = 0;
        return "part 1 is not a run";
    case 30:
        m->parts[0].group = NULL;
        return "part 0 is not a run";
    case 31:
        m->lines = NULL;
        return "1 lines without indices";
    case 32:
        m->lines[1] = 4;
        return "line 0 uses vertex 4 of 4";
    case 33:
        m->morphs = NULL;
        return "1 morph targets without an array";
    case 34:
        m->morphs[0].name = NULL;
        return "morph target 0 has no name";
    case 35:
        m->morphs[0].weight = NAN;
        return "the weight of morph target 0 is infinite";
    case 36:
        m->streams[7].count = UINT32_MAX; /* a smaller array cannot be detected */
        m->streams[7].data = NULL;
        return "stream 7 lacks data";
    case 37:
        ((uint16_t *)m->streams[5].data)[9] = 2; /* element 2: weights 0.5 0.5 0 0 */
        return "mesh 0 uses joint 2, and skin 0 of node 2 has 2 joints";
    case 38:
        ((uint16_t *)m->streams[5].data)[13] = 65535; /* element 3: weights 0 1 0 0 */
        return "mesh 0 uses joint 65535, and skin 0 of node 2 has 2 joints";
    case 39:
        s->skins[0]->joint_count = 1;
        return "mesh 0 uses joint 1, and skin 0 of node 2 has 1 joints";
    case 40:
        ((uint16_t *)m->streams[5].data)[13] = 7;
        m->face_count = m->corner_count = 0; /* only the line uses element 3 */
        m->part_count = 0;
        return "mesh 0 uses joint 7";
    case 41:
        m->streams[7].semantic = FACET_WEIGHTS;
        m->streams[7].component = FACET_FLOAT32;
        m->streams[7].components = 4;
        return "mesh 0 has two weights streams of set 0";
    case 42:
        m->streams[4].semantic = FACET_TEXCOORD; /* of color; set 0 like stream 3 */
        m->streams[4].components = 2;
        return "mesh 0 has two texcoord streams of set 0";
    default:
        return NULL;
    }
}

static const char *spoil_rest(facet_scene *s, int way)
{
    facet_material *material = s->materials[0];
    switch (way) {
    case 0:
        s->hulls = NULL;
        return "1 hulls without an array";
    case 1:
        s->hulls[0]->points = NULL;
        return "hull 0 lacks";
    case 2:
        s->hulls[0]->name = NULL;
        return "hull 0 lacks";
    case 3:
        s->hulls[0]->points[7] = NAN;
        return "a point of hull 0 is infinite";
    case 4:
        s->occluder->streams[0].indices[1] = 9;
        return "corner 1 of stream 0 uses element 9";
    case 5:
        ((float *)s->occluder->streams[0].data)[4] = INFINITY;
        return "element 1 of stream 0 (position) is infinite";
    case 6:
        s->occluder = s->meshes[0];
        return "occluder has more than positions";
    case 7:
        s->materials = NULL;
        return "1 materials without an array";
    case 8:
        material->name = NULL;
        return "material 0 has no name";
    case 9:
        material->alpha_mode = (facet_alpha_mode)7;
        return "unknown alpha mode";
    case 10:
        material->roughness = NAN;
        return "a number of material 0 is infinite";
    case 11:
        material->base_color[3] = INFINITY;
        return "a number of material 0 is infinite";
    case 12:
        material->maps[FACET_MAP_DIFFUSE]->image = 1;
        return "material 0 uses image 1 of 1";
    case 13:
        material->maps[FACET_MAP_DIFFUSE]->path = NULL;
        return "without a path";
    case 14:
        material->maps[FACET_MAP_DIFFUSE]->wrap_v = (facet_wrap)3;
        return "unknown wrap or filter";
    case 15:
        test_map(s, material, FACET_MAP_NORMAL)->minify = (facet_filter)99;
        return "unknown wrap or filter";
    case 16:
        material->maps[FACET_MAP_DIFFUSE]->rotation = NAN;
        return "a number of material 0 is infinite";
    case 17:
        s->images = NULL;
        return "1 images without an array";
    case 18:
        s->images[0]->name = NULL;
        return "image 0 lacks a name";
    case 19:
        s->images[0]->media_type = NULL;
        return "image 0 lacks a name, a media type";
    case 20:
        s->images[0]->size = 100;
        return "image 0 lacks";
    case 21:
        s->images[0]->channels = 5;
        return "image 0 has pixels, and 2 x 2 of 5 channels";
    case 22:
        s->images[0]->height = 0;
        return "image 0 has pixels, and 2 x 0";
    case 23:
        s->images[0]->width = s->images[0]->height = UINT32_MAX;
        s->images[0]->channels = 4;
        s->images[0]->is_float = true;
        return "more pixels than memory";
    case 24:
        s->axes.up = (facet_axis)3;
        return "an unknown up axis";
    case 25:
        s->axes.unit = (double)NAN;
        return "a unit of";
    case 26:
        s->axes.unit = -1;
        return "a unit of -1 m";
    case 27:
        s->arena = NULL;
        return "the scene has no arena";
    default:
        return NULL;
    }
}

/* NULL in each array of pointers. */
static const char *spoil_items(facet_scene *s, int way)
{
    switch (way) {
    case 0:
        s->materials[0] = NULL;
        return "item 0 of the materials is NULL";
    case 1:
        s->images[0] = NULL;
        return "item 0 of the images is NULL";
    case 2:
        s->nodes[2] = NULL;
        return "item 2 of the nodes is NULL";
    case 3:
        s->skins[0] = NULL;
        return "item 0 of the skins is NULL";
    case 4:
        s->animations[0] = NULL;
        return "item 0 of the animations is NULL";
    case 5:
        s->hulls[0] = NULL;
        return "item 0 of the hulls is NULL";
    case 6:
        s->nodes[1]->camera = 0;
        return "node 1 has camera 0 of 0";
    case 7:
        s->nodes[1]->light = 2;
        return "node 1 has light 2 of 0";
    default:
        return NULL;
    }
}

static const char *spoil_motion(facet_scene *s, int way)
{
    facet_node **nodes = s->nodes;
    facet_channel *channels = s->animations[0]->channels;
    switch (way) {
    case 0:
        s->nodes = NULL;
        return "3 nodes without an array";
    case 1:
        nodes[1]->name = NULL;
        return "node 1 has no name";
    case 2:
        nodes[1]->parent = 3;
        return "node 1 has parent 3 of 3";
    case 3:
        nodes[0]->parent = 1;
        s->roots = NULL;
        return "form a cycle";
    case 4:
        nodes[1]->parent = 1;
        return "form a cycle";
    case 5:
        nodes[2]->mesh = 1;
        return "node 2 has mesh 1 of 1";
    case 6:
        nodes[2]->skin = 1;
        return "node 2 has skin 1 of 1";
    case 7:
        nodes[0]->weights = nodes[2]->weights;
        return "node 0 has morph weights and no mesh";
    case 8:
        nodes[2]->weights[0] = NAN;
        return "the transform or a weight of node 2 is infinite";
    case 9:
        nodes[0]->transform.translation[1] = NAN;
        return "the transform or a weight of node 0 is infinite";
    case 10:
        nodes[0]->transform.rotation[3] = INFINITY;
        return "the transform or a weight of node 0 is infinite";
    case 11:
        nodes[2]->transform.scale[0] = NAN;
        return "the transform or a weight of node 2 is infinite";
    case 12:
        nodes[1]->matrix[15] = NAN;
        return "the transform or a weight of node 1 is infinite";
    case 13:
        s->roots[0] = 1;
        return "root 0 is not a node without parent";
    case 14:
        s->roots[1] = 3;
        return "root 1 is not a node without parent";
    case 15:
        s->roots[1] = 0;
        return "root 1 occurs twice";
    case 16:
        s->root_count = 4;
        return "4 roots of 3 nodes";
    case 17:
        s->skins = NULL;
        return "1 skins without an array";
    case 18:
        s->skins[0]->name = NULL;
        return "skin 0 lacks";
    case 19:
        s->skins[0]->joints = NULL;
        return "skin 0 lacks";
    case 20:
        s->skins[0]->joints[1] = FACET_NONE;
        return "joint 1 of skin 0 is node 4294967295 of 3";
    case 21:
        s->skins[0]->skeleton = 3;
        return "skin 0 lacks";
    case 22:
        s->skins[0]->inverse_bind[31] = NAN;
        return "an inverse bind matrix of skin 0 is infinite";
    case 23:
        s->animations = NULL;
        return "1 animations without an array";
    case 24:
        s->animations[0]->name = NULL;
        return "animation 0 lacks";
    case 25:
        s->animations[0]->channels = NULL;
        return "animation 0 lacks";
    case 26:
        channels[0].node = 3;
        return "channel 0 of animation 0 has the wrong target";
    case 27:
        channels[0].target = (facet_channel_target)99;
        return "channel 0 of animation 0";
    case 28:
        channels[0].interpolation = (facet_interpolation)9;
        return "channel 0 of animation 0";
    case 29:
        channels[1].width = 3;
        return "channel 1 of animation 0";
    case 30:
        channels[2].width = 2;
        return "channel 2 of animation 0";
    case 31:
        channels[1].key_count = 0;
        return "channel 1 of animation 0";
    case 32:
        channels[1].times = NULL;
        return "channel 1 of animation 0";
    case 33:
        channels[1].values = NULL;
        return "channel 1 of animation 0";
    case 34:
        channels[0].times[0] = 2;
        return "channel 0 of animation 0";
    case 35:
        channels[0].times[1] = INFINITY;
        return "channel 0 of animation 0 is infinite";
    case 36:
        channels[2].values[5] = NAN; /* of the last out-tangent */
        return "channel 2 of animation 0 is infinite";
    default:
        return NULL;
    }
}

static void expect_refused(const char *(*spoil)(facet_scene *scene, int way))
{
    for (int way = 0;; way++) {
        facet_scene *scene = make_scene();
        facet_arena *arena = scene->arena;
        facet_error error = {0};
        const char *said = spoil(scene, way);
        facet_status status = facet_scene_check(scene, NULL, &error);
        scene->arena = arena;
        if (said && status != FACET_ERROR_ARGUMENT)
            fail_msg("way %d (%s) is accepted", way, said);
        if (said && !strstr(error.message, said))
            fail_msg("way %d: \"%s\" does not say \"%s\"", way, error.message, said);
        facet_scene_free(scene);
        if (!said)
            return;
        assert_string_equal(error.rule, strstr(said, "infinite") ? "SCENE-NONFINITE" : "SCENE");
    }
}

TEST(broken_meshes_are_refused)
{
    expect_refused(spoil_mesh);
}

/* A joint without a weight, or of an element that nothing uses, is not one of the vertex. */
TEST(joints_without_weight_are_not_checked)
{
    facet_scene *s = make_scene();
    facet_mesh *m = s->meshes[0];
    facet_stream *joints = facet_mesh_find(m, FACET_JOINTS, 0);
    uint16_t *data = joints->data;
    facet_error error;
    data[1] = data[2] = data[3] = 65535; /* element 0: weights 1 0 0 0 */
    TEST_OK(facet_scene_check(s, NULL, &error), &error);
    data[0] = 2;
    assert_int_equal(facet_scene_check(s, NULL, &error), FACET_ERROR_ARGUMENT);
    s->nodes[2]->skin = FACET_NONE; /* without a skin, no joint is used */
    TEST_OK(facet_scene_check(s, NULL, &error), &error);
    facet_scene_free(s);
}

/* Custom streams have names instead of sets. */
TEST(custom_streams_may_share_a_set)
{
    static const double heat[4] = {4, 3, 2, 1};
    facet_scene *s = make_scene();
    facet_error error;
    add(s->meshes[0], FACET_CUSTOM, 0, "cold", FACET_FLOAT64, 1, heat);
    add(s->meshes[0], FACET_TEXCOORD, 1, NULL, FACET_FLOAT32, 2, heat);
    TEST_OK(facet_scene_check(s, NULL, &error), &error);
    facet_scene_free(s);
}

TEST(broken_materials_and_hulls_are_refused)
{
    expect_refused(spoil_rest);
}

TEST(broken_nodes_and_animations_are_refused)
{
    expect_refused(spoil_items);
    expect_refused(spoil_motion);
}

/* -- Accepted scenes ---------------------------------------------------- */

/* Unusual but valid: counts of 0, names of any length, transforms without volume. */
static void make_odd(facet_scene *s, uint32_t way, uint32_t number)
{
    facet_texture *map;
    static const uint32_t sets[4] = {1, 9, 70000, UINT32_MAX};
    static char long_name[3000];
    memset(long_name, 'x', sizeof long_name - 1);
    facet_mesh *m = s->meshes[0];
    switch (way) {
    case 0:
        m->face_count = m->corner_count = m->part_count = 0;
        break;
    case 1:
        m->face_count = m->corner_count = m->part_count = m->stream_count = m->line_count = 0;
        break;
    case 2:
        m->stream_count = 1 + number % m->stream_count;
        break;
    case 3:
        m->streams[number % m->stream_count].set = sets[number / 16 % 4];
        break;
    case 4:
        m->face_offsets = test_copy(s, (const uint32_t[3]){0, number % 7, 6}, 3);
        break;
    case 5:
        memset(m->streams[number % m->stream_count].data, 0, 32);
        break;
    case 6:
        m->name = number % 2 ? long_name : "\xff\x01";
        break;
    case 7:
        m->part_count = number % 3;
        break;
    case 8:
        m->face_materials = NULL;
        break;
    case 9:
        for (uint32_t i = 1; i < m->stream_count; i++) {
            uint32_t *own = test_copy(s, m->streams[i].indices, 6);
            own[number % 6] = FACET_NONE;
            if (number >> i & 1)
                m->streams[i].indices = own;
        }
        break;
    case 10:
        s->hulls[0]->point_count = number % 4;
        break;
    case 11:
        memset(s->hulls[0]->points, 0, 48);
        break;
    case 12:
        s->occluder->stream_count = s->occluder->face_count = s->occluder->corner_count = 0;
        break;
    case 13:
        s->occluder->face_count = s->occluder->corner_count = 0;
        break;
    case 14:
        s->images[0]->pixels = NULL; /* neither bytes nor pixels nor a name */
        break;
    case 15:
        s->images[0]->data = (const uint8_t *)"no picture";
        s->images[0]->size = 10;
        s->images[0]->media_type = "image/png";
        break;
    case 16:
        s->images[0]->channels = 1 + number % 3;
        break;
    case 17:
        map = test_map(s, s->materials[0], number % FACET_MAP_COUNT);
        *map = *s->materials[0]->maps[FACET_MAP_DIFFUSE];
        map->uv_set = sets[number / 32 % 4];
        break;
    case 18:
        memset(s->materials[0]->maps[FACET_MAP_DIFFUSE]->scale, 0, 8);
        break;
    case 19:
        s->materials[0]->name = number % 2 ? long_name : "";
        break;
    case 20:
        s->materials[0]->base_color[0] = number % 2 ? 1e30F : -5;
        s->materials[0]->roughness = -1e30F;
        break;
    case 21:
        s->nodes[number % 3]->has_matrix = true;
        memset(s->nodes[number % 3]->matrix, 0, 64);
        break;
    case 22:
        memset(&s->nodes[number % 3]->transform, 0, sizeof s->nodes[0]->transform);
        break;
    case 23:
        s->nodes[number % 3]->transform.translation[0] = 3e38F;
        break;
    case 24:
        s->nodes[number % 3]->skin = 0; /* with a mesh or without */
        break;
    case 25:
        s->nodes[2]->mesh = FACET_NONE;
        s->nodes[2]->weights = NULL;
        s->animations[0]->channel_count = 2;
        break;
    case 26:
        s->nodes[2]->parent = 1;
        s->root_count = 1;
        break;
    case 27:
        s->roots = NULL;
        s->root_count = number % 5;
        break;
    case 28:
        s->root_count = 0; /* nothing is visible */
        break;
    case 29:
        s->skins[0]->joint_count = number % 3;
        break;
    case 30:
        s->skins[0]->inverse_bind = NULL;
        break;
    case 31:
        s->skins[0]->joints[1] = number % 3;
        break;
    case 32:
        ((uint16_t *)facet_mesh_find(m, FACET_JOINTS, 0)->data)[number % 16] = 60000;
        break;
    case 33:
        s->animations[0]->channel_count = number % 4;
        break;
    case 34:
        s->animations[0]->channels[number % 3].key_count = 1;
        break;
    case 35:
        s->animations[0]->channels[number % 3].times[0] = -5;
        break;
    case 36:
        s->animations[0]->channels[number % 3].times[1] = 3e38F;
        break;
    case 37:
        s->node_count = s->skin_count = s->animation_count = s->root_count = 0;
        break;
    case 38:
        s->mesh_count = 0;
        s->nodes[2]->mesh = s->nodes[2]->skin = FACET_NONE;
        s->nodes[2]->weights = NULL;
        s->animation_count = 0;
        break;
    case 39:
        s->axes = (facet_axes){(facet_axis)(number % 3), number / 3 % 2, 0.01, number / 6 % 2};
        break;
    case 40:
        s->axes.unit = number % 2 ? 1e300 : 1e-300;
        break;
    case 41:
        m->morph_count = 0; /* refused if a stream still needs it */
        break;
    case 42:
        m->streams[number % m->stream_count].count = 0;
        break;
    case 43:
        m->streams[0].count = 3; /* fewer than the others have; corner 5 is refused */
        m->streams[0].indices[5] = number % 3;
        m->lines[1] = 0;
        break;
    case 44:
        s->nodes[0]->name = long_name;
        s->name = number % 2 ? NULL : "\n";
        break;
    case 45:
        s->extras = m->extras = s->nodes[0]->extras = number % 2 ? "{" : "{\"a\":[1]}";
        break;
    default:
        ((float *)m->streams[number % 5].data)[number % 8] = number & 256 ? 3e38F : -1e-40F;
        break;
    }
}
enum { WAYS = 47 };

static void write_everywhere(facet_scene *(*make)(uint32_t seed), uint32_t seed)
{
    for (size_t i = 0; i < facet_format_count(); i++) {
        const facet_format *format = facet_format_get(i);
        if (!facet_format_can_write(format))
            continue;
        for (int prepared = 0; prepared < 2; prepared++) {
            facet_scene *scene = make(seed);
            facet_output *output = NULL;
            facet_error error = {0};
            facet_status status = FACET_OK;
            if (prepared)
                status = facet_prepare(scene, format, NULL, NULL, NULL, &error);
            TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
            if (!status)
                status = facet_save(scene, format, NULL, output, &error);
            if (status && !error.message[0])
                fail_msg("%s refuses seed %u without a word", facet_format_name(format), seed);
            facet_output_free(output);
            facet_scene_free(scene);
        }
    }
}

/* A scene with one to three unusual properties. */
static facet_scene *make_odd_scene(uint32_t seed)
{
    facet_scene *scene = make_scene();
    if (seed < WAYS * 4) { /* each property separately */
        make_odd(scene, seed / 4, seed % 4 * 37 + seed);
        return scene;
    }
    uint32_t random = seed * 2654435761U + 1;
    for (uint32_t left = test_random(&random) % 3 + 1; left > 0; left--) {
        uint32_t way = test_random(&random) % WAYS;
        make_odd(scene, way, test_random(&random) % 1024);
    }
    return scene;
}

TEST(passes_and_writers_survive_accepted_scenes)
{
    uint32_t accepted = 0;
    for (uint32_t seed = 0; seed < WAYS * 4 + 60; seed++) {
        facet_scene *scene = make_odd_scene(seed);
        facet_error error;
        facet_status status = facet_scene_check(scene, NULL, &error);
        facet_prepare_options prepare = {.extra = FACET_NEED_TANGENTS | FACET_NEED_FACING};
        facet_hulls_options one = {.max_hulls = 1};
        if (!status) {
            double box[6];
            bool any;
            accepted++;
            facet_scene_bounds(scene, NULL, box, box + 3, &any, &error);
            facet_prepare(scene, NULL, &prepare, NULL, NULL, &error);
            for (uint32_t i = 0; i < scene->mesh_count; i++)
                facet_mesh_hulls(scene->meshes[i], &one, NULL, scene, NULL, &error);
        }
        facet_scene_free(scene);
        if (!status)
            write_everywhere(make_odd_scene, seed);
    }
    assert_true(accepted > WAYS * 2);
}
