/* convert/maps.c - conversion of the maps of materials to those of glTF. */
#include "convert/maps.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "scene/material.h"

#include <facet/image.h>
#include <string.h>

/* Result of combining two images. */
typedef enum made_kind { ALPHA_OF_SECOND, ROUGHNESS_AND_METALLIC, WITHOUT_ALPHA } made_kind;

typedef struct made_from {
    uint32_t kind, first, second; /* `first`, `second`: images of the scene, or FACET_NONE */
} made_from;

typedef enum alpha_kind { UNKNOWN, SOLID, CUT_OUT, TRANSLUCENT } alpha_kind;

typedef struct settling {
    facet_scene *scene;
    const facet_options *options;
    facet_arena *scratch;
    facet_records made; /* records of made_from */
    uint32_t *images;   /* per record: the image; FACET_NONE: it cannot be created */
    uint8_t *alpha;     /* per original image of the scene: alpha_kind */
    bool *is_shared;    /* per original image: not only opaque materials use it */
    bool *is_replaced;  /* per original image: it is now the one without alpha */
    uint32_t image_count;
    bool *changed;
    facet_error *error;
} settling;

/* -- Pixels ------------------------------------------------------------- */

/* Decode an image into a separate arena; free it with facet_arena_free. *usable is false if there
 * is nothing to decode. */
static facet_status decode(const settling *s, uint32_t index, facet_arena **arena,
                           facet_image *image, bool *usable)
{
    facet_error ignored;
    facet_options quiet = s->options ? *s->options : (facet_options){0};
    quiet.report = NULL;
    *image = *s->scene->images[index];
    *usable = false;
    *arena = NULL;
    if (!image->pixels && !image->data)
        return FACET_OK;
    TRY(facet_arena_create(s->options, arena, s->error));
    facet_status status =
        image->pixels ? FACET_OK : facet_image_decode(*arena, image, &quiet, &ignored);
    if (facet_lacks_memory(status)) {
        *s->error = ignored;
        return status;
    }
    *usable = !status && !image->is_float;
    return FACET_OK;
}

static uint8_t channel_of(const facet_image *image, uint32_t x, uint32_t y, uint32_t channel)
{
    const uint8_t *at =
        (const uint8_t *)image->pixels + ((size_t)y * image->width + x) * image->channels;
    bool has_alpha = image->channels == 2 || image->channels == 4;
    if (channel == 3)
        return has_alpha ? at[image->channels - 1] : 255;
    return image->channels < 3 ? at[0] : at[channel];
}

/* A channel at a pixel of an image that may have another size. */
static uint8_t scaled_channel(const facet_image *image, uint32_t x, uint32_t y,
                              const facet_image *of, uint32_t channel)
{
    uint32_t u = (uint32_t)((uint64_t)x * image->width / of->width);
    uint32_t v = (uint32_t)((uint64_t)y * image->height / of->height);
    return channel_of(image, u, v, channel);
}

static bool has_alpha_below(const facet_image *image, uint8_t limit)
{
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            if (channel_of(image, x, y, 3) < limit)
                return true;
        }
    }
    return false;
}

/* -- Kinds of alpha ----------------------------------------------------- */

/* Values this close to either end are treated as that end, because lossy formats and filters change
 * them. */
#define NEAR_END 16
/* The edges of a cut-out are smooth: up to a tenth of its pixels are between the ends. */
#define EDGE_SHARE 10

static alpha_kind classify(const facet_image *image)
{
    size_t between = 0, gone = 0, all = (size_t)image->width * image->height;
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            uint8_t alpha = channel_of(image, x, y, 3);
            gone += alpha < NEAR_END;
            between += alpha >= NEAR_END && alpha < 255 - NEAR_END;
        }
    }
    if (gone == 0 && between == 0)
        return SOLID;
    return gone > 0 && between <= all / EDGE_SHARE ? CUT_OUT : TRANSLUCENT;
}

