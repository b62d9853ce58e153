# Nothing is destroyed, and only items with an output are done: the key of an item, outputs that are
# inputs, items that end a run, and errors of the system.
. "$(dirname "$0")/../support/cli.sh"
program=$(realpath "$facet")
facet=$program
here=$(realpath "$(dirname "$0")")
mkdir "$work/files"
cd "$work/files" || exit 1

lines() {
    grep -cF -- "$1" "$2"
}
is() {
    truth "$1: '$2' instead of '$3'" [ "$2" = "$3" ]
}
triangle() {
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >"$1"
}
tetrahedron() { # file, length of its x edge
    printf 'v 0 0 0\nv %s 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' "$2" >"$1"
}

# -- The key of an item -------------------------------------------------------

# Another output or another format makes it another item.
mkdir m
triangle m/a.obj
triangle m/b.obj
run 0 batch m --out 'o/{stem}.bsm' --results key.jsonl
run 0 batch m --out 'web/{stem}.glb' --results key.jsonl --resume
says err "2 ok, 0 done before"
truth "another output is made" [ -f web/a.glb ] && [ -f web/b.glb ]
run 0 batch m --out 'web/{stem}.glb' --results key.jsonl --resume
says err "0 ok, 2 done before"

# Files that options name, and files that were missing.
tetrahedron hull.obj 2
run 0 batch m/a.obj --out 'h/{stem}.bsm' --results hulls.jsonl -- convert --hulls-from hull.obj
is "a file of an option" "$(lines '"sides":[{"path":"hull.obj","sha256":"' hulls.jsonl)" 1
run 0 batch m/a.obj --out 'h/{stem}.bsm' --results hulls.jsonl --resume -- convert --hulls-from hull.obj
says err "0 ok, 1 done before"
tetrahedron hull.obj 9
run 0 batch m/a.obj --out 'h/{stem}.bsm' --results hulls.jsonl --resume -- convert --hulls-from hull.obj
says err "1 ok, 0 done before"
run 0 convert m/a.obj like.bdl
run 0 batch m/a.obj --out 'h/{stem}.bdl' --results like.jsonl -- convert --like like.bdl
is "the file of --like" "$(lines '"sides":[{"path":"like.bdl","sha256":"' like.jsonl)" 1
run 0 convert --hulls-from hull.obj --depfile d m/a.obj x.bsm
is "in a depfile, too" "$(head -1 d)" "x.bsm: m/a.obj hull.obj"
printf 'mtllib c.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\n' >c.obj
run 0 batch c.obj --out '{stem}.glb' --results late.jsonl
is "a file that is absent" "$(lines '"sides":[{"path":"c.mtl","sha256":null,"bytes":null}]' late.jsonl)" 1
run 0 batch c.obj --out '{stem}.glb' --results late.jsonl --resume
says err "0 ok, 1 done before"
printf 'newmtl red\nKd 1 0 0\n' >c.mtl
run 0 batch c.obj --out '{stem}.glb' --results late.jsonl --resume
says err "1 ok, 0 done before"
run 0 convert c.obj d.glb
truth "made of what is there now" cmp c.glb d.glb
run 0 deps c.obj
says out "c.mtl"
rm c.mtl
run 0 deps c.obj
silent out

# An input that appears later.
echo '{"id":"x","in":"later.obj","out":"later.bsm"}' >later
run 1 batch --manifest later --results later.jsonl
run 1 batch --manifest later --results later.jsonl --resume
is "no input, no new line" "$(wc -l <later.jsonl)" 1
triangle later.obj
run 0 batch --manifest later --results later.jsonl --resume
is "the count of attempts begins again" "$(tail -1 later.jsonl | lines '"attempt":1,"run":2' -)" 1

