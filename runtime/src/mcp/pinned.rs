//! Pins: a tool that is not what people reviewed is not called.

use kontext_plan::{McpServer, Pin};

use super::connection::Connection;
use super::report::listed;
use super::tools::Tools;
use crate::error::Failure;

/// Asks the server for its tools where a pin holds one fast, and holds this one to it.
pub(crate) async fn reviewed(
    connection: &Connection,
    adapter: &str,
    server: &McpServer,
    tool: &str,
) -> Result<(), Failure> {
    if server.tools.is_none() || server.pin == Pin::Off {
        return Ok(());
    }
    pinned(adapter, server, &*listed(connection).await?, tool)
}

/// An error when the server's tool is not the one that the plan holds fast. A tool that neither has is not this
/// question's.
pub(crate) fn pinned(adapter: &str, server: &McpServer, tools: &Tools, name: &str) -> Result<(), Failure> {
    let Some(pins) = server.tools.as_ref().filter(|_| server.pin != Pin::Off) else { return Ok(()) };
    let pin = pins.iter().find(|pin| pin.name == name);
    let what = match (pin, tools.get(name)) {
        (None, None) => return Ok(()),
        (Some(pin), Some(tool)) if tool.digest(server.pin) == Some(pin.digest.as_str()) => return Ok(()),
        (Some(_), Some(_)) => "changed",
        (Some(_), None) => "removed",
        (None, Some(_)) => "added",
    };
    let message = format!(
        "the tool `{name}` was {what} since the tools of `{adapter}` were locked and is not called: review it with \
         `kontext lock --diff --adapter {adapter}`, then run `kontext lock --adapter {adapter}` and `kontext build`"
    );
    Err(Failure::unsent("tool-changed", message))
}
