//! Small configurations of `terraform_data`, by chance from a number: a first edition, a second that differs from it in
//! a few places, and the commands that plan, apply, change and destroy them.

use super::super::docker::Step;
use super::Case;
use crate::chance::Chance;

/// The case of a number: always the same.
pub(in crate::golden) fn case(seed: u64) -> Case {
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d);
    let mut plan = Edition::draw(&mut chance);
    let mut files = vec![("main.tf".into(), plan.text())];
    if plan.module.is_some() {
        files.push(("net/main.tf".into(), MODULE.into()));
    }
    let mut commands = vec!["terraform init > /dev/null".to_string()];
    if chance.one_in(4) {
        commands.push("terraform validate".into());
    }
    commands.push("terraform plan".into());
    commands.push("terraform apply -auto-approve".into());
    if chance.one_in(4) {
        commands.push("terraform show".into());
    }
    if chance.one_in(6) {
        commands.push("cat terraform.tfstate".into());
    }
    plan.change(&mut chance);
    commands.push(format!("cat > main.tf <<'END'\n{}END", plan.text()));
    if chance.one_in(3) {
        commands.push("terraform plan".into());
    }
    let first = plan.resources.first().map(|each| each.name.clone()).unwrap_or_default();
    if chance.one_in(8) {
        commands.push(format!("terraform plan -target=terraform_data.{first}"));
    }
    if chance.one_in(10) {
        commands.push(format!("terraform plan -replace=terraform_data.{first}"));
    }
    if chance.one_in(10) {
        commands.push("terraform plan -refresh-only".into());
    }
    if chance.one_in(8) {
        commands.push("terraform plan -out=saved > /dev/null".into());
        commands.push("terraform show saved".into());
        commands.push("terraform apply saved".into());
    } else {
        commands.push("terraform apply -auto-approve".into());
    }
    commands.push("terraform plan -detailed-exitcode".into());
    let looks = ["terraform output", "terraform output -json", "terraform state list", "terraform graph"];
    commands.push((*chance.pick(&looks)).to_string());
    if chance.one_in(6) {
        commands.push(format!("terraform taint terraform_data.{first}"));
        commands.push("terraform plan".into());
    }
    if chance.one_in(8) {
        commands.push("terraform apply -auto-approve -json".into());
    }
    commands.push(if chance.one_in(3) {
        "terraform plan -destroy".into()
    } else {
        "terraform destroy -auto-approve".into()
    });
    let step = |command: String| Step { command, ..Step::default() };
    Case { name: format!("{seed:05}"), files, commands: commands.into_iter().map(step).collect() }
}

const MODULE: &str = r#"variable "size" {
  type    = number
  default = 1
}

variable "labels" {
  type    = map(string)
  default = {}
}

resource "terraform_data" "inner" {
  count = var.size
  input = {
    index  = count.index
    labels = var.labels
  }
}

output "ids" {
  value = terraform_data.inner[*].id
}

output "labels" {
  value = var.labels
}
"#;

