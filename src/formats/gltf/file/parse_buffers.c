/* formats/gltf/file/parse_buffers.c - buffers, buffer views, and accessors. */
#include "formats/gltf/file/parse.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* -- Buffers and views -------------------------------------------------- */

/* The meshopt extension of a view. Both extensions have the same members. */
static const facet_json *meshopt_of(const facet_json *from, const char **name)
{
    static const char *const names[] = {"KHR_meshopt_compression", "EXT_meshopt_compression"};
    for (size_t i = 0; i < 2; i++) {
        const facet_json *meshopt = facet_gltf_extension(from, names[i]);
        *name = names[i];
        if (meshopt)
            return meshopt;
    }
    return NULL;
}

static void parse_buffer(facet_gltf_parser *p, const facet_json *from, size_t index,
                         facet_gltf_buffer *buffer)
{
    if (!facet_json_object_get(from, "byteLength"))
        facet_gltf_property_fault(p, "/buffers/%zu has no byteLength", index);
    buffer->length = facet_gltf_size(from, "byteLength", 0);
    buffer->uri = facet_gltf_uri(p, from);
    const char *extension;
    buffer->fallback = facet_gltf_flag(meshopt_of(from, &extension), "fallback");
}

static const facet_gltf_meshopt *parse_meshopt(facet_gltf_parser *p, const facet_json *from,
                                               const char *name, size_t index)
{
    static const char *const members[] = {"buffer", "byteOffset", "byteLength", "byteStride",
                                          "count"};
    char where[80];
    snprintf(where, sizeof where, "bufferViews/%zu/%s", index, name);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        facet_gltf_check_member(p, from, members[i], where);
    facet_gltf_meshopt *meshopt = facet_gltf_make(p, 1, sizeof *meshopt);
    if (!meshopt)
        return NULL;
    meshopt->is_khr = name[0] == 'K';
    meshopt->buffer = facet_gltf_index(from, "buffer");
    meshopt->offset = facet_gltf_size(from, "byteOffset", 0);
    meshopt->length = facet_gltf_size(from, "byteLength", 0);
    meshopt->stride = facet_gltf_size(from, "byteStride", 0);
    meshopt->count = facet_gltf_size(from, "count", 0);
    meshopt->mode = facet_gltf_text(p, from, "mode", "");
    meshopt->filter = facet_gltf_text(p, from, "filter", "NONE");
    return meshopt;
}

static void parse_view(facet_gltf_parser *p, const facet_json *from, size_t index,
                       facet_gltf_view *view)
{
    static const char *const needed[] = {"buffer", "byteLength"};
    for (size_t i = 0; i < 2; i++) {
        if (!facet_json_object_get(from, needed[i]))
            facet_gltf_property_fault(p, "/bufferViews/%zu has no %s", index, needed[i]);
    }
    view->buffer = facet_gltf_index(from, "buffer");
    view->offset = facet_gltf_size(from, "byteOffset", 0);
    view->length = facet_gltf_size(from, "byteLength", 0);
    view->stride = facet_gltf_size(from, "byteStride", 0);
    view->target = (uint32_t)facet_gltf_size(from, "target", 0);
    if (view->stride > 252 || view->stride % 4 != 0)
        facet_gltf_property_fault(p,
                                  "/bufferViews/%zu/byteStride is %" PRIu64
                                  ", expected a multiple of 4 that is at most 252",
                                  index, view->stride);
    const char *extension;
    const facet_json *meshopt = meshopt_of(from, &extension);
    if (meshopt)
        view->meshopt = parse_meshopt(p, meshopt, extension, index);
}

/* -- Accessors ---------------------------------------------------------- */

static void parse_type(facet_gltf_parser *p, const facet_json *from, size_t index,
                       facet_gltf_accessor *accessor)
{
    static const struct {
        const char *name;
        uint32_t components;
        bool matrix;
    } types[] = {{"SCALAR", 1, false}, {"VEC2", 2, false}, {"VEC3", 3, false}, {"VEC4", 4, false},
                 {"MAT2", 4, true},    {"MAT3", 9, true},  {"MAT4", 16, true}};
    const facet_json *given = facet_json_object_get(from, "type");
    const char *name = facet_json_string_value(given);
    for (size_t i = 0; name && i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i].name, name) == 0) {
            accessor->components = types[i].components;
            accessor->matrix = types[i].matrix;
            return;
        }
    }
    facet_quoted quoted;
    if (name)
        facet_gltf_property_fault(p, "/accessors/%zu/type is '%s', expected SCALAR, VEC2 or others",
                                  index, facet_quote(&quoted, name, strlen(name)));
    else
        facet_gltf_property_fault(p, "/accessors/%zu has no type", index);
}

