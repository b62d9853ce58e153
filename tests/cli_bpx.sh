#!/bin/sh
# Extract and pack: textures, cube maps, shader packages, and names that try to
# leave the directory.
. "$(dirname "$0")/support/cli.sh"

# A 3 x 2 and a 2 x 2 bitmap, 24 bits, rows of 12 and 8 bytes.
printf 'BM\116\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\003\000\000\000\002\000\000\000\001\000\030\000\000\000\000\000\030\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$work/odd.bmp"
head -c 24 /dev/zero >>"$work/odd.bmp"
printf 'BM\106\000\000\000\000\000\000\000\066\000\000\000\050\000\000\000\002\000\000\000\002\000\000\000\001\000\030\000\000\000\000\000\020\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$work/even.bmp"
printf '\001\002\003\004\005\006\000\000\007\010\011\012\013\014\000\000' >>"$work/even.bmp"

# Sides that are no powers of two are refused, unless resizing is asked for.
run 1 convert "$work/odd.bmp" "$work/t.bpx"
says err BPX-T-POWER
same() {
    count=$((count + 1))
    cmp "$1" "$2" || failures=$((failures + 1))
}
run 0 convert --resize "$work/odd.bmp" "$work/t.bpx"
run 0 check "$work/t.bpx"

# Pixels come back as they were.
e="$work/even.bmp"
run 0 convert "$e" "$work/even.png"
run 0 convert "$e" "$work/t.bpx"
run 0 extract "$work/t.bpx" "$work/pixels"
same "$work/even.png" "$work/pixels/texture.png"

# A cube map is six squares.
run 1 pack --cube "$work/cube.bpx" "$e" "$e"
run 0 pack --cube --mips 2 --gpu-compress "$work/cube.bpx" "$e" "$e" "$e" "$e" "$e" "$e"
run 0 check "$work/cube.bpx"
run 0 info "$work/cube.bpx"
says out 'cube yes'
run 0 extract "$work/cube.bpx" "$work/faces"
same "$work/even.png" "$work/faces/nz.png"

# Shaders go in and come out.
printf '#version 330\nvoid main() { gl_Position = vec4(0); }\n' >"$work/v.glsl"
printf '#version 330\nout vec4 c;\nvoid main() { c = vec4(1); }\n' >"$work/p.glsl"
run 0 pack --gl 33 --vertex "$work/v.glsl" --pixel "$work/p.glsl" "$work/s.bpx"
run 0 check "$work/s.bpx"
run 0 extract "$work/s.bpx" "$work/shaders"
same "$work/v.glsl" "$work/shaders/vertex.glsl"
same "$work/p.glsl" "$work/shaders/pixel.glsl"
finish
