/* formats/assimp/to_scene/to_scene.h - conversion of assimp's scene to Facet's. */
#ifndef FACET_ASSIMP_TO_SCENE_TO_SCENE_H
#define FACET_ASSIMP_TO_SCENE_TO_SCENE_H

#include "base/report.h"
#include "formats/assimp/file/file.h"

#include <facet/format.h>

/* scene.c: convert and check everything. `fbx` has the objects of an FBX, `clips` those of a
 * COLLADA, or they are NULL. `scratch` can be freed afterwards. */
facet_status facet_assimp_to_scene(const struct aiScene *from, const facet_fbx *fbx,
                                   const facet_dae_clips *clips, const facet_load_options *load,
                                   const facet_options *options, facet_arena *scratch,
                                   facet_scene **scene, facet_error *error);

/* Changes of facet_assimp_attach_targets to assimp's scene. */
typedef struct facet_assimp_attached {
    struct aiScene *scene;
    uint32_t nodes, meshes; /* numbers of them before; nodes: children of the root */
} facet_assimp_attached;

/* dae_targets.c: attach the morph targets of a COLLADA to their meshes, and hide the nodes that
 * show them. */
facet_status facet_assimp_attach_targets(const struct aiScene *imported, facet_arena *scratch,
                                         facet_assimp_attached *attached, facet_error *error);
/* Undo that before assimp frees its scene. */
void facet_assimp_detach_targets(const facet_assimp_attached *attached);

/* A node of assimp's tree, or a chain of nodes that assimp creates for one FBX node (pivots.h).
 * Places are in the scene's order: parents first. */
typedef struct facet_assimp_chain {
    const struct aiNode *first; /* first node of a chain */
    const struct aiNode *from;  /* last node of the chain, with its name and meshes; equal to
                                 * `first` without a chain */
    uint32_t parent;
} facet_assimp_chain;

/* Meshes of assimp that become one of Facet's: the same nodes show them, and they have the same
 * streams. */
typedef struct facet_assimp_group {
    uint32_t first, count; /* range of reader.members */
    uint32_t mesh, skin;   /* indices in the scene, or FACET_NONE */
} facet_assimp_group;

typedef struct facet_fbx_morphs facet_fbx_morphs;

typedef struct facet_assimp_reader {
    const facet_load_options *load;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    facet_arena *scratch;
    const struct aiScene *from;
    const facet_fbx *fbx;         /* NULL: not an FBX */
    const facet_dae_clips *clips; /* NULL: none */
    facet_scene *scene;

    facet_assimp_chain *places;
    uint32_t place_count;
    uint32_t *objects;        /* per place: object of the FBX, or FACET_NONE */
    facet_fbx_morphs *morphs; /* per mesh of the scene: its channels in the FBX */
    bool lacks_channels;      /* a mesh has morph targets whose channels are unknown */
    facet_assimp_names place_names;
    const char **node_names; /* per place: its name in the scene */
    facet_assimp_group *groups;
    uint32_t group_count;
    uint32_t *members;   /* meshes of assimp, by group */
    uint32_t *group_of;  /* per mesh of assimp */
    uint32_t *shown_by;  /* per mesh of assimp: the first place that shows it, or FACET_NONE */
    uint32_t *materials; /* per material of assimp: the scene's material, or FACET_NONE if assimp
                          * created it */
    uint32_t *uv_sets;   /* per material of assimp: number of texture coordinates of its meshes */
    bool *animated;      /* per place */
    bool is_fbx;
    bool is_off; /* colors may go to 255 */
    facet_tally weights_cut, weights_scaled, bones_lost, keys_dropped, keys_bent, layers_lost,
        maps_lost, sets_guessed, channels_lost;
} facet_assimp_reader;

/* groups.c: a name without the number that was added to it before assimp read it. NULL if out of
 * memory. */
const char *facet_assimp_without_number(facet_arena *arena, const char *name);

