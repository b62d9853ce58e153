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

#endif
