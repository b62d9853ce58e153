# Convert, check and info, with small OBJ files that this script writes.
. "$(dirname "$0")/../support/cli.sh"

# A quad and a triangle that share an edge and mirror their texture there.
cat >"$work/mesh.obj" <<'OBJ'
# two faces
mtllib mesh.mtl
o plate
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 2 0 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
s 1
usemtl red
f 1/1 2/2 3/3 4/4
usemtl blue
f 2/2 5/1 3/3
OBJ
printf 'newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n' >"$work/mesh.mtl"

run 0 convert "$work/mesh.obj" "$work/mesh.bsm"
silent out
says err "triangulate, normals, index, tangents, split, optimize"
says err "3 faces"
run 0 check "$work/mesh.bsm"
says out "0 errors, 0 warnings"
silent err
run 0 check --strict --json "$work/mesh.bsm"
says out '"errors":0,"warnings":0'
run 0 info "$work/mesh.bsm"
says out "3 triangles"
says out "red"
run 0 info --json "$work/mesh.bsm"
says out '"format":"bsm"'
says out '"triangles":3'
says out '"min":[0.0,0.0,0.0]'
says out '"max":[2.0,1.0,0.0]'

# BSM cannot store the materials' colors: convert reports this, and --strict stops.
run 0 convert "$work/mesh.obj" "$work/mesh2.bsm"
says err "LOSS-"
run 1 convert --strict "$work/mesh.obj" "$work/strict.bsm"
says err "--strict"
truth "nothing is written under --strict" [ ! -e "$work/strict.bsm" ]
truth "no temporary file stays" sh -c "! ls '$work' | grep -q tmp"

# The same input gives the same bytes for any number of threads.
run 0 convert -q -j 1 "$work/mesh.obj" "$work/one.bsm"
run 0 convert -q -j 4 "$work/mesh.obj" "$work/four.bsm"
truth "threads change nothing" cmp "$work/one.bsm" "$work/four.bsm"

# Converting a file to its own format copies it.
run 0 convert "$work/one.bsm" "$work/copy.bsm"
truth "a copy is equal" cmp "$work/one.bsm" "$work/copy.bsm"

# Standard input and output.
"$facet" convert -q --to bsm "$work/mesh.obj" - >"$work/stream.bsm"
truth "to standard output" cmp "$work/one.bsm" "$work/stream.bsm"
"$facet" convert -q --to bsm - "$work/piped.bsm" <"$work/one.bsm"
truth "from standard input" cmp "$work/one.bsm" "$work/piped.bsm"
run 2 convert "$work/mesh.obj" -
says err "needs --to"
run 2 convert "$work/mesh.obj" "$work/out.unknown"
says err "--to"

# Bad input: one message with file, line and rule, and no output.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n' >"$work/bad.obj"
run 1 convert "$work/bad.obj" "$work/bad.bsm"
says err "bad.obj:4: error [OBJ-INDEX]"
truth "no output from bad input" [ ! -e "$work/bad.bsm" ]
run 1 check "$work/bad.obj"
run 3 convert "$work/mesh.obj" "$work/no/such/folder.bsm"
says err "folder.bsm"
head -c 200 "$work/one.bsm" >"$work/short.bsm"
run 1 info "$work/short.bsm"
says err "[BSM-ARRAY-BOUNDS]"
run 1 check --json "$work/short.bsm"
says out '"rule":"BSM-ARRAY-BOUNDS","severity":"error"'

# Hulls and occluder, found by the names of their objects.
cat >"$work/body.obj" <<'OBJ'
o body
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 1 4 3
o collision_mesh_1
f 1 3 2
f 1 2 4
o occlusion_mesh
f 2 3 4
OBJ
run 0 convert "$work/body.obj" "$work/body.bsm"
run 0 info --json "$work/body.bsm"
says out '"hulls":1'
says out '"triangles":4'
run 0 convert --hull-prefix none --occluder-name none "$work/body.obj" "$work/plain.bsm"
run 0 info --json "$work/plain.bsm"
says out '"hulls":0'
says out '"triangles":7'

