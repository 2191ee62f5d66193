//! The rows of `fixtures/plan_fields`: a base, what is changed in its plan, and where that must be seen.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::host::Host;
use crate::markdown::{Block, Case};

/// One change.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The property of the plan's schema, such as `HttpCall.method`.
    pub field: String,
    /// Changes that both plans have, by pointer; null removes.
    #[serde(default)]
    given: BTreeMap<String, Value>,
    /// Where the change is made.
    at: String,
    /// What stands there then; removed when there is none.
    is: Option<Value>,
    /// What is called, when it is not the section's call.
    call: Option<Value>,
    /// Where in what was seen the difference must be.
    seen: String,
    /// What must be seen there for the changed plan.
    gives: Option<Value>,
}

/// A section: one base and its rows.
pub struct Section {
    name: String,
    base: String,
    call: Value,
    rows: Vec<Row>,
}

impl Section {
    /// Reads a section: a `toml` block, a `json` block with the call, and `jsonl` blocks with a row in each line.
    /// `under=` in the info string of those stands before the pointers that do not begin with `//`.
    pub fn read(case: &Case) -> Section {
        let block = |language: &str| case.blocks.iter().find(|block| block.language == language);
        let text = |language: &str| block(language).map(|block| block.text.clone()).unwrap_or_default();
        let call = serde_json::from_str(&text("json"));
        let call = call.unwrap_or_else(|error| panic!("{}: the call: {error}", case.name));
        let rows = case.blocks.iter().filter(|block| block.language == "jsonl").flat_map(rows).collect();
        Section { name: case.name.clone(), base: text("toml"), call, rows }
    }

    /// The fields it has rows for.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.field.as_str())
    }

    /// What is wrong with its rows.
    pub fn problems(&self) -> Vec<String> {
        let host = Host::new();
        let base = match host.plan(&self.base) {
            Ok(plan) => plan,
            Err(problem) => return vec![format!("{}: no plan: {problem}", self.name)],
        };
        let mut known = BTreeMap::new();
        let mut problems = Vec::new();
        for row in &self.rows {
            if let Err(problem) = self.row(&host, &base, row, &mut known) {
                problems.push(format!("{}: `{}` {problem}", self.name, row.field));
            }
        }
        problems
    }

    /// Runs the base and the changed plan; `known` keeps what was seen of bases.
    fn row(
        &self,
        host: &Host,
        base: &Value,
        row: &Row,
        known: &mut BTreeMap<String, Value>,
    ) -> Result<(), String> {
        let call = row.call.as_ref().unwrap_or(&self.call);
        let mut plan = base.clone();
        for (pointer, value) in &row.given {
            patch(&mut plan, pointer, Some(&ours(host, value)).filter(|value| !value.is_null()))?;
        }
        let key = format!("{call}{plan}");
        if !known.contains_key(&key) {
            known.insert(key.clone(), host.run(&plan, call, None)?);
        }
        let before = known.get(&key).and_then(|seen| seen.pointer(&row.seen)).cloned().unwrap_or_default();
        let is = row.is.as_ref().map(|is| ours(host, is));
        let digest = is.as_ref().filter(|_| row.at == "/digest");
        if digest.is_none() {
            patch(&mut plan, &row.at, is.as_ref())?;
        }
        let after = host.run(&plan, call, digest)?;
        judge(row, &before, &after)
    }
}

fn judge(row: &Row, before: &Value, after: &Value) -> Result<(), String> {
    let seen = after.pointer(&row.seen).cloned().unwrap_or_default();
    let wrong = |what: &str| Err(format!("at {}: {what}\n  before: {before}\n  after:  {after}", row.at));
    match &row.gives {
        _ if *before == seen => wrong("the runtime does the same with the changed plan"),
        Some(gives) if *gives != seen => {
            wrong(&format!("`{}` should have been {gives}, was {seen}", row.seen))
        }
        _ => Ok(()),
    }
}

fn rows(block: &Block) -> Vec<Row> {
    let under = block.option("under").unwrap_or_default();
    let whole = |pointer: &str| match pointer.strip_prefix('/') {
        Some(rest) if rest.starts_with('/') => rest.to_owned(),
        _ => format!("{under}{pointer}"),
    };
    let lines = block.text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, number)| {
            let row: Result<Row, _> = serde_json::from_str(line);
            let mut row = row.unwrap_or_else(|error| panic!("line {}: {error}", block.line + number));
            row.at = whole(&row.at);
            row.given = row.given.iter().map(|(at, value)| (whole(at), value.clone())).collect();
            row
        })
        .collect()
}

fn ours(host: &Host, value: &Value) -> Value {
    serde_json::from_str(&host.put_in(&value.to_string())).unwrap()
}

/// Sets or removes the value at a pointer; `-` appends to a list.
fn patch(plan: &mut Value, pointer: &str, value: Option<&Value>) -> Result<(), String> {
    let missing = || format!("the plan has no `{pointer}`");
    let (parent, last) = pointer.rsplit_once('/').ok_or_else(missing)?;
    match (plan.pointer_mut(parent).ok_or_else(missing)?, value) {
        (Value::Object(members), Some(value)) => drop(members.insert(last.to_owned(), value.clone())),
        (Value::Object(members), None) => drop(members.remove(last).ok_or_else(missing)?),
        (Value::Array(list), Some(value)) if last == "-" => list.push(value.clone()),
        (Value::Array(list), value) => {
            let at: usize = last.parse().map_err(|_| missing())?;
            match value {
                Some(value) => *list.get_mut(at).ok_or_else(missing)? = value.clone(),
                None if at < list.len() => drop(list.remove(at)),
                None => return Err(missing()),
            }
        }
        // A unit variant in the place of one with members, as in `"driver": "http"`.
        _ => return Err(missing()),
    }
    Ok(())
}

/// An object's members as pairs, for walking schemas.
pub fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().map(Map::iter).into_iter().flatten()
}
