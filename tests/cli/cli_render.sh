# facet render: pictures, printed results, and errors.
. "$(dirname "$0")/../support/cli.sh"

printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nf 1/1 2/2 3/3 4/4\n' >"$work/square.obj"

# True if the file is a PNG of that size, by its signature and first chunk.
is_png() { # file, width, height
    count=$((count + 1))
    wanted=$(printf '89504e470d0a1a0a0000000d49484452%08x%08x' "$2" "$3")
    found=$(od -An -tx1 -N24 "$1" | tr -d ' \n')
    [ "$found" = "$wanted" ] && return
    echo "FAILED: $1 is no PNG of $2 x $3"
    failures=$((failures + 1))
}

run 0 render "$work/square.obj" "$work/a.png"
silent out
silent err
is_png "$work/a.png" 512 512
run 0 render "$work/square.obj" - --size 30x20
is_png "$work/out" 30 20
run 0 render "$work/square.obj" "$work/b.png" --size 40 --json --view front
says out '"triangles":2'
says out '"fieldOfView":30.0'
cp "$work/out" "$work/camera.json"
# The printed camera gives the same picture with any number of threads.
run 0 render "$work/square.obj" "$work/c.png" --size 40 --camera "$work/camera.json" -j3
count=$((count + 1))
cmp -s "$work/b.png" "$work/c.png" || { echo "FAILED: another picture by the same camera"; failures=$((failures + 1)); }
run 0 render "$work/square.obj" "$work/t.png" --size 16 --turntable 3
is_png "$work/t-002.png" 16 16
run 0 render "$work/square.obj" "$work/s.png" --size 16x10 --sheet
is_png "$work/s.png" 48 20
for mode in clay normals tangents uv weights joints facing overdraw material wireframe hulls \
    uv,wireframe,hulls,occluder; do
    run 0 render "$work/square.obj" "$work/m.png" --size 16 --mode $mode
done

run 2 render "$work/square.obj" "$work/x.png" --size 0x5
says err "--size '0x5' is not WIDTHxHEIGHT"
run 2 render "$work/square.obj" "$work/x.png" --view sideways
says err "--view 'sideways' is not front"
run 2 render "$work/square.obj" "$work/x.png" --background red
run 2 render "$work/square.obj" "$work/x.png" --mode wirefram
says err "did you mean 'wireframe'"
run 2 render "$work/square.obj" "$work/x.png" --mode uv,normals
says err "only wireframe, hulls and occluder"
run 2 render "$work/square.obj" "$work/x.png" --samples 3
run 2 render "$work/square.obj" "$work/x.png" --animation walk
says err "has no animation"
run 2 render "$work/square.obj" - --json
run 2 render "$work/square.obj" - --turntable 3
# Triangles without an area, or too small for floats; other sizes are drawn.
printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n' >"$work/line.obj"
printf 'v 0 0 0\nv 1e-25 0 0\nv 0 1e-25 0\nf 1 2 3\n' >"$work/tiny.obj"
printf 'v 0 0 0\nv 1e20 0 0\nv 0 1e20 0\nf 1 2 3\n' >"$work/huge.obj"
for name in line tiny huge; do
    run 1 render "$work/$name.obj" "$work/x.png"
    says err "RENDER-EMPTY]: the scene has no faces with an area"
done
printf 'v 0 0 0\nv 1e15 0 0\nv 0 1e15 0\nf 1 2 3\n' >"$work/large.obj"
run 0 render "$work/large.obj" "$work/large.png" --size 16

# Pictures that cannot be written, and light without a direction.
run 2 render "$work/square.obj" "$work/x.png" --sheet --size 8192
says err "a sheet has at most 16384 pixels on a side"
run 2 compare "$work/square.obj" "$work/line.obj" --picture "$work/x.jpg"
says err "the picture is a PNG"
run 2 render "$work/square.obj" "$work/x.png" --light 0,0,0
says err "a direction"
run 1 render "$work/square.obj" "$work/x.png" --environment "$work/square.obj"
says err "square.obj:0x0: error [IMAGE-UNKNOWN]: image '$work/square.obj'"

