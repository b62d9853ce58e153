/* Material extensions: reflected light at known angles. Expected values follow from the formulas of
 * KHR_materials_... in the glTF registry. */
#include "base/exact.h"
#include "render/render.h"
#include "scene/material.h"
#include "support/pictures.h"

#include <math.h>

static const float up[3] = {0, 0, 1};
/* At 60 degrees from the normal: along x, along -x, along y. */
#define SINE 0.8660254F
static const float right[3] = {SINE, 0, 0.5F}, left[3] = {-SINE, 0, 0.5F};
static const float far[3] = {0, SINE, 0.5F}, near[3] = {0, -SINE, 0.5F};

/* The renderer's shading parameters of a material, for a black surface of roughness 0.5. */
static facet_render_look look_of(const facet_material *material)
{
    facet_scene *scene = scene_of();
    facet_renderer renderer = {.scene = scene};
    facet_render_material made;
    facet_error error;
    TEST_OK(facet_render_set_material(&renderer, material, scene->arena, &made, &error), &error);
    assert_non_null(made.coating);
    facet_render_look look = made.coating->look;
    look.roughness = 0.5F;
    look.occlusion = 1;
    memcpy(look.clearcoat_normal, up, sizeof up);
    look.tangent[0] = look.bitangent[1] = 1;
    facet_scene_free(scene);
    return look;
}

static facet_material plain(void)
{
    facet_material material;
    facet_material_init(&material);
    material.iridescence_ior = 1.4F; /* without effect, but it creates the parameters */
    return material;
}

static void expect(const facet_render_look *look, const float v[3], const float l[3], double r,
                   double g, double b)
{
    float out[3];
    facet_render_reflect(look, up, v, l, out);
    assert_float_equal(out[0], r, 1e-4);
    assert_float_equal(out[1], g, 1e-4);
    assert_float_equal(out[2], b, 1e-4);
}

/* Roughness 0.5 is alpha 1/4 and a2 1/16. Straight from above D * pi is 1 / a2 = 16 and V is 1/4: a
 * lobe of 4. */
TEST(ior_and_specular_set_the_reflectance)
{
    facet_material m = plain();
    m.ior = 2; /* ((2 - 1) / (2 + 1))^2 = 1/9 */
    facet_render_look look = look_of(&m);
    expect(&look, up, up, 4 / 9.0, 4 / 9.0, 4 / 9.0);
    m.specular = 0.5F;
    m.specular_color[0] = 3, m.specular_color[2] = 18; /* 18/9 is limited to 1 */
    look = look_of(&m);
    expect(&look, up, up, 0.5 * 4 / 3, 0.5 * 4 / 9, 0.5 * 4);
    m.ior = 0;
    m.specular = m.specular_color[0] = m.specular_color[2] = 1;
    look = look_of(&m);
    expect(&look, up, up, 4, 4, 4);
}

/* At 60 degrees on both sides, the half vector is the normal. D * pi is 16.
 * V = 0.5 / (2 * 0.5 * sqrt(0.25 * 15/16 + 1/16)) = 0.5 / 0.544862. (1 - 0.5)^5 = 1/32.
 * Specular 1/2 also halves the reflectance toward grazing angles. */
TEST(specular_weighs_grazing_angles)
{
    facet_material m = plain();
    m.specular = 0.5F;
    facet_render_look look = look_of(&m);
    double lobe = 16 * 0.5 / sqrt(0.25 * 15 / 16 + 1 / 16.0), f = 0.5 * (0.04 + 0.96 / 32);
    expect(&look, left, right, 0.5 * f * lobe, 0.5 * f * lobe, 0.5 * f * lobe);
}

/* White and rough below: 0.96 + 0.04 / 4 = 0.97. The coat reflects 0.04 of a lobe of 4, and removes
 * the same share from below. */
TEST(a_clearcoat_covers_the_surface)
{
    facet_material m = plain();
    m.clearcoat = 1;
    m.clearcoat_roughness = 0.5F;
    facet_render_look look = look_of(&m);
    look.roughness = 1;
    look.color[0] = look.color[1] = look.color[2] = 1;
    expect(&look, up, up, 0.97 * 0.96 + 0.16, 0.97 * 0.96 + 0.16, 0.97 * 0.96 + 0.16);
    look.clearcoat = 0.5F;
    expect(&look, up, up, 0.97 * 0.98 + 0.08, 0.97 * 0.98 + 0.08, 0.97 * 0.98 + 0.08);
}

