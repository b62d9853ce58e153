#!/bin/sh
# check_single_headers.sh SOURCE: check every single header.
#
# - It has a limited number of lines, so that no part of the library comes in by accident.
# - It compiles as C99, C++11 and C++20 without a warning. The functions of OBJ and glTF are only C;
# C++ gets exactly one error.
# - It works in several source files of one program, with <facet/facet.h> and the others in any
# order, and with the library's own object files.
# - Its example prints the content of a file.
# - Only Python is needed to generate it.
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/clang-format"
chmod +x "$work/bin/clang-format"
PATH=$work/bin:$PATH
# clang takes less than half of GCC's time for UndefinedBehaviorSanitizer.
command -v clang >/dev/null && sanitizing=clang || sanitizing=cc

for space in $("$source/tools/amalgamate" --list); do
    header=$work/facet_$space.h
    "$source/tools/amalgamate" "$space" >"$header"
    lines=$(wc -l <"$header")
    case $space in
    gltf) most=13600 ;;
    obj) most=9500 ;;
    j3d) most=6900 ;;
    *) most=2100 ;;
    esac
    [ "$lines" -le $most ] || { echo "facet_$space.h has $lines lines"; exit 1; }
    case $space in
    gltf | obj) only_c=1 ;;
    *) only_c= ;;
    esac
    upper=$(printf %s "$space" | tr a-z A-Z)
    printf '#define FACET_%s_IMPLEMENTATION\n#include "facet_%s.h"\n' "$upper" "$space" >"$work/all.c"
    cp "$work/all.c" "$work/all_$space.c"
    printf '#include "facet_%s.h"\nint main(void) { return 0; }\n' "$space" >"$work/other.c"
    flags="-pedantic -Wall -Wextra -Werror -I$work"
    gcc -std=c99 -O2 $flags -Wconversion -c "$work/all.c" -o "$work/all_$space.o"
    (cd "$work" && gcc -std=c99 $flags "all_$space.o" other.c -o c99 -lm && ./c99)
    if [ "$only_c" ]; then
        if gcc -x c++ -fsyntax-only "-I$work" "$work/all.c" 2>"$work/told"; then exit 1; fi
        [ "$(grep -c error: "$work/told")" = 1 ] || { cat "$work/told"; exit 1; }
    else
        (cd "$work" && gcc -x c++ -std=c++11 $flags all.c other.c -o cxx -lm && ./cxx)
        gcc -x c++ -std=c++20 $flags -fsyntax-only "$work/all.c"
    fi
    if command -v clang >/dev/null; then
        clang -std=c99 $flags -fsyntax-only "$work/all.c"
        [ "$only_c" ] || clang -x c++ -std=c++11 $flags -fsyntax-only "$work/all.c"
    fi
    # The declarations also compile in programs that forbid casts of C. gcc does not check extern "C".
    if command -v clang >/dev/null; then
        clang -x c++ -std=c++11 -Wall -Wextra -Wconversion -Wold-style-cast -Werror "-I$work" -fsyntax-only "$work/other.c"
    fi
    for compiler in "clang -fsyntax-only" "x86_64-w64-mingw32-gcc -fsyntax-only" tcc; do
        command -v ${compiler%% *} >/dev/null || continue
        $compiler -Wall -Wextra -Wconversion -Werror "-I$work" -c "$work/all.c" -o "$work/all.o"
    done
    # Without a C library: hide its headers, and declare the functions that are called.
    sed '1i #define FACET_NO_LIBC' "$work/all.c" >"$work/no_libc.c"
    if command -v clang >/dev/null; then
        clang --target=wasm32 -nostdlibinc -std=c99 -Wall -Wextra -Werror "-I$work" -fsyntax-only "$work/no_libc.c"
    fi
    gcc -std=c99 -Wall -Wextra -Werror "-I$work" -fsyntax-only "$work/no_libc.c"
    example=$source/examples/${space}_minimal.c
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        [ "$only_c" ] || $compiler -x c++ -std=c++11 $flags -fsyntax-only "$example"
        $compiler -std=c99 $flags -fsyntax-only "$example"
    done
    $sanitizing -std=c99 -g -fsanitize=address,undefined "-I$work" "$example" -o "$work/${space}_minimal" -lm
done

# WebAssembly with only the compiler: the called functions are macros and functions of the program.
if command -v wasm-ld >/dev/null && command -v node >/dev/null; then
    cat >"$work/bare.c" <<'C'
#define FACET_NO_LIBC
#define memcmp(a, b, size) compare_bytes(a, b, size)
#define strlen(text) length_of(text)

