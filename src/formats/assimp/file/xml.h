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
/* The value of an attribute in the text of a tag; empty if it is missing. */
facet_xml_part facet_xml_attribute(facet_xml_part tag, const char *name);

#endif
