/* Materials of a COLLADA. */
#include "support/dae.h"
#include "support/mesh.h"
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

/* A triangle with a shader, and a line end in front of it. */
static const char form[] = DAE_BEGIN
    "<library_images><image id=\"i\"><init_from>a.png</init_from></image></library_images>"
    "<library_effects><effect id=\"e\"><profile_COMMON><newparam sid=\"f\"><surface type=\"2D\">"
    "<init_from>i</init_from></surface></newparam><newparam sid=\"k\"><sampler2D><source>f"
    "</source></sampler2D></newparam><technique sid=\"t\">\n%s</technique></profile_COMMON>"
    "</effect></library_effects><library_materials>" DAE_MATERIAL(
        "m", "e") "</library_materials>" DAE_GEOMETRY(DAE_VERTICES DAE_FACE_OF("y")) DAE_NODES
    "<node id=\"n\"><instance_geometry url=\"#g\">" DAE_BIND(
        "y", "m") "</instance_geometry></node>" DAE_END;

static facet_scene *load_shader(const char *shader, facet_report *report)
{
    static char text[4000];
    const facet_options options = {.report = report};
    snprintf(text, sizeof text, form, shader);
    return load_bytes(text, strlen(text), "a.dae", &options);
}

#define COLOR(r, g, b) "<color>" #r " " #g " " #b " 1</color>"

/* COLLADA 1.4.1, chapter 8: <lambert> is emission + ambient + diffuse * light, and absent terms are
 * 0. The color of a <constant> is its emission. */
TEST(absent_diffuse_is_black)
{
    static const struct {
        const char *shader;
        float base[3], emissive[3];
        bool is_unlit;
    } cases[] = {
        {"<lambert><emission>" COLOR(1, 0, 1) "</emission></lambert>", {0, 0, 0}, {1, 0, 1}, false},
        {"<phong/>", {0, 0, 0}, {0, 0, 0}, false},
        {"<blinn></blinn>", {0, 0, 0}, {0, 0, 0}, false},
        {"<phong><diffuse>" COLOR(1, 1, 0) "</diffuse></phong>", {1, 1, 0}, {0, 0, 0}, false},
        {"<constant><emission>" COLOR(1, 0, 1) "</emission></constant>",
         {1, 0, 1},
         {0, 0, 0},
         true},
        {"<constant></constant>", {0, 0, 0}, {0, 0, 0}, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene = load_shader(cases[i].shader, NULL);
        assert_int_equal(scene->material_count, 1);
        const facet_material *m = scene->materials[0];
        for (int k = 0; k < 3; k++) {
            assert_float_equal((double)m->base_color[k], (double)cases[i].base[k], 0);
            assert_float_equal((double)m->emissive[k], (double)cases[i].emissive[k], 0);
        }
        assert_int_equal(m->unlit, cases[i].is_unlit);
        facet_scene_free(scene);
    }
}

TEST(picture_of_a_constant_shader_is_its_color)
{
    facet_scene *scene = load_shader("<constant><emission><texture texture=\"k\" texcoord=\"u\"/>"
                                     "</emission></constant>",
                                     NULL);
    const facet_material *m = scene->materials[0];
    assert_non_null(m->maps[FACET_MAP_DIFFUSE]);
    assert_null(m->maps[FACET_MAP_EMISSIVE]);
    assert_string_equal(m->maps[FACET_MAP_DIFFUSE]->path, "a.png");
    assert_true(m->unlit);
    facet_scene_free(scene);
}

/* Maya writes a black <transparent> with RGB_ZERO for opaque materials. Only a color is a filter
 * that is lost. */
TEST(gray_transparency_is_only_opacity)
{
    static const struct {
        const char *color;
        float opacity;
        bool is_lost;
    } cases[] = {{COLOR(0, 0, 0), 1, false},
                 {COLOR(.5, .5, .5), .5F, false},
                 {COLOR(1, 0, 0), 0.787329F, true}}; /* 1 - 0.212671, the luminance of red */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char shader[300];
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        snprintf(shader, sizeof shader,
                 "<phong><diffuse>" COLOR(
                     1, 1, 1) "</diffuse><transparent opaque=\"RGB_ZERO\">%s"
                              "</transparent><transparency><float>1</float></transparency></phong>",
                 cases[i].color);
        facet_scene *scene = load_shader(shader, NULL);
        assert_float_equal((double)scene->materials[0]->base_color[3], (double)cases[i].opacity,
                           1e-3);
        const facet_options options = {.report = report};
        facet_output_free(save_scene(scene, "glb", &options));
        assert_int_equal(test_finding(report, "LOSS-MATERIALS") != NULL, cases[i].is_lost);
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

static facet_scene *make_triangle(facet_material **material)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    facet_error error;
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, positions, NULL));
    TEST_OK(facet_scene_add_material(scene, "m", material, &error), &error);
    mesh->face_materials = test_copy(scene, (uint32_t[]){0}, 1);
    return scene;
}

