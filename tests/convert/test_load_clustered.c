/* facet_load_options.max_clusters: OBJ, PLY and STL that are larger than memory. */
#include "support/mesh.h"
#include "support/support.h"

#include <facet/convert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* -- Files -------------------------------------------------------------- */

typedef struct text {
    char *bytes;
    size_t size, space;
} text;

static void put(text *t, const void *bytes, size_t size)
{
    if (t->size + size > t->space) {
        t->space = (t->size + size) * 2;
        t->bytes = realloc(t->bytes, t->space);
        assert_non_null(t->bytes);
    }
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

#define PUT(t, ...)                                                     \
    do {                                                                \
        char line[128];                                                 \
        put(t, line, (size_t)snprintf(line, sizeof line, __VA_ARGS__)); \
    } while (0)

/* A square of n x n fields in the plane z = 0, whose right half is higher: z = 1. */
static float height(uint32_t i, uint32_t n)
{
    return i > n / 2 ? 1 : 0;
}

static void fields(uint32_t n, uint32_t index, uint32_t corners[4])
{
    uint32_t a = index / n * (n + 1) + index % n;
    const uint32_t square[4] = {a, a + 1, a + n + 2, a + n + 1};
    memcpy(corners, square, sizeof square);
}

/* The square as an OBJ of quads; with negative indices if `negative`. */
static text make_obj(uint32_t n, bool negative)
{
    text t = {0};
    const uint32_t total = (n + 1) * (n + 1);
    PUT(&t, "mtllib none.mtl\no sheet\nvt 0 0\nvn 0 0 1\n");
    for (uint32_t i = 0; i < total; i++)
        PUT(&t, "v %u %u %g\n", i % (n + 1), i / (n + 1), (double)height(i % (n + 1), n));
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t c[4];
        fields(n, i, c);
        if (i == n * n / 2)
            PUT(&t, "usemtl upper\n");
        if (negative)
            PUT(&t, "f -%u -%u -%u -%u\n", total - c[0], total - c[1], total - c[2], total - c[3]);
        else
            PUT(&t, "f %u/1/1 %u/1/1 %u/1/1 %u/1/1\n", c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1);
    }
    return t;
}

static text make_ply(uint32_t n, bool is_text)
{
    text t = {0};
    PUT(&t, "ply\nformat %s 1.0\nelement vertex %u\n", is_text ? "ascii" : "binary_little_endian",
        (n + 1) * (n + 1));
    PUT(&t, "property float x\nproperty float y\nproperty float z\nproperty uchar red\n");
    PUT(&t, "property uchar green\nproperty uchar blue\nproperty float quality\n");
    PUT(&t, "element face %u\nproperty list uchar int vertex_indices\nend_header\n", n * n);
    for (uint32_t i = 0; i < (n + 1) * (n + 1); i++) {
        const float p[3] = {(float)(i % (n + 1)), (float)(i / (n + 1)), height(i % (n + 1), n)};
        const uint8_t color[3] = {255, 0, 0};
        const float quality = 2;
        if (is_text) {
            PUT(&t, "%g %g %g 255 0 0 2\n", (double)p[0], (double)p[1], (double)p[2]);
            continue;
        }
        put(&t, p, sizeof p);
        put(&t, color, sizeof color);
        put(&t, &quality, sizeof quality);
    }
    for (uint32_t i = 0; i < n * n; i++) {
        uint32_t c[4];
        const uint8_t count = 4;
        fields(n, i, c);
        if (is_text) {
            PUT(&t, "4 %u %u %u %u\n", c[0], c[1], c[2], c[3]);
            continue;
        }
        put(&t, &count, 1);
        put(&t, c, sizeof c);
    }
    return t;
}

static text make_stl(uint32_t n)
{
    text t = {0};
    const uint32_t count = n * n * 2;
    put(&t, (char[80]){"made by a test"}, 80);
    put(&t, &count, 4);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c[4];
        float record[12] = {0};
        fields(n, i / 2, c);
        const uint32_t corners[3] = {c[0], c[1 + i % 2], c[2 + i % 2]};
        for (uint32_t k = 0; k < 3; k++) {
            record[3 + k * 3] = (float)(corners[k] % (n + 1));
            record[4 + k * 3] = (float)(corners[k] / (n + 1));
            record[5 + k * 3] = height(corners[k] % (n + 1), n);
        }
        put(&t, record, sizeof record);
        put(&t, (char[2]){0}, 2);
    }
    return t;
}

