/* FBX of version 6: objects have names, nodes contain their geometry, and takes their curves. */
#include "support/models.h"

#include <math.h>

#ifdef FACET_HAVE_ASSIMP

/* -- Files -------------------------------------------------------------- */

#define HEAD                                                                 \
    "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n\tFBXVersion: 6100\n" \
    "\tCreator: \"Exporter 1\"\n}\nObjects:  {\n"

/* A triangle with a shape that moves its vertex 1 by 5 along z. */
#define MESH                                                                             \
    "\tModel: \"Model::tri\", \"Mesh\" {\n\t\tVersion: 232\n\t\tProperties60:  {\n"      \
    "\t\t\tProperty: \"Lcl Translation\", \"Lcl Translation\", \"A+\",7,8,9\n"           \
    "\t\t\tProperty: \"up\", \"Number\", \"AU\",25\n\t\t}\n"                             \
    "\t\tVertices: 0,0,0,2,0,0,0,\n\t\t\t3,0\n\t\tPolygonVertexIndex: 0,1,-3\n"          \
    "\t\tLayerElementMaterial: 0 {\n\t\t\tVersion: 101\n"                                \
    "\t\t\tMappingInformationType: \"AllSame\"\n\t\t\tReferenceInformationType: "        \
    "\"IndexToDirect\"\n\t\t\tMaterials: 0\n\t\t}\n"                                     \
    "\t\tLayerElementTexture: 0 {\n\t\t\tMappingInformationType: \"AllSame\"\n"          \
    "\t\t\tTextureId: 1\n\t\t}\n"                                                        \
    "\t\tLayerElementEmissiveTextures: 0 {\n\t\t\tMappingInformationType: \"AllSame\"\n" \
    "\t\t\tTextureId: 0\n\t\t}\n"                                                        \
    "\t\tLayer: 0 {\n\t\t\tVersion: 100\n\t\t\tLayerElement:  {\n"                       \
    "\t\t\t\tType: \"LayerElementMaterial\"\n\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t}\n"    \
    "\t\tShape: \"up\" {\n\t\t\tIndexes: 1\n\t\t\tVertices: 0,0,5\n\t\t}\n\t}\n"

#define OTHERS                                                                                 \
    "\tModel: \"Model::Producer Top\", \"Camera\" {\n\t\tVersion: 232\n\t\tProperties60:  {\n" \
    "\t\t\tProperty: \"CameraProjectionType\", \"enum\", \"\",1\n\t\t}\n\t}\n"                 \
    "\tMaterial: \"Material::red\", \"\" {\n\t\tVersion: 102\n\t\tShadingModel: \"lambert\"\n" \
    "\t\tProperties60:  {\n\t\t\tProperty: \"DiffuseColor\", \"ColorRGB\", \"\",1,0,0\n"       \
    "\t\t\tProperty: \"DiffuseFactor\", \"double\", \"\",1\n\t\t}\n\t}\n"                      \
    "\tTexture: \"Texture::glow\", \"TextureVideoClip\" {\n\t\tVersion: 202\n"                 \
    "\t\tFileName: \"glow.png\"\n\t\tRelativeFilename: \"glow.png\"\n\t}\n"                    \
    "\tTexture: \"Texture::wood\", \"TextureVideoClip\" {\n\t\tVersion: 202\n"                 \
    "\t\tFileName: \"wood.png\"\n\t\tRelativeFilename: \"wood.png\"\n\t}\n"                    \
    "\tGlobalSettings:  {\n\t\tVersion: 1000\n\t\tProperties60:  {\n"                          \
    "\t\t\tProperty: \"UnitScaleFactor\", \"double\", \"\",100\n\t\t}\n\t}\n}\n"

#define LINKS                                                                \
    "Connections:  {\n\tConnect: \"OO\", \"Model::tri\", \"Model::Scene\"\n" \
    "\tConnect: \"OO\", \"Material::red\", \"Model::tri\"\n"                 \
    "\tConnect: \"OO\", \"Texture::glow\", \"Model::tri\"\n"                 \
    "\tConnect: \"OO\", \"Texture::wood\", \"Model::tri\"\n}\n"

