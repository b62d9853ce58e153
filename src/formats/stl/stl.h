/* formats/stl/stl.h - shared functions of this folder. */
#ifndef FACET_STL_STL_H
#define FACET_STL_STL_H

#include <facet/format.h>
#include <facet/stl.h>

/* Bytes before the triangles of a binary file. */
#define FACET_STL_PREFIX_SIZE (FACET_STL_HEADER_SIZE + 4)

/* document.c: detect the encoding. False if the file has neither. */
bool facet_stl_is_binary(const facet_source *source);
bool facet_stl_is_ascii(const facet_source *source);
/* document.c: the bytes after a word in the header, or NULL. The first color of Magics' material,
 * red, green, blue and alpha: diffuse, then specular, then ambient. */
const uint8_t *facet_stl_header_value(const facet_stl *stl, const char *word, size_t size);
const uint8_t *facet_stl_material(const facet_stl *stl);
/* document.c: create an empty document with an arena. */
facet_status facet_stl_create(const facet_options *options, facet_stl **document,
                              facet_error *error);
/* document.c: check that a document is complete. Else FACET_ERROR_ARGUMENT. */
facet_status facet_stl_check_document(const facet_stl *stl, facet_error *error);

/* ascii.c: read the statements of an ASCII file into an empty document. */
facet_status facet_stl_read_ascii(const facet_source *source, const facet_options *options,
                                  facet_stl *stl, facet_error *error);

/* Check all rules of docs/reference/formats/stl.md, and add findings to `report`. Returns FACET_OK
 * also for a file with errors. Linear. options can be NULL. Errors: FACET_ERROR_MEMORY,
 * FACET_ERROR_CANCELED. */
facet_status facet_stl_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Fill an existing description of a file. */
facet_status facet_stl_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

/* Write the bytes of one triangle, for a caller's document. */
void facet_stl_put(uint8_t record[FACET_STL_RECORD_SIZE], const facet_stl_triangle *triangle);

struct facet_scene;
struct facet_load_options;

/* Create a scene from a document: one mesh per solid with triangles. Corners of equal value share a
 * position (-0 equals 0); colors are a stream. Normals are ignored: facet_mesh_normals computes
 * those of vertices. All data are copied. load and options can be NULL. Expected linear. Errors:
 * FACET_ERROR_MALFORMED with SCENE-NONFINITE for a corner that is not finite, FACET_ERROR_ARGUMENT
 * as for facet_stl_write, FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_stl_to_scene(const facet_stl *document, const struct facet_load_options *load,
                                const facet_options *options, struct facet_scene **scene,
                                facet_error *error);

/* to_scene.c: true if the header has a material; add that to the scene, as its first. *is_uniform:
 * all triangles have its color. */
bool facet_stl_has_material(const facet_stl *stl);
facet_status facet_stl_add_material(const facet_stl *stl, struct facet_scene *scene,
                                    bool *is_uniform, facet_error *error);
/* True if the color of the object is transparent, which applies to all triangles. */
static inline bool facet_stl_has_alpha(const facet_stl *stl)
{
    return stl->colors == FACET_STL_COLORS_MATERIALISE && stl->object_color[3] != 255;
}

/* to_scene_clustered.c: read a file with load->max_clusters (facet_format.read_clustered). An ASCII
 * file is first read into memory as a whole, with 50 bytes per triangle. */
facet_status facet_stl_read_clustered(const facet_source *source,
                                      const struct facet_load_options *load,
                                      const facet_options *options, struct facet_scene **scene,
                                      facet_error *error);

/* Create a document from a scene of triangles: meshes and parts become solids; normals are those of
 * the triangles. Losses are reported as LOSS-STL-*. All data are copied. Free with facet_stl_free.
 * Errors: FACET_ERROR_ARGUMENT with STL-NEEDS for a scene that facet_prepare did not make ready,
 * FACET_ERROR_LIMIT, FACET_ERROR_MEMORY. */
facet_status facet_stl_from_scene(const struct facet_scene *scene, const facet_options *options,
                                  facet_stl **document, facet_error *error);

#endif
