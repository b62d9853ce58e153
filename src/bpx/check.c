/* bpx/check.c - the rules of the container. */
#include "base/arena.h"
#include "base/error.h"
#include "bpx/bpx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Header ------------------------------------------------------------- */

static void check_type(const facet_bpx *bpx, facet_report *report)
{
    if (!strchr("TMSCP", bpx->type) || !bpx->type)
        facet_report_add(report, "BPX-TYPE-UNKNOWN", FACET_SEVERITY_ERROR, 3,
                         "the type byte is 0x%02X, expected one of T M S C P",
                         (unsigned)(uint8_t)bpx->type);
    else if (bpx->revision == FACET_BPX_0A && (bpx->type == 'C' || bpx->type == 'P'))
        facet_report_add(report, "BPX-TYPE-UNSPECIFIED", FACET_SEVERITY_NOTE, 3,
                         "version 0 does not say what is in a file of type %c", bpx->type);
    if (bpx->revision != FACET_BPX_0A)
        facet_report_add(report, "BPX-VERSION-LATER", FACET_SEVERITY_WARNING, 0x10,
                         "the file is of revision %s, later than 0-A",
                         facet_bpx_revision_name(bpx->revision));
}

static void check_sum(const facet_bpx *bpx, facet_report *report)
{
    bool later = bpx->revision >= FACET_BPX_1;
    facet_bpx_sum sum = facet_bpx_verify(bpx);
    if (sum == FACET_BPX_SUM_RIGHT || (bpx->revision > FACET_BPX_0B && !later))
        return;
    if (later)
        facet_report_add(report, "BPX2-SUM", FACET_SEVERITY_ERROR, 4,
                         "the checksum 0x%08" PRIX32 " is not the sum of header and table",
                         bpx->checksum);
    else if (sum == FACET_BPX_SUM_ABSENT)
        facet_report_add(report, "BPX-CRC-ABSENT", FACET_SEVERITY_WARNING, 4, "the checksum is 0");
    else if (sum == FACET_BPX_SUM_ZEROED)
        facet_report_add(report, "BPX-CRC-ZEROED", FACET_SEVERITY_WARNING, 4,
                         "the checksum counts its own field as zeros");
    else
        facet_report_add(report, "BPX-CRC", FACET_SEVERITY_ERROR, 4,
                         "the checksum 0x%08" PRIX32 " is not that of the file", bpx->checksum);
}

static void check_size(const facet_bpx *bpx, facet_report *report)
{
    uint64_t size = bpx->size, header = FACET_BPX_HEADER_SIZE;
    uint64_t table = (uint64_t)bpx->section_count * bpx->entry_size;
    if (bpx->revision >= FACET_BPX_1) {
        if (bpx->file_size != size && bpx->file_size != 0)
            facet_report_add(report, "BPX2-FILESIZE", FACET_SEVERITY_WARNING, 8,
                             "the header states %" PRIu64 " bytes, the file has %" PRIu64,
                             bpx->file_size, size);
        return;
    }
    if (bpx->revision != FACET_BPX_0A || bpx->file_size == size - header)
        return;
    if (bpx->file_size == size || bpx->file_size == size - header - table)
        facet_report_add(report, "BPX-FILESIZE-FORM", FACET_SEVERITY_WARNING, 8,
                         "the size is stated %s, expected without the header alone",
                         bpx->file_size == size ? "with the header" : "without header and table");
    else
        facet_report_add(report, "BPX-FILESIZE", FACET_SEVERITY_ERROR, 8,
                         "the header states %" PRIu64 " bytes after it, the file has %" PRIu64,
                         bpx->file_size, size - header);
}

/* -- Table -------------------------------------------------------------- */

static void check_section(const facet_bpx *bpx, uint32_t index, facet_report *report)
{
    facet_error error;
    facet_bpx_section s = facet_bpx_section_at(bpx, index);
    uint64_t at = bpx->table_offset + (uint64_t)index * bpx->entry_size;
    const char *rule = facet_bpx_place_fault(bpx, index, &error);
    if (rule)
        facet_report_add(report, rule, FACET_SEVERITY_ERROR, at, "%s", error.message);
    if (s.reserved != 0)
        facet_report_add(
            report, "BPX-SECTION-RESERVED", FACET_SEVERITY_WARNING, at + bpx->entry_size - 2,
            "the reserved field of section %" PRIu32 " is %u, expected 0", index + 1, s.reserved);
    unsigned known = bpx->revision >= FACET_BPX_1 ? 0x0F : FACET_BPX_FLAG_COMPRESSED;
    if ((s.flags & ~known) && (bpx->revision == FACET_BPX_0A || bpx->revision >= FACET_BPX_1))
        facet_report_add(report, "BPX-SECTION-FLAGS", FACET_SEVERITY_WARNING, at,
                         "section %" PRIu32 " has the flags 0x%02X, of which 0x%02X are unknown",
                         index + 1, s.flags, s.flags & ~known);
    if (bpx->revision == FACET_BPX_0A && strchr("TMS", bpx->type) &&
        !facet_bpx_section_name(bpx, s.type))
        facet_report_add(report, "BPX-SECTION-TYPE", FACET_SEVERITY_WARNING, at,
                         "section %" PRIu32 " has type %u, which files of type %c do not know",
                         index + 1, s.type, bpx->type);
    if (s.stored_size == 0)
        facet_report_add(report, "BPX-SECTION-EMPTY", FACET_SEVERITY_WARNING, at,
                         "section %" PRIu32 " is empty", index + 1);
    if (bpx->revision >= FACET_BPX_1 && (s.flags & 0x01))
        facet_report_add(report, "BPX2-ZLIB", FACET_SEVERITY_WARNING, at,
                         "section %" PRIu32 " is compressed with zlib, which the public library "
                         "cannot read",
                         index + 1);
}

