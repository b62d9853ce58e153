/* formats/j3d/test_j3d_like_samplers.c - save like an original: edited wrap modes and filters. */
#include "support/j3d_like.h"
#include "support/support.h"

#include <facet/convert.h>
#include <facet/gx_bti.h>
#include <facet/image.h>
#include <facet/j3d.h>
#include <string.h>

static const test_j3d_kind_of_character floats = {FACET_J3D_F32, 0};

enum { EYES = 0, HAT = 2, TEXTURES = 7, EYE = 1, FIRST_MODE = 0x80, FIRST_SIZE = 0x88 };

/* A character whose materials "eyes" and "hat_m" show texture 1, if `shared`; else only "hat_m". */
static test_bytes make_original(bool shared, unsigned side, unsigned wrap, unsigned min_filter)
{
    test_j3d *model = test_j3d_character(&floats);
    if (shared)
        model->materials[EYES].gx.textures[0] = EYE;
    model->textures[EYE].header.width = model->textures[EYE].header.height = (uint16_t)side;
    model->textures[EYE].header.wrap_s = (uint8_t)wrap;
    model->textures[EYE].header.min_filter = (uint8_t)min_filter;
    test_bytes bmd = test_j3d_write(model, FACET_J3D_BMD3);
    test_j3d_free(model);
    return test_like_bdl(bmd);
}

static facet_texture *map_of(facet_scene *scene, const char *material)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        if (strcmp(scene->materials[i]->name, material) == 0)
            return scene->materials[i]->maps[FACET_MAP_DIFFUSE];
    }
    fail_msg("no material '%s'", material);
    return NULL;
}

/* The value of a register of textures in a packet. */
static uint32_t register_of(const facet_j3d_packet *packet, uint8_t number)
{
    for (uint32_t i = 0; i + 5 <= packet->size; i++) {
        const uint8_t *at = packet->bytes + i;
        if (at[0] == 0x61 && at[1] == number)
            return (uint32_t)at[2] << 16 | (uint32_t)at[3] << 8 | at[4];
    }
    fail_msg("the packet has no register %02X", number);
    return 0;
}

/* Expect equal packets, except for the mode register of map 0 in slots of `edited`. */
static void assert_packets(const facet_j3d *before, const facet_j3d *after, uint32_t edited)
{
    assert_true(before->has_packets && after->has_packets);
    assert_int_equal(before->packets.count, after->packets.count);
    for (uint32_t i = 0; i < before->packets.count; i++) {
        const facet_j3d_packet *x = &before->packets.items[i], *y = &after->packets.items[i];
        uint32_t differing = 0;
        assert_int_equal(x->size, y->size);
        for (uint32_t k = 0; k < x->size; k++)
            differing += x->bytes[k] != y->bytes[k];
        assert_int_equal(differing != 0, edited >> i & 1);
        assert_true(differing <= 3); /* a register has three bytes */
    }
}

static facet_report *make_report(void)
{
    facet_error error;
    facet_report *report;
    TEST_OK(facet_report_create(NULL, &report, &error), &error);
    return report;
}

/* The wrap modes and filters of "eye" are edited in the material "hat_m": the texture's header and
 * the packet's register change, and nothing else. */
