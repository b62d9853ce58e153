/* formats/gltf/file/draco.c - KHR_draco_mesh_compression, decoded by libdraco if it is available.
 * The accessors of a decoded primitive point to the result. A primitive whose accessors also have
 * uncompressed bytes is read from those. */
#include "formats/gltf/file/file.h"

#ifdef FACET_HAVE_DRACO
#include "base/arena.h"
#include "base/error.h"
#include "base/module.h"
#include "formats/gltf/file/draco_calls.h"

#include <string.h>

#ifdef FACET_MODULES
static facet_module module = {"draco", "meshes compressed by Draco", NULL};
#else
extern const facet_draco_calls facet_draco_table;
static facet_module module = {"draco", "", &facet_draco_table};
#endif

typedef struct primitive_place {
    facet_gltf_file *file;
    const facet_draco_calls *draco;
    const facet_gltf_primitive *primitive;
    uint32_t mesh;
} primitive_place;

/* A decoded primitive. */
typedef struct decoded_mesh {
    void *mesh;
    uint32_t point_count, face_count;
} decoded_mesh;

static facet_status fault(const primitive_place *at, const char *what, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-DRACO", FACET_NO_OFFSET,
                      "a Draco primitive of mesh %u %s", at->mesh, what);
}

static facet_gltf_accessor *accessor_at(const primitive_place *at, uint32_t index)
{
    facet_gltf_document *document = &at->file->document;
    return index < document->accessor_count ? &document->accessors[index] : NULL;
}

static bool is_empty(const facet_gltf_accessor *accessor)
{
    return accessor && accessor->view == FACET_NONE && !accessor->data;
}

static bool needs_decoding(const primitive_place *at)
{
    if (is_empty(accessor_at(at, at->primitive->indices)))
        return true;
    for (uint32_t i = 0; i < at->primitive->attribute_count; i++) {
        if (is_empty(accessor_at(at, at->primitive->attributes[i].accessor)))
            return true;
    }
    return false;
}

static facet_status take_indices(const primitive_place *at, const decoded_mesh *mesh,
                                 facet_error *error)
{
    facet_gltf_accessor *accessor = accessor_at(at, at->primitive->indices);
    if (!accessor || accessor->count != (uint64_t)mesh->face_count * 3)
        return fault(at, "has a different number of indices than declared", error);
    uint32_t *indices =
        facet_arena_allocate(at->file->arena, mesh->face_count, 3 * sizeof *indices);
    if (!indices)
        return facet_fail_arena(at->file->arena, error);
    at->draco->copy_indices(mesh->mesh, indices);
    accessor->data = (const uint8_t *)indices;
    accessor->type = FACET_GLTF_UINT32;
    return FACET_OK;
}

static facet_status take_attribute(const primitive_place *at, const decoded_mesh *mesh,
                                   const facet_gltf_attribute *attribute, facet_error *error)
{
    facet_gltf_accessor *accessor = NULL;
    for (uint32_t i = 0; i < at->primitive->attribute_count; i++) {
        if (strcmp(at->primitive->attributes[i].name, attribute->name) == 0)
            accessor = accessor_at(at, at->primitive->attributes[i].accessor);
    }
    uint32_t number = attribute->accessor;
    if (!accessor || !at->draco->has_attribute(mesh->mesh, number) ||
        accessor->count != mesh->point_count || accessor->components > 4)
        return fault(at, "has attributes of a different number or kind than declared", error);
    size_t size = facet_gltf_component_size(accessor->type) * accessor->components;
    void *bytes = facet_arena_allocate(at->file->arena, mesh->point_count, size);
    if (!bytes)
        return facet_fail_arena(at->file->arena, error);
    facet_draco_result result =
        at->draco->copy_attribute(mesh->mesh, number, accessor->type, accessor->components, bytes);
    if (result == FACET_DRACO_NO_MEMORY)
        return facet_fail_arena(at->file->arena, error);
    if (result != FACET_DRACO_OK)
        return fault(at, "has an attribute that cannot be converted to its accessor", error);
    accessor->data = bytes;
    return FACET_OK;
}

/* Maximum bytes of the indices and attributes of a decoded primitive. */
static uint64_t decoded_size(const facet_gltf_draco *extension, const decoded_mesh *mesh)
{
    return (uint64_t)mesh->face_count * 3 * sizeof(uint32_t) +
           (uint64_t)mesh->point_count * extension->attribute_count * 4 * sizeof(float);
}

static facet_status decode(const primitive_place *at, facet_error *error)
{
    const facet_gltf_draco *extension = at->primitive->draco;
    if (extension->view >= at->file->document.view_count)
        return fault(at, "names a buffer view that does not exist", error);
    const facet_gltf_view *view = &at->file->document.views[extension->view];
    decoded_mesh mesh = {0};
    facet_draco_result result = at->draco->decode(view->data, (size_t)view->length, &mesh.mesh,
                                                  &mesh.point_count, &mesh.face_count);
    if (result == FACET_DRACO_NO_MEMORY)
        return facet_fail_memory(error, 0);
    if (result != FACET_DRACO_OK)
        return fault(at, "cannot be decoded", error);
    facet_status status =
        facet_gltf_spend_decoded(at->file, view->length, decoded_size(extension, &mesh), error);
    if (!status)
        status = take_indices(at, &mesh, error);
    for (uint32_t i = 0; i < extension->attribute_count && !status; i++)
        status = take_attribute(at, &mesh, &extension->attributes[i], error);
    at->draco->release(mesh.mesh);
    return status;
}

facet_status facet_gltf_decode_draco(facet_gltf_file *file, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t m = 0; m < file->document.mesh_count && !status; m++) {
        const facet_gltf_mesh *mesh = &file->document.meshes[m];
        for (uint32_t p = 0; p < mesh->primitive_count && !status; p++) {
            primitive_place at = {file, NULL, &mesh->primitives[p], m};
            if (!mesh->primitives[p].draco || !needs_decoding(&at))
                continue;
            status = facet_module_open(&module, error);
            at.draco = facet_module_table(&module);
            if (!status)
                status = decode(&at, error);
        }
    }
    return status;
}
#else
facet_status facet_gltf_decode_draco(facet_gltf_file *file, facet_error *error)
{
    /* Files that require the extension are already rejected. */
    (void)file;
    (void)error;
    return FACET_OK;
}
#endif
