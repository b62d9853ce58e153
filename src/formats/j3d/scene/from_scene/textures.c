/* formats/j3d/scene/from_scene/textures.c - planned textures, each encoded once. */
#include "formats/j3d/scene/from_scene/builder.h"
#include "formats/j3d/scene/from_scene/original.h"
#include "formats/j3d/scene/from_scene/texture_plans.h"
#include "gx/bti_settings.h"
#include "gx/bti_texture.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "base/text.h"
#include "image/image.h"

#include <facet/gx.h>
#include <facet/image.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SIDE 1024
#define SMALLEST_LEVEL 8 /* side of the largest block, of CMPR and I4 */

/* -- Pixels ------------------------------------------------------------- */

static bool is_power_of_two(uint32_t side)
{
    return (side & (side - 1)) == 0;
}

static uint32_t fitting_side(uint32_t side)
{
    uint32_t power = facet_image_nearest_power_of_two(side);
    return power > MAX_SIDE ? MAX_SIDE : power;
}

/* Free pixels that the scene does not own. */
static void release_pixels(const facet_j3d_builder *b, const facet_j3d_texture_plan *plan,
                           const facet_image *image)
{
    if (plan->image == FACET_NONE || image->pixels != b->scene->images[plan->image]->pixels)
        facet_arena_release(b->scratch, image->pixels, facet_image_bytes(image), 1);
}

/* Remove alpha that no material shows, because it requires a larger format. */
static facet_status drop_alpha(const facet_j3d_builder *b, const facet_j3d_texture_plan *plan,
                               facet_image *image)
{
    if (plan->needs_alpha || (image->channels != 2 && image->channels != 4))
        return FACET_OK;
    const uint8_t *pixels = image->pixels;
    size_t count = (size_t)image->width * image->height, opaque = 0;
    while (!image->is_float && opaque < count &&
           pixels[opaque * image->channels + image->channels - 1] == 255)
        opaque++;
    if (opaque < count)
        facet_report_add(facet_j3d_builder_report(b), "LOSS-PIXELS", FACET_SEVERITY_NOTE,
                         FACET_NO_OFFSET,
                         "the alpha of image '%s' is left out: no material shows it", plan->name);
    facet_image made;
    TRY(facet_image_with_channels(b->scratch, image, image->channels - 1, &made, b->error));
    release_pixels(b, plan, image);
    *image = made;
    return FACET_OK;
}

/* True if a texture repeats or mirrors along one axis. */
static bool repeats(bool is_wanted, uint8_t wanted, bool is_known, uint8_t known, facet_wrap wrap)
{
    return is_wanted ? wanted != 0 : is_known ? known != 0 : wrap != FACET_WRAP_CLAMP;
}

/* Resize the sides of an image along which it repeats to powers of two: the hardware requires it.
 */
static facet_status fit(const facet_j3d_builder *b, const facet_j3d_texture_plan *plan,
                        facet_image *image)
{
    if (image->width > MAX_SIDE || image->height > MAX_SIDE)
        return facet_fail(b->error, FACET_ERROR_LIMIT, "J3D-LIMIT-TEXTURE", FACET_NO_OFFSET,
                          "image '%s' has %" PRIu32 " x %" PRIu32
                          " texels, and a texture has %d x %d at most: --resize makes it smaller",
                          plan->name, image->width, image->height, MAX_SIDE, MAX_SIDE);
    const facet_bti_wanted *wanted = &plan->wanted;
    uint32_t width = image->width, height = image->height;
    /* A texture from a file keeps the sides that it had. */
    bool same_sides = plan->is_known && plan->known.width == width && plan->known.height == height;
    if (repeats(wanted->has_wrap_s, wanted->wrap_s, plan->is_known, plan->known.wrap_s,
                plan->wrap_u))
        width = fitting_side(width);
    if (repeats(wanted->has_wrap_t, wanted->wrap_t, plan->is_known, plan->known.wrap_t,
                plan->wrap_v))
        height = fitting_side(height);
    if (same_sides || (width == image->width && height == image->height))
        return FACET_OK;
    facet_report_add(facet_j3d_builder_report(b), "LOSS-TEXTURES", FACET_SEVERITY_WARNING,
                     FACET_NO_OFFSET,
                     "image '%s' of %" PRIu32 " x %" PRIu32 " texels becomes %" PRIu32 " x %" PRIu32
                     ": only sides that are powers of two can repeat",
                     plan->name, image->width, image->height, width, height);
    facet_image made;
    TRY(facet_image_with_size(b->scratch, image, width, height, true, &made, b->error));
    release_pixels(b, plan, image);
    *image = made;
    return FACET_OK;
}

static bool wants_mips(facet_filter filter)
{
    return filter >= FACET_FILTER_NEAREST_MIPMAP_NEAREST;
}

