/* formats/j3d/gpu/skeleton.h - rest pose of the joints, and the draw matrices of vertices. */
#ifndef FACET_J3D_GPU_SKELETON_H
#define FACET_J3D_GPU_SKELETON_H

#include "formats/j3d/gpu/matrix.h"

#include <facet/j3d.h>

/* -- One joint ---------------------------------------------------------- */

/* A joint's angle in radians: half a turn is stored as 32767. */
double facet_j3d_angle(int16_t stored);
/* The matrix of a joint relative to its parent, without inherited scaling: translation * rotation z
 * * y * x * scale. */
void facet_j3d_joint_local(const facet_j3d_joint *joint, double out[12]);

/* -- The skeleton at rest ----------------------------------------------- */

typedef struct facet_j3d_skeleton {
    uint32_t joint_count;
    uint16_t *order;           /* all joints, parents before children */
    facet_j3d_matrix *globals; /* from joint space to model space */
    bool *is_plain;            /* the joint's matrix is its parent's times facet_j3d_joint_local: no
                                  scale compensation, no Softimage scaling, no scale that Basic
                                  skips */
    uint32_t envelope_count;
    facet_j3d_matrix *envelopes; /* from bind space to model space */
} facet_j3d_skeleton;

/* Compute the rest pose of a document that was read; arrays come from `arena`. The flags of the
 * hierarchy select Basic, Softimage or Maya scaling; unknown values mean Basic. A joint of an
 * envelope without inverse bind matrix uses its rest pose. Linear. Errors: FACET_ERROR_ARGUMENT if
 * parents of joints form a cycle, which facet_j3d_read never returns. */
facet_status facet_j3d_skeleton_create(const facet_j3d *document, facet_arena *arena,
                                       facet_j3d_skeleton *skeleton, facet_error *error);
/* Get the bind matrix of a joint, from joint space to bind space, and its inverse. Without an
 * invertible one in the file, these are the rest pose. False if the file's cannot be inverted. */
bool facet_j3d_skeleton_bind(const facet_j3d *document, const facet_j3d_skeleton *skeleton,
                             uint32_t joint, double bind[12], double inverse[12]);
/* The matrix of draw matrix `index`, which must be below draw_matrices.count: that of a joint or an
 * envelope. */
const double *facet_j3d_skeleton_draw_matrix(const facet_j3d *document,
                                             const facet_j3d_skeleton *skeleton, uint32_t index);

#endif
