/* iqm_minimal FILE - print the meshes, joints and animations of an IQM, with only the single
 * header:
 *
 *     make single-headers
 *     cc -I dist examples/iqm_minimal.c -o iqm_minimal -lm */
#define FACET_IQM_IMPLEMENTATION
#include "facet_iqm.h"

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

static void print(const facet_iqm_layout *iqm)
{
    facet_iqm_mesh mesh;
    facet_iqm_array array;
    facet_iqm_joint joint;
    facet_iqm_animation animation;
    uint32_t i;
    for (i = 0; !facet_iqm_get(iqm, FACET_IQM_MESHES, i, &mesh, sizeof mesh, NULL); i++)
        printf("mesh '%s', material '%s': %u vertices, %u triangles\n",
               facet_iqm_text(iqm, mesh.name), facet_iqm_text(iqm, mesh.material),
               (unsigned)mesh.vertex_count, (unsigned)mesh.triangle_count);
    /* An engine passes array.data to the GPU. */
    for (i = 0; !facet_iqm_get(iqm, FACET_IQM_ARRAYS, i, &array, sizeof array, NULL); i++)
        printf("array of type %u: %u components of %u bytes\n", (unsigned)array.type,
               (unsigned)array.size, (unsigned)facet_iqm_component_size(array.format));
    for (i = 0; !facet_iqm_get(iqm, FACET_IQM_JOINTS, i, &joint, sizeof joint, NULL); i++)
        printf("joint '%s' below %d at %g %g %g\n", facet_iqm_text(iqm, joint.name),
               (int)joint.parent, joint.translation[0], joint.translation[1], joint.translation[2]);
    for (i = 0; !facet_iqm_get(iqm, FACET_IQM_ANIMATIONS, i, &animation, sizeof animation, NULL);
         i++)
        printf("animation '%s': %u frames, %g per second%s\n", facet_iqm_text(iqm, animation.name),
               (unsigned)animation.frame_count, animation.rate,
               animation.flags & FACET_IQM_LOOP ? ", loops" : "");
}

int main(int count, char **arguments)
{
    facet_iqm_layout iqm;
    facet_error error;
    size_t size = 0;
    uint8_t *data = count == 2 ? read_file(arguments[1], &size) : NULL;
    if (!data) {
        fprintf(stderr, count == 2 ? "cannot read '%s'\n" : "usage: iqm_minimal FILE\n",
                arguments[1]);
        return 1;
    }
    if (facet_iqm_view(data, size, &iqm, &error) || facet_iqm_verify(&iqm, &error)) {
        fprintf(stderr, "%s: %s\n", error.rule, error.message);
        free(data);
        return 1;
    }
    print(&iqm);
    free(data);
    return 0;
}
