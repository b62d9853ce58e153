/* formats/gltf/to_scene/mesh_primitives.c - the primitives of a glTF mesh: checks, groups of
 * primitives that share their vertices, and the corners of their shapes. */
#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/gltf/to_scene/mesh_builder.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <string.h>

/* -- Primitives --------------------------------------------------------- */

static facet_status check_attribute(const facet_gltf_mesh_builder *b,
                                    const facet_gltf_attribute *attribute, uint32_t vertices,
                                    facet_error *error)
{
    const facet_gltf_document *document = &b->file->document;
    facet_quoted quoted;
    const char *name = facet_quote(&quoted, attribute->name, strlen(attribute->name));
    if (attribute->accessor >= document->accessor_count)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-PRIMITIVE", FACET_NO_OFFSET,
                          "attribute '%s' of mesh %" PRIu32 " names accessor %" PRIu32
                          " of %" PRIu32,
                          name, b->number, attribute->accessor, document->accessor_count);
    uint64_t count = document->accessors[attribute->accessor].count;
    if (count != vertices)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-PRIMITIVE", FACET_NO_OFFSET,
                          "attribute '%s' of mesh %" PRIu32 " has %" PRIu64
                          " elements, its positions are %" PRIu32,
                          name, b->number, count, vertices);
    return FACET_OK;
}

/* True if an accessor has the number of components that its attribute requires. */
static bool shape_is_right(const facet_gltf_attribute_kind *kind,
                           const facet_gltf_accessor *accessor)
{
    if (accessor->matrix)
        return kind->semantic == FACET_CUSTOM;
    bool integers = accessor->type != FACET_GLTF_FLOAT && !accessor->normalized;
    switch (kind->semantic) {
    case FACET_COLOR:
        return accessor->components == 3 || accessor->components == 4;
    case FACET_JOINTS:
        return accessor->components == 4 && integers && accessor->type != FACET_GLTF_UINT32;
    default:
        return accessor->components == kind->components;
    }
}

static facet_status check_shapes(const facet_gltf_mesh_builder *b,
                                 const facet_gltf_attribute *attributes, uint32_t count,
                                 uint32_t target, facet_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        const facet_gltf_accessor *accessor = &b->file->document.accessors[attributes[i].accessor];
        facet_gltf_attribute_kind kind =
            facet_gltf_get_attribute_kind(attributes[i].name, target, accessor);
        facet_quoted quoted;
        if (!shape_is_right(&kind, accessor))
            return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-PRIMITIVE", FACET_NO_OFFSET,
                              "attribute '%s' of mesh %" PRIu32 " has elements of %" PRIu32
                              " components of type %" PRIu32,
                              facet_quote(&quoted, attributes[i].name, strlen(attributes[i].name)),
                              b->number, accessor->components, accessor->type);
    }
    return FACET_OK;
}

static facet_status check_primitive(const facet_gltf_mesh_builder *b,
                                    const facet_gltf_primitive *primitive, uint32_t vertices,
                                    facet_error *error)
{
    const facet_gltf_document *document = &b->file->document;
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < primitive->attribute_count && !status; i++)
        status = check_attribute(b, &primitive->attributes[i], vertices, error);
    if (!status)
        status =
            check_shapes(b, primitive->attributes, primitive->attribute_count, FACET_NONE, error);
    for (uint32_t t = 0; t < primitive->target_count && !status; t++) {
        const facet_gltf_target *target = &primitive->targets[t];
        for (uint32_t i = 0; i < target->attribute_count && !status; i++)
            status = check_attribute(b, &target->attributes[i], vertices, error);
        if (!status)
            status = check_shapes(b, target->attributes, target->attribute_count, t, error);
    }
    if (status)
        return status;
    if (primitive->material != FACET_NONE && primitive->material >= document->material_count)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-PRIMITIVE", FACET_NO_OFFSET,
                          "a primitive of mesh %" PRIu32 " names material %" PRIu32 " of %" PRIu32,
                          b->number, primitive->material, document->material_count);
    if (primitive->indices == FACET_NONE)
        return FACET_OK;
    const facet_gltf_accessor *indices = primitive->indices < document->accessor_count
                                             ? &document->accessors[primitive->indices]
                                             : NULL;
    if (!indices || indices->components != 1 ||
        (indices->type != FACET_GLTF_UINT8 && indices->type != FACET_GLTF_UINT16 &&
         indices->type != FACET_GLTF_UINT32))
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-PRIMITIVE", FACET_NO_OFFSET,
                          "the indices of a primitive of mesh %" PRIu32
                          " are not an accessor of unsigned integers",
                          b->number);
    return FACET_OK;
}

