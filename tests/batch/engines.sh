#!/bin/sh
# engines.sh FACET [ITEMS]: facet batch on real engines on this machine: an array of Slurm, and GNU
# parallel. Some items are broken, some hang, and some need more memory than allowed. Tasks are
# canceled and requeued, and a node goes down. In the end each id has ended once, and every output
# equals that of one process.
#
# Slurm's daemons have their own folder and ports, and listen on 127.0.0.1.
set -eu
facet=$(realpath "$1")
items=${2:-5000}
shards=16
work=$(mktemp -d)
slurm=$work/slurm
host=$(hostname -s)

stop_daemons() {
    for daemon in slurmd slurmctld munge/; do
        pid=$slurm/${daemon}.pid
        [ "$daemon" = munge/ ] && pid=$slurm/munge/pid
        if [ -f "$pid" ]; then
            kill "$(cat "$pid")" 2>/dev/null || true
        fi
        sleep 1
    done
}
finish() {
    stop_daemons
    # Workers that wait for a pipe without a writer end with their batch.
    rm -rf "$work"
}
trap finish EXIT
trap "exit 1" HUP INT TERM
fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# -- Items --------------------------------------------------------------------

cd "$work"
mkdir bases in
i=0
while [ $i -lt 8 ]; do
    awk -v n=$((20 + i * 60)) 'BEGIN {
        print "v 0 0 0"
        for (i = 0; i <= n; i++) printf "v %.6f %.6f 0\n", cos(i * 0.01), sin(i * 0.01)
        for (i = 0; i < n; i++) printf "f 1 %d %d\n", i + 2, i + 3
    }' >bases/$i.obj
    for kind in ply stl glb gltf bsm binarymesh bga; do
        "$facet" convert -q -j1 bases/$i.obj bases/$i.$kind
    done
    i=$((i + 1))
done
head -c 40 bases/1.bsm >bases/short.bsm
head -c 100 bases/1.glb >bases/short.glb
printf 'v 0 0 0\nf 1 2 9\n' >bases/short.obj
mkfifo bases/hang.obj
awk 'BEGIN {
    print "v 0 0 0"
    for (i = 0; i <= 500000; i++) printf "v %.6f %.6f 0\n", cos(i * 0.01), sin(i * 0.01)
    for (i = 0; i < 500000; i++) printf "f 1 %d %d\n", i + 2, i + 3
}' >bases/bomb.obj
awk -v n="$items" 'BEGIN {
    split("obj ply stl glb gltf bsm binarymesh bga", kinds, " ")
    split("bsm obj short.glb", broken, " ")
    for (i = 0; i < n; i++) {
        in_ = "bases/" i % 8 "." kinds[i % 7 + 1]
        if (i % 100 == 37) in_ = "bases/short." (i % 300 == 37 ? "bsm" : i % 300 == 137 ? "obj" : "glb")
        if (i == 11 || i == 1011) in_ = "bases/hang.obj"
        if (i == 500 || i == 2500) in_ = "bases/bomb.obj"
        printf "{\"id\":\"item-%05d\",\"in\":\"%s\",\"out\":\"OUT/%02d/%05d.bsm\",\"args\":[\"--scale\",\"%d\"]}\n",
            i, in_, i % 50, i, i % 9 + 1
    }
}' >template.jsonl
hanging=$(grep -c hang.obj template.jsonl)
bombs=$(grep -c bomb.obj template.jsonl || true)
broken=$(grep -c bases/short template.jsonl)
good=$((items - hanging - bombs - broken))
echo "$items items: $good good, $broken broken, $hanging that hang, $bombs too large"

# Expected outputs: all items that can be done, in one process.
grep -v 'hang.obj\|bomb.obj' template.jsonl | sed 's|OUT/|right/|' >right.jsonl
"$facet" batch --manifest right.jsonl --results right-results.jsonl --progress none -q && fail "broken files went well"
is_right() { # folder, results...
    folder=$1
    shift
    find "$folder" -name '*.tmp' | grep . && fail "something is half-written"
    diff -rq right "$folder" >differences || { head differences; fail "outputs differ"; }
    "$facet" batch report --manifest "$folder.jsonl" --merged "$folder-merged.jsonl" --json "$@" \
        >"$folder-report.json" || [ $? = 1 ] || { cat "$folder-report.json"; fail "not all is done"; }
    [ "$(wc -l <"$folder-merged.jsonl")" = "$items" ] || fail "not a line for each id"
    [ "$(grep -c '"status":"ok"' "$folder-merged.jsonl")" = $good ] || fail "not all good ones are ok"
    [ "$(grep -c '"status":"failed"' "$folder-merged.jsonl")" = "$broken" ] || fail "broken ones"
    [ "$(grep -c '"status":"timeout"' "$folder-merged.jsonl")" = "$hanging" ] || fail "hanging ones"
    [ "$(grep -c '"status":"memory"' "$folder-merged.jsonl" || true)" = "$bombs" ] || fail "large ones"
    for attempt in "$@"; do
        sort "$attempt" | uniq -d | grep . && fail "a line twice"
    done
    echo "$folder: each id ended once, outputs are right"
}
# True if no item is missing, and none can be retried.
is_over() { # folder, results...
    manifest=$1.jsonl
    shift
    "$facet" batch report --manifest "$manifest" "$@" >report.txt || [ $? = 1 ] || {
        head -1 report.txt
        return 1
    }
}
limits="--timeout 10 --memory 48 --attempts 2"

