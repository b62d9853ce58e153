# Names, links and texts that are made to mislead.
. "$(dirname "$0")/support/cli.sh"
cd "$work" || exit 1
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n' >a.obj
echo 'newmtl m' >a.mtl

# N1: what is extracted stays in its directory, whatever stands there.
mkdir sub taken elsewhere
echo text >sub/file.txt
run 0 pack a.arc sub
echo mine >elsewhere/file.txt
ln -s ../elsewhere/file.txt taken/file.txt
run 0 extract a.arc taken
truth "N1: a link is replaced, not followed" [ "$(cat elsewhere/file.txt)" = mine ]
truth "N1: what it was replaced by" [ "$(cat taken/file.txt)" = text ]
rm taken/file.txt
mkfifo taken/file.txt
run 3 extract a.arc taken
says err "is a device or a pipe"

# N2: names in a file lead to regular files below its directory.
mkdir in
printf 'newmtl m\nKd 1 0 0\n' >secret.mtl
cp a.obj in/a.obj
ln -s ../secret.mtl in/a.mtl
run 0 convert in/a.obj b.glb
says err "is a link out of the directory"
run 0 convert --allow-external in/a.obj b.glb
truth "N2: followed when that is asked for" [ "$(grep -c 'link out' err)" = 0 ]
rm in/a.mtl
ln -s b.mtl in/a.mtl
cp a.mtl in/b.mtl
run 0 convert in/a.obj b.glb
truth "N2: a link that stays inside is one" [ "$(grep -c 'link out' err)" = 0 ]
rm in/a.mtl
mkfifo in/a.mtl
run 0 convert --time-limit 20 in/a.obj b.glb
says err "is not a regular file"
printf '{"asset":{"version":"2.0"},"buffers":[{"byteLength":1,"uri":"a.obj\\u0000.bin"}]}' >n.gltf
run 1 check n.gltf
says out "has a NUL in it"

# N3: what an argument or a file says does not steer the terminal.
csi=$(printf '\302\233')
run 2 "frob${csi}31m"
says err 'frob\xC2\x9B31m'
run 3 info "no${csi}such.bsm"
says err 'no\xC2\x9Bsuch.bsm'

# V3: nothing is not silently something.
printf '\377\376v\0 \0' | cat - a.obj >u.obj
run 1 convert u.obj u.glb
says err "UTF-16"
run 1 check u.obj
says err "UTF-16"
printf '\376\377\0v\0 \0' >v.obj
run 1 convert v.obj u.glb
says err "UTF-16"
echo '{"asset":{"version":"2.0"}}' >empty.gltf
run 1 convert empty.gltf empty.bga
says err "the scene has no mesh"
for kind in ply stl; do
    run 0 convert -q empty.gltf empty.$kind
    run 0 convert -q empty.$kind again.glb
done

# M5: what is not a file has an end, too.
(ulimit -v unlimited; "$facet" check --memory-limit 64 --time-limit 60 - </dev/zero >out 2>err)
truth "M5: endless input is status 3" [ $? = 3 ]
finish