/* Viewer along x and light along y at 60 degrees: nh^2 is 1 / 2.5, sin^2 is 0.6. Roughness 0.5 is
 * alpha 1/4: D * pi = (2 + 4) / 2 * 0.6^2 = 1.08, V = 1 / (4 * (0.5 + 0.5 - 0.25)) = 1/3. */
TEST(a_sheen_is_bright_at_grazing_angles)
{
    facet_material m = plain();
    m.specular = 0;
    m.sheen_color[0] = 1, m.sheen_color[1] = 0.5F;
    m.sheen_roughness = 0.5F;
    facet_render_look look = look_of(&m);
    expect(&look, right, far, 0.18, 0.09, 0);
    /* A white surface below gets the rest of the incoming light, reduced again by the share of the
     * outgoing light. */
    look.color[0] = look.color[1] = look.color[2] = 1;
    double under = 0.5 * (1 - (double)facet_render_sheen_share(0.5F, 0.5F));
    expect(&look, right, far, under + 0.18, under + 0.09, under);
}

/* The share of all light is the integral over the hemisphere, here a sum over the centers of 200 x
 * 100 equal cells. */
TEST(the_share_of_a_sheen_is_its_integral)
{
    static const double cosines[] = {0.3, 0.55, 0.9}, roughnesses[] = {0.3, 0.5, 0.75, 1};
    for (size_t i = 0; i < 12; i++) {
        double nv = cosines[i % 3], r = roughnesses[i / 3], alpha = r * r, sum = 0;
        for (int a = 0; a < 200; a++) {
            for (int b = 0; b < 100; b++) {
                double nl = (a + 0.5) / 200, angle = (b + 0.5) / 100 * 3.14159265358979;
                double x = sqrt(1 - nl * nl) * cos(angle) + sqrt(1 - nv * nv), z = nl + nv;
                double y = sqrt(1 - nl * nl) * sin(angle);
                double sine = 1 - z * z / (x * x + y * y + z * z);
                double d = (2 + 1 / alpha) * pow(sine, 0.5 / alpha) / 2; /* times pi */
                sum += d / (4 * (nl + nv - nl * nv)) * nl * 2 / 20000;
            }
        }
        assert_float_equal(facet_render_sheen_share((float)nv, (float)r), sum, 0.02);
    }
}

/* 0.96 of the light passes the surface; half of it is not diffused. */
TEST(transmitted_light_has_the_base_color)
{
    facet_material m = plain();
    m.transmission = 0.5F;
    facet_render_look look = look_of(&m);
    float out[3];
    look.color[0] = 1, look.color[1] = 0.5F;
    look.tint[1] = 0.5F;
    facet_render_pass(&look, up, up, out);
    assert_float_equal(out[0], 0.48, 1e-5);
    assert_float_equal(out[1], 0.12, 1e-5);
    assert_float_equal(out[2], 0, 1e-5);
    expect(&look, up, up, 0.48 + 0.16, 0.24 + 0.16, 0.16);
    look.metallic = 1;
    facet_render_pass(&look, up, up, out);
    assert_float_equal(out[0], 0, 0);
}

/* The law of Beer and Lambert: color^(thickness / distance). */
TEST(light_fades_in_a_volume)
{
    assert_float_equal(facet_render_attenuation(0.25F, 2, 1), 0.5, 1e-6);
    assert_float_equal(facet_render_attenuation(0.5F, 1, 3), 0.125, 1e-6);
    assert_float_equal(facet_render_attenuation(0, 2, 1), 0, 0);
    assert_float_equal(facet_render_attenuation(0.5F, 0, 1), 1, 0);
    assert_float_equal(facet_render_attenuation(0.5F, 1, 0), 1, 0);
}

/* In a film of 10 micrometers the phases of all colors average out: the result is the sum of the
 * reflections of both sides. Index 1.5 on one of 3, whose reflectance is 1/4. */
TEST(thick_films_have_no_color)
{
    static const float f0[3] = {0.25F, 0.25F, 0.25F};
    float out[3];
    double top = 0.04, bottom = 1 / 9.0, passes = 1 - top;
    static const float thick[] = {10000, 1e38F};
    for (int i = 0; i < 6; i++) {
        facet_render_film(1.5F, thick[i / 3], f0, 1, out);
        assert_float_equal(out[i % 3], (float)(top + passes * passes * bottom / (1 - top * bottom)),
                           1e-4);
    }
}

/* Index 1.5 on one of 2.25: both sides reflect 0.04, amplitudes of 0.2. If the path through and
 * back is half a wavelength of green, they cancel. If it is a whole one, they add up to (0.4 /
 * 1.04)^2 = 0.148. Eyes also see wavelengths near 550 nm as green. */
