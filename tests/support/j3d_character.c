/* tests/support/j3d_character.c - a skinned model with data that other programs lose. */
#include "support/j3d_character.h"

#include <math.h>
#include <string.h>

/* -- Joints ------------------------------------------------------------- */

enum { ROOT, HIP, SPINE, CHEST, NECK, HEAD, ARM_L, HAND_L, ARM_R, HAND_R, LEG_L, LEG_R, JOINTS };

static const struct {
    const char *name;
    unsigned parent;
    float place[3];
} joints[JOINTS] = {
    {"root", TEST_J3D_NONE, {0, 0, 0}}, {"hip", ROOT, {0, 60, 0}},   {"spine", HIP, {0, 20, 0}},
    {"chest", SPINE, {0, 25, 0}},       {"neck", CHEST, {0, 20, 0}}, {"head", NECK, {0, 10, 0}},
    {"arm", CHEST, {20, 10, 0}},        {"hand", ARM_L, {30, 0, 0}}, {"arm", CHEST, {-20, 10, 0}},
    {"hand", ARM_R, {-30, 0, 0}},       {"leg_l", HIP, {10, -5, 0}}, {"leg_r", HIP, {-10, -5, 0}},
};

/* Bind position of a joint. No joint is rotated or scaled there. */
static void bound_at(unsigned joint, double at[3])
{
    at[0] = at[1] = at[2] = 0;
    for (unsigned j = joint; j != TEST_J3D_NONE; j = joints[j].parent) {
        for (int i = 0; i < 3; i++)
            at[i] += (double)joints[j].place[i];
    }
}

/* At rest the arms hang down, the head is rotated, and one arm is larger. */
static void add_joints(test_j3d *model)
{
    for (unsigned j = 0; j < JOINTS; j++) {
        double at[3];
        test_j3d_add_joint(model, joints[j].name, joints[j].parent);
        memcpy(model->joints[j].translation, joints[j].place, sizeof joints[j].place);
        model->joints[j].kind = j == ROOT || j == HEAD || j == HAND_R || j == CHEST ? 0 : 1;
        bound_at(j, at);
        for (int i = 0; i < 3; i++)
            model->inverse_bind[j][i * 4 + 3] = (float)-at[i];
    }
    model->joints[ARM_L].rotation[2] = -12000; /* half a turn is 32767 */
    model->joints[ARM_R].rotation[2] = 12000;
    model->joints[HEAD].rotation[1] = 5000;
    model->joints[HAND_R].rotation[0] = 3000;
    model->joints[SPINE].rotation[0] = 700;
    for (int i = 0; i < 3; i++)
        model->joints[ARM_L].scale[i] = 1.5F;
    model->joints[NECK].radius = 12.5F; /* a value that no computation gives */
}

/* -- Vertices ----------------------------------------------------------- */

enum { SIDES = 8, FIRST_NORMAL = 0 };

typedef struct blend {
    unsigned joints[2];
    float first; /* weight; 1: no second joint */
} blend;

/* A ring of vertices around a bind position, perpendicular to an axis, 0 or 1. Returns its first
 * position; `draw` is its draw matrix. */
static uint32_t add_ring(test_j3d *model, const test_j3d_kind_of_character *kind, const blend *b,
                         const double center[3], int axis, double radius)
{
    double values[SIDES * 3], origin[3] = {0, 0, 0};
    if (b->first == 1) /* stored in the space of the joint */
        bound_at(b->joints[0], origin);
    for (int i = 0; i < SIDES; i++) {
        double angle = i * 2 * 3.14159265358979 / SIDES;
        int first = axis == 1 ? 0 : 1, second = 2;
        double *v = values + i * 3;
        for (int k = 0; k < 3; k++)
            v[k] = center[k] - origin[k];
        v[first] += radius * cos(angle);
        v[second] += radius * sin(angle);
    }
    return test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, kind->component, kind->fraction,
                               values, SIDES);
}

static void add_shared_arrays(test_j3d *model)
{
    double normals[SIDES * 2 * 3], texcoords[(SIDES + 1) * 3 * 2];
    static const uint8_t colors[4 * 4] = {255, 255, 255, 255, 200, 40, 40,  255,
                                          40,  200, 40,  255, 40,  40, 200, 255};
    for (int i = 0; i < SIDES; i++) {
        double angle = i * 2 * 3.14159265358979 / SIDES, c = cos(angle), s = sin(angle);
        double around_y[3] = {c, 0, s}, around_x[3] = {0, c, s};
        memcpy(normals + i * 3, around_y, sizeof around_y);
        memcpy(normals + (SIDES + i) * 3, around_x, sizeof around_x);
    }
    for (int i = 0; i < (SIDES + 1) * 3; i++) {
        texcoords[i * 2] = i % (SIDES + 1) / (double)SIDES;
        texcoords[i * 2 + 1] = i / (SIDES + 1) * 0.75 - 0.25;
    }
    test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 0, FACET_J3D_S16, 14, normals, SIDES * 2);
    test_j3d_add_colors(model, FACET_J3D_ARRAY_COLOR0, 1, FACET_J3D_RGBA8, colors, 4);
    test_j3d_add_values(model, FACET_J3D_ARRAY_TEXCOORD0, 1, FACET_J3D_S16, 9, texcoords,
                        (SIDES + 1) * 3);
}

