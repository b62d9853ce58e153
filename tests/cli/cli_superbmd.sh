#!/bin/sh
# A project in SuperBMD's layout, written by this script: a COLLADA file with SuperBMD's material
# names, materials.json, tex_headers.json, and the pictures next to them.
. "$(dirname "$0")/../support/cli.sh"

"$facet" formats | grep -q '^dae .* yes  *yes ' || { echo "skipped: COLLADA is not read"; exit 77; }

# Pictures from scratch: 4 x 4 texels of one color each, and a level of 2 x 2.
picture() { # name, three bytes: blue, green, red; 4 or 2
    if [ "$3" = 4 ]; then
        printf 'BM\146\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\004\000\000\000\004\000\000\000\001\000\030\000\000\000\000\000\060\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$work/$1.bmp"
        n=16
    else
        printf 'BM\106\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\002\000\000\000\002\000\000\000\001\000\030\000\000\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$work/$1.bmp"
        n=2
    fi
    i=0
    while [ $i -lt $n ]; do
        printf "$2" >>"$work/$1.bmp"
        i=$((i + 1))
        [ "$3" = 2 ] && { printf "$2\000\000" >>"$work/$1.bmp"; }
    done
    run 0 convert "$work/$1.bmp" "$work/$1.png"
    rm "$work/$1.bmp"
}
picture cup '\000\000\377' 4
picture leaf '\000\377\000' 4
picture leaf_mip1 '\377\377\377' 2
picture shine '\377\000\000' 4

# A triangle of a material, at a given x.
geometry() { # name
    cat <<XML
<geometry id="$1" name="$1"><mesh>
<source id="$1-p"><float_array id="$1-pa" count="9">0 0 0 1 0 0 0 1 0</float_array><technique_common>
<accessor source="#$1-pa" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<source id="$1-t"><float_array id="$1-ta" count="6">0 0 1 0 0 1</float_array><technique_common>
<accessor source="#$1-ta" count="3" stride="2"><param name="S" type="float"/><param name="T" type="float"/></accessor></technique_common></source>
<vertices id="$1-v"><input semantic="POSITION" source="#$1-p"/></vertices>
<triangles count="1" material="M"><input semantic="VERTEX" source="#$1-v" offset="0"/><input semantic="TEXCOORD" source="#$1-t" offset="0" set="0"/><p>0 1 2</p></triangles>
</mesh></geometry>
XML
}
node() { # geometry, material, x
    cat <<XML
<node id="node-$1" name="node-$1"><translate>$3 0 0</translate><instance_geometry url="#$1"><bind_material><technique_common><instance_material symbol="M" target="#$2"/></technique_common></bind_material></instance_geometry></node>
XML
}
material() { # name, picture
    cat <<XML
<effect id="$1-fx"><profile_COMMON><newparam sid="s"><surface type="2D"><init_from>$2-image</init_from></surface></newparam>
<newparam sid="i"><sampler2D><source>s</source></sampler2D></newparam>
<technique sid="c"><lambert><diffuse><texture texture="i" texcoord="UV"/></diffuse></lambert></technique></profile_COMMON></effect>
XML
}
collada() { # what stands in the scene
    cat <<XML
<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="1" name="meter"/><up_axis>Y_UP</up_axis></asset>
<library_images><image id="cup-image"><init_from>cup.png</init_from></image><image id="leaf-image"><init_from>leaf.png</init_from></image></library_images>
<library_effects>$(material m0all_cup_tx_v cup; material m1leaf_a_ leaf; material glow-material cup; material glas leaf)</library_effects>
<library_materials>
<material id="m0all_cup_tx_v" name="m0all_cup_tx_v"><instance_effect url="#m0all_cup_tx_v-fx"/></material>
<material id="m1leaf_a_" name="m1leaf_a_"><instance_effect url="#m1leaf_a_-fx"/></material>
<material id="glow-material" name="glow-material"><instance_effect url="#glow-material-fx"/></material>
<material id="glas" name="glas"><instance_effect url="#glas-fx"/></material>
</library_materials>
<library_geometries>$(geometry a; geometry b; geometry c; geometry d; geometry e)</library_geometries>
<library_visual_scenes><visual_scene id="S" name="S">$1</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#S"/></scene></COLLADA>
XML
}
collada "$(node a m0all_cup_tx_v 0; node b m1leaf_a_ 2; node c glow-material 4; node d m0all_cup_tx_v 6)" >"$work/model.dae"