# Changed outputs of the same size.
run 0 batch m --out 's/{stem}.bsm' --results sums.jsonl
printf X | dd of=s/a.bsm bs=1 seek=200 conv=notrunc 2>/dev/null
run 0 batch m --out 's/{stem}.bsm' --results sums.jsonl --resume
says err "0 ok, 2 done before"
run 0 batch m --out 's/{stem}.bsm' --results sums.jsonl --resume --verify
says err "1 ok, 1 done before"
truth "it is right again" cmp s/a.bsm s/b.bsm
run 0 batch m --out '{stem}.bsm' --output-tar s.tar --results tar-sums.jsonl -j 1
cp s.tar right.tar
printf X | dd of=s.tar bs=1 seek=700 conv=notrunc 2>/dev/null
run 0 batch m --out '{stem}.bsm' --output-tar s.tar --results tar-sums.jsonl --resume --verify -j 1
says err "1 ok, 1 done before"
run 2 batch m --out 's/{stem}.bsm' --results sums.jsonl --verify
says err "need --resume, and exclude each other"

# Another file now has the name of the tar.
head -c 5000 /dev/urandom >s.tar
cp s.tar thesis
run 2 batch m --out '{stem}.bsm' --output-tar s.tar --results tar-sums.jsonl --resume
truth "a file that took a tar's name stays" cmp s.tar thesis

# A user appended a member to a tar of a batch.
for format in ustar gnu pax; do
    rm -f "more-$format.tar" "more-$format.jsonl"
    run 0 batch m --out '{stem}.bsm' --output-tar more-$format.tar --results more-$format.jsonl
    tar -rf more-$format.tar --format=$format c.obj
    cp more-$format.tar thesis
    run 2 batch m --out '{stem}.bsm' --output-tar more-$format.tar --results more-$format.jsonl --resume
    says err "--resume would remove it"
    truth "a member that a user appended stays" cmp more-$format.tar thesis
done
# Members of the batch without a line are removed, as before.
run 0 batch m --out '{stem}.bsm' --output-tar one.tar --results two.lines -j 1
head -1 two.lines >one.jsonl
run 0 batch m --out '{stem}.bsm' --output-tar one.tar --results one.jsonl --resume -j 1
is "each member once" "$(tar -tf one.tar | sort | tr '\n' ' ')" "a.bsm b.bsm "

# -- Outputs that are inputs --------------------------------------------------

cp m/a.obj original
run 2 batch m --match '*.obj' --out '{dir}/{name}' --results clash.jsonl
says err "; nothing is written"
truth "the input is as it was" cmp original m/a.obj
ln -s m link
echo '{"id":"1","in":"m/a.obj","out":"link/../m/./b.obj"}
{"id":"2","in":"m/b.obj","out":"n.bsm"}' >clash
run 2 batch --manifest clash --results clash.jsonl
says err "output of item '1' and input of item '2'"
echo '{"id":"1","in":"m/a.obj","out":"o//n.bsm"}
{"id":"2","in":"m/b.obj","out":"./o/n.bsm"}' >clash
run 2 batch --manifest clash --results clash.jsonl
says err "and output of item '2'"
ln -s m/b.obj to-b.obj
echo '{"id":"1","in":"m/a.obj","out":"to-b.obj"}
{"id":"2","in":"m/b.obj","out":"n.bsm"}' >clash
run 2 batch --manifest clash --results clash.jsonl
says err "writes another item's file by this link"
truth "what a link leads to is as it was" cmp original m/b.obj
echo '{"id":"1","in":"m/a.obj","out":"m/b.obj"}
{"id":"2","in":"m/b.obj","out":"n.bsm"}' >clash
for shard in 0 1; do
    run 2 batch --manifest clash --results clash.jsonl --shard $shard/2
done
# One input belongs to this shard and two to others; another shard overwrites one of them.
echo '{"id":"1","in":"m/a.obj","out":"m/b.obj"}' >clash
for id in 2 3 4 5 6 7 8 9; do
    echo '{"id":"'$id'","in":"m/b.obj","out":"n'$id'.bsm"}' >>clash
done
for shard in 0 1 2; do
    run 2 batch --manifest clash --results clash.jsonl --shard $shard/3
done
run 0 pack models.arc m
run 2 batch models.arc --match '*.obj' --out 'models.arc' --results clash.jsonl
run 2 batch m --out 'n/{stem}.bsm' --results m/a.obj
says err "is an input or output of an item"
run 2 batch m --out 'n/{stem}.bsm' --output-tar m/a.obj --results n.jsonl
truth "no input is a file of results" cmp original m/a.obj
is "nothing was written" "$(ls n.bsm n clash.jsonl 2>/dev/null)" ""

