/* Answers of terminals, and small pictures in their protocols, as literal text. */
#include "support/support.h"
#include "terminal/terminal.h"

#include <stdlib.h>
#include <string.h>

static facet_terminal reply(const char *bytes, bool has_colors, bool has_unicode)
{
    facet_terminal terminal;
    facet_terminal_init(&terminal);
    facet_terminal_read_reply(&terminal, bytes, strlen(bytes), has_colors, has_unicode);
    return terminal;
}

#define KITTY "\033_Gi=31;OK\033\\"
#define VERSION(name) "\033P>|" name "\033\\"
#define SIXELS "\033[?62;4;22c"
#define PLAIN "\033[?62;22c"

/* -- Answers ------------------------------------------------------------ */

TEST(best_protocol_of_an_answer_is_chosen)
{
    assert_int_equal(reply(KITTY SIXELS, true, true).protocol, FACET_TERMINAL_KITTY);
    assert_int_equal(reply(VERSION("iTerm2 3.5") SIXELS, true, true).protocol,
                     FACET_TERMINAL_ITERM);
    assert_int_equal(reply(VERSION("XTerm(379)") SIXELS, true, true).protocol,
                     FACET_TERMINAL_SIXEL);
    assert_int_equal(reply(PLAIN, true, true).protocol, FACET_TERMINAL_BLOCKS);
    assert_int_equal(reply(PLAIN, true, false).protocol, FACET_TERMINAL_NONE);
    assert_int_equal(reply(PLAIN, false, true).protocol, FACET_TERMINAL_NONE);
    assert_int_equal(reply("", false, true).protocol, FACET_TERMINAL_NONE);
}

TEST(refused_protocol_is_not_chosen)
{
    assert_int_equal(reply("\033_Gi=31;ENOTSUPPORTED:no\033\\" PLAIN, false, true).protocol,
                     FACET_TERMINAL_NONE);
    /* class 4 is not attribute 4; 64 and 14 are other numbers */
    assert_int_equal(reply("\033[?4c", false, true).protocol, FACET_TERMINAL_NONE);
    assert_int_equal(reply("\033[?64;14;41c", false, true).protocol, FACET_TERMINAL_NONE);
    assert_int_equal(reply("\033[?64;14;4c", false, true).protocol, FACET_TERMINAL_SIXEL);
}

TEST(kept_color_means_24_bits)
{
    assert_int_equal(reply("\033P1$r0;48:2:1:2:3m\033\\" PLAIN, false, true).protocol,
                     FACET_TERMINAL_BLOCKS);
    assert_int_equal(reply("\033P1$r0;48:2::1:2:3m\033\\" PLAIN, false, true).protocol,
                     FACET_TERMINAL_BLOCKS);
    assert_int_equal(reply("\033P1$r0;48;2;1;2;3m\033\\" PLAIN, false, true).protocol,
                     FACET_TERMINAL_BLOCKS);
    assert_int_equal(reply("\033P1$r0;48;5;16m\033\\" PLAIN, false, true).protocol,
                     FACET_TERMINAL_NONE);
    assert_int_equal(reply("\033P0$r\033\\" PLAIN, false, true).protocol, FACET_TERMINAL_NONE);
}

TEST(cell_and_background_are_read)
{
    facet_terminal t = reply("\033[6;19;9t\033]11;rgb:ffff/8000/0000\a" PLAIN, true, true);
    assert_int_equal(t.cell_height, 19);
    assert_int_equal(t.cell_width, 9);
    assert_true(t.has_background);
    assert_int_equal(t.background[0], 255);
    assert_int_equal(t.background[1], 128); /* 0x8000 / 0xFFFF * 255 = 127.502 */
    assert_int_equal(t.background[2], 0);
    t = reply("\033]11;rgb:f/8/0\033\\" PLAIN, true, true);
    assert_true(t.has_background);
    assert_int_equal(t.background[0], 255);
    assert_int_equal(t.background[1], 136); /* 8 / 15 * 255 */
}