/* Read one number per component. False if the list does not have them. */
static bool parse_bounds(const facet_json *from, const char *key, uint32_t components,
                         double values[16])
{
    const facet_json *list = facet_json_object_get(from, key);
    if (facet_json_array_size(list) != components)
        return false;
    for (uint32_t i = 0; i < components; i++) {
        const facet_json *each = facet_json_array_get(list, i);
        if (!facet_json_is_number(each))
            return false;
        values[i] = facet_json_number_value(each);
    }
    return true;
}

static const facet_gltf_sparse *parse_sparse(facet_gltf_parser *p, const facet_json *from,
                                             size_t index)
{
    const facet_json *indices = facet_json_object_get(from, "indices");
    const facet_json *values = facet_json_object_get(from, "values");
    if (!facet_json_object_get(from, "count") || !facet_json_object_get(indices, "bufferView") ||
        !facet_json_object_get(indices, "componentType") ||
        !facet_json_object_get(values, "bufferView")) {
        facet_gltf_property_fault(
            p, "/accessors/%zu/sparse lacks its count, its indices or its values", index);
        return NULL;
    }
    facet_gltf_sparse *sparse = facet_gltf_make(p, 1, sizeof *sparse);
    if (!sparse)
        return NULL;
    sparse->count = facet_gltf_size(from, "count", 0);
    sparse->indices_view = facet_gltf_index(indices, "bufferView");
    sparse->values_view = facet_gltf_index(values, "bufferView");
    sparse->indices_offset = facet_gltf_size(indices, "byteOffset", 0);
    sparse->values_offset = facet_gltf_size(values, "byteOffset", 0);
    sparse->index_type = facet_gltf_index(indices, "componentType");
    return sparse;
}

static void parse_accessor(facet_gltf_parser *p, const facet_json *from, size_t index,
                           facet_gltf_accessor *accessor)
{
    static const char *const needed[] = {"componentType", "count"};
    for (size_t i = 0; i < 2; i++) {
        if (!facet_json_object_get(from, needed[i]))
            facet_gltf_property_fault(p, "/accessors/%zu has no %s", index, needed[i]);
    }
    accessor->view = facet_gltf_index(from, "bufferView");
    accessor->offset = facet_gltf_size(from, "byteOffset", 0);
    accessor->count = facet_gltf_size(from, "count", 0);
    accessor->type = facet_gltf_index(from, "componentType");
    if (accessor->type < 5120 || accessor->type > 5130)
        facet_gltf_property_fault(
            p, "/accessors/%zu/componentType is %" PRIu32 ", expected one from 5120 to 5126", index,
            accessor->type);
    accessor->normalized = facet_gltf_flag(from, "normalized");
    parse_type(p, from, index, accessor);
    accessor->has_bounds = parse_bounds(from, "min", accessor->components, accessor->minimum) &&
                           parse_bounds(from, "max", accessor->components, accessor->maximum);
    const facet_json *sparse = facet_json_object_get(from, "sparse");
    if (sparse)
        accessor->sparse = parse_sparse(p, sparse, index);
}

void facet_gltf_parse_buffers(facet_gltf_parser *p)
{
    facet_gltf_document *document = p->document;
    const facet_json *list;
    document->buffers =
        facet_gltf_entries(p, "buffers", sizeof *document->buffers, &list, &document->buffer_count);
    for (uint32_t i = 0; i < document->buffer_count; i++)
        parse_buffer(p, facet_json_array_get(list, i), i, &document->buffers[i]);
    document->views =
        facet_gltf_entries(p, "bufferViews", sizeof *document->views, &list, &document->view_count);
    for (uint32_t i = 0; i < document->view_count; i++)
        parse_view(p, facet_json_array_get(list, i), i, &document->views[i]);
    document->accessors = facet_gltf_entries(p, "accessors", sizeof *document->accessors, &list,
                                             &document->accessor_count);
    for (uint32_t i = 0; i < document->accessor_count; i++)
        parse_accessor(p, facet_json_array_get(list, i), i, &document->accessors[i]);
}
