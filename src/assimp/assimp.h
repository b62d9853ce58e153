/* assimp/assimp.h - what the files of this folder share: one scene of assimp on
 * its way in, and one on its way out. */
#ifndef FACET_ASSIMP_ASSIMP_H
#define FACET_ASSIMP_ASSIMP_H

#include "base/arena.h"
#include "base/report.h"

#include <assimp/scene.h>
#include <facet/format.h>
#include <facet/scene.h>

/* -- Names and text ----------------------------------------------------- */

/* Bytes of a string of assimp's, with the zero at its end. */
#define TEXT_CAPACITY sizeof(((struct aiString *)0)->data)

/* Names to numbers, for many look-ups. */
typedef struct assimp_names {
    const char *const *names;
    uint32_t *order; /* numbers, sorted by name and then number */
    uint32_t count;
} assimp_names;

/* Sort `count` names; they must live as long as the index. False without memory. */
bool assimp_names_sort(assimp_names *index, facet_arena *arena, const char *const *names,
                       uint32_t count);
/* The smallest number with this name, or FACET_NONE. */
uint32_t assimp_names_find(const assimp_names *index, const char *name);

/* A copy of a string of assimp's as UTF-8 (what is not counts as Latin-1), or
 * NULL without memory. */
const char *assimp_text(facet_arena *arena, const struct aiString *text);

/* JSON under construction. */
typedef struct assimp_json {
    facet_arena *arena;
    char *data;
    size_t used, capacity;
    bool failed; /* for want of memory */
} assimp_json;

void assimp_json_raw(assimp_json *json, const char *text);
void assimp_json_string(assimp_json *json, const char *text);
void assimp_json_number(assimp_json *json, double value);
/* "key": with a comma before it unless it is the first in its object. */
void assimp_json_key(assimp_json *json, const char *key);
/* The text, ended, in the arena; NULL without memory. */
const char *assimp_json_end(assimp_json *json);

/* -- Reading ------------------------------------------------------------ */

/* guard.c: refuse the PLY files that crash assimp for what their headers say:
 * PLY-HEADER, PLY-SIZE. Does nothing for other files. */
facet_status assimp_guard_ply(const facet_source *source, facet_error *error);

/* source.c: hand the source to assimp. `extension` says which format it is, NULL
 * leaves that to its name and to assimp. *imported is to be released with
 * aiReleaseImport. */
facet_status assimp_import(const facet_source *source, const char *extension, facet_arena *scratch,
                           const struct aiScene **imported, facet_error *error);

/* A node of assimp's tree, in our order: parents first. */
typedef struct assimp_place {
    const struct aiNode *from;
    uint32_t parent;
} assimp_place;

/* Meshes of assimp that become one of ours: those that the same nodes show, and
 * that have the same streams. */
typedef struct assimp_group {
    uint32_t first, count; /* in reader.members */
    uint32_t mesh, skin;   /* of our scene; FACET_NONE while there is none */
} assimp_group;

typedef struct assimp_reader {
    const facet_load_options *load;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    facet_arena *scratch;
    const struct aiScene *from;
    facet_scene *scene;

    assimp_place *places;
    uint32_t place_count;
    assimp_names place_names;
    assimp_group *groups;
    uint32_t group_count;
    uint32_t *members;   /* meshes of assimp, group by group */
    uint32_t *group_of;  /* per mesh of assimp */
    uint32_t *shown_by;  /* per mesh of assimp: the first place that names it, or FACET_NONE */
    uint32_t *materials; /* per material of assimp: ours, or FACET_NONE for made-up ones */
    bool *animated;      /* per place */
    bool is_fbx;
    facet_tally points, weights_cut, weights_scaled, bones_lost, keys_dropped, layers_lost,
        maps_lost, channels_lost;
} assimp_reader;

facet_status assimp_no_memory(const assimp_reader *r, uint64_t count, size_t size);
facet_status assimp_malformed(const assimp_reader *r, const char *format, ...) FACET_PRINTF(2, 3);

/* group.c */
facet_status assimp_find_places(assimp_reader *r);
facet_status assimp_group_meshes(assimp_reader *r);
/* read_material.c */
facet_status assimp_read_images(assimp_reader *r);
facet_status assimp_read_materials(assimp_reader *r);
/* read_mesh.c */
facet_status assimp_read_meshes(assimp_reader *r);
/* read_skin.c: after the nodes are there */
facet_status assimp_read_skins(assimp_reader *r);
/* read_node.c */
facet_status assimp_read_nodes(assimp_reader *r);
facet_status assimp_read_metadata(assimp_reader *r, const struct aiMetadata *metadata,
                                  const char **extras);
