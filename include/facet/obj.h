/* facet/obj.h - the Wavefront OBJ format and its material libraries (MTL).
 *
 * An OBJ becomes a scene with one mesh: polygons as written, streams with an
 * index of their own each (those that are equal everywhere share one), objects
 * and groups as parts, materials by name. What the format holds and a scene
 * does not (lines, points, curves) is counted in options->report. docs/obj.md
 * has the rules and what is done about them.
 *
 * Stability: stable. */
#ifndef FACET_OBJ_H
#define FACET_OBJ_H

#include <facet/format.h>
#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Read an OBJ and the libraries that it names, which stand beside it. load may
 * be NULL. The scene is to be freed with facet_scene_free and points to nothing
 * in the source. FACET_ERROR_MALFORMED, with a line, for a broken statement.
 * One pass over the bytes, linear; numbers are rounded to the nearest float. */
FACET_API facet_status facet_obj_read(const facet_source *source, const facet_load_options *load,
                                      const facet_options *options, facet_scene **scene,
                                      facet_error *error);

/* Write a scene as OBJ; materials go to a second file beside it, named like it
 * with the extension ".mtl" ("scene.mtl" in memory without a name). Polygons, separate indices,
 * parts, smoothing groups and colors of vertices are kept; numbers are as short as they can be to
 * read back as the same floats. What OBJ cannot hold is a warning LOSS-OBJ-* in options->report.
 * The caller commits. */
FACET_API facet_status facet_obj_write(const facet_scene *scene, const facet_options *options,
                                       facet_output *output, facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
