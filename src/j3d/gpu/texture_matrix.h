/* j3d/gpu/texture_matrix.h - the matrix that a texture matrix record stands for. */
#ifndef FACET_J3D_GPU_TEXTURE_MATRIX_H
#define FACET_J3D_GPU_TEXTURE_MATRIX_H

#include <facet/j3d.h>

/* Sine and cosine of a record's rotation. */
typedef struct facet_j3d_rotation {
    float sine, cosine;
} facet_j3d_rotation;

/* Exact to a float; a turn is 65536. */
facet_j3d_rotation facet_j3d_exact_rotation(int16_t angle);
/* As exporters look it up in a table of sines, 2048 a turn, so that the bytes of
 * their packets come out; 4096 a turn with `narrow_mask` (gpu/mdl3_bake.h). */
facet_j3d_rotation facet_j3d_table_rotation(int16_t angle, bool narrow_mask);

/* The three rows of the matrix that a record stands for: scale, rotation,
 * translation and effect. View and model matrix, which a game multiplies into
 * some of them, count as identity. Single precision, in the runtime's order. */
void facet_j3d_texture_matrix_rows(const facet_gx_texture_matrix *record,
                                   facet_j3d_rotation rotation, float rows[3][4]);

#endif
