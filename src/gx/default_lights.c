/* gx/default_lights.c - default lights. They replace a game's lights if only a model is drawn. */
#include "gx/default_lights.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

enum { TEXGEN_OF_COLOR = 10, SPECULAR = 0 };

bool facet_gx_is_ramp(const char *texture_name)
{
    static const char *const beginnings[] = {"ZA", "ZB", "toon", "V_toon"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        if (strncmp(texture_name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    }
    return false;
}

bool facet_gx_uses_ramps(const facet_gx_material *material)
{
    for (uint32_t i = 0; i < material->texgen_count && i < 8; i++) {
        if (material->texgens[i].type == TEXGEN_OF_COLOR)
            return true;
    }
    return false;
}

void facet_gx_default_light_colors(const facet_gx_material *material, bool has_ramps,
                                   facet_gx_light lights[8])
{
    memset(lights, 0, 8 * sizeof *lights);
    for (int i = 0; i < 8; i++)
        lights[i].cosine_attenuation[0] = lights[i].distance_attenuation[0] = 1;
    if (has_ramps) {
        lights[0].color = (facet_gx_rgba8){255, 0, 0, 255};
        return;
    }
    for (int i = 0; i < 4; i++) {
        const facet_gx_channel *channel = &material->channels[i];
        int lowest = 0;
        if (!channel->lighting || !channel->light_mask)
            continue;
        while (!(channel->light_mask >> lowest & 1))
            lowest++;
        facet_gx_light *light = &lights[lowest];
        if (channel->attenuation_function == SPECULAR) {
            static const float cosine[3] = {0, 0, 1}, distance[3] = {8, 0, -7};
            memcpy(light->cosine_attenuation, cosine, sizeof cosine);
            memcpy(light->distance_attenuation, distance, sizeof distance);
            light->color = (facet_gx_rgba8){128, 128, 128, 128};
        } else {
            light->color = (facet_gx_rgba8){255, 255, 255, 255};
        }
    }
}

void facet_gx_place_default_lights(const float toward[3], const float half[3],
                                   facet_gx_light lights[8])
{
    for (int i = 0; i < 8; i++) {
        bool specular = lights[i].cosine_attenuation[2] == 1;
        for (int k = 0; k < 3; k++) {
            lights[i].position[k] = toward[k] * 1e6f;
            lights[i].direction[k] = specular ? half[k] : toward[k];
        }
    }
}

void facet_gx_default_light_direction(const double *given, float toward[3], float half[3])
{
    static const double standard[3] = {-0.4, 0.6, 0.69};
    double light[3];
    memcpy(light, given ? given : standard, sizeof light);
    if (!facet_make_unit(light))
        memcpy(light, standard, sizeof light);
    double between[3] = {light[0], light[1], light[2] + 1};
    if (!facet_make_unit(between))
        memcpy(between, light, sizeof between);
    for (int i = 0; i < 3; i++) {
        toward[i] = (float)light[i];
        half[i] = (float)between[i];
    }
}
