/* Small files that made assimp take gigabytes or minutes, or ended the process: joints, copies of
 * nodes and curves, divided faces, compressed blocks. Groups of X3D that would end the process. */
#include "support/models.h"

#ifdef FACET_HAVE_ASSIMP

#include "base/bytes.h"

#include <stdarg.h>
#include <stdio.h>

#define SPACE ((size_t)4 << 20)

/* A file under construction. */
typedef struct buffer {
    char *data;
    size_t size;
} buffer;

static void add(buffer *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(b->data + b->size, SPACE - b->size, format, arguments);
    va_end(arguments);
    assert_true(size >= 0 && b->size + (size_t)size < SPACE);
    b->size += (size_t)size;
}

/* Load the file. The scene is NULL if that fails; free it otherwise. */
static facet_scene *load(const buffer *b, const char *name, facet_error *error)
{
    facet_source source = {.data = (const uint8_t *)b->data, .size = b->size, .name = name};
    facet_scene *scene = NULL;
    *error = (facet_error){0};
    facet_load(&source, NULL, NULL, NULL, &scene, error);
    return scene;
}

static void assert_refused(const buffer *b, const char *name, const char *message)
{
    facet_error error;
    facet_scene *scene = load(b, name, &error);
    assert_null(scene);
    if (!strstr(error.message, message))
        fail_msg("%s: %s", name, error.message);
    assert_true(error.line > 0 || error.offset != FACET_NO_OFFSET);
}

static void assert_read(const buffer *b, const char *name)
{
    facet_error error;
    facet_scene *scene = load(b, name, &error);
    if (!scene)
        fail_msg("%s: %s", name, error.message);
    facet_scene_free(scene);
}

/* -- Joints ------------------------------------------------------------- */

static void make_smd(buffer *b, int joints, int textures)
{
    b->size = 0;
    add(b, "version 1\nnodes\n");
    for (int i = 0; i < joints; i++)
        add(b, "%d \"j%d\" %d\n", i, i, i ? 0 : -1);
    add(b, "end\nskeleton\ntime 0\n");
    for (int i = 0; i < joints; i++)
        add(b, "%d 0 0 0 0 0 0\n", i);
    add(b, "end\ntriangles\n");
    for (int i = 0; i < textures; i++)
        add(b, "m%d\n0 0 0 0 0 0 1 0 0\n0 1 0 0 0 0 1 0 0\n0 0 1 0 0 0 1 0 0\n", i);
    add(b, "end\n");
}

TEST(joints_and_textures_of_smd_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    make_smd(&b, 4000, 1);
    assert_read(&b, "a.smd");
    make_smd(&b, 4001, 1);
    assert_refused(&b, "a.smd", "more than 4,000 joints");
    make_smd(&b, 1, 4001);
    assert_refused(&b, "a.smd", "more than 4,000 textures");
    /* assimp creates all joints up to a number. A name can hide the end of a section. Sections can
     * begin in a line. */
    static const char *const files[] = {"version 1\nnodes\n200000 \"a\" -1\nend\n",
                                        "version 1\nNODES 0 \"a\nend\n\" -1\n200000 \"b\" 0\nend\n",
                                        "version 1nodes 200000 \"a\" -1\nend\n",
                                        "skeleton\ntime 0\nend nodes 200000 \"a\" -1\nend\n"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        b.size = 0;
        add(&b, "%s", files[i]);
        assert_refused(&b, "a.smd", "more than 4,000 joints");
    }
    free(b.data);
}

TEST(joints_of_md5_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int more = 0; more < 2; more++) {
        b.size = 0;
        add(&b,
            "MD5Version 10\ncommandline \"\"\n\n// joints {\nnumJoints %d\nnumMeshes 1\n\n"
            "joints {\n// }\n",
            4000 + more);
        for (int i = 0; i < 4000 + more; i++)
            add(&b, "\t\"j%d\"\t%d ( 0 0 0 ) ( 0 0 0 )\t\t// }\n", i, i - 1);
        add(&b, "}\n\nmesh {\n\tshader \"a\"\n\n\tnumverts 3\n\tvert 0 ( 0 0 ) 0 1\n"
                "\tvert 1 ( 0 0 ) 0 1\n\tvert 2 ( 0 0 ) 0 1\n\n\tnumtris 1\n\ttri 0 0 1 2\n\n"
                "\tnumweights 1\n\tweight 0 0 1 ( 0 0 0 )\n}\n");
        if (more)
            assert_refused(&b, "a.md5mesh", "more than 4,000 joints");
        else
            assert_read(&b, "a.md5mesh");
    }
    free(b.data);
}

/* -- Copies ------------------------------------------------------------- */

