/* formats/iqm/check.c - the rules of the header, the sections and their bytes, and the order of the
 * other checks. */
#include "formats/iqm/check.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>

/* -- Header ------------------------------------------------------------- */

/* Check the header. False if the rest of the file has no meaning. */
static bool check_header(facet_iqm_checker *c, const facet_source *source)
{
    facet_error error;
    facet_iqm_layout *layout = &c->layout;
    const char *rule = facet_iqm_parse_header(source->data, source->size, layout, &error);
    if (rule) {
        facet_report_add(c->report, rule, FACET_SEVERITY_ERROR, error.offset, "%s", error.message);
        return false;
    }
    if (layout->version == 1)
        facet_report_add(c->report, "IQM-VERSION-1", FACET_SEVERITY_NOTE, FACET_IQM_AT_VERSION,
                         "the version is 1, which many programs do not read");
    if (layout->file_size != layout->size)
        facet_report_add(c->report, "IQM-FILE-SIZE", FACET_SEVERITY_WARNING, FACET_IQM_AT_FILE_SIZE,
                         "the header gives a file of %" PRIu32 " bytes, and it has %" PRIu64,
                         layout->file_size, (uint64_t)layout->size);
    if (layout->flags != 0)
        facet_report_add(c->report, "IQM-FLAGS", FACET_SEVERITY_NOTE, FACET_IQM_AT_FLAGS,
                         "the header has the flags 0x%" PRIX32 ", expected 0", layout->flags);
    return true;
}

/* -- Sections ----------------------------------------------------------- */

static bool check_section(facet_iqm_checker *c, facet_iqm_section section)
{
    const facet_iqm_section_info *info = &facet_iqm_section_infos[section];
    facet_error error;
    uint32_t count = facet_load_u32le(c->layout.data + info->count_at);
    uint32_t offset = c->layout.offset[section];
    const char *rule = facet_iqm_locate(&c->layout, section, &error);
    if (rule)
        facet_report_add(c->report, rule, FACET_SEVERITY_ERROR, error.offset, "%s", error.message);
    if (count > 0 && offset % 4 != 0)
        facet_report_add(c->report, "IQM-ALIGN", FACET_SEVERITY_WARNING, info->offset_at,
                         "the offset of the %s is %" PRIu32 ", expected a multiple of 4",
                         info->name, offset);
    if (count == 0 && offset != 0)
        facet_report_add(c->report, "IQM-EMPTY-OFFSET", FACET_SEVERITY_NOTE, info->offset_at,
                         "the offset of the %s is %" PRIu32 ", expected 0 for an empty section",
                         info->name, offset);
    return !rule;
}

/* Maximum padding of sections: they are aligned to 8 bytes. */
#define MAX_PADDING 7

static void check_gap(facet_iqm_checker *c, uint64_t begin, uint64_t end)
{
    uint64_t size = end - begin;
    if (end == c->layout.size)
        facet_report_add(c->report, "IQM-TRAILING", FACET_SEVERITY_NOTE, begin,
                         "%" PRIu64 " byte%s the last section", size,
                         facet_plural(size, " follows", "s follow"));
    else if (size > MAX_PADDING || facet_iqm_find_nonzero(c->layout.data + begin, size) < size)
        facet_report_add(c->report, "IQM-GAP", FACET_SEVERITY_NOTE, begin,
                         "%" PRIu64 " byte%s between the sections %s to none", size,
                         facet_plural(size, "", "s"), facet_plural(size, "belongs", "belong"));
}

static facet_status check_blocks(facet_iqm_checker *c)
{
    facet_iqm_block *blocks;
    size_t count;
    uint64_t end = FACET_IQM_HEADER_SIZE;
    const char *before = "header";
    facet_tally overlaps = {0, 0};
    const char *names[2] = {"", ""};
    TRY(facet_iqm_list_blocks(&c->layout, c->arena, &blocks, &count, c->error));
    for (size_t i = 0; i < count; i++) {
        if (blocks[i].begin < end) {
            if (overlaps.count == 0) {
                names[0] = before;
                names[1] = blocks[i].name;
            }
            facet_tally_hit(&overlaps, blocks[i].begin);
        } else if (blocks[i].begin > end) {
            check_gap(c, end, blocks[i].begin);
        }
        if (blocks[i].end > end) {
            end = blocks[i].end;
            before = blocks[i].name;
        }
    }
    if (end < c->layout.size)
        check_gap(c, end, c->layout.size);
    facet_report_add_tally(c->report, "IQM-OVERLAP", FACET_SEVERITY_WARNING, overlaps.first,
                           &overlaps, "%s and %s share bytes", names[0], names[1]);
    return FACET_OK;
}

