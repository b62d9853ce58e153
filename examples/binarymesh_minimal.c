/* binarymesh_minimal FILE.binarymesh - print the objects of a BinaryMesh file and their first
 * triangles, with only the single header:
 *
 *     make single-headers
 *     cc -I dist examples/binarymesh_minimal.c -o binarymesh_minimal */
#define FACET_BINARYMESH_IMPLEMENTATION
#include "facet_binarymesh.h"

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

static void show_corner(const facet_binarymesh *mesh, const facet_binarymesh_object *object,
                        uint32_t corner)
{
    size_t position = (size_t)object->position_indices[corner] * 3;
    printf("  %g %g %g", facet_binarymesh_real(mesh, object->positions, position),
           facet_binarymesh_real(mesh, object->positions, position + 1),
           facet_binarymesh_real(mesh, object->positions, position + 2));
}

/* Each corner has separate indices for position, normal and texture coordinate. An engine merges
 * equal corners to vertices. Faces are triangulated as fans. */
static void draw(const facet_binarymesh *mesh, const facet_binarymesh_object *object)
{
    uint32_t face, corner, left = 4;
    printf("%s: %u positions, %u faces\n", object->name.text, (unsigned)object->position_count,
           (unsigned)object->face_count);
    for (face = 0; face < object->face_count; face++) {
        uint32_t begin = facet_binarymesh_face_begin(object, face);
        uint32_t end = facet_binarymesh_face_end(object, face);
        for (corner = begin + 1; corner + 1 < end && left > 0; corner++, left--) {
            show_corner(mesh, object, begin);
            show_corner(mesh, object, corner);
            show_corner(mesh, object, corner + 1);
            printf("\n");
        }
    }
}

int main(int count, char **arguments)
{
    facet_source source;
    facet_binarymesh *mesh = NULL;
    facet_error error;
    facet_status status;
    uint32_t i;
    memset(&source, 0, sizeof source);
    memset(&error, 0, sizeof error);
    source.data = count == 2 ? read_file(arguments[1], &source.size) : NULL;
    if (!source.data) {
        fprintf(stderr,
                count == 2 ? "cannot read '%s'\n" : "usage: binarymesh_minimal FILE.binarymesh\n",
                arguments[1]);
        return 1;
    }
    status = facet_binarymesh_read(&source, NULL, &mesh, &error);
    if (status)
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
    for (i = 0; status == FACET_OK && i < mesh->object_count; i++)
        draw(mesh, &mesh->objects[i]);
    facet_binarymesh_free(mesh);
    free((void *)source.data);
    return status != FACET_OK;
}
