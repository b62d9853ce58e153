/* formats/j3d/check/materials.c - MAT3 and MAT2: indices, counts, and the values of numbers. Only
 * data that a material uses is checked, because exporters leave garbage in the rest. */
#include "formats/j3d/check/check.h"
#include "formats/j3d/file/mat3_tables.h"
#include "gx/enumerations.h"

#include <inttypes.h>
#include <string.h>

/* -- The section -------------------------------------------------------- */

/* One value array in the file. */
typedef struct values {
    const uint8_t *bytes; /* NULL: missing */
    size_t size;          /* bytes up to the next table */
    uint32_t capacity;    /* elements up to the next table */
    uint32_t used;        /* highest used index below capacity, + 1 */
    uint32_t beyond;      /* highest index for which the section has bytes, + 1 */
    uint8_t *seen;        /* per element below capacity: already checked */
} values;

typedef struct materials {
    const uint8_t *entries, *remap; /* without remap, slots are entries */
    uint32_t entry_count, entry_size, head;
    values values[FACET_J3D_VALUE_COUNT];
    facet_tally indices, counts, modes, texcoords, maps, textures, floats;
    facet_tally reserved, meaningless;       /* of numbers */
    const facet_gx_enumeration *enumeration; /* enumeration of the first such number */
    uint32_t number;
} materials;

static uint32_t field_of(const facet_j3d_checker *c, const facet_j3d_entry_field *field)
{
    return c->is_mat2 ? field->at2 : field->at3;
}

static void find_values(facet_j3d_checker *c, materials *m)
{
    const facet_j3d_section *section = &c->sections[FACET_J3D_MAT3];
    for (int i = 0; i < FACET_J3D_VALUE_COUNT; i++) {
        const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[i];
        values *v = &m->values[i];
        uint32_t field = c->is_mat2 ? kind->header2 : kind->header3;
        uint32_t offset = field ? facet_load_u32be(section->bytes + field) : 0;
        if (offset > section->size)
            facet_j3d_say(c, FACET_SEVERITY_ERROR, FACET_J3D_MAT3, field, "J3D-MAT3-TABLE",
                          "the %s at 0x%" PRIX32 " are outside the section of %zu bytes",
                          kind->name, offset, section->size);
        v->size = field ? facet_j3d_table_size(section, m->head, field) : 0;
        size_t fits = v->size / kind->size;
        v->capacity = fits > UINT16_MAX ? UINT16_MAX : (uint32_t)fits;
        if (offset == 0 || offset > section->size)
            continue;
        v->bytes = section->bytes + offset;
        v->seen = facet_arena_allocate_zeroed(c->arena, v->capacity, 1);
        if (!v->seen) {
            c->has_no_memory = true;
            v->bytes = NULL;
            v->capacity = 0;
        }
    }
}

/* Note used elements as data, and also a rest that is longer than an alignment. */
static void note_values(facet_j3d_checker *c, const materials *m)
{
    const facet_j3d_section *section = &c->sections[FACET_J3D_MAT3];
    for (int i = 0; i < FACET_J3D_VALUE_COUNT; i++) {
        const values *v = &m->values[i];
        size_t element = facet_j3d_value_kinds[i].size, count = v->used;
        if (!v->bytes)
            continue;
        size_t most = v->bytes + v->size == section->bytes + section->size ? 32 : 4;
        for (; count <= v->size / element; count++) {
            size_t rest = v->size - count * element;
            if (rest == 0 ||
                (rest < most && memcmp(v->bytes + count * element, FACET_J3D_PADDING, rest) == 0))
                break;
        }
        if (count > v->size / element) /* the padding is not a known text */
            count = v->size - v->used * element < most ? v->used : v->size / element;
        facet_j3d_note_used(c, FACET_J3D_MAT3, facet_j3d_offset_of(c, FACET_J3D_MAT3, v->bytes),
                            count * element);
    }
}

/* -- Numbers ------------------------------------------------------------ */

/* A byte of a value with an enumeration. */
typedef struct number {
    uint8_t value, at; /* facet_j3d_value, and the byte in its element */
    const facet_gx_enumeration *enumeration;
} number;

