//! Small configurations of `terraform_data`, by chance from a number.

use super::super::docker::Step;
use super::Case;

/// The case of a number: always the same.
pub(in crate::golden) fn case(seed: u64) -> Case {
    let text = "resource \"terraform_data\" \"a\" {\n  input = 1\n}\n".to_string();
    let commands = ["terraform init > /dev/null", "terraform plan", "terraform apply -auto-approve", "terraform plan"];
    let commands = commands.map(|command| Step { command: command.into(), ..Step::default() }).into();
    Case { name: format!("{seed:05}"), files: vec![("main.tf".into(), text)], commands }
}
