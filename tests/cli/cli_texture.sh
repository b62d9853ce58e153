#!/bin/sh
# Images to GX textures and back.
. "$(dirname "$0")/../support/cli.sh"

# A TGA of 8 x 4, 24 bits, top row first: two colors that five and six bits store exactly.
printf '\000\000\002\000\000\000\000\000\000\000\000\000\010\000\004\000\030\040' >"$work/a.tga"
for row in 1 2 3 4; do
    printf '\377\000\000\000\377\000\377\000\000\000\377\000\377\000\000\000\377\000\377\000\000\000\377\000' >>"$work/a.tga"
done
run 0 convert "$work/a.tga" "$work/a.png"

# Opaque colors become CMPR, which stores two of them exactly.
run 0 convert "$work/a.tga" "$work/a.bti"
run 0 check --strict "$work/a.bti"
says out "0 errors, 0 warnings"
run 0 info --json "$work/a.bti"
says out '"format":"bti"'
says out '"format":"CMPR"'
says out '"levels":1'
run 0 convert "$work/a.bti" "$work/back.png"
says err LOSS-EXTRAS
truth "the picture is the same" cmp "$work/a.png" "$work/back.png"

# Each format by name.
for format in RGB565 RGB5A3 RGBA32 C4 C8 C14X2 cmpr rgba8; do
    run 0 convert --texture-format "$format" "$work/a.tga" "$work/b.bti"
    run 0 check --strict "$work/b.bti"
    run 0 convert "$work/b.bti" "$work/back.png"
    truth "$format holds the picture" cmp "$work/a.png" "$work/back.png"
done
run 0 convert --texture-format I8 --dither "$work/a.tga" "$work/b.bti"
says err LOSS-PIXELS

# Mip levels: 8 x 4, 4 x 2, 2 x 1, 1 x 1.
run 0 convert --mips auto "$work/a.tga" "$work/mips.bti"
run 0 info --json "$work/mips.bti"
says out '"levels":4'
says out '"min_filter":"LIN_MIP_LIN"'
truth "its size" [ "$(wc -c <"$work/mips.bti")" = $((32 + 4 * 32)) ]
run 0 check --strict "$work/mips.bti"

# A copy is the same file. Options change it.
run 0 convert "$work/mips.bti" "$work/copy.bti"
truth "a copy is equal" cmp "$work/mips.bti" "$work/copy.bti"
run 0 convert --mips 2 "$work/mips.bti" "$work/two.bti"
run 0 info --json "$work/two.bti"
says out '"levels":2'
run 0 convert --texture-format auto "$work/mips.bti" "$work/auto.bti"

# A picture that replaces a texture keeps the header's format, palette, levels and wrap. Bytes 6 and
# 7 are the wraps (clamp, mirror), 9 is the palette format, 24 the number of levels.
run 0 convert --texture-format C8 --mips 2 "$work/a.tga" "$work/over.bti"
printf '\000\002' | dd of="$work/over.bti" bs=1 seek=6 conv=notrunc 2>/dev/null
cp "$work/over.bti" "$work/before.bti"
printf '\000\000\002\000\000\000\000\000\000\000\000\000\010\000\004\000\030\040' >"$work/plain.tga"
head -c 96 /dev/zero >>"$work/plain.tga"
run 0 convert -v "$work/plain.tga" "$work/over.bti"
says err BTI-KEPT
truth "another picture" sh -c "! cmp -s '$work/over.bti' '$work/before.bti'"
run 0 info --json "$work/over.bti"
says out '"format":"C8"'
says out '"levels":2'
says out '"wrap_s":"CLAMP"'
says out '"wrap_t":"MIRROR"'
run 0 check --strict "$work/over.bti"
run 0 convert --texture-format I8 --mips 1 "$work/plain.tga" "$work/over.bti"
run 0 info --json "$work/over.bti"
says out '"format":"I8"'
says out '"levels":1'
says out '"wrap_t":"MIRROR"'
# A truncated texture cannot be read, so the whole file is replaced.
head -c 40 "$work/before.bti" >"$work/cut.bti"
run 0 convert -v "$work/plain.tga" "$work/cut.bti"
lacks err BTI-KEPT
run 0 check --strict "$work/cut.bti"
mkdir "$work/textures" && cp "$work/before.bti" "$work/textures/t.bti"
run 0 pack "$work/textures.arc" "$work/textures"
run 0 convert "$work/plain.tga" "$work/textures.arc/t.bti"
run 0 info --json "$work/textures.arc/t.bti"
says out '"format":"C8"'
says out '"wrap_t":"MIRROR"'

# glTF stores the header and the first level, and both return.
run 0 convert "$work/mips.bti" "$work/mips.glb"
run 0 convert "$work/mips.glb" "$work/again.bti"
head -c 64 "$work/mips.bti" >"$work/head"
head -c 64 "$work/again.bti" >"$work/head-again"
truth "header and first level survive glTF" cmp "$work/head" "$work/head-again"

# The number of threads changes nothing.
run 0 convert -j 1 --mips auto "$work/a.tga" "$work/one.bti"
truth "threads change nothing" cmp "$work/mips.bti" "$work/one.bti"

