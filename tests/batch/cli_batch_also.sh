# Several outputs per item (--also): as files, in a tar, from a stream, resumed, and with a failing
# command.
. "$(dirname "$0")/../support/cli.sh"
program=$(realpath "$facet")
facet=$program
mkdir "$work/files"
cd "$work/files" || exit 1

is() {
    truth "$1: '$2' instead of '$3'" [ "$2" = "$3" ]
}

mkdir m
for i in 1 2 3; do
    printf 'mtllib a.mtl\nv 0 0 0\nv %d 0 0\nv 0 1 0\nusemtl r\nf 1 2 3\n' "$i" >"m/$i.obj"
done
printf 'newmtl r\nKd 1 0 0\n' >m/a.mtl

# The same bytes as from separate commands.
batch() {
    run "$@" batch m --match '*.obj' --out 'o/{stem}.glb' --also 'render --size "32x32" '"'"'o/{stem}.png'"'" \
        --also 'info o/{stem}.info.json' --also 'line o/{stem}.json' --results r.jsonl
}
batch 0
mkdir alone
for i in 1 2 3; do
    run 0 convert -q "m/$i.obj" "alone/$i.glb"
    run 0 render -q --size 32x32 "m/$i.obj" "alone/$i.png"
    truth "$i.glb" cmp -s "o/$i.glb" "alone/$i.glb"
    truth "$i.png" cmp -s "o/$i.png" "alone/$i.png"
done
is "files" "$(ls o | tr '\n' ' ')" "1.glb 1.info.json 1.json 1.png 2.glb 2.info.json 2.json 2.png 3.glb 3.info.json 3.json 3.png "

# The line as an output file has no times and no host. Its sums are those of the files.
python3 - <<'END' >told 2>&1
import hashlib, json
sums = {}
for text in open("r.jsonl"):
    line = json.loads(text)
    aside = json.load(open(line["outputs"][-1]["path"]))
    assert [e["path"].split(".", 1)[1] for e in line["outputs"]] == ["png", "info.json", "json"], line
    assert not {"ms", "host", "peak_bytes", "attempt", "run", "in_ns", "tar"} & set(aside), aside
    assert aside["id"] == line["id"] and aside["outputs"] == line["outputs"][:-1]
    assert "ns" not in aside["sides"][0] and aside["sides"][0]["path"] == "m/a.mtl"
    for e in line["outputs"]:
        assert hashlib.sha256(open(e["path"], "rb").read()).hexdigest() == e["sha256"]
    assert json.load(open(line["outputs"][1]["path"]))["counts"]["triangles"] == 1
END
is "the line of an item" "$(tail -1 told)" ""

# Resume checks each of the files, and the options.
resume() {
    "$facet" batch m --match '*.obj' --out 'o/{stem}.glb' --also 'render --size 32x32 o/{stem}.png' \
        --also "$1" --results r2.jsonl --resume 2>&1 | sed 's/; [0-9.]* s$//'
}
is "first" "$(resume 'line o/{stem}.json')" "facet: 3 ok, 0 done before, 0 failed, 0 left"
is "again" "$(resume 'line o/{stem}.json')" "facet: 0 ok, 3 done before, 0 failed, 0 left"
rm o/2.png
is "a picture is gone" "$(resume 'line o/{stem}.json')" "facet: 1 ok, 2 done before, 0 failed, 0 left"
is "another name" "$(resume 'line o/{stem}.js')" "facet: 3 ok, 0 done before, 0 failed, 0 left"

