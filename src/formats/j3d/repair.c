/* formats/j3d/repair.c - repair of models that games cannot load. */
#include "formats/j3d/repair.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/report.h"
#include "formats/j3d/file/display_list.h"
#include "formats/j3d/file/reader.h"
#include "formats/j3d/file/sections.h"
#include "formats/j3d/scene/from_scene/builder.h"

#include <facet/gx.h>
#include <inttypes.h>
#include <string.h>

/* True if a rule that begins with one of `rules` is broken; notes do not count. */
static bool has_any(const facet_report *report, const char *rules)
{
    for (size_t i = 0; i < facet_report_count(report); i++) {
        const facet_finding *finding = facet_report_get(report, i);
        if (finding->severity != FACET_SEVERITY_NOTE &&
            strncmp(finding->rule, rules, strlen(rules)) == 0)
            return true;
    }
    return false;
}

/* -- Envelopes ---------------------------------------------------------- */

/* Check the draw matrices: entries of envelopes follow those of joints, and the first ones name
 * each envelope once. */
static bool find_envelopes(const facet_j3d *document, bool *seen, uint32_t *rigid)
{
    const facet_j3d_draw_matrices *m = &document->draw_matrices;
    uint32_t count = document->envelopes.count;
    for (*rigid = 0; *rigid < m->count && !m->items[*rigid].is_envelope;)
        ++*rigid;
    if (m->count - *rigid < count)
        return false;
    for (uint32_t i = *rigid; i < m->count; i++) {
        uint16_t index = m->items[i].index;
        if (!m->items[i].is_envelope || index >= count || (i < *rigid + count && seen[index]))
            return false;
        seen[index] = true;
    }
    return true;
}

/* Sort the envelopes in the order of their entries, because games use the position of an entry as
 * the number of its envelope. */
static facet_status order_envelopes(facet_j3d *document, uint32_t rigid, facet_error *error)
{
    facet_j3d_envelopes *e = &document->envelopes;
    facet_j3d_envelope *items = facet_arena_allocate(document->arena, e->count, sizeof *items);
    facet_j3d_influence *list =
        facet_arena_allocate(document->arena, e->influence_count, sizeof *list);
    uint32_t used = 0;
    if (!items || !list)
        return facet_fail_arena(document->arena, error);
    for (uint32_t i = 0; i < e->count; i++) {
        const facet_j3d_envelope *from = &e->items[document->draw_matrices.items[rigid + i].index];
        items[i] = (facet_j3d_envelope){used, from->count};
        memcpy(list + used, e->influences + from->first, from->count * sizeof *list);
        used += from->count;
    }
    e->items = items;
    e->influences = list;
    e->influence_count = used;
    return FACET_OK;
}

static facet_status repair_envelopes(facet_j3d *document, facet_error *error)
{
    facet_j3d_draw_matrices *m = &document->draw_matrices;
    uint32_t rigid, count = document->envelopes.count;
    bool *seen = facet_arena_allocate_zeroed(document->arena, count, sizeof *seen);
    if (!seen)
        return facet_fail_arena(document->arena, error);
    if (count == 0 || !find_envelopes(document, seen, &rigid))
        return FACET_OK;
    if ((uint64_t)rigid + 2 * (uint64_t)count > UINT16_MAX)
        return facet_fail(error, FACET_ERROR_LIMIT, "J3D-LIMIT-ENVELOPES", FACET_NO_OFFSET,
                          "the model needs %" PRIu64
                          " draw matrices with its envelopes twice; the format holds 65,535",
                          rigid + 2 * (uint64_t)count);
    facet_j3d_draw_matrix *items =
        facet_arena_allocate(document->arena, rigid + (size_t)count * 2, sizeof *items);
    if (!items)
        return facet_fail_arena(document->arena, error);
    TRY(order_envelopes(document, rigid, error));
    memcpy(items, m->items, rigid * sizeof *items);
    for (uint32_t i = 0; i < count * 2; i++)
        items[rigid + i] = (facet_j3d_draw_matrix){1, (uint16_t)(i % count)};
    m->items = items;
    m->count = rigid + count * 2;
    m->effective_count = rigid + count;
    return FACET_OK;
}

/* -- Names -------------------------------------------------------------- */