typedef struct span {
    uint64_t begin, end;
} span;

static int by_begin(const void *a, const void *b)
{
    const span *l = a, *r = b;
    return l->begin != r->begin ? (l->begin < r->begin ? -1 : 1)
           : l->end != r->end   ? (l->end < r->end ? -1 : 1)
                                : 0;
}

static facet_status check_layout(facet_arena *arena, const facet_bpx *bpx, facet_report *report,
                                 facet_error *error)
{
    span *spans = facet_arena_allocate(arena, bpx->section_count, sizeof *spans);
    if (!spans)
        return facet_fail_memory(error, bpx->section_count * sizeof *spans);
    size_t count = 0;
    for (uint32_t i = 0; i < bpx->section_count; i++) {
        facet_bpx_section s = facet_bpx_section_at(bpx, i);
        if (s.available > 0 && !facet_bpx_place_fault(bpx, i, NULL)) {
            span one = {s.offset, s.offset + s.available};
            spans[count++] = one;
        }
    }
    qsort(spans, count, sizeof *spans, by_begin);
    facet_tally overlaps = {0}, gaps = {0};
    uint64_t end = bpx->table_offset + (uint64_t)bpx->section_count * bpx->entry_size;
    for (size_t i = 0; i < count; i++) {
        if (spans[i].begin < end)
            facet_tally_hit(&overlaps, spans[i].begin);
        else if (spans[i].begin > end)
            facet_tally_hit(&gaps, end);
        end = spans[i].end > end ? spans[i].end : end;
    }
    if (end < bpx->size)
        facet_tally_hit(&gaps, end);
    facet_report_add_tally(report, "BPX-SECTION-OVERLAP", FACET_SEVERITY_WARNING, overlaps.first,
                           &overlaps, "two sections share the bytes at offset %" PRIu64,
                           overlaps.first);
    facet_report_add_tally(report, "BPX-SECTION-GAP", FACET_SEVERITY_NOTE, gaps.first, &gaps,
                           "the bytes from offset %" PRIu64 " on belong to no section", gaps.first);
    facet_arena_release(arena, spans, bpx->section_count, sizeof *spans);
    return FACET_OK;
}

/* -- Sections of a type ------------------------------------------------- */

static void check_number(const facet_bpx *bpx, uint8_t type, bool required, bool single,
                         bool strict, facet_report *report)
{
    uint32_t first = 0, count = facet_bpx_count(bpx, type, &first);
    const char *name = facet_bpx_section_name(bpx, type);
    if (required && count == 0)
        facet_report_add(report, "BPX-SECTION-MISSING", FACET_SEVERITY_ERROR, FACET_NO_OFFSET,
                         "there is no section %s", name);
    if (single && count > 1)
        facet_report_add(report, "BPX-SECTION-DUP",
                         strict ? FACET_SEVERITY_ERROR : FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "there are %" PRIu32 " sections %s, expected one", count, name);
}

static void check_numbers(const facet_bpx *bpx, facet_report *report)
{
    if (bpx->type == 'T') {
        check_number(bpx, FACET_BPX_PIXELS, true, true, true, report);
    } else if (bpx->type == 'M') {
        check_number(bpx, FACET_BPX_VERTEX_FORMAT, true, true, true, report);
        check_number(bpx, FACET_BPX_VERTEX_ARRAY, true, false, false, report);
        for (uint8_t type = FACET_BPX_BONES; type <= FACET_BPX_STRINGS; type++)
            check_number(bpx, type, false, true, false, report);
    } else if (bpx->type == 'S') {
        check_number(bpx, FACET_BPX_SHADER, true, false, false, report);
        for (uint8_t type = FACET_BPX_ASSEMBLY_DX; type <= FACET_BPX_ASSEMBLY_LAST; type++)
            check_number(bpx, type, type == FACET_BPX_ASSEMBLY_GL, true, false, report);
    } else if (bpx->section_count == 0) {
        facet_report_add(report, "BPX-SECTION-MISSING", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "there are no sections");
    }
}

