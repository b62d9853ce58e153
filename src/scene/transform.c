/* scene/transform.c - decomposition of matrices. */
#include "scene/transform.h"
#include "base/vec.h"
#include "scene/matrix.h"

#include <math.h>
#include <string.h>

/* -- Rotations ---------------------------------------------------------- */

/* The largest component is computed first, from the diagonal, so that no division is by a number
 * near 0. Algorithm: K. Shoemake, "Animating Rotation with Quaternion Curves", 1985. */
void facet_quaternion_of_axes(const double axes[9], float quaternion[4])
{
    double q[4], xx = axes[0], yy = axes[4], zz = axes[8];
    if (xx + yy + zz > 0) {
        double s = sqrt(xx + yy + zz + 1) * 2;
        q[3] = s / 4;
        q[0] = (axes[5] - axes[7]) / s;
        q[1] = (axes[6] - axes[2]) / s;
        q[2] = (axes[1] - axes[3]) / s;
    } else {
        int i = yy > xx ? 1 : 0;
        i = zz > axes[i * 4] ? 2 : i;
        int j = (i + 1) % 3, k = (i + 2) % 3;
        double s = sqrt(1 + axes[i * 4] - axes[j * 4] - axes[k * 4]) * 2;
        q[i] = s / 4;
        q[3] = (axes[j * 3 + k] - axes[k * 3 + j]) / s;
        q[j] = (axes[i * 3 + j] + axes[j * 3 + i]) / s;
        q[k] = (axes[i * 3 + k] + axes[k * 3 + i]) / s;
    }
    for (int i = 0; i < 4; i++)
        quaternion[i] = (float)q[i];
}

void facet_quaternion_multiply(const float a[4], const float b[4], float out[4])
{
    double p[4], q[4];
    for (int i = 0; i < 4; i++) {
        p[i] = (double)a[i];
        q[i] = (double)b[i];
    }
    out[0] = (float)(p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1]);
    out[1] = (float)(p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0]);
    out[2] = (float)(p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3]);
    out[3] = (float)(p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2]);
}

/* -- Decomposition ------------------------------------------------------ */

static double normalize(double *v)
{
    double length = sqrt(facet_dot(v, v));
    for (int i = 0; i < 3 && length > 0; i++)
        v[i] /= length;
    return length;
}

/* Remove the components of `v` along the unit vectors `others`. */
static void remove_along(double *v, const double *const *others, int count)
{
    for (int k = 0; k < count; k++) {
        double along = facet_dot(v, others[k]);
        for (int i = 0; i < 3; i++)
            v[i] -= along * others[k][i];
    }
}

/* Make `v` the nearest unit vector that is orthogonal to the others. If nothing of it remains, use
 * the coordinate axis with the largest remainder. */
static void make_orthogonal(double *v, const double *const *others, int count)
{
    remove_along(v, others, count);
    if (normalize(v) > 1e-12)
        return;
    double best = 0;
    for (int axis = 0; axis < 3; axis++) {
        double candidate[3] = {0, 0, 0};
        candidate[axis] = 1;
        remove_along(candidate, others, count);
        double left = normalize(candidate);
        if (left > best + 1e-6) {
            best = left;
            memcpy(v, candidate, sizeof candidate);
        }
    }
}

static double determinant(const double *axes)
{
    return axes[0] * (axes[4] * axes[8] - axes[5] * axes[7]) -
           axes[1] * (axes[3] * axes[8] - axes[5] * axes[6]) +
           axes[2] * (axes[3] * axes[7] - axes[4] * axes[6]);
}

/* Axis to mirror: one of zero length if there is any, which changes nothing; otherwise as the
 * caller requests. */
static int mirrored_axis(const facet_decomposition *parts, facet_mirror mirror)
{
    for (int i = 0; i < 3; i++) {
        if (!(parts->scale[i] > 0))
            return i;
    }
    int least = 0;
    for (int i = 1; i < 3 && mirror == FACET_MIRROR_LEAST; i++)
        least = parts->axes[i * 4] < parts->axes[least * 4] ? i : least;
    return least;
}

void facet_axes_decompose(const double columns[9], facet_mirror mirror, facet_decomposition *parts)
{
    double *axes = parts->axes;
    const double *placed[2]; /* axes that are already computed */
    int count = 0;
    memcpy(axes, columns, sizeof parts->axes);
    parts->shear = 0;
    for (int i = 0; i < 3; i++)
        parts->scale[i] = normalize(axes + (size_t)i * 3);
    for (int i = 0; i < 3; i++) {
        int next = (i + 1) % 3;
        if (parts->scale[i] > 0 && parts->scale[next] > 0)
            parts->shear =
                fmax(parts->shear, fabs(facet_dot(axes + (size_t)i * 3, axes + (size_t)next * 3)));
    }
    /* Columns with a length are first; the others are placed afterwards. */
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 3; i++) {
            if ((parts->scale[i] > 0) != (pass == 0))
                continue;
            make_orthogonal(axes + (size_t)i * 3, placed, count);
            if (count < 2)
                placed[count++] = axes + (size_t)i * 3;
        }
    }
    if (determinant(axes) < 0) {
        int turned = mirrored_axis(parts, mirror);
        for (int i = 0; i < 3; i++)
            axes[turned * 3 + i] = -axes[turned * 3 + i];
        if (parts->scale[turned] > 0)
            parts->scale[turned] = -parts->scale[turned];
    }
}

double facet_transform_of_matrix(const float m[16], facet_mirror mirror, facet_transform *transform)
{
    double columns[9];
    facet_decomposition parts;
    for (int i = 0; i < 9; i++)
        columns[i] = (double)m[i / 3 * 4 + i % 3];
    facet_axes_decompose(columns, mirror, &parts);
    facet_quaternion_of_axes(parts.axes, transform->rotation);
    for (int i = 0; i < 3; i++) {
        transform->scale[i] = (float)parts.scale[i];
        transform->translation[i] = m[12 + i];
    }
    return parts.shear;
}

double facet_decompose_node(const facet_node *node, facet_decomposition *parts)
{
    float m[16];
    double columns[9];
    const double *s = parts->scale;
    facet_matrix_of_node(node, m);
    for (int i = 0; i < 9; i++)
        columns[i] = (double)m[i / 3 * 4 + i % 3];
    facet_axes_decompose(columns, FACET_MIRROR_X, parts);
    bool uniform = s[0] > 0 && fabs(s[1] / s[0] - 1) <= 1e-6 && fabs(s[2] / s[0] - 1) <= 1e-6;
    return uniform && parts->shear <= 1e-6 ? s[0] : 0;
}