run 0 batch m --out 'device/{stem}.bsm' --results /dev/null
is "nothing is written next to a device" "$(ls /dev/null.begun 2>/dev/null)" ""

# A URL is not a file.
echo '{"in":"m/a.obj","out":"s3://bucket/a.bsm"}' >url
run 2 batch --manifest url --results url.jsonl
says err "is a file, not the URL 's3://bucket/a.bsm'"
run 2 batch m --out 'gs://bucket/{stem}.bsm' --results url.jsonl
run 2 batch https://example.org/a.obj --out '{stem}.bsm' --results url.jsonl
run 2 batch m --out 'o/{stem}.bsm' --results s3://bucket/r.jsonl
run 2 batch m --out 'o/{stem}.bsm' --output-tar s3://bucket/r.tar --results url.jsonl
echo '{"in":"m/a.obj","out":"s3://bucket/a.bsm"}' | "$facet" worker >url.answer
is "nor is it for a worker" "$(lines '"code":"REQUEST"' url.answer)" 1
is "no folder is made of a URL" "$(ls -d s3: gs: 2>/dev/null)" ""

# -- Names are bytes ----------------------------------------------------------

mkdir bytes
triangle "bytes/$(printf 'caf\351').obj"
triangle 'bytes/caf\xE9.obj'
for how in "" --isolate "--timeout 60"; do
    rm -rf b b.jsonl
    run 0 batch bytes --out 'b/{name}.bsm' --results b.jsonl $how
    run 0 batch bytes --out 'b/{name}.bsm' --results b.jsonl $how --resume
    says err "0 ok, 2 done before"
    truth "the name keeps its bytes $how" [ -f "b/$(printf 'caf\351').obj.bsm" ]
done
is "a byte as JSON" "$(lines '"in":"bytes/caf\\xE9.obj"' b.jsonl)" 1
is "what reads like one" "$(lines '"in":"bytes/caf\\x5CxE9.obj"' b.jsonl)" 1
# A line of results is a valid manifest entry.
sed 's|"out":"b/|"out":"b2/|' b.jsonl >b2.manifest
run 0 batch --manifest b2.manifest --results b2.jsonl
truth "names come back" diff -r b b2
run 0 batch bytes --out '{name}.bsm' --output-tar bytes.tar --results bt.jsonl
mkdir bt
tar -xf bytes.tar -C bt
truth "in a tar, too" diff -r b bt

# -- Errors of the system -----------------------------------------------------

# A full disk stops the batch and does not count as an attempt.
mkdir full
ln -s /dev/full full/a.bsm
for attempt in 1 2 3 4; do
    run 75 batch m --out 'full/{stem}.bsm' --results full.jsonl --resume -j 1
    says err "No space left on device; run it again with --resume"
done
is "no line of what the disk did" "$(lines '"status":"failed"' full.jsonl)" 0
rm full/a.bsm
run 0 batch m --out 'full/{stem}.bsm' --results full.jsonl --resume -j 1
is "it is the first attempt" "$(lines '"id":"m/a.obj","status":"ok","code":null,"retry":false,"attempt":1,' full.jsonl)" 1
ln -s /dev/full full/i.bsm
run 75 batch m/a.obj --out 'full/i.bsm' --results full-i.jsonl --isolate
says err "No space left on device"
run 75 batch m --out 'o2/{stem}.bsm' --results /dev/full
says err "No space left on device"
run 0 rule SYSTEM-FAULT

# Allowed failures.
printf 'v 0 0 0\nf 1 2 9\n' >m/0.obj
run 1 batch m --out 'f/{stem}.bsm' --results f.jsonl
run 0 batch m --out 'f/{stem}.bsm' --results f.jsonl --resume --allow-failures 1
run 1 batch m --out 'f/{stem}.bsm' --results f.jsonl --resume --allow-failures 33%
run 0 batch m --out 'f/{stem}.bsm' --results f.jsonl --resume --allow-failures 34%
run 1 batch report f.jsonl
run 0 batch report f.jsonl --allow-failures 1
run 0 batch report f.jsonl --allow-failures 50%
run 2 batch report f.jsonl --allow-failures many
run 2 batch report f.jsonl --allow-failures 1.5
# A list of names, or a CSV, is not a manifest.
printf 'id,in\n1,m/1.obj\n' >names.csv
run 2 batch --manifest names.csv --out '{stem}.bsm' --results names.jsonl
says err "names.csv:1: a line of a manifest is a JSON object; a list of names is given by --filelist"
run 3 batch m --out 'g/{stem}.bsm' --results g.jsonl -j 1 --max-failures 1
find m -name '*.obj' | sort >list
run 3 batch report --filelist list g.jsonl
rm m/0.obj
: >none.jsonl
run 3 batch report none.jsonl
says err "no lines in the results"
run 0 batch report f.jsonl --json --allow-failures 1
says out '"version":{"'
says out '"options":{"'
says out '"host":{"'

