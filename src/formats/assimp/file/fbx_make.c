/* formats/assimp/file/fbx_make.c - new records for an FBX. */
#include "base/bytes.h"
#include "base/numbers.h"
#include "base/size.h"
#include "formats/assimp/file/fbx_edits.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Begin a binary record: its head with `values` bytes of values. Returns the address after it. */
static uint8_t *begin_record(const facet_fbx *fbx, uint8_t *at, const char *name, uint32_t count,
                             size_t values)
{
    size_t word = fbx->is_wide ? 8 : 4;
    facet_store_u32le(at + word, count);
    facet_store_u32le(at + 2 * word, (uint32_t)values);
    at[3 * word] = (uint8_t)strlen(name);
    memcpy(at + 3 * word + 1, name, strlen(name));
    return at + 3 * word + 1 + strlen(name);
}

/* A binary record with one value of `size` bytes. Before it are: end, count and bytes of the
 * values, size of the name, name, type. *to gets the address of the value. */
static uint8_t *make_binary(const facet_fbx *fbx, const char *name, char type, size_t size,
                            uint8_t **to, size_t *made)
{
    size_t word = fbx->is_wide ? 8 : 4, head = 3 * word + 1 + strlen(name);
    if (size > UINT32_MAX - 1 || !facet_size_add(head + 1, size, made))
        return NULL;
    uint8_t *bytes = facet_arena_allocate_zeroed(fbx->arena, *made, 1);
    if (!bytes)
        return NULL;
    *to = begin_record(fbx, bytes, name, 1, size + 1);
    *(*to)++ = (uint8_t)type;
    return bytes;
}

uint8_t *facet_fbx_make_text(const facet_fbx *fbx, const char *name, const char *text, size_t *size)
{
    size_t length = strlen(text);
    if (!fbx->is_binary) {
        char *line = facet_arena_format(fbx->arena, "%s: \"%s\"", name, text);
        *size = line ? strlen(line) : 0;
        return (uint8_t *)line;
    }
    uint8_t *to, *bytes = make_binary(fbx, name, 'S', 4 + length, &to, size);
    if (bytes) {
        facet_store_u32le(to, (uint32_t)length);
        memcpy(to + 4, text, length);
    }
    return bytes;
}

/* "Normals: *2 {", "a: 1,2", "}". */
static uint8_t *make_text_array(const facet_fbx *fbx, const char *name, char type,
                                const double *numbers, size_t count, size_t *size)
{
    enum { HEAD = 80 };
    size_t space, used;
    if (!facet_size_multiply(count, FACET_NUMBER_DOUBLE_LENGTH + 1, &space) ||
        !facet_size_add(space, HEAD, &space))
        return NULL;
    char *text = facet_arena_allocate(fbx->arena, space, 1);
    if (!text)
        return NULL;
    used = (size_t)snprintf(text, HEAD, "\n%.30s: *%zu {\na: ", name, count);
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            text[used++] = ',';
        if (type == 'd')
            used += facet_number_print_double(numbers[i], text + used);
        else
            used += (size_t)snprintf(text + used, space - used, "%" PRId64, (int64_t)numbers[i]);
    }
    memcpy(text + used, "\n}", 2);
    *size = used + 2;
    return (uint8_t *)text;
}

uint8_t *facet_fbx_make_array(const facet_fbx *fbx, const char *name, char type,
                              const double *numbers, size_t count, size_t *size)
{
    enum { HEAD = 12 }; /* count, 0 for not compressed, bytes */
    size_t bytes_size, width = type == 'i' ? 4 : 8;
    if (!fbx->is_binary)
        return make_text_array(fbx, name, type, numbers, count, size);
    if (count > UINT32_MAX || !facet_size_multiply(count, width, &bytes_size) ||
        !facet_size_add(bytes_size, HEAD, &bytes_size))
        return NULL;
    uint8_t *to, *bytes = make_binary(fbx, name, type, bytes_size, &to, size);
    for (size_t i = 0; bytes && i < count; i++) {
        uint64_t bits = (uint64_t)(int64_t)(type == 'd' ? 0 : numbers[i]);
        if (type == 'd')
            memcpy(&bits, &numbers[i], sizeof bits);
        if (width == 4)
            facet_store_u32le(to + HEAD + i * 4, (uint32_t)bits);
        else
            facet_store_u64le(to + HEAD + i * 8, bits);
    }
    if (bytes) {
        facet_store_u32le(to, (uint32_t)count);
        facet_store_u32le(to + 8, (uint32_t)(count * width));
    }
    return bytes;
}

