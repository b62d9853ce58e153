/* Smaller glTF: quantized values are equal within a step of the grid, compressed ones are exact,
 * and levels of detail are kept. */
#include "formats/gltf/format.h"
#include "support/gltf.h"
#include "support/mesh.h"
#include "support/models.h"

#include <math.h>

static const char *const files[] = {"gltf/AnimatedMorphCube.gltf",
                                    "gltf/BoxInterleaved.glb",
                                    "gltf/CesiumMan.glb",
                                    "gltf/Fox.glb",
                                    "gltf/cakeBirthday.glb",
                                    "gltf/robot.glb",
                                    "gltf/simple_skin.gltf",
                                    "obj/spot_control_mesh.obj",
                                    "obj/rabbit.obj"};

/* Write a file as GLB with these options, and read it back. */
static facet_scene *rewrite(const char *path, const facet_gltf_options *how, uint64_t *size)
{
    const facet_options options = {.gltf = how};
    facet_scene *scene = load_file(path, NULL);
    facet_output *output = save_scene(scene, "glb", &options);
    facet_scene_free(scene);
    *size = facet_output_size(output);
    scene = load_bytes(facet_output_data(output), (size_t)*size, "a.glb", NULL);
    facet_output_free(output);
    return scene;
}

static facet_mesh *flatten(facet_scene *scene)
{
    const facet_flatten_options together = {.merge = true};
    facet_error error;
    TEST_OK(facet_scene_flatten(scene, &together, NULL, &error), &error);
    assert_int_equal(scene->mesh_count, 1);
    return scene->meshes[0];
}

static const float *value_of(const facet_mesh *mesh, const facet_stream *stream, uint32_t corner)
{
    (void)mesh;
    return (const float *)stream->data + (size_t)stream->indices[corner] * stream->components;
}

static double distance(const float *a, const float *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += ((double)a[k] - (double)b[k]) * ((double)a[k] - (double)b[k]);
    return sqrt(sum);
}

static double diagonal_of(const facet_mesh *mesh)
{
    facet_bounds bounds;
    facet_error error;
    TEST_OK(facet_bounds_compute(mesh->streams[0].data, mesh->streams[0].count, 0, NULL, &bounds,
                                 &error),
            &error);
    return distance(bounds.minimum, bounds.maximum);
}

/* The codec of triangles keeps their order, but may begin a triangle at another corner. */
static uint32_t turn_of(const facet_mesh *a, const facet_mesh *b, uint32_t face)
{
    uint32_t best = 0;
    double least = INFINITY;
    for (uint32_t turn = 0; turn < 3; turn++) {
        double sum = 0;
        for (uint32_t c = 0; c < 3; c++)
            sum += distance(value_of(a, &a->streams[0], face * 3 + c),
                            value_of(b, &b->streams[0], face * 3 + (c + turn) % 3));
        best = sum < least ? turn : best;
        least = sum < least ? sum : least;
    }
    return best;
}

/* Every corner of `b` equals that of `a`, within the precision of 16 and 8 bits. */
static void expect_near(const facet_mesh *a, const facet_mesh *b, bool exact)
{
    const facet_stream *normals[2] = {facet_mesh_find(a, FACET_NORMAL, 0),
                                      facet_mesh_find(b, FACET_NORMAL, 0)};
    const facet_stream *texcoords[2] = {facet_mesh_find(a, FACET_TEXCOORD, 0),
                                        facet_mesh_find(b, FACET_TEXCOORD, 0)};
    /* Half a step of 32,767 along three axes is 2.7e-5 of the longest side. */
    double near = exact ? 0 : 4e-5 * diagonal_of(a);
    assert_int_equal(a->face_count, b->face_count);
    assert_int_equal(a->stream_count, b->stream_count);
    for (uint32_t face = 0; face < a->face_count; face++) {
        uint32_t turn = turn_of(a, b, face);
        for (uint32_t c = 0; c < 3; c++) {
            uint32_t i = face * 3 + c, j = face * 3 + (c + turn) % 3;
            double far = distance(value_of(a, &a->streams[0], i), value_of(b, &b->streams[0], j));
            if (far > near)
                fail_msg("corner %u is %g away, %g is allowed", (unsigned)i, far, near);
            /* An eighth of a bit less than 8 bits along three axes: 0.4 degrees. */
            if (normals[0])
                assert_true(distance(value_of(a, normals[0], i), value_of(b, normals[1], j)) <=
                            (exact ? 0 : 0.0105));
            for (int k = 0; k < 2 && texcoords[0]; k++)
                assert_true(fabs((double)value_of(a, texcoords[0], i)[k] -
                                 (double)value_of(b, texcoords[1], j)[k]) <=
                            (exact ? 0 : 0.51 / 32767));
        }
    }
}

