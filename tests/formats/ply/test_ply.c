/* PLY: texts with known values in every encoding. */
#include "formats/ply/ply.h"
#include "scene/material.h"
#include "support/mesh.h"
#include "support/models.h"
#include "support/ply.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Documents ---------------------------------------------------------- */

TEST(document_has_header_comments_and_properties)
{
    facet_report *report = new_report();
    facet_ply *ply = read_document(small, sizeof small - 1, report);
    assert_int_equal(facet_report_count(report), 0);
    assert_int_equal(ply->encoding, FACET_PLY_ASCII);
    assert_int_equal(ply->comment_count, 1);
    assert_string_equal(ply->comments[0], " two words");
    assert_string_equal(ply->infos[0], "by hand");
    const facet_ply_element *vertex = facet_ply_find_element(ply, "vertex");
    assert_int_equal(vertex->count, 5);
    const facet_ply_property *quality = facet_ply_find(vertex, "quality");
    int32_t values[5];
    uint32_t indices[5];
    float reals[5];
    assert_int_equal(facet_ply_value_count(quality, 5), 5);
    facet_ply_read_values(quality, 0, 5, quality->type, values);
    assert_true(values[0] == -7 && values[4] == INT32_MAX);
    facet_ply_read_values(quality, 0, 5, FACET_PLY_UINT32, indices);
    assert_true(indices[0] == UINT32_MAX && indices[1] == 8);
    facet_ply_read_values(quality, 1, 2, FACET_PLY_FLOAT32, reals);
    assert_true(reals[0] == 8 && reals[1] == 9);
    const facet_ply_property *list =
        facet_ply_find(facet_ply_find_element(ply, "face"), "vertex_indices");
    assert_true(list->is_list && list->offsets && list->offsets[1] == 4 && list->offsets[2] == 7);
    facet_ply_read_values(list, 3, 4, FACET_PLY_UINT32, indices);
    assert_true(indices[0] == 3 && indices[1] == 1 && indices[3] == 2);
    assert_null(facet_ply_find_element(ply, "edge"));
    assert_null(facet_ply_find(vertex, "alpha"));
    facet_ply_free(ply);
    facet_ply_free(NULL);
    facet_report_free(report);
}

/* One property of each type, by both names; numbers at the ends of their ranges. */
static const char types[] =
    ASCII "element e 2\nproperty char a\nproperty uint8 b\nproperty int16 c\nproperty ushort d\n"
          "property int e\nproperty uint32 f\nproperty float32 g\nproperty double h\n"
          "property list int8 float64 i\nend_header\n"
          "-128 255 -32768 65535 -2147483648 4294967295 3.4028235e38 0.1 0\n"
          "127 0 32767 1 2147483647 1.0 -1e-45 -1.7976931348623157e308 2 1e300 2.5\n";

/* Through every encoding and back to text: the same bytes. */
TEST(every_encoding_keeps_every_value)
{
    facet_ply *first = read_document(types, sizeof types - 1, NULL);
    facet_output *text = write_document(first, FACET_PLY_ASCII);
    for (int encoding = 0; encoding <= FACET_PLY_ASCII; encoding++) {
        facet_output *output = write_document(first, (facet_ply_encoding)encoding);
        facet_ply *again =
            read_document(facet_output_data(output), (size_t)facet_output_size(output), NULL);
        assert_int_equal(again->encoding, encoding);
        const facet_ply_element *e = &again->elements[0];
        double h[2];
        uint32_t f[2];
        facet_ply_read_values(facet_ply_find(e, "h"), 0, 2, FACET_PLY_FLOAT64, h);
        facet_ply_read_values(facet_ply_find(e, "f"), 1, 1, FACET_PLY_UINT32, f);
        assert_true(h[0] == 0.1 && h[1] == -1.7976931348623157e308 && f[0] == 1);
        facet_output *back = write_document(again, FACET_PLY_ASCII);
        assert_int_equal(facet_output_size(back), facet_output_size(text));
        assert_memory_equal(facet_output_data(back), facet_output_data(text),
                            (size_t)facet_output_size(text));
        facet_output_free(back);
        facet_ply_free(again);
        facet_output_free(output);
    }
    facet_output_free(text);
    facet_ply_free(first);
}

