//! The client of MCP servers, as programs and behind addresses, in both eras of the protocol.
//!
//! A [`pool`] keeps one [`connection`] an adapter. A program is [`spawn`]ed behind the [`guard`]; its words come over
//! [`stdio`], those of a remote server over [`http`]; with either an [`era`] is agreed on first.

mod ask;
mod bind;
pub(crate) mod carry;
mod client;
mod connection;
mod diary;
mod era;
mod guard;
mod http;
mod inspect;
mod launch;
mod lenient;
mod listen;
mod message;
mod pinned;
mod pool;
mod post;
mod progress;
mod question;
mod report;
mod result;
mod roots;
mod spawn;
mod stdio;
mod tools;

pub(crate) use self::bind::{bind, unfillable, values};
pub(crate) use self::connection::{Calling, Connection};
pub use self::guard::guard;
pub(crate) use self::inspect::inspection;
pub(crate) use self::pinned::{pinned, reviewed};
pub(crate) use self::pool::Pool;
pub use self::progress::{Progress, ProgressSink};
pub(crate) use self::question::{all as questions, asking, unanswered};
pub(crate) use self::report::{failed, failure, listed, no_such_tool, silent, too_large};
pub(crate) use self::result::{Unread, complaint, read};
pub(crate) use self::tools::{Tool, Tools};