# A material of one stage. The parameters differ in the tests below.
entry() { # name, textures, cull mode, indirect stages
    cat <<JSON
{"Name": "$1", "Flag": 1, "CullMode": "$3", "TextureNames": [$2],
 "IndTexEntry": {"HasLookup": false, "IndTexStageNum": 0, "TevStages": [$4]},
 "TexCoord1Gens": [{"Type": "Matrix2x4", "Source": "Tex0", "TexMatrixSource": "Identity"}],
 "TevOrders": [{"TexCoord": "TexCoord0", "TexMap": "TexMap0", "ChannelId": "Color0A0"}],
 "TevStages": [{"ColorInA": "TexColor", "ColorInB": "Zero", "ColorInC": "Zero", "ColorInD": "Zero",
  "ColorOp": "Add", "ColorBias": "Zero", "ColorScale": "Scale_1", "ColorClamp": true, "ColorRegId": "TevPrev",
  "AlphaInA": "TexAlpha", "AlphaInB": "Zero", "AlphaInC": "Zero", "AlphaInD": "Zero",
  "AlphaOp": "Add", "AlphaBias": "Zero", "AlphaScale": "Scale_1", "AlphaClamp": true, "AlphaRegId": "TevPrev"}]}
JSON
}
bias() {
    echo "{\"TevStage\": \"TevStage0\", \"IndTexFormat\": \"ITF_8\", \"IndTexBiasSel\": $1, \"IndTexMtxId\": \"ITM_OFF\", \"IndTexWrapS\": \"ITW_OFF\", \"IndTexWrapT\": \"ITW_OFF\", \"AddPrev\": false, \"UtcLod\": false, \"AlphaSel\": \"ITBA_OFF\"}"
}
{
    echo "["
    entry all_cup_tx_v '"cup:0"' Back "$(bias '"None"'), $(bias '"ITB_S"')"
    echo ","
    entry "leaf(a)" '"leaf:1", "shine"' None ""
    echo ","
    entry glow '"cup"' Front ""
    echo "]"
} >"$work/materials.json"
header() { # name, format, wrap, filter
    echo "{\"Name\": \"$1\", \"Format\": \"$2\", \"AlphaSetting\": 0, \"WrapS\": \"$3\", \"WrapT\": \"Repeat\", \"PaletteFormat\": \"IA8\", \"MipMap\": 1, \"EdgeLOD\": false, \"BiasClamp\": false, \"MaxAniso\": 0, \"MinFilter\": \"$4\", \"MagFilter\": \"Linear\", \"MinLOD\": 0.0, \"MaxLOD\": 1.0, \"LodBias\": 0.0}"
}
echo "[$(header leaf RGBA32 Repeat LinearMipmapLinear), $(header cup RGB565 Repeat Linear), $(header leaf RGBA32 ClampToEdge LinearMipmapLinear)]" >"$work/tex_headers.json"

# -- The project ---------------------------------------------------------

for kind in bmd bdl; do
    run 0 convert "$work/model.dae" "$work/model.$kind" --materials "$work/materials.json" --textures "$work/tex_headers.json" -v
    says err 'J3D-ONE-JOINT'
    says err 'J3D-JSON-RENAMED'
    says err 'as in the materials file (3 times)'
    run 0 check "$work/model.$kind"
    run 0 extract "$work/model.$kind" "$work/$kind"
done
names() { # key, file, which group of the expression
    sed -n "s/^.*\"$1\": \"\([^\"]*\)\".*$/\\${3:-1}/p" "$2" | tr '\n' ' '
}
values() { # key, file
    sed -n "s/^.*\"$1\": \([^,]*\),*$/\1/p" "$2" | tr '\n' ' '
}
is() { # what, expected, found
    truth "$1: $3 instead of $2" [ "$2" = "$3" ]
}
# The original names. The two cups are one material and one shape of one joint.
is materials 'all_cup_tx_v BACK glow FRONT leaf(a) NONE ' "$(names '\(name\|cullMode\)' "$work/bmd/materials.json" 2 | tr ' ' '\n' | paste - - | sort | tr '\t\n' '  ')"
is channels '2 2 2 ' "$(values channelCount "$work/bmd/materials.json")"
is joints '1' "$(grep -c '"scaleCompensate"' "$work/bmd/hierarchy.json")"
# The textures of the list in order, then others that a material names. The second header of "leaf"
# has the same texels. --textures gives the format, and the picture next to it the level.
is textures 'leaf cup leaf:1 shine ' "$(names name "$work/bmd/textures.json")"
is formats 'RGBA32 RGB565 RGBA32 CMPR ' "$(names format "$work/bmd/textures.json" | sed 's/facet-j3d-textures //')"
is wraps 'REPEAT REPEAT CLAMP REPEAT ' "$(names wrapS "$work/bmd/textures.json")"
is levels '2 1 2 1 ' "$(values levelCount "$work/bmd/textures.json")"
truth "the level by hand" grep -q '"leaf:1"' "$work/bmd/materials.json"
run 0 convert "$work/bmd/leaf.bti" "$work/leaf_back.glb"
# RGBA32: a block of 4 x 4 is 64 bytes, first alpha and red of each texel. Level 0 is green, level 1
# white: its first red is at 32 + 64 + 1.
is "levels of leaf" 'ff00 ffff' "$(od -An -tx1 -j32 -N2 "$work/bmd/leaf.bti" | tr -d ' ') $(od -An -tx1 -j96 -N2 "$work/bmd/leaf.bti" | tr -d ' ')"