TEST(thin_films_cancel_and_amplify)
{
    const float base = (float)pow(1.25 / 3.25, 2), f0[3] = {base, base, base};
    float out[3];
    facet_render_film(1.5F, 550 / 6.0F, f0, 1, out);
    assert_in_range((int)(out[1] * 1000), 0, 20);
    facet_render_film(1.5F, 550 / 3.0F, f0, 1, out);
    assert_in_range((int)(out[1] * 1000), 120, 150);
    /* Without a film, the result is the surface, within the minimum product of the formula. */
    facet_render_film(1.5F, 0, f0, 1, out);
    assert_float_equal(out[1], base, 0.01);
}

/* Strength 1 gives alpha 1 along the tangent and 1/4 across. D * pi is 1 / (1 * 1/4) if the half
 * vector is the normal. V is 0.5 over twice 0.5 * sqrt(alpha^2 * 3/4 + 1/4) at 60 degrees. */
TEST(anisotropy_has_two_roughnesses)
{
    facet_material m = plain();
    m.ior = 0; /* reflects all */
    m.anisotropy = 1;
    facet_render_look look = look_of(&m);
    double along = 4 * 0.5 / sqrt(0.75 + 0.25) * 0.5,
           across = 4 * 0.5 / sqrt(0.75 / 16 + 0.25) * 0.5;
    expect(&look, left, right, along, along, along);
    expect(&look, near, far, across, across, across);
    look.anisotropy = 0;
    double plain_lobe = 16 * 0.5 / sqrt(0.75 / 16 + 0.25) * 0.5;
    expect(&look, near, far, plain_lobe, plain_lobe, plain_lobe);
}

/* Light from straight behind: the transmitted share of the light that the surface does not
 * reflect. */
TEST(diffuse_transmission_shows_light_from_behind)
{
    static const float behind[3] = {0, 0, -1};
    facet_material m = plain();
    m.diffuse_transmission = 0.75F;
    m.diffuse_transmission_color[0] = 0.5F;
    facet_render_look look = look_of(&m);
    look.color[1] = 1;
    expect(&look, up, behind, 0.5 * 0.75 * 0.96, 0.75 * 0.96, 0.75 * 0.96);
    expect(&look, up, up, 0.16, 0.25 * 0.96 + 0.16, 0.16);
}

/* -- Pictures ----------------------------------------------------------- */

/* Glass without reflections in front of a white, unlit square at `z`. */
static facet_scene *glass(facet_material **material)
{
    facet_scene *scene = scene_of();
    uint32_t m = add_material(scene, 1, 0.5f, 0.25f, 1);
    *material = scene->materials[m];
    (*material)->unlit = false;
    (*material)->metallic = 0;
    (*material)->specular = 0;
    (*material)->transmission = 1;
    add_square(scene, m, 0, 0, 0, 1);
    return scene;
}

/* Linear 1, 1/2 and 1/4 are 255, 188 and 137. */
TEST(what_is_behind_glass_has_its_color)
{
    facet_material *material;
    facet_scene *scene = glass(&material);
    uint32_t white = add_material(scene, 1, 1, 1, 1);
    add_square(scene, white, 0, 0, -1, 1);
    facet_picture picture = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(picture, 32, 32, 255, 188, 137, 255);
    facet_picture_free(&picture);
    /* Two panes: the factors squared, 1/4 and 1/16. */
    add_square(scene, 0, 0, 0, 0.5f, 1);
    picture = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(picture, 32, 32, 255, 137, 71, 255);
    facet_picture_free(&picture);
    facet_scene_free(scene);
}

TEST(the_background_shows_through_glass)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    facet_material *material;
    facet_scene *scene = glass(&material);
    facet_picture picture = draw(scene, (facet_render_options){.background = white}, NULL);
    ASSERT_PIXEL(picture, 32, 32, 255, 188, 137, 255);
    facet_picture_free(&picture);
    /* Over an empty background, it looks the same when placed on white. A quarter passes all
     * colors, and 3/4 of the pixel is 1, 1/3 and 0: 255, 156 and 0. */
    picture = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(picture, 32, 32, 255, 156, 0, 191);
    facet_picture_free(&picture);
    facet_scene_free(scene);
}

