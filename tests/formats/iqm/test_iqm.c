/* IQM: view, document, writer. */
#include <facet/convert.h>
#include <facet/iqm.h>
#include <math.h>
#include <stdlib.h>

#include "support/iqm.h"
#include "support/support.h"

/* -- View --------------------------------------------------------------- */

TEST(view_points_into_the_bytes)
{
    uint8_t file[IQM_SIZE];
    facet_iqm_layout layout;
    facet_error error;
    iqm_build(file);
    TEST_OK(facet_iqm_view(file, sizeof file, &layout, &error), &error);
    assert_int_equal(layout.version, 2);
    assert_int_equal(layout.vertex_count, 4);
    assert_int_equal(layout.channel_count, 3);
    assert_ptr_equal(layout.raw[FACET_IQM_TRIANGLES], file + IQM_TRIANGLES);
    assert_ptr_equal(layout.raw[FACET_IQM_FRAMES], file + IQM_FRAMES);
    assert_string_equal(facet_iqm_text(&layout, IQM_SKIN), "skin.tga");
    assert_null(facet_iqm_text(&layout, 40));
}

TEST(view_keeps_records_back_until_they_are_verified)
{
    uint8_t file[IQM_SIZE];
    facet_iqm_layout layout;
    facet_iqm_mesh mesh;
    facet_iqm_array array;
    facet_iqm_joint joint;
    facet_iqm_pose pose;
    facet_iqm_animation animation;
    facet_iqm_bounds bounds;
    facet_error error;
    iqm_build(file);
    TEST_OK(facet_iqm_view(file, sizeof file, &layout, &error), &error);
    assert_int_equal(facet_iqm_get(&layout, FACET_IQM_MESHES, 0, &mesh, sizeof mesh, NULL),
                     FACET_ERROR_ARGUMENT);
    assert_null(facet_iqm_indices(&layout, FACET_IQM_TRIANGLES));
    TEST_OK(facet_iqm_verify(&layout, &error), &error);
    TEST_OK(facet_iqm_get(&layout, FACET_IQM_MESHES, 0, &mesh, sizeof mesh, &error), &error);
    assert_int_equal(mesh.material, IQM_SKIN);
    assert_int_equal(mesh.triangle_count, 2);
    TEST_OK(facet_iqm_get(&layout, FACET_IQM_ARRAYS, 4, &array, sizeof array, &error), &error);
    assert_ptr_equal(array.data, file + IQM_INDEXES);
    TEST_OK(facet_iqm_get(&layout, FACET_IQM_JOINTS, 1, &joint, sizeof joint, &error), &error);
    assert_int_equal(joint.parent, 0);
    assert_true(joint.translation[0] == 1 && joint.rotation[3] == -1 && joint.scale[2] == 1);
    TEST_OK(facet_iqm_get(&layout, FACET_IQM_POSES, 1, &pose, sizeof pose, &error), &error);
    assert_int_equal(pose.mask, 0x61);
    TEST_OK(facet_iqm_get(&layout, FACET_IQM_ANIMATIONS, 0, &animation, sizeof animation, &error),
            &error);
    assert_true(animation.rate == 10 && animation.flags == FACET_IQM_LOOP);
    TEST_OK(facet_iqm_get(&layout, FACET_IQM_BOUNDS, 1, &bounds, sizeof bounds, &error), &error);
    assert_true(bounds.maximum[0] == 2 && bounds.radius == 2);
    /* A struct of another size, and a section without structs. */
    assert_int_equal(facet_iqm_get(&layout, FACET_IQM_POSES, 1, &pose, sizeof joint, NULL),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_iqm_get(&layout, FACET_IQM_TRIANGLES, 0, &mesh, 0, NULL),
                     FACET_ERROR_ARGUMENT);
    assert_int_equal(facet_iqm_get(&layout, FACET_IQM_JOINTS, 2, &joint, sizeof joint, NULL),
                     FACET_ERROR_ARGUMENT);
}

/* -- Document ----------------------------------------------------------- */

static void expect_same_bytes(const uint8_t *bytes, size_t size)
{
    facet_iqm *document = test_read_iqm(bytes, size);
    facet_output *output = test_write_iqm(document);
    assert_int_equal(facet_output_size(output), size);
    assert_memory_equal(facet_output_data(output), bytes, size);
    facet_output_free(output);
    facet_iqm_free(document);
}

