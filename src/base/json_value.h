/* base/json_value.h - the representation of a JSON value. */
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
    char *key;
    size_t length;
    facet_json *value;
} facet_json_member;

typedef struct facet_json_members {
    facet_names *index; /* index of the keys, for objects with many members */
    facet_json_member items[];
} facet_json_members;

/* Small, because a value can need as few as two bytes of text: "0,". */
struct facet_json {
    uint32_t kind;   /* facet_json_kind */
    uint32_t owners; /* 0: a constant */
    union {
        int64_t integer; /* also of booleans */
        double real;
        size_t length; /* of a string; its bytes and a NUL follow */
        struct {
            union {
                facet_json **values;         /* of an array */
                facet_json_members *members; /* of an object */
            } of;
            uint32_t count;
            uint32_t capacity : 31, is_incomplete : 1;
        } list;
    } as;
};

static inline char *facet_json_characters(const facet_json *string)
{
    return (char *)string + offsetof(struct facet_json, as) + sizeof(size_t);
}

/* More functions for values in an arena; NULL for none. */
facet_json *facet_json_make_in(facet_arena *arena, facet_json_kind kind); /* all zeros */
facet_json *facet_json_bytes_in(facet_arena *arena, const char *bytes, size_t length);
/* Set a member whose key has `length` bytes of valid UTF-8. */
bool facet_json_set_text_in(facet_arena *arena, facet_json *object, const char *key, size_t length,
                            facet_json *value);
bool facet_json_set_text(facet_json *object, const char *key, size_t length, facet_json *value);
/* Shrink the memory of an array or object to its content. */
void facet_json_fit(facet_arena *arena, facet_json *list);

/* Index of the member with a key, or SIZE_MAX. */
size_t facet_json_find(const facet_json *object, const char *key, size_t length);

#endif
