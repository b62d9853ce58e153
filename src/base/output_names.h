/* base/output_names.h - names of outputs that are written together, so that no two are the same
 * file. */
#ifndef FACET_BASE_OUTPUT_NAMES_H
#define FACET_BASE_OUTPUT_NAMES_H

#include "base/new_file.h"
#include "base/table.h"

typedef struct facet_output_names {
    facet_names paths;   /* in lower case */
    facet_records files; /* device and number of each replaced file */
} facet_output_names;

facet_output_names facet_output_names_make(facet_arena *arena);
/* True if a path is in the set, ignoring case, or if `file` (NULL: none) replaces the same file as
 * another one. The path has less than PATH_MAX bytes. Constant time on average. */
bool facet_output_names_has(facet_output_names *names, const char *path,
                            const facet_new_file *file);
/* Add an output. False if out of memory. */
bool facet_output_names_put(facet_output_names *names, const char *path,
                            const facet_new_file *file);

#endif
