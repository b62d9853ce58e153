/* Tests of `info` for J3D files. */
#include "support/j3d_golden.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include "scene/format.h"

#include <stdlib.h>

/* -- Helpers ------------------------------------------------------------ */

static facet_description *describe(const uint8_t *data, size_t size)
{
    facet_source source = {.data = data, .size = size};
    facet_description *description;
    facet_error error;
    TEST_OK(facet_describe(&source, NULL, NULL, &description, &error), &error);
    return description;
}

/* The list item or object member at a path like "shapes/0/packets". */
static const facet_tree *at(const facet_description *description, const char *path)
{
    const facet_tree *node = description->detail;
    while (node && *path) {
        char step[40] = "";
        size_t length = strcspn(path, "/");
        memcpy(step, path, length);
        path += length + (path[length] == '/');
        if (node->kind == FACET_TREE_ARRAY) {
            const facet_tree *item = node->first;
            for (int i = atoi(step); item && i > 0; i--)
                item = item->next;
            node = item;
        } else {
            node = facet_tree_find(node, step);
        }
    }
    if (!node)
        fail_msg("the tree has no such place");
    return node;
}

static int length_of(const facet_tree *array)
{
    int count = 0;
    for (const facet_tree *item = array->first; item; item = item->next)
        count++;
    return count;
}

/* -- Tests -------------------------------------------------------------- */

TEST(description_lists_every_golden_section)
{
    uint8_t file[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(file);
    facet_description *d = describe(file, sizeof file);
    assert_string_equal(facet_format_name(d->format), "bdl");
    assert_string_equal(d->version, "BDL4");
    assert_int_equal(d->meshes, 1);
    assert_int_equal(d->vertices, 3);
    assert_int_equal(d->triangles, 1);
    assert_int_equal(d->materials, 1);
    assert_int_equal(d->images, 1);
    assert_int_equal(d->joints, 1);
    assert_true(d->has_bounds);
    for (int axis = 0; axis < 3; axis++) {
        assert_true(d->minimum[axis] == 0);
        assert_true(d->maximum[axis] == (axis < 2 ? 100 : 0));
    }
    assert_string_equal(at(d, "signature")->string, "SVR3");
    assert_int_equal(length_of(at(d, "sections")), 9);
    assert_int_equal(at(d, "sections/7/offset")->integer, TEST_J3D_GOLDEN_MDL3);
    assert_true(at(d, "units/meters_per_unit")->real == 0.01);
    assert_non_null(strstr(at(d, "units/convert")->string, "--scale 100"));
    assert_null(facet_tree_find(at(d, "joints/0"), "shown_otherwise"));
    assert_string_equal(at(d, "hierarchy/tree/0")->string, "joint 0 root");
    assert_string_equal(at(d, "hierarchy/tree/1")->string, "  shape 0, material 0 mat0");
    assert_int_equal(length_of(at(d, "vertex_arrays")), 4);
    assert_int_equal(at(d, "vertex_arrays/3/fraction_bits")->integer, 8);
    assert_int_equal(at(d, "vertex_arrays/3/count")->integer, 3);
    assert_int_equal(at(d, "shapes/0/primitives")->integer, 1);
    assert_string_equal(at(d, "materials/0/textures/0")->string, "tex0");
    assert_string_equal(at(d, "textures/0/format")->string, "I4");
    assert_int_equal(length_of(at(d, "packets/0/registers")), 77);
    assert_string_equal(at(d, "packets/0/registers/0")->string,
                        "BP 0x94 TX_SETIMAGE3[0]: texture=0");
    facet_description_free(d);
}

/* A joint that moves its shape moves the bounding box. */
TEST(joint_transforms_move_the_bounds)
{
    static const double points[9] = {-1, 0, 0, 1, 0, 0, 0, 2, 0};
    static const uint16_t corners[3] = {0, 1, 2}, matrix = 0;
    test_j3d *model = test_j3d_new();
    uint32_t root = test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    uint32_t arm = test_j3d_add_joint(model, "arm", root);
    model->joints[root].translation[0] = 10;
    model->joints[arm].translation[1] = 5;
    model->joints[arm].scale[0] = 3;
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, points, 3);
    test_j3d_add_draw(model, 0, arm);
    facet_j3d_material material = test_j3d_minimal_material("m");
    test_j3d_add_material(model, &material);
    uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, arm);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX16);
    test_j3d_add_packet(model, shape, &matrix, 1);
    test_j3d_draw(model, shape, 0x90, corners, 3);
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    facet_description *d = describe(file.data, file.size);
    static const double minimum[3] = {7, 5, 0}, maximum[3] = {13, 7, 0};
    for (int axis = 0; axis < 3; axis++) {
        assert_true(d->minimum[axis] == minimum[axis]);
        assert_true(d->maximum[axis] == maximum[axis]);
    }
    assert_string_equal(at(d, "hierarchy/tree/1")->string, "  joint 1 arm");
    assert_int_equal(at(d, "joints/1/parent")->integer, 0);
    facet_description_free(d);
    test_bytes_free(&file);
    test_j3d_free(model);
}

TEST(material_file_has_no_bounds)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMT3);
    facet_description *d = describe(file.data, file.size);
    assert_string_equal(d->version, "BMT3");
    assert_int_equal(d->materials, 2);
    assert_int_equal(d->meshes, 0);
    assert_false(d->has_bounds);
    facet_description_free(d);
    test_bytes_free(&file);
    test_j3d_free(model);
}

/* The error for a Nintendo DS model names that format. */
TEST(ds_model_is_rejected_by_name)
{
    uint8_t file[0x80] = {0};
    facet_source source = {.data = file, .size = sizeof file, .name = "model.bmd"};
    facet_description *description;
    facet_error error;
    file[4] = 1;
    file[8] = 0x3C;
    assert_int_equal(facet_describe(&source, NULL, NULL, &description, &error),
                     FACET_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.message, "Nintendo DS"));

    /* The bytes decide that this is an archive, not the name. Its tables are invalid. */
    memcpy(file, "RARC", 4);
    assert_int_equal(facet_describe(&source, NULL, NULL, &description, &error),
                     FACET_ERROR_MALFORMED);
    assert_memory_equal(error.rule, "AR", 2);
}

static void describe_anything(const uint8_t *data, size_t size, void *user)
{
    (void)user;
    facet_source source = {.data = data, .size = size};
    facet_description *description;
    if (facet_describe(&source, facet_format_named("bmd"), NULL, &description, NULL) == FACET_OK)
        facet_description_free(description);
}

TEST(description_survives_every_mutation)
{
    uint8_t golden[TEST_J3D_GOLDEN_SIZE];
    test_j3d_golden(golden);
    test_every_mutation(golden, sizeof golden, describe_anything, NULL);
}

static facet_status describe_allocating(const facet_allocator *allocator, void *user)
{
    const test_bytes *file = user;
    facet_options options = {.allocator = allocator};
    facet_source source = {.data = file->data, .size = file->size};
    facet_description *description;
    facet_status status = facet_describe(&source, NULL, &options, &description, NULL);
    if (!status)
        facet_description_free(description);
    return status;
}

TEST(description_survives_failed_allocations)
{
    test_j3d *model = test_j3d_small();
    test_bytes file = test_j3d_write(model, FACET_J3D_BMD3);
    test_every_allocation(describe_allocating, &file);
    test_bytes_free(&file);
    test_j3d_free(model);
}
