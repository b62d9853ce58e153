/* formats/gltf/file/parse_values.c - members of the JSON of a glTF, each as the type that the
 * schema gives it. */
#include "formats/gltf/file/parse.h"

#include "base/arena.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- Failing ------------------------------------------------------------ */

bool facet_gltf_property_fault(facet_gltf_parser *p, const char *format, ...)
{
    if (p->status)
        return false;
    va_list arguments;
    va_start(arguments, format);
    p->status = facet_fail_v(p->error, FACET_ERROR_MALFORMED, "GLTF-PROPERTY", FACET_NO_OFFSET, 0,
                             format, arguments);
    va_end(arguments);
    return false;
}

/* What was made; without memory the failure is kept. */
static void *made(facet_gltf_parser *p, void *block)
{
    if (!block && !p->status)
        p->status = facet_fail_arena(p->arena, p->error);
    return block;
}

void *facet_gltf_make(facet_gltf_parser *p, size_t count, size_t size)
{
    if (count == 0 || p->status)
        return NULL;
    return made(p, facet_arena_allocate_zeroed(p->arena, count, size));
}

/* -- Integers ----------------------------------------------------------- */

/* Up to where every integer is a double. */
#define LARGEST_SIZE ((int64_t)1 << 53)

static bool is_whole(const facet_json *value, uint64_t *number)
{
    double real = facet_json_number_value(value);
    if (facet_json_is_integer(value)) {
        *number = (uint64_t)facet_json_integer_value(value);
        return facet_json_integer_value(value) >= 0;
    }
    if (!facet_json_is_real(value) || signbit(real) || real > (double)LARGEST_SIZE ||
        real != floor(real))
        return false;
    *number = (uint64_t)real;
    return true;
}

static bool is_index(const facet_json *value)
{
    uint64_t number;
    return is_whole(value, &number) && number <= INT32_MAX;
}

uint32_t facet_gltf_index_of(const facet_json *value)
{
    uint64_t number;
    return is_whole(value, &number) && number <= INT32_MAX ? (uint32_t)number : FACET_NONE;
}

uint32_t facet_gltf_index(const facet_json *object, const char *key)
{
    return facet_gltf_index_of(facet_json_object_get(object, key));
}

uint64_t facet_gltf_size(const facet_json *object, const char *key, uint64_t otherwise)
{
    uint64_t number;
    return is_whole(facet_json_object_get(object, key), &number) ? number : otherwise;
}

/* -- Members that are what their name says ------------------------------ */

typedef enum member_kind {
    MEMBER_OTHER,
    MEMBER_INDEX,
    MEMBER_INDICES,
    MEMBER_LIST, /* of objects */
    MEMBER_SIZE,
    MEMBER_TEXT
} member_kind;

typedef struct member {
    const char *key;
    member_kind kind;
} member;

/* In the order of strcmp. */
static const member members[] = {
    {"buffer", MEMBER_INDEX},
    {"bufferView", MEMBER_INDEX},
    {"byteLength", MEMBER_SIZE},
    {"byteOffset", MEMBER_SIZE},
    {"byteStride", MEMBER_SIZE},
    {"camera", MEMBER_INDEX},
    {"channels", MEMBER_LIST},
    {"children", MEMBER_INDICES},
    {"componentType", MEMBER_INDEX},
    {"count", MEMBER_INDEX},
    {"index", MEMBER_INDEX},
    {"indices", MEMBER_INDEX},
    {"input", MEMBER_INDEX},
    {"inverseBindMatrices", MEMBER_INDEX},
    {"joints", MEMBER_INDICES},
    {"light", MEMBER_INDEX},
    {"material", MEMBER_INDEX},
    {"mesh", MEMBER_INDEX},
    {"mimeType", MEMBER_TEXT},
    {"mode", MEMBER_INDEX},
    {"name", MEMBER_TEXT},
    {"node", MEMBER_INDEX},
    {"nodes", MEMBER_INDICES},
    {"output", MEMBER_INDEX},
    {"path", MEMBER_TEXT},
    {"primitives", MEMBER_LIST},
    {"sampler", MEMBER_INDEX},
    {"samplers", MEMBER_LIST},
    {"scene", MEMBER_INDEX},
    {"skeleton", MEMBER_INDEX},
    {"skin", MEMBER_INDEX},
    {"source", MEMBER_INDEX},
    {"target", MEMBER_INDEX},
    {"targets", MEMBER_LIST},
    {"texCoord", MEMBER_INDEX},
    {"type", MEMBER_TEXT},
    {"uri", MEMBER_TEXT},
};

static int by_key(const void *key, const void *each)
{
    return strcmp(key, ((const member *)each)->key);
}

static member_kind kind_of(const char *key)
{
    const member *found =
        bsearch(key, members, sizeof members / sizeof *members, sizeof *members, by_key);
    return found ? found->kind : MEMBER_OTHER;
}

