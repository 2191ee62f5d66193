//! The filters: what each takes, what its argument must be, and what it gives.

use kontext_grammar::template::ast::{Argument, Filter as AstFilter};
use kontext_plan::template::Filter;
use serde_json::{Number, Value};

use super::Checker;
use crate::diagnostic::templates;
use crate::parse::Cell;
use crate::types::{Kind, Ty};

/// A filter as the docs and the checks know it.
#[derive(Debug)]
pub struct FilterSpec {
    /// Its name.
    pub name: &'static str,
    /// What stands behind its colon; none where it takes no argument.
    pub argument: Option<&'static str>,
    /// What it takes.
    pub takes: Input,
    /// What it gives, for the docs.
    pub gives: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// What a filter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Input {
    /// Anything.
    Any,
    /// Text, a number or a boolean.
    Scalar,
    /// Text.
    Text,
    /// Text or a number.
    TextOrNumber,
    /// A list.
    List,
}

impl Input {
    /// In messages and docs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Input::Any => "anything",
            Input::Scalar => "a string, a number or a boolean",
            Input::Text => "a string",
            Input::TextOrNumber => "a string or a number",
            Input::List => "a list",
        }
    }

    fn fits(self, kind: &Kind) -> bool {
        match self {
            Input::Any => true,
            Input::Scalar => kind.is_scalar(),
            Input::Text => matches!(kind, Kind::String | Kind::Any),
            Input::TextOrNumber => matches!(kind, Kind::String | Kind::Integer | Kind::Number | Kind::Any),
            Input::List => matches!(kind, Kind::List(_) | Kind::Any),
        }
    }
}

const fn spec(
    name: &'static str,
    argument: Option<&'static str>,
    takes: Input,
    gives: &'static str,
    meaning: &'static str,
) -> FilterSpec {
    FilterSpec { name, argument, takes, gives, meaning }
}

/// Every filter, in the order of the reference.
pub static FILTERS: [FilterSpec; 15] = [
    spec(
        "urlencode",
        None,
        Input::Scalar,
        "a string",
        "percent-encodes everything but letters, digits and `-_.~`",
    ),
    spec("json", None, Input::Any, "a string", "compact JSON text"),
    spec("lower", None, Input::Scalar, "a string", "lower case"),
    spec("upper", None, Input::Scalar, "a string", "upper case"),
    spec("trim", None, Input::Scalar, "a string", "without white space at both ends"),
    spec(
        "slug",
        None,
        Input::Scalar,
        "a string",
        "lower-case letters and digits joined by `-`, at most 80 characters",
    ),
    spec("first_line", None, Input::Text, "a string", "up to the first line break"),
    spec(
        "join",
        Some("SEP, `,` when left out"),
        Input::List,
        "a string",
        "the elements as text with SEP between",
    ),
    spec("truncate", Some("N"), Input::Scalar, "a string", "at most N characters"),
    spec(
        "after",
        Some("SEP"),
        Input::Text,
        "a string",
        "what follows the first SEP; all of it when there is none",
    ),
    spec(
        "before",
        Some("SEP"),
        Input::Text,
        "a string",
        "what precedes the first SEP; all of it when there is none",
    ),
    spec(
        "default",
        Some("LIT"),
        Input::Any,
        "the same type, never missing",
        "LIT when the value is missing, null, empty text or an empty list",
    ),
    spec(
        "int",
        None,
        Input::TextOrNumber,
        "an integer",
        "the whole number that the text writes; another text makes the call fail",
    ),
    spec(
        "raw",
        None,
        Input::Any,
        "the same",
        "last in `path`, or in `url` behind the host: not percent-encoded",
    ),
    spec(
        "within",
        Some("DIR"),
        Input::Text,
        "a string",
        "a file path that stays inside DIR, links followed; another makes the call fail",
    ),
];

