/* bpx/from_scene_texture.c - a scene of images becomes a texture. */
#include "base/arena.h"
#include "base/error.h"
#include "bpx/bpx.h"

#include <facet/image.h>
#include <jansson.h>
#include <string.h>

/* What a texture that was read says of itself stands in the scene's extras. */
static facet_bpx_texture_options options_of(const facet_scene *scene)
{
    facet_bpx_texture_options how = {0};
    json_t *root = scene->extras ? json_loads(scene->extras, 0, NULL) : NULL;
    const json_t *bpx = json_object_get(root, "bpx");
    json_int_t mips = json_integer_value(json_object_get(bpx, "mips"));
    how.cube = json_is_true(json_object_get(bpx, "cube")) && scene->image_count == 6;
    how.array = json_is_true(json_object_get(bpx, "array"));
    how.gpu_compress = json_is_true(json_object_get(bpx, "gpu_compress"));
    how.mip_count = mips > 0 && mips < 256 ? (uint32_t)mips : 0;
    json_decref(root);
    return how;
}

facet_status facet_bpx_texture_from_scene(const facet_scene *scene, const facet_options *options,
                                          facet_output *output, facet_error *error)
{
    facet_arena *scratch = NULL;
    facet_status status = facet_arena_create(options, &scratch, error);
    if (status)
        return status;
    /* The scene is not ours to change: pixels decoded here go with the copies. */
    facet_image *images = facet_arena_allocate(scratch, scene->image_count, sizeof *images);
    if (!images)
        status = facet_fail_memory(error, scene->image_count * sizeof *images);
    for (uint32_t i = 0; i < scene->image_count && !status; i++) {
        images[i] = scene->images[i];
        status = facet_image_decode(scratch, &images[i], options, error);
    }
    facet_bpx_texture_options how = options_of(scene);
    if (!status)
        status = facet_bpx_write_texture(images, scene->image_count, &how, options, output, error);
    facet_arena_free(scratch);
    return status;
}
