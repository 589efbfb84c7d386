"""Programs of any length, to measure compilers with: the same work in occam, C and Go."""

HEAD = {
    "occ": "-- generated\nVAL INT limit IS 100:\n",
    "c": "/* generated */\nenum { LIMIT = 100 };\n",
    "go": "package main\n\nconst limit = 100\n",
}
ROUTINE = {
    "occ": """
INT FUNCTION f{n} (VAL INT a, b)
  INT x, y:
  VALOF
    SEQ
      x, y := a, b
      SEQ i = 0 FOR limit
        IF
          (x \\ 3) = 0
            x := (x / 3) + i
          (x \\ 3) = 1
            x := (x + y) /\\ #FFFF
          TRUE
            y := (y + (i * 2)) \\ 1000
      WHILE x > limit
        x := x / 2
    RESULT x + y
:

PROC p{n} (CHAN INT in?, out!)
  [16]INT a:
  INT x:
  SEQ
    in ? x
    SEQ i = 0 FOR SIZE a
      a[i] := f{n} (x, i)
    CASE x
      0
        out ! a[0]
      1, 2
        out ! a[1] + a[2]
      ELSE
        out ! a[x /\\ 15]
:
""",
    "c": """
static int f{n}(int a, int b) {{
    int x = a, y = b;
    for (int i = 0; i < LIMIT; i++) {{
        if (x % 3 == 0) {{
            x = x / 3 + i;
        }} else if (x % 3 == 1) {{
            x = (x + y) & 0xFFFF;
        }} else {{
            y = (y + i * 2) % 1000;
        }}
    }}
    while (x > LIMIT) {{
        x = x / 2;
    }}
    return x + y;
}}

int p{n}(int x) {{
    int a[16];
    for (int i = 0; i < 16; i++) {{
        a[i] = f{n}(x, i);
    }}
    switch (x) {{
    case 0:
        return a[0];
    case 1:
    case 2:
        return a[1] + a[2];
    default:
        return a[x & 15];
    }}
}}
""",
    "go": """
func f{n}(a, b int) int {{
	x, y := a, b
	for i := 0; i < limit; i++ {{
		if x%3 == 0 {{
			x = x/3 + i
		}} else if x%3 == 1 {{
			x = (x + y) & 0xFFFF
		}} else {{
			y = (y + i*2) % 1000
		}}
	}}
	for x > limit {{
		x = x / 2
	}}
	return x + y
}}

func p{n}(in, out chan int) {{
	var a [16]int
	x := <-in
	for i := range a {{
		a[i] = f{n}(x, i)
	}}
	switch x {{
	case 0:
		out <- a[0]
	case 1, 2:
		out <- a[1] + a[2]
	default:
		out <- a[x&15]
	}}
}}
""",
}


# Loops of one line, as most loops are: (occam, C) for the element of each.
ELEMENTS = [
    ("v[i] := v[i] + (a * i)", "v[i] = v[i] + a * i;"),
    ("v[i] := w[i] + a", "v[i] = w[i] + a;"),
    ("v[i] := w[i] * a", "v[i] = w[i] * a;"),
    ("s := s + w[i]", "s = s + w[i];"),
    ("v[i] := v[i] - w[i]", "v[i] = v[i] - w[i];"),
    ("v[i] := i * a", "v[i] = i * a;"),
    ("v[i] := (w[i] /\\ a) + (w[i] >> 2)", "v[i] = (w[i] & a) + (int)((unsigned)w[i] >> 2);"),
    ("s := s + (v[i] * w[i])", "s = s + v[i] * w[i];"),
    ("v[i] := w[((SIZE w) - 1) - i]", "v[i] = w[n - 1 - i];"),
    ("v[i] := (v[i] + w[i]) / 2", "v[i] = (v[i] + w[i]) / 2;"),
]
LOOP = {
    "occ": """
PROC loop{n} ([]INT v, VAL []INT w, VAL INT a, INT s)
  SEQ i = 0 FOR SIZE v
    {element}
:
""",
    "c": """
void loop{n}(int *restrict v, const int *restrict w, int n, int a, int *restrict result) {{
    int s = *result;
    for (int i = 0; i < n; i++) {{
        {element}
    }}
    *result = s;
}}
""",
}


def loops(language, count=100):
    """A unit of that many routines with one simple loop each."""
    column = 0 if language == "occ" else 1
    return "".join(LOOP[language].format(n=n, element=ELEMENTS[n % len(ELEMENTS)][column]) for n in range(count))


def occ_tail(count):
    """A main PROC that runs all of them in a pipeline, so that nothing is dead."""
    lines = ["", "PROC main (CHAN BYTE out!)", f"  [{count + 1}]CHAN INT c:", "  PAR", "    c[0] ! 7"]
    lines += [f"    p{n} (c[{n}]?, c[{n + 1}]!)" for n in range(count)]
    lines += ["    INT x:", f"    c[{count}] ? x", ":", ""]
    return "\n".join(lines)


def c_tail(count):
    calls = "\n".join(f"    x = p{n}(x);" for n in range(count))
    return f"\nint main(void) {{\n    int x = 7;\n{calls}\n    return x == 0;\n}}\n"


def go_tail(count):
    calls = "\n".join(f"\tgo p{n}(c[{n}], c[{n + 1}])" for n in range(count))
    return (
        f"\nfunc main() {{\n\tvar c [{count + 1}]chan int\n\tfor i := range c {{\n\t\tc[i] = make(chan int)\n\t}}\n"
        f"{calls}\n\tc[0] <- 7\n\t<-c[{count}]\n}}\n"
    )


TAIL = {"occ": occ_tail, "c": c_tail, "go": go_tail}


def program(language, lines):
    """A program of about that many lines."""
    routine = ROUTINE[language]
    count = max(1, lines // (routine.count("\n") + 1))
    return HEAD[language] + "".join(routine.format(n=n) for n in range(count)) + TAIL[language](count)
