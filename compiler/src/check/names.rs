//! Where names lead: facts, variables, inputs and fields of an item.

use kontext_plan::path::Step;
use serde_json::Value;

use kontext_grammar::template::ast::{PathRef, Step as AstStep, StepKind};

use super::typed::{EnvNeed, Source, VarRef};
use super::vars::VarTable;
use super::ways::Way;
use super::{Checker, foreign_names};
use crate::diagnostic::{templates, tools};
use crate::parse::Cell;
use crate::source::FileSpan;
use crate::suggest;
use crate::types::{Kind, Ty};

/// Facts about the repository; the flag says that the value may be missing.
const REPO: [(&str, bool); 8] = [
    ("id", false),
    ("slug", false),
    ("name", false),
    ("dir", false),
    ("root", false),
    ("remote", true),
    ("branch", true),
    ("worktree", false),
];

/// Facts about the scope of the directory that kontext is started in.
const SCOPE: [&str; 2] = ["id", "step"];

/// First names that are kontext's own.
const RESERVED: [&str; 7] = ["repo", "project", "vars", "env", "now", "adapter", "scope"];

/// What is in scope of a slot.
pub struct Names<'a> {
    /// The adapter's name; none in the global variables.
    pub adapter: Option<&'a str>,
    /// The adapter's variables; none where only the global ones are in scope.
    pub vars: Option<&'a VarTable>,
    /// The ways the op is reached; none where no inputs are passed.
    pub ways: &'a [Way],
    /// Whether unknown names are fields of a result item.
    pub item: bool,
    /// Whether `output_file` is in scope.
    pub output_file: bool,
}

impl<'a> Names<'a> {
    /// Facts alone.
    pub fn facts(adapter: Option<&'a str>, vars: Option<&'a VarTable>) -> Names<'a> {
        Names { adapter, vars, ways: &[], item: false, output_file: false }
    }
}

/// A resolved name.
pub struct Resolved {
    /// Where the value comes from.
    pub from: Source,
    /// Its type.
    pub ty: Ty,
    /// Variables of the environment it cannot do without unless a `default` stands in.
    pub missing: Vec<EnvNeed>,
    /// Those no `default` can stand in for (they are in the middle of a variable's text).
    pub needs: Vec<EnvNeed>,
}

impl Resolved {
    fn new(from: Source, ty: Ty) -> Resolved {
        Resolved { from, ty, missing: Vec::new(), needs: Vec::new() }
    }
}

