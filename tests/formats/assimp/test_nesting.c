/* Files other than FBX and XML that make assimp overflow the stack, or that it reads for minutes:
 * nested nodes, loops of references, and copies that double at each level. Each ended the process
 * or ran for more than 20 s before its limit. */
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

#include "base/bytes.h"

#include <stdarg.h>
#include <stdio.h>

#define MAX_DEPTH 1000 /* in formats/assimp/file/scan.h */
#define SPACE ((size_t)8 << 20)

/* A file under construction. */
typedef struct buffer {
    char *data;
    size_t size;
} buffer;

static void add_bytes(buffer *b, const void *bytes, size_t size)
{
    assert_true(b->size + size < SPACE);
    memcpy(b->data + b->size, bytes, size);
    b->size += size;
}

static void add(buffer *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(b->data + b->size, SPACE - b->size, format, arguments);
    va_end(arguments);
    assert_true(size >= 0 && b->size + (size_t)size < SPACE);
    b->size += (size_t)size;
}

static void repeat(buffer *b, const char *part, size_t size, int count)
{
    for (int i = 0; i < count; i++)
        add_bytes(b, part, size);
}

/* Load the file. The status is that of the error, OK for errors with other messages. */
static facet_status load(const buffer *b, const char *name, const char *message)
{
    facet_source source = {.data = (const uint8_t *)b->data, .size = b->size, .name = name};
    facet_scene *scene = NULL;
    facet_error error = {0};
    facet_status status = facet_load(&source, NULL, NULL, NULL, &scene, &error);
    facet_scene_free(scene);
    if (!strstr(error.message, message))
        return FACET_OK;
    assert_true(error.line > 0 || error.offset != FACET_NO_OFFSET);
    return status;
}

/* -- Counts ------------------------------------------------------------- */

#define AC_HEAD "AC3Db\nMATERIAL \"\" rgb 1 1 1 amb 1 1 1 emis 0 0 0 spec 0 0 0 shi 0 trans 0\n"

TEST(nodes_are_limited_by_count)
{
    static const struct {
        const char *name, *begin, *open, *close;
        int max;
        const char *message;
    } files[] = {
        {"a.x", "xof 0303txt 0032\n", "Frame f {\n", "}\n", 10000, "more than 10,000 frames"},
        /* Brackets that assimp skips do not hide the frames. */
        {"a.x", "xof 0303txt 0032\n", "Frame f { u } {}\n", "}\n", 10000, "more than 10,000 f"},
        {"a.x", "xof 0303bin 0032", "\1\0\5\0\0\0Frame\1\0\1\0\0\0a\n", "", 10000, "10,000 frames"},
        {"a.bvh", "HIERARCHY\nROOT a\n", "{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT a\n", "}\n", 8000,
         "more than 8,000 joints"},
        {"a.ogex", "Metric (key = \"up\") {string {\"y\"}}\n", "Node $a {\n", "}\n", 10000,
         "more than 10,000 nodes"},
        {"a.lws", "LWSC\n3\n\n", "{ a\n", "}\n", 30000, "more than 30,000 blocks"},
        {"a.ac", AC_HEAD, "OBJECT group\nkids 1\n", "", 2000, "more than 2,000 groups"},
        {"a.ac", AC_HEAD, "OBJECT group\nkids 01\n", "", 2000, "more than 2,000 groups"},
    };
    buffer b = {.data = malloc(SPACE)};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        for (int more = 0; more < 2; more++) {
            /* A binary X has a zero after each bracket. */
            size_t open = strlen(files[i].open), begin = strlen(files[i].begin);
            bool is_binary = strstr(files[i].begin, "bin ");
            b.size = 0;
            add_bytes(&b, files[i].begin, begin);
            repeat(&b, files[i].open, is_binary ? 20 : open, files[i].max + more);
            repeat(&b, files[i].close, strlen(files[i].close), files[i].max + more);
            assert_int_equal(load(&b, files[i].name, files[i].message),
                             more ? FACET_ERROR_LIMIT : FACET_OK);
        }
    }
    free(b.data);
}

