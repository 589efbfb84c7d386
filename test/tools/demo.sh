#!/bin/sh
# demo.sh OCCC -- compile and run some of the examples, showing what they print.
set -eu
occc=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold= plain=; fi
show() { printf '\n%s$ %s%s\n' "$bold" "$*" "$plain"; }

for name in 01-hello 05-prime-sieve 11-mandelbrot 04-commstime; do
    show "occc examples/$name.occ -o $name && ./$name"
    "$occc" "examples/$name.occ" -o "$work/$name"
    "$work/$name"
done

show "OCC_TIME=virtual occc run examples/14-thermostat.occ"
OCC_TIME=virtual "$occc" run examples/14-thermostat.occ

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
cd "$work"
show "cat race.occ; occc race.occ    # and one that must not compile: exit status 1"
cat race.occ
status=0
"$occc" race.occ -o race 2>&1 || status=$?
echo "exit status $status"
[ "$status" = 1 ]

echo
echo "demo: all done"
