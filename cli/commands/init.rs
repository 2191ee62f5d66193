//! `kontext init`: a starter configuration that already passes `check`.

use clap::Args;

use super::{Context, Failure, OK, Outcome};
use crate::compile::Machine;
use crate::output;

/// Arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  kontext init                 write .kontext.toml at the root of the repository
  kontext init --schema        with a first line that tells editors where the schema is
  kontext init --stdout        print it instead")]
pub struct InitArgs {
    /// Begin with a line that tells editors where the schema is, and write the schema beside it
    #[arg(long)]
    pub schema: bool,
    /// Print the starter and write nothing
    #[arg(long)]
    pub stdout: bool,
}

const STARTER: &str = include_str!("../../fixtures/init/kontext.toml");
const SCHEMA: &str = include_str!("../../schemas/config.schema.json");
const SCHEMA_FILE: &str = ".kontext.schema.json";

/// Writes the starter.
///
/// # Errors
/// Status 2 when there is a shared configuration already, or it cannot be written.
pub fn run(context: &Context, args: &InitArgs) -> Outcome {
    let text = if args.schema { format!("#:schema ./{SCHEMA_FILE}\n{STARTER}") } else { STARTER.to_owned() };
    if args.stdout {
        output::data(&text)?;
        return Ok(OK);
    }
    let machine = Machine::discover(context)?;
    let root = machine.repository.root();
    for name in [".kontext.toml", ".ai/kontext.toml"] {
        if root.join(name).symlink_metadata().is_ok() {
            return Err(Failure::refused(format!("`{name}` is there already and was not touched"))
                .help("`kontext init --stdout` prints the starter"));
        }
    }
    let write = |name: &str, text: &str| {
        kontext_host::write_atomically(&root.join(name), text.as_bytes())
            .map_err(|e| Failure::refused(e.to_string()))
    };
    if args.schema {
        write(SCHEMA_FILE, SCHEMA)?;
    }
    write(".kontext.toml", &text)?;
    context.say("wrote `.kontext.toml`: edit it, then run `kontext check`");
    Ok(OK)
}
