/* BPX models: the meaning of components, and round trips of scenes.
 *
 * Files are built by support/bpx.h; expected numbers are computed here. */
#include "formats/bpx/bpx.h"
#include "support/bpx.h"

#include <facet/facet.h>
#include <math.h>
#include <stdio.h>

static const uint8_t unused[5] = {0};

/* -- Meanings ----------------------------------------------------------- */

/* A model of one triangle with these components. Every float is from `values` (one vertex after
 * the other); floats beyond them are 0. */
static bytes model_of(const uint8_t *components, size_t count, const float *values,
                      size_t value_count, uint32_t bones)
{
    bytes format = {0}, array = {0}, bone = {0}, strings = {0};
    unsigned elements = 0;
    for (size_t i = 0; i < count; i++)
        elements += components[i] >> 4;
    put_u16(&format, elements * 4);
    put_u8(&format, (unsigned)count);
    put_u8(&format, 0);
    put_bytes(&format, components, count);
    put_u32(&array, 0);
    put_u32(&array, 3);
    for (size_t i = 0; i < 3 * (size_t)elements; i++)
        put_float(&array, i < value_count ? values[i] : 0);
    put_u16(&bone, bones);
    for (uint32_t i = 0; i < bones; i++) {
        static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        put_floats(&bone, identity, 16);
        put_u32(&bone, 0);
    }
    put_bytes(&strings, "", 1);
    section_of sections[] = {{0, 0, &format}, {1, 0, &array}, {5, 0, &strings}, {2, 0, &bone}};
    bytes file = build_file('M', unused, sections, bones ? 4 : 3);
    drop(&strings);
    drop(&bone);
    drop(&array);
    drop(&format);
    return file;
}