impl Checker<'_> {
    /// The value of a reference, or none when it leads nowhere (reported here).
    pub(super) fn resolve(
        &mut self,
        cell: &Cell,
        path: &PathRef,
        span: FileSpan,
        names: &Names<'_>,
        way: usize,
    ) -> Option<Resolved> {
        let first = path.name.text.as_str();
        match first {
            "env" => self.env(cell, path, span),
            "vars" => self.var(cell, path, span, names),
            "repo" | "project" | "now" | "adapter" => self.fact(cell, path, span, names),
            _ if names.item => Some(item(path)),
            // In a rule over items it is a field of the item.
            "scope" => self.fact(cell, path, span, names),
            "output_file" if names.output_file && path.steps.is_empty() => {
                Some(Resolved::new(Source::OutputFile, Ty::always(Kind::String)))
            }
            _ => self.input(cell, path, span, names, way),
        }
    }

    fn env(&mut self, cell: &Cell, path: &PathRef, span: FileSpan) -> Option<Resolved> {
        let [AstStep { kind: StepKind::Key(name), .. }] = path.steps.as_slice() else {
            return self.bad_shape(cell, path, span, "`env.NAME`");
        };
        let mut resolved = Resolved::new(Source::Fact(format!("env.{name}")), Ty::maybe(Kind::String));
        resolved.missing.push(EnvNeed { name: name.clone(), span });
        Some(resolved)
    }

    fn var(&mut self, cell: &Cell, path: &PathRef, span: FileSpan, names: &Names<'_>) -> Option<Resolved> {
        let [AstStep { kind: StepKind::Key(name), span: at }] = path.steps.as_slice() else {
            return self.bad_shape(cell, path, span, "`vars.NAME`");
        };
        let own = names.vars.and_then(|vars| vars.get(name)).map(|info| (info, false));
        let Some((info, global)) = own.or_else(|| self.globals.get(name).map(|info| (info, true))) else {
            let own = names.vars.into_iter().flat_map(VarTable::names);
            let known: Vec<&str> = self.globals.names().chain(own).take(suggest::MOST + 1).collect();
            let report = templates::report_unknown_member(cell.place(*at), "vars", name, &known);
            self.diagnostics.push(report);
            return None;
        };
        Some(Resolved {
            from: Source::Var(VarRef { global, name: name.clone() }),
            ty: info.ty.clone(),
            missing: info.missing.clone(),
            needs: info.needs.clone(),
        })
    }

    fn fact(&mut self, cell: &Cell, path: &PathRef, span: FileSpan, names: &Names<'_>) -> Option<Resolved> {
        let of = path.name.text.as_str();
        let [AstStep { kind: StepKind::Key(member), span: at }] = path.steps.as_slice() else {
            return self.bad_shape(cell, path, span, &format!("a member, such as {}", example(of)));
        };
        let fact = |optional| {
            let ty = Ty { kind: Kind::String, optional };
            Some(Resolved::new(Source::Fact(format!("{of}.{member}")), ty))
        };
        let (known, found): (Vec<&str>, _) = match of {
            "repo" => (
                REPO.iter().map(|(name, _)| *name).collect(),
                REPO.iter().find(|(name, _)| name == member).and_then(|(_, optional)| fact(*optional)),
            ),
            "now" => (
                vec!["date", "iso"],
                matches!(member.as_str(), "date" | "iso").then(|| fact(false)).flatten(),
            ),
            "scope" => (SCOPE.to_vec(), SCOPE.contains(&member.as_str()).then(|| fact(false)).flatten()),
            "project" => (vec!["name", "description"], self.project(member)),
            _ => (vec!["name"], adapter_name(names, member)),
        };
        if found.is_none() {
            self.diagnostics.push(templates::report_unknown_member(cell.place(*at), of, member, &known));
        }
        found
    }

    fn project(&self, member: &str) -> Option<Resolved> {
        let constant = |text: Option<&str>| {
            let value = text.map_or(Value::Null, Value::from);
            let from = Source::Constant(format!("project.{member}"), value);
            Resolved::new(from, Ty { kind: Kind::String, optional: text.is_none() })
        };
        match member {
            "name" => Some(constant(Some(&self.constants.project_name))),
            "description" => Some(constant(self.constants.project_description.as_deref())),
            _ => None,
        }
    }

    fn bad_shape(&mut self, cell: &Cell, path: &PathRef, span: FileSpan, write: &str) -> Option<Resolved> {
        let written = written(path);
        let place = path.steps.get(1).map_or(span, |step| cell.place(step.span));
        self.diagnostics.push(templates::report_fact_shape(place, &written, write));
        None
    }

    fn input(
        &mut self,
        cell: &Cell,
        path: &PathRef,
        span: FileSpan,
        names: &Names<'_>,
        way: usize,
    ) -> Option<Resolved> {
        let first = path.name.text.as_str();
        if way == 0 && !self.available(cell, path, names) {
            self.unknown(cell, path, span, names);
        }
        let ty = names.ways.get(way)?.input(first)?.ty.clone();
        let mut steps = vec![Step::Key(first.to_owned())];
        let mut ty = ty;
        let mut of = first.to_owned();
        for step in &path.steps {
            ty = self.member(cell, &of, &ty, step)?;
            of = format!("{of}{}", shown(&step.kind));
            steps.push(plan_step(&step.kind));
        }
        Some(Resolved::new(Source::Input(steps), ty))
    }

    /// Whether any way passes the input. Ways that do not although another does are reported here, once for all ways:
    /// a tool that leaves out what its standard op needs by itself, of the others the first.
    fn available(&mut self, cell: &Cell, path: &PathRef, names: &Names<'_>) -> bool {
        let first = path.name.text.as_str();
        let place = cell.place(path.name.span);
        let lacking: Vec<&Way> = names.ways.iter().filter(|way| way.input(first).is_none()).collect();
        if lacking.len() == names.ways.len() {
            return false;
        }
        let needed = names.ways.first().is_some_and(|way| way.tool.is_none() && way.input(first).is_some());
        let (tools, others): (Vec<&Way>, Vec<&Way>) =
            lacking.into_iter().partition(|way| needed && way.standard && way.tool.is_some());
        for way in tools {
            let tool = way.tool.unwrap_or(place);
            self.diagnostics.push(tools::report_input_not_passed(tool, &way.name, first, place));
        }
        if let Some(way) = others.first() {
            let offers: Vec<String> = way.inputs.iter().map(|input| input.name.clone()).collect();
            let report = templates::report_input_not_available(place, first, &way.name, &offers);
            self.diagnostics.push(match way.tool {
                Some(tool) => report.label(tool, "this tool does not declare it"),
                None => report,
            });
        }
        true
    }

    fn member(&mut self, cell: &Cell, of: &str, ty: &Ty, step: &AstStep) -> Option<Ty> {
        let place = cell.place(step.span);
        match (&ty.kind, &step.kind) {
            (Kind::Any, _) | (Kind::Object(None), StepKind::Key(_)) => Some(Ty::maybe(Kind::Any)),
            (Kind::Object(Some(fields)), StepKind::Key(key)) => {
                let found = fields.get(key);
                if found.is_none() {
                    let known: Vec<&str> = fields.keys().map(String::as_str).collect();
                    self.diagnostics.push(templates::report_unknown_member(place, of, key, &known));
                }
                found.map(|field| Ty { optional: field.optional || ty.optional, ..field.clone() })
            }
            (Kind::List(element), StepKind::Index(_)) => {
                Some(Ty { kind: element.as_ref().clone(), optional: ty.optional })
            }
            (kind, step) => {
                let step = match step {
                    StepKind::Key(key) => format!("`{key}`"),
                    StepKind::Index(index) => format!("element {index}"),
                };
                self.diagnostics.push(templates::report_no_member(place, of, kind, &step));
                None
            }
        }
    }

    fn unknown(&mut self, cell: &Cell, path: &PathRef, span: FileSpan, names: &Names<'_>) {
        let written = path.name.text.as_str();
        let mut inputs: Vec<String> = names
            .ways
            .first()
            .into_iter()
            .flat_map(|way| &way.inputs)
            .map(|input| input.name.clone())
            .collect();
        if names.output_file {
            inputs.push("output_file".to_owned());
        }
        let nearest = self.guess(path, &inputs, names);
        let place =
            if nearest.is_some() || !path.steps.is_empty() { cell.place(path.name.span) } else { span };
        let rest: String = path.steps.iter().map(|step| shown(&step.kind)).collect();
        let foreign = foreign_names::reference(path, &inputs);
        if let Some(reference) = foreign.filter(|_| nearest.is_none() || !path.steps.is_empty()) {
            let end = path.steps.last().map_or(place.end, |last| cell.place(last.span).end);
            let at = FileSpan::new(place.file, place.start..end.max(place.start));
            self.diagnostics.push(templates::report_foreign_variable(at, &self::written(path), &reference));
            return;
        }
        let nearest = nearest.as_deref().map(|name| (name, rest.as_str()));
        self.diagnostics.push(templates::report_unknown_variable(place, written, nearest, &inputs));
    }

    /// What was probably meant by an unknown first name.
    fn guess(&self, path: &PathRef, inputs: &[String], names: &Names<'_>) -> Option<String> {
        let written = path.name.text.as_str();
        if !path.steps.is_empty() {
            // A member is asked for: one of kontext's own tables is meant before anything else.
            let near = RESERVED.iter().find(|name| name.eq_ignore_ascii_case(written)).copied();
            if let Some(name) = near.or_else(|| suggest::nearest(written, RESERVED)) {
                return Some(name.to_owned());
            }
        }
        if names.vars.into_iter().chain([&self.globals]).any(|vars| vars.get(written).is_some()) {
            return Some(format!("vars.{written}"));
        }
        let shouting = written.len() > 1
            && written.chars().any(|c| c.is_ascii_uppercase())
            && !written.chars().any(|c| c.is_ascii_lowercase());
        if shouting {
            return Some(format!("env.{written}"));
        }
        let near = suggest::nearest(written, inputs.iter().map(String::as_str).chain(RESERVED));
        near.map(str::to_owned).or_else(|| {
            let fact = REPO.iter().map(|(name, _)| *name).find(|name| *name == written)?;
            Some(format!("repo.{fact}"))
        })
    }
}

