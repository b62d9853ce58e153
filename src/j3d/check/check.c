/* j3d/check/check.c - every rule of the format, told to a report: the file as a
 * whole. Each section is looked at by itself, so that a fault in one does not
 * hide those of another. */
#include "j3d/check/check.h"

#include <inttypes.h>
#include <string.h>

#define HEADER_SIZE 0x20

/* -- The header --------------------------------------------------------- */

/* Add what the reader says to the file. */
static facet_status say_reader(facet_j3d_checker *c, facet_j3d **document, facet_error *error)
{
    facet_error said;
    facet_options options = {.allocator = facet_arena_allocator(c->arena)};
    facet_status status = facet_j3d_read(c->source, &options, document, &said);
    if (status == FACET_ERROR_MEMORY || status == FACET_ERROR_CANCELED) {
        if (error)
            *error = said;
        return status;
    }
    if (status) {
        *document = NULL;
        facet_report_add_fault(c->report, &said, "J3D-READ");
    }
    return FACET_OK;
}

/* -- Sections ----------------------------------------------------------- */

static const char *const magics[FACET_J3D_SECTION_COUNT] = {"INF1", "VTX1", "EVP1", "DRW1", "JNT1",
                                                            "SHP1", "MAT3", "MDL3", "TEX1"};

static int kind_of(const uint8_t *magic)
{
    for (int i = 0; i < FACET_J3D_SECTION_COUNT; i++) {
        if (memcmp(magic, magics[i], 4) == 0)
            return i;
    }
    return memcmp(magic, "MAT2", 4) == 0 ? FACET_J3D_MAT3 : -1;
}

static void add_section(facet_j3d_checker *c, size_t at, size_t size, int *last)
{
    const uint8_t *bytes = c->data + at;
    int kind = kind_of(bytes);
    facet_quoted quoted;
    facet_quote(&quoted, (const char *)bytes, 4);
    if (size % 32 != 0)
        facet_report_add(c->report, "J3D-SECTION-ALIGN", FACET_SEVERITY_WARNING, at + 4,
                         "section '%s' has %zu bytes, which is no multiple of 32", quoted.text,
                         size);
    if (kind < 0 && memcmp(bytes, "MAT", 3) == 0) {
        facet_report_add(c->report, "J3D-SECTION-VARIANT", FACET_SEVERITY_ERROR, at,
                         "materials of the variant '%s' are not read: MAT3 and MAT2 are",
                         quoted.text);
    } else if (kind < 0) {
        facet_report_add(c->report, "J3D-SECTION-UNKNOWN", FACET_SEVERITY_WARNING, at,
                         "section '%s' is unknown; it is kept as it is", quoted.text);
    } else if (c->sections[kind].bytes) {
        facet_report_add(c->report, "J3D-SECTION-TWICE", FACET_SEVERITY_ERROR, at,
                         "there are two sections %s", magics[kind]);
    } else {
        if (kind < *last)
            facet_report_add(c->report, "J3D-SECTION-ORDER", FACET_SEVERITY_WARNING, at,
                             "section %s stands after %s", magics[kind], magics[*last]);
        else
            *last = kind;
        c->sections[kind].bytes = bytes;
        c->sections[kind].size = size;
        c->sections[kind].offset = at;
        c->is_mat2 |= memcmp(bytes, "MAT2", 4) == 0;
    }
}

static void look_at_sections(facet_j3d_checker *c)
{
    uint32_t announced = facet_load_u32be(c->data + 0x0C), count = 0;
    size_t at = HEADER_SIZE;
    int last = -1;
    for (; c->size - at >= 8; count++) {
        size_t size = facet_load_u32be(c->data + at + 4);
        if (count >= announced && kind_of(c->data + at) < 0)
            break; /* behind the last section there may be anything */
        if (size < 8 || size > c->size - at || size % 4 != 0) {
            facet_quoted quoted;
            facet_report_add(c->report, "J3D-SECTION-SIZE", FACET_SEVERITY_ERROR, at + 4,
                             "section '%s' announces %zu bytes where %zu are left (a multiple of "
                             "4 is expected)",
                             facet_quote(&quoted, (const char *)c->data + at, 4), size,
                             c->size - at);
            return;
        }
        add_section(c, at, size, &last);
        at += size;
    }
    if (count != announced)
        facet_report_add(c->report, "J3D-SECTION-COUNT", FACET_SEVERITY_WARNING, 0x0C,
                         "the header announces %" PRIu32 " sections, and there are %" PRIu32,
                         announced, count);
    if (at < c->size)
        facet_report_add(c->report, "J3D-FILE-SIZE", FACET_SEVERITY_WARNING, at,
                         "%zu bytes follow the last section", c->size - at);
}

