/* formats/j3d/scene/to_scene/texture.h - a document's textures to a scene's images. */
#ifndef FACET_J3D_TO_SCENE_TEXTURE_H
#define FACET_J3D_TO_SCENE_TEXTURE_H

#include "formats/j3d/json/json.h"

#include <facet/scene.h>

/* Limit in bytes of all decoded images together, or of all files from textures. A file can give one
 * image many headers. */
uint64_t facet_j3d_texture_capacity(const facet_j3d_textures *textures);

/* Add the decoded textures to the scene, each image once. Textures with the same image share it,
 * and its gx_file lists all of them. *image_of, in `arena`, is the scene's image of every texture.
 * Linear in the texels. */
facet_status facet_j3d_scene_images(const facet_j3d *document, const facet_j3d_naming *naming,
                                    facet_scene *scene, facet_arena *arena, uint32_t **image_of,
                                    const facet_options *options, facet_error *error);

/* The same numbers for a scene that already has the images, and had none before them. False if out
 * of memory. */
bool facet_j3d_images_of_textures(const facet_j3d *document, facet_arena *arena,
                                  uint32_t **image_of);

#endif
