//! What is known of common programs: which run scripts, which read files, which options take a value.

/// Programs that start the program behind their own arguments.
const WRAPPERS: [&str; 12] = [
    "env", "sudo", "doas", "nice", "nohup", "timeout", "stdbuf", "setsid", "ionice", "chrt", "time", "xargs",
];
/// POSIX-like shells.
const SHELLS: [&str; 11] =
    ["sh", "bash", "zsh", "dash", "ksh", "ash", "mksh", "fish", "nu", "elvish", "xonsh"];

/// The name of a program without its folder and ending, in lower case.
#[must_use]
pub fn base_name(program: &str) -> String {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program).to_lowercase();
    name.strip_suffix(".exe").map_or(name.clone(), str::to_owned)
}

/// Whether it is a shell that runs a script with `-c`.
#[must_use]
pub fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
}

/// The position of the program that does the work: behind `env X=1`, `timeout 5` and their like.
#[must_use]
pub fn behind_wrappers(texts: &[Option<&str>]) -> usize {
    let mut at = 0;
    while let Some(Some(text)) = texts.get(at) {
        if !WRAPPERS.contains(&base_name(text).as_str()) {
            return at;
        }
        let rest = texts.get(at + 1..).unwrap_or_default();
        let skipped = rest.iter().take_while(|text| text.is_some_and(is_wrapper_argument)).count();
        at += 1 + skipped;
    }
    if at < texts.len() { at } else { 0 }
}

fn is_wrapper_argument(text: &str) -> bool {
    text.starts_with('-') || text.contains('=') || text.starts_with(|c: char| c.is_ascii_digit())
}

/// The positions, among the arguments behind a program's name, of those it runs as a script.
pub fn script_arguments<'t>(
    name: &str,
    texts: &'t [Option<&'t str>],
) -> Box<dyn Iterator<Item = usize> + 't> {
    let after = |is_option: fn(&str) -> bool| {
        texts.iter().position(|text| text.is_some_and(is_option)).map(|at| at + 1)
    };
    let one = |at: Option<usize>| -> Box<dyn Iterator<Item = usize> + 't> { Box::new(at.into_iter()) };
    let rest = |at: Option<usize>| -> Box<dyn Iterator<Item = usize> + 't> {
        Box::new(at.into_iter().flat_map(|at| at..texts.len()))
    };
    match interpreter(name) {
        "shell" => one(after(|text| cluster_has(text, 'c'))),
        "cmd" => rest(after(|text| text.eq_ignore_ascii_case("/c") || text.eq_ignore_ascii_case("/k"))),
        "powershell" => rest(after(|text| {
            ["-c", "-command", "-encodedcommand"].iter().any(|known| text.eq_ignore_ascii_case(known))
        })),
        "python" => one(after(|text| cluster_has(text, 'c'))),
        "node" => one(after(|text| matches!(text, "-e" | "--eval" | "-p" | "--print" | "-pe"))),
        "perl" | "ruby" => one(after(|text| cluster_has(text, 'e') || cluster_has(text, 'E'))),
        "awk" => one(first_operand(texts, &["-v", "-F", "--assign", "--field-separator"], &["-f", "--file"])),
        "jq" => one(first_operand(texts, &["--indent", "-L"], &["-f", "--from-file"])),
        "ssh" => {
            let host = first_operand(
                texts,
                &[
                    "-p", "-i", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-b", "-c", "-E", "-m", "-S", "-W",
                    "-w",
                ],
                &[],
            );
            rest(host.map(|at| at + 1))
        }
        "parallel" => rest(Some(0)),
        "database" => {
            let after_option = after(|text| matches!(text, "-c" | "-e" | "--command" | "--execute"));
            one(after_option
                .or_else(|| (name == "sqlite3" || name == "duckdb").then(|| second_operand(texts)).flatten()))
        }
        _ => one(None),
    }
}

/// Whether arguments behind the script are handed to it as they are.
#[must_use]
pub fn hands_on_arguments(name: &str) -> bool {
    matches!(interpreter(name), "shell" | "python" | "node" | "perl" | "ruby")
}

