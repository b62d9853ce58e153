/* formats/assimp/file/xml.c - words and attributes of an XML text. */
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