# A palette without a stated format is that of the picture, and IA8 only if the list has it: leaf is
# green and opaque. Both entries of "leaf" share the texels.
echo '[{"Name": "leaf", "Format": "C8"}, {"Name": "leaf", "Format": "C8", "WrapS": "ClampToEdge"},
    {"Name": "cup", "Format": "C8", "PaletteFormat": "IA8"}]' >"$work/palettes.json"
run 0 convert "$work/model.dae" "$work/palettes.bmd" --materials "$work/materials.json" --textures "$work/palettes.json"
run 0 extract "$work/palettes.bmd" "$work/palettes"
is "palette formats" 'leaf RGB565 leaf:1 RGB565 cup IA8 ' "$(names '\(name\|paletteFormat\)' "$work/palettes/textures.json" 2 | sed 's/ shine .*/ /')"

# Sizes: leaf has a block of 64 bytes for each of two levels, cup and shine one block of 32 bytes.
run 0 info --sizes --json "$work/model.bmd"
is "sizes of textures" '128 128 32 32 ' "$(sed 's/.*"textures"://; s/].*//' "$work/out" | grep -o '"bytes": *[0-9]*' | tr -dc '0-9\n' | tr '\n' ' ')"
run 0 info --sizes "$work/model.bmd"
says out '[0] leaf'

# -- Presets that match nothing ------------------------------------------

{
    echo "["
    entry all_cup_tx_x '"cup"' Back ""
    echo ","
    entry glow '"cup"' Front ""
    echo "]"
} >"$work/other.json"
run 0 convert "$work/model.dae" "$work/other.bmd" --materials "$work/other.json"
says err 'the materials file names the material "all_cup_tx_x", which the model does not have; nearest to it: "m0all_cup_tx_v", '
run 1 convert "$work/model.dae" "$work/strict.bmd" --materials "$work/other.json" --strict
truth "strict.bmd is there" [ ! -e "$work/strict.bmd" ]

# -- The older numbering of biases ---------------------------------------

{
    echo "["
    entry all_cup_tx_v '"cup"' Back "$(bias '"ITB_T"'), $(bias '"ITB_S"'), $(bias '"ITB_STU"'), $(bias 7)"
    echo "]"
} >"$work/old.json"
run 0 convert "$work/model.dae" "$work/old.bmd" --materials "$work/old.json" -v
says err 'J3D-JSON-BIAS'
run 0 extract "$work/old.bmd" "$work/old"
# Until November 2020: ITB_S 0, ITB_T 1, ..., ITB_STU 6, and 7 without a name.
biases() {
    sed -n '/"indirect"/,/"name"/p' "$1" | sed -n 's/^.*"bias": "\([A-Z]*\)".*$/\1/p' | tr '\n' ' '
}
truth "old biases: $(biases "$work/old/materials.json")" expr "$(biases "$work/old/materials.json")" : '.*S NONE TU STU ' >/dev/null

# -- Skeletons -----------------------------------------------------------

collada "<node id=\"skeleton_root\" name=\"skeleton_root\"><node id=\"hip\" name=\"hip\"><node id=\"knee\" name=\"knee\"><translate>0 1 0</translate>$(node e glas 0)</node></node></node>$(node a m0all_cup_tx_v 8)" >"$work/rig.dae"
joints() {
    "$facet" extract "$1" "$work/joints" >/dev/null 2>&1
    sed -n '/"joints"/,/"shapes"/p' "$work/joints/hierarchy.json" | sed -n 's/^.*"name": "\([^"]*\)".*$/\1/p' | tr '\n' ' '
}
run 0 convert "$work/rig.dae" "$work/rig.bmd"
is "joints of a rig" 'hip knee node-e ' "$(joints "$work/rig.bmd")"
run 0 check "$work/rig.bmd"
run 0 info "$work/rig.bmd"
says out 'bounds: 0 0 0 to 9 2 0'
run 0 convert "$work/rig.dae" "$work/knee.bmd" --root knee
is "joints below knee" 'knee node-e ' "$(joints "$work/knee.bmd")"
run 0 info "$work/knee.bmd"
says out 'bounds: 0 0 0 to 9 2 0'
run 2 convert "$work/rig.dae" "$work/none.bmd" --root ankle
says err "no node has the name 'ankle'"

