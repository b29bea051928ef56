echo 'plantimestamp()' | terraform console
echo '[for t in [timestamp()] : length(t)]' | terraform console
echo 'timestamp() == "x"' | terraform console
echo 'length(uuid())' | terraform console
echo 'length(bcrypt("x"))' | terraform console
echo 'bcrypt("x", 50)' | terraform console
echo 'bcrypt("x", 3) == ""' | terraform console
echo 'bcrypt("x", 4, 5)' | terraform console
echo 'type(plantimestamp())' | terraform console
echo '-0' | terraform console
echo '1 * -0' | terraform console
echo '0 * -1' | terraform console
echo '-0 == 0' | terraform console
echo 'tostring(-0)' | terraform console
echo '"${-0}"' | terraform console
echo 'abs(-0)' | terraform console
echo 'floor(-0.5)' | terraform console
echo 'ceil(-0.5)' | terraform console
echo 'jsonencode(-0)' | terraform console
echo 'format("%d %f %s %v", -0, -0, -0, -0)' | terraform console
echo '-0.0' | terraform console
echo 'tonumber("-0")' | terraform console
echo '0 / -5' | terraform console
echo '-5 % 5' | terraform console
echo 'max(0, -0)' | terraform console
echo '[-0]' | terraform console
echo 'terraform.applying' | terraform console
echo '[terraform.applying]' | terraform console
echo 'type(terraform.applying)' | terraform console
echo 'upper("ß")' | terraform console
echo 'lower("İ")' | terraform console
echo 'upper("ǆ ŉ ﬁ")' | terraform console
echo 'title("ǆ ßa")' | terraform console
echo 'lower("ΑΣ")' | terraform console
echo 'yamldecode("a: 2024-01-02")' | terraform console
echo 'yamldecode("a: 2024-01-02T03:04:05Z")' | terraform console
echo 'yamldecode("a: 2024-1-2")' | terraform console
echo 'yamldecode("a: 2024-01-02 03:04:05")' | terraform console
echo 'yamldecode("a: 2024-13-02")' | terraform console
echo 'yamldecode("a: 2024-01-02 03:04:05 +1")' | terraform console
echo 'yamldecode("2024-01-02: x")' | terraform console
echo 'yamldecode("a: !!timestamp 2024-01-02")' | terraform console
echo 'yamldecode("a: !!str 2024-01-02")' | terraform console
echo 'yamldecode("a: !!timestamp foo")' | terraform console
echo 'yamldecode("a: !foo b")' | terraform console
echo 'yamldecode("!foo {a: 1}")' | terraform console
echo 'yamldecode("!foo [1]")' | terraform console
echo 'yamldecode("!!int abc")' | terraform console
echo 'yamldecode("!!binary aGVsbG8=")' | terraform console
echo 'yamldecode("!!float 1")' | terraform console
echo 'yamldecode("!!set {a, b}")' | terraform console
echo 'yamldecode("!!null x")' | terraform console
echo 'yamldecode("!!bool x")' | terraform console
echo 'yamldecode("!!map [1]")' | terraform console
echo 'yamldecode("! x")' | terraform console
echo 'jsondecode("{\"a\":")' | terraform console
echo 'jsondecode("[1,]")' | terraform console
echo 'jsondecode("")' | terraform console
echo 'jsondecode(" ")' | terraform console
echo 'jsondecode("[1")' | terraform console
echo 'jsondecode("{\"a\"")' | terraform console
echo 'jsondecode("\"abc")' | terraform console
echo 'jsondecode("tru")' | terraform console
echo 'jsondecode("nul")' | terraform console
echo 'jsondecode("trux")' | terraform console
echo 'jsondecode("1 2")' | terraform console
echo 'jsondecode("{} x")' | terraform console
echo 'jsondecode("{a:1}")' | terraform console
echo 'jsondecode("[1 2]")' | terraform console
echo 'jsondecode("{\"a\" 1}")' | terraform console
echo 'jsondecode("{\"a\":1,}")' | terraform console
echo 'jsondecode("-")' | terraform console
echo 'jsondecode("01")' | terraform console
echo 'jsondecode("1.")' | terraform console
echo 'jsondecode("1e")' | terraform console
echo 'jsondecode("\"a\\x\"")' | terraform console
echo 'jsondecode("]")' | terraform console
echo 'jsondecode("{\"a\":]}")' | terraform console
echo 'filesha256("nope")' | terraform console
echo 'filemd5("nope")' | terraform console
echo 'filebase64("nope")' | terraform console
echo 'filebase64sha512("nope")' | terraform console
echo 'file("nope")' | terraform console
echo 'filesha256(".")' | terraform console
echo 'file(".")' | terraform console
echo 'fileexists(".")' | terraform console
echo 'each.key' | terraform console
echo 'each' | terraform console
echo 'count.index' | terraform console
echo 'count' | terraform console
echo 'self' | terraform console
echo 'self.x' | terraform console
echo 'path' | terraform console
echo 'path.x' | terraform console
echo 'terraform' | terraform console
echo 'terraform.x' | terraform console
echo 'local' | terraform console
echo 'var' | terraform console
echo 'module' | terraform console
echo 'data' | terraform console
echo 'data.x' | terraform console
