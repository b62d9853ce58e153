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

/* Apply every rule of docs/stl.md to a file and add what is found to `report`.
 * FACET_OK also for a file full of errors. Linear. options may be NULL. Errors:
 * FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
facet_status facet_stl_check(const facet_source *source, const facet_options *options,
                             facet_report *report, facet_error *error);

/* Describe a file in a description that exists already. */
facet_status facet_stl_fill_description(const facet_source *source, const facet_options *options,
                                        facet_description *description, facet_error *error);

#endif
