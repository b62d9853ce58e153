/* formats/bpx/extract.c - the contents of a BPX file as separate files. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static facet_status put(const facet_extractor *to, const char *name, const void *data, size_t size,
                        facet_error *error)
{
    return to->put(to->user, name, data, size, error);
}

/* -- Any container ------------------------------------------------------ */

static facet_status extract_sections(const facet_bpx *document, const facet_extractor *to,
                                     facet_error *error)
{
    facet_status status = FACET_OK;
    for (uint32_t i = 0; i < document->section_count && !status; i++) {
        const facet_bpx_contents *c = &document->sections[i];
        const char *kind = facet_bpx_section_name(document->revision, document->type, c->type);
        char name[64];
        snprintf(name, sizeof name, "section-%" PRIu32 "-%s%u.bin", i + 1, kind ? kind : "type",
                 (unsigned)c->type);
        status = put(to, name, c->data, c->size, error);
    }
    return status;
}

/* -- Shader packages ---------------------------------------------------- */

static facet_status extract_program(const facet_bpx *document, const facet_bpx_assembly *a,
                                    const char *extension, const facet_extractor *to,
                                    facet_error *error)
{
    static const char *const stages[] = {"vertex", "geometry", "pixel"};
    const uint32_t shaders[] = {a->vertex, a->geometry, a->pixel};
    facet_status status = FACET_OK;
    for (size_t i = 0; i < 3 && a->is_present && !status; i++) {
        char name[32];
        if (shaders[i] == FACET_NONE)
            continue;
        const facet_bpx_contents *c = &document->sections[shaders[i]];
        snprintf(name, sizeof name, "%s.%s", stages[i], extension);
        status = put(to, name, c->data, c->size, error);
    }
    return status;
}

static facet_status extract_shaders(const facet_bpx *document, const facet_extractor *to,
                                    facet_error *error)
{
    facet_bpx_shaders shaders;
    TRY(facet_bpx_get_shaders(document, &shaders, error));
    TRY(extract_program(document, &shaders.gl, "glsl", to, error));
    return extract_program(document, &shaders.dx, "dxbc", to, error);
}

/* -- Packages of versions 1 and 2 --------------------------------------- */

/* Position in the concatenated data sections. */
typedef struct stream {
    const facet_bpx *document;
    uint32_t section;
    size_t position;
} stream;

static bool at_data(stream *s)
{
    const facet_bpx *document = s->document;
    while (s->section < document->section_count) {
        if (document->sections[s->section].type == 1 &&
            s->position < document->sections[s->section].size)
            return true;
        s->section++;
        s->position = 0;
    }
    return false;
}

/* True if at least `size` bytes follow, to the end of the last data section. */
static bool follows(stream s, uint64_t size)
{
    uint64_t sum = 0;
    while (sum < size && at_data(&s)) {
        sum += s.document->sections[s.section].size - s.position;
        s.section++;
        s.position = 0;
    }
    return sum >= size;
}

/* Output a file: in place if it is in one section, else copied together. */
static facet_status put_file(stream *s, const char *name, uint64_t size, const facet_extractor *to,
                             facet_error *error)
{
    facet_arena *arena = s->document->arena;
    if (!follows(*s, size))
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-P-SIZE", FACET_NO_OFFSET,
                          "a packed file of %" PRIu64 " bytes leaves the data sections", size);
    if (size == 0)
        return put(to, name, "", 0, error);
    at_data(s);
    const facet_bpx_contents *c = &s->document->sections[s->section];
    if (size <= c->size - s->position) {
        s->position += (size_t)size;
        return put(to, name, c->data + s->position - (size_t)size, (size_t)size, error);
    }
    uint8_t *whole = facet_arena_allocate(arena, (size_t)size, 1);
    if (!whole)
        return facet_fail_arena(arena, error);
    for (size_t done = 0; done < size && at_data(s);) {
        c = &s->document->sections[s->section];
        size_t left = (size_t)size - done, here = c->size - s->position;
        size_t run = here < left ? here : left;
        memcpy(whole + done, c->data + s->position, run);
        s->position += run;
        done += run;
    }
    facet_status status = put(to, name, whole, (size_t)size, error);
    facet_arena_release(arena, whole, (size_t)size, 1);
    return status;
}

/* Maximum length of a path, so that many offsets into one long string are harmless. */
#define MAX_PATH 4096

