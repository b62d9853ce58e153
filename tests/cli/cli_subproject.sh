# Facet as a CMake subproject: the same target names as the installed package, and no program by
# default. CMake only generates; it fails if a linked library is unknown outside its folder.
. "$(dirname "$0")/../support/cli.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)
cat >"$work/use.c" <<'C'
int main(void) { return 0; }
C
cat >"$work/CMakeLists.txt" <<C
cmake_minimum_required(VERSION 3.25)
project(use C)
add_subdirectory("$source" facet)
foreach(kind facet static core)
  add_executable(use_\${kind} use.c)
  target_link_libraries(use_\${kind} facet::\${kind})
endforeach()
C

# generate FOLDER OPTIONS...: configure in FOLDER. FOLDER/all lists the default targets.
generate() {
    folder=$work/$1
    shift
    truth "CMake generates: $*" cmake -G Ninja -S "$work" -B "$folder" "$@" >"$work/log" 2>&1 ||
        cat "$work/log"
    ninja -C "$folder" -t query facet/all >"$folder/all" 2>&1
}
generate plain
truth "libraries that nobody links to are not built" sh -c "! grep -q 'libfacet.*\.\(a\|so\)' '$work/plain/all'"
truth "the core is built once, and nothing else for it" \
    sh -c "! ninja -C '$work/plain' -t commands use_core | grep -q 'facet_objects.dir\|libfacet\.'"
# Without the other two executables, the default target builds only what the core needs.
sed -i 's/facet static core/core/' "$work/CMakeLists.txt"
generate alone
truth "who links to the core alone builds nothing else" \
    sh -c "! ninja -C '$work/alone' -t commands all | grep -q 'facet_objects.dir\|libfacet\.'"
sed -i 's/(kind core)/(kind facet static core)/' "$work/CMakeLists.txt"
truth "nothing of it is installed" sh -c "! grep -rq 'libfacet\|include/facet' --include=cmake_install.cmake '$work/plain'"
generate installed -DFACET_INSTALL=ON
truth "it is when asked for" sh -c "grep -q libfacet.a '$work/installed/all' && grep -rq include/facet --include=cmake_install.cmake '$work/installed'"
truth "the program is not" sh -c "! ninja -C '$work/plain' -t targets all | grep -q 'src/cli/\|src/main\|facet\.1'"
# A game may combine its own sources. Facet's have static functions of equal names.
generate unity -DCMAKE_UNITY_BUILD=ON
truth "the sources are compiled one by one" \
    sh -c "ninja -C '$work/unity' -t targets all | grep -q 'formats/stl/read.c.o:' && ! ninja -C '$work/unity' -t targets all | grep -q 'facet/CMakeFiles.*/Unity/'"
generate asked -DFACET_CLI=ON
truth "it is when asked for" grep -q ' facet/facet$' "$work/asked/all"
truth "with its manual page" sh -c "ninja -C '$work/asked' -t targets all | grep -q 'facet\.1:'"
generate cross -DFACET_CLI=ON -DCMAKE_SYSTEM_NAME=Linux
truth "cross compiled, without it" sh -c "! ninja -C '$work/cross' -t targets all | grep -q 'facet\.1:'"
# A plugin with the library inside: the library's functions are hidden.
generate hidden -DFACET_STATIC_HIDDEN=ON
truth "no shared library" sh -c "! grep -q 'libfacet.*\.so' '$work/hidden/all'"
object=$(ninja -C "$work/hidden" -t targets all | sed -n 's/^\(.*formats\/stl\/read.c.o\):.*/\1/p' | head -1)
truth "one object is built" sh -c "ninja -C '$work/hidden' '$object' >/dev/null"
truth "and has no function of default visibility" \
    sh -c "readelf -sW '$work/hidden/$object' | grep -q 'HIDDEN.* facet_stl' && ! readelf -sW '$work/hidden/$object' | grep 'FUNC *GLOBAL *DEFAULT *[0-9]' | grep -q facet_"
# The switches of the vcpkg and Conan recipes, if their dependencies are installed.
if grep -q '^meshoptimizer_DIR:PATH=/' "$(dirname "$1")/CMakeCache.txt"; then
    generate recipe -DFACET_DEPENDENCIES=OFF -DFACET_CLI=OFF -DFACET_LZ4=ON -DFACET_MESHOPT=ON
    truth "meshoptimizer is in it" sh -c \
        "ninja -C '$work/recipe' -t targets all | grep -q 'facet_objects.dir/src/mesh/module.cpp.o:'"
    truth "assimp is not" sh -c "! ninja -C '$work/recipe' -t targets all | grep -q 'facet-assimp'"
fi
finish
