/* formats/bsm/check.c - the rules for the header and the ranges of the arrays, and the order of all
 * checks. */
#include "formats/bsm/check.h"
#include "formats/bsm/layout.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* -- Header ------------------------------------------------------------- */

/* Check the header. False if the rest of the file has no meaning. */
static bool check_header(facet_bsm_checker *checker, const uint8_t *data, size_t size)
{
    facet_error error;
    facet_report *report = checker->report;
    const char *rule = facet_bsm_parse_header(data, size, &checker->layout, &error);
    if (rule)
        facet_report_add(report, rule, FACET_SEVERITY_ERROR, error.offset, "%s", error.message);
    if (rule && strcmp(rule, "BSM-VERSION-INVALID") != 0)
        return false;
    if (checker->layout.version > 1)
        facet_report_add(report, "BSM-VERSION-NEWER", FACET_SEVERITY_WARNING, FACET_BSM_AT_VERSION,
                         "the version is %" PRId32 ", read as version 1", checker->layout.version);
    if (checker->layout.extension != 0)
        facet_report_add(report, "BSM-EXT-PRESENT", FACET_SEVERITY_NOTE, FACET_BSM_AT_EXTENSION,
                         "the file has the extension %" PRId32 ", read as the core format",
                         checker->layout.extension);
    return true;
}

/* -- Arrays ------------------------------------------------------------- */

static void check_array(facet_bsm_checker *checker, facet_bsm_array array)
{
    facet_error error;
    facet_bsm_layout *layout = &checker->layout;
    const facet_bsm_array_info *info = &facet_bsm_array_infos[array];
    int32_t count = facet_load_i32le(layout->data + info->count_at);
    int32_t offset = facet_load_i32le(layout->data + info->offset_at);
    const char *rule = facet_bsm_locate(layout, array, &error);
    checker->stated[array] = count < 0 ? -1 : count;
    /* The first four arrays share one count: report it once. */
    bool shared = array > FACET_BSM_POSITIONS && array <= FACET_BSM_TANGENTS;
    if (rule && !(count < 0 && shared))
        facet_report_add(checker->report, rule, FACET_SEVERITY_ERROR, error.offset, "%s",
                         error.message);
    if (count < 0 && offset < 0)
        facet_report_add(checker->report, "BSM-OFFSET-NEGATIVE", FACET_SEVERITY_ERROR,
                         info->offset_at, "the offset of the %s is %" PRId32 ", expected 0 or more",
                         info->name, offset);
    if (count > 0 && offset > 0 && offset % 4 != 0)
        facet_report_add(
            checker->report, "BSM-ARRAY-ALIGN", FACET_SEVERITY_WARNING, info->offset_at,
            "the %s begin at offset %" PRId32 ", expected a multiple of 4", info->name, offset);
    if (count == 0 && offset != 0)
        facet_report_add(
            checker->report, "BSM-ARRAY-EMPTY-OFFSET", FACET_SEVERITY_NOTE, info->offset_at,
            "there are no %s, but their offset is %" PRId32 ", expected 0", info->name, offset);
}

static void check_overlaps(facet_bsm_checker *checker)
{
    facet_bsm_array order[FACET_BSM_ARRAY_COUNT];
    size_t count = facet_bsm_order(&checker->layout, order);
    for (size_t i = 0; i < count; i++) {
        const facet_bsm_array_info *one = &facet_bsm_array_infos[order[i]];
        facet_bsm_span span = facet_bsm_array_span(&checker->layout, order[i]);
        for (size_t k = i + 1; k < count; k++) {
            const facet_bsm_array_info *other = &facet_bsm_array_infos[order[k]];
            facet_bsm_span next = facet_bsm_array_span(&checker->layout, order[k]);
            bool same =
                one->type == other->type && span.begin == next.begin && span.end == next.end;
            if (next.begin < span.end)
                facet_report_add(checker->report, "BSM-ARRAY-OVERLAP",
                                 same ? FACET_SEVERITY_NOTE : FACET_SEVERITY_WARNING, next.begin,
                                 same ? "the %s and the %s are the same bytes"
                                      : "the %s and the %s share bytes",
                                 one->name, other->name);
        }
    }
}

