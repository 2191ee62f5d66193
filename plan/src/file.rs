//! The plan as bytes: writing with a digest, reading with a check of it.

use serde::Deserialize;

use crate::{Plan, canonical_json, sha256_hex};

/// Version of the plan format this crate reads and writes.
pub const FORMAT: u32 = 1;

/// Why bytes are not a plan that may be executed.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Written in another format version.
    #[error("the plan has format {found}, this kontext reads format {FORMAT}")]
    Format {
        /// The version found.
        found: u64,
    },
    /// Not the plan format at all.
    #[error("the file is not a kontext plan: {reason}")]
    NotAPlan {
        /// What is wrong with it, in a reader's words.
        reason: String,
    },
    /// The bytes are not those that were written.
    #[error(
        "the plan's digest does not match its content: the file was changed after `kontext build` wrote it"
    )]
    Digest,
    /// It could not be written.
    #[error("the plan could not be written as JSON: {0}")]
    Write(#[from] serde_json::Error),
}

/// Fills in the digest and gives the bytes of the artifact, one line of canonical JSON.
///
/// # Errors
/// [`PlanError::Write`] when a value has no JSON form.
pub fn render(plan: &mut Plan) -> Result<String, PlanError> {
    plan.digest = String::new();
    plan.digest = sha256_hex(canonical_json(plan)?.as_bytes());
    let mut text = canonical_json(plan)?;
    text.push('\n');
    Ok(text)
}

/// Reads an artifact and verifies its format and digest.
///
/// # Errors
/// Every variant of [`PlanError`] but `Write`.
pub fn parse(text: &str) -> Result<Plan, PlanError> {
    let plan = match decode(text)? {
        Ok(plan) => plan,
        Err(error) => return Err(why_not(text, &error)),
    };
    if plan.format != FORMAT {
        return Err(PlanError::Format { found: u64::from(plan.format) });
    }
    verify_digest(text, &plan.digest)?;
    Ok(plan)
}

/// Nesting that the decoder takes on any stack.
const SHALLOW: usize = 120;
/// Nesting no configuration makes: layers are refused at 100 tables in one another, each a few levels here.
const DEEPEST: usize = 1_000;
/// Stack for a deep plan, in bytes.
const DEEP_STACK: usize = 64 * 1024 * 1024;

/// Decodes with the decoder's own limit; a plan that is deeper, within reason, on a stack of its own.
fn decode(text: &str) -> Result<Result<Plan, serde_json::Error>, PlanError> {
    let depth = depth(text);
    if depth <= SHALLOW {
        return Ok(serde_json::from_str(text));
    }
    let too_deep = || PlanError::NotAPlan { reason: format!("it is nested {depth} deep") };
    if depth > DEEPEST {
        return Err(too_deep());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK);
        let handle = thread.spawn_scoped(scope, || {
            let mut decoder = serde_json::Deserializer::from_str(text);
            decoder.disable_recursion_limit();
            let plan = Plan::deserialize(&mut decoder)?;
            decoder.end().map(|()| plan)
        });
        handle.map_err(|_| too_deep())?.join().map_err(|_| too_deep())
    })
}

/// How deep brackets stand in one another, outside strings.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => skip_string(&mut bytes),
            _ => {}
        }
    }
    deepest
}

fn skip_string(bytes: &mut std::str::Bytes<'_>) {
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => {
                bytes.next();
            }
            b'"' => return,
            _ => {}
        }
    }
}

/// The digest covers the bytes as written, so that reading needs no second rendering: the one place that holds it
/// is blanked and the rest is hashed.
fn verify_digest(text: &str, digest: &str) -> Result<(), PlanError> {
    let body = text.strip_suffix('\n').unwrap_or(text);
    let field = format!("\"digest\":\"{digest}\"");
    let (before, after) = body.split_once(&field).ok_or(PlanError::Digest)?;
    let blanked = [before, "\"digest\":\"\"", after].concat();
    if digest.is_empty() || sha256_hex(blanked.as_bytes()) != digest {
        return Err(PlanError::Digest);
    }
    Ok(())
}

/// A plan of another format need not decode at all; its `format` is looked at before the decoder's complaint.
fn why_not(text: &str, error: &serde_json::Error) -> PlanError {
    #[derive(Deserialize)]
    struct Head {
        format: u64,
    }
    match serde_json::from_str::<Head>(text) {
        Ok(head) if head.format != u64::from(FORMAT) => PlanError::Format { found: head.format },
        Ok(_) => PlanError::NotAPlan { reason: format!("line {}, column {}", error.line(), error.column()) },
        Err(_) => PlanError::NotAPlan { reason: "it has no `format`".to_owned() },
    }
}
