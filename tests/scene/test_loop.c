/* Loop flag of an animation, from the extras of several formats and programs. */
#include "scene/loop.h"
#include "support/mesh.h"

#include <facet/gx_material.h>
#include <stdio.h>

static bool loops(const char *extras, bool otherwise)
{
    facet_animation animation = {.name = "", .extras = extras};
    return facet_animation_loops(&animation, otherwise);
}

TEST(animation_loops_by_its_extras)
{
    /* IQM, as Facet's reader writes it. Blender exports a boolean as a number. */
    assert_true(loops("{\"iqm\":{\"rate\":24,\"loop\":true}}", false));
    assert_true(loops("{\"iqm\":{\"loop\":1}}", false));
    assert_false(loops("{\"iqm\":{\"loop\":false}}", true));
    assert_false(loops("{\"iqm\":{\"loop\":0},\"loop\":1}", true));
    /* J3D: 0 once, 1 once and back, 2 repeat, 3 mirrored once, 4 mirrored repeat. */
    for (int mode = 0; mode <= 4; mode++) {
        char text[64];
        snprintf(text, sizeof text, "{\"j3d\":{\"animation\":{\"loop\":%d}}}", mode);
        assert_int_equal(loops(text, mode < 2), mode == 2 || mode == 4);
    }
    /* A custom property of an action. */
    assert_true(loops("{\"loop\":1}", false));
    assert_false(loops("{\"loop\":false}", true));
}

TEST(animation_loops_by_its_file)
{
    for (int mode = -1; mode <= 4; mode++) {
        facet_gx_file_animation file = {.loop = mode};
        facet_gx_file_part part = {.motion = &file};
        facet_animation animation = {.name = "", .gx_file = &part};
        for (int otherwise = 0; otherwise < 2; otherwise++)
            assert_int_equal(facet_animation_loops(&animation, otherwise),
                             mode < 0 ? otherwise : mode == 2 || mode == 4);
        /* Text that was written later takes precedence. */
        animation.extras = "{\"loop\":true}";
        assert_true(facet_animation_loops(&animation, false));
    }
}

TEST(animation_without_a_loop_flag_uses_the_default)
{
    static const char *const silent[] = {NULL,           "",    "{}", "{\"loop\":\"yes\"}",
                                         "{\"iqm\":{}}", "[1]", "{"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++) {
        assert_true(loops(silent[i], true));
        assert_false(loops(silent[i], false));
    }
}
