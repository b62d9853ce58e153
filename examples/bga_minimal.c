/* bga_minimal FILE - print the attributes of a BGA file, with only the single header:
 *
 *     make single-headers
 *     cc -I dist examples/bga_minimal.c -o bga_minimal */
#define FACET_BGA_IMPLEMENTATION
#include "facet_bga.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    long length;
    if (file && fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 &&
        fseek(file, 0, SEEK_SET) == 0 && (data = (uint8_t *)malloc((size_t)length + 1)) != NULL)
        *size = fread(data, 1, (size_t)length, file);
    if (file)
        fclose(file);
    return data;
}

int main(int count, char **arguments)
{
    static facet_bga bga;
    facet_error error;
    size_t size = 0;
    uint32_t i;
    uint8_t *data = count == 2 ? read_file(arguments[1], &size) : NULL;
    if (!data) {
        fprintf(stderr, count == 2 ? "cannot read '%s'\n" : "usage: bga_minimal FILE\n",
                arguments[1]);
        return 1;
    }
    if (facet_bga_view(data, size, NULL, &bga, &error) != FACET_OK) {
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
        free(data);
        return 1;
    }
    /* An engine passes attribute->data, its stride and its type to the GPU here. If
     * facet_bga_is_host_order returns false, it must swap the bytes of each value before. */
    for (i = 0; i < bga.attribute_count; i++) {
        const facet_bga_attribute *a = &bga.attributes[i];
        const facet_bga_buffer *buffer = &bga.buffers[a->buffer];
        printf("%.*s.%.*s: %lu records of %u values of %u bytes, offset %lu, stride %lu\n",
               (int)buffer->name_length, buffer->name, (int)a->name_length, a->name,
               (unsigned long)a->count, (unsigned)a->components,
               (unsigned)facet_bga_base_size(a->base), (unsigned long)a->offset,
               (unsigned long)a->stride);
    }
    free(data);
    return 0;
}