TEST(components_have_their_meaning)
{
    enum { P = FACET_BPX_POSITION, N = FACET_BPX_NORMAL, UV = FACET_BPX_TEXCOORD };
    enum { T = FACET_BPX_TANGENT, B = FACET_BPX_BITANGENT, C = FACET_BPX_COLOR };
    enum { J = FACET_BPX_JOINTS, W = FACET_BPX_WEIGHTS, X = FACET_BPX_CUSTOM };
    static const struct {
        uint8_t components[6];
        size_t count;
        int assumed[6];
        uint32_t sets[6];
    } cases[] = {
        {{0x31}, 1, {P}, {0}},
        {{0x31, 0x21}, 2, {P, UV}, {0}},
        {{0x31, 0x31, 0x21, 0x41}, 4, {P, N, UV, T}, {0}},
        {{0x31, 0x31, 0x31, 0x31, 0x31}, 5, {P, N, T, B, X}, {0}},
        {{0x31, 0x31, 0x31, 0x41}, 4, {P, N, T, C}, {0}},
        {{0x31, 0x21, 0x21, 0x41, 0x41, 0x41}, 6, {P, UV, UV, T, C, C}, {0, 0, 1, 0, 0, 1}},
        {{0x31, 0x43, 0x41}, 3, {P, J, W}, {0}},
        {{0x31, 0x42, 0x41, 0x41}, 4, {P, J, W, T}, {0}},
        {{0x31, 0x13, 0x11}, 3, {P, J, W}, {0}},
        {{0x31, 0x43, 0x31, 0x41}, 4, {P, X, N, T}, {0}}, /* no weights after it */
        {{0x31, 0x13, 0x41}, 3, {P, X, T}, {0}},          /* of another size */
        {{0x31, 0x11, 0x51, 0x12}, 4, {P, X, X, X}, {0}},
        {{0x21, 0x31}, 2, {UV, P}, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bytes file = model_of(cases[i].components, cases[i].count, NULL, 0, 1);
        facet_bpx *document;
        facet_bpx_model model;
        facet_error error;
        TEST_OK(facet_bpx_read(TEST_SOURCE(file.data, file.size), NULL, &document, &error), &error);
        TEST_OK(facet_bpx_get_model(document, &model, &error), &error);
        for (size_t k = 0; k < cases[i].count; k++) {
            if ((int)model.components[k].assumed != cases[i].assumed[k])
                fail_msg("case %zu, component %zu: taken for %d", i, k,
                         model.components[k].assumed);
            /* All w are 0: four floats are colors, not a tangent. */
            if (cases[i].assumed[k] == C || cases[i].assumed[k] == UV)
                assert_int_equal(model.components[k].set >= cases[i].sets[k], 1);
        }
        facet_bpx_free(document);
        drop(&file);
    }
}

/* Four floats: a tangent when every w is +1 or -1, else a color. */
TEST(w_tells_tangents_from_colors)
{
    static const uint8_t components[] = {0x31, 0x41};
    for (int color = 0; color < 2; color++) {
        float values[21] = {0};
        values[6] = 1;
        values[13] = -1;
        values[20] = color ? 0.5F : 1;
        bytes file = model_of(components, 2, values, 21, 0);
        facet_scene *scene = load_bpx(file.data, file.size);
        assert_int_equal(scene->meshes[0]->streams[1].semantic,
                         color ? FACET_COLOR : FACET_TANGENT);
        facet_scene_free(scene);
        drop(&file);
    }
}

/* Normal +z, tangent +x; the bitangent gives the handedness. In BPX's left-handed axes cross(n,
 * t) = +y. In the scene's axes, with y and z swapped, n = +y, t = +x and cross(n, t) = -z. A
 * bitangent along BPX's +y, the scene's +z, is therefore w = -1. */
TEST(three_floats_are_a_tangent_too)
{
    static const uint8_t components[] = {0x31, 0x31, 0x31, 0x31};
    for (int side = -1; side <= 1; side += 2) {
        float values[36] = {0};
        for (int v = 0; v < 3; v++) {
            values[v * 12 + 5] = 1;
            values[v * 12 + 6] = 1;
            values[v * 12 + 10] = (float)side;
        }
        bytes file = model_of(components, 4, values, 36, 0);
        facet_scene *scene = load_bpx(file.data, file.size);
        const facet_stream *tangent = facet_mesh_find(scene->meshes[0], FACET_TANGENT, 0);
        assert_non_null(tangent);
        const float *t = tangent->data;
        assert_true(t[0] == 1 && t[1] == 0 && t[2] == 0);
        assert_true(t[3] == (float)-side);
        facet_scene_free(scene);
        drop(&file);
    }
}

/* One joint and its weight become four. */
TEST(single_joints_are_read)
{
    static const uint8_t components[] = {0x31, 0x13, 0x11};
    bytes file = model_of(components, 3, NULL, 0, 2);
    size_t vertices = 24 + 4 * 16 + 7 + 8;
    for (size_t v = 0; v < 3; v++) {
        set_number(&file, vertices + v * 20 + 12, v % 2, 4);
        set_float(&file, vertices + v * 20 + 16, 1);
    }
    seal(&file);
    facet_scene *scene = load_bpx(file.data, file.size);
    const facet_stream *joints = facet_mesh_find(scene->meshes[0], FACET_JOINTS, 0);
    const facet_stream *weights = facet_mesh_find(scene->meshes[0], FACET_WEIGHTS, 0);
    assert_true(joints && weights && joints->components == 4 && weights->components == 4);
    assert_int_equal(((uint16_t *)joints->data)[4], 1);
    assert_true(((float *)weights->data)[4] == 1 && ((float *)weights->data)[5] == 0);
    facet_scene_free(scene);
    set_number(&file, vertices + 12, 2, 4);
    facet_error error;
    facet_source source = source_of_bytes(file.data, file.size);
    assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error), FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "BPX-M-BONE-INDEX");
    drop(&file);
}

/* One or two normals that are not of unit length do not make the others invalid. */
TEST(one_bad_normal_is_still_a_normal)
{
    static const uint8_t components[] = {0x31, 0x31};
    for (int bad = 0; bad <= 3; bad++) {
        float values[18] = {0};
        for (int v = bad; v < 3; v++)
            values[v * 6 + 5] = 1;
        bytes file = model_of(components, 2, values, 18, 0);
        facet_scene *scene = load_bpx(file.data, file.size);
        assert_int_equal(facet_mesh_find(scene->meshes[0], FACET_NORMAL, 0) != NULL, bad < 2);
        facet_scene_free(scene);
        drop(&file);
    }
}

/* -- Names -------------------------------------------------------------- */

/* Many arrays that name one long string, or parts of it: one material per offset, of at most
 * 1,024 bytes, at little cost. */
