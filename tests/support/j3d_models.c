/* tests/support/j3d_models.c - complete materials and models of j3d_make.h. */
#include "support/j3d_make.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Materials ---------------------------------------------------------- */

facet_j3d_material test_j3d_minimal_material(const char *name)
{
    static const facet_gx_channel vertex = {0, 1, 0, 2, 1, 0, {255, 255}};
    static const facet_gx_channel unused = {0, 0, 0, 0, 2, 0, {255, 255}};
    static const facet_gx_tev_stage raster = {
        255, {{15, 15, 15, 10}, 0, 0, 0, 1, 0}, {{7, 7, 7, 5}, 0, 0, 0, 1, 0}, 255};
    facet_j3d_material m;
    memset(&m, 0, sizeof m);
    m.name.bytes = name;
    m.mode = 1;
    m.given = (facet_gx_given){.cull_mode = true,
                               .channel_count = true,
                               .texgen_count = true,
                               .stage_count = true,
                               .early_depth = true,
                               .depth = true,
                               .dither = true,
                               .fog = true,
                               .alpha_compare = true,
                               .blend = true,
                               .nbt_scale = true,
                               .indirect = true,
                               .material_colors = 3,
                               .channels = 15,
                               .ambient_colors = 3,
                               .konst_colors = 15,
                               .tev_registers = 15,
                               .swap_tables = 15,
                               .tev_orders = 1,
                               .tev_stages = 1,
                               .swap_modes = 1};
    m.gx.cull_mode = 2;
    m.gx.channel_count = m.gx.stage_count = 1;
    m.gx.early_depth = m.gx.dither = 1;
    m.gx.depth = (facet_gx_depth){1, 3, 1, 255};
    m.gx.channels[0] = m.gx.channels[1] = vertex;
    m.gx.channels[2] = m.gx.channels[3] = unused;
    memset(m.gx.material_colors, 0xFF, sizeof m.gx.material_colors);
    memset(m.gx.ambient_colors, 0x32, sizeof m.gx.ambient_colors);
    memset(m.gx.textures, 0xFF, sizeof m.gx.textures);
    memset(m.gx.konst_colors, 0xFF, sizeof m.gx.konst_colors);
    memset(m.gx.konst_color_selections, 0x0C, sizeof m.gx.konst_color_selections);
    memset(m.gx.konst_alpha_selections, 0x1C, sizeof m.gx.konst_alpha_selections);
    memset(m.unused, 0xFF, sizeof m.unused);
    m.gx.tev_orders[0] = (facet_gx_tev_order){255, 255, 4, 255};
    m.gx.tev_stages[0] = raster;
    m.gx.swap_modes[0] = (facet_gx_swap_mode){0, 0, {255, 255}};
    for (int i = 0; i < 4; i++)
        m.gx.swap_tables[i] = (facet_gx_swap_table){0, 1, 2, 3};
    memset(&m.gx.fog.color, 0xFF, sizeof m.gx.fog.color);
    m.gx.alpha_compare = (facet_gx_alpha_compare){7, 0, 1, 7, 0, {255, 255, 255}};
    m.gx.blend = (facet_gx_blend){0, 1, 0, 3};
    m.gx.nbt_scale = (facet_gx_nbt_scale){0, {255, 255, 255}, {1, 1, 1}};
    m.gx.indirect.reserved = 0xFFFF;
    memset(m.gx.indirect.orders, 0xFF, sizeof m.gx.indirect.orders);
    for (int i = 0; i < 3; i++) {
        m.gx.indirect.matrices[i].rows[0][0] = m.gx.indirect.matrices[i].rows[1][1] = 0.5F;
        m.gx.indirect.matrices[i].exponent = 1;
        memset(m.gx.indirect.matrices[i].reserved, 0xFF, 3);
    }
    for (int i = 0; i < 4; i++)
        memset(m.gx.indirect.scales[i].reserved, 0xFF, 2);
    for (int i = 0; i < 16; i++)
        memset(m.gx.indirect.stages[i].reserved, 0xFF, 3);
    return m;
}

facet_j3d_material test_j3d_textured_material(const char *name, unsigned texture)
{
    static const facet_gx_tev_stage modulate = {
        255, {{15, 8, 10, 15}, 0, 0, 0, 1, 0}, {{7, 4, 5, 7}, 0, 0, 0, 1, 0}, 255};
    facet_j3d_material m = test_j3d_minimal_material(name);
    m.given.texgens = 1;
    m.given.textures = 1;
    m.gx.texgen_count = 1;
    m.gx.texgens[0] = (facet_gx_texgen){1, 4, 60, 255};
    m.gx.textures[0] = (uint16_t)texture;
    m.gx.tev_orders[0] = (facet_gx_tev_order){0, 0, 4, 255};
    m.gx.tev_stages[0] = modulate;
    return m;
}

