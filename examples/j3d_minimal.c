/* j3d_minimal FILE.bmd - print the first shape of a GameCube or Wii model in its rest pose, and the
 * first texel of its first texture, with only the single header:
 *
 *     make single-headers
 *     cc -I dist examples/j3d_minimal.c -lm -o j3d_minimal */
#define FACET_J3D_IMPLEMENTATION
#include "facet_j3d.h"

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

/* An engine fills its buffers here: vertices, multiplied by their matrix, and three indices per
 * triangle. If joints move, the engine blends the matrices itself. */
static void draw(const facet_j3d_meshes *meshes, const facet_j3d_mesh *mesh)
{
    uint32_t v, t;
    int row;
    printf("%u vertices, material %u\n", (unsigned)mesh->vertex_count, (unsigned)mesh->material);
    for (v = 0; v < mesh->vertex_count; v++) {
        const float *m = meshes->matrices[mesh->draw_matrices[v]], *p = mesh->positions + 3 * v;
        printf("position");
        for (row = 0; row < 3; row++)
            printf(" %g", (double)(m[4 * row] * p[0] + m[4 * row + 1] * p[1] +
                                   m[4 * row + 2] * p[2] + m[4 * row + 3]));
        printf("\n");
    }
    for (t = 0; t < mesh->triangle_count; t++)
        printf("triangle %u %u %u\n", (unsigned)mesh->triangles[3 * t],
               (unsigned)mesh->triangles[3 * t + 1], (unsigned)mesh->triangles[3 * t + 2]);
}

/* An engine uploads this texture. */
static facet_status show_texture(const facet_j3d *model, facet_error *error)
{
    facet_gx_texture texture;
    uint8_t *rgba;
    facet_status status = facet_j3d_get_texture(model, 0, &texture, error);
    if (status)
        return status;
    rgba = (uint8_t *)malloc((size_t)texture.width * texture.height * 4);
    if (!rgba)
        return FACET_ERROR_MEMORY;
    status = facet_gx_decode(&texture, 0, NULL, rgba, (size_t)texture.width * 4, error);
    if (status == FACET_OK)
        printf("texture %u x %u, first texel %02X%02X%02X%02X\n", (unsigned)texture.width,
               (unsigned)texture.height, rgba[0], rgba[1], rgba[2], rgba[3]);
    free(rgba);
    return status;
}

int main(int count, char **arguments)
{
    facet_source source;
    facet_j3d *model = NULL;
    facet_j3d_meshes *meshes = NULL;
    facet_error error;
    facet_status status;
    memset(&source, 0, sizeof source);
    memset(&error, 0, sizeof error);
    source.data = count == 2 ? read_file(arguments[1], &source.size) : NULL;
    if (!source.data) {
        fprintf(stderr, count == 2 ? "cannot read '%s'\n" : "usage: j3d_minimal FILE.bmd\n",
                arguments[1]);
        return 1;
    }
    status = facet_j3d_read(&source, NULL, &model, &error);
    if (status == FACET_OK)
        status = facet_j3d_decode(model, NULL, &meshes, &error);
    if (status == FACET_OK && meshes->count > 0)
        draw(meshes, &meshes->items[0]);
    if (status == FACET_OK && model->textures.count > 0)
        status = show_texture(model, &error);
    if (status)
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
    facet_j3d_meshes_free(meshes);
    facet_j3d_free(model);
    free((void *)source.data);
    return status != FACET_OK;
}
