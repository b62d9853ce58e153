/* formats/j3d/patch/material_slots.h - materials of the scene in the slots of the original. */
#ifndef FACET_J3D_PATCH_MATERIAL_SLOTS_H
#define FACET_J3D_PATCH_MATERIAL_SLOTS_H

#include "formats/j3d/patch/like.h"

/* A changed slot, with a material of the scene (material_count: none) and the plan of its shape.
 * Slots from slot_count on are new. */
struct facet_j3d_new_slot {
    uint32_t slot, material;
    const facet_j3d_shape_plan *plan;
};

/* Arrays that a material of the scene needs in addition to those of every shape. */
uint32_t facet_j3d_like_needs(const facet_j3d_builder *b, uint32_t material, uint32_t arrays);
/* Record that a slot gets a material. */
facet_status facet_j3d_like_add_slot(facet_j3d_builder *b, uint32_t slot, uint32_t material,
                                     const facet_j3d_shape_plan *plan);
/* Make the materials of like->new_slots. */
facet_status facet_j3d_like_put_slots(facet_j3d_builder *b);

#endif