/* -- Contents ----------------------------------------------------------- */

static void check_stream(const facet_bpx *bpx, const facet_bpx_section *s,
                         const facet_bpx_contents *c, facet_report *report)
{
    if (s->compression == FACET_BPX_ZLIB && bpx->revision == FACET_BPX_0A) {
        if (c->consumed != s->stored_size && c->size == s->stored_size)
            facet_report_add(report, "BPX-ZLIB-SIZE", FACET_SEVERITY_WARNING, s->offset,
                             "section %" PRIu32 " is stated with its uncompressed size",
                             s->index + 1);
        else if (c->consumed < s->stored_size)
            facet_report_add(report, "BPX-ZLIB-TAIL", FACET_SEVERITY_WARNING,
                             s->offset + c->consumed,
                             "%zu bytes of section %" PRIu32 " follow its stream",
                             s->stored_size - c->consumed, s->index + 1);
    }
    facet_bpx_sum sum = facet_bpx_verify_section(bpx, s, c->data, c->size);
    if (sum == FACET_BPX_SUM_WRONG)
        facet_report_add(report, "BPX2-SECTION-SUM", FACET_SEVERITY_ERROR, s->offset,
                         "the checksum 0x%08" PRIX32 " of section %" PRIu32
                         " is not that of its contents",
                         s->checksum, s->index + 1);
    else if (sum == FACET_BPX_SUM_ONE_STEP)
        facet_report_add(report, "BPX2-CRC-ONESTEP", FACET_SEVERITY_NOTE, s->offset,
                         "the CRC of section %" PRIu32 " is that of the format's own library",
                         s->index + 1);
}

/* A fault of the input is a finding; others end the check. */
static bool is_finding(facet_status status, const facet_error *fault)
{
    return status == FACET_ERROR_MALFORMED || status == FACET_ERROR_LIMIT ||
           (status == FACET_ERROR_MEMORY && strcmp(fault->rule, "BPX-ZLIB-BOMB") == 0);
}

static facet_status check_contents(facet_bpx_document *document, const facet_options *options,
                                   facet_report *report, facet_error *error)
{
    const facet_bpx *bpx = &document->view;
    facet_status status = FACET_OK;
    uint64_t total = 0;
    for (uint32_t i = 0; i < bpx->section_count; i++) {
        facet_bpx_section s = facet_bpx_section_at(bpx, i);
        facet_error fault;
        if (facet_bpx_place_fault(bpx, i, NULL))
            continue;
        status = facet_step(options, "check", (double)i / bpx->section_count, error);
        if (status)
            return status;
        status = facet_bpx_inflate(document->arena, bpx, &s, &document->contents[i], &fault);
        if (status && !is_finding(status, &fault)) {
            if (error)
                *error = fault;
            return status;
        }
        if (status)
            facet_report_add_fault(report, &fault, "BPX-ZLIB");
        else
            check_stream(bpx, &s, &document->contents[i], report);
        total += document->contents[i].size;
        if (total / 1032 > bpx->size) {
            facet_report_add(report, "BPX-ZLIB-BOMB", FACET_SEVERITY_ERROR, s.offset,
                             "the sections hold more than 1,032 times the file");
            return FACET_OK;
        }
    }
    bool ours = bpx->revision == FACET_BPX_0A;
    if (ours && bpx->type == 'T')
        facet_bpx_check_texture(document, report);
    else if (ours && bpx->type == 'M')
        return facet_bpx_check_model(document, report, error);
    else if (ours && bpx->type == 'S')
        facet_bpx_check_shaders(document, report);
    return FACET_OK;
}

/* -- The whole ---------------------------------------------------------- */

facet_status facet_bpx_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_bpx_document document = {0};
    facet_bpx *bpx = &document.view;
    facet_error fault;
    if (facet_bpx_view_header(source->data, source->size, bpx, &fault)) {
        facet_report_add_fault(report, &fault, "BPX");
        return FACET_OK;
    }
    check_type(bpx, report);
    check_sum(bpx, report);
    check_size(bpx, report);
    for (uint32_t i = 0; i < bpx->section_count; i++)
        check_section(bpx, i, report);
    if (bpx->revision == FACET_BPX_0A)
        check_numbers(bpx, report);
    facet_status status = facet_arena_create(options, &document.arena, error);
    if (status)
        return status;
    document.contents =
        facet_arena_allocate_zeroed(document.arena, bpx->section_count, sizeof *document.contents);
    if (!document.contents)
        status = facet_fail_memory(error, bpx->section_count * sizeof *document.contents);
    if (!status)
        status = check_layout(document.arena, bpx, report, error);
    if (!status)
        status = check_contents(&document, options, report, error);
    facet_arena_free(document.arena);
    return status;
}
