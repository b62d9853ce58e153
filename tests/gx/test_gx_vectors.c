/* The chip's arithmetic, part by part, compared with a reference file next to the corpus, if
 * present. The values of that file come from a separate evaluator, which was compared with an
 * emulator of the console. */
#include "gx/pixel.h"
#include "gx/sample.h"
#include "gx/tev.h"
#include "gx/texture_matrix.h"
#include "gx/vertex.h"
#include "support/support.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* -- The reference file ------------------------------------------------- */

/* The file uses the other spelling. */
#define COLOR \
    "colo"    \
    "ur"
#define NORMALIZE \
    "norm"        \
    "alise"
#define CENTER \
    "cent"     \
    "re"

static json_t *reference;

static const json_t *rows(const char *key)
{
    const json_t *list = json_object_get(reference, key);
    assert_non_null(list);
    return list;
}

static int number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_true(value) ? 1 : (int)json_number_value(value);
}

static int item(const json_t *list, size_t i)
{
    return (int)json_number_value(json_array_get(list, i));
}

static float real(const json_t *list, size_t i)
{
    return (float)json_number_value(json_array_get(list, i));
}

static const char *word(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    assert_non_null(text);
    return text;
}

static uint8_t index_of(const char *text, const char *const *words)
{
    uint8_t i = 0;
    while (words[i] && strcmp(words[i], text) != 0)
        i++;
    if (!words[i])
        fail_msg("unknown word %s", text);
    return i;
}

static void bytes_of(const json_t *list, uint8_t *out, size_t count)
{
    for (size_t i = 0; i < count; i++)
        out[i] = (uint8_t)item(list, i);
}

static void reals_of(const json_t *list, float *out, size_t count)
{
    for (size_t i = 0; i < count && i < json_array_size(list); i++)
        out[i] = real(list, i);
}

/* A stage with the inputs A = values 0 to 3, B = 4 to 7 and so on, r g b a each. */
static facet_gx_program_stage bare_stage(const json_t *row)
{
    static const char *const scales[] = {"1", "2", "4", "1/2", NULL};
    facet_gx_program_stage stage = {0};
    for (uint8_t i = 0; i < 16; i++)
        stage.inputs[i / 4][i % 4] = i;
    const json_t *scale = json_object_get(row, "scale"), *bias = json_object_get(row, "bias");
    uint8_t s = scale ? index_of(json_string_value(scale), scales) : 0;
    stage.color.shift = s < 3 ? s : 0;
    stage.color.half = s == 3;
    stage.color.bias = bias ? (int16_t)atoi(json_string_value(bias)) : 0;
    stage.color.clamp = number(row, "clamp") != 0;
    return stage;
}

static void regular_stages(void)
{
    size_t i;
    const json_t *row;
    json_array_foreach((json_t *)rows("tev_regular"), i, row)
    {
        facet_gx_program_stage stage = bare_stage(row);
        stage.color.operation = strcmp(word(row, "op"), "sub") == 0;
        stage.alpha = stage.color;
        int values[FACET_GX_VALUES];
        for (int c = 0; c < 4; c++) {
            values[c] = number(row, "a"), values[4 + c] = number(row, "b");
            values[8 + c] = number(row, "c"), values[12 + c] = number(row, "d");
        }
        facet_gx_stage_run(&stage, values);
        for (int c = 0; c < 4; c++)
            assert_int_equal(values[c], number(row, "out"));
    }
    json_array_foreach((json_t *)rows("tev_input_wrap"), i, row)
    {
        const json_t *r = json_object_get(row, "registers");
        facet_gx_program_stage stage = bare_stage(row);
        stage.alpha = stage.color;
        int values[FACET_GX_VALUES];
        for (int c = 0; c < 4; c++) {
            values[c] = number(r, "a"), values[4 + c] = number(r, "b");
            values[8 + c] = number(r, "c"), values[12 + c] = number(r, "d");
        }
        facet_gx_stage_run(&stage, values);
        assert_int_equal(values[0], number(row, "out"));
    }
}