static const number numbers[] = {
    {FACET_J3D_CULL_MODES, 3, &facet_gx_cull_modes},
    {FACET_J3D_CHANNELS, 1, &facet_gx_color_sources},
    {FACET_J3D_CHANNELS, 3, &facet_gx_diffuse_functions},
    {FACET_J3D_CHANNELS, 4, &facet_gx_attenuation_functions},
    {FACET_J3D_TEXGENS, 0, &facet_gx_texgen_types},
    {FACET_J3D_TEXGENS, 1, &facet_gx_texgen_sources},
    {FACET_J3D_TEXGENS, 2, &facet_gx_texgen_matrices},
    {FACET_J3D_TEXTURE_MATRICES, 0, &facet_gx_projections},
    {FACET_J3D_TEV_ORDERS, 0, &facet_gx_texcoords},
    {FACET_J3D_TEV_ORDERS, 1, &facet_gx_texmaps},
    {FACET_J3D_TEV_ORDERS, 2, &facet_gx_tev_channels},
    {FACET_J3D_TEV_STAGES, 0x01, &facet_gx_color_inputs},
    {FACET_J3D_TEV_STAGES, 0x02, &facet_gx_color_inputs},
    {FACET_J3D_TEV_STAGES, 0x03, &facet_gx_color_inputs},
    {FACET_J3D_TEV_STAGES, 0x04, &facet_gx_color_inputs},
    {FACET_J3D_TEV_STAGES, 0x05, &facet_gx_tev_operations},
    {FACET_J3D_TEV_STAGES, 0x06, &facet_gx_tev_biases},
    {FACET_J3D_TEV_STAGES, 0x07, &facet_gx_tev_scales},
    {FACET_J3D_TEV_STAGES, 0x09, &facet_gx_tev_registers},
    {FACET_J3D_TEV_STAGES, 0x0A, &facet_gx_alpha_inputs},
    {FACET_J3D_TEV_STAGES, 0x0B, &facet_gx_alpha_inputs},
    {FACET_J3D_TEV_STAGES, 0x0C, &facet_gx_alpha_inputs},
    {FACET_J3D_TEV_STAGES, 0x0D, &facet_gx_alpha_inputs},
    {FACET_J3D_TEV_STAGES, 0x0E, &facet_gx_tev_operations},
    {FACET_J3D_TEV_STAGES, 0x0F, &facet_gx_tev_biases},
    {FACET_J3D_TEV_STAGES, 0x10, &facet_gx_tev_scales},
    {FACET_J3D_TEV_STAGES, 0x12, &facet_gx_tev_registers},
    {FACET_J3D_SWAP_MODES, 0, &facet_gx_swap_components}, /* tables 0 to 3 */
    {FACET_J3D_SWAP_MODES, 1, &facet_gx_swap_components},
    {FACET_J3D_SWAP_TABLES, 0, &facet_gx_swap_components},
    {FACET_J3D_SWAP_TABLES, 1, &facet_gx_swap_components},
    {FACET_J3D_SWAP_TABLES, 2, &facet_gx_swap_components},
    {FACET_J3D_SWAP_TABLES, 3, &facet_gx_swap_components},
    {FACET_J3D_FOGS, 0, &facet_gx_fog_types},
    {FACET_J3D_ALPHA_COMPARES, 0, &facet_gx_comparisons},
    {FACET_J3D_ALPHA_COMPARES, 2, &facet_gx_alpha_operations},
    {FACET_J3D_ALPHA_COMPARES, 3, &facet_gx_comparisons},
    {FACET_J3D_BLENDS, 0, &facet_gx_blend_types},
    {FACET_J3D_BLENDS, 1, &facet_gx_source_factors},
    {FACET_J3D_BLENDS, 2, &facet_gx_destination_factors},
    {FACET_J3D_BLENDS, 3, &facet_gx_logic_operations},
    {FACET_J3D_DEPTHS, 1, &facet_gx_comparisons},
};

/* Check a number. If it fits into the bits of the hardware's register but has no name, it is
 * reserved. A larger one is invalid. */
