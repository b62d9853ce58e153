/* formats/j3d/scene/from_scene/original.h - the original that a model built from a scene is
 * to be like (j3d/patch), as the steps of the builder see it. */
#ifndef FACET_J3D_FROM_SCENE_ORIGINAL_H
#define FACET_J3D_FROM_SCENE_ORIGINAL_H

#include "formats/j3d/gpu/skeleton.h"
#include "formats/j3d/scene/from_scene/builder.h"

/* -- What it does in place of the builder's steps ----------------------- */

/* Functions of j3d/patch. The builder calls them by this table alone, so that a scene
 * becomes a document without a word of patches. */
typedef struct facet_j3d_like_steps {
    /* The joints of the builder's document; `order` has parents first, `in_skin` are
     * bones. Then the places of those that the original has. */
    facet_status (*choose_joints)(facet_j3d_builder *b, const uint32_t *order, const bool *in_skin);
    void (*take_places)(facet_j3d_builder *b);
    /* `bind`, and how vertices of skins that are `used` come there. */
    facet_status (*binds)(facet_j3d_builder *b, const bool *used);
    /* What takes a vertex of skin `skin` that `list` of its joints moves to where the
     * original binds it, or for a single joint to that joint's space. */
    void (*placing)(const facet_j3d_builder *b, uint32_t skin, const facet_j3d_influence *list,
                    uint32_t count, double out[12]);
    /* Where a mesh that no skin moves stands in the space of a joint; the joint of its
     * shape when it hangs on none. */
    void (*hang)(const facet_j3d_builder *b, uint32_t node, facet_j3d_instance *instance);
    /* The shape that faces of a mesh with a material go to, or FACET_NONE: a new one.
     * *arrays become those that it is drawn with. */
    uint32_t (*shape)(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                      uint32_t material, uint32_t *arrays);
    /* told, is_reversed and own_texcoords of the builder. */
    facet_status (*find_own_materials)(facet_j3d_builder *b);
} facet_j3d_like_steps;

/* -- The original ------------------------------------------------------- */

typedef struct facet_j3d_known_shape facet_j3d_known_shape; /* compare.h */
typedef struct facet_j3d_known_blend facet_j3d_known_blend; /* blends.c */
typedef struct facet_j3d_new_slot facet_j3d_new_slot;       /* slots.h */

typedef struct facet_j3d_like {
    const facet_j3d_like_steps *steps;
    facet_j3d *document; /* the original, which becomes the result */
    facet_scene *scene;  /* what it looks like */
    facet_j3d_skeleton skeleton;
    double size;                                               /* diagonal of its bounds at rest */
    uint32_t joint_count, shape_count, slot_count, draw_count; /* as they were */

    facet_j3d_known_shape *known; /* its shapes, decoded */
    uint32_t *single_joint;       /* per shape: that of its one draw matrix, or FACET_NONE */
    uint32_t *known_arrays;       /* per shape: bit i: it is drawn with vertex array i */
    uint32_t *shape_of_slot;      /* the first that is drawn with it, or FACET_NONE */
    facet_j3d_known_blend *blends;
    uint32_t blend_entry_count;
    uint32_t *blend_of_draw; /* per draw matrix: the first one with the same blend */

    /* What the things of the scene are in the original; FACET_NONE: new. */
    uint32_t *joint_of_node;
    bool *is_renamed; /* joints: by the scene */
    uint32_t renamed_count;
    uint32_t *shape_of_node;
    uint32_t *main_material;     /* of nodes with a shape: the one that stands for the shape's */
    uint32_t *slot_of;           /* of materials */
    bool *is_edited;             /* materials: they look unlike that slot */
    uint32_t *image_of;          /* of images: that of `scene` */
    bool *is_repainted;          /* images: they look unlike that one */
    uint32_t *material_of_shape; /* of the scene, when it is not the shape's own */

    facet_j3d_new_slot *new_slots;
    uint32_t new_slot_count, added_slots;
    bool textures_changed, materials_changed;
} facet_j3d_like;

#endif
