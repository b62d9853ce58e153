/* BSM from and to the neutral scene. */
#include "formats/bsm/layout.h"
#include <facet/bsm.h>
#include <math.h>
#include <stdlib.h>

#include "formats/bsm/scene.h"
#include "scene/format.h"
#include "support/bsm.h"
#include "support/support.h"

/* -- Built scenes --------------------------------------------------------- */

static facet_scene *make_scene(void)
{
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    return scene;
}

static void add_stream(facet_mesh *mesh, facet_semantic semantic, uint32_t components,
                       const float *values, uint32_t count, uint32_t *indices)
{
    facet_stream *stream = NULL;
    facet_error error;
    TEST_OK(facet_mesh_add_stream(mesh, semantic, 0, NULL, FACET_FLOAT32, components, count,
                                  &stream, &error),
            &error);
    memcpy(stream->data, values, count * components * sizeof *values);
    stream->indices = indices;
}

/* Four corners of a unit square in the plane z = `height`, two triangles. */
static facet_mesh *add_square(facet_scene *scene, float height, const uint32_t *materials)
{
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3};
    const float positions[] = {0, 0, height, 1, 0, height, 1, 1, height, 0, 1, height};
    const float normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    const float tangents[] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1};
    const float texcoords[] = {0, 0, 1, 0, 1, 1, 0, 1};
    facet_mesh *mesh = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    uint32_t *indices = facet_scene_allocate(scene, 6, sizeof *indices);
    memcpy(indices, corners, sizeof corners);
    mesh->face_count = 2;
    mesh->corner_count = 6;
    if (materials) {
        mesh->face_materials = facet_scene_allocate(scene, 2, sizeof *materials);
        memcpy(mesh->face_materials, materials, 2 * sizeof *materials);
    }
    add_stream(mesh, FACET_POSITION, 3, positions, 4, indices);
    add_stream(mesh, FACET_NORMAL, 3, normals, 4, indices);
    add_stream(mesh, FACET_TANGENT, 4, tangents, 4, indices);
    add_stream(mesh, FACET_TEXCOORD, 2, texcoords, 4, indices);
    return mesh;
}

static float *values_of(facet_mesh *mesh, facet_semantic semantic)
{
    return facet_mesh_find(mesh, semantic, 0)->data;
}

static facet_report *make_report(void)
{
    facet_report *report = NULL;
    assert_int_equal(facet_report_create(NULL, &report, NULL), FACET_OK);
    return report;
}

/* Write the scene, check the file, read it as a document; frees the scene. *report receives the
 * findings of the writer, unless it is NULL. */
static facet_bsm *write_and_read(facet_scene *scene, facet_report **report)
{
    facet_options options = {0};
    facet_output *output = NULL;
    facet_bsm *document = NULL;
    facet_error error;
    options.report = make_report();
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_format_bsm.write(scene, &options, output, NULL, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    const uint8_t *bytes = facet_output_data(output);
    size_t size = (size_t)facet_output_size(output);
    facet_report *findings = make_report();
    TEST_OK(facet_bsm_check(TEST_SOURCE(bytes, size), NULL, findings, &error), &error);
    assert_int_equal(facet_report_severity_count(findings, FACET_SEVERITY_ERROR), 0);
    facet_report_free(findings);
    TEST_OK(facet_bsm_read(TEST_SOURCE(bytes, size), NULL, &document, &error), &error);
    facet_output_free(output);
    facet_scene_free(scene);
    if (report)
        *report = options.report;
    else
        facet_report_free(options.report);
    return document;
}

static void expect_floats(const float *found, const float *expected, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (found[i] != expected[i])
            fail_msg("number %zu is %g, expected %g", i, (double)found[i], (double)expected[i]);
    }
}

static void expect_indices(const uint32_t *found, const uint32_t *expected, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(found[i], expected[i]);
}

/* -- There and back ----------------------------------------------------- */

static facet_source source_of(const uint8_t *bytes, size_t size)
{
    facet_source source = {0};
    source.data = bytes;
    source.size = size;
    return source;
}

