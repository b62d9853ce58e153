/* formats/gltf/file/parse.h - shared functions of the parts that fill facet_gltf_document. `status`
 * keeps the first failure; after it, all functions return nothing, and callers may continue. */
#ifndef FACET_GLTF_FILE_PARSE_H
#define FACET_GLTF_FILE_PARSE_H

#include "base/json.h"
#include "formats/gltf/file/document.h"

typedef struct facet_gltf_parser {
    facet_arena *arena;
    facet_gltf_document *document;
    const facet_json *root;
    facet_status status;
    facet_error *error;
} facet_gltf_parser;

/* The parts, in the order of their calls. */
void facet_gltf_parse_buffers(facet_gltf_parser *p); /* buffers, views, accessors */
void facet_gltf_parse_meshes(facet_gltf_parser *p);
void facet_gltf_parse_materials(facet_gltf_parser *p); /* also textures, images, samplers */
void facet_gltf_parse_nodes(facet_gltf_parser *p);     /* also scenes, skins, cameras, lights */
void facet_gltf_parse_animations(facet_gltf_parser *p);

/* kept.c: unknown extensions that are kept, each counted in document->uses. */
/* Count the uses of each extension that the file lists. */
void facet_gltf_count_extensions(facet_gltf_parser *p);
/* The kept extensions of an object, as JSON text, or NULL. */
const char *facet_gltf_kept_extensions(facet_gltf_parser *p, const facet_json *object);
/* The kept data of the asset: copyright, extras and extensions. */
const char *facet_gltf_kept_asset(facet_gltf_parser *p, const facet_json *asset);

/* parse_values.c: typed members. A member of the wrong type counts as missing, except where
 * noted. */

/* Fail with GLTF-PROPERTY and this message; returns false. */
bool facet_gltf_property_fault(facet_gltf_parser *p, const char *format, ...) FACET_PRINTF(2, 3);
/* Check that every index, size and name below the root is valid. Indices, known by their names, are
 * integers of 31 bits. JSON has one kind of number: 16.0 is an integer. */
void facet_gltf_check_members(facet_gltf_parser *p);
/* The same for a member of an extension, if it is present. */
void facet_gltf_check_member(facet_gltf_parser *p, const facet_json *object, const char *key,
                             const char *where);

/* Return the block; if it is NULL, record that memory ran out. */
void *facet_gltf_made(facet_gltf_parser *p, void *block);
/* `count` zeroed structs; NULL if count is 0 or after a failure. */
void *facet_gltf_make(facet_gltf_parser *p, size_t count, size_t size);

/* An array of objects; NULL if missing, an error if it is anything else. */
const facet_json *facet_gltf_objects(facet_gltf_parser *p, const facet_json *object,
                                     const char *key);
/* The array of this name at the root, and one struct of `size` bytes for each entry. */
void *facet_gltf_entries(facet_gltf_parser *p, const char *key, size_t size,
                         const facet_json **list, uint32_t *count);
/* The object of an extension; NULL if it is not an object. */
const facet_json *facet_gltf_extension(const facet_json *object, const char *name);

/* FACET_NONE if missing. */
uint32_t facet_gltf_index_of(const facet_json *value);
uint32_t facet_gltf_index(const facet_json *object, const char *key);
/* A non-negative integer. */
uint64_t facet_gltf_size(const facet_json *object, const char *key, uint64_t otherwise);
float facet_gltf_real(const facet_json *object, const char *key, float otherwise);
bool facet_gltf_flag(const facet_json *object, const char *key);
/* A string member. `otherwise`, the default, is not copied. */
const char *facet_gltf_text(facet_gltf_parser *p, const facet_json *object, const char *key,
                            const char *otherwise);
/* The same for a key, which is already text. */
const char *facet_gltf_key(facet_gltf_parser *p, const char *key);
/* The URI of an object; NULL if missing. A NUL inside is an error, since the file name would end
 * there. */
const char *facet_gltf_uri(facet_gltf_parser *p, const facet_json *object);
/* A value as JSON text; NULL for NULL and for null. */
const char *facet_gltf_print(facet_gltf_parser *p, const facet_json *value);
/* The extras of an object as JSON text, or NULL. */
const char *facet_gltf_extras(facet_gltf_parser *p, const facet_json *object);

/* Lists; NULL and 0 if missing. */
uint32_t *facet_gltf_indices(facet_gltf_parser *p, const facet_json *object, const char *key,
                             uint32_t *count);
const char **facet_gltf_texts(facet_gltf_parser *p, const facet_json *array, uint32_t *count);
float *facet_gltf_reals(facet_gltf_parser *p, const facet_json *object, const char *key,
                        uint32_t *count);
/* Read exactly `count` numbers. Any other length is an error of entry `index` of `list`. False if
 * the member is missing or after the error. */
bool facet_gltf_fixed(facet_gltf_parser *p, const facet_json *object, const char *key, size_t count,
                      float *values, const char *list, size_t index);

#endif
