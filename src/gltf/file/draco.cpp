/* gltf/file/draco.cpp - KHR_draco_mesh_compression by libdraco, where it is there:
 * each compressed primitive is decoded into plain bytes, and its accessors are
 * pointed to them. Primitives whose accessors have bytes of their own as well
 * are read from those. No exception leaves this file. */
#include "gltf/file/file.h"

extern "C" {
#include "base/arena.h"
#include "base/error.h"
}

#ifdef FACET_HAVE_DRACO
#include <draco/compression/decode.h>

#include <exception>
#include <memory>
#include <new>

namespace
{

struct primitive_place {
    facet_gltf_file *file;
    const facet_gltf_primitive *primitive;
    uint32_t mesh;
};

facet_status fault(const primitive_place &at, const char *what, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-DRACO", FACET_NO_OFFSET,
                      "a Draco primitive of mesh %u %s", at.mesh, what);
}

facet_gltf_accessor *accessor_at(const primitive_place &at, uint32_t index)
{
    facet_gltf_document *document = &at.file->document;
    return index < document->accessor_count ? &document->accessors[index] : nullptr;
}

bool needs_decoding(const primitive_place &at)
{
    const facet_gltf_accessor *indices = accessor_at(at, at.primitive->indices);
    if (indices && indices->view == FACET_NONE && !indices->data)
        return true;
    for (uint32_t i = 0; i < at.primitive->attribute_count; i++) {
        const facet_gltf_accessor *accessor = accessor_at(at, at.primitive->attributes[i].accessor);
        if (accessor && accessor->view == FACET_NONE && !accessor->data)
            return true;
    }
    return false;
}

template <typename T>
bool convert(const draco::PointAttribute &from, uint32_t points, uint32_t components, T *to)
{
    for (draco::PointIndex point(0); point < points; ++point) {
        if (!from.ConvertValue<T>(from.mapped_index(point), static_cast<int8_t>(components), to))
            return false;
        to += components;
    }
    return true;
}

bool convert_to(uint32_t type, const draco::PointAttribute &from, uint32_t points,
                uint32_t components, void *to)
{
    switch (type) {
    case FACET_GLTF_INT8:
        return convert(from, points, components, static_cast<int8_t *>(to));
    case FACET_GLTF_UINT8:
        return convert(from, points, components, static_cast<uint8_t *>(to));
    case FACET_GLTF_INT16:
        return convert(from, points, components, static_cast<int16_t *>(to));
    case FACET_GLTF_UINT16:
        return convert(from, points, components, static_cast<uint16_t *>(to));
    case FACET_GLTF_UINT32:
        return convert(from, points, components, static_cast<uint32_t *>(to));
    default:
        return convert(from, points, components, static_cast<float *>(to));
    }
}

facet_status take_indices(const primitive_place &at, const draco::Mesh &mesh, facet_error *error)
{
    facet_gltf_accessor *accessor = accessor_at(at, at.primitive->indices);
    if (!accessor || accessor->count != static_cast<uint64_t>(mesh.num_faces()) * 3)
        return fault(at, "has indices of another number than it says", error);
    uint32_t *indices = static_cast<uint32_t *>(
        facet_arena_allocate(at.file->arena, mesh.num_faces(), 3 * sizeof(uint32_t)));
    if (!indices)
        return facet_fail_memory(error, mesh.num_faces() * size_t(12));
    accessor->data = reinterpret_cast<const uint8_t *>(indices);
    accessor->type = FACET_GLTF_UINT32;
    for (draco::FaceIndex face(0); face < mesh.num_faces(); ++face) {
        for (int corner = 0; corner < 3; corner++)
            *indices++ = mesh.face(face)[corner].value();
    }
    return FACET_OK;
}

facet_status take_attribute(const primitive_place &at, const draco::Mesh &mesh,
                            const facet_gltf_attribute &attribute, facet_error *error)
{
    facet_gltf_accessor *accessor = nullptr;
    for (uint32_t i = 0; i < at.primitive->attribute_count; i++) {
        if (strcmp(at.primitive->attributes[i].name, attribute.name) == 0)
            accessor = accessor_at(at, at.primitive->attributes[i].accessor);
    }
    const draco::PointAttribute *from = mesh.GetAttributeByUniqueId(attribute.accessor);
    if (!accessor || !from || accessor->count != mesh.num_points() || accessor->components > 4)
        return fault(at, "has attributes of another number or kind than it says", error);
    size_t size = facet_gltf_component_size(accessor->type) * accessor->components;
    void *bytes = facet_arena_allocate(at.file->arena, mesh.num_points(), size);
    if (!bytes)
        return facet_fail_memory(error, mesh.num_points() * size);
    if (!convert_to(accessor->type, *from, mesh.num_points(), accessor->components, bytes))
        return fault(at, "has an attribute that cannot be converted to its accessor", error);
    accessor->data = static_cast<const uint8_t *>(bytes);
    return FACET_OK;
}

facet_status decode(const primitive_place &at, facet_error *error)
{
    const facet_gltf_draco *extension = at.primitive->draco;
    if (extension->view >= at.file->document.view_count)
        return fault(at, "names a buffer view that is not there", error);
    const facet_gltf_view *view = &at.file->document.views[extension->view];
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char *>(view->data), static_cast<size_t>(view->length));
    draco::Decoder decoder;
    auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
    if (!decoded.ok())
        return fault(at, "cannot be decoded", error);
    std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();
    facet_status status = take_indices(at, *mesh, error);
    for (uint32_t i = 0; i < extension->attribute_count && !status; i++)
        status = take_attribute(at, *mesh, extension->attributes[i], error);
    return status;
}

facet_status decode_all(facet_gltf_file *file, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t m = 0; m < file->document.mesh_count && !status; m++) {
        const facet_gltf_mesh *mesh = &file->document.meshes[m];
        for (uint32_t p = 0; p < mesh->primitive_count && !status; p++) {
            primitive_place at = {file, &mesh->primitives[p], m};
            if (mesh->primitives[p].draco && needs_decoding(at))
                status = decode(at, error);
        }
    }
    return status;
}

} // namespace

facet_status facet_gltf_decode_draco(facet_gltf_file *file, facet_error *error)
{
    try {
        return decode_all(file, error);
    } catch (const std::bad_alloc &) {
        return facet_fail_memory(error, 0);
    } catch (const std::exception &fault) {
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-DRACO", FACET_NO_OFFSET, "%s",
                          fault.what());
    }
}

#else

facet_status facet_gltf_decode_draco(facet_gltf_file *file, facet_error *error)
{
    /* A file that requires the extension has been refused by name already. */
    (void)file;
    (void)error;
    return FACET_OK;
}

#endif
