#!/bin/sh
# build.sh: build the harnesses of fuzz/ with their seeds and dictionaries into $OUT.
#
# OSS-Fuzz sets CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SANITIZER, SRC, WORK and OUT. It runs
# the harnesses on systems without the libraries, so they are linked statically. MemorySanitizer
# needs all code compiled with it, so the libraries are left out there. 'make oss-fuzz' runs this
# same script.
set -eu
source=$SRC/facet
build=$WORK/facet

case ${SANITIZER:-address} in
memory) libraries="-DFACET_DEPENDENCIES=OFF -DFACET_CXX=ON" ;;
*)
    libraries="-DFACET_DEPENDENCIES=OFF -DFACET_CXX=ON -DCMAKE_FIND_LIBRARY_SUFFIXES=.a"
    for name in BZIP2 DEFLATE LZ4 LZMA ZLIB ZSTD; do
        libraries="$libraries -DFACET_$name=ON"
    done
    ;;
esac

# shellcheck disable=SC2086
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=None -DFACET_SHARED=OFF \
    -DFACET_MODULES=OFF -DFACET_FUZZ=ON -DFACET_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" $libraries
cmake --build "$build"

for harness in "$build"/fuzz/fuzz_*; do
    [ -f "$harness" ] && [ -x "$harness" ] || continue
    program=$(basename "$harness")
    name=${program#fuzz_}
    cp "$harness" "$OUT/$program"
    dictionary=$("$source/tools/fuzz-inputs" dictionary "$name")
    [ -z "$dictionary" ] || cp "$dictionary" "$OUT/$program.dict"
    rm -rf "$build/seeds" "$OUT/${program}_seed_corpus.zip"
    "$source/tools/fuzz-inputs" seeds "$name" "$build/seeds"
    (cd "$build/seeds" && zip -q -r "$OUT/${program}_seed_corpus.zip" .)
done
