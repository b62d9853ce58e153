/* formats/bga/describe.c - the description of a BGA file for `facet info`. */
#include "base/arena.h"
#include "base/error.h"
#include "base/tree.h"
#include "formats/bga/bga.h"
#include "formats/bga/document.h"

#include <string.h>

/* -- Counts and bounds -------------------------------------------------- */

static void count_cells(const facet_bga *bga, facet_description *description)
{
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        const facet_bga_attribute *cell;
        if (facet_bga_is_cells(bga, &bga->buffers[i], 3, &cell)) {
            description->faces += cell->count;
            description->triangles += cell->count;
        } else if (facet_bga_is_cells(bga, &bga->buffers[i], 4, &cell)) {
            description->faces += cell->count;
            description->triangles += cell->count * 2;
        }
    }
}

/* Find the box of vertex.position, a tile of points at a time. */
static void find_bounds(const facet_bga *bga, facet_description *description)
{
    const facet_bga_attribute *position = facet_bga_find(bga, "vertex", "position");
    float points[1024 * 3], low[3], high[3];
    if (!position || position->base != FACET_BGA_BASE_FLOAT32 || position->components > 3)
        return;
    uint32_t components = position->components;
    for (uint64_t first = 0; first < position->count; first += 1024) {
        uint64_t count =
            facet_bga_read_values(bga, position, first, 1024, FACET_BGA_BASE_FLOAT32, points);
        if (first == 0) {
            memset(low, 0, sizeof low);
            memcpy(low, points, components * sizeof *low);
            memcpy(high, low, sizeof high);
        }
        for (size_t i = 0; i < count * components; i++) {
            size_t axis = i % components;
            low[axis] = points[i] < low[axis] ? points[i] : low[axis];
            high[axis] = points[i] > high[axis] ? points[i] : high[axis];
        }
    }
    description->has_bounds = position->count > 0;
    for (int i = 0; i < 3 && description->has_bounds; i++) {
        description->minimum[i] = (double)low[i];
        description->maximum[i] = (double)high[i];
    }
}

/* -- The description --------------------------------------------------- */

static facet_tree *describe_attribute(facet_arena *arena, facet_tree *array,
                                      const facet_bga_attribute *attribute, uint64_t record)
{
    facet_tree *node = facet_tree_object(arena, array, NULL);
    facet_tree_text(arena, node, "name", attribute->name, attribute->name_length);
    facet_tree_string(arena, node, "type", facet_bga_type_name(attribute->type));
    facet_tree_integer(arena, node, "repeat", attribute->repeat);
    facet_tree_integer(arena, node, "components", attribute->components);
    return facet_tree_integer(arena, node, "offset", (int64_t)(attribute->offset - record));
}

/* NULL if out of memory. */
static void describe_buffer(facet_arena *arena, facet_tree *array, const facet_bga *bga,
                            const facet_bga_buffer *buffer)
{
    facet_tree *node = facet_tree_object(arena, array, NULL);
    facet_tree_text(arena, node, "name", buffer->name, buffer->name_length);
    facet_tree_integer(arena, node, "count", (int64_t)buffer->count);
    facet_tree_integer(arena, node, "offset", (int64_t)buffer->offset);
    facet_tree_integer(arena, node, "stride", (int64_t)buffer->stride);
    facet_tree *attributes = facet_tree_array(arena, node, "attributes");
    for (uint32_t i = 0; i < buffer->attribute_count; i++)
        describe_attribute(arena, attributes, &bga->attributes[buffer->first_attribute + i],
                           buffer->offset);
}

facet_status facet_bga_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error)
{
    facet_arena *arena = description->arena;
    facet_bga *bga = facet_arena_allocate(arena, 1, sizeof *bga); /* 28 KB: too large for a stack */
    if (!bga)
        return facet_fail_arena(arena, error);
    facet_tree *detail = description->detail;
    TRY(facet_bga_view_reported(source, options, bga, error));
    const facet_bga_buffer *vertex = facet_bga_find_buffer(bga, "vertex");
    description->meshes = vertex != NULL;
    description->vertices = vertex ? vertex->count : 0;
    count_cells(bga, description);
    find_bounds(bga, description);
    facet_tree *version =
        facet_tree_text(arena, detail, "version", bga->version, bga->version_length);
    description->version = version ? version->string : "";
    facet_tree_string(arena, detail, "byte_order",
                      bga->big_endian ? "big-endian" : "little-endian");
    facet_tree_integer(arena, detail, "header_bytes", (int64_t)bga->header_size);
    if (bga->order_differs)
        facet_tree_string(arena, detail, "data_order",
                          bga->declaration_order ? "attribute lines" : "count lines");
    facet_tree *buffers = facet_tree_array(arena, detail, "buffers");
    for (uint32_t i = 0; i < bga->buffer_count; i++)
        describe_buffer(arena, buffers, bga, &bga->buffers[i]);
    return FACET_OK;
}
