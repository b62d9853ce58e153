/* formats/bpx/check.c - the rules of the container. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- Header ------------------------------------------------------------- */

static void check_type(const facet_bpx_layout *layout, facet_report *report)
{
    if (!strchr("TMSCP", layout->type) || !layout->type)
        facet_report_add(report, "BPX-TYPE-UNKNOWN", FACET_SEVERITY_ERROR, 3,
                         "the type byte is 0x%02X, expected one of T M S C P",
                         (unsigned)(uint8_t)layout->type);
    else if (layout->revision == FACET_BPX_0A && (layout->type == 'C' || layout->type == 'P'))
        facet_report_add(report, "BPX-TYPE-UNSPECIFIED", FACET_SEVERITY_NOTE, 3,
                         "version 0 does not define the contents of a file of type %c",
                         layout->type);
    if (layout->revision != FACET_BPX_0A)
        facet_report_add(report, "BPX-VERSION-LATER", FACET_SEVERITY_WARNING, 0x10,
                         "the file is of revision %s, later than 0-A",
                         facet_bpx_revision_name(layout->revision));
}

static void check_sum(const facet_bpx_layout *layout, facet_report *report)
{
    bool later = layout->revision >= FACET_BPX_1;
    facet_bpx_sum sum = facet_bpx_file_sum(layout);
    if (sum == FACET_BPX_SUM_RIGHT || (layout->revision > FACET_BPX_0B && !later))
        return;
    if (later)
        facet_report_add(report, "BPX2-SUM", FACET_SEVERITY_ERROR, 4,
                         "the checksum 0x%08" PRIX32 " is not the sum of header and table",
                         layout->checksum);
    else if (sum == FACET_BPX_SUM_ABSENT)
        facet_report_add(report, "BPX-CRC-ABSENT", FACET_SEVERITY_WARNING, 4, "the checksum is 0");
    else if (sum == FACET_BPX_SUM_ZEROED)
        facet_report_add(report, "BPX-CRC-ZEROED", FACET_SEVERITY_WARNING, 4,
                         "the checksum counts its own field as zeros");
    else
        facet_report_add(report, "BPX-CRC", FACET_SEVERITY_ERROR, 4,
                         "the checksum 0x%08" PRIX32 " is not that of the file", layout->checksum);
}

static void check_size(const facet_bpx_layout *layout, facet_report *report)
{
    uint64_t size = layout->size, header = FACET_BPX_HEADER_SIZE;
    uint64_t table = (uint64_t)layout->section_count * layout->entry_size;
    if (layout->revision >= FACET_BPX_1) {
        if (layout->file_size != size && layout->file_size != 0)
            facet_report_add(report, "BPX2-FILESIZE", FACET_SEVERITY_WARNING, 8,
                             "the header states %" PRIu64 " bytes, the file has %" PRIu64,
                             layout->file_size, size);
        return;
    }
    if (layout->revision != FACET_BPX_0A || layout->file_size == size - header)
        return;
    if (layout->file_size == size || layout->file_size == size - header - table)
        facet_report_add(report, "BPX-FILESIZE-FORM", FACET_SEVERITY_WARNING, 8,
                         "the size is stated %s, expected without the header alone",
                         layout->file_size == size ? "with the header"
                                                   : "without header and table");
    else
        facet_report_add(report, "BPX-FILESIZE", FACET_SEVERITY_ERROR, 8,
                         "the header states %" PRIu64 " bytes after it, the file has %" PRIu64,
                         layout->file_size, size - header);
}

/* -- Table -------------------------------------------------------------- */

