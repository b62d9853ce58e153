# One command over many files: items, shards, results, resuming, isolation, signals, reports,
# workers, side files.
. "$(dirname "$0")/../support/cli.sh"
program=$(realpath "$facet")
facet=$program
mkdir "$work/files"
cd "$work/files" || exit 1

# lines TEXT FILE: number of lines that contain the text.
lines() {
    grep -cF -- "$1" "$2"
}
# is WHAT GOT WANTED: check that two texts are equal.
is() {
    truth "$1: '$2' instead of '$3'" [ "$2" = "$3" ]
}

# A fan of $2 triangles.
fan() {
    awk -v n="$2" 'BEGIN {
        print "v 0 0 0"
        for (i = 0; i <= n; i++) printf "v %.6f %.6f %d\n", cos(i * 0.01), sin(i * 0.01), 0
        for (i = 0; i < n; i++) printf "f 1 %d %d\n", i + 2, i + 3
    }' >"$1"
}
mkdir -p in/a in/b/c
fan in/a/one.obj 3
fan in/a/two.obj 50
fan in/b/three.obj 9
fan in/b/c/four.obj 20
printf 'v 0 0 0\nf 1 2 9\n' >in/b/broken.obj
echo "not this one" >in/a/readme.txt

# -- Items --------------------------------------------------------------------

run 1 batch in --out 'out/{dir}/{stem}.bsm' --results all.jsonl -j 2
says err "4 ok, 0 done before, 1 failed, 0 left"
is "a line per item" "$(wc -l <all.jsonl)" 5
is "items that went well" "$(lines '"status":"ok"' all.jsonl)" 4
is "items that failed" "$(lines '"status":"failed"' all.jsonl)" 1
truth "outputs lie as the inputs do" [ -f out/a/one.bsm ] && [ -f out/b/c/four.bsm ]
run 0 check out/a/one.bsm out/a/two.bsm out/b/three.bsm out/b/c/four.bsm
sum=$(sha256sum <in/a/two.obj | cut -c1-64)
is "hash of the input" "$(lines "\"in_sha256\":\"$sum\"" all.jsonl)" 1
sum=$(sha256sum <out/a/two.bsm | cut -c1-64)
is "hash of the output" "$(lines "\"out_sha256\":\"$sum\"" all.jsonl)" 1

# The output is the same for any number of workers, and with --isolate.
run 1 batch in --out 'one/{dir}/{stem}.bsm' -j 1 -q
run 1 batch in --out 'apart/{dir}/{stem}.bsm' -j 3 --isolate -q
truth "one worker writes the same" diff -r out one
truth "processes write the same" diff -r out apart

# A list with NUL bytes, a pattern, and a manifest with options per item.
find in/a -name '*.obj' -print0 >list
run 0 batch --filelist list -0 --out 'l/{id}.{ext}' --results list.jsonl
truth "ids are names of files" [ -f l/in_a_one.obj.obj ]
run 0 batch in --match 't*.obj' --results match.jsonl -- check
is "files that match" "$(wc -l <match.jsonl)" 2
cat >items.jsonl <<'END'
{"id": "first", "in": "in/a/one.obj", "out": "m/first.bsm", "license": "CC0"}

{"id": "second", "in": "in/a/one.obj", "out": "m/second.bsm", "args": ["--scale", "2"]}
{"in": "in/b/broken.obj", "out": "m/third.bsm"}
{"id": "fourth", "in": "in/none.obj", "out": "m/fourth.bsm"}
END
run 1 batch --manifest items.jsonl --results m.jsonl
is "lines" "$(wc -l <m.jsonl)" 4
is "the id is the name when there is none" "$(lines '"id":"in/b/broken.obj"' m.jsonl)" 1
is "a file that is not there" \
    "$(lines '"id":"fourth","status":"failed"' m.jsonl)" 1
truth "options of an item" sh -c '! cmp -s m/first.bsm m/second.bsm'
run 0 info --json m/second.bsm
says out '"max":[2'
run 0 batch --manifest - --results n.jsonl
says err "0 ok"