# Textures: a GLB includes those next to the source, and omits missing ones.
cat >"$work/textured.mtl" <<'MTL'
newmtl red
map_Kd dot.tga
newmtl blue
map_Kd missing.png
map_Ks ../outside.png
MTL
printf '\000\000\002\000\000\000\000\000\000\000\000\000\001\000\001\000\030\040\001\002\003' >"$work/dot.tga"
sed 's/mesh.mtl/textured.mtl/' "$work/mesh.obj" >"$work/textured.obj"
run 0 convert "$work/textured.obj" "$work/textured.glb"
says err "image 'missing.png' is left out"
says err "image '../outside.png' is left out"
run 0 info --json "$work/textured.glb"
says out '"images":1'
run 0 check "$work/textured.glb"
says out "0 errors, 0 warnings"

# One file per mesh.
run 0 convert -q --split "$work/body.obj" "$work/piece.bsm"
truth "a piece for the only mesh" [ -e "$work/piece-0.bsm" ]
run 2 convert --split --to bsm "$work/body.obj" -

# Frames: --up z turns (x, y, z) into (x, z, -y), and --scale enlarges.
run 0 convert -q --up z --scale 2 "$work/mesh.obj" "$work/turned.bsm"
run 0 info --json "$work/turned.bsm"
says out '"min":[0.0,0.0,-2.0]'
says out '"max":[4.0,0.0,'
run 2 convert --up w "$work/mesh.obj" "$work/turned.bsm"
says err "--up takes y, z or x, not 'w'"

# --output-up z turns (x, y, z) into (x, -z, y), and with --up z nothing changes.
printf 'v 1 2 3\nv 4 2 3\nv 1 5 3\nf 1 2 3\n' > "$work/frame.obj"
run 0 convert -q --output-up z "$work/frame.obj" "$work/frame_z.obj"
truth "+Z is up" grep -qx "v 1 -3 5" "$work/frame_z.obj"
run 0 convert -q --output-up x "$work/frame.obj" "$work/frame_x.obj"
truth "+X is up" grep -qx "v 5 -1 3" "$work/frame_x.obj"
run 0 convert -q --up z --output-up z "$work/frame.obj" "$work/frame_z.obj"
truth "the axes are the same" grep -qx "v 1 5 3" "$work/frame_z.obj"
run 2 convert --output-up z "$work/frame.obj" "$work/frame.glb"
says err "--output-up is for obj, ply, stl, bga files, and OUT is glb"

# Computed hulls and occluder: the hull of the tetrahedron is itself, of volume 1 / 6.
run 0 convert --hulls 1 --hull-prefix none --occluder-name none --crease 1 "$work/body.obj" "$work/hull.bsm"
says err "1 hull of volume 0.16666"
run 0 check --strict "$work/hull.bsm"
run 0 info --json "$work/hull.bsm"
says out '"hulls":1'
says out '"points":4,"volume":0.1666666'
# Hulls and occluder from other files: each object of the OBJ is a hull, or all are the occluder.
sed 's/collision_mesh_1/second/; s/occlusion_mesh/third/' "$work/body.obj" >"$work/other.obj"
run 0 convert --hulls-from "$work/other.obj" --occluder-from "$work/other.obj" "$work/mesh.obj" "$work/taken.bsm"
run 0 info --json "$work/taken.bsm"
says out '"hulls":3'
says out '"occluder":{"vertices":4,"triangles":7'
run 1 convert --hulls-from "$work/bad.obj" "$work/mesh.obj" "$work/never.bsm"
says err "bad.obj:4: error [OBJ-INDEX]"
truth "nothing is written when the hulls' file is bad" [ ! -e "$work/never.bsm" ]
run 2 convert --hulls 257 "$work/mesh.obj" "$work/never.bsm"
run 2 convert --occluder 2 "$work/mesh.obj" "$work/never.bsm"
run 2 convert --hulls 4 --split "$work/mesh.obj" "$work/never.bsm"

# A file next to the output must not have the output's own name.
run 2 convert --to gltf "$work/mesh.obj" "$work/never.bin"
says err "OUTPUT-NAMES"
says err "give the output another extension"
truth "nothing is written under the name of two" [ ! -e "$work/never.bin" ]
run 2 convert --to obj "$work/mesh.obj" "$work/never.mtl"
says err "OUTPUT-NAMES"

