/* Each feature of materials in a separate picture. Expected values follow from arithmetic, or from
 * a second scene without the feature: a normal map equals its normals, and a texture of one color
 * equals a factor. */
#include "render/studio.h"
#include "support/pictures.h"

#include <math.h>
#include <stdlib.h>

/* -- Physically based --------------------------------------------------- */

/* A lit square of one gray material, neither smooth nor metallic. */
static facet_scene *lit_square(facet_material **material, facet_mesh **mesh)
{
    facet_scene *scene = scene_of();
    uint32_t m = add_material(scene, 0.5f, 0.4f, 0.3f, 1);
    facet_material *made = scene->materials[m];
    made->unlit = false;
    made->metallic = 0;
    made->roughness = 0.5f;
    *mesh = add_square(scene, m, 0, 0, 0, 1);
    *material = made;
    return scene;
}

/* Set a map of one texel. */
static void set_map(facet_scene *scene, facet_map map, uint8_t r, uint8_t g, uint8_t b)
{
    const uint8_t texels[16] = {r, g, b, 255, r, g, b, 255, r, g, b, 255, r, g, b, 255};
    uint32_t image = add_image(scene, texels);
    facet_texture *t = test_map(scene, scene->materials[0], map);
    t->has_image = true;
    t->image = image;
    t->magnify = t->minify = FACET_FILTER_NEAREST;
}

/* Check that the middle pixels of two scenes are equal, with an error of at most `off` of 255. */
static void assert_same(facet_scene *a, facet_scene *b, int off)
{
    facet_picture one = draw_and_free(a), other = draw_and_free(b);
    for (int c = 0; c < 4; c++) {
        int difference = pixel(&one, 32, 32)[c] - pixel(&other, 32, 32)[c];
        assert_in_range(difference + 255, 255 - off, 255 + off);
    }
    facet_picture_free(&one);
    facet_picture_free(&other);
}

/* Check that the middle pixels of two scenes differ by at least `apart` in some channel. */
static void assert_apart(facet_scene *a, facet_scene *b, int apart)
{
    facet_picture one = draw_and_free(a), other = draw_and_free(b);
    int most = 0;
    for (int c = 0; c < 4; c++) {
        int difference = abs(pixel(&one, 32, 32)[c] - pixel(&other, 32, 32)[c]);
        most = difference > most ? difference : most;
    }
    assert_true(most >= apart);
    facet_picture_free(&one);
    facet_picture_free(&other);
}

static void add_tangents(facet_mesh *mesh, float hand)
{
    const float tangents[16] = {1, 0, 0, hand, 1, 0, 0, hand, 1, 0, 0, hand, 1, 0, 0, hand};
    facet_error error;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_TANGENT, 0, NULL, FACET_FLOAT32, 4, 4, tangents,
                                       NULL, NULL, &error),
            &error);
}

/* The texel 178, 204, 230 is (0.396, 0.6, 0.804) of length 1.08: right, up, out. The result is the
 * same with tangents and without, because the texture's directions agree. v increases downward
 * here, so the bitangent of the square points down: -1. With the other handedness, y is inverted.
 * The scale of normals stretches only x and y. */
