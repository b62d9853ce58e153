/* formats/j3d/gpu/mdl3_disassemble.c - GX commands to text. Tables describe the registers and their
 * fields; the code below them prints. */
#include "formats/j3d/gpu/mdl3_disassemble.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* -- Words of values ---------------------------------------------------- */

/* Each list ends with NULL; larger values are printed as numbers. */
typedef const char *const words[];

static words no_yes = {"no", "yes", NULL};
static words wraps = {"clamp", "repeat", "mirror", NULL};
static words min_filters = {"near",   "near-mip-near",   "near-mip-linear",   "3",
                            "linear", "linear-mip-near", "linear-mip-linear", NULL};
static words mag_filters = {"near", "linear", NULL};
static words texel_formats = {"I4", "I8", "IA4",   "IA8", "RGB565", "RGB5A3", "RGBA32", "7",
                              "C4", "C8", "C14X2", "11",  "12",     "13",     "CMPR",   NULL};
static words palette_formats = {"IA8", "RGB565", "RGB5A3", NULL};
static words culls = {"none", "back", "front", "all", NULL};
static words comparisons = {
    "never",  "less", "equal", "less-or-equal", "greater", "unequal", "greater-or-equal",
    "always", NULL};
static words alpha_operations = {"and", "or", "xor", "xnor", NULL};
static words sources = {"zero",      "one",
                        "dst-color", "one-minus-dst-color",
                        "src-alpha", "one-minus-src-alpha",
                        "dst-alpha", "one-minus-dst-alpha",
                        NULL};
static words destinations = {"zero",      "one",
                             "src-color", "one-minus-src-color",
                             "src-alpha", "one-minus-src-alpha",
                             "dst-alpha", "one-minus-dst-alpha",
                             NULL};
static words logics = {
    "clear", "and",     "reverse-and", "copy",         "inverse-and", "no-op", "xor", "or", "nor",
    "equal", "inverse", "reverse-or",  "inverse-copy", "inverse-or",  "nand",  "set", NULL};
static words color_inputs = {"CPREV", "APREV", "C0",   "A0",  "C1",   "A1",    "C2",   "A2", "TEXC",
                             "TEXA",  "RASC",  "RASA", "ONE", "HALF", "KONST", "ZERO", NULL};
static words alpha_inputs = {"APREV", "A0", "A1", "A2", "TEXA", "RASA", "KONST", "ZERO", NULL};
static words biases = {"0", "+half", "-half", "compare", NULL};
static words operations = {"add", "subtract", NULL};
static words scales = {"x1", "x2", "x4", "half", NULL};
static words tev_outputs = {"PREV", "C0", "C1", "C2", NULL};
static words rasters = {"color0",     "color1",       "2",    "3", "4",
                        "bump-alpha", "bump-alpha-n", "zero", NULL};
static words components = {"r", "g", "b", "a", NULL};
static words konsts = {"1",    "7/8",  "6/8",  "5/8",  "4/8",  "3/8",  "2/8",  "1/8",  "8",
                       "9",    "10",   "11",   "K0",   "K1",   "K2",   "K3",   "K0.r", "K1.r",
                       "K2.r", "K3.r", "K0.g", "K1.g", "K2.g", "K3.g", "K0.b", "K1.b", "K2.b",
                       "K3.b", "K0.a", "K1.a", "K2.a", "K3.a", NULL};
static words fogs = {"none", "1",           "linear",       "3", "exp",
                     "exp2", "reverse-exp", "reverse-exp2", NULL};
static words projections = {"perspective", "orthographic", NULL};
static words offset_formats = {"8-bit", "5-bit", "4-bit", "3-bit", NULL};
static words bumps = {"off", "s", "t", "u", NULL};
static words offset_wraps = {"off", "256", "128", "64", "32", "16", "0", NULL};
static words offset_matrices = {"off", "0", "1",  "2",  "4",  "s0", "s1",
                                "s2",  "8", "t0", "t1", "t2", NULL};