# A picture is not a mesh: convert does not write an empty model.
run 1 convert "$work/dot.tga" "$work/dot.bsm"
says err "CONVERT-NO-MESH"
truth "no empty model" [ ! -e "$work/dot.bsm" ]

# PLY and STL in their encodings. A copy keeps data that a scene does not store.
run 0 convert -q --ply-encoding ascii "$work/mesh.obj" "$work/mesh.ply"
truth "text is asked for" grep -q "format ascii 1.0" "$work/mesh.ply"
run 0 convert -q --ply-encoding big-endian "$work/mesh.ply" "$work/copy.ply"
truth "big-endian is asked for" grep -aq "format binary_big_endian 1.0" "$work/copy.ply"
run 0 check --strict "$work/copy.ply"
run 0 convert -q --stl-encoding ascii "$work/mesh.obj" "$work/mesh.stl"
truth "a solid has the name of the object" grep -q "^solid plate" "$work/mesh.stl"
run 0 convert "$work/mesh.stl" "$work/copy.stl"
truth "three triangles of 50 bytes" [ "$(wc -c <"$work/copy.stl")" = 234 ]
run 0 info --json "$work/copy.stl"
says out '"encoding":"binary"'
run 2 convert --stl-encoding ascii "$work/mesh.obj" "$work/never.bsm"

# Two triangles with separate corners: welded by value, kept apart, or merged across a gap of 0.001.
cat >"$work/soup.obj" <<'OBJ'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 1 0
v 1 0 0.001
v 1 1 0
f 1 2 3
f 4 5 6
OBJ
run 0 convert "$work/soup.obj" "$work/soup.bga"
says err "weld"
says err "5 vertices"
run 0 convert --keep-vertices "$work/soup.obj" "$work/soup.bga"
says err "6 vertices"
run 0 convert --merge 0.01 "$work/soup.obj" "$work/soup.bga"
says err "weld positions"
says err "4 vertices"
run 2 convert --merge 0.2 "$work/soup.obj" "$work/never.bga"

# The same as one JSON object: a success, a refusal, and an unreadable input.
run 0 convert --json "$work/soup.obj" "$work/soup.bga"
silent err
says out '"from":"obj","to":"bga","copied":false,"files":1,'
says out '"counts":{"faces":2,"vertices":5},"passes":["weld"],"simplified":null'
says out "\"bytes\":$(wc -c <"$work/soup.bga"),"
run 0 convert --json "$work/soup.bga" "$work/copy.bga"
says out '"copied":true'
run 1 convert --json --strict "$work/mesh.obj" "$work/refused.bsm"
says out '"error":{"rule":"would lose"'
says out '"rule":"LOSS-MATERIALS","severity":"warning"'
truth "nothing was written" [ ! -e "$work/refused.bsm" ]
run 3 convert --json "$work/missing.obj" "$work/never.bsm"
says out '"error":{"rule":"system error"'
run 3 convert --json "$work/mesh.obj" "$work/never.bmd" --materials "$work/missing.json"
says out '"error":{"rule":"system error"'
run 1 convert --json "$work/mesh.obj" "$work/never.bmd" --texture-dir "$work/missing"
says out '"error":{"rule":"malformed input"'
run 2 convert --json --to bsm "$work/mesh.obj" -
silent out
says err "--json and OUT cannot both"

