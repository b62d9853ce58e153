/* formats/j3d/test_j3d_like_bones.c - save like an original: edits of the skeleton. */
#include "support/j3d_like.h"
#include "support/support.h"

#include <facet/j3d.h>
#include <string.h>

static const test_j3d_kind_of_character floats = {FACET_J3D_F32, 0};

/* A new bone with weighted vertices becomes a joint and an envelope; all earlier numbers stay the
 * same. */
TEST(new_bone_is_appended_after_others)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    facet_error error;
    facet_node *node;
    uint32_t neck = FACET_NONE, bone = scene->node_count;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, "neck") == 0)
            neck = i;
    }
    TEST_OK(facet_scene_add_node(scene, "tail", &node, &error), &error);
    node->parent = neck;
    node->transform.translation[2] = -0.05F; /* meters */
    facet_skin *skin = scene->skins[0];
    uint32_t *joints = facet_scene_allocate(scene, skin->joint_count + 1, sizeof *joints);
    float *binds = facet_scene_allocate(scene, ((size_t)skin->joint_count + 1) * 16, sizeof *binds);
    memcpy(joints, skin->joints, skin->joint_count * sizeof *joints);
    memcpy(binds, skin->inverse_bind, (size_t)skin->joint_count * 16 * sizeof *binds);
    joints[skin->joint_count] = bone;
    /* Bound at (0, 125, -5): the position of the neck plus its own. */
    float *m = binds + (size_t)skin->joint_count * 16;
    memset(m, 0, 16 * sizeof *m);
    m[0] = m[5] = m[10] = m[15] = 1;
    m[13] = -1.25F;
    m[14] = 0.05F;
    skin->joints = joints;
    skin->inverse_bind = binds;
    skin->joint_count++;
    facet_mesh *body = test_like_mesh(scene, "shape1");
    uint16_t *of = (uint16_t *)facet_mesh_find(body, FACET_JOINTS, 0)->data;
    float *weights = (float *)facet_mesh_find(body, FACET_WEIGHTS, 0)->data;
    uint32_t count = facet_mesh_find(body, FACET_JOINTS, 0)->count;
    for (uint32_t v = count - 4; v < count; v++) {
        static const float halves[4] = {0.5F, 0.5F, 0, 0};
        of[(size_t)v * 4 + 1] = 12;
        memcpy(weights + (size_t)v * 4, halves, sizeof halves);
    }
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_clean(&made);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    test_like_assert_same_shapes_but(before, after, 1);
    assert_int_equal(after->joints.count, 13);
    assert_string_equal(after->joints.names.items[12].bytes, "tail");
    assert_int_equal(after->joints.items[12].parent, 4);
    assert_true(after->joints.items[12].translation[2] == -5);
    assert_true(after->envelopes.count > before->envelopes.count);
    assert_memory_equal(before->envelopes.influences, after->envelopes.influences,
                        before->envelopes.influence_count * sizeof *before->envelopes.influences);
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* Add the bone to the end of a skin, bound at its position: the origin of the scene. */
static uint32_t add_bone_to_skin(facet_scene *scene, const char *name, uint32_t parent)
{
    facet_error error;
    facet_node *node;
    facet_skin *skin = scene->skins[0];
    TEST_OK(facet_scene_add_node(scene, name, &node, &error), &error);
    node->parent = parent;
    scene->roots = NULL;
    uint32_t *joints = facet_scene_allocate(scene, skin->joint_count + 1, sizeof *joints);
    float *binds = facet_scene_allocate(scene, ((size_t)skin->joint_count + 1) * 16, sizeof *binds);
    memcpy(joints, skin->joints, skin->joint_count * sizeof *joints);
    memcpy(binds, skin->inverse_bind, (size_t)skin->joint_count * 16 * sizeof *binds);
    joints[skin->joint_count] = scene->node_count - 1;
    for (int i = 0; i < 16; i++)
        binds[(size_t)skin->joint_count * 16 + i] = i % 5 == 0;
    skin->joints = joints;
    skin->inverse_bind = binds;
    return skin->joint_count++;
}

/* A new bone can be the child of any joint. The others keep their parents, shapes keep their
 * joints and materials, and games can read the hierarchy. */
