# Claiming shards from a folder, commands that fetch inputs and store outputs, and pipes as inputs.
. "$(dirname "$0")/../support/cli.sh"
facet=$(realpath "$facet")
cd "$work" || exit 1

is() {
    truth "$1: '$2' instead of '$3'" [ "$2" = "$3" ]
}
triangle() {
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 %s\nf 1 2 3\n' "$2" >"$1"
}
# Write an executable script without shell quoting, for the hooks of this test.
script() {
    cat >"$1"
    chmod +x "$1"
}
mkdir m
triangle m/a.obj 0
triangle m/b.obj 1

# -- Claims -------------------------------------------------------------------

mkdir q
for s in 0 1 2 3 4 5; do
    for i in 0 1 2; do
        printf '{"id":"%s-%s","in":"m/a.obj","out":"o/%s-%s.bsm"}\n' $s $i $s $i
    done >q/s$s.jsonl
done
"$facet" batch --claim q --results 'r/{shard}.jsonl' --resume -q 2>err1 &
"$facet" batch --claim q --results 'r/{shard}.jsonl' --resume -q 2>err2
here=$?
wait $!
is "two claimants" "$here $?" "0 0"
is "shards that are done" "$(ls q/done | tr '\n' ' ')" "s0.jsonl s1.jsonl s2.jsonl s3.jsonl s4.jsonl s5.jsonl "
is "each item once" "$(cat r/s*.jsonl | grep -c '"run":1')" 18
is "lines" "$(cat r/s*.jsonl | wc -l)" 18
run 0 batch --claim q --results 'r/{shard}.jsonl'
says err "no shard is left to claim"

# The shard of a killed process stays claimed until a user puts it back.
mkfifo m/slow.obj
printf '{"id":"x","in":"m/b.obj","out":"o/x.bsm"}\n{"id":"y","in":"m/slow.obj","out":"o/y.bsm"}\n' >q/dead.jsonl
"$facet" batch --claim q --results 'r/{shard}.jsonl' --resume -q -j 1 2>err3 &
claimant=$!
i=0
while [ ! -s r/dead.jsonl ] && [ $i -lt 200 ]; do
    sleep 0.05
    i=$((i + 1))
done
kill -9 $claimant
wait $claimant 2>/dev/null
truth "claimed by the dead" [ -e q/claimed/dead.jsonl ]
is "not old" "$(find q/claimed -type f -mmin +10)" ""
touch -d '1 hour ago' q/claimed/dead.jsonl
find q/claimed -type f -mmin +10 -exec mv {} q/ \;
rm m/slow.obj
triangle m/slow.obj 2
run 0 batch --claim q --results 'r/{shard}.jsonl' --resume
says err "1 done before"
truth "taken again" [ -e q/done/dead.jsonl ]

# A shard with a retryable error is put back. A shard whose items failed permanently is done.
mkdir q2
printf '{"id":"z","in":"m/none.obj","out":"o/z.bsm"}\n' >q2/missing.jsonl
run 1 batch --claim q2 --results 'r2/{shard}.jsonl'
truth "failed for good" [ -e q2/done/missing.jsonl ]
printf 'no manifest\n' >q2/wrong.jsonl
run 2 batch --claim q2 --results 'r2/{shard}.jsonl'
truth "put back" [ -e q2/wrong.jsonl ]

# Shards of a stream have the same ids, whatever process claims them.
mkdir q3
tar -cf q3/00.tar -C m a.obj
tar -czf q3/01.tar.gz -C m b.obj
run 0 batch --claim q3 --stream --match '*.obj' --out '{stem}.bsm' --output-tar 't-{shard}.tar' --results 'r3/{shard}.jsonl'
is "tars" "$(tar -tf t-00.tar) $(tar -tf t-01.tar)" "a.bsm b.bsm"
# A shard without items is done, whatever is in it.
tar -cf q3/02.tar -T /dev/null
printf 'text\n' >readme
tar -cf q3/03.tar readme
run 0 batch --claim q3 --stream --match '*.obj' --out '{stem}.bsm' --output-tar 't-{shard}.tar' --results 'r3/{shard}.jsonl'
says err "--match '*.obj' matches nothing"
is "shards without items" "$(ls q3/done | tr '\n' ' ')" "00.tar 01.tar.gz 02.tar 03.tar "
run 2 batch --claim q3 --results r.jsonl
says err "{shard} in their names"
run 2 batch --claim nowhere --results '{shard}.jsonl'
says err "found no folder 'nowhere'"

