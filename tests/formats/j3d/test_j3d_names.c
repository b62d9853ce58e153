/* Tests of the names of J3D: hashes, and conversion to and from Shift-JIS. */
#include "formats/j3d/file/sections.h"
#include "support/support.h"

#include <facet/j3d.h>

TEST(name_hashes_match_the_documented_values)
{
    /* The format description gives these hashes. */
    assert_int_equal(facet_j3d_hash(""), 0);
    assert_int_equal(facet_j3d_hash("a"), 0x0061);
    assert_int_equal(facet_j3d_hash("ab"), 0x0185);
    assert_int_equal(facet_j3d_hash("root"), 0x11AE);
    assert_int_equal(facet_j3d_hash("mat0"), 0x1074);
    assert_int_equal(facet_j3d_hash("tex0"), 0x1161);
    assert_int_equal(facet_j3d_hash("skl_root"), 0x9D65);
    assert_int_equal(facet_j3d_hash("\x82\xA0"), 0xFE26);
}

TEST(names_are_shift_jis)
{
    /* From the table of the code page. 82 A0 is hiragana a; 88 9F and 93 FA are kanji. 83 7E and
     * 83 80 are katakana mi and mu: the byte 7F between them is never a second byte. E0 40 is the
     * first character of the second half. B1 is half-width a, 84 40 the first Cyrillic letter, EA
     * A4 the last kanji. */
    static const struct {
        const char *bytes, *text;
    } names[] = {
        {"plain_name", "plain_name"},
        {"\x82\xA0", "\xE3\x81\x82"},
        {"\x88\x9F\x93\xFA", "\xE4\xBA\x9C\xE6\x97\xA5"},
        {"\x83\x7E\x83\x80", "\xE3\x83\x9F\xE3\x83\xA0"},
        {"\xE0\x40", "\xE6\xBC\xBE"},
        {"a\xB1z", "a\xEF\xBD\xB1z"},
        {"\x84\x40", "\xD0\x90"},
        {"\xEA\xA4", "\xE7\x86\x99"},
    };
    char made[64];
    size_t lost = 9;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_int_equal(facet_j3d_name_text(names[i].bytes, made, sizeof made),
                         strlen(names[i].text));
        assert_string_equal(made, names[i].text);
        assert_int_equal(facet_j3d_name_bytes(names[i].text, made, sizeof made, &lost),
                         strlen(names[i].bytes));
        assert_string_equal(made, names[i].bytes);
        assert_int_equal(lost, 0);
    }
}

TEST(names_that_do_not_fit)
{
    char made[4] = "xyz";
    size_t lost;
    /* A lead byte without a second byte, an unused pair, a byte that cannot lead. */
    assert_int_equal(facet_j3d_name_text("\x82", made, sizeof made), 3);
    assert_string_equal(made, "\xEF\xBF\xBD");
    assert_int_equal(facet_j3d_name_text("\xFE", NULL, 0), 3);
    /* Truncation happens between characters, never inside one. */
    assert_int_equal(facet_j3d_name_text("ab\x82\xA0", made, sizeof made), 5);
    assert_string_equal(made, "ab");
    assert_int_equal(
        facet_j3d_name_bytes("\xE3\x81\x82\xE3\x81\x82\xE3\x81\x82", made, sizeof made, &lost), 6);
    assert_string_equal(made, "\x82\xA0");
    assert_int_equal(lost, 0);
    /* An accented letter, an emoji, a byte that is invalid in UTF-8. */
    assert_int_equal(facet_j3d_name_bytes("\xC3\xA9\xF0\x9F\x98\x80\xFF", made, sizeof made, &lost),
                     3);
    assert_string_equal(made, "___");
    assert_int_equal(lost, 3);
}