TEST(a_file_survives_the_scene)
{
    uint8_t file[BSM_FULL_SIZE];
    facet_options options = {0};
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_error error;
    bsm_build_full(file);
    options.report = make_report();
    facet_source source = source_of(file, sizeof file);
    TEST_OK(facet_format_bsm.read(&source, NULL, &options, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_true(facet_mesh_is_indexed(scene->meshes[0]));
    assert_int_equal(scene->meshes[0]->stream_count, 4);
    assert_int_equal(scene->material_count, 1);
    assert_string_equal(scene->materials[0]->name, "red.tga");
    assert_int_equal(scene->hulls[0]->point_count, 4);
    assert_int_equal(scene->occluder->face_count, 1);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_format_bsm.write(scene, &options, output, NULL, &error), &error);
    assert_int_equal(facet_report_count(options.report), 0);
    assert_int_equal(facet_output_size(output), sizeof file);
    /* The radius is the square root of one half, rounded up. The example's 0.70710677 is slightly
     * too small for its points. */
    bsm_put(file + 0x24, 0x3F3504F4);
    assert_memory_equal(facet_output_data(output), file, sizeof file);
    facet_output_free(output);
    facet_scene_free(scene);
    facet_report_free(options.report);
}

TEST(vectors_get_their_length)
{
    uint8_t file[BSM_FULL_SIZE];
    facet_options options = {0};
    facet_scene *scene = NULL;
    facet_error error;
    const float normals[] = {0, 0, 4, 0, 0, 0, 0, 0, 1};
    const float tangents[] = {2, 0, 0, -0.5F, 1, 0, 0, -0.0F, 1, 0, 0, 7};
    bsm_build_full(file);
    memcpy(file + 0xC0, normals, sizeof normals); /* little-endian hosts */
    memcpy(file + 0xE4, tangents, sizeof tangents);
    options.report = make_report();
    facet_source source = source_of(file, sizeof file);
    TEST_OK(facet_format_bsm.read(&source, NULL, &options, &scene, &error), &error);
    const float straight[] = {0, 0, 1, 0, 0, 0, 0, 0, 1};
    const float handed[] = {1, 0, 0, -1, 1, 0, 0, 1, 1, 0, 0, 1};
    expect_floats(values_of(scene->meshes[0], FACET_NORMAL), straight, 9);
    expect_floats(values_of(scene->meshes[0], FACET_TANGENT), handed, 12);
    assert_int_equal(test_finding(options.report, "BSM-NORMAL-ZERO")->count, 1);
    assert_int_equal(test_finding(options.report, "BSM-NORMAL-LENGTH")->count, 1);
    assert_int_equal(test_finding(options.report, "BSM-TANGENT-LENGTH")->count, 1);
    assert_int_equal(test_finding(options.report, "BSM-TANGENT-HAND")->count, 3);
    facet_report_free(options.report);
    facet_scene_free(scene);
}

/* Three mesh records: "a" has triangles 1 and 2, "" has 2 and 3, "a" has 4. */
TEST(materials_by_name)
{
    const uint32_t triangles = 6, meshes = 3;
    size_t size = BSM_TRIANGLE_SIZE + triangles * 12 + meshes * 264;
    uint8_t *file = calloc(1, size);
    facet_scene *scene = NULL;
    facet_error error;
    assert_non_null(file);
    bsm_build_triangle(file);
    const uint32_t header[] = {triangles, BSM_TRIANGLE_SIZE, meshes,
                               BSM_TRIANGLE_SIZE + triangles * 12};
    bsm_put_words(file + 0x54, header, 4);
    uint8_t *records = file + header[3];
    const uint32_t ranges[3][2] = {{2, 2}, {1, 2}, {4, 1}};
    for (int i = 0; i < 3; i++)
        bsm_put_words(records + 264 * i, ranges[i], 2);
    records[264 + 8] = 'a';
    records[528 + 8] = 'a';
    facet_source source = source_of(file, size);
    TEST_OK(facet_format_bsm.read(&source, NULL, NULL, &scene, &error), &error);
    const uint32_t expected[] = {FACET_NONE, 0, 0, FACET_NONE, 0, FACET_NONE};
    assert_int_equal(scene->material_count, 1);
    expect_indices(scene->meshes[0]->face_materials, expected, 6);
    facet_scene_free(scene);
    free(file);
}

TEST(published_sample_survives_a_round_trip)
{
    TEST_NEEDS_CORPUS();
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_file_open(test_corpus("bsm/test.bsm"), NULL, &file, &error), &error);
    facet_source source = facet_file_source(file);
    TEST_OK(facet_format_bsm.read(&source, NULL, NULL, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    assert_int_equal(scene->meshes[0]->face_count, 968);
    assert_null(scene->meshes[0]->face_materials); /* its only name is empty */
    facet_report *report = NULL;
    facet_bsm *document = write_and_read(scene, &report);
    assert_int_equal(document->vertex_count, 1049);
    assert_true(fabsf(document->radius - 1.39740443F) < 1e-6F);
    assert_true(document->minimum[0] == -1.3671875F && document->maximum[2] == 0.8515625F);
    /* Its zero tangent was replaced with a direction. */
    assert_int_equal(test_finding(report, "BSM-TANGENT-ZERO")->count, 1);
    const float *t = document->tangents + 4 * 1026, *n = document->normals + 3 * 1026;
    assert_true(fabsf(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] - 1) < 1e-6F);
    assert_true(fabsf(t[0] * n[0] + t[1] * n[1] + t[2] * n[2]) < 1e-6F);
    facet_report_free(report);
    facet_bsm_free(document);
    facet_file_close(file);
}

/* -- Writing ------------------------------------------------------------ */

static void add_material(facet_scene *scene, const char *name)
{
    facet_material *material = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_material(scene, name, &material, &error), &error);
}