static bool same_attributes(const facet_gltf_attribute *a, uint32_t a_count,
                            const facet_gltf_attribute *b, uint32_t b_count)
{
    if (a_count != b_count)
        return false;
    for (uint32_t i = 0; i < a_count; i++) {
        if (a[i].accessor != b[i].accessor || strcmp(a[i].name, b[i].name) != 0)
            return false;
    }
    return true;
}

static bool same_vertices(const facet_gltf_primitive *a, const facet_gltf_primitive *b)
{
    if (a->draco || b->draco || a->target_count != b->target_count ||
        !same_attributes(a->attributes, a->attribute_count, b->attributes, b->attribute_count))
        return false;
    for (uint32_t t = 0; t < a->target_count; t++) {
        if (!same_attributes(a->targets[t].attributes, a->targets[t].attribute_count,
                             b->targets[t].attributes, b->targets[t].attribute_count))
            return false;
    }
    return true;
}

/* Number of groups that are searched for the same vertices. Exporters write primitives that share
 * vertices next to one another; the limit keeps other files linear. */
#define GROUPS_COMPARED 16

static facet_status place_vertices(facet_gltf_mesh_builder *b,
                                   const facet_gltf_primitive *primitive,
                                   facet_gltf_placed_primitive *placed, uint32_t vertices,
                                   facet_error *error)
{
    uint32_t last = b->group_count > GROUPS_COMPARED ? b->group_count - GROUPS_COMPARED : 0;
    for (uint32_t g = b->group_count; g-- > last;) {
        if (same_vertices(b->groups[g].primitive, primitive)) {
            placed->group = g;
            return FACET_OK;
        }
    }
    if (vertices >= FACET_NONE - b->vertex_count)
        return facet_fail(error, FACET_ERROR_LIMIT, "GLTF-LIMIT", FACET_NO_OFFSET,
                          "mesh %" PRIu32 " has more than 2^32 - 2 vertices", b->number);
    placed->group = b->group_count;
    facet_gltf_vertex_group *group = &b->groups[b->group_count++];
    group->primitive = primitive;
    group->count = vertices;
    group->first = b->vertex_count;
    b->vertex_count += vertices;
    return FACET_OK;
}

/* Number of points (mode 0), lines (1 to 3) or triangles (4 to 6) that `n` vertices form. */
static uint32_t count_shapes(uint32_t mode, uint32_t n)
{
    switch (mode) {
    case 0:
        return n;
    case 1:
        return n / 2;
    case 2:
        return n >= 2 ? n : 0;
    case 3:
        return n >= 2 ? n - 1 : 0;
    case 4:
        return n / 3;
    case 5:
    case 6:
        return n >= 3 ? n - 2 : 0;
    default:
        return 0;
    }
}

/* Number of corners of a point, a line or a triangle. */
static uint32_t shape_size(uint32_t mode)
{
    return mode == 0 ? 1 : mode < 4 ? 2 : 3;
}

/* True if the drawn vertices are the corners. */
static bool is_list(uint32_t mode)
{
    return mode == 0 || mode == 1 || mode == 4;
}

static void count_corners(facet_gltf_placed_primitive *placed, uint32_t mode)
{
    uint32_t shapes = count_shapes(mode, placed->index_count);
    if (shape_size(mode) == 1)
        placed->point_count = shapes;
    else if (shape_size(mode) == 2)
        placed->line_count = shapes;
    else /* the sum over the mesh rejects more than 2^32 corners */
        placed->corner_count = shapes > UINT32_MAX / 3 ? UINT32_MAX : shapes * 3;
}

/* Report vertices at the end that form no line or triangle. */
static void report_incomplete(const facet_gltf_mesh_builder *b, uint32_t mode, uint32_t count)
{
    uint32_t shapes = count_shapes(mode, count), size = shape_size(mode);
    if (is_list(mode) ? count > shapes * size : count > 0 && shapes == 0)
        facet_report_add(facet_gltf_mesh_report(b), "GLTF-PRIMITIVE", FACET_SEVERITY_WARNING,
                         FACET_NO_OFFSET,
                         "a primitive of mesh %" PRIu32 " has %" PRIu32
                         " corners for %s; those of an incomplete one are dropped",
                         b->number, count, size == 2 ? "lines" : "triangles");
}