static void comparing_stages(void)
{
    static const char *const ops[] = {"R8_GT",    "R8_EQ",   "GR16_GT", "GR16_EQ", "BGR24_GT",
                                      "BGR24_EQ", "RGB8_GT", "RGB8_EQ", NULL};
    static const char *const alpha_ops[] = {"R8_GT",    "R8_EQ", "GR16_GT", "GR16_EQ", "BGR24_GT",
                                            "BGR24_EQ", "A8_GT", "A8_EQ",   NULL};
    size_t i;
    const json_t *row;
    json_array_foreach((json_t *)rows("tev_compare_" COLOR), i, row)
    {
        facet_gx_program_stage stage = bare_stage(row);
        stage.color.operation = 8 + index_of(word(row, "op"), ops);
        static const char *const keys[] = {"a", "b", "c", "d"};
        int values[FACET_GX_VALUES] = {0};
        for (size_t k = 0; k < 12; k++)
            values[k / 3 * 4 + k % 3] = item(json_object_get(row, keys[k / 3]), k % 3);
        facet_gx_stage_run(&stage, values);
        for (size_t c = 0; c < 3; c++)
            assert_int_equal(values[c], item(json_object_get(row, "out"), c));
    }
    json_array_foreach((json_t *)rows("tev_compare_alpha"), i, row)
    {
        facet_gx_program_stage stage = bare_stage(row);
        stage.alpha = stage.color;
        stage.alpha.operation = 8 + index_of(word(row, "op"), alpha_ops);
        int values[FACET_GX_VALUES] = {0};
        for (size_t c = 0; c < 4; c++) {
            values[c] = item(json_object_get(row, "a"), c);
            values[4 + c] = item(json_object_get(row, "b"), c);
        }
        values[11] = number(row, "c"), values[15] = number(row, "d");
        facet_gx_stage_run(&stage, values);
        assert_int_equal(values[3], number(row, "out"));
    }
}

static void set_combiner(const json_t *from, facet_gx_tev_combiner *to)
{
    bytes_of(json_object_get(from, "in"), to->inputs, 4);
    to->bias = (uint8_t)number(from, "bias");
    to->scale = (uint8_t)number(from, "scale");
    to->operation = (uint8_t)number(from, "op");
    if (to->bias == 3) /* the hardware encodes comparisons this way */
        to->operation = (uint8_t)(8 + to->scale * 2 + to->operation);
    to->clamp = (uint8_t)number(from, "clamp");
    to->destination = (uint8_t)number(from, "dest");
}

static facet_gx_rgba8 rgba8(const json_t *list)
{
    uint8_t c[4];
    bytes_of(list, c, 4);
    return (facet_gx_rgba8){c[0], c[1], c[2], c[3]};
}

static void give_texel(void *user, unsigned map, unsigned texcoord, const int32_t at[2],
                       uint8_t texel[4])
{
    (void)texcoord, (void)at;
    bytes_of(json_array_get(user, map), texel, 4);
}

