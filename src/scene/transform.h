/* scene/transform.h - scale, rotation and translation of a matrix. Computed in double, so that a
 * rotation from floats gives the same floats again. */
#ifndef FACET_SCENE_TRANSFORM_H
#define FACET_SCENE_TRANSFORM_H

#include <facet/scene.h>

/* Unit quaternion of a rotation. The rotation is given by its three columns, stored one after the
 * other: orthogonal unit vectors, right-handed. */
void facet_quaternion_of_axes(const double axes[9], float quaternion[4]);

/* out = a * b: the rotation b, then a. out may be a or b. */
void facet_quaternion_multiply(const float a[4], const float b[4], float out[4]);

/* Axis that gets the negative scale if a matrix mirrors. */
typedef enum facet_mirror {
    FACET_MIRROR_X,    /* always the first; for animated matrices, whose result must not jump */
    FACET_MIRROR_LEAST /* the one that needs the smallest rotation */
} facet_mirror;

/* Three columns as a rotation after a scale. */
typedef struct facet_decomposition {
    double axes[9];  /* columns of the rotation: orthogonal unit vectors, right-handed */
    double scale[3]; /* lengths of the columns; one is negative if the columns mirror */
    double shear;    /* the part that is lost: largest cosine between two columns that have a
                        length; 0 if they are orthogonal */
} facet_decomposition;

/* Decompose three columns, stored one after the other. Sheared columns are made orthogonal: the
 * second to the first, the third to both. A column without length becomes an axis that completes
 * the others. */
void facet_axes_decompose(const double columns[9], facet_mirror mirror, facet_decomposition *parts);

/* Decompose a node's transform or matrix. Returns its scale if that is positive, equal along all
 * axes, and without shear; otherwise 0. */
double facet_decompose_node(const facet_node *node, facet_decomposition *parts);

/* Get the transform of an affine 4x4 matrix, column-major, by facet_axes_decompose. Returns the
 * shear, which the transform leaves out. */
double facet_transform_of_matrix(const float m[16], facet_mirror mirror,
                                 facet_transform *transform);

#endif
