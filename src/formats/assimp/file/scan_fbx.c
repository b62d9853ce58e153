/* formats/assimp/file/scan_fbx.c - a scan of a binary or text FBX before assimp reads it. It
 * finds properties that assimp drops without a message, and records that are nested too deeply. */
#include "base/bytes.h"
#include "base/numbers.h"
#include "base/report.h"
#include "formats/assimp/file/fbx_edits.h"
#include "formats/assimp/file/fbx_old.h"
#include "formats/assimp/file/scan.h"

#include <math.h>
#include <string.h>

/* -- Findings ----------------------------------------------------------- */

enum { WRAP, SWAP, PARALLEL, FINDING_COUNT };

static const struct {
    const char *rule, *sentence;
} findings[FINDING_COUNT] = {
    {"LOSS-TEXTURES", "the wrap mode of a texture is not read: the texture repeats"},
    {"LOSS-TEXTURES", "the exchanged coordinates of a texture (UVSwap) are not read"},
    {"LOSS-CAMERA", "an orthographic camera is read as a perspective one"},
};

typedef struct text {
    const uint8_t *at;
    size_t size;
} text;

typedef struct fbx_scanner {
    const uint8_t *data;
    size_t size;
    text object;    /* name of the record of the current object */
    uint64_t where; /* line, or offset in a binary file */
    facet_tally tallies[FINDING_COUNT];
} fbx_scanner;

static bool is(text t, const char *name)
{
    return t.size == strlen(name) && memcmp(t.at, name, t.size) == 0;
}

/* Examine a property of the current object. */
static void check_property(fbx_scanner *s, text name, double value)
{
    static const struct {
        const char *object, *name;
        int finding;
    } rules[] = {{"Texture", "WrapModeU", WRAP},
                 {"Texture", "WrapModeV", WRAP},
                 {"Texture", "UVSwap", SWAP},
                 {"NodeAttribute", "CameraProjectionType", PARALLEL}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (is(s->object, rules[i].object) && is(name, rules[i].name) && value != 0)
            facet_tally_hit(&s->tallies[rules[i].finding], s->where);
    }
}

/* -- Binary ------------------------------------------------------------- */

#define HEADER_SIZE 27
#define TOO_DEEP "%s are nested more than " FACET_ASSIMP_MAX_DEPTH_TEXT " levels deep"

/* Read a value, or skip it; false at the end or at an array. */
static bool next_value(const uint8_t **at, const uint8_t *end, text *string, double *number)
{
    if (end - *at < 5)
        return false;
    const uint8_t *value = *at + 1;
    size_t left = (size_t)(end - value), size = 0;
    string->size = 0;
    switch (**at) {
    case 'S':
        string->at = value + 4;
        string->size = facet_load_u32le(value);
        if (string->size > left - 4)
            return false;
        size = 4 + string->size;
        break;
    case 'I':
        *number = (int32_t)facet_load_u32le(value);
        size = 4;
        break;
    case 'D':
        size = 8;
        if (left >= size) {
            uint64_t bits = facet_load_u64le(value);
            memcpy(number, &bits, sizeof bits);
        }
        break;
    default:
        return false;
    }
    *at = value + size;
    return size <= left;
}

/* Examine the values of a record. */
static void check_record(fbx_scanner *s, text name, const uint8_t *at, const uint8_t *end)
{
    if (is(name, "P")) {
        text own = {at, 0}, other = {at, 0};
        double number = 0;
        bool good = next_value(&at, end, &own, &number);
        for (int i = 0; good && i < 3; i++) /* type, label, flags */
            good = next_value(&at, end, &other, &number);
        if (good && next_value(&at, end, &other, &number))
            check_property(s, own, number);
    }
}

