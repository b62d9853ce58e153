/* formats/j3d/test_j3d_like_materials.c - save like an original: edited materials and pictures. */
#include "support/j3d_like.h"
#include "support/support.h"

#include <facet/image.h>
#include <facet/j3d.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const test_j3d_kind_of_character floats = {FACET_J3D_F32, 0};

/* A material with a changed color comes from the scene; the others keep all fields. */
TEST(edited_material_leaves_others_unchanged)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    facet_material *hat = NULL;
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (strcmp(scene->materials[i]->name, "hat_m") == 0)
            hat = scene->materials[i];
    }
    assert_non_null(hat);
    hat->base_color[0] = 0.5F;
    facet_report *report = NULL;
    facet_error error;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    test_bytes made = test_like_save(scene, &original, "bdl", report);
    const facet_finding *finding = test_finding(report, "J3D-LIKE-MATERIAL");
    assert_non_null(finding);
    assert_non_null(strstr(finding->message, "hat_m"));
    facet_report_free(report);
    test_like_assert_clean(&made);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    for (uint32_t i = 0; i < 5; i++) {
        facet_j3d_material x, y;
        TEST_OK(facet_j3d_get_material(before, i, &x, &error), &error);
        TEST_OK(facet_j3d_get_material(after, i, &y, &error), &error);
        assert_string_equal(x.name.bytes, y.name.bytes);
        if (i != 2) {
            assert_memory_equal(&x.gx, &y.gx, sizeof x.gx);
            continue;
        }
        /* Half of red in linear light is 188 of 255 on the screen: 255 * (1.055 * 0.5^(1/2.4) -
         * 0.055) = 187.5. The model has vertex colors, so a second stage multiplies by it. */
        assert_int_equal(y.gx.stage_count, 2);
        assert_int_equal(y.gx.konst_colors[0].r, 188);
    }
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A picture of 10 x 6 for a mirrored texture gets sides that are powers of two, with a warning,
 * with an original and with extras. */
