/* Every mode of glTF's primitives with few vertices, with and without indices, through every writer
 * and back. The table of glTF 2.0, 3.7.2.1 gives the numbers of points, lines and triangles. */
#include "support/support.h"

#include <facet/convert.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_VERTICES 5

/* Expected content of a primitive of `mode` with `n` vertices. */
typedef struct content {
    uint32_t points, lines, triangles;
} content;

static content content_of(unsigned mode, uint32_t n)
{
    switch (mode) {
    case 0:
        return (content){n, 0, 0};
    case 1:
        return (content){0, n / 2, 0};
    case 2:
        return (content){0, n < 2 ? 0 : n, 0};
    case 3:
        return (content){0, n < 2 ? 0 : n - 1, 0};
    case 4:
        return (content){0, 0, n / 3};
    default:
        return (content){0, 0, n < 3 ? 0 : n - 2};
    }
}

/* No three of these points are collinear, so no triangle is dropped as degenerate. */
static const float points[MAX_VERTICES][3] = {
    {0, 0, 0}, {4, 0, 1}, {1, 3, 0}, {5, 4, 2}, {2, 8, 5}};
static const uint32_t numbers[MAX_VERTICES] = {0, 1, 2, 3, 4};

static void put(uint8_t *file, size_t *used, const void *data, size_t size)
{
    memcpy(file + *used, data, size);
    *used += size;
}

static void put_number(uint8_t *file, size_t *used, uint32_t number)
{
    const uint8_t bytes[4] = {(uint8_t)number, (uint8_t)(number >> 8), (uint8_t)(number >> 16),
                              (uint8_t)(number >> 24)};
    put(file, used, bytes, sizeof bytes);
}

/* Write a GLB with the primitive and a triangle, so that there is a mesh. */
static size_t make_file(uint8_t *file, unsigned mode, uint32_t n, bool indexed)
{
    char text[1200];
    int length = snprintf(
        text, sizeof text,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}},"
        "{%s\"mode\":%u,\"attributes\":{\"POSITION\":1}}]}],\"accessors\":["
        "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
        "\"max\":[4,3,1]},{\"bufferView\":0,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"},"
        "{\"bufferView\":0,\"byteOffset\":60,\"componentType\":5125,\"count\":%u,"
        "\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":80}],"
        "\"buffers\":[{\"byteLength\":80}]}",
        indexed ? "\"indices\":2," : "", mode, (unsigned)n, (unsigned)n);
    size_t used = 0, padding = (4 - (size_t)length % 4) % 4;
    put(file, &used, "glTF", 4);
    put_number(file, &used, 2);
    put_number(file, &used, (uint32_t)(12 + 8 + (size_t)length + padding + 8 + 80));
    put_number(file, &used, (uint32_t)((size_t)length + padding));
    put(file, &used, "JSON", 4);
    put(file, &used, text, (size_t)length);
    put(file, &used, "   ", padding);
    put_number(file, &used, 80);
    put(file, &used, "BIN\0", 4);
    put(file, &used, points, sizeof points);
    put(file, &used, numbers, sizeof numbers);
    return used;
}

static content count(const facet_scene *scene)
{
    content all = {0, 0, 0};
    facet_error error;
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        all.points += scene->meshes[i]->point_count;
        all.lines += scene->meshes[i]->line_count;
        all.triangles += scene->meshes[i]->face_count;
    }
    return all;
}

/* Check that a format drops only kinds that it cannot store, and keeps the counts of all others. */
static void assert_kept(const char *to, unsigned mode, uint32_t n, content from, content back)
{
    bool right = back.triangles == from.triangles &&
                 (back.lines == from.lines || back.lines == 0) &&
                 (back.points == from.points || back.points == 0);
    if (!right)
        fail_msg("mode %u, %u vertices to %s: %u points, %u lines, %u triangles, not %u, %u, %u",
                 mode, (unsigned)n, to, back.points, back.lines, back.triangles, from.points,
                 from.lines, from.triangles);
}

static void write_and_read(const facet_source *file, const facet_format *to, unsigned mode,
                           uint32_t n)
{
    facet_scene *scene = NULL, *back = NULL;
    facet_output *output = NULL;
    facet_error error;
    content expected = content_of(mode, n);
    expected.triangles++;
    TEST_OK(facet_load(file, NULL, NULL, NULL, &scene, &error), &error);
    assert_kept("a scene", mode, n, expected, count(scene));
    facet_status status = facet_prepare(scene, to, NULL, NULL, NULL, &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    if (!status)
        status = facet_save(scene, to, NULL, output, &error);
    if (!status)
        status = facet_output_commit(output, &error);
    if (status && status != FACET_ERROR_UNSUPPORTED)
        fail_msg("mode %u, %u vertices to %s: %s", mode, (unsigned)n, facet_format_name(to),
                 error.message);
    if (!status && facet_format_can_read(to)) {
        facet_source made = facet_source_from_memory(facet_output_data(output),
                                                     (size_t)facet_output_size(output), NULL);
        if (facet_load(&made, to, NULL, NULL, &back, &error))
            fail_msg("mode %u, %u vertices as %s cannot be read: %s", mode, (unsigned)n,
                     facet_format_name(to), error.message);
        assert_kept(facet_format_name(to), mode, n, expected, count(back));
    }
    facet_scene_free(back);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* Also 0 vertices, which no accessor may have (glTF 2.0, 5.1.3): nothing is drawn. */
static void through_every_writer(unsigned mode)
{
    static uint8_t file[2048];
    for (uint32_t n = 0; n <= MAX_VERTICES; n++) {
        for (int indexed = 0; indexed < 2; indexed++) {
            size_t size = make_file(file, mode, n, indexed);
            facet_source source = facet_source_from_memory(file, size, "a.glb");
            for (size_t i = 0; i < facet_format_count(); i++) {
                if (facet_format_can_write(facet_format_get(i)))
                    write_and_read(&source, facet_format_get(i), mode, n);
            }
        }
    }
}

TEST(points_of_few_vertices_are_kept)
{
    through_every_writer(0);
}

TEST(lines_of_few_vertices_are_kept)
{
    through_every_writer(1);
}

TEST(line_loops_of_few_vertices_are_kept)
{
    through_every_writer(2);
}

TEST(line_strips_of_few_vertices_are_kept)
{
    through_every_writer(3);
}

TEST(triangles_of_few_vertices_are_kept)
{
    through_every_writer(4);
}

TEST(triangle_strips_of_few_vertices_are_kept)
{
    through_every_writer(5);
}

TEST(triangle_fans_of_few_vertices_are_kept)
{
    through_every_writer(6);
}
