/* tests/support/support.h - the basics of every test program: cmocka, the corpus, an allocator that
 * fails on demand, and mutated inputs. */
#ifndef FACET_TESTS_SUPPORT_H
#define FACET_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs the four headers above first. */
#include <cmocka.h>

#include "support/test.h"

#include <facet/facet.h>
#include <stdbool.h>
#include <string.h>

/* -- Real files --------------------------------------------------------- */

/* Path of a file of the corpus that FACET_CORPUS points to, in a static buffer; NULL if
 * FACET_CORPUS is not set. */
const char *test_corpus(const char *relative);
/* First statement of a test that needs the corpus. Skips the test with a message if FACET_CORPUS is
 * not set. */
#define TEST_NEEDS_CORPUS()                                      \
    do {                                                         \
        if (!test_corpus("")) {                                  \
            print_message("FACET_CORPUS is not set: skipped\n"); \
            skip();                                              \
        }                                                        \
    } while (0)
/* Path of a file in the folder tests, in a static buffer. */
const char *test_path(const char *relative);
/* Path of a new file in a folder that is removed when the program ends, in a static buffer. */
const char *test_temporary(const char *name);
/* Bytes that were written to memory, as a file with this name. */
facet_source test_source_of(const facet_output *output, const char *name);

/* -- Assertions --------------------------------------------------------- */

/* Check that the call succeeds. Otherwise the test fails with the error's message. */
#define TEST_OK(call, error)                                                           \
    do {                                                                               \
        facet_status test_status_ = (call);                                            \
        if (test_status_ != FACET_OK)                                                  \
            fail_msg("%s: status %d, %s", #call, (int)test_status_, (error)->message); \
    } while (0)

/* Check that the call fails with this status and rule. */
#define TEST_REFUSED(call, status, id, error)     \
    do {                                          \
        assert_int_equal((call), (status));       \
        assert_string_equal((error)->rule, (id)); \
    } while (0)

/* Check that a scene is valid. Numbers may be infinite or NaN, because facet_scene_check checks
 * them last. */
#define TEST_WHOLE(scene)                                                 \
    do {                                                                  \
        facet_error test_error_;                                          \
        if (facet_scene_check((scene), NULL, &test_error_) != FACET_OK && \
            strcmp(test_error_.rule, "SCENE-NONFINITE") != 0)             \
            fail_msg("%s", test_error_.message);                          \
    } while (0)

/* Bytes as a source without a name. */
#define TEST_SOURCE(bytes, length) (&(const facet_source){.data = (bytes), .size = (length)})

/* The finding of a rule in a report, or NULL. */
const facet_finding *test_finding(const facet_report *report, const char *rule);
/* The same, with a message that contains these words, because several losses have one rule. */
const facet_finding *test_finding_saying(const facet_report *report, const char *rule,
                                         const char *words);

/* True if the build has the feature of a switch such as "FACET_PNG". */
bool test_is_built(const char *build_switch);

/* -- Failing allocations ------------------------------------------------ */

/* Counts allocations and fails from the `fail_at`-th on (counted from 1; 0: never). */
typedef struct test_allocator {
    facet_allocator allocator; /* pass its address */
    size_t fail_at;
    size_t allocations;
    size_t live; /* blocks that are not released */
} test_allocator;
void test_allocator_init(test_allocator *allocator, size_t fail_at);

/* Run `attempt` with an allocator that fails at the 1st, 2nd, ... allocation until a run succeeds.
 * Each failing run must return FACET_ERROR_MEMORY and leave nothing allocated. */
void test_every_allocation(facet_status (*attempt)(const facet_allocator *allocator, void *user),
                           void *user);

/* Call `attempt` for every prefix of the bytes, and for copies with one byte changed (to 0, 0xFF,
 * and each bit flipped). Each is in a heap block of its exact size, so that AddressSanitizer
 * detects an access past the end. `attempt` must return; its result is ignored. */
void test_every_mutation(const uint8_t *data, size_t size,
                         void (*attempt)(const uint8_t *data, size_t size, void *user), void *user);

#endif
