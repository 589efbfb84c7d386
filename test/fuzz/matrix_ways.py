"""The ways of matrix.py to read and to write a place, kind of place by kind.

A way is (how it uses the place, the text of a process): `$` stands for the place. The text may use the locals below, which are
declared in front of it, and what PRELUDE defines. How: r reads, w writes, i and o use a channel's end, n does nothing to it."""

import re

PRELUDE = """DATA TYPE RECD
  RECORD
    INT f, e:
    [4]INT h:
:
DATA TYPE ITEM
  MOBILE RECORD
    INT f:
    MOBILE []INT part:
:
DATA TYPE OWN IS INT:
PROTOCOL PAIR IS INT; INT:
PROTOCOL COUNTED IS INT::[]INT:
PROTOCOL TAGGED
  CASE
    one; INT
    some; INT::[]INT
    none
:
PROTOCOL MORE
  CASE
    FROM TAGGED
    more; INT; INT
:
CHAN TYPE BOX
  MOBILE RECORD
    CHAN INT q?:
    CHAN INT a!:
:
PROC TYPE WORK (INT a, VAL INT b, CHAN INT out!):
MOBILE PROC worker (INT a, VAL INT b, CHAN INT out!) IMPLEMENTS WORK
  SEQ
    a := a + b
    out ! a
    SUSPEND
:
INT FUNCTION id (VAL INT a) IS a:
INT, INT FUNCTION both (VAL INT a, b) IS a, b:
INT FUNCTION total (VAL []INT a)
  INT s:
  VALOF
    SEQ
      s := 0
      SEQ i = 0 FOR SIZE a
        s := s + a[i]
    RESULT s
:
INT REC FUNCTION deep (VAL INT a)
  INT s:
  VALOF
    IF
      a > 0
        s := deep (a - 1)
      TRUE
        s := 0
    RESULT s
:
INT INLINE FUNCTION quick (VAL INT a) IS a + 1:
INT FUNCTION "%%" (VAL INT a, b) IS a + b:
INT FUNCTION "??" (VAL INT a) IS a + 1:
MOBILE []INT FUNCTION made (VAL INT n)
  MOBILE []INT m:
  VALOF
    m := MOBILE [n]INT
    RESULT m
:
PROC look (VAL INT a)
  ASSERT (a > 0)
:
PROC keep (INITIAL INT a)
  a := a + 1
:
PROC peek (INT a)
  ASSERT (a > 0)
:
PROC put (INT a)
  a := 1
:
PROC put.again (INT a)
  put (a)
:
INLINE PROC put.inline (INT a)
  a := 1
:
PROC give (RESULT INT a)
  a := 1
:
PROC give.again (RESULT INT a)
  give (a)
:
REC PROC put.deep (INT a, VAL INT n)
  IF
    n > 0
      put.deep (a, n - 1)
    TRUE
      a := n
:
PROC fill ([]INT a)
  SEQ i = 0 FOR SIZE a
    a[i] := i
:
PROC fill.again ([]INT a)
  fill (a)
:
PROC fill.four (RESULT [4]INT a)
  a := [1, 2, 3, 4]
:
PROC look.all (VAL []INT a)
  ASSERT ((SIZE a) > 0)
:
PROC peek.all ([]INT a)
  ASSERT (a[0] > 0)
:
PROC keep.all (INITIAL []INT a)
  a[0] := 1
:
PROC send (CHAN INT c!)
  c ! 1
:
PROC receive (CHAN INT c?)
  INT a:
  c ? a
:
PROC send.again (CHAN INT c!)
  send (c!)
:
PROC receive.again (CHAN INT c?)
  receive (c?)
:
PROC send.all ([]CHAN INT c!)
  SEQ i = 0 FOR SIZE c
    c[i] ! 1
:
PROC receive.all ([]CHAN INT c?)
  SEQ i = 0 FOR SIZE c
    INT a:
    c[i] ? a
:
PROC exchange (MOBILE []INT a)
  a := MOBILE [3]INT
:
PROC exchange.again (MOBILE []INT a)
  exchange (a)
:
PROC give.new (RESULT MOBILE []INT a)
  a := MOBILE [3]INT
:
PROC take (VAL INT a, INITIAL INT b)
  ASSERT (a > b)
:
PROC take.mobile (MOBILE []INT a)
  ASSERT ((SIZE a) > 0)
:
PROC take.end (BOX! a)
  a[q] ! 1
:
PROC claim.it (MUTEX m)
  CLAIM m
    SKIP
:
PROC port.in (PORT OF INT p)
  INT a:
  p ? a
:
PROC port.out (PORT OF INT p)
  p ! 1
:""".split("\n")