/* A COLLADA whose node n<i> has two instances of node n<i - 1>. `target` begins their URLs. */
static void make_dae(buffer *b, int levels, const char *target, const char *first)
{
    b->size = 0;
    add(b,
        "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
        "version='1.4.1'><asset/><library_geometries><geometry id='g'><mesh><source id='p'>"
        "<float_array id='pa' count='9'>0 0 0 1 0 0 0 1 0</float_array><technique_common>"
        "<accessor source='#pa' count='3' stride='3'><param name='X' type='float'/>"
        "<param name='Y' type='float'/><param name='Z' type='float'/></accessor>"
        "</technique_common></source><vertices id='v'><input semantic='POSITION' source='#p'/>"
        "</vertices><triangles count='1'><input semantic='VERTEX' source='#v' offset='0'/>"
        "<p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_nodes>"
        "<node id='n0' name='m0'>%s<instance_geometry url='#g'/></node>",
        first);
    for (int i = 1; i < levels; i++)
        add(b,
            "<node id='n%d' name='m%d'><instance_node url='#%s%d'/>"
            "<node><instance_node url='#%s%d'/></node></node>",
            i, i, target, i - 1, target, i - 1);
    add(b,
        "</library_nodes><library_visual_scenes><visual_scene id='s'><node>"
        "<instance_node url='#n%d'/></node></visual_scene></library_visual_scenes><scene>"
        "<instance_visual_scene url='#s'/></scene></COLLADA>",
        levels - 1);
}

TEST(instances_of_dae_nodes_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    make_dae(&b, 8, "n", "");
    assert_read(&b, "a.dae");
    make_dae(&b, 24, "n", "");
    assert_refused(&b, "a.dae", "more than 40,000 copies");
    make_dae(&b, 24, "m", "");
    assert_refused(&b, "a.dae", "more than 40,000 copies");
    make_dae(&b, 3, "n", "<instance_node url='#n2'/>");
    assert_refused(&b, "a.dae", "in a loop");
    make_dae(&b, 3, "n", "<node id='x&#49;'><instance_node url='#x1'/></node>");
    assert_refused(&b, "a.dae", "in a loop");
    free(b.data);
}

/* Each curve has the one before twice. */
TEST(composite_curves_of_ifc_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int i = 0; i < 2; i++) {
        b.size = 0;
        add(&b, "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC2X3'));\nENDSEC;\nDATA;\n");
        for (int k = 0; k < 24; k++)
            add(&b, "#%d=%s(.CONTINUOUS.,.T.,#%d);\n#%d=IFCCOMPOSITECURVE((#%d,#%d),.F.);\n",
                100 + 2 * k, i ? "IfcCompositeCurveSegment" : "IFCCOMPOSITECURVESEGMENT",
                99 + 2 * k, 101 + 2 * k, 100 + 2 * k, 100 + 2 * k);
        add(&b, "ENDSEC;\nEND-ISO-10303-21;\n");
        assert_refused(&b, "a.ifc", "more than 40,000 copies");
    }
    free(b.data);
}

/* -- Divisions ---------------------------------------------------------- */

TEST(divided_faces_are_limited)
{
    buffer b = {.data = malloc(SPACE)};
    for (int division = 1; division <= 12; division += 11) {
        b.size = 0;
        add(&b,
            "AC3Db\nMATERIAL \"\" rgb 1 1 1 amb 1 1 1 emis 0 0 0 spec 0 0 0 shi 0 trans 0\n"
            "OBJECT world\nkids 1\nOBJECT poly\nsubdiv %d\nnumvert 3\n0 0 0\n1 0 0\n0 1 0\n"
            "numsurf 1\nSURF 0x20\nmat 0\nrefs 3\n0 0 0\n1 0 0\n2 0 0\nkids 0\n",
            division);
        if (division > 1)
            assert_refused(&b, "a.ac", "more than 1,000,000");
        else
            assert_read(&b, "a.ac");
        b.size = 0;
        add(&b, "tess %d\ns 0 0 0 1\ns 1 0 0 1\n", division);
        if (division > 1)
            assert_refused(&b, "a.nff", "more than 2,000,000 parts");
        else
            assert_read(&b, "a.nff");
    }
    /* 4^4 parts for each sphere, without the keyword: 7,813 spheres have 2,000,128 parts. */
    b.size = 0;
    for (int i = 0; i < 7813; i++)
        add(&b, "s 0 0 0 1\n");
    assert_refused(&b, "a.nff", "more than 2,000,000 parts");
    free(b.data);
}

/* -- Groups of X3D ------------------------------------------------------ */

