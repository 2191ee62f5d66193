//! Everything an expression can reach in one call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kontext_plan::Adapter;
use serde_json::{Map, Value};

use super::Facts;

/// What the templates of one call see.
#[derive(Debug, Clone)]
pub struct Scope<'a> {
    /// The adapter's name.
    pub adapter_name: &'a str,
    /// The adapter, for its variables.
    pub adapter: &'a Adapter,
    /// What is known about the machine.
    pub facts: &'a Facts,
    /// What the caller passed, defaults filled in.
    pub inputs: &'a Map<String, Value>,
    /// The private temporary file of a command op with `output_file`.
    pub output_file: Option<&'a str>,
    /// The result item, in maps only.
    pub item: Option<&'a Value>,
    vars: Arc<Mutex<HashMap<u32, Evaluated>>>,
}

/// What an expression gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluated {
    /// The value, null when there is none.
    pub value: Value,
    /// The fact whose absence made it null.
    pub missing: Option<Missing>,
    /// It holds text of a secret.
    pub secret: bool,
}

/// A fact that is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// Its name, such as `env.TOKEN`.
    pub name: String,
    /// It is set, but empty.
    pub empty: bool,
}

impl Evaluated {
    pub(super) fn plain(value: Value) -> Evaluated {
        Evaluated { value, missing: None, secret: false }
    }
}

impl<'a> Scope<'a> {
    /// A scope without output file and item.
    #[must_use]
    pub fn new(
        adapter_name: &'a str,
        adapter: &'a Adapter,
        facts: &'a Facts,
        inputs: &'a Map<String, Value>,
    ) -> Scope<'a> {
        let vars = Arc::default();
        Scope { adapter_name, adapter, facts, inputs, output_file: None, item: None, vars }
    }

    /// The same scope with a result item; variables evaluated so far are shared.
    #[must_use]
    pub fn with_item<'b>(&self, item: &'b Value) -> Scope<'b>
    where
        'a: 'b,
    {
        Scope { item: Some(item), ..self.clone() }
    }

    /// The same scope with a file for the program's answer.
    #[must_use]
    pub fn with_output_file<'b>(&self, path: &'b str) -> Scope<'b>
    where
        'a: 'b,
    {
        Scope { output_file: Some(path), ..self.clone() }
    }

    pub(super) fn known_var(&self, index: u32) -> Option<Evaluated> {
        self.vars.lock().unwrap_or_else(PoisonError::into_inner).get(&index).cloned()
    }

    pub(super) fn keep_var(&self, index: u32, value: &Evaluated) {
        self.vars.lock().unwrap_or_else(PoisonError::into_inner).insert(index, value.clone());
    }
}
