/* gx/enumerations.c - names of the chip's numbers. */
#include "gx/enumerations.h"

/* A value can have two names: the first is written, both are read. SuperBMD uses names of the
 * attenuation functions for other numbers, and for the filters 3 and 4 it follows OpenGL. The
 * numbers decide. */

/* -- Vertices -------------------------------------------------------------- */

static const facet_gx_value_name attributes[] = {
    {0, "PNMTXIDX", NULL},   {1, "TEX0MTXIDX", NULL}, {2, "TEX1MTXIDX", NULL},
    {3, "TEX2MTXIDX", NULL}, {4, "TEX3MTXIDX", NULL}, {5, "TEX4MTXIDX", NULL},
    {6, "TEX5MTXIDX", NULL}, {7, "TEX6MTXIDX", NULL}, {8, "TEX7MTXIDX", NULL},
    {9, "POS", NULL},        {10, "NRM", NULL},       {11, "CLR0", NULL},
    {12, "CLR1", NULL},      {13, "TEX0", NULL},      {14, "TEX1", NULL},
    {15, "TEX2", NULL},      {16, "TEX3", NULL},      {17, "TEX4", NULL},
    {18, "TEX5", NULL},      {19, "TEX6", NULL},      {20, "TEX7", NULL},
    {25, "NBT", NULL},       {0xFF, "NULL", NULL}};
const facet_gx_enumeration facet_gx_attributes = FACET_GX_ENUMERATION("attribute", attributes);

static const facet_gx_value_name components[] = {
    {0, "U8", NULL}, {1, "S8", NULL}, {2, "U16", NULL}, {3, "S16", NULL}, {4, "F32", NULL}};
const facet_gx_enumeration facet_gx_components = FACET_GX_ENUMERATION("component", components);

static const facet_gx_value_name color_components[] = {{0, "RGB565", NULL}, {1, "RGB8", NULL},
                                                       {2, "RGBX8", NULL},  {3, "RGBA4", NULL},
                                                       {4, "RGBA6", NULL},  {5, "RGBA8", NULL}};
const facet_gx_enumeration facet_gx_color_components =
    FACET_GX_ENUMERATION("color format", color_components);

/* -- Materials ------------------------------------------------------------- */

static const facet_gx_value_name cull_modes[] = {
    {0, "NONE", "None"}, {1, "FRONT", "Front"}, {2, "BACK", "Back"}, {3, "ALL", "All"}};
const facet_gx_enumeration facet_gx_cull_modes = FACET_GX_ENUMERATION("cull mode", cull_modes);

static const facet_gx_value_name color_sources[] = {{0, "REG", "Register"}, {1, "VTX", "Vertex"}};
const facet_gx_enumeration facet_gx_color_sources =
    FACET_GX_ENUMERATION("color source", color_sources);

static const facet_gx_value_name diffuse_functions[] = {
    {0, "NONE", "None"}, {1, "SIGN", "Signed"}, {2, "CLAMP", "Clamp"}};
const facet_gx_enumeration facet_gx_diffuse_functions =
    FACET_GX_ENUMERATION("diffuse function", diffuse_functions);

static const facet_gx_value_name attenuation_functions[] = {
    {0, "SPEC", "None_0"}, {1, "SPOT", "Spec"}, {2, "NONE", "None_2"}, {3, "SPOT3", "Spot"}};
const facet_gx_enumeration facet_gx_attenuation_functions =
    FACET_GX_ENUMERATION("attenuation function", attenuation_functions);

static const facet_gx_value_name texgen_types[] = {
    {0, "MTX3X4", "Matrix3x4"}, {1, "MTX2X4", "Matrix2x4"}, {2, "BUMP0", "Bump0"},
    {3, "BUMP1", "Bump1"},      {4, "BUMP2", "Bump2"},      {5, "BUMP3", "Bump3"},
    {6, "BUMP4", "Bump4"},      {7, "BUMP5", "Bump5"},      {8, "BUMP6", "Bump6"},
    {9, "BUMP7", "Bump7"},      {10, "SRTG", "SRTG"}};