#define SHAPE                                               \
    "<Shape DEF='s'><IndexedFaceSet coordIndex='0 1 2 -1'>" \
    "<Coordinate point='0 0 0 1 0 0 0 1 0'/></IndexedFaceSet></Shape>"

TEST(groups_of_x3d_that_would_end_the_process_are_hidden_from_assimp)
{
    static const char *const scenes[] = {
        "<Group>" SHAPE "</Group>",
        "<Transform>" SHAPE "</Transform><Transform><Shape USE='s'/></Transform>",
        "<Group/>" SHAPE,
        "<Switch></Switch>" SHAPE,
        "<Group DEF='g'>" SHAPE "</Group><Group USE='g'/><Group USE='g'/>",
        "<Transform DEF='g'>" SHAPE "</Transform><Transform USE='g'/><Shape USE='s'/>"};
    buffer b = {.data = malloc(SPACE)};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        b.size = 0;
        add(&b, "<?xml version='1.0'?><X3D><Scene>%s</Scene></X3D>", scenes[i]);
        assert_read(&b, "a.x3d");
    }
    free(b.data);
}

/* -- Compressed X ------------------------------------------------------- */

/* A block of a compressed X file: the sizes, "CK", and a deflate stream that is stored: 1, the
 * length and its complement (RFC 1951, section 3.2.4). */
static void add_block(buffer *b, const char *text, size_t size)
{
    uint8_t head[11] = {0, 0, 0, 0, 'C', 'K', 1};
    facet_store_u16le(head, (uint16_t)size);
    facet_store_u16le(head + 2, (uint16_t)(size + 7));
    facet_store_u16le(head + 7, (uint16_t)size);
    facet_store_u16le(head + 9, (uint16_t)~size);
    assert_true(b->size + sizeof head + size < SPACE);
    memcpy(b->data + b->size, head, sizeof head);
    memcpy(b->data + b->size + sizeof head, text, size);
    b->size += sizeof head + size;
}

static void begin_packed(buffer *b)
{
    memcpy(b->data, "xof 0303tzip0032\0\0\0\0", 20);
    b->size = 20;
}

TEST(compressed_x_is_unpacked_and_examined)
{
    static const char mesh[] = "Mesh {\n3;\n0;0;0;,1;0;0;,0;1;0;;\n1;\n3;0,1,2;;\n}\n";
    static const char frame[] = "Frame f {\n}\n";
    buffer b = {.data = malloc(SPACE)};
    facet_error error;
    begin_packed(&b);
    add_block(&b, mesh, 20);
    add_block(&b, mesh + 20, sizeof mesh - 1 - 20);
    facet_scene *scene = load(&b, "a.x", &error);
    assert_non_null(scene);
    assert_int_equal(scene->mesh_count, 1);
    assert_int_equal(scene->meshes[0]->face_count, 1);
    facet_scene_free(scene);
    b.size--;
    assert_refused(&b, "a.x", "the file is cut");
    begin_packed(&b);
    for (int i = 0; i < 10001; i++)
        add_block(&b, frame, sizeof frame - 1);
    assert_refused(&b, "a.x", "more than 10,000 frames");
    free(b.data);
}

/* 2,000 blocks of 46 bytes are 65,536,000 bytes: more than 16 times the file and 32 MiB. A block
 * has 32,768 zeros: a literal, and copies of 258 bytes (RFC 1951, section 3.2.6). */
TEST(growth_of_compressed_x_is_limited)
{
    enum { ZEROS = 32768 };
    buffer b = {.data = malloc(SPACE)};
    uint8_t block[512] = {0x00, 0x80};
    /* Bits, least significant first: the last block, fixed codes (01); literal 0 is 00110000;
     * length 258 is code 285, 11000101; distance 1 is 00000; 32,768 = 1 + 127 * 258 + 1. */
    size_t bit = 6 * 8;
    memcpy(block + 4, "CK", 2);
#define PUT(bits)                              \
    for (const char *c = bits; *c; c++, bit++) \
    block[bit / 8] = (uint8_t)(block[bit / 8] | (*c == '1') << bit % 8)
    PUT("1"
        "10"
        "00110000");
    for (int i = 0; i < 127; i++)
        PUT("11000101"
            "00000");
    PUT("00110000"
        "0000000");
    size_t size = (bit + 7) / 8;
    facet_store_u16le(block + 2, (uint16_t)(size - 4));
    assert_int_equal(1 + 127 * 258 + 1, ZEROS);
    begin_packed(&b);
    for (int i = 0; i < 2000; i++) {
        memcpy(b.data + b.size, block, size);
        b.size += size;
    }
    facet_error error;
    assert_null(load(&b, "a.x", &error));
    assert_string_equal(error.rule, "GROWTH-LIMIT");
    free(b.data);
}

#endif
