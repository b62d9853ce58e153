/* formats/gltf/file/kept.c - unknown extensions that mean the same in another file: they are kept
 * as JSON. Objects that refer to others by index are not kept, since indices change. */
#include "formats/gltf/file/file.h"
#include "formats/gltf/file/parse.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* -- References --------------------------------------------------------- */

/* Parts of member names that hold indices of other objects. */
static const char *const nouns[] = {
    "accessor", "animation", "attribute", "bone",      "buffer",  "camera",  "channel",
    "image",    "index",     "indices",   "joint",     "light",   "mapping", "material",
    "mesh",     "node",      "offsets",   "primitive", "sampler", "scene",   "skin",
    "source",   "target",    "texture",   "values",    "variant", "view"};

static bool contains(const char *text, const char *noun)
{
    size_t length = strlen(noun);
    for (; *text; text++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)text[i]) == noun[i])
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static bool is_reference(const char *key)
{
    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
        if (contains(key, nouns[i]))
            return true;
    }
    return false;
}

/* True for pointers like "/nodes/0/translation", which contain an index. */
static bool is_pointer(const char *text)
{
    if (*text != '/')
        return false;
    while (*text && !(text[0] == '/' && isdigit((unsigned char)text[1])))
        text++;
    return *text != '\0';
}

/* True if a value may refer to objects. `named` is true below a member with such a name. The depth
 * of recursion is bounded by parse.c. */
static bool refers(const facet_json *value, bool named)
{
    double number = facet_json_number_value(value);
    if (facet_json_is_number(value))
        return named && number >= 0 && number == floor(number);
    if (facet_json_is_string(value))
        return is_pointer(facet_json_string_value(value));
    for (size_t i = 0; i < facet_json_array_size(value); i++) {
        if (refers(facet_json_array_get(value, i), named))
            return true;
    }
    for (size_t i = 0; i < facet_json_object_size(value); i++) {
        if (refers(facet_json_object_value(value, i),
                   named || is_reference(facet_json_object_key(value, i))))
            return true;
    }
    return false;
}

/* -- Keeping ------------------------------------------------------------ */

/* The counters of an extension in the file's list, or NULL. */
static facet_gltf_extension_use *use_of(facet_gltf_document *document, const char *name)
{
    for (uint32_t i = 0; i < document->use_count; i++) {
        if (strcmp(document->used[i], name) == 0)
            return &document->uses[i];
    }
    return NULL;
}

static bool can_keep(const char *name, const facet_json *value)
{
    return facet_json_is_object(value) && !facet_gltf_is_read(name) && !refers(value, false);
}

/* Mark extensions with lists at the root: objects refer to these by index, under any name. */
static void mark_lost_at_root(facet_gltf_parser *p)
{
    const facet_json *extensions = facet_json_object_get(p->root, "extensions");
    for (size_t i = 0; i < facet_json_object_size(extensions); i++) {
        const char *name = facet_json_object_key(extensions, i);
        facet_gltf_extension_use *use = use_of(p->document, name);
        if (use)
            use->is_lost_at_root = !can_keep(name, facet_json_object_value(extensions, i));
    }
}

/* The kept extensions of an object, as a new object; NULL if no extension is kept. */
static facet_json *kept_of(facet_gltf_parser *p, const facet_json *object)
{
    const facet_json *extensions = facet_json_object_get(object, "extensions");
    facet_json *kept = NULL;
    for (size_t i = 0; i < facet_json_object_size(extensions) && !p->status; i++) {
        const char *name = facet_json_object_key(extensions, i);
        facet_json *value = facet_json_object_value(extensions, i);
        facet_gltf_extension_use *use = use_of(p->document, name);
        if ((use && use->is_lost_at_root) || !can_keep(name, value))
            continue;
        kept = kept ? kept : facet_json_object();
        if (!facet_json_set(kept, name, facet_json_keep(value)))
            facet_gltf_made(p, NULL);
        if (use)
            use->kept++;
    }
    return kept;
}

const char *facet_gltf_kept_extensions(facet_gltf_parser *p, const facet_json *object)
{
    facet_json *kept = kept_of(p, object);
    const char *text = facet_gltf_print(p, kept);
    facet_json_free(kept);
    return text;
}

