#!/bin/sh
# Convert a model to GLB, send it through Blender, and convert it back with --like: with and without
# custom properties, and with one vertex moved. Also through COLLADA, without changes.
#
# through_blender.sh FACET CHARACTER
facet=$1 make_model=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

blender() { # in, out, more
    PATH=/usr/bin:/bin command blender -b --python-exit-code 1 --python "$here/pass_on.py" -- "$@" \
        >"$work/blender.log" 2>&1 || { cat "$work/blender.log"; fail "Blender: $*"; }
}
same_json() { # what, before, after
    cmp "$2/$1" "$3/$1" || fail "$1 differs"
}

PATH=/usr/bin:/bin command blender --version | head -1
for kind in floats s16; do
    # shellcheck disable=SC2046
    "$make_model" "$work/old.bdl" $([ $kind = floats ] || echo s16) || exit 1
    "$facet" extract -q "$work/old.bdl" "$work/old" || fail "extract"
    "$facet" convert -q "$work/old.bdl" "$work/old.glb" || fail "to GLB"
    "$facet" convert -q "$work/old.bdl" "$work/old.dae" || fail "to COLLADA"
    blender "$work/old.dae" "$work/new.dae"
    "$facet" convert -v "$work/new.dae" "$work/new.bdl" --like "$work/old.bdl" >"$work/log" 2>&1 ||
        fail "back from COLLADA"
    cat "$work/log"
    if grep J3D-LIKE-BONE "$work/log"; then
        fail "$kind, COLLADA: bones differ"
    fi
    cmp "$work/old.bdl" "$work/new.bdl" || fail "$kind, COLLADA: the file is another"
    for way in with plain; do
        blender "$work/old.glb" "$work/new.glb" $way
        "$facet" convert -v "$work/new.glb" "$work/new.bdl" --like "$work/old.bdl" \
            >"$work/log" 2>&1 || fail "back"
        cat "$work/log"
        rm -rf "$work/new"
        "$facet" extract -q "$work/new.bdl" "$work/new" || fail "extract"
        for file in materials.json textures.json hierarchy.json; do
            same_json $file "$work/old" "$work/new"
        done
        # All other bytes are also equal, because nothing was edited.
        cmp "$work/old.bdl" "$work/new.bdl" || fail "$kind, $way: the file is another"

        # Move one vertex: one shape changes, all else stays.
        blender "$work/old.glb" "$work/moved.glb" $way move shape4 0.005
        "$facet" convert -v "$work/moved.glb" "$work/moved.bdl" --like "$work/old.bdl" \
            >"$work/log" 2>&1 || fail "back"
        grep "written again" "$work/log"
        grep -q "shapes of the original: 4 of 5 kept, 1 written again" "$work/log" ||
            { cat "$work/log"; fail "$kind, $way: not one shape changed"; }
        "$facet" check "$work/moved.bdl" >"$work/log" 2>&1 || { cat "$work/log"; fail "check"; }
        rm -rf "$work/moved"
        "$facet" extract -q "$work/moved.bdl" "$work/moved" || fail "extract"
        for file in materials.json textures.json; do
            same_json $file "$work/old" "$work/moved"
        done
    done
done
[ $failures = 0 ] && echo "through Blender and back: all is as it was"
exit $((failures > 0))