# A camera of the model, and options that it excludes.
run 2 render "$work/square.obj" "$work/x.png" --camera Eye
says err "RENDER-CAMERA]: no camera 'Eye': the scene has none"
run 2 render "$work/square.obj" "$work/x.png" --camera "$work/camera.json" --turntable 3
says err "cannot be used with --turntable"
run 0 render "$work/square.obj" "$work/lit.png" --size 16 --scene-lights
says err "RENDER-LIGHTS]: the scene has no visible light"
run 1 render "$work/square.obj" "$work/x.png" --camera "$work/square.obj"
run 3 render "$work/missing.obj" "$work/x.png"
# A file that cannot be drawn still gets its JSON object, also for a sheet.
run 3 render --json "$work/missing.obj" "$work/x.png"
says out "{\"file\":\"$work/missing.obj\",\"picture\":\"$work/x.png\",\"error\":{\"rule\":\"system error\""
printf 'v 0 0 0\nf 1 2 3\n' >"$work/cut.obj"
run 1 render --json "$work/cut.obj" "$work/x.png"
says out '"error":{"rule":"OBJ-INDEX"'
run 1 render --json "$work/square.obj" "$work/x.png" --camera "$work/square.obj"
says out '"error":{"rule":"malformed input"'
says err "square.obj: error: not a camera"
run 3 render --json "$work/square.obj" "$work/none/x.png" --size 16
says out '"error":{"rule":"system error"'
run 2 render --json "$work/square.obj" "$work/x.png" --mode texture=3
silent out
run 0 render --json "$work/square.obj" "$work/s.png" --size 16x10 --sheet
says out '"width":48,"height":20,"camera":null,"bounds":{'
says out '"vertices":4,"triangles":2'
# Points and lines are drawn. An empty scene gives no picture.
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nl 1 2 3\n' >"$work/lines.obj"
# Light from a panorama: any picture, rotated, with exposure.
run 0 render "$work/square.obj" "$work/lit.png" --size 32 --environment "$work/a.png" --exposure 1
run 0 render "$work/square.obj" "$work/dim.png" --size 32 --environment "$work/a.png"
run 0 render "$work/square.obj" "$work/turned.png" --size 32 --environment "$work/a.png" --environment-rotation 90
light() { # of the pixels, as the sum of their bytes
    "$facet" convert -q --texture-format RGBA32 "$work/$1.png" "$work/$1.bti"
    od -An -v -tu1 "$work/$1.bti" | awk '{ for (i = 1; i <= NF; i++) sum += $i } END { print sum + 0 }'
}
truth "an exposure makes brighter" [ "$(light lit)" -gt "$(light dim)" ]
truth "a rotation moves the light" [ "$(light turned)" != "$(light dim)" ]
run 1 render "$work/square.obj" "$work/x.png" --environment "$work/square.obj"
run 3 render "$work/square.obj" "$work/x.png" --environment "$work/none.hdr"
run 2 render "$work/square.obj" "$work/x.png" --exposure 33
# A shadow on the ground changes the background only.
run 0 render "$work/square.obj" "$work/flat.png" --size 32 --view 30,40
run 0 render "$work/square.obj" "$work/shadow.png" --size 32 --view 30,40 --shadow 0.5
truth "a shadow is drawn" sh -c '! cmp -s "$1/flat.png" "$1/shadow.png"' - "$work"
run 2 render "$work/square.obj" "$work/x.png" --shadow 1.5
says err "is not a number from 0 to 1"
run 2 render "$work/square.obj" "$work/x.png" --environment-rotation east
run 0 render --json "$work/lines.obj" "$work/lines.png" --size 16 --line-width 3
says out '"vertices":3,"triangles":0'
run 2 render "$work/lines.obj" "$work/x.png" --line-width 0
printf 'o nothing\n' >"$work/nothing.obj"
for mode in --size=16 --thumbnail --sheet --turntable=2; do
    run 1 render --json "$work/nothing.obj" "$work/none.png" $mode
    says out '"error":{"rule":"RENDER-EMPTY"'
