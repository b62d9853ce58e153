/* Convert any file to vertex and index buffers, with one draw per material. Positions are floats,
 * normals two bytes, texture coordinates half floats; indices are 16 bits if these suffice.
 *
 *   pack FILE */
#include <facet/facet.h>
#include <inttypes.h>
#include <stdio.h>

static const facet_pack_attribute attributes[] = {
    {FACET_POSITION, 0, NULL, FACET_PACK_FLOAT32, 3, 0, false, false},
    {FACET_NORMAL, 0, NULL, FACET_PACK_OCTAHEDRAL8, 2, 1, false, false},
    {FACET_TEXCOORD, 0, NULL, FACET_PACK_FLOAT16, 2, 1, false, true},
};

/* A renderer would create its buffers and record its draws here. */
static void upload(const facet_scene *scene, const facet_packed *packed)
{
    for (uint32_t i = 0; i < packed->buffer_count; i++)
        printf("vertex buffer: %zu bytes, %" PRIu32 " per vertex\n", packed->buffers[i].size,
               packed->buffers[i].stride);
    printf("index buffer: %zu bytes, %" PRIu32 " per index\n", packed->index_bytes,
           packed->index_size);
    for (uint32_t i = 0; i < packed->draw_count; i++) {
        const facet_packed_draw *draw = &packed->draws[i];
        printf("draw %" PRIu32 " indices from %" PRIu32 " with '%s'\n", draw->index_count,
               draw->first_index,
               draw->material == FACET_NONE ? "" : scene->materials[draw->material]->name);
    }
}

int main(int count, char **words)
{
    if (count != 2) {
        fprintf(stderr, "usage: pack FILE\n");
        return 2;
    }
    facet_file *file = NULL;
    facet_scene *scene = NULL;
    facet_error error;
    facet_status status = facet_file_open(words[1], NULL, &file, &error);
    if (!status) {
        facet_source source = facet_file_source(file);
        status = facet_load(&source, NULL, NULL, NULL, &scene, &error);
    }
    if (!status) /* format NULL: prepare for a GPU */
        status = facet_prepare(scene, NULL, NULL, NULL, NULL, &error);
    const facet_pack_layout layout = {sizeof layout, attributes, 3, 0, 0, false};
    for (uint32_t i = 0; !status && i < scene->mesh_count; i++) {
        facet_packed *packed = NULL;
        status = facet_mesh_pack(scene->meshes[i], &layout, NULL, &packed, &error);
        if (!status)
            upload(scene, packed);
        facet_packed_free(packed);
    }
    if (status)
        fprintf(stderr, "%s: %s\n", words[1], error.message);
    facet_scene_free(scene);
    facet_file_close(file);
    return status ? 1 : 0;
}
