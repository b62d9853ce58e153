/* formats/assimp/from_scene/rate.c - the frame rate of an FBX. assimp states 24 frames per second
 * for every file, and editors move the keys to its frames. */
#include "scene/rate.h"
#include "formats/assimp/from_scene/from_scene.h"

static bool is_on_frames(const facet_scene *scene, double rate)
{
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        if (!facet_animation_is_on_frames(scene->animations[i], rate))
            return false;
    }
    return true;
}

uint32_t facet_assimp_find_rate(facet_assimp_writer *w)
{
    /* Rates with their numbers in FBX (FbxTime::EMode). The first is that of J3D animations. */
    static const struct {
        double rate;
        uint32_t mode;
    } rates[] = {{30, 6}, {24, 11}, {25, 10}, {60, 3},  {50, 4},
                 {48, 5}, {72, 16}, {96, 15}, {120, 1}, {100, 2}};
    size_t found = 0;
    while (found < sizeof rates / sizeof *rates && !is_on_frames(w->scene, rates[found].rate))
        found++;
    found = found < sizeof rates / sizeof *rates ? found : 0;
    w->rate = rates[found].rate;
    return rates[found].mode;
}
