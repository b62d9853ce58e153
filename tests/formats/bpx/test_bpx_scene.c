/* Scenes to BPX models and back: skins and animations, and what a model cannot hold. */
#include "formats/bpx/bpx.h"
#include "formats/bpx/scene.h"
#include "support/bpx.h"

#include <facet/facet.h>
#include <math.h>

/* -- Scene round trips ------------------------------------------------ */

/* A skinned triangle with an animation of one joint. */
static facet_scene *triangle_scene(void)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const float weights[12] = {1, 0, 0, 0, 1, 0, 0, 0, 0.25F, 0.75F, 0, 0};
    static const uint16_t joints[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0};
    facet_scene *scene;
    facet_mesh *mesh;
    facet_stream *stream;
    facet_node *node;
    facet_skin *skin;
    facet_animation *animation;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    scene->axes.uv_origin_top = true;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    uint32_t *indices = facet_scene_allocate(scene, 3, sizeof *indices);
    indices[0] = 0, indices[1] = 1, indices[2] = 2;
    mesh->face_count = 1;
    mesh->corner_count = 3;
    const struct {
        facet_semantic semantic;
        facet_component component;
        uint32_t components;
        const void *data;
        size_t size;
    } streams[] = {{FACET_POSITION, FACET_FLOAT32, 3, positions, sizeof positions},
                   {FACET_NORMAL, FACET_FLOAT32, 3, normals, sizeof normals},
                   {FACET_JOINTS, FACET_UINT16, 4, joints, sizeof joints},
                   {FACET_WEIGHTS, FACET_FLOAT32, 4, weights, sizeof weights}};
    for (size_t i = 0; i < 4; i++) {
        TEST_OK(facet_mesh_add_stream(mesh, streams[i].semantic, 0, NULL, streams[i].component,
                                      streams[i].components, 3, &stream, &error),
                &error);
        memcpy(stream->data, streams[i].data, streams[i].size);
        stream->indices = indices;
    }
    TEST_OK(facet_scene_add_node(scene, "root", &node, &error), &error);
    TEST_OK(facet_scene_add_node(scene, "tip", &node, &error), &error);
    node->parent = 0;
    node->transform.translation[1] = 1;
    TEST_OK(facet_scene_add_node(scene, "body", &node, &error), &error);
    node->mesh = 0;
    node->skin = 0;
    TEST_OK(facet_scene_add_skin(scene, "", 2, &skin, &error), &error);
    skin->joints[0] = 0;
    skin->joints[1] = 1;
    skin->inverse_bind[16 + 13] = -1; /* the tip is bound one unit higher */
    TEST_OK(facet_scene_add_animation(scene, "bend", 1, &animation, &error), &error);
    facet_channel *c = animation->channels;
    c->node = 1;
    c->target = FACET_TARGET_ROTATION;
    c->width = 4;
    c->key_count = 2;
    c->times = facet_scene_allocate(scene, 2, sizeof(float));
    c->values = facet_scene_allocate(scene, 8, sizeof(float));
    c->times[0] = 0, c->times[1] = 1;
    /* A quarter turn about +Z. */
    const float turn[8] = {0, 0, 0, 1, 0, 0, sqrtf(0.5F), sqrtf(0.5F)};
    memcpy(c->values, turn, sizeof turn);
    return scene;
}

/* The skin's bind pose, every frame, and the posed mesh are equal within 1e-5 after a round
 * trip. */
