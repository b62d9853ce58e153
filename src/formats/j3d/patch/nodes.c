/* formats/j3d/patch/nodes.c - nodes for a scene without any, such as that of an OBJ file. Joints
 * and shapes are matched by nodes. */
#include "formats/j3d/patch/like.h"

facet_status facet_j3d_like_give_nodes(facet_j3d_builder *b)
{
    const facet_scene *scene = b->scene;
    if (scene->node_count > 0 || scene->mesh_count == 0)
        return FACET_OK;
    facet_scene *made = facet_j3d_builder_scratch(b, 1, sizeof *made);
    facet_node *items = facet_j3d_builder_scratch(b, scene->mesh_count, sizeof *items);
    facet_node **nodes = facet_j3d_builder_scratch(b, scene->mesh_count, sizeof *nodes);
    if (!made || !items || !nodes)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        items[i] = (facet_node){.name = scene->meshes[i]->name,
                                .parent = FACET_NONE,
                                .mesh = i,
                                .skin = FACET_NONE,
                                .transform = {.rotation = {0, 0, 0, 1}, .scale = {1, 1, 1}},
                                .camera = FACET_NONE,
                                .light = FACET_NONE};
        nodes[i] = &items[i];
    }
    *made = *scene;
    made->nodes = nodes;
    made->node_count = scene->mesh_count;
    b->scene = made;
    b->is_flat = true;
    return FACET_OK;
}
