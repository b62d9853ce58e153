/* convert/table.c - the format table: the only place that lists every format. */
#include "archive/codec.h"
#include "format_table.h"
#include "scene/format.h"

#include <facet/convert.h>
#include <string.h>
#include <strings.h>

/* In the order of the documentation. */
static const facet_format *const formats[] = {
    FACET_FORMATS NULL, /* the end */
};

/* Needs of a GPU, for meshes of any format. */
#define GPU_NEEDS                                                                     \
    ((unsigned)(FACET_NEED_TRIANGLES | FACET_NEED_SINGLE_INDEX | FACET_NEED_NORMALS | \
                FACET_NEED_SORTED | FACET_NEED_OPTIMIZED))

/* Below this, the result of a probe is a guess, which the file name must confirm. */
#define SURE 50

size_t facet_format_count(void)
{
    return sizeof formats / sizeof *formats - 1;
}

const facet_format *facet_format_get(size_t index)
{
    return index < facet_format_count() ? formats[index] : NULL;
}

/* -- Search ------------------------------------------------------------- */

static bool has_extension(const facet_format *format, const char *extension, size_t length)
{
    for (const char *const *each = format->extensions; *each; each++) {
        if (strlen(*each) == length && strncasecmp(*each, extension, length) == 0)
            return true;
    }
    return false;
}

const facet_format *facet_format_named(const char *name)
{
    for (size_t i = 0; name && formats[i]; i++) {
        if (strcasecmp(formats[i]->name, name) == 0)
            return formats[i];
    }
    return NULL;
}

const facet_format *facet_format_from_path(const char *path)
{
    size_t end = path ? facet_codec_stem(path) : 0, dot = end;
    while (dot > 0 && path[dot - 1] != '/' && path[dot - 1] != '.')
        dot--;
    for (size_t i = 0; dot > 0 && path[dot - 1] == '.' && formats[i]; i++) {
        if (has_extension(formats[i], path + dot - 1, end - dot + 1))
            return formats[i];
    }
    return NULL;
}

const facet_format *facet_format_probe(const facet_source *source)
{
    if (!source)
        return NULL;
    const facet_format *of_name = source->name ? facet_format_from_path(source->name) : NULL;
    const facet_format *best = NULL;
    int best_score = 0;
    for (size_t i = 0; formats[i]; i++) {
        int score = formats[i]->probe ? formats[i]->probe(source) : 0;
        if (score > best_score || (score == best_score && score > 0 && formats[i] == of_name)) {
            best = formats[i];
            best_score = score;
        }
    }
    /* If text matches one format only weakly and is named as another, the name decides. A name is
     * not enough to detect a binary format. */
    if (best_score < SURE && of_name && of_name->probe && of_name->probe(source) > 0)
        return of_name;
    return best;
}

/* -- Access ------------------------------------------------------------- */

const char *facet_format_name(const facet_format *format)
{
    return format ? format->name : NULL;
}

const char *facet_format_title(const facet_format *format)
{
    return format ? format->title : NULL;
}

const char *const *facet_format_extensions(const facet_format *format)
{
    return format ? format->extensions : NULL;
}

bool facet_format_can_read(const facet_format *format)
{
    return format && format->read;
}

bool facet_format_can_write(const facet_format *format)
{
    return format && format->write;
}

bool facet_format_is_folder(const facet_format *format)
{
    return format && format->folder;
}

uint32_t facet_format_max_texture_side(const facet_format *format)
{
    return format ? format->max_texture_side : 0;
}

bool facet_format_poses_copies(const facet_format *format)
{
    return format && format->poses;
}

bool facet_format_can_hold_levels(const facet_format *format)
{
    return format && format->levels;
}

bool facet_format_is_z_up(const facet_format *format)
{
    return format && format->is_z_up;
}

unsigned facet_format_needs(const facet_format *format)
{
    return format ? format->needs : GPU_NEEDS;
}

const char *facet_need_name(facet_need need)
{
    switch (need) {
    case FACET_NEED_TRIANGLES:
        return "triangles";
    case FACET_NEED_SINGLE_INDEX:
        return "single-index";
    case FACET_NEED_NORMALS:
        return "normals";
    case FACET_NEED_TANGENTS:
        return "tangents";
    case FACET_NEED_SORTED:
        return "sorted";
    case FACET_NEED_OPTIMIZED:
        return "optimized";
    case FACET_NEED_FLAT:
        return "flat";
    case FACET_NEED_ONE_MESH:
        return "one-mesh";
    case FACET_NEED_IMAGES:
        return "images";
    case FACET_NEED_FACING:
        return "facing";
    case FACET_NEED_METERS:
        return "meters";
    case FACET_NEED_FACES:
        return "faces";
    case FACET_NEED_ALPHA:
        return "alpha";
    case FACET_NEED_PHYSICAL_MAPS:
        return "physical-maps";
    case FACET_NEED_OPAQUE:
        return "opaque";
    case FACET_NEED_STRIPS:
        return "strips";
    }
    return "unknown";
}