# What a text may name; declared in front of it, in this order.
LOCALS = {
    "r": "INT r:", "k": "INT k:", "r64": "INT64 r64:", "r16": "INT16 r16:", "real": "REAL32 real:", "by": "BYTE by:",
    "bo": "BOOL bo:", "own": "OWN own:", "vec": "[4]INT vec:", "two": "[2]INT two:", "grid": "[4][4]INT grid:",
    "bytes": "[4]BYTE bytes:", "rec": "RECD rec:", "recs": "[4]RECD recs:", "mob": "MOBILE []INT mob:", "mob2": "MOBILE []INT mob2:",
    "mom": "MOBILE []MOBILE []INT mom:", "mgrid": "MOBILE [][]INT mgrid:", "mbytes": "MOBILE []BYTE mbytes:", "item": "ITEM item:",
    "ci": "CHAN INT ci:", "wi": "CHAN INT wi:", "ws": "[4]CHAN INT ws:", "wt": "CHAN TAGGED wt:", "cs": "[4]CHAN INT cs:", "pc": "CHAN PAIR pc:", "cc": "CHAN COUNTED cc:", "tc": "CHAN TAGGED tc:",
    "mc": "CHAN MORE mc:", "tcs": "[4]CHAN TAGGED tcs:", "vc": "CHAN [4]INT vc:", "rc": "CHAN RECD rc:", "bc": "CHAN [2]INT bc:",
    "mobc": "CHAN MOBILE []INT mobc:", "itc": "CHAN ITEM itc:", "any": "CHAN ANY any:", "sc": "SHARED CHAN INT sc:",
    "scs": "[4]SHARED CHAN INT scs:", "boxc": "CHAN BOX! boxc:", "wc": "CHAN MOBILE WORK wc:", "tim": "TIMER tim:", "tims": "[4]TIMER tims:",
    "pt": "PORT OF INT pt:\nPLACE pt AT 8:", "pts": "[4]PORT OF INT pts:\nPLACE pts AT 16:", "mux": "MUTEX mux:", "muxs": "[4]MUTEX muxs:",
    "box": "BOX! box:", "xob": "BOX? xob:", "boxes": "[4]BOX! boxes:", "sboxes": "[4]SHARED BOX! sboxes:", "wrk": "MOBILE WORK wrk:", "wrk2": "MOBILE WORK wrk2:",
    "ck": "CLOCK ck:", "mck": "MOBILE CLOCK mck:", "mcks": "[4]MOBILE CLOCK mcks:", "mbr": "[4]MOBILE BARRIER mbr:",
}


def locals_of(text):
    words = set(re.findall(r"[A-Za-z][A-Za-z0-9.]*", text))
    return [line for name, declared in LOCALS.items() if name in words for line in declared.split("\n")]


def ways(how, text):
    """One way for each paragraph: lines between blank ones; a line alone is a way too."""
    found = []
    for part in text.strip("\n").split("\n\n"):
        lines = part.split("\n")
        if any(line.startswith(" ") for line in lines) or lines[0].endswith(":"):
            found.append((how, part))
        else:
            found += [(how, line) for line in lines]
    return found


# ---- a number ----

