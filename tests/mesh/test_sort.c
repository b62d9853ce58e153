/* The sort pass: faces in runs of one material. */
#include "mesh/passes.h"
#include "support/mesh.h"

#include <facet/mesh.h>
#include <stdio.h>
#include <stdlib.h>

static const float no_positions[3] = {0};

/* A mesh whose corners have their own number as index, so that a test can see how they moved. */
static facet_mesh *make_mesh(facet_scene *scene, uint32_t face_count, const uint32_t *sizes,
                             const uint32_t *materials)
{
    facet_mesh *mesh = test_mesh(scene, face_count, sizes);
    if (!mesh || !(mesh->face_materials = test_copy(scene, materials, face_count)))
        return NULL;
    float *positions = facet_scene_allocate(scene, mesh->corner_count, 3 * sizeof(float));
    if (!positions)
        return NULL;
    memset(positions, 0, mesh->corner_count * 3 * sizeof(float));
    for (int stream = 0; stream < 2; stream++) {
        if (!test_stream(scene, mesh, stream == 0 ? FACET_POSITION : FACET_NORMAL, 3,
                         mesh->corner_count, positions, NULL))
            return NULL;
    }
    for (uint32_t i = 0; i < mesh->corner_count; i++)
        mesh->streams[1].indices[i] = mesh->corner_count - 1 - i;
    return mesh;
}

TEST(faces_are_sorted_by_first_use_of_materials)
{
    static const uint32_t sizes[5] = {3, 4, 5, 3, 4};
    static const uint32_t materials[5] = {9, FACET_NONE, 2, 9, FACET_NONE};
    static const uint32_t smoothing[5] = {1, 2, 3, 4, 5};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_mesh(scene, 5, sizes, materials);
    mesh->face_smoothing = test_copy(scene, smoothing, 5);
    facet_error error;
    TEST_OK(facet_mesh_sort(mesh, NULL, NULL, &error), &error);
    static const uint32_t new_materials[5] = {9, 9, FACET_NONE, FACET_NONE, 2};
    static const uint32_t new_smoothing[5] = {1, 4, 2, 5, 3}, offsets[6] = {0, 3, 6, 10, 14, 19};
    static const uint32_t corners[19] = {0,  1,  2,  12, 13, 14, 3, 4,  5, 6,
                                         15, 16, 17, 18, 7,  8,  9, 10, 11};
    assert_memory_equal(mesh->face_materials, new_materials, sizeof new_materials);
    assert_memory_equal(mesh->face_smoothing, new_smoothing, sizeof new_smoothing);
    assert_memory_equal(mesh->face_offsets, offsets, sizeof offsets);
    assert_memory_equal(mesh->streams[0].indices, corners, sizeof corners);
    for (uint32_t i = 0; i < 19; i++)
        assert_int_equal(mesh->streams[1].indices[i], 18 - corners[i]);
    facet_scene_free(scene);
}

TEST(sorted_mesh_is_left_alone)
{
    static const uint32_t materials[4] = {5, 5, FACET_NONE, 1};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_mesh(scene, 4, NULL, materials);
    const uint32_t *indices = mesh->streams[0].indices;
    facet_error error;
    TEST_OK(facet_mesh_sort(mesh, NULL, NULL, &error), &error);
    assert_ptr_equal(mesh->streams[0].indices, indices);
    assert_memory_equal(mesh->face_materials, materials, sizeof materials);
    mesh->face_materials = NULL;
    TEST_OK(facet_mesh_sort(mesh, NULL, NULL, &error), &error);
    mesh = test_mesh(scene, 0, NULL);
    assert_true(test_stream(scene, mesh, FACET_POSITION, 3, 1, no_positions, NULL));
    TEST_OK(facet_mesh_sort(mesh, NULL, NULL, &error), &error);
    facet_scene_free(scene);
}

TEST(parts_follow_their_faces)
{
    /* The new order is 0 3 4 | 1 2 6 | 5. Part c covers materials 0 and 1, whose faces are no
     * longer adjacent; b has one material; e is empty. The faces of d change their order but stay
     * together. */
    static const uint32_t materials[7] = {0, 1, 1, 0, 0, 2, 1};
    facet_part parts[5] = {
        {"a", "", 0, 1}, {"b", "", 1, 2}, {"e", "", 3, 0}, {"c", "", 3, 2}, {"d", "", 5, 2}};
    facet_scene *scene = test_scene();
    facet_mesh *mesh = make_mesh(scene, 7, NULL, materials);
    mesh->parts = parts;
    mesh->part_count = 5;
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    facet_options options = {.report = report};
    facet_error error;
    TEST_OK(facet_mesh_sort(mesh, &options, NULL, &error), &error);
    static const facet_part expected[5] = {
        {"a", "", 0, 1}, {"c", "", 1, 2}, {"b", "", 3, 2}, {"d", "", 5, 2}, {"e", "", 7, 0}};
    assert_int_equal(mesh->part_count, 5);
    for (int i = 0; i < 5; i++) {
        assert_string_equal(parts[i].name, expected[i].name);
        assert_int_equal(parts[i].first_face, expected[i].first_face);
        assert_int_equal(parts[i].face_count, expected[i].face_count);
    }
    assert_int_equal(facet_report_count(report), 0);

    static const uint32_t torn[4] = {0, 1, 0, 1};
    facet_part two[2] = {{"torn", "", 0, 2}, {"whole", "", 3, 1}};
    mesh = make_mesh(scene, 4, NULL, torn);
    mesh->parts = two;
    mesh->part_count = 2;
    TEST_OK(facet_mesh_sort(mesh, &options, NULL, &error), &error);
    assert_int_equal(mesh->part_count, 1);
    assert_string_equal(two[0].name, "whole");
    assert_int_equal(two[0].first_face, 3);
    assert_non_null(test_finding(report, "MESH-PARTS-DROPPED"));
    facet_report_free(report);
    facet_scene_free(scene);
}

