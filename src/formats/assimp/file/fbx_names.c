/* formats/assimp/file/fbx_names.c - equal names of nodes in an FBX.
 *
 * assimp identifies nodes by their names: a bone goes to the first node with a name, and the
 * animations of the others are lost. So names that an earlier node has are replaced by others of
 * the same length in the copy that assimp reads. */
#include "base/report.h"
#include "formats/assimp/file/fbx.h"

#include <string.h>

#define DIGITS 62
#define MAX_DIGITS 6 /* more names than a file can have */

/* Write a number at the end of a name. The bytes before it are '_'. False if it is too large. */
static bool write_name(uint8_t *name, size_t size, uint64_t number)
{
    static const char digits[DIGITS + 1] =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t count = size < MAX_DIGITS ? size : MAX_DIGITS;
    memset(name, '_', size);
    for (size_t i = 0; i < count; i++, number /= DIGITS)
        name[size - 1 - i] = (uint8_t)digits[number % DIGITS];
    return number == 0;
}

/* Find a free name of this size; *free is NULL if all are taken. False if out of memory. `next` has
 * the first number to try, by the count of digits. */
static bool find_name(facet_fbx *fbx, facet_names *known, size_t size,
                      uint64_t next[MAX_DIGITS + 1], const uint8_t **free)
{
    uint64_t *number = &next[size < MAX_DIGITS ? size : MAX_DIGITS];
    uint8_t *made = facet_arena_allocate(fbx->arena, size, 1);
    *free = NULL;
    if (!made)
        return false;
    while (write_name(made, size, (*number)++)) {
        uint32_t count = known->count;
        uint32_t taken = facet_names_put(known, (const char *)made, size);
        if (taken == UINT32_MAX)
            return false;
        if (taken == count) {
            *free = made;
            break;
        }
    }
    return true;
}

static bool add_name(facet_fbx *fbx, uint32_t object, const uint8_t *name, size_t size)
{
    uint32_t number = facet_names_put(&fbx->new_names, (const char *)name, size);
    if (number == UINT32_MAX ||
        !FACET_GROW(fbx->arena, fbx->renamed, fbx->renamed_count, fbx->renamed_capacity))
        return false;
    fbx->renamed[fbx->renamed_count++] = object;
    return true;
}

facet_status facet_fbx_rename_nodes(facet_fbx *fbx, facet_report *report, facet_error *error)
{
    facet_names known = facet_names_make(fbx->arena), seen = facet_names_make(fbx->arena);
    uint64_t next[MAX_DIGITS + 1] = {0};
    facet_tally kept = {0, 0};
    bool done = true;
    fbx->new_names = facet_names_make(fbx->arena);
    for (uint32_t i = 1; i < fbx->object_count && done; i++) {
        facet_fbx_span label = fbx->objects[i].label;
        done = !facet_fbx_is(fbx->objects[i].kind, "Model") ||
               facet_names_put(&known, (const char *)label.at, facet_fbx_size(label)) != UINT32_MAX;
    }
    for (uint32_t i = 1; i < fbx->object_count && done; i++) {
        facet_fbx_span label = fbx->objects[i].label;
        size_t size = facet_fbx_size(label);
        const uint8_t *name;
        if (!facet_fbx_is(fbx->objects[i].kind, "Model") || size == 0)
            continue;
        uint32_t count = seen.count, number = facet_names_put(&seen, (const char *)label.at, size);
        done = number != UINT32_MAX;
        if (!done || number == count)
            continue;
        done = find_name(fbx, &known, size, next, &name) && (!name || add_name(fbx, i, name, size));
        if (done && !name)
            facet_tally_hit(&kept, i);
    }
    if (!done)
        return facet_fail_arena(fbx->arena, error);
    facet_report_add_tally(report, "LOSS-ANIMATIONS", FACET_SEVERITY_WARNING, FACET_NO_OFFSET,
                           &kept,
                           "a node has a short name that many other nodes have: its animations and "
                           "weights go to another one");
    return FACET_OK;
}
