/* formats/stl/format.c - STL's line in the format table. */
#include "scene/document.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/output.h"
#include "formats/stl/stl.h"

#include <string.h>
#include <strings.h>

/* True if the first word is "solid" and a facet or the end is near. Other texts can begin with it
 * also. */
static bool has_facets(const facet_source *source)
{
    static const char *const words[] = {"facet", "endsolid"};
    size_t end = source->size < 4096 ? source->size : 4096;
    for (size_t at = 0; at < end; at++) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            size_t length = strlen(words[i]);
            if (at > 0 && strchr(" \t\r\n", source->data[at - 1]) && length <= end - at &&
                strncasecmp((const char *)source->data + at, words[i], length) == 0)
                return true;
        }
    }
    return false;
}

/* True if the file size matches the count of triangles: a binary STL has no magic number. */
static bool has_size(const facet_source *source)
{
    return source->size > FACET_STL_PREFIX_SIZE &&
           source->size - FACET_STL_PREFIX_SIZE ==
               (uint64_t)facet_load_u32le(source->data + FACET_STL_HEADER_SIZE) *
                   FACET_STL_RECORD_SIZE;
}

static int probe(const facet_source *source)
{
    size_t length = source->name ? strlen(source->name) : 0;
    bool named = length >= 4 && strcasecmp(source->name + length - 4, ".stl") == 0;
    bool ascii = facet_stl_is_ascii(source);
    if (ascii ? has_facets(source) : has_size(source))
        return named ? 80 : 60;
    if (ascii)
        return named ? 80 : 40;
    return named ? 10 : 0;
}

FACET_DOCUMENT_READ(stl)

static facet_status write(const facet_scene *scene, const facet_options *options,
                          facet_output *output, facet_counts *counts, facet_error *error)
{
    facet_stl *document = NULL;
    TRY(facet_stl_from_scene(scene, options, &document, error));
    facet_status status = facet_stl_write(document, options, output, error);
    if (counts)
        *counts =
            (facet_counts){true, document->triangle_count, (uint64_t)document->triangle_count * 3};
    facet_stl_free(document);
    return status;
}

/* A copy within the family does not use a scene: it keeps normals, attributes and the header. */
FACET_DOCUMENT_COPY(stl)

static const char *const extensions[] = {".stl", NULL};

static const char *const unread_rules[] = {"STL-NORMAL", "STL-NORMAL-NONFINITE", "STL-ATTRIBUTES",
                                           NULL};

const facet_format facet_format_stl = {
    .name = "stl",
    .title = "Stereolithography STL",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT | FACET_NEED_TRIANGLES | FACET_NEED_FACES,
    .is_decimal = true,
    .is_z_up = true,
    .probe = probe,
    .read_clustered = FACET_WRITER(facet_stl_read_clustered),
    .read = read,
    .write = write,
    .check = facet_stl_check,
    .unread_rules = unread_rules,
    .describe = facet_stl_fill_description,
    .copy = copy,
};