TEST(read_then_write_gives_the_same_bytes)
{
    uint8_t file[IQM_SIZE + 16];
    iqm_build(file);
    expect_same_bytes(file, IQM_SIZE);

    /* Sections in another order, with a gap: the comment at the end. */
    memset(file + IQM_SIZE, 0, 16);
    memcpy(file + IQM_SIZE + 8, file + IQM_COMMENT, 8);
    memset(file + IQM_COMMENT, 0, 8);
    iqm_put(file + 112, IQM_SIZE + 8);
    iqm_put(file + 20, IQM_SIZE + 16);
    expect_same_bytes(file, sizeof file);
}

TEST(read_reports_bytes_of_no_section)
{
    uint8_t file[IQM_SIZE];
    facet_options options = {0};
    facet_iqm *document = NULL;
    facet_error error;
    iqm_build(file);
    iqm_put(file + 108, 0);
    TEST_OK(facet_report_create(NULL, &options.report, &error), &error);
    TEST_OK(facet_iqm_read(TEST_SOURCE(file, sizeof file), &options, &document, &error), &error);
    const facet_finding *lost = test_finding(options.report, "LOSS-UNREAD");
    assert_non_null(lost);
    assert_int_equal(lost->offset, IQM_COMMENT);
    facet_iqm_free(document);
    facet_report_free(options.report);
}

TEST(write_places_a_changed_document_anew)
{
    uint8_t file[IQM_SIZE];
    static const char comment[] = "a comment that does not fit where the old one was";
    iqm_build(file);
    facet_iqm *document = test_read_iqm(file, sizeof file);
    document->comment = comment;
    document->comment_size = sizeof comment;
    document->adjacency = NULL;
    facet_output *output = test_write_iqm(document);
    facet_iqm *again = test_read_iqm(facet_output_data(output), (size_t)facet_output_size(output));
    assert_string_equal(again->comment, comment);
    assert_null(again->adjacency);
    assert_memory_equal(again->arrays[3].data, document->arrays[3].data, 64);
    assert_memory_equal(again->extensions[0].data, "12345678", 8);
    assert_int_equal(facet_output_size(output) % 4, 0);
    facet_iqm_free(again);
    facet_output_free(output);
    facet_iqm_free(document);
}

