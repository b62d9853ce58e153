/* formats/ply/ply.h - what the files of this folder share. */
#ifndef FACET_PLY_PLY_H
#define FACET_PLY_PLY_H

#include <facet/format.h>
#include <facet/ply.h>

/* -- document.c --------------------------------------------------------- */

/* An empty document with an arena of its own. */
facet_status facet_ply_create(const facet_options *options, facet_ply **document,
                              facet_error *error);
/* Whether a document is whole: everything it counts is there, every name is a word.
 * FACET_ERROR_ARGUMENT otherwise. */
facet_status facet_ply_check_document(const facet_ply *ply, facet_error *error);
/* The list of vertices of an element, "vertex_indices" or "vertex_index"; NULL when
 * there is none. */
const facet_ply_property *facet_ply_find_indices(const facet_ply_element *element);
/* Numbers of a list in one record, and the first of them. */
static inline uint32_t facet_ply_list_length(const facet_ply_property *p, uint32_t record)
{
    return p->offsets ? p->offsets[record + 1] - p->offsets[record] : p->length;
}
static inline uint64_t facet_ply_list_first(const facet_ply_property *p, uint32_t record)
{
    return p->offsets ? p->offsets[record] : (uint64_t)record * p->length;
}
/* Where a record stands in the file: an offset, or a line of text (the other is
 * FACET_NO_OFFSET or 0). */
void facet_ply_place(const facet_ply *ply, const facet_ply_element *element, uint32_t record,
                     uint64_t *offset, uint64_t *line);
/* The type of this name. */
bool facet_ply_type_named(const char *name, size_t length, facet_ply_type *type);

/* -- header.c ----------------------------------------------------------- */

/* Read the header into an empty document; *body is where it ends, *line the line
 * after it. */
facet_status facet_ply_read_header(const facet_source *source, facet_report *report, facet_ply *ply,
                                   size_t *body, uint64_t *line, facet_error *error);

/* -- binary.c, ascii.c -------------------------------------------------- */

/* The part of the file that is not read yet. */
typedef struct facet_ply_body {
    const facet_source *source;
    const facet_options *options;
    size_t position;
    uint64_t line; /* of text */
    facet_error *error;
    double told;          /* the share of the file that progress was told of */
    uint32_t *line_feeds; /* of text, in each block of the file from `blocks` on (pieces.c) */
    const uint8_t *blocks;
} facet_ply_body;

/* The file ends before the records of an element do (document.c). */
facet_status facet_ply_too_short(const facet_ply_body *body, const facet_ply_element *element);
/* Read the records of the element that comes next. */
facet_status facet_ply_read_binary(facet_ply_body *body, facet_ply *ply,
                                   facet_ply_element *element);
facet_status facet_ply_read_ascii(facet_ply_body *body, facet_ply *ply, facet_ply_element *element);

/* -- describe.c --------------------------------------------------------- */

/* Apply every rule of docs/reference/formats/ply.md to a file and add what is found to `report`.
 * FACET_OK also for a file full of errors. Linear. options may be NULL. Errors:
 * FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
facet_status facet_ply_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_ply_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

/* A word of a header: no blanks, no control characters (document.c). */
bool facet_ply_is_word(const char *name, size_t length);

/* As a header writes it: "uchar", "float". */
const char *facet_ply_type_name(facet_ply_type type);

/* Copy `count` numbers from the number `first` on, both within the value count, as they are
 * typed, in the host's byte order. */
void facet_ply_read_values(const facet_ply_property *property, uint64_t first, uint64_t count,
                           void *values);

/* -- To and from a scene ------------------------------------------------- */

struct facet_scene;
struct facet_load_options;

/* Make a scene of a document, by the names of docs/reference/formats/ply.md: one mesh. Polygons
 * stay whole, triangle strips are cut; points without faces are a mesh without faces. All is
 * copied. What a scene has no place for is reported as LOSS-PLY-*. load and options may be NULL.
 * Linear. Errors: FACET_ERROR_UNSUPPORTED with PLY-VERTEX-MISSING, FACET_ERROR_MALFORMED with
 * PLY-INDEX or SCENE-NONFINITE, FACET_ERROR_ARGUMENT as facet_ply_write,
 * FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_ply_to_scene(const facet_ply *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Make a document of a scene of at most one mesh, of one index: polygons, normals,
 * colors as bytes, texture coordinates, custom streams of one number, lines as edges,
 * and textures as comments. What PLY has no place for is reported as LOSS-PLY-*.
 * What needs no change is not copied: the document points to it in the scene, which
 * must outlive it and stay as it is. Free with facet_ply_free. Errors:
 * FACET_ERROR_ARGUMENT with PLY-NEEDS for a scene that facet_prepare did not make
 * ready, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_ply_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_ply **document, facet_error *error);

#endif
