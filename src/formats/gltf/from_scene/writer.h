/* formats/gltf/from_scene/writer.h - a glTF under construction. A scene becomes a
 * JSON tree and a plan of the binary buffer; the buffer's bytes are produced
 * when they are written, piece by piece, so that no second copy of a large mesh
 * is ever made. */
#ifndef FACET_GLTF_FROM_SCENE_WRITER_H
#define FACET_GLTF_FROM_SCENE_WRITER_H

#include "base/json.h"
#include "base/report.h"
#include "base/table.h"
#include "formats/gltf/file/file.h"
#include "scene/looks.h"

#include <facet/gx_material.h>

/* -- The binary buffer -------------------------------------------------- */

/* One attribute in an interleaved vertex. */
typedef struct facet_gltf_slot {
    const facet_stream *stream;
    uint32_t type;                      /* as written: FACET_GLTF_FLOAT, FACET_GLTF_UINT8, ... */
    uint32_t offset;                    /* in the vertex */
    uint32_t size;                      /* bytes in the vertex, without padding */
    const struct facet_gltf_grid *grid; /* of quantized positions */
    bool quantized;                     /* `type` is that of integers which stand for floats */
    bool flip_v;                        /* 1 - v */
    bool negate_w;                      /* of tangents */
    const struct facet_gltf_slot
        *weights;           /* of joints: where the weight is zero the joint is too */
    const facet_mesh *mesh; /* of weights: all its sets sum up to 1 */
    uint32_t set_count;     /* of weights: the sets that are written */
} facet_gltf_slot;

/* Where quantized positions lie: offset + scale * integer. */
typedef struct facet_gltf_grid {
    float offset[3], scale;
    uint32_t most; /* the largest integer */
} facet_gltf_grid;

typedef enum facet_gltf_piece_kind {
    FACET_GLTF_PIECE_BYTES, /* `bytes`, as they lie */
    FACET_GLTF_PIECE_VERTICES,
    FACET_GLTF_PIECE_INDICES,
    FACET_GLTF_PIECE_LINES,
    FACET_GLTF_PIECE_POINTS
} facet_gltf_piece_kind;

/* Indices that are not of faces. */
static inline bool facet_gltf_is_ends(facet_gltf_piece_kind kind)
{
    return kind == FACET_GLTF_PIECE_LINES || kind == FACET_GLTF_PIECE_POINTS;
}

/* Indices of a point, a line or a triangle. */
static inline uint32_t facet_gltf_corners_of(facet_gltf_piece_kind kind)
{
    return kind == FACET_GLTF_PIECE_POINTS ? 1 : kind == FACET_GLTF_PIECE_LINES ? 2 : 3;
}

/* A run of bytes of the buffer, and how to make them. */
typedef struct facet_gltf_piece {
    facet_gltf_piece_kind kind;
    uint64_t offset, size;
    const void *bytes;
    const facet_mesh *mesh;
    const facet_gltf_slot *slots;       /* vertices */
    uint32_t slot_count, stride, count; /* bytes too: elements, if they may be compressed */
    const uint32_t *faces;              /* indices: of these faces; NULL: from first_face on */
    uint32_t first_face;
    uint32_t base; /* subtracted from every index */
    bool narrow;   /* 16-bit indices */
    bool floats;   /* `bytes` are floats in host order */
} facet_gltf_piece;

/* Uses whose views may be shared by many accessors. */
typedef enum facet_gltf_view_use {
    FACET_GLTF_USE_INDICES = 1,
    FACET_GLTF_USE_MATRICES,
    FACET_GLTF_USE_KEYS
} facet_gltf_view_use;

/* -- The writer --------------------------------------------------------- */

/* A part of a mesh that becomes a glTF mesh. */
typedef struct facet_gltf_section {
    const char *name;
    uint32_t mesh; /* in the JSON */
} facet_gltf_section;

typedef struct facet_gltf_sections {
    facet_gltf_section *items;
    uint32_t count;
} facet_gltf_sections;

/* The nodes of the file that carry the mesh of a node of the scene: `count` of
 * them from `first` on. */
typedef struct facet_gltf_carriers {
    uint32_t first, count;
} facet_gltf_carriers;

/* What animations move: it must be written where they point to. */
typedef struct facet_gltf_animated {
    bool *places, *visibility;     /* per node */
    bool *colors;                  /* per material: the base color */
    uint32_t *transforms, *images; /* per material: bits 1 << facet_map */
} facet_gltf_animated;