# check and info: their result is in the line, or is the output.
run 1 batch in/a/one.obj in/b/broken.obj --results check.jsonl -- check
is "findings of a check" "$(lines '"rule":"OBJ-' check.jsonl)" 1
run 0 batch in/a/one.obj --results info.jsonl -- info
is "what info says" "$(lines '"result":{"file":"in/a/one.obj","format":"obj"' info.jsonl)" 1
run 0 batch in/a/one.obj --out '{id}.json' --results info2.jsonl -- info
truth "info in a file" grep -q '"triangles":3' in_a_one.obj.json
# convert writes its result into the line. Its output is still a mesh.
run 0 batch in/a/one.obj --out 'told/{stem}.bsm' --results told.jsonl -- convert --json
is "what convert says" "$(lines '"result":{"in":"in/a/one.obj","out":"told/one.bsm","from":"obj"' told.jsonl)" 1
run 0 check told/one.bsm

# The files of an archive.
run 0 pack models.arc in/a
run 0 batch models.arc --match '*.obj' --out 'arc/{stem}.bsm' --results arc.jsonl
is "files of an archive" "$(lines '"in":"models.arc/' arc.jsonl)" 2
truth "the same as outside" cmp arc/two.bsm out/a/two.bsm
sum=$(sha256sum <in/a/two.obj | cut -c1-64)
is "their hashes" "$(lines "\"in_sha256\":\"$sum\"" arc.jsonl)" 1
run 0 batch models.arc --match '*.obj' --out 'arc/{stem}.bsm' --results arc.jsonl --resume
says err "0 ok, 2 done before"

# Archives: compressed, nested, changed between runs, and in a manifest.
run 0 pack models.szs in/a
mkdir nest && cp models.arc nest/ && cp in/a/one.obj nest/
run 0 pack nest.arc nest
for how in "-j 1" "-j 3" "--isolate"; do
    rm -rf arc2
    run 0 batch models.szs models.arc --match '*.obj' --out 'arc2/{dir}/{id}.bsm' $how -q
    truth "compressed as outside ($how)" cmp arc2/models.szs_two.obj.bsm out/a/two.bsm
    truth "two archives ($how)" cmp arc2/models.arc_one.obj.bsm out/a/one.bsm
done
cat >members.jsonl <<'END'
{"in": "nest.arc/models.arc/two.obj", "out": "arc3/two.bsm"}
{"in": "nest.arc/one.obj", "out": "arc3/one.bsm"}
{"in": "nest.arc/none.obj", "out": "arc3/none.bsm"}
{"in": "models.arc/two.obj", "out": "arc3/other.bsm"}
END
run 1 batch --manifest members.jsonl --results members-results.jsonl -j 1
says err "3 ok, 0 done before, 1 failed"
truth "an archive in an archive" cmp arc3/two.bsm out/a/two.bsm
truth "beside it" cmp arc3/one.bsm out/a/one.bsm
run 0 convert in/a/one.obj two.bsm
run 0 convert in/b/three.obj models.arc/two.obj
run 1 batch --manifest members.jsonl --results members-results.jsonl -j 1 --resume
says err "1 ok, 2 done before, 1 failed"
run 0 convert in/b/three.obj three.obj
run 0 convert three.obj three.bsm
truth "what was changed is made anew" cmp arc3/other.bsm three.bsm

# Invalid command lines and manifests.
run 2 batch
says err "no items"
run 2 batch in -- pack
says err "'pack' is not a command for the items"
run 2 batch in --out 'x/{sten}.bsm'
says err "takes {id}, {dir}"
run 2 batch in --out 'x/{stem}.bsm' -- convert --no-such-option
says err "no option '--no-such-option'"
run 2 batch in --out 'x/{stem}.bsm' -- convert a.obj
says err "files are named by the batch"
run 2 batch in
says err "no output given"
run 2 batch in --out x.bsm
says err "x.bsm: output of item 'in/"
says err "use {name} or {id} in --out"
echo '{"in": 5}' >bad.jsonl
run 2 batch --manifest bad.jsonl
says err "bad.jsonl:1: strings are expected in 'in'"
printf '{"in": "a", "out": "b"}\n{"in": ' >bad.jsonl
run 2 batch --manifest bad.jsonl
says err "bad.jsonl:2:"
printf '{"id": "a", "in": "b", "out": "c"}\n{"id": "a", "in": "d", "out": "e"}\n' >bad.jsonl
run 2 batch --manifest bad.jsonl
says err "bad.jsonl:2: a second item has the id 'a'"
run 2 batch in --out '{id}.bsm' --resume
says err "--resume needs --results"

