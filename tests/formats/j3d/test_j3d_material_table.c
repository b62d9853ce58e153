/* Tests of the materials and textures of a BMT that replace those of a model by name, as in
 * games. */
#include "support/j3d_document.h"
#include "support/j3d_make.h"

#include "formats/j3d/file/material_table.h"

#include <facet/convert.h>
#include <facet/scene.h>
#include <string.h>

/* The golden model as a BMT with other colors. `name` replaces the name of its first material;
 * NULL keeps it. */
static test_bytes make_table(const char *name)
{
    size_t size;
    uint8_t *model = golden_copy(&size, false);
    facet_j3d *document = read_file(model, size);
    facet_j3d_material materials[8];
    uint32_t count = document->materials.slot_count;
    facet_error error;
    facet_output *output;
    test_bytes made = {0};
    assert_true(count <= 8);
    for (uint32_t i = 0; i < count; i++) {
        TEST_OK(facet_j3d_get_material(document, i, &materials[i], &error), &error);
        materials[i].gx.material_colors[0] = (facet_gx_rgba8){1, 2, 3, 4};
        materials[i].given.material_colors |= 1;
        if (name)
            materials[i].name = (facet_j3d_name){name, 0};
    }
    TEST_OK(facet_j3d_set_materials(document, materials, count, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_j3d_write(document, NULL, output, &error), &error);
    TEST_OK(facet_output_commit(output, &error), &error);
    facet_source source =
        facet_source_from_memory(facet_output_data(output), (size_t)facet_output_size(output), "");
    facet_output *table;
    TEST_OK(facet_output_open_memory(NULL, &table, &error), &error);
    TEST_OK(facet_copy(&source, facet_format_named("bmt"), NULL, table, &error), &error);
    TEST_OK(facet_output_commit(table, &error), &error);
    test_bytes_put(&made, facet_output_data(table), (size_t)facet_output_size(table));
    facet_output_free(table);
    facet_output_free(output);
    facet_j3d_free(document);
    free(model);
    return made;
}

TEST(materials_of_a_table_take_the_place_of_their_names)
{
    size_t size;
    uint8_t *model = golden_copy(&size, true);
    facet_j3d *document = read_file(model, size), *table;
    test_bytes bytes = make_table(NULL);
    facet_j3d_material before, after;
    facet_error error;
    TEST_OK(facet_j3d_read(TEST_SOURCE(bytes.data, bytes.size), NULL, &table, &error), &error);
    TEST_OK(facet_j3d_get_material(document, 0, &before, &error), &error);
    char name[64];
    facet_j3d_name_text(before.name.bytes, name, sizeof name);
    TEST_OK(facet_j3d_apply_table(document, table, &error), &error);
    TEST_OK(facet_j3d_get_material(document, 0, &after, &error), &error);
    assert_int_equal(after.gx.material_colors[0].g, 2);
    char same[64];
    facet_j3d_name_text(after.name.bytes, same, sizeof same);
    assert_string_equal(name, same);
    assert_false(document->has_packets); /* the packets have the old colors */
    assert_ptr_equal(document->textures.items, table->textures.items);
    facet_j3d_free(table);
    facet_j3d_free(document);
    test_bytes_free(&bytes);
    free(model);
}

static facet_status add(const test_bytes *table, bool is_changed, facet_error *error)
{
    size_t size;
    uint8_t *model = golden_copy(&size, true);
    const facet_source source = facet_source_from_memory(model, size, "");
    facet_scene *scene;
    facet_node *node;
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &scene, error), error);
    if (is_changed)
        TEST_OK(facet_scene_add_node(scene, "more", &node, error), error);
    facet_status status = facet_load_animation(TEST_SOURCE(table->data, table->size), NULL, &source,
                                               NULL, scene, error);
    if (!status)
        assert_int_equal(scene->materials[0]->gx->material_colors[0].b, 3);
    facet_scene_free(scene);
    free(model);
    return status;
}

TEST(table_is_added_to_the_scene_of_its_model_only)
{
    facet_error error;
    test_bytes good = make_table(NULL), other = make_table("another");
    TEST_OK(add(&good, false, &error), &error);
    assert_int_equal(add(&good, true, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "J3D-BMT-SCENE");
    assert_int_equal(add(&other, false, &error), FACET_ERROR_ARGUMENT);
    assert_string_equal(error.rule, "J3D-BMT-NAMES");
    test_bytes_free(&good);
    test_bytes_free(&other);
}
