/* facet/gltf.h - glTF 2.0: .gltf (JSON with buffers beside it or inside) and
 * .glb (both in one file).
 *
 * Specification: Khronos, "glTF 2.0 Specification", 2.0.1. docs/reference/formats/gltf.md says
 * what of it a scene holds, and lists the rules by id.
 *
 * Frame of what is read: +Y up, right-handed, meters, uv_origin_top. The w of a
 * tangent is negated on the way in and out: glTF's bitangent points to where v
 * is smallest, a scene's to where v grows.
 *
 * Stability: stable. */
#ifndef FACET_GLTF_H
#define FACET_GLTF_H

#include <facet/format.h>
#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How glTF is written. All zero: the defaults. */
typedef struct facet_gltf_options {
    uint32_t struct_size; /* sizeof(facet_gltf_options), or 0: that of release 0.3 */
    /* Small integers instead of floats (KHR_mesh_quantization): positions of 16 bits on a
     * grid over the mesh's box (15 with morph targets, one grid for all skinned meshes),
     * normals and tangents of 8 bits, texture coordinates of 16 bits where they lie
     * within -1 to 1, colors and a single set of weights of 8 bits. */
    bool quantize;
    /* Vertices, indices and key frames compressed without loss (EXT_meshopt_compression):
     * well when they are in GPU order and quantized. */
    bool compress;
    /* Of a text with a name: PNG and JPEG images in files NAME.png beside it, where
     * there is a beside; not of a GLB. */
    bool external_images;
} facet_gltf_options;

#ifdef __cplusplus
}
#endif
#endif
