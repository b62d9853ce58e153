/* Tests of handwritten J3D documents. The writer rejects a document that would make it read NULL
 * or beyond an array. It also rejects one that a file would represent differently. */
#include "support/j3d_document.h"
#include "support/j3d_make.h"

#include "formats/j3d/file/mat3_tables.h"

/* A complete document that can be written. */
typedef struct subject {
    test_j3d *model;
    test_bytes file;
    facet_j3d *document;
} subject;

static facet_status write_document(const facet_j3d *document, facet_error *error)
{
    facet_output *output;
    TEST_OK(facet_output_open_memory(NULL, &output, error), error);
    facet_status status = facet_j3d_write(document, NULL, output, error);
    assert_int_equal(facet_output_size(output) > 0, status == FACET_OK);
    facet_output_free(output);
    return status;
}

static subject set_up(void)
{
    subject s;
    facet_error error;
    s.model = test_j3d_small();
    s.file = test_j3d_write(s.model, FACET_J3D_BDL4);
    s.document = read_file(s.file.data, s.file.size);
    TEST_OK(write_document(s.document, &error), &error);
    return s;
}

/* Check that every change is undone. */
static void tear_down(subject *s)
{
    facet_error error;
    TEST_OK(write_document(s->document, &error), &error);
    facet_j3d_free(s->document);
    test_bytes_free(&s->file);
    test_j3d_free(s->model);
}

/* The message names the invalid object. */
static void expect_refused(const facet_j3d *document, const char *rule, const char *word)
{
    facet_error error = {0};
    facet_status status = write_document(document, &error);
    if (status != FACET_ERROR_ARGUMENT || strcmp(error.rule, rule) != 0 ||
        !strstr(error.message, word))
        fail_msg("%s with '%s' is expected, got status %d, %s (%s)", rule, word, (int)status,
                 error.rule, error.message);
}

/* -- Arrays ------------------------------------------------------------- */

typedef struct array {
    const char *name;
    size_t items, count; /* offsets in facet_j3d */
} array;

#define ARRAY(items, count)                                            \
    {                                                                  \
#items, offsetof(facet_j3d, items), offsetof(facet_j3d, count) \
    }

static const array arrays[] = {
    ARRAY(hierarchy.nodes, hierarchy.node_count),
    ARRAY(vertices.formats, vertices.format_count),
    ARRAY(envelopes.items, envelopes.count),
    ARRAY(envelopes.influences, envelopes.influence_count),
    ARRAY(envelopes.inverse_bind, envelopes.inverse_bind_count),
    ARRAY(draw_matrices.items, draw_matrices.count),
    ARRAY(joints.items, joints.count),
    ARRAY(joints.remap, joints.count),
    ARRAY(joints.names.items, joints.names.count),
    ARRAY(shapes.items, shapes.count),
    ARRAY(shapes.remap, shapes.count),
    ARRAY(shapes.descriptors, shapes.descriptor_count),
    ARRAY(shapes.matrix_table, shapes.matrix_table_count),
    ARRAY(shapes.groups, shapes.group_count),
    ARRAY(shapes.display_lists, shapes.display_list_count),
    ARRAY(materials.entries, materials.entry_count),
    ARRAY(materials.remap, materials.slot_count),
    ARRAY(materials.names.items, materials.names.count),
    ARRAY(materials.indirects, materials.indirect_count),
    ARRAY(packets.items, packets.count),
    ARRAY(packets.remap, packets.count),
    ARRAY(packets.names.items, packets.names.count),
    ARRAY(textures.items, textures.count),
    ARRAY(textures.texels, textures.texels_count),
    ARRAY(textures.names.items, textures.names.count),
    ARRAY(unknown_sections, unknown_section_count),
    ARRAY(layout.hidden_ambient_colors, layout.hidden_ambient_color_count),
};

/* A document with a count but without the items. */
static facet_j3d without(const facet_j3d *document, size_t items, size_t count)
{
    facet_j3d changed = *document;
    void *none = NULL;
    uint32_t number;
    memcpy((char *)&changed + items, &none, sizeof none);
    memcpy(&number, (char *)&changed + count, sizeof number);
    number = number ? number : 1;
    memcpy((char *)&changed + count, &number, sizeof number);
    return changed;
}

TEST(arrays_that_are_missing)
{
    subject s = set_up();
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        facet_j3d changed = without(s.document, arrays[i].items, arrays[i].count);
        expect_refused(&changed, "J3D-DOCUMENT", arrays[i].name);
    }
    for (int i = 0; i < FACET_J3D_VALUE_COUNT; i++) {
        const facet_j3d_value_kind *kind = &facet_j3d_value_kinds[i];
        size_t materials = offsetof(facet_j3d, materials);
        facet_j3d changed = without(s.document, materials + kind->items, materials + kind->count);
        expect_refused(&changed, "J3D-DOCUMENT", kind->name);
    }
    tear_down(&s);
}

