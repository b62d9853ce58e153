/* formats/j3d/gpu/check.h - documents that were not read, but filled in or changed by hand. */
#ifndef FACET_J3D_GPU_CHECK_H
#define FACET_J3D_GPU_CHECK_H

#include <facet/j3d.h>

/* Make sure of what facet_j3d_read promises of vertex arrays, joints, envelopes,
 * draw matrices and shapes: with that, decoding and the skeleton stay inside their
 * arrays. Linear. Errors: FACET_ERROR_ARGUMENT with the rule that is broken. */
facet_status facet_j3d_check_geometry(const facet_j3d *document, facet_error *error);

#endif