# In a tar, the files of an item are adjacent, for every kind of input.
tar -cf s.tar m
for how in "m" "m --isolate" "--stream --samples folder s.tar"; do
    rm -f o.tar r3.jsonl
    # shellcheck disable=SC2086 # words
    run 0 batch $how --match '*.obj' --out '{stem}.glb' --also 'render --size 32x32 {stem}.png' \
        --also 'line {stem}.json' --output-tar o.tar --results r3.jsonl -j1
    is "$how: members" "$(tar -tf o.tar | sort | tr '\n' ' ')" \
        "1.glb 1.json 1.png 2.glb 2.json 2.png 3.glb 3.json 3.png "
    is "$how: samples" "$(tar -tf o.tar | sed 's/\..*//' | uniq | wc -l | tr -d ' ')" 3
    tar -xf o.tar 2.png
    truth "$how: a picture" cmp -s 2.png alone/2.png
    # shellcheck disable=SC2086
    run 0 batch $how --match '*.obj' --out '{stem}.glb' --also 'render --size 32x32 {stem}.png' \
        --also 'line {stem}.json' --output-tar o.tar --results r3.jsonl -j1 --resume --verify
    is "$how: resumed" "$(wc -l <r3.jsonl | tr -d ' ')" 3
done

# The main command has no output.
run 0 batch m --match '*.obj' --also 'render --size 32x32 c/{stem}.png' --results r4.jsonl -- check
is "pictures of checked files" "$(ls c | tr '\n' ' ')" "1.png 2.png 3.png "
run 0 batch m --match '*.obj' --also 'render --size 32x32 {stem}.png' --output-tar c.tar --results r5.jsonl -- check
run 0 batch m --match '*.obj' --also 'render --size 32x32 {stem}.png' --output-tar c.tar --results r5.jsonl --resume -- check
is "the same in a tar" "$(tar -tf c.tar | sort | tr '\n' ' ')" "1.png 2.png 3.png "
is "and resumed" "$(wc -l <r5.jsonl | tr -d ' ')" 3

# Columns of a manifest are in the line, also with --isolate.
printf '{"in":"m/1.obj","out":"k.glb","label":"chair"}\n' >k.manifest
run 0 batch --manifest k.manifest --also 'line k.json' --results r6.jsonl --isolate
truth "columns" grep -qF '"columns":{"label":"chair"}' k.json

# If one command fails, the item fails, and the tar contains nothing of it.
printf 'mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >m/4.obj
rm -f t.tar
run 1 batch m --match '*.obj' --out '{stem}.json' --also 'convert {stem}.bsm' --also 'check --strict {stem}.check' \
    --output-tar t.tar --results r7.jsonl -j1 -- info
is "members" "$(tar -tf t.tar | sort | tr '\n' ' ')" "1.bsm 1.check 1.json 2.bsm 2.check 2.json 3.bsm 3.check 3.json "
truth "its line" grep -q '"id":"m/4.obj","status":"failed"' r7.jsonl

# Errors that are reported before any work.
for wrong in 'render' 'pack {id}.arc' 'render {id' "render 'a {id}.png" 'render --sice 4 {id}.png' 'line --x {id}' \
    'render a.png b.png' 'render o/{stem}.glb' 'render one.png' 'render m/{name}'; do
    run 2 batch m --match '*.obj' --out 'o/{stem}.glb' --also "$wrong" --results none.jsonl
    truth "$wrong: results" [ ! -e none.jsonl ]
done
run 2 batch m --match '*.obj' --out 'o/{stem}.glb' --also 'line {id}' --also 'line {id}.b' --results none.jsonl
run 2 batch --stream s.tar --match '*.obj' --also 'render {id}.png' --results none.jsonl -- check
run 2 batch m --match '*.obj' --out '{stem}.glb' --also 'render ../{id}.png' --output-tar n.tar --results none.jsonl

# A worker gets the name of each output.
printf '{"in":"m/1.obj","out":"w.glb","also":["w.png"]}\n{"in":"m/1.obj","out":"w.glb"}\n' |
    "$facet" worker --also 'render --size 32x32 {id}.png' >answers
is "answers" "$(grep -c '"status":"ok"' answers) $(grep -c '"code":"REQUEST"' answers)" "1 1"
truth "the worker's picture" cmp -s w.png alone/1.png

finish
