/* bpx/texture.c - textures: TypeExt and PixelArray, both ways. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "bpx/bpx.h"

#include <facet/image.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FLAG_ARRAY = 1, FLAG_GPU = 2, FLAG_CUBE = 4 };

/* -- The five bytes ----------------------------------------------------- */

typedef struct texture_head {
    uint32_t array;
    unsigned width, height; /* exponents less one */
    unsigned format, flags, mips;
} texture_head;

static texture_head parse_head(const uint8_t *e, bool swapped)
{
    texture_head h = {.array = facet_load_u16le(e), .mips = e[4]};
    h.width = swapped ? e[2] >> 4 : e[2] & 15;
    h.height = swapped ? e[2] & 15 : e[2] >> 4;
    h.format = swapped ? e[3] >> 4 : e[3] & 15;
    h.flags = swapped ? e[3] & 15 : e[3] >> 4;
    return h;
}

/* The order of the day before: sizes, format, levels, and the array last. */
static texture_head parse_older_head(const uint8_t *e)
{
    texture_head h = {.array = facet_load_u16le(e + 3), .mips = e[2]};
    h.width = e[0] & 15;
    h.height = e[0] >> 4;
    h.format = e[1] & 15;
    h.flags = e[1] >> 4;
    return h;
}

static uint32_t images_of(const texture_head *h)
{
    return (h->flags & (FLAG_ARRAY | FLAG_CUBE)) && h->array > 1 ? h->array : 1;
}

/* Fill *texture; false when the format is none. */
static bool shape(const texture_head *h, uint32_t images, facet_bpx_texture *t)
{
    static const uint8_t bytes[] = {0, 3, 4, 1, 4};
    memset(t, 0, sizeof *t);
    if (h->format < 1 || h->format > 4)
        return false;
    t->width = UINT32_C(2) << h->width;
    t->height = UINT32_C(2) << h->height;
    t->format = (facet_bpx_texel)h->format;
    t->bytes_per_pixel = bytes[h->format];
    t->image_count = images;
    t->mip_count = h->mips;
    t->is_array = h->flags & FLAG_ARRAY;
    t->is_cube = h->flags & FLAG_CUBE;
    t->gpu_compress = h->flags & FLAG_GPU;
    uint64_t size = (uint64_t)t->width * t->height * t->bytes_per_pixel;
    if (size > SIZE_MAX)
        return false;
    t->image_size = (size_t)size;
    return true;
}

static bool fits(const facet_bpx_texture *t, const facet_bpx_contents *pixels)
{
    return pixels->size % t->image_size == 0 && pixels->size / t->image_size == t->image_count;
}

/* The readings in the order of trust. */
static bool choose_reading(const uint8_t *e, const facet_bpx_contents *pixels, facet_bpx_texture *t,
                           const char **deviation)
{
    texture_head head = parse_head(e, false);
    *deviation = NULL;
    if (shape(&head, images_of(&head), t) && fits(t, pixels))
        return true;
    *deviation = "BPX-T-ARRAY-FLAG";
    if (head.array > 1 && shape(&head, head.array, t) && fits(t, pixels))
        return true;
    *deviation = "BPX-T-NIBBLES";
    head = parse_head(e, true);
    if (shape(&head, images_of(&head), t) && fits(t, pixels))
        return true;
    head = parse_older_head(e);
    return shape(&head, images_of(&head), t) && fits(t, pixels);
}

facet_status facet_bpx_texture_of(const facet_bpx_document *document, facet_bpx_texture *texture,
                                  const char **deviation, facet_error *error)
{
    const facet_bpx *bpx = &document->view;
    uint32_t index = 0;
    const char *rule = NULL;
    facet_bpx_texture t;
    if (bpx->type != 'T' || bpx->revision != FACET_BPX_0A)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-VERSION-LATER", 3,
                          "the file has type %c of revision %s, expected a texture of version 0",
                          bpx->type, facet_bpx_revision_name(bpx->revision));
    if (facet_bpx_count(bpx, FACET_BPX_PIXELS, &index) == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-MISSING", FACET_NO_OFFSET,
                          "the texture has no section PixelArray");
    const facet_bpx_contents *pixels = &document->contents[index];
    if (!pixels->data || !choose_reading(bpx->extension, pixels, &t, &rule)) {
        texture_head head = parse_head(bpx->extension, false);
        if (!shape(&head, images_of(&head), &t))
            return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-T-FORMAT", 0x16,
                              "the pixel format is %u, expected 1 to 4", head.format);
        if (t.is_cube && head.array != 6)
            return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-T-CUBE", 0x13,
                              "a cube map states %" PRIu32 " images, expected 6", head.array);
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-T-SIZE", 0x15,
                          "%" PRIu32 " images of %" PRIu32 " x %" PRIu32 " pixels of %" PRIu32
                          " bytes need another size than the %zu bytes "
                          "there are",
                          t.image_count, t.width, t.height, t.bytes_per_pixel, pixels->size);
    }
    if (t.is_cube && (t.image_count != 6 || t.width != t.height))
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-T-CUBE", 0x13,
                          "a cube map has %" PRIu32 " images of %" PRIu32 " x %" PRIu32
                          " pixels, expected six squares",
                          t.image_count, t.width, t.height);
    t.pixels = pixels->data;
    *texture = t;
    if (deviation)
        *deviation = rule;
    return FACET_OK;
}