static facet_status repair_names(facet_j3d *document, facet_j3d_names *names, facet_error *error)
{
    facet_j3d_name *items = facet_arena_allocate(document->arena, names->count, sizeof *items);
    if (!items)
        return facet_fail_arena(document->arena, error);
    for (uint32_t i = 0; i < names->count; i++) {
        items[i] = names->items[i];
        items[i].hash = facet_j3d_hash(items[i].bytes);
    }
    names->items = names->count > 0 ? items : names->items;
    return FACET_OK;
}

/* Extend a table of names to all `count` entries if its count is lower. The entries that follow are
 * names if they point behind the entries and have the right hashes. */
static facet_status extend_names(facet_j3d *document, const facet_j3d_section *section,
                                 uint32_t field, uint32_t count, facet_j3d_names *names,
                                 facet_error *error)
{
    static const facet_j3d_name_rules rules = {"J3D-NAMES-TABLE", "J3D-NAMES-STRING"};
    facet_j3d_names all = {0};
    uint32_t table = section->bytes ? facet_load_u32be(section->bytes + field) : 0;
    if (table == 0 || names->count >= count)
        return FACET_OK;
    size_t size = section->size - table;
    uint8_t *copy = facet_arena_allocate(document->arena, size, 1);
    if (!copy)
        return facet_fail_arena(document->arena, error);
    memcpy(copy, section->bytes + table, size);
    facet_store_u16be(copy, (uint16_t)count);
    facet_error unused;
    facet_status status = facet_j3d_load_names(document->arena, copy, size, section->offset + table,
                                               &rules, &all, &unused);
    if (status == FACET_ERROR_MEMORY)
        return facet_fail_arena(document->arena, error);
    for (uint32_t i = 0; !status && i < count; i++) {
        if ((const uint8_t *)all.items[i].bytes < copy + 4 + (size_t)count * 4 ||
            facet_j3d_hash(all.items[i].bytes) != all.items[i].hash)
            status = FACET_ERROR_MALFORMED;
    }
    if (!status)
        *names = all;
    return FACET_OK;
}

static facet_status repair_name_counts(facet_j3d *document, const facet_source *source,
                                       facet_error *error)
{
    facet_j3d_sections sections;
    TRY(facet_j3d_find_sections(source->data, source->size, FACET_J3D_SECTIONS_READ, NULL,
                                &sections, error));
    TRY(extend_names(document, &sections.by_kind[FACET_J3D_JNT1], 0x14, document->joints.count,
                     &document->joints.names, error));
    TRY(extend_names(document, &sections.by_kind[FACET_J3D_MAT3], 0x14,
                     document->materials.slot_count, &document->materials.names, error));
    return extend_names(document, &sections.by_kind[FACET_J3D_TEX1], 0x10, document->textures.count,
                        &document->textures.names, error);
}

static facet_status repair_hashes(facet_j3d *document, facet_error *error)
{
    TRY(repair_names(document, &document->joints.names, error));
    TRY(repair_names(document, &document->materials.names, error));
    TRY(repair_names(document, &document->textures.names, error));
    return repair_names(document, &document->packets.names, error);
}

/* -- Hierarchy ---------------------------------------------------------- */

static bool is_at_rest(const facet_j3d_joint *joint)
{
    bool is = true;
    for (int i = 0; i < 3; i++)
        is &= joint->scale[i] == 1 && joint->rotation[i] == 0 && joint->translation[i] == 0;
    return is;
}

/* Make joints next to the root its children, if this changes no transform. */
static void repair_roots(facet_j3d *document)
{
    uint16_t root = FACET_J3D_NONE;
    for (uint32_t i = 0; i < document->joints.count; i++) {
        facet_j3d_joint *joint = &document->joints.items[i];
        if (joint->parent != FACET_J3D_NONE)
            continue;
        if (root == FACET_J3D_NONE)
            root = (uint16_t)i;
        else if (is_at_rest(&document->joints.items[root]))
            joint->parent = root;
    }
}

/* Find the shapes in the nodes, and the materials that have a shape. False if a material has two
 * shapes, because games then draw only one of them. */