static void whole_pixels(void)
{
    size_t i, k;
    const json_t *row, *stage;
    json_array_foreach((json_t *)rows("pixels"), i, row)
    {
        const json_t *s = json_object_get(row, "state");
        facet_gx_material m;
        facet_gx_material_init(&m);
        m.texgen_count = 8;
        m.channel_count = 2;
        for (k = 0; k < 4; k++) {
            const json_t *c = json_array_get(json_object_get(s, "color"), (k + 1) & 3);
            m.tev_registers[k] = (facet_gx_rgba16){(int16_t)item(c, 0), (int16_t)item(c, 1),
                                                   (int16_t)item(c, 2), (int16_t)item(c, 3)};
            m.konst_colors[k] = rgba8(json_array_get(json_object_get(s, "k"), k));
            uint8_t swap[4];
            bytes_of(json_array_get(json_object_get(s, "swap"), k), swap, 4);
            m.swap_tables[k] = (facet_gx_swap_table){swap[0], swap[1], swap[2], swap[3]};
        }
        m.stage_count = (uint8_t)json_array_size(json_object_get(s, "stages"));
        json_array_foreach(json_object_get(s, "stages"), k, stage)
        {
            int channel = number(stage, "chan");
            m.tev_orders[k] =
                (facet_gx_tev_order){(uint8_t)number(stage, "coord"),
                                     number(stage, "texen") ? (uint8_t)number(stage, "map") : 255,
                                     channel < 2 ? (uint8_t)(4 + channel) : 6, 0};
            m.konst_color_selections[k] = (uint8_t)number(stage, "kc");
            m.konst_alpha_selections[k] = (uint8_t)number(stage, "ka");
            m.swap_modes[k] = (facet_gx_swap_mode){
                (uint8_t)number(stage, "rswap"), (uint8_t)number(stage, "tswap"), {0}};
            set_combiner(json_object_get(stage, "c"), &m.tev_stages[k].color);
            set_combiner(json_object_get(stage, "a"), &m.tev_stages[k].alpha);
        }
        facet_gx_program program;
        facet_gx_fragment fragment = {0};
        uint8_t out[4], wanted[4];
        for (k = 0; k < 2; k++)
            bytes_of(json_array_get(json_object_get(s, "ras"), k), fragment.rasters[k], 4);
        facet_gx_program_make(&m, &program);
        facet_gx_program_run(&program, &fragment, give_texel, json_object_get(s, "tex"), out);
        bytes_of(json_object_get(row, "out"), wanted, 4);
        for (k = 0; k < 4; k++) {
            if (out[k] != wanted[k])
                fail_msg("%s: component %zu is %u, not %u", word(row, "name"), k, out[k],
                         wanted[k]);
        }
    }
}

static void alpha_comparisons(void)
{
    static const char *const comparisons[] = {"NEVER",  "LESS",   "EQUAL",  "LEQUAL", "GREATER",
                                              "NEQUAL", "GEQUAL", "ALWAYS", NULL};
    static const char *const operations[] = {"AND", "OR", "XOR", "XNOR", NULL};
    size_t i;
    const json_t *row;
    json_array_foreach((json_t *)rows("alpha_compare"), i, row)
    {
        facet_gx_alpha_compare c = {index_of(word(row, "comp0"), comparisons),
                                    (uint8_t)number(row, "ref0"),
                                    index_of(word(row, "op"), operations),
                                    index_of(word(row, "comp1"), comparisons),
                                    (uint8_t)number(row, "ref1"),
                                    {0}};
        assert_int_equal(facet_gx_alpha_passes(&c, (uint8_t)number(row, "alpha")),
                         json_is_true(json_object_get(row, "passes")));
    }
}

static void lighting(void)
{
    static const char *const functions[] = {"none", "sign", "clamp", NULL};
    static const char *const attenuations[] = {"spec", "spot", "none", NULL};
    size_t i, k;
    const json_t *row, *from;
    json_array_foreach((json_t *)rows("lighting"), i, row)
    {
        const json_t *c = json_object_get(row, "channel");
        facet_gx_channel channel = {(uint8_t)number(c, "enable"),
                                    (uint8_t)number(c, "matsrc"),
                                    (uint8_t)number(c, "mask"),
                                    index_of(word(c, "diff"), functions),
                                    index_of(word(c, "attn"), attenuations),
                                    (uint8_t)number(c, "ambsrc"),
                                    {0}};
        facet_gx_material m;
        facet_gx_vertex vertex = {0};
        uint8_t out[2][4], wanted[4];
        facet_gx_material_init(&m);
        m.channel_count = 1;
        m.channels[0] = m.channels[1] = channel;
        m.material_colors[0] = rgba8(json_object_get(row, "material"));
        m.ambient_colors[0] = rgba8(json_object_get(row, "ambient"));
        bytes_of(json_object_get(row, "vertex_" COLOR), vertex.colors[0], 4);
        reals_of(json_object_get(row, "position_view"), vertex.view_position, 3);
        reals_of(json_object_get(row, "normal_view"), vertex.view_normal, 3);
        json_array_foreach(json_object_get(row, "lights"), k, from)
        {
            reals_of(json_object_get(from, "pos"), m.lights[k].position, 3);
            reals_of(json_object_get(from, "dir"), m.lights[k].direction, 3);
            m.lights[k].color = rgba8(json_object_get(from, "color"));
            reals_of(json_object_get(from, "cos"), m.lights[k].cosine_attenuation, 3);
            reals_of(json_object_get(from, "dist"), m.lights[k].distance_attenuation, 3);
        }
        facet_gx_light_vertex(&m, m.lights, &vertex, out);
        bytes_of(json_object_get(row, "out"), wanted, 4);
        for (k = 0; k < 4; k++) {
            if (out[0][k] != wanted[k])
                fail_msg("%s: component %zu is %u, not %u", word(row, "name"), k, out[0][k],
                         wanted[k]);
        }
    }
}

