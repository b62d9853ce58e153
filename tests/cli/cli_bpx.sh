#!/bin/sh
# Extract and pack: textures, cube maps, shader packages, and names that try to leave the folder.
. "$(dirname "$0")/../support/cli.sh"

# A 3 x 2 and a 2 x 2 bitmap, 24 bits, rows of 12 and 8 bytes.
printf 'BM\116\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\003\000\000\000\002\000\000\000\001\000\030\000\000\000\000\000\030\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$work/odd.bmp"
head -c 24 /dev/zero >>"$work/odd.bmp"
printf 'BM\106\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\002\000\000\000\002\000\000\000\001\000\030\000\000\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$work/even.bmp"
printf '\001\002\003\004\005\006\000\000\007\010\011\012\013\014\000\000' >>"$work/even.bmp"

# Sides that are not powers of two are refused, except with an option to resize.
run 1 convert "$work/odd.bmp" "$work/t.bpx"
says err BPX-T-POWER
same() {
    count=$((count + 1))
    cmp "$1" "$2" || failures=$((failures + 1))
}
run 0 convert --resize "$work/odd.bmp" "$work/t.bpx"
run 0 check "$work/t.bpx"

# Pixels survive the round trip.
e="$work/even.bmp"
run 0 convert "$e" "$work/even.png"
run 0 convert "$e" "$work/t.bpx"
run 0 extract "$work/t.bpx" "$work/pixels"
same "$work/even.png" "$work/pixels/texture.png"

# A cube map needs six square pictures.
run 1 pack --cube "$work/cube.bpx" "$e" "$e"
run 2 pack "$work/a.png" "$work/b.png"
says err "pack makes BPX files"
run 0 pack --cube --mips 2 --gpu-compress "$work/cube.bpx" "$e" "$e" "$e" "$e" "$e" "$e"
run 0 check "$work/cube.bpx"
run 0 info "$work/cube.bpx"
says out 'cube yes'
run 0 extract "$work/cube.bpx" "$work/faces"
same "$work/even.png" "$work/faces/nz.png"

# Pack shaders and extract them.
printf '#version 330\nvoid main() { gl_Position = vec4(0); }\n' >"$work/v.glsl"
printf '#version 330\nout vec4 c;\nvoid main() { c = vec4(1); }\n' >"$work/p.glsl"
run 0 pack --gl 33 --vertex "$work/v.glsl" --pixel "$work/p.glsl" "$work/s.bpx"
run 0 check "$work/s.bpx"
run 0 extract "$work/s.bpx" "$work/shaders"
same "$work/v.glsl" "$work/shaders/vertex.glsl"
same "$work/p.glsl" "$work/shaders/pixel.glsl"

# A shader error names its file and line.
printf '#version 330\nvoid main() {\n    a = b;\n    c = d;\n}\n' >"$work/bad.glsl"
run 1 pack --vertex "$work/bad.glsl" --pixel "$work/p.glsl" "$work/none.bpx"
says err "bad.glsl:3: error [GLSL-SOURCE]"
says err "more error"
truth "nothing was written" [ ! -e "$work/none.bpx" ]
# Uniforms need no location, because no driver requires one.
printf '#version 330\nuniform mat4 m;\nin vec3 p;\nvoid main() { gl_Position = m * vec4(p, 1); }\n' >"$work/uniform.glsl"
run 0 pack --vertex "$work/uniform.glsl" --pixel "$work/p.glsl" "$work/uniform.bpx"
run 2 pack --gl 35 --vertex "$work/v.glsl" --pixel "$work/p.glsl" "$work/none.bpx"
run 1 pack --gl 32 --vertex "$work/v.glsl" --pixel "$work/p.glsl" "$work/none.bpx"
says err "need OpenGL 3.3"

# DirectX bytecode next to the GLSL shaders.
printf 'DXBCv' >"$work/v.dxbc"
printf 'DXBCp' >"$work/p.dxbc"
run 0 pack --vertex "$work/v.glsl" --pixel "$work/p.glsl" --dx 110 "$work/d.bpx" "$work/v.dxbc" "$work/p.dxbc"
run 0 check "$work/d.bpx"
run 0 info "$work/d.bpx"
says out "directx: least_version 110, vertex 3, pixel 4"
run 0 extract "$work/d.bpx" "$work/both"
same "$work/p.dxbc" "$work/both/pixel.dxbc"
same "$work/p.glsl" "$work/both/pixel.glsl"
run 2 pack --vertex "$work/v.glsl" --pixel "$work/p.glsl" --dx 110 "$work/none.bpx" "$work/v.dxbc"