static void check_text(facet_iqm_checker *c)
{
    const char *text = (const char *)c->layout.raw[FACET_IQM_TEXT];
    uint32_t size = c->layout.count[FACET_IQM_TEXT];
    uint64_t at = c->layout.offset[FACET_IQM_TEXT];
    if (!text)
        return;
    if (text[0] != '\0')
        facet_report_add(c->report, "IQM-TEXT-START", FACET_SEVERITY_WARNING, at,
                         "the text begins with byte 0x%02X, expected the empty string",
                         (unsigned)(uint8_t)text[0]);
    if (text[size - 1] != '\0')
        facet_report_add(c->report, "IQM-TEXT-END", FACET_SEVERITY_WARNING, at + size - 1,
                         "the last string of the text has no NUL");
    if (!facet_utf8_valid(text, size))
        facet_report_add(c->report, "IQM-TEXT-UTF8", FACET_SEVERITY_WARNING, at,
                         "the text is not valid UTF-8");
}

/* -- Vertex arrays ------------------------------------------------------ */

static void check_array(facet_iqm_checker *c, uint32_t index, uint32_t before, uint32_t *seen)
{
    /* Recommended format and size, by type. */
    static const struct {
        uint32_t format, size;
    } usual[] = {{FACET_IQM_FLOAT32, 3}, {FACET_IQM_FLOAT32, 2}, {FACET_IQM_FLOAT32, 3},
                 {FACET_IQM_FLOAT32, 4}, {FACET_IQM_UINT8, 4},   {FACET_IQM_UINT8, 4},
                 {FACET_IQM_UINT8, 4}};
    facet_iqm_array array;
    uint64_t at = facet_iqm_record_offset(&c->layout, FACET_IQM_ARRAYS, index);
    facet_iqm_load_array(&c->layout, index, &array);
    uint32_t align = facet_iqm_component_size(array.format) > 4 ? 8 : 4;
    if (array.flags != 0)
        facet_report_add(c->report, "IQM-FLAGS", FACET_SEVERITY_NOTE, at + 4,
                         "vertex array %" PRIu32 " has the flags 0x%" PRIX32 ", expected 0", index,
                         array.flags);
    if (array.type > FACET_IQM_COLOR && array.type < FACET_IQM_CUSTOM)
        facet_report_add(c->report, "IQM-ARRAY-TYPE", FACET_SEVERITY_WARNING, at,
                         "vertex array %" PRIu32 " has the reserved type %" PRIu32
                         ", expected 0 to 6, or 16 and above",
                         index, array.type);
    if (array.type <= FACET_IQM_COLOR &&
        (array.format != usual[array.type].format || array.size != usual[array.type].size))
        facet_report_add(c->report, "IQM-ARRAY-UNUSUAL", FACET_SEVERITY_NOTE, at + 8,
                         "vertex array %" PRIu32 " of type %" PRIu32 " has format %" PRIu32
                         " and %" PRIu32 " components; portable files have %" PRIu32
                         " and %" PRIu32,
                         index, array.type, array.format, array.size, usual[array.type].format,
                         usual[array.type].size);
    if (c->layout.vertex_count > 0 && array.offset % align != 0)
        facet_report_add(c->report, "IQM-ALIGN", FACET_SEVERITY_WARNING, at + 16,
                         "vertex array %" PRIu32 " begins at offset %" PRIu32
                         ", expected a multiple of %" PRIu32,
                         index, array.offset, align);
    if (array.type < before)
        facet_report_add(c->report, "IQM-ARRAY-ORDER", FACET_SEVERITY_WARNING, at,
                         "vertex array %" PRIu32 " of type %" PRIu32 " follows one of type %" PRIu32
                         ", expected ascending types",
                         index, array.type, before);
    if (array.type <= FACET_IQM_COLOR && *seen >> array.type & 1)
        facet_report_add(c->report, "IQM-ARRAY-DUPLICATE", FACET_SEVERITY_WARNING, at,
                         "vertex array %" PRIu32 " is another one of type %" PRIu32, index,
                         array.type);
    if (array.type <= FACET_IQM_COLOR)
        *seen |= UINT32_C(1) << array.type;
}

