/* tests/support/pictures.h - scenes of squares, pictures of them, and their pixels. */
#ifndef FACET_TESTS_PICTURES_H
#define FACET_TESTS_PICTURES_H

#include "support/mesh.h"
#include "support/support.h"

#include <facet/gx_material.h>
#include <facet/render.h>
#include <math.h>

/* -- Scenes ------------------------------------------------------------- */

static inline facet_scene *scene_of(void)
{
    facet_scene *scene = NULL;
    facet_error error;
    TEST_OK(facet_scene_create(NULL, &scene, &error), &error);
    scene->axes.uv_origin_top = true;
    return scene;
}

static inline uint32_t add_material(facet_scene *scene, float r, float g, float b, float a)
{
    facet_material *m;
    facet_error error;
    TEST_OK(facet_scene_add_material(scene, "m", &m, &error), &error);
    m->base_color[0] = r, m->base_color[1] = g, m->base_color[2] = b, m->base_color[3] = a;
    m->unlit = true;
    return scene->material_count - 1;
}

/* A square around x, y at depth z, from -side to side, that faces +z. Texture coordinates are 0, 0
 * at its upper left and 1, 1 at its lower right. */
static inline facet_mesh *add_square(facet_scene *scene, uint32_t material, float x, float y,
                                     float z, float side)
{
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    static const float normals[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};
    static const float texcoords[8] = {0, 1, 1, 1, 1, 0, 0, 0};
    const float positions[12] = {x - side, y - side, z, x + side, y - side, z,
                                 x + side, y + side, z, x - side, y + side, z};
    facet_mesh *mesh;
    facet_error error;
    TEST_OK(facet_scene_add_mesh(scene, &mesh, &error), &error);
    mesh->face_count = 2;
    mesh->corner_count = 6;
    mesh->face_materials = facet_scene_allocate(scene, 2, sizeof *mesh->face_materials);
    mesh->face_materials[0] = mesh->face_materials[1] = material;
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_POSITION, 0, NULL, FACET_FLOAT32, 3, 4,
                                       positions, corners, NULL, &error),
            &error);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_NORMAL, 0, NULL, FACET_FLOAT32, 3, 4, normals,
                                       NULL, NULL, &error),
            &error);
    TEST_OK(facet_mesh_add_stream_copy(mesh, FACET_TEXCOORD, 0, NULL, FACET_FLOAT32, 2, 4,
                                       texcoords, NULL, NULL, &error),
            &error);
    return mesh;
}

/* Set one normal for all corners of a square. */
static inline void set_normals(facet_mesh *mesh, float x, float y, float z)
{
    float *normals = mesh->streams[1].data, length = sqrtf(x * x + y * y + z * z);
    for (int i = 0; i < 4; i++) {
        normals[3 * i] = x / length;
        normals[3 * i + 1] = y / length;
        normals[3 * i + 2] = z / length;
    }
}

/* An image of 2 x 2 RGBA texels. */
static inline uint32_t add_image(facet_scene *scene, const uint8_t texels[16])
{
    facet_image *image;
    facet_error error;
    TEST_OK(facet_scene_add_image(scene, "i", &image, &error), &error);
    image->pixels = facet_scene_allocate(scene, 16, 1);
    memcpy(image->pixels, texels, 16);
    image->width = image->height = 2;
    image->channels = 4;
    return scene->image_count - 1;
}

static inline void set_texture(facet_scene *scene, uint32_t material, uint32_t image)
{
    facet_texture *t = test_map(scene, scene->materials[material], FACET_MAP_DIFFUSE);
    t->has_image = true;
    t->image = image;
    t->magnify = t->minify = FACET_FILTER_NEAREST;
}

/* -- Pictures ----------------------------------------------------------- */

/* Draw from the front, two units high, so that 64 pixels are 32 per unit. */
static inline facet_picture draw(const facet_scene *scene, facet_render_options how,
                                 const facet_threads *threads)
{
    static const facet_render_camera camera = {{0, 0, 10}, {0, 0, 0}, {0, 1, 0}, 0, 2};
    facet_renderer *renderer = NULL;
    facet_picture picture;
    facet_options options = {.threads = threads};
    facet_error error;
    how.width = how.width ? how.width : 64;
    how.height = how.height ? how.height : 64;
    if (!how.camera && !how.has_direction)
        how.camera = &camera;
    TEST_OK(facet_renderer_create(scene, &options, &renderer, &error), &error);
    TEST_OK(facet_renderer_draw(renderer, &how, &options, &picture, &error), &error);
    facet_renderer_free(renderer);
    return picture;
}

static inline const uint8_t *pixel(const facet_picture *picture, uint32_t x, uint32_t y)
{
    return (const uint8_t *)picture->image.pixels + ((size_t)y * picture->image.width + x) * 4;
}

#define ASSERT_PIXEL(picture, x, y, r, g, b, a)      \
    do {                                             \
        const uint8_t *p_ = pixel(&(picture), x, y); \
        assert_int_equal(p_[0], r);                  \
        assert_int_equal(p_[1], g);                  \
        assert_int_equal(p_[2], b);                  \
        assert_int_equal(p_[3], a);                  \
    } while (0)

static inline facet_picture draw_and_free(facet_scene *scene)
{
    facet_picture picture = draw(scene, (facet_render_options){0}, NULL);
    facet_scene_free(scene);
    return picture;
}

/* -- Console materials -------------------------------------------------- */

static inline facet_gx_material *add_console(facet_scene *scene, uint32_t *material)
{
    facet_gx_material *gx = facet_scene_allocate(scene, 1, sizeof *gx);
    facet_gx_material_init(gx);
    *material = add_material(scene, 1, 1, 1, 1);
    scene->materials[*material]->gx = gx;
    gx->blend = (facet_gx_blend){0, 4, 5, 0};
    gx->channel_count = 1;
    /* Only the raster color. */
    gx->tev_stages[0] = (facet_gx_tev_stage){
        0, {{15, 15, 15, 10}, 0, 0, 0, 1, 0}, {{7, 7, 7, 5}, 0, 0, 0, 1, 0}, 0};
    gx->tev_orders[0] = (facet_gx_tev_order){0xFF, 0xFF, 4, 0};
    return gx;
}

#endif
