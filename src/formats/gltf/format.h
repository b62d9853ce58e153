/* formats/gltf/format.h - functions of glTF for the format table, besides the public ones. */
#ifndef FACET_GLTF_FORMAT_H
#define FACET_GLTF_FORMAT_H

#include <facet/gltf.h>
#include <facet/scene.h>

/* Add every broken rule to report. Returns FACET_OK also if there are findings. */
facet_status facet_gltf_check(const facet_source *source, const facet_options *options,
                              facet_report *report, facet_error *error);

/* Fill an existing description of a file. */
facet_status facet_gltf_fill_description(const facet_source *source, const facet_options *options,
                                         facet_description *description, facet_error *error);

/* Read either container into a scene; free it with facet_scene_free. Each glTF mesh becomes one
 * mesh, whose primitives are runs of faces. It is GPU-ready if all primitives have the same
 * attributes; else streams are FACET_NONE where a primitive lacks them. Strips and fans become
 * triangles; lines and points are read also.
 * Buffers and images in other files are opened by facet_source_open_sibling. They must be in the
 * directory of the source, unless source->allow_external. A missing buffer is an error, a missing
 * image a warning. Nothing is read from a network.
 * Objects with the names in `load` (NULL: defaults) become hulls and occluder.
 * Fails with FACET_ERROR_MALFORMED and the rule; FACET_ERROR_UNSUPPORTED for GLB versions other
 * than 2 and unsupported required extensions; FACET_ERROR_LIMIT if a small file would produce a
 * huge scene. Linear in the file and the scene. */
facet_status facet_gltf_read(const facet_source *source, const facet_load_options *load,
                             const facet_options *options, facet_scene **scene, facet_error *error);

/* Write a scene of triangles with a single index, else fail with FACET_ERROR_ARGUMENT. The second
 * function writes a GLB of at most 4 GiB, else fails with FACET_ERROR_LIMIT. The first writes JSON;
 * the buffer goes into a second file NAME.bin next to it. A stream, or memory without a name, gets
 * the buffer inside as base64. The same scene gives the same bytes. Data that glTF cannot store are
 * reported as LOSS-* warnings in options->report. */
facet_status facet_gltf_write_text(const facet_scene *scene, const facet_options *options,
                                   facet_output *output, facet_error *error);

facet_status facet_gltf_write_binary(const facet_scene *scene, const facet_options *options,
                                     facet_output *output, facet_error *error);

#endif
