/* tests/support/scene_changes.h - a change of each member of each struct of facet/scene.h. */
#ifndef FACET_TESTS_SCENE_CHANGES_H
#define FACET_TESTS_SCENE_CHANGES_H

#include <facet/scene.h>

typedef enum test_change_kind { FLOATS, FLAG, NUMBER, TEXT, CODE, EXEMPT } test_change_kind;

/* A change of a member. FLOATS changes each float of it in turn. */
typedef struct test_change {
    const char *of, *member;
    test_change_kind kind;
    void *(*find)(facet_scene *scene);
    size_t offset, size;
    uint32_t number;
    void (*code)(facet_scene *scene);
    const char *reason;
} test_change;

/* Changes of one member are adjacent. */
extern const test_change test_changes[];
extern const size_t test_change_count;

/* Apply a change to a rich scene. `step`: the index of the float of FLOATS. */
void test_apply_change(const test_change *change, int step, facet_scene *scene);

#endif
