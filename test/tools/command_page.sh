#!/bin/sh
# command_page.sh OCCC PAGE.scd COMMAND -- the manual page occc-COMMAND(1), from what occc(1) says about the command and from the options of
# it that the compiler lists.
set -eu
occc=$1
page=$2
command=$3
{
    printf 'occc-%s(1)\n\n# NAME\n\noccc-%s - ' "$command" "$command"
    "$occc" --help | sed -n "s/^  *occc $command .*   *//p" | head -n 1 | sed 's/[*_]/\\&/g'
    # the lines that begin with the command; a description goes on until the next begins
    awk -v name="$command" '
        /^# / { section = $2; next }
        section == "SYNOPSIS" && index($0, "*occc* *" name "*") == 1 { synopsis = synopsis $0 "\n" }
        section == "SYNOPSIS" { next }
        /^\*occc / { takes = index($0, "*occc " name "*") == 1 }
        /^$/ { takes = 0 }
        takes { text = text $0 "\n" }
        END {
            sub(/\+\+\n$/, "\n", synopsis)
            print "\n# SYNOPSIS\n\n" synopsis "\n# DESCRIPTION\n\n" text
        }' "$page"
    "$occc" --help=man | awk -v name="$command" '
        /^## / { takes = index($0, "(occc " name ")") > 0; next }
        /^# /  { next }
        takes && !begun && NF { print "# OPTIONS\n"; begun = 1 }
        takes  { print }'
    printf '# SEE ALSO\n\n*occc*(1), which has the options of the compiler, *occ-runtime*(7)\n'
} | scdoc
