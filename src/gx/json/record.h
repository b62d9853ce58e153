/* gx/json/record.h - structs as JSON and back, by tables that tell where each
 * field stands and what it is called. */
#ifndef FACET_GX_JSON_RECORD_H
#define FACET_GX_JSON_RECORD_H

#include "base/json.h"
#include "gx/enumerations.h"

#include <facet/base.h>

/* -- Tables ------------------------------------------------------------- */

/* What one number is to the reader of the JSON. */
typedef enum facet_gx_json_kind {
    FACET_GX_JSON_UNSIGNED,
    FACET_GX_JSON_SIGNED,
    FACET_GX_JSON_FLOAT,
    FACET_GX_JSON_FLAG,            /* true or false; other values are numbers */
    FACET_GX_JSON_NAME,            /* of `names`; values without a name are numbers */
    FACET_GX_JSON_SCALED_UNSIGNED, /* number = stored integer / `scale` */
    FACET_GX_JSON_SCALED_SIGNED,
    FACET_GX_JSON_TEXTURE, /* 16 bits: of context->textures, by name */
    FACET_GX_JSON_RECORD,
    FACET_GX_JSON_IGNORED /* read and dropped, and what is not null counted */
} facet_gx_json_kind;

/* One field: a number, an array of `inner` numbers, a record; or a list of
 * `outer` of these, which stand one behind the other. */
typedef struct facet_gx_json_field {
    const char *key;
    facet_gx_json_kind kind;
    uint16_t offset, bytes; /* of all of it, in the struct */
    uint8_t inner;          /* numbers of an array; 0: no array */
    uint8_t outer;          /* elements of a list; 0: no list */
    bool letters;           /* an array of four is an object with the keys R, G, B, A */
    bool quiet;             /* not written when it is the default; IGNORED: not counted */
    bool trim;              /* a list may end early: the rest is the default */
    uint8_t given_bytes; /* 1, 2 or 4: the field may be absent, null or left out; 0: it may not */
    uint16_t given;      /* in the struct: a bool, or of a list a mask of what is not absent */
    double scale;
    const facet_gx_enumeration *names; /* of any number of one byte: what it may be */
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

/* -- Both ways ---------------------------------------------------------- */

/* Things that numbers stand for and that have names, as textures. */
typedef struct facet_gx_json_names {
    const void *user;
    uint32_t count;
    facet_json *(*name)(const void *user, uint32_t index);   /* NULL without memory */
    uint32_t (*find)(const void *user, const char *name);    /* UINT32_MAX: there is none */
    void (*list)(const void *user, char *text, size_t size); /* all, for a message; "" for none */
} facet_gx_json_names;

typedef struct facet_gx_json_context {
    const facet_gx_json_names *textures; /* NULL: there are none */
    bool superbmd; /* SuperBMD's names, and its tolerance: keys that are not known are
                      counted, lists may be too long */
    bool whole;    /* what is not given is written as null, and lists to their end: put over
                      another value they make it this one */
    size_t unknown_keys;
    size_t dropped_values;   /* of keys that are known, and yet have no place */
    const char *dropped_key; /* of the first of them */
    facet_status status;     /* of errors */
    const char *rule;        /* of errors: which JSON it is */
    const char *what;        /* "extras": before the place in messages; "" for a file, which
                                whoever shows the message names */
    facet_error *error;
} facet_gx_json_context;

/* The context for reading extras: what is wrong is FACET_ERROR_MALFORMED, J3D-JSON. */
static inline facet_gx_json_context facet_gx_json_extras_context(facet_error *error)
{
    facet_gx_json_context context = {
        .status = FACET_ERROR_MALFORMED, .rule = "J3D-JSON", .what = "extras", .error = error};
    return context;
}

/* Where in the JSON a value stands: keys and indices up to the root. */
typedef struct facet_gx_json_place {
    const struct facet_gx_json_place *up;
    const char *key; /* NULL: `index` of an array */
    size_t index;
} facet_gx_json_place;

/* "materials[2].texgens[0].type: ..." */
facet_status facet_gx_json_fail(const facet_gx_json_context *context,
                                const facet_gx_json_place *place, const char *format, ...)
    FACET_PRINTF(3, 4);

/* A value as an object; `standard` is a struct of defaults. NULL without memory. */
facet_json *facet_gx_json_encode(const facet_gx_json_context *context,
                                 const facet_gx_json_record *record, const void *value,
                                 const void *standard);
/* Put what an object says over a struct; what it does not speak of stays.
 * `keys` (NULL-terminated, or NULL) are keys that the caller reads himself. */
facet_status facet_gx_json_decode(facet_gx_json_context *context, const facet_gx_json_place *place,
                                  const facet_gx_json_record *record, const facet_json *object,
                                  const char *const *keys, void *value);

/* An order of structs in which those are equal that have the same values, as far as the record
 * tells of them. */
int facet_gx_json_compare(const facet_gx_json_record *record, const void *left, const void *right);

/* A float by the shortest decimal that gives it back; NaN and the infinities as
 * their bits, "0x7FC00000". */
facet_json *facet_gx_json_float(float value);

#endif
