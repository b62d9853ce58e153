/* formats/j3d/scene/to_scene/material_alpha.c - blending and alpha comparison to a scene's alpha
 * mode. */
#include "formats/j3d/scene/to_scene/material_work.h"

static bool compare(uint8_t comparison, unsigned value, unsigned reference)
{
    switch (comparison & 7) {
    case 0:
        return false;
    case 1:
        return value < reference;
    case 2:
        return value == reference;
    case 3:
        return value <= reference;
    case 4:
        return value > reference;
    case 5:
        return value != reference;
    case 6:
        return value >= reference;
    default:
        return true;
    }
}

bool facet_j3d_passes_alpha(const facet_gx_alpha_compare *test, unsigned alpha)
{
    bool a = compare(test->comparison0, alpha, test->reference0);
    bool b = compare(test->comparison1, alpha, test->reference1);
    switch (test->operation & 3) {
    case 0:
        return a && b;
    case 1:
        return a || b;
    case 2:
        return a != b;
    default:
        return a == b;
    }
}

/* The cut-off with the fewest wrong alpha values. It is the smallest alpha that passes, or one more
 * than the largest that fails. */
static unsigned nearest_cutoff(const facet_gx_alpha_compare *test, bool *exact)
{
    unsigned best = 0, least_wrong = 257, wrong = 0;
    for (unsigned alpha = 0; alpha < 256; alpha++)
        wrong += !facet_j3d_passes_alpha(test, alpha); /* with cut-off 0, every value passes */
    for (unsigned cutoff = 0; cutoff <= 256; cutoff++) {
        if (wrong < least_wrong) {
            least_wrong = wrong;
            best = cutoff;
        }
        if (cutoff < 256)
            wrong = facet_j3d_passes_alpha(test, cutoff) ? wrong + 1 : wrong - 1;
    }
    *exact = least_wrong == 0;
    return best;
}

/* Find blending that adds the color to the frame, by alpha or without it, or that subtracts it. */
static void find_addition(j3d_material_work *w)
{
    const facet_gx_blend *blend = &w->gx.blend;
    if (blend->type == 3)
        w->addition = J3D_SUBTRACTS;
    else if (blend->type == 1 && blend->destination == 1 &&
             (blend->source == 1 || blend->source == 4))
        w->addition = J3D_ADDS;
    w->ignores_alpha = w->addition == J3D_SUBTRACTS || blend->source == 1;
}

void facet_j3d_convert_alpha(j3d_material_work *w)
{
    bool exact = true;
    unsigned cutoff = nearest_cutoff(&w->gx.alpha_compare, &exact);
    facet_material *out = w->out;
    out->alpha_cutoff = 0.5f;
    /* Blending with factors one and zero replaces the frame. */
    bool covers = w->gx.blend.type == 0 || (w->gx.blend.type == 1 && w->gx.blend.source == 1 &&
                                            w->gx.blend.destination == 0);
    /* A material drawn in any order, with depth writes, has holes instead of glass. Only texels
     * with more than half opacity count. */
    bool has_holes = !w->gx.translucent && w->gx.depth.write && cutoff > 0 &&
                     w->gx.blend.type == 1 && w->gx.blend.source == 4 &&
                     w->gx.blend.destination == 5;
    if (has_holes) {
        out->alpha_mode = FACET_ALPHA_MASK;
        out->alpha_cutoff = (float)(cutoff > 128 ? cutoff : 128) / 255;
        w->doubts |= J3D_DOUBT_HOLES;
    } else if (!covers) {
        out->alpha_mode = FACET_ALPHA_BLEND;
        find_addition(w);
        if (w->addition)
            w->doubts |= J3D_DOUBT_ADDED;
        else if (w->gx.blend.type != 1 || w->gx.blend.source != 4 || w->gx.blend.destination != 5)
            w->doubts |= J3D_DOUBT_MIXED;
    } else if (!exact || cutoff > 0) {
        out->alpha_mode = FACET_ALPHA_MASK;
        out->alpha_cutoff = (float)cutoff / 255;
        w->doubts |= exact ? 0 : J3D_DOUBT_TEST;
    } else {
        out->alpha_mode = FACET_ALPHA_OPAQUE;
    }
}
