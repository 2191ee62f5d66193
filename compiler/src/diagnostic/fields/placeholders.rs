//! Placeholders of other tools, and kontext's where nothing fills them in.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::lint::{FOREIGN_PLACEHOLDER, NOT_A_TEMPLATE};
use crate::source::FileSpan;

/// A placeholder of another tool: `written` as it stands, `name` inside it.
#[must_use]
pub fn report_foreign_placeholder(at: FileSpan, written: &str, name: &str, exact: bool) -> Diagnostic {
    let mended = instead(name);
    let finding = Diagnostic::new(
        &FOREIGN_PLACEHOLDER,
        at,
        format!("`{written}` is handed over as it is: nothing fills it in"),
    )
    .help(format!("write `{mended}`"));
    if exact { finding.fix(format!("write `{mended}`"), false, at, mended) } else { finding }
}

/// What kontext writes for a placeholder of this name.
#[must_use]
pub fn instead(name: &str) -> String {
    match name {
        "workspaceFolder" | "workspaceRoot" | "workspace" | "projectDir" | "PROJECT_ROOT"
        | "CLAUDE_PROJECT_DIR" => "{{repo.root}}".to_owned(),
        "userHome" => "{{env.HOME}}".to_owned(),
        // What kontext itself passes is rather meant than a variable of the environment.
        "query" | "limit" | "target" | "uri" | "focus" | "prompt" | "level" => format!("{{{{{name}}}}}"),
        name => format!("{{{{env.{name}}}}}"),
    }
}

/// `{{…}}` where no template is read.
#[must_use]
pub fn report_not_a_template(at: FileSpan, key: &str) -> Diagnostic {
    Diagnostic::new(&NOT_A_TEMPLATE, at, format!("`{key}` is no template: the braces stay as they are"))
        .help("write the text itself")
}

/// `{{…}}` in a key of `query` or `where`.
#[must_use]
pub fn report_not_a_template_key(at: FileSpan, owner: &str) -> Diagnostic {
    let help = match owner {
        "query" => "write the parameter's name itself; its value may be a template: `q = \"{{query}}\"`",
        _ => "write the path itself: `where = { type = \"match\" }`",
    };
    Diagnostic::new(
        &NOT_A_TEMPLATE,
        at,
        format!("keys of `{owner}` are no templates: the braces stay as they are"),
    )
    .help(help)
}

/// `{{…}}` in a `map` rule that does not begin with `tpl:`. `start` is where its text begins.
#[must_use]
pub fn report_not_a_map_template(at: FileSpan, start: FileSpan, key: &str, rule: &str) -> Diagnostic {
    let finding = Diagnostic::new(
        &NOT_A_TEMPLATE,
        at,
        format!("`{key}` is no template: a rule of `map` is one only behind `tpl:`"),
    );
    if rule.starts_with("re:") || rule.contains('=') {
        return finding.help("write the text itself, or a rule that begins with `tpl:`");
    }
    finding.help(format!("write `{key} = \"tpl:{rule}\"`")).fix("put `tpl:` in front", false, start, "tpl:")
}
