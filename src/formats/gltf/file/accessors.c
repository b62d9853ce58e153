/* formats/gltf/file/accessors.c - typed elements in views: their ranges are checked once, before
 * reading. */
#include "base/bytes.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/gltf/file/file.h"

#include <inttypes.h>

/* -- Ranges ------------------------------------------------------------- */

size_t facet_gltf_component_size(uint32_t type)
{
    switch (type) {
    case FACET_GLTF_INT8:
    case FACET_GLTF_UINT8:
        return 1;
    case FACET_GLTF_INT16:
    case FACET_GLTF_UINT16:
        return 2;
    case FACET_GLTF_UINT32:
    case FACET_GLTF_FLOAT:
        return 4;
    default:
        return 0;
    }
}

size_t facet_gltf_element_size(const facet_gltf_accessor *accessor)
{
    return facet_gltf_component_size(accessor->type) * accessor->components;
}

static uint32_t load_integer(const uint8_t *at, uint32_t type)
{
    switch (type) {
    case FACET_GLTF_UINT8:
        return *at;
    case FACET_GLTF_INT8:
        return (uint32_t)(int8_t)*at;
    case FACET_GLTF_UINT16:
        return facet_load_u16le(at);
    case FACET_GLTF_INT16:
        return (uint32_t)(int16_t)facet_load_u16le(at);
    default:
        return facet_load_u32le(at);
    }
}

/* True if view `index` contains `count` elements from `offset`, `stride` bytes apart. The last
 * element can be shorter than the stride. */
static bool fits(const facet_gltf_file *file, uint32_t index, uint64_t offset, uint64_t count,
                 uint64_t stride, uint64_t size)
{
    if (index >= file->document.view_count)
        return false;
    const facet_gltf_view *view = &file->document.views[index];
    if (count == 0)
        return offset <= view->length;
    return offset <= view->length && size <= view->length - offset &&
           facet_range_fits(offset + size, count - 1, stride, view->length);
}

static facet_status outside(uint32_t index, const char *what, facet_error *error)
{
    return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-ACCESSOR", FACET_NO_OFFSET,
                      "%s of accessor %" PRIu32 " reach beyond the end of their buffer view", what,
                      index);
}

static facet_status check_sparse(const facet_gltf_file *file, uint32_t index, facet_error *error)
{
    const facet_gltf_accessor *accessor = &file->document.accessors[index];
    const facet_gltf_sparse *sparse = accessor->sparse;
    size_t size = facet_gltf_component_size(sparse->index_type);
    if (size == 0 || sparse->index_type == FACET_GLTF_FLOAT || sparse->count > accessor->count)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-ACCESSOR", FACET_NO_OFFSET,
                          "accessor %" PRIu32 " has a sparse part of %" PRIu64
                          " elements with indices of type %" PRIu32,
                          index, sparse->count, sparse->index_type);
    if (!fits(file, sparse->indices_view, sparse->indices_offset, sparse->count, size, size))
        return outside(index, "the sparse indices", error);
    if (!fits(file, sparse->values_view, sparse->values_offset, sparse->count,
              facet_gltf_element_size(accessor), facet_gltf_element_size(accessor)))
        return outside(index, "the sparse values", error);
    const uint8_t *indices =
        file->document.views[sparse->indices_view].data + sparse->indices_offset;
    for (uint64_t i = 0; i < sparse->count; i++) {
        uint32_t element = load_integer(indices + i * size, sparse->index_type);
        if (element >= accessor->count)
            return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-ACCESSOR", FACET_NO_OFFSET,
                              "the sparse part of accessor %" PRIu32 " replaces element %" PRIu32
                              " of %" PRIu64,
                              index, element, accessor->count);
    }
    return FACET_OK;
}

static facet_status check_accessor(const facet_gltf_file *file, uint32_t index, facet_error *error)
{
    const facet_gltf_accessor *accessor = &file->document.accessors[index];
    size_t size = facet_gltf_element_size(accessor);
    if (facet_gltf_component_size(accessor->type) == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-ACCESSOR", FACET_NO_OFFSET,
                          "accessor %" PRIu32 " has component type %" PRIu32
                          ", which glTF does not define",
                          index, accessor->type);
    if (accessor->count >= UINT32_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, "GLTF-ACCESSOR", FACET_NO_OFFSET,
                          "accessor %" PRIu32 " has %" PRIu64 " elements", index, accessor->count);
    if (accessor->view != FACET_NONE) {
        if (accessor->view >= file->document.view_count)
            return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-ACCESSOR", FACET_NO_OFFSET,
                              "accessor %" PRIu32 " names buffer view %" PRIu32 " of %" PRIu32,
                              index, accessor->view, file->document.view_count);
        uint64_t stride = file->document.views[accessor->view].stride;
        if (!fits(file, accessor->view, accessor->offset, accessor->count, stride ? stride : size,
                  size))
            return outside(index, "the elements", error);
    }
    return accessor->sparse ? check_sparse(file, index, error) : FACET_OK;
}

facet_status facet_gltf_check_accessors(const facet_gltf_file *file, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < file->document.accessor_count && !status; i++)
        status = check_accessor(file, i, error);
    return status;
}

/* -- Elements ----------------------------------------------------------- */

/* Address of the elements, and the bytes between them; NULL if all are zero. */
static const uint8_t *elements(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                               size_t *stride)
{
    *stride = facet_gltf_element_size(accessor);
    if (accessor->data)
        return accessor->data;
    if (accessor->view == FACET_NONE)
        return NULL;
    const facet_gltf_view *view = &file->document.views[accessor->view];
    if (view->stride)
        *stride = (size_t)view->stride;
    return view->data + accessor->offset;
}

