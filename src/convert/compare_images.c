/* convert/compare_images.c - comparison of the images of two scenes: sizes and pixels. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "base/table.h"
#include "base/text.h"
#include "convert/compare.h"
#include "image/image.h"

#include <facet/convert.h>
#include <facet/image.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

/* -- Loading ------------------------------------------------------------ */

/* A texture and the name of its image, from before missing images are left out. */
typedef struct named_texture {
    facet_texture *texture;
    const char *name;
} named_texture;

static void name_textures(const facet_scene *scene, named_texture *named)
{
    for (size_t i = 0; i < (size_t)scene->material_count * FACET_MAP_COUNT; i++) {
        facet_texture *texture = scene->materials[i / FACET_MAP_COUNT]->maps[i % FACET_MAP_COUNT];
        const facet_image *image =
            texture && texture->has_image ? scene->images[texture->image] : NULL;
        named[i].texture = texture;
        named[i].name = !texture      ? NULL
                        : !image      ? texture->path
                        : image->path ? image->path
                                      : image->name;
    }
}

facet_status facet_compare_load(const facet_source *source, const facet_format *format,
                                const facet_options *options, facet_scene **scene,
                                facet_error *error)
{
    facet_load_options load = {.image_files = true};
    facet_options quiet = *options;
    facet_scene *made = NULL;
    quiet.report = NULL;
    TRY(facet_load(source, format, NULL, options, &made, error));
    size_t count = (size_t)made->material_count * FACET_MAP_COUNT;
    named_texture *named = facet_arena_allocate(made->arena, count, sizeof *named);
    facet_status status = named ? FACET_OK : facet_fail_arena(made->arena, error);
    if (!status) {
        name_textures(made, named);
        status = facet_scene_load_images(made, source, &load, &quiet, error);
    }
    for (size_t i = 0; i < count && !status; i++) {
        facet_texture **map = &made->materials[i / FACET_MAP_COUNT]->maps[i % FACET_MAP_COUNT];
        if (*map || !named[i].texture)
            continue;
        *map = named[i].texture;
        (*map)->has_image = false;
        (*map)->path = named[i].name ? named[i].name : "";
    }
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

/* -- Pairs of images ---------------------------------------------------- */

/* Make sure that the image has pixels, decoded if necessary; false if it has none. */
static bool have_pixels(const facet_comparing *c, facet_scene *scene, facet_image *image)
{
    if (!image->pixels && image->data)
        facet_image_decode(scene->arena, image, c->options, NULL);
    return image->pixels != NULL;
}

static double sample(const facet_image *image, size_t pixel, uint32_t channel)
{
    uint32_t from = channel;
    if (image->channels < 3) /* the first channel is red, green and blue */
        from = channel == 3 ? 1 : 0;
    if (from >= image->channels)
        return 1;
    size_t at = pixel * image->channels + from;
    /* Rounded to float like a sample of 16 bits, so that equal values are equal. */
    return image->is_float ? ((const float *)image->pixels)[at]
                           : (float)(((const uint8_t *)image->pixels)[at] / 255.0);
}

/* Mean squared difference of red, green, blue and alpha, and the largest one. */
static double squared_error(const facet_image *a, const facet_image *b, double *greatest)
{
    size_t pixels = (size_t)a->width * a->height;
    double sum = 0;
    *greatest = 0;
    for (size_t i = 0; i < pixels; i++) {
        for (uint32_t channel = 0; channel < 4; channel++) {
            double d = fabs(sample(a, i, channel) - sample(b, i, channel));
            sum += d * d;
            *greatest = fmax(*greatest, d);
        }
    }
    return sum / (4.0 * (double)pixels);
}

/* Compare images of 16 bits per sample, whose pixels are equal after rounding to 8 bits. Negative
 * if they cannot be decoded. */
static double deep_error(facet_scene *a, const facet_image *here, facet_scene *b,
                         const facet_image *there, double *greatest)
{
    facet_image deep[2] = {*here, *there};
    facet_arena *const arenas[2] = {a->arena, b->arena};
    for (int i = 0; i < 2; i++) {
        facet_image known = deep[i];
        if (facet_image_is_deep(&known) &&
            facet_image_decode_deep(arenas[i], &known, &deep[i], NULL))
            return -1;
    }
    return squared_error(&deep[0], &deep[1], greatest);
}

/* Bytes of the mip levels below the pixels. */
static size_t bytes_of_smaller(const facet_image *image)
{
    uint64_t bytes = 0;
    uint32_t width = image->width, height = image->height;
    for (uint32_t i = 0; i < image->smaller_count && (width > 1 || height > 1); i++) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
        bytes += 4 * (uint64_t)width * height;
    }
    return (size_t)bytes;
}

/* Compare the mip levels of two images of equal size. */
static void compare_smaller(const facet_comparing *c, const facet_image *here,
                            const facet_image *there, const char *name)
{
    if (!here->smaller != !there->smaller)
        facet_compare_add_absent(c, FACET_COMPARE_IMAGES, "COMPARE-IMAGE-ABSENT",
                                 "the mip levels of image '%s' are in the %s file only: they are "
                                 "not compared",
                                 name, here->smaller ? "first" : "second");
    else if (here->smaller && (here->smaller_count != there->smaller_count ||
                               memcmp(here->smaller, there->smaller, bytes_of_smaller(here)) != 0))
        facet_compare_add(c, FACET_COMPARE_IMAGES, "COMPARE-IMAGE", FACET_NO_OFFSET,
                          "image '%s' has other mip levels in the second file", name);
}