/* Expect that the writer rejects an element whose pointer is NULL. */
static void expect_no_null(const facet_j3d *document, const void *pointer, const char *word)
{
    void *kept, *none = NULL, *at = (void *)(uintptr_t)pointer;
    memcpy(&kept, at, sizeof kept);
    memcpy(at, &none, sizeof none);
    expect_refused(document, "J3D-DOCUMENT", word);
    memcpy(at, &kept, sizeof kept);
}

TEST(bytes_that_are_missing)
{
    subject s = set_up();
    facet_j3d *d = s.document;
    uint32_t size = d->packets.items[0].size;
    facet_j3d_unknown_section section = {"XYZ1", NULL, 8};
    for (int i = 0; i < FACET_J3D_ARRAY_COUNT; i++) {
        if (d->vertices.arrays[i].bytes)
            expect_no_null(d, &d->vertices.arrays[i].bytes, "vertices.arrays");
    }
    expect_no_null(d, &d->joints.names.items[1].bytes, "joints.names.items[1]");
    expect_no_null(d, &d->materials.names.items[0].bytes, "materials.names.items[0]");
    expect_no_null(d, &d->textures.names.items[0].bytes, "textures.names.items[0]");
    expect_no_null(d, &d->packets.names.items[0].bytes, "packets.names.items[0]");
    expect_no_null(d, &d->shapes.display_lists[0].bytes, "shapes.display_lists[0]");
    expect_no_null(d, &d->textures.texels[0].bytes, "textures.texels[0]");
    d->packets.items[0].size = 32;
    expect_no_null(d, &d->packets.items[0].bytes, "packets.items[0]");
    d->packets.items[0].size = size;
    facet_j3d changed = *d;
    changed.unknown_sections = &section;
    changed.unknown_section_count = 1;
    expect_refused(&changed, "J3D-DOCUMENT", "unknown_sections[0]");
    tear_down(&s);
}

/* An empty document of a kind that needs only textures, and one of an unset kind. */
TEST(nothing_at_all)
{
    facet_error error;
    facet_j3d document;
    memset(&document, 0, sizeof document);
    expect_refused(&document, "J3D-KIND", "kind");
    document.kind = FACET_J3D_BMD3;
    expect_refused(&document, "J3D-SECTION-MISSING", "INF1");
    document.kind = FACET_J3D_BMT3;
    expect_refused(&document, "J3D-SECTION-MISSING", "TEX1");
    document.has_textures = true;
    TEST_OK(write_document(&document, &error), &error);
}

/* -- Numbers ------------------------------------------------------------ */

/* Expect that a number of 1, 2 or 4 bytes that is too large is rejected. */
static void expect_bound(const facet_j3d *document, void *number, size_t width, uint32_t value,
                         const char *rule)
{
    uint8_t kept[4], narrow = (uint8_t)value;
    uint16_t half = (uint16_t)value;
    memcpy(kept, number, width);
    memcpy(number, width == 1 ? (void *)&narrow : width == 2 ? (void *)&half : &value, width);
    expect_refused(document, rule, "");
    memcpy(number, kept, width);
}

#define EXPECT_BOUND(document, number, value, rule) \
    expect_bound(document, &(number), sizeof(number), value, rule)