/* Where a value lies: the keys and indices from the root to it. */
typedef struct place {
    const struct place *around;
    const char *key; /* NULL: an entry of an array */
    size_t index;
} place;

static void print_place(const place *at, char *text, size_t size)
{
    if (!at) {
        *text = '\0';
        return;
    }
    print_place(at->around, text, size);
    size_t used = strlen(text);
    facet_quoted quoted;
    if (at->key)
        snprintf(text + used, size - used, "/%s", facet_quote(&quoted, at->key, strlen(at->key)));
    else
        snprintf(text + used, size - used, "/%zu", at->index);
}

static bool wrong(facet_gltf_parser *p, const place *at, const char *expected)
{
    char path[200];
    print_place(at, path, sizeof path);
    return facet_gltf_property_fault(p, "%s %s", path, expected);
}

/* A list of indices; the document's own list of nodes is one of objects. */
static bool check_indices(facet_gltf_parser *p, const facet_json *list, const place *at)
{
    if (!facet_json_is_array(list))
        return wrong(p, at, "is not an array of indices");
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        const facet_json *each = facet_json_array_get(list, i);
        if (!facet_json_is_object(each) && !is_index(each))
            return wrong(p, at, "holds something that is not an index");
    }
    return true;
}

static bool check_member(facet_gltf_parser *p, const facet_json *value, const place *at)
{
    uint64_t number;
    switch (kind_of(at->key)) {
    case MEMBER_INDEX:
        return is_index(value) || wrong(p, at, "is not an integer from 0 to 2147483647");
    case MEMBER_SIZE:
        return (is_whole(value, &number) && number <= (uint64_t)LARGEST_SIZE) ||
               wrong(p, at, "is not an integer from 0 to 2^53");
    case MEMBER_TEXT:
        return facet_json_is_string(value) || wrong(p, at, "is not a string");
    case MEMBER_INDICES:
        return check_indices(p, value, at);
    case MEMBER_LIST:
        return facet_json_is_array(value) || wrong(p, at, "is not an array");
    case MEMBER_OTHER:
        break;
    }
    return true;
}

/* Everything below a value but for extras and what extensions say in words of their
 * own. As deep as parse.c lets values lie within one another. */
static bool check_tree(facet_gltf_parser *p, const facet_json *value, const place *around)
{
    for (size_t i = 0; i < facet_json_array_size(value); i++) {
        place at = {around, NULL, i};
        if (!check_tree(p, facet_json_array_get(value, i), &at))
            return false;
    }
    for (size_t i = 0; i < facet_json_object_size(value); i++) {
        const facet_json *each = facet_json_object_value(value, i);
        place at = {around, facet_json_object_key(value, i), 0};
        if (strcmp(at.key, "extras") == 0 || strcmp(at.key, "extensions") == 0)
            continue;
        /* "target" of a channel and "indices" of a sparse accessor are objects. */
        bool other = facet_json_is_object(each) &&
                     (strcmp(at.key, "target") == 0 || strcmp(at.key, "indices") == 0);
        if ((!other && !check_member(p, each, &at)) || !check_tree(p, each, &at))
            return false;
    }
    return true;
}

void facet_gltf_check_members(facet_gltf_parser *p)
{
    check_tree(p, p->root, NULL);
}

void facet_gltf_check_member(facet_gltf_parser *p, const facet_json *object, const char *key,
                             const char *where)
{
    const facet_json *value = facet_json_object_get(object, key);
    place around = {NULL, where, 0}, at = {&around, key, 0};
    if (value)
        check_member(p, value, &at);
}

/* -- Objects ------------------------------------------------------------ */

const facet_json *facet_gltf_objects(facet_gltf_parser *p, const facet_json *object,
                                     const char *key)
{
    const facet_json *list = facet_json_object_get(object, key);
    if (!list)
        return NULL;
    if (!facet_json_is_array(list)) {
        facet_gltf_property_fault(p, "/%s is not an array", key);
        return NULL;
    }
    for (size_t i = 0; i < facet_json_array_size(list); i++) {
        if (facet_json_is_object(facet_json_array_get(list, i)))
            continue;
        facet_gltf_property_fault(p, "/%s holds something that is not an object", key);
        return NULL;
    }
    return list;
}

void *facet_gltf_entries(facet_gltf_parser *p, const char *key, size_t size,
                         const facet_json **list, uint32_t *count)
{
    *list = facet_gltf_objects(p, p->root, key);
    void *entries = facet_gltf_make(p, facet_json_array_size(*list), size);
    *count = entries ? (uint32_t)facet_json_array_size(*list) : 0;
    return entries;
}