TEST(long_names_are_cut)
{
    static const uint8_t components[] = {0x31};
    bytes format = {0}, strings = {0}, arrays[4] = {{0}, {0}, {0}, {0}};
    put_u16(&format, 12);
    put_u8(&format, 1);
    put_u8(&format, 0);
    put_bytes(&format, components, 1);
    put_fill(&strings, 'n', 100000);
    put_u8(&strings, 0);
    static const uint32_t offsets[] = {7, 5, 7, 99000};
    section_of sections[6] = {{0, 0, &format}, {5, 0, &strings}};
    for (size_t i = 0; i < 4; i++) {
        put_u32(&arrays[i], offsets[i]);
        put_u32(&arrays[i], 3);
        for (int k = 0; k < 9; k++)
            put_float(&arrays[i], (float)(k * k));
        section_of one = {1, 0, &arrays[i]};
        sections[2 + i] = one;
    }
    bytes file = build_file('M', unused, sections, 6);
    facet_report *report;
    facet_error error;
    facet_scene *scene;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report};
    facet_source source = source_of_bytes(file.data, file.size);
    TEST_OK(facet_load(&source, NULL, NULL, &options, &scene, &error), &error);
    assert_non_null(test_finding(report, "LOSS-NAMES"));
    assert_int_equal(scene->mesh_count, 4);
    assert_int_equal(scene->material_count, 3);
    assert_int_equal(strlen(scene->materials[0]->name), 1024);
    assert_int_equal(strlen(scene->materials[2]->name), 1000);
    static const uint32_t expected[] = {0, 1, 0, 2};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(scene->meshes[i]->face_materials[0], expected[i]);
    facet_scene_free(scene);
    facet_report_free(report);
    drop(&file);
    for (size_t i = 0; i < 4; i++)
        drop(&arrays[i]);
    drop(&strings);
    drop(&format);
}

/* -- Scenes ------------------------------------------------------------- */

static facet_scene *scene_of(const char *obj)
{
    facet_scene *scene;
    facet_error error;
    facet_source source = source_of_bytes((const uint8_t *)obj, strlen(obj));
    TEST_OK(facet_load(&source, facet_format_named("obj"), NULL, NULL, &scene, &error), &error);
    return scene;
}

