/* formats/j3d/gpu/mdl3_bake.h - one material as writes to GX registers. */
#ifndef FACET_J3D_GPU_MDL3_BAKE_H
#define FACET_J3D_GPU_MDL3_BAKE_H

#include <facet/j3d.h>

/* Maximum size of a packet in bytes. */
#define FACET_J3D_PACKET_CAPACITY 2816

/* Bake one material. *packet gets its bytes, which are in `bytes`, offsets, matrix indices and
 * mode. A texture not in `textures` is ignored. `narrow_mask` is the result of
 * facet_j3d_has_narrow_mask. It selects another mask before the blend register, and another sine
 * table. */
void facet_j3d_bake_packet(const facet_j3d_material *material, const facet_j3d_textures *textures,
                           bool narrow_mask, uint8_t bytes[FACET_J3D_PACKET_CAPACITY],
                           facet_j3d_packet *packet);

#endif
