/* formats/assimp/file/angles.c - Euler angles of an FBX: about x, then y, then z. */
#include "formats/assimp/file/file.h"

#include <math.h>

void facet_assimp_angles_of(const float q[4], double angles[3])
{
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    double sine = 2 * (w * y - x * z);
    angles[1] = asin(fmax(-1, fmin(1, sine)));
    if (fabs(sine) > 1 - 1e-7) { /* only the sum of the others is known */
        angles[0] = 0;
        angles[2] = 2 * atan2(z, w);
        return;
    }
    angles[0] = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
    angles[2] = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

void facet_assimp_quaternion_of_angles(const double angles[3], double q[4])
{
    double cx = cos(angles[0] / 2), sx = sin(angles[0] / 2), cy = cos(angles[1] / 2),
           sy = sin(angles[1] / 2), cz = cos(angles[2] / 2), sz = sin(angles[2] / 2);
    q[0] = sx * cy * cz - cx * sy * sz;
    q[1] = cx * sy * cz + sx * cy * sz;
    q[2] = cx * cy * sz - sx * sy * cz;
    q[3] = cx * cy * cz + sx * sy * sz;
}

void facet_assimp_nearest_angles(const double from[3], double angles[3])
{
    const double pi = 3.14159265358979323846;
    double best = INFINITY, made[3], nearest[3] = {0, 0, 0};
    for (int other = 0; other < 2; other++) { /* the same rotation has another y */
        double size = 0;
        for (int i = 0; i < 3; i++) {
            double angle = other && i == 1 ? pi - angles[1] : angles[i] + (other ? pi : 0);
            made[i] = angle - 2 * pi * nearbyint((angle - from[i]) / (2 * pi));
            size += fabs(made[i] - from[i]);
        }
        for (int i = 0; i < 3 && size < best; i++)
            nearest[i] = made[i];
        best = fmin(best, size);
    }
    for (int i = 0; i < 3; i++)
        angles[i] = nearest[i];
}