const facet_gx_enumeration facet_gx_texgen_types =
    FACET_GX_ENUMERATION("texgen type", texgen_types);

static const facet_gx_value_name texgen_sources[] = {{0, "POS", "Position"},
                                                     {1, "NRM", "Normal"},
                                                     {2, "BINRM", "Binormal"},
                                                     {3, "TANGENT", "Tangent"},
                                                     {4, "TEX0", "Tex0"},
                                                     {5, "TEX1", "Tex1"},
                                                     {6, "TEX2", "Tex2"},
                                                     {7, "TEX3", "Tex3"},
                                                     {8, "TEX4", "Tex4"},
                                                     {9, "TEX5", "Tex5"},
                                                     {10, "TEX6", "Tex6"},
                                                     {11, "TEX7", "Tex7"},
                                                     {12, "TEXCOORD0", "TexCoord0"},
                                                     {13, "TEXCOORD1", "TexCoord1"},
                                                     {14, "TEXCOORD2", "TexCoord2"},
                                                     {15, "TEXCOORD3", "TexCoord3"},
                                                     {16, "TEXCOORD4", "TexCoord4"},
                                                     {17, "TEXCOORD5", "TexCoord5"},
                                                     {18, "TEXCOORD6", "TexCoord6"},
                                                     {19, "COLOR0", "Color0"},
                                                     {20, "COLOR1", "Color1"}};
const facet_gx_enumeration facet_gx_texgen_sources =
    FACET_GX_ENUMERATION("texgen source", texgen_sources);

static const facet_gx_value_name texgen_matrices[] = {
    {0, "PNMTX0", NULL},        {3, "PNMTX1", NULL},        {6, "PNMTX2", NULL},
    {9, "PNMTX3", NULL},        {12, "PNMTX4", NULL},       {15, "PNMTX5", NULL},
    {18, "PNMTX6", NULL},       {21, "PNMTX7", NULL},       {24, "PNMTX8", NULL},
    {27, "PNMTX9", NULL},       {30, "TEXMTX0", "TexMtx0"}, {33, "TEXMTX1", "TexMtx1"},
    {36, "TEXMTX2", "TexMtx2"}, {39, "TEXMTX3", "TexMtx3"}, {42, "TEXMTX4", "TexMtx4"},
    {45, "TEXMTX5", "TexMtx5"}, {48, "TEXMTX6", "TexMtx6"}, {51, "TEXMTX7", "TexMtx7"},
    {54, "TEXMTX8", "TexMtx8"}, {57, "TEXMTX9", "TexMtx9"}, {60, "IDENTITY", "Identity"}};
const facet_gx_enumeration facet_gx_texgen_matrices =
    FACET_GX_ENUMERATION("texgen matrix", texgen_matrices);

static const facet_gx_value_name projections[] = {{0, "MTX3X4", "Matrix3x4"},
                                                  {1, "MTX2X4", "Matrix2x4"}};
const facet_gx_enumeration facet_gx_projections = FACET_GX_ENUMERATION("projection", projections);

static const facet_gx_value_name matrix_modes[] = {{0, "NONE", NULL},
                                                   {1, "ENV_BASIC", NULL},
                                                   {2, "PROJ_BASIC", NULL},
                                                   {3, "VIEW_PROJ_BASIC", NULL},
                                                   {4, "EFFECT", NULL},
                                                   {5, "EFFECT_MODEL", NULL},
                                                   {6, "ENV_OLD", NULL},
                                                   {7, "ENV", NULL},
                                                   {8, "PROJ", NULL},
                                                   {9, "VIEW_PROJ", NULL},
                                                   {10, "ENV_OLD_EFFECT", NULL},
                                                   {11, "ENV_EFFECT", NULL}};
