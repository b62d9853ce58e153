/* formats/assimp/probe.c - detection of the formats that assimp reads: by magic number, root
 * element or parts, else by name. */
#include "formats/assimp/probe.h"

#include "base/bytes.h"
#include "base/text.h"

#include <string.h>
#include <strings.h>

/* All other extensions that assimp 5.2 reads, except .pk3: assimp reads one map of such an archive,
 * and ignores the rest. */
const char *const facet_assimp_extensions[] = {
    ".blend",   ".x",    ".lwo", ".lws",    ".ms3d", ".3mf",     ".x3d",     ".x3db",      ".off",
    ".amf",     ".dxf",  ".ifc", ".ifczip", ".step", ".stp",     ".ac",      ".acc",       ".ac3d",
    ".ase",     ".ask",  ".b3d", ".bvh",    ".cob",  ".scn",     ".csm",     ".hmp",       ".irr",
    ".irrmesh", ".lxo",  ".mot", ".md2",    ".md3",  ".md5mesh", ".md5anim", ".md5camera", ".mdc",
    ".mdl",     ".mesh", ".ndo", ".nff",    ".enff", ".ogex",    ".pmx",     ".prj",       ".q3o",
    ".q3s",     ".raw",  ".sib", ".smd",    ".vta",  ".ter",     ".uc",      ".3d",        ".xgl",
    ".zgl",     ".zae",  ".xml", ".assbin", NULL};

/* -- Probe -------------------------------------------------------------- */

/* Score of a name without content: a built-in format that recognizes the bytes wins. */
#define BY_NAME 10
#define BY_CONTENT 70
/* The same score as any ZIP archive, which these formats are: the name decides. */
#define BY_PARTS 90

static const char *extension_of(const facet_source *source)
{
    const char *slash = source->name ? strrchr(source->name, '/') : NULL;
    const char *dot = source->name ? strrchr(slash ? slash : source->name, '.') : NULL;
    return dot ? dot : "";
}

static bool is_one_of(const char *extension, const char *const *list)
{
    while (*list && strcasecmp(extension, *list) != 0)
        list++;
    return *list != NULL;
}

static int by_name(const facet_source *source, const char *extension)
{
    return strcasecmp(extension_of(source), extension) == 0 ? BY_NAME : 0;
}

static bool holds(const facet_source *source, size_t at, const char *text, size_t length)
{
    return source->size >= at + length && memcmp(source->data + at, text, length) == 0;
}

static bool begins(const facet_source *source, const char *text)
{
    return holds(source, 0, text, strlen(text));
}

/* Skip blanks, declarations and comments of XML. */
static const uint8_t *skip_prolog(const uint8_t *at, const uint8_t *end)
{
    while (at < end) {
        bool comment = end - at >= 4 && memcmp(at, "<!--", 4) == 0;
        if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
            at++;
        } else if (end - at >= 2 && at[0] == '<' && (at[1] == '?' || at[1] == '!')) {
            at += 2;
            while (at < end && !(*at == '>' && (!comment || memcmp(at - 2, "--", 2) == 0)))
                at++;
            at += at < end;
        } else {
            break;
        }
    }
    return at;
}

/* True if the root element of an XML document has this name, with any prefix. */
static bool has_root(const facet_source *source, const char *name)
{
    if (source->size == 0 || facet_is_binary(source)) /* `data` is NULL for an empty source */
        return false;
    const uint8_t *at = source->data, *end = at + (source->size < 65536 ? source->size : 65536);
    at = skip_prolog(at + (begins(source, "\xEF\xBB\xBF") ? 3 : 0), end);
    if (at == end || *at != '<')
        return false;
    const uint8_t *first = ++at;
    for (; at < end && strchr(" \t\r\n/>", *at) == NULL; at++)
        first = *at == ':' ? at + 1 : first;
    return (size_t)(at - first) == strlen(name) && memcmp(first, name, strlen(name)) == 0;
}

