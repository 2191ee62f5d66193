//! Everything about kontext as a whole: its arrows, schemas, texts and process wiring. Meaning is in the cases.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that panics has failed, which is what it is for"
)]

#[path = "suite/arrows.rs"]
mod arrows;
#[path = "suite/cli.rs"]
mod cli;
#[path = "suite/connect.rs"]
mod connect;
#[path = "suite/docs.rs"]
mod docs;
#[path = "suite/editors.rs"]
mod editors;
#[path = "suite/fix.rs"]
mod fix;
#[path = "suite/formats.rs"]
mod formats;
#[path = "suite/guard.rs"]
mod guard;
#[path = "suite/keys.rs"]
mod keys;
#[path = "cases/markdown.rs"]
#[allow(dead_code, reason = "the cases use what this suite does not")]
mod markdown;
#[path = "suite/mcp.rs"]
mod mcp;
#[path = "suite/mends.rs"]
mod mends;
#[path = "suite/outputs.rs"]
mod outputs;
#[path = "suite/plan_fields.rs"]
mod plan_fields;
#[path = "suite/precommit.rs"]
mod precommit;
#[path = "suite/readme.rs"]
mod readme;
#[path = "suite/sandbox.rs"]
mod sandbox;
#[path = "suite/schemas.rs"]
mod schemas;
#[path = "suite/scope.rs"]
mod scope;
#[path = "suite/serve.rs"]
mod serve;
#[path = "suite/serve_http.rs"]
mod serve_http;
#[path = "suite/serve_isolation.rs"]
mod serve_isolation;
#[path = "suite/tidy.rs"]
mod tidy;
#[path = "suite/upstreams/mod.rs"]
mod upstreams;

/// The root of the project.
fn root() -> &'static std::path::Path {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
}
