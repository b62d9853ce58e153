/* formats/gltf/to_scene/to_scene.h - an open glTF becomes a scene, one kind of object per
 * file. */
#ifndef FACET_GLTF_TO_SCENE_TO_SCENE_H
#define FACET_GLTF_TO_SCENE_TO_SCENE_H

#include "base/arena.h"
#include "base/error.h"
#include "formats/gltf/file/file.h"

#include <facet/format.h>

/* scene.c: everything of an open file. */
facet_status facet_gltf_to_scene(facet_gltf_file *file, facet_scene **scene, facet_error *error);

/* collision.c: what is named for it leaves the tree and becomes hulls and occluder. */
facet_status facet_gltf_extract_collision(facet_scene *scene, const facet_load_options *load,
                                          const facet_options *options, facet_error *error);

/* One function per kind, in the order in which they are called: a later one
 * uses what an earlier one made. */
facet_status facet_gltf_images_to_scene(facet_gltf_file *file, facet_scene *scene,
                                        facet_error *error);
facet_status facet_gltf_materials_to_scene(facet_gltf_file *file, facet_scene *scene,
                                           facet_error *error);
/* Materials become what they are in variants; a primitive whose variants are not those of its
 * material's first use gets a twin of the material. */
facet_status facet_gltf_variants_to_scene(facet_gltf_file *file, facet_scene *scene,
                                          facet_error *error);
facet_status facet_gltf_meshes_to_scene(facet_gltf_file *file, facet_scene *scene,
                                        facet_error *error);
facet_status facet_gltf_nodes_to_scene(facet_gltf_file *file, facet_scene *scene,
                                       facet_error *error);
/* After all other nodes, whose numbers stay those of the file. */
facet_status facet_gltf_instances_to_scene(facet_gltf_file *file, facet_scene *scene,
                                           facet_error *error);
facet_status facet_gltf_skins_to_scene(facet_gltf_file *file, facet_scene *scene,
                                       facet_error *error);
facet_status facet_gltf_animations_to_scene(facet_gltf_file *file, facet_scene *scene,
                                            facet_error *error);

/* Whether a node shows its mesh by children of its own. */
bool facet_gltf_is_instanced(const facet_gltf_node *node);

/* A copy of `text` in the scene in *copy; NULL stays NULL. */
static inline facet_status facet_gltf_copy_text(facet_scene *scene, const char *text,
                                                const char **copy, facet_error *error)
{
    const char *made = text ? facet_scene_string(scene, text) : NULL;
    if (text && !made)
        return facet_fail_arena(scene->arena, error);
    if (text)
        *copy = made;
    return FACET_OK;
}

#endif
