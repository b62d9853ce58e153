/* j3d/file/sections.c - what a file is, and the sections that it is made of. */
#include "j3d/file/sections.h"

#include "base/bytes.h"
#include "base/error.h"

#include <string.h>

/* -- What else bears the name ------------------------------------------- */

/* Models of Super Mario 64 DS: little-endian, no magic number; a scale as a
 * power of two, then five counts, each with the offset of its table. */
static bool is_nintendo_ds(const uint8_t *data, size_t size)
{
    if (size < 0x3C || facet_load_u32le(data) > 31)
        return false;
    uint32_t bones = facet_load_u32le(data + 4);
    if (bones == 0 || bones > 4096)
        return false;
    for (size_t at = 4; at < 0x2C; at += 8) {
        uint32_t offset = facet_load_u32le(data + at + 4);
        if (offset != 0 && (offset < 0x3C || offset > size))
            return false;
    }
    return true;
}

static facet_status refuse(facet_error *error, const char *rule, const char *sentence)
{
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, rule, 0, "%s", sentence);
}

facet_status facet_j3d_find_kind(const uint8_t *data, size_t size, facet_j3d_kind *kind,
                                 facet_error *error)
{
    static const struct {
        char magic[9];
        facet_j3d_kind kind;
    } kinds[] = {
        {"J3D2bmd2", FACET_J3D_BMD2}, {"J3D2bmd3", FACET_J3D_BMD3}, {"J3D2bdl3", FACET_J3D_BDL4},
        {"J3D2bdl4", FACET_J3D_BDL4}, {"J3D2bmt3", FACET_J3D_BMT3},
    };
    if (size >= 4 && (memcmp(data, "Yaz0", 4) == 0 || memcmp(data, "Yay0", 4) == 0))
        return refuse(error, "J3D-COMPRESSED",
                      "the file is compressed (Yaz0 or Yay0); unpack it first");
    if (size >= 4 && memcmp(data, "LZ77", 4) == 0)
        return refuse(error, "J3D-COMPRESSED",
                      "the file is compressed (LZ77), as Nintendo DS files are; unpack it first");
    if (size >= 4 && memcmp(data, "RARC", 4) == 0)
        return refuse(error, "J3D-COMPRESSED",
                      "the file is an archive (RARC); take the model out of it first");
    if (size >= 4 && memcmp(data, "J3D1", 4) == 0)
        return refuse(error, "J3D-MAGIC",
                      "the file is a J3D1 file, an animation or an early model; J3D2 models are "
                      "read");
    if (size < 8 || memcmp(data, "J3D2", 4) != 0) {
        if (is_nintendo_ds(data, size))
            return refuse(error, "J3D-MAGIC",
                          "the file is a Nintendo DS model, another format that is named .bmd, "
                          "too");
        return facet_fail(error, FACET_ERROR_MALFORMED, "J3D-MAGIC", 0,
                          "the file does not begin with J3D2 and a type");
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (memcmp(data, kinds[i].magic, 8) == 0) {
            *kind = kinds[i].kind;
            return FACET_OK;
        }
    }
    facet_quoted quoted;
    return facet_fail(error, FACET_ERROR_UNSUPPORTED, "J3D-MAGIC", 4,
                      "J3D2 files of the type '%s' are not read: bmd2, bmd3, bdl4 and bmt3 are",
                      facet_quote(&quoted, (const char *)data + 4, 4));
}
