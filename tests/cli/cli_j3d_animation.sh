#!/bin/sh
# A model and its animation: to one glTF, edited as JSON, and back.
. "$(dirname "$0")/../support/cli.sh"

# A triangle on one joint, and animations of one joint and of two joints.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/a.obj"
run 0 convert "$work/a.obj" "$work/model.bmd"
animation() {
    printf '{"format": "facet-j3d-animation", "version": 1, "kind": "bck", "name": "walk",'
    printf '"frames": 20, "loop": "repeat", "rotation_shift": 1, "joints": ['
    for joint in $1; do
        [ "$joint" = 1 ] || printf ','
        printf '{"scale": [1, 1, 1], "rotation": [0, 0, [[0, 0, 9], [10, 90, 0], [20, 0, -9]]],'
        printf '"translation": [0, 10, 0]}'
    done
    printf ']}'
}
animation 1 >"$work/one.json"
animation "1 2" >"$work/two.json"
run 0 pack "$work/walk.bck" "$work/one.json"
run 0 pack "$work/long.bck" "$work/two.json"
run 0 check "$work/walk.bck"
run 0 info "$work/walk.bck"
says out 'loop: "repeat"'

# An animation without frames.
sed 's/"frames": 20/"frames": 0/' "$work/one.json" >"$work/none.json"
run 0 pack "$work/none.bck" "$work/none.json"
run 1 check "$work/none.bck"
says out "JA13"
run 0 convert "$work/model.bmd" "$work/none.bck" "$work/none.glb"
says err "warning [JA13]: the bck 'none' has 0 frames: it is read as if it had 1"
run 0 convert "$work/model.bmd" "$work/walk.bck" "$work/none.glb"
lacks err JA13

# Extract to JSON, then pack the same file.
run 0 extract "$work/walk.bck" "$work/walk"
run 0 pack "$work/again.bck" "$work/walk/animation.json"
truth "JSON gives the file again" cmp "$work/walk.bck" "$work/again.bck"
run 0 convert "$work/walk.bck" "$work/copy.bck"
truth "a copy is the file" cmp "$work/walk.bck" "$work/copy.bck"
run 0 convert "$work/walk.bck" "$work/walk.bca"
run 0 check "$work/walk.bca"
run 2 convert "$work/walk.bck" "$work/walk.btk"
run 1 pack "$work/walk.bca" "$work/one.json"
says err "a bck"
run 2 pack "$work/walk.bck" "$work/one.json" "$work/two.json"
printf '{"format": "facet-j3d-animation",\n "kind"' >"$work/bad.json"
run 1 pack "$work/bad.bck" "$work/bad.json"
says err "$work/bad.json:2: error [J3D-JSON]"

# A number outside the range: 32767 steps are 180 degrees. A shift of 1 doubles the range.
sed 's/\[10, 90, 0\]/[10, 400, 0]/' "$work/one.json" >"$work/far.json"
run 1 pack "$work/far.bck" "$work/far.json"
says err "joints[0], rotation[2]: the number 400"
says err "-360.011 to 360"

# An animation that fits the model; then both in one file.
run 0 check "$work/model.bmd" "$work/walk.bck"
run 0 check "$work/model.bmd" "$work/long.bck"
says out JA40
run 0 convert "$work/model.bmd" "$work/walk.bck" "$work/both.glb"
run 0 info "$work/both.glb"
says out "1 animation"
run 0 convert "$work/both.glb" "$work/back.bck" --like "$work/model.bmd"
says err "back.bck: bck, $(wc -c <"$work/walk.bck" | tr -d ' ') bytes; passes" # and no faces
truth "an untouched way back is the file" cmp "$work/walk.bck" "$work/back.bck"
run 0 convert "$work/both.glb" "$work/back.bck" --like "$work/model.bmd" --clip walk --loop once
run 0 info "$work/back.bck"
says out 'loop: "once"'
run 2 convert "$work/both.glb" "$work/back.bck"
says err J3D-LIKE
run 2 convert "$work/both.glb" "$work/back.bck" --like "$work/model.bmd" --clip run
says err "'walk'"
run 2 convert "$work/both.glb" "$work/back.glb" --clip walk
# Half the rate gives half the frames: 20 at 30 per second become 10 at 15.
run 0 convert "$work/both.glb" "$work/half.bck" --like "$work/model.bmd" --fps 15
run 0 info "$work/half.bck"
says out "frames: 10"
# An animation file without a model has no joints to match.
run 2 convert "$work/walk.bck" "$work/back.bck" --like "$work/model.bmd"