static words texgen_rows = {"position", "normal", "color", "binormal", "tangent", "tex0", "tex1",
                            "tex2",     "tex3",   "tex4",  "tex5",     "tex6",    "tex7", NULL};
static words texgen_kinds = {"matrix", "emboss", "color0", "color1", NULL};
static words texgen_sizes = {"2x4", "3x4", NULL};
static words channel_sources = {"register", "vertex", NULL};
static words diffuses = {"none", "signed", "clamp", NULL};

/* -- Fields ------------------------------------------------------------- */

typedef enum field_kind {
    FIELD_END = 0,
    FIELD_NUMBER,
    FIELD_PLUS_ONE, /* stored minus one */
    FIELD_SIGNED,   /* two's complement */
    FIELD_HEX,
    FIELD_FLOAT20 /* upper 20 bits of a float */
} field_kind;

typedef struct field {
    const char *name;
    uint8_t shift, bits, kind;
    const char *const *words; /* NULL: print a number */
} field;

#define NUMBER(name, shift, bits)             \
    {                                         \
        name, shift, bits, FIELD_NUMBER, NULL \
    }
#define WORD(name, shift, bits, list)         \
    {                                         \
        name, shift, bits, FIELD_NUMBER, list \
    }
#define FLAG(name, shift)                    \
    {                                        \
        name, shift, 1, FIELD_NUMBER, no_yes \
    }
#define SIZE(name, shift, bits)                 \
    {                                           \
        name, shift, bits, FIELD_PLUS_ONE, NULL \
    }
#define SIGNED(name, shift, bits)             \
    {                                         \
        name, shift, bits, FIELD_SIGNED, NULL \
    }
#define HEX(name, shift, bits)             \
    {                                      \
        name, shift, bits, FIELD_HEX, NULL \
    }
#define END                         \
    {                               \
        NULL, 0, 0, FIELD_END, NULL \
    }

static const field gen_mode[] = {
    NUMBER("texgens", 0, 4),    NUMBER("channels", 4, 3),         SIZE("stages", 10, 4),
    WORD("cull", 14, 2, culls), NUMBER("indirect_stages", 16, 3), END};
static const field indirect_matrix[] = {SIGNED("s", 0, 11), SIGNED("t", 11, 11),
                                        NUMBER("exponent_bits", 22, 2), END};
static const field indirect_mask[] = {HEX("maps", 0, 8), END};
static const field indirect_command[] = {NUMBER("stage", 0, 2),
                                         WORD("format", 2, 2, offset_formats),
                                         NUMBER("bias", 4, 3),
                                         WORD("bump_alpha", 7, 2, bumps),
                                         WORD("matrix", 9, 4, offset_matrices),
                                         WORD("wrap_s", 13, 3, offset_wraps),
                                         WORD("wrap_t", 16, 3, offset_wraps),
                                         FLAG("unmodified_lod", 19),
                                         FLAG("add_previous", 20),
                                         END};
static const field indirect_scale[] = {NUMBER("s_even", 0, 4), NUMBER("t_even", 4, 4),
                                       NUMBER("s_odd", 8, 4), NUMBER("t_odd", 12, 4), END};
static const field indirect_reference[] = {
    NUMBER("map0", 0, 3),   NUMBER("coord0", 3, 3),  NUMBER("map1", 6, 3),
    NUMBER("coord1", 9, 3), NUMBER("map2", 12, 3),   NUMBER("coord2", 15, 3),
    NUMBER("map3", 18, 3),  NUMBER("coord3", 21, 3), END};
static const field tev_reference[] = {NUMBER("map_even", 0, 3),
                                      NUMBER("coord_even", 3, 3),
                                      FLAG("enable_even", 6),
                                      WORD("raster_even", 7, 3, rasters),
                                      NUMBER("map_odd", 12, 3),
                                      NUMBER("coord_odd", 15, 3),
                                      FLAG("enable_odd", 18),
                                      WORD("raster_odd", 19, 3, rasters),
                                      END};
