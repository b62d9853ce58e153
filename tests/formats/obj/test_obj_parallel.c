/* A large OBJ is the same scene with any number of threads, mapped or in memory.
 *
 * The texts have plain lines, groups, materials, comments, indices that count back, polygons,
 * continued lines, and errors. */
#include "formats/obj/obj.h"
#include "support/support.h"
#include "support/text.h"

#include <facet/convert.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Text --------------------------------------------------------------- */

enum { SIDE = 300, PLAIN = 0, MIXED = 1, BACK = 2, COLORED = 3, REMARKED = 4 };
/* Triangles without texture coordinates and normals, except one face near the beginning. Later
 * chunks lack what this face has. */
enum { BARE_TEXCOORD = 5, BARE_NORMAL = 6, BARE_POLYGON = 7, KINDS = 8 };

static void put_vertices(text *t, uint32_t from, uint32_t to, int kind)
{
    for (uint32_t i = from; i < to; i++) {
        put(t, "v %u.%04u %u.5 -0.%03u%s\n", i % SIDE, i % 9973, i / SIDE, i % 997,
            kind == COLORED && i == 70000 ? " 1 0.5 0" : "");
        put(t, "vt 0.%05u 0.%u\n", i % 99991, i % 7);
        put(t, "vn 0 0.%u 1\n", i % 10);
        if (kind == REMARKED && i % 50 == 0)
            put(t, "# one of a hundred and fifty lines\n");
        if (kind == MIXED && i % 10007 == 0)
            put(t, "# a comment of row %u\n\nv 1 2 \\\n 3\n", i);
    }
}

static void put_faces(text *t, uint32_t vertices, int kind)
{
    for (uint32_t i = 0; i + SIDE + 1 < vertices; i++) {
        uint32_t a = i + 1, b = i + 2, c = i + SIDE + 2;
        if (kind >= BARE_TEXCOORD) {
            if (i == 5000)
                put(t, "%s",
                    kind == BARE_TEXCOORD ? "f 1/1 2/2 3/3\n"
                    : kind == BARE_NORMAL ? "f 1//1 2//2 3//3\n"
                                          : "f 1 2 4 3\n");
            put(t, "f %u %u %u %s\n", a, b, c, i % 2 ? "# long enough to be cut" : "");
            continue;
        }
        if (kind == MIXED && i % 5003 == 0)
            put(t, "g part %u\nusemtl m%u\ns %u\n", i / 5003, i / 5003 % 5, i % 3);
        if (kind == MIXED && i % 7919 == 0)
            put(t, "f %u %u %u\n", a, b, c);
        if (kind == BACK && i % 30011 == 0)
            put(t, "f -3/-3/-3 -2/-2/-2 -1/-1/-1\n");
        if (kind == MIXED && i % 11 == 0)
            put(t, "f %u/%u/%u %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a, b, b, b, c, c, c, c - 1,
                c - 1, c - 1);
        else
            put(t, "f %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, b, b, b, b, c, c, a);
    }
}

/* Vertices in two runs, so that a chunk has some of each. */
static text make_text(int kind)
{
    text t = {0};
    uint32_t half = SIDE * SIDE, all = half * 3 / 2;
    put(&t, kind == BACK ? "\r\no whole\n" : "o whole\n");
    put_vertices(&t, 0, half, kind);
    put_faces(&t, half, kind);
    put_vertices(&t, half, all, kind);
    put_faces(&t, all, kind);
    assert_true(t.size > (size_t)10 << 20); /* smaller texts are not divided */
    return t;
}

/* -- Comparing ---------------------------------------------------------- */

/* `path`: a file with the same text, to be mapped; NULL: read from memory. */
static facet_status load(const text *t, const char *path, unsigned threads, facet_scene **scene,
                         facet_error *error)
{
    facet_file *file = NULL;
    facet_source source = facet_source_from_memory(t->at, t->size, "a.obj");
    facet_options options = {0};
    if (path) {
        TEST_OK(facet_file_open(path, NULL, &file, error), error);
        source = facet_file_source(file);
    }
    if (threads > 1)
        TEST_OK(facet_threads_create(threads, &options.threads, error), error);
    facet_status status = facet_obj_read(&source, NULL, &options, scene, error);
    facet_threads_free(options.threads);
    facet_file_close(file);
    return status;
}

static const char *write_file(const text *t)
{
    const char *path = test_temporary("a.obj");
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(t->at, 1, t->size, file), t->size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void expect_same_numbers(const uint32_t *a, const uint32_t *b, size_t count)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a && count > 0)
        assert_memory_equal(a, b, count * sizeof *a);
}