TEST(new_bone_adopts_nothing)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_j3d *before = test_like_read(&original);
    for (uint32_t joint = 0; joint < before->joints.count; joint++) {
        facet_scene *scene = test_like_through_glb(&original);
        const char *name = before->joints.names.items[joint].bytes;
        uint32_t parent = FACET_NONE, again = 0; /* two joints have the same name */
        for (uint32_t i = 0; i < joint; i++)
            again += strcmp(before->joints.names.items[i].bytes, name) == 0;
        for (uint32_t i = 0; i < scene->node_count && parent == FACET_NONE; i++) {
            if (strcmp(scene->nodes[i]->name, name) == 0 && again-- == 0)
                parent = i;
        }
        assert_true(parent != FACET_NONE);
        add_bone_to_skin(scene, "new", parent);
        test_bytes made = test_like_save(scene, &original, "bdl", NULL);
        test_like_assert_clean(&made);
        facet_j3d *after = test_like_read(&made);
        assert_int_equal(after->joints.count, before->joints.count + 1);
        assert_int_equal(after->joints.items[before->joints.count].parent, joint);
        assert_int_equal(after->envelopes.inverse_bind_count, after->joints.count);
        for (uint32_t i = 0; i < before->joints.count; i++)
            assert_int_equal(after->joints.items[i].parent, before->joints.items[i].parent);
        for (uint32_t i = 0; i < before->shapes.count; i++) {
            assert_int_equal(after->shapes.items[i].joint, before->shapes.items[i].joint);
            assert_int_equal(after->shapes.items[i].material, before->shapes.items[i].material);
        }
        facet_j3d_free(after);
        test_bytes_free(&made);
    }
    facet_j3d_free(before);
    test_bytes_free(&original);
}

/* Exchange the first and last joint of the first skin, and in a mesh. */
static void exchange_ends(facet_scene *scene, facet_mesh *mesh)
{
    facet_skin *skin = scene->skins[0];
    uint32_t last = skin->joint_count - 1, first = skin->joints[0];
    facet_stream *joints = facet_mesh_find(mesh, FACET_JOINTS, 0);
    uint16_t *numbers = joints->data;
    float bind[16];
    skin->joints[0] = skin->joints[last];
    skin->joints[last] = first;
    memcpy(bind, skin->inverse_bind, sizeof bind);
    memcpy(skin->inverse_bind, skin->inverse_bind + (size_t)last * 16, sizeof bind);
    memcpy(skin->inverse_bind + (size_t)last * 16, bind, sizeof bind);
    for (size_t i = 0; i < (size_t)joints->count * 4; i++)
        numbers[i] = (uint16_t)(numbers[i] == 0 ? last : numbers[i] == last ? 0 : numbers[i]);
}

/* The glTF exporter of Blender adds a bone for vertices without weights. It does not become a
 * joint, wherever it is in the skin: an FBX has another order. */
TEST(neutral_bone_does_not_become_joint)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_j3d *before = test_like_read(&original);
    for (int edit = 0; edit < 4; edit++) {
        facet_error error;
        facet_report *report;
        bool like = edit % 2 == 1;
        facet_scene *scene = test_like_through_glb(&original);
        uint32_t bone = add_bone_to_skin(scene, "neutral_bone", FACET_NONE);
        facet_mesh *body = test_like_mesh(scene, "shape1");
        facet_stream *joints = facet_mesh_find(body, FACET_JOINTS, 0);
        float *weights = facet_mesh_find(body, FACET_WEIGHTS, 0)->data;
        static const float whole[4] = {1, 0, 0, 0};
        for (uint32_t v = joints->count - 2; v < joints->count; v++) {
            ((uint16_t *)joints->data)[(size_t)v * 4] = (uint16_t)bone;
            memcpy(weights + (size_t)v * 4, whole, sizeof whole);
        }
        if (edit >= 2)
            exchange_ends(scene, body);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = test_like_save(scene, like ? &original : NULL, "bdl", report);
        assert_non_null(test_finding(report, "J3D-UNWEIGHTED"));
        assert_int_equal(test_finding(report, "J3D-UNWEIGHTED")->count, 2);
        test_like_assert_clean(&made);
        facet_j3d *after = test_like_read(&made);
        assert_int_equal(after->joints.count, before->joints.count);
        for (uint32_t i = 0; i < before->joints.count; i++)
            assert_string_equal(after->joints.names.items[i].bytes,
                                before->joints.names.items[i].bytes);
        facet_j3d_free(after);
        test_bytes_free(&made);
        facet_report_free(report);
    }
    facet_j3d_free(before);
    test_bytes_free(&original);
}