# -- Shards -------------------------------------------------------------------

mkdir many
i=0
while [ $i -lt 30 ]; do
    cp in/a/one.obj many/$i.obj
    i=$((i + 1))
done
for shard in 0 1 2; do
    run 0 batch many --out "shards/{stem}.bsm" --results 's-{shard}.jsonl' --shard $shard/3 -q
done
cat s-0.jsonl s-1.jsonl s-2.jsonl | sed 's/.*"id":"\([^"]*\)".*/\1/' | sort >ids
is "every item is in one shard" "$(uniq ids | wc -l) $(wc -l <ids)" "30 30"
# The shard of many/7.obj, computed like docs/reference/batch.md describes.
number=$(printf %s many/7.obj | sha256sum | cut -c1-16)
rest=$(python3 -c "print(int('$number', 16) % 3)" 2>/dev/null)
[ -z "$rest" ] || is "the shard is known beforehand" "$(lines '"many/7.obj"' "s-$rest.jsonl")" 1
SLURM_ARRAY_TASK_ID=5 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=5 SLURM_ARRAY_TASK_COUNT=3 \
    run 0 batch many --out "shards/{stem}.bsm" --results 'auto-{shard}.jsonl' --shard auto -q
is "the same shard by Slurm" "$(wc -l <auto-2.jsonl)" "$(wc -l <s-2.jsonl)"
JOB_COMPLETION_INDEX=1 \
    run 0 batch many --out "shards/{stem}.bsm" --results 'auto-{shard}.jsonl' --shard auto/3 -q
is "the same shard by Kubernetes" "$(wc -l <auto-1.jsonl)" "$(wc -l <s-1.jsonl)"
SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=9 SLURM_ARRAY_TASK_COUNT=2 \
    run 2 batch many --out "{stem}.bsm" --shard auto
says err "has gaps"
# Shard 2 of 3 by engines that count from 1, give the first and last number, or give the count.
auto_shard() { # settings, --shard
    rm -f 'engine-2.jsonl'
    env $1 "$facet" batch many --out "shards/{stem}.bsm" --results 'engine-{shard}.jsonl' --shard $2 -q
    is "the same shard by $1" "$(wc -l <engine-2.jsonl)" "$(wc -l <s-2.jsonl)"
}
auto_shard "SGE_TASK_ID=3 SGE_TASK_FIRST=1 SGE_TASK_LAST=3 SGE_TASK_STEPSIZE=1" auto
auto_shard "SGE_TASK_ID=3" auto/3
auto_shard "LSB_JOBINDEX=3" auto/3
auto_shard "PBS_ARRAY_INDEX=2" auto/3
auto_shard "BATCH_TASK_INDEX=2 BATCH_TASK_COUNT=3" auto
auto_shard "CLOUD_RUN_TASK_INDEX=2 CLOUD_RUN_TASK_COUNT=3" auto
auto_shard "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=3 SLURM_PROCID=0 SLURM_NTASKS=1" auto
auto_shard "SLURM_PROCID=2 SLURM_NTASKS=3 SGE_TASK_ID=undefined LSB_JOBINDEX=0" auto
AWS_BATCH_JOB_ARRAY_INDEX=1 run 2 batch many --out "{stem}.bsm" --shard auto
says err "give --shard auto/N"
run 2 batch many --out "{stem}.bsm" --shard auto
says err "no engine sets"
run 2 batch many --out "{stem}.bsm" --shard 3/3
says err "expected 0 to below "

# -- Resuming -----------------------------------------------------------------

run 1 batch in --out 'out/{dir}/{stem}.bsm' --results all.jsonl --resume
says err "0 ok, 4 done before, 1 failed, 0 left"
is "no new lines" "$(wc -l <all.jsonl)" 5
fan in/a/one.obj 4
rm out/b/three.bsm
run 1 batch in --out 'out/{dir}/{stem}.bsm' --results all.jsonl --resume
says err "2 ok, 2 done before, 1 failed, 0 left"
run 1 batch in --out 'out/{dir}/{stem}.bsm' --results all.jsonl --resume -- convert --scale 2
says err "4 ok, 0 done before, 1 failed, 0 left"
run 1 batch in --out 'out/{dir}/{stem}.bsm' --results all.jsonl --resume --retry-failed \
    -- convert --scale 2