static const field coordinate_size[] = {SIZE("size", 0, 16), FLAG("range_bias", 16),
                                        FLAG("cylinder_wrap", 17), END};
static const field depth_mode[] = {FLAG("test", 0), WORD("compare", 1, 3, comparisons),
                                   FLAG("write", 4), END};
static const field blend_mode[] = {FLAG("blend", 0),
                                   FLAG("logic", 1),
                                   FLAG("dither", 2),
                                   WORD("destination", 5, 3, destinations),
                                   WORD("source", 8, 3, sources),
                                   FLAG("subtract", 11),
                                   WORD("logic_operation", 12, 4, logics),
                                   END};
static const field pixel_control[] = {FLAG("early_depth", 6), END};
static const field palette_address[] = {HEX("address", 0, 24), END};
static const field palette_place[] = {HEX("place", 0, 10), NUMBER("blocks_of_16", 10, 11), END};
static const field texture_mode0[] = {
    WORD("wrap_s", 0, 2, wraps),    WORD("wrap_t", 2, 2, wraps), WORD("mag", 4, 1, mag_filters),
    WORD("min", 5, 3, min_filters), FLAG("diagonal_lod", 8),     SIGNED("bias_32nds", 9, 8),
    NUMBER("anisotropy", 19, 2),    FLAG("bias_clamp", 21),      END};
static const field texture_mode1[] = {NUMBER("min_lod_16ths", 0, 8), NUMBER("max_lod_16ths", 8, 8),
                                      END};
static const field texture_image0[] = {SIZE("width", 0, 10), SIZE("height", 10, 10),
                                       WORD("format", 20, 4, texel_formats), END};
static const field texture_image3[] = {NUMBER("texture", 0, 24), END};
static const field texture_palette[] = {HEX("place", 0, 10), WORD("format", 10, 2, palette_formats),
                                        END};
static const field color_stage[] = {WORD("a", 12, 4, color_inputs),
                                    WORD("b", 8, 4, color_inputs),
                                    WORD("c", 4, 4, color_inputs),
                                    WORD("d", 0, 4, color_inputs),
                                    WORD("bias", 16, 2, biases),
                                    WORD("op", 18, 1, operations),
                                    FLAG("clamp", 19),
                                    WORD("scale", 20, 2, scales),
                                    WORD("to", 22, 2, tev_outputs),
                                    END};
static const field alpha_stage[] = {
    NUMBER("raster_swap", 0, 2),    NUMBER("texture_swap", 2, 2),   WORD("a", 13, 3, alpha_inputs),
    WORD("b", 10, 3, alpha_inputs), WORD("c", 7, 3, alpha_inputs),  WORD("d", 4, 3, alpha_inputs),
    WORD("bias", 16, 2, biases),    WORD("op", 18, 1, operations),  FLAG("clamp", 19),
    WORD("scale", 20, 2, scales),   WORD("to", 22, 2, tev_outputs), END};
static const field register_ra[] = {SIGNED("r", 0, 11), SIGNED("a", 12, 11), END};
static const field register_bg[] = {SIGNED("b", 0, 11), SIGNED("g", 12, 11), END};
static const field fog_range[] = {NUMBER("center_plus_342", 0, 10), FLAG("enable", 10), END};
static const field fog_range_k[] = {NUMBER("even_256ths", 0, 12), NUMBER("odd_256ths", 12, 12),
                                    END};
static const field fog_a[] = {{"a", 0, 20, FIELD_FLOAT20, NULL}, END};
static const field fog_b[] = {NUMBER("b_mantissa", 0, 24), END};
static const field fog_shift[] = {NUMBER("b_shift", 0, 5), END};
static const field fog_c[] = {{"c", 0, 20, FIELD_FLOAT20, NULL},
                              WORD("projection", 20, 1, projections),
                              WORD("type", 21, 3, fogs),
                              END};
