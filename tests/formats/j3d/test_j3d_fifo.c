/* Tests of FIFO logs: valid commands; matrices, textures and vertices that match the model. An
 * emulator checks the picture (make test-dolphin). */
#include "support/gltf.h"
#include "support/j3d_animation.h"
#include "support/j3d_document.h"
#include "support/j3d_make.h"

#include "base/bytes.h"
#include "formats/j3d/fifo/frame.h"
#include "formats/j3d/file/display_list.h"

#include <facet/convert.h>
#include <facet/j3d_animation.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* From the front, 4 units high, 10 units away. */
static const facet_j3d_camera front = {{0, 0, 10}, {0, 0, 0}, {0, 1, 0}, 0, 4};

static facet_status save_log(const uint8_t *model, size_t size, const facet_j3d_options *j3d,
                             facet_report *report, test_bytes *made, facet_error *error)
{
    const facet_options options = {.j3d = j3d, .report = report};
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, error), error);
    facet_status status =
        facet_copy(TEST_SOURCE(model, size), facet_format_named("dff"), &options, output, error);
    if (!status) {
        TEST_OK(facet_output_commit(output, error), error);
        test_bytes_put(made, facet_output_data(output), (size_t)facet_output_size(output));
    }
    facet_output_free(output);
    return status;
}

/* -- Effects of a log --------------------------------------------------- */

typedef struct played {
    uint32_t bp[256], cp[256];
    float xf[0x1060];
    uint32_t words[0x1060];
    uint32_t draws, vertices;
    uint32_t last; /* value of the last write to a BP register */
    float first_matrix[12];
    uint32_t first_image; /* the address of map 0 at the first draw */
} played;

static uint32_t load_update(const test_bytes *log, uint32_t address, const uint8_t **bytes)
{
    uint64_t list = facet_load_u64le(log->data + 128 + 20);
    uint32_t count = facet_load_u32le(log->data + 128 + 28);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *update = log->data + list + (size_t)i * 24;
        assert_int_equal(facet_load_u32le(update), 0);
        if (facet_load_u32le(update + 4) != address)
            continue;
        *bytes = log->data + facet_load_u64le(update + 8);
        return facet_load_u32le(update + 16);
    }
    fail_msg("nothing is at address %08X", address);
    return 0;
}

static uint32_t vertex_size(const played *p)
{
    uint32_t size = 0;
    for (uint32_t bit = 0; bit < 9; bit++)
        size += p->cp[0x50] >> bit & 1;
    for (uint32_t shift = 9; shift < 17; shift += 2)
        size += (p->cp[0x50] >> shift & 3) == 3 ? 2 : (p->cp[0x50] >> shift & 3) == 2;
    for (uint32_t shift = 0; shift < 16; shift += 2)
        size += (p->cp[0x60] >> shift & 3) == 3 ? 2 : (p->cp[0x60] >> shift & 3) == 2;
    return size;
}

/* Check that each command is complete and known to the chip, and writes only existing registers. */
static void play(const test_bytes *log, played *p)
{
    const uint8_t *at = log->data + facet_load_u64le(log->data + 128);
    const uint8_t *end = at + facet_load_u32le(log->data + 136);
    memset(p, 0, sizeof *p);
    assert_true(end <= log->data + log->size);
    while (at < end) {
        if (*at == 0) {
            at++;
        } else if (*at == 0x61) {
            p->last = at[1];
            p->bp[at[1]] = facet_load_u32be(at + 1) & 0xFFFFFF;
            at += 5;
        } else if (*at == 0x08) {
            p->cp[at[1]] = facet_load_u32be(at + 2);
            at += 6;
        } else if (*at == 0x10) {
            uint32_t count = facet_load_u16be(at + 1) + 1u, to = facet_load_u16be(at + 3);
            assert_true(count <= 16 && to + count <= 0x1060);
            for (uint32_t i = 0; i < count; i++) {
                p->words[to + i] = facet_load_u32be(at + 5 + i * 4);
                p->xf[to + i] = facet_load_f32be(at + 5 + i * 4);
            }
            at += 5 + count * 4;
        } else {
            uint32_t count = facet_load_u16be(at + 1);
            assert_true(*at >= 0x80 && *at <= 0xB8);
            if (p->draws++ == 0) {
                memcpy(p->first_matrix, p->xf, sizeof p->first_matrix);
                p->first_image = p->bp[0x94] << 5;
            }
            p->vertices += count;
            at += 3 + count * vertex_size(p);
        }
    }
    assert_ptr_equal(at, end);
    /* The last write copies the frame to the screen and clears it; the player ends a frame
     * there. */
    assert_int_equal(p->last, 0x52);
    assert_int_equal(p->bp[0x52] & 0x4800, 0x4800);
}

