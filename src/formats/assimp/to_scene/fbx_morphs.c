/* formats/assimp/to_scene/fbx_morphs.c - channels of morph targets of an FBX, and their weights at
 * rest. A channel can have several shapes, each for one weight of the channel. */
#include "base/error.h"
#include "formats/assimp/to_scene/fbx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Weights ------------------------------------------------------------ */

/* The shapes with the nearest weights below and above have an effect, in proportion. The shape for
 * the weight 0 is the mesh. The last two extend beyond the ends. */
void facet_fbx_add_weights(const facet_fbx_channel *channel, double percent, float *weights)
{
    const facet_fbx_shape *shapes = channel->shapes, *near = NULL, *far = NULL;
    uint32_t negative = 0;
    while (negative < channel->shape_count && shapes[negative].full < 0)
        negative++;
    if (percent > 0) {
        for (uint32_t i = negative; i < channel->shape_count && (!far || far->full <= percent);
             i++) {
            near = far;
            far = &shapes[i];
        }
    } else {
        for (uint32_t i = negative; i > 0 && (!far || far->full >= percent); i--) {
            near = far;
            far = &shapes[i - 1];
        }
    }
    double from = near ? near->full : 0;
    if (!far && channel->shape_count > 0) /* all shapes are on the other side of 0 */
        far = percent > 0 ? &shapes[negative - 1] : &shapes[negative];
    if (!far || far->full == from)
        return;
    double share = (percent - from) / (far->full - from);
    if (near)
        weights[near->target] += (float)(1 - share);
    weights[far->target] += (float)share;
}

/* -- Channels ----------------------------------------------------------- */

static int by_full(const void *a, const void *b)
{
    const facet_fbx_shape *left = a, *right = b;
    if (left->full != right->full)
        return left->full < right->full ? -1 : 1;
    return (left->target > right->target) - (left->target < right->target);
}

/* The weight at rest: a record in files of Blender, else a property. */
static double percent_of(const facet_fbx *fbx, uint32_t channel)
{
    facet_fbx_record record;
    facet_fbx_value value;
    if (facet_fbx_property(fbx, channel, "DeformPercent", &value, 1))
        return value.number;
    if (facet_fbx_find(fbx, fbx->objects[channel].list, "DeformPercent", &record) &&
        facet_fbx_next_value(fbx, &record.values, &value))
        return value.number;
    return 0;
}

/* Read a channel, whose first shape is morph target *target. */
static bool read_channel(const facet_fbx *fbx, uint32_t object, uint32_t *target,
                         facet_fbx_channel *channel)
{
    facet_fbx_record record;
    double *full = NULL;
    size_t full_count = 0;
    uint32_t count = 0, link;
    for (link = 0; (link = facet_fbx_next_link(fbx, object, "Geometry", link)) != FACET_NONE;
         link++)
        count++;
    channel->object = object;
    channel->percent = percent_of(fbx, object);
    channel->shape_count = count;
    channel->shapes = facet_arena_allocate(fbx->arena, count, sizeof *channel->shapes);
    if (!channel->shapes)
        return false;
    if (facet_fbx_find(fbx, fbx->objects[object].list, "FullWeights", &record) &&
        !facet_fbx_numbers(fbx, &record, &full, &full_count))
        return false;
    /* Blender writes the weights of the vertices instead. */
    bool is_per_shape = full_count == count;
    for (uint32_t i = 0; i < count; i++)
        channel->shapes[i] = (facet_fbx_shape){(*target)++, is_per_shape ? full[i] : 100};
    qsort(channel->shapes, count, sizeof *channel->shapes, by_full);
    return true;
}

/* Read the channels of a geometry, in the order of assimp's morph targets. */
static bool read_channels(const facet_fbx *fbx, uint32_t geometry, facet_fbx_morphs *morphs,
                          uint32_t *targets)
{
    uint32_t capacity = 0;
    *targets = 0;
    for (uint32_t i = 0; (i = facet_fbx_next_link(fbx, geometry, "Deformer", i)) != FACET_NONE;
         i++) {
        uint32_t deformer = fbx->links[i].from;
        if (!facet_fbx_is(fbx->objects[deformer].type, "BlendShape"))
            continue;
        for (uint32_t k = 0; (k = facet_fbx_next_link(fbx, deformer, "Deformer", k)) != FACET_NONE;
             k++) {
            uint32_t channel = fbx->links[k].from;
            if (!facet_fbx_is(fbx->objects[channel].type, "BlendShapeChannel"))
                continue;
            if (!FACET_GROW(fbx->arena, morphs->channels, morphs->channel_count, capacity) ||
                !read_channel(fbx, channel, targets, &morphs->channels[morphs->channel_count++]))
                return false;
        }
    }
    return true;
}

/* -- Meshes ------------------------------------------------------------- */

static facet_status read_mesh(facet_assimp_reader *r, const facet_assimp_group *group,
                              facet_tally *lost)
{
    facet_mesh *mesh = r->scene->meshes[group->mesh];
    facet_fbx_morphs *morphs = &r->morphs[group->mesh];
    uint32_t geometry = facet_assimp_geometry_of(r, r->shown_by[r->members[group->first]]);
    uint32_t targets = 0;
    float *weights = facet_arena_allocate_zeroed(r->scratch, mesh->morph_count, sizeof *weights);
    if (!weights || (geometry != FACET_NONE && !read_channels(r->fbx, geometry, morphs, &targets)))
        return facet_fail_arena(r->scratch, r->error);
    if (targets != mesh->morph_count) {
        facet_tally_hit(lost, group->mesh);
        morphs->channel_count = 0;
        r->lacks_channels = true;
        return FACET_OK;
    }
    for (uint32_t i = 0; i < morphs->channel_count; i++)
        facet_fbx_add_weights(&morphs->channels[i], morphs->channels[i].percent, weights);
    for (uint32_t i = 0; i < mesh->morph_count; i++)
        mesh->morphs[i].weight = weights[i];
    return FACET_OK;
}

facet_status facet_assimp_morphs_to_scene(facet_assimp_reader *r)
{
    facet_tally lost = {0, 0};
    if (!r->fbx)
        return FACET_OK;
    r->morphs = facet_arena_allocate_zeroed(r->scratch, r->scene->mesh_count, sizeof *r->morphs);
    if (!r->morphs)
        return facet_fail_arena(r->scratch, r->error);
    for (uint32_t i = 0; i < r->group_count; i++) {
        if (r->scene->meshes[r->groups[i].mesh]->morph_count > 0)
            TRY(read_mesh(r, &r->groups[i], &lost));
    }
    facet_report_add_tally(r->report, "LOSS-MORPHS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &lost,
                           "the channels of the morph targets of mesh %" PRIu64
                           " are not found: their weights at rest are 0",
                           lost.first);
    return FACET_OK;
}
