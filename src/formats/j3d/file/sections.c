/* formats/j3d/file/sections.c - the kind of a file, and its sections. */
#include "formats/j3d/file/sections.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define HEADER_SIZE 0x20
#define SECTION_HEAD 8

/* -- Names -------------------------------------------------------------- */

static const char *const names[FACET_J3D_SECTION_COUNT] = {"INF1", "VTX1", "EVP1", "DRW1", "JNT1",
                                                           "SHP1", "MAT3", "MDL3", "TEX1"};

const char *facet_j3d_section_name(facet_j3d_section_kind kind)
{
    return names[kind];
}

int facet_j3d_section_kind_at(const uint8_t *bytes)
{
    for (int i = 0; i < FACET_J3D_SECTION_COUNT; i++) {
        if (memcmp(bytes, names[i], 4) == 0)
            return i;
    }
    return memcmp(bytes, "MAT2", 4) == 0 ? FACET_J3D_MAT3 : -1;
}

/* -- Errors and findings ------------------------------------------------ */

typedef struct walk {
    const uint8_t *data;
    size_t size;
    facet_j3d_section_mode mode;
    facet_report *report;
    facet_error *error;
    facet_j3d_sections *found;
} walk;

static void add_finding(const walk *w, facet_severity severity, const char *rule, uint64_t at,
                        const char *format, va_list arguments)
{
    char sentence[sizeof w->error->message];
    vsnprintf(sentence, sizeof sentence, format, arguments);
    facet_report_add(w->report, rule, severity, at, "%s", sentence);
}

/* Report a finding. The file can still become a document. */
static void tell(const walk *w, facet_severity severity, const char *rule, uint64_t at,
                 const char *format, ...) FACET_PRINTF(5, 6);
static void tell(const walk *w, facet_severity severity, const char *rule, uint64_t at,
                 const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_finding(w, severity, rule, at, format, arguments);
    va_end(arguments);
}

/* Report an error that prevents a document. `status` is the reason. */
static facet_status refuse(const walk *w, facet_status status, const char *rule, uint64_t at,
                           const char *format, ...) FACET_PRINTF(5, 6);
static facet_status refuse(const walk *w, facet_status status, const char *rule, uint64_t at,
                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (w->mode == FACET_J3D_SECTIONS_READ) {
        facet_fail_v(w->error, status, rule, at, 0, format, arguments);
    } else {
        add_finding(w, FACET_SEVERITY_ERROR, rule, at, format, arguments);
        status = FACET_OK;
    }
    va_end(arguments);
    return status;
}

/* -- Kind of the file --------------------------------------------------- */

/* True for models of Super Mario 64 DS: little-endian, no magic number. They have a scale as a
 * power of two, then five counts, each with the offset of its table. */
static bool is_nintendo_ds(const uint8_t *data, size_t size)
{
    if (size < 0x3C || facet_load_u32le(data) > 31)
        return false;
    uint32_t bones = facet_load_u32le(data + 4);
    if (bones == 0 || bones > 4096)
        return false;
    for (size_t at = 4; at < 0x2C; at += 8) {
        uint32_t offset = facet_load_u32le(data + at + 4);
        if (offset != 0 && (offset < 0x3C || offset > size))
            return false;
    }
    return true;
}

