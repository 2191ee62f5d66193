//! What the fuzz targets share: the laws they hold every input to.
//!
//! The laws of whole configurations are those of the property tests, and the printed output is the command line's.

pub mod budget;
pub mod grammar;
pub mod notes;
#[path = "../../compiler/tests/totality/oracle.rs"]
pub mod oracle;
#[path = "../../compiler/tests/totality/render.rs"]
pub mod render;
#[path = "../../compiler/tests/totality/slots.rs"]
pub mod slots;
