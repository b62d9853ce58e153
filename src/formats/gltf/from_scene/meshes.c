/* formats/gltf/from_scene/meshes.c - a GPU-ready mesh as primitives with interleaved vertices: one
 * primitive per kind (faces, lines, points) and material, one glTF mesh per part. */
#include "base/arena.h"
#include "base/error.h"
#include "base/json.h"
#include "base/report.h"
#include "formats/gltf/from_scene/mesh_writer.h"
#include "scene/axes.h"
#include "scene/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Faces, lines or points of one material in one section. All are called faces here. */
typedef struct draw {
    facet_gltf_piece_kind kind;
    const uint32_t *faces; /* NULL: consecutive faces from first_face */
    uint32_t first_face, face_count;
    uint32_t material;
    uint32_t low, high; /* range of vertices that the faces use */
} draw;

/* Kinds of primitives, in the order of the kinds of facet_mesh_material_uses. */
static const facet_gltf_piece_kind piece_kinds[FACET_USE_KINDS] = {
    FACET_GLTF_PIECE_INDICES, FACET_GLTF_PIECE_LINES, FACET_GLTF_PIECE_POINTS};

/* -- Faces by material -------------------------------------------------- */

/* Split a range of faces, lines or points into runs of equal material. If a material occurs twice,
 * `order` gets the range sorted by material (stable). */
static uint32_t split_by_material(facet_gltf_mesh_writer *m, int kind, uint32_t first,
                                  uint32_t count, draw *draws, uint32_t *counts)
{
    const facet_material_uses uses = facet_mesh_material_uses(m->mesh, kind);
    uint32_t materials = m->w->scene->material_count + 1, used = 0; /* the last one: no material */
    bool again = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t material = facet_material_of(uses, first + i);
        uint32_t *slot = &counts[material == FACET_NONE ? materials - 1 : material];
        if (i == 0 || material != facet_material_of(uses, first + i - 1)) {
            again |= *slot > 0;
            if (*slot == 0) {
                draws[used].material = material;
                draws[used].first_face = first + i;
                used++;
            }
        }
        ++*slot;
    }
    uint32_t at = first;
    for (uint32_t d = 0; d < used; d++) {
        uint32_t *slot =
            &counts[draws[d].material == FACET_NONE ? materials - 1 : draws[d].material];
        draws[d].face_count = *slot;
        draws[d].faces = NULL;
        if (again)
            draws[d].first_face = at;
        at += *slot;
        *slot = draws[d].first_face;
    }
    if (again && !m->orders[kind]) {
        m->orders[kind] = facet_arena_allocate(m->w->arena, uses.count, sizeof *m->orders[kind]);
        if (!m->orders[kind]) {
            m->w->failed = true;
            again = false;
        }
    }
    for (uint32_t i = 0; again && i < count; i++) {
        uint32_t material = facet_material_of(uses, first + i);
        m->orders[kind][counts[material == FACET_NONE ? materials - 1 : material]++] = first + i;
    }
    for (uint32_t d = 0; d < used; d++) {
        draws[d].kind = piece_kinds[kind];
        if (again)
            draws[d].faces = m->orders[kind] + draws[d].first_face;
        counts[draws[d].material == FACET_NONE ? materials - 1 : draws[d].material] = 0;
    }
    return used;
}

static void find_range(const facet_mesh *mesh, draw *d)
{
    const uint32_t *indices = facet_gltf_vertices_of(mesh, d->kind);
    uint32_t corners = facet_gltf_corners_of(d->kind);
    d->low = UINT32_MAX;
    d->high = 0;
    for (uint32_t i = 0; i < d->face_count; i++) {
        uint32_t face = d->faces ? d->faces[i] : d->first_face + i;
        for (uint32_t c = 0; c < corners; c++) {
            uint32_t vertex = indices[(size_t)face * corners + c];
            d->low = vertex < d->low ? vertex : d->low;
            d->high = vertex > d->high ? vertex : d->high;
        }
    }
}

/* -- Accessors of a range ----------------------------------------------- */

/* Write min and max of three floats, or of the grid values that replace them. */
static void put_bounds(facet_gltf_writer *w, facet_json *accessor, const float *values,
                       size_t count, const facet_gltf_slot *slot)
{
    enum { width = 3 };
    float low[width] = {0}, high[width] = {0};
    for (size_t i = 0; i < count; i++) {
        for (uint32_t c = 0; c < width; c++) {
            float value = values[i * width + c];
            if (slot && slot->quantized)
                value = facet_gltf_on_grid(slot, c, value);
            low[c] = i == 0 || value < low[c] ? value : low[c];
            high[c] = i == 0 || value > high[c] ? value : high[c];
        }
    }
    facet_gltf_put(w, accessor, "min", facet_gltf_floats(w, low, width));
    facet_gltf_put(w, accessor, "max", facet_gltf_floats(w, high, width));
}