static facet_status refuse_other(const walk *w)
{
    static const struct {
        char magic[5];
        const char *rule, *sentence;
    } others[] = {
        {"Yaz0", "J3D-COMPRESSED", "the file is compressed (Yaz0 or Yay0); unpack it first"},
        {"Yay0", "J3D-COMPRESSED", "the file is compressed (Yaz0 or Yay0); unpack it first"},
        {"LZ77", "J3D-COMPRESSED",
         "the file is compressed (LZ77), as Nintendo DS files are; unpack it first"},
        {"RARC", "J3D-COMPRESSED", "the file is an archive (RARC); take the model out of it first"},
        {"BMD0", "J3D-MAGIC",
         "the file is a Nintendo DS model (NSBMD), another format that is named .bmd, too"},
        {"J3D1", "J3D-MAGIC",
         "the file is a J3D1 file, an animation or an early model; J3D2 models are read"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others && w->size >= 4; i++) {
        if (memcmp(w->data, others[i].magic, 4) == 0)
            return refuse(w, FACET_ERROR_UNSUPPORTED, others[i].rule, 0, "%s", others[i].sentence);
    }
    if (is_nintendo_ds(w->data, w->size))
        return refuse(w, FACET_ERROR_UNSUPPORTED, "J3D-MAGIC", 0,
                      "the file is a Nintendo DS model, another format that is named .bmd, too");
    return refuse(w, FACET_ERROR_MALFORMED, "J3D-MAGIC", 0,
                  "the file does not begin with J3D2 and a type");
}

/* Find the kind of the file. found->kind stays 0 if it is unsupported. */
static facet_status find_kind(const walk *w)
{
    static const struct {
        char type[5];
        facet_j3d_kind kind;
    } kinds[] = {
        {"bmd2", FACET_J3D_BMD2}, {"bmd3", FACET_J3D_BMD3}, {"bdl3", FACET_J3D_BDL4},
        {"bdl4", FACET_J3D_BDL4}, {"bmt3", FACET_J3D_BMT3},
    };
    if (w->size < 8 || memcmp(w->data, "J3D2", 4) != 0)
        return refuse_other(w);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (memcmp(w->data + 4, kinds[i].type, 4) == 0) {
            w->found->kind = kinds[i].kind;
            return FACET_OK;
        }
    }
    facet_quoted quoted;
    return refuse(w, FACET_ERROR_UNSUPPORTED, "J3D-MAGIC", 4,
                  "J3D2 files of the type '%s' are not read: bmd2, bmd3, bdl4 and bmt3 are",
                  facet_quote(&quoted, (const char *)w->data + 4, 4));
}

facet_status facet_j3d_find_kind(const uint8_t *data, size_t size, facet_j3d_kind *kind,
                                 facet_error *error)
{
    facet_j3d_sections found = {0};
    walk w = {data, size, FACET_J3D_SECTIONS_READ, NULL, error, &found};
    facet_status status = find_kind(&w);
    if (!status)
        *kind = found.kind;
    return status;
}

/* -- Sections ----------------------------------------------------------- */

/* `last` is the highest kind found so far. */
static facet_status add_section(const walk *w, const facet_j3d_section *section, int *last)
{
    int kind = facet_j3d_section_kind_at(section->bytes);
    facet_quoted quoted;
    facet_quote(&quoted, (const char *)section->bytes, 4);
    w->found->all[w->found->count++] = *section;
    if (section->size % 32 != 0)
        tell(w, FACET_SEVERITY_WARNING, "J3D-SECTION-ALIGN", section->offset + 4,
             "section '%s' has %zu bytes, which is not a multiple of 32", quoted.text,
             section->size);
    if (kind < 0 && memcmp(section->bytes, "MAT", 3) == 0)
        return refuse(w, FACET_ERROR_UNSUPPORTED, "J3D-SECTION-VARIANT", section->offset,
                      "materials of the variant '%s' are not read: MAT3 and MAT2 are", quoted.text);
    if (kind < 0) {
        tell(w, FACET_SEVERITY_WARNING, "J3D-SECTION-UNKNOWN", section->offset,
             "section '%s' is unknown; it is kept as it is", quoted.text);
        return FACET_OK;
    }
    if (w->found->by_kind[kind].bytes)
        return refuse(w, FACET_ERROR_MALFORMED, "J3D-SECTION-TWICE", section->offset,
                      "there are two sections %s", names[kind]);
    if (kind < *last)
        tell(w, FACET_SEVERITY_WARNING, "J3D-SECTION-ORDER", section->offset,
             "section %s is after %s", names[kind], names[*last]);
    else
        *last = kind;
    w->found->by_kind[kind] = *section;
    return FACET_OK;
}

/* Compare the announced number of sections with the number found. */
static void look_at_count(const walk *w, uint32_t announced, size_t end)
{
    uint32_t count = w->found->count;
    /* Exporters announce both sections of a material file, even if it has only one. */
    bool short_bmt = w->found->kind == FACET_J3D_BMT3 && announced == 2 && count == 1;
    bool is_cut = false; /* games would not load a section */
    for (uint32_t i = announced; i < count; i++)
        is_cut |= facet_j3d_section_kind_at(w->found->all[i].bytes) >= 0;
    if (count != announced && !short_bmt)
        tell(w, is_cut ? FACET_SEVERITY_ERROR : FACET_SEVERITY_WARNING, "J3D-SECTION-COUNT", 0x0C,
             "the header gives %" PRIu32 " sections, but there are %" PRIu32, announced, count);
    if (end < w->size)
        tell(w, FACET_SEVERITY_WARNING, "J3D-FILE-SIZE", end, "%zu bytes follow the last section",
             w->size - end);
}

/* Find all sections. *is_complete is true if the end was reached, so that missing sections are
 * really missing. */
