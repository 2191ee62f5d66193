//! A server's connection with every template evaluated: what to start, or where to go.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use kontext_plan::{CommandCall, Connection, McpServer, Protocol};

use super::report::Served;
use crate::error::Failure;
use crate::exec::command::Invocation;
use crate::exec::{Task, http};

/// Everything needed to open a connection, owned: it goes on when the call that wanted it is given up.
#[derive(Debug)]
pub(super) enum Launch {
    /// A program.
    Stdio(Stdio),
    /// An endpoint.
    Http(Target),
}

/// A program to start.
#[derive(Debug)]
pub(super) struct Stdio {
    pub(super) invocation: Invocation,
    pub(super) root: PathBuf,
    pub(super) protocol: Protocol,
    /// How long starting and agreeing may take.
    pub(super) time: Duration,
    pub(super) served: Served,
}

/// An endpoint to contact.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) endpoint: http::Endpoint,
    pub(super) root: PathBuf,
    pub(super) protocol: Protocol,
    /// How long agreeing may take.
    pub(super) time: Duration,
    pub(super) served: Served,
}

impl Launch {
    /// Evaluates what the adapter says about its server.
    pub(super) fn new(task: &Task<'_>, server: &McpServer) -> Result<Launch, Failure> {
        let root = task.repository.root().to_owned();
        let time = Duration::from_millis(server.start_timeout_ms);
        let protocol = server.protocol;
        match &server.connect {
            Connection::Stdio { command, env, cwd } => {
                let call = CommandCall {
                    command: command.clone(),
                    stdin: None,
                    cwd: cwd.clone(),
                    env: env.clone(),
                    ok_exit: Vec::new(),
                    output_file: false,
                };
                let invocation = Invocation::new(task, &call)?;
                let withheld = invocation.environment.withheld.clone();
                let mask = task.scope.facts.mask();
                let served = Served::new(&invocation.name, Arc::clone(&mask), withheld, None);
                Ok(Launch::Stdio(Stdio { invocation, root, protocol, time, served }))
            }
            Connection::Http { url, headers } => {
                let endpoint = http::endpoint(task, url, headers)?;
                let mask = task.scope.facts.mask();
                let served = Served::new(&endpoint.shown, mask, Vec::new(), endpoint.proxy.clone());
                Ok(Launch::Http(Target { endpoint, root, protocol, time, served }))
            }
        }
    }
}
