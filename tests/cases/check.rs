//! One case: its layers compiled, its expectations met, its printed blocks compared.

use std::collections::BTreeSet;

use kontext_compiler::diagnostic::Diagnostic;
use kontext_compiler::pin::LockUse;
use kontext_compiler::world::{MapWorld, ReadError, RootPlace};
use kontext_compiler::{Compilation, Options};
use kontext_plan::Profile;
use serde_json::Value;

use crate::expect::{self, Expectation};
use crate::markdown::{Block, Case};
use crate::update::Rewrite;
use crate::{laws, lock, render, scope};

/// Told of every server that is not locked.
const UNLOCKED: &str = "unlocked-tool";

/// What came of a case.
#[derive(Default)]
pub struct Outcome {
    /// What is wrong; none is a pass.
    pub problems: Vec<String>,
    /// Blocks that hold something else than what kontext prints now.
    pub rewrites: Vec<Rewrite>,
    /// The ids it showed.
    pub ids: BTreeSet<&'static str>,
}

/// Runs a case.
pub fn run(case: &Case, update: bool) -> Outcome {
    let mut outcome = Outcome::default();
    let setup = match Setup::read(case) {
        Ok(setup) => setup,
        Err(problem) => {
            outcome.problems.push(problem);
            return outcome;
        }
    };
    let compilation = kontext_compiler::compile(&setup.world, &setup.options());
    outcome.ids = compilation.diagnostics.iter().map(|d| d.lint.id).collect();
    outcome.problems.extend(laws::breaches(&compilation));
    outcome.problems.extend(again(&setup, &compilation));
    if case.blocks.iter().any(|block| is_printed(block, "text", "diagnostics")) && setup.expected.is_empty() {
        // The printed block says everything; comments are for what matters.
    } else {
        outcome.problems.extend(compare(&setup, &compilation));
    }
    for block in &case.blocks {
        let printed = match block.language.as_str() {
            "text" if block.has("diagnostics") => Some(Ok(diagnostics(&compilation))),
            "json" if block.has("plan") => Some(plan(block, &compilation)),
            "scope" => Some(scope::answers(&block.text, &setup.world, &compilation)),
            _ => None,
        };
        printed_block(block, printed, update, &mut outcome);
    }
    outcome
}

fn is_printed(block: &Block, language: &str, word: &str) -> bool {
    block.language == language && block.has(word)
}

fn printed_block(
    block: &Block,
    printed: Option<Result<String, String>>,
    update: bool,
    outcome: &mut Outcome,
) {
    match printed {
        Some(Ok(text)) if text != block.text && update => {
            outcome.rewrites.push(Rewrite { range: block.range.clone(), text });
        }
        Some(Ok(text)) if text != block.text => outcome.problems.push(format!(
            "line {}: the block is out of date (`UPDATE=1` rewrites it), kontext prints:\n{text}",
            block.line
        )),
        Some(Err(problem)) => outcome.problems.push(format!("line {}: {problem}", block.line)),
        _ => {}
    }
}

/// The world of a case and what is expected of it.
struct Setup {
    world: MapWorld,
    profile: Profile,
    lock: LockUse,
    expected: Vec<Expectation>,
    /// Whether the case is about the lock; else a server that is not locked is no news.
    about_lock: bool,
}

impl Setup {
    fn read(case: &Case) -> Result<Setup, String> {
        let mut setup = Setup {
            world: MapWorld::default(),
            profile: Profile::Local,
            lock: LockUse::Follow,
            expected: Vec::new(),
            about_lock: false,
        };
        for block in case.blocks.iter().filter(|block| !block.has("ignore")) {
            let usual = if block.language == "md" { "agent-notes.md" } else { "clone:config.toml" };
            let input = logical(block.option("path").unwrap_or(usual));
            match block.language.as_str() {
                "toml" | "md" => {
                    setup.expected.extend(expect::in_comments(&input, &block.text)?);
                    setup.add(&input, block.text.clone().into_bytes());
                }
                "json" if block.option("path").is_some() && !block.has("fill") => {
                    setup.add(&input, block.text.clone().into_bytes());
                }
                "bytes" => {
                    let bytes = bytes(&block.text)?;
                    setup.add(&input, bytes);
                }
                "world" => setup.world(block)?,
                "expect" => setup.expected.extend(expect::in_block(block)?),
                _ => {}
            }
        }
        let is_lock = |block: &Block| block.language == "json" && !block.has("plan");
        setup.about_lock = case.blocks.iter().any(is_lock)
            || setup.lock == LockUse::Require
            || setup.expected.iter().any(|expectation| expectation.id == UNLOCKED);
        setup.locks(case)?;
        Ok(setup)
    }

