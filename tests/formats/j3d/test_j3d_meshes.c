/* Tests of facet_j3d_decode, which gives the meshes of shapes to programs that draw them.
 * Expected values come from the description of the small model (support/j3d_models.c) and from
 * the decoder that the scene import uses. */
#include "formats/j3d/gpu/geometry.h"

#include "base/arena.h"
#include "support/j3d_make.h"
#include "support/support.h"

#include <facet/j3d_geometry.h>
#include <math.h>
#include <stdlib.h>

/* -- A model that is read ----------------------------------------------- */

typedef struct subject {
    test_bytes file;
    facet_j3d *document;
} subject;

/* Read the model and free it. */
static subject read_model(test_j3d *model)
{
    subject s;
    facet_error error;
    memset(&s, 0, sizeof s);
    s.file = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    TEST_OK(facet_j3d_read(TEST_SOURCE(s.file.data, s.file.size), NULL, &s.document, &error),
            &error);
    return s;
}

static void end(subject *s)
{
    facet_j3d_free(s->document);
    test_bytes_free(&s->file);
}

/* Meshes of a model that is freed: they contain no pointer into it. */
static facet_j3d_meshes *decode_model(test_j3d *model)
{
    facet_error error;
    facet_j3d_meshes *meshes = NULL;
    subject s = read_model(model);
    TEST_OK(facet_j3d_decode(s.document, NULL, &meshes, &error), &error);
    end(&s);
    return meshes;
}

static void assert_near(double value, double expected, double most)
{
    if (!(fabs(value - expected) <= most))
        fail_msg("%.9g where %.9g is right", value, expected);
}

static void assert_floats(const float *values, const double *expected, uint32_t count, double most)
{
    for (uint32_t i = 0; i < count; i++)
        assert_near((double)values[i], expected[i], most);
}

/* -- The small model ---------------------------------------------------- */

/* One matrix, all primitives. Vertices of the first quad, as indices of position, normal, color
 * and texcoord: 0 5 0 0, 3 5 1 3, 2 5 2 2, 1 5 3 1. Its triangles are its vertices 0 2 1 and 0 3
 * 2. */
TEST(single_matrix_mesh_keeps_vertex_order)
{
    static const double positions[4][3] = {{0, 0, 0}, {1, 1, 0}, {0, 1, 0}, {1, 0, 0}};
    static const double texcoords[4][2] = {{0, 0}, {1, 1}, {0, 1}, {1, 0}};
    static const uint8_t colors[4][4] = {
        {255, 255, 255, 255}, {0, 255, 0, 128}, {255, 0, 0, 255}, {0, 0, 255, 0}};
    static const double down[3] = {0, 0, -1};
    static const uint32_t corners[4] = {0, 1, 2, 4}; /* in order of first use */
    facet_j3d_meshes *meshes = decode_model(test_j3d_small());
    assert_int_equal(meshes->count, 3);
    const facet_j3d_mesh *mesh = &meshes->items[0];
    /* 2 quads are 4 triangles. Then come 1 triangle, 4 of the strip minus 2 that use vertex 7
     * twice, and 2 of the fan. The lines are 2, and 2 of a line strip. */
    assert_int_equal(mesh->triangle_count, 9);
    assert_int_equal(mesh->line_count, 4);
    assert_int_equal(mesh->point_count, 2);
    assert_int_equal(mesh->joint, 0);
    assert_int_equal(mesh->material, 0);
    for (int i = 0; i < 4; i++) {
        uint32_t v = mesh->triangles[corners[i]];
        assert_true(v < mesh->vertex_count);
        assert_floats(mesh->positions + (size_t)v * 3, positions[i], 3, 0);
        assert_floats(mesh->normals + (size_t)v * 3, down, 3, 0);
        assert_floats(mesh->texcoords[0] + (size_t)v * 2, texcoords[i], 2, 0);
        assert_memory_equal(mesh->colors[0] + (size_t)v * 4, colors[i], 4);
    }
    /* The first line goes from position 8 to 9. */
    static const double line[2][3] = {{2, 0.5, 0}, {2, 0.5, 1}};
    for (int i = 0; i < 2; i++)
        assert_floats(mesh->positions + (size_t)mesh->lines[i] * 3, line[i], 3, 0);
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        assert_int_equal(mesh->draw_matrices[v], 0);
    assert_null(mesh->colors[1]);
    assert_null(mesh->texcoords[1]);
    assert_null(mesh->tangents);
    facet_j3d_meshes_free(meshes);
}

