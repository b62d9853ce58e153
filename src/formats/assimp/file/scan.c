/* formats/assimp/file/scan.c - selects the scan of a file for assimp. The extension selects the
 * reader of assimp. The first bytes count only if no reader has the extension. */
#include "formats/assimp/file/scan.h"
#include "formats/assimp/file/cameras_dae.h"
#include "formats/assimp/file/channels_dae.h"
#include "formats/assimp/file/double_dae.h"
#include "formats/assimp/file/instances_dae.h"
#include "formats/assimp/file/keys_dae.h"
#include "formats/assimp/file/marks_dae.h"
#include "formats/assimp/file/names_dae.h"
#include "formats/assimp/file/shared_dae.h"
#include "formats/assimp/file/shown_dae.h"
#include "formats/assimp/file/symbols_dae.h"
#include "formats/assimp/file/targets_dae.h"
#include "formats/assimp/file/wraps_dae.h"
#include "formats/assimp/file/xml.h"

#include <string.h>
#include <strings.h>

/* Bytes at the start of a file in which assimp looks for the format. */
#define SEARCHED 1000

static bool begins(const uint8_t *data, size_t size, const char *text)
{
    return size >= strlen(text) && memcmp(data, text, strlen(text)) == 0;
}

static bool is_fbx(const uint8_t *data, size_t size, const char *extension)
{
    return strcasecmp(extension, ".fbx") == 0 || begins(data, size, "Kaydara FBX Binary") ||
           begins(data, size, "; FBX ");
}

/* True for XML, in which assimp skips text before the first element. A STEP file has texts in angle
 * brackets that are not elements. */
static bool is_xml(const uint8_t *text, size_t size, const char *extension)
{
    static const char *const extensions[] = {".dae", ".zae", ".xml",     ".x3d",   ".amf",
                                             ".xgl", ".irr", ".irrmesh", ".model", NULL};
    for (size_t i = 0; extensions[i]; i++) {
        if (strcasecmp(extension, extensions[i]) == 0)
            return true;
    }
    return memchr(text, '<', size < SEARCHED ? size : SEARCHED) &&
           !begins(text, size, "ISO-10303-21;");
}

/* Limit the nesting of formats other than FBX and XML. */
static facet_status scan_others(const uint8_t *data, size_t size, const char *extension,
                                facet_arena *scratch, facet_error *error)
{
    bool is_wide =
        size >= 2 && (memcmp(data, "\xFF\xFE", 2) == 0 || memcmp(data, "\xFE\xFF", 2) == 0);
    if (is_wide) { /* assimp converts UTF-16 and UTF-32 to UTF-8 */
        uint8_t *plain = facet_arena_allocate(scratch, size, 1);
        size_t used = 0;
        if (!plain)
            return facet_fail_arena(scratch, error);
        for (size_t i = 2; i < size; i++) {
            plain[used] = data[i];
            used += data[i] != 0;
        }
        data = plain;
        size = used;
    }
    TRY(facet_assimp_scan_counts(data, size, extension, error));
    if (facet_assimp_is_format(data, size, extension, ".smd .vta", NULL))
        return facet_assimp_scan_smd(data, size, scratch, error);
    if (facet_assimp_is_format(data, size, extension, ".md5mesh .md5anim .md5camera", "MD5Version"))
        return facet_assimp_scan_md5(data, size, scratch, error);
    return facet_assimp_scan_links(data, size, extension, scratch, error);
}

/* Note whether the first element of an XML is that of a COLLADA. */
static bool note_root(void *is_collada, const facet_xml_tag *tag)
{
    *(bool *)is_collada = facet_xml_is(tag->name, "COLLADA");
    return false;
}

/* Report and change what assimp reads wrongly, before the scan of all elements. */
static facet_status prepare_collada(const uint8_t **text, size_t *size, facet_arena *scratch,
                                    facet_report *report, facet_error *error)
{
    TRY(facet_dae_clear_marks(text, *size, scratch, error));
    TRY(facet_dae_report_unshown(*text, *size, scratch, report, error));
    TRY(facet_dae_report_channels(*text, *size, scratch, report, error));
    TRY(facet_dae_replace_morphs(text, size, scratch, error));
    TRY(facet_dae_copy_params(text, size, scratch, error));
    TRY(facet_dae_set_wraps(text, size, scratch, error));
    TRY(facet_dae_move_double_sided(text, size, scratch, report, error));
    TRY(facet_dae_rename_symbols(text, size, scratch, error));
    TRY(facet_dae_copy_shapes(text, size, scratch, error));
    TRY(facet_dae_number_names(text, size, scratch, error));
    TRY(facet_dae_set_fields_of_view(text, size, scratch, report, error));
    return facet_dae_expand_keys(text, size, scratch, report, error);
}

facet_status facet_assimp_scan(const uint8_t **data, size_t *size, const char *name,
                               facet_arena *scratch, const facet_options *options,
                               facet_report *report, facet_fbx **fbx, facet_dae_clips **clips,
                               facet_error *error)
{
    *fbx = NULL;
    if (clips)
        *clips = NULL;
    const char *dot = strrchr(name, '.'), *extension = dot ? dot : "";
    if (*size == 0)
        return FACET_OK;
    if (is_fbx(*data, *size, extension))
        return facet_assimp_scan_fbx(data, size, scratch, options, report, fbx, error);
    TRY(facet_assimp_unpack_x(data, size, scratch, options, error));
    TRY(scan_others(*data, *size, extension, scratch, error));
    TRY(facet_assimp_add_x_material(data, size, scratch, error));
    if (strcasecmp(extension, ".off") == 0 || begins(*data, *size, "OFF"))
        facet_assimp_scan_off(*data, *size, report);
    if (begins(*data, *size, "AC3D"))
        TRY(facet_assimp_scan_ac(data, size, scratch, report, error));
    /* assimp's reader of XML ends at the first zero. */
    const uint8_t *zero = memchr(*data, 0, *size), *text = *data;
    size_t length = zero ? (size_t)(zero - *data) : *size;
    if (!is_xml(text, length, extension))
        return FACET_OK;
    bool is_collada = false;
    facet_xml_each_tag(text, length, note_root, &is_collada);
    if (is_collada) {
        TRY(facet_dae_read_clips(text, length, scratch, report, clips, error));
        TRY(prepare_collada(&text, &length, scratch, report, error));
    }
    TRY(facet_assimp_scan_dae(&text, &length, scratch, report, error));
    if (text != *data) {
        *data = text;
        *size = length;
    }
    return FACET_OK;
}