/// The family of programs that run scripts which a program belongs to; empty for another.
#[must_use]
pub fn interpreter(name: &str) -> &'static str {
    if is_shell(name) {
        return "shell";
    }
    match name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "cmd" => "cmd",
        "node" | "bun" | "deno" => "node",
        "perl" => "perl",
        "ruby" => "ruby",
        "jq" => "jq",
        "ssh" => "ssh",
        "eval" | "parallel" => "parallel",
        "psql" | "mysql" | "mariadb" | "sqlite" | "duckdb" => "database",
        "python" | "pypy" => "python",
        "pwsh" | "powershell" => "powershell",
        "awk" | "gawk" | "mawk" | "nawk" => "awk",
        _ => "",
    }
}

/// Whether an option is a group of letters with this one in it (`-c`, `-lc`).
fn cluster_has(text: &str, letter: char) -> bool {
    text.strip_prefix('-').is_some_and(|letters| {
        !letters.starts_with('-')
            && letters.contains(letter)
            && letters.chars().all(|c| c.is_ascii_alphabetic())
    })
}

/// The first argument that is no option and no option's value; none when an option says the script is in a file.
fn first_operand(texts: &[Option<&str>], with_value: &[&str], from_file: &[&str]) -> Option<usize> {
    let mut skip = 0;
    for (at, text) in texts.iter().enumerate() {
        if skip > 0 {
            skip -= 1;
            continue;
        }
        match text {
            Some(option) if from_file.contains(option) => return None,
            Some("--arg" | "--argjson" | "--slurpfile" | "--rawfile") => skip = 2,
            Some(option) if with_value.contains(option) => skip = 1,
            Some("--") => return Some(at + 1),
            Some(option) if option.starts_with('-') && option.len() > 1 => {}
            _ => return Some(at),
        }
    }
    None
}

/// The argument behind the first operand: the statement behind a database's file.
fn second_operand(texts: &[Option<&str>]) -> Option<usize> {
    let is_operand = |text: &Option<&str>| !text.is_some_and(|text| text.starts_with('-'));
    texts.iter().enumerate().filter(|(_, text)| is_operand(text)).map(|(at, _)| at).nth(1)
}

/// Whether a program that is started like this reads its script from standard input.
#[must_use]
pub fn reads_script(name: &str, arguments: &[Option<&str>]) -> bool {
    let family = interpreter(name);
    let asked = arguments.iter().any(|text| matches!(text, Some("-s" | "-")));
    let has_operand = arguments.iter().any(|text| !text.is_some_and(|text| text.starts_with('-')));
    match family {
        "shell" | "python" | "node" | "perl" | "ruby" => {
            asked || (!has_operand && script_arguments(name, arguments).next().is_none())
        }
        "database" => {
            let from_file = arguments.iter().any(|text| matches!(text, Some("-f" | "--file")));
            !from_file && script_arguments(name, arguments).next().is_none()
        }
        _ => false,
    }
}

/// Whether the value of an option is a program that is started.
#[must_use]
pub fn option_starts_program(program: &str, option: &str) -> bool {
    match program {
        "rg" | "ripgrep" => matches!(option, "--pre" | "--hostname-bin"),
        "git" => matches!(option, "-c" | "--config-env" | "--exec-path" | "--upload-pack"),
        "tar" | "bsdtar" => {
            matches!(option, "--to-command" | "--use-compress-program" | "-I" | "--checkpoint-action")
        }
        "find" | "fd" | "fdfind" => {
            matches!(option, "-exec" | "-execdir" | "-ok" | "-x" | "--exec" | "-X" | "--exec-batch")
        }
        "ssh" => option == "-o",
        "env" => matches!(option, "-S" | "--split-string"),
        _ => false,
    }
}

