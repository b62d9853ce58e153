/* formats/bga/document.c - documents: reading, creation by a caller, and the check for
 * completeness. */
#include "formats/bga/document.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "formats/bga/bga.h"

#include <inttypes.h>
#include <string.h>

/* -- Reading ------------------------------------------------------------ */

facet_status facet_bga_find_comments(const facet_bga *bga, facet_arena *arena,
                                     const char *const **found, size_t *found_count,
                                     facet_error *error)
{
    const char *at = (const char *)bga->data, *end = at + bga->header_size;
    const char **comments = NULL;
    size_t count = 0;
    uint32_t space = 0;
    for (const char *next; at < end; at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        if (next - at < 2 || memcmp(at, "//", 2) != 0)
            continue;
        at += next - at > 2 && at[2] == ' ' ? 3 : 2;
        if (!FACET_GROW(arena, comments, count, space))
            return facet_fail_arena(arena, error);
        comments[count] = facet_arena_string(arena, at, (size_t)(next - at));
        if (!comments[count++])
            return facet_fail_arena(arena, error);
    }
    *found = comments;
    *found_count = count;
    return FACET_OK;
}

facet_status facet_bga_read(const facet_source *source, const facet_options *options,
                            facet_bga **document, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_status status = FACET_OK;
    facet_bga *made = facet_arena_allocate(arena, 1, sizeof *made);
    if (!made)
        status = facet_fail_arena(arena, error);
    if (!status)
        status = facet_bga_view_reported(source, options, made, error);
    if (!status)
        status = facet_bga_find_comments(made, arena, &made->comments, &made->comment_count, error);
    if (status) {
        facet_arena_free(arena);
        return status;
    }
    made->arena = arena;
    *document = made;
    return FACET_OK;
}

void facet_bga_free(facet_bga *document)
{
    if (document)
        facet_arena_free(document->arena);
}

/* -- Documents of a caller --------------------------------------------- */

void facet_bga_begin(facet_bga *bga)
{
    memset(bga, 0, offsetof(facet_bga, buffers));
    bga->version = "2.0";
    bga->version_length = 3;
    bga->big_endian = FACET_HOST_IS_BIG_ENDIAN != 0;
}

static facet_status check_name(const char *name, size_t length, facet_error *error)
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    facet_quoted quoted;
    bool right = name && length > 0 && length < FACET_BGA_MAX_HEADER;
    for (size_t i = 0; i < length && right; i++)
        right = name[i] != '\0' && strchr(allowed, name[i]);
    if (!right)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BGA-NAME-CHARS", FACET_NO_OFFSET,
                          "'%s' cannot be a name: it takes A-Z a-z 0-9 _",
                          facet_quote(&quoted, name ? name : "", name ? length : 0));
    return FACET_OK;
}

facet_status facet_bga_add_buffer(facet_bga *bga, const char *name, uint64_t count,
                                  facet_error *error)
{
    TRY(check_name(name, strlen(name), error));
    if (facet_bga_find_buffer(bga, name))
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BGA-COUNT-DUP", FACET_NO_OFFSET,
                          "a buffer '%s' exists already", name);
    if (bga->buffer_count == FACET_BGA_MAX_BUFFERS)
        return facet_fail(error, FACET_ERROR_LIMIT, "BGA-LIMIT", FACET_NO_OFFSET,
                          "a file holds at most %d buffers", FACET_BGA_MAX_BUFFERS);
    facet_bga_buffer *made = &bga->buffers[bga->buffer_count++];
    memset(made, 0, sizeof *made);
    made->name = name;
    made->name_length = (uint32_t)strlen(name);
    made->alignment = 1;
    made->first_attribute = bga->attribute_count;
    made->count = count;
    return FACET_OK;
}

facet_status facet_bga_add_attribute(facet_bga *bga, const char *name, facet_bga_type type,
                                     uint32_t repeat, const void *data, uint64_t stride,
                                     facet_error *error)
{
    TRY(check_name(name, strlen(name), error));
    facet_bga_buffer *buffer = bga->buffer_count ? &bga->buffers[bga->buffer_count - 1] : NULL;
    if (!buffer || repeat == 0 || repeat > UINT32_MAX / facet_bga_type_components(type) ||
        (buffer->count > 0 && !data))
        return facet_fail(error, FACET_ERROR_ARGUMENT, NULL, FACET_NO_OFFSET,
                          "attribute '%s' has no buffer, no data or no usable repeat count", name);
    for (uint32_t i = buffer->first_attribute; i < bga->attribute_count; i++) {
        if (facet_bga_name_is(bga->attributes[i].name, bga->attributes[i].name_length, name))
            return facet_fail(error, FACET_ERROR_ARGUMENT, "BGA-ATTR-DUP", FACET_NO_OFFSET,
                              "the buffer has an attribute '%s' already", name);
    }
    if (bga->attribute_count == FACET_BGA_MAX_ATTRIBUTES)
        return facet_fail(error, FACET_ERROR_LIMIT, "BGA-LIMIT", FACET_NO_OFFSET,
                          "a file holds at most %d attributes", FACET_BGA_MAX_ATTRIBUTES);
    facet_bga_attribute *made = &bga->attributes[bga->attribute_count++];
    memset(made, 0, sizeof *made);
    made->name = name;
    made->name_length = (uint32_t)strlen(name);
    made->type = type;
    made->repeat = repeat;
    made->base = facet_bga_type_base(type);
    made->components = facet_bga_type_components(type) * repeat;
    made->buffer = bga->buffer_count - 1;
    size_t base_size = facet_bga_base_size(made->base);
    uint64_t size = (uint64_t)made->components * base_size;
    made->stride = stride ? stride : size;
    made->count = buffer->count;
    made->data = data;
    buffer->attribute_count++;
    buffer->stride += size;
    if (base_size > buffer->alignment)
        buffer->alignment = (uint32_t)base_size;
    return FACET_OK;
}