static facet_status find_alpha(settling *s, uint32_t index, alpha_kind *kind)
{
    if (index < s->image_count && s->alpha[index] != UNKNOWN) {
        *kind = (alpha_kind)s->alpha[index];
        return FACET_OK;
    }
    *kind = SOLID;
    if (facet_image_may_have_alpha(s->scene->images[index])) {
        facet_arena *arena;
        facet_image image;
        bool usable;
        facet_status status = decode(s, index, &arena, &image, &usable);
        if (!status && usable)
            *kind = classify(&image);
        facet_arena_free(arena);
        if (status)
            return status;
    }
    if (index < s->image_count)
        s->alpha[index] = (uint8_t)*kind;
    return FACET_OK;
}

/* -- New images --------------------------------------------------------- */

/* Write `pixels` as a PNG to the bytes of `image`, which may be the same. */
static facet_status encode(facet_scene *scene, const facet_image *pixels, facet_image *image,
                           const facet_options *options, facet_error *error)
{
    facet_output *output = NULL;
    facet_options quiet = options ? *options : (facet_options){0};
    quiet.report = NULL;
    facet_status status = facet_output_open_memory(quiet.allocator, &output, error);
    if (!status)
        status = facet_image_encode(pixels, "image/png", 0, &quiet, output, error);
    if (!status)
        status = facet_output_commit(output, error);
    if (!status) {
        size_t size = (size_t)facet_output_size(output);
        uint8_t *data = facet_arena_allocate(scene->arena, size, 1);
        if (data) {
            memcpy(data, facet_output_data(output), size);
            image->data = data;
            image->size = size;
            image->media_type = "image/png";
        } else {
            status = facet_fail_arena(scene->arena, error);
        }
    }
    facet_output_free(output);
    return status;
}

static facet_status add_image(const settling *s, const char *name, const facet_image *pixels,
                              uint32_t *index)
{
    facet_image *image = NULL;
    facet_image encoded = {0};
    TRY(encode(s->scene, pixels, &encoded, s->options, s->error));
    TRY(facet_scene_add_image(s->scene, name, &image, s->error));
    image->data = encoded.data;
    image->size = encoded.size;
    image->media_type = encoded.media_type;
    *index = s->scene->image_count - 1;
    return FACET_OK;
}

facet_status facet_scene_encode_pixels(facet_scene *scene, const facet_options *options,
                                       bool *changed, facet_error *error)
{
    for (uint32_t i = 0; i < scene->image_count; i++) {
        facet_image *image = scene->images[i];
        facet_error cause = {0};
        if (!image->pixels || image->data)
            continue;
        facet_status status = encode(scene, image, image, options, &cause);
        if (status && status != FACET_ERROR_UNSUPPORTED) { /* the writer reports it */
            if (error)
                *error = cause;
            return status;
        }
        *changed |= !status;
    }
    return FACET_OK;
}

/* Combine two images, of which one may be missing (white).
 *
 * - ALPHA_OF_SECOND: the colors of the first, with the opacity of the second as alpha.
 * - ROUGHNESS_AND_METALLIC: green from the first, blue from the second.
 * - WITHOUT_ALPHA: the colors of the first. */
static void combine(made_kind kind, const facet_image *first, const facet_image *second,
                    facet_image *out)
{
    uint8_t *to = out->pixels;
    bool alpha = second && kind == ALPHA_OF_SECOND && has_alpha_below(second, 255);
    for (uint32_t y = 0; y < out->height; y++) {
        for (uint32_t x = 0; x < out->width; x++, to += out->channels) {
            if (kind == ALPHA_OF_SECOND) {
                for (uint32_t k = 0; k < 3; k++)
                    to[k] = first ? scaled_channel(first, x, y, out, k) : 255;
                to[3] = scaled_channel(second, x, y, out, alpha ? 3 : 0);
            } else if (kind == WITHOUT_ALPHA) {
                for (uint32_t k = 0; k < 3; k++)
                    to[k] = channel_of(first, x, y, k);
            } else {
                to[0] = 255; /* some programs read it as occlusion: none */
                to[1] = first ? scaled_channel(first, x, y, out, 0) : 255;
                to[2] = second ? scaled_channel(second, x, y, out, 0) : 255;
            }
        }
    }
}

