/* formats/gltf/from_scene/writer.h - a glTF under construction. A scene becomes a JSON tree and a
 * plan of the binary buffer. The buffer's bytes are produced piece by piece when they are written,
 * so a large mesh is never copied as a whole. */
#ifndef FACET_GLTF_FROM_SCENE_WRITER_H
#define FACET_GLTF_FROM_SCENE_WRITER_H

#include "base/json.h"
#include "base/report.h"
#include "base/table.h"
#include "base/unique.h"
#include "formats/gltf/file/file.h"
#include "scene/losses.h"
#include "scene/material_extensions.h"

#include <facet/gx_material.h>

/* -- The binary buffer -------------------------------------------------- */

/* One attribute in an interleaved vertex. */
typedef struct facet_gltf_slot {
    const facet_stream *stream;
    uint32_t type;                      /* component type in the file: FACET_GLTF_FLOAT,
                                         * FACET_GLTF_UINT8, ... */
    uint32_t offset;                    /* offset in the vertex */
    uint32_t size;                      /* bytes in the vertex, without padding */
    const struct facet_gltf_grid *grid; /* grid of quantized positions; NULL for others */
    bool quantized;                     /* `type` is an integer type that represents floats */
    bool flip_v;                        /* store 1 - v */
    bool negate_w;                      /* negate w of tangents */
    const struct facet_gltf_slot
        *weights;           /* for joints: where the weight is zero, the joint is zero also */
    const facet_mesh *mesh; /* for weights: all sets of this mesh sum to 1 */
    uint32_t set_count;     /* for weights: number of sets that are written */
} facet_gltf_slot;

/* The grid of quantized positions: position = offset + scale * integer. */
typedef struct facet_gltf_grid {
    float offset[3], scale;
    uint32_t most; /* largest integer */
} facet_gltf_grid;

typedef enum facet_gltf_piece_kind {
    FACET_GLTF_PIECE_BYTES, /* `bytes`, unchanged */
    FACET_GLTF_PIECE_VERTICES,
    FACET_GLTF_PIECE_INDICES,
    FACET_GLTF_PIECE_LINES,
    FACET_GLTF_PIECE_POINTS
} facet_gltf_piece_kind;

/* True for indices of lines or points. */
static inline bool facet_gltf_is_ends(facet_gltf_piece_kind kind)
{
    return kind == FACET_GLTF_PIECE_LINES || kind == FACET_GLTF_PIECE_POINTS;
}

/* Number of indices of a point, a line or a triangle. */
static inline uint32_t facet_gltf_corners_of(facet_gltf_piece_kind kind)
{
    return kind == FACET_GLTF_PIECE_POINTS ? 1 : kind == FACET_GLTF_PIECE_LINES ? 2 : 3;
}

/* Vertices of the triangles, lines or points of a mesh. */
static inline const uint32_t *facet_gltf_vertices_of(const facet_mesh *mesh,
                                                     facet_gltf_piece_kind kind)
{
    return kind == FACET_GLTF_PIECE_LINES    ? mesh->lines
           : kind == FACET_GLTF_PIECE_POINTS ? mesh->points
                                             : mesh->streams[0].indices;
}

/* A run of bytes of the buffer, and the data to produce them. */
typedef struct facet_gltf_piece {
    facet_gltf_piece_kind kind;
    uint64_t offset, size;
    const void *bytes;
    const facet_mesh *mesh;
    const facet_gltf_slot *slots;       /* for vertices */
    uint32_t slot_count, stride, count; /* for bytes also: elements, if they can be compressed */
    const uint32_t *faces;              /* for indices: the faces; NULL: consecutive faces from
                                         * first_face */
    uint32_t first_face;
    uint32_t base; /* is subtracted from every index */
    bool narrow;   /* 16-bit indices */
    bool floats;   /* `bytes` are floats in host order */
} facet_gltf_piece;