/* The steps, in this order. groups.c */
facet_status facet_assimp_find_places(facet_assimp_reader *r);
facet_status facet_assimp_group_meshes(facet_assimp_reader *r);
/* fbx_places.c: find the objects of the places in an FBX */
facet_status facet_assimp_find_objects(facet_assimp_reader *r);
/* The only geometry of a place's object, or FACET_NONE. */
uint32_t facet_assimp_geometry_of(const facet_assimp_reader *r, uint32_t place);
/* Matrix of a mesh relative to its place: false if that is the identity. */
bool facet_assimp_place_geometry(const facet_assimp_reader *r, uint32_t place,
                                 struct aiMatrix4x4 *matrix);
facet_status facet_assimp_hide_nodes(facet_assimp_reader *r);
/* fbx_losses.c: report objects that are not read. */
facet_status facet_assimp_report_objects(facet_assimp_reader *r);
/* fbx_morphs.c: read the channels of morph targets, and the weights at rest. */
facet_status facet_assimp_morphs_to_scene(facet_assimp_reader *r);
/* fbx_scales.c: apply scales that are not inherited as usual. */
facet_status facet_assimp_inherit_scales(facet_assimp_reader *r);
/* clips.c: replace animations by the clips of a COLLADA */
facet_status facet_assimp_split_clips(facet_assimp_reader *r);
/* fbx_animations.c: add the channels of visibility and morph targets to the animations. */
facet_status facet_assimp_curves_to_scene(facet_assimp_reader *r);
/* animations.c: find the animated places */
facet_status facet_assimp_mark_animated(facet_assimp_reader *r);
/* textures.c */
facet_status facet_assimp_images_to_scene(facet_assimp_reader *r);
/* Read the textures of material `number`. */
facet_status facet_assimp_textures_to_scene(facet_assimp_reader *r, const struct aiMaterial *from,
                                            uint32_t number, facet_material *material);
/* fbx_physical.c: read the values of a renderer's shader in an FBX, if the material has one. */
void facet_assimp_read_physical(const struct aiMaterial *from, const facet_material *material,
                                facet_classic *to);
/* materials.c */
facet_status facet_assimp_materials_to_scene(facet_assimp_reader *r);
/* meshes.c, nodes.c, skins.c, animations.c */
facet_status facet_assimp_meshes_to_scene(facet_assimp_reader *r);
facet_status facet_assimp_nodes_to_scene(facet_assimp_reader *r);
/* Read cameras and lights; they are at the nodes with their names. */
facet_status facet_assimp_cameras_to_scene(facet_assimp_reader *r);
facet_status facet_assimp_skins_to_scene(facet_assimp_reader *r);
/* binds.c: correct the inverse bind matrices of Blender's COLLADA. */
facet_status facet_assimp_correct_binds(facet_assimp_reader *r);
/* rigid.c: make the meshes rigid that Facet's writer bound to one joint. */
facet_status facet_assimp_release_rigid(facet_assimp_reader *r);
facet_status facet_assimp_animations_to_scene(facet_assimp_reader *r);
/* nodes.c: set the transform of a node from a matrix. Without shear, or if `animated`, it gets
 * translation, rotation and scale. */
void facet_assimp_set_place(const facet_assimp_reader *r, const float matrix[16], bool animated,
                            facet_node *node);
facet_status facet_assimp_metadata_to_extras(facet_assimp_reader *r,
                                             const struct aiMetadata *metadata,
                                             const char **extras);
/* frame.c */
void facet_assimp_frame_to_scene(facet_assimp_reader *r);
/* Name of the importer that read the file, "" if unknown. */
const char *facet_assimp_importer(const struct aiScene *from);
/* True for a COLLADA. */
bool facet_assimp_is_dae(const struct aiScene *from);
/* Name of the program that wrote the file, "" if unknown. */
const char *facet_assimp_generator(const struct aiScene *from);

#endif
