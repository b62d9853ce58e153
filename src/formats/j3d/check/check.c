/* formats/j3d/check/check.c - all rules of the format, checked on a whole file. Each section is
 * checked separately, so that an error in one does not hide errors of others. */
#include "formats/j3d/check/check.h"
#include "formats/j3d/format.h"

#include "base/arena.h"

#include <stdio.h>
#include <string.h>

/* -- The whole file ----------------------------------------------------- */

/* Read the document; NULL if the reader rejects the file. That is also an error finding, unless the
 * check has found one already. */
static facet_status read_document(facet_j3d_checker *c, const facet_options *options,
                                  bool has_errors, facet_j3d **document, facet_error *error)
{
    facet_error said;
    facet_options quiet = options ? *options : (facet_options){0};
    quiet.report = NULL; /* the check has already reported everything */
    facet_status status = facet_j3d_read(c->source, &quiet, document, &said);
    if (status == FACET_ERROR_MALFORMED || status == FACET_ERROR_UNSUPPORTED) {
        *document = NULL;
        if (!has_errors)
            facet_report_add_fault(c->report, &said, "J3D");
        return FACET_OK;
    }
    if (status && error)
        *error = said;
    return status;
}

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
    facet_j3d_sections sections;
    size_t errors = facet_report_severity_count(c->report, FACET_SEVERITY_ERROR);
    facet_j3d_find_sections(c->data, c->size, FACET_J3D_SECTIONS_CHECK, c->report, &sections, NULL);
    memcpy(c->sections, sections.by_kind, sizeof c->sections);
    c->is_mat2 = c->sections[FACET_J3D_MAT3].bytes &&
                 memcmp(c->sections[FACET_J3D_MAT3].bytes, "MAT2", 4) == 0;
    facet_status status = check_sections(c, options, error);
    if (!status && c->has_no_memory)
        status = facet_fail_arena(c->arena, error);
    if (status)
        return status;
    bool has_errors = facet_report_severity_count(c->report, FACET_SEVERITY_ERROR) > errors;
    status = read_document(c, options, has_errors, &document, error);
    if (!status && document)
        facet_j3d_check_baked(c, document);
    facet_j3d_free(document);
    return !status && c->has_no_memory ? facet_fail_arena(c->arena, error) : status;
}

/* -- SuperBMD ----------------------------------------------------------- */

static facet_j3d_profile profile_of(const facet_options *options)
{
    return options && options->j3d ? options->j3d->profile : FACET_J3D_PROFILE_AUTO;
}

static bool is_of_superbmd(const facet_source *source, const facet_options *options)
{
    facet_j3d_profile profile = profile_of(options);
    if (profile == FACET_J3D_PROFILE_CONSOLE || profile == FACET_J3D_PROFILE_SUPERBMD)
        return profile == FACET_J3D_PROFILE_SUPERBMD;
    return source->size >= 0x20 && memcmp(source->data + 0x10, "SuperBMD", 8) == 0;
}

/* True for a harmless finding that occurs in every file of SuperBMD. Its padding has its own text.
 * Its packets have no names and no matrix indices, and lack some registers. */
static bool is_habit(const facet_finding *finding)
{
    static const char *const rules[] = {"J3D-PADDING", "J3D-NAMES-COUNT", "J3D-MDL3-REGISTER",
                                        "J3D-MDL3-MATRIX-INDICES"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(finding->rule, rules[i]) == 0)
            return finding->severity != FACET_SEVERITY_ERROR;
    }
    return false;
}

/* Report the findings of a SuperBMD file, with its usual ones combined to one note. */
static void tell(const facet_report *found, facet_report *report)
{
    char habits[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < facet_report_count(found); i++) {
        const facet_finding *finding = facet_report_get(found, i);
        if (!is_habit(finding))
            facet_report_repeat(report, finding);
        else if (!strstr(habits, finding->rule) && used < sizeof habits)
            used += (size_t)snprintf(habits + used, sizeof habits - used, "%s%s", used ? ", " : "",
                                     finding->rule);
    }
    if (used > 0)
        facet_report_add(report, "J3D-SUPERBMD", FACET_SEVERITY_NOTE, 0x10,
                         "it is written as SuperBMD does, which is harmless where games build "
                         "materials from MAT3: %s",
                         habits);
}

facet_status facet_j3d_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_j3d_checker checker = {
        .source = source, .data = source->data, .size = source->size, .report = report};
    checker.draws_all = profile_of(options) == FACET_J3D_PROFILE_WIND_WAKER;
    facet_report *found = NULL;
    facet_status status =
        FACET_CHECK_STRUCT(options ? options->j3d : NULL, facet_j3d_options, error);
    if (!status)
        status = facet_arena_create(options, &checker.arena, error);
    if (status)
        return status;
    if (report && is_of_superbmd(source, options)) {
        status = facet_report_create(options ? options->allocator : NULL, &found, error);
        checker.report = found;
    }
    checker.scratch = facet_arena_allocate_zeroed(checker.arena, 1, sizeof *checker.scratch);
    if (!status && !checker.scratch)
        status = facet_fail_arena(checker.arena, error);
    if (!status)
        status = check_file(&checker, options, error);
    facet_arena_free(checker.arena);
    if (!status && found) {
        tell(found, report);
        status = facet_report_status(found, error);
    }
    facet_report_free(found);
    return status ? status : facet_report_status(report, error);
}
