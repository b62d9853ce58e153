/* Requests end with their JSON, for any partition of the bytes. */
#include "batch/request.h"
#include "support/support.h"

#include <unistd.h>

/* Two objects and an invalid line, in pieces of each size. */
TEST(requests_end_with_their_last_brace)
{
    static const char text[] = "{\"a\":\"}\\\"{\",\"b\":[{}]}{\"c\":1}\n what?\n\n{\"d\":2}\n";
    static const char *const wanted[] = {"{\"a\":\"}\\\"{\",\"b\":[{}]}", "{\"c\":1}", "what?",
                                         "{\"d\":2}"};
    for (size_t piece = 1; piece < sizeof text; piece++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        cli_requests requests = {.descriptor = ends[0]};
        const char *found;
        size_t length, next = 0;
        /* A pipe contains all of it; the reader gets at most the available bytes. */
        for (size_t at = 0; at + 1 < sizeof text; at += piece) {
            size_t left = sizeof text - 1 - at;
            assert_int_equal(write(ends[1], text + at, left < piece ? left : piece),
                             left < piece ? left : piece);
            size_t end = at + (left < piece ? left : piece);
            /* The first object is found as soon as it is complete. */
            if (next == 0 && end >= strlen(wanted[0])) {
                assert_true(cli_requests_next(&requests, &found, &length));
                assert_memory_equal(found, wanted[next], strlen(wanted[next]));
                assert_int_equal(length, strlen(wanted[next++]));
            }
        }
        close(ends[1]);
        while (cli_requests_next(&requests, &found, &length)) {
            assert_in_range(next, 1, 3);
            assert_int_equal(length, strlen(wanted[next]));
            assert_memory_equal(found, wanted[next++], length);
        }
        assert_int_equal(next, 4);
        cli_requests_free(&requests);
        close(ends[0]);
    }
}
