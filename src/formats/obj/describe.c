/* formats/obj/describe.c - the description of an OBJ for `facet info`. */
#include "base/error.h"
#include "base/tree.h"
#include "formats/obj/obj.h"

#include <string.h>

static void describe_bounds(const facet_stream *positions, facet_description *description)
{
    const float *data = positions->data;
    description->has_bounds = positions->count > 0;
    for (size_t i = 0; i < positions->count; i++) {
        for (int k = 0; k < 3; k++) {
            double value = data[i * 3 + (size_t)k];
            if (i == 0 || value < description->minimum[k])
                description->minimum[k] = value;
            if (i == 0 || value > description->maximum[k])
                description->maximum[k] = value;
        }
    }
}

static void describe_mesh(const facet_mesh *mesh, facet_description *description)
{
    facet_arena *arena = description->arena;
    facet_tree *detail = description->detail;
    static const struct {
        facet_semantic semantic;
        const char *key;
    } streams[] = {{FACET_POSITION, "positions"},
                   {FACET_TEXCOORD, "texcoords"},
                   {FACET_NORMAL, "normals"},
                   {FACET_COLOR, "colors"}};
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        const facet_stream *stream = facet_mesh_find(mesh, streams[i].semantic, 0);
        facet_tree_integer(arena, detail, streams[i].key, stream ? stream->count : 0);
    }
    facet_tree_boolean(arena, detail, "smoothing", mesh->face_smoothing != NULL);
    facet_tree *parts = facet_tree_array(arena, detail, "parts");
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        facet_tree *part = facet_tree_object(arena, parts, NULL);
        facet_tree_string(arena, part, "object", mesh->parts[i].name);
        facet_tree_string(arena, part, "group", mesh->parts[i].group);
        facet_tree_integer(arena, part, "faces", mesh->parts[i].face_count);
    }
}

static void describe_materials(const facet_scene *scene, facet_description *description)
{
    facet_arena *arena = description->arena;
    facet_tree *materials = facet_tree_array(arena, description->detail, "materials");
    for (uint32_t i = 0; i < scene->material_count; i++)
        facet_tree_string(arena, materials, NULL, scene->materials[i]->name);
}

facet_status facet_obj_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error)
{
    facet_scene *scene = NULL;
    TRY(facet_obj_read(source, NULL, options, &scene, error));
    description->meshes = scene->mesh_count;
    description->materials = scene->material_count;
    description->hulls = scene->hull_count;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        description->vertices += mesh->streams[0].count;
        description->faces += mesh->face_count;
        description->triangles += mesh->corner_count - (uint64_t)mesh->face_count * 2;
        describe_bounds(&mesh->streams[0], description);
        describe_mesh(mesh, description);
    }
    describe_materials(scene, description);
    facet_scene_free(scene);
    return FACET_OK;
}
