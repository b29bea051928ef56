//! What a block may hold, checked against a list of names: the errors common to all blocks of the language.

use crate::base::BTreeSet;
use crate::terraform::hcl::{Attribute, Body, Diagnostic, Range, did_you_mean_nearest};

/// Tells what in the body is not expected, and what is missing. A name with `!` in front is required.
pub fn check(body: &Body, arguments: &[&str], blocks: &[&str], diagnostics: &mut Vec<Diagnostic>) {
    let bare = |name: &&str| name.trim_start_matches('!').to_string();
    let known: Vec<String> = arguments.iter().map(bare).collect();
    let blocks: Vec<String> = blocks.iter().map(bare).collect();
    unexpected(body, &mut body.attributes.iter(), &known, &blocks, diagnostics);
    for name in arguments.iter().filter_map(|name| name.strip_prefix('!')) {
        missing(body, name, diagnostics);
    }
}

/// The argument is required and not there.
pub fn missing(body: &Body, name: &str, diagnostics: &mut Vec<Diagnostic>) {
    if body.attribute(name).is_none() {
        missing_at(&body.missing_range(), name, diagnostics);
    }
}

pub fn missing_at(range: &Range, name: &str, diagnostics: &mut Vec<Diagnostic>) {
    let detail = format!("The argument \"{name}\" is required, but no definition was found.");
    diagnostics.push(Diagnostic::error("Missing required argument", detail, range));
}

/// Of the arguments given, and of all blocks: what is not expected.
pub fn unexpected(
    body: &Body,
    given: &mut dyn Iterator<Item = &Attribute>,
    arguments: &[String],
    blocks: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let given: Vec<&Attribute> = given.collect();
    let set: BTreeSet<&str> = given.iter().map(|attribute| attribute.name.as_str()).collect();
    for attribute in given {
        if arguments.contains(&attribute.name.to_string()) {
            continue;
        }
        let tail = if blocks.contains(&attribute.name.to_string()) {
            format!(" Did you mean to define a block of type \"{}\"?", attribute.name)
        } else {
            // What is set already was not meant.
            let free = arguments.iter().map(String::as_str).filter(|name| !set.contains(name));
            did_you_mean_nearest(&attribute.name, free)
        };
        let detail = format!("An argument named \"{}\" is not expected here.{tail}", attribute.name);
        diagnostics.push(Diagnostic::error("Unsupported argument", detail, &attribute.name_range));
    }
    for block in &body.blocks {
        if blocks.contains(&block.kind.to_string()) {
            continue;
        }
        // What a `dynamic` block makes is meant.
        if let ("dynamic", Some(kind), Some(range)) =
            (block.kind.as_str(), block.labels.first(), block.label_ranges.first())
        {
            let detail = format!("Blocks of type \"{kind}\" are not expected here.");
            diagnostics.push(Diagnostic::error("Unsupported block type", detail, range));
            continue;
        }
        let tail = if arguments.contains(&block.kind.to_string()) {
            format!(
                " Did you mean to define argument \"{}\"? If so, use the equals sign to assign it a value.",
                block.kind
            )
        } else {
            did_you_mean_nearest(&block.kind, blocks.iter().map(String::as_str))
        };
        let detail = format!("Blocks of type \"{}\" are not expected here.{tail}", block.kind);
        diagnostics.push(Diagnostic::error("Unsupported block type", detail, &block.kind_range));
    }
}