#define vsnprintf(to, size, format, arguments) copy_format(to, size, format)
#define snprintf(to, size, ...) copy_format(to, size, __VA_ARGS__)
#include <stdarg.h>
#include <stddef.h>
/* The compiler calls these two by itself. */
void *memcpy(void *to, const void *from, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
void *memset(void *to, int byte, size_t size)
{
    for (size_t i = 0; i < size; i++)
        ((volatile char *)to)[i] = (char)byte;
    return to;
}
static int compare_bytes(const void *a, const void *b, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((const unsigned char *)a)[i] != ((const unsigned char *)b)[i])
            return 1;
    return 0;
}
static size_t length_of(const char *text)
{
    size_t length = 0;
    while (((volatile const char *)text)[length])
        length++;
    return length;
}
static int copy_format(char *to, size_t size, const char *format, ...)
{
    size_t length = length_of(format);
    length = length < size ? length : size - 1;
    memcpy(to, format, length);
    to[length] = '\0';
    return (int)length;
}
#define FACET_BSM_IMPLEMENTATION
#include "facet_bsm.h"
/* 1000 and the number of vertices, or the status. */
unsigned char file[4096];
unsigned char *file_place(void) { return file; }
int check(int size)
{
    facet_bsm_layout bsm;
    facet_error error;
    int status = (int)facet_bsm_view(file, (size_t)size, &bsm, &error);
    if (!status)
        status = (int)facet_bsm_verify(&bsm, &error);
    return status ? status : 1000 + (int)bsm.count[0];
}
C
    clang --target=wasm32 -nostdlib -nostdlibinc -std=c11 -O2 -fno-builtin "-I$work" "$work/bare.c" -o "$work/bare.wasm" \
        -Wl,--no-entry -Wl,--export=check -Wl,--export=file_place
    cat >"$work/bare.cjs" <<'JS'
const fs = require('fs')
const bare = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(process.argv[2])), {})
const bytes = fs.readFileSync(process.argv[3])
new Uint8Array(bare.exports.memory.buffer).set(bytes, bare.exports.file_place())
if (bare.exports.check(bytes.length) < 1003 || bare.exports.check(10) !== 30) {
    throw new Error(`bare WebAssembly: ${bare.exports.check(bytes.length)}, ${bare.exports.check(10)}`)
}
JS
    node "$work/bare.cjs" "$work/bare.wasm" "$source/fuzz/corpus/bsm/full.bsm"
fi

# A plugin with headers inside exports only its own names, although it sets no option.
{
    cat "$work/all_bsm.c" "$work/all_bga.c" "$work/all_j3d.c" "$work/all_obj.c" "$work/all_gltf.c"
    echo 'int plugin_load(void);'
    echo 'int plugin_load(void) { facet_bsm_layout l; return (int)facet_bsm_view((const uint8_t *)"", 0, &l, NULL); }'
} >"$work/plugin.c"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    $compiler -shared -fPIC "-I$work" "$work/plugin.c" -o "$work/plugin.so" -lm
    names=$(nm -D --defined-only "$work/plugin.so" | awk '{ print $3 }')
    [ "$names" = plugin_load ] || { echo "a plugin exports:" $names; exit 1; }
done

# All headers, each in a separate file, form one program. Windows, and compilers other than GCC and
# clang, have no weak symbols.
echo 'int main(void) { return 0; }' >"$work/main.c"
command -v tcc >/dev/null && weakless=tcc || weakless="clang -U__GNUC__ -Wno-literal-range"
(cd "$work" && gcc all_*.o main.c -o together.exe -lm)
for compiler in x86_64-w64-mingw32-gcc "$weakless"; do
    command -v ${compiler%% *} >/dev/null || continue
    (cd "$work" && $compiler -I. all_*.c main.c -o together.exe -lm)
done

