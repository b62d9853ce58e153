/* gx/material.c - the default material. */
#include <facet/gx_material.h>
#include <string.h>

static void init_indirect(facet_gx_indirect *indirect)
{
    memset(indirect, 0, sizeof *indirect);
    indirect->reserved = 0xFFFF;
    memset(indirect->orders, 0xFF, sizeof indirect->orders);
    for (int i = 0; i < 3; i++) {
        indirect->matrices[i].rows[0][0] = indirect->matrices[i].rows[1][1] = 0.5f;
        indirect->matrices[i].exponent = 1;
        memset(indirect->matrices[i].reserved, 0xFF, sizeof indirect->matrices[i].reserved);
    }
    for (int i = 0; i < 4; i++)
        memset(indirect->scales[i].reserved, 0xFF, sizeof indirect->scales[i].reserved);
    for (int i = 0; i < 16; i++)
        memset(indirect->stages[i].reserved, 0xFF, sizeof indirect->stages[i].reserved);
}

static const facet_gx_texture_matrix identity_matrix = {
    .projection = 1,
    .reserved = 0xFFFF,
    .center = {0.5f, 0.5f, 0.5f},
    .scale = {1, 1},
    .reserved2 = 0xFFFF,
    .effect = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
};

void facet_gx_material_init(facet_gx_material *material)
{
    static const facet_gx_rgba8 white = {0xFF, 0xFF, 0xFF, 0xFF}, gray = {0x32, 0x32, 0x32, 0x32};
    static const facet_gx_channel channel = {0, 0, 0, 2, 2, 0, {0xFF, 0xFF}};
    /* Add the raster color to the result of the stage before. */
    static const facet_gx_tev_stage stage = {
        0xFF, {{10, 15, 15, 0}, 0, 0, 0, 1, 0}, {{5, 7, 7, 0}, 0, 0, 0, 1, 0}, 0xFF};
    static const facet_gx_texgen texgen = {1, 4, 60, 0xFF};
    static const facet_gx_tev_order order = {0xFF, 0xFF, 0xFF, 0xFF};
    static const facet_gx_swap_mode swap_mode = {0, 0, {0xFF, 0xFF}};
    static const facet_gx_swap_table swap_table = {0, 1, 2, 3};
    static const facet_gx_fog fog = {
        .range_center = 0x140, .near_z = 0.1f, .far_z = 10000.0f, .color = {0xFF, 0xFF, 0xFF, 0}};

    memset(material, 0, sizeof *material);
    material->cull_mode = 2;
    material->stage_count = 1;
    material->dither = 1;
    material->depth = (facet_gx_depth){1, 3, 1, 0xFF};
    for (int i = 0; i < 2; i++) {
        material->material_colors[i] = white;
        material->ambient_colors[i] = gray;
    }
    for (int i = 0; i < 4; i++) {
        material->channels[i] = channel;
        material->konst_colors[i] = white;
        material->swap_tables[i] = swap_table;
    }
    for (int i = 0; i < 8; i++) {
        material->texgens[i] = material->post_texgens[i] = texgen;
        material->textures[i] = FACET_GX_NO_TEXTURE;
        material->samplers[i] = (facet_gx_sampler){.min_filter = 1, .mag_filter = 1};
    }
    for (int i = 0; i < 10; i++)
        material->texture_matrices[i] = identity_matrix;
    for (int i = 0; i < 20; i++)
        material->post_matrices[i] = identity_matrix;
    memset(material->konst_color_selections, 0x0C, sizeof material->konst_color_selections);
    memset(material->konst_alpha_selections, 0x1C, sizeof material->konst_alpha_selections);
    for (int i = 0; i < 16; i++) {
        material->tev_orders[i] = order;
        material->tev_stages[i] = stage;
        material->swap_modes[i] = swap_mode;
    }
    material->fog = fog;
    material->alpha_compare = (facet_gx_alpha_compare){7, 0, 0, 7, 0, {0xFF, 0xFF, 0xFF}};
    material->blend = (facet_gx_blend){1, 4, 5, 5};
    material->nbt_scale = (facet_gx_nbt_scale){0, {0xFF, 0xFF, 0xFF}, {1, 1, 1}};
    init_indirect(&material->indirect);
}
