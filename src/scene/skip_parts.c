/* scene/skip_parts.c - removal of unwanted parts of a scene. */
#include "scene/skip_parts.h"

static void empty_mesh(facet_mesh *mesh)
{
    while (mesh->stream_count > 0)
        facet_mesh_remove_stream(mesh, &mesh->streams[mesh->stream_count - 1]);
    mesh->face_offsets = NULL;
    mesh->face_count = mesh->corner_count = 0;
    mesh->face_materials = NULL;
    mesh->face_smoothing = NULL;
    mesh->lines = NULL;
    mesh->line_materials = NULL;
    mesh->line_count = 0;
    mesh->points = NULL;
    mesh->point_materials = NULL;
    mesh->point_count = 0;
    mesh->parts = NULL;
    mesh->part_count = 0;
    mesh->morphs = NULL;
    mesh->morph_count = 0;
}

void facet_scene_skip(facet_scene *scene, uint32_t skip)
{
    if (skip & FACET_SKIP_GEOMETRY) {
        for (uint32_t i = 0; i < scene->mesh_count; i++)
            empty_mesh(scene->meshes[i]);
        scene->hull_count = 0;
        scene->occluder = NULL;
    }
    if (skip & FACET_SKIP_ANIMATIONS)
        scene->animation_count = 0;
    for (uint32_t i = 0; i < scene->image_count && skip & FACET_SKIP_IMAGES; i++) {
        facet_image *image = scene->images[i];
        image->data = NULL;
        image->pixels = NULL;
        image->smaller = NULL;
        image->smaller_count = 0;
        image->size = 0;
    }
}
