/* Groups of OBJ that are in an object. A format with one name per part reports the others. */
#include "support/models.h"
#include "support/support.h"

#include <facet/convert.h>

TEST(group_names_next_to_object_names_are_reported)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\no object\ng first\nf 1 2 3\n"
                              "g second\nf 1 3 2\n";
    static const char *const formats[] = {"glb", "fbx", "dae",        "iqm",
                                          "stl", "bmd", "binarymesh", "ply"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const facet_format *format = facet_format_named(formats[i]);
        if (!format || !facet_format_can_write(format))
            continue;
        facet_source source = facet_source_from_memory(obj, sizeof obj - 1, "a.obj");
        facet_report *report = NULL;
        facet_scene *scene = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_options options = {.report = report};
        TEST_OK(facet_load(&source, facet_format_named("obj"), NULL, NULL, &scene, &error), &error);
        facet_output *output = save_scene(scene, formats[i], &options);
        const facet_finding *finding =
            test_finding_saying(report, "LOSS-NAMES", "cannot hold names");
        if (!finding || finding->count != 2)
            fail_msg("%s does not report the names of both groups", formats[i]);
        facet_output_free(output);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}