/// The filter table as Markdown, for the docs.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::from("| filter | takes | gives | meaning |\n|---|---|---|---|\n");
    for filter in &FILTERS {
        let argument = filter.argument.map_or_else(String::new, |argument| format!(":{argument}"));
        let name = match argument.split_once(',') {
            Some((argument, rest)) => format!("`{}{argument}`,{rest}", filter.name),
            None => format!("`{}{argument}`", filter.name),
        };
        text.push_str(&format!(
            "| {name} | {} | {} | {} |\n",
            filter.takes.name(),
            filter.gives,
            filter.meaning
        ));
    }
    text
}

/// Why a filter cannot be applied.
enum Problem {
    /// The argument is wrong: what is wrong, and what to write.
    Argument(String, String),
    /// It takes another type.
    Type(&'static str),
}

impl Checker<'_> {
    /// The filters in order; `ty` becomes the type of the result. None when one is wrong (reported here).
    pub(super) fn filters(&mut self, cell: &Cell, filters: &[AstFilter], ty: &mut Ty) -> Option<Vec<Filter>> {
        let mut applied = Vec::with_capacity(filters.len());
        let mut good = true;
        for (at, filter) in filters.iter().enumerate() {
            if filter.name.text == "raw" && at + 1 != filters.len() {
                let place = cell.place(filter.name.span);
                self.diagnostics.push(templates::report_misplaced_raw(place, "is not the last filter"));
                good = false;
                continue;
            }
            match self.filter(cell, filter, ty) {
                Some(filter) => applied.push(filter),
                None => good = false,
            }
        }
        good.then_some(applied)
    }

    fn filter(&mut self, cell: &Cell, filter: &AstFilter, ty: &mut Ty) -> Option<Filter> {
        let name = filter.name.text.as_str();
        let Some(spec) = FILTERS.iter().find(|spec| spec.name == name) else {
            let known = FILTERS.each_ref().map(|spec| spec.name);
            let report = templates::report_unknown_filter(cell.place(filter.name.span), name, &known);
            self.diagnostics.push(report);
            *ty = Ty::maybe(Kind::Any);
            return None;
        };
        let filter_argument = filter.argument.as_ref();
        match apply(spec, filter_argument, ty) {
            Ok(filter) => {
                if let (Filter::Within(directory), Some(argument)) = (&filter, filter_argument) {
                    self.within(cell, directory, argument.span);
                }
                Some(filter)
            }
            Err(Problem::Argument(message, help)) => {
                let span = filter.argument.as_ref().map_or(filter.span, |argument| {
                    if argument.span.start == argument.span.end { filter.span } else { argument.span }
                });
                self.diagnostics.push(templates::report_filter_argument(cell.place(span), message, help));
                None
            }
            Err(Problem::Type(takes)) => {
                let place = cell.place(filter.name.span);
                self.diagnostics.push(templates::report_filter_type(place, name, takes, &ty.kind));
                *ty = Ty::maybe(Kind::Any);
                None
            }
        }
    }
}

impl Checker<'_> {
    /// The directory of `within` is a name as it stands.
    fn within(&mut self, cell: &Cell, directory: &str, argument: kontext_grammar::Span) {
        if directory == "~" || directory.starts_with("~/") {
            self.diagnostics.push(templates::report_within_tilde(cell.place(argument), directory));
        }
    }
}

/// One filter on a value of a type, which becomes the type of the result.
fn apply(spec: &FilterSpec, argument: Option<&Argument>, ty: &mut Ty) -> Result<Filter, Problem> {
    let kind = ty.kind.clone();
    let name = spec.name;
    let filter = match name {
        "join" => Filter::Join(argument.map_or(Ok(",".to_owned()), |argument| text(name, Some(argument)))?),
        "truncate" => Filter::Truncate(count(argument)?),
        "after" => Filter::After(text(name, argument)?),
        "before" => Filter::Before(text(name, argument)?),
        "within" => Filter::Within(text(name, argument)?),
        "default" => {
            let filter = Filter::Default(default_value(argument, &kind)?);
            *ty = ty.clone().present();
            return Ok(filter);
        }
        _ => plain(name, argument)?,
    };
    if !spec.takes.fits(&kind) {
        return Err(Problem::Type(spec.takes.name()));
    }
    ty.kind = gives(&filter, kind);
    Ok(filter)
}

