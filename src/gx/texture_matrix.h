/* gx/texture_matrix.h - the matrix of a texture matrix record. */
#ifndef FACET_GX_TEXTURE_MATRIX_H
#define FACET_GX_TEXTURE_MATRIX_H

#include <facet/gx_material.h>

/* Sine and cosine of a record's rotation. */
typedef struct facet_gx_rotation {
    float sine, cosine;
} facet_gx_rotation;

/* Exact to a float; a full turn is 65536. */
facet_gx_rotation facet_gx_exact_rotation(int16_t angle);
/* The values of the exporters' sine table, so that packets have the same bytes. A turn has 2048
 * entries, or 4096 with `narrow_mask` (formats/j3d/gpu/mdl3_bake.h). */
facet_gx_rotation facet_gx_table_rotation(int16_t angle, bool narrow_mask);

/* The three rows of a record's matrix: scale, rotation, translation and effect. The view and model
 * matrix, which a game multiplies into some of them, are the identity here. Single precision, in
 * the order of the runtime. */
void facet_gx_texture_matrix_rows(const facet_gx_texture_matrix *record, facet_gx_rotation rotation,
                                  float rows[3][4]);

#endif
