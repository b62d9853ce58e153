/* formats/assimp/from_scene/from_scene.h - a scene on its way to one of assimp's. */
#ifndef FACET_ASSIMP_FROM_SCENE_FROM_SCENE_H
#define FACET_ASSIMP_FROM_SCENE_FROM_SCENE_H

#include "base/report.h"
#include "formats/assimp/file/file.h"

/* What a format that assimp writes can hold. */
typedef struct facet_assimp_target {
    const char *name, *id; /* in the format table, and in assimp */
    bool morphs;
    bool is_physical;   /* roughness, metallic and emission by the conventions of FBX */
    uint8_t color_sets; /* of a mesh */
    bool embeds;        /* images go into the file; else beside it */
    bool has_frame;     /* the file says which way is up and how long a unit is */
    bool one_animation; /* a second one would get the names of the first from assimp */
    bool binds_at_rest; /* skins are bound where the nodes stand, inverse_bind is not written */
    unsigned maps;      /* 1 << facet_map of the textures that it knows */
} facet_assimp_target;

/* What one mesh of ours became. */
typedef struct facet_assimp_piece {
    uint32_t mesh;  /* of ours */
    uint32_t *from; /* per vertex of the piece: the vertex of our mesh */
} facet_assimp_piece;

typedef struct facet_assimp_writer {
    const facet_assimp_target *target;
    const facet_scene *scene;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    facet_arena *scratch;
    struct aiScene to;
    const char **node_names;    /* one per node; no two are equal */
    facet_assimp_piece *pieces; /* one per mesh of assimp's */
    uint32_t piece_capacity;
    uint32_t *first_piece; /* per mesh of ours, and the end */
    bool *is_shown;        /* per mesh of ours: by a node that the scene shows */
    bool drop_images;      /* write names of images only */
} facet_assimp_writer;

/* scene.c: fill in w->to, all in the scratch arena. */
facet_status facet_assimp_from_scene(facet_assimp_writer *w);

/* The steps, in this order. shared.c: w->scene becomes one where no two skins share a mesh */
facet_status facet_assimp_split_shared(facet_assimp_writer *w);
/* nodes.c */
facet_status facet_assimp_name_nodes(facet_assimp_writer *w);
/* meshes.c */
facet_status facet_assimp_meshes_from_scene(facet_assimp_writer *w);
/* nodes.c */
facet_status facet_assimp_nodes_from_scene(facet_assimp_writer *w);
/* materials.c */
facet_status facet_assimp_images_from_scene(facet_assimp_writer *w);
facet_status facet_assimp_materials_from_scene(facet_assimp_writer *w);
/* skins.c */
facet_status facet_assimp_skins_from_scene(facet_assimp_writer *w);
facet_status facet_assimp_morphs_from_scene(facet_assimp_writer *w);
/* animations.c */
facet_status facet_assimp_animations_from_scene(facet_assimp_writer *w);
/* nodes.c: the frame, where the file says it */
facet_status facet_assimp_metadata_from_scene(facet_assimp_writer *w);

#endif
