/* formats/j3d/check/packets.c - MDL3: offsets of packets, and comparison with the materials. */
#include "formats/j3d/check/check.h"
#include "formats/j3d/file/mdl3.h"
#include "formats/j3d/gpu/mdl3_bake.h"
#include "formats/j3d/gpu/mdl3_disassemble.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Packets can share bytes, but reading all of them stays linear. */
#define MAX_SHARED 16

/* -- The section -------------------------------------------------------- */

typedef struct packets {
    uint32_t count;
    uint64_t total; /* size of all packets in bytes */
    facet_tally outside, order, commands, apart, sizes;
} packets;

/* True if the parts of a packet are in their order, by the offsets in its info. */
static bool is_ascending(const uint8_t *info, uint32_t size)
{
    static const uint8_t order[6] = {3, 4, 5, 2, 0, 1};
    uint32_t last = 0;
    for (int i = 0; i < 6; i++) {
        uint32_t offset = facet_load_u16be(info + 2 * order[i]);
        if (offset < last || offset > size)
            return false;
        last = offset;
    }
    return true;
}

static void look_at_packet(facet_j3d_checker *c, packets *p, const uint8_t *line,
                           const uint8_t *info)
{
    const facet_j3d_section_kind kind = FACET_J3D_MDL3;
    const facet_j3d_section *section = &c->sections[kind];
    uint64_t place = facet_j3d_offset_of(c, kind, line);
    uint64_t begin = place + facet_load_u32be(line);
    uint32_t size = facet_load_u32be(line + 4);
    facet_j3d_load load;
    if (!facet_range_fits(begin, size, 1, section->size)) {
        facet_tally_hit(&p->outside, place);
        return;
    }
    facet_j3d_note_used(c, kind, begin, size);
    if (size > 0)
        facet_j3d_look_at_alignment(c, kind, begin, &p->apart);
    if (size % 32 != 0)
        facet_tally_hit(&p->sizes, place);
    p->total += size;
    if (p->total > (uint64_t)section->size * MAX_SHARED)
        return;
    if (info && !is_ascending(info, size))
        facet_tally_hit(&p->order, facet_j3d_offset_of(c, kind, info));
    facet_j3d_load_list list = facet_j3d_loads_of(section->bytes + begin, size);
    while (facet_j3d_next_load(&list, &load))
        continue;
    if (list.position < list.size)
        facet_tally_hit(&p->commands, begin + list.position);
}

static void say_packets(facet_j3d_checker *c, const packets *p)
{
    const facet_j3d_section_kind kind = FACET_J3D_MDL3;
    facet_j3d_say_tally(c, FACET_SEVERITY_ERROR, kind, &p->outside, "J3D-MDL3-PACKET",
                        "a packet runs over the end of the section");
    if (p->total > (uint64_t)c->sections[kind].size * MAX_SHARED)
        facet_j3d_say(c, FACET_SEVERITY_ERROR, kind, 0x0C, "J3D-MDL3-SHARED",
                      "packets share their bytes; expanded they are more than %d times "
                      "the section",
                      MAX_SHARED);
    facet_j3d_say_alignment(c, FACET_SEVERITY_ERROR, kind, &p->apart, "a packet");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &p->sizes, "J3D-PACKET-SIZE",
                        "the size of a packet is not a multiple of 32 bytes");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &p->order, "J3D-MDL3-ORDER",
                        "the parts of a packet are not in order, or outside of it");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &p->commands, "J3D-MDL3-COMMAND",
                        "a packet has a command that writes to no register");
    if (c->sections[FACET_J3D_MAT3].bytes && p->count != c->slot_count)
        facet_j3d_say(c, FACET_SEVERITY_WARNING, kind, 0x08, "J3D-MDL3-COUNT",
                      "there are %" PRIu32 " packets for %" PRIu32 " materials", p->count,
                      c->slot_count);
}

void facet_j3d_check_mdl3(facet_j3d_checker *c)
{
    const facet_j3d_section_kind kind = FACET_J3D_MDL3;
    packets p = {0};
    if (!facet_j3d_has_head(c, kind, 0x24, "J3D-MDL3-SIZE"))
        return;
    p.count = facet_load_u16be(c->sections[kind].bytes + 0x08);
    const uint8_t *lines =
        facet_j3d_check_records(c, kind, 0x0C, p.count, 8, "J3D-MDL3-TABLE", "packets");
    const uint8_t *infos =
        facet_j3d_check_records(c, kind, 0x10, p.count, 16, "J3D-MDL3-TABLE", "packet infos");
    facet_j3d_check_records(c, kind, 0x14, p.count, 8, "J3D-MDL3-TABLE", "matrix indices");
    facet_j3d_check_records(c, kind, 0x18, p.count, 1, "J3D-MDL3-TABLE", "material modes");
    facet_j3d_look_at_remap(c, kind, 0x1C, p.count, p.count, true, "J3D-MDL3-REMAP");
    facet_j3d_look_at_names(c, kind, 0x20, p.count);
    for (uint32_t i = 0; lines && i < p.count; i++)
        look_at_packet(c, &p, lines + (size_t)i * 8, infos ? infos + (size_t)i * 16 : NULL);
    say_packets(c, &p);
}