static uint32_t zero_directions(const facet_stream *stream, uint32_t low, uint32_t high)
{
    const float *values = stream->data;
    uint32_t count = 0;
    for (size_t i = low; i <= high; i++) {
        const float *v = values + i * stream->components;
        count += !(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 0);
    }
    return count;
}

/* Find normals or tangents that are zero in the whole range, and do not write them. The weld adds
 * zeros where a primitive has no such attribute. */
static void find_absent_directions(facet_gltf_mesh_writer *m, uint32_t low, uint32_t high)
{
    m->without = facet_mesh_find(m->mesh, FACET_NORMAL, 0) ? 0 : 1u << FACET_TANGENT;
    for (uint32_t i = 0; i < m->slot_count; i++) {
        const facet_stream *stream = m->slots[i].slot.stream;
        bool direction = stream->semantic == FACET_NORMAL || stream->semantic == FACET_TANGENT;
        if (!direction || zero_directions(stream, low, high) <= high - low)
            continue;
        /* Tangents have no meaning without normals. */
        m->without |= stream->semantic == FACET_NORMAL ? 1u << FACET_NORMAL | 1u << FACET_TANGENT
                                                       : 1u << FACET_TANGENT;
    }
}

static facet_semantic base_of(facet_semantic semantic)
{
    return semantic == FACET_MORPH_NORMAL    ? FACET_NORMAL
           : semantic == FACET_MORPH_TANGENT ? FACET_TANGENT
                                             : semantic;
}

static uint32_t add_slot_accessor(facet_gltf_mesh_writer *m, const facet_gltf_placed_slot *placed)
{
    const facet_gltf_slot *slot = &placed->slot;
    const facet_stream *stream = slot->stream;
    uint32_t count = m->high - m->low + 1, index;
    facet_json *accessor = facet_gltf_add_accessor(m->w, placed->view,
                                                   (uint64_t)m->low * placed->stride + slot->offset,
                                                   slot->type, count, placed->shape, &index);
    if (stream->semantic == FACET_POSITION || stream->semantic == FACET_MORPH_POSITION)
        put_bounds(m->w, accessor, (const float *)stream->data + (size_t)m->low * 3, count, slot);
    if (slot->quantized && !slot->grid)
        facet_gltf_put(m->w, accessor, "normalized", facet_json_boolean(true));
    return index;
}

/* Every target of a primitive needs positions. Add zeros where the mesh has none. */
static void complete_targets(facet_gltf_mesh_writer *m)
{
    static const float zeros[3] = {0};
    for (uint32_t t = 0; t < m->mesh->morph_count; t++) {
        facet_json *target = facet_json_array_get(m->targets, t);
        if (facet_json_object_size(target) > 0)
            continue;
        uint32_t index;
        facet_json *accessor = facet_gltf_add_accessor(m->w, FACET_NONE, 0, FACET_GLTF_FLOAT,
                                                       m->high - m->low + 1, "VEC3", &index);
        put_bounds(m->w, accessor, zeros, 1, NULL);
        facet_gltf_put(m->w, target, "POSITION", facet_json_integer_in(m->w->arena, index));
    }
}

static void drop_accessors(facet_gltf_mesh_writer *m)
{
    m->attributes = m->targets = NULL;
}

/* Ranges of parts can overlap. When they have this many times the vertices of the mesh together,
 * all other primitives use one range of all vertices, so that the cost is linear. */
#define MAX_OVERLAP 8

/* Create the accessors of a vertex range, or reuse those of the previous primitive if it has the
 * same range. */
