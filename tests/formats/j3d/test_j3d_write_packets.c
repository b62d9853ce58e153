/* Packets, numbers and textures of J3D documents from handwritten scenes. */
#include "support/j3d_write.h"

/* -- Packets and strips ------------------------------------------------- */

static void check_packets(const uint32_t *triangles, uint32_t count, const uint32_t *matrix_of,
                          uint32_t matrices, uint32_t most_packets)
{
    facet_error error;
    facet_arena *arena = NULL;
    facet_j3d_packet_plans made;
    bool *drawn = calloc(count, sizeof *drawn);
    uint32_t next = 0;
    TEST_OK(facet_arena_create(NULL, &arena, &error), &error);
    TEST_OK(facet_j3d_make_packets(arena, triangles, count, matrix_of, matrices, &made, &error),
            &error);
    for (uint32_t i = 0; i < made.packet_count; i++) {
        const facet_j3d_packet_plan *packet = &made.packets[i];
        assert_true(packet->matrix_count >= 1 && packet->matrix_count <= 10);
        assert_int_equal(packet->first, next);
        assert_true(packet->count > 0);
        next += packet->count;
        for (uint32_t k = 0; k < packet->count; k++) {
            uint32_t t = made.order[packet->first + k];
            assert_true(t < count && !drawn[t]);
            drawn[t] = true;
            for (uint32_t c = 0; c < 3; c++) {
                bool found = false;
                for (uint32_t m = 0; m < packet->matrix_count; m++)
                    found |= packet->matrices[m] == matrix_of[triangles[t * 3 + c]];
                assert_true(found);
            }
        }
    }
    assert_int_equal(next, count);
    if (made.packet_count > most_packets)
        fail_msg("%u packets for %u matrices, more than %u", made.packet_count, matrices,
                 most_packets);
    facet_arena_free(arena);
    free(drawn);
}

TEST(packets_need_few_matrix_loads)
{
    enum { SIDE = 40, TRIANGLES = (SIDE - 1) * (SIDE - 1) * 2 };
    static uint32_t triangles[TRIANGLES * 3], matrix_of[SIDE * SIDE];
    uint32_t count = 0, random = 7;
    for (uint32_t y = 0; y + 1 < SIDE; y++) {
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            uint32_t at = y * SIDE + x;
            const uint32_t corners[6] = {at, at + 1, at + SIDE, at + SIDE, at + 1, at + SIDE + 1};
            memcpy(triangles + count * 3, corners, sizeof corners);
            count += 2;
        }
    }
    /* One matrix: one packet. Ten bands: one packet. A hundred tiles of 4 x 4 vertices: at best
     * ten tiles per packet. */
    memset(matrix_of, 0, sizeof matrix_of);
    check_packets(triangles, count, matrix_of, 1, 1);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        matrix_of[i] = i / SIDE / 4;
    check_packets(triangles, count, matrix_of, 10, 1);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        matrix_of[i] = i / SIDE / 4 * 10 + i % SIDE / 4;
    check_packets(triangles, count, matrix_of, 100, 30);
    /* A matrix per vertex; then random matrices. */
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        matrix_of[i] = i;
    check_packets(triangles, count, matrix_of, SIDE * SIDE, 420);
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        matrix_of[i] = test_random(&random) % 50;
    check_packets(triangles, count, matrix_of, 50, TRIANGLES);
}

