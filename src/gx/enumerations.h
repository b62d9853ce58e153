/* gx/enumerations.h - names of the chip's numbers, one table per enumeration. JSON uses them in
 * both directions, and descriptions of files print them. The names are those of the GX library,
 * without prefix. */
#ifndef FACET_GX_ENUMERATIONS_H
#define FACET_GX_ENUMERATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct facet_gx_value_name {
    uint32_t value;
    const char *name;
    const char *superbmd; /* the name in SuperBMD's JSON; NULL if it has none */
} facet_gx_value_name;

typedef struct facet_gx_enumeration {
    const char *title; /* for messages, for example "cull mode" */
    const facet_gx_value_name *values;
    size_t count;
} facet_gx_enumeration;

#define FACET_GX_ENUMERATION(title, values)             \
    {                                                   \
        title, values, sizeof values / sizeof values[0] \
    }

/* Vertices. */
extern const facet_gx_enumeration facet_gx_attributes, facet_gx_components,
    facet_gx_color_components;
/* Materials. */
extern const facet_gx_enumeration facet_gx_material_modes, facet_gx_cull_modes,
    facet_gx_color_sources, facet_gx_diffuse_functions, facet_gx_attenuation_functions,
    facet_gx_texgen_types, facet_gx_texgen_sources, facet_gx_texgen_matrices, facet_gx_projections,
    facet_gx_matrix_modes, facet_gx_texcoords, facet_gx_texmaps, facet_gx_tev_channels,
    facet_gx_color_inputs, facet_gx_alpha_inputs, facet_gx_tev_operations, facet_gx_tev_biases,
    facet_gx_tev_scales, facet_gx_tev_registers, facet_gx_konst_colors, facet_gx_konst_alphas,
    facet_gx_swap_components, facet_gx_light_masks, facet_gx_tev_stages, facet_gx_indirect_formats,
    facet_gx_indirect_biases, facet_gx_indirect_matrices, facet_gx_indirect_wraps,
    facet_gx_indirect_alphas, facet_gx_indirect_scales, facet_gx_fog_types, facet_gx_comparisons,
    facet_gx_alpha_operations, facet_gx_blend_types, facet_gx_source_factors,
    facet_gx_destination_factors, facet_gx_logic_operations;
/* Textures. */
extern const facet_gx_enumeration facet_gx_texture_formats, facet_gx_palette_formats,
    facet_gx_wraps, facet_gx_filters, facet_gx_anisotropies;
/* Models of J3D. */
extern const facet_gx_enumeration facet_gx_file_kinds, facet_gx_scalings, facet_gx_node_types,
    facet_gx_joint_kinds, facet_gx_shape_types;

/* The name of a value, or NULL. */
const char *facet_gx_enumeration_name(const facet_gx_enumeration *enumeration, uint32_t value);
/* True if a value fits into the bits of the hardware's register. Reserved values count. */
bool facet_gx_enumeration_holds(const facet_gx_enumeration *enumeration, uint32_t value);
/* Find the value of a name, ignoring ASCII case. `superbmd` selects SuperBMD's names. False if the
 * name is unknown. */
bool facet_gx_enumeration_value(const facet_gx_enumeration *enumeration, const char *name,
                                bool superbmd, uint32_t *value);

#endif
