/* formats/gltf/file/parse_meshes.c - meshes and their primitives. */
#include "formats/gltf/file/parse.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
    return strcmp(((const facet_gltf_attribute *)a)->name, ((const facet_gltf_attribute *)b)->name);
}

const facet_gltf_attribute *facet_gltf_find_attribute(const facet_gltf_attribute *attributes,
                                                      uint32_t count, const char *name)
{
    for (uint32_t first = 0, end = count; first < end;) {
        uint32_t middle = first + (end - first) / 2;
        int order = strcmp(attributes[middle].name, name);
        if (order == 0)
            return &attributes[middle];
        if (order < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

/* Attribute names with their indices, sorted by name: the order in the file has no meaning. Skip
 * members that are not an index, or fail (false). */
static bool parse_attributes(facet_gltf_parser *p, const facet_json *from, bool strict,
                             facet_gltf_attribute **attributes, uint32_t *count)
{
    size_t size = facet_json_object_size(from);
    *count = 0;
    *attributes = facet_gltf_make(p, size, sizeof **attributes);
    for (size_t i = 0; *attributes && i < size; i++) {
        uint32_t accessor = facet_gltf_index_of(facet_json_object_value(from, i));
        const char *key = facet_json_object_key(from, i);
        if (accessor == FACET_NONE && strict)
            return false;
        if (accessor == FACET_NONE)
            continue;
        facet_gltf_attribute *each = &(*attributes)[(*count)++];
        each->name = facet_gltf_key(p, key);
        each->accessor = accessor;
    }
    if (*count > 1 && !p->status)
        qsort(*attributes, *count, sizeof **attributes, by_name);
    return true;
}

static const facet_gltf_draco *parse_draco(facet_gltf_parser *p, const facet_json *from)
{
    const facet_json *attributes = facet_json_object_get(from, "attributes");
    facet_gltf_draco *draco = facet_gltf_make(p, 1, sizeof *draco);
    if (!draco)
        return NULL;
    draco->view = facet_gltf_index(from, "bufferView");
    if (!facet_json_is_object(attributes) || draco->view == FACET_NONE ||
        !parse_attributes(p, attributes, true, &draco->attributes, &draco->attribute_count))
        facet_gltf_property_fault(
            p, "KHR_draco_mesh_compression lacks its attributes or its bufferView");
    return draco;
}

static void parse_targets(facet_gltf_parser *p, const facet_json *list,
                          facet_gltf_primitive *primitive)
{
    primitive->targets =
        facet_gltf_make(p, facet_json_array_size(list), sizeof *primitive->targets);
    for (size_t i = 0; primitive->targets && i < facet_json_array_size(list); i++) {
        const facet_json *from = facet_json_array_get(list, i);
        facet_gltf_target *target = &primitive->targets[primitive->target_count];
        if (!facet_json_is_object(from))
            continue;
        parse_attributes(p, from, false, &target->attributes, &target->attribute_count);
        primitive->target_count++;
    }
}

/* Read every variant of every mapping. */
static void parse_variants(facet_gltf_parser *p, const facet_json *from,
                           facet_gltf_primitive *primitive)
{
    const facet_json *mappings = facet_json_object_get(from, "mappings");
    size_t count = 0;
    for (size_t i = 0; i < facet_json_array_size(mappings); i++)
        count += facet_json_array_size(
            facet_json_object_get(facet_json_array_get(mappings, i), "variants"));
    primitive->variants = facet_gltf_make(p, count, sizeof *primitive->variants);
    for (size_t i = 0; primitive->variants && i < facet_json_array_size(mappings); i++) {
        const facet_json *mapping = facet_json_array_get(mappings, i);
        const facet_json *list = facet_json_object_get(mapping, "variants");
        for (size_t k = 0; k < facet_json_array_size(list); k++)
            primitive->variants[primitive->variant_count++] =
                (facet_variant_use){facet_gltf_index_of(facet_json_array_get(list, k)),
                                    facet_gltf_index(mapping, "material")};
    }
}

/* Unless a Draco stream has them, indices need an accessor with a view. */
static void check_indices(facet_gltf_parser *p, uint32_t indices)
{
    const facet_gltf_document *document = p->document;
    if (indices >= document->accessor_count)
        facet_gltf_property_fault(
            p, "the indices of a primitive name accessor %" PRIu32 " of %" PRIu32, indices,
            document->accessor_count);
    else if (document->accessors[indices].view != FACET_NONE &&
             document->accessors[indices].view >= document->view_count)
        facet_gltf_property_fault(p,
                                  "accessor %" PRIu32 " names buffer view %" PRIu32 " of %" PRIu32,
                                  indices, document->accessors[indices].view, document->view_count);
}

static void parse_primitive(facet_gltf_parser *p, const facet_json *from, size_t mesh,
                            facet_gltf_primitive *primitive)
{
    const facet_json *attributes = facet_json_object_get(from, "attributes");
    if (!facet_json_is_object(attributes) ||
        !parse_attributes(p, attributes, true, &primitive->attributes,
                          &primitive->attribute_count)) {
        facet_gltf_property_fault(p, "/meshes/%zu has a primitive without attributes", mesh);
        return;
    }
    primitive->indices = facet_gltf_index(from, "indices");
    primitive->material = facet_gltf_index(from, "material");
    primitive->mode = (uint32_t)facet_gltf_size(from, "mode", 4);
    primitive->has_extras = facet_json_object_get(from, "extras") != NULL;
    primitive->shown = primitive->material;
    parse_variants(p, facet_gltf_extension(from, "KHR_materials_variants"), primitive);
    parse_targets(p, facet_json_object_get(from, "targets"), primitive);
    const facet_json *draco = facet_gltf_extension(from, "KHR_draco_mesh_compression");
    if (draco)
        primitive->draco = parse_draco(p, draco);
    else if (primitive->indices != FACET_NONE)
        check_indices(p, primitive->indices);
}

static void parse_mesh(facet_gltf_parser *p, const facet_json *from, size_t index,
                       facet_gltf_mesh *mesh)
{
    mesh->name = facet_gltf_text(p, from, "name", "");
    mesh->extras = facet_gltf_extras(p, from);
    mesh->extensions = facet_gltf_kept_extensions(p, from);
    mesh->weights = facet_gltf_reals(p, from, "weights", &mesh->weight_count);
    const facet_json *list = facet_json_object_get(from, "primitives");
    if (!list)
        facet_gltf_property_fault(p, "/meshes/%zu/primitives is missing", index);
    mesh->primitives = facet_gltf_make(p, facet_json_array_size(list), sizeof *mesh->primitives);
    mesh->primitive_count = mesh->primitives ? (uint32_t)facet_json_array_size(list) : 0;
    for (uint32_t i = 0; i < mesh->primitive_count && !p->status; i++)
        parse_primitive(p, facet_json_array_get(list, i), index, &mesh->primitives[i]);
    const facet_json *extras = facet_json_object_get(from, "extras");
    mesh->target_names =
        facet_gltf_texts(p, facet_json_object_get(extras, "targetNames"), &mesh->target_name_count);
}

void facet_gltf_parse_meshes(facet_gltf_parser *p)
{
    facet_gltf_document *document = p->document;
    const facet_json *list;
    document->meshes =
        facet_gltf_entries(p, "meshes", sizeof *document->meshes, &list, &document->mesh_count);
    for (uint32_t i = 0; i < document->mesh_count && !p->status; i++)
        parse_mesh(p, facet_json_array_get(list, i), i, &document->meshes[i]);
}