static void expect_same_mesh(const facet_mesh *a, const facet_mesh *b)
{
    assert_int_equal(a->face_count, b->face_count);
    assert_int_equal(a->corner_count, b->corner_count);
    assert_int_equal(a->stream_count, b->stream_count);
    assert_int_equal(a->part_count, b->part_count);
    expect_same_numbers(a->face_offsets, b->face_offsets, (size_t)a->face_count + 1);
    expect_same_numbers(a->face_materials, b->face_materials, a->face_count);
    expect_same_numbers(a->face_smoothing, b->face_smoothing, a->face_count);
    for (uint32_t i = 0; i < a->stream_count; i++) {
        const facet_stream *x = &a->streams[i], *y = &b->streams[i];
        assert_int_equal(x->semantic, y->semantic);
        assert_int_equal(x->count, y->count);
        assert_memory_equal(x->data, y->data, (size_t)x->count * x->components * sizeof(float));
        expect_same_numbers(x->indices, y->indices, a->corner_count);
        for (uint32_t k = 0; k < i; k++)
            assert_int_equal(x->indices == a->streams[k].indices,
                             y->indices == b->streams[k].indices);
    }
    for (uint32_t i = 0; i < a->part_count; i++) {
        assert_string_equal(a->parts[i].name, b->parts[i].name);
        assert_string_equal(a->parts[i].group, b->parts[i].group);
        assert_int_equal(a->parts[i].first_face, b->parts[i].first_face);
        assert_int_equal(a->parts[i].face_count, b->parts[i].face_count);
    }
}

TEST(scene_is_equal_for_all_threads)
{
    for (int kind = 0; kind < KINDS; kind++) {
        text t = make_text(kind);
        facet_scene *one = NULL, *other = NULL;
        facet_error error;
        const char *path = write_file(&t);
        const struct {
            const char *path;
            unsigned threads;
        } ways[] = {{NULL, 2}, {NULL, 7}, {path, 1}, {path, 2}, {path, 7}};
        TEST_OK(load(&t, NULL, 1, &one, &error), &error);
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            TEST_OK(load(&t, ways[way].path, ways[way].threads, &other, &error), &error);
            assert_int_equal(one->mesh_count, other->mesh_count);
            assert_int_equal(one->material_count, other->material_count);
            for (uint32_t i = 0; i < one->material_count; i++)
                assert_string_equal(one->materials[i]->name, other->materials[i]->name);
            for (uint32_t i = 0; i < one->mesh_count; i++)
                expect_same_mesh(one->meshes[i], other->meshes[i]);
            facet_scene_free(other);
        }
        facet_scene_free(one);
        free(t.at);
    }
}

/* An error is reported at the same line for any number of threads. */
TEST(errors_have_equal_lines_for_all_threads)
{
    static const char *const bad[] = {"f 1/x 2 3\n", "v 1 2 nan\n", "f 1 2 900000000\n",
                                      "f 1 0 2\n"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        text t = make_text(PLAIN);
        char *middle = t.at + t.size / 5 * (2 + i % 3);
        middle = strchr(middle, '\n') + 1;
        memcpy(middle, bad[i], strlen(bad[i]));
        char *rest = middle + strlen(bad[i]);
        memset(rest, ' ', (size_t)(strchr(rest, '\n') - rest));
        facet_scene *scene = NULL;
        facet_error one, other;
        const char *path = write_file(&t);
        facet_status status = load(&t, NULL, 1, &scene, &one);
        assert_int_equal(status, FACET_ERROR_MALFORMED);
        for (unsigned way = 0; way < 3; way++) {
            assert_int_equal(load(&t, way ? path : NULL, way == 1 ? 1 : 3, &scene, &other), status);
            assert_int_equal(one.line, other.line);
            assert_string_equal(one.rule, other.rule);
            assert_string_equal(one.message, other.message);
        }
        free(t.at);
    }
}
