/* formats/bsm/scene_units.c - normalization of vectors, on several threads for large streams. */
#include "base/threads.h"
#include "formats/bsm/scene.h"

#include <math.h>

#define LEAST_PART ((size_t)16384)

typedef struct normalizing {
    const float *from;
    float *to;
    size_t components;
    facet_bsm_units found[FACET_MAX_PARTS];
} normalizing;

/* `components` and the presence of `to` are constants in each inlined copy. */
static inline void normalize(const float *from, float *to, size_t count, size_t components,
                             facet_bsm_units *found)
{
    uint32_t zeros = 0, scaled = 0, wrong = 0, hands = 0;
    for (size_t i = 0; i < count; i++) {
        const float *v = from + i * components;
        double x = (double)v[0], y = (double)v[1], z = (double)v[2];
        double length = sqrt(x * x + y * y + z * z), error = fabs(length - 1);
        bool zero = length < FACET_BSM_NO_LENGTH, off = !zero & (error > 1e-6);
        bool hand = components == 4 && (v[3] != 1) & (v[3] != -1);
        zeros += zero;
        scaled += off;
        wrong += off & (error > 1e-3);
        hands += hand;
        if (!to)
            continue;
        float *w = to + i * components;
        w[0] = off ? (float)(x / length) : v[0];
        w[1] = off ? (float)(y / length) : v[1];
        w[2] = off ? (float)(z / length) : v[2];
        if (components == 4)
            w[3] = hand ? (v[3] >= 0 ? 1.0F : -1.0F) : v[3];
    }
    *found = (facet_bsm_units){zeros, scaled, wrong, hands};
}

static void normalize_part(void *argument, size_t part, size_t first, size_t end)
{
    normalizing *n = argument;
    const float *from = n->from + first * n->components;
    float *to = n->to ? n->to + first * n->components : NULL;
    if (n->components == 3 && !to)
        normalize(from, NULL, end - first, 3, &n->found[part]);
    else if (n->components == 4 && !to)
        normalize(from, NULL, end - first, 4, &n->found[part]);
    else
        normalize(from, to, end - first, n->components, &n->found[part]);
}

facet_bsm_units facet_bsm_normalize(const float *from, float *to, size_t count, size_t components,
                                    const facet_options *options)
{
    facet_bsm_units all = {0, 0, 0, 0};
    normalizing n;
    n.from = from;
    n.to = to;
    n.components = components;
    size_t parts = facet_run_parts(options, normalize_part, &n, count, LEAST_PART);
    for (size_t i = 0; i < parts; i++) {
        all.zero += n.found[i].zero;
        all.scaled += n.found[i].scaled;
        all.wrong += n.found[i].wrong;
        all.hands += n.found[i].hands;
    }
    return all;
}