TEST(odd_sides_of_repeating_textures_are_resized)
{
    for (int way = 0; way < 2; way++) {
        test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
        facet_scene *scene = test_like_through_glb(&original);
        facet_report *report;
        facet_error error;
        uint32_t i = 0;
        while (strcmp(scene->images[i]->name, "eye") != 0)
            i++;
        TEST_OK(facet_image_decode(scene->arena, scene->images[i], NULL, &error), &error);
        TEST_OK(facet_image_resize(scene->arena, scene->images[i], 10, 6, true, &error), &error);
        scene->images[i]->data = NULL;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = test_like_save(scene, way ? &original : NULL, "bdl", report);
        assert_non_null(test_finding_saying(report, "LOSS-TEXTURES", "of 10 x 6 texels"));
        facet_j3d *after = test_like_read(&made);
        assert_int_equal(after->textures.items[1].header.width, 8);
        assert_true(after->textures.items[1].header.height == 8 ||
                    after->textures.items[1].header.height == 4);
        facet_j3d_free(after);
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* Without an original, a material without extras samples a known image by other wrap modes: its
 * texture is a new one with the same texels. Extras keep their wrap modes, with a warning. */
TEST(other_wrap_modes_of_a_known_image_are_kept_apart)
{
    for (int own = 0; own < 2; own++) {
        test_bytes original = test_like_character(&floats, FACET_J3D_BMD3);
        facet_scene *scene = test_like_through_glb(&original);
        facet_report *report;
        facet_error error;
        uint32_t m = 0;
        while (strcmp(scene->materials[m]->name, "hat_m") != 0)
            m++;
        if (!own)
            scene->materials[m]->extras = NULL, scene->materials[m]->gx_file = NULL;
        scene->materials[m]->maps[FACET_MAP_DIFFUSE]->wrap_u = FACET_WRAP_CLAMP;
        scene->materials[m]->maps[FACET_MAP_DIFFUSE]->wrap_v = FACET_WRAP_REPEAT;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = test_like_save(scene, NULL, "bmd", report);
        assert_int_equal(
            test_finding_saying(report, "LOSS-TEXTURES", "differ from those of its extras") != NULL,
            own);
        facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
        uint32_t count = before->textures.count;
        assert_int_equal(after->textures.count, own ? count : count + 1);
        for (uint32_t i = 0; i < count; i++) {
            const facet_bti_header *x = &before->textures.items[i].header,
                                   *y = &after->textures.items[i].header;
            assert_true(x->wrap_s == y->wrap_s && x->wrap_t == y->wrap_t);
            assert_true(x->format == y->format && x->level_count == y->level_count);
        }
        if (!own) {
            const facet_j3d_texture *known = &after->textures.items[1],
                                    *made_one = &after->textures.items[count];
            assert_string_equal(after->textures.names.items[count].bytes, "eye");
            assert_true(made_one->header.wrap_s == 0 && made_one->header.wrap_t == 1);
            assert_int_equal(made_one->header.format, known->header.format);
            assert_int_equal(made_one->image, known->image);
            uint32_t slot = 0;
            facet_j3d_material hat;
            while (strcmp(after->materials.names.items[slot].bytes, "hat_m") != 0)
                slot++;
            TEST_OK(facet_j3d_get_material(after, slot, &hat, &error), &error);
            assert_int_equal(hat.gx.textures[0], count);
        }
        facet_j3d_free(before);
        facet_j3d_free(after);
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* A picture of 10 x 6 for a new texture that repeats along u only keeps its height. */
TEST(only_repeating_sides_are_resized)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BMD3);
    facet_scene *scene = test_like_through_glb(&original);
    facet_error error;
    test_like_drop_extras(scene);
    facet_texture *map = NULL;
    for (uint32_t m = 0; m < scene->material_count; m++) {
        if (strcmp(scene->materials[m]->name, "hat_m") == 0)
            map = scene->materials[m]->maps[FACET_MAP_DIFFUSE];
    }
    assert_non_null(map);
    map->wrap_u = FACET_WRAP_MIRROR;
    map->wrap_v = FACET_WRAP_CLAMP;
    facet_image *image = scene->images[map->image];
    image->gx_file = NULL;
    TEST_OK(facet_image_decode(scene->arena, image, NULL, &error), &error);
    TEST_OK(facet_image_resize(scene->arena, image, 10, 6, true, &error), &error);
    image->data = NULL;
    test_bytes made = test_like_save(scene, NULL, "bmd", NULL);
    facet_j3d *after = test_like_read(&made);
    uint32_t found = 0;
    for (uint32_t i = 0; i < after->textures.count; i++)
        found += after->textures.items[i].header.width == 8 &&
                 after->textures.items[i].header.height == 6;
    assert_int_equal(found, 1);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A removed material is kept, with a warning. */
TEST(removed_material_is_reported)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    for (int removed = 0; removed < 2; removed++) {
        facet_scene *scene = test_like_through_glb(&original);
        facet_mesh *hat = test_like_mesh(scene, "shape2");
        facet_report *report;
        facet_error error;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        for (uint32_t f = 0; f < hat->face_count && removed; f++)
            hat->face_materials[f] = FACET_NONE;
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        test_like_assert_same(&original, &made);
        assert_int_equal(
            test_finding_saying(report, "J3D-LIKE-MATERIAL", "shape 2 have no material") != NULL,
            removed);
        facet_report_free(report);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

static facet_material *material_named(facet_scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (strcmp(scene->materials[i]->name, name) == 0)
            return scene->materials[i];
    }
    fail_msg("no material '%s'", name);
    return NULL;
}

/* Names of two materials are swapped, or both have one: the meshes show which is which. Each is
 * reported, and nothing changes. */
TEST(swapped_and_duplicated_names_of_materials_change_nothing)
{
    for (int way = 0; way < 2; way++) {
        test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
        facet_scene *scene = test_like_through_glb(&original);
        facet_report *report;
        facet_error error;
        test_like_drop_extras(scene);
        facet_material *hat = material_named(scene, "hat_m"), *eyes = material_named(scene, "eyes");
        hat->name = way == 0 ? "eyes" : "eyes.001";
        eyes->name = way == 0 ? "hat_m" : "eyes";
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        test_like_assert_same(&original, &made);
        assert_non_null(
            test_finding_saying(report, "J3D-LIKE-MATERIAL", "looks like 'hat_m' of its shape"));
        assert_int_equal(test_finding_saying(report, "J3D-LIKE-MATERIAL",
                                             "looks like 'eyes' of its shape") != NULL,
                         way == 0);
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* Two slots look alike, and differ in what a scene does not show. Faces that get the other material
 * get the other slot's fields: the name is right. */
TEST(names_count_if_materials_look_alike)
{
    test_j3d *model = test_j3d_character(&floats);
    model->materials[0].gx = model->materials[2].gx;
    model->materials[0].given = model->materials[2].given;
    model->materials[2].gx.early_depth ^= 1;
    test_bytes original = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    facet_scene *scene = test_like_through_glb(&original);
    facet_mesh *face = test_like_mesh(scene, "shape3");
    facet_error error;
    uint32_t hat = 0;
    test_like_drop_extras(scene);
    while (strcmp(scene->materials[hat]->name, "hat_m") != 0)
        hat++;
    for (uint32_t f = 0; f < face->face_count; f++)
        face->face_materials[f] = hat;
    test_bytes made = test_like_save(scene, &original, "bmd", NULL);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    facet_j3d_material x, y;
    TEST_OK(facet_j3d_get_material(before, 2, &x, &error), &error);
    TEST_OK(facet_j3d_get_material(after, 0, &y, &error), &error);
    assert_int_equal(x.gx.early_depth, y.gx.early_depth);
    TEST_OK(facet_j3d_get_material(before, 0, &y, &error), &error);
    assert_int_not_equal(x.gx.early_depth, y.gx.early_depth);
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A material with a new name keeps all fields, and the slot gets the name. An edited one comes from
 * the scene. */
TEST(renamed_material_keeps_its_fields)
{
    for (int edited = 0; edited < 2; edited++) {
        test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
        facet_scene *scene = test_like_through_glb(&original);
        facet_report *report;
        facet_error error;
        test_like_drop_extras(scene);
        facet_material *hat = material_named(scene, "hat_m");
        hat->name = "cap";
        hat->base_color[0] *= edited ? 0.5F : 1;
        TEST_OK(facet_report_create(NULL, &report, &error), &error);
        test_bytes made = test_like_save(scene, &original, "bdl", report);
        test_like_assert_clean(&made);
        assert_int_equal(
            test_finding_saying(report, "J3D-LIKE-MATERIAL", "'hat_m' is called 'cap' now") != NULL,
            !edited);
        facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
        facet_j3d_material x, y;
        TEST_OK(facet_j3d_get_material(before, 2, &x, &error), &error);
        TEST_OK(facet_j3d_get_material(after, 2, &y, &error), &error);
        assert_string_equal(y.name.bytes, "cap");
        assert_string_equal(after->packets.names.items[2].bytes, "cap");
        assert_int_equal(memcmp(&x.gx, &y.gx, sizeof x.gx) != 0, edited);
        for (uint32_t i = 0; i < before->packets.count && !edited; i++) {
            assert_int_equal(before->packets.items[i].size, after->packets.items[i].size);
            assert_memory_equal(before->packets.items[i].bytes, after->packets.items[i].bytes,
                                before->packets.items[i].size);
        }
        facet_j3d_free(before);
        facet_j3d_free(after);
        facet_report_free(report);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* J3D has no roughness: a value that another program sets does not count as an edit. */
TEST(roughness_is_no_edit)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        scene->materials[i]->roughness = 0.5F;
        scene->materials[i]->metallic = 0.25F;
    }
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_same(&original, &made);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* Paint the first image "eye" white, also if all images have the names of files. The texture is
 * encoded in its previous format; the others keep their bytes. */
static void paint_eye(bool is_file)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    facet_error error;
    uint32_t painted = 0;
    for (uint32_t i = 0; i < scene->image_count; i++) {
        facet_image *image = scene->images[i];
        bool is_eye = strcmp(image->name, "eye") == 0;
        if (is_file && is_eye)
            image->name = painted == 0 ? "eye.png" : "eye.png.001";
        if (!is_eye || painted++ > 0)
            continue;
        TEST_OK(facet_image_decode(scene->arena, image, NULL, &error), &error);
        for (size_t k = 0; k < (size_t)image->width * image->height * image->channels; k++)
            ((uint8_t *)image->pixels)[k] = 255;
        image->data = NULL;
    }
    assert_int_equal(painted, 2);
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_clean(&made);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    assert_int_equal(after->textures.count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        const facet_j3d_texture *x = &before->textures.items[i], *y = &after->textures.items[i];
        assert_string_equal(before->textures.names.items[i].bytes,
                            after->textures.names.items[i].bytes);
        assert_int_equal(x->header.format, y->header.format);
        assert_int_equal(x->header.wrap_s, y->header.wrap_s);
        assert_int_equal(x->header.level_count, y->header.level_count);
        const facet_j3d_texels *one = &before->textures.texels[x->image],
                               *two = &after->textures.texels[y->image];
        assert_int_equal(one->size, two->size);
        if (i != 1)
            assert_memory_equal(one->bytes, two->bytes, one->size);
        for (size_t k = 0; i == 1 && k < two->size; k++) /* white in RGB5A3 */
            assert_int_equal(two->bytes[k], 0xFF);
    }
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

TEST(repainted_texture_keeps_its_format)
{
    paint_eye(false);
    paint_eye(true);
}

/* A missing image changes nothing: it is the texture of the original by its name, or of unknown
 * content. A material that is edited otherwise keeps the texture. */
TEST(missing_images_change_nothing)
{
    for (int way = 0; way < 3; way++) {
        test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
        facet_load_options how = {.images = true, .keep_missing_images = true};
        facet_scene *scene = test_like_through_glb(&original);
        facet_error error;
        test_like_drop_extras(scene);
        for (uint32_t i = 0; i < scene->image_count; i++) {
            scene->images[i]->data = NULL;
            scene->images[i]->size = 0;
            scene->images[i]->path = way == 1 ? "absent.png" : scene->images[i]->name;
            if (way == 1)
                scene->images[i]->name = "absent";
        }
        TEST_OK(
            facet_scene_load_images(scene, TEST_SOURCE((const uint8_t *)"", 0), &how, NULL, &error),
            &error);
        for (uint32_t m = 0; m < scene->material_count && way == 2; m++) {
            if (strcmp(scene->materials[m]->name, "hat_m") == 0)
                scene->materials[m]->base_color[0] = 0.5F;
        }
        test_bytes made = test_like_save(scene, &original, "bdl", NULL);
        if (way < 2) {
            test_like_assert_same(&original, &made);
        } else {
            facet_j3d *after = test_like_read(&made);
            facet_j3d_material hat;
            TEST_OK(facet_j3d_get_material(after, 2, &hat, &error), &error);
            assert_int_equal(hat.gx.konst_colors[0].r, 188);
            assert_int_equal(hat.gx.textures[0], 1);
            test_like_assert_same_section(&original, &made, "TEX1");
            facet_j3d_free(after);
        }
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* Reduce the scene to what an FBX (`numbered` false: images have extensions) or a COLLADA (images
 * have only numbers) stores: colors, opacity and textures, without flags, samplers and extras. */
static void make_plain(facet_scene *scene, bool numbered)
{
    facet_error error;
    test_like_drop_extras(scene);
    for (uint32_t m = 0; m < scene->material_count; m++) {
        facet_material *material = scene->materials[m];
        facet_texture *texture = material->maps[FACET_MAP_DIFFUSE];
        facet_classic classic;
        facet_classic_init(&classic);
        for (int i = 0; i < 3; i++)
            classic.diffuse[i] = texture ? 1 : material->base_color[i];
        classic.stated = FACET_CLASSIC_DIFFUSE;
        TEST_OK(facet_scene_set_classic(scene, material, &classic, &error), &error);
        material->sides_unknown = true;
        material->double_sided = material->unlit = false;
        if (texture) {
            texture->wrap_u = texture->wrap_v = FACET_WRAP_REPEAT;
            texture->minify = texture->magnify = FACET_FILTER_DEFAULT;
            texture->has_transform = false;
        }
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        char name[64], *copy = facet_scene_allocate(scene, 1, sizeof name);
        assert_non_null(copy);
        if (numbered)
            snprintf(name, sizeof name, "model_texture_%04u.png", (unsigned)i + 1);
        else
            snprintf(name, sizeof name, "%s.png", scene->images[i]->name);
        memcpy(copy, name, sizeof name);
        scene->images[i]->name = copy;
        scene->images[i]->gx_file = NULL;
    }
}

/* Properties that a format cannot express are unknown, not edited. The character has a two-sided
 * material, one with alpha test, and textures that are mirrored or clamped. */
TEST(plain_formats_change_nothing)
{
    for (int numbered = 0; numbered < 2; numbered++) {
        test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
        facet_scene *scene = test_like_through_glb(&original);
        uint32_t sides = 0, masks = 0, wraps = 0;
        for (uint32_t m = 0; m < scene->material_count; m++) {
            const facet_texture *texture = scene->materials[m]->maps[FACET_MAP_DIFFUSE];
            sides += scene->materials[m]->double_sided;
            masks += scene->materials[m]->alpha_mode == FACET_ALPHA_MASK;
            wraps += texture && texture->wrap_u + texture->wrap_v > 0;
        }
        assert_true(sides > 0 && masks > 0 && wraps > 0);
        make_plain(scene, numbered);
        test_bytes made = test_like_save(scene, &original, "bdl", NULL);
        test_like_assert_same(&original, &made);
        test_bytes_free(&made);
        test_bytes_free(&original);
    }
}

/* Images with other names are found by their pixels. */
TEST(renamed_images_change_nothing)
{
    static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    test_like_drop_extras(scene);
    assert_true(scene->image_count <= 8);
    for (uint32_t i = 0; i < scene->image_count; i++)
        scene->images[i]->name = names[i];
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    test_like_assert_same(&original, &made);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A repainted image without a known name is that of the material that shows it. A property that
 * such a format does express is an edit. */
TEST(plain_formats_keep_edits)
{
    test_bytes original = test_like_character(&floats, FACET_J3D_BDL4);
    facet_scene *scene = test_like_through_glb(&original);
    facet_error error;
    make_plain(scene, true);
    for (uint32_t m = 0; m < scene->material_count; m++) {
        facet_material *material = scene->materials[m];
        if (strcmp(material->name, "hat_m") == 0) {
            facet_image *image = scene->images[material->maps[FACET_MAP_DIFFUSE]->image];
            TEST_OK(facet_image_decode(scene->arena, image, NULL, &error), &error);
            memset(image->pixels, 255, (size_t)image->width * image->height * image->channels);
            image->data = NULL;
        }
        if (strcmp(material->name, "eyes") == 0)
            material->double_sided = true;
    }
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    assert_int_equal(after->textures.count, 7);
    for (uint32_t i = 0; i < 5; i++) {
        facet_j3d_material x, y;
        TEST_OK(facet_j3d_get_material(before, i, &x, &error), &error);
        TEST_OK(facet_j3d_get_material(after, i, &y, &error), &error);
        if (i > 0)
            assert_memory_equal(&x.gx, &y.gx, sizeof x.gx);
        else
            assert_int_equal(y.gx.cull_mode, 0);
    }
    for (uint32_t i = 0; i < 7; i++) {
        const facet_j3d_texels *one = &before->textures.texels[before->textures.items[i].image],
                               *two = &after->textures.texels[after->textures.items[i].image];
        assert_int_equal(one->size, two->size);
        for (size_t k = 0; i == 1 && k < two->size; k++)
            assert_int_equal(two->bytes[k], 0xFF);
        if (i != 1)
            assert_memory_equal(one->bytes, two->bytes, one->size);
    }
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}