TEST(edited_sampler_changes_only_its_texture)
{
    test_bytes original = make_original(false, 4, 2, 1);
    facet_scene *scene = test_like_through_glb(&original);
    facet_report *report = make_report();
    facet_texture *map = map_of(scene, "hat_m");
    assert_int_equal(map->wrap_u, FACET_WRAP_MIRROR);
    map->wrap_u = FACET_WRAP_REPEAT;
    map->wrap_v = FACET_WRAP_CLAMP;
    map->minify = map->magnify = FACET_FILTER_NEAREST;
    test_bytes made = test_like_save(scene, &original, "bdl", report);
    assert_non_null(test_finding_saying(report, "J3D-LIKE-TEXTURE",
                                        "'eye' was edited: it has wraps REPEAT, CLAMP and filters "
                                        "NEAREST, NEAREST"));
    assert_null(test_finding(report, "J3D-LIKE-MATERIAL"));
    test_like_assert_same_section(&original, &made, "MAT3");
    test_like_assert_same_section(&original, &made, "SHP1");
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    assert_int_equal(after->textures.count, TEXTURES);
    for (uint32_t i = 0; i < TEXTURES; i++) {
        facet_bti_header x = before->textures.items[i].header, y = after->textures.items[i].header;
        if (i == EYE) {
            assert_true(y.wrap_s == 1 && y.wrap_t == 0 && y.min_filter == 0 && y.mag_filter == 0);
            x.wrap_s = 1;
            x.wrap_t = x.min_filter = x.mag_filter = 0;
        }
        assert_memory_equal(&x, &y, sizeof x);
    }
    assert_packets(before, after, 1U << HAT);
    /* Bits of the register: wrap s 0 and 1, wrap t 2 and 3, magnify 4, minify 5 to 7. REPEAT is 1,
     * CLAMP 0, NEAREST 0. */
    assert_int_equal(register_of(&after->packets.items[HAT], FIRST_MODE) & 0xFF, 1);
    facet_j3d_free(before);
    facet_j3d_free(after);
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* Two materials show one texture. If one is edited, it gets a new texture with the same texels; if
 * both are edited alike, the texture changes. */
TEST(edited_sampler_of_a_shared_texture_is_a_new_texture)
{
    test_bytes original = make_original(true, 4, 2, 1);
    facet_j3d *before = test_like_read(&original);
    for (int both = 0; both < 2; both++) {
        facet_scene *scene = test_like_through_glb(&original);
        facet_error error;
        map_of(scene, "hat_m")->wrap_u = FACET_WRAP_CLAMP;
        if (both)
            map_of(scene, "eyes")->wrap_u = FACET_WRAP_CLAMP;
        test_bytes made = test_like_save(scene, &original, "bdl", NULL);
        test_like_assert_clean(&made);
        facet_j3d *after = test_like_read(&made);
        const facet_j3d_textures *t = &after->textures;
        assert_int_equal(t->count, both ? TEXTURES : TEXTURES + 1);
        assert_int_equal(t->texels_count, before->textures.texels_count);
        assert_int_equal(t->items[EYE].header.wrap_s, both ? 0 : 2);
        for (uint32_t i = 0; i < 5; i++) {
            facet_j3d_material x, y;
            TEST_OK(facet_j3d_get_material(before, i, &x, &error), &error);
            TEST_OK(facet_j3d_get_material(after, i, &y, &error), &error);
            assert_string_equal(x.name.bytes, y.name.bytes);
            if (i == HAT && !both) {
                assert_int_equal(y.gx.textures[0], TEXTURES);
                x.gx.textures[0] = TEXTURES;
            }
            assert_memory_equal(&x.gx, &y.gx, sizeof x.gx);
        }
        if (!both) {
            assert_string_equal(t->names.items[TEXTURES].bytes, "eye");
            assert_int_equal(t->items[TEXTURES].image, t->items[EYE].image);
            assert_int_equal(t->items[TEXTURES].header.wrap_s, 0);
        }
        assert_packets(before, after, both ? 1U << HAT | 1U << EYES : 1U << HAT);
        assert_int_equal(register_of(&after->packets.items[HAT], FIRST_MODE) & 3, 0);
        facet_j3d_free(after);
        test_bytes_free(&made);
    }
    facet_j3d_free(before);
    test_bytes_free(&original);
}

/* Blender writes one filter for both, with mip levels: that is an edit only if it changed from
 * linear to nearest. Blender shows a texture with one linear filter as linear. */
TEST(filters_of_blender_are_no_edit)
{
    test_bytes original = make_original(false, 4, 2, 0);
    for (int nearest = 0; nearest < 2; nearest++) {
        facet_scene *scene = test_like_through_glb(&original);
        scene->generator = "Khronos glTF Blender I/O v3.4.50";
        for (uint32_t i = 0; i < scene->material_count; i++) {
            facet_texture *map = scene->materials[i]->maps[FACET_MAP_DIFFUSE];
            if (map) {
                map->minify = FACET_FILTER_LINEAR_MIPMAP_LINEAR;
                map->magnify = FACET_FILTER_LINEAR;
            }
        }
        if (nearest) {
            map_of(scene, "hat_m")->minify = FACET_FILTER_NEAREST_MIPMAP_NEAREST;
            map_of(scene, "hat_m")->magnify = FACET_FILTER_NEAREST;
        }
        test_bytes made = test_like_save(scene, &original, "bdl", NULL);
        facet_j3d *after = test_like_read(&made);
        assert_int_equal(after->textures.items[EYE].header.min_filter, 0);
        assert_int_equal(after->textures.items[EYE].header.mag_filter, !nearest);
        if (!nearest)
            test_like_assert_same(&original, &made);
        facet_j3d_free(after);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}

/* A texture of 3 x 3 cannot repeat. */
TEST(repeat_of_odd_sides_is_reported)
{
    test_bytes original = make_original(false, 3, 0, 1);
    facet_scene *scene = test_like_through_glb(&original);
    facet_report *report = make_report();
    map_of(scene, "hat_m")->wrap_u = FACET_WRAP_REPEAT;
    test_bytes made = test_like_save(scene, &original, "bdl", report);
    assert_non_null(test_finding_saying(report, "TEX1-SIDES", "'eye' has 3 x 3 texels"));
    facet_report_free(report);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A picture of another size changes the size in the packet: bits 0 to 9 are the width - 1. */
TEST(packets_have_the_size_of_a_repainted_picture)
{
    test_bytes original = make_original(false, 4, 0, 1);
    facet_scene *scene = test_like_through_glb(&original);
    facet_error error;
    facet_image *image = scene->images[map_of(scene, "hat_m")->image];
    TEST_OK(facet_image_decode(scene->arena, image, NULL, &error), &error);
    TEST_OK(facet_image_resize(scene->arena, image, 16, 4, true, &error), &error);
    image->data = NULL;
    test_bytes made = test_like_save(scene, &original, "bdl", NULL);
    facet_j3d *before = test_like_read(&original), *after = test_like_read(&made);
    assert_int_equal(register_of(&before->packets.items[HAT], FIRST_SIZE) & 0x3FF, 3);
    assert_int_equal(register_of(&after->packets.items[HAT], FIRST_SIZE) & 0x3FF, 15);
    facet_j3d_free(before);
    facet_j3d_free(after);
    test_bytes_free(&made);
    test_bytes_free(&original);
}

/* A repainted picture of 3 x 3 keeps its sides; the option lets it repeat. */
TEST(option_that_repeats_odd_sides_is_reported)
{
    test_bytes original = make_original(false, 3, 0, 1);
    facet_scene *scene = test_like_through_glb(&original);
    facet_report *report = make_report();
    facet_error error;
    facet_source like = *TEST_SOURCE(original.data, original.size);
    facet_bti_options bti = {.wrap = "MIRROR"};
    facet_j3d_options j3d = {.like = &like};
    facet_options options = {.j3d = &j3d, .bti = &bti, .report = report};
    facet_image *image = scene->images[map_of(scene, "hat_m")->image];
    facet_j3d *made = NULL;
    TEST_OK(facet_image_decode(scene->arena, image, NULL, &error), &error);
    memset(image->pixels, 0x40, (size_t)3 * 3 * image->channels);
    image->data = NULL;
    TEST_OK(facet_j3d_from_scene(scene, &options, &made, &error), &error);
    assert_int_equal(made->textures.items[EYE].header.width, 3);
    assert_int_equal(made->textures.items[EYE].header.wrap_t, 2);
    assert_non_null(test_finding_saying(report, "TEX1-SIDES", "'eye' has 3 x 3 texels"));
    facet_j3d_free(made);
    facet_scene_free(scene);
    facet_report_free(report);
    test_bytes_free(&original);
}

/* Settings also apply to textures of the original, and to their packets. */
TEST(settings_apply_to_textures_that_are_kept)
{
    static const char *const setting = "ey*:wrap=REPEAT";
    test_bytes original = make_original(false, 4, 2, 1);
    for (int all = 0; all < 2; all++) {
        facet_error error;
        facet_output *output = NULL;
        facet_source like = *TEST_SOURCE(original.data, original.size);
        facet_bti_options bti = {.settings = &setting, .setting_count = 1};
        facet_bti_options bti_all = {.wrap = "REPEAT"};
        facet_j3d_options j3d = {.like = &like};
        facet_options options = {.j3d = &j3d, .bti = all ? &bti_all : &bti};
        facet_scene *scene = test_like_through_glb(&original);
        TEST_OK(facet_prepare(scene, facet_format_named("bdl"), NULL, NULL, NULL, &error), &error);
        TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
        TEST_OK(facet_save(scene, facet_format_named("bdl"), &options, output, &error), &error);
        TEST_OK(facet_output_commit(output, &error), &error);
        test_bytes made = {0};
        test_bytes_put(&made, facet_output_data(output), (size_t)facet_output_size(output));
        facet_j3d *after = test_like_read(&made);
        /* "cloth" clamps; "eye" mirrors; all others repeat. */
        assert_int_equal(after->textures.items[EYE].header.wrap_s, 1);
        assert_int_equal(after->textures.items[6].header.wrap_t, all);
        assert_int_equal(register_of(&after->packets.items[HAT], FIRST_MODE) & 3, 1);
        test_like_assert_same_section(&original, &made, "MAT3");
        facet_j3d_free(after);
        facet_output_free(output);
        facet_scene_free(scene);
        test_bytes_free(&made);
    }
    test_bytes_free(&original);
}
