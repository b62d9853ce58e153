#!/bin/sh
# cli_rules.sh PROGRAM: findings and errors that small files give, each by its id.
. "$(dirname "$0")/../support/cli.sh"
cd "$work"
cat >square.obj <<'END'
v 0 0 0 1 0 0
v 1 0 0 0 1 0
v 1 1 0 0 0 1
v 0 1 0 1 1 1
usemtl red
f 1 2 3
f 1 3 4
END
printf 'v 0 0 0\n' >point.obj
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n' >triangle.obj

run 0 convert square.obj out.stl
says err "[LOSS-MATERIALS]"
run 0 convert square.obj out.ply
says err "[LOSS-MATERIALS]"
run 0 convert -v square.obj out.bmd
says err "[J3D-QUANTIZED]"
says err "[J3D-STRIPS]"
run 0 convert -v out.bmd back.obj
says err "[SCENE-FLATTENED]"
run 0 convert square.obj out.bdl
run 0 convert -v out.bdl plain.bmd
says err "[LOSS-MATERIALS]"

run 1 compare square.obj triangle.obj
says out "[COMPARE-COUNT]"
run 2 convert square.obj never.zip
says err "[FORMAT-DIRECTION]"
run 2 convert square.obj never.bmd --root nobody
says err "[J3D-ROOT]"
run 2 convert square.obj never.bsm --occluder-from point.obj
says err "[COLLISION-EMPTY]"
run 0 render -q square.obj picture.png --size 16
run 2 convert out.bmd never.bmd --texture no=picture.png
says err "[J3D-TEXTURE]"
mkdir empty
run 0 convert out.bmd same.bmd --texture-dir empty
says err "[J3D-TEXTURE-DIR]"

{ echo 'v 0 0 0'; i=0; while [ $i -lt 150 ]; do echo 'f 1 2 9'; i=$((i + 1)); done; } >many.obj
run 1 check many.obj
says out "[OBJ-ERRORS]"

finish
