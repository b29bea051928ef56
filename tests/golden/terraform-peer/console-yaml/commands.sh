echo 'yamldecode("a: 2024-01-02T03:04:05.123456789Z")' | terraform console
echo 'yamldecode("a: 2024-01-02 03:04:05.5")' | terraform console
echo 'yamldecode("a: 2024-1-2 3:4:5")' | terraform console
echo 'yamldecode("a: 2024-02-30")' | terraform console
echo 'yamldecode("a: 2024-01")' | terraform console
echo 'yamldecode("a: \"2024-01-02\"")' | terraform console
echo 'yamldecode("- !!float 1\n- !!int \"5\"\n- !!str 5\n- !!bool \"true\"\n- !!null \"\"")' | terraform console
echo 'yamldecode("!!seq {a: 1}")' | terraform console
echo 'yamldecode("!!str {a: 1}")' | terraform console
echo 'yamldecode("!!str [a]")' | terraform console
echo 'yamldecode("!!map {a: 1}")' | terraform console
echo 'yamldecode("!!seq [1]")' | terraform console
echo 'yamldecode("!!map x")' | terraform console
echo 'yamldecode("!!seq x")' | terraform console
echo 'yamldecode("!!merge x")' | terraform console
echo 'yamldecode("!!foo x")' | terraform console
echo 'yamldecode("!<tag:x,2000:y> x")' | terraform console
echo 'yamldecode("!!binary xxx")' | terraform console
echo 'yamldecode("!!binary aGVsbG8")' | terraform console
echo 'yamldecode("!!omap [a: 1]")' | terraform console
echo 'yamldecode("!!pairs [a: 1]")' | terraform console
echo 'yamldecode("[y, n, yes, no, on, off, Yes, ON, ~, null, Null, NULL]")' | terraform console
echo 'yamldecode("[0o17, 017, 0x1F, 0b11, 1_000, +1, -1, 1e3, .5, 5., .inf, -.inf]")' | terraform console
echo 'yamldecode("[.nan]")' | terraform console
echo 'yamldecode("[True, TRUE, true, tRue, False]")' | terraform console
echo 'yamldecode("[1:30, 12:30:45, 1.5e3, 1e400]")' | terraform console
echo 'yamldecode("a: 1\na: 2")' | terraform console
echo 'yamldecode("{1: a, true: b, null: c, 1.5: d}")' | terraform console
echo 'yamldecode("{[1]: a}")' | terraform console
echo 'yamldecode("a: &x {b: 1}\nc: *x\nd:\n  \u003c\u003c: *x\n  e: 2")' | terraform console
echo 'yamldecode("\u003c\u003c: 1")' | terraform console
echo 'yamldecode("\u003c\u003c: [1]")' | terraform console
echo 'yamldecode("a: &x [*x]")' | terraform console
echo 'yamldecode("a: b: c")' | terraform console
echo 'yamldecode("- a\nb: c")' | terraform console
echo 'yamldecode("a: [1, 2")' | terraform console
echo 'yamldecode("a: \"x")' | terraform console
echo 'yamldecode("\ta: 1")' | terraform console
echo 'yamldecode("a: @x")' | terraform console
echo 'yamldecode("a: 123456789012345678901234567890")' | terraform console
echo 'yamldecode("a: 1.10")' | terraform console
echo 'yamldecode("---\na: 1\n---\nb: 2")' | terraform console
echo 'yamldecode("")' | terraform console
echo 'yamldecode("a: |\n  x\n  y\n")' | terraform console
echo 'yamldecode("a: >\n  x\n  y\n")' | terraform console
