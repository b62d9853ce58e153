/* gx/texture_matrix.h - the matrix that a texture matrix record stands for. */
#ifndef FACET_GX_TEXTURE_MATRIX_H
#define FACET_GX_TEXTURE_MATRIX_H

#include <facet/gx_material.h>

/* Sine and cosine of a record's rotation. */
typedef struct facet_gx_rotation {
    float sine, cosine;
} facet_gx_rotation;

/* Exact to a float; a turn is 65536. */
facet_gx_rotation facet_gx_exact_rotation(int16_t angle);
/* As exporters look it up in a table of sines, 2048 a turn, so that the bytes of
 * their packets come out; 4096 a turn with `narrow_mask` (formats/j3d/gpu/mdl3_bake.h). */
facet_gx_rotation facet_gx_table_rotation(int16_t angle, bool narrow_mask);

/* The three rows of the matrix that a record stands for: scale, rotation,
 * translation and effect. View and model matrix, which a game multiplies into
 * some of them, count as identity. Single precision, in the runtime's order. */
void facet_gx_texture_matrix_rows(const facet_gx_texture_matrix *record, facet_gx_rotation rotation,
                                  float rows[3][4]);

#endif
