/* render/texture.c - images, decoded with mip levels and sampled in linear light. */
#include "render/render.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/floats.h"
#include "base/processor.h"
#include "base/report.h"
#include "base/threads.h"
#include "image/image.h"

#include <facet/image.h>
#include <math.h>
#include <string.h>

/* -- Levels ------------------------------------------------------------- */

/* Average four texels, two in each row. Colors are averaged in linear light and weighted by alpha,
 * so that transparent texels add no color. Data is averaged directly. */
static FACET_ALWAYS_INLINE void shrink_texel(const uint8_t *from[4], bool is_data, uint8_t *to)
{
    uint32_t alpha = from[0][3] + from[1][3] + from[2][3] + from[3][3];
    to[3] = (uint8_t)((alpha + 2) / 4);
    if (is_data || alpha == 0) {
        for (int c = 0; c < 3; c++)
            to[c] = (uint8_t)((from[0][c] + from[1][c] + from[2][c] + from[3][c] + 2) / 4);
        return;
    }
    bool is_opaque = alpha == 4 * 255;
    for (int c = 0; c < 3; c++) {
        float sum = 0;
        for (int i = 0; i < 4; i++) {
            float value = facet_render_linear[from[i][c]];
            sum += is_opaque ? value : value * (float)from[i][3];
        }
        to[c] = facet_render_to_byte(is_opaque ? sum / 4 : sum / (float)alpha);
    }
}

static void shrink(const facet_gx_level *from, bool is_data, uint8_t *pixels, facet_gx_level *to)
{
    to->width = from->width > 1 ? from->width / 2 : 1;
    to->height = from->height > 1 ? from->height / 2 : 1;
    to->pixels = pixels;
    size_t row = (size_t)from->width * 4, right = from->width > 1 ? 4 : 0;
    size_t below = from->height > 1 ? row : 0;
    for (uint32_t y = 0; y < to->height; y++) {
        const uint8_t *texel = from->pixels + (size_t)y * 2 * row;
        for (uint32_t x = 0; x < to->width; x++, texel += 8, pixels += 4) {
            const uint8_t *texels[4] = {texel, texel + right, texel + below, texel + below + right};
            shrink_texel(texels, is_data, pixels);
        }
    }
}

/* -- Decoding ----------------------------------------------------------- */

typedef struct decoding {
    const facet_scene *scene;
    const facet_render_use *uses;
    facet_render_image *images;
    facet_arena **arenas; /* one per image, so that tasks share no data */
    facet_error *errors;
    facet_status *statuses;
} decoding;

/* Use the levels of the source: those of console textures may have any content. */
static void take_smaller(const facet_image *from, facet_render_image *to)
{
    const uint8_t *pixels = from->smaller;
    for (uint32_t i = 0; i < from->smaller_count && to->level_count < FACET_RENDER_LEVELS; i++) {
        const facet_gx_level *last = &to->levels[to->level_count - 1];
        facet_gx_level *level = &to->levels[to->level_count++];
        level->pixels = pixels;
        level->width = last->width > 1 ? last->width / 2 : 1;
        level->height = last->height > 1 ? last->height / 2 : 1;
        pixels += (size_t)level->width * level->height * 4;
    }
}

