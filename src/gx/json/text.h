/* gx/json/text.h - JSON as text: the extras of a scene, and files. */
#ifndef FACET_GX_JSON_TEXT_H
#define FACET_GX_JSON_TEXT_H

#include "base/json.h"
#include <facet/base.h>

/* -- Building ------------------------------------------------------------ */

/* These take a value over, whether they can do their work or not; object, array
 * and value may be NULL for want of memory: then they return false, or NULL. */

bool facet_gx_json_put(facet_json *object, const char *key, facet_json *value);
bool facet_gx_json_append(facet_json *array, facet_json *value);
/* The value, if all of it is there; else it is released, and the result NULL. */
facet_json *facet_gx_json_if(bool ok, facet_json *value);
/* {"name": ..., the rest of `object`}: names stand first. */
facet_json *facet_gx_json_with_name(facet_json *name, facet_json *object);

/* -- Text --------------------------------------------------------------- */

/* The text of extras, in `arena`; takes them over. */
const char *facet_gx_json_extras_text(facet_json *extras, facet_arena *arena);
/* An object for a file, {"format": ..., "version": 1}, and its text, indented. */
facet_json *facet_gx_json_file(const char *format);
const char *facet_gx_json_file_text(facet_json *file, facet_arena *arena);

/* What extras say under "j3d" and `key`, or NULL. `extras` may be NULL. */
const facet_json *facet_gx_json_in_extras(const facet_json *extras, const char *key);

#endif
