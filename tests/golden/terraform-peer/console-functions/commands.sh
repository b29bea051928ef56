echo 'abs(-5.5)' | terraform console
echo 'abs("-3")' | terraform console
echo 'abs(null)' | terraform console
echo 'ceil(5.1)' | terraform console
echo 'ceil("x")' | terraform console
echo 'floor(-5.1)' | terraform console
echo 'log(50, 10)' | terraform console
echo 'log(16, 2)' | terraform console
echo 'log(0, 10)' | terraform console
echo 'pow(3, 2)' | terraform console
echo 'pow(2, 0.5)' | terraform console
echo 'pow(2, -1)' | terraform console
echo 'signum(-13)' | terraform console
echo 'signum(0.5)' | terraform console
echo 'max(12, 54, 3)' | terraform console
echo 'max([12, 54, 3]...)' | terraform console
echo 'min()' | terraform console
echo 'parseint("100", 10)' | terraform console
echo 'parseint("FF", 16)' | terraform console
echo 'parseint("bad", 2)' | terraform console
echo 'parseint("zz", 36)' | terraform console
echo 'sum([10, 13, 6, 4.5])' | terraform console
echo 'sum([])' | terraform console
echo 'sum(["1", "2"])' | terraform console
echo 'sum(["a"])' | terraform console
echo 'chomp("hello\n\n")' | terraform console
echo 'endswith("hello world", "world")' | terraform console
echo 'format("Hello, %s!", "Ander")' | terraform console
echo 'format("There are %d lights", 4)' | terraform console
echo 'format("%05.1f|%-8s|%+d|%x|%X|%o|%b|%e|%g|%q|%t|%v", 3.14159, "ab", 5, 255, 255, 8, 5, 12345.678, 0.00001, "q\"x", true, [1,"a"])' | terraform console
echo 'format("%s", [1])' | terraform console
echo 'format("%d", "x")' | terraform console
echo 'format("%d", 1.5)' | terraform console
echo 'format("%s %s", "a")' | terraform console
echo 'format("%s", "a", "b")' | terraform console
echo 'format("%[2]s %[1]s", "a", "b")' | terraform console
echo 'format("%z", 1)' | terraform console
echo 'format("%%")' | terraform console
echo 'format("%#v", {a=1})' | terraform console
echo 'format("%8.3f|", 3.14159)' | terraform console
echo 'format("%-10d|", 42)' | terraform console
echo 'format("%s", null)' | terraform console
echo 'format("%v", null)' | terraform console
echo 'format("%10s|%-10s|%010d", "é", "日本", -42)' | terraform console
echo 'formatlist("%s-%s", ["a","b"], ["c","d"])' | terraform console
echo 'formatlist("%s-%s", "x", ["c","d"])' | terraform console
echo 'formatlist("%s", [])' | terraform console
echo 'formatlist("%s-%s", ["a"], ["c","d"])' | terraform console
echo 'indent(2, "a\nb\nc")' | terraform console
echo 'join(", ", ["foo", "bar"])' | terraform console
echo 'join("", [])' | terraform console
echo 'join(",", [1, true, "x"])' | terraform console
echo 'join(",", ["a"], ["b"])' | terraform console
echo 'lower("HELLO")' | terraform console
echo 'regex("[a-z]+", "53453453.345345aaabbbccc23454")' | terraform console
echo 'regex("(\\d\\d\\d\\d)-(\\d\\d)-(\\d\\d)", "2019-02-01")' | terraform console
echo 'regex("^(?:(?P<scheme>[^:/?#]+):)?(?://(?P<authority>[^/?#]*))?", "https://terraform.io/docs/")' | terraform console
echo 'regex("(a)|(b)", "b")' | terraform console
echo 'regexall("[a-z]+", "1234abcd5678efgh9")' | terraform console
echo 'regexall("([a-z])(\\d)", "a1b2")' | terraform console
echo 'regexall("z", "a")' | terraform console
echo 'replace("1 + 2 + 3", "+", "-")' | terraform console
echo 'replace("hello world", "/w.*d/", "everybody")' | terraform console
echo 'replace("abc", "/(b)/", "[$1]")' | terraform console
echo 'replace("abc", "/(?P<x>b)/", "[${"$"}{x}]")' | terraform console
echo 'replace("aaa", "", "-")' | terraform console
echo 'split(",", "foo,bar,baz")' | terraform console
echo 'split(",", "")' | terraform console
echo 'split("", "abc")' | terraform console
echo 'startswith("hello", "he")' | terraform console
echo 'strcontains("hello", "ell")' | terraform console
echo 'strrev("hello")' | terraform console
echo 'substr("hello world", 1, 4)' | terraform console
echo 'substr("hello world", -5, -1)' | terraform console
echo 'substr("hello", 10, 5)' | terraform console
echo 'substr("hello", 2, 0)' | terraform console
echo 'substr("hello", 2, 100)' | terraform console
echo 'templatestring("x", {})' | terraform console
echo 'title("hello world")' | terraform console
echo 'trim("?!hello?!", "!?")' | terraform console
echo 'trimprefix("helloworld", "hello")' | terraform console
echo 'trimsuffix("helloworld", "world")' | terraform console
echo 'trimspace("  hello\n\n")' | terraform console
echo 'upper("hello")' | terraform console
echo 'alltrue(["true", true])' | terraform console
echo 'alltrue([])' | terraform console
echo 'alltrue([true, null])' | terraform console
echo 'anytrue([false])' | terraform console
echo 'anytrue([])' | terraform console
echo 'chunklist(["a", "b", "c", "d", "e"], 2)' | terraform console
echo 'chunklist([], 2)' | terraform console
echo 'chunklist([1], 0)' | terraform console
echo 'chunklist([1], -1)' | terraform console
echo 'coalesce("a", "b")' | terraform console
echo 'coalesce("", "b")' | terraform console
echo 'coalesce(1, "b")' | terraform console
echo 'coalesce(null, null)' | terraform console
echo 'coalesce([]...)' | terraform console
echo 'coalesce(null, [1], {a=1})' | terraform console
echo 'coalescelist(["a"], ["b"])' | terraform console
echo 'coalescelist([], [1])' | terraform console
echo 'coalescelist([], [])' | terraform console
echo 'compact(["a", "", "b", null, "c"])' | terraform console
echo 'concat(["a", ""], ["b", "c"])' | terraform console
echo 'concat([1], ["a"], [[true]])' | terraform console
echo 'concat()' | terraform console
echo 'contains(["a", "b"], "a")' | terraform console
echo 'contains([1, 2], "1")' | terraform console
echo 'contains(toset(["a"]), "b")' | terraform console
echo 'contains("abc", "a")' | terraform console
echo 'distinct(["a", "b", "a", "c"])' | terraform console
echo 'distinct([1, "1", true])' | terraform console
echo 'distinct([])' | terraform console
echo 'element(["a", "b", "c"], 1)' | terraform console
echo 'element(["a", "b", "c"], 3)' | terraform console
echo 'element(["a", "b", "c"], -1)' | terraform console
echo 'element(["a", "b", "c"], 1.5)' | terraform console
echo 'element([], 0)' | terraform console
echo 'flatten([["a", "b"], [], ["c"]])' | terraform console
echo 'flatten([[["a", "b"], []], ["c"], "d"])' | terraform console
echo 'flatten("x")' | terraform console
echo 'flatten([toset(["b","a"]), {a=1}])' | terraform console
echo 'index(["a", "b", "c"], "b")' | terraform console
echo 'index(["a"], "z")' | terraform console
echo 'index([], 1)' | terraform console
echo 'keys({a=1, c=2, d=3})' | terraform console
echo 'keys([])' | terraform console
echo 'length([])' | terraform console
echo 'length({a=1})' | terraform console
echo 'length("hello")' | terraform console
echo 'length(5)' | terraform console
echo 'length(null)' | terraform console
echo 'lookup({a="ay", b="bee"}, "a", "what?")' | terraform console
echo 'lookup({a="ay", b="bee"}, "c", "what?")' | terraform console
echo 'lookup({a="ay"}, "c")' | terraform console
echo 'lookup({a=1}, "b", "x")' | terraform console
echo 'lookup(tomap({a=1}), "b", "x")' | terraform console
echo 'lookup({a=1}, null)' | terraform console
echo 'matchkeys(["i-123", "i-abc", "i-def"], ["us-west", "us-east", "us-east"], ["us-east"])' | terraform console
echo 'matchkeys(["a"], ["b","c"], [])' | terraform console
echo 'merge({a="b", c="d"}, {e="f", c="z"})' | terraform console
echo 'merge({a="b"}, {a=[1,2], c="z"}, {d=3})' | terraform console
echo 'merge()' | terraform console
echo 'merge(null, {a=1})' | terraform console
echo 'merge([1], {a=1})' | terraform console
echo 'merge(tomap({a="x"}), {b=2})' | terraform console
echo 'one([])' | terraform console
echo 'one(["hello"])' | terraform console
echo 'one(["hello", "goodbye"])' | terraform console
echo 'one(toset([]))' | terraform console
echo 'range(3)' | terraform console
echo 'range(1, 4)' | terraform console
echo 'range(1, 8, 2)' | terraform console
echo 'range(4, 1)' | terraform console
echo 'range(10, 5, -2)' | terraform console
echo 'range(0, 1, 0.25)' | terraform console
echo 'range(2000)' | terraform console
echo 'range("a")' | terraform console
echo 'reverse([1, 2, 3])' | terraform console
echo 'reverse({})' | terraform console
echo 'setintersection(["a", "b"], ["b", "c"], ["b", "d"])' | terraform console
echo 'setproduct(["development", "staging"], ["app1", "app2"])' | terraform console
echo 'setproduct([], ["a"])' | terraform console
echo 'setproduct(["a"], [1, true])' | terraform console
echo 'setproduct(toset(["a"]), toset(["b"]))' | terraform console
echo 'setsubtract(["a", "b", "c"], ["a", "c"])' | terraform console
echo 'setunion(["a", "b"], ["b", "c"], ["d"])' | terraform console
echo 'setunion([1], ["a"])' | terraform console
echo 'slice(["a", "b", "c", "d"], 1, 3)' | terraform console
echo 'slice(["a"], 1, 1)' | terraform console
echo 'slice(["a"], 2, 1)' | terraform console
echo 'slice(["a"], -1, 1)' | terraform console
echo 'slice("abc", 0, 1)' | terraform console
echo 'sort(["e", "d", "a", "x"])' | terraform console
echo 'sort([3, 10, 2])' | terraform console
echo 'sort([])' | terraform console
echo 'sort(["B", "a", "C", "é", "z"])' | terraform console
echo 'transpose({"a" = ["1", "2"], "b" = ["2", "3"]})' | terraform console
echo 'transpose({})' | terraform console
echo 'values({a=3, c=2, d=1})' | terraform console
echo 'values([])' | terraform console
echo 'zipmap(["a", "b"], [1, 2])' | terraform console
echo 'zipmap(["a", "a"], [1, 2])' | terraform console
echo 'zipmap([], [])' | terraform console
echo 'zipmap(["a"], ["x", "y"])' | terraform console
echo 'zipmap([1], ["x"])' | terraform console
echo 'base64decode("SGVsbG8gV29ybGQ=")' | terraform console
echo 'base64decode("???")' | terraform console
echo 'base64decode("gIA=")' | terraform console
echo 'base64encode("Hello World")' | terraform console
echo 'textencodebase64("Hello World", "UTF-16LE")' | terraform console
echo 'textdecodebase64("SABlAGwAbABvACAAVwBvAHIAbABkAA==", "UTF-16LE")' | terraform console
echo 'textencodebase64("é", "ISO-8859-1")' | terraform console
echo 'textencodebase64("x", "nope")' | terraform console
echo 'csvdecode("a,b,c\n1,2,3\n4,5,6")' | terraform console
echo 'csvdecode("a,b\n1")' | terraform console
echo 'csvdecode("a,a\n1,2")' | terraform console
echo 'csvdecode("")' | terraform console
echo 'csvdecode("a,b\n\"x,y\",2")' | terraform console
echo 'jsondecode("{\"hello\": \"world\", \"n\": [1, 2.5, null, true]}")' | terraform console
echo 'jsonencode({"hello"="world", "n"=[1, 2.5, null, true]})' | terraform console
echo 'jsonencode("<a & b>")' | terraform console
echo 'jsonencode("é\u0001\n")' | terraform console
echo 'jsonencode(1e100)' | terraform console
echo 'jsonencode(0.1 + 0.2)' | terraform console
echo 'jsonencode(toset(["b", "a"]))' | terraform console
echo 'urlencode("Hello World & é/?")' | terraform console
echo 'urldecode("Hello%20World+%26")' | terraform console
echo 'urldecode("%zz")' | terraform console
echo 'yamlencode({a="b", c=[1, {d=2}], e=null, f="yes", g="1", h="a\nb", i={}, j=[]})' | terraform console
echo 'yamlencode("x: y")' | terraform console
echo 'yamlencode([])' | terraform console
echo 'yamldecode("a: [1, 2, {b: c}]")' | terraform console
echo 'abspath("foo")' | terraform console
echo 'dirname("foo/bar/baz.txt")' | terraform console
echo 'dirname("foo")' | terraform console
echo 'basename("foo/bar/baz.txt")' | terraform console
echo 'pathexpand("~/x")' | terraform console
echo 'fileexists("nope")' | terraform console
echo 'fileset(".", "*.tf")' | terraform console
echo 'fileset(".", "**/*.t{f,xt}")' | terraform console
echo 'filebase64("main.tf")' | terraform console
echo 'formatdate("DD MMM YYYY hh:mm ZZZ", "2018-01-02T23:12:01Z")' | terraform console
echo 'formatdate("EEEE, DD-MMM-YY hh:mm:ss ZZZ", "2018-01-02T23:12:01Z")' | terraform console
echo 'formatdate("EEE, DD MMM YYYY hh:mm:ss ZZZ", "2018-01-02T23:12:01-08:00")' | terraform console
echo 'formatdate("MMMM M D H HH AA aa h '\''o'\'''\''clock'\''", "2018-01-02T03:12:01Z")' | terraform console
echo 'formatdate("x", "2018-01-02T03:12:01Z")' | terraform console
echo 'formatdate("YYY", "2018-01-02T03:12:01Z")' | terraform console
echo 'timeadd("2017-11-22T00:00:00Z", "10m")' | terraform console
echo 'timeadd("2017-11-22T00:00:00Z", "-1h30m5s")' | terraform console
echo 'timeadd("2017-11-22", "24h")' | terraform console
echo 'timeadd("2017-11-22T00:00:00Z", "1d")' | terraform console
echo 'timecmp("2017-11-22T00:00:00Z", "2017-11-22T01:00:00Z")' | terraform console
echo 'timecmp("2017-11-22T01:00:00+01:00", "2017-11-22T00:00:00Z")' | terraform console
echo 'base64sha512("hello world")' | terraform console
echo 'md5("hello world")' | terraform console
echo 'sha1("hello world")' | terraform console
echo 'sha512("hello world")' | terraform console
echo 'uuidv5("dns", "www.terraform.io")' | terraform console
echo 'uuidv5("url", "https://www.terraform.io/")' | terraform console
echo 'uuidv5("x", "y")' | terraform console
echo 'uuidv5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.terraform.io")' | terraform console
echo 'bcrypt()' | terraform console
echo 'cidrhost("10.12.112.0/20", 16)' | terraform console
echo 'cidrhost("10.12.112.0/20", 268)' | terraform console
echo 'cidrhost("fd00:fd12:3456:7890:00a2::/72", 34)' | terraform console
echo 'cidrhost("10.0.0.0/30", 5)' | terraform console
echo 'cidrhost("10.0.0.0/30", -1)' | terraform console
echo 'cidrnetmask("172.16.0.0/12")' | terraform console
echo 'cidrnetmask("fd00::/64")' | terraform console
echo 'cidrnetmask("172.16.0.0/40")' | terraform console
echo 'cidrsubnet("172.16.0.0/12", 4, 2)' | terraform console
echo 'cidrsubnet("10.1.2.0/24", 4, 15)' | terraform console
echo 'cidrsubnet("fd00:fd12:3456:7890::/56", 16, 162)' | terraform console
echo 'cidrsubnet("10.0.0.0/8", 8, 300)' | terraform console
echo 'cidrsubnets("10.1.0.0/16", 4, 4, 8, 4)' | terraform console
echo 'cidrsubnets("10.0.0.0/28", 4, 5)' | terraform console
echo 'can(local.nope)' | terraform console
echo 'can(tonumber("x"))' | terraform console
echo 'can(jsondecode("{"))' | terraform console
echo 'try(tonumber("x"), "fallback")' | terraform console
echo 'try(jsondecode("{"), file("nope"))' | terraform console
echo 'try([][0], {}.a, 5)' | terraform console
echo 'tobool("true")' | terraform console
echo 'tobool("yes")' | terraform console
echo 'tobool(1)' | terraform console
echo 'tolist(["a", 1])' | terraform console
echo 'tolist(toset(["b", "a"]))' | terraform console
echo 'tomap({"a" = 1, "b" = "x"})' | terraform console
echo 'tomap({"a" = 1, "b" = [1]})' | terraform console
echo 'tonumber("5.50")' | terraform console
echo 'tonumber(true)' | terraform console
echo 'tonumber(null)' | terraform console
echo 'toset(["c", "b", "b"])' | terraform console
echo 'toset([1, "a", true])' | terraform console
echo 'tostring(1.50)' | terraform console
echo 'tostring([1])' | terraform console
echo 'tostring(null)' | terraform console
echo 'type([1, "a"])' | terraform console
echo 'type({a=1, b=tolist(["x"])})' | terraform console
echo 'type(null)' | terraform console
echo 'type(toset([1]))' | terraform console
echo 'issensitive(sensitive(1))' | terraform console
echo 'sensitive([1])' | terraform console
echo 'nonsensitive(sensitive("x"))' | terraform console
echo 'ephemeralasnull("x")' | terraform console
echo 'convert("1", number)' | terraform console
echo 'convert(["1"], list(number))' | terraform console
echo 'convert({a="1"}, object({a=number, b=optional(string, "z")}))' | terraform console
echo '[for s in ["a", "b"] : upper(s)]' | terraform console
echo '[for i, v in ["a", "b"] : "${i}:${v}"]' | terraform console
echo '{for s in ["a", "b"] : s => upper(s)}' | terraform console
echo '{for s in ["a", "ab", "b"] : substr(s, 0, 1) => s...}' | terraform console
echo '[for k, v in {b=1, a=2} : "${k}=${v}" if v > 1]' | terraform console
echo '{for k, v in toset(["x"]) : k => v}' | terraform console
echo '[for x in {a=1}: x]' | terraform console
echo '[{a=1},{a=2}][*].a' | terraform console
echo '[{a=[1,2]},{a=[3]}][*].a[0]' | terraform console
echo '{a=1}[*]' | terraform console
echo 'null[*]' | terraform console
echo '"x"[*]' | terraform console
echo '[[1,2],[3]][*][0]' | terraform console
echo '[1, 2, 3].0' | terraform console
echo '[{a={b=5}}].*.a.b' | terraform console
echo '{ "a" = 1, b = 2, (upper("c")) = 3 }' | terraform console
echo '{ "a.b" = 1, "1x" = 2, "x y" = 3, "\n" = 4 }' | terraform console
echo '1 + 2 * 3 - 4 / 2 % 3' | terraform console
echo '-2 * -3' | terraform console
echo '10 / 4' | terraform console
echo '10 / 3' | terraform console
echo '1 / 3' | terraform console
echo '7 % 3' | terraform console
echo '-7 % 3' | terraform console
echo '7 % -3' | terraform console
echo '5.5 % 2' | terraform console
echo '1e3' | terraform console
echo '1.5e-7' | terraform console
echo '0.1 + 0.2' | terraform console
echo '100000000000000000000000 * 3' | terraform console
echo '123456789.123456789' | terraform console
echo '1 == 1.0' | terraform console
echo '"1" == 1' | terraform console
echo '[1] == [1]' | terraform console
echo '[1] == tolist([1])' | terraform console
echo '{a=1} == {a=1}' | terraform console
echo '{a=1} == tomap({a=1})' | terraform console
echo 'null == null' | terraform console
echo 'true && false || true' | terraform console
echo '!true' | terraform console
echo 'true == "true"' | terraform console
echo '1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 != 2' | terraform console
echo 'true ? "a" : "b"' | terraform console
echo 'false ? 1 : "b"' | terraform console
echo 'true ? [] : [1]' | terraform console
echo 'true ? null : 1' | terraform console
echo 'true ? {a=1} : {b=2}' | terraform console
echo 'true ? [1, "a"] : ["b"]' | terraform console
echo '"a${1 + 1}b"' | terraform console
echo '"%{ if true }yes%{ else }no%{ endif }"' | terraform console
echo '"%{ for x in [1,2,3] }${x},%{ endfor }"' | terraform console
echo '"%{ for x in [1,2,3] ~} ${x} %{~ endfor }"' | terraform console
echo '"a ${~ "b" ~} c"' | terraform console
echo '"$${x} %%{y}"' | terraform console
echo '"tab\tnl\nq\"bs\\u\u00e9"' | terraform console
echo '"\U0001F600"' | terraform console
echo '"""x"""' | terraform console
echo '[1, 2, 3][1]' | terraform console
echo '[1, 2, 3][-1]' | terraform console
echo '[1, 2, 3]["1"]' | terraform console
echo '{a = 1}["a"]' | terraform console
echo '{a = 1}.a' | terraform console
echo '{a = 1}.b' | terraform console
echo '[1, 2][5]' | terraform console
echo '"abc"[1]' | terraform console
echo '(1 + 2) * 3' | terraform console
echo '[' | terraform console
echo '{' | terraform console
echo '(' | terraform console
echo 'var' | terraform console
echo '1 +' | terraform console
echo '1 2' | terraform console
echo 'foo(' | terraform console
echo 'upper("a"' | terraform console
echo 'upper "a"' | terraform console
echo '"a' | terraform console
echo 'local.x.y' | terraform console
echo 'path.module' | terraform console
echo 'path.cwd == path.root' | terraform console
echo 'terraform.workspace' | terraform console
echo '[1,]' | terraform console
echo '{a=1,}' | terraform console
echo '{a=1 b=2}' | terraform console
echo '{a:1}' | terraform console
echo 'max(1,2,)' | terraform console
echo 'max(1,2,...)' | terraform console
echo '-(-1)' | terraform console
echo '--1' | terraform console
echo '!!true' | terraform console
echo '+1' | terraform console
echo '1 == 2 == false' | terraform console
echo '1 > 2 > 3' | terraform console
echo 'a ? b' | terraform console
echo '? 1 : 2' | terraform console
echo '1 ? 2 : 3' | terraform console
echo '[for x in]' | terraform console
echo '[for x in [1] x]' | terraform console
echo '[for x in [1] : ]' | terraform console
echo '{for x in [1] : x}' | terraform console
echo '[for 1 in [1] : 1]' | terraform console
echo '[for x, y, z in [1] : x]' | terraform console