const facet_gx_enumeration facet_gx_matrix_modes =
    FACET_GX_ENUMERATION("texture matrix mode", matrix_modes);

static const facet_gx_value_name texcoords[] = {
    {0, "TEXCOORD0", "TexCoord0"}, {1, "TEXCOORD1", "TexCoord1"}, {2, "TEXCOORD2", "TexCoord2"},
    {3, "TEXCOORD3", "TexCoord3"}, {4, "TEXCOORD4", "TexCoord4"}, {5, "TEXCOORD5", "TexCoord5"},
    {6, "TEXCOORD6", "TexCoord6"}, {7, "TEXCOORD7", "TexCoord7"}, {0xFF, "NULL", "Null"}};
const facet_gx_enumeration facet_gx_texcoords = FACET_GX_ENUMERATION("texcoord", texcoords);

static const facet_gx_value_name texmaps[] = {
    {0, "TEXMAP0", "TexMap0"}, {1, "TEXMAP1", "TexMap1"}, {2, "TEXMAP2", "TexMap2"},
    {3, "TEXMAP3", "TexMap3"}, {4, "TEXMAP4", "TexMap4"}, {5, "TEXMAP5", "TexMap5"},
    {6, "TEXMAP6", "TexMap6"}, {7, "TEXMAP7", "TexMap7"}, {0xFF, "NULL", "Null"}};
const facet_gx_enumeration facet_gx_texmaps = FACET_GX_ENUMERATION("texture map", texmaps);

static const facet_gx_value_name tev_channels[] = {
    {0, "COLOR0", "Color0"},    {1, "COLOR1", "Color1"},     {2, "ALPHA0", "Alpha0"},
    {3, "ALPHA1", "Alpha1"},    {4, "COLOR0A0", "Color0A0"}, {5, "COLOR1A1", "Color1A1"},
    {6, "ZERO", "ColorZero"},   {7, "BUMP", "AlphaBump"},    {8, "BUMPN", "AlphaBumpN"},
    {0xFF, "NULL", "ColorNull"}};
const facet_gx_enumeration facet_gx_tev_channels = FACET_GX_ENUMERATION("channel", tev_channels);

static const facet_gx_value_name color_inputs[] = {
    {0, "CPREV", "ColorPrev"}, {1, "APREV", "AlphaPrev"}, {2, "C0", "C0"},
    {3, "A0", "A0"},           {4, "C1", "C1"},           {5, "A1", "A1"},
    {6, "C2", "C2"},           {7, "A2", "A2"},           {8, "TEXC", "TexColor"},
    {9, "TEXA", "TexAlpha"},   {10, "RASC", "RasColor"},  {11, "RASA", "RasAlpha"},
    {12, "ONE", "One"},        {13, "HALF", "Half"},      {14, "KONST", "Konst"},
    {15, "ZERO", "Zero"}};
const facet_gx_enumeration facet_gx_color_inputs =
    FACET_GX_ENUMERATION("color input", color_inputs);

static const facet_gx_value_name alpha_inputs[] = {
    {0, "APREV", "AlphaPrev"}, {1, "A0", "A0"},         {2, "A1", "A1"},       {3, "A2", "A2"},
    {4, "TEXA", "TexAlpha"},   {5, "RASA", "RasAlpha"}, {6, "KONST", "Konst"}, {7, "ZERO", "Zero"}};
const facet_gx_enumeration facet_gx_alpha_inputs =
    FACET_GX_ENUMERATION("alpha input", alpha_inputs);

