# tests/support/cli.sh - functions for cli_*.sh: run the program and check its output. $1 of the
# script is the program.
facet=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
count=0

# run STATUS words...: run facet, keep its output in $work/out and $work/err, and expect this exit
# status.
run() {
    expected=$1
    shift
    count=$((count + 1))
    "$facet" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ "$status" = "$expected" ] && return
    echo "FAILED: facet $*: exit status $status instead of $expected"
    cat "$work/err"
    failures=$((failures + 1))
}

# says FILE TEXT: check that out or err contains the text.
says() {
    count=$((count + 1))
    grep -qF -- "$2" "$work/$1" && return
    echo "FAILED: std$1 lacks: $2"
    cat "$work/$1"
    failures=$((failures + 1))
}

# lacks FILE TEXT: check that out or err does not contain the text. A source of the program must
# contain it, so that the check fails if the message gets other words.
sources=$(cd "$(dirname "$0")/../../src" && pwd)
lacks() {
    count=$((count + 1))
    if ! grep -rqF -- "$2" "$sources"; then
        echo "FAILED: no message of the program contains: $2"
    elif grep -qF -- "$2" "$work/$1"; then
        echo "FAILED: std$1 contains: $2"
        cat "$work/$1"
    else
        return 0
    fi
    failures=$((failures + 1))
}

# silent FILE: check that out or err is empty.
silent() {
    count=$((count + 1))
    [ -s "$work/$1" ] || return 0
    echo "FAILED: std$1 is not empty:"
    cat "$work/$1"
    failures=$((failures + 1))
}

# truth WHAT command...: check that the command succeeds.
truth() {
    what=$1
    shift
    count=$((count + 1))
    "$@" && return
    echo "FAILED: $what"
    failures=$((failures + 1))
}

# sanitized: true if the program was built with AddressSanitizer or ThreadSanitizer. They end a
# process whose allocation fails, and open files.
sanitized() {
    grep -q '__[at]san_init' "$facet"
}

# finish: the script's last line.
finish() {
    echo "$((count - failures)) of $count expectations met"
    [ "$failures" = 0 ]
}