# -- The header of a run ------------------------------------------------------

mkdir header
triangle header/a.obj
triangle header/b.obj
printf 'not a model\n' >header/c.stl
run 1 batch header --match '*' --out 'header-out/{stem}.bsm' --results header.jsonl --header \
    --filter 'bytes<=1000' -- convert --scale 2
run 1 batch header --match '*' --out 'header-out/{stem}.bsm' --results header.jsonl --resume --header \
    --filter 'bytes<=1000' -- convert --scale 2
says err "0 ok, 2 done before, 1 failed, 0 left"
rm header-out/a.bsm
run 1 batch header --match '*' --out 'header-out/{stem}.bsm' --results header.jsonl --resume --header \
    --filter 'bytes<=1000' -- convert --scale 2
cat >header.py <<'END'
import json, socket
lines = [json.loads(line) for line in open("header.jsonl")]
heads = [line["header"] for line in lines if "header" in line]
version = {line["version"] for line in lines if "id" in line}
print([i for i, line in enumerate(lines) if "header" in line], len(lines), heads[0]["command"],
      heads[0]["filter"], {heads[0]["version"]} == version, heads[0]["host"] == socket.gethostname(),
      {head["options"] for head in heads} == {line["options"] for line in lines if "id" in line},
      heads[0]["shard"], heads[0]["shards"], sep=";")
END
is "a header for each run with a line" "$(python3 header.py)" \
    "[0, 4];6;['convert', '--scale', '2'];['bytes<=1000'];True;True;True;0;1"
run 1 batch report header.jsonl --merged header.merged
says out "3 items, 4 lines: 2 done, 1 failed"
lacks out "truncated or of another kind"
is "merged lines are items" "$(grep -c header <header.merged)" "$(grep -c '"id"' <header.merged)"
# A results file is a valid manifest, with and without a header.
head -4 header.jsonl >header4.jsonl
run 1 batch --manifest header4.jsonl --results header2.jsonl -- info
says err "2 ok"
# A manifest may have a column named header.
printf '{"in":"header/a.obj","header":"x"}\n' >header.m
run 0 batch --manifest header.m --results header3.jsonl -- info
is "a column named header" "$(lines '"columns":{"header":"x"}' header3.jsonl)" 1
printf '{"header":{"a":1},"in":"header/a.obj"}\n' >header.m
run 0 batch --manifest header.m --results header4.out -- info
is "an object, and the first one" "$(lines '"columns":{"header":{"a":1}}' header4.out)" 1

# A CSV table, read by another program. Names contain commas, quotes and line feeds.
mkdir csv
triangle 'csv/a,"b"
c.obj'
triangle csv/d.obj
run 0 batch csv --out 'csv-out/{name}.bsm' --results csv.jsonl
# Other keys of the manifest, the reason of a filter, and the source of a copy.
printf '{"id":"e%s","in":"csv/d.obj","out":"csv-out/e%s.bsm","label":"x \\"y\\", \\n","n":{"a":[1]}}\n' \
    1 1 2 2 >csv.m
run 0 batch --manifest csv.m --filter 'bytes<1' --results csv-skipped.jsonl
sed 's/"id":"e/"id":"f/' csv-skipped.jsonl >>csv.jsonl
run 0 batch --manifest csv.m --dedup -j 1 --results csv-copied.jsonl
cat csv-copied.jsonl >>csv.jsonl
run 0 batch report csv.jsonl --csv csv.csv
if python3 -c '' 2>/dev/null; then
    is "a table" "$(sed "s|@PAGE@|$here/../../docs/reference/batch.md|" <<'END' | python3 -
