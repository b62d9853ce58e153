/* formats/gltf/file/parse_values.c - JSON members of a glTF, with the types of the schema. */
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

void *facet_gltf_made(facet_gltf_parser *p, void *block)
{
    if (!block && !p->status)
        p->status = facet_fail_arena(p->arena, p->error);
    return block;
}

void *facet_gltf_make(facet_gltf_parser *p, size_t count, size_t size)
{
    if (count == 0 || p->status)
        return NULL;
    return facet_gltf_made(p, facet_arena_allocate_zeroed(p->arena, count, size));
}

/* -- Integers ----------------------------------------------------------- */

/* Every integer up to this one is exact in a double. */
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

/* -- Members with a type by name --------------------------------------- */

typedef enum member_kind {
    MEMBER_OTHER,
    MEMBER_INDEX,
    MEMBER_INDICES,
    MEMBER_LIST, /* list of objects */
    MEMBER_SIZE,
    MEMBER_TEXT
} member_kind;

typedef struct member {
    const char *key;
    member_kind kind;
    const char *of; /* owners: names of objects and of lists of objects; "glTF" is the root */
} member;

#define TEXTURES \
    "baseColorTexture metallicRoughnessTexture normalTexture occlusionTexture emissiveTexture"
#define ANYWHERE NULL
#define NOWHERE "" /* only in extensions, which look up these members themselves */

/* Sorted by strcmp. */
static const member members[] = {
    {"buffer", MEMBER_INDEX, "bufferViews"},
    {"bufferView", MEMBER_INDEX, "accessors images indices values"},
    {"byteLength", MEMBER_SIZE, "buffers bufferViews"},
    {"byteOffset", MEMBER_SIZE, "accessors bufferViews indices values"},
    {"byteStride", MEMBER_SIZE, "bufferViews"},
    {"camera", MEMBER_INDEX, "nodes"},
    {"channels", MEMBER_LIST, "animations"},
    {"children", MEMBER_INDICES, "nodes"},
    {"componentType", MEMBER_INDEX, "accessors indices"},
    {"count", MEMBER_INDEX, "accessors sparse"},
    {"index", MEMBER_INDEX, TEXTURES},
    {"indices", MEMBER_INDEX, "primitives"},
    {"input", MEMBER_INDEX, "samplers"},
    {"inverseBindMatrices", MEMBER_INDEX, "skins"},
    {"joints", MEMBER_INDICES, "skins"},
    {"light", MEMBER_INDEX, NOWHERE},
    {"material", MEMBER_INDEX, "primitives"},
    {"mesh", MEMBER_INDEX, "nodes"},
    {"mimeType", MEMBER_TEXT, "images"},
    {"mode", MEMBER_INDEX, "primitives"},
    {"name", MEMBER_TEXT, ANYWHERE},
    {"node", MEMBER_INDEX, "target"},
    {"nodes", MEMBER_INDICES, "scenes glTF"},
    {"output", MEMBER_INDEX, "samplers"},
    {"path", MEMBER_TEXT, "target"},
    {"primitives", MEMBER_LIST, "meshes"},
    {"sampler", MEMBER_INDEX, "channels textures"},
    {"samplers", MEMBER_LIST, "animations glTF"},
    {"scene", MEMBER_INDEX, "glTF"},
    {"skeleton", MEMBER_INDEX, "skins"},
    {"skin", MEMBER_INDEX, "nodes"},
    {"source", MEMBER_INDEX, "textures"},
    {"target", MEMBER_INDEX, "bufferViews"},
    {"targets", MEMBER_LIST, "primitives"},
    {"texCoord", MEMBER_INDEX, TEXTURES},
    {"type", MEMBER_TEXT, "accessors cameras"},
    {"uri", MEMBER_TEXT, "buffers images"},
};

static int by_key(const void *key, const void *each)
{
    return strcmp(key, ((const member *)each)->key);
}

static const member *find_member(const char *key)
{
    return bsearch(key, members, sizeof members / sizeof *members, sizeof *members, by_key);
}

static member_kind kind_of(const char *key)
{
    const member *found = find_member(key);
    return found ? found->kind : MEMBER_OTHER;
}

/* True if `word` is one of the blank-separated `words`. */
static bool is_among(const char *word, const char *words)
{
    size_t length = strlen(word);
    if (length == 0) /* strstr would find it everywhere, without an end */
        return false;
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* The path of a value: the keys and indices from the root. */
typedef struct place {
    const struct place *around;
    const char *key; /* NULL for an entry of an array */
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

/* Check a list of indices. At the root, "nodes" is a list of objects instead. */
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

/* Name of the object or list of objects that contains a member. */
static const char *owner_of(const place *around)
{
    while (around && !around->key)
        around = around->around;
    return around ? around->key : "glTF";
}

/* True for the objects and lists of glTF itself. Members of extensions are not checked, even if
 * they use the same names. */
static bool is_of_gltf(const char *key)
{
    return is_among(key, "accessors sparse indices values animations channels target samplers "
                         "buffers bufferViews cameras images materials pbrMetallicRoughness meshes "
                         "primitives nodes scenes skins textures asset " TEXTURES);
}

/* Check everything below a value except extras and extensions. The depth of recursion is bounded by
 * parse.c. */
static bool check_tree(facet_gltf_parser *p, const facet_json *value, const place *around)
{
    const char *owner = owner_of(around);
    for (size_t i = 0; i < facet_json_array_size(value); i++) {
        place at = {around, NULL, i};
        if (!check_tree(p, facet_json_array_get(value, i), &at))
            return false;
    }
    for (size_t i = 0; i < facet_json_object_size(value); i++) {
        const facet_json *each = facet_json_object_value(value, i);
        place at = {around, facet_json_object_key(value, i), 0};
        const member *known = find_member(at.key);
        /* "target" of a channel and "indices" of a sparse accessor are objects. */
        bool checked = known && (!known->of || is_among(owner, known->of));
        if ((checked && !check_member(p, each, &at)) ||
            (is_of_gltf(at.key) && !check_tree(p, each, &at)))
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
    return facet_gltf_made(p,
                           facet_arena_string(p->arena, facet_json_string_value(string), length));
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
    return facet_gltf_made(p, facet_arena_string(p->arena, key, strlen(key)));
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

const char *facet_gltf_print(facet_gltf_parser *p, const facet_json *value)
{
    const facet_json_style style = {.shortest = true, .sorted = true};
    if (!value || facet_json_is_null(value) || p->status)
        return NULL;
    char *printed = facet_gltf_made(p, facet_json_print(value, &style)), *copy = NULL;
    if (printed)
        copy = facet_gltf_made(p, facet_arena_string(p->arena, printed, strlen(printed)));
    free(printed);
    return copy;
}

const char *facet_gltf_extras(facet_gltf_parser *p, const facet_json *object)
{
    return facet_gltf_print(p, facet_json_object_get(object, "extras"));
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