# Wrap modes and filters: only bytes 6, 7, 20 and 21 of the header change.
cp "$work/mips.bti" "$work/expected.bti"
printf '\002\002' | dd of="$work/expected.bti" bs=1 seek=6 conv=notrunc 2>/dev/null
printf '\004\000' | dd of="$work/expected.bti" bs=1 seek=20 conv=notrunc 2>/dev/null
run 0 convert --texture-wrap mirror --texture-filter near_mip_lin "$work/mips.bti" "$work/set.bti"
truth "the sampler, and only it" cmp "$work/expected.bti" "$work/set.bti"
run 0 convert --texture-set 'm?p*:wrap=MIRROR,filter=NEAR_MIP_LIN' --texture-set 'x*:wrap=CLAMP' \
    "$work/mips.bti" "$work/set.bti"
truth "the same by name" cmp "$work/expected.bti" "$work/set.bti"
says err "texture setting 'x*:wrap=CLAMP' matches no texture"
run 0 convert --texture-set '*:wrapS=REPEAT' --texture-set '*:wrapT=CLAMP' "$work/set.bti" "$work/two.bti"
run 0 info --json "$work/two.bti"
says out '"wrap_s":"REPEAT"'
says out '"wrap_t":"CLAMP"'
# A setting with another format encodes the texture as a conversion of its picture does.
run 0 convert --texture-set '*:format=C8,mips=auto' "$work/mips.bti" "$work/set.bti"
run 0 convert --texture-format C8 --mips auto "$work/a.png" "$work/c8.bti"
truth "the same texture" cmp "$work/set.bti" "$work/c8.bti"
# A picture of 6 x 4 cannot repeat.
head -c 90 "$work/plain.tga" >"$work/six.tga"
printf '\006' | dd of="$work/six.tga" bs=1 seek=12 conv=notrunc 2>/dev/null
run 0 convert "$work/six.tga" "$work/six.bti"
lacks err warning
run 0 convert --texture-wrap repeat "$work/six.tga" "$work/six.bti"
says err "6 x 4 texels, and repeats"
run 0 convert --texture-set 's*:wrap=MIRROR' "$work/six.bti" "$work/six2.bti"
says err "6 x 4 texels, and repeats"
# The same picture over a texture: its texels stay, also those of other encoders and mip levels.
run 0 convert --texture-format CMPR --mips 2 "$work/a.tga" "$work/foreign.bti"
printf '\252' | dd of="$work/foreign.bti" bs=1 seek=70 conv=notrunc 2>/dev/null
cp "$work/foreign.bti" "$work/before.bti"
run 0 convert "$work/foreign.bti" "$work/foreign.png"
run 0 convert "$work/foreign.png" "$work/foreign.bti"
truth "no texel changes" cmp "$work/before.bti" "$work/foreign.bti"

for setting in 'a:wrap=TILE' 'a:filter=SHARP' 'a:format=DXT1' 'a:format=auto' 'a:mips=12' 'a:tile=1' 'a' ':wrap=CLAMP' 'a:wrap' \
    'a:wrap=CLAMP,'; do
    run 2 convert --texture-set "$setting" "$work/a.tga" "$work/no.bti"
    says err "--texture-set"
    says err "texture setting '$setting': "
done
run 2 convert --texture-set "a:wrap=TILE" "$work/a.tga" "$work/no.bti"
says err "wrap is 'TILE' (valid: CLAMP, REPEAT, MIRROR)"
run 2 convert --texture-wrap tile "$work/a.tga" "$work/no.bti"
says err "--texture-wrap takes clamp, repeat or mirror, not 'tile'"

# Extract writes the picture and its header.
run 0 extract "$work/a.bti" "$work/pieces"
truth "the picture" cmp "$work/a.png" "$work/pieces/a.png"
truth "its header" grep -q CMPR "$work/pieces/textures.json"

# Wrong command lines and wrong inputs.
run 2 convert --texture-format DXT1 "$work/a.tga" "$work/no.bti"
says err "--texture-format takes auto"
run 2 convert --mips 0 "$work/a.tga" "$work/no.bti"
says err "--mips takes auto or 1 to 11"
run 2 convert --dither "$work/a.tga" "$work/no.png"
says err "--dither is for"
printf 'no format begins like this' >"$work/unknown.bin"
run 1 convert "$work/unknown.bin" "$work/no.bti"
says err FORMAT-UNKNOWN
head -c 40 "$work/a.bti" >"$work/short.bti"
run 1 check "$work/short.bti"
says out BTI-IMAGE
run 1 convert "$work/short.bti" "$work/no.png"
truth "nothing was written" [ ! -e "$work/no.bti" -a ! -e "$work/no.png" ]
# An image whose header claims 20,000 x 20,000 pixels is an error in each format of images, and
# --growth-limit raises the limit. TGA: type 2, 32 bits. PNG: IHDR and nothing else.
printf 'mtllib large.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n' >"$work/large.obj"
printf '\000\000\002\000\000\000\000\000\000\000\000\000\040\116\040\116\040\000' >"$work/large.tga"
head -c 2000 /dev/zero >>"$work/large.tga"
printf '\211PNG\r\n\032\n\000\000\000\015IHDR\000\000\116\040\000\000\116\040\010\006\000\000\000\343\160\106\071' >"$work/large.png"
for ending in tga png; do
    printf 'newmtl m\nmap_Kd large.%s\n' "$ending" >"$work/large.mtl"
    run 1 convert "$work/large.obj" "$work/large.bmd"
    says err "more than 2048 bytes each; --growth-limit raises it"
done

finish
