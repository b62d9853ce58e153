#!/bin/sh
# Extract a model's materials and textures as JSON, edit them, and convert with them.
. "$(dirname "$0")/../support/cli.sh"

same() {
    count=$((count + 1))
    cmp "$1" "$2" || failures=$((failures + 1))
}
differ() {
    count=$((count + 1))
    if cmp -s "$1" "$2"; then
        echo "FAILED: $1 and $2 are the same"
        failures=$((failures + 1))
    fi
}

# A square with a texture of 2 x 2 texels, written from scratch.
printf 'BM\106\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\002\000\000\000\002\000\000\000\001\000\030\000\000\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$work/skin.bmp"
printf '\001\002\003\004\005\006\000\000\007\010\011\012\013\014\000\000' >>"$work/skin.bmp"
run 0 convert "$work/skin.bmp" "$work/skin.png"
cat >"$work/square.mtl" <<END
newmtl wall
Kd 1 1 1
map_Kd skin.png
newmtl glass
Kd 0.5 0.5 0.5
d 0.5
END
cat >"$work/square.obj" <<END
mtllib square.mtl
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 2 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl wall
f 1/1 2/2 3/3 4/4
usemtl glass
f 4/1 3/2 5/3
END
run 0 convert "$work/square.obj" "$work/a.bmd"
run 0 check "$work/a.bmd"

# Extract writes every part.
run 0 extract "$work/a.bmd" "$work/a"
for file in skin.png skin.bti materials.json textures.json hierarchy.json; do
    count=$((count + 1))
    [ -s "$work/a/$file" ] || { echo "FAILED: no $file"; failures=$((failures + 1)); }
done

# Unedited parts change nothing.
run 0 convert "$work/a.bmd" "$work/same.bmd" --materials "$work/a/materials.json" --textures "$work/a/textures.json"
same "$work/a.bmd" "$work/same.bmd"

# One edit changes only that value: in a copy, in a BDL, and in a conversion from the source.
sed 's/"cullMode": "[A-Z]*"/"cullMode": "ALL"/' "$work/a/materials.json" >"$work/edited.json"
run 0 convert "$work/a.bmd" "$work/b.bmd" --materials "$work/edited.json"
run 0 check "$work/b.bmd"
run 0 extract "$work/b.bmd" "$work/b"
same "$work/edited.json" "$work/b/materials.json"
run 0 convert "$work/a.bmd" "$work/b.bdl" --materials "$work/edited.json"
run 0 check "$work/b.bdl"
run 0 extract "$work/b.bdl" "$work/b2"
same "$work/edited.json" "$work/b2/materials.json"
run 0 convert "$work/square.obj" "$work/c.bmd" --materials "$work/edited.json"
run 0 extract "$work/c.bmd" "$work/c"
same "$work/edited.json" "$work/c/materials.json"

# A BMT file contains only the materials.
run 0 convert "$work/b.bdl" "$work/b.bmt"
run 0 extract "$work/b.bmt" "$work/b3"
same "$work/edited.json" "$work/b3/materials.json"
same "$work/a/skin.bti" "$work/b3/skin.bti"

# glTF keeps all of it.
run 0 convert "$work/b.bmd" "$work/b.glb"
run 0 convert "$work/b.glb" "$work/d.bmd"
run 0 extract "$work/d.bmd" "$work/d"
same "$work/edited.json" "$work/d/materials.json"
same "$work/a/textures.json" "$work/d/textures.json"
same "$work/a/skin.png" "$work/d/skin.png"

# An edited material is built from its values: here the extras state that it was unlit.
run 0 convert "$work/a.bmd" "$work/shown.gltf"
sed 's/"unlit":false/"unlit":true/g' "$work/shown.gltf" >"$work/lit.gltf"
run 0 convert -v "$work/shown.gltf" "$work/d.bmd"
lacks err J3D-MATERIAL-EDITED
run 0 convert -v "$work/lit.gltf" "$work/d.bmd"
says err "J3D-MATERIAL-EDITED"

# A new texture format encodes the texture again.
sed 's/"format": "[A-Z0-9]*"/"format": "I8"/' "$work/a/textures.json" >"$work/gray.json"
run 0 convert "$work/a.bmd" "$work/e.bmd" --textures "$work/gray.json"
run 0 extract "$work/e.bmd" "$work/e"
differ "$work/a/skin.png" "$work/e/skin.png"

