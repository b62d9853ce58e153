/* convert/repair.h - archives whose models are repaired. */
#ifndef FACET_CONVERT_REPAIR_H
#define FACET_CONVERT_REPAIR_H

#include <facet/archive.h>

/* True when some format repairs copies with these options. */
bool facet_repairs_copies(const facet_options *options);
/* Write an archive again. Each member whose format repairs copies with these options, also one
 * that is compressed or in an archive in this one, is repaired; all other members and all tables
 * stay as they are. Findings in options->report begin with the path of the member. A member that
 * cannot be read stays, with a warning J3D-UNREPAIRED. The caller commits. Errors: those of
 * facet_archive_read and facet_archive_write; FACET_ERROR_MEMORY, FACET_ERROR_CANCELED. */
facet_status facet_repair_archive(const facet_source *source, const facet_options *options,
                                  facet_output *output, facet_error *error);

#endif
