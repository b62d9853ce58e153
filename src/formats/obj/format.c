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

/* Similarity of a line to OBJ. Other texts have lines with the same first letters. */
typedef enum statement {
    UNKNOWN,
    ODD,     /* OBJ's keyword, but not OBJ's arguments */
    KNOWN,   /* OBJ's keyword */
    CERTAIN, /* a keyword, or a form of vertices or faces, that only OBJ has */
} statement;

/* Count the words that are numbers, or references to vertices. *all: they fill the line. */
static unsigned count_words(const uint8_t *at, const uint8_t *end, bool references, bool *all)
{
    unsigned count = 0;
    for (at = facet_text_skip_blanks(at, end); !facet_text_at_end(at, end);) {
        facet_text word = facet_text_word(at, end);
        bool whole = word.end > word.at;
        for (const uint8_t *c = word.at; c < word.end; c++) {
            bool digit = *c >= '0' && *c <= '9';
            whole &= digit || *c == '-' || (references ? *c == '/' : strchr("+.eE", *c) != NULL);
        }
        if (!whole)
            break;
        count++;
        at = facet_text_skip_blanks(word.end, end);
    }
    *all = facet_text_at_end(at, end);
    return count;
}

static statement statement_of(facet_text word, const uint8_t *end)
{
    static const char *const others[] = {
        "vp",       "l",      "p",        "o",      "g",      "mg",  "bevel",      "lod",
        "c_interp", "usemap", "d_interp", "maplib", "cstype", "deg", "shadow_obj", "trace_obj"};
    bool all;
    if (facet_text_is(word, "v"))
        return count_words(word.end, end, false, &all) >= 3 ? CERTAIN : ODD;
    if (facet_text_is(word, "vt") || facet_text_is(word, "vn"))
        return count_words(word.end, end, false, &all) >= 2 ? CERTAIN : KNOWN;
    if (facet_text_is(word, "mtllib") || facet_text_is(word, "usemtl"))
        return CERTAIN;
    if (facet_text_is(word, "f"))
        return count_words(word.end, end, true, &all) >= 3 && all ? CERTAIN : ODD;
    if (facet_text_is(word, "s")) /* OBJ has a group or "off"; a sphere of NFF has four numbers */
        return count_words(word.end, end, false, &all) <= 1 ? KNOWN : ODD;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (facet_text_is(word, others[i]))
            return KNOWN;
    }
    return UNKNOWN;
}

/* Probe for text whose first lines are statements or comments of OBJ. */
static int probe(const facet_source *source)
{
    enum { MAX_LINES = 32, MAX_BYTES = 65536 };
    const uint8_t *at = facet_text_begin(source);
    const uint8_t *end =
        source->size > MAX_BYTES ? source->data + MAX_BYTES : facet_text_end(source);
    unsigned counts[CERTAIN + 1] = {0};
    if (facet_is_binary(source)) /* for example, an archive with an OBJ */
        return 0;
    for (int lines = 0; at < end && lines < MAX_LINES;) {
        at = facet_text_skip_blanks(at, end);
        if (!facet_text_at_end(at, end)) {
            counts[statement_of(facet_text_word(at, end), end)]++;
            lines++;
        }
        at = facet_text_next_line(at, end);
    }
    /* A file with OBJ's extension is accepted also if it is invalid, so that its errors are
     * reported. */
    bool named = has_extension(source->name);
    unsigned known = counts[KNOWN] + counts[CERTAIN] + (named ? counts[ODD] : 0);
    unsigned unknown = counts[UNKNOWN] + (named ? 0 : counts[ODD]);
    if (known > unknown && (named || counts[CERTAIN] > 0))
        return named ? 80 : 60;
    return named && (source->size == 0 || known >= unknown) ? 30 : 0;
}

/* -- The format table -------------------------------------------------- */

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
    .needs = FACET_NEED_FLAT | FACET_NEED_OPAQUE,
    .is_decimal = true,
    .probe = probe,
    .read_clustered = FACET_WRITER(facet_obj_read_clustered),
    .read = facet_obj_read,
    .write = write,
    .check = facet_obj_check,
    .describe = facet_obj_fill_description,
};
