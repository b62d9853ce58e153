# The core: built without third-party libraries, without a C++ compiler and with only some families;
# installed, and used by another project that knows only CMake.
. "$(dirname "$0")/../support/cli.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)
off="-DFACET_J3D=OFF -DFACET_BPX=OFF -DFACET_GLTF=OFF -DFACET_BTI=OFF -DFACET_BGA=OFF -DFACET_BINARYMESH=OFF"
# shellcheck disable=SC2086
CXX=/nowhere/c++ cmake -G Ninja -S "$source" -B "$work/core" -DCMAKE_BUILD_TYPE=Debug \
    -DFACET_DEPENDENCIES=OFF -DFACET_CXX=OFF -DFACET_SHARED=OFF -DFACET_CLI=OFF $off \
    -DCMAKE_INSTALL_PREFIX="$work/prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/core" --target all >>"$work/log" 2>&1 &&
    cmake --install "$work/core" >>"$work/log" 2>&1
truth "the core is built and installed: $(tail -5 "$work/log")" test -f "$work/prefix/lib/libfacet_core.a"
truth "no C++ in it" sh -c "! nm '$work/prefix/lib/libfacet_core.a' 2>/dev/null | grep -q ' _Z'"

mkdir "$work/use"
cat >"$work/use/use.c" <<'C'
#include <facet/facet.h>
#include <stdio.h>

/* OBJ to BSM in memory; what is left out is said by name. */
int main(void)
{
    static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n";
    facet_source source = {.data = (const uint8_t *)text, .size = sizeof text - 1, .name = "a.obj"};
    facet_scene *scene = NULL;
    facet_output *output = NULL;
    facet_error error = {0};
    const facet_format *bsm = facet_format_named("bsm");
    if (!bsm || facet_format_named("bmd") || facet_format_named("glb"))
        return 1;
    if (facet_load(&source, NULL, NULL, NULL, &scene, &error) ||
        facet_prepare(scene, bsm, NULL, NULL, NULL, &error) ||
        facet_output_open_memory(NULL, &output, &error) ||
        facet_save(scene, bsm, NULL, output, &error) || facet_output_commit(output, &error)) {
        printf("%s\n", error.message);
        return 2;
    }
    facet_source made = {.data = facet_output_data(output),
                         .size = (size_t)facet_output_size(output)};
    if (facet_format_probe(&made) != bsm)
        return 3;
    facet_output_free(output);
    facet_scene_free(scene);
    for (size_t i = 0; i < facet_missing_feature_count(); i++)
        printf("%s\n", facet_missing_feature_get(i)->build_switch);
    return 0;
}
C
cat >"$work/use/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.16)
project(use C)
find_package(facet 0.2 REQUIRED)
foreach(kind core facet static)
  add_executable(use_${kind} use.c)
  target_link_libraries(use_${kind} facet::${kind})
endforeach()
C
cmake -G Ninja -S "$work/use" -B "$work/use/build" "-DCMAKE_PREFIX_PATH=$work/prefix" >"$work/log" 2>&1 &&
    cmake --build "$work/use/build" >>"$work/log" 2>&1
for kind in core facet static; do
    truth "facet::$kind: $(tail -3 "$work/log")" "$work/use/build/use_$kind" >"$work/absent-$kind"
done
for switch in FACET_J3D FACET_QHULL FACET_ASSIMP FACET_PNG; do
    truth "$switch is named" grep -q "^$switch\$" "$work/absent-core"
done
truth "it is linked to the C library alone" sh -c \
    "! ldd '$work/use/build/use_core' | grep -vE 'linux-vdso|libc\.|libm\.|ld-linux|libasan|libubsan'"
# The version file of the package accepts only the same minor version.
truth "0.3 is not taken for 0.2" sh -c "sed 's/facet 0.2/facet 0.3/' '$work/use/CMakeLists.txt' >'$work/next' &&
    mkdir '$work/later' && cp '$work/next' '$work/later/CMakeLists.txt' && cp '$work/use/use.c' '$work/later' &&
    ! cmake -S '$work/later' -B '$work/later/build' '-DCMAKE_PREFIX_PATH=$work/prefix' >/dev/null 2>&1"
finish
