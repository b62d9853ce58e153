/* facet/obj.h - the Wavefront OBJ format. */
#ifndef FACET_OBJ_H
#define FACET_OBJ_H
#include <facet/scene.h>
#endif