/* -- Shapes ------------------------------------------------------------- */

/* A strip between two rings whose draw matrices are in slots of the packet. A shape with one matrix
 * ignores the slots. */
static void draw_between(test_j3d *model, uint32_t shape, const uint32_t rings[2],
                         const unsigned slots[2], int axis, bool multi, bool colored)
{
    uint16_t values[(SIDES + 1) * 2 * 5], *v = values;
    for (unsigned i = 0; i <= SIDES; i++) {
        for (unsigned k = 0; k < 2; k++) {
            if (multi)
                *v++ = (uint16_t)(slots[k] * 3);
            *v++ = (uint16_t)(rings[k] + i % SIDES);
            *v++ = (uint16_t)((axis == 1 ? 0 : SIDES) + i % SIDES);
            if (colored)
                *v++ = (uint16_t)((i + k) % 4);
            *v++ = (uint16_t)(k * (SIDES + 1) + i);
        }
    }
    test_j3d_draw(model, shape, 0x98, values, (SIDES + 1) * 2);
}

static void add_parts(test_j3d *model, uint32_t shape, bool multi, bool colored, uint32_t input)
{
    if (multi)
        test_j3d_add_part(model, shape, FACET_J3D_POSITION_MATRIX, FACET_J3D_INPUT_DIRECT);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, input);
    test_j3d_add_part(model, shape, FACET_J3D_NORMAL, input);
    if (colored)
        test_j3d_add_part(model, shape, FACET_J3D_COLOR0, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_part(model, shape, FACET_J3D_TEXCOORD0, input);
}

static uint16_t add_draw(test_j3d *model, const blend *b, const uint16_t rigid[JOINTS],
                         const uint16_t *envelope)
{
    (void)model;
    return b->first == 1 ? rigid[b->joints[0]] : *envelope;
}

static const blend body[7] = {{{HIP, 0}, 1},           {{HIP, SPINE}, 0.5F}, {{SPINE, 0}, 1},
                              {{SPINE, CHEST}, 0.25F}, {{CHEST, 0}, 1},      {{CHEST, NECK}, 0.6F},
                              {{NECK, 0}, 1}};
static const blend arms[2][3] = {{{{ARM_L, 0}, 1}, {{ARM_L, HAND_L}, 0.5F}, {{HAND_L, 0}, 1}},
                                 {{{ARM_R, 0}, 1}, {{ARM_R, HAND_R}, 0.5F}, {{HAND_R, 0}, 1}}};

/* Draw matrices: joints first, then envelopes. */
static void add_draws(test_j3d *model, uint16_t rigid[JOINTS], uint16_t body_envelopes[7],
                      uint16_t arm_envelopes[2])
{
    static const unsigned drawn[] = {HIP, SPINE, CHEST, NECK, HEAD, ARM_L, HAND_L, ARM_R, HAND_R};
    uint32_t envelope = 0;
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++)
        rigid[drawn[i]] = (uint16_t)test_j3d_add_draw(model, 0, drawn[i]);
    for (int i = 0; i < 9; i++) {
        const blend *b = i < 7 ? &body[i] : &arms[i - 7][1];
        if (b->first == 1)
            continue;
        uint16_t pair[2] = {(uint16_t)b->joints[0], (uint16_t)b->joints[1]};
        float weights[2] = {b->first, 1 - b->first};
        test_j3d_add_envelope(model, pair, weights, 2);
        uint16_t draw = (uint16_t)test_j3d_add_draw(model, 1, envelope++);
        *(i < 7 ? &body_envelopes[i] : &arm_envelopes[i - 7]) = draw;
    }
}

