/* gx/pixel.c - tests, fog and blending, in the hardware's integers. */
#include "gx/pixel.h"

#include "base/exact.h"

#include <string.h>

/* -- Comparisons -------------------------------------------------------- */

bool facet_gx_compare(uint8_t comparison, uint32_t value, uint32_t reference)
{
    bool less = comparison & 1, equal = comparison & 2, greater = comparison & 4;
    return value < reference ? less : value == reference ? equal : greater;
}

bool facet_gx_alpha_passes(const facet_gx_alpha_compare *compare, uint8_t alpha)
{
    bool first = facet_gx_compare(compare->comparison0, alpha, compare->reference0);
    bool second = facet_gx_compare(compare->comparison1, alpha, compare->reference1);
    switch (compare->operation & 3) {
    case 0:
        return first && second;
    case 1:
        return first || second;
    case 2:
        return first != second;
    default:
        return first == second;
    }
}

/* -- Fog ---------------------------------------------------------------- */

/* Round a float to the 20 bits that the register stores. */
static float to_20_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= 0xFFFFF000u;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool facet_gx_fog_make(const facet_gx_fog *fog, facet_gx_fog_registers *registers)
{
    float start = fog->start, end = fog->end, near_z = fog->near_z, far_z = fog->far_z;
    float a = 0, b = 0.5f, c = 0;
    uint32_t shift = 0;
    memset(registers, 0, sizeof *registers);
    registers->type = fog->type & 7;
    registers->orthographic = (fog->type & 8) != 0;
    registers->color[0] = fog->color.r;
    registers->color[1] = fog->color.g;
    registers->color[2] = fog->color.b;
    if (registers->type < 2 || registers->type == 3)
        return false;
    bool some = far_z != near_z && start != end;
    if (registers->orthographic) {
        registers->a = some ? to_20_bits((far_z - near_z) / (end - start)) : 0;
        registers->c = some ? to_20_bits((start - near_z) / (end - start)) : 0;
        return true;
    }
    if (some) {
        a = far_z * near_z / ((far_z - near_z) * (end - start));
        b = far_z / (far_z - near_z);
        c = start / (end - start);
    }
    while (b > 1 && shift < 31)
        b /= 2, shift++;
    int less = 0;
    while (b > 0 && b < 0.5f && less < 31)
        b *= 2, less++;
    int exponent = (int)shift - less + 1;
    for (int i = 0; i < exponent; i++)
        a /= 2;
    for (int i = exponent; i < 0; i++)
        a *= 2;
    registers->a = to_20_bits(a);
    registers->b = b > 0 ? (uint32_t)(b * 8388638.0f) : 0;
    registers->shift = exponent > 0 ? (uint32_t)exponent : 0;
    registers->c = to_20_bits(c);
    return true;
}

uint32_t facet_gx_fog_amount(const facet_gx_fog_registers *registers, uint32_t depth)
{
    float z, factor;
    if (registers->orthographic) {
        z = registers->a * ((float)depth / 16777216.0f);
    } else {
        int32_t below = (int32_t)registers->b - (int32_t)(depth >> registers->shift);
        z = below == 0 ? 3.0e38f : registers->a * 16777216.0f / (float)below;
    }
    float f = z - registers->c;
    f = f > 1 ? 1 : f > 0 ? f : 0;
    switch (registers->type) {
    case 4:
        factor = 1 - (float)facet_exact_exp2(-8 * f);
        break;
    case 5:
        factor = 1 - (float)facet_exact_exp2(-8 * f * f);
        break;
    case 6:
        factor = (float)facet_exact_exp2(-8 * (1 - f));
        break;
    case 7:
        factor = (float)facet_exact_exp2(-8 * (1 - f) * (1 - f));
        break;
    default:
        factor = f;
        break;
    }
    return (uint32_t)(factor * 256 + 0.5f);
}

void facet_gx_fog_apply(const facet_gx_fog_registers *registers, uint32_t depth, uint8_t color[4])
{
    uint32_t amount = facet_gx_fog_amount(registers, depth);
    for (int i = 0; i < 3; i++)
        color[i] = (uint8_t)((color[i] * (256 - amount) + registers->color[i] * amount) >> 8);
}

/* -- Blending ----------------------------------------------------------- */

/* `other` is the color that factors 2 and 3 refer to. */
static uint32_t factor_of(uint8_t factor, const uint8_t other[4], const uint8_t source[4],
                          const uint8_t frame[4], int component)
{
    static const uint8_t none = 0;
    const uint8_t *from[4] = {&none, &other[component], &source[3], &frame[3]};
    uint32_t value = *from[factor >> 1 & 3];
    value = factor & 1 ? 255 - value : value;
    return value + (value >> 7);
}

static uint8_t logic(uint8_t operation, uint8_t s, uint8_t d)
{
    switch (operation & 15) {
    case 0:
        return 0;
    case 1:
        return s & d;
    case 2:
        return s & (uint8_t)~d;
    case 3:
        return s;
    case 4:
        return (uint8_t)~s & d;
    case 5:
        return d;
    case 6:
        return s ^ d;
    case 7:
        return s | d;
    case 8:
        return (uint8_t) ~(s | d);
    case 9:
        return (uint8_t) ~(s ^ d);
    case 10:
        return (uint8_t)~d;
    case 11:
        return s | (uint8_t)~d;
    case 12:
        return (uint8_t)~s;
    case 13:
        return (uint8_t)~s | d;
    case 14:
        return (uint8_t) ~(s & d);
    default:
        return 255;
    }
}

static uint8_t mix(const facet_gx_blend *blend, const uint8_t source[4], const uint8_t frame[4],
                   int i)
{
    uint32_t sum = (source[i] * factor_of(blend->source, frame, source, frame, i) +
                    frame[i] * factor_of(blend->destination, source, source, frame, i)) >>
                   8;
    return (uint8_t)(sum > 255 ? 255 : sum);
}

void facet_gx_blend_into(const facet_gx_blend *blend, const uint8_t source[4], uint8_t frame[4])
{
    uint8_t out[4];
    memcpy(out, source, 4);
    for (int i = 0; blend->type >= 1 && blend->type <= 3 && i < 4; i++)
        out[i] = blend->type == 1       ? mix(blend, source, frame, i)
                 : blend->type == 2     ? logic(blend->logic, source[i], frame[i])
                 : frame[i] > source[i] ? (uint8_t)(frame[i] - source[i])
                                        : 0;
    memcpy(frame, out, 4);
}

uint8_t facet_gx_dither(uint8_t value, uint32_t x, uint32_t y)
{
    static const uint8_t pattern[2][2] = {{0, 2}, {3, 1}};
    return (uint8_t)((value - (value >> 6) + pattern[y & 1][x & 1]) & 0xFC);
}