static void coordinates(void)
{
    size_t i;
    const json_t *row;
    json_array_foreach((json_t *)rows("texgen"), i, row)
    {
        float out[3] = {0, 0, 1}, in[4] = {0, 0, 1, 1}, matrix[3][4] = {{0}}, post[3][4] = {{0}};
        const json_t *list = json_object_get(row, "out"), *input = json_object_get(row, "input");
        const json_t *size = json_object_get(row, "texture");
        if (strcmp(word(row, "type"), "SRTG") == 0) {
            out[0] = real(input, 0) / 255;
            out[1] = real(input, 1) / 255;
        } else {
            reals_of(input, in, 3);
            reals_of(json_object_get(row, "matrix"), matrix[0], 12);
            const json_t *p = json_object_get(row, "post");
            reals_of(p, post[0], 12);
            facet_gx_texgen_run((const float(*)[4])matrix, strcmp(word(row, "type"), "MTX3x4") == 0,
                                json_is_array(p) ? (const float(*)[4])post : NULL,
                                json_is_true(json_object_get(row, NORMALIZE)), in, out);
        }
        for (size_t k = 0; k < 3; k++)
            assert_float_equal(out[k], real(list, k), 1e-6);
        /* Uses the coordinates of the file: its sums are double, and one of them is exactly between
         * two numbers. */
        double q = json_number_value(json_array_get(list, 2));
        const json_t *fixed = json_object_get(row, "fixed_s17_7");
        for (size_t k = 0; k < 2; k++) {
            double c = json_number_value(json_array_get(list, k)) / (q != 0 ? q : 1);
            assert_int_equal(facet_gx_fixed(c, (uint32_t)item(size, k)), item(fixed, k));
        }
    }
}

static void texture_matrices(void)
{
    size_t i;
    const json_t *row;
    json_array_foreach((json_t *)rows("j3d_srt"), i, row)
    {
        facet_gx_texture_matrix m = {.rotation = (int16_t)number(row, "rotation")};
        float out[3][4];
        bool maya = json_is_true(json_object_get(row, "maya"));
        bool is_old = strcmp(word(row, "column"), "4 (old)") == 0;
        reals_of(json_object_get(row, "scale"), m.scale, 2);
        reals_of(json_object_get(row, "translation"), m.translation, 2);
        reals_of(json_object_get(row, CENTER), m.center, 2);
        m.mode = (uint8_t)((maya ? 0x80 : 0) | (is_old ? 0 : 7));
        facet_gx_texture_matrix_rows(&m, facet_gx_exact_rotation(m.rotation), out);
        for (size_t r = 0; r < 2; r++) {
            const json_t *wanted = json_array_get(json_object_get(row, "matrix"), r);
            float w[4];
            reals_of(wanted, w, 4);
            if (!is_old) { /* mode 7 multiplies by the matrix that maps -1..1 to 0..1 */
                w[2] += (w[0] + w[1]) / 2;
                w[0] /= 2;
                w[1] /= -2;
            }
            for (size_t k = 0; k < 4; k++)
                assert_float_equal(out[r][k], w[k], 2e-6);
        }
    }
}

