//! `scope` blocks: each line a workspace (with `SCOPE @ ` before it when the caller names one) and what it belongs to.

use kontext_compiler::Compilation;
use kontext_compiler::world::{MapWorld, World};
use kontext_notes::path::Machine;
use kontext_notes::{Ask, Document, ScopeAnswer, Workspace, resolve};

/// Where the process of a case runs.
const MACHINE: Machine<'static> = Machine { current_dir: Some("/work/here"), home: Some("/home/ann") };

/// The lines with the answers that kontext gives.
///
/// # Errors
/// When there is no plan to answer from.
pub fn answers(text: &str, world: &MapWorld, compilation: &Compilation) -> Result<String, String> {
    let plan = compilation.plan.as_ref().ok_or("there is no plan, so no scope")?;
    let notes = plan.scope.clone().unwrap_or_default();
    let primary = notes.root(&notes.primary).ok_or("there is no primary root")?;
    let read = world.read_note(&notes.roots, primary, kontext_plan::notes::HOT_DOCUMENT);
    let read = String::from_utf8(read.ok().flatten().unwrap_or_default()).map_err(|e| e.to_string())?;
    let document = Document::parse(&read).map_err(|e| e.to_string())?;
    let document = if notes.public { document.public() } else { document };
    let asked = text.lines().filter(|line| !line.starts_with("  "));
    Ok(asked
        .map(|line| {
            let asked = line.split(" => ").next().unwrap_or(line).trim_end();
            let (active_scope, path) =
                asked.split_once(" @ ").map_or((None, asked), |(scope, path)| (Some(scope), path));
            let workspace = Workspace::new(Some(path).filter(|path| *path != "-"), None, MACHINE);
            let answer = resolve(Ask { active_scope, workspace: &workspace }, &notes.scopes, &document);
            format!("{asked} => {}", shown(&answer))
        })
        .collect())
}

fn shown(answer: &ScopeAnswer) -> String {
    let matched = answer.matched.as_ref().map(|key| format!(" `{key}`")).unwrap_or_default();
    let from = answer.from.as_ref().map(|from| format!(", {}:{}", from.file, from.line)).unwrap_or_default();
    let section = if answer.section.is_some() { "" } else { ", no section" };
    let notes: String = answer.notes.iter().map(|note| format!("  {note}\n")).collect();
    format!("{} by {}{matched}{from}{section}\n{notes}", answer.scope, answer.step.as_str())
}
