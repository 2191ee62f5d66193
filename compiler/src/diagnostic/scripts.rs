//! How a value is handed to a script, or to a program that reads options, for each family of programs.

use crate::flow::programs::interpreter;

/// What a value inside a script can do there.
#[must_use]
pub fn danger(reader: &str) -> &'static str {
    match interpreter(reader) {
        "python" | "node" | "ruby" | "perl" | "awk" | "jq" => {
            "a quote in it ends the text, and what follows runs as code"
        }
        "database" => "a quote in it ends the text, and what follows runs as a statement",
        "powershell" | "cmd" => "a quote or `&` in it runs as code",
        "ssh" => "the shell on the other side reads it, and `$(…)` in it runs as code",
        _ => "a quote or `$(…)` in it runs as code",
    }
}

/// How to hand the value over instead.
#[must_use]
pub fn instead(reader: &str, shown: &str) -> String {
    let value = format!("\"{{{{{shown}}}}}\"");
    match interpreter(reader) {
        "python" => format!(
            "pass it as an argument of its own and read it from `sys.argv`: `[\"{reader}\", \"-c\", \"import sys; print(sys.argv[1])\", {value}]`"
        ),
        "node" if reader == "node" => format!(
            "pass it as an argument of its own and read it from `process.argv`: `[\"node\", \"-e\", \"console.log(process.argv[1])\", \"--\", {value}]`"
        ),
        "perl" => format!(
            "pass it as an argument of its own and read it from `@ARGV`: `[\"perl\", \"-e\", \"print $ARGV[0]\", \"--\", {value}]`"
        ),
        "ruby" => format!(
            "pass it as an argument of its own and read it from `ARGV`: `[\"ruby\", \"-e\", \"puts ARGV[0]\", \"--\", {value}]`"
        ),
        "jq" => format!(
            "hand it over with `--arg` and name it in the filter: `[\"jq\", \"--arg\", \"q\", {value}, \".[] | select(.title == $q)\"]`"
        ),
        "awk" => format!(
            "hand it over with `-v` and name it in the program: `[\"{reader}\", \"-v\", \"q={{{{{shown}}}}}\", \"index($0, q)\"]`"
        ),
        "ssh" => format!(
            "send it on standard input and read it there: `stdin = {value}`, `[\"ssh\", \"host\", \"grep -F -f - notes.txt\"]`"
        ),
        "powershell" => format!(
            "pass it through the environment: `env = {{ QUERY = {value} }}`, and read `$env:QUERY` in the script"
        ),
        "cmd" => format!(
            "start the program itself, without `{reader}`: `[\"findstr\", \"/L\", {value}, \"notes.txt\"]`"
        ),
        "database" if reader == "psql" => format!(
            "hand it over with `-v` and name it as `:'q'`: `[\"psql\", \"-v\", \"q={{{{{shown}}}}}\"]` with the statement in `stdin`"
        ),
        "database" => {
            "call a program of your own that binds it as a parameter: the statement then never holds it"
                .to_owned()
        }
        "node" => format!(
            "pass it through the environment: `env = {{ QUERY = {value} }}`, and read it in the script"
        ),
        "parallel" => format!(
            "start the program itself, with the value as its argument: `[\"program\", \"--\", {value}]`"
        ),
        _ => format!(
            "pass it as an argument of its own and name it in the script: `[\"{}\", \"-c\", 'grep -- \"$1\" notes.txt', \"{}\", {value}]`",
            shell(reader),
            shell(reader),
        ),
    }
}

/// The shell of an example: the one at hand, when it is one.
fn shell(reader: &str) -> &str {
    if interpreter(reader) == "shell" { reader } else { "sh" }
}

/// How to keep a value from being taken for an option.
#[must_use]
pub fn end_of_options(reader: &str, shown: &str) -> String {
    let value = format!("\"{{{{{shown}}}}}\"");
    match reader {
        "git" => format!(
            "put `\"--\"` before a path: `\"--\", {value}`; before a revision or a word to look for, `\"--end-of-options\", {value}`"
        ),
        "find" => format!("begin it with a directory: `\"./{{{{{shown}}}}}\"`"),
        "grep" | "egrep" | "fgrep" | "rg" | "ripgrep" | "ugrep" | "ag" => {
            format!("put `\"--\"` before it: `\"--\", {value}`, or the option `-e`: `\"-e\", {value}`")
        }
        _ => format!(
            "put `\"--\"` before it: `\"--\", {value}`, or write it behind its option: `\"--query={{{{{shown}}}}}\"`"
        ),
    }
}
