/* formats/bga/document.h - what the files of this folder share beyond the view. */
#ifndef FACET_BGA_DOCUMENT_H
#define FACET_BGA_DOCUMENT_H

#include <facet/bga.h>
#include <facet/format.h>

/* -- remarks.c ---------------------------------------------------------- */

/* Add to the report the rules of the header that leave a file usable. */
void facet_bga_remark(const facet_bga *bga, facet_report *report);
/* View a source, and add to the report (NULL: to none) what its header has to
 * say short of errors. */
facet_status facet_bga_view_reported(const facet_source *source, const facet_options *options,
                                     facet_bga *bga, facet_error *error);

/* -- document.c --------------------------------------------------------- */

/* Whether a document is whole: everything it counts is there, every attribute is
 * what its type says, every name can be one. FACET_ERROR_ARGUMENT otherwise. */
facet_status facet_bga_check_document(const facet_bga *bga, facet_error *error);
/* The comments of a viewed file's header, those that stand on lines of their
 * own; none of a document that is no view. */
facet_status facet_bga_find_comments(const facet_bga *bga, facet_arena *arena,
                                     const char *const **comments, size_t *count,
                                     facet_error *error);

/* -- describe.c --------------------------------------------------------- */

/* Apply every rule of docs/reference/formats/bga.md to a file and add what is found to `report`.
 * FACET_OK also for a file full of errors. Linear in the file's size. options may
 * be NULL. Errors: FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
facet_status facet_bga_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_bga_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

struct facet_scene;
struct facet_load_options;

/* Make a scene of a document, by the names of docs/reference/formats/bga.md: one mesh. All is
 * copied. `load` says nothing to BGA, and may be NULL, as options. What a scene
 * has no place for is reported as LOSS-*.
 * Errors: FACET_ERROR_ARGUMENT as facet_bga_write; FACET_ERROR_UNSUPPORTED with
 * BGA-VERTEX-MISSING, FACET_ERROR_MALFORMED with BGA-CELL-RANGE,
 * FACET_ERROR_LIMIT. */
facet_status facet_bga_to_scene(const facet_bga *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Make a document of a scene of triangles of one index, all meshes as one. What
 * BGA has no place for is reported as LOSS-*. What needs no change is not copied:
 * the document points to it in the scene, which must outlive it and stay as it is.
 * Free with facet_bga_free. Errors: FACET_ERROR_ARGUMENT for a scene that
 * facet_prepare did not make ready, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_bga_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_bga **document, facet_error *error);

#endif
