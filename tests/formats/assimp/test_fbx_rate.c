/* The frame rate of an FBX, to which editors move the keys. */
#include "support/mesh.h"
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

/* FbxTime::EMode of the FBX SDK: 3 is 60 frames per second, 6 is 30, 10 is 25 and 11 is 24. A mode
 * with a multiple of the rate holds the same keys. The file has the first that does. */
TEST(fbx_has_a_rate_with_frames_at_the_keys)
{
    static const struct {
        uint32_t rate, mode;
    } cases[] = {{0, 6}, {30, 6}, {24, 11}, {25, 10}, {60, 3}};
    static const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const char property[] = "TimeModeS\4\0\0\0enumS\0\0\0\0S\0\0\0\0I";
    enum { KEYS = 20 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float times[KEYS], values[KEYS * 3] = {0}, turns[KEYS * 4] = {0};
        facet_error error;
        facet_scene *scene = test_scene();
        facet_mesh *mesh = test_mesh(scene, 1, NULL);
        facet_node *node = NULL;
        assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 3, points, NULL));
        TEST_OK(facet_scene_add_node(scene, "a", &node, &error), &error);
        node->mesh = 0;
        if (cases[i].rate > 0) {
            facet_animation *animation = NULL;
            TEST_OK(facet_scene_add_animation(scene, "b", 2, &animation, &error), &error);
            for (uint32_t k = 0; k < KEYS; k++) {
                times[k] = (float)k / (float)cases[i].rate;
                values[k * 3] = (float)(k * k);
                turns[k * 4 + k % 3] = 0.8F; /* the writer adds keys between such rotations */
                turns[k * 4 + 3] = 0.6F;
            }
            animation->channels[0] = (facet_channel){.node = 0,
                                                     .target = FACET_TARGET_TRANSLATION,
                                                     .width = 3,
                                                     .key_count = KEYS,
                                                     .times = times,
                                                     .values = values};
            animation->channels[1] = animation->channels[0];
            animation->channels[1].target = FACET_TARGET_ROTATION;
            animation->channels[1].width = 4;
            animation->channels[1].values = turns;
        }
        facet_output *output = save_scene(scene, "fbx", NULL);
        const uint8_t *data = facet_output_data(output), *found = NULL;
        for (size_t at = 0; at + sizeof property + 4 < facet_output_size(output) && !found; at++) {
            if (memcmp(data + at, property, sizeof property - 1) == 0)
                found = data + at + sizeof property - 1;
        }
        assert_non_null(found);
        assert_int_equal(found[0], cases[i].mode);
        assert_int_equal(found[1] | found[2] | found[3], 0);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

#endif