/* Thickness is in units of the mesh: a node of twice the size changes 0.25^(1/2) to 0.25. */
TEST(a_volume_grows_with_its_node)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    for (int scaled = 0; scaled < 2; scaled++) {
        facet_material *material;
        facet_scene *scene = glass(&material);
        facet_node *node = NULL;
        facet_error error;
        material->base_color[1] = material->base_color[2] = 1;
        material->thickness = 1;
        material->attenuation_distance = 2;
        material->attenuation_color[0] = 0.25F;
        TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
        node->mesh = 0;
        for (int i = 0; i < 3 && scaled; i++)
            node->transform.scale[i] = 2;
        facet_picture picture = draw(scene, (facet_render_options){.background = white}, NULL);
        ASSERT_PIXEL(picture, 32, 32, scaled ? 137 : 188, 255, 255, 255);
        facet_picture_free(&picture);
        facet_scene_free(scene);
    }
}

/* Glass with an alpha mask has holes. */
TEST(a_mask_cuts_glass)
{
    facet_material *material;
    facet_scene *scene = glass(&material);
    material->alpha_mode = FACET_ALPHA_MASK;
    material->base_color[3] = 0.25F;
    facet_picture picture = draw(scene, (facet_render_options){0}, NULL);
    ASSERT_PIXEL(picture, 32, 32, 0, 0, 0, 0);
    facet_picture_free(&picture);
    facet_scene_free(scene);
}

/* Extensions without an effect give the same picture as no extensions. */
TEST(extensions_with_defaults_change_nothing)
{
    for (int metallic = 0; metallic < 2; metallic++) {
        uint8_t seen[2][4];
        for (int with = 0; with < 2; with++) {
            facet_scene *scene = scene_of();
            uint32_t number = add_material(scene, 0.5f, 0.4f, 0.3f, 1);
            facet_material *m = scene->materials[number];
            m->unlit = false;
            m->metallic = (float)metallic;
            m->roughness = 0.5f;
            m->iridescence_ior = with ? 1.4F : 1.3F;
            add_square(scene, 0, 0, 0, 0, 1);
            facet_picture picture = draw(scene, (facet_render_options){0}, NULL);
            memcpy(seen[with], pixel(&picture, 32, 32), 4);
            facet_picture_free(&picture);
            facet_scene_free(scene);
        }
        for (int c = 0; c < 4; c++) {
            assert_in_range(seen[0][c] - seen[1][c] + 255, 254, 256);
        }
    }
}

/* -- Maps --------------------------------------------------------------- */

/* A map of one value is a factor: 128 / 255 of it in the channels that the extension reads. Values
 * in other channels have no effect. */
static void expect_factor(facet_map map, uint8_t r, uint8_t g, uint8_t b, uint8_t a, size_t offset,
                          uint32_t count)
{
    uint8_t seen[2][4];
    for (int mapped = 0; mapped < 2; mapped++) {
        facet_scene *scene = scene_of();
        uint32_t number = add_material(scene, 0.2f, 0.1f, 0.3f, 1);
        facet_material *m = scene->materials[number];
        m->unlit = false;
        m->metallic = 0;
        m->roughness = 0.6f;
        m->clearcoat = m->clearcoat_roughness = m->sheen_roughness = m->sheen_color[0] = 0.8F;
        m->transmission = m->thickness = m->diffuse_transmission = m->iridescence = 0.8F;
        m->attenuation_distance = 0.5F;
        m->attenuation_color[1] = 0.25F;
        m->specular_color[0] = 4;
        if (mapped) {
            const uint8_t t[16] = {r, g, b, a, r, g, b, a, r, g, b, a, r, g, b, a};
            facet_texture *texture = test_map(scene, m, map);
            texture->has_image = true;
            texture->image = add_image(scene, t);
        } else {
            for (uint32_t i = 0; i < count; i++)
                ((float *)((char *)m + offset))[i] *= (float)(128 / 255.0);
        }
        add_square(scene, 0, 0, 0, 0, 1);
        facet_picture picture = draw(scene, (facet_render_options){0}, NULL);
        memcpy(seen[mapped], pixel(&picture, 32, 32), 4);
        facet_picture_free(&picture);
        facet_scene_free(scene);
    }
    for (int c = 0; c < 4; c++) {
        assert_in_range(seen[0][c] - seen[1][c] + 255, 254, 256);
    }
}

#define FACTOR(map, r, g, b, a, member, count) \
    expect_factor(map, r, g, b, a, offsetof(facet_material, member), count)

