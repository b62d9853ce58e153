/* facet/facet.h - the whole library in one include. */
#ifndef FACET_FACET_H
#define FACET_FACET_H

#include <facet/archive.h>
#include <facet/base.h>
#include <facet/bga.h>
#include <facet/binarymesh.h>
#include <facet/bpx.h>
#include <facet/bsm.h>
#include <facet/bti.h>
#include <facet/convert.h>
#include <facet/format.h>
#include <facet/gltf.h>
#include <facet/gx.h>
#include <facet/gx_material.h>
#include <facet/image.h>
#include <facet/j3d.h>
#include <facet/j3d_geometry.h>
#include <facet/j3d_material.h>
#include <facet/mesh.h>
#include <facet/obj.h>
#include <facet/pose.h>
#include <facet/scene.h>

#endif
