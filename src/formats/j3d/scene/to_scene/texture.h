/* formats/j3d/scene/to_scene/texture.h - a document's textures as a scene's images. */
#ifndef FACET_J3D_TO_SCENE_TEXTURE_H
#define FACET_J3D_TO_SCENE_TEXTURE_H

#include "formats/j3d/json/json.h"

#include <facet/scene.h>

/* Bytes that all decoded images, or all files made of textures, may take together:
 * files may give one image many headers. */
uint64_t facet_j3d_texture_capacity(const facet_j3d_textures *textures);

/* Add the textures to the scene, each image once, decoded; textures that show the
 * same one share it, and its gx_file has all of them. *image_of, in `arena`, is
 * the scene's image of every texture. Linear in the texels. */
facet_status facet_j3d_scene_images(const facet_j3d *document, const facet_j3d_naming *naming,
                                    facet_scene *scene, facet_arena *arena, uint32_t **image_of,
                                    const facet_options *options, facet_error *error);

/* The same numbers, of a scene that has the images already and had none before. False
 * without memory. */
bool facet_j3d_images_of_textures(const facet_j3d *document, facet_arena *arena,
                                  uint32_t **image_of);

#endif
