/* formats/assimp/from_scene/from_scene.h - conversion of a scene to assimp's scene. */
#ifndef FACET_ASSIMP_FROM_SCENE_FROM_SCENE_H
#define FACET_ASSIMP_FROM_SCENE_FROM_SCENE_H

#include "base/report.h"
#include "formats/assimp/file/file.h"

/* Capabilities of a format that assimp writes. */
typedef struct facet_assimp_target {
    const char *name, *id; /* `name`: in the format table; `id`: in assimp */
    bool morphs;
    bool is_physical;     /* has roughness, metallic and emission, by the conventions of FBX */
    uint8_t color_sets;   /* maximum color sets of a mesh */
    bool has_color_alpha; /* colors of vertices have alpha */
    bool embeds;          /* true: images are in the file; false: next to it */
    bool has_frame;       /* the file has an up axis and a unit */
    bool has_cameras;     /* assimp writes cameras and lights */
    bool one_animation;   /* assimp gives a second animation the names of the first */
    bool unique_names;    /* assimp makes ids of names */
    bool has_mesh_places; /* skins store the transform of their mesh in the bind pose */
    bool has_euler_keys;  /* rotations are written as angles, which readers interpolate */
    unsigned maps;        /* supported textures, as bits 1 << facet_map */
} facet_assimp_target;

/* A part of one of Facet's meshes that is one of assimp's. */
typedef struct facet_assimp_piece {
    uint32_t mesh;  /* Facet's mesh */
    uint32_t *from; /* per vertex of the piece: its vertex in Facet's mesh */
} facet_assimp_piece;

typedef struct facet_assimp_writer {
    const facet_assimp_target *target;
    const facet_scene *scene;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    facet_arena *scratch;
    struct aiScene to;
    const char **node_names;     /* one per node; unique */
    const char **material_names; /* one per material, and one for the default material */
    double rate;                 /* of the animations, in frames per second */
    facet_assimp_added added;
    facet_assimp_piece *pieces; /* one per mesh of assimp */
    uint32_t piece_capacity;
    uint32_t *first_piece;     /* per mesh of Facet, plus the end */
    bool *is_shown;            /* per mesh of Facet: a visible node shows it */
    uint32_t first_rigid_skin; /* skins from this number on bind rigid meshes (rigid.c) */
    float *rigid_places;       /* per such skin: where its mesh is at rest, 16 floats */
    bool drop_images;          /* write only the names of images */
} facet_assimp_writer;

/* scene.c: fill w->to; all memory is from the scratch arena. */
facet_status facet_assimp_from_scene(facet_assimp_writer *w);

/* The steps, in this order. rigid.c: replace w->scene by one where rigid meshes below joints have
 * skins, if the target needs it */
facet_status facet_assimp_bind_rigid(facet_assimp_writer *w);
/* shared.c: replace w->scene by one where no two skins share a mesh */
facet_status facet_assimp_split_shared(facet_assimp_writer *w);
/* bones.c: replace w->scene by one whose skins have the nodes between their joints, if the target
 * needs it */
facet_status facet_assimp_complete_skins(facet_assimp_writer *w);
/* placed.c: replace w->scene by one whose skinned meshes are shown where their joints leave them */
facet_status facet_assimp_place_skins(facet_assimp_writer *w);
/* bones.c: replace w->scene by one whose joints show no meshes, if the target needs it */
facet_status facet_assimp_hang_meshes(facet_assimp_writer *w);
/* nodes.c */
facet_status facet_assimp_name_nodes(facet_assimp_writer *w);
/* meshes.c */
facet_status facet_assimp_meshes_from_scene(facet_assimp_writer *w);
/* nodes.c */
facet_status facet_assimp_nodes_from_scene(facet_assimp_writer *w);
/* cameras.c: cameras and lights, if the target has them */
facet_status facet_assimp_cameras_from_scene(facet_assimp_writer *w);
/* unique_names.c: set w->material_names, and make these and the names of meshes unique if the
 * target needs it */
facet_status facet_assimp_name_uniquely(facet_assimp_writer *w);
/* materials.c */
facet_status facet_assimp_images_from_scene(facet_assimp_writer *w);
facet_status facet_assimp_materials_from_scene(facet_assimp_writer *w);
/* skins.c */
facet_status facet_assimp_skins_from_scene(facet_assimp_writer *w);
facet_status facet_assimp_morphs_from_scene(facet_assimp_writer *w);
/* unnamed_nodes.c: move names of nodes to w->added, if assimp would search too much for them */
facet_status facet_assimp_unname_nodes(facet_assimp_writer *w);
/* key_times.c: list the times in order at which a channel gets keys. NULL: only count them */
uint64_t facet_assimp_list_key_times(const facet_assimp_writer *w, const facet_channel *channel,
                                     float *times);
/* animations.c */
facet_status facet_assimp_animations_from_scene(facet_assimp_writer *w);
/* nodes.c: the frame of an FBX, the tool of a COLLADA with a unit */
facet_status facet_assimp_metadata_from_scene(facet_assimp_writer *w);

/* rate.c: set w->rate to the first known frame rate with frames at all keys, or to 30 per second.
 * Returns its FbxTime::EMode. */
uint32_t facet_assimp_find_rate(facet_assimp_writer *w);

#endif