/* Uses for which several accessors can share a view. */
typedef enum facet_gltf_view_use {
    FACET_GLTF_USE_INDICES = 1,
    FACET_GLTF_USE_MATRICES,
    FACET_GLTF_USE_KEYS
} facet_gltf_view_use;

/* -- The writer --------------------------------------------------------- */

/* A part of a mesh, written as a glTF mesh. */
typedef struct facet_gltf_section {
    const char *name;
    uint32_t mesh; /* index in the JSON */
} facet_gltf_section;

typedef struct facet_gltf_sections {
    facet_gltf_section *items;
    uint32_t count;
} facet_gltf_sections;

/* The nodes of the file that carry the mesh of a scene's node: `count` of them, from `first`. */
typedef struct facet_gltf_carriers {
    uint32_t first, count;
} facet_gltf_carriers;

/* Animated properties: they must be written, because pointers refer to them. */
typedef struct facet_gltf_animated {
    bool *places, *visibility;     /* per node */
    bool *colors;                  /* per material: the base color is animated */
    uint32_t *transforms, *images; /* per material, as bits 1 << facet_map */
} facet_gltf_animated;

typedef struct facet_gltf_writer {
    const facet_scene *scene;
    const facet_options *options;
    facet_arena *arena;
    bool failed;               /* out of memory */
    facet_tally sheared;       /* nodes whose matrix is not a product of translation, rotation and
                                * scale */
    facet_tally renamed;       /* custom attributes with another name than their stream */
    const char *first_renamed; /* name of the first such stream; NULL: none */
    facet_lost_streams lost_streams;
    facet_json *root;
    facet_json *views, *accessors, *meshes, *materials, *textures, *samplers, *images, *nodes;
    facet_gltf_piece *pieces;
    uint32_t piece_count, piece_capacity;
    uint64_t size; /* current size of the buffer */
    facet_gltf_view_use
        shared_use; /* use of the last view of facet_gltf_share_view; 0: no view yet */
    uint32_t shared_view;
    uint64_t shared_offset, shared_end;
    facet_names known_samplers, known_textures; /* entries of the two arrays, as text */
    facet_names uris;                           /* URIs of images */
    uint32_t *uri_images;                       /* image of each URI */
    uint32_t uri_capacity;
    facet_output *beside;      /* output of separate images; NULL: they go into the buffer */
    facet_unique beside_names; /* names of these files */
    uint32_t *image_index;     /* JSON image of each scene image; FACET_NONE if it is not written */
    uint32_t material;         /* the scene's material that is being written */
    uint32_t *bare;            /* per material: its twin without textures, or FACET_NONE */
    facet_gltf_sections *sections; /* per mesh */
    facet_gltf_carriers *carriers; /* per node */
    uint32_t skin_root;            /* node above joints without a common root, or FACET_NONE */
    bool *is_rootless;             /* per skin: its joints are below that node */
    bool quantize, compress;
    facet_gltf_grid *grids; /* per mesh, if quantized */
    uint64_t expanded_size; /* size of the buffer before compression */
    facet_gltf_animated animated;
    bool uses_transform, uses_unlit, uses_strength, uses_pointer, uses_visibility, uses_lods,
        uses_lights;
    bool uses_extension[FACET_MATERIAL_EXTENSION_COUNT]; /* true if facet_material_extensions[i].key
                                                            is used */
    facet_names kept;                                    /* names of kept unknown extensions */
    bool uses_pictures[FACET_GLTF_PICTURES]; /* true if facet_gltf_pictures[i].extension is used */
} facet_gltf_writer;

static inline facet_report *facet_gltf_writer_report(const facet_gltf_writer *w)
{
    return w->options ? w->options->report : NULL;
}

/* scene.c: build the JSON and the plan from the scene. The caller provides root, arrays and
 * arena. */
facet_status facet_gltf_from_scene(facet_gltf_writer *w, facet_error *error);