static void indirects(void)
{
    static const char *const formats[] = {"ITF_8", "ITF_5", "ITF_4", "ITF_3", NULL};
    static const char *const biases[] = {"NONE", "S", "T", "ST", "U", "SU", "TU", "STU", NULL};
    static const char *const matrices[] = {"OFF",     "ITM_0",   "ITM_1",   "ITM_2", "-",
                                           "ITM_S_0", "ITM_S_1", "ITM_S_2", "-",     "ITM_T_0",
                                           "ITM_T_1", "ITM_T_2", NULL};
    static const char *const wraps[] = {"OFF", "256", "128", "64", "32", "16", "0", NULL};
    static const char *const bumps[] = {"OFF", "S", "T", "U", NULL};
    size_t i, k;
    const json_t *row;
    json_array_foreach((json_t *)rows("indirect"), i, row)
    {
        facet_gx_material m;
        facet_gx_program program;
        facet_gx_material_init(&m);
        m.indirect.enabled = m.indirect.stage_count = 1;
        facet_gx_indirect_stage *stage = &m.indirect.stages[0];
        stage->format = index_of(word(row, "format"), formats);
        stage->bias = index_of(word(row, "bias"), biases);
        stage->matrix = index_of(word(row, "matrix"), matrices);
        const json_t *wrap = json_object_get(row, "wrap");
        stage->wrap_s = index_of(json_string_value(json_array_get(wrap, 0)), wraps);
        stage->wrap_t = index_of(json_string_value(json_array_get(wrap, 1)), wraps);
        stage->add_previous = json_is_true(json_object_get(row, "add_previous"));
        stage->bump_alpha = index_of(word(row, "bump_select"), bumps);
        for (k = 0; k < 2; k++)
            reals_of(json_array_get(json_object_get(row, "matrix_rows"), k),
                     m.indirect.matrices[0].rows[k], 3);
        m.indirect.matrices[0].exponent = (int8_t)number(row, "exponent");
        facet_gx_program_make(&m, &program);
        uint8_t texel[4], bump = 0;
        bytes_of(json_object_get(row, "texel_rgba"), texel, 4);
        const json_t *uv = json_object_get(row, "uv_s17_7"), *p = json_object_get(row, "previous");
        const json_t *wanted = json_object_get(row, "out_uv");
        const int32_t at[2] = {item(uv, 0), item(uv, 1)}, previous[2] = {item(p, 0), item(p, 1)};
        int32_t out[2];
        facet_gx_indirect_move(&program, &program.stages[0], texel, at, previous, out, &bump);
        if (out[0] != item(wanted, 0) || out[1] != item(wanted, 1) || bump != number(row, "bump"))
            fail_msg("%s: %d %d, bump %u", word(row, "name"), out[0], out[1], bump);
    }
}

static void fogs(void)
{
    static const char *const types[] = {"OFF",  "-",      "LINEAR",  "-", "EXP",
                                        "EXP2", "REVEXP", "REVEXP2", NULL};
    size_t i;
    const json_t *row;
    json_array_foreach((json_t *)rows("fog"), i, row)
    {
        uint8_t color[4] = {0}, wanted[3];
        facet_gx_fog fog = {.type = index_of(word(row, "type"), types)};
        fog.start = (float)json_number_value(json_object_get(row, "start"));
        fog.end = (float)json_number_value(json_object_get(row, "end"));
        fog.near_z = (float)json_number_value(json_object_get(row, "near"));
        fog.far_z = (float)json_number_value(json_object_get(row, "far"));
        bytes_of(json_object_get(row, "fog_" COLOR), color, 3);
        fog.color = (facet_gx_rgba8){color[0], color[1], color[2], 0};
        bytes_of(json_object_get(row, COLOR), color, 3);
        bytes_of(json_object_get(row, "out"), wanted, 3);
        facet_gx_fog_registers registers;
        assert_true(facet_gx_fog_make(&fog, &registers));
        assert_int_equal(registers.b, number(row, "B_mag"));
        assert_int_equal(registers.shift, number(row, "B_shift"));
        uint32_t bits;
        memcpy(&bits, &registers.a, 4);
        assert_int_equal(bits >> 12, strtoul(word(row, "A20"), NULL, 16));
        memcpy(&bits, &registers.c, 4);
        assert_int_equal(bits >> 12, strtoul(word(row, "C20"), NULL, 16));
        uint32_t depth = (uint32_t)number(row, "z24");
        assert_int_equal(facet_gx_fog_amount(&registers, depth), number(row, "ifog"));
        facet_gx_fog_apply(&registers, depth, color);
        assert_memory_equal(color, wanted, 3);
    }
}