# -- Commands for each item ---------------------------------------------------

mkdir remote taken
cp m/a.obj 'remote/a b; $(x).obj'
cp m/b.obj remote/b.obj
script get <<'SH'
#!/bin/sh
case "$1" in
*/gone) exit 66 ;;
*/flaky) exit 9 ;;
*/later) exit 75 ;;
*/slow) exec sleep 60 ;;
*/stuck)
    sleep 60
    touch survived
    ;;
*/service) sleep 20 & ;;
*/nothing) exit 0 ;;
esac
cp "remote/${1#s3://in/}" "$2"
SH
script put <<'SH'
#!/bin/sh
case "$2" in
*/full.glb) exit 75 ;;
*/no.glb) exit 65 ;;
esac
cp "$1" "taken/${2#s3://out/}"
SH
hooks() {
    expected=$1
    shift
    run $expected batch "$@" --fetch './get {in} {file}' --store './put {file} {out}'
}
mkdir tmp
export TMPDIR="$work/tmp"
printf '{"id":"1","in":"s3://in/a b; $(x).obj","out":"s3://out/1 $(y).obj"}\n{"id":"2","in":"s3://in/b.obj","out":"s3://out/2.glb"}
{"id":"3","in":"s3://in/gone","out":"s3://out/3.glb"}\n{"id":"4","in":"s3://in/flaky","out":"s3://out/4.glb"}\n' >h.jsonl
printf 'mtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' >'remote/a b; $(x).obj'
hooks 3 --manifest h.jsonl --results hr.jsonl -j 2
is "a file that is not there" "$(grep -c "cannot open 's3://in/none.mtl'" hr.jsonl)" 1
run 0 convert m/b.obj two.glb
truth "what was stored" cmp two.glb taken/2.glb
truth "names are data" [ -e 'taken/1 $(y).obj' ]
is "a file next to an output" "$(ls taken | wc -l)" "$(grep -o 's3://out/[^"]*"' hr.jsonl | grep -vc '[34].glb')"
is "names in the lines" "$(grep -c "$work" hr.jsonl)" 0
is "a failure for good" "$(grep '"id":"3"' hr.jsonl | grep -c '"code":"HOOK-FETCH","retry":false')" 1
is "one that may work" "$(grep '"id":"4"' hr.jsonl | grep -c '"code":"HOOK-FETCH","retry":true')" 1
is "the sum of what was fetched" "$(grep -c "\"in_sha256\":\"$(sha256sum <m/b.obj | cut -c1-64)" hr.jsonl)" 1
is "nothing is left" "$(ls tmp)" ""
hooks 3 --manifest h.jsonl --results hr.jsonl --resume
says err "2 done before"
hooks 1 --manifest h.jsonl --results hr.jsonl --resume
hooks 1 --manifest h.jsonl --results hr.jsonl --resume
is "three attempts" "$(grep -c '"id":"4"' hr.jsonl)" 3

