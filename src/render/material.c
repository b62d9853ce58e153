/* render/material.c - materials for drawing: factors and maps with their images. Console materials
 * also get their program, texture units and lights. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/exact.h"
#include "gx/default_lights.h"
#include "scene/material_extensions.h"

#include <math.h>
#include <string.h>

/* -- Maps --------------------------------------------------------------- */

static const facet_render_image *image_of(const facet_renderer *r, const facet_texture *texture)
{
    if (!texture || !texture->has_image || texture->image >= r->scene->image_count)
        return NULL;
    const facet_render_image *image = &r->images[texture->image];
    return image->level_count ? image : NULL;
}

/* True if smaller levels of a texture are used. */
static bool has_levels(const facet_texture *t)
{
    return t->minify != FACET_FILTER_NEAREST && t->minify != FACET_FILTER_LINEAR;
}

static void set_map(const facet_renderer *r, const facet_texture *texture, bool is_color,
                    facet_render_map *map)
{
    map->image = image_of(r, texture);
    if (!map->image)
        return;
    map->uv_set = texture->uv_set < 8 ? texture->uv_set : 0;
    map->is_color = is_color;
    map->wrap_u = texture->wrap_u;
    map->wrap_v = texture->wrap_v;
    map->nearest = texture->magnify == FACET_FILTER_NEAREST;
    map->mips = has_levels(texture);
    double s = 0, c = 1;
    float scale[2] = {1, 1}, offset[2] = {0, 0};
    if (texture->has_transform) {
        facet_exact_sine_cosine((double)texture->rotation * 57.295779513082320877, &s, &c);
        memcpy(scale, texture->scale, sizeof scale);
        memcpy(offset, texture->offset, sizeof offset);
    }
    map->rows[0][0] = (float)c * scale[0];
    map->rows[0][1] = (float)s * scale[1];
    map->rows[0][2] = offset[0];
    map->rows[1][0] = -(float)s * scale[0];
    map->rows[1][1] = (float)c * scale[1];
    map->rows[1][2] = offset[1];
    if (!r->scene->axes.uv_origin_top) { /* rows of an image begin at the top */
        for (int i = 0; i < 3; i++)
            map->rows[1][i] = -map->rows[1][i];
        map->rows[1][2] += 1;
    }
}

static void set_maps(const facet_renderer *r, const facet_material *m, facet_render_material *to)
{
    set_map(r, m->maps[FACET_MAP_DIFFUSE], true, &to->color);
    set_map(r, m->maps[FACET_MAP_OPACITY], false, &to->opacity);
    set_map(r, m->maps[FACET_MAP_METALLIC_ROUGHNESS], false, &to->metal_rough);
    set_map(r, m->maps[FACET_MAP_METALLIC], false, &to->metal);
    set_map(r, m->maps[FACET_MAP_ROUGHNESS], false, &to->rough);
    set_map(r, m->maps[FACET_MAP_NORMAL], false, &to->normal);
    set_map(r, m->maps[FACET_MAP_OCCLUSION], false, &to->occluded);
    if (!m->unlit)
        set_map(r, m->maps[FACET_MAP_EMISSIVE], true, &to->emits);
    to->needs_uv |= to->color.image || to->opacity.image || to->metal_rough.image ||
                    to->metal.image || to->rough.image || to->normal.image || to->occluded.image ||
                    to->emits.image;
}

static float unit(float value)
{
    return value > 1 ? 1 : value > 0 ? value : 0;
}

/* -- Material extensions ------------------------------------------------ */

static bool has_look(const facet_material *material)
{
    for (size_t i = 0; i < FACET_MATERIAL_EXTENSION_COUNT; i++) {
        if (facet_material_extensions[i].values[0].key &&
            facet_material_extension_is_used(&facet_material_extensions[i], material))
            return true;
    }
    return false;
}

static void set_look(const facet_material *from, facet_render_look *look)
{
    float share = (from->ior - 1) / (from->ior + 1);
    for (int c = 0; c < 3; c++) {
        look->f0[c] = share * share * from->specular_color[c]; /* limited later, at each sample */
        look->sheen[c] = unit(from->sheen_color[c]);
        look->tint[c] = 1;
        look->diffuse_transmission_color[c] = from->diffuse_transmission_color[c];
    }
    look->specular = unit(from->specular);
    look->clearcoat = unit(from->clearcoat);
    look->clearcoat_roughness = unit(from->clearcoat_roughness);
    look->sheen_roughness = unit(from->sheen_roughness);
    look->transmission = unit(from->transmission);
    look->iridescence = unit(from->iridescence);
    look->film_ior = from->iridescence_ior > 1 ? from->iridescence_ior : 1;
    look->anisotropy = unit(from->anisotropy);
    look->diffuse_transmission = unit(from->diffuse_transmission);
}

