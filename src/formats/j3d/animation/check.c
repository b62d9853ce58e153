/* formats/j3d/animation/check.c - rules of an animation file without its model. */
#include "formats/j3d/animation/animation.h"
#include "formats/j3d/file/sections.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/report.h"
#include "base/size.h"
#include "base/table.h"

#include <inttypes.h>
#include <math.h>

typedef struct checker {
    const facet_source *source;
    const facet_j3d_animation *document;
    const facet_j3d_animation_format *format;
    facet_arena *scratch;
    facet_report *report;
    bool has_no_memory;
} checker;

#define SECTION FACET_J3D_ANIMATION_HEADER

/* -- The file ----------------------------------------------------------- */

static void check_sizes(const checker *c)
{
    const uint8_t *data = c->source->data;
    const uint32_t announced = facet_load_u32be(data + 0x08), count = facet_load_u32be(data + 0x0C);
    const uint32_t size = facet_load_u32be(data + SECTION + 4);
    const size_t length = c->source->size;
    bool cut = c->document->kind == FACET_J3D_BCA && announced > length && announced < length + 32;
    if (announced != length && !cut)
        facet_report_add(c->report, "JA04", FACET_SEVERITY_WARNING, 0x08,
                         "the header gives %" PRIu32 " bytes, the file has %zu", announced, length);
    if (count != 1) {
        facet_report_add(c->report, "JA03", FACET_SEVERITY_WARNING, 0x0C,
                         "the header gives %" PRIu32 " sections, expected one", count);
        return;
    }
    size_t end = c->document->sounds ? facet_load_u32be(data + 0x1C) : length;
    size_t expected = cut ? facet_align_up(end, 0x20) - SECTION : end - SECTION;
    /* The last table of a BTK is announced, but can be missing. */
    bool fits = size == expected || (c->document->kind == FACET_J3D_BTK && size <= expected + 4 &&
                                     size + 0x20 > expected && size % 4 == 0);
    if (!fits)
        facet_report_add(c->report, "JA05", FACET_SEVERITY_WARNING, SECTION + 4,
                         "the section gives %" PRIu32 " bytes, but %zu are left", size, expected);
}

/* Length of the name of a tool, with zeros after it; 0 without a name. Some tools write their name
 * over the signature and the offset at its end. The signature of exporters begins with SVR and a
 * digit. */
static size_t name_length(const uint8_t *bytes, size_t size)
{
    size_t length = 0, end;
    while (length < size && bytes[length] >= 0x20 && bytes[length] <= 0x7E)
        length++;
    for (end = length; end < size && bytes[end] == 0;)
        end++;
    bool is_usual = length <= 4 && memcmp(bytes, "SVR", 3) == 0;
    return end == size && !is_usual ? length : 0;
}

static void check_sounds(const checker *c)
{
    const uint8_t *signature = c->source->data + 0x10;
    uint32_t sounds = facet_load_u32be(signature + 0x0C);
    facet_quoted quoted;
    if (c->document->kind != FACET_J3D_BCK || sounds == UINT32_MAX || c->document->sounds)
        return;
    size_t name = name_length(signature, 0x10);
    if (name > 0)
        facet_report_add(c->report, "JA30", FACET_SEVERITY_WARNING, 0x1C,
                         "the writer '%s' put its name, with zeros after it, at the offset of "
                         "sounds; FFFFFFFF means no sounds",
                         facet_quote(&quoted, (const char *)signature, name));
    else
        facet_report_add(c->report, "JA30", FACET_SEVERITY_ERROR, 0x1C,
                         "no table of sounds at 0x%" PRIX32
                         " that fits into the file; FFFFFFFF means no table",
                         sounds);
}

static void check_head(const checker *c)
{
    const facet_j3d_animation *document = c->document;
    check_sounds(c);
    if (document->loop > FACET_J3D_LOOP_MIRROR_REPEAT)
        facet_report_add(c->report, "JA12", FACET_SEVERITY_WARNING, SECTION + 0x08,
                         "loop mode %u is not 0 to 4", (unsigned)document->loop);
    if (document->frames <= 0)
        facet_report_add(c->report, "JA13", FACET_SEVERITY_ERROR, SECTION + c->format->frames_at,
                         "the animation has %d frames; 1 to 32767 are possible",
                         (int)document->frames);
    if (document->kind == FACET_J3D_BCK && document->rotation_shift > 15)
        facet_report_add(c->report, "JA14", FACET_SEVERITY_WARNING, SECTION + 0x09,
                         "angles are shifted by %u bits, which leaves nothing of them",
                         (unsigned)document->rotation_shift);
    if (document->kind == FACET_J3D_BTK && document->rotation_shift != 1)
        facet_report_add(c->report, "JA14", FACET_SEVERITY_WARNING, SECTION + 0x09,
                         "angles are shifted by %u bits; 1 is usual in a btk",
                         (unsigned)document->rotation_shift);
    if (document->convention > 1)
        facet_report_add(c->report, "JA27", FACET_SEVERITY_WARNING, SECTION + 0x5C,
                         "the kind of texture matrices is 0x%08" PRIX32
                         ", neither 0 nor 1; it is read as 0",
                         document->convention);
    if (document->kind == FACET_J3D_BTK && document->sets[1].count > 0)
        facet_report_add(c->report, "JA28", FACET_SEVERITY_NOTE, SECTION + 0x34,
                         "there are %" PRIu32 " post matrices, which no known game applies",
                         document->sets[1].count);
}

