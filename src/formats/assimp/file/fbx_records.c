/* formats/assimp/file/fbx_records.c - records and values of an FBX. */
#include "base/bytes.h"
#include "base/numbers.h"
#include "formats/assimp/file/fbx.h"

#include <math.h>
#include <string.h>
#ifdef FACET_HAVE_ZLIB
#include <zlib.h>
#endif

#define HEADER_SIZE 27

bool facet_fbx_is(facet_fbx_span span, const char *text)
{
    return facet_fbx_size(span) == strlen(text) && memcmp(span.at, text, strlen(text)) == 0;
}

bool facet_fbx_begin(facet_fbx *fbx, const uint8_t *data, size_t size)
{
    static const char magic[] = "Kaydara FBX Binary";
    fbx->data = data;
    fbx->size = size;
    fbx->is_binary = size >= sizeof magic - 1 && memcmp(data, magic, sizeof magic - 1) == 0;
    if (!fbx->is_binary)
        return true;
    fbx->is_wide = size >= HEADER_SIZE && facet_load_u32le(data + HEADER_SIZE - 4) >= 7500;
    return size >= HEADER_SIZE;
}

facet_fbx_span facet_fbx_whole(const facet_fbx *fbx)
{
    return (facet_fbx_span){fbx->data + (fbx->is_binary ? HEADER_SIZE : 0), fbx->data + fbx->size};
}

/* -- Binary ------------------------------------------------------------- */

/* The end of the record, the count and bytes of its values, the size of its name, the name. */
static bool next_binary(const facet_fbx *fbx, facet_fbx_span *list, facet_fbx_record *record)
{
    size_t word = fbx->is_wide ? 8 : 4, head = 3 * word + 1;
    if (facet_fbx_size(*list) < head)
        return false;
    const uint8_t *at = list->at;
    uint64_t end = fbx->is_wide ? facet_load_u64le(at) : facet_load_u32le(at);
    uint64_t bytes = fbx->is_wide ? facet_load_u64le(at + 16) : facet_load_u32le(at + 8);
    size_t first = (size_t)(at - fbx->data) + head + at[head - 1];
    if (end < first || end > (uint64_t)(list->end - fbx->data) || bytes > end - first)
        return false; /* also the empty record at the end of a list */
    record->begin = at;
    record->name = (facet_fbx_span){at + head, fbx->data + first};
    record->values = (facet_fbx_span){fbx->data + first, fbx->data + first + bytes};
    record->list = (facet_fbx_span){record->values.end, fbx->data + end};
    list->at = record->list.end;
    return true;
}