import csv, json
rows = list(csv.DictReader(open("csv.csv", newline="")))
lines = sorted((json.loads(line) for line in open("csv.jsonl")), key=lambda line: line["id"])
def value(row, key, line):
    return json.loads(row[key]) if isinstance(line.get(key), dict) else row[key]
same = all(value(row, key, line) == ("" if line.get(key) is None else line[key]
                                     if isinstance(line[key], (str, dict)) else json.dumps(line[key]))
           for row, line in zip(rows, lines) for key in row)
left = {key for line in lines for key in line} - set(rows[0])
types = {}
for line in open("@PAGE@"):
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) == 5 and cells[3].strip("`") in ("VARCHAR", "BOOLEAN", "INTEGER", "BIGINT", "DOUBLE"):
        types.update({name.strip("` "): cells[3].strip("`") for name in cells[1].split(",")})
reads = {"VARCHAR": str, "BOOLEAN": {"true": True, "false": False}.__getitem__, "INTEGER": int, "BIGINT": int,
         "DOUBLE": float}
read = [reads[types[key]](text) for row in rows for key, text in row.items() if text]
print(len(rows), same, rows[0]["in"] == 'csv/a,"b"\nc.obj', set(types) == set(rows[0]), len(read) > 30,
      sorted(left), [sum(bool(row[key]) for row in rows) for key in ("columns", "reason", "same_as")])
END
)" "6 True True True True ['findings'] [4, 2, 1]"
fi

# A spreadsheet evaluates no name. A program removes the first ' of a text.
line='{"v":1,"id":"%s","in":"a.obj","out":"b.bsm","status":"ok","tar_offset":-1}\n'
for id in =1+1 +1 -1 @a '\t=1' '\r=1' "'a" '\uff1d1' '\uff0b1' '\uff0d1' '\uff201' 'a=1' '|a'; do
    # shellcheck disable=SC2059
    printf "$line" "$id"
done >formula.jsonl
run 0 batch report formula.jsonl --csv formula.csv
if python3 -c '' 2>/dev/null; then
    is "no formulas" "$(python3 - <<'END'
import csv, json
rows = {row["id"] for row in csv.DictReader(open("formula.csv", newline=""))}
ids = [json.loads(line)["id"] for line in open("formula.jsonl")]
print(rows == {id if id in ("a=1", "|a") else "'" + id for id in ids}, len(rows))
END
)" "True 13"
fi

# --quick compares size and time of the input but not its bytes.
run 0 batch m --out 'quick/{stem}.bsm' --results quick.jsonl
run 0 batch m --out 'quick/{stem}.bsm' --results quick.jsonl --resume --quick
says err "0 ok, 2 done before"
touch -r m/a.obj stamp
sed 's/1 0 0/2 0 0/' m/a.obj >changed && cat changed >m/a.obj && touch -r stamp m/a.obj
run 0 batch m --out 'quick/{stem}.bsm' --results quick.jsonl --resume --quick
says err "0 ok, 2 done before"
run 0 batch m --out 'quick/{stem}.bsm' --results quick.jsonl --resume
says err "1 ok, 1 done before"
touch m/b.obj
run 0 batch m --out 'quick/{stem}.bsm' --results quick.jsonl --resume --quick
is "a new time alone is no new line" "$(wc -l <quick.jsonl)" 3
run 2 batch m --out 'quick/{stem}.bsm' --results quick.jsonl --resume --quick --verify

# The last run counts, in the report and for --resume, for any attempt number.
sed -n '/"id":"m\/a.obj"/p' f.jsonl | head -1 >two.jsonl
sed 's/"status":"ok","code":null,"retry":false,"attempt":1,"run":1/"status":"timeout","code":"TIMEOUT","retry":true,"attempt":1,"run":2/' two.jsonl >>two.jsonl
run 3 batch report two.jsonl
run 0 batch m/a.obj --out 'f/{stem}.bsm' --results two.jsonl --resume
says err "1 ok, 0 done before"
run 0 batch report two.jsonl