static void expect_sections(const facet_j3d_checker *c)
{
    for (int kind = 0; kind < FACET_J3D_SECTION_COUNT; kind++) {
        bool is_there = c->sections[kind].bytes != NULL;
        if (is_there || kind == FACET_J3D_MDL3)
            continue;
        if (c->kind == FACET_J3D_BMT3 &&
            (kind != FACET_J3D_MAT3 || c->sections[FACET_J3D_TEX1].bytes))
            continue;
        facet_report_add(c->report, "J3D-SECTION-MISSING",
                         kind == FACET_J3D_EVP1 ? FACET_SEVERITY_WARNING : FACET_SEVERITY_ERROR,
                         HEADER_SIZE, "the file has no section %s", magics[kind]);
    }
    bool has_packets = c->sections[FACET_J3D_MDL3].bytes != NULL;
    if (c->kind == FACET_J3D_BDL4 && !has_packets)
        facet_report_add(c->report, "J3D-MDL3-MISSING", FACET_SEVERITY_ERROR, HEADER_SIZE,
                         "the file is a BDL and has no section MDL3");
    if (c->kind != FACET_J3D_BDL4 && has_packets)
        facet_report_add(c->report, "J3D-SECTION-KIND", FACET_SEVERITY_WARNING,
                         c->sections[FACET_J3D_MDL3].offset,
                         "the file is no BDL and has a section MDL3");
}

/* -- The whole ---------------------------------------------------------- */

static facet_status check_sections(facet_j3d_checker *c, const facet_options *options,
                                   facet_error *error)
{
    static void (*const checks[])(facet_j3d_checker *) = {
        facet_j3d_check_jnt1, facet_j3d_check_evp1,      facet_j3d_check_drw1,
        facet_j3d_check_vtx1, facet_j3d_check_shp1,      facet_j3d_check_arrays,
        facet_j3d_check_tex1, facet_j3d_check_mat3,      facet_j3d_check_inf1,
        facet_j3d_check_mdl3, facet_j3d_look_at_padding,
    };
    const size_t count = sizeof checks / sizeof *checks;
    facet_status status = FACET_OK;
    for (size_t i = 0; i < count && !status; i++) {
        status = facet_step(options, "check", (double)i / (double)count, error);
        if (!status)
            checks[i](c);
    }
    return status;
}

static facet_status check_file(facet_j3d_checker *c, const facet_options *options,
                               facet_error *error)
{
    facet_j3d *document = NULL;
    size_t errors = facet_report_count_of(c->report, FACET_SEVERITY_ERROR);
    if (facet_j3d_find_kind(c->data, c->size, &c->kind, NULL) || c->size < HEADER_SIZE) {
        facet_status status = say_reader(c, &document, error);
        facet_j3d_free(document);
        return status;
    }
    uint32_t announced = facet_load_u32be(c->data + 8);
    if (announced != c->size)
        facet_report_add(c->report, "J3D-FILE-SIZE",
                         announced > c->size ? FACET_SEVERITY_ERROR : FACET_SEVERITY_WARNING, 8,
                         "the header announces %" PRIu32 " bytes, and the file has %zu", announced,
                         c->size);
    look_at_sections(c);
    expect_sections(c);
    facet_status status = check_sections(c, options, error);
    if (!status && c->has_no_memory)
        status = facet_fail_memory(error, sizeof(facet_j3d_extent));
    /* A file without errors can be read; should the reader disagree, its word
     * counts. */
    if (status || facet_report_count_of(c->report, FACET_SEVERITY_ERROR) > errors)
        return status;
    status = say_reader(c, &document, error);
    if (!status && document)
        facet_j3d_check_baked(c, document);
    facet_j3d_free(document);
    return !status && c->has_no_memory ? facet_fail_memory(error, 0) : status;
}

facet_status facet_j3d_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_j3d_checker checker = {
        .source = source, .data = source->data, .size = source->size, .report = report};
    facet_status status = facet_arena_create(options, &checker.arena, error);
    if (status)
        return status;
    checker.scratch = facet_arena_allocate_zeroed(checker.arena, 1, sizeof *checker.scratch);
    if (!checker.scratch)
        status = facet_fail_memory(error, sizeof *checker.scratch);
    if (!status)
        status = check_file(&checker, options, error);
    facet_arena_free(checker.arena);
    return status ? status : facet_report_status(report, error);
}
