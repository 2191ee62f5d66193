//! The pages of the docs that are written from the code: types and filters, the table of information flow, and the list
//! of diagnostics.

use crate::check::filters;
use crate::diagnostic::{lint, run};
use crate::flow::table;

/// `docs/types.md`.
#[must_use]
pub fn types_page() -> String {
    [TYPES, &filters::markdown(), AFTER_FILTERS].concat()
}

/// `docs/flow.md`.
#[must_use]
pub fn flow_page() -> String {
    [FLOW, &table::markdown(), AFTER_FLOW].concat()
}

/// `docs/diagnostics.md`.
#[must_use]
pub fn diagnostics_page() -> String {
    let mut text = DIAGNOSTICS.to_owned();
    for lint in lint::ALL {
        text.push_str(&format!(
            "| `{}` | {} | {} |\n",
            lint.id,
            lint.severity.as_str(),
            first_sentence(lint.page)
        ));
    }
    text.push_str(AT_RUN_TIME);
    for page in run::PAGES {
        let link = format!("[`{0}`](../compiler/diagnostics/run/{0}.md)", page.id);
        text.push_str(&format!("| {link} | {} |\n", first_sentence(page.text)));
    }
    text
}

/// The first sentence of a page, without its full stop.
fn first_sentence(page: &str) -> String {
    let body = page.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ");
    let ends = body.match_indices(". ").map(|(at, _)| at);
    let end =
        ends.into_iter().find(|at| body.get(..*at).is_some_and(|text| text.matches('`').count() % 2 == 0));
    let sentence = end.and_then(|at| body.get(..at)).unwrap_or(&body);
    sentence.trim_end_matches(['.', ':']).replace('|', "\\|")
}

const DIAGNOSTICS: &str = "\
# Diagnostics

What `kontext check` can say, by id. `kontext explain ID` prints the page of one: why it matters, an example that shows
it, the mend. A finding may be milder than its id where the page says so. A comment `# kontext: allow(id)` on the same
line or the line above silences a warning or a note.

| id | severity | the page begins |
|---|---|---|
";

const AT_RUN_TIME: &str = "
## At run time

What `kontext run` can say beside these, as `error[ID]`, with the place in the configuration it came from:

| id | the page begins |
|---|---|
";

const TYPES: &str = "\
# Types

Every expression of a template has a type, and every slot says what it takes. `kontext check` reports what does not fit
before anything runs.

A type is one of

- **string**, **integer**, **number**, **boolean**: the scalars;
- **list of T**, where T is a type;
- **object**: with known members (`source.repo`, the parameters of a tool), or with members that are not known before
  the value is there;
- **any**: not known before the value is there (a member of an object with unknown members, a field of a result item).

and may be **optional**: `env.NAME`, `repo.branch`, `repo.remote`, a tool's parameters that are not required, and
members of objects whose shape is not known. `default` makes an optional value one that is always there.

A template that is *exactly one* expression keeps the type of its value: `limit = \"{{limit}}\"` sends a number.
A longer template is text: a list or an object in it is `type-mismatch`.

## Facts

| name | what it is |
|---|---|
| `repo.id`, `repo.slug`, `repo.name`, `repo.dir`, `repo.root`, `repo.worktree` | the repository; always there |
| `repo.remote`, `repo.branch` | may be missing; the branch is that of each call |
| `project.name`, `project.description` | of the build: `[project]`, else the root manifest |
| `scope.id` | the scope of the directory that kontext is started in, at the end of the chain and of the aliases; always there |
| `scope.step` | the step that gave it: `map`, `current` or `default` |
| `env.NAME` | may be missing; set but empty counts as missing |
| `now.date`, `now.iso` | the clock, at each call |
| `adapter.name` | the adapter's name |

The scope is found out once a process, and only for a plan that asks for it. Where the path map answers, the hot document
is not read; where it does not and the document cannot be read, what needs `scope.id` fails and says so. In a `tpl:` rule
`scope` is a field of the item: write `vars.space = \"{{scope.id}}\"` and `{{vars.space}}` there.

## Slots

| slot | takes, when it is exactly one expression |
|---|---|
| `url`, `base_url`, `path`, `headers`, `env`, `cwd`, `stdin`, `tool`, `command[0]` | a scalar |
| `command[1]` and on | a scalar, or a list of scalars: one argument an element |
| `query` | a scalar, or a list of scalars: the key is repeated |
| `body`, `args`, `vars`, `map` (`tpl:`) | anything |

## Inputs

| op | inputs |
|---|---|
| `search`, `code` | `query` string, `limit` integer (10) |
| `history` | `target` string, `query` the same value, `limit` integer (10) |
| `read` | `uri` string, `level` integer (2) |
| `brief` | `focus` string, `query` the same value |
| `llm` | `prompt` string |
| `health` | none |
| `store`, and every op an event names | `id kind title status date summary body markdown path visibility` strings, `tags paths` lists of strings, `source.repo source.branch` strings |
| an op a tool names, or a tool's own op | `args` object, and each parameter by its name, with the type of its schema |

An op that is reached in several ways is checked in each of them, and may use only what all of them pass.

## Filters

";

const AFTER_FILTERS: &str = "
A value that is missing goes through every filter but `default` as it is. A value of unknown type that a filter does not
take when it is there makes the call fail.
";

const FLOW: &str = "\
# Where values may go

Every value has a source, and every slot is a sink. Filters and longer texts keep the source: `{{query|trim}}` is still
the caller's text, and a variable passes on what it is made of. A literal may go anywhere. This is the whole table; each
id has a page, `kontext explain ID`.

";

const AFTER_FLOW: &str = "
What is not text cannot be read as code: integers, numbers, booleans and what `slug` gives may stand in scripts, where
options are read, and in file arguments. `within:DIR` keeps a file argument inside a directory. A `read` op may take its
whole `url` from `{{uri}}` when every prefix it `owns` fixes scheme, host and the `/` after it.

- **The caller** is whoever passes the inputs of an op: an agent, a tool's arguments, the note of an event.
- **The repository's text** is that of a checkout somebody else may have written: `repo.name`, `repo.branch`,
  `project.name` and the others. They may name hosts and directories that you wrote them into. `scope.id` is one of
  them: notes of the repository may say it, and though it has letters, digits, `.`, `_` and `-` only, `-x` is an option
  and `..` a directory. `scope.step` is one of three words and may go anywhere.
- **A secret** is `env.NAME`, unless the name says that it is none (`HOME`, `*_URL`, `*_HOST`, `*_PATH` and their kin) or
  stands in `public_env`. Its value is replaced by `***` in everything kontext writes: as it is, percent-encoded, escaped
  as in JSON, in base64, and in every text a filter made of it. One of less than 8 bytes would be found in harmless text
  too, so it is hidden only where kontext shows the slot that holds it: give nothing so short the right to anything.
- **Another system's text** is a field of a result item in a `tpl:` rule.

Commands are started without a shell. `check` says so where an argument is a pipe, a redirection, `$(…)` or a pattern of
file names (`no-shell`), and shows the command line that hands the values to one safely.

Besides, `check` finds tokens that are written into the files, by the prefixes their issuers give them and by the names
they stand under (`literal-secret`), and says which variables the programs of an adapter do not inherit because only
other adapters name them (`env-withheld`).
";
