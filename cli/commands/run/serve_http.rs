//! `kontext run --http`: the same server for clients that come over the network.

use kontext_runtime::server::{Http, Server};

use super::{RunArgs, execution, serve};
use crate::commands::{Context, Failure, OK, Outcome};
use crate::compile::Machine;
use crate::log::LogFormat;
use crate::output;

/// Serves until a signal comes.
///
/// # Errors
/// Status 2 when the address or the token is none, or the address cannot be listened at.
pub fn run(context: &Context, args: &RunArgs, address: &str) -> Outcome {
    let refused = |words: String| Failure::refused(words).help("`kontext run --help` shows examples");
    let token = args.token_env.as_deref().map(|name| token(context, name)).transpose()?;
    let http = Http::new(address, token, args.allow_host.clone()).map_err(refused)?;
    // The token is for clients; what the plan starts does not get it.
    let mut context = context.clone();
    if let Some(name) = &args.token_env {
        context.env = context.env.without(name);
    }
    let machine = Machine::discover(&context)?;
    let server = Server::new(serve::source(&context, args, &machine));
    kontext_runtime::keep_commands();
    execution::drive(async {
        let listening = http.listen().await.map_err(Failure::refused)?;
        let url = listening.url();
        match args.log_format {
            Some(LogFormat::Json) => tracing::info!(url, "listening"),
            _ => output::say(&format!("kontext: listening on {url}")),
        }
        server.start();
        server.serve_http(listening, async { _ = execution::ended().await }).await;
        Ok(OK)
    })?
}

/// The token in a variable.
fn token(context: &Context, name: &str) -> Result<String, Failure> {
    match context.env.non_empty(name) {
        Some(token) => Ok(token.to_owned()),
        None => Err(Failure::refused(format!("the variable `{name}` of `--token-env` is not set, or empty"))),
    }
}
