/* formats/j3d/scene/from_channels/look.c - appearance of materials at a frame of an animation. */
#include "formats/j3d/scene/from_channels/channels.h"
#include "scene/axes.h"

#include <facet/pose.h>
#include <math.h>
#include <string.h>

static void rest_of(const facet_material *material, float values[FACET_J3D_LOOK])
{
    static const float none[FACET_J3D_LOOK] = {1, 1, 1, 1, 0, 0, 0, 1, 1, -1};
    memcpy(values, none, sizeof none);
    if (!material)
        return;
    const facet_texture *map = material->maps[FACET_MAP_DIFFUSE];
    memcpy(values, material->base_color, 4 * sizeof *values);
    if (!map)
        return;
    if (map->has_transform) {
        memcpy(values + 4, map->offset, sizeof map->offset);
        values[6] = map->rotation;
        memcpy(values + 7, map->scale, sizeof map->scale);
    }
    values[9] = map->has_image ? (float)map->image : -1;
}

double facet_j3d_time_of(const facet_j3d_weaving *w, bool reference, uint32_t frame)
{
    return (reference ? 0 : w->begin) + frame / w->rate;
}

void facet_j3d_get_appearance(const facet_j3d_weaving *w, uint32_t slot, bool reference,
                              uint32_t frame, float look[FACET_J3D_LOOK])
{
    static const int columns[] = {0, -1, 4, 6, 7, 9};
    const facet_j3d_woven *of = &w->tracks[slot];
    rest_of(reference ? w->reference->materials[slot] : of->material, look);
    for (int i = 0; i < 6; i++) {
        if (of->channels[reference][i] && columns[i] >= 0)
            facet_channel_sample(of->channels[reference][i], facet_j3d_time_of(w, reference, frame),
                                 look + columns[i]);
    }
    if (reference)
        return;
    if (facet_axes_flips_v(&w->scene->axes, true)) {
        float c = (float)cos((double)look[6]), s = (float)sin((double)look[6]);
        look[4] += s * look[8];
        look[5] = 1 - c * look[8] - look[5];
        look[6] = -look[6];
    }
    uint32_t image = look[9] >= 0 ? w->images[(uint32_t)look[9]] : FACET_NONE;
    look[9] = image == FACET_NONE ? -1 : (float)image;
}