# Materials in SuperBMD's notation.
printf '[{"Name": "wall", "CullMode": "Front", "Flag": 4}]' >"$work/super.json"
run 0 convert "$work/a.bmd" "$work/f.bmd" --materials "$work/super.json"
run 0 extract "$work/f.bmd" "$work/f"
count=$((count + 1))
grep -q '"cullMode": "FRONT"' "$work/f/materials.json" || failures=$((failures + 1))

# --like also accepts a model as input. The same model comes out unchanged.
run 0 convert -v "$work/a.bmd" "$work/like.bmd" --like "$work/a.bmd"
says err "J3D-LIKE"
same "$work/a.bmd" "$work/like.bmd"
# The note prints what was kept.
run 0 convert "$work/a.bmd" "$work/like.bmd" --like "$work/a.bmd"
says err "shapes of the original"

# --repair corrects wrong counts in place and changes nothing else. INF1 begins at 32; its count of
# packets ends at 47.
cp "$work/a.bmd" "$work/broken.bmd"
printf '\143' | dd of="$work/broken.bmd" bs=1 seek=47 conv=notrunc 2>/dev/null
run 0 convert --repair "$work/broken.bmd" "$work/broken.bmd"
says err "repaired [J3D-INF1-PACKETS]"
same "$work/a.bmd" "$work/broken.bmd"
run 0 convert --repair "$work/a.bmd" "$work/repaired.bmd"
says err "nothing was repaired"
same "$work/a.bmd" "$work/repaired.bmd"
# In an archive, all models are repaired and named. Nothing else changes.
mkdir "$work/stage" "$work/stage/bdl"
cp "$work/a.bmd" "$work/stage/bdl/good.bmd"
cp "$work/a.bmd" "$work/stage/bdl/bad.bmd"
printf '\143' | dd of="$work/stage/bdl/bad.bmd" bs=1 seek=47 conv=notrunc 2>/dev/null
run 0 pack "$work/stage.arc" "$work/stage"
run 0 convert --repair "$work/stage.arc" "$work/stage.arc"
says err "bdl/bad.bmd: repaired [J3D-INF1-PACKETS]"
# A member that cannot be decompressed stays and is reported, because it was not checked.
mkdir "$work/cut"
printf 'Yaz0\000\000\001\000\000\000\000\000\000\000\000\000\377abc' >"$work/cut/model.szs"
run 0 pack "$work/cut.arc" "$work/cut"
run 0 convert --repair "$work/cut.arc" "$work/still.arc"
says err "[J3D-UNREPAIRED]"
same "$work/cut.arc" "$work/still.arc"
run 0 extract "$work/stage.arc" "$work/repaired"
same "$work/a.bmd" "$work/repaired/bdl/bad.bmd"
same "$work/a.bmd" "$work/repaired/bdl/good.bmd"

# A FIFO log, at rest and in a pose of an animation. The camera is one that render prints.
run 0 convert "$work/a.bmd" "$work/a.dff"
run 0 check "$work/a.dff"
run 0 render --json "$work/a.bmd" "$work/seen.png"
cp "$work/out" "$work/camera.json"
run 0 convert "$work/a.bmd" "$work/seen.dff" --camera "$work/camera.json"
differ "$work/a.dff" "$work/seen.dff"
printf '{"position": [0, 0, 1]}' >"$work/bad-camera.json"
run 1 convert "$work/a.bmd" "$work/no.dff" --camera "$work/bad-camera.json"
says err "not a camera, expected {"
truth 'no log' test ! -e "$work/no.dff"
run 2 convert "$work/a.bmd" "$work/b.bmd" --frame 3
# --frame accepts its default value.
run 0 convert "$work/a.bmd" "$work/zero.dff" --frame 0
same "$work/a.dff" "$work/zero.dff"
run 2 convert "$work/a.bmd" "$work/no.dff" --frame -1
says err "--frame takes 0 or more, not -1"

