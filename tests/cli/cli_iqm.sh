# IQM: a model and the animations of another file, compressed or not.
. "$(dirname "$0")/../support/cli.sh"

cd "$work" || exit 1
if "$facet" formats | grep -q 'bck.*without'; then
    echo "this build has no J3D, which the animated model is made of: skipped"
    exit 77
fi
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >a.obj
run 0 convert a.obj a.bmd
printf '{"format": "facet-j3d-animation", "version": 1, "kind": "bck", "name": "walk", "frames": 20,
"loop": "repeat", "rotation_shift": 1, "joints": [{"scale": [1, 1, 1], "rotation": [0, 0, [[0, 0, 9], [20, 90, 0]]],
"translation": [0, 10, 0]}]}' >walk.json
run 0 pack walk.bck walk.json
run 0 convert a.bmd walk.bck whole.iqm

# Write zeros over a range of bytes in the header: the counts and offsets of some sections.
without() { # begin end in out
    cp "$3" "$4"
    dd if=/dev/zero of="$4" bs=1 seek="$1" count=$(($2 - $1)) conv=notrunc 2>dd
}
without 76 108 whole.iqm model.iqm # poses, animations, frames
without 36 76 whole.iqm moves.iqm  # meshes, vertices, triangles, joints
run 0 check moves.iqm
run 0 convert model.iqm moves.iqm again.iqm
run 0 info again.iqm
says out '1 animation'
run 0 compare whole.iqm again.iqm
run 0 convert model.iqm moves.iqm out.glb
run 0 info out.glb
says out 'walk'

# A picture at a time equals that of the whole file, in render and in view.
run 0 render whole.iqm a.png --size 40x40 --animation walk --time 0.3
run 0 render model.iqm moves.iqm b.png --size 40x40 --animation walk --time 0.3
truth "both pictures are the same" cmp a.png b.png
run 0 render model.iqm rest.png --size 40x40
truth "the animation moves it" [ "$(cksum <rest.png)" != "$(cksum <b.png)" ]
run 0 view --once --screenshot c.png --size 40x40 --animation walk --time 0.3 whole.iqm
run 0 view --once --screenshot d.png --size 40x40 --animation walk --time 0.3 model.iqm moves.iqm
truth "windows are the same" cmp c.png d.png
# view treats two models as separate files.
run 2 view --once --screenshot e.png --size 40x40 --animation walk --time 0.3 model.iqm whole.iqm
says err "no animation 'walk'"

# Both files may be compressed.
if "$facet" convert model.iqm try.iqm.gz 2>/dev/null; then
    gzip -k model.iqm moves.iqm
    run 0 convert model.iqm.gz moves.iqm.gz packed.glb
    truth "compressed files give the same" cmp out.glb packed.glb
fi

# Inputs that do not fit.
run 1 convert model.iqm model.iqm none.glb
says err 'IQM-ANIMATION-FIT'
says err 'no animations'
run 1 convert a.obj moves.iqm none.glb
says err 'IQM-ANIMATION-FIT'
truth "nothing is written" [ ! -e none.glb ]
finish
