//! Which arguments of a command are scripts of another language, in which `$NAME` and `~/` are that language's own.

/// Programs whose script follows an option, with what the option looks like.
const INTERPRETERS: &[(&[&str], &[&str])] = &[
    (&["sh", "bash", "zsh", "dash", "ksh", "fish"], &["-c"]),
    (&["cmd", "cmd.exe"], &["/c", "/C", "/k", "/K"]),
    (&["pwsh", "powershell", "powershell.exe", "pwsh.exe"], &["-Command", "-command", "-c", "-C"]),
    (&["python", "python3", "ruby", "perl", "node", "deno", "bun"], &["-c", "-e", "-E", "--eval", "-p"]),
];

/// Programs whose every argument may be a script.
const ALL_SCRIPT: &[&str] = &["awk", "gawk", "mawk", "jq", "ssh", "eval", "sed", "xargs"];

/// The positions of script arguments.
pub fn positions(argv: &[&str]) -> Vec<usize> {
    let Some((at, options)) = interpreter(argv) else { return Vec::new() };
    if options.is_empty() {
        return (at + 1..argv.len()).collect();
    }
    argv.iter()
        .enumerate()
        .skip(at + 1)
        .filter(|(_, argument)| is_option(argument, options))
        .map(|(option, _)| option + 1)
        .collect()
}

/// The first element that names an interpreter, and its script options.
fn interpreter(argv: &[&str]) -> Option<(usize, &'static [&'static str])> {
    argv.iter().enumerate().find_map(|(at, argument)| {
        let name = argument.rsplit(['/', '\\']).next().unwrap_or(argument);
        if ALL_SCRIPT.contains(&name) {
            return Some((at, &[] as &[&str]));
        }
        INTERPRETERS.iter().find(|(names, _)| names.contains(&name)).map(|(_, options)| (at, *options))
    })
}

/// Whether an argument is one of the options, also among short ones (`-lc`).
fn is_option(argument: &str, options: &[&str]) -> bool {
    if options.contains(&argument) {
        return true;
    }
    let clustered =
        argument.strip_prefix('-').filter(|rest| rest.bytes().all(|byte| byte.is_ascii_lowercase()));
    options.contains(&"-c") && clustered.is_some_and(|rest| rest.len() <= 4 && rest.ends_with('c'))
}

#[cfg(test)]
mod tests {
    use super::positions;

    #[test]
    fn scripts_are_found_behind_their_option() {
        assert_eq!(positions(&["sh", "-c", "echo $HOME", "$X"]), [2]);
        assert_eq!(positions(&["/bin/bash", "-lc", "x"]), [2]);
        assert_eq!(positions(&["env", "A=1", "bash", "-c", "x"]), [4]);
        assert_eq!(positions(&["jq", "-r", "$ENV.X"]), [1, 2]);
        assert_eq!(positions(&["npx", "-y", "server"]), Vec::<usize>::new());
    }
}