TEST(broken_answers_change_nothing)
{
    static const char *const broken[] = {"\033[6;0;9t",
                                         "\033[6;19t",
                                         "\033[6;19;9;4t",
                                         "\033]11;rgb:ff/80\a",
                                         "\033]11;rgb:\a",
                                         "\033]11;rgb:gg/00/00\a",
                                         "\033]11;rgb:ff/80/00",
                                         "\033[6;19999;9t",
                                         "\033",
                                         "\033[",
                                         "\033_Gi=31;OK",
                                         "typed",
                                         "\033]11;?\033\\",
                                         "\033P>|\033\\",
                                         "\033[?;;;4"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        facet_terminal usual, t = reply(broken[i], false, true);
        facet_terminal_init(&usual);
        assert_memory_equal(&t, &usual, sizeof t);
        assert_false(facet_terminal_is_answered(broken[i], strlen(broken[i])));
    }
}

TEST(end_of_answers_is_found_after_typed_text)
{
    static const char all[] = "ls\r\033OA" KITTY "q" PLAIN;
    assert_true(facet_terminal_is_answered(all, sizeof all - 1));
    for (size_t size = 0; size + 1 < sizeof all; size++)
        assert_int_equal(facet_terminal_is_answered(all, size), size == sizeof all - 1);
    assert_int_equal(reply(all, false, true).protocol, FACET_TERMINAL_KITTY);
}

/* -- Sizes -------------------------------------------------------------- */

TEST(picture_fits_with_two_lines_to_spare)
{
    facet_terminal t;
    uint32_t width, height;
    facet_terminal_init(&t);
    t.protocol = FACET_TERMINAL_SIXEL;
    facet_terminal_fit(&t, &width, &height); /* 22 rows of 20 pixels; 4 by 3 of 440 */
    assert_int_equal(height, 440);
    assert_int_equal(width, 586);
    t.protocol = FACET_TERMINAL_BLOCKS;
    facet_terminal_fit(&t, &width, &height);
    assert_int_equal(height, 44);
    assert_int_equal(width, 58);
    t.columns = 20;
    facet_terminal_fit(&t, &width, &height);
    assert_int_equal(width, 20);
    t = (facet_terminal){FACET_TERMINAL_KITTY, 500, 500, 20, 40, false, {0}};
    facet_terminal_fit(&t, &width, &height);
    assert_int_equal(width, 1024);
    assert_int_equal(height, 768);
    t.rows = t.columns = 1;
    facet_terminal_fit(&t, &width, &height);
    assert_int_equal(width, 20);
    assert_int_equal(height, 40);
}

/* -- Pictures ----------------------------------------------------------- */

static char *put(const facet_terminal *terminal, uint8_t *rgba, uint32_t width, uint32_t height)
{
    facet_image image = {.name = "",
                         .media_type = "",
                         .pixels = rgba,
                         .width = width,
                         .height = height,
                         .channels = 4};
    facet_options options = {0};
    facet_output *output = NULL;
    facet_error error;
    assert_int_equal(facet_output_open_memory(NULL, &output, &error), FACET_OK);
    assert_int_equal(facet_terminal_put(terminal, &image, &options, output, &error), FACET_OK);
    assert_int_equal(facet_output_commit(output, &error), FACET_OK);
    facet_bytes bytes = {0};
    assert_int_equal(facet_output_take(output, &bytes, &error), FACET_OK);
    char *text = malloc(bytes.size + 1);
    memcpy(text, bytes.data, bytes.size);
    text[bytes.size] = '\0';
    facet_bytes_free(&bytes);
    facet_output_free(output);
    return text;
}

static void puts_blocks(const facet_terminal *terminal, uint8_t *rgba, uint32_t width,
                        uint32_t height, const char *expected)
{
    char *text = put(terminal, rgba, width, height);
    assert_string_equal(text, expected);
    free(text);
}

#define RED 255, 0, 0, 255
#define BLUE 0, 0, 255, 255
#define GLASS 0, 255, 0, 64
#define NOTHING 9, 9, 9, 0