/* -- Comparison with the materials -------------------------------------- */

/* Similarity of two packets, from best to worst. */
typedef enum likeness {
    SAME,
    ROUNDED, /* floats that differ at most as much as sine tables do */
    STALE,   /* old data of exporters in unused registers */
    DIFFERENT
} likeness;

typedef struct comparison {
    likeness worst;
    uint32_t offset; /* position of the first DIFFERENT command in the packet */
    char text[400];
} comparison;

static bool is_close(uint32_t a, uint32_t b)
{
    float x = facet_float_of_bits(a), y = facet_float_of_bits(b);
    return fabsf(x - y) <= 1e-5f * fmaxf(1, fmaxf(fabsf(x), fabsf(y)));
}

/* Compare the words of two commands that write to the same address. */
static likeness compare_words(const facet_j3d_load *a, const facet_j3d_load *b, uint32_t *word)
{
    bool is_matrix = a->space == FACET_J3D_SPACE_XF && a->address < 0x1000;
    likeness worst = SAME;
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t x = a->words ? facet_load_u32be(a->words + 4 * (size_t)i) : a->value;
        uint32_t y = b->words ? facet_load_u32be(b->words + 4 * (size_t)i) : b->value;
        *word = i;
        if (x == y)
            continue;
        if (!is_matrix || !is_close(x, y))
            return DIFFERENT;
        worst = ROUNDED;
    }
    return worst;
}

static void tell_difference(comparison *found, const facet_j3d_load *stored,
                            const facet_j3d_load *made, uint32_t word)
{
    char name[60], has[110], wants[110], other[60];
    uint32_t x = stored->words ? facet_load_u32be(stored->words + 4 * (size_t)word) : stored->value;
    uint32_t y = made->words ? facet_load_u32be(made->words + 4 * (size_t)word) : made->value;
    facet_j3d_register_name(stored->space, stored->address + word, x, name, sizeof name);
    facet_j3d_register_name(made->space, made->address + word, y, other, sizeof other);
    found->worst = DIFFERENT;
    found->offset = stored->offset;
    if (stored->space != made->space || stored->address != made->address ||
        stored->count != made->count) {
        snprintf(found->text, sizeof found->text, "writes to %s, expected %s", name, other);
        return;
    }
    facet_j3d_register_fields(stored->space, stored->address + word, x, has, sizeof has);
    facet_j3d_register_fields(made->space, made->address + word, y, wants, sizeof wants);
    snprintf(found->text, sizeof found->text, "has %s 0x%X (%s), expected 0x%X (%s)", name,
             (unsigned)x, has, (unsigned)y, wants);
}

/* True for old data: the unused half of a pair of TEV stages, and the three commands for the size
 * of its texture, counted down in `left`. */
static bool is_stale(const facet_j3d_load *stored, const facet_j3d_load *made, uint32_t odd_pair,
                     int *left)
{
    if (stored->space != FACET_J3D_SPACE_BP || made->space != FACET_J3D_SPACE_BP)
        return false;
    if (stored->address == odd_pair && made->address == odd_pair) {
        *left = 6; /* mask and sizes of the first, then of the second */
        return ((stored->value ^ made->value) & 0xFFF) == 0;
    }
    if (*left > 0)
        (*left)--;
    else
        return false;
    return *left < 3 && (stored->address & 0xF0) == 0x30 && (made->address & 0xF0) == 0x30;
}

/* True for data that depends on the exporter. It bakes matrices with its camera, and writes palette
 * addresses that the loader overwrites. */
static bool is_left_behind(const facet_j3d_load *load, const facet_j3d_material *material)
{
    if (load->space == FACET_J3D_SPACE_BP)
        return load->address == 0x64;
    if (load->space != FACET_J3D_SPACE_XF || load->address < 0x78 || load->address >= 0xF0)
        return false;
    unsigned mode = material->gx.texture_matrices[(load->address - 0x78) / 12].mode & 0x3F;
    return mode != 0 && mode != 2 && mode != 4 && mode != 8;
}

