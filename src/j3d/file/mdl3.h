/* j3d/file/mdl3.h - baked materials: one material as writes to GX registers. */
#ifndef FACET_J3D_FILE_MDL3_H
#define FACET_J3D_FILE_MDL3_H

#include <facet/j3d.h>

/* No packet is longer. */
#define FACET_J3D_PACKET_CAPACITY 2816

/* Bake one material: its packet's bytes, offsets, matrix indices and mode go
 * into *packet, whose bytes then point to `bytes`. A texture that is not among
 * `textures` counts as none. Exporters of generation A have another mask before
 * the blend register, and another table of sines. */
void facet_j3d_bake_packet(const facet_j3d_material *material, const facet_j3d_textures *textures,
                           bool generation_a, uint8_t bytes[FACET_J3D_PACKET_CAPACITY],
                           facet_j3d_packet *packet);

/* Whether a document's packets have the mask of generation A or, where there are
 * none, would have it: its textures, or its layout, tell. */
bool facet_j3d_has_narrow_mask(const facet_j3d *document);

#endif
