/* facet/gltf.h - glTF 2.0: .gltf (JSON with embedded or separate buffers) and .glb (JSON and
 * buffers in one file).
 *
 * Specification: Khronos, "glTF 2.0 Specification", 2.0.1. docs/reference/formats/gltf.md describes
 * the parts that a scene can store, and lists the rules by id.
 *
 * Frame of scenes read from glTF: +Y up, right-handed, meters, uv_origin_top. The w of tangents is
 * negated when reading and writing: glTF's bitangent points to decreasing v, a scene's to
 * increasing v.
 *
 * Stability: stable. */
#ifndef FACET_GLTF_H
#define FACET_GLTF_H

#include <facet/format.h>
#include <facet/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Options for writing glTF. All zero: the defaults. */
typedef struct facet_gltf_options {
    uint32_t struct_size; /* sizeof(facet_gltf_options), or 0: that of release 0.3 */
    /* Write small integers instead of floats (KHR_mesh_quantization). Positions have 16 bits on a
     * grid over the mesh's box (15 with morph targets; one grid for all skinned meshes). Normals
     * and tangents have 8 bits. Texture coordinates within -1 to 1 have 16 bits. Colors and a
     * single set of weights have 8 bits. */
    bool quantize;
    /* Compress vertices, indices and key frames without loss (EXT_meshopt_compression). Most
     * effective if they are in GPU order and quantized. */
    bool compress;
    /* Write PNG and JPEG images to separate files NAME.png next to a .gltf. Ignored for GLB, and
     * for outputs without a name or without siblings. */
    bool external_images;
} facet_gltf_options;

#ifdef __cplusplus
}
#endif
#endif
