/* formats/j3d/gpu/check.c - check that no index of a document is beyond its array. */
#include "formats/j3d/gpu/check.h"

#include "base/error.h"
#include "formats/j3d/file/display_list.h"

#include <inttypes.h>
#include <string.h>

static facet_status refuse(facet_error *error, const char *rule, const char *what, uint32_t index)
{
    return facet_fail(error, FACET_ERROR_ARGUMENT, rule, FACET_NO_OFFSET,
                      "%s %" PRIu32 " points to something that the document does not have", what,
                      index);
}

/* True if `count` elements from `first` on are within `all`. */
static bool is_inside(uint64_t first, uint64_t count, uint64_t all)
{
    return first + count <= all;
}

/* -- Arrays ------------------------------------------------------------- */

/* True if an array exists or is empty. */
static bool is_there(const void *items, uint32_t count)
{
    return items || count == 0;
}

static facet_status check_pointers(const facet_j3d *document, facet_error *error)
{
    const facet_j3d_shapes *s = &document->shapes;
    const facet_j3d_envelopes *e = &document->envelopes;
    bool are_there = is_there(document->joints.items, document->joints.count) &&
                     is_there(document->draw_matrices.items, document->draw_matrices.count) &&
                     is_there(e->items, e->count) && is_there(e->influences, e->influence_count) &&
                     is_there(e->inverse_bind, e->inverse_bind_count) &&
                     is_there(s->items, s->count) && is_there(s->groups, s->group_count) &&
                     is_there(s->descriptors, s->descriptor_count) &&
                     is_there(s->matrix_table, s->matrix_table_count) &&
                     is_there(s->display_lists, s->display_list_count);
    if (are_there)
        return FACET_OK;
    return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-SECTION-MISSING", FACET_NO_OFFSET,
                      "an array of shapes, joints or matrices is NULL and has a count");
}

static facet_status check_vertex_arrays(const facet_j3d *document, facet_error *error)
{
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        const facet_j3d_array *array = &document->vertices.arrays[i];
        if (!array->bytes)
            continue;
        uint32_t size = array->format ? facet_j3d_element_size(array->format, i) : 0;
        if (size == 0)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-VTX1-COMPONENT", FACET_NO_OFFSET,
                              "vertex array %" PRIu32 " has an undefined format", i);
        if (array->stride < size || array->count > array->size / array->stride)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-VTX1-ARRAY", FACET_NO_OFFSET,
                              "vertex array %" PRIu32 " has %" PRIu32 " elements, %" PRIu32
                              " bytes apart, of %" PRIu32 " bytes, and %zu bytes in all",
                              i, array->count, array->stride, size, array->size);
    }
    return FACET_OK;
}

/* -- Matrices ----------------------------------------------------------- */

static facet_status check_matrices(const facet_j3d *document, facet_error *error)
{
    const facet_j3d_envelopes *envelopes = &document->envelopes;
    const facet_j3d_draw_matrices *draw = &document->draw_matrices;
    for (uint32_t i = 0; i < envelopes->count; i++) {
        const facet_j3d_envelope *envelope = &envelopes->items[i];
        if (!is_inside(envelope->first, envelope->count, envelopes->influence_count))
            return refuse(error, "J3D-EVP1-INFLUENCES", "envelope", i);
    }
    for (uint32_t i = 0; i < envelopes->influence_count; i++) {
        if (envelopes->influences[i].joint >= document->joints.count)
            return refuse(error, "J3D-EVP1-JOINT", "influence", i);
    }
    for (uint32_t i = 0; i < draw->count; i++) {
        const facet_j3d_draw_matrix *matrix = &draw->items[i];
        if (matrix->index >= (matrix->is_envelope ? envelopes->count : document->joints.count))
            return refuse(error, "J3D-DRW1-INDEX", "draw matrix", i);
    }
    return FACET_OK;
}

/* -- Shapes ------------------------------------------------------------- */

