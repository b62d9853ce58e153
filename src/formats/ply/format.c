/* formats/ply/format.c - PLY's line in the format table. */
#include "scene/document.h"

#include "formats/ply/ply.h"

#include "base/error.h"

#include <string.h>
#include <strings.h>

static int probe(const facet_source *source)
{
    size_t length = source->name ? strlen(source->name) : 0;
    bool named = length >= 4 && strcasecmp(source->name + length - 4, ".ply") == 0;
    if (source->size >= 4 && memcmp(source->data, "ply", 3) == 0 &&
        (source->data[3] == '\n' || source->data[3] == '\r' || source->data[3] == ' '))
        return 90;
    return named ? 10 : 0;
}

FACET_DOCUMENT_READ(ply)

FACET_DOCUMENT_WRITE(ply)

/* A copy within the family does not use a scene: it keeps every element, type and comment. */
FACET_DOCUMENT_COPY(ply)

static const char *const extensions[] = {".ply", NULL};

const facet_format facet_format_ply = {
    .name = "ply",
    .title = "Stanford PLY",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT | FACET_NEED_ONE_MESH | FACET_NEED_SINGLE_INDEX,
    .is_decimal = true,
    .probe = probe,
    .read_clustered = FACET_WRITER(facet_ply_read_clustered),
    .read = read,
    .write = write,
    .check = facet_ply_check,
    .describe = facet_ply_fill_description,
    .copy = copy,
};