static void look_at_number(facet_j3d_checker *c, materials *m,
                           const facet_gx_enumeration *enumeration, const uint8_t *at)
{
    if (facet_gx_enumeration_name(enumeration, *at))
        return;
    if (m->reserved.count == 0 && m->meaningless.count == 0) {
        m->enumeration = enumeration;
        m->number = *at;
    }
    bool fits = facet_gx_enumeration_holds(enumeration, *at);
    facet_tally_hit(fits ? &m->reserved : &m->meaningless,
                    facet_j3d_offset_of(c, FACET_J3D_MAT3, at));
}

static void look_at_value(facet_j3d_checker *c, materials *m, facet_j3d_value value,
                          const uint8_t *bytes)
{
    static const struct {
        uint8_t value, at, count;
    } floats[] = {
        {FACET_J3D_TEXTURE_MATRICES, 0x04, 5},
        {FACET_J3D_TEXTURE_MATRICES, 0x1C, 18},
        {FACET_J3D_POST_MATRICES, 0x04, 5},
        {FACET_J3D_POST_MATRICES, 0x1C, 18},
        {FACET_J3D_FOGS, 0x04, 4},
        {FACET_J3D_LIGHTS, 0x00, 6},
        {FACET_J3D_LIGHTS, 0x1C, 6},
        {FACET_J3D_NBT_SCALES, 0x04, 3},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].value == value)
            look_at_number(c, m, numbers[i].enumeration, bytes + numbers[i].at);
    }
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        if (floats[i].value == value)
            facet_j3d_look_at_floats(c, FACET_J3D_MAT3, bytes + floats[i].at, floats[i].count,
                                     &m->floats);
    }
    if (value == FACET_J3D_TEXTURE_MATRICES) {
        uint8_t mode = bytes[1] & 0x3F;
        if (!facet_gx_enumeration_name(&facet_gx_matrix_modes, mode))
            facet_tally_hit(&m->reserved, facet_j3d_offset_of(c, FACET_J3D_MAT3, bytes + 1));
    }
    if (value == FACET_J3D_TEXTURE_NUMBERS && c->sections[FACET_J3D_TEX1].bytes) {
        uint16_t texture = facet_load_u16be(bytes);
        if (texture != FACET_J3D_NONE && texture >= c->texture_count)
            facet_tally_hit(&m->textures, facet_j3d_offset_of(c, FACET_J3D_MAT3, bytes));
    }
}

/* -- Entries ------------------------------------------------------------ */

/* Index `i` of a field, or FACET_J3D_NONE if it is absent. */
static uint32_t index_at(const facet_j3d_checker *c, const materials *m, const uint8_t *entry,
                         const facet_j3d_entry_field *field, uint32_t i)
{
    uint32_t from = field_of(c, field);
    if (from == FACET_J3D_NOT_IN_MAT2 || !m->values[field->value].bytes)
        return FACET_J3D_NONE;
    const uint8_t *at = entry + from + (size_t)i * field->width;
    uint32_t index = field->width == 1 ? *at : facet_load_u16be(at);
    return index == (field->width == 1 ? 0xFFu : 0xFFFFu) ? FACET_J3D_NONE : index;
}

/* True if an index is inside its array. The runtime does not check ends, and would read the bytes
 * after the array. */
static bool is_inside(const facet_j3d_checker *c, const materials *m, facet_j3d_value value,
                      uint32_t index)
{
    return facet_range_fits(facet_j3d_offset_of(c, FACET_J3D_MAT3, m->values[value].bytes),
                            index + 1u, facet_j3d_value_kinds[value].size,
                            c->sections[FACET_J3D_MAT3].size);
}

/* The bytes of a value of an entry, or NULL. */
static const uint8_t *value_at(const facet_j3d_checker *c, const materials *m, const uint8_t *entry,
                               facet_j3d_value value, uint32_t i)
{
    uint32_t index = index_at(c, m, entry, facet_j3d_entry_field_of(value), i);
    return index != FACET_J3D_NONE && is_inside(c, m, value, index)
               ? m->values[value].bytes + (size_t)index * facet_j3d_value_kinds[value].size
               : NULL;
}

