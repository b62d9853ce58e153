/* formats/gltf/to_scene/meshes.c - the primitives of a glTF mesh become one facet_mesh: runs of
 * faces over concatenated streams. Primitives with the same attributes share their vertices. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/gltf/to_scene/to_scene.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- A mesh under construction ------------------------------------------ */

/* Vertices of one or more primitives. */
typedef struct vertex_group {
    const facet_gltf_primitive *primitive; /* the first primitive that uses them */
    uint32_t count;
    uint32_t first; /* first vertex in the streams that all groups have */
} vertex_group;

typedef struct placed_primitive {
    uint32_t group;
    uint32_t index_count; /* number of drawn vertices */
    uint32_t first_corner, corner_count;
    uint32_t line_count, point_count;
    bool skipped;
} placed_primitive;

/* The meaning of a stream, by attribute name. */
typedef struct attribute_kind {
    const char *name; /* attribute name */
    uint32_t target;  /* morph target, or FACET_NONE for the mesh itself */
    facet_semantic semantic;
    uint32_t set;
    uint32_t components;
    facet_component component;
} attribute_kind;

typedef struct builder {
    facet_gltf_file *file;
    facet_scene *scene;
    const facet_gltf_mesh *from;
    uint32_t number; /* index of the mesh, for messages */
    facet_mesh *mesh;
    placed_primitive *primitives;
    vertex_group *groups;
    uint32_t group_count;
    uint32_t vertex_count; /* total over all groups */
    uint32_t *indices;     /* of the streams that all groups have */
} builder;

static facet_report *report_of(const builder *b)
{
    return b->file->options ? b->file->options->report : NULL;
}

/* -- Attributes --------------------------------------------------------- */

/* The accessor of an attribute in a primitive, or NULL. */
static const facet_gltf_accessor *
accessor_of(const builder *b, const facet_gltf_primitive *primitive, const attribute_kind *kind)
{
    const facet_gltf_attribute *found = NULL;
    if (kind->target == FACET_NONE)
        found = facet_gltf_find_attribute(primitive->attributes, primitive->attribute_count,
                                          kind->name);
    else if (kind->target < primitive->target_count)
        found =
            facet_gltf_find_attribute(primitive->targets[kind->target].attributes,
                                      primitive->targets[kind->target].attribute_count, kind->name);
    return found ? &b->file->document.accessors[found->accessor] : NULL;
}

/* The set number: 3 for "TEXCOORD_3" and the stem "TEXCOORD_"; FACET_NONE if the name does not
 * match. */
static uint32_t set_of(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    if (strncmp(name, stem, length) != 0 || name[length] < '0' || name[length] > '9')
        return FACET_NONE;
    char *end;
    unsigned long set = strtoul(name + length, &end, 10);
    return *end == '\0' && set < 1000 ? (uint32_t)set : FACET_NONE;
}

static facet_component component_of(uint32_t type)
{
    switch (type) {
    case FACET_GLTF_INT8:
        return FACET_INT8;
    case FACET_GLTF_UINT8:
        return FACET_UINT8;
    case FACET_GLTF_INT16:
        return FACET_INT16;
    case FACET_GLTF_UINT16:
        return FACET_UINT16;
    case FACET_GLTF_UINT32:
        return FACET_UINT32;
    default:
        return FACET_FLOAT32;
    }
}

static attribute_kind kind_of(const char *name, uint32_t target,
                              const facet_gltf_accessor *accessor)
{
    static const struct {
        const char *stem;
        facet_semantic semantic;
        uint32_t components;
        facet_component component;
    } sets[] = {{"TEXCOORD_", FACET_TEXCOORD, 2, FACET_FLOAT32},
                {"COLOR_", FACET_COLOR, 4, FACET_FLOAT32},
                {"JOINTS_", FACET_JOINTS, 4, FACET_UINT16},
                {"WEIGHTS_", FACET_WEIGHTS, 4, FACET_FLOAT32}};
    bool morph = target != FACET_NONE;
    attribute_kind kind = {name, target, FACET_CUSTOM, morph ? target : 0, 3, FACET_FLOAT32};
    if (strcmp(name, "POSITION") == 0) {
        kind.semantic = morph ? FACET_MORPH_POSITION : FACET_POSITION;
        return kind;
    }
    if (strcmp(name, "NORMAL") == 0) {
        kind.semantic = morph ? FACET_MORPH_NORMAL : FACET_NORMAL;
        return kind;
    }
    if (strcmp(name, "TANGENT") == 0) {
        kind.semantic = morph ? FACET_MORPH_TANGENT : FACET_TANGENT;
        kind.components = morph ? 3 : 4;
        return kind;
    }
    for (size_t i = 0; !morph && i < sizeof sets / sizeof *sets; i++) {
        uint32_t set = set_of(name, sets[i].stem);
        if (set == FACET_NONE)
            continue;
        kind.semantic = sets[i].semantic;
        kind.set = set;
        kind.components = sets[i].components;
        kind.component = sets[i].component;
        if (kind.semantic == FACET_COLOR && accessor->components == 3)
            kind.components = 3;
        return kind;
    }
    kind.components = accessor->components;
    kind.component = component_of(accessor->type);
    return kind;
}

