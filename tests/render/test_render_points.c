/* Lines, points, and positions of texels. Expected values follow from arithmetic. */
#include "support/pictures.h"

#include <math.h>
#include <stdlib.h>

/* -- Lines and points ---------------------------------------------------- */

/* Two ends at x -0.5 and 0.5, red and green, without faces. */
static facet_scene *two_ends(uint32_t lines, uint32_t points)
{
    static const float positions[6] = {-0.5f, 0, 0, 0.5f, 0, 0};
    static const float colors[6] = {1, 0, 0, 0, 1, 0};
    static uint32_t ends[2] = {0, 1};
    facet_scene *scene = scene_of();
    facet_mesh *mesh;
    facet_error error;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 2,
                                       positions, NULL, NULL, &error),
            &error);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_COLOR, 0, NULL, FACET_FLOAT32, 3, 2, colors,
                                       NULL, NULL, &error),
            &error);
    mesh->lines = lines ? ends : NULL;
    mesh->points = points ? ends : NULL;
    mesh->line_count = lines;
    mesh->point_count = points;
    return scene;
}

static uint32_t count_covered(const facet_picture *p)
{
    uint32_t covered = 0;
    for (uint32_t i = 0; i < 64 * 64; i++)
        covered += pixel(p, i % 64, i / 64)[3] == 255;
    return covered;
}

/* 32 pixels are a unit. A line of 4 pixels from x 16 to 48 covers y 30 to 33, and 2 pixels beyond
 * each end. Its colors are interpolated between the ends. */