TEST(meshes_become_one)
{
    static const uint32_t first[] = {2, FACET_NONE}, second[] = {0, 1};
    facet_scene *scene = make_scene();
    add_material(scene, "stone");
    add_material(scene, "wood");
    add_material(scene, "wood"); /* another material of the same name */
    add_material(scene, "unused");
    add_square(scene, 0, first);
    add_square(scene, 5, second);
    facet_report *report = NULL;
    facet_bsm *document = write_and_read(scene, &report);
    assert_int_equal(document->vertex_count, 8);
    assert_true(document->positions[4 * 3 + 2] == 5 && document->maximum[2] == 5);
    /* wood: the first two of mesh 1, the second two of mesh 2; no material; stone */
    const uint32_t expected[] = {0, 1, 2, 4, 6, 7, 0, 2, 3, 4, 5, 6};
    assert_int_equal(document->triangle_count, 4);
    expect_indices(document->triangles, expected, 12);
    assert_int_equal(document->mesh_count, 3);
    assert_string_equal(document->meshes[0].material, "wood");
    assert_int_equal(document->meshes[0].triangle_count, 2);
    assert_string_equal(document->meshes[1].material, "");
    assert_int_equal(document->meshes[1].first_triangle, 2);
    assert_string_equal(document->meshes[2].material, "stone");
    assert_int_equal(document->meshes[2].first_triangle, 3);
    assert_int_equal(test_finding(report, "LOSS-MATERIALS")->count, 1);
    facet_report_free(report);
    facet_bsm_free(document);
}

