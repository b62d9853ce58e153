/* Recognize formats: the first bytes of many kinds of files, from their specifications, with right,
 * wrong and missing names. */
#include "support/models.h"

#include <facet/convert.h>
#include <stdio.h>
#include <string.h>

/* Beginning of each kind of file. Binary ones are filled with zeros, where many formats have
 * counts, up to a size that a binary STL can have. */
typedef struct kind {
    const char *extension;
    const char *format; /* NULL: not in the table */
    const char *bytes;
    size_t length;
    bool is_text;
} kind;

#define BINARY(extension, format, bytes)                  \
    {                                                     \
        extension, format, bytes, sizeof bytes - 1, false \
    }
#define TEXT(extension, format, bytes)                   \
    {                                                    \
        extension, format, bytes, sizeof bytes - 1, true \
    }

static const kind kinds[] = {
    /* Facet's own */
    BINARY(".bsm", "bsm", "BINARYSTATICMESH\1\0\0\0"),
    BINARY(".binarymesh", "binarymesh", "BINARYMESH\3\0"),
    BINARY(".bga", "bga", "BGA 2.0\n"),
    BINARY(".bpx", "bpx", "BPX0\0\0\0\0"),
    BINARY(".bmd", "bmd", "J3D2bmd3\0\0\1\x1C\0\0\0\0SVR3"),
    BINARY(".bdl", "bdl", "J3D2bdl4\0\0\1\x1C\0\0\0\0SVR3"),
    BINARY(".bck", "bck", "J3D1bck1\0\0\1\x1C\0\0\0\1"),
    BINARY(".btk", "btk", "J3D1btk1\0\0\1\x1C\0\0\0\1"),
    BINARY(".arc", "rarc", "RARC\0\0\1\x1C\0\0\0\x20"),
    BINARY(".u8", "u8",
           "U\xAA"
           "8-\0\0\0\x20"),
    /* interchange */
    TEXT(".ply", "ply", "ply\nformat ascii 1.0\nend_header\n"),
    TEXT(".stl", "stl", "solid a\nfacet normal 0 0 1\nouter loop\n"),
    TEXT(".obj", "obj", "# made\nmtllib a.mtl\no a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    TEXT(".gltf", "gltf", "{\"asset\": {\"version\": \"2.0\"}}"),
    BINARY(".glb", "glb", "glTF\2\0\0\0\x1C\1\0\0\x08\1\0\0JSON"),
    /* by assimp */
    BINARY(".fbx", "fbx", "Kaydara FBX Binary  \0\x1A\0\xE8\x1C\0\0"),
    TEXT(".fbx", "fbx", "; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n"),
    TEXT(".dae", "dae",
         "<?xml version=\"1.0\"?>\n<!-- <X3D> -->\n<COLLADA xmlns=\"a\">\n</COLLADA>\n"),
    BINARY(".3ds", "3ds", "MM\x1C\1\0\0\2\0\x0A\0\0\0\3\0\0\0"),
    BINARY(".blend", "assimp", "BLENDER-v279REND"),
    BINARY(".md2", "assimp", "IDP2\x08\0\0\0"),
    BINARY(".md3", "assimp", "IDP3\x0F\0\0\0"),
    BINARY(".iqm", "iqm", "INTERQUAKEMODEL\0\2\0\0\0"),
    BINARY(".ms3d", "assimp", "MS3D000000\4\0\0\0"),
    BINARY(".lwo", "assimp", "FORM\0\0\1\x14LWO2TAGS"),
    BINARY(".lxo", "assimp", "FORM\0\0\1\x14LXOBVRSN"),
    BINARY(".pmx", "assimp", "PMX \0\0\0\x40\x08"),
    BINARY(".assbin", "assimp", "ASSIMP.binary-dump.Sat Nov 28"),
    TEXT(".x", "assimp", "xof 0303txt 0032\nMesh {\n"),
    TEXT(".x3d", "assimp", "<?xml version=\"1.0\"?>\n<!DOCTYPE X3D>\n<X3D profile='a'></X3D>\n"),
    TEXT(".amf", "assimp", "<?xml version=\"1.0\"?>\n<amf unit=\"inch\"></amf>\n"),
    TEXT(".ifc", "assimp", "ISO-10303-21;\nHEADER;\n"),
    TEXT(".ac", "assimp", "AC3Db\nMATERIAL \"a\" rgb 1 1 1\n"),
    TEXT(".bvh", "assimp", "HIERARCHY\nROOT hip\n{\n"),
    TEXT(".md5mesh", "assimp", "MD5Version 10\ncommandline \"\"\n"),
    TEXT(".ase", "assimp", "*3DSMAX_ASCIIEXPORT\t200\n"),
    TEXT(".cob", "assimp", "Caligari V00.01ALH             \n"),
    /* pictures and archives */
    BINARY(".png", "png", "\x89PNG\r\n\x1A\n\0\0\0\rIHDR"),
    BINARY(".jpg", "jpeg", "\xFF\xD8\xFF\xE0\0\x10JFIF"),
    BINARY(".psd", "psd", "8BPS\0\1"),
    BINARY(".bmp", "bmp", "BM\x1C\1\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\1"),
    TEXT(".hdr", "hdr", "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n"),
    BINARY(".zip", "zip", "PK\3\4\x14\0\0\0\0\0"),
    BINARY(".pk3", "zip", "PK\3\4\x0A\0\0\0\0\0"),
    /* unsupported formats */
    BINARY(".wav", NULL, "RIFF\x14\1\0\0WAVEfmt \x10\0\0\0\1\0\1\0"),
    BINARY(".webp", NULL, "RIFF\x14\1\0\0WEBPVP8 "),
    BINARY(".exe", NULL, "MZ\x90\0\3\0"),
    BINARY(".so", NULL,
           "\x7F"
           "ELF\2\1\1\0"),
    BINARY(".ogg", NULL, "OggS\0\2"),
    BINARY(".gif", NULL, "GIF89a\1\0\1\0\x80\0\0"),
    BINARY(".tif", NULL, "II*\0\x08\0\0\0"),
    BINARY(".ttf", NULL, "\0\1\0\0\0\x0B\0\x80\0\3\0\x30"),
    BINARY(".class", NULL, "\xCA\xFE\xBA\xBE\0\0\0\x34"),
    BINARY(".sqlite", NULL, "SQLite format 3\0\x10\0"),
    BINARY(".pyc", NULL, "\xA7\r\r\n\0\0\0\0"),
    BINARY(".bsp", NULL, "IBSP.\0\0\0"),
    TEXT(".pdf", NULL, "%PDF-1.7\n1 0 obj\n"),
    TEXT(".html", NULL, "<!DOCTYPE html>\n<html><body><p>v 1 2 3 <COLLADA></p></body></html>\n"),
    TEXT(".json", NULL, "{\"name\": \"asset\", \"version\": \"1.0\"}\n"),
    TEXT(".svg", NULL, "<svg xmlns=\"a\"><!-- <COLLADA> --></svg>\n"),
    TEXT(".mtl", NULL, "newmtl a\nKd 1 1 1\nmap_Kd a.png\n"),
    TEXT(".csv", NULL, "f,g,v\n1,2,3\n"),
    TEXT(".py", NULL, "import os\ng = 1\n"),
    TEXT(".txt", NULL, "v is for vertex\nf is for face\ns is for smooth\n"),
};

enum { SIZE = 84 + 4 * 50 }; /* size of each binary file: four triangles of STL would fit */

static const char *probe_as(const kind *k, uint8_t *bytes, const char *extension)
{
    char name[32];
    snprintf(name, sizeof name, "a%s", extension ? extension : "");
    memset(bytes, 0, SIZE);
    memcpy(bytes, k->bytes, k->length);
    facet_source source = {
        .data = bytes, .size = k->is_text ? k->length : SIZE, .name = extension ? name : NULL};
    const facet_format *format = facet_format_probe(&source);
    return format ? facet_format_name(format) : NULL;
}

/* 60 kinds of files under 60 names, and without a name. The result is the file's own kind, or the
 * one of its name, never a third. */
TEST(probe_finds_no_third_format)
{
    const size_t count = sizeof kinds / sizeof *kinds;
    uint8_t bytes[SIZE];
    assert_true(count >= 40);
    for (size_t i = 0; i < count; i++) {
        const kind *k = &kinds[i];
        for (size_t name = 0; name <= count; name++) {
            const char *extension = name < count ? kinds[name].extension : NULL;
            const char *found = probe_as(k, bytes, extension);
            const facet_format *named = extension ? facet_format_from_path(extension) : NULL;
            const char *other = named ? facet_format_name(named) : NULL;
            bool own = k->format ? found && strcmp(found, k->format) == 0 : !found;
            /* Without a magic number, the name may be the only evidence; then the error names the
             * damage. */
            bool by_name = !k->format && found && other && strcmp(found, other) == 0;
            if (!own && !by_name)
                fail_msg("%s named %s is taken for %s", k->extension,
                         extension ? extension : "nothing", found ? found : "nothing");
        }
    }
}

/* A magic number takes precedence over a matching size: byte 80 counts the triangles of an STL. */
TEST(magic_number_beats_the_size_of_an_stl)
{
    uint8_t bytes[SIZE];
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const kind *k = &kinds[i];
        if (k->is_text || !k->format)
            continue;
        probe_as(k, bytes, NULL);
        bytes[80] = 4;
        facet_source source = {.data = bytes, .size = SIZE, .name = "a"};
        assert_string_equal(facet_format_name(facet_format_probe(&source)), k->format);
    }
}

