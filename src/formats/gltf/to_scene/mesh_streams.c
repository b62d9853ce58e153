/* formats/gltf/to_scene/mesh_streams.c - the attributes of a glTF mesh become streams. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/gltf/to_scene/mesh_builder.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Attributes --------------------------------------------------------- */

/* The accessor of an attribute in a primitive, or NULL. */
static const facet_gltf_accessor *accessor_of(const facet_gltf_mesh_builder *b,
                                              const facet_gltf_primitive *primitive,
                                              const facet_gltf_attribute_kind *kind)
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

/* Type of a custom stream. Streams have no normalized integers, so those become floats. */
static facet_component component_of(const facet_gltf_accessor *accessor)
{
    if (accessor->normalized)
        return FACET_FLOAT32;
    switch (accessor->type) {
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

facet_gltf_attribute_kind facet_gltf_get_attribute_kind(const char *name, uint32_t target,
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
    facet_gltf_attribute_kind kind = {name, target,       FACET_CUSTOM, morph ? target : 0,
                                      3,    FACET_FLOAT32};
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
    kind.component = component_of(accessor);
    return kind;
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
static void read_signs(const facet_gltf_mesh_builder *b, float *tangents, uint32_t count)
{
    facet_tally wrong = {0};
    for (uint32_t i = 0; i < count; i++) {
        float *w = tangents + (size_t)i * 4 + 3;
        if (*w != 1 && *w != -1)
            facet_tally_hit(&wrong, i);
        *w = *w < 0 ? 1.0F : -1.0F;
    }
    if (!b->file->is_checked)
        facet_report_add_tally(facet_gltf_mesh_report(b), "GLTF-NORMAL", FACET_SEVERITY_WARNING,
                               FACET_NO_OFFSET, &wrong,
                               "tangent %" PRIu64 " of mesh %" PRIu32
                               " has a w other than 1 and -1: only its sign is read",
                               wrong.first, b->number);
}

static facet_status read_joints(const facet_gltf_mesh_builder *b,
                                const facet_gltf_accessor *accessor, uint16_t *joints,
                                facet_error *error)
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

static facet_status read_elements(const facet_gltf_mesh_builder *b,
                                  const facet_gltf_attribute_kind *kind,
                                  const facet_gltf_accessor *accessor, uint8_t *at,
                                  facet_error *error)
{
    if (kind->semantic == FACET_JOINTS)
        return read_joints(b, accessor, (uint16_t *)(void *)at, error);
    if (kind->semantic == FACET_CUSTOM && !accessor->normalized) {
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

static bool group_has(const facet_gltf_mesh_builder *b, uint32_t group,
                      const facet_gltf_attribute_kind *kind)
{
    const facet_gltf_accessor *accessor = accessor_of(b, b->groups[group].primitive, kind);
    return accessor &&
           (kind->semantic != FACET_CUSTOM || (accessor->components == kind->components &&
                                               component_of(accessor) == kind->component));
}

/* Write the indices of a stream that only some groups have. */
static facet_status sparse_indices(const facet_gltf_mesh_builder *b, facet_stream *stream,
                                   const uint32_t *firsts, facet_error *error)
{
    facet_mesh *mesh = b->mesh;
    TRY(facet_gltf_spend(b->file, mesh->corner_count, sizeof(uint32_t), error));
    stream->indices = facet_arena_allocate(mesh->arena, mesh->corner_count, sizeof(uint32_t));
    if (!stream->indices)
        return facet_fail_arena(mesh->arena, error);
    for (uint32_t p = 0; p < b->from->primitive_count; p++) {
        const facet_gltf_placed_primitive *placed = &b->primitives[p];
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

static facet_status add_stream(facet_gltf_mesh_builder *b, const facet_gltf_attribute_kind *kind,
                               uint32_t *firsts, facet_error *error)
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
static bool is_added(const facet_gltf_mesh_builder *b, const facet_gltf_attribute_kind *kind,
                     uint32_t group)
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

static facet_status add_streams_of(facet_gltf_mesh_builder *b, uint32_t group,
                                   const facet_gltf_attribute *attributes, uint32_t count,
                                   uint32_t target, uint32_t *firsts, facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < count && !status; i++) {
        const facet_gltf_accessor *accessor = &b->file->document.accessors[attributes[i].accessor];
        facet_gltf_attribute_kind kind =
            facet_gltf_get_attribute_kind(attributes[i].name, target, accessor);
        if (is_added(b, &kind, group))
            continue;
        if (kind.semantic == FACET_CUSTOM && target != FACET_NONE) {
            facet_quoted quoted;
            facet_report_add(facet_gltf_mesh_report(b), "GLTF-TARGET", FACET_SEVERITY_WARNING,
                             FACET_NO_OFFSET,
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

facet_status facet_gltf_add_streams(facet_gltf_mesh_builder *b, uint32_t *firsts,
                                    facet_error *error)
{
    static const facet_gltf_attribute_kind position = {"POSITION", FACET_NONE, FACET_POSITION,
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