# Without extras: keys are fitted, except over the file itself, which keeps its keys and loop mode.
sed 's/"repeat"/"once"/' "$work/one.json" >"$work/once.json"
run 0 pack "$work/once.bck" "$work/once.json"
run 0 convert "$work/model.bmd" "$work/once.bck" "$work/plain.gltf"
sed 's/"j3d"/"other"/g' "$work/plain.gltf" >"$work/bare.gltf"
truth "the extras are others" sh -c "! cmp -s '$work/plain.gltf' '$work/bare.gltf'"
run 0 convert "$work/bare.gltf" "$work/fitted.bck" --like "$work/model.bmd"
truth "keys are fitted" sh -c "! cmp -s '$work/once.bck' '$work/fitted.bck'"
cp "$work/once.bck" "$work/over.bck"
run 0 convert "$work/bare.gltf" "$work/over.bck" --like "$work/model.bmd"
says err "1 of 1 joints moves as in the original file: its keys are kept"
truth "over itself it is the file" cmp "$work/once.bck" "$work/over.bck"
mkdir "$work/stage" && cp "$work/once.bck" "$work/stage/over.bck"
run 0 pack "$work/stage.arc" "$work/stage"
run 0 convert "$work/bare.gltf" "$work/stage.arc/over.bck" --like "$work/model.bmd"
run 0 convert "$work/stage.arc/over.bck" "$work/over.bck"
truth "so it is in an archive" cmp "$work/once.bck" "$work/over.bck"
# Another motion over it has other keys; a file of another kind, or a broken one, is replaced.
sed 's/90/80/' "$work/once.json" >"$work/less.json"
run 0 pack "$work/less.bck" "$work/less.json"
run 0 convert "$work/bare.gltf" "$work/less.bck" --like "$work/model.bmd"
says err "0 of 1 joints"
cp "$work/once.bck" "$work/over.bck"
run 0 convert -v "$work/bare.gltf" "$work/over.bck" --like "$work/model.bmd"
says err "note [J3D-KEYS-KEPT]"
head -c 60 "$work/once.bck" >"$work/cut.bck"
run 0 convert "$work/bare.gltf" "$work/cut.bck" --like "$work/model.bmd"
truth "nothing is kept of it" cmp "$work/fitted.bck" "$work/cut.bck"
cp "$work/walk.bca" "$work/cut.bck"
run 0 convert "$work/bare.gltf" "$work/cut.bck" --like "$work/model.bmd"
truth "nor of another kind" cmp "$work/fitted.bck" "$work/cut.bck"

# Visibility is animated by the numbers of the model's shapes.
printf '{"format": "facet-j3d-animation", "version": 1, "kind": "bva", "name": "blink", "frames": 4,
"loop": "repeat", "shapes": [{"visible": [1, 0, 1, 1]}]}' >"$work/blink.json"
run 0 pack "$work/blink.bva" "$work/blink.json"
run 0 convert "$work/model.bmd" "$work/blink.bva" "$work/seen.glb"
run 0 convert "$work/seen.glb" "$work/back.bva" --like "$work/model.bmd"
truth "an untouched bva is the file" cmp "$work/blink.bva" "$work/back.bva"
run 0 convert "$work/seen.glb" "$work/once.bva" --like "$work/model.bmd" --loop once
run 0 info "$work/once.bva"
says out 'loop: "once"'

# A folder of animations: files that do not fit are left out and reported.
mkdir "$work/bck"
cp "$work/walk.bck" "$work/one.json" "$work/bck"
run 0 convert "$work/model.bmd" "$work/folder.glb" --animations "$work/bck"
run 0 info "$work/folder.glb"
says out "1 animation"
# The same with an archive. An animation of other joints belongs to another model.
run 0 pack "$work/bck/more.bck" "$work/two.json"
run 0 pack "$work/bck.szs" "$work/bck"
for from in bck bck.szs; do
    run 0 convert "$work/model.bmd" "$work/folder.glb" --animations "$work/$from"
    says err "1 animation left out, the first is 'more.bck': it moves"
    run 0 info "$work/folder.glb"
    says out "1 animation"
done
mkdir "$work/empty"
run 0 convert "$work/model.bmd" "$work/folder.glb" --animations "$work/empty"
says err "no animation in '$work/empty' fits the model"
run 3 convert "$work/model.bmd" "$work/folder.glb" --animations "$work/none"
run 1 convert "$work/both.glb" "$work/walk.bck" "$work/folder.glb"
finish
