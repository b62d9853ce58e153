#!/bin/sh
# check_exports.sh SOURCE: a library that contains Facet's sources with an empty FACET_API exports
# none of Facet's names. Without the macro, it does.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/one.c" <<'C'
#include <facet/facet.h>
facet_status facet_load(const facet_source *source, const facet_format *format,
                        const facet_load_options *load, const facet_options *options,
                        facet_scene **scene, facet_error *error)
{
    (void)source, (void)format, (void)load, (void)options, (void)scene, (void)error;
    return FACET_OK;
}
C
# exported OPTIONS...: number of names that a shared library exports.
exported() {
    "${CC:-cc}" -std=c11 -fPIC -fvisibility=hidden -shared "$@" "$work/one.c" \
        -o "$work/one.so"
    nm -D --defined-only "$work/one.so" | grep -c facet_ || :
}
shown=$(exported "-I$1/include")
hidden=$(exported "-I$1/include" -DFACET_API=)
[ "$shown" = 1 ] && [ "$hidden" = 0 ] || {
    echo "exported: $shown as it is, expected 1; $hidden with an empty FACET_API, expected 0"
    exit 1
}