/// A field of the item: `x`, or `item.x` for a field whose name is one of kontext's.
fn item(path: &PathRef) -> Resolved {
    let mut steps: Vec<Step> = path.steps.iter().map(|step| plan_step(&step.kind)).collect();
    if path.name.text != "item" {
        steps.insert(0, Step::Key(path.name.text.clone()));
    }
    Resolved::new(Source::Item(steps), Ty::maybe(Kind::Any))
}

fn adapter_name(names: &Names<'_>, member: &str) -> Option<Resolved> {
    let name = names.adapter.filter(|_| member == "name")?;
    Some(Resolved::new(Source::Literal(Value::from(name)), Ty::always(Kind::String)))
}

fn example(of: &str) -> &'static str {
    match of {
        "repo" => "`repo.id` or `repo.root`",
        "now" => "`now.date`",
        "project" => "`project.name`",
        "scope" => "`scope.id`",
        _ => "`adapter.name`",
    }
}

fn written(path: &PathRef) -> String {
    path.steps.iter().fold(path.name.text.clone(), |text, step| text + &shown(&step.kind))
}

fn shown(step: &StepKind) -> String {
    match step {
        StepKind::Key(key) => format!(".{key}"),
        StepKind::Index(index) => format!("[{index}]"),
    }
}

fn plan_step(step: &StepKind) -> Step {
    match step {
        StepKind::Key(key) => Step::Key(key.clone()),
        StepKind::Index(index) => Step::Index(i64::try_from(*index).unwrap_or(i64::MAX)),
    }
}