/* Load the matrices of a packet. Bits of *loaded are the slots that hold one. */
static facet_status check_slots(const facet_j3d *document, const facet_j3d_shape *shape,
                                uint32_t packet, uint16_t slots[FACET_J3D_SLOTS], uint32_t *loaded,
                                facet_error *error)
{
    const facet_j3d_shapes *shapes = &document->shapes;
    uint32_t index = shape->first_group + packet;
    const facet_j3d_matrix_group *group = &shapes->groups[index];
    if (group->count > FACET_J3D_SLOTS ||
        !is_inside(group->first, group->count, shapes->matrix_table_count))
        return refuse(error, "J3D-SHP1-GROUP", "matrix group", index);
    facet_j3d_load_slots(document, shape, packet, slots);
    *loaded = 0;
    for (uint32_t i = 0; i < FACET_J3D_SLOTS; i++) {
        if (slots[i] == FACET_J3D_NONE)
            continue;
        if (slots[i] >= document->draw_matrices.count)
            return refuse(error, "J3D-SHP1-MATRIX", "matrix group", index);
        *loaded |= 1u << i;
    }
    return FACET_OK;
}

static facet_status check_shape(const facet_j3d *document, uint32_t index,
                                uint32_t counts[FACET_J3D_ARRAY_COUNT], facet_error *error)
{
    const facet_j3d_shapes *shapes = &document->shapes;
    const facet_j3d_shape *shape = &shapes->items[index];
    facet_j3d_vertex_layout layout;
    uint16_t slots[FACET_J3D_SLOTS];
    memset(slots, 0xFF, sizeof slots);
    bool draws = shape->packet_count > 0; /* without packets, its first indices are unused */
    if (draws && !is_inside(shape->first_group, shape->packet_count, shapes->group_count))
        return refuse(error, "J3D-SHP1-GROUP", "shape", index);
    if (draws &&
        !is_inside(shape->first_display_list, shape->packet_count, shapes->display_list_count))
        return refuse(error, "J3D-SHP1-LIST", "shape", index);
    facet_status status =
        facet_j3d_vertex_layout_make(document, shape, FACET_NO_OFFSET, &layout, error);
    for (uint32_t k = 0; k < shape->packet_count && !status; k++) {
        const facet_j3d_display_list *list = &shapes->display_lists[shape->first_display_list + k];
        uint32_t loaded = 0;
        if (!is_there(list->bytes, list->size))
            return refuse(error, "J3D-SHP1-LIST", "shape", index);
        status = check_slots(document, shape, k, slots, &loaded, error);
        if (!status)
            status = facet_j3d_scan(&layout, list, loaded, FACET_NO_OFFSET, counts, error);
    }
    return status;
}

static facet_status check_shapes(const facet_j3d *document, facet_error *error)
{
    uint32_t counts[FACET_J3D_ARRAY_COUNT] = {0};
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < document->shapes.count && !status; i++)
        status = check_shape(document, i, counts, error);
    for (uint32_t i = 0; i < FACET_J3D_ARRAY_COUNT && !status; i++) {
        const facet_j3d_array *array = &document->vertices.arrays[i];
        if (counts[i] > (array->bytes ? array->count : 0))
            status = facet_fail(error, FACET_ERROR_ARGUMENT, "J3D-DL-INDEX", FACET_NO_OFFSET,
                                "display lists point to element %" PRIu32
                                " of vertex array %" PRIu32 ", which has %" PRIu32,
                                counts[i] - 1, i, array->bytes ? array->count : 0);
    }
    return status;
}

facet_status facet_j3d_check_geometry(const facet_j3d *document, facet_error *error)
{
    facet_status status = check_pointers(document, error);
    if (!status)
        status = check_vertex_arrays(document, error);
    if (!status)
        status = check_matrices(document, error);
    if (!status)
        status = check_shapes(document, error);
    /* The error is in the caller's document, not in a file. */
    if (status == FACET_ERROR_MALFORMED) {
        status = FACET_ERROR_ARGUMENT;
        if (error)
            error->status = status;
    }
    return status;
}