# Files next to an output are known only after the conversion.
mkdir lods
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\nf 2 4 3\n' >lods/a.obj
triangle lods/a-lod1.obj
triangle lods/b.obj
for how in "" --isolate; do
    rm -rf lods-out lods.jsonl lods.tar lods-tar.jsonl
    run 1 batch lods --out 'lods-out/{stem}.bsm' --results lods.jsonl $how -- convert --lods 2
    is "a file of two items $how" "$(lines '"code":"OUTPUT-CLASH","retry":false' lods.jsonl)" 1
    is "its names $how" "$(lines "'lods-out/a-lod1.bsm' is also a file of item 'lods/a-lod1.obj'" lods.jsonl)" 1
    is "the other items $how" "$(lines '"status":"ok"' lods.jsonl)" 2
    run 1 batch lods --out '{stem}.bsm' --output-tar lods.tar --results lods-tar.jsonl $how -- convert --lods 2
    is "members are unique $how" "$(tar -tf lods.tar | sort | uniq -d)" ""
done
run 0 batch lods --out 'lods-out/{name}.bsm' --results lods2.jsonl -- convert --lods 2

# -- Files of the batch itself ------------------------------------------------

# They must not be outputs or inputs, and must be different files.
triangle own.obj
printf '{"in":"own.obj","out":"own.bsm"}\n' >own.jsonl
cp own.jsonl own.copy
ln -s own.jsonl own.link
printf '{"in":"own.obj","out":"own.jsonl"}\n' >self.jsonl
cp self.jsonl own.jsonl
run 2 batch --manifest own.jsonl --results own.lines
says err "--manifest: 'own.jsonl' is an output of an item; nothing is written"
truth "the manifest is as it was" cmp own.jsonl self.jsonl
cp own.copy own.jsonl
for results in own.jsonl ./own.jsonl own.link; do
    run 2 batch --manifest own.jsonl --results $results
    says err "--results: '$results' is the file of --manifest; nothing is written"
done
printf 'own.obj\n' >own.list
run 2 batch --filelist own.list --out 'own.bsm' --output-tar own.list --results own.lines --resume
says err "--output-tar: 'own.list' is the file of --filelist"
truth "the manifest is as it was" cmp own.jsonl own.copy
run 2 batch own.obj --out own.bsm --results own.one --output-tar ./own.one
says err "--output-tar: './own.one' is the file of --results"
run 2 batch own.obj --out own.lines.begun --results own.lines -- info
says err "--results: 'own.lines.begun' is an input or output of an item"
truth "nothing is written" [ ! -e own.bsm -a ! -e own.one -a ! -e own.lines -a ! -e own.lines.begun ]

: >own.one
ln own.one own.two
run 2 batch own.obj --out own.bsm --results own.one --output-tar own.two
says err "--output-tar: 'own.two' is the file of --results"

# Every {shard} is replaced by the number.
run 0 batch own.obj --out own.bsm --shard 0/1 --results 'own-{shard}/{shard}.jsonl'
truth "every {shard} is the number" [ -s own-0/0.jsonl ]

# A task before the first one is an error, not a shard with a number of 20 digits.
SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=5 SLURM_ARRAY_TASK_COUNT=3 run 2 batch own.obj --out own.bsm --shard auto
says err "SLURM_ARRAY_TASK_ID is 0, expected SLURM_ARRAY_TASK_MIN or more, which is 5"

# A byte order mark, which Windows writes, is not part of the first item.
printf '\357\273\277{"in":"own.obj","out":"mark.bsm"}\n' >mark.jsonl
run 0 batch --manifest mark.jsonl --results mark.lines
printf '\357\273\277own.obj\r\n' >mark.list
run 0 batch --filelist mark.list --out mark.bsm --results mark.lines

# A removed working folder is an error, not an endless loop.
mkdir removed
status=$(cd removed && rmdir ../removed && {
    timeout 20 "$facet" batch "$work/files/own.obj" --out r.bsm --results "$work/files/removed.jsonl" >/dev/null 2>&1
    echo $?
})
is "a removed working folder" "$status" 3

# A tar that another batch writes to is checked only after that batch ends.
if command -v flock >/dev/null; then
    head -c 1024 /dev/zero >locked.tar
    flock locked.tar "$facet" batch own.obj --out own.bsm --output-tar locked.tar --results locked.jsonl 2>"$work/err"
    says err "locked.tar: another batch writes to it"
fi