/* -- Entries ------------------------------------------------------------ */

static bool is_wrong_slot(const checker *c, uint8_t slot)
{
    switch (c->document->kind) {
    case FACET_J3D_BTK:
        return slot > 7 && slot != 0xFF;
    case FACET_J3D_BTP:
        return slot > 7;
    default:
        return slot > 3;
    }
}

/* Find two entries with the same material and slot. */
static void check_twice(checker *c, const facet_j3d_animation_set *set)
{
    facet_names names = facet_names_make(c->scratch);
    facet_tally twice = {0};
    for (uint32_t i = 0; i < set->count; i++) {
        const char *name = facet_arena_format(c->scratch, "%u %s", set->slots ? set->slots[i] : 0u,
                                              set->names.items[i].bytes);
        uint32_t number = name ? facet_names_put(&names, name, strlen(name)) : UINT32_MAX;
        c->has_no_memory |= number == UINT32_MAX;
        if (names.count < i + 1 - twice.count)
            facet_tally_hit(&twice, i);
    }
    facet_report_add_tally(c->report, "JA24", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &twice,
                           "entry %" PRIu64 " drives the same target as an earlier one",
                           twice.first);
}

static void check_set(checker *c, const facet_j3d_animation_set *set, bool is_register)
{
    facet_tally hashes = {0}, slots = {0}, unused = {0}, moved = {0};
    for (uint32_t i = 0; i < set->count; i++) {
        const facet_j3d_name *name = set->names.items ? &set->names.items[i] : NULL;
        if (name && facet_j3d_hash(name->bytes) != name->hash)
            facet_tally_hit(&hashes, i);
        if (set->slots && is_wrong_slot(c, set->slots[i]))
            facet_tally_hit(&slots, i);
        else if (is_register && set->slots[i] == 3)
            facet_tally_hit(&unused, i);
        if (set->remap && set->remap[i] != i)
            facet_tally_hit(&moved, i);
    }
    facet_report_add_tally(c->report, "JA21", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &hashes,
                           "the hash of name %" PRIu64 " is not that of its bytes", hashes.first);
    facet_report_add_tally(c->report, "JA25", FACET_SEVERITY_ERROR, FACET_NO_OFFSET, &slots,
                           "entry %" PRIu64 " drives number %u, which does not exist", slots.first,
                           slots.count ? set->slots[slots.first] : 0u);
    facet_report_add_tally(c->report, "JA26", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &unused,
                           "entry %" PRIu64 " drives TEV register 3, which has no effect",
                           unused.first);
    facet_report_add_tally(c->report, "JA23", FACET_SEVERITY_NOTE, FACET_NO_OFFSET, &moved,
                           "the remap table has another number at %" PRIu64, moved.first);
    if (set->names.items)
        check_twice(c, set);
}

/* -- Tracks ------------------------------------------------------------- */

/* Condition of an element and its successor, `step` later. Chains of successors let each track be
 * checked in one step, even if many tracks share keys. */
typedef bool is_wrong(const facet_j3d_elements *elements, uint32_t index, uint32_t next);

static double element(const facet_j3d_elements *elements, uint32_t index)
{
    return elements->reals ? (double)elements->reals[index] : elements->integers[index];
}

static bool decreases(const facet_j3d_elements *elements, uint32_t index, uint32_t next)
{
    return next < elements->count && element(elements, next) < element(elements, index);
}

static bool repeats(const facet_j3d_elements *elements, uint32_t index, uint32_t next)
{
    return next < elements->count && element(elements, next) == element(elements, index);
}

static bool is_no_register(const facet_j3d_elements *elements, uint32_t index, uint32_t next)
{
    (void)next;
    return element(elements, index) < -1024 || element(elements, index) > 1023;
}

static bool is_no_color(const facet_j3d_elements *elements, uint32_t index, uint32_t next)
{
    (void)next;
    return element(elements, index) < 0 || element(elements, index) > 255;
}

