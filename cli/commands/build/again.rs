//! The command that writes a plan, in the words of whoever is told to run it.

use std::path::{Path, PathBuf};

use kontext_plan::Profile;

use crate::commands::Context;
use crate::compile::Machine;

/// The most that is read of a plan to find its profile.
const LIMIT: u64 = 64 << 20;

/// The command that writes the plan, for the shell that this one was called in: the same options, as they were given.
pub fn here(context: &Context, machine: &Machine, plan: Option<&Path>) -> String {
    let path = plan.map_or_else(|| machine.places.plan(), |plan| machine.resolve(context, plan));
    of(context, machine, profile(plan, &path), plan)
}

/// The same for a plan whose profile is known.
pub fn of(context: &Context, machine: &Machine, profile: Profile, plan: Option<&Path>) -> String {
    let path = plan.map_or_else(|| machine.places.plan(), |plan| machine.resolve(context, plan));
    let globals = [("-C", &context.globals.directory), ("--config", &context.globals.config)];
    let globals = globals.into_iter().filter_map(|(name, path)| Some((name, path.clone()?)));
    // No profile but `local` has a place of its own.
    let plan = plan.or((profile != Profile::Local).then_some(&*path));
    command(globals, profile, plan, &path)
}

/// The command that writes the plan, for a shell in any directory.
pub fn anywhere(machine: &Machine, plan: Option<&Path>) -> String {
    let path = plan.map_or_else(|| machine.places.plan(), Path::to_owned);
    let config = machine.places.input("explicit").map(|config| ("--config", config));
    let globals = [("-C", machine.places.worktree().to_owned())].into_iter().chain(config);
    command(globals, profile(plan, &path), plan, &path)
}

/// The profile of a plan that is not in its place; the one in its place is made for this machine.
fn profile(plan: Option<&Path>, path: &Path) -> Profile {
    let text = plan.and_then(|_| kontext_host::read_limited(path, LIMIT).ok().flatten());
    let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
    let value = text.and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
    let profile = value.and_then(|mut value| serde_json::from_value(value.get_mut("profile")?.take()).ok());
    profile.unwrap_or(Profile::Local)
}

fn command(
    globals: impl Iterator<Item = (&'static str, PathBuf)>,
    profile: Profile,
    plan: Option<&Path>,
    path: &Path,
) -> String {
    let mut words = Vec::new();
    if let Some(obstacle) = obstacle(path) {
        let away = PathBuf::from(format!("{}.old", obstacle.display()));
        words.extend(["mv".to_owned(), quoted(obstacle), quoted(&away), "&&".to_owned()]);
    }
    words.push("kontext".to_owned());
    words.extend(globals.flat_map(|(name, path)| [name.to_owned(), quoted(&path)]));
    words.push("build".to_owned());
    if profile != Profile::Local {
        words.extend(["--profile".to_owned(), profile.as_str().to_owned()]);
    }
    if let Some(plan) = plan {
        words.extend(["-o".to_owned(), quoted(plan)]);
    }
    words.join(" ")
}

/// What stands where the plan, or a folder above it, should be, so that none can be written or read there.
fn obstacle(path: &Path) -> Option<&Path> {
    let is_in_the_way = match fs_err::metadata(path) {
        Ok(found) => found.is_dir() || found.is_file() && fs_err::File::open(path).is_err(),
        // A link that leads nowhere is replaced; one that leads to itself is not.
        Err(error) => error.kind() != std::io::ErrorKind::NotFound && path.is_symlink(),
    };
    if is_in_the_way {
        return Some(path);
    }
    let mut above = path.ancestors().skip(1);
    above.find(|above| above.exists()).filter(|above| !above.is_dir())
}

/// A path as a shell takes it for one word.
fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_alphanumeric() || "/._-+,@%".contains(c);
    if text.chars().all(plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