/* -- Check, describe ---------------------------------------------------- */

static void check_values(const facet_bpx_texture *t, facet_report *report)
{
    facet_tally odd = {0};
    size_t count = t->image_size / 4 * t->image_count;
    for (size_t i = 0; i < count && t->format == FACET_BPX_FLOAT; i++) {
        if (!isfinite(facet_load_f32le(t->pixels + i * 4)))
            facet_tally_hit(&odd, i);
    }
    facet_report_add_tally(report, "BPX-T-FLOAT", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &odd,
                           "pixel %" PRIu64 " is no finite number", odd.first);
}

void facet_bpx_check_texture(const facet_bpx_document *document, facet_report *report)
{
    facet_bpx_texture t;
    facet_error fault;
    const char *deviation;
    const texture_head head = parse_head(document->view.extension, false);
    uint32_t index = 0;
    if (facet_bpx_count(&document->view, FACET_BPX_PIXELS, &index) == 0 ||
        !document->contents[index].data)
        return;
    if (facet_bpx_texture_of(document, &t, &deviation, &fault)) {
        facet_report_add_fault(report, &fault, "BPX");
        return;
    }
    if (deviation && strcmp(deviation, "BPX-T-NIBBLES") == 0)
        facet_report_add(report, "BPX-T-NIBBLES", FACET_SEVERITY_WARNING, 0x13,
                         "only another order of the five bytes fits the pixels");
    else if ((head.array > 1 && !(head.flags & (FLAG_ARRAY | FLAG_CUBE))) ||
             (head.array == 0 && (head.flags & FLAG_ARRAY)) ||
             (head.flags & (FLAG_ARRAY | FLAG_CUBE)) == (FLAG_ARRAY | FLAG_CUBE))
        facet_report_add(report, "BPX-T-ARRAY-FLAG", FACET_SEVERITY_WARNING, 0x13,
                         "an array of %" PRIu32 " images has the flags 0x%X", head.array,
                         head.flags);
    if (!deviation && (head.flags & 8))
        facet_report_add(report, "BPX-T-FLAGS", FACET_SEVERITY_WARNING, 0x16,
                         "the flag 0x8 is unknown");
    if (t.mip_count > facet_image_mip_count(t.width, t.height))
        facet_report_add(report, "BPX-T-MIPS", FACET_SEVERITY_WARNING, 0x17,
                         "%" PRIu32 " mip levels are asked for, more than the %" PRIu32
                         " there can be",
                         t.mip_count, facet_image_mip_count(t.width, t.height));
    if (t.width * t.bytes_per_pixel % 4 != 0)
        facet_report_add(report, "BPX-T-ROWALIGN", FACET_SEVERITY_NOTE, 0x15,
                         "a row has %" PRIu32 " bytes, no multiple of 4",
                         t.width * t.bytes_per_pixel);
    check_values(&t, report);
}

