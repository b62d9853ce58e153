/* formats/j3d/patch/packets.h - baked materials that sample other textures now. */
#ifndef FACET_J3D_TEXTURES_PACKETS_H
#define FACET_J3D_TEXTURES_PACKETS_H

#include <facet/j3d.h>

/* Sizes, formats and samplers of textures stand in the packets, too: where they are not
 * what `before` has, they are overwritten. All other bytes stay. */
facet_status facet_j3d_patch_packets(facet_j3d *document, const facet_j3d_textures *before,
                                     facet_error *error);

#endif
