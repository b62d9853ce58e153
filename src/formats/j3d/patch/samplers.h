/* formats/j3d/patch/samplers.h - edited wrap modes and filters of textures. */
#ifndef FACET_J3D_PATCH_SAMPLERS_H
#define FACET_J3D_PATCH_SAMPLERS_H

#include "formats/j3d/patch/like.h"

/* Set the wrap modes and filters that the scene's materials have. A texture that other slots use
 * unedited stays; the edited slots get another texture, which shares its texels. *changed is true
 * if a texture or material differs. Textures and materials of the scene must be in the original. */
facet_status facet_j3d_like_put_samplers(facet_j3d_builder *b, bool *changed);

#endif
