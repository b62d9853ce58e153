/* Nodes of an FBX with equal names. assimp finds nodes by their names. All files are read as text
 * and as binary. */
#include "support/fbx.h"

#ifdef FACET_HAVE_ASSIMP

/* A mesh 100 + n that is bound to the node 10 + n, which is below 20 + n. */
static void put_rig(fbx_writer *w, int n, const char *joint)
{
    static const double all[3] = {0, 1, 2}, whole[3] = {1, 1, 1};
    static const double one[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    char name[2] = {(char)('A' + n), '\0'};
    fbx_triangle(w, 100 + n);
    begin_node(w, 10 + n, joint);
    end_node(w);
    begin_node(w, 20 + n, name);
    end_node(w);
    begin_node(w, 30 + n, "body");
    end_node(w);
    fbx_object(w, "Deformer", 40 + n, "Deformer", "skin", "Skin");
    fbx_end(w);
    fbx_object(w, "Deformer", 50 + n, "SubDeformer", "cluster", "Cluster");
    fbx_array(w, "Indexes", 'i', all, 3);
    fbx_array(w, "Weights", 'd', whole, 3);
    fbx_array(w, "Transform", 'd', one, 16);
    fbx_array(w, "TransformLink", 'd', one, 16);
    fbx_end(w);
}

static void link_rig(fbx_writer *w, int n)
{
    fbx_link(w, 20 + n, 0, NULL);
    fbx_link(w, 10 + n, 20 + n, NULL);
    fbx_link(w, 30 + n, 20 + n, NULL);
    fbx_link(w, 100 + n, 30 + n, NULL);
    fbx_link(w, 40 + n, 100 + n, NULL);
    fbx_link(w, 50 + n, 40 + n, NULL);
    fbx_link(w, 10 + n, 50 + n, NULL);
}

/* Names of one byte, and of several. "_00000" and "0" are those that the first duplicate of their
 * length gets, unless a node has them. */
TEST(skins_follow_joints_of_equal_names)
{
    static const char *const joints[] = {"hip", "x", "\xE8\x85\xB0\xE8\x85\xB0", "0"};
    for (size_t i = 0; i < 2 * sizeof joints / sizeof *joints; i++) {
        const char *joint = joints[i / 2];
        fbx_writer w;
        fbx_start(&w, i % 2);
        put_rig(&w, 0, joint);
        put_rig(&w, 1, joint);
        fbx_links(&w);
        link_rig(&w, 0);
        link_rig(&w, 1);
        facet_scene *scene = load(&w);
        assert_int_equal(scene->skin_count, 2);
        for (uint32_t k = 0; k < scene->node_count; k++) {
            const facet_node *node = scene->nodes[k];
            if (node->skin == FACET_NONE)
                continue;
            const facet_node *bound = scene->nodes[scene->skins[node->skin]->joints[0]];
            assert_string_equal(bound->name, joint);
            assert_string_equal(node->name, "body");
            /* The mesh and its joint are below one node, "A" or "B". */
            assert_int_equal(bound->parent, node->parent);
        }
        release(scene);
    }
}

/* The second "part" moves from 0 to 4, and keeps its name. */
TEST(animations_move_nodes_of_equal_names)
{
    static const double times[2] = {0, 1}, values[2] = {0, 4}, up[3] = {0, 7, 0};
    for (int binary = 0; binary < 2; binary++) {
        fbx_writer w;
        fbx_start(&w, binary);
        begin_node(&w, 11, "part");
        end_node(&w);
        begin_node(&w, 12, "part");
        fbx_property(&w, "Lcl Translation", "Lcl Translation", 3, up);
        end_node(&w);
        add_stack(&w);
        add_curve(&w, 22, "T", times, values, 2, 24836);
        fbx_links(&w);
        fbx_link(&w, 11, 0, NULL);
        fbx_link(&w, 12, 0, NULL);
        fbx_link(&w, 21, 20, NULL);
        fbx_link(&w, 22, 21, NULL);
        fbx_link(&w, 22, 12, "Lcl Translation");
        fbx_link(&w, 23, 22, "d|X");
        facet_scene *scene = load(&w);
        assert_int_equal(scene->animation_count, 1);
        const facet_channel *channel = channel_of(scene, FACET_TARGET_TRANSLATION);
        assert_non_null(channel);
        assert_string_equal(scene->nodes[channel->node]->name, "part");
        assert_true(scene->nodes[channel->node]->transform.translation[1] == 7);
        release(scene);
    }
}

/* A name of one byte can be replaced by 62 others. */
TEST(short_names_that_run_out_are_reported)
{
    static const int counts[] = {63, 64};
    for (size_t i = 0; i < 2; i++) {
        fbx_writer w;
        fbx_start(&w, true);
        for (int k = 0; k < counts[i]; k++) {
            begin_node(&w, 11 + k, "#");
            end_node(&w);
        }
        fbx_links(&w);
        for (int k = 0; k < counts[i]; k++)
            fbx_link(&w, 11 + k, 0, NULL);
        facet_scene *scene = load(&w);
        uint32_t named = 0;
        for (uint32_t k = 0; k < scene->node_count; k++)
            named += strcmp(scene->nodes[k]->name, "#") == 0;
        assert_int_equal(named, counts[i]);
        const facet_finding *finding =
            test_finding_saying(report, "LOSS-ANIMATIONS", "a short name");
        assert_int_equal(finding ? finding->count : 0, counts[i] - 63);
        release(scene);
    }
}

#endif
