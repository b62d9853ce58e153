#!/bin/sh
# examples.sh FOLDER FACET: run the examples of FOLDER (example_NAME) as their comments describe,
# and check their output with the facet program.
set -eu
folder=$1 facet=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "$*" >&2
    exit 1
}

# A torus in every format with meshes, each without an error.
"$folder/example_handmade" "$work" >"$work/made" 2>/dev/null
[ "$(wc -l <"$work/made")" -ge 9 ] || fail "handmade wrote too few files"
while read -r file; do
    "$facet" check -q "$file" >/dev/null || fail "$file has errors"
done <"$work/made"
# 48 x 24 quads of two triangles.
"$facet" info "$work/torus.bsm" | grep -q "2304 triangles" || fail "the torus has lost triangles"

# Load, prepare and save; then map; then the same in C++.
"$folder/example_compile" "$work/torus.obj" "$work/again.bsm" 2>/dev/null
"$folder/example_load_bsm" "$work/again.bsm" | grep -q "draw 2304 triangles" || fail "load_bsm"
"$folder/example_engine" "$work/torus.glb" 2>/dev/null | grep -q "2304 triangles" || fail "engine"

# 48 x 24 x 6 indices of 2 bytes each; 12 bytes of floats, and 4 + 4 for two small attributes.
"$folder/example_pack" "$work/torus.glb" >"$work/packed"
grep -q "^index buffer: 13824 bytes, 2 per index" "$work/packed" || fail "pack: indices"
grep -q "^vertex buffer: .* bytes, 12 per vertex" "$work/packed" || fail "pack: positions"
grep -q "^vertex buffer: .* bytes, 8 per vertex" "$work/packed" || fail "pack: the rest"
grep -q "^draw 6912 indices from 0 " "$work/packed" || fail "pack: the draw"

# Eight threads write one scene. Outputs of one format have the same bytes.
mkdir "$work/threads"
"$folder/example_threads" "$work/torus.glb" "$work/threads"
cmp "$work/threads/0.glb" "$work/threads/4.glb"
cmp "$work/threads/3.binarymesh" "$work/threads/7.binarymesh"

# An OBJ in a folder of an archive finds its MTL there.
[ -x "$folder/example_zip" ] || exit 0
mkdir "$work/folder"
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n' >"$work/folder/a.obj"
printf 'newmtl red\nKd 1 0 0\n' >"$work/folder/a.mtl"
(cd "$work" && python3 -m zipfile -c a.zip folder)
"$folder/example_zip" "$work/a.zip" folder/a.obj "$work/a.glb"
"$facet" info --json "$work/a.glb" | grep -q '"materials": *1' || fail "the material is lost"