static void scan_binary(fbx_scanner *s)
{
    bool wide = facet_load_u32le(s->data + HEADER_SIZE - 4) >= 7500;
    size_t head = wide ? 25 : 13, at = HEADER_SIZE, top = 0, object = 0;
    while (s->size - at >= head) {
        const uint8_t *record = s->data + at;
        uint64_t end = wide ? facet_load_u64le(record) : facet_load_u32le(record);
        uint64_t bytes = wide ? facet_load_u64le(record + 16) : facet_load_u32le(record + 8);
        text name = {record + head, record[head - 1]};
        if (end == 0) { /* the end of a list */
            if (at >= top)
                return;
            at += head;
            continue;
        }
        size_t values = at + head + name.size;
        if (end > s->size || end < values || bytes > end - values)
            return; /* assimp refuses the file */
        s->where = at;
        if (at >= top) {
            top = (size_t)end;
            s->object.size = 0;
        } else if (at >= object) {
            object = (size_t)end;
            s->object = name;
        }
        check_record(s, name, s->data + values, s->data + values + bytes);
        at = values + (size_t)bytes; /* its list, or the next record */
    }
}

/* A record that contains a list, as assimp reads it: from `at` to the next record or list. */
typedef struct fbx_depth {
    uint64_t ends[FACET_ASSIMP_MAX_DEPTH]; /* of the lists around `at` */
    size_t depth;
} fbx_depth;

/* Read the record at *at, which ends before `limit`. False if assimp rejects it. *end is the end of
 * its list, 0 without a list. */
static bool next_record(const fbx_scanner *s, bool wide, uint64_t limit, size_t *at, uint64_t *end)
{
    size_t word = wide ? 8 : 4, head = 3 * word + 1;
    if (limit - *at < head)
        return false;
    const uint8_t *record = s->data + *at;
    uint64_t values = wide ? facet_load_u64le(record + 16) : facet_load_u32le(record + 8);
    *end = wide ? facet_load_u64le(record) : facet_load_u32le(record);
    uint64_t left = *end <= limit && *end >= *at + head ? *end - *at - head : 0;
    uint8_t name = record[head - 1];
    if (name > left || values > left - name)
        return false;
    left -= name + values;
    *at = (size_t)(*end - left);
    if (left == 0)
        *end = 0;
    return left == 0 || left >= head; /* each list ends with an empty record */
}

/* Reject records that are nested too deeply. Iterates over records exactly as assimp does, also
 * over empty ones, so that no record is hidden from this function. */
static facet_status check_binary_depth(const fbx_scanner *s, facet_error *error)
{
    bool wide = facet_load_u32le(s->data + HEADER_SIZE - 4) >= 7500;
    size_t word = wide ? 8 : 4, head = 3 * word + 1, at = HEADER_SIZE;
    fbx_depth lists = {.depth = 0};
    while (at < s->size || lists.depth > 0) {
        uint64_t limit = lists.depth > 0 ? lists.ends[lists.depth - 1] - head : s->size, end;
        if (lists.depth > 0 && at >= limit) {
            if (at > limit)
                return FACET_OK; /* assimp rejects the file, also below */
            at += head;
            lists.depth--;
            continue;
        }
        if (limit - at < word)
            return FACET_OK;
        end = wide ? facet_load_u64le(s->data + at) : facet_load_u32le(s->data + at);
        if (end == 0 && lists.depth == 0)
            return FACET_OK;
        if (end == 0) {
            at += word;
            continue;
        }
        size_t begin = at;
        if (!next_record(s, wide, limit, &at, &end))
            return FACET_OK;
        if (end > 0 && lists.depth == FACET_ASSIMP_MAX_DEPTH)
            return facet_fail(error, FACET_ERROR_UNSUPPORTED, "ASSIMP", begin, TOO_DEEP, "records");
        if (end > 0)
            lists.ends[lists.depth++] = end;
    }
    return FACET_OK;
}

/* -- Text --------------------------------------------------------------- */

/* Reject scopes that are nested too deeply. Quotes and comments are those of assimp: a quoted text
 * can have several lines, and a comment ends with the line. */
