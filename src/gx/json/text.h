/* gx/json/text.h - JSON as text: the extras of a scene, and files. */
#ifndef FACET_GX_JSON_TEXT_H
#define FACET_GX_JSON_TEXT_H

#include "base/json.h"
#include <facet/base.h>

/* -- Building ------------------------------------------------------------ */

/* These functions take ownership of the value, also if they fail. Object, array and value can be
 * NULL after an allocation failed: the result is then false or NULL. */

bool facet_gx_json_put(facet_json *object, const char *key, facet_json *value);
bool facet_gx_json_append(facet_json *array, facet_json *value);
/* The value if `ok`; else release it and return NULL. */
facet_json *facet_gx_json_if(bool ok, facet_json *value);
/* {"name": ..., the rest of `object`}: the name is first. */
facet_json *facet_gx_json_with_name(facet_json *name, facet_json *object);

/* -- Text --------------------------------------------------------------- */

/* The text of extras, in `arena`. Takes ownership of `extras`. */
const char *facet_gx_json_extras_text(facet_json *extras, facet_arena *arena);
/* Create the object of a file, {"format": ..., "version": 1}, and convert it to indented text. */
facet_json *facet_gx_json_file(const char *format);
const char *facet_gx_json_file_text(facet_json *file, facet_arena *arena);

/* The value under "j3d" and `key`, or NULL. `extras` can be NULL. */
const facet_json *facet_gx_json_in_extras(const facet_json *extras, const char *key);

#endif
