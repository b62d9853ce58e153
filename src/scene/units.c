/* scene/units.c - lengths of a scene in another unit. */
#include "scene/units.h"

#include "scene/matrix.h"
#include "scene/scene.h"
#include "scene/transform.h"

#include <math.h>
#include <string.h>

/* True for a root without mesh and descendants, such as a camera or a light. */
static bool is_alone(const facet_node *node, uint32_t below)
{
    return node->parent == FACET_NONE && node->mesh == FACET_NONE && below == 0;
}

/* Root of the tree that contains more than half of the other nodes, or FACET_NONE. */
static uint32_t main_root(const facet_scene *scene, const uint32_t *order, uint32_t *below)
{
    uint32_t count = 0;
    memset(below, 0, scene->node_count * sizeof *below);
    for (uint32_t i = scene->node_count; i-- > 0;) {
        uint32_t node = order[i], parent = scene->nodes[node]->parent;
        if (parent != FACET_NONE)
            below[parent] += below[node] + 1;
        count += !is_alone(scene->nodes[node], below[node]);
    }
    for (uint32_t i = 0; i < scene->node_count; i++) {
        if (scene->nodes[i]->parent == FACET_NONE && below[i] > 0 && below[i] + 1 > count / 2)
            return i;
    }
    return FACET_NONE;
}

static bool is_bound_or_moved(const facet_scene *scene, uint32_t node)
{
    for (uint32_t i = 0; i < scene->skin_count; i++) {
        for (uint32_t j = 0; j < scene->skins[i]->joint_count; j++) {
            if (scene->skins[i]->joints[j] == node)
                return true;
        }
    }
    for (uint32_t i = 0; i < scene->animation_count; i++) {
        for (uint32_t k = 0; k < scene->animations[i]->channel_count; k++) {
            const facet_channel *channel = &scene->animations[i]->channels[k];
            if (channel->node == node && facet_channel_target_is_place(channel->target))
                return true;
        }
    }
    return false;
}

float facet_units_own_scale(const float scale[3])
{
    bool is_one = scale[0] > 0 && scale[0] == scale[1] && scale[0] == scale[2];
    return is_one ? scale[0] : 1;
}

facet_units facet_units_of_scene(const facet_scene *scene, double meters, const uint32_t *order,
                                 const float *own, uint32_t *below)
{
    facet_units units = {.unit = 1, .top = FACET_NONE, .root_scale = 1};
    if (!(scene->axes.unit > 0))
        return units;
    uint32_t root = main_root(scene, order, below);
    if (root != FACET_NONE && scene->nodes[root]->mesh == FACET_NONE &&
        !is_bound_or_moved(scene, root)) {
        facet_decomposition parts;
        double scale = facet_decompose_node(scene->nodes[root], &parts) / (double)own[root];
        if (scale > 0 && fabs(scale - 1) > 1e-6) {
            units.top = root;
            units.root_scale = scale;
        }
    }
    units.unit = units.root_scale * scene->axes.unit / meters;
    if (fabs(units.unit - 1) < 1e-6)
        units.unit = 1; /* 0.01 as float differs slightly from 0.01 as double */
    return units;
}

double facet_units_length(double unit, float length)
{
    static const double keeps_20_bits = 8589934593.0; /* 2^33 + 1; T. J. Dekker's split */
    double exact = (double)length * unit, up = exact * keeps_20_bits;
    double rounded = up - (up - exact);
    return unit != 1 && (float)(rounded / unit) == length ? rounded : exact;
}
