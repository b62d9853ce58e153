/* formats/bsm/check_meshes.c - the rules for meshes: triangle ranges and material names. */
#include "base/arena.h"
#include "base/error.h"
#include "base/size.h"
#include "formats/bsm/check.h"
#include "formats/bsm/duplicates.h"

#include <inttypes.h>
#include <string.h>

static const char *name_of(const facet_bsm_checker *checker, uint64_t mesh)
{
    return (const char *)facet_bsm_record(checker, FACET_BSM_MESHES, (size_t)mesh) + 8;
}

static void add(const facet_bsm_checker *checker, const char *rule, facet_severity severity,
                const facet_tally *tally, const char *what)
{
    facet_report_add_tally_where(
        checker->report, rule, severity,
        facet_where_mesh(facet_bsm_offset_of(checker, FACET_BSM_MESHES, tally->first),
                         tally->first),
        tally, "mesh %" PRIu64 " %s", tally->first, what);
}

/* -- Ranges ------------------------------------------------------------- */

/* Report meshes that overlap, and triangles without a mesh. An element of `ranges` is a first
 * triangle and its mesh, in one integer. */
static void check_coverage(facet_bsm_checker *checker, uint64_t *ranges, size_t count)
{
    facet_tally overlapping = {0, 0}, uncovered = {0, 0};
    uint64_t total = (uint64_t)checker->stated[FACET_BSM_TRIANGLES], reached = 0;
    facet_bsm_sort(ranges, count);
    for (size_t i = 0; i <= count; i++) {
        uint64_t begin = i < count ? ranges[i] >> 32 : total, length = 0;
        if (i < count) {
            uint32_t mesh = (uint32_t)ranges[i];
            length = facet_load_u32le(facet_bsm_record(checker, FACET_BSM_MESHES, mesh) + 4);
            if (begin < reached)
                facet_tally_hit(&overlapping, mesh);
        }
        if (begin > reached) {
            uncovered.first = uncovered.count ? uncovered.first : reached;
            uncovered.count += begin - reached;
        }
        reached = begin + length > reached ? begin + length : reached;
    }
    add(checker, "BSM-MESH-OVERLAP", FACET_SEVERITY_WARNING, &overlapping,
        "has triangles that another mesh has too");
    facet_report_add_tally_where(
        checker->report, "BSM-MESH-COVERAGE", FACET_SEVERITY_WARNING,
        facet_where_face(facet_bsm_offset_of(checker, FACET_BSM_TRIANGLES, uncovered.first),
                         uncovered.first),
        &uncovered, "triangle %" PRIu64 " is in no mesh", uncovered.first);
}

static facet_status check_ranges(facet_bsm_checker *checker, facet_error *error)
{
    uint32_t count = checker->layout.count[FACET_BSM_MESHES];
    int64_t total = checker->stated[FACET_BSM_TRIANGLES];
    facet_tally range = {0, 0}, empty = {0, 0}, order = {0, 0};
    uint64_t *ranges = facet_arena_allocate(checker->arena, count, sizeof *ranges);
    if (!ranges)
        return facet_fail_arena(checker->arena, error);
    size_t filled = 0;
    uint32_t before = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *record = facet_bsm_record(checker, FACET_BSM_MESHES, i);
        uint32_t first = facet_load_u32le(record), length = facet_load_u32le(record + 4);
        if (!facet_range_fits(first, length, 1, (uint64_t)total)) {
            facet_tally_hit(&range, i);
            continue;
        }
        if (first < before)
            facet_tally_hit(&order, i);
        before = first;
        if (length == 0)
            facet_tally_hit(&empty, i);
        else
            ranges[filled++] = (uint64_t)first << 32 | i;
    }
    add(checker, "BSM-MESH-RANGE", FACET_SEVERITY_ERROR, &range, "reaches beyond the triangles");
    add(checker, "BSM-MESH-ORDER", FACET_SEVERITY_NOTE, &order, "begins before the mesh before it");
    add(checker, "BSM-MESH-EMPTY", FACET_SEVERITY_NOTE, &empty, "has no triangles");
    check_coverage(checker, ranges, filled);
    facet_arena_release(checker->arena, ranges, count, sizeof *ranges);
    return FACET_OK;
}

