#!/bin/sh
# docs/j3d-modding.md command by command, as someone new to it would type them; what is
# clicked in Blender there is done by pass_on.py.
#   modding_page.sh FACET TEST_J3D_LIKE
facet=$(realpath "$1") make_model=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}
try() {
    "$@" >log 2>&1 || { cat log; fail "$@"; }
}
blender() { # in, out, more
    PATH=/usr/bin:/bin command blender -b --python-exit-code 1 --python "$here/pass_on.py" -- "$@" \
        >blender.log 2>&1 || { cat blender.log; fail "Blender: $*"; }
}

# A game's archive: a model, a texture that lies by itself.
mkdir -p arc/bdl arc/tex
"$make_model" --write cl.bdl || exit 1
cp cl.bdl arc/bdl/cl.bdl
try "$facet" extract cl.bdl pieces
picture=$(basename "$(find pieces -name '*.bti' | sort | head -n 1)" .bti)
cp "pieces/$picture.bti" arc/tex/face.bti
cp "pieces/$picture.png" face.png
try "$facet" pack Link.arc arc/

# A day
try "$facet" info Link.arc
try "$facet" convert Link.arc/bdl/cl.bdl cl.glb
cp Link.arc original.arc
blender cl.glb edited.glb with move shape4 0.5
try "$facet" convert edited.glb Link.arc/bdl/cl.bdl --like original.arc/bdl/cl.bdl
try "$facet" convert face.png Link.arc/tex/face.bti
try "$facet" check --deep Link.arc
try "$facet" extract original.arc stage/
try "$facet" pack stage.arc stage/
cmp original.arc stage.arc || fail "an archive that nothing was changed in is another"

# A new model: from Blender without extras, to a game
blender cl.glb model.glb plain
try "$facet" convert model.glb model.bmd
try "$facet" check --strict model.bmd
try "$facet" info model.bmd
try "$facet" convert model.bmd again.glb
try "$facet" check again.glb

# Edit a model of a game
try "$facet" convert cl.bdl link.glb
blender link.glb edited.glb plain
try "$facet" convert edited.glb new.bdl --like cl.bdl -v
cmp cl.bdl new.bdl || fail "nothing was edited, and the file is another"

# Without the original
blender link.glb edited.glb with
try "$facet" convert edited.glb new.bdl
try "$facet" extract cl.bdl old/
try "$facet" convert edited.glb new.bdl --materials old/materials.json --textures old/textures.json

# Look at the pictures
mkdir link
try "$facet" convert cl.bdl link/cl.gltf --external-images
blender link/cl.gltf beside.glb with
try "$facet" convert beside.glb new.bdl --like cl.bdl
cmp cl.bdl new.bdl || fail "pictures beside: the file is another"

# Replace textures
try "$facet" convert cl.bdl new.bdl --texture "$picture=face.png"
try "$facet" extract cl.bdl textures/
try "$facet" convert cl.bdl new.bdl --texture-dir textures/
cmp cl.bdl new.bdl || fail "nothing was painted, and the file is another"

# Levels
try "$facet" convert model.glb level.bmd --one-joint --merge-materials
try "$facet" info --sizes level.bmd

[ $failures = 0 ] && echo "the page on modding: every command works"
exit $((failures > 0))
