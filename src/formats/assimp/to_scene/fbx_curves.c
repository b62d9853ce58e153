/* formats/assimp/to_scene/fbx_curves.c - keys of the curves of an FBX. */
#include "formats/assimp/to_scene/fbx.h"

#include "formats/assimp/file/fbx_curves.h"

#include <math.h>
#include <string.h>

static bool read_numbers(const facet_fbx *fbx, uint32_t object, const char *name, double **numbers,
                         size_t *count)
{
    facet_fbx_record record;
    *numbers = NULL;
    *count = 0;
    return !facet_fbx_find(fbx, fbx->objects[object].list, name, &record) ||
           facet_fbx_numbers(fbx, &record, numbers, count);
}

/* Flags are stored once for a run of keys. A key with the flag for the next value has that. */
static void apply_flags(facet_fbx_curve *curve, const double *flags, size_t flag_count,
                        const double *runs, size_t run_count)
{
    size_t key = 0;
    for (size_t i = 0; i < flag_count && i < run_count; i++) {
        uint32_t bits = flags[i] >= 0 && flags[i] <= UINT32_MAX ? (uint32_t)flags[i] : 0;
        for (double left = runs[i]; left > 0 && key < curve->count; left--, key++) {
            curve->holds[key] = (bits & FACET_FBX_CONSTANT) != 0;
            if ((bits & FACET_FBX_CONSTANT) && (bits & FACET_FBX_NEXT) && key + 1 < curve->count)
                curve->values[key] = curve->values[key + 1];
        }
    }
}

/* Read a curve with more keys where it is not straight. *known: its keys are complete. */
static bool read_whole(const facet_fbx *fbx, uint32_t object, facet_fbx_curve *curve, bool *known)
{
    facet_fbx_keys keys;
    facet_budget budget = facet_budget_of(NULL, fbx->size, FACET_BUDGET_FILES);
    bool failed;
    *known = facet_fbx_read_keys(fbx, object, &keys);
    if (!*known)
        return facet_arena_status(fbx->arena, NULL) == FACET_OK;
    facet_fbx_resample(&keys, NULL, 0, false, fbx->arena, &budget, &failed);
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

bool facet_fbx_read_curve(const facet_fbx *fbx, uint32_t object, facet_fbx_curve *curve)
{
    bool known;
    double *flags, *runs;
    size_t times, values, flag_count, run_count, used = 0;
    *curve = (facet_fbx_curve){.count = 0};
    if (!read_whole(fbx, object, curve, &known))
        return false;
    if (known)
        return true;
    if (!read_numbers(fbx, object, "KeyTime", &curve->times, &times) ||
        !read_numbers(fbx, object, "KeyValueFloat", &curve->values, &values) ||
        !read_numbers(fbx, object, "KeyAttrFlags", &flags, &flag_count) ||
        !read_numbers(fbx, object, "KeyAttrRefCount", &runs, &run_count))
        return false;
    curve->count = times < values ? times : values;
    curve->holds = facet_arena_allocate_zeroed(fbx->arena, curve->count, sizeof *curve->holds);
    if (!curve->holds)
        return false;
    apply_flags(curve, flags, flag_count, runs, run_count);
    for (size_t i = 0; i < curve->count; i++) {
        if (!isfinite(curve->times[i]) || !isfinite(curve->values[i]) ||
            (used > 0 && curve->times[i] <= curve->times[used - 1]))
            continue;
        curve->times[used] = curve->times[i];
        curve->values[used] = curve->values[i];
        curve->holds[used++] = curve->holds[i];
    }
    curve->count = used;
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