/* -- Names -------------------------------------------------------------- */

static bool has_control(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)name[i] < 0x20 || name[i] == 0x7F)
            return true;
    }
    return false;
}

static void check_each_name(const facet_bsm_checker *checker)
{
    facet_tally endless = {0, 0}, broken = {0, 0}, empty = {0, 0}, tail = {0, 0}, control = {0, 0};
    for (uint32_t i = 0; i < checker->layout.count[FACET_BSM_MESHES]; i++) {
        const char *name = name_of(checker, i);
        size_t length = facet_bsm_name_length(name);
        if (length == FACET_BSM_NAME_SIZE)
            facet_tally_hit(&endless, i);
        if (length == 0)
            facet_tally_hit(&empty, i);
        if (!facet_utf8_valid(name, length))
            facet_tally_hit(&broken, i);
        if (has_control(name, length))
            facet_tally_hit(&control, i);
        if (facet_bsm_name_has_tail(name))
            facet_tally_hit(&tail, i);
    }
    add(checker, "BSM-MAT-UNTERMINATED", FACET_SEVERITY_WARNING, &endless,
        "has a material name without a NUL in its 256 bytes");
    add(checker, "BSM-MAT-UTF8", FACET_SEVERITY_WARNING, &broken,
        "has a material name that is not UTF-8");
    add(checker, "BSM-MAT-EMPTY", FACET_SEVERITY_NOTE, &empty, "has an empty material name");
    add(checker, "BSM-MAT-CONTROL", FACET_SEVERITY_WARNING, &control,
        "has control characters in its material name");
    add(checker, "BSM-MAT-TAIL", FACET_SEVERITY_NOTE, &tail,
        "has bytes other than zero after its material name");
}

static int compare_names(const void *user, uint32_t a, uint32_t b)
{
    const char *one = name_of(user, a), *other = name_of(user, b);
    size_t length = facet_bsm_name_length(one), other_length = facet_bsm_name_length(other);
    if (length != other_length)
        return length < other_length ? -1 : 1;
    return memcmp(one, other, length);
}

static facet_status check_duplicates(facet_bsm_checker *checker, facet_error *error)
{
    uint32_t count = checker->layout.count[FACET_BSM_MESHES];
    uint32_t *hashes = facet_bsm_table(&checker->tables, count, sizeof *hashes);
    facet_bsm_search search;
    facet_bsm_twice twice;
    if (!hashes)
        return facet_fail_arena(checker->tables.arena, error);
    for (uint32_t i = 0; i < count; i++)
        hashes[i] =
            facet_hash_bytes(name_of(checker, i), facet_bsm_name_length(name_of(checker, i)));
    const facet_bsm_items items = {NULL, compare_names, checker};
    facet_status status = facet_bsm_search_begin(&search, &checker->tables, hashes, count, error);
    if (!status) {
        facet_bsm_search_sift(&search);
        status = facet_bsm_search_end(&search, checker->arena, &items, &twice, error);
    }
    if (status)
        return status;
    facet_tally tally = {twice.count, twice.item};
    add(checker, "BSM-MAT-DUPLICATE", FACET_SEVERITY_WARNING, &tally,
        "has the material name of a mesh before it");
    return FACET_OK;
}

facet_status facet_bsm_check_meshes(facet_bsm_checker *checker, facet_error *error)
{
    facet_status status = FACET_OK;
    if (checker->stated[FACET_BSM_TRIANGLES] > 0 && checker->stated[FACET_BSM_MESHES] == 0)
        facet_report_add(checker->report, "BSM-MESH-NONE", FACET_SEVERITY_WARNING,
                         facet_bsm_array_infos[FACET_BSM_MESHES].count_at,
                         "there are triangles, but no mesh: nothing will be drawn");
    if (checker->layout.count[FACET_BSM_MESHES] == 0)
        return FACET_OK;
    if (checker->stated[FACET_BSM_TRIANGLES] >= 0)
        status = check_ranges(checker, error);
    check_each_name(checker);
    return status ? status : check_duplicates(checker, error);
}
