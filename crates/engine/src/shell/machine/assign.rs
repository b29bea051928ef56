//! Assignments, and what `[[ … ]]` asks of words.

use super::*;

impl Shell {
    pub(super) fn condition(&mut self, sys: &mut Sys<'_>, condition: &Condition) -> Result<bool, Halt> {
        Ok(match condition {
            Condition::Not(inner) => !self.condition(sys, inner)?,
            Condition::And(a, b) => self.condition(sys, a)? && self.condition(sys, b)?,
            Condition::Or(a, b) => self.condition(sys, a)? || self.condition(sys, b)?,
            Condition::Word(word) => !self.text(sys, word)?.is_empty(),
            Condition::Unary(operator, word) => {
                let text = self.text(sys, word)?;
                if operator == "-v" {
                    return Ok(self.get(&text).is_some());
                }
                test::unary(sys, operator, &text).unwrap_or(false)
            }
            Condition::Binary(left, operator, right) => {
                let left = self.text(sys, left)?;
                match operator.as_str() {
                    "==" | "=" | "!=" => {
                        let pattern = self.pattern(sys, right)?;
                        Pattern::new(&pattern).matches(&left) == (operator != "!=")
                    }
                    "=~" => {
                        let pattern = self.pattern(sys, right)?;
                        match crate::shell::Regex::new(&pattern, true, false) {
                            Ok(regex) => {
                                let found = regex.find(left.as_bytes(), 0);
                                if let Some(groups) = &found {
                                    let array = groups.iter().enumerate().map(|(at, group)| {
                                        let text = group.and_then(|(a, b)| left.get(a..b)).unwrap_or_default();
                                        (at as i64, text.to_string())
                                    });
                                    let array = Some(array.collect());
                                    self.variables
                                        .insert("BASH_REMATCH".into(), Variable { array, ..Variable::default() });
                                }
                                found.is_some()
                            }
                            Err(_) => return Err(Halt::Fail(format!("[[: invalid regular expression `{pattern}'"))),
                        }
                    }
                    "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => {
                        let right = self.text(sys, right)?;
                        let left = self.evaluate(&left).map_err(|e| Halt::Fail(format!("[[: {e}")))?;
                        let right = self.evaluate(&right).map_err(|e| Halt::Fail(format!("[[: {e}")))?;
                        test::compare(left, operator, right)
                    }
                    operator => {
                        let right = self.text(sys, right)?;
                        test::binary(sys, &left, operator, &right).unwrap_or(Ok(false)).unwrap_or(false)
                    }
                }
            }
        })
    }

    /// Assigns; what stood there before if it is to be put back.
    pub(super) fn assign(&mut self, sys: &mut Sys<'_>, assign: &Assign) -> Result<(), Halt> {
        let name = &assign.name;
        match &assign.value {
            Value::Array(words) => {
                let values = self.fields(sys, words)?;
                let variable = self.variables.entry(name.clone()).or_default();
                let mut array = if assign.append {
                    variable.array.take().unwrap_or_else(|| {
                        if variable.value.is_empty() {
                            BTreeMap::new()
                        } else {
                            BTreeMap::from([(0, variable.value.clone())])
                        }
                    })
                } else {
                    BTreeMap::new()
                };
                let start = array.keys().next_back().map_or(0, |last| last + 1);
                array.extend(values.into_iter().enumerate().map(|(at, value)| (start + at as i64, value)));
                variable.array = Some(array);
            }
            Value::Word(word) => {
                let mut value = self.text(sys, word)?;
                if let Some(index) = &assign.index {
                    let text = self.text(sys, index)?;
                    let at = self.evaluate(&text).map_err(Halt::Fail)?;
                    let variable = self.variables.entry(name.clone()).or_default();
                    let array = variable.array.get_or_insert_default();
                    if assign.append {
                        value.insert_str(0, array.get(&at).map_or("", String::as_str));
                    }
                    array.insert(at, value);
                    return Ok(());
                }
                if assign.append {
                    value.insert_str(0, self.get(name).unwrap_or_default());
                }
                self.set(name, value).map_err(Halt::Fail)?;
            }
        }
        Ok(())
    }
}
