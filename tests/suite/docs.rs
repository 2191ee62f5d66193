//! `docs/fields.md`: the table of every field, written from the one description of the surface.

use crate::guard;

#[test]
fn the_field_tables_are_those_of_the_compiler() {
    guard::generated("docs/fields.md", &kontext_compiler::schema::fields_markdown());
}
