/* Cameras of a COLLADA. */
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

#include <math.h>

/* COLLADA 1.4.1: the name of a camera is optional. */
TEST(camera_without_a_name_has_its_values)
{
    static const char *const names[] = {"", " name=\"n\"", " name=\"\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char text[1500];
        int size = snprintf(
            text, sizeof text,
            "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">"
            "<library_cameras><camera id=\"c\"%s><optics><technique_common><perspective><yfov>30"
            "</yfov><aspect_ratio>2</aspect_ratio><znear>0.5</znear><zfar>50</zfar></perspective>"
            "</technique_common></optics></camera></library_cameras><library_visual_scenes>"
            "<visual_scene id=\"w\"><node id=\"n\"><instance_camera url=\"#c\"/></node>"
            "</visual_scene></library_visual_scenes><scene><instance_visual_scene url=\"#w\"/>"
            "</scene></COLLADA>",
            names[i]);
        assert_true(size > 0 && (size_t)size < sizeof text);
        facet_scene *scene = load_bytes(text, (size_t)size, "a.dae", NULL);
        assert_int_equal(scene->camera_count, 1);
        const facet_camera *camera = scene->cameras[0];
        assert_float_equal((double)camera->field_of_view, acos(-1) / 6, 1e-6);
        assert_float_equal((double)camera->aspect_ratio, 2, 0);
        assert_float_equal((double)camera->near_distance, 0.5, 0);
        assert_float_equal((double)camera->far_distance, 50, 0);
        facet_scene_free(scene);
    }
}

#endif