/* -- Objects ------------------------------------------------------------ */

static uint8_t *put_text(uint8_t *at, const char *text, size_t length)
{
    *at = 'S';
    facet_store_u32le(at + 1, (uint32_t)length);
    memcpy(at + 5, text, length);
    return at + 5 + length;
}

static uint8_t *put_id(uint8_t *at, uint64_t id)
{
    *at = 'L';
    facet_store_u64le(at + 1, id);
    return at + 9;
}

/* A part of a record that is created. */
typedef struct piece {
    const uint8_t *bytes;
    size_t size;
} piece;

/* Add `by` to the ends of a created record and of those in its lists. Only those in lists have one,
 * and only small records have lists. */
static void move_ends(const facet_fbx *fbx, uint8_t *at, const uint8_t *end, size_t by)
{
    size_t word = fbx->is_wide ? 8 : 4, head = 3 * word + 1;
    while ((size_t)(end - at) > head) {
        uint32_t old = facet_load_u32le(at);
        if (old > 0)
            facet_store_u32le(at, old + (uint32_t)by);
        at += head + at[3 * word] + facet_load_u32le(at + 2 * word);
    }
}

/* A binary record with values and a list, which ends with an empty record. */
static uint8_t *make_list(const facet_fbx *fbx, const char *name, uint32_t value_count,
                          piece values, const piece *list, size_t count, size_t *size)
{
    size_t head = (fbx->is_wide ? 25 : 13), at = head + strlen(name) + values.size;
    *size = at + head;
    for (size_t i = 0; i < count; i++) {
        if (!list[i].bytes || !facet_size_add(*size, list[i].size, size))
            return NULL;
    }
    uint8_t *bytes = facet_arena_allocate_zeroed(fbx->arena, *size, 1);
    if (!bytes)
        return NULL;
    memcpy(begin_record(fbx, bytes, name, value_count, values.size), values.bytes, values.size);
    for (size_t i = 0; i < count; at += list[i++].size) {
        memcpy(bytes + at, list[i].bytes, list[i].size);
        move_ends(fbx, bytes + at, bytes + at + list[i].size, at);
        facet_store_u32le(bytes + at, (uint32_t)(at + list[i].size));
        if (fbx->is_wide)
            facet_store_u64le(bytes + at, at + list[i].size);
    }
    return bytes;
}

uint8_t *facet_fbx_make_curve(const facet_fbx *fbx, uint64_t id, const double *key_times,
                              const double *key_values, size_t count, size_t *size)
{
    enum { VALUES = 9 + 5 + 11 + 5 }; /* the id, the name, no type */
    static const char label[] = "\0\1AnimCurve";
    piece list[2];
    list[0].bytes = facet_fbx_make_array(fbx, "KeyTime", 'l', key_times, count, &list[0].size);
    list[1].bytes =
        facet_fbx_make_array(fbx, "KeyValueFloat", 'd', key_values, count, &list[1].size);
    if (!list[0].bytes || !list[1].bytes)
        return NULL;
    if (!fbx->is_binary) {
        char *text = facet_arena_format(
            fbx->arena, "AnimationCurve: %" PRId64 ", \"AnimCurve::\", \"\" {%.*s%.*s\n}\n",
            (int64_t)id, (int)list[0].size, (const char *)list[0].bytes, (int)list[1].size,
            (const char *)list[1].bytes);
        *size = text ? strlen(text) : 0;
        return (uint8_t *)text;
    }
    uint8_t values[VALUES];
    put_text(put_text(put_id(values, id), label, sizeof label - 1), "", 0);
    return make_list(fbx, "AnimationCurve", 3, (piece){values, sizeof values}, list, 2, size);
}