static void expect_same_animations(const facet_scene *a, const facet_scene *b)
{
    assert_int_equal(a->animation_count, b->animation_count);
    for (uint32_t i = 0; i < a->animation_count; i++) {
        assert_int_equal(a->animations[i]->channel_count, b->animations[i]->channel_count);
        for (uint32_t c = 0; c < a->animations[i]->channel_count; c++) {
            const facet_channel *x = &a->animations[i]->channels[c];
            const facet_channel *y = &b->animations[i]->channels[c];
            size_t count = (size_t)x->key_count * x->width;
            assert_int_equal(x->key_count, y->key_count);
            assert_memory_equal(x->times, y->times, x->key_count * sizeof *x->times);
            assert_memory_equal(x->values, y->values, count * sizeof *x->values);
        }
    }
}

TEST(compressed_meshes_are_equal)
{
    TEST_NEEDS_CORPUS();
    const facet_gltf_options plain = {0}, compress = {.compress = true};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        uint64_t sizes[2];
        char path[4096];
        snprintf(path, sizeof path, "%s", test_corpus(files[i]));
        facet_scene *a = rewrite(path, &plain, &sizes[0]), *b = rewrite(path, &compress, &sizes[1]);
        expect_same_animations(a, b);
        expect_near(flatten(a), flatten(b), true);
        facet_scene_free(a);
        facet_scene_free(b);
    }
}

TEST(quantized_values_are_within_a_step)
{
    TEST_NEEDS_CORPUS();
    const facet_gltf_options plain = {0}, quantize = {.quantize = true},
                             both = {.quantize = true, .compress = true};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        uint64_t sizes[3];
        char path[4096];
        snprintf(path, sizeof path, "%s", test_corpus(files[i]));
        facet_scene *a = rewrite(path, &plain, &sizes[0]), *b = rewrite(path, &quantize, &sizes[1]),
                    *c = rewrite(path, &both, &sizes[2]);
        facet_mesh *one = flatten(a), *two = flatten(b);
        expect_near(one, two, false);
        expect_near(two, flatten(c), true);
        facet_scene_free(a);
        facet_scene_free(b);
        facet_scene_free(c);
    }
}