# With the library's headers and one another, in any order, with both implementations in one file.
# Also in one program with the library's own objects, which define the same functions.
cat >"$work/use.txt" <<'EOF'
int main(void)
{
    facet_bsm_layout bsm;
    facet_iqm_layout iqm;
    static facet_bga bga;
    size_t size;
    facet_bpx_layout bpx;
    facet_bti_header header;
    facet_error error;
    static const uint8_t bytes[FACET_BTI_HEADER_SIZE] = {14};
    facet_bti_header_load(bytes, &header);
    return header.format != FACET_GX_CMPR || facet_gx_palette_limit(FACET_GX_C8) != 256 ||
           facet_bpx_view((const uint8_t *)"BPX", 3, &bpx, &error) != FACET_ERROR_MALFORMED ||
           facet_bsm_view((const uint8_t *)"", 0, &bsm, &error) != FACET_ERROR_MALFORMED ||
           facet_iqm_view((const uint8_t *)"", 0, &iqm, &error) != FACET_ERROR_MALFORMED ||
           facet_bga_view((const uint8_t *)"", 0, NULL, &bga, &error) != FACET_ERROR_MALFORMED ||
           facet_decompressed_size((const uint8_t *)"Yaz0", 4, &size, &error) !=
               FACET_ERROR_MALFORMED;
}
EOF
objects="$source/src/formats/bsm/view.c $source/src/formats/iqm/view.c $source/src/formats/bga/view.c $source/src/formats/bga/values.c
    $source/src/formats/bpx/view.c $source/src/formats/bpx/texture.c $source/src/base/crc32.c
    $source/src/gx/bti.c $source/src/gx/format.c $source/src/gx/texels_scalar.c
    $source/src/archive/decompress.c $source/src/base/error.c $source/src/base/system_posix.c $source/src/base/text.c"
for order in "facet_bsm.h facet_iqm.h facet_yaz0.h facet_j3d.h facet_binarymesh.h facet_bga.h facet_bpx.h facet_bti.h facet_obj.h facet_gltf.h facet/facet.h" \
    "facet/facet.h facet_binarymesh.h facet_bti.h facet_bga.h facet_bsm.h facet_yaz0.h facet_bpx.h facet_gltf.h facet_iqm.h facet_obj.h facet_j3d.h" \
    "facet_gltf.h facet_iqm.h facet_j3d.h facet_obj.h facet_bti.h facet_bpx.h facet_yaz0.h facet_bsm.h facet_bga.h facet_binarymesh.h" \
    "facet_yaz0.h facet_obj.h facet_bga.h facet/base.h facet_gltf.h facet_iqm.h facet_bpx.h facet_bsm.h facet/gx.h facet_bti.h facet_binarymesh.h facet_j3d.h"; do
    {
        echo '#define FACET_BSM_IMPLEMENTATION'
        echo '#define FACET_IQM_IMPLEMENTATION'
        echo '#define FACET_BGA_IMPLEMENTATION'
        echo '#define FACET_YAZ0_IMPLEMENTATION'
        echo '#define FACET_BPX_IMPLEMENTATION'
        echo '#define FACET_BTI_IMPLEMENTATION'
        echo '#define FACET_J3D_IMPLEMENTATION'
        echo '#define FACET_BINARYMESH_IMPLEMENTATION'
        printf '#ifndef __cplusplus\n#define FACET_OBJ_IMPLEMENTATION\n#define FACET_GLTF_IMPLEMENTATION\n#endif\n'
        for header in $order; do echo "#include <$header>"; done
        cat "$work/use.txt"
    } >"$work/beside.c"
    flags="-Wall -Wextra -Werror -I$work -I$source/include -I$source/src -D_XOPEN_SOURCE=700 -D_DEFAULT_SOURCE -DFACET_EXPERIMENTAL"
    cc -std=c11 $flags -fsyntax-only "$work/beside.c"
    c++ -x c++ -std=c++17 $flags -fsyntax-only "$work/beside.c"
done
cc -std=c11 $flags -c "$work/beside.c" -o "$work/beside.o"
cc "$work/beside.o" -o "$work/beside" -lm
"$work/beside"
cc -std=c11 $flags "$work/beside.o" $objects -o "$work/beside" -lm
"$work/beside"
c++ -x c++ -std=c++17 $flags "$work/beside.c" -o "$work/beside" -lm
"$work/beside"

# One triangle: 88 bytes of header, 36 of vertices, 12 of indices.
{
    printf 'BGA 2.0\nlittle endian\nvec3 vertex.position\nuint32 triangle.cell[3]\n'
    printf '3 vertex\n1 triangle\n\n'
    head -c 48 /dev/zero
} >"$work/triangle.bga"
cat >"$work/expected" <<'EOF'
vertex.position: 3 records of 3 values of 4 bytes, offset 88, stride 12
triangle.cell: 1 records of 3 values of 4 bytes, offset 124, stride 12
EOF
"$work/bga_minimal" "$work/triangle.bga" >"$work/told"
diff "$work/expected" "$work/told"
head -c 100 "$work/triangle.bga" >"$work/cut.bga"
if "$work/bga_minimal" "$work/cut.bga" 2>"$work/told"; then exit 1; fi
grep -q BGA-DATA-TRUNCATED "$work/told"

