/* gx/cmpr.c - encoder of CMPR blocks. It writes blocks of one color, transparent blocks and
 * blocks with an exact encoding at once. Other blocks wait until there are enough for a fit in
 * parallel. */
#include "gx/cmpr_fit.h"

#include <string.h>

#define LANES FACET_GX_CMPR_LANES

/* -- One color ---------------------------------------------------------- */

/* Write a block whose visible texels have one color that CMPR cannot store exactly. Each channel
 * gets the end points whose mix is nearest. */
static void put_one(const uint32_t texels[16], uint32_t color, bool three, uint8_t out[8])
{
    static const uint32_t most[3] = {31, 63, 31}, shifts[3] = {11, 5, 0};
    uint32_t ends[2] = {0, 0}, colors[4], index = 0;
    for (int c = 0; c < 3; c++) {
        uint32_t v = color >> c * 8 & 255, middle = facet_gx_narrow(v, most[c]);
        uint32_t nearest = UINT32_MAX, best[2] = {middle, middle};
        uint32_t from = middle > 2 ? middle - 2 : 0;
        uint32_t to = middle + 2 < most[c] ? middle + 2 : most[c];
        for (uint32_t a = from; a <= to; a++) {
            for (uint32_t b = from; b <= to; b++) {
                uint32_t wide_a = c == 1 ? facet_gx_widen6(a) : facet_gx_widen5(a);
                uint32_t wide_b = c == 1 ? facet_gx_widen6(b) : facet_gx_widen5(b);
                uint32_t mix = three ? (wide_a + wide_b) >> 1 : (5 * wide_a + 3 * wide_b) >> 3;
                uint32_t miss = mix > v ? mix - v : v - mix;
                if (miss < nearest) {
                    nearest = miss;
                    best[0] = a;
                    best[1] = b;
                }
            }
        }
        ends[0] |= best[0] << shifts[c];
        ends[1] |= best[1] << shifts[c];
    }
    bool swap = (ends[0] < ends[1]) != three && ends[0] != ends[1];
    uint32_t c0 = ends[swap], c1 = ends[!swap];
    facet_gx_cmpr_colors(c0, c1, colors);
    for (uint32_t k = 1; k < 4 - (c0 <= c1); k++) {
        if (facet_gx_distance(colors[k], color) < facet_gx_distance(colors[index], color))
            index = k;
    }
    uint8_t indices[16];
    for (int i = 0; i < 16; i++)
        indices[i] = facet_gx_alpha(texels[i]) < FACET_GX_OPAQUE ? 3 : (uint8_t)index;
    facet_gx_put_cmpr(c0, c1, indices, out);
}

/* Write a block without visible texels. Its color is the mean, because filters can mix it with
 * neighbors. */
static void put_clear(const uint32_t texels[16], uint8_t out[8])
{
    static const uint8_t indices[16] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    uint32_t r = 8, g = 8, b = 8;
    for (int i = 0; i < 16; i++) {
        r += facet_gx_red(texels[i]);
        g += facet_gx_green(texels[i]);
        b += facet_gx_blue(texels[i]);
    }
    uint32_t mean = facet_gx_encode_rgb565(facet_gx_texel(r / 16, g / 16, b / 16, 255));
    facet_gx_put_cmpr(mean, mean, indices, out);
}

/* Write a block if its visible texels have at most one color. False if they have more. */
static bool put_plain(const uint32_t texels[16], uint8_t out[8])
{
    uint32_t count = 0, color = 0, different = 0;
    for (int i = 0; i < 16; i++) {
        if (facet_gx_alpha(texels[i]) < FACET_GX_OPAQUE)
            continue;
        color = count++ == 0 ? texels[i] | 0xFF000000u : color;
        different |= (texels[i] | 0xFF000000u) ^ color;
    }
    if (count == 0)
        put_clear(texels, out);
    else if (different == 0)
        put_one(texels, color, count < 16, out);
    return different == 0;
}

/* -- Encoding ----------------------------------------------------------- */

void facet_gx_cmpr_finish(facet_gx_cmpr *c)
{
    facet_gx_cmpr_answers answers;
    if (c->count == 0)
        return;
    for (uint32_t l = c->count; l < LANES; l++) /* fill unused lanes with a copy of the first
                                                   block */
        for (int i = 0; i < 16; i++)
            c->texels[i][l] = c->texels[i][0];
    facet_gx_fit_cmpr(c->texels, c->quality, &answers);
    for (uint32_t l = 0; l < c->count; l++) {
        uint8_t indices[16];
        for (int i = 0; i < 16; i++)
            indices[i] = answers.indices[i][l];
        facet_gx_put_cmpr(answers.ends[0][l], answers.ends[1][l], indices, c->outs[l]);
    }
    c->count = 0;
}

void facet_gx_cmpr_add(facet_gx_cmpr *c, const uint32_t texels[16], uint8_t *out)
{
    if (facet_gx_encode_cmpr_exactly(texels, out) || put_plain(texels, out))
        return;
    for (int i = 0; i < 16; i++)
        c->texels[i][c->count] = texels[i];
    c->outs[c->count++] = out;
    if (c->count == LANES)
        facet_gx_cmpr_finish(c);
}