# -- Fewer joints and materials ------------------------------------------

run 0 convert "$work/model.dae" "$work/many.bmd"
run 0 convert "$work/model.dae" "$work/one.bmd" --one-joint
is "joints of nodes" 'root node-a node-b node-c node-d ' "$(joints "$work/many.bmd" | sed 's/^RootNode/root/; s/^S /root /')"
is "one joint" 'root ' "$(joints "$work/one.bmd")"
run 0 info "$work/one.bmd"
says out '3 meshes'
says out 'bounds: 0 0 0 to 7 1 0'
# "m0all_cup_tx_v" and "glow-material" show the same picture.
run 0 convert "$work/model.dae" "$work/merged.bmd" --one-joint --merge-materials
run 0 info "$work/merged.bmd"
says out '2 meshes'

# 64 cubes without a material give one joint, one material and one shape for any number of nodes.
i=0
while [ $i -lt 64 ]; do
    echo "o cube$i"
    for corner in '0 0 0' '1 0 0' '0 1 0' '1 1 0' '0 0 1' '1 0 1' '0 1 1' '1 1 1'; do
        set -- $corner
        echo "v $(($1 + 2 * i)) $2 $3"
    done
    b=$((8 * i))
    for face in '1 3 4 2' '5 6 8 7' '1 2 6 5' '3 7 8 4' '1 5 7 3' '2 4 8 6'; do
        set -- $face
        echo "f $((b + $1)) $((b + $2)) $((b + $3)) $((b + $4))"
    done
    i=$((i + 1))
done >"$work/cubes.obj"
run 0 convert "$work/cubes.obj" "$work/cubes.glb"
run 0 convert "$work/cubes.glb" "$work/cubes.bmd" --one-joint
is "joints of cubes" 'root ' "$(joints "$work/cubes.bmd")"
run 0 info "$work/cubes.bmd"
says out '1 mesh,'
says out '768 triangles, 1 material, 1 joint'

# info already reports what convert will report about a material.
echo '{"materials": [{"name": "glow-material", "mode": "TRANSLUCENT", "blend": {"type": "BLEND", "source": "ONE", "destination": "ONE"}}]}' >"$work/adds.json"
run 0 convert "$work/one.bmd" "$work/adds.bmd" --materials "$work/adds.json"
run 0 info --json "$work/adds.bmd"
says out 'additive or subtractive blending'
run 0 convert "$work/adds.bmd" "$work/adds.glb" -v
says err "'glow-material' looks slightly different, its extras hold the exact state: additive or subtractive blending"

# -- Units ---------------------------------------------------------------

# A unit of a model is a centimeter. The size 7 by 1 stays the same for a file in centimeters; for
# inches it becomes 7 * 2.54 by 2.54. Many programs write COLLADA in meters by mistake.
in_units() { # meters per unit, name
    sed "s/unit meter=\"1\" name=\"meter\"/unit meter=\"$1\" name=\"$2\"/" "$work/model.dae" >"$work/$2.dae"
    run 0 convert "$work/$2.dae" "$work/$2.bmd" --one-joint --quantize none -v
}
in_units 0.01 centimeter
lacks err J3D-UNITS
run 0 info "$work/centimeter.bmd"
says out 'bounds: 0 0 0 to 7 1 0'
in_units 0.0254 inch
says err 'J3D-UNITS'
says err 'a unit of the model is a centimeter: a length of 1 becomes 2.54; --scale 0.393701 keeps the numbers of the scene'
run 0 info "$work/inch.bmd"
says out 'bounds: 0 0 0 to 17.78'
in_units 1 meter
lacks err J3D-UNITS
run 0 info "$work/meter.bmd"
says out 'bounds: 0 0 0 to 7 1 0'
# glTF is in meters: the model is 0.07 long. The way back rounds nothing.
run 0 convert "$work/meter.bmd" "$work/meter.glb"
run 0 info "$work/meter.glb"
says out 'bounds: 0 0 0 to 0.07'
run 0 convert "$work/meter.glb" "$work/again.bmd" --quantize none
run 0 info "$work/again.bmd"
says out 'bounds: 0 0 0 to 7 1 0'

