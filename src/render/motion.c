/* render/motion.c - materials at the time of the picture. An animation can change materials of the
 * scene, and the caller can give other states of console materials. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "scene/scene.h"

#include <string.h>

typedef struct moving {
    facet_render_view *view;
    facet_material **moved; /* one per material of the scene; NULL: unchanged */
} moving;

static bool moves_materials(const facet_render_view *view)
{
    if (!view->how.has_time)
        return false;
    const facet_animation *animation = view->renderer->scene->animations[view->how.animation];
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        if (!facet_channel_target_is_of_node(animation->channels[i].target))
            return true;
    }
    return false;
}

static facet_material *material_of(moving *m, uint32_t number)
{
    if (!m->moved[number]) {
        m->moved[number] = facet_arena_allocate(m->view->arena, 1, sizeof **m->moved);
        if (m->moved[number])
            *m->moved[number] = *m->view->renderer->scene->materials[number];
    }
    return m->moved[number];
}

/* Map of an animated material, copied at the first change, because the scene shares it. */
static facet_texture *map_of(moving *m, facet_material *material, const facet_channel *channel)
{
    const facet_material *still = m->view->renderer->scene->materials[channel->material];
    facet_texture **map = &material->maps[channel->map];
    if (*map && *map == still->maps[channel->map]) {
        facet_texture *own = facet_arena_allocate(m->view->arena, 1, sizeof *own);
        if (own)
            *own = **map;
        *map = own;
    }
    return *map;
}

static void set_texture(facet_channel_target target, const float values[4], uint32_t image_count,
                        facet_texture *texture)
{
    if (target == FACET_TARGET_TEXTURE_IMAGE) {
        if (values[0] >= 0 && values[0] < (float)image_count) {
            texture->image = (uint32_t)values[0];
            texture->has_image = true;
        }
        return;
    }
    if (!texture->has_transform) {
        texture->has_transform = true;
        texture->rotation = texture->offset[0] = texture->offset[1] = 0;
        texture->scale[0] = texture->scale[1] = 1;
    }
    if (target == FACET_TARGET_TEXTURE_OFFSET)
        memcpy(texture->offset, values, sizeof texture->offset);
    else if (target == FACET_TARGET_TEXTURE_SCALE)
        memcpy(texture->scale, values, sizeof texture->scale);
    else
        texture->rotation = values[0];
}

static bool apply(moving *m, const facet_channel *channel)
{
    const facet_scene *scene = m->view->renderer->scene;
    float values[4] = {0};
    if (facet_channel_target_is_of_node(channel->target) ||
        channel->material >= scene->material_count || channel->width > 4)
        return true;
    facet_material *material = material_of(m, channel->material);
    if (!material)
        return false;
    facet_channel_sample(channel, m->view->how.time, values);
    if (channel->target == FACET_TARGET_BASE_COLOR) {
        memcpy(material->base_color, values, sizeof material->base_color);
    } else if (channel->target == FACET_TARGET_EMISSIVE) {
        memcpy(material->emissive, values, sizeof material->emissive);
    } else {
        facet_texture *texture = map_of(m, material, channel);
        if (!texture)
            return false;
        set_texture(channel->target, values, scene->image_count, texture);
    }
    return true;
}

static bool apply_all(moving *m)
{
    const facet_render_view *view = m->view;
    const facet_animation *animation = view->renderer->scene->animations[view->how.animation];
    for (uint32_t i = 0; i < animation->channel_count; i++) {
        if (!apply(m, &animation->channels[i]))
            return false;
    }
    return true;
}

facet_status facet_render_move_materials(facet_render_view *view)
{
    const facet_renderer *r = view->renderer;
    uint32_t count = r->scene->material_count;
    bool moves = moves_materials(view);
    view->materials = r->materials;
    if (!moves && !(view->how.console && r->has_console))
        return FACET_OK;
    facet_render_material *made =
        facet_arena_allocate(view->arena, r->material_count, sizeof *made);
    moving m = {view, facet_arena_allocate_zeroed(view->arena, count, sizeof *m.moved)};
    if (!made || !m.moved || (moves && !apply_all(&m)))
        return facet_fail_arena(view->arena, view->error);
    memcpy(made, r->materials, r->material_count * sizeof *made);
    for (uint32_t i = 0; i < count; i++) {
        const facet_material *rest = r->scene->materials[i];
        if (rest->gx && view->how.console)
            facet_render_set_console(r, rest, &view->how.console[i], &made[i]);
        else if (!rest->gx && m.moved[i])
            TRY(facet_render_set_material(r, m.moved[i], view->arena, &made[i], view->error));
        if (m.moved[i] && r->has_painted_strokes)
            TRY(facet_render_set_strokes(r, m.moved[i], view->arena,
                                         &made[facet_render_stroke_material(r, i)], view->error));
    }
    view->materials = made;
    return FACET_OK;
}
