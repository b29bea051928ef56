use super::*;
use crate::base::Span;

/// Runs a command to its end and gives output, errors and exit code.
fn run(machine: &mut Workstation, command: &str) -> (String, String, Option<i32>) {
    let pid = machine.start_job(command, login_env(), HOME).unwrap();
    let mut now = Time::from_seconds(1_800_000_000);
    for _ in 0..200 {
        machine.run(now, 2000);
        if machine.exit(pid).is_some() {
            break;
        }
        if !machine.is_busy() {
            match machine.next_at() {
                Some(at) => now = at,
                None => now += Span::seconds(1),
            }
        }
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    for (stream, bytes, owner) in machine.take_output() {
        if owner == pid {
            if stream == Stream::Out { out.extend(bytes) } else { err.extend(bytes) }
        }
    }
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(out), text(err), machine.exit(pid))
}

#[track_caller]
fn check(command: &str, expected: &str) {
    let mut machine = Workstation::new(Chance::new(1), Vec::new());
    let (out, err, _) = run(&mut machine, command);
    assert_eq!(out + &err, expected, "{command}");
}

#[track_caller]
fn code(command: &str, expected: i32) {
    let mut machine = Workstation::new(Chance::new(1), Vec::new());
    assert_eq!(run(&mut machine, command).2, Some(expected), "{command}");
}

#[test]
fn words_and_quotes() {
    check("echo a | tr a b", "b\n");
    check("echo 'a  b' \"c  d\" e\\ f $'g\\th'", "a  b c  d e f g\th\n");
    check("x=5; echo ${x:-y} ${z:-y} ${#x} ${x:+set}", "5 y 1 set\n");
    check(
        "f=/a/b.tar.gz; echo ${f##*/} ${f%.*} ${f%%.*} ${f#/} ${f/a/X} ${f:1:3}",
        "b.tar.gz /a/b.tar /a/b a/b.tar.gz /X/b.tar.gz a/b\n",
    );
    check("echo $((1 + 2 * 3)) $(( (1+2)*3 )) $((7 % 4)); i=1; i=$((i+1)); echo $i", "7 9 3\n2\n");
    check("echo $(echo in $(echo deep)) `echo back`", "in deep back\n");
    check("echo {a,b}{1..3}", "a1 a2 a3 b1 b2 b3\n");
    check("set -- a 'b c'; for x in \"$@\"; do echo \"<$x>\"; done; echo $#", "<a>\n<b c>\n2\n");
    check("cat <<EOF\nx $((1+1)) \\$y\nEOF\ncat <<'EOF'\n$x\nEOF\ncat <<<hi", "x 2 $y\n$x\nhi\n");
    check("a=(x y z); echo ${a[1]} ${#a[@]} \"${a[@]}\"", "y 3 x y z\n");
}

#[test]
fn control() {
    check("for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done", "1\n3\n");
    check("i=0; while true; do i=$((i+1)); if [ $i -gt 3 ]; then break; fi; echo $i; done", "1\n2\n3\n");
    check("case abc in x) echo no;; a*) echo yes;; esac", "yes\n");
    check("f() { local x=2; echo $1 $x; return 3; }; x=1; f arg; echo $? $x", "arg 2\n3 1\n");
    check("printf 'a\\nb\\n' | while read -r l; do echo \"[$l]\"; done", "[a]\n[b]\n");
    check("(exit 3); echo $?; ! true; echo $?; false || echo or; true && echo and", "3\n1\nor\nand\n");
    check("[[ abc == a* && 5 -gt 3 ]] && echo yes; [[ abc =~ ^a(.)c$ ]] && echo ${BASH_REMATCH[1]}", "yes\nb\n");
    check("trap 'echo bye' EXIT; echo hi", "hi\nbye\n");
    check("sleep 1 & wait; echo done", "done\n");
    check("set -e; false; echo never", "");
    check("{ echo a; echo b >&2; } 2>/dev/null | cat", "a\n");
    check("echo x > f; echo y >> f; cat f; cat < f | wc -l", "x\ny\n2\n");
    check("for v in no '~' 012; do printf 'k: %s\\n' \"$v\"; done", "k: no\nk: ~\nk: 012\n");
    check("yes | head -n 2", "y\ny\n");
    check("timeout 2 sleep 10; echo $?", "124\n");
    check("bash -c '[ -z \"$(echo)\" ]' && echo empty", "empty\n");
    check("head -c 5 /dev/zero | tr '\\0' x; echo", "xxxxx\n");
    check(
        "cd /tmp && mkdir -p kz && printf 'r: [b]\\n' > kz/k && cat kz/k; echo a >/dev/null; echo \"rc $?\"",
        "r: [b]\nrc 0\n",
    );
    check("f() { echo \"$@\"; }; x=$(f a b); echo \"${x}\"; echo \"${y:?need y}\"", "a b\nbash: line 1: y: need y\n");
    check("set -u; echo $nope; echo never", "bash: line 1: nope: unbound variable\n");
    check("set -x; echo 'a b' c", "a b c\n+ echo 'a b' c\n");
    check("for i in $(seq 3); do echo $i; done | sort -r | head -1", "3\n");
    check("diff() { :; }; cat <(echo one) <(echo two); eval 'echo $((2**5))'", "one\ntwo\n32\n");
    check("GREETING=hi env | grep GREET", "GREETING=hi\n");
}