static uint32_t count_at(const facet_j3d_checker *c, const materials *m, const uint8_t *entry,
                         facet_j3d_value value, uint32_t otherwise)
{
    const uint8_t *at = value_at(c, m, entry, value, 0);
    return at ? *at : otherwise;
}

static void look_at_field(facet_j3d_checker *c, materials *m, const uint8_t *entry,
                          const facet_j3d_entry_field *field, uint32_t active)
{
    values *v = &m->values[field->value];
    const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[field->value];
    for (uint32_t i = 0; i < active; i++) {
        uint32_t index = index_at(c, m, entry, field, i);
        if (index == FACET_J3D_NONE)
            continue;
        uint64_t at = facet_j3d_offset_of(c, FACET_J3D_MAT3, entry) + field_of(c, field) +
                      (uint64_t)i * field->width;
        if (index >= v->capacity) {
            if (!is_inside(c, m, (facet_j3d_value)field->value, index))
                facet_tally_hit(&m->indices, at);
            else if (index >= v->beyond)
                v->beyond = index + 1;
            continue;
        }
        if (index >= v->used)
            v->used = index + 1;
        if (!v->seen[index])
            look_at_value(c, m, (facet_j3d_value)field->value,
                          v->bytes + (size_t)index * kind->size);
        v->seen[index] = 1;
    }
}

/* Check that textures and coordinates of the stages exist. */
static void look_at_stages(facet_j3d_checker *c, materials *m, const uint8_t *entry,
                           uint32_t texgens, uint32_t stages)
{
    uint64_t place = facet_j3d_offset_of(c, FACET_J3D_MAT3, entry);
    const facet_j3d_entry_field *orders = facet_j3d_entry_field_of(FACET_J3D_TEV_ORDERS);
    const uint8_t *colors = entry + (c->is_mat2 ? 0x88 : 0x9C);
    const uint8_t *alphas = entry + (c->is_mat2 ? 0x98 : 0xAC);
    for (uint32_t i = 0; i < stages && i < 16; i++) {
        const uint8_t *order = value_at(c, m, entry, FACET_J3D_TEV_ORDERS, i);
        uint64_t at = place + field_of(c, orders) + 2 * (uint64_t)i;
        if (order && order[0] != 0xFF && order[0] >= texgens)
            facet_tally_hit(&m->texcoords, at);
        if (order && order[1] < 8 && !value_at(c, m, entry, FACET_J3D_TEXTURE_NUMBERS, order[1]))
            facet_tally_hit(&m->maps, at);
        if (colors[i] != 0xFF)
            look_at_number(c, m, &facet_gx_konst_colors, colors + i);
        if (alphas[i] != 0xFF)
            look_at_number(c, m, &facet_gx_konst_alphas, alphas + i);
    }
}

static void look_at_entry(facet_j3d_checker *c, materials *m, const uint8_t *entry)
{
    uint64_t place = facet_j3d_offset_of(c, FACET_J3D_MAT3, entry);
    facet_j3d_entry_counts counts = {count_at(c, m, entry, FACET_J3D_TEXGEN_COUNTS, 0),
                                     count_at(c, m, entry, FACET_J3D_STAGE_COUNTS, 1),
                                     count_at(c, m, entry, FACET_J3D_CHANNEL_COUNTS, 0)};
    if (!facet_gx_enumeration_name(&facet_gx_material_modes, entry[0]))
        facet_tally_hit(&m->modes, place);
    if (counts.texgens > 8 || counts.stages > 16 || counts.stages == 0 || counts.channels > 2)
        facet_tally_hit(&m->counts, place + 2);
    for (int f = 0; f < FACET_J3D_ENTRY_FIELDS; f++) {
        const facet_j3d_entry_field *field = &facet_j3d_entry_fields[f];
        if (field->value != FACET_J3D_NO_VALUE)
            look_at_field(c, m, entry, field, facet_j3d_used_indices(field, counts));
    }
    look_at_stages(c, m, entry, counts.texgens, counts.stages);
}

/* -- Indirect textures -------------------------------------------------- */