done
truth "nothing was drawn" [ ! -e "$work/none.png" ]
truth "nor turned" [ ! -e "$work/none-000.png" ]
# The z axis of an STL is up: its range 0 to 3 becomes the y range. Other formats define their up
# axis, or it is y.
{
    echo solid
    echo facet normal 1 0 0 outer loop vertex 0 0 0 vertex 0 1 0 vertex 0 0 3 endloop endfacet
    echo endsolid
} >"$work/up.stl"
run 0 render --json "$work/up.stl" "$work/up.png" --size 16
says out '"minimum":[0.0,0.0,-1.0],"maximum":[0.0,3.0,0.0]'
run 0 render --json "$work/up.stl" "$work/up.png" --size 16 --up y
says out '"minimum":[0.0,0.0,0.0],"maximum":[0.0,1.0,3.0]'
# Animations of a console material and of nodes play together. The converted glTF plays like its
# model.
printf 'newmtl paint\nKd 1 1 1\n' >"$work/model.mtl"
{ echo mtllib model.mtl && echo usemtl paint && cat "$work/square.obj"; } >"$work/model.obj"
animation() { # kind, name, what moves
    printf '{"format": "facet-j3d-animation", "version": 1, "kind": "%s", "name": "%s", "frames": 30,
        "loop": "once", %s}' "$1" "$2" "$3" >"$work/$2.json"
    run 0 pack "$work/$2.$1" "$work/$2.json"
}
animation bpk glow '"material_colors": [{"material": "paint",
    "R": [[0, 255, 0, -5], [30, 105, -5, 0]], "G": 100, "B": 50, "A": 255}]'