static bool look_at_nodes(const facet_j3d *document, bool *named, bool *used)
{
    for (uint32_t i = 0; i < document->hierarchy.node_count; i++) {
        const facet_j3d_node *node = &document->hierarchy.nodes[i];
        if (node->type == FACET_J3D_NODE_SHAPE)
            named[node->index] = true;
    }
    for (uint32_t i = 0; i < document->shapes.count; i++) {
        uint16_t material = document->shapes.items[i].material;
        if (material == FACET_J3D_NONE)
            continue;
        if (used[material])
            return false;
        used[material] = true;
    }
    return true;
}

/* Give a shape without a joint to the root. Give one without a material the next material without a
 * shape. False if a shape is hidden, or no such material is left. */
static bool repair_shapes(facet_j3d *document, const bool *named, const bool *used)
{
    uint32_t free_slot = 0;
    uint16_t root = 0;
    while (root < document->joints.count && document->joints.items[root].parent != FACET_J3D_NONE)
        root++;
    for (uint32_t i = 0; i < document->shapes.count; i++) {
        facet_j3d_shape *shape = &document->shapes.items[i];
        if (!named[i] || root == document->joints.count)
            return false;
        if (shape->joint == FACET_J3D_NONE)
            shape->joint = root;
        if (shape->material != FACET_J3D_NONE)
            continue;
        while (free_slot < document->materials.slot_count && used[free_slot])
            free_slot++;
        if (free_slot == document->materials.slot_count)
            return false;
        shape->material = (uint16_t)free_slot++;
    }
    return true;
}

/* Give a material whose shape is in the tree twice the missing shape with its own number, because
 * exporters number materials and shapes alike. Other missing shapes stay hidden. */
static facet_status repair_repeated_shapes(facet_j3d *document, facet_error *error)
{
    uint32_t *times =
        facet_arena_allocate_zeroed(document->arena, document->shapes.count, sizeof *times);
    uint16_t material = FACET_J3D_NONE;
    if (!times)
        return facet_fail_arena(document->arena, error);
    for (uint32_t i = 0; i < document->hierarchy.node_count; i++) {
        if (document->hierarchy.nodes[i].type == FACET_J3D_NODE_SHAPE)
            times[document->hierarchy.nodes[i].index]++;
    }
    for (uint32_t i = 0; i < document->hierarchy.node_count; i++) {
        facet_j3d_node *node = &document->hierarchy.nodes[i];
        if (node->type == FACET_J3D_NODE_MATERIAL)
            material = node->index;
        if (node->type != FACET_J3D_NODE_SHAPE || times[node->index] < 2 ||
            material >= document->shapes.count || times[material] > 0)
            continue;
        times[node->index]--;
        times[material]++;
        node->index = material;
    }
    facet_j3d_reader reader = {.document = document, .arena = document->arena, .error = error};
    return facet_j3d_bind(&reader);
}

/* Rebuild the tree from the reader's result. */
static facet_status repair_hierarchy(facet_j3d *document, const facet_options *options,
                                     facet_error *error)
{
    facet_j3d_builder b = {.document = document, .options = options, .error = error};
    const facet_j3d_hierarchy before = document->hierarchy;
    bool *named = facet_arena_allocate_zeroed(document->arena, document->shapes.count, 1);
    bool *used = facet_arena_allocate_zeroed(document->arena, document->materials.slot_count, 1);
    if (!named || !used)
        return facet_fail_arena(document->arena, error);
    if (!look_at_nodes(document, named, used) || !repair_shapes(document, named, used))
        return FACET_OK;
    repair_roots(document);
    TRY(facet_arena_create(options, &b.scratch, error));
    document->hierarchy.node_count = 0;
    facet_status status = facet_j3d_build_hierarchy(&b);
    facet_arena_free(b.scratch);
    document->hierarchy.unknown = before.unknown;
    document->hierarchy.packet_count = before.packet_count;
    document->hierarchy.vertex_count = before.vertex_count;
    return status;
}

static facet_status repair_counts(facet_j3d *document, facet_error *error)
{
    uint32_t used[FACET_J3D_ARRAY_COUNT];
    TRY(facet_j3d_count_drawn(document, used, &document->hierarchy.packet_count, error));
    document->hierarchy.vertex_count = used[FACET_J3D_ARRAY_POSITION];
    return FACET_OK;
}

/* -- Textures ----------------------------------------------------------- */

