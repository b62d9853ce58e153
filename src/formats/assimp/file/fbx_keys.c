/* formats/assimp/file/fbx_keys.c - keys of an animation curve of an FBX. */
#include "formats/assimp/file/fbx_curves.h"

#include <math.h>
#include <string.h>

/* Texts before this version have attributes as decimal numbers; later ones have their bits. */
#define FIRST_WITH_BITS 7200

static bool read_numbers(const facet_fbx *fbx, uint32_t object, const char *name, double **numbers,
                         size_t *count)
{
    facet_fbx_record record;
    *numbers = NULL;
    *count = 0;
    return facet_fbx_find(fbx, fbx->objects[object].list, name, &record) &&
           facet_fbx_numbers(fbx, &record, numbers, count) && *count > 0;
}

/* Convert the attributes of a run of keys. */
static void convert(const facet_fbx *fbx, const double *numbers, float to[4])
{
    bool has_bits = !fbx->is_binary && fbx->version >= FIRST_WITH_BITS;
    for (size_t k = 0; k < 4; k++) {
        to[k] = (float)numbers[k];
        if (!has_bits)
            continue;
        bool fits = numbers[k] >= INT32_MIN && numbers[k] <= UINT32_MAX;
        uint32_t bits = fits ? (uint32_t)(int64_t)numbers[k] : 0;
        memcpy(&to[k], &bits, sizeof bits);
    }
}

/* Give each key the flags and attributes of its run. */
static bool spread_runs(const facet_fbx *fbx, uint32_t object, facet_fbx_keys *keys)
{
    double *flags, *attributes, *runs;
    size_t flag_count, attribute_count, run_count, at = 0;
    keys->flags = facet_arena_allocate_zeroed(fbx->arena, keys->count, sizeof *keys->flags);
    keys->attributes =
        facet_arena_allocate_zeroed(fbx->arena, keys->count, sizeof *keys->attributes);
    if (!keys->flags || !keys->attributes)
        return false;
    if (!read_numbers(fbx, object, "KeyAttrFlags", &flags, &flag_count))
        return facet_arena_status(fbx->arena, NULL) == FACET_OK; /* straight lines */
    if (!read_numbers(fbx, object, "KeyAttrDataFloat", &attributes, &attribute_count) ||
        !read_numbers(fbx, object, "KeyAttrRefCount", &runs, &run_count) ||
        run_count != flag_count || attribute_count / 4 != run_count)
        return false;
    for (size_t run = 0; run < run_count; run++) {
        uint32_t bits = flags[run] >= 0 && flags[run] <= UINT32_MAX ? (uint32_t)flags[run] : 0;
        float own[4];
        convert(fbx, attributes + run * 4, own);
        if (!isfinite(own[0]) || !isfinite(own[1]))
            return false; /* the others may be packed */
        for (double left = runs[run]; left > 0 && at < keys->count; left--, at++) {
            keys->flags[at] = bits;
            memcpy(keys->attributes[at], own, sizeof own);
        }
    }
    return at == keys->count;
}

bool facet_fbx_read_keys(const facet_fbx *fbx, uint32_t object, facet_fbx_keys *keys)
{
    const double most = 4e18; /* fits an integer of 64 bits */
    size_t value_count;
    *keys = (facet_fbx_keys){.count = 0};
    if (!read_numbers(fbx, object, "KeyTime", &keys->times, &keys->count) ||
        !read_numbers(fbx, object, "KeyValueFloat", &keys->values, &value_count) ||
        value_count != keys->count || !spread_runs(fbx, object, keys))
        return false;
    for (size_t i = 0; i < keys->count; i++) {
        if (!isfinite(keys->values[i]) || !(fabs(keys->times[i]) < most) ||
            (i > 0 && keys->times[i] <= keys->times[i - 1]))
            return false;
    }
    return true;
}