/* Only FBX loses the flag. FBX loses the index of refraction as well. */
TEST(sides_and_refraction_return_from_collada)
{
    for (int is_fbx = 0; is_fbx < 2; is_fbx++) {
        facet_error error;
        facet_report *report;
        facet_material *material, *second;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        facet_scene *scene = make_triangle(&material);
        TEST_OK(facet_scene_add_material(scene, "n", &second, &error), &error);
        second->double_sided = true;
        second->ior = 2.5F;
        facet_output *output = save_scene(scene, is_fbx ? "fbx" : "dae", &options);
        assert_int_equal(test_finding_saying(report, "LOSS-MATERIALS", "double-sided") != NULL,
                         is_fbx);
        assert_int_equal(test_finding(report, "LOSS-LOOKS") != NULL, is_fbx);
        facet_scene *again = load_output(output, is_fbx ? "a.fbx" : "a.dae", NULL);
        for (uint32_t i = 0; i < again->material_count && !is_fbx; i++) {
            bool is_second = strcmp(again->materials[i]->name, "n") == 0;
            assert_int_equal(again->materials[i]->double_sided, is_second);
            assert_float_equal((double)again->materials[i]->ior, is_second ? 2.5 : 1.5, 1e-6);
        }
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* The factor is glTF's default, 0. Readers of FBX and COLLADA show the map without it. */
TEST(emissive_map_with_a_black_factor_is_left_out)
{
    static const char *const formats[] = {"fbx", "dae", "obj"};
    for (size_t f = 0; f < 3; f++) {
        for (int glows = 0; glows < 2; glows++) {
            facet_error error;
            facet_report *report;
            facet_material *material;
            TEST_OK(facet_report_create(NULL, &report, &error), &error);
            const facet_options options = {.report = report};
            facet_scene *scene = make_triangle(&material);
            test_map(scene, material, FACET_MAP_EMISSIVE)->path = "glow.png";
            for (int i = 0; i < 3 && glows; i++)
                material->emissive[i] = 1;
            facet_output_free(save_scene(scene, formats[f], &options));
            assert_int_equal(test_finding_saying(report, "LOSS-TEXTURES", "black factor") != NULL,
                             !glows);
            facet_scene_free(scene);
            facet_report_free(report);
        }
    }
}

/* A reader of FBX takes a strength of 0 for a missing one, which is 1. */
TEST(normal_map_of_strength_0_is_left_out_of_fbx)
{
    for (int k = 0; k < 2; k++) {
        facet_error error;
        facet_report *report;
        facet_material *material;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        facet_scene *scene = make_triangle(&material);
        facet_texture *normals = test_map(scene, material, FACET_MAP_NORMAL);
        normals->path = "n.png";
        normals->strength = (float)k / 2;
        facet_output *output = save_scene(scene, "fbx", &options);
        facet_scene *again = load_output(output, "a.fbx", NULL);
        const facet_texture *back = again->materials[0]->maps[FACET_MAP_NORMAL];
        assert_int_equal(back != NULL, k);
        assert_true(!back || back->strength == 0.5F);
        assert_int_equal(test_finding_saying(report, "LOSS-TEXTURES", "strength 0") != NULL, !k);
        facet_scene_free(again);
        facet_output_free(output);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* A node of the form has an id and no name. */
TEST(nodes_without_a_name_have_their_id)
{
    facet_scene *scene = load_shader("<phong/>", NULL);
    bool is_found = false;
    for (uint32_t i = 0; i < scene->node_count; i++)
        is_found |= strcmp(scene->nodes[i]->name, "n") == 0;
    assert_true(is_found);
    facet_scene_free(scene);
}

/* The filter of a sampler in a shader's <newparam>, which the scan finds anywhere. */
TEST(nearest_filters_are_reported)
{
    for (int is_near = 0; is_near < 2; is_near++) {
        char shader[300];
        facet_error error;
        facet_report *report;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        snprintf(shader, sizeof shader,
                 "<phong/></technique><newparam sid=\"q\"><sampler2D><source>f</source>"
                 "<magfilter>%s</magfilter></sampler2D></newparam><technique sid=\"u\">",
                 is_near ? "NEAREST" : "LINEAR");
        facet_scene_free(load_shader(shader, report));
        assert_int_equal(test_finding_saying(report, "LOSS-TEXTURES", "filter") != NULL, is_near);
        facet_report_free(report);
    }
}

/* COLLADA 1.4.1, chapter 7: RGB_ZERO and A_ZERO are transparent where the texture is 1. No map of a
 * scene is inverted. */
TEST(inverted_opacity_textures_leave_the_material_opaque)
{
    static const struct {
        const char *mode;
        bool is_read;
    } cases[] = {{"RGB_ZERO", false}, {"A_ZERO", false}, {"A_ONE", true}, {"RGB_ONE", true}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        char shader[400];
        facet_report *report = NULL;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        snprintf(shader, sizeof shader,
                 "<phong><diffuse>" COLOR(1, 1, 0) "</diffuse><transparent opaque=\"%s\"><texture "
                                                   "texture=\"k\" texcoord=\"u\"%s</transparent>"
                                                   "<transparency><float>1</float></transparency>"
                                                   "</phong>",
                 cases[i / 2].mode, i % 2 ? "/>" : "></texture>");
        facet_scene *scene = load_shader(shader, report);
        const facet_material *m = scene->materials[0];
        assert_float_equal((double)m->base_color[3], 1, 0);
        assert_true((m->maps[FACET_MAP_OPACITY] != NULL) == cases[i / 2].is_read);
        assert_true((test_finding_saying(report, "LOSS-MATERIALS", "<transparent>") != NULL) !=
                    cases[i / 2].is_read);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* The texture of <ambient> is a color of light, not the ambient occlusion of a glTF. */
TEST(ambient_texture_is_not_occlusion)
{
    facet_scene *scene = load_shader("<phong><ambient><texture texture=\"k\" texcoord=\"u\"/>"
                                     "</ambient></phong>",
                                     NULL);
    assert_non_null(scene->materials[0]->maps[FACET_MAP_AMBIENT]);
    assert_null(scene->materials[0]->maps[FACET_MAP_OCCLUSION]);
    facet_scene_free(scene);
}

/* COLLADA 1.4.1, 7: an <effect> can have the parameters that its profiles share. */
TEST(samplers_outside_of_the_profile_are_read)
{
    static const char begin[] = "<profile_COMMON>", params[] = "<newparam sid=\"f\">";
    char text[4000], moved[4000];
    snprintf(text, sizeof text, form,
             "<phong><diffuse><texture texture=\"k\" texcoord=\"u\"/></diffuse></phong>");
    char *profile = strstr(text, begin), *first = strstr(text, params);
    char *technique = strstr(text, "<technique sid=\"t\">");
    assert_true(profile && first && technique);
    snprintf(moved, sizeof moved, "%.*s%.*s%s%s", (int)(profile - text), text,
             (int)(technique - first), first, begin, technique);
    facet_scene *scene = load_bytes(moved, strlen(moved), "a.dae", NULL);
    assert_non_null(scene->materials[0]->maps[FACET_MAP_DIFFUSE]);
    assert_string_equal(scene->materials[0]->maps[FACET_MAP_DIFFUSE]->path, "a.png");
    facet_scene_free(scene);
}

/* -- Sides --------------------------------------------------------------- */

#define SIDES(profile, value)                                        \
    "<extra><technique profile=\"" profile "\"><double_sided>" value \
    "</double_sided></technique></extra>"
#define INSTANCE(geometry)                      \
    "<node><instance_geometry url=\"#" geometry \
    "\">" DAE_BIND("y", "m") "</instance_geometry></node>"

/* Sketchup and FCollada write it in an effect, Maya in a geometry. Only materials of Facet have it:
 * a geometry gives it to a material that no other geometry has without it. */
TEST(double_sided_is_read_from_effects_and_geometries)
{
    static const struct {
        const char *inner, *technique, *profile, *effect, *geometry, *other;
        bool is_double, is_lost;
    } cases[] = {
        {"", "", "", "", "", "", false, false},
        {SIDES("MAX3D", "1"), "", "", "", "", "", true, false},
        {"", SIDES("GOOGLEEARTH", "1"), "", "", "", "", true, false},
        {"", "", SIDES("MAX3D", "1"), "", "", "", true, false},
        {"", "", "", SIDES("GOOGLEEARTH", "1"), "", "", true, false},
        {"", "", "", SIDES("MAYA", " true "), "", "", true, false},
        {"", "", "", SIDES("MAYA", "0"), "", "", false, false},
        {"", "", "", "", SIDES("MAYA", "1"), NULL, true, false},
        {"", "", "", "", SIDES("MAYA", "0"), NULL, false, false},
        {"", "", "", "", SIDES("MAYA", "1"), SIDES("MAYA", "1"), true, false},
        {"", "", "", "", SIDES("MAYA", "1"), SIDES("MAYA", "0"), false, true},
        {"", "", "", SIDES("MAYA", "1"), SIDES("MAYA", "1"), SIDES("MAYA", "0"), true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_report *report = NULL;
        facet_error error;
        char text[6000];
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        const facet_options options = {.report = report};
        snprintf(text, sizeof text,
                 DAE_BEGIN
                 "<library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"t\">"
                 "<lambert><diffuse><color>1 0 0 1</color></diffuse>%s</lambert>%s</technique>%s"
                 "</profile_COMMON>%s</effect></library_effects><library_materials>" DAE_MATERIAL(
                     "m", "e") "</library_materials><library_geometries><geometry "
                               "id=\"g\"><mesh>" DAE_VERTICES DAE_FACE_OF(
                                   "y") "</mesh>%s</geometry><geometry id=\"h\"><mesh>" DAE_VERTICES
                                   DAE_FACE_OF(
                                       "y") "</mesh>%s</geometry></library_geometries>\n" DAE_NODES
                                       INSTANCE("g") "%s" DAE_END,
                 cases[i].inner, cases[i].technique, cases[i].profile, cases[i].effect,
                 cases[i].geometry, cases[i].other ? cases[i].other : "",
                 cases[i].other ? INSTANCE("h") : "");
        facet_scene *scene = load_bytes(text, strlen(text), "a.dae", &options);
        assert_int_equal(scene->material_count, 1);
        assert_int_equal(scene->materials[0]->double_sided, cases[i].is_double);
        const facet_finding *finding = test_finding(report, "LOSS-MATERIALS");
        assert_int_equal(finding != NULL, cases[i].is_lost);
        assert_true(!finding || finding->line == 2);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* -- Wrap modes ----------------------------------------------------------- */

/* COLLADA 1.4.1, chapter 8, fx_sampler_wrap_common: WRAP is the default. MIRROR repeats mirrored.
 * CLAMP repeats the last pixel. */
TEST(wrap_modes_of_samplers_are_read)
{
    static const struct {
        const char *modes, *texture;
        facet_wrap u, v;
    } cases[] = {
        {"", "<texture texture=\"k\" texcoord=\"UV\"/>", FACET_WRAP_REPEAT, FACET_WRAP_REPEAT},
        {"<wrap_s>CLAMP</wrap_s>", "<texture texture=\"k\" texcoord=\"UV\"/>", FACET_WRAP_CLAMP,
         FACET_WRAP_REPEAT},
        {"<wrap_s> WRAP </wrap_s><wrap_t>MIRROR</wrap_t>",
         "<texture texture=\"k\" texcoord=\"UV\"></texture>", FACET_WRAP_REPEAT, FACET_WRAP_MIRROR},
        {"<wrap_s>MIRROR</wrap_s><wrap_t>CLAMP</wrap_t>",
         "<texture texture=\"k\" texcoord=\"UV\" />", FACET_WRAP_MIRROR, FACET_WRAP_CLAMP},
        {"<wrap_s>BORDER</wrap_s>", "<texture texture=\"k\" texcoord=\"UV\"/>", FACET_WRAP_CLAMP,
         FACET_WRAP_REPEAT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[4000];
        snprintf(
            text, sizeof text,
            DAE_BEGIN
            "<library_images><image id=\"i\"><init_from>a.png</init_from></image></library_images>"
            "<library_effects><effect id=\"e\"><profile_COMMON><newparam sid=\"f\"><surface "
            "type=\"2D\"><init_from>i</init_from></surface></newparam><newparam sid=\"k\">"
            "<sampler2D><source>f</source>%s</sampler2D></newparam><technique sid=\"t\"><lambert>"
            "<diffuse>%s</diffuse></lambert></technique></profile_COMMON></effect>"
            "</library_effects><library_materials>" DAE_MATERIAL(
                "m", "e") "</library_materials>" DAE_GEOMETRY(DAE_VERTICES DAE_FACE_OF("y"))
                DAE_NODES "<node id=\"n\"><instance_geometry url=\"#g\">" DAE_BIND(
                    "y", "m") "</instance_geometry></node>" DAE_END,
            cases[i].modes, cases[i].texture);
        facet_scene *scene = load_bytes(text, strlen(text), "a.dae", NULL);
        const facet_texture *texture = scene->materials[0]->maps[FACET_MAP_DIFFUSE];
        assert_non_null(texture);
        assert_int_equal(texture->wrap_u, cases[i].u);
        assert_int_equal(texture->wrap_v, cases[i].v);
        facet_scene_free(scene);
    }
}

#endif