/* Texture coordinates stay floats if any is above 1, here only v of the last vertex. */
TEST(coordinates_beyond_the_texture_keep_their_values)
{
    static const float points[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, uv[6] = {0, 0, 1, 0, 0.5F, 3.25F};
    const facet_gltf_options how = {.quantize = true};
    const facet_options options = {.gltf = &how};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = test_mesh(scene, 1, NULL);
    assert_true(mesh && test_stream(scene, mesh, FACET_POSITION, 3, 3, points, NULL));
    assert_true(test_stream(scene, mesh, FACET_TEXCOORD, 2, 3, uv, NULL));
    facet_output *output = save_scene(scene, "glb", &options);
    facet_scene_free(scene);
    scene = load_bytes(facet_output_data(output), (size_t)facet_output_size(output), "a.glb", NULL);
    facet_output_free(output);
    const facet_stream *back = facet_mesh_find(scene->meshes[0], FACET_TEXCOORD, 0);
    bool found = false;
    for (uint32_t c = 0; c < 3; c++) { /* v is 1 - v in the file, and after reading */
        const float *at = value_of(scene->meshes[0], back, c);
        found |= at[0] == 0.5F && at[1] == 1 - 3.25F;
    }
    assert_true(found);
    facet_scene_free(scene);
}

/* 16 bytes per vertex instead of 32; compression removes what neighbors predict. */
TEST(quantizing_and_compressing_shrink_files)
{
    TEST_NEEDS_CORPUS();
    const facet_gltf_options plain = {0}, quantize = {.quantize = true},
                             both = {.quantize = true, .compress = true};
    uint64_t sizes[3];
    char path[4096];
    snprintf(path, sizeof path, "%s", test_corpus("obj/rabbit.obj"));
    facet_scene_free(rewrite(path, &plain, &sizes[0]));
    facet_scene_free(rewrite(path, &quantize, &sizes[1]));
    facet_scene_free(rewrite(path, &both, &sizes[2]));
    assert_true(sizes[1] < sizes[0] * 8 / 10 && sizes[2] < sizes[1] * 8 / 10);
}

/* Two halves of a grid, with one material each and a row of vertices in common. */
#define SIDE 100
static facet_scene *make_halves(void)
{
    static float positions[(SIDE + 1) * (SIDE + 1)][3];
    static uint32_t corners[SIDE * SIDE * 6], materials[SIDE * SIDE * 2];
    for (uint32_t i = 0; i < (SIDE + 1) * (SIDE + 1); i++) {
        positions[i][0] = (float)(i % (SIDE + 1));
        positions[i][1] = (float)(i / (SIDE + 1));
    }
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t at = i / SIDE * (SIDE + 1) + i % SIDE;
        const uint32_t of[6] = {at, at + 1, at + SIDE + 1, at + SIDE + 1, at + 1, at + SIDE + 2};
        memcpy(corners + (size_t)i * 6, of, sizeof of);
        materials[2 * i] = materials[2 * i + 1] = i >= SIDE * SIDE / 2;
    }
    facet_scene *scene = test_scene();
    facet_error error;
    facet_mesh *mesh = NULL;
    facet_material *material;
    TEST_OK(facet_scene_add_material(scene, "a", &material, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "b", &material, &error), &error);
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = SIDE * SIDE * 2;
    mesh->corner_count = SIDE * SIDE * 6;
    mesh->face_materials = facet_scene_allocate(scene, mesh->face_count, sizeof(uint32_t));
    assert_non_null(mesh->face_materials);
    memcpy(mesh->face_materials, materials, sizeof materials);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3,
                                       (SIDE + 1) * (SIDE + 1), positions, corners, NULL, &error),
            &error);
    return scene;
}

/* Sizes of the compressed triangles of two primitives. */
static void read_triangle_sizes(const facet_output *output, unsigned sizes[2])
{
    static const char name[] = "\"byteLength\":", mode[] = "\"TRIANGLES\"";
    const char *data = (const char *)facet_output_data(output);
    size_t count = 0, last = 0, end = (size_t)facet_output_size(output) - sizeof name;
    for (size_t at = 0; at < end; at++) {
        if (memcmp(data + at, name, sizeof name - 1) == 0)
            last = at + sizeof name - 1;
        if (memcmp(data + at, mode, sizeof mode - 1) != 0)
            continue;
        assert_true(last > 0 && count < 2);
        assert_int_equal(sscanf(data + last, "%u", &sizes[count++]), 1);
    }
    assert_int_equal(count, 2);
}

/* Both halves have the same triangles, so they take the same number of bytes, except for the row in
 * common. A use of its vertices can take 6 bytes more: one for the kind of the triangle, and up to
 * 5 for the index (EXT_meshopt_compression, mode 1). Each vertex has 3 uses in a half. */
TEST(every_primitive_begins_with_its_own_vertices)
{
    const facet_gltf_options plain = {0}, compress = {.compress = true};
    const facet_options options[2] = {{.gltf = &plain}, {.gltf = &compress}};
    facet_scene *scene = make_halves(), *read[2];
    unsigned sizes[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        facet_output *output = save_scene(scene, "glb", &options[i]);
        read[i] =
            load_bytes(facet_output_data(output), (size_t)facet_output_size(output), "a.glb", NULL);
        if (i == 1)
            read_triangle_sizes(output, sizes);
        facet_output_free(output);
    }
    assert_in_range(sizes[1], 1, sizes[0] + (SIDE + 1) * 3 * 6);
    expect_near(flatten(read[0]), flatten(read[1]), true);
    for (int i = 0; i < 2; i++)
        facet_scene_free(read[i]);
    facet_scene_free(scene);
}

