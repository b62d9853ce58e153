/* Animations of scenes that a model was written from: nodes of joints, losses and frames. */
#include "support/gltf.h"
#include "support/j3d_write.h"

#include "formats/j3d/scene/to_scene/animation.h"
#include "formats/j3d/scene/to_scene/scene.h"

/* Two times, 0 and `END`, two translations, and a triangle. */
#define END 0.75F
static const float buffer[] = {0, END, 0, 0, 0, 5, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0};

/* A scene of nodes, whose channels move nodes by (5, 0, 0). */
static facet_scene *make_scene(const char *nodes, const char *roots, const char *channels)
{
    static char json[4000];
    facet_scene *scene = NULL;
    facet_error error;
    snprintf(json, sizeof json,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%%B],\"bufferViews\":["
             "{\"buffer\":0,\"byteLength\":8},{\"buffer\":0,\"byteOffset\":8,\"byteLength\":24},"
             "{\"buffer\":0,\"byteOffset\":32,\"byteLength\":36}],\"accessors\":["
             "{\"bufferView\":0,\"componentType\":5126,\"count\":2,\"type\":\"SCALAR\","
             "\"min\":[0],\"max\":[0.75]},"
             "{\"bufferView\":1,\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"},"
             "{\"bufferView\":2,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
             "\"min\":[0,0,0],\"max\":[1,1,0]}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":2},"
             "\"targets\":[{\"POSITION\":2}]}]},"
             "{\"primitives\":[{\"attributes\":{\"POSITION\":2}}]}],"
             "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":1,\"znear\":1}}],"
             "\"nodes\":[%s],\"scenes\":[{\"nodes\":[%s]}],\"scene\":0,"
             "\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1},{\"input\":0,"
             "\"output\":0}],\"channels\":[%s]}]}",
             nodes, roots, channels);
    const char *text = test_gltf_text(json, buffer, sizeof buffer);
    TEST_OK(test_gltf_read(text, strlen(text), NULL, &scene, &error), &error);
    return scene;
}

#define MOVES(node) "{\"sampler\":0,\"target\":{\"node\":" node ",\"path\":\"translation\"}}"

/* Write the scene's model, then its animation for that model. */
static facet_j3d_animation *animation_of(facet_scene *scene, facet_output **model,
                                         facet_report *report)
{
    facet_error error;
    facet_j3d_animation *made = NULL;
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    *model = bytes_of(document);
    facet_source like = test_source_of(*model, "a.bmd");
    const facet_j3d_options j3d = {.like = &like};
    const facet_options options = {.j3d = &j3d, .report = report};
    TEST_OK(facet_j3d_animation_from_scene(scene, FACET_J3D_BCK, &options, &made, &error), &error);
    facet_j3d_free(document);
    return made;
}

/* The names of moved joints and their parents, such as "a/b c/d". */
static const char *moved_joints(facet_j3d_animation *animation, const facet_output *model)
{
    static char names[200];
    facet_error error;
    facet_j3d *document = NULL;
    facet_scene *scene = NULL;
    facet_source source = test_source_of(model, "a.bmd");
    TEST_OK(facet_j3d_read(&source, NULL, &document, &error), &error);
    TEST_OK(facet_j3d_to_scene(document, NULL, &scene, &error), &error);
    TEST_OK(facet_j3d_animation_to_scene(animation, document, NULL, scene, &error), &error);
    *names = '\0';
    for (uint32_t i = 0; i < scene->animations[0]->channel_count; i++) {
        const facet_channel *channel = &scene->animations[0]->channels[i];
        const facet_node *node = scene->nodes[channel->node];
        if (channel->values[0] == channel->values[(channel->key_count - 1) * channel->width])
            continue;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s/%s", used ? " " : "",
                 node->parent == FACET_NONE ? "" : scene->nodes[node->parent]->name, node->name);
    }
    facet_scene_free(scene);
    facet_j3d_free(document);
    return names;
}

/* Two roots need a root joint that the scene lacks. Node 0 has the name that this joint gets, and
 * names of joints repeat. */
TEST(joints_take_nodes_by_their_position)
{
    static const struct {
        const char *nodes, *roots, *channels, *moved;
    } cases[] = {{"{\"name\":\"root\",\"mesh\":1,\"children\":[1]},{\"name\":\"a\",\"mesh\":1},"
                  "{\"name\":\"prop\",\"mesh\":1}",
                  "0,2", MOVES("0"), "model_root0/root"},
                 {"{\"name\":\"root\",\"mesh\":1,\"children\":[1]},{\"name\":\"root\",\"mesh\":1},"
                  "{\"name\":\"prop\",\"mesh\":1}",
                  "0,2", MOVES("1"), "root/root"},
                 {"{\"name\":\"a\",\"mesh\":1,\"children\":[1]},{\"name\":\"b\",\"mesh\":1},"
                  "{\"name\":\"b\",\"mesh\":1,\"children\":[3]},{\"name\":\"a\",\"mesh\":1}",
                  "0,2", MOVES("2") "," MOVES("3"), "root/b b/a"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_output *model;
        facet_scene *scene = make_scene(cases[i].nodes, cases[i].roots, cases[i].channels);
        facet_j3d_animation *made = animation_of(scene, &model, NULL);
        assert_string_equal(moved_joints(made, model), cases[i].moved);
        facet_j3d_animation_free(made);
        facet_output_free(model);
        facet_scene_free(scene);
    }
}

/* A camera is not a joint. */
TEST(channels_without_joints_are_reported)
{
    static const struct {
        const char *channels, *message;
    } cases[] = {{MOVES("0"), NULL},
                 {MOVES("0") "," MOVES("1"), "channel 1 moves no joint of the model"},
                 {MOVES("0") ",{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"weights\"}}",
                  "a bck cannot hold the animation of morph targets, visibility and materials"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_report *report;
        facet_output *model;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene *scene = make_scene("{\"name\":\"a\",\"mesh\":0},"
                                        "{\"name\":\"eye\",\"camera\":0}",
                                        "0,1", cases[i].channels);
        facet_j3d_animation *made = animation_of(scene, &model, report);
        const facet_finding *lost = test_finding(report, "LOSS-ANIMATIONS");
        assert_int_equal(lost != NULL, cases[i].message != NULL);
        assert_true(!lost || strstr(lost->message, cases[i].message));
        facet_j3d_animation_free(made);
        facet_output_free(model);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* 0.75 s at 30 frames a second are 22.5 frames: only frame 23 has the last pose. */
TEST(last_partial_frame_is_kept)
{
    facet_output *model;
    facet_scene *scene = make_scene("{\"name\":\"a\",\"mesh\":1}", "0", MOVES("0"));
    facet_j3d_animation *made = animation_of(scene, &model, NULL);
    assert_int_equal(made->frames, 23);
    facet_j3d_animation_free(made);
    facet_output_free(model);
    facet_scene_free(scene);
}
