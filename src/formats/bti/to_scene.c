/* formats/bti/to_scene.c - a texture to a scene with one image. */
#include <facet/bti.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"

#include <facet/gx_material.h>
#include <facet/scene.h>
#include <string.h>

/* All data of the header. */
static facet_gx_file_image *file_of(const facet_bti *document, const char *name, facet_arena *arena)
{
    facet_gx_file_image *file = facet_arena_allocate_zeroed(arena, 1, sizeof *file);
    facet_gx_file_texture *texture = facet_arena_allocate_zeroed(arena, 1, sizeof *texture);
    if (!file || !texture)
        return NULL;
    texture->name = facet_arena_string(arena, name, strlen(name));
    texture->has_header = true;
    texture->header = document->header;
    texture->header.image_offset = texture->header.palette_offset = 0;
    file->textures = texture;
    file->texture_count = 1;
    return texture->name ? file : NULL;
}

static void report_levels(const facet_bti *document, const facet_gx_texture *texture,
                          facet_report *report)
{
    if (texture->levels < document->header.level_count)
        facet_report_add(report, "BTI-LEVELS", FACET_SEVERITY_WARNING, 0x18,
                         "the header gives %u mip levels, but there are %u",
                         document->header.level_count, texture->levels);
    else if (texture->levels > 1)
        facet_report_add(
            report, "BTI-LEVELS", FACET_SEVERITY_NOTE, 0x18,
            "of %u mip levels only the largest is read; writers compute the others again",
            texture->levels);
}

static facet_status add_image(const facet_bti *document, facet_scene *scene,
                              const facet_options *options, facet_error *error)
{
    const char *name = document->name ? document->name : "";
    facet_gx_texture texture;
    facet_image *image = NULL;
    TRY(facet_bti_get_texture(document, &texture, error));
    TRY(facet_scene_add_image(scene, name, &image, error));
    TRY(facet_gx_decode_image(scene->arena, &texture, options, image, error));
    image->gx_file = file_of(document, name, scene->arena);
    if (!image->gx_file)
        return facet_fail_arena(scene->arena, error);
    report_levels(document, &texture, options ? options->report : NULL);
    return FACET_OK;
}

facet_status facet_bti_to_scene(const facet_bti *document, const struct facet_load_options *load,
                                const facet_options *options, facet_scene **scene,
                                facet_error *error)
{
    facet_scene *made = NULL;
    (void)load;
    facet_status status = facet_scene_create(options, &made, error);
    if (!status)
        status = add_image(document, made, options, error);
    if (status)
        facet_scene_free(made);
    else
        *scene = made;
    return status;
}
