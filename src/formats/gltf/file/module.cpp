/* formats/gltf/file/module.cpp - the module of libdraco. No exception leaves this file. */
#include "formats/gltf/file/document.h"
#include "formats/gltf/file/draco_calls.h"
#include "formats/gltf/file/file.h"

#include <draco/compression/decode.h>

#include <exception>
#include <memory>
#include <new>

namespace
{

const draco::Mesh &mesh_of(const void *mesh)
{
    return *static_cast<const draco::Mesh *>(mesh);
}

facet_draco_result decode(const uint8_t *data, size_t size, void **mesh, uint32_t *point_count,
                          uint32_t *face_count)
{
    try {
        draco::DecoderBuffer buffer;
        buffer.Init(reinterpret_cast<const char *>(data), size);
        draco::Decoder decoder;
        auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
        if (!decoded.ok())
            return FACET_DRACO_DAMAGED;
        std::unique_ptr<draco::Mesh> made = std::move(decoded).value();
        *point_count = made->num_points();
        *face_count = made->num_faces();
        *mesh = made.release();
        return FACET_DRACO_OK;
    } catch (const std::bad_alloc &) {
        return FACET_DRACO_NO_MEMORY;
    } catch (...) {
        return FACET_DRACO_DAMAGED;
    }
}

void release(void *mesh)
{
    delete static_cast<draco::Mesh *>(mesh);
}

void copy_indices(const void *from, uint32_t *indices)
{
    const draco::Mesh &mesh = mesh_of(from);
    for (draco::FaceIndex face(0); face < mesh.num_faces(); ++face) {
        for (int corner = 0; corner < 3; corner++)
            *indices++ = mesh.face(face)[corner].value();
    }
}

int has_attribute(const void *mesh, uint32_t number)
{
    return mesh_of(mesh).GetAttributeByUniqueId(number) != nullptr;
}

template <typename T>
bool convert(const draco::PointAttribute &from, uint32_t points, uint32_t components, void *values)
{
    T *to = static_cast<T *>(values);
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
        return convert<int8_t>(from, points, components, to);
    case FACET_GLTF_UINT8:
        return convert<uint8_t>(from, points, components, to);
    case FACET_GLTF_INT16:
        return convert<int16_t>(from, points, components, to);
    case FACET_GLTF_UINT16:
        return convert<uint16_t>(from, points, components, to);
    case FACET_GLTF_UINT32:
        return convert<uint32_t>(from, points, components, to);
    default:
        return convert<float>(from, points, components, to);
    }
}

facet_draco_result copy_attribute(const void *from, uint32_t number, uint32_t type,
                                  uint32_t components, void *values)
{
    try {
        const draco::Mesh &mesh = mesh_of(from);
        const draco::PointAttribute *attribute = mesh.GetAttributeByUniqueId(number);
        return attribute && convert_to(type, *attribute, mesh.num_points(), components, values)
                   ? FACET_DRACO_OK
                   : FACET_DRACO_DAMAGED;
    } catch (const std::bad_alloc &) {
        return FACET_DRACO_NO_MEMORY;
    } catch (...) {
        return FACET_DRACO_DAMAGED;
    }
}

} // namespace

extern "C" __attribute__((visibility("default"))) const facet_draco_calls facet_draco_table;
extern "C" const facet_draco_calls facet_draco_table = {decode, release, copy_indices,
                                                        has_attribute, copy_attribute};
