#!/bin/sh
# gzip, bzip2, xz, zstd and LZ4. Read files that the codecs' own programs wrote, and let them read
# Facet's. Archives, siblings, and errors for truncated and damaged files.
. "$(dirname "$0")/../support/cli.sh"

mkdir "$work/in"
printf 'newmtl red\nKd 1 0 0\n' >"$work/in/a.mtl"
{
    printf 'mtllib a.mtl\nusemtl red\n'
    awk 'BEGIN { for (i = 0; i < 3000; i++) printf "v %d %d.5 0\n", i, i * i % 97
                 for (i = 1; i < 2999; i++) printf "f %d %d %d\n", i, i + 1, i + 2 }'
} >"$work/in/a.obj"

# with COMMAND EXTENSION FORMAT: test one codec in both directions.
with() {
    command -v "$1" >/dev/null 2>&1 || {
        echo "$1 is not there: skipped"
        return
    }
    if "$facet" formats | grep -q "without.*$3"; then
        echo "this build is without $3: skipped"
        return
    fi
    dir="$work/$1"
    mkdir "$dir"
    cp "$work/in/a.mtl" "$dir"
    "$1" -c <"$work/in/a.obj" >"$dir/a.obj$2"

    # Read: the same scene. The content decides, not the name. Siblings are found.
    run 0 info "$dir/a.obj$2"
    says out "Wavefront OBJ"
    says out "compression: format"
    run 0 check --strict "$dir/a.obj$2"
    says out "AR38"
    run 0 compare "$work/in/a.obj" "$dir/a.obj$2"
    cp "$dir/a.obj$2" "$dir/b.obj"
    run 0 compare "$work/in/a.obj" "$dir/b.obj"
    run 0 info --json "$dir/b.obj"
    says out '"red"'
    "$1" -c <"$work/in/a.mtl" >"$dir/a.mtl$2"
    rm "$dir/a.mtl"
    run 0 compare "$work/in/a.obj" "$dir/a.obj$2"
    # Two concatenated streams are one file.
    head -n 1500 "$work/in/a.obj" | "$1" -c >"$dir/joined$2"
    tail -n +1501 "$work/in/a.obj" | "$1" -c >>"$dir/joined$2"
    cp "$work/in/a.mtl" "$dir"
    run 0 compare "$work/in/a.obj" "$dir/joined$2"

    # Write: the codec's program reads it, the bytes are reproducible, and siblings are not
    # compressed.
    run 0 convert --to obj "$work/in/a.obj" "$dir/plain.obj"
    for effort in official best fast; do
        rm -f "$dir/plain.mtl"
        run 0 convert --compress $effort "$work/in/a.obj" "$dir/plain.obj$2"
        truth "$1 reads what Facet wrote ($effort)" sh -c "'$1' -dc <'$dir/plain.obj$2' | cmp - '$dir/plain.obj'"
        truth "the MTL is not compressed" grep -q newmtl "$dir/plain.mtl"
        cp "$dir/plain.obj$2" "$dir/first"
        run 0 convert --compress $effort "$work/in/a.obj" "$dir/plain.obj$2"
        truth "the same bytes again" cmp "$dir/first" "$dir/plain.obj$2"
    done
    run 0 convert --compress none "$work/in/a.obj" "$dir/none.obj$2"
    truth "none" grep -q usemtl "$dir/none.obj$2"

    # Truncated and damaged files: an error with an offset, and no output.
    size=$(wc -c <"$dir/a.obj$2")
    head -c $((size - 5)) "$dir/a.obj$2" >"$dir/cut.obj$2"
    run 1 convert "$dir/cut.obj$2" "$dir/cut.glb"
    says err "cut.obj$2:"
    says err "AR36"
    truth "nothing is written" [ ! -e "$dir/cut.glb" ]
    run 1 check "$dir/cut.obj$2"
    says out "AR36"
    { cat "$dir/a.obj$2" && printf 'more'; } >"$dir/tail.obj$2"
    run 1 info "$dir/tail.obj$2"
    says err "AR36"

    # Archives: a whole tar, and one file in it.
    (cd "$work/in" && tar cf - a.obj a.mtl) | "$1" -c >"$dir/x.tar$2"
    run 0 compare "$work/in/a.obj" "$dir/x.tar$2/a.obj"
    (cd "$dir" && tar cf y.tar "a.obj$2" a.mtl)
    run 0 compare "$work/in/a.obj" "$dir/y.tar/a.obj$2"
    "$1" -c <"$dir/a.obj$2" >"$dir/twice$2"
    run 0 compare "$work/in/a.obj" "$dir/twice$2"
    "$1" -c <"$dir/twice$2" >"$dir/thrice$2"
    run 1 info "$dir/thrice$2"
    says err "AR37"
}
with gzip .gz zlib
with bzip2 .bz2 libbz2
with xz .xz liblzma
with zstd .zst libzstd
with lz4 .lz4 LZ4
finish