const char *facet_gltf_kept_asset(facet_gltf_parser *p, const facet_json *asset)
{
    static const char *const members[] = {"copyright", "extras"};
    facet_json *made = NULL, *extensions = kept_of(p, asset);
    for (size_t i = 0; i < 2 && !p->status; i++) {
        facet_json *value = facet_json_object_get(asset, members[i]);
        if (!value || facet_json_is_null(value))
            continue;
        made = made ? made : facet_json_object();
        if (!facet_json_set(made, members[i], facet_json_keep(value)))
            facet_gltf_made(p, NULL);
    }
    if (extensions && !p->status) {
        made = made ? made : facet_json_object();
        if (!facet_json_set(made, "extensions", facet_json_keep(extensions)))
            facet_gltf_made(p, NULL);
    }
    const char *text = facet_gltf_print(p, made);
    facet_json_free(extensions);
    facet_json_free(made);
    return text;
}

/* -- Counting ----------------------------------------------------------- */

static void count_all(facet_gltf_document *document, const facet_json *value)
{
    for (size_t i = 0; i < facet_json_array_size(value); i++)
        count_all(document, facet_json_array_get(value, i));
    for (size_t i = 0; i < facet_json_object_size(value); i++) {
        const char *key = facet_json_object_key(value, i);
        const facet_json *each = facet_json_object_value(value, i);
        for (size_t k = 0; strcmp(key, "extensions") == 0 && k < facet_json_object_size(each);
             k++) {
            facet_gltf_extension_use *use = use_of(document, facet_json_object_key(each, k));
            if (use)
                use->found++;
        }
        if (strcmp(key, "extras") != 0)
            count_all(document, each);
    }
}

/* True for lists of objects whose extras a scene stores. Extras of primitives are reported with
 * their mesh. */
static bool keeps_extras(const char *list)
{
    static const char *const lists[] = {"",       "asset", "nodes",      "meshes",  "materials",
                                        "images", "skins", "animations", "cameras", "primitives"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(lists[i], list) == 0)
            return true;
    }
    return false;
}

/* True for extras with the number by which animations choose textures, which the reader uses. */
static bool is_choice(const facet_json *extras)
{
    return facet_json_object_size(extras) == 1 && facet_json_object_get(extras, "texture");
}

static void count_extras(facet_gltf_document *document, const facet_json *value, const char *list)
{
    const facet_json *extras = facet_json_object_get(value, "extras");
    if (extras && !facet_json_is_null(extras) && !keeps_extras(list) && !is_choice(extras))
        document->lost_extras++;
    for (size_t i = 0; i < facet_json_array_size(value); i++)
        count_extras(document, facet_json_array_get(value, i), list);
    for (size_t i = 0; i < facet_json_object_size(value); i++) {
        const char *key = facet_json_object_key(value, i);
        /* Extensions are read, kept or reported as a whole. */
        if (strcmp(key, "extras") != 0 && strcmp(key, "extensions") != 0)
            count_extras(document, facet_json_object_value(value, i), key);
    }
}

/* Names of accessors and buffers are not counted: a written file has others. */
static void count_names(facet_gltf_document *document, const facet_json *root)
{
    static const char *const lists[] = {"textures", "samplers"};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        const facet_json *list = facet_json_object_get(root, lists[k]);
        for (size_t i = 0; i < facet_json_array_size(list); i++) {
            const char *name = facet_json_string_value(
                facet_json_object_get(facet_json_array_get(list, i), "name"));
            document->lost_names += name && *name;
        }
    }
}

void facet_gltf_count_extensions(facet_gltf_parser *p)
{
    facet_gltf_document *document = p->document;
    uint32_t most = FACET_GLTF_MAX_EXTENSIONS;
    uint32_t use_count = document->used_count < most ? document->used_count : most;
    document->uses = facet_gltf_make(p, use_count, sizeof *document->uses);
    document->use_count = document->uses ? use_count : 0;
    if (document->use_count > 0)
        count_all(document, p->root);
    mark_lost_at_root(p);
    count_extras(document, p->root, "");
    count_names(document, p->root);
}
