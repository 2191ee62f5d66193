//! The repository root as servers of the older era ask for it.
#![expect(
    deprecated,
    reason = "roots are part of the older era, which is served as long as servers speak it"
)]

use std::path::Path;

use rmcp::model::{ClientCapabilities, ListRootsResult, Root, RootsCapabilities};
use url::Url;

/// The answer to `roots/list`.
pub(super) type Roots = ListRootsResult;

/// One root: the repository.
pub(super) fn of(root: &Path) -> Roots {
    let uri = Url::from_file_path(root).map_or_else(|()| format!("file://{}", root.display()), String::from);
    let mut found = Root::new(uri);
    found.name = root.file_name().map(|name| name.to_string_lossy().into_owned());
    Roots::new(vec![found])
}

/// Says that roots can be asked for.
pub(super) fn declare(capabilities: &mut ClientCapabilities) {
    capabilities.roots = Some(RootsCapabilities::default());
}