/* Nodes with a skinned mesh do not become joints in a model of another program. */
TEST(nodes_that_become_no_joint_are_reported)
{
    facet_error error;
    facet_report *report;
    uint64_t skinned = 0;
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        scene->nodes[i]->extras = NULL;
        skinned += scene->nodes[i]->skin != FACET_NONE;
    }
    scene->extras = NULL;
    assert_true(skinned > 0);
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = test_like_save(scene, NULL, "bdl", report);
    assert_non_null(test_finding(report, "J3D-NODES"));
    assert_int_equal(test_finding(report, "J3D-NODES")->count, skinned);
    test_bytes_free(&made);
    facet_report_free(report);
    test_bytes_free(&original);
}

static uint32_t index_of(const facet_scene *scene, const facet_node *node)
{
    uint32_t i = 0;
    while (scene->nodes[i] != node)
        i++;
    return i;
}

/* A bone with a new name at the position of a joint is that joint, with all that it moves. */
TEST(renamed_bone_is_its_joint)
{
    static const char *const names[] = {"neck", "head"};
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_j3d *before = test_like_read(&original);
    for (size_t n = 0; n < 2; n++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = test_like_through_glb(&original);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_like_node(scene, names[n])->name = "other";
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        assert_int_equal(test_finding(report, "J3D-LIKE-JOINT")->count, 1);
        assert_non_null(test_finding_saying(report, "J3D-LIKE-JOINT", "is called 'other' now"));
        facet_report_free(report);
        test_like_assert_clean(&made);
        facet_j3d *after = test_like_read(&made);
        assert_int_equal(after->joints.count, before->joints.count);
        for (uint32_t i = 0; i < before->joints.count; i++) {
            const char *name = before->joints.names.items[i].bytes;
            assert_string_equal(after->joints.names.items[i].bytes,
                                strcmp(name, names[n]) == 0 ? "other" : name);
            assert_int_equal(after->joints.items[i].parent, before->joints.items[i].parent);
        }
        test_like_assert_same_shapes_but(before, after, FACET_NONE);
        assert_int_equal(after->shapes.count, before->shapes.count);
        test_like_assert_same_section(&original, &made, "SHP1");
        facet_j3d_free(after);
        test_bytes_free(&made);
    }
    facet_j3d_free(before);
    test_bytes_free(&original);
}

/* All bones can have new names if they are at the positions of the joints. */
TEST(all_bones_can_be_renamed)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_j3d *before = test_like_read(&original);
    facet_scene *scene = test_like_through_glb(&original);
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh == FACET_NONE)
            scene->nodes[i]->name = "other";
    }
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_clean(&made);
    facet_j3d *after = test_like_read(&made);
    assert_int_equal(after->joints.count, before->joints.count);
    for (uint32_t i = 0; i < before->joints.count; i++)
        assert_string_equal(after->joints.names.items[i].bytes, "other");
    test_like_assert_same_section(&original, &made, "SHP1");
    facet_j3d_free(after);
    facet_j3d_free(before);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A finding reports other edits of bones, and the skeleton of the original stays. */
TEST(other_edits_of_bones_are_reported)
{
    static const char *const rules[] = {"J3D-LIKE-BONE-GONE", "J3D-LIKE-BONE-PARENT",
                                        "J3D-LIKE-BONE-PLACE"};
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int edit = 0; edit < 4; edit++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = test_like_through_glb(&original);
        facet_node *neck = test_like_node(scene, "neck"), *head = test_like_node(scene, "head");
        facet_skin *skin = scene->skins[0];
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        if (edit == 0) { /* deleted: its vertices move with its parent */
            uint32_t gone = index_of(scene, head), above = index_of(scene, neck);
            for (uint32_t j = 0; j < skin->joint_count; j++) {
                if (skin->joints[j] == gone)
                    skin->joints[j] = above;
            }
            head->name = "no bone";
        } else if (edit == 1) {
            head->parent = index_of(scene, test_like_node(scene, "hip"));
            scene->roots = NULL;
        } else if (edit == 2) {
            head->transform.translation[0] += 0.5F; /* meters; the model has a size of 2 */
        }
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        test_like_assert_clean(&made);
        for (int rule = 0; rule < 3; rule++)
            assert_int_equal(test_finding(report, rules[rule]) != NULL, rule == edit);
        facet_j3d *after = test_like_read(&made);
        assert_int_equal(after->joints.count, 12);
        assert_null(test_finding(report, "J3D-LIKE-SCALE"));
        facet_j3d_free(after);
        test_bytes_free(&made);
        facet_report_free(report);
    }
    test_bytes_free(&original);
}