    /// Lock files that are filled in need everything else first.
    fn locks(&mut self, case: &Case) -> Result<(), String> {
        let blocks = case.blocks.iter().filter(|block| block.language == "json" && block.has("fill"));
        for block in blocks {
            let places = lock::places(&self.world, self.profile);
            let text = lock::fill(&block.text, &places).map_err(|e| format!("line {}: {e}", block.line))?;
            let input = logical(block.option("path").unwrap_or("clone:kontext.lock"));
            self.add(&input, text.into_bytes());
        }
        Ok(())
    }

    fn options(&self) -> Options {
        Options { profile: self.profile, lock: self.lock }
    }

    fn add(&mut self, input: &str, bytes: Vec<u8>) {
        self.world.files.insert(input.to_owned(), bytes);
    }

    /// Lines `profile = shared`, `git = no`, `locked = yes`, `unreadable = INPUT: reason`,
    /// `no root = NAME`, `no directory = NAME`.
    fn world(&mut self, block: &Block) -> Result<(), String> {
        for line in block.text.lines().filter(|line| !line.trim().is_empty()) {
            let (key, value) = line.split_once('=').ok_or_else(|| format!("`{line}` is no `key = value`"))?;
            match (key.trim(), value.trim()) {
                ("profile", "shared") => self.profile = Profile::Shared,
                ("profile", "public") => self.profile = Profile::Public,
                ("locked", "yes") => self.lock = LockUse::Require,
                ("git", value @ ("yes" | "no")) => self.world.in_repository = value == "yes",
                ("unreadable", value) => {
                    let (input, reason) =
                        value.split_once(": ").ok_or("`unreadable` wants `INPUT: reason`")?;
                    let error = ReadError { reason: reason.to_owned(), help: None };
                    self.world.unreadable.insert(logical(input), error);
                }
                ("no root", name) => {
                    self.world.root_places.insert(name.to_owned(), RootPlace::Nothing);
                }
                ("no directory", name) => {
                    self.world.root_places.insert(name.to_owned(), RootPlace::NoDirectory);
                }
                _ => return Err(format!("line {}: `{line}` is not known", block.line)),
            }
        }
        Ok(())
    }
}

/// `user:…`, `clone:…`, `repo:…`, `root:…` and `explicit` as they are; the short names of the notes' files in the
/// root without configuration; any other path is the repository's.
pub fn logical(path: &str) -> String {
    match path {
        "agent-notes.md" => return "root:store/agent-notes.md".to_owned(),
        "paths.md" => return "root:store/knowledge/work/local/workspace-scope-map-v1.md".to_owned(),
        "aliases.md" => return "root:store/knowledge/work/local/scope-alias-map-v1.md".to_owned(),
        _ => {}
    }
    let layers = ["user:", "clone:", "repo:", "root:"];
    let known = path == "explicit" || layers.iter().any(|prefix| path.starts_with(prefix));
    if known { path.to_owned() } else { format!("repo:{path}") }
}

/// The bytes of a `bytes` block: its lines are joined without line breaks; `\n`, `\r`, `\t`, `\\` and `\xHH` are
/// what they say; `\repeat{N}{text}` is a text N times.
fn bytes(text: &str) -> Result<Vec<u8>, String> {
    let joined: String = text.lines().collect();
    let (mut out, mut rest) = (Vec::new(), joined.as_str());
    while let Some(c) = rest.chars().next() {
        let wrong = || format!("`{}` is no escape", rest.chars().take(6).collect::<String>());
        let simple = [("\\n", b'\n'), ("\\r", b'\r'), ("\\t", b'\t'), ("\\\\", b'\\')];
        if let Some(after) = rest.strip_prefix("\\repeat{") {
            let (count, after) = after.split_once("}{").ok_or_else(wrong)?;
            let (piece, after) = after.split_once('}').ok_or_else(wrong)?;
            out.extend(bytes(piece)?.repeat(count.parse().map_err(|_| wrong())?));
            rest = after;
        } else if let Some(after) = rest.strip_prefix("\\x") {
            let (hex, after) = after.split_at_checked(2).ok_or_else(wrong)?;
            out.push(u8::from_str_radix(hex, 16).map_err(|_| wrong())?);
            rest = after;
        } else if let Some((escape, byte)) = simple.iter().find(|(escape, _)| rest.starts_with(escape)) {
            out.push(*byte);
            rest = &rest[escape.len()..];
        } else if c == '\\' {
            return Err(wrong());
        } else {
            out.extend(c.to_string().as_bytes());
            rest = &rest[c.len_utf8()..];
        }
    }
    Ok(out)
}