static bool is_color(facet_map map)
{
    return map == FACET_MAP_DIFFUSE || map == FACET_MAP_EMISSIVE ||
           map == FACET_MAP_SPECULAR_COLOR || map == FACET_MAP_SHEEN_COLOR ||
           map == FACET_MAP_DIFFUSE_TRANSMISSION_COLOR;
}

static facet_status set_coating(const facet_renderer *r, const facet_material *from,
                                facet_arena *arena, facet_render_material *to, facet_error *error)
{
    if (from->unlit || !has_look(from))
        return FACET_OK;
    facet_render_coating *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    double sine, cosine;
    if (!made)
        return facet_fail_arena(arena, error);
    set_look(from, &made->look);
    facet_exact_sine_cosine((double)from->anisotropy_rotation * 57.295779513082320877, &sine,
                            &cosine);
    made->rotation[0] = (float)cosine;
    made->rotation[1] = (float)sine;
    memcpy(made->film_thickness, from->iridescence_thickness, sizeof made->film_thickness);
    made->clearcoat_normal_scale = facet_material_strength(from, FACET_MAP_CLEARCOAT_NORMAL);
    made->thickness = from->thickness;
    made->attenuation_distance = from->attenuation_distance;
    memcpy(made->attenuation_color, from->attenuation_color, sizeof made->attenuation_color);
    for (int i = 0; i < FACET_RENDER_LOOK_MAPS; i++) {
        facet_map map = (facet_map)(FACET_MAP_SPECULAR_FACTOR + i);
        set_map(r, from->maps[map], is_color(map), &made->maps[i]);
        to->needs_uv |= made->maps[i].image != NULL;
    }
    to->needs_uv |= made->look.anisotropy > 0;
    to->coating = made;
    return FACET_OK;
}

/* -- Physically based --------------------------------------------------- */

facet_status facet_render_set_material(const facet_renderer *r, const facet_material *from,
                                       facet_arena *arena, facet_render_material *to,
                                       facet_error *error)
{
    memset(to, 0, sizeof *to);
    TRY(set_coating(r, from, arena, to, error));
    set_maps(r, from, to);
    memcpy(to->base, from->base_color, sizeof to->base);
    for (int i = 0; i < 3 && !from->unlit; i++)
        to->emissive[i] = from->emissive[i] * from->emissive_strength;
    to->metallic = unit(from->metallic);
    to->roughness = unit(from->roughness);
    to->cutoff = from->alpha_cutoff;
    to->normal_scale = facet_material_strength(from, FACET_MAP_NORMAL);
    to->occlusion = unit(facet_material_strength(from, FACET_MAP_OCCLUSION));
    to->unlit = from->unlit;
    to->v_down = r->scene->axes.uv_origin_top;
    to->masked = from->alpha_mode == FACET_ALPHA_MASK;
    to->blended = from->alpha_mode == FACET_ALPHA_BLEND;
    bool passes = to->coating && to->coating->look.transmission > 0;
    to->kind = to->blended || passes ? FACET_RENDER_BLENDED : FACET_RENDER_SOLID;
    /* If sidedness is unknown, the winding is often wrong, so both sides are drawn. */
    to->culls = !from->double_sided && !from->sides_unknown;
    return FACET_OK;
}

/* -- Lines and points --------------------------------------------------- */

uint32_t facet_render_stroke_material(const facet_renderer *r, uint32_t material)
{
    return r->scene->material_count + FACET_RENDER_EXTRAS +
           FACET_RENDER_STROKE_MATERIALS * material;
}

/* Strokes have no texture coordinates, so they show the factors. Without normals, glTF (section
 * "Point and Line Materials") adds the emissive color to the base color. */
facet_status facet_render_set_strokes(const facet_renderer *r, const facet_material *from,
                                      facet_arena *arena,
                                      facet_render_material to[FACET_RENDER_STROKE_MATERIALS],
                                      facet_error *error)
{
    facet_material plain = *from;
    plain.double_sided = true;
    plain.anisotropy = 0;
    memset(plain.maps, 0, sizeof plain.maps);
    TRY(facet_render_set_material(r, &plain, arena, &to[FACET_RENDER_LIT_STROKE], error));
    facet_render_material *unlit = &to[FACET_RENDER_UNLIT_STROKE];
    *unlit = to[FACET_RENDER_LIT_STROKE];
    unlit->unlit = true;
    unlit->coating = NULL;
    unlit->kind = unlit->blended ? FACET_RENDER_BLENDED : FACET_RENDER_SOLID;
    return FACET_OK;
}

