/* Reading OBJ: material libraries. */
#include "support/obj_read.h"

/* Tr 0.75 means opacity 1 - 0.75 = 0.25. Expected: the opacity, and whether it is reported. */
TEST(a_transparency_that_contradicts_d_is_reported)
{
    static const struct {
        const char *lines;
        float opacity;
        bool reported;
    } cases[] = {{"d 1\nTr 1\n", 1, true},
                 {"Tr 1\nd 1\n", 1, true},
                 {"d 0.25\nTr 0.75\n", 0.25F, false},
                 {"Tr 0.75\nd 0.25\n", 0.25F, false},
                 {"Tr 0.75\n", 0.25F, false},
                 {"d 1\nnewmtl b\nTr 1\n", 1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "newmtl a\n%s", cases[i].lines);
        write_file("opacity.mtl", text);
        write_file("opacity.obj", "mtllib opacity.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n");
        fixture f = read_file(test_temporary("opacity.obj"));
        TEST_OK(f.status, &f.error);
        assert_float_equal(f.scene->materials[0]->base_color[3], cases[i].opacity, 0);
        assert_int_equal(test_finding(f.report, "OBJ-MTL-OPACITY") != NULL, cases[i].reported);
        done(f);
    }
}

TEST(library_values_become_material_values)
{
    write_file("two words.mtl",
               "# comment \\\nnewmtl a\nKa 0.1\nKd 0.2 0.3 0.4\nKs 1 1 1\nKe 0 0 1\nTf 1 0.5 0\n"
               "Ns 250\nNi 1.5\nTr 0.25\nillum 7\nPr 0.5\nPm 0.25\nPs 0.125\nPc 1\nPcr 0.0625\n"
               "aniso 0.75\nanisor 0.5\nmap_Kd -s 2 2 -o 0.5 -clamp on my wood.png\n"
               "map_kd second.png\nbump -bm 0.3 bump.png\nnorm n.png\ndisp d.png\n"
               "refl -type sphere sky.hdr\nmap_Pr r.png\nKd spectral x.rfl\nNs many\nshiny 3\n"
               "newmtl unused\nKd 1 0 0\nnewmtl a\nKd 9 9 9\nnewmtl b\nd -halo 0.5\nTr 0.9\n");
    write_file("library.obj", "mtllib two words.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n"
                              "usemtl b\nf 1 2 3\nf 1 2\n");
    fixture f = read_file(test_temporary("library.obj"));
    TEST_OK(f.status, &f.error);
    assert_int_equal(f.scene->material_count, 2);
    const facet_material *a = f.scene->materials[0];
    static const float ambient[3] = {0.1f, 0.1f, 0.1f}, diffuse[3] = {0.2f, 0.3f, 0.4f},
                       transmission[3] = {1, 0.5f, 0};
    const facet_classic *c = a->classic;
    assert_memory_equal(c->ambient, ambient, sizeof ambient);
    assert_memory_equal(c->diffuse, diffuse, sizeof diffuse);
    assert_memory_equal(c->transmission, transmission, sizeof transmission);
    assert_true(c->shininess == 250 && c->refraction_index == 1.5f && c->opacity == 0.75f);
    assert_true(c->roughness == 0.5f && c->metallic == 0.25f && c->sheen == 0.125f);
    assert_true(c->clearcoat == 1 && c->clearcoat_roughness == 0.0625f);
    assert_true(c->anisotropy == 0.75f && c->anisotropy_rotation == 0.5f);
    assert_int_equal(c->illumination, 7);
    assert_int_equal(c->stated, (1 << 16) - 1); /* all sixteen */
    /* The values of the later statements. */
    static const float base_color[4] = {0.2f, 0.3f, 0.4f, 0.75f}, emissive[3] = {0, 0, 1};
    assert_memory_equal(a->base_color, base_color, sizeof base_color);
    assert_memory_equal(a->emissive, emissive, sizeof emissive);
    assert_int_equal(a->alpha_mode, FACET_ALPHA_BLEND);
    assert_true(a->roughness == 0.5f && a->metallic == 0.25f && a->sides_unknown);
    const facet_texture *wood = a->maps[FACET_MAP_DIFFUSE];
    assert_string_equal(wood->path, "my wood.png");
    assert_true(wood->has_transform && wood->scale[0] == 2 && wood->scale[1] == 2);
    assert_true(wood->offset[0] == 0.5f && wood->offset[1] == 0 && wood->rotation == 0);
    assert_int_equal(wood->wrap_u, FACET_WRAP_CLAMP);
    assert_int_equal(wood->wrap_v, FACET_WRAP_CLAMP);
    assert_string_equal(a->maps[FACET_MAP_BUMP]->path, "bump.png");
    assert_true(a->maps[FACET_MAP_BUMP]->strength == 0.3f);
    assert_true(a->maps[FACET_MAP_NORMAL]->strength == 1);
    assert_string_equal(a->maps[FACET_MAP_NORMAL]->path, "n.png");
    assert_string_equal(a->maps[FACET_MAP_DISPLACEMENT]->path, "d.png");
    assert_int_equal(test_finding(f.report, "OBJ-MTL-OPTION")->line, 24); /* -type sphere */
    assert_string_equal(a->maps[FACET_MAP_ROUGHNESS]->path, "r.png");
    assert_null(a->maps[FACET_MAP_METALLIC]);
    /* d is used, not the Tr after it. */
    assert_true(f.scene->materials[1]->base_color[3] == 0.5f);
    assert_int_equal(test_finding(f.report, "OBJ-MTL-MAP")->line, 20);
    assert_int_equal(test_finding(f.report, "OBJ-MTL-STATEMENT")->count, 1); /* shiny */
    assert_int_equal(test_finding(f.report, "OBJ-MTL-NUMBER")->line, 27);
    /* Lines are counted in the library, and after it in the OBJ again. */
    assert_non_null(strstr(test_finding(f.report, "OBJ-MTL-NUMBER")->file, ".mtl"));
    static const char *const rules[] = {"OBJ-MATERIAL-UNUSED", "OBJ-MATERIAL-DUPLICATE"};
    static const char *const names[] = {"material 'unused' ", "material 'a' "};
    for (int i = 0; i < 2; i++) {
        const facet_finding *finding = test_finding(f.report, rules[i]);
        assert_int_equal(finding->count, 1);
        assert_int_equal(finding->line, i == 0 ? 29 : 31);
        assert_non_null(strstr(finding->file, "two words.mtl"));
        assert_non_null(strstr(finding->message, names[i]));
    }
    assert_null(test_finding(f.report, "OBJ-FACE-SMALL")->file);
    assert_null(test_finding(f.report, "OBJ-MATERIAL-UNDEFINED"));
    done(f);
}

