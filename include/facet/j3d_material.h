/* facet/j3d_material.h - materials of J3D files, and the names of materials, joints and textures.
 *
 * The section MAT3 (in older files MAT2) is available as stored, and one material with its values.
 * facet/j3d.h, which includes this file, has the rest of the format.
 *
 * Stability: experimental. */
#ifndef FACET_J3D_MATERIAL_H
#define FACET_J3D_MATERIAL_H

#include <facet/base.h>
#include <facet/gx_material.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct facet_j3d facet_j3d; /* a complete file */

/* An absent 16-bit index. */
#define FACET_J3D_NONE 0xFFFFu

/* -- Names -------------------------------------------------------------- */

/* One name of a name table. It is Shift-JIS as stored, so that it can be written unchanged;
 * facet_j3d_name_text converts it to UTF-8. */
typedef struct facet_j3d_name {
    const char *bytes; /* NUL-terminated Shift-JIS */
    uint16_t hash;     /* as stored: h = h * 3 + c over signed bytes */
} facet_j3d_name;

typedef struct facet_j3d_names {
    facet_j3d_name *items;
    uint32_t count; /* usually the number of named items */
} facet_j3d_names;

/* Convert a name to UTF-8. As with snprintf, it is cut to `size` bytes including the NUL, and the
 * full length is returned. Bytes that are not Shift-JIS become U+FFFD. */
FACET_EXPERIMENTAL_API size_t facet_j3d_name_text(const char *bytes, char *text, size_t size);
/* Convert UTF-8 to Shift-JIS, likewise. *lost (may be NULL) is the number of characters that
 * Shift-JIS cannot store; they become '_'. */
FACET_EXPERIMENTAL_API size_t facet_j3d_name_bytes(const char *text, char *bytes, size_t size,
                                                   size_t *lost);

/* -- Materials: MAT3, MAT2 ---------------------------------------------- */

/* A material entry: indices into the arrays of the section. */
typedef struct facet_j3d_material_entry {
    uint8_t mode; /* 1 opaque, 2 texture edge, 4 translucent */
    uint8_t cull_mode, channel_count, texgen_count, stage_count, early_depth, depth, dither;
    uint16_t material_colors[2];
    uint16_t channels[4]; /* color 0, alpha 0, color 1, alpha 1 */
    uint16_t ambient_colors[2];
    uint16_t lights[8];
    uint16_t texgens[8];
    uint16_t post_texgens[8];
    uint16_t texture_matrices[10];
    uint16_t post_matrices[20];
    uint16_t textures[8]; /* indices into texture_numbers */
    uint16_t konst_colors[4];
    uint8_t konst_color_selections[16]; /* values, not indices */
    uint8_t konst_alpha_selections[16];
    uint16_t tev_orders[16];
    uint16_t tev_registers[4]; /* C0, C1, C2, PREV */
    uint16_t tev_stages[16];
    uint16_t swap_modes[16];
    uint16_t swap_tables[4];
    uint16_t unused[12]; /* undefined values from exporters; kept, never used */
    uint16_t fog, alpha_compare, blend, nbt_scale;
} facet_j3d_material_entry;

/* The section as stored: entries, and the arrays of distinct values that they point into. An absent
 * array has count zero. */
typedef struct facet_j3d_materials {
    bool is_mat2; /* read only: written as MAT3 */
    facet_j3d_material_entry *entries;
    uint32_t entry_count;
    uint16_t *remap; /* one per slot: index of its entry */
    uint32_t slot_count;
    facet_j3d_names names;
    facet_gx_indirect *indirects; /* one per slot, or none */
    uint32_t indirect_count;
    uint32_t *cull_modes;
    uint32_t cull_mode_count;
    facet_gx_rgba8 *material_colors;
    uint32_t material_color_count;
    uint8_t *channel_counts;
    uint32_t channel_count_count;
    facet_gx_channel *channels;
    uint32_t channel_count;
    facet_gx_rgba8 *ambient_colors;
    uint32_t ambient_color_count;
    facet_gx_light *lights;
    uint32_t light_count;
    uint8_t *texgen_counts;
    uint32_t texgen_count_count;
    facet_gx_texgen *texgens;
    uint32_t texgen_count;
    facet_gx_texgen *post_texgens;
    uint32_t post_texgen_count;
    facet_gx_texture_matrix *texture_matrices;
    uint32_t texture_matrix_count;
    facet_gx_texture_matrix *post_matrices;
    uint32_t post_matrix_count;
    uint16_t *texture_numbers; /* indices into the textures of the file */
    uint32_t texture_number_count;
    facet_gx_tev_order *tev_orders;
    uint32_t tev_order_count;
    facet_gx_rgba16 *tev_registers;
    uint32_t tev_register_count;
    facet_gx_rgba8 *konst_colors;
    uint32_t konst_color_count;
    uint8_t *stage_counts;
    uint32_t stage_count_count;
    facet_gx_tev_stage *tev_stages;
    uint32_t tev_stage_count;
    facet_gx_swap_mode *swap_modes;
    uint32_t swap_mode_count;
    facet_gx_swap_table *swap_tables;
    uint32_t swap_table_count;
    facet_gx_fog *fogs;
    uint32_t fog_count;
    facet_gx_alpha_compare *alpha_compares;
    uint32_t alpha_compare_count;
    facet_gx_blend *blends;
    uint32_t blend_count;
    facet_gx_depth *depths;
    uint32_t depth_count;
    uint8_t *early_depths;
    uint32_t early_depth_count;
    uint8_t *dithers;
    uint32_t dither_count;
    facet_gx_nbt_scale *nbt_scales;
    uint32_t nbt_scale_count;
} facet_j3d_materials;

/* One material with values instead of indices. Members that are not given have the runtime's
 * default. */
typedef struct facet_j3d_material {
    facet_j3d_name name;
    facet_gx_given given;
    uint8_t mode;         /* drawing list: 1 opaque, 2 texture edge, 4 translucent */
    facet_gx_material gx; /* its textures are indices into those of the file */
    uint16_t unused[12];
} facet_j3d_material;

/* Set the default material: nothing given, no name, mode opaque. */
FACET_EXPERIMENTAL_API void facet_j3d_material_init(facet_j3d_material *material);
/* Get the material of a slot with its values. Its name points into the document. Errors:
 * FACET_ERROR_ARGUMENT if the slot does not exist. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_get_material(const facet_j3d *document, uint32_t slot,
                                                           facet_j3d_material *material,
                                                           facet_error *error);
/* Replace the document's materials by `count` materials, one per slot. Distinct values and equal
 * entries are stored once, in the order of first use, as the exporters do. Names are copied. The
 * document must own an arena. Packets are unchanged: facet_j3d_bake_materials creates them again.
 * Errors: FACET_ERROR_ARGUMENT; FACET_ERROR_LIMIT if an array is too large for its index;
 * FACET_ERROR_MEMORY. On error the document is unchanged. */
FACET_EXPERIMENTAL_API facet_status facet_j3d_set_materials(facet_j3d *document,
                                                            const facet_j3d_material *materials,
                                                            uint32_t count, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
