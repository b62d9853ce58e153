/* formats/gltf/file/parse.h - what the parts that fill in facet_gltf_document share. The
 * first failure stays in `status`; after it nothing is made, and every part may go on
 * until it looks. */
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

/* The parts, in the order in which they are called. */
void facet_gltf_parse_buffers(facet_gltf_parser *p); /* buffers, views, accessors */
void facet_gltf_parse_meshes(facet_gltf_parser *p);
void facet_gltf_parse_materials(facet_gltf_parser *p); /* textures, images, samplers, too */
void facet_gltf_parse_nodes(facet_gltf_parser *p);     /* scenes, skins, cameras, lights, too */
void facet_gltf_parse_animations(facet_gltf_parser *p);

/* kept.c: extensions that are only kept, each counted in document->uses. */
/* Count how often each extension that the file lists is there. */
void facet_gltf_count_extensions(facet_gltf_parser *p);
/* What is kept of an object's extensions, as JSON text, or NULL. */
const char *facet_gltf_kept_extensions(facet_gltf_parser *p, const facet_json *object);
/* The same of the asset: copyright, extras and extensions. */
const char *facet_gltf_kept_asset(facet_gltf_parser *p, const facet_json *asset);

/* parse_values.c: typed members. What is not there, or of another type, is as if it
 * were not given, unless it says otherwise. */

/* GLTF-PROPERTY with this sentence; returns false. */
bool facet_gltf_property_fault(facet_gltf_parser *p, const char *format, ...) FACET_PRINTF(2, 3);
/* Every index, size and name below the root is one: what is an index by its name, is an
 * integer of 31 bits. JSON has one kind of number: 16.0 is an integer. */
void facet_gltf_check_members(facet_gltf_parser *p);
/* The same for a member that lies in an extension, if it is there. */
void facet_gltf_check_member(facet_gltf_parser *p, const facet_json *object, const char *key,
                             const char *where);

/* What was made; without memory (NULL) the failure is kept. */
void *facet_gltf_made(facet_gltf_parser *p, void *block);
/* So many structs of zeros; NULL for none, and after a failure. */
void *facet_gltf_make(facet_gltf_parser *p, size_t count, size_t size);

/* An array of objects, NULL when it is not there; anything else is a fault. */
const facet_json *facet_gltf_objects(facet_gltf_parser *p, const facet_json *object,
                                     const char *key);
/* The array of this name at the root, and one struct of `size` for each of its entries. */
void *facet_gltf_entries(facet_gltf_parser *p, const char *key, size_t size,
                         const facet_json **list, uint32_t *count);
/* What an extension says; NULL when that is no object. */
const facet_json *facet_gltf_extension(const facet_json *object, const char *name);

/* FACET_NONE without. */
uint32_t facet_gltf_index_of(const facet_json *value);
uint32_t facet_gltf_index(const facet_json *object, const char *key);
/* An integer that is not negative. */
uint64_t facet_gltf_size(const facet_json *object, const char *key, uint64_t otherwise);
float facet_gltf_real(const facet_json *object, const char *key, float otherwise);
bool facet_gltf_flag(const facet_json *object, const char *key);
/* `otherwise` is not copied. */
const char *facet_gltf_text(facet_gltf_parser *p, const facet_json *object, const char *key,
                            const char *otherwise);
/* The same of a key, which is text. */
const char *facet_gltf_key(facet_gltf_parser *p, const char *key);
/* Of a file: NULL without, and a NUL in it is a fault, since it would name another. */
const char *facet_gltf_uri(facet_gltf_parser *p, const facet_json *object);
/* A value as text; NULL for NULL and for null. */
const char *facet_gltf_print(facet_gltf_parser *p, const facet_json *value);
/* The same of an object's extras. */
const char *facet_gltf_extras(facet_gltf_parser *p, const facet_json *object);

/* Lists; NULL and 0 without. */
uint32_t *facet_gltf_indices(facet_gltf_parser *p, const facet_json *object, const char *key,
                             uint32_t *count);
const char **facet_gltf_texts(facet_gltf_parser *p, const facet_json *array, uint32_t *count);
float *facet_gltf_reals(facet_gltf_parser *p, const facet_json *object, const char *key,
                        uint32_t *count);
/* `count` numbers, if they are there; any other number of them is a fault of entry `index`
 * of `list`. False when they are not there, and after the fault. */
bool facet_gltf_fixed(facet_gltf_parser *p, const facet_json *object, const char *key, size_t count,
                      float *values, const char *list, size_t index);

#endif