# 0.7 % of 1000 is 7.
for i in $(seq 1000); do
    printf '{"id":"%d","status":"%s","retry":false}\n' "$i" "$([ "$i" -le 7 ] && echo failed || echo ok)"
done >share.jsonl
run 0 batch report share.jsonl --allow-failures 0.7%
run 1 batch report share.jsonl --allow-failures 0.69%

# If each item has its own options, the report lists only some.
for i in $(seq 100); do
    printf '{"id":"%d","status":"ok","options":"%016d"}\n' "$i" "$i"
done >own-options.jsonl
run 0 batch report own-options.jsonl --most 3
says out "and 97 others"
is "options that are named" "$(grep -c '00000000000' "$work/out")" 3

# A report overwrites none of its inputs, and a depfile neither IN nor OUT.
cp own-options.jsonl own-options.copy
ln own-options.jsonl own-options.link
for option in csv merged; do
    run 2 batch report own-options.jsonl --$option own-options.link
    says err "--$option: 'own-options.link' is read by this report; nothing is written"
done
run 2 batch report own-options.jsonl --csv own.both --merged own.both
truth "the results are as they were" cmp own-options.jsonl own-options.copy
for file in own.obj ./own.obj own.bsm; do
    run 2 convert --depfile $file own.obj own.bsm
    says err "--depfile: '$file' is IN or OUT; nothing is written"
done
is "IN is as it was" "$(head -c 7 own.obj)" "v 0 0 0"

# The id of a refused request is its input, as for others.
# A request that would replace its input, under any name of it.
triangle self.obj
mkdir also
ln -s ../self.obj also/link.obj
cp self.obj before.obj
for out in self.obj ./self.obj also/link.obj; do
    printf '{"in":"self.obj","out":"%s"}\n' "$out" | "$facet" worker -- convert >self.answer
    is "$out is refused" "$(lines '"message":"the output would replace the input' self.answer)" 1
done
truth "the input is as before" cmp self.obj before.obj
is "a refused request" "$(echo '{"in":"own.obj","out":"-"}' | "$facet" worker | cut -c 1-15)" '{"id":"own.obj"'

# -- Items that end a run -----------------------------------------------------

# A pipe without a writer hangs the run, which is killed. After that, the item is the last one, and
# is refused.
mkdir poison
triangle poison/b.obj
triangle poison/c.obj
mkfifo poison/a.obj
"$facet" batch poison/a.obj poison/b.obj poison/c.obj --out 'p/{stem}.bsm' --results p.jsonl --resume -j 1 >/dev/null 2>&1 &
batch=$!
sleep 1
kill -KILL $batch
wait $batch 2>/dev/null
run 1 batch poison/a.obj poison/b.obj poison/c.obj --out 'p/{stem}.bsm' --results p.jsonl --resume -j 1
is "the others are done before it" "$(sed -n '$p' p.jsonl | grep -c '"id":"poison/a.obj".*INPUT-KIND')" 1

# An item during which two runs ended is tried after all others. Its command hangs.
rm poison/a.obj p.jsonl
triangle poison/a.obj
printf '#!/bin/sh\n[ "$1" != poison/a.obj ] || exec sleep 5\ncp "$1" "$2"\n' >slow
chmod +x slow
for death in 1 2; do
    "$facet" batch poison/a.obj poison/b.obj poison/c.obj --out 'p/{stem}.bsm' --results p.jsonl --resume -j 1 \
        --fetch './slow {in} {file}' >/dev/null 2>&1 &
    batch=$!
    sleep 1
    kill -KILL $batch
    wait $batch 2>/dev/null
done
run 3 batch poison/a.obj poison/b.obj poison/c.obj --out 'p/{stem}.bsm' --results p.jsonl --resume -j 1 --timeout 1 \
    --fetch './slow {in} {file}'
is "then it has its line, the last one" "$(sed -n '3p' p.jsonl | grep -c '"id":"poison/a.obj","status":"timeout"')" 1
is "a run that ended in order leaves no list" "$(ls p.jsonl.begun 2>/dev/null)" ""


# -- A file that may not grow ---------------------------------------------------

# Results that cannot be written: the summary counts only items whose lines are on disk, and the file
# has only complete lines. So it is a manifest.
mkdir many
i=0
while [ $i -lt 40 ]; do
    triangle "many/$i.obj"
    i=$((i + 1))
