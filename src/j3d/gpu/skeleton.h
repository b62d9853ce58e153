/* j3d/gpu/skeleton.h - where joints are at rest, and the matrices that vertices are
 * drawn with. Matrices are row-major 3x4 doubles, vectors are columns; the
 * implied last row is 0 0 0 1. */
#ifndef FACET_J3D_GPU_SKELETON_H
#define FACET_J3D_GPU_SKELETON_H

#include <facet/j3d.h>

/* -- Matrices ----------------------------------------------------------- */

typedef double facet_j3d_matrix[12];

/* out = a * b; out may be neither. */
void facet_j3d_matrix_multiply(const double a[12], const double b[12], double out[12]);
/* False, and `out` untouched, when the matrix has no inverse (or is not finite). */
bool facet_j3d_matrix_invert(const double m[12], double out[12]);
/* The cofactors of the 3x3 part, row-major: its inverse transpose times its
 * determinant, which turns normals and is there for every matrix. */
void facet_j3d_matrix_cofactors(const double m[12], double out[9]);

static inline void facet_j3d_matrix_point(const double m[12], const float p[3], float out[3])
{
    double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    for (int i = 0; i < 3; i++)
        out[i] = (float)(m[i * 4] * x + m[i * 4 + 1] * y + m[i * 4 + 2] * z + m[i * 4 + 3]);
}

/* Angle in radians of a joint's rotation: half a turn is 32767. */
double facet_j3d_angle(int16_t stored);
/* T * Rz * Ry * Rx * S of a joint by itself. */
void facet_j3d_joint_local(const facet_j3d_joint *joint, double out[12]);

/* -- The skeleton at rest ----------------------------------------------- */

typedef struct facet_j3d_skeleton {
    uint32_t joint_count;
    uint16_t *order;           /* all joints, parents before children */
    facet_j3d_matrix *globals; /* from the space of each joint to that of the model */
    bool *is_plain; /* the joint's place is its parent's times its own T * R * S: no scale
                       compensation, Softimage scaling or quirk of Basic comes in between */
    uint32_t envelope_count;
    facet_j3d_matrix *envelopes; /* from bind space to that of the model */
} facet_j3d_skeleton;

/* Compute the rest pose of a document that was read; arrays come from `arena`.
 * Scaling is Basic, Softimage or Maya by the hierarchy's flags, others count as
 * Basic. An envelope's joint without inverse bind matrix is taken to be bound where
 * it rests. Linear. Errors: FACET_ERROR_ARGUMENT when the parents of joints go
 * round in a circle, which never happens in what facet_j3d_read gave. */
facet_status facet_j3d_skeleton_create(const facet_j3d *document, facet_arena *arena,
                                       facet_j3d_skeleton *skeleton, facet_error *error);
/* The matrix of draw matrix `index`, below draw_matrices.count: a joint's, or
 * an envelope's. */
const double *facet_j3d_skeleton_draw(const facet_j3d *document, const facet_j3d_skeleton *skeleton,
                                      uint32_t index);

#endif
