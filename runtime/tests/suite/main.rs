//! The runtime against real sockets and real processes: every fault here once cost a user an evening.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "these are tests"
)]

mod command;
mod federated;
mod http;
mod limits;
mod load;
mod moving;
mod serve_http;
mod status;
mod support;
mod tool;
