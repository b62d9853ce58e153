/* cli/json.c - JSON out, by jansson. */
#include "cli/cli.h"

#include <jansson.h>
#include <string.h>

json_t *json_text(const char *text)
{
    json_t *string = json_string(text);
    if (string)
        return string;
    /* Not UTF-8 (a file name may be anything): show what can be shown. */
    char plain[1024];
    size_t used = 0;
    for (; *text && used + 1 < sizeof plain; text++)
        plain[used++] = (unsigned char)*text < 0x80 ? *text : '?';
    plain[used] = '\0';
    return json_string(plain);
}

json_t *json_of_tree(const facet_tree *tree)
{
    /* Trees are as deep as describers make them: a handful of levels. */
    json_t *value = NULL;
    switch (tree->kind) {
    case FACET_TREE_OBJECT:
        value = json_object();
        for (const facet_tree *child = tree->first; child; child = child->next)
            json_object_set_new(value, child->key, json_of_tree(child));
        break;
    case FACET_TREE_ARRAY:
        value = json_array();
        for (const facet_tree *child = tree->first; child; child = child->next)
            json_array_append_new(value, json_of_tree(child));
        break;
    case FACET_TREE_STRING:
        value = json_text(tree->string);
        break;
    case FACET_TREE_INTEGER:
        value = json_integer(tree->integer);
        break;
    case FACET_TREE_REAL:
        value = json_real(tree->real);
        break;
    case FACET_TREE_BOOLEAN:
        value = json_boolean(tree->integer);
        break;
    }
    return value ? value : json_null(); /* NaN and infinity have no JSON */
}

json_t *json_of_finding(const facet_finding *finding)
{
    json_t *object = json_object();
    json_object_set_new(object, "rule", json_text(finding->rule));
    json_object_set_new(object, "severity", json_string(facet_severity_name(finding->severity)));
    json_object_set_new(object, "offset",
                        finding->offset == FACET_NO_OFFSET
                            ? json_null()
                            : json_integer((json_int_t)finding->offset));
    if (finding->line)
        json_object_set_new(object, "line", json_integer((json_int_t)finding->line));
    json_object_set_new(object, "count", json_integer((json_int_t)finding->count));
    json_object_set_new(object, "message", json_text(finding->message));
    return object;
}

json_t *json_of_error(const facet_error *error)
{
    facet_finding finding = {*error->rule ? error->rule : facet_status_name(error->status),
                             FACET_SEVERITY_ERROR,
                             error->offset,
                             error->line,
                             1,
                             error->message};
    return json_of_finding(&finding);
}

bool print_json(FILE *to, json_t *object)
{
    /* Nine digits give every float back. */
    int failed = json_dumpf(object, to, JSON_COMPACT | JSON_REAL_PRECISION(9));
    json_decref(object);
    fputc('\n', to);
    return !failed;
}
