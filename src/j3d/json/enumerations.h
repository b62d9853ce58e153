/* j3d/json/enumerations.h - the names of numbers, one table per enumeration: for JSON
 * both ways, and for whoever describes a file. The names are the GX library's
 * without their prefix. */
#ifndef FACET_J3D_JSON_ENUMERATIONS_H
#define FACET_J3D_JSON_ENUMERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct facet_j3d_value_name {
    uint32_t value;
    const char *name;
    const char *superbmd; /* how SuperBMD's JSON says it; NULL when it does not */
} facet_j3d_value_name;

typedef struct facet_j3d_enumeration {
    const char *title; /* "cull mode", as messages say it */
    const facet_j3d_value_name *values;
    size_t count;
} facet_j3d_enumeration;

extern const facet_j3d_enumeration facet_j3d_kinds, facet_j3d_scalings, facet_j3d_node_types,
    facet_j3d_attributes, facet_j3d_components, facet_j3d_color_components, facet_j3d_inputs,
    facet_j3d_joint_kinds, facet_j3d_shape_types;
extern const facet_j3d_enumeration facet_j3d_material_modes, facet_j3d_cull_modes,
    facet_j3d_color_sources, facet_j3d_diffuse_functions, facet_j3d_attenuation_functions,
    facet_j3d_texgen_types, facet_j3d_texgen_sources, facet_j3d_texgen_matrices,
    facet_j3d_projections, facet_j3d_matrix_modes, facet_j3d_texcoords, facet_j3d_texmaps,
    facet_j3d_tev_channels, facet_j3d_color_inputs, facet_j3d_alpha_inputs,
    facet_j3d_tev_operations, facet_j3d_tev_biases, facet_j3d_tev_scales,
    facet_j3d_tev_registers_names, facet_j3d_konst_colors_names, facet_j3d_konst_alphas_names,
    facet_j3d_components_rgba, facet_j3d_light_masks, facet_j3d_tev_stages_names,
    facet_j3d_indirect_formats, facet_j3d_indirect_biases, facet_j3d_indirect_matrices,
    facet_j3d_indirect_wraps, facet_j3d_indirect_alphas, facet_j3d_indirect_scales,
    facet_j3d_fog_types, facet_j3d_comparisons, facet_j3d_alpha_operations, facet_j3d_blend_types,
    facet_j3d_source_factors, facet_j3d_destination_factors, facet_j3d_logic_operations;
extern const facet_j3d_enumeration facet_j3d_texture_formats, facet_j3d_palette_formats,
    facet_j3d_wraps, facet_j3d_filters, facet_j3d_anisotropies;

/* The name of a value, or NULL. */
const char *facet_j3d_enumeration_name(const facet_j3d_enumeration *enumeration, uint32_t value);
/* The value of a name, letter case aside; `superbmd`: SuperBMD's names. False
 * when there is none such. */
bool facet_j3d_enumeration_value(const facet_j3d_enumeration *enumeration, const char *name,
                                 bool superbmd, uint32_t *value);

#endif
