/* formats/j3d/patch/packets.h - update of baked materials after their textures changed. */
#ifndef FACET_J3D_TEXTURES_PACKETS_H
#define FACET_J3D_TEXTURES_PACKETS_H

#include <facet/j3d.h>

/* Update sizes, formats and samplers of textures in the packets where the document differs from
 * `before`. That is a copy of the struct, made before its materials and textures changed. All other
 * bytes stay unchanged. */
facet_status facet_j3d_patch_packets(facet_j3d *document, const facet_j3d *before,
                                     facet_error *error);

#endif