typedef struct facet_gltf_writer {
    const facet_scene *scene;
    const facet_options *options;
    facet_arena *arena;
    bool failed;         /* memory ran out somewhere */
    facet_tally sheared; /* nodes whose matrix is no translation, rotation and scale */
    facet_json *root;
    facet_json *views, *accessors, *meshes, *materials, *textures, *samplers, *images, *nodes;
    facet_gltf_piece *pieces;
    uint32_t piece_count, piece_capacity;
    uint64_t size; /* of the buffer so far */
    facet_gltf_view_use
        shared_use; /* of the last view that facet_gltf_share_view made; 0: none yet */
    uint32_t shared_view;
    uint64_t shared_offset, shared_end;
    facet_names known_samplers, known_textures; /* those of the arrays, as text */
    facet_names uris;                           /* of images */
    uint32_t *uri_images;                       /* the image of each */
    uint32_t uri_capacity;
    facet_output *beside;     /* that images are written beside; NULL: into the buffer */
    facet_names beside_names; /* of these files, in small letters */
    uint32_t *image_index;    /* JSON image of each scene image, FACET_NONE when there is none */
    uint32_t material;        /* of the scene, that is being written */
    uint32_t *bare;           /* per material: its twin without textures, or FACET_NONE */
    facet_gltf_sections *sections; /* per mesh */
    facet_gltf_carriers *carriers; /* per node */
    uint32_t skin_root;            /* the node above joints without a common root, or FACET_NONE */
    bool *is_rootless;             /* per skin: its joints are below that node */
    bool quantize, compress;
    facet_gltf_grid *grids; /* per mesh, when quantized */
    uint64_t expanded_size; /* of the buffer that compressed views stand for */
    facet_gltf_animated animated;
    bool uses_transform, uses_unlit, uses_strength, uses_pointer, uses_visibility, uses_lods,
        uses_lights;
    bool uses_looks[FACET_LOOK_COUNT];       /* facet_looks[i].extension */
    facet_names kept;                        /* extensions that are only kept */
    bool uses_pictures[FACET_GLTF_PICTURES]; /* facet_gltf_pictures[i].extension */
} facet_gltf_writer;

static inline facet_report *facet_gltf_writer_report(const facet_gltf_writer *w)
{
    return w->options ? w->options->report : NULL;
}

/* scene.c: fill in all that follows from the scene; root, arrays and arena are there. */
facet_status facet_gltf_from_scene(facet_gltf_writer *w, facet_error *error);

/* json.c: building values; without memory w->failed is set. */
facet_json *facet_gltf_number(double value); /* integers without a point; not finite: 0 */
facet_json *facet_gltf_floats(facet_gltf_writer *w, const float *values, size_t count);
void facet_gltf_put(facet_gltf_writer *w, facet_json *object, const char *key, facet_json *value);
void facet_gltf_append(facet_gltf_writer *w, facet_json *array, facet_json *value);
/* A string; bytes that are not UTF-8 become U+FFFD. Nothing when it is NULL or "". */
void facet_gltf_put_text(facet_gltf_writer *w, facet_json *object, const char *key,
                         const char *text);
/* A URI from a path: / as separator, other than plain characters as %XX. NULL
 * without memory. */
char *facet_gltf_uri_of_path(facet_arena *arena, const char *path);
void facet_gltf_put_uri(facet_gltf_writer *w, facet_json *object, const char *key,
                        const char *path);
/* extras from JSON text; broken text is dropped with a warning. */
void facet_gltf_put_extras(facet_gltf_writer *w, facet_json *object, const char *extras);
/* The same, or where there is no text, what a console's file says. */
void facet_gltf_put_file_extras(facet_gltf_writer *w, facet_json *object, const char *extras,
                                const facet_gx_file_part *file);
/* The extensions of a JSON text, and those of an asset with its other members. Extensions that
 * the object has stay as they are. */
void facet_gltf_put_kept(facet_gltf_writer *w, facet_json *object, const char *extensions);
void facet_gltf_put_asset(facet_gltf_writer *w, facet_json *object, const char *asset);
/* Put an array, unless it is empty, in the root; takes it over. */
void facet_gltf_put_array(facet_gltf_writer *w, const char *key, facet_json *array);

/* pieces.c */
/* A piece at the end of the buffer, aligned to 4; NULL without memory. */
facet_gltf_piece *facet_gltf_add_piece(facet_gltf_writer *w, facet_gltf_piece_kind kind,
                                       uint64_t size);
/* A view of `size` bytes at `offset`; stride and target 0: not given. */
uint32_t facet_gltf_add_view(facet_gltf_writer *w, uint64_t offset, uint64_t size, uint32_t stride,
                             int target);
/* A view for a piece at the end of the buffer: the last one, grown, when it is
 * of the same use and ends there. *offset is that of the piece in the view. */
uint32_t facet_gltf_share_view(facet_gltf_writer *w, const facet_gltf_piece *piece,
                               facet_gltf_view_use use, uint64_t *offset);
