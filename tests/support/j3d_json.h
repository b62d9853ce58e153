/* tests/support/j3d_json.h - documents with textures, and JSON that is applied to them. */
#ifndef FACET_TESTS_SUPPORT_J3D_JSON_H
#define FACET_TESTS_SUPPORT_J3D_JSON_H

#include "base/arena.h"
#include "formats/j3d/json/json.h"
#include "support/j3d_random.h"
#include "support/support.h"

static const char *const texture_names[] = {"body", "eye", "body", "a:1"};

static const uint8_t texels[32] = {0xF0, 0xF0, 0xF0, 0xF0, 0x0F, 0x0F, 0x0F, 0x0F};

static inline facet_j3d *document_with_textures(void)
{
    facet_j3d *document = test_j3d_document(NULL);
    assert_non_null(document);
    assert_true(test_j3d_textures(document, texture_names, 4, texels));
    return document;
}

static inline facet_status apply(facet_j3d *document, const char *materials, const char *textures,
                                 facet_report *report, facet_error *error)
{
    facet_options options = {.j3d =
                                 &(facet_j3d_options){.materials = materials, .textures = textures},
                             .report = report};
    bool changed = false;
    facet_status status = facet_j3d_apply_json(document, &options, &changed, error);
    assert_true(changed == (status == FACET_OK));
    return status;
}

#define STAGE                                                                                \
    "{\"ColorInA\":\"Zero\",\"ColorInB\":\"RasColor\",\"ColorInC\":\"TexColor\","            \
    "\"ColorInD\":\"Zero\",\"ColorOp\":\"Add\",\"ColorBias\":\"SubHalf\",\"ColorScale\":"    \
    "\"Divide_2\",\"ColorClamp\":true,\"ColorRegId\":\"TevReg1\",\"AlphaInA\":\"TexAlpha\"," \
    "\"AlphaInB\":\"Konst\",\"AlphaInC\":\"Zero\",\"AlphaInD\":\"A2\",\"AlphaOp\":"          \
    "\"Comp_A8_EQ\",\"AlphaBias\":\"Zero\",\"AlphaScale\":\"Scale_4\",\"AlphaClamp\":false," \
    "\"AlphaRegId\":\"TevPrev\"}"

