/* formats/j3d/file/validate.c - checks of a document before it is written: every counted array
 * exists, and no index is beyond its array. Reading the written bytes again finds all other
 * errors. */
#include "base/bytes.h"
#include "formats/j3d/file/mat3_tables.h"
#include "formats/j3d/file/writer.h"
#include "gx/texels.h"

#include <facet/gx.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static facet_status refuse(facet_error *error, const char *rule, const char *format, ...)
    FACET_PRINTF(3, 4);
static facet_status refuse(facet_error *error, const char *rule, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    facet_status status =
        facet_fail_v(error, FACET_ERROR_ARGUMENT, rule, FACET_NO_OFFSET, 0, format, arguments);
    va_end(arguments);
    return status;
}

/* -- Arrays ------------------------------------------------------------- */

static facet_status expect_array(const void *array, uint64_t count, const char *name,
                                 facet_error *error)
{
    if (array || count == 0)
        return FACET_OK;
    return refuse(error, "J3D-DOCUMENT", "%s is NULL; %" PRIu64 " of them are counted", name,
                  count);
}

/* Check the pointer in element `index` of an array. */
static facet_status expect_bytes(const void *bytes, uint64_t size, const char *name, uint32_t index,
                                 facet_error *error)
{
    if (bytes || size == 0)
        return FACET_OK;
    return refuse(error, "J3D-DOCUMENT",
                  "%s[%" PRIu32 "].bytes is NULL; %" PRIu64 " bytes are expected", name, index,
                  size);
}

static facet_status expect_names(const facet_j3d_names *names, const char *name, facet_error *error)
{
    facet_status status = expect_array(names->items, names->count, name, error);
    for (uint32_t i = 0; i < names->count && !status; i++)
        status = expect_bytes(names->items[i].bytes, 1, name, i, error);
    return status;
}

static facet_status expect_material_arrays(const facet_j3d_materials *materials, facet_error *error)
{
    facet_status status = FACET_OK;
    for (int i = 0; i < FACET_J3D_VALUE_COUNT && !status; i++) {
        facet_j3d_value value = (facet_j3d_value)i;
        char name[80];
        snprintf(name, sizeof name, "the array of %s", facet_j3d_value_kinds[i].name);
        status = expect_array(facet_j3d_value_items(materials, value),
                              facet_j3d_value_count(materials, value), name, error);
    }
    return status;
}

static facet_status expect_arrays(const facet_j3d *d, facet_error *error)
{
    const struct {
        const void *array;
        uint32_t count;
        const char *name;
    } arrays[] = {
        {d->hierarchy.nodes, d->hierarchy.node_count, "hierarchy.nodes"},
        {d->vertices.formats, d->vertices.format_count, "vertices.formats"},
        {d->envelopes.items, d->envelopes.count, "envelopes.items"},
        {d->envelopes.influences, d->envelopes.influence_count, "envelopes.influences"},
        {d->envelopes.inverse_bind, d->envelopes.inverse_bind_count, "envelopes.inverse_bind"},
        {d->draw_matrices.items, d->draw_matrices.count, "draw_matrices.items"},
        {d->joints.items, d->joints.count, "joints.items"},
        {d->joints.remap, d->joints.count, "joints.remap"},
        {d->shapes.items, d->shapes.count, "shapes.items"},
        {d->shapes.remap, d->shapes.count, "shapes.remap"},
        {d->shapes.descriptors, d->shapes.descriptor_count, "shapes.descriptors"},
        {d->shapes.matrix_table, d->shapes.matrix_table_count, "shapes.matrix_table"},
        {d->shapes.groups, d->shapes.group_count, "shapes.groups"},
        {d->shapes.display_lists, d->shapes.display_list_count, "shapes.display_lists"},
        {d->materials.entries, d->materials.entry_count, "materials.entries"},
        {d->materials.remap, d->materials.slot_count, "materials.remap"},
        {d->materials.indirects, d->materials.indirect_count, "materials.indirects"},
        {d->packets.items, d->packets.count, "packets.items"},
        {d->packets.remap, d->packets.count, "packets.remap"},
        {d->textures.items, d->textures.count, "textures.items"},
        {d->textures.texels, d->textures.texels_count, "textures.texels"},
        {d->unknown_sections, d->unknown_section_count, "unknown_sections"},
        {d->layout.hidden_ambient_colors, d->layout.hidden_ambient_color_count,
         "layout.hidden_ambient_colors"},
        {d->layout.short_lights, d->layout.short_light_size, "layout.short_lights"},
    };
    facet_status status = FACET_OK;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays && !status; i++)
        status = expect_array(arrays[i].array, arrays[i].count, arrays[i].name, error);
    if (!status)
        status = expect_material_arrays(&d->materials, error);
    if (!status)
        status = expect_names(&d->joints.names, "joints.names.items", error);
    if (!status)
        status = expect_names(&d->materials.names, "materials.names.items", error);
    if (!status)
        status = expect_names(&d->packets.names, "packets.names.items", error);
    return status ? status : expect_names(&d->textures.names, "textures.names.items", error);
}

