/* formats/obj/obj.h - shared functions of this folder. */
#ifndef FACET_OBJ_OBJ_H
#define FACET_OBJ_OBJ_H

#include "base/report.h"
#include "base/table.h"
#include "formats/obj/text.h"

#include <facet/format.h>
#include <facet/scene.h>

/* -- Materials ---------------------------------------------------------- */

/* The materials that an OBJ uses, to be filled from libraries. */
typedef struct facet_obj_materials {
    facet_scene *scene;
    facet_arena *scratch;
    facet_names names; /* index of a name = index in scene->materials */
    bool *defined;     /* per material: a definition was read */
    bool library_missing;
} facet_obj_materials;

/* Read an MTL file into the materials with the same names. */
facet_status facet_obj_read_library(facet_obj_materials *materials, const facet_source *library,
                                    const facet_options *options, facet_error *error);
/* mtl.c: true if MTL has a statement for textures of this facet_map. */
bool facet_obj_has_map(int map);
/* mtl_write.c: write the materials of a scene. `names` are those in the OBJ; `pictures` are image
 * files from facet_obj_write_pictures. */
void facet_obj_write_library(const facet_scene *scene, const char *const *names,
                             const char *const *pictures, const facet_options *options,
                             facet_output *output);

/* pictures.c: mark the images that MTL's maps show: those whose textures have a path, or none. */
void facet_obj_mark_images(const facet_scene *scene, bool has_path, bool *marked);
/* Write embedded images that MTL's maps show, next to the output. For "a.obj" and the
 * image "skin", the file is "a_skin.png". *names has one file name per image, or NULL, in
 * `scratch`. */
facet_status facet_obj_write_pictures(const facet_scene *scene, const facet_options *options,
                                      facet_output *output, facet_arena *scratch,
                                      const char ***names, facet_error *error);

/* -- Reading ------------------------------------------------------------ */

/* Like facet_obj_read. If `findings` is not NULL, invalid statements become findings and are
 * skipped. The scene is complete only if no finding is a FACET_SEVERITY_ERROR. */
facet_status facet_obj_read_all(const facet_source *source, const facet_load_options *load,
                                const facet_options *options, facet_report *findings,
                                facet_scene **scene, facet_error *error);

/* Parse an integer; NULL without an integer. Values beyond 10^15 are clamped: no file has
 * that many elements. */
const uint8_t *facet_obj_parse_index(const uint8_t *at, const uint8_t *end, int64_t *index);

/* Index of a face corner as in the file: 0 if it is missing, FACET_OBJ_ZERO if the file has 0. */
#define FACET_OBJ_ZERO INT64_MIN
typedef struct facet_obj_corner {
    int64_t index[3]; /* position, texcoord, normal */
} facet_obj_corner;

/* Parse the corner at `at`; NULL if it is invalid. */
const uint8_t *facet_obj_parse_corner(const uint8_t *at, const uint8_t *end,
                                      facet_obj_corner *corner);

/* An iterator over the `f` statements of a file. */
typedef struct facet_obj_faces {
    const uint8_t *next, *end;
    const uint8_t *statement; /* first byte of the current face */
    const uint8_t *corners;   /* its first corner */
} facet_obj_faces;
bool facet_obj_next_face(facet_obj_faces *faces);
/* Parse the next corner of a face. Returns the byte after it, NULL after the last corner. */
const uint8_t *facet_obj_next_corner(const uint8_t *at, const uint8_t *end,
                                     facet_obj_corner *corner);

/* Line number of a face of the scene, from 1. */
uint64_t facet_obj_line_of_face(const facet_source *source, uint32_t face);

/* Check all rules OBJ-* (docs/reference/formats/obj.md), and add findings to report. */
facet_status facet_obj_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Fill an existing description of a file. */
facet_status facet_obj_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

/* Read an OBJ and its libraries, which are next to it. `load` can be NULL. Free the scene with
 * facet_scene_free; it does not point into the source. Invalid statements are
 * FACET_ERROR_MALFORMED, with a line number. One pass, linear; numbers are rounded to the nearest
 * float. */
facet_status facet_obj_read(const facet_source *source, const facet_load_options *load,
                            const facet_options *options, facet_scene **scene, facet_error *error);

/* Read a file with load->max_clusters (facet_format.read_clustered). Vertices must be before the
 * faces that name them; else FACET_ERROR_UNSUPPORTED with CLUSTER-FORMAT. */
facet_status facet_obj_read_clustered(const facet_source *source, const facet_load_options *load,
                                      const facet_options *options, facet_scene **scene,
                                      facet_error *error);

/* Write a scene as OBJ. Materials go to a second file next to it with the extension ".mtl"
 * ("scene.mtl" for memory without a name). Keeps polygons, separate indices, parts, smoothing
 * groups and vertex colors. Numbers are the shortest that read back as the same floats. Losses are
 * warnings LOSS-OBJ-* in options->report. Call facet_output_commit to finish. */
facet_status facet_obj_write(const facet_scene *scene, const facet_options *options,
                             facet_output *output, facet_error *error);

#endif
