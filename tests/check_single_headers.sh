#!/bin/sh
# check_single_headers.sh SOURCE: every single header is up to 1,300 lines (half of
# them public headers), compiles as C99 and as C++11 without a warning, works from
# several source files of one program, beside <facet/facet.h> and the others in any
# order, and beside the library's own object files; its example tells what is in a
# file. No program but Python is needed to make them.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/clang-format"
chmod +x "$work/bin/clang-format"
PATH=$work/bin:$PATH

for space in $("$source/tools/amalgamate" --list); do
    header=$work/facet_$space.h
    "$source/tools/amalgamate" "$space" >"$header"
    lines=$(wc -l <"$header")
    [ "$lines" -le 1300 ] || { echo "facet_$space.h has $lines lines"; exit 1; }
    upper=$(printf %s "$space" | tr a-z A-Z)
    printf '#define FACET_%s_IMPLEMENTATION\n#include "facet_%s.h"\n' "$upper" "$space" >"$work/all.c"
    printf '#include "facet_%s.h"\nint main(void) { return 0; }\n' "$space" >"$work/other.c"
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        flags="-pedantic -Wall -Wextra -Werror -I$work"
        (cd "$work" && $compiler -std=c99 $flags all.c other.c -o c99 && ./c99)
        (cd "$work" && $compiler -x c++ -std=c++11 $flags all.c other.c -o cxx && ./cxx)
    done
    example=$source/examples/${space}_minimal.c
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        flags="-pedantic -Wall -Wextra -Werror -I$work"
        $compiler -x c++ -std=c++11 $flags "$example" -o "$work/cxx"
        $compiler -std=c99 $flags "$example" -o "$work/c99"
    done
    cc -std=c99 -g -fsanitize=address,undefined "-I$work" "$example" -o "$work/${space}_minimal"
done

# Beside the library's headers and one another, whichever comes first, with both
# implementations in one file; and in one program with the library's own objects,
# which define the same functions.
cat >"$work/use.txt" <<'EOF'
int main(void)
{
    facet_bsm_layout bsm;
    static facet_bga bga;
    size_t size;
    facet_error error;
    return facet_bsm_view((const uint8_t *)"", 0, &bsm, &error) != FACET_ERROR_MALFORMED ||
           facet_bga_view((const uint8_t *)"", 0, NULL, &bga, &error) != FACET_ERROR_MALFORMED ||
           facet_decompressed_size((const uint8_t *)"Yaz0", 4, &size, &error) !=
               FACET_ERROR_MALFORMED;
}
EOF
objects="$source/src/bsm/view.c $source/src/bga/view.c $source/src/bga/values.c
    $source/src/archive/decompress.c $source/src/base/error.c $source/src/base/system_posix.c $source/src/base/text.c"
for order in "facet_bsm.h facet_yaz0.h facet_bga.h facet/facet.h" \
    "facet/facet.h facet_bga.h facet_bsm.h facet_yaz0.h" \
    "facet_yaz0.h facet_bga.h facet/base.h facet_bsm.h facet/bsm.h facet/bga.h"; do
    {
        echo '#define FACET_BSM_IMPLEMENTATION'
        echo '#define FACET_BGA_IMPLEMENTATION'
        echo '#define FACET_YAZ0_IMPLEMENTATION'
        for header in $order; do echo "#include <$header>"; done
        cat "$work/use.txt"
    } >"$work/beside.c"
    flags="-Wall -Wextra -Werror -I$work -I$source/include -I$source/src -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE"
    cc -std=c11 $flags "$work/beside.c" -o "$work/beside"
    "$work/beside"
    cc -std=c11 $flags "$work/beside.c" $objects -o "$work/beside"
    "$work/beside"
    c++ -x c++ -std=c++17 $flags "$work/beside.c" -o "$work/beside"
    "$work/beside"
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
"$work/bga_minimal" "$work/triangle.bga" >"$work/told"
diff "$work/expected" "$work/told"
head -c 100 "$work/triangle.bga" >"$work/cut.bga"
if "$work/bga_minimal" "$work/cut.bga" 2>"$work/told"; then exit 1; fi
grep -q BGA-DATA-TRUNCATED "$work/told"

# The one triangle of the BSM format's worked example, as 32-bit words.
words() {
    for word in "$@"; do
        for shift in 0 8 16 24; do
            printf "\\$(printf %o $((word >> shift & 255)))"
        done
    done
}
one=0x3F800000
{
    printf 'BINARYSTATICMESH'
    words 1 0 0x3F000000 0x3F000000 0 0x3F3504F3 0 0 0 $one $one 0
    words 3 0x84 0xA8 0xC0 0xE4 1 0x114 1 0x120 0 0 0 0 0 0 0 0
    words 0 0 0 $one 0 0 0 $one 0
    words 0 0 $one 0 0 $one
    words 0 0 $one 0 0 $one 0 0 $one
    words $one 0 0 $one $one 0 0 $one $one 0 0 $one
    words 0 1 2 0 1
    printf 'red.tga'
    head -c 249 /dev/zero
} >"$work/triangle.bsm"
cat >"$work/expected" <<'EOF'
position 0 0 0  texcoord 0 0  normal 0 0 1  tangent 1 0 0 1
position 1 0 0  texcoord 1 0  normal 0 0 1  tangent 1 0 0 1
position 0 1 0  texcoord 0 1  normal 0 0 1  tangent 1 0 0 1
EOF
"$work/bsm_minimal" "$work/triangle.bsm" >"$work/told"
diff "$work/expected" "$work/told"
head -c 551 "$work/triangle.bsm" >"$work/cut.bsm"
if "$work/bsm_minimal" "$work/cut.bsm" 2>"$work/told"; then exit 1; fi
grep -q BSM-ARRAY-BOUNDS "$work/told"

# The worked example of the format: "J3D1", 24 zeros, "J3D1bck1", 4 zeros.
printf 'Yaz0\000\000\000\050\000\000\000\000\000\000\000\000\371J3D1\000\000\000\005\040\033b\300ck0\037' >"$work/a.szs"
{ printf J3D1; head -c 24 /dev/zero; printf J3D1bck1; head -c 4 /dev/zero; } >"$work/expected"
"$work/yaz0_minimal" "$work/a.szs" "$work/told"
cmp "$work/expected" "$work/told"
head -c 30 "$work/a.szs" >"$work/cut.szs"
if "$work/yaz0_minimal" "$work/cut.szs" "$work/told" 2>"$work/err"; then exit 1; fi
grep -q AR02 "$work/err"
