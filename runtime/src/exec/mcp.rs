//! The place of the mcp driver, which is not part of this version yet.

use crate::error::Failure;

/// Why nothing can be called on an mcp adapter, and why it is inactive.
pub(crate) const NOT_YET: &str = "the mcp driver is not part of this version yet";

/// Refuses the call.
pub(crate) fn call() -> Failure {
    Failure::call(NOT_YET)
}