static facet_status check_text_depth(const fbx_scanner *s, facet_error *error)
{
    bool quoted = false, comment = false;
    uint64_t line = 1;
    size_t depth = 0;
    for (size_t i = 0; i < s->size && s->data[i] != 0; i++) {
        uint8_t c = s->data[i];
        line += c == '\n';
        if (c == '\n' || c == '\r' || c == '\f')
            comment = false;
        else if (comment)
            continue;
        else if (c == '"')
            quoted = !quoted;
        else if (quoted)
            continue;
        else if (c == ';')
            comment = true;
        else if (c == '{' && ++depth > FACET_ASSIMP_MAX_DEPTH)
            return facet_fail_line(error, FACET_ERROR_UNSUPPORTED, "ASSIMP", line, TOO_DEEP,
                                   "scopes");
        else if (c == '}' && depth > 0)
            depth--;
    }
    return FACET_OK;
}

/* A number at the end of a line; 0 for other text. */
static double number_of(const uint8_t *at, size_t size)
{
    const uint8_t *end = at + size;
    double value = 0;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    return facet_number_parse_double(at, end, &value) || !isnan(value) ? value : 0;
}

/* Examine a line "P: "name", "type", "label", "flags",value". */
static void check_line(fbx_scanner *s, text line)
{
    const uint8_t *quotes[8];
    size_t count = 0;
    for (size_t i = 0; i < line.size && count < 8; i++) {
        if (line.at[i] == '"')
            quotes[count++] = line.at + i;
    }
    if (count < 8)
        return;
    text name = {quotes[0] + 1, (size_t)(quotes[1] - quotes[0]) - 1};
    const uint8_t *value = quotes[7] + 1, *end = line.at + line.size;
    while (value < end && (*value == ',' || *value == ' '))
        value++;
    check_property(s, name, number_of(value, (size_t)(end - value)));
}

static bool begins(text line, const char *word)
{
    return line.size >= strlen(word) && memcmp(line.at, word, strlen(word)) == 0;
}

static void scan_text(fbx_scanner *s)
{
    const uint8_t *at = s->data, *end = s->data + s->size;
    size_t depth = 0;
    for (s->where = 1; at < end; s->where++) {
        const uint8_t *next = memchr(at, '\n', (size_t)(end - at));
        text line = {at, (size_t)((next ? next : end) - at)};
        at = next ? next + 1 : end;
        while (line.size > 0 && (*line.at == ' ' || *line.at == '\t'))
            line.at++, line.size--;
        if (begins(line, ";"))
            continue;
        const uint8_t *colon = memchr(line.at, ':', line.size);
        if (depth == 1 && colon)
            s->object = (text){line.at, (size_t)(colon - line.at)};
        if (begins(line, "P:"))
            check_line(s, line);
        bool quoted = false;
        for (size_t i = 0; i < line.size; i++) {
            quoted ^= line.at[i] == '"';
            if (!quoted && line.at[i] == '{')
                depth++;
            else if (!quoted && line.at[i] == '}' && depth > 0)
                depth--;
        }
    }
}

static bool is_binary_file(const uint8_t *data, size_t size)
{
    static const char magic[] = "Kaydara FBX Binary";
    return size >= sizeof magic - 1 && memcmp(data, magic, sizeof magic - 1) == 0;
}