READS = ways("r", """
r := $
r := $ + 1
r := 1 + $
r := 1 - (2 * $)
r := $ PLUS 1
r := -$
r := MINUS $
r := ~$
r := $ /\\ 3
r := k << $
r := $ >> 2
r := $ %% 2
r := 2 %% $
r := ?? $
bo := $ > 2
bo := 2 = $
bo := k AFTER $
bo := (k = 1) AND ($ = 2)
bo := ($ = 1) AND (k = 2)
bo := (k = 1) OR ($ = 2)
bo := NOT ($ = 1)
r := id ($)
r := id (id ($ + 1))
r := quick ($)
r := deep ($)
r, k := both (1, $)
r := total ([1, $])
r := total ([vec FROM $ FOR 2])
r := total ([j = 0 FOR 4 | $])
r := BITCOUNT ($, 0)
r, k := LONGPROD (1, $, 2)
r := vec[$]
r := vec[id ($)]
r := grid[$][1]
r := grid[1][$]
r := recs[$][f]
r := recs[$][h][2]
r := rec[h][$]
r := mob[$]
r := mom[$][1]
r := mom[1][$]
r := [vec FROM 1 FOR 2][$]
r := [vec FROM $ FOR 2][0]
r := [1, $, 2][1]
r := [1, $, 2][k]
r := [1, 2, 3][$]
r := [[1, 2], [$, 4]][0][1]
vec := [1, $, 2, 3]
rec := [1, $, [1, 2, 3, 4]]
rec := [1, 2, [1, 2, $, 4]]
two := [vec FROM $ FOR 2]
two := [[1, $, 3] FROM 1 FOR 2]
vec := [j = 0 FOR 4 | j + $]
two := [j = $ FOR 2 | j]
two := [j = 0 FOR 2 STEP $ | j]
two := [j = 0 FOR 2 | vec[j + $]]
r := [j = 0 FOR 4 | j + $][2]
r := SIZE [vec FROM 0 FOR $]
r := SIZE [vec FROM $]
r := SIZE [vec FOR $]
r := SIZE mom[$]
r := SIZE made ($)
r := BYTESIN ([vec FROM 0 FOR $])
r64 := INT64 $
r64 := (INT64 $) * 2
r16 := INT16 ($ + 1)
by := BYTE $
bo := BOOL $
own := OWN $
own := OWN ($ + 1)
real := REAL32 ROUND $
real := REAL32 TRUNC ($ + 1)
r := INT ROUND (REAL32 ROUND $)
vec[$] := 1
grid[$][1] := 1
recs[$][f] := 1
mob[$] := 1
mom[1][$] := 1
r, k := 1, $
vec[$], k := 1, 2
[vec FROM $ FOR 2] := two
[vec FOR $] := [vec FROM $]
mob := MOBILE [$]INT
mgrid := MOBILE [2][$]INT
mom := MOBILE [$]MOBILE []INT
mob := made ($)
mob := CLONE mom[$]
mob := mom[$]
mom[$] := mob
mob := [1, $]
bo := DEFINED mom[$]
item[f] := $
item[part] := [1, $]
ci ! $
ci ! $ + 1
cs[$] ! 1
cs[$] ? r
cs[id ($)] ? r
pc ! 1; $
pc ! $; 1
cc ! $::vec
cc ! 2::[vec FROM $]
cc ! 2::[1, $]
tc ! one; $
tc ! some; $::vec
tcs[$] ! none
any ! $
ci ? vec[$]
pc ? k; vec[$]
cc ? k::[vec FROM $]
mobc ? mom[$]
mobc ! mom[$]
mobc ! CLONE mom[$]
mobc ! [1, $]
tcs[$] ? CASE one; r
tc ? CASE one; vec[$]
tim ? vec[$]
tims[$] ? r
tim ? AFTER $
tim ? AFTER k PLUS $
tims[$] ? AFTER 10
CLOSE cs[$]!
CLOSE cs[$]?
bo := CLOSED cs[$]!
bo := CLOSED cs[$]?
look ($)
look ($ + 1)
look (vec[$])
keep ($)
keep (1 - $)
peek ($)
peek (vec[$])
put (vec[$])
put (recs[$][f])
give (vec[$])
look.all ([1, $])
look.all ([vec FROM $])
peek.all ([vec FROM $ FOR 2])
fill ([vec FROM 0 FOR $])
keep.all ([$, 2])
send (cs[$]!)
receive (cs[$]?)
send.all ([cs FROM $ FOR 2]!)
exchange (mom[$])
claim.it (muxs[$])
ASSERT ($ = 1)
SETPRI ($)
RESIZE.MOBILE.ARRAY.1D (mob, $)
RESIZE.MOBILE.ARRAY.1D (mom[$], 2)
ATTACH.DYNMOB ($, 4, mbytes)
pts[$] ? r
pts[$] ! 1
pt ! $
pt ! id ($)

r := (VALOF
        SKIP
        RESULT $
     )

r := (INT q:
      VALOF
        q := $
        RESULT q
     )

r := (VAL INT q IS $:
      VALOF
        SKIP
        RESULT q
     )

r := vec[(VALOF
            SKIP
            RESULT $
         )]

VAL INT q IS $:
r := q

VAL q IS $ + 1:
r := q

VAL q IS vec[$]:
r := q

VAL []INT q IS [1, $]:
r := q[0]

VAL []INT q IS [vec FROM $ FOR 2]:
r := q[0]

VAL [4]BYTE q RETYPES $:
by := q[0]

VAL [8]BYTE q RETYPES [1, $]:
by := q[0]

VAL [2]INT q RESHAPES [1, $]:
r := q[0]

INITIAL INT q IS $:
r := q

INITIAL [2]INT q IS [$, 1]:
r := q[0]

INITIAL MOBILE []INT q IS MOBILE [$]INT:
r := SIZE q

q IS vec[$]:
r := q

q IS [vec FROM $ FOR 2]:
q[0] := 1

RESULT INT q IS vec[$]:
q := 1

q IS $:
r := q

[4]BYTE q RETYPES $:
by := q[0]

[2][1]INT q RESHAPES [vec FROM $ FOR 2]:
r := q[0][0]

q IS cs[$]!:
q ! 1

q IS [cs FROM $ FOR 2]:
q[0] ! 1

q IS tims[$]:
q ? r

q IS muxs[$]:
CLAIM q
  SKIP

INT FUNCTION now () IS $:
r := now ()

PROC now ()
  r := $
:
now ()

PROC now (VAL INT v)
  r := v + $
:
PROC now.again (VAL INT v)
  now (v)
:
now.again (1)

IF
  $ = 1
    SKIP
  TRUE
    SKIP

IF
  k = 1
    SKIP
  IF
    $ = 1
      SKIP
  TRUE
    SKIP

IF
  IF j = 0 FOR $
    vec[j] = 1
      SKIP
  TRUE
    SKIP

IF
  IF j = $ FOR 2
    j = k
      SKIP
  TRUE
    SKIP

IF
  (k, $) = (1, 2)
    SKIP
  TRUE
    SKIP

IF
  VAL q IS $:
  q = 1
    SKIP
  TRUE
    SKIP

WHILE $ > 2
  k := 1

WHILE (k > 2) AND ($ > k)
  k := 1

CASE $
  1
    SKIP
  ELSE
    SKIP

CASE $ + 1
  1, 2
    SKIP
  ELSE
    SKIP

CASE k
  VAL q IS $:
  1
    r := q
  ELSE
    SKIP

SEQ j = $ FOR 2
  SKIP

SEQ j = 0 FOR $
  SKIP

SEQ j = 0 FOR 2 STEP $
  SKIP

PAR j = $ FOR 2
  SKIP

PAR j = 0 FOR $
  SKIP

PAR j = 0 FOR 2 STEP $
  SKIP

ALT
  ($ = 1) & SKIP
    SKIP
  ci ? r
    SKIP

ALT
  ($ = 1) & ci ? r
    SKIP

ALT
  cs[$] ? r
    SKIP

ALT
  ci ? vec[$]
    SKIP

ALT
  cc ? k::[vec FROM $]
    SKIP

PRI ALT
  cs[$] ! 1
    SKIP
  SKIP
    SKIP

ALT
  ci ! $
    SKIP

ALT
  tc ! one; $
    SKIP

ALT
  cc ! $::vec
    SKIP

ALT
  tim ? AFTER $
    SKIP

ALT
  tims[$] ? AFTER 10
    SKIP

ALT
  CLOSED cs[$]?
    SKIP

ALT
  tcs[$] ? CASE
    one; r
      SKIP

ALT
  ($ = 1) & tc ? CASE
    one; r
      SKIP

ALT
  cs[$] ?? r
    SKIP

ALT
  ci ? r
    k := $

ALT
  ALT
    ($ = 1) & ci ? r
      SKIP

ALT
  VAL q IS $:
  ci ? vec[q]
    SKIP

ALT j = 0 FOR $
  cs[j] ? r
    SKIP

ALT j = $ FOR 2
  cs[j] ? r
    SKIP

ALT j = 0 FOR 2
  (j = $) & cs[j] ? r
    SKIP

tc ? CASE
  one; r
    k := $
  none
    SKIP

tc ? CASE
  one; vec[$]
    SKIP

tc ? CASE
  VAL q IS $:
  one; r
    k := q

tcs[$] ? CASE
  one; r
    SKIP

WHILE cs[$] ? r
  SKIP

WHILE ci ? vec[$]
  SKIP

WHILE tcs[$] ? CASE
  one; r
    SKIP

WHILE tc ? CASE
  one; r
    k := $

cs[$] ?? r
  SKIP

ci ?? r
  k := $

ci ?? r
  SKIP
  k := $

ci ?? vec[$]
  SKIP

tc ?? CASE
  one; r
    k := $

tc ?? CASE
  one; r
    SKIP
    k := $

CLAIM sc!
  sc ! $

CLAIM scs[$]!
  SKIP

CLAIM scs[$]?
  SKIP

CLAIM muxs[$]
  SKIP

CLAIM sboxes[$]
  SKIP

FORKING
  FORK take ($, 1)

FORKING
  FORK take (1, $)

FORKING
  FORK take (1, $ + 1)

FORKING
  FORK take.mobile (mom[$])

wrk (k, $, ci!)

wrk (vec[$], 1, ci!)

wrk (k, 1, cs[$]!)

boxes[$][q] ! 1

boxes[$][a] ? r

boxc ? boxes[$]

boxc ! boxes[$]

boxes[$], xob := MOBILE BOX

mcks[$] := MOBILE CLOCK

NEXT mcks[$]

SYNC mbr[$]

RESUME mcks[$]

DROP mcks[$]

k := PHASE mcks[$]

RESIGN mbr[$]
  SKIP

PAR ENROLL mcks[$]
  SKIP
  SKIP

PAR
  ENROLL mcks[$]
    SKIP
  SKIP
""")