static const facet_gx_value_name tev_operations[] = {{0, "ADD", "Add"},
                                                     {1, "SUB", "Sub"},
                                                     {8, "COMP_R8_GT", "Comp_R8_GT"},
                                                     {9, "COMP_R8_EQ", "Comp_R8_EQ"},
                                                     {10, "COMP_GR16_GT", "Comp_GR16_GT"},
                                                     {11, "COMP_GR16_EQ", "Comp_GR16_EQ"},
                                                     {12, "COMP_BGR24_GT", "Comp_BGR24_GT"},
                                                     {13, "COMP_BGR24_EQ", "Comp_BGR24_EQ"},
                                                     {14, "COMP_RGB8_GT", "Comp_RGB8_GT"},
                                                     {15, "COMP_RGB8_EQ", "Comp_RGB8_EQ"},
                                                     {14, "COMP_A8_GT", "Comp_A8_GT"},
                                                     {15, "COMP_A8_EQ", "Comp_A8_EQ"}};
const facet_gx_enumeration facet_gx_tev_operations =
    FACET_GX_ENUMERATION("TEV operation", tev_operations);

static const facet_gx_value_name tev_biases[] = {{0, "ZERO", "Zero"},
                                                 {1, "ADDHALF", "AddHalf"},
                                                 {2, "SUBHALF", "SubHalf"},
                                                 {3, "COMPARE", NULL}};
const facet_gx_enumeration facet_gx_tev_biases = FACET_GX_ENUMERATION("TEV bias", tev_biases);

static const facet_gx_value_name tev_scales[] = {{0, "SCALE_1", "Scale_1"},
                                                 {1, "SCALE_2", "Scale_2"},
                                                 {2, "SCALE_4", "Scale_4"},
                                                 {3, "DIVIDE_2", "Divide_2"}};
const facet_gx_enumeration facet_gx_tev_scales = FACET_GX_ENUMERATION("TEV scale", tev_scales);

static const facet_gx_value_name tev_registers[] = {
    {0, "PREV", "TevPrev"}, {1, "REG0", "TevReg0"}, {2, "REG1", "TevReg1"}, {3, "REG2", "TevReg2"}};
const facet_gx_enumeration facet_gx_tev_registers =
    FACET_GX_ENUMERATION("TEV register", tev_registers);

static const facet_gx_value_name konst_colors[] = {
    {0, "1", "KCSel_1"},        {1, "7_8", "KCSel_7_8"},    {2, "3_4", "KCSel_3_4"},
    {3, "5_8", "KCSel_5_8"},    {4, "1_2", "KCSel_1_2"},    {5, "3_8", "KCSel_3_8"},
    {6, "1_4", "KCSel_1_4"},    {7, "1_8", "KCSel_1_8"},    {12, "K0", "KCSel_K0"},
    {13, "K1", "KCSel_K1"},     {14, "K2", "KCSel_K2"},     {15, "K3", "KCSel_K3"},
    {16, "K0_R", "KCSel_K0_R"}, {17, "K1_R", "KCSel_K1_R"}, {18, "K2_R", "KCSel_K2_R"},
    {19, "K3_R", "KCSel_K3_R"}, {20, "K0_G", "KCSel_K0_G"}, {21, "K1_G", "KCSel_K1_G"},
    {22, "K2_G", "KCSel_K2_G"}, {23, "K3_G", "KCSel_K3_G"}, {24, "K0_B", "KCSel_K0_B"},
    {25, "K1_B", "KCSel_K1_B"}, {26, "K2_B", "KCSel_K2_B"}, {27, "K3_B", "KCSel_K3_B"},
    {28, "K0_A", "KCSel_K0_A"}, {29, "K1_A", "KCSel_K1_A"}, {30, "K2_A", "KCSel_K2_A"},
    {31, "K3_A", "KCSel_K3_A"}};
const facet_gx_enumeration facet_gx_konst_colors =
    FACET_GX_ENUMERATION("konst color selection", konst_colors);