/* Vertex colors are kept without a tangent before them, even if every alpha is 1. */
TEST(colors_stay_without_tangents)
{
    facet_scene *scene = scene_of("v 0 0 0 1 0.5 0.25\nv 1 0 0 0 1 0\nv 0 1 0 0 0 1\nf 1 2 3\n");
    facet_output *output = save_bpx(scene, NULL);
    size_t size = (size_t)facet_output_size(output);
    expect_clean(facet_output_data(output), size);
    facet_scene *back = load_bpx(facet_output_data(output), size);
    const facet_stream *colors = facet_mesh_find(back->meshes[0], FACET_COLOR, 0);
    assert_non_null(colors);
    /* OBJ's colors are sRGB: 0.5 is 0.21404114, 0.25 is 0.05087609. */
    static const float expected[12] = {1, 0.21404114F, 0.05087609F, 1, 0, 1, 0, 1, 0, 0, 1, 1};
    for (int i = 0; i < 12; i++)
        assert_true(fabsf(((float *)colors->data)[i] - expected[i]) < 1e-7F);
    assert_null(facet_mesh_find(back->meshes[0], FACET_TANGENT, 0));
    facet_scene_free(back);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* One vertex array per material in the order of first use. A corner is a vertex, y and z are
 * swapped, and v is flipped. */
TEST(materials_become_arrays)
{
    facet_scene *scene = scene_of("v 0 0 0\nv 1 2 3\nv 0 1 0\nv 1 1 0\nvt 0.25 0.75\n"
                                  "vn 0 0 1\nusemtl b\nf 1/1/1 2/1/1 3/1/1\nusemtl a\n"
                                  "f 2/1/1 4/1/1 3/1/1\nusemtl b\nf 1/1/1 4/1/1 3/1/1\n");
    facet_output *output = save_bpx(scene, NULL);
    const uint8_t *file = facet_output_data(output);
    facet_bpx *document;
    facet_bpx_model model;
    facet_error error;
    TEST_OK(facet_bpx_read(TEST_SOURCE(file, (size_t)facet_output_size(output)), NULL, &document,
                           &error),
            &error);
    TEST_OK(facet_bpx_get_model(document, &model, &error), &error);
    assert_int_equal(model.array_count, 2);
    assert_int_equal(model.arrays[0].vertex_count, 6);
    assert_int_equal(model.arrays[1].vertex_count, 3);
    assert_string_equal(facet_bpx_string(&model.strings, model.arrays[0].material), "b");
    assert_string_equal(facet_bpx_string(&model.strings, model.arrays[1].material), "a");
    static const float second[8] = {1, 3, 2, 0, 1, 0, 0.25F, 0.25F};
    for (int i = 0; i < 8; i++)
        assert_true(get_float(model.arrays[0].vertices + 32 + i * 4) == second[i]);
    facet_bpx_free(document);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* A triangle on a node that moves from x = 0 to 1 in one second. */
static facet_scene *moving_scene(void)
{
    facet_scene *scene = scene_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    facet_node *node;
    facet_animation *animation;
    facet_error error;
    TEST_OK(facet_scene_add_node(scene, "carrier", &node, &error), &error);
    node->mesh = 0;
    TEST_OK(facet_scene_add_animation(scene, "ride", 1, &animation, &error), &error);
    facet_channel *c = animation->channels;
    c->target = FACET_TARGET_TRANSLATION;
    c->width = 3;
    c->key_count = 2;
    c->times = facet_scene_allocate(scene, 2, sizeof(float));
    c->values = facet_scene_allocate(scene, 6, sizeof(float));
    memset(c->values, 0, 6 * sizeof(float));
    c->times[0] = 0, c->times[1] = 1;
    c->values[3] = 1;
    return scene;
}

/* 12.4 frames per second become 12, in the file and in the samples, with a finding. */
TEST(frame_rates_are_whole)
{
    facet_scene *scene = moving_scene();
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_bpx_options how = {.frame_rate = 12.4};
    facet_options options = {.report = report, .bpx = &how};
    facet_output *output = save_bpx(scene, &options);
    assert_non_null(test_finding(report, "LOSS-PRECISION"));
    assert_non_null(test_finding(report, "LOSS-NAMES"));
    assert_null(test_finding(report, "BPX-SAMPLED")); /* keys at 0 and 1 second */
    const uint8_t *file = facet_output_data(output);
    bytes frames = section_contents(file, section_of_type(file, 3));
    assert_int_equal(get_number(frames.data, 4), 13);
    assert_int_equal(get_number(frames.data + 4, 2), 1);
    assert_int_equal(get_number(frames.data + 6, 2), 12);
    assert_int_equal(frames.size, 8 + 13 * 64);
    for (int f = 0; f < 13; f++) /* the translation in element 3 */
        assert_true(fabs((double)get_float(frames.data + 8 + f * 64 + 12) - f / 12.0) < 1e-6);
    drop(&frames);
    facet_output_free(output);
    facet_report_free(report);
    facet_scene_free(scene);
}

/* Frames have the shape of linear keys at whole frames only. At 30 frames per second, a key at 0.01
 * seconds is between the first and the second frame. */
TEST(sampled_animations_are_reported)
{
    for (int i = 0; i < 3; i++) {
        facet_scene *scene = moving_scene();
        facet_report *report;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        facet_options options = {.report = report};
        facet_channel *c = scene->animations[0]->channels;
        c->times[1] = i == 1 ? 0.01F : 0.1F;
        c->interpolation = i == 2 ? FACET_INTERPOLATION_STEP : FACET_INTERPOLATION_LINEAR;
        facet_output_free(save_bpx(scene, &options));
        assert_true((test_finding(report, "BPX-SAMPLED") != NULL) == (i > 0));
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

/* Sizes by the formulas of the specification: 3 vertices of 56 bytes, 1 bone of 64 bytes, 30
 * frames per second plus one. */
TEST(info_predicts_sizes)
{
    facet_scene *scene = moving_scene();
    facet_output *output = save_bpx(scene, NULL);
    facet_source source =
        source_of_bytes(facet_output_data(output), (size_t)facet_output_size(output));
    facet_description *description;
    facet_error error;
    TEST_OK(facet_describe(&source, NULL, NULL, &description, &error), &error);
    const facet_tree *model = facet_tree_find(description->detail, "model");
    const facet_tree *sizes = facet_tree_find(model, "predicted_bytes");
    static const struct {
        const char *key;
        int64_t value;
    } expected[] = {{"vertices", 3 * 56}, {"frame", 64}, {"second", 30 * 64}, {"frames", 31 * 64}};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(facet_tree_find(sizes, expected[i].key)->integer, expected[i].value);
    facet_description_free(description);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Two skins with the same joints and transforms share the bones. */
TEST(skins_share_bones)
{
    facet_scene *scene = scene_of("o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    facet_error error;
    facet_node *node;
    facet_skin *skin;
    facet_stream *stream;
    facet_mesh *mesh = scene->meshes[0];
    uint32_t *indices = mesh->streams[0].indices;
    TEST_OK(facet_mesh_add_stream(mesh, FACET_JOINTS, 0, NULL, FACET_UINT16, 4, 3, &stream, &error),
            &error);
    stream->indices = indices;
    static const uint16_t joints[12] = {0, 1, 0, 0, 1, 0, 0, 0, 7, 1, 0, 0};
    memcpy(stream->data, joints, sizeof joints);
    TEST_OK(
        facet_mesh_add_stream(mesh, FACET_WEIGHTS, 0, NULL, FACET_FLOAT32, 4, 3, &stream, &error),
        &error);
    stream->indices = indices;
    static const float weights[12] = {0.25F, 0.75F, 0, 0, 1, 0, 0, 0, 0.5F, 0.5F, 0, 0};
    memcpy(stream->data, weights, sizeof weights);
    for (uint32_t i = 0; i < 2; i++) {
        TEST_OK(facet_scene_add_node(scene, i ? "tip" : "root", &node, &error), &error);
        TEST_OK(facet_scene_add_skin(scene, "", 2, &skin, &error), &error);
        skin->joints[0] = 0;
        skin->joints[1] = 1;
    }
    for (uint32_t i = 0; i < 2; i++) {
        TEST_OK(facet_scene_add_node(scene, "body", &node, &error), &error);
        node->mesh = 0;
        node->skin = i;
    }
    facet_output *output = save_bpx(scene, NULL);
    const uint8_t *file = facet_output_data(output);
    expect_clean(file, (size_t)facet_output_size(output));
    bytes bones = section_contents(file, section_of_type(file, 2));
    bytes array = section_contents(file, section_of_type(file, 1));
    assert_int_equal(get_number(bones.data, 2), 2);
    assert_int_equal(get_number(array.data + 4, 4), 6);
    /* Position, normal, joints, weights: joint 7 of 2 has weight 0. */
    const uint8_t *third = array.data + 8 + 2 * 56;
    assert_int_equal(get_number(third + 24, 4), 0);
    assert_int_equal(get_number(third + 28, 4), 1);
    assert_true(get_float(third + 40) == 0 && get_float(third + 44) == 1);
    drop(&array);
    drop(&bones);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* The four of eight joints with the largest weights are kept; their weights sum to 1. */
TEST(the_heaviest_joints_are_kept)
{
    facet_scene *scene = scene_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    facet_error error;
    facet_node *node;
    facet_skin *skin;
    facet_mesh *mesh = scene->meshes[0];
    uint32_t *indices = mesh->streams[0].indices;
    for (uint32_t set = 0; set < 2; set++) {
        facet_stream *stream;
        TEST_OK(facet_mesh_add_stream(mesh, FACET_JOINTS, set, NULL, FACET_UINT16, 4, 3, &stream,
                                      &error),
                &error);
        stream->indices = indices;
        for (int i = 0; i < 12; i++)
            ((uint16_t *)stream->data)[i] = (uint16_t)(set * 4 + (uint32_t)i % 4);
        TEST_OK(facet_mesh_add_stream(mesh, FACET_WEIGHTS, set, NULL, FACET_FLOAT32, 4, 3, &stream,
                                      &error),
                &error);
        stream->indices = indices;
        static const float weights[8] = {0.05F, 0.2F, 0.1F, 0.05F, 0.25F, 0.05F, 0.05F, 0.25F};
        for (int i = 0; i < 12; i++)
            ((float *)stream->data)[i] = weights[set * 4 + (uint32_t)i % 4];
    }
    TEST_OK(facet_scene_add_skin(scene, "", 8, &skin, &error), &error);
    for (uint32_t i = 0; i < 8; i++) {
        static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
        TEST_OK(facet_scene_add_node(scene, names[i], &node, &error), &error);
        skin->joints[i] = i;
    }
    TEST_OK(facet_scene_add_node(scene, "body", &node, &error), &error);
    node->mesh = 0;
    node->skin = 0;
    facet_report *report;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report};
    facet_output *output = save_bpx(scene, &options);
    assert_non_null(test_finding(report, "LOSS-SKIN"));
    const uint8_t *file = facet_output_data(output);
    bytes array = section_contents(file, section_of_type(file, 1));
    /* 0.25, 0.25, 0.2 and 0.1 of joints 4, 7, 1 and 2, over their sum of 0.8. */
    static const uint32_t joints[4] = {4, 7, 1, 2};
    static const double weights[4] = {0.3125, 0.3125, 0.25, 0.125};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(get_number(array.data + 8 + 24 + i * 4, 4), joints[i]);
        assert_true(fabs((double)get_float(array.data + 8 + 40 + i * 4) - weights[i]) < 1e-6);
    }
    drop(&array);
    facet_output_free(output);
    facet_report_free(report);
    facet_scene_free(scene);
}

TEST(streams_that_are_dropped_are_said)
{
    facet_scene *scene = scene_of("o thing\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    facet_stream *stream;
    facet_report *report;
    facet_error error;
    static const struct {
        facet_semantic semantic;
        uint32_t set, components;
        const char *name;
    } streams[] = {{FACET_CUSTOM, 0, 1, "heat"},
                   {FACET_TEXCOORD, 4, 2, NULL},
                   {FACET_COLOR, 0, 4, NULL},
                   {FACET_COLOR, 1, 4, NULL}};
    for (size_t i = 0; i < 4; i++) {
        TEST_OK(facet_mesh_add_stream(scene->meshes[0], streams[i].semantic, streams[i].set,
                                      streams[i].name, FACET_FLOAT32, streams[i].components, 3,
                                      &stream, &error),
                &error);
        stream->indices = scene->meshes[0]->streams[0].indices;
        memset(stream->data, 0, 3 * streams[i].components * sizeof(float));
    }
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    facet_options options = {.report = report};
    facet_output_free(save_bpx(scene, &options));
    assert_non_null(test_finding(report, "LOSS-CUSTOM"));
    assert_non_null(test_finding(report, "LOSS-TEXCOORDS"));
    assert_non_null(test_finding(report, "LOSS-COLORS"));
    assert_non_null(test_finding(report, "LOSS-NAMES"));
    facet_report_free(report);
    facet_scene_free(scene);
}

/* -- Unknown sections --------------------------------------------------- */

/* Copied byte for byte: frames of another layout, animations, unknown types. */
TEST(unknown_contents_are_copied)
{
    static const uint8_t components[] = {0x31};
    bytes model = model_of(components, 1, NULL, 0, 1);
    bytes opaque = {0}, format = section_contents(model.data, 0),
          array = section_contents(model.data, 1);
    for (int i = 0; i < 5000; i++)
        put_u8(&opaque, (unsigned)(i * i) % 251);
    bytes stream = deflated(&opaque);
    section_of sections[] = {
        {0, 0, &format}, {4, 2, &stream}, {1, 0, &array}, {3, 0, &opaque}, {200, 0, &opaque}};
    bytes file = build_file('M', unused, sections, 5);
    facet_error error;
    facet_output *output;
    facet_source source = source_of_bytes(file.data, file.size);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_copy(&source, NULL, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    const uint8_t *copy = facet_output_data(output);
    assert_int_equal(get_number(copy + 16, 2), 5);
    for (size_t i = 0; i < 5; i++) {
        bytes before = section_contents(file.data, i), after = section_contents(copy, i);
        assert_int_equal(copy[24 + 16 * i + 12], sections[i].type);
        assert_int_equal(copy[24 + 16 * i + 13], sections[i].flags);
        assert_int_equal(before.size, after.size);
        assert_memory_equal(before.data, after.data, before.size);
        drop(&before);
        drop(&after);
    }
    /* Uncompressed sections can be used in place. */
    facet_bpx_layout bpx;
    TEST_OK(facet_bpx_view(file.data, file.size, &bpx, &error), &error);
    facet_bpx_section section = facet_bpx_section_at(&bpx, 2);
    assert_ptr_equal(section.stored, file.data + section.offset);
    assert_int_equal(section.available, 8 + 3 * 12);
    facet_output_free(output);
    drop(&file);
    drop(&stream);
    drop(&array);
    drop(&format);
    drop(&opaque);
    drop(&model);
}