/* The name of the importer that read the file, "" when it is not known. */
const char *assimp_importer(const struct aiScene *from);
void assimp_read_frame(assimp_reader *r);
/* read_animation.c */
facet_status assimp_mark_animated(assimp_reader *r);
facet_status assimp_read_animations(assimp_reader *r);

/* -- Transforms --------------------------------------------------------- */

void assimp_get_matrix(const struct aiMatrix4x4 *from, float *to);
void assimp_set_matrix(struct aiMatrix4x4 *to, const float *from);
/* Scale, rotation and translation of a matrix; false when they are not all there
 * is to it. A mirror becomes a negative scale of one axis. */
bool assimp_decompose(const float *m, facet_transform *transform);

/* -- Writing ------------------------------------------------------------ */

/* What a format that assimp writes can hold. */
typedef struct assimp_target {
    const char *name, *id; /* ours, and assimp's */
    bool scene;            /* nodes, materials, several meshes; else one heap of faces */
    bool morphs;
    bool embeds;        /* images go into the file; else beside it */
    bool has_frame;     /* the file says which way is up and how long a unit is */
    bool one_animation; /* assimp gives those of several the same names */
    bool binds_at_rest; /* skins are bound where the nodes stand, inverse_bind is not written */
    bool soup;          /* every triangle has three vertices of its own, with the face's normal */
    unsigned maps;      /* 1 << facet_map of the textures that it knows */
} assimp_target;

/* What one mesh of ours became. */
typedef struct assimp_piece {
    uint32_t mesh;  /* of ours */
    uint32_t *from; /* per vertex of the piece: the vertex of our mesh */
} assimp_piece;

typedef struct assimp_writer {
    const assimp_target *target;
    const facet_scene *scene;
    const facet_options *options;
    facet_report *report;
    facet_error *error;
    facet_arena *scratch;
    struct aiScene to;
    const char **node_names; /* one per node, each its own */
    assimp_piece *pieces;    /* one per mesh of assimp's */
    uint32_t piece_capacity;
    uint32_t *first_piece; /* per mesh of ours, and the end */
    bool drop_images;      /* none can be written, only their names */
} assimp_writer;

facet_status assimp_write_no_memory(const assimp_writer *w, uint64_t count, size_t size);
/* A loss, as a warning. */
void assimp_lose(const assimp_writer *w, const char *rule, const char *format, ...)
    FACET_PRINTF(3, 4);
/* Cut at the 1,023 bytes that a string of assimp's holds. */
void assimp_set_text(struct aiString *to, const char *text);

/* write_mesh.c */
facet_status assimp_write_meshes(assimp_writer *w);
/* write_skin.c: after the meshes */
facet_status assimp_write_skins(assimp_writer *w);
facet_status assimp_write_morphs(assimp_writer *w);
/* write_material.c */
facet_status assimp_write_images(assimp_writer *w);
facet_status assimp_write_materials(assimp_writer *w);
/* write_node.c */
facet_status assimp_name_nodes(assimp_writer *w);
facet_status assimp_write_nodes(assimp_writer *w);
facet_status assimp_write_metadata(assimp_writer *w);
/* write_animation.c */
facet_status assimp_write_animations(assimp_writer *w);
/* fbx.c: end the lists of a binary FBX that assimp left open. *data and *size
 * stay as they are where there is nothing to do. False without memory. */
bool assimp_end_fbx_lists(facet_arena *arena, uint8_t **data, size_t *size);
/* export.c */
facet_status assimp_export(assimp_writer *w, const char *id, facet_output *output,
                           bool *images_refused);

/* -- The entries of the format table ------------------------------------ */

/* `extension` as for assimp_import. */

facet_status assimp_read(const facet_source *source, const char *extension,
                         const facet_load_options *load, const facet_options *options,
                         facet_scene **scene, facet_error *error);
facet_status assimp_check(const facet_source *source, const char *extension,
                          const facet_options *options, facet_report *report, facet_error *error);
facet_status assimp_describe(const facet_source *source, const char *extension,
                             const facet_options *options, facet_description *description,
                             facet_error *error);
facet_status assimp_write(const facet_scene *scene, const assimp_target *target,
                          const facet_options *options, facet_output *output, facet_error *error);

#endif
