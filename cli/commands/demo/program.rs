//! The program behind the demo's command adapter: finds lines in Markdown files, prints one JSON object a line.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use crate::commands::{Failure, OK, Outcome};
use crate::output;

/// Arguments of the program.
#[derive(Debug, Args)]
pub struct ProgramArgs {
    /// What is looked for, in any case
    pub query: String,
    /// Where
    pub directory: PathBuf,
}

/// Prints every line that holds the query.
///
/// # Errors
/// When the directory cannot be read.
pub fn run(args: &ProgramArgs) -> Outcome {
    let unreadable = |error: std::io::Error| Failure::failed(error.to_string());
    let mut pages: Vec<PathBuf> = fs_err::read_dir(&args.directory)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(unreadable)?;
    pages.sort();
    let mut found = String::new();
    for page in pages {
        let text = fs_err::read_to_string(&page).map_err(unreadable)?;
        search(&page, &text, &args.query.to_lowercase(), &mut found);
    }
    output::data(&found)?;
    Ok(OK)
}

/// The lines of one page, each with the heading it stands under.
fn search(page: &Path, text: &str, query: &str, found: &mut String) {
    let mut heading = String::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.starts_with('#') {
            line.trim_start_matches(['#', ' ']).clone_into(&mut heading);
        } else if line.to_lowercase().contains(query) {
            let name = page.file_name().unwrap_or_default().to_string_lossy();
            let hit = json!({"file": name, "line_number": number, "heading": heading, "line": line});
            found.push_str(&format!("{hit}\n"));
        }
    }
}