static void make_accessors(facet_gltf_mesh_writer *m, uint32_t low, uint32_t high)
{
    uint32_t count = m->mesh->streams[0].count;
    if (m->range_total / MAX_OVERLAP > count) {
        low = 0;
        high = count - 1;
    }
    if (m->attributes && m->low == low && m->high == high)
        return;
    drop_accessors(m);
    m->range_total += high - low + 1;
    m->low = low;
    m->high = high;
    m->attributes = facet_json_object_in(m->w->arena);
    m->targets = facet_json_array_in(m->w->arena);
    for (uint32_t t = 0; t < m->mesh->morph_count; t++)
        facet_gltf_append(m->w, m->targets, facet_json_object_in(m->w->arena));
    find_absent_directions(m, low, high);
    for (uint32_t i = 0; i < m->slot_count; i++) {
        const facet_gltf_placed_slot *placed = &m->slots[i];
        facet_semantic semantic = placed->slot.stream->semantic;
        if (m->without >> base_of(semantic) & 1)
            continue;
        bool tangentless = semantic == FACET_MORPH_NORMAL || semantic == FACET_MORPH_TANGENT;
        if (tangentless && !facet_mesh_find(m->mesh, base_of(semantic), 0))
            continue;
        facet_json *to = placed->morph ? facet_json_array_get(m->targets, placed->slot.stream->set)
                                       : m->attributes;
        facet_gltf_put(m->w, to, placed->custom ? placed->custom : placed->name,
                       facet_json_integer_in(m->w->arena, add_slot_accessor(m, placed)));
    }
    complete_targets(m);
}

/* -- Primitives --------------------------------------------------------- */

static uint32_t texcoord_sets(const facet_mesh *mesh)
{
    uint32_t sets = 0;
    while (facet_mesh_find(mesh, FACET_TEXCOORD, sets))
        sets++;
    return sets;
}

/* True if a range is short enough for 16-bit indices. The index 65535 restarts primitives. */
static bool is_narrow(uint32_t low, uint32_t high)
{
    return high - low < 65535;
}

static facet_json *make_primitive(facet_gltf_mesh_writer *m, const draw *d)
{
    const facet_gltf_piece_kind kind = d->kind;
    facet_gltf_writer *w = m->w;
    bool narrow = is_narrow(m->low, m->high);
    uint32_t corners = facet_gltf_corners_of(kind), index;
    uint64_t count = (uint64_t)d->face_count * corners;
    facet_gltf_piece *piece = facet_gltf_add_piece(w, kind, count * (narrow ? 2 : 4));
    facet_json *primitive = facet_json_object_in(w->arena);
    if (!piece)
        return primitive;
    piece->mesh = m->mesh;
    piece->faces = d->faces;
    piece->first_face = d->faces ? 0 : d->first_face;
    piece->count = d->face_count;
    piece->base = m->low;
    piece->narrow = narrow;
    uint64_t offset;
    uint32_t view = facet_gltf_share_view(w, piece, FACET_GLTF_USE_INDICES, &offset);
    facet_gltf_add_accessor(w, view, offset, narrow ? FACET_GLTF_UINT16 : FACET_GLTF_UINT32, count,
                            "SCALAR", &index);
    facet_gltf_put(w, primitive, "attributes", m->attributes);
    facet_gltf_put(w, primitive, "indices", facet_json_integer_in(w->arena, index));
    if (facet_gltf_is_ends(kind))
        facet_gltf_put(w, primitive, "mode", facet_json_integer_in(w->arena, corners - 1));
    if (d->material != FACET_NONE) {
        uint32_t sets = texcoord_sets(m->mesh);
        facet_gltf_put(
            w, primitive, "material",
            facet_json_integer_in(w->arena, facet_gltf_material_for(w, d->material, sets)));
        facet_gltf_put_variants_of(w, primitive, d->material, sets);
    }
    if (m->mesh->morph_count > 0)
        facet_gltf_put(w, primitive, "targets", m->targets);
    return primitive;
}

/* Faces per attribute, above which the accessors of a separate range are smaller than the indices
 * that it saves (order.c). */
#define FACES_PER_ATTRIBUTE 256

/* Choose the accessors of a primitive. A section's primitives share vertices, unless a separate
 * range allows 16-bit indices, or makes compressed indices smaller. */
static void share_accessors(facet_gltf_mesh_writer *m, const draw *whole, const draw *d)
{
    bool own = !is_narrow(whole->low, whole->high) && is_narrow(d->low, d->high);
    own |= m->w->compress && d->face_count / FACES_PER_ATTRIBUTE > m->slot_count;
    const draw *range = own ? d : whole;
    make_accessors(m, range->low, range->high);
}

static void widen(draw *whole, const draw *d)
{
    whole->low = d->low < whole->low ? d->low : whole->low;
    whole->high = d->high > whole->high ? d->high : whole->high;
}

/* -- Meshes ------------------------------------------------------------- */