/* Ps, Pc, Pcr, aniso and anisor become the extensions of glTF: a full turn of anisor is 1, so 0.5
 * is pi. Without an effect, they are not stated in a glTF. Expected: clearcoat, its roughness,
 * sheen, its roughness, anisotropy, its rotation. */
TEST(library_looks_become_those_of_glTF)
{
    static const struct {
        const char *lines;
        float values[6];
        const char *losses;
    } cases[] = {
        {"Pc 1\nPcr 0.0625\n", {1, 0.0625F, 0, 0, 0, 0}, NULL},
        {"Ps 0.125\n", {0, 0, 0.125F, 0.5F, 0, 0}, "LOSS-LOOKS"},
        {"aniso 0.75\nanisor 0.5\n", {0, 0, 0, 0, 0.75F, 3.14159265F}, "LOSS-LOOKS"},
        {"aniso 1\nanisor -2.25\n", {0, 0, 0, 0, 1, -1.57079633F}, "LOSS-LOOKS"},
        {"aniso 1\nanisor 3e38\n", {0, 0, 0, 0, 1, 0}, "LOSS-LOOKS"}, /* whole turns */
        {"Pc 0\nPcr 0.5\nPs 0\naniso 0\nanisor 0.5\n", {0, 0, 0, 0, 0, 0}, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        snprintf(text, sizeof text, "newmtl a\n%s", cases[i].lines);
        write_file("looks.mtl", text);
        write_file("looks.obj", "mtllib looks.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n");
        fixture f = read_file(test_temporary("looks.obj"));
        TEST_OK(f.status, &f.error);
        const facet_material *m = f.scene->materials[0];
        const float found[6] = {m->clearcoat,       m->clearcoat_roughness, m->sheen_color[1],
                                m->sheen_roughness, m->anisotropy,          m->anisotropy_rotation};
        for (int k = 0; k < 6; k++)
            assert_float_equal(found[k], cases[i].values[k], 1e-6F);
        facet_report *report = NULL;
        facet_output *output = NULL;
        facet_error error;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        const facet_options options = {.report = report};
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_save(f.scene, facet_format_named("glb"), &options, output, &error), &error);
        assert_null(test_finding(report, "LOSS-MATERIALS"));
        assert_int_equal(test_finding(report, "LOSS-LOOKS") != NULL, cases[i].losses != NULL);
        facet_output_free(output);
        facet_report_free(report);
        done(f);
    }
}

