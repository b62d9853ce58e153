/* Reading FBX: materials, textures and properties that assimp does not return, from text files. */
#include "support/models.h"

#include <math.h>

#ifdef FACET_HAVE_ASSIMP

/* -- A file ------------------------------------------------------------- */

/* A triangle with texture coordinates on the node "n", and further objects and connections. */
typedef struct text_fbx {
    const char *model;    /* properties of the node */
    const char *material; /* name, or NULL */
    const char *values;   /* properties of the material */
    const char *texture;  /* properties of a texture of the diffuse color, or NULL */
    const char *objects, *links;
} text_fbx;

static facet_scene *load(const text_fbx *f, facet_report *report)
{
    static char text[20000];
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n"
        "\tFBXVersion: 7400\n}\nDefinitions:  {\n\tVersion: 100\n\tCount: 1\n}\nObjects:  {\n"
        "\tGeometry: 10, \"Geometry::g\", \"Mesh\" {\n"
        "\t\tVertices: *9 {\n\t\t\ta: 0,0,0,1,0,0,0,1,0\n\t\t}\n"
        "\t\tPolygonVertexIndex: *3 {\n\t\t\ta: 0,1,-3\n\t\t}\n"
        "\t\tLayerElementUV: 0 {\n\t\t\tName: \"map\"\n"
        "\t\t\tMappingInformationType: \"ByPolygonVertex\"\n"
        "\t\t\tReferenceInformationType: \"Direct\"\n"
        "\t\t\tUV: *6 {\n\t\t\t\ta: 0,0,1,0,0,1\n\t\t\t}\n\t\t}\n"
        "\t\tLayerElementMaterial: 0 {\n\t\t\tMappingInformationType: \"AllSame\"\n"
        "\t\t\tReferenceInformationType: \"IndexToDirect\"\n"
        "\t\t\tMaterials: *1 {\n\t\t\t\ta: 0\n\t\t\t}\n\t\t}\n"
        "\t\tLayer: 0 {\n\t\t\tLayerElement:  {\n\t\t\t\tType: \"LayerElementUV\"\n"
        "\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t\tLayerElement:  {\n"
        "\t\t\t\tType: \"LayerElementMaterial\"\n\t\t\t\tTypedIndex: 0\n\t\t\t}\n\t\t}\n\t}\n"
        "\tModel: 11, \"Model::n\", \"Mesh\" {\n\t\tVersion: 232\n"
        "\t\tProperties70:  {\n%s\t\t}\n\t}\n",
        f->model ? f->model : "");
    if (f->material)
        used +=
            (size_t)snprintf(text + used, sizeof text - used,
                             "\tMaterial: 12, \"Material::%s\", \"\" {\n\t\tVersion: 102\n"
                             "\t\tShadingModel: \"phong\"\n\t\tProperties70:  {\n%s\t\t}\n\t}\n",
                             f->material, f->values ? f->values : "");
    if (f->texture)
        used += (size_t)snprintf(text + used, sizeof text - used,
                                 "\tTexture: 13, \"Texture::t\", \"\" {\n"
                                 "\t\tType: \"TextureVideoClip\"\n\t\tFileName: \"t.png\"\n"
                                 "\t\tRelativeFilename: \"t.png\"\n"
                                 "\t\tProperties70:  {\n%s\t\t}\n\t}\n",
                                 f->texture);
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "%s}\nConnections:  {\n\tC: \"OO\",11,0\n\tC: \"OO\",10,11\n%s%s%s}\n",
                             f->objects ? f->objects : "", f->material ? "\tC: \"OO\",12,11\n" : "",
                             f->texture ? "\tC: \"OP\",13,12, \"DiffuseColor\"\n" : "",
                             f->links ? f->links : "");
    assert_true(used < sizeof text);
    facet_options options = {.report = report};
    return load_bytes(text, used, "a.fbx", &options);
}

/* -- Materials ---------------------------------------------------------- */