printf '{"id":"5","in":"s3://in/later","out":"s3://out/5.glb"}\n{"id":"6","in":"s3://in/b.obj","out":"s3://out/6.glb"}\n' >l.jsonl
hooks 75 --manifest l.jsonl --results lr.jsonl -j 1
is "no line, no attempt" "$(wc -l <lr.jsonl)" 0
printf '{"id":"7","in":"s3://in/b.obj","out":"s3://out/full.glb"}\n' >f.jsonl
hooks 75 --manifest f.jsonl --results fr.jsonl
is "no line of what is not stored" "$(wc -l <fr.jsonl)" 0
printf '{"id":"8","in":"s3://in/b.obj","out":"s3://out/no.glb"}\n' >n.jsonl
hooks 1 --manifest n.jsonl --results nr.jsonl
is "not stored" "$(grep -c '"code":"HOOK-STORE","retry":false' nr.jsonl)" 1
printf '{"id":"9","in":"--help","out":"s3://out/9.glb"}\n{"id":"10","in":"s3://in/b.obj","out":"s3://out/10.glb"}\n' >d.jsonl
hooks 1 --manifest d.jsonl --results dr.jsonl -j 1
is "a name is no option" "$(grep -c '"code":"HOOK-FETCH","retry":false' dr.jsonl)" 1
truth "the next item" [ -e taken/10.glb ]
printf '{"id":"11","in":"s3://in/slow","out":"s3://out/11.glb"}\n' >s.jsonl
hooks 3 --manifest s.jsonl --results sr.jsonl --timeout 1
is "a command that hangs" "$(grep -c '"code":"TIMEOUT","retry":true' sr.jsonl)" 1
# The processes that a command starts end with it, or do not delay the batch.
cp m/b.obj remote/service
printf '{"id":"12","in":"s3://in/stuck","out":"s3://out/12.glb"}\n' >t.jsonl
printf '{"id":"13","in":"s3://in/service","out":"s3://out/13.glb"}\n{"id":"14","in":"s3://in/nothing","out":"s3://out/14.glb"}\n' >v.jsonl
began=$(date +%s)
hooks 3 --manifest t.jsonl --results tr.jsonl --timeout 1
is "a command whose own command hangs" "$(grep -c '"code":"TIMEOUT","retry":true' tr.jsonl)" 1
hooks 3 --manifest v.jsonl --results vr.jsonl
truth "commands that hang or stay in the background" [ $(($(date +%s) - began)) -lt 15 ]
is "a command that leaves a process" "$(grep '"id":"13"' vr.jsonl | grep -c '"status":"ok"')" 1
is "a command that writes nothing" "$(grep '"id":"14"' vr.jsonl | grep -c '"code":"HOOK-FETCH","retry":true')" 1
is "a sentence" "$(grep -c 'ended without writing {file}' vr.jsonl)" 1
run 75 batch --manifest h.jsonl --results xr.jsonl --fetch './no-such-command {in} {file}' --store './put {file} {out}'
is "nothing is left after all" "$(ls tmp)" ""
run 2 batch --manifest h.jsonl --results xr.jsonl --fetch './get {in}'
says err "{file} is missing"
run 2 batch --manifest h.jsonl --results xr.jsonl --fetch "./get '{in} {file}"
says err "expected a command"

# -- Commands for each shard, and for each tar --------------------------------

tar -cf 's 1.tar' -C m a.obj b.obj
run 0 batch --stream 's 1.tar' --fetch 'cat {in}' --match '*.obj' --out '{stem}.bsm' --output-tar 'p-{part}.tar' \
    --part-items 1 -j 1 --store 'cp {file} taken/' --results p.jsonl
is "each part" "$(tar -tf taken/p-00000.tar) $(tar -tf taken/p-00001.tar)" "a.bsm b.bsm"
script half <<'SH'
#!/bin/sh
cat "$1"
exit 1
SH
run 3 batch --stream 's 1.tar' --fetch './half {in}' --match '*.obj' --out '{stem}.bsm' --output-tar half.tar \
    --store 'cp {file} taken/' --results half.jsonl
says err "[HOOK-FETCH]"
truth "what is not whole is not stored" [ ! -e taken/half.tar ]
run 0 batch --stream 's 1.tar' --fetch 'cat {in}' --match '*.obj' --out '{stem}.bsm' --output-tar half.tar \
    --store 'cp {file} taken/' --results half.jsonl --resume
says err "2 done before"
truth "stored by the next run" cmp half.tar taken/half.tar
run 75 batch --stream 's 1.tar' --match '*.obj' --out '{stem}.bsm' --output-tar 'w-{part}.tar' --part-items 1 \
    --store 'false {file}' --results w.jsonl
truth "no part after one that is not stored" [ ! -e w-00001.tar ]

# A hook, and what it started, ends when SIGKILL ends the batch.

script waits <<'SH'
#!/bin/sh
echo $$ >hook.new
mv hook.new hook.pid
sleep 600
SH
"$facet" batch m/a.obj --out 'o/{stem}.bsm' --fetch './waits {in} {file}' --results wait.jsonl -q 2>err1 &
batch=$!
for _ in $(seq 600); do
    [ ! -e hook.pid ] || break
    sleep 0.05
done
truth "the hook runs" kill -0 "$(cat hook.pid)"
kill -9 $batch
wait $batch
for _ in $(seq 600); do
    pgrep -g "$(cat hook.pid)" >/dev/null || break
    sleep 0.05
done
is "hooks after SIGKILL" "$(pgrep -g "$(cat hook.pid)" | wc -l)" 0

# -- Pipes and devices --------------------------------------------------------

mkfifo m/pipe.obj
ln -s /dev/zero m/zero.obj
run 1 batch m/pipe.obj m/zero.obj m/a.obj --out 'o/{stem}.bsm' --results k.jsonl --isolate
is "pipes and devices" "$(grep -c '"code":"INPUT-KIND","retry":false' k.jsonl)" 2
is "a file" "$(grep -c '"ok"' k.jsonl)" 1
finish
