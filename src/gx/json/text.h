/* gx/json/text.h - JSON as text: the extras of a scene, and files. */
#ifndef FACET_GX_JSON_TEXT_H
#define FACET_GX_JSON_TEXT_H

#include <facet/base.h>
#include <jansson.h>

/* -- Building ------------------------------------------------------------ */

/* These take a value over, whether they can do their work or not; object, array
 * and value may be NULL for want of memory: then they return false, or NULL. */

bool facet_gx_json_put(json_t *object, const char *key, json_t *value);
bool facet_gx_json_append(json_t *array, json_t *value);
/* The value, if all of it is there; else it is released, and the result NULL. */
json_t *facet_gx_json_if(bool ok, json_t *value);
/* {"name": ..., the rest of `object`}: names stand first. */
json_t *facet_gx_json_with_name(json_t *name, json_t *object);

/* -- Text --------------------------------------------------------------- */

/* The text of {"j3d": {key: value}}, in `arena`. */
const char *facet_gx_json_extras(const char *key, json_t *value, facet_arena *arena);
/* An object for a file, {"format": ..., "version": 1}, and its text, indented. */
json_t *facet_gx_json_file(const char *format);
const char *facet_gx_json_file_text(json_t *file, facet_arena *arena);

/* What extras say under "j3d" and `key`, or NULL. `extras` may be NULL or no JSON.
 * Release *root when done. */
const json_t *facet_gx_json_of_extras(const char *extras, const char *key, json_t **root);

#endif
