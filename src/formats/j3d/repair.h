/* formats/j3d/repair.h - repair of models that games cannot load. */
#ifndef FACET_J3D_REPAIR_H
#define FACET_J3D_REPAIR_H

#include <facet/j3d.h>

/* Repair a document. `found` is the report of the check of its file. Only errors with one correct
 * solution are repaired: envelopes that are listed once or out of order, hashes, counts, the
 * hierarchy, flags of palettes, packets. Everything else is unchanged. */
facet_status facet_j3d_repair(facet_j3d *document, const facet_report *found,
                              const facet_options *options, facet_error *error);

/* Report findings of `before` that are missing in `after` (J3D-REPAIRED), and remaining errors
 * (J3D-UNREPAIRED). */
void facet_j3d_report_repair(const facet_report *before, const facet_report *after,
                             facet_report *report);

#endif