/* Many matrices: packet 1 has draw matrices 0 3 4 in its slots, packet 2 has 0 1 2. The strip is
 * (slot 0, position 0) (1, 1) (2, 3) (1, 2), the triangle (0, 2) (1, 8) (2, 9). The arm is 1
 * along x. The hand is 2 along the y axis of the arm and turned from x to y. Both envelopes are
 * in their bind pose. */
TEST(multi_matrix_mesh_keeps_slot_matrices)
{
    static const uint16_t draws[7] = {0, 3, 4, 3, 0, 1, 2};
    static const uint32_t corners[9] = {0, 2, 1, 2, 3, 1, 4, 6, 5};
    static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
    static const double arm[12] = {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0};
    static const double hand[12] = {0, -1, 0, 1, 1, 0, 0, 2, 0, 0, 1, 0};
    static const double *const matrices[7] = {identity, arm,      hand,    identity,
                                              identity, identity, identity};
    static const double texcoords[7][2] = {{0.25, 0.75}, {-1.5, 2}, {3, 3}, {0.25, 0.75},
                                           {0.25, 0.75}, {-1.5, 2}, {3, 3}};
    facet_j3d_meshes *meshes = decode_model(test_j3d_small());
    assert_int_equal(meshes->matrix_count, 7); /* files list the envelopes twice */
    for (int i = 0; i < 7; i++)                /* a quarter turn is 16383 of 16383.5 */
        assert_floats(meshes->matrices[i], matrices[i], 12, 1e-3);
    const facet_j3d_mesh *mesh = &meshes->items[1];
    assert_int_equal(mesh->vertex_count, 7);
    assert_int_equal(mesh->triangle_count, 3);
    assert_memory_equal(mesh->draw_matrices, draws, sizeof draws);
    assert_memory_equal(mesh->triangles, corners, sizeof corners);
    for (int i = 0; i < 7; i++)
        assert_floats(mesh->texcoords[1] + 2 * i, texcoords[i], 2, 0);
    assert_null(mesh->texcoords[0]);
    assert_null(mesh->lines);
    /* Position 9 of the hand is 2 0.5 1: in the model -0.5 + 1, 2 + 2, 1. */
    static const double seen[3] = {0.5, 4, 1};
    const float *m = meshes->matrices[mesh->draw_matrices[6]], *p = mesh->positions + 6 * 3;
    for (int i = 0; i < 3; i++)
        assert_near(
            (double)(m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3]),
            seen[i], 1e-3);
    facet_j3d_meshes_free(meshes);
}

/* -- Comparison with the scene decoder ---------------------------------- */

static void compare_mesh(const facet_j3d_mesh *mesh, const facet_j3d_geometry *g)
{
    size_t count = g->vertex_count;
    float *values = calloc(count, 4 * sizeof *values);
    uint8_t *colors = calloc(count, 4);
    assert_non_null(values);
    assert_non_null(colors);
    assert_int_equal(mesh->vertex_count, g->vertex_count);
    assert_int_equal(mesh->triangle_count, g->triangle_count);
    assert_memory_equal(mesh->triangles, g->corners, g->triangle_count * 12);
    facet_j3d_geometry_positions(g, values);
    assert_memory_equal(mesh->positions, values, count * 12);
    facet_j3d_geometry_normals(g, values);
    assert_memory_equal(mesh->normals, values, count * 12);
    facet_j3d_geometry_texcoords(g, 0, NULL, values);
    assert_memory_equal(mesh->texcoords[0], values, count * 8);
    facet_j3d_geometry_colors(g, 0, colors);
    assert_memory_equal(mesh->colors[0], colors, count * 4);
    for (uint32_t v = 0; v < count; v++)
        assert_int_equal(mesh->draw_matrices[v], facet_j3d_geometry_draw_matrix(g, v));
    free(values);
    free(colors);
}

TEST(large_sheets_decode_like_single_shapes)
{
    for (int skinned = 0; skinned < 2; skinned++) {
        facet_error error;
        facet_j3d_meshes *meshes = NULL;
        subject s = read_model(test_j3d_sheets(60000, skinned, 32));
        TEST_OK(facet_j3d_decode(s.document, NULL, &meshes, &error), &error);
        assert_int_equal(meshes->count, s.document->shapes.count);
        facet_j3d_decoder decoder = {.document = s.document, .arena = s.document->arena};
        uint64_t triangles = 0;
        for (uint32_t i = 0; i < meshes->count; i++) {
            facet_j3d_geometry geometry;
            TEST_OK(facet_j3d_decode_shape(&decoder, i, &geometry, &error), &error);
            compare_mesh(&meshes->items[i], &geometry);
            triangles += meshes->items[i].triangle_count;
        }
        assert_true(triangles >= 60000);
        facet_j3d_decoder_free(&decoder);
        facet_j3d_meshes_free(meshes);
        end(&s);
    }
}