TEST(axes_and_unit_become_y_up_meters)
{
    /* +Z up: (x, y, z) is (x, z, -y) with +Y up. The unit is a hundredth of a meter. */
    facet_scene *scene = make_scene();
    facet_hull *hull = NULL;
    facet_error error;
    add_square(scene, 3, NULL);
    TEST_OK(facet_scene_add_hull(scene, "", 1, &hull, &error), &error);
    hull->points[0] = 100, hull->points[1] = 200, hull->points[2] = 300;
    scene->axes.up = FACET_AXIS_Z;
    scene->axes.unit = 0.01;
    facet_bsm *document = write_and_read(scene, NULL);
    const float z_up[] = {0, 0.03F, 0, 0.01F, 0.03F, 0, 0.01F, 0.03F, -0.01F, 0, 0.03F, -0.01F};
    const float up[] = {0, 1, 0}, along[] = {1, 0, 0, 1}, point[] = {1, 3, -2};
    expect_floats(document->positions, z_up, 12);
    expect_floats(document->normals, up, 3);
    expect_floats(document->tangents, along, 4);
    expect_floats(document->hull_points, point, 3);
    facet_bsm_free(document);

    /* +X up: x becomes y, and y becomes -x. */
    scene = make_scene();
    add_square(scene, 0, NULL);
    scene->axes.up = FACET_AXIS_X;
    document = write_and_read(scene, NULL);
    const float x_up[] = {0, 0, 0, 0, 1, 0, -1, 1, 0, -1, 0, 0}, y_along[] = {0, 1, 0, 1};
    expect_floats(document->positions, x_up, 12);
    expect_floats(document->tangents, y_along, 4);
    facet_bsm_free(document);

    /* Left-handed: z changes sign, and so do winding and handedness. */
    scene = make_scene();
    add_square(scene, 3, NULL);
    scene->axes.left_handed = true;
    document = write_and_read(scene, NULL);
    const float down[] = {0, 0, -1}, other_hand[] = {1, 0, 0, -1};
    const uint32_t turned[] = {0, 2, 1, 0, 3, 2};
    assert_true(document->positions[2] == -3);
    expect_floats(document->normals, down, 3);
    expect_floats(document->tangents, other_hand, 4);
    expect_indices(document->triangles, turned, 6);
    facet_bsm_free(document);

    /* v from the top: v is mirrored, and so is handedness. */
    scene = make_scene();
    add_square(scene, 0, NULL);
    scene->axes.uv_origin_top = true;
    document = write_and_read(scene, NULL);
    const float flipped[] = {0, 1, 1, 1, 1, 0, 0, 0};
    expect_floats(document->texcoords, flipped, 8);
    expect_floats(document->tangents, other_hand, 4);
    facet_bsm_free(document);
}

TEST(missing_things_are_made_good)
{
    facet_scene *scene = make_scene();
    facet_mesh *mesh = add_square(scene, 0, NULL);
    float *normals = values_of(mesh, FACET_NORMAL), *tangents = values_of(mesh, FACET_TANGENT);
    memset(normals + 3, 0, 3 * sizeof *normals);   /* zero: replaced by the normal of its face,
                                                    * +Z */
    memset(tangents + 4, 0, 3 * sizeof *tangents); /* zero: replaced by a direction in the plane of
                                                    * the face */
    normals[8] = 2;                                /* too long */
    facet_mesh_remove_stream(mesh, facet_mesh_find(mesh, FACET_TEXCOORD, 0));
    uint32_t *indices = mesh->streams[0].indices;
    indices[3] = indices[4]; /* the second triangle has two equal indices */
    facet_report *report = NULL;
    facet_bsm *document = write_and_read(scene, &report);
    const float up[] = {0, 0, 1}, zeros[8] = {0};
    expect_floats(document->normals + 3, up, 3);
    expect_floats(document->normals + 6, up, 3);
    assert_true(document->tangents[6] == 0);
    assert_true(fabsf(document->tangents[4]) + fabsf(document->tangents[5]) == 1);
    expect_floats(document->texcoords, zeros, 8);
    assert_int_equal(document->triangle_count, 1);
    assert_int_equal(test_finding(report, "BSM-TRI-DEGENERATE")->count, 1);
    assert_int_equal(test_finding(report, "BSM-NORMAL-ZERO")->count, 1);
    assert_int_equal(test_finding(report, "BSM-TANGENT-ZERO")->count, 1);
    facet_report_free(report);
    facet_bsm_free(document);
}

