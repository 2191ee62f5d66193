//! The words about declared tools: their names, their parameters, and the ops they name.

use super::{Diagnostic, Severity, lint};
use crate::source::FileSpan;

/// A published name that belongs to kontext.
pub fn report_own_name(at: FileSpan, name: &str, written: &str, adapter: &str) -> Diagnostic {
    let what = published(name, written);
    Diagnostic::new(&lint::TOOL_NAME_COLLISION, at, format!("{what} is the name of a tool of kontext's own"))
        .help(rename(name, written, &format!("{}_{name}", adapter.replace('-', "_"))))
}

/// A published name that another tool has.
pub fn report_collision(at: FileSpan, name: &str, written: &str, first: FileSpan) -> Diagnostic {
    let what = published(name, written);
    Diagnostic::new(
        &lint::TOOL_NAME_COLLISION,
        at,
        format!("{what} is the name of another tool already: agents could call only one of them"),
    )
    .label(first, format!("published as `{name}` here first"))
    .help(rename(name, written, &format!("{name}_2")))
}

/// A tool twice in `expose`.
pub fn report_exposed_twice(at: FileSpan, tool: &str, first: FileSpan) -> Diagnostic {
    Diagnostic::new(&lint::TOOL_NAME_COLLISION, at, format!("`expose` names `{tool}` twice"))
        .label(first, "here first")
        .help("take one of the two out")
}

fn published(name: &str, written: &str) -> String {
    if name == written { format!("`{name}`") } else { format!("`{written}` is published as `{name}`, which") }
}

fn rename(name: &str, written: &str, other: &str) -> String {
    if name == written {
        format!("give it a name of its own, such as `{other}`")
    } else {
        "give the adapter a `prefix` of its own, or take the tool off `expose`".to_owned()
    }
}

/// A parameter with the name of something else.
pub fn report_shadowed(at: FileSpan, name: &str, instead: &str) -> Diagnostic {
    Diagnostic::new(
        &lint::SHADOWED_VARIABLE,
        at,
        format!("`{name}` is a name of kontext's own: `{{{{{name}}}}}` would not be the parameter"),
    )
    .help(format!("call the parameter `{instead}`; what is sent may still be called `{name}`"))
}

/// A parameter whose name some clients refuse.
pub fn report_parameter_name(at: FileSpan, name: &str) -> Diagnostic {
    let length = name.chars().count();
    Diagnostic::new(
        &lint::INVALID_SCHEMA,
        at,
        format!("some agents refuse a tool that has a parameter named `{name}` ({length} characters)"),
    )
    .severity(Severity::Warning)
    .help("all of them take `A-Z`, `a-z`, `0-9`, `_`, `-` and `.`, 1 to 64 characters")
}

/// A tool that does not pass what the standard op it names needs.
pub fn report_input_not_passed(tool: FileSpan, way: &str, input: &str, used: FileSpan) -> Diagnostic {
    Diagnostic::new(
        &lint::INPUT_NOT_AVAILABLE,
        tool,
        format!("{way} passes no `{input}`, and the op it names needs one"),
    )
    .label(used, "used here")
    .help(format!("declare it: `params = {{ {input} = \"string!\" }}`, or give the tool an op of its own"))
}

/// A tool nobody could choose.
pub fn report_blank_description(at: FileSpan) -> Diagnostic {
    Diagnostic::new(&lint::INVALID_VALUE, at, "a tool needs words to be chosen by: this description is empty")
        .help("say in a sentence what the tool gives and when to use it")
}

/// A finding that holds for one of several ways to an op: what to write for it alone would be wrong for the others.
#[must_use]
pub fn in_way(mut finding: Diagnostic, way: &str, tool: Option<FileSpan>) -> Diagnostic {
    if finding.lint.id == lint::TYPE_MISMATCH.id {
        let mend =
            "give the parameter the type that the op's other callers pass, or the tool an op of its own";
        finding.help = vec![match tool {
            Some(_) => mend.to_owned(),
            None => format!("{way} passes another type than the op's first caller: give it an op of its own"),
        }];
    }
    match tool {
        Some(tool) => finding.label(tool, "when this tool calls the op"),
        None => finding,
    }
}