static void add_body(test_j3d *model, const test_j3d_kind_of_character *kind,
                     const uint16_t rigid[JOINTS], const uint16_t envelopes[7])
{
    uint32_t rings[7];
    uint16_t draws[7];
    for (int i = 0; i < 7; i++) {
        double center[3] = {0, 60 + 11 * i, 0.5 * i};
        rings[i] = add_ring(model, kind, &body[i], center, 1, 12 - i);
        draws[i] = add_draw(model, &body[i], rigid, &envelopes[i]);
    }
    uint32_t s = test_j3d_add_shape(model, FACET_J3D_SHAPE_MULTI, 1, ROOT);
    add_parts(model, s, true, false, FACET_J3D_INPUT_INDEX16);
    for (int half = 0; half < 2; half++) {
        test_j3d_add_packet(model, s, draws + half * 3, 4);
        for (unsigned i = 0; i < 3; i++)
            draw_between(model, s, rings + half * 3 + i, (unsigned[]){i, i + 1}, 1, true, false);
    }
}

static void add_sleeves(test_j3d *model, const test_j3d_kind_of_character *kind,
                        const uint16_t rigid[JOINTS], const uint16_t envelopes[2])
{
    uint32_t s = test_j3d_add_shape(model, FACET_J3D_SHAPE_MULTI, 3, ROOT);
    add_parts(model, s, true, false, FACET_J3D_INPUT_INDEX16);
    for (int arm = 0; arm < 2; arm++) {
        uint32_t rings[3];
        uint16_t draws[3];
        for (int i = 0; i < 3; i++) {
            double center[3] = {(20 + 15 * i) * (arm ? -1 : 1), 115, 0};
            rings[i] = add_ring(model, kind, &arms[arm][i], center, 0, 4);
            draws[i] = add_draw(model, &arms[arm][i], rigid, &envelopes[arm]);
        }
        test_j3d_add_packet(model, s, draws, 3);
        for (unsigned i = 0; i < 2; i++)
            draw_between(model, s, rings + i, (unsigned[]){i, i + 1}, 0, true, false);
    }
}

/* A tube on one joint. */
static void add_rigid(test_j3d *model, const test_j3d_kind_of_character *kind,
                      const uint16_t rigid[JOINTS], unsigned joint, unsigned material,
                      double radius, bool colored)
{
    const blend b = {{joint, 0}, 1};
    uint32_t rings[2];
    double center[3];
    bound_at(joint, center);
    for (int i = 0; i < 2; i++, center[1] += 7)
        rings[i] = add_ring(model, kind, &b, center, 1, radius / (i + 1));
    uint32_t s = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, material, joint);
    add_parts(model, s, false, colored, colored ? FACET_J3D_INPUT_INDEX16 : FACET_J3D_INPUT_INDEX8);
    test_j3d_add_packet(model, s, &rigid[joint], 1);
    draw_between(model, s, rings, (unsigned[]){0, 0}, 1, false, colored);
}

/* Triangles without area, on the chest. */
static void add_hidden(test_j3d *model, const uint16_t rigid[JOINTS])
{
    static const uint16_t values[3 * 3] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
    uint32_t s = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 4, CHEST);
    add_parts(model, s, false, false, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_packet(model, s, &rigid[CHEST], 1);
    test_j3d_draw(model, s, 0x98, values, 3);
}

/* -- Bounds ------------------------------------------------------------- */

/* Arbitrary bounds. They affect no drawing, but must be kept. */
static void set_bounds(test_j3d *model)
{
    for (uint32_t i = 0; i < model->shape_count; i++) {
        for (int k = 0; k < 3; k++) {
            model->shapes[i].minimum[k] = -30.0F - (float)i;
            model->shapes[i].maximum[k] = 31.0F + (float)i;
        }
        model->shapes[i].radius = 55.0F + (float)i;
    }
}

/* -- Textures and materials --------------------------------------------- */

static void add_textures(test_j3d *model)
{
    uint8_t texels[5 + 64]; /* the largest has 64 bytes, and one of these begins at 5 */
    for (int i = 0; i < 5 + 64; i++)
        texels[i] = (uint8_t)(i * 37 + 11);
    test_j3d_add_texture(model, "skin", 4, 4, 4, texels, 32);       /* RGB565 */
    test_j3d_add_texture(model, "eye", 5, 4, 4, texels + 1, 32);    /* RGB5A3 */
    test_j3d_add_texture(model, "eye", 1, 8, 4, texels + 2, 32);    /* I8, the same name */
    test_j3d_add_texture(model, "blink", 14, 8, 8, texels + 3, 32); /* CMPR, unused */
    test_j3d_add_texture(model, "glow", 9, 8, 4, texels + 4, 32);   /* C8, unused */
    test_j3d_add_texture(model, "shade", 0, 8, 8, texels + 5, 64);  /* I4 with two levels, unused */
    test_j3d_add_texture(model, "cloth", 6, 4, 4, texels, 64);      /* RGBA32 */
    test_j3d_texture *glow = &model->textures[4], *shade = &model->textures[5];
    glow->header.has_palette = 1;
    glow->header.palette_format = 2; /* RGB5A3 */
    glow->header.palette_count = 256;
    for (unsigned i = 0; i < 256; i++)
        test_bytes_u16(&glow->palette, 0x8000 | i * 113);
    shade->header.has_mipmaps = 1;
    shade->header.level_count = 2;
    shade->header.min_filter = 5;
    shade->header.max_lod = 8;
    shade->header.lod_bias = -50;
    model->textures[1].header.wrap_s = 2;
    model->textures[6].header.wrap_t = 0;
}