/* -- Primitives --------------------------------------------------------- */

static facet_status check_attribute(const builder *b, const facet_gltf_attribute *attribute,
                                    uint32_t vertices, facet_error *error)
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
static bool shape_is_right(const attribute_kind *kind, const facet_gltf_accessor *accessor)
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

static facet_status check_shapes(const builder *b, const facet_gltf_attribute *attributes,
                                 uint32_t count, uint32_t target, facet_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        const facet_gltf_accessor *accessor = &b->file->document.accessors[attributes[i].accessor];
        attribute_kind kind = kind_of(attributes[i].name, target, accessor);
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

static facet_status check_primitive(const builder *b, const facet_gltf_primitive *primitive,
                                    uint32_t vertices, facet_error *error)
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

static facet_status place_vertices(builder *b, const facet_gltf_primitive *primitive,
                                   placed_primitive *placed, uint32_t vertices, facet_error *error)
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
    vertex_group *group = &b->groups[b->group_count++];
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

static void count_corners(placed_primitive *placed, uint32_t mode)
{
    uint32_t shapes = count_shapes(mode, placed->index_count);
    if (shape_size(mode) == 1)
        placed->point_count = shapes;
    else if (shape_size(mode) == 2)
        placed->line_count = shapes;
    else /* the sum over the mesh rejects more than 2^32 corners */
        placed->corner_count = shapes > UINT32_MAX / 3 ? UINT32_MAX : shapes * 3;
}

static facet_status place_primitive(builder *b, uint32_t index, facet_error *error)
{
    const facet_gltf_primitive *primitive = &b->from->primitives[index];
    placed_primitive *placed = &b->primitives[index];
    const facet_gltf_attribute *position =
        facet_gltf_find_attribute(primitive->attributes, primitive->attribute_count, "POSITION");
    if (primitive->mode > 6)
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-PRIMITIVE", FACET_NO_OFFSET,
                          "a primitive of mesh %" PRIu32 " has mode %" PRIu32 ", expected 0 to 6",
                          b->number, primitive->mode);
    if (!position) {
        facet_report_add(report_of(b), "GLTF-PRIMITIVE", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "primitive %" PRIu32 " of mesh %" PRIu32
                         " has no positions and is dropped",
                         index, b->number);
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
static facet_status draw(const builder *b, uint32_t index, uint32_t *drawn, facet_error *error)
{
    const facet_gltf_primitive *primitive = &b->from->primitives[index];
    const placed_primitive *placed = &b->primitives[index];
    const vertex_group *group = &b->groups[placed->group];
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
static facet_status fill_primitive(builder *b, uint32_t index, uint32_t *out, facet_error *error)
{
    const placed_primitive *placed = &b->primitives[index];
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

static facet_status fill_corners(builder *b, facet_error *error)
{
    facet_mesh *mesh = b->mesh;
    uint32_t count = b->from->primitive_count;
    uint64_t corners = 0, lines = 0, points = 0;
    bool has_material = false;
    for (uint32_t i = 0; i < count; i++) {
        b->primitives[i].first_corner = (uint32_t)corners;
        corners += b->primitives[i].corner_count;
        lines += b->primitives[i].line_count;
        points += b->primitives[i].point_count;
        has_material |= !b->primitives[i].skipped && b->primitives[i].corner_count > 0 &&
                        b->from->primitives[i].shown != FACET_NONE;
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
    if (has_material) {
        mesh->face_materials =
            facet_arena_allocate(mesh->arena, (size_t)corners / 3, sizeof *mesh->face_materials);
        if (!mesh->face_materials)
            return facet_fail_arena(mesh->arena, error);
    }
    mesh->corner_count = (uint32_t)corners;
    mesh->face_count = (uint32_t)corners / 3;
    mesh->line_count = (uint32_t)lines;
    mesh->lines = lines > 0 ? ends : NULL;
    mesh->point_count = (uint32_t)points;
    mesh->points = points > 0 ? points_at : NULL;
    for (uint32_t i = 0; i < count && !status; i++) {
        const placed_primitive *placed = &b->primitives[i];
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
        for (uint32_t f = 0; has_material && f < placed->corner_count / 3; f++)
            mesh->face_materials[placed->first_corner / 3 + f] = b->from->primitives[i].shown;
    }
    return status;
}

/* -- Streams ------------------------------------------------------------ */

/* Normalize quantized directions. */
static void make_unit(float *values, uint32_t count, uint32_t width)
{
    for (uint32_t i = 0; i < count; i++) {
        float *v = values + (size_t)i * width;
        float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int c = 0; length > 0 && c < 3; c++)
            v[c] /= length;
    }
}

/* Read the signs of tangents. glTF's bitangent points up in the image, to small v; Facet's points
 * to large v. */
static void read_signs(const builder *b, float *tangents, uint32_t count)
{
    facet_tally wrong = {0};
    for (uint32_t i = 0; i < count; i++) {
        float *w = tangents + (size_t)i * 4 + 3;
        if (*w != 1 && *w != -1)
            facet_tally_hit(&wrong, i);
        *w = *w < 0 ? 1.0F : -1.0F;
    }
    if (!b->file->is_checked)
        facet_report_add_tally(report_of(b), "GLTF-NORMAL", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                               &wrong,
                               "tangent %" PRIu64 " of mesh %" PRIu32
                               " has a w other than 1 and -1: only its sign is read",
                               wrong.first, b->number);
}

static facet_status read_joints(const builder *b, const facet_gltf_accessor *accessor,
                                uint16_t *joints, facet_error *error)
{
    size_t count = (size_t)accessor->count * 4;
    uint32_t *wide = facet_arena_allocate(b->file->arena, count, sizeof *wide);
    if (!wide)
        return facet_fail_arena(b->file->arena, error);
    facet_gltf_read_integers(b->file, accessor, wide);
    for (size_t i = 0; i < count; i++)
        joints[i] = (uint16_t)wide[i];
    facet_arena_release(b->file->arena, wide, count, sizeof *wide);
    return FACET_OK;
}

static facet_status read_elements(const builder *b, const attribute_kind *kind,
                                  const facet_gltf_accessor *accessor, uint8_t *at,
                                  facet_error *error)
{
    if (kind->semantic == FACET_JOINTS)
        return read_joints(b, accessor, (uint16_t *)(void *)at, error);
    if (kind->semantic == FACET_CUSTOM) {
        facet_gltf_read_raw(b->file, accessor, at);
        return FACET_OK;
    }
    float *values = (float *)(void *)at;
    facet_gltf_read_floats(b->file, accessor, kind->components, 1, values);
    size_t numbers = (size_t)accessor->count * kind->components;
    if (accessor->type == FACET_GLTF_FLOAT &&
        facet_find_nonfinite_float(values, numbers) < numbers) {
        facet_quoted quoted;
        return facet_fail(error, FACET_ERROR_MALFORMED, "GLTF-FLOAT", FACET_NO_OFFSET,
                          "attribute '%s' of mesh %" PRIu32 " holds a number that is not finite",
                          facet_quote(&quoted, kind->name, strlen(kind->name)), b->number);
    }
    bool direction = kind->semantic == FACET_NORMAL || kind->semantic == FACET_TANGENT;
    if (direction && accessor->type != FACET_GLTF_FLOAT)
        make_unit(values, (uint32_t)accessor->count, kind->components);
    if (kind->semantic == FACET_TANGENT)
        read_signs(b, values, (uint32_t)accessor->count);
    return FACET_OK;
}

static bool group_has(const builder *b, uint32_t group, const attribute_kind *kind)
{
    const facet_gltf_accessor *accessor = accessor_of(b, b->groups[group].primitive, kind);
    return accessor &&
           (kind->semantic != FACET_CUSTOM || (accessor->components == kind->components &&
                                               component_of(accessor->type) == kind->component));
}

/* Write the indices of a stream that only some groups have. */
static facet_status sparse_indices(const builder *b, facet_stream *stream, const uint32_t *firsts,
                                   facet_error *error)
{
    facet_mesh *mesh = b->mesh;
    TRY(facet_gltf_spend(b->file, mesh->corner_count, sizeof(uint32_t), error));
    stream->indices = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof(uint32_t));
    if (!stream->indices)
        return facet_fail_arena(mesh->arena, error);
    for (uint32_t p = 0; p < b->from->primitive_count; p++) {
        const placed_primitive *placed = &b->primitives[p];
        if (placed->skipped)
            continue;
        uint32_t first = firsts[placed->group];
        uint32_t shift = first - b->groups[placed->group].first;
        for (uint32_t i = 0; i < placed->corner_count; i++) {
            uint32_t corner = placed->first_corner + i;
            stream->indices[corner] = first == FACET_NONE ? FACET_NONE : b->indices[corner] + shift;
        }
    }
    return FACET_OK;
}

static facet_status add_stream(builder *b, const attribute_kind *kind, uint32_t *firsts,
                               facet_error *error)
{
    uint32_t count = 0;
    bool everywhere = true;
    for (uint32_t g = 0; g < b->group_count; g++) {
        bool has = group_has(b, g, kind);
        firsts[g] = has ? count : FACET_NONE;
        count += has ? b->groups[g].count : 0;
        everywhere &= has;
    }
    facet_stream *stream = NULL;
    size_t size = facet_component_size(kind->component) * kind->components;
    facet_status status = facet_gltf_spend(b->file, count, size, error);
    if (!status)
        status = facet_mesh_add_stream(b->mesh, kind->semantic, kind->set,
                                       kind->semantic == FACET_CUSTOM ? kind->name : NULL,
                                       kind->component, kind->components, count, &stream, error);
    if (status)
        return status;
    stream->indices = b->indices;
    for (uint32_t g = 0; g < b->group_count && !status; g++) {
        if (firsts[g] != FACET_NONE)
            status = read_elements(b, kind, accessor_of(b, b->groups[g].primitive, kind),
                                   (uint8_t *)stream->data + firsts[g] * size, error);
    }
    return status || everywhere ? status : sparse_indices(b, stream, firsts, error);
}

/* True if a group before `group` has already added the stream. A mesh has few sets, but any number
 * of custom attributes, whose names are found in the groups. */
static bool is_added(const builder *b, const attribute_kind *kind, uint32_t group)
{
    if (kind->semantic == FACET_CUSTOM && kind->target == FACET_NONE) {
        uint32_t earlier = 0;
        while (earlier < group && !accessor_of(b, b->groups[earlier].primitive, kind))
            earlier++;
        return earlier < group;
    }
    for (uint32_t i = 0; i < b->mesh->stream_count; i++) {
        const facet_stream *stream = &b->mesh->streams[i];
        if (stream->semantic == kind->semantic && stream->set == kind->set &&
            (kind->semantic != FACET_CUSTOM || strcmp(stream->name, kind->name) == 0))
            return true;
    }
    return false;
}

static facet_status add_streams_of(builder *b, uint32_t group,
                                   const facet_gltf_attribute *attributes, uint32_t count,
                                   uint32_t target, uint32_t *firsts, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        const facet_gltf_accessor *accessor = &b->file->document.accessors[attributes[i].accessor];
        attribute_kind kind = kind_of(attributes[i].name, target, accessor);
        if (is_added(b, &kind, group))
            continue;
        if (kind.semantic == FACET_CUSTOM && target != FACET_NONE) {
            facet_quoted quoted;
            facet_report_add(report_of(b), "GLTF-TARGET", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                             "the differences of '%s' in morph target %" PRIu32 " of mesh %" PRIu32
                             " are dropped",
                             facet_quote(&quoted, kind.name, strlen(kind.name)), target, b->number);
            continue;
        }
        /* Three- and four-component colors become one stream of four components. */
        for (uint32_t g = 0; kind.semantic == FACET_COLOR && g < b->group_count; g++) {
            const facet_gltf_accessor *other = accessor_of(b, b->groups[g].primitive, &kind);
            kind.components = other && other->components == 4 ? 4 : kind.components;
        }
        status = add_stream(b, &kind, firsts, error);
    }
    return status;
}

static facet_status add_streams(builder *b, uint32_t *firsts, facet_error *error)
{
    static const attribute_kind position = {"POSITION", FACET_NONE, FACET_POSITION,
                                            0,          3,          FACET_FLOAT32};
    facet_status status = b->group_count > 0 ? add_stream(b, &position, firsts, error) : FACET_OK;
    for (uint32_t g = 0; g < b->group_count && !status; g++) {
        const facet_gltf_primitive *primitive = b->groups[g].primitive;
        status = add_streams_of(b, g, primitive->attributes, primitive->attribute_count, FACET_NONE,
                                firsts, error);
        for (uint32_t t = 0; t < primitive->target_count && !status; t++)
            status = add_streams_of(b, g, primitive->targets[t].attributes,
                                    primitive->targets[t].attribute_count, t, firsts, error);
    }
    return status;
}

/* -- Meshes ------------------------------------------------------------- */

static facet_status read_morphs(builder *b, facet_error *error)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < b->from->primitive_count; i++) {
        uint32_t targets = b->from->primitives[i].target_count;
        count = targets > count ? targets : count;
    }
    facet_morph *morphs = facet_arena_allocate(b->mesh->arena, count, sizeof *morphs);
    if (!morphs)
        return facet_fail_arena(b->mesh->arena, error);
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        morphs[i].weight = i < b->from->weight_count ? b->from->weights[i] : 0;
        status = facet_gltf_copy_text(
            b->scene, i < b->from->target_name_count ? b->from->target_names[i] : "",
            &morphs[i].name, error);
    }
    b->mesh->morphs = count > 0 ? morphs : NULL;
    b->mesh->morph_count = count;
    return status;
}

