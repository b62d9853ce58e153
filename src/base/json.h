/* base/json.h - JSON: a tree of values, read from text and written as text.
 *
 * A value has owners: who makes it is one, an array or object that takes it over
 * becomes one. What makes a value returns NULL without memory; what takes one
 * over takes NULL too, and then fails, so that only the end must be looked at.
 * What asks a value takes NULL and values of another kind, and answers with
 * nothing: NULL, 0 or false. */
#ifndef FACET_BASE_JSON_H
#define FACET_BASE_JSON_H

#include <facet/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct facet_json facet_json;

/* -- Making ------------------------------------------------------------- */

/* null, true and false are always there, and belong to nobody. */
facet_json *facet_json_null(void);
facet_json *facet_json_boolean(bool value);
facet_json *facet_json_integer(int64_t value);
facet_json *facet_json_real(double value); /* NULL when it is not finite */
/* Copied; NULL when it is not UTF-8. */
facet_json *facet_json_string(const char *text);
facet_json *facet_json_text(const char *text, size_t length);
/* Any bytes, for a tree that is never written: names of files need not be UTF-8. */
facet_json *facet_json_bytes(const char *bytes, size_t length);
facet_json *facet_json_array(void);
facet_json *facet_json_object(void);

facet_json *facet_json_keep(facet_json *value); /* one owner more; returns the value */
void facet_json_free(facet_json *value);        /* one owner less */

/* Put a value, which is taken over in any case, at the end of an array; under a
 * key of an object, where it replaces what is there. Keys keep their order. A key
 * is copied. False without memory, and when one of the two is NULL. */
bool facet_json_append(facet_json *array, facet_json *value);
bool facet_json_set(facet_json *object, const char *key, facet_json *value);
/* Every member of `from`, which stays as it is, into `object`. */
bool facet_json_update(facet_json *object, const facet_json *from);

/* False of NULL, and of an array or object that lacks what was put into it, because there was no
 * memory: a tree is made by many calls, and this is asked once. Does not look into members;
 * facet_json_print does, and then returns NULL. */
bool facet_json_is_complete(const facet_json *value);

/* -- Asking ------------------------------------------------------------- */

bool facet_json_is_null(const facet_json *value);
bool facet_json_is_boolean(const facet_json *value);
bool facet_json_is_true(const facet_json *value);
bool facet_json_is_integer(const facet_json *value);
bool facet_json_is_real(const facet_json *value);
bool facet_json_is_number(const facet_json *value); /* an integer or a real */
bool facet_json_is_string(const facet_json *value);
bool facet_json_is_array(const facet_json *value);
bool facet_json_is_object(const facet_json *value);

int64_t facet_json_integer_value(const facet_json *value);
double facet_json_number_value(const facet_json *value);
const char *facet_json_string_value(const facet_json *value); /* ends with a NUL */
size_t facet_json_string_length(const facet_json *value);
size_t facet_json_array_size(const facet_json *array);
facet_json *facet_json_array_get(const facet_json *array, size_t index);
size_t facet_json_object_size(const facet_json *object);
facet_json *facet_json_object_get(const facet_json *object, const char *key);
/* Member `index` of an object, in the order of the text. */
const char *facet_json_object_key(const facet_json *object, size_t index);
facet_json *facet_json_object_value(const facet_json *object, size_t index);

/* -- Text --------------------------------------------------------------- */

/* Arrays and objects lie within one another up to this depth. */
#define FACET_JSON_DEPTH 512

/* What is wrong with a text, and where. */
typedef struct facet_json_fault {
    size_t position; /* in bytes */
    size_t line;     /* from 1 */
    bool memory;     /* nothing is wrong: there is no memory for the values */
    char text[120];  /* a sentence without its line */
} facet_json_fault;

/* Put together by |. */
typedef enum facet_json_flags {
    FACET_JSON_UNIQUE_KEYS = 1, /* a key twice in an object is a fault; else the last counts */
    FACET_JSON_NUL = 2,         /* strings, but not keys, may hold U+0000 */
    FACET_JSON_LARGE = 4        /* integers that need more than 64 bits are reals */
} facet_json_flags;

/* Read a whole text as RFC 8259 has it, in UTF-8 without a mark. Integers that
 * need more than 64 bits (without FACET_JSON_LARGE) and reals beyond a double are faults. NULL
 * without memory, too. */
facet_json *facet_json_read(const char *text, size_t size, unsigned flags, facet_json_fault *fault);
/* The same in an arena, to which the whole tree belongs: the tree cannot be changed, but its values
 * may go into other trees for as long as the arena lives. Without memory the arena remembers why.
 */
facet_json *facet_json_read_in(facet_arena *arena, const char *text, size_t size, unsigned flags,
                               facet_json_fault *fault);
/* The same of a string, without flags; NULL for NULL, too. */
facet_json *facet_json_read_text(const char *text);

typedef struct facet_json_style {
    unsigned indent; /* spaces for each level; 0: all in one line, without spaces */
    unsigned digits; /* of reals; 0: 17, which give every double back */
    bool shortest;   /* reals in the fewest digits that give them back, whatever `digits` is */
    bool sorted;     /* keys in the order of their bytes */
    bool tame;       /* characters that steer a terminal as \uNNNN */
} facet_json_style;

/* The text of a value: release it by free(). NULL without memory, for NULL, and
 * when an array or object within is not complete.
 * style may be NULL. */
char *facet_json_print(const facet_json *value, const facet_json_style *style);

#endif