/* -- Loading ------------------------------------------------------------ */

typedef struct loaded {
    facet_scene *scene;
    facet_report *report;
    facet_error error;
    facet_status status;
} loaded;

static loaded load(const void *bytes, size_t size, const char *name, uint32_t limit,
                   uint64_t memory_limit)
{
    loaded l = {0};
    facet_source source = facet_source_from_memory(bytes, size, name);
    facet_load_options how = {.max_clusters = limit};
    facet_options options = {.memory_limit = memory_limit};
    TEST_OK(facet_report_create(NULL, &l.report, &l.error), &l.error);
    options.report = l.report;
    l.status = facet_load(&source, NULL, &how, &options, &l.scene, &l.error);
    return l;
}

static void done(loaded *l)
{
    facet_scene_free(l->scene);
    facet_report_free(l->report);
}

static uint32_t count_of(const loaded *l, const char *rule)
{
    uint32_t count = 0;
    for (size_t i = 0; i < facet_report_count(l->report); i++)
        count += strcmp(facet_report_get(l->report, i)->rule, rule) == 0;
    return count;
}

/* The mesh of a file with 90,000 quads in at most 2,000 clusters: vertices are in one of two
 * planes, or in the step between them. */
static const facet_mesh *check_sheet(const loaded *l)
{
    facet_error error;
    assert_int_equal(l->status, FACET_OK);
    TEST_OK(facet_scene_check(l->scene, NULL, &error), &error);
    assert_int_equal(l->scene->mesh_count, 1);
    const facet_mesh *mesh = l->scene->meshes[0];
    const float *points = mesh->streams[0].data;
    assert_true(mesh->streams[0].count <= 2000 && mesh->streams[0].count > 200);
    assert_true(mesh->face_count > mesh->streams[0].count);
    for (uint32_t i = 0; i < mesh->streams[0].count; i++) {
        const float *p = points + (size_t)i * 3;
        if (p[0] < 130)
            assert_float_equal(p[2], 0, 1e-3);
        else if (p[0] > 170)
            assert_float_equal(p[2], 1, 1e-3);
    }
    assert_int_equal(count_of(l, "CLUSTER-READ"), 1);
    return mesh;
}

TEST(obj_is_clustered_in_stretches)
{
    /* Text of more than one stretch of 4 MiB, so that indices refer to dropped elements. */
    text t = make_obj(300, false), u = make_obj(300, true);
    assert_true(t.size > (size_t)4 << 20);
    loaded l = load(t.bytes, t.size, "a.obj", 2000, 0), m = load(u.bytes, u.size, "a.obj", 2000, 0);
    const facet_mesh *mesh = check_sheet(&l), *other = check_sheet(&m);
    assert_int_equal(mesh->face_count, other->face_count);
    assert_memory_equal(mesh->streams[0].data, other->streams[0].data,
                        mesh->streams[0].count * 3 * sizeof(float));
    /* The second half of the faces has the material, so those above y = 150. */
    assert_int_equal(l.scene->material_count, 1);
    for (uint32_t i = 0; i < mesh->face_count; i++) {
        const float at = test_element(&mesh->streams[0], i * 3)[1];
        if (at < 130 || at > 170)
            assert_int_equal(mesh->face_materials[i], at > 150 ? 0 : FACET_NONE);
    }
    /* Texture coordinates, normals and the name of the object. */
    assert_int_equal(count_of(&l, "LOSS-CLUSTERED"), 3);
    assert_int_equal(count_of(&l, "OBJ-MTL-MISSING"), 1);
    done(&l);
    done(&m);
    free(t.bytes);
    free(u.bytes);
}

TEST(ply_is_clustered_in_slices)
{
    text t = make_ply(300, false), u = make_ply(300, true);
    loaded l = load(t.bytes, t.size, "a.ply", 2000, 0), m = load(u.bytes, u.size, "a.ply", 2000, 0);
    const facet_mesh *mesh = check_sheet(&l), *other = check_sheet(&m);
    assert_memory_equal(mesh->streams[0].data, other->streams[0].data,
                        mesh->streams[0].count * 3 * sizeof(float));
    const facet_stream *colors = facet_mesh_find(mesh, FACET_COLOR, 0);
    assert_non_null(colors);
    for (uint32_t i = 0; i < mesh->corner_count; i++) {
        assert_float_equal(test_element(colors, i)[0], 1, 1e-6);
        assert_float_equal(test_element(colors, i)[1], 0, 0);
    }
    assert_int_equal(count_of(&l, "LOSS-CLUSTERED"), 1); /* quality */
    done(&l);
    done(&m);
    free(t.bytes);
    free(u.bytes);
}

