//! The pages of the docs that are written from the code.

use crate::guard;

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
