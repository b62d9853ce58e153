/* j3d/gpu/texture_matrix.h - the matrix that a texture matrix record stands for. */
#ifndef FACET_J3D_GPU_TEXTURE_MATRIX_H
#define FACET_J3D_GPU_TEXTURE_MATRIX_H

#include <facet/j3d.h>

/* Sine and cosine of a record's rotation. */
typedef struct facet_j3d_turn {
    float sine, cosine;
} facet_j3d_turn;

/* Exact to a float. */
facet_j3d_turn facet_j3d_turn_of(int16_t rotation);
/* As exporters look it up: in a table of 2048 sines, or 4096 in generation A. */
facet_j3d_turn facet_j3d_table_turn(int16_t rotation, bool generation_a);

/* The three rows of a record, with identity for what the game puts in between
 * (view and model matrix): single precision, in the order of the runtime. */
void facet_j3d_texture_matrix_rows(const facet_gx_texture_matrix *record, facet_j3d_turn turn,
                                   float rows[3][4]);

#endif