TEST(numbers_beyond_arrays)
{
    subject s = set_up();
    facet_j3d *d = s.document;
    facet_j3d_shapes *shapes = &d->shapes;
    facet_j3d_shape *shape = &shapes->items[1];
    EXPECT_BOUND(d, d->hierarchy.nodes[0].type, FACET_J3D_NODE_END, "J3D-INF1-NODE-TYPE");
    EXPECT_BOUND(d, d->hierarchy.nodes[0].type, 3, "J3D-INF1-NODE-TYPE");
    EXPECT_BOUND(d, d->hierarchy.nodes[0].index, 99, "J3D-INF1-INDEX");
    EXPECT_BOUND(d, d->vertices.formats[0].attribute, FACET_J3D_ATTRIBUTE_END, "J3D-VTX1-FORMATS");
    EXPECT_BOUND(d, d->vertices.formats[0].attribute, 0x15, "J3D-VTX1-FORMAT-MISSING");
    EXPECT_BOUND(d, d->vertices.arrays[0].stride, 0, "J3D-VTX1-ARRAY");
    EXPECT_BOUND(d, d->vertices.arrays[0].stride, 1, "J3D-VTX1-ARRAY");
    EXPECT_BOUND(d, d->vertices.arrays[0].count, 0x7FFFFFFF, "J3D-VTX1-ARRAY");
    EXPECT_BOUND(d, d->envelopes.items[1].first, 0xFFFFFFFF, "J3D-EVP1-INFLUENCES");
    EXPECT_BOUND(d, d->envelopes.items[0].count, 200, "J3D-EVP1-INFLUENCES");
    EXPECT_BOUND(d, d->envelopes.influences[0].joint, 99, "J3D-EVP1-JOINT");
    EXPECT_BOUND(d, d->draw_matrices.items[0].is_envelope, 2, "J3D-DRW1-TYPE");
    EXPECT_BOUND(d, d->draw_matrices.items[0].index, 99, "J3D-DRW1-INDEX");
    EXPECT_BOUND(d, d->joints.remap[0], 99, "J3D-JNT1-REMAP");
    EXPECT_BOUND(d, shapes->remap[0], 99, "J3D-SHP1-REMAP");
    EXPECT_BOUND(d, shape->type, 9, "J3D-SHP1-TYPE");
    EXPECT_BOUND(d, shape->first_descriptor, shapes->descriptor_count, "J3D-SHP1-DESCRIPTOR");
    EXPECT_BOUND(d, shape->first_group, shapes->group_count, "J3D-SHP1-GROUP");
    EXPECT_BOUND(d, shape->first_display_list, shapes->display_list_count, "J3D-SHP1-LIST");
    EXPECT_BOUND(d, shape->packet_count, 0xFFFF, "J3D-SHP1-GROUP");
    EXPECT_BOUND(d, shapes->groups[0].first, shapes->matrix_table_count, "J3D-SHP1-MATRIX-TABLE");
    EXPECT_BOUND(d, shapes->groups[0].count, 0xFFFF, "J3D-SHP1-MATRIX-TABLE");
    EXPECT_BOUND(d, shapes->matrix_table[0], 99, "J3D-SHP1-MATRIX");
    EXPECT_BOUND(d, d->materials.remap[1], d->materials.entry_count, "J3D-MAT3-REMAP");
    EXPECT_BOUND(d, d->packets.remap[0], 99, "J3D-MDL3-REMAP");
    EXPECT_BOUND(d, d->textures.items[0].image, d->textures.texels_count, "J3D-TEX1-DATA");
    EXPECT_BOUND(d, d->textures.items[0].palette, d->textures.texels_count, "J3D-TEX1-DATA");
    EXPECT_BOUND(d, d->textures.items[0].header.width, 1024, "J3D-TEX1-DATA");
    d->textures.items[0].header.format = FACET_GX_C4;
    d->textures.items[0].palette = d->textures.items[0].image;
    EXPECT_BOUND(d, d->textures.items[0].header.palette_count, 0xFFFF, "J3D-TEX1-PALETTE");
    EXPECT_BOUND(d, d->layout.padding_size, 33, "J3D-LAYOUT");
    tear_down(&s);
}

/* Every used index of a material entry is checked. */
TEST(every_used_material_index_is_checked)
{
    subject s = set_up();
    facet_j3d_materials *m = &s.document->materials;
    facet_j3d_material_entry *entry = &m->entries[0];
    facet_error error;
    uint32_t tried = 0;
    for (int f = 0; f < FACET_J3D_ENTRY_FIELDS; f++) {
        const facet_j3d_entry_field *field = &facet_j3d_entry_fields[f];
        char *member = (char *)entry + field->member;
        if (field->value == FACET_J3D_NO_VALUE)
            continue;
        uint32_t count = facet_j3d_value_count(m, (facet_j3d_value)field->value);
        /* Every index of a missing array counts as absent. */
        if (count == 0 || facet_j3d_entry_index(m, entry, field, 0) == FACET_J3D_NONE)
            continue;
        expect_bound(s.document, member, field->width, count, "J3D-MAT3-INDEX");
        tried++;
    }
    assert_true(tried >= 15);
    entry->texgens[7] = 999; /* after the count of texgens, so any value is allowed */
    TEST_OK(write_document(s.document, &error), &error);
    tear_down(&s);
}

TEST(invalid_unknown_sections_are_not_written)
{
    static const struct {
        uint8_t bytes[12];
        size_t size;
        const char *rule;
    } cases[] = {
        {"XYZ1\0\0\0\x0C", 4, "J3D-SECTION-SIZE"},
        {"XYZ1\0\0\0\x0C", 8, "J3D-SECTION-SIZE"},
        {"XYZ1\0\0\0\x0A", 10, "J3D-SECTION-SIZE"},
        {"TEX1\0\0\0\x0C", 12, "J3D-SECTION-UNKNOWN"},
        {"MAT4\0\0\0\x0C", 12, "J3D-SECTION-UNKNOWN"},
        {"XYZ1\0\0\0\x0C", 12, NULL},
    };
    subject s = set_up();
    facet_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_j3d_unknown_section section = {"XYZ1", cases[i].bytes, cases[i].size};
        facet_j3d changed = *s.document;
        changed.unknown_sections = &section;
        changed.unknown_section_count = 1;
        if (cases[i].rule)
            expect_refused(&changed, cases[i].rule, "section 0");
        else
            TEST_OK(write_document(&changed, &error), &error);
    }
    tear_down(&s);
}