facet_status facet_gltf_place_primitive(facet_gltf_mesh_builder *b, uint32_t index,
                                        facet_error *error)
{
    const facet_gltf_primitive *primitive = &b->from->primitives[index];
    facet_gltf_placed_primitive *placed = &b->primitives[index];
    const facet_gltf_attribute *position =
        facet_gltf_find_attribute(primitive->attributes, primitive->attribute_count, "POSITION");
    if (primitive->mode > 6)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-PRIMITIVE", FACET_NO_OFFSET,
                          "a primitive of mesh %" PRIu32 " has mode %" PRIu32 ", expected 0 to 6",
                          b->number, primitive->mode);
    if (!position) {
        facet_report_add(
            facet_gltf_mesh_report(b), "GLTF-PRIMITIVE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "primitive %" PRIu32 " of mesh %" PRIu32 " has no positions and is dropped", index,
            b->number);
        placed->skipped = true;
        return FACET_OK;
    }
    const facet_gltf_accessor *positions = position->accessor < b->file->document.accessor_count
                                               ? &b->file->document.accessors[position->accessor]
                                               : NULL;
    /* Without bytes, they are zeros. Many zeros would let a few characters request any amount of
     * memory. */
    if (positions && positions->view == FACET_NONE && !positions->data &&
        positions->count > FACET_GLTF_MAX_ZEROS)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-PRIMITIVE", FACET_NO_OFFSET,
                          "the positions of mesh %" PRIu32
                          " have no buffer view, and are more than %d",
                          b->number, FACET_GLTF_MAX_ZEROS);
    uint32_t vertices = positions ? (uint32_t)positions->count : 0;
    TRY(check_primitive(b, primitive, vertices, error));
    placed->index_count = primitive->indices == FACET_NONE
                              ? vertices
                              : (uint32_t)b->file->document.accessors[primitive->indices].count;
    count_corners(placed, primitive->mode);
    report_incomplete(b, primitive->mode, placed->index_count);
    return place_vertices(b, primitive, placed, vertices, error);
}

/* -- Corners ------------------------------------------------------------ */

/* Write the corners of `shapes` lines or triangles (see count_shapes) from the drawn vertices of
 * modes 2, 3, 5 and 6. */
static void expand(const uint32_t *drawn, uint32_t shapes, uint32_t mode, uint32_t *out)
{
    switch (mode) {
    case 2: /* a loop: a strip that returns to its start */
        for (uint32_t i = 0; i < shapes; i++) {
            *out++ = drawn[i];
            *out++ = drawn[i + 1 < shapes ? i + 1 : 0];
        }
        break;
    case 3:
        for (uint32_t i = 0; i < shapes; i++) {
            *out++ = drawn[i];
            *out++ = drawn[i + 1];
        }
        break;
    case 5:
        for (uint32_t i = 0; i < shapes; i++) {
            *out++ = drawn[i];
            *out++ = drawn[i + 1 + i % 2];
            *out++ = drawn[i + 2 - i % 2];
        }
        break;
    case 6:
        for (uint32_t i = 0; i < shapes; i++) {
            *out++ = drawn[i + 1];
            *out++ = drawn[i + 2];
            *out++ = drawn[0];
        }
        break;
    default:
        break;
    }
}

/* Read the drawn vertices of a primitive into `drawn`, relative to its group's first vertex. */
static facet_status draw(const facet_gltf_mesh_builder *b, uint32_t index, uint32_t *drawn,
                         facet_error *error)
{
    const facet_gltf_primitive *primitive = &b->from->primitives[index];
    const facet_gltf_placed_primitive *placed = &b->primitives[index];
    const facet_gltf_vertex_group *group = &b->groups[placed->group];
    if (primitive->indices == FACET_NONE) {
        for (uint32_t i = 0; i < placed->index_count; i++)
            drawn[i] = i;
        return FACET_OK;
    }
    uint32_t most =
        facet_gltf_read_integers(b->file, &b->file->document.accessors[primitive->indices], drawn);
    if (placed->index_count > 0 && most >= group->count)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-INDEX", FACET_NO_OFFSET,
                          "primitive %" PRIu32 " of mesh %" PRIu32 " draws vertex %" PRIu32
                          " of %" PRIu32,
                          index, b->number, most, group->count);
    return FACET_OK;
}