TEST(losses_are_named)
{
    static const float numbers[80] = {0};
    facet_scene *scene = make_scene();
    facet_mesh *mesh = add_square(scene, 0, NULL);
    facet_hull *hull = NULL;
    facet_error error;
    facet_part part = {"wing", "", 0, 2};
    add_material(scene, "stone");
    scene->materials[0]->base_color[0] = 0.5F;
    add_stream(mesh, FACET_COLOR, 4, numbers, 4, mesh->streams[0].indices);
    add_stream(mesh, FACET_TEXCOORD, 2, numbers, 4, mesh->streams[0].indices);
    mesh->streams[mesh->stream_count - 1].set = 1;
    add_stream(mesh, FACET_CUSTOM, 1, numbers, 4, mesh->streams[0].indices);
    mesh->streams[mesh->stream_count - 1].name = "age";
    mesh->name = "bird";
    mesh->parts = &part;
    mesh->part_count = 1;
    uint32_t smoothing[2] = {1, 1};
    mesh->face_smoothing = smoothing;
    TEST_OK(facet_scene_add_hull(scene, "beak", 65, &hull, &error), &error);
    for (int i = 0; i < 65 * 3; i++)
        hull->points[i] = (float)(i % 7);
    facet_report *report = NULL;
    facet_bsm_free(write_and_read(scene, &report));
    static const struct {
        const char *rule, *words;
        facet_severity severity;
    } expected[] = {{"LOSS-COLORS", "", FACET_SEVERITY_WARNING},
                    {"LOSS-TEXCOORDS", "", FACET_SEVERITY_WARNING},
                    {"LOSS-CUSTOM", "", FACET_SEVERITY_WARNING},
                    {"LOSS-SMOOTHING", "", FACET_SEVERITY_WARNING},
                    {"LOSS-NAMES", "of parts", FACET_SEVERITY_WARNING},
                    {"LOSS-NAMES", "of meshes", FACET_SEVERITY_NOTE},
                    {"LOSS-NAMES", "of hulls", FACET_SEVERITY_WARNING},
                    {"LOSS-MATERIALS", "colors and maps", FACET_SEVERITY_WARNING},
                    {"LOSS-MATERIALS", "no face has", FACET_SEVERITY_NOTE},
                    {"BSM-HULL-LARGE", "", FACET_SEVERITY_WARNING}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const facet_finding *finding =
            test_finding_saying(report, expected[i].rule, expected[i].words);
        if (!finding)
            fail_msg("%s is not reported", expected[i].rule);
        assert_int_equal(finding->severity, expected[i].severity);
        assert_int_equal(finding->count, 1);
    }
    assert_int_equal(facet_report_count(report), sizeof expected / sizeof *expected);
    facet_report_free(report);
}