WRITES = ways("w", """
$ := 1
$ := k + 1
$ := $ + 1
$, k := 1, 2
k, $ := 1, 2
$, k := k, $
$, k := both (1, 2)
k, $ := LONGPROD (1, 2, 3)
$ := [1, 2][k]
ci ? $
pc ? k; $
pc ? $; k
cc ? $::vec
tc ? CASE one; $
tc ? CASE some; $::vec
mc ? CASE more; k; $
any ? $
tim ? $
pt ? $
put ($)
put.again ($)
put.inline ($)
put.deep ($, 2)
give ($)
give.again ($)
GETPRI ($)
GETAFF ($)
DETACH.DYNMOB (mbytes, $, k)
DETACH.DYNMOB (mbytes, k, $)
wrk ($, 1, ci!)

ci ?? $
  SKIP

pc ?? k; $
  SKIP
  SKIP

tc ?? CASE one; $
  SKIP

tc ? CASE
  one; $
    SKIP
  none
    SKIP

tc ? CASE
  INT q:
  one; q
    $ := q

tc ?? CASE
  one; $
    SKIP

tc ?? CASE
  INT q:
  one; q
    $ := q

tc ?? CASE
  INT q:
  one; q
    SKIP
    $ := q

mc ? CASE
  more; k; $
    SKIP
  one; k
    SKIP

WHILE ci ? $
  SKIP

WHILE ci ? k
  $ := k

WHILE tc ? CASE one; $
  SKIP

WHILE tc ? CASE
  one; $
    SKIP

ALT
  ci ? $
    SKIP

ALT
  ci ? k
    $ := k

ALT
  (k = 1) & pc ? k; $
    SKIP

PRI ALT
  cc ? $::vec
    SKIP
  SKIP
    SKIP

ALT
  SKIP
    $ := 1

ALT
  tim ? AFTER 10
    $ := 1

ALT
  ci ! 1
    $ := 1

ALT
  tc ? CASE
    one; $
      SKIP

ALT
  tc ? CASE one; $
    SKIP

ALT
  ci ?? $
    SKIP

ALT
  ci ?? k
    $ := k

ALT
  CLOSED ci?
    $ := 1

ALT
  ALT
    ci ? $
      SKIP

ALT j = 0 FOR 4
  cs[j] ? $
    SKIP

q IS $:
q := 1

INT q IS $:
ci ? q

RESULT INT q IS $:
q := 1

q IS $:
p IS q:
p := 1

[4]BYTE q RETYPES $:
q[0] := 1

INT32 q RETYPES $:
q := 1 (INT32)

[4]BYTE q RETYPES $:
[2][2]BYTE p RESHAPES q:
p[0][1] := 1

PROC set ()
  $ := 1
:
set ()

PROC set (VAL INT v)
  $ := v
:
PROC set.again ()
  set (2)
:
set.again ()

PROC set (CHAN INT in?)
  in ? $
:
set (ci?)

PROC set ()
  q IS $:
  q := 1
:
set ()

FORKING
  $ := 1
""")

