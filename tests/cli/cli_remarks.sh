#!/bin/sh
# Notes and errors that no other test covers, each with a file that triggers it.
. "$(dirname "$0")/../support/cli.sh"

# Two triangles with two materials that differ only in their names.
printf 'newmtl a\nKd 1 0 0\nnewmtl b\nKd 1 0 0\n' >"$work/two.mtl"
printf 'mtllib two.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\n' >"$work/two.obj"
printf 'usemtl a\nf 1 2 3\nusemtl b\nf 4 5 6\n' >>"$work/two.obj"
run 0 convert -v --merge-materials "$work/two.obj" "$work/two.bmd"
says err "J3D-MERGED"
says err "material 1 is like an earlier one"

# A morph target of a custom attribute is dropped. Extract does not copy an image that is a separate
# file.
cat >"$work/odd.gltf" <<'END'
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
 "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0,
                             "targets": [{"POSITION": 0, "_MASS": 0}]}]}],
 "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
                "min": [0, 0, 0], "max": [1, 1, 0]}],
 "bufferViews": [{"buffer": 0, "byteLength": 36}],
 "buffers": [{"byteLength": 36, "uri":
   "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
 "images": [{"uri": "side.png", "name": "side"}], "textures": [{"source": 0}],
 "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]}
END
run 0 convert -v "$work/odd.gltf" "$work/odd.bmd"
says err "GLTF-TARGET"
says err "the differences of '_MASS' in morph target 0 of mesh 0"
run 0 extract -v "$work/odd.gltf" "$work/taken"
says err "EXTRACT-EXTERNAL"
says err "image 'side' is a separate file, 'side.png'"

# Vertices 4 and 1 are 0.001 apart. The file has 6 positions, of which 2 are equal; some move.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.001 0 0\nv 0 -1 0\nv 1 0 0\nf 1 2 3\nf 4 5 6\n' >"$work/near.obj"
run 0 convert -v --merge 0.01 "$work/near.obj" "$work/near.ply"
says err "MESH-MERGED"
says err "of 6 positions were moved"

# An archive accepts only its existing members: no new name without --into, and no file in place of
# a folder.
mkdir -p "$work/files/sub"
cp "$work/two.obj" "$work/files/sub"
run 0 pack "$work/a.arc" "$work/files"
run 3 convert "$work/two.obj" "$work/a.arc/new.bmd"
says err "ARCHIVE-MEMBER"
says err "'new.bmd' is not in"
run 3 convert --to bmd "$work/two.obj" "$work/a.arc/sub"
says err "ARCHIVE-FOLDER"
says err "'sub' is a folder in"

# A console model is in centimeters, which these formats cannot record.
for to in bga obj ply stl; do
    run 0 convert -v "$work/two.bmd" "$work/units.$to"
    says err "LOSS-UNIT"
    says err "a unit is 0.01 m"
done
run 0 convert -v "$work/two.obj" "$work/units.stl"
lacks err "LOSS-UNIT"
finish
