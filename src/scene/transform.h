/* scene/transform.h - scale, rotation and translation of a matrix. In doubles:
 * a rotation of floats gives back the floats that it was made of. */
#ifndef FACET_SCENE_TRANSFORM_H
#define FACET_SCENE_TRANSFORM_H

#include <facet/scene.h>

/* The unit quaternion of a rotation, which is given by its three columns, one
 * after the other: orthogonal unit vectors, right-handed. */
void facet_quaternion_of_axes(const double axes[9], float quaternion[4]);

/* out = a * b, the rotation b and then a; out may be either. */
void facet_quaternion_multiply(const float a[4], const float b[4], float out[4]);

/* Which axis has the negative scale where a matrix mirrors. */
typedef enum facet_mirror {
    FACET_MIRROR_X,    /* always the first: of animated matrices, which must not jump */
    FACET_MIRROR_LEAST /* the one that leaves least to rotate */
} facet_mirror;

/* Three columns as a rotation after a scale. */
typedef struct facet_decomposition {
    double axes[9];  /* the rotation's columns: orthogonal unit vectors, right-handed */
    double scale[3]; /* lengths of the columns; one is negative where they mirror */
    double shear;    /* what is left out: the largest cosine between two columns that have a
                        length; 0 where they stand at right angles */
} facet_decomposition;

/* Take three columns, one after the other, apart. Sheared ones are made
 * orthogonal: the second beside the first, the third beside both. A column
 * without length gets an axis that completes the others. */
void facet_axes_decompose(const double columns[9], facet_mirror mirror, facet_decomposition *parts);

/* The same of a node's place, whichever way it is given. Returns its scale where that is
 * positive, one along all axes, and without shear; else 0. */
double facet_decompose_node(const facet_node *node, facet_decomposition *parts);

/* The transform of an affine 4x4 matrix, column-major, by facet_axes_decompose.
 * Returns the shear, which the transform leaves out. */
double facet_transform_of_matrix(const float m[16], facet_mirror mirror,
                                 facet_transform *transform);

#endif