static facet_status make_image(settling *s, const made_from *from, uint32_t *index)
{
    facet_arena *arenas[2] = {NULL, NULL}, *arena = NULL;
    facet_image images[2];
    const uint32_t given[2] = {from->first, from->second};
    bool usable = true;
    facet_status status = FACET_OK;
    for (int i = 0; i < 2 && !status && usable; i++) {
        if (given[i] != FACET_NONE)
            status = decode(s, given[i], &arenas[i], &images[i], &usable);
    }
    if (!status)
        status = facet_arena_create(s->options, &arena, s->error);
    *index = FACET_NONE;
    if (!status && usable) {
        const facet_image *first = from->first == FACET_NONE ? NULL : &images[0];
        const facet_image *second = from->second == FACET_NONE ? NULL : &images[1];
        const facet_image *larger =
            !second || (first && first->width >= second->width) ? first : second;
        facet_image out = {
            .name = "", .media_type = "", .width = larger->width, .height = larger->height};
        out.channels = from->kind == ALPHA_OF_SECOND ? 4 : 3;
        out.pixels = facet_arena_allocate(arena, (size_t)out.width * out.height, out.channels);
        const char *a = facet_arena_stem(arena, first ? first->name : "");
        const char *b = facet_arena_stem(arena, second ? second->name : "");
        const char *name =
            a && b ? facet_arena_format(s->scene->arena, "%s%s%s", a, first && second ? "+" : "", b)
                   : NULL;
        if (!out.pixels || !name) {
            status = facet_fail_arenas(arena, s->scene->arena, s->error);
        } else {
            combine((made_kind)from->kind, first, second, &out);
            status = add_image(s, name, &out, index);
        }
    }
    facet_arena_free(arena);
    for (int i = 0; i < 2; i++)
        facet_arena_free(arenas[i]);
    return status;
}

/* Get the image combined from these two; it is created once. */
static facet_status image_of(settling *s, made_kind kind, uint32_t first, uint32_t second,
                             uint32_t *index)
{
    made_from from = {kind, first, second};
    uint32_t before = s->made.count, number = facet_records_put(&s->made, &from);
    if (number == UINT32_MAX)
        return facet_fail_arena(s->scratch, s->error);
    if (number < before) {
        *index = s->images[number];
        return FACET_OK;
    }
    TRY(make_image(s, &from, index));
    s->images[number] = *index;
    *s->changed |= *index != FACET_NONE;
    return FACET_OK;
}

/* -- Materials ---------------------------------------------------------- */

static bool lie_alike(const facet_texture *a, const facet_texture *b)
{
    bool same = a->uv_set == b->uv_set && a->wrap_u == b->wrap_u && a->wrap_v == b->wrap_v &&
                a->has_transform == b->has_transform;
    return same && (!a->has_transform || (memcmp(a->offset, b->offset, sizeof a->offset) == 0 &&
                                          memcmp(a->scale, b->scale, sizeof a->scale) == 0 &&
                                          a->rotation == b->rotation));
}

static facet_texture *map_of(facet_material *m, facet_map map)
{
    facet_texture *texture = m->maps[map];
    return texture && texture->has_image ? texture : NULL;
}

/* Set a map like `like`, but with another image of the scene. */
static facet_status set_map(settling *s, facet_material *m, facet_map map,
                            const facet_texture *like, uint32_t image)
{
    facet_texture *made;
    TRY(facet_scene_add_map(s->scene, m, map, &made, s->error));
    *made = *like;
    made->path = "";
    made->has_image = true;
    made->image = image;
    return FACET_OK;
}

