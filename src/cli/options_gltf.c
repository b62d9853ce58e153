/* cli/options_gltf.c - options for writing glTF. */
#include "cli/cli.h"

static int apply(cli_record *record, void *settings, facet_options *options, facet_error *error)
{
    (void)record, (void)error; /* reads no file */
    options->gltf = settings;
    return EXIT_DONE;
}

static const cli_option options[] = {
    {"quantize-mesh", NULL,
     CLI_HELP("store small integers instead of floats: KHR_mesh_quantization"), CLI_FLAG,
     .offset = offsetof(facet_gltf_options, quantize), .needs_scene = true,
     .fields = CLI_HELP("facet_gltf_options.quantize")},
    {"compress-mesh", NULL, CLI_HELP("compress meshes and key frames: EXT_meshopt_compression"),
     CLI_FLAG, .offset = offsetof(facet_gltf_options, compress), .needs_scene = true,
     .fields = CLI_HELP("facet_gltf_options.compress")},
    {"external-images", NULL, CLI_HELP("write images as files next to OUT; not for GLB"), CLI_FLAG,
     .offset = offsetof(facet_gltf_options, external_images), .formats = "gltf",
     .needs_scene = true, .fields = CLI_HELP("facet_gltf_options.external_images")},
    {0}};

const cli_option_set cli_gltf = {.heading = "glTF",
                                 .formats = "glb, gltf",
                                 .options = options,
                                 .settings_size = sizeof(facet_gltf_options),
                                 .apply = apply};