# -- Images next to a glTF --------------------------------------------------

mkdir "$work/shown"
run 0 convert "$work/model.bmd" "$work/shown/cup.gltf" --external-images
is "files beside the text" 'cup.bin cup.gltf cup.png leaf.png shine.png ' "$(cd "$work/shown" && ls | LC_ALL=C sort | tr '\n' ' ')"
run 0 check --strict "$work/shown/cup.gltf"
run 0 convert "$work/shown/cup.gltf" "$work/shown.bmd"
run 0 extract "$work/shown.bmd" "$work/shown/back"
is "textures and back" 'leaf cup leaf:1 shine ' "$(names name "$work/shown/back/textures.json")"
for picture in cup leaf shine; do
    truth "$picture.png is what it was" cmp "$work/bmd/$picture.png" "$work/shown/back/$picture.png"
done
run 2 convert "$work/model.bmd" "$work/cup.glb" --external-images
# Names that are equal on some systems, and characters that are invalid on others.
mkdir "$work/a" "$work/b" "$work/same"
cp "$work/cup.png" "$work/a/Skin:1.png"
cp "$work/leaf.png" "$work/b/skin:1.png"
printf 'newmtl x\nmap_Kd a/Skin:1.png\nnewmtl y\nmap_Kd b/skin:1.png\n' >"$work/same.mtl"
printf 'mtllib same.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl x\nf 1/1 2/1 3/1\nusemtl y\nf 3/1 2/1 1/1\n' >"$work/same.obj"
run 0 convert "$work/same.obj" "$work/same/a.gltf" --external-images
is "files of like names" 'Skin_1.png a.bin a.gltf skin_1.001.png ' "$(cd "$work/same" && ls | LC_ALL=C sort | tr '\n' ' ')"
truth "the second is the second" cmp "$work/leaf.png" "$work/same/skin_1.001.png"

# -- Billboards ----------------------------------------------------------

# Marks in the names of nodes and meshes, with one material.
cat >"$work/signs.gltf" <<END
{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0, 1, 2]}],
"nodes": [{"name": "flame_BillXY", "mesh": 0}, {"name": "post", "mesh": 0}, {"name": "tree", "mesh": 1}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]},
{"name": "tree.BillX.001", "primitives": [{"attributes": {"POSITION": 0}}]}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]}],
"bufferViews": [{"buffer": 0, "byteLength": 36}], "buffers": [{"byteLength": 36,
"uri": "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}
END
run 0 convert -v "$work/signs.gltf" "$work/signs.bmd"
says err "[J3D-BILLBOARD]: 'flame_BillXY' becomes a billboard that turns to the camera"
says err "[J3D-BILLBOARD]: 'tree.BillX.001' becomes a billboard that turns around its y axis"
run 0 check --strict "$work/signs.bmd"
run 0 extract "$work/signs.bmd" "$work/signs"
is "the types of shapes" 'BILLBOARD SINGLE Y_BILLBOARD ' \
    "$(grep -o '"\(SINGLE\|MULTI\|[A-Z_]*BILLBOARD\)"' "$work/signs/hierarchy.json" | tr -d '"' | tr '\n' ' ')"

# -- Folders -------------------------------------------------------------

mkdir "$work/presets" "$work/pictures"
{ echo "["; entry glow '"neon"' Front ""; echo "]"; } >"$work/presets/glow.json"
{ echo "["; entry of_another_model '"cup"' Back ""; echo "]"; } >"$work/presets/other.json"
cp "$work/shine.png" "$work/pictures/neon.png"
run 0 convert "$work/model.dae" "$work/folder.bmd" --material-dir "$work/presets" --texture-dir "$work/pictures"
run 0 extract "$work/folder.bmd" "$work/folder"
is "the preset of a folder" '"neon" ' "$(grep -o '"neon"' "$work/folder/materials.json" | tr '\n' ' ')"
truth "neon is a texture" [ -s "$work/folder/neon.png" ]
run 0 extract "$work/folder.bmd" "$work/folder/"
says err "$work/folder/materials.json: "
run 0 convert "$work/folder.bmd" "$work/again.bmd" --material-dir "$work/folder"
echo '[{"Name": 3}]' >"$work/presets/wrong.json"
run 1 convert "$work/model.dae" "$work/wrong.bmd" --material-dir "$work/presets"
says err 'wrong.json'

finish