/* -- Console materials -------------------------------------------------- */

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);
    return length >= tail && strcmp(name + length - tail, end) == 0;
}

static bool uses_ramps(const facet_scene *scene)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        const facet_gx_material *gx = scene->materials[i]->gx;
        if (gx && facet_gx_uses_ramps(gx))
            return true;
        for (uint32_t k = 0; gx && k < 8; k++) {
            uint16_t image = gx->textures[k];
            if (image < scene->image_count && facet_gx_is_ramp(scene->images[image]->name))
                return true;
        }
    }
    return false;
}

static const uint8_t white_texel[4] = {255, 255, 255, 255};

static void set_units(const facet_renderer *r, facet_render_material *to)
{
    for (int i = 0; i < 8; i++) {
        facet_gx_texture_unit *unit_ = &to->units[i];
        uint16_t image = to->gx->textures[i];
        unit_->levels[0] = (facet_gx_level){white_texel, 1, 1};
        unit_->level_count = 1;
        if (image >= r->scene->image_count || r->images[image].level_count == 0)
            continue;
        const facet_render_image *from = &r->images[image];
        facet_gx_unit_set(&to->gx->samplers[i], unit_);
        unit_->level_count =
            from->level_count < FACET_GX_LEVELS ? from->level_count : FACET_GX_LEVELS;
        memcpy(unit_->levels, from->levels, unit_->level_count * sizeof *unit_->levels);
    }
}

/* Games draw eyes that show through hair in three steps, with the alpha of the frame. Names
 * identify the helper materials. The helpers are skipped, and the eyes are drawn by depth. */
static bool is_helper(const facet_material *material)
{
    return material->gx && (ends_with(material->name, "damA") || ends_with(material->name, "damB"));
}

void facet_render_set_console(const facet_renderer *r, const facet_material *from,
                              const facet_gx_material *gx, facet_render_material *to)
{
    memset(to, 0, sizeof *to);
    to->kind = FACET_RENDER_CONSOLE;
    to->gx = gx;
    to->skipped = is_helper(from) || gx->cull_mode == 3;
    /* if a material culls fronts, its triangles were reversed by the reader */
    to->culls = gx->cull_mode != 0;
    facet_gx_program_make(gx, &to->program);
    set_units(r, to);
    facet_gx_default_light_colors(gx, r->has_ramps,
                                  to->lights); /* console.c sets their positions */
}

/* -- All materials ------------------------------------------------------ */

static bool is_drawn(facet_map map)
{
    static const facet_map maps[] = {
        FACET_MAP_DIFFUSE,   FACET_MAP_OPACITY, FACET_MAP_METALLIC_ROUGHNESS, FACET_MAP_METALLIC,
        FACET_MAP_ROUGHNESS, FACET_MAP_NORMAL,  FACET_MAP_OCCLUSION,          FACET_MAP_EMISSIVE};
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        if (maps[i] == map)
            return true;
    }
    return map >= FACET_MAP_SPECULAR_FACTOR;
}

/* Mark the images that animation channels select. The animations of a console model may select any
 * image, so all are marked then. */
static void find_chosen(const facet_scene *scene, facet_render_use *uses)
{
    bool any = false;
    bool carried = scene->gx_file && scene->gx_file->carried_count > 0;
    carried |= scene->extras && strstr(scene->extras, "\"animations\"");
    for (uint32_t m = 0; m < scene->material_count; m++)
        any |= scene->materials[m]->gx && (scene->animation_count > 0 || carried);
    for (uint32_t i = 0; i < scene->image_count && any; i++)
        uses[i].any = uses[i].levels = true;
    for (uint32_t a = 0; a < scene->animation_count; a++) {
        const facet_animation *animation = scene->animations[a];
        for (uint32_t c = 0; c < animation->channel_count; c++) {
            const facet_channel *channel = &animation->channels[c];
            for (uint32_t k = 0;
                 channel->target == FACET_TARGET_TEXTURE_IMAGE && k < channel->key_count; k++) {
                float image = channel->values[k];
                if (!(image >= 0 && image < (float)scene->image_count))
                    continue;
                facet_render_use *use = &uses[(uint32_t)image];
                use->any = use->levels = true;
                use->color |= is_color(channel->map);
            }
        }
    }
}

static void use_console(const facet_scene *scene, const facet_gx_material *gx,
                        facet_render_use *uses)
{
    for (int i = 0; i < 8; i++) {
        const facet_gx_sampler *sampler = &gx->samplers[i];
        if (gx->textures[i] >= scene->image_count)
            continue;
        uses[gx->textures[i]].any = true;
        uses[gx->textures[i]].levels |= sampler->min_filter >= 2 && sampler->max_lod > 0;
    }
}