static void compare_pair(const facet_comparing *c, facet_scene *a, facet_image *here,
                         facet_scene *b, facet_image *there)
{
    facet_quoted quoted;
    const char *name = facet_quote(&quoted, here->name, strlen(here->name));
    bool same = here->data && there->data && here->size == there->size &&
                memcmp(here->data, there->data, here->size) == 0;
    if (same)
        return;
    bool has = have_pixels(c, a, here), other_has = have_pixels(c, b, there);
    if (has != other_has) {
        facet_compare_add(c, FACET_COMPARE_IMAGES, "COMPARE-IMAGE", FACET_NO_OFFSET,
                          "image '%s' has pixels only in the %s file", name,
                          has ? "first" : "second");
        return;
    }
    if (!has) {
        if (here->data || there->data)
            facet_compare_add(
                c, FACET_COMPARE_IMAGES, "COMPARE-IMAGE", FACET_NO_OFFSET,
                "image '%s' has different bytes, in a format that Facet does not decode", name);
        else
            facet_compare_add_absent(c, FACET_COMPARE_IMAGES, "COMPARE-IMAGE-ABSENT",
                                     "image '%s' is in neither file: it is not compared", name);
        return;
    }
    if (here->width != there->width || here->height != there->height) {
        facet_compare_add(c, FACET_COMPARE_IMAGES, "COMPARE-IMAGE", FACET_NO_OFFSET,
                          "image '%s' has %" PRIu32 " x %" PRIu32
                          " pixels, in the second file %" PRIu32 " x %" PRIu32,
                          name, here->width, here->height, there->width, there->height);
        return;
    }
    compare_smaller(c, here, there, name);
    double greatest, error = squared_error(here, there, &greatest);
    if (error == 0 && (facet_image_is_deep(here) || facet_image_is_deep(there)))
        error = deep_error(a, here, b, there, &greatest);
    if (error < 0)
        facet_compare_add(c, FACET_COMPARE_IMAGES, "COMPARE-IMAGE", FACET_NO_OFFSET,
                          "image '%s' has 16 bits per sample: only 8 of them could be compared",
                          name);
    else if (error > 0)
        facet_compare_add(
            c, FACET_COMPARE_IMAGES, "COMPARE-IMAGE", FACET_NO_OFFSET,
            "image '%s' differs: %.1f dB PSNR over all four channels, at most %g of 255", name,
            -10 * log10(error), greatest * 255);
}

/* Hash of the bytes of an image file, or of its pixels. */
static uint64_t content_of(const facet_image *image)
{
    size_t bytes = image->data ? image->size : 0;
    if (!image->data && image->pixels)
        bytes = (size_t)image->width * image->height * image->channels *
                (image->is_float ? sizeof(float) : 1);
    const void *content = image->data ? (const void *)image->data : image->pixels;
    uint64_t hash = facet_hash_word(image->width, image->height);
    return bytes > 0 ? facet_hash_word(hash, facet_hash_bytes(content, bytes)) : hash;
}

const char *facet_compare_image_stem(facet_arena *arena, const char *name)
{
    const char *backslash = strrchr(name, '\\');
    return facet_arena_stem(arena, backslash ? backslash + 1 : name);
}

/* True for a scene that is only a picture: it is named after its file. */
static bool is_picture(const facet_scene *scene)
{
    return scene->image_count == 1 && scene->mesh_count == 0 && scene->material_count == 0;
}

facet_status facet_compare_pair_images(facet_comparing *c, const facet_scene *a,
                                       const facet_scene *b, facet_error *error)
{
    size_t count = (size_t)a->image_count + b->image_count;
    const char **names = facet_arena_allocate(c->arena, count, sizeof *names);
    uint32_t *pairs = facet_arena_allocate(c->arena, a->image_count, sizeof *pairs);
    uint64_t *contents = facet_arena_allocate(c->arena, count, sizeof *contents);
    if (!names || !pairs || !contents)
        return facet_fail_arena(c->arena, error);
    c->image_pairs = pairs;
    if (is_picture(a) && is_picture(b)) {
        pairs[0] = 0;
        return FACET_OK;
    }
    /* A file in one scene may be a texture in the other: only the name counts, not the location. */
    for (size_t i = 0; i < count; i++) {
        const facet_image *image =
            i < a->image_count ? a->images[i] : b->images[i - a->image_count];
        names[i] = facet_compare_image_stem(c->arena, image->name);
        contents[i] = content_of(image);
        if (!names[i])
            return facet_fail_arena(c->arena, error);
    }
    TRY(facet_compare_names(c, "images", names, a->image_count, names + a->image_count,
                            b->image_count, pairs, error));
    return facet_compare_pair_rest(c, contents, a->image_count, contents + a->image_count,
                                   b->image_count, pairs, error);
}

facet_status facet_compare_images(const facet_comparing *c, facet_scene *a, facet_scene *b,
                                  facet_error *error)
{
    for (uint32_t i = 0; i < a->image_count; i++) {
        if (c->image_pairs[i] != FACET_NONE)
            compare_pair(c, a, a->images[i], b, b->images[c->image_pairs[i]]);
        TRY(facet_step(c->options, "compare images", (i + 1.0) / a->image_count, error));
    }
    return FACET_OK;
}