/* -- Compared with a plain stable sort ---------------------------------- */

#define FACES 300

/* Faces in the expected order: for each material, by first appearance, all of its faces in
 * order. */
static void expected_order(const uint32_t *materials, uint32_t *order)
{
    bool taken[FACES] = {false};
    uint32_t count = 0;
    for (uint32_t i = 0; i < FACES; i++) {
        for (uint32_t j = i; j < FACES; j++) {
            if (!taken[j] && materials[j] == materials[i] && !taken[i])
                order[count++] = j;
        }
        for (uint32_t j = FACES; j-- > i;)
            taken[j] = taken[j] || materials[j] == materials[i];
    }
    assert_int_equal(count, FACES);
}

TEST(order_of_random_meshes_matches_a_stable_sort)
{
    uint32_t seed = 21;
    for (int round = 0; round < 40; round++) {
        uint32_t materials[FACES], sizes[FACES], old_begin[FACES], order[FACES], sum = 0;
        facet_part parts[FACES / 3];
        char names[FACES / 3][8];
        for (uint32_t i = 0; i < FACES; i++) {
            bool same = i > 0 && test_random(&seed) % 4;
            materials[i] = same ? materials[i - 1] : test_random(&seed) % (round + 1) - 1;
            sizes[i] = round % 2 ? 3 : 3 + test_random(&seed) % 3;
            old_begin[i] = sum;
            sum += sizes[i];
        }
        for (uint32_t i = 0; i < FACES / 3; i++) {
            snprintf(names[i], sizeof names[i], "%u", i);
            parts[i] = (facet_part){names[i], "", i * 3, 1 + test_random(&seed) % 3};
        }
        expected_order(materials, order);
        facet_scene *scene = test_scene();
        facet_mesh *mesh = make_mesh(scene, FACES, round % 2 ? NULL : sizes, materials);
        uint32_t part_counts[FACES / 3];
        for (uint32_t i = 0; i < FACES / 3; i++)
            part_counts[i] = parts[i].face_count;
        mesh->parts = parts;
        mesh->part_count = FACES / 3;
        facet_error error;
        TEST_OK(facet_mesh_sort(mesh, NULL, NULL, &error), &error);
        uint32_t corner = 0;
        for (uint32_t i = 0; i < FACES; i++) {
            assert_int_equal(mesh->face_materials[i], materials[order[i]]);
            assert_int_equal(facet_face_begin(mesh, i), corner);
            for (uint32_t k = 0; k < sizes[order[i]]; k++, corner++) {
                assert_int_equal(mesh->streams[0].indices[corner], old_begin[order[i]] + k);
                assert_int_equal(mesh->streams[1].indices[corner],
                                 sum - 1 - (old_begin[order[i]] + k));
            }
        }
        /* Each remaining part has its original faces. A part whose faces are together remains. */
        uint32_t together = 0, end = 0;
        for (uint32_t p = 0; p < FACES / 3; p++) {
            uint32_t first = FACES, last = 0;
            for (uint32_t i = 0; i < FACES; i++) {
                if (order[i] >= p * 3 && order[i] < p * 3 + part_counts[p]) {
                    first = i < first ? i : first;
                    last = i;
                }
            }
            together += last - first + 1 == part_counts[p];
        }
        assert_int_equal(mesh->part_count, together);
        for (uint32_t i = 0; i < mesh->part_count; i++) {
            uint32_t number = (uint32_t)strtoul(parts[i].name, NULL, 10);
            assert_true(parts[i].first_face >= end);
            end = parts[i].first_face + parts[i].face_count;
            for (uint32_t face = parts[i].first_face; face < end; face++)
                assert_int_equal(order[face] / 3, number);
        }
        facet_scene_free(scene);
    }
}

static facet_status attempt_sort(const facet_allocator *allocator, void *user)
{
    (void)user;
    static const uint32_t sizes[4] = {3, 4, 5, 3}, materials[4] = {1, 2, 1, 2};
    facet_options options = {.allocator = allocator};
    facet_scene *scene = NULL;
    facet_status status = facet_scene_create(&options, &scene, NULL);
    if (status)
        return status;
    status = FACET_ERROR_MEMORY;
    facet_mesh *mesh = make_mesh(scene, 4, sizes, materials);
    if (mesh) {
        status = facet_mesh_sort(mesh, &options, NULL, NULL);
        assert_int_equal(mesh->face_materials[1], status ? 2 : 1);
        assert_int_equal(mesh->streams[0].indices[14], 14);
    }
    facet_scene_free(scene);
    return status;
}

TEST(sort_leaves_a_valid_mesh_without_memory)
{
    test_every_allocation(attempt_sort, NULL);
}