/* The order in strips takes fewer bytes than the one for the GPU. */
TEST(triangles_in_strips_take_fewer_bytes)
{
    const facet_gltf_options compress = {.compress = true};
    const facet_options options = {.gltf = &compress};
    const facet_prepare_options prepare = {.extra = FACET_NEED_STRIPS};
    uint64_t sizes[2];
    for (int i = 0; i < 2; i++) {
        facet_scene *scene = make_halves();
        facet_error error;
        if (i == 0)
            TEST_OK(facet_mesh_optimize(scene->meshes[0], NULL, NULL, &error), &error);
        else
            TEST_OK(
                facet_prepare(scene, facet_format_named("glb"), &prepare, &options, NULL, &error),
                &error);
        assert_int_equal(scene->meshes[0]->face_count, SIDE * SIDE * 2);
        facet_output *output = save_scene(scene, "glb", &options);
        sizes[i] = facet_output_size(output);
        facet_output_free(output);
        facet_scene_free(scene);
    }
    assert_true(sizes[1] < sizes[0]);
}

/* Morph weights animate the node of the mesh, and differences are on the grid. */
TEST(quantized_morphs_keep_their_shape)
{
    TEST_NEEDS_CORPUS();
    const facet_gltf_options plain = {0}, quantize = {.quantize = true};
    uint64_t size;
    char path[4096];
    snprintf(path, sizeof path, "%s", test_corpus("gltf/AnimatedMorphCube.gltf"));
    facet_scene *scenes[2] = {rewrite(path, &plain, &size), rewrite(path, &quantize, &size)};
    facet_mesh *meshes[2];
    for (int i = 0; i < 2; i++) {
        for (uint32_t n = 0; n < scenes[i]->node_count; n++) {
            facet_node *node = scenes[i]->nodes[n];
            if (node->mesh == FACET_NONE)
                continue;
            assert_int_equal(scenes[i]->meshes[node->mesh]->morph_count, 2);
            node->weights = facet_scene_allocate(scenes[i], 2, sizeof(float));
            memcpy(node->weights, (float[2]){1, 0.5F}, 2 * sizeof(float));
        }
        meshes[i] = flatten(scenes[i]);
    }
    expect_near(meshes[0], meshes[1], false);
    for (int i = 0; i < 2; i++)
        facet_scene_free(scenes[i]);
}

TEST(levels_of_detail_survive_a_round_trip)
{
    TEST_NEEDS_CORPUS();
    static const char *const names[] = {"gltf/CesiumMan.glb", "gltf/Fox.glb", "obj/rabbit.obj"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s", test_corpus(names[i]));
        facet_scene *scene = load_file(path, NULL);
        facet_error error;
        TEST_OK(facet_prepare(scene, facet_format_named("glb"), NULL, NULL, NULL, &error), &error);
        uint32_t faces = scene->meshes[0]->face_count;
        facet_output *plain = save_scene(scene, "glb", NULL);
        facet_scene *written =
            load_bytes(facet_output_data(plain), (size_t)facet_output_size(plain), "a.glb", NULL);
        uint32_t meshes = written->mesh_count; /* parts are separate meshes in glTF */
        facet_scene_free(written);
        facet_output_free(plain);
        TEST_OK(facet_scene_make_lods(scene, 2, 0, NULL, &error), &error);
        TEST_WHOLE(scene);
        facet_output *output = save_scene(scene, "glb", NULL);
        facet_scene_free(scene);
        scene =
            load_bytes(facet_output_data(output), (size_t)facet_output_size(output), "a.glb", NULL);
        facet_output_free(output);
        assert_int_equal(scene->mesh_count, meshes * 3);
        uint32_t with_levels = 0;
        for (uint32_t n = 0; n < scene->node_count; n++) {
            const facet_node *node = scene->nodes[n];
            if (node->lod_count == 0)
                continue;
            with_levels++;
            assert_int_equal(node->lod_count, 2);
            for (uint32_t level = 0; level < 2; level++) {
                const facet_node *far = scene->nodes[node->lods[level]];
                assert_int_equal(far->skin, node->skin);
                assert_true((far->mesh == FACET_NONE) == (node->mesh == FACET_NONE));
                if (far->mesh == FACET_NONE) /* its parts are below it */
                    continue;
                assert_true(scene->meshes[far->mesh]->face_count <=
                            scene->meshes[node->mesh]->face_count >> (level + 1));
            }
        }
        assert_int_equal(with_levels, 1);
        /* Only the finest level is visible. */
        assert_int_equal(flatten(scene)->face_count, faces);
        facet_scene_free(scene);
    }
}