/* json.c: functions that build values, in w->arena. They set w->failed if out of memory. */
/* Integers are printed without a decimal point; 0 if not finite. */
facet_json *facet_gltf_number(facet_gltf_writer *w, double value);
/* Move a value from malloc to w->arena; NULL if out of memory. */
facet_json *facet_gltf_adopt(facet_gltf_writer *w, facet_json *value);
facet_json *facet_gltf_floats(facet_gltf_writer *w, const float *values, size_t count);
void facet_gltf_put(facet_gltf_writer *w, facet_json *object, const char *key, facet_json *value);
void facet_gltf_append(facet_gltf_writer *w, facet_json *array, facet_json *value);
/* Put a string; invalid UTF-8 becomes U+FFFD. Does nothing for NULL or "". */
void facet_gltf_put_text(facet_gltf_writer *w, facet_json *object, const char *key,
                         const char *text);
/* A URI from a path: separators become /, special characters become %XX. NULL if out of memory. */
char *facet_gltf_uri_of_path(facet_arena *arena, const char *path);
void facet_gltf_put_uri(facet_gltf_writer *w, facet_json *object, const char *key,
                        const char *path);
/* Put extras from JSON text. Invalid text is dropped with a warning. */
void facet_gltf_put_extras(facet_gltf_writer *w, facet_json *object, const char *extras);
/* The same; without text, put the data of a console's file. */
void facet_gltf_put_file_extras(facet_gltf_writer *w, facet_json *object, const char *extras,
                                const facet_gx_file_part *file);
/* Put the extensions of a JSON text, or the members and extensions of an asset. Existing extensions
 * stay unchanged. */
void facet_gltf_put_kept(facet_gltf_writer *w, facet_json *object, const char *extensions);
void facet_gltf_put_asset(facet_gltf_writer *w, facet_json *object, const char *asset);
/* Put an array into the root, unless it is empty. */
void facet_gltf_put_array(facet_gltf_writer *w, const char *key, facet_json *array);

/* pieces.c */
/* Append a piece to the buffer, aligned to 4; NULL if out of memory. */
facet_gltf_piece *facet_gltf_add_piece(facet_gltf_writer *w, facet_gltf_piece_kind kind,
                                       uint64_t size);
/* Add a view of `size` bytes at `offset`. Stride and target 0: not written. */
uint32_t facet_gltf_add_view(facet_gltf_writer *w, uint64_t offset, uint64_t size, uint32_t stride,
                             int target);
/* A view for the last piece of the buffer. Extends the last view if it has the same use and ends
 * there. *offset becomes the piece's offset in the view. */
uint32_t facet_gltf_share_view(facet_gltf_writer *w, const facet_gltf_piece *piece,
                               facet_gltf_view_use use, uint64_t *offset);
/* Add an accessor. Returns its object, for min and max; NULL if out of memory. */
facet_json *facet_gltf_add_accessor(facet_gltf_writer *w, uint32_t view, uint64_t offset,
                                    uint32_t type, uint64_t count, const char *shape,
                                    uint32_t *index);
/* Add `count` elements of `width` floats, with an accessor. */
facet_json *facet_gltf_add_floats(facet_gltf_writer *w, const float *values, uint64_t count,
                                  uint32_t width, const char *shape, facet_gltf_view_use use,
                                  uint32_t *index);
/* Emit the bytes of one piece. `block` is working memory of FACET_GLTF_BLOCK bytes. */
#define FACET_GLTF_BLOCK ((size_t)64 * 1024)
void facet_gltf_emit_piece(const facet_gltf_piece *piece, uint8_t *block,
                           void (*emit)(void *user, const void *data, size_t size), void *user);
/* Write all pieces through `emit`, with zeros between them. */
facet_status facet_gltf_emit_pieces(const facet_gltf_writer *w,
                                    void (*emit)(void *user, const void *data, size_t size),
                                    void *user, facet_error *error);