static float larger(float a, float b)
{
    return a > b ? a : b;
}

static float load_float(const uint8_t *at, uint32_t type, bool normalized)
{
    if (type == FACET_GLTF_FLOAT)
        return facet_load_f32le(at);
    uint32_t integer = load_integer(at, type);
    if (type == FACET_GLTF_INT8 || type == FACET_GLTF_INT16) {
        float value = (float)(int32_t)integer;
        return !normalized ? value
                           : larger(value / (type == FACET_GLTF_INT8 ? 127.0F : 32767.0F), -1);
    }
    float most = type == FACET_GLTF_UINT8    ? 255.0F
                 : type == FACET_GLTF_UINT16 ? 65535.0F
                                             : 4294967295.0F;
    return normalized ? (float)integer / most : (float)integer;
}

static void load_element(const facet_gltf_accessor *accessor, const uint8_t *at, uint32_t width,
                         float fill, float *value)
{
    size_t size = facet_gltf_component_size(accessor->type);
    for (uint32_t c = 0; c < width; c++)
        value[c] = c < accessor->components
                       ? load_float(at + c * size, accessor->type, accessor->normalized)
                       : fill;
}

/* Index of the element that a sparse accessor replaces, and its new bytes. */
static void sparse_element(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                           uint64_t i, uint32_t *element, const uint8_t **bytes)
{
    const facet_gltf_sparse *sparse = accessor->sparse;
    const uint8_t *indices =
        file->document.views[sparse->indices_view].data + sparse->indices_offset;
    *element = load_integer(indices + i * facet_gltf_component_size(sparse->index_type),
                            sparse->index_type);
    *bytes = file->document.views[sparse->values_view].data + sparse->values_offset +
             i * facet_gltf_element_size(accessor);
}

void facet_gltf_read_floats(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                            uint32_t width, float fill, float *values)
{
    size_t stride;
    const uint8_t *from = elements(file, accessor, &stride);
    size_t count = (size_t)accessor->count, row = width * sizeof *values;
    bool as_is = accessor->type == FACET_GLTF_FLOAT && accessor->components == width &&
                 !FACET_HOST_IS_BIG_ENDIAN;
    if (!from) {
        memset(values, 0, count * row);
    } else if (as_is && stride == row) {
        memcpy(values, from, count * row);
    } else if (as_is && width == 3) {
        for (size_t i = 0; i < count; i++)
            memcpy(values + i * 3, from + i * stride, 12);
    } else if (as_is && width == 2) {
        for (size_t i = 0; i < count; i++)
            memcpy(values + i * 2, from + i * stride, 8);
    } else {
        for (size_t i = 0; i < count; i++)
            load_element(accessor, from + i * stride, width, fill, values + i * width);
    }
    for (uint64_t i = 0; accessor->sparse && i < accessor->sparse->count; i++) {
        uint32_t element;
        const uint8_t *bytes;
        sparse_element(file, accessor, i, &element, &bytes);
        if (element < count) /* the caller may read only the first elements */
            load_element(accessor, bytes, width, fill, values + (size_t)element * width);
    }
}

void facet_gltf_read_raw(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                         uint8_t *bytes)
{
    size_t stride, size = facet_gltf_element_size(accessor);
    const uint8_t *from = elements(file, accessor, &stride);
    for (size_t i = 0; i < accessor->count; i++) {
        if (from)
            memcpy(bytes + i * size, from + i * stride, size);
        else
            memset(bytes + i * size, 0, size);
    }
    for (uint64_t i = 0; accessor->sparse && i < accessor->sparse->count; i++) {
        uint32_t element;
        const uint8_t *replaced;
        sparse_element(file, accessor, i, &element, &replaced);
        memcpy(bytes + element * size, replaced, size);
    }
}

uint32_t facet_gltf_read_integers(const facet_gltf_file *file, const facet_gltf_accessor *accessor,
                                  uint32_t *values)
{
    size_t stride, size = facet_gltf_component_size(accessor->type);
    const uint8_t *from = elements(file, accessor, &stride);
    size_t count = (size_t)accessor->count;
    bool is_tight = stride == facet_gltf_element_size(accessor);
    uint32_t most = 0;
    if (!from) {
        memset(values, 0, count * accessor->components * sizeof *values);
    } else if (accessor->type == FACET_GLTF_UINT32 && is_tight) {
        for (size_t i = 0; i < count * accessor->components; i++) {
            uint32_t value = facet_load_u32le(from + i * 4);
            values[i] = value;
            most = value > most ? value : most;
        }
    } else if (accessor->type == FACET_GLTF_UINT16 && is_tight) {
        for (size_t i = 0; i < count * accessor->components; i++) {
            uint32_t value = facet_load_u16le(from + i * 2);
            values[i] = value;
            most = value > most ? value : most;
        }
    } else if (accessor->type == FACET_GLTF_UINT8 && is_tight) {
        for (size_t i = 0; i < count * accessor->components; i++) {
            values[i] = from[i];
            most = from[i] > most ? from[i] : most;
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            for (size_t c = 0; c < accessor->components; c++) {
                uint32_t value = load_integer(from + i * stride + c * size, accessor->type);
                values[i * accessor->components + c] = value;
                most = value > most ? value : most;
            }
        }
    }
    for (uint64_t i = 0; accessor->sparse && i < accessor->sparse->count; i++) {
        uint32_t element;
        const uint8_t *bytes;
        sparse_element(file, accessor, i, &element, &bytes);
        for (size_t c = 0; c < accessor->components; c++) {
            uint32_t value = load_integer(bytes + c * size, accessor->type);
            values[(size_t)element * accessor->components + c] = value;
            most = value > most ? value : most;
        }
    }
    return most;
}