/* Check an indirect record. It has 16 stages; those after the material's last stage are unused. */
static void look_at_indirect(facet_j3d_checker *c, materials *m, const uint8_t *record,
                             uint32_t stages)
{
    static const struct {
        uint8_t at;
        const facet_gx_enumeration *enumeration;
    } fields[] = {
        {1, &facet_gx_indirect_formats},  {2, &facet_gx_indirect_biases},
        {3, &facet_gx_indirect_matrices}, {4, &facet_gx_indirect_wraps},
        {5, &facet_gx_indirect_wraps},    {8, &facet_gx_indirect_alphas},
    };
    if (record[0] == 0)
        return;
    if (record[1] > 4)
        facet_tally_hit(&m->counts, facet_j3d_offset_of(c, FACET_J3D_MAT3, record + 1));
    for (size_t i = 0; i < record[1] && i < 4; i++) {
        look_at_number(c, m, &facet_gx_texcoords, record + 4 + 4 * i);
        look_at_number(c, m, &facet_gx_texmaps, record + 5 + 4 * i);
        look_at_number(c, m, &facet_gx_indirect_scales, record + 0x68 + 4 * i);
        look_at_number(c, m, &facet_gx_indirect_scales, record + 0x69 + 4 * i);
    }
    for (size_t i = 0; i < 3; i++)
        facet_j3d_look_at_floats(c, FACET_J3D_MAT3, record + 0x14 + 0x1C * i, 6, &m->floats);
    for (size_t stage = 0; stage < stages && stage < 16; stage++) {
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            look_at_number(c, m, fields[i].enumeration, record + 0x78 + 12 * stage + fields[i].at);
    }
}

static uint32_t stages_of_slot(const facet_j3d_checker *c, const materials *m, size_t slot)
{
    size_t entry = m->remap ? facet_load_u16be(m->remap + 2 * slot) : slot;
    return count_at(c, m, m->entries + entry * m->entry_size, FACET_J3D_STAGE_COUNTS, 1);
}

/* Check the indirect records, one per slot. Without space between them and the names, they are
 * missing. */
static void look_at_indirects(facet_j3d_checker *c, materials *m)
{
    const facet_j3d_section *section = &c->sections[FACET_J3D_MAT3];
    uint32_t names = facet_load_u32be(section->bytes + 0x14);
    uint32_t offset = facet_load_u32be(section->bytes + 0x18);
    if (c->is_mat2 || offset == 0 || offset == names || (offset > names && offset - names <= 4))
        return;
    size_t count = facet_j3d_table_size(section, m->head, 0x18) / FACET_J3D_INDIRECT_SIZE;
    if (offset > section->size) {
        facet_j3d_say(c, FACET_SEVERITY_ERROR, FACET_J3D_MAT3, 0x18, "J3D-MAT3-TABLE",
                      "the indirect textures at 0x%" PRIX32 " are outside the section of %zu bytes",
                      offset, section->size);
        return;
    }
    if (count < c->slot_count)
        facet_j3d_say(c, FACET_SEVERITY_WARNING, FACET_J3D_MAT3, 0x18, "J3D-MAT3-INDIRECT",
                      "there are %zu records of indirect textures for %" PRIu32 " materials", count,
                      c->slot_count);
    facet_j3d_note_used(c, FACET_J3D_MAT3, offset, count * FACET_J3D_INDIRECT_SIZE);
    for (size_t i = 0; i < count && i < c->slot_count; i++)
        look_at_indirect(c, m, section->bytes + offset + i * FACET_J3D_INDIRECT_SIZE,
                         stages_of_slot(c, m, i));
}

/* -- The section -------------------------------------------------------- */