/* Number of levels down to the smallest that fills a block of texels. Blender always requests mip
 * levels, and other tools reject a chain that ends in one texel. */
static uint32_t usual_levels(uint32_t width, uint32_t height)
{
    uint32_t levels = 1;
    if (!is_power_of_two(width) || !is_power_of_two(height))
        return 1;
    while (width >> levels >= SMALLEST_LEVEL && height >> levels >= SMALLEST_LEVEL)
        levels++;
    return levels;
}

/* -- Encoding ----------------------------------------------------------- */

static facet_status encode(const facet_j3d_builder *b, const facet_j3d_texture_plan *plan,
                           facet_gx_texture *made)
{
    facet_image image = {0};
    facet_gx_texture_options how;
    facet_status status = FACET_OK;
    if (plan->image == FACET_NONE) {
        status = facet_image_allocate(b->scratch, &image, plan->known.width, plan->known.height, 4,
                                      false, 0, NULL, b->error);
        if (!status)
            memset(image.pixels, 0x80, facet_image_bytes(&image));
    } else {
        image = *b->scene->images[plan->image];
        status = facet_image_decode(b->scratch, &image, b->options, b->error);
    }
    if (!status)
        status = drop_alpha(b, plan, &image);
    if (!status)
        status = fit(b, plan, &image);
    if (!status)
        status = facet_bti_encoding(b->options, plan->name, plan->is_known ? &plan->known : NULL,
                                    &how, b->error);
    if (status)
        return status;
    if (!plan->is_known && how.levels == 0 && wants_mips(plan->minify))
        how.levels = usual_levels(image.width, image.height);
    status = facet_gx_encode_image(b->document->arena, &image, &how, b->options, made, b->error);
    release_pixels(b, plan, &image);
    return status;
}

static bool wants_same_texels(const facet_bti_wanted *a, const facet_bti_wanted *b)
{
    return a->has_format == b->has_format && a->is_automatic == b->is_automatic &&
           a->format == b->format && a->levels == b->levels;
}

/* Find an earlier plan with the same image and encoding. */
static uint32_t same_texels(const facet_j3d_texture_plans *plans, uint32_t index)
{
    const facet_j3d_texture_plan *plan = &plans->items[index];
    for (uint32_t i = 0; i < index && plan->image != FACET_NONE; i++) {
        const facet_j3d_texture_plan *other = &plans->items[i];
        if (other->image != plan->image || other->is_kept || other->is_known != plan->is_known ||
            other->needs_alpha != plan->needs_alpha ||
            !wants_same_texels(&other->wanted, &plan->wanted))
            continue;
        if (plan->is_known
                ? other->known.format == plan->known.format &&
                      other->known.palette_format == plan->known.palette_format &&
                      other->known.level_count == plan->known.level_count &&
                      !other->known.wrap_s == !plan->known.wrap_s &&
                      !other->known.wrap_t == !plan->known.wrap_t
                : wants_mips(other->minify) == wants_mips(plan->minify) &&
                      (other->wrap_u == FACET_WRAP_CLAMP) == (plan->wrap_u == FACET_WRAP_CLAMP) &&
                      (other->wrap_v == FACET_WRAP_CLAMP) == (plan->wrap_v == FACET_WRAP_CLAMP))
            return i;
    }
    return FACET_NONE;
}

/* Store a run of bytes, or reuse an equal one. Return its index. */
static uint32_t put_texels(facet_j3d_textures *textures, const uint8_t *bytes, size_t size)
{
    for (uint32_t i = 0; i < textures->texels_count; i++) {
        const facet_j3d_texels *known = &textures->texels[i];
        if (known->size == size &&
            (known->bytes == bytes || memcmp(known->bytes, bytes, size) == 0))
            return i;
    }
    textures->texels[textures->texels_count].bytes = bytes;
    textures->texels[textures->texels_count].size = size;
    return textures->texels_count++;
}

/* Store a palette in whole blocks of 32 bytes. */
static facet_status put_palette(const facet_j3d_builder *b, const facet_gx_palette *palette,
                                facet_j3d_textures *textures, uint32_t *index)
{
    *index = FACET_J3D_NO_TEXELS;
    if (palette->count == 0)
        return FACET_OK;
    size_t size = facet_align_up((size_t)palette->count * 2, 32);
    uint8_t *bytes = facet_j3d_builder_keep(b, size, 1);
    if (!bytes)
        return facet_j3d_builder_no_memory(b);
    memcpy(bytes, palette->entries, (size_t)palette->count * 2);
    *index = put_texels(textures, bytes, size);
    return FACET_OK;
}

