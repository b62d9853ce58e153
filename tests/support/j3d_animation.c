/* tests/support/j3d_animation.c - a small animation file of every kind. */
#include "support/j3d_animation.h"

#include <string.h>

const char *const test_animation_names[TEST_ANIMATION_KINDS] = {
    "bck", "bca", "btk", "brk", "bpk", "bpa", "btp", "bva", "blk", "bla", "bxk", "bxa"};

static uint8_t bytes[4096];
static size_t size;

/* -- Bytes -------------------------------------------------------------- */

static void u8(unsigned value)
{
    bytes[size++] = (uint8_t)value;
}

static void u16(unsigned value)
{
    u8(value >> 8);
    u8(value & 0xFF);
}

static void u32(uint32_t value)
{
    u16(value >> 16);
    u16(value & 0xFFFF);
}

static void f32(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, 4);
    u32(bits);
}

static void text(const char *words)
{
    while (*words)
        u8((uint8_t)*words++);
}

/* Pad to a multiple of `alignment`, counted from the section. */
static void pad(size_t alignment)
{
    for (size_t i = 0; (size - 0x20) % alignment != 0; i++)
        u8((uint8_t) "This is padding data to alignme"[i]);
}

/* Set the offset at `field` of the section to the current position. */
static void here(size_t field)
{
    size_t end = size;
    size = 0x20 + field;
    u32((uint32_t)(end - 0x20));
    size = end;
}

static void set_u32(size_t at, uint32_t value)
{
    size_t end = size;
    size = at;
    u32(value);
    size = end;
}

/* -- Sections ----------------------------------------------------------- */