static facet_status settle_alpha(settling *s, facet_material *m)
{
    facet_texture *color = map_of(m, FACET_MAP_DIFFUSE), *opacity = map_of(m, FACET_MAP_OPACITY);
    if (opacity && color && color->image == opacity->image && lie_alike(color, opacity)) {
        m->maps[FACET_MAP_OPACITY] = NULL;
    } else if (opacity && (!color || lie_alike(color, opacity))) {
        uint32_t image = FACET_NONE;
        TRY(image_of(s, ALPHA_OF_SECOND, color ? color->image : FACET_NONE, opacity->image,
                     &image));
        if (image == FACET_NONE)
            return FACET_OK;
        TRY(set_map(s, m, FACET_MAP_DIFFUSE, color ? color : opacity, image));
        m->maps[FACET_MAP_OPACITY] = NULL;
    } else if (opacity || !color) {
        return FACET_OK;
    }
    color = map_of(m, FACET_MAP_DIFFUSE);
    if (m->base_color[3] < 1 && !opacity)
        return FACET_OK;
    alpha_kind kind;
    TRY(find_alpha(s, color->image, &kind));
    facet_alpha_mode mode = kind == CUT_OUT       ? FACET_ALPHA_MASK
                            : kind == TRANSLUCENT ? FACET_ALPHA_BLEND
                                                  : FACET_ALPHA_OPAQUE;
    if (m->base_color[3] < 1)
        mode = FACET_ALPHA_BLEND;
    *s->changed |= mode != m->alpha_mode || opacity;
    m->alpha_mode = mode;
    return FACET_OK;
}

/* True for a normal map, whose mean color is near (0.5, 0.5, 1); a height map is gray. */
static bool shows_directions(const facet_image *image)
{
    uint64_t sums[3] = {0}, count = (uint64_t)image->width * image->height;
    if (image->channels < 3)
        return false;
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            for (uint32_t k = 0; k < 3; k++)
                sums[k] += channel_of(image, x, y, k);
        }
    }
    return sums[0] / count >= 96 && sums[0] / count <= 160 && sums[1] / count >= 96 &&
           sums[1] / count <= 160 && sums[2] / count >= 192;
}

static facet_status settle_bump(settling *s, facet_material *m)
{
    facet_texture *bump = map_of(m, FACET_MAP_BUMP);
    facet_arena *arena;
    facet_image image;
    bool usable;
    if (!bump || m->maps[FACET_MAP_NORMAL])
        return FACET_OK;
    facet_status status = decode(s, bump->image, &arena, &image, &usable);
    if (!status && usable && shows_directions(&image)) {
        m->maps[FACET_MAP_NORMAL] = bump;
        m->maps[FACET_MAP_BUMP] = NULL;
        *s->changed = true;
    }
    facet_arena_free(arena);
    return status;
}

static facet_status settle_physical(settling *s, facet_material *m)
{
    facet_texture *roughness = map_of(m, FACET_MAP_ROUGHNESS),
                  *metallic = map_of(m, FACET_MAP_METALLIC);
    uint32_t image = FACET_NONE;
    if ((!roughness && !metallic) || m->maps[FACET_MAP_METALLIC_ROUGHNESS] ||
        (roughness && metallic && !lie_alike(roughness, metallic)))
        return FACET_OK;
    TRY(image_of(s, ROUGHNESS_AND_METALLIC, roughness ? roughness->image : FACET_NONE,
                 metallic ? metallic->image : FACET_NONE, &image));
    if (image == FACET_NONE)
        return FACET_OK;
    TRY(set_map(s, m, FACET_MAP_METALLIC_ROUGHNESS, roughness ? roughness : metallic, image));
    m->maps[FACET_MAP_ROUGHNESS] = m->maps[FACET_MAP_METALLIC] = NULL;
    return FACET_OK;
}

/* Replace the image of an opaque material, if its alpha would be shown. */
static facet_status settle_opaque(settling *s, facet_material *m)
{
    facet_arena *arena;
    facet_image image;
    bool usable;
    uint32_t made = FACET_NONE, index;
    if (!facet_material_ignores_alpha(s->scene, m))
        return FACET_OK;
    index = m->maps[FACET_MAP_DIFFUSE]->image;
    facet_status status = decode(s, index, &arena, &image, &usable);
    bool has_alpha = !status && usable && has_alpha_below(&image, 255);
    facet_arena_free(arena);
    if (status || !has_alpha)
        return status;
    TRY(image_of(s, WITHOUT_ALPHA, index, FACET_NONE, &made));
    if (made == FACET_NONE)
        return FACET_OK;
    if (s->is_shared[index])
        return set_map(s, m, FACET_MAP_DIFFUSE, m->maps[FACET_MAP_DIFFUSE], made);
    /* Nothing would use the original. */
    s->scene->images[made]->name = s->scene->images[index]->name;
    s->scene->images[made]->extras = s->scene->images[index]->extras;
    *s->scene->images[index] = *s->scene->images[made];
    s->scene->image_count--;
    s->is_replaced[index] = true;
    return FACET_OK;
}

