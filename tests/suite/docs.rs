//! The pages of the docs that are written from the code.

use crate::{guard, root};

#[test]
fn the_field_tables_are_those_of_the_compiler() {
    guard::generated("docs/fields.md", &kontext_compiler::schema::fields_markdown());
}

#[test]
fn types_and_filters_are_those_of_the_compiler() {
    guard::generated("docs/types.md", &kontext_compiler::docs::types_page());
}

#[test]
fn the_table_of_information_flow_is_the_compilers() {
    guard::generated("docs/flow.md", &kontext_compiler::docs::flow_page());
}

#[test]
fn the_list_of_diagnostics_is_the_compilers() {
    guard::generated("docs/diagnostics.md", &kontext_compiler::docs::diagnostics_page());
}

#[test]
fn the_readme_leads_to_every_page() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(readme.contains(&format!("(docs/{name})")), "the README does not lead to docs/{name}");
    }
}
