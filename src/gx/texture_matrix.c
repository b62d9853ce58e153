/* gx/texture_matrix.c - the matrix of a texture matrix record: scale, rotation, translation and
 * effect, multiplied as in the runtime. */
#include "gx/texture_matrix.h"
#include "base/vec.h"

#include "gx/matrix.h"

#include <math.h>
#include <string.h>

/* -- Rotation ----------------------------------------------------------- */

facet_gx_rotation facet_gx_exact_rotation(int16_t angle)
{
    double radians = angle * (FACET_PI / 32768);
    facet_gx_rotation rotation = {(float)sin(radians), (float)cos(radians)};
    return rotation;
}

/* The exporters compute their tables from a half turn that is rounded to a float. The older
 * exporter also rounds each angle, and computes cosines as sines a quarter turn later. */
facet_gx_rotation facet_gx_table_rotation(int16_t angle, bool narrow_mask)
{
    const double half_turn = 3.1415927410125732421875;
    facet_gx_rotation rotation;
    if (narrow_mask) {
        int index = (uint16_t)angle >> 4;
        rotation.sine = (float)sin((double)(float)(index * (2 * half_turn) / 4096));
        rotation.cosine = (float)sin((double)(float)((index + 1024) * (2 * half_turn) / 4096));
    } else {
        int index = (uint16_t)angle >> 5;
        rotation.sine = (float)sin(index * (2 * half_turn) / 2048);
        rotation.cosine = (float)cos(index * (2 * half_turn) / 2048);
    }
    return rotation;
}

/* -- Products ----------------------------------------------------------- */

/* a = a * effect, a full 4x4 matrix. The runtime uses fused multiply-add, with one rounding. */
static void multiply_effect(float a[3][4], const float effect[16])
{
    for (int row = 0; row < 3; row++) {
        float r[4];
        for (int column = 0; column < 4; column++)
            r[column] = fmaf(a[row][3], effect[12 + column],
                             fmaf(a[row][2], effect[8 + column],
                                  fmaf(a[row][1], effect[4 + column], a[row][0] * effect[column])));
        memcpy(a[row], r, sizeof r);
    }
}

/* -- The record --------------------------------------------------------- */

/* Set scale, rotation and translation. The translation is in `column`: 3, or 2 for coordinates that
 * are divided by their third component. */
static void set_transform(const facet_gx_texture_matrix *record, facet_gx_rotation rotation,
                          int column, float rows[3][4])
{
    float s = rotation.sine, c = rotation.cosine;
    float scale_s = record->scale[0], scale_t = record->scale[1];
    memset(rows, 0, 3 * sizeof *rows);
    rows[0][0] = scale_s * c;
    rows[1][1] = scale_t * c;
    rows[2][2] = 1;
    if (record->mode & 0x80) { /* Maya's order: rotate about the middle, after the scale */
        float p = record->translation[0] - 0.5f, q = record->translation[1] - 0.5f;
        rows[0][1] = scale_t * s;
        rows[1][0] = -(scale_s * s);
        rows[0][column] = p * c - s * (q + scale_t) + 0.5f;
        rows[1][column] = -p * s - c * (q + scale_t) + 0.5f;
    } else {
        float center_s = record->center[0], center_t = record->center[1];
        rows[0][1] = -(scale_s * s);
        rows[1][0] = scale_t * s;
        rows[0][column] =
            record->translation[0] + (center_s - (rows[0][0] * center_s + rows[0][1] * center_t));
        rows[1][column] =
            record->translation[1] + (center_t - (rows[1][0] * center_s + rows[1][1] * center_t));
    }
}

void facet_gx_texture_matrix_rows(const facet_gx_texture_matrix *record, facet_gx_rotation rotation,
                                  float rows[3][4])
{
    static const float identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    /* Map coordinates from -1 to 1 with y up to 0 to 1 with t down. */
    static const float projected[3][4] = {{0.5f, 0, 0.5f, 0}, {0, -0.5f, 0.5f, 0}, {0, 0, 1, 0}};
    static const float plain[3][4] = {{0.5f, 0, 0, 0.5f}, {0, -0.5f, 0, 0.5f}, {0, 0, 1, 0}};
    unsigned mode = record->mode & 0x3F;
    bool is_projected = mode >= 7 && mode <= 11 && mode != 10;
    set_transform(record, rotation, is_projected ? 2 : 3, rows);
    if (is_projected)
        facet_gx_multiply(rows, projected);
    else if (mode == 6 || mode == 10)
        facet_gx_multiply(rows, plain);
    if ((mode >= 2 && mode <= 5) || (mode >= 8 && mode <= 11))
        multiply_effect(rows, record->effect);
    if (mode >= 1 && mode <= 11 && mode != 4)
        facet_gx_multiply(rows, identity); /* as in the runtime: -0 becomes +0 */
}