static uint64_t drawn_vertices(const facet_j3d *document)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < document->shapes.count; i++) {
        const facet_j3d_shape *shape = &document->shapes.items[i];
        facet_j3d_vertex_layout layout;
        facet_error error;
        TEST_OK(facet_j3d_vertex_layout_make(document, shape, 0, &layout, &error), &error);
        for (uint32_t k = 0; k < shape->packet_count; k++) {
            facet_j3d_primitive primitive;
            facet_j3d_commands commands = facet_j3d_commands_of(
                &document->shapes.display_lists[shape->first_display_list + k], &layout);
            while (facet_j3d_next(&commands, &primitive) == FACET_J3D_STEP_DRAW)
                count += primitive.count;
        }
    }
    return count;
}

/* -- Tests -------------------------------------------------------------- */

TEST(log_draws_the_model_with_its_memory)
{
    size_t size;
    uint8_t *model = golden_copy(&size, true);
    const facet_j3d_options j3d = {.camera = &front};
    facet_j3d *document = read_file(model, size);
    test_bytes log = {0};
    facet_error error;
    played *p = malloc(sizeof *p);
    const uint8_t *bytes;
    assert_non_null(p);
    TEST_OK(save_log(model, size, &j3d, NULL, &log, &error), &error);
    play(&log, p);
    assert_true(p->draws > 0);
    assert_int_equal(p->vertices, drawn_vertices(document));
    /* CP register A0 has the address of the position array, and B0 its stride. */
    const facet_j3d_array *positions = &document->vertices.arrays[FACET_J3D_ARRAY_POSITION];
    assert_int_equal(load_update(&log, p->cp[0xA0], &bytes), positions->count * positions->stride);
    assert_memory_equal(bytes, positions->bytes, positions->count * positions->stride);
    assert_int_equal(p->cp[0xB0], positions->stride);
    /* The log also contains the texture of map 0. */
    bool found = false;
    uint32_t length = load_update(&log, p->first_image, &bytes);
    for (uint32_t i = 0; i < document->textures.texels_count; i++)
        found |= document->textures.texels[i].size == length &&
                 memcmp(document->textures.texels[i].bytes, bytes, length) == 0;
    assert_true(found);
    /* 640 x 480 and a height of 4 units: 2 / 4 for y, times 480 / 640 for x. */
    assert_true(fabsf(p->xf[0x1020] - 0.375f) < 1e-6f && fabsf(p->xf[0x1022] - 0.5f) < 1e-6f);
    assert_int_equal(p->words[0x1026], 1);
    free(p);
    test_bytes_free(&log);
    facet_j3d_free(document);
    free(model);
}

/* The position of the first joint moves its vertices; a BCK gives it per frame. The camera is 10
 * units away. */