TEST(write_refuses_what_a_reader_would)
{
    uint8_t file[IQM_SIZE];
    facet_output *output = NULL;
    facet_error error;
    iqm_build(file);
    facet_iqm *document = test_read_iqm(file, sizeof file);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    document->triangle_count = 1;
    uint32_t triangle[] = {0, 1, 4};
    document->triangles = triangle;
    assert_int_equal(facet_iqm_write(document, NULL, output, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "IQM-MESH-RANGE");
    document->mesh_count = 0;
    assert_int_equal(facet_iqm_write(document, NULL, output, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "IQM-TRIANGLE-RANGE");
    document->triangles = NULL;
    assert_int_equal(facet_iqm_write(document, NULL, output, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "IQM-DOCUMENT");
    assert_int_equal(facet_output_size(output), 0);
    facet_output_free(output);
    facet_iqm_free(document);
}

/* The arrays share bytes; the document must not become larger than the file. */
TEST(read_refuses_arrays_that_multiply_the_file)
{
    uint8_t file[IQM_SIZE + 20 * 40];
    facet_iqm *document = NULL;
    facet_error error;
    iqm_build(file);
    iqm_put(file + 44, 40);
    iqm_put(file + 52, IQM_SIZE);
    for (int i = 0; i < 40; i++)
        iqm_put_words(file + IQM_SIZE + 20 * i,
                      (const uint32_t[]){16 + IQM_GLOW_NAME, 0, 7, 4, IQM_TANGENTS}, 5);
    assert_int_equal(facet_iqm_read(TEST_SOURCE(file, sizeof file), NULL, &document, &error),
                     FACET_ERROR_LIMIT);
    assert_string_equal(error.rule, "IQM-OVERLAP");
}

/* -- Version 1 ---------------------------------------------------------- */

enum { V1_SIZE = 276 };

/* One joint that turns around z by 180 degrees, from w = -1 to w = 0. The records do not store
 * w. */
static void build_version_1(uint8_t *file)
{
    static const float still[] = {3, 4, 5, 0, 0, 0, 1, 1, 1};
    memset(file, 0, V1_SIZE);
    memcpy(file, "INTERQUAKEMODEL", 16);
    iqm_put_words(file + 16, (const uint32_t[]){1, V1_SIZE, 0, 4, 124}, 5);
    iqm_put_words(file + 68, (const uint32_t[]){1, 128, 1, 172, 1, 252, 2, 1, 272}, 9);
    memcpy(file + 124, "\0z\0", 4);
    iqm_put(file + 128, 1);
    iqm_put(file + 132, 0xFFFFFFFF);
    iqm_put_floats(file + 136, still, 9);
    iqm_put(file + 172, 0xFFFFFFFF);
    iqm_put(file + 176, 0x20);
    iqm_put_floats(file + 180, still, 9);
    iqm_put_float(file + 180 + 36 + 20, 1 / 65535.0F);
    iqm_put_words(file + 252, (const uint32_t[]){1, 0, 2}, 3);
    iqm_put_float(file + 264, 24);
    iqm_put(file + 272, 0xFFFF0000);
}

TEST(version_1_becomes_version_2)
{
    uint8_t file[V1_SIZE];
    build_version_1(file);
    facet_iqm *document = test_read_iqm(file, sizeof file);
    assert_true(document->joints[0].rotation[3] == -1 && document->joints[0].scale[0] == 1);
    assert_true(document->joints[0].translation[2] == 5);
    const facet_iqm_pose *pose = &document->poses[0];
    assert_int_equal(pose->mask, 0x60);
    assert_int_equal(document->channel_count, 2);
    assert_true(pose->offset[6] == -1 && pose->offset[9] == 1);
    /* z as before; w = -sqrt(1 - z * z): -1, 0 */
    static const uint16_t frames[] = {0, 0, 65535, 65535};
    assert_memory_equal(document->frames, frames, sizeof frames);
    assert_true(fabsf(pose->offset[6] + pose->scale[6] * 65535) < 1e-3F);
    facet_output *output = test_write_iqm(document);
    facet_iqm *again = test_read_iqm(facet_output_data(output), (size_t)facet_output_size(output));
    assert_memory_equal(again->frames, frames, sizeof frames);
    facet_iqm_free(again);
    facet_output_free(output);
    facet_iqm_free(document);
}

/* -- Description -------------------------------------------------------- */

static facet_description *describe(const uint8_t *file)
{
    facet_source source = facet_source_from_memory(file, IQM_SIZE, "a.iqm");
    facet_description *description = NULL;
    facet_error error;
    TEST_OK(facet_describe(&source, facet_format_named("iqm"), NULL, &description, &error), &error);
    return description;
}

TEST(description_counts_materials_with_a_name_and_bounds_finite_positions)
{
    uint8_t file[IQM_SIZE];
    iqm_build(file);
    iqm_put_float(file + IQM_POSITIONS + 8, -3); /* z of vertex 0 */
    facet_description *description = describe(file);
    assert_int_equal(description->materials, 1);
    assert_true(description->has_bounds);
    assert_true(description->minimum[0] == 0 && description->minimum[2] == -3);
    assert_true(description->maximum[1] == 1 && description->maximum[2] == 0);
    facet_description_free(description);

    iqm_put(file + IQM_MESH + 4, 0); /* the material's name is the empty string */
    iqm_put_float(file + IQM_POSITIONS, INFINITY);
    description = describe(file);
    assert_int_equal(description->materials, 0);
    assert_false(description->has_bounds);
    for (int axis = 0; axis < 3; axis++)
        assert_true(description->minimum[axis] == 0 && description->maximum[axis] == 0);
    facet_description_free(description);

    iqm_build(file);
    iqm_put(file + IQM_ARRAYS + 12, 2); /* positions with two components: no box */
    description = describe(file);
    assert_false(description->has_bounds);
    facet_description_free(description);
}

/* -- Errors ------------------------------------------------------------- */

static void attempt(const uint8_t *data, size_t size, void *user)
{
    facet_iqm *document = NULL;
    (void)user;
    if (!facet_iqm_read(TEST_SOURCE(data, size), NULL, &document, NULL)) {
        facet_output *output = NULL;
        assert_int_equal(facet_output_open_memory(NULL, &output, NULL), FACET_OK);
        assert_int_equal(facet_iqm_write(document, NULL, output, NULL), FACET_OK);
        facet_output_free(output);
    }
    facet_iqm_free(document);
}

TEST(any_change_of_a_byte_is_read_or_refused)
{
    uint8_t file[IQM_SIZE];
    iqm_build(file);
    test_every_mutation(file, sizeof file, attempt, NULL);
}

static facet_status copy_all(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_iqm *document = NULL;
    facet_output *output = NULL;
    facet_status status = facet_output_open_memory(allocator, &output, NULL);
    if (!status)
        status = facet_iqm_read(TEST_SOURCE(user, IQM_SIZE), &options, &document, NULL);
    if (!status)
        status = facet_iqm_write(document, &options, output, NULL);
    if (!status)
        status = facet_output_commit(output, NULL);
    facet_output_free(output);
    facet_iqm_free(document);
    return status;
}

TEST(a_copy_survives_failing_allocations)
{
    uint8_t file[IQM_SIZE];
    iqm_build(file);
    test_every_allocation(copy_all, file);
}
