/* formats/j3d/scene/from_scene/original.h - the original (j3d/patch) as the builder's steps use
 * it. */
#ifndef FACET_J3D_FROM_SCENE_ORIGINAL_H
#define FACET_J3D_FROM_SCENE_ORIGINAL_H

#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/scene/from_scene/builder.h"

/* -- Steps of j3d/patch ------------------------------------------------- */

/* Functions of j3d/patch. The builder calls them only by this table, so it does not depend on that
 * folder. */
typedef struct facet_j3d_like_steps {
    /* Match nodes with joints by their names: set like->joint_of_node. */
    facet_status (*match_joints)(facet_j3d_builder *b);
    /* Choose the joints of the builder's document; `order` has parents first, `in_skin` marks
     * bones. Then take_places sets the transforms of those in the original. */
    facet_status (*choose_joints)(facet_j3d_builder *b, const uint32_t *order, const bool *in_skin);
    void (*take_places)(facet_j3d_builder *b);
    /* Set `bind`, and the matrices of `used` skins to it. */
    facet_status (*binds)(facet_j3d_builder *b, const bool *used);
    /* Get the matrix for a vertex of skin `skin` whose joints are in `list`. It moves to the
     * original's bind pose, or, with a single joint, to joint space. */
    void (*placing)(const facet_j3d_builder *b, uint32_t skin, const facet_j3d_influence *list,
                    uint32_t count, double out[12]);
    /* Set the transform of a rigid mesh in joint space. Without a parent joint, use the joint of
     * its shape. */
    void (*hang)(const facet_j3d_builder *b, uint32_t node, facet_j3d_instance *instance);
    /* The shape for the faces of a mesh with a material; FACET_NONE: a new one. *arrays gets the
     * arrays that it uses. */
    uint32_t (*shape)(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                      uint32_t material, uint32_t *arrays);
    /* True if the original shows a stored color (set 0 or 1) of the node's shape unlike `shown`. */
    bool (*is_recolored)(const facet_j3d_builder *b, uint32_t node, uint32_t set, uint32_t stored,
                         uint32_t shown);
    /* Set `extras_data`, is_reversed and own_texcoords of the builder. */
    facet_status (*find_own_materials)(facet_j3d_builder *b);
} facet_j3d_like_steps;

/* -- The original ------------------------------------------------------- */

typedef struct facet_j3d_known_shape facet_j3d_known_shape; /* compare.h */
typedef struct facet_j3d_known_blend facet_j3d_known_blend; /* blends.c */
typedef struct facet_j3d_new_slot facet_j3d_new_slot;       /* material_slots.h */

typedef struct facet_j3d_like {
    const facet_j3d_like_steps *steps;
    facet_j3d *document; /* the original; it becomes the result */
    facet_scene *scene;  /* the original as a scene */
    facet_j3d_skeleton skeleton;
    double size;                                               /* diagonal of its bounds at rest */
    uint32_t joint_count, shape_count, slot_count, draw_count; /* counts of the original */

    facet_j3d_known_shape *known; /* its shapes, decoded */
    uint32_t *single_joint;       /* per shape: joint of its only draw matrix, or FACET_NONE */
    uint32_t *known_arrays;       /* per shape: bit i: it uses vertex array i */
    uint32_t *shape_of_slot;      /* per slot: the first shape that uses it, or FACET_NONE */
    facet_j3d_known_blend *blends;
    uint32_t blend_entry_count;
    uint32_t *blend_of_draw; /* per draw matrix: the first one with the same blend */

    /* Objects of the original for those of the scene; FACET_NONE: new. */
    uint32_t *joint_of_node;
    bool *is_renamed; /* per joint: renamed in the scene */
    uint32_t renamed_count;
    uint32_t *shape_of_node;
    uint32_t *main_material;         /* per node with a shape: the material that represents the
                                        shape's */
    uint32_t *slot_of;               /* per material */
    uint32_t *renamed_slot;          /* per slot: the material whose name it gets, or FACET_NONE */
    const facet_mesh **mesh_of_slot; /* per slot: its mesh in `scene`; NULL: none */
    bool *is_edited;                 /* per material: its appearance differs from that slot */
    uint32_t *image_of;              /* per image: its image in `scene` */
    bool *is_repainted;              /* per image: its pixels differ from that one */
    uint32_t *material_of_shape;     /* per shape: material of the scene, if it is not the shape's
                                        own */

    facet_j3d_new_slot *new_slots;
    uint32_t new_slot_count, added_slots;
    bool textures_changed, materials_changed;
} facet_j3d_like;

#endif
