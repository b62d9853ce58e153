/* formats/bga/remarks.c - warnings and notes for lines that the parser accepts or ignores. */
#include "base/error.h"
#include "base/report.h"
#include "formats/bga/bga.h"
#include "formats/bga/document.h"
#include "formats/bga/lines.h"

#include <inttypes.h>

typedef struct remarks {
    const facet_bga *bga;
    facet_report *report;
    uint64_t offset;
    uint32_t line;
    bool counted[FACET_BGA_MAX_BUFFERS];
    bool has_endianness, is_big;
} remarks;

/* True for a line that begins like a directive, but is not one. */
static bool resembles_directive(facet_bga_span line)
{
    static const char *const others[] = {"little", "big", "attribute"};
    facet_bga_take(&line, facet_bga_is_space);
    facet_bga_span digits = facet_bga_take(&line, facet_bga_is_digit);
    if (digits.length > 0)
        return facet_bga_take(&line, facet_bga_is_space).length > 0;
    facet_bga_span word = facet_bga_take(&line, facet_bga_is_word);
    bool known = false;
    for (int type = FACET_BGA_FLOAT; type <= FACET_BGA_INT32 && !known; type++)
        known = facet_bga_name_is(word.at, word.length, facet_bga_type_name((facet_bga_type)type));
    for (size_t i = 0; i < sizeof others / sizeof *others && !known; i++)
        known = facet_bga_name_is(word.at, word.length, others[i]);
    return known;
}

static void remark_other(const remarks *r, facet_bga_span line)
{
    facet_quoted quoted;
    facet_quote(&quoted, line.at, line.length);
    if (facet_bga_ends(line))
        return;
    if (resembles_directive(line))
        facet_report_add(r->report, "BGA-LINE-SUSPECT", FACET_SEVERITY_WARNING, r->offset,
                         "line %" PRIu32 ", '%s', resembles a directive but is not one", r->line,
                         quoted.text);
    else
        facet_report_add(r->report, "BGA-LINE-UNKNOWN", FACET_SEVERITY_NOTE, r->offset,
                         "line %" PRIu32 ", '%s', is not known", r->line, quoted.text);
}

static void remark_endianness(remarks *r, bool big)
{
    if (r->has_endianness && big == r->is_big)
        facet_report_add(r->report, "BGA-ENDIAN-DUP", FACET_SEVERITY_WARNING, r->offset,
                         "line %" PRIu32 " gives the endianness a second time", r->line);
    r->has_endianness = true;
    r->is_big = big;
}

static void remark_repeat(const remarks *r, facet_bga_span repeat)
{
    uint64_t number = 1;
    if (repeat.length > 0 && facet_bga_number_of(repeat, UINT64_MAX, &number) && number == 0)
        facet_report_add(r->report, "BGA-REPEAT-ZERO", FACET_SEVERITY_WARNING, r->offset,
                         "line %" PRIu32 " declares an attribute of no values, which is left out",
                         r->line);
}

static void remark_count(remarks *r, facet_bga_span name)
{
    facet_quoted quoted;
    facet_quote(&quoted, name.at, name.length);
    for (uint32_t i = 0; i < r->bga->buffer_count; i++) {
        const facet_bga_buffer *buffer = &r->bga->buffers[i];
        if (!facet_bga_same(buffer->name, buffer->name_length, name))
            continue;
        if (r->counted[i])
            facet_report_add(r->report, "BGA-COUNT-DUP", FACET_SEVERITY_WARNING, r->offset,
                             "line %" PRIu32
                             " counts buffer '%s' a second time; the last count is used",
                             r->line, quoted.text);
        r->counted[i] = true;
        return;
    }
    if (memchr(name.at, '/', name.length))
        facet_report_add(r->report, "BGA-LINE-SUSPECT", FACET_SEVERITY_WARNING, r->offset,
                         "line %" PRIu32 " glues a comment to the name of a buffer", r->line);
    else
        facet_report_add(r->report, "BGA-COUNT-ORPHAN", FACET_SEVERITY_NOTE, r->offset,
                         "buffer '%s' is counted but has no attributes", quoted.text);
}

static void remark_line(remarks *r, facet_bga_span line, bool version_1)
{
    facet_bga_attribute_line attribute;
    facet_bga_span digits, name, type;
    bool big;
    if (facet_bga_scan_endianness(line, &big))
        remark_endianness(r, big);
    else if (version_1 ? facet_bga_scan_attribute_1(line, &attribute)
                       : facet_bga_scan_attribute(line, &attribute))
        remark_repeat(r, attribute.repeat);
    else if (version_1 ? facet_bga_scan_count_1(line, &digits, &name, &type)
                       : facet_bga_scan_count(line, &digits, &name))
        remark_count(r, name);
    else
        remark_other(r, line);
}

static void remark_version(const facet_bga *bga, facet_report *report)
{
    facet_quoted quoted;
    facet_quote(&quoted, bga->version, bga->version_length);
    if (bga->version_length >= 2 && memcmp(bga->version, "1.", 2) == 0)
        facet_report_add(report, "BGA-VERSION-1", FACET_SEVERITY_WARNING, 4,
                         "version %s is superseded by 2.0", quoted.text);
    else if (bga->version_length >= 2 && memcmp(bga->version, "2.", 2) == 0 &&
             !facet_bga_name_is(bga->version, bga->version_length, "2.0"))
        facet_report_add(report, "BGA-VERSION-MINOR", FACET_SEVERITY_NOTE, 4,
                         "version %s is read as 2.0", quoted.text);
}

void facet_bga_remark(const facet_bga *bga, facet_report *report)
{
    remarks r;
    memset(&r, 0, sizeof r);
    r.bga = bga;
    r.report = report;
    bool version_1 = bga->version_length >= 2 && memcmp(bga->version, "1.", 2) == 0;
    const char *text = (const char *)bga->data, *end = text + bga->header_size, *next;
    remark_version(bga, report);
    for (const char *at = text; at < end; at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        facet_bga_span line = {at, (size_t)(next - at)};
        if (line.length > 0 && at[line.length - 1] == '\r')
            line.length--;
        r.offset = (uint64_t)(at - text);
        if (r.line++ > 0)
            remark_line(&r, line, version_1);
    }
    for (uint32_t i = 0; i < bga->buffer_count; i++) {
        facet_quoted quoted;
        if (!r.counted[i])
            facet_report_add(
                report, "BGA-COUNT-MISSING", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                "buffer '%s' has no count line; no records are assumed",
                facet_quote(&quoted, bga->buffers[i].name, bga->buffers[i].name_length));
    }
    if (bga->order_differs)
        facet_report_add(report, "BGA-ORDER-MISMATCH", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                         "count lines and attribute lines order the buffers differently; the data "
                         "are read in the order of the %s lines",
                         bga->declaration_order ? "attribute" : "count");
}

facet_status facet_bga_view_reported(const facet_source *source, const facet_options *options,
                                     facet_bga *bga, facet_error *error)
{
    facet_status status = facet_bga_view(source->data, source->size, NULL, bga, error);
    if (!status && options && options->report)
        facet_bga_remark(bga, options->report);
    return status;
}
