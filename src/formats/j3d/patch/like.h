/* formats/j3d/patch/like.h - the original that a model built from a scene is to be like.
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

#include "formats/j3d/scene/from_scene/original.h"

/* -- Steps -------------------------------------------------------------- */

/* Read options->j3d->like. Errors: those of reading, FACET_ERROR_ARGUMENT with
 * J3D-LIKE for what is no model. */
facet_status facet_j3d_like_open(facet_j3d_builder *b);
void facet_j3d_like_close(facet_j3d_builder *b);

/* joint_of_node, before joints are chosen. */
facet_status facet_j3d_like_match_joints(facet_j3d_builder *b);
/* Bones that were renamed, after that. Errors: FACET_ERROR_ARGUMENT with J3D-LIKE-OTHER when the
 * scene is of another model. */
facet_status facet_j3d_like_match_bones(facet_j3d_builder *b, const uint32_t *order,
                                        const bool *in_skin);
/* Report which bones are not as the original has them, once skins are bound. */
facet_status facet_j3d_like_report_bones(const facet_j3d_builder *b);
/* The rest, after that. */
facet_status facet_j3d_like_match(facet_j3d_builder *b);

/* What the builder calls in place of its own steps: facet_j3d_like_steps in original.h tells
 * what each does. They are in joints.c, skins.c and match.c. */
facet_status facet_j3d_like_choose_joints(facet_j3d_builder *b, const uint32_t *order,
                                          const bool *in_skin);
void facet_j3d_like_take_places(facet_j3d_builder *b);
facet_status facet_j3d_like_binds(facet_j3d_builder *b, const bool *used);
void facet_j3d_like_placing(const facet_j3d_builder *b, uint32_t skin,
                            const facet_j3d_influence *list, uint32_t count, double out[12]);
void facet_j3d_like_hang(const facet_j3d_builder *b, uint32_t node, facet_j3d_instance *instance);
uint32_t facet_j3d_like_shape(const facet_j3d_builder *b, const facet_j3d_instance *instance,
                              uint32_t material, uint32_t *arrays);
facet_status facet_j3d_like_find_own_materials(facet_j3d_builder *b);

/* The number in "shape3_skin", or FACET_NONE. */
uint32_t facet_j3d_shape_number(const char *name);

/* Everything after the plans of shapes. The document is then the original. */
facet_status facet_j3d_like_merge(facet_j3d_builder *b);

#endif
