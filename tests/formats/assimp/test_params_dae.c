/* Parameters of a COLLADA's effects. */
#include "support/dae.h"
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

/* The parts: <newparam>, the shader, contents of <instance_effect> of two materials. */
static const char form[] = DAE_BEGIN
    "<library_effects><effect id=\"e\"><profile_COMMON>%s<technique sid=\"t\"><phong>%s</phong>"
    "</technique></profile_COMMON></effect></library_effects><library_materials><material "
    "id=\"m\" name=\"m\"><instance_effect url=\"#e\">%s</instance_effect></material>%s"
    "</library_materials>" DAE_NODES "<node id=\"n\"/>" DAE_END;

#define NEW(content) "<newparam sid=\"d\">" content "</newparam>"
#define SET(content) "<setparam ref=\"d\">" content "</setparam>"
#define DIFFUSE "<diffuse><param ref=\"d\"/></diffuse>"
#define SECOND(content)                                                  \
    "<material id=\"o\" name=\"o\"><instance_effect url=\"#e\">" content \
    "</instance_effect></material>"
#define BLUE "<float4>0 0 1 1</float4>"
#define GREEN "<float3>0 1 0</float3>"

/* COLLADA 1.4.1, chapter 7: a <param> has the value of its <newparam>, or of the <setparam> of the
 * material. */
TEST(param_of_a_color_has_its_value)
{
    static const struct {
        const char *made, *shader, *changed, *second;
        float color[3];
        bool is_lost;
    } cases[] = {
        {NEW(BLUE), DIFFUSE, "", "", {0, 0, 1}, false},
        {NEW(GREEN), DIFFUSE, "", "", {0, 1, 0}, false},
        {NEW(BLUE), "<diffuse><param ref=\"d\"></param></diffuse>", "", "", {0, 0, 1}, false},
        {NEW(BLUE), DIFFUSE, SET(GREEN), "", {0, 1, 0}, false},
        {NEW(BLUE), DIFFUSE, "", SECOND(""), {0, 0, 1}, false},
        {NEW(BLUE), DIFFUSE, SET(GREEN), SECOND(""), {0, 0, 1}, true},
        {NEW(BLUE),
         DIFFUSE,
         "<setparam ref=\"z\"><float>1</float></setparam>",
         "",
         {0, 0, 1},
         false},
        {NEW(BLUE), DIFFUSE, SET("<surface type=\"2D\"/>"), "", {0, 0, 1}, true},
        {NEW("<float>1</float>"), DIFFUSE, "", "", {0.6F, 0.6F, 0.6F}, true},
        {"", DIFFUSE, "", "", {0.6F, 0.6F, 0.6F}, true}, /* assimp's default */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static char text[4000];
        facet_error error;
        facet_options options = {0};
        TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
        int size = snprintf(text, sizeof text, form, cases[i].made, cases[i].shader,
                            cases[i].changed, cases[i].second);
        assert_true(size > 0 && (size_t)size < sizeof text);
        facet_scene *scene = load_bytes(text, (size_t)size, "a.dae", &options);
        assert_true(scene->material_count > 0);
        for (int k = 0; k < 3; k++)
            assert_float_equal((double)scene->materials[0]->base_color[k],
                               (double)cases[i].color[k], 1e-6);
        assert_int_equal(test_finding(options.report, "LOSS-MATERIALS") != NULL, cases[i].is_lost);
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

/* Opacity is transparency * alpha of transparent (A_ONE): 0.25 * 1. */
TEST(param_of_a_number_has_its_value)
{
    static char text[4000];
    int size = snprintf(text, sizeof text, form, NEW("<float>0.25</float>"),
                        "<transparent opaque=\"A_ONE\"><color>1 1 1 1</color></transparent>"
                        "<transparency><param ref=\"d\"/></transparency>",
                        "", "");
    facet_scene *scene = load_bytes(text, (size_t)size, "a.dae", NULL);
    assert_float_equal((double)scene->materials[0]->base_color[3], 0.25, 1e-6);
    facet_scene_free(scene);
}

#endif
