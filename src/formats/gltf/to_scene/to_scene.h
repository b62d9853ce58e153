/* formats/gltf/to_scene/to_scene.h - conversion of an open glTF to a scene, one file per kind of
 * object. */
#ifndef FACET_GLTF_TO_SCENE_TO_SCENE_H
#define FACET_GLTF_TO_SCENE_TO_SCENE_H

#include "base/arena.h"
#include "base/error.h"
#include "formats/gltf/file/file.h"

#include <facet/format.h>

/* scene.c: convert an open file. */
facet_status facet_gltf_to_scene(facet_gltf_file *file, facet_scene **scene, facet_error *error);

/* collision.c: objects with certain names become hulls and occluder, and are removed from the
 * tree. */
facet_status facet_gltf_extract_collision(facet_scene *scene, const facet_load_options *load,
                                          const facet_options *options, facet_error *error);

/* One function per kind of object, in the order of calls: later ones use the results of earlier
 * ones. */
facet_status facet_gltf_images_to_scene(facet_gltf_file *file, facet_scene *scene,
                                        facet_error *error);
facet_status facet_gltf_materials_to_scene(facet_gltf_file *file, facet_scene *scene,
                                           facet_error *error);
/* Convert variants, which belong to materials in a scene. A primitive whose variants differ from
 * those of the material's first use gets a twin of the material. */
facet_status facet_gltf_variants_to_scene(facet_gltf_file *file, facet_scene *scene,
                                          facet_error *error);
facet_status facet_gltf_meshes_to_scene(facet_gltf_file *file, facet_scene *scene,
                                        facet_error *error);
facet_status facet_gltf_nodes_to_scene(facet_gltf_file *file, facet_scene *scene,
                                       facet_error *error);
/* Called after all other nodes, so that those keep the numbers of the file. */
facet_status facet_gltf_instances_to_scene(facet_gltf_file *file, facet_scene *scene,
                                           facet_error *error);
facet_status facet_gltf_skins_to_scene(facet_gltf_file *file, facet_scene *scene,
                                       facet_error *error);
facet_status facet_gltf_animations_to_scene(facet_gltf_file *file, facet_scene *scene,
                                            facet_error *error);

/* corrections.c: read invalid values as valid ones, with warnings. Tolerances are those of
 * validators. */
#define FACET_GLTF_NODE_UNIT 0.00005
#define FACET_GLTF_KEY_UNIT 0.00769
void facet_gltf_correct_node(const facet_gltf_file *file, uint32_t index, facet_node *node);
void facet_gltf_correct_binds(const facet_gltf_file *file, uint32_t index, facet_skin *skin);
/* Drop skins of nodes without a mesh, or whose mesh has no joints and weights. */
void facet_gltf_correct_skins(const facet_gltf_file *file, facet_scene *scene);
void facet_gltf_correct_rotations(const facet_gltf_file *file, uint32_t animation,
                                  const facet_channel *channel);
/* Channels animate a part of the transform: the node gets translation, rotation and scale. */
void facet_gltf_correct_place(const facet_gltf_file *file, uint32_t animation, uint32_t index,
                              facet_node *node);
/* Report values of samplers that are read as defaults. */
void facet_gltf_report_samplers(const facet_gltf_file *file);
bool facet_gltf_is_wrap(uint32_t number);
bool facet_gltf_is_filter(uint32_t number, bool magnifies);

/* True if the node's mesh is on child nodes, one per instance. */
bool facet_gltf_is_instanced(const facet_gltf_node *node);

/* Copy `text` to *copy in the scene; NULL stays NULL. */
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
