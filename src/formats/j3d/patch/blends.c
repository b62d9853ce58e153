/* formats/j3d/patch/blends.c - search of the original's blends of joints. */
#include "formats/j3d/patch/blends.h"

#include "base/arena.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WEIGHT_TOLERANCE 2e-3
#define MAX_LOOKED_AT 256
enum { KEPT_BY_PROGRAMS = 4 };

/* -- One blend ---------------------------------------------------------- */

static void normalize(facet_j3d_blend *blend)
{
    double sum = 0;
    for (uint32_t i = 0; i < blend->count; i++)
        sum += (double)blend->list[i].weight;
    for (uint32_t i = 0; i < blend->count && sum > 0; i++)
        blend->list[i].weight = (float)((double)blend->list[i].weight / sum);
    if (blend->count == 1)
        blend->list[0].weight = 1;
}

static void add(facet_j3d_blend *blend, uint16_t joint, float weight)
{
    uint32_t at = 0;
    if (!(weight > 1e-6F) || !isfinite(weight))
        return;
    while (at < blend->count && blend->list[at].joint < joint)
        at++;
    if (at < blend->count && blend->list[at].joint == joint) {
        blend->list[at].weight += weight;
        return;
    }
    if (blend->count == FACET_J3D_LIKE_INFLUENCES)
        return;
    memmove(blend->list + at + 1, blend->list + at, (blend->count - at) * sizeof *blend->list);
    blend->list[at] = (facet_j3d_influence){joint, weight};
    blend->count++;
}

void facet_j3d_blend_of_draw(const facet_j3d *document, uint32_t draw, facet_j3d_blend *blend)
{
    const facet_j3d_draw_matrix *matrix = &document->draw_matrices.items[draw];
    blend->count = 0;
    if (!matrix->is_envelope) {
        add(blend, matrix->index, 1);
        return;
    }
    const facet_j3d_envelope *envelope = &document->envelopes.items[matrix->index];
    const facet_j3d_influence *list = document->envelopes.influences + envelope->first;
    for (uint32_t i = 0; i < envelope->count; i++)
        add(blend, list[i].joint, list[i].weight);
    if (blend->count == 0)
        add(blend, envelope->count > 0 ? list[0].joint : 0, 1);
    normalize(blend);
}

/* Keep only the joints with the largest weights. */
static void cut(const facet_j3d_blend *whole, facet_j3d_blend *blend)
{
    bool taken[FACET_J3D_LIKE_INFLUENCES] = {false};
    blend->count = 0;
    for (uint32_t k = 0; k < KEPT_BY_PROGRAMS; k++) {
        uint32_t best = FACET_NONE;
        for (uint32_t i = 0; i < whole->count; i++) {
            if (!taken[i] &&
                (best == FACET_NONE || whole->list[i].weight > whole->list[best].weight))
                best = i;
        }
        taken[best] = true;
        add(blend, whole->list[best].joint, whole->list[best].weight);
    }
    normalize(blend);
}

/* -- Order -------------------------------------------------------------- */

/* Compare only by joints, so that blends of the same joints are neighbors. */
static int compare_joints(const facet_j3d_blend *a, const facet_j3d_blend *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->list[i].joint != b->list[i].joint)
            return a->list[i].joint < b->list[i].joint ? -1 : 1;
    }
    return 0;
}

struct facet_j3d_known_blend {
    facet_j3d_blend blend;
    uint32_t number; /* number of the blend */
};

/* Compare next by the first weight, by the other weights, and by the number. */
static int compare_blends(const void *left, const void *right)
{
    const facet_j3d_known_blend *a = left, *b = right;
    int order = compare_joints(&a->blend, &b->blend);
    for (uint32_t i = 0; i < a->blend.count && order == 0; i++) {
        float x = a->blend.list[i].weight, y = b->blend.list[i].weight;
        order = x < y ? -1 : x > y;
    }
    return order ? order : (a->number > b->number) - (a->number < b->number);
}

static double distance(const facet_j3d_blend *a, const facet_j3d_blend *b)
{
    double most = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        double far = fabs((double)a->list[i].weight - (double)b->list[i].weight);
        if (far > most) /* not fmax: gcc 12 crashes on it for arm64 */
            most = far;
    }
    return most;
}

/* The first blend with these joints and at least this first weight. */
static uint32_t first_from(const facet_j3d_like *like, const facet_j3d_blend *blend)
{
    double least = (double)blend->list[0].weight - WEIGHT_TOLERANCE;
    uint32_t low = 0, high = like->blend_entry_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const facet_j3d_blend *at = &like->blends[middle].blend;
        int order = compare_joints(at, blend);
        if (order < 0 || (order == 0 && (double)at->list[0].weight < least))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint32_t facet_j3d_like_find_blend(const facet_j3d_like *like, const facet_j3d_blend *blend)
{
    uint32_t found = FACET_NONE;
    double best = WEIGHT_TOLERANCE;
    if (blend->count == 0)
        return FACET_NONE;
    uint32_t at = first_from(like, blend);
    for (uint32_t i = 0; i < MAX_LOOKED_AT && at < like->blend_entry_count; i++, at++) {
        const facet_j3d_known_blend *known = &like->blends[at];
        if (compare_joints(&known->blend, blend) != 0 ||
            (double)known->blend.list[0].weight > (double)blend->list[0].weight + WEIGHT_TOLERANCE)
            break;
        double far = distance(&known->blend, blend);
        if (far < best || (found == FACET_NONE && far <= best)) {
            best = far;
            found = known->number;
        }
    }
    return found;
}

/* -- All blends --------------------------------------------------------- */

/* Give equal blends, which are neighbors after sorting, the number of the first, which is the
 * number of its draw matrix. */
static void join_equal(facet_j3d_like *like)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < like->blend_entry_count; i++) {
        facet_j3d_known_blend *here = &like->blends[i];
        bool same = kept > 0 && compare_joints(&like->blends[kept - 1].blend, &here->blend) == 0 &&
                    distance(&like->blends[kept - 1].blend, &here->blend) == 0;
        like->blend_of_draw[here->number] = same ? like->blends[kept - 1].number : here->number;
        if (!same)
            like->blends[kept++] = *here;
    }
    like->blend_entry_count = kept;
}

facet_status facet_j3d_like_decode_blends(facet_j3d_builder *b)
{
    facet_j3d_like *like = b->like;
    uint32_t count = like->draw_count;
    like->blends = facet_j3d_builder_scratch(b, (size_t)count * 2, sizeof *like->blends);
    like->blend_of_draw = facet_j3d_builder_scratch(b, count, sizeof *like->blend_of_draw);
    if (!like->blends || !like->blend_of_draw)
        return facet_j3d_builder_no_memory(b);
    for (uint32_t i = 0; i < count; i++) {
        facet_j3d_blend_of_draw(like->document, i, &like->blends[i].blend);
        like->blends[i].number = i;
    }
    like->blend_entry_count = count;
    qsort(like->blends, count, sizeof *like->blends, compare_blends);
    join_equal(like);
    count = like->blend_entry_count;
    for (uint32_t i = 0; i < count; i++) {
        if (like->blends[i].blend.count <= KEPT_BY_PROGRAMS)
            continue;
        facet_j3d_known_blend *made = &like->blends[like->blend_entry_count++];
        cut(&like->blends[i].blend, &made->blend);
        made->number = like->blends[i].number;
    }
    qsort(like->blends, like->blend_entry_count, sizeof *like->blends, compare_blends);
    return FACET_OK;
}
