/* scene/material.h - materials, within the library. */
#ifndef FACET_SCENE_MATERIAL_H
#define FACET_SCENE_MATERIAL_H

#include <facet/scene.h>

/* A material of a source that gives only its name and maps (PLY, BSM, BinaryMesh, BPX, BGA), or
 * classic values (MTL): not metallic, and nothing is known about its sides. Ownership and
 * errors as facet_scene_add_material. */
facet_status facet_scene_add_named_material(facet_scene *scene, const char *name,
                                            facet_material **material, facet_error *error);

/* True when the material has nothing but a name: a format that only holds names loses nothing. */
bool facet_material_is_plain(const facet_material *material);

/* False when an image surely has no alpha: a JPEG, or a PNG whose header and chunks before the
 * pixels promise none. Nothing is decoded. */
bool facet_image_may_have_alpha(const facet_image *image);

/* True when an opaque material has a base color whose image may have alpha: a format without
 * a word for how alpha is meant would cut it out. Materials of such formats are as they were. */
bool facet_material_ignores_alpha(const facet_scene *scene, const facet_material *material);

/* Set the default values of glTF: white, opaque, metallic 1, roughness 1, one-sided, no maps;
 * the name is "". Previous contents are overwritten. */
void facet_material_init(facet_material *material);

/* Set the default values: path "", no image, strength 1, no transform, repeated. Previous
 * contents are overwritten. */
void facet_texture_init(facet_texture *texture);

#endif
