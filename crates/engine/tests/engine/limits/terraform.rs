//! Terraform: what would take all memory or minutes is told within a second, what is only large is planned.

use std::time::Duration;

use engine::base::Span;

use super::{Case, holds};

const SPENT: &str = "not simulated here: configurations of more than";
const DEEP: &str = "not simulated here: more than 100 blocks or expressions in each";
const DONE: &str = "rc=0";

pub fn cases() {
    grown();
    functions();
    errors();
    many();
    deep();
    applied();
    modules();
    docker();
}

fn plan(what: &str, text: String, want: &str) {
    let line = "terraform init >/dev/null; terraform plan -no-color > out 2>&1; code=$?; head -c 1500 out; tail -c 1500 out; echo rc=$code";
    let mut case = Case::new(&format!("terraform, {what}")).file("main.tf", text).line(line);
    case.soon = Duration::from_secs(1);
    let text = case.go(Span::seconds(3600), 200_000).done();
    // Errors are wrapped.
    let plain = text.replace('\n', " ");
    holds(what, &plain, want);
    let code = if want == DONE { "rc=0" } else { "rc=1" };
    holds(what, &plain, code);
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// `a0` and 40 values after it, each made of the one before (`@`).
fn chain(first: &str, next: &str) -> String {
    let link = |at: usize| format!("a{} = {}\n", at + 1, next.replace('@', &format!("local.a{at}")));
    format!("locals {{\na0 = {first}\n{}}}\noutput \"o\" {{ value = local.a40 }}\n", lines(40, link))
}

/// Values that double.
fn grown() {
    for (first, next) in [
        ("\"xxxxxxxxxx\"", "\"${@}${@}\""),
        ("\"xxxxxxxxxx\"", "join(\",\", [@, @])"),
        ("\"xxxxxxxxxx\"", "format(\"%s%s\", @, @)"),
        ("\"xxxxxxxxxx\"", "replace(@, \"x\", \"xxxx\")"),
        ("\"xxxxxxxxxx\"", "replace(@, \"/x/\", \"xxxx\")"),
        ("\"\\\"\"", "jsonencode(@)"),
        ("[1]", "concat(@, @)"),
        ("[1]", "[@, @]"),
        ("[1]", "flatten([@, @])"),
        ("{ a = 1 }", "{ a = @, b = @ }"),
        ("{ a = 1 }", "{ for key in [\"a\", \"b\"] : key => @ }"),
        ("{ a = 1 }", "true ? { a = @, b = @ } : { a = @, b = @ }"),
    ] {
        plan(next, chain(first, next), SPENT);
    }
    let ladder = lines(300, |at| format!("a{} = [local.a{at}]\n", at + 1));
    plan("a list in a list, 300 times", format!("locals {{\na0 = []\n{ladder}}}\n"), "values nested deeper than 220");
}

fn functions() {
    let local = |expression: &str| format!("locals {{\nr = range(1000)\na = {expression}\n}}\n");
    let nines = "9".repeat(200_000);
    for (expression, want) in [
        ("range(0, 1e9)", "more than 1024 values were generated"),
        ("[for x in local.r : [for y in local.r : [for z in local.r : x]]]", SPENT),
        ("[for x in local.r : [for y in local.r : local.r]]", SPENT),
        ("join(\"\", [for x in local.r : join(\"\", [for y in local.r : \"xxxxxxxxxxxxxxxxxxxxxxxx\"])])", SPENT),
        ("\"%{for x in local.r}%{for y in local.r}xxxxxxxxxxxxxxxxxxxxxxxxxxx%{endfor}%{endfor}\"", SPENT),
        ("setproduct(local.r, local.r, local.r)", "products of more than 100000 elements"),
        ("[for x in local.r : local.r == local.r]", DONE),
        ("[for x in local.r : [for y in local.r : 1e9000 + 1e-9000]]", SPENT),
        ("[for x in local.r : [for y in local.r : 1.1 / 1.3]]", SPENT),
        ("distinct(flatten([for x in local.r : [for y in range(20) : \"${x}-${y}\"]]))", DONE),
        ("regexall(\"(a|aa)+$\", join(\"\", [for x in local.r : \"aaaaaaaaaaaaaaaaaaaab\"]))", DONE),
        ("1e-9223372036854775808", "Failed to recognize the value of this number literal"),
        ("1e999999999", "Failed to recognize the value of this number literal"),
        (&nines, "Failed to recognize the value of this number literal"),
        ("yamldecode(\"[&a [1,1,1,1,1,1,1,1,1], &b [*a,*a,*a,*a,*a,*a,*a], &c [*b,*b,*b,*b,*b,*b]]\")", DONE),
    ] {
        plan(expression.get(..60).unwrap_or(expression), local(expression), want);
    }
}

fn errors() {
    let garbage: String =
        (0..20_000u32).map(|n| char::from(33 + (n.wrapping_mul(2_654_435_761) >> 25) as u8 % 94)).collect();
    plan("garbage", garbage.replace('a', "\n"), "rc=1");
    plan("signs", "@#$^&\n".repeat(5_000), "This character is not used within the language");
    plan(
        "an argument, 2000 times",
        format!("locals {{\n{}}}\n", "a = 1\n".repeat(2_000)),
        "was already set at main.tf:2,1-2",
    );
    plan("a block, 2000 times", "output \"a\" {\n  value = 1\n}\n".repeat(2_000), "Duplicate output definition");
    plan(
        "2000 unknown names",
        format!("locals {{\n{}}}\n", lines(2_000, |at| format!("a{at} = local.b{at}\n"))),
        "has not been declared",
    );
    plan(
        "2000 unknown arguments",
        format!("resource \"terraform_data\" \"a\" {{\n{}}}\n", lines(2_000, |at| format!("b{at} = 1\n"))),
        "is not expected here",
    );
    plan(
        "5000 errors in one line",
        format!("locals {{ a = [{}] }}\n", "nope,".repeat(5_000)),
        "not simulated here: more than 4 MB of errors and warnings",
    );
}

fn many() {
    let data = |at: usize, body: &str| format!("resource \"terraform_data\" \"a{at}\" {{\n  {body}\n}}\n");
    plan("5000 resources", lines(5_000, |at| data(at, "input = 1")), DONE);
    plan("5000 locals", format!("locals {{\n{}}}\n", lines(5_000, |at| format!("a{at} = {at}\n"))), DONE);
    plan(
        "5000 locals, each of the one before",
        format!("locals {{\na0 = 0\n{}}}\n", lines(5_000, |at| format!("a{} = local.a{at} + 1\n", at + 1))),
        DONE,
    );
    plan("5000 outputs", lines(5_000, |at| format!("output \"a{at}\" {{\n  value = {at}\n}}\n")), DONE);
    plan(
        "a ring of 1000",
        lines(1_000, |at| data(at, &format!("input = terraform_data.a{}.id", (at + 1) % 1_000))),
        "Cycle:",
    );
    let dense = |at: usize| {
        let all: Vec<String> = (0..at).map(|other| format!("terraform_data.a{other}")).collect();
        data(at, &format!("depends_on = [{}]", all.join(", ")))
    };
    plan("500, each behind all before", lines(500, dense), DONE);
    plan("count of 100000", data(0, "count = 100000"), "more than 5000 instances of a resource or module");
    let keys = "for_each = toset(flatten([for x in range(1000) : [for y in range(100) : \"${x}-${y}\"]]))";
    plan("for_each of 100000", data(0, keys), "not simulated here: ");
    plan("three times 5000", lines(3, |at| data(at, "count = 5000")), SPENT);
    let pairs = "count = 2000\n  input = terraform_data.a0[count.index].id";
    plan("2000 that look at 2000", data(0, "count = 2000") + &data(1, pairs), DONE);
}

fn deep() {
    let many = 10_000;
    let output = |before: &str, inner: &str, after: &str| {
        format!("output \"o\" {{\n  value = {}{inner}{}\n}}\n", before.repeat(many), after.repeat(many))
    };
    for (what, text) in [
        ("blocks", format!("{}{}", "a {\n".repeat(many), "}\n".repeat(many))),
        ("lists", output("[", "", "]")),
        ("objects", output("{a=", "1", "}")),
        ("templates", output("\"${", "1", "}\"")),
        ("calls", output("abs(", "1", ")")),
        ("not", output("!", "true", "")),
        ("conditions", output("true ? 1 : ", "1", "")),
        ("sums", output("1 + ", "1", "")),
    ] {
        plan(&format!("10000 deep: {what}"), text, DEEP);
    }
    plan("10000 deep: parentheses", output("(", "1", ")"), DONE);
    plan("open ends", format!("output \"o\" {{ value = \"{}", "${".repeat(20_000)), "rc=1");
    plan(
        "a long heredoc",
        format!("output \"o\" {{\n  value = <<-EOT\n{}  EOT\n}}\n", "  a line ${1 + 1}\n".repeat(20_000)),
        DONE,
    );
}

/// All that stands for itself is made and taken away, all that waits for all too.
fn applied() {
    let text = "resource \"terraform_data\" \"a\" {\n  count = 1000\n}\nresource \"terraform_data\" \"b\" {\n  count = 1000\n  \
                input = terraform_data.a[count.index].id\n}\n";
    let line = "terraform init >/dev/null; terraform apply -auto-approve -no-color >out; terraform destroy -auto-approve -no-color >out; tail -n 1 out";
    let case = Case::new("terraform, applied and destroyed").file("main.tf", text.into()).line(line);
    let text = case.go(Span::seconds(3600), 200_000).done();
    holds("applied and destroyed", &text, "Resources: 2000 destroyed.");
}

/// Modules that call each other: each twice, and none ends.
fn modules() {
    let call = |name: &str| format!("module \"{name}\" {{\n  source = \"../m\"\n}}\n");
    let case = Case::new("terraform, modules that call themselves")
        .file("m/main.tf", call("a") + &call("b"))
        .line("cd m; terraform init -no-color 2>&1 | head -c 3000");
    let text = case.go(Span::seconds(60), 20_000).done();
    holds("modules", &text, "not simulated here: more than 500 calls of modules");
}

/// The docker command: templates that work without end, all ports there are.
fn docker() {
    let format = |what: &str, template: &str| {
        let line =
            format!("docker run -d --name web nginx >/dev/null; docker inspect -f '{template}' web 2>&1 | head -c 200");
        let text = Case::new(what).line(&line).go(Span::seconds(60), 20_000).done();
        holds(what, &text, "too much work for one template");
    };
    let nested = "{{range $i := 1000}}";
    let ends = "{{end}}";
    format("nested ranges of nothing", &format!("{}{}", nested.repeat(4), ends.repeat(4)));
    format("a text that doubles", &format!("{{{{$x := \"xxxxxxxx\"}}}}{}", "{{$x = print $x $x}}".repeat(40)));
    let run = "docker run -d -p 1-65535:1-65535 --name web nginx | wc -c; docker port web | wc -l";
    let text = Case::new("all ports").line(run).go(Span::seconds(60), 20_000).done();
    holds("all ports", &text, "65\n131070\n");
}
