#!/bin/sh
# cli_rules.sh PROGRAM: small files that trigger findings and errors, each by its id.
. "$(dirname "$0")/../support/cli.sh"
cd "$work"
cat >square.obj <<'END'
v 0 0 0 1 0 0
v 1 0 0 0 1 0
v 1 1 0 0 0 1
v 0 1 0 1 1 1
usemtl red
f 1 2 3
f 1 3 4
END
printf 'v 0 0 0\n' >point.obj
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n' >triangle.obj

run 0 convert square.obj out.stl
says err "[LOSS-MATERIALS]"
run 0 convert square.obj out.ply
says err "[LOSS-MATERIALS]"
run 0 convert -v square.obj out.bmd
says err "[J3D-QUANTIZED]"
says err "[J3D-STRIPS]"
run 0 convert -v out.bmd back.obj
says err "[SCENE-FLATTENED]"
run 0 convert square.obj out.bdl
run 0 convert -v out.bdl plain.bmd
says err "[LOSS-MATERIALS]"

run 1 compare square.obj triangle.obj
says out "[COMPARE-COUNT]"
run 2 convert square.obj never.zip
says err "[FORMAT-DIRECTION]"
run 2 convert square.obj never.bmd --root nobody
says err "[J3D-ROOT]"
run 2 convert square.obj never.bsm --occluder-from point.obj
says err "[COLLISION-EMPTY]"
run 0 render -q square.obj picture.png --size 16
run 2 convert out.bmd never.bmd --texture no=picture.png
says err "[J3D-TEXTURE]"
mkdir empty
run 0 convert out.bmd same.bmd --texture-dir empty
says err "[J3D-TEXTURE-DIR]"

# Options that do not fit: a folder without animations, and a camera that looks at its own position.
# A texture file that is not a picture, and one whose sides the hardware cannot repeat.
run 0 convert out.bmd moved.glb --animations empty
says err "[ANIMATIONS-NONE]"
echo '{"position": [0, 0, 0], "target": [0, 0, 0]}' >camera.json
run 2 render square.obj never.png --camera camera.json
says err "[RENDER-CAMERA]"
run 0 render -q square.obj odd.png --size 3x5
cat >textured.mtl <<'END'
newmtl red
map_Kd picture.png
END
{ echo 'mtllib textured.mtl'; cat square.obj; } | sed 's|^f.*|vt 0 0\nf 1/1 2/1 3/1|' >textured.obj
run 0 convert textured.obj textured.bmd
run 0 convert textured.bmd odd.bmd --texture picture=odd.png
says err "[TEX1-SIDES]"
run 1 convert textured.bmd never.bmd --texture picture=point.obj
says err "[J3D-TEXTURE-FILE]"
says err "[IMAGE-UNKNOWN]"
mkdir folder
cp out.bmd folder
run 0 pack -q folder.arc folder
run 1 compare square.obj folder.arc
says err "[COMPARE-KINDS]"

# A glTF of zeros: two lines with different attributes, and an invalid image.
zeros=$(printf '%048d' 0 | tr 0 A)
cat >zeros.gltf <<END
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "material": 0},
  {"mode": 1, "attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2},
  {"mode": 1, "attributes": {"POSITION": 0}, "indices": 2}]}],
 "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
 "textures": [{"source": 0}], "images": [{"uri": "data:image/png;base64,bm9uZQ=="}],
 "accessors": [
  {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]},
  {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC2"},
  {"bufferView": 0, "componentType": 5121, "count": 2, "type": "SCALAR"}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,$zeros"}]}
END
run 0 convert zeros.gltf zeros.obj
says err "[GLTF-LINES]"
run 0 render zeros.gltf zeros.png --size 16
says err "[RENDER-IMAGE]"
# Images of unused materials are not decoded.
sed 's/"TEXCOORD_0": 1}, "material": 0}/"TEXCOORD_0": 1}}/' zeros.gltf >unused.gltf
run 0 render unused.gltf unused.png --size 16
lacks err RENDER-IMAGE

{ echo 'v 0 0 0'; i=0; while [ $i -lt 150 ]; do echo 'f 1 2 9'; i=$((i + 1)); done; } >many.obj
run 1 check many.obj
says out "[OBJ-ERRORS]"

finish