static void expect_not_ready(facet_scene *scene)
{
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    assert_int_equal(facet_format_bsm.write(scene, NULL, output, NULL, &error),
                     FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "BSM-NOT-READY");
    assert_int_equal(facet_output_size(output), 0);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(what_is_not_ready_is_refused)
{
    uint32_t own[6] = {0, 1, 2, 0, 2, 3}, offsets[] = {0, 6};
    facet_scene *scene = make_scene();
    facet_mesh *mesh = add_square(scene, 0, NULL);
    facet_mesh_remove_stream(mesh, facet_mesh_find(mesh, FACET_TANGENT, 0));
    expect_not_ready(scene);
    scene = make_scene();
    mesh = add_square(scene, 0, NULL);
    facet_mesh_find(mesh, FACET_NORMAL, 0)->indices = own;
    expect_not_ready(scene);
    scene = make_scene();
    mesh = add_square(scene, 0, NULL);
    mesh->face_count = 1;
    mesh->face_offsets = offsets;
    expect_not_ready(scene);
}

/* -- Describe ----------------------------------------------------------- */

TEST(describe_lists_fields_and_arrays)
{
    uint8_t file[BSM_FULL_SIZE];
    facet_scene *scene = make_scene(); /* for the arena of the description */
    facet_tree detail = {0};
    facet_description description = {0};
    facet_error error;
    bsm_build_full(file);
    bsm_put(file + 0x24, 0x7FC00000); /* a radius that is not a number */
    description.arena = scene->arena;
    description.detail = &detail;
    facet_source source = source_of(file, sizeof file);
    TEST_OK(facet_format_bsm.describe(&source, NULL, &description, &error), &error);
    assert_string_equal(description.version, "1");
    assert_int_equal(description.vertices, 3);
    assert_int_equal(description.triangles, 1);
    assert_int_equal(description.meshes, 1);
    assert_int_equal(description.hulls, 1);
    assert_true(description.has_bounds && description.maximum[0] == 1);
    const facet_tree *sphere = facet_tree_find(&detail, "sphere");
    assert_string_equal(facet_tree_find(sphere, "radius")->string, "NaN");
    const facet_tree *mesh = facet_tree_find(&detail, "meshes")->first;
    assert_string_equal(facet_tree_find(mesh, "material")->string, "red.tga");
    const facet_tree *last = facet_tree_find(&detail, "arrays")->last;
    assert_string_equal(facet_tree_find(last, "name")->string, "occluder triangles");
    assert_int_equal(facet_tree_find(last, "offset")->integer, 0x284);
    assert_int_equal(facet_tree_find(last, "bytes")->integer, 12);
    facet_scene_free(scene);
}

/* -- Errors ------------------------------------------------------------- */

static void attempt_everything(const uint8_t *data, size_t size, void *user)
{
    facet_source source = source_of(data, size);
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_description description = {0};
    facet_tree detail = {0};
    facet_scene *owner = make_scene();
    (void)user;
    description.arena = owner->arena;
    description.detail = &detail;
    facet_format_bsm.describe(&source, NULL, &description, NULL);
    facet_scene_free(owner);
    if (facet_format_bsm.read(&source, NULL, NULL, &scene, NULL))
        return;
    assert_int_equal(facet_scene_check(scene, NULL, NULL), FACET_OK);
    assert_int_equal(facet_output_open_memory(NULL, &output, NULL), FACET_OK);
    facet_format_bsm.write(scene, NULL, output, NULL, NULL);
    facet_output_free(output);
    facet_scene_free(scene);
}

TEST(scene_survives_any_byte_change)
{
    uint8_t file[BSM_FULL_SIZE];
    bsm_build_full(file);
    test_every_mutation(file, sizeof file, attempt_everything, NULL);
}

/* -- Documents and scenes ------------------------------------------------- */

/* Save a scene with facet_save, or a document with its own writer. */
static facet_output *write_either(const facet_scene *scene, const facet_bsm *document)
{
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    if (scene)
        TEST_OK(facet_format_bsm.write(scene, NULL, output, NULL, &error), &error);
    else
        TEST_OK(facet_bsm_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    return output;
}

static void expect_same_output(facet_output *one, facet_output *other)
{
    assert_int_equal(facet_output_size(one), facet_output_size(other));
    assert_memory_equal(facet_output_data(one), facet_output_data(other), facet_output_size(one));
    facet_output_free(one);
    facet_output_free(other);
}

/* A document and its file become equal scenes, and the document is unchanged. A document
 * converted from a scene points into that scene. */
TEST(document_and_file_become_equal_scenes)
{
    uint8_t file[BSM_FULL_SIZE];
    bsm_build_full(file);
    bsm_put(file + 0xC0 + 8, 0x40000000); /* a normal of length 2 */
    facet_source source = source_of(file, sizeof file);
    facet_options options = {.report = make_report()};
    facet_bsm *document = NULL, *back = NULL;
    facet_scene *loaded = NULL, *scene = NULL;
    facet_error error;
    TEST_OK(facet_bsm_read(&source, NULL, &document, &error), &error);
    TEST_OK(facet_format_bsm.read(&source, NULL, NULL, &loaded, &error), &error);
    TEST_OK(facet_bsm_to_scene(document, NULL, &options, &scene, &error), &error);
    TEST_OK(facet_scene_check(scene, NULL, &error), &error);
    const facet_finding *length = test_finding(options.report, "BSM-NORMAL-LENGTH");
    assert_non_null(length);
    assert_int_equal(length->offset, 0xC0);
    assert_true(document->normals[2] == 2);
    assert_true(values_of(scene->meshes[0], FACET_NORMAL)[2] == 1);
    expect_same_output(write_either(scene, NULL), write_either(loaded, NULL));
    facet_bsm_free(document); /* the scene does not depend on the document */
    TEST_OK(facet_bsm_from_scene(scene, NULL, &back, &error), &error);
    assert_ptr_equal(back->positions, values_of(scene->meshes[0], FACET_POSITION));
    assert_int_equal(back->offset[FACET_BSM_POSITIONS], 0);
    expect_same_output(write_either(loaded, NULL), write_either(NULL, back));
    facet_bsm_free(back);
    facet_scene_free(scene);
    facet_scene_free(loaded);
    facet_report_free(options.report);
}

static facet_status attempt_documents(const facet_allocator *allocator, void *user)
{
    facet_options options = {.allocator = allocator};
    facet_bsm *document = NULL, *back = NULL;
    facet_scene *scene = NULL;
    facet_source source = source_of(user, BSM_FULL_SIZE);
    facet_status status = facet_bsm_read(&source, &options, &document, NULL);
    if (!status)
        status = facet_bsm_to_scene(document, NULL, &options, &scene, NULL);
    if (!status)
        status = facet_bsm_from_scene(scene, &options, &back, NULL);
    facet_bsm_free(back);
    facet_bsm_free(document);
    facet_scene_free(scene);
    return status;
}

static facet_status attempt_round_trip(const facet_allocator *allocator, void *user)
{
    facet_options options = {0};
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_source source = source_of(user, BSM_FULL_SIZE);
    options.allocator = allocator;
    facet_status status = facet_format_bsm.read(&source, NULL, &options, &scene, NULL);
    if (!status) {
        scene->axes.left_handed = true; /* so that every array is computed again */
        status = facet_output_open_memory(allocator, &output, NULL);
    }
    if (!status)
        status = facet_format_bsm.write(scene, &options, output, NULL, NULL);
    if (!status)
        status = facet_output_commit(output, NULL);
    facet_output_free(output);
    facet_scene_free(scene);
    return status;
}

TEST(scene_reports_failed_allocations)
{
    uint8_t file[BSM_FULL_SIZE];
    bsm_build_full(file);
    test_every_allocation(attempt_round_trip, file);
    test_every_allocation(attempt_documents, file);
}

/* Numbers far into a large array are checked as well: z of the 2,501st normal. */
TEST(nonfinite_far_into_an_array)
{
    enum { COUNT = 3000, BAD = 2500 };
    static float positions[COUNT * 3], normals[COUNT * 3], tangents[COUNT * 4],
        texcoords[COUNT * 2];
    facet_scene *scene = make_scene();
    facet_mesh *mesh = NULL;
    facet_error error;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    uint32_t *indices = facet_scene_allocate(scene, COUNT, sizeof *indices);
    for (uint32_t i = 0; i < COUNT; i++) {
        indices[i] = i;
        positions[i * 3] = (float)(i / 3) + (i % 3 == 1);
        positions[i * 3 + 1] = i % 3 == 2;
        normals[i * 3 + 2] = tangents[i * 4] = tangents[i * 4 + 3] = 1;
        texcoords[i * 2] = (float)(i % 3 == 1);
    }
    mesh->face_count = COUNT / 3;
    mesh->corner_count = COUNT;
    add_stream(mesh, FACET_POSITION, 3, positions, COUNT, indices);
    add_stream(mesh, FACET_NORMAL, 3, normals, COUNT, indices);
    add_stream(mesh, FACET_TANGENT, 4, tangents, COUNT, indices);
    add_stream(mesh, FACET_TEXCOORD, 2, texcoords, COUNT, indices);
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_format_bsm.write(scene, NULL, output, NULL, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    size_t size = (size_t)facet_output_size(output);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    memcpy(bytes, facet_output_data(output), size);
    facet_bsm_layout layout;
    TEST_OK(facet_bsm_view(bytes, size, &layout, &error), &error);
    uint32_t at = layout.offset[FACET_BSM_NORMALS] + BAD * 12 + 8;
    bsm_put(bytes + at, 0x7FC00000);
    facet_bsm *document = NULL;
    assert_int_equal(facet_bsm_read(TEST_SOURCE(bytes, size), NULL, &document, &error),
                     FACET_ERROR_MALFORMED);
    assert_string_equal(error.rule, "BSM-FLOAT-NONFINITE");
    assert_int_equal(error.offset, at);
    free(bytes);
    facet_output_free(output);
    facet_scene_free(scene);
}