/* An option without effect is not a loss. Options that a scene cannot store and wrong values are
 * reported once per line. An option that is not followed by a path is the path. */
TEST(map_options_become_texture_data)
{
    static const struct {
        const char *line;
        int lost;
        const char *path;
        float offset[2], scale[2], strength;
    } cases[] = {
        {"map_Kd -blendu on -blendv on -mm 0 1 -boost 0 -cc off -t 0 0 0 a.png",
         0,
         "a.png",
         {0, 0},
         {1, 1},
         1},
        {"map_Kd -s 3 a.png", 0, "a.png", {0, 0}, {3, 1}, 1},
        {"map_Kd -s 3 -2 1 a.png", 0, "a.png", {0, 0}, {3, -2}, 1},
        {"map_Kd -o 0.25 0.5 0 b c.png", 0, "b c.png", {0.25f, 0.5f}, {1, 1}, 1},
        {"map_Kd -o 0.25 0.5 1 a.png", 0, "a.png", {0.25f, 0.5f}, {1, 1}, 1},
        {"map_Kd -s many a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -t 0 0.5 0 a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -mm 0 2 a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -blendu off a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -clamp maybe a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -bm 2 a.png", 1, "a.png", {0, 0}, {1, 1}, 2},
        {"map_Kd -imfchan r a.png", 1, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd -clamp on", 0, "-clamp on", {0, 0}, {1, 1}, 1},
        /* Options or a comment after the path. */
        {"map_Kd my wood.png -s 3 2 1  -bm 0.5", 1, "my wood.png", {0, 0}, {3, 2}, 0.5f},
        {"map_Kd \"a.png\" -o 0.25 0.5", 0, "a.png", {0.25f, 0.5f}, {1, 1}, 1},
        {"map_Kd a.png  # the wood", 0, "a.png", {0, 0}, {1, 1}, 1},
        {"map_Kd a -s 3.png", 0, "a -s 3.png", {0, 0}, {1, 1}, 1},
        {"map_Kd no.1 #2.png", 0, "no.1 #2.png", {0, 0}, {1, 1}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[160];
        snprintf(text, sizeof text, "newmtl a\n%s\n", cases[i].line);
        write_file("options.mtl", text);
        write_file("options.obj", "mtllib options.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n");
        fixture f = read_file(test_temporary("options.obj"));
        TEST_OK(f.status, &f.error);
        const facet_texture *texture = f.scene->materials[0]->maps[FACET_MAP_DIFFUSE];
        assert_string_equal(texture->path, cases[i].path);
        assert_memory_equal(texture->offset, cases[i].offset, sizeof texture->offset);
        assert_memory_equal(texture->scale, cases[i].scale, sizeof texture->scale);
        assert_true(texture->strength == cases[i].strength);
        assert_int_equal(test_finding(f.report, "OBJ-MTL-OPTION") != NULL, cases[i].lost);
        done(f);
    }
}

/* A black highlight cannot be seen, so its shininess does not make a glossy surface. 1 - sqrt(0.81)
 * is 0.1. */
TEST(black_highlight_is_rough)
{
    write_file("dull.mtl", "newmtl dull\nKs 0 0 0\nNs 810\nnewmtl glossy\nKs 0.1 0 0\nNs 810\n"
                           "newmtl silent\nNs 810\nnewmtl metal\nKs 0 0 0\nNs 810\nPm 1\n"
                           "newmtl mapped\nKs 0 0 0\nNs 810\nmap_Ks k.png\nnewmtl stated\nKs 0 0 "
                           "0\nNs 810\nPr 0.25\n");
    write_file("dull.obj",
               "mtllib dull.mtl\n" TRIANGLE
               "usemtl dull\nf 1 2 3\nusemtl glossy\nf 1 2 3\nusemtl silent\nf 1 2 3\n"
               "usemtl metal\nf 1 2 3\nusemtl mapped\nf 1 2 3\nusemtl stated\nf 1 2 3\n");
    static const double roughness[] = {1, 0.1, 0.1, 0.1, 0.1, 0.25};
    fixture f = read_file(test_temporary("dull.obj"));
    TEST_OK(f.status, &f.error);
    assert_int_equal(f.scene->material_count, 6);
    for (int i = 0; i < 6; i++)
        assert_float_equal((double)f.scene->materials[i]->roughness, roughness[i], 1e-6);
    done(f);
}

/* With a factor of 0 a map would have no effect, but programs show it. A map of an unknown kind is
 * a loss. */
TEST(factors_of_zero_do_not_remove_maps)
{
    write_file("zero.mtl", "newmtl a\nKe 0 0 0\nPr 0\nPm 0\nmap_Ke e.png\nmap_Pr r.png\n"
                           "map_Pm m.png\nmap_opacity o.png\nnewmtl b\nKe 0 0 0\nPr 0\nPm 0\n"
                           "newmtl c\nKe 0.5 0 0\nPr 0.25\nmap_Ke e.png\nmap_Pr r.png\n");
    write_file("zero.obj", "mtllib zero.mtl\n" TRIANGLE
                           "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\n");
    fixture f = read_file(test_temporary("zero.obj"));
    TEST_OK(f.status, &f.error);
    const facet_material *a = f.scene->materials[0], *b = f.scene->materials[1];
    const facet_material *c = f.scene->materials[2];
    for (int i = 0; i < 3; i++)
        assert_true(a->emissive[i] == 1 && b->emissive[i] == 0);
    assert_true(a->roughness == 1 && a->metallic == 1);
    assert_true(b->roughness == 0 && b->metallic == 0);
    assert_true(c->emissive[0] == 0.5f && c->emissive[1] == 0 && c->roughness == 0.25f);
    const facet_finding *lost = test_finding(f.report, "LOSS-TEXTURES");
    assert_non_null(lost);
    assert_int_equal(lost->count, 1);
    assert_int_equal(lost->line, 8);
    done(f);
}

TEST(mtllib_names_several_libraries)
{
    write_file("one.mtl", "newmtl a\nKd 1 0 0\n");
    write_file("my two.mtl", "newmtl b\r\nKd 0 1 0");
    write_file("several.obj", "mtllib one.mtl my two.mtl gone.mtl ../outside.mtl\n" TRIANGLE
                              "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\n");
    fixture f = read_file(test_temporary("several.obj"));
    TEST_OK(f.status, &f.error);
    assert_true(f.scene->materials[0]->base_color[1] == 0);
    assert_true(f.scene->materials[1]->base_color[0] == 0);
    assert_true(f.scene->materials[2]->base_color[0] == 1);
    int missing = 0;
    for (size_t i = 0; i < facet_report_count(f.report); i++)
        missing += strcmp(facet_report_get(f.report, i)->rule, "OBJ-MTL-MISSING") == 0;
    assert_int_equal(missing, 2);
    assert_non_null(strstr(test_finding(f.report, "OBJ-MTL-MISSING")->message, "gone.mtl"));
    assert_int_equal(test_finding(f.report, "OBJ-MTL-MISSING")->line, 1);
    done(f);
}

static facet_status open_huge(const facet_source *source, const char *name, facet_source *sibling,
                              facet_error *error)
{
    static const uint8_t text[] = "newmtl a\n";
    (void)source, (void)name, (void)error;
    sibling->data = text; /* the size counts, the bytes are not read */
    sibling->size = ((size_t)1 << 28) + 1;
    return FACET_OK;
}

TEST(libraries_have_256_mib_together)
{
    static const char text[] = "\nmtllib a.mtl\n" TRIANGLE "f 1 2 3\n";
    facet_source source = {.data = (const uint8_t *)text,
                           .size = sizeof text - 1,
                           .name = "a.obj",
                           .open_sibling = open_huge};
    facet_scene *scene = NULL;
    facet_error error;
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "OBJ-LIMIT");
    assert_int_equal(error.line, 2);
}

/* CIE XYZ with the matrix of IEC 61966-2-1. The white of D65 is (0.9505, 1, 1.089): for red
 * 3.2406 * 0.9505 - 1.5372 - 0.4986 * 1.089 = 1.0001. The red primary is (0.4124, 0.2126, 0.0193).
 */
TEST(colors_in_xyz_are_converted)
{
    write_file("xyz.mtl", "newmtl a\nKd xyz 0.9505 1 1.089\nnewmtl b\nKd xyz 0.4124 0.2126 0.0193\n"
                          "newmtl c\nKd spectral x.rfl\n");
    write_file("xyz.obj", "mtllib xyz.mtl\n" TRIANGLE
                          "usemtl a\nf 1 2 3\nusemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\n");
    static const float expected[2][3] = {{1, 1, 1}, {1, 0, 0}};
    fixture f = read_file(test_temporary("xyz.obj"));
    TEST_OK(f.status, &f.error);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            assert_float_equal(f.scene->materials[i]->base_color[k], expected[i][k], 1e-3);
    }
    const facet_finding *loss = test_finding(f.report, "LOSS-MATERIALS");
    assert_non_null(loss);
    assert_int_equal(loss->line, 6);
    done(f);
}

