/* formats/assimp/file/fbx_make.c - new records for an FBX. */
#include "base/bytes.h"
#include "base/numbers.h"
#include "base/size.h"
#include "formats/assimp/file/fbx_edits.h"

#include <stdio.h>
#include <string.h>

/* A binary record with one value of `size` bytes. Before it are: end, count and bytes of the values,
 * size of the name, name, type. *to gets the address of the value. */
static uint8_t *make_binary(const facet_fbx *fbx, const char *name, char type, size_t size,
                            uint8_t **to, size_t *made)
{
    size_t word = fbx->is_wide ? 8 : 4, head = 3 * word + 1 + strlen(name);
    if (size > UINT32_MAX - 1 || !facet_size_add(head + 1, size, made))
        return NULL;
    uint8_t *bytes = facet_arena_allocate_zeroed(fbx->arena, *made, 1);
    if (!bytes)
        return NULL;
    bytes[word] = 1;
    facet_store_u32le(bytes + 2 * word, (uint32_t)(size + 1));
    bytes[3 * word] = (uint8_t)strlen(name);
    memcpy(bytes + 3 * word + 1, name, strlen(name));
    bytes[head] = (uint8_t)type;
    *to = bytes + head + 1;
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
static uint8_t *make_text_array(const facet_fbx *fbx, const char *name, const double *numbers,
                                size_t count, size_t *size)
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
        used += facet_number_print_double(numbers[i], text + used);
    }
    memcpy(text + used, "\n}", 2);
    *size = used + 2;
    return (uint8_t *)text;
}

uint8_t *facet_fbx_make_array(const facet_fbx *fbx, const char *name, const double *numbers,
                              size_t count, size_t *size)
{
    enum { HEAD = 12 }; /* count, 0 for not compressed, bytes */
    size_t bytes_size;
    if (!fbx->is_binary)
        return make_text_array(fbx, name, numbers, count, size);
    if (count > UINT32_MAX || !facet_size_multiply(count, sizeof *numbers, &bytes_size) ||
        !facet_size_add(bytes_size, HEAD, &bytes_size))
        return NULL;
    uint8_t *to, *bytes = make_binary(fbx, name, 'd', bytes_size, &to, size);
    for (size_t i = 0; bytes && i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        facet_store_u64le(to + HEAD + i * 8, bits);
    }
    if (bytes) {
        facet_store_u32le(to, (uint32_t)count);
        facet_store_u32le(to + 8, (uint32_t)(count * 8));
    }
    return bytes;
}
