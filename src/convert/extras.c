/* convert/extras.c - what files of GameCube and Wii say of materials and images as JSON text, for
 * those who want text. */
#include "base/arena.h"
#include "base/error.h"
#include "gx/json/file_state.h"

#include <facet/convert.h>
#include <stdlib.h>
#include <string.h>

/* Takes the value over. */
static const char *text_of(facet_json *value, facet_arena *arena)
{
    char *text = facet_json_print(value, &(facet_json_style){.digits = 9});
    facet_json_free(value);
    const char *kept = text ? facet_arena_string(arena, text, strlen(text)) : NULL;
    free(text);
    return kept;
}

facet_status facet_scene_print_extras(facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        facet_material *material = scene->materials[i];
        facet_gx_file_material *file = material->gx_file;
        if (material->extras || !file)
            continue;
        if (!file->extras) /* else another material of the same file entry has printed it */
            file->extras = text_of(facet_gx_file_material_json(file), scene->arena);
        material->extras = file->extras;
        if (!material->extras)
            return facet_fail_arena(scene->arena, error);
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        facet_image *image = scene->images[i];
        facet_gx_file_image *file = image->gx_file;
        if (image->extras || !file || file->extras)
            continue;
        image->extras = file->extras = text_of(facet_gx_file_image_json(file), scene->arena);
        if (!image->extras)
            return facet_fail_arena(scene->arena, error);
    }
    return FACET_OK;
}