/* Ni 1 is what programs write for no refraction. glTF's default is 1.5. */
TEST(index_of_refraction_is_that_of_glTF)
{
    static const struct {
        const char *line;
        double ior;
    } cases[] = {{"Ni 2.5\n", 2.5}, {"Ni 1\n", 1.5}, {"", 1.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        facet_classic classic;
        snprintf(text, sizeof text, "newmtl a\n%s", cases[i].line);
        write_file("refraction.mtl", text);
        write_file("refraction.obj", "mtllib refraction.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n");
        fixture f = read_file(test_temporary("refraction.obj"));
        TEST_OK(f.status, &f.error);
        facet_material *m = f.scene->materials[0];
        assert_float_equal((double)m->ior, cases[i].ior, 0);
        m->ior = 1.75F;
        facet_material_get_classic(m, &classic);
        assert_float_equal((double)classic.refraction_index, 1.75, 0);
        assert_true(classic.stated & FACET_CLASSIC_REFRACTION);
        done(f);
    }
}

/* "0 Color on and Ambient off": the constant color Kd, as KHR_materials_unlit. An edited flag is
 * written again. */
TEST(illumination_0_is_unlit)
{
    static const struct {
        const char *line;
        bool is_unlit;
    } cases[] = {{"illum 0\n", true}, {"illum 1\n", false}, {"illum 2\n", false}, {"", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        facet_classic classic;
        snprintf(text, sizeof text, "newmtl a\nKd 1 0 0\n%s", cases[i].line);
        write_file("constant.mtl", text);
        write_file("constant.obj", "mtllib constant.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n");
        fixture f = read_file(test_temporary("constant.obj"));
        TEST_OK(f.status, &f.error);
        facet_material *m = f.scene->materials[0];
        assert_int_equal(m->unlit, cases[i].is_unlit);
        facet_material_get_classic(m, &classic);
        assert_int_equal((classic.stated & FACET_CLASSIC_ILLUMINATION) != 0, *cases[i].line != 0);
        m->unlit = !m->unlit;
        facet_material_get_classic(m, &classic);
        assert_true(classic.stated & FACET_CLASSIC_ILLUMINATION);
        assert_int_equal(classic.illumination, m->unlit ? 0 : 2);
        done(f);
    }
}

/* -halo: the opacity depends on the angle of view. 60 is the default of sharpness, off that of
 * map_aat. */
TEST(statements_at_their_default_are_no_findings)
{
    static const struct {
        const char *line, *rule;
    } cases[] = {{"d -halo 0.5\n", "LOSS-MATERIALS"},      {"sharpness 60\n", NULL},
                 {"sharpness 200\n", "OBJ-MTL-STATEMENT"}, {"map_aat off\n", NULL},
                 {"map_aat on\n", "OBJ-MTL-STATEMENT"},    {"d 0.5\n", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[100];
        snprintf(text, sizeof text, "newmtl a\n%s", cases[i].line);
        write_file("defaults.mtl", text);
        write_file("defaults.obj", "mtllib defaults.mtl\n" TRIANGLE "usemtl a\nf 1 2 3\n");
        fixture f = read_file(test_temporary("defaults.obj"));
        TEST_OK(f.status, &f.error);
        assert_int_equal(facet_report_count(f.report), cases[i].rule != NULL);
        if (cases[i].rule)
            assert_int_equal(test_finding(f.report, cases[i].rule)->line, 2);
        done(f);
    }
}
