/* formats/j3d/patch/nodes.c - nodes for a scene without any, such as that of an OBJ file. Joints
 * and shapes are matched by nodes. */
#include "formats/j3d/patch/like.h"

#include "base/report.h"

#include <math.h>

#define MOST_TIMES 20 /* a scene of this many times the size has another unit */

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

void facet_j3d_like_compare_sizes(const facet_j3d_builder *b)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double size = 0;
    for (uint32_t i = 0; i < b->scene->mesh_count && b->is_flat; i++) {
        const facet_stream *positions = facet_mesh_find(b->scene->meshes[i], FACET_POSITION, 0);
        const float *p = positions ? positions->data : NULL;
        for (size_t k = 0; positions && k < (size_t)positions->count * 3; k++) {
            low[k % 3] = fmin(low[k % 3], (double)p[k]);
            high[k % 3] = fmax(high[k % 3], (double)p[k]);
        }
    }
    for (int i = 0; i < 3; i++)
        size += high[i] > low[i] ? (high[i] - low[i]) * (high[i] - low[i]) : 0;
    double times = b->like->size > 0 ? sqrt(size) * b->units.unit / b->like->size : 0;
    if (times > MOST_TIMES || (times > 0 && times < 1.0 / MOST_TIMES))
        facet_report_add(facet_j3d_builder_report(b), "J3D-LIKE-SIZE", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "the scene is %.4g times as large as the original, and its format has no "
                         "unit: --scale %.4g gives it about the same size",
                         times, pow(10, round(log10(1 / times))));
}