# The summary counts what the file contains: a quad, a face with two equal corners, and a face whose
# corners become equal when stored. STL and BPX have three vertices per triangle.
cat >"$work/alike.obj" <<'OBJ'
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0.00000001 0 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
f 1/1 2/2 3/3 4/4
f 1/1 2/2 2/2
f 1/1 5/1 2/2
OBJ
for counts in "bsm 3 faces, 5 vertices" "bmd 2 faces, 4 vertices" "stl 4 faces, 12 vertices" \
    "bpx 4 faces, 12 vertices" "ply 3 faces, 5 vertices"; do
    to=${counts%% *}
    run 0 convert "$work/alike.obj" "$work/alike.$to"
    says err ": $to, ${counts#* }"
    run 0 info "$work/alike.$to"
    faces=${counts#* }
    says out "${counts#*, }, ${faces%%,*}"
done
# Two squares that fold along the y axis. With smoothing, the normal on the axis is the mean of
# both, (0, 0, 1).
printf 'v 0 0 0\nv 0 1 0\nv 1 0 -1\nv 1 1 -1\nv -1 0 -1\nv -1 1 -1\ns 1\nf 1 3 4 2\nf 5 1 2 6\n' >"$work/fold.obj"
# A face with a normal, and a face without one, which gets its own normal, (0, 1, 0).
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1//1 2//1 3//1\ns off\nf 1 4 2\n' >"$work/half.obj"
for to in glb ply dae fbx bga binarymesh; do
    "$facet" formats --json | grep -q "\"name\":\"$to\".*\"write\":true" || continue # without assimp
    run 0 convert "$work/fold.obj" "$work/fold.$to"
    says err "normals"
    run 0 convert "$work/half.obj" "$work/half.$to"
    run 0 convert "$work/half.$to" "$work/half-$to.obj"
    truth "no corner of $to is without a normal" sh -c "! grep -q '^vn 0 0 0' '$work/half-$to.obj'"
done
run 0 convert "$work/fold.obj" "$work/same.obj"
truth "OBJ says it by groups" sh -c "grep -q '^s 1' '$work/same.obj' && ! grep -q '^vn' '$work/same.obj'"

# An output refers to textures relative to its own folder.
mkdir -p "$work/in/tex" "$work/out-of-here/deep"
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n' >"$work/in/a.obj"
printf 'newmtl m\nmap_Kd ./tex/t.bmp\nmap_Ke absent.bmp\n' >"$work/in/a.mtl"
# A BMP of one red pixel: headers of 14 and 40 bytes, and the pixel as blue, green, red.
printf 'BM\072\0\0\0\0\0\0\0\066\0\0\0\050\0\0\0\1\0\0\0\1\0\0\0\1\0\030\0\0\0\0\0\4\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\377\0' \
    >"$work/in/tex/t.bmp"
run 0 convert "$work/in/a.obj" "$work/out-of-here/deep/b.obj"
truth "the texture is named from the new folder" \
    grep -qx 'map_Kd ../../in/tex/t.bmp' "$work/out-of-here/deep/b.mtl"
truth "what is not there keeps its name" \
    grep -qx 'map_Ke absent.bmp' "$work/out-of-here/deep/b.mtl"
run 0 convert "$work/in/a.obj" "$work/in/c.obj"
truth "beside the input it keeps its name" grep -qx 'map_Kd ./tex/t.bmp' "$work/in/c.mtl"
case $facet in /*) program=$facet ;; *) program=$PWD/$facet ;; esac
truth "a folder without a name" sh -c "cd '$work/in' && '$program' convert -q a.obj ../out-of-here/d.obj"
truth "paths without folders count from here" \
    grep -qx 'map_Kd ../in/tex/t.bmp' "$work/out-of-here/d.mtl"

# A path of another machine becomes that of the file that readers use instead.
for path in 'C:\me\tex\t.bmp' /home/me/tex/t.bmp TEX/T.BMP 'tex\t.bmp' 'file:///C:/me/tex/t.bmp'; do
    printf 'newmtl m\nmap_Kd %s\n' "$path" >"$work/in/a.mtl"
    run 0 convert "$work/in/a.obj" "$work/out-of-here/deep/b.obj"
    truth "$path is found" grep -qx 'map_Kd ../../in/tex/t.bmp' "$work/out-of-here/deep/b.mtl"
    run 0 convert "$work/in/a.obj" "$work/out-of-here/deep/b.ply"
    truth "$path is found for a PLY" \
        grep -qax 'comment TextureFile ../../in/tex/t.bmp' "$work/out-of-here/deep/b.ply"
done
printf 'newmtl m\nmap_Kd C:\\me\\tex\\t.bmp\n' >"$work/in/a.mtl"
run 0 convert "$work/in/a.obj" "$work/in/c.obj"
truth "next to the input also" grep -qx 'map_Kd tex/t.bmp' "$work/in/c.mtl"
printf 'newmtl m\nmap_Kd ./tex/t.bmp\nmap_Ke absent.bmp\n' >"$work/in/a.mtl"

# Embedded pictures become files next to an OBJ.
run 0 convert "$work/in/a.obj" "$work/e.glb"
run 0 convert "$work/e.glb" "$work/out-of-here/f.obj"
truth "the OBJ names its picture" grep -qx 'map_Kd f_t.png' "$work/out-of-here/f.mtl"
run 0 convert "$work/in/tex/t.bmp" "$work/g.png"
run 0 compare "$work/g.png" "$work/out-of-here/f_t.png"
run 0 convert --texture-dir "$work/in/tex" "$work/in/a.obj" "$work/h.glb"

# An object whose name has a suffix from an editor is not an occluder, but a note names it.
printf 'o occlusion_mesh_Cube.004\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$work/occluder.obj"
run 0 convert -v "$work/occluder.obj" "$work/occluder.bsm"
says err "[COLLISION-NAME]: 'occlusion_mesh_Cube.004' is visible geometry"

# --verify reads the output and its siblings before they replace existing files.
for kind in gltf obj bmd; do
    run 0 convert --verify "$work/e.glb" "$work/verified.$kind"
done
run 0 convert --verify --split "$work/e.glb" "$work/parts.bsm"
run 2 convert --verify "$work/e.glb" - --to ply
says err "--verify needs OUT to be a file"
# It compares the bounds. The point that PLY cannot hold is at (9, 9, 9).
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 9 9\nf 1 2 3\np 4\n' >"$work/far.obj"
run 0 convert --verify "$work/far.obj" "$work/far.ply"
says err "[CONVERT-BOUNDS]: the bounds of the output differ by 9"
# A vertex that nothing uses is not within the bounds: GLB drops it.
sed '/^p/d' "$work/far.obj" >"$work/unused.obj"
run 0 convert --verify "$work/unused.obj" "$work/unused.glb"

# -- Positions far from the origin ----------------------------------------------

facet=$(realpath "$facet")
cd "$work" || exit 1
# Between 2^22 and 2^23, neighboring floats differ by 0.5. The edges of the triangle are 0.2 long.
far() { # x
    printf 'v %s 550000.1 10\nv %s 550000.1 10\nv %s 550000.3 10\nf 1 2 3\n' "$1" "$2" "$1"
}
far 4500000.1 4500000.3 >far.obj
run 0 convert far.obj far.glb
says err "far.obj: warning [LOSS-PRECISION]: coordinates of mesh 0 are rounded to steps of 0.5"
run 1 convert --strict far.obj far2.glb
# A check reads the scene of these formats anyway, so it reports the same.
run 0 check far.obj
says out "far.obj: warning [LOSS-PRECISION]: coordinates of mesh 0 are rounded to steps of 0.5"
# These numbers are floats: the text has no more digits than a float holds.
far 4500000 4500000.5 | sed 's/550000.[13]/550000/' >exact.obj
run 0 convert --strict exact.obj exact.glb
# Near the origin, rounding is small compared with the faces.
printf 'v 0.1 0.1 0\nv 0.3 0.1 0\nv 0.1 0.3 0\nf 1 2 3\n' >near.obj
run 0 convert --strict near.obj near.glb
printf 'solid a\nfacet normal 0 0 1\nouter loop\nvertex 4500000.1 550000.1 10\nvertex 4500000.3 550000.1 10\nvertex 4500000.1 550000.3 10\nendloop\nendfacet\nendsolid a\n' >far.stl
run 0 convert far.stl far.glb
says err "LOSS-PRECISION"
# A binary PLY of doubles, the same triangle.
python3 -c "
import struct, sys
sys.stdout.buffer.write(b'ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n'
    + struct.pack('<9dB3i', 4500000.1, 550000.1, 10, 4500000.3, 550000.1, 10, 4500000.1, 550000.3, 10, 3, 0, 1, 2))" >far.ply
run 0 convert far.ply far.glb
says err "far.ply: warning [LOSS-PRECISION]: coordinates of mesh 0"

# Colors of edges have no place in a scene.
printf 'ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\nelement edge 1\nproperty int vertex1\nproperty int vertex2\nproperty uchar red\nend_header\n0 0 0\n1 0 0\n0 1 9\n' >edge.ply
run 0 convert edge.ply edge.glb
says err "warning [LOSS-UNREAD]: property 'red' of element 'edge' is left out"

finish