static facet_json *names_of_targets(facet_gltf_writer *w, const facet_mesh *mesh)
{
    bool any = false;
    facet_json *names = facet_json_array_in(w->arena);
    for (uint32_t i = 0; i < mesh->morph_count; i++) {
        const char *name = mesh->morphs[i].name;
        any |= *name != '\0';
        facet_gltf_append(
            w, names,
            facet_json_string_in(w->arena, facet_utf8_valid(name, strlen(name)) ? name : ""));
    }
    return any ? names : NULL;
}

static void put_morphs(facet_gltf_writer *w, facet_json *object, const facet_mesh *mesh)
{
    if (mesh->morph_count == 0)
        return;
    facet_json *weights = facet_json_array_in(w->arena), *names = names_of_targets(w, mesh);
    for (uint32_t i = 0; i < mesh->morph_count; i++)
        facet_gltf_append(w, weights, facet_gltf_number(w, (double)mesh->morphs[i].weight));
    facet_gltf_put(w, object, "weights", weights);
    if (!names)
        return;
    facet_json *extras = facet_json_object_get(object, "extras");
    if (!extras) {
        extras = facet_json_object_in(w->arena);
        facet_gltf_put(w, object, "extras", extras);
    }
    if (facet_json_is_object(extras) && !facet_json_object_get(extras, "targetNames"))
        facet_gltf_put(w, extras, "targetNames", names);
}

/* Write the faces from `first`, and with `with_ends` all lines and points, as a glTF mesh. False if
 * it is empty. */
static bool write_section(facet_gltf_mesh_writer *m, const char *name, uint32_t first,
                          uint32_t count, bool with_ends, draw *draws, uint32_t *counts,
                          facet_gltf_sections *sections)
{
    facet_gltf_writer *w = m->w;
    facet_json *primitives = facet_json_array_in(w->arena);
    uint32_t draw_count = split_by_material(m, 0, first, count, draws, counts);
    for (int kind = 1; kind < FACET_USE_KINDS && with_ends; kind++)
        draw_count += split_by_material(m, kind, 0, facet_mesh_material_uses(m->mesh, kind).count,
                                        draws + draw_count, counts);
    draw whole = {.low = UINT32_MAX};
    for (uint32_t i = 0; i < draw_count; i++) {
        find_range(m->mesh, &draws[i]);
        widen(&whole, &draws[i]);
    }
    for (uint32_t i = 0; i < draw_count && !w->failed; i++) {
        share_accessors(m, &whole, &draws[i]);
        facet_gltf_append(w, primitives, make_primitive(m, &draws[i]));
    }
    if (facet_json_array_size(primitives) == 0)
        return false;
    facet_json *object = facet_json_object_in(w->arena);
    facet_gltf_put_text(w, object, "name", name);
    facet_gltf_put(w, object, "primitives", primitives);
    facet_gltf_put_file_extras(w, object, m->mesh->extras, m->mesh->gx_file);
    facet_gltf_put_kept(w, object, m->mesh->extensions);
    put_morphs(w, object, m->mesh);
    facet_gltf_append(w, w->meshes, object);
    facet_gltf_section *section = &sections->items[sections->count++];
    section->name = name;
    section->mesh = (uint32_t)facet_json_array_size(w->meshes) - 1;
    return true;
}

static const char *name_of_part(const facet_part *part, const facet_mesh *mesh)
{
    if (*part->name)
        return part->name;
    return *part->group ? part->group : mesh->name;
}

static void write_sections(facet_gltf_mesh_writer *m, facet_gltf_sections *sections)
{
    facet_gltf_writer *w = m->w;
    const facet_mesh *mesh = m->mesh;
    uint32_t materials = w->scene->material_count + 1;
    draw *draws = facet_arena_allocate(w->arena, materials, FACET_USE_KINDS * sizeof *draws);
    uint32_t *counts = facet_arena_allocate_zeroed(w->arena, materials, sizeof *counts);
    sections->items =
        facet_arena_allocate(w->arena, (size_t)mesh->part_count * 2 + 1, sizeof *sections->items);
    if (!draws || !counts || !sections->items) {
        w->failed = true;
        return;
    }
    uint32_t face = 0;
    for (uint32_t i = 0; i < mesh->part_count; i++) {
        const facet_part *part = &mesh->parts[i];
        write_section(m, mesh->name, face, part->first_face - face, false, draws, counts, sections);
        write_section(m, name_of_part(part, mesh), part->first_face, part->face_count, false, draws,
                      counts, sections);
        face = part->first_face + part->face_count;
    }
    write_section(m, mesh->name, face, mesh->face_count - face, true, draws, counts, sections);
    facet_arena_release(w->arena, counts, materials, sizeof *counts);
    facet_arena_release(w->arena, draws, materials, FACET_USE_KINDS * sizeof *draws);
}