/* In two seconds: x moves from 0 to 10 by a curve with flat ends, then stays, then jumps. The shape
 * goes from 0 to 100 percent in a straight line. */
#define TAKES                                                                                  \
    "Takes:  {\n\tCurrent: \"walk\"\n\tTake: \"walk\" {\n\t\tFileName: \"walk.tak\"\n"         \
    "\t\tLocalTime: 0,92372316000\n\t\tModel: \"Model::tri\" {\n\t\t\tVersion: 1.1\n"          \
    "\t\t\tChannel: \"Transform\" {\n\t\t\t\tChannel: \"T\" {\n\t\t\t\t\tChannel: \"X\" {\n"   \
    "\t\t\t\t\t\tDefault: 0\n\t\t\t\t\t\tKeyVer: 4005\n\t\t\t\t\t\tKeyCount: 3\n"              \
    "\t\t\t\t\t\tKey: 0,0,U,s,0,0,n,46186158000,10,C,s\n,92372316000,20,L\n\t\t\t\t\t}\n"      \
    "\t\t\t\t\tChannel: \"Y\" {\n\t\t\t\t\t\tDefault: 8\n\t\t\t\t\t}\n\t\t\t\t}\n\t\t\t}\n"    \
    "\t\t\tChannel: \"up\" {\n\t\t\t\tDefault: 0\n\t\t\t\tKeyVer: 4005\n\t\t\t\tKeyCount: 2\n" \
    "\t\t\t\tKey: 0,0,L,92372316000,100,L\n\t\t\t}\n\t\t}\n\t}\n}\n"

static facet_scene *load_old(const char *text, facet_report *report)
{
    const facet_options options = {.report = report};
    return load_bytes(text, strlen(text), "a.fbx", &options);
}

static const facet_channel *channel_of(const facet_scene *scene, facet_channel_target target)
{
    for (uint32_t i = 0; i < scene->animations[0]->channel_count; i++) {
        if (scene->animations[0]->channels[i].target == target)
            return &scene->animations[0]->channels[i];
    }
    fail_msg("no channel %d", (int)target);
    return NULL;
}

static void assert_sample(const facet_scene *scene, facet_channel_target target, double time,
                          int axis, double expected)
{
    float value[4];
    facet_channel_sample(channel_of(scene, target), time, value);
    if (!(fabs((double)value[axis] - expected) < 0.02))
        fail_msg("%.4f at %.2f s, expected %.4f", (double)value[axis], time, expected);
}

/* -- Tests -------------------------------------------------------------- */

TEST(old_nodes_geometries_and_materials_are_read)
{
    facet_error error;
    facet_report *report;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene *scene = load_old(HEAD MESH OTHERS LINKS TAKES, report);
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->camera_count, 0); /* of a viewport */
    assert_null(test_finding(report, "LOSS-CAMERA"));
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(mesh->corner_count, 3);
    const float *positions = mesh->streams[0].data;
    uint32_t last = mesh->streams[0].indices[2];
    assert_float_equal(positions[(size_t)last * 3 + 1], 3, 0);
    assert_int_equal(mesh->morph_count, 1);
    assert_float_equal(mesh->morphs[0].weight, 0.25F, 1e-6F);
    assert_true(scene->axes.unit == 1);
    const facet_node *node = NULL;
    for (uint32_t i = 0; i < scene->node_count; i++)
        node = scene->nodes[i]->mesh != FACET_NONE ? scene->nodes[i] : node;
    assert_non_null(node);
    assert_float_equal(node->transform.translation[2], 9, 1e-6F);
    const facet_material *material = scene->materials[mesh->face_materials[0]];
    assert_string_equal(material->name, "red");
    const facet_texture *diffuse = material->maps[FACET_MAP_DIFFUSE];
    const facet_texture *glow = material->maps[FACET_MAP_EMISSIVE];
    assert_non_null(diffuse);
    assert_string_equal(diffuse->path, "wood.png");
    assert_non_null(glow);
    assert_string_equal(glow->path, "glow.png");
    facet_scene_free(scene);
    facet_report_free(report);
}