/* Check the bytes that elements of the arrays point to. */
static facet_status expect_runs(const facet_j3d *d, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT && !status; i++) {
        const facet_j3d_array *array = &d->vertices.arrays[i];
        status = expect_bytes(array->bytes, array->size ? array->size : array->count,
                              "vertices.arrays", i, error);
    }
    for (uint32_t i = 0; i < d->shapes.display_list_count && !status; i++)
        status = expect_bytes(d->shapes.display_lists[i].bytes, d->shapes.display_lists[i].size,
                              "shapes.display_lists", i, error);
    for (uint32_t i = 0; i < d->packets.count && !status; i++)
        status = expect_bytes(d->packets.items[i].bytes, d->packets.items[i].size, "packets.items",
                              i, error);
    for (uint32_t i = 0; i < d->textures.texels_count && !status; i++)
        status = expect_bytes(d->textures.texels[i].bytes, d->textures.texels[i].size,
                              "textures.texels", i, error);
    for (uint32_t i = 0; i < d->unknown_section_count && !status; i++)
        status = expect_bytes(d->unknown_sections[i].bytes, d->unknown_sections[i].size,
                              "unknown_sections", i, error);
    return status;
}

/* -- Numbers ------------------------------------------------------------ */

/* Reject END inside the lists of nodes and formats: it would end the list early. */
static facet_status expect_no_ends(const facet_j3d *d, facet_error *error)
{
    for (uint32_t i = 0; i < d->hierarchy.node_count; i++) {
        if (d->hierarchy.nodes[i].type == FACET_J3D_NODE_END)
            return refuse(error, "J3D-INF1-NODE-TYPE",
                          "node %" PRIu32 " is the END that is not counted", i);
    }
    for (uint32_t i = 0; i < d->vertices.format_count; i++) {
        if (d->vertices.formats[i].attribute == FACET_J3D_ATTRIBUTE_END)
            return refuse(error, "J3D-VTX1-FORMATS",
                          "vertex format %" PRIu32 " is the END that is not counted", i);
    }
    return FACET_OK;
}

static facet_status expect_vertices(const facet_j3d *d, facet_error *error)
{
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        const facet_j3d_array *array = &d->vertices.arrays[i];
        if (array->bytes && (array->stride == 0 || array->count > array->size / array->stride))
            return refuse(error, "J3D-VTX1-ARRAY",
                          "vertex array %" PRIu32 " has %" PRIu32 " elements of %" PRIu32
                          " bytes, and %zu bytes",
                          i, array->count, array->stride, array->size);
    }
    return FACET_OK;
}

static facet_status expect_envelopes(const facet_j3d *d, facet_error *error)
{
    const facet_j3d_envelopes *envelopes = &d->envelopes;
    for (uint32_t i = 0; i < envelopes->count; i++) {
        const facet_j3d_envelope *envelope = &envelopes->items[i];
        if (!facet_range_fits(envelope->first, envelope->count, 1, envelopes->influence_count))
            return refuse(error, "J3D-EVP1-INFLUENCES",
                          "envelope %" PRIu32 " has %u influences from %" PRIu32
                          " on, but there are %" PRIu32,
                          i, (unsigned)envelope->count, envelope->first,
                          envelopes->influence_count);
    }
    return FACET_OK;
}

/* Limit of a vertex's attribute list: each of 22 attributes occurs at most once. */
#define LONGEST_LIST 32

static facet_status expect_shape(const facet_j3d_shapes *shapes, uint32_t index, facet_error *error)
{
    const facet_j3d_shape *shape = &shapes->items[index];
    uint32_t packets = shape->packet_count;
    if (!facet_range_fits(shape->first_group, packets, 1, shapes->group_count) && packets > 0)
        return refuse(error, "J3D-SHP1-GROUP",
                      "shape %" PRIu32 " has %" PRIu32
                      " matrix groups from %u on, but there are %" PRIu32,
                      index, packets, (unsigned)shape->first_group, shapes->group_count);
    if (!facet_range_fits(shape->first_display_list, packets, 1, shapes->display_list_count) &&
        packets > 0)
        return refuse(
            error, "J3D-SHP1-LIST",
            "shape %" PRIu32 " has %" PRIu32 " display lists from %u on, but there are %" PRIu32,
            index, packets, (unsigned)shape->first_display_list, shapes->display_list_count);
    uint32_t first = shape->first_descriptor;
    for (uint32_t i = first; i < shapes->descriptor_count && i - first < LONGEST_LIST; i++) {
        if (shapes->descriptors[i].attribute == FACET_J3D_ATTRIBUTE_END)
            return FACET_OK;
    }
    return refuse(error, "J3D-SHP1-DESCRIPTOR",
                  "the attributes of shape %" PRIu32
                  " begin at number %u, and no END follows soon among "
                  "the %" PRIu32 " that there are",
                  index, (unsigned)shape->first_descriptor, shapes->descriptor_count);
}