#define RED "\t\t\tP: \"DiffuseColor\", \"Color\", \"\", \"A\",1,0,0\n"
#define GRAY "\t\t\tP: \"DiffuseColor\", \"Color\", \"\", \"A\",0.8,0.8,0.8\n"

/* assimp gives meshes without a material its own one, with this name and 80 % gray. */
TEST(materials_of_the_file_stay_whatever_their_name)
{
    static const text_fbx files[] = {{.material = "", .values = RED},
                                     {.material = "DefaultMaterial", .values = RED},
                                     {.material = "DefaultMaterial", .values = GRAY},
                                     {.material = NULL}};
    static const uint32_t materials[] = {1, 1, 1, 0};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_scene *scene = load(&files[i], NULL);
        assert_int_equal(scene->material_count, materials[i]);
        if (files[i].values) {
            const float *color = scene->materials[0]->classic->diffuse;
            assert_float_equal(color[0], strcmp(files[i].values, RED) == 0 ? 1 : 0.8F, 1e-6F);
            assert_float_equal(color[1], strcmp(files[i].values, RED) == 0 ? 0 : 0.8F, 1e-6F);
        }
        facet_scene_free(scene);
    }
}

#define FLOATS(name, values) "\t\t\tP: \"" name "\", \"Vector3D\", \"Vector\", \"\"," values "\n"
#define FLOAT(name, value) "\t\t\tP: \"" name "\", \"Float\", \"\", \"\"," value "\n"
#define MAX "3dsMax|Parameters|"

