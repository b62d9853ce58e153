/* formats/bpx/document.c - creation of documents, check of those that a caller filled, and their
 * strings. */
#include "base/arena.h"
#include "base/error.h"
#include "formats/bpx/bpx.h"

#include <inttypes.h>
#include <string.h>

/* -- Sections ----------------------------------------------------------- */

facet_status facet_bpx_create(char type, uint32_t capacity, const facet_options *options,
                              facet_bpx **document, facet_error *error)
{
    facet_arena *arena = NULL;
    TRY(facet_arena_create(options, &arena, error));
    facet_bpx *made = facet_arena_allocate_zeroed(arena, 1, sizeof *made);
    facet_bpx_contents *sections = facet_arena_allocate_zeroed(arena, capacity, sizeof *sections);
    if (!made || !sections) {
        return facet_arena_abandon(arena, error);
    }
    made->arena = arena;
    made->type = type;
    made->sections = sections;
    *document = made;
    return FACET_OK;
}

void facet_bpx_add_section(facet_bpx *document, uint8_t type, bool plain, const void *data,
                           size_t size)
{
    facet_bpx_contents *made = &document->sections[document->section_count++];
    memset(made, 0, sizeof *made);
    made->type = type;
    made->plain = plain;
    made->data = data;
    made->size = size;
}

facet_status facet_bpx_check_sections(const facet_bpx *document, facet_error *error)
{
    if (document->section_count > 0 && !document->sections)
        return facet_fail(error, FACET_ERROR_ARGUMENT, "BPX-DOCUMENT", FACET_NO_OFFSET,
                          "the %" PRIu32 " sections are missing", document->section_count);
    for (uint32_t i = 0; i < document->section_count; i++) {
        if (document->sections[i].size > 0 && !document->sections[i].data)
            return facet_fail(error, FACET_ERROR_ARGUMENT, "BPX-DOCUMENT", FACET_NO_OFFSET,
                              "the %zu bytes of section %" PRIu32 " are missing",
                              document->sections[i].size, i + 1);
    }
    return FACET_OK;
}

void facet_bpx_free(facet_bpx *document)
{
    if (document)
        facet_arena_free(document->arena);
}

/* -- Strings ------------------------------------------------------------ */

const char *facet_bpx_string(const facet_bpx_contents *strings, uint32_t offset)
{
    if (!strings->data || offset >= strings->size ||
        !memchr(strings->data + offset, 0, strings->size - offset))
        return NULL;
    return (const char *)strings->data + offset;
}

const char *facet_bpx_name(const facet_bpx_contents *strings, uint32_t offset, size_t *length,
                           bool *cut)
{
    size_t left = strings->data && offset < strings->size ? strings->size - offset : 0;
    const char *text = left > 0 ? (const char *)strings->data + offset : "";
    const char *end =
        left > 0 ? memchr(text, 0, left < FACET_BPX_MAX_NAME ? left : FACET_BPX_MAX_NAME) : NULL;
    *cut = !end && left > FACET_BPX_MAX_NAME;
    *length = end ? (size_t)(end - text) : *cut ? FACET_BPX_MAX_NAME : 0;
    return *length > 0 ? text : "";
}