static facet_status decode(facet_arena *arena, const facet_image *from, facet_render_use use,
                           facet_render_image *to, facet_error *error)
{
    facet_image image = *from, wide;
    facet_status status = FACET_OK;
    if (!image.pixels)
        status = facet_image_decode(arena, &image, NULL, error);
    if (!status && image.is_float) {
        uint8_t *bytes = facet_image_to_bytes(arena, &image, NULL);
        if (!bytes)
            return facet_fail_arena(arena, error);
        image.pixels = bytes;
        image.is_float = false;
    }
    if (status)
        return status;
    wide = image;
    if (image.channels != 4) {
        TRY(facet_image_with_channels(arena, &image, 4, &wide, error));
        if (image.pixels != from->pixels)
            facet_arena_release(arena, image.pixels, facet_image_bytes(&image), 1);
    }
    to->levels[0] = (facet_gx_level){wide.pixels, wide.width, wide.height};
    to->level_count = 1;
    if (from->pixels && !from->is_float)
        take_smaller(from, to);
    size_t texels = image.channels % 2 == 0 ? (size_t)wide.width * wide.height : 0;
    const uint8_t *alpha = (const uint8_t *)wide.pixels + 3;
    for (size_t i = 0; i < texels && !to->has_alpha; i++)
        to->has_alpha = alpha[i * 4] != 255;
    while (use.levels && to->level_count < FACET_RENDER_LEVELS) {
        const facet_gx_level *last = &to->levels[to->level_count - 1];
        if (last->width == 1 && last->height == 1)
            break;
        uint32_t width = last->width > 1 ? last->width / 2 : 1;
        uint32_t height = last->height > 1 ? last->height / 2 : 1;
        uint8_t *pixels = facet_arena_allocate(arena, (size_t)width * height, 4);
        if (!pixels)
            return facet_fail_arena(arena, error);
        shrink(last, !use.color, pixels, &to->levels[to->level_count]);
        to->level_count++;
    }
    return FACET_OK;
}

static void decode_task(void *argument, size_t i)
{
    decoding *d = argument;
    if (!d->uses[i].any)
        return;
    d->statuses[i] = facet_arena_create(NULL, &d->arenas[i], &d->errors[i]);
    if (!d->statuses[i])
        d->statuses[i] =
            decode(d->arenas[i], d->scene->images[i], d->uses[i], &d->images[i], &d->errors[i]);
}

/* Move the decoded data to the arena of the renderer at once, or copy it into memory of the
 * caller's allocator, which threads do not call. */
static facet_status keep(facet_arena *arena, facet_arena **decoded, facet_render_image *image,
                         facet_error *error)
{
    if (facet_arena_adopt(arena, *decoded)) {
        *decoded = NULL;
        return FACET_OK;
    }
    for (uint32_t i = 0; i < image->level_count; i++) {
        facet_gx_level *level = &image->levels[i];
        size_t texels = (size_t)level->width * level->height;
        uint8_t *pixels = facet_arena_allocate(arena, texels, 4);
        if (!pixels)
            return facet_fail_arena(arena, error);
        memcpy(pixels, level->pixels, texels * 4);
        level->pixels = pixels;
    }
    return FACET_OK;
}

static facet_status finish(const decoding *d, uint32_t i, facet_arena *arena,
                           const facet_options *options, facet_error *error)
{
    if (!d->uses[i].any)
        return FACET_OK;
    if (facet_lacks_memory(d->statuses[i])) {
        if (error)
            *error = d->errors[i];
        return d->statuses[i];
    }
    if (d->statuses[i]) {
        facet_report_add(options ? options->report : NULL, "RENDER-IMAGE", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET, "image %u is left out of the picture: %s", (unsigned)i,
                         d->errors[i].message);
        d->images[i].level_count = 0;
        return FACET_OK;
    }
    return keep(arena, &d->arenas[i], &d->images[i], error);
}

facet_status facet_render_images(const facet_scene *scene, const facet_render_use *uses,
                                 facet_arena *arena, facet_render_image *images,
                                 const facet_options *options, facet_error *error)
{
    uint32_t count = scene->image_count;
    decoding d = {.scene = scene, .uses = uses, .images = images};
    d.arenas = facet_arena_allocate_zeroed(arena, count, sizeof *d.arenas);
    d.errors = facet_arena_allocate_zeroed(arena, count, sizeof *d.errors);
    d.statuses = facet_arena_allocate_zeroed(arena, count, sizeof *d.statuses);
    if (!d.arenas || !d.errors || !d.statuses)
        return facet_fail_arena(arena, error);
    facet_run(options, decode_task, &d, count);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count; i++) {
        if (!status)
            status = finish(&d, i, arena, options, error);
        facet_arena_free(d.arenas[i]);
    }
    return status;
}

/* -- Sampling ----------------------------------------------------------- */

static FACET_ALWAYS_INLINE uint32_t wrap(int32_t texel, facet_wrap how, uint32_t size)
{
    uint8_t number = how == FACET_WRAP_REPEAT ? 1 : how == FACET_WRAP_MIRROR ? 2 : 0;
    return facet_gx_wrap(texel, number, size, false);
}

