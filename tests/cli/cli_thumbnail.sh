# facet render --thumbnail in the sandbox that desktops use for thumbnailers. It contains only the
# program's libraries, the read-only input under a fixed name, and an output folder.
. "$(dirname "$0")/../support/cli.sh"
source_tree=$(dirname "$0")/../..

command -v bwrap >/dev/null 2>&1 && bwrap --ro-bind / / true 2>/dev/null ||
    { echo "no bubblewrap: skipped"; exit 77; }

# sandboxed STATUS FILE SIZE: run the desktop's command. The picture is $work/out.d/thumbnail.png.
sandboxed() {
    expected=$1 input=$2 size=$3
    count=$((count + 1))
    rm -rf "$work/out.d" && mkdir "$work/out.d"
    # The command of the desktop entry, with its placeholders replaced.
    line=$(sed -n 's/^Exec=facet //p' "$source_tree/packaging/desktop/facet.thumbnailer" |
        sed "s|%s|$size|; s|%i|/tmp/input.${input##*.}|; s|%o|/out/thumbnail.png|")
    # shellcheck disable=SC2086
    bwrap --ro-bind /usr /usr --ro-bind-try /lib /lib --ro-bind-try /lib64 /lib64 \
        --ro-bind-try /bin /bin --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache --proc /proc \
        --dev /dev --chdir / --unshare-all --die-with-parent --setenv GIO_USE_VFS local \
        --bind "$work/out.d" /out --tmpfs /tmp --ro-bind "$input" "/tmp/input.${input##*.}" \
        --ro-bind "$facet" /run/facet /run/facet $line >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" = "$expected" ] && return
    echo "FAILED: $input at $size: exit status $status instead of $expected"
    cat "$work/err"
    failures=$((failures + 1))
}

printf 'mtllib gone.mtl\nusemtl gone\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n' >"$work/a.obj"
for size in 128 256 1024; do
    sandboxed 0 "$work/a.obj" $size
    count=$((count + 1))
    [ -s "$work/out.d/thumbnail.png" ] || { echo "FAILED: no picture at $size"; failures=$((failures + 1)); }
done
: >"$work/empty.stl"
sandboxed 1 "$work/empty.stl" 128
printf 'BINARYSTATICMESH\001\000' >"$work/cut.bsm"
sandboxed 1 "$work/cut.bsm" 128
truncate -s 2G "$work/large.stl"
sandboxed 1 "$work/large.stl" 128
truth "nothing was written of what cannot be drawn" [ ! -e "$work/out.d/thumbnail.png" ]
finish