static facet_status name_of(const facet_bpx_contents *strings, uint32_t offset, const char **name,
                            facet_error *error)
{
    facet_bpx_contents nearby = *strings;
    if (nearby.data && offset < nearby.size && nearby.size - offset > MAX_PATH)
        nearby.size = offset + (size_t)MAX_PATH;
    *name = facet_bpx_string(&nearby, offset);
    return *name ? FACET_OK
                 : facet_fail(error, FACET_ERROR_MALFORMED, "BPX-STR-RANGE", FACET_NO_OFFSET,
                              "the name of a packed file is not a string of the Strings section, "
                              "or has more than %d bytes: offset %" PRIu32,
                              MAX_PATH, offset);
}

/* Version 1: size, name and bytes, file by file. */
static facet_status extract_package_1(const facet_bpx *document, const facet_bpx_contents *strings,
                                      const facet_extractor *to, facet_error *error)
{
    stream s = {document, 0, 0};
    facet_status status = FACET_OK;
    while (!status && at_data(&s)) {
        const facet_bpx_contents *c = &document->sections[s.section];
        const char *name;
        if (c->size - s.position < 12)
            return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-P-SIZE", FACET_NO_OFFSET,
                              "a data section ends inside the head of a packed file");
        const uint8_t *head = c->data + s.position;
        s.position += 12;
        status = name_of(strings, facet_load_u32le(head + 8), &name, error);
        if (!status)
            status = put_file(&s, name, facet_load_u64le(head), to, error);
    }
    return status;
}

/* Version 2: a table with size, name, first section and offset in it. */
static facet_status extract_package_2(const facet_bpx *document, const facet_bpx_contents *strings,
                                      const facet_extractor *to, facet_error *error)
{
    uint32_t table = 0;
    facet_status status = FACET_OK;
    if (facet_bpx_count(document, 2, &table) == 0)
        return facet_fail(error, FACET_ERROR_MALFORMED, "BPX-SECTION-MISSING", FACET_NO_OFFSET,
                          "the package has no section ObjectTable");
    const facet_bpx_contents *c = &document->sections[table];
    /* Files can share bytes, but a small package must not fill a disk. */
    uint64_t total = 0, most = 0;
    for (uint32_t i = 0; i < document->section_count; i++)
        most += document->sections[i].size;
    for (size_t at = 0; at + 20 <= c->size && !status; at += 20) {
        const uint8_t *entry = c->data + at;
        stream s = {document, facet_load_u32le(entry + 12), facet_load_u32le(entry + 16)};
        const char *name;
        uint64_t size = facet_load_u64le(entry);
        if (size > most - total)
            return facet_fail(error, FACET_ERROR_LIMIT, "BPX-P-SIZE", FACET_NO_OFFSET,
                              "the packed files are larger together than all sections");
        total += size;
        status = name_of(strings, facet_load_u32le(entry + 8), &name, error);
        if (!status &&
            (s.section >= document->section_count || document->sections[s.section].type != 1 ||
             s.position > document->sections[s.section].size))
            status = facet_fail(error, FACET_ERROR_MALFORMED, "BPX-P-SIZE", FACET_NO_OFFSET,
                                "a packed file begins at %zu of section %" PRIu32
                                ", which is not in a data section",
                                s.position, s.section + 1);
        if (!status)
            status = put_file(&s, name, size, to, error);
    }
    return status;
}

/* Counts files. Each needs a unique name of at least a character and a NUL. This limits packages of
 * compressed zeros. */
typedef struct counter {
    const facet_extractor *to;
    uint64_t left;
} counter;

static facet_status put_counted(void *user, const char *name, const void *data, size_t size,
                                facet_error *error)
{
    counter *c = user;
    if (c->left-- == 0)
        return facet_fail(error, FACET_ERROR_LIMIT, "BPX-P-SIZE", FACET_NO_OFFSET,
                          "the package has more files than the section Strings has names");
    return c->to->put(c->to->user, name, data, size, error);
}

facet_status facet_bpx_extract_package(const facet_bpx *document, const facet_extractor *to,
                                       facet_error *error)
{
    uint32_t index = 0;
    facet_bpx_contents strings = {0};
    if (facet_bpx_count(document, 0xFF, &index) > 0)
        strings = document->sections[index];
    counter c = {to, strings.size / 2 + 1};
    facet_extractor counted = {put_counted, &c};
    return document->revision == FACET_BPX_1
               ? extract_package_1(document, &strings, &counted, error)
               : extract_package_2(document, &strings, &counted, error);
}

/* -- All types --------------------------------------------------------- */

facet_status facet_bpx_extract(const facet_bpx *document, const facet_extractor *extractor,
                               facet_error *error)
{
    if (document->revision == FACET_BPX_0A && document->type == 'S')
        return extract_shaders(document, extractor, error);
    if (document->revision >= FACET_BPX_1 && document->type == 'P')
        return facet_bpx_extract_package(document, extractor, error);
    return extract_sections(document, extractor, error);
}