#define TEN(line) line line line line line line line line line line

/* Formats whose lines begin with the same letters as lines of OBJ. */
TEST(text_that_resembles_obj_is_recognized)
{
    static const struct {
        const char *name, *text, *format;
    } cases[] = {
        /* Neutral File Format: spheres and a fill color; a polygon; the viewpoint */
        {"a.nff", "# two spheres\ns 0 0 0 1\nf 0.2 0.2 1 0 1 1 1\ns 3 0 0 1\n", "assimp"},
        {"a.nff", "f 1 1 1 1 0 0 0 0\np 3\n0 0 0\n1 0 0\n0 1 0\n", "assimp"},
        {"a.nff", "v\nfrom 0 0 5\nat 0 0 0\nup 0 1 0\nl 3 4 5\n", "assimp"},
        {NULL, "s 0 0 0 1\nf 0.2 0.2 1 0 1 1 1\n", NULL},
        /* OBJ under any name */
        {"a.nff", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "obj"},
        {"a.txt", "s off\nv 0 0 0 1 0 0\nv 1e-3 +1 -.5\nf 1//1 2//1 -1//1\n", "obj"},
        /* no vertex among the first 32 statements: texture coordinates, normals, groups */
        {NULL, TEN("vt 0 .5\n") TEN("vt 1 .5\n") TEN("vt 0 0\n") TEN("vt 1 0\n"), "obj"},
        {"a", TEN("vn 0 0 1\n") TEN("vn 0 1 0\n") TEN("vn 1 0 0\n") TEN("vn 0 0 -1\n"), "obj"},
        {NULL, TEN("g a\nusemtl b\ns 1\n") "g\ng\n", "obj"},
        /* by its name, so that the error names the damage */
        {"a.obj", "v 0 0\nv 1\nf a b c\n", "obj"},
        {"a.obj", "", "obj"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        facet_source source = {.data = (const uint8_t *)cases[i].text,
                               .size = strlen(cases[i].text),
                               .name = cases[i].name};
        const facet_format *format = facet_format_probe(&source);
        const char *name = format ? facet_format_name(format) : "none";
        assert_string_equal(name, cases[i].format ? cases[i].format : "none");
    }
}

/* An OBJ is recognized after a long comment: 400 lines of 20 bytes are more than 4,096. */
TEST(obj_is_recognized_after_a_long_comment)
{
    char text[9000] = "";
    for (int i = 0; i < 400; i++)
        strcat(text, "# a license of note\n");
    strcat(text, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    facet_source source = {.data = (const uint8_t *)text, .size = strlen(text)};
    assert_string_equal(facet_format_name(facet_format_probe(&source)), "obj");
}

/* The parts of a 3MF are in a ZIP. The name decides; without one it is a 3MF. */
TEST(package_of_3mf_is_recognized_by_its_parts)
{
    uint8_t zip[512] = "PK\3\4\x14";
    memcpy(zip + 30, "[Content_Types].xml", 19);
    facet_source source = {.data = zip, .size = sizeof zip};
    assert_string_equal(facet_format_name(facet_format_probe(&source)), "zip");
    memcpy(zip + 400, "3D/3dmodel.model", 16);
    assert_string_equal(facet_format_name(facet_format_probe(&source)), "assimp");
    source.name = "a.3mf";
    assert_string_equal(facet_format_name(facet_format_probe(&source)), "assimp");
    source.name = "a.zip";
    assert_string_equal(facet_format_name(facet_format_probe(&source)), "zip");
}

/* Files of formats that Facet does not read are named, by the first bytes of their specifications.
 */
TEST(known_formats_that_are_not_read_are_named)
{
    static const char *const files[][2] = {{"#usda 1.0\n(\n)\n", "USD files are not read"},
                                           {"PXR-USDC", "USD files are not read"},
                                           {"#VRML V2.0 utf8\n", "VRML files are not read"},
                                           {"BCA0\xff\xfe\0\1", "Nintendo DS animation (NSBCA)"},
                                           {"NARC\xfe\xff\0\1", "Nintendo DS archive (NARC)"},
                                           {"bres\xfe\xff", "Wii model (BRRES) files"},
                                           {"#usd", "no known format"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        facet_source source = facet_source_from_memory(files[i][0], strlen(files[i][0]), "a.bin");
        facet_scene *scene = NULL;
        facet_error error;
        assert_int_equal(facet_load(&source, NULL, NULL, NULL, &scene, &error),
                         FACET_ERROR_UNSUPPORTED);
        assert_string_equal(error.rule, "FORMAT-UNKNOWN");
        assert_non_null(strstr(error.message, files[i][1]));
    }
}