static const field fog_color[] = {NUMBER("r", 16, 8), NUMBER("g", 8, 8), NUMBER("b", 0, 8), END};
static const field alpha_compare[] = {
    NUMBER("reference0", 0, 8),           NUMBER("reference1", 8, 8),
    WORD("compare0", 16, 3, comparisons), WORD("compare1", 19, 3, comparisons),
    WORD("op", 22, 2, alpha_operations),  END};
static const field konst_selection_rg[] = {WORD("swap_r", 0, 2, components),
                                           WORD("swap_g", 2, 2, components),
                                           WORD("color_even", 4, 5, konsts),
                                           WORD("alpha_even", 9, 5, konsts),
                                           WORD("color_odd", 14, 5, konsts),
                                           WORD("alpha_odd", 19, 5, konsts),
                                           END};
static const field konst_selection_ba[] = {WORD("swap_b", 0, 2, components),
                                           WORD("swap_a", 2, 2, components),
                                           WORD("color_even", 4, 5, konsts),
                                           WORD("alpha_even", 9, 5, konsts),
                                           WORD("color_odd", 14, 5, konsts),
                                           WORD("alpha_odd", 19, 5, konsts),
                                           END};
static const field whole_bp[] = {HEX("value", 0, 24), END};
static const field mask_bits[] = {HEX("mask", 0, 24), END};

static const field rgba_word[] = {NUMBER("r", 24, 8), NUMBER("g", 16, 8), NUMBER("b", 8, 8),
                                  NUMBER("a", 0, 8), END};
static const field channel_control[] = {WORD("material", 0, 1, channel_sources),
                                        FLAG("lighting", 1),
                                        HEX("lights_0_to_3", 2, 4),
                                        WORD("ambient", 6, 1, channel_sources),
                                        WORD("diffuse", 7, 2, diffuses),
                                        FLAG("attenuation", 9),
                                        FLAG("spot", 10),
                                        HEX("lights_4_to_7", 11, 4),
                                        END};
static const field texgen_field[] = {WORD("matrix", 1, 1, texgen_sizes),
                                     FLAG("three_components", 2),
                                     WORD("kind", 4, 3, texgen_kinds),
                                     WORD("row", 7, 5, texgen_rows),
                                     NUMBER("emboss_source", 12, 3),
                                     NUMBER("emboss_light", 15, 3),
                                     END};
static const field post_texgen_field[] = {NUMBER("post_matrix", 0, 6), FLAG("normalize", 8), END};
static const field count_field[] = {NUMBER("count", 0, 32), END};
static const field whole_word[] = {HEX("value", 0, 32), END};
static const field matrix_index_a[] = {NUMBER("position", 0, 6), NUMBER("tex0", 6, 6),
                                       NUMBER("tex1", 12, 6),    NUMBER("tex2", 18, 6),
                                       NUMBER("tex3", 24, 6),    END};
static const field matrix_index_b[] = {NUMBER("tex4", 0, 6), NUMBER("tex5", 6, 6),
                                       NUMBER("tex6", 12, 6), NUMBER("tex7", 18, 6), END};

/* -- Registers ---------------------------------------------------------- */

/* `count` registers of one name, `step` apart. Several have numbers in brackets, from `number`
 * on. */
typedef struct register_run {
    uint16_t first, count, step;
    uint16_t number;
    const char *name;
    const field *fields; /* NULL: floats */
} register_run;