TEST(normal_maps_are_normals)
{
    const float x = 178 / 127.5f - 1, y = 204 / 127.5f - 1, z = 230 / 127.5f - 1;
    static const struct {
        float hand, scale, up;
    } cases[] = {{0, 1, 1}, {-1, 1, 1}, {1, 1, -1}, {-1, 0.5f, 1}, {-1, 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_material *m, *other;
        facet_mesh *mesh, *plain;
        facet_scene *mapped = lit_square(&m, &mesh), *expected = lit_square(&other, &plain);
        if (cases[i].hand != 0)
            add_tangents(mesh, cases[i].hand);
        set_map(mapped, FACET_MAP_NORMAL, 178, 204, 230);
        mapped->materials[0]->maps[FACET_MAP_NORMAL]->strength = cases[i].scale;
        set_normals(plain, cases[i].scale * x, cases[i].up * cases[i].scale * y, z);
        assert_same(mapped, expected, 0);
    }
}

/* Tangents of the mesh that agree with the texture coordinates give the same grooves and coat
 * normals. No other map needs them. */
TEST(extensions_use_the_tangents_of_the_mesh)
{
    for (int coat = 0; coat < 2; coat++) {
        facet_scene *scenes[2];
        for (int has = 0; has < 2; has++) {
            facet_material *m;
            facet_mesh *mesh;
            scenes[has] = lit_square(&m, &mesh);
            m->metallic = 1;
            m->anisotropy = coat ? 0 : 0.9F;
            m->clearcoat = coat ? 1 : 0;
            if (coat)
                set_map(scenes[has], FACET_MAP_CLEARCOAT_NORMAL, 178, 204, 230);
            if (has)
                add_tangents(mesh, -1);
        }
        assert_same(scenes[0], scenes[1], 0);
    }
}

/* A normal map that leans, with a transform of its coordinates, is lit like the same coordinates in
 * the mesh: mirrored, and after a quarter turn. Offsets do not matter for one texel. */
TEST(normal_maps_follow_their_transform)
{
    static const struct {
        float scale[2], rotation, rows[2][2]; /* rows: of the same transform */
    } cases[] = {{{1, -1}, 0, {{1, 0}, {0, -1}}},
                 {{-2, 1}, 0, {{-2, 0}, {0, 1}}},
                 {{1, 1}, 1.57079633F, {{0, 1}, {-1, 0}}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_scene *scenes[2], *plain;
        facet_material *m;
        facet_mesh *mesh;
        for (int moved = 0; moved < 2; moved++) {
            scenes[moved] = lit_square(&m, &mesh);
            set_map(scenes[moved], FACET_MAP_NORMAL, 200, 160, 220);
            facet_texture *t = m->maps[FACET_MAP_NORMAL];
            t->has_transform = !moved;
            memcpy(t->scale, cases[i].scale, sizeof t->scale);
            t->rotation = cases[i].rotation;
            float *uv = mesh->streams[2].data;
            for (int v = 0; v < 4 && moved; v++, uv += 2) {
                const float u[2] = {uv[0], uv[1]};
                for (int k = 0; k < 2; k++)
                    uv[k] = cases[i].rows[k][0] * u[0] + cases[i].rows[k][1] * u[1];
            }
        }
        plain = lit_square(&m, &mesh);
        set_map(plain, FACET_MAP_NORMAL, 200, 160, 220);
        facet_picture p = draw(scenes[0], (facet_render_options){0}, NULL);
        facet_picture q = draw(plain, (facet_render_options){0}, NULL);
        int difference = pixel(&p, 32, 32)[1] - pixel(&q, 32, 32)[1];
        assert_true(difference > 8 || difference < -8);
        facet_picture_free(&p);
        facet_picture_free(&q);
        facet_scene_free(plain);
        assert_same(scenes[0], scenes[1], 0);
    }
}

/* -- Environments ------------------------------------------------------- */

/* The middle pixel of a lit square under a panorama, seen from an angle. */
static void look_under(facet_material values, const float *panorama, uint32_t width,
                       uint32_t height, double rotation, double exposure, double azimuth,
                       uint8_t out[4])
{
    facet_material *m;
    facet_mesh *mesh;
    facet_scene *scene = lit_square(&m, &mesh);
    memcpy(m->base_color, values.base_color, sizeof m->base_color);
    m->metallic = values.metallic;
    m->roughness = values.roughness;
    m->double_sided = true;
    facet_image image = {.name = "",
                         .media_type = "",
                         .pixels = (void *)(uintptr_t)panorama,
                         .is_float = true,
                         .width = width,
                         .height = height,
                         .channels = 3};
    facet_picture p = draw(scene,
                           (facet_render_options){.has_direction = true,
                                                  .azimuth = azimuth,
                                                  .orthographic = true,
                                                  .environment = &image,
                                                  .environment_rotation = rotation,
                                                  .exposure = exposure},
                           NULL);
    memcpy(out, pixel(&p, 32, 32), 4);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* Light of 1 + z / 2 from each direction illuminates a surface that faces +Z with 1 + 2/3 / 2, and
 * one that faces -Z with 1 - 1/3. For a color of 0.3 that is 0.4 and 0.2. At roughness 1 the
 * surface reflects 0.04 * 0.4524 - 0.0024 = 0.0157 of about the same light. The tone curve
 * subtracts 0.04: 0.381 and 0.171 are the bytes 166 and 115. One stop less than 0.42 is 0.21:
 * nearly 115 again. */
TEST(environments_light_by_their_directions)
{
    enum { W = 64, H = 32 };
    static float panorama[W * H * 3];
    for (int i = 0; i < W * H; i++) {
        double longitude = ((i % W + 0.5) / W - 0.5) * 2 * 3.14159265358979;
        double latitude = (0.5 - (i / W + 0.5) / H) * 3.14159265358979;
        for (int c = 0; c < 3; c++)
            panorama[i * 3 + c] = (float)(1 + 0.5 * cos(latitude) * sin(longitude));
    }
    const facet_material rough = {.base_color = {0.3F, 0.3F, 0.3F, 1}, .roughness = 1};
    static const struct {
        double exposure, azimuth;
        int expected;
    } cases[] = {{0, 0, 166}, {0, 180, 115}, {-1, 0, 115}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t seen[4];
        look_under(rough, panorama, W, H, 0, cases[i].exposure, cases[i].azimuth, seen);
        for (int c = 0; c < 3; c++)
            assert_in_range(seen[c], cases[i].expected - 2, cases[i].expected + 2);
    }
}

/* A mirror that faces +Z shows that direction: red, at three quarters of the panorama's width. A
 * quarter turn counterclockwise brings -X there, the first and last columns, and so on. */
TEST(environments_turn_with_their_rotation)
{
    static const float colors[4][3] = {
        {0, 0, 0.5F}, {0.5F, 0.5F, 0.5F}, {0, 0.5F, 0}, {0.5F, 0, 0}};
    static const int order[4] = {3, 0, 1, 2}; /* order of the colors, at each quarter turn */
    float panorama[4][8][3];
    for (int y = 0; y < 4; y++) {
        for (int x = 0; x < 8; x++)
            memcpy(panorama[y][x], colors[(x + 1) / 2 % 4], sizeof panorama[y][x]);
    }
    const facet_material mirror = {.base_color = {1, 1, 1, 1}, .metallic = 1};
    for (int turn = 0; turn < 4; turn++) {
        uint8_t seen[4];
        look_under(mirror, &panorama[0][0][0], 8, 4, turn * 90, 0, 0, seen);
        for (int c = 0; c < 3; c++) {
            if (colors[order[turn]][c] > 0)
                assert_in_range(seen[c], 150, 200);
            else
                assert_int_equal(seen[c], 0);
        }
    }
}

/* A scene and its camera that are rotated together show the same picture, because the light moves
 * with the camera. */
/* Two lit squares, with a point light in front of them, at `far` on every axis: by their positions,
 * or by nodes. */
static facet_picture draw_far_away(float far, float side, bool by_nodes)
{
    facet_scene *scene = scene_of();
    facet_error error;
    facet_light *light;
    facet_node *node;
    for (int i = 0; i < 2; i++) {
        uint32_t material = add_material(scene, 1, (float)i, 0.25F, 1);
        scene->materials[material]->unlit = false;
        scene->materials[material]->metallic = 0;
        facet_mesh *mesh = add_square(scene, material, (float)i * side, 0, (float)i * side, side);
        float *positions = mesh->streams[0].data;
        for (int k = 0; k < 12; k++)
            positions[k] += by_nodes ? 0 : far;
        TEST_OK(facet_scene_add_node(scene, "n", &node, &error), &error);
        node->mesh = (uint32_t)i;
        for (int k = 0; k < 3; k++)
            node->transform.translation[k] = by_nodes ? far : 0;
    }
    TEST_OK(facet_scene_add_light(scene, "l", &light, &error), &error);
    light->kind = FACET_LIGHT_POINT;
    light->intensity = 64;
    TEST_OK(facet_scene_add_node(scene, "l", &node, &error), &error);
    node->light = 0;
    for (int k = 0; k < 3; k++)
        node->transform.translation[k] = far + (k == 2 ? 16 : 0);
    facet_picture p =
        draw(scene,
             (facet_render_options){
                 .has_direction = true, .azimuth = 20, .elevation = 15, .scene_lights = true},
             NULL);
    facet_scene_free(scene);
    return p;
}

/* Floats have steps of 1 at 10,000,000. Positions are whole numbers there, or a node moves them.
 * The pictures equal those at 0, except for the rounding of the camera's doubles. */
TEST(models_far_from_the_origin_are_framed_as_near_it)
{
    for (int by_nodes = 0; by_nodes < 2; by_nodes++) {
        const float far = 10000000, side = by_nodes ? 0.25F : 8;
        facet_picture near = draw_far_away(0, side, by_nodes);
        facet_picture p = draw_far_away(far, side, by_nodes);
        for (int k = 0; k < 3; k++) {
            assert_true(fabs(p.camera.position[k] - (double)far - near.camera.position[k]) < 1e-6);
            assert_true(fabs(p.minimum[k] - (double)far - near.minimum[k]) < 1e-6);
        }
        uint32_t differing = 0;
        for (uint32_t i = 0; i < 64 * 64; i++) {
            const uint8_t *a = pixel(&near, i % 64, i / 64), *b = pixel(&p, i % 64, i / 64);
            for (int c = 0; c < 4; c++)
                differing += abs(a[c] - b[c]) > 1;
        }
        assert_int_equal(differing, 0);
        assert_true(pixel(&p, 32, 32)[3] == 255);
        facet_picture_free(&near);
        facet_picture_free(&p);
    }
}

TEST(a_rotated_camera_shows_the_same)
{
    /* Columns of a rotation with no zero: (2 1 -2) / 3, (1 2 2) / 3, (2 -2 1) / 3. */
    static const float axes[3][3] = {{2, 1, -2}, {1, 2, 2}, {2, -2, 1}};
    static const float tilts[3][3] = {{0, 0, 1}, {3, -2, 4}, {-1, 4, 2}};
    for (int tilt = 0; tilt < 3; tilt++) {
        facet_material *m;
        facet_mesh *mesh, *turned;
        facet_scene *straight = lit_square(&m, &mesh), *rotated = lit_square(&m, &turned);
        facet_render_camera camera = {.height = 2};
        set_normals(mesh, tilts[tilt][0], tilts[tilt][1], tilts[tilt][2]);
        set_normals(turned, tilts[tilt][0], tilts[tilt][1], tilts[tilt][2]);
        for (int stream = 0; stream < 2; stream++) {
            float *values = turned->streams[stream].data;
            for (int i = 0; i < 4; i++, values += 3) {
                const float v[3] = {values[0], values[1], values[2]};
                for (int k = 0; k < 3; k++)
                    values[k] = (axes[0][k] * v[0] + axes[1][k] * v[1] + axes[2][k] * v[2]) / 3;
            }
        }
        for (int k = 0; k < 3; k++) {
            camera.position[k] = (double)axes[2][k] * 10 / 3;
            camera.up[k] = (double)axes[1][k] / 3;
        }
        facet_picture one = draw_and_free(straight);
        facet_picture other = draw(rotated, (facet_render_options){.camera = &camera}, NULL);
        for (int c = 0; c < 4; c++)
            assert_in_range(pixel(&one, 32, 32)[c] - pixel(&other, 32, 32)[c] + 1, 0, 2);
        facet_picture_free(&one);
        facet_picture_free(&other);
        facet_scene_free(rotated);
    }
}

/* 188 is the byte of 0.5029. Textures of base color and emission decode it; in all others it is 188
 * / 255. */
TEST(textures_are_factors)
{
    const float half = 0.50288647f; /* ((188 / 255 + 0.055) / 1.055) to the power of 2.4 */
    facet_material *m, *other;
    facet_mesh *mesh;
    facet_scene *a = lit_square(&m, &mesh), *b = lit_square(&other, &mesh);
    set_map(a, FACET_MAP_DIFFUSE, 188, 255, 188);
    other->base_color[0] *= half, other->base_color[2] *= half;
    assert_same(a, b, 0);

    a = lit_square(&m, &mesh), b = lit_square(&other, &mesh);
    for (int c = 0; c < 3; c++)
        m->emissive[c] = 0.4f, other->emissive[c] = 0.4f * (c == 1 ? half : 1);
    set_map(a, FACET_MAP_EMISSIVE, 255, 188, 255);
    assert_same(a, b, 0);

    /* Roughness is green, metallic blue; each is multiplied with the material's factor. */
    a = lit_square(&m, &mesh), b = lit_square(&other, &mesh);
    m->roughness = 0.8f, m->metallic = 1;
    set_map(a, FACET_MAP_METALLIC_ROUGHNESS, 7, 102, 51);
    other = b->materials[0];
    other->roughness = 0.8f * 102 / 255, other->metallic = 51 / 255.0f;
    assert_same(a, b, 0);

    /* Occlusion is red, and the strength interpolates between 1 and it: 1 + 0.5 * (0.2 - 1) =
     * 0.6. */
    a = lit_square(&m, &mesh), b = lit_square(&other, &mesh);
    set_map(a, FACET_MAP_OCCLUSION, 51, 9, 200);
    a->materials[0]->maps[FACET_MAP_OCCLUSION]->strength = 0.5f;
    set_map(b, FACET_MAP_OCCLUSION, 153, 250, 3);
    assert_same(a, b, 0);
    a = lit_square(&m, &mesh), b = lit_square(&other, &mesh);
    set_map(a, FACET_MAP_OCCLUSION, 51, 51, 51);
    assert_apart(a, b, 20);
}

TEST(colors_of_vertices_are_factors)
{
    static const float colors[16] = {0.5f, 1, 0.25f, 1, 0.5f, 1, 0.25f, 1,
                                     0.5f, 1, 0.25f, 1, 0.5f, 1, 0.25f, 1};
    facet_material *m, *other;
    facet_mesh *mesh, *plain;
    facet_error error;
    facet_scene *a = lit_square(&m, &mesh), *b = lit_square(&other, &plain);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_COLOR, 0, NULL, FACET_FLOAT32, 4, 4, colors,
                                       NULL, NULL, &error),
            &error);
    other->base_color[0] *= 0.5f, other->base_color[2] *= 0.25f;
    assert_same(a, b, 0);
}

/* Metal has color only in its reflections: red metal reflects no green if seen straight. Smooth
 * surfaces are brighter at the reflection of the light, and lose more when the light moves. */
TEST(metal_has_color_only_in_reflections)
{
    static const double ahead[3] = {0, 0, 1}, aside[3] = {0, 1, 1};
    facet_material *m;
    facet_mesh *mesh;
    uint8_t red[2], levels[2][2];
    for (int metal = 0; metal < 2; metal++) {
        facet_scene *scene = lit_square(&m, &mesh);
        m->metallic = (float)metal;
        m->base_color[0] = 0.3f, m->base_color[1] = m->base_color[2] = 0;
        m->roughness = 1;
        facet_picture p = draw(scene, (facet_render_options){.light = ahead}, NULL);
        red[metal] = pixel(&p, 32, 32)[1];
        assert_true(pixel(&p, 32, 32)[0] > 2 * pixel(&p, 32, 32)[1]);
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
    assert_true(red[1] < red[0] / 2); /* others reflect a twenty-fifth of all light */
    for (int smooth = 0; smooth < 2; smooth++) {
        for (int side = 0; side < 2; side++) {
            facet_scene *scene = lit_square(&m, &mesh);
            m->roughness = smooth ? 0.3f : 0.9f;
            facet_picture p =
                draw(scene, (facet_render_options){.light = side ? aside : ahead}, NULL);
            levels[smooth][side] = pixel(&p, 32, 32)[0];
            facet_picture_free(&p);
            facet_scene_free(scene);
        }
    }
    assert_true(levels[1][0] > levels[0][0] + 20);
    assert_true(levels[1][0] - levels[1][1] > levels[0][0] - levels[0][1] + 20);
}

/* -- The studio --------------------------------------------------------- */

/* The mean of the studio's light, weighted with a lobe about an axis: of a given sharpness, or
 * cosine. It samples 40,000 directions on a spiral. */
static double reflected(const double axis[3], double sharpness, bool cosine)
{
    enum { COUNT = 40000 };
    double sum = 0, weights = 0;
    for (int i = 0; i < COUNT; i++) {
        double z = 1 - (2 * i + 1.0) / COUNT, radius = sqrt(1 - z * z);
        double angle = 2.399963229728653 * i, x = radius * cos(angle), y = radius * sin(angle);
        double along = axis[0] * x + axis[1] * y + axis[2] * z;
        double weight = cosine ? fmax(0, along) : exp(sharpness * (along - 1));
        double light = (double)FACET_STUDIO_WALLS + (double)FACET_STUDIO_CEILING * y;
        for (int k = 0; k < FACET_STUDIO_PANELS; k++) {
            const facet_studio_panel *p = &facet_studio[k];
            light += (double)p->amplitude *
                     exp((double)p->sharpness *
                         ((double)p->x * x + (double)p->y * y + (double)p->z * z - 1));
        }
        sum += weight * light;
        weights += weight;
    }
    return sum / weights;
}

/* Closed forms compared with sums over directions: diffuse light in view within 0.03, and
 * reflections from mirror-like to fully rough within a tenth. */
TEST(studio_is_what_its_panels_give)
{
    static const double axes[6][3] = {{0, 0, 1},     {0, 1, 0},      {0, -1, 0},
                                      {0.6, 0, 0.8}, {-0.8, 0.6, 0}, {0, -0.6, 0.8}};
    for (int i = 0; i < 6; i++) {
        const double *a = axes[i];
        const float x = (float)a[0], y = (float)a[1], z = (float)a[2];
        double diffuse = (double)facet_studio_diffuse(x, y, z);
        assert_true(fabs(diffuse - reflected(a, 0, true)) < 0.03);
        for (double sharpness = 0.5; sharpness < 600; sharpness *= 4) {
            double exact = reflected(a, sharpness, false);
            double lobe = (double)facet_studio_lobe(x, y, z, (float)sharpness);
            if (!(fabs(lobe - exact) < 0.1 * exact + 0.02))
                fail_msg("axis %d, sharpness %g: %g, expected %g", i, sharpness, lobe, exact);
        }
    }
}

/* Polished metal reflects the studio: bright panels and dark gaps. Rough metal does not. */
TEST(polished_metal_is_a_mirror)
{
    static const double behind[3] = {0, 0, -1}; /* here the key light does not matter */
    uint8_t range[2];
    for (int rough = 0; rough < 2; rough++) {
        facet_material *m;
        facet_mesh *mesh;
        uint8_t low = 255, high = 0;
        for (int i = -6; i <= 6; i++) {
            facet_scene *scene = lit_square(&m, &mesh);
            m->metallic = 1;
            m->roughness = rough ? 0.9f : 0.1f;
            m->base_color[0] = m->base_color[1] = m->base_color[2] = 0.95f;
            set_normals(mesh, 0.9f * (float)i / 6, 0.1f, 1 - 0.6f * fabsf((float)i) / 6);
            facet_picture p = draw(scene, (facet_render_options){.light = behind}, NULL);
            facet_scene_free(scene);
            uint8_t level = pixel(&p, 32, 32)[0];
            low = level < low ? level : low;
            high = level > high ? level : high;
            facet_picture_free(&p);
        }
        range[rough] = (uint8_t)(high - low);
    }
    assert_true(range[0] > 80);
    assert_true(range[1] < range[0] / 2);
}

/* Back faces are visible if the material is double-sided, and are lit like front faces. */
TEST(back_faces_of_double_sided_materials_are_lit)
{
    for (int both = 0; both < 2; both++) {
        facet_material *m;
        facet_mesh *mesh;
        facet_scene *back = lit_square(&m, &mesh);
        m->double_sided = both != 0;
        uint32_t *corners = mesh->streams[0].indices, swap = corners[1];
        corners[1] = corners[2], corners[2] = swap;
        swap = corners[4], corners[4] = corners[5], corners[5] = swap;
        set_normals(mesh, 0, 0, -1);
        if (both) {
            facet_scene *front = lit_square(&m, &mesh);
            assert_same(back, front, 0);
        } else {
            facet_picture p = draw_and_free(back);
            assert_int_equal(pixel(&p, 32, 32)[3], 0);
            facet_picture_free(&p);
        }
    }
}

/* A mirroring transform reverses the winding (glTF 2.0, 3.7.4): the front faces stay visible and
 * are lit the same. The square is its own mirror image. */
TEST(mirrored_nodes_show_their_fronts)
{
    static const facet_render_camera behind = {{0, 0, -10}, {0, 0, 0}, {0, 1, 0}, 0, 2};
    for (int both = 0; both < 2; both++) {
        facet_material *m;
        facet_mesh *mesh;
        facet_node *node;
        facet_error error;
        facet_scene *mirrored = lit_square(&m, &mesh), *straight = lit_square(&m, &mesh);
        TEST_OK(facet_scene_add_node(mirrored, "", &node, &error), &error);
        node->mesh = 0;
        node->transform.scale[0] = -1;
        facet_picture p = draw(mirrored, (facet_render_options){.camera = &behind}, NULL);
        assert_int_equal(pixel(&p, 32, 32)[3], 0);
        facet_picture_free(&p);
        p = draw(mirrored, (facet_render_options){.modes = FACET_RENDER_FACING}, NULL);
        assert_true(pixel(&p, 32, 32)[2] > pixel(&p, 32, 32)[0]); /* blue: a front face */
        facet_picture_free(&p);
        assert_same(mirrored, straight, 0);
    }
}