# -- GNU parallel -------------------------------------------------------------

sed 's|OUT/|parallel/|' template.jsonl >parallel.jsonl
cat >run-parallel.sh <<END
seq 0 $((shards - 1)) >shards.txt
exec parallel --will-cite -j2 --joblog joblog "\$@" -a shards.txt \\
    $facet batch --manifest parallel.jsonl --shard {}/$shards \\
    --results parallel-{}.jsonl --resume -j1 $limits -q
END
sh run-parallel.sh &
running=$!
i=0
until [ "$(cat parallel-[0-9]*.jsonl 2>/dev/null | wc -l)" -gt $((items / 10)) ]; do
    i=$((i + 1))
    [ $i -lt 600 ] || fail "parallel does nothing"
    sleep 0.1
done
kill -TERM $running
kill -TERM $running 2>/dev/null || true
wait $running && fail "parallel was not stopped"
echo "parallel: killed after $(cat parallel-*.jsonl | wc -l) items"
rounds=0
until is_over parallel parallel-[0-9]*.jsonl; do
    rounds=$((rounds + 1))
    [ $rounds -lt 6 ] || fail "parallel does not come to an end"
    sh run-parallel.sh --resume-failed || true
done
is_right parallel parallel-[0-9]*.jsonl

# -- Slurm --------------------------------------------------------------------

mkdir -p "$slurm/munge" "$slurm/state" "$slurm/spool" "$slurm/log"
chmod 711 "$slurm/munge" "$work"
head -c 1024 /dev/urandom >"$slurm/munge/key"
chmod 400 "$slurm/munge/key"
cat >"$slurm/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/sock
CredType=cred/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=${SLURMCTLD_PORT:-16817}
SlurmdPort=${SLURMD_PORT:-16818}
SrunPortRange=60101-60140
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/log/slurmctld.log
SlurmdLogFile=$slurm/log/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$slurm/log/jobcomp.txt
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MaxArraySize=10001
MaxJobCount=20000
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=30
InactiveLimit=0
KillWait=10
MinJobAge=300
JobRequeue=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 RealMemory=1024 State=UNKNOWN
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$slurm/slurm.conf
munged --key-file="$slurm/munge/key" --socket="$slurm/munge/sock" --pid-file="$slurm/munge/pid" \
    --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed"
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"
i=0
until sinfo -h -o %t 2>/dev/null | grep -q idle; do
    i=$((i + 1))
    [ $i -lt 100 ] || { cat "$slurm"/log/*.log; fail "Slurm does not start"; }
    sleep 0.3
done

sed 's|OUT/|slurm-out/|' template.jsonl >slurm-out.jsonl
cat >task.sh <<END
#!/bin/sh
exec $facet batch --manifest slurm-out.jsonl --shard auto/$shards \
    --results slurm-{shard}.jsonl --resume -j1 --progress none $limits
END
submit() {
    sbatch --parsable --requeue --array=0-$((shards - 1)) -o slurm/log/%A_%a.out task.sh
}
wait_for_tasks() { # job
    i=0
    while [ -n "$(squeue -h -j "$1" 2>/dev/null)" ]; do
        i=$((i + 1))
        # A requeued task would wait for two minutes.
        for task in $(squeue -h -r -t PD -j "$1" -o '%A %r' | awk '$2 == "BeginTime" { print $1 }'); do
            scontrol update jobid="$task" StartTime=now 2>/dev/null || true
        done
        [ $i -lt 1200 ] || { squeue; fail "tasks do not end"; }
        sleep 0.5
    done
}
job=$(submit)
i=0
until [ "$(cat slurm-[0-9]*.jsonl 2>/dev/null | wc -l)" -gt $((items / 10)) ]; do
    i=$((i + 1))
    [ $i -lt 600 ] || fail "Slurm does nothing"
    sleep 0.1
done
scancel "${job}_2" "${job}_3"
running=$(squeue -h -r -t R -j "$job" -o '%i' | head -1)
if [ -n "$running" ]; then
    scontrol requeue "$running"
fi
sleep 2
scontrol update nodename="$host" state=down reason=test
sleep 2
scontrol update nodename="$host" state=resume || true # it may have come back by itself
echo "slurm: canceled, requeued and down after $(cat slurm-[0-9]*.jsonl | wc -l) items"
wait_for_tasks "$job"
rounds=0
# Submit again, as a user would, until no item is missing and none can be retried.
until is_over slurm-out slurm-[0-9]*.jsonl; do
    rounds=$((rounds + 1))
    [ $rounds -lt 6 ] || fail "Slurm does not come to an end"
    wait_for_tasks "$(submit)"
done
is_right slurm-out slurm-[0-9]*.jsonl