void facet_bpx_describe_texture(const facet_bpx_document *document, facet_description *description)
{
    static const char *const formats[] = {"", "RGB", "RGBA", "gray", "float"};
    facet_bpx_texture t;
    facet_error error;
    if (facet_bpx_texture_of(document, &t, NULL, &error))
        return;
    facet_arena *arena = description->arena;
    facet_tree *tree = facet_tree_object(arena, description->detail, "texture");
    description->images = t.image_count;
    facet_tree_integer(arena, tree, "width", t.width);
    facet_tree_integer(arena, tree, "height", t.height);
    facet_tree_string(arena, tree, "format", formats[t.format]);
    facet_tree_integer(arena, tree, "images", t.image_count);
    facet_tree_boolean(arena, tree, "array", t.is_array);
    facet_tree_boolean(arena, tree, "cube", t.is_cube);
    facet_tree_boolean(arena, tree, "gpu_compress", t.gpu_compress);
    facet_tree_integer(arena, tree, "mips", t.mip_count);
    facet_tree_integer(arena, tree, "predicted_bytes", (int64_t)(t.image_size * t.image_count));
}

/* -- To a scene --------------------------------------------------------- */

static facet_status add_image(facet_scene *scene, const facet_bpx_texture *t, uint32_t index,
                              facet_error *error)
{
    static const char *const faces[] = {"px", "nx", "py", "ny", "pz", "nz"};
    char name[32] = "texture";
    facet_image *image;
    if (t->is_cube)
        memcpy(name, faces[index], 3);
    else if (t->image_count > 1)
        snprintf(name, sizeof name, "%" PRIu32, index);
    facet_status status = facet_scene_add_image(scene, name, &image, error);
    if (status)
        return status;
    image->is_float = t->format == FACET_BPX_FLOAT;
    image->channels = image->is_float ? 1 : t->bytes_per_pixel;
    image->width = t->width;
    image->height = t->height;
    uint8_t *pixels = facet_arena_allocate(scene->arena, t->image_size, 1);
    image->pixels = pixels;
    if (!pixels)
        return facet_fail_memory(error, t->image_size);
    const uint8_t *from = t->pixels + index * t->image_size;
    if (!image->is_float)
        memcpy(pixels, from, t->image_size);
    for (size_t i = 0; image->is_float && i < t->image_size / 4; i++)
        ((float *)image->pixels)[i] = facet_load_f32le(from + i * 4);
    return FACET_OK;
}

facet_status facet_bpx_texture_to_scene(const facet_bpx_document *document,
                                        const facet_options *options, facet_scene **scene,
                                        facet_error *error)
{
    facet_bpx_texture t;
    facet_scene *made = NULL;
    facet_status status = facet_bpx_texture_of(document, &t, NULL, error);
    if (!status)
        status = facet_scene_create(options, &made, error);
    for (uint32_t i = 0; !status && i < t.image_count; i++)
        status = add_image(made, &t, i, error);
    if (!status) {
        made->extras =
            facet_arena_format(made->arena,
                               "{\"bpx\":{\"cube\":%s,\"array\":%s,\"gpu_compress\":%s,"
                               "\"mips\":%" PRIu32 "}}",
                               t.is_cube ? "true" : "false", t.is_array ? "true" : "false",
                               t.gpu_compress ? "true" : "false", t.mip_count);
        if (!made->extras)
            status = facet_fail_memory(error, 64);
    }
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

/* -- Writing ------------------------------------------------------------ */

static bool is_side(uint32_t side)
{
    return side >= 2 && side <= 65536 && (side & (side - 1)) == 0;
}

static unsigned exponent(uint32_t side)
{
    unsigned k = 0;
    while (UINT32_C(2) << k < side)
        k++;
    return k;
}

/* One channel of floats, or three or four that say the same (Radiance HDR has no
 * other way), the alpha being 1. */
static bool is_gray(const facet_image *image)
{
    const float *pixel = image->pixels;
    size_t count = (size_t)image->width * image->height;
    for (size_t i = 0; i < count && image->channels > 1; i++, pixel += image->channels) {
        bool alike = image->channels == 2 || (pixel[0] == pixel[1] && pixel[0] == pixel[2]);
        if (!alike || (image->channels % 2 == 0 && pixel[image->channels - 1] != 1))
            return false;
    }
    return true;
}

static facet_status check_images(const facet_image *images, uint32_t count,
                                 const facet_bpx_texture_options *how, facet_error *error)
{
    if (count == 0 || count > 65535)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-ALIKE", FACET_NO_OFFSET,
                          "a texture has 1 to 65,535 images, not %" PRIu32, count);
    for (uint32_t i = 0; i < count; i++) {
        const facet_image *image = &images[i];
        if (!image->pixels)
            return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                              "image '%s' has no pixels", image->name);
        if (!is_side(image->width) || !is_side(image->height))
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-POWER", FACET_NO_OFFSET,
                              "image '%s' is %" PRIu32 " x %" PRIu32
                              " pixels; BPX textures have sides that are powers of two from 2 to "
                              "65,536: --resize makes them so",
                              image->name, image->width, image->height);
        if (image->width != images->width || image->height != images->height ||
            image->channels != images->channels || image->is_float != images->is_float)
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-ALIKE", FACET_NO_OFFSET,
                              "image '%s' differs from '%s' in size or channels; the images of one "
                              "texture are alike",
                              image->name, images->name);
        if (image->is_float && !is_gray(image))
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-FORMAT", FACET_NO_OFFSET,
                              "image '%s' has %" PRIu32
                              " channels of floats; BPX holds one, or several that are equal",
                              image->name, image->channels);
    }
    uint32_t most = facet_image_mip_count(images->width, images->height);
    if (how->mip_count > most)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-MIPS", FACET_NO_OFFSET,
                          "%" PRIu32 " mip levels are asked for; %" PRIu32 " x %" PRIu32
                          " pixels have at most %" PRIu32,
                          how->mip_count, images->width, images->height, most);
    if (how->cube && (count != 6 || images->width != images->height))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-CUBE", FACET_NO_OFFSET,
                          "a cube map is six squares, not %" PRIu32 " images of %" PRIu32
                          " x %" PRIu32,
                          count, images->width, images->height);
    return FACET_OK;
}

