/* formats/gltf/to_scene/collision.c - collision and occlusion nodes: they are removed from the
 * tree, and their meshes, in their pose at rest, become hulls and occluder. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/gltf/to_scene/to_scene.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

static bool is_named(const char *name, const facet_load_options *load)
{
    const char *prefix = load && load->hull_prefix ? load->hull_prefix : "collision_mesh";
    const char *occluder = load && load->occluder_name ? load->occluder_name : "occlusion_mesh";
    return strncmp(name, prefix, strlen(prefix)) == 0 || strcmp(name, occluder) == 0;
}

/* The collision or occluder name of a node, or NULL. */
static const char *collision_name(const facet_scene *scene, uint32_t index,
                                  const facet_load_options *load)
{
    const facet_node *node = scene->nodes[index];
    /* A mesh with morph targets has no fixed shape for a hull. */
    if (node->mesh == FACET_NONE || scene->meshes[node->mesh]->morph_count > 0)
        return NULL;
    if (is_named(node->name, load))
        return node->name;
    const char *name = scene->meshes[node->mesh]->name;
    return is_named(name, load) ? name : NULL;
}

/* Move the mesh of a node to its position at rest, and give it the node's name. A second node with
 * the same mesh loses it. */
static facet_status take(facet_scene *scene, const facet_pose *pose, uint32_t index,
                         const char *name, const facet_options *options, facet_error *error)
{
    facet_node *node = scene->nodes[index];
    facet_mesh *mesh = scene->meshes[node->mesh];
    facet_stream *stream = facet_mesh_find(mesh, FACET_POSITION, 0);
    if (stream && pose->seen[index]) {
        size_t size = 3 * sizeof(float);
        float *moved = facet_arena_allocate(scene->arena, stream->count, size);
        if (!moved)
            return facet_fail_arena(scene->arena, error);
        TRY(facet_pose_positions(scene, pose, index, options, moved, error));
        size_t numbers = (size_t)stream->count * 3;
        if (facet_find_nonfinite_float(moved, numbers) < numbers) {
            facet_quoted quoted;
            return facet_fail(error, FACET_ERROR_LIMIT, "SCENE-NONFINITE", FACET_NO_OFFSET,
                              "node %" PRIu32 " moves mesh '%s' beyond the range of floats", index,
                              facet_quote(&quoted, mesh->name, strlen(mesh->name)));
        }
        facet_arena_release(scene->arena, stream->data, stream->count, size);
        stream->data = moved;
    }
    mesh->name = name;
    uint32_t taken = node->mesh;
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->mesh == taken) {
            scene->nodes[i]->mesh = scene->nodes[i]->skin = FACET_NONE;
            scene->nodes[i]->weights = NULL;
        }
    }
    return FACET_OK;
}

facet_status facet_gltf_extract_collision(facet_scene *scene, const facet_load_options *load,
                                          const facet_options *options, facet_error *error)
{
    bool any = scene->node_count == 0;
    for (uint32_t i = 0; i < scene->node_count && !any; i++)
        any = collision_name(scene, i, load) != NULL;
    if (!any)
        return FACET_OK;
    facet_pose pose = {0};
    facet_status status = FACET_OK;
    if (scene->node_count > 0)
        status = facet_scene_pose(scene, FACET_NONE, 0, options, &pose, error);
    for (uint32_t i = 0; i < scene->node_count && !status; i++) {
        const char *name = collision_name(scene, i, load);
        if (name)
            status = take(scene, &pose, i, name, options, error);
    }
    facet_pose_free(&pose);
    return status ? status : facet_scene_extract_collision(scene, load, options, error);
}
