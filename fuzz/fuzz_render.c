/* fuzz/fuzz_render.c - harness for the renderer. The first byte selects what is drawn, the second
 * how. The scene is drawn or rejected with a message; drawn again, the picture is the same. */
#include <facet/convert.h>
#include <facet/render.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MEMORY ((uint64_t)256 << 20)

static void require(bool holds)
{
    if (!holds)
        abort();
}

static facet_render_options options_of(uint8_t what, uint8_t how)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    facet_render_options render = {.struct_size = sizeof render, .width = 24, .height = 16};
    render.modes = 1u << (what & 15) % 11;
    if (what & 16)
        render.modes |= FACET_RENDER_WIREFRAME;
    if (what & 32)
        render.modes |= FACET_RENDER_HULLS | FACET_RENDER_OCCLUDER;
    render.fog = what & 64;
    render.file_order = what & 128;
    render.samples = how & 1 ? 1 : how & 2 ? 16 : 4;
    render.orthographic = how & 4;
    render.has_direction = how & 8;
    render.azimuth = how;
    render.elevation = how / 2 - 64;
    render.has_time = how & 16;
    render.time = how / 32.0;
    render.background = how & 32 ? white : NULL;
    return render;
}

static bool draw(const facet_renderer *renderer, const facet_render_options *render,
                 const facet_options *options, facet_picture *picture)
{
    facet_error error = {0};
    facet_status status = facet_renderer_draw(renderer, render, options, picture, &error);
    require(status == FACET_OK || error.message[0] != '\0');
    return status == FACET_OK;
}

static void draw_twice(const facet_scene *scene, const facet_render_options *render,
                       const facet_options *options)
{
    facet_renderer *renderer = NULL;
    facet_picture first, second;
    facet_error error = {0};
    if (facet_renderer_create(scene, options, &renderer, &error) != FACET_OK) {
        require(error.message[0] != '\0');
        return;
    }
    if (draw(renderer, render, options, &first)) {
        require(draw(renderer, render, options, &second));
        require(memcmp(first.image.pixels, second.image.pixels, 24 * 16 * 4) == 0);
        facet_picture_free(&second);
        facet_picture_free(&first);
    }
    facet_renderer_free(renderer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    facet_options options = {.memory_limit = MEMORY};
    facet_scene *scene = NULL;
    if (size < 2)
        return 0;
    facet_source source = facet_source_from_memory(data + 2, size - 2, NULL);
    const facet_format *format = facet_format_probe(&source);
    /* Skip assimp: its own errors are not tested here. */
    if (!format || strcmp(facet_format_name(format), "assimp") == 0 ||
        facet_load(&source, format, NULL, &options, &scene, NULL) != FACET_OK)
        return 0;
    facet_render_options render = options_of(data[0], data[1]);
    if (facet_prepare(scene, NULL, NULL, &options, NULL, NULL) == FACET_OK)
        draw_twice(scene, &render, &options);
    facet_scene_free(scene);
    return 0;
}
