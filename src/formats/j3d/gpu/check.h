/* formats/j3d/gpu/check.h - check of documents that a caller created or changed. */
#ifndef FACET_J3D_GPU_CHECK_H
#define FACET_J3D_GPU_CHECK_H

#include <facet/j3d.h>

/* Check what facet_j3d_read guarantees about vertex arrays, joints, envelopes, draw matrices and
 * shapes. After it, decoding and the skeleton stay inside their arrays. Linear. Errors:
 * FACET_ERROR_ARGUMENT with the id of the broken rule. */
facet_status facet_j3d_check_geometry(const facet_j3d *document, facet_error *error);

#endif