static const register_run bp_registers[] = {
    {0x00, 1, 1, 0, "GEN_MODE", gen_mode},
    {0x06, 3, 3, 0, "IND_MTX_A", indirect_matrix},
    {0x07, 3, 3, 0, "IND_MTX_B", indirect_matrix},
    {0x08, 3, 3, 0, "IND_MTX_C", indirect_matrix},
    {0x0F, 1, 1, 0, "IND_IMASK", indirect_mask},
    {0x10, 16, 1, 0, "IND_CMD", indirect_command},
    {0x25, 2, 1, 0, "RAS1_SS", indirect_scale},
    {0x27, 1, 1, 0, "RAS1_IREF", indirect_reference},
    {0x28, 8, 1, 0, "RAS1_TREF", tev_reference},
    {0x30, 8, 2, 0, "SU_SSIZE", coordinate_size},
    {0x31, 8, 2, 0, "SU_TSIZE", coordinate_size},
    {0x40, 1, 1, 0, "PE_ZMODE", depth_mode},
    {0x41, 1, 1, 0, "PE_CMODE0", blend_mode},
    {0x43, 1, 1, 0, "PE_CONTROL", pixel_control},
    {0x64, 1, 1, 0, "TX_LOADTLUT0", palette_address},
    {0x65, 1, 1, 0, "TX_LOADTLUT1", palette_place},
    {0x80, 4, 1, 0, "TX_SETMODE0", texture_mode0},
    {0xA0, 4, 1, 4, "TX_SETMODE0", texture_mode0},
    {0x84, 4, 1, 0, "TX_SETMODE1", texture_mode1},
    {0xA4, 4, 1, 4, "TX_SETMODE1", texture_mode1},
    {0x88, 4, 1, 0, "TX_SETIMAGE0", texture_image0},
    {0xA8, 4, 1, 4, "TX_SETIMAGE0", texture_image0},
    {0x8C, 4, 1, 0, "TX_SETIMAGE1", whole_bp},
    {0xAC, 4, 1, 4, "TX_SETIMAGE1", whole_bp},
    {0x90, 4, 1, 0, "TX_SETIMAGE2", whole_bp},
    {0xB0, 4, 1, 4, "TX_SETIMAGE2", whole_bp},
    {0x94, 4, 1, 0, "TX_SETIMAGE3", texture_image3},
    {0xB4, 4, 1, 4, "TX_SETIMAGE3", texture_image3},
    {0x98, 4, 1, 0, "TX_SETTLUT", texture_palette},
    {0xB8, 4, 1, 4, "TX_SETTLUT", texture_palette},
    {0xC0, 16, 2, 0, "TEV_COLOR_ENV", color_stage},
    {0xC1, 16, 2, 0, "TEV_ALPHA_ENV", alpha_stage},
    {0xE0, 4, 2, 0, "TEV_REGISTER_RA", register_ra}, /* or KONST_RA, selected by the top bit */
    {0xE1, 4, 2, 0, "TEV_REGISTER_BG", register_bg},
    {0xE8, 1, 1, 0, "TEV_FOG_RANGE", fog_range},
    {0xE9, 5, 1, 0, "TEV_FOG_RANGE_K", fog_range_k},
    {0xEE, 1, 1, 0, "TEV_FOG_PARAM_0", fog_a},
    {0xEF, 1, 1, 0, "TEV_FOG_PARAM_1", fog_b},
    {0xF0, 1, 1, 0, "TEV_FOG_PARAM_2", fog_shift},
    {0xF1, 1, 1, 0, "TEV_FOG_PARAM_3", fog_c},
    {0xF2, 1, 1, 0, "TEV_FOG_COLOR", fog_color},
    {0xF3, 1, 1, 0, "TEV_ALPHAFUNC", alpha_compare},
    {0xF6, 4, 2, 0, "TEV_KSEL_RG", konst_selection_rg},
    {0xF7, 4, 2, 0, "TEV_KSEL_BA", konst_selection_ba},
    {0xFE, 1, 1, 0, "SS_MASK", mask_bits},
};

