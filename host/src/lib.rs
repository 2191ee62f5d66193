//! The machine as the command line and the runtime both see it, so that `build` and `run` never disagree about
//! which repository they stand in, where a layer is or which program a name means.

mod env;
mod error;
mod files;
mod places;
mod programs;
mod repository;
mod roots;

pub use env::Env;
pub use error::HostError;
pub use files::{read_limited, write_atomically};
pub use places::Places;
pub use programs::find_program;
pub use repository::{Repository, repo_id_from_url};
pub use roots::{Root, Roots};
