/* j3d/mdl3.h - baked materials: one material as writes to GX registers. */
#ifndef FACET_J3D_MDL3_H
#define FACET_J3D_MDL3_H

#include <facet/j3d.h>

/* No packet is longer. */
#define FACET_J3D_PACKET_ROOM 2816

/* Bake one material: its packet's bytes, offsets, matrix indices and mode go
 * into *packet, whose bytes then point to `bytes`. A texture that is not among
 * `textures` counts as none. `narrow_mask` writes three of the four bits of the
 * blend register's logic operation, as the exporters of generation A do. */
void facet_j3d_bake_packet(const facet_j3d_material *material, const facet_j3d_textures *textures,
                           bool narrow_mask, uint8_t bytes[FACET_J3D_PACKET_ROOM],
                           facet_j3d_packet *packet);

/* Which mask a document's packets have or, where there are none, would have:
 * that of the generation that its textures, or its layout, tell of. */
bool facet_j3d_has_narrow_mask(const facet_j3d *document);

#endif