static void use_maps(const facet_scene *scene, const facet_material *material,
                     facet_render_use *uses)
{
    for (int map = 0; map < FACET_MAP_COUNT; map++) {
        const facet_texture *t = material->maps[map];
        if (!is_drawn((facet_map)map) || !t || !t->has_image || t->image >= scene->image_count)
            continue;
        facet_render_use *use = &uses[t->image];
        use->any = true;
        use->color |= is_color((facet_map)map);
        use->levels |= has_levels(t);
    }
}

/* Mark the images of materials that faces use; others are not decoded. */
static facet_status find_used(const facet_renderer *r, facet_render_use *uses, facet_error *error)
{
    const facet_scene *scene = r->scene;
    bool *drawn = facet_arena_allocate_zeroed(r->arena, scene->material_count, sizeof *drawn);
    if (!drawn)
        return facet_fail_arena(r->arena, error);
    for (uint32_t b = 0; b < r->batch_count; b++) {
        uint32_t material = r->batches[b].material;
        if (material < scene->material_count)
            drawn[material] = true;
    }
    for (uint32_t m = 0; m < scene->material_count; m++) {
        const facet_material *material = scene->materials[m];
        if (drawn[m] && material->gx)
            use_console(scene, material->gx, uses);
        else if (drawn[m])
            use_maps(scene, material, uses);
    }
    find_chosen(scene, uses);
    /* Images without data or pixels cannot be decoded. */
    for (uint32_t i = 0; i < scene->image_count; i++)
        uses[i].any &= scene->images[i]->data || scene->images[i]->pixels;
    return FACET_OK;
}

facet_status facet_render_materials(facet_renderer *r, const facet_options *options,
                                    facet_error *error)
{
    const facet_scene *scene = r->scene;
    facet_render_use *uses =
        facet_arena_allocate_zeroed(r->arena, scene->image_count, sizeof *uses);
    r->images = facet_arena_allocate_zeroed(r->arena, scene->image_count, sizeof *r->images);
    r->material_count =
        facet_render_stroke_material(r, r->has_painted_strokes ? scene->material_count : 0);
    r->materials = facet_arena_allocate_zeroed(r->arena, r->material_count, sizeof *r->materials);
    if (!uses || !r->images || !r->materials)
        return facet_fail_arena(r->arena, error);
    TRY(find_used(r, uses, error));
    TRY(facet_render_images(scene, uses, r->arena, r->images, options, error));
    r->has_ramps = uses_ramps(scene);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (scene->materials[i]->gx)
            facet_render_set_console(r, scene->materials[i], scene->materials[i]->gx,
                                     &r->materials[i]);
        else
            TRY(facet_render_set_material(r, scene->materials[i], r->arena, &r->materials[i],
                                          error));
        r->has_console |= scene->materials[i]->gx != NULL;
        if (r->has_painted_strokes)
            TRY(facet_render_set_strokes(r, scene->materials[i], r->arena,
                                         &r->materials[facet_render_stroke_material(r, i)], error));
    }
    static const float colors[FACET_RENDER_EXTRAS][4] = {
        [FACET_RENDER_NO_MATERIAL] = {0.6f, 0.6f, 0.6f, 1},
        [FACET_RENDER_HULL] = {0.05f, 0.35f, 0.9f, 0.35f},
        [FACET_RENDER_OCCLUDERS] = {0.9f, 0.35f, 0.05f, 0.35f},
        /* the vertex colors are factors */
        [FACET_RENDER_STROKE] = {1, 1, 1, 1},
        [FACET_RENDER_FLAT_STROKE] = {1, 1, 1, 1},
        /* visible on white and on black */
        [FACET_RENDER_PLAIN_STROKE] = {0.2f, 0.2f, 0.2f, 1}};
    for (uint32_t i = 0; i < FACET_RENDER_EXTRAS; i++) {
        facet_render_material *m = &r->materials[scene->material_count + i];
        memcpy(m->base, colors[i], sizeof m->base);
        m->roughness = 0.5f;
        m->occlusion = m->normal_scale = 1;
        m->unlit = i == FACET_RENDER_FLAT_STROKE || i == FACET_RENDER_PLAIN_STROKE;
        m->blended = colors[i][3] < 1;
        m->kind = colors[i][3] < 1 ? FACET_RENDER_BLENDED : FACET_RENDER_SOLID;
    }
    return FACET_OK;
}
