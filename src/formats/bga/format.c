/* formats/bga/format.c - BGA's line in the format table. */
#include "formats/bga/document.h"
#include "scene/document.h"

#include "base/error.h"

#include <string.h>

static int probe(const facet_source *source)
{
    return source->size >= 4 && memcmp(source->data, "BGA ", 4) == 0 ? 100 : 0;
}

FACET_DOCUMENT_READ(bga)

FACET_DOCUMENT_WRITE(bga)

/* A copy within the family does not use a scene: it keeps every buffer, name and comment. */
FACET_DOCUMENT_COPY(bga)

static const char *const extensions[] = {".bga", NULL};

const facet_format facet_format_bga = {
    .name = "bga",
    .title = "Binary GPU Attributes",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT | FACET_NEED_ONE_MESH | FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX,
    .probe = probe,
    .read = read,
    .write = FACET_WRITER(write),
    .check = facet_bga_check,
    .describe = facet_bga_fill_description,
    .copy = FACET_WRITER(copy),
};