MUTED = ways("n", """
r := SIZE [2]INT
r := BYTESIN (INT)
SKIP
""")

# Processes round others; `#` stands for one, which may begin with specifications.
WRAPPERS = """
SEQ j = 0 FOR 2
  #

WHILE k < 2
  #

IF
  k = 1
    SKIP
  TRUE
    #

IF
  IF j = 0 FOR 2
    j = k
      #
  TRUE
    SKIP

CASE k
  1
    SKIP
  ELSE
    #

PAR
  #
  SKIP

PRI PAR
  SKIP
  #

PAR j = 0 FOR 1
  #

PAR j = 0 FOR 2
  IF
    j = 1
      #
    TRUE
      SKIP

ALT
  wi ? k
    #

ALT j = 0 FOR 2
  ws[j] ? k
    #

WHILE wi ? k
  #

wi ?? k
  #

wi ?? k
  SKIP
  #

wt ? CASE
  one; k
    #

CLAIM mux
  #

CLAIM sc?
  #

FORKING
  #

PROC inner ()
  #
:
inner ()

INITIAL INT q2 IS 0:
#

PAR ENROLL ck
  NEXT ck
  SEQ
    NEXT ck
    #

PAR
  ENROLL ck
    #
  SKIP

PAR ENROLL ck
  SEQ
    RESUME ck
    #
    NEXT ck
  NEXT ck

PAR ENROLL ck
  SEQ
    DROP ck
    #
  NEXT ck

PAR j = 0 FOR 2 ENROLL ck
  NEXT ck
    #

BARRIER bar:
PAR BARRIER bar
  RESIGN bar
    #
  SYNC bar

SEQ
  SEQ
    SKIP
    #

IF
  (k = 1) AND (k = 2)
    SKIP
  NOT (k = 3)
    #
  TRUE
    SKIP
""".strip("\n").split("\n\n")


