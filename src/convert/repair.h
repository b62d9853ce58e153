/* convert/repair.h - repair of models in archives. */
#ifndef FACET_CONVERT_REPAIR_H
#define FACET_CONVERT_REPAIR_H

#include <facet/archive.h>

/* True if some format repairs copies with these options. */
bool facet_repairs_copies(const facet_options *options);
/* Write an archive again, with repaired members. Members are repaired if their format repairs
 * copies with these options, even if they are compressed or in a nested archive. All other members
 * and all tables are unchanged. Findings in options->report begin with the path of the member. A
 * member that cannot be read is kept, with a warning J3D-UNREPAIRED. Call facet_output_commit to
 * finish. Errors: those of facet_archive_read and facet_archive_write; FACET_ERROR_MEMORY,
 * FACET_ERROR_CANCELED. */
facet_status facet_repair_archive(const facet_source *source, const facet_options *options,
                                  facet_output *output, facet_error *error);

#endif
