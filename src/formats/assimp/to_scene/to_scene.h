/* formats/assimp/to_scene/to_scene.h - a scene of assimp's on its way to one of ours. */
#ifndef FACET_ASSIMP_TO_SCENE_TO_SCENE_H
#define FACET_ASSIMP_TO_SCENE_TO_SCENE_H

#include "base/report.h"
#include "formats/assimp/file/file.h"

#include <facet/format.h>

/* scene.c: everything, checked. `scratch` may go when the scene is there. */
facet_status facet_assimp_to_scene(const struct aiScene *from, const facet_load_options *load,
                                   const facet_options *options, facet_arena *scratch,
                                   facet_scene **scene, facet_error *error);

/* A node of assimp's tree, or those that it makes of one of an FBX (pivots.h), in our
 * order: parents first. */
typedef struct facet_assimp_place {
    const struct aiNode *first; /* of several, one below the other */
    const struct aiNode *from;  /* the last, with the name and the meshes; else the same */
    uint32_t parent;
} facet_assimp_place;

/* Meshes of assimp that become one of ours: those that the same nodes show, and
 * that have the same streams. */
typedef struct facet_assimp_group {
    uint32_t first, count; /* in reader.members */
    uint32_t mesh, skin;   /* of our scene; FACET_NONE while there is none */
} facet_assimp_group;

typedef struct facet_assimp_reader {
    const facet_load_options *load;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    facet_arena *scratch;
    const struct aiScene *from;
    facet_scene *scene;

    facet_assimp_place *places;
    uint32_t place_count;
    facet_assimp_names place_names;
    facet_assimp_group *groups;
    uint32_t group_count;
    uint32_t *members;   /* meshes of assimp, group by group */
    uint32_t *group_of;  /* per mesh of assimp */
    uint32_t *shown_by;  /* per mesh of assimp: the first place that names it, or FACET_NONE */
    uint32_t *materials; /* per material of assimp: ours, or FACET_NONE for made-up ones */
    bool *animated;      /* per place */
    bool is_fbx;
    facet_tally weights_cut, weights_scaled, bones_lost, keys_dropped, layers_lost, maps_lost,
        channels_lost;
} facet_assimp_reader;

/* The steps, in this order. groups.c */
facet_status facet_assimp_find_places(facet_assimp_reader *r);
facet_status facet_assimp_group_meshes(facet_assimp_reader *r);
/* animations.c: which places move */
facet_status facet_assimp_mark_animated(facet_assimp_reader *r);
/* materials.c */
facet_status facet_assimp_images_to_scene(facet_assimp_reader *r);
facet_status facet_assimp_materials_to_scene(facet_assimp_reader *r);
/* meshes.c, nodes.c, skins.c, animations.c */
facet_status facet_assimp_meshes_to_scene(facet_assimp_reader *r);
facet_status facet_assimp_nodes_to_scene(facet_assimp_reader *r);
/* Cameras and lights, at the nodes that have their names. */
facet_status facet_assimp_cameras_to_scene(facet_assimp_reader *r);
facet_status facet_assimp_skins_to_scene(facet_assimp_reader *r);
facet_status facet_assimp_animations_to_scene(facet_assimp_reader *r);
/* nodes.c */
facet_status facet_assimp_metadata_to_extras(facet_assimp_reader *r,
                                             const struct aiMetadata *metadata,
                                             const char **extras);
void facet_assimp_frame_to_scene(facet_assimp_reader *r);
/* The name of the importer that read the file, "" when it is not known. */
const char *facet_assimp_importer(const struct aiScene *from);
/* The program that wrote the file, "" when it does not say. */
const char *facet_assimp_generator(const struct aiScene *from);

#endif