TEST(frames_in_utf16_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    add_bytes(&b, "\xFF\xFE", 2);
    for (const char *at = AC_HEAD; *at; at++)
        add_bytes(&b, (const char[]){*at, 0}, 2);
    for (int i = 0; i < 2001; i++) {
        for (const char *at = "OBJECT group\nkids 1\n"; *at; at++)
            add_bytes(&b, (const char[]){*at, 0}, 2);
    }
    assert_int_equal(load(&b, "a.ac", "more than 2,000 groups"), FACET_ERROR_LIMIT);
    free(b.data);
}

TEST(parents_of_lws_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int more = 0; more < 2; more++) {
        b.size = 0;
        add(&b, "LWSC\n4\n\nAddNullObject 10000000 n\n");
        for (unsigned i = 1; i <= 2000 + (unsigned)more; i++)
            add(&b, "AddNullObject %x n\nParentItem %x\n", 0x10000000 | i, 0x10000000 | (i - 1));
        assert_int_equal(load(&b, "a.lws", "more than 2,000 parents"),
                         more ? FACET_ERROR_LIMIT : FACET_OK);
    }
    free(b.data);
}

static void add_chunk(buffer *b, const char *id, size_t size)
{
    uint8_t head[8];
    memcpy(head, id, 4);
    for (int i = 0; i < 4; i++)
        head[4 + i] = (uint8_t)(size >> (24 - 8 * i));
    add_bytes(b, head, 8);
}

TEST(layers_of_lwo_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int more = 0; more < 2; more++) {
        b.size = 0;
        add_chunk(&b, "FORM", (size_t)(5000 + more) * 26 + 4);
        add_bytes(&b, "LWO2", 4);
        for (int i = 0; i < 5000 + more; i++) {
            add_chunk(&b, "LAYR", 18);
            repeat(&b, "\0", 1, 18);
        }
        assert_int_equal(load(&b, "a.lwo", "more than 5,000 layers"),
                         more ? FACET_ERROR_LIMIT : FACET_OK);
    }
    free(b.data);
}

/* Each node of a B3D is in the one before: a name, translation, scale and rotation. */
TEST(nodes_of_b3d_are_limited)
{
    enum { HEAD = 8 + 2 + 40 };
    buffer b = {.data = malloc(SPACE)};
    for (int more = 0; more < 2; more++) {
        uint32_t left = (8000 + (uint32_t)more) * HEAD;
        uint8_t head[HEAD] = "NODE";
        b.size = 0;
        head[8] = 'a';
        add_bytes(&b, "BB3D", 4);
        uint32_t size = left + 4;
        add_bytes(&b, &size, 4);
        add_bytes(&b, "\1\0\0\0", 4);
        for (; left > 0; left -= HEAD) {
            facet_store_u32le(head + 4, left - 8);
            add_bytes(&b, head, HEAD);
        }
        assert_int_equal(load(&b, "a.b3d", "more than 8,000 nodes"),
                         more ? FACET_ERROR_LIMIT : FACET_OK);
    }
    free(b.data);
}

/* Tracks of a 3DS, each below the one before. The record of a track: 6 + 6 + 2 + 6 bytes. */
TEST(objects_of_3ds_are_limited)
{
    enum { TRACK = 22 };
    buffer b = {.data = malloc(SPACE)};
    for (uint32_t more = 0; more < 2; more++) {
        uint32_t count = 8000 + more;
        uint8_t head[12] = "MM\0\0\0\0\0\xB0", track[TRACK] = "\2\xB0\x16\0\0\0\x10\xB0\x10";
        b.size = 0;
        facet_store_u32le(head + 2, 12 + count * TRACK);
        facet_store_u32le(head + 8, 6 + count * TRACK);
        add_bytes(&b, head, sizeof head);
        for (uint32_t i = 0; i < count; i++) {
            track[12] = (uint8_t)(33 + i % 90);
            track[13] = (uint8_t)(33 + i / 90 % 90);
            track[14] = (uint8_t)(i / 8100 ? 33 : 0);
            facet_store_u16le(track + 20, (uint16_t)(i - 1));
            add_bytes(&b, track, TRACK);
        }
        assert_int_equal(load(&b, "a.3ds", "more than 8,000 objects"),
                         more ? FACET_ERROR_LIMIT : FACET_OK);
    }
    free(b.data);
}

