#!/bin/sh
# Fewer triangles, levels of detail, smaller glTF, and timings.
. "$(dirname "$0")/../support/cli.sh"

# A hill of 20 x 20 fields: 800 triangles, 441 vertices.
awk 'BEGIN {
    for (y = 0; y <= 20; y++) for (x = 0; x <= 20; x++)
        printf "v %g %g %g\n", x, y, 10 * exp(-((x - 10) ^ 2 + (y - 10) ^ 2) / 20)
    for (y = 0; y < 20; y++) for (x = 1; x <= 20; x++) {
        i = y * 21 + x
        printf "f %d %d %d %d\n", i, i + 1, i + 22, i + 21
    }
}' >"$work/hill.obj"

run 0 convert "$work/hill.obj" "$work/hill.bsm" --simplify 0.25
says err "simplified to 199 triangles" # an edge inside takes two along: 200 at most
says err "the surface moved by about"
run 0 info "$work/hill.bsm"
says out "199 triangles"
run 0 convert "$work/hill.obj" "$work/hill.bsm" --simplify 100
says err "simplified to 100 triangles"
run 0 convert "$work/hill.obj" "$work/hill.bsm" --max-vertices 60
run 0 info "$work/hill.bsm" --json
vertices=$(sed -n 's/.*"vertices": *\([0-9]*\).*/\1/p' "$work/out" | head -1)
[ "$vertices" -le 60 ] || { echo "FAILED: $vertices vertices, 60 are allowed"; failures=1; }
run 0 convert "$work/hill.obj" "$work/hill.bsm" --simplify 2 --simplify-error 0.0001 -v
says err "REDUCE-LEFT"
run 2 convert "$work/hill.obj" "$work/hill.bsm" --simplify-error 2

# A rough ball with the normals of a smooth one. Some triangles of the reduced one face inward, and get
# separate normals.
awk 'BEGIN {
    n = 24; m = 12; pi = 3.14159265
    for (y = 1; y < m; y++) for (x = 0; x < n; x++) {
        r = 1 + (x * 7 + y * 13 + x * y * 5) % 11 / 20; t = pi * y / m; p = 2 * pi * x / n
        a = sin(t) * cos(p); b = sin(t) * sin(p); c = cos(t)
        printf "v %g %g %g\nvn %g %g %g\n", r * a, r * b, r * c, a, b, c
    }
    for (y = 0; y < m - 2; y++) for (x = 0; x < n; x++) {
        i = y * n + x + 1; j = y * n + (x + 1) % n + 1; k = i + n; l = j + n
        printf "f %d//%d %d//%d %d//%d\nf %d//%d %d//%d %d//%d\n", i, i, k, k, l, l, i, i, l, l, j, j
    }
}' >"$work/ball.obj"
run 0 convert "$work/ball.obj" "$work/ball.bsm" --simplify 0.3
says err "MESH-FACING"
run 0 check "$work/ball.bsm"
truth "no triangle faces away from its normals" [ "$(grep -c BSM-TRI-WINDING "$work/out")" = 0 ]

# Levels of detail: files next to OUT, or nodes of one glTF.
run 0 convert "$work/hill.obj" "$work/hill.bsm" --lods 2
says err "3 files"
run 0 info "$work/hill.bsm"
says out "800 triangles"
run 0 info "$work/hill-lod1.bsm"
says out "400 triangles"
run 0 check --strict "$work/hill-lod2.bsm"
run 0 info "$work/hill-lod2.bsm"
says out "199 triangles"
run 2 convert "$work/hill.obj" "$work/hill.bsm" --lods 9
run 2 convert "$work/hill.obj" "$work/hill.bsm" --lods 2 --split
run 2 convert "$work/hill.obj" --to bsm - --lods 2
run 0 convert "$work/hill.obj" "$work/hill.glb" --lods 2
run 0 info "$work/hill.glb"
says out "3 meshes"
says out "MSFT_lod"
[ -e "$work/hill-lod1.glb" ] && { echo "FAILED: hill-lod1.glb is there"; failures=1; }

# Smaller glTF.
run 0 convert "$work/hill.obj" "$work/plain.glb"
run 0 convert "$work/hill.obj" "$work/small.glb" --quantize-mesh --compress-mesh --tangents
says err "optimize"
run 0 check --strict "$work/small.glb"
run 0 info "$work/small.glb"
says out "EXT_meshopt_compression"
says out "KHR_mesh_quantization"
[ "$(wc -c <"$work/small.glb")" -lt $(($(wc -c <"$work/plain.glb") / 2)) ] ||
    { echo "FAILED: small.glb is not half of plain.glb"; failures=1; }
run 0 convert "$work/small.glb" "$work/back.obj"
run 2 convert --quantize "$work/hill.obj" "$work/small.glb"
says err "for glb, gltf use --quantize-mesh"
run 2 convert "$work/hill.obj" "$work/hill.bsm" --quantize-mesh
says err "--quantize-mesh is for glb, gltf files"

# Timings: a table on stderr, or an object after the others.
run 0 convert -q "$work/hill.obj" "$work/hill.bsm" --timings
says err "tangents"
says err "commit"
says err "MiB"
run 0 check --json "$work/hill.bsm" --timings
says out '"timings"'
says out '"step"'
says out '"peak_bytes"'
[ "$(wc -l <"$work/out")" = 2 ] || { echo "FAILED: not two lines of JSON"; failures=1; }

# A sphere of spikes: the boxes of needles overlap, so many are near each point. Beyond the limit of
# the work triangles count as outside, with a warning.
awk 'BEGIN { n = 20; m = 40; pi = 3.14159265; print "v 0 0 1"
    for (i = 1; i < n; i++) for (j = 0; j < m; j++) {
        t = pi * i / n; a = 2 * pi * j / m; r = (i + j) % 2 ? 1 : 0.2
        print "v", r * sin(t) * cos(a), r * sin(t) * sin(a), r * cos(t) }
    print "v 0 0 -1"; last = 2 + (n - 1) * m
    for (j = 0; j < m; j++) { k = (j + 1) % m
        print "f 1", 2 + j, 2 + k; print "f", last, last - m + k, last - m + j
        for (i = 0; i < n - 2; i++) {
            print "f", 2 + i * m + j, 2 + (i + 1) * m + j, 2 + (i + 1) * m + k
            print "f", 2 + i * m + j, 2 + (i + 1) * m + k, 2 + i * m + k } } }' >"$work/star.obj"
run 0 convert --occluder 0.5 --growth-limit 1 "$work/star.obj" "$work/star.bsm"
says err "warning [OCCLUDER-LIMIT]"
run 0 convert --occluder 0.5 "$work/star.obj" "$work/star.bsm"
lacks err OCCLUDER-LIMIT # the default limit is enough

finish
