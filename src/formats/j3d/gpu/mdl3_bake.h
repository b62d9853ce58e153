/* formats/j3d/gpu/mdl3_bake.h - one material as writes to GX registers. */
#ifndef FACET_J3D_GPU_MDL3_BAKE_H
#define FACET_J3D_GPU_MDL3_BAKE_H

#include <facet/j3d.h>

/* No packet is longer. */
#define FACET_J3D_PACKET_CAPACITY 2816

/* Bake one material: its packet's bytes, offsets, matrix indices and mode go
 * into *packet, whose bytes then point to `bytes`. A texture that is not among
 * `textures` counts as none. `narrow_mask`: as facet_j3d_has_narrow_mask tells, with
 * another mask before the blend register, and another table of sines. */
void facet_j3d_bake_packet(const facet_j3d_material *material, const facet_j3d_textures *textures,
                           bool narrow_mask, uint8_t bytes[FACET_J3D_PACKET_CAPACITY],
                           facet_j3d_packet *packet);

#endif
