/* formats/j3d/patch/like.h - changes of an original by a scene (--like).
 *
 * Everything that the scene does not change keeps the bytes of the original. The builder's steps
 * make the scene's geometry, with the joints of the original, up to the plans of shapes. Then they
 * do not make a document: the differences are stored in the original.
 *
 * - nodes: nodes for a scene without any
 * - open: the original, and its form as a scene
 * - match: nodes, meshes, materials, images -> joints, shapes, slots, textures
 * - joints: the original's, and new bones
 * - skins: the scene's bind pose -> the original's
 * - compare: plans of shapes -> those that differ
 * - arrays: their vertices -> elements of vertex arrays
 * - draws: their matrices -> draw matrices
 * - shapes: their triangles -> packets that replace the old ones
 * - materials: edited and new ones -> slots
 * - textures: repainted and new images -> textures (from_scene/textures.c)
 * - samplers: edited wrap modes and filters -> textures
 *
 * Each step is a file. merge.c calls those after the builder's. */
#ifndef FACET_J3D_PATCH_LIKE_H
#define FACET_J3D_PATCH_LIKE_H

#include "formats/j3d/scene/from_scene/original.h"

/* -- Steps -------------------------------------------------------------- */

/* Read options->j3d->like. Errors: those of reading; FACET_ERROR_ARGUMENT with J3D-LIKE if it is
 * not a model. */
facet_status facet_j3d_like_open(facet_j3d_builder *b);
void facet_j3d_like_close(facet_j3d_builder *b);

/* Give each mesh of a scene without nodes one, before everything else. */
facet_status facet_j3d_like_give_nodes(facet_j3d_builder *b);
/* Report that such a scene has another size than the original. */
void facet_j3d_like_compare_sizes(const facet_j3d_builder *b);

/* Set joint_of_node, before joints are chosen. */
facet_status facet_j3d_like_match_joints(facet_j3d_builder *b);
/* Match renamed bones, after that. Errors: FACET_ERROR_ARGUMENT with J3D-LIKE-OTHER if the scene is
 * another model. */
facet_status facet_j3d_like_match_bones(facet_j3d_builder *b, const uint32_t *order,
                                        const bool *in_skin);
/* Report bones that differ from the original, after skins are bound. `used` has a mark per skin. */
facet_status facet_j3d_like_report_bones(const facet_j3d_builder *b, const bool *used);
/* Match all other objects, after that. */
facet_status facet_j3d_like_match(facet_j3d_builder *b);

/* Functions that replace steps of the builder. facet_j3d_like_steps in original.h describes each.
 * They are in joints.c, skins.c and match.c. */
facet_status facet_j3d_like_choose_joints(facet_j3d_builder *b, const uint32_t *order,
                                          const bool *in_skin);
void facet_j3d_like_copy_transforms(facet_j3d_builder *b);
facet_status facet_j3d_like_binds(facet_j3d_builder *b, const bool *used);
void facet_j3d_like_placing(const facet_j3d_builder *b, uint32_t skin,
                            const facet_j3d_influence *list, uint32_t count, double out[12]);
void facet_j3d_like_hang(const facet_j3d_builder *b, uint32_t node, facet_j3d_instance *instance);
uint32_t facet_j3d_like_shape(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                              uint32_t material, uint32_t *arrays);
bool facet_j3d_like_is_recolored(const facet_j3d_builder *b, uint32_t node, uint32_t set,
                                 uint32_t stored, uint32_t shown);
facet_status facet_j3d_like_find_own_materials(facet_j3d_builder *b);

/* The number in a name like "shape3_skin", or FACET_NONE. */
uint32_t facet_j3d_shape_number(const char *name);

/* Run all steps after the plans of shapes. The original then becomes the builder's document. */
facet_status facet_j3d_like_merge(facet_j3d_builder *b);

#endif
