/* formats/j3d/scene/to_scene/material_inputs.c - inputs of the stages: textures with their mapping,
 * and raster colors. */
#include "formats/j3d/scene/to_scene/material_work.h"

#include "gx/texture_matrix.h"

#include <math.h>
#include <string.h>

/* -- Texture coordinates ------------------------------------------------ */

enum {
    FIRST_TEXTURE_MATRIX = 30,
    IDENTITY_MATRIX = 60,
    FIRST_TEXCOORD_SOURCE = 4,
    NORMAL_SOURCE = 1
};

/* True for modes whose input depends on the view. */
static bool follows_view(unsigned mode)
{
    return mode == 1 || mode == 3 || mode == 6 || mode == 7 || mode == 9;
}

/* True if it reflects: by normals, or through an environment matrix. */
static bool mirrors(const facet_gx_material *gx, const facet_gx_texgen *gen)
{
    if (gen->source == NORMAL_SOURCE)
        return true;
    if (gen->matrix < FIRST_TEXTURE_MATRIX || gen->matrix >= IDENTITY_MATRIX)
        return false;
    unsigned mode = gx->texture_matrices[(gen->matrix - FIRST_TEXTURE_MATRIX) / 3].mode & 0x3F;
    return mode == 1 || mode == 6 || mode == 7 || mode == 10 || mode == 11;
}

static j3d_mapping mapping_of(const facet_gx_material *gx, uint8_t texcoord)
{
    j3d_mapping map = {.rows = {{1, 0, 0, 0}, {0, 1, 0, 0}}};
    if (texcoord >= 8 || texcoord >= gx->texgen_count)
        return map;
    const facet_gx_texgen *gen = &gx->texgens[texcoord];
    map.from_light = gen->type == 10;
    map.mirrors = gen->type <= 1 && mirrors(gx, gen);
    if (gen->type > 1 || gen->source < FIRST_TEXCOORD_SOURCE ||
        gen->source >= FIRST_TEXCOORD_SOURCE + 8)
        return map;
    map.texcoord = (uint8_t)(gen->source - FIRST_TEXCOORD_SOURCE);
    map.is_uv = true;
    if (gen->matrix < FIRST_TEXTURE_MATRIX || gen->matrix >= IDENTITY_MATRIX)
        return map;
    const facet_gx_texture_matrix *record =
        &gx->texture_matrices[(gen->matrix - FIRST_TEXTURE_MATRIX) / 3];
    float rows[3][4];
    map.is_uv = !follows_view(record->mode & 0x3F);
    facet_gx_texture_matrix_rows(record, facet_gx_exact_rotation(record->rotation), rows);
    /* Division by a third coordinate that is constant. */
    float q = rows[2][2] + rows[2][3];
    bool divides =
        gen->type == 0 && record->projection == 0 && rows[2][0] == 0 && rows[2][1] == 0 && q != 0;
    for (int i = 0; i < 8; i++) {
        map.rows[i / 4][i % 4] = rows[i / 4][i % 4] / (divides ? q : 1);
        map.is_uv &= isfinite(map.rows[i / 4][i % 4]);
    }
    return map;
}

bool facet_j3d_same_mapping(const j3d_mapping *a, const j3d_mapping *b)
{
    return a->is_uv == b->is_uv && a->from_light == b->from_light && a->texcoord == b->texcoord &&
           memcmp(a->rows, b->rows, sizeof a->rows) == 0;
}

/* -- Inputs of the stages ----------------------------------------------- */

static uint8_t raster_channel(uint8_t channel)
{
    return channel == 0 || channel == 2 || channel == 4   ? 0
           : channel == 1 || channel == 3 || channel == 5 ? 1
                                                          : 0xFF;
}

static int find_texture(j3d_material_work *w, uint16_t texture, const j3d_mapping *map)
{
    for (uint32_t i = 0; i < w->texture_count; i++) {
        if (w->textures[i].texture == texture && facet_j3d_same_mapping(&w->textures[i].map, map))
            return (int)i;
    }
    w->textures[w->texture_count].texture = texture;
    w->textures[w->texture_count].map = *map;
    return (int)w->texture_count++;
}

/* The color of a channel's register. A highlight is only visible where it mirrors a light. So use
 * the register's color under ambient light. */
static void register_color(const facet_gx_material *gx, unsigned channel, uint8_t out[4])
{
    const facet_gx_rgba8 *c = &gx->material_colors[channel], *light = &gx->ambient_colors[channel];
    const facet_gx_channel *lit = &gx->channels[(size_t)channel * 2];
    out[0] = c->r, out[1] = c->g, out[2] = c->b, out[3] = c->a;
    if (!lit->lighting || lit->attenuation_function != 0 || lit->ambient_source != 0)
        return;
    out[0] = (uint8_t)(c->r * light->r / 255);
    out[1] = (uint8_t)(c->g * light->g / 255);
    out[2] = (uint8_t)(c->b * light->b / 255);
}

void facet_j3d_find_leaves(const j3d_painter *p, j3d_material_work *w)
{
    uint32_t stages = facet_gx_tev_stage_count(&w->gx);
    for (uint32_t i = 0; i < 16; i++) {
        const facet_gx_tev_order *order = &w->gx.tev_orders[i];
        facet_gx_tev_leaf *leaf = &w->leaves[i];
        memset(leaf, 0, sizeof *leaf);
        /* Without a texture a stage reads white, without a channel black. */
        memset(leaf->texel, 0xFF, 4);
        leaf->texture = leaf->raster = -1;
        if (i >= stages)
            continue;
        uint16_t texture = order->texmap < 8 ? w->gx.textures[order->texmap] : FACET_J3D_NONE;
        if (texture < p->document->textures.count) {
            j3d_mapping map = mapping_of(&w->gx, order->texcoord);
            leaf->texture = find_texture(w, texture, &map);
        }
        uint8_t channel = raster_channel(order->channel);
        if (channel == 0xFF)
            continue;
        leaf->raster = channel;
        register_color(&w->gx, channel, leaf->color);
    }
}
