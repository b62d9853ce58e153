/* yaz0_minimal IN OUT - decompress a Yaz0 or Yay0 file, with only the single header:
 *
 *     make single-headers
 *     cc -I dist examples/yaz0_minimal.c -o yaz0_minimal */
#define FACET_YAZ0_IMPLEMENTATION
#include "facet_yaz0.h"

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

static int write_file(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    int ok = file && fwrite(data, 1, size, file) == size;
    return file && fclose(file) == 0 && ok;
}

int main(int count, char **arguments)
{
    facet_error error;
    size_t size = 0, plain = 0;
    int ok = 0;
    uint8_t *data = count == 3 ? read_file(arguments[1], &size) : NULL, *out = NULL;
    if (!data) {
        fprintf(stderr, count == 3 ? "cannot read '%s'\n" : "usage: yaz0_minimal IN OUT\n",
                arguments[1]);
        return 1;
    }
    /* A stream of this length can have this decompressed size, so it is safe to allocate. */
    if (facet_decompressed_size(data, size, &plain, &error) ||
        (out = (uint8_t *)malloc(plain)) == NULL ||
        facet_decompress(data, size, out, plain, &error))
        fprintf(stderr, "%s: %s\n", out || !plain ? error.rule : "",
                out || !plain ? error.message : "out of memory");
    else
        ok = write_file(arguments[2], out, plain);
    free(out);
    free(data);
    return !ok;
}