static void repair_palettes(facet_j3d *document)
{
    for (uint32_t i = 0; i < document->textures.count; i++) {
        facet_j3d_texture *texture = &document->textures.items[i];
        if (facet_gx_palette_limit((facet_gx_format)texture->header.format) > 0 &&
            texture->palette != FACET_J3D_NO_TEXELS)
            texture->header.has_palette = 1;
    }
}

/* -- All repairs -------------------------------------------------------- */

facet_status facet_j3d_repair(facet_j3d *document, const facet_source *source,
                              const facet_report *found, const facet_options *options,
                              facet_error *error)
{
    /* J3D-INF1-NO-SHAPE follows from these, or a new tree cannot fix it. */
    static const char *const built[] = {"J3D-INF1-OUTSIDE", "J3D-INF1-ROOTS", "J3D-INF1-LOOP",
                                        "J3D-INF1-SHAPE-MATERIAL"};
    bool is_broken = false;
    for (size_t i = 0; i < sizeof built / sizeof *built; i++)
        is_broken |= facet_report_has(found, built[i]);
    if (has_any(found, "J3D-DRW1-COPIES") || has_any(found, "J3D-DRW1-ENVELOPES"))
        TRY(repair_envelopes(document, error));
    if (facet_report_has(found, "J3D-NAMES-COUNT"))
        TRY(repair_name_counts(document, source, error));
    if (facet_report_has(found, "J3D-NAMES-HASH"))
        TRY(repair_hashes(document, error));
    if (facet_report_has(found, "J3D-INF1-UNUSED") && facet_report_has(found, "J3D-INF1-REPEATED"))
        TRY(repair_repeated_shapes(document, error));
    if (is_broken && document->has_hierarchy)
        TRY(repair_hierarchy(document, options, error));
    if (facet_report_has(found, "J3D-INF1-PACKETS") || facet_report_has(found, "J3D-INF1-VERTICES"))
        TRY(repair_counts(document, error));
    if (facet_report_has(found, "J3D-TEX1-PALETTE-FLAG"))
        repair_palettes(document);
    if (facet_report_has(found, "J3D-SECTION-ORDER"))
        document->textures_before_packets = false;
    bool bakes = document->kind == FACET_J3D_BDL4 && has_any(found, "J3D-MDL3-");
    return bakes ? facet_j3d_bake_materials(document, options, error) : FACET_OK;
}

/* True if a finding of `before` is resolved. */
static bool is_resolved(const facet_finding *finding, const facet_report *after)
{
    return finding->severity != FACET_SEVERITY_NOTE && !facet_report_has(after, finding->rule);
}

bool facet_j3d_is_repaired(const facet_report *before, const facet_report *after)
{
    bool is = false;
    for (size_t i = 0; i < facet_report_count(before); i++) {
        const facet_finding *finding = facet_report_get(before, i);
        is |= is_resolved(finding, after) && strcmp(finding->rule, "J3D-PADDING") != 0;
    }
    return is;
}

/* Report the findings of one severity that stay, as `as`. Games do not read padding. */
static void report_unrepaired(const facet_report *after, facet_severity severity, facet_severity as,
                              facet_report *report)
{
    for (size_t i = 0; i < facet_report_count(after); i++) {
        const facet_finding *finding = facet_report_get(after, i);
        if (finding->severity == severity && strcmp(finding->rule, "J3D-PADDING") != 0)
            facet_report_add(report, "J3D-UNREPAIRED", as, finding->offset, "not repaired [%s]: %s",
                             finding->rule, finding->message);
    }
}

void facet_j3d_report_repair(const facet_report *before, const facet_report *after,
                             facet_report *report)
{
    size_t repaired = 0;
    for (size_t i = 0; i < facet_report_count(before); i++) {
        const facet_finding *finding = facet_report_get(before, i);
        if (!is_resolved(finding, after))
            continue;
        facet_report_add(report, "J3D-REPAIRED", FACET_SEVERITY_NOTE, finding->offset,
                         "repaired [%s]: %s", finding->rule, finding->message);
        repaired++;
    }
    report_unrepaired(after, FACET_SEVERITY_ERROR, FACET_SEVERITY_WARNING, report);
    report_unrepaired(after, FACET_SEVERITY_WARNING, FACET_SEVERITY_NOTE, report);
    if (repaired == 0)
        facet_report_add(report, "J3D-REPAIRED", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "nothing was repaired");
}
