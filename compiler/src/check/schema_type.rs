//! The type that values of a JSON schema have in templates.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::types::{Kind, Ty};

/// How many schemas are read for one tool; what lies beyond takes anything.
const MOST: usize = 10_000;
/// How deep schemas are followed, references too.
const DEEPEST: usize = 64;

/// A tool's parameters.
#[derive(Debug)]
pub struct Parameters {
    /// The declared ones by name; one with a `default` is never missing.
    pub fields: BTreeMap<String, Ty>,
    /// The schema allows others by saying so.
    pub open: bool,
}

impl Parameters {
    /// The type of all of them together.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::Object((!self.open).then(|| self.fields.clone()))
    }
}

/// The parameters of a tool's schema.
#[must_use]
pub fn parameters(schema: &Value) -> Parameters {
    let mut reader = Reader { root: schema, left: MOST, references: Vec::new() };
    let mut seen = reader.read(schema, 0);
    if let (Some(root), true) = (schema.as_object(), seen.fields.is_empty()) {
        // A root of another type was reported; its parameters are known all the same.
        seen = reader.of_object(root, 0);
    }
    let mut fields = seen.fields;
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let given = property.get("default").is_some_and(|default| !default.is_null());
        if let Some(field) = fields.get_mut(name).filter(|_| given) {
            field.optional = false;
        }
    }
    Parameters { fields, open: seen.open && schema.as_object().is_some_and(is_open) }
}

/// Whether a schema says that other members may stand beside those it names.
fn is_open(schema: &Map<String, Value>) -> bool {
    let says = |key: &str| schema.get(key).is_some_and(|value| *value != Value::Bool(false));
    ["additionalProperties", "unevaluatedProperties", "patternProperties"].into_iter().any(says)
}

/// What is known of the values of a schema.
#[derive(Debug, Clone, Default)]
struct Seen {
    /// What they are beside null; none when nothing is said. An object's members are in `fields`.
    kind: Option<Kind>,
    /// Null is one of them.
    null: bool,
    /// The members of an object.
    fields: BTreeMap<String, Ty>,
    /// An object may have other members.
    open: bool,
}

impl Seen {
    fn of(kind: Kind) -> Seen {
        Seen { kind: Some(kind), open: true, ..Seen::default() }
    }

    fn says_nothing(&self) -> bool {
        self.kind.is_none() && !self.null
    }

    fn ty(self) -> Ty {
        let kind = match self.kind {
            Some(Kind::Object(_)) => Kind::Object((!self.open).then_some(self.fields)),
            Some(kind) => kind,
            None => Kind::Any,
        };
        Ty { kind, optional: self.null }
    }

    /// Values of one or the other.
    fn or(self, other: Seen) -> Seen {
        if self.says_nothing() || other.says_nothing() {
            return Seen { null: self.null || other.null, ..Seen::of(Kind::Any) };
        }
        let null = self.null || other.null;
        match (&self.kind, &other.kind) {
            (None, _) => Seen { null, ..other },
            (_, None) => Seen { null, ..self },
            (Some(Kind::Object(_)), Some(Kind::Object(_))) => Seen {
                null,
                open: self.open || other.open,
                fields: either(self.fields, other.fields),
                kind: self.kind,
            },
            (Some(one), Some(two)) => Seen { null, ..Seen::of(join(one, two)) },
        }
    }

    /// Values of both.
    fn and(self, other: Seen) -> Seen {
        if self.says_nothing() {
            return other;
        }
        if other.says_nothing() {
            return self;
        }
        let null = self.null && other.null;
        match (&self.kind, &other.kind) {
            (Some(Kind::Object(_)), Some(Kind::Object(_))) => {
                let mut fields = self.fields;
                for (name, field) in other.fields {
                    fields.entry(name).and_modify(|known| narrow(known, &field)).or_insert(field);
                }
                Seen { null, open: self.open && other.open, fields, kind: self.kind }
            }
            (None | Some(Kind::Any), _) => Seen { null, ..other },
            _ => Seen { null, ..self },
        }
    }
}

/// Members of one object or the other: what only one has may be missing.
fn either(mut one: BTreeMap<String, Ty>, mut two: BTreeMap<String, Ty>) -> BTreeMap<String, Ty> {
    for (name, field) in &mut one {
        match two.remove(name) {
            Some(other) => {
                field.kind = join(&field.kind, &other.kind);
                field.optional |= other.optional;
            }
            None => field.optional = true,
        }
    }
    one.extend(two.into_iter().map(|(name, field)| (name, Ty { optional: true, ..field })));
    one
}

fn narrow(known: &mut Ty, other: &Ty) {
    known.optional &= other.optional;
    if known.kind == Kind::Any {
        known.kind = other.kind.clone();
    }
}

