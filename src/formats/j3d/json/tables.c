/* formats/j3d/json/tables.c - JSON keys of materials, joints and shapes. See
 * docs/reference/formats/j3d-materials.md. */
#include "formats/j3d/json/tables.h"

#include "gx/json/material_fields.h"

static const facet_gx_json_field material_fields[] = {
    FACET_GX_FILE_MATERIAL_FIELDS(facet_j3d_material)};
const facet_gx_json_record facet_j3d_json_material = FACET_GX_JSON_TABLE(material_fields);