says err "0 ok, 4 done before, 1 failed, 0 left"
is "attempts with these options are counted" "$(grep broken all.jsonl | tail -1 | lines '"attempt":2,"run":3' -)" 1
# A truncated line, and partial outputs of a killed run.
head -c 700 list.jsonl >cut.jsonl
touch l/in_a_one.obj.obj.99-0.tmp l/other.obj.99-0.tmp
run 0 batch --filelist list -0 --out 'l/{id}.{ext}' --results cut.jsonl --resume
truth "all is there again" "$facet" batch report --filelist list -0 cut.jsonl >/dev/null
truth "what was half-written is gone" [ ! -e l/in_a_one.obj.obj.99-0.tmp ]
truth "what is not ours stays" [ -e l/other.obj.99-0.tmp ]
run 0 batch many --out 'shards/{stem}.bsm' --skip-existing --results skip.jsonl
is "items that were skipped" "$(lines '"status":"skipped"' skip.jsonl)" 30
run 3 batch in/b/broken.obj in/a/one.obj in/a/two.obj --out '{stem}.x.bsm' -j 1 --max-failures 1 \
    --results most.jsonl
is "no more items after a failure" "$(wc -l <most.jsonl)" 1

# -- Isolation ----------------------------------------------------------------

# Reading a pipe without a writer never ends.
mkfifo hang.obj
run 3 batch in/a/one.obj hang.obj in/b/c/four.obj --out 'i/{stem}.bsm' -j 2 --timeout 2 \
    --results i.jsonl
is "an item that hangs" "$(lines '"id":"hang.obj","status":"timeout","code":"TIMEOUT"' i.jsonl)" 1
is "costs no other" "$(lines '"status":"ok"' i.jsonl)" 2
run 3 batch in/a/one.obj hang.obj in/b/c/four.obj --out 'i/{stem}.bsm' --timeout 1 --resume \
    --results i.jsonl
is "it is tried again" "$(lines '"attempt":2' i.jsonl)" 1
run 1 batch in/a/one.obj hang.obj in/b/c/four.obj --out 'i/{stem}.bsm' --timeout 1 --resume \
    --attempts 2 --results i.jsonl
is "until it is given up" "$(lines hang.obj i.jsonl)" 2

# A worker that dies: SIGSEGV from outside is treated like its own.
"$facet" batch hang.obj in/a/two.obj --out 'k/{stem}.bsm' -j 1 --timeout 100 --results k.jsonl \
    >/dev/null 2>&1 &
batch=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    sleep 0.2
    worker=$(pgrep -P $batch) && break
done
sleep 0.5
kill -SEGV "$worker"
wait $batch
is "status of a batch with a crash" $? 1
is "a crash is one line" "$(lines '"status":"crashed"' k.jsonl)" 1
is "and the next item is done" "$(lines '"status":"ok"' k.jsonl)" 1

# A bomb with many more bytes than the limit. AddressSanitizer ends a process without memory, so the
# item cannot report it.
if ! sanitized; then
    fan big.obj 300000
    run 3 batch big.obj in/a/two.obj --out 'b/{stem}.bsm' --memory 40 --results b.jsonl
    is "too much memory" "$(lines '"id":"big.obj","status":"memory"' b.jsonl)" 1
    is "costs no other" "$(lines '"status":"ok"' b.jsonl)" 1

    # A small limit gives each item the same result, for any number of processes, and whatever
    # items its process ran before.
    mkdir fits
    for faces in 1 2 50 100 400 1000 3000 6000; do
        fan "fits/$faces.obj" "$faces"
        cp "fits/$faces.obj" "fits/again-$faces.obj"
    done
    for limit in 2 3 4; do
        rm -f first.txt
        for jobs in 1 2 3 2 3; do
            rm -rf fit fit.jsonl
            "$facet" batch fits --out 'fit/{stem}.bsm' --memory $limit -j $jobs -q \
                --results fit.jsonl >/dev/null 2>&1 || true
            sed 's/"code".*//' fit.jsonl | sort >now.txt
            [ -f first.txt ] || cp now.txt first.txt
            truth "the same items fit into $limit MiB with -j $jobs" cmp -s first.txt now.txt
        done
        is "each item has a line with $limit MiB" "$(wc -l <now.txt)" 16
    done
fi

# -- Signals ------------------------------------------------------------------

