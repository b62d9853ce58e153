#!/bin/sh
# Replace textures of a model: nothing else changes.
. "$(dirname "$0")/../support/cli.sh"

check() { # what, command...
    what=$1
    shift
    count=$((count + 1))
    "$@" || { echo "FAILED: $what"; failures=$((failures + 1)); }
}
same() { check "$1 and $2 differ" cmp -s "$1" "$2"; }

# Pictures of 2 x 2 and 4 x 4 texels, written from scratch, and a model with the first.
printf 'BM\106\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\002\000\000\000\002\000\000\000\001\000\030\000\000\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$work/skin.bmp"
printf '\001\002\003\004\005\006\000\000\007\010\011\012\013\014\000\000' >>"$work/skin.bmp"
run 0 convert "$work/skin.bmp" "$work/skin.png"
cp "$work/skin.bmp" "$work/other.bmp" && printf "\377\377\377" | dd of="$work/other.bmp" bs=1 seek=54 conv=notrunc 2>/dev/null
run 0 convert "$work/other.bmp" "$work/other.png"
cat >"$work/square.mtl" <<END
newmtl wall
Kd 1 1 1
map_Kd skin.png
END
cat >"$work/square.obj" <<END
mtllib square.mtl
v 0 0 0
v 1 0 0
v 1 1 0
vt 0 0
vt 1 0
vt 1 1
usemtl wall
f 1/1 2/2 3/3
END
run 0 convert "$work/square.obj" "$work/a.bdl"

# Extracting and replacing by the same picture gives the same file.
run 0 extract "$work/a.bdl" "$work/a"
run 0 convert "$work/a.bdl" "$work/same.bdl" --texture-dir "$work/a"
same "$work/a.bdl" "$work/same.bdl"
run 0 convert "$work/a.bdl" "$work/same.bdl" --texture "skin=$work/a/skin.png"
same "$work/a.bdl" "$work/same.bdl"
run 0 convert "$work/a.bdl" "$work/same.bdl" --texture "skin=$work/a/skin.bti"
same "$work/a.bdl" "$work/same.bdl"

# Another picture of the same size is extracted again. Materials, shapes and the size of the file do
# not change.
run 0 convert "$work/a.bdl" "$work/b.bdl" --texture "skin=$work/other.png"
run 0 check "$work/b.bdl"
run 0 extract "$work/b.bdl" "$work/b"
same "$work/a/materials.json" "$work/b/materials.json"
same "$work/a/textures.json" "$work/b/textures.json"
same "$work/a/hierarchy.json" "$work/b/hierarchy.json"
check "the picture is the old one" test "$(cmp "$work/a/skin.bti" "$work/b/skin.bti" | wc -l)" = 1
check "more than the texture changed" test "$(wc -c <"$work/a.bdl")" = "$(wc -c <"$work/b.bdl")"
# All bytes before TEX1 are the same. Only MDL3 follows it, and its sizes are the same.
cmp -l "$work/a.bdl" "$work/b.bdl" | awk '{print $1}' >"$work/bytes"
tex1=$(grep -abo TEX1 "$work/a.bdl" | cut -d: -f1)
check "a byte before TEX1 changed" awk -v from="$tex1" '$1 <= from { bad = 1 } END { exit bad }' "$work/bytes"
# Replace the picture by the original.
run 0 convert "$work/b.bdl" "$work/c.bdl" --texture "skin=$work/a/skin.bti"
same "$work/a.bdl" "$work/c.bdl"
# The same with a folder. If a picture and a BTI show the same, the BTI is used, for its exact
# bytes.
run 0 convert "$work/b.bdl" "$work/c.bdl" --texture-dir "$work/a"
same "$work/a.bdl" "$work/c.bdl"
# An edited picture takes precedence over the BTI next to it.
cp -r "$work/a" "$work/edited" && cp "$work/other.png" "$work/edited/skin.png"
run 0 convert "$work/a.bdl" "$work/c.bdl" --texture-dir "$work/edited"
same "$work/b.bdl" "$work/c.bdl"

