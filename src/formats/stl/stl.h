/* formats/stl/stl.h - what the files of this folder share. */
#ifndef FACET_STL_STL_H
#define FACET_STL_STL_H

#include <facet/format.h>
#include <facet/stl.h>

/* Bytes before the triangles of a binary file. */
#define FACET_STL_PREFIX_SIZE (FACET_STL_HEADER_SIZE + 4)

/* document.c: which encoding a file has; false when it has none. */
bool facet_stl_is_binary(const facet_source *source);
bool facet_stl_is_ascii(const facet_source *source);
/* document.c: an empty document with an arena of its own. */
facet_status facet_stl_create(const facet_options *options, facet_stl **document,
                              facet_error *error);
/* document.c: whether a document is whole. FACET_ERROR_ARGUMENT otherwise. */
facet_status facet_stl_check_document(const facet_stl *stl, facet_error *error);

/* ascii.c: read the statements of an ASCII file into an empty document. */
facet_status facet_stl_read_ascii(const facet_source *source, const facet_options *options,
                                  facet_stl *stl, facet_error *error);

/* Apply every rule of docs/reference/formats/stl.md to a file and add what is found to `report`.
 * FACET_OK also for a file full of errors. Linear. options may be NULL. Errors:
 * FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
facet_status facet_stl_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_stl_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

/* The bytes of one triangle, to fill in a document by hand. */
void facet_stl_put(uint8_t record[FACET_STL_RECORD_SIZE], const facet_stl_triangle *triangle);

struct facet_scene;
struct facet_load_options;

/* Make a scene of a document: a mesh for each solid that has triangles. Corners of
 * equal value share a position (-0 equals 0); colors are a stream. Normals are not
 * taken: a triangle has its own, and facet_mesh_normals makes those of vertices.
 * All is copied. load and options may be NULL. Expected linear.
 * Errors: FACET_ERROR_MALFORMED with SCENE-NONFINITE for a corner that is not finite,
 * FACET_ERROR_ARGUMENT as facet_stl_write, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_stl_to_scene(const facet_stl *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* Make a document of a scene of triangles: meshes, and parts of meshes, become
 * solids, normals are those of the triangles. What STL has no place for is reported
 * as LOSS-STL-*. All is copied. Free with facet_stl_free. Errors:
 * FACET_ERROR_ARGUMENT with STL-NEEDS for a scene that facet_prepare did not make
 * ready, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_stl_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_stl **document, facet_error *error);

#endif