static double double_at(const uint8_t *at)
{
    uint64_t bits = facet_load_u64le(at);
    double number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static double float_at(const uint8_t *at)
{
    uint32_t bits = facet_load_u32le(at);
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static bool next_binary_value(facet_fbx_span *values, facet_fbx_value *value)
{
    static const struct {
        char type;
        uint8_t size;
    } sizes[] = {{'C', 1}, {'B', 1}, {'Z', 1}, {'Y', 2}, {'I', 4}, {'F', 4}, {'L', 8}, {'D', 8}};
    if (values->at == values->end)
        return false;
    char type = (char)*values->at;
    const uint8_t *at = values->at + 1;
    size_t left = (size_t)(values->end - at), size = 0;
    *value = (facet_fbx_value){.text = {at, at}, .raw = {at, at}};
    if (type == 'S' || type == 'R') {
        if (left < 4 || facet_load_u32le(at) > left - 4)
            return false;
        value->is_text = true;
        value->text = (facet_fbx_span){at + 4, at + 4 + facet_load_u32le(at)};
        values->at = value->text.end;
        return true;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        size = sizes[i].type == type ? sizes[i].size : size;
    if (size == 0 || left < size)
        return false;
    values->at = at + size;
    value->raw = (facet_fbx_span){at, at + size};
    if (type == 'F' || type == 'D') {
        value->number = type == 'F' ? float_at(at) : double_at(at);
        return true;
    }
    value->integer = size == 1   ? *at
                     : size == 2 ? facet_load_u16le(at)
                     : size == 4 ? facet_load_u32le(at)
                                 : facet_load_u64le(at);
    value->number = size == 1   ? (double)*at
                    : size == 2 ? (double)(int16_t)facet_load_u16le(at)
                    : size == 4 ? (double)(int32_t)facet_load_u32le(at)
                                : (double)(int64_t)value->integer;
    return true;
}

/* -- Text --------------------------------------------------------------- */

/* Skip blanks and comments, and line ends if `lines`. */
static void skip(facet_fbx_span *text)
{
    for (; text->at < text->end; text->at++) {
        if (*text->at == ';') {
            while (text->at < text->end && *text->at != '\n' && *text->at != '\r')
                text->at++;
            if (text->at == text->end)
                return;
        } else if (*text->at != ' ' && *text->at != '\t' && *text->at != '\n' &&
                   *text->at != '\r' && *text->at != '\f') {
            return;
        }
    }
}

/* Read a quoted text, or a word up to a blank or separator. False at the end. */
static bool next_word(facet_fbx_span *text, facet_fbx_span *word)
{
    skip(text);
    if (text->at == text->end)
        return false;
    word->at = text->at;
    if (*text->at == '"') {
        const uint8_t *close = memchr(text->at + 1, '"', facet_fbx_size(*text) - 1);
        word->end = text->at = close ? close + 1 : text->end;
        return true;
    }
    while (text->at < text->end && !strchr(" \t\n\r\f,:{};\"", *text->at))
        text->at++;
    word->end = text->at;
    return true;
}

/* The position of the bracket that closes a list. */
static const uint8_t *close_of(facet_fbx_span text)
{
    size_t depth = 0;
    for (const uint8_t *at = text.at; at < text.end; at++) {
        if (*at == '"') {
            const uint8_t *close = memchr(at + 1, '"', (size_t)(text.end - at) - 1);
            if (!close)
                return text.end;
            at = close;
        } else if (*at == ';') {
            while (at + 1 < text.end && at[1] != '\n' && at[1] != '\r')
                at++;
        } else if (*at == '{') {
            depth++;
        } else if (*at == '}' && depth-- == 0) {
            return at;
        }
    }
    return text.end;
}

static bool next_text(facet_fbx_span *list, facet_fbx_record *record)
{
    facet_fbx_span word;
    if (!next_word(list, &word) || word.at == word.end)
        return false;
    record->begin = word.at;
    record->name = word;
    skip(list);
    if (list->at == list->end || *list->at != ':')
        return false;
    record->values.at = record->values.end = ++list->at;
    record->list = (facet_fbx_span){list->at, list->at};
    while (next_word(list, &word)) {
        if (word.at < word.end) {
            facet_fbx_span after = *list;
            skip(&after);
            if (*word.at != '"' && after.at < after.end && *after.at == ':') {
                list->at = word.at; /* the next record */
                return true;
            }
            record->values.end = word.end;
        } else if (*word.at == '{') {
            record->list = (facet_fbx_span){word.at + 1, list->end};
            record->list.end = close_of(record->list);
            list->at = record->list.end + (record->list.end < list->end);
            return true;
        } else {
            list->at++; /* a comma, or a separator in the wrong place */
        }
    }
    return true;
}

static bool next_text_value(facet_fbx_span *values, facet_fbx_value *value)
{
    facet_fbx_span word;
    do {
        if (!next_word(values, &word))
            return false;
        if (word.at == word.end)
            values->at++; /* a comma */
    } while (word.at == word.end);
    *value = (facet_fbx_value){.text = word, .raw = {word.at, word.at}};
    if (*word.at == '*')
        return false; /* the count of an array */
    if (*word.at == '"') {
        value->is_text = true;
        value->text.at++;
        value->text.end -= facet_fbx_size(word) > 1 && word.end[-1] == '"';
        return true;
    }
    value->text.end = word.at;
    value->raw = word;
    if (!facet_number_parse_double(word.at, word.end, &value->number) && isnan(value->number)) {
        value->is_text = true; /* a flag like Y or T */
        value->text = word;
        value->raw.end = word.at;
        value->number = 0;
        return true;
    }
    for (const uint8_t *at = word.at + (*word.at == '-'); at < word.end; at++) {
        if (*at < '0' || *at > '9')
            break;
        value->integer = value->integer * 10 + (uint64_t)(*at - '0');
    }
    if (*word.at == '-')
        value->integer = 0 - value->integer;
    return true;
}

/* -- Both --------------------------------------------------------------- */

bool facet_fbx_next(const facet_fbx *fbx, facet_fbx_span *list, facet_fbx_record *record)
{
    return fbx->is_binary ? next_binary(fbx, list, record) : next_text(list, record);
}

bool facet_fbx_next_nested(const facet_fbx *fbx, facet_fbx_span *records, const uint8_t **top,
                           facet_fbx_record *record)
{
    size_t head = fbx->is_wide ? 25 : 13;
    for (; facet_fbx_size(*records) >= head; records->at += head) {
        facet_fbx_span rest = *records;
        if (facet_fbx_next(fbx, &rest, record)) {
            *top = records->at >= *top ? rest.at : *top;
            records->at = record->values.end; /* its list, or the next record */
            return true;
        }
        if (records->at >= *top)
            return false; /* else this is the end of a list */
    }
    return false;
}

bool facet_fbx_find(const facet_fbx *fbx, facet_fbx_span list, const char *name,
                    facet_fbx_record *record)
{
    while (facet_fbx_next(fbx, &list, record)) {
        if (facet_fbx_is(record->name, name))
            return true;
    }
    return false;
}

bool facet_fbx_next_value(const facet_fbx *fbx, facet_fbx_span *values, facet_fbx_value *value)
{
    return fbx->is_binary ? next_binary_value(values, value) : next_text_value(values, value);
}

/* -- Arrays ------------------------------------------------------------- */

static bool text_numbers(const facet_fbx *fbx, const facet_fbx_record *record, double **numbers,
                         size_t *count)
{
    facet_fbx_record inner;
    facet_fbx_span values = record->values;
    facet_fbx_value value;
    size_t used = 0;
    if (facet_fbx_size(record->list) > 0) { /* "*3 { a: 1,2,3 }" */
        if (!facet_fbx_find(fbx, record->list, "a", &inner))
            return true;
        values = inner.values;
    }
    size_t space = 1;
    for (const uint8_t *at = values.at; at < values.end; at++)
        space += *at == ',';
    *numbers = facet_arena_allocate(fbx->arena, space, sizeof **numbers);
    while (*numbers && used < space && facet_fbx_next_value(fbx, &values, &value))
        (*numbers)[used++] = value.number;
    *count = used;
    return *numbers != NULL;
}

/* Unpack a zlib stream of exactly `size` bytes. NULL if it is damaged. */
static const uint8_t *unpack(const facet_fbx *fbx, facet_fbx_span packed, size_t size, bool *full)
{
#ifdef FACET_HAVE_ZLIB
    const size_t densest = 1032; /* bytes per packed byte, of deflate */
    if (size / densest > facet_fbx_size(packed))
        return NULL;
    uint8_t *bytes = facet_arena_allocate(fbx->arena, size, 1);
    uLongf made = (uLongf)size;
    *full = !bytes;
    return bytes && uncompress(bytes, &made, packed.at, (uLong)facet_fbx_size(packed)) == Z_OK &&
                   made == size
               ? bytes
               : NULL;
#else
    (void)fbx, (void)packed, (void)size, (void)full;
    return NULL;
#endif
}

/* The type, the count, 1 if compressed, the bytes, and the numbers. */
static bool binary_numbers(const facet_fbx *fbx, const facet_fbx_record *record, double **numbers,
                           size_t *count)
{
    enum { HEAD = 13 };
    const uint8_t *at = record->values.at;
    if (facet_fbx_size(record->values) < HEAD)
        return true;
    char type = (char)*at;
    size_t size = type == 'f' || type == 'i' ? 4 : type == 'd' || type == 'l' ? 8 : 0;
    uint32_t number = facet_load_u32le(at + 1), bytes = facet_load_u32le(at + 9);
    const uint8_t *data = at + HEAD;
    if (size == 0 || bytes > facet_fbx_size(record->values) - HEAD)
        return true;
    bool full = false;
    if (facet_load_u32le(at + 5) == 1)
        data = unpack(fbx, (facet_fbx_span){data, data + bytes}, number * size, &full);
    else if (bytes / size < number)
        return true;
    if (!data)
        return !full;
    *numbers = facet_arena_allocate(fbx->arena, number, sizeof **numbers);
    if (!*numbers)
        return false;
    for (uint32_t i = 0; i < number; i++, data += size)
        (*numbers)[i] = type == 'f'   ? float_at(data)
                        : type == 'd' ? double_at(data)
                        : type == 'i' ? (double)(int32_t)facet_load_u32le(data)
                                      : (double)(int64_t)facet_load_u64le(data);
    *count = number;
    return true;
}

bool facet_fbx_numbers(const facet_fbx *fbx, const facet_fbx_record *record, double **numbers,
                       size_t *count)
{
    *numbers = NULL;
    *count = 0;
    return fbx->is_binary ? binary_numbers(fbx, record, numbers, count)
                          : text_numbers(fbx, record, numbers, count);
}