#[test]
fn errors() {
    check("foo", "bash: line 1: foo: command not found\n");
    code("foo", 127);
    check("cat nosuch", "cat: nosuch: No such file or directory\n");
    check("echo )", "bash: -c: line 1: syntax error near unexpected token `)'\nbash: -c: line 1: `echo )'\n");
    code("echo )", 2);
    check("if true", "bash: -c: line 2: syntax error: unexpected end of file\n");
    check("cd nowhere", "bash: line 1: cd: nowhere: No such file or directory\n");
    check("echo > /no/such", "bash: line 1: /no/such: No such file or directory\n");
    code("exit 7", 7);
    code("false | true", 0);
    code("set -o pipefail; false | true", 1);
}

#[test]
fn tools() {
    check("printf 'b 2\\na 10\\n' | sort -k2 -n", "b 2\na 10\n");
    check("printf 'x y\\n' | awk '{print $2,$1}'; printf '1\\n2\\n' | awk '{s+=$1} END {print s}'", "y x\n3\n");
    check("printf 'a 0/1\\nb 1/1\\n' | awk '$2==\"0/1\"{print $1}'", "a\n");
    check("printf 'a: 1\\nspec:\\n x\\n' | sed -n '/^spec:/,$p'", "spec:\n x\n");
    check("echo 'uid: abc' | sed -E 's/(uid): .*/\\1: X/'", "uid: X\n");
    check("echo hello | base64; echo aGVsbG8K | base64 -d", "aGVsbG8K\nhello\n");
    check("printf 'a\\nB\\nc\\n' | grep -i -n b; printf 'a\\nb\\n' | grep -c .", "2:B\n2\n");
    check(
        "printf 'image: nginx:stable\\n' > d; sed -i 's/nginx:stable/nginx:mainline/' d; cat d",
        "image: nginx:mainline\n",
    );
    check("printf 'a%.0s' $(seq 5); echo", "aaaaa\n");
    check("mkdir -p kz/x && touch kz/b kz/.h && ls kz && ls -A kz", "b\nx\n.h\nb\nx\n");
    check("echo a b c | xargs -n 1 echo -", "- a\n- b\n- c\n");
    check("echo a:b:c | cut -d: -f2-; printf 'a\\na\\nb\\n' | uniq -c", "b:c\n      2 a\n      1 b\n");
    check("date -u -d @0 +%Y-%m-%dT%H:%M:%SZ", "1970-01-01T00:00:00Z\n");
}