/* Find the images that not only opaque materials use as their base color. */
static facet_status find_shared(settling *s)
{
    facet_scene *scene = s->scene;
    s->is_shared = facet_arena_allocate_zeroed(s->scratch, s->image_count, sizeof(bool));
    s->is_replaced = facet_arena_allocate_zeroed(s->scratch, s->image_count, sizeof(bool));
    if (!s->is_shared || !s->is_replaced)
        return facet_fail_arena(s->scratch, s->error);
    for (uint32_t i = 0; i < scene->material_count; i++) {
        bool is_opaque = facet_material_ignores_alpha(scene, scene->materials[i]);
        for (int map = 0; map < FACET_MAP_COUNT; map++) {
            const facet_texture *texture = map_of(scene->materials[i], (facet_map)map);
            if (texture && !(is_opaque && map == FACET_MAP_DIFFUSE))
                s->is_shared[texture->image] = true;
        }
    }
    for (uint32_t a = 0; a < scene->animation_count; a++) {
        for (uint32_t k = 0; k < scene->animations[a]->channel_count; k++) {
            if (scene->animations[a]->channels[k].target == FACET_TARGET_TEXTURE_IMAGE)
                memset(s->is_shared, true, s->image_count * sizeof(bool));
        }
    }
    return FACET_OK;
}

/* The former files of replaced images still have alpha. */
static void forget_paths(const settling *s)
{
    for (uint32_t i = 0; i < s->scene->material_count; i++) {
        facet_texture *color = map_of(s->scene->materials[i], FACET_MAP_DIFFUSE);
        if (color && color->image < s->image_count && s->is_replaced[color->image])
            color->path = "";
    }
}

static facet_status settle_material(settling *s, facet_material *m, unsigned needs)
{
    /* glTF and consoles define the alpha mode themselves. */
    if (needs & FACET_NEED_ALPHA && m->classic && !m->gx && m->alpha_mode != FACET_ALPHA_MASK)
        TRY(settle_alpha(s, m));
    if (needs & FACET_NEED_OPAQUE)
        TRY(settle_opaque(s, m));
    if (!(needs & FACET_NEED_PHYSICAL_MAPS))
        return FACET_OK;
    TRY(settle_bump(s, m));
    return settle_physical(s, m);
}

facet_status facet_scene_combine_maps(facet_scene *scene, unsigned needs,
                                      const facet_options *options, bool *changed,
                                      facet_error *error)
{
    settling s = {.scene = scene,
                  .options = options,
                  .image_count = scene->image_count,
                  .changed = changed,
                  .error = error};
    if (!(needs & (FACET_NEED_ALPHA | FACET_NEED_PHYSICAL_MAPS | FACET_NEED_OPAQUE)) ||
        scene->material_count == 0 || scene->image_count == 0)
        return FACET_OK;
    TRY(facet_arena_create(options, &s.scratch, error));
    s.made = facet_records_make(s.scratch, sizeof(made_from));
    s.images = facet_arena_allocate(s.scratch, (size_t)scene->material_count * 3,
                                    sizeof *s.images); /* at most three per material */
    s.alpha = facet_arena_allocate_zeroed(s.scratch, scene->image_count, 1);
    facet_status status = s.images && s.alpha ? FACET_OK : facet_fail_arena(s.scratch, error);
    if (!status)
        status = find_shared(&s);
    for (uint32_t i = 0; i < scene->material_count && !status; i++) {
        status = facet_step(options, "maps", (double)i / scene->material_count, error);
        if (!status)
            status = settle_material(&s, scene->materials[i], needs);
    }
    if (!status)
        forget_paths(&s);
    facet_arena_free(s.scratch);
    return status;
}