int facet_assimp_probe_fbx(const facet_source *source)
{
    return begins(source, "Kaydara FBX Binary") || begins(source, "; FBX ")
               ? BY_CONTENT
               : by_name(source, ".fbx");
}

int facet_assimp_probe_dae(const facet_source *source)
{
    return has_root(source, "COLLADA") ? BY_CONTENT : by_name(source, ".dae");
}

/* The main chunk has the size of the file. It begins with the version or another common chunk. */
int facet_assimp_probe_3ds(const facet_source *source)
{
    if (source->size >= 16 && facet_load_u16le(source->data) == 0x4D4D &&
        facet_load_u32le(source->data + 2) == source->size) {
        uint16_t first = facet_load_u16le(source->data + 6);
        if (first == 0x0002 || first == 0x3D3D || first == 0x3D3E || first == 0xB000)
            return BY_CONTENT;
    }
    return by_name(source, ".3ds");
}

/* True for formats that are ZIP archives, by name or by the first part of each 3MF. */
static bool is_package(const facet_source *source)
{
    static const char *const extensions[] = {".3mf", ".zae", ".ifczip", NULL};
    static const char types[] = "[Content_Types].xml", model[] = "3D/3dmodel.model",
                      relations[] = "_rels/.rels";
    enum { NAME = 30 }; /* offset of the first file's name in a ZIP */
    if (!begins(source, "PK\3\4"))
        return false;
    if (is_one_of(extension_of(source), extensions))
        return true;
    bool open_package = holds(source, NAME, types, sizeof types - 1) ||
                        holds(source, NAME, model, sizeof model - 1) ||
                        holds(source, NAME, relations, sizeof relations - 1);
    size_t tail = source->size < 65536 ? source->size : 65536;
    const uint8_t *at = source->data + source->size - tail, *end = source->data + source->size;
    for (; open_package && (size_t)(end - at) >= sizeof model - 1; at++) {
        if (memcmp(at, model, sizeof model - 1) == 0)
            return true;
    }
    return false;
}

/* True for a .blend file. After the magic comes the size of pointers, "-" or "_", then the byte
 * order. */
static bool is_blend(const facet_source *source)
{
    return begins(source, "BLENDER") && source->size > 8 &&
           (source->data[7] == '-' || source->data[7] == '_') && (source->data[8] | 0x20) == 'v';
}

/* True if a format's magic number is at its offset. */
static bool has_magic(const facet_source *source)
{
    static const struct {
        size_t at;
        const char *text;
        size_t length;
    } magics[] = {
        {8, "LWOB", 4},           {8, "LWO2", 4},           {8, "LXOB", 4},
        {0, "MS3D000000", 10},    {0, "IDP2", 4},           {0, "IDP3", 4},
        {0, "IDPC", 4},           {0, "IDPO\6\0\0\0", 8},   {0, "INTERQUAKEMODEL", 16},
        {0, "MD5Version ", 11},   {0, "xof 03", 6},         {0, "ISO-10303-21;", 13},
        {0, "Caligari V00.", 13}, {0, "HIERARCHY", 9},      {0, "AC3Db", 5},
        {0, "AC3Dc", 5},          {0, "PMX \0\0\0\x40", 8}, {0, "*3DSMAX_ASCIIEXPORT", 19},
        {0, "quick3Do", 8},       {0, "quick3Ds", 8},       {0, "TERRAGENTERRAIN ", 16},
        {0, "ASSIMP.binary", 13}, {0, "nendo ", 6},
    };
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
        if (holds(source, magics[i].at, magics[i].text, magics[i].length))
            return magics[i].at == 0 || begins(source, "FORM");
    }
    return false;
}

int facet_assimp_probe_other(const facet_source *source)
{
    if (is_package(source))
        return BY_PARTS;
    bool xml = has_root(source, "X3D") || has_root(source, "amf") || has_root(source, "WORLD") ||
               has_root(source, "irr_scene");
    if (xml || is_blend(source) || has_magic(source))
        return BY_CONTENT;
    return is_one_of(extension_of(source), facet_assimp_extensions) ? BY_NAME - 1 : 0;
}
