/* formats/stl/to_scene_clustered.c - an STL document to a scene whose vertices are clustered. */
#include "formats/stl/stl.h"

#include "base/arena.h"
#include "base/color.h"
#include "base/error.h"
#include "base/file.h"
#include "mesh/cluster/cluster.h"
#include "scene/scene.h"

#include <string.h>

/* Triangles that are added at once. */
#define BLOCK 8192

/* Corners of a block of triangles, and their colors, in the arena of the clusters. */
typedef struct corners {
    float (*points)[3];
    float *colors;
    uint32_t width; /* of a color */
} corners;

/* The color of a triangle's corners; white if it has none. */
static void put_color(const facet_stl *stl, uint16_t attributes, uint32_t width, float *colors)
{
    float rgba[4] = {1, 1, 1, (float)stl->object_color[3] / 255};
    facet_stl_color(stl, attributes, rgba);
    facet_srgb_decode_colors(rgba, 1, 3);
    for (int corner = 0; corner < 3; corner++)
        memcpy(colors + (size_t)corner * width, rgba, width * sizeof *rgba);
}

static facet_status add_block(const facet_stl *stl, const corners *block, uint32_t first,
                              uint32_t count, facet_clusters *c)
{
    for (uint32_t i = 0; i < count; i++) {
        facet_stl_triangle triangle = facet_stl_get(stl, first + i);
        memcpy(block->points[(size_t)i * 3], triangle.corners, sizeof triangle.corners);
        if (block->colors)
            put_color(stl, triangle.attributes, block->width,
                      block->colors + (size_t)i * 3 * block->width);
    }
    facet_clusters_forget_vertices(c);
    TRY(facet_clusters_add_vertices(c, (const float(*)[3])block->points, block->colors,
                                    block->width, count * 3));
    /* A material of the header is material 0 of the scene. */
    uint32_t material = facet_stl_has_material(stl) ? 0 : FACET_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t vertices[3] = {i * 3, i * 3 + 1, i * 3 + 2};
        TRY(facet_clusters_add_triangle(c, vertices, material));
    }
    return FACET_OK;
}

static facet_status add_all(const facet_source *source, const facet_stl *stl, bool has_colors,
                            const facet_options *options, facet_clusters *c)
{
    corners block = {.width = facet_stl_has_alpha(stl) ? 4 : 3};
    block.points = facet_arena_allocate(c->arena, BLOCK * 3, sizeof *block.points);
    if (has_colors)
        block.colors = facet_arena_allocate(c->arena, BLOCK * 3, block.width * sizeof(float));
    if (!block.points || (has_colors && !block.colors))
        return facet_fail_arena(c->arena, c->error);
    for (uint32_t first = 0, count; first < stl->triangle_count; first += count) {
        const uint8_t *at = stl->triangles + (size_t)first * FACET_STL_RECORD_SIZE;
        count = stl->triangle_count - first < BLOCK ? stl->triangle_count - first : BLOCK;
        TRY(facet_step(options, "read", (double)first / stl->triangle_count, c->error));
        TRY(add_block(stl, &block, first, count, c));
        facet_source_forget(source, at, at + (size_t)count * FACET_STL_RECORD_SIZE);
    }
    return FACET_OK;
}

static facet_status make(const facet_source *source, const facet_stl *stl,
                         const facet_load_options *load, const facet_options *options,
                         facet_scene *scene, facet_error *error)
{
    facet_arena *arena = NULL;
    bool is_uniform = false;
    if (stl->triangle_count == 0)
        return FACET_OK;
    TRY(facet_stl_add_material(stl, scene, &is_uniform, error));
    TRY(facet_arena_create(options, &arena, error));
    facet_clusters c = facet_clusters_make(arena, load->max_clusters, error);
    bool has_colors = stl->colors != FACET_STL_COLORS_NONE && !is_uniform;
    facet_status status = add_all(source, stl, has_colors, options, &c);
    if (!status)
        status = facet_clusters_add_to_scene(&c, scene, options);
    facet_arena_free(arena);
    return status;
}

facet_status facet_stl_read_clustered(const facet_source *source, const facet_load_options *load,
                                      const facet_options *options, facet_scene **scene,
                                      facet_error *error)
{
    facet_stl *document = NULL;
    facet_scene *made = NULL;
    TRY(facet_stl_read(source, options, &document, error));
    facet_status status = facet_scene_create(options, &made, error);
    if (!status)
        status = make(source, document, load, options, made, error);
    facet_stl_free(document);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}
