/* formats/assimp/file/clips_dae.h - the animation clips of a COLLADA. assimp does not read them. */
#ifndef FACET_ASSIMP_FILE_CLIPS_DAE_H
#define FACET_ASSIMP_FILE_CLIPS_DAE_H

#include "base/arena.h"
#include "base/report.h"
#include "base/table.h"

/* An <animation_clip>: a span of time, and the nodes that its animations move. */
typedef struct facet_dae_clip {
    const char *name;  /* its id without a name; "": none */
    double start, end; /* seconds; end: INFINITY if the last key ends it */
    uint32_t first_node, node_count;
} facet_dae_clip;

typedef struct facet_dae_clips {
    facet_dae_clip *items;
    uint32_t count;
    uint32_t *nodes;      /* of all clips: numbers of `node_ids` */
    facet_names node_ids; /* ids of all nodes that animations move */
} facet_dae_clips;

/* Read the clips into `scratch`. Without clips, *clips is NULL. assimp merges all channels of a
 * node, so each clip must have all or none of them. Otherwise, or if `clips` is NULL, the clips are
 * reported as lost. The text must stay valid. Linear in the text, except for clips times channels,
 * which are limited. */
facet_status facet_dae_read_clips(const uint8_t *data, size_t size, facet_arena *scratch,
                                  facet_report *report, facet_dae_clips **clips,
                                  facet_error *error);

#endif
