/* formats/j3d/scene/from_scene/frame.h - points and matrices of a scene in J3D's frame.
 *
 * `turn` is row-major, from the scene's axes to J3D's. Each row has exactly one 1 or -1. `unit` is
 * the scene's unit in J3D's (facet_units.unit). */
#ifndef FACET_J3D_FROM_SCENE_FRAME_H
#define FACET_J3D_FROM_SCENE_FRAME_H

#include <facet/scene.h>

void facet_j3d_frame_of_axes(const facet_axes *axes, double turn[9]);
void facet_j3d_frame_point(const double turn[9], double unit, const float in[3], double out[3]);
/* Convert a column-major 4x4 matrix to a facet_j3d_matrix between the same spaces. */
void facet_j3d_frame_matrix(const double turn[9], double unit, const float m[16], double out[12]);

#endif