# The materials of a BMT replace the model's. The colors change in pictures, in scenes and in logs.
run 0 extract "$work/a.bmd" "$work/table"
sed 's/\[255, 255, 255, 255\]/[9, 99, 9, 255]/' "$work/table/materials.json" >"$work/dark.json"
run 0 convert "$work/a.bmd" "$work/dark.bmd" --materials "$work/dark.json"
run 0 convert "$work/dark.bmd" "$work/dark.bmt"
run 0 render "$work/a.bmd" "$work/light.png"
run 0 render "$work/dark.bmd" "$work/dark.png"
run 0 render "$work/a.bmd" "$work/dark.bmt" "$work/with.png"
same "$work/dark.png" "$work/with.png"
run 0 convert "$work/dark.bmd" "$work/dark.dff"
run 0 convert "$work/a.bmd" "$work/dark.bmt" "$work/with.dff"
same "$work/dark.dff" "$work/with.dff"
run 0 convert "$work/a.bmd" "$work/dark.bmt" "$work/with.glb"
run 0 convert "$work/dark.bmd" "$work/dark.glb"
same "$work/dark.glb" "$work/with.glb"
differ "$work/light.png" "$work/dark.png"
# Check reports which of its materials have no effect. Info describes each file.
run 0 check --strict "$work/a.bmd" "$work/dark.bmt"
run 0 info "$work/a.bmd" "$work/dark.bmt"
says out "BMT3"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl one\nf 1 2 3\n' >"$work/one.obj"
{ cat "$work/one.obj"; printf 'usemtl two\nf 3 2 1\n'; } >"$work/two.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl three\nf 1 2 3\n' >"$work/three.obj"
for name in one two three; do
    run 0 convert "$work/$name.obj" "$work/$name.bmd"
    run 0 convert "$work/$name.bmd" "$work/$name.bmt"
done
run 0 check --strict "$work/two.bmd" "$work/one.bmt"
run 0 check "$work/one.bmd" "$work/two.bmt"
says out "warning [J3D-BMT-NAMES]: material 1 'two' of the BMT has no effect"
run 1 check "$work/one.bmd" "$work/three.bmt"
says out "error [J3D-BMT-NAMES]: material 0 'three' of the BMT has no effect"
run 1 convert "$work/a.bmd" "$work/a.bmd" "$work/no.dff"
says err "J3D-KIND"

run 0 convert "$work/a.bmd" "$work/a.glb"
run 2 convert --repair "$work/a.glb" "$work/repaired.bmd"
# A file of an unknown format is an error of the input, not of the command line.
printf '' >"$work/nothing.bmd"
run 1 convert --repair "$work/nothing.bmd" "$work/repaired.bmd"
says err "FORMAT-UNKNOWN"

# Errors give file and line, and nothing is written.
printf '{"materials": [{"name": "wall", "cullMode": "SOME"}]}' >"$work/bad.json"
run 1 convert "$work/a.bmd" "$work/g.bmd" --materials "$work/bad.json"
says err "$work/bad.json: error [J3D-JSON-MATERIALS]"
says err 'materials[0].cullMode: found "SOME", expected a cull mode: NONE, FRONT, BACK, ALL'
printf '{"materials": [{"name": "walls"}]}' >"$work/bad.json"
run 1 convert "$work/a.bmd" "$work/g.bmd" --materials "$work/bad.json"
says err 'material "walls" does not exist; the model has wall, glass'
printf '{"textures":\n[{"name": "skin",]}' >"$work/bad.json"
run 1 convert "$work/a.bmd" "$work/g.bmd" --materials "$work/edited.json" --textures "$work/bad.json"
says err "$work/bad.json:2: error [J3D-JSON-TEXTURES]: not JSON"
run 3 convert "$work/a.bmd" "$work/g.bmd" --materials "$work/not-there.json"
says err not-there.json
run 2 convert "$work/a.bmd" "$work/g.glb" --materials "$work/edited.json"
count=$((count + 1))
[ -e "$work/g.bmd" ] && failures=$((failures + 1))

# Faces without a material are white and opaque: glTF has neither a factor nor a mode.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/bare.obj"
for to in bmd bdl; do
    run 0 convert -q "$work/bare.obj" "$work/bare.$to"
    run 0 convert -q "$work/bare.$to" "$work/bare-$to.gltf"
    truth "a mesh without a material is seen in $to" \
        [ "$(grep -c 'baseColorFactor\|alphaMode' "$work/bare-$to.gltf")" = 0 ]
done

finish