static void check_arrays(facet_iqm_checker *c)
{
    uint32_t seen = 0, before = 0;
    for (uint32_t i = 0; i < c->layout.count[FACET_IQM_ARRAYS]; i++) {
        facet_iqm_array array;
        check_array(c, i, before, &seen);
        facet_iqm_load_array(&c->layout, i, &array);
        /* Custom arrays can have any order. */
        before = array.type < FACET_IQM_CUSTOM ? array.type : FACET_IQM_CUSTOM;
    }
    bool indexes = seen >> FACET_IQM_BLEND_INDEXES & 1,
         weights = seen >> FACET_IQM_BLEND_WEIGHTS & 1;
    uint64_t at = facet_iqm_section_infos[FACET_IQM_ARRAYS].count_at;
    if (c->layout.vertex_count > 0 && !(seen & 1))
        facet_report_add(c->report, "IQM-POSITION-MISSING", FACET_SEVERITY_ERROR, at,
                         "the file has %" PRIu32 " vertices, but no array of positions",
                         c->layout.vertex_count);
    if (c->layout.vertex_count > 0 &&
        (indexes != weights || (!indexes && c->layout.count[FACET_IQM_JOINTS] > 0)))
        facet_report_add(
            c->report, "IQM-BLEND-MISSING", FACET_SEVERITY_WARNING, at,
            "the file has %s blend indexes and %s blend weights for its %" PRIu32 " joints",
            indexes ? "" : "no", weights ? "" : "no", c->layout.count[FACET_IQM_JOINTS]);
}

/* -- All checks -------------------------------------------------------- */

static void check_extensions(facet_iqm_checker *c)
{
    uint32_t count = c->layout.count[FACET_IQM_EXTENSIONS];
    if (count > 0)
        facet_report_add(c->report, "IQM-EXTENSION-PRESENT", FACET_SEVERITY_NOTE,
                         facet_iqm_section_infos[FACET_IQM_EXTENSIONS].count_at,
                         "the file has %" PRIu32 " extension%s, which Facet only copies", count,
                         facet_plural(count, "", "s"));
}

static void check_contents(facet_iqm_checker *c)
{
    bool empty = c->layout.count[FACET_IQM_TRIANGLES] == 0;
    for (int part = 0; part < FACET_IQM_PART_COUNT; part++) {
        facet_error error;
        /* Blend indexes are in vertex arrays. */
        bool able = part != FACET_IQM_PART_BLENDS || c->whole[FACET_IQM_PART_ARRAYS];
        c->whole[part] = able && !facet_iqm_parts[part].verify(&c->layout, &error);
        if (able && !c->whole[part])
            facet_report_add(c->report, error.rule, FACET_SEVERITY_ERROR, error.offset, "%s",
                             error.message);
    }
    if (empty && c->layout.count[FACET_IQM_ANIMATIONS] == 0)
        facet_report_add(c->report, "IQM-EMPTY", FACET_SEVERITY_WARNING,
                         facet_iqm_section_infos[FACET_IQM_TRIANGLES].count_at,
                         "the file has no triangles and no animations");
}

static facet_status check_all(facet_iqm_checker *c)
{
    bool inside = true;
    for (int section = 0; section < FACET_IQM_SECTION_COUNT; section++)
        inside = check_section(c, (facet_iqm_section)section) && inside;
    if (!inside)
        return FACET_OK;
    TRY(facet_iqm_check_name_growth(&c->layout, c->options, c->error));
    TRY(check_blocks(c));
    check_text(c);
    check_arrays(c);
    check_extensions(c);
    check_contents(c);
    TRY(facet_step(c->options, "check", 0.2, c->error));
    TRY(facet_iqm_check_vertices(c));
    TRY(facet_step(c->options, "check", 0.5, c->error));
    TRY(facet_iqm_check_triangles(c));
    TRY(facet_step(c->options, "check", 0.8, c->error));
    return facet_iqm_check_motion(c);
}

facet_status facet_iqm_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error)
{
    facet_iqm_checker c = {.report = report, .options = options, .error = error};
    if (!check_header(&c, source))
        return facet_report_status(report, error);
    TRY(facet_arena_create(options, &c.arena, error));
    facet_status status = check_all(&c);
    facet_arena_free(c.arena);
    return status ? status : facet_report_status(report, error);
}