/// What values of either kind are.
fn join(one: &Kind, two: &Kind) -> Kind {
    match (one, two) {
        _ if one == two => one.clone(),
        (Kind::Integer, Kind::Number) | (Kind::Number, Kind::Integer) => Kind::Number,
        (Kind::List(one), Kind::List(two)) => Kind::List(Box::new(join(one, two))),
        (Kind::Object(_), Kind::Object(_)) => Kind::Object(None),
        _ => Kind::Any,
    }
}

struct Reader<'a> {
    root: &'a Value,
    left: usize,
    /// The references that are being followed.
    references: Vec<&'a str>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, schema: &'a Value, depth: usize) -> Seen {
        let Some(schema) = schema.as_object().filter(|_| depth < DEEPEST && self.left > 0) else {
            return Seen::default();
        };
        self.left -= 1;
        let mut seen = self.own(schema, depth);
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            seen = seen.and(self.follow(reference, depth));
        }
        for part in schema.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            seen = seen.and(self.read(part, depth + 1));
        }
        for key in ["anyOf", "oneOf"] {
            let branches = schema.get(key).and_then(Value::as_array).into_iter().flatten();
            let branches: Vec<Seen> = branches.map(|branch| self.read(branch, depth + 1)).collect();
            if let Some(all) = branches.into_iter().reduce(Seen::or) {
                seen = seen.and(all);
            }
        }
        seen
    }

    /// What a schema says itself, without the schemas it names.
    fn own(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Seen {
        let values = match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
            (Some(value), _) => of_value(value),
            (None, Some(values)) => values.iter().map(of_value).reduce(Seen::or).unwrap_or_default(),
            (None, None) => Seen::default(),
        };
        let types = match schema.get("type") {
            Some(Value::String(word)) => self.of_word(word, schema, depth),
            Some(Value::Array(words)) => {
                let words = words.iter().filter_map(Value::as_str);
                let types: Vec<Seen> = words.map(|word| self.of_word(word, schema, depth)).collect();
                types.into_iter().reduce(Seen::or).unwrap_or_default()
            }
            None if schema.contains_key("properties") => self.of_word("object", schema, depth),
            _ => Seen::default(),
        };
        types.and(values)
    }

    fn of_word(&mut self, word: &str, schema: &'a Map<String, Value>, depth: usize) -> Seen {
        match word {
            "null" => Seen { null: true, ..Seen::default() },
            "string" => Seen::of(Kind::String),
            "integer" => Seen::of(Kind::Integer),
            "number" => Seen::of(Kind::Number),
            "boolean" => Seen::of(Kind::Bool),
            "array" => {
                let element = schema.get("items").map_or(Kind::Any, |items| {
                    let element = self.read(items, depth + 1).ty();
                    if element.optional { Kind::Any } else { element.kind }
                });
                Seen::of(Kind::List(Box::new(element)))
            }
            "object" => self.of_object(schema, depth),
            // A word that is no type was reported; the members are still known.
            _ if schema.contains_key("properties") => self.of_object(schema, depth),
            _ => Seen::default(),
        }
    }

    fn of_object(&mut self, schema: &'a Map<String, Value>, depth: usize) -> Seen {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let fields = properties.into_iter().flatten().map(|(name, property)| {
            let ty = self.read(property, depth + 1).ty();
            let optional = ty.optional || !required.contains(&name.as_str());
            (name.clone(), Ty { optional, ..ty })
        });
        let fields = fields.collect();
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        let open = is_open(schema) || (properties.is_none() && !closed);
        Seen { fields, open, ..Seen::of(Kind::Object(None)) }
    }

    /// What a local reference leads to; nothing is said by one that leads nowhere or into itself.
    fn follow(&mut self, reference: &'a str, depth: usize) -> Seen {
        let target = reference.strip_prefix('#').and_then(|pointer| self.root.pointer(pointer));
        let Some(target) = target.filter(|_| !self.references.contains(&reference)) else {
            return Seen::default();
        };
        self.references.push(reference);
        let seen = self.read(target, depth + 1);
        self.references.pop();
        seen
    }
}

fn of_value(value: &Value) -> Seen {
    match value {
        Value::Null => Seen { null: true, ..Seen::default() },
        Value::Bool(_) => Seen::of(Kind::Bool),
        Value::Number(number) if number.is_i64() || number.is_u64() => Seen::of(Kind::Integer),
        Value::Number(_) => Seen::of(Kind::Number),
        Value::String(_) => Seen::of(Kind::String),
        Value::Array(_) => Seen::of(Kind::List(Box::new(Kind::Any))),
        Value::Object(_) => Seen::of(Kind::Object(None)),
    }
}