# Texture arrays, also to standard output.
run 0 pack --array - "$e" "$e" "$e"
cp "$work/out" "$work/array.bpx"
run 0 check "$work/array.bpx"
run 0 extract "$work/array.bpx" "$work/layers"
same "$work/even.png" "$work/layers/2.png"
run 1 pack --mips 3 "$work/none.bpx" "$e"
says err BPX-T-MIPS

# Containers of other types: list, extract, add and copy sections.
run 0 pack --container C "$work/c.bpx" 7="$work/v.glsl" 200="$work/v.dxbc"
run 0 check --strict "$work/c.bpx"
run 0 info "$work/c.bpx"
says out "type 200"
run 0 pack --container C "$work/more.bpx" "$work/c.bpx" 9="$work/p.glsl"
run 0 convert "$work/more.bpx" "$work/copy.bpx"
same "$work/more.bpx" "$work/copy.bpx"
run 0 extract "$work/copy.bpx" "$work/sections"
same "$work/v.glsl" "$work/sections/section-1-type7.bin"
same "$work/v.dxbc" "$work/sections/section-2-type200.bin"
same "$work/p.glsl" "$work/sections/section-3-type9.bin"
run 2 pack --container CC "$work/none.bpx" 7="$work/v.glsl"
run 2 pack --container Q "$work/none.bpx" 7="$work/v.glsl"
says err "--container takes T, M, S, C or P, not 'Q'"
run 2 pack --container C "$work/none.bpx" 256="$work/v.glsl"

# le SIZE VALUE: a number, little-endian.
le() {
    size=$1 value=$2
    while [ "$size" -gt 0 ]; do
        printf "\\$(printf %03o $((value % 256)))"
        value=$((value / 256))
        size=$((size - 1))
    done
}

# package NAMES...: a package of version 1. Each file contains its own name.
package() {
    : >"$work/strings"
    : >"$work/data"
    for name in "$@"; do
        { le 8 "$(printf '%s' "$name" | wc -c)"; le 4 "$(wc -c <"$work/strings")"; } >>"$work/data"
        printf '%s' "$name" >>"$work/data"
        printf '%s\0' "$name" >>"$work/strings"
    done
    strings=$(wc -c <"$work/strings") data=$(wc -c <"$work/data")
    {
        printf BPXP
        le 4 0; le 8 0; le 4 2; le 4 1; le 16 0
        le 8 88; le 4 "$strings"; le 4 "$strings"; le 4 0; le 1 255; le 1 0; le 2 0
        le 8 $((88 + strings)); le 4 "$data"; le 4 "$data"; le 4 0; le 1 1; le 1 0; le 2 0
        cat "$work/strings" "$work/data"
    } >"$work/p.bpx"
}

# Names that try to leave the folder, to be a device, or to equal another name.
long=$(printf '%0300d' 0)
package '../../up.txt' '/absolute.txt' 'a/../../b.txt' '..\..\back.txt' 'C:\drive.txt' '..' '' \
    'same.txt' 'same.txt' 'nul' 'folder/CON.txt' 'dot.' "$(printf 'line\nfeed')" \
    "$(printf 'c1\302\233x')" "$(printf 'broken\377x')" "$long/x"
mkdir "$work/deep"
run 0 extract "$work/p.bpx" "$work/deep/out"
for name in up.txt absolute.txt a/b.txt back.txt C_/drive.txt same.txt same-2.txt _nul \
    folder/_CON.txt dot_ line_feed c1_x broken_x unnamed unnamed-2 "$(printf '%0200d' 0)/x"; do
    truth "$name was extracted" [ -f "$work/deep/out/$name" ]
done
truth "all files are there, and no others" \
    [ "$(find "$work/deep" -type f | wc -l)" = 16 ]
truth "nothing left the directory" [ ! -e "$work/up.txt" -a ! -e "$work/deep/up.txt" -a ! -e /absolute.txt ]

# A link in the folder is not followed.
mkdir "$work/target" "$work/linked"
ln -s "$work/target" "$work/linked/a"
run 3 extract "$work/p.bpx" "$work/linked"
truth "nothing was written through the link" [ -z "$(ls -A "$work/target")" ]

# A node that moves for 20,000 seconds: 600,001 frames of 64 bytes are 37 MiB.
cat >"$work/long.gltf" <<'GLTF'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"buffers":[{"byteLength":68,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAABAnEYAAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAA="}],"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":8},{"buffer":0,"byteOffset":44,"byteLength":24}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[20000]},{"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"}],"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":1,"output":2}]}]}
GLTF
run 1 convert --frames-limit 36 "$work/long.gltf" "$work/long.bpx"
says err "BPX-M-FRAME-RAW"
says err "36 are allowed (--frames-limit)"
run 0 convert --frames-limit 37 "$work/long.gltf" "$work/long.bpx"
finish
