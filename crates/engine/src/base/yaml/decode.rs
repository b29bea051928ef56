//! Nodes to values, as go-yaml v2 decodes into `interface{}` and sigs.k8s.io/yaml turns that into JSON: keys become
//! text, merge keys are filled in, whole floats become integers, aliases are followed within a budget.

use super::compose::{Node, Shape, Tree};
use super::scalar::{self, Scalar};
use super::{MAX_DEPTH, Problem, too_deep};
use crate::base::{Map, SmolStr, Value, goquote, json};

pub(super) fn decode(tree: &Tree) -> Result<Value, Problem> {
    let mut decoder =
        Decoder { tree, late: None, decoded: 0, aliased: 0, alias_depth: 0, following: Vec::new(), depth: 0 };
    let value = decoder.value(tree.root)?;
    decoder.late.map_or(Ok(value), Err)
}

/// A mapping key's text after reading; nothing for null, lists and maps.
pub(super) fn key_text(tree: &Tree, key: usize) -> Option<SmolStr> {
    let mut node = tree.nodes.get(key)?;
    if let Shape::Alias(target) = node.shape {
        node = tree.nodes.get(target)?;
    }
    if node.shape != Shape::Scalar {
        return None;
    }
    match resolve(node).ok()? {
        Scalar::Null => None,
        Scalar::Bool(true) => Some("true".into()),
        Scalar::Bool(false) => Some("false".into()),
        Scalar::Int(n) => Some(n.to_string().into()),
        Scalar::BigInt(n) => Some(n.to_string().into()),
        Scalar::Float(n) => Some(float_key(n).into()),
        Scalar::Text(text) => Some(text),
    }
}

struct Decoder<'a> {
    tree: &'a Tree,
    /// What the step to JSON will refuse; go-yaml's own errors come first.
    late: Option<Problem>,
    decoded: u64,
    aliased: u64,
    alias_depth: u32,
    /// Aliases being followed.
    following: Vec<usize>,
    depth: usize,
}

