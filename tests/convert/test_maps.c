/* Texture maps of MTL, FBX and COLLADA for formats that have only one of each kind. The expected
 * pixels are computed here. */
#include "support/mesh.h"

#include "convert/maps.h"

#include <facet/image.h>

static uint32_t add_image(facet_scene *scene, const char *name, uint32_t width, uint32_t height,
                          uint32_t channels, const uint8_t *pixels)
{
    facet_image *image = NULL;
    assert_int_equal(facet_scene_add_image(scene, name, &image, NULL), FACET_OK);
    image->width = width;
    image->height = height;
    image->channels = channels;
    image->pixels = facet_scene_allocate(scene, (size_t)width * height, channels);
    assert_non_null(image->pixels);
    memcpy(image->pixels, pixels, (size_t)width * height * channels);
    return scene->image_count - 1;
}

static facet_material *start(facet_scene **scene)
{
    facet_material *material = NULL;
    assert_int_equal(facet_scene_create(NULL, scene, NULL), FACET_OK);
    assert_int_equal(facet_scene_add_material(*scene, "m", &material, NULL), FACET_OK);
    return material;
}

static void use(facet_scene *scene, facet_material *m, facet_map map, uint32_t image)
{
    facet_texture *texture = test_map(scene, m, map);
    texture->has_image = true;
    texture->image = image;
}

/* Set the classic part after the maps, like readers do. */
static void set_classic(facet_scene *scene, facet_material *m, float opacity)
{
    facet_classic classic;
    facet_classic_init(&classic);
    classic.opacity = opacity;
    classic.stated = FACET_CLASSIC_OPACITY;
    assert_int_equal(facet_scene_set_classic(scene, m, &classic, NULL), FACET_OK);
}

static bool settle(facet_scene *scene)
{
    bool changed = false;
    assert_int_equal(facet_scene_combine_maps(scene, FACET_NEED_ALPHA | FACET_NEED_PHYSICAL_MAPS,
                                              NULL, &changed, NULL),
                     FACET_OK);
    return changed;
}

static void expect_pixels(facet_scene *scene, uint32_t image, uint32_t channels,
                          const uint8_t *expected, size_t size)
{
    assert_int_equal(facet_image_decode(scene->arena, scene->images[image], NULL, NULL), FACET_OK);
    assert_int_equal(scene->images[image]->channels, channels);
    assert_memory_equal(scene->images[image]->pixels, expected, size);
}

/* 4 x 4 gray pixels with this alpha. The first `others` have another alpha. */
static uint32_t add_alpha(facet_scene *scene, uint8_t alpha, uint8_t other, int others)
{
    uint8_t pixels[32];
    for (int i = 0; i < 16; i++) {
        pixels[2 * i] = 128;
        pixels[2 * i + 1] = i < others ? other : alpha;
    }
    return add_image(scene, "a", 4, 4, 2, pixels);
}

TEST(alpha_mode_follows_from_the_pixels)
{
    static const struct {
        uint8_t alpha, other;
        int others;
        facet_alpha_mode mode;
    } cases[] = {{255, 255, 0, FACET_ALPHA_OPAQUE}, {255, 240, 16, FACET_ALPHA_OPAQUE},
                 {255, 0, 8, FACET_ALPHA_MASK},     {255, 128, 1, FACET_ALPHA_BLEND},
                 {0, 128, 1, FACET_ALPHA_MASK}, /* one of 16 is an edge */
                 {0, 128, 2, FACET_ALPHA_BLEND},    {200, 0, 0, FACET_ALPHA_BLEND}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int map = 0; map < 2; map++) { /* alone, and also as map of opacity */
            facet_scene *scene;
            facet_material *m = start(&scene);
            uint32_t image = add_alpha(scene, cases[i].alpha, cases[i].other, cases[i].others);
            use(scene, m, FACET_MAP_DIFFUSE, image);
            if (map)
                use(scene, m, FACET_MAP_OPACITY, image);
            set_classic(scene, m, 1);
            bool changed = settle(scene);
            assert_int_equal(m->alpha_mode, cases[i].mode);
            assert_int_equal(changed, map || cases[i].mode != FACET_ALPHA_OPAQUE);
            assert_null(m->maps[FACET_MAP_OPACITY]);
            assert_int_equal(scene->image_count, 1);
            facet_scene_free(scene);
        }
    }
}