/* A layer element: its number, mapping, reference and values. */
static uint8_t *make_element(const facet_fbx *fbx, const char *name, uint32_t number,
                             const char *mapping, const char *reference, piece values, size_t *size)
{
    piece list[3] = {{NULL, 0}, {NULL, 0}, values};
    list[0].bytes = facet_fbx_make_text(fbx, "MappingInformationType", mapping, &list[0].size);
    list[1].bytes = facet_fbx_make_text(fbx, "ReferenceInformationType", reference, &list[1].size);
    if (!list[0].bytes || !list[1].bytes || !list[2].bytes)
        return NULL;
    if (!fbx->is_binary) {
        char *text = facet_arena_format(
            fbx->arena, "%s: %u {\n%.*s\n%.*s%.*s\n}\n", name, (unsigned)number, (int)list[0].size,
            (const char *)list[0].bytes, (int)list[1].size, (const char *)list[1].bytes,
            (int)list[2].size, (const char *)list[2].bytes);
        *size = text ? strlen(text) : 0;
        return (uint8_t *)text;
    }
    uint8_t value[5] = {'I'};
    facet_store_u32le(value + 1, number);
    return make_list(fbx, name, 1, (piece){value, sizeof value}, list, 3, size);
}

uint8_t *facet_fbx_make_normals(const facet_fbx *fbx, uint32_t number, const double *normals,
                                size_t count, size_t *size)
{
    piece values;
    values.bytes = facet_fbx_make_array(fbx, "Normals", 'd', normals, count, &values.size);
    return make_element(fbx, "LayerElementNormal", number, "ByPolygonVertex", "Direct", values,
                        size);
}

uint8_t *facet_fbx_make_material(const facet_fbx *fbx, size_t *size)
{
    static const double first = 0;
    piece values;
    values.bytes = facet_fbx_make_array(fbx, "Materials", 'i', &first, 1, &values.size);
    return make_element(fbx, "LayerElementMaterial", 0, "AllSame", "IndexToDirect", values, size);
}

uint8_t *facet_fbx_make_layer(const facet_fbx *fbx, const char *element, size_t *size)
{
    piece list[2], layer;
    list[0].bytes = facet_fbx_make_text(fbx, "Type", element, &list[0].size);
    if (!list[0].bytes)
        return NULL;
    if (!fbx->is_binary) {
        char *text = facet_arena_format(fbx->arena,
                                        "Layer: 0 {\nLayerElement: {\n%.*s\nTypedIndex: 0\n}\n}\n",
                                        (int)list[0].size, (const char *)list[0].bytes);
        *size = text ? strlen(text) : 0;
        return (uint8_t *)text;
    }
    uint8_t *number, zero[5] = {'I'},
                     *index = make_binary(fbx, "TypedIndex", 'I', 4, &number, &list[1].size);
    list[1].bytes = index;
    layer.bytes = make_list(fbx, "LayerElement", 0, (piece){zero, 0}, list, 2, &layer.size);
    return make_list(fbx, "Layer", 1, (piece){zero, sizeof zero}, &layer, 1, size);
}

uint8_t *facet_fbx_make_link(const facet_fbx *fbx, uint64_t from, uint64_t to, const char *property,
                             size_t *size)
{
    const char *type = property ? "OP" : "OO";
    if (!fbx->is_binary) {
        const char *quote = property ? ", \"" : "", *name = property ? property : "";
        char *text =
            facet_arena_format(fbx->arena, "C: \"%s\",%" PRId64 ",%" PRId64 "%s%s%s\n", type,
                               (int64_t)from, (int64_t)to, quote, name, property ? "\"" : "");
        *size = text ? strlen(text) : 0;
        return (uint8_t *)text;
    }
    size_t own = 5 + 2 + 9 + 9 + (property ? 5 + strlen(property) : 0);
    *size = (fbx->is_wide ? 25 : 13) + 1 + own;
    uint8_t *bytes = facet_arena_allocate_zeroed(fbx->arena, *size, 1);
    if (bytes) {
        uint8_t *at = put_text(begin_record(fbx, bytes, "C", property ? 4 : 3, own), type, 2);
        at = put_id(put_id(at, from), to);
        if (property)
            put_text(at, property, strlen(property));
    }
    return bytes;
}
