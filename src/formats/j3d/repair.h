/* formats/j3d/repair.h - models that games cannot take, repaired. */
#ifndef FACET_J3D_REPAIR_H
#define FACET_J3D_REPAIR_H

#include <facet/j3d.h>

/* Repair what `found`, the report of the check of the file that the document was read from, has of
 * faults for which there is one right way: envelopes that are listed once or out of order,
 * hashes, counts, the hierarchy, flags of palettes, packets. All else stays. */
facet_status facet_j3d_repair(facet_j3d *document, const facet_report *found,
                              const facet_options *options, facet_error *error);

/* Report which of the findings before are gone after (J3D-REPAIRED), and which errors are left
 * (J3D-UNREPAIRED). */
void facet_j3d_report_repair(const facet_report *before, const facet_report *after,
                             facet_report *report);

#endif
