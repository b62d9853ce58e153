/* formats/j3d/scene/to_scene/to_scene.h - shared declarations of the conversion to a scene.
 *
 * The scene of a model:
 * - Node j is joint j, and its parent that of the joint.
 * - After the joints, each drawn shape has a node with its own mesh. If one joint moves all
 * vertices, they are in its space and the node is its child. Otherwise the node is skinned and has
 * no parent.
 * - Colors 0 and 1 are FACET_COLOR if the material uses color 0. Unused parts are stored unchanged
 * in the custom streams J3D_COLOR_0 and J3D_COLOR_1, four bytes each.
 * - If vertices choose texture matrices, J3D_TEXTURE_MATRIX_0 to 7 have their numbers.
 * - Normals have unit length. If those of the file do not, J3D_NORMAL_LENGTH has their lengths.
 * - Texcoord set n is texcoord n. Baked sets follow from facet_j3d_first_baked_set on.
 * - If any shape needs a skin, there is one, whose joint j is node j.
 * - Material i is slot i. */
#ifndef FACET_J3D_TO_SCENE_TO_SCENE_H
#define FACET_J3D_TO_SCENE_TO_SCENE_H

#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/scene/to_scene/material.h"

/* Maximum number of influences of a vertex: four sets. */
#define FACET_J3D_MAX_INFLUENCES 16

/* The joints that move the vertices of a draw matrix. */
typedef struct facet_j3d_influences {
    uint32_t count; /* at least 1 */
    uint16_t joints[FACET_J3D_MAX_INFLUENCES];
    float weights[FACET_J3D_MAX_INFLUENCES]; /* sum is 1 */
} facet_j3d_influences;

typedef struct facet_j3d_reading {
    const facet_j3d *document; /* its arena has temporary data */
    facet_scene *scene;
    facet_report *report;
    facet_j3d_skeleton skeleton;
    facet_j3d_vertex_wants *wants; /* per material slot */
    facet_j3d_decoder decoder;
    facet_j3d_influences *influences; /* per draw matrix */
    facet_j3d_matrix *bind;           /* per joint: from joint space to the bind pose */
    facet_j3d_matrix *inverse_bind;
    bool skinned;      /* a shape needs the skin */
    float linear[256]; /* linear value of each gamma-encoded byte */
} facet_j3d_reading;

/* -- skin.c ------------------------------------------------------------- */

/* Fill in influences, bind and inverse_bind. */
facet_status facet_j3d_prepare_skin(facet_j3d_reading *reading, facet_error *error);
/* Add the skin. The nodes of the joints must exist. */
facet_status facet_j3d_add_skin(facet_j3d_reading *reading, facet_error *error);
/* Move positions and normals (NULL: none) of a decoded shape from joint space to bind space. */
void facet_j3d_move_to_bind(const facet_j3d_reading *reading, const facet_j3d_geometry *geometry,
                            float *positions, float *normals);

/* -- node.c ------------------------------------------------------------- */

/* The rotation of three angles in radians: around x, then y, then z. */
void facet_j3d_quaternion_of_angles(const double angles[3], float q[4]);
/* Decompose a matrix into scale, rotation and translation. False if it has shear or is flat. */
bool facet_j3d_decompose_matrix(const double m[12], facet_transform *transform);

/* Form of a joint's transform at rest. */
typedef enum facet_j3d_rest {
    FACET_J3D_REST_AS_STORED, /* the joint's translation, rotation and scale */
    FACET_J3D_REST_COMPUTED,  /* changed by the model's scaling mode; in `transform` */
    FACET_J3D_REST_SHEARED    /* not decomposable; in `local` */
} facet_j3d_rest;
facet_j3d_rest facet_j3d_joint_rest(const facet_j3d *document, const facet_j3d_skeleton *skeleton,
                                    uint32_t index, double local[12], facet_transform *transform);
/* Add a node per joint. */
facet_status facet_j3d_add_joints(facet_j3d_reading *reading, facet_error *error);

/* -- mesh.c ------------------------------------------------------------- */

/* Add the mesh of a shape, and its node. */
facet_status facet_j3d_add_shape(facet_j3d_reading *reading, uint32_t shape, facet_error *error);

#endif