#[derive(Clone)]
enum Repeat {
    Once,
    Count(usize),
    Set(Vec<&'static str>),
    Map(Vec<&'static str>),
}

#[derive(Clone)]
struct Resource {
    name: String,
    repeat: Repeat,
    input: Option<String>,
    triggers: Option<String>,
    lifecycle: Vec<String>,
    depends_on: Vec<String>,
}

struct Edition {
    variables: Vec<(String, String)>,
    locals: Vec<(String, String)>,
    resources: Vec<Resource>,
    outputs: Vec<(String, String, bool)>,
    /// Repetition and arguments of the one call.
    module: Option<(String, String)>,
    extra: Vec<String>,
}

const NAMES: [&str; 6] = ["app", "db", "cache", "queue", "web", "site"];
const KEYS: [&str; 5] = ["a", "b", "red", "two words", "x-1"];

impl Edition {
    fn draw(chance: &mut Chance) -> Edition {
        let mut edition = Edition {
            variables: Vec::new(),
            locals: Vec::new(),
            resources: Vec::new(),
            outputs: Vec::new(),
            module: None,
            extra: Vec::new(),
        };
        for i in 0..chance.below(3) {
            let (ty, value) = *chance.pick(&[
                ("string", "\"v1\""),
                ("number", "3"),
                ("bool", "true"),
                ("list(string)", "[\"x\", \"y\"]"),
                ("map(number)", "{ one = 1, two = 2 }"),
                ("object({ name = string, port = optional(number, 80) })", "{ name = \"n\" }"),
                ("set(string)", "[\"s\", \"t\"]"),
                ("any", "{ k = [1, \"2\"] }"),
            ]);
            let sensitive = if chance.one_in(8) { "  sensitive = true\n" } else { "" };
            edition.variables.push((format!("v{i}"), format!("  type    = {ty}\n  default = {value}\n{sensitive}")));
        }
        for i in 0..chance.below(3) {
            let value = edition.expression(chance, 2);
            edition.locals.push((format!("l{i}"), value));
        }
        for name in NAMES.iter().take(1 + chance.below(4)) {
            let resource = edition.resource(chance, name);
            edition.resources.push(resource);
        }
        if chance.one_in(4) {
            let repeat = (*chance.pick(&["", "  for_each = toset([\"m\", \"n\"])\n", "  count = 2\n"])).to_string();
            let labels = if chance.one_in(2) { "  labels = { env = \"dev\" }\n" } else { "" };
            edition.module = Some((repeat, format!("  size   = {}\n{labels}", chance.below(3))));
        }
        for i in 0..chance.below(4) {
            let value = edition.reference(chance);
            edition.outputs.push((format!("o{i}"), value, chance.one_in(6)));
        }
        if chance.one_in(12) {
            let once = edition.resources.iter().find(|each| matches!(each.repeat, Repeat::Once));
            let name = once.map_or("none".into(), |each| each.name.clone());
            edition.extra.push(format!(
                "check \"health\" {{\n  assert {{\n    condition     = length(jsonencode(terraform_data.{name}.input)) > {}\n    error_message = \"Too short.\"\n  }}\n}}\n",
                chance.below(40)
            ));
        }
        if chance.one_in(8) {
            edition.spoil(chance);
        }
        edition
    }

    fn resource(&self, chance: &mut Chance, name: &str) -> Resource {
        let repeat = match chance.below(8) {
            0 => Repeat::Count(chance.below(4)),
            1 => Repeat::Set(keys(chance)),
            2 => Repeat::Map(keys(chance)),
            _ => Repeat::Once,
        };
        let input = (!chance.one_in(6)).then(|| match (&repeat, chance.below(3)) {
            (Repeat::Count(_), 0) => "count.index".to_string(),
            (Repeat::Count(_), 1) => "\"n-${count.index}\"".into(),
            (Repeat::Set(_), 0) => "each.key".into(),
            (Repeat::Map(_), 0) => "each.value".into(),
            (Repeat::Map(_), 1) => "{ key = each.key, value = each.value }".into(),
            _ => self.expression(chance, 3),
        });
        let triggers = chance.one_in(4).then(|| self.expression(chance, 1));
        let mut lifecycle = Vec::new();
        if chance.one_in(6) {
            lifecycle.push("create_before_destroy = true".to_string());
        }
        if chance.one_in(14) {
            lifecycle.push("ignore_changes = [input]".into());
        }
        if chance.one_in(40) {
            lifecycle.push("prevent_destroy = true".into());
        }
        if chance.one_in(12)
            && let Some(other) = self.resources.first()
            && matches!(other.repeat, Repeat::Once)
        {
            lifecycle.push(format!("replace_triggered_by = [terraform_data.{}]", other.name));
        }
        if chance.one_in(14) {
            let limit = chance.below(40);
            lifecycle.push(format!(
                "postcondition {{\n      condition     = length(jsonencode(self.input)) > {limit}\n      error_message = \"Input is shorter than {limit}.\"\n    }}"
            ));
        }
        let mut depends_on = Vec::new();
        if chance.one_in(6)
            && let Some(other) = self.resources.last()
        {
            depends_on.push(format!("terraform_data.{}", other.name));
        }
        Resource { name: name.into(), repeat, input, triggers, lifecycle, depends_on }
    }

    /// Something of the configuration by its name.
    fn reference(&self, chance: &mut Chance) -> String {
        let mut all: Vec<String> = self.variables.iter().map(|(name, _)| format!("var.{name}")).collect();
        all.extend(self.locals.iter().map(|(name, _)| format!("local.{name}")));
        for resource in &self.resources {
            let name = &resource.name;
            match &resource.repeat {
                Repeat::Once => all.extend([
                    format!("terraform_data.{name}.output"),
                    format!("terraform_data.{name}.input"),
                    format!("terraform_data.{name}.id"),
                ]),
                Repeat::Count(count) => {
                    all.push(format!("terraform_data.{name}[*].id"));
                    all.push(format!("length(terraform_data.{name})"));
                    if *count > 0 {
                        all.push(format!("terraform_data.{name}[0].output"));
                    }
                }
                Repeat::Set(_) | Repeat::Map(_) => {
                    all.push(format!("{{ for k, v in terraform_data.{name} : k => v.output }}"));
                    all.push(format!("keys(terraform_data.{name})"));
                }
            }
        }
        if let Some((repeat, _)) = &self.module {
            all.push(if repeat.is_empty() {
                "module.net.ids".into()
            } else if repeat.contains("count") {
                "module.net[*].labels".into()
            } else {
                "{ for k, m in module.net : k => m.ids }".into()
            });
        }
        if all.is_empty() { "\"nothing\"".into() } else { chance.pick(&all).clone() }
    }

    fn expression(&self, chance: &mut Chance, depth: usize) -> String {
        if depth == 0 || chance.one_in(3) {
            return match chance.below(7) {
                0 => format!("{}", chance.below(100)),
                1 => "true".into(),
                2 => "null".into(),
                3 => "\"line one\\nline two\\n\"".into(),
                4 => "1.50".into(),
                _ => format!("\"{}\"", chance.pick(&["alpha", "beta", "ga mma", "${upper(\"d\")}", "quo\\\"te", "ü"])),
            };
        }
        let mut inner = || self.expression(chance, depth - 1);
        let (a, b) = (inner(), inner());
        let reference = self.reference(chance);
        match chance.below(18) {
            0 => format!("[{a}, {b}]"),
            1 => format!("{{ first = {a}, second = {b} }}"),
            2 => format!("{{ name = {a}, id = {b}, \"with space\" = 1 }}"),
            3 => format!("true ? {a} : {a}"),
            4 => format!("jsonencode({a})"),
            5 => format!("try({a}, {b})"),
            6 => format!("merge({{ x = {a} }}, {{ y = {b} }})"),
            7 => format!("concat([{a}], [{b}])"),
            8 => format!("toset([\"q\", \"r\", \"{}\"])", chance.below(3)),
            9 => format!("[for i in range({}) : i * 2]", chance.below(5)),
            10 => format!("format(\"%s-%d\", \"x\", {})", chance.below(50)),
            11 => format!("tolist([\"{}\", \"z\"])", chance.below(9)),
            12 => format!("length([{a}, {b}])"),
            13 => "<<-EOT\n    some text\n      more\n  EOT\n".into(),
            14 => format!("{{ for k in [\"k1\", \"k2\"] : k => {a} }}"),
            _ => reference,
        }
    }

    /// A mistake.
    fn spoil(&mut self, chance: &mut Chance) {
        let resource = &mut self.resources[0];
        let name = resource.name.clone();
        match chance.below(14) {
            0 => resource.input = Some("var.nothing".into()),
            1 => resource.input = Some(format!("terraform_data.{name}x.id")),
            2 => resource.input = Some("upper([])".into()),
            3 => resource.input = Some("local.none".into()),
            4 => resource.input = Some("lenght(\"x\")".into()),
            5 => resource.input = Some("[1, 2][5]".into()),
            6 => resource.input = Some("{ a = 1 }.b".into()),
            7 => resource.lifecycle.push("unknown = true".into()),
            8 => self.extra.push("output \"wrong\" {\n  value = module.missing.x\n}\n".into()),
            9 => resource.input = Some("1 + \"a\"".into()),
            10 => resource.triggers = Some("tonumber(\"abc\")".into()),
            11 => self.extra.push(format!("resource \"terraform_data\" \"{name}\" {{}}\n")),
            12 => resource.input = Some("\"${[1]}\"".into()),
            _ => self.extra.push("resource \"terraform_data\" \"more\" {\n  inputs = 1\n}\n".into()),
        }
    }

    /// A few places become others.
    fn change(&mut self, chance: &mut Chance) {
        for _ in 0..1 + chance.below(3) {
            let at = chance.below(self.resources.len());
            match chance.below(12) {
                0..=3 => self.resources[at].input = Some(self.expression_before(chance, at)),
                4 => {
                    let old = self.resources[at].name.clone();
                    if self.resources.iter().any(|each| each.name == format!("{old}_new")) {
                        continue;
                    }
                    self.resources[at].name = format!("{old}_new");
                    self.rename(&old, &format!("{old}_new"));
                    if !chance.one_in(4) {
                        self.extra.push(format!(
                            "moved {{\n  from = terraform_data.{old}\n  to   = terraform_data.{old}_new\n}}\n"
                        ));
                    }
                }
                5 => {
                    self.resources[at].repeat = match &self.resources[at].repeat {
                        Repeat::Count(count) => Repeat::Count((count + 2) % 4),
                        Repeat::Set(_) => Repeat::Set(keys(chance)),
                        Repeat::Map(_) => Repeat::Map(keys(chance)),
                        Repeat::Once => continue,
                    };
                }
                6 => self.resources[at].triggers = Some(format!("\"t{}\"", chance.below(100))),
                7 if self.resources.len() > 1 && at + 1 == self.resources.len() => {
                    let gone = self.resources.remove(at).name;
                    let uses = |text: &str| text.contains(&format!("terraform_data.{gone}"));
                    self.outputs.retain(|(_, value, _)| !uses(value));
                    self.extra.retain(|text| !uses(text));
                }
                8 => {
                    if let Some((_, text)) = self.locals.last_mut() {
                        *text = format!("\"changed {}\"", chance.below(10));
                    }
                }
                9 => {
                    if let Some((_, arguments)) = &mut self.module {
                        *arguments = format!("  size   = {}\n", chance.below(4));
                    }
                }
                10 => {
                    let resource = self.resource(chance, "late");
                    if self.resources.iter().all(|each| each.name != "late") {
                        self.resources.push(resource);
                    }
                }
                _ => {
                    if let Some(output) = self.outputs.last_mut() {
                        output.1 = format!("\"new {}\"", chance.below(10));
                    }
                }
            }
        }
    }

    /// An expression that refers only to resources before this one.
    fn expression_before(&self, chance: &mut Chance, at: usize) -> String {
        let before = Edition {
            variables: self.variables.clone(),
            locals: Vec::new(),
            resources: self.resources[..at].to_vec(),
            outputs: Vec::new(),
            module: None,
            extra: Vec::new(),
        };
        before.expression(chance, 3)
    }

    fn rename(&mut self, old: &str, new: &str) {
        let (old, new) = (format!("terraform_data.{old}"), format!("terraform_data.{new}"));
        let swap = |text: &mut String| {
            let whole = |after: Option<char>| !after.is_some_and(|c| c.is_alphanumeric() || c == '_');
            let mut out = String::new();
            let mut rest = text.as_str();
            while let Some(found) = rest.find(&old) {
                let (head, tail) = rest.split_at(found);
                out.push_str(head);
                let tail = &tail[old.len()..];
                out.push_str(if whole(tail.chars().next()) { &new } else { &old });
                rest = tail;
            }
            out.push_str(rest);
            *text = out;
        };
        for resource in &mut self.resources {
            resource.input.iter_mut().for_each(swap);
            resource.triggers.iter_mut().for_each(swap);
            resource.lifecycle.iter_mut().for_each(swap);
            resource.depends_on.iter_mut().for_each(swap);
        }
        self.locals.iter_mut().for_each(|(_, text)| swap(text));
        self.outputs.iter_mut().for_each(|(_, text, _)| swap(text));
        self.extra.iter_mut().filter(|text| !text.starts_with("moved")).for_each(swap);
    }

    fn text(&self) -> String {
        let mut out = String::new();
        for (name, body) in &self.variables {
            out.push_str(&format!("variable \"{name}\" {{\n{body}}}\n\n"));
        }
        if !self.locals.is_empty() {
            out.push_str("locals {\n");
            for (name, value) in &self.locals {
                out.push_str(&format!("  {name} = {value}\n"));
            }
            out.push_str("}\n\n");
        }
        for resource in &self.resources {
            out.push_str(&format!("resource \"terraform_data\" \"{}\" {{\n", resource.name));
            match &resource.repeat {
                Repeat::Once => {}
                Repeat::Count(count) => out.push_str(&format!("  count = {count}\n")),
                Repeat::Set(keys) => out.push_str(&format!("  for_each = toset({keys:?})\n")),
                Repeat::Map(keys) => {
                    let pairs: Vec<String> =
                        keys.iter().enumerate().map(|(i, key)| format!("\"{key}\" = {i}")).collect();
                    out.push_str(&format!("  for_each = {{ {} }}\n", pairs.join(", ")));
                }
            }
            if let Some(input) = &resource.input {
                out.push_str(&format!("  input = {input}\n"));
            }
            if let Some(triggers) = &resource.triggers {
                out.push_str(&format!("  triggers_replace = {triggers}\n"));
            }
            if !resource.depends_on.is_empty() {
                out.push_str(&format!("  depends_on = [{}]\n", resource.depends_on.join(", ")));
            }
            if !resource.lifecycle.is_empty() {
                out.push_str("  lifecycle {\n");
                resource.lifecycle.iter().for_each(|line| out.push_str(&format!("    {line}\n")));
                out.push_str("  }\n");
            }
            out.push_str("}\n\n");
        }
        if let Some((repeat, arguments)) = &self.module {
            out.push_str(&format!("module \"net\" {{\n  source = \"./net\"\n{repeat}{arguments}}}\n\n"));
        }
        for (name, value, sensitive) in &self.outputs {
            let sensitive = if *sensitive { "  sensitive = true\n" } else { "" };
            out.push_str(&format!("output \"{name}\" {{\n  value = {value}\n{sensitive}}}\n\n"));
        }
        out.push_str(&self.extra.join("\n"));
        out
    }
}

fn keys(chance: &mut Chance) -> Vec<&'static str> {
    let mut all: Vec<&str> = KEYS.to_vec();
    all.retain(|_| !chance.one_in(2));
    all
}