/* A strip of 70,000 triangles around a ring: one command cannot count as many vertices. */
TEST(long_strips_are_split)
{
    enum { RING = 1000, COUNT = 70000 };
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, COUNT, NULL);
    float *points = malloc((COUNT + 2) * 3 * sizeof *points);
    float *texcoords = malloc((COUNT + 2) * 2 * sizeof *texcoords);
    uint32_t *indices = malloc(COUNT * 3 * sizeof *indices);
    for (uint32_t i = 0; i < COUNT + 2; i++) {
        points[i * 3] = (float)(i % RING);
        points[i * 3 + 1] = (float)(i % 2);
        points[i * 3 + 2] = (float)(i % 7);
        texcoords[i * 2] = (float)(i / RING);
        texcoords[i * 2 + 1] = 0;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        indices[i * 3] = i;
        indices[i * 3 + 1] = i + 1 + i % 2;
        indices[i * 3 + 2] = i + 2 - i % 2;
    }
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, COUNT + 2, points, indices));
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, COUNT + 2, texcoords, indices));
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    placed p = place(document);
    assert_int_equal(p.count, COUNT);
    double areas[2] = {0, 0}; /* signed areas of the input and the output */
    for (uint32_t i = 0; i < COUNT; i++) {
        const float *t = p.corners + (size_t)i * 9;
        const float *s[3];
        for (int k = 0; k < 3; k++)
            s[k] = points + (size_t)indices[i * 3 + (uint32_t)k] * 3;
        areas[0] += (double)(s[1][0] - s[0][0]) * (double)(s[2][1] - s[0][1]) -
                    (double)(s[2][0] - s[0][0]) * (double)(s[1][1] - s[0][1]);
        areas[1] += (double)(t[3] - t[0]) * (double)(t[7] - t[1]) -
                    (double)(t[6] - t[0]) * (double)(t[4] - t[1]);
    }
    assert_true(fabs(areas[0] - areas[1]) <= fabs(areas[0]) * 1e-3);
    free(p.corners);
    free(points);
    free(texcoords);
    free(indices);
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* -- Numbers ------------------------------------------------------------ */

TEST(precision_selects_sixteen_bits_or_floats)
{
    facet_scene *scene = test_scene();
    add_triangle(scene);
    facet_j3d_options how = {0};
    facet_options options = {.j3d = &how};
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    const facet_j3d_vertex_format *format = document->vertices.formats;
    /* The largest number is 2: 2 * 2^13 = 16,384 fits into 16 bits, and twice that does not. */
    assert_int_equal(format[0].attribute, FACET_J3D_POSITION);
    assert_int_equal(format[0].component, FACET_J3D_S16);
    assert_int_equal(format[0].fraction_bits, 13);
    assert_int_equal(format[1].attribute, FACET_J3D_NORMAL);
    assert_int_equal(format[1].component, FACET_J3D_S16);
    assert_int_equal(format[1].fraction_bits, 14);
    facet_j3d_free(document);
    how.quantize = FACET_J3D_QUANTIZE_NONE;
    document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_int_equal(document->vertices.formats[0].component, FACET_J3D_F32);
    assert_int_equal(document->vertices.formats[0].fraction_bits, 0);
    assert_int_equal(document->vertices.arrays[0].stride, 12);
    assert_int_equal(document->vertices.formats[1].component, FACET_J3D_F32);
    facet_j3d_free(document);
    /* A small object far away: 16 bits are too coarse, unless the options request them. */
    float *points = scene->meshes[0]->streams[0].data;
    for (int i = 0; i < 3; i++)
        points[i * 3] += 1000;
    how.quantize = FACET_J3D_QUANTIZE_AUTO;
    document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_int_equal(document->vertices.formats[0].component, FACET_J3D_F32);
    facet_j3d_free(document);
    how.quantize = FACET_J3D_QUANTIZE_S16;
    document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_int_equal(document->vertices.formats[0].component, FACET_J3D_S16);
    assert_int_equal(document->vertices.formats[0].fraction_bits, 5); /* 1001 * 32 = 32,032 */
    facet_j3d_free(document);
    facet_scene_free(scene);
}

/* `count` different points in a grid, with triangles that overlap. */
static facet_scene *make_points(uint32_t count)
{
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, count - 2, NULL);
    float *points = malloc((size_t)count * 3 * sizeof *points);
    uint32_t *indices = malloc((size_t)count * 3 * sizeof *indices);
    for (uint32_t i = 0; i < count; i++) {
        points[i * 3] = (float)(i % 256);
        points[i * 3 + 1] = (float)(i / 256);
        points[i * 3 + 2] = (float)(i % 3);
    }
    for (uint32_t i = 0; i + 2 < count; i++) {
        for (uint32_t k = 0; k < 3; k++)
            indices[i * 3 + k] = i + k;
    }
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, count, points, indices));
    free(points);
    free(indices);
    return scene;
}

