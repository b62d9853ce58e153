/* convert/absent.c - features that this build lacks. */
#include "format_table.h"

#include <facet/format.h>

static const facet_missing_feature absences[] = {
    FACET_ABSENT_FAMILIES
#ifndef FACET_HAVE_MESHOPT
    {"meshoptimizer", "order for the GPU, simplification, EXT_meshopt_compression",
     "FACET_MESHOPT"},
#endif
#ifndef FACET_HAVE_QHULL
    {"qhull", "collision hulls", "FACET_QHULL"},
#endif
#ifndef FACET_HAVE_LZ4
    {"LZ4", "writing BinaryMesh 3 and 4 and reading them faster; files in LZ4's format",
     "FACET_LZ4"},
#endif
#ifndef FACET_HAVE_DEFLATE
    {"libdeflate", "compressed sections of BPX, writing PNG", "FACET_DEFLATE"},
#endif
#ifndef FACET_HAVE_LZMA
    {"liblzma", "files and sections of BPX in XZ's format", "FACET_LZMA"},
#endif
#ifndef FACET_HAVE_ZLIB
    {"zlib", "files in gzip's format", "FACET_ZLIB"},
#endif
#ifndef FACET_HAVE_BZIP2
    {"libbz2", "files in bzip2's format", "FACET_BZIP2"},
#endif
#ifndef FACET_HAVE_ZSTD
    {"libzstd", "files in Zstandard's format", "FACET_ZSTD"},
#endif
#ifndef FACET_HAVE_PNG
    {"libspng", "PNG", "FACET_PNG"},
#endif
#ifndef FACET_HAVE_JPEG
    {"libturbojpeg", "JPEG", "FACET_JPEG"},
#endif
#ifndef FACET_HAVE_WEBP
    {"libwebp", "reading WebP", "FACET_WEBP"},
#endif
#ifndef FACET_HAVE_STB
    {"stb", "TGA, BMP, PSD and HDR; other sizes of images", "FACET_STB"},
#endif
#ifndef FACET_HAVE_DRACO
    {"draco", "KHR_draco_mesh_compression", "FACET_DRACO"},
#endif
#ifndef FACET_HAVE_ASSIMP
    {"assimp", "FBX, COLLADA, 3DS and others", "FACET_ASSIMP"},
#endif
#ifndef FACET_HAVE_GLSLANG
    {"glslang", "checking shaders of BPX", "FACET_GLSLANG"},
#endif
#ifndef FACET_HAVE_ZIP
    {"libzip", "ZIP archives", "FACET_ZIP"},
#endif
#ifndef FACET_HAVE_SDL
    {"SDL", "the window of facet view", "FACET_SDL"},
#endif
    {NULL, NULL, NULL}, /* the end */
};

size_t facet_missing_feature_count(void)
{
    return sizeof absences / sizeof *absences - 1;
}

const facet_missing_feature *facet_missing_feature_get(size_t index)
{
    return index < facet_missing_feature_count() ? &absences[index] : NULL;
}
