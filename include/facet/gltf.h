/* facet/gltf.h - glTF 2.0: .gltf (JSON with buffers beside it or inside) and
 * .glb (both in one file).
 *
 * Specification: Khronos, "glTF 2.0 Specification", 2.0.1. docs/gltf.md says
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

/* Read either container into a scene, to be freed with facet_scene_free.
 * Each glTF mesh is one mesh: its primitives are runs of faces, GPU-ready when
 * all have the same attributes (else streams are FACET_NONE where a primitive
 * lacks them). Strips and fans become triangles, points are dropped. Buffers
 * and images in other files are opened by facet_source_open_sibling, and must
 * stay in the directory of the source unless source->allow_external; a buffer
 * that is missing is an error, an image a warning. Nothing is fetched from a network.
 * Objects named as `load` says (NULL: its defaults) become hulls and occluder.
 * FACET_ERROR_MALFORMED with the rule, FACET_ERROR_UNSUPPORTED for a GLB
 * version other than 2 and for required extensions that are not known,
 * FACET_ERROR_LIMIT when a small file asks for a scene out of all proportion.
 * Linear in the file and the scene. */
FACET_API facet_status facet_gltf_read(const facet_source *source, const facet_load_options *load,
                                       const facet_options *options, facet_scene **scene,
                                       facet_error *error);

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

/* Write a scene of triangles with a single index (FACET_ERROR_ARGUMENT when it
 * is not). _binary writes a GLB, of at most 4 GiB (FACET_ERROR_LIMIT); _text
 * writes JSON, with the buffer in a second file NAME.bin beside it, or inside as
 * base64 where there is no beside (a stream) or no name (memory that was given
 * none). The same scene gives the same bytes. What glTF
 * cannot hold becomes a warning LOSS-* in options->report. */
FACET_API facet_status facet_gltf_write_text(const facet_scene *scene, const facet_options *options,
                                             facet_output *output, facet_error *error);
FACET_API facet_status facet_gltf_write_binary(const facet_scene *scene,
                                               const facet_options *options, facet_output *output,
                                               facet_error *error);

#ifdef __cplusplus
}
#endif
#endif