static const char superbmd[] =
    "[{\"Name\":\"skin\",\"Flag\":4,\"CullMode\":\"None\",\"ZCompLoc\":false,\"Dither\":true,"
    "\"TextureNames\":[\"body:1\",\"\",null,\"eye\",\"\",\"\",\"\",\"\"],"
    "\"IndTexEntry\":{\"HasLookup\":true,\"IndTexStageNum\":1,"
    "\"TevOrders\":[{\"TexCoord\":\"TexCoord1\",\"TexMap\":\"TexMap2\"},"
    "{\"TexCoord\":\"Null\",\"TexMap\":\"Null\"}],"
    "\"Matrices\":[{\"Matrix\":[[0.5,0.0,0.0],[0.0,0.25,0.0]],\"Exponent\":255}],"
    "\"Scales\":[{\"ScaleS\":\"ITS_4\",\"ScaleT\":\"ITS_1\"}],"
    "\"TevStages\":[{\"TevStage\":\"TevStage1\",\"IndTexFormat\":\"ITF_4\",\"IndTexBiasSel\":"
    "\"ITB_STU\",\"IndTexMtxId\":\"ITM_S1\",\"IndTexWrapS\":\"ITW_OFF\",\"IndTexWrapT\":"
    "\"ITW_0\",\"AddPrev\":true,\"UtcLod\":false,\"AlphaSel\":\"ITBA_U\"}]},"
    "\"MaterialColors\":[{\"R\":1.0,\"G\":0.5019608,\"B\":0.0,\"A\":1.0},null],"
    "\"ChannelControls\":[{\"Enable\":true,\"MaterialSrcColor\":\"Vertex\",\"LitMask\":\"Light2\","
    "\"DiffuseFunction\":\"Clamp\",\"AttenuationFunction\":\"None_2\",\"AmbientSrcColor\":"
    "\"Register\"},{\"Enable\":false,\"MaterialSrcColor\":\"Register\",\"LitMask\":3,"
    "\"DiffuseFunction\":\"Signed\",\"AttenuationFunction\":\"Spec\",\"AmbientSrcColor\":"
    "\"Register\"},null,null],"
    "\"AmbientColors\":[{\"R\":0.196078435,\"G\":0.196078435,\"B\":0.196078435,\"A\":0.196078435}"
    ",null],\"LightingColors\":[null,null,null,null,null,null,null,null],"
    "\"TexCoord1Gens\":[{\"Type\":\"Matrix2x4\",\"Source\":\"Tex0\",\"TexMatrixSource\":"
    "\"Identity\"},{\"Type\":\"SRTG\",\"Source\":\"Color0\",\"TexMatrixSource\":\"TexMtx9\"},null,"
    "null,null,null,null,null],\"PostTexCoordGens\":[null,null,null,null,null,null,null,null],"
    "\"TexMatrix1\":[{\"Projection\":\"Matrix2x4\",\"Type\":7,\"EffectTranslation\":[0.5,0.5,0.5],"
    "\"Scale\":[2.0,1.0],\"Rotation\":90.0,\"Translation\":[0.0,0.25],\"ProjectionMatrix\":"
    "[[1.0,0.0,0.0,0.0],[0.0,1.0,0.0,0.0],[0.0,0.0,1.0,0.0],[0.0,0.0,0.0,1.0]]},null,null,null,"
    "null,null,null,null,null,null],\"PostTexMatrix\":[null],"
    "\"TevOrders\":[{\"TexCoord\":\"TexCoord0\",\"TexMap\":\"TexMap0\",\"ChannelId\":\"Color0A0\"}"
    ",{\"TexCoord\":\"Null\",\"TexMap\":\"Null\",\"ChannelId\":\"Color1A1\"},null],"
    "\"ColorSels\":[\"KCSel_K0\",\"KCSel_3_8\"],\"AlphaSels\":[\"KASel_K3_A\"],"
    "\"TevColors\":[{\"R\":-1.0,\"G\":0.0,\"B\":4.0,\"A\":1.0},null,null,null],"
    "\"KonstColors\":[{\"R\":1.0,\"G\":1.0,\"B\":1.0,\"A\":0.2},null,null,null],"
    "\"TevStages\":[" STAGE "," STAGE ",null],"
    "\"SwapModes\":[{\"RasSel\":0,\"TexSel\":1},{\"RasSel\":0,\"TexSel\":0}],"
    "\"SwapTables\":[{\"R\":0,\"G\":1,\"B\":2,\"A\":3},{\"R\":3,\"G\":3,\"B\":3,\"A\":0},null,null"
    ",null,null,null,null,null,null,null,null,null,null,null,null],"
    "\"FogInfo\":{\"Type\":2,\"Enable\":false,\"Center\":320,\"StartZ\":1.0,\"EndZ\":2.0,"
    "\"NearZ\":0.1,\"FarZ\":10000.0,\"Color\":{\"R\":1.0,\"G\":1.0,\"B\":1.0,\"A\":0.0},"
    "\"RangeAdjustmentTable\":[1.0,1.00390625,1,1,1,1,1,1,1,0.5]},"
    "\"AlphCompare\":{\"Comp0\":\"GEqual\",\"Reference0\":128,\"Operation\":\"XNOR\",\"Comp1\":"
    "\"LEqual\",\"Reference1\":255},"
    "\"BMode\":{\"Type\":\"Blend\",\"SourceFact\":\"InverseSrcColor\",\"DestinationFact\":"
    "\"InverseDstAlpha\",\"Operation\":\"RevAnd\"},"
    "\"ZMode\":{\"Enable\":true,\"Function\":\"LEqual\",\"UpdateEnable\":false},"
    "\"NBTScale\":{\"Unknown1\":0,\"Scale\":[0.0,0.0,0.0]}},"
    "{\"Name\":\"of another model\",\"Flag\":1}, {\"Name\":\"__MatDefault\",\"CullMode\":\"All\"},"
    "{\"Name\":\"__MatDefault:Hat\",\"CullMode\":\"Front\",\"TextureNames\":[null,\"eye\"]}]";

#endif