/* Colors are encoded: 188 is linear 0.5029, and 128 / 255 is 0.502. */
TEST(extension_maps_are_factors_in_their_channels)
{
    FACTOR(FACET_MAP_SPECULAR_FACTOR, 9, 99, 199, 128, specular, 1);
    FACTOR(FACET_MAP_SPECULAR_COLOR, 188, 188, 188, 9, specular_color, 3);
    FACTOR(FACET_MAP_CLEARCOAT, 128, 99, 199, 9, clearcoat, 1);
    FACTOR(FACET_MAP_CLEARCOAT_ROUGHNESS, 9, 128, 199, 99, clearcoat_roughness, 1);
    FACTOR(FACET_MAP_SHEEN_COLOR, 188, 188, 188, 9, sheen_color, 3);
    FACTOR(FACET_MAP_SHEEN_ROUGHNESS, 9, 99, 199, 128, sheen_roughness, 1);
    FACTOR(FACET_MAP_TRANSMISSION, 128, 99, 199, 9, transmission, 1);
    FACTOR(FACET_MAP_THICKNESS, 9, 128, 199, 99, thickness, 1);
    FACTOR(FACET_MAP_IRIDESCENCE, 128, 99, 199, 9, iridescence, 1);
    FACTOR(FACET_MAP_DIFFUSE_TRANSMISSION, 9, 99, 199, 128, diffuse_transmission, 1);
    FACTOR(FACET_MAP_DIFFUSE_TRANSMISSION_COLOR, 188, 188, 188, 9, diffuse_transmission_color, 3);
}

/* The limit of 1 applies after the texture: 50 / 4 of half the light is 1, like 4 / 4 without
 * it. */
static void set_reflectance(facet_material *m, bool mapped)
{
    m->metallic = 0;
    m->ior = 3; /* 1/4 */
    m->specular_color[0] = mapped ? 50 : 4;
}

/* Check that two materials give one square the same pixels. */
static void expect_same(void (*set)(facet_material *m, bool mapped), facet_map map,
                        const uint8_t texel[4])
{
    uint8_t seen[2][4];
    for (int mapped = 0; mapped < 2; mapped++) {
        facet_scene *scene = scene_of();
        uint32_t number = add_material(scene, 0.8f, 0.6f, 0.4f, 1);
        facet_material *m = scene->materials[number];
        m->unlit = false;
        m->roughness = 0.4f;
        set(m, mapped);
        if (mapped) {
            uint8_t t[16];
            for (int i = 0; i < 16; i++)
                t[i] = texel[i % 4];
            test_map(scene, m, map)->has_image = true;
            m->maps[map]->image = add_image(scene, t);
        }
        add_square(scene, 0, 0, 0, 0, 1);
        facet_picture picture =
            draw(scene, (facet_render_options){.azimuth = 20, .elevation = 35}, NULL);
        memcpy(seen[mapped], pixel(&picture, 32, 32), 4);
        facet_picture_free(&picture);
        facet_scene_free(scene);
    }
    for (int c = 0; c < 4; c++)
        assert_in_range(seen[0][c] - seen[1][c] + 255, 254, 256);
}

static void set_film(facet_material *m, bool mapped)
{
    m->iridescence = 1;
    m->iridescence_thickness[0] = 200;
    m->iridescence_thickness[1] = mapped ? 600 : 200 + 400 * 128 / 255.0F;
}

/* The direction along v, which is up in the image, is a quarter turn. */
static void set_turned_grooves(facet_material *m, bool mapped)
{
    m->anisotropy = mapped ? 1 : 128 / 255.0F;
    m->anisotropy_rotation = mapped ? 0 : 1.57079633F;
}

static void set_grooves(facet_material *m, bool mapped)
{
    m->anisotropy = mapped ? 1 : 128 / 255.0F;
    m->anisotropy_rotation = 0.5F;
}

TEST(maps_choose_iridescence_and_anisotropy)
{
    expect_same(set_reflectance, FACET_MAP_SPECULAR_COLOR, (const uint8_t[4]){188, 255, 255, 9});
    expect_same(set_film, FACET_MAP_IRIDESCENCE_THICKNESS, (const uint8_t[4]){9, 128, 99, 199});
    expect_same(set_turned_grooves, FACET_MAP_ANISOTROPY, (const uint8_t[4]){128, 255, 128, 9});
    expect_same(set_grooves, FACET_MAP_ANISOTROPY, (const uint8_t[4]){255, 128, 128, 9});
}

/* -- Logarithms --------------------------------------------------------- */

TEST(logarithms_are_exact)
{
    assert_true(facet_exact_log2(8) == 3 && facet_exact_log2(1) == 0);
    for (double x = 1e-30; x < 1e30; x *= 1.7)
        assert_true(fabs(facet_exact_log2(x) - log2(x)) < 1e-13);
}
