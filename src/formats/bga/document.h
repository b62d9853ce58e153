/* formats/bga/document.h - shared functions of this folder, without the view. */
#ifndef FACET_BGA_DOCUMENT_H
#define FACET_BGA_DOCUMENT_H

#include <facet/bga.h>
#include <facet/format.h>

/* -- remarks.c ---------------------------------------------------------- */

/* Report the broken rules of the header that leave a file usable. */
void facet_bga_remark(const facet_bga *bga, facet_report *report);
/* View a source, and report warnings and notes for its header (NULL: no report). */
facet_status facet_bga_view_reported(const facet_source *source, const facet_options *options,
                                     facet_bga *bga, facet_error *error);

/* -- document.c --------------------------------------------------------- */

/* Check that a document is complete: arrays exist, attributes match their types, names are valid.
 * Else FACET_ERROR_ARGUMENT. */
facet_status facet_bga_check_document(const facet_bga *bga, facet_error *error);
/* Find the comments of a viewed file's header that are on separate lines; none if the document is
 * not a view. */
facet_status facet_bga_find_comments(const facet_bga *bga, facet_arena *arena,
                                     const char *const **comments, size_t *count,
                                     facet_error *error);

/* -- describe.c --------------------------------------------------------- */

/* Check all rules of docs/reference/formats/bga.md, and add findings to `report`. Returns FACET_OK
 * also for a file with errors. Linear in the file's size. options can be NULL. Errors:
 * FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
facet_status facet_bga_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Fill an existing description of a file. */
facet_status facet_bga_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

struct facet_scene;
struct facet_load_options;

/* Create a scene with one mesh from a document, by the names of docs/reference/formats/bga.md. All
 * data are copied. `load` is ignored; it and options can be NULL. Losses are reported as LOSS-*.
 * Errors: FACET_ERROR_ARGUMENT as for facet_bga_write; FACET_ERROR_UNSUPPORTED with
 * BGA-VERTEX-MISSING, FACET_ERROR_MALFORMED with BGA-CELL-RANGE, FACET_ERROR_LIMIT. */
facet_status facet_bga_to_scene(const facet_bga *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Create a document from a scene of triangles with one index; all meshes become one. Losses are
 * reported as LOSS-*. Unchanged data are not copied: the document points into the scene, which must
 * outlive it unchanged. Free with facet_bga_free. Errors: FACET_ERROR_ARGUMENT for a scene that
 * facet_prepare did not make ready, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_bga_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_bga **document, facet_error *error);

#endif
