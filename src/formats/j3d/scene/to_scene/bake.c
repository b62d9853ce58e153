/* formats/j3d/scene/to_scene/bake.c - the texture environment, evaluated for every texel. */
#include "formats/j3d/scene/to_scene/bake.h"

#include "base/arena.h"
#include "base/error.h"

#include <string.h>

enum { REMEMBERED = 1024 }; /* cached results by inputs: images repeat their colors */

typedef struct memory {
    bool filled;
    uint8_t texels[16][4];
    uint8_t out[4];
} memory;

/* Read texel (x, y) of a `width` x `height` grid from an image that can have another size. */
static void sample(const facet_image *image, uint32_t x, uint32_t y, uint32_t width,
                   uint32_t height, uint8_t out[4])
{
    uint64_t column = image->width == width ? x : (uint64_t)x * image->width / width;
    uint64_t row = image->height == height ? y : (uint64_t)y * image->height / height;
    const uint8_t *pixel =
        (const uint8_t *)image->pixels + (row * image->width + column) * image->channels;
    out[3] = 255;
    memcpy(out, pixel, image->channels);
}

static uint32_t place_of(uint8_t texels[16][4], uint32_t stages)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < stages; i++) {
        uint32_t texel;
        memcpy(&texel, texels[i], sizeof texel);
        hash = (hash ^ texel) * 16777619u;
        hash ^= hash >> 13;
    }
    return (hash ^ hash >> 17) % REMEMBERED;
}

void facet_j3d_bake_size(const facet_j3d_bake_stage stages[16], uint32_t *width, uint32_t *height)
{
    *width = *height = 1;
    for (uint32_t i = 0; i < 16; i++) {
        const facet_image *from = stages[i].image;
        *width = from && from->width > *width ? from->width : *width;
        *height = from && from->height > *height ? from->height : *height;
    }
}

facet_status facet_j3d_bake(const facet_gx_material *material,
                            const facet_j3d_bake_stage stages[16], bool opaque, facet_arena *arena,
                            facet_image *image, facet_error *error)
{
    uint32_t count = facet_gx_tev_stage_count(material), width, height;
    uint32_t channels = opaque ? 3 : 4;
    facet_gx_tev_inputs inputs;
    facet_gx_program program;
    facet_gx_program_make(material, &program);
    for (uint32_t i = 0; i < 16; i++) {
        memcpy(inputs.texels[i], stages[i].texel, 4);
        memcpy(inputs.rasters[i], stages[i].raster, 4);
    }
    facet_j3d_bake_size(stages, &width, &height);
    uint8_t *pixels = facet_arena_allocate(arena, (size_t)width * height, channels);
    memory *known = facet_arena_allocate_zeroed(arena, REMEMBERED, sizeof *known);
    if (!pixels || !known)
        return facet_fail_arena(arena, error);
    uint8_t *to = pixels;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++, to += channels) {
            for (uint32_t i = 0; i < count; i++) {
                if (stages[i].image)
                    sample(stages[i].image, x, y, width, height, inputs.texels[i]);
            }
            memory *m = &known[place_of(inputs.texels, count)];
            if (!m->filled || memcmp(m->texels, inputs.texels, count * (size_t)4) != 0) {
                m->filled = true;
                memcpy(m->texels, inputs.texels, count * (size_t)4);
                facet_gx_program_evaluate(&program, &inputs, m->out);
            }
            memcpy(to, m->out, channels);
        }
    }
    facet_arena_release(arena, known, REMEMBERED, sizeof *known);
    image->pixels = pixels;
    image->width = width;
    image->height = height;
    image->channels = channels;
    return FACET_OK;
}
