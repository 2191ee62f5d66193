//! The ways an op is reached, and the inputs each provides.

use std::collections::BTreeMap;

use kontext_plan::{InputDecl, InputType};
use serde_json::{Value, json};

use super::schema_type;
use crate::config::{Adapter, On, Op, Tool, ToolOp};
use crate::source::FileSpan;
use crate::types::{Kind, Ty};

/// How an op is reached.
#[derive(Debug, Clone)]
pub struct Way {
    /// For messages: "the event `sync`", "the tool `notes_recent`".
    pub name: String,
    /// The tool's name in its file, when a tool is the way.
    pub tool: Option<FileSpan>,
    /// The op has inputs by its name: what a tool does not pass of them is the tool's mistake.
    pub standard: bool,
    /// What the caller passes.
    pub inputs: Vec<Input>,
}

/// Something the caller passes.
#[derive(Debug, Clone)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its type in templates.
    pub ty: Ty,
    /// What it is when the caller passes none.
    pub default: Option<Value>,
    /// The input it takes its value from when the caller passes none.
    pub twin: Option<&'static str>,
    /// The call fails without it.
    pub required: bool,
}

/// Ops with a meaning of their own.
pub const STANDARD: [&str; 8] = ["search", "history", "code", "read", "brief", "llm", "health", "store"];

/// Whether an op of this name gives hits by its nature, text by its nature, or what its fields say (none).
#[must_use]
pub fn gives_hits(name: &str) -> Option<bool> {
    match name {
        "search" | "history" | "code" => Some(true),
        "read" | "brief" | "llm" | "health" | "store" => Some(false),
        _ => None,
    }
}

/// What reaches the ops of an adapter beside plain calls, by op: made once, so that an adapter of thousands of ops and
/// tools is not searched for each of them.
#[derive(Debug)]
pub struct Callers<'a, T> {
    on: BTreeMap<&'a str, Vec<&'a On>>,
    tools: BTreeMap<&'a str, Vec<&'a Tool<T>>>,
}

impl<'a, T> Callers<'a, T> {
    /// Those of an adapter.
    #[must_use]
    pub fn of(adapter: &'a Adapter<T>) -> Callers<'a, T> {
        let mut callers = Callers { on: BTreeMap::new(), tools: BTreeMap::new() };
        for on in &adapter.on {
            callers.on.entry(&on.op.value).or_default().push(on);
        }
        for tool in &adapter.tools {
            if let ToolOp::Named(op) = &tool.op {
                callers.tools.entry(&op.value).or_default().push(tool);
            }
        }
        callers
    }

    /// Every way a named op is reached, the first first. A custom op that nothing uses has none.
    #[must_use]
    pub fn ways(&self, name: &str) -> Vec<Way> {
        self.each(name).collect()
    }

    /// The first of them.
    #[must_use]
    pub fn first(&self, name: &str) -> Option<Way> {
        self.each(name).next()
    }

    fn each(&self, name: &str) -> impl Iterator<Item = Way> {
        let plain = standard(name).map(|inputs| Way {
            name: format!("a plain call of `{name}`"),
            tool: None,
            standard: true,
            inputs,
        });
        let on = self.on.get(name).into_iter().flatten().map(|on| of_event(on));
        let tools = self.tools.get(name).into_iter().flatten();
        plain.into_iter().chain(on).chain(tools.map(move |tool| of_tool(tool, Some(name))))
    }
}

/// The way through an event: its payload.
fn of_event(on: &On) -> Way {
    let event = format!("{:?}", on.event).to_lowercase();
    Way { name: format!("the event `{event}`"), tool: None, standard: false, inputs: payload() }
}

/// The way through a tool: its arguments, and what a standard op has that it does not declare.
pub fn of_tool<T>(tool: &Tool<T>, op: Option<&str>) -> Way {
    let parameters = schema_type::parameters(&tool.schema);
    let mut inputs = vec![plain("args", Ty::always(parameters.kind()))];
    inputs.extend(parameters.fields.into_iter().map(|(name, ty)| plain(&name, ty)));
    for mut input in op.and_then(standard).unwrap_or_default() {
        let find = |name: &str| inputs.iter().find(|known| known.name == name);
        if find(&input.name).is_some() {
            continue;
        }
        match input.twin.and_then(find) {
            Some(twin) => input.ty = twin.ty.clone(),
            None if input.default.is_some() => {}
            None => continue,
        }
        input.required = false;
        inputs.push(input);
    }
    Way {
        name: format!("the tool `{}`", tool.name.value),
        tool: Some(tool.name.span),
        standard: op.is_some_and(|op| STANDARD.contains(&op)),
        inputs,
    }
}

impl Way {
    /// The input of a name.
    pub fn input(&self, name: &str) -> Option<&Input> {
        self.inputs.iter().find(|input| input.name == name)
    }