/// From which operand on a program opens its arguments as files; none for a program that is not known to.
#[must_use]
pub fn files_from(name: &str) -> Option<usize> {
    match name {
        "cat" | "head" | "tail" | "less" | "more" | "bat" | "batcat" | "nl" | "tac" | "wc" | "sort"
        | "uniq" | "od" | "xxd" | "hexdump" | "strings" | "file" | "stat" | "md5sum" | "sha1sum"
        | "sha256sum" | "base64" | "pandoc" | "pdftotext" | "cp" | "mv" | "rm" | "ls" | "tree"
        | "readlink" | "realpath" | "type" | "xmllint" | "glow" => Some(0),
        "grep" | "egrep" | "fgrep" | "rg" | "ripgrep" | "ag" | "ack" | "ugrep" | "sed" | "awk" | "gawk"
        | "mawk" | "jq" | "yq" | "diff" => Some(1),
        _ => None,
    }
}

/// The program whose arguments a subcommand takes.
#[must_use]
pub fn of_subcommand(program: &str, word: Option<&str>) -> Option<&'static str> {
    (program == "git" && word == Some("grep")).then_some("grep")
}

/// The subcommand of git: the first argument that is no option of git itself, nor the value of one.
#[must_use]
pub fn git_subcommand<'t>(arguments: &[Option<&'t str>]) -> Option<&'t str> {
    let mut value = false;
    for argument in arguments {
        let text = (*argument)?;
        if std::mem::take(&mut value) {
            continue;
        }
        match text {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" | "--config-env" => value = true,
            option if option.starts_with('-') => {}
            word => return Some(word),
        }
    }
    None
}

/// Long options that are known to stand alone, whatever the program.
const FLAGS: [&str; 46] = [
    "json",
    "jsonl",
    "verbose",
    "quiet",
    "silent",
    "debug",
    "yes",
    "force",
    "all",
    "recursive",
    "ignore-case",
    "line-number",
    "fixed-strings",
    "word-regexp",
    "hidden",
    "oneline",
    "stat",
    "name-only",
    "porcelain",
    "raw",
    "pretty",
    "compact",
    "help",
    "version",
    "follow",
    "stream",
    "dry-run",
    "count",
    "files-with-matches",
    "null",
    "smart-case",
    "case-sensitive",
    "no-heading",
    "vimgrep",
    "heading",
    "trim",
    "multiline",
    "pcre2",
    "stats",
    "sort-keys",
    "raw-output",
    "compact-output",
    "exit-status",
    "cached",
    "patch",
    "reverse",
];

/// Whether an option takes the argument behind it: known for common programs; of an unknown one it is believed,
/// except for words that stand alone everywhere.
#[must_use]
pub fn takes_value(program: &str, option: &str) -> bool {
    if let Some(long) = option.strip_prefix("--") {
        return !long.contains('=') && !long.starts_with("no-") && !FLAGS.contains(&long);
    }
    let letters = option.trim_start_matches('-');
    let last = letters.chars().next_back().unwrap_or_default();
    match program {
        "rg" | "ripgrep" => "ABCEMTefgmtjdr".contains(last),
        "grep" | "egrep" | "fgrep" | "ugrep" => "ABCefmdD".contains(last),
        "cat" | "ls" | "wc" | "tac" | "cp" | "mv" | "rm" | "sort" | "tree" => false,
        "git" => letters.len() == 1 && "nCcSGL".contains(last),
        "sed" => "efl".contains(last),
        "jq" => false,
        "curl" => letters.is_empty() || !"sSLfikIvgGjJlnNaqZ#01234 6V".contains(last),
        // Letters that stand alone nearly everywhere.
        _ => !letters.is_empty() && !matches!(letters, "v" | "q" | "h" | "V" | "vv" | "vvv"),
    }
}

/// Whether an option takes the two arguments behind it: a name and its value.
#[must_use]
pub fn takes_name_and_value(program: &str, option: &str) -> bool {
    match program {
        "jq" | "jaq" | "gojq" => matches!(option, "--arg" | "--argjson" | "--slurpfile" | "--rawfile"),
        _ => false,
    }
}

