# Descriptors 0 to 2 that the parent closed. No output may get one of them, because messages would
# be written into it. Each command runs with each subset of them closed. Its files are those of a run
# with all of them open. A result that cannot be printed is status 3.
. "$(dirname "$0")/../support/cli.sh"

printf 'mtllib missing.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\nf 1 1 1\n' >"$work/a.obj"
# A picture and a change of transform, so that the writers warn while they write.
cat >"$work/b.gltf" <<'EOF'
{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"name":"n"}],
"animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],
"samplers":[{"input":1,"output":2}]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
{"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
{"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":8},
{"buffer":0,"byteOffset":44,"byteLength":24}],
"buffers":[{"byteLength":68,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAgD8="}]}
EOF

# Run with the descriptors $1 closed (a list such as "0 2"), in a new folder.
closed_run() {
    closed=$1
    shift
    rm -rf "$work/d"
    mkdir "$work/d"
    cp "$work/a.obj" "$work/b.gltf" "$work/d/"
    status=0
    (
        cd "$work/d" || exit 99
        for i in 0 1 2; do
            case " $closed " in
            *" $i "*) ;;
            *) case $i in
                0) exec </dev/null ;;
                1) exec >"$work/out" ;;
                2) exec 2>"$work/err" ;;
                esac ;;
            esac
        done
        case " $closed " in *" 0 "*) exec <&- ;; esac
        case " $closed " in *" 1 "*) exec >&- ;; esac
        case " $closed " in *" 2 "*) exec 2>&- ;; esac
        "$facet" "$@"
    ) || status=$?
}

# The files of a run, without the times in the lines of a batch.
files() {
    (cd "$work/d" && find . -type f ! -name '*.jsonl' ! -name '*.begun' | sort | xargs cksum)
}

# Check a command with every subset; $1 is "prints" if it prints a result.
each_subset() {
    prints=$1
    shift
    closed_run "" "$@"
    open=$status
    files >"$work/whole"
    for subset in 0 1 2 "0 1" "0 2" "1 2" "0 1 2"; do
        closed_run "$subset" "$@"
        files >"$work/found"
        truth "$* with $subset closed: the same files" cmp -s "$work/whole" "$work/found"
        expected=$open
        case "$prints $subset" in "prints "*1*) expected=3 ;; esac
        truth "$* with $subset closed: status $status, expected $expected" [ "$status" = "$expected" ]
    done
}

formats="obj stl ply bsm bga iqm bmd glb gltf bpx"
for to in $formats; do
    each_subset silent convert a.obj "out.$to"
    each_subset silent convert b.gltf "out.$to"
done
each_subset prints info a.obj
each_subset prints info b.gltf --json
each_subset prints check a.obj
each_subset prints compare a.obj b.gltf
each_subset prints formats
each_subset prints --help
each_subset prints --version
each_subset prints --options
each_subset prints rule BSM-TRI-WINDING
each_subset silent deps a.obj
each_subset silent render --size 16x16 a.obj out.png
each_subset silent pack out.zip a.obj b.gltf
each_subset prints batch a.obj b.gltf --out '{stem}.stl' -- convert
each_subset silent batch a.obj b.gltf --out '{stem}.stl' --results r.jsonl --progress none -- convert
each_subset silent batch a.obj b.gltf --out '{stem}.stl' --isolate --results r.jsonl --progress none -- convert
# A result as standard output.
closed_run 1 convert a.obj - --to stl
truth "a closed standard output is status 3, not $status" [ "$status" = 3 ]
# Standard input is the input.
closed_run 0 info -
truth "a closed standard input is status 3, not $status" [ "$status" = 3 ]
closed_run 0 worker -- convert
truth "a worker without standard input is status 3, not $status" [ "$status" = 3 ]
finish