/* The file's header, and `head` bytes of the section's header. They are 0 after the frame count. */
static void begin(const char *type, const char *section, int is_signed, unsigned loop,
                  unsigned shift, unsigned frames, size_t head)
{
    size = 0;
    text("J3D1");
    text(type);
    u32(0);
    u32(1);
    text(is_signed ? "SVR1" : "\xFF\xFF\xFF\xFF");
    text("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
    text(section);
    u32(0);
    u8(loop);
    u8(shift);
    u16(frames);
    while (size < 0x20 + head)
        u8(0);
}

static void set_u16(size_t field, unsigned value)
{
    size_t end = size;
    size = 0x20 + field;
    u16(value);
    size = end;
}

/* Store the sizes of the finished section and file. */
static void end(void)
{
    pad(0x20);
    set_u32(0x24, (uint32_t)(size - 0x20));
    set_u32(0x08, (uint32_t)size);
}

static void key_track(unsigned count, unsigned first, unsigned type)
{
    u16(count);
    u16(first);
    u16(type);
}

static void frame_track(unsigned count, unsigned first)
{
    u16(count);
    u16(first);
}

/* One name, and two. The hash is h * 3 + c over the bytes: "mat0" has 1074 in the description, and
 * "mat1" is one more. */
static void one_name(void)
{
    u16(1);
    u16(0xFFFF);
    u16(0x1074);
    u16(8);
    text("mat0");
    u8(0);
}

static void two_names(void)
{
    u16(2);
    u16(0xFFFF);
    u16(0x1074);
    u16(12);
    u16(0x1075);
    u16(17);
    text("mat0");
    u8(0);
    text("mat1");
    u8(0);
}

/* -- Kinds -------------------------------------------------------------- */

/* The first example: two joints, three keys around z. */
static void make_bck(void)
{
    begin("bck1", "ANK1", 0, 2, 1, 20, 0x24);
    set_u16(0x0C, 2);
    set_u16(0x0E, 1);
    set_u16(0x10, 10);
    set_u16(0x12, 3);
    pad(0x20);
    here(0x14);
    for (int i = 0; i < 18; i++)
        key_track(i == 16 ? 3 : 1, i == 5 || i == 16 ? 1 : i == 11 ? 2 : 0, 0);
    pad(0x20);
    here(0x18);
    f32(1);
    pad(0x20);
    here(0x1C);
    static const int angles[10] = {0, 0, 0, 0x333, 10, 0x1FFF, 0, 20, 0, -0x333};
    for (int i = 0; i < 10; i++)
        u16((unsigned)angles[i] & 0xFFFF);
    pad(0x20);
    here(0x20);
    f32(0);
    f32(10);
    f32(5);
    end();
}

/* A joint that rotates by half a turn about y in four frames. The declared padding at the end is
 * missing. */
static void make_bca(void)
{
    begin("bca1", "ANF1", 0, 0, 0xFF, 4, 0x24);
    set_u16(0x0C, 1);
    set_u16(0x0E, 1);
    set_u16(0x10, 6);
    set_u16(0x12, 5);
    pad(0x20);
    here(0x14);
    static const unsigned tracks[9][2] = {{1, 0}, {1, 0}, {5, 0}, {1, 0}, {5, 1},
                                          {1, 0}, {1, 0}, {1, 0}, {1, 0}};
    for (int i = 0; i < 9; i++)
        frame_track(tracks[i][0], tracks[i][1]);
    pad(0x20);
    here(0x18);
    f32(1);
    pad(0x20);
    here(0x1C);
    for (int i = 0; i < 6; i++)
        u16(i == 0 ? 0 : (unsigned)(i - 1) * 0x2000 & 0xFFFF);
    pad(0x20);
    here(0x20);
    for (int i = 0; i < 5; i++)
        f32((float)(i * i) * 0.25F);
    size_t stored = size;
    end();
    size = stored;
}

/* The second example: a texture that scrolls. */
static void make_btk(void)
{
    begin("btk1", "TTK1", 1, 2, 1, 60, 0x60);
    set_u16(0x0C, 3);
    set_u16(0x0E, 1);
    set_u16(0x10, 1);
    set_u16(0x12, 8);
    here(0x14);
    for (int i = 0; i < 9; i++)
        key_track(i == 2 ? 2 : 1, i == 5 || i == 8 ? 1 : 0, 1);
    pad(4);
    here(0x18);
    u16(0);
    pad(4);
    here(0x1C);
    one_name();
    pad(4);
    here(0x20);
    u8(0);
    pad(4);
    here(0x24);
    f32(0.5F);
    f32(0.5F);
    f32(0.5F);
    pad(4);
    here(0x28);
    f32(1);
    pad(4);
    here(0x2C);
    u16(0);
    pad(4);
    here(0x30);
    u32(0);
    u32(0);
    u32(0x3C888889);
    u32(0x3C888889);
    f32(60);
    f32(1);
    u32(0x3C888889);
    u32(0x3C888889);
    set_u32(0x24, (uint32_t)(size - 0x20 + 4));
    u32(0xFFFF);
    while (size % 0x20)
        u8(0);
    set_u32(0x08, (uint32_t)size);
}

static void color_elements(const size_t fields[4], size_t counts)
{
    for (unsigned c = 0; c < 4; c++) {
        static const int moving[8] = {0, 10, 2, 2, 31, 100, -1, -1};
        unsigned count = c == 1 ? 8 : 1;
        pad(4);
        here(fields[c]);
        if (counts)
            set_u16(counts + 2 * c, count);
        for (unsigned i = 0; i < count; i++)
            u16(c == 1 ? (unsigned)moving[i] & 0xFFFF : 255);
    }
}

static void color_tracks(void)
{
    for (unsigned c = 0; c < 4; c++)
        key_track(c == 1 ? 2 : 1, 0, 1);
}

/* One konst color with an animated green component, and no register. */
static void make_brk(void)
{
    begin("brk1", "TRK1", 1, 0, 0xFF, 30, 0x58);
    set_u16(0x0E, 1);
    pad(0x20);
    here(0x24);
    color_tracks();
    u8(2);
    text("\xFF\xFF\xFF");
    color_elements((const size_t[]){0x48, 0x4C, 0x50, 0x54}, 0x18);
    pad(4);
    here(0x2C);
    u16(0);
    pad(4);
    here(0x30);
    u32(0x0000FFFF);
    here(0x34);
    one_name();
    end();
}

static void make_bpk(void)
{
    begin("bpk1", "PAK1", 1, 0, 0xFF, 0xFFFF, 0x34);
    set_u16(0x0C, 30);
    set_u16(0x0E, 1);
    pad(0x20);
    here(0x18);
    color_tracks();
    color_elements((const size_t[]){0x24, 0x28, 0x2C, 0x30}, 0x10);
    pad(4);
    here(0x1C);
    u16(0);
    pad(4);
    here(0x20);
    one_name();
    end();
}

static void byte_elements(size_t field)
{
    for (unsigned c = 0; c < 4; c++) {
        pad(4);
        here(field + 4 * c);
        for (unsigned i = 0; i < (c == 2 ? 3 : 1); i++)
            u8(200 + 10 * i);
    }
}

static void byte_tracks(void)
{
    for (unsigned c = 0; c < 4; c++)
        frame_track(c == 2 ? 3 : 1, 0);
}

static void make_bpa(void)
{
    begin("bpa1", "PAF1", 0, 2, 0xFF, 0xFFFF, 0x34);
    set_u16(0x0C, 3);
    set_u16(0x0E, 1);
    for (unsigned c = 0; c < 4; c++)
        set_u16(0x10 + 2 * c, c == 2 ? 3 : 1);
    pad(0x20);
    here(0x18);
    byte_tracks();
    byte_elements(0x24);
    pad(4);
    here(0x1C);
    u16(0);
    pad(4);
    here(0x20);
    one_name();
    end();
}

/* Two materials with equal runs of numbers, which are stored twice. */
static void make_btp(void)
{
    begin("btp1", "TPT1", 0, 2, 0xFF, 3, 0x20);
    set_u16(0x0C, 2);
    set_u16(0x0E, 7);
    here(0x10);
    for (unsigned i = 0; i < 2; i++) {
        frame_track(3 + i, 3 * i);
        u8(i);
        text("\xFF\xFF\xFF");
    }
    here(0x14);
    for (unsigned i = 0; i < 7; i++)
        u16(i % 3);
    pad(4);
    here(0x18);
    u16(0);
    u16(1);
    pad(4);
    here(0x1C);
    two_names();
    end();
}

static void make_bva(void)
{
    begin("bva1", "VAF1", 0, 0, 0xFF, 4, 0x18);
    set_u16(0x0C, 3);
    set_u16(0x0E, 6);
    pad(0x20);
    here(0x10);
    frame_track(1, 0);
    frame_track(5, 1);
    frame_track(5, 1);
    here(0x14);
    for (unsigned i = 0; i < 6; i++)
        u8(i < 3);
    pad(4);
    end();
}

static void make_blk(void)
{
    begin("blk1", "CLK1", 0, 0, 0xFF, 10, 0x18);
    set_u16(0x0C, 1);
    set_u16(0x0E, 7);
    pad(0x20);
    here(0x10);
    key_track(1, 0, 0);
    key_track(2, 1, 0);
    key_track(1, 2, 0);
    pad(0x20);
    here(0x14);
    static const float weights[7] = {1, 0, 0.5F, 0.05F, 10, 0.25F, -0.1F};
    for (int i = 0; i < 7; i++)
        f32(weights[i]);
    end();
}

static void make_bla(void)
{
    begin("bla1", "CLF1", 0, 2, 0xFF, 4, 0x18);
    set_u16(0x0C, 1);
    set_u16(0x0E, 5);
    pad(0x20);
    here(0x10);
    frame_track(1, 0);
    frame_track(4, 1);
    pad(0x20);
    here(0x14);
    for (int i = 0; i < 5; i++)
        f32(0.25F * (float)i);
    end();
}

/* The vertex colors that the only entry sets. */
static void color_run(void)
{
    pad(4);
    here(0x20);
    u16(3);
    u16(0xFFFF);
    u32(0);
    pad(4);
    here(0x28);
    u16(4);
    u16(5);
    u16(9);
}

static void make_bxk(void)
{
    begin("bxk1", "VCK1", 0, 0, 0xFF, 30, 0x40);
    set_u16(0x0C, 1);
    set_u32(0x30, 3);
    here(0x18);
    color_tracks();
    color_run();
    color_elements((const size_t[]){0x30, 0x34, 0x38, 0x3C}, 0);
    end();
}

static void make_bxa(void)
{
    begin("bxa1", "VCF1", 0, 2, 0xFF, 3, 0x40);
    set_u16(0x0C, 1);
    set_u16(0x10, 3);
    here(0x18);
    byte_tracks();
    color_run();
    byte_elements(0x30);
    end();
}

const uint8_t *test_animation(unsigned kind, size_t *length)
{
    static void (*const makers[TEST_ANIMATION_KINDS])(void) = {
        make_bck, make_bca, make_btk, make_brk, make_bpk, make_bpa,
        make_btp, make_bva, make_blk, make_bla, make_bxk, make_bxa};
    memset(bytes, 0, sizeof bytes);
    makers[kind]();
    *length = size;
    return bytes;
}

size_t test_animation_copy(unsigned kind, uint8_t *copy)
{
    size_t length;
    const uint8_t *made = test_animation(kind, &length);
    memcpy(copy, made, length);
    return length;
}