static const uint32_t *make_chain(checker *c, const facet_j3d_elements *elements, uint32_t step,
                                  is_wrong *wrong)
{
    uint32_t *chain = facet_arena_allocate(c->scratch, elements->count, sizeof *chain);
    c->has_no_memory |= !chain;
    for (uint32_t i = elements->count; i-- > 0 && chain;)
        chain[i] = wrong(elements, i, i + step) ? i
                   : i + step < elements->count ? chain[i + step]
                                                : UINT32_MAX;
    return chain;
}

/* Findings in the tracks of one component. */
typedef struct findings {
    facet_tally types, decreasing, repeated, defaults, counts, beyond, values, jumps;
} findings;

typedef struct chains {
    const uint32_t *decreasing[2], *repeated[2], *values[3]; /* steps of 3 and 4; and 1 */
} chains;

static void make_chains(checker *c, const facet_j3d_elements *elements, bool is_register,
                        chains *made)
{
    bool colors = c->format->tracks == 4;
    is_wrong *wrong = is_register ? is_no_register : is_no_color;
    for (uint32_t i = 0; i < 2 && c->format->has_keys; i++) {
        made->decreasing[i] = make_chain(c, elements, 3 + i, decreases);
        made->repeated[i] = make_chain(c, elements, 3 + i, repeats);
    }
    for (uint32_t i = 0; i < 3 && colors && c->format->has_keys; i++)
        made->values[i] = make_chain(c, elements, i < 2 ? 3 + i : 1, wrong);
}

/* True if the values of the last and first frame differ more than those of neighboring frames. */
static bool jumps(const checker *c, uint32_t s, uint32_t index, uint32_t component)
{
    const facet_j3d_animation *document = c->document;
    const double n = document->frames;
    double v[4];
    if (document->frames < 2)
        return false;
    const double frames[4] = {0, 1, n - 1, n};
    for (int i = 0; i < 4; i++)
        v[i] = facet_j3d_animation_curve(document, s, index, frames[i], NULL);
    double change = v[3] - v[0];
    bool is_angle = c->format->tracks == 9 && component == 1;
    if (is_angle)
        change = remainder(change, ldexp(1, 16 - (document->rotation_shift & 15)));
    if (document->kind == FACET_J3D_BTK && component == 2)
        change = remainder(change, 1); /* textures repeat */
    double near = fmax(fabs(v[1] - v[0]), fabs(v[3] - v[2]));
    return fabs(change) > near + (is_angle ? 2 : 1e-4 * (1 + fabs(v[0])));
}

static void check_keys(const checker *c, uint32_t s, uint32_t index, uint32_t component,
                       const chains *made, findings *found)
{
    const facet_j3d_track *track = &c->document->sets[s].tracks[index];
    const facet_j3d_elements *elements = facet_j3d_elements_of(c->document, s, component);
    uint32_t step = facet_j3d_key_size(track), last = track->first + (track->count - 1u) * step;
    if (track->type > 1)
        facet_tally_hit(&found->types, index);
    if (made->decreasing[step - 3][track->first] < last)
        facet_tally_hit(&found->decreasing, index);
    else if (made->repeated[step - 3][track->first] < last)
        facet_tally_hit(&found->repeated, index);
    if (element(elements, track->first + step) > c->document->frames + 1)
        facet_tally_hit(&found->beyond, index);
    if (made->values[step - 3] && made->values[step - 3][track->first + 1] <= last + 1)
        facet_tally_hit(&found->values, index);
    if (c->document->loop == FACET_J3D_LOOP_REPEAT && jumps(c, s, index, component))
        facet_tally_hit(&found->jumps, index);
}

static void check_track(const checker *c, uint32_t s, uint32_t index, uint32_t component,
                        const chains *made, findings *found)
{
    const facet_j3d_track *track = &c->document->sets[s].tracks[index];
    const uint32_t frames = c->document->frames > 0 ? (uint32_t)c->document->frames : 0;
    if (!c->format->has_keys) {
        if (track->count != 1 && track->count != frames && track->count != frames + 1)
            facet_tally_hit(&found->counts, index);
    } else if (track->count == 0) {
        facet_tally_hit(&found->defaults, index);
    } else if (track->count == 1) {
        if (made->values[2] && made->values[2][track->first] == track->first)
            facet_tally_hit(&found->values, index);
    } else {
        check_keys(c, s, index, component, made, found);
    }
}