/* quantize.c */
/* Create the grids of all meshes. */
void facet_gltf_make_grids(facet_gltf_writer *w);
/* Make a slot quantized, if KHR_mesh_quantization has a suitable integer type. */
void facet_gltf_quantize_slot(facet_gltf_slot *slot, const facet_gltf_grid *grid);
/* Store floats as those integers. */
void facet_gltf_store_quantized(const facet_gltf_slot *slot, const float *values, uint8_t *to);
/* The grid value of one coordinate of a position, or of a difference of positions. */
float facet_gltf_on_grid(const facet_gltf_slot *slot, uint32_t axis, float value);
/* Quantize differences of positions, to 8 bytes each; NULL if out of memory. */
void *facet_gltf_quantize_morph(facet_gltf_writer *w, const facet_stream *stream,
                                const facet_gltf_grid *grid);
/* Put the grid as a node's translation and scale. */
void facet_gltf_put_grid(facet_gltf_writer *w, facet_json *object, const facet_gltf_grid *grid);
/* Multiply `count` inverse bind matrices by the grid. */
void facet_gltf_bind_grid(const facet_scene *scene, const facet_gltf_grid *grids, float *matrices,
                          uint32_t count);

/* compress.c: compress all suitable pieces, and rebuild the layout of the buffer. */
facet_status facet_gltf_compress(facet_gltf_writer *w, facet_error *error);

facet_status facet_gltf_images_from_scene(facet_gltf_writer *w, facet_error *error);
void facet_gltf_materials_from_scene(facet_gltf_writer *w);
/* The material of a primitive, or its twin without maps if the primitive lacks texture coordinates
 * that the maps use. */
uint32_t facet_gltf_material_for(facet_gltf_writer *w, uint32_t material, uint32_t texcoord_sets);
/* order.c: the mesh, or a copy whose vertices have an order that compresses well. Sets the writer's
 * `failed` if out of memory. */
const facet_mesh *facet_gltf_order_vertices(facet_gltf_writer *w, const facet_mesh *mesh);
/* influences.c: the mesh, or a copy with joints and weights that glTF allows. */
const facet_mesh *facet_gltf_correct_influences(facet_gltf_writer *w, const facet_mesh *mesh,
                                                uint32_t number);
facet_status facet_gltf_meshes_from_scene(facet_gltf_writer *w, facet_error *error);
/* custom_names.c: the attribute name of each custom stream of a mesh, or NULL if out of memory. */
const char **facet_gltf_custom_names(facet_gltf_writer *w, const facet_mesh *mesh);
void facet_gltf_report_custom_names(const facet_gltf_writer *w);
void facet_gltf_nodes_from_scene(facet_gltf_writer *w);
void facet_gltf_skins_from_scene(facet_gltf_writer *w);
void facet_gltf_animations_from_scene(facet_gltf_writer *w);
/* Fill w->animated. */
void facet_gltf_find_animated(facet_gltf_writer *w);

/* The extensions of a JSON object; created if missing. */
facet_json *facet_gltf_extensions_of(facet_gltf_writer *w, facet_json *object);

/* cameras.c: write the cameras and lights, and a node's reference to a light. */
void facet_gltf_cameras_from_scene(facet_gltf_writer *w);
void facet_gltf_put_light_of(facet_gltf_writer *w, facet_json *node, uint32_t light);

/* The file's texture for another image with this texture's settings, or FACET_NONE if the image
 * cannot be written. */
uint32_t facet_gltf_texture_of(facet_gltf_writer *w, const facet_texture *texture, uint32_t image);
/* variants.c: write the names of the variants, and the replacement materials of a primitive. */
void facet_gltf_variants_from_scene(facet_gltf_writer *w);
void facet_gltf_put_variants_of(facet_gltf_writer *w, facet_json *primitive, uint32_t material,
                                uint32_t texcoord_sets);
/* Divisor of emissive colors: glTF stores emission above 1 as a separate factor. */
float facet_gltf_emissive_divisor(const facet_material *material);

#endif
