/* convert/compare_parts.c - objects, groups and smoothing groups of the faces of two scenes. */
#include "base/arena.h"
#include "base/error.h"
#include "base/table.h"
#include "convert/compare.h"

#include <stddef.h>
#include <string.h>

/* -- Objects and groups ------------------------------------------------- */

/* Number of a pair of names; FACET_NONE without names. False if out of memory. */
static bool number_of(const facet_comparing *c, facet_names *names, const char *object,
                      const char *group, uint32_t *number)
{
    size_t first = strlen(object), second = strlen(group);
    *number = FACET_NONE;
    if (first + second == 0)
        return true;
    char *text = facet_arena_allocate(c->arena, first + 1 + second, 1);
    if (!text)
        return false;
    memcpy(text, object, first + 1);
    memcpy(text + first + 1, group, second);
    *number = facet_names_put(names, text, first + 1 + second);
    return *number != UINT32_MAX;
}

/* Number the object and group of each triangle. An object without a name has that of its mesh,
 * because formats without objects write them as meshes. */
static facet_status number_parts(const facet_comparing *c, const facet_scene *scene,
                                 uint32_t triangles, facet_names *names, uint32_t **numbers,
                                 facet_error *error)
{
    uint32_t *all = facet_arena_allocate(c->arena, triangles, sizeof *all), first = 0;
    bool ok = all != NULL, any = false;
    for (uint32_t m = 0; m < scene->mesh_count && ok; m++) {
        const facet_mesh *mesh = scene->meshes[m];
        uint32_t number;
        if (!facet_mesh_find(mesh, FACET_POSITION, 0))
            continue;
        ok = number_of(c, names, mesh->name, "", &number);
        for (uint32_t f = 0; f < mesh->face_count && ok; f++)
            all[first + f] = number;
        any |= number != FACET_NONE && mesh->face_count > 0;
        for (uint32_t p = 0; p < mesh->part_count && ok; p++) {
            const facet_part *part = &mesh->parts[p];
            ok = number_of(c, names, *part->name ? part->name : mesh->name, part->group, &number);
            for (uint32_t f = 0; f < part->face_count && ok; f++)
                all[first + part->first_face + f] = number;
            any |= number != FACET_NONE && part->face_count > 0;
        }
        first += mesh->face_count;
    }
    *numbers = any ? all : NULL;
    return ok ? FACET_OK : facet_fail_arena(c->arena, error);
}

facet_status facet_compare_number_parts(const facet_comparing *c, facet_surface *a,
                                        facet_surface *b, facet_error *error)
{
    facet_names names = facet_names_make(c->arena);
    uint32_t *numbers[2];
    TRY(number_parts(c, a->scene, a->triangle_count, &names, &numbers[0], error));
    TRY(number_parts(c, b->scene, b->triangle_count, &names, &numbers[1], error));
    a->parts = numbers[0];
    b->parts = numbers[1];
    if (!a->parts != !b->parts)
        facet_compare_add_absent(c, FACET_COMPARE_NAMES, "COMPARE-UNREAD",
                                 "not compared: only the %s file has names of objects, groups or "
                                 "meshes",
                                 a->parts ? "first" : "second");
    return FACET_OK;
}

/* -- Smoothing groups --------------------------------------------------- */

/* Sum of the hashes of the sizes of all groups. The number of a group does not matter, but 0 means
 * off. *given: a mesh has groups. */
static facet_status sum_groups(const facet_comparing *c, const facet_scene *scene, uint64_t *sum,
                               bool *given, facet_error *error)
{
    *given = false;
    *sum = 0;
    for (uint32_t m = 0; m < scene->mesh_count; m++) {
        const facet_mesh *mesh = scene->meshes[m];
        facet_records groups = facet_records_make(c->arena, sizeof(uint32_t));
        if (!mesh->face_smoothing)
            continue;
        uint32_t *sizes = facet_arena_allocate_zeroed(c->arena, mesh->face_count, sizeof *sizes);
        if (!sizes)
            return facet_fail_arena(c->arena, error);
        *given = true;
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            uint32_t number = facet_records_put(&groups, &mesh->face_smoothing[f]);
            if (number == UINT32_MAX)
                return facet_fail_arena(c->arena, error);
            sizes[number]++;
        }
        for (uint32_t g = 0; g < groups.count; g++) {
            uint32_t group;
            memcpy(&group, groups.items + g * sizeof group, sizeof group);
            *sum += facet_hash_word(group != 0, sizes[g]);
        }
        facet_records_free(&groups);
        facet_arena_release(c->arena, sizes, mesh->face_count, sizeof *sizes);
    }
    return FACET_OK;
}

facet_status facet_compare_smoothing(const facet_comparing *c, const facet_scene *a,
                                     const facet_scene *b, facet_error *error)
{
    uint64_t here, there;
    bool given, other_given;
    TRY(sum_groups(c, a, &here, &given, error));
    TRY(sum_groups(c, b, &there, &other_given, error));
    if (given && other_given && here != there)
        facet_compare_add(c, FACET_COMPARE_NORMALS, "COMPARE-ATTRIBUTE", FACET_NO_OFFSET,
                          "smoothing groups of the second file have other sizes");
    return FACET_OK;
}
