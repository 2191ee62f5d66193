//! The environment as one immutable value, so that tests inject it and one process sees one environment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A snapshot of environment variables.
///
/// Values are text: a variable whose name or value is not UTF-8 counts as not set, because a template that sent a
/// damaged copy of it would be worse than one that reports it missing. `PATH` alone is decoded leniently, so that
/// one oddly named directory does not hide the programs of all others. Child processes inherit the real
/// environment, not this copy.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Env {
    variables: BTreeMap<String, String>,
    home: Option<PathBuf>,
}

/// Names only: values may be secret.
impl std::fmt::Debug for Env {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Env").field("names", &self.variables.keys()).field("home", &self.home).finish()
    }
}

impl Env {
    /// The environment of this process. The home directory is `HOME`, else that of the user data base.
    #[must_use]
    pub fn from_process() -> Env {
        let mut variables = BTreeMap::new();
        for (name, value) in std::env::vars_os() {
            let Ok(name) = name.into_string() else { continue };
            let value = match value.into_string() {
                Ok(value) => value,
                Err(value) if name == "PATH" => value.to_string_lossy().into_owned(),
                Err(_) => continue,
            };
            variables.entry(name).or_insert(value);
        }
        Env { variables, home: std::env::home_dir().filter(|home| home.is_absolute()) }
    }

    /// An environment of exactly these variables; of two with one name the later counts. The home directory is
    /// `HOME` and nothing else.
    pub fn from_pairs<I, K, V>(pairs: I) -> Env
    where
        I: IntoIterator<Item = (K, V)>,
        K: Into<String>,
        V: Into<String>,
    {
        let variables: BTreeMap<String, String> =
            pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        let home = variables.get("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
        Env { variables, home }
    }

    /// The same without a variable.
    #[must_use]
    pub fn without(mut self, name: &str) -> Env {
        self.variables.remove(name);
        self
    }

    /// The value of a variable; one that is set but empty gives the empty text.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// The value of a variable that is set and not empty.
    #[must_use]
    pub fn non_empty(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// Every variable, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The user's home directory, always absolute; none when it is unknown.
    #[must_use]
    pub fn home(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The path with a leading `~` or `~/` replaced by the home directory; any other text, `~user` too, as it is.
    /// None when the home directory is needed and unknown.
    #[must_use]
    pub fn expand_home(&self, path: &str) -> Option<PathBuf> {
        match path.strip_prefix('~') {
            Some("") => self.home.clone(),
            Some(rest) if rest.starts_with('/') => Some(self.home()?.join(rest.trim_start_matches('/'))),
            _ => Some(PathBuf::from(path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn set_but_empty_is_not_missing() {
        let env = Env::from_pairs([("A", ""), ("B", "x")]);
        assert_eq!((env.get("A"), env.non_empty("A"), env.get("C")), (Some(""), None, None));
        assert_eq!(env.iter().collect::<Vec<_>>(), [("A", ""), ("B", "x")]);
        assert_eq!(env.clone().without("A").iter().collect::<Vec<_>>(), [("B", "x")]);
        assert!(!format!("{env:?}").contains("\"x\""), "values stay out of debug text");
    }

    #[test]
    fn home_is_absolute_or_unknown() {
        assert_eq!(Env::from_pairs([("HOME", "")]).home(), None);
        assert_eq!(Env::from_pairs([("HOME", "rel")]).home(), None);
        let env = Env::from_pairs([("HOME", "/h")]);
        let expand = |path| env.expand_home(path).map(|path| path.display().to_string());
        assert_eq!(expand("~").as_deref(), Some("/h"));
        assert_eq!(expand("~/a b").as_deref(), Some("/h/a b"));
        assert_eq!(expand("~other/a").as_deref(), Some("~other/a"));
        assert_eq!(expand("a/~").as_deref(), Some("a/~"));
        assert_eq!(Env::default().expand_home("~/a"), None);
    }
}