#[test]
fn tools_say_what_coreutils_says() {
    check(
        "seq 1 0.5 2; seq -w 8 10; seq -s, 3; seq 5 -2 1; seq -f %03g 2; seq 3 1",
        "1.0\n1.5\n2.0\n08\n09\n10\n1,2,3\n5\n3\n1\n001\n002\n",
    );
    check("seq -w -1 1; seq 0.1 0.1 0.3; seq 1e2 1 101; seq -3 -2", "-1\n00\n01\n0.1\n0.2\n0.3\n100\n101\n-3\n-2\n");
    let told = |command: &str, text: &str| check(command, &format!("{text}\n"));
    let helped = |command: &str, text: &str| {
        let name = command.split(' ').next().unwrap_or_default();
        check(command, &format!("{name}: {text}\nTry '{name} --help' for more information.\n"));
    };
    helped("seq", "missing operand");
    helped("seq a", "invalid floating point argument: ‘a’");
    helped("seq 1 2 3 4", "extra operand ‘4’");
    helped("seq 1 0 3", "invalid Zero increment value: ‘0’");
    helped("cut", "you must specify a list of bytes, characters, or fields");
    helped("cut -f", "option requires an argument -- 'f'");
    helped("cut -f a", "invalid field value ‘a’");
    helped("tr", "missing operand");
    helped("tr a", "missing operand after ‘a’\nTwo strings must be given when translating.");
    helped("mkdir", "missing operand");
    helped("touch", "missing file operand");
    helped("head -n", "option requires an argument -- 'n'");
    helped("wc -x", "invalid option -- 'x'");
    helped("chmod 644", "missing operand after ‘644’");
    told("head -n abc", "head: invalid number of lines: ‘abc’");
    told("tail -n x", "tail: invalid number of lines: ‘x’");
    told("nl nope", "nl: nope: No such file or directory");
    told("tac nope", "tac: failed to open 'nope' for reading: No such file or directory");
    told(
        "perl -e 1",
        "not simulated here: program: perl; kubectl's -o jsonpath and -o custom-columns pick out fields, awk and sed \
         change text",
    );
    check("touch x; readlink x; echo $?; ln -s x y; readlink y", "1\nx\n");
    check("printf 'a\\nb\\nc\\n' > 1; printf 'a\\nx\\nc\\nd\\n' > 2; diff 1 2", "2c2\n< b\n---\n> x\n3a4\n> d\n");
    check(
        "printf 'a\\nb\\n' > 1; printf 'a\\nx\\nc\\n' > 2; paste 1 2; paste -sd+ 1; cmp 1 2; diff -q 1 2; diff 1 1",
        "a\ta\nb\tx\n\tc\na+b\n1 2 differ: byte 3, line 2\nFiles 1 and 2 differ\n",
    );
    check(
        "TZ=Asia/Tokyo date -d @0; TZ=JST-9 date -d @0 -Iseconds",
        "Thu Jan  1 09:00:00 JST 1970\n1970-01-01T09:00:00+09:00\n",
    );
    check(
        "TZ=Europe/Berlin date -d @1780000000 +%Z%z; TZ=America/New_York date -d @1768000000 +%Z",
        "CEST+0200\nEST\n",
    );
    check("TZ=Foo/Bar date -d @0", "Thu Jan  1 00:00:00 Foo 1970\n");
    check("head -c 6 /dev/urandom | wc -c; grep -c root /etc/passwd; . /etc/os-release; echo $ID", "6\n1\ndebian\n");
    check("x=$(printf 'a%.0s' $(seq 300000)); echo ${#x}", "300000\n");
}

#[test]
fn time_limits_and_checksums() {
    check("timeout -s INT 1 sleep 5; echo $?; timeout -s KILL 1 sleep 5; echo $?", "124\n137\n");
    check("timeout --preserve-status 1 sleep 5; echo $?; timeout -k 2 1m true; echo $?", "143\n0\n");
    check(
        "timeout -v 1 sleep 5; timeout x true; echo $?",
        "125\ntimeout: sending signal TERM to command ‘sleep’\n\
         timeout: invalid time interval ‘x’\nTry 'timeout --help' for more information.\n",
    );
    check("timeout -s FOO 1 true", "timeout: ‘FOO’: invalid signal\nTry 'timeout --help' for more information.\n");
    check("timeout; echo $?", "125\nTry 'timeout --help' for more information.\n");
    check(
        "echo hello > a; md5sum a; echo -n abc | sha1sum",
        "b1946ac92492d2347c6235b4d2611184  a\na9993e364706816aba3e25717850c26c9cd0d89d  -\n",
    );
    check(
        "echo x > a; sha256sum a > s; sha256sum -c s; echo y > a; sha256sum -c s; echo $?",
        "a: OK\na: FAILED\n1\nsha256sum: WARNING: 1 computed checksum did NOT match\n",
    );
}

/// Answers of bash 5.2 and coreutils 9 to the same lines.
#[test]
fn less_used_words_and_options() {
    check("printf '2G\\n10K\\n1M\\n-1K\\n5\\n' | sort -h", "-1K\n5\n10K\n1M\n2G\n");
    check("printf 'a\\tb\\n\\303\\251\\001\\n' | cat -A", "a^Ib$\nM-CM-)^A$\n");
    check("printf 'a\\n\\n\\nb\\n' | cat -sn", "     1\ta\n     2\t\n     3\tb\n");
    check("printf 'a\\nb\\n' | xargs -I X echo [X]; printf 'a b c' | xargs -n 2 echo", "[a]\n[b]\na b\nc\n");
    check("A=1 B=2 env -u A sh -c 'echo \"<$A> <$B>\"'; env -i X=1 env", "<> <2>\nX=1\n");
    check("printf -v z '%03d' 7; echo $z", "007\n");
    check("a=(x y z); unset 'a[1]'; echo \"${a[@]} ${#a[@]}\"", "x z 2\n");
    check(
        "echo 'one two  three' > f; read -a w < f; echo ${w[2]} ${#w[@]}; read -n 3 x < f; echo $x",
        "three 3\none\n",
    );
    check("printf 'k=v;j=w;' | while read -r -d ';' kv; do echo \"$kv\"; done", "k=v\nj=w\n");
    check(
        "printf 'あいう\\nx' > f; read -n 2 a < f; IFS= read -r -d '' b < f; echo $? \"$a [$b]\"",
        "1 あい [あいう\nx]\n",
    );
    check("shopt -s nullglob; echo none*; shopt -u nullglob; echo none*", "\nnone*\n");
    check("touch x; ./x; echo $?", "126\nbash: line 1: ./x: Permission denied\n");
    check("expr 1 + 2 '*' 3; expr abc : 'a\\(.\\)'; expr length hello; expr 1 = 2; echo $?", "7\nb\n5\n0\n1\n");
    check("declare -A m", "not simulated here: declare -A\n");
}

