/* mesh/eigenvectors.c - Jacobi rotations. */
#include "mesh/eigenvectors.h"

#include "base/vec.h"

#include <string.h>

void facet_eigenvectors(double m[3][3], double axes[3][3])
{
    memset(axes, 0, 9 * sizeof axes[0][0]);
    axes[0][0] = axes[1][1] = axes[2][2] = 1;
    for (int sweep = 0; sweep < 30; sweep++) {
        int p = sweep % 3 == 2 ? 1 : 0, q = sweep % 3 == 0 ? 1 : 2;
        if (fabs(m[p][q]) <= 1e-30)
            continue;
        double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
        double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
        double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
            double kp = m[k][p], kq = m[k][q];
            m[k][p] = c * kp - s * kq;
            m[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 3; k++) {
            double pk = m[p][k], qk = m[q][k];
            m[p][k] = c * pk - s * qk;
            m[q][k] = s * pk + c * qk;
            double ap = axes[p][k], aq = axes[q][k];
            axes[p][k] = c * ap - s * aq;
            axes[q][k] = s * ap + c * aq;
        }
    }
    for (int k = 0; k < 3; k++)
        facet_normalize(axes[k]);
}