static const facet_gx_value_name konst_alphas[] = {
    {0, "1", "KASel_1"},        {1, "7_8", "KASel_7_8"},    {2, "3_4", "KASel_3_4"},
    {3, "5_8", "KASel_5_8"},    {4, "1_2", "KASel_1_2"},    {5, "3_8", "KASel_3_8"},
    {6, "1_4", "KASel_1_4"},    {7, "1_8", "KASel_1_8"},    {16, "K0_R", "KASel_K0_R"},
    {17, "K1_R", "KASel_K1_R"}, {18, "K2_R", "KASel_K2_R"}, {19, "K3_R", "KASel_K3_R"},
    {20, "K0_G", "KASel_K0_G"}, {21, "K1_G", "KASel_K1_G"}, {22, "K2_G", "KASel_K2_G"},
    {23, "K3_G", "KASel_K3_G"}, {24, "K0_B", "KASel_K0_B"}, {25, "K1_B", "KASel_K1_B"},
    {26, "K2_B", "KASel_K2_B"}, {27, "K3_B", "KASel_K3_B"}, {28, "K0_A", "KASel_K0_A"},
    {29, "K1_A", "KASel_K1_A"}, {30, "K2_A", "KASel_K2_A"}, {31, "K3_A", "KASel_K3_A"}};
const facet_gx_enumeration facet_gx_konst_alphas =
    FACET_GX_ENUMERATION("konst alpha selection", konst_alphas);

static const facet_gx_value_name swap_components[] = {
    {0, "R", NULL}, {1, "G", NULL}, {2, "B", NULL}, {3, "A", NULL}};
const facet_gx_enumeration facet_gx_swap_components =
    FACET_GX_ENUMERATION("component", swap_components);

static const facet_gx_value_name light_masks[] = {
    {0, NULL, "None"},      {0x01, NULL, "Light0"}, {0x02, NULL, "Light1"},
    {0x04, NULL, "Light2"}, {0x08, NULL, "Light3"}, {0x10, NULL, "Light4"},
    {0x20, NULL, "Light5"}, {0x40, NULL, "Light6"}, {0x80, NULL, "Light7"}};
const facet_gx_enumeration facet_gx_light_masks = FACET_GX_ENUMERATION("light", light_masks);

static const facet_gx_value_name tev_stages[] = {
    {0, NULL, "TevStage0"},   {1, NULL, "TevStage1"},   {2, NULL, "TevStage2"},
    {3, NULL, "TevStage3"},   {4, NULL, "TevStage4"},   {5, NULL, "TevStage5"},
    {6, NULL, "TevStage6"},   {7, NULL, "TevStage7"},   {8, NULL, "TevStage8"},
    {9, NULL, "TevStage9"},   {10, NULL, "TevStage10"}, {11, NULL, "TevStage11"},
    {12, NULL, "TevStage12"}, {13, NULL, "TevStage13"}, {14, NULL, "TevStage14"},
    {15, NULL, "TevStage15"}};
const facet_gx_enumeration facet_gx_tev_stages = FACET_GX_ENUMERATION("TEV stage", tev_stages);

static const facet_gx_value_name indirect_formats[] = {
    {0, "ITF_8", "ITF_8"}, {1, "ITF_5", "ITF_5"}, {2, "ITF_4", "ITF_4"}, {3, "ITF_3", "ITF_3"}};
const facet_gx_enumeration facet_gx_indirect_formats =
    FACET_GX_ENUMERATION("indirect format", indirect_formats);

static const facet_gx_value_name indirect_biases[] = {
    {0, "NONE", "None"}, {1, "S", "ITB_S"},   {2, "T", "ITB_T"},   {3, "ST", "ITB_ST"},
    {4, "U", "ITB_U"},   {5, "SU", "ITB_SU"}, {6, "TU", "ITB_TU"}, {7, "STU", "ITB_STU"}};
const facet_gx_enumeration facet_gx_indirect_biases =
    FACET_GX_ENUMERATION("indirect bias", indirect_biases);