    /// What a tool's way has beside the tool's parameters.
    pub fn undeclared(&self) -> Vec<InputDecl> {
        let given = |input: &&Input| input.default.is_some() || input.twin.is_some();
        self.inputs.iter().filter(given).map(Input::declaration).collect()
    }
}

impl Input {
    /// As the plan has it.
    #[must_use]
    pub fn declaration(&self) -> InputDecl {
        InputDecl {
            name: self.name.clone(),
            ty: input_type(&self.ty.kind),
            default: self.default.clone(),
            twin: self.twin.map(str::to_owned),
            required: self.required,
        }
    }
}

/// Whether an op needs the private answer file among its inputs.
pub fn has_output_file<T>(op: &Op<T>) -> bool {
    op.output_file
}

fn standard(name: &str) -> Option<Vec<Input>> {
    let query = || required_text("query");
    let limit = || Input { default: Some(json!(10)), ..plain("limit", Ty::always(Kind::Integer)) };
    Some(match name {
        "search" | "code" => vec![query(), limit()],
        "history" => {
            let target = Input { twin: Some("query"), ..required_text("target") };
            vec![target, twin("query", "target"), limit()]
        }
        "read" => vec![
            required_text("uri"),
            Input { default: Some(json!(2)), ..plain("level", Ty::always(Kind::Integer)) },
        ],
        "brief" => {
            let focus = Input { default: Some(json!("")), ..twin("focus", "query") };
            vec![focus, twin("query", "focus")]
        }
        "llm" => vec![required_text("prompt")],
        "health" => Vec::new(),
        "store" => payload(),
        _ => return None,
    })
}

/// What each member of an event's payload is.
const PAYLOAD: [(&str, &str); 13] = [
    ("id", "the note's identifier"),
    ("kind", "what sort of note it is, such as `decision`; `kinds` of a subscription chooses by it"),
    ("title", "its title"),
    ("status", "its state, such as `accepted`"),
    ("date", "its date"),
    ("summary", "what it says in a sentence"),
    ("body", "its text without the front matter"),
    ("markdown", "the whole file"),
    ("path", "where the file is"),
    ("visibility", "`team` or `private`; `visibility` of a subscription chooses by it"),
    ("tags", "its tags"),
    ("paths", "the files it is about"),
    ("source", "the repository and the branch it was written in"),
];

/// The members of an event's payload with what they are and their types.
pub fn event_payload() -> impl Iterator<Item = (String, &'static str, Kind)> {
    payload().into_iter().map(|input| {
        let doc = PAYLOAD.iter().find(|(name, _)| *name == input.name).map_or("", |(_, doc)| *doc);
        (input.name, doc, input.ty.kind)
    })
}

/// The payload of an event.
fn payload() -> Vec<Input> {
    let texts =
        ["id", "kind", "title", "status", "date", "summary", "body", "markdown", "path", "visibility"];
    let lists = ["tags", "paths"];
    let list = || Ty::always(Kind::List(Box::new(Kind::String)));
    let source = ["repo", "branch"].map(|name| (name.to_owned(), Ty::always(Kind::String)));
    let source = Kind::Object(Some(BTreeMap::from(source)));
    let mut inputs: Vec<_> = texts.iter().map(|name| plain(name, Ty::always(Kind::String))).collect();
    inputs.extend(lists.iter().map(|name| plain(name, list())));
    inputs.push(plain("source", Ty::always(source)));
    inputs
}

fn plain(name: &str, ty: Ty) -> Input {
    Input { name: name.to_owned(), ty, default: None, twin: None, required: false }
}

fn required_text(name: &str) -> Input {
    Input { required: true, ..plain(name, Ty::always(Kind::String)) }
}

fn twin(name: &str, of: &'static str) -> Input {
    Input { twin: Some(of), ..plain(name, Ty::always(Kind::String)) }
}

/// The plan's word for a type.
#[must_use]
pub fn input_type(kind: &Kind) -> InputType {
    match kind {
        Kind::String => InputType::String,
        Kind::Integer => InputType::Integer,
        Kind::Number => InputType::Number,
        Kind::Bool => InputType::Boolean,
        Kind::List(_) => InputType::Array,
        Kind::Object(_) => InputType::Object,
        Kind::Any => InputType::Any,
    }
}
