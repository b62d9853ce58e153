/* formats/obj/format.c - OBJ's line in the format table. */
#include "scene/format.h"

#include "base/text.h"
#include "formats/obj/obj.h"

#include <string.h>

/* -- Probe -------------------------------------------------------------- */

static bool has_extension(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    if (length < 4)
        return false;
    facet_text tail = {(const uint8_t *)name + length - 4, (const uint8_t *)name + length};
    return facet_text_is_any_case(tail, ".obj");
}

/* Text whose first lines are statements of OBJ or comments. */
static int probe(const facet_source *source)
{
    static const char *const words[] = {
        "v",        "vt",     "vn",     "vp",     "f",   "l",          "p",        "o",
        "g",        "s",      "usemtl", "mtllib", "mg",  "bevel",      "lod",      "c_interp",
        "d_interp", "usemap", "maplib", "cstype", "deg", "shadow_obj", "trace_obj"};
    const uint8_t *at = facet_text_begin(source);
    const uint8_t *end = source->size > 4096 ? source->data + 4096 : facet_text_end(source);
    unsigned known = 0, unknown = 0;
    if (facet_is_binary(source)) /* an archive, say, that stores an OBJ */
        return 0;
    for (int lines = 0; at < end && lines < 32; lines++) {
        at = facet_text_skip_blanks(at, end);
        if (!facet_text_at_end(at, end)) {
            facet_text word = facet_text_word(at, end);
            bool found = false;
            for (size_t i = 0; i < sizeof words / sizeof *words; i++)
                found |= facet_text_is(word, words[i]);
            known += found;
            unknown += !found;
        }
        at = facet_text_next_line(at, end);
    }
    bool named = has_extension(source->name);
    if (known > unknown)
        return named ? 80 : 60;
    return named && (source->size == 0 || known >= unknown) ? 30 : 0;
}

/* -- The line ----------------------------------------------------------- */

static facet_status write(const facet_scene *scene, const facet_options *options,
                          facet_output *output, facet_counts *counts, facet_error *error)
{
    (void)counts;
    return facet_obj_write(scene, options, output, error);
}

static const char *const extensions[] = {".obj", NULL};

const facet_format facet_format_obj = {
    .name = "obj",
    .title = "Wavefront OBJ",
    .extensions = extensions,
    .needs = FACET_NEED_FLAT,
    .probe = probe,
    .read = facet_obj_read,
    .write = write,
    .check = facet_obj_check,
    .describe = facet_obj_fill_description,
};