done
(
    ulimit -f 10
    "$facet" batch many --out 'grown/{stem}.bsm' --results grown.jsonl 2>limited
    echo $? >status
)
is "the system is at fault" "$(cat status)" 75
truth "items without a line are left" grep -q ' ok, 0 done before, 0 failed, [1-9][0-9]* left' limited
is "items that are ok" "$(sed -n 's/.*: \([0-9]*\) ok,.*/\1/p' limited)" "$(lines '"status":"ok"' grown.jsonl)"
printf '{"id":"many/1.obj","status":"ok","in":"ma' >>grown.jsonl
run 0 batch many --out 'grown/{stem}.bsm' --results grown.jsonl --resume
is "a line of each item" "$(lines '"status":"ok"' grown.jsonl)" 40
run 0 batch --manifest grown.jsonl --out 'again/{stem}.bsm'

# Lines of 64 MB in total, in any order: --resume keeps only some of them in memory.
if ! sanitized; then
    python3 - "$facet" <<'PY'
import json, resource, subprocess, sys
words = [sys.argv[1], "batch", "--manifest", "long.manifest", "--results", "long.jsonl", "-q", "-j1"]
with open("long.manifest", "w") as file:
    file.writelines(json.dumps({"id": str(i), "in": "m/a.obj"}) + "\n" for i in range(4000))
subprocess.run(words + ["--", "check"], check=True)
lines = [json.loads(line) for line in open("long.jsonl")]
with open("long.jsonl", "w") as file:
    file.writelines(json.dumps({**line, "columns": {"text": "x" * 16000}}) + "\n" for line in lines[::-1])
subprocess.run(words + ["--resume", "--", "check"], check=True)
assert len(open("long.jsonl").readlines()) == 4000
open("long.most", "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
PY
    truth "memory of long lines: $(cat long.most) KiB, at most 50000" [ "$(cat long.most)" -lt 50000 ]
fi

# A line without its end is complete, and its item is done. Another file than results is not emptied.
run 0 batch many --out 'grown/{stem}.bsm' --results whole.jsonl
size=$(wc -c <whole.jsonl)
truncate -s $((size - 1)) whole.jsonl
run 0 batch many --out 'grown/{stem}.bsm' --results whole.jsonl --resume
says err "0 ok, 40 done before"
is "the file has the same size" "$(wc -c <whole.jsonl)" "$size"
cp m/a.obj mine.obj
run 2 batch many --out 'grown/{stem}.bsm' --results mine.obj --resume
says err "--results: 'mine.obj' has other content than lines of results; nothing is written"
truth "a file of another kind" cmp m/a.obj mine.obj
printf '{"name":"mine","list":[1,2' >mine.json
"$facet" batch many --out 'grown/{stem}.bsm' --results mine.json --resume >/dev/null 2>&1
truth "another file keeps its first line" grep -q '^{"name":"mine","list":\[1,2$' mine.json

# -- Archives as inputs ---------------------------------------------------------

# Members that are links are reported, and so is a missing end.
mkdir links
triangle links/a.obj
ln -s a.obj links/l.obj
tar -cf links.tar -C links a.obj l.obj
run 0 batch links.tar --match '*.obj' --results links.jsonl -- check
says err "links.tar: warning [AR39]: 1 member is left out: symbolic links"
says err "1 ok, 0 done before"
head -c 1024 links.tar >cut.tar
run 0 batch cut.tar --match '*.obj' --results cut.jsonl -- check
says err "cut.tar:0x400: warning [AR35]"
echo '{"in": "m/a.obj", "bytes": -1}' >bytes.jsonl
run 2 batch --manifest bytes.jsonl -- check
says err "bytes.jsonl:1: a size of at least 0 is expected in 'bytes'"
# Too few descriptors for a child: the message has the error of the failed call. -j 0 is the default.
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >few.obj
(ulimit -n 7; exec "$facet" batch few.obj --out '{stem}.few.stl' --isolate -j 1 --results few.jsonl -- convert) >"$work/out" 2>"$work/err"
says err "Too many open files"
run 0 batch -j 0 few.obj --out '{stem}.zero.stl' --results zero.jsonl -- convert

finish
