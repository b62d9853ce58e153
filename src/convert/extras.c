/* convert/extras.c - data of GameCube and Wii files in a scene, printed as JSON text on request. */
#include "base/arena.h"
#include "base/error.h"
#include "gx/json/file_part.h"
#include "gx/json/file_state.h"
#include "gx/json/text.h"

#include <facet/convert.h>

static facet_status print_part(const char **extras, facet_gx_file_part *file, facet_arena *arena,
                               facet_error *error)
{
    if (*extras || !file)
        return FACET_OK;
    if (!file->extras) /* otherwise a coarser mesh of the same shape has printed it */
        file->extras = facet_gx_json_extras_text(facet_gx_file_part_json(file, arena), arena);
    *extras = file->extras;
    return *extras ? FACET_OK : facet_fail_arena(arena, error);
}

static facet_status print_parts(facet_scene *scene, facet_error *error)
{
    facet_arena *arena = scene->arena;
    for (uint32_t i = 0; i < scene->node_count; i++)
        TRY(print_part(&scene->nodes[i]->extras, scene->nodes[i]->gx_file, arena, error));
    for (uint32_t i = 0; i < scene->mesh_count; i++)
        TRY(print_part(&scene->meshes[i]->extras, scene->meshes[i]->gx_file, arena, error));
    for (uint32_t i = 0; i < scene->animation_count; i++)
        TRY(print_part(&scene->animations[i]->extras, scene->animations[i]->gx_file, arena, error));
    return print_part(&scene->extras, scene->gx_file, arena, error);
}

facet_status facet_scene_print_extras(facet_scene *scene, facet_error *error)
{
    for (uint32_t i = 0; i < scene->material_count; i++) {
        facet_material *material = scene->materials[i];
        facet_gx_file_material *file = material->gx_file;
        if (material->extras || !file)
            continue;
        if (!file->extras) /* otherwise another material of the same file entry has printed it */
            file->extras =
                facet_gx_json_extras_text(facet_gx_file_material_json(file), scene->arena);
        material->extras = file->extras;
        if (!material->extras)
            return facet_fail_arena(scene->arena, error);
    }
    for (uint32_t i = 0; i < scene->image_count; i++) {
        facet_image *image = scene->images[i];
        facet_gx_file_image *file = image->gx_file;
        if (image->extras || !file || file->extras)
            continue;
        image->extras = file->extras =
            facet_gx_json_extras_text(facet_gx_file_image_json(file), scene->arena);
        if (!image->extras)
            return facet_fail_arena(scene->arena, error);
    }
    return print_parts(scene, error);
}