static const register_run xf_registers[] = {
    {0x0000, 120, 1, 0, "POSMTX", NULL},
    {0x0078, 120, 1, 0, "TEXMTX", NULL}, /* twelve words each */
    {0x0400, 96, 1, 0, "NRMMTX", NULL},
    {0x0500, 256, 1, 0, "POSTMTX", NULL},
    {0x1009, 1, 1, 0, "NUMCHANS", count_field},
    {0x100A, 2, 1, 0, "AMBIENT", rgba_word},
    {0x100C, 2, 1, 0, "MATERIAL", rgba_word},
    {0x100E, 2, 1, 0, "COLOR_CONTROL", channel_control},
    {0x1010, 2, 1, 0, "ALPHA_CONTROL", channel_control},
    {0x103F, 1, 1, 0, "NUMTEXGENS", count_field},
    {0x1040, 8, 1, 0, "TEXGEN", texgen_field},
    {0x1050, 8, 1, 0, "POSTTEXGEN", post_texgen_field},
};

static const register_run cp_registers[] = {
    {0x30, 1, 1, 0, "MATINDEX_A", matrix_index_a}, {0x40, 1, 1, 0, "MATINDEX_B", matrix_index_b},
    {0x50, 2, 16, 0, "VCD", whole_word},           {0x70, 8, 1, 0, "VAT_A", whole_word},
    {0x80, 8, 1, 0, "VAT_B", whole_word},          {0x90, 8, 1, 0, "VAT_C", whole_word},
};

static const field no_fields[] = {HEX("value", 0, 32), END};
static const register_run unknown_register = {0, 1, 1, 0, "UNKNOWN", no_fields};

static const register_run *find_run(facet_j3d_space space, uint32_t address, uint32_t *index)
{
    const register_run *runs = bp_registers;
    size_t count = sizeof bp_registers / sizeof *bp_registers;
    if (space == FACET_J3D_SPACE_XF) {
        runs = xf_registers;
        count = sizeof xf_registers / sizeof *xf_registers;
    } else if (space == FACET_J3D_SPACE_CP) {
        runs = cp_registers;
        count = sizeof cp_registers / sizeof *cp_registers;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t from = address - runs[i].first;
        if (address >= runs[i].first && from % runs[i].step == 0 &&
            from / runs[i].step < runs[i].count) {
            *index = from / runs[i].step;
            return &runs[i];
        }
    }
    *index = 0;
    return &unknown_register;
}

/* -- Printing ----------------------------------------------------------- */

/* Text output, cut to its buffer. */
typedef struct writer {
    char *text;
    size_t size, length;
} writer;

static void put(writer *w, const char *format, ...) FACET_PRINTF(2, 3);
static void put(writer *w, const char *format, ...)
{
    bool fits = w->length < w->size;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(fits ? w->text + w->length : NULL, fits ? w->size - w->length : 0,
                           format, arguments);
    va_end(arguments);
    if (length > 0)
        w->length += (size_t)length;
}

static const char *word_of(const char *const *list, uint32_t value)
{
    for (uint32_t i = 0; list[i]; i++) {
        if (i == value)
            return list[i];
    }
    return NULL;
}

static void put_field(writer *w, const field *f, uint32_t value)
{
    uint32_t raw = value >> f->shift & (f->bits < 32 ? (1u << f->bits) - 1 : UINT32_MAX);
    const char *word = f->words ? word_of(f->words, raw) : NULL;
    put(w, "%s=", f->name);
    if (word)
        put(w, "%s", word);
    else if (f->kind == FIELD_SIGNED)
        put(w, "%" PRId32,
            raw >> (f->bits - 1) ? (int32_t)raw - (int32_t)(1u << f->bits) : (int32_t)raw);
    else if (f->kind == FIELD_FLOAT20)
        put(w, "%g", (double)facet_float_of_bits(raw << 12));
    else if (f->kind == FIELD_HEX)
        put(w, "0x%0*" PRIX32, (f->bits + 3) / 4, raw);
    else
        put(w, "%" PRIu32, f->kind == FIELD_PLUS_ONE ? raw + 1 : raw);
}

static bool is_light(uint32_t address)
{
    return address >= 0x600 && address < 0x680;
}