/* A vertex on a scaled joint is stored in joint space; precision matters in model space. A box of
 * 300 leaves 6 fraction bits, 1/64. Under a scale of 100 a step is 1.56, and the error half of
 * it. */
TEST(steps_under_a_scale)
{
    static const float large[] = {0, 0, 0, 300, 0, 0, 0, 300, 0};
    static const float small[] = {0, 0, 0, 0.3F, 0, 0, 0, 0.3F, 0};
    for (int scaled = 0; scaled < 2; scaled++) {
        facet_scene *scene = NULL;
        assert_int_equal(facet_scene_create(NULL, &scene, NULL), FACET_OK);
        for (int i = 0; i < 2; i++) {
            facet_mesh *mesh = test_mesh(scene, 1, NULL);
            assert_true(mesh &&
                        test_stream(scene, mesh, FACET_POSITION, 3, 3, i ? small : large, NULL));
            uint32_t node = add_node(scene, i ? "small" : "large", FACET_NONE, (uint32_t)i);
            for (int k = 0; k < 3 && i && scaled; k++)
                scene->nodes[node]->transform.scale[k] = 100;
        }
        facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
        assert_int_equal(document->vertices.arrays[FACET_J3D_ARRAY_POSITION].format->component,
                         scaled ? FACET_J3D_F32 : FACET_J3D_S16);
        facet_j3d_free(document);

        facet_report *report = NULL;
        assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
        facet_j3d_options j3d = {.quantize = FACET_J3D_QUANTIZE_S16};
        facet_options options = {.report = report, .j3d = &j3d};
        facet_j3d_free(write_document(scene, FACET_J3D_BMD3, &options));
        const facet_finding *said = test_finding(report, "J3D-QUANTIZED");
        assert_non_null(said);
        assert_non_null(strstr(said->message, scaled ? "the largest error is 0.781"
                                                     : "the largest error is 0.00781"));
        facet_report_free(report);
        facet_scene_free(scene);
    }
}

