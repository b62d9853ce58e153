# The installed files work: each header compiles separately as C and C++; pkg-config and CMake find
# the shared and the static library; the library exports only its own names.
. "$(dirname "$0")/../support/cli.sh"
build=$(dirname "$1")
prefix=$work/prefix
grep -q 'FACET_SANITIZE:[A-Z]*=ON' "$build/CMakeCache.txt" && sanitize=-fsanitize=address,undefined
cmake --install "$build" --prefix "$prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

grep -q '^FACET_SHARED:BOOL=ON' "$build/CMakeCache.txt" && shared=lib/libfacet.so
# Type A is the version node of the symbols.
if [ "$shared" ]; then
    nm -D --defined-only "$prefix/$shared" | awk '$2 != "A" && $3 !~ /^facet_/' >"$work/foreign"
    truth "libfacet.so exports names that are not its own: $(head -3 "$work/foreign")" \
        test ! -s "$work/foreign"
fi

for header in "$prefix"/include/facet/*.h; do
    for language in "c -std=c11" "c++ -std=c++11" "c -std=c11 -DFACET_EXPERIMENTAL"; do
        truth "$(basename "$header") does not compile alone as $language" \
            cc -x $language -Wall -Wextra -pedantic -Werror -fsyntax-only "-I$prefix/include" "$header"
    done
done

# Without FACET_EXPERIMENTAL, the compiler warns about experimental functions only.
printf '#include <facet/facet.h>\nvoid *use = (void *)%s;\n' facet_j3d_read >"$work/experimental.c"
printf '#include <facet/facet.h>\nvoid *use = (void *)%s;\n' facet_bsm_read >"$work/stable.c"
try="cc -std=c11 -Wall -Werror -fsyntax-only -I$prefix/include"
truth "an experimental function, without FACET_EXPERIMENTAL" \
    sh -c "! $try '$work/experimental.c' 2>'$work/log'"
truth "the warning names the macro" grep -q 'define FACET_EXPERIMENTAL' "$work/log"
truth "an experimental function, with it" $try -DFACET_EXPERIMENTAL "$work/experimental.c"
truth "a stable function needs no macro" $try "$work/stable.c"

# Every single header is installed, and one program can include all of them and the library's.
for family in $("$(dirname "$0")/../../tools/amalgamate" --list); do
    printf '#define FACET_%s_IMPLEMENTATION\n#include <facet/single/facet_%s.h>\n' \
        "$(printf %s "$family" | tr a-z A-Z)" "$family"
done >"$work/single.c"
echo '#include <facet/facet.h>' >>"$work/single.c"
truth "the single headers do not compile together" \
    cc -std=c11 -Wall -Wextra -pedantic -Werror -fsyntax-only "-I$prefix/include" "$work/single.c"

cat >"$work/use.c" <<'C'
#include <facet/facet.h>
#include <string.h>
int main(void) { return strcmp(facet_format_name(facet_format_from_path("a.bsm")), "bsm") != 0; }
C
cat >"$work/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.16)
project(use C)
find_package(facet REQUIRED)
foreach(kind facet static)
  add_executable(use_${kind} use.c)
  target_link_libraries(use_${kind} facet::${kind})
endforeach()
C

# pkg-config cannot select an archive, so the command names the file of the static library.
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
pc="pkg-config --define-variable=prefix=$prefix"
truth "pkg-config: shared" cc $sanitize "$work/use.c" $($pc --cflags --libs facet) \
    "-Wl,-rpath,$prefix/lib" -o "$work/shared"
truth "pkg-config: run shared" "$work/shared"
truth "pkg-config: static" cc $sanitize "$work/use.c" $($pc --cflags facet) \
    "$prefix/lib/libfacet.a" $($pc --static --libs facet | sed 's/-lfacet //') -o "$work/static"
truth "pkg-config: run static" "$work/static"

# Libraries that start slowly are loaded on demand: by the installed library, and by a program
# elsewhere that is linked to the static one.
if grep -q '^FACET_MODULES:BOOL=ON' "$build/CMakeCache.txt"; then
    for file in bin/facet $shared; do
        truth "$file starts with more than it needs" sh -c "! readelf -d '$prefix/$file' |
            grep NEEDED | grep -E 'stdc|meshoptimizer|qhull|assimp|draco|libzip'"
    done
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/a.obj"
    truth "modules beside the installed program" "$prefix/bin/facet" convert -q "$work/a.obj" "$work/a.bsm"
    cp "$prefix/bin/facet" "$work/facet"
    truth "a program without modules" sh -c \
        "! '$work/facet' convert '$work/a.obj' '$work/b.bsm' 2>'$work/said'"
    truth "names the one it needs" grep -q 'facet-meshoptimizer.so' "$work/said"
    truth "names the variable for another folder" grep -q 'FACET_MODULE_PATH' "$work/said"
    truth "modules in a folder that is named" env "FACET_MODULE_PATH=$(echo "$prefix"/lib/facet-*)" \
        "$work/facet" convert -q "$work/a.obj" "$work/b.bsm"
fi

cmake -S "$work" -B "$work/cmake" "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_C_FLAGS=$sanitize" \
    >"$work/log" 2>&1 && cmake --build "$work/cmake" >>"$work/log" 2>&1
truth "CMake: $(tail -20 "$work/log")" "$work/cmake/use_facet"
truth "CMake: run static" "$work/cmake/use_static"
finish
