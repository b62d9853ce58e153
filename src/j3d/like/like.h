/* j3d/like/like.h - the original that a model built from a scene is to be like.
 *
 * What the scene does not say anew stays as the original has it, byte for byte.
 * The steps of the builder make the geometry of the scene, with the joints of the
 * original, up to plans of shapes; then, in place of a document of their own, what
 * differs is put into the original:
 *
 *   open       the original, and what it looks like as a scene
 *   match      nodes, meshes, materials, images -> joints, shapes, slots, textures
 *   joints     the original's, and bones that are new
 *   skins      where vertices are bound         -> where the original binds them
 *   compare    plans of shapes                  -> those that differ
 *   arrays     their vertices                   -> elements of vertex arrays
 *   draws      their matrices                   -> draw matrices
 *   shapes     their triangles                  -> packets in the place of the old
 *   materials  edited and new ones              -> slots
 *   textures   repainted and new images         -> textures (from_scene/textures.c)
 *
 * Each is a file; merge.c calls those that come after the builder's. */
#ifndef FACET_J3D_LIKE_LIKE_H
#define FACET_J3D_LIKE_LIKE_H

#include "j3d/from_scene/builder.h"
#include "j3d/gpu/skeleton.h"

/* -- The original ------------------------------------------------------- */

typedef struct facet_j3d_known_shape facet_j3d_known_shape; /* compare.h */
typedef struct facet_j3d_known_blend facet_j3d_known_blend; /* blends.c */
typedef struct facet_j3d_new_slot facet_j3d_new_slot;       /* slots.h */

typedef struct facet_j3d_like {
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

/* -- Steps -------------------------------------------------------------- */

/* Read options->j3d->like. Errors: those of reading, FACET_ERROR_ARGUMENT with
 * J3D-LIKE for what is no model. */
facet_status facet_j3d_like_open(facet_j3d_builder *b);
void facet_j3d_like_close(facet_j3d_builder *b);

/* joint_of_node, before joints are chosen. */
facet_status facet_j3d_like_match_joints(facet_j3d_builder *b);
/* The rest, after that. */
facet_status facet_j3d_like_match(facet_j3d_builder *b);

/* The joints of the builder's document; `order` has parents first, `in_skin` are
 * bones. Then the places of those that the original has (joints.c). */
facet_status facet_j3d_like_choose_joints(facet_j3d_builder *b, const uint32_t *order,
                                          const bool *in_skin);
void facet_j3d_like_take_places(facet_j3d_builder *b);
/* `bind`, and how vertices of skins that are `used` come there (skins.c). */
facet_status facet_j3d_like_binds(facet_j3d_builder *b, const bool *used);
/* What takes a vertex of skin `skin` that `list` of its joints moves to where the
 * original binds it, or for a single joint to that joint's space. */
void facet_j3d_like_placing(const facet_j3d_builder *b, uint32_t skin,
                            const facet_j3d_influence *list, uint32_t count, double out[12]);
/* Where a mesh that no skin moves stands in the space of a joint; the joint of its
 * shape when it hangs on none. */
void facet_j3d_like_hang(const facet_j3d_builder *b, uint32_t node, facet_j3d_instance *instance);

/* The number in "shape3_skin", or FACET_NONE. */
uint32_t facet_j3d_shape_number(const char *name);
/* The shape that faces of a mesh with a material go to, or FACET_NONE: a new one.
 * *arrays become those that it is drawn with. */
uint32_t facet_j3d_like_shape(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                              uint32_t material, uint32_t *arrays);
/* is_own, is_reversed and own_texcoords of the builder. */
facet_status facet_j3d_like_find_own_materials(facet_j3d_builder *b);

/* Everything after the plans of shapes. The document is then the original. */
facet_status facet_j3d_like_merge(facet_j3d_builder *b);

#endif
