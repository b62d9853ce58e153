/* scene/clips.c - animations that are played together. */
#include "scene/clips.h"

#include "base/error.h"

#include <string.h>

bool facet_scene_is_console(const facet_scene *scene)
{
    bool any = false;
    for (uint32_t i = 0; i < scene->material_count; i++)
        any |= scene->materials[i]->gx != NULL;
    return any;
}

static bool has_name(const facet_scene *scene, uint32_t animation, const char *name)
{
    return !name || strcmp(scene->animations[animation]->name, name) == 0;
}

facet_status facet_scene_join_animations(facet_scene *scene, const char *name, uint32_t first,
                                         uint32_t end, uint32_t *joined, facet_error *error)
{
    uint32_t same = 0, channels = 0, to = 0;
    facet_animation *made = NULL;
    *joined = FACET_NONE;
    for (uint32_t i = first; i < end; i++) {
        if (!has_name(scene, i, name))
            continue;
        *joined = i;
        same++;
        channels += scene->animations[i]->channel_count;
    }
    if (same < 2)
        return FACET_OK;
    TRY(facet_scene_add_animation(scene, name ? name : "", channels, &made, error));
    for (uint32_t i = first; i < end; i++) {
        const facet_animation *from = scene->animations[i];
        if (!has_name(scene, i, name) || from->channel_count == 0)
            continue;
        memcpy(made->channels + to, from->channels, from->channel_count * sizeof *from->channels);
        to += from->channel_count;
    }
    *joined = scene->animation_count - 1;
    return FACET_OK;
}