for how in "" "--timeout 100"; do
    rm -rf t t.jsonl
    "$facet" batch many hang.obj --out 't/{stem}.bsm' -j 2 $how --grace 0.5 --results t.jsonl \
        >/dev/null 2>&1 &
    batch=$!
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
        sleep 0.2
        [ -f t.jsonl ] && [ "$(wc -l <t.jsonl)" = 30 ] && break
    done
    kill -TERM $batch
    wait $batch
    is "status when told to stop ($how)" $? 75
    is "what was done is told" "$(lines '"status":"ok"' t.jsonl)" 30
    is "what was not is not" "$(lines hang t.jsonl)" 0
    truth "nothing half-written" sh -c '! ls t | grep -q tmp'
done

# A terminal or an engine stops the whole process group. An item whose worker just started is done
# or not started; it never counts as crashed.
for pause in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do
    rm -f u.jsonl
    setsid "$facet" batch in/a/two.obj --out 'u/{stem}.bsm' --isolate --results u.jsonl \
        >/dev/null 2>&1 &
    batch=$!
    sleep 0.0$((pause / 10))$((pause % 10))
    kill -TERM -$batch 2>/dev/null || kill -TERM $batch 2>/dev/null || true
    wait $batch
    cat u.jsonl 2>/dev/null
done >told.jsonl
is "no worker is ended by what tells all to stop" "$(lines '"status":"crashed"' told.jsonl)" 0

# -- Into a tar ---------------------------------------------------------------

# The same files, extracted by the system's tar.
run 1 batch in --out 'out/{dir}/{stem}.bsm' -q --results plain.jsonl
run 1 batch in --out 'out/{dir}/{stem}.bsm' --output-tar all.tar --results tar.jsonl -j 2
mkdir untarred
truth "tar reads it" tar -xf all.tar -C untarred
truth "the files are those of a folder" diff -r untarred/out out
is "no user, no time" "$(tar -tvf all.tar --utc --full-time --numeric-owner | grep -c '0/0 .*1970-01-01 00:00:00')" 4
run 1 batch in --out 'out/{dir}/{stem}.bsm' --output-tar one.tar --results one.jsonl -j 1
run 1 batch in --out 'out/{dir}/{stem}.bsm' --output-tar two.tar --results two.jsonl -j 1 --isolate
truth "the same bytes each time, and by processes" cmp one.tar two.tar
run 2 batch in --out 'out/{dir}/{stem}.bsm' --output-tar one.tar --results none.jsonl
says err "exists already"
run 1 batch in --out 'out/{dir}/{stem}.bsm.gz' --output-tar gz.tar --results gz.jsonl -j 1
is "outputs into a tar are not compressed" "$(lines '"rule":"OUTPUT-TAR"' gz.jsonl)" 4
run 1 batch in --out 'out/{dir}/{stem}.bsm' --output-tar one.tar --results one.jsonl --resume -j 1
says err "0 ok, 4 done before"
truth "nothing is added to what is complete" cmp one.tar two.tar
# The offset in the results is that of the member's header.
offset=$(sed -n 's/.*"tar_offset":\([0-9]*\).*/\1/p' one.jsonl | sed -n 2p)
name=$(dd if=one.tar bs=1 skip="$offset" count=100 2>/dev/null | tr -d '\0')
is "a member where the line says" "$(lines "\"out\":\"$name\"" one.jsonl)" 1

# Truncate the tar at any offset, as if killed, and resume.
size=$(wc -c <two.tar)
cut=0
while [ "$cut" -lt "$size" ]; do
    head -c "$cut" two.tar >cut.tar
    sed 's/two.tar/cut.tar/g' two.jsonl >cut.jsonl
    run 1 batch in --out 'out/{dir}/{stem}.bsm' --output-tar cut.tar --results cut.jsonl --resume -j 1 \
        --sync none
    rm -rf untarred && mkdir untarred
    truth "cut at $cut, it is complete again" tar -xf cut.tar -C untarred
    truth "cut at $cut, the files are right" diff -r untarred/out out
    is "cut at $cut, no file is there twice" "$(tar -tf cut.tar | sort | uniq -d)" ""
    cut=$((cut + size / 7 + 100))