static void blends(void)
{
    static const char *const factors[] = {
        "ZERO",     "ONE",         "DSTCLR/SRCCLR", "INVDSTCLR/INVSRCCLR",
        "SRCALPHA", "INVSRCALPHA", "DSTALPHA",      "INVDSTALPHA",
        NULL};
    size_t i;
    const json_t *row;
    json_array_foreach((json_t *)rows("blend"), i, row)
    {
        uint8_t source[4], frame[4], wanted[4];
        facet_gx_blend blend = {1, index_of(word(row, "src_factor"), factors),
                                index_of(word(row, "dst_factor"), factors), 0};
        bytes_of(json_object_get(row, "src"), source, 4);
        bytes_of(json_object_get(row, "dst"), frame, 4);
        bytes_of(json_object_get(row, "out"), wanted, 4);
        facet_gx_blend_into(&blend, source, frame);
        assert_memory_equal(frame, wanted, 4);
    }
    json_array_foreach((json_t *)rows("subtract"), i, row)
    {
        uint8_t source[4], frame[4], wanted[4];
        facet_gx_blend blend = {3, 1, 1, 0};
        bytes_of(json_object_get(row, "src"), source, 4);
        bytes_of(json_object_get(row, "dst"), frame, 4);
        bytes_of(json_object_get(row, "out"), wanted, 4);
        facet_gx_blend_into(&blend, source, frame);
        assert_memory_equal(frame, wanted, 4);
    }
    json_array_foreach((json_t *)rows("dither_rgba6"), i, row)
    {
        assert_int_equal(facet_gx_dither((uint8_t)number(row, "value"), (uint32_t)number(row, "x"),
                                         (uint32_t)number(row, "y")),
                         number(row, "out"));
    }
}

static void samples(void)
{
    static const char *const wraps[] = {"CLAMP", "REPEAT", "MIRROR", NULL};
    size_t i;
    const json_t *row;
    json_array_foreach((json_t *)rows("wrap"), i, row)
    {
        assert_int_equal(facet_gx_wrap(number(row, "coord"), index_of(word(row, "mode"), wraps),
                                       (uint32_t)number(row, "size"), true),
                         number(row, "out"));
    }
    const json_t *bilinear = rows("bilinear");
    uint8_t pixels[16], out[4];
    for (size_t k = 0; k < 4; k++) {
        const json_t *line = json_array_get(json_object_get(bilinear, "texels_2x2_rows"), k / 2);
        memset(pixels + k * 4, item(line, k % 2), 4);
    }
    facet_gx_texture_unit unit = {.levels = {{pixels, 2, 2}}, .level_count = 1, .mag_filter = 1};
    json_array_foreach(json_object_get(bilinear, "samples"), i, row)
    {
        const json_t *uv = json_object_get(row, "uv_s17_7");
        const int32_t at[2] = {item(uv, 0), item(uv, 1)};
        facet_gx_sample(&unit, at, 0, false, out);
        assert_int_equal(out[0], number(row, "out"));
    }
    json_array_foreach((json_t *)rows("lod"), i, row)
    {
        bool smaller;
        unit.bias = (int16_t)number(row, "lod_bias_s2_5");
        unit.min_lod = (int16_t)number(row, "min_lod");
        unit.max_lod = (int16_t)number(row, "max_lod");
        float m = (float)json_number_value(json_object_get(row, "max_delta_texels"));
        assert_int_equal(facet_gx_lod(&unit, m, &smaller), number(row, "lod"));
        assert_int_equal(smaller, json_is_true(json_object_get(row, "minified")));
    }
}

TEST(results_match_the_reference_file)
{
    char path[4096];
    const char *corpus = getenv("FACET_CORPUS");
    snprintf(path, sizeof path, "%s/../reference/gx-vectors.json", corpus ? corpus : "");
    reference = corpus ? json_load_file(path, 0, NULL) : NULL;
    if (!reference)
        skip();
    regular_stages();
    comparing_stages();
    whole_pixels();
    alpha_comparisons();
    lighting();
    coordinates();
    texture_matrices();
    indirects();
    fogs();
    blends();
    samples();
    json_decref(reference);
}