static const facet_gx_value_name indirect_matrices[] = {
    {0, "OFF", "ITM_OFF"},   {1, "ITM_0", "ITM_0"},   {2, "ITM_1", "ITM_1"},
    {3, "ITM_2", "ITM_2"},   {5, "ITM_S0", "ITM_S0"}, {6, "ITM_S1", "ITM_S1"},
    {7, "ITM_S2", "ITM_S2"}, {9, "ITM_T0", "ITM_T0"}, {10, "ITM_T1", "ITM_T1"},
    {11, "ITM_T2", "ITM_T2"}};
const facet_gx_enumeration facet_gx_indirect_matrices =
    FACET_GX_ENUMERATION("indirect matrix", indirect_matrices);

static const facet_gx_value_name indirect_wraps[] = {
    {0, "OFF", "ITW_OFF"},   {1, "ITW_256", "ITW_256"}, {2, "ITW_128", "ITW_128"},
    {3, "ITW_64", "ITW_64"}, {4, "ITW_32", "ITW_32"},   {5, "ITW_16", "ITW_16"},
    {6, "ITW_0", "ITW_0"}};
const facet_gx_enumeration facet_gx_indirect_wraps =
    FACET_GX_ENUMERATION("indirect wrap", indirect_wraps);

static const facet_gx_value_name indirect_alphas[] = {
    {0, "OFF", "ITBA_OFF"}, {1, "S", "ITBA_S"}, {2, "T", "ITBA_T"}, {3, "U", "ITBA_U"}};
const facet_gx_enumeration facet_gx_indirect_alphas =
    FACET_GX_ENUMERATION("indirect bump alpha", indirect_alphas);

static const facet_gx_value_name indirect_scales[] = {
    {0, "ITS_1", "ITS_1"},   {1, "ITS_2", "ITS_2"},     {2, "ITS_4", "ITS_4"},
    {3, "ITS_8", "ITS_8"},   {4, "ITS_16", "ITS_16"},   {5, "ITS_32", "ITS_32"},
    {6, "ITS_64", "ITS_64"}, {7, "ITS_128", "ITS_128"}, {8, "ITS_256", "ITS_256"}};
const facet_gx_enumeration facet_gx_indirect_scales =
    FACET_GX_ENUMERATION("indirect scale", indirect_scales);

static const facet_gx_value_name fog_types[] = {
    {0, "NONE", NULL},          {2, "LINEAR", NULL},        {4, "EXP", NULL},
    {5, "EXP2", NULL},          {6, "REVEXP", NULL},        {7, "REVEXP2", NULL},
    {10, "ORTHO_LINEAR", NULL}, {12, "ORTHO_EXP", NULL},    {13, "ORTHO_EXP2", NULL},
    {14, "ORTHO_REVEXP", NULL}, {15, "ORTHO_REVEXP2", NULL}};
const facet_gx_enumeration facet_gx_fog_types = FACET_GX_ENUMERATION("fog type", fog_types);

static const facet_gx_value_name comparisons[] = {
    {0, "NEVER", "Never"},   {1, "LESS", "Less"},       {2, "EQUAL", "Equal"},
    {3, "LEQUAL", "LEqual"}, {4, "GREATER", "Greater"}, {5, "NEQUAL", "NEqual"},
    {6, "GEQUAL", "GEqual"}, {7, "ALWAYS", "Always"}};
const facet_gx_enumeration facet_gx_comparisons = FACET_GX_ENUMERATION("comparison", comparisons);

static const facet_gx_value_name alpha_operations[] = {
    {0, "AND", "And"}, {1, "OR", "Or"}, {2, "XOR", "XOR"}, {3, "XNOR", "XNOR"}};
const facet_gx_enumeration facet_gx_alpha_operations =
    FACET_GX_ENUMERATION("alpha operation", alpha_operations);

static const facet_gx_value_name blend_types[] = {
    {0, "NONE", "None"}, {1, "BLEND", "Blend"}, {2, "LOGIC", "Logic"}, {3, "SUBTRACT", "Subtract"}};
const facet_gx_enumeration facet_gx_blend_types = FACET_GX_ENUMERATION("blend type", blend_types);

