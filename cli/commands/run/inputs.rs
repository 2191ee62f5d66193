//! The inputs of one op, from pairs on the command line or from JSON.

use std::io::Read;
use std::path::Path;

use clap::Args;
use kontext_runtime::Given;
use serde_json::{Map, Value};

use crate::commands::{Context, Failure};
use crate::compile::Machine;

/// The most that is read of a JSON text, in bytes.
const LIMIT: u64 = 64 * 1024 * 1024;

/// Inputs on the command line.
#[derive(Debug, Default, Args)]
pub struct Inputs {
    /// One input, converted to its type; a repeated name makes a list
    #[arg(long = "input", value_name = "NAME=VALUE", value_parser = pair)]
    pub pairs: Vec<(String, String)>,
    /// All inputs as a JSON object; `-` reads standard input, `@FILE` a file
    #[arg(long, value_name = "JSON", conflicts_with = "pairs")]
    pub json: Option<String>,
}

impl Inputs {
    /// What the op gets.
    ///
    /// # Errors
    /// Status 2 when the JSON cannot be read or is no object.
    pub fn given(&self, context: &Context, machine: &Machine) -> Result<Given, Failure> {
        match &self.json {
            Some(json) => object(context, machine, json).map(Given::Json),
            None => Ok(Given::Text(self.pairs.clone())),
        }
    }
}

/// The object that `--json` gives: the text itself, `-` for standard input, `@FILE` for a file.
///
/// # Errors
/// Status 2 when it cannot be read or is no object.
pub fn object(context: &Context, machine: &Machine, json: &str) -> Result<Map<String, Value>, Failure> {
    let (text, from) = match json.strip_prefix('@') {
        _ if json == "-" => (standard_input()?, "standard input".to_owned()),
        Some(file) => (file_text(&machine.resolve(context, Path::new(file)))?, format!("`{file}`")),
        None => (json.to_owned(), "`--json`".to_owned()),
    };
    match serde_json::from_str(text.trim_start_matches('\u{feff}')) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(_) => {
            Err(Failure::refused(format!("{from} must be a JSON object, such as `{{\"query\": \"x\"}}`")))
        }
        Err(error) => Err(Failure::refused(format!(
            "{from} is not JSON: line {}, column {}",
            error.line(),
            error.column()
        ))),
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("an input is written NAME=VALUE".to_owned()),
    }
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    let read = std::io::stdin().lock().take(LIMIT).read_to_string(&mut text);
    read.map_err(|error| Failure::refused(format!("standard input cannot be read: {error}")))?;
    Ok(text)
}

fn file_text(path: &Path) -> Result<String, Failure> {
    let bytes =
        kontext_host::read_limited(path, LIMIT).map_err(|error| Failure::refused(error.to_string()))?;
    let bytes = bytes.ok_or_else(|| Failure::refused(format!("there is no file `{}`", path.display())))?;
    String::from_utf8(bytes).map_err(|_| Failure::refused(format!("`{}` is not UTF-8 text", path.display())))
}
