use serde_json::{Value, json};

use super::{Bound, ByName, From, Role, Target, bind, convert};

fn search() -> ByName {
    ByName { roles: vec![Role::Query, Role::Limit, Role::Project], parameters: Vec::new() }
}

fn names(bound: &[Bound]) -> Vec<(String, From)> {
    bound.iter().map(|bound| (bound.parameter.clone(), bound.from.clone())).collect()
}

fn role(name: &str, role: Role) -> (String, From) {
    (name.to_owned(), From::Role(role))
}

#[test]
fn each_role_takes_the_first_of_its_names_without_case() {
    let schema = json!({ "properties": { "Text": { "type": "string" }, "Query": { "type": "string" },
        "top_k": { "type": "integer" }, "query": { "type": "string" }, "cwd": { "type": "string" } } });
    let bound = bind(&schema, &search());
    assert_eq!(
        names(&bound),
        [role("Query", Role::Query), role("top_k", Role::Limit), role("cwd", Role::Project)]
    );
}

#[test]
fn required_texts_get_the_primary_value_unless_they_are_fixed() {
    let schema = json!({ "properties": { "q": { "type": "string" }, "needle": { "type": "string" },
        "mode": { "enum": ["a", "b"], "type": "string" }, "n2": { "type": "integer" },
        "kind": { "$ref": "#/$defs/K" } }, "required": ["needle", "mode", "n2", "kind"],
        "$defs": { "K": { "const": "x", "type": "string" } } });
    assert_eq!(names(&bind(&schema, &search())), [role("q", Role::Query), role("needle", Role::Query)]);
}

#[test]
fn a_tools_own_parameters_choose_first() {
    let rule = ByName { roles: vec![Role::Query], parameters: vec!["text".to_owned()] };
    let schema = json!({ "properties": { "text": {}, "query": {} } });
    let input = ("text".to_owned(), From::Input("text".to_owned()));
    assert_eq!(names(&bind(&schema, &rule)), [input, role("query", Role::Query)]);
}

#[test]
fn odd_schemas_bind_nothing_and_never_hang() {
    for schema in [json!({}), json!({ "type": "object" }), json!(null), json!({ "properties": [] })] {
        assert_eq!(bind(&schema, &search()), []);
    }
    let circle = json!({ "properties": { "query": { "$ref": "#/$defs/A" }, "limit": { "$ref": "#/$defs/none" } },
        "$defs": { "A": { "anyOf": [{ "$ref": "#/$defs/A" }, { "$ref": "#/$defs/A" }] } } });
    let bound = bind(&circle, &search());
    assert!(bound.iter().all(|bound| bound.takes.is_empty()));
}

#[test]
fn values_are_converted_to_what_the_parameter_takes() {
    let takes = |schema: Value| {
        let root = json!({ "properties": { "query": schema }, "$defs": { "L": { "type": "integer", "maximum": 50 } } });
        bind(&root, &search())[0].takes.clone()
    };
    let cases = [
        (json!({ "$ref": "#/$defs/L" }), json!(99), json!(50)),
        (json!({ "$ref": "#/$defs/L" }), json!("7"), json!(7)),
        (json!({ "type": "integer" }), json!("seven"), json!("seven")),
        (json!({ "type": ["array", "null"] }), json!("a"), json!(["a"])),
        (json!({ "type": "array", "items": { "type": "integer" } }), json!("3"), json!([3])),
        (json!({ "type": "string" }), json!(["a", "b"]), json!("a, b")),
        (json!({ "type": "string" }), json!(5), json!("5")),
        (json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }), json!(5), json!("5")),
        (json!({ "type": ["integer", "string"] }), json!("x"), json!("x")),
        (json!({ "type": "boolean" }), json!("yes"), json!("yes")),
        (json!({}), json!("x"), json!("x")),
    ];
    for (schema, value, wanted) in cases {
        assert_eq!(convert(value.clone(), &takes(schema.clone())), wanted, "{schema} {value}");
    }
    assert_eq!(takes(json!({ "type": "array" })), [Target::Array(Vec::new())]);
}

#[test]
fn the_same_spelling_comes_first() {
    let schema = json!({ "properties": { "path": { "type": "string" }, "Path": { "type": "string" } } });
    let rule = ByName { roles: Vec::new(), parameters: vec!["Path".to_owned(), "depth".to_owned()] };
    let bound = bind(&schema, &rule);
    assert_eq!(bound.iter().map(|bound| bound.parameter.as_str()).collect::<Vec<_>>(), ["Path"]);
    assert_eq!(super::unplaced(&rule, &bound), ["depth"]);
}

#[test]
fn a_parameter_that_a_role_takes_is_placed() {
    let schema = json!({ "properties": { "text": { "type": "string" } } });
    let rule = ByName { roles: vec![Role::Query], parameters: vec!["query".to_owned()] };
    assert!(super::unplaced(&rule, &bind(&schema, &rule)).is_empty());
}
