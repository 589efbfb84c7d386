#!/bin/sh
# deps.sh "NEEDED" "OPTIONAL" -- install the Debian packages that are missing; silent when none is.
set -eu
needed=$1
optional=$2

# missing NAMES -- those that dpkg does not have as installed
missing() {
    # shellcheck disable=SC2086
    have=$(dpkg-query -W -f='${Status} ${Package}\n' $1 2>/dev/null | sed -n 's/^install ok installed //p')
    for name in $1; do
        printf '%s\n' "$have" | grep -qx "$name" || printf '%s ' "$name"
    done
}

if ! command -v dpkg-query >/dev/null 2>&1; then
    echo "make deps: not a Debian system; install these by hand: $needed (optional: $optional)" >&2
    exit 0
fi
need=$(missing "$needed")
want=$(missing "$optional")
[ -n "$need$want" ] || exit 0

if [ "$(id -u)" = 0 ]; then as_root=; else as_root=sudo; fi
install() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" \
    </dev/null >/dev/null; }

echo "make deps: installing $need$want"
# shellcheck disable=SC2086
if [ -n "$need" ]; then
    install $need 2>/dev/null || { $as_root apt-get update -qq </dev/null; install $need; }
fi
# shellcheck disable=SC2086
if [ -n "$want" ]; then
    install $want 2>/dev/null || { $as_root apt-get update -qq </dev/null && install $want 2>/dev/null; } \
        || echo "make deps: could not install $want(optional: the manual page is not built)"
fi