TEST(pose_of_an_animation_moves_joints)
{
    size_t size;
    uint8_t *model = golden_copy(&size, true);
    facet_j3d *document = read_file(model, size);
    facet_error error;
    char json[4096];
    int used = snprintf(json, sizeof json,
                        "{\"format\": \"facet-j3d-animation\", \"version\": 1, \"kind\": \"bck\", "
                        "\"name\": \"move\", \"frames\": 8, \"loop\": \"once\", \"joints\": [");
    for (uint32_t i = 0; i < document->joints.count; i++) /* x: 0 to 16 in 8 frames, a line */
        used += snprintf(json + used, sizeof json - (size_t)used,
                         "%s{\"scale\": [1, 1, 1], \"rotation\": [0, 0, 0], \"translation\": "
                         "[%s, 3, 0]}",
                         i ? ", " : "", i ? "0" : "[[0, 0, 2], [8, 16, 2]]");
    snprintf(json + used, sizeof json - (size_t)used, "]}");
    facet_j3d_animation *animation;
    TEST_OK(facet_j3d_animation_from_json(json, strlen(json), NULL, &animation, &error), &error);
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_animation_write(animation, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    const facet_source pose =
        facet_source_from_memory(facet_output_data(output), (size_t)facet_output_size(output), "");
    const facet_j3d_options j3d = {.camera = &front, .poses = &pose, .pose_count = 1, .frame = 4.5};
    test_bytes log = {0};
    played *p = malloc(sizeof *p);
    assert_non_null(p);
    TEST_OK(save_log(model, size, &j3d, NULL, &log, &error), &error);
    play(&log, p);
    static const float expected[12] = {1, 0, 0, 9, 0, 1, 0, 3, 0, 0, 1, -10};
    for (int i = 0; i < 12; i++) {
        if (fabsf(p->first_matrix[i] - expected[i]) > 1e-4f)
            fail_msg("element %d is %g, not %g", i, (double)p->first_matrix[i],
                     (double)expected[i]);
    }
    free(p);
    test_bytes_free(&log);
    facet_output_free(output);
    facet_j3d_animation_free(animation);
    facet_j3d_free(document);
    free(model);
}

/* Cluster weights change vertices. The log keeps the vertices of the model, and a finding reports
 * that. */
TEST(animation_of_vertices_is_reported)
{
    size_t size, length;
    uint8_t *model = golden_copy(&size, true);
    facet_error error;
    facet_report *report;
    test_bytes log = {0};
    const uint8_t *data = test_animation(FACET_J3D_BLK - 1, &length);
    const facet_source pose = facet_source_from_memory(data, length, "");
    const facet_j3d_options j3d = {.poses = &pose, .pose_count = 1};
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(save_log(model, size, &j3d, report, &log, &error), &error);
    assert_non_null(test_finding(report, "J3D-FIFO-ANIMATION"));
    facet_report_free(report);
    test_bytes_free(&log);
    free(model);
}

TEST(wrong_sizes_cameras_and_kinds_are_errors)
{
    static const facet_j3d_camera nowhere = {{1, 2, 3}, {1, 2, 3}, {0, 1, 0}, 30, 0};
    static const facet_j3d_camera wide = {{0, 0, 9}, {0, 0, 0}, {0, 1, 0}, 179, 0};
    static const facet_j3d_camera flat = {{0, 0, 9}, {0, 0, 0}, {0, 1, 0}, 0, 0};
    const struct {
        facet_j3d_options j3d;
        const char *rule;
    } cases[] = {
        {{.width = 100}, "J3D-FIFO-SIZE"},         {{.height = 544}, "J3D-FIFO-SIZE"},
        {{.camera = &nowhere}, "J3D-FIFO-CAMERA"}, {{.camera = &wide}, "J3D-FIFO-CAMERA"},
        {{.camera = &flat}, "J3D-FIFO-CAMERA"},
    };
    size_t size;
    uint8_t *model = golden_copy(&size, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_bytes log = {0};
        facet_error error;
        assert_int_equal(save_log(model, size, &cases[i].j3d, NULL, &log, &error),
                         FACET_ERROR_ARGUMENT);
        assert_string_equal(error.rule, cases[i].rule);
    }
    free(model);
}

/* A log passes its own check; a truncated log, or one with a moved table, does not. */
TEST(damaged_logs_are_reported)
{
    size_t size;
    uint8_t *model = golden_copy(&size, false);
    test_bytes log = {0};
    facet_error error;
    TEST_OK(save_log(model, size, NULL, NULL, &log, &error), &error);
    for (int step = 0; step < 8; step++) {
        static const size_t cuts[] = {0, 1, 4000, 1000000};
        test_bytes cut = {0};
        facet_report *report;
        test_bytes_put(&cut, log.data, step < 4 ? log.size - cuts[step] : log.size);
        if (step == 4) /* commands at another offset */
            cut.data[128 + 5] = 1;
        if (step == 5) /* no frame */
            memset(cut.data + 68, 0, 4);
        if (step == 6) /* a memory list that exceeds the file */
            memset(cut.data + 128 + 28, 0xFF, 4);
        if (step == 7) /* BP registers that exceed the file */
            memset(cut.data + 12 + 8, 0xFF, 4);
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        TEST_OK(facet_check(TEST_SOURCE(cut.data, cut.size), facet_format_named("dff"), NULL,
                            report, &error),
                &error);
        size_t errors = facet_report_severity_count(report, FACET_SEVERITY_ERROR);
        if ((errors > 0) != (step > 0))
            fail_msg("step %d: %zu errors", step, errors);
        const char *rule = step == 7 ? "J3D-FIFO-HEADER" : "J3D-FIFO-FRAME";
        if (step > 0 && !test_finding(report, rule))
            fail_msg("step %d: no %s", step, rule);
        facet_report_free(report);
        test_bytes_free(&cut);
    }
    test_bytes_free(&log);
    free(model);
}

/* In a scene with an animation the first joint has the position of the frame. */
TEST(scene_is_posed_by_its_animation)
{
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[%B],\"scene\":0,\"scenes\":[{\"nodes\":[0]}]"
        ","
        "\"nodes\":[{\"name\":\"lid\",\"mesh\":0}],\"materials\":[{\"name\":\"m\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"material\":0}]}],"
        "\"animations\":[{\"name\":\"shut\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
        "\"path\":\"translation\"}}],\"samplers\":[{\"input\":1,\"output\":2}]},"
        "{\"name\":\"shut\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
        "\"path\":\"translation\"}}],\"samplers\":[{\"input\":1,\"output\":2}]},"
        "{\"name\":\"open\",\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,"
        "\"path\":\"translation\"}}],\"samplers\":[{\"input\":1,\"output\":2}]}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":68}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
        "\"max\":[1,1,0]},{\"bufferView\":0,\"byteOffset\":36,\"componentType\":5126,\"count\":2,"
        "\"type\":\"SCALAR\",\"min\":[0],\"max\":[1]},{\"bufferView\":0,\"byteOffset\":44,"
        "\"componentType\":5126,\"count\":2,\"type\":\"VEC3\"}]}";
    static const float buffer[17] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0.5F, 0};
    const char *text = test_gltf_text(json, buffer, sizeof buffer);
    facet_scene *scene;
    facet_error error;
    TEST_OK(test_gltf_read(text, strlen(text), NULL, &scene, &error), &error);
    TEST_OK(facet_prepare(scene, facet_format_named("dff"), NULL, NULL, NULL, &error), &error);
    /* "close" is missing; "shut" is the name of two. */
    static const char *const clips[4] = {NULL, "open", "close", "shut"};
    for (int i = 0; i < 4; i++) {
        const facet_j3d_options j3d = {
            .camera = &front, .frame = i == 1 ? 15 : 0, .clip = clips[i]};
        const facet_options options = {.j3d = &j3d};
        facet_output *output;
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        facet_status status =
            facet_save(scene, facet_format_named("dff"), &options, output, &error);
        if (i >= 2) {
            assert_int_equal(status, FACET_ERROR_ARGUMENT);
            assert_string_equal(error.rule, "J3D-CLIP");
            assert_non_null(strstr(error.message, i == 2 ? "no animation is named 'close'"
                                                         : "2 animations are named 'shut'"));
            facet_output_free(output);
            continue;
        }
        TEST_OK(status, &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        test_bytes log = {0};
        played *p = malloc(sizeof *p);
        assert_non_null(p);
        test_bytes_put(&log, facet_output_data(output), (size_t)facet_output_size(output));
        play(&log, p);
        /* Frame 15 is half a second: 0.25 meters, 25 units. */
        assert_true(fabsf(p->first_matrix[7] - (i ? 25.0f : 0)) < 1e-3f);
        free(p);
        test_bytes_free(&log);
        facet_output_free(output);
    }
    facet_scene_free(scene);
}

