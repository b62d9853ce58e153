/* formats/assimp/to_scene/fbx_curves.c - keys of the curves of an FBX. */
#include "formats/assimp/to_scene/fbx.h"

#include <math.h>
#include <string.h>

/* Interpolation in the flags of a key. */
enum { CONSTANT = 2, CONSTANT_NEXT = 0x100 };

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
            curve->holds[key] = (bits & CONSTANT) != 0;
            if ((bits & CONSTANT) && (bits & CONSTANT_NEXT) && key + 1 < curve->count)
                curve->values[key] = curve->values[key + 1];
        }
    }
}

bool facet_fbx_read_curve(const facet_fbx *fbx, uint32_t object, facet_fbx_curve *curve)
{
    double *flags, *runs;
    size_t times, values, flag_count, run_count, used = 0;
    *curve = (facet_fbx_curve){.count = 0};
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