/* A cubic curve with flat ends is 10 (3 t^2 - 2 t^3) in the first second. */
TEST(takes_are_animations)
{
    facet_scene *scene = load_old(HEAD MESH OTHERS LINKS TAKES, NULL);
    assert_int_equal(scene->animation_count, 1);
    assert_string_equal(scene->animations[0]->name, "walk");
    assert_sample(scene, FACET_TARGET_TRANSLATION, 0.25, 0, 10 * (3 * 0.0625 - 2 * 0.015625));
    assert_sample(scene, FACET_TARGET_TRANSLATION, 1.5, 0, 10);
    assert_sample(scene, FACET_TARGET_TRANSLATION, 2, 0, 20);
    assert_sample(scene, FACET_TARGET_TRANSLATION, 1, 1, 8);
    assert_sample(scene, FACET_TARGET_WEIGHTS, 0.5, 0, 0.25);
    facet_scene_free(scene);
}

/* Damaged keys, and names that match nothing, are left out. */
TEST(damaged_takes_are_left_out)
{
    static const char *const keys[] = {
        "KeyCount: 9\nKey: 0,0,L",     "KeyCount: 2\nKey: 0,0,U,x,1,0,L",
        "KeyCount: 1\nKey: 0,\"a\",L", "KeyCount: -1\nKey: 0,0,L",
        "KeyCount: 1e30\nKey: 0,0,L",  "KeyCount: 1\nKey: "};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        char text[6000];
        snprintf(text, sizeof text,
                 HEAD MESH OTHERS LINKS
                 "Takes: {\nTake: \"t\" {\nLocalTime: 0,1\nModel: \"Model::none\" {\n}\nModel: "
                 "\"Model::tri\" {\nChannel: \"Transform\" {\nChannel: \"T\" {\nChannel: \"X\" "
                 "{\n%s\n}\n}\n}\n}\n}\n}\n",
                 keys[i]);
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene *scene = load_old(text, report);
        assert_non_null(test_finding_saying(report, "LOSS-ANIMATIONS", "damaged"));
        facet_report_free(report);
        for (uint32_t k = 0; k < scene->animation_count; k++)
            assert_int_equal(scene->animations[k]->channel_count, 0);
        facet_scene_free(scene);
    }
}

TEST(other_animated_properties_are_reported)
{
    static const char *const values[] = {"5", "6"}; /* of the second key */
    for (int i = 0; i < 4; i++) {
        char text[6000];
        facet_error error;
        facet_report *report;
        snprintf(
            text, sizeof text,
            HEAD MESH OTHERS LINKS
            "Takes: {\nTake: \"t\" {\nLocalTime: 0,1\n%s {\nChannel: \"Color\" {\nChannel: \"X\" "
            "{\nKeyCount: 2\nKey: 0,5,L,1000,%s,L\n}\n}\n}\n}\n}\n",
            i / 2 ? "Model: \"Model::tri\"" : "Material: \"Material::red\"", values[i % 2]);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene_free(load_old(text, report));
        assert_int_equal(test_finding(report, "LOSS-ANIMATIONS") != NULL, i % 2);
        facet_report_free(report);
    }
}

/* The lines of findings would be those of the converted text. */
TEST(findings_of_old_files_have_no_line)
{
    facet_error error;
    facet_report *report;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_scene_free(load_old(HEAD MESH OTHERS LINKS TAKES, report));
    const facet_finding *finding = test_finding_saying(report, "LOSS-ANIMATIONS", "steps");
    assert_non_null(finding);
    assert_int_equal(finding->line, 0);
    facet_report_free(report);
}
#endif