/* Bones that are all twice as far apart below the same vertices were moved: the model is not half
 * as large. The vertices also show it if the meshes have other names. */
TEST(moved_bones_do_not_scale_the_model)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int renamed = 0; renamed < 2; renamed++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = test_like_through_glb(&original);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        for (uint32_t s = 0; s < scene->skin_count; s++) {
            facet_skin *skin = scene->skins[s];
            for (uint32_t j = 0; j < skin->joint_count; j++)
                for (int i = 12; i < 15; i++)
                    skin->inverse_bind[j * 16 + (uint32_t)i] *= 2;
        }
        for (uint32_t i = 0; i < scene->node_count; i++) {
            facet_node *node = scene->nodes[i];
            for (int k = 0; k < 3 && node->mesh == FACET_NONE; k++)
                node->transform.translation[k] *= 2;
            if (renamed && node->mesh != FACET_NONE && node->skin != FACET_NONE)
                scene->meshes[node->mesh]->name = node->name = "body";
        }
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        assert_null(test_finding(report, "J3D-LIKE-SCALE"));
        assert_non_null(test_finding(report, "J3D-LIKE-BONE-PLACE"));
        test_like_assert_same_section(&original, &made, "VTX1");
        test_bytes_free(&made);
        facet_report_free(report);
    }
    test_bytes_free(&original);
}

/* A scaled or rotated bone is reported by its name, and so is each of several, up to 16. The hat is
 * a mesh on the head. */
TEST(turned_and_scaled_bones_are_named)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int edit = 0; edit < 3; edit++) {
        facet_error error;
        facet_report *report;
        facet_scene *scene = test_like_through_glb(&original);
        facet_transform *head = &test_like_node(scene, "head")->transform;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        if (edit == 0) {
            for (int i = 0; i < 3; i++)
                head->scale[i] *= 2;
        } else if (edit == 1) { /* a turn by 180 degrees about z: (x, y, z, w) * (0, 0, 1, 0) */
            const float *q = head->rotation, turned[4] = {q[1], -q[0], q[3], -q[2]};
            memcpy(head->rotation, turned, sizeof turned);
        } else {
            head->translation[0] += 0.5F;
            test_like_node(scene, "hip")->transform.translation[1] += 0.5F;
        }
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        assert_non_null(test_finding_saying(report, "J3D-LIKE-BONE-PLACE", "'head'"));
        assert_int_equal(test_finding_saying(report, "J3D-LIKE-BONE-PLACE", "rotation or scale") !=
                             NULL,
                         edit < 2);
        assert_int_equal(test_finding_saying(report, "J3D-LIKE-BONE-PLACE", "'hip'") != NULL,
                         edit == 2);
        facet_report_free(report);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

/* A new bone without a skin and a mesh does not become a joint, which is reported. The leaf bones
 * of FBX files do not count as bones. */
TEST(new_bone_that_moves_nothing_is_reported)
{
    static const char *const names[] = {"extra", "head_end"};
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int i = 0; i < 2; i++) {
        facet_scene *scene = test_like_through_glb(&original);
        facet_node *made;
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_scene_add_node(scene, names[i], &made, &error), &error);
        made->parent = index_of(scene, test_like_node(scene, "head"));
        scene->roots = NULL;
        test_bytes after = test_like_save(scene, &original, "bdl", report);
        const facet_finding *finding = test_finding(report, "J3D-LIKE-BONE-UNUSED");
        assert_int_equal(finding != NULL, i == 0);
        if (finding)
            assert_non_null(strstr(finding->message, "'extra'"));
        test_like_assert_same_section(&original, &after, "JNT1");
        test_bytes_free(&after);
        facet_report_free(report);
    }
    test_bytes_free(&original);
}