/* A texture times light, times another with other coordinates, plus a constant: more than one
 * texture can represent. */
static facet_j3d_material many_stages(const char *name, unsigned texture, unsigned second)
{
    static const facet_gx_tev_stage times = {
        255, {{15, 0, 8, 15}, 0, 0, 1, 1, 0}, {{7, 7, 7, 0}, 0, 0, 0, 1, 0}, 255};
    static const facet_gx_tev_stage plus = {
        255, {{0, 15, 15, 14}, 0, 0, 0, 1, 0}, {{7, 7, 7, 0}, 0, 0, 0, 1, 0}, 255};
    facet_j3d_material m = test_j3d_textured_material(name, texture);
    m.gx.channels[0] = (facet_gx_channel){1, 0, 0xFF, 2, 1, 0, {255, 255}};
    m.gx.channels[1].material_source = 0;
    m.gx.material_colors[0] = (facet_gx_rgba8){220, 210, 200, 255};
    m.gx.stage_count = 3;
    m.given.tev_orders = m.given.tev_stages = m.given.swap_modes = 7;
    m.gx.tev_stages[1] = times;
    m.gx.tev_stages[2] = plus;
    m.gx.tev_orders[1] = (facet_gx_tev_order){1, 1, 255, 255};
    m.gx.tev_orders[2] = (facet_gx_tev_order){255, 255, 255, 255};
    m.gx.swap_modes[1] = m.gx.swap_modes[2] = m.gx.swap_modes[0];
    m.given.texgens = m.given.textures = 3;
    m.gx.texgen_count = 2;
    m.gx.texgens[1] = (facet_gx_texgen){1, 1, 30, 255}; /* from normals */
    m.given.texture_matrices = 1;
    m.gx.texture_matrices[0] = (facet_gx_texture_matrix){
        .projection = 0, .mode = 1, .scale = {0.5F, 0.5F}, .center = {0.5F, 0.5F, 0.5F}};
    m.gx.textures[1] = (uint16_t)second;
    m.gx.konst_colors[0] = (facet_gx_rgba8){12, 0, 30, 255};
    m.gx.konst_color_selections[2] = 0x0C;
    return m;
}

/* In another order than their shapes. */
static void add_materials(test_j3d *model)
{
    facet_j3d_material eyes = test_j3d_textured_material("eyes", 2);
    facet_j3d_material skin = many_stages("skin_m", 0, 5);
    facet_j3d_material hat = test_j3d_textured_material("hat_m", 1);
    facet_j3d_material cloth = many_stages("cloth_m", 6, 3);
    facet_j3d_material hidden = test_j3d_textured_material("hidden_m", 4);
    eyes.gx.channels[0].material_source = eyes.gx.channels[1].material_source = 0;
    hidden.gx.channels[0].material_source = hidden.gx.channels[1].material_source = 0;
    eyes.gx.alpha_compare = (facet_gx_alpha_compare){6, 128, 0, 3, 255, {255, 255, 255}};
    eyes.gx.early_depth = 0;
    cloth.gx.cull_mode = 0;
    hat.gx.fog.type = 2;
    test_j3d_add_material(model, &eyes);
    test_j3d_add_material(model, &skin);
    test_j3d_add_material(model, &hat);
    test_j3d_add_material(model, &cloth);
    test_j3d_add_material(model, &hidden);
}

test_j3d *test_j3d_character(const test_j3d_kind_of_character *kind)
{
    uint16_t rigid[JOINTS] = {0}, body_envelopes[7] = {0}, arm_envelopes[2] = {0};
    test_j3d *model = test_j3d_new();
    add_shared_arrays(model);
    add_joints(model);
    add_draws(model, rigid, body_envelopes, arm_envelopes);
    add_hidden(model, rigid);
    add_body(model, kind, rigid, body_envelopes);
    add_rigid(model, kind, rigid, HEAD, 2, 9, true);
    add_rigid(model, kind, rigid, HAND_R, 0, 3, false);
    add_sleeves(model, kind, rigid, arm_envelopes);
    set_bounds(model);
    add_textures(model);
    add_materials(model);
    return model;
}
