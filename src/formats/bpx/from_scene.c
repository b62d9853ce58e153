/* formats/bpx/from_scene.c - a scene to a document: images to a texture here, meshes to a model in
 * from_scene_model.c. */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/size.h"
#include "formats/bpx/scene.h"
#include "image/image.h"

#include <facet/image.h>
#include <inttypes.h>
#include <string.h>

/* -- Images ------------------------------------------------------------- */

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

/* True if one channel is enough: three or four channels of floats are equal, with alpha 1. Radiance
 * HDR cannot store gray. */
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

static facet_status check_images(const facet_image *const *images, uint32_t count,
                                 const facet_bpx_texture_options *how, facet_error *error)
{
    if (count == 0 || count > 65535)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-ALIKE", FACET_NO_OFFSET,
                          "a texture has 1 to 65,535 images, not %" PRIu32, count);
    for (uint32_t i = 0; i < count; i++) {
        const facet_image *image = images[i];
        if (!image->pixels)
            return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                              "image '%s' has no pixels", image->name);
        if (!is_side(image->width) || !is_side(image->height))
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-POWER", FACET_NO_OFFSET,
                              "image '%s' is %" PRIu32 " x %" PRIu32
                              " pixels; BPX textures have sides that are powers of two from 2 to "
                              "65,536: --resize makes them so",
                              image->name, image->width, image->height);
        if (image->width != images[0]->width || image->height != images[0]->height ||
            image->channels != images[0]->channels || image->is_float != images[0]->is_float)
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-ALIKE", FACET_NO_OFFSET,
                              "image '%s' differs from '%s' in size or channels; the images of one "
                              "texture must be alike",
                              image->name, images[0]->name);
        if (image->is_float && !is_gray(image))
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-FORMAT", FACET_NO_OFFSET,
                              "image '%s' has %" PRIu32
                              " channels of floats; BPX holds one, or several that are equal",
                              image->name, image->channels);
    }
    uint32_t most = facet_image_mip_count(images[0]->width, images[0]->height);
    if (how->mip_count > most)
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-MIPS", FACET_NO_OFFSET,
                          "%" PRIu32 " mip levels are requested; %" PRIu32 " x %" PRIu32
                          " pixels have at most %" PRIu32,
                          how->mip_count, images[0]->width, images[0]->height, most);
    if (how->cube && (count != 6 || images[0]->width != images[0]->height))
        return facet_fail(error, FACET_ERROR_UNSUPPORTED, "BPX-T-CUBE", FACET_NO_OFFSET,
                          "a cube map is six squares, not %" PRIu32 " images of %" PRIu32
                          " x %" PRIu32,
                          count, images[0]->width, images[0]->height);
    return FACET_OK;
}

/* Store little-endian floats (gray with alpha as RGBA), or else bytes. */
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

facet_status facet_bpx_from_images(const facet_image *const *images, uint32_t count,
                                   const facet_bpx_texture_options *how,
                                   const facet_options *options, facet_bpx **document,
                                   facet_error *error)
{
    static const facet_bpx_texture_options defaults = {0};
    static const uint8_t formats[] = {0, FACET_BPX_GRAY, FACET_BPX_RGBA, FACET_BPX_RGB,
                                      FACET_BPX_RGBA};
    facet_status status = FACET_CHECK_STRUCT(how, facet_bpx_texture_options, error);
    how = how ? how : &defaults;
    if (!status)
        status = check_images(images, count, how, error);
    if (status)
        return status;
    size_t texel = images[0]->is_float || images[0]->channels == 2 ? 4 : images[0]->channels, size;
    if (!facet_size_multiply((size_t)images[0]->width * texel, images[0]->height, &size) ||
        size > UINT32_MAX / count)
        return facet_fail(error, FACET_ERROR_LIMIT, "BPX-T-SIZE", FACET_NO_OFFSET,
                          "%" PRIu32 " images of %" PRIu32 " x %" PRIu32
                          " pixels are more than the 4 GiB of a section",
                          count, images[0]->width, images[0]->height);
    facet_bpx *made = NULL;
    TRY(facet_bpx_create('T', 1, options, &made, error));
    uint8_t *pixels = facet_arena_allocate(made->arena, count, size);
    if (!pixels) {
        status = facet_fail_arena(made->arena, error);
        facet_bpx_free(made);
        return status;
    }
    for (uint32_t i = 0; i < count; i++)
        store_pixels(images[i], pixels + i * size);
    bool array = !how->cube && (how->array || count > 1);
    unsigned flags = (array ? FACET_BPX_TEXTURE_ARRAY : 0u) |
                     (how->gpu_compress ? FACET_BPX_TEXTURE_GPU : 0u) |
                     (how->cube ? FACET_BPX_TEXTURE_CUBE : 0u);
    unsigned format = images[0]->is_float ? FACET_BPX_FLOAT : formats[images[0]->channels];
    facet_store_u16le(made->extension, array || how->cube ? (uint16_t)count : 0);
    made->extension[2] = (uint8_t)(exponent(images[0]->width) | exponent(images[0]->height) << 4);
    made->extension[3] = (uint8_t)(format | flags << 4);
    made->extension[4] = (uint8_t)how->mip_count;
    facet_bpx_add_section(made, FACET_BPX_PIXELS, false, pixels, count * size);
    *document = made;
    return FACET_OK;
}

/* -- Scenes ------------------------------------------------------------- */

/* The options of a texture that was read are in the scene's extras. */
static facet_bpx_texture_options options_of(const facet_scene *scene)
{
    facet_bpx_texture_options how = {0};
    facet_json *root = facet_json_read_text(scene->extras);
    const facet_json *bpx = facet_json_object_get(root, "bpx");
    int64_t mips = facet_json_integer_value(facet_json_object_get(bpx, "mips"));
    how.cube = facet_json_is_true(facet_json_object_get(bpx, "cube")) && scene->image_count == 6;
    how.array = facet_json_is_true(facet_json_object_get(bpx, "array"));
    how.gpu_compress = facet_json_is_true(facet_json_object_get(bpx, "gpu_compress"));
    how.mip_count = mips > 0 && mips < 256 ? (uint32_t)mips : 0;
    facet_json_free(root);
    return how;
}

static facet_status texture_from_scene(const facet_scene *scene, const facet_options *options,
                                       facet_bpx **document, facet_error *error)
{
    facet_arena *scratch = NULL;
    TRY(facet_arena_create(options, &scratch, error));
    facet_status status = FACET_OK;
    /* The scene is const, so pixels decoded here are stored in copies. */
    facet_image *copies = facet_arena_allocate(scratch, scene->image_count, sizeof *copies);
    const facet_image **images =
        facet_arena_allocate(scratch, scene->image_count, sizeof(facet_image *));
    if (!copies || !images)
        status = facet_fail_arena(scratch, error);
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        copies[i] = *scene->images[i];
        images[i] = &copies[i];
        status = facet_image_decode(scratch, &copies[i], options, error);
    }
    facet_bpx_texture_options how = options_of(scene);
    if (!status)
        status = facet_bpx_from_images(images, scene->image_count, &how, options, document, error);
    facet_arena_free(scratch);
    return status;
}

facet_status facet_bpx_from_scene(const facet_scene *scene, const facet_options *options,
                                  facet_bpx **document, facet_error *error)
{
    TRY(FACET_CHECK_STRUCT(options ? options->bpx : NULL, facet_bpx_options, error));
    if (scene->mesh_count == 0 && scene->image_count > 0)
        return texture_from_scene(scene, options, document, error);
    return facet_bpx_model_from_scene(scene, options, document, error);
}
