/* formats/assimp/file/scan_links.c - references between the objects of ASE, COB and IFC, which
 * assimp follows by recursion. */
#include "base/bytes.h"
#include "formats/assimp/file/links.h"
#include "formats/assimp/file/scan.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct word {
    const uint8_t *at;
    size_t size;
} word;

typedef struct text_scanner {
    const uint8_t *at, *end;
    uint64_t line;
    facet_arena *scratch;
    facet_error *error;
} text_scanner;

static bool begins(const text_scanner *s, const char *mark)
{
    size_t size = strlen(mark);
    return (size_t)(s->end - s->at) >= size && memcmp(s->at, mark, size) == 0;
}

static void step(text_scanner *s)
{
    s->line += *s->at++ == '\n';
}

static void skip_blanks(text_scanner *s)
{
    while (s->at < s->end && *s->at <= ' ')
        step(s);
}

/* A decimal number at the current position; 0 if missing. */
static uint64_t read_number(text_scanner *s)
{
    uint64_t number = 0;
    for (; s->at < s->end && *s->at >= '0' && *s->at <= '9'; s->at++)
        number = number * 10 + (uint64_t)(*s->at - '0');
    return number;
}

/* -- ASE ---------------------------------------------------------------- */

/* The text in quotes after a keyword; unchanged if missing. */
static void read_quoted(text_scanner *s, word *to)
{
    while (s->at < s->end && *s->at != '"' && *s->at != '\n')
        step(s);
    if (s->at == s->end || *s->at != '"')
        return;
    const uint8_t *first = ++s->at;
    while (s->at < s->end && *s->at != '"')
        step(s);
    *to = (word){first, (size_t)(s->at - first)};
}

/* Add the object that ends here. assimp does not follow the reference of an object to itself. */
static bool end_object(const text_scanner *s, facet_assimp_links *links, word name, word parent)
{
    if (name.size == 0)
        name = (word){(const uint8_t *)"Unnamed_Node", 12}; /* as assimp names it */
    if (name.size == parent.size && memcmp(name.at, parent.at, name.size) == 0)
        return true;
    return facet_assimp_links_add(links, parent.at, parent.size, name.at, name.size, s->line);
}

static facet_status scan_ase(text_scanner *s, facet_assimp_links *links)
{
    static const char *const begin[] = {"*GEOMOBJECT", "*HELPEROBJECT", "*LIGHTOBJECT",
                                        "*CAMERAOBJECT"};
    static const uint8_t none[1];
    word name = {none, 0}, parent = {none, 0};
    bool is_named = false; /* names after *TM_ANIMATION are those of other objects */
    links->is_counted = true;
    for (; s->at < s->end; step(s)) {
        if (*s->at != '*')
            continue;
        for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
            if (!begins(s, begin[i]))
                continue;
            if (!end_object(s, links, name, parent))
                return facet_fail_arena(s->scratch, s->error);
            name = parent = (word){none, 0};
            is_named = false;
        }
        if (begins(s, "*TM_ANIMATION"))
            is_named = true;
        else if (begins(s, "*NODE_NAME") && !is_named)
            read_quoted(s, &name);
        else if (begins(s, "*NODE_PARENT"))
            read_quoted(s, &parent);
        if (s->at == s->end)
            break;
    }
    if (!end_object(s, links, name, parent))
        return facet_fail_arena(s->scratch, s->error);
    return facet_assimp_links_check(links, s->error);
}

/* -- COB ---------------------------------------------------------------- */

static facet_status scan_cob(text_scanner *s, facet_assimp_links *links)
{
    enum { ENCODING = 15 };  /* offset of "A" (text) or "B" */
    enum { MAX_HEAD = 256 }; /* the head of a text chunk is shorter */
    static const char *const begin[] = {"Grou", "PolH", "Lght", "Came", "Bone"};
    bool is_text = s->end - s->at > ENCODING && s->at[ENCODING] == 'A';
    links->is_counted = true;
    const uint8_t *first = s->at;
    links->by_offset = true;
    for (; s->end - s->at >= 16; s->at++) {
        for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
            if (!begins(s, begin[i]))
                continue;
            text_scanner head = *s;
            if (head.end - head.at > MAX_HEAD)
                head.end = head.at + MAX_HEAD;
            uint64_t id = facet_load_u32le(s->at + 8), parent = facet_load_u32le(s->at + 12);
            /* "Grou V0.01 Id 1 Parent 0 Size 100" */
            for (int token = 0; is_text && token < 5; token++) {
                while (head.at < head.end && head.at[0] > ' ')
                    head.at++;
                while (head.at < head.end && (*head.at == ' ' || *head.at == '\t'))
                    head.at++;
                uint64_t number = token == 2 || token == 4 ? read_number(&head) & UINT32_MAX : 0;
                id = token == 2 ? number : id;
                parent = token == 4 ? number : parent;
            }
            if (!facet_assimp_links_add_numbers(links, parent, id, (uint64_t)(s->at - first)))
                return facet_fail_arena(s->scratch, s->error);
        }
    }
    return facet_assimp_links_check(links, s->error);
}

/* -- IFC ---------------------------------------------------------------- */

/* The relations that make nodes below nodes: position of the parent and of the children among the
 * arguments. */
static const struct {
    const char *name;
    int parent, child;
} relations[] = {{"IFCRELAGGREGATES", 4, 5},
                 {"IFCRELVOIDSELEMENT", 4, 5},
                 {"IFCRELCONTAINEDINSPATIALSTRUCTURE", 5, 4}};

