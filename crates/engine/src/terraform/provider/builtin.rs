//! The provider that is part of Terraform: `terraform_data`. `terraform_remote_state` is left out.

use crate::base::BTreeMap;
use std::sync::Arc;

use super::{Change, Doing, Done, Job, Planned, Provider};
use crate::base::SmolStr;
use crate::process::rerun::{Io, Outcome};
use crate::terraform::address::Mode;
use crate::terraform::config::BUILTIN;
use crate::terraform::schema::{AttributeSchema, BlockSchema, Schema};
use crate::terraform::value::{PathStep, Type, Value};

pub struct Terraform;

impl Provider for Terraform {
    fn source(&self) -> &'static str {
        BUILTIN
    }

    fn version(&self) -> &'static str {
        ""
    }

    fn configuration(&self) -> BlockSchema {
        BlockSchema::default()
    }

    fn kinds(&self, mode: Mode) -> Vec<&'static str> {
        if mode == Mode::Managed { vec!["terraform_data"] } else { Vec::new() }
    }

    fn schema(&self, mode: Mode, kind: &str) -> Option<Arc<Schema>> {
        if mode != Mode::Managed || kind != "terraform_data" {
            return None;
        }
        let attribute = |name: &str, ty: Type, optional: bool, computed: bool| AttributeSchema {
            name: name.into(),
            ty,
            optional,
            computed,
            ..AttributeSchema::default()
        };
        let attributes = vec![
            attribute("id", Type::String, false, true),
            attribute("input", Type::Dynamic, true, false),
            attribute("output", Type::Dynamic, false, true),
            attribute("triggers_replace", Type::Dynamic, true, false),
        ];
        Some(Arc::new(Schema { block: BlockSchema { attributes, blocks: Vec::new() }, ..Schema::default() }))
    }

    fn absent(&self, mode: Mode) -> &'static [&'static str] {
        if mode == Mode::Data { &["terraform_remote_state"] } else { &[] }
    }

    fn plan(&self, change: &Change<'_>) -> Planned {
        let field = |value: &Value, name: &str| value.get(name).cloned().unwrap_or_else(|| Value::null(Type::Dynamic));
        let mut values: BTreeMap<SmolStr, Value> = change.proposed.entries().cloned().unwrap_or_default();
        let mut replace = Vec::new();
        let input = field(change.proposed, "input");
        let output = |input: &Value| match input.is_null() {
            true => Value::null(Type::Dynamic),
            false => Value::unknown(if input.is_wholly_known() { input.ty() } else { input.ty() }),
        };
        if change.prior.is_null() {
            values.insert("id".into(), Value::unknown_not_null(Type::String));
            values.insert("output".into(), output(&input));
        } else {
            if field(change.prior, "input") != input {
                values.insert("output".into(), output(&input));
            }
            if field(change.prior, "triggers_replace") != field(change.proposed, "triggers_replace") {
                replace.push(vec![PathStep::Attribute("triggers_replace".into())]);
            }
        }
        Planned { value: Some(Value::object(values)), replace, ..Planned::default() }
    }

    fn run(&self, io: &mut Io<'_, '_>, job: &Job) -> Outcome<Done> {
        let value = match job.action {
            Doing::Delete => Value::null(Type::Dynamic),
            Doing::Read | Doing::ReadData => job.prior.clone(),
            Doing::Import => Value::object(BTreeMap::from([
                ("id".into(), Value::string(job.id.clone())),
                ("input".into(), Value::null(Type::Dynamic)),
                ("output".into(), Value::null(Type::Dynamic)),
                ("triggers_replace".into(), Value::null(Type::Dynamic)),
            ])),
            Doing::Create | Doing::Update => {
                let mut values = job.planned.entries().cloned().unwrap_or_default();
                if values.get("id").is_none_or(|id| !id.is_known()) {
                    values.insert("id".into(), Value::string(uuid(io)));
                }
                let input = values.get("input").cloned().unwrap_or_else(|| Value::null(Type::Dynamic));
                values.insert("output".into(), input);
                Value::object(values)
            }
        };
        Ok(Done { value: Some(value), ..Done::default() })
    }
}

/// A random UUID, version 4.
pub fn uuid(io: &mut Io<'_, '_>) -> String {
    uuid_of(&mut || io.sys.chance.below("terraform uuid", 1 << 32))
}

pub fn uuid_of(draw: &mut dyn FnMut() -> u64) -> String {
    let words = [draw(), draw(), draw(), draw()];
    let [a, b, c, d] = words.map(|word| word & 0xffff_ffff);
    format!("{a:08x}-{:04x}-4{:03x}-{:04x}-{:04x}{d:08x}", b >> 16, b & 0xfff, 0x8000 | (c >> 16 & 0x3fff), c & 0xffff)
}
