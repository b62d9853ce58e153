/* Map a BSM and pass its arrays to a renderer without a copy.
 *
 *   load_bsm FILE.bsm */
#include <facet/facet.h>
#include <inttypes.h>
#include <stdio.h>

/* A renderer would create its buffers here. */
static void upload(const char *name, const void *data, size_t bytes)
{
    printf("%-10s %8zu bytes at %p\n", name, bytes, data);
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: load_bsm FILE.bsm\n");
        return 2;
    }
    facet_file *file = NULL;
    facet_bsm_layout bsm;
    facet_error error;
    if (facet_file_open(words[1], NULL, &file, &error) ||
        facet_bsm_view(facet_file_source(file).data, facet_file_source(file).size, &bsm, &error) ||
        facet_bsm_verify(&bsm, &error)) {
        fprintf(stderr, "%s: %s\n", words[1], error.message);
        facet_file_close(file);
        return 1;
    }
    size_t vertices = bsm.count[FACET_BSM_POSITIONS];
    upload("positions", facet_bsm_floats(&bsm, FACET_BSM_POSITIONS), vertices * 12);
    upload("texcoords", facet_bsm_floats(&bsm, FACET_BSM_TEXCOORDS), vertices * 8);
    upload("normals", facet_bsm_floats(&bsm, FACET_BSM_NORMALS), vertices * 12);
    upload("tangents", facet_bsm_floats(&bsm, FACET_BSM_TANGENTS), vertices * 16);
    upload("indices", facet_bsm_indices(&bsm, FACET_BSM_TRIANGLES),
           (size_t)bsm.count[FACET_BSM_TRIANGLES] * 12);
    for (uint32_t i = 0; i < bsm.count[FACET_BSM_MESHES]; i++) {
        facet_bsm_mesh mesh;
        if (facet_bsm_copy(&bsm, FACET_BSM_MESHES, i, 1, &mesh, &error))
            break;
        printf("draw %" PRIu32 " triangles from %" PRIu32 " with '%s'\n", mesh.triangle_count,
               mesh.first_triangle, mesh.material);
    }
    facet_file_close(file);
    return 0;
}
