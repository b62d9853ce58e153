/* facet/bsm.h - the Binary Static Mesh format. */
#ifndef FACET_BSM_H
#define FACET_BSM_H
#include <facet/scene.h>
#endif
