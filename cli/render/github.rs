//! Diagnostics as workflow commands, which GitHub shows beside the lines of a change.

use std::fmt::Write as _;

use kontext_compiler::diagnostic::{Diagnostic, Severity};
use kontext_compiler::source::{FileSpan, Sources};

use super::Masked;

/// One command for each finding.
pub fn github(sources: &Sources, masked: &[FileSpan], diagnostics: &[&Diagnostic]) -> String {
    let masked = Masked::new(sources, masked);
    let mut text = String::new();
    for finding in diagnostics {
        command(sources, &masked, finding, &mut text);
    }
    text
}

fn command(sources: &Sources, masked: &Masked<'_>, finding: &Diagnostic, text: &mut String) {
    let name = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "notice",
    };
    let (start, end) = (sources.start(finding.primary), sources.end(finding.primary));
    let file = property(&sources.file(finding.primary.file).display);
    // Writing to a string cannot fail.
    let _ = write!(text, "::{name} file={file},line={},endLine={}", start.line, end.line);
    if start.line == end.line {
        // Columns are for ranges of one line.
        let _ = write!(text, ",col={},endColumn={}", start.column, end.column);
    }
    let _ = write!(text, ",title={}::", property(&format!("kontext[{}]", finding.lint.id)));
    let help = finding.help.iter().map(|help| format!("help: {help}"));
    let lines: Vec<String> = std::iter::once(finding.message.clone()).chain(help).collect();
    let _ = writeln!(text, "{}", data(&masked.text(&lines.join("\n"))));
}

/// What stands behind `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// What stands behind `name=`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
