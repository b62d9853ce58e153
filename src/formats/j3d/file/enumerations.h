/* formats/j3d/file/enumerations.h - the names of numbers that J3D alone knows; those of
 * the chip are in gx/enumerations.h. */
#ifndef FACET_J3D_FILE_ENUMERATIONS_H
#define FACET_J3D_FILE_ENUMERATIONS_H

#include "gx/enumerations.h"

extern const facet_gx_enumeration facet_j3d_kinds, facet_j3d_scalings, facet_j3d_node_types,
    facet_j3d_joint_kinds, facet_j3d_shape_types;

#endif