/* Renderers of Maya and 3ds Max write their own properties next to classic defaults. */
TEST(materials_of_renderers_are_read)
{
    static const struct {
        const char *values;
        float color, metallic, roughness, emission; /* color and emission: red */
    } cases[] = {
        {RED FLOATS("Maya|baseColor", "0.5,0.25,1") FLOAT("Maya|base", "0.5")
             FLOAT("Maya|metalness", "0.75") FLOAT("Maya|specularRoughness", "0.25")
                 FLOATS("Maya|emissionColor", "1,1,1") FLOAT("Maya|emission", "0.5"),
         0.25F, 0.75F, 0.25F, 0.5F},
        {RED FLOATS("Maya|baseColor", "0.5,0.25,1") FLOATS("Maya|emissionColor", "1,1,1"), 0.5F, 0,
         1, 0},
        {RED "\t\t\tP: \"" MAX "base_color\", \"ColorAndAlpha\", \"\", \"A\",0.5,0.25,1,1\n" FLOAT(
             MAX "base_weight", "1") FLOAT(MAX "metalness", "1")
             FLOAT(MAX "roughness", "0.25") "\t\t\tP: \"" MAX
                                            "roughness_inv\", \"Bool\", \"\", \"A\",1\n",
         0.5F, 1, 0.75F, 0},
        {"\t\t\tP: \"ShininessExponent\", \"Number\", \"\", \"A\",90\n"
         "\t\t\tP: \"3dsMax|main|basecolor\", \"ColorAndAlpha\", \"\", \"A\",0.5,0.25,1,1\n" FLOAT(
             "3dsMax|main|metalness", "0.125") FLOAT("3dsMax|main|roughness", "0.5"),
         0.5F, 0.125F, 0.5F, 0},
        {"\t\t\tP: \"ShininessExponent\", \"Number\", \"\", \"A\",90\n" FLOATS("Maya|base_color",
                                                                               "0.5,0.25,1")
             FLOAT("Maya|metallic", "0.125") FLOAT("Maya|roughness", "0.5"),
         0.5F, 0.125F, 0.5F, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const text_fbx f = {.material = "m", .values = cases[i].values};
        facet_scene *scene = load(&f, NULL);
        const facet_material *m = scene->materials[0];
        assert_float_equal(m->base_color[0], cases[i].color, 1e-6F);
        assert_float_equal(m->metallic, cases[i].metallic, 1e-6F);
        assert_float_equal(m->roughness, cases[i].roughness, 1e-6F);
        assert_float_equal(m->emissive[0], cases[i].emission, 1e-6F);
        facet_scene_free(scene);
    }
}

/* -- Textures ----------------------------------------------------------- */

#define VECTOR(name, x, y, z) "\t\t\tP: \"" name "\", \"Vector\", \"\", \"A\"," x "," y "," z "\n"

/* uv' = S R uv + T, with R in degrees. */
TEST(texture_transform_is_that_of_the_file)
{
    const text_fbx f = {.material = "m",
                        .texture = VECTOR("Translation", "0.25", "0", "0")
                            VECTOR("Scaling", "0.5", "2", "1") VECTOR("Rotation", "0", "0", "90")};
    facet_scene *scene = load(&f, NULL);
    const facet_texture *texture = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
    assert_non_null(texture);
    assert_true(texture->has_transform);
    assert_float_equal(texture->scale[0], 0.5F, 0);
    assert_float_equal(texture->scale[1], 2, 0);
    assert_float_equal(texture->offset[0], 0.25F, 0);
    assert_float_equal(texture->offset[1], 0, 0);
    assert_float_equal(texture->rotation, 1.5707963F, 1e-6F); /* pi / 2 */
    facet_scene_free(scene);
}

#define VIDEO(id, path)                                                                    \
    "\tVideo: " id ", \"Video::v\", \"Clip\" {\n\t\tType: \"Clip\"\n\t\tFileName: \"" path \
    "\"\n\t\tRelativeFilename: \"" path "\"\n\t\tContent: \"iVBORw0KGgo=\"\n\t}\n"

/* Two images have one file name, in different folders. */
TEST(embedded_images_are_found_by_their_whole_path)
{
    const text_fbx f = {
        .material = "m",
        .values = "\t\t\tP: \"EmissiveFactor\", \"Number\", \"\", \"A\",1\n",
        .texture = "",
        .objects = VIDEO("20", "t.png") VIDEO(
            "21", "b/t.png") "\tTexture: 14, \"Texture::u\", \"\" {\n\t\tFileName: \"b/t.png\"\n"
                             "\t\tRelativeFilename: \"b/t.png\"\n\t}\n",
        .links = "\tC: \"OO\",20,13\n\tC: \"OO\",21,14\n\tC: \"OP\",14,12, \"EmissiveColor\"\n"};
    facet_scene *scene = load(&f, NULL);
    static const char *const names[2] = {"t.png", "b/t.png"};
    static const facet_map maps[2] = {FACET_MAP_DIFFUSE, FACET_MAP_EMISSIVE};
    for (int i = 0; i < 2; i++) {
        const facet_texture *texture = scene->materials[0]->maps[maps[i]];
        assert_true(texture && texture->has_image);
        assert_string_equal(scene->images[texture->image]->name, names[i]);
    }
    facet_scene_free(scene);
}

/* Blender writes the folder as the file name of packed images, and only the first of them. The
 * second texture is without an image then, instead of with the first one. */
TEST(images_named_like_their_folder_are_told_apart)
{
    const text_fbx f = {
        .material = "m",
        .values = "\t\t\tP: \"EmissiveFactor\", \"Number\", \"\", \"A\",1\n",
        .objects = "\tVideo: 20, \"Video::one\", \"Clip\" {\n\t\tType: \"Clip\"\n"
                   "\t\tRelativeFilename: \"a.fbm\"\n\t\tContent: \"iVBORw0KGgo=\"\n\t}\n"
                   "\tVideo: 21, \"Video::two\", \"Clip\" {\n\t\tType: \"Clip\"\n"
                   "\t\tRelativeFilename: \"a.fbm\"\n\t}\n"
                   "\tTexture: 14, \"Texture::t\", \"\" {\n\t\tRelativeFilename: \"a.fbm\"\n\t}\n"
                   "\tTexture: 15, \"Texture::t\", \"\" {\n\t\tRelativeFilename: \"a.fbm\"\n\t}\n",
        .links = "\tC: \"OO\",20,14\n\tC: \"OO\",21,15\n\tC: \"OP\",14,12, \"DiffuseColor\"\n"
                 "\tC: \"OP\",15,12, \"EmissiveColor\"\n"};
    facet_scene *scene = load(&f, NULL);
    const facet_texture *one = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
    const facet_texture *two = scene->materials[0]->maps[FACET_MAP_EMISSIVE];
    assert_true(one && one->has_image);
    assert_string_equal(scene->images[one->image]->name, "one");
    assert_true(!two || !two->has_image);
    facet_scene_free(scene);
}

/* assimp reads textures of some properties as maps, and keeps the paths of others. */
TEST(textures_of_other_properties_are_reported)
{
    static const struct {
        const char *property;
        bool is_lost;
    } cases[] = {{"DiffuseColor", false},
                 {"TransparencyFactor", false},
                 {"NormalMap", false},
                 {"Maya|normalCamera", false},
                 {"DiffuseFactor", true},
                 {"3dsMax|Parameters|coat_map", true},
                 {"Maya|specularRoughness", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char links[200];
        snprintf(links, sizeof links, "\tC: \"OP\",14,12, \"%s\"\n", cases[i].property);
        const text_fbx f = {.material = "m",
                            .objects = "\tTexture: 14, \"Texture::a\", \"\" {\n\t\tFileName: "
                                       "\"a.png\"\n\t\tRelativeFilename: \"a.png\"\n\t}\n",
                            .links = links};
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene_free(load(&f, report));
        assert_true((test_finding(report, "LOSS-TEXTURES") != NULL) == cases[i].is_lost);
        facet_report_free(report);
    }
}

/* assimp drops layered textures of version 7. The first layer is the lowest. */
TEST(first_of_layered_textures_is_read)
{
    static const char arrays[] = "\t\tBlendModes: *2 {\n\t\t\ta: 0,1\n\t\t}\n"
                                 "\t\tAlphas: *2 {\n\t\t\ta: 1,0.5\n\t\t}\n";
    for (int i = 0; i < 2; i++) {
        char objects[800];
        snprintf(
            objects, sizeof objects,
            "\tLayeredTexture: 20, \"LayeredTexture::l\", \"\" {\n\t\tLayeredTexture: 100\n%s\t}\n"
            "\tTexture: 14, \"Texture::a\", \"\" {\n\t\tFileName: \"a.png\"\n"
            "\t\tRelativeFilename: \"a.png\"\n\t}\n"
            "\tTexture: 15, \"Texture::b\", \"\" {\n\t\tFileName: \"b.png\"\n"
            "\t\tRelativeFilename: \"b.png\"\n\t}\n",
            i ? arrays : "");
        const text_fbx f = {.material = "m",
                            .objects = objects,
                            .links = "\tC: \"OO\",14,20\n\tC: \"OO\",15,20\n"
                                     "\tC: \"OP\",20,12, \"DiffuseColor\"\n"};
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene *scene = load(&f, report);
        assert_non_null(scene->materials[0]->maps[FACET_MAP_DIFFUSE]);
        assert_string_equal(scene->materials[0]->maps[FACET_MAP_DIFFUSE]->path, "a.png");
        assert_non_null(test_finding_saying(report, "LOSS-TEXTURES", "several textures"));
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* The characters * and : are not base64. Padding in the wrong place, as in "iVBO=", makes the
 * decoded size differ from the size that assimp computes. It frees such an image twice. */
TEST(damaged_embedded_images_are_left_out)
{
    static const char *const contents[] = {"\"iVBORw0KGgo=\"", "\"iVBO*w0KGgo=\"", "\"iVBO:w0K\"",
                                           "\"iVBO=\"",        "iVBORw0KGgo",      "\"\""};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        char video[400];
        snprintf(video, sizeof video,
                 "\tVideo: 20, \"Video::v\", \"Clip\" {\n\t\tFileName: \"t.png\"\n"
                 "\t\tRelativeFilename: \"t.png\"\n\t\tContent: %s\n\t}\n",
                 contents[i]);
        const text_fbx f = {
            .material = "m", .texture = "", .objects = video, .links = "\tC: \"OO\",20,13\n"};
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene_free(load(&f, report));
        const facet_finding *found = test_finding(report, "LOSS-IMAGES");
        assert_int_equal(found != NULL, i > 0);
        assert_true(!found || found->line > 0);
        facet_report_free(report);
    }
}

/* -- Losses ------------------------------------------------------------- */

#define NUMBER(name, value) "\t\t\tP: \"" name "\", \"Number\", \"\", \"A\"," value "\n"
#define CAMERA(type)                                                                          \
    "\tNodeAttribute: 31, \"NodeAttribute::c\", \"Camera\" {\n\t\tProperties70:  {\n" NUMBER( \
        "CameraProjectionType", type) "\t\t}\n\t}\n"

/* The test expects a report of each thing that assimp drops, and none of its right counterpart. */
TEST(dropped_properties_are_reported)
{
    static const struct {
        text_fbx file;
        const char *rule;
        bool lost;
    } cases[] = {
        {{.material = "m", .texture = NUMBER("WrapModeU", "1")}, "LOSS-TEXTURES", true},
        {{.material = "m", .texture = NUMBER("WrapModeV", "0")}, "LOSS-TEXTURES", false},
        {{.material = "m", .texture = NUMBER("UVSwap", "1")}, "LOSS-TEXTURES", true},
        {{.material = "m", .texture = NUMBER("UVSwap", "0")}, "LOSS-TEXTURES", false},
        {{.model = NUMBER("Visibility", "1")}, "LOSS-NODES", false},
        {{.objects = CAMERA("1")}, "LOSS-CAMERA", true},
        {{.objects = CAMERA("0")}, "LOSS-CAMERA", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_scene_free(load(&cases[i].file, report));
        const facet_finding *found = test_finding(report, cases[i].rule);
        assert_int_equal(found != NULL, cases[i].lost);
        assert_true(!found || found->line > 0);
        facet_report_free(report);
    }
}

/* The records of a binary FBX 7.4 up to the value: Objects > Texture > Properties70 > P. */
TEST(dropped_properties_of_a_binary_file_are_reported)
{
    /* Offsets of ends: the magic is 27 bytes. Objects: 13 + 7. Texture: 13 + 7. Properties70: 13 +
     * 12. P: 13 + 1 + (5 + 9) + 3 * 5 + 5 = 48. */
    enum { P = 27 + 20 + 20 + 25, END = P + 48 };
    static const char value[] = "S\11\0\0\0WrapModeUS\0\0\0\0S\0\0\0\0S\0\0\0\0I\1\0\0\0";
    static const char *const names[4] = {"Objects", "Texture", "Properties70", "P"};
    uint8_t bytes[END] = "Kaydara FBX Binary  \0\x1a\0\xe8\x1c"; /* 7400 */
    size_t at = 27;
    for (int i = 0; i < 4; i++) {
        size_t length = strlen(names[i]);
        bytes[at] = END;
        bytes[at + 4] = i == 3 ? 5 : 0;
        bytes[at + 8] = i == 3 ? sizeof value - 1 : 0;
        bytes[at + 12] = (uint8_t)length;
        memcpy(bytes + at + 13, names[i], length);
        at += 13 + length;
    }
    assert_int_equal(at + sizeof value - 1, END);
    memcpy(bytes + at, value, sizeof value - 1);
    for (size_t size = 1; size <= END; size++) { /* assimp refuses all; none is read beyond */
        facet_error error;
        facet_report *report;
        facet_scene *scene = NULL;
        uint8_t *copy = malloc(size);
        assert_non_null(copy);
        memcpy(copy, bytes, size);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_options options = {.report = report};
        facet_source source = {.data = copy, .size = size, .name = "a.fbx"};
        assert_int_not_equal(facet_load(&source, NULL, NULL, &options, &scene, &error), FACET_OK);
        assert_int_equal(test_finding(report, "LOSS-TEXTURES") != NULL, size == END);
        facet_report_free(report);
        free(copy);
    }
}

#endif