TEST(joints_of_ms3d_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int more = 0; more < 2; more++) {
        uint8_t start[14 + 2 + 15 + 2 + 70 + 2 + 38 + 2 + 12] = "MS3D000000\4";
        start[14] = start[31] = start[103] = 1; /* one vertex, triangle and group */
        start[105 + 33] = 1;                    /* of one triangle */
        b.size = 0;
        add_bytes(&b, start, sizeof start);
        uint16_t count = (uint16_t)(MAX_DEPTH + more);
        add_bytes(&b, &count, 2);
        for (int i = 0; i < count; i++) {
            char joint[93] = "";
            snprintf(joint + 1, 32, "n%d", i);
            snprintf(joint + 33, 32, "n%d", i - 1);
            add_bytes(&b, joint, sizeof joint);
        }
        assert_int_equal(load(&b, "a.ms3d", "more than 1,000 joints"),
                         more ? FACET_ERROR_LIMIT : FACET_OK);
    }
    free(b.data);
}

/* -- References --------------------------------------------------------- */

static void add_ase(buffer *b, const char *prefix, int name, int parent)
{
    add(b, "*GEOMOBJECT {\n*NODE_NAME \"%s%d\"\n", prefix, name);
    if (parent >= 0)
        add(b, "*NODE_PARENT \"%s%d\"\n", prefix, parent);
    add(b, "}\n");
}

TEST(references_of_ase_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int more = 0; more < 2; more++) {
        b.size = 0;
        add(&b, "*3DSMAX_ASCIIEXPORT 200\n");
        for (int i = 0; i < MAX_DEPTH + more; i++)
            add_ase(&b, "n", i, i - 1);
        assert_int_equal(load(&b, "a.ase", "nested more than 1,000 levels"),
                         more ? FACET_ERROR_UNSUPPORTED : FACET_OK);
    }
    b.size = 0;
    add(&b, "*3DSMAX_ASCIIEXPORT 200\n");
    for (int i = 0; i < 4; i++)
        add_ase(&b, "n", i, i - 1);
    add_ase(&b, "n", 1, 3);
    assert_int_equal(load(&b, "a.ase", "in a loop"), FACET_ERROR_UNSUPPORTED);
    for (int levels = 10; levels <= 26; levels += 16) { /* 2^10 and 2^26 copies */
        b.size = 0;
        add(&b, "*3DSMAX_ASCIIEXPORT 200\n");
        for (int i = 0; i < 2 * levels; i++)
            add_ase(&b, "n", i / 2, i / 2 - 1);
        assert_int_equal(load(&b, "a.ase", "more than 40,000 copies"),
                         levels > 10 ? FACET_ERROR_LIMIT : FACET_OK);
    }
    free(b.data);
}

TEST(references_of_cob_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int more = 0; more < 2; more++) {
        b.size = 0;
        add(&b, "Caligari V00.01ALH             \n");
        for (int i = 1; i <= MAX_DEPTH + more; i++)
            add(&b, "Grou V0.01 Id %d Parent %d Size 9\nName a\nTransform\n1\n1\n1\n1\n", i, i - 1);
        add(&b, "END  V1.00 Id 0 Parent 0 Size        0\n");
        assert_int_equal(load(&b, "a.cob", "nested more than 1,000 levels"),
                         more ? FACET_ERROR_UNSUPPORTED : FACET_OK);
    }
    b.size = 0;
    add(&b, "Caligari V00.01ALH             \n");
    for (int i = 0; i < 2; i++) /* two objects with the number 1, one below it */
        add(&b, "Grou V0.01 Id 1 Parent %d Size 9\nName a\nTransform\n1\n1\n1\n1\n", i);
    assert_int_equal(load(&b, "a.cob", "in a loop"), FACET_ERROR_UNSUPPORTED);
    free(b.data);
}

static const char ifc_head[] = "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC2X3'));\nENDSEC;\nDATA;\n"
                               "#3=IFCAXIS2PLACEMENT3D(#6,$,$);\n#6=IFCCARTESIANPOINT((0.,0.));\n";