/* Read the objects, and replace values that assimp reads wrongly. */
static facet_status read_objects(const uint8_t **data, size_t *size, facet_arena *scratch,
                                 const facet_options *options, facet_report *report,
                                 facet_fbx **fbx, facet_error *error)
{
    facet_fbx *made = facet_arena_allocate(scratch, 1, sizeof *made);
    if (!made)
        return facet_fail_arena(scratch, error);
    TRY(facet_fbx_open(made, *data, *size, scratch, error));
    TRY(facet_fbx_check_version(made, error));
    TRY(facet_fbx_check_nodes(made, error));
    made->key_budget = facet_arena_allocate(scratch, 1, sizeof *made->key_budget);
    if (!made->key_budget)
        return facet_fail_arena(scratch, error);
    *made->key_budget = facet_budget_of(options, *size, FACET_BUDGET_FILES);
    facet_budget *budget = made->key_budget;
    const uint8_t *given = *data;
    TRY(facet_fbx_copy_geometries(made, data, size, error));
    if (*data != given) {
        TRY(facet_fbx_open(made, *data, *size, scratch, error));
        made->key_budget = budget;
    }
    TRY(facet_fbx_rename_nodes(made, report, error));
    TRY(facet_fbx_patch(made, data, size, options, report, error));
    *fbx = made;
    return FACET_OK;
}

static facet_status scan(const uint8_t **data, size_t *size, facet_arena *scratch,
                         const facet_options *options, facet_report *report, facet_fbx **fbx,
                         facet_error *error)
{
    fbx_scanner s = {.data = *data, .size = *size, .object = {*data, 0}};
    bool is_binary = is_binary_file(*data, *size);
    TRY(read_objects(data, size, scratch, options, report, fbx, error));
    if (is_binary)
        scan_binary(&s);
    else
        scan_text(&s);
    for (int i = 0; i < FINDING_COUNT; i++) {
        const facet_tally *tally = &s.tallies[i];
        if (is_binary)
            facet_report_add_tally(report, findings[i].rule, FACET_SEVERITY_WARNING, tally->first,
                                   tally, "%s", findings[i].sentence);
        else
            facet_report_add_tally_line(report, findings[i].rule, FACET_SEVERITY_WARNING,
                                        tally->first, tally, "%s", findings[i].sentence);
    }
    return FACET_OK;
}

/* Scan a converted file. Its lines are not those of the file, so findings have none. */
static facet_status scan_converted(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   const facet_options *options, facet_report *report,
                                   facet_fbx **fbx, facet_error *error)
{
    facet_report *own = NULL;
    facet_error failed = {.status = FACET_OK};
    const fbx_scanner s = {.data = *data, .size = *size};
    TRY(check_text_depth(&s, error)); /* names of a binary file can have brackets */
    TRY(facet_report_create(NULL, &own, error));
    facet_status status = scan(data, size, scratch, options, own, fbx, &failed);
    for (size_t i = 0; i < facet_report_count(own); i++) {
        const facet_finding *finding = facet_report_get(own, i);
        const facet_tally tally = {.count = finding->count};
        const char *times = finding->count > 1 ? strrchr(finding->message, '(') : NULL;
        size_t length = times ? (size_t)(times - finding->message) - 1 : strlen(finding->message);
        facet_report_add_tally(report, finding->rule, finding->severity, FACET_NO_OFFSET, &tally,
                               "%.*s", (int)length, finding->message);
    }
    facet_report_free(own);
    failed.line = 0;
    failed.offset = FACET_NO_OFFSET;
    if (status && error)
        *error = failed;
    return status;
}

facet_status facet_assimp_scan_fbx(const uint8_t **data, size_t *size, facet_arena *scratch,
                                   const facet_options *options, facet_report *report,
                                   facet_fbx **fbx, facet_error *error)
{
    bool is_converted;
    TRY(facet_fbx_set_ends(data, *size, scratch, error));
    fbx_scanner s = {.data = *data, .size = *size, .object = {*data, 0}};
    bool is_binary = is_binary_file(*data, *size);
    if (is_binary && *size < HEADER_SIZE)
        return FACET_OK; /* assimp rejects the file */
    TRY(is_binary ? check_binary_depth(&s, error) : check_text_depth(&s, error));
    TRY(facet_fbx_convert_old(data, size, scratch, report, &is_converted, error));
    return is_converted ? scan_converted(data, size, scratch, options, report, fbx, error)
                        : scan(data, size, scratch, options, report, fbx, error);
}
