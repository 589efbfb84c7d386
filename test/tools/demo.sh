#!/bin/sh
# demo.sh OCCC -- compile and run some of the examples, showing what they print.
set -eu
occc=$1
show() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
[ -t 1 ] || show() { printf '\n$ %s\n' "$*"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for name in 01-hello 05-prime-sieve 11-mandelbrot 14-thermostat 04-commstime; do
    show "occc examples/$name.occ -o $name && ./$name"
    "$occc" "examples/$name.occ" -o "$work/$name"
    if [ "$name" = 14-thermostat ]; then OCC_TIME=virtual "$work/$name"; else "$work/$name"; fi
done

show "printf '2 3 + 4 *\\n' | occc run examples/15-calculator.occ"
printf '2 3 + 4 *\n' | "$occc" run examples/15-calculator.occ

show "occc run examples/07-deadlock.occ    # a program that must fail: exit status 2"
status=0
"$occc" run examples/07-deadlock.occ 2>&1 || status=$?
echo "exit status $status"
[ "$status" = 2 ]

cat >"$work/race.occ" <<'OCC'
PROC main ()
  INT x:
  PAR
    x := 1
    x := 2
:
OCC
show "occc race.occ    # and one that must not compile"
cat "$work/race.occ"
(cd "$work" && "$OLDPWD/$occc" race.occ -o race 2>&1) && exit 1
echo
echo "demo: all done"
