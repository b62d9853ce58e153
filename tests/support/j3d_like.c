/* tests/support/j3d_like.c - scenes saved like an original model. */
#include "support/j3d_like.h"

#include "formats/j3d/format.h"
#include "support/support.h"

#include <facet/convert.h>
#include <string.h>

test_bytes test_like_bdl(test_bytes bytes)
{
    facet_error error;
    facet_output *output = NULL;
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_copy(TEST_SOURCE(bytes.data, bytes.size), facet_format_named("bdl"), NULL, output,
                       &error),
            &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes made = {0};
    test_bytes_put(&made, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
    test_bytes_free(&bytes);
    return made;
}

test_bytes test_like_character(const test_j3d_kind_of_character *kind, facet_j3d_kind file)
{
    test_j3d *model = test_j3d_character(kind);
    test_bytes bytes = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    return file == FACET_J3D_BMD3 ? bytes : test_like_bdl(bytes);
}

facet_scene *test_like_load(const void *data, size_t size, const char *format)
{
    facet_error error;
    facet_scene *scene = NULL;
    facet_load_options how = {.images = true};
    TEST_OK(
        facet_load(TEST_SOURCE(data, size), facet_format_named(format), &how, NULL, &scene, &error),
        &error);
    return scene;
}

facet_scene *test_like_through_glb(const test_bytes *model)
{
    facet_error error;
    facet_output *output = NULL;
    facet_scene *scene = test_like_load(model->data, model->size, "bdl");
    TEST_OK(facet_prepare(scene, facet_format_named("glb"), NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named("glb"), NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_scene_free(scene);
    scene = test_like_load(facet_output_data(output), (size_t)facet_output_size(output), "glb");
    facet_output_free(output);
    return scene;
}

test_bytes test_like_save(facet_scene *scene, const test_bytes *original, const char *format,
                          facet_report *report)
{
    facet_error error;
    facet_output *output = NULL;
    facet_source like = {0};
    if (original)
        like = *TEST_SOURCE(original->data, original->size);
    facet_j3d_options j3d = {.like = original ? &like : NULL};
    facet_options options = {.j3d = &j3d, .report = report};
    TEST_OK(facet_prepare(scene, facet_format_named(format), NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, facet_format_named(format), &options, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    test_bytes made = {0};
    test_bytes_put(&made, facet_output_data(output), (size_t)facet_output_size(output));
    facet_output_free(output);
    facet_scene_free(scene);
    return made;
}

void test_like_assert_same(const test_bytes *a, const test_bytes *b)
{
    assert_int_equal(a->size, b->size);
    for (size_t i = 0; i < a->size; i++) {
        if (a->data[i] != b->data[i])
            fail_msg("byte %zu is %02X, not %02X", i, a->data[i], b->data[i]);
    }
}

facet_j3d *test_like_read(const test_bytes *bytes)
{
    facet_error error;
    facet_j3d *document = NULL;
    TEST_OK(facet_j3d_read(TEST_SOURCE(bytes->data, bytes->size), NULL, &document, &error), &error);
    return document;
}

void test_like_assert_clean(const test_bytes *bytes)
{
    facet_error error;
    facet_report *report = NULL;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    TEST_OK(facet_j3d_check(TEST_SOURCE(bytes->data, bytes->size), NULL, report, &error), &error);
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity == FACET_SEVERITY_ERROR)
            fail_msg("%s %s", finding->rule, finding->message);
    }
    facet_report_free(report);
}

void test_like_assert_same_section(const test_bytes *a, const test_bytes *b, const char *magic)
{
    size_t at = test_j3d_section(a, magic), there = test_j3d_section(b, magic);
    assert_true(at != SIZE_MAX && there != SIZE_MAX);
    size_t size = (size_t)a->data[at + 5] << 16 | (size_t)a->data[at + 6] << 8 | a->data[at + 7];
    assert_memory_equal(a->data + at, b->data + there, size);
}

void test_like_assert_same_shapes_but(const facet_j3d *a, const facet_j3d *b, uint32_t shape)
{
    for (uint32_t i = 0; i < a->shapes.count; i++) {
        const facet_j3d_shape *x = &a->shapes.items[i], *y = &b->shapes.items[i];
        if (i == shape)
            continue;
        assert_int_equal(x->packet_count, y->packet_count);
        assert_int_equal(x->type, y->type);
        assert_memory_equal(x->minimum, y->minimum, sizeof x->minimum);
        for (uint32_t k = 0; k < x->packet_count; k++) {
            const facet_j3d_display_list *one = &a->shapes.display_lists[x->first_display_list + k],
                                         *two = &b->shapes.display_lists[y->first_display_list + k];
            assert_int_equal(one->size, two->size);
            assert_memory_equal(one->bytes, two->bytes, one->size);
        }
    }
    for (int i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        const facet_j3d_array *x = &a->vertices.arrays[i], *y = &b->vertices.arrays[i];
        if (!x->bytes)
            continue;
        assert_int_equal(x->format->component, y->format->component);
        assert_int_equal(x->format->fraction_bits, y->format->fraction_bits);
        assert_true(y->count >= x->count);
        assert_memory_equal(x->bytes, y->bytes, (size_t)x->count * x->stride);
    }
}

void test_like_drop_extras(facet_scene *scene)
{
    scene->extras = NULL;
    scene->gx_file = NULL;
    for (uint32_t i = 0; i < scene->node_count; i++)
        scene->nodes[i]->extras = NULL, scene->nodes[i]->gx_file = NULL;
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        scene->meshes[i]->extras = NULL, scene->meshes[i]->gx_file = NULL;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        scene->materials[i]->extras = NULL;
        scene->materials[i]->gx_file = NULL;
    }
    for (uint32_t i = 0; i < scene->image_count; i++)
        scene->images[i]->extras = NULL;
}

facet_mesh *test_like_mesh(facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        if (strncmp(scene->meshes[i]->name, name, strlen(name)) == 0)
            return scene->meshes[i];
    }
    fail_msg("there is no mesh %s", name);
    return NULL;
}

facet_node *test_like_node(facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (strcmp(scene->nodes[i]->name, name) == 0 && scene->nodes[i]->mesh == FACET_NONE)
            return scene->nodes[i];
    }
    fail_msg("no node is called %s", name);
    return NULL;
}