done
# Lines of results are missing, so their files are written again.
cp two.tar lost.tar
sed 's/two.tar/lost.tar/g' two.jsonl | grep '"status":"ok"' | head -2 >lost.jsonl
run 1 batch in --out 'out/{dir}/{stem}.bsm' --output-tar lost.tar --results lost.jsonl --resume -j 1
says err "2 ok, 2 done before"
is "what no line tells of is made again" "$(tar -tf lost.tar | sort | uniq -c | grep -c ' 1 ')" 4

# A tar or other file that the results do not list is not changed.
cp two.tar kept.tar
run 2 batch in --out 'out/{dir}/{stem}.bsm' --output-tar kept.tar --results mistyped.jsonl --resume
says err "bytes, which --results mistyped.jsonl does not list"
truth "the tar is as it was" cmp two.tar kept.tar
is "no results of a mistyped name" "$(ls mistyped.jsonl 2>/dev/null)" ""
run 2 batch in --out 'out/{dir}/{stem}.bsm' --output-tar kept.tar --results one.jsonl --resume
truth "results of another tar: as it was" cmp two.tar kept.tar
head -c 100000 /dev/urandom >thesis.pdf
cp thesis.pdf thesis.copy
: >empty.jsonl
run 2 batch in --out 'out/{dir}/{stem}.bsm' --output-tar thesis.pdf --results empty.jsonl --resume
truth "a file that is no tar is as it was" cmp thesis.copy thesis.pdf
# The same tar with another path.
run 1 batch in --out 'out/{dir}/{stem}.bsm' --output-tar ./one.tar --results one.jsonl --resume -j 1
says err "0 ok, 4 done before"
truth "nothing is added, whatever its name" cmp one.tar two.tar
# Stopped before the first line of results.
head -c 700 two.tar >begun.tar
: >begun.jsonl
run 1 batch in --out 'out/{dir}/{stem}.bsm' --output-tar begun.tar --results begun.jsonl --resume -j 1
truth "begun anew" cmp begun.tar two.tar

# Siblings, long names, non-ASCII names, and outputs of other commands.
long=$(printf '%0120d' 7)
mkdir -p "in2/$long"
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m\nf 1 2 3\n' >"in2/$long/a.obj"
printf 'newmtl m\nKd 1 0 0\n' >"in2/$long/a.mtl"
cp "in2/$long/a.obj" "in2/$long/a.mtl" in2
mv in2/a.obj "in2/$(printf '\303\244').obj"
for how in "" --isolate; do
    rm -rf side.tar sides.jsonl untarred
    run 0 batch in2 --out 's/{dir}/{stem}.obj' --match '*.obj' --output-tar side.tar \
        --results sides.jsonl $how
    mkdir untarred
    truth "tar reads long names $how" tar -xf side.tar -C untarred
    truth "siblings are members $how" test -f "untarred/s/$long/a.mtl"
    truth "names are whole $how" test -f "untarred/s/$long/a.obj"
    truth "names are UTF-8 $how" test -f "untarred/s/$(printf '\303\244').obj"
    is "siblings are told $how" "$(lines '"outputs":[{"path":"s/' sides.jsonl)" 2
done
python3 - <<'END' 2>/dev/null || truth "python reads it" false
import tarfile
assert all(len(m.name) and m.mtime == 0 for m in tarfile.open("side.tar").getmembers())
END
run 0 batch in/a --output-tar i.tar --out '{stem}.json' --results it.jsonl --match '*.obj' -- info
is "what info says" "$(tar -xOf i.tar one.json | lines '"triangles":4' -)" 1
run 0 pack x.arc in/a
run 0 extract x.arc x
run 0 batch x.arc --output-tar x.tar --out 'x' --results x.jsonl -- extract
rm -rf untarred && mkdir untarred && tar -xf x.tar -C untarred
truth "what extract takes out" diff -r untarred/x x
is "is told" "$(lines '"outputs":[{"path":"x/' x.jsonl)" 1
"$facet" batch in --out '{stem}.bsm' --output-tar - --results p.jsonl -q | tar -tf - >listed
is "a tar goes into a pipe" "$(sort listed | tr '\n' ' ')" "four.bsm one.bsm three.bsm two.bsm "
run 2 batch in --out '/x/{stem}.bsm' --output-tar e.tar
says err "a relative path"
run 2 batch in --out '{stem}.bsm' --output-tar -
says err "give --results a file"
run 2 batch in --out '{stem}.bsm' --output-tar e.tar --skip-existing
says err "use --resume"

