#!/bin/sh
# check_single_headers.sh SOURCE: every single header is up to 1,000 lines,
# compiles as C99 and as C++11 without a warning, works from several source
# files of one program, and its example tells what is in a file.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v clang-format >/dev/null || { echo "clang-format is missing: skipped"; exit 77; }

for room in $("$source/tools/amalgamate" --list); do
    header=$work/facet_$room.h
    "$source/tools/amalgamate" "$room" >"$header"
    lines=$(wc -l <"$header")
    [ "$lines" -le 1000 ] || { echo "facet_$room.h has $lines lines"; exit 1; }
    upper=$(printf %s "$room" | tr a-z A-Z)
    printf '#define FACET_%s_IMPLEMENTATION\n#include "facet_%s.h"\n' "$upper" "$room" >"$work/all.c"
    printf '#include "facet_%s.h"\nint main(void) { return 0; }\n' "$room" >"$work/other.c"
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        flags="-pedantic -Wall -Wextra -Werror -I$work"
        (cd "$work" && $compiler -std=c99 $flags all.c other.c -o c99 && ./c99)
        (cd "$work" && $compiler -x c++ -std=c++11 $flags all.c other.c -o cxx && ./cxx)
    done
    example=$source/examples/single_header/view_$room.c
    [ ! -f "$example" ] || cc -std=c99 -pedantic -Wall -Wextra -Werror -g \
        -fsanitize=address,undefined "-I$work" "$example" -o "$work/view_$room"
done

# One triangle: 88 bytes of header, 36 of vertices, 12 of indices.
{
    printf 'BGA 2.0\nlittle endian\nvec3 vertex.position\nuint32 triangle.cell[3]\n'
    printf '3 vertex\n1 triangle\n\n'
    head -c 48 /dev/zero
} >"$work/triangle.bga"
cat >"$work/expected" <<'EOF'
vertex.position: vec3[1], 3 records, offset 88, stride 12
triangle.cell: uint32[3], 1 records, offset 124, stride 12
EOF
"$work/view_bga" "$work/triangle.bga" >"$work/told"
diff "$work/expected" "$work/told"
head -c 100 "$work/triangle.bga" >"$work/cut.bga"
if "$work/view_bga" "$work/cut.bga" 2>"$work/told"; then exit 1; fi
grep -q BGA-DATA-TRUNCATED "$work/told"
