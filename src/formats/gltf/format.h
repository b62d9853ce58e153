/* formats/gltf/format.h - what the format table asks of glTF besides the public functions. */
#ifndef FACET_GLTF_FORMAT_H
#define FACET_GLTF_FORMAT_H

#include <facet/gltf.h>
#include <facet/scene.h>

/* Add every broken rule to report; FACET_OK also when the file is full of them. */
facet_status facet_gltf_check(const facet_source *source, const facet_options *options,
                              facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_gltf_fill_description(const facet_source *source, const facet_options *options,
                                         facet_description *description, facet_error *error);

/* Read either container into a scene, to be freed with facet_scene_free.
 * Each glTF mesh is one mesh: its primitives are runs of faces, GPU-ready when
 * all have the same attributes (else streams are FACET_NONE where a primitive
 * lacks them). Strips and fans become triangles, points are dropped. Buffers
 * and images in other files are opened by facet_source_open_sibling, and must
 * stay in the directory of the source unless source->allow_external; a buffer
 * that is missing is an error, an image a warning. Nothing is fetched from a network.
 * Objects named as `load` says (NULL: its defaults) become hulls and occluder.
 * FACET_ERROR_MALFORMED with the rule, FACET_ERROR_UNSUPPORTED for a GLB
 * version other than 2 and for required extensions that are not known,
 * FACET_ERROR_LIMIT when a small file asks for a scene out of all proportion.
 * Linear in the file and the scene. */
facet_status facet_gltf_read(const facet_source *source, const facet_load_options *load,
                             const facet_options *options, facet_scene **scene, facet_error *error);

/* Write a scene of triangles with a single index (FACET_ERROR_ARGUMENT when it
 * is not). _binary writes a GLB, of at most 4 GiB (FACET_ERROR_LIMIT); _text
 * writes JSON, with the buffer in a second file NAME.bin beside it, or inside as
 * base64 where there is no beside (a stream) or no name (memory that was given
 * none). The same scene gives the same bytes. What glTF
 * cannot hold becomes a warning LOSS-* in options->report. */
facet_status facet_gltf_write_text(const facet_scene *scene, const facet_options *options,
                                   facet_output *output, facet_error *error);

facet_status facet_gltf_write_binary(const facet_scene *scene, const facet_options *options,
                                     facet_output *output, facet_error *error);

#endif