static const facet_gx_value_name source_factors[] = {
    {0, "ZERO", "Zero"},         {1, "ONE", "One"},
    {2, "DSTCLR", "SrcColor"},   {3, "INVDSTCLR", "InverseSrcColor"},
    {4, "SRCALPHA", "SrcAlpha"}, {5, "INVSRCALPHA", "InverseSrcAlpha"},
    {6, "DSTALPHA", "DstAlpha"}, {7, "INVDSTALPHA", "InverseDstAlpha"}};
const facet_gx_enumeration facet_gx_source_factors =
    FACET_GX_ENUMERATION("source factor", source_factors);

static const facet_gx_value_name destination_factors[] = {
    {0, "ZERO", "Zero"},         {1, "ONE", "One"},
    {2, "SRCCLR", "SrcColor"},   {3, "INVSRCCLR", "InverseSrcColor"},
    {4, "SRCALPHA", "SrcAlpha"}, {5, "INVSRCALPHA", "InverseSrcAlpha"},
    {6, "DSTALPHA", "DstAlpha"}, {7, "INVDSTALPHA", "InverseDstAlpha"}};
const facet_gx_enumeration facet_gx_destination_factors =
    FACET_GX_ENUMERATION("destination factor", destination_factors);

static const facet_gx_value_name logic_operations[] = {
    {0, "CLEAR", "Clear"},      {1, "AND", "And"},       {2, "REVAND", "RevAnd"},
    {3, "COPY", "Copy"},        {4, "INVAND", "InvAnd"}, {5, "NOOP", "NoOp"},
    {6, "XOR", "XOr"},          {7, "OR", "Or"},         {8, "NOR", "NOr"},
    {9, "EQUIV", "Equiv"},      {10, "INV", "Inv"},      {11, "REVOR", "RevOr"},
    {12, "INVCOPY", "InvCopy"}, {13, "INVOR", "InvOr"},  {14, "NAND", "NAnd"},
    {15, "SET", "Set"}};
const facet_gx_enumeration facet_gx_logic_operations =
    FACET_GX_ENUMERATION("logic operation", logic_operations);

/* -- Textures -------------------------------------------------------------- */

static const facet_gx_value_name texture_formats[] = {
    {0, "I4", "I4"},         {1, "I8", "I8"},         {2, "IA4", "IA4"},       {3, "IA8", "IA8"},
    {4, "RGB565", "RGB565"}, {5, "RGB5A3", "RGB5A3"}, {6, "RGBA32", "RGBA32"}, {8, "C4", "C4"},
    {9, "C8", "C8"},         {10, "C14X2", "C14X2"},  {14, "CMPR", "CMPR"}};
const facet_gx_enumeration facet_gx_texture_formats =
    FACET_GX_ENUMERATION("texture format", texture_formats);

static const facet_gx_value_name palette_formats[] = {
    {0, "IA8", "IA8"}, {1, "RGB565", "RGB565"}, {2, "RGB5A3", "RGB5A3"}};
const facet_gx_enumeration facet_gx_palette_formats =
    FACET_GX_ENUMERATION("palette format", palette_formats);

static const facet_gx_value_name wraps[] = {
    {0, "CLAMP", "ClampToEdge"}, {1, "REPEAT", "Repeat"}, {2, "MIRROR", "MirroredRepeat"}};
const facet_gx_enumeration facet_gx_wraps = FACET_GX_ENUMERATION("wrap mode", wraps);

static const facet_gx_value_name filters[] = {{0, "NEAR", "Nearest"},
                                              {1, "LINEAR", "Linear"},
                                              {2, "NEAR_MIP_NEAR", "NearestMipmapNearest"},
                                              {3, "LIN_MIP_NEAR", "NearestMipmapLinear"},
                                              {4, "NEAR_MIP_LIN", "LinearMipmapNearest"},
                                              {5, "LIN_MIP_LIN", "LinearMipmapLinear"}};
