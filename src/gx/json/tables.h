/* gx/json/tables.h - the chip's records as JSON: parts of a material, and the
 * header of a texture (without its offsets). */
#ifndef FACET_GX_JSON_TABLES_H
#define FACET_GX_JSON_TABLES_H

#include "gx/json/record.h"

extern const facet_gx_json_record facet_gx_json_depth, facet_gx_json_channel, facet_gx_json_light,
    facet_gx_json_texgen, facet_gx_json_texture_matrix, facet_gx_json_tev_order,
    facet_gx_json_tev_stage, facet_gx_json_swap_mode, facet_gx_json_fog,
    facet_gx_json_alpha_compare, facet_gx_json_blend, facet_gx_json_nbt_scale,
    facet_gx_json_indirect, facet_gx_json_indirect_order, facet_gx_json_indirect_scale,
    facet_gx_json_indirect_stage;

extern const facet_gx_json_record facet_gx_json_header; /* facet_bti_header */

#endif