#[test]
fn bash_says_what_bash_says() {
    check("printf '%q ' 'a b' '' 'x;y' $'a\\nb' あ; printf '%-5s|\\n' あ", "a\\ b '' x\\;y $'a\\nb' あ あ  |\n");
    check("printf", "printf: usage: printf [-v var] format [arguments]\n");
    check("break", "bash: line 1: break: only meaningful in a `for', `while', or `until' loop\n");
    check("time true", "\nreal\t0m0.000s\nuser\t0m0.000s\nsys\t0m0.000s\n");
    check("time sleep 61.5", "\nreal\t1m1.500s\nuser\t0m0.000s\nsys\t0m0.000s\n");
    let token = |command: &str, token: &str| {
        let text = format!("bash: -c: line 1: syntax error near unexpected token `{token}'\n");
        check(command, &format!("{text}bash: -c: line 1: `{command}'\n"));
    };
    token("echo (a)", "a");
    token("echo a (b)", "(");
    check(
        "cat <<EOF\na",
        "a\nbash: line 2: warning: here-document at line 1 delimited by end-of-file (wanted `EOF')\n",
    );
    code("echo ${nope:?msg}", 127);
    for (script, expected) in [
        ("echo ${nope:?msg}\necho never\n", "s.sh: line 1: nope: msg\n1\n"),
        ("set -u\necho $nope\n", "s.sh: line 2: nope: unbound variable\n1\n"),
        (
            "echo one\ncat <<EOF\n",
            "one\ns.sh: line 2: warning: here-document at line 2 delimited by end-of-file (wanted `EOF')\n0\n",
        ),
        ("echo (\n", "s.sh: line 1: syntax error near unexpected token `newline'\ns.sh: line 1: `echo ('\n2\n"),
        ("f() { f; }\nf\necho after\n", "s.sh: line 1: f: maximum function nesting level exceeded (500)\nafter\n0\n"),
    ] {
        let mut machine = Workstation::new(Chance::new(1), Vec::new());
        machine.write_file(Time::default(), "s.sh", script).unwrap();
        let (out, _, _) = run(&mut machine, "bash s.sh > all 2>&1; echo $? >> all; cat all");
        assert_eq!(out, expected, "{script}");
    }
}

#[test]
fn aliases_and_history_at_a_prompt() {
    let mut machine = Workstation::new(Chance::new(1), Vec::new());
    let now = Time::from_seconds(1_800_000_000);
    machine.run(now, 100);
    let lines = [
        "alias e='echo said' ls='ls -A'",
        "e one; e two | cat",
        "!!",
        "echo !$",
        "touch .h; ls | grep h",
        "alias e; type e",
        "!nope",
        "unalias e",
        "e",
    ];
    let mut text = String::new();
    for line in lines {
        machine.submit(line);
        machine.run(now, 200);
        text.extend(machine.take_output().iter().map(|(_, bytes, _)| String::from_utf8_lossy(bytes).into_owned()));
    }
    let expected = "said one\nsaid two\ne one; e two | cat\nsaid one\nsaid two\necho cat\ncat\n.h\n\
                    alias e='echo said'\ne is aliased to `echo said'\nbash: !nope: event not found\n\
                    bash: e: command not found\n";
    assert_eq!(text, expected);
}

