/* formats/assimp/file/xml.c - words, attributes and tags of an XML text. */
#include "formats/assimp/file/xml.h"

#include <string.h>

bool facet_xml_is(facet_xml_part part, const char *text)
{
    return part.size == strlen(text) && memcmp(part.at, text, part.size) == 0;
}

bool facet_xml_is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

facet_xml_part facet_xml_next_word(facet_xml_part *part)
{
    while (part->size > 0 && facet_xml_is_blank(*part->at))
        part->at++, part->size--;
    facet_xml_part word = {part->at, 0};
    while (part->size > 0 && !facet_xml_is_blank(*part->at))
        part->at++, part->size--, word.size++;
    return word;
}

uint64_t facet_xml_count_words(facet_xml_part part)
{
    uint64_t count = 0;
    while (facet_xml_next_word(&part).size > 0)
        count++;
    return count;
}

/* The end of the tag that begins at `at`: its '>', which is not in quotes; or `end`. */
static const uint8_t *end_of_tag(const uint8_t *at, const uint8_t *end)
{
    uint8_t quote = 0;
    for (; at < end && (quote || *at != '>'); at++) {
        if (quote)
            quote = *at == quote ? 0 : quote;
        else if (*at == '"' || *at == '\'')
            quote = *at;
    }
    return at;
}

/* The name of the element in the text of a tag without "</" or "<". */
static facet_xml_part tag_name(facet_xml_part tag)
{
    facet_xml_part name = {tag.at, 0};
    while (name.size < tag.size && !facet_xml_is_blank(name.at[name.size]) &&
           name.at[name.size] != '/')
        name.size++;
    return name;
}

/* The end of the comment, CDATA section, instruction or <!DOCTYPE> that begins at `at`; `at` if
 * none does. */
static const uint8_t *skip(const uint8_t *at, const uint8_t *end)
{
    static const char *const pairs[][2] = {{"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        size_t open = strlen(pairs[i][0]), close = strlen(pairs[i][1]);
        if ((size_t)(end - at) < open || memcmp(at, pairs[i][0], open) != 0)
            continue;
        for (at += open; (size_t)(end - at) >= close; at++) {
            if (memcmp(at, pairs[i][1], close) == 0)
                return at + close;
        }
        return end;
    }
    if ((size_t)(end - at) < 2 || at[1] != '!')
        return at;
    const uint8_t *stop = end_of_tag(at, end);
    size_t size = (size_t)(stop - at) - 1;
    if (memchr(at + 1, '[', size) || memchr(at + 1, '<', size))
        return at;
    return stop < end ? stop + 1 : end;
}

facet_xml_part facet_xml_attribute(facet_xml_part tag, const char *name)
{
    size_t size = strlen(name);
    facet_xml_part none = {tag.at, 0};
    uint8_t quote = 0;
    for (size_t i = 1; i + size + 2 < tag.size; i++) {
        uint8_t byte = tag.at[i - 1];
        if (quote ? byte == quote : byte == '"' || byte == '\'')
            quote = quote ? 0 : byte;
        if (quote || !facet_xml_is_blank(tag.at[i - 1]) || memcmp(tag.at + i, name, size) != 0)
            continue;
        size_t at = i + size;
        while (at < tag.size && (facet_xml_is_blank(tag.at[at]) || tag.at[at] == '='))
            at++;
        if (at >= tag.size || (tag.at[at] != '"' && tag.at[at] != '\''))
            continue;
        const uint8_t *end = memchr(tag.at + at + 1, tag.at[at], tag.size - at - 1);
        if (end)
            return (facet_xml_part){tag.at + at + 1, (size_t)(end - tag.at) - at - 1};
    }
    return none;
}

/* The next tag from *at, which advances to its end. False if the text has no further tag. */
static bool next_tag(const uint8_t **at, const uint8_t *end, facet_xml_tag *found)
{
    while (*at < end) {
        const uint8_t *begin = memchr(*at, '<', (size_t)(end - *at));
        *at = begin ? skip(begin, end) : end;
        if (!begin || *at > begin)
            continue;
        const uint8_t *stop = end_of_tag(begin, end);
        bool closes = stop - begin > 1 && begin[1] == '/';
        *at = end;
        if (stop == end || stop == begin + 1)
            return false;
        *at = stop + 1;
        facet_xml_part tag = {begin + 1 + closes, (size_t)(stop - begin) - 1 - closes};
        const uint8_t *next = memchr(*at, '<', (size_t)(end - *at));
        *found = (facet_xml_tag){.name = tag_name(tag),
                                 .tag = tag,
                                 .content = {*at, (size_t)((next ? next : end) - *at)},
                                 .begin = begin,
                                 .end = *at,
                                 .closes = closes,
                                 .is_empty = stop[-1] == '/'};
        return true;
    }
    return false;
}

bool facet_xml_each_tag(const uint8_t *data, size_t size, facet_xml_visit *visit, void *user)
{
    const uint8_t *at = data;
    facet_xml_tag tag;
    while (next_tag(&at, data + size, &tag)) {
        if (!visit(user, &tag))
            return false;
    }
    return true;
}

uint64_t facet_xml_line(const uint8_t *data, const uint8_t *at)
{
    uint64_t line = 1;
    for (; data < at; data++)
        line += *data == '\n';
    return line;
}