static void put_name(writer *w, facet_j3d_space space, uint32_t address, uint32_t value)
{
    static const char *const light_words[16] = {
        "RESERVED0",  "RESERVED1",   "RESERVED2",   "COLOR",      "COSATT_0",   "COSATT_1",
        "COSATT_2",   "DISTATT_0",   "DISTATT_1",   "DISTATT_2",  "POSITION_X", "POSITION_Y",
        "POSITION_Z", "DIRECTION_X", "DIRECTION_Y", "DIRECTION_Z"};
    uint32_t index;
    const register_run *run = find_run(space, address, &index);
    if (space == FACET_J3D_SPACE_XF && is_light(address)) {
        put(w, "LIGHT[%" PRIu32 "].%s", (address - 0x600) / 16, light_words[address % 16]);
        return;
    }
    if (space == FACET_J3D_SPACE_XF && address < 0xF0) { /* by matrix, row and column */
        uint32_t word = address % 12;
        put(w, "%s[%" PRIu32 "][%" PRIu32 "][%" PRIu32 "]", run->name, index / 12, word / 4,
            word % 4);
        return;
    }
    bool is_konst = space == FACET_J3D_SPACE_BP && address >= 0xE0 && address <= 0xE7 &&
                    (value & 1u << 23) != 0;
    const char *name = run->name;
    if (is_konst)
        name = address & 1 ? "TEV_KONST_BG" : "TEV_KONST_RA";
    put(w, "%s", name);
    if (run->count > 1)
        put(w, "[%" PRIu32 "]", run->number + index);
}

static void put_fields(writer *w, facet_j3d_space space, uint32_t address, uint32_t value)
{
    uint32_t index;
    const register_run *run = find_run(space, address, &index);
    const field *fields = run->fields;
    if (space == FACET_J3D_SPACE_XF && is_light(address))
        fields = address % 16 == 3 ? rgba_word : NULL;
    if (!fields) {
        put(w, "%.9g", (double)facet_float_of_bits(value));
        return;
    }
    for (const field *f = fields; f->kind != FIELD_END; f++) {
        put(w, "%s", f == fields ? "" : " ");
        put_field(w, f, value);
    }
}

size_t facet_j3d_register_name(facet_j3d_space space, uint32_t address, uint32_t value, char *text,
                               size_t size)
{
    writer w = {text, size, 0};
    put_name(&w, space, address, value);
    return w.length;
}

size_t facet_j3d_register_fields(facet_j3d_space space, uint32_t address, uint32_t value,
                                 char *text, size_t size)
{
    writer w = {text, size, 0};
    put_fields(&w, space, address, value);
    return w.length;
}

/* Print matrices and lights as lists of floats, other registers one after the other with their
 * names. */
static void put_words(writer *w, const facet_j3d_load *load)
{
    for (uint32_t i = 0; i < load->count; i++) {
        uint32_t address = load->address + i, index;
        uint32_t value = load->words ? facet_load_u32be(load->words + i * 4) : load->value;
        bool is_number = load->space == FACET_J3D_SPACE_XF &&
                         (is_light(address) || !find_run(load->space, address, &index)->fields);
        if (i == 16) {
            put(w, " ...");
            return;
        }
        if (i > 0 && is_number) {
            put(w, " ");
        } else {
            put(w, "%s", i > 0 ? "; " : "");
            put_name(w, load->space, address, value);
            put(w, ": ");
        }
        put_fields(w, load->space, address, value);
    }
}

size_t facet_j3d_load_text(const facet_j3d_load *load, char *text, size_t size)
{
    static const char *const spaces[] = {"BP", "XF", "CP"};
    writer w = {text, size, 0};
    put(&w, "%s 0x%0*" PRIX32 " ", spaces[load->space], load->space == FACET_J3D_SPACE_XF ? 4 : 2,
        load->address);
    put_words(&w, load);
    return w.length;
}
