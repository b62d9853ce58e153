/* formats/j3d/gpu/skeleton.h - where joints are at rest, and the matrices that vertices are
 * drawn with. */
#ifndef FACET_J3D_GPU_SKELETON_H
#define FACET_J3D_GPU_SKELETON_H

#include "formats/j3d/gpu/matrix.h"

#include <facet/j3d.h>

/* -- One joint ---------------------------------------------------------- */

/* An angle of a joint in radians: half a turn is stored as 32767. */
double facet_j3d_angle(int16_t stored);
/* A joint in its parent's space when no scaling of above interferes: translation *
 * rotation z * y * x * scale. */
void facet_j3d_joint_local(const facet_j3d_joint *joint, double out[12]);

/* -- The skeleton at rest ----------------------------------------------- */

typedef struct facet_j3d_skeleton {
    uint32_t joint_count;
    uint16_t *order;           /* all joints, parents before children */
    facet_j3d_matrix *globals; /* from the space of each joint to that of the model */
    bool *is_plain;            /* the joint's place is its parent's times facet_j3d_joint_local: no
                                  compensation of scale, no scaling of Softimage's kind, and not the scale
                                  that Basic skips */
    uint32_t envelope_count;
    facet_j3d_matrix *envelopes; /* from bind space to that of the model */
} facet_j3d_skeleton;

/* Compute the rest pose of a document that was read; arrays come from `arena`.
 * Scaling is Basic, Softimage or Maya by the hierarchy's flags, others count as
 * Basic. A joint of an envelope without inverse bind matrix counts as bound where
 * it rests. Linear. Errors: FACET_ERROR_ARGUMENT when the parents of joints go
 * round in a circle, which never happens in what facet_j3d_read gave. */
facet_status facet_j3d_skeleton_create(const facet_j3d *document, facet_arena *arena,
                                       facet_j3d_skeleton *skeleton, facet_error *error);
/* The matrix of draw matrix `index`, below draw_matrices.count: a joint's, or
 * an envelope's. */
const double *facet_j3d_skeleton_draw_matrix(const facet_j3d *document,
                                             const facet_j3d_skeleton *skeleton, uint32_t index);

#endif
