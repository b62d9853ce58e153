/* formats/j3d/json/tables.c - what the fields of materials, joints and shapes are called in
 * our JSON. docs/j3d-materials.md describes it. */
#include "formats/j3d/json/tables.h"

#include "formats/j3d/file/enumerations.h"
#include "gx/json/material_fields.h"

/* -- Materials ---------------------------------------------------------- */

static const facet_gx_json_field material_fields[] = {
    FACET_GX_FILE_MATERIAL_FIELDS(facet_j3d_material)};
const facet_gx_json_record facet_j3d_json_material = FACET_GX_JSON_TABLE(material_fields);

/* -- Joints and shapes -------------------------------------------------- */

static const facet_gx_json_field joint_fields[] = {
    {"kind", NAME, AT(facet_j3d_joint, kind), .names = &facet_j3d_joint_kinds},
    {"scaleCompensate", FLAG, AT(facet_j3d_joint, scale_compensate)},
    {"unknown", UNSIGNED, AT(facet_j3d_joint, unknown), .quiet = true},
    {"scale", FLOAT, AT(facet_j3d_joint, scale), .inner = 3},
    {"rotation", SIGNED, AT(facet_j3d_joint, rotation), .inner = 3},
    {"unknown2", UNSIGNED, AT(facet_j3d_joint, unknown2), .quiet = true},
    {"translation", FLOAT, AT(facet_j3d_joint, translation), .inner = 3},
    {"radius", FLOAT, AT(facet_j3d_joint, radius)},
    {"minimum", FLOAT, AT(facet_j3d_joint, minimum), .inner = 3},
    {"maximum", FLOAT, AT(facet_j3d_joint, maximum), .inner = 3},
};
const facet_gx_json_record facet_j3d_json_joint = FACET_GX_JSON_TABLE(joint_fields);

static const facet_gx_json_field shape_fields[] = {
    {"type", NAME, AT(facet_j3d_shape, type), .names = &facet_j3d_shape_types},
    {"unknown", UNSIGNED, AT(facet_j3d_shape, unknown), .quiet = true},
    {"unknown2", UNSIGNED, AT(facet_j3d_shape, unknown2), .quiet = true},
    {"radius", FLOAT, AT(facet_j3d_shape, radius)},
    {"minimum", FLOAT, AT(facet_j3d_shape, minimum), .inner = 3},
    {"maximum", FLOAT, AT(facet_j3d_shape, maximum), .inner = 3},
};
const facet_gx_json_record facet_j3d_json_shape = FACET_GX_JSON_TABLE(shape_fields);
