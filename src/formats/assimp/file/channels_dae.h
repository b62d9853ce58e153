/* formats/assimp/file/channels_dae.h - channels of a COLLADA's animations that do not move a node.
 * assimp drops them without a message. */
#ifndef FACET_ASSIMP_FILE_CHANNELS_DAE_H
#define FACET_ASSIMP_FILE_CHANNELS_DAE_H

#include "base/arena.h"
#include "base/report.h"

/* Report the channels whose target is not a transform of a node. Linear. */
facet_status facet_dae_report_channels(const uint8_t *data, size_t size, facet_arena *scratch,
                                       facet_report *report, facet_error *error);

#endif
