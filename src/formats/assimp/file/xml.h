/* formats/assimp/file/xml.h - parts of an XML text, as bytes of the file. */
#ifndef FACET_ASSIMP_FILE_XML_H
#define FACET_ASSIMP_FILE_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of the text. */
typedef struct facet_xml_part {
    const uint8_t *at;
    size_t size;
} facet_xml_part;

bool facet_xml_is(facet_xml_part part, const char *text);
bool facet_xml_is_blank(uint8_t byte);
/* The next word of a part, which becomes shorter; empty at the end. */
facet_xml_part facet_xml_next_word(facet_xml_part *part);
uint64_t facet_xml_count_words(facet_xml_part part);
/* The value of an attribute in the text of a tag; empty if it is missing. */
facet_xml_part facet_xml_attribute(facet_xml_part tag, const char *name);

/* A tag, and the text after it. */
typedef struct facet_xml_tag {
    facet_xml_part name, tag, content; /* tag: without "<", "</" and ">" */
    const uint8_t *begin, *end;        /* its '<', and the byte after its '>' */
    bool closes, is_empty;
} facet_xml_tag;
/* Call `visit` with each tag of a text, in order, until it returns false. Returns its last result.
 * Comments, CDATA sections, instructions and <!DOCTYPE> are skipped. A <!DOCTYPE> with declarations
 * is a tag with the name "!DOCTYPE". Linear. */
typedef bool facet_xml_visit(void *user, const facet_xml_tag *tag);
bool facet_xml_each_tag(const uint8_t *data, size_t size, facet_xml_visit *visit, void *user);

/* The line of a byte of the text, from 1. */
uint64_t facet_xml_line(const uint8_t *data, const uint8_t *at);

#endif
