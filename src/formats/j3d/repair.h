/* formats/j3d/repair.h - repair of models that games cannot load. */
#ifndef FACET_J3D_REPAIR_H
#define FACET_J3D_REPAIR_H

#include <facet/j3d.h>

/* Repair a document. `found` is the report of the check of its file. Only errors with one correct
 * solution are repaired: envelopes that are listed once or out of order, hashes, counts, the
 * hierarchy, flags of palettes, packets. Everything else is unchanged. `source` is the file, whose
 * sections have names that a count leaves out. */
facet_status facet_j3d_repair(facet_j3d *document, const facet_source *source,
                              const facet_report *found, const facet_options *options,
                              facet_error *error);

/* True if `after` lacks a warning or an error of `before`. Padding does not count, because every
 * file that is written has the same. */
bool facet_j3d_is_repaired(const facet_report *before, const facet_report *after);

/* Report findings of `before` that are missing in `after` (J3D-REPAIRED), and remaining errors
 * (J3D-UNREPAIRED). */
void facet_j3d_report_repair(const facet_report *before, const facet_report *after,
                             facet_report *report);

#endif