static void say_materials(facet_j3d_checker *c, const materials *m)
{
    const facet_j3d_section_kind kind = FACET_J3D_MAT3;
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &m->indices, "J3D-MAT3-INDEX",
                        "an index of a material points beyond its array, out of the section");
    for (int i = 0; i < FACET_J3D_VALUE_COUNT; i++) {
        const facet_j3d_value_kind *value = &facet_j3d_value_kinds[i];
        if (m->values[i].beyond > 0)
            facet_j3d_say(c, FACET_SEVERITY_WARNING, kind,
                          c->is_mat2 ? value->header2 : value->header3, "J3D-MAT3-OVERLAP",
                          "materials use %" PRIu32 " %s, but the next array begins after %" PRIu32,
                          m->values[i].beyond, value->name, m->values[i].capacity);
    }
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &m->counts, "J3D-MAT3-COUNT",
                        "a material has more than 8 texgens, 2 channels or 4 indirect stages, or "
                        "not 1 to 16 TEV stages");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &m->modes, "J3D-MAT3-MODE",
                        "the mode of a material is not 1 (opaque), 2 (edge) or 4 (translucent)");
    const char *title = m->enumeration ? m->enumeration->title : "mode of a texture matrix";
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &m->meaningless, "J3D-MAT3-NUMBER",
                        "%" PRIu32 " is not a valid %s", m->number, title);
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &m->reserved, "J3D-MAT3-NUMBER",
                        "a %s has a reserved number", title);
    facet_j3d_say_tally(
        c, FACET_SEVERITY_WARNING, kind, &m->texcoords, "J3D-MAT3-TEXCOORD",
        "a TEV stage uses a texture coordinate that the material does not generate");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &m->maps, "J3D-MAT3-MAP",
                        "a TEV stage reads a texture map without a texture");
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &m->textures, "J3D-MAT3-TEXTURE",
                        "a texture number points beyond the %" PRIu32 " textures",
                        c->texture_count);
    facet_j3d_say_floats(c, kind, &m->floats, "materials");
}

static bool find_entries(facet_j3d_checker *c, materials *m)
{
    const facet_j3d_section_kind kind = FACET_J3D_MAT3;
    const uint8_t *bytes = c->sections[kind].bytes;
    uint32_t slots = facet_load_u16be(bytes + 0x08), count = 0;
    size_t all = facet_j3d_table_size(&c->sections[kind], m->head, 0x0C) / m->entry_size;
    bool is_stored = facet_load_u32be(bytes + 0x10) != 0; /* without a table: identity */
    const uint8_t *remap = NULL;
    if (is_stored)
        remap = facet_j3d_check_records(c, kind, 0x10, slots, 2, "J3D-MAT3-REMAP",
                                        "entries of the remap table");
    c->slot_count = remap || !is_stored ? slots : 0;
    for (uint32_t i = 0; i < c->slot_count; i++) {
        uint32_t entry = remap ? facet_load_u16be(remap + 2 * (size_t)i) : i;
        if (entry >= all) {
            facet_j3d_say(c, FACET_SEVERITY_ERROR, kind,
                          remap ? facet_j3d_offset_of(c, kind, remap) + 2 * (uint64_t)i : 0x10,
                          "J3D-MAT3-REMAP", "material %" PRIu32 " is entry %" PRIu32 " of %zu", i,
                          entry, all);
            return false;
        }
        count = entry >= count ? entry + 1 : count;
    }
    uint32_t offset = facet_load_u32be(bytes + 0x0C);
    /* Note all entries, also those that no slot uses. */
    facet_j3d_note_used(c, kind, offset, all * m->entry_size);
    m->entries = count > 0 ? bytes + offset : NULL;
    m->remap = remap;
    m->entry_count = count;
    return true;
}

void facet_j3d_check_mat3(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_MAT3;
    materials *m = facet_arena_allocate_zeroed(c->arena, 1, sizeof *m);
    if (!m) {
        c->has_no_memory = true;
        return;
    }
    m->head = c->is_mat2 ? 0x78 : 0x84;
    m->entry_size = c->is_mat2 ? FACET_J3D_ENTRY2_SIZE : FACET_J3D_ENTRY3_SIZE;
    if (!facet_j3d_has_head(c, kind, m->head, "J3D-MAT3-SIZE") || !find_entries(c, m))
        return;
    facet_j3d_look_at_names(c, kind, 0x14, c->slot_count);
    find_values(c, m);
    for (uint32_t i = 0; i < m->entry_count; i++)
        look_at_entry(c, m, m->entries + (size_t)i * m->entry_size);
    look_at_indirects(c, m);
    note_values(c, m);
    say_materials(c, m);
}
