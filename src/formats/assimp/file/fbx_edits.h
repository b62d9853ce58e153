/* formats/assimp/file/fbx_edits.h - insertions and replacements of records in an FBX. */
#ifndef FACET_ASSIMP_FILE_FBX_EDITS_H
#define FACET_ASSIMP_FILE_FBX_EDITS_H

#include "formats/assimp/file/fbx.h"

typedef struct facet_fbx_edit {
    size_t at; /* offset in the file */
    const uint8_t *bytes;
    size_t size;
    size_t gone;   /* bytes of the file that it replaces */
    size_t before; /* size of the changes before; it wraps if the file gets shorter */
} facet_fbx_edit;

typedef struct facet_fbx_edits {
    const facet_fbx *fbx;
    facet_fbx_edit *items;
    uint32_t count, capacity;
    size_t total;
} facet_fbx_edits;

/* Insert a record before a byte of the file. facet_fbx_apply sets the end of a binary one. The ends
 * of records in its list are relative to its start. `bytes` must live as long. False if out of
 * memory. */
bool facet_fbx_insert(facet_fbx_edits *edits, const uint8_t *at, const uint8_t *bytes, size_t size);
/* The same, instead of a record of the file. With size 0, the record is removed. */
bool facet_fbx_replace(facet_fbx_edits *edits, const facet_fbx_record *record, const uint8_t *bytes,
                       size_t size);
/* Replace the bytes of the file by those with all changes. */
facet_status facet_fbx_apply(facet_fbx_edits *edits, const uint8_t **data, size_t *size,
                             facet_error *error);
/* The end of a list, before the empty record of a binary one; NULL if that is missing. */
const uint8_t *facet_fbx_end_of_list(const facet_fbx *fbx, facet_fbx_span list);
/* An id above those of all objects, which can be added. */
uint64_t facet_fbx_next_id(const facet_fbx *fbx);
/* fbx_copies.c: copy geometries whose nodes have different materials. The records are in new bytes
 * then: open them again. A copy that would exceed the budget of the file is left out. */
facet_status facet_fbx_copy_geometries(const facet_fbx *fbx, const uint8_t **data, size_t *size,
                                       facet_error *error);
/* fbx_shapes.c: insert the normals of shapes that have none. False if out of memory. */
bool facet_fbx_add_normals(facet_fbx_edits *edits);
/* Multiply the offsets of shapes by the weights of their vertices. False if out of memory. */
bool facet_fbx_scale_shapes(facet_fbx_edits *edits);
/* The only shape of a channel if its FullWeights are weights per vertex, as Blender writes them,
 * and if not all are 100; FACET_NONE otherwise. */
uint32_t facet_fbx_weighted_shape(const facet_fbx *fbx, uint32_t channel, double **weights,
                                  size_t *count);
/* fbx_smooth.c: replace the smoothing of geometries without normals by normals. */
facet_status facet_fbx_smooth_normals(facet_fbx_edits *edits, const facet_options *options,
                                      facet_report *report, facet_error *error);
/* fbx_images.c: remove damaged images from a text, and report them. False if out of memory. */
bool facet_fbx_drop_images(facet_fbx_edits *edits, facet_report *report);
/* Name images like their objects if their file name is a folder, as Blender writes packed images.
 * Only the first of them is in the file. False if out of memory. */
bool facet_fbx_name_images(facet_fbx_edits *edits);
/* fbx_layers.c: replace values of layers by one for each corner, if assimp does not know the
 * mapping. False if out of memory. */
bool facet_fbx_expand_layers(facet_fbx_edits *edits);

/* fbx_materials.c: give geometries without materials of faces the first one of their node. False if
 * out of memory. */
bool facet_fbx_add_materials(facet_fbx_edits *edits);

/* fbx_layered.c: remove the blend modes and opacities of layered textures. False if out of memory.
 */
bool facet_fbx_keep_layered(facet_fbx_edits *edits);

/* fbx_make.c: a record with one text. An array of doubles ('d'), or integers of 64 ('l') or 32 bits
 * ('i'). A curve with straight lines between its keys. NULL if out of memory. */
uint8_t *facet_fbx_make_text(const facet_fbx *fbx, const char *name, const char *text,
                             size_t *size);
uint8_t *facet_fbx_make_array(const facet_fbx *fbx, const char *name, char type,
                              const double *numbers, size_t count, size_t *size);
uint8_t *facet_fbx_make_curve(const facet_fbx *fbx, uint64_t id, const double *key_times,
                              const double *key_values, size_t count, size_t *size);
/* A layer of normals, one per corner. */
uint8_t *facet_fbx_make_normals(const facet_fbx *fbx, uint32_t number, const double *normals,
                                size_t count, size_t *size);
/* A layer that gives all faces the first material of their node, and the list that names it. */
uint8_t *facet_fbx_make_material(const facet_fbx *fbx, size_t *size);
uint8_t *facet_fbx_make_layer(const facet_fbx *fbx, const char *element, size_t *size);
/* A connection to a property of an object, or to the object if `property` is NULL. */
uint8_t *facet_fbx_make_link(const facet_fbx *fbx, uint64_t from, uint64_t to, const char *property,
                             size_t *size);

#endif