# Another size: the baked packets change as if the materials were baked with the new texture.
run 0 convert "$work/a.bdl" "$work/d.bdl" --texture "skin=$work/a/skin.png" --texture-format RGBA32
run 0 check --strict "$work/d.bdl"
run 0 extract "$work/d.bdl" "$work/d"
check "the format is not the one asked for" grep -q RGBA32 "$work/d/textures.json"
run 0 convert "$work/d.bdl" "$work/d.bmd"
run 0 convert "$work/d.bmd" "$work/baked.bdl"
same "$work/d.bdl" "$work/baked.bdl"
# Add and remove palettes: the packets load them as if the materials were baked again.
for from in C4 C8 C14X2 CMPR; do
    for to in C4 C8 RGB565; do
        run 0 convert "$work/a.bdl" "$work/p.bdl" --texture "skin=$work/other.png" --texture-format $from
        run 0 check --strict "$work/p.bdl"
        run 0 convert "$work/p.bdl" "$work/q.bdl" --texture "skin=$work/skin.png" --texture-format $to
        run 0 check --strict "$work/q.bdl"
        run 0 convert "$work/q.bdl" "$work/q.bmd"
        run 0 convert "$work/q.bmd" "$work/baked.bdl"
        same "$work/q.bdl" "$work/baked.bdl"
    done
done
# Games load 256 colors of a palette. 32 x 32 texels of 1,024 reds and greens: C14X2 keeps more,
# C8 does not. TGA stores blue, green and red.
printf '\000\000\002\000\000\000\000\000\000\000\000\000\040\000\040\000\030\000' >"$work/many.tga"
# shellcheck disable=SC2059
printf "$(awk 'BEGIN { for (i = 0; i < 1024; i++) printf "\\000\\%03o\\%03o", int(i / 32) * 8, i % 32 * 8 }')" \
    >>"$work/many.tga"
run 0 convert "$work/a.bdl" "$work/p.bdl" --texture "skin=$work/many.tga" --texture-format C14X2
says err J3D-TEX1-PALETTE-COUNT
run 1 check --strict "$work/p.bdl"
run 0 convert "$work/a.bdl" "$work/p.bdl" --texture "skin=$work/many.tga" --texture-format C8
lacks err J3D-TEX1-PALETTE-COUNT # 256 colors are not too many
run 0 check --strict "$work/p.bdl"
# Return from another format.
run 0 convert "$work/d.bdl" "$work/c.bdl" --texture-dir "$work/a"
same "$work/a.bdl" "$work/c.bdl"