/* A finding reports the features that a log omits: here the fog of a material. */
TEST(fog_is_reported)
{
    for (uint8_t type = 0; type <= 2; type += 2) {
        size_t size;
        uint8_t *model = golden_copy(&size, true);
        facet_j3d *document = read_file(model, size);
        facet_error error;
        facet_output *output;
        facet_report *report = NULL;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        assert_true(document->materials.fog_count > 0);
        for (uint32_t i = 0; i < document->materials.fog_count; i++)
            document->materials.fogs[i].type = type;
        const facet_options options = {.report = report};
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_j3d_write_log(document, &options, output, &error), &error);
        const facet_finding *found = test_finding(report, "J3D-FIFO-FOG");
        assert_true(type == 0 ? !found : found && found->severity == FACET_SEVERITY_NOTE);
        facet_output_free(output);
        facet_report_free(report);
        facet_j3d_free(document);
        free(model);
    }
}

/* Textures that exceed the memory of the console. */
TEST(more_than_the_memory_is_an_error)
{
    size_t size;
    uint8_t *model = golden_copy(&size, true);
    facet_j3d *document = read_file(model, size);
    enum { LARGE = 19 << 20 };
    uint8_t *large = calloc(LARGE, 1);
    facet_error error;
    facet_output *output;
    assert_non_null(large);
    assert_true(document->textures.texels_count > 0);
    document->textures.texels[0] = (facet_j3d_texels){large, LARGE};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_j3d_write_log(document, NULL, output, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-FIFO-MEMORY");
    facet_output_free(output);
    free(large);
    facet_j3d_free(document);
    free(model);
}
