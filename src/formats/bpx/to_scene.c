/* formats/bpx/to_scene.c - a document to a scene: a texture's images here, a model in
 * to_scene_model.c. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bpx/scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -- Textures ----------------------------------------------------------- */

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
    TRY(facet_scene_add_image(scene, name, &image, error));
    image->is_float = t->format == FACET_BPX_FLOAT;
    image->channels = image->is_float ? 1 : t->bytes_per_pixel;
    image->width = t->width;
    image->height = t->height;
    uint8_t *pixels = facet_arena_allocate(scene->arena, t->image_size, 1);
    image->pixels = pixels;
    if (!pixels)
        return facet_fail_arena(scene->arena, error);
    const uint8_t *from = t->pixels + index * t->image_size;
    if (!image->is_float)
        memcpy(pixels, from, t->image_size);
    for (size_t i = 0; image->is_float && i < t->image_size / 4; i++)
        ((float *)image->pixels)[i] = facet_load_f32le(from + i * 4);
    return FACET_OK;
}

static facet_status texture_to_scene(const facet_bpx *document, const facet_options *options,
                                     facet_scene **scene, facet_error *error)
{
    facet_bpx_texture t;
    facet_scene *made = NULL;
    facet_status status = facet_bpx_get_texture(document, &t, NULL, error);
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
            status = facet_fail_arena(made->arena, error);
    }
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}

/* -- The conversion ---------------------------------------------------- */

facet_status facet_bpx_to_scene(const facet_bpx *document, const facet_load_options *load,
                                const facet_options *options, facet_scene **scene,
                                facet_error *error)
{
    (void)load; /* BPX has no names of hulls and occluder */
    TRY(facet_bpx_check_sections(document, error));
    if (document->type == 'T')
        return texture_to_scene(document, options, scene, error);
    if (document->type == 'M')
        return facet_bpx_model_to_scene(document, options, scene, error);
    return facet_fail(
        error, FACET_ERROR_UNSUPPORTED, "BPX-TYPE-UNSPECIFIED", 3,
        "a file of type %c holds no texture and no model; 'facet extract' writes its contents",
        document->type);
}