/* A new scene needs no list of roots: a level of detail is not a root. The level has two
 * faces, and the node that it replaces has one. */
TEST(levels_of_a_scene_without_roots_are_hidden)
{
    static const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 3};
    static uint32_t level = 1;
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    for (uint32_t i = 0; i < 2; i++) {
        facet_mesh *mesh = NULL;
        facet_node *node = NULL;
        TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
        mesh->face_count = i + 1;
        mesh->corner_count = 3 * (i + 1);
        TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 4,
                                           positions, corners, NULL, &error),
                &error);
        TEST_OK(facet_scene_add_node(scene, i == 0 ? "near" : "far", &node, &error), &error);
        node->mesh = i;
    }
    scene->nodes[0]->lods = &level;
    scene->nodes[0]->lod_count = 1;
    TEST_WHOLE(scene);
    facet_output *output = save_scene(scene, "glb", NULL);
    facet_scene *again =
        load_bytes(facet_output_data(output), (size_t)facet_output_size(output), "a.glb", NULL);
    assert_null(again->roots);
    assert_int_equal(again->nodes[0]->lod_count, 1);
    assert_int_equal(flatten(again)->face_count, 1);
    assert_int_equal(flatten(scene)->face_count, 1);
    facet_scene_free(again);
    facet_scene_free(scene);
    facet_output_free(output);
}

/* Tangents for a mesh with a normal map, and for no other mesh. */
TEST(only_normal_maps_add_tangents)
{
    static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static const float texcoords[6] = {0, 0, 1, 0, 0, 1};
    static const uint32_t corners[3] = {0, 1, 2};
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    for (uint32_t i = 0; i < 2; i++) {
        facet_mesh *mesh = NULL;
        facet_material *material = NULL;
        TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
        mesh->face_count = 1;
        mesh->corner_count = 3;
        TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3,
                                           positions, corners, NULL, &error),
                &error);
        TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, 3,
                                           texcoords, corners, NULL, &error),
                &error);
        TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
        if (i == 0)
            test_map(scene, material, FACET_MAP_NORMAL)->path = "n.png";
        mesh->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
        mesh->face_materials[0] = i;
    }
    const facet_prepare_options prepare = {.tangents = true};
    TEST_OK(facet_prepare(scene, facet_format_named("glb"), &prepare, NULL, NULL, &error), &error);
    assert_non_null(facet_mesh_find(scene->meshes[0], FACET_TANGENT, 0));
    assert_null(facet_mesh_find(scene->meshes[1], FACET_TANGENT, 0));
    assert_null(facet_mesh_find(scene->meshes[1], FACET_NORMAL, 0));
    facet_scene_free(scene);
}

/* -- Failed allocations --------------------------------------------------- */

static facet_status write_with(const facet_allocator *allocator, void *user)
{
    (void)user;
    const facet_gltf_options both = {.quantize = true, .compress = true};
    facet_options options = {.allocator = allocator, .gltf = &both};
    facet_scene *scene = load_file(test_corpus("gltf/AnimatedMorphCube.gltf"), NULL);
    facet_output *output = NULL;
    facet_error error;
    facet_status status = facet_output_open_memory(allocator, &output, &error);
    if (!status)
        status = facet_gltf_write_binary(scene, &options, output, &error);
    if (!status)
        status = facet_output_commit(output, &error);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

TEST(write_reports_failed_allocations)
{
    TEST_NEEDS_CORPUS();
    test_every_allocation(write_with, NULL);
}