/* -- Completeness ------------------------------------------------------ */

static facet_status refuse(facet_error *error, const char *format, ...) FACET_PRINTF(2, 3);

static facet_status refuse(facet_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_fail_v(error, FACET_ERROR_ARGUMENT, "BGA-DOCUMENT", FACET_NO_OFFSET, 0, format,
                 arguments);
    va_end(arguments);
    return FACET_ERROR_ARGUMENT;
}

static facet_status check_attribute(const facet_bga *bga, uint32_t index, uint32_t holder,
                                    facet_error *error)
{
    const facet_bga_attribute *a = &bga->attributes[index];
    TRY(check_name(a->name, a->name_length, error));
    if ((unsigned)a->type > FACET_BGA_INT32 || a->base != facet_bga_type_base(a->type))
        return refuse(error, "attribute %" PRIu32 " has a type that does not fit its base", index);
    if (a->repeat == 0 || (uint64_t)a->repeat * facet_bga_type_components(a->type) != a->components)
        return refuse(error,
                      "attribute %" PRIu32 " has %" PRIu32 " values, expected those of %" PRIu32
                      " times its type",
                      index, a->components, a->repeat);
    if (a->buffer != holder || a->count != bga->buffers[holder].count)
        return refuse(error,
                      "attribute %" PRIu32 " has another buffer or count than the buffer %" PRIu32
                      " that lists it",
                      index, holder);
    if (a->count > 0 && !a->data)
        return refuse(error, "the %" PRIu64 " values of attribute %" PRIu32 " are missing",
                      a->count, index);
    for (uint32_t i = bga->buffers[holder].first_attribute; i < index; i++) {
        const facet_bga_attribute *other = &bga->attributes[i];
        if (other->name_length == a->name_length &&
            memcmp(other->name, a->name, a->name_length) == 0)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "BGA-ATTR-DUP", FACET_NO_OFFSET,
                              "attributes %" PRIu32 " and %" PRIu32 " of one buffer have one name",
                              i, index);
    }
    return FACET_OK;
}

static facet_status check_buffer(const facet_bga *bga, uint32_t index, facet_error *error)
{
    const facet_bga_buffer *b = &bga->buffers[index];
    TRY(check_name(b->name, b->name_length, error));
    facet_status status = FACET_OK;
    if (b->first_attribute > bga->attribute_count ||
        b->attribute_count > bga->attribute_count - b->first_attribute)
        return refuse(error,
                      "buffer %" PRIu32 " has %" PRIu32 " attributes from %" PRIu32
                      ", there are %" PRIu32,
                      index, b->attribute_count, b->first_attribute, bga->attribute_count);
    for (uint32_t i = 0; i < index; i++) {
        if (bga->buffers[i].name_length == b->name_length &&
            memcmp(bga->buffers[i].name, b->name, b->name_length) == 0)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "BGA-COUNT-DUP", FACET_NO_OFFSET,
                              "buffers %" PRIu32 " and %" PRIu32 " have one name", i, index);
    }
    for (uint32_t i = 0; i < b->attribute_count && !status; i++)
        status = check_attribute(bga, b->first_attribute + i, index, error);
    return status;
}

facet_status facet_bga_check_document(const facet_bga *bga, facet_error *error)
{
    facet_status status = FACET_OK;
    if (bga->buffer_count > FACET_BGA_MAX_BUFFERS ||
        bga->attribute_count > FACET_BGA_MAX_ATTRIBUTES)
        return refuse(error,
                      "there are %" PRIu32 " buffers and %" PRIu32
                      " attributes, the struct has space for %d and %d",
                      bga->buffer_count, bga->attribute_count, FACET_BGA_MAX_BUFFERS,
                      FACET_BGA_MAX_ATTRIBUTES);
    for (uint32_t i = 0; i < bga->buffer_count && !status; i++)
        status = check_buffer(bga, i, error);
    for (size_t i = 0; i < bga->comment_count && !status; i++) {
        if (!bga->comments || !bga->comments[i])
            return refuse(error, "comment %zu is missing", i);
    }
    return status;
}