/* -- A small model with everything -------------------------------------- */

static void add_small_arrays(test_j3d *model)
{
    static const double positions[10 * 3] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1,   0, 0, 0,   1,
                                             1, 0, 1, 1, 1, 1, 0, 1, 1, 2, 0.5, 0, 2, 0.5, 1};
    static const double normals[6 * 3] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    static const uint8_t colors[4 * 4] = {255, 255, 255, 255, 255, 0, 0,   255,
                                          0,   255, 0,   128, 0,   0, 255, 0};
    static const double texcoords[5 * 2] = {0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.25};
    static const double others[3 * 2] = {0.25, 0.75, -1.5, 2, 3, 3};
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_S16, 8, positions, 10);
    test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 0, FACET_J3D_S16, 14, normals, 6);
    test_j3d_add_colors(model, FACET_J3D_ARRAY_COLOR0, 1, FACET_J3D_RGBA8, colors, 4);
    test_j3d_add_colors(model, FACET_J3D_ARRAY_COLOR0 + 1, 1, FACET_J3D_RGBA8, colors + 4, 3);
    test_j3d_add_values(model, FACET_J3D_ARRAY_TEXCOORD0, 1, FACET_J3D_S16, 10, texcoords, 5);
    test_j3d_add_values(model, FACET_J3D_ARRAY_TEXCOORD0 + 1, 1, FACET_J3D_F32, 0, others, 3);
}

static void add_small_skeleton(test_j3d *model)
{
    static const uint16_t pair[2] = {1, 2}, three[3] = {2, 0, 1};
    static const float halves[2] = {0.5F, 0.5F}, parts[3] = {0.25F, 0.5F, 0.25F};
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_joint(model, "arm", 0);
    test_j3d_add_joint(model, "hand", 1);
    model->joints[1].translation[0] = 1;
    model->joints[1].kind = 1;
    model->joints[2].translation[1] = 2;
    model->joints[2].rotation[2] = 16383; /* a quarter turn about z */
    model->joints[2].kind = 1;
    /* From model to joint space: the inverse of the joints' positions. */
    model->inverse_bind[1][3] = -1;
    static const float hand[12] = {0, 1, 0, -2, -1, 0, 0, 1, 0, 0, 1, 0};
    memcpy(model->inverse_bind[2], hand, sizeof hand);
    test_j3d_add_envelope(model, pair, halves, 2);
    test_j3d_add_envelope(model, three, parts, 3);
    test_j3d_add_draw(model, 0, 0);
    test_j3d_add_draw(model, 0, 1);
    test_j3d_add_draw(model, 0, 2);
    test_j3d_add_draw(model, 1, 0);
    test_j3d_add_draw(model, 1, 1);
}