/* Files of programs that end lines with LF are copied byte by byte. */
TEST(files_with_lf_are_copied_exactly)
{
    static const struct {
        const char *name;
        facet_ply_encoding encoding;
    } files[] = {{"ply/cycloidal.ply", FACET_PLY_LITTLE_ENDIAN},
                 {"ply/fuze.ply", FACET_PLY_LITTLE_ENDIAN},
                 {"ply/platonic_shelf_big_endian.ply", FACET_PLY_BIG_ENDIAN}};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_error error;
        facet_file *file = NULL;
        TEST_OK(facet_file_open(test_corpus(files[i].name), NULL, &file, &error), &error);
        facet_ply *ply =
            read_document(facet_file_source(file).data, facet_file_source(file).size, NULL);
        facet_output *output = write_document(ply, files[i].encoding);
        assert_int_equal(facet_output_size(output), facet_file_source(file).size);
        assert_memory_equal(facet_output_data(output), facet_file_source(file).data,
                            facet_file_source(file).size);
        facet_output_free(output);
        facet_ply_free(ply);
        facet_file_close(file);
    }
}

/* -- Scenes ------------------------------------------------------------- */

TEST(vertex_and_face_values_become_streams)
{
    static const uint32_t indices[7] = {0, 1, 2, 3, 1, 4, 2};
    facet_scene *scene = load_text(small, NULL);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(mesh->face_count, 2);
    assert_int_equal(mesh->corner_count, 7);
    assert_int_equal(mesh->face_offsets[1], 4); /* the quad is not triangulated */
    assert_memory_equal(mesh->streams[0].indices, indices, sizeof indices);
    assert_true(facet_mesh_is_indexed(mesh));
    assert_null(mesh->face_materials);
    const float *last = (const float *)mesh->streams[0].data + 12;
    assert_true(last[0] == 2 && last[1] == 0.5F && last[2] == 0.25F);
    const float *colors = facet_mesh_find(mesh, FACET_COLOR, 0)->data;
    /* 51 and 102 of 255, by the sRGB curve, ((c + 0.055) / 1.055)^2.4. */
    assert_float_equal(colors[12 - 3], 0.03310477F, 1e-7F);
    assert_float_equal(colors[13], 0.13286832F, 1e-7F);
    const facet_stream *quality = facet_mesh_find(mesh, FACET_CUSTOM, 0);
    assert_string_equal(quality->name, "quality");
    assert_int_equal(quality->component, FACET_INT32);
    assert_int_equal(((const int32_t *)quality->data)[0], -7);
    facet_scene_free(scene);
}