const facet_gx_enumeration facet_gx_filters = FACET_GX_ENUMERATION("filter", filters);

static const facet_gx_value_name anisotropies[] = {
    {0, "ANISO_1", NULL}, {1, "ANISO_2", NULL}, {2, "ANISO_4", NULL}};
const facet_gx_enumeration facet_gx_anisotropies = FACET_GX_ENUMERATION("anisotropy", anisotropies);

/* -- J3D models ------------------------------------------------------------ */

static const facet_gx_value_name kinds[] = {
    {2, "BMD2", NULL}, {3, "BMD3", NULL}, {4, "BDL4", NULL}, {5, "BMT3", NULL}};
const facet_gx_enumeration facet_gx_file_kinds = FACET_GX_ENUMERATION("file kind", kinds);

static const facet_gx_value_name scalings[] = {
    {0, "BASIC", NULL}, {1, "SOFTIMAGE", NULL}, {2, "MAYA", NULL}};
const facet_gx_enumeration facet_gx_scalings = FACET_GX_ENUMERATION("scaling", scalings);

static const facet_gx_value_name node_types[] = {{0, "END", NULL},       {1, "OPEN", NULL},
                                                 {2, "CLOSE", NULL},     {16, "JOINT", NULL},
                                                 {17, "MATERIAL", NULL}, {18, "SHAPE", NULL}};
const facet_gx_enumeration facet_gx_node_types = FACET_GX_ENUMERATION("node type", node_types);

static const facet_gx_value_name joint_kinds[] = {
    {0, "SHAPES", NULL}, {1, "SKELETON", NULL}, {2, "GROUP", NULL}};
const facet_gx_enumeration facet_gx_joint_kinds = FACET_GX_ENUMERATION("joint kind", joint_kinds);

static const facet_gx_value_name shape_types[] = {
    {0, "SINGLE", NULL}, {1, "BILLBOARD", NULL}, {2, "Y_BILLBOARD", NULL}, {3, "MULTI", NULL}};
const facet_gx_enumeration facet_gx_shape_types = FACET_GX_ENUMERATION("shape type", shape_types);

/* -- Lookup ------------------------------------------------------------- */

const char *facet_gx_enumeration_name(const facet_gx_enumeration *enumeration, uint32_t value)
{
    for (size_t i = 0; i < enumeration->count; i++) {
        if (enumeration->values[i].value == value)
            return enumeration->values[i].name;
    }
    return NULL;
}

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static bool same_text(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b))
        a++, b++;
    return *a == *b;
}

bool facet_gx_enumeration_holds(const facet_gx_enumeration *enumeration, uint32_t value)
{
    uint32_t highest = 0, limit = 1;
    if (facet_gx_enumeration_name(enumeration, value))
        return true;
    for (size_t i = 0; i < enumeration->count; i++) {
        uint32_t known = enumeration->values[i].value; /* 0xFF means none; it is not a number of the
                                                          register */
        highest = known != 0xFF && known > highest ? known : highest;
    }
    while (limit <= highest)
        limit *= 2;
    return value < limit;
}

bool facet_gx_enumeration_value(const facet_gx_enumeration *enumeration, const char *name,
                                bool superbmd, uint32_t *value)
{
    for (size_t i = 0; i < enumeration->count; i++) {
        const facet_gx_value_name *v = &enumeration->values[i];
        const char *known = superbmd ? v->superbmd : v->name;
        if (known && same_text(known, name)) {
            *value = v->value;
            return true;
        }
    }
    return false;
}

static const facet_gx_value_name material_modes[] = {
    {1, "OPAQUE", NULL}, {2, "TEXTURE_EDGE", NULL}, {4, "TRANSLUCENT", NULL}};
const facet_gx_enumeration facet_gx_material_modes =
    FACET_GX_ENUMERATION("material mode", material_modes);
