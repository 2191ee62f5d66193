//! The path by which a client starts this very program.

use std::path::{Path, PathBuf};

use kontext_host::find_program;

use crate::commands::{Context, Failure};

/// The absolute path of this program: the one it was called by when that leads here, since it outlives updates that
/// move what a link leads to; else the file itself.
///
/// # Errors
/// Status 2 when the system does not say.
pub fn path(context: &Context) -> Result<PathBuf, Failure> {
    let lost = |error| Failure::refused(format!("kontext cannot find itself: {error}"));
    let own = std::env::current_exe().map_err(lost)?;
    let real = fs_err::canonicalize(&own).map_err(lost)?;
    let called = std::env::args_os().next().map(PathBuf::from).and_then(|called| absolute(context, &called));
    let leads_here = |path: &PathBuf| fs_err::canonicalize(path).is_ok_and(|path| path == real);
    Ok(called.filter(leads_here).unwrap_or(real))
}

/// The path that a shell found for the name.
fn absolute(context: &Context, called: &Path) -> Option<PathBuf> {
    if called.components().count() > 1 {
        return std::path::absolute(called).ok();
    }
    find_program(called.to_str()?, context.env.get("PATH"), Path::new("/"))
}