TEST(blocks_have_two_pixels_per_character)
{
    facet_terminal t;
    facet_terminal_init(&t);
    t.protocol = FACET_TERMINAL_BLOCKS;
    uint8_t four[] = {RED, RED, BLUE, BLUE};
    puts_blocks(&t, four, 2, 2, "\033[38;2;255;0;0m\033[48;2;0;0;255m\u2580\u2580\033[0m\n");
    uint8_t odd[] = {RED, NOTHING, BLUE};
    puts_blocks(&t, odd, 1, 3,
                "\033[38;2;255;0;0m\u2580\033[0m\n\033[38;2;0;0;255m\u2580\033[0m\n");
    uint8_t lower[] = {NOTHING, NOTHING, RED, NOTHING};
    puts_blocks(&t, lower, 2, 2, "\033[38;2;255;0;0m\u2584 \033[0m\n");
}

TEST(translucent_pixels_need_a_known_background)
{
    facet_terminal t;
    uint8_t glass[] = {GLASS};
    facet_terminal_init(&t);
    t.protocol = FACET_TERMINAL_BLOCKS;
    puts_blocks(&t, glass, 1, 1, " \033[0m\n");
    t.has_background = true;
    memset(t.background, 200, 3);
    /* 200 * 191 / 255 = 149.8; + 255 * 64 / 255 = 213.8 */
    puts_blocks(&t, glass, 1, 1, "\033[38;2;150;214;150m\u2580\033[0m\n");
}

TEST(sixels_are_bands_of_six_rows)
{
    facet_terminal t;
    facet_terminal_init(&t);
    t.protocol = FACET_TERMINAL_SIXEL;
    uint8_t rgba[5 * 7 * 4] = {0};
    /* Five columns, seven rows. Row 0 is red; column 4 below it is blue. */
    for (int x = 0; x < 5; x++)
        memcpy(rgba + x * 4, (uint8_t[]){RED}, 4);
    for (int y = 1; y < 7; y++)
        memcpy(rgba + (y * 5 + 4) * 4, (uint8_t[]){BLUE}, 4);
    char *text = put(&t, rgba, 5, 7);
    assert_non_null(strstr(text, "\033P0;1;0q\"1;1;5;7#0;2;"));
    /* '@' is row 0, '}' rows 1 to 5: 63 + 0b111110 */
    assert_non_null(strstr(text, "!5@"));
    assert_non_null(strstr(text, "!4?}"));
    assert_non_null(strstr(text, ";2;100;0;0"));
    assert_non_null(strstr(text, ";2;0;0;100"));
    const char *second = strchr(text, '-');
    assert_non_null(second); /* the seventh row is a separate band */
    assert_non_null(strstr(second, "!4?@\033\\\n"));
    assert_null(strchr(second + 1, '-'));
    free(text);
}

TEST(terminal_without_pictures_gets_none)
{
    facet_terminal t;
    facet_options options = {0};
    facet_image image = {.width = 1, .height = 1, .channels = 4};
    facet_error error;
    facet_terminal_init(&t);
    assert_int_equal(facet_terminal_put(&t, &image, &options, NULL, &error), FACET_ERROR_ARGUMENT);
}

/* -- Random input ------------------------------------------------------- */

/* Blocks of exact size, so that AddressSanitizer detects a read past their end. */
TEST(damaged_answers_are_read_within_their_bytes)
{
    static const char all[] = KITTY VERSION("iTerm2 3.5") "\033[6;19;9t"
                                                          "\033]11;rgb:ffff/8000/0000\a"
                                                          "\033P1$r0;48:2::1:2:3m\033\\" SIXELS;
    static const char bytes[] = "\033[]P_\\;:c?t\a14/rgb\xff";
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        facet_terminal t;
        size_t size = (seed >> 8) % sizeof all;
        char *damaged = malloc(size + !size);
        memcpy(damaged, all, size);
        for (int k = 0; k < 3 && size > 0; k++) {
            seed = seed * 1664525 + 1013904223;
            damaged[(seed >> 16) % size] = bytes[(seed >> 8) % (sizeof bytes - 1)];
        }
        seed = seed * 1664525 + 1013904223;
        facet_terminal_init(&t);
        facet_terminal_read_reply(&t, damaged, size, false, true);
        (void)facet_terminal_is_answered(damaged, size);
        assert_true(t.cell_width > 0 && t.cell_height > 0);
        free(damaged);
    }
}
