/* base/json_value.h - what a JSON value is made of. */
#ifndef FACET_BASE_JSON_VALUE_H
#define FACET_BASE_JSON_VALUE_H

#include "base/json.h"
#include "base/table.h"

typedef enum facet_json_kind {
    FACET_JSON_IS_NULL,
    FACET_JSON_IS_BOOLEAN,
    FACET_JSON_IS_INTEGER,
    FACET_JSON_IS_REAL,
    FACET_JSON_IS_STRING,
    FACET_JSON_IS_ARRAY,
    FACET_JSON_IS_OBJECT
} facet_json_kind;

typedef struct facet_json_member {
    char *key; /* NULL in arrays */
    size_t length;
    facet_json *value;
} facet_json_member;

struct facet_json {
    facet_json_kind kind;
    size_t owners; /* 0: it is always there */
    union {
        int64_t integer; /* booleans, too */
        double real;
        struct {
            char *text;
            size_t length;
        } string;
        struct {
            facet_json_member *items;
            size_t count, capacity;
            facet_names *index; /* of the keys, once there are many */
        } list;
    } as;
};

/* A key of `length` bytes, which must be UTF-8 already. */
bool facet_json_set_text(facet_json *object, const char *key, size_t length, facet_json *value);
/* The member of a key, or SIZE_MAX. */
size_t facet_json_find(const facet_json *object, const char *key, size_t length);

#endif
