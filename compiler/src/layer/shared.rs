//! Where the shared layer is: `store.dir` names the directory of one of its two places.

use crate::diagnostic::Diagnostics;
use crate::diagnostic::layers::{report_store_dir, report_store_dir_inside};
use crate::source::Sources;
use crate::tree::Table;

use super::Layer;

/// The store's directory when no layer names one.
pub const DEFAULT_STORE: &str = ".ai";

/// The store's directory: what the highest layer says. A value that cannot be one is reported and the default
/// stands in for it; one that is no string is left to validation.
pub(super) fn store_dir(layers: &[Layer], diagnostics: &mut Diagnostics) -> String {
    let named = layers
        .iter()
        .rev()
        .find_map(|layer| layer.root.get("store")?.as_table()?.get("dir"))
        .and_then(|node| Some((node.span, node.as_str()?)));
    let Some((at, written)) = named else { return DEFAULT_STORE.to_owned() };
    match normal(written) {
        Ok(dir) => dir,
        Err(why) => {
            report_store_dir(at, written, why, diagnostics);
            DEFAULT_STORE.to_owned()
        }
    }
}

/// Takes a `store.dir` out of the file that is found through it.
pub(super) fn refuse_inside(layer: &mut Layer, sources: &Sources, diagnostics: &mut Diagnostics) {
    if let Some(key) = take_dir(&mut layer.root) {
        report_store_dir_inside(key, &sources.file(layer.file).display, diagnostics);
    }
}

fn take_dir(root: &mut Table) -> Option<crate::source::FileSpan> {
    let store = root.entries.get_mut("store")?;
    let crate::tree::Value::Table(table) = &mut store.node.value else { return None };
    Some(table.entries.shift_remove("dir")?.key)
}

/// The directory without `.` parts and doubled slashes, or why it cannot be one.
fn normal(written: &str) -> Result<String, &'static str> {
    let bytes = written.as_bytes();
    if written.trim().is_empty() {
        return Err("is empty");
    }
    if written.contains(char::is_control) {
        return Err("has a control character in it");
    }
    if written.starts_with(['/', '\\', '~']) || bytes.get(1) == Some(&b':') {
        return Err("must be relative to the repository");
    }
    if written.contains('\\') {
        return Err("has `\\` in it where `/` belongs");
    }
    let parts: Vec<&str> = written.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    if parts.contains(&"..") {
        return Err("must stay inside the repository");
    }
    Ok(if parts.is_empty() { ".".to_owned() } else { parts.join("/") })
}
