/* formats/assimp/probe.h - probe functions of the format table's lines; see facet_format.probe. */
#ifndef FACET_FORMATS_ASSIMP_PROBE_H
#define FACET_FORMATS_ASSIMP_PROBE_H

#include "scene/format.h"

/* Extensions of all formats without a separate line. */
extern const char *const facet_assimp_extensions[];

int facet_assimp_probe_fbx(const facet_source *source);
int facet_assimp_probe_dae(const facet_source *source);
int facet_assimp_probe_3ds(const facet_source *source);
int facet_assimp_probe_other(const facet_source *source);

#endif