/* An explicit alpha mode is kept: from glTF, and with a factor below 1. */
TEST(stated_alpha_mode_is_kept)
{
    for (int which = 0; which < 2; which++) {
        facet_scene *scene;
        facet_material *m = start(&scene);
        use(scene, m, FACET_MAP_DIFFUSE, add_alpha(scene, 255, 0, 8));
        if (which)
            set_classic(scene, m, 0.5F);
        assert_false(settle(scene));
        assert_int_equal(m->alpha_mode, which ? FACET_ALPHA_BLEND : FACET_ALPHA_OPAQUE);
        facet_scene_free(scene);
    }
}

/* A separate mask, half as large as the colors: gray, or with an alpha channel, which takes
 * precedence. */
TEST(separate_mask_becomes_alpha)
{
    static const uint8_t colors[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};
    static const uint8_t gray[] = {255, 0}, alpha[] = {9, 255, 9, 0};
    static const uint8_t expected[] = {10, 20, 30, 255, 40,  50,  60,  255,
                                       70, 80, 90, 0,   100, 110, 120, 0};
    for (uint32_t channels = 1; channels <= 2; channels++) {
        facet_scene *scene;
        facet_material *m = start(&scene), *other = NULL;
        use(scene, m, FACET_MAP_DIFFUSE, add_image(scene, "colors.png", 4, 1, 3, colors));
        use(scene, m, FACET_MAP_OPACITY,
            add_image(scene, "mask.png", 2, 1, channels, channels == 1 ? gray : alpha));
        set_classic(scene, m, 1);
        assert_int_equal(facet_scene_add_material(scene, "n", &other, NULL), FACET_OK);
        memcpy(other->maps, m->maps, sizeof m->maps);
        set_classic(scene, other, 1);
        assert_true(settle(scene));
        assert_int_equal(scene->image_count, 3); /* created once for both */
        for (uint32_t i = 0; i < 2; i++) {
            const facet_material *made = scene->materials[i];
            assert_int_equal(made->alpha_mode, FACET_ALPHA_MASK);
            assert_int_equal(made->maps[FACET_MAP_DIFFUSE]->image, 2);
            assert_null(made->maps[FACET_MAP_OPACITY]);
        }
        assert_string_equal(scene->images[2]->name, "colors+mask");
        expect_pixels(scene, 2, 4, expected, sizeof expected);
        facet_scene_free(scene);
    }
}

/* Without a color map the new image is white. Maps with different transforms cannot share one
 * image. */
TEST(mask_without_colors_becomes_white_alpha)
{
    static const uint8_t gray[] = {255, 0}, expected[] = {255, 255, 255, 255, 255, 255, 255, 0};
    facet_scene *scene;
    facet_material *m = start(&scene);
    use(scene, m, FACET_MAP_OPACITY, add_image(scene, "mask.png", 2, 1, 1, gray));
    set_classic(scene, m, 1);
    assert_true(settle(scene));
    expect_pixels(scene, m->maps[FACET_MAP_DIFFUSE]->image, 4, expected, sizeof expected);
    facet_scene_free(scene);

    m = start(&scene);
    use(scene, m, FACET_MAP_DIFFUSE, add_image(scene, "a", 2, 1, 1, gray));
    use(scene, m, FACET_MAP_OPACITY, add_image(scene, "b", 2, 1, 1, gray));
    m->maps[FACET_MAP_OPACITY]->wrap_u = FACET_WRAP_CLAMP;
    set_classic(scene, m, 1);
    assert_false(settle(scene));
    assert_non_null(m->maps[FACET_MAP_OPACITY]);
    facet_scene_free(scene);
}

TEST(roughness_and_metallic_maps_are_combined)
{
    static const uint8_t rough[] = {11, 22}, metal[] = {33, 0, 0, 44, 0, 0};
    static const uint8_t both[] = {255, 11, 33, 255, 22, 44}, one[] = {255, 11, 255, 255, 22, 255};
    for (int which = 0; which < 2; which++) {
        facet_scene *scene;
        facet_material *m = start(&scene);
        use(scene, m, FACET_MAP_ROUGHNESS, add_image(scene, "r", 2, 1, 1, rough));
        if (which == 0)
            use(scene, m, FACET_MAP_METALLIC, add_image(scene, "m", 2, 1, 3, metal));
        assert_true(settle(scene));
        assert_null(m->maps[FACET_MAP_ROUGHNESS]);
        assert_null(m->maps[FACET_MAP_METALLIC]);
        expect_pixels(scene, m->maps[FACET_MAP_METALLIC_ROUGHNESS]->image, 3,
                      which == 0 ? both : one, sizeof both);
        facet_scene_free(scene);
    }
}

