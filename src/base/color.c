/* base/color.c - the transfer function of sRGB. */
#include "base/color.h"

#include <math.h>

/* The two parts meet at 0.04045 / 12.92 = 0.00313080495, which a float may round up. The standard's
 * constant 0.0031308 is that value rounded down. */
double facet_srgb_encode(double linear)
{
    return linear <= 0.0031308055 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055;
}

double facet_srgb_decode(double encoded)
{
    return encoded <= 0.04045 ? encoded / 12.92 : pow((encoded + 0.055) / 1.055, 2.4);
}

uint8_t facet_srgb_byte(double linear)
{
    if (!(linear > 0))
        return 0;
    return linear >= 1 ? 255 : (uint8_t)(facet_srgb_encode(linear) * 255 + 0.5);
}

void facet_srgb_linear_of_bytes(float linear[256])
{
    for (int i = 0; i < 256; i++)
        linear[i] = (float)facet_srgb_decode(i / 255.0);
}

void facet_srgb_decode_colors(float *colors, size_t count, uint32_t width)
{
    enum { WORTH_A_TABLE = 256 };
    float linear[256];
    if (count >= WORTH_A_TABLE)
        facet_srgb_linear_of_bytes(linear);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < width && c < 3; c++) {
            float *value = &colors[i * width + c];
            /* Most colors were bytes originally, which a table encodes. */
            int byte = *value >= 0 && *value <= 1 ? (int)(*value * 255 + 0.5F) : -1;
            if (byte < 0 || (float)byte / 255 != *value)
                *value = (float)facet_srgb_decode((double)*value);
            else
                *value =
                    count >= WORTH_A_TABLE ? linear[byte] : (float)facet_srgb_decode(byte / 255.0);
        }
    }
}

/* Decoding rounds, so the result may be off by one unit in the last place. A byte, or a number of
 * six decimals, that is this close is the original value. */
static float encode(float linear)
{
    static const double steps[] = {255, 1e6};
    float value = (float)facet_srgb_encode((double)linear);
    for (int i = 0; i < 2 && linear > 0 && linear < 1; i++) {
        float near = (float)(floor((double)value * steps[i] + 0.5) / steps[i]);
        if (fabsf(near - value) <= value * 1.2e-7F)
            return near;
    }
    return value;
}

void facet_srgb_encode_colors(float *colors, size_t count, uint32_t width)
{
    for (size_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < width && c < 3; c++)
            colors[i * width + c] = encode(colors[i * width + c]);
    }
}

float facet_color_bytes(const float *values, size_t count, uint32_t width, uint32_t used)
{
    enum { LEAST = 32 };
    float most = 0;
    for (size_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < used; c++) {
            float value = values[i * width + c];
            if (!(value >= 0 && value <= 255) || floorf(value) != value)
                return 0;
            most = value > most ? value : most;
        }
    }
    return most < LEAST ? 0 : most;
}