static void check_section(const facet_bpx_layout *layout, uint32_t index, facet_report *report)
{
    facet_error error;
    facet_bpx_section s = facet_bpx_section_at(layout, index);
    uint64_t at = layout->table_offset + (uint64_t)index * layout->entry_size;
    const char *rule = facet_bpx_place_fault(layout, index, &error);
    if (rule)
        facet_report_add(report, rule, FACET_SEVERITY_ERROR, at, "%s", error.message);
    if (s.reserved != 0)
        facet_report_add(
            report, "BPX-SECTION-RESERVED", FACET_SEVERITY_WARNING, at + layout->entry_size - 2,
            "the reserved field of section %" PRIu32 " is %u, expected 0", index + 1, s.reserved);
    unsigned known = layout->revision >= FACET_BPX_1 ? 0x0F : FACET_BPX_FLAG_COMPRESSED;
    if ((s.flags & ~known) && (layout->revision == FACET_BPX_0A || layout->revision >= FACET_BPX_1))
        facet_report_add(report, "BPX-SECTION-FLAGS", FACET_SEVERITY_WARNING, at,
                         "section %" PRIu32 " has the flags 0x%02X, of which 0x%02X are unknown",
                         index + 1, s.flags, s.flags & ~known);
    if (layout->revision == FACET_BPX_0A && strchr("TMS", layout->type) &&
        !facet_bpx_section_name(layout->revision, layout->type, s.type))
        facet_report_add(report, "BPX-SECTION-TYPE", FACET_SEVERITY_WARNING, at,
                         "section %" PRIu32 " has type %u, which files of type %c do not know",
                         index + 1, s.type, layout->type);
    if (s.stored_size == 0)
        facet_report_add(report, "BPX-SECTION-EMPTY", FACET_SEVERITY_WARNING, at,
                         "section %" PRIu32 " is empty", index + 1);
    if (layout->revision >= FACET_BPX_1 && (s.flags & 0x01))
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

static facet_status check_layout(facet_arena *arena, const facet_bpx_layout *layout,
                                 facet_report *report, facet_error *error)
{
    span *spans = facet_arena_allocate(arena, layout->section_count, sizeof *spans);
    if (!spans)
        return facet_fail_arena(arena, error);
    size_t count = 0;
    for (uint32_t i = 0; i < layout->section_count; i++) {
        facet_bpx_section s = facet_bpx_section_at(layout, i);
        if (s.available > 0 && !facet_bpx_place_fault(layout, i, NULL)) {
            span one = {s.offset, s.offset + s.available};
            spans[count++] = one;
        }
    }
    qsort(spans, count, sizeof *spans, by_begin);
    facet_tally overlaps = {0}, gaps = {0};
    uint64_t end = layout->table_offset + (uint64_t)layout->section_count * layout->entry_size;
    for (size_t i = 0; i < count; i++) {
        if (spans[i].begin < end)
            facet_tally_hit(&overlaps, spans[i].begin);
        else if (spans[i].begin > end)
            facet_tally_hit(&gaps, end);
        end = spans[i].end > end ? spans[i].end : end;
    }
    if (end < layout->size)
        facet_tally_hit(&gaps, end);
    facet_report_add_tally(report, "BPX-SECTION-OVERLAP", FACET_SEVERITY_WARNING, overlaps.first,
                           &overlaps, "two sections share the bytes at offset %" PRIu64,
                           overlaps.first);
    facet_report_add_tally(report, "BPX-SECTION-GAP", FACET_SEVERITY_NOTE, gaps.first, &gaps,
                           "the bytes from offset %" PRIu64 " on belong to no section", gaps.first);
    facet_arena_release(arena, spans, layout->section_count, sizeof *spans);
    return FACET_OK;
}

/* -- Sections of a type ------------------------------------------------- */

static void check_number(const facet_bpx *document, uint8_t type, bool required, bool single,
                         bool strict, facet_report *report)
{
    uint32_t first = 0, count = facet_bpx_count(document, type, &first);
    const char *name = facet_bpx_section_name(document->revision, document->type, type);
    if (required && count == 0)
        facet_report_add(report, "BPX-SECTION-MISSING", FACET_SEVERITY_ERROR, FACET_NO_OFFSET,
                         "section %s is missing", name);
    if (single && count > 1)
        facet_report_add(report, "BPX-SECTION-DUP",
                         strict ? FACET_SEVERITY_ERROR : FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "there are %" PRIu32 " sections %s, expected one", count, name);
}

static void check_numbers(const facet_bpx *document, facet_report *report)
{
    if (document->type == 'T') {
        check_number(document, FACET_BPX_PIXELS, true, true, true, report);
    } else if (document->type == 'M') {
        check_number(document, FACET_BPX_VERTEX_FORMAT, true, true, true, report);
        check_number(document, FACET_BPX_VERTEX_ARRAY, true, false, false, report);
        for (uint8_t type = FACET_BPX_BONES; type <= FACET_BPX_STRINGS; type++)
            check_number(document, type, false, true, false, report);
    } else if (document->type == 'S') {
        check_number(document, FACET_BPX_SHADER, true, false, false, report);
        for (uint8_t type = FACET_BPX_ASSEMBLY_DX; type <= FACET_BPX_ASSEMBLY_LAST; type++)
            check_number(document, type, type == FACET_BPX_ASSEMBLY_GL, true, false, report);
    } else if (document->section_count == 0) {
        facet_report_add(report, "BPX-SECTION-MISSING", FACET_SEVERITY_NOTE, FACET_NO_OFFSET,
                         "the file has no sections");
    }
}

/* -- Contents ----------------------------------------------------------- */

static void check_stream(const facet_bpx_layout *layout, const facet_bpx_section *s,
                         const facet_bpx_contents *c, size_t consumed, facet_report *report)
{
    if (s->compression == FACET_BPX_ZLIB && layout->revision == FACET_BPX_0A) {
        if (consumed != s->stored_size && c->size == s->stored_size)
            facet_report_add(report, "BPX-ZLIB-SIZE", FACET_SEVERITY_WARNING, s->offset,
                             "section %" PRIu32 " is stated with its uncompressed size",
                             s->index + 1);
        else if (consumed < s->stored_size)
            facet_report_add(report, "BPX-ZLIB-TAIL", FACET_SEVERITY_WARNING, s->offset + consumed,
                             "%zu bytes of section %" PRIu32 " follow its stream",
                             s->stored_size - consumed, s->index + 1);
    }
    facet_bpx_sum sum = facet_bpx_section_sum(layout, s, c->data, c->size);
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

/* True if an error belongs to the input and becomes a finding. Other errors end the check. */
static bool is_finding(facet_status status, const facet_error *fault)
{
    return status == FACET_ERROR_MALFORMED || status == FACET_ERROR_LIMIT ||
           (facet_lacks_memory(status) && strcmp(fault->rule, "BPX-ZLIB-BOMB") == 0);
}

static facet_status check_contents(facet_bpx *document, const facet_bpx_layout *layout,
                                   const facet_options *options, facet_report *report,
                                   facet_error *error)
{
    facet_status status = FACET_OK;
    uint64_t total = 0;
    for (uint32_t i = 0; i < layout->section_count; i++) {
        facet_bpx_section s = facet_bpx_section_at(layout, i);
        facet_error fault;
        size_t consumed = 0;
        if (facet_bpx_place_fault(layout, i, NULL))
            continue;
        status = facet_step(options, "check", (double)i / layout->section_count, error);
        if (status)
            return status;
        status = facet_bpx_inflate(document->arena, layout, &s, &document->sections[i], &consumed,
                                   &fault);
        if (status && !is_finding(status, &fault)) {
            if (error)
                *error = fault;
            return status;
        }
        if (status)
            facet_report_add_fault(report, &fault, "BPX-ZLIB");
        else
            check_stream(layout, &s, &document->sections[i], consumed, report);
        total += document->sections[i].size;
        if (total / 1032 > layout->size) {
            facet_report_add(report, "BPX-ZLIB-BOMB", FACET_SEVERITY_ERROR, s.offset,
                             "the sections hold more than 1,032 times the file");
            return FACET_OK;
        }
    }
    bool ours = layout->revision == FACET_BPX_0A;
    if (ours && layout->type == 'T')
        facet_bpx_check_texture(document, report);
    else if (ours && layout->type == 'M')
        return facet_bpx_check_model(document, layout, report, error);
    else if (ours && layout->type == 'S')
        facet_bpx_check_shaders(document, report);
    return FACET_OK;
}

/* -- All checks -------------------------------------------------------- */

facet_status facet_bpx_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_bpx *document = NULL;
    facet_bpx_layout layout;
    facet_error fault;
    if (facet_bpx_view_header(source->data, source->size, &layout, &fault)) {
        facet_report_add_fault(report, &fault, "BPX");
        return FACET_OK;
    }
    check_type(&layout, report);
    check_sum(&layout, report);
    check_size(&layout, report);
    for (uint32_t i = 0; i < layout.section_count; i++)
        check_section(&layout, i, report);
    TRY(facet_bpx_begin(&layout, options, &document, error));
    if (layout.revision == FACET_BPX_0A)
        check_numbers(document, report);
    facet_status status = check_layout(document->arena, &layout, report, error);
    if (!status)
        status = check_contents(document, &layout, options, report, error);
    facet_bpx_free(document);
    return status;
}
