/* formats/j3d/scene/to_scene/to_scene.h - what the files that read a scene share.
 *
 * The scene of a model:
 *  - node j is joint j, its parent that of the joint;
 *  - behind the joints comes a node per shape that is drawn, with a mesh of its
 *    own: vertices in the joint's space, below its node, when one joint moves
 *    all of them; else skinned, without parent;
 *  - colors 0 and 1 are FACET_COLOR when the material looks at color 0; what
 *    of them it does not look at is kept as stored, in custom streams
 *    J3D_COLOR_0 and J3D_COLOR_1 of four bytes;
 *  - where vertices choose texture matrices, J3D_TEXTURE_MATRIX_0 to 7 have their numbers;
 *  - normals are of unit length; where those of the file are not, J3D_NORMAL_LENGTH tells;
 *  - texcoord set n is texcoord n; baked ones follow from
 *    facet_j3d_first_baked_set on;
 *  - one skin, whose joint j is node j, when any shape needs it;
 *  - material i is slot i. */
#ifndef FACET_J3D_TO_SCENE_TO_SCENE_H
#define FACET_J3D_TO_SCENE_TO_SCENE_H

#include "formats/j3d/gpu/geometry.h"
#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/scene/to_scene/material.h"

/* Influences that a vertex keeps at most: four sets. */
#define FACET_J3D_MAX_INFLUENCES 16

/* What moves the vertices of a draw matrix. */
typedef struct facet_j3d_influences {
    uint32_t count; /* at least 1 */
    uint16_t joints[FACET_J3D_MAX_INFLUENCES];
    float weights[FACET_J3D_MAX_INFLUENCES]; /* sum 1 */
} facet_j3d_influences;

typedef struct facet_j3d_reading {
    const facet_j3d *document; /* its arena holds what lives while reading */
    facet_scene *scene;
    facet_report *report;
    facet_j3d_skeleton skeleton;
    facet_j3d_vertex_wants *wants; /* per material slot */
    facet_j3d_decoder decoder;
    facet_j3d_influences *influences; /* per draw matrix */
    facet_j3d_matrix *bind;           /* per joint: from its space to where the skin is bound */
    facet_j3d_matrix *inverse_bind;
    bool skinned;      /* a shape needs the skin */
    float linear[256]; /* of a gamma-encoded byte */
} facet_j3d_reading;

/* -- scene_read_skin.c -------------------------------------------------- */

/* Fill in influences, bind and inverse_bind. */
facet_status facet_j3d_prepare_skin(facet_j3d_reading *reading, facet_error *error);
/* Joint nodes are there: add the skin. */
facet_status facet_j3d_add_skin(facet_j3d_reading *reading, facet_error *error);
/* Positions and normals (may be NULL) of a decoded shape, from the spaces of
 * their joints to where the skin is bound. */
void facet_j3d_move_to_bind(const facet_j3d_reading *reading, const facet_j3d_geometry *geometry,
                            float *positions, float *normals);

/* -- scene_read_node.c -------------------------------------------------- */

/* The rotation that three angles in radians make: around x, then y, then z. */
void facet_j3d_quaternion_of_angles(const double angles[3], float q[4]);
/* Scale, rotation and translation of a matrix; false when it shears or is flat. */
bool facet_j3d_decompose_place(const double m[12], facet_transform *transform);

/* What becomes of a joint's place at rest. */
typedef enum facet_j3d_rest {
    FACET_J3D_REST_AS_STORED, /* its own translation, rotation and scale */
    FACET_J3D_REST_COMPUTED,  /* others: the model's way of scaling makes more of it; `transform` */
    FACET_J3D_REST_SHEARED    /* none: `local` */
} facet_j3d_rest;
facet_j3d_rest facet_j3d_joint_rest(const facet_j3d *document, const facet_j3d_skeleton *skeleton,
                                    uint32_t index, double local[12], facet_transform *transform);
/* A node per joint. */
facet_status facet_j3d_add_joints(facet_j3d_reading *reading, facet_error *error);

/* -- scene_read_mesh.c -------------------------------------------------- */

/* The mesh of a shape, and the node that carries it. */
facet_status facet_j3d_add_shape(facet_j3d_reading *reading, uint32_t shape, facet_error *error);

#endif