static void report_directions(const facet_gltf_writer *w, const facet_stream *stream,
                              uint32_t number)
{
    const char *name = stream->semantic == FACET_NORMAL ? "normals" : "tangents";
    uint32_t zeros = 0;
    facet_tally scaled = {0};
    for (uint32_t i = 0; i < stream->count; i++) {
        const float *v = (const float *)stream->data + (size_t)i * stream->components;
        if (facet_gltf_is_unit(v))
            continue;
        if (v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 0)
            facet_tally_hit(&scaled, i);
        else
            zeros++;
    }
    if (zeros > 0 && zeros < stream->count)
        facet_report_add(
            facet_gltf_writer_report(w), "GLTF-NORMAL", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "%" PRIu32 " %s of mesh %" PRIu32 " have no length: they get an arbitrary direction",
            zeros, name, number);
    if (zeros > 0 && zeros == stream->count)
        facet_report_add(
            facet_gltf_writer_report(w), "GLTF-NORMAL", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            "the %s of mesh %" PRIu32 " have no length: they are left out", name, number);
    facet_report_add_tally(
        facet_gltf_writer_report(w), "GLTF-NORMAL", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
        &scaled, "%s %" PRIu64 " of mesh %" PRIu32 " is not of unit length, and is normalized",
        stream->semantic == FACET_NORMAL ? "normal" : "tangent", scaled.first, number);
}

/* Report values that glTF cannot store: colors are clamped to 0..1, the third texture coordinate is
 * dropped, and directions are normalized. */
static void report_cuts(const facet_gltf_writer *w, const facet_mesh *mesh, uint32_t number)
{
    for (uint32_t s = 0; s < mesh->stream_count; s++) {
        const facet_stream *stream = &mesh->streams[s];
        facet_tally cut = {0};
        const float *values = stream->data;
        size_t count = (size_t)stream->count * stream->components;
        for (size_t i = 0; stream->semantic == FACET_COLOR && i < count; i++) {
            if (!(values[i] >= 0 && values[i] <= 1))
                facet_tally_hit(&cut, i / stream->components);
        }
        facet_report_add_tally(
            facet_gltf_writer_report(w), "LOSS-COLORS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
            &cut, "color %" PRIu64 " of mesh %" PRIu32 " is not within 0 to 1, and is clamped",
            cut.first, number);
        if (stream->semantic == FACET_NORMAL || stream->semantic == FACET_TANGENT)
            report_directions(w, stream, number);
        if (stream->semantic == FACET_TEXCOORD && stream->components > 2)
            facet_report_add(
                facet_gltf_writer_report(w), "LOSS-CUSTOM", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                "the third texture coordinates of mesh %" PRIu32 " are dropped", number);
    }
}

facet_status facet_gltf_meshes_from_scene(facet_gltf_writer *w, facet_error *error)
{
    const facet_scene *scene = w->scene;
    if (w->quantize)
        facet_gltf_make_grids(w);
    if (w->failed)
        return FACET_OK;
    w->sections = facet_arena_allocate_zeroed(w->arena, scene->mesh_count, sizeof *w->sections);
    if (!w->sections)
        return facet_fail_arena(w->arena, error);
    for (uint32_t i = 0; i < scene->mesh_count && !w->failed; i++) {
        const facet_mesh *mesh = scene->meshes[i];
        if (!facet_mesh_is_triangles(mesh) || !facet_mesh_is_indexed(mesh))
            return facet_fail(error, FACET_ERROR_ARGUMENT, "GLTF-NEEDS", FACET_NO_OFFSET,
                              "mesh %" PRIu32 " does not consist of triangles with a single index",
                              i);
        if (mesh->stream_count == 0)
            continue;
        facet_gltf_mesh_writer m = {0};
        m.w = w;
        m.mesh = facet_gltf_correct_influences(w, mesh, i);
        if (w->compress)
            m.mesh = facet_gltf_order_vertices(w, m.mesh);
        m.number = i;
        report_cuts(w, mesh, i);
        facet_gltf_collect_slots(&m);
        if (!w->failed)
            facet_gltf_place_slots(&m);
        if (!w->failed)
            facet_gltf_place_morphs(&m);
        if (!w->failed)
            write_sections(&m, &w->sections[i]);
        drop_accessors(&m);
    }
    facet_lost_streams_report(&w->lost_streams, "glTF", facet_gltf_writer_report(w));
    return FACET_OK;
}