#[test]
fn what_containers_say() {
    use crate::process::Processes;
    struct Busybox;
    impl Host for Busybox {
        fn program(&self, files: &Files, _: &Env, cwd: &str, args: &[String]) -> Result<Box<dyn Program>, NoProgram> {
            shell::resolve(files, cwd, args, Flavour::Busybox, &|_, _| None)
        }
    }
    let check = |command: &str, expected: &str, code: i32| {
        let (mut table, mut files, mut chance) = (Processes::new("pod"), Files::default(), Chance::new(1));
        files.make_directories(Time::default(), "/", "/tmp").unwrap();
        table.init = true;
        let args = vec!["sh".into(), "-c".into(), command.into()];
        table.start(&Busybox, &files, spawn(args, Env::new(), "/", Source::Null)).unwrap();
        let mut now = Time::from_seconds(1);
        let (mut text, mut exit) = (String::new(), None);
        for turn in 0..60 {
            let report = table.run(&Busybox, &mut files, &mut chance, now, 1000);
            text.extend(report.output.iter().map(|output| String::from_utf8_lossy(&output.bytes).into_owned()));
            exit = exit.or(report.exits.first().map(|(_, exit)| exit.code));
            now = report.next.unwrap_or(now);
            if turn == 5 {
                table.signal(1, Signal::Term);
            }
            if exit.is_some() {
                break;
            }
        }
        assert_eq!((text.as_str(), exit), (expected, Some(code)), "{command}");
    };
    check("foo", "sh: foo: not found\n", 127);
    check("echo out; echo err >&2; exit 3", "out\nerr\n", 3);
    check("trap 'echo side ends; exit 0' TERM; while true; do sleep 1; done", "side ends\n", 0);
    check("trap '' TERM; sleep 20; exit 3", "", 3);
    check("if [ -e /tmp/seen ]; then echo second; exit 0; fi; touch /tmp/seen; echo first; exit 1", "first\n", 1);
    check("sh -c 'kill -SEGV $$'; exit $?", "", 139);
    check("echo )", "sh: syntax error: unexpected \")\"\n", 2);
}

#[test]
fn a_prompt() {
    let mut machine = Workstation::new(Chance::new(1), Vec::new());
    let now = Time::from_seconds(1_800_000_000);
    machine.run(now, 100);
    assert_eq!(machine.prompt(), Some("root@workstation:~# "));
    machine.submit("for i in 1 2");
    machine.run(now, 100);
    assert_eq!(machine.prompt(), Some("> "));
    machine.submit("do echo $i; done; nosuch; cd /tmp");
    machine.run(now, 100);
    let text: String = machine.take_output().iter().map(|(_, bytes, _)| String::from_utf8_lossy(bytes)).collect();
    assert_eq!(text, "1\n2\nbash: nosuch: command not found\n");
    assert_eq!(machine.prompt(), Some("root@workstation:/tmp# "));
    machine.submit("while true; do :; done");
    machine.run(now, 100);
    assert_eq!(machine.prompt(), None);
    machine.interrupt();
    machine.run(now, 100);
    machine.submit("echo $?; sleep infinity");
    machine.run(now, 100);
    machine.interrupt();
    machine.run(now, 100);
    assert_eq!(machine.take_output().len(), 1);
    assert!(machine.prompt().is_some());
}

#[test]
fn random_scripts_stay_bounded() {
    const WORDS: [&str; 40] = [
        "echo", "a", "$x", "${x:-", "}", "$(", ")", "`", "\"", "'", "|", "&&", "||", ";", "&", "\n", "if", "then",
        "fi", "while", "do", "done", "for", "in", "case", "esac", "((", "))", "[[", "]]", "{", "f()", "f", "<<EOF",
        ">x", "<x", "x=1", "$((", "*", "true",
    ];
    let mut chance = Chance::new(7);
    for _ in 0..300 {
        let count = chance.below("fuzz", 14);
        let script: Vec<&str> = (0..count).map(|_| WORDS[chance.below("fuzz", 40) as usize]).collect();
        let mut machine = Workstation::new(Chance::new(1), Vec::new());
        machine.start_job(&script.join(" "), login_env(), HOME).unwrap();
        machine.run(Time::from_seconds(1), 300);
    }
    for script in ["f() { f | f; }; f", "f() { f; }; f", "x=a; while :; do x=$x$x; done", "yes > /tmp/y", "echo $(yes)"]
    {
        let mut machine = Workstation::new(Chance::new(1), Vec::new());
        machine.start_job(script, login_env(), HOME).unwrap();
        machine.run(Time::from_seconds(1), 2000);
    }
    let deep = "(".repeat(5000) + &"$(".repeat(5000) + &"${a:-".repeat(5000);
    let mut machine = Workstation::new(Chance::new(1), Vec::new());
    machine.start_job(&deep, login_env(), HOME).unwrap();
    machine.run(Time::from_seconds(1), 300);
}