/// The same layers give the same diagnostics and the same plan, byte for byte.
fn again(setup: &Setup, first: &Compilation) -> Option<String> {
    let second = kontext_compiler::compile(&setup.world, &setup.options());
    let text = |compilation: &Compilation| {
        let plan = compilation.plan.clone().map(|mut plan| kontext_plan::render(&mut plan).unwrap());
        (diagnostics(compilation), plan)
    };
    let plan = text(first).1;
    if let Some(Err(error)) = plan.as_deref().map(kontext_plan::parse) {
        return Some(format!("the plan cannot be read back: {error}"));
    }
    (text(first) != text(&second)).then(|| "compiled twice, it differs".to_owned())
}

fn diagnostics(compilation: &Compilation) -> String {
    let all: Vec<&Diagnostic> = compilation.diagnostics.iter().collect();
    let text = render::human(&compilation.sources, &compilation.masked, &all, false);
    // Fences must stay what they are, and editors drop blanks at line ends.
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Every finding was expected, and every expectation was found.
fn compare(setup: &Setup, compilation: &Compilation) -> Vec<String> {
    let mut open: Vec<&Expectation> = setup.expected.iter().collect();
    let mut problems = Vec::new();
    let news = |diagnostic: &&Diagnostic| setup.about_lock || diagnostic.lint.id != UNLOCKED;
    for diagnostic in compilation.diagnostics.iter().filter(news) {
        match open.iter().position(|expectation| fits(expectation, diagnostic, compilation)) {
            Some(at) => drop(open.remove(at)),
            None => problems.push(format!("not expected: {}", found(diagnostic, compilation).display())),
        }
    }
    problems.extend(open.iter().map(|expectation| format!("not found:    {}", expectation.display())));
    problems.sort();
    problems
}

fn found(diagnostic: &Diagnostic, compilation: &Compilation) -> Expectation {
    Expectation {
        input: compilation.sources.file(diagnostic.primary.file).input.clone(),
        line: compilation.sources.start(diagnostic.primary).line,
        severity: diagnostic.severity.as_str().to_owned(),
        id: diagnostic.lint.id.to_owned(),
        text: Some(compilation.sources.text(diagnostic.primary).to_owned()),
        message: Some(words(diagnostic)),
    }
}

/// All that is said: the message, what stands at the text, the help.
fn words(diagnostic: &Diagnostic) -> String {
    let parts = std::iter::once(&diagnostic.message).chain(&diagnostic.note).chain(&diagnostic.help);
    parts.map(String::as_str).collect::<Vec<_>>().join(" / ")
}

fn fits(expectation: &Expectation, diagnostic: &Diagnostic, compilation: &Compilation) -> bool {
    let found = found(diagnostic, compilation);
    let text = found.text.as_deref().unwrap_or("");
    (&found.input, found.line, &found.severity, &found.id)
        == (&expectation.input, expectation.line, &expectation.severity, &expectation.id)
        && expectation.text.as_deref().is_none_or(|pattern| expect::matches(pattern, text))
        && expectation.message.as_deref().is_none_or(|part| words(diagnostic).contains(part))
}

/// The part of the plan that a block selects, without positions of origins.
fn plan(block: &Block, compilation: &Compilation) -> Result<String, String> {
    let plan = compilation.plan.as_ref().ok_or("there is no plan")?;
    let mut value = serde_json::to_value(plan).map_err(|error| error.to_string())?;
    value.sort_all_objects();
    let pointer = block.option("select").unwrap_or("");
    let mut part = value.pointer(pointer).cloned().ok_or_else(|| format!("the plan has no `{pointer}`"))?;
    without_origins(&mut part);
    Ok(format!("{}\n", layout(&part, 0)))
}

/// JSON in which whatever fits into a line stands in one.
fn layout(value: &Value, indent: usize) -> String {
    let line = one_line(value);
    if line.len() + indent <= 100 {
        return line;
    }
    let (inner, pad) = (indent + 2, " ".repeat(indent));
    let lines: Vec<String> = match value {
        Value::Object(members) => {
            members.iter().map(|(k, v)| format!("{k:?}: {}", layout(v, inner))).collect()
        }
        Value::Array(elements) => elements.iter().map(|element| layout(element, inner)).collect(),
        _ => return line,
    };
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    let lines: Vec<String> = lines.iter().map(|line| format!("{pad}  {line}")).collect();
    format!("{open}\n{}\n{pad}{close}", lines.join(",\n"))
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(k, v)| format!("{k:?}: {}", one_line(v))).collect();
            if members.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", members.join(", ")) }
        }
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(one_line).collect();
            format!("[{}]", elements.join(", "))
        }
        scalar => scalar.to_string(),
    }
}

fn without_origins(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|key, value| key != "at" || !value.is_number());
            members.values_mut().for_each(without_origins);
        }
        Value::Array(elements) => elements.iter_mut().for_each(without_origins),
        _ => {}
    }
}
