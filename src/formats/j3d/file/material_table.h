/* formats/j3d/file/material_table.h - replacement of a model's materials and textures by those of a
 * BMT, as in games. */
#ifndef FACET_J3D_FILE_MATERIAL_TABLE_H
#define FACET_J3D_FILE_MATERIAL_TABLE_H

#include <facet/j3d.h>

/* Replace materials of the model by those of the table with the same name. `materials` has one
 * element for each slot of the model. is_replaced, which can be NULL, becomes true for the replaced
 * ones. If the table has textures, they replace all textures of the model, and `model` shares them
 * with the table. Errors: FACET_ERROR_UNSUPPORTED with J3D-KIND if the table is a model;
 * FACET_ERROR_ARGUMENT with J3D-BMT-NAMES if no name matches; FACET_ERROR_MEMORY. */
facet_status facet_j3d_replace_materials(facet_j3d *model, const facet_j3d *table,
                                         facet_arena *scratch, facet_j3d_material *materials,
                                         bool *is_replaced, facet_error *error);
/* Report the materials of the table whose names the model lacks: they have no effect
 * (J3D-BMT-NAMES, an error if that is all of them). Errors: FACET_ERROR_MEMORY. */
facet_status facet_j3d_check_table(const facet_j3d *model, const facet_j3d *table,
                                   facet_report *report, facet_error *error);
/* The same as facet_j3d_replace_materials for a document that owns its materials. Its packets are
 * removed.
 */
facet_status facet_j3d_apply_table(facet_j3d *model, const facet_j3d *table, facet_error *error);

#endif