static comparison compare_packets(const facet_j3d_packet *stored, const facet_j3d_packet *made,
                                  const facet_j3d_material *material)
{
    uint32_t stage_count = material->gx.stage_count;
    comparison found = {SAME, 0, ""};
    facet_j3d_load_list a = facet_j3d_loads_of(stored->bytes, stored->size);
    facet_j3d_load_list b = facet_j3d_loads_of(made->bytes, made->size);
    facet_j3d_load x, y;
    uint32_t odd_pair = stage_count % 2 ? 0x28 + stage_count / 2 : UINT32_MAX, word = 0;
    int left = 0;
    for (;;) {
        bool has_x = facet_j3d_next_load(&a, &x), has_y = facet_j3d_next_load(&b, &y);
        if (!has_x && !has_y)
            return found;
        if (has_x != has_y) {
            found.worst = DIFFERENT;
            found.offset = a.position < a.size ? a.position : 0;
            snprintf(found.text, sizeof found.text, "%s",
                     has_x ? "has more commands than expected" : "ends too early");
            return found;
        }
        bool is_left_over = is_stale(&x, &y, odd_pair, &left);
        bool is_same_place = x.space == y.space && x.address == y.address && x.count == y.count;
        likeness here = is_same_place ? compare_words(&x, &y, &word) : DIFFERENT;
        if (here == DIFFERENT && (is_left_over || (is_same_place && is_left_behind(&x, material))))
            here = STALE;
        if (here == DIFFERENT) {
            tell_difference(&found, &x, &y, is_same_place ? word : 0);
            return found;
        }
        found.worst = here > found.worst ? here : found.worst;
    }
}

typedef struct baked_tallies {
    facet_tally stale, rounded, different, infos, indices, modes;
    char text[400]; /* text of the first difference */
    uint32_t slot;
} baked_tallies;

static void look_at_baked(facet_j3d_checker *c, const facet_j3d_packet *stored,
                          const facet_j3d_material *material, const facet_j3d *document,
                          bool narrow_mask, uint32_t slot, baked_tallies *tallies)
{
    uint8_t bytes[FACET_J3D_PACKET_CAPACITY];
    facet_j3d_packet made;
    facet_j3d_bake_packet(material, &document->textures, narrow_mask, bytes, &made);
    comparison found = compare_packets(stored, &made, material);
    uint64_t place = facet_j3d_offset_of(c, FACET_J3D_MDL3, stored->bytes);
    if (found.worst == DIFFERENT) {
        if (tallies->different.count == 0) {
            memcpy(tallies->text, found.text, sizeof tallies->text);
            tallies->slot = slot;
        }
        facet_tally_hit(&tallies->different, place + found.offset);
    } else if (found.worst == STALE) {
        facet_tally_hit(&tallies->stale, place);
    } else if (found.worst == ROUNDED) {
        facet_tally_hit(&tallies->rounded, place);
    }
    if (found.worst != DIFFERENT &&
        (stored->textures != made.textures || stored->tev != made.tev ||
         stored->pixel_engine != made.pixel_engine || stored->texgens != made.texgens ||
         stored->channel_colors != made.channel_colors ||
         stored->channel_control != made.channel_control))
        facet_tally_hit(&tallies->infos, place);
    if (stored->matrix_indices[0] != made.matrix_indices[0] ||
        stored->matrix_indices[1] != made.matrix_indices[1])
        facet_tally_hit(&tallies->indices, place);
    if (stored->mode != made.mode)
        facet_tally_hit(&tallies->modes, place);
}

void facet_j3d_check_baked(facet_j3d_checker *c, const facet_j3d *document)
{
    const facet_j3d_section_kind kind = FACET_J3D_MDL3;
    baked_tallies t = {0};
    uint32_t count = document->packets.count;
    bool narrow_mask = facet_j3d_has_narrow_mask(document);
    facet_j3d_material *material = facet_arena_allocate(c->arena, 1, sizeof *material);
    if (!material) {
        c->has_no_memory = true;
        return;
    }
    if (count > document->materials.slot_count)
        count = document->materials.slot_count;
    for (uint32_t slot = 0; slot < count; slot++) {
        if (facet_j3d_get_material(document, slot, material, NULL) == FACET_OK)
            look_at_baked(c, &document->packets.items[slot], material, document, narrow_mask, slot,
                          &t);
    }
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t.different, "J3D-MDL3-REGISTER",
                        "the packet of material %" PRIu32 " %s", t.slot, t.text);
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t.infos, "J3D-MDL3-INFO",
                        "the offsets of a packet's parts do not match the parts");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t.indices, "J3D-MDL3-MATRIX-INDICES",
                        "the texture matrix indices of a packet are not those of the material");
    facet_j3d_say_tally(c, FACET_SEVERITY_WARNING, kind, &t.modes, "J3D-MDL3-MODE",
                        "the mode of a packet is not that of the material");
    facet_j3d_say_tally(c, FACET_SEVERITY_NOTE, kind, &t.stale, "J3D-MDL3-STALE",
                        "a packet holds leftovers of its exporter: half of a missing TEV stage, a "
                        "camera, or an address");
    facet_j3d_say_tally(c, FACET_SEVERITY_NOTE, kind, &t.rounded, "J3D-MDL3-ROUNDING",
                        "a texture matrix of a packet differs in its last digits");
}
