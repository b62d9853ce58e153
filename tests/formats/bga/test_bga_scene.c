/* BGA to and from scenes. */
#include "formats/bga/bga.h"
#include "formats/bga/document.h"
#include "scene/scene.h"
#include "support/support.h"

#include "scene/format.h"

#include <facet/bga.h>
#include <stdio.h>
#include <stdlib.h>

#define START "BGA 2.0\nlittle endian\n"

/* -- Helpers ------------------------------------------------------------ */

static facet_status load(const void *data, size_t size, const facet_options *options,
                         facet_scene **scene, facet_error *error)
{
    facet_source source = {0};
    source.data = data;
    source.size = size;
    return facet_load(&source, &facet_format_bga, NULL, options, scene, error);
}

static facet_scene *must_load(const void *data, size_t size, facet_report *report)
{
    facet_options options = {0};
    facet_scene *scene;
    facet_error error;
    options.report = report;
    TEST_OK(load(data, size, &options, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    return scene;
}

static facet_output *must_save(const facet_scene *scene, const facet_options *options)
{
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, &facet_format_bga, options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static facet_scene *load_output(const facet_output *output, facet_report *report)
{
    return must_load(facet_output_data(output), (size_t)facet_output_size(output), report);
}

static facet_report *new_report(void)
{
    facet_report *report;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

/* A file with `header`, and these bytes at the first multiple of four after it. */
static size_t make_file(uint8_t *file, const char *header, const void *data, size_t size)
{
    size_t start = (strlen(header) + 3) / 4 * 4;
    memset(file, 0, start);
    memcpy(file, header, strlen(header));
    memcpy(file + start, data, size);
    return start + size;
}

/* Two meshes of one triangle each, the second with texture coordinates. */
static facet_scene *make_two(uint32_t more_vertices)
{
    facet_scene *scene;
    facet_error error;
    facet_material *material;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "red clay", &material, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "gr\xC3\xBCn", &material, &error), &error);
    for (uint32_t m = 0; m < 2; m++) {
        facet_mesh *mesh;
        facet_stream *stream;
        uint32_t count = 3 + more_vertices;
        TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
        mesh->face_count = 1;
        mesh->corner_count = 3;
        uint32_t *indices = facet_scene_allocate(scene, 3, sizeof *indices);
        for (uint32_t i = 0; i < 3; i++)
            indices[i] = count - 1 - i;
        TEST_OK(facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, count,
                                      &stream, &error),
                &error);
        for (uint32_t i = 0; i < count * 3; i++)
            ((float *)stream->data)[i] = (float)(m * 1000 + i);
        if (m == 1) {
            TEST_OK(facet_mesh_add_stream(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, count,
                                          &stream, &error),
                    &error);
            for (uint32_t i = 0; i < count * 2; i++)
                ((float *)stream->data)[i] = (float)i * 0.25F;
            mesh->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
            mesh->face_materials[0] = 1;
            mesh->lines = facet_scene_allocate(scene, 2, sizeof(uint32_t));
            mesh->lines[0] = 0;
            mesh->lines[1] = 2;
            mesh->line_count = 1;
        }
        for (uint32_t i = 0; i < mesh->stream_count; i++)
            mesh->streams[i].indices = indices;
    }
    return scene;
}

/* -- Reading ------------------------------------------------------------ */

TEST(attribute_names_give_semantics)
{
    static const char header[] =
        START "vec2 vertex.position\nvec3 vertex.normal\nvec2 vertex.texcoord\nvec2 vertex.uv1\n"
              "uint8 vertex.color[4]\nvec4 vertex.tangent\nuint16 vertex.joints[4]\n"
              "vec4 vertex.weights\nvec2 vertex.wind\n1 vertex\n\n";
    static const struct {
        facet_semantic semantic;
        uint32_t set, components;
        facet_component component;
    } expected[] = {
        {FACET_POSITION, 0, 3, FACET_FLOAT32}, {FACET_NORMAL, 0, 3, FACET_FLOAT32},
        {FACET_TEXCOORD, 0, 2, FACET_FLOAT32}, {FACET_TEXCOORD, 1, 2, FACET_FLOAT32},
        {FACET_COLOR, 0, 4, FACET_FLOAT32},    {FACET_TANGENT, 0, 4, FACET_FLOAT32},
        {FACET_JOINTS, 0, 4, FACET_UINT16},    {FACET_WEIGHTS, 0, 4, FACET_FLOAT32},
        {FACET_CUSTOM, 0, 2, FACET_FLOAT32},
    };
    uint8_t data[8 + 12 + 8 + 8 + 4 + 16 + 8 + 16 + 8] = {0}, file[600];
    float x = 7, y = 9;
    memcpy(data, &x, 4);
    memcpy(data + 4, &y, 4);
    data[36] = 255;
    data[37] = 51;
    size_t size = make_file(file, header, data, sizeof data);
    facet_scene *scene = must_load(file, size, NULL);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(mesh->stream_count, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < mesh->stream_count; i++) {
        assert_int_equal(mesh->streams[i].semantic, expected[i].semantic);
        assert_int_equal(mesh->streams[i].set, expected[i].set);
        assert_int_equal(mesh->streams[i].components, expected[i].components);
        assert_int_equal(mesh->streams[i].component, expected[i].component);
    }
    const float *position = mesh->streams[0].data, *color = mesh->streams[4].data;
    assert_true(position[0] == 7 && position[1] == 9 && position[2] == 0);
    assert_true(color[0] == 1 && color[1] == 0.2F && color[2] == 0);
    assert_string_equal(mesh->streams[8].name, "wind");
    facet_scene_free(scene);
}

TEST(cells_become_faces_and_lines)
{
    static const char header[] = START "vec3 vertex.position\nuint32 edge.cell[2]\nuint32 "
                                       "quad.cell[4]\nuint32 triangle_red.cell[3]\n"
                                       "5 vertex\n2 edge\n1 quad\n2 triangle_red\n\n";
    static const struct {
        float positions[15];
        uint32_t edges[4], quad[4], triangles[6];
    } data = {{0}, {0, 4, 1, 2}, {0, 1, 2, 3}, {0, 1, 4, 1, 2, 4}};
    uint8_t file[400];
    size_t size = make_file(file, header, &data, sizeof data);
    facet_scene *scene = must_load(file, size, NULL);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(mesh->face_count, 3);
    assert_int_equal(mesh->corner_count, 10);
    static const uint32_t offsets[] = {0, 4, 7, 10}, corners[] = {0, 1, 2, 3, 0, 1, 4, 1, 2, 4};
    assert_memory_equal(mesh->face_offsets, offsets, sizeof offsets);
    assert_memory_equal(mesh->streams[0].indices, corners, sizeof corners);
    assert_int_equal(mesh->line_count, 2);
    assert_memory_equal(mesh->lines, data.edges, sizeof data.edges);
    assert_int_equal(mesh->part_count, 2);
    assert_string_equal(mesh->parts[1].name, "red");
    assert_int_equal(mesh->parts[1].first_face, 1);
    assert_int_equal(mesh->face_materials[0], FACET_NONE);
    assert_int_equal(mesh->face_materials[2], 0);
    assert_string_equal(scene->materials[0]->name, "red");
    facet_scene_free(scene);

    /* The same file with an index out of range, in each kind of cell. */
    for (size_t at = 0; at < 14; at++) {
        facet_error error;
        facet_scene *none;
        uint8_t broken[400];
        memcpy(broken, file, size);
        broken[size - 14 * 4 + at * 4] = 5;
        assert_int_equal(load(broken, size, NULL, &none, &error), FACET_ERROR_MALFORMED);
        assert_string_equal(error.rule, "BGA-CELL-RANGE");
    }
}

TEST(material_comments_name_materials)
{
    static const char header[] =
        START "vec3 vertex.position\nuint8 triangle.cell[3]\nuint32 face.material\n"
              "1 vertex\n4 triangle\n4 face\n// material 7 the seventh\n// material 2 \n"
              "// material 99999999999999999999 x\n// material 8 eighth\n\n";
    struct {
        float position[3];
        uint8_t cells[12];
        uint32_t materials[4];
    } data = {{0}, {0}, {7, 2, FACET_NONE, 7}};
    uint8_t file[400];
    /* Material numbers beyond the declared ones: those in use are numbered again. */
    facet_scene *scene = must_load(file, make_file(file, header, &data, sizeof data), NULL);
    static const uint32_t sparse[] = {1, 0, FACET_NONE, 1};
    assert_memory_equal(scene->meshes[0]->face_materials, sparse, sizeof sparse);
    assert_int_equal(scene->material_count, 2);
    assert_string_equal(scene->materials[0]->name, "");
    assert_string_equal(scene->materials[1]->name, "the seventh");
    facet_scene_free(scene);
    /* The other numbers are unchanged. */
    data.materials[0] = data.materials[3] = 3;
    scene = must_load(file, make_file(file, header, &data, sizeof data), NULL);
    assert_memory_equal(scene->meshes[0]->face_materials, data.materials, sizeof data.materials);
    assert_int_equal(scene->material_count, 4);
    assert_string_equal(scene->materials[3]->name, "material_3");
    facet_scene_free(scene);
}

TEST(losses_of_reading)
{
    static const char header[] =
        START "vec3 vertex.position\nvec3 bounds.min\nuint32 point.cell\nuint32 cloud.cell\n"
              "1 vertex\n1 bounds\n1 point\n1 cloud\n\n";
    uint8_t data[32] = {0}, file[300];
    facet_report *report = new_report();
    facet_scene *scene = must_load(file, make_file(file, header, data, sizeof data), report);
    assert_int_equal(facet_report_severity_count(report, FACET_SEVERITY_WARNING), 2);
    assert_non_null(strstr(facet_report_get(report, 0)->message, "bounds"));
    assert_non_null(strstr(facet_report_get(report, 1)->message, "cloud"));
    assert_int_equal(scene->meshes[0]->point_count, 1);
    facet_scene_free(scene);
    facet_report_free(report);
    report = new_report();
    scene = must_load(file, make_file(file, START "vec3 vertex.position\n2 vertex\n\n", data, 24),
                      report);
    assert_int_equal(scene->meshes[0]->point_count, 2);
    assert_non_null(test_finding_saying(report, "BGA-CELL-MISSING", "2 vertices become points"));
    facet_scene_free(scene);
    facet_report_free(report);
    facet_error error;
    size_t size = make_file(file, START "uint8 a.p\n1 a\n\n", data, 1);
    assert_int_equal(load(file, size, NULL, &scene, &error), FACET_ERROR_UNSUPPORTED);
    assert_string_equal(error.rule, "BGA-VERTEX-MISSING");
}

/* -- Writing ------------------------------------------------------------ */

TEST(two_meshes_become_one)
{
    for (int mode = 0; mode < 4; mode++) {
        facet_options options = {0};
        facet_bga_options how = {0};
        options.bga = &how;
        how.big_endian = mode & 1;
        how.separate_buffers = mode & 2;
        options.report = new_report();
        facet_scene *scene = make_two(0);
        facet_output *output = must_save(scene, &options);
        facet_bga bga;
        facet_error error;
        TEST_OK(facet_bga_view(facet_output_data(output), (size_t)facet_output_size(output), NULL,
                               &bga, &error),
                &error);
        assert_non_null(test_finding(options.report, "LOSS-MESHES"));
        /* Texture coordinates, which the first mesh does not have. */
        assert_non_null(test_finding_saying(options.report, "BGA-FILLED",
                                            "'uv' is filled with default values for 1 "));
        assert_int_equal(facet_bga_find(&bga, "triangle", "cell")->base, FACET_BGA_BASE_UINT16);
        assert_non_null(facet_bga_find(&bga, how.separate_buffers ? "vertex_uv" : "vertex", "uv"));
        facet_scene *back = load_output(output, NULL);
        const facet_mesh *mesh = back->meshes[0];
        static const uint32_t indices[] = {2, 1, 0, 5, 4, 3}, lines[] = {3, 5};
        static const uint32_t materials[] = {FACET_NONE, 1};
        assert_int_equal(mesh->face_count, 2);
        assert_memory_equal(mesh->streams[0].indices, indices, sizeof indices);
        assert_memory_equal(mesh->lines, lines, sizeof lines);
        assert_memory_equal(mesh->face_materials, materials, sizeof materials);
        assert_int_equal(back->material_count, 2);
        assert_string_equal(back->materials[0]->name, "red clay");
        assert_string_equal(back->materials[1]->name, "gr\xC3\xBCn");
        for (uint32_t i = 0; i < 18; i++)
            assert_true(((float *)mesh->streams[0].data)[i] == (float)(i < 9 ? i : 1000 + i - 9));
        const float *uv = facet_mesh_find(mesh, FACET_TEXCOORD, 0)->data;
        for (uint32_t i = 0; i < 12; i++)
            assert_true(uv[i] == (i < 6 ? 0.0F : (float)(i - 6) * 0.25F));
        facet_scene_free(back);
        facet_output_free(output);
        facet_scene_free(scene);
        facet_report_free(options.report);
    }
}

/* 16 bits up to 65,535 vertices, 32 bits for more. */
TEST(index_width_follows_vertex_count)
{
    for (uint32_t extra = 0; extra < 2; extra++) {
        facet_scene *scene = make_two(32764 + extra);
        scene->mesh_count = 1;
        facet_mesh *mesh = scene->meshes[0];
        facet_error error;
        facet_stream *wide;
        mesh->stream_count = 0;
        TEST_OK(facet_mesh_add_stream(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3,
                                      65535 + extra, &wide, &error),
                &error);
        memset(wide->data, 0, (size_t)(65535 + extra) * 12);
        wide->indices = facet_scene_allocate(scene, 3, 4);
        for (uint32_t i = 0; i < 3; i++)
            wide->indices[i] = 65534 + extra - i;
        facet_output *output = must_save(scene, NULL);
        facet_scene *back = load_output(output, NULL);
        facet_bga bga;
        TEST_OK(facet_bga_view(facet_output_data(output), (size_t)facet_output_size(output), NULL,
                               &bga, &error),
                &error);
        assert_int_equal(facet_bga_find(&bga, "triangle", "cell")->base,
                         extra ? FACET_BGA_BASE_UINT32 : FACET_BGA_BASE_UINT16);
        assert_memory_equal(back->meshes[0]->streams[0].indices, wide->indices, 12);
        facet_scene_free(back);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* v counts from the lower edge: 1 - v, and the handedness of tangents changes. */
TEST(texture_origin_turns_v_and_tangents)
{
    facet_scene *scene = make_two(0);
    facet_error error;
    facet_stream *tangents;
    facet_mesh *mesh = scene->meshes[1];
    TEST_OK(
        facet_mesh_add_stream(mesh, FACET_TANGENT, 0, NULL, FACET_FLOAT32, 4, 3, &tangents, &error),
        &error);
    static const float tangent[12] = {1, 0, 0, 1, 1, 0, 0, -1, 1, 0, 0, 1};
    memcpy(tangents->data, tangent, sizeof tangent);
    tangents->indices = mesh->streams[0].indices;
    scene->meshes[0] = mesh;
    scene->mesh_count = 1;
    scene->axes.uv_origin_top = true;
    facet_output *output = must_save(scene, NULL);
    facet_scene *back = load_output(output, NULL);
    const float *uv = facet_mesh_find(back->meshes[0], FACET_TEXCOORD, 0)->data;
    const float *turned = facet_mesh_find(back->meshes[0], FACET_TANGENT, 0)->data;
    assert_true(uv[0] == 0 && uv[1] == 0.75F && uv[2] == 0.5F && uv[3] == 0.25F);
    assert_true(turned[3] == -1 && turned[7] == 1 && turned[11] == -1 && turned[0] == 1);
    /* The scene itself has not changed. */
    assert_true(((float *)facet_mesh_find(mesh, FACET_TEXCOORD, 0)->data)[1] == 0.25F);
    facet_scene_free(back);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Z up and left-handed becomes Y up and right-handed: (x, y, z) is (x, z, y). Triangles are
 * reversed, and the handedness of tangents changes. */
TEST(axes_become_y_up_right_handed)
{
    facet_scene *scene = make_two(0);
    facet_error error;
    facet_stream *tangents;
    facet_mesh *mesh = scene->meshes[0];
    TEST_OK(
        facet_mesh_add_stream(mesh, FACET_TANGENT, 0, NULL, FACET_FLOAT32, 4, 3, &tangents, &error),
        &error);
    static const float tangent[12] = {0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, -1};
    memcpy(tangents->data, tangent, sizeof tangent);
    tangents->indices = mesh->streams[0].indices;
    scene->mesh_count = 1;
    scene->axes.up = FACET_AXIS_Z;
    scene->axes.left_handed = true;
    facet_output *output = must_save(scene, NULL);
    facet_scene *back = load_output(output, NULL);
    const float *position = back->meshes[0]->streams[0].data;
    const float *turned = facet_mesh_find(back->meshes[0], FACET_TANGENT, 0)->data;
    static const float positions[9] = {0, 2, 1, 3, 5, 4, 6, 8, 7};
    static const float expected[12] = {0, 1, 0, -1, 0, 0, 1, -1, 1, 0, 0, 1};
    static const uint32_t wound[3] = {2, 0, 1};
    for (int i = 0; i < 9; i++)
        assert_true(position[i] == positions[i]);
    for (int i = 0; i < 12; i++)
        assert_true(turned[i] == expected[i]);
    assert_memory_equal(back->meshes[0]->streams[0].indices, wound, sizeof wound);
    facet_scene_free(back);
    facet_output_free(output);
    facet_scene_free(scene);
}

static void add_custom(facet_mesh *mesh, const char *name, facet_component component,
                       uint32_t components)
{
    facet_stream *stream;
    facet_error error;
    TEST_OK(facet_mesh_add_stream(mesh, FACET_CUSTOM, 0, name, component, components, 3, &stream,
                                  &error),
            &error);
    uint8_t *values = stream->data;
    for (size_t i = 0; i < (size_t)3 * components * facet_component_size(component); i++)
        values[i] = (uint8_t)(i * 3 + components);
    if (component == FACET_FLOAT64) {
        for (uint32_t i = 0; i < 3 * components; i++)
            ((double *)stream->data)[i] = 0.1 * (double)i;
    }
    stream->indices = mesh->streams[0].indices;
}

TEST(custom_streams_survive_a_round_trip)
{
    facet_scene *scene = make_two(0), *back;
    facet_mesh *mesh = scene->meshes[0];
    scene->mesh_count = 1;
    add_custom(mesh, "wide", FACET_UINT32, 16);
    add_custom(mesh, "bytes", FACET_UINT8, 3);
    add_custom(mesh, "signed", FACET_INT16, 2);
    add_custom(mesh, "nine", FACET_FLOAT32, 9);
    add_custom(mesh, "a b", FACET_UINT32, 1);
    add_custom(mesh, "a_b", FACET_UINT32, 1);
    add_custom(mesh, "double", FACET_FLOAT64, 2);
    facet_options options = {0};
    options.report = new_report();
    facet_output *output = must_save(scene, &options);
    static const char *const losses[] = {"LOSS-NAMES", "LOSS-PRECISION", "BGA-TYPE-SIGNED"};
    for (size_t i = 0; i < 3; i++)
        assert_non_null(test_finding(options.report, losses[i]));
    facet_bga bga;
    facet_error error;
    TEST_OK(facet_bga_view(facet_output_data(output), (size_t)facet_output_size(output), NULL, &bga,
                           &error),
            &error);
    /* The record stays a multiple of four; signed values are last. */
    assert_int_equal(facet_bga_find_buffer(&bga, "vertex")->stride, 12 + 64 + 36 + 4 + 4 + 8);
    assert_int_equal(facet_bga_find_buffer(&bga, "vertex_bytes")->stride, 3);
    assert_memory_equal(bga.buffers[bga.buffer_count - 1].name, "vertex_signed", 13);
    back = load_output(output, options.report);
    for (uint32_t i = 1; i < mesh->stream_count; i++) {
        const facet_stream *from = &mesh->streams[i], *to = NULL;
        const char *name = strcmp(from->name, "a b") == 0   ? "a_b"
                           : strcmp(from->name, "a_b") == 0 ? "a_b_2"
                                                            : from->name;
        for (uint32_t k = 0; k < back->meshes[0]->stream_count; k++) {
            const facet_stream *each = &back->meshes[0]->streams[k];
            if (each->name && strcmp(each->name, name) == 0)
                to = each;
        }
        assert_non_null(to);
        assert_int_equal(to->components, from->components);
        if (from->component == FACET_FLOAT64) {
            assert_int_equal(to->component, FACET_FLOAT32);
            assert_true(((float *)to->data)[5] == (float)(0.1 * 5));
            continue;
        }
        assert_int_equal(to->component, from->component);
        assert_memory_equal(to->data, from->data,
                            3 * from->components * facet_component_size(from->component));
    }
    facet_scene_free(back);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(options.report);
}

TEST(writer_refuses_separate_indices)
{
    facet_scene *scene = make_two(0);
    facet_output *output;
    facet_error error;
    uint32_t other[3] = {0, 1, 2};
    scene->meshes[1]->streams[1].indices = other;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_REFUSED(facet_save(scene, &facet_format_bga, NULL, output, &error), FACET_ERROR_ARGUMENT,
                 "BGA-NEEDS", &error);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- Copies and real files ---------------------------------------------- */

/* A copy within the family keeps every buffer, name and comment, even those that a scene cannot
 * represent. */
TEST(copy_keeps_buffers_names_comments)
{
    static const char header[] =
        START "vec3 bounds.min\nvec3 bounds.max\nuint8 odd.one[3]\n1 bounds\n2 odd\n"
              "// made of things\n\n";
    uint8_t data[30], file[200];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i + 1);
    facet_source source = {0};
    source.data = file;
    source.size = make_file(file, header, data, sizeof data);
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_copy(&source, NULL, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    assert_int_equal(facet_output_size(output), source.size);
    assert_memory_equal(facet_output_data(output), file, source.size);
    facet_output_free(output);
}

TEST(real_files_have_expected_counts)
{
    TEST_NEEDS_CORPUS();
    static const struct {
        const char *name;
        uint32_t vertices, triangles, lines, streams;
    } files[] = {{"bga/teapot.v1.bga", 792, 992, 0, 1},
                 {"bga/teapot.v2.bga", 792, 992, 0, 2},
                 {"bga/fish.big-endian.v2.bga", 141, 220, 248, 2}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_file *file;
        facet_error error;
        TEST_OK(facet_file_open(test_corpus(files[i].name), NULL, &file, &error), &error);
        facet_scene *scene =
            must_load(facet_file_source(file).data, facet_file_source(file).size, NULL);
        facet_file_close(file);
        const facet_mesh *mesh = scene->meshes[0];
        assert_int_equal(mesh->streams[0].count, files[i].vertices);
        assert_int_equal(mesh->face_count, files[i].triangles);
        assert_int_equal(mesh->line_count, files[i].lines);
        assert_int_equal(mesh->stream_count, files[i].streams);
        facet_output *output = must_save(scene, NULL);
        facet_scene *back = load_output(output, NULL);
        for (uint32_t k = 0; k < mesh->stream_count; k++)
            assert_memory_equal(back->meshes[0]->streams[k].data, mesh->streams[k].data,
                                (size_t)mesh->streams[k].count * mesh->streams[k].components * 4);
        assert_memory_equal(back->meshes[0]->streams[0].indices, mesh->streams[0].indices,
                            mesh->corner_count * sizeof(uint32_t));
        facet_scene_free(back);
        facet_output_free(output);
        facet_scene_free(scene);
    }
}

/* -- Untrusted input, failed allocations --------------------------------- */

static void load_anything(const uint8_t *data, size_t size, void *user)
{
    facet_scene *scene;
    facet_error error;
    (void)user;
    if (load(data, size, NULL, &scene, NULL) != FACET_OK)
        return;
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    facet_scene_free(scene);
}

TEST(scene_survives_any_byte_change)
{
    facet_scene *scene = make_two(0);
    facet_output *output = must_save(scene, NULL);
    test_every_mutation(facet_output_data(output), (size_t)facet_output_size(output), load_anything,
                        NULL);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* -- Documents and scenes ------------------------------------------------ */

static void expect_same(facet_output *one, facet_output *other)
{
    assert_int_equal(facet_output_size(one), facet_output_size(other));
    assert_memory_equal(facet_output_data(one), facet_output_data(other),
                        (size_t)facet_output_size(one));
    facet_output_free(one);
    facet_output_free(other);
}

static facet_output *write_bga(const facet_bga *document)
{
    facet_output *output;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_bga_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

/* A document that is read, viewed or converted from a scene becomes the scene of its file.
 * Materials get their names from the comments. */
TEST(document_and_file_become_equal_scenes)
{
    static const struct {
        float positions[9];
        uint32_t cell[3], material;
    } data = {{0, 0, 0, 1, 0, 0, 0, 1, 0}, {0, 1, 2}, 1};
    uint8_t file[1024];
    size_t size = make_file(file,
                            START "// material 0 red\n// material 1 blue\nvec3 vertex.position\n"
                                  "uint32 triangle.cell[3]\nuint32 face.material\n3 vertex\n"
                                  "1 triangle\n1 face\n\n",
                            &data, sizeof data);
    facet_scene *loaded = must_load(file, size, NULL), *scene;
    facet_bga *document;
    static facet_bga view;
    facet_error error;
    assert_int_equal(loaded->material_count, 1); /* no face has material 0 */
    assert_string_equal(loaded->materials[0]->name, "blue");
    TEST_OK(facet_bga_read(TEST_SOURCE(file, size), NULL, &document, &error), &error);
    assert_int_equal(document->comment_count, 2);
    assert_string_equal(document->comments[1], "material 1 blue");
    TEST_OK(facet_bga_to_scene(document, NULL, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    expect_same(must_save(scene, NULL), must_save(loaded, NULL));
    facet_scene_free(scene);
    facet_bga_free(document);
    TEST_OK(facet_bga_view(file, size, NULL, &view, &error), &error);
    TEST_OK(facet_bga_to_scene(&view, NULL, NULL, &scene, &error), &error);
    expect_same(must_save(scene, NULL), must_save(loaded, NULL));
    facet_bga_free(&view); /* a view has nothing to free */
    TEST_OK(facet_bga_from_scene(scene, NULL, &document, &error), &error);
    expect_same(must_save(loaded, NULL), write_bga(document));
    facet_bga_free(document);
    facet_scene_free(scene);
    facet_scene_free(loaded);
}

static facet_status convert_with(const facet_allocator *allocator, void *user)
{
    const facet_output *input = user;
    facet_options options = {0};
    facet_scene *scene;
    facet_output *output;
    options.allocator = allocator;
    facet_source source = {0};
    source.data = facet_output_data(input);
    source.size = (size_t)facet_output_size(input);
    facet_status status = facet_output_open_memory(allocator, &output, NULL);
    if (status)
        return status;
    status = facet_load(&source, &facet_format_bga, NULL, &options, &scene, NULL);
    if (!status) {
        status = facet_save(scene, &facet_format_bga, &options, output, NULL);
        facet_scene_free(scene);
    }
    if (!status)
        status = facet_copy(&source, &facet_format_bga, &options, output, NULL);
    if (!status)
        status = facet_output_commit(output, NULL);
    facet_output_free(output);
    return status;
}

TEST(scene_reports_failed_allocations)
{
    facet_scene *scene = make_two(0);
    facet_output *output = must_save(scene, NULL);
    test_every_allocation(convert_with, output);
    facet_output_free(output);
    facet_scene_free(scene);
}