TEST(only_bluish_bump_maps_become_normal_maps)
{
    static const struct {
        uint8_t rgb[3];
        bool is_normal;
    } cases[] = {{{128, 128, 255}, true}, {{128, 128, 128}, false}, {{220, 180, 140}, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scene;
        facet_material *m = start(&scene);
        use(scene, m, FACET_MAP_BUMP, add_image(scene, "b", 1, 1, 3, cases[i].rgb));
        m->maps[FACET_MAP_BUMP]->strength = 0.25F;
        assert_int_equal(settle(scene), cases[i].is_normal);
        const facet_texture *there =
            m->maps[cases[i].is_normal ? FACET_MAP_NORMAL : FACET_MAP_BUMP];
        assert_non_null(there);
        assert_float_equal((double)there->strength, 0.25, 0);
        facet_scene_free(scene);
    }
}

/* An image of a scene that a program built has only pixels: a GLB stores it as PNG. */
TEST(pixels_of_a_built_scene_are_written)
{
    static uint8_t pixels[] = {255, 0, 0, 255, 0, 255, 0, 128};
    static const float triangle[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    facet_scene *scene = NULL, *again = NULL;
    facet_mesh *mesh;
    facet_material *material;
    facet_image *image;
    facet_texture *texture;
    facet_output *output = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    TEST_OK(facet_scene_add_material(scene, "m", &material, &error), &error);
    TEST_OK(facet_scene_add_image(scene, "i", &image, &error), &error);
    image->pixels = pixels, image->width = 2, image->height = 1, image->channels = 4;
    TEST_OK(facet_scene_add_map(scene, material, FACET_MAP_DIFFUSE, &texture, &error), &error);
    texture->has_image = true;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = 1, mesh->corner_count = 3;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 3, triangle,
                                       NULL, NULL, &error),
            &error);
    mesh->face_materials = facet_scene_allocate(scene, 1, sizeof(uint32_t));
    mesh->face_materials[0] = 0;
    const facet_format *glb = facet_format_named("glb");
    TEST_OK(facet_prepare(scene, glb, NULL, NULL, NULL, &error), &error);
    TEST_OK(facet_output_open_memory(NULL, &output, &error), &error);
    TEST_OK(facet_save(scene, glb, NULL, output, &error), &error);
    facet_source source = test_source_of(output, "a.glb");
    TEST_OK(facet_load(&source, NULL, NULL, NULL, &again, &error), &error);
    assert_int_equal(again->image_count, 1);
    TEST_OK(facet_image_decode(again->arena, again->images[0], NULL, &error), &error);
    assert_int_equal(again->images[0]->width, 2);
    assert_int_equal(again->images[0]->channels, 4);
    assert_memory_equal(again->images[0]->pixels, pixels, sizeof pixels);
    facet_scene_free(again);
    facet_output_free(output);
    facet_scene_free(scene);
}

/* The alpha of an opaque material is not shown in glTF, but in MTL, FBX and COLLADA. A second
 * material that blends keeps it. */
TEST(opaque_materials_get_an_image_without_alpha)
{
    static const uint8_t pixels[8] = {10, 20, 30, 60, 40, 50, 60, 255},
                         solid[6] = {10, 20, 30, 40, 50, 60};
    for (int shared = 0; shared < 2; shared++) {
        facet_scene *scene;
        facet_material *m = start(&scene), *blends = NULL;
        bool changed = false;
        use(scene, m, FACET_MAP_DIFFUSE, add_image(scene, "i", 2, 1, 4, pixels));
        m->maps[FACET_MAP_DIFFUSE]->path = "i.png";
        if (shared) {
            assert_int_equal(facet_scene_add_material(scene, "b", &blends, NULL), FACET_OK);
            blends->alpha_mode = FACET_ALPHA_BLEND;
            use(scene, blends, FACET_MAP_DIFFUSE, 0);
        }
        assert_int_equal(facet_scene_combine_maps(scene, FACET_NEED_OPAQUE, NULL, &changed, NULL),
                         FACET_OK);
        assert_true(changed);
        assert_int_equal(scene->image_count, 1 + shared);
        assert_int_equal(m->maps[FACET_MAP_DIFFUSE]->image, shared);
        assert_string_equal(m->maps[FACET_MAP_DIFFUSE]->path, "");
        expect_pixels(scene, (uint32_t)shared, 3, solid, sizeof solid);
        if (shared)
            assert_int_equal(blends->maps[FACET_MAP_DIFFUSE]->image, 0);
        facet_scene_free(scene);
    }
}