BLOCK = "ENROLL ck\n  NEXT ck\n    #"


def wrap(wrapper, text):
    """The process of the text in the place of `#`."""
    out = []
    for line in wrapper.split("\n"):
        if line.strip() == "#":
            indent = line[: len(line) - 1]
            out += [indent + each for each in text.split("\n")]
        else:
            out.append(line)
    return "\n".join(out)


def wrapped(chosen):
    """A block under NEXT may not wait."""
    return [(how, wrap(wrapper, text)) for wrapper in WRAPPERS for how, text in chosen if not (BLOCK in wrapper and re.search(r" [?!] ", text))]


# ---- arrays ----

ARRAY_READS = ways("r", """
vec := $
r := $[0]
r := $[k]
r := total ($)
r := total ([$ FROM 0 FOR 1])
two := [$ FROM 0 FOR 2]
two := [$ FROM k FOR 2]
two := [$ FOR 2]
two := [j = 0 FOR 2 | $[j]]
r := [$, vec][0][k]
vec := [$, vec][k]
two := [[$, vec][1] FROM 0 FOR 2]
vc ! $
cc ! 2::$
cc ! 2::[$ FROM 1]
any ! $
mobc ! $
mob := $
vec := (VALOF
look.all ($)
look.all ([$ FROM 1])
peek.all ($)
keep.all ($)
item[part] := $
rec := [1, 2, $]

VAL q IS $:
r := q[0]

VAL []INT q IS $:
r := q[1]

VAL q IS [$ FROM k FOR 1]:
r := q[0]

q IS $:
r := q[0]

q IS $[1]:
r := q

INITIAL []INT q IS $:
r := q[0]

VAL []BYTE q RETYPES $:
by := q[0]

[]BYTE q RETYPES $:
by := q[0]

VAL [][1]INT q RESHAPES $:
r := q[0][0]

VAL q IS $:
PROC use ()
  r := q[1]
:
use ()

SEQ j = 0 FOR 2
  r := $[j]

PAR j = 0 FOR 2
  INT p:
  p := $[j]

IF
  $[0] = 1
    SKIP
  TRUE
    SKIP

INT FUNCTION use () IS $[1]:
r := use ()

vec := (VALOF
          SKIP
          RESULT $
       )

FORKING
  FORK take ($[0], $[1])
""")
ARRAY_READS = [way for way in ARRAY_READS if way[1] != "vec := (VALOF"]