TEST(stl_is_clustered_in_blocks)
{
    text t = make_stl(300);
    loaded l = load(t.bytes, t.size, "a.stl", 2000, 0);
    check_sheet(&l);
    assert_int_equal(count_of(&l, "LOSS-CLUSTERED"), 0);
    done(&l);
    free(t.bytes);
}

/* 360,000 quads as a PLY have 12.5 MB. As a scene they need more than 17 MB: 361,201 positions and
 * colors of 12 bytes, and 1,440,000 indices of 4 bytes. Clustered, 16 bytes per vertex are 5.8 MB.
 */
TEST(clustering_needs_less_memory_than_the_file)
{
    text t = make_ply(600, false);
    loaded whole = load(t.bytes, t.size, "a.ply", 0, 12 << 20);
    assert_int_equal(whole.status, FACET_ERROR_MEMORY_LIMIT);
    loaded l = load(t.bytes, t.size, "a.ply", 2000, 12 << 20);
    assert_int_equal(l.status, FACET_OK);
    done(&whole);
    done(&l);
    free(t.bytes);
}

/* -- Errors ------------------------------------------------------------- */

static void expect(const char *bytes, const char *name, uint32_t limit, facet_status status,
                   const char *rule, const char *words)
{
    loaded l = load(bytes, strlen(bytes), name, limit, 0);
    assert_int_equal(l.status, status);
    assert_string_equal(l.error.rule, rule);
    if (!strstr(l.error.message, words))
        fail_msg("'%s' is not in '%s'", words, l.error.message);
    done(&l);
}

static const char triangle[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

TEST(clustering_refuses_what_it_cannot_read)
{
    expect(triangle, "a.obj", 63, FACET_ERROR_ARGUMENT, "CLUSTER-LIMIT", "63 clusters");
    expect("{\"asset\":{\"version\":\"2.0\"}}", "a.gltf", 64, FACET_ERROR_UNSUPPORTED,
           "CLUSTER-FORMAT", "gltf cannot be clustered");
    expect("ply\nformat ascii 1.0\nelement face 0\nproperty list uchar int vertex_indices\n"
           "element vertex 0\nproperty float x\nproperty float y\nproperty float z\nend_header\n",
           "a.ply", 64, FACET_ERROR_UNSUPPORTED, "CLUSTER-FORMAT", "faces before their vertices");
    expect("ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\n"
           "property float z\nelement tristrips 0\nproperty list int int vertex_indices\n"
           "end_header\n",
           "a.ply", 64, FACET_ERROR_UNSUPPORTED, "CLUSTER-FORMAT", "triangle strips");
    expect("ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n", "a.ply", 64,
           FACET_ERROR_UNSUPPORTED, "PLY-VERTEX-MISSING", "x, y and z");
}

TEST(clustering_checks_indices)
{
    expect("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 4\n", "a.obj", 64, FACET_ERROR_UNSUPPORTED,
           "CLUSTER-FORMAT", "vertex 4, but only 3 come before it");
    expect("v 0 0 0\nv 1 0 0\nf 1 2 0\n", "a.obj", 64, FACET_ERROR_MALFORMED, "OBJ-INDEX",
           "vertex 0");
    expect("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
           "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
           "0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
           "a.ply", 64, FACET_ERROR_MALFORMED, "PLY-INDEX",
           "record 0 of element 'face' names vertex 3, but the file has 3");
    expect("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
           "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
           "0 0 0\n1 0 0\n",
           "a.ply", 64, FACET_ERROR_MALFORMED, "PLY-SIZE", "3 records of element 'vertex'");
}

TEST(clustering_says_that_nothing_is_left)
{
    loaded l = load("v 0 0 0\np 1\n", 12, "a.obj", 64, 0);
    assert_int_equal(l.status, FACET_OK);
    assert_int_equal(l.scene->mesh_count, 0);
    assert_int_equal(count_of(&l, "CLUSTER-EMPTY"), 1);
    assert_int_equal(count_of(&l, "LOSS-CLUSTERED"), 1);
    done(&l);
}