TEST(skin_and_frames_come_back)
{
    facet_error error;
    facet_output *output;
    facet_scene *scene = triangle_scene(), *again;
    facet_options options = {0};
    const facet_format *bpx = facet_format_named("bpx");
    facet_bpx_options how = {.frame_rate = 10};
    options.bpx = &how;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, bpx, &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    size_t size = (size_t)facet_output_size(output);
    expect_clean(facet_output_data(output), size);
    facet_source source = source_of_bytes(facet_output_data(output), size);
    TEST_OK(facet_load(&source, bpx, NULL, NULL, &again, &error), &error);
    TEST_OK(facet_scene_check(again, NULL, &error), &error);
    assert_int_equal(again->skin_count, 1);
    assert_int_equal(again->skins[0]->joint_count, 2);
    assert_string_equal(again->nodes[1]->name, "tip");
    assert_int_equal(again->animation_count, 1);
    /* One second at ten frames per second, with both ends. */
    assert_int_equal(again->animations[0]->channels[0].key_count, 11);
    for (int frame = 0; frame <= 10; frame++) {
        facet_pose before = {0}, after = {0};
        float p[9], q[9];
        TEST_OK(facet_scene_pose(scene, 0, frame / 10.0, NULL, &before, &error), &error);
        TEST_OK(facet_scene_pose(again, 0, frame / 10.0, NULL, &after, &error), &error);
        for (int bone = 0; bone < 2; bone++) {
            for (int k = 0; k < 16; k++)
                assert_true(fabsf(before.global[bone * 16 + k] - after.global[bone * 16 + k]) <
                            1e-5F);
        }
        TEST_OK(facet_pose_positions(scene, &before, 2, NULL, p, &error), &error);
        TEST_OK(facet_pose_positions(again, &after, 2, NULL, q, &error), &error);
        for (int k = 0; k < 9; k++)
            assert_true(fabsf(p[k] - q[k]) < 1e-5F);
        facet_pose_free(&before);
        facet_pose_free(&after);
    }
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Save a scene, and count the findings of a rule. */
static unsigned count_losses(const facet_scene *scene, const char *rule)
{
    facet_error error;
    facet_output *output;
    facet_options options = {0};
    unsigned count = 0;
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named("bpx"), &options, output, &error), &error);
    for (size_t i = 0; i < facet_report_count(options.report); i++)
        count += strcmp(facet_report_get(options.report, i)->rule, rule) == 0;
    facet_output_free(output);
    facet_report_free(options.report);
    return count;
}

/* A model has the bind pose only. The tip rests at height 1 and is bound there, then at 2. */
TEST(rest_poses_besides_the_bind_pose_are_reported)
{
    facet_scene *scene = triangle_scene();
    assert_int_equal(count_losses(scene, "LOSS-SKIN"), 0);
    scene->skins[0]->inverse_bind[16 + 13] = -2;
    assert_int_equal(count_losses(scene, "LOSS-SKIN"), 1);
    facet_scene_free(scene);
}

/* The writer gives the first bone to a corner without weights. */
TEST(a_corner_without_weights_is_reported)
{
    static const uint32_t holes[3] = {0, FACET_NONE, 2};
    facet_scene *scene = triangle_scene();
    assert_int_equal(count_losses(scene, "MESH-STREAM-HOLES"), 0);
    for (uint32_t i = 0; i < scene->meshes[0]->stream_count; i++) {
        facet_stream *stream = &scene->meshes[0]->streams[i];
        if (stream->semantic != FACET_JOINTS && stream->semantic != FACET_WEIGHTS)
            continue;
        stream->indices = facet_scene_allocate(scene, 3, sizeof *stream->indices);
        memcpy(stream->indices, holes, sizeof holes);
    }
    assert_int_equal(count_losses(scene, "MESH-STREAM-HOLES"), 1);
    facet_scene_free(scene);
}

/* Vertex arrays with the same name share a material when they are read. */
TEST(materials_of_one_name_are_reported)
{
    facet_scene *scene = triangle_scene();
    facet_material *material;
    facet_error error;
    TEST_OK(facet_scene_add_material(scene, "red", &material, &error), &error);
    assert_int_equal(count_losses(scene, "LOSS-MATERIALS"), 1); /* no face has it */
    TEST_OK(facet_scene_add_material(scene, "red", &material, &error), &error);
    assert_int_equal(count_losses(scene, "LOSS-MATERIALS"), 2);
    facet_scene_free(scene);
}