/* The beginnings of the names of objects that assimp evaluates again for each reference. */
static const char *const evaluated[] = {"IFCCOMPOSITECURVE",    "IFC2DCOMPOSITECURVE",
                                        "IFCTRIMMEDCURVE",      "IFCCOMPOSITEPROFILEDEF",
                                        "IFCDERIVEDPROFILEDEF", "IFCBOOLEAN"};

typedef struct ifc_scanner {
    text_scanner text;
    facet_assimp_links references; /* from each object to those in its arguments */
    facet_assimp_links nodes;
    facet_assimp_links curves; /* like references, only from evaluated objects */
    uint64_t *list;
    uint32_t count, capacity;
} ifc_scanner;

static bool add_reference(ifc_scanner *s, bool is_evaluated, uint64_t from, uint64_t to)
{
    if (is_evaluated && !facet_assimp_links_add_numbers(&s->curves, from, to + 1, s->text.line))
        return false;
    return facet_assimp_links_add_numbers(&s->references, from, to + 1, s->text.line);
}

/* True if the text at the current position begins with a name, in any letter case. */
static bool is_named(const text_scanner *t, const char *name)
{
    size_t size = strlen(name);
    return (size_t)(t->end - t->at) >= size && strncasecmp((const char *)t->at, name, size) == 0;
}

/* Index of the relation whose name is at the current position, or -1. */
static int find_relation(const text_scanner *t)
{
    for (int i = 0; i < (int)(sizeof relations / sizeof *relations); i++) {
        if (is_named(t, relations[i].name))
            return i;
    }
    return -1;
}

static bool find_evaluated(const text_scanner *t)
{
    for (size_t i = 0; i < sizeof evaluated / sizeof *evaluated; i++) {
        if (is_named(t, evaluated[i]))
            return true;
    }
    return false;
}

/* Read the arguments of an object, up to ";". */
static facet_status scan_arguments(ifc_scanner *s, uint64_t object)
{
    text_scanner *t = &s->text;
    skip_blanks(t);
    int relation = find_relation(t), argument = 0;
    bool is_evaluated = find_evaluated(t);
    uint64_t parent = 0;
    uint32_t depth = 0;
    bool is_quoted = false, is_good = true;
    s->count = 0;
    for (; t->at < t->end && (is_quoted || *t->at != ';'); step(t)) {
        if (*t->at == '\'')
            is_quoted = !is_quoted;
        if (*t->at == '(' && ++depth > FACET_ASSIMP_MAX_DEPTH)
            return facet_fail_line(t->error, FACET_ERROR_UNSUPPORTED, "ASSIMP", t->line,
                                   "lists are nested more than " FACET_ASSIMP_MAX_DEPTH_TEXT
                                   " levels deep");
        if (is_quoted)
            continue;
        depth -= *t->at == ')' && depth > 0;
        argument += *t->at == ',' && depth == 1;
        if (*t->at != '#')
            continue;
        t->at++;
        uint64_t number = read_number(t);
        t->at--;
        is_good &= add_reference(s, is_evaluated, object + 1, number);
        if (relation >= 0 && argument == relations[relation].parent)
            parent = number;
        else if (relation >= 0 && argument == relations[relation].child) {
            is_good &= FACET_GROW(t->scratch, s->list, s->count, s->capacity);
            if (is_good)
                s->list[s->count++] = number;
        }
    }
    for (uint32_t i = 0; is_good && i < s->count; i++)
        is_good = facet_assimp_links_add_numbers(&s->nodes, parent + 1, s->list[i] + 1, t->line);
    return is_good ? FACET_OK : facet_fail_arena(t->scratch, t->error);
}

static facet_status scan_ifc(ifc_scanner *s)
{
    text_scanner *t = &s->text;
    for (; t->at < t->end; step(t)) {
        skip_blanks(t);
        if (t->at < t->end && *t->at == '#') {
            t->at++;
            uint64_t object = read_number(t);
            skip_blanks(t);
            if (t->at < t->end && *t->at == '=') {
                t->at++;
                TRY(scan_arguments(s, object));
            }
        }
        while (t->at < t->end && *t->at != '\n' && *t->at != ';')
            t->at++;
        if (t->at == t->end)
            break;
    }
    s->nodes.is_counted = s->curves.is_counted = true;
    s->nodes.has_no_root = s->references.has_no_root = true;
    TRY(facet_assimp_links_check(&s->nodes, t->error));
    TRY(facet_assimp_links_check(&s->curves, t->error));
    return facet_assimp_links_check(&s->references, t->error);
}

/* -- Selection ---------------------------------------------------------- */

facet_status facet_assimp_scan_links(const uint8_t *data, size_t size, const char *extension,
                                     facet_arena *scratch, facet_error *error)
{
    text_scanner text = {data, data + size, 1, scratch, error};
    ifc_scanner ifc = {.text = text};
    facet_assimp_links links;
    if (!facet_assimp_links_begin(&links, scratch) ||
        !facet_assimp_links_begin(&ifc.references, scratch) ||
        !facet_assimp_links_begin(&ifc.nodes, scratch) ||
        !facet_assimp_links_begin(&ifc.curves, scratch))
        return facet_fail_arena(scratch, error);
    if (facet_assimp_is_format(data, size, extension, ".ase .ask", "*3DSMAX"))
        return scan_ase(&text, &links);
    if (facet_assimp_is_format(data, size, extension, ".cob .scn", "Caligari"))
        return scan_cob(&text, &links);
    if (facet_assimp_is_format(data, size, extension, ".ifc .step .stp", "ISO-10303-21;"))
        return scan_ifc(&ifc);
    return FACET_OK;
}
