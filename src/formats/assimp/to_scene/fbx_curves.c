/* formats/assimp/to_scene/fbx_curves.c - keys of the curves of an FBX. */
#include "formats/assimp/to_scene/fbx.h"

#include "formats/assimp/file/fbx_curves.h"

#include <math.h>

bool facet_fbx_read_curve(const facet_fbx *fbx, uint32_t object, facet_fbx_curve *curve)
{
    facet_fbx_keys keys;
    *curve = (facet_fbx_curve){.count = 0};
    if (!facet_fbx_read_keys(fbx, object, &keys))
        return facet_arena_status(fbx->arena, NULL) == FACET_OK;
    facet_fbx_resample(fbx, &keys, NULL, 0, false, &curve->is_straight);
    curve->times = keys.times;
    curve->values = keys.values;
    curve->count = keys.count;
    curve->holds = facet_arena_allocate(fbx->arena, keys.count, sizeof *curve->holds);
    for (size_t i = 0; i < keys.count && curve->holds; i++) {
        curve->holds[i] = (keys.flags[i] & FACET_FBX_CONSTANT) != 0;
        if (curve->holds[i] && (keys.flags[i] & FACET_FBX_NEXT) && i + 1 < keys.count)
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
