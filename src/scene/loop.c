/* scene/loop.c - detection of animations that repeat. */
#include "scene/loop.h"
#include "base/json.h"

#include <facet/gx_material.h>

/* *loops is unchanged if the value is neither a boolean nor a number. */
static bool read_loop(const facet_json *value, bool *loops)
{
    if (facet_json_is_boolean(value))
        *loops = facet_json_is_true(value);
    else if (facet_json_is_number(value))
        *loops = facet_json_number_value(value) != 0;
    else
        return false;
    return true;
}

/* True for J3D modes that repeat. */
static bool is_repeating(double mode)
{
    return mode == 2 || mode == 4;
}

bool facet_animation_loops(const facet_animation *animation, bool otherwise)
{
    bool loops = otherwise;
    const facet_gx_file_part *file = animation->gx_file;
    if (file && file->motion && file->extras == animation->extras && !file->has_others)
        return file->motion->loop < 0 ? otherwise : is_repeating(file->motion->loop);
    facet_json *extras = facet_json_read_text(animation->extras);
    const facet_json *iqm = facet_json_object_get(extras, "iqm"),
                     *j3d =
                         facet_json_object_get(facet_json_object_get(extras, "j3d"), "animation");
    const facet_json *mode = facet_json_object_get(j3d, "loop");
    if (read_loop(facet_json_object_get(iqm, "loop"), &loops)) {
        /* from an IQM */
    } else if (facet_json_is_number(mode)) {
        loops = is_repeating(facet_json_number_value(mode));
    } else {
        read_loop(facet_json_object_get(extras, "loop"), &loops);
    }
    facet_json_free(extras);
    return loops;
}
