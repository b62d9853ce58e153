/* formats/gltf/format.h - what the format table asks of glTF besides the public functions. */
#ifndef FACET_GLTF_FORMAT_H
#define FACET_GLTF_FORMAT_H

#include <facet/format.h>

/* Add every broken rule to report; FACET_OK also when the file is full of them. */
facet_status facet_gltf_check(const facet_source *source, const facet_options *options,
                              facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_gltf_fill_description(const facet_source *source, const facet_options *options,
                                         facet_description *description, facet_error *error);

#endif
