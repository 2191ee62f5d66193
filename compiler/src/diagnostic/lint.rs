//! Every diagnostic id, declared once, with its page.

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// There is no plan while it stands.
    Error,
    /// It works, and probably not as meant.
    Warning,
    /// Good to know.
    Info,
}

impl Severity {
    /// The word in every output.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// The declaration of a diagnostic.
#[derive(Debug)]
pub struct Lint {
    /// Its name in kebab case.
    pub id: &'static str,
    /// How bad it is unless the finding says otherwise.
    pub severity: Severity,
    /// Its page: why, an example that fails, the mend.
    pub page: &'static str,
}

/// Declares the lints and the list of them.
macro_rules! lints {
    ($($name:ident = $id:literal, $severity:ident;)*) => {
        $(
            #[doc = concat!("`", $id, "`")]
            pub static $name: Lint = Lint {
                id: $id,
                severity: Severity::$severity,
                page: include_str!(concat!("../../diagnostics/", $id, ".md")),
            };
        )*
        /// Every lint, in the order of the reference.
        pub static ALL: &[&Lint] = &[$(&$name),*];
    };
}

lints! {
    UNREADABLE_LAYER = "unreadable-layer", Error;
    INVALID_TOML = "invalid-toml", Error;
    NOT_UTF8 = "not-utf8", Error;
    TWO_SHARED_FILES = "two-shared-files", Error;
    TYPE_CONFLICT = "type-conflict", Error;
    UNSUPPORTED_VERSION = "unsupported-version", Error;

    UNKNOWN_KEY = "unknown-key", Error;
    WRONG_TYPE = "wrong-type", Error;
    MISSING_KEY = "missing-key", Error;
    INVALID_VALUE = "invalid-value", Error;
    WRONG_DRIVER_KEY = "wrong-driver-key", Error;
    CONFLICTING_KEYS = "conflicting-keys", Error;
    CONTROL_CHARACTER = "control-character", Error;
    RELATIVE_PATH = "relative-path", Error;
    TILDE_NOT_EXPANDED = "tilde-not-expanded", Warning;
    FOREIGN_PLACEHOLDER = "foreign-placeholder", Warning;
    NOT_A_TEMPLATE = "not-a-template", Warning;

    TEMPLATE_SYNTAX = "template-syntax", Error;
    UNKNOWN_VARIABLE = "unknown-variable", Error;
    UNKNOWN_FILTER = "unknown-filter", Error;
    FILTER_ARGUMENT = "filter-argument", Error;
    TYPE_MISMATCH = "type-mismatch", Error;
    INPUT_NOT_AVAILABLE = "input-not-available", Error;
    SHADOWED_VARIABLE = "shadowed-variable", Error;
    VARS_CYCLE = "vars-cycle", Error;
    MISSING_DEFAULT = "missing-default", Warning;

    PATH_SYNTAX = "path-syntax", Error;
    UNKNOWN_MAP_FIELD = "unknown-map-field", Error;
    INVALID_REGEX = "invalid-regex", Error;

    UNKNOWN_OP = "unknown-op", Error;
    UNKNOWN_EVENT = "unknown-event", Error;
    UNKNOWN_TOOL = "unknown-tool", Error;
    UNKNOWN_ARGUMENT = "unknown-argument", Error;
    MISSING_ARGUMENT = "missing-argument", Error;
    ARGUMENT_TYPE = "argument-type", Error;
    INVALID_TOOL_NAME = "invalid-tool-name", Error;
    TOOL_NAME_COLLISION = "tool-name-collision", Error;
    INVALID_SCHEMA = "invalid-schema", Error;
    UNUSED_OP = "unused-op", Warning;
    UNUSED_INPUT = "unused-input", Warning;
    OVERLAPPING_OWNS = "overlapping-owns", Warning;
    UNOWNED_URI = "unowned-uri", Warning;
    PRIVATE_DELIVERED = "private-delivered", Info;
    UNLOCKED_TOOL = "unlocked-tool", Info;

    CALLER_CONTROLS_PROGRAM = "caller-controls-program", Error;
    CALLER_CONTROLS_HOST = "caller-controls-host", Error;
    SHELL_INJECTION = "shell-injection", Error;
    SECRET_IN_OUTPUT = "secret-in-output", Error;
    OPTION_INJECTION = "option-injection", Warning;
    CALLER_CONTROLS_PATH = "caller-controls-path", Warning;
    SECRET_IN_ARGV = "secret-in-argv", Warning;
    SECRET_IN_URL = "secret-in-url", Warning;
    JSON_IN_STRING = "json-in-string", Warning;
    LITERAL_SECRET = "literal-secret", Warning;
    ENV_WITHHELD = "env-withheld", Info;
    NO_SHELL = "no-shell", Warning;
    EXIT_STATUS = "exit-status", Info;

    SCOPE_LINE = "scope-line", Error;
    SCOPE_PATH = "scope-path", Error;
    SCOPE_CONFLICT = "scope-conflict", Error;
    ALIAS_CYCLE = "alias-cycle", Error;
    ALIAS_CONFLICT = "alias-conflict", Error;
    UNREACHABLE_SCOPE = "unreachable-scope", Error;
    SECTION_UNCLOSED = "section-unclosed", Error;
    SECTION_ORPHAN = "section-orphan", Error;
    SECTION_NESTED = "section-nested", Error;
    CUT_MISSING = "cut-missing", Error;
    CUT_INSIDE_SECTION = "cut-inside-section", Error;
    MAP_BEFORE_CUT = "map-before-cut", Error;
    PRIVATE_PATH = "private-path", Error;
    IGNORED_LINE = "ignored-line", Warning;
    SCOPE_DUPLICATE = "scope-duplicate", Warning;
    ALIAS_HIDES_SECTION = "alias-hides-section", Warning;
    SECTION_DUPLICATE = "section-duplicate", Warning;
    CUT_DUPLICATE = "cut-duplicate", Warning;
    MISSING_NOTES_FILE = "missing-notes-file", Warning;
    LEGACY_MAP_FILE = "legacy-map-file", Warning;
    SHADOWED_MAP = "shadowed-map", Info;

    LOCK_DRIFT = "lock-drift", Error;

    UNUSED_ALLOW = "unused-allow", Warning;
}

/// The lint of an id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Lint> {
    ALL.iter().find(|lint| lint.id == id).copied()
}