static FACET_ALWAYS_INLINE facet_floats get_texel(const facet_render_map *map,
                                                  const facet_gx_level *level, uint32_t x,
                                                  uint32_t y)
{
    const uint8_t *texel = level->pixels + ((size_t)y * level->width + x) * 4;
    const float unit = 1.0f / 255;
    if (map->is_color)
        return facet_floats_of(facet_render_linear[texel[0]], facet_render_linear[texel[1]],
                               facet_render_linear[texel[2]], (float)texel[3] * unit);
    return facet_floats_multiply(
        facet_floats_of((float)texel[0], (float)texel[1], (float)texel[2], (float)texel[3]),
        facet_floats_all(unit));
}

/* Interpolation of equal values returns them exactly: an opaque texture stays opaque. */
static FACET_ALWAYS_INLINE facet_floats blend(facet_floats a, facet_floats b, float part)
{
    return facet_floats_add_product(a, facet_floats_all(part), facet_floats_subtract(b, a));
}

static FACET_ALWAYS_INLINE facet_floats sample_level(const facet_render_map *map, uint32_t number,
                                                     float u, float v)
{
    const facet_gx_level *level = &map->image->levels[number];
    /* Coordinates that exceed an int cannot select texels. */
    u = u * (float)level->width, v = v * (float)level->height;
    u = u > -1e9f && u < 1e9f ? u : 0;
    v = v > -1e9f && v < 1e9f ? v : 0;
    float shift = map->nearest ? 0 : 0.5f;
    float fu = floorf(u - shift), fv = floorf(v - shift);
    int32_t x = (int32_t)fu, y = (int32_t)fv;
    uint32_t x0 = wrap(x, map->wrap_u, level->width), y0 = wrap(y, map->wrap_v, level->height);
    if (map->nearest)
        return get_texel(map, level, x0, y0);
    uint32_t x1 = wrap(x + 1, map->wrap_u, level->width);
    uint32_t y1 = wrap(y + 1, map->wrap_v, level->height);
    float a = u - shift - fu, b = v - shift - fv;
    return blend(blend(get_texel(map, level, x0, y0), get_texel(map, level, x1, y0), a),
                 blend(get_texel(map, level, x0, y1), get_texel(map, level, x1, y1), a), b);
}

/* Binary logarithm of a step in texels, in 16ths, from the step's square: half of the exponent of
 * the square, and linear within two octaves. */
static FACET_ALWAYS_INLINE int level_of(float step_squared)
{
    uint32_t bits;
    if (!(step_squared > 1))
        return 0;
    step_squared = step_squared < 1e30f ? step_squared : 1e30f;
    memcpy(&bits, &step_squared, sizeof bits);
    return (int)(bits >> 18) / 4 - 127 * 8;
}

static FACET_ALWAYS_INLINE void sample(const facet_render_map *map, const float uv[2],
                                       float step_squared, float out[4])
{
    float u = map->rows[0][0] * uv[0] + map->rows[0][1] * uv[1] + map->rows[0][2];
    float v = map->rows[1][0] * uv[0] + map->rows[1][1] * uv[1] + map->rows[1][2];
    const facet_gx_level *whole = &map->image->levels[0];
    float side = (float)(whole->width > whole->height ? whole->width : whole->height);
    int lod = map->mips ? level_of(step_squared * side * side) : 0;
    uint32_t last = map->image->level_count - 1, level = (uint32_t)lod >> 4;
    float part = (float)(lod & 15) / 16;
    facet_floats found = sample_level(map, level < last ? level : last, u, v);
    if (level < last && part > 0)
        found = blend(found, sample_level(map, level + 1, u, v), part);
    facet_floats_store(out, found);
}

static FACET_WIDE void sample_wide(const facet_render_map *map, const float uv[2],
                                   float step_squared, float out[4])
{
    sample(map, uv, step_squared, out);
}

void facet_render_sample(const facet_render_map *map, const float uv[2], float step_squared,
                         float out[4])
{
    if (facet_is_wide())
        sample_wide(map, uv, step_squared, out);
    else
        sample(map, uv, step_squared, out);
}