/// Environment entries that decide what code a program loads or runs.
#[must_use]
pub fn is_loader(variable: &str) -> bool {
    let name = variable.to_ascii_uppercase();
    matches!(
        name.as_str(),
        "PATH"
            | "NODE_OPTIONS"
            | "NODE_PATH"
            | "PYTHONPATH"
            | "PYTHONSTARTUP"
            | "PYTHONHOME"
            | "PERL5LIB"
            | "PERL5OPT"
            | "RUBYLIB"
            | "RUBYOPT"
            | "JAVA_TOOL_OPTIONS"
            | "CLASSPATH"
            | "BASH_ENV"
            | "ENV"
            | "SHELL"
            | "IFS"
            | "GIT_SSH"
            | "GIT_SSH_COMMAND"
            | "GIT_EXEC_PATH"
            | "GIT_EXTERNAL_DIFF"
            | "PAGER"
            | "EDITOR"
            | "VISUAL"
    ) || name.starts_with("LD_")
        || name.starts_with("DYLD_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts(command: &[&str]) -> Vec<usize> {
        let texts: Vec<Option<&str>> = command.iter().map(|text| (*text != "X").then_some(*text)).collect();
        let at = behind_wrappers(&texts);
        let name = texts[at].map(base_name).unwrap_or_default();
        script_arguments(&name, &texts[at + 1..]).map(|script| at + 1 + script).collect()
    }

    #[test]
    fn script_arguments_are_known() {
        assert_eq!(scripts(&["sh", "-c", "X"]), [2]);
        assert_eq!(scripts(&["/bin/bash", "-lc", "X", "X"]), [2]);
        assert_eq!(scripts(&["env", "A=1", "timeout", "5", "bash", "-o", "pipefail", "-c", "X"]), [8]);
        assert_eq!(scripts(&["cmd.exe", "/C", "X", "y"]), [2, 3]);
        assert_eq!(scripts(&["python3.12", "-c", "X"]), [2]);
        assert_eq!(scripts(&["node", "--eval", "X"]), [2]);
        assert_eq!(scripts(&["perl", "-ne", "X"]), [2]);
        assert_eq!(scripts(&["awk", "-F", ",", "X", "file"]), [3]);
        assert_eq!(scripts(&["awk", "-f", "prog.awk", "X"]), Vec::<usize>::new());
        assert_eq!(scripts(&["jq", "--arg", "q", "X", ".a"]), [4]);
        assert_eq!(scripts(&["ssh", "-p", "22", "host", "X"]), [4]);
        assert_eq!(scripts(&["psql", "-c", "X"]), [2]);
        assert_eq!(scripts(&["sqlite3", "-json", "notes.db", "X"]), [3]);
        assert_eq!(scripts(&["parallel", "X"]), [1]);
        assert_eq!(scripts(&["rg", "-c", "X"]), Vec::<usize>::new());
        assert_eq!(scripts(&["sh", "script.sh", "X"]), Vec::<usize>::new());
    }

    #[test]
    fn standard_input_may_be_a_script() {
        let reads = |command: &[&'static str]| {
            let texts: Vec<Option<&str>> =
                command.iter().map(|text| (*text != "X").then_some(*text)).collect();
            reads_script(&base_name(command[0]), &texts[1..])
        };
        for script in
            [&["sh"][..], &["bash", "-s", "X"], &["python3", "-"], &["node"], &["psql", "-d", "notes"]]
        {
            assert!(reads(script), "{script:?}");
        }
        for data in
            [&["cat"][..], &["sh", "-c", "cat"], &["python3", "filter.py"], &["sqlite3", "a.db", "select 1"]]
        {
            assert!(!reads(data), "{data:?}");
        }
    }

    #[test]
    fn options_with_values_are_told_from_flags() {
        assert!(!takes_value("rg", "--json"));
        assert!(takes_value("rg", "-e"));
        assert!(!takes_value("rg", "-in"));
        assert!(takes_value("notes", "--query"));
        assert!(!takes_value("notes", "--query=x"));
        assert!(!takes_value("notes", "--no-color"));
    }
}
