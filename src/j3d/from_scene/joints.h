/* j3d/from_scene/joints.h - what the files that make joints of nodes share. */
#ifndef FACET_J3D_FROM_SCENE_JOINTS_H
#define FACET_J3D_FROM_SCENE_JOINTS_H

#include "j3d/from_scene/from_scene.h"

/* -- Matrices ----------------------------------------------------------- */

static const facet_j3d_matrix facet_j3d_identity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

/* A matrix of the scene in J3D's frame. */
void facet_j3d_convert_matrix(const j3d_build *w, const float m[16], double out[12]);
double facet_j3d_matrix_determinant(const double m[12]);
/* How far a matrix is from another: the largest difference of the 3x3 parts
 * beside their size, and of the translations beside `size`. */
double facet_j3d_matrix_distance(const double a[12], const double b[12], double size);
double facet_j3d_translation_size(const double m[12]);

/* -- Nodes -------------------------------------------------------------- */

/* True when joints move the mesh of a node. */
bool facet_j3d_is_skinned(const facet_scene *scene, const facet_node *node);
/* The joint of the nearest node above that is one; FACET_NONE: none. */
uint32_t facet_j3d_joint_above(const j3d_build *w, uint32_t node);

/* -- Steps -------------------------------------------------------------- */

/* Scale, angles and translation of all joints, and where they stand with them:
 * w->joint_place (scene_write_places.c). */
facet_status facet_j3d_place_joints(j3d_build *w);
/* w->bind, and for each skin the matrix in *moves that takes its vertices to the
 * common bind pose (scene_write_binds.c). `seen` is of nodes. */
facet_status facet_j3d_bind_skins(j3d_build *w, const bool *seen, facet_j3d_matrix **moves);
/* w->instances (scene_write_binds.c). */
facet_status facet_j3d_find_instances(j3d_build *w, const bool *seen,
                                      const facet_j3d_matrix *moves);

#endif
