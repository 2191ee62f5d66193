//! Standard output for data, standard error for everything else; a closed pipe ends the output, not the program.

use std::io::{self, Write};

use crate::commands::Failure;

/// Writes data. A reader that went away is no failure.
///
/// # Errors
/// When standard output cannot be written for another reason (a full disk).
pub fn data(text: &str) -> Result<(), Failure> {
    match write_all(io::stdout().lock(), text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::refused(format!("standard output cannot be written: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes words for people; nobody is told when they cannot be written.
pub fn say(text: &str) {
    let _ = write_all(io::stderr().lock(), text);
}

fn write_all(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    if !text.is_empty() && !text.ends_with('\n') {
        stream.write_all(b"\n")?;
    }
    stream.flush()
}
