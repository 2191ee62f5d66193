//! The pages of what only a run can tell. `kontext run` prints these ids; the compiler never does.

/// A page by its id.
#[derive(Debug)]
pub struct Page {
    /// Its name in kebab case.
    pub id: &'static str,
    /// Its text: what it means, and the mend.
    pub text: &'static str,
}

/// Declares the pages.
macro_rules! pages {
    ($($id:literal),* $(,)?) => {
        /// Every page, in the order of the reference.
        pub static PAGES: &[Page] = &[$(Page {
            id: $id,
            text: include_str!(concat!("../../diagnostics/run/", $id, ".md")),
        }),*];
    };
}

pages![
    "no-plan",
    "plan-format",
    "plan-digest",
    "stale-plan",
    "not-trusted",
    "inactive",
    "unknown-adapter",
    "unknown-input",
    "missing-variable",
    "call-failed",
    "timed-out",
    "too-large",
    "bad-payload",
    "tool-changed",
];

/// The page of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.id == id)
}
