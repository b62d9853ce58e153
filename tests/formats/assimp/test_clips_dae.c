/* Animation clips of a COLLADA: separate animations, whose times begin at the start of the clip. */
#include "support/dae.h"
#include "support/models.h"
#include "support/text.h"

#ifdef FACET_HAVE_ASSIMP

/* An animation of x of a node, with linear keys. */
static void put_animation(text *t, const char *id, const char *node, const char *times,
                          const char *values, int count)
{
    put(t,
        "<animation id=\"%s\"><source id=\"%st\"><float_array id=\"%sta\" count=\"%d\">%s"
        "</float_array><technique_common><accessor source=\"#%sta\" count=\"%d\">",
        id, id, id, count, times, id, count);
    put(t, DAE_PARAM("TIME", "float") "</accessor></technique_common></source>");
    put(t,
        "<source id=\"%sv\"><float_array id=\"%sva\" count=\"%d\">%s</float_array>"
        "<technique_common><accessor source=\"#%sva\" count=\"%d\">",
        id, id, count, values, id, count);
    put(t, DAE_PARAM("X", "float") "</accessor></technique_common></source>");
    put(t, "<source id=\"%si\"><Name_array id=\"%sia\" count=\"%d\">", id, id, count);
    for (int i = 0; i < count; i++)
        put(t, "LINEAR ");
    put(t, "</Name_array><technique_common><accessor source=\"#%sia\" count=\"%d\">", id, count);
    put(t, DAE_PARAM("INTERPOLATION", "name") "</accessor></technique_common></source>");
    put(t,
        "<sampler id=\"%ss\"><input semantic=\"INPUT\" source=\"#%st\"/><input semantic=\"OUTPUT\" "
        "source=\"#%sv\"/><input semantic=\"INTERPOLATION\" source=\"#%si\"/></sampler>"
        "<channel source=\"#%ss\" target=\"%s/t.X\"/></animation>",
        id, id, id, id, id, node);
}

/* The nodes a, b and c, which are named like their ids, and the end of the file. */
static void put_nodes(text *t)
{
    put(t, DAE_NODES);
    for (const char *id = "abc"; *id; id++)
        put(t, "<node id=\"%c\" name=\"node %c\"><translate sid=\"t\">0 0 0</translate></node>",
            *id, *id);
    put(t, DAE_END);
}

static facet_scene *load_text(text *t, facet_report *report)
{
    const facet_options options = {.report = report};
    facet_scene *scene = load_bytes(t->at, t->size, "a.dae", &options);
    free(t->at);
    return scene;
}

/* The translation of a node by name, or NULL. */
static const facet_channel *channel_of(const facet_scene *scene, const char *animation,
                                       const char *node)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        const facet_animation *from = scene->animations[i];
        for (uint32_t k = 0; k < from->channel_count && strcmp(from->name, animation) == 0; k++) {
            const facet_channel *channel = &from->channels[k];
            if (channel->target == FACET_TARGET_TRANSLATION &&
                strcmp(scene->nodes[channel->node]->name, node) == 0)
                return channel;
        }
    }
    return NULL;
}

static void expect_keys(const facet_channel *channel, uint32_t count, const float *times,
                        const float *x)
{
    assert_non_null(channel);
    assert_int_equal(channel->key_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_float_equal(channel->times[i], times[i], 1e-6F);
        assert_float_equal(channel->values[i * 3], x[i], 1e-6F);
    }
}

/* Keys of a: x 0, 1, 3 at 0, 1, 3 s; of b: 0, 2 at 0, 2 s. At 0.5 s, x of a is 0.5, and at 2 s 2.
 * COLLADA 1.4.1: start is 0 by default; without an end, the longest animation ends the clip. */
