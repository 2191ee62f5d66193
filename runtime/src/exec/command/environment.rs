//! The environment a program gets: kontext's own, without colours, and without the secrets of other adapters.

use std::collections::BTreeMap;
use std::ffi::OsString;

use kontext_host::Env;

/// Variables that make programs write colours into a pipe.
const COLOURS: [&str; 6] =
    ["CLICOLOR_FORCE", "FORCE_COLOR", "CARGO_TERM_COLOR", "GH_FORCE_TTY", "PY_COLORS", "MISE_COLOR"];

/// The variables of a program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    /// Every variable by name.
    pub(crate) variables: BTreeMap<OsString, OsString>,
    /// The names that were there and were not passed on, because other adapters name them as secrets.
    pub(crate) withheld: Vec<String>,
}

impl Environment {
    /// What is inherited, without `secrets` and with the call's `additions`, which always count.
    pub(crate) fn new(env: &Env, secrets: &[&str], additions: Vec<(String, String)>) -> Self {
        let mut variables = inherited(env);
        for name in COLOURS {
            variables.remove(&OsString::from(name));
        }
        variables.insert("NO_COLOR".into(), "1".into());
        let mut withheld = Vec::new();
        for name in secrets {
            let passed = additions.iter().any(|(addition, _)| addition == name);
            if variables.remove(&OsString::from(*name)).is_some() && !passed {
                withheld.push((*name).to_owned());
            }
        }
        variables.extend(additions.into_iter().map(|(name, value)| (name.into(), value.into())));
        Self { variables, withheld }
    }

    /// The search path the program gets, by which it is itself looked up.
    pub(crate) fn path(&self) -> Option<String> {
        self.variables.get(&OsString::from("PATH")).map(|path| path.to_string_lossy().into_owned())
    }
}

/// The snapshot's variables, and those of the process that are no text and therefore not in it, byte for byte.
fn inherited(env: &Env) -> BTreeMap<OsString, OsString> {
    let mut variables: BTreeMap<OsString, OsString> =
        env.iter().map(|(name, value)| (name.into(), value.into())).collect();
    for (name, value) in std::env::vars_os() {
        let snapshot = variables.get(&name).map(|value| value.to_string_lossy().into_owned());
        let is_odd = name.to_str().is_none() || value.to_str().is_none();
        if is_odd && snapshot.is_none_or(|snapshot| snapshot == value.to_string_lossy()) {
            variables.insert(name, value);
        }
    }
    variables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_and_secrets_of_others_stay_behind() {
        let env = Env::from_pairs([
            ("PATH", "/bin"),
            ("FORCE_COLOR", "1"),
            ("TOKEN", "t"),
            ("MINE", "m"),
            ("GIVEN", "g"),
        ]);
        let additions = vec![("GIVEN".to_owned(), "mine".to_owned()), ("MODE".to_owned(), "ro".to_owned())];
        let environment = Environment::new(&env, &["ABSENT", "GIVEN", "TOKEN"], additions);
        let text =
            |name: &str| environment.variables.get(&OsString::from(name)).and_then(|value| value.to_str());
        assert_eq!((text("PATH"), text("MINE"), text("MODE")), (Some("/bin"), Some("m"), Some("ro")));
        assert_eq!((text("FORCE_COLOR"), text("TOKEN"), text("GIVEN")), (None, None, Some("mine")));
        assert_eq!((text("NO_COLOR"), environment.withheld), (Some("1"), vec!["TOKEN".to_owned()]));
    }
}
