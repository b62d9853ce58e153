#!/bin/sh
# docs/tutorial/blender-to-engine.md: run every command of the page in order, with the models that
# engine_models.py creates in Blender. The library is installed into a folder, and windows use Xvfb.
#
# engine_page.sh BUILD
build=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
source=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() {
    echo "FAILED: $*"
    exit 1
}

cmake --install "$build" --prefix "$work/usr" >install.log 2>&1 || { cat install.log; fail "install"; }
library=$(dirname "$(find usr -name libfacet.so | head -n 1)")
export PATH="$work/usr/bin:$PATH" LD_LIBRARY_PATH="$work/$library" PKG_CONFIG_PATH="$work/$library/pkgconfig"
PATH=/usr/bin:/bin blender -b --python-exit-code 1 --python "$here/engine_models.py" -- "$work" >blender.log 2>&1 ||
    { cat blender.log; fail "Blender"; }
cp "$source/examples/window.c" .

sed -n '/^```sh/,/^```$/{/^```/!p}' "$source/docs/tutorial/blender-to-engine.md" >commands
[ "$(wc -l <commands)" -ge 10 ] || fail "the page has too few commands"
while read -r command; do
    case "$command" in
    ./window*)
        # shellcheck disable=SC2086
        set -- $command
        PATH=/usr/bin:$PATH python3 "$source/tests/window/run.py" --show "$@" >log 2>&1 ;;
    *) sh -c "$command" >log 2>&1 ;;
    esac </dev/null || { cat log; fail "$command"; }
done <commands

# Facts that the page states about the files.
facet info character.iqm >info
grep -q 'name "hips", parent -1' info && grep -q 'name "chest", parent 0' info || fail "joints"
grep -q 'name "bow", first_frame 0, frames 25, rate 24, loop no' info || fail "the clip bow"
grep -q 'name "idle", first_frame 25, frames 25, rate 24, loop yes' info || fail "the clip idle"
facet info level.bsm | grep -q "1 hull" || fail "the hull"
[ -s character.png ] || fail "the picture"
echo "the page from Blender to an engine: every command works"
