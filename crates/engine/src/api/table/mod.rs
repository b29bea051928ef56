//! Server-side printing: the Table a client gets when it asks `as=Table` (apiserver's table convertor and
//! kubernetes' `printers/internalversion`).
//!
//! Columns stand in `columns.txt`, one line a resource; cells are made by one function a kind. A resource without
//! columns of its own prints Name and Created At. Column descriptions are left out: no client shows them.

mod cells;
mod cluster;
mod custom;
mod network;
mod pod;
mod workload;

pub use pod::{Summary as PodSummary, summary as pod_summary};

use crate::base::SmolStr;

use crate::base::{Time, Value};
use crate::{list, map};

/// What `includeObject` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Include {
    #[default]
    Metadata,
    Object,
    None,
}

impl Include {
    pub fn parse(text: &str) -> Option<Include> {
        match text {
            "" | "Metadata" => Some(Include::Metadata),
            "Object" => Some(Include::Object),
            "None" => Some(Include::None),
            _ => None,
        }
    }
}

/// A column of a custom resource (`additionalPrinterColumns`).
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub name: SmolStr,
    pub kind: SmolStr,
    pub format: SmolStr,
    pub priority: i64,
}

/// The Table of a list's items or of a single object. `metadata` is the list's or the object's own.
/// `custom` holds the columns of a definition; null for what is built in.
pub fn render(
    (resource, custom): (&str, &Value),
    objects: &[Value],
    is_list: bool,
    metadata: Value,
    include: Include,
    now: Time,
) -> Value {
    let objects = cells::in_table_order(resource, objects);
    let marked = if is_list { cells::default_class(resource, &objects) } else { None };
    let rows = objects.iter().map(|object| row((resource, custom), object, marked.as_deref(), include, now)).collect();
    table(columns(resource, custom), rows, metadata)
}

/// The Table of one watch event; only the first of a stream defines the columns.
pub fn render_event(
    (resource, custom): (&str, &Value),
    object: &Value,
    first: bool,
    include: Include,
    now: Time,
) -> Value {
    let columns = if first { columns(resource, custom) } else { Vec::new() };
    let metadata = map! { "resourceVersion" => object.at(&["metadata", "resourceVersion"]) };
    table(columns, vec![row((resource, custom), object, None, include, now)], metadata)
}

fn columns(resource: &str, custom: &Value) -> Vec<Column> {
    if !custom.items().is_empty() {
        return custom::columns(custom);
    }
    let line = COLUMNS.lines().find(|line| line.split('|').next() == Some(resource));
    match line {
        Some(line) => line.split('|').skip(1).map(column).collect(),
        None => ["Name*", "Created At@"].map(column).into(),
    }
}

static COLUMNS: &str = include_str!("columns.txt");

fn column(text: &str) -> Column {
    let name = text.trim_end_matches(['#', '?', '@', '*', '+']);
    let marks = &text[name.len()..];
    let kind = match marks.chars().next() {
        Some('#') => "integer",
        Some('?') => "boolean",
        Some('@') => "date",
        _ => "string",
    };
    let format = if marks.contains('*') { "name" } else { "" };
    Column { name: name.into(), kind: kind.into(), format: format.into(), priority: i64::from(marks.contains('+')) }
}

fn table(columns: Vec<Column>, rows: Vec<Value>, metadata: Value) -> Value {
    let columns = columns.into_iter().map(|column| {
        map! {
            "name" => column.name, "type" => column.kind, "format" => column.format, "description" => "",
            "priority" => column.priority,
        }
    });
    map! {
        "kind" => "Table", "apiVersion" => "meta.k8s.io/v1", "metadata" => metadata,
        "columnDefinitions" => Value::list(columns.collect()), "rows" => Value::list(rows),
    }
}

fn row((resource, custom): (&str, &Value), object: &Value, marked: Option<&str>, include: Include, now: Time) -> Value {
    let cells = match custom.items().is_empty() {
        true => cells::cells(resource, object, marked, now),
        false => custom::cells(custom, object, now),
    };
    let mut row = map! { "cells" => Value::list(cells) };
    if resource == "pods" {
        let (reason, message) = match object.at(&["status", "phase"]).str() {
            "Succeeded" => ("Succeeded", "The pod has completed successfully."),
            "Failed" => ("Failed", "The pod failed."),
            _ => ("", ""),
        };
        if !reason.is_empty() {
            let condition =
                map! { "type" => "Completed", "status" => "True", "reason" => reason, "message" => message };
            row.set(&["conditions"], list![condition]);
        }
    }
    match include {
        Include::Object => row.set(&["object"], object.clone()),
        Include::Metadata => row.set(
            &["object"],
            map! {
                "kind" => "PartialObjectMetadata", "apiVersion" => "meta.k8s.io/v1", "metadata" => object.get("metadata"),
            },
        ),
        Include::None => {}
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_the_recording() {
        let recorded =
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/kubernetes/table-columns.tsv"));
        let mut lines = 0;
        let mut index = 0;
        let mut last = "";
        for line in recorded.lines().skip(1) {
            let mut parts = line.split('\t');
            let mut next = || parts.next().unwrap_or_default();
            let (resource, name, kind, format, priority) = (next(), next(), next(), next(), next());
            index = if resource == last { index + 1 } else { 0 };
            last = resource;
            let column = columns(resource, &Value::Null).into_iter().nth(index).expect(line);
            let ours = format!("{}\t{}\t{}\t{}", column.name, column.kind, column.format, column.priority);
            assert_eq!(ours, format!("{name}\t{kind}\t{format}\t{priority}"), "{resource}");
            lines += 1;
        }
        assert!(lines > 300);
    }

    #[test]
    fn every_row_has_a_cell_for_every_column() {
        for line in COLUMNS.lines().skip(1) {
            let resource = line.split('|').next().unwrap_or_default();
            let object = map! { "metadata" => map! { "name" => "x" } };
            let cells = cells::cells(resource, &object, None, Time(0));
            let extra = usize::from(resource.starts_with("ipaddresses"));
            assert_eq!(cells.len(), columns(resource, &Value::Null).len() + extra, "{resource}");
        }
    }
}