/* Normals with binormals and tangents: nine numbers per element. */
TEST(tangents_come_from_nine_number_elements)
{
    static const double values[9] = {1, 0, 0, 0, 0, -1, 0, 1, 0}; /* x cross y is z */
    static const double tangent[4] = {0, 1, 0, -1};
    static const uint16_t indices[3 * 2] = {0, 0, 0, 0, 0, 0}, root = 0;
    test_j3d *model = test_j3d_new();
    facet_j3d_material material = test_j3d_minimal_material("m");
    test_j3d_add_joint(model, "root", TEST_J3D_NONE);
    test_j3d_add_draw(model, 0, 0);
    test_j3d_add_material(model, &material);
    uint32_t shape = test_j3d_add_shape(model, FACET_J3D_SHAPE_SINGLE, 0, 0);
    test_j3d_add_values(model, FACET_J3D_ARRAY_POSITION, 1, FACET_J3D_F32, 0, values, 1);
    test_j3d_add_values(model, FACET_J3D_ARRAY_NORMAL, 1, FACET_J3D_F32, 0, values, 1);
    test_j3d_add_part(model, shape, FACET_J3D_POSITION, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_part(model, shape, FACET_J3D_NORMAL, FACET_J3D_INPUT_INDEX8);
    test_j3d_add_packet(model, shape, &root, 1);
    test_j3d_draw(model, shape, 0x90, indices, 3);
    facet_j3d_meshes *meshes = decode_model(model);
    assert_int_equal(meshes->items[0].vertex_count, 1);
    assert_int_equal(meshes->items[0].triangle_count, 0); /* one vertex three times */
    assert_null(meshes->items[0].triangles);
    assert_floats(meshes->items[0].normals, values, 3, 0);
    assert_floats(meshes->items[0].tangents, tangent, 4, 0);
    facet_j3d_meshes_free(meshes);
}

/* -- Handwritten documents ---------------------------------------------- */

TEST(empty_document_decodes_to_no_meshes)
{
    facet_error error;
    facet_j3d empty;
    facet_j3d_meshes *meshes = NULL;
    memset(&empty, 0, sizeof empty);
    TEST_OK(facet_j3d_decode(&empty, NULL, &meshes, &error), &error);
    assert_int_equal(meshes->count, 0);
    assert_int_equal(meshes->matrix_count, 0);
    facet_j3d_meshes_free(meshes);
    facet_j3d_meshes_free(NULL);
}

/* Make one value of the small model invalid. */
typedef void breaking(facet_j3d *d);

#define BREAKING(name, change)             \
    static void break_##name(facet_j3d *d) \
    {                                      \
        change;                            \
    }

BREAKING(first_group, d->shapes.items[1].first_group = 60000)
BREAKING(packet_count, d->shapes.items[2].packet_count = 2)
BREAKING(first_list, d->shapes.items[1].first_display_list = 60000)
BREAKING(no_list, d->shapes.display_lists[0].bytes = NULL)
BREAKING(short_list, d->shapes.display_lists[0].size = 40)
BREAKING(first_descriptor, d->shapes.items[0].first_descriptor = 60000)
BREAKING(input, d->shapes.descriptors[0].input = 7)
BREAKING(group_count, d->shapes.groups[1].count = 11)
BREAKING(group_first, d->shapes.groups[1].first = UINT32_MAX)
BREAKING(matrix, d->shapes.matrix_table[1] = 7)
BREAKING(slot, d->shapes.groups[1].count = 1)
BREAKING(positions, d->vertices.arrays[FACET_J3D_ARRAY_POSITION].count = 9)
BREAKING(no_normals, d->vertices.arrays[FACET_J3D_ARRAY_NORMAL].bytes = NULL)
BREAKING(stride, d->vertices.arrays[FACET_J3D_ARRAY_POSITION].stride = 5)
BREAKING(no_stride, d->vertices.arrays[FACET_J3D_ARRAY_POSITION].stride = 0)
BREAKING(size, d->vertices.arrays[FACET_J3D_ARRAY_POSITION].size = 59)
BREAKING(no_format, d->vertices.arrays[FACET_J3D_ARRAY_POSITION].format = NULL)
BREAKING(component, d->vertices.formats[0].component = 5)
BREAKING(joint_of_draw, d->draw_matrices.items[1].index = 3)
BREAKING(envelope_of_draw, d->draw_matrices.items[3].index = 2)
BREAKING(draw_count, d->draw_matrices.count = 4)
BREAKING(influences, d->envelopes.items[1].first = 3)
BREAKING(joint_of_influence, d->envelopes.influences[4].joint = 3)
BREAKING(parents, d->joints.items[0].parent = 2)
BREAKING(no_joints, d->joints.items = NULL)
BREAKING(no_draws, d->draw_matrices.items = NULL)
BREAKING(no_envelopes, d->envelopes.items = NULL)
BREAKING(no_influences, d->envelopes.influences = NULL)
BREAKING(no_binds, d->envelopes.inverse_bind = NULL)
BREAKING(no_shapes, d->shapes.items = NULL)
BREAKING(no_groups, d->shapes.groups = NULL)
BREAKING(no_descriptors, d->shapes.descriptors = NULL)
BREAKING(no_table, d->shapes.matrix_table = NULL)
BREAKING(no_lists, d->shapes.display_lists = NULL)

TEST(faulty_shapes_are_not_decoded)
{
    static const struct {
        breaking *change;
        const char *rule;
    } cases[] = {
        {break_first_group, "J3D-SHP1-GROUP"},
        {break_packet_count, "J3D-SHP1-GROUP"}, /* the last shape: no group follows it */
        {break_first_list, "J3D-SHP1-LIST"},
        {break_no_list, "J3D-SHP1-LIST"},
        {break_short_list, "J3D-DL-VERTICES"}, /* 3 + 4 * 7 bytes are the first quad */
        {break_first_descriptor, "J3D-SHP1-DESCRIPTOR"},
        {break_input, "J3D-SHP1-DESCRIPTOR"},
        {break_group_count, "J3D-SHP1-GROUP"},
        {break_group_first, "J3D-SHP1-GROUP"},
        {break_matrix, "J3D-SHP1-MATRIX"}, /* there are 7 */
        {break_slot, "J3D-DL-MATRIX"},     /* vertices use slots 1 and 2 */
        {break_positions, "J3D-DL-INDEX"}, /* the shape uses position 9 */
        {break_no_normals, "J3D-DL-INDEX"},
        {break_stride, "J3D-VTX1-ARRAY"}, /* three numbers of 16 bits are 6 bytes */
        {break_no_stride, "J3D-VTX1-ARRAY"},
        {break_size, "J3D-VTX1-ARRAY"}, /* ten elements have 60 bytes */
        {break_no_format, "J3D-VTX1-COMPONENT"},
        {break_component, "J3D-VTX1-COMPONENT"},
        {break_joint_of_draw, "J3D-DRW1-INDEX"},    /* there are 3 joints */
        {break_envelope_of_draw, "J3D-DRW1-INDEX"}, /* and 2 envelopes */
        {break_draw_count, "J3D-SHP1-MATRIX"},
        {break_influences, "J3D-EVP1-INFLUENCES"}, /* 3 of the 5 influences, from the fourth on */
        {break_joint_of_influence, "J3D-EVP1-JOINT"},
        {break_parents, "J3D-JNT1-PARENT"},
        {break_no_joints, "J3D-SECTION-MISSING"},
        {break_no_draws, "J3D-SECTION-MISSING"},
        {break_no_envelopes, "J3D-SECTION-MISSING"},
        {break_no_influences, "J3D-SECTION-MISSING"},
        {break_no_binds, "J3D-SECTION-MISSING"},
        {break_no_shapes, "J3D-SECTION-MISSING"},
        {break_no_groups, "J3D-SECTION-MISSING"},
        {break_no_descriptors, "J3D-SECTION-MISSING"},
        {break_no_table, "J3D-SECTION-MISSING"},
        {break_no_lists, "J3D-SECTION-MISSING"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_error error;
        facet_j3d_meshes *meshes = NULL;
        subject s = read_model(test_j3d_small());
        cases[i].change(s.document);
        if (facet_j3d_decode(s.document, NULL, &meshes, &error) != FACET_ERROR_ARGUMENT)
            fail_msg("case %zu, %s, is taken", i, cases[i].rule);
        assert_string_equal(error.rule, cases[i].rule);
        assert_int_equal(error.status, FACET_ERROR_ARGUMENT);
        assert_null(meshes);
        assert_int_equal(facet_j3d_decode(s.document, NULL, &meshes, NULL), FACET_ERROR_ARGUMENT);
        end(&s);
    }
}

/* -- Failed allocations ------------------------------------------------- */

static facet_status attempt(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_j3d_meshes *meshes = NULL;
    facet_status status = facet_j3d_decode(user, &options, &meshes, NULL);
    facet_j3d_meshes_free(meshes);
    return status;
}

TEST(mesh_decoding_survives_failed_allocations)
{
    subject s = read_model(test_j3d_small());
    test_every_allocation(attempt, s.document);
    end(&s);
}
