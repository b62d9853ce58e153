/* bsm_minimal FILE - print the vertex arrays of a BSM, with only the single header:
 *
 *     make single-headers
 *     cc -I dist examples/bsm_minimal.c -o bsm_minimal */
#define FACET_BSM_IMPLEMENTATION
#include "facet_bsm.h"

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
    facet_bsm_layout bsm;
    facet_error error;
    size_t size = 0;
    uint32_t i;
    uint8_t *data = count == 2 ? read_file(arguments[1], &size) : NULL;
    if (!data) {
        fprintf(stderr, count == 2 ? "cannot read '%s'\n" : "usage: bsm_minimal FILE\n",
                arguments[1]);
        return 1;
    }
    if (facet_bsm_view(data, size, &bsm, &error) || facet_bsm_verify(&bsm, &error)) {
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
        free(data);
        return 1;
    }
    /* An engine passes facet_bsm_floats and facet_bsm_indices to the GPU instead. */
    for (i = 0; i < bsm.count[FACET_BSM_POSITIONS]; i++) {
        float p[3], t[2], n[3], h[4];
        if (facet_bsm_copy(&bsm, FACET_BSM_POSITIONS, i, 1, p, &error) ||
            facet_bsm_copy(&bsm, FACET_BSM_TEXCOORDS, i, 1, t, &error) ||
            facet_bsm_copy(&bsm, FACET_BSM_NORMALS, i, 1, n, &error) ||
            facet_bsm_copy(&bsm, FACET_BSM_TANGENTS, i, 1, h, &error))
            break;
        printf("position %g %g %g  texcoord %g %g  normal %g %g %g  tangent %g %g %g %g\n", p[0],
               p[1], p[2], t[0], t[1], n[0], n[1], n[2], h[0], h[1], h[2], h[3]);
    }
    free(data);
    return 0;
}