const facet_json *facet_gltf_extension(const facet_json *object, const char *name)
{
    const facet_json *said =
        facet_json_object_get(facet_json_object_get(object, "extensions"), name);
    return facet_json_is_object(said) ? said : NULL;
}

/* -- Single values ------------------------------------------------------ */

float facet_gltf_real(const facet_json *object, const char *key, float otherwise)
{
    const facet_json *value = facet_json_object_get(object, key);
    return facet_json_is_number(value) ? (float)facet_json_number_value(value) : otherwise;
}

bool facet_gltf_flag(const facet_json *object, const char *key)
{
    return facet_json_is_true(facet_json_object_get(object, key));
}

static const char *copy_text(facet_gltf_parser *p, const facet_json *string)
{
    size_t length = facet_json_string_length(string);
    if (p->status)
        return "";
    return made(p, facet_arena_string(p->arena, facet_json_string_value(string), length));
}

const char *facet_gltf_text(facet_gltf_parser *p, const facet_json *object, const char *key,
                            const char *otherwise)
{
    const facet_json *value = facet_json_object_get(object, key);
    return facet_json_string_length(value) > 0 ? copy_text(p, value) : otherwise;
}

const char *facet_gltf_key(facet_gltf_parser *p, const char *key)
{
    if (p->status)
        return "";
    return made(p, facet_arena_string(p->arena, key, strlen(key)));
}

const char *facet_gltf_uri(facet_gltf_parser *p, const facet_json *object)
{
    const facet_json *value = facet_json_object_get(object, "uri");
    if (!facet_json_is_string(value))
        return NULL;
    if (strlen(facet_json_string_value(value)) < facet_json_string_length(value)) {
        facet_gltf_property_fault(p, "a uri has a NUL in it");
        return NULL;
    }
    return copy_text(p, value);
}

const char *facet_gltf_extras(facet_gltf_parser *p, const facet_json *object)
{
    const facet_json *extras = facet_json_object_get(object, "extras");
    const facet_json_style style = {.shortest = true, .sorted = true};
    if (!extras || facet_json_is_null(extras) || p->status)
        return NULL;
    char *printed = made(p, facet_json_print(extras, &style)), *copy = NULL;
    if (printed)
        copy = made(p, facet_arena_string(p->arena, printed, strlen(printed)));
    free(printed);
    return copy;
}

/* -- Lists -------------------------------------------------------------- */

uint32_t *facet_gltf_indices(facet_gltf_parser *p, const facet_json *object, const char *key,
                             uint32_t *count)
{
    const facet_json *list = facet_json_object_get(object, key);
    uint32_t *values = facet_gltf_make(p, facet_json_array_size(list), sizeof *values);
    *count = values ? (uint32_t)facet_json_array_size(list) : 0;
    for (uint32_t i = 0; i < *count; i++)
        values[i] = facet_gltf_index_of(facet_json_array_get(list, i));
    return values;
}

const char **facet_gltf_texts(facet_gltf_parser *p, const facet_json *array, uint32_t *count)
{
    const char **values = facet_gltf_make(p, facet_json_array_size(array), sizeof *values);
    *count = values ? (uint32_t)facet_json_array_size(array) : 0;
    for (uint32_t i = 0; i < *count; i++) {
        const facet_json *each = facet_json_array_get(array, i);
        values[i] = facet_json_is_string(each) ? copy_text(p, each) : "";
    }
    return values;
}

float *facet_gltf_reals(facet_gltf_parser *p, const facet_json *object, const char *key,
                        uint32_t *count)
{
    const facet_json *list = facet_json_object_get(object, key);
    float *values = facet_gltf_make(p, facet_json_array_size(list), sizeof *values);
    *count = values ? (uint32_t)facet_json_array_size(list) : 0;
    for (uint32_t i = 0; i < *count; i++) {
        const facet_json *each = facet_json_array_get(list, i);
        if (!facet_json_is_number(each))
            facet_gltf_property_fault(p, "%s holds something that is not a number", key);
        values[i] = (float)facet_json_number_value(each);
    }
    return values;
}

bool facet_gltf_fixed(facet_gltf_parser *p, const facet_json *object, const char *key, size_t count,
                      float *values, const char *list, size_t index)
{
    const facet_json *given = facet_json_object_get(object, key);
    size_t size = facet_json_array_size(given);
    if (size == 0)
        return false;
    if (size != count)
        return facet_gltf_property_fault(p, "/%s/%zu/%s has %zu numbers, expected %zu", list, index,
                                         key, size, count);
    for (size_t i = 0; i < count; i++) {
        const facet_json *each = facet_json_array_get(given, i);
        if (!facet_json_is_number(each))
            return facet_gltf_property_fault(p, "/%s/%zu/%s holds something that is not a number",
                                             list, index, key);
        values[i] = (float)facet_json_number_value(each);
    }
    return true;
}
