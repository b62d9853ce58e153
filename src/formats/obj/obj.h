/* formats/obj/obj.h - what the files of this folder share. */
#ifndef FACET_OBJ_OBJ_H
#define FACET_OBJ_OBJ_H

#include "base/report.h"
#include "base/table.h"
#include "formats/obj/text.h"

#include <facet/format.h>
#include <facet/scene.h>

/* -- Materials ---------------------------------------------------------- */

/* The materials that an OBJ uses, and where their definitions go. */
typedef struct facet_obj_materials {
    facet_scene *scene;
    facet_arena *scratch;
    facet_names names; /* a material has its index in scene->materials */
    bool *defined;     /* per material */
    bool library_missing;
    facet_tally unused, duplicates; /* definitions that no face uses; second ones */
} facet_obj_materials;

/* Read one MTL: fill in the materials of that name. */
facet_status facet_obj_read_library(facet_obj_materials *materials, const facet_source *library,
                                    const facet_options *options, facet_error *error);
/* mtl.c: has MTL a statement for textures of this facet_map? */
bool facet_obj_has_map(int map);
/* Write the library of a scene; `names` are those that the OBJ uses, `pictures` the files of
 * images, as facet_obj_write_pictures gives them. */
void facet_obj_write_library(const facet_scene *scene, const char *const *names,
                             const char *const *pictures, const facet_options *options,
                             facet_output *output);

/* pictures.c: write the images that are in the scene, and that a map of MTL shows, beside the
 * output: "a.obj" and the image "skin" make "a_skin.png". *names is one per image, in
 * `scratch`: the file, or NULL. */
facet_status facet_obj_write_pictures(const facet_scene *scene, const facet_options *options,
                                      facet_output *output, facet_arena *scratch,
                                      const char ***names, facet_error *error);

/* -- Reading ------------------------------------------------------------ */

/* As facet_obj_read. When `findings` is not NULL, a statement that breaks a
 * rule becomes a finding there and is left out; the scene is then whole only if
 * none of them is of FACET_SEVERITY_ERROR. */
facet_status facet_obj_read_all(const facet_source *source, const facet_load_options *load,
                                const facet_options *options, facet_report *findings,
                                facet_scene **scene, facet_error *error);

/* Parse a whole number; NULL when there is none. One beyond 10^15 is cut: no
 * file has as many elements. */
const uint8_t *facet_obj_parse_index(const uint8_t *at, const uint8_t *end, int64_t *index);

/* Index of a face corner as written: 0 when it is not there, FACET_OBJ_ZERO when
 * it is written as 0. */
#define FACET_OBJ_ZERO INT64_MIN
typedef struct facet_obj_corner {
    int64_t index[3]; /* position, texcoord, normal */
} facet_obj_corner;

/* Parse the corner at `at`; NULL when it is none. */
const uint8_t *facet_obj_parse_corner(const uint8_t *at, const uint8_t *end,
                                      facet_obj_corner *corner);

/* Walks the `f` statements of a file. */
typedef struct facet_obj_faces {
    const uint8_t *next, *end;
    const uint8_t *statement; /* the face found: its first byte */
    const uint8_t *corners;   /* and its first corner */
} facet_obj_faces;
bool facet_obj_next_face(facet_obj_faces *faces);
/* The next corner of a face; returns what follows it, NULL after the last. */
const uint8_t *facet_obj_next_corner(const uint8_t *at, const uint8_t *end,
                                     facet_obj_corner *corner);

/* Line of the face with this number in the scene, from 1. */
uint64_t facet_obj_line_of_face(const facet_source *source, uint32_t face);

/* Apply every rule OBJ-* (docs/reference/formats/obj.md) and add what is found to report. */
facet_status facet_obj_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_obj_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

/* Read an OBJ and the libraries that it names, which stand beside it. load may
 * be NULL. The scene is to be freed with facet_scene_free and points to nothing
 * in the source. FACET_ERROR_MALFORMED, with a line, for a broken statement.
 * One pass over the bytes, linear; numbers are rounded to the nearest float. */
facet_status facet_obj_read(const facet_source *source, const facet_load_options *load,
                            const facet_options *options, facet_scene **scene, facet_error *error);

/* Write a scene as OBJ; materials go to a second file beside it, named like it
 * with the extension ".mtl" ("scene.mtl" in memory without a name). Polygons, separate indices,
 * parts, smoothing groups and colors of vertices are kept; numbers are as short as they can be to
 * read back as the same floats. What OBJ cannot hold is a warning LOSS-OBJ-* in options->report.
 * The caller commits. */
facet_status facet_obj_write(const facet_scene *scene, const facet_options *options,
                             facet_output *output, facet_error *error);

#endif
