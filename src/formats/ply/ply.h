/* formats/ply/ply.h - shared functions of this folder. */
#ifndef FACET_PLY_PLY_H
#define FACET_PLY_PLY_H

#include <facet/format.h>
#include <facet/ply.h>

/* -- document.c --------------------------------------------------------- */

/* Create an empty document with an arena. */
facet_status facet_ply_create(const facet_options *options, facet_ply **document,
                              facet_error *error);
/* Check that a document is complete: all arrays exist, and all names are words. Else
 * FACET_ERROR_ARGUMENT. */
facet_status facet_ply_check_document(const facet_ply *ply, facet_error *error);
/* The vertex list of an element, "vertex_indices" or "vertex_index"; NULL if missing. */
const facet_ply_property *facet_ply_find_indices(const facet_ply_element *element);
/* The length of a record's list, and its first number. */
static inline uint32_t facet_ply_list_length(const facet_ply_property *p, uint32_t record)
{
    return p->offsets ? p->offsets[record + 1] - p->offsets[record] : p->length;
}
static inline uint64_t facet_ply_list_first(const facet_ply_property *p, uint32_t record)
{
    return p->offsets ? p->offsets[record] : (uint64_t)record * p->length;
}
/* Position of a record in the file: an offset, or a line of text. The other is FACET_NO_OFFSET or
 * 0. */
void facet_ply_locate(const facet_ply *ply, const facet_ply_element *element, uint32_t record,
                      uint64_t *offset, uint64_t *line);
/* Find the type with this name. */
bool facet_ply_type_named(const char *name, size_t length, facet_ply_type *type);

/* -- header.c ----------------------------------------------------------- */

/* Read the header into an empty document. *body becomes its end, *line the next line. */
facet_status facet_ply_read_header(const facet_source *source, facet_report *report, facet_ply *ply,
                                   size_t *body, uint64_t *line, facet_error *error);

/* -- binary.c, ascii.c -------------------------------------------------- */

/* The part of the file that is not read yet. */
typedef struct facet_ply_body {
    const facet_source *source;
    const facet_options *options;
    size_t position;
    uint64_t line; /* current line of text */
    facet_error *error;
    double told;          /* last reported progress, as a share of the file */
    uint32_t *line_feeds; /* for text: per block of the file from `blocks` on (pieces.c) */
    const uint8_t *blocks;
} facet_ply_body;

/* Fail: the file ends before the records of an element (document.c). */
facet_status facet_ply_too_short(const facet_ply_body *body, const facet_ply_element *element);
/* Read the records of the next element. */
facet_status facet_ply_read_binary(facet_ply_body *body, facet_ply *ply,
                                   facet_ply_element *element);
facet_status facet_ply_read_ascii(facet_ply_body *body, facet_ply *ply, facet_ply_element *element);

/* -- describe.c --------------------------------------------------------- */

/* Check all rules of docs/reference/formats/ply.md, and add findings to `report`. Returns FACET_OK
 * also for a file with errors. Linear. options can be NULL. Errors: FACET_ERROR_MEMORY,
 * FACET_ERROR_CANCELED. */
facet_status facet_ply_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Fill an existing description of a file. */
facet_status facet_ply_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

/* True if the name is a valid word of a header: no blanks, no control characters (document.c). */
bool facet_ply_is_word(const char *name, size_t length);

/* Name of a type in the header: "uchar", "float". */
const char *facet_ply_type_name(facet_ply_type type);

/* -- To and from a scene ------------------------------------------------- */

struct facet_scene;
struct facet_load_options;

/* Create a scene with one mesh from a document, by the names in docs/reference/formats/ply.md.
 * Polygons are kept, triangle strips are split; points without faces become a mesh without faces.
 * All data are copied. Losses are reported as LOSS-PLY-*. load and options can be NULL. Linear.
 * Errors: FACET_ERROR_UNSUPPORTED with PLY-VERTEX-MISSING, FACET_ERROR_MALFORMED with PLY-INDEX or
 * SCENE-NONFINITE, FACET_ERROR_ARGUMENT as for facet_ply_write, FACET_ERROR_LIMIT,
 * FACET_ERROR_MEMORY. */
facet_status facet_ply_to_scene(const facet_ply *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* to_scene_clustered.c: read a file with load->max_clusters (facet_format.read_clustered). Vertices
 * must be before faces, and there must be no triangle strips; else FACET_ERROR_UNSUPPORTED with
 * CLUSTER-FORMAT. */
facet_status facet_ply_read_clustered(const facet_source *source,
                                      const struct facet_load_options *load,
                                      const facet_options *options, struct facet_scene **scene,
                                      facet_error *error);

/* Create a document from a scene of at most one mesh with one index. It has polygons, normals,
 * colors as bytes, texture coordinates, custom streams of one component, lines as edges, and
 * textures as comments. Losses are reported as LOSS-PLY-*. Unchanged data are not copied: the
 * document points into the scene, which must outlive it unchanged. Free with facet_ply_free.
 * Errors: FACET_ERROR_ARGUMENT with PLY-NEEDS for a scene that facet_prepare did not make ready,
 * FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_ply_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_ply **document, facet_error *error);

#endif
