/* gx/json/fields.h - short macros for tables of fields; only files with tables include it. A line
 * of a table is
 *
 *     {"key", KIND, AT(struct, member), .inner = 3},
 *
 * and gx/json/record.h describes a field. */
#ifndef FACET_GX_JSON_FIELDS_H
#define FACET_GX_JSON_FIELDS_H

#include "gx/json/record.h"

#include <stddef.h>

#define AT(type, member) .offset = offsetof(type, member), .bytes = sizeof(((type *)0)->member)

#define UNSIGNED FACET_GX_JSON_UNSIGNED
#define SIGNED FACET_GX_JSON_SIGNED
#define FLOAT FACET_GX_JSON_FLOAT
#define FLAG FACET_GX_JSON_FLAG
#define NAME FACET_GX_JSON_NAME
#define SCALED_UNSIGNED FACET_GX_JSON_SCALED_UNSIGNED
#define SCALED_SIGNED FACET_GX_JSON_SCALED_SIGNED
#define TEXTURE FACET_GX_JSON_TEXTURE
#define RECORD FACET_GX_JSON_RECORD
#define IGNORED FACET_GX_JSON_IGNORED

#endif