TEST(too_many_elements_are_rejected)
{
    facet_error error;
    /* The index 65,535, FFFF, makes the hardware skip the vertex. */
    facet_scene *scene = make_points(65535);
    assert_int_equal(write_error(scene, &error), FACET_OK);
    facet_scene_free(scene);
    scene = make_points(65536);
    assert_int_equal(write_error(scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-LIMIT-ELEMENTS");
    assert_non_null(strstr(error.message, "65536"));
    facet_scene_free(scene);

    /* 70,000 normals on 400 points are rounded until they are few enough. */
    scene = make_points(70000);
    facet_mesh *mesh = scene->meshes[0];
    float *points = mesh->streams[0].data;
    float *normals = malloc(70000 * 3 * sizeof *normals);
    for (uint32_t i = 0; i < 70000; i++) {
        double around = i * 0.0001, up = i / 70000.0 * 2 - 1, flat = sqrt(1 - up * up);
        points[i * 3] = (float)(i % 20);
        points[i * 3 + 1] = (float)(i / 20 % 20);
        points[i * 3 + 2] = 0;
        normals[i * 3] = (float)(flat * cos(around));
        normals[i * 3 + 1] = (float)up;
        normals[i * 3 + 2] = (float)(flat * sin(around));
    }
    assert_true(
        test_stream(scene, mesh, FACET_NORMAL, 3, 70000, normals, mesh->streams[0].indices));
    free(normals);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_true(document->vertices.arrays[FACET_J3D_ARRAY_NORMAL].count <= 65535);
    assert_non_null(test_finding(report, "LOSS-PRECISION"));
    facet_report_free(report);
    facet_j3d_free(document);
    facet_scene_free(scene);

    scene = test_scene();
    add_node(scene, "nothing", FACET_NONE, FACET_NONE);
    assert_int_equal(write_error(scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-NO-MESH");
    facet_scene_free(scene);

    scene = test_scene();
    add_triangle(scene);
    ((float *)scene->meshes[0]->streams[0].data)[4] = INFINITY;
    assert_int_equal(write_error(scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-VTX1-FINITE");
    facet_scene_free(scene);
}

/* -- Textures ----------------------------------------------------------- */

TEST(textures_are_resized_and_mipmapped)
{
    facet_scene *scene = make_textured(16, FACET_WRAP_MIRROR, FACET_FILTER_LINEAR_MIPMAP_LINEAR);
    facet_j3d *document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->textures.count, 1);
    const facet_bti_header *header = &document->textures.items[0].header;
    assert_string_equal(document->textures.names.items[0].bytes, "wall");
    assert_int_equal(header->width, 16);
    assert_int_equal(header->wrap_s, 2);
    assert_int_equal(header->level_count, 2); /* 16 8: smaller levels do not fill a block */
    assert_int_equal(header->min_filter, 5);
    assert_int_equal(header->max_lod, 8);
    assert_string_equal(document->materials.names.items[0].bytes, "brick");
    assert_int_equal(document->materials.texture_number_count, 1);
    facet_j3d_free(document);
    /* All levels if the options request them: 16 8 4 2 1. */
    static const facet_bti_options all = {.levels = FACET_GX_ALL_LEVELS};
    const facet_options asked = {.bti = &all};
    document = write_document(scene, FACET_J3D_BMD3, &asked);
    assert_int_equal(document->textures.items[0].header.level_count, 5);
    facet_j3d_free(document);
    facet_scene_free(scene);
    /* A texture with one level has no filter between levels. */
    scene = make_textured(8, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR_MIPMAP_LINEAR);
    document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->textures.items[0].header.level_count, 1);
    assert_int_equal(document->textures.items[0].header.min_filter, 1);
    facet_j3d_free(document);
    facet_scene_free(scene);

    /* 24 is not a power of two: a repeated texture is resized, a clamped one is not. */
    scene = make_textured(24, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR);
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    document = write_document(scene, FACET_J3D_BMD3, &options);
    assert_int_equal(document->textures.items[0].header.width, 32);
    assert_non_null(test_finding(report, "LOSS-TEXTURES"));
    const uint8_t *pixels = scene->images[0]->pixels; /* the scene is unchanged */
    assert_int_equal(pixels[24 * 24 * 3 - 1], 0x77);
    facet_report_free(report);
    facet_j3d_free(document);
    facet_scene_free(scene);
    scene = make_textured(24, FACET_WRAP_CLAMP, FACET_FILTER_LINEAR_MIPMAP_LINEAR);
    document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->textures.items[0].header.width, 24);
    assert_int_equal(document->textures.items[0].header.level_count, 1);
    assert_int_equal(document->textures.items[0].header.min_filter, 1);
    facet_j3d_free(document);
    facet_scene_free(scene);

    /* The texture has no alpha; the scene keeps it. */
    scene = make_textured(16, FACET_WRAP_REPEAT, FACET_FILTER_LINEAR);
    facet_image *image = scene->images[0];
    image->channels = 4;
    image->pixels = facet_scene_allocate(scene, 16 * 16, 4);
    memset(image->pixels, 0x77, 16 * 16 * 4);
    document = write_document(scene, FACET_J3D_BMD3, NULL);
    assert_int_equal(document->textures.count, 1);
    pixels = image->pixels;
    assert_int_equal(pixels[16 * 16 * 4 - 1], 0x77);
    facet_j3d_free(document);
    facet_scene_free(scene);

    facet_error error;
    scene = make_textured(1025, FACET_WRAP_CLAMP, FACET_FILTER_LINEAR);
    assert_int_equal(write_error(scene, &error), FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "J3D-LIMIT-TEXTURE");
    facet_scene_free(scene);
}