static facet_status walk_sections(const walk *w, bool *is_complete)
{
    uint32_t announced = facet_load_u32be(w->data + 0x0C);
    size_t at = HEADER_SIZE;
    int last = -1;
    while (w->size - at >= SECTION_HEAD) {
        facet_j3d_section section = {w->data + at, facet_load_u32be(w->data + at + 4), at};
        /* The announced count can be too small or too large, and any data can follow the last
         * section. */
        if (w->found->count >= announced && facet_j3d_section_kind_at(section.bytes) < 0)
            break;
        if (section.size < SECTION_HEAD || section.size > w->size - at || section.size % 4 != 0) {
            facet_quoted quoted;
            return refuse(
                w, FACET_ERROR_MALFORMED, "J3D-SECTION-SIZE", at + 4,
                "section '%s' gives %zu bytes, but %zu are left (expected a multiple of 4)",
                facet_quote(&quoted, (const char *)section.bytes, 4), section.size, w->size - at);
        }
        if (w->found->count == FACET_J3D_MAX_SECTIONS)
            return refuse(w, FACET_ERROR_MALFORMED, "J3D-SECTION-COUNT", at,
                          "there are more than %d sections", FACET_J3D_MAX_SECTIONS);
        TRY(add_section(w, &section, &last));
        at += section.size;
    }
    look_at_count(w, announced, at);
    *is_complete = true;
    return FACET_OK;
}

/* Check for missing sections. A model needs all of them. Games need textures, and the packets of a
 * BDL, but a document does not. */
static facet_status expect_sections(const walk *w)
{
    const facet_j3d_section *sections = w->found->by_kind;
    facet_j3d_kind kind = w->found->kind;
    facet_status status = FACET_OK;
    if (kind == FACET_J3D_BMT3 && !sections[FACET_J3D_MAT3].bytes &&
        !sections[FACET_J3D_TEX1].bytes)
        status = refuse(w, FACET_ERROR_MALFORMED, "J3D-SECTION-MISSING", HEADER_SIZE,
                        "the file has neither materials (MAT3) nor textures (TEX1)");
    for (int i = 0; i < FACET_J3D_SECTION_COUNT && !status && kind != FACET_J3D_BMT3; i++) {
        if (sections[i].bytes || i == FACET_J3D_MDL3)
            continue;
        if (i == FACET_J3D_EVP1 || i == FACET_J3D_TEX1)
            tell(w, i == FACET_J3D_EVP1 ? FACET_SEVERITY_WARNING : FACET_SEVERITY_ERROR,
                 "J3D-SECTION-MISSING", HEADER_SIZE, "the file has no section %s", names[i]);
        else
            status = refuse(w, FACET_ERROR_MALFORMED, "J3D-SECTION-MISSING", HEADER_SIZE,
                            "the file has no section %s", names[i]);
    }
    if (!status && kind == FACET_J3D_BDL4 && !sections[FACET_J3D_MDL3].bytes)
        tell(w, FACET_SEVERITY_ERROR, "J3D-MDL3-MISSING", HEADER_SIZE,
             "the file is a BDL and has no section MDL3");
    if (!status && kind != FACET_J3D_BDL4 && sections[FACET_J3D_MDL3].bytes)
        tell(w, FACET_SEVERITY_WARNING, "J3D-SECTION-KIND", sections[FACET_J3D_MDL3].offset,
             "the file is not a BDL and has a section MDL3");
    return status;
}

facet_status facet_j3d_find_sections(const uint8_t *data, size_t size, facet_j3d_section_mode mode,
                                     facet_report *report, facet_j3d_sections *sections,
                                     facet_error *error)
{
    walk w = {data, size, mode, report, error, sections};
    memset(sections, 0, sizeof *sections);
    facet_status status = find_kind(&w);
    if (status || sections->kind == 0)
        return status;
    if (size < HEADER_SIZE)
        return refuse(&w, FACET_ERROR_MALFORMED, "J3D-FILE-SIZE", 0,
                      "the file has %zu bytes, but its header needs 32", size);
    uint32_t announced = facet_load_u32be(data + 8);
    if (announced != size)
        tell(&w, announced > size ? FACET_SEVERITY_ERROR : FACET_SEVERITY_WARNING, "J3D-FILE-SIZE",
             8, "the header gives %" PRIu32 " bytes, but the file has %zu", announced, size);
    bool is_complete = false;
    status = walk_sections(&w, &is_complete);
    return status || !is_complete ? status : expect_sections(&w);
}
