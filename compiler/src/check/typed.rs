//! What a template slot is after checking: names resolved, filters typed, places kept for messages and origins.

use kontext_plan::path::Step;
use kontext_plan::template::Filter;
use serde_json::Value;

use crate::source::FileSpan;
use crate::types::{Kind, Ty};

/// A checked template.
#[derive(Debug, Clone)]
pub struct Typed {
    /// The whole string in its file.
    pub span: FileSpan,
    /// Texts and expressions in order.
    pub pieces: Vec<Piece>,
}

/// A part of a checked template.
#[derive(Debug, Clone)]
pub enum Piece {
    /// Text as it is.
    Text {
        /// The decoded text.
        text: String,
        /// Its place.
        span: FileSpan,
    },
    /// An expression.
    Expr(Expr),
}

/// A checked expression.
#[derive(Debug, Clone)]
pub struct Expr {
    /// Where the value comes from.
    pub from: Source,
    /// What is done to it.
    pub filters: Vec<Filter>,
    /// What comes out.
    pub ty: Ty,
    /// The expression in its file, braces included.
    pub span: FileSpan,
    /// Environment variables without which there is no value.
    pub needs: Vec<EnvNeed>,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Source {
    /// A literal.
    Literal(Value),
    /// A constant of the build by its name: the text of a foreign checkout.
    Constant(String, Value),
    /// A fact by name.
    Fact(String),
    /// A variable.
    Var(VarRef),
    /// A member of the inputs.
    Input(Vec<Step>),
    /// A member of the result item.
    Item(Vec<Step>),
    /// The private answer file of a command.
    OutputFile,
}

/// A variable by the table it is in.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct VarRef {
    /// Whether it is in the global `[vars]` (else in the adapter's).
    pub global: bool,
    /// Its name.
    pub name: String,
}

/// A variable of the environment that an expression cannot do without.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EnvNeed {
    /// The variable's name.
    pub name: String,
    /// Where it is named.
    pub span: FileSpan,
}

impl Typed {
    /// A text without expressions.
    #[must_use]
    pub fn text(text: &str, span: FileSpan) -> Typed {
        Typed { span, pieces: vec![Piece::Text { text: text.to_owned(), span }] }
    }

    /// The expression, when the template is exactly one.
    #[must_use]
    pub fn single(&self) -> Option<&Expr> {
        match self.pieces.as_slice() {
            [Piece::Expr(expr)] => Some(expr),
            _ => None,
        }
    }

    /// The text, when there is no expression.
    #[must_use]
    pub fn literal(&self) -> Option<String> {
        let mut literal = String::new();
        for piece in &self.pieces {
            let Piece::Text { text, .. } = piece else { return None };
            literal.push_str(text);
        }
        Some(literal)
    }

    /// The text before the first expression.
    #[must_use]
    pub fn literal_start(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text { text, .. }) => text,
            _ => "",
        }
    }

    /// The expressions.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.pieces.iter().filter_map(|piece| if let Piece::Expr(expr) = piece { Some(expr) } else { None })
    }

    /// The type of the rendered value.
    #[must_use]
    pub fn ty(&self) -> Ty {
        self.single().map_or_else(|| Ty::always(Kind::String), |expr| expr.ty.clone())
    }

    /// All variables of the environment it cannot do without.
    #[must_use]
    pub fn needs(&self) -> Vec<EnvNeed> {
        self.exprs().flat_map(|expr| expr.needs.iter().cloned()).collect()
    }
}

impl Source {
    /// The name people know it by.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Source::Literal(value) => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            Source::Fact(name) | Source::Constant(name, _) => name.clone(),
            Source::Var(var) => format!("vars.{}", var.name),
            Source::Input(steps) | Source::Item(steps) => shown_steps(steps),
            Source::OutputFile => "output_file".to_owned(),
        }
    }
}

fn shown_steps(steps: &[Step]) -> String {
    let mut text = String::new();
    for step in steps {
        if !text.is_empty() {
            text.push('.');
        }
        match step {
            Step::Key(key) => text.push_str(key),
            Step::Index(index) => text.push_str(&index.to_string()),
            Step::Each | Step::Any => text.push('*'),
        }
    }
    text
}