TEST(lines_have_their_width)
{
    facet_scene *scene = two_ends(1, 0);
    facet_picture p = draw(scene, (facet_render_options){.line_width = 4}, NULL);
    assert_true(p.any);
    assert_int_equal(p.triangles, 0);
    assert_int_equal(p.vertices, 2);
    assert_int_equal(count_covered(&p), 36 * 4);
    assert_int_equal(pixel(&p, 14, 30)[3], 255);
    assert_int_equal(pixel(&p, 49, 33)[3], 255);
    assert_int_equal(pixel(&p, 13, 30)[3], 0);
    assert_int_equal(pixel(&p, 32, 29)[3], 0);
    /* half a pixel of 36 from the ends: 1 - 1/72, whose byte is 253 */
    assert_int_equal(pixel(&p, 14, 31)[0], 253);
    assert_int_equal(pixel(&p, 49, 31)[1], 253);
    /* half of both in the middle: the byte of 0.5 is 188 */
    assert_in_range(pixel(&p, 32, 31)[0], 183, 193);
    assert_in_range(pixel(&p, 32, 31)[1], 183, 193);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* Edges along the screen have one step per sample of a pixel: a line that extends k / samples of a
 * pixel into row 34 covers k samples. A grid without rotation has 2 steps with 4 samples and 4 with
 * 16. */
TEST(edges_have_a_step_for_each_sample)
{
    for (uint32_t samples = 4; samples <= 16; samples *= 4) {
        for (uint32_t k = 0; k <= samples; k++) {
            facet_scene *scene = two_ends(1, 0);
            facet_render_options how = {.samples = samples,
                                        .line_width = 4 + 2.0 * k / samples + 0.01};
            facet_picture p = draw(scene, how, NULL);
            assert_int_equal(pixel(&p, 32, 34)[3], (k * 255 * 2 + samples) / (samples * 2));
            facet_picture_free(&p);
            facet_scene_free(scene);
        }
    }
}

TEST(points_have_twice_the_width)
{
    facet_scene *scene = two_ends(0, 2);
    facet_picture p = draw(scene, (facet_render_options){.line_width = 2}, NULL);
    assert_int_equal(count_covered(&p), 2 * 4 * 4);
    ASSERT_PIXEL(p, 16, 32, 255, 0, 0, 255);
    ASSERT_PIXEL(p, 47, 31, 0, 255, 0, 255);
    ASSERT_PIXEL(p, 32, 32, 0, 0, 0, 0);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* In perspective the width stays the same: at x 48 the end has the same width at any distance. A
 * line that starts behind the camera is clipped. */
TEST(lines_are_as_wide_far_away)
{
    facet_scene *scene = two_ends(1, 0);
    float *positions = scene->meshes[0]->streams[0].data;
    static const facet_render_camera camera = {{0, 0, 0}, {0, 0, -1}, {0, 1, 0}, 90, 0};
    positions[0] = -20, positions[2] = 5;
    positions[3] = 0, positions[5] = -20;
    facet_picture p = draw(scene, (facet_render_options){.line_width = 4, .camera = &camera}, NULL);
    for (uint32_t x = 0; x < 32; x += 8) {
        uint32_t wide = 0;
        for (uint32_t y = 0; y < 64; y++)
            wide += pixel(&p, x, y)[3] == 255;
        assert_in_range(wide, 3, 5);
    }
    assert_int_equal(pixel(&p, 40, 32)[3], 0);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* If all ends have the same distance, which is rounded, they are as near as the nearest object that
 * the camera sees. */
TEST(flat_strokes_are_seen_from_the_front)
{
    for (int flat = 0; flat < 2; flat++) {
        facet_scene *scene = two_ends(1, 0);
        float *positions = scene->meshes[0]->streams[0].data;
        positions[0] = 0, positions[3] = 59, positions[4] = 4;
        facet_picture p = draw(
            scene, (facet_render_options){.has_direction = true, .orthographic = flat == 1}, NULL);
        uint32_t sum = 0;
        for (uint32_t i = 0; i < 64 * 64; i++)
            sum += pixel(&p, i % 64, i / 64)[3];
        assert_in_range(sum / 255, 80, 96); /* a line of nearly 64 pixels, 1.5 wide */
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
}

/* Next to faces, which are gray with normals and without, strokes are dark so that they are
 * visible. */
TEST(strokes_without_colors_are_dark)
{
    static const float normals[6] = {0, 0, 1, 0, 0, 1};
    for (int lit = 0; lit < 2; lit++) {
        facet_scene *scene = two_ends(1, 0);
        facet_mesh *mesh = scene->meshes[0];
        facet_error error;
        mesh->stream_count = 1; /* positions */
        if (lit)
            TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 2,
                                               normals, NULL, NULL, &error),
                    &error);
        facet_picture p = draw(scene, (facet_render_options){.line_width = 4}, NULL);
        /* 0.2 in linear light: 255 * (1.055 * 0.2^(1 / 2.4) - 0.055) = 124 */
        ASSERT_PIXEL(p, 32, 32, 124, 124, 124, 255);
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
}

/* The base color of the material times the vertex colors, plus the emissive color (glTF 2.0, "Point
 * and Line Materials"). The color at the middle is (0.5, 0.5, 0), or white without colors. */
TEST(strokes_have_the_color_of_their_material)
{
    static const struct {
        bool colored, unlit;
        float base[4], emissive[3];
        double sum[3];
    } cases[] = {{false, false, {1, 0.25F, 0, 1}, {0}, {1, 0.25, 0}},
                 {true, false, {0.5F, 1, 1, 1}, {0}, {0.25, 0.5, 0}},
                 {false, false, {0, 0.25F, 0, 1}, {0.5F, 0.5F, 0}, {0.5, 0.75, 0}},
                 {false, true, {0, 0.25F, 0, 1}, {0.5F, 0.5F, 0}, {0, 0.25, 0}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int points = 0; points < 2; points++) {
            facet_scene *scene = two_ends(!points, points);
            facet_mesh *mesh = scene->meshes[0];
            facet_material *material;
            facet_error error;
            TEST_OK(facet_scene_add_material(scene, "", &material, &error), &error);
            memcpy(material->base_color, cases[i].base, sizeof cases[i].base);
            memcpy(material->emissive, cases[i].emissive, sizeof cases[i].emissive);
            material->unlit = cases[i].unlit;
            mesh->stream_count = cases[i].colored ? 2 : 1;
            uint32_t materials[1] = {0};
            float *positions = mesh->streams[0].data;
            float *colors = mesh->streams[1].data;
            mesh->line_materials = points ? NULL : materials;
            mesh->point_materials = points ? materials : NULL;
            positions[0] = points ? 0 : positions[0];
            for (int c = 0; c < 6; c++)
                colors[c] = c % 3 < 2 ? 0.5F : 0;
            facet_picture p =
                draw(scene, (facet_render_options){.line_width = 4, .has_direction = true}, NULL);
            uint32_t x = 0, y = 0;
            while (pixel(&p, x, y)[3] != 255 && y < 64) {
                x = (x + 1) % 64;
                y += x == 0;
            }
            assert_in_range(y, 0, 63);
            for (int c = 0; c < 3; c++) {
                double sum = cases[i].sum[c];
                double encoded = sum <= 0.0031308 ? 12.92 * sum : 1.055 * pow(sum, 1 / 2.4) - 0.055;
                assert_in_range(pixel(&p, x + 1, y + 1)[c], fmax(255 * encoded - 1, 0),
                                255 * encoded + 1);
            }
            facet_picture_free(&p);
            facet_scene_free(scene);
        }
    }
}

/* With normals, the same color depends on their direction. */
TEST(strokes_with_normals_are_lit_in_the_color_of_their_material)
{
    static const float toward[6] = {0, 0, 1, 0, 0, 1}, down[6] = {0, -1, 0, 0, -1, 0};
    uint8_t reds[2];
    for (int turned = 0; turned < 2; turned++) {
        facet_scene *scene = two_ends(1, 0);
        facet_mesh *mesh = scene->meshes[0];
        facet_material *material;
        facet_error error;
        uint32_t materials[1] = {0};
        TEST_OK(facet_scene_add_material(scene, "", &material, &error), &error);
        material->base_color[1] = material->base_color[2] = 0;
        material->metallic = 0;
        mesh->stream_count = 1;
        mesh->line_materials = materials;
        TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 2,
                                           turned ? down : toward, NULL, NULL, &error),
                &error);
        facet_picture p = draw(scene, (facet_render_options){.line_width = 4}, NULL);
        reds[turned] = pixel(&p, 32, 32)[0];
        assert_int_equal(pixel(&p, 32, 32)[3], 255);
        assert_true(pixel(&p, 32, 32)[1] < reds[turned]);
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
    assert_true(reds[0] > reds[1]);
}

/* Every mode draws strokes, with valid colors. */
TEST(strokes_are_drawn_in_every_mode)
{
    for (unsigned mode = FACET_RENDER_SHADED; mode <= FACET_RENDER_MATERIAL; mode <<= 1) {
        facet_scene *scene = two_ends(1, 2);
        facet_picture p = draw(
            scene, (facet_render_options){.modes = mode | FACET_RENDER_WIREFRAME, .line_width = 4},
            NULL);
        assert_int_equal(pixel(&p, 32, 32)[3], 255);
        facet_picture_free(&p);
        facet_scene_free(scene);
    }
}

/* -- Positions of texels ------------------------------------------------- */

static const uint8_t four[16] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 0, 255};
enum { RED, GREEN, BLUE, YELLOW };

/* Index of the texel, of four, that a pixel shows. */
static int texel_at(const facet_picture *p, uint32_t x, uint32_t y)
{
    for (int i = 0; i < 4; i++) {
        if (memcmp(pixel(p, x, y), four + i * 4, 4) == 0)
            return i;
    }
    fail_msg("%u, %u: no texel", x, y);
    return -1;
}

static facet_scene *textured(facet_texture **texture)
{
    facet_scene *scene = scene_of();
    uint32_t m = add_material(scene, 1, 1, 1, 1);
    set_texture(scene, m, add_image(scene, four));
    add_square(scene, m, 0, 0, 0, 1);
    *texture = scene->materials[m]->maps[FACET_MAP_DIFFUSE];
    return scene;
}

/* At u = v = 0.25 and 0.75 of the square, pixels 16 and 48. A quarter turn maps (u, v) to (v, -u):
 * 0.25, 0.75 becomes 0.75, -0.25, which repeats as 0.75. */
TEST(texture_transforms_scale_then_rotate)
{
    static const struct {
        float offset[2], rotation, scale[2];
        int seen[4]; /* upper left, upper right, lower left, lower right */
    } cases[] = {
        {{0, 0}, 0, {1, 1}, {RED, GREEN, BLUE, YELLOW}},
        {{0.5f, 0}, 0, {1, 1}, {GREEN, RED, YELLOW, BLUE}},
        {{0, 0.5f}, 0, {1, 1}, {BLUE, YELLOW, RED, GREEN}},
        {{0, 0}, 0, {0.5f, 1}, {RED, RED, BLUE, BLUE}},
        /* (.25,.25) to (.25,-.25); (.75,.25) to (.25,-.75); (.25,.75) to (.75,-.25) */
        {{0, 0}, 1.57079633f, {1, 1}, {BLUE, RED, YELLOW, GREEN}},
        /* The scale applies first: (.25 * .5, .25) to (.25, -.125); (.75 * .5, .25) to (.25,
         * -.375); (.125, .75) to (.75, -.125). */
        {{0, 0}, 1.57079633f, {0.5f, 1}, {BLUE, BLUE, YELLOW, YELLOW}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_texture *t;
        facet_scene *scene = textured(&t);
        t->has_transform = true;
        memcpy(t->offset, cases[i].offset, sizeof t->offset);
        memcpy(t->scale, cases[i].scale, sizeof t->scale);
        t->rotation = cases[i].rotation;
        facet_picture p = draw_and_free(scene);
        for (uint32_t k = 0; k < 4; k++)
            assert_int_equal(texel_at(&p, k % 2 ? 48 : 16, k / 2 ? 48 : 16), cases[i].seen[k]);
        facet_picture_free(&p);
    }
}

/* One texture of two columns over the width of three squares, u from -1 to 2. */
TEST(wrap_modes_choose_the_texel)
{
    static const struct {
        facet_wrap wrap;
        int seen[6];
    } cases[] = {{FACET_WRAP_REPEAT, {RED, GREEN, RED, GREEN, RED, GREEN}},
                 {FACET_WRAP_CLAMP, {RED, RED, RED, GREEN, GREEN, GREEN}},
                 {FACET_WRAP_MIRROR, {GREEN, RED, RED, GREEN, GREEN, RED}}};
    for (size_t i = 0; i < 3; i++) {
        facet_texture *t;
        facet_scene *scene = textured(&t);
        float *uv = scene->meshes[0]->streams[2].data;
        for (int k = 0; k < 4; k++) {
            uv[2 * k] = uv[2 * k] * 3 - 1;
            uv[2 * k + 1] = 0.25f;
        }
        t->wrap_u = t->wrap_v = cases[i].wrap;
        facet_picture p = draw_and_free(scene);
        for (uint32_t k = 0; k < 6; k++)
            assert_int_equal(texel_at(&p, 5 + k * 64 / 6, 32), cases[i].seen[k]);
        facet_picture_free(&p);
    }
}

/* Halfway between red and green, each has half its linear light: 188. From a distance where all
 * texels share a pixel, half is red and half green, and a quarter blue: 188, 188, and 137, the byte
 * of 0.25. */
TEST(filters_mix_linear_light)
{
    facet_texture *t;
    facet_scene *scene = textured(&t);
    float *uv = scene->meshes[0]->streams[2].data;
    for (int k = 0; k < 4; k++)
        uv[2 * k] = 0.5f, uv[2 * k + 1] = 0.25f;
    t->magnify = t->minify = FACET_FILTER_LINEAR;
    facet_picture p = draw_and_free(scene);
    ASSERT_PIXEL(p, 32, 32, 188, 188, 0, 255);
    facet_picture_free(&p);

    scene = textured(&t);
    uv = scene->meshes[0]->streams[2].data;
    for (int k = 0; k < 4; k++) /* 64 times, each texel is half a sample of a pixel */
        uv[2 * k] *= 64, uv[2 * k + 1] *= 64;
    t->magnify = FACET_FILTER_LINEAR;
    t->minify = FACET_FILTER_LINEAR_MIPMAP_LINEAR;
    p = draw_and_free(scene);
    assert_in_range(pixel(&p, 32, 32)[0], 187, 189);
    assert_in_range(pixel(&p, 32, 32)[1], 187, 189);
    assert_in_range(pixel(&p, 32, 32)[2], 136, 138);
    facet_picture_free(&p);
}

/* Columns of red and of green, each half of the square, with 256 rows of texels, repeated twice. A
 * step of a sample, of 128, is 4 texels down and 1/64 of a texel to the right. The columns stay
 * separate; filtering only by the longer step would mix them. */
TEST(slanted_textures_keep_their_stripes)
{
    static const uint8_t stripes[16] = {255, 0, 0, 255, 0, 255, 0, 255,
                                        255, 0, 0, 255, 0, 255, 0, 255};
    facet_texture *t;
    facet_scene *scene = textured(&t);
    memcpy(scene->images[0]->pixels, stripes, sizeof stripes);
    t->magnify = FACET_FILTER_LINEAR;
    t->minify = FACET_FILTER_LINEAR_MIPMAP_LINEAR;
    t->has_transform = true;
    t->scale[0] = 1;
    t->scale[1] = 256;
    facet_picture p = draw(scene, (facet_render_options){0}, NULL);
    assert_true(pixel(&p, 16, 32)[0] > 240);
    assert_true(pixel(&p, 16, 32)[1] < 60);
    assert_true(pixel(&p, 48, 32)[0] < 60);
    assert_true(pixel(&p, 48, 32)[1] > 240);
    facet_picture_free(&p);
    facet_scene_free(scene);
}

/* Texels of equal value give no other value between them: alpha 0.5 * 1 is not below the cutoff
 * 0.5, for any weights of the texels. */
TEST(filters_keep_equal_texels)
{
    facet_texture *t;
    facet_scene *scene = textured(&t);
    facet_material *m = scene->materials[0];
    memset(scene->images[0]->pixels, 255, 16);
    t->magnify = t->minify = FACET_FILTER_LINEAR;
    m->base_color[3] = m->alpha_cutoff = 0.5f;
    m->alpha_mode = FACET_ALPHA_MASK;
    for (int mips = 0; mips < 2; mips++) {
        uint32_t holes = 0;
        t->minify = mips ? FACET_FILTER_LINEAR_MIPMAP_LINEAR : FACET_FILTER_LINEAR;
        t->scale[0] = t->scale[1] = mips ? 20.7f : 1;
        t->has_transform = true;
        facet_picture p = draw(scene, (facet_render_options){0}, NULL);
        for (uint32_t i = 0; i < 64 * 64; i++)
            holes += pixel(&p, i % 64, i / 64)[3] != 255;
        assert_int_equal(holes, 0);
        facet_picture_free(&p);
    }
    facet_scene_free(scene);
}
