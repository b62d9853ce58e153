#!/bin/sh
# hardening.sh FILE...: check that release programs and libraries for Linux are hardened. They have
# stack canaries, libc calls that check the size of a buffer, and tables that are read-only after
# loading. Stacks are not executable. Code is position-independent. On x86-64,
# return addresses are also on a shadow stack.
set -eu
failed=0
for file; do
    names=$(readelf -sDW "$file" 2>/dev/null || readelf -sW "$file")
    dynamic=$(readelf -dW "$file")
    segments=$(readelf -lW "$file")
    notes=$(readelf -nW "$file")
    machine=$(readelf -hW "$file" | sed -n 's/ *Machine: *//p')
    kind=$(readelf -hW "$file" | sed -n 's/ *Type: *\([A-Z]*\).*/\1/p')
    expect() {
        case $2 in
        *"$3"*) ;;
        *) echo "$file: no $1" >&2; failed=1 ;;
        esac
    }
    expect "canary (__stack_chk_fail)" "$names" __stack_chk_fail
    expect "checked call of libc (__memcpy_chk)" "$names" __memcpy_chk
    expect "BIND_NOW" "$dynamic" NOW
    expect "RELRO" "$segments" GNU_RELRO
    expect "position independence (type DYN)" "$kind" DYN
    case $machine in
    *X86-64*) expect "shadow stack (property SHSTK)" "$notes" SHSTK ;;
    esac
    case $(echo "$segments" | grep GNU_STACK) in
    *RWE* | "") echo "$file: its stack can be executed" >&2; failed=1 ;;
    esac
done
exit $failed