# Settings: a sampler changes without the texels, and the packets as if they were baked from it.
run 0 convert "$work/a.bdl" "$work/w.bdl" --texture-wrap mirror --texture-set 'sk*:filter=NEAR'
run 0 check --strict "$work/w.bdl"
run 0 extract "$work/w.bdl" "$work/w"
same "$work/a/skin.png" "$work/w/skin.png"
check "the wrap mode is another" test "$(grep -c '"wrap[ST]": "MIRROR"' "$work/w/textures.json")" = 2
check "the filter is another" test "$(grep -c 'Filter": "NEAR"' "$work/w/textures.json")" = 2
run 0 convert "$work/w.bdl" "$work/w.bmd"
run 0 convert "$work/w.bmd" "$work/baked.bdl"
same "$work/w.bdl" "$work/baked.bdl"
# --resize makes the sides of the new picture powers of two, at most 1024. The model is a copy still.
printf '\000\000\003\000\000\000\000\000\000\000\000\000\062\000\036\000\010\000' >"$work/odd.tga" # 50 x 30
head -c 1500 /dev/zero >>"$work/odd.tga"
printf '\000\000\003\000\000\000\000\000\000\000\000\000\000\010\010\000\010\000' >"$work/big.tga" # 2048 x 8
head -c 16384 /dev/zero >>"$work/big.tga"
for size in odd:64:32 big:1024:8; do
    name=${size%%:*} sides=${size#*:}
    run 0 convert "$work/$name.tga" "$work/$name.png"
    for option in texture add-texture; do
        [ $option = texture ] && texture=skin || texture=new
        run 0 convert "$work/a.bdl" "$work/r.bdl" --$option "$texture=$work/$name.png" --resize
        says err "copied to"
        run 0 info --json "$work/r.bdl"
        says out "\"width\":${sides%:*},\"height\":${sides#*:}"
        run 0 check "$work/r.bdl"
        lacks out TEX1-SIDES
    done
done
run 1 convert "$work/a.bdl" "$work/r.bdl" --texture "skin=$work/big.png"
says err GX-SIZE
# So do the pictures of a folder.
for size in odd:64:32 big:1024:8; do
    name=${size%%:*} sides=${size#*:}
    mkdir -p "$work/folder"
    cp "$work/$name.png" "$work/folder/skin.png"
    run 0 convert "$work/a.bdl" "$work/r.bdl" --texture-dir "$work/folder" --resize
    says err "copied to"
    run 0 info --json "$work/r.bdl"
    says out "\"width\":${sides%:*},\"height\":${sides#*:}"
    run 0 convert "$work/a.bdl" "$work/r.bdl" --texture-dir "$work/folder" --resize --like "$work/a.bdl"
    run 0 info --json "$work/r.bdl"
    says out "\"width\":${sides%:*},\"height\":${sides#*:}"
done
run 1 convert "$work/a.bdl" "$work/r.bdl" --texture-dir "$work/folder"
says err GX-SIZE
echo "no picture" >"$work/folder/skin.png"
run 1 convert "$work/a.bdl" "$work/r.bdl" --texture-dir "$work/folder" --resize
says err skin.png
# A format by name is that of --texture with the same picture.
run 0 convert "$work/a.bdl" "$work/w.bdl" --texture-set 'skin:format=RGBA32'
same "$work/d.bdl" "$work/w.bdl"
# Other names: a copy.
run 0 convert "$work/a.bdl" "$work/w.bdl" --texture-set 'skin?:format=RGBA32'
same "$work/a.bdl" "$work/w.bdl"
says err GX-SETTING-UNUSED
# If a texture is replaced, options for all textures are for that one, settings for every name.
run 0 convert "$work/a.bdl" "$work/e.bdl" --add-texture "glow=$work/other.png" --texture-wrap mirror --texture-set '*:filter=near'
run 0 extract "$work/e.bdl" "$work/e"
check "one texture is mirrored" test "$(grep -c '"wrapS": "MIRROR"' "$work/e/textures.json")" = 1
check "both filters are near" test "$(grep -c '"minFilter": "NEAR"' "$work/e/textures.json")" = 2
run 0 convert "$work/a.bdl" "$work/w.bdl" --texture "skin=$work/b/skin.bti" --texture-wrap clamp
run 0 extract "$work/w.bdl" "$work/w"
check "a BTI gets the wrap mode" test "$(grep -c '"wrap[ST]": "CLAMP"' "$work/w/textures.json")" = 2
# A scene: as with the options for all textures, or as if the model was changed afterwards.
run 0 convert "$work/square.obj" "$work/w.bdl" --texture-set 'skin:format=RGBA32,filter=near'
run 0 convert "$work/square.obj" "$work/c.bdl" --texture-format RGBA32 --texture-filter near
same "$work/w.bdl" "$work/c.bdl"
run 0 convert "$work/square.obj" "$work/w.bdl" --texture-wrap mirror
run 0 convert "$work/a.bdl" "$work/c.bdl" --texture-wrap mirror
same "$work/w.bdl" "$work/c.bdl"

# --like: a wrap mode edited in a GLB (33071: clamp, 33648: mirror) is stored in the texture, and
# printed. It gives the same file as the option.
run 0 convert "$work/a.bdl" "$work/l.bdl" --texture-wrap clamp
run 0 convert "$work/l.bdl" "$work/l.glb"
LC_ALL=C sed 's/33071/33648/g' "$work/l.glb" >"$work/edited.glb"
run 0 convert "$work/edited.glb" "$work/m.bdl" --like "$work/l.bdl"
says err "texture 'skin' was edited: it has wraps MIRROR, MIRROR"
run 0 convert "$work/l.bdl" "$work/c.bdl" --texture-wrap mirror
same "$work/m.bdl" "$work/c.bdl"
run 0 convert "$work/l.glb" "$work/m.bdl" --like "$work/l.bdl" --texture-set 'skin:wrap=mirror'
same "$work/m.bdl" "$work/c.bdl"

# A new texture is appended. --add-texture needs a new name, --texture an existing one.
run 0 convert "$work/a.bdl" "$work/e.bdl" --add-texture "glow=$work/other.png"
run 0 extract "$work/e.bdl" "$work/e"
check "there is no new texture" test -s "$work/e/glow.png"
run 2 convert "$work/a.bdl" "$work/f.bdl" --texture "glow=$work/other.png"
run 2 convert "$work/a.bdl" "$work/f.bdl" --add-texture "skin=$work/other.png"
run 2 convert "$work/a.bdl" "$work/f.bdl" --texture "$work/other.png"
run 1 convert "$work/a.bdl" "$work/f.bdl" --texture-dir "$work/nowhere"
check "something was written" test ! -e "$work/f.bdl"

finish