# Killed during the run: every file in the tar is complete.
rm -f t.tar t.jsonl
"$facet" batch many hang.obj --out 't/{stem}.bsm' -j 2 --output-tar t.tar --results t.jsonl \
    >/dev/null 2>&1 &
batch=$!
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
    sleep 0.2
    [ -f t.jsonl ] && [ "$(wc -l <t.jsonl)" = 30 ] && break
done
kill -KILL $batch
wait $batch 2>/dev/null
is "what a killed run has told is in the tar" "$(tar -tf t.tar | wc -l)" 30
run 0 batch many --out 't/{stem}.bsm' --output-tar t.tar --results t.jsonl --resume
says err "0 ok, 30 done before"

# -- Reports ------------------------------------------------------------------

run 1 batch report all.jsonl
says out "5 items, "
says out "4 done, 1 failed (0 may work when run again)"
run 0 batch report --filelist list -0 --json list.jsonl
says out '"missing":0'
printf 'in/a/one.obj\0in/zzz.obj\0' >more
run 3 batch report --filelist more -0 list.jsonl
says out "1 missing, 1 not of the manifest"
says out "in/zzz.obj"
run 0 batch report s-0.jsonl s-1.jsonl s-2.jsonl --merged merged.jsonl
is "merged lines" "$(wc -l <merged.jsonl)" 30
run 0 batch report s-2.jsonl s-1.jsonl s-0.jsonl s-1.jsonl --merged again.jsonl
truth "in any order the same" cmp -s merged.jsonl again.jsonl

# -- Workers ------------------------------------------------------------------

printf '%s\n' '{"id": "x", "in": "in/a/one.obj", "out": "w/x.bsm"}' 'what?' '{"in": "in/a/one.obj"}' \
    '{"arguments": ["convert", "in/a/one.obj", "w/y.bsm"], "requestId": 7}' \
    '{"arguments": ["convert", "in/b/broken.obj", "w/z.bsm"]}' |
    "$facet" worker --persistent_worker >answers 2>errors
is "a worker ends well" $? 0
is "an answer per request" "$(wc -l <answers)" 5
is "an item" "$(sed -n 1p answers | lines '"id":"x","status":"ok"' -)" 1
is "what is no request" "$(lines '"code":"REQUEST"' answers)" 2
is "a request of Bazel" "$(sed -n 4p answers)" '{"exitCode":0,"output":"","requestId":7}'
is "one that fails" "$(sed -n 5p answers | lines '"exitCode":1' -)" 1
truth "its output" cmp -s w/x.bsm w/y.bsm

# -- Side files ---------------------------------------------------------------

mkdir 'si de'
printf 'mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl m\nf 1/1 2/1 3/1\n' >'si de/a.obj'
printf 'newmtl m\nKd 1 0 0\n' >'si de/a.mtl'
run 0 deps 'si de/a.obj'
says out "si de/a.mtl"
run 0 deps --json 'si de/a.obj' in/a/one.obj
says out '{"file":"si de/a.obj","sides":["si de/a.mtl"]}'
says out '{"file":"in/a/one.obj","sides":[]}'
run 3 deps --json missing.obj in/a/one.obj
says out '{"file":"missing.obj","error":{"rule":"system error"'
says out '{"file":"in/a/one.obj","sides":[]}'
run 0 convert 'si de/a.obj' side.glb --depfile side.d
is "a file for make" "$(cat side.d)" 'side.glb: si\ de/a.obj si\ de/a.mtl
si\ de/a.mtl:'
run 3 convert 'si de/a.obj' none.glb --depfile no-folder/side.d
says err "cannot"
truth "OUT is not written without its depfile" [ ! -e none.glb ]
run 2 convert 'si de/a.obj' - --to bsm --depfile side.d
says err "--depfile needs OUT to be one file"
run 0 batch 'si de/a.obj' --out '{stem}.bsm' --results side.jsonl
is "side files" "$(lines '"sides":[{"path":"si de/a.mtl","sha256":"' side.jsonl)" 1
echo 'Ka 0 0 1' >>'si de/a.mtl'
run 0 batch 'si de/a.obj' --out '{stem}.bsm' --results side.jsonl --resume
says err "1 ok, 0 done before"

finish
