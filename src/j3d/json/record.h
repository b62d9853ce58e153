/* j3d/json/record.h - structs as JSON and back, by tables that tell where each
 * field stands and what it is called. */
#ifndef FACET_J3D_JSON_RECORD_H
#define FACET_J3D_JSON_RECORD_H

#include "gx/enumerations.h"

#include <facet/j3d.h>
#include <jansson.h>

/* -- Tables ------------------------------------------------------------- */

/* What one number is to the reader of the JSON. */
typedef enum j3d_json_kind {
    J3D_JSON_UNSIGNED,
    J3D_JSON_SIGNED,
    J3D_JSON_FLOAT,
    J3D_JSON_FLAG,    /* true or false; other values are numbers */
    J3D_JSON_NAME,    /* of `names`; values without a name are numbers */
    J3D_JSON_SCALED,  /* number = stored integer / `scale` */
    J3D_JSON_TEXTURE, /* name of a texture, ":1" after the second of that name */
    J3D_JSON_RECORD,
    J3D_JSON_IGNORED /* dropped, and what is not null counted */
} j3d_json_kind;

typedef struct j3d_json_field {
    const char *key;
    j3d_json_kind kind;
    uint8_t size;   /* bytes of one number, or of one record in a list */
    uint8_t inner;  /* an element is an array of so many numbers; 0: one number */
    uint8_t outer;  /* a list of so many elements; 0: one element */
    bool is_signed; /* of J3D_JSON_SCALED */
    bool letters;   /* an element is an object with the keys R, G, B, A */
    bool quiet;     /* not written when it is the default; J3D_JSON_IGNORED: not counted */
    bool trim;      /* a list may end early: the rest is the default */
    bool optional;  /* null, or left out, when it is not given */
    uint8_t given_size;
    uint16_t stride; /* bytes from one element of a list to the next */
    uint16_t offset; /* in the struct */
    uint16_t given;  /* in the struct: a bool or mask */
    double scale;
    const facet_gx_enumeration *names;
    const struct j3d_json_record *record;
} j3d_json_field;

typedef struct j3d_json_record {
    const j3d_json_field *fields;
    size_t count;
} j3d_json_record;

/* json_tables.c */
extern const j3d_json_record facet_j3d_json_material, facet_j3d_json_joint, facet_j3d_json_shape,
    facet_j3d_json_texture;
/* json_superbmd.c: the JSON files of SuperBMD, by RenolY2 and by Sage of Mirrors */
extern const j3d_json_record facet_j3d_superbmd_material, facet_j3d_superbmd_texture,
    facet_j3d_superbmd_texture_of_sage;

/* -- Both ways ---------------------------------------------------------- */

typedef struct j3d_json_context {
    const facet_j3d_names *textures;     /* that J3D_JSON_TEXTURE names */
    const uint32_t *texture_occurrences; /* for writing */
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
} j3d_json_context;

/* Where in the JSON a value stands: keys and indices up to the root. */
typedef struct j3d_json_place {
    const struct j3d_json_place *up;
    const char *key; /* NULL: `index` of an array */
    size_t index;
} j3d_json_place;

/* "materials[2].texgens[0].type: ..." */
facet_status facet_j3d_json_fail(const j3d_json_context *context, const j3d_json_place *place,
                                 const char *format, ...) FACET_PRINTF(3, 4);

/* A value as an object; `standard` is a struct of defaults. NULL without memory. */
json_t *facet_j3d_json_encode(const j3d_json_context *context, const j3d_json_record *record,
                              const void *value, const void *standard);
/* Put what an object says over a struct; what it does not speak of stays.
 * `keys` (NULL-terminated, or NULL) are keys that the caller reads himself. */
facet_status facet_j3d_json_decode(j3d_json_context *context, const j3d_json_place *place,
                                   const j3d_json_record *record, const json_t *object,
                                   const char *const *keys, void *value);

/* -- Names of materials and textures (json_names.c) --------------------- */

/* How many names before each are the same, in `arena`; NULL without memory. Linear. */
const uint32_t *facet_j3d_json_occurrences(const facet_j3d_names *names, facet_arena *arena);
/* "tex", or "tex:2" for the third of that name, as UTF-8; the index when there is
 * no name; NULL without memory. */
json_t *facet_j3d_json_name(const facet_j3d_names *names, const uint32_t *occurrences,
                            uint32_t index);
/* What is called so, or UINT32_MAX. */
uint32_t facet_j3d_json_find(const facet_j3d_names *names, const char *name);
/* "body, eye", as much as there is space for; "" when there are none. */
void facet_j3d_json_list_names(const facet_j3d_names *names, char *text, size_t size);

/* -- Values ------------------------------------------------------------- */

/* These take the value over and may get NULL: false without memory. */
bool facet_j3d_json_put(json_t *object, const char *key, json_t *value);
bool facet_j3d_json_append(json_t *array, json_t *value);
/* A float by the shortest decimal that gives it back; NaN and the infinities as
 * their bits, "0x7FC00000". */
json_t *facet_j3d_json_float(float value);

#endif
