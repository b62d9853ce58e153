/* formats/j3d/file/material_table.h - the materials and textures of a BMT in the place of a
 * model's, as games put them there. */
#ifndef FACET_J3D_FILE_MATERIAL_TABLE_H
#define FACET_J3D_FILE_MATERIAL_TABLE_H

#include <facet/j3d.h>

/* Materials of the table take the place of those of the model that have their names; `materials`
 * has one for each slot of the model, and is_replaced, which may be NULL, becomes true for these.
 * With textures in the table all textures of the model are those, which `model` then shares with
 * it. Errors: FACET_ERROR_UNSUPPORTED with J3D-KIND for a table that is a model;
 * FACET_ERROR_ARGUMENT with J3D-BMT-NAMES when no material has the name of one of the model;
 * FACET_ERROR_MEMORY. */
facet_status facet_j3d_take_table(facet_j3d *model, const facet_j3d *table, facet_arena *scratch,
                                  facet_j3d_material *materials, bool *is_replaced,
                                  facet_error *error);
/* The same for a document that owns its materials, whose packets are gone then. */
facet_status facet_j3d_apply_table(facet_j3d *model, const facet_j3d *table, facet_error *error);

#endif