/* Colors of every type, texture coordinates by every name, vertex_index. */
TEST(all_property_names_and_types_are_read)
{
    static const struct {
        const char *type, *full;
    } colors[] = {{"uchar", "255"},   {"char", "127"},        {"ushort", "65535"},
                  {"short", "32767"}, {"uint", "4294967295"}, {"int", "2147483647"},
                  {"float", "1"},     {"double", "1"}};
    static const char *const uvs[][2] = {
        {"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}, {"texture_s", "texture_t"}};
    for (size_t i = 0; i < sizeof colors / sizeof *colors; i++) {
        char text[900];
        const char *full = colors[i].full, *type = colors[i].type;
        const char *const *uv = uvs[i % 4];
        snprintf(text, sizeof text,
                 THREE "property %s red\nproperty %s green\nproperty %s blue\nproperty %s alpha\n"
                       "property float %s\nproperty float %s\nproperty double nx\n"
                       "property double ny\nproperty double nz\n"
                       "element face 1\nproperty list int uint vertex_index\nend_header\n"
                       "0 0 0 %s 0 0 %s 0.25 0.5 0 0 1\n1 0 0 %s 0 0 %s 0 0 0 0 1\n"
                       "0 1 0 %s 0 0 %s 0 0 0 0 1\n3 0 1 2\n",
                 type, type, type, type, uv[0], uv[1], full, full, full, full, full, full);
        facet_report *report = new_report();
        facet_scene *scene = load_text(text, report);
        const facet_mesh *mesh = scene->meshes[0];
        const facet_stream *color = facet_mesh_find(mesh, FACET_COLOR, 0);
        const float *texcoord = facet_mesh_find(mesh, FACET_TEXCOORD, 0)->data;
        assert_int_equal(color->components, 4);
        assert_true(((const float *)color->data)[0] == 1 && ((const float *)color->data)[1] == 0 &&
                    ((const float *)color->data)[3] == 1);
        assert_true(texcoord[0] == 0.25F && texcoord[1] == 0.5F);
        assert_true(((const float *)facet_mesh_find(mesh, FACET_NORMAL, 0)->data)[2] == 1);
        assert_non_null(test_finding(report, "LOSS-PRECISION")); /* doubles */
        assert_null(mesh->face_offsets);
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* Strips: every second triangle has the opposite winding, -1 begins a new strip, and degenerate
 * triangles only join strips. */
TEST(strips_alternate_winding_and_restart)
{
    static const char text[] =
        ASCII "element vertex 6\n" XYZ "element tristrips 2\nproperty list int int vertex_indices\n"
              "end_header\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n1 2 0\n"
              "9 0 1 2 3 -1 2 3 4 5\n5 0 1 1 2 3\n";
    /* 0 1 2, 2 1 3 | 2 3 4, 4 3 5 | (0 1 1), (1 1 2), 1 2 3 at an even place */
    static const uint32_t expected[15] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5, 1, 2, 3};
    facet_scene *scene = load_text(text, NULL);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(mesh->face_count, 5);
    assert_null(mesh->face_offsets);
    assert_memory_equal(mesh->streams[0].indices, expected, sizeof expected);
    facet_scene_free(scene);
}

/* Faces before vertices, unknown elements and lists between them, CR LF. */
TEST(faces_may_precede_vertices)
{
    static const char text[] =
        "ply\r\nformat ascii 1.0\r\nelement face 2\r\nproperty uchar flags\r\n"
        "property list uchar short vertex_index\r\nelement camera 1\r\nproperty float view_px\r\n"
        "property list uchar float more\r\nelement vertex 4\r\nproperty list char int mixed\r\n"
        "property float z\r\nproperty float y\r\nproperty float x\r\nend_header\r\n"
        "7 3 0 1 2\r\n7 2 0 1\r\n0.5 2 1 2\r\n"
        "0 3 2 1\r\n1 9 0 0 1\r\n0 0 1 0\r\n0 1 1 1\r\n";
    facet_report *report = new_report();
    facet_scene *scene = load_text(text, report);
    const facet_mesh *mesh = scene->meshes[0];
    const float *positions = mesh->streams[0].data;
    assert_int_equal(mesh->face_count, 1);
    assert_int_equal(mesh->streams[0].count, 4);
    assert_true(positions[0] == 1 && positions[1] == 2 && positions[2] == 3);
    assert_true(positions[3] == 1 && positions[4] == 0);
    assert_non_null(test_finding(report, "PLY-FACE-SMALL"));
    assert_non_null(test_finding(report, "LOSS-UNREAD"));
    assert_int_equal(test_finding(report, "LOSS-UNREAD")->count, 1);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* Vertices have precedence, and what faces say besides is reported: three properties of colors and
 * the list of texture coordinates. */
TEST(values_of_faces_besides_those_of_vertices_are_reported)
{
    static const char text[] =
        ASCII "element vertex 3\n" XYZ "property float s\nproperty float t\nproperty uchar red\n"
              "property uchar green\nproperty uchar blue\nelement face 1\n"
              "property list uchar int vertex_indices\nproperty list uchar float texcoord\n"
              "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n"
              "0 0 0 0.5 0.5 255 0 0\n1 0 0 0.5 0.5 255 0 0\n0 1 0 0.5 0.5 255 0 0\n"
              "3 0 1 2 6 0 0 1 0 0 1 0 255 0\n";
    facet_report *report = new_report();
    facet_scene *scene = load_text(text, report);
    const facet_stream *texcoords = facet_mesh_find(scene->meshes[0], FACET_TEXCOORD, 0);
    assert_true(((const float *)texcoords->data)[0] == 0.5F);
    assert_int_equal(test_finding(report, "LOSS-UNREAD")->count, 4);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* The texture, the texture coordinates and the color of faces. */
TEST(face_texcoords_and_colors_become_streams)
{
    static const char text[] =
        ASCII "comment TextureFile  a b.png \ncomment TextureFile c.png\nelement vertex 4\n" XYZ
              "element face 3\nproperty list uchar int vertex_indices\n"
              "property list uchar float texcoord\nproperty int texnumber\n"
              "property uchar red\nproperty uchar green\nproperty uchar blue\nend_header\n"
              "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
              "3 0 1 2 6 0 0 1 0 1 1 1 255 0 0\n"
              "3 0 2 3 6 0 0 1 1 0 1 0 0 255 0\n"
              "3 2 1 0 2 0 0 -1 255 0 0\n";
    static const uint32_t uv[9] = {0, 1, 2, 0, 2, 3, FACET_NONE, FACET_NONE, FACET_NONE};
    static const uint32_t color[9] = {0, 0, 0, 1, 1, 1, 0, 0, 0};
    facet_report *report = new_report();
    facet_scene *scene = load_text(text, report);
    const facet_mesh *mesh = scene->meshes[0];
    assert_int_equal(scene->material_count, 2);
    assert_string_equal(scene->materials[0]->maps[FACET_MAP_DIFFUSE]->path, "a b.png");
    assert_int_equal(mesh->face_materials[0], 1);
    assert_int_equal(mesh->face_materials[1], 0);
    assert_int_equal(mesh->face_materials[2], FACET_NONE);
    const facet_stream *texcoords = facet_mesh_find(mesh, FACET_TEXCOORD, 0);
    assert_int_equal(texcoords->count, 4); /* each value once, also that of the third face, 0 0 */
    assert_memory_equal(texcoords->indices, uv, sizeof uv);
    assert_non_null(test_finding(report, "PLY-TEXCOORD"));
    const facet_stream *colors = facet_mesh_find(mesh, FACET_COLOR, 0);
    assert_int_equal(colors->count, 2);
    assert_memory_equal(colors->indices, color, sizeof color);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* Points without faces stay; edges are lines. */
TEST(points_and_edges)
{
    facet_report *report = new_report();
    facet_scene *scene = load_text(THREE "end_header\n" POINTS, report);
    assert_int_equal(scene->meshes[0]->streams[0].count, 3);
    assert_int_equal(scene->meshes[0]->face_count, 0);
    assert_int_equal(scene->meshes[0]->point_count, 3);
    facet_output *output = save_scene(scene, "ply", NULL);
    facet_scene *again = load_output(output, "a.ply", NULL);
    assert_int_equal(again->meshes[0]->streams[0].count, 3);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(report);

    scene = load_text(THREE "element edge 2\nproperty int vertex1\nproperty int vertex2\n"
                            "end_header\n" POINTS "0 1\n2 0\n",
                      NULL);
    assert_int_equal(scene->meshes[0]->line_count, 2);
    assert_int_equal(scene->meshes[0]->lines[2], 2);
    facet_scene_free(scene);
}

/* A body whose first byte is 0x0A: x is 10 as a byte. If lines end with CR only, the line feed
 * after it is data. */
TEST(binary_body_may_begin_with_line_feed)
{
    static const char header[] = "ply\nformat binary_big_endian 1.0\nelement vertex 1\n"
                                 "property uchar x\nproperty uchar y\nproperty uchar z\n"
                                 "end_header\n";
    for (int ends = 0; ends < 3; ends++) {
        char data[200];
        size_t size = 0;
        for (const char *c = header; *c; c++) {
            if (*c == '\n' && ends > 0)
                data[size++] = '\r';
            if (*c != '\n' || ends < 2)
                data[size++] = *c;
        }
        memcpy(data + size, "\n\r\n", 3);
        facet_scene *scene = load_bytes(data, size + 3, "a.ply", NULL);
        const float *p = scene->meshes[0]->streams[0].data;
        assert_true(p[0] == 10 && p[1] == 13 && p[2] == 10);
        facet_scene_free(scene);
    }
}

/* Records at unaligned offsets, in big-endian order: 3 bytes, then a short, a float, and lists of
 * two lengths. */
TEST(unaligned_big_endian_records_are_read)
{
    static const char header[] = "ply\nformat binary_big_endian 1.0\nelement vertex 3\n"
                                 "property uchar a\nproperty short x\nproperty float y\n"
                                 "property short z\nelement face 2\n"
                                 "property list ushort uchar vertex_index\nend_header\n";
    static const uint8_t body[] = {1, 0, 2, 0x3F, 0x80, 0, 0, 0xFF, 0xFF, 1, 0, 0, 0,
                                   0, 0, 0, 0,    0,    1, 0, 0,    0x40, 0, 0, 0, 0,
                                   1, 0, 3, 0,    1,    2, 0, 4,    2,    1, 0, 1};
    char data[300];
    memcpy(data, header, sizeof header - 1);
    memcpy(data + sizeof header - 1, body, sizeof body);
    facet_scene *scene = load_bytes(data, sizeof header - 1 + sizeof body, "a.ply", NULL);
    const facet_mesh *mesh = scene->meshes[0];
    const float *p = mesh->streams[0].data;
    assert_true(p[0] == 2 && p[1] == 1 && p[2] == -1 && p[7] == 2 && p[8] == 1);
    assert_int_equal(mesh->face_offsets[2], 7);
    assert_int_equal(mesh->streams[0].indices[6], 1);
    facet_scene_free(scene);
}

/* -- Writing ------------------------------------------------------------ */

TEST(scene_values_become_properties)
{
    facet_report *report = new_report();
    facet_options options = {.report = report};
    facet_scene *scene = load_text(small, NULL);
    facet_material *material = NULL;
    assert_int_equal(facet_scene_add_material(scene, "m", &material, NULL), FACET_OK);
    test_map(scene, material, FACET_MAP_DIFFUSE)->path = "m.png";
    uint32_t materials[2] = {0, FACET_NONE}, lines[2] = {0, 4};
    facet_mesh *mesh = scene->meshes[0];
    mesh->face_materials = materials;
    mesh->lines = lines;
    mesh->line_count = 1;
    ((float *)facet_mesh_find(mesh, FACET_COLOR, 0)->data)[0] = 0.3F; /* 76.5 */
    scene->axes.left_handed = true;
    facet_output *output = save_scene(scene, "ply", &options);
    assert_non_null(test_finding(report, "LOSS-PRECISION"));
    facet_scene *again = load_output(output, "a.ply", NULL);
    const facet_mesh *b = again->meshes[0];
    static const uint32_t mirrored[7] = {3, 2, 1, 0, 2, 4, 1};
    assert_memory_equal(b->streams[0].indices, mirrored, sizeof mirrored);
    assert_true(((const float *)b->streams[0].data)[14] == -0.25F);
    assert_string_equal(again->materials[0]->maps[FACET_MAP_DIFFUSE]->path, "m.png");
    assert_int_equal(b->face_materials[0], 0);
    assert_int_equal(b->face_materials[1], FACET_NONE);
    assert_int_equal(b->line_count, 1);
    assert_int_equal(b->lines[1], 4);
    assert_int_equal(((const int32_t *)facet_mesh_find(b, FACET_CUSTOM, 0)->data)[4], INT32_MAX);
    facet_scene_free(again);
    facet_output_free(output);
    mesh->face_materials = NULL;
    mesh->line_count = 0;
    mesh->lines = NULL;
    facet_scene_free(scene);
    facet_report_free(report);
}

/* A PLY has the path of a texture, and bytes for colors. */
TEST(settings_of_textures_and_bright_colors_are_reported)
{
    for (int i = 0; i < 5; i++) {
        facet_report *report = new_report();
        facet_options options = {.report = report};
        facet_scene *scene = load_text(small, NULL);
        facet_material *material = NULL;
        assert_int_equal(facet_scene_add_named_material(scene, "m", &material, NULL), FACET_OK);
        facet_texture *texture = test_map(scene, material, FACET_MAP_DIFFUSE);
        texture->path = "m.png";
        texture->has_transform = i == 1;
        texture->scale[0] = 2;
        texture->wrap_u = i == 2 ? FACET_WRAP_CLAMP : FACET_WRAP_REPEAT;
        texture->uv_set = i == 3;
        float *colors = facet_mesh_find(scene->meshes[0], FACET_COLOR, 0)->data;
        colors[0] = i == 4 ? 1.5F : 1;
        facet_output_free(save_scene(scene, "ply", &options));
        assert_true((test_finding(report, "LOSS-TEXTURES") != NULL) == (i > 0 && i < 4));
        assert_true((test_finding(report, "LOSS-COLORS") != NULL) == (i == 4));
        assert_non_null(test_finding(report, "LOSS-NAMES")); /* "m" */
        assert_null(test_finding(report, "LOSS-MATERIALS"));
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* Without faces and edges, all vertices of a PLY are points. */
TEST(vertices_that_become_points_are_reported)
{
    uint32_t shown[] = {0, 2};
    for (int i = 0; i < 2; i++) {
        facet_report *report = new_report();
        facet_options options = {.report = report};
        facet_scene *scene = load_text(THREE "end_header\n" POINTS, NULL);
        assert_int_equal(scene->meshes[0]->point_count, 3);
        if (i == 1) {
            scene->meshes[0]->points = shown;
            scene->meshes[0]->point_count = 2;
        }
        facet_output_free(save_scene(scene, "ply", &options));
        assert_true((test_finding(report, "LOSS-POINTS") != NULL) == (i == 1));
        facet_scene_free(scene);
        facet_report_free(report);
    }
}

/* A custom stream "s" comes before the texture coordinates, whose first number has that name. The
 * texture coordinates are written, and the custom stream is reported. */
TEST(custom_streams_take_no_name_of_texture_coordinates)
{
    static const uint32_t sizes[1] = {3}, corners[3] = {0, 1, 2};
    static const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float heat[3] = {7, 14, 21}, uv[6] = {0.25F, 0, 0.5F, 0.125F, 0.75F, 1};
    facet_report *report = new_report();
    const facet_options options = {.report = report};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, sizes);
    facet_stream *custom;
    facet_error error;
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, points, corners));
    TEST_OK(facet_mesh_add_stream(mesh, FACET_CUSTOM, 0, "s", FACET_FLOAT32, 1, 3, &custom, &error),
            &error);
    memcpy(custom->data, heat, sizeof heat);
    custom->indices = mesh->streams[0].indices;
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, 3, uv, corners));
    mesh->streams[2].indices = mesh->streams[0].indices;
    facet_output *output = save_scene(scene, "ply", &options);
    facet_scene *again = load_output(output, "a.ply", NULL);
    const facet_stream *read = facet_mesh_find(again->meshes[0], FACET_TEXCOORD, 0);
    assert_non_null(read);
    assert_memory_equal(read->data, uv, sizeof uv);
    assert_null(facet_mesh_find(again->meshes[0], FACET_CUSTOM, 0));
    assert_int_equal(test_finding(report, "LOSS-CUSTOM")->count, 1);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(report);
}

/* A face of 300 corners: its count needs two bytes. An empty scene is read again. */
TEST(large_faces_and_empty_scenes_are_written)
{
    static const uint32_t sizes[1] = {300};
    float positions[300 * 3] = {0};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, sizes);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 300, positions, NULL));
    facet_output *output = save_scene(scene, "ply", NULL);
    facet_scene *again = load_output(output, "a.ply", NULL);
    assert_int_equal(again->meshes[0]->corner_count, 300);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
    scene = test_scene();
    output = save_scene(scene, "ply", NULL);
    again = load_output(output, "a.ply", NULL);
    assert_int_equal(again->meshes[0]->streams[0].count, 0);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(write_refuses_inconsistent_documents)
{
    static const uint32_t offsets[2] = {0, 256};
    uint8_t values[256] = {0};
    facet_error error;
    facet_output *output = NULL;
    facet_ply_property p = {.name = "p", .is_list = true, .count_type = FACET_PLY_UINT8};
    facet_ply_element e = {.name = "e", .count = 1, .property_count = 1, .properties = &p};
    facet_ply ply = {.elements = &e, .element_count = 1};
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    p.data = values;
    p.offsets = offsets; /* a list with a one-byte count cannot hold 256 numbers */
    assert_int_equal(facet_ply_write(&ply, NULL, output, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "PLY-DOCUMENT");
    p.count_type = FACET_PLY_UINT16;
    TEST_OK(facet_ply_write(&ply, NULL, output, &error), &error);
    e.name = "two words";
    assert_int_equal(facet_ply_write(&ply, NULL, output, &error), FACET_ERROR_ARGUMENT);
    e.name = "e";
    p.data = NULL;
    assert_int_equal(facet_ply_write(&ply, NULL, output, &error), FACET_ERROR_ARGUMENT);
    facet_output_free(output);
    facet_scene *scene = test_scene();
    facet_ply *document = NULL;
    test_mesh(scene, 0, NULL);
    test_mesh(scene, 0, NULL);
    assert_int_equal(facet_ply_from_scene(scene, NULL, &document, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "PLY-NEEDS");
    facet_scene_free(scene);
}

/* -- The corpus --------------------------------------------------------- */

/* "element vertex 24", "element face 8" of each header. */
TEST(corpus_files_have_expected_counts)
{
    static const struct {
        const char *name;
        uint32_t vertices, faces;
    } files[] = {{"ply/Box_material_element.ply", 24, 8},
                 {"ply/cycloidal.ply", 21384, 43368},
                 {"ply/fuze.ply", 502, 1000},
                 {"ply/platonic_shelf_ascii.ply", 50, 50}, /* faces before vertices */
                 {"ply/platonic_shelf_big_endian.ply", 50, 50},
                 {"ply/positions-uchar-normals-char-objectid-short-indices-ushort.ply", 5, 2}};
    TEST_NEEDS_CORPUS();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_scene *scene = load_file(test_corpus(files[i].name), NULL);
        assert_int_equal(scene->mesh_count, 1);
        assert_int_equal(scene->meshes[0]->streams[0].count, files[i].vertices);
        assert_int_equal(scene->meshes[0]->face_count, files[i].faces);
        facet_scene_free(scene);
    }
}

/* -- Describe ----------------------------------------------------------- */

/* 0 1 3 2 is two triangles; after -1, 0 1 1 4 has no triangle of three vertices. */
TEST(strips_are_counted_as_they_are_read)
{
    static const char strips[] =
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n"
        "property float z\nelement tristrips 1\nproperty list int int vertex_indices\n"
        "end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n2 2 2\n9 0 1 3 2 -1 0 1 1 4\n";
    facet_error error;
    facet_description *description = NULL;
    TEST_OK(facet_describe(TEST_SOURCE((const uint8_t *)strips, sizeof strips - 1),
                           facet_format_named("ply"), NULL, &description, &error),
            &error);
    assert_int_equal(description->faces, 2);
    assert_int_equal(description->triangles, 2);
    facet_description_free(description);
}

TEST(describe_counts_elements_and_comments)
{
    facet_error error;
    facet_description *description = NULL;
    TEST_OK(facet_describe(TEST_SOURCE((const uint8_t *)small, sizeof small - 1),
                           facet_format_named("ply"), NULL, &description, &error),
            &error);
    assert_int_equal(description->vertices, 5);
    assert_int_equal(description->faces, 2);
    assert_int_equal(description->triangles, 3);
    assert_true(description->has_bounds && description->maximum[0] == 2);
    assert_string_equal(facet_tree_find(description->detail, "encoding")->string, "ascii");
    assert_string_equal(facet_tree_find(description->detail, "comments")->first->string,
                        " two words");
    facet_description_free(description);
}

/* -- Untrusted input ---------------------------------------------------- */

/* A text that needs every kind of allocation: face values, strips, edges, text. */
static const char rich[] =
    ASCII "comment TextureFile a.png\nelement vertex 4\n" XYZ "property list uchar int more\n"
          "property short quality\nelement face 2\nproperty list uchar int vertex_indices\n"
          "property list uchar float texcoord\nproperty int texnumber\nproperty uchar red\n"
          "property uchar green\nproperty uchar blue\nelement tristrips 1\n"
          "property list int int vertex_indices\nelement edge 1\nproperty int vertex1\n"
          "property int vertex2\nend_header\n"
          "0 0 0 0 1\n1 0 0 1 5 2\n1 1 0 0 3\n0 1 0 0 4\n"
          "3 0 1 2 6 0 0 1 0 1 1 0 255 0 0\n4 0 1 2 3 2 0 0 -1 1 2 3\n6 0 1 2 -1 3 0\n1 3\n";

static facet_status load_with(const facet_allocator *allocator, void *user)
{
    const facet_output *binary = user;
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_source source = {.data = facet_output_data(binary),
                           .size = (size_t)facet_output_size(binary),
                           .name = "a.ply"};
    facet_status status = facet_load(&source, NULL, NULL, &options, &scene, NULL);
    if (!status)
        status = facet_prepare(scene, facet_format_named("ply"), NULL, &options, NULL, NULL);
    if (!status)
        status = facet_output_open_memory(NULL, &output, NULL);
    if (!status)
        status = facet_save(scene, facet_format_named("ply"), &options, output, NULL);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

static void attempt(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_source source = {.data = data, .size = size, .name = "a.ply"};
    facet_scene *scene = NULL;
    facet_error error = {0};
    facet_status status =
        facet_load(&source, facet_format_named("ply"), NULL, NULL, &scene, &error);
    if (status == FACET_OK)
        TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    else
        assert_true(error.message[0] != '\0');
    facet_scene_free(scene);
    facet_report *report = new_report();
    TEST_OK(facet_ply_check(&source, NULL, report, &error), &error);
    facet_report_free(report);
}

TEST(any_byte_change_or_failed_allocation_is_safe)
{
    facet_ply *ply = read_document(rich, sizeof rich - 1, NULL);
    for (int encoding = 0; encoding <= FACET_PLY_ASCII; encoding++) {
        facet_output *output = write_document(ply, (facet_ply_encoding)encoding);
        test_every_allocation(load_with, output);
        test_every_mutation(facet_output_data(output), (size_t)facet_output_size(output), attempt,
                            NULL);
        facet_output_free(output);
    }
    facet_ply_free(ply);
}
