/* formats/j3d/scene/from_scene/frame.c - points and matrices of a scene in J3D's frame. */
#include "formats/j3d/scene/from_scene/frame.h"

#include "scene/axes.h"
#include "scene/units.h"

void facet_j3d_frame_of_axes(const facet_axes *axes, double turn[9])
{
    float m[16];
    facet_axes_matrix(axes, m);
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            turn[row * 3 + column] = (double)m[column * 4 + row];
    }
}

void facet_j3d_frame_point(const double turn[9], double unit, const float in[3], double out[3])
{
    double lengths[3];
    for (int k = 0; k < 3; k++)
        lengths[k] = facet_units_length(unit, in[k]);
    for (int r = 0; r < 3; r++)
        out[r] =
            turn[r * 3] * lengths[0] + turn[r * 3 + 1] * lengths[1] + turn[r * 3 + 2] * lengths[2];
}

void facet_j3d_frame_matrix(const double turn[9], double unit, const float m[16], double out[12])
{
    double half[9], place[3];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            half[r * 3 + c] = 0;
            for (int k = 0; k < 3; k++)
                half[r * 3 + c] += turn[r * 3 + k] * (double)m[c * 4 + k];
        }
    }
    facet_j3d_frame_point(turn, unit, m + 12, place);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            out[r * 4 + c] = 0;
            for (int k = 0; k < 3; k++)
                out[r * 4 + c] += half[r * 3 + k] * turn[c * 3 + k];
        }
        out[r * 4 + 3] = place[r];
    }
}
