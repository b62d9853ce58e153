/* bti_minimal FILE.bti - print the first row of texels of a GameCube or Wii texture, with only the
 * single header:
 *
 *     make single-headers
 *     cc -I dist examples/bti_minimal.c -o bti_minimal */
#define FACET_BTI_IMPLEMENTATION
#include "facet_bti.h"

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
    facet_bti bti;
    facet_gx_texture texture;
    facet_error error;
    size_t size = 0;
    uint8_t *data = count == 2 ? read_file(arguments[1], &size) : NULL, *rgba = NULL;
    uint32_t x;
    int ok = 0;
    if (!data || size < FACET_BTI_HEADER_SIZE) {
        fprintf(stderr, count == 2 ? "cannot read '%s'\n" : "usage: bti_minimal FILE.bti\n",
                arguments[1]);
        free(data);
        return 1;
    }
    memset(&bti, 0, sizeof bti);
    facet_bti_header_load(data, &bti.header);
    bti.data = data + FACET_BTI_HEADER_SIZE;
    bti.size = size - FACET_BTI_HEADER_SIZE;
    if (facet_bti_get_texture(&bti, &texture, &error) == FACET_OK &&
        (rgba = (uint8_t *)malloc((size_t)texture.width * texture.height * 4)) != NULL &&
        facet_gx_decode(&texture, 0, NULL, rgba, (size_t)texture.width * 4, &error) == FACET_OK) {
        /* An engine uploads rgba here, then decodes the other texture.levels - 1 levels. */
        printf("%s, %u x %u, %u levels\n", facet_gx_format_name(texture.format),
               (unsigned)texture.width, (unsigned)texture.height, (unsigned)texture.levels);
        for (x = 0; x < texture.width; x++)
            printf("%02X%02X%02X%02X%c", rgba[x * 4], rgba[x * 4 + 1], rgba[x * 4 + 2],
                   rgba[x * 4 + 3], x + 1 < texture.width ? ' ' : '\n');
        ok = 1;
    } else {
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
    }
    free(rgba);
    free(data);
    return !ok;
}