impl Decoder<'_> {
    fn count(&mut self, node: &Node) -> Result<(), Problem> {
        self.decoded += 1;
        if self.alias_depth > 0 {
            self.aliased += 1;
        }
        let ratio = self.aliased as f64 / self.decoded as f64;
        if self.aliased > 100 && self.decoded > 1000 && ratio > allowed_alias_ratio(self.decoded) {
            return Err(problem(node, "yaml: document contains excessive aliasing"));
        }
        Ok(())
    }

    fn value(&mut self, index: usize) -> Result<Value, Problem> {
        let tree = self.tree;
        let Some(node) = tree.nodes.get(index) else { return Ok(Value::Null) };
        self.count(node)?;
        self.deeper(node)?;
        let value = match node.shape {
            Shape::Scalar => self.scalar(node)?,
            Shape::List => Value::list(node.children.iter().map(|&child| self.value(child)).collect::<Result<_, _>>()?),
            Shape::Map => {
                let mut pairs = Vec::with_capacity(node.children.len() / 2);
                self.pairs(node, &mut pairs)?;
                // A stable sort keeps equal keys in their order, and the last one wins.
                pairs.sort_by(|a, b| a.0.cmp(&b.0));
                Value::from(pairs.into_iter().collect::<Map>())
            }
            Shape::Alias(target) => self.follow(index, target, |decoder| decoder.value(target))?,
        };
        self.depth -= 1;
        Ok(value)
    }

    fn deeper(&mut self, node: &Node) -> Result<(), Problem> {
        self.depth += 1;
        if self.depth > MAX_DEPTH + 2 {
            let text = too_deep(node.mark.0);
            return Err(problem(node, text));
        }
        Ok(())
    }

    fn follow<T>(
        &mut self,
        alias: usize,
        _target: usize,
        then: impl FnOnce(&mut Self) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if self.following.contains(&alias) {
            let node = self.tree.nodes.get(alias);
            let text = format!("yaml: anchor '{}' value contains itself", node.map_or("", |node| &node.text));
            return Err(Problem { text, mark: node.map(|node| node.mark) });
        }
        self.following.push(alias);
        self.alias_depth += 1;
        let result = then(self)?;
        self.alias_depth -= 1;
        self.following.pop();
        Ok(result)
    }

    fn scalar(&mut self, node: &Node) -> Result<Value, Problem> {
        Ok(match resolve(node)? {
            Scalar::Null => Value::Null,
            Scalar::Bool(b) => Value::Bool(b),
            Scalar::Int(n) => Value::Int(n),
            Scalar::BigInt(n) => Value::Float(n as f64),
            Scalar::Float(n) if !n.is_finite() => {
                let name = if n.is_nan() {
                    "NaN"
                } else if n > 0.0 {
                    "+Inf"
                } else {
                    "-Inf"
                };
                self.refuse(node, format!("json: unsupported value: {name}"));
                Value::Null
            }
            // JSON writes 1.0 as 1, and reads that as an integer.
            Scalar::Float(n) if n.fract() == 0.0 && n.abs() < i64::MAX as f64 => Value::Int(n as i64),
            Scalar::Float(n) => Value::Float(n),
            Scalar::Text(text) => Value::Text(text),
        })
    }

    fn refuse(&mut self, node: &Node, text: String) {
        self.late.get_or_insert_with(|| problem(node, text));
    }

    fn pairs(&mut self, node: &Node, pairs: &mut Vec<(SmolStr, Value)>) -> Result<(), Problem> {
        let tree = self.tree;
        for pair in node.children.chunks_exact(2) {
            let (&[key_index, value_index], Some(key)) = (pair, pair.first().and_then(|&key| tree.nodes.get(key)))
            else {
                continue;
            };
            if is_merge(key) {
                self.merge(value_index, pairs)?;
                continue;
            }
            let key_value = self.value(key_index)?;
            if matches!(key_value, Value::Map(_) | Value::List(_)) {
                return Err(problem(key, format!("yaml: invalid map key: {}", goquote::go_syntax(&key_value))));
            }
            let value = self.value(value_index)?;
            match key_text(tree, key_index) {
                Some(text) => pairs.push((text, value)),
                None => {
                    let value = goquote::go_syntax(&value);
                    let text = format!("unsupported map key of type: %!s(<nil>), key: <nil>, value: {value}");
                    self.refuse(key, text);
                }
            }
        }
        Ok(())
    }

    fn merge(&mut self, index: usize, pairs: &mut Vec<(SmolStr, Value)>) -> Result<(), Problem> {
        let tree = self.tree;
        let Some(node) = tree.nodes.get(index) else { return Ok(()) };
        match node.shape {
            Shape::List => {
                for &item in node.children.iter().rev() {
                    let is_map = tree.nodes.get(item).is_some_and(|node| match node.shape {
                        Shape::Alias(target) => tree.nodes.get(target).is_some_and(|node| node.shape == Shape::Map),
                        shape => shape == Shape::Map,
                    });
                    if !is_map {
                        return Err(wants_map(node));
                    }
                    self.merge_map(item, pairs)?;
                }
                Ok(())
            }
            _ => self.merge_map(index, pairs),
        }
    }

    fn merge_map(&mut self, index: usize, pairs: &mut Vec<(SmolStr, Value)>) -> Result<(), Problem> {
        let tree = self.tree;
        let Some(node) = tree.nodes.get(index) else { return Ok(()) };
        match node.shape {
            Shape::Map => {
                self.count(node)?;
                self.deeper(node)?;
                self.pairs(node, pairs)?;
                self.depth -= 1;
                Ok(())
            }
            Shape::Alias(target) if tree.nodes.get(target).is_some_and(|node| node.shape == Shape::Map) => {
                self.count(node)?;
                self.follow(index, target, |decoder| decoder.merge_map(target, pairs))
            }
            _ => Err(wants_map(node)),
        }
    }
}

fn resolve(node: &Node) -> Result<Scalar, Problem> {
    scalar::resolve(&node.tag, node.plain, &node.text).map_err(|text| problem(node, text))
}

fn problem(node: &Node, text: impl Into<String>) -> Problem {
    Problem { mark: Some(node.mark), ..Problem::new(text) }
}

fn wants_map(node: &Node) -> Problem {
    problem(node, "yaml: map merge requires map or sequence of maps as the value")
}

fn is_merge(node: &Node) -> bool {
    node.shape == Shape::Scalar && node.text == "<<" && (node.plain || node.tag == "tag:yaml.org,2002:merge")
}

/// Small documents may be nearly all aliases, large ones hardly.
fn allowed_alias_ratio(decoded: u64) -> f64 {
    const LOW: f64 = 400_000.0;
    const HIGH: f64 = 4_000_000.0;
    0.99 - 0.89 * ((decoded as f64 - LOW) / (HIGH - LOW)).clamp(0.0, 1.0)
}

/// Go's shortest form for a 32-bit float.
fn float_key(n: f64) -> String {
    if n.is_nan() {
        ".nan".into()
    } else if n.is_infinite() {
        if n > 0.0 { ".inf".into() } else { "-.inf".into() }
    } else {
        json::float_g(f64::from(n as f32), &format!("{:e}", n as f32))
    }
}