/* Little-endian floats, RGBA for gray with alpha, and otherwise the bytes. */
static void store_pixels(const facet_image *image, uint8_t *to)
{
    size_t count = (size_t)image->width * image->height;
    const uint8_t *bytes = image->pixels;
    if (image->is_float) {
        for (size_t i = 0; i < count; i++)
            facet_store_f32le(to + i * 4, ((const float *)image->pixels)[i * image->channels]);
    } else if (image->channels == 2) {
        for (size_t i = 0; i < count; i++) {
            memset(to + i * 4, bytes[i * 2], 3);
            to[i * 4 + 3] = bytes[i * 2 + 1];
        }
    } else {
        memcpy(to, bytes, count * image->channels);
    }
}

facet_status facet_bpx_write_texture(const facet_image *images, uint32_t count,
                                     const facet_bpx_texture_options *how,
                                     const facet_options *options, facet_output *output,
                                     facet_error *error)
{
    static const facet_bpx_texture_options defaults = {0};
    static const uint8_t formats[] = {0, FACET_BPX_GRAY, FACET_BPX_RGBA, FACET_BPX_RGB,
                                      FACET_BPX_RGBA};
    how = how ? how : &defaults;
    facet_status status = check_images(images, count, how, error);
    if (status)
        return status;
    size_t texel = images->is_float || images->channels == 2 ? 4 : images->channels, size;
    if (!facet_size_multiply((size_t)images->width * texel, images->height, &size) ||
        size > UINT32_MAX / count)
        return facet_fail(error, FACET_ERROR_LIMIT, "BPX-T-SIZE", FACET_NO_OFFSET,
                          "%" PRIu32 " images of %" PRIu32 " x %" PRIu32
                          " pixels are more than the 4 GiB of a section",
                          count, images->width, images->height);
    facet_arena *arena = NULL;
    status = facet_arena_create(options, &arena, error);
    if (status)
        return status;
    uint8_t *pixels = facet_arena_allocate(arena, count, size);
    if (pixels) {
        bool array = !how->cube && (how->array || count > 1);
        unsigned flags = (array ? FLAG_ARRAY : 0u) | (how->gpu_compress ? FLAG_GPU : 0u) |
                         (how->cube ? FLAG_CUBE : 0u);
        unsigned format = images->is_float ? FACET_BPX_FLOAT : formats[images->channels];
        uint8_t extension[5] = {0};
        for (uint32_t i = 0; i < count; i++)
            store_pixels(&images[i], pixels + i * size);
        facet_store_u16le(extension, array || how->cube ? (uint16_t)count : 0);
        extension[2] = (uint8_t)(exponent(images->width) | exponent(images->height) << 4);
        extension[3] = (uint8_t)(format | flags << 4);
        extension[4] = (uint8_t)how->mip_count;
        facet_bpx_part part = {FACET_BPX_PIXELS, false, pixels, count * size};
        status = facet_bpx_write('T', extension, &part, 1, options, output, error);
    } else {
        status = facet_fail_memory(error, count * size);
    }
    facet_arena_free(arena);
    return status;
}
