/* formats/assimp/describe.c - the description of a file that assimp reads. */
#include "base/error.h"
#include "base/tree.h"
#include "formats/assimp/assimp.h"

#include <facet/pose.h>

static void describe_meshes(const facet_scene *scene, facet_description *description)
{
    facet_arena *arena = description->arena;
    facet_tree *meshes = facet_tree_array(arena, description->detail, "meshes");
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        uint32_t vertices = mesh->stream_count > 0 ? mesh->streams[0].count : 0;
        description->vertices += vertices;
        description->faces += mesh->face_count;
        description->triangles += mesh->corner_count - (uint64_t)mesh->face_count * 2;
        facet_tree *tree = facet_tree_object(arena, meshes, NULL);
        facet_tree_string(arena, tree, "name", mesh->name);
        facet_tree_integer(arena, tree, "vertices", vertices);
        facet_tree_integer(arena, tree, "faces", mesh->face_count);
        facet_tree_integer(arena, tree, "lines", mesh->line_count);
        facet_tree_integer(arena, tree, "points", mesh->point_count);
        facet_tree_integer(arena, tree, "morphs", mesh->morph_count);
        facet_tree *streams = facet_tree_array(arena, tree, "streams");
        for (uint32_t k = 0; k < mesh->stream_count; k++) {
            facet_tree *stream = facet_tree_object(arena, streams, NULL);
            facet_tree_string(arena, stream, "semantic",
                              facet_semantic_name(mesh->streams[k].semantic));
            facet_tree_integer(arena, stream, "set", mesh->streams[k].set);
        }
    }
}

static void describe_rest(const facet_scene *scene, facet_description *description)
{
    facet_arena *arena = description->arena;
    facet_tree *detail = description->detail;
    if (scene->axes.unit > 0) {
        facet_tree *units = facet_tree_object(arena, detail, "units");
        facet_tree_real(arena, units, "meters_per_unit", scene->axes.unit);
        if (scene->axes.unit != 1)
            facet_tree_string(arena, units, "convert",
                              "makes meters of it; --scale 1 divided by meters_per_unit keeps the "
                              "numbers");
    }
    facet_tree *nodes = facet_tree_array(arena, detail, "nodes");
    for (uint32_t i = 0; i < scene->node_count; i++)
        facet_tree_string(arena, nodes, NULL, scene->nodes[i]->name);
    facet_tree *materials = facet_tree_array(arena, detail, "materials");
    for (uint32_t i = 0; i < scene->material_count; i++)
        facet_tree_string(arena, materials, NULL, scene->materials[i]->name);
    facet_tree *animations = facet_tree_array(arena, detail, "animations");
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        facet_tree *animation = facet_tree_object(arena, animations, NULL);
        facet_tree_string(arena, animation, "name", scene->animations[i]->name);
        facet_tree_integer(arena, animation, "channels", scene->animations[i]->channel_count);
        facet_tree_real(arena, animation, "seconds",
                        facet_animation_duration(scene->animations[i]));
    }
}

facet_status facet_assimp_describe(const facet_source *source, const char *extension,
                                   const facet_options *options, facet_description *description,
                                   facet_error *error)
{
    facet_scene *scene = NULL;
    TRY(facet_assimp_read(source, extension, NULL, options, &scene, error));
    description->meshes = scene->mesh_count;
    description->materials = scene->material_count;
    description->images = scene->image_count;
    description->hulls = scene->hull_count;
    description->animations = scene->animation_count;
    for (uint32_t i = 0; i < scene->skin_count; i++)
        description->joints += scene->skins[i]->joint_count;
    describe_meshes(scene, description);
    describe_rest(scene, description);
    facet_status status = facet_scene_bounds(scene, options, description->minimum,
                                             description->maximum, &description->has_bounds, error);
    facet_scene_free(scene);
    return status;
}
