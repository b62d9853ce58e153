/* formats/assimp/to_scene/fbx_curves.c - keys of the curves of an FBX. */
#include "formats/assimp/to_scene/fbx.h"

#include <math.h>

/* Read the keys of one mover. False if it has none. *is_lost: they exceed the budget of the file.
 */
static bool read_keys(const facet_fbx *fbx, const facet_fbx_movers *movers,
                      const facet_fbx_mover *mover, facet_fbx_keys *keys, bool *is_lost)
{
    const facet_fbx_layer *layer = &movers->layers[mover->layer];
    uint32_t curve = facet_fbx_curve_of(fbx, mover->node, 3);
    if (curve == FACET_NONE || !facet_fbx_read_keys(fbx, curve, keys))
        return false;
    *is_lost =
        facet_budget_spend(fbx->key_budget, (uint64_t)keys->count * 4, "keys", NULL) != FACET_OK;
    if (*is_lost)
        return false;
    facet_fbx_fit_range(fbx, curve, layer->start, layer->stop, keys);
    return true;
}

bool facet_fbx_read_curve(const facet_fbx *fbx, const facet_fbx_movers *movers, uint32_t first,
                          facet_fbx_curve *curve)
{
    facet_fbx_keys keys[3];
    uint32_t count = facet_fbx_count_alike(movers, first);
    *curve = (facet_fbx_curve){.count = 0};
    if (facet_fbx_needs_blending(movers, first, count)) {
        curve->is_straight = !facet_fbx_blend(fbx, movers, first, count, keys);
        if (curve->is_straight || keys[0].count == 0)
            return facet_arena_status(fbx->arena, NULL) == FACET_OK;
    } else if (!read_keys(fbx, movers, &movers->items[first], &keys[0], &curve->is_straight)) {
        return facet_arena_status(fbx->arena, NULL) == FACET_OK;
    } else {
        facet_fbx_resample(fbx, &keys[0], NULL, 0, false, &curve->is_straight);
    }
    curve->times = keys[0].times;
    curve->values = keys[0].values;
    curve->count = keys[0].count;
    curve->holds = facet_arena_allocate(fbx->arena, keys[0].count, sizeof *curve->holds);
    for (size_t i = 0; i < keys[0].count && curve->holds; i++) {
        curve->holds[i] = (keys[0].flags[i] & FACET_FBX_CONSTANT) != 0;
        if (curve->holds[i] && (keys[0].flags[i] & FACET_FBX_NEXT) && i + 1 < keys[0].count)
            curve->values[i] = curve->values[i + 1];
    }
    return curve->holds != NULL;
}

bool facet_fbx_curve_start(const facet_fbx *fbx, uint32_t object, double *start)
{
    facet_fbx_record record;
    double *times;
    size_t count;
    if (!facet_fbx_find(fbx, fbx->objects[object].list, "KeyTime", &record))
        return true;
    if (!facet_fbx_numbers(fbx, &record, &times, &count))
        return false;
    if (count > 0 && isfinite(times[0]))
        *start = fmin(*start, times[0]);
    return true;
}

double facet_fbx_curve_value(const facet_fbx_curve *curve, double time, size_t *at)
{
    while (*at + 1 < curve->count && curve->times[*at + 1] <= time)
        ++*at;
    if (time <= curve->times[*at] || *at + 1 == curve->count || curve->holds[*at])
        return curve->values[*at];
    double share = (time - curve->times[*at]) / (curve->times[*at + 1] - curve->times[*at]);
    return curve->values[*at] * (1 - share) + curve->values[*at + 1] * share;
}
