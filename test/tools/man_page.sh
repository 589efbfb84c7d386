#!/bin/sh
# man_page.sh OCCC PAGE.scd -- the manual page on standard output; its line @OPTIONS@ is what the compiler says of them.
set -eu
options=$(mktemp)
trap 'rm -f "$options"' EXIT
"$1" --help=man >"$options"
sed -e "/^@OPTIONS@\$/{r $options" -e 'd;}' "$2" | scdoc