# The triangle of the BSM format's worked example, as 32-bit words.
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

# The file of tests/support/iqm.h.
cat >"$work/expected" <<'EOF'
mesh 'body', material 'skin.tga': 4 vertices, 2 triangles
array of type 0: 3 components of 4 bytes
array of type 1: 2 components of 4 bytes
array of type 2: 3 components of 4 bytes
array of type 3: 4 components of 4 bytes
array of type 4: 4 components of 1 bytes
array of type 5: 4 components of 1 bytes
array of type 6: 4 components of 1 bytes
array of type 45: 1 components of 4 bytes
joint 'root' below -1 at 0 0 0
joint 'arm' below 0 at 1 0 0
animation 'wave': 2 frames, 10 per second, loops
EOF
"$work/iqm_minimal" "$source/fuzz/corpus/iqm/full.iqm" >"$work/told"
diff "$work/expected" "$work/told"
head -c 1000 "$source/fuzz/corpus/iqm/full.iqm" >"$work/cut.iqm"
if "$work/iqm_minimal" "$work/cut.iqm" 2>"$work/told"; then exit 1; fi
grep -q IQM-SECTION-BOUNDS "$work/told"

# The worked example of the format: "J3D1", 24 zeros, "J3D1bck1", 4 zeros.
printf 'Yaz0\000\000\000\050\000\000\000\000\000\000\000\000\371J3D1\000\000\000\005\040\033b\300ck0\037' >"$work/a.szs"
{ printf J3D1; head -c 24 /dev/zero; printf J3D1bck1; head -c 4 /dev/zero; } >"$work/expected"
"$work/yaz0_minimal" "$work/a.szs" "$work/told"
cmp "$work/expected" "$work/told"
head -c 30 "$work/a.szs" >"$work/cut.szs"
if "$work/yaz0_minimal" "$work/cut.szs" "$work/told" 2>"$work/err"; then exit 1; fi
grep -q AR02 "$work/err"

# I4, 8 x 8 texels, the image directly after the header. The first row is 0, 1 ... 7; each n
# represents n * 17 in all four channels.
{
    printf '\000\002\000\010\000\010'
    head -c 22 /dev/zero
    printf '\000\000\000\040\001\043\105\147'
    head -c 28 /dev/zero
} >"$work/a.bti"
cat >"$work/expected" <<'EOF'
I4, 8 x 8, 1 levels
00000000 11111111 22222222 33333333 44444444 55555555 66666666 77777777
EOF
"$work/bti_minimal" "$work/a.bti" >"$work/told"
diff "$work/expected" "$work/told"
head -c 50 "$work/a.bti" >"$work/cut.bti"
if "$work/bti_minimal" "$work/cut.bti" 2>"$work/told"; then exit 1; fi
grep -q BTI-IMAGE "$work/told"

# A texture of version 0: 24 bytes of header, one entry of 16, 2 x 2 pixels of 3 bytes from offset
# 40, which is 28 bytes after the header. The sides are 2 << 0, the format is 1.
{
    printf 'BPXT\000\000\000\000\034\000\000\000\000\000\000\000'
    printf '\001\000\000\001\000\000\001\000'
    printf '\050\000\000\000\000\000\000\000\014\000\000\000\000\000\000\000'
    printf '\007\010\011\012\013\014\015\016\017\020\021\022'
} >"$work/a.bpx"
cat >"$work/expected" <<'EOF'
section 0: type 0, plain, 12 bytes
texture: 1 of 2 x 2 pixels, 3 bytes each, first byte 7
EOF
"$work/bpx_minimal" "$work/a.bpx" >"$work/told"
diff "$work/expected" "$work/told"
head -c 50 "$work/a.bpx" >"$work/cut.bpx"
if "$work/bpx_minimal" "$work/cut.bpx" 2>"$work/told"; then exit 1; fi
grep -q BPX-SECTION-BOUNDS "$work/told"

# The model of the fuzz corpus: its vertices are compressed with zlib.
cat >"$work/expected" <<'EOF'
section 0: type 0, plain, 6 bytes
section 1: type 1, zlib, 20 bytes
section 2: type 5, plain, 9 bytes
EOF
if "$work/bpx_minimal" "$source/fuzz/corpus/bpx/model.bpx" >"$work/told" 2>"$work/err"; then exit 1; fi
diff "$work/expected" "$work/told"
grep -q 'FORMAT-ABSENT: section 2 .* needs a macro FACET_BPX_INFLATE' "$work/err"
if echo '#include <zlib.h>' | cc -E - >/dev/null 2>&1; then
    cat >>"$work/expected" <<'EOF'