static void check_gaps(facet_bsm_checker *checker)
{
    facet_bsm_span gaps[FACET_BSM_ARRAY_COUNT + 1];
    size_t count = facet_bsm_find_gaps(&checker->layout, gaps);
    for (size_t i = 0; i < count; i++) {
        uint64_t size = gaps[i].end - gaps[i].begin;
        if (gaps[i].end == checker->layout.size)
            facet_report_add(checker->report, "BSM-TRAILING", FACET_SEVERITY_NOTE, gaps[i].begin,
                             "%" PRIu64 " byte%s the last array", size,
                             facet_plural(size, " follows", "s follow"));
        else
            facet_report_add(checker->report, "BSM-GAP", FACET_SEVERITY_NOTE, gaps[i].begin,
                             "%" PRIu64 " byte%s between the arrays %s to none", size,
                             facet_plural(size, "", "s"), facet_plural(size, "belongs", "belong"));
    }
}

static void check_arrays(facet_bsm_checker *checker)
{
    for (int array = 0; array < FACET_BSM_ARRAY_COUNT; array++)
        check_array(checker, (facet_bsm_array)array);
    check_overlaps(checker);
    check_gaps(checker);
    int64_t vertices = checker->stated[FACET_BSM_POSITIONS];
    int64_t triangles = checker->stated[FACET_BSM_TRIANGLES];
    if (vertices == 0 || triangles == 0)
        facet_report_add(
            checker->report, "BSM-MODEL-EMPTY", FACET_SEVERITY_WARNING,
            facet_bsm_array_infos[vertices == 0 ? FACET_BSM_POSITIONS : FACET_BSM_TRIANGLES]
                .count_at,
            "the model has no %s", vertices == 0 ? "vertices" : "triangles");
}

/* -- All checks -------------------------------------------------------- */

static void reserve_tables(facet_bsm_checker *checker)
{
    const uint32_t *counts = checker->layout.count;
    size_t vertices = counts[FACET_BSM_POSITIONS], triangles = counts[FACET_BSM_TRIANGLES];
    size_t survey = vertices * (sizeof(uint32_t) + 1) + vertices / FACET_BSM_BLOCK * 64;
    facet_bsm_tables_reserve(&checker->tables, checker->arena,
                             survey + triangles / 512 + triangles * sizeof(uint32_t) +
                                 facet_bsm_search_size(counts[FACET_BSM_POSITIONS]) +
                                 facet_bsm_search_size(counts[FACET_BSM_TRIANGLES]) + 4096);
}

static facet_status check_contents(facet_bsm_checker *checker, facet_error *error)
{
    const facet_options *options = checker->options;
    facet_status status = facet_step(options, "check", 0, error);
    reserve_tables(checker);
    if (!status)
        status = facet_bsm_survey_vertices(checker, error);
    if (!status) {
        facet_bsm_check_vertices(checker);
        status = facet_step(options, "check", 0.3, error);
    }
    if (!status)
        status = facet_bsm_survey_triangles(checker, error);
    if (!status)
        status = facet_bsm_check_equal_vertices(checker, error);
    if (!status) {
        facet_bsm_check_bounds(checker);
        status = facet_bsm_check_triangles(checker, error);
    }
    if (!status)
        status = facet_step(options, "check", 0.9, error);
    if (!status)
        status = facet_bsm_check_meshes(checker, error);
    if (!status)
        status = facet_bsm_check_hulls(checker, error);
    if (!status)
        status = facet_bsm_check_occluder(checker, error);
    return status;
}

facet_status facet_bsm_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_bsm_checker checker;
    memset(&checker, 0, sizeof checker);
    checker.options = options;
    checker.report = report;
    if (!check_header(&checker, source->data, source->size))
        return facet_report_status(report, error);
    check_arrays(&checker);
    TRY(facet_arena_create(options, &checker.arena, error));
    facet_status status = check_contents(&checker, error);
    facet_arena_free(checker.arena);
    return status ? status : facet_report_status(report, error);
}