static void say(const checker *c, const findings *f)
{
    const struct {
        const char *rule;
        facet_severity severity;
        const facet_tally *tally;
        const char *what;
    } all[] = {
        {"JA08", FACET_SEVERITY_WARNING, &f->types,
         "has a type of tangents that is neither 0 nor 1, and is read as 1"},
        {"JA09", FACET_SEVERITY_ERROR, &f->decreasing, "has key times that decrease"},
        {"JA10", FACET_SEVERITY_NOTE, &f->repeated, "has two keys at the same time: a step"},
        {"JA15", FACET_SEVERITY_WARNING, &f->defaults,
         "has no keys: the runtime's default is used"},
        {"JA18", FACET_SEVERITY_WARNING, &f->counts,
         "has another number of values than 1, the frames, or one more"},
        {"JA19", FACET_SEVERITY_WARNING, &f->beyond,
         "has all keys except the first after the last frame"},
        {"JA29", FACET_SEVERITY_WARNING, &f->values,
         "has colors out of range: registers hold -1024 to 1023, others 0 to 255"},
        {"JA32", FACET_SEVERITY_WARNING, &f->jumps,
         "jumps from the last frame to the first, though the animation repeats"},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint64_t index = all[i].tally->first;
        facet_report_add_tally(c->report, all[i].rule, all[i].severity, FACET_NO_OFFSET,
                               all[i].tally, "track %" PRIu64 " of entry %" PRIu64 " %s",
                               index % c->format->tracks, index / c->format->tracks, all[i].what);
    }
}

/* Find unused elements by counting the starts and ends of tracks. */
static void check_unused(checker *c, uint32_t s, uint32_t component)
{
    const facet_j3d_elements *elements = &c->document->sets[s].elements[component];
    int32_t *edges =
        facet_arena_allocate_zeroed(c->scratch, elements->count + (size_t)1, sizeof *edges);
    c->has_no_memory |= !edges;
    for (uint32_t t = 0; t < c->format->sets && edges; t++) {
        const facet_j3d_animation_set *set = &c->document->sets[t];
        for (uint32_t i = 0; i < set->count * c->format->tracks; i++) {
            const facet_j3d_track *track = &set->tracks[i];
            if (facet_j3d_component_of(c->format, i % c->format->tracks) != component ||
                facet_j3d_elements_of(c->document, t, component) != elements)
                continue;
            edges[track->first < elements->count ? track->first : elements->count]++;
            edges[track->first + facet_j3d_track_size(c->format, track)]--;
        }
    }
    facet_tally unused = {0};
    int64_t users = 0;
    for (uint32_t i = 0; i < elements->count && edges; i++) {
        users += edges[i];
        if (users <= 0)
            facet_tally_hit(&unused, i);
    }
    facet_report_add_tally(c->report, "JA16", FACET_SEVERITY_WARNING, FACET_NO_OFFSET, &unused,
                           "no track uses element %" PRIu64 " of an array", unused.first);
}

static void check_tracks(checker *c, uint32_t s)
{
    const facet_j3d_animation_set *set = &c->document->sets[s];
    bool is_register = c->document->kind == FACET_J3D_BRK && s == 0;
    uint32_t components = c->format->tracks == 9 ? 3 : c->format->tracks;
    findings found = {0};
    chains made[4] = {0};
    for (uint32_t i = 0; i < components; i++) {
        make_chains(c, facet_j3d_elements_of(c->document, s, i), is_register, &made[i]);
        if (set->elements[i].count > 0)
            check_unused(c, s, i);
    }
    for (uint32_t i = 0; i < set->count * c->format->tracks && !c->has_no_memory; i++) {
        uint32_t component = facet_j3d_component_of(c->format, i % c->format->tracks);
        check_track(c, s, i, component, &made[component], &found);
    }
    say(c, &found);
}

/* -- All rules ---------------------------------------------------------- */

static facet_status check_document(checker *c, const facet_options *options, facet_error *error)
{
    TRY(facet_arena_create(options, &c->scratch, error));
    check_sizes(c);
    check_head(c);
    for (uint32_t s = 0; s < c->format->sets && !c->has_no_memory; s++) {
        check_set(c, &c->document->sets[s], c->document->kind == FACET_J3D_BRK && s == 0);
        check_tracks(c, s);
    }
    if (c->has_no_memory)
        return facet_arena_abandon(c->scratch, error);
    facet_arena_free(c->scratch);
    return FACET_OK;
}

facet_status facet_j3d_animation_check(const facet_source *source, const facet_options *options,
                                       facet_report *report, facet_error *error)
{
    facet_error said;
    facet_j3d_animation *document = NULL;
    facet_options telling = options ? *options : (facet_options){0};
    telling.report = report;
    facet_status status = facet_j3d_animation_read(source, &telling, &document, &said);
    if (facet_lacks_memory(status))
        return facet_fail(error, status, said.rule, said.offset, "%s", said.message);
    if (status) {
        facet_report_add_fault(report, &said, "JA01");
        return facet_report_status(report, error);
    }
    checker c = {.source = source,
                 .document = document,
                 .format = facet_j3d_animation_format_of(document->kind),
                 .report = report};
    status = check_document(&c, options, error);
    facet_j3d_animation_free(document);
    return status ? status : facet_report_status(report, error);
}
