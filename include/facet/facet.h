/* facet/facet.h - the whole library in one include.
 *
 * Every family F (bsm, iqm, binarymesh, bga, bpx, ply, stl) has its own header, which depends only
 * on facet/base.h and has the same functions:
 *
 * | step   | function                                        | result                           |
 * | view   | facet_F_view(data, size, &layout, error)        | facet_F_layout: checked pointers |
 * |        |                                                 | into the bytes, no copy          |
 * | verify | facet_F_verify(&layout, error)                  | FACET_OK: every index, range and |
 * |        |                                                 | checksum is right                |
 * | read   | facet_F_read(source, options, &document, error) | facet_F: the document            |
 * | write  | facet_F_write(document, options, output, error) | its bytes                        |
 * | free   | facet_F_free(document)                          |                                  |
 *
 * BinaryMesh is compressed, and PLY and STL may be text: they have no view. BGA's facet_bga is both
 * view and document; its view takes its own options. You may fill in a document yourself: the write
 * function checks it. Scenes are read by facet_load and written by facet_save. Files of any format
 * are checked by facet_check and described by facet_describe.
 *
 * There are two promises. The core is stable: base, format, convert, model, scene, image, pose,
 * mesh, pack, and the families BSM, IQM, BGA, BinaryMesh, BPX (except shader packages), OBJ, PLY,
 * STL and glTF. The rest is experimental: archives, GX, BTI, J3D, render, compare, rules, and
 * functions for tools, which each header names. The compiler warns about the use of an experimental
 * function unless you define FACET_EXPERIMENTAL before this line.
 */
#ifndef FACET_FACET_H
#define FACET_FACET_H

#include <facet/archive.h>
#include <facet/base.h>
#include <facet/bga.h>
#include <facet/binarymesh.h>
#include <facet/bpx.h>
#include <facet/bsm.h>
#include <facet/bti.h>
#include <facet/compare.h>
#include <facet/convert.h>
#include <facet/format.h>
#include <facet/gltf.h>
#include <facet/gx.h>
#include <facet/gx_bti.h>
#include <facet/gx_material.h>
#include <facet/image.h>
#include <facet/iqm.h>
#include <facet/j3d.h>
#include <facet/j3d_animation.h>
#include <facet/j3d_geometry.h>
#include <facet/j3d_material.h>
#include <facet/mesh.h>
#include <facet/model.h>
#include <facet/pack.h>
#include <facet/ply.h>
#include <facet/pose.h>
#include <facet/render.h>
#include <facet/rule.h>
#include <facet/scene.h>
#include <facet/stl.h>

#endif