static void set_sampler(const facet_j3d_texture_plan *plan, facet_bti_header *header)
{
    static const uint8_t filters[] = {
        [FACET_FILTER_DEFAULT] = 1,
        [FACET_FILTER_NEAREST] = 0,
        [FACET_FILTER_LINEAR] = 1,
        [FACET_FILTER_NEAREST_MIPMAP_NEAREST] = 2,
        [FACET_FILTER_LINEAR_MIPMAP_NEAREST] = 3,
        [FACET_FILTER_NEAREST_MIPMAP_LINEAR] = 4,
        [FACET_FILTER_LINEAR_MIPMAP_LINEAR] = 5,
    };
    uint8_t filter = filters[plan->minify];
    header->wrap_s = facet_j3d_wrap_code(plan->wrap_u);
    header->wrap_t = facet_j3d_wrap_code(plan->wrap_v);
    header->mag_filter = plan->magnify == FACET_FILTER_NEAREST ? 0 : 1;
    if (header->level_count > 1)
        header->min_filter = filter >= 2 ? filter : 5;
    else
        header->min_filter = filter == 0 || filter == 2 || filter == 4 ? 0 : 1;
}

static facet_status put_texture(facet_j3d_builder *b, const facet_j3d_texture_plans *plans,
                                uint32_t index, facet_gx_texture *encoded)
{
    facet_j3d_textures *textures = &b->document->textures;
    facet_j3d_texture *texture = &textures->items[index];
    const facet_j3d_texture_plan *plan = &plans->items[index];
    if (plan->is_kept) {
        const facet_j3d_textures *from = &b->like->document->textures;
        const facet_j3d_texture *known = &from->items[index];
        *texture = *known;
        if (known->image < from->texels_count)
            texture->image = put_texels(textures, from->texels[known->image].bytes,
                                        from->texels[known->image].size);
        if (known->palette < from->texels_count)
            texture->palette = put_texels(textures, from->texels[known->palette].bytes,
                                          from->texels[known->palette].size);
        return FACET_OK;
    }
    uint32_t same = same_texels(plans, index);
    facet_status status = FACET_OK;
    if (same != FACET_NONE)
        encoded[index] = encoded[same];
    else
        status = encode(b, plan, &encoded[index]);
    if (status)
        return status;
    const facet_gx_texture *made = &encoded[index];
    facet_bti_header_for(made, plan->is_known ? &plan->known : NULL, &texture->header);
    if (!plan->is_known)
        set_sampler(plan, &texture->header);
    facet_bti_set_sampler(&plan->wanted, &texture->header);
    facet_bti_report_sides(&texture->header, plan->name, "TEX1-SIDES", b->options);
    facet_bti_report_palette(&made->palette, plan->name, "J3D-TEX1-PALETTE-COUNT", b->options);
    if (made->width > b->largest_texture)
        b->largest_texture = made->width;
    if (made->height > b->largest_texture)
        b->largest_texture = made->height;
    status = put_palette(b, &made->palette, textures, &texture->palette);
    texture->image = put_texels(textures, made->data, made->size);
    return status;
}

facet_status facet_j3d_build_textures(facet_j3d_builder *b)
{
    facet_j3d_textures *textures = &b->document->textures;
    facet_j3d_texture_plans plans = {0};
    size_t lost = 0;
    b->texture_of = facet_j3d_builder_scratch(b, b->scene->material_count, sizeof *b->texture_of);
    if (!b->texture_of)
        return facet_j3d_builder_no_memory(b);
    TRY(facet_j3d_plan_textures(b, &plans));
    TRY(facet_j3d_builder_limit(b, "J3D-LIMIT-TEXTURES", plans.count, UINT16_MAX - 1, "textures",
                                "use fewer images"));
    facet_gx_texture *encoded = facet_j3d_builder_scratch(b, plans.count, sizeof *encoded);
    textures->items = facet_j3d_builder_keep(b, plans.count, sizeof *textures->items);
    textures->texels = facet_j3d_builder_keep(b, (size_t)plans.count * 2, sizeof *textures->texels);
    textures->names.items = facet_j3d_builder_keep(b, plans.count, sizeof *textures->names.items);
    b->label_of = facet_j3d_builder_scratch(b, plans.count, sizeof *b->label_of);
    if (!encoded || !b->label_of || !textures->items || !textures->texels || !textures->names.items)
        return facet_j3d_builder_no_memory(b);
    b->document->has_textures = true;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < plans.count && !status; i++) {
        b->label_of[i] = plans.items[i].label;
        status = put_texture(b, &plans, i, encoded);
        if (!status && b->like && i < b->like->document->textures.names.count)
            textures->names.items[i] = b->like->document->textures.names.items[i];
        else if (!status)
            status =
                facet_j3d_builder_name(b, plans.items[i].name, &textures->names.items[i], &lost);
        textures->count = textures->names.count = i + 1;
    }
    if (b->like)
        b->like->textures_changed |= plans.count > b->like->document->textures.count;
    facet_j3d_builder_report_names(b, "texture", lost);
    return status;
}