model: 20 bytes per vertex, 0 bones, 0 frames
component of meaning 0: 3 elements at byte 0
component of meaning 2: 2 elements at byte 12
material at 1 of the strings: 3 vertices
EOF
    $sanitizing -std=c99 -g -fsanitize=address,undefined -DBPX_ZLIB "-I$work" "$source/examples/bpx_minimal.c" -o "$work/bpx_zlib" -lz
    "$work/bpx_zlib" "$source/fuzz/corpus/bpx/model.bpx" >"$work/told"
    diff "$work/expected" "$work/told"
fi

# A square in the plane z = 0, counter-clockwise: two triangles with the normal 0 0 1.
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nusemtl red\nf 1 2 3 4\n' >"$work/a.obj"
printf 'newmtl red\nKd 1 0 0\n' >"$work/a.mtl"
cat >"$work/expected" <<'EOF'
4 vertices, 2 triangles
position 0 0 0  normal 0 0 1
position 1 0 0  normal 0 0 1
position 1 1 0  normal 0 0 1
position 0 1 0  normal 0 0 1
triangle 0 1 2, material red
triangle 0 2 3, material red
EOF
"$work/obj_minimal" "$work/a.obj" "$work/a.mtl" >"$work/told"
diff "$work/expected" "$work/told"
printf 'v 0 0\n' >"$work/cut.obj"
if "$work/obj_minimal" "$work/cut.obj" 2>"$work/told"; then exit 1; fi
grep -q OBJ- "$work/told"

# A skinned square of the fuzz corpus. In the middle of its animation, node 1 is turned by 90 degrees
# about z, which moves its child from (0, 1, 0) to (-1, 0, 0).
cat >"$work/expected" <<'EOF'
mesh '': 2 triangles
  4 of position, 3 components
  4 of joints, 4 components
  4 of normal, 3 components
  4 of texcoord, 2 components
  4 of weights, 4 components
  4 of morph position, 3 components
material 'm'
image '': 48 bytes
skin '': 2 joints
animation 'w': 1 seconds
  node '' at 0.000 0.000 0.000
  node '' at 0.000 0.000 0.000
  node '' at -1.000 0.000 0.000
EOF
"$work/gltf_minimal" "$source/fuzz/corpus/gltf/skinned.glb" | sed 's/-0\.000/0.000/g' >"$work/told"
diff "$work/expected" "$work/told"
head -c 500 "$source/fuzz/corpus/gltf/skinned.glb" >"$work/cut.glb"
if "$work/gltf_minimal" "$work/cut.glb" 2>"$work/told"; then exit 1; fi
grep -q GLTF- "$work/told"

# The model of the fuzz corpus: a white triangle of 100 by 100, with one joint without motion.
cat >"$work/expected" <<'EOF'
3 vertices, material 0
position 0 0 0
position 0 100 0
position 100 0 0
triangle 0 2 1
texture 8 x 8, first texel FFFFFFFF
EOF
for kind in bmd bdl; do
    "$work/j3d_minimal" "$source/fuzz/corpus/j3d/golden.$kind" >"$work/told"
    diff "$work/expected" "$work/told"
done
head -c 2000 "$source/fuzz/corpus/j3d/golden.bmd" >"$work/cut.bmd"
if "$work/j3d_minimal" "$work/cut.bmd" 2>"$work/told"; then exit 1; fi
grep -q J3D-SECTION-SIZE "$work/told"

# The mesh that the seeds have in all four versions. Four triangles per object are printed: a quad,
# a triangle and a face of five corners, and an object without a name.
cat >"$work/expected" <<'EOF'
mixed: 7 positions, 3 faces
  0 0 0  1 0 0  1 1 0
  0 0 0  1 1 0  0 1 0
  1 0 0  2 0.5 0  1 1 0
  0 0 0  1 0 0  2 0.5 0
: 3 positions, 1 faces
  0 0 0  1 1 0  1 0 0
EOF
for version in 1 2 3 4; do
    "$work/binarymesh_minimal" "$source/fuzz/corpus/binarymesh/mixed.v$version.binarymesh" >"$work/told"
    diff "$work/expected" "$work/told"
done
head -c 100 "$source/fuzz/corpus/binarymesh/mixed.v4.binarymesh" >"$work/cut.binarymesh"
if "$work/binarymesh_minimal" "$work/cut.binarymesh" 2>"$work/told"; then exit 1; fi
grep -q BM-BLOCK-TRUNCATED "$work/told"
