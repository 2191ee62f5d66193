//! Why a command ends early, for people and for programs.

use serde_json::{Map, Value};

use super::Context;
use crate::output;

/// Why a command ends early.
#[derive(Debug)]
pub struct Failure {
    /// Exit status: 1 a call or a check failed, 2 kontext could not do its work.
    pub status: u8,
    /// The diagnostic id, when there is one.
    pub id: Option<String>,
    /// What went wrong, in lower case.
    pub message: String,
    /// `file:line:column` of the configuration it came from.
    pub at: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Failure {
    /// kontext could not do its work (status 2).
    pub fn refused(message: impl Into<String>) -> Failure {
        Failure { status: 2, id: None, message: message.into(), at: None, help: None }
    }

    /// It did, and the answer is no (status 1).
    pub fn failed(message: impl Into<String>) -> Failure {
        Failure { status: 1, ..Failure::refused(message) }
    }

    /// With a diagnostic id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Failure {
        self.id = Some(id.into());
        self
    }

    /// With the place in the configuration.
    #[must_use]
    pub fn at(mut self, at: Option<String>) -> Failure {
        self.at = at;
        self
    }

    /// With what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    /// On standard error, in the form that was asked for: one JSON object on one line, or words.
    pub fn print(&self, context: &Context) {
        match context.json {
            true => output::say(&self.json().to_string()),
            false => output::say(&self.words(context.colour())),
        }
    }

    /// `error[ID]: message`, the place and the help.
    fn words(&self, colour: bool) -> String {
        let word = match &self.id {
            Some(id) => format!("error[{id}]"),
            None => "error".to_owned(),
        };
        let word = if colour { format!("\u{1b}[1;31m{word}\u{1b}[0m") } else { word };
        let mut text = format!("{word}: {}\n", self.message);
        if let Some(at) = &self.at {
            text.push_str(&format!("  --> {at}\n"));
        }
        if let Some(help) = &self.help {
            text.push_str(&format!("  help: {help}\n"));
        }
        text
    }

    /// The form of `kontext schema failure`; what is not known is left out.
    pub fn json(&self) -> Value {
        let mut object = Map::new();
        object.extend(self.id.clone().map(|id| ("id".to_owned(), Value::from(id))));
        object.insert("message".to_owned(), Value::from(self.message.clone()));
        if let Some((file, line, column)) = self.at.as_deref().and_then(place) {
            object.insert("file".to_owned(), Value::from(file));
            object.insert("line".to_owned(), Value::from(line));
            object.insert("column".to_owned(), Value::from(column));
        }
        object.extend(self.help.clone().map(|help| ("help".to_owned(), Value::from(help))));
        Value::Object(object)
    }
}

/// `FILE:LINE:COL` in its parts; a file's name may hold colons.
fn place(at: &str) -> Option<(&str, u64, u64)> {
    let (rest, column) = at.rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    Some((file, line.parse().ok()?, column.parse().ok()?))
}