TEST(clips_are_animations_from_their_start)
{
    facet_report *report = NULL;
    text t = {0};
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    put(&t, DAE_BEGIN "<library_animations>");
    put_animation(&t, "aa", "a", "0 1 3", "0 1 3", 3);
    put(&t, "<animation id=\"group\">");
    put_animation(&t, "bb", "b", "0 2", "0 2", 2);
    put(&t, "</animation>");
    put_animation(&t, "cc", "c", "1 2", "5 6", 2);
    put(&t, "</library_animations><library_animation_clips>"
            "<animation_clip id=\"w\" name=\"walk\" start=\"0.5\" end=\"2\">"
            "<instance_animation url=\"#aa\"/></animation_clip>"
            "<animation_clip id=\"run\" start=\"1\"><instance_animation url=\"#aa\"/>"
            "<instance_animation url=\"#group\"/></animation_clip>"
            "<animation_clip id=\"pose\" start=\"1\" end=\"1\"><instance_animation url=\"#bb\"/>"
            "</animation_clip><animation_clip id=\"empty\"/></library_animation_clips>");
    put_nodes(&t);
    facet_scene *scene = load_text(&t, report);
    assert_int_equal(scene->animation_count, 4);
    assert_string_equal(scene->animations[0]->name, "walk");
    assert_string_equal(scene->animations[1]->name, "run");
    assert_string_equal(scene->animations[2]->name, "pose");
    expect_keys(channel_of(scene, "walk", "node a"), 3, (float[]){0, 0.5F, 1.5F},
                (float[]){0.5F, 1, 2});
    assert_null(channel_of(scene, "walk", "node b"));
    expect_keys(channel_of(scene, "run", "node a"), 2, (float[]){0, 2}, (float[]){1, 3});
    expect_keys(channel_of(scene, "run", "node b"), 3, (float[]){0, 1, 2}, (float[]){1, 2, 2});
    expect_keys(channel_of(scene, "pose", "node b"), 1, (float[]){0}, (float[]){1});
    /* No clip has c: its animation stays. */
    const char *rest = scene->animations[3]->name;
    expect_keys(channel_of(scene, rest, "node c"), 2, (float[]){1, 2}, (float[]){5, 6});
    assert_null(channel_of(scene, rest, "node a"));
    assert_null(test_finding(report, "LOSS-ANIMATIONS"));
    facet_scene_free(scene);
    facet_report_free(report);
}

/* assimp merges all channels of a node. A clip with one of two cannot be separated. */
TEST(clips_with_a_part_of_a_node_are_reported)
{
    facet_report *report = NULL;
    text t = {0};
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    put(&t, DAE_BEGIN "<library_animations>");
    put_animation(&t, "one", "a", "0 1", "0 1", 2);
    put_animation(&t, "two", "a", "2 3", "5 6", 2);
    put(&t, "</library_animations><library_animation_clips>"
            "<animation_clip id=\"walk\"><instance_animation url=\"#one\"/></animation_clip>"
            "</library_animation_clips>");
    put_nodes(&t);
    facet_scene *scene = load_text(&t, report);
    assert_non_null(test_finding_saying(report, "LOSS-ANIMATIONS", "animation_clip"));
    assert_null(channel_of(scene, "walk", "node a"));
    facet_scene_free(scene);
    facet_report_free(report);
}

/* 3,000 clips of 2,000 keys: 3,000 * 2,000 * 4 bytes * (4 + 5 + 4) are 312 MB. */
TEST(keys_of_clips_are_limited)
{
    enum { CLIPS = 3000, KEYS = 2000 };
    text t = {0}, times = {0};
    facet_scene *scene = NULL;
    facet_error error;
    for (int i = 0; i < KEYS; i++)
        put(&times, "%d ", i);
    put(&t, DAE_BEGIN "<library_animations>");
    put_animation(&t, "aa", "a", times.at, times.at, KEYS);
    put(&t, "</library_animations><library_animation_clips>");
    for (int i = 0; i < CLIPS; i++)
        put(&t, "<animation_clip><instance_animation url=\"#aa\"/></animation_clip>");
    put(&t, "</library_animation_clips>");
    put_nodes(&t);
    facet_source source = facet_source_from_memory(t.at, t.size, "a.dae");
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "GROWTH-LIMIT");
    free(times.at);
    free(t.at);
}

#endif
