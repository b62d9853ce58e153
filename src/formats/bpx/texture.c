/* formats/bpx/texture.c - textures of a document: TypeExt and PixelArray. */
#include "base/error.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <string.h>

/* -- The five bytes ----------------------------------------------------- */

typedef struct texture_head {
    uint32_t array;
    unsigned width, height; /* exponents less one */
    unsigned format, flags, mips;
} texture_head;

static texture_head parse_head(const uint8_t *e, bool swapped)
{
    texture_head h;
    h.array = facet_load_u16le(e);
    h.mips = e[4];
    h.width = swapped ? e[2] >> 4 : e[2] & 15;
    h.height = swapped ? e[2] & 15 : e[2] >> 4;
    h.format = swapped ? e[3] >> 4 : e[3] & 15;
    h.flags = swapped ? e[3] & 15 : e[3] >> 4;
    return h;
}

/* The byte order of an earlier revision: sizes, format, levels, and the array last. */
static texture_head parse_older_head(const uint8_t *e)
{
    texture_head h;
    h.array = facet_load_u16le(e + 3);
    h.mips = e[2];
    h.width = e[0] & 15;
    h.height = e[0] >> 4;
    h.format = e[1] & 15;
    h.flags = e[1] >> 4;
    return h;
}

static uint32_t images_of(const texture_head *h)
{
    return (h->flags & (FACET_BPX_TEXTURE_ARRAY | FACET_BPX_TEXTURE_CUBE)) && h->array > 1
               ? h->array
               : 1;
}

/* Fill *texture; false if the format is invalid. */
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
    t->is_array = h->flags & FACET_BPX_TEXTURE_ARRAY;
    t->is_cube = h->flags & FACET_BPX_TEXTURE_CUBE;
    t->gpu_compress = h->flags & FACET_BPX_TEXTURE_GPU;
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

/* Try the interpretations, the most probable first. */
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

facet_status facet_bpx_get_texture(const facet_bpx *document, facet_bpx_texture *texture,
                                   const char **deviation, facet_error *error)
{
    uint32_t index = 0;
    const char *rule = NULL;
    facet_bpx_texture t;
    if (document->type != 'T' || document->revision != FACET_BPX_0A)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-VERSION-LATER", 3,
                          "the file has type %c of revision %s, expected a texture of version 0",
                          document->type, facet_bpx_revision_name(document->revision));
    if (facet_bpx_count(document, FACET_BPX_PIXELS, &index) == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-MISSING", FACET_NO_OFFSET,
                          "the texture has no section PixelArray");
    const facet_bpx_contents *pixels = &document->sections[index];
    if (!pixels->data || !choose_reading(document->extension, pixels, &t, &rule)) {
        texture_head head = parse_head(document->extension, false);
        if (!shape(&head, images_of(&head), &t))
            return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-T-FORMAT", 0x16,
                              "the pixel format is %u, expected 1 to 4", head.format);
        if (t.is_cube && head.array != 6)
            return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-T-CUBE", 0x13,
                              "a cube map states %" PRIu32 " images, expected 6", head.array);
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-T-SIZE", 0x15,
                          "%" PRIu32 " images of %" PRIu32 " x %" PRIu32 " pixels of %" PRIu32
                          " bytes do not match the %zu bytes of the section",
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
