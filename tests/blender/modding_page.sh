#!/bin/sh
# docs/tutorial/mod-a-game.md and docs/how-to/edit-console-models.md: run every command as a
# newcomer would type it. pass_on.py does the steps in Blender.
#
# modding_page.sh FACET CHARACTER
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

# A game's archive with a model and a separate texture.
mkdir -p arc/bdl arc/tex
"$make_model" cl.bdl || exit 1
cp cl.bdl arc/bdl/cl.bdl
try "$facet" extract cl.bdl pieces
picture=$(basename "$(find pieces -name '*.bti' | sort | head -n 1)" .bti)
cp "pieces/$picture.bti" arc/tex/face.bti
cp "pieces/$picture.png" face.png
try "$facet" pack Link.arc arc/

# Section "A day"
try "$facet" info Link.arc
try "$facet" convert Link.arc/bdl/cl.bdl cl.glb
cp Link.arc original.arc
blender cl.glb edited.glb with move shape4 0.005 # meters
try "$facet" convert edited.glb Link.arc/bdl/cl.bdl --like original.arc/bdl/cl.bdl
try "$facet" convert face.png Link.arc/tex/face.bti
try "$facet" check --deep Link.arc
try "$facet" extract original.arc stage/
try "$facet" pack stage.arc stage/
cmp original.arc stage.arc || fail "an archive that nothing was changed in is another"

# Section "A new model": from Blender without extras to a game
blender cl.glb model.glb plain
try "$facet" convert model.glb model.bmd
try "$facet" check --strict model.bmd
try "$facet" info model.bmd
try "$facet" convert model.bmd again.glb
try "$facet" check again.glb

# Section "Edit a model of a game"
try "$facet" convert cl.bdl link.glb
blender link.glb edited.glb plain
try "$facet" convert edited.glb new.bdl --like cl.bdl -v
cmp cl.bdl new.bdl || fail "nothing was edited, and the file is another"

# Section "Without the original"
blender link.glb edited.glb with
try "$facet" convert edited.glb new.bdl
try "$facet" extract cl.bdl old/
try "$facet" convert edited.glb new.bdl --materials old/materials.json --textures old/textures.json

# Section "Look at the pictures"
mkdir link
try "$facet" convert cl.bdl link/cl.gltf --external-images
blender link/cl.gltf beside.glb with
try "$facet" convert beside.glb new.bdl --like cl.bdl
cmp cl.bdl new.bdl || fail "pictures beside: the file is another"

# Section "Replace textures"
try "$facet" convert cl.bdl new.bdl --texture "$picture=face.png"
cmp cl.bdl new.bdl || fail "a picture of a texture in its own place makes another file"
try "$facet" convert cl.bdl new.bdl --texture eye:1=pieces/blink.bti
try "$facet" extract new.bdl other/
cmp pieces/blink.bti other/eye-1.bti || fail "the second texture called eye is not the BTI"
cmp pieces/eye.bti other/eye.bti || fail "the first texture called eye is another"
try "$facet" convert cl.bdl new.bdl --add-texture new_face=face.png
try "$facet" check new.bdl
try "$facet" extract new.bdl added/
[ -f added/new_face.bti ] || fail "the added texture is not there"
try "$facet" extract cl.bdl textures/
try "$facet" convert cl.bdl new.bdl --texture-dir textures/
cmp cl.bdl new.bdl || fail "nothing was painted, and the file is another"

# Section "With the numbers of the file as meters"
try "$facet" convert cl.bdl large.glb --scale 100
blender large.glb edited.glb plain
try "$facet" convert edited.glb new.bdl --like cl.bdl
cmp cl.bdl new.bdl || fail "nothing was edited at a hundred times its size, and the file is another"

# Section "Animations": one of all joints of the model at rest, except the head, which nods and
# rises
mkdir bck btp
python3 - <<'END' || fail "animations"
import json

joints = [{"scale": joint["scale"], "translation": joint["translation"],
           "rotation": [step * 180 / 32767 for step in joint["rotation"]]}
          for joint in json.load(open("old/hierarchy.json"))["joints"]]
head = joints[5]
angle, height = head["rotation"][0], head["translation"][1]
head["rotation"][0] = [[0, angle, 2], [20, angle + 30, -2], [40, angle, 2]]
head["translation"][1] = [[0, height, 0], [20, height + 2, 0], [40, height, 0]]
json.dump({"format": "facet-j3d-animation", "version": 1, "kind": "bck", "name": "walk", "frames": 40,
           "loop": "repeat", "joints": joints}, open("walk.json", "w"))
json.dump({"format": "facet-j3d-animation", "version": 1, "kind": "btp", "name": "eyes", "frames": 2,
           "loop": "repeat", "texture_maps": [{"material": "skin_m", "map": 0, "textures": [0, 1]}]},
          open("eyes.json", "w"))
END
try "$facet" pack bck/walk.bck walk.json
try "$facet" pack btp/eyes.btp eyes.json
cp cl.bdl link.bdl
try "$facet" check link.bdl bck/walk.bck btp/eyes.btp
try "$facet" convert link.bdl link.glb --animations bck/
blender link.glb edited.glb bones with lift head 0.05 # meters
try "$facet" convert edited.glb walk.bck --like link.bdl
grep J3D-JOINT-MISSING log && fail "joints got lost"
try "$facet" check link.bdl walk.bck
try "$facet" extract bck/walk.bck before/
try "$facet" extract walk.bck walk/
python3 - <<'END' || fail "joints are not where they were put"
import json
import math
import sys

def numbers(track):
    """Of all keys, or of one number."""
    return [key[1] for key in track] if isinstance(track, list) else [track]

before, after = [json.load(open(f"{name}/animation.json"))["joints"] for name in ("before", "walk")]
for number, (a, b) in enumerate(zip(before, after)):
    moved = [numbers(y)[0] - numbers(x)[0] for x, y in zip(a["translation"], b["translation"])]
    if abs(math.hypot(*moved) - (5 if number == 5 else 0)) > 0.01:
        sys.exit(f"joint {number} moved by {moved}")
    turned = [abs(numbers(y)[0] - numbers(x)[0]) for x, y in zip(a["rotation"], b["rotation"])]
    if max(turned) > 0.1 or len(before) != len(after):
        sys.exit(f"joint {number} turned by {turned}")
END
try "$facet" pack again.bck walk/animation.json
cmp walk.bck again.bck || fail "an animation that nothing was changed in is another"

# Section "Levels"
try "$facet" convert model.glb level.bmd --one-joint --merge-materials
try "$facet" info --sizes level.bmd

[ $failures = 0 ] && echo "the page on modding: every command works"
exit $((failures > 0))