ARRAY_WRITES = ways("w", """
$ := vec
$[0] := 1
$[k] := 1
[$ FROM 0 FOR 1] := [vec FROM 1 FOR 1]
[$ FROM k FOR 1] := [vec FROM 1 FOR 1]
$[0], $[1] := 1, 2
$ := [vec, vec][k]
$ := total.none
vc ? $
cc ? k::$
cc ? k::[$ FROM 1]
tc ? CASE some; k::$
any ? $
ci ? $[0]
fill ($)
fill.again ($)
fill ([$ FROM 1])
fill.four ($)
put ($[0])
give ($[1])
tim ? $[0]

q IS $:
q[0] := 1

[]INT q IS $:
q[1] := 1

q IS $[0]:
q := 1

q IS [$ FROM 1 FOR 1]:
q[0] := 1

RESULT []INT q IS $:
q[0] := 1

[]BYTE q RETYPES $:
q[1] := 1

[][1]INT q RESHAPES $:
q[1][0] := 1

SEQ j = 0 FOR 2
  $[j] := j

PAR j = 0 FOR 2
  $[j] := j

ALT
  vc ? $
    SKIP

ALT j = 0 FOR 2
  cs[j] ? $[j]
    SKIP

WHILE vc ? $
  SKIP

vc ?? $
  SKIP

PROC set ()
  $[1] := 1
:
set ()
""")
ARRAY_WRITES = [way for way in ARRAY_WRITES if "none" not in way[1]]

# ---- a mobile array: the variable and what it holds ----

MOBILE_READS = ways("r", """
r := SIZE $
r := $[0]
r := $[k]
r := BYTESIN ($)
bo := DEFINED $
mob := CLONE $
mobc ! CLONE $
vc ! $
cc ! 1::[$ FROM 0]
vec := $
two := [$ FROM 0 FOR 2]
r := SIZE [$ FROM 1]
r := SIZE [$, mob][0]
r := total ($)
r := [$, mob][0][0]
r := [CLONE $, mob][0][0]
look.all ($)
peek.all ($)
keep.all ($)
$[0] := 1
$[k] := 1
[$ FROM 0 FOR 1] := [vec FROM 0 FOR 1]
ci ? $[0]
fill ($)
put ($[1])

SEQ j = 0 FOR SIZE $
  SKIP

VAL q IS $:
r := q[0]

q IS $[0]:
r := q

q IS [$ FROM 0 FOR 2]:
r := q[0]

INITIAL MOBILE []INT q IS CLONE $:
r := q[0]

VAL []BYTE q RETYPES [$ FROM 0 FOR 2]:
by := q[0]

FORKING
  FORK take.mobile (CLONE $)

IF
  DEFINED $
    SKIP
  TRUE
    SKIP

r := (VALOF
        SKIP
        RESULT SIZE $
     )
""")
ELEMENT_WRITES = ("$[0] := 1", "$[k] := 1", "[$ FROM 0 FOR 1] :=", "ci ? $[0]", "fill ($)", "put ($[1])")
MEASURES = ("r := SIZE", "r := BYTESIN", "bo := DEFINED", "SEQ j = 0", "IF", "r := (VALOF")
MOBILE_READS = [("e" if text.startswith(ELEMENT_WRITES) else "s" if text.startswith(MEASURES) and "[$, mob]" not in text else how, text) for how, text in MOBILE_READS]