fn plain(name: &str, argument: Option<&Argument>) -> Result<Filter, Problem> {
    if argument.is_some() {
        return Err(Problem::Argument(format!("`{name}` takes no argument"), format!("write `|{name}`")));
    }
    Ok(match name {
        "urlencode" => Filter::Urlencode,
        "json" => Filter::Json,
        "lower" => Filter::Lower,
        "upper" => Filter::Upper,
        "trim" => Filter::Trim,
        "slug" => Filter::Slug,
        "first_line" => Filter::FirstLine,
        "int" => Filter::Int,
        _ => Filter::Raw,
    })
}

fn gives(filter: &Filter, kind: Kind) -> Kind {
    match filter {
        Filter::Raw | Filter::Default(_) => kind,
        Filter::Int => Kind::Integer,
        _ => Kind::String,
    }
}

/// A text argument; an empty one must be written as `''`.
fn text(name: &str, argument: Option<&Argument>) -> Result<String, Problem> {
    match argument {
        Some(argument) if argument.quoted || !argument.text.is_empty() => Ok(argument.text.clone()),
        Some(_) => Err(Problem::Argument(
            format!("the argument of `{name}` is empty"),
            format!("write `|{name}:''` if the empty text is meant"),
        )),
        None => Err(Problem::Argument(format!("`{name}` wants an argument"), format!("write `|{name}:…`"))),
    }
}

/// A number of characters: digits alone.
fn count(argument: Option<&Argument>) -> Result<u64, Problem> {
    let text = text("truncate", argument)?;
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let wrong = || {
        Problem::Argument(
            format!("`truncate` wants a number of characters, not `{text}`"),
            "write `|truncate:80`".to_owned(),
        )
    };
    if digits { text.parse().map_err(|_| wrong()) } else { Err(wrong()) }
}

/// The literal of `default`, as a value of the type it stands in for.
fn default_value(argument: Option<&Argument>, kind: &Kind) -> Result<Value, Problem> {
    let text = text("default", argument)?;
    let cannot = |kind: &Kind| {
        Problem::Argument(
            format!("`{text}` is not {kind}, which this `default` stands in for"),
            match kind {
                Kind::List(_) | Kind::Object(_) => "make it text first with `|json`".to_owned(),
                Kind::Bool => "write `true` or `false`".to_owned(),
                _ => "write a number".to_owned(),
            },
        )
    };
    match kind {
        Kind::String => Ok(Value::from(text)),
        Kind::Integer => number(&text).filter(|_| !text.contains('.')).ok_or_else(|| cannot(kind)),
        Kind::Number => number(&text).ok_or_else(|| cannot(kind)),
        Kind::Bool => boolean(&text).ok_or_else(|| cannot(kind)),
        Kind::Any if argument.is_some_and(|argument| argument.quoted) => Ok(Value::from(text)),
        Kind::Any => Ok(boolean(&text).or_else(|| number(&text)).unwrap_or_else(|| Value::from(text))),
        Kind::List(_) | Kind::Object(_) => Err(cannot(kind)),
    }
}

fn boolean(text: &str) -> Option<Value> {
    match text {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => None,
    }
}

/// The number that digits stand for: `007` is 7 and `1.50` is 1.5. None for other text.
pub(super) fn number(text: &str) -> Option<Value> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, fraction) =
        digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !fraction.is_none_or(all_digits) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let text = match fraction.map(|fraction| fraction.trim_end_matches('0')) {
        None => format!("{sign}{whole}"),
        Some("") => format!("{sign}{whole}.0"),
        Some(fraction) => format!("{sign}{whole}.{fraction}"),
    };
    serde_json::from_str::<Number>(&text).ok().map(Value::Number)
}