TEST(references_of_ifc_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int more = 0; more < 2; more++) {
        /* The last placement refers to #3, which refers to #6. */
        b.size = 0;
        add(&b, "%s", ifc_head);
        for (int i = 0; i < MAX_DEPTH - 2 + more; i++)
            add(&b, "#%d=IFCLOCALPLACEMENT(#%d,#3);\n", 100 + i, i ? 99 + i : 3);
        assert_int_equal(load(&b, "a.ifc", "nested more than 1,000 levels"),
                         more ? FACET_ERROR_UNSUPPORTED : FACET_OK);
        b.size = 0;
        add(&b, "%s#7=IFCCARTESIANPOINT(", ifc_head);
        repeat(&b, "(", 1, MAX_DEPTH - 1 + more);
        repeat(&b, "')'", 3, 1);
        assert_int_equal(load(&b, "a.ifc", "nested more than 1,000 levels"),
                         more ? FACET_ERROR_UNSUPPORTED : FACET_OK);
    }
    b.size = 0;
    add(&b, "%s#10=IFCLOCALPLACEMENT(#11,#3);\n#11=IFCLOCALPLACEMENT(#10,#3);\n", ifc_head);
    assert_int_equal(load(&b, "a.ifc", "in a loop"), FACET_ERROR_UNSUPPORTED);
    b.size = 0;
    add(&b,
        "%s#20=IFCRELAGGREGATES('',$,$,$,#30,(#31,#32));\n"
        "#21=IFCRELCONTAINEDINSPATIALSTRUCTURE('',$,$,$,(#33,#30),#31);\n",
        ifc_head);
    assert_int_equal(load(&b, "a.ifc", "in a loop"), FACET_ERROR_UNSUPPORTED);
    b.size = 0;
    add(&b, "%s", ifc_head);
    for (int i = 0; i < 2 * 24; i++)
        add(&b, "#%d=IFCRELAGGREGATES('',$,$,$,#%d,(#%d));\n", 100 + i, 200 + i / 2, 201 + i / 2);
    assert_int_equal(load(&b, "a.ifc", "more than 40,000 copies"), FACET_ERROR_LIMIT);
    free(b.data);
}

/* assimp reads the model of a 3MF as XML, which is examined under any name. */
TEST(components_of_3mf_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int more = 0; more < 2; more++) {
        b.size = 0;
        add(&b, "<model><resources>");
        for (int i = 2; i <= MAX_DEPTH + more; i++)
            add(&b, "<object id=\"%d\"><component x='id=\"1\"' objectid=\"%d\"/></object>", i,
                i - 1);
        add(&b, "</resources><build><item objectid=\"%d\"/></build></model>", MAX_DEPTH + more);
        assert_int_equal(load(&b, "a.amf", "nested more than 1,000 levels"),
                         more ? FACET_ERROR_UNSUPPORTED : FACET_OK);
    }
    b.size = 0;
    add(&b, "<model><object x=\" id='9'\" id='2'><component objectid=' 0x2'/></object>"
            "<item objectid='2'/></model>");
    assert_int_equal(load(&b, "a.amf", "in a loop"), FACET_ERROR_UNSUPPORTED);
    b.size = 0;
    add(&b, "<model><object id='2'><component objectid='&#50;'/></object></model>");
    assert_int_equal(load(&b, "a.amf", "not a plain number"), FACET_ERROR_UNSUPPORTED);
    for (int levels = 10; levels <= 26; levels += 16) {
        b.size = 0;
        add(&b, "<model>");
        for (int i = 2; i <= levels; i++)
            add(&b, "<object id='%d'><component objectid='%d'/><component objectid='%d'/></object>",
                i, i - 1, i - 1);
        add(&b, "</model>");
        assert_int_equal(load(&b, "a.amf", "more than 40,000 copies"),
                         levels > 10 ? FACET_ERROR_LIMIT : FACET_OK);
    }
    b.size = 0;
    add(&b, "<model><build>");
    repeat(&b, "<item objectid='1'/>", 20, 40001);
    assert_int_equal(load(&b, "a.amf", "more than 40,000 items"), FACET_ERROR_LIMIT);
    free(b.data);
}

#endif