/* Write the corners (or ends of lines, or points) of one primitive to `out`. */
static facet_status fill_primitive(facet_gltf_mesh_builder *b, uint32_t index, uint32_t *out,
                                   facet_error *error)
{
    const facet_gltf_placed_primitive *placed = &b->primitives[index];
    uint32_t mode = b->from->primitives[index].mode, count = placed->index_count;
    uint32_t shapes = count_shapes(mode, count);
    size_t space = (size_t)shapes * shape_size(mode);
    uint32_t first = b->groups[placed->group].first;
    facet_status status = FACET_OK;
    if (is_list(mode) && count == space) {
        status = draw(b, index, out, error);
    } else {
        uint32_t *drawn = facet_arena_allocate(b->file->arena, count, sizeof *drawn);
        if (!drawn)
            return facet_fail_arena(b->file->arena, error);
        status = draw(b, index, drawn, error);
        if (!status && is_list(mode))
            memcpy(out, drawn, space * sizeof *drawn);
        else if (!status)
            expand(drawn, shapes, mode, out);
        facet_arena_release(b->file->arena, drawn, count, sizeof *drawn);
    }
    for (size_t i = 0; !status && first > 0 && i < space; i++)
        out[i] += first;
    return status;
}

/* Number of faces (kind 0), lines (1) or points (2) of a primitive. */
static uint32_t count_of(const facet_gltf_placed_primitive *placed, int kind)
{
    return kind == 0   ? placed->corner_count / 3
           : kind == 1 ? placed->line_count
                       : placed->point_count;
}

/* Give the material of each primitive to its faces, lines and points. */
static facet_status set_materials(const facet_gltf_mesh_builder *b, facet_error *error)
{
    facet_mesh *mesh = b->mesh;
    uint32_t **const to[FACET_USE_KINDS] = {&mesh->face_materials, &mesh->line_materials,
                                            &mesh->point_materials};
    for (int kind = 0; kind < FACET_USE_KINDS; kind++) {
        uint32_t count = facet_mesh_material_uses(mesh, kind).count, at = 0;
        bool has_material = false;
        for (uint32_t i = 0; i < b->from->primitive_count; i++)
            has_material |=
                count_of(&b->primitives[i], kind) > 0 && b->from->primitives[i].shown != FACET_NONE;
        if (!has_material)
            continue;
        *to[kind] = facet_arena_allocate(mesh->arena, count, sizeof **to[kind]);
        if (!*to[kind])
            return facet_fail_arena(mesh->arena, error);
        for (uint32_t i = 0; i < b->from->primitive_count; i++) {
            for (uint32_t n = count_of(&b->primitives[i], kind); n > 0; n--)
                (*to[kind])[at++] = b->from->primitives[i].shown;
        }
    }
    return FACET_OK;
}

facet_status facet_gltf_fill_corners(facet_gltf_mesh_builder *b, facet_error *error)
{
    facet_mesh *mesh = b->mesh;
    uint32_t count = b->from->primitive_count;
    uint64_t corners = 0, lines = 0, points = 0;
    for (uint32_t i = 0; i < count; i++) {
        b->primitives[i].first_corner = (uint32_t)corners;
        corners += b->primitives[i].corner_count;
        lines += b->primitives[i].line_count;
        points += b->primitives[i].point_count;
        if (corners >= FACET_NONE || lines >= FACET_NONE || points >= FACET_NONE)
            return facet_fail(error, FACET_ERROR_LIMIT, "GLTF-LIMIT", FACET_NO_OFFSET,
                              "mesh %" PRIu32 " has more than 2^32 - 2 corners", b->number);
    }
    TRY(facet_gltf_spend(b->file, corners + lines + points, 8, error));
    facet_status status = FACET_OK;
    b->indices = facet_arena_allocate(mesh->arena, (size_t)corners, sizeof *b->indices);
    uint32_t *ends = facet_arena_allocate(mesh->arena, (size_t)lines * 2, sizeof *ends);
    uint32_t *points_at = facet_arena_allocate(mesh->arena, (size_t)points, sizeof *points_at);
    if (!b->indices || !ends || !points_at)
        return facet_fail_arena(mesh->arena, error);
    mesh->corner_count = (uint32_t)corners;
    mesh->face_count = (uint32_t)corners / 3;
    mesh->line_count = (uint32_t)lines;
    mesh->lines = lines > 0 ? ends : NULL;
    mesh->point_count = (uint32_t)points;
    mesh->points = points > 0 ? points_at : NULL;
    for (uint32_t i = 0; i < count && !status; i++) {
        const facet_gltf_placed_primitive *placed = &b->primitives[i];
        if (placed->skipped)
            continue;
        if (placed->line_count > 0) {
            status = fill_primitive(b, i, ends, error);
            ends += (size_t)placed->line_count * 2;
            continue;
        }
        if (placed->point_count > 0) {
            status = fill_primitive(b, i, points_at, error);
            points_at += placed->point_count;
            continue;
        }
        status = fill_primitive(b, i, b->indices + placed->first_corner, error);
    }
    return status ? status : set_materials(b, error);
}