animation bva blink '"shapes": [{"visible": [1, 1, 1, 0]}]'
run 0 convert -q "$work/model.obj" "$work/model.bmd"
picture() { # name, words
    name=$1
    shift
    run 0 render -q "$@" "$work/$name.png" --size 64 --background '#204060'
}
picture rest "$work/model.bmd"
picture start "$work/model.bmd" "$work/glow.bpk"
picture middle "$work/model.bmd" "$work/glow.bpk" --time 0.5
picture late "$work/model.bmd" "$work/glow.bpk" --time 99
picture end "$work/model.bmd" "$work/glow.bpk" --time 1
differ() { ! cmp -s "$work/$1.png" "$work/$2.png"; }
truth "an animation moves the color from its first frame on" differ rest start
truth "and on" differ start middle
truth "its end holds" cmp -s "$work/late.png" "$work/end.png"
picture both "$work/model.bmd" "$work/glow.bpk" "$work/blink.bva" --time 0.5
picture hidden "$work/model.bmd" "$work/blink.bva" --time 0.5
truth "both play" cmp -s "$work/both.png" "$work/hidden.png"
truth "what is hidden is not seen" differ both middle
picture seen "$work/model.bmd" "$work/glow.bpk" "$work/blink.bva" --time 0.05
picture early "$work/model.bmd" "$work/glow.bpk" --time 0.05
truth "both play where both are seen" cmp -s "$work/seen.png" "$work/early.png"
run 0 convert -q "$work/model.bmd" "$work/glow.bpk" "$work/model.glb"
picture through "$work/model.glb" --animation glow --time 0.5
truth "through glTF it is the same" cmp -s "$work/through.png" "$work/middle.png"
# Two unnamed clips move a triangle by 5 along y, one up and one down. A number selects one.
{
    printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0'
    printf '\0\0\0\0\0\0\200\077'
    printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\240\100\0\0\0\0'
    printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\240\300\0\0\0\0'
} >"$work/clips.bin"
view() { printf '{"buffer":0,"byteOffset":%d,"byteLength":%d}' "$1" "$2"; }
accessor() { printf '{"bufferView":%d,"componentType":5126,"count":%d,"type":"%s"%s}' "$1" "$2" "$3" "$4"; }
clip() {
    printf '{"channels":[{"sampler":0,"target":{"node":%d,"path":"translation"}}],' "$1"
    printf '"samplers":[{"input":1,"output":%d}]}' "$2"
}
{
    printf '{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"nodes":[{"mesh":0},{"mesh":0}],'
    printf '"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],'
    printf '"buffers":[{"uri":"clips.bin","byteLength":92}],"bufferViews":[%s,%s,%s,%s],' \
        "$(view 0 36)" "$(view 36 8)" "$(view 44 24)" "$(view 68 24)"
    printf '"accessors":[%s,%s,%s,%s],' "$(accessor 0 3 VEC3 ',"min":[0,0,0],"max":[1,1,0]')" \
        "$(accessor 1 2 SCALAR ',"min":[0],"max":[1]')" "$(accessor 2 2 VEC3)" "$(accessor 3 2 VEC3)"
    printf '"animations":[%s,%s]}' "$(clip 0 2)" "$(clip 1 3)"
} >"$work/clips.gltf"
run 0 render --json "$work/clips.gltf" "$work/clip.png" --size 16 --animation 0 --time 1
says out '"minimum":[0.0,0.0,0.0],"maximum":[1.0,6.0,0.0]'
run 0 render --json "$work/clips.gltf" "$work/clip.png" --size 16 --animation 1 --time 1
says out '"minimum":[0.0,-5.0,0.0],"maximum":[1.0,1.0,0.0]'
run 0 render --json "$work/clips.gltf" "$work/clip.png" --size 16 --time 1
says out '"minimum":[0.0,0.0,0.0],"maximum":[1.0,6.0,0.0]'
# A name of two animations is an error; their numbers select one.
sed 's/{"channels"/{"name":"A","channels"/g' "$work/clips.gltf" >"$work/twice.gltf"
run 2 render "$work/twice.gltf" "$work/x.png" --size 16 --animation A --time 1
says err "2 animations are named 'A'; give a number, such as 0 or 1"
run 0 render --json "$work/twice.gltf" "$work/clip.png" --size 16 --animation 1 --time 1
says out '"minimum":[0.0,-5.0,0.0],"maximum":[1.0,1.0,0.0]'
run 2 view --once "$work/twice.gltf" --screenshot "$work/x.png" --size 16x16 --animation A
says err "2 animations are named 'A'; give a number, such as 0"
# Every readable file of the corpus is drawn and is not empty.
if [ -n "${FACET_CORPUS:-}" ]; then
    for file in "$FACET_CORPUS"/bga/*.bga "$FACET_CORPUS"/binarymesh/*.binarymesh \
        "$FACET_CORPUS"/bsm/*.bsm "$FACET_CORPUS"/gltf/*.gl* "$FACET_CORPUS"/j3d/*.b?? \
        "$FACET_CORPUS"/obj/*.obj "$FACET_CORPUS"/ply/*.ply "$FACET_CORPUS"/stl/*.[sS]*; do
        run 0 render -q "$file" "$work/real.png" --size 32 --json
        says out '"bounds"'
    done
fi
count=$((count + 1))
[ ! -e "$work/x.png" ] || { echo "FAILED: a picture of what was refused"; failures=$((failures + 1)); }
# Material variants, unlit: red by day and blue by night. A picture of a variant equals that of the
# file written with it.
cat >"$work/variants.gltf" <<'JSON'
{"asset":{"version":"2.0"},"extensionsUsed":["KHR_materials_variants","KHR_materials_unlit"],
"extensions":{"KHR_materials_variants":{"variants":[{"name":"day"},{"name":"night"}]}},
"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]},"extensions":{"KHR_materials_unlit":{}}},
{"pbrMetallicRoughness":{"baseColorFactor":[0,0,1,1]},"extensions":{"KHR_materials_unlit":{}}}],
"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
"bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,
"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0,
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0,"extensions":{"KHR_materials_variants":{
"mappings":[{"material":1,"variants":[1]}]}}}]}]}
JSON
run 0 info "$work/variants.gltf"
says out 'variants: "day" "night"'
run 0 render "$work/variants.gltf" "$work/day.png" --size 32 --variant day
run 0 render "$work/variants.gltf" "$work/night.png" --size 32 --variant night
run 0 render "$work/variants.gltf" "$work/none.png" --size 32
truth "day is what is seen without a variant" cmp -s "$work/day.png" "$work/none.png"
truth "night is another picture" sh -c '! cmp -s "$1" "$2"' - "$work/day.png" "$work/night.png"
run 0 convert "$work/variants.gltf" "$work/night.glb" --variant night
run 0 render "$work/night.glb" "$work/written.png" --size 32
truth "a variant that was written is drawn" cmp -s "$work/night.png" "$work/written.png"
run 2 convert "$work/variants.gltf" "$work/noon.glb" --variant noon
says err "no variant is named 'noon'; the scene has 2 variants"
truth "nothing is written without the variant" test ! -e "$work/noon.glb"

finish