/* Faces without normals are flat (3.7.2.1): no face is smoothed with another. */
static facet_status set_flat(const builder *b, facet_error *error)
{
    facet_mesh *mesh = b->mesh;
    const facet_stream *normals = facet_mesh_find(mesh, FACET_NORMAL, 0);
    uint32_t corner = 0;
    while (normals && corner < mesh->corner_count && normals->indices[corner] != FACET_NONE)
        corner++;
    if (corner == mesh->corner_count)
        return FACET_OK;
    mesh->face_smoothing =
        facet_arena_allocate_zeroed(mesh->arena, mesh->face_count, sizeof *mesh->face_smoothing);
    return mesh->face_smoothing ? FACET_OK : facet_fail_arena(mesh->arena, error);
}

static facet_status read_mesh(builder *b, facet_error *error)
{
    facet_arena *scratch = b->file->arena;
    uint32_t count = b->from->primitive_count;
    facet_status status = facet_scene_add_mesh(b->scene, &b->mesh, error);
    if (!status)
        status = facet_gltf_copy_text(b->scene, b->from->name, &b->mesh->name, error);
    if (!status)
        status = facet_gltf_copy_text(b->scene, b->from->extras, &b->mesh->extras, error);
    if (!status)
        status = facet_gltf_copy_text(b->scene, b->from->extensions, &b->mesh->extensions, error);
    if (status || b->file->skip & FACET_SKIP_GEOMETRY)
        return status;
    TRY(read_morphs(b, error));
    b->primitives = facet_arena_allocate_zeroed(scratch, count, sizeof *b->primitives);
    b->groups = facet_arena_allocate_zeroed(scratch, count, sizeof *b->groups);
    uint32_t *firsts = facet_arena_allocate(scratch, count, sizeof *firsts);
    if (!b->primitives || !b->groups || !firsts)
        return facet_fail_arena(scratch, error);
    bool has_extras = false;
    for (uint32_t i = 0; i < count && !status; i++) {
        status = place_primitive(b, i, error);
        has_extras |= b->from->primitives[i].has_extras;
    }
    if (has_extras)
        facet_report_add(report_of(b), "GLTF-EXTRAS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the extras of primitives of mesh %" PRIu32 " are dropped", b->number);
    if (!status)
        status = fill_corners(b, error);
    if (!status)
        status = add_streams(b, firsts, error);
    if (!status)
        status = set_flat(b, error);
    bool has_look = false;
    for (uint32_t i = 0; i < count && !status; i++)
        has_look |= b->primitives[i].line_count + b->primitives[i].point_count > 0 &&
                    b->from->primitives[i].shown != FACET_NONE;
    if (!status && has_look)
        facet_report_add(report_of(b), "LOSS-MATERIALS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the materials of lines and points of mesh %" PRIu32 " are left out",
                         b->number);
    bool has_ends = b->mesh->line_count > 0 || b->mesh->point_count > 0;
    if (!status && has_ends && !facet_mesh_is_indexed(b->mesh))
        facet_report_add(report_of(b), "GLTF-LINES", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "the lines and points of mesh %" PRIu32
                         " keep only attributes that all of its primitives have",
                         b->number);
    return status;
}

facet_status facet_gltf_meshes_to_scene(facet_gltf_file *file, facet_scene *scene,
                                        facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < file->document.mesh_count && !status; i++) {
        builder b = {0};
        b.file = file;
        b.scene = scene;
        b.from = &file->document.meshes[i];
        b.number = i;
        status =
            facet_step(file->options, "read meshes", (double)i / file->document.mesh_count, error);
        if (!status)
            status = read_mesh(&b, error);
    }
    return status;
}