static facet_status expect_shapes(const facet_j3d *d, facet_error *error)
{
    const facet_j3d_shapes *shapes = &d->shapes;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < shapes->count && !status; i++)
        status = expect_shape(shapes, i, error);
    for (uint32_t i = 0; i < shapes->group_count && !status; i++) {
        const facet_j3d_matrix_group *group = &shapes->groups[i];
        if (!facet_range_fits(group->first, group->count, 1, shapes->matrix_table_count))
            status = refuse(error, "J3D-SHP1-MATRIX-TABLE",
                            "matrix group %" PRIu32 " has %u matrices from %" PRIu32
                            " on, but there are %" PRIu32,
                            i, (unsigned)group->count, group->first, shapes->matrix_table_count);
    }
    return status;
}

static facet_status expect_materials(const facet_j3d *d, facet_error *error)
{
    const facet_j3d_materials *materials = &d->materials;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < materials->slot_count && !status; i++) {
        if (materials->remap[i] >= materials->entry_count)
            status = refuse(error, "J3D-MAT3-REMAP", "material %" PRIu32 " is entry %u of %" PRIu32,
                            i, (unsigned)materials->remap[i], materials->entry_count);
    }
    for (uint32_t i = 0; i < materials->entry_count && !status; i++) {
        facet_j3d_stray_index stray;
        if (facet_j3d_find_stray_index(materials, &materials->entries[i], &stray))
            status = refuse(error, "J3D-MAT3-INDEX",
                            "%s %" PRIu32 " of material entry %" PRIu32 " is number %" PRIu32
                            " of %" PRIu32,
                            stray.field->name, stray.i, i, stray.index, stray.count);
    }
    return status;
}

/* Check that the texels exist and are as large as the header requires. */
static facet_status expect_texture(const facet_j3d_textures *textures, uint32_t index,
                                   facet_error *error)
{
    const facet_j3d_texture *texture = &textures->items[index];
    const facet_bti_header *header = &texture->header;
    facet_gx_format format = (facet_gx_format)header->format;
    uint32_t levels = header->level_count ? header->level_count : 1;
    uint32_t limit = facet_gx_level_limit(header->width, header->height);
    size_t size;
    if ((texture->image != FACET_J3D_NO_TEXELS && texture->image >= textures->texels_count) ||
        (texture->palette != FACET_J3D_NO_TEXELS && texture->palette >= textures->texels_count))
        return refuse(error, "J3D-TEX1-DATA",
                      "texture %" PRIu32 " has texels beyond the %" PRIu32 " of the document",
                      index, textures->texels_count);
    if (texture->image == FACET_J3D_NO_TEXELS)
        return FACET_OK;
    if (facet_gx_texture_size(format, header->width, header->height,
                              levels < limit ? levels : limit, &size, NULL) == FACET_OK &&
        size > textures->texels[texture->image].size)
        return refuse(error, "J3D-TEX1-DATA",
                      "the image of texture %" PRIu32 " has %zu bytes, but its header needs %zu",
                      index, textures->texels[texture->image].size, size);
    if (facet_gx_palette_limit(format) > 0 && texture->palette != FACET_J3D_NO_TEXELS &&
        textures->texels[texture->palette].size < header->palette_count * 2u)
        return refuse(error, "J3D-TEX1-PALETTE",
                      "texture %" PRIu32 " needs a palette of %u colors, and has a shorter one",
                      index, (unsigned)header->palette_count);
    return FACET_OK;
}

static facet_status expect_textures(const facet_j3d *d, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < d->textures.count && !status; i++)
        status = expect_texture(&d->textures, i, error);
    return status;
}

/* Check the unknown sections, which are written unchanged. Their size must be right, and their kind
 * none of the nine. */
static facet_status expect_unknown_sections(const facet_j3d *d, facet_error *error)
{
    for (uint32_t i = 0; i < d->unknown_section_count; i++) {
        const facet_j3d_unknown_section *section = &d->unknown_sections[i];
        if (section->size < 8 || section->size % 4 != 0 ||
            facet_load_u32be(section->bytes + 4) != section->size)
            return refuse(error, "J3D-SECTION-SIZE",
                          "unknown section %" PRIu32 " has %zu bytes, and its header has another "
                          "size, or the size is not a multiple of 4",
                          i, section->size);
        if (facet_j3d_section_kind_at(section->bytes) >= 0 || memcmp(section->bytes, "MAT", 3) == 0)
            return refuse(error, "J3D-SECTION-UNKNOWN",
                          "unknown section %" PRIu32 " has the name of a known one", i);
    }
    return FACET_OK;
}

static facet_status expect_layout(const facet_j3d *d, facet_error *error)
{
    if (d->layout.padding_size <= sizeof d->layout.padding)
        return FACET_OK;
    return refuse(error, "J3D-LAYOUT", "the layout's padding has more than %zu bytes",
                  sizeof d->layout.padding);
}

facet_status facet_j3d_validate(const facet_j3d *document, facet_error *error)
{
    static facet_status (*const steps[])(const facet_j3d *, facet_error *) = {
        expect_layout,    expect_arrays, expect_runs,      expect_no_ends,  expect_vertices,
        expect_envelopes, expect_shapes, expect_materials, expect_textures, expect_unknown_sections,
    };
    facet_status status = FACET_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++)
        status = steps[i](document, error);
    return status;
}