MOBILE_WRITES = ways("w", """
$ := MOBILE [3]INT
$ := [1, 2, 3]
$ := mob
$ := CLONE mob
$ := made (3)
mob := $
mob, $ := $, mob
mob := ($)
mobc ? $
mobc ! $
mobc ! ($)
mom[0] := $
$ := mom[0]
item[part] := $
exchange ($)
exchange.again ($)
give.new ($)
RESIZE.MOBILE.ARRAY.1D ($, 4)

q IS $:
q := MOBILE [3]INT

FORKING
  FORK take.mobile ($)

INITIAL MOBILE []INT q IS $:
r := q[0]

ALT
  mobc ? $
    SKIP

ALT
  mobc ! $
    SKIP

mobc ?? $
  SKIP

WHILE mobc ? $
  SKIP

PROC set ()
  $ := MOBILE [3]INT
:
set ()

PROC move ()
  mob := $
:
move ()
""")

# ---- the ends of a channel ----

INPUTS = ways("i", """
$ ? r
$ ? vec[k]
receive ($?)
receive.again ($?)
CLOSE $?
bo := CLOSED $?
receive.all ([$?])
receive.all ([[$?, ci?] FROM 0 FOR 1])

q IS $?:
q ? r

q IS [$?, ci?]:
q[1] ? r

ALT
  $ ? r
    SKIP

ALT
  (k = 1) & $ ? r
    SKIP
  SKIP
    SKIP

ALT
  CLOSED $?
    SKIP

q IS [$?, ci?]:
ALT j = 0 FOR 2
  q[j] ? r
    SKIP

ALT
  $ ?? r
    SKIP

WHILE $ ? r
  SKIP

$ ?? r
  SKIP

PROC use ()
  $ ? r
:
use ()

PROC use (CHAN INT c?)
  c ? r
:
use ($?)
""")

OUTPUTS = ways("o", """
$ ! 1
$ ! id (k)
send ($!)
send.again ($!)
CLOSE $!
bo := CLOSED $!
send.all ([$!])
send.all ([[$!, ci!] FROM 0 FOR 1])
wrk (k, 1, $!)

q IS $!:
q ! 1

q IS [$!, ci!]:
q[0] ! 1

ALT
  $ ! 1
    SKIP

PRI ALT
  (k = 1) & $ ! 1
    SKIP
  SKIP
    SKIP

ALT
  CLOSED $!
    SKIP

q IS [$!, ci!]:
ALT j = 0 FOR 2
  q[j] ! 1
    SKIP

PROC use ()
  $ ! 1
:
use ()

PROC use (CHAN INT c!)
  c ! 1
:
use ($!)
""")

# ---- the rest ----

TIMER_USES = ways("r", """
$ ? r
$ ? AFTER 10
$ ? vec[k]

ALT
  $ ? AFTER r
    SKIP

q IS $:
q ? r

PROC use (TIMER t)
  t ? AFTER 10
:
use ($)
""")

PORT_INPUTS = ways("i", """
$ ? r
$ ? vec[0]
port.in ($)

q IS $:
q ? r
""")

PORT_OUTPUTS = ways("w", """
$ ! 1
$ ! k + 1
port.out ($)

q IS $:
q ! k
""")

BOX_READS = ways("r", """
bo := DEFINED $
""") + ways("r o:q", """
$[q] ! 1
send ($[q]!)
CLOSE $[q]!
take.end ($)

q2 IS $[q]!:
q2 ! 1

q2 IS $:
q2[q] ! 1

PROC use ()
  $[q] ! 1
:
use ()
""") + ways("r i:a", """
$[a] ? r
receive ($[a]?)

ALT
  $[a] ? r
    SKIP
""")

BOX_WRITES = ways("w", """
box := $
$ := box
boxc ! $
boxc ? $
$, xob := MOBILE BOX

FORKING
  FORK take.end ($)
""")

WORK_READS = ways("r", """
bo := DEFINED $
""")

WORK_WRITES = ways("w", """
$ (r, 1, ci!)
wrk2 := $
$ := wrk2
$ := MOBILE worker
wc ! $
wc ? $

q IS $:
q (r, 1, ci!)
""")

MUTEX_USES = ways("n", """
CLAIM $
  SKIP

claim.it ($)

q IS $:
CLAIM q
  SKIP
""")