/* An accessor; the object, to add min and max to, or NULL without memory. */
facet_json *facet_gltf_add_accessor(facet_gltf_writer *w, uint32_t view, uint64_t offset,
                                    uint32_t type, uint64_t count, const char *shape,
                                    uint32_t *index);
/* `count` elements of `width` floats with an accessor. */
facet_json *facet_gltf_add_floats(facet_gltf_writer *w, const float *values, uint64_t count,
                                  uint32_t width, const char *shape, facet_gltf_view_use use,
                                  uint32_t *index);
/* The bytes of one piece, one after the other. `block` is working memory of
 * FACET_GLTF_BLOCK bytes. */
#define FACET_GLTF_BLOCK ((size_t)64 * 1024)
void facet_gltf_emit_piece(const facet_gltf_piece *piece, uint8_t *block,
                           void (*emit)(void *user, const void *data, size_t size), void *user);
/* Write all pieces through `emit`, with zeros between them. */
facet_status facet_gltf_emit_pieces(const facet_gltf_writer *w,
                                    void (*emit)(void *user, const void *data, size_t size),
                                    void *user, facet_error *error);

/* quantize.c */
/* The grids of all meshes. */
void facet_gltf_make_grids(facet_gltf_writer *w);
/* Make integers of a slot's floats, where KHR_mesh_quantization has some that fit. */
void facet_gltf_quantize_slot(facet_gltf_slot *slot, const facet_gltf_grid *grid);
/* Those integers, of floats. */
void facet_gltf_store_quantized(const facet_gltf_slot *slot, const float *values, uint8_t *to);
/* The integer for one coordinate of a position, or of a difference of positions. */
float facet_gltf_on_grid(const facet_gltf_slot *slot, uint32_t axis, float value);
/* Differences of positions on the grid, 8 bytes each; NULL without memory. */
void *facet_gltf_quantize_morph(facet_gltf_writer *w, const facet_stream *stream,
                                const facet_gltf_grid *grid);
/* The grid as a node has it: translation and scale. */
void facet_gltf_put_grid(facet_gltf_writer *w, facet_json *object, const facet_gltf_grid *grid);
/* `count` inverse bind matrices of skins, for positions on the grid. */
void facet_gltf_bind_grid(const facet_scene *scene, const facet_gltf_grid *grids, float *matrices,
                          uint32_t count);

/* compress.c: compress what can be, and lay out the buffer anew. */
facet_status facet_gltf_compress(facet_gltf_writer *w, facet_error *error);

facet_status facet_gltf_images_from_scene(facet_gltf_writer *w, facet_error *error);
void facet_gltf_materials_from_scene(facet_gltf_writer *w);
/* The material of a primitive that lacks texture coordinates which the
 * material's maps ask for is a twin of it without maps. */
uint32_t facet_gltf_material_for(facet_gltf_writer *w, uint32_t material, uint32_t texcoord_sets);
/* influences.c: the mesh, or a copy whose joints and weights are those that glTF allows. */
const facet_mesh *facet_gltf_correct_influences(facet_gltf_writer *w, const facet_mesh *mesh,
                                                uint32_t number);
facet_status facet_gltf_meshes_from_scene(facet_gltf_writer *w, facet_error *error);
void facet_gltf_nodes_from_scene(facet_gltf_writer *w);
void facet_gltf_skins_from_scene(facet_gltf_writer *w);
void facet_gltf_animations_from_scene(facet_gltf_writer *w);
/* Fill in w->animated. */
void facet_gltf_find_animated(facet_gltf_writer *w);

/* The extensions of an object of the file, made when there are none. */
facet_json *facet_gltf_extensions_of(facet_gltf_writer *w, facet_json *object);

/* cameras.c: the cameras and lights of the file, and a node's reference to a light. */
void facet_gltf_cameras_from_scene(facet_gltf_writer *w);
void facet_gltf_put_light_of(facet_gltf_writer *w, facet_json *node, uint32_t light);

/* The texture of the file that shows an image as this texture would, or FACET_NONE when
 * the image cannot be written. */
uint32_t facet_gltf_texture_of(facet_gltf_writer *w, const facet_texture *texture, uint32_t image);
/* variants.c: the names of the variants, and what a primitive of a material becomes in each. */
void facet_gltf_variants_from_scene(facet_gltf_writer *w);
void facet_gltf_put_variants_of(facet_gltf_writer *w, facet_json *primitive, uint32_t material,
                                uint32_t texcoord_sets);
/* What emissive colors are divided by: emission beyond 1 is a factor of its own in glTF. */
float facet_gltf_emissive_divisor(const facet_material *material);

#endif
