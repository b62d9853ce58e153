/* gx/json/record.h - structs as JSON and back, by tables with the offset and key of each field. */
#ifndef FACET_GX_JSON_RECORD_H
#define FACET_GX_JSON_RECORD_H

#include "base/json.h"
#include "gx/enumerations.h"

#include <facet/base.h>

/* -- Tables ------------------------------------------------------------- */

/* Representation of one number in the JSON. */
typedef enum facet_gx_json_kind {
    FACET_GX_JSON_UNSIGNED,
    FACET_GX_JSON_SIGNED,
    FACET_GX_JSON_FLOAT,
    FACET_GX_JSON_FLAG,            /* true or false; other values are numbers */
    FACET_GX_JSON_NAME,            /* a name of `names`; values without a name are numbers */
    FACET_GX_JSON_SCALED_UNSIGNED, /* number = stored integer / `scale` */
    FACET_GX_JSON_SCALED_SIGNED,
    FACET_GX_JSON_TEXTURE, /* 16 bits: a name of context->textures */
    FACET_GX_JSON_RECORD,
    FACET_GX_JSON_IGNORED /* read and dropped; non-null values are counted */
} facet_gx_json_kind;

/* One field: a number, an array of `inner` numbers, a record, or a list of `outer` of these, stored
 * one after the other. */
typedef struct facet_gx_json_field {
    const char *key;
    facet_gx_json_kind kind;
    uint16_t offset, bytes; /* offset in the struct, and total size */
    uint8_t inner;          /* length of an array; 0: not an array */
    uint8_t outer;          /* length of a list; 0: not a list */
    bool letters;           /* arrays of four become objects with the keys R, G, B, A */
    bool quiet;             /* not written if it is the default; IGNORED: not counted */
    bool trim;              /* a list can end early; the rest is the default */
    uint8_t given_bytes;    /* size of `given`: 1, 2 or 4 if the value can be missing or null; 0 if
                               not */
    uint16_t given;         /* offset in the struct: a bool, or for a list a mask of elements
                               present */
    double scale;
    const facet_gx_enumeration *names; /* for any number of one byte: its enumeration */
    const struct facet_gx_json_record *record;
} facet_gx_json_field;

typedef struct facet_gx_json_record {
    const facet_gx_json_field *fields;
    size_t count;
} facet_gx_json_record;

#define FACET_GX_JSON_TABLE(fields)              \
    {                                            \
        fields, sizeof fields / sizeof fields[0] \
    }

/* -- Both directions ---------------------------------------------------- */

/* Objects that numbers refer to and that have names, for example textures. */
typedef struct facet_gx_json_names {
    const void *user;
    uint32_t count;
    facet_json *(*name)(const void *user, uint32_t index);   /* NULL if out of memory */
    uint32_t (*find)(const void *user, const char *name);    /* UINT32_MAX: not found */
    void (*list)(const void *user, char *text, size_t size); /* all names, for a message; "" if
                                                                empty */
} facet_gx_json_names;

typedef struct facet_gx_json_context {
    const facet_gx_json_names *textures; /* NULL: no textures */
    bool superbmd; /* use SuperBMD's names and rules: unknown keys are counted, lists can be too
                      long */
    bool whole;    /* write missing values as null, and lists to their end; decoding this over
                      another value then gives an equal value */
    size_t unknown_keys;
    size_t dropped_values;   /* values of known keys that no field can store */
    const char *dropped_key; /* the key of the first dropped value */
    facet_status status;     /* status of errors */
    const char *rule;        /* rule of errors: names the kind of JSON */
    const char *what;        /* prefix of messages, for example "extras"; "" for a file, if the
                                caller prints its name */
    facet_error *error;
} facet_gx_json_context;

/* The context for reading extras: errors are FACET_ERROR_MALFORMED with J3D-JSON. */
static inline facet_gx_json_context facet_gx_json_extras_context(facet_error *error)
{
    facet_gx_json_context context = {
        .status = FACET_ERROR_MALFORMED, .rule = "J3D-JSON", .what = "extras", .error = error};
    return context;
}

/* The path of a value in the JSON: keys and indices up to the root. */
typedef struct facet_gx_json_path {
    const struct facet_gx_json_path *up;
    const char *key; /* NULL: `index` of an array */
    size_t index;
} facet_gx_json_path;

/* Fail with the path before the message: "materials[2].texgens[0].type: ..." */
facet_status facet_gx_json_fail(const facet_gx_json_context *context,
                                const facet_gx_json_path *place, const char *format, ...)
    FACET_PRINTF(3, 4);

/* A value as an object. `standard` is a struct of defaults. NULL if out of memory. */
facet_json *facet_gx_json_encode(const facet_gx_json_context *context,
                                 const facet_gx_json_record *record, const void *value,
                                 const void *standard);
/* Read an object into a struct; members without a key are unchanged. The caller reads the keys in
 * `keys` (NULL-terminated, or NULL). */
facet_status facet_gx_json_decode(facet_gx_json_context *context, const facet_gx_json_path *place,
                                  const facet_gx_json_record *record, const facet_json *object,
                                  const char *const *keys, void *value);

/* Compare two structs for sorting; 0 if all values in the record are equal. */
int facet_gx_json_compare(const facet_gx_json_record *record, const void *left, const void *right);

/* A float as the shortest decimal that reads back as it. NaN and infinities become their bits,
 * "0x7FC00000". */
facet_json *facet_gx_json_float(float value);

#endif