/* One matrix and every primitive: position 16 bits, normal 8, color 16, texcoord 16. */
static void add_single_shape(test_j3d *model)
{
    static const uint16_t root = 0;
    static const uint16_t quads[8 * 4] = {0, 5, 0, 0, 3, 5, 1, 3, 2, 5, 2, 2, 1, 5, 3, 1,
                                          4, 4, 0, 0, 5, 4, 0, 1, 6, 4, 0, 2, 7, 4, 0, 3};
    static const uint16_t triangles[3 * 4] = {1, 0, 0, 0, 2, 0, 0, 1, 6, 0, 0, 2};
    static const uint16_t strip[6 * 4] = {0, 1, 0, 0, 4, 1, 0, 1, 3, 1, 0, 2,
                                          7, 1, 0, 3, 7, 1, 0, 3, 2, 1, 0, 4};
    static const uint16_t fan[4 * 4] = {8, 0, 1, 4, 1, 0, 1, 0, 2, 0, 1, 1, 6, 0, 1, 2};
    static const uint16_t lines[4 * 4] = {8, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
    uint32_t s = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
    test_j3d_add_part(model, s, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, s, FACET_J3D_NORMAL, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_part(model, s, FACET_J3D_COLOR0, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, s, FACET_J3D_TEXCOORD0, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_packet(model, s, &root, 1);
    test_j3d_draw(model, s, 0x80, quads, 4);
    test_j3d_draw(model, s, 0x88, quads + 16, 4);
    test_j3d_draw(model, s, 0x90, triangles, 3);
    test_j3d_draw(model, s, 0x98, strip, 6);
    test_j3d_draw(model, s, 0xA0, fan, 4);
    test_j3d_draw(model, s, 0xA8, lines, 4);
    test_j3d_draw(model, s, 0xB0, lines, 3);
    test_j3d_draw(model, s, 0xB8, lines, 2);
}

/* Many matrices and two packets; the second keeps slot 0 of the first. */
static void add_multi_shape(test_j3d *model)
{
    static const uint16_t first[3] = {0, 3, 4}, second[3] = {0xFFFF, 1, 2};
    static const uint16_t strip[4 * 5] = {0, 30, 0, 4, 0, 3, 33, 1, 4, 1,
                                          6, 36, 3, 4, 2, 3, 33, 2, 4, 0};
    static const uint16_t other[3 * 5] = {0, 30, 2, 4, 0, 3, 33, 8, 4, 1, 6, 36, 9, 4, 2};
    uint32_t s = test_j3d_add_shape(model, FACET_J3D_SHAPE_MULTI, 1, 0);
    test_j3d_add_part(model, s, FACET_J3D_POSITION_MATRIX, FACET_J3D_INPUT_DIRECT);
    test_j3d_add_part(model, s, FACET_J3D_TEXTURE_MATRIX0, FACET_J3D_INPUT_DIRECT);
    test_j3d_add_part(model, s, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, s, FACET_J3D_NORMAL, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, s, FACET_J3D_TEXCOORD0 + 1, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_packet(model, s, first, 3);
    test_j3d_draw(model, s, 0x98, strip, 4);
    test_j3d_add_packet(model, s, second, 3);
    test_j3d_draw(model, s, 0x90, other, 3);
}

/* A billboard on the arm, with both colors. */
static void add_billboard(test_j3d *model)
{
    static const uint16_t arm = 1;
    static const uint16_t quad[4 * 3] = {0, 0, 0, 3, 1, 1, 2, 2, 2, 1, 3, 0};
    uint32_t s = test_j3d_add_shape(model, FACET_J3D_SHAPE_BILLBOARD, 1, 1);
    test_j3d_add_part(model, s, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_part(model, s, FACET_J3D_COLOR0, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_part(model, s, FACET_J3D_COLOR0 + 1, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_packet(model, s, &arm, 1);
    test_j3d_draw(model, s, 0x80, quad, 4);
}

test_j3d *test_j3d_small(void)
{
    static const uint8_t checker[32] = {0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F};
    test_j3d *model = test_j3d_new();
    add_small_arrays(model);
    add_small_skeleton(model);
    add_single_shape(model);
    add_multi_shape(model);
    add_billboard(model);
    facet_j3d_material textured = test_j3d_textured_material("skin", 0);
    facet_j3d_material plain = test_j3d_minimal_material("cloth");
    plain.gx.texgen_count = plain.given.texgens = 1;
    plain.gx.texgens[0] = (facet_gx_texgen){1, 5, 60, 255};
    test_j3d_add_material(model, &textured);
    test_j3d_add_material(model, &plain);
    test_j3d_add_texture(model, "checker", 0, 8, 8, checker, sizeof checker);
    return model;
}

/* -- Sheets ------------------------------------------------------------- */

#define SIDE 250 /* vertices along a sheet: all sheets share one array of positions */

static void add_sheet_arrays(test_j3d *model)
{
    enum { COUNT = SIDE * SIDE };
    double *v = malloc(sizeof *v * COUNT * 8);
    uint8_t *colors = malloc(256 * 4);
    if (!v || !colors)
        abort();
    double *normals = v + COUNT * 3, *texcoords = normals + COUNT * 3;
    for (int i = 0; i < COUNT; i++) {
        double x = i % SIDE / (SIDE - 1.0), z = i / SIDE / (SIDE - 1.0);
        double dx = 2 * cos(40 * x) * cos(31 * z), dz = -1.55 * sin(40 * x) * sin(31 * z);
        double length = sqrt(dx * dx + dz * dz + 1);
        v[i * 3] = 100 * x;
        v[i * 3 + 1] = 5 * sin(40 * x) * cos(31 * z);
        v[i * 3 + 2] = 100 * z;
        normals[i * 3] = -dx / length;
        normals[i * 3 + 1] = 1 / length;
        normals[i * 3 + 2] = -dz / length;
        texcoords[i * 2] = x;
        texcoords[i * 2 + 1] = z;
    }
    for (int i = 0; i < 256 * 4; i++)
        colors[i] = (uint8_t)(i % 4 == 3 ? 255 : i * 7);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_S16, 8, v, COUNT);
    test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 0, FACET_J3D_S16, 14, normals, COUNT);
    test_j3d_add_colors(model, FACET_J3D_ARRAY_COLOR0, 1, FACET_J3D_RGBA8, colors, 256);
    test_j3d_add_values(model, FACET_J3D_ARRAY_TEXCOORD0, 1, FACET_J3D_S16, 12, texcoords, COUNT);
    free(v);
    free(colors);
}

static void add_sheet_skeleton(test_j3d *model, bool skinned)
{
    static const float weights[2] = {0.75F, 0.25F};
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    for (uint16_t i = 1; skinned && i < 4; i++) {
        test_j3d_add_joint(model, "bone", i - 1);
        model->joints[i].translation[0] = 25;
        model->inverse_bind[i][3] = -25 * (float)i;
    }
    test_j3d_add_draw(model, 0, 0);
    for (uint16_t i = 0; skinned && i < 3; i++) {
        uint16_t joints[2] = {i, (uint16_t)(i + 1)};
        test_j3d_add_envelope(model, joints, weights, 2);
    }
    for (uint16_t i = 0; skinned && i < 3; i++)
        test_j3d_add_draw(model, 1, i);
}

/* Rows of a sheet as strips. A shape has 40 rows, a packet has one. */
static uint32_t add_sheet_rows(test_j3d *model, uint32_t first_row, uint32_t rows, bool skinned)
{
    static const uint16_t matrices[4] = {0, 1, 2, 3};
    uint16_t values[SIDE * 2 * 5], *v;
    uint32_t s =
        test_j3d_add_shape(model, skinned ? FACET_J3D_SHAPE_MULTI : FACET_J3D_SHAPE_SINGLE, 0, 0);
    if (skinned)
        test_j3d_add_part(model, s, FACET_J3D_POSITION_MATRIX, FACET_J3D_INPUT_DIRECT);
    test_j3d_add_part(model, s, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, s, FACET_J3D_NORMAL, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, s, FACET_J3D_COLOR0, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_part(model, s, FACET_J3D_TEXCOORD0, FACET_J3D_INPUT_INDEX16);
    for (uint32_t row = first_row; row < first_row + rows; row++) {
        if (skinned || row == first_row)
            test_j3d_add_packet(model, s, matrices, skinned ? 4 : 1);
        v = values;
        for (uint32_t i = 0; i < SIDE * 2; i++) {
            uint32_t x = i / 2, at = (row + i % 2) * SIDE + x;
            if (skinned)
                *v++ = (uint16_t)(3 * (x * 4 / SIDE));
            *v++ = (uint16_t)at;
            *v++ = (uint16_t)at;
            *v++ = (uint16_t)(x & 255);
            *v++ = (uint16_t)at;
        }
        test_j3d_draw(model, s, 0x98, values, SIDE * 2);
    }
    return rows * (SIDE - 1) * 2;
}

test_j3d *test_j3d_sheets(uint32_t triangles, bool skinned, size_t texture_bytes)
{
    test_j3d *model = test_j3d_new();
    add_sheet_arrays(model);
    add_sheet_skeleton(model, skinned);
    for (uint32_t row = 0, made = 0; made < triangles;) {
        uint32_t rows = SIDE - 1 - row < 40 ? SIDE - 1 - row : 40;
        uint32_t wanted = (triangles - made) / ((SIDE - 1) * 2) + 1;
        rows = wanted < rows ? wanted : rows;
        made += add_sheet_rows(model, row, rows, skinned);
        row = (row + rows) % (SIDE - 1);
    }
    facet_j3d_material material = test_j3d_textured_material("sheet", 0);
    material.given.textures = texture_bytes > 0;
    test_j3d_add_material(model, &material);
    /* Textures of noise, 256 x 256 in RGB565, until their size is sufficient. */
    for (size_t done = 0; done < texture_bytes; done += 256 * 256 * 2) {
        static uint8_t texels[256 * 256 * 2];
        uint32_t state = (uint32_t)done + 1;
        for (size_t i = 0; i < sizeof texels; i++)
            texels[i] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24);
        test_j3d_add_texture(model, "noise", 4, 256, 256, texels, sizeof texels);
    }
    return model;
}
